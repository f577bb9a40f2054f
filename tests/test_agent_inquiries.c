/* Agents of models with inquiries: calls that make no sense here and now, and what happens when something impossible is
 * seen. What was refused changes nothing.
 *
 * Covers src/agent/agent.c, src/agent/phases.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "glimpse.h"

enum { STATE, LOOK }; /* the state comes first */
static const uint32_t none = GLIMPSE_ANY;

typedef struct lamp {
  glimpse_model *model;
  glimpse_offline *offline;
  glimpse_planner *planner;
  glimpse_agent *agent;
} lamp;

/* A lamp that is seen after each action: 0 leaves it as it is, 1 switches it. It pays while it is on. To ask costs. */
static glimpse_model *lamp_model(glimpse_timing timing, double failure, uint32_t horizon) {
  glimpse_builder *b = glimpse_builder_new(2, 2, 2);
  assert_non_null(b);
  glimpse_builder_discount(b, 0.9);
  glimpse_builder_cost(b, GLIMPSE_ANY, 0.5);
  for (uint32_t s = 0; s < 2; s++) {
    glimpse_builder_transition(b, 0, s, s, 1);
    glimpse_builder_transition(b, 1, s, 1 - s, 1);
    glimpse_builder_observation(b, GLIMPSE_ANY, s, s, 1);
  }
  glimpse_builder_reward(b, GLIMPSE_ANY, GLIMPSE_ANY, 1, GLIMPSE_ANY, 1);
  glimpse_builder_start(b, 0, 1);
  uint32_t look;
  glimpse_builder_inquiry(b, &(glimpse_inquiry){.name = "look", .timing = timing, .answers = 2}, &look);
  for (uint32_t s = 0; s < 2; s++) glimpse_builder_inquiry_answer(b, look, s, s, 1);
  glimpse_builder_inquiry_price(b, look, GLIMPSE_ANY, 0.1);
  glimpse_builder_inquiry_failure(b, look, GLIMPSE_ANY, failure);
  glimpse_builder_limits(b, &(glimpse_limits){.horizon = horizon});
  glimpse_model *model;
  assert_int_equal(glimpse_builder_finish(b, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(b);
  return model;
}

static lamp light(glimpse_model *model, bool asks) {
  lamp x = {.model = model};
  glimpse_bound_options once = {.threads = 1};
  assert_int_equal(glimpse_offline_new(model, glimpse_offline_upper(model), &once, NULL, &x.offline), GLIMPSE_OK);
  assert_int_equal(glimpse_planner_new(model, x.offline, NULL, NULL, &x.planner), GLIMPSE_OK);
  x.agent = glimpse_agent_new(model, x.planner, &(glimpse_agent_options){.ask_when_lost = asks});
  assert_non_null(x.agent);
  assert_int_equal(glimpse_agent_begin(x.agent, 0), GLIMPSE_OK);
  return x;
}

static void dark(lamp *x) {
  glimpse_agent_free(x->agent);
  glimpse_planner_free(x->planner);
  glimpse_offline_free(x->offline);
  glimpse_model_free(x->model);
}

static const glimpse_budget some = {.expansions = 50};
static const glimpse_timing timings[] = {GLIMPSE_TIMING_BEFORE, GLIMPSE_TIMING_STEP, GLIMPSE_TIMING_JOINT};

static double lit(const lamp *x) {
  return glimpse_belief_probability(glimpse_agent_belief(x->agent), 1);
}

static void expect(const lamp *x, glimpse_phase phase, double on) {
  assert_int_equal(glimpse_agent_stand(x->agent).phase, phase);
  assert_true(lit(x) == on);
}

/* Nothing can be told before something was decided or searched for. */
static void test_too_early(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    lamp x = light(lamp_model(timings[i], 0, 0), false);
    glimpse_decision d;
    assert_int_equal(glimpse_agent_answer(x.agent, LOOK, 0, &d), GLIMPSE_BAD_ARGUMENT);
    assert_int_equal(glimpse_agent_reveal(x.agent, 0, &d), GLIMPSE_BAD_ARGUMENT);
    assert_int_equal(glimpse_agent_no_answer(x.agent, &d), GLIMPSE_BAD_ARGUMENT);
    assert_int_equal(glimpse_agent_observe(x.agent, 0, 0), GLIMPSE_BAD_ARGUMENT);
    assert_int_equal(glimpse_agent_observe_answer(x.agent, 0, 0, LOOK, 0), GLIMPSE_BAD_ARGUMENT);
    expect(&x, GLIMPSE_PHASE_DECIDE, 0);
    dark(&x);
  }
}

/* After a search any choice may be told, but only what there is. */
static void test_what_there_is_not(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    lamp x = light(lamp_model(timings[i], 0.5, 0), false);
    bool joint = timings[i] == GLIMPSE_TIMING_JOINT;
    glimpse_decision d;
    assert_int_equal(glimpse_agent_search(x.agent, &some, &d), GLIMPSE_OK);
    assert_int_equal(glimpse_agent_answer(x.agent, 2, 0, NULL), GLIMPSE_BAD_ARGUMENT);
    assert_int_equal(glimpse_agent_answer(x.agent, none, 0, NULL), GLIMPSE_BAD_ARGUMENT);
    assert_int_equal(glimpse_agent_answer(x.agent, LOOK, 3, NULL), GLIMPSE_BAD_ARGUMENT);
    assert_int_equal(glimpse_agent_answer(x.agent, LOOK, 1, NULL), joint ? GLIMPSE_BAD_ARGUMENT : GLIMPSE_IMPOSSIBLE);
    assert_int_equal(glimpse_agent_observe_answer(x.agent, GLIMPSE_ANY, 0, LOOK, 0), GLIMPSE_BAD_ARGUMENT);
    assert_int_equal(glimpse_agent_observe_answer(x.agent, 2, 0, none, none), GLIMPSE_BAD_ARGUMENT);
    assert_int_equal(glimpse_agent_observe_answer(x.agent, 0, 0, 2, 0), GLIMPSE_BAD_ARGUMENT);
    assert_int_equal(glimpse_agent_observe(x.agent, 0, 2), GLIMPSE_BAD_ARGUMENT);
    assert_int_equal(glimpse_agent_observe(x.agent, 0, 1), GLIMPSE_IMPOSSIBLE);
    assert_int_equal(glimpse_agent_observe_answer(x.agent, 0, 0, LOOK, joint ? 3 : 0), GLIMPSE_BAD_ARGUMENT);
    expect(&x, GLIMPSE_PHASE_DECIDE, 0);
    assert_int_equal(glimpse_agent_stand(x.agent).layer, 0); /* it may still ask */
    if (joint) assert_int_equal(glimpse_agent_observe_answer(x.agent, 1, 1, LOOK, 1), GLIMPSE_OK);
    else {
      assert_int_equal(glimpse_agent_answer(x.agent, LOOK, 0, NULL), GLIMPSE_OK);
      expect(&x, GLIMPSE_PHASE_DECIDE, 0);
      assert_false(glimpse_agent_stand(x.agent).surprised);
      assert_int_equal(glimpse_agent_observe(x.agent, 1, 1), GLIMPSE_BAD_ARGUMENT); /* searched once, told once */
      assert_int_equal(glimpse_agent_search(x.agent, &some, &d), GLIMPSE_OK);
      assert_int_equal(glimpse_agent_observe(x.agent, 1, 1), GLIMPSE_OK);
    }
    expect(&x, GLIMPSE_PHASE_DECIDE, 1);
    dark(&x);
  }
}

