/* POMCP where measuring is decided with the action: on the model that is planned on it finds what the search proves.
 * Rollouts that never ask do not ask there either.  Covers src/planners/pomcp.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/planning.h"

/* A fork: one comes to a good place (.8) or a bad one (.2); going on is worth 1 in the good one and 0 in the bad one
 * and ends, going back leads to the start.  For a price one is told, together with an action, where it has led. */
static glimpse_model *fork_make(double discount, double price) {
  enum { START, GOOD, BAD, END };
  glimpse_builder *builder = glimpse_builder_new(4, 2, 2);
  assert_non_null(builder);
  glimpse_builder_discount(builder, discount);
  glimpse_builder_start(builder, START, 1);
  glimpse_builder_transition(builder, 0, START, GOOD, 0.8);
  glimpse_builder_transition(builder, 0, START, BAD, 0.2);
  glimpse_builder_transition(builder, 0, GOOD, END, 1);
  glimpse_builder_transition(builder, 0, BAD, END, 1);
  for (uint32_t s = START; s <= BAD; s++) glimpse_builder_transition(builder, 1, s, START, 1);
  for (uint32_t a = 0; a < 2; a++) {
    glimpse_builder_transition(builder, a, END, END, 1);
    for (uint32_t s = START; s <= END; s++) glimpse_builder_observation(builder, a, s, s == END, 1);
  }
  glimpse_builder_reward(builder, 0, GOOD, GLIMPSE_ANY, GLIMPSE_ANY, 1);
  uint32_t look;
  glimpse_inquiry inquiry = {.name = "look", .timing = GLIMPSE_TIMING_JOINT};
  assert_int_equal(glimpse_builder_inquiry(builder, &inquiry, &look), GLIMPSE_OK);
  assert_int_equal(glimpse_builder_inquiry_price(builder, look, GLIMPSE_ANY, price), GLIMPSE_OK);
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_builder_finish(builder, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(builder);
  return model;
}

/* At the start: measuring with the first action pays below .16 g^3, and is then worth (.8 g - k) / (1 - .2 g^2). */
static void test_fork(void **state) {
  (void)state;
  double g = 0.95, most = 0.16 * g * g * g;
  for (int dear = 0; dear < 2; dear++) {
    double price = dear ? 1.3 * most : 0.5 * most;
    double expected = dear ? 0.8 * g : (0.8 * g - price) / (1 - 0.2 * g * g);
    planning p;
    planning_of(&p, fork_make(g, price));
    const glimpse_model *planned = glimpse_model_planning(p.model);
    assert_true(planned != p.model && !glimpse_model_requests(planned));
    planning_planner(&p, &(glimpse_planner_options){.kind = GLIMPSE_PLANNER_AEMS_LOOP});
    glimpse_decision best = planning_decide(&p, (glimpse_budget){.expansions = 1000});
    assert_true(best.lower <= expected + 1e-9 && best.upper >= expected - 1e-9 && best.upper - best.lower < 1e-3);
    planning_planner(&p, &(glimpse_planner_options){.kind = GLIMPSE_PLANNER_POMCP});
    glimpse_decision d = planning_decide(&p, (glimpse_budget){.expansions = 20000});
    glimpse_move move = glimpse_planning_move(planned, 0, d.action);
    assert_false(d.ask);
    assert_int_equal(d.action, best.action);
    assert_true(move.action == 0 && (move.inquiry == 0) == !dear);
    /* A mean over simulations, some of which try what is worse. */
    if (d.value > expected + 0.02 || d.value < expected - 0.08) fail_msg("%.9g, not %.9g", d.value, expected);
    planning_stop(&p);
  }
}

/* One state, one action that earns 1 for ever, and something to ask at a price that nobody would pay. */
static glimpse_model *endless_make(double discount, glimpse_timing timing) {
  glimpse_builder *builder = glimpse_builder_new(1, 1, 1);
  assert_non_null(builder);
  glimpse_builder_discount(builder, discount);
  glimpse_builder_transition(builder, 0, 0, 0, 1);
  glimpse_builder_observation(builder, 0, 0, 0, 1);
  glimpse_builder_reward(builder, 0, 0, GLIMPSE_ANY, GLIMPSE_ANY, 1);
  uint32_t asked;
  glimpse_inquiry inquiry = {.name = "dear", .timing = timing, .answers = 2};
  assert_int_equal(glimpse_builder_inquiry(builder, &inquiry, &asked), GLIMPSE_OK);
  assert_int_equal(glimpse_builder_inquiry_price(builder, asked, GLIMPSE_ANY, 1000), GLIMPSE_OK);
  for (uint32_t z = 0; z < 2; z++)
    assert_int_equal(glimpse_builder_inquiry_answer(builder, asked, GLIMPSE_ANY, z, 0.5), GLIMPSE_OK);
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_builder_finish(builder, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(builder);
  return model;
}

/* Two simulations try each of the two choices once, so that the one not to ask is worth a reward and a rollout: silent
 * ones earn all of 1/(1-g) but the hundredth or less that they leave, random ones pay. */
static void test_silence(void **state) {
  (void)state;
  const double g = 0.9;
  for (int timing = 0; timing < GLIMPSE_TIMINGS; timing++) {
    for (int silent = 0; silent < 2; silent++) {
      planning p;
      planning_of(&p, endless_make(g, (glimpse_timing)timing));
      planning_planner(&p,
                       &(glimpse_planner_options){.kind = GLIMPSE_PLANNER_POMCP,
                                                  .rollout = silent ? GLIMPSE_ROLLOUT_SILENT : GLIMPSE_ROLLOUT_RANDOM});
      glimpse_decision d = planning_decide(&p, (glimpse_budget){.expansions = 2});
      if (silent && !(d.value > 0.989 / (1 - g) && d.value < 1 / (1 - g) + 1e-9))
        fail_msg("timing %d: silent rollouts come to %.9g", timing, d.value);
      if (!silent && d.value > -1000) fail_msg("timing %d: random rollouts come to %.9g", timing, d.value);
      planning_stop(&p);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_fork), cmocka_unit_test(test_silence)};
  return cmocka_run_group_tests_name("pomcp_joint", tests, NULL, NULL);
}
