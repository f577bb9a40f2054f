/* Episode: the same results however many threads play, and every figure again from
 * the steps as the step function sees them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/failing_malloc.h"
#include "support/planning.h"

enum { MOST = 40 };

static void run(const planning *p, const glimpse_run *how, glimpse_episode *results) {
  assert_int_equal(glimpse_run_episodes(p->model, p->offline, how, NULL, results), GLIMPSE_OK);
}

static bool same(const glimpse_episode *a, const glimpse_episode *b) {
  return a->status == b->status && a->total == b->total && a->undiscounted == b->undiscounted && a->steps == b->steps &&
         a->requests == b->requests && a->finished == b->finished && a->expansions == b->expansions &&
         a->error_reduction == b->error_reduction && a->lower == b->lower && a->upper == b->upper;
}

/* ------------------------------------------------------------- determinism */

static void test_jobs(void **state) {
  (void)state;
  static const char *const specs[] = {"robot-delivery:n=3", "tag", "tiger:c=9.5", "rock-sample:n=3,k=2"};
  for (size_t i = 0; i < 4; i++) {
    planning p;
    planning_start(&p, specs[i]);
    for (int kind = 0; kind < 3; kind++) {
      glimpse_run how = {
          .episodes = 12,
          .seed = 5,
          .max_steps = 12,
          .budget = {.expansions = 8},
          .planner = {.kind = (glimpse_planner_kind)kind, .graph = i == 2 ? GLIMPSE_GRAPH_RESET : GLIMPSE_GRAPH_KEEP}};
      static const unsigned jobs[] = {1, 2, 5, 1};
      glimpse_episode results[4][MOST];
      for (int k = 0; k < 4; k++) {
        how.jobs = jobs[k];
        run(&p, &how, results[k]);
      }
      for (int k = 1; k < 4; k++)
        for (size_t e = 0; e < how.episodes; e++)
          if (!same(&results[0][e], &results[k][e]))
            fail_msg("%s, %s: episode %zu is another with %u jobs: %.17g, %.17g", specs[i],
                     glimpse_planner_key((glimpse_planner_kind)kind), e, jobs[k], results[0][e].total,
                     results[k][e].total);
      /* a part of them alone is that part; other seeds are other worlds */
      how.first = 7;
      how.episodes = 3;
      run(&p, &how, results[1]);
      for (size_t e = 0; e < 3; e++) assert_true(same(&results[0][7 + e], &results[1][e]));
      how = (glimpse_run){
          .episodes = 12, .seed = 6, .max_steps = 12, .budget = {.expansions = 8}, .planner = how.planner};
      run(&p, &how, results[1]);
      size_t equal = 0;
      for (size_t e = 0; e < 12; e++) equal += results[0][e].total == results[1][e].total;
      assert_true(equal < 12 || i >= 2); /* little is random behind doors and among rocks */
    }
    planning_stop(&p);
  }
}

/* ------------------------------------------------------------- every figure */

typedef struct watch {
  const glimpse_model *model;
  glimpse_belief *belief;
  glimpse_episode seen; /* as it should be */
  double discount;
  uint32_t state, next;
  uint64_t episode;
  unsigned done;
  glimpse_episode *results;
} watch;

static bool in_row(glimpse_row row, uint32_t index) {
  for (size_t i = 0; i < row.count; i++)
    if (row.index[i] == index) return true;
  return false;
}

