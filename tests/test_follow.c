/* Following a policy: step by step as the policy says, without memory; off the plan as the header says; and it earns
 * what its certificate promises. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "policy/policy.h"
#include "support/failing_malloc.h"

static const glimpse_budget nothing = {0};

typedef struct case_of {
  glimpse_model *model;
  glimpse_policy *policy;
  glimpse_planner *planner;
  glimpse_agent *agent;
} case_of;

static void open_case(case_of *c, const char *spec, double relative) {
  glimpse_solve_options how = {.relative = relative};
  glimpse_solve_result result;
  assert_int_equal(glimpse_environment_make(spec, NULL, &c->model), GLIMPSE_OK);
  assert_int_equal(glimpse_policy_solve(c->model, spec, &how, NULL, &result, &c->policy), GLIMPSE_OK);
  glimpse_planner_options options = {.kind = GLIMPSE_PLANNER_POLICY, .policy = c->policy};
  assert_int_equal(glimpse_planner_new(c->model, NULL, &options, NULL, &c->planner), GLIMPSE_OK);
  c->agent = glimpse_agent_new(c->model, c->planner, NULL);
  assert_non_null(c->agent);
}

static void close_case(case_of *c) {
  glimpse_agent_free(c->agent);
  glimpse_planner_free(c->planner);
  glimpse_policy_free(c->policy);
  glimpse_model_free(c->model);
}

static uint32_t draw(gli_random *random, glimpse_row row) {
  double left = gli_random_unit(random);
  for (size_t i = 0; i + 1 < row.count; i++)
    if ((left -= row.value[i]) < 0) return row.index[i];
  return row.index[row.count - 1];
}

/* An agent and a walk by hand make the same choices; planning allocates nothing. */
static void walks(void **state) {
  (void)state;
  case_of c;
  open_case(&c, "robot-delivery:n=3", 0.1);
  gli_random random = gli_random_stream(7, "walks", 0);
  for (unsigned episode = 0; episode < 20; episode++) {
    uint32_t node = 0, s = draw(&random, glimpse_model_start(c.model));
    glimpse_decision decision;
    assert_int_equal(glimpse_agent_begin(c.agent, episode), GLIMPSE_OK);
    for (unsigned step = 0; step < 60 && !glimpse_model_terminal(c.model, s); step++) {
      failing_malloc_set(1, true);
      assert_int_equal(glimpse_agent_decide(c.agent, &nothing, &decision), GLIMPSE_OK);
      assert_int_equal(failing_malloc_failures(), 0);
      failing_malloc_set(0, false);
      assert_int_equal(decision.stop, GLIMPSE_STOP_RULE);
      assert_int_equal(isnan(decision.lower), step > 0);
      uint32_t choice = glimpse_policy_choice(c.policy, node);
      assert_int_equal(decision.ask, choice == GLIMPSE_ANY);
      if (decision.ask) {
        assert_int_equal(glimpse_agent_reveal(c.agent, s, &decision), GLIMPSE_OK);
        node = glimpse_policy_step(c.policy, node, s);
        choice = glimpse_policy_choice(c.policy, node);
      }
      assert_int_equal(decision.action, choice);
      s = draw(&random, glimpse_model_transition(c.model, choice, s));
      uint32_t o = draw(&random, glimpse_model_observation(c.model, choice, s));
      assert_int_equal(glimpse_agent_observe(c.agent, choice, o), GLIMPSE_OK);
      node = glimpse_policy_step(c.policy, node, o);
      assert_int_not_equal(node, GLIMPSE_ANY);
    }
  }
  close_case(&c);
}

static double product(const double *values, glimpse_row belief) {
  double sum = 0;
  for (size_t i = 0; i < belief.count; i++) sum += belief.value[i] * values[belief.index[i]];
  return sum;
}

