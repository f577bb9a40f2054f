/* RockSample against its rules, told a second time from the names of states and
 * the maps of the literature; and why one request makes it trivial. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/environment.h"

typedef struct map {
  const char *spec;
  int n, k;
  double d0;
  int rocks[12][2];
} map;

static const map small = {"rock-sample", 4, 4, 20, {{3, 1}, {2, 1}, {1, 3}, {1, 0}}};
static const map noisy = {"rock-sample:n=5,k=5,d0=2.5", 5, 5, 2.5, {{2, 4}, {0, 4}, {3, 3}, {2, 2}, {4, 1}}};
static const map large = {
    "rock-sample:n=7,k=8", 7, 8, 20, {{2, 0}, {0, 1}, {3, 1}, {6, 3}, {2, 4}, {3, 4}, {5, 5}, {1, 6}}};

static uint32_t state_of(const glimpse_model *model, int x, int y, const char *quality) {
  char name[48];
  snprintf(name, sizeof name, "x%dy%d-%s", x, y, quality);
  return environment_find(model, GLIMPSE_STATE, name);
}

/* What the action does: the next state and the reward. */
static uint32_t follow(const glimpse_model *model, const map *m, int x, int y, const char *quality, const char *action,
                       double *reward) {
  uint32_t end = environment_find(model, GLIMPSE_STATE, "end");
  *reward = 0;
  if (!strncmp(action, "check", 5)) return state_of(model, x, y, quality);
  if (!strcmp(action, "sample")) {
    for (int i = 0; i < m->k; i++) {
      if (m->rocks[i][0] != x || m->rocks[i][1] != y) continue;
      char after[16];
      snprintf(after, sizeof after, "%s", quality);
      after[i] = 'b';
      *reward = quality[i] == 'g' ? 10 : -10;
      return state_of(model, x, y, after);
    }
    *reward = -100;
    return end;
  }
  x += !strcmp(action, "east") - !strcmp(action, "west");
  y += !strcmp(action, "north") - !strcmp(action, "south");
  if (x == m->n) *reward = 10;
  else if (x < 0 || y < 0 || y == m->n) *reward = -100;
  return *reward != 0 ? end : state_of(model, x, y, quality);
}

static void check_state(const glimpse_model *model, const map *m, uint32_t s) {
  int x, y;
  char quality[16];
  const char *name = glimpse_model_name(model, GLIMPSE_STATE, s);
  assert_int_equal(sscanf(name, "x%dy%d-%15s", &x, &y, quality), 3);
  uint32_t good = environment_find(model, GLIMPSE_OBSERVATION, "good");
  for (uint32_t a = 0; a < glimpse_model_count(model, GLIMPSE_ACTION); a++) {
    const char *action = glimpse_model_name(model, GLIMPSE_ACTION, a);
    double reward, chance = 1, sight[2];
    uint32_t next = follow(model, m, x, y, quality, action, &reward);
    glimpse_row row = glimpse_model_transition(model, a, s);
    if (row.count != 1 || row.index[0] != next || row.value[0] != 1) fail_msg("%s in %s", action, name);
    assert_float_equal(glimpse_model_reward(model, a, s), reward, 0);
    if (!strncmp(action, "check", 5)) {
      int rock = action[5] - '1';
      double efficiency = pow(2, -hypot(x - m->rocks[rock][0], y - m->rocks[rock][1]) / m->d0);
      chance = quality[rock] == 'g' ? 0.5 + efficiency / 2 : 0.5 - efficiency / 2;
    }
    sight[good] = chance;
    sight[1 - good] = 1 - chance;
    environment_check_row(model, "O", a, s, glimpse_model_observation(model, a, s), sight, 2);
  }
}

