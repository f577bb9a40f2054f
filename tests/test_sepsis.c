/* Sepsis: its steps against the simulator's order of events, told a second time: a patient branches into two or three
 * at every event, over all 720 conditions, instead of four independent values. */
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

enum { HEART, PRESSURE, OXYGEN, GLUCOSE, ANTIBIOTICS, VASOPRESSORS, VENTILATION, VALUES };

static const int radix[VALUES] = {3, 3, 2, 5, 2, 2, 2};

static int number(const int v[VALUES]) {
  int n = 0;
  for (int i = 0; i < VALUES; i++) n = n * radix[i] + v[i];
  return n;
}

static void unpack(int n, int v[VALUES]) {
  for (int i = VALUES; i-- > 0; n /= radix[i]) v[i] = n % radix[i];
}

static int abnormal(const int v[VALUES]) {
  return (v[HEART] != 1) + (v[PRESSURE] != 1) + (v[OXYGEN] != 1) + (v[GLUCOSE] != 2);
}

/* 0 dead, 1 discharged, 0.25 neither. */
static double outcome(const int v[VALUES]) {
  if (abnormal(v) >= 3) return 0;
  return !abnormal(v) && !v[ANTIBIOTICS] && !v[VASOPRESSORS] && !v[VENTILATION] ? 1 : 0.25;
}

typedef struct events {
  int then[16][3]; /* which value; what becomes of it: a function below; its probability in tenths */
  int count;
} events;

enum { FALL_TO_1, RISE_TO_2, RISE_TO_1, FALL_TO_0, UP, DOWN, WANDER, WANDER_GLUCOSE };

static void event(events *e, int value, int what, int tenths) {
  e->then[e->count][0] = value;
  e->then[e->count][1] = what;
  e->then[e->count++][2] = tenths;
}

static int top(int value) {
  return radix[value] - 1;
}

/* Spreads p over `next`, from event i on. */
static void branch(const events *e, int i, const int v[VALUES], double p, double *next) {
  if (i == e->count) {
    next[number(v)] += p;
    return;
  }
  int value = e->then[i][0], what = e->then[i][1], x = v[value], w[VALUES];
  double q = e->then[i][2] / 10.0;
  memcpy(w, v, sizeof w);
  if (what == WANDER || what == WANDER_GLUCOSE) {
    int up = what == WANDER_GLUCOSE ? (x + 1 < 1 ? x + 1 : 1) : x < top(value) ? x + 1 : x;
    w[value] = x > 0 ? x - 1 : 0;
    branch(e, i + 1, w, p * 0.1, next);
    w[value] = up;
    branch(e, i + 1, w, p * 0.1, next);
    branch(e, i + 1, v, p * 0.8, next);
    return;
  }
  bool happens = what == FALL_TO_1                        ? x == 2
                 : what == RISE_TO_2 || what == FALL_TO_0 ? x == 1
                 : what == RISE_TO_1                      ? x == 0
                                                          : true;
  if (!happens) {
    branch(e, i + 1, v, p, next);
    return;
  }
  if (what == FALL_TO_1 || what == RISE_TO_1) w[value] = 1;
  else if (what == RISE_TO_2) w[value] = 2;
  else if (what == FALL_TO_0) w[value] = 0;
  else if (what == UP) w[value] = x < 2 ? x + 1 : 2;
  else w[value] = x > 0 ? x - 1 : 0;
  branch(e, i + 1, w, p * q, next);
  branch(e, i + 1, v, p * (1 - q), next);
}

