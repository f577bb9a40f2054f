/* Extremes: numbers at the ends of what a model may hold.  A price that nobody would pay
 * must not drown the other values in its rounding, and observations so improbable that
 * products of their probabilities lose their digits must leave all bounds finite. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/random.h"
#include "support/planning.h"
#include "support/pomdp.h"

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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_price), cmocka_unit_test(test_rare),
                                     cmocka_unit_test(test_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