/* A lamp that is seen off though it was switched on: refused, and then somebody says how it is. */
static void test_put_right(void **state) {
  (void)state;
  for (int i = 0; i < 12; i++) {
    lamp x = light(lamp_model(timings[i / 2 % 3], 0, 0), false);
    glimpse_decision d;
    bool slices = i > 5; /* a search leaves it where it may still ask */
    assert_int_equal((slices ? glimpse_agent_search : glimpse_agent_decide)(x.agent, &some, &d), GLIMPSE_OK);
    assert_true(!d.ask && d.action == 1 && d.inquiry == none); /* there is nothing to ask */
    assert_int_equal(glimpse_agent_observe(x.agent, 1, 0), GLIMPSE_IMPOSSIBLE);
    glimpse_stand stand = glimpse_agent_stand(x.agent);
    assert_true(stand.surprised && !stand.lost && stand.probability == 0);
    expect(&x, slices ? GLIMPSE_PHASE_DECIDE : GLIMPSE_PHASE_OBSERVATION, 0);
    assert_int_equal(glimpse_agent_reveal(x.agent, 2, &d), GLIMPSE_BAD_ARGUMENT);
    assert_true(glimpse_agent_stand(x.agent).surprised);
    assert_int_equal(glimpse_agent_reveal(x.agent, 0, i % 2 ? NULL : &d), GLIMPSE_OK);
    assert_false(glimpse_agent_stand(x.agent).surprised);
    expect(&x, i % 2 ? GLIMPSE_PHASE_DECIDE : GLIMPSE_PHASE_OBSERVATION, 0);
    if (i % 2) assert_int_equal(glimpse_agent_decide(x.agent, &some, &d), GLIMPSE_OK);
    assert_true(d.action == 1);
    assert_int_equal(glimpse_agent_observe(x.agent, 1, 1), GLIMPSE_OK);
    expect(&x, GLIMPSE_PHASE_DECIDE, 1);
    dark(&x);
  }
}