static bool look(void *context, const glimpse_step *step) {
  watch *w = context;
  if (step->step == 0) {
    w->seen = (glimpse_episode){.lower = step->decision.lower, .upper = step->decision.upper};
    w->discount = 1;
    w->episode = step->episode;
    assert_int_equal(glimpse_belief_set(w->belief, glimpse_model_start(w->model)), GLIMPSE_OK);
    assert_true(in_row(glimpse_model_start(w->model), step->state));
  } else {
    assert_int_equal(step->state, w->next);
  }
  assert_int_equal(step->episode, w->episode);
  assert_int_equal(step->step, w->seen.steps);
  glimpse_row mine = glimpse_belief_row(w->belief);
  assert_int_equal(mine.count, step->belief.count);
  for (size_t i = 0; i < mine.count; i++) {
    assert_int_equal(mine.index[i], step->belief.index[i]);
    assert_true(fabs(mine.value[i] - step->belief.value[i]) < 1e-12);
  }
  assert_true(in_row(step->belief, step->state)); /* what is true is believed possible */
  assert_true(step->asked == step->decision.ask);
  assert_int_equal(step->action, step->asked ? step->after.action : step->decision.action);
  assert_true(step->cost == (step->asked ? glimpse_model_cost(w->model, step->state) : 0));
  if (step->asked) {
    assert_false(step->after.ask);
    assert_int_equal(glimpse_belief_reveal(w->belief, step->state), GLIMPSE_OK);
    w->seen.requests++;
  }
  assert_true(in_row(glimpse_model_transition(w->model, step->action, step->state), step->next_state));
  assert_true(in_row(glimpse_model_observation(w->model, step->action, step->next_state), step->observation));
  assert_true(step->reward ==
              glimpse_model_reward_step(w->model, step->action, step->state, step->next_state, step->observation));
  w->seen.total += w->discount * (step->reward - step->cost);
  w->seen.undiscounted += step->reward - step->cost;
  assert_true(fabs(step->total - w->seen.total) < 1e-12);
  assert_true(fabs(step->undiscounted - w->seen.undiscounted) < 1e-12);
  w->discount *= glimpse_model_discount(w->model);
  w->seen.steps++;
  const glimpse_decision *d = &step->decision;
  w->seen.expansions += (double)(d->expansions + (step->asked ? step->after.expansions : 0));
  double offline = d->offline_upper - d->offline_lower; /* where it is only rounding, nothing is left to close */
  bool open = offline > 1e-9 * fmax(1, fabs(d->offline_upper));
  w->seen.error_reduction += open ? 100 * (1 - (d->upper - d->lower) / offline) : 100;
  w->seen.finished = glimpse_model_terminal(w->model, step->next_state);
  assert_true(step->last == (w->seen.finished || w->seen.steps == 25));
  assert_int_equal(glimpse_belief_update(w->belief, step->action, step->observation, NULL), GLIMPSE_OK);
  w->next = step->next_state;
  return true;
}

static void done(void *context, uint64_t episode, const glimpse_episode *result) {
  watch *w = context;
  assert_int_equal(episode, w->episode);
  assert_int_equal(result->steps, w->seen.steps);
  assert_int_equal(result->requests, w->seen.requests);
  assert_true(result->finished == w->seen.finished);
  assert_true(fabs(result->total - w->seen.total) < 1e-12);
  assert_true(fabs(result->undiscounted - w->seen.undiscounted) < 1e-12);
  assert_true(fabs(result->expansions - w->seen.expansions / w->seen.steps) < 1e-9);
  assert_true(fabs(result->error_reduction - w->seen.error_reduction / w->seen.steps) < 1e-9);
  assert_true(result->lower == w->seen.lower && result->upper == w->seen.upper);
  w->done++;
}

static void test_figures(void **state) {
  (void)state;
  static const char *const specs[] = {"robot-delivery:n=3", "tag", "tiger:c=9", "rock-sample:n=3,k=2",
                                      "robot-delivery:n=3,c=0"};
  uint32_t requests = 0, finished = 0;
  for (size_t i = 0; i < 5; i++) {
    planning p;
    planning_start(&p, specs[i]);
    for (int kind = 0; kind < 3; kind++) {
      watch w = {.model = p.model, .belief = glimpse_belief_new(p.model)};
      assert_non_null(w.belief);
      glimpse_episode results[8];
      glimpse_run how = {.episodes = 8,
                         .first = 100,
                         .max_steps = 25,
                         .budget = {.expansions = 20},
                         .planner = {.kind = (glimpse_planner_kind)kind},
                         .step = look,
                         .done = done,
                         .context = &w};
      run(&p, &how, results);
      assert_int_equal(w.done, 8);
      for (int e = 0; e < 8; e++) {
        requests += results[e].requests;
        finished += results[e].finished;
        assert_true(results[e].steps <= 25 && (results[e].finished || results[e].steps == 25));
        assert_true(results[e].seconds >= 0);
      }
      glimpse_belief_free(w.belief);
    }
    planning_stop(&p);
  }
  assert_true(requests > 0 && finished > 0); /* or the above has shown nothing */
}

/* ------------------------------------------------------------------ endings */