static void check_map(const map *m, uint32_t states, uint32_t stride) {
  glimpse_model *model = environment_make(m->spec);
  assert_int_equal(glimpse_model_count(model, GLIMPSE_STATE), states);
  assert_int_equal(glimpse_model_count(model, GLIMPSE_ACTION), 5 + m->k);
  assert_int_equal(glimpse_model_count(model, GLIMPSE_OBSERVATION), 2);
  uint32_t end = environment_find(model, GLIMPSE_STATE, "end");
  for (uint32_t s = 0; s < states; s += stride)
    if (s != end) check_state(model, m, s);
  /* The start: left edge, middle row, all qualities. */
  glimpse_row start = glimpse_model_start(model);
  assert_int_equal(start.count, (size_t)1 << m->k);
  for (size_t i = 0; i < start.count; i++) {
    int x, y;
    assert_int_equal(sscanf(glimpse_model_name(model, GLIMPSE_STATE, start.index[i]), "x%dy%d-", &x, &y), 2);
    assert_int_equal(x, 0);
    assert_int_equal(y, m->n / 2);
    assert_float_equal(start.value[i], 1.0 / (1 << m->k), 0);
  }
  glimpse_model_free(model);
}

static void test_maps(void **state) {
  (void)state;
  check_map(&small, 257, 1);
  check_map(&noisy, 801, 1);
  check_map(&large, 12545, 7);
}

static void test_model(void **state) {
  (void)state;
  glimpse_model *model = environment_make("rock-sample");
  uint32_t end = environment_find(model, GLIMPSE_STATE, "end");
  environment_check(model, end);
  for (uint32_t a = 0; a < 9; a++) assert_float_equal(glimpse_model_reward(model, a, end), 0, 0);
  assert_float_equal(glimpse_model_discount(model), 0.95, 0);
  assert_float_equal(glimpse_model_cost(model, 0), 1, 0);
  glimpse_model_free(model);
}

/* Half-efficiency by hand: at distance d0 the sensor is right with 3/4, on the rock always. */
static void test_sensor(void **state) {
  (void)state;
  glimpse_model *model = environment_make("rock-sample:d0=3");
  uint32_t check1 = environment_find(model, GLIMPSE_ACTION, "check1");
  glimpse_row near = glimpse_model_observation(model, check1, state_of(model, 3, 1, "gbbb"));
  assert_int_equal(near.count, 1);
  glimpse_row far = glimpse_model_observation(model, check1, state_of(model, 0, 1, "gbbb"));
  assert_int_equal(far.count, 2);
  assert_float_equal(far.value[environment_find(model, GLIMPSE_OBSERVATION, "good")], 0.75, 0);
  glimpse_model_free(model);
}

/* No transition is random: once the state is known it stays known, and asking at
 * the start and never again is worth QMDP - c = 21.41.  Without requests a
 * point-based solver finds 19.01. */
static void test_one_request_is_enough(void **state) {
  (void)state;
  glimpse_model *model = environment_make("rock-sample");
  for (uint32_t s = 0; s < 257; s++)
    for (uint32_t a = 0; a < 9; a++) assert_int_equal(glimpse_model_transition(model, a, s).count, 1);
  assert_float_equal(environment_mdp(model) - glimpse_model_cost(model, 0), 21.4101, 1e-4);
  glimpse_model_free(model);
}

/* Sizes without a map of their own: k different cells. */
static void test_layout(void **state) {
  (void)state;
  for (int n = 1; n <= 9; n++) {
    int k = n * n < 7 ? n * n : 7;
    char spec[48];
    snprintf(spec, sizeof spec, "rock-sample:n=%d,k=%d", n, k);
    glimpse_model *model = environment_make(spec);
    assert_int_equal(glimpse_model_count(model, GLIMPSE_STATE), n * n * (1 << k) + 1);
    int rocks = 0;
    for (const char *c = glimpse_model_scene(model)->background; *c; c++) rocks += *c == 'o';
    assert_int_equal(rocks, k);
    glimpse_model_free(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_maps),   cmocka_unit_test(test_model),
      cmocka_unit_test(test_sensor), cmocka_unit_test(test_one_request_is_enough),
      cmocka_unit_test(test_layout),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
