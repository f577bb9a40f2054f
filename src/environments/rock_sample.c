/* RockSample(n, k): a rover on an n x n grid with k rocks, each good or bad.
 *
 * It pays 10 to sample a good rock (which is bad afterwards) and to leave the
 * grid on the right side, -10 to sample a bad one.  Checking rock i tells its
 * quality rightly with probability (1 + 2^(-d/d0)) / 2 at a distance of d cells,
 * d0 being the distance at which the sensor is half as efficient.  All else is
 * free, and everything but the sensor is certain.  Leaving the grid on another
 * side, or sampling where no rock lies, costs 100 and ends the episode.
 *
 * State number (x n + y) 2^k + quality, rock 1 the highest bit, and the last one
 * is the end: n^2 2^k + 1.  Cells are (x, y) from the lower left corner.  Rules,
 * numbering, and the maps of the sizes in the table below are those of the
 * literature (Smith and Simmons, 2004, and the files that followed); for other
 * sizes see place_rocks.
 *
 * With requests: T is deterministic, so that one request is enough for ever and
 * V lies between QMDP - c and QMDP.  That is why the paper does not use it. */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/report.h"
#include "environments/environment.h"

#define PARAMETERS(X)                                                                                                  \
  X(n, "4", WHOLE(1, 15), "rows and columns")                                                                          \
  X(k, "4", WHOLE(1, 12), "rocks, at most n*n")                                                                        \
  X(d0, "20", REAL(0.01, 1000000), "distance in cells at which the sensor is half as efficient")                       \
  X(c, "1", COST(), "price of a request")                                                                              \
  X(gamma, "0.95", REAL(0, 1), "discount")

enum { PARAMETERS(GLI_PARAMETER_INDEX) };
static const glimpse_parameter shown[] = {PARAMETERS(GLI_PARAMETER_SHOWN){NULL, NULL, NULL}};
static const gli_parameter_range ranges[] = {PARAMETERS(GLI_PARAMETER_RANGE)};

enum { ROCKS_MAX = 12, NORTH = 0, EAST, SOUTH, WEST, CHECK }; /* CHECK + i checks rock i, the last action samples */
enum { GOOD, BAD, OBSERVATIONS };
static const int step_x[CHECK] = {0, 1, 0, -1}, step_y[CHECK] = {1, 0, -1, 0};

typedef struct spot {
  int x, y;
} spot;

/* Maps of the literature.  The start is always (0, n/2). */
typedef struct map {
  uint32_t n, k;
  spot rocks[ROCKS_MAX];
} map;

static const map maps[] = {
    {4, 4, {{3, 1}, {2, 1}, {1, 3}, {1, 0}}},
    {5, 5, {{2, 4}, {0, 4}, {3, 3}, {2, 2}, {4, 1}}},
    {5, 7, {{1, 0}, {2, 1}, {1, 2}, {2, 2}, {4, 2}, {0, 3}, {3, 4}}},
    {7, 8, {{2, 0}, {0, 1}, {3, 1}, {6, 3}, {2, 4}, {3, 4}, {5, 5}, {1, 6}}},
    {10, 10, {{0, 3}, {0, 7}, {1, 8}, {3, 3}, {3, 8}, {4, 3}, {5, 8}, {6, 1}, {9, 3}, {9, 9}}},
    {11, 11, {{0, 3}, {0, 7}, {1, 8}, {2, 4}, {3, 3}, {3, 8}, {4, 3}, {5, 8}, {6, 1}, {9, 3}, {9, 9}}},
};

typedef struct world {
  uint32_t n, k, qualities; /* 2^k */
  uint32_t actions, end, states;
  double d0;
  spot rocks[ROCKS_MAX];
} world;

/* Other sizes: rock i, from 0, lies on the cell number (i + 1) g mod n^2, counted along rows from the lower
 * left corner.  g is the first number from 0.618 n^2 on without a common divisor with n^2, so that no two
 * rocks meet (k <= n^2) and they are spread evenly, as multiples of the golden ratio are. */
static void place_rocks(world *w) {
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
    if (maps[i].n != w->n || maps[i].k != w->k) continue;
    for (uint32_t rock = 0; rock < w->k; rock++) w->rocks[rock] = maps[i].rocks[rock];
    return;
  }
  uint32_t cells = w->n * w->n, g = (618 * cells + 999) / 1000;
  for (;; g++) { /* ends: cells + 1 has no common divisor with cells */
    uint32_t a = cells, b = g;
    while (b) {
      uint32_t rest = a % b;
      a = b;
      b = rest;
    }
    if (a == 1) break;
  }
  for (uint32_t rock = 0; rock < w->k; rock++) {
    uint32_t cell = (rock + 1) * g % cells;
    w->rocks[rock] = (spot){(int)(cell % w->n), (int)(cell / w->n)};
  }
}

