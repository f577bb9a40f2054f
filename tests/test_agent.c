/* Agent: the order of the calls, belief tracking, and what happens when something
 * impossible is observed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "support/failing_malloc.h"
#include "support/planning.h"

static const glimpse_budget few = {.expansions = 20};

typedef struct acting {
  planning p;
  glimpse_agent *agent;
} acting;

static void begin(acting *x, const char *spec, const glimpse_planner_options *options,
                  const glimpse_agent_options *agent) {
  planning_start(&x->p, spec);
  planning_planner(&x->p, options);
  x->agent = glimpse_agent_new(x->p.model, x->p.planner, agent);
  assert_non_null(x->agent);
  assert_int_equal(glimpse_agent_begin(x->agent, 0), GLIMPSE_OK);
}

static void end(acting *x) {
  glimpse_agent_free(x->agent);
  planning_stop(&x->p);
}

static double belief(const acting *x, uint32_t s) {
  return glimpse_belief_probability(glimpse_agent_belief(x->agent), s);
}

/* ------------------------------------------------------------------- phases */

static void test_asking(void **state) {
  (void)state;
  acting x;
  begin(&x, "tiger:c=1", NULL, NULL);
  assert_ptr_equal(glimpse_agent_planner(x.agent), x.p.planner);
  glimpse_decision d;
  for (int i = 0; i < 5; i++) {
    assert_int_equal(glimpse_agent_observe(x.agent, 0, 0), GLIMPSE_BAD_ARGUMENT); /* nothing was done */
    assert_int_equal(glimpse_agent_reveal(x.agent, 0, &d), GLIMPSE_BAD_ARGUMENT); /* nothing was asked */
    assert_int_equal(glimpse_agent_decide(x.agent, &few, &d), GLIMPSE_OK);
    assert_true(d.ask && d.action == GLIMPSE_ANY); /* at a price of 1, always */
    assert_int_equal(glimpse_agent_decide(x.agent, &few, &d), GLIMPSE_BAD_ARGUMENT);
    assert_int_equal(glimpse_agent_observe(x.agent, 0, 0), GLIMPSE_BAD_ARGUMENT);
    assert_int_equal(glimpse_agent_reveal(x.agent, 2, &d), GLIMPSE_BAD_ARGUMENT); /* no such state */
    assert_int_equal(glimpse_agent_reveal(x.agent, i % 2, &d), GLIMPSE_OK);
    assert_false(d.ask);
    assert_int_equal(d.action, i % 2 ? 1 : 2); /* the door without the tiger */
    assert_true(belief(&x, (uint32_t)i % 2) == 1);
    assert_int_equal(glimpse_agent_reveal(x.agent, 0, &d), GLIMPSE_BAD_ARGUMENT);
    assert_int_equal(glimpse_agent_observe(x.agent, d.action, 0), GLIMPSE_OK);
    assert_float_equal(belief(&x, 0), 0.5, 1e-12);
  }
  end(&x);
}

/* An episode may begin at any belief; one that is none leaves the agent in its place. */
static void test_begin_at(void **state) {
  (void)state;
  acting x;
  begin(&x, "tiger:c=1", NULL, NULL);
  glimpse_decision d;
  const uint32_t both[] = {1, 0}, same[] = {1, 1}, beyond[] = {0, 2}, left = 0;
  const double odds[] = {3, 1}, nothing[] = {0, 0}, negative[] = {2, -1}, one = 1;
  assert_int_equal(glimpse_agent_begin_at(x.agent, (glimpse_row){2, both, odds}, 1), GLIMPSE_OK);
  assert_true(belief(&x, 1) == 0.75);
  assert_int_equal(glimpse_agent_decide(x.agent, &few, &d), GLIMPSE_OK);
  assert_true(d.ask);
  const glimpse_row wrong[] = {
      {2, same, odds}, {2, beyond, odds}, {2, both, nothing}, {2, both, negative}, {0, NULL, NULL}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    assert_int_equal(glimpse_agent_begin_at(x.agent, wrong[i], 2), GLIMPSE_BAD_ARGUMENT);
    assert_true(belief(&x, 1) == 0.75);
  }
  assert_int_equal(glimpse_agent_reveal(x.agent, 0, &d), GLIMPSE_OK); /* it still waits for the state */
  assert_int_equal(d.action, 2);
  assert_int_equal(glimpse_agent_begin_at(x.agent, (glimpse_row){1, &left, &one}, 3), GLIMPSE_OK);
  assert_int_equal(glimpse_agent_decide(x.agent, &few, &d), GLIMPSE_OK);
  assert_true(!d.ask && d.action == 2);
  end(&x);
}

