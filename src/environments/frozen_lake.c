/* Frozen lake: a square of ice with holes, to be crossed from the upper left to the
 * lower right corner without seeing.  The maps of sizes 4 and 8 and `slippery` are
 * those of OpenAI Gym; `semi`, random maps and the price are those of M. Krale,
 * T. D. Simao and N. Jansen, Act-Then-Measure (ICAPS 2023).
 *
 * A move against the wall stays.  Where a move leads depends on the kind:
 *
 *   det       one cell in its direction;
 *   semi      into a hole or the goal if that is the next cell; else one cell or, just
 *             as likely, two, the second step being judged from the first cell;
 *   slippery  one cell in its direction or to its left or right, with 1/3 each.
 *
 * The goal pays 1 and ends it, a hole ends it.  States are the cells of ice, row by
 * row, `hole` and `goal`.
 *
 * A random map of seed i is the one that NumPy 1 draws after random.seed(i): n x n
 * cells, row by row, ice where random_sample() < 0.8, with the corners overwritten; the
 * next n x n numbers are taken until the goal can be reached from the start by
 * steps to neighbours.  Four of five cells are ice, far above the 0.593 from which on
 * large maps are crossed, so that a few trials do. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "base/twister.h"
#include "environments/environment.h"

#define PARAMETERS(X)                                                                                                  \
  X(size, "4", WHOLE(2, 200), "rows and columns")                                                                      \
  X(seed, "-1", WHOLE(-1, 4294967295), "of a random map, or -1 for the standard map of size 4 or 8")                   \
  X(kind, "semi", CHOICE("det|semi|slippery"), "how the ice is")                                                       \
  X(c, "0.05", COST(), "price of a request")                                                                           \
  GLI_TIMING_PARAMETER(X)                                                                                              \
  X(gamma, "0.95", REAL(0, 1), "discount")

enum { PARAMETERS(GLI_PARAMETER_INDEX) };
static const glimpse_parameter shown[] = {PARAMETERS(GLI_PARAMETER_SHOWN){NULL, NULL, NULL}};
static const gli_parameter_range ranges[] = {PARAMETERS(GLI_PARAMETER_RANGE)};

enum { LEFT, DOWN, RIGHT, UP, ACTIONS }; /* neighbours in this order are a quarter turn apart */
enum { DET, SEMI, SLIPPERY };

static const char ice = ' ', hole = 'H', goal = 'G', begin = 'S';
static const double share = 0.8;

/* The picture has a wall around it: cell (row, column) is at (row+1)*(n+2)+column+1. */
typedef struct lake {
  uint32_t n, width, states;
  char *map;       /* (n+2)*(n+2) characters and a zero */
  uint32_t *state; /* of each place of the map; GLIMPSE_ANY: none */
  uint32_t *cells; /* where each state is on the map */
} lake;

static uint32_t beside(const lake *w, uint32_t at, int a) {
  uint32_t to = a == LEFT ? at - 1 : a == RIGHT ? at + 1 : a == UP ? at - w->width : at + w->width;
  return w->map[to] == '#' ? at : to;
}

static uint32_t first(const lake *w) {
  return w->width + 1;
}

static uint32_t last(const lake *w) {
  return w->n * w->width + w->n;
}

/* Can the goal be reached?  `state` and `cells` serve as marks and as a stack. */
static bool crossed(lake *w) {
  memset(w->state, 0, sizeof *w->state * w->width * w->width);
  uint32_t waiting = 0;
  w->cells[waiting++] = first(w);
  w->state[first(w)] = 1;
  while (waiting) {
    uint32_t at = w->cells[--waiting];
    if (at == last(w)) return true;
    for (int a = 0; a < ACTIONS; a++) {
      uint32_t to = beside(w, at, a);
      if (w->map[to] == hole || w->state[to]) continue;
      w->state[to] = 1;
      w->cells[waiting++] = to;
    }
  }
  return false;
}

static void draw(lake *w, uint32_t seed) {
  gli_twister twister;
  gli_twister_seed(&twister, seed);
  do {
    for (uint32_t row = 1; row <= w->n; row++)
      for (uint32_t column = 1; column <= w->n; column++)
        w->map[row * w->width + column] = gli_twister_unit(&twister) < share ? ice : hole;
    w->map[first(w)] = begin;
    w->map[last(w)] = goal;
  } while (!crossed(w));
}

static void copy(lake *w) {
  static const char small[] = "S    H H   HH  G";
  static const char large[] = "S                  H         H     H     HH   H  H  H H    H   G";
  const char *map = w->n == 4 ? small : large;
  for (size_t row = 0; row < w->n; row++) memcpy(w->map + (row + 1) * w->width + 1, map + row * w->n, w->n);
}

static bool is_over(const lake *w, uint32_t at) {
  return w->map[at] == hole || w->map[at] == goal;
}

