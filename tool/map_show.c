/* Map: on the terminal, and as lists.
 *
 * A choice is a letter: an arrow where its name is that of a direction, otherwise a letter of its own.  What is not
 * certain is a question mark. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/range.h"
#include "decide.h"
#include "map.h"
#include "output.h"
#include "table.h"

enum { PLOT_ROWS = 12, UNSURE = '?', ASK = '!' };

/* -------------------------------------------------------------------- letters */

static char arrow_of(const char *name) {
  static const struct {
    const char *name;
    char mark;
  } arrows[] = {{"up", '^'},   {"north", '^'}, {"down", 'v'},  {"south", 'v'},
                {"left", '<'}, {"west", '<'},  {"right", '>'}, {"east", '>'}};
  for (size_t i = 0; i < sizeof arrows / sizeof *arrows; i++)
    if (!strcmp(name, arrows[i].name)) return arrows[i].mark;
  return 0;
}

/* An arrow; or the first letter of a name that is not taken, or of the alphabet. */
static char free_letter(const char *name, const char *taken) {
  static const char all[] = "abcdefghijklmnopqrstuwxyzABCDEFGHIJKLMNOPQRSTUWXYZ0123456789";
  if (arrow_of(name)) return arrow_of(name);
  for (const char *c = name; *c; c++)
    if (strchr(all, *c) && !strchr(taken, *c)) return *c;
  for (const char *c = all; *c; c++)
    if (!strchr(taken, *c)) return *c;
  return '#';
}

/* The letter of a choice, which no choice before it has; of an inquiry, alone or with an action, one of its name. */
static char letter_of(const struct map *map, uint32_t choice) {
  if (choice == GLIMPSE_ANY) return ASK;
  if (choice > 30) return '#'; /* nobody can tell so many apart */
  char taken[34] = "v";
  for (uint32_t c = 0; c <= choice; c++) {
    glimpse_move move = map_meaning(map, c).move;
    const char *inquiry = glimpse_model_inquiry(map->model, move.inquiry).name;
    const char *name = inquiry ? inquiry : glimpse_model_name(map->model, GLIMPSE_ACTION, move.action);
    taken[c + 1] = free_letter(name, taken);
  }
  return taken[choice + 1];
}

static char mark_of(const struct map *map, const struct map_cell *cell) {
  return (char)(cell->certain ? letter_of(map, cell->choice) : UNSURE);
}

static void show_legend(const struct map *map) {
  char line[400] = "";
  size_t used = 0;
  bool unsure = false;
  uint32_t choices = map_choices(map);
  char name[MAP_NAME];
  for (uint32_t c = 0; c <= choices; c++) {
    uint32_t choice = c == choices ? GLIMPSE_ANY : c;
    bool met = false;
    for (size_t i = 0; i < map->count; i++) {
      if (map->items[i].cell.certain && map->items[i].cell.choice == choice) met = true;
      if (!map->items[i].cell.certain) unsure = true;
    }
    if (!met || used > 300) continue;
    int more = snprintf(line + used, sizeof line - used, "%s%c %.60s", used ? ", " : "", letter_of(map, choice),
                        map_choice(map, choice, name));
    used += more > 0 ? (size_t)more : 0;
  }
  if (used) output_print("%s%s\n", line, unsure ? ", ? another choice may be better" : "");
  else output_print("? another choice may be better\n");
}

/* -------------------------------------------------------------------- pictures */

static void find_range(const struct map *map, uint32_t group, double *low, double *high) {
  *low = INFINITY;
  *high = -INFINITY;
  for (size_t i = 0; i < map->count; i++) {
    if (map->items[i].group != group) continue;
    *low = fmin(*low, map->items[i].cell.lower);
    *high = fmax(*high, map->items[i].cell.upper);
  }
}

static const char *state_name(const struct map *map, uint32_t s) {
  return glimpse_model_name(map->model, GLIMPSE_STATE, s);
}

