/* Map: drawn by gnuplot.
 *
 * Two states: the value between its bounds, its points coloured by the choice.  Three states: the choice and the value,
 * two triangles.  Grids: a panel for each picture, its cells coloured by value and marked with the choice.  Known
 * states without places: their bounds side by side. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/plotter.h"
#include "decide.h"
#include "map.h"

enum { WIDTH = 900, HEIGHT = 560, PANELS = 12, COLOURS = 9 };

static const char *const colours[COLOURS] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00",
                                             "#56B4E9", "#A0522D", "#7F7F7F", "#000000"};

static double middle(const struct map_cell *cell) {
  return (cell->lower + cell->upper) / 2;
}

static void put_title(struct text *out, const struct map *map) {
  struct text title = {0};
  text_print(&title, map->policy ? "What a policy is worth: %s" : "Value and best choice: %s", map->name);
  text_put(out, "set label 1 ");
  plotter_quote(out, text_string(&title));
  text_put(out, " at screen 0.5,0.965 center font ',15'\n");
  out->failed |= title.failed;
  text_free(&title);
}

static void put_point(struct text *out, const struct map *map, const struct map_item *item) {
  double x = map->kind == MAP_LINE ? item->p[1] : item->p[1] + item->p[2] / 2;
  double numbers[] = {x, item->p[2] * sqrt(0.75), item->cell.lower, item->cell.upper};
  for (size_t k = 0; k < 4; k++) {
    text_number(out, numbers[k]);
    text_put(out, k < 3 ? " " : "\n");
  }
}

/* x, y, lower, upper of the cells with this choice (uncertain ones apart), as a block of data; false: none. */
static bool put_series(struct text *out, const struct map *map, uint32_t choice, bool certain, size_t number) {
  size_t count = 0;
  for (size_t i = 0; i < map->count; i++) {
    const struct map_item *item = &map->items[i];
    if (item->cell.certain != certain || (certain && item->cell.choice != choice)) continue;
    if (!count++) text_print(out, "$s%zu << EOD\n", number);
    put_point(out, map, item);
  }
  if (count) text_put(out, "EOD\n");
  return count;
}

/* Of a policy with few nodes: those that are best somewhere, each a series. */
static bool put_nodes(struct text *out, struct text *plots, const struct map *map, const char *using) {
  uint32_t nodes[COLOURS];
  size_t count = map->policy ? map_policy_met(map, nodes, COLOURS) : COLOURS + 1;
  if (count > COLOURS) return false;
  for (size_t k = 0; k < count; k++) {
    text_print(out, "$s%zu << EOD\n", k);
    for (size_t i = 0; i < map->count; i++)
      if (map->items[i].cell.node == nodes[k]) put_point(out, map, &map->items[i]);
    text_put(out, "EOD\n");
    text_print(plots, "%s$s%zu %s pt 7 lc rgb '%s' title ", k ? ", " : "", k, using, colours[k]);
    struct text title = {0};
    char name[MAP_NAME];
    text_print(&title, "%s (node %lu)", map_choice(map, map_policy_choice(map->policy, nodes[k]), name),
               (unsigned long)nodes[k]);
    plotter_quote(plots, text_string(&title));
    plots->failed |= title.failed;
    text_free(&title);
  }
  return true;
}

/* All series; `plots` gets "$s0 using ... title 'ask', ..." for each. */
static void put_choices(struct text *out, struct text *plots, const struct map *map, const char *using) {
  if (put_nodes(out, plots, map, using)) return;
  uint32_t choices = map_choices(map);
  size_t number = 0;
  char name[MAP_NAME];
  for (uint32_t c = 0; c <= choices + 1; c++) {
    bool certain = c <= choices;
    uint32_t choice = c >= choices ? GLIMPSE_ANY : c;
    if (!put_series(out, map, choice, certain, number)) continue;
    text_print(plots, "%s$s%zu %s pt %d lc rgb '%s' title ", number ? ", " : "", number, using, certain ? 7 : 6,
               certain ? colours[c % (COLOURS - 1)] : colours[COLOURS - 1]);
    plotter_quote(plots, certain ? map_choice(map, choice, name) : "not certain");
    number++;
  }
}

