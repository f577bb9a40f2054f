/* Snake: a maze that winds through a square of 10 x 10 cells, from M. Krale and others,
 * Robust Active Measuring under Model Uncertainty (AAAI 2024), SnakeMaze.
 *
 * From (0,0) in the upper left corner right along row 0, down at its end, left along
 * row 1 and so on to the goal (0,9).  `left` and `right` go one cell (0.6) or two
 * (0.4), `risky-left` and `risky-right` none or three (1/2 each); walls stop.  `down`
 * works at the right end of rows 0, 2, ... and at the left end of rows 1, 3, ....
 * Every step costs 0.005; any action at the goal pays 1 and ends it.  Nothing else is
 * seen.  State 10 y + x, and `end`: 101 states. */
#include <stdio.h>

#include "environments/environment.h"

#define PARAMETERS(X)                                                                                                  \
  X(c, "0.001", COST(), "price of a request")                                                                          \
  GLI_TIMING_PARAMETER(X)                                                                                              \
  X(gamma, "0.99", REAL(0, 1), "discount")

enum { PARAMETERS(GLI_PARAMETER_INDEX) };
static const glimpse_parameter shown[] = {PARAMETERS(GLI_PARAMETER_SHOWN){NULL, NULL, NULL}};
static const gli_parameter_range ranges[] = {PARAMETERS(GLI_PARAMETER_RANGE)};

enum { SIDE = 10, CELLS = SIDE * SIDE, END = CELLS, STATES, GOAL = (SIDE - 1) * SIDE };
enum { LEFT, RIGHT, RISKY_LEFT, RISKY_RIGHT, DOWN, ACTIONS };

static const double penalty = -0.005;

typedef struct stride {
  int cells[2];
  double p; /* of the first */
} stride;

static const stride safe = {{1, 2}, 0.6}, risky = {{0, 3}, 0.5};

static int clamp(int x) {
  return x < 0 ? 0 : x >= SIDE ? SIDE - 1 : x;
}

static void add_step(glimpse_builder *builder, uint32_t a, int x, int y) {
  uint32_t s = (uint32_t)(SIDE * y + x);
  bool over = s == GOAL;
  glimpse_builder_reward(builder, a, s, GLIMPSE_ANY, GLIMPSE_ANY, over ? 1 + penalty : penalty);
  if (over || a == DOWN) {
    bool turn = x == (y % 2 ? 0 : SIDE - 1); /* not in the last row, whose turn is the goal */
    glimpse_builder_transition(builder, a, s, over ? END : turn ? s + SIDE : s, 1);
    return;
  }
  const stride *way = a == LEFT || a == RIGHT ? &safe : &risky;
  int sign = a == RIGHT || a == RISKY_RIGHT ? 1 : -1;
  uint32_t row = (uint32_t)(SIDE * y);
  uint32_t one = row + (uint32_t)clamp(x + sign * way->cells[0]), two = row + (uint32_t)clamp(x + sign * way->cells[1]);
  glimpse_builder_transition(builder, a, s, one, one == two ? 1 : way->p);
  if (one != two) glimpse_builder_transition(builder, a, s, two, 1 - way->p);
}

/* Rows of cells with walls between them, which are open where the maze turns. */
enum { ROWS = 2 * SIDE + 1, COLUMNS = SIDE + 2 };

static uint32_t shown_at(int x, int y) {
  return (uint32_t)((2 * y + 1) * COLUMNS + x + 1);
}

static glimpse_status make(const double *value, glimpse_report *report, glimpse_model **model) {
  static const char *const actions[] = {"left", "right", "risky-left", "risky-right", "down"};
  static const char *const names[] = {"walker"}, *const places[] = {"over"};
  char background[ROWS * COLUMNS + 1] = "";
  uint32_t cells[STATES];
  for (int i = 0; i < ROWS * COLUMNS; i++) background[i] = '#';
  glimpse_builder *builder = gli_environment_unseen(STATES, ACTIONS, END);
  for (int y = 0; y < SIDE; y++) {
    for (int x = 0; x < SIDE; x++) {
      uint32_t s = (uint32_t)(SIDE * y + x);
      char name[32];
      snprintf(name, sizeof name, "x%dy%d", x, y);
      if (builder) glimpse_builder_name(builder, GLIMPSE_STATE, s, name);
      for (uint32_t a = 0; builder && a < ACTIONS; a++) add_step(builder, a, x, y);
      cells[s] = shown_at(x, y);
      background[cells[s]] = s == GOAL ? 'G' : ' ';
      if (y + 1 < SIDE && x == (y % 2 ? 0 : SIDE - 1)) background[cells[s] + COLUMNS] = ' ';
    }
  }
  cells[END] = ROWS * COLUMNS;
  glimpse_scene scene = {.rows = ROWS,
                         .columns = COLUMNS,
                         .background = background,
                         .legend = "G goal",
                         .layers = 1,
                         .marks = "W",
                         .names = names,
                         .cells = cells,
                         .places = 1,
                         .place_names = places};
  if (builder) {
    gli_environment_names(builder, GLIMPSE_ACTION, actions, ACTIONS);
    glimpse_builder_discount(builder, value[KEY_gamma]);
    gli_environment_ask(builder, (int)value[KEY_timing], value[KEY_c]);
    glimpse_builder_start(builder, 0, 1);
  }
  return gli_environment_finish(builder, &scene, report, model);
}

const gli_environment gli_environment_snake = {
    {"snake", "a winding maze, walked without seeing (RAM's SnakeMaze)", shown}, ranges, make};
