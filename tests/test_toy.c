/* The toy of the appendix: exact values by expectimax over beliefs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/environment.h"
#include "support/price.h"

enum { STATES = 8, START = 0, END = 7, DEPTH = 4 };

static double act(const glimpse_model *model, const double *belief, uint32_t a, int depth);

/* N: the best action without asking; after DEPTH steps everything has ended. */
static double best_action(const glimpse_model *model, const double *belief, int depth) {
  if (depth == 0) {
    assert_float_equal(belief[END], 1, 1e-12);
    return 0;
  }
  return fmax(act(model, belief, 0, depth), act(model, belief, 1, depth));
}

/* V: ask or not. */
static double decide(const glimpse_model *model, const double *belief, int depth) {
  double value = best_action(model, belief, depth);
  if (!glimpse_model_requests(model)) return value;
  double ask = 0;
  for (uint32_t s = 0; s < STATES; s++) {
    if (belief[s] == 0) continue;
    double corner[STATES] = {0};
    corner[s] = 1;
    ask += belief[s] * (best_action(model, corner, depth) - price_in(model, s));
  }
  return fmax(value, ask);
}

/* Q of an action, observation by observation. */
static double act(const glimpse_model *model, const double *belief, uint32_t a, int depth) {
  double value = 0;
  for (uint32_t s = 0; s < STATES; s++) value += belief[s] * glimpse_model_reward(model, a, s);
  for (uint32_t o = 0; o < glimpse_model_count(model, GLIMPSE_OBSERVATION); o++) {
    double next[STATES] = {0}, probability = 0;
    for (uint32_t s = 0; s < STATES; s++) {
      glimpse_row row = glimpse_model_transition(model, a, s);
      for (size_t i = 0; i < row.count; i++) {
        glimpse_row sight = glimpse_model_observation(model, a, row.index[i]);
        for (size_t j = 0; j < sight.count; j++)
          if (sight.index[j] == o) next[row.index[i]] += belief[s] * row.value[i] * sight.value[j];
      }
    }
    for (uint32_t s = 0; s < STATES; s++) probability += next[s];
    if (probability == 0) continue;
    for (uint32_t s = 0; s < STATES; s++) next[s] /= probability;
    value += glimpse_model_discount(model) * probability * decide(model, next, depth - 1);
  }
  return value;
}

static void check_values(double c, const char *gamma) {
  char spec[64], number[GLIMPSE_NUMBER_SIZE];
  glimpse_number_write(c, number);
  snprintf(spec, sizeof spec, "toy:c=%s,gamma=%s", number, gamma);
  glimpse_model *model = environment_make(spec);
  double start[STATES] = {0};
  start[START] = 1;
  double first = act(model, start, 0, DEPTH), second = act(model, start, 1, DEPTH);
  double one = c > 0 ? fmax(5, 10 - 2 * c) : 5, two = c > 0 ? fmax(4.5, 9 - c) : 4.5; /* c=0: no requests */
  if (fabs(first - one) > 1e-12 || fabs(second - two) > 1e-12)
    fail_msg("%s: Q1 = %.15g, Q2 = %.15g, should be %.15g and %.15g", spec, first, second, one, two);
  if (c > 1 && c < 4) assert_true(second > first);
  if (c < 1 || c > 4.5) assert_true(first > second);
  glimpse_model_free(model);
}

static void test_values(void **state) {
  (void)state;
  static const double costs[] = {0, 0.01, 0.5, 0.99, 1, 1.01, 2, 2.4, 2.5, 2.6, 3, 3.99, 4, 4.01, 4.5, 6, 100};
  for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
    check_values(costs[i], "0.99");
    check_values(costs[i], "0.5");
    check_values(costs[i], "1");
  }
}

static void test_model(void **state) {
  (void)state;
  glimpse_model *model = environment_make("toy");
  assert_int_equal(glimpse_model_count(model, GLIMPSE_STATE), STATES);
  assert_int_equal(glimpse_model_count(model, GLIMPSE_ACTION), 2);
  assert_int_equal(glimpse_model_count(model, GLIMPSE_OBSERVATION), 5);
  environment_check(model, environment_find(model, GLIMPSE_STATE, "end"));
  assert_int_equal(environment_find(model, GLIMPSE_STATE, "begin"), START);
  assert_float_equal(environment_mdp(model), 10, 1e-12); /* everything known */
  assert_float_equal(glimpse_model_discount(model), 0.99, 0);
  assert_true(glimpse_model_requests(model));
  assert_float_equal(glimpse_model_cost(model, START), 2, 0);
  assert_float_equal(glimpse_model_cost(model, environment_find(model, GLIMPSE_STATE, "first-left")), 2 / 0.99, 1e-15);
  glimpse_model_free(model);
  model = environment_make("toy:c=0");
  assert_false(glimpse_model_requests(model));
  glimpse_model_free(model);
}

/* Both sides of a coin look alike, different coins do not. */
static void test_sight(void **state) {
  (void)state;
  static const char *const pairs[][2] = {
      {"begin", "begin"},         {"first-left", "first"},   {"first-right", "first"},   {"second-left", "second"},
      {"second-right", "second"}, {"single-left", "single"}, {"single-right", "single"}, {"end", "end"}};
  glimpse_model *model = environment_make("toy");
  for (size_t i = 0; i < STATES; i++) {
    for (uint32_t a = 0; a < 2; a++) {
      glimpse_row row = glimpse_model_observation(model, a, environment_find(model, GLIMPSE_STATE, pairs[i][0]));
      assert_int_equal(row.count, 1);
      assert_int_equal(row.index[0], environment_find(model, GLIMPSE_OBSERVATION, pairs[i][1]));
    }
  }
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values),
      cmocka_unit_test(test_model),
      cmocka_unit_test(test_sight),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