/* The nodes of a policy over two states: all of them thin, and above them the best. */
static void put_lines(struct text *out, const struct map *map) {
  text_put(out, "$lines << EOD\n");
  for (uint32_t node = 0; node < map->policy->nodes; node++) {
    for (int s = 0; s < 2; s++) {
      text_print(out, "%d ", s);
      text_number(out, map->policy->values[(size_t)node * map->policy->states + (size_t)s]);
      text_put(out, "\n");
    }
    text_put(out, "\n");
  }
  text_put(out, "EOD\n");
}

/* Lines may go far down where another one is best: what matters is near the best. */
static void put_range(struct text *out, const struct map *map) {
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < map->count; i++) {
    low = fmin(low, map->items[i].cell.lower);
    high = fmax(high, map->items[i].cell.lower);
  }
  double height = high > low ? high - low : 1;
  text_put(out, "set yrange [");
  text_number(out, low - height);
  text_put(out, ":");
  text_number(out, high + height / 10);
  text_put(out, "]\n");
}

static void put_line(struct text *out, const struct map *map, const char *path) {
  struct text plots = {0};
  text_put(out, "$all << EOD\n");
  for (size_t i = 0; i < map->count; i++) {
    double numbers[] = {map->items[i].p[1], map->items[i].cell.lower, map->items[i].cell.upper};
    for (size_t k = 0; k < 3; k++) {
      text_number(out, numbers[k]);
      text_put(out, k < 2 ? " " : "\n");
    }
  }
  text_put(out, "EOD\n");
  if (map->policy) put_lines(out, map);
  put_choices(out, &plots, map, "using 1:(($3+$4)/2) with points ps 1");
  plotter_begin(out, path, WIDTH, HEIGHT);
  put_title(out, map);
  if (map->policy) put_range(out, map);
  text_put(out, "set tmargin 4\nset key outside right top Left reverse\nset xrange [-0.02:1.02]\nset offsets 0,0,graph "
                "0.05,graph 0.05\nset "
                "ylabel 'value'\nset xlabel ");
  struct text label = {0};
  text_print(&label, "probability of %s", glimpse_model_name(map->model, GLIMPSE_STATE, 1));
  plotter_quote(out, text_string(&label));
  text_put(out, map->policy
                    ? "\nplot $lines with lines lc rgb '#B0B0B0' lw 1 title 'each node', $all using 1:2 with lines lc "
                      "rgb '#404040' lw 2 title 'the best'"
                    : "\nplot $all using 1:2:3 with filledcurves fc rgb '#D0D0D0' fs solid title 'between bounds', '' "
                      "using 1:2 with lines lc rgb '#B0B0B0' lw 2 notitle, '' using 1:3 with lines lc rgb '#B0B0B0' lw "
                      "2 notitle");
  text_print(out, ", %s\n", text_string(&plots));
  out->failed |= plots.failed || label.failed;
  text_free(&plots);
  text_free(&label);
}

static void put_corner(struct text *out, int number, const char *name, double x, double y, const char *where) {
  text_print(out, "set label %d ", number);
  plotter_quote(out, name);
  text_put(out, " at ");
  text_number(out, x);
  text_put(out, ",");
  text_number(out, y);
  text_print(out, " %s\n", where);
}

static void put_triangle(struct text *out, const struct map *map, const char *path) {
  struct text plots = {0};
  double size = fmin(2.2, 50.0 / map->points);
  struct text using = {0};
  text_put(&using, "using 1:2 with points ps ");
  text_number(&using, size);
  put_choices(out, &plots, map, text_string(&using));
  text_put(out, "$all << EOD\n");
  for (size_t i = 0; i < map->count; i++) {
    const struct map_item *item = &map->items[i];
    double numbers[] = {item->p[1] + item->p[2] / 2, item->p[2] * sqrt(0.75), middle(&item->cell)};
    for (size_t k = 0; k < 3; k++) {
      text_number(out, numbers[k]);
      text_put(out, k < 2 ? " " : "\n");
    }
  }
  text_put(out, "EOD\n");
  plotter_begin(out, path, WIDTH, HEIGHT);
  put_title(out, map);
  text_put(out, "set multiplot\nunset border\nunset tics\nunset grid\nset size ratio 0.87\nset xrange [-0.1:1.1]\n"
                "set yrange [-0.12:1]\nset tmargin at screen 0.9\nset bmargin at screen 0.17\n"
                "set lmargin at screen 0.02\nset rmargin at screen 0.43\n");
  put_corner(out, 11, glimpse_model_name(map->model, GLIMPSE_STATE, 0), 0, -0.07, "center");
  put_corner(out, 12, glimpse_model_name(map->model, GLIMPSE_STATE, 1), 1, -0.07, "center");
  put_corner(out, 13, glimpse_model_name(map->model, GLIMPSE_STATE, 2), 0.5, 0.93, "center");
  text_print(out, "set key at screen 0.225,0.09 center center horizontal Left reverse\nplot %s\nunset label 1\n",
             text_string(&plots));
  text_put(out, "unset key\nset lmargin at screen 0.45\nset rmargin at screen 0.86\nset colorbox\n"
                "set palette defined (0 '#440154', 1 '#3B528B', 2 '#21918C', 3 '#5EC962', 4 '#FDE725')\n"
                "set cblabel 'value");
  text_put(out, map->policy ? "" : ", middle of its bounds");
  text_put(out, "'\nset cbtics\nplot $all using 1:2:3 with points pt 7 ps ");
  text_number(out, size);
  text_put(out, " palette\nunset multiplot\n");
  out->failed |= plots.failed || using.failed;
  text_free(&plots);
  text_free(&using);
}

