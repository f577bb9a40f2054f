/* Starved: every kind of planner, with every allocation failing once, and with all from there on.
 *
 * An agent plays a few steps.  What fails must fail with NO_MEMORY and change nothing: when there is memory again,
 * the same call is repeated and the episode goes on, with the belief of an agent that never lacked any, bounds
 * that contain each other, and nothing left at the end.  What does not fail goes as if nothing had happened, or says
 * that memory was refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/failing_malloc.h"
#include "support/planning.h"

/* Sanitizers are slow: then only each fourth allocation fails, of each fourth planner in whole episodes. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SLOW 4
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SLOW 4
#endif
#endif
#ifndef SLOW
#define SLOW 1
#endif

enum { STEPS = 4 };

static const struct {
  const char *name;
  glimpse_planner_options options;
  uint64_t expansions;
} planners[] = {
    {"aems-sr", {.kind = GLIMPSE_PLANNER_AEMS_SR}, 12},
    {"aems", {.kind = GLIMPSE_PLANNER_AEMS}, 12},
    {"aems-loop", {.kind = GLIMPSE_PLANNER_AEMS_LOOP}, 12},
    {"reset", {.kind = GLIMPSE_PLANNER_AEMS_SR, .graph = GLIMPSE_GRAPH_RESET}, 12},
    {"plain", {.kind = GLIMPSE_PLANNER_AEMS_SR, .plain = true}, 8},
    {"plain aems", {.kind = GLIMPSE_PLANNER_AEMS, .plain = true}, 8},
    {"plain aems-loop", {.kind = GLIMPSE_PLANNER_AEMS_LOOP, .plain = true}, 8},
    {"paper", {.kind = GLIMPSE_PLANNER_AEMS_SR, .paper = true, .improve = GLIMPSE_IMPROVE_NONE}, 8},
    {"corners kept", {.kind = GLIMPSE_PLANNER_AEMS_SR, .keep_corners = true}, 12},
    {"bi-pomdp", {.kind = GLIMPSE_PLANNER_AEMS_SR, .rule = GLIMPSE_RULE_BI_POMDP}, 12},
    {"satia-lave", {.kind = GLIMPSE_PLANNER_AEMS_LOOP, .rule = GLIMPSE_RULE_SATIA_LAVE}, 12},
    {"unimproved", {.kind = GLIMPSE_PLANNER_AEMS_SR, .improve = GLIMPSE_IMPROVE_NONE}, 12},
    {"little memory", {.kind = GLIMPSE_PLANNER_AEMS_SR, .max_memory = 60000}, 60},
    {"little memory, aems-loop", {.kind = GLIMPSE_PLANNER_AEMS_LOOP, .max_memory = 80000}, 60},
    {"pomcp", {.kind = GLIMPSE_PLANNER_POMCP, .particles = 50}, 40},
    {"pomcp, silent", {.kind = GLIMPSE_PLANNER_POMCP, .particles = 50, .rollout = GLIMPSE_ROLLOUT_SILENT}, 40},
    {"pomcp, qmdp", {.kind = GLIMPSE_PLANNER_POMCP, .rollout = GLIMPSE_ROLLOUT_UPPER, .max_memory = 60000}, 100},
    {"pomcp, reset",
     {.kind = GLIMPSE_PLANNER_POMCP, .particles = 50, .graph = GLIMPSE_GRAPH_RESET, .exploration = 2},
     40},
    {"never-ask", {.kind = GLIMPSE_PLANNER_NEVER_ASK}, 0},
    {"always-ask", {.kind = GLIMPSE_PLANNER_ALWAYS_ASK, .act = GLIMPSE_ACT_LOWER}, 0},
    {"ask-every", {.kind = GLIMPSE_PLANNER_ASK_EVERY, .every = 2}, 0},
    {"ask-entropy", {.kind = GLIMPSE_PLANNER_ASK_ENTROPY, .entropy = 0.5}, 0},
};
enum { PLANNERS = sizeof planners / sizeof *planners };

/* What a run is about, and how its memory fails. */
struct attempt {
  const planning *p;
  size_t planner;
  unsigned long n, failures;
  bool all;
};

