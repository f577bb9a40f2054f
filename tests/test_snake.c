/* Snake: its steps against a picture of the maze that is walked cell by cell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/environment.h"

enum { STATES = 101, END = 100 };

/* Two of these per pair of rows; ' ' can be walked. */
static const char *const maze[21] = {
    "############", "#          #", "########## #", "#          #", "# ##########", "#          #", "########## #",
    "#          #", "# ##########", "#          #", "########## #", "#          #", "# ##########", "#          #",
    "########## #", "#          #", "# ##########", "#          #", "########## #", "#          #", "############",
};

static uint32_t state_at(const glimpse_model *model, int row, int column) {
  char name[64];
  snprintf(name, sizeof name, "x%dy%d", column - 1, (row - 1) / 2);
  return environment_find(model, GLIMPSE_STATE, name);
}

/* One cell after the other, as far as there is no wall; down leads through the wall's opening to the next row. */
static uint32_t walk(const glimpse_model *model, int row, int column, int right, int down, int cells) {
  for (int i = 0; i < cells; i++) {
    if (maze[row + down][column + right] == '#') break;
    row += 2 * down;
    column += right;
  }
  return state_at(model, row, column);
}

static void check_cell(const glimpse_model *model, int row, int column) {
  static const struct {
    const char *name;
    int right, down, one, two;
    double p;
  } actions[] = {{"left", -1, 0, 1, 2, 0.6},
                 {"right", 1, 0, 1, 2, 0.6},
                 {"risky-left", -1, 0, 0, 3, 0.5},
                 {"risky-right", 1, 0, 0, 3, 0.5},
                 {"down", 0, 1, 1, 1, 1}};
  uint32_t s = state_at(model, row, column);
  bool goal = row == 19 && column == 1;
  for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
    uint32_t a = environment_find(model, GLIMPSE_ACTION, actions[i].name);
    double next[STATES] = {0};
    if (goal) {
      next[END] = 1;
    } else {
      next[walk(model, row, column, actions[i].right, actions[i].down, actions[i].one)] += actions[i].p;
      next[walk(model, row, column, actions[i].right, actions[i].down, actions[i].two)] += 1 - actions[i].p;
    }
    environment_check_row(model, "T", a, s, glimpse_model_transition(model, a, s), next, STATES);
    assert_float_equal(glimpse_model_reward(model, a, s), goal ? 0.995 : -0.005, 1e-15);
  }
}

static void test_rules(void **state) {
  (void)state;
  glimpse_model *model = environment_make("snake");
  assert_int_equal(glimpse_model_count(model, GLIMPSE_STATE), STATES);
  assert_int_equal(glimpse_model_count(model, GLIMPSE_ACTION), 5);
  environment_check(model, END);
  for (int row = 1; row < 20; row += 2)
    for (int column = 1; column < 11; column++) check_cell(model, row, column);
  assert_int_equal(glimpse_model_start(model).index[0], state_at(model, 1, 1));
  assert_float_equal(glimpse_model_discount(model), 0.99, 0);
  assert_float_equal(glimpse_model_cost(model, 0), 0.001, 0);
  glimpse_model_free(model);
}

static void test_scene(void **state) {
  (void)state;
  glimpse_model *model = environment_make("snake");
  const glimpse_scene *scene = glimpse_model_scene(model);
  assert_non_null(scene);
  assert_int_equal(scene->rows, 21);
  assert_int_equal(scene->columns, 12);
  for (uint32_t i = 0; i < 21 * 12; i++) {
    char wanted = i == 19 * 12 + 1 ? 'G' : maze[i / 12][i % 12];
    assert_int_equal(scene->background[i], wanted);
  }
  for (int row = 1; row < 20; row += 2)
    for (int column = 1; column < 11; column++)
      assert_int_equal(scene->cells[state_at(model, row, column)], row * 12 + column);
  assert_int_equal(scene->cells[END], 21 * 12);
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rules), cmocka_unit_test(test_scene)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
