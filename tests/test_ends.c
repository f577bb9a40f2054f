/* Ends: when the episode is over nobody is asked, so a terminal state costs nothing, also where nobody sees that it was
 * reached.  Two models with values in closed form, all planners and bounds, and episodes, which must earn what was
 * promised (tests/test_random_models.c has random ones, family "hidden"). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/planning.h"

enum { A, B, GONE, EPISODES = 4000 };
static const double discount = 0.95, cost = 0.5;

/* In a and b one has to guess which it is, for `prize` or minus it; then it is over with probability `end`, else a or b
 * follow, equally likely.  Nothing is ever seen.  It is over already with probability `over`. */
static glimpse_model *guessing(double prize, double end, double over) {
  glimpse_builder *b = glimpse_builder_new(3, 2, 1);
  glimpse_builder_discount(b, discount);
  glimpse_builder_cost(b, GLIMPSE_ANY, cost);
  glimpse_builder_observation(b, GLIMPSE_ANY, GLIMPSE_ANY, 0, 1);
  glimpse_builder_transition(b, GLIMPSE_ANY, GONE, GONE, 1);
  for (uint32_t s = A; s <= B; s++) {
    glimpse_builder_start(b, s, (1 - over) / 2);
    if (end > 0) glimpse_builder_transition(b, GLIMPSE_ANY, s, GONE, end);
    for (uint32_t other = A; other <= B; other++) {
      glimpse_builder_transition(b, GLIMPSE_ANY, s, other, (1 - end) / 2);
      glimpse_builder_reward(b, other, s, GLIMPSE_ANY, GLIMPSE_ANY, s == other ? prize : -prize);
    }
  }
  if (over > 0) glimpse_builder_start(b, GONE, over);
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_builder_finish(b, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(b);
  assert_true(glimpse_model_terminal(model, GONE) && glimpse_model_cost(model, GONE) == cost);
  return model;
}

/* One asks in every step, as long as it is not over. */
static double worth(double prize, double end, double over) {
  return (1 - over) * (prize - cost) / (1 - discount * (1 - end));
}

static void check_planners(planning *p, double value) {
  for (glimpse_planner_kind kind = 0; kind < GLIMPSE_PLANNER_KINDS; kind++) {
    planning_planner(p, &(glimpse_planner_options){.kind = kind});
    glimpse_decision d = planning_decide(
        p, (glimpse_budget){.expansions = glimpse_planner_traits(kind) & GLIMPSE_TRAIT_RANDOM ? 20000 : 2000});
    if (!(glimpse_planner_traits(kind) & (GLIMPSE_TRAIT_BOUNDS | GLIMPSE_TRAIT_FOLLOWS))) {
      if (glimpse_planner_traits(kind) & GLIMPSE_TRAIT_RANDOM) /* it comes from below, and slowly */
        assert_true(d.ask && d.value < value);
      continue;
    }
    if (!(d.lower <= value + 1e-9 && d.upper >= value - 1e-9))
      fail_msg("%s: [%f, %f], not %f", glimpse_planner_key(kind), d.lower, d.upper, value);
    if (kind == GLIMPSE_PLANNER_POLICY) continue; /* it knows nothing of other choices */
    glimpse_choice ask = glimpse_planner_choice(p->planner, GLIMPSE_ANY);
    assert_true(ask.lower <= value + 1e-9 && ask.upper >= value - 1e-9);
    if (d.stop == GLIMPSE_STOP_SOLVED) assert_float_equal(d.lower, value, 1e-6);
  }
}

static void check_equivalent(const planning *p, double value) {
  glimpse_model *equivalent = NULL;
  assert_int_equal(glimpse_model_equivalent(p->model, NULL, &equivalent), GLIMPSE_OK);
  planning q;
  planning_of(&q, equivalent);
  planning_planner(&q, &(glimpse_planner_options){0});
  glimpse_decision d = planning_decide(&q, (glimpse_budget){.expansions = 20000});
  assert_int_equal(d.stop, GLIMPSE_STOP_SOLVED);
  assert_float_equal(d.lower, sqrt(discount) * value, 1e-5);
  planning_stop(&q);
}

/* Episodes earn between the bounds of a solved search, within 4 standard errors. */
static void check_episodes(const planning *p, glimpse_planner_kind kind, double value) {
  glimpse_episode *results = calloc(EPISODES, sizeof *results);
  assert_non_null(results);
  glimpse_run how = {.episodes = EPISODES, .seed = 3, .budget = {.expansions = 200}, .planner = {.kind = kind}};
  assert_int_equal(glimpse_run_episodes(p->model, p->offline, &how, NULL, results), GLIMPSE_OK);
  double sum = 0, square = 0;
  for (int i = 0; i < EPISODES; i++) sum += results[i].total;
  double mean = sum / EPISODES;
  for (int i = 0; i < EPISODES; i++) square += (results[i].total - mean) * (results[i].total - mean);
  double error = sqrt(square / EPISODES / (EPISODES - 1));
  assert_true(error > 0 && error < 0.1);
  if (fabs(mean - value) > 4 * error) fail_msg("earns %f +- %f, not %f", mean, error, value);
  free(results);
}

static void check(double prize, double end, double over) {
  planning p;
  planning_of(&p, guessing(prize, end, over));
  double value = worth(prize, end, over);
  check_planners(&p, value);
  check_equivalent(&p, value);
  if (end > 0) {
    check_episodes(&p, GLIMPSE_PLANNER_AEMS_LOOP, value);
    check_episodes(&p, GLIMPSE_PLANNER_ALWAYS_ASK, value);
  }
  planning_stop(&p);
}

static void test_over_already(void **state) {
  (void)state;
  check(1, 0, 0.8);
  check(1, 0, 0);
}

static void test_over_unseen(void **state) {
  (void)state;
  check(2, 0.5, 0);
  check(2, 0.5, 0.3);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_over_already), cmocka_unit_test(test_over_unseen)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