/* Did the call fail for lack of memory?  Then there is some again. */
static bool starved(struct attempt *attempt, glimpse_status status) {
  if (status == GLIMPSE_OK) return false;
  unsigned long failures = failing_malloc_failures();
  failing_malloc_set(0, false);
  if (status != GLIMPSE_NO_MEMORY || !failures || attempt->failures)
    fail_msg("%s, allocation %lu%s: status %d (%s)", planners[attempt->planner].name, attempt->n,
             attempt->all ? " and all after it" : "", (int)status, glimpse_status_text(status));
  attempt->failures += failures;
  return true;
}

/* A call, which is repeated when memory was short. */
#define CALL(call)                                                                                                     \
  do {                                                                                                                 \
    if (starved(attempt, call)) assert_int_equal(call, GLIMPSE_OK);                                                    \
  } while (0)

static void check_belief(const glimpse_agent *agent, const glimpse_belief *belief) {
  glimpse_row found = glimpse_belief_row(glimpse_agent_belief(agent)), wanted = glimpse_belief_row(belief);
  assert_int_equal(found.count, wanted.count);
  assert_memory_equal(found.index, wanted.index, wanted.count * sizeof *wanted.index);
  assert_memory_equal(found.value, wanted.value, wanted.count * sizeof *wanted.value);
}

static void check_decision(const glimpse_decision *d) {
  assert_false(isnan(d->lower) != isnan(d->upper));
  if (isnan(d->lower)) return;
  assert_true(d->lower <= d->upper + 1e-9);
  assert_true(d->lower >= d->offline_lower - 1e-9 && d->upper <= d->offline_upper + 1e-9);
}

/* The belief is kept by hand, without failures, beside the agent's. */
static void play(struct attempt *attempt, glimpse_agent *agent, glimpse_belief *belief) {
  const glimpse_model *model = attempt->p->model;
  glimpse_budget budget = {.expansions = planners[attempt->planner].expansions};
  CALL(glimpse_agent_begin(agent, 0));
  for (int i = 0; i < STEPS; i++) {
    glimpse_decision d;
    CALL(glimpse_agent_decide(agent, &budget, &d));
    check_decision(&d);
    uint32_t s = glimpse_belief_row(glimpse_agent_belief(agent)).index[0];
    if (d.ask) {
      CALL(glimpse_agent_reveal(agent, s, &d));
      CALL(glimpse_belief_reveal(belief, s));
      check_decision(&d);
      assert_false(d.ask);
    }
    uint32_t next = glimpse_model_transition(model, d.action, s).index[0];
    uint32_t o = glimpse_model_observation(model, d.action, next).index[0];
    CALL(glimpse_agent_observe(agent, d.action, o));
    CALL(glimpse_belief_update(belief, d.action, o, NULL));
    check_belief(agent, belief);
  }
}

/* One run; false when there was no such allocation. */
static bool try(const planning *p, size_t planner, unsigned long n, bool all) {
  struct attempt here = {.p = p, .planner = planner, .n = n, .all = all}, *attempt = &here;
  glimpse_planner_options options = planners[planner].options;
  glimpse_planner *made = NULL;
  long before = failing_malloc_live();
  glimpse_belief *belief = glimpse_belief_new(p->model); /* has room for all states from the start */
  assert_non_null(belief);
  failing_malloc_set(n, all);
  CALL(glimpse_planner_new(p->model, p->offline, &options, NULL, &made));
  glimpse_agent *agent = glimpse_agent_new(p->model, made, NULL);
  if (!agent) {
    assert_true(starved(attempt, GLIMPSE_NO_MEMORY));
    agent = glimpse_agent_new(p->model, made, NULL);
    assert_non_null(agent);
  }
  play(attempt, agent, belief);
  bool failed = here.failures || failing_malloc_failures();
  failing_malloc_set(0, false);
  glimpse_agent_free(agent);
  glimpse_planner_free(made);
  glimpse_belief_free(belief);
  if (failing_malloc_live() != before)
    fail_msg("%s, allocation %lu%s: %ld blocks leaked", planners[planner].name, n, all ? " and all after it" : "",
             failing_malloc_live() - before);
  return failed;
}

