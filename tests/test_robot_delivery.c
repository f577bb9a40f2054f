/* RobotDelivery against its rules: a second, naive telling of docs/ENVIRONMENTS.md on a map
 * of characters computes the outcome of every action in every state. */
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

/* ---- the rules, naively ---- */

enum { MAX_N = 8, TOP = 7 };

typedef struct rules {
  int n;
  double f, t, e;
  const glimpse_model *model;
  char map[TOP][2 * MAX_N + 2]; /* row, column; rows from above; [row][column + 1] */
} rules;

typedef struct situation {
  int row, column;
  char package; /* 'w'aiting, 'c'arried, 'n'one, or '1'.. at that pickup point */
} situation;

/* The map: what is not a letter is a wall. */
static void draw_map(rules *r) {
  memset(r->map, '#', sizeof r->map);
  for (int i = 0; i < r->n; i++) {
    r->map[0][1 + 2 * i] = 'P';
    r->map[1][1 + 2 * i] = 'k';
  }
  for (int row = 2; row < 5; row++)
    for (int column = 0; column < 2 * r->n - 1; column++) r->map[row][1 + column] = 'r';
  r->map[5][1 + r->n - 1] = 'D';
  r->map[3][1 + 2 * r->n - 1] = 'E';
}

static char at(const rules *r, int row, int column) {
  return row < 0 ? '#' : r->map[row][1 + column];
}

static uint32_t index_of(const rules *r, situation x) {
  char cell[32], name[64];
  switch (at(r, x.row, x.column)) {
    case 'P': snprintf(cell, sizeof cell, "pickup%d", x.column / 2 + 1); break;
    case 'k': snprintf(cell, sizeof cell, "corridor%d", x.column / 2 + 1); break;
    case 'r': snprintf(cell, sizeof cell, "row%dcol%d", x.row - 1, x.column + 1); break;
    case 'D': snprintf(cell, sizeof cell, "delivery"); break;
    case 'E': snprintf(cell, sizeof cell, "end"); break;
    default: fail_msg("no cell at %d, %d", x.row, x.column);
  }
  if (at(r, x.row, x.column) == 'E') snprintf(name, sizeof name, "end");
  else if (x.package == 'w') snprintf(name, sizeof name, "%s-waiting", cell);
  else if (x.package == 'c') snprintf(name, sizeof name, "%s-carried", cell);
  else if (x.package == 'n') snprintf(name, sizeof name, "%s-none", cell);
  else snprintf(name, sizeof name, "%s-at%c", cell, x.package);
  return environment_find(r->model, GLIMPSE_STATE, name);
}

static int rise(const char *action) {
  return !strcmp(action, "up") ? -1 : !strcmp(action, "down") ? 1 : 0;
}

static int shift(const char *action) {
  return !strcmp(action, "left") ? -1 : !strcmp(action, "right") ? 1 : 0;
}

/* Is there a package at the pickup point in this column? */
static int holds(situation x, int column) {
  return x.package == '1' + column / 2;
}

/* Adds what becomes of the package when the robot ends at (row, column). */
static void settle(const rules *r, const char *action, situation from, int row, int column, double p, double *next) {
  situation to = {row, column, from.package};
  int spawns = 0;
  if (at(r, row, column) == 'E') {
    next[index_of(r, to)] += p;
    return;
  }
  if (at(r, row, column) == 'P' && holds(from, column) && !strcmp(action, "up")) to.package = 'c';
  if (at(r, row, column) == 'D' && at(r, from.row, from.column) != 'D' && from.package == 'c') {
    to.package = 'n';
    next[index_of(r, to)] += p * r->e;
    p *= 1 - r->e;
    spawns = 1;
  }
  if (from.package == 'w') spawns = 1;
  if (!spawns) {
    next[index_of(r, to)] += p;
    return;
  }
  for (int i = 0; i < r->n; i++) {
    to.package = (char)('1' + i);
    next[index_of(r, to)] += p * r->t / r->n;
  }
  to.package = 'w';
  next[index_of(r, to)] += p * (1 - r->t);
}

static double step(const rules *r, const char *action, situation from, double *next) {
  int row = from.row + rise(action), column = from.column + shift(action);
  char goal = at(r, row, column);
  double fails = r->f;
  if (goal == '#') row = from.row, column = from.column, fails = 0;
  if (goal == 'D' || goal == 'E' || (goal == 'P' && holds(from, column))) fails = 0;
  settle(r, action, from, row, column, 1 - fails, next);
  settle(r, action, from, from.row, from.column, fails, next);
  return goal == 'E' || (goal == 'D' && from.package == 'c') ? 1 : 0;
}

static const char *sees(const rules *r, const char *action, situation now) {
  static const char *const names[] = {"walls0", "walls1", "walls2", "walls3"};
  char here = at(r, now.row, now.column);
  if (here == 'P' && now.package == 'c' && !strcmp(action, "up")) return "arrived";
  if (here == 'D' && !strcmp(action, "down")) return "arrived";
  int walls = (at(r, now.row - 1, now.column) == '#') + (at(r, now.row + 1, now.column) == '#') +
              (at(r, now.row, now.column - 1) == '#') + (at(r, now.row, now.column + 1) == '#');
  return names[walls];
}