/* Where the policy does not begin, the node that is worth most. */
static void goes_on_off_the_plan(void **state) {
  (void)state;
  case_of c;
  open_case(&c, "robot-delivery:n=3", 0.1);
  glimpse_policy_info info = glimpse_policy_measure(c.policy);
  double *values = calloc((size_t)info.nodes * info.states, sizeof *values);
  assert_int_equal(glimpse_policy_values(c.policy, c.model, NULL, values), GLIMPSE_OK);
  for (uint32_t s = 0; s < info.states; s += 7) {
    uint32_t states[] = {s, s + 1};
    double masses[] = {0.25, 0.75};
    glimpse_row belief = {s + 1 < info.states ? 2 : 1, states, masses};
    glimpse_decision decision;
    assert_int_equal(glimpse_agent_begin_at(c.agent, belief, 0), GLIMPSE_OK);
    assert_int_equal(glimpse_agent_decide(c.agent, &nothing, &decision), GLIMPSE_OK);
    assert_int_equal(decision.stop, GLIMPSE_STOP_OFF_PLAN);
    belief = glimpse_belief_row(glimpse_agent_belief(c.agent));
    uint32_t best = 0;
    for (uint32_t n = 1; n < info.nodes; n++)
      if (product(values + (size_t)n * info.states, belief) > product(values + (size_t)best * info.states, belief))
        best = n;
    assert_int_equal(decision.action, glimpse_policy_choice(c.policy, best));
  }
  free(values);
  close_case(&c);
}

/* Nobody answers, or the state is told though nobody asked: an action comes all the same. */
static void acts_without_answers(void **state) {
  (void)state;
  case_of c;
  open_case(&c, "tiger", 0.01);
  glimpse_decision decision;
  assert_int_equal(glimpse_agent_begin(c.agent, 0), GLIMPSE_OK);
  assert_int_equal(glimpse_agent_decide(c.agent, &nothing, &decision), GLIMPSE_OK);
  assert_true(decision.ask);
  assert_int_equal(glimpse_agent_no_answer(c.agent, &decision), GLIMPSE_OK);
  assert_false(decision.ask);
  assert_in_range(decision.action, 0, 2);
  assert_int_equal(glimpse_agent_observe(c.agent, decision.action, 0), GLIMPSE_OK);
  assert_int_equal(glimpse_agent_decide(c.agent, &nothing, &decision), GLIMPSE_OK);
  assert_int_equal(decision.stop, GLIMPSE_STOP_OFF_PLAN);
  glimpse_forecast steps[4];
  assert_int_equal(glimpse_agent_begin(c.agent, 0), GLIMPSE_OK);
  assert_int_equal(glimpse_planner_forecast(c.planner, steps, 4), 4);
  assert_true(steps[0].ask && steps[0].action == (steps[0].state ? 1 : 2));
  close_case(&c);
}

/* With offline bounds and a budget a search takes over, and tells its bounds. */
static void searches_off_the_plan(void **state) {
  (void)state;
  case_of c;
  open_case(&c, "tiger", 0.01);
  glimpse_offline *offline;
  assert_int_equal(glimpse_offline_new(c.model, glimpse_offline_upper(c.model), NULL, NULL, &offline), GLIMPSE_OK);
  glimpse_planner_options options = {.kind = GLIMPSE_PLANNER_POLICY, .policy = c.policy};
  glimpse_planner *planner;
  assert_int_equal(glimpse_planner_new(c.model, offline, &options, NULL, &planner), GLIMPSE_OK);
  glimpse_agent *agent = glimpse_agent_new(c.model, planner, NULL);
  const glimpse_budget budget = {.expansions = 20};
  uint32_t states[] = {0, 1};
  double masses[] = {0.9, 0.1};
  glimpse_decision decision;
  assert_int_equal(glimpse_agent_begin_at(agent, (glimpse_row){2, states, masses}, 0), GLIMPSE_OK);
  for (int step = 0; step < 3; step++) {
    assert_int_equal(glimpse_agent_decide(agent, &budget, &decision), GLIMPSE_OK);
    assert_int_equal(decision.stop, GLIMPSE_STOP_OFF_PLAN);
    assert_true(decision.lower <= decision.upper && decision.lower > 100);
    if (decision.ask) assert_int_equal(glimpse_agent_reveal(agent, 1, &decision), GLIMPSE_OK);
    assert_int_equal(glimpse_agent_observe(agent, decision.action, 0), GLIMPSE_OK);
  }
  assert_int_equal(glimpse_agent_begin(agent, 1), GLIMPSE_OK); /* back on the plan */
  assert_int_equal(glimpse_agent_decide(agent, &budget, &decision), GLIMPSE_OK);
  assert_int_equal(decision.stop, GLIMPSE_STOP_RULE);
  glimpse_agent_free(agent);
  glimpse_planner_free(planner);
  glimpse_offline_free(offline);
  close_case(&c);
}