static glimpse_model *at_the_end(double p) {
  glimpse_builder *builder = glimpse_builder_new(2, 1, 1);
  assert_non_null(builder);
  glimpse_builder_discount(builder, 0.5);
  glimpse_builder_start(builder, 0, 1 - p);
  glimpse_builder_start(builder, 1, p);
  glimpse_builder_observation(builder, 0, GLIMPSE_ANY, 0, 1);
  glimpse_builder_transition(builder, 0, GLIMPSE_ANY, 1, 1);
  glimpse_builder_reward(builder, 0, 0, GLIMPSE_ANY, GLIMPSE_ANY, 3);
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_builder_finish(builder, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(builder);
  return model;
}

static void count(void *context, uint64_t episode, const glimpse_episode *result) {
  (void)episode;
  (void)result;
  ++*(unsigned *)context;
}

static void test_terminal_start(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    planning p;
    planning_of(&p, at_the_end(k / 2.0));
    glimpse_episode results[MOST];
    unsigned told = 0, at_once = 0;
    glimpse_run how = {.episodes = MOST, .budget = {.expansions = 5}, .done = count, .context = &told};
    run(&p, &how, results);
    assert_int_equal(told, MOST);
    for (int e = 0; e < MOST; e++) {
      assert_true(results[e].finished && results[e].requests == 0);
      assert_true(results[e].total == (results[e].steps ? 3 : 0));
      at_once += results[e].steps == 0;
    }
    assert_true(k == 0 ? at_once == 0 : k == 2 ? at_once == MOST : at_once > 5 && at_once < 35);
    planning_stop(&p);
  }
}

static bool stop_at_third(void *context, const glimpse_step *step) {
  (void)context;
  return !(step->episode == 2 && step->step == 1);
}

/* Whoever stops in the middle has whole episodes up to there and nothing after. */
/* A gate opens or breaks when it is knocked at, which nobody sees.  Behind it is one of two rooms, and a lamp, lit on
 * the way in, tells which. */
enum { SHUT, OPEN, LEFT, RIGHT, OVER };