/* Which of two states there is nobody sees; one of two actions fits.  The second observation never comes. */
static glimpse_model *unseen_model(void) {
  glimpse_builder *b = glimpse_builder_new(2, 2, 2);
  assert_non_null(b);
  glimpse_builder_discount(b, 0.9);
  glimpse_builder_cost(b, GLIMPSE_ANY, 0.1);
  for (uint32_t s = 0; s < 2; s++) {
    glimpse_builder_transition(b, GLIMPSE_ANY, s, s, 1);
    glimpse_builder_observation(b, GLIMPSE_ANY, s, 0, 1);
    glimpse_builder_reward(b, s, s, GLIMPSE_ANY, GLIMPSE_ANY, 1);
    glimpse_builder_reward(b, 1 - s, s, GLIMPSE_ANY, GLIMPSE_ANY, -1);
    glimpse_builder_start(b, s, 0.5);
  }
  uint32_t look;
  glimpse_builder_inquiry(b, &(glimpse_inquiry){.name = "look", .answers = 2}, &look);
  for (uint32_t s = 0; s < 2; s++) glimpse_builder_inquiry_answer(b, look, s, 0, 1);
  glimpse_builder_inquiry_price(b, look, GLIMPSE_ANY, 0.1);
  glimpse_builder_limits(b, &(glimpse_limits){.horizon = 3});
  glimpse_model *model;
  assert_int_equal(glimpse_builder_finish(b, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(b);
  return model;
}

/* What is told after the next decision has asked is an answer, and does not stand for what was refused before. */
static void test_asked_since(void **state) {
  (void)state;
  glimpse_stand stand[2];
  glimpse_decision d[2];
  for (int surprised = 0; surprised < 2; surprised++) {
    lamp x = light(unseen_model(), false);
    glimpse_decision *now = &d[surprised];
    if (surprised) {
      assert_int_equal(glimpse_agent_search(x.agent, &some, now), GLIMPSE_OK);
      assert_int_equal(glimpse_agent_observe(x.agent, 0, 1), GLIMPSE_IMPOSSIBLE);
      assert_true(glimpse_agent_stand(x.agent).surprised);
    }
    assert_int_equal(glimpse_agent_decide(x.agent, &some, now), GLIMPSE_OK);
    assert_true(now->ask && now->inquiry == STATE);
    assert_int_equal(glimpse_agent_reveal(x.agent, 1, now), GLIMPSE_OK);
    assert_int_equal(now->action, 1);
    stand[surprised] = glimpse_agent_stand(x.agent);
    assert_false(stand[surprised].surprised);
    dark(&x);
  }
  assert_int_equal(stand[0].layer, stand[1].layer);
  assert_true(fabs(d[0].lower - d[1].lower) < 1e-6 && fabs(d[0].lower - 2.71) < 1e-6); /* 1 + .9 + .81 */
}

/* Lost, it asks for the state, which is told for sure, however cheap the other question is. */
static void test_lost(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    lamp x = light(lamp_model(timings[i], 0.5, 0), true);
    glimpse_decision d;
    assert_int_equal(glimpse_agent_decide(x.agent, &some, &d), GLIMPSE_OK);
    assert_int_equal(glimpse_agent_observe(x.agent, 1, 0), GLIMPSE_OK);
    assert_true(glimpse_agent_stand(x.agent).lost && glimpse_agent_stand(x.agent).probability == 0);
    expect(&x, GLIMPSE_PHASE_DECIDE, 0.5);
    assert_int_equal(glimpse_agent_decide(x.agent, &some, &d), GLIMPSE_OK);
    assert_true(d.ask && d.inquiry == STATE);
    if (timings[i] != GLIMPSE_TIMING_JOINT) { /* somebody looked instead, and saw nothing: it stays lost */
      assert_int_equal(glimpse_agent_answer(x.agent, LOOK, 2, NULL), GLIMPSE_OK);
      assert_true(glimpse_agent_stand(x.agent).lost);
      assert_int_equal(glimpse_agent_decide(x.agent, &some, &d), GLIMPSE_OK);
      assert_false(d.ask); /* and asks again after an action */
      assert_int_equal(glimpse_agent_observe(x.agent, d.action, 1), GLIMPSE_OK);
      assert_true(glimpse_agent_stand(x.agent).lost);
      expect(&x, GLIMPSE_PHASE_DECIDE, 1);
      assert_int_equal(glimpse_agent_decide(x.agent, &some, &d), GLIMPSE_OK);
      assert_true(d.ask && d.inquiry == STATE);
    }
    uint32_t s = lit(&x) == 1;
    assert_int_equal(glimpse_agent_reveal(x.agent, s, &d), GLIMPSE_OK);
    assert_false(glimpse_agent_stand(x.agent).lost);
    expect(&x, GLIMPSE_PHASE_OBSERVATION, s);
    assert_true(!d.ask && d.action == 1 - s);
    dark(&x);
  }
}

/* Behind the horizon nothing is planned or told. */
static void test_over(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    lamp x = light(lamp_model(timings[i], 0, 1), i % 2);
    glimpse_decision d;
    glimpse_prospect list[16];
    assert_true(glimpse_agent_prospects_most(x.model) <= 16);
    assert_int_equal(glimpse_agent_decide(x.agent, &some, &d), GLIMPSE_OK);
    assert_true(d.action == 1 && fabs(d.lower - 1) < 1e-9 && fabs(d.upper - 1) < 1e-6);
    uint32_t choices = glimpse_agent_prospects(x.agent, list);
    assert_true(choices >= 2);
    assert_int_equal(glimpse_agent_observe(x.agent, 1, 1), GLIMPSE_OK);
    assert_true(isnan(glimpse_agent_stand(x.agent).probability));
    assert_int_equal(glimpse_agent_decide(x.agent, &some, &d), GLIMPSE_NOT_APPLICABLE);
    assert_int_equal(glimpse_agent_search(x.agent, &some, &d), GLIMPSE_NOT_APPLICABLE);
    assert_int_equal(glimpse_agent_observe(x.agent, 1, 1), GLIMPSE_BAD_ARGUMENT);
    assert_int_equal(glimpse_agent_prospects(x.agent, list), choices); /* as they were */
    assert_int_equal(glimpse_agent_begin(x.agent, 1), GLIMPSE_OK);
    expect(&x, GLIMPSE_PHASE_DECIDE, 0);
    assert_int_equal(glimpse_agent_decide(x.agent, &some, &d), GLIMPSE_OK);
    dark(&x);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_too_early), cmocka_unit_test(test_what_there_is_not),
      cmocka_unit_test(test_put_right), cmocka_unit_test(test_asked_since),
      cmocka_unit_test(test_lost),      cmocka_unit_test(test_over),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