static void test_planners(void **state) {
  (void)state;
  /* Every allocation of the small model; of the larger one each fifth, beginning with another for each planner, or
   * all of them with FAULTS=all. */
  static const char *const models[] = {"tiger:c=30", "robot-delivery:n=3"};
  const char *wish = getenv("FAULTS");
  unsigned long runs = 0;
  for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
    unsigned long step = m == 0 || (wish && !strcmp(wish, "all")) ? 1 : 5;
    if (!wish) step *= SLOW;
    planning p;
    planning_start(&p, models[m]);
    for (size_t i = 0; i < PLANNERS; i++) {
      unsigned long before = runs;
      for (unsigned long n = 1 + i % step; try(&p, i, n, false); n += step) runs++;
      for (unsigned long n = 1 + i % step; try(&p, i, n, true); n += step) runs++;
      assert_true(runs >= before + 8 / step);
    }
    planning_stop(&p);
  }
  print_message("%lu failures\n", runs);
}

/* ------------------------------------------------------------------ episodes */

enum { EPISODES = 3 };

struct job {
  const planning *p;
  size_t planner;
  unsigned jobs;
  bool known;
  glimpse_episode wanted[EPISODES]; /* with all the memory of the world */
  unsigned long other;              /* episodes that went another way */
};

static bool same_number(double a, double b) {
  return a == b || (isnan(a) && isnan(b));
}

static bool same_episode(const glimpse_episode *a, const glimpse_episode *b) {
  return a->total == b->total && a->steps == b->steps && a->requests == b->requests && a->finished == b->finished &&
         a->expansions == b->expansions && same_number(a->error_reduction, b->error_reduction) &&
         same_number(a->lower, b->lower) && same_number(a->upper, b->upper);
}

static void check_episodes(struct job *job, const glimpse_episode *results) {
  for (size_t i = 0; i < EPISODES; i++) {
    if (same_episode(&results[i], &job->wanted[i])) continue;
    job->other++;
    if (!results[i].refused)
      fail_msg("%s: episode %zu went another way, and nothing says why", planners[job->planner].name, i);
  }
}

static glimpse_status play_episodes(void *context) {
  struct job *job = context;
  glimpse_episode results[EPISODES];
  glimpse_run run = {.episodes = EPISODES,
                     .max_steps = 3,
                     .jobs = job->jobs,
                     .budget = {.expansions = planners[job->planner].expansions / 4},
                     .planner = planners[job->planner].options,
                     .agent = {.ask_when_lost = true}};
  glimpse_status status = glimpse_run_episodes(job->p->model, job->p->offline, &run, NULL, results);
  if (!status && job->known) check_episodes(job, results);
  if (!job->known) memcpy(job->wanted, results, sizeof results);
  job->known = true;
  return status;
}

static unsigned long starve(const planning *p, size_t planner, unsigned jobs) {
  struct job job = {.p = p, .planner = planner, .jobs = jobs};
  assert_int_equal(play_episodes(&job), GLIMPSE_OK);
  for (size_t i = 0; i < EPISODES; i++) assert_int_equal(job.wanted[i].refused, 0);
  assert_true(failing_malloc_sweep(play_episodes, &job) > 10);
  return job.other;
}

static void test_episodes(void **state) {
  (void)state;
  planning p;
  planning_start(&p, "tiger:c=30");
  unsigned long other = 0;
  for (size_t i = 0; i < PLANNERS; i += SLOW) other += starve(&p, i, 1);
  other += starve(&p, 0, 2);
  planning_stop(&p);
  print_message("%lu episodes went another way\n", other);
  assert_true(other > 0); /* or nothing was tested */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_planners), cmocka_unit_test(test_episodes)};
  return cmocka_run_group_tests_name("starved", tests, NULL, NULL);
}