/* Names that are directions become arrows. */
static const char *short_name(const struct map *map, const struct map_cell *cell, char text[16]) {
  static const char *const names[] = {"up", "north", "down", "south", "left", "west", "right", "east"};
  static const char *const arrows[] = {"\u2191", "\u2191", "\u2193", "\u2193", "\u2190", "\u2190", "\u2192", "\u2192"};
  char whole[MAP_NAME];
  glimpse_prospect meaning = map_meaning(map, cell->choice);
  const char *inquiry = glimpse_model_inquiry(map->model, meaning.move.inquiry).name;
  const char *name = meaning.ask && inquiry ? inquiry : map_choice(map, cell->choice, whole);
  if (!cell->certain) return "?";
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(name, names[i])) return arrows[i];
  snprintf(text, 16, "%.6s", name);
  return text;
}

static void put_group(struct text *out, const struct map *map, uint32_t group) {
  char title[120], text[16];
  int number = 1;
  map_group_text(map, group, title, sizeof title);
  text_put(out, "unset label\nset title ");
  plotter_quote(out, title);
  text_put(out, " font ',10' offset 0,-0.5\n$cells << EOD\n");
  for (size_t i = 0; i < map->count; i++) {
    const struct map_item *item = &map->items[i];
    if (item->group != group) continue;
    text_print(out, "%u %u ", item->column, item->row);
    text_number(out, middle(&item->cell));
    text_put(out, "\n");
  }
  text_put(out, "EOD\n");
  for (size_t i = 0; i < map->count; i++) {
    const struct map_item *item = &map->items[i];
    if (item->group != group) continue;
    text_print(out, "set label %d ", number++);
    plotter_quote(out, short_name(map, &item->cell, text));
    text_print(out, " at %u,%u center front textcolor rgb 'white'\n", item->column, item->row);
  }
  text_put(out, "plot $walls using 1:2:(0.5):(0.5) with boxxyerror fs solid noborder fc rgb '#E4E4E4', $cells using "
                "1:2:(0.5):(0.5):3 with boxxyerror fs solid border rgb 'white' lc palette\n");
}

static void put_walls(struct text *out, const glimpse_scene *scene) {
  text_put(out, "$walls << EOD\n-9 -9\n");
  for (unsigned row = 0; row < scene->rows; row++)
    for (unsigned column = 0; column < scene->columns; column++)
      if (scene->background[(size_t)row * scene->columns + column] == '#') text_print(out, "%u %u\n", column, row);
  text_put(out, "EOD\n");
}

/* Smallest and largest value of the first pictures, for the colours of all. */
static void put_colours(struct text *out, const struct map *map, uint32_t panels) {
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < map->count; i++) {
    if (map->items[i].group >= panels) continue;
    low = fmin(low, middle(&map->items[i].cell));
    high = fmax(high, middle(&map->items[i].cell));
  }
  text_put(out, "set palette defined (0 '#440154', 1 '#3B528B', 2 '#21918C', 3 '#4AA55A', 4 '#B8A02A')\nset cbrange [");
  text_number(out, low);
  text_put(out, ":");
  text_number(out, high > low ? high : low + 1);
  text_put(out, "]\n");
}