static void refuses(void **state) {
  (void)state;
  case_of c;
  open_case(&c, "tiger", 0.01);
  glimpse_planner *planner;
  glimpse_report *report = glimpse_report_new();
  glimpse_planner_options options = {.kind = GLIMPSE_PLANNER_POLICY};
  assert_int_equal(glimpse_planner_new(c.model, NULL, &options, report, &planner), GLIMPSE_BAD_ARGUMENT);
  assert_string_equal(glimpse_report_get(report, 0)->text, "this planner follows a policy, and was given none");
  options.policy = c.policy;
  assert_int_equal(glimpse_model_set_cost(c.model, 2), GLIMPSE_OK);
  assert_int_equal(glimpse_planner_new(c.model, NULL, &options, report, &planner), GLIMPSE_BAD_MODEL);
  assert_string_equal(glimpse_report_get(report, 1)->text,
                      "the policy is not of this model, or the model has changed since");
  assert_null(planner);
  double values[64];
  assert_int_equal(glimpse_policy_values(c.policy, c.model, report, values), GLIMPSE_BAD_MODEL);
  glimpse_report_free(report);
  close_case(&c);
}

/* The certificate's lower bound is what episodes earn. */
static void keeps_its_promise(void **state) {
  (void)state;
  static const char *const specs[] = {"tiger", "robot-delivery:n=3", "tiger:cost=0"};
  enum { EPISODES = 1500 };
  for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
    glimpse_model *model;
    glimpse_policy *policy;
    glimpse_solve_options how = {.relative = 0.05};
    glimpse_solve_result result;
    const char *spec = i == 2 ? "tiger" : specs[i];
    assert_int_equal(glimpse_environment_make(spec, NULL, &model), GLIMPSE_OK);
    if (i == 2) assert_int_equal(glimpse_model_set_cost(model, 0), GLIMPSE_OK);
    assert_int_equal(glimpse_policy_solve(model, spec, &how, NULL, &result, &policy), GLIMPSE_OK);
    glimpse_run run = {.episodes = EPISODES,
                       .seed = 5,
                       .max_steps = 400,
                       .planner = {.kind = GLIMPSE_PLANNER_POLICY, .policy = policy}};
    static glimpse_episode results[EPISODES];
    static double totals[EPISODES];
    assert_int_equal(glimpse_run_episodes(model, NULL, &run, NULL, results), GLIMPSE_OK);
    for (size_t k = 0; k < EPISODES; k++) totals[k] = results[k].total;
    glimpse_statistic statistic = glimpse_statistic_of(totals, EPISODES);
    double lower = glimpse_policy_measure(policy).lower;
    assert_true(fabs(statistic.mean - lower) <= 3 * statistic.se + 1e-6);
    assert_true(results[0].lower == lower);
    glimpse_policy_free(policy);
    glimpse_model_free(model);
  }
}

static glimpse_status run_off_plan(void *context) {
  case_of *c = context;
  glimpse_planner_options options = {.kind = GLIMPSE_PLANNER_POLICY, .policy = c->policy};
  glimpse_planner *planner = NULL;
  glimpse_decision decision;
  uint32_t s = 0;
  double one = 1;
  glimpse_status status = glimpse_planner_new(c->model, NULL, &options, NULL, &planner);
  if (!status) status = glimpse_planner_begin(planner, (glimpse_row){1, &s, &one}, 0);
  if (!status) status = glimpse_planner_plan(planner, &nothing, &decision);
  glimpse_planner_free(planner);
  return status;
}

static glimpse_status make_equivalent(void *context) {
  case_of *c = context;
  glimpse_model *model = NULL;
  glimpse_policy *policy = NULL;
  glimpse_status status = glimpse_model_equivalent(c->model, NULL, &model);
  if (!status) status = glimpse_policy_equivalent(c->policy, model, NULL, &policy);
  glimpse_policy_free(policy);
  glimpse_model_free(model);
  return status;
}

static void runs_out_of_memory(void **state) {
  (void)state;
  case_of c;
  open_case(&c, "tiger", 0.01);
  assert_true(failing_malloc_sweep(run_off_plan, &c) > 5);
  assert_true(failing_malloc_sweep(make_equivalent, &c) > 5);
  close_case(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(walks),
      cmocka_unit_test(goes_on_off_the_plan),
      cmocka_unit_test(acts_without_answers),
      cmocka_unit_test(searches_off_the_plan),
      cmocka_unit_test(refuses),
      cmocka_unit_test(keeps_its_promise),
      cmocka_unit_test(runs_out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