/* Without requests: listening is believed by Bayes' rule, in every kind of planner. */
static void test_listening(void **state) {
  (void)state;
  for (int kind = 0; kind < 3; kind++) {
    acting x;
    begin(&x, "tiger:c=0", &(glimpse_planner_options){.kind = (glimpse_planner_kind)kind}, NULL);
    double left = 0.5;
    glimpse_decision d;
    for (int i = 0; i < 8; i++) {
      assert_int_equal(glimpse_agent_decide(x.agent, &few, &d), GLIMPSE_OK);
      assert_false(d.ask);
      uint32_t heard = i % 3 == 2;
      assert_int_equal(glimpse_agent_observe(x.agent, 0, heard), GLIMPSE_OK); /* whatever was decided: it listens */
      double here = heard ? 0.15 : 0.85;
      left = left * here / (left * here + (1 - left) * (1 - here));
      assert_float_equal(belief(&x, 0), left, 1e-12);
      if (left > 0.97) assert_true(glimpse_agent_decide(x.agent, &few, &d) == GLIMPSE_OK && d.action == 2);
    }
    end(&x);
  }
}

/* The budget of a step is for both of its decisions. */
static void test_budget(void **state) {
  (void)state;
  acting x;
  begin(&x, "tag", NULL, NULL);
  glimpse_decision d, after;
  assert_int_equal(glimpse_agent_decide(x.agent, &(glimpse_budget){.expansions = 0, .time = NAN}, &d),
                   GLIMPSE_BAD_ARGUMENT);
  bool asked = false;
  for (uint32_t i = 0; i < 60; i++) {
    assert_int_equal(glimpse_agent_decide(x.agent, &(glimpse_budget){.expansions = 50, .decided = true}, &d),
                     GLIMPSE_OK);
    assert_true(d.expansions <= 50);
    uint32_t action = d.action;
    if (d.ask) {
      uint32_t s = glimpse_belief_row(glimpse_agent_belief(x.agent)).index[0];
      assert_int_equal(glimpse_agent_reveal(x.agent, s, &after), GLIMPSE_OK);
      assert_false(after.ask);
      assert_true(d.expansions + after.expansions <= (d.expansions < 50 ? 50 : 51));
      asked = true;
      action = after.action;
    }
    glimpse_row now = glimpse_belief_row(glimpse_agent_belief(x.agent));
    glimpse_row next = glimpse_model_transition(x.p.model, action, now.index[now.count - 1]);
    uint32_t o = glimpse_model_observation(x.p.model, action, next.index[0]).index[0];
    assert_int_equal(glimpse_agent_observe(x.agent, action, o), GLIMPSE_OK);
  }
  assert_true(asked);
  end(&x);
}

/* So is its time: what is decided after the answer has the rest, and when there is none,
 * one expansion.  Neither depends on how fast the machine is: there is no time at all, or
 * more than enough. */
static void test_budget_of_time(void **state) {
  (void)state;
  acting x;
  begin(&x, "tiger:c=1", NULL, NULL);
  glimpse_decision d, after;
  for (int i = 0; i < 4; i++) {
    bool hurry = i % 2 == 0;
    glimpse_budget budget = {.time = hurry ? 1e-9 : 1e6, .expansions = hurry ? 0 : 30};
    assert_int_equal(glimpse_agent_begin(x.agent, (uint64_t)i), GLIMPSE_OK);
    assert_int_equal(glimpse_agent_decide(x.agent, &budget, &d), GLIMPSE_OK);
    assert_true(d.ask && d.seconds > 0);
    if (!hurry) assert_int_not_equal(d.stop, GLIMPSE_STOP_TIME);
    assert_int_equal(glimpse_agent_reveal(x.agent, 0, &after), GLIMPSE_OK);
    assert_false(after.ask);
    assert_int_equal(after.action, 2); /* the other door */
    assert_int_not_equal(after.stop, GLIMPSE_STOP_TIME);
    if (hurry) assert_true(after.expansions <= 1);
  }
  end(&x);
}