static void put_grid(struct text *out, const struct map *map, const char *path) {
  const glimpse_scene *scene = glimpse_model_scene(map->model);
  uint32_t panels = map->groups < PANELS ? map->groups : PANELS;
  uint32_t columns = panels < 4 ? panels : panels < 7 ? 3 : 4, rows = columns ? (panels + columns - 1) / columns : 1;
  /* Cells of at least 26 pixels. */
  double cell = fmax(26, fmin(60, 230.0 / fmax(scene->rows, scene->columns)));
  double wide = fmax(cell * scene->columns, 190) + 20, high = cell * scene->rows + 50;
  double width = columns * wide + 110, height = rows * high + 70;
  struct text title = {0};
  text_print(&title, map->policy ? "What a policy is worth: %s" : "Value and best choice: %s", map->name);
  put_walls(out, scene);
  plotter_begin(out, path, (int)width, (int)height);
  text_put(out, "set multiplot title ");
  plotter_quote(out, text_string(&title));
  text_print(out, " font ',14' layout %lu,%lu margins 0.05,", (unsigned long)rows, (unsigned long)columns);
  text_fixed(out, 1 - 100 / width, 3);
  text_put(out, ",0.02,");
  text_fixed(out, 1 - 90 / height, 3);
  text_put(out, " spacing ");
  text_fixed(out, 20 / width, 3);
  text_put(out, ",");
  text_fixed(out, 50 / height, 3);
  text_print(out,
             "\nunset border\nunset tics\nunset grid\nunset key\nset size ratio -1\nset xrange [-0.6:%lu-0.4]\nset "
             "yrange [%lu-0.4:-0.6]\nset colorbox user origin ",
             (unsigned long)scene->columns, (unsigned long)scene->rows);
  text_fixed(out, 1 - 80 / width, 3);
  text_put(out, ",0.1 size ");
  text_fixed(out, 14 / width, 3);
  text_put(out, ",0.7\nset cbtics\n");
  put_colours(out, map, panels);
  for (uint32_t group = 0; group < panels; group++) {
    if (group == 1) text_put(out, "unset colorbox\n");
    put_group(out, map, group);
  }
  text_put(out, "unset multiplot\n");
  out->failed |= title.failed;
  text_free(&title);
}

static void put_list(struct text *out, const struct map *map, const char *path) {
  text_put(out, "$all << EOD\n");
  for (size_t i = 0; i < map->count; i++) {
    double numbers[] = {(double)i, middle(&map->items[i].cell), map->items[i].cell.lower, map->items[i].cell.upper};
    for (size_t k = 0; k < 4; k++) {
      text_number(out, numbers[k]);
      text_put(out, k < 3 ? " " : "\n");
    }
  }
  text_put(out, "EOD\n");
  plotter_begin(out, path, WIDTH, HEIGHT);
  put_title(out, map);
  text_put(out, "set tmargin 4\nunset key\nset ylabel 'value of the known state'\nset offsets 0.5,0.5,graph 0.05,graph "
                "0.05\nset xtics rotate by 30 right (");
  for (size_t i = 0; i < map->count; i++) {
    if (map->count > 40 && i % (map->count / 20)) continue;
    if (i) text_put(out, ", ");
    struct text label = {0};
    char name[MAP_NAME];
    text_print(&label, "%s: %s%s", glimpse_model_name(map->model, GLIMPSE_STATE, map->items[i].state),
               map_choice(map, map->items[i].cell.choice, name), map->items[i].cell.certain ? "" : "?");
    plotter_quote(out, text_string(&label));
    text_print(out, " %zu", i);
    out->failed |= label.failed;
    text_free(&label);
  }
  text_put(out, ")\nplot $all using 1:2:3:4 with yerrorbars pt 7 lc rgb '#0072B2'\n");
}

bool map_plot(const struct map *map, const char *path, complaint *why) {
  struct text out = {0};
  switch (map->kind) {
    case MAP_LINE: put_line(&out, map, path); break;
    case MAP_TRIANGLE: put_triangle(&out, map, path); break;
    case MAP_GRID: put_grid(&out, map, path); break;
    case MAP_LIST: put_list(&out, map, path); break;
  }
  text_put(&out, "unset output\n");
  bool good = plotter_draw(path, &out, why);
  text_free(&out);
  return good;
}
