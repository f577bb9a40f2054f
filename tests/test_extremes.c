/* Extremes: numbers at the ends of what a model may hold.  A price that nobody would pay
 * must not drown the other values in its rounding, and observations so improbable that
 * products of their probabilities lose their digits must leave all bounds finite.  Rewards
 * next to the largest number and sums of thousands of entries are no exception. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/random.h"
#include "support/planning.h"
#include "support/pomdp.h"
#include "support/precise.h"
#include "support/random_model.h"

static glimpse_decision decide(const char *spec) {
  planning p;
  planning_start(&p, spec);
  glimpse_planner_options options = {0};
  planning_planner(&p, &options);
  glimpse_decision decision = planning_decide(&p, (glimpse_budget){.expansions = 500});
  planning_stop(&p);
  return decision;
}

static void test_price(void **state) {
  (void)state;
  glimpse_decision dear = decide("tiger:c=1000"), prohibitive = decide("tiger:c=1e12");
  assert_false(prohibitive.ask);
  assert_int_equal(prohibitive.action, dear.action);
  assert_true(fabs(prohibitive.lower - dear.lower) < 1e-9 && fabs(prohibitive.upper - dear.upper) < 1e-9);
}

/* Two steps show the second observation with a probability near 1e-310 or below. */
static const char rare[] =
    "discount: 0.9\nvalues: reward\nstates: 2\nactions: 2\nobservations: 3\nstart: 0.5 0.5\n# glimpse: cost 0.3\n"
    "T: *\n1 1e-160\n0.25 0.75\nO: 0\n1 1e-310 0\n0.5 1e-155 0.5\nO: 1\n0.5 0 0.5\n1 0 0\n"
    "R: 0 : 0 : * : * 1\nR: 1 : 1 : * : * 1\n";

static void test_rare(void **state) {
  (void)state;
  planning p;
  planning_of(&p, pomdp_read(rare));
  double lower = -INFINITY, upper = INFINITY;
  for (glimpse_planner_kind kind = GLIMPSE_PLANNER_AEMS_SR; kind <= GLIMPSE_PLANNER_AEMS_LOOP; kind++)
    for (glimpse_rule rule = GLIMPSE_RULE_AEMS; rule < GLIMPSE_RULES; rule++)
      for (int paper = 0; paper < 2; paper++) {
        glimpse_planner_options options = {.kind = kind, .rule = rule, .paper = paper};
        planning_planner(&p, &options);
        glimpse_decision d = planning_decide(&p, (glimpse_budget){.expansions = 100});
        assert_true(isfinite(d.lower) && isfinite(d.upper) && d.lower <= d.upper);
        for (uint32_t a = 0; a < 2; a++) {
          glimpse_choice choice = glimpse_planner_choice(p.planner, a);
          assert_true(isfinite(choice.lower) && isfinite(choice.upper) && choice.lower <= choice.upper);
        }
        lower = fmax(lower, d.lower);
        upper = fmin(upper, d.upper);
      }
  assert_true(lower <= upper); /* all of them contain the value */
  planning_stop(&p);
}

/* Rows of such numbers, at random: an observation may then be certain of its state or
 * not, depending on the order of the multiplications. */
static void random_row(gli_random *random, double *row, uint32_t count) {
  static const double tiny[] = {1e-17, 1e-155, 1e-160, 1e-300, 1e-310};
  for (uint32_t i = 0; i < count; i++) row[i] = gli_random_unit(random) < 0.6 ? tiny[gli_random_below(random, 5)] : 0;
  row[gli_random_below(random, count)] = 1;
}