static void test_not_begun(void **state) {
  (void)state;
  planning p;
  glimpse_decision d;
  planning_start(&p, "tiger");
  assert_int_equal(glimpse_planner_new(p.model, p.offline, NULL, NULL, &p.planner), GLIMPSE_OK);
  glimpse_agent *agent = glimpse_agent_new(p.model, p.planner, NULL);
  assert_non_null(agent);
  assert_int_equal(glimpse_agent_decide(agent, &few, &d), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(glimpse_agent_begin(agent, 0), GLIMPSE_OK);
  assert_int_equal(glimpse_agent_decide(agent, &few, &d), GLIMPSE_OK);
  assert_int_equal(glimpse_agent_begin(agent, 1), GLIMPSE_OK); /* at any time */
  assert_int_equal(glimpse_agent_decide(agent, &few, &d), GLIMPSE_OK);
  glimpse_agent_free(agent);
  planning_stop(&p);
}

/* --------------------------------------------------------------- impossible */

/* In RobotDelivery the start shows how many walls there are: 3 is impossible in the
 * middle of the room. */
static uint32_t decide_action(acting *x) {
  glimpse_decision d;
  assert_int_equal(glimpse_agent_decide(x->agent, &few, &d), GLIMPSE_OK);
  if (d.ask)
    assert_int_equal(glimpse_agent_reveal(x->agent, glimpse_belief_row(glimpse_agent_belief(x->agent)).index[0], &d),
                     GLIMPSE_OK);
  return d.action;
}

static uint32_t impossible(const acting *x, uint32_t a) {
  glimpse_belief *copy = glimpse_belief_new(x->p.model);
  assert_non_null(copy);
  uint32_t o = 0;
  for (;; o++) {
    assert_true(o < glimpse_model_count(x->p.model, GLIMPSE_OBSERVATION));
    assert_int_equal(glimpse_belief_set(copy, glimpse_belief_row(glimpse_agent_belief(x->agent))), GLIMPSE_OK);
    if (glimpse_belief_update(copy, a, o, NULL) == GLIMPSE_IMPOSSIBLE) break;
  }
  glimpse_belief_free(copy);
  return o;
}

static uint32_t possible(const acting *x, uint32_t a) {
  glimpse_row next =
      glimpse_model_transition(x->p.model, a, glimpse_belief_row(glimpse_agent_belief(x->agent)).index[0]);
  return glimpse_model_observation(x->p.model, a, next.index[0]).index[0];
}

static void test_impossible(void **state) {
  (void)state;
  acting x;
  begin(&x, "robot-delivery:n=3", NULL, NULL);
  for (int i = 0; i < 6; i++) {
    uint32_t a = decide_action(&x);
    size_t before = glimpse_belief_row(glimpse_agent_belief(x.agent)).count;
    glimpse_decision d;
    assert_int_equal(glimpse_agent_observe(x.agent, a, impossible(&x, a)), GLIMPSE_IMPOSSIBLE);
    assert_int_equal(glimpse_belief_row(glimpse_agent_belief(x.agent)).count, before);
    if (i % 2) { /* something else was seen ... */
      assert_int_equal(glimpse_agent_observe(x.agent, a, possible(&x, a)), GLIMPSE_OK);
      assert_int_equal(glimpse_agent_reveal(x.agent, 0, &d), GLIMPSE_BAD_ARGUMENT);
    } else { /* ... or somebody knows where we are */
      assert_int_equal(glimpse_agent_reveal(x.agent, 17, &d), GLIMPSE_OK);
      assert_true(belief(&x, 17) == 1);
      assert_false(d.ask);
      assert_int_equal(glimpse_agent_observe(x.agent, d.action, possible(&x, d.action)), GLIMPSE_OK);
    }
  }
  assert_int_equal(glimpse_agent_decide(x.agent, &few, &(glimpse_decision){0}), GLIMPSE_OK);
  assert_int_equal(glimpse_agent_observe(x.agent, 99, 0), GLIMPSE_BAD_ARGUMENT);
  end(&x);
}

static void test_ask_when_lost(void **state) {
  (void)state;
  acting x;
  begin(&x, "robot-delivery:n=3", NULL, &(glimpse_agent_options){.ask_when_lost = true});
  for (int i = 0; i < 4; i++) {
    uint32_t a = decide_action(&x);
    glimpse_decision d;
    assert_int_equal(glimpse_agent_observe(x.agent, a, impossible(&x, a)), GLIMPSE_OK);
    assert_int_equal(glimpse_agent_decide(x.agent, &few, &d), GLIMPSE_OK);
    assert_true(d.ask && d.expansions == 0);
    assert_int_equal(glimpse_agent_reveal(x.agent, 20, &d), GLIMPSE_OK);
    assert_true(belief(&x, 20) == 1 && !d.ask && d.expansions == few.expansions);
    assert_int_equal(glimpse_agent_observe(x.agent, d.action, possible(&x, d.action)), GLIMPSE_OK);
  }
  end(&x);
  /* nobody can be asked: an error as before */
  begin(&x, "robot-delivery:n=3,c=0", NULL, &(glimpse_agent_options){.ask_when_lost = true});
  uint32_t a = decide_action(&x);
  assert_int_equal(glimpse_agent_observe(x.agent, a, impossible(&x, a)), GLIMPSE_IMPOSSIBLE);
  assert_int_equal(glimpse_agent_observe(x.agent, a, possible(&x, a)), GLIMPSE_OK);
  end(&x);
}

/* ---------------------------------------------------------------- no answer */

static glimpse_stand stand(const acting *x) {
  return glimpse_agent_stand(x->agent);
}

static void test_no_answer(void **state) {
  (void)state;
  acting x;
  begin(&x, "tiger:c=1", NULL, NULL);
  glimpse_decision d;
  assert_int_equal(stand(&x).phase, GLIMPSE_PHASE_DECIDE);
  assert_true(isnan(stand(&x).probability));
  assert_int_equal(glimpse_agent_no_answer(x.agent, &d), GLIMPSE_BAD_ARGUMENT); /* nothing was asked */
  assert_int_equal(glimpse_agent_decide(x.agent, &few, &d), GLIMPSE_OK);
  assert_true(d.ask);
  assert_int_equal(stand(&x).phase, GLIMPSE_PHASE_STATE);
  assert_int_equal(glimpse_agent_no_answer(x.agent, &d), GLIMPSE_OK);
  assert_true(!d.ask && d.action == 0); /* listening is the best without asking: 170 */
  assert_true(fabs(d.lower - 170) < 1e-6 && fabs(d.upper - 170) < 1e-6);
  assert_int_equal(stand(&x).phase, GLIMPSE_PHASE_OBSERVATION);
  assert_true(belief(&x, 0) == 0.5);
  assert_int_equal(glimpse_agent_no_answer(x.agent, &d), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(glimpse_agent_decide(x.agent, &few, &d), GLIMPSE_OK); /* again, in this step */
  assert_true(!d.ask && d.action == 0);
  assert_int_equal(glimpse_agent_observe(x.agent, 0, 0), GLIMPSE_OK);
  assert_int_equal(stand(&x).phase, GLIMPSE_PHASE_DECIDE);
  assert_true(fabs(stand(&x).probability - 0.5) < 1e-12);
  assert_true(fabs(belief(&x, 0) - 0.85) < 1e-12);
  assert_int_equal(glimpse_agent_decide(x.agent, &few, &d), GLIMPSE_OK); /* in the next step it may ask again */
  assert_true(d.ask);
  assert_int_equal(glimpse_agent_reveal(x.agent, 0, &d), GLIMPSE_OK);
  assert_int_equal(glimpse_agent_begin(x.agent, 1), GLIMPSE_OK);
  assert_true(isnan(stand(&x).probability));
  end(&x);
}

/* Every planner, in a world where nobody ever answers: what it does is the best of its own choices, and its beliefs are
 * those of an agent that may not ask. */
static void test_nobody_ever_answers(void **state) {
  (void)state;
  for (int kind = 0; kind < GLIMPSE_PLANNER_KINDS; kind++) {
    acting x;
    glimpse_planner_options options = {.kind = (glimpse_planner_kind)kind, .every = 2, .entropy = 0.1};
    begin(&x, "robot-delivery:n=3", &options, NULL);
    unsigned asked = 0;
    for (int i = 0; i < 12; i++) {
      glimpse_decision d;
      assert_int_equal(glimpse_agent_decide(x.agent, &few, &d), GLIMPSE_OK);
      if (d.ask) {
        asked++;
        assert_int_equal(glimpse_agent_no_answer(x.agent, &d), GLIMPSE_OK);
        assert_false(d.ask);
        double most = -(double)INFINITY;
        for (uint32_t a = 0; a < 4; a++) {
          glimpse_choice choice = glimpse_planner_choice(x.p.planner, a);
          most = fmax(most, isnan(choice.lower) ? choice.value : choice.lower);
        }
        glimpse_choice made = glimpse_planner_choice(x.p.planner, d.action);
        if (kind <= GLIMPSE_PLANNER_POMCP) assert_true((isnan(made.lower) ? made.value : made.lower) == most);
        bool bounds = kind != GLIMPSE_PLANNER_POMCP && !isnan(made.lower); /* nothing is known off a policy */
        if (bounds) assert_true(d.lower == most && d.upper >= made.upper);
      }
      assert_true(d.action < 4);
      assert_int_equal(glimpse_agent_observe(x.agent, d.action, possible(&x, d.action)), GLIMPSE_OK);
      assert_true(stand(&x).probability > 0 && stand(&x).probability <= 1 + 1e-12);
    }
    bool rule = kind == GLIMPSE_PLANNER_ALWAYS_ASK || kind == GLIMPSE_PLANNER_ASK_EVERY;
    if (rule) assert_int_equal(asked, 12); /* it asks for as long as nobody answers */
    end(&x);
  }
}

/* A search decides nothing: it may go on, and then either way is open; the state is told once. */
static void test_search(void **state) {
  (void)state;
  acting x;
  begin(&x, "tiger:c=1", NULL, NULL);
  glimpse_decision d, whole;
  assert_int_equal(glimpse_agent_reveal(x.agent, 0, NULL), GLIMPSE_BAD_ARGUMENT);
  for (int i = 0; i < 4; i++)
    assert_int_equal(glimpse_agent_search(x.agent, &(glimpse_budget){.expansions = 10}, &d), GLIMPSE_OK);
  assert_int_equal(stand(&x).phase, GLIMPSE_PHASE_DECIDE);
  acting other;
  begin(&other, "tiger:c=1", NULL, NULL);
  assert_int_equal(glimpse_agent_decide(other.agent, &(glimpse_budget){.expansions = 40}, &whole), GLIMPSE_OK);
  assert_true(d.lower == whole.lower && d.upper == whole.upper && d.ask == whole.ask && d.ask);
  end(&other);
  assert_int_equal(glimpse_agent_reveal(x.agent, 1, NULL), GLIMPSE_OK);
  assert_int_equal(stand(&x).phase, GLIMPSE_PHASE_DECIDE);
  assert_true(glimpse_belief_probability(glimpse_agent_belief(x.agent), 1) == 1);
  assert_int_equal(glimpse_agent_search(x.agent, &(glimpse_budget){.expansions = 10}, &d), GLIMPSE_OK);
  assert_false(d.ask);
  assert_int_equal(glimpse_agent_reveal(x.agent, 1, NULL), GLIMPSE_BAD_ARGUMENT); /* it knows */
  assert_int_equal(glimpse_agent_observe(x.agent, d.action, 0), GLIMPSE_OK);
  assert_int_equal(glimpse_agent_observe(x.agent, d.action, 0), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(glimpse_agent_search(x.agent, &(glimpse_budget){.expansions = 10}, &d), GLIMPSE_OK);
  assert_int_equal(glimpse_agent_observe(x.agent, 0, 0), GLIMPSE_OK); /* although it wishes to ask */
  end(&x);
}

/* One that is lost acts, and asks again at the next step. */
static void test_lost_without_answer(void **state) {
  (void)state;
  acting x;
  begin(&x, "robot-delivery:n=3", NULL, &(glimpse_agent_options){.ask_when_lost = true});
  glimpse_decision d;
  uint32_t a = decide_action(&x);
  assert_false(stand(&x).lost);
  assert_int_equal(glimpse_agent_observe(x.agent, a, impossible(&x, a)), GLIMPSE_OK);
  assert_true(stand(&x).lost && !stand(&x).surprised && stand(&x).probability == 0);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(glimpse_agent_decide(x.agent, &few, &d), GLIMPSE_OK);
    assert_true(d.ask && d.expansions == 0);
    assert_int_equal(glimpse_agent_no_answer(x.agent, &d), GLIMPSE_OK);
    assert_true(!d.ask && d.action < 4 && stand(&x).lost);
    assert_int_equal(glimpse_agent_observe(x.agent, d.action, possible(&x, d.action)), GLIMPSE_OK);
    assert_true(stand(&x).lost && stand(&x).probability > 0);
  }
  assert_int_equal(glimpse_agent_decide(x.agent, &few, &d), GLIMPSE_OK);
  assert_int_equal(glimpse_agent_reveal(x.agent, 20, &d), GLIMPSE_OK);
  assert_false(stand(&x).lost);
  end(&x);
  begin(&x, "robot-delivery:n=3", NULL, NULL); /* without the option it is surprised */
  a = decide_action(&x);
  assert_int_equal(glimpse_agent_observe(x.agent, a, impossible(&x, a)), GLIMPSE_IMPOSSIBLE);
  assert_true(stand(&x).surprised && !stand(&x).lost && stand(&x).probability == 0);
  assert_int_equal(stand(&x).phase, GLIMPSE_PHASE_OBSERVATION);
  assert_int_equal(glimpse_agent_no_answer(x.agent, &d), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(glimpse_agent_observe(x.agent, a, possible(&x, a)), GLIMPSE_OK);
  assert_false(stand(&x).surprised);
  assert_string_equal(glimpse_phase_key(stand(&x).phase), "decide");
  assert_string_equal(glimpse_phase_key((glimpse_phase)9), "?");
  end(&x);
}

/* ---------------------------------------------------------------- no memory */

static glimpse_status a_few_steps(void *context) {
  planning *p = context;
  glimpse_planner *planner = NULL;
  glimpse_agent *agent = NULL;
  glimpse_decision d;
  glimpse_budget budget = {.expansions = 30};
  static unsigned round;
  glimpse_planner_options options = {.kind = (glimpse_planner_kind)(round++ % 3)};
  glimpse_status status = glimpse_planner_new(p->model, p->offline, &options, NULL, &planner);
  if (!status && !(agent = glimpse_agent_new(p->model, planner, NULL))) status = GLIMPSE_NO_MEMORY;
  if (!status) status = glimpse_agent_begin(agent, 0);
  for (int i = 0; !status && i < 3; i++) {
    status = glimpse_agent_decide(agent, &budget, &d);
    if (!status && d.ask)
      status = i == 0 ? glimpse_agent_no_answer(agent, &d)
                      : glimpse_agent_reveal(agent, glimpse_belief_row(glimpse_agent_belief(agent)).index[0], &d);
    if (status) break;
    glimpse_row next =
        glimpse_model_transition(p->model, d.action, glimpse_belief_row(glimpse_agent_belief(agent)).index[0]);
    status =
        glimpse_agent_observe(agent, d.action, glimpse_model_observation(p->model, d.action, next.index[0]).index[0]);
  }
  glimpse_agent_free(agent);
  glimpse_planner_free(planner);
  return status;
}

static void test_no_memory(void **state) {
  (void)state;
  planning p;
  planning_start(&p, "robot-delivery:n=3");
  assert_true(failing_malloc_sweep(a_few_steps, &p) > 40);
  planning_stop(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_asking),
                                     cmocka_unit_test(test_begin_at),
                                     cmocka_unit_test(test_listening),
                                     cmocka_unit_test(test_budget),
                                     cmocka_unit_test(test_budget_of_time),
                                     cmocka_unit_test(test_not_begun),
                                     cmocka_unit_test(test_impossible),
                                     cmocka_unit_test(test_ask_when_lost),
                                     cmocka_unit_test(test_no_memory),
                                     cmocka_unit_test(test_no_answer),
                                     cmocka_unit_test(test_nobody_ever_answers),
                                     cmocka_unit_test(test_search),
                                     cmocka_unit_test(test_lost_without_answer)};
  return cmocka_run_group_tests_name("agent", tests, NULL, NULL);
}
