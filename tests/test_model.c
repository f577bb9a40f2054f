/* Model: access to the parts of a model, and the two settings that may change. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "model/builder.h"
#include "model/model.h"

static const uint32_t any = GLIMPSE_ANY;

static glimpse_model *finish(glimpse_builder *builder) {
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_builder_finish(builder, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(builder);
  return model;
}

/* Stay, see nothing. */
static glimpse_builder *still(uint32_t states, uint32_t actions, uint32_t observations) {
  glimpse_builder *builder = glimpse_builder_new(states, actions, observations);
  assert_non_null(builder);
  gli_builder_row_identity(builder, GLI_TRANSITION, any, any);
  glimpse_builder_observation(builder, any, any, 0, 1);
  return builder;
}

static void test_counts_and_names(void **state) {
  (void)state;
  glimpse_builder *builder = still(2, 3, 4);
  static const char *const actions[] = {"listen", "open-left", "open-right"};
  for (uint32_t a = 0; a < 3; a++) glimpse_builder_name(builder, GLIMPSE_ACTION, a, actions[a]);
  glimpse_builder_name(builder, GLIMPSE_STATE, 1, "listen"); /* each kind has its own names */
  glimpse_builder_name(builder, GLIMPSE_STATE, 0, "other");
  glimpse_model *model = finish(builder);
  assert_int_equal(glimpse_model_count(model, GLIMPSE_STATE), 2);
  assert_int_equal(glimpse_model_count(model, GLIMPSE_ACTION), 3);
  assert_int_equal(glimpse_model_count(model, GLIMPSE_OBSERVATION), 4);
  assert_int_equal(glimpse_model_count(model, (glimpse_kind)3), 0);
  assert_true(glimpse_model_named(model, GLIMPSE_STATE));
  assert_true(glimpse_model_named(model, GLIMPSE_ACTION));
  assert_false(glimpse_model_named(model, GLIMPSE_OBSERVATION));
  assert_string_equal(glimpse_model_name(model, GLIMPSE_ACTION, 2), "open-right");
  assert_string_equal(glimpse_model_name(model, GLIMPSE_OBSERVATION, 3), "3");
  assert_null(glimpse_model_name(model, GLIMPSE_ACTION, 3));
  assert_null(glimpse_model_name(model, GLIMPSE_OBSERVATION, 4));
  assert_null(glimpse_model_name(model, GLIMPSE_STATE, any));

  assert_int_equal(glimpse_model_find(model, GLIMPSE_ACTION, "listen"), 0);
  assert_int_equal(glimpse_model_find(model, GLIMPSE_STATE, "listen"), 1);
  assert_int_equal(glimpse_model_find(model, GLIMPSE_STATE, "open-left"), any);
  assert_int_equal(glimpse_model_find(model, GLIMPSE_STATE, "1"), 1); /* a number always will do */
  assert_int_equal(glimpse_model_find(model, GLIMPSE_OBSERVATION, "3"), 3);
  static const char *const nothing[] = {"4",   "",      "-1",  "+1",         "1 ",         " 1",
                                        "1.0", "1e0",   "0x1", "4294967296", "4294967295", "18446744073709551617",
                                        "3a",  "listen"};
  for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
    if (glimpse_model_find(model, GLIMPSE_OBSERVATION, nothing[i]) != any) fail_msg("'%s' was found", nothing[i]);
  glimpse_model_free(model);
  glimpse_model_free(NULL);
}

static void test_thousands_of_names(void **state) {
  (void)state;
  enum { COUNT = 5000 };
  glimpse_builder *builder = still(COUNT, 1, 1);
  char text[16];
  for (uint32_t s = COUNT; s-- > 0;) {
    snprintf(text, sizeof text, "s%u", (unsigned)(s * 3));
    assert_int_equal(glimpse_builder_name(builder, GLIMPSE_STATE, s, text), GLIMPSE_OK);
  }
  glimpse_model *model = finish(builder);
  for (uint32_t s = 0; s < COUNT; s++) {
    snprintf(text, sizeof text, "s%u", (unsigned)(s * 3));
    assert_int_equal(glimpse_model_find(model, GLIMPSE_STATE, text), s);
    assert_string_equal(glimpse_model_name(model, GLIMPSE_STATE, s), text);
  }
  assert_int_equal(glimpse_model_find(model, GLIMPSE_STATE, "s1"), any);
  glimpse_model_free(model);
}