/* Columns are beliefs; a bar goes from the lower to the upper bound. */
static void show_line(const struct map *map) {
  double low, high;
  find_range(map, 0, &low, &high);
  double step = high > low ? (high - low) / (PLOT_ROWS - 1) : 1;
  for (int row = 0; row < PLOT_ROWS; row++) {
    double level = high - row * step;
    output_print("%12.5g |", level);
    unsigned blanks = 0; /* not at the end of a line */
    for (size_t i = 0; i < map->count; i++) {
      const struct map_cell *cell = &map->items[i].cell;
      bool in = cell->lower < level + step / 2 && cell->upper >= level - step / 2;
      blanks += in ? 1 : 2;
      if (!in) continue;
      output_print("%*s%c", (int)blanks, "", cell->upper - cell->lower > step ? '|' : '*');
      blanks = 0;
    }
    output_print("\n");
  }
  output_print("      choice |");
  for (size_t i = 0; i < map->count; i++) output_print(" %c", mark_of(map, &map->items[i].cell));
  size_t width = 2 * map->count, used = strlen(state_name(map, 0)) + strlen(state_name(map, 1));
  output_print("\n              %s%*s%s\n\n", state_name(map, 0), (int)(width > used ? width - used : 1), "",
               state_name(map, 1));
}

static void show_triangle(const struct map *map) {
  int middle = (int)map->points;
  output_print("%*s%s\n", middle, "", state_name(map, 2));
  for (size_t i = 0; i < map->count; i++) {
    const struct map_item *item = &map->items[i];
    if (!item->column) output_print("%*s", middle - (int)item->row, "");
    output_print("%c%s", mark_of(map, &item->cell), item->column == item->row ? "\n" : " ");
  }
  size_t used = strlen(state_name(map, 0)), width = 2 * (size_t)map->points;
  output_print("%s%*s%s\n\n", state_name(map, 0), (int)(width > used ? width - used : 1), "", state_name(map, 1));
}

static void show_group(const struct map *map, uint32_t group) {
  const glimpse_scene *scene = glimpse_model_scene(map->model);
  char title[200], range[RANGE_TEXT];
  double low, high;
  map_group_text(map, group, title, sizeof title);
  find_range(map, group, &low, &high);
  output_print("%s%sworth %s\n", title, *title ? ": " : "", range_text(low, high, range));
  for (unsigned row = 0; row < scene->rows; row++) {
    for (unsigned column = 0; column < scene->columns; column++) {
      char mark = scene->background[(size_t)row * scene->columns + column];
      if (mark != '#') mark = mark == ' ' ? '.' : mark;
      for (size_t i = 0; i < map->count; i++) {
        const struct map_item *item = &map->items[i];
        if (item->group == group && item->row == row && item->column == column) mark = mark_of(map, &item->cell);
      }
      output_print("%s%c", column ? " " : "  ", mark);
    }
    output_print("\n");
  }
  output_print("\n");
}

static void show_states(const struct map *map) {
  struct table table = table_begin("lrl");
  char range[RANGE_TEXT], name[MAP_NAME];
  table_cell(&table, "state");
  table_cell(&table, "value");
  table_cell(&table, "choice");
  for (size_t i = 0; i < map->count; i++) {
    const struct map_item *item = &map->items[i];
    table_cell(&table, "%s", state_name(map, item->state));
    table_cell(&table, "%s", range_text(item->cell.lower, item->cell.upper, range));
    table_cell(&table, "%s%s", map_choice(map, item->cell.choice, name), item->cell.certain ? "" : "?");
  }
  table_end(&table, 0);
}

void map_show(const struct map *map) {
  char range[RANGE_TEXT];
  double low, high;
  switch (map->kind) {
    case MAP_LINE: show_line(map); break;
    case MAP_TRIANGLE: show_triangle(map); break;
    case MAP_GRID:
      for (uint32_t group = 0; group < map->groups; group++) show_group(map, group);
      break;
    case MAP_LIST: show_states(map); break;
  }
  if (map->kind != MAP_LIST) show_legend(map);
  find_range(map, 0, &low, &high);
  if (map->kind == MAP_TRIANGLE) output_print("Values from %s.\n", range_text(low, high, range));
  if (map->more)
    output_print("%lu more %s; --top shows more.\n", (unsigned long)map->more,
                 map->kind == MAP_GRID ? "pictures" : "states");
}