static void simulate(int from, int anti, int vent, int vaso, double *next) {
  int v[VALUES];
  unpack(from, v);
  events e = {.count = 0};
  bool heart = !anti && !v[ANTIBIOTICS], pressure = heart && !vaso && !v[VASOPRESSORS];
  if (anti || v[ANTIBIOTICS])
    for (int value = HEART; value <= PRESSURE; value++) event(&e, value, anti ? FALL_TO_1 : RISE_TO_2, anti ? 5 : 1);
  if (vent || v[VENTILATION]) event(&e, OXYGEN, vent ? RISE_TO_1 : FALL_TO_0, vent ? 7 : 1);
  if (vaso || v[VASOPRESSORS]) event(&e, PRESSURE, vaso ? UP : DOWN, vaso ? 7 : 1);
  if (heart) event(&e, HEART, WANDER, 0);
  if (pressure) event(&e, PRESSURE, WANDER, 0);
  if (!vent && !v[VENTILATION]) event(&e, OXYGEN, WANDER, 0);
  if (!vaso) event(&e, GLUCOSE, WANDER_GLUCOSE, 0);
  v[ANTIBIOTICS] = anti;
  v[VENTILATION] = vent;
  v[VASOPRESSORS] = vaso;
  branch(&e, 0, v, 1, next);
}

static uint32_t state_of(const glimpse_model *model, int n, int time) {
  int v[VALUES];
  unpack(n, v);
  char name[96];
  snprintf(name, sizeof name, "t%d-h%dp%do%dg%d-%s%s%s", time, v[HEART], v[PRESSURE], v[OXYGEN], v[GLUCOSE],
           v[ANTIBIOTICS] ? "a" : "", v[VASOPRESSORS] ? "p" : "", v[VENTILATION] ? "v" : "");
  if (name[strlen(name) - 1] == '-') strcat(name, "none");
  return environment_find(model, GLIMPSE_STATE, name);
}

static void check_row(const glimpse_model *model, int from, int time, int steps, uint32_t a) {
  static const char *const names[] = {"none",
                                      "vasopressors",
                                      "ventilation",
                                      "ventilation-vasopressors",
                                      "antibiotics",
                                      "antibiotics-vasopressors",
                                      "antibiotics-ventilation",
                                      "all"};
  assert_string_equal(glimpse_model_name(model, GLIMPSE_ACTION, a), names[a]);
  double next[720] = {0}, paid = 0, *dense = calloc(glimpse_model_count(model, GLIMPSE_STATE), sizeof *dense);
  assert_non_null(dense);
  uint32_t s = state_of(model, from, time), end = environment_find(model, GLIMPSE_STATE, "end");
  simulate(from, a / 4, a / 2 % 2, a % 2, next);
  for (int n = 0; n < 720; n++) {
    int v[VALUES];
    unpack(n, v);
    paid += next[n] * outcome(v);
    if (next[n] > 0) dense[time + 1 == steps || outcome(v) != 0.25 ? end : state_of(model, n, time + 1)] += next[n];
  }
  environment_check_row(model, "T", a, s, glimpse_model_transition(model, a, s), dense,
                        glimpse_model_count(model, GLIMPSE_STATE));
  assert_float_equal(glimpse_model_reward(model, a, s), paid, 1e-14);
  free(dense);
}

static void test_steps(void **state) {
  (void)state;
  enum { STEPS = 2 };
  glimpse_model *model = environment_make("sepsis:steps=2");
  int running = 0;
  for (int n = 0; n < 720; n++) {
    int v[VALUES];
    unpack(n, v);
    if (outcome(v) != 0.25) continue;
    running++;
    for (uint32_t a = 0; a < 8; a++)
      for (int time = 0; time < STEPS; time++) check_row(model, n, time, STEPS, a);
  }
  assert_int_equal(running, 303);
  assert_int_equal(glimpse_model_count(model, GLIMPSE_STATE), STEPS * 303 + 1);
  environment_check(model, STEPS * 303);
  glimpse_model_free(model);
}

static void test_default(void **state) {
  (void)state;
  glimpse_model *model = environment_make("sepsis");
  assert_int_equal(glimpse_model_count(model, GLIMPSE_STATE), 5 * 303 + 1);
  environment_check(model, 5 * 303);
  /* 256: heart normal, pressure and oxygen low, glucose normal, no treatment */
  assert_int_equal(glimpse_model_start(model).index[0], environment_find(model, GLIMPSE_STATE, "t0-h1p0o0g2-none"));
  assert_float_equal(environment_mdp(model), 0.820617, 5e-7);
  assert_float_equal(glimpse_model_discount(model), 0.7, 0);
  assert_float_equal(glimpse_model_cost(model, 0), 0.1, 0);
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps), cmocka_unit_test(test_default)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