static glimpse_model *gate(void) {
  static const double paid[3][2] = {{0, 0}, {100, -100}, {-100, 100}};
  glimpse_builder *b = glimpse_builder_new(5, 3, 1);
  uint32_t knock, lamp;
  glimpse_builder_discount(b, 0.9);
  glimpse_builder_start(b, SHUT, 1);
  glimpse_builder_observation(b, GLIMPSE_ANY, GLIMPSE_ANY, 0, 1);
  for (uint32_t a = 0; a < 3; a++) {
    glimpse_builder_transition(b, a, SHUT, SHUT, 1);
    glimpse_builder_transition(b, a, OPEN, a ? OPEN : LEFT, a ? 1 : 0.5);
    if (!a) glimpse_builder_transition(b, a, OPEN, RIGHT, 0.5);
    for (uint32_t s = LEFT; s <= OVER; s++) glimpse_builder_transition(b, a, s, OVER, 1);
    glimpse_builder_reward(b, a, SHUT, GLIMPSE_ANY, GLIMPSE_ANY, -1);
    for (uint32_t s = 0; s < 2; s++) glimpse_builder_reward(b, a, LEFT + s, GLIMPSE_ANY, GLIMPSE_ANY, paid[a][s]);
  }
  glimpse_builder_inquiry(b, &(glimpse_inquiry){.name = "knock", .answers = 1}, &knock);
  glimpse_builder_inquiry_answer(b, knock, GLIMPSE_ANY, 0, 1);
  glimpse_builder_inquiry_price(b, knock, GLIMPSE_ANY, 0);
  for (uint32_t s = OPEN; s <= OVER; s++) glimpse_builder_inquiry_effect(b, knock, s, s, 1);
  glimpse_builder_inquiry_effect(b, knock, SHUT, OPEN, 0.5);
  glimpse_builder_inquiry_effect(b, knock, SHUT, OVER, 0.5);
  glimpse_builder_inquiry(b, &(glimpse_inquiry){.name = "lamp", .timing = GLIMPSE_TIMING_JOINT}, &lamp);
  glimpse_builder_inquiry_price(b, lamp, GLIMPSE_ANY, 10);
  glimpse_model *model;
  assert_int_equal(glimpse_builder_finish(b, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(b);
  return model;
}

/* The first step begins before the gate, whatever the knock does; if the gate breaks nobody acts, and nobody pays. */
static bool watch_gate(void *context, const glimpse_step *step) {
  (void)context;
  if (step->step) return true;
  assert_int_equal(step->state, SHUT);
  if (step->next_state == OVER)
    assert_true(step->action == GLIMPSE_ANY && step->cost == 0 && step->answers == 1 && step->last);
  else assert_true(step->action == 0 && step->cost == 10 && step->answers == 2 && !step->last);
  return true;
}

static void test_end_by_effect(void **state) {
  (void)state;
  planning p = {.model = gate()};
  glimpse_bound_options once = {.threads = 1};
  assert_int_equal(glimpse_offline_new(p.model, glimpse_offline_upper(p.model), &once, NULL, &p.offline), GLIMPSE_OK);
  glimpse_episode results[MOST];
  run(&p, &(glimpse_run){.episodes = MOST, .budget = {.expansions = 100}, .step = watch_gate}, results);
  int broken = 0;
  for (int i = 0; i < MOST; i++) {
    assert_true(results[i].finished);
    if (results[i].steps == 1) broken++;
    assert_true(fabs(results[i].total - (results[i].steps == 1 ? 0 : 80)) < 1e-9);
  }
  assert_true(broken > 5 && broken < MOST - 5);
  glimpse_offline_free(p.offline);
  glimpse_model_free(p.model);
}

static void test_stopping(void **state) {
  (void)state;
  planning p;
  planning_start(&p, "tag");
  glimpse_episode results[6];
  unsigned told = 0;
  glimpse_run how = {.episodes = 6,
                     .max_steps = 5,
                     .budget = {.expansions = 2},
                     .step = stop_at_third,
                     .done = count,
                     .context = &told};
  run(&p, &how, results);
  for (int e = 0; e < 6; e++) assert_true((results[e].steps > 0) == (e < 2) && isnan(results[e].total) == (e >= 2));
  assert_int_equal(told, 2);
  planning_stop(&p);
}

static void test_interrupt(void **state) {
  (void)state;
  planning p;
  planning_start(&p, "tag");
  volatile int flag = 1;
  glimpse_episode results[6];
  glimpse_run how = {.episodes = 6, .jobs = 2, .budget = {.expansions = 2, .interrupt = &flag}};
  run(&p, &how, results);
  for (int e = 0; e < 6; e++) assert_true(results[e].steps == 0 && isnan(results[e].total));
  planning_stop(&p);
}

static void test_refused(void **state) {
  (void)state;
  planning p;
  planning_start(&p, "tiger");
  glimpse_report *report = glimpse_report_new();
  assert_non_null(report);
  glimpse_episode results[4];
  glimpse_run how = {.episodes = 4, .jobs = 3, .budget = {.expansions = 2}, .planner = {.rule = GLIMPSE_RULES}};
  assert_int_equal(glimpse_run_episodes(p.model, p.offline, &how, report, results), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(glimpse_report_count(report, GLIMPSE_ERROR), 1);
  how.planner.rule = GLIMPSE_RULE_AEMS;
  how.budget.time = NAN;
  assert_int_equal(glimpse_run_episodes(p.model, p.offline, &how, NULL, results), GLIMPSE_BAD_ARGUMENT);
  how.budget.time = 0;
  how.planner.max_memory = 100; /* not even the root fits */
  assert_int_equal(glimpse_run_episodes(p.model, p.offline, &how, NULL, results), GLIMPSE_NO_MEMORY);
  how.episodes = 0;
  how.planner.max_memory = 0;
  assert_int_equal(glimpse_run_episodes(p.model, p.offline, &how, NULL, NULL), GLIMPSE_OK);
  glimpse_report_free(report);
  planning_stop(&p);
}

static glimpse_status play(void *context) {
  const planning *p = context;
  glimpse_episode results[2];
  glimpse_run how = {.episodes = 2, .max_steps = 3, .budget = {.expansions = 5}};
  return glimpse_run_episodes(p->model, p->offline, &how, NULL, results);
}

static void test_no_memory(void **state) {
  (void)state;
  planning p;
  planning_start(&p, "robot-delivery:n=3");
  assert_true(failing_malloc_sweep(play, &p) > 20);
  planning_stop(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_jobs),           cmocka_unit_test(test_figures),
                                     cmocka_unit_test(test_terminal_start), cmocka_unit_test(test_end_by_effect),
                                     cmocka_unit_test(test_stopping),       cmocka_unit_test(test_interrupt),
                                     cmocka_unit_test(test_refused),        cmocka_unit_test(test_no_memory)};
  return cmocka_run_group_tests_name("episode", tests, NULL, NULL);
}
