/* Map: see map.h. */
#include "map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/reasons.h"

/* ---------------------------------------------------------------- which beliefs */

static bool reserve(struct map *map, size_t count) {
  map->items = calloc(count ? count : 1, sizeof *map->items);
  return map->items;
}

static bool begin_line(struct map *map) {
  if (!reserve(map, map->points)) return false;
  for (unsigned i = 0; i < map->points; i++) {
    double p = (double)i / (map->points - 1);
    map->items[map->count++] = (struct map_item){.p = {1 - p, p}, .column = i};
  }
  return true;
}

/* The third state at the top, the first at the left. */
static bool begin_triangle(struct map *map) {
  unsigned last = map->points - 1;
  if (!reserve(map, (size_t)map->points * (map->points + 1) / 2)) return false;
  for (unsigned row = 0; row <= last; row++)
    for (unsigned column = 0; column <= row; column++) {
      double top = (double)(last - row) / last, right = (double)column / last, left = (double)(row - column) / last;
      map->items[map->count++] = (struct map_item){.p = {left, right, top}, .row = row, .column = column};
    }
  return true;
}

static uint32_t cell_of(const struct map *map, uint32_t layer, uint32_t s) {
  return glimpse_model_scene(map->model)->cells[(size_t)layer * glimpse_model_count(map->model, GLIMPSE_STATE) + s];
}

static bool on_grid(const struct map *map, uint32_t cell) {
  const glimpse_scene *scene = glimpse_model_scene(map->model);
  return cell < scene->rows * scene->columns;
}

/* The layer that is in most cells: what moves. */
static uint32_t find_layer(const struct map *map) {
  const glimpse_scene *scene = glimpse_model_scene(map->model);
  uint32_t best = 0, most = 0, states = glimpse_model_count(map->model, GLIMPSE_STATE);
  size_t cells = (size_t)scene->rows * scene->columns;
  char *seen = calloc(cells, 1);
  for (uint32_t layer = 0; seen && layer < scene->layers; layer++) {
    uint32_t count = 0;
    memset(seen, 0, cells);
    for (uint32_t s = 0; s < states; s++) {
      uint32_t cell = cell_of(map, layer, s);
      if (on_grid(map, cell) && !seen[cell]) seen[cell] = 1, count++;
    }
    if (count > most) most = count, best = layer;
  }
  free(seen);
  return best;
}

/* Do all other layers agree? */
static bool same_group(const struct map *map, uint32_t s, uint32_t other) {
  for (uint32_t layer = 0; layer < glimpse_model_scene(map->model)->layers; layer++)
    if (layer != map->layer && cell_of(map, layer, s) != cell_of(map, layer, other)) return false;
  return true;
}

static bool begin_grid(struct map *map, uint32_t top) {
  uint32_t states = glimpse_model_count(map->model, GLIMPSE_STATE), columns = glimpse_model_scene(map->model)->columns;
  uint32_t *first = calloc(states ? states : 1, sizeof *first), groups = 0; /* a state of each group */
  bool good = reserve(map, states) && first;
  map->layer = find_layer(map);
  for (uint32_t s = 0; good && s < states; s++) {
    uint32_t cell = cell_of(map, map->layer, s), group = 0;
    if (!on_grid(map, cell) || glimpse_model_terminal(map->model, s)) continue;
    while (group < groups && !same_group(map, s, first[group])) group++;
    if (group == groups) first[groups++] = s;
    if (group >= top) continue;
    map->items[map->count++] =
        (struct map_item){.state = s, .group = group, .row = cell / columns, .column = cell % columns};
  }
  map->groups = groups < top ? groups : top;
  map->more = groups - map->groups;
  free(first);
  return good;
}

static bool begin_list(struct map *map, uint32_t top) {
  uint32_t states = glimpse_model_count(map->model, GLIMPSE_STATE), count = states < top ? states : top;
  if (!reserve(map, count)) return false;
  for (uint32_t s = 0; s < count; s++) map->items[map->count++] = (struct map_item){.state = s};
  map->more = states - count;
  return true;
}

bool map_begin(struct map *map, const glimpse_model *model, const char *name, unsigned points, uint32_t top) {
  uint32_t states = glimpse_model_count(model, GLIMPSE_STATE);
  *map = (struct map){.model = model, .name = name, .points = points};
  map->kind = glimpse_model_scene(model) ? MAP_GRID : states == 2 ? MAP_LINE : states == 3 ? MAP_TRIANGLE : MAP_LIST;
  switch (map->kind) {
    case MAP_LINE: return begin_line(map);
    case MAP_TRIANGLE: return begin_triangle(map);
    case MAP_GRID: return begin_grid(map, top);
    case MAP_LIST: break;
  }
  return begin_list(map, top);
}

void map_free(struct map *map) {
  free(map->items);
  *map = (struct map){0};
}

/* ------------------------------------------------------------------------ fill */

bool map_fill(struct map *map, map_function function, void *context, void (*shown)(size_t done, size_t all)) {
  for (size_t i = 0; i < map->count; i++) {
    struct map_item *item = &map->items[i];
    uint32_t index[3];
    double value[3];
    glimpse_row belief = {0, index, value};
    bool known = map->kind == MAP_GRID || map->kind == MAP_LIST;
    for (uint32_t s = 0; s < 3; s++) {
      double p = known ? !s : item->p[s];
      if (!(p > 0)) continue;
      index[belief.count] = known ? item->state : s;
      value[belief.count++] = p;
    }
    if (!function(context, belief, &item->cell)) return false;
    if (shown) shown(i + 1, map->count);
  }
  return true;
}

/* ----------------------------------------------------------------------- names */

uint32_t map_choices(const struct map *map) {
  return glimpse_model_count(glimpse_model_planning(map->model), GLIMPSE_ACTION);
}

glimpse_prospect map_meaning(const struct map *map, uint32_t choice) {
  glimpse_move move = {GLIMPSE_ANY, GLIMPSE_ANY};
  if (choice != GLIMPSE_ANY) move = glimpse_planning_meaning(glimpse_model_planning(map->model), choice);
  return (glimpse_prospect){.move = move, .ask = move.action == GLIMPSE_ANY};
}

const char *map_choice(const struct map *map, uint32_t choice, char text[MAP_NAME]) {
  glimpse_prospect meaning = map_meaning(map, choice);
  reasons_name(map->model, &meaning, text, MAP_NAME);
  return text;
}

void map_group_text(const struct map *map, uint32_t group, char *text, size_t size) {
  const glimpse_scene *scene = glimpse_model_scene(map->model);
  size_t i = 0, used = 0;
  while (i < map->count && map->items[i].group != group) i++;
  *text = 0;
  for (uint32_t layer = 0; i < map->count && layer < scene->layers && used < size; layer++) {
    uint32_t cell = cell_of(map, layer, map->items[i].state);
    if (layer == map->layer || cell == GLIMPSE_ANY) continue;
    int more;
    if (on_grid(map, cell))
      more = snprintf(text + used, size - used, "%s%s at row %lu, column %lu", used ? "; " : "", scene->names[layer],
                      (unsigned long)(cell / scene->columns) + 1, (unsigned long)(cell % scene->columns) + 1);
    else
      more = snprintf(text + used, size - used, "%s%s %s", used ? "; " : "", scene->names[layer],
                      scene->place_names[cell - scene->rows * scene->columns]);
    used += more > 0 ? (size_t)more : 0;
  }
}