static glimpse_model *random_rare(uint64_t seed) {
  enum { STATES = 3, ACTIONS = 2, OBSERVATIONS = 6 };
  gli_random random = gli_random_stream(seed, "rare", 0);
  glimpse_builder *builder = glimpse_builder_new(STATES, ACTIONS, OBSERVATIONS);
  glimpse_builder_discount(builder, 0.9);
  for (uint32_t s = 0; s < STATES; s++) glimpse_builder_cost(builder, s, 0.01);
  for (uint32_t a = 0; a < ACTIONS; a++)
    for (uint32_t s = 0; s < STATES; s++) {
      double next[STATES], shown[OBSERVATIONS];
      random_row(&random, next, STATES);
      random_row(&random, shown, OBSERVATIONS);
      for (uint32_t i = 0; i < STATES; i++) glimpse_builder_transition(builder, a, s, i, next[i]);
      for (uint32_t i = 0; i < OBSERVATIONS; i++) glimpse_builder_observation(builder, a, s, i, shown[i]);
      glimpse_builder_reward(builder, a, s, GLIMPSE_ANY, GLIMPSE_ANY, gli_random_unit(&random));
    }
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_builder_finish(builder, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(builder);
  return model;
}

static void test_random(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 60; seed++) {
    planning p;
    planning_of(&p, random_rare(seed));
    double lower = -INFINITY, upper = INFINITY;
    for (glimpse_planner_kind kind = GLIMPSE_PLANNER_AEMS_SR; kind <= GLIMPSE_PLANNER_AEMS_LOOP; kind++) {
      glimpse_planner_options options = {.kind = kind};
      planning_planner(&p, &options);
      glimpse_decision d = planning_decide(&p, (glimpse_budget){.expansions = 40});
      lower = fmax(lower, d.lower);
      upper = fmin(upper, d.upper);
      if (!(isfinite(d.lower) && isfinite(d.upper) && lower <= upper)) fail_msg("seed %llu", (unsigned long long)seed);
    }
    planning_stop(&p);
  }
}

/* Rewards next to the largest number: expectations do not overflow, and whoever adds them up
 * over time refuses to. */
static void test_largest_rewards(void **state) {
  (void)state;
  enum { STATES = 7 };
  glimpse_builder *builder = glimpse_builder_new(STATES, 2, 3);
  gli_random random = gli_random_stream(1, "largest", 0);
  glimpse_builder_discount(builder, 0.5);
  for (uint32_t a = 0; a < 2; a++)
    for (uint32_t s = 0; s < STATES; s++) {
      double row[STATES], sum = 0;
      for (uint32_t i = 0; i < STATES; i++) sum += row[i] = 0.01 + gli_random_unit(&random);
      for (uint32_t i = 0; i < STATES; i++) glimpse_builder_transition(builder, a, s, i, row[i] / sum);
      for (uint32_t o = 0; o < 3; o++) glimpse_builder_observation(builder, a, s, o, o == 2 ? 0.4 : 0.3);
      for (uint32_t i = 0; i < STATES; i++) /* not all the same, or there would be nothing to add up */
        glimpse_builder_reward(builder, a, s, i, GLIMPSE_ANY, (a ? -1 : 1) * (i ? DBL_MAX : DBL_MAX * (1 - 0x1p-53)));
    }
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_builder_finish(builder, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(builder);
  for (uint32_t s = 0; s < STATES; s++) {
    assert_true(glimpse_model_reward(model, 0, s) >= DBL_MAX * (1 - 0x1p-50));
    assert_true(glimpse_model_reward(model, 1, s) <= -DBL_MAX * (1 - 0x1p-50));
    assert_true(isfinite(glimpse_model_reward(model, 0, s)) && isfinite(glimpse_model_reward(model, 1, s)));
  }
  glimpse_bound *bound = NULL;
  glimpse_planner *planner = NULL;
  glimpse_planner_options pomcp = {.kind = GLIMPSE_PLANNER_POMCP};
  assert_int_equal(glimpse_bound_new(model, GLIMPSE_BOUND_BLIND, NULL, NULL, &bound), GLIMPSE_NOT_APPLICABLE);
  assert_int_equal(glimpse_planner_new(model, NULL, &pomcp, NULL, &planner), GLIMPSE_NOT_APPLICABLE);
  assert_null(bound);
  assert_null(planner);
  glimpse_model_free(model);
}

/* Values far beyond the floats that order the search: it goes the same way as at any other size. */
static void test_sizes(void **state) {
  (void)state;
  static const double sizes[] = {1, 0x1p-800, 0x1p-200, 0x1p-60, 0x1p100, 0x1p200, 0x1p800};
  for (uint64_t seed = 0; seed < 6; seed++) {
    double lower = NAN, upper = NAN;
    uint64_t nodes = 0;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      random_shape shape = random_model_shape(seed + 40, 4, 3, 3);
      shape.discount = 0.9;
      shape.low = -sizes[k];
      shape.high = sizes[k];
      shape.cost = sizes[k] / 8;
      shape.cost_by_state = false;
      planning p = {.model = random_model_make(seed, &shape)};
      glimpse_bound_options enough = {.tolerance = 1e-9 * sizes[k], .threads = 1};
      assert_int_equal(glimpse_offline_new(p.model, glimpse_offline_upper(p.model), &enough, NULL, &p.offline),
                       GLIMPSE_OK);
      planning_planner(&p, &(glimpse_planner_options){0});
      glimpse_decision d = planning_decide(&p, (glimpse_budget){.expansions = 60});
      if (k == 0) lower = d.lower, upper = d.upper, nodes = d.nodes;
      assert_int_equal(d.nodes, nodes);
      assert_true(fabs(d.lower / sizes[k] - lower) <= 1e-9 && fabs(d.upper / sizes[k] - upper) <= 1e-9);
      planning_stop(&p);
    }
  }
}

