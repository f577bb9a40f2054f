/* Map: a function of beliefs over a set of them that can be drawn: a line for two states, a triangle for three, the
 * known states of a grid, or a list of known states. */
#ifndef MAP_H
#define MAP_H

#include "common/complaint.h"
#include "glimpse.h"
#include "json.h"

/* What is known of a belief. */
struct map_cell {
  double lower, upper;
  uint32_t choice; /* of the planning model: an action, an inquiry or both; GLIMPSE_ANY: ask for the state */
  uint32_t node;   /* of a policy: the best; else 0 */
  bool certain;    /* no other choice can be better by more than rounding */
};

/* What the nodes of a policy are worth. */
struct map_policy {
  const glimpse_policy *policy;
  const glimpse_model *model;
  uint32_t nodes, states;
  double *values; /* nodes x states */
};

/* Any function of beliefs; false: it failed, and has said so. */
typedef bool (*map_function)(void *context, glimpse_row belief, struct map_cell *cell);

enum map_kind { MAP_LINE, MAP_TRIANGLE, MAP_GRID, MAP_LIST };

/* A belief and its place. */
struct map_item {
  uint32_t state;       /* GRID, LIST: the known state */
  double p[3];          /* LINE, TRIANGLE: of the first states */
  uint32_t group;       /* GRID: which picture */
  unsigned row, column; /* GRID: the cell; TRIANGLE: from the top, and in the row */
  struct map_cell cell;
};

struct map {
  const glimpse_model *model;
  const char *name; /* of the model */
  enum map_kind kind;
  unsigned points;                 /* along an axis */
  uint32_t layer;                  /* GRID: the layer that moves */
  uint32_t groups;                 /* GRID: pictures */
  uint32_t more;                   /* GRID, LIST: pictures or states that were left out */
  const struct map_policy *policy; /* it is of a policy's nodes; NULL: of searches */
  struct map_item *items;
  size_t count;
};

/* Which beliefs there are; the cells are empty.  False: out of memory.  map_free is to be called in any case. */
bool map_begin(struct map *map, const glimpse_model *model, const char *name, unsigned points, uint32_t top);
void map_free(struct map *map);
/* Fills the cells, one by one; `shown`, if not NULL, hears how far it is. */
bool map_fill(struct map *map, map_function function, void *context, void (*shown)(size_t done, size_t all));

/* The values of a policy's nodes; map_policy_free is to be called in any case. */
glimpse_status map_policy_begin(struct map_policy *it, const glimpse_policy *policy, const glimpse_model *model,
                                glimpse_report *report);
void map_policy_free(struct map_policy *policy);
/* A map_function with a map_policy: the node that is worth most. */
bool map_policy_look(void *context, glimpse_row belief, struct map_cell *cell);
/* What a node does first, as in a map_cell, at a belief of the model. */
uint32_t map_policy_choice(const struct map_policy *policy, uint32_t node);
/* The nodes that are best somewhere on the map, ascending; most + 1: there are more. */
size_t map_policy_met(const struct map *map, uint32_t *nodes, size_t most);

enum { MAP_NAME = 200 };

/* How many choices there are, without asking for the state at a cost. */
uint32_t map_choices(const struct map *map);
/* What a choice means. */
glimpse_prospect map_meaning(const struct map *map, uint32_t choice);
/* The name of a choice, in `text`. */
const char *map_choice(const struct map *map, uint32_t choice, char text[MAP_NAME]);
/* What a picture of a grid holds still: "package at row 1, column 2".  The text ends with 0. */
void map_group_text(const struct map *map, uint32_t group, char *text, size_t size);

/* On the terminal, as lists, and as a file that gnuplot draws (false, with a complaint). */
void map_show(const struct map *map);
void map_json(const struct map *map, struct json *json);
void map_csv(const struct map *map);
bool map_plot(const struct map *map, const char *path, complaint *why);

#endif