/* ---------------------------------------------------------------------- lists */

static void put_choice(const struct map *map, uint32_t choice, struct json *json) {
  glimpse_prospect meaning = map_meaning(map, choice);
  json_bool(json, "ask", meaning.ask);
  json_text(json, "action", glimpse_model_name(map->model, GLIMPSE_ACTION, meaning.move.action));
  if (glimpse_model_inquiries(map->model))
    json_text(json, "inquiry", glimpse_model_inquiry(map->model, meaning.move.inquiry).name);
}

static void put_vectors(const struct map_policy *policy, const struct map *map, struct json *json) {
  json_array(json, "vectors");
  for (uint32_t node = 0; node < policy->nodes; node++) {
    json_object(json, NULL);
    json_count(json, "node", node);
    put_choice(map, map_policy_choice(policy, node), json);
    json_array_flat(json, "values");
    for (uint32_t s = 0; s < glimpse_model_count(map->model, GLIMPSE_STATE); s++)
      json_number(json, NULL, policy->values[(size_t)node * policy->states + s]);
    json_close(json);
    json_close(json);
  }
  json_close(json);
}

void map_json(const struct map *map, struct json *json) {
  static const char *const kinds[] = {"line", "triangle", "grid", "list"};
  json_text(json, "map", kinds[map->kind]);
  json_count(json, "left_out", map->more);
  json_array(json, "points");
  for (size_t i = 0; i < map->count; i++) {
    const struct map_item *item = &map->items[i];
    json_object(json, NULL);
    if (map->kind == MAP_LINE || map->kind == MAP_TRIANGLE) {
      json_array_flat(json, "belief");
      for (int s = 0; s < (map->kind == MAP_LINE ? 2 : 3); s++) json_number(json, NULL, item->p[s]);
      json_close(json);
    } else json_text(json, "state", state_name(map, item->state));
    if (map->kind == MAP_GRID) {
      json_count(json, "picture", item->group);
      json_count(json, "row", item->row);
      json_count(json, "column", item->column);
    }
    json_number(json, "lower", item->cell.lower);
    json_number(json, "upper", item->cell.upper);
    put_choice(map, item->cell.choice, json);
    json_bool(json, "certain", item->cell.certain);
    if (map->policy) json_count(json, "node", item->cell.node);
    json_close(json);
  }
  json_close(json);
  if (map->policy) put_vectors(map->policy, map, json);
}

static void csv_number(double value) {
  char text[GLIMPSE_NUMBER_SIZE];
  glimpse_number_write(value, text);
  output_print("%s,", text);
}

void map_csv(const struct map *map) {
  bool mixed = map->kind == MAP_LINE || map->kind == MAP_TRIANGLE;
  uint32_t states = map->kind == MAP_LINE ? 2 : 3;
  if (!mixed) output_print(map->kind == MAP_GRID ? "state,picture,row,column," : "state,");
  for (uint32_t s = 0; mixed && s < states; s++) output_print("%s,", state_name(map, s));
  output_print(map->policy ? "lower,upper,choice,certain,node\n" : "lower,upper,choice,certain\n");
  for (size_t i = 0; i < map->count; i++) {
    const struct map_item *item = &map->items[i];
    for (uint32_t s = 0; mixed && s < states; s++) csv_number(item->p[s]);
    if (!mixed) output_print("%s,", state_name(map, item->state));
    if (map->kind == MAP_GRID) output_print("%lu,%u,%u,", (unsigned long)item->group, item->row, item->column);
    csv_number(item->cell.lower);
    csv_number(item->cell.upper);
    char name[MAP_NAME];
    output_print("%s,%d", map_choice(map, item->cell.choice, name), item->cell.certain);
    if (map->policy) output_print(",%lu", (unsigned long)item->cell.node);
    output_print("\n");
  }
}