static void test_discount(void **state) {
  (void)state;
  glimpse_model *model = finish(still(1, 1, 1));
  static const double bad[] = {-0.1, 1.0000000000000002, NAN, INFINITY, -INFINITY};
  assert_int_equal(glimpse_model_set_discount(model, 0.25), GLIMPSE_OK);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_int_equal(glimpse_model_set_discount(model, bad[i]), GLIMPSE_BAD_ARGUMENT);
    assert_true(glimpse_model_discount(model) == 0.25); /* unchanged */
  }
  assert_int_equal(glimpse_model_set_discount(model, -0.0), GLIMPSE_OK);
  assert_true(glimpse_model_discount(model) == 0 && !signbit(glimpse_model_discount(model)));
  assert_int_equal(glimpse_model_set_discount(model, 1), GLIMPSE_OK);
  assert_true(glimpse_model_discount(model) == 1);
  glimpse_model_free(model);
}

static void test_plannable(void **state) {
  (void)state;
  glimpse_model *model = finish(still(1, 1, 1)); /* the default discount is 1 */
  glimpse_report *report = glimpse_report_new();
  assert_int_equal(glimpse_model_plannable(model, report), GLIMPSE_NOT_APPLICABLE);
  assert_int_equal(glimpse_report_count(report, GLIMPSE_ERROR), 1);
  assert_non_null(strstr(glimpse_report_get(report, 0)->text, "the discount is 1"));
  assert_int_equal(glimpse_model_plannable(model, NULL), GLIMPSE_NOT_APPLICABLE);
  static const double good[] = {0, 0.5, 0.9999999999999999};
  for (size_t i = 0; i < 3; i++) {
    assert_int_equal(glimpse_model_set_discount(model, good[i]), GLIMPSE_OK);
    assert_int_equal(glimpse_model_plannable(model, report), GLIMPSE_OK);
  }
  assert_int_equal(glimpse_report_count(report, GLIMPSE_ERROR), 1);
  glimpse_report_free(report);
  glimpse_model_free(model);
}

static void test_cost(void **state) {
  (void)state;
  glimpse_builder *builder = still(3, 1, 1);
  for (uint32_t s = 0; s < 3; s++) glimpse_builder_cost(builder, s, 1 + s);
  glimpse_builder_reward(builder, 0, 0, GLIMPSE_ANY, GLIMPSE_ANY, 1);
  glimpse_builder_reward(builder, 0, 2, GLIMPSE_ANY, GLIMPSE_ANY, 1);
  glimpse_model *model = finish(builder);
  static const uint32_t index[] = {0, 2}, ended[] = {1, 2};
  static const double value[] = {0.25, 0.75};
  glimpse_row belief = {2, index, value}, over = {2, ended, value};
  assert_true(gli_model_price_at(model, belief) == 0.25 * 1 + 0.75 * 3);
  /* State 1 is terminal: it has a cost, but nobody is asked. */
  assert_true(glimpse_model_cost(model, 1) == 2 && gli_model_price(model, 1) == 0);
  assert_true(gli_model_price_at(model, over) == 0.75 * 3);
  static const double bad[] = {-1, NAN, INFINITY};
  for (size_t i = 0; i < 3; i++) {
    assert_int_equal(glimpse_model_set_cost(model, bad[i]), GLIMPSE_BAD_ARGUMENT);
    assert_true(glimpse_model_cost(model, 2) == 3 && !glimpse_model_cost_uniform(model));
  }
  assert_int_equal(glimpse_model_set_cost(model, 0.125), GLIMPSE_OK);
  assert_true(glimpse_model_cost_uniform(model) && glimpse_model_requests(model));
  for (uint32_t s = 0; s < 3; s++) assert_true(glimpse_model_cost(model, s) == 0.125);
  assert_true(gli_model_price_at(model, belief) == 0.125);
  assert_true(gli_model_price(model, 1) == 0 && gli_model_price_at(model, over) == 0.75 * 0.125);
  assert_int_equal(glimpse_model_set_cost(model, -0.0), GLIMPSE_OK);
  assert_false(glimpse_model_requests(model));
  assert_true(glimpse_model_cost(model, 0) == 0 && !signbit(glimpse_model_cost(model, 0)));
  glimpse_model_free(model);
}