static world world_make(const double *value) {
  world w = {.n = (uint32_t)value[KEY_n], .k = (uint32_t)value[KEY_k], .d0 = value[KEY_d0]};
  w.qualities = (uint32_t)1 << w.k;
  w.actions = CHECK + w.k + 1;
  w.end = w.n * w.n * w.qualities;
  w.states = w.end + 1;
  return w;
}

static bool is_good(const world *w, uint32_t quality, uint32_t rock) {
  return quality >> (w->k - 1 - rock) & 1;
}

/* 2^-x for x >= 0 by the series of exp, whose bits, other than those of the C
 * library's, are the same on every machine. */
static double half_power(double x) {
  double whole = floor(x), y = -(x - whole) * 0.69314718055994531, sum = 1;
  if (whole > 1000) return 0;
  for (int i = 20; i > 0; i--) sum = 1 + sum * y / i;
  return ldexp(sum, -(int)whole);
}

/* ---- rules ---- */

static void add_outcome(glimpse_builder *builder, uint32_t a, uint32_t s, uint32_t s2, double r) {
  glimpse_builder_transition(builder, a, s, s2, 1);
  if (r != 0) glimpse_builder_reward(builder, a, s, GLIMPSE_ANY, GLIMPSE_ANY, r);
}

static void add_moves(glimpse_builder *builder, const world *w, int x, int y, uint32_t quality) {
  int n = (int)w->n;
  uint32_t s = (uint32_t)(x * n + y) * w->qualities + quality;
  for (uint32_t a = 0; a < CHECK; a++) {
    int x2 = x + step_x[a], y2 = y + step_y[a];
    if (x2 >= n) add_outcome(builder, a, s, w->end, 10);
    else if (x2 < 0 || y2 < 0 || y2 >= n) add_outcome(builder, a, s, w->end, -100);
    else add_outcome(builder, a, s, (uint32_t)(x2 * n + y2) * w->qualities + quality, 0);
  }
}

static void add_sample(glimpse_builder *builder, const world *w, int x, int y, uint32_t quality) {
  uint32_t s = (uint32_t)(x * (int)w->n + y) * w->qualities + quality, sample = w->actions - 1, rock = 0;
  while (rock < w->k && (w->rocks[rock].x != x || w->rocks[rock].y != y)) rock++;
  if (rock == w->k) {
    add_outcome(builder, sample, s, w->end, -100);
  } else {
    bool good = is_good(w, quality, rock);
    uint32_t bit = (uint32_t)1 << (w->k - 1 - rock);
    add_outcome(builder, sample, s, good ? s - bit : s, good ? 10 : -10);
  }
}

/* Actions other than checks always show `good`. */
static void add_rules(glimpse_builder *builder, const world *w) {
  for (uint32_t cell = 0; cell < w->n * w->n; cell++) {
    int x = (int)(cell / w->n), y = (int)(cell % w->n);
    double right[ROCKS_MAX] = {0};
    for (uint32_t rock = 0; rock < w->k; rock++) {
      int dx = x - w->rocks[rock].x, dy = y - w->rocks[rock].y;
      right[rock] = 0.5 + 0.5 * half_power(sqrt((double)(dx * dx + dy * dy)) / w->d0);
    }
    for (uint32_t quality = 0; quality < w->qualities; quality++) {
      uint32_t s = cell * w->qualities + quality;
      add_moves(builder, w, x, y, quality);
      add_sample(builder, w, x, y, quality);
      for (uint32_t a = 0; a < w->actions; a++) {
        uint32_t rock = a - CHECK;
        if (a < CHECK || rock == w->k) {
          glimpse_builder_observation(builder, a, s, GOOD, 1);
          continue;
        }
        glimpse_builder_transition(builder, a, s, s, 1);
        uint32_t truth = is_good(w, quality, rock) ? GOOD : BAD;
        glimpse_builder_observation(builder, a, s, truth, right[rock]);
        if (right[rock] < 1) glimpse_builder_observation(builder, a, s, truth == GOOD ? BAD : GOOD, 1 - right[rock]);
      }
    }
  }
  glimpse_builder_transition(builder, GLIMPSE_ANY, w->end, w->end, 1);
  glimpse_builder_observation(builder, GLIMPSE_ANY, w->end, GOOD, 1);
  for (uint32_t quality = 0; quality < w->qualities; quality++)
    glimpse_builder_start(builder, w->n / 2 * w->qualities + quality, 1.0 / w->qualities);
}