static void check_situation(const rules *r, situation now, double *next, double *seen, uint32_t states) {
  static const char *const actions[] = {"up", "down", "left", "right"};
  uint32_t s = index_of(r, now);
  for (int i = 0; i < 4; i++) {
    uint32_t a = environment_find(r->model, GLIMPSE_ACTION, actions[i]);
    memset(next, 0, states * sizeof *next);
    memset(seen, 0, 5 * sizeof *seen);
    double reward = step(r, actions[i], now, next);
    seen[environment_find(r->model, GLIMPSE_OBSERVATION, sees(r, actions[i], now))] = 1;
    environment_check_row(r->model, "T", a, s, glimpse_model_transition(r->model, a, s), next, states);
    environment_check_row(r->model, "O", a, s, glimpse_model_observation(r->model, a, s), seen, 5);
    if (glimpse_model_reward(r->model, a, s) != reward)
      fail_msg("reward of %s in %s", actions[i], glimpse_model_name(r->model, GLIMPSE_STATE, s));
  }
}

static void check_all(const char *spec, int n, double f, double t, double e) {
  glimpse_model *model = environment_make(spec);
  rules r = {.n = n, .f = f, .t = t, .e = e, .model = model};
  draw_map(&r);
  uint32_t states = glimpse_model_count(model, GLIMPSE_STATE), situations = 0;
  if (f < 1) environment_check(model, environment_find(model, GLIMPSE_STATE, "end")); /* else most states never end */
  double *next = calloc(states, sizeof *next), seen[5];
  assert_non_null(next);
  for (int row = 0; row < 6; row++) {
    for (int column = 0; column < 2 * n - 1; column++) {
      if (at(&r, row, column) == '#') continue;
      char packages[MAX_N + 4] = "wcn";
      for (int i = 0; i < n; i++) packages[3 + i] = (char)('1' + i);
      for (const char *package = packages; *package; package++, situations++)
        check_situation(&r, (situation){row, column, *package}, next, seen, states);
    }
  }
  assert_int_equal(situations + 1, states); /* and the end */
  memset(next, 0, states * sizeof *next);
  for (int i = 0; i < n; i++) next[index_of(&r, (situation){3, n - 1, (char)('1' + i)})] = 1.0 / n;
  environment_check_row(model, "start", 0, 0, glimpse_model_start(model), next, states);
  free(next);
  glimpse_model_free(model);
}

static void test_rules(void **state) {
  (void)state;
  check_all("robot-delivery", 3, 0.1, 0.8, 1.0 / 3);
  check_all("robot-delivery:n=4,f=0.25,t=0.3,e=0.6", 4, 0.25, 0.3, 0.6);
}

static void test_rules_at_the_limits(void **state) {
  (void)state;
  check_all("robot-delivery:n=1", 1, 0.1, 0.8, 1.0 / 3);
  check_all("robot-delivery:n=2,f=0,t=1,e=0", 2, 0, 1, 0);
  check_all("robot-delivery:n=2,f=1,t=0,e=1", 2, 1, 0, 1);
}

/* ---- a few outcomes by hand ---- */

static double chance(const glimpse_model *model, const char *action, const char *from, const char *to) {
  uint32_t s2 = environment_find(model, GLIMPSE_STATE, to);
  glimpse_row row = glimpse_model_transition(model, environment_find(model, GLIMPSE_ACTION, action),
                                             environment_find(model, GLIMPSE_STATE, from));
  for (size_t i = 0; i < row.count; i++)
    if (row.index[i] == s2) return row.value[i];
  return 0;
}

static double paid(const glimpse_model *model, const char *action, const char *from) {
  return glimpse_model_reward(model, environment_find(model, GLIMPSE_ACTION, action),
                              environment_find(model, GLIMPSE_STATE, from));
}