/* Terminal: nothing but itself can follow, and nothing is paid, whatever one does. */
static void test_terminal(void **state) {
  (void)state;
  glimpse_builder *builder = still(7, 2, 2);
  /* 0 is terminal.  1 leaves under one action, 2 with a small probability. */
  glimpse_builder_transition(builder, 1, 1, 1, 0);
  glimpse_builder_transition(builder, 1, 1, 0, 1);
  glimpse_builder_transition(builder, 0, 2, 2, 0.999999);
  glimpse_builder_transition(builder, 0, 2, 0, 0.000001);
  /* 3 pays under one action, 4 pays in one observation, with mean 0 over both. */
  glimpse_builder_reward(builder, 1, 3, any, any, 1);
  glimpse_builder_observation(builder, any, 4, any, 0.5);
  glimpse_builder_reward(builder, 0, 4, any, 0, 1);
  glimpse_builder_reward(builder, 0, 4, any, 1, -1);
  /* 5 would pay for steps that it cannot take, 6 is off by 1e-6: both terminal. */
  glimpse_builder_reward(builder, any, 5, 6, any, 1);
  glimpse_builder_reward(builder, any, 5, any, 1, 1);
  glimpse_builder_transition(builder, any, 6, 6, 1.000001);
  glimpse_model *model = finish(builder);
  static const bool expected[] = {true, false, false, false, false, true, true};
  for (uint32_t s = 0; s < 7; s++)
    if (glimpse_model_terminal(model, s) != expected[s]) fail_msg("state %u is misjudged", s);
  assert_true(glimpse_model_reward(model, 0, 4) == 0);
  assert_int_equal(glimpse_model_measure(model).terminals, 3);
  glimpse_model_free(model);
}

/* Rows ascend, hold no zeros, sum to 1; sizes tell what is there. */
static void test_rows_and_sizes(void **state) {
  (void)state;
  for (unsigned seed = 0; seed < 100; seed++) {
    gli_random random = gli_random_stream(seed, "model", 0);
    uint32_t states = 1 + gli_random_below(&random, 9), actions = 1 + gli_random_below(&random, 3);
    uint32_t observations = 1 + gli_random_below(&random, 9);
    glimpse_builder *builder = glimpse_builder_new(states, actions, observations);
    gli_builder_row_uniform(builder, GLI_TRANSITION, any, any);
    gli_builder_row_uniform(builder, GLI_OBSERVATION, any, any);
    for (int i = 0; i < 20; i++) { /* single rows, written from the right */
      uint32_t a = gli_random_below(&random, actions), s = gli_random_below(&random, states);
      gli_builder_row_clear(builder, GLI_TRANSITION, a, s);
      uint32_t first = gli_random_below(&random, states);
      for (uint32_t s2 = states; s2-- > first;) glimpse_builder_transition(builder, a, s, s2, 1.0 / (states - first));
    }
    glimpse_model *model = finish(builder);
    uint64_t transitions = 0, seen = 0;
    for (uint32_t a = 0; a < actions; a++)
      for (uint32_t s = 0; s < states; s++)
        for (int table = 0; table < 2; table++) {
          glimpse_row row = table ? glimpse_model_observation(model, a, s) : glimpse_model_transition(model, a, s);
          double sum = 0;
          for (size_t i = 0; i < row.count; i++) {
            sum += row.value[i];
            if ((i && row.index[i] <= row.index[i - 1]) || !(row.value[i] > 0)) fail_msg("seed %u: a bad row", seed);
          }
          if (fabs(sum - 1) > 1e-14) fail_msg("seed %u: a row sums to %.17g", seed, sum);
          *(table ? &seen : &transitions) += row.count;
        }
    glimpse_model_sizes sizes = glimpse_model_measure(model);
    if (sizes.transitions != transitions || sizes.observations != seen || sizes.rewards != 0)
      fail_msg("seed %u: wrong sizes", seed);
    if (sizes.bytes < 12 * (transitions + seen)) fail_msg("seed %u: too few bytes", seed);
    glimpse_model_free(model);
  }
}

static void test_reward_range(void **state) {
  (void)state;
  glimpse_builder *builder = still(2, 2, 1);
  glimpse_builder_reward(builder, 0, 1, any, any, -3);
  glimpse_builder_reward(builder, 1, 0, any, any, 4);
  glimpse_model *model = finish(builder);
  double low, high;
  gli_model_reward_range(model, &low, &high);
  assert_true(low == -3 && high == 4);
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_counts_and_names),
      cmocka_unit_test(test_thousands_of_names),
      cmocka_unit_test(test_discount),
      cmocka_unit_test(test_plannable),
      cmocka_unit_test(test_cost),
      cmocka_unit_test(test_terminal),
      cmocka_unit_test(test_rows_and_sizes),
      cmocka_unit_test(test_reward_range),
  };
  return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