/* The places to which action a leads, with the probability of each; returns their number. */
static int lead(const lake *w, int kind, uint32_t at, int a, uint32_t to[3], double *p) {
  to[0] = beside(w, at, a);
  *p = 1;
  if (kind == DET || (kind == SEMI && is_over(w, to[0]))) return 1;
  if (kind == SEMI) {
    to[1] = beside(w, to[0], a);
    *p = 0.5;
    return 2;
  }
  to[1] = beside(w, at, (a + 1) % ACTIONS);
  to[2] = beside(w, at, (a + 3) % ACTIONS);
  *p = 1.0 / 3;
  return 3;
}

static void add_step(glimpse_builder *builder, const lake *w, int kind, uint32_t s, int a) {
  uint32_t to[3], fallen = w->states - 2, arrived = w->states - 1;
  double p, next[3] = {0};
  int count = lead(w, kind, w->cells[s], a, to, &p);
  for (int i = 0; i < count; i++) {
    uint32_t s2 = w->map[to[i]] == goal ? arrived : w->map[to[i]] == hole ? fallen : w->state[to[i]];
    int same = 0;
    while (same < i && to[same] != s2) same++;
    to[i] = GLIMPSE_ANY; /* from here on these are states */
    to[same] = s2;
    next[same] += p;
  }
  for (int i = 0; i < count; i++) {
    if (to[i] == GLIMPSE_ANY) continue;
    glimpse_builder_transition(builder, (uint32_t)a, s, to[i], next[i]);
    if (to[i] == arrived) glimpse_builder_reward(builder, (uint32_t)a, s, arrived, GLIMPSE_ANY, 1);
  }
}

static void number_cells(lake *w) {
  w->states = 0;
  for (uint32_t at = 0; at < w->width * w->width; at++) {
    bool is_state = w->map[at] == ice || w->map[at] == begin;
    w->state[at] = is_state ? w->states : GLIMPSE_ANY;
    if (is_state) w->cells[w->states++] = at;
  }
  w->cells[w->states++] = w->width * w->width; /* the places of the two ends */
  w->cells[w->states++] = w->width * w->width + 1;
}

static void add_rules(glimpse_builder *builder, const lake *w, const double *value) {
  static const char *const actions[] = {"left", "down", "right", "up"};
  gli_environment_names(builder, GLIMPSE_ACTION, actions, ACTIONS);
  glimpse_builder_discount(builder, value[KEY_gamma]);
  gli_environment_ask(builder, (int)value[KEY_timing], value[KEY_c]);
  glimpse_builder_start(builder, 0, 1);
  glimpse_builder_name(builder, GLIMPSE_STATE, w->states - 2, "hole");
  glimpse_builder_name(builder, GLIMPSE_STATE, w->states - 1, "goal");
  for (uint32_t s = 0; s + 2 < w->states; s++) {
    char name[32];
    snprintf(name, sizeof name, "r%uc%u", (unsigned)(w->cells[s] / w->width), (unsigned)(w->cells[s] % w->width));
    glimpse_builder_name(builder, GLIMPSE_STATE, s, name);
    for (int a = 0; a < ACTIONS; a++) add_step(builder, w, (int)value[KEY_kind], s, a);
  }
}

static glimpse_status make(const double *value, glimpse_report *report, glimpse_model **model) {
  static const char *const names[] = {"walker"}, *const places[] = {"in a hole", "at the goal"};
  *model = NULL;
  uint32_t n = (uint32_t)value[KEY_size], width = n + 2;
  bool standard = value[KEY_seed] < 0;
  if (standard && n != 4 && n != 8)
    return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT,
                    "there are standard maps of size 4 and 8 only; for size %u give a seed, such as seed=0",
                    (unsigned)n);
  size_t places_on_map = (size_t)width * width;
  lake w = {n,
            width,
            0,
            gli_memory_new(places_on_map + 1, 1),
            GLI_NEW(uint32_t, places_on_map),
            GLI_NEW(uint32_t, places_on_map)};
  glimpse_builder *builder = NULL;
  if (w.map && w.state && w.cells) {
    memset(w.map, '#', places_on_map);
    if (standard) copy(&w);
    else draw(&w, (uint32_t)value[KEY_seed]);
    number_cells(&w);
    builder = gli_environment_unseen(w.states, ACTIONS, w.states - 2);
    if (builder) add_rules(builder, &w, value);
  }
  glimpse_scene scene = {.rows = width,
                         .columns = width,
                         .background = w.map,
                         .legend = "S start, H hole, G goal",
                         .layers = 1,
                         .marks = "W",
                         .names = names,
                         .cells = w.cells,
                         .places = 2,
                         .place_names = places};
  glimpse_status status = gli_environment_finish(builder, &scene, report, model);
  gli_memory_free(w.map);
  gli_memory_free(w.state);
  gli_memory_free(w.cells);
  return status;
}

const gli_environment gli_environment_frozen_lake = {
    {"frozen-lake", "ice with holes, crossed without seeing: standard and random maps (Gym, ATM)", shown},
    ranges,
    make};
