/* Tag against its rules, told a second time on a map of characters, for all
 * pairs of cells, all actions and both preys. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/environment.h"

enum { CELLS = 29, STATES = 842, OBSERVATIONS = 30 };

/* North is up; cells are numbered along rows from the lower left. */
static const char *const map[] = {
    "            ", "      ...   ", "      ...   ", "      ...   ", " .......... ", " .......... ", "            ",
};

typedef struct cell {
  int row, column;
} cell;

static int list_cells(cell cells[CELLS]) {
  int count = 0;
  for (int row = 5; row > 0; row--)
    for (int column = 0; column < 12; column++)
      if (map[row][column] == '.' && count++ < CELLS) cells[count - 1] = (cell){row, column};
  return count;
}

static int number_of(const cell cells[CELLS], int row, int column) {
  for (int i = 0; i < CELLS; i++)
    if (cells[i].row == row && cells[i].column == column) return i;
  return -1;
}

static int far(cell one, cell two) {
  return abs(one.row - two.row) + abs(one.column - two.column);
}

static int moved(const cell cells[CELLS], int from, const char *action) {
  int row = cells[from].row - !strcmp(action, "north") + !strcmp(action, "south");
  int column = cells[from].column + !strcmp(action, "east") - !strcmp(action, "west");
  int to = number_of(cells, row, column);
  return to < 0 ? from : to;
}

/* Stays with 0.2; else uniform among the neighbours that are farther away. */
static void flee_paper(const cell cells[CELLS], int robot, int prey, double *next) {
  int away[4], ways = 0;
  for (int to = 0; to < CELLS; to++)
    if (far(cells[to], cells[prey]) == 1 && far(cells[to], cells[robot]) > far(cells[prey], cells[robot]))
      away[ways++] = to;
  for (int i = 0; i < ways; i++) next[away[i]] += 0.8 / ways;
  next[prey] += ways ? 0.2 : 1;
}

/* Ten balls: two stay, four along each axis; a wall stops a ball. */
static void flee_classic(const cell cells[CELLS], int robot, int prey, double *next) {
  int right = cells[prey].column - cells[robot].column, down = cells[prey].row - cells[robot].row;
  for (int ball = 0; ball < 4; ball++) {
    int horizontal = right > 0 || (right == 0 && ball < 2) ? 1 : -1;
    int vertical = down > 0 || (down == 0 && ball < 2) ? 1 : -1;
    int to = number_of(cells, cells[prey].row, cells[prey].column + horizontal);
    next[to < 0 ? prey : to] += 0.1;
    to = number_of(cells, cells[prey].row + vertical, cells[prey].column);
    next[to < 0 ? prey : to] += 0.1;
  }
  next[prey] += 0.2;
}

static uint32_t state_of(const glimpse_model *model, int robot, int prey) {
  char name[40];
  snprintf(name, sizeof name, "robot%d-prey%d", robot, prey);
  return environment_find(model, GLIMPSE_STATE, name);
}

static void check_pair(const glimpse_model *model, const cell cells[CELLS], int classic, int robot, int prey) {
  static const char *const actions[] = {"north", "south", "east", "west", "tag"};
  uint32_t s = state_of(model, robot, prey), tagged = environment_find(model, GLIMPSE_STATE, "tagged");
  char name[16];
  snprintf(name, sizeof name, "at%d", robot);
  uint32_t seen = environment_find(model, GLIMPSE_OBSERVATION, robot == prey ? "same-cell" : name);
  for (int i = 0; i < 5; i++) {
    uint32_t a = environment_find(model, GLIMPSE_ACTION, actions[i]);
    double next[STATES] = {0}, sight[OBSERVATIONS] = {0}, flee[CELLS] = {0}, reward = -1;
    if (i == 4) reward = robot == prey ? 10 : -10;
    if (reward == 10) {
      next[tagged] = 1;
    } else {
      if (classic) flee_classic(cells, robot, prey, flee);
      else flee_paper(cells, robot, prey, flee);
      for (int to = 0; to < CELLS; to++) next[state_of(model, moved(cells, robot, actions[i]), to)] += flee[to];
    }
    sight[seen] = 1;
    environment_check_row(model, "T", a, s, glimpse_model_transition(model, a, s), next, STATES);
    environment_check_row(model, "O", a, s, glimpse_model_observation(model, a, s), sight, OBSERVATIONS);
    assert_float_equal(glimpse_model_reward(model, a, s), reward, 0);
  }
}

static void check_prey(const char *spec, int classic) {
  cell cells[CELLS];
  assert_int_equal(list_cells(cells), CELLS);
  glimpse_model *model = environment_make(spec);
  assert_int_equal(glimpse_model_count(model, GLIMPSE_STATE), STATES);
  assert_int_equal(glimpse_model_count(model, GLIMPSE_ACTION), 5);
  assert_int_equal(glimpse_model_count(model, GLIMPSE_OBSERVATION), OBSERVATIONS);
  uint32_t tagged = environment_find(model, GLIMPSE_STATE, "tagged");
  environment_check(model, tagged);
  for (int robot = 0; robot < CELLS; robot++)
    for (int prey = 0; prey < CELLS; prey++) check_pair(model, cells, classic, robot, prey);
  double start[STATES], sight[OBSERVATIONS] = {0};
  for (uint32_t s = 0; s < STATES; s++) start[s] = s == tagged ? 0 : 1.0 / (CELLS * CELLS);
  environment_check_row(model, "start", 0, 0, glimpse_model_start(model), start, STATES);
  sight[environment_find(model, GLIMPSE_OBSERVATION, "same-cell")] = 1;
  for (uint32_t a = 0; a < 5; a++) {
    environment_check_row(model, "O", a, tagged, glimpse_model_observation(model, a, tagged), sight, OBSERVATIONS);
    assert_float_equal(glimpse_model_reward(model, a, tagged), 0, 0);
  }
  assert_float_equal(glimpse_model_discount(model), 0.95, 0);
  assert_float_equal(glimpse_model_cost(model, 0), 1, 0);
  glimpse_model_free(model);
}

static void test_paper_prey(void **state) {
  (void)state;
  check_prey("tag", 0);
  check_prey("tag:prey=paper", 0);
}

static void test_classic_prey(void **state) {
  (void)state;
  check_prey("tag:prey=classic", 1);
}

/* By hand: the prey in a corner of the field has nowhere to go. */
static void test_cornered(void **state) {
  (void)state;
  glimpse_model *model = environment_make("tag");
  uint32_t s = state_of(model, 1, 0), north = environment_find(model, GLIMPSE_ACTION, "north");
  glimpse_row row = glimpse_model_transition(model, north, s);
  assert_int_equal(row.count, 2); /* only up; it sees the robot at 1, not at 11 */
  assert_int_equal(row.index[0], state_of(model, 11, 0));
  assert_int_equal(row.index[1], state_of(model, 11, 10));
  assert_float_equal(row.value[0], 0.2, 1e-15);
  assert_float_equal(row.value[1], 0.8, 1e-15);
  row = glimpse_model_transition(model, north, state_of(model, 11, 0));
  assert_int_equal(row.count, 1);
  assert_int_equal(row.index[0], state_of(model, 11, 0)); /* 11 has a wall to the north, 0 is the corner */
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_paper_prey),
      cmocka_unit_test(test_classic_prey),
      cmocka_unit_test(test_cornered),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