static void test_corner_cases(void **state) {
  (void)state;
  glimpse_model *m = environment_make("robot-delivery");
  const double tiny = 1e-15;
  /* Into the package's cell: certain, and picked up.  Into another one: as any move. */
  assert_float_equal(chance(m, "up", "corridor2-at2", "pickup2-carried"), 1, 0);
  assert_float_equal(chance(m, "up", "corridor2-at1", "pickup2-at1"), 0.9, tiny);
  assert_float_equal(chance(m, "up", "corridor2-at1", "corridor2-at1"), 0.1, tiny);
  /* The package arrives while the robot enters: not picked up, and the move could fail. */
  assert_float_equal(chance(m, "up", "corridor2-waiting", "pickup2-at2"), 0.9 * 0.8 / 3, tiny);
  assert_float_equal(chance(m, "up", "corridor2-waiting", "pickup2-carried"), 0, 0);
  assert_float_equal(chance(m, "up", "corridor2-waiting", "corridor2-at2"), 0.1 * 0.8 / 3, tiny);
  /* It is then picked up by another up, for certain, and by nothing else. */
  assert_float_equal(chance(m, "up", "pickup2-at2", "pickup2-carried"), 1, 0);
  assert_float_equal(chance(m, "left", "pickup2-at2", "pickup2-at2"), 1, 0);
  assert_float_equal(chance(m, "down", "pickup2-at2", "corridor2-at2"), 0.9, tiny);
  /* Numbers of packages and cells must not be mixed up: waiting is number n, so is a corridor. */
  assert_float_equal(chance(m, "up", "row1col1-waiting", "corridor1-waiting"), 0.9 * 0.2, tiny);
  assert_float_equal(chance(m, "up", "row1col3-carried", "corridor2-carried"), 0.9, tiny);
  /* Delivery: entering D is certain, with or without the package. */
  assert_float_equal(chance(m, "down", "row3col3-carried", "delivery-none"), 1.0 / 3, tiny);
  assert_float_equal(chance(m, "down", "row3col3-carried", "delivery-at1"), 2.0 / 3 * 0.8 / 3, tiny);
  assert_float_equal(chance(m, "down", "row3col3-carried", "delivery-waiting"), 2.0 / 3 * 0.2, tiny);
  assert_float_equal(chance(m, "down", "row3col3-none", "delivery-none"), 1, 0);
  assert_float_equal(paid(m, "down", "row3col3-carried"), 1, 0);
  assert_float_equal(paid(m, "down", "row3col3-none"), 0, 0);
  assert_float_equal(paid(m, "down", "delivery-carried"), 0, 0);
  assert_float_equal(chance(m, "down", "delivery-carried", "delivery-carried"), 1, 0);
  /* The exit is certain; the waiting area is a wall. */
  assert_float_equal(chance(m, "right", "row2col5-waiting", "end"), 1, 0);
  assert_float_equal(paid(m, "right", "row2col5-waiting"), 1, 0);
  assert_float_equal(chance(m, "right", "row1col5-none", "row1col5-none"), 1, 0);
  assert_float_equal(chance(m, "left", "row2col1-none", "row2col1-none"), 1, 0);
  assert_float_equal(paid(m, "right", "end"), 0, 0);
  for (uint32_t a = 0; a < 4; a++) { /* the end shows three walls, whatever is done */
    glimpse_row seen = glimpse_model_observation(m, a, environment_find(m, GLIMPSE_STATE, "end"));
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.index[0], environment_find(m, GLIMPSE_OBSERVATION, "walls3"));
  }
  glimpse_model_free(m);
}

/* ---- sizes and the paper's numbers ---- */

static void test_counts(void **state) {
  (void)state;
  static const struct {
    const char *spec;
    uint32_t states;
  } sizes[] = {{"robot-delivery:n=1", 25},
               {"robot-delivery:n=3", 133},
               {"robot-delivery:n=5", 305},
               {"robot-delivery:n=7", 541},
               {"robot-delivery:n=31", 246 * 34 + 1}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    glimpse_model *model = environment_make(sizes[i].spec);
    assert_int_equal(glimpse_model_count(model, GLIMPSE_STATE), sizes[i].states);
    assert_int_equal(glimpse_model_count(model, GLIMPSE_ACTION), 4);
    assert_int_equal(glimpse_model_count(model, GLIMPSE_OBSERVATION), 5);
    glimpse_model_free(model);
  }
}

static void check_exit(const char *spec, int n, double f, double discount, double table) {
  glimpse_model *model = environment_make(spec);
  uint32_t right = environment_find(model, GLIMPSE_ACTION, "right");
  double value = environment_blind(model, right, glimpse_model_start(model));
  double closed = pow(discount * (1 - f) / (1 - discount * f), n - 1);
  assert_float_equal(value, closed, 1e-12);
  if (table > 0) assert_float_equal(value, table, 0.0005);
  glimpse_model_free(model);
}

static void test_exit_at_once(void **state) {
  (void)state;
  check_exit("robot-delivery:n=1", 1, 0.1, 0.99, 1);
  check_exit("robot-delivery:n=3", 3, 0.1, 0.99, 0.978);
  check_exit("robot-delivery:n=5", 5, 0.1, 0.99, 0.956);
  check_exit("robot-delivery:n=7", 7, 0.1, 0.99, 0.935);
  check_exit("robot-delivery:n=6,f=0.2,gamma=0.9", 6, 0.2, 0.9, 0);
}

static void test_defaults(void **state) {
  (void)state;
  glimpse_model *model = environment_make("robot-delivery");
  assert_float_equal(glimpse_model_discount(model), 0.99, 0);
  assert_true(glimpse_model_requests(model));
  assert_true(glimpse_model_cost_uniform(model));
  assert_float_equal(glimpse_model_cost(model, 0), 0.1, 0);
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rules),        cmocka_unit_test(test_rules_at_the_limits), cmocka_unit_test(test_counts),
      cmocka_unit_test(test_corner_cases), cmocka_unit_test(test_exit_at_once),        cmocka_unit_test(test_defaults),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