/* x0y2-gbgb: the rover at (0, 2), rocks 1 and 3 good, 2 and 4 bad. */
static void add_names(glimpse_builder *builder, const world *w) {
  static const char *const moves[CHECK] = {"north", "east", "south", "west"};
  static const char *const observations[OBSERVATIONS] = {"good", "bad"};
  gli_environment_names(builder, GLIMPSE_ACTION, moves, CHECK);
  gli_environment_names(builder, GLIMPSE_OBSERVATION, observations, OBSERVATIONS);
  char name[48];
  for (uint32_t rock = 0; rock < w->k; rock++) {
    snprintf(name, sizeof name, "check%u", (unsigned)(rock + 1));
    glimpse_builder_name(builder, GLIMPSE_ACTION, CHECK + rock, name);
  }
  glimpse_builder_name(builder, GLIMPSE_ACTION, w->actions - 1, "sample");
  for (uint32_t s = 0; s < w->end; s++) {
    uint32_t cell = s / w->qualities;
    char letters[ROCKS_MAX + 1] = "";
    for (uint32_t rock = 0; rock < w->k; rock++) letters[rock] = is_good(w, s % w->qualities, rock) ? 'g' : 'b';
    snprintf(name, sizeof name, "x%uy%u-%s", (unsigned)(cell / w->n), (unsigned)(cell % w->n), letters);
    glimpse_builder_name(builder, GLIMPSE_STATE, s, name);
  }
  glimpse_builder_name(builder, GLIMPSE_STATE, w->end, "end");
}

/* ---- how it looks: walls around, but open to the exit on the right; good rocks are marks, bad ones background ---- */

static uint32_t place(const world *w, int x, int y) {
  return (w->n - (uint32_t)y) * (w->n + 2) + (uint32_t)x + 1;
}

static void fill_picture(const world *w, char *background, uint32_t *cells) {
  uint32_t n = w->n, size = (n + 2) * (n + 2);
  for (uint32_t i = 0; i < size; i++) background[i] = '#';
  for (int x = 0; x < (int)n; x++)
    for (int y = 0; y < (int)n; y++) background[place(w, x, y)] = ' ';
  for (int y = 0; y < (int)n; y++) background[place(w, (int)n, y)] = 'E';
  for (uint32_t rock = 0; rock < w->k; rock++) background[place(w, w->rocks[rock].x, w->rocks[rock].y)] = 'o';
  uint32_t s = 0;
  for (int x = 0; x < (int)n; x++)
    for (int y = 0; y < (int)n; y++)
      for (uint32_t quality = 0; quality < w->qualities; quality++, s++) {
        cells[s] = place(w, x, y);
        for (uint32_t rock = 0; rock < w->k; rock++)
          cells[(size_t)(rock + 1) * w->states + s] =
              is_good(w, quality, rock) ? place(w, w->rocks[rock].x, w->rocks[rock].y) : GLIMPSE_ANY;
      }
  cells[w->end] = size; /* it has left, or was lost */
  for (uint32_t rock = 0; rock < w->k; rock++) cells[(size_t)(rock + 1) * w->states + w->end] = GLIMPSE_ANY;
}

static glimpse_status make(const double *value, glimpse_report *report, glimpse_model **model) {
  *model = NULL;
  world w = world_make(value);
  if (w.k > w.n * w.n)
    return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT, "k must be at most n*n = %u for n=%u, not '%u'",
                    (unsigned)(w.n * w.n), (unsigned)w.n, (unsigned)w.k);
  place_rocks(&w);
  const char *names[ROCKS_MAX + 1] = {"rover"}, *const places[] = {"gone"};
  char marks[ROCKS_MAX + 2] = "R";
  for (uint32_t rock = 0; rock < w.k; rock++) {
    names[rock + 1] = "good rock"; /* the same name: drawn into one picture */
    marks[rock + 1] = 'G';
  }
  uint32_t side = w.n + 2, size = side * side;
  char *background = GLI_NEW(char, size + 1);
  uint32_t *cells = GLI_NEW(uint32_t, (size_t)(w.k + 1) * w.states);
  glimpse_status status;
  if (background && cells) {
    fill_picture(&w, background, cells);
    glimpse_builder *builder = glimpse_builder_new(w.states, w.actions, OBSERVATIONS);
    if (builder) {
      glimpse_builder_discount(builder, value[KEY_gamma]);
      glimpse_builder_cost(builder, GLIMPSE_ANY, value[KEY_c]);
      add_names(builder, &w);
      add_rules(builder, &w);
    }
    glimpse_scene scene = {.rows = side,
                           .columns = side,
                           .background = background,
                           .legend = "o other rock, E exit",
                           .layers = w.k + 1,
                           .marks = marks,
                           .names = names,
                           .cells = cells,
                           .places = 1,
                           .place_names = places};
    status = gli_environment_finish(builder, &scene, report, model);
  } else {
    status = GLI_FAIL(report, GLIMPSE_NO_MEMORY, "%s", glimpse_status_text(GLIMPSE_NO_MEMORY));
  }
  gli_memory_free(background);
  gli_memory_free(cells);
  return status;
}

const gli_environment gli_environment_rock_sample = {
    {"rock-sample", "sample good rocks with a poor sensor; one request tells all", shown}, ranges, make};