/* A belief of thousands of states: adding up rounds more than any one entry does.  With a
 * discount of 0 the value is known without any iteration. */
static void test_long_sums(void **state) {
  (void)state;
  enum { STATES = 3000 };
  for (uint64_t seed = 0; seed < 20; seed++) {
    gli_random random = gli_random_stream(seed, "sums", 0);
    glimpse_builder *builder = glimpse_builder_new(STATES, 1, 1);
    precise value = precise_of(0), sum = precise_of(0);
    glimpse_builder_discount(builder, 0);
    double total = 0;
    static double reward[STATES], start[STATES];
    for (uint32_t s = 0; s < STATES; s++) total += start[s] = 0.5 + gli_random_unit(&random);
    for (uint32_t s = 0; s < STATES; s++) {
      reward[s] = 1 + gli_random_unit(&random) * (seed % 2 ? 1 : 1e-6);
      glimpse_builder_transition(builder, 0, s, s, 1);
      glimpse_builder_observation(builder, 0, s, 0, 1);
      glimpse_builder_reward(builder, 0, s, GLIMPSE_ANY, GLIMPSE_ANY, reward[s]);
      glimpse_builder_start(builder, s, start[s] / total);
    }
    planning p;
    glimpse_model *model = NULL;
    assert_int_equal(glimpse_builder_finish(builder, NULL, &model), GLIMPSE_OK);
    glimpse_builder_free(builder);
    glimpse_row at = glimpse_model_start(model);
    for (size_t i = 0; i < at.count; i++) {
      sum = precise_add(sum, precise_of(at.value[i]));
      value = precise_add(value, precise_multiply(precise_of(at.value[i]), precise_of(reward[at.index[i]])));
    }
    value = precise_divide(value, sum);
    planning_of(&p, model);
    planning_planner(&p, &(glimpse_planner_options){0});
    glimpse_decision d = planning_decide(&p, (glimpse_budget){.expansions = 2});
    const double lower[] = {d.offline_lower, d.lower}, upper[] = {d.offline_upper, d.upper};
    for (int i = 0; i < 2; i++)
      if (precise_below(value, lower[i]) || precise_above(value, upper[i]))
        fail_msg("seed %llu, %d: %.17g not in [%.17g, %.17g]", (unsigned long long)seed, i, precise_value(value),
                 lower[i], upper[i]);
    planning_stop(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_price),     cmocka_unit_test(test_rare),
                                     cmocka_unit_test(test_random),    cmocka_unit_test(test_largest_rewards),
                                     cmocka_unit_test(test_long_sums), cmocka_unit_test(test_sizes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
