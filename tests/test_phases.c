/* Phases: an agent asks and acts in a model with inquiries as its decisions say, and earns what the model is worth.
 *
 * Covers src/agent/phases.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "glimpse.h"
#include "support/failing_malloc.h"
#include "support/inquiries.h"

enum { EVERY = 7, EPISODES = 400 };

static glimpse_offline *offline_of(const glimpse_model *model) {
  glimpse_offline *offline;
  glimpse_bound_options once = {.threads = 1};
  assert_int_equal(glimpse_offline_new(model, glimpse_offline_upper(model), &once, NULL, &offline), GLIMPSE_OK);
  return offline;
}

typedef struct watching {
  const glimpse_model *model;
  uint64_t answers, joint, steps;
} watching;

static bool watch(void *context, const glimpse_step *step) {
  watching *w = context;
  double cost = 0;
  for (uint32_t i = 0; i < step->answers; i++) {
    glimpse_inquiry inquiry = glimpse_model_inquiry(w->model, step->answer[i].inquiry);
    assert_non_null(inquiry.name);
    assert_true(step->answer[i].answer < inquiry.answers);
    cost += step->answer[i].price;
    w->joint += inquiry.timing == GLIMPSE_TIMING_JOINT;
    bool whole = inquiry.timing == GLIMPSE_TIMING_STEP;
    assert_true(!whole || (step->action == GLIMPSE_ANY && step->observation == GLIMPSE_ANY && step->reward == 0));
  }
  assert_true(step->asked == (step->answers > 0));
  assert_true(cost == step->cost);
  w->answers += step->answers;
  w->steps++;
  return true;
}

/* The mean return of many episodes is the value. */
static void test_returns(void **state) {
  (void)state;
  watching w = {0};
  for (uint64_t seed = 100; seed < 130; seed++) {
    inquiries_wish wish = {.inquiries = 2, .timings = EVERY, .ends = true, .limit = true, .horizon = true};
    wish.undiscounted = seed % 2;
    wish.patient = seed % 4 == 2;
    glimpse_model *model = inquiries_make(&wish, seed);
    glimpse_offline *offline = offline_of(model);
    static glimpse_episode results[EPISODES];
    static uint32_t asked[EPISODES * 4];
    static double totals[EPISODES];
    w.model = model;
    uint64_t before = w.answers, counted = 0;
    glimpse_run run = {.episodes = EPISODES, .first = 7, .budget = {.expansions = 200}, .step = watch, .context = &w};
    run.asked = asked;
    assert_int_equal(glimpse_run_episodes(model, offline, &run, NULL, results), GLIMPSE_OK);
    double low, high, requests = 0;
    inquiries_value(model, glimpse_model_start(model), 0, &low, &high);
    for (int i = 0; i < EPISODES; i++) {
      totals[i] = results[i].total;
      requests += results[i].requests;
      assert_true(results[i].steps <= glimpse_model_limits(model).horizon);
    }
    for (uint32_t i = 0; i < EPISODES * glimpse_model_inquiries(model); i++) counted += asked[i];
    assert_true(counted == w.answers - before && requests == (double)counted);
    glimpse_statistic mean = glimpse_statistic_of(totals, EPISODES);
    if (!(fabs(mean.mean - low) <= 5 * mean.se + 1e-6))
      fail_msg("seed %llu: %g +- %g, expected %g", (unsigned long long)seed, mean.mean, mean.se, low);
    glimpse_offline_free(offline);
    glimpse_model_free(model);
  }
  if (!(w.answers > 1000 && w.joint > 100 && w.steps > 10000))
    fail_msg("only %llu answers, %llu joint, in %llu steps", (unsigned long long)w.answers, (unsigned long long)w.joint,
             (unsigned long long)w.steps);
}

typedef struct player {
  glimpse_model *model;
  glimpse_offline *offline;
  glimpse_planner *planner;
  glimpse_agent *agent;
} player;

static player play(glimpse_model *model) {
  player p = {.model = model, .offline = offline_of(model)};
  assert_int_equal(glimpse_planner_new(model, p.offline, NULL, NULL, &p.planner), GLIMPSE_OK);
  p.agent = glimpse_agent_new(model, p.planner, NULL);
  assert_non_null(p.agent);
  assert_int_equal(glimpse_agent_begin(p.agent, 0), GLIMPSE_OK);
  return p;
}

static void leave(player *p) {
  glimpse_agent_free(p->agent);
  glimpse_planner_free(p->planner);
  glimpse_offline_free(p->offline);
  glimpse_model_free(p->model);
}

/* ---- beliefs ---- */

enum { MOST = 8, STEPS = 12 };

/* A world that is followed by Bayes' rule on the model itself. */
typedef struct tracked {
  const glimpse_model *model;
  gli_random random;
  uint32_t state;
  double belief[MOST];
} tracked;

static uint32_t draw(tracked *t, glimpse_row row) {
  double u = gli_random_unit(&t->random);
  for (size_t i = 0; i + 1 < row.count; i++)
    if ((u -= row.value[i]) < 0) return row.index[i];
  return row.index[row.count - 1];
}

/* The state changes, by an action or, with GLIMPSE_ANY, by the effect of an inquiry. */
static void change(tracked *t, uint32_t action, uint32_t inquiry) {
  double next[MOST] = {0};
  for (uint32_t s = 0; s < glimpse_model_count(t->model, GLIMPSE_STATE); s++) {
    glimpse_row row = action != GLIMPSE_ANY ? glimpse_model_transition(t->model, action, s)
                                            : glimpse_model_inquiry_effect(t->model, inquiry, s);
    if (row.count == 0) return;
    for (size_t i = 0; i < row.count; i++) next[row.index[i]] += t->belief[s] * row.value[i];
  }
  t->state = draw(t, action != GLIMPSE_ANY ? glimpse_model_transition(t->model, action, t->state)
                                           : glimpse_model_inquiry_effect(t->model, inquiry, t->state));
  memcpy(t->belief, next, sizeof next);
}

/* Something is seen: an observation after an action, or an answer. */
static uint32_t see(tracked *t, uint32_t action, uint32_t inquiry) {
  uint32_t seen = GLIMPSE_ANY;
  double sum = 0;
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t s = 0; s < glimpse_model_count(t->model, GLIMPSE_STATE); s++) {
      uint32_t of = pass ? s : t->state;
      glimpse_row row = inquiry == GLIMPSE_ANY ? glimpse_model_observation(t->model, action, of)
                                               : glimpse_model_inquiry_answers(t->model, inquiry, of);
      if (seen == GLIMPSE_ANY) seen = draw(t, row);
      double p = 0;
      for (size_t i = 0; i < row.count; i++) p += row.index[i] == seen ? row.value[i] : 0;
      if (pass) sum += t->belief[s] *= p;
    }
  for (int s = 0; s < MOST; s++) t->belief[s] /= sum;
  return seen;
}

static void compare_beliefs(const tracked *t, const glimpse_agent *agent, uint64_t seed) {
  for (uint32_t s = 0; s < glimpse_model_count(t->model, GLIMPSE_STATE); s++) {
    double p = glimpse_belief_probability(glimpse_agent_belief(agent), s);
    if (!(fabs(p - t->belief[s]) < 1e-9))
      fail_msg("seed %llu: state %u is believed with %g, not %g", (unsigned long long)seed, s, p, t->belief[s]);
  }
}

/* The bounds of a decision contain what the recursion says; only at the start, where no request is made yet. */
static void check_bounds(const glimpse_decision *d, const glimpse_model *model, bool first, uint64_t seed) {
  if (d->lower > d->upper) fail_msg("seed %llu: between %.17g and %.17g", (unsigned long long)seed, d->lower, d->upper);
  if (!first) return;
  double low, high;
  inquiries_value(model, glimpse_model_start(model), 3e3, &low, &high);
  if (!(d->lower <= high + 1e-9 && d->upper >= low - 1e-9))
    fail_msg("seed %llu: [%g, %g], the recursion says [%g, %g]", (unsigned long long)seed, d->lower, d->upper, low,
             high);
}

/* One step: asks, and is told, until it acts.  False: the horizon is reached. */
static bool walk(tracked *t, glimpse_agent *agent, bool first, uint64_t seed) {
  const glimpse_budget few = {.expansions = 40};
  glimpse_decision d;
  glimpse_status status = glimpse_agent_decide(agent, &few, &d);
  if (status == GLIMPSE_NOT_APPLICABLE) return false;
  while (!status && d.ask) {
    check_bounds(&d, t->model, first, seed);
    first = false;
    uint32_t inquiry = d.inquiry;
    change(t, GLIMPSE_ANY, inquiry);
    status = glimpse_agent_answer(agent, inquiry, see(t, GLIMPSE_ANY, inquiry), &d);
    if (glimpse_agent_stand(agent).layer == GLIMPSE_ANY) return false;
    compare_beliefs(t, agent, seed);
    if (glimpse_model_inquiry(t->model, inquiry).timing == GLIMPSE_TIMING_STEP) return !status;
  }
  if (!status) {
    check_bounds(&d, t->model, first, seed);
    change(t, d.action, GLIMPSE_ANY);
    uint32_t o = see(t, d.action, GLIMPSE_ANY), z = d.inquiry == GLIMPSE_ANY ? d.inquiry : see(t, d.action, d.inquiry);
    status = d.inquiry == GLIMPSE_ANY ? glimpse_agent_observe(agent, d.action, o)
                                      : glimpse_agent_observe_answer(agent, d.action, o, d.inquiry, z);
  }
  if (status) fail_msg("seed %llu: %s", (unsigned long long)seed, glimpse_status_text(status));
  if (glimpse_agent_stand(agent).layer == GLIMPSE_ANY) return false;
  compare_beliefs(t, agent, seed);
  return true;
}

/* The same by a search and any of the choices, whatever is best. */
static bool wander(tracked *t, glimpse_agent *agent, uint64_t seed) {
  glimpse_decision d;
  glimpse_prospect list[64];
  glimpse_status status;
  for (bool over = false; !over;) {
    for (int slice = 0; slice < 2; slice++) {
      status = glimpse_agent_search(agent, &(glimpse_budget){.expansions = 5}, &d);
      if (status == GLIMPSE_NOT_APPLICABLE) return false;
      assert_int_equal(status, GLIMPSE_OK);
    }
    assert_int_equal(glimpse_agent_stand(agent).phase, GLIMPSE_PHASE_DECIDE);
    assert_true(glimpse_agent_prospects_most(t->model) <= 64);
    uint32_t count = glimpse_agent_prospects(agent, list);
    glimpse_prospect wish = list[(uint32_t)(gli_random_unit(&t->random) * count)];
    over = !wish.ask || glimpse_model_inquiry(t->model, wish.move.inquiry).timing == GLIMPSE_TIMING_STEP;
    change(t, wish.move.action, wish.move.inquiry);
    uint32_t o = wish.ask ? GLIMPSE_ANY : see(t, wish.move.action, GLIMPSE_ANY);
    uint32_t z = wish.move.inquiry == GLIMPSE_ANY ? GLIMPSE_ANY : see(t, wish.move.action, wish.move.inquiry);
    if (wish.ask) status = glimpse_agent_answer(agent, wish.move.inquiry, z, NULL);
    else status = glimpse_agent_observe_answer(agent, wish.move.action, o, wish.move.inquiry, z);
    if (status) fail_msg("seed %llu: %s", (unsigned long long)seed, glimpse_status_text(status));
    if (glimpse_agent_stand(agent).layer == GLIMPSE_ANY) return false;
    compare_beliefs(t, agent, seed);
  }
  return true;
}

/* What is believed is what Bayes' rule says, also when the episode may be over, or is, and the agent is not told. */
static void test_beliefs(void **state) {
  (void)state;
  uint32_t ending = 0;
  for (uint64_t seed = 200; seed < 360; seed++) {
    inquiries_wish wish = {.inquiries = 2, .timings = EVERY, .ends = true, .limit = seed % 2, .horizon = seed % 3 == 0};
    glimpse_model *model = inquiries_make(&wish, seed);
    player p = play(model);
    tracked t = {.model = model, .random = gli_random_stream(seed, "tracked", 0)};
    glimpse_row start = glimpse_model_start(model);
    for (size_t i = 0; i < start.count; i++) t.belief[start.index[i]] = start.value[i];
    t.state = draw(&t, start);
    for (int n = 0; n < STEPS && (seed % 4 ? walk(&t, p.agent, n == 0, seed) : wander(&t, p.agent, seed)); n++) {
    }
    ending += glimpse_model_terminal(model, t.state);
    leave(&p);
  }
  assert_true(ending > 20);
}

/* ---- single decisions ---- */

/* A coin under a cup: looking costs 0.1, a right guess pays 1. */
static glimpse_model *coin(glimpse_timing timing, double failure, glimpse_limits limits) {
  glimpse_builder *b = glimpse_builder_new(2, 2, 1);
  if (!b) return NULL;
  glimpse_builder_discount(b, 0.9);
  glimpse_builder_transition(b, GLIMPSE_ANY, GLIMPSE_ANY, GLIMPSE_ANY, 0.5);
  glimpse_builder_observation(b, GLIMPSE_ANY, GLIMPSE_ANY, 0, 1);
  glimpse_builder_reward(b, 0, 0, GLIMPSE_ANY, GLIMPSE_ANY, 1);
  glimpse_builder_reward(b, 1, 1, GLIMPSE_ANY, GLIMPSE_ANY, 1);
  uint32_t i;
  glimpse_builder_inquiry(b, &(glimpse_inquiry){.name = "look", .timing = timing, .answers = 2}, &i);
  for (uint32_t s = 0; s < 2; s++) glimpse_builder_inquiry_answer(b, i, s, s, 1);
  glimpse_builder_inquiry_price(b, i, GLIMPSE_ANY, 0.1);
  glimpse_builder_inquiry_failure(b, i, GLIMPSE_ANY, failure);
  glimpse_builder_limits(b, &limits);
  glimpse_model *model;
  glimpse_builder_finish(b, NULL, &model);
  glimpse_builder_free(b);
  return model;
}

static const glimpse_budget some = {.expansions = 500};

static void test_before(void **state) {
  (void)state;
  player p = play(coin(GLIMPSE_TIMING_BEFORE, 0, (glimpse_limits){0}));
  glimpse_decision d;
  assert_int_equal(glimpse_agent_answer(p.agent, 0, 0, &d), GLIMPSE_BAD_ARGUMENT); /* nothing was asked */
  assert_int_equal(glimpse_agent_decide(p.agent, &some, &d), GLIMPSE_OK);
  assert_true(d.ask && d.inquiry == 0 && d.action == GLIMPSE_ANY);
  /* V = 1 - 0.1 + 0.9 V */
  assert_true(d.lower <= 9 + 1e-9 && d.upper >= 9 - 1e-9 && d.upper - d.lower < 0.01);
  assert_int_equal(glimpse_agent_stand(p.agent).phase, GLIMPSE_PHASE_STATE);
  assert_int_equal(glimpse_agent_observe(p.agent, 0, 0), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(glimpse_agent_answer(p.agent, 1, 0, &d), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(glimpse_agent_answer(p.agent, 0, 2, &d), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(glimpse_agent_reveal(p.agent, 1, &d), GLIMPSE_BAD_ARGUMENT); /* it is not for the state */
  assert_int_equal(glimpse_agent_answer(p.agent, 0, 1, &d), GLIMPSE_OK);
  assert_true(!d.ask && d.inquiry == GLIMPSE_ANY && d.action == 1);
  assert_true(glimpse_belief_probability(glimpse_agent_belief(p.agent), 1) == 1);
  assert_int_equal(glimpse_agent_observe(p.agent, 1, 0), GLIMPSE_OK);
  assert_true(glimpse_belief_probability(glimpse_agent_belief(p.agent), 1) == 0.5);
  /* Nobody answers: it guesses. */
  assert_int_equal(glimpse_agent_decide(p.agent, &some, &d), GLIMPSE_OK);
  assert_int_equal(glimpse_agent_no_answer(p.agent, &d), GLIMPSE_OK);
  assert_true(!d.ask && d.action < 2);
  assert_int_equal(glimpse_agent_observe(p.agent, d.action, 1), GLIMPSE_BAD_ARGUMENT); /* no such observation */
  assert_int_equal(glimpse_agent_observe(p.agent, d.action, 0), GLIMPSE_OK);
  assert_int_equal(glimpse_agent_decide(p.agent, &some, &d), GLIMPSE_OK);
  assert_true(d.ask); /* and asks again in the next step */
  assert_int_equal(glimpse_agent_search(p.agent, &some, &d), GLIMPSE_BAD_ARGUMENT); /* it waits for the answer */
  leave(&p);
}

static void test_step(void **state) {
  (void)state;
  player p = play(coin(GLIMPSE_TIMING_STEP, 0, (glimpse_limits){.horizon = 3}));
  glimpse_decision d;
  assert_int_equal(glimpse_agent_decide(p.agent, &some, &d), GLIMPSE_OK);
  assert_true(!d.ask); /* a step is worth more than a guess is worth less */
  assert_int_equal(glimpse_agent_observe(p.agent, d.action, 0), GLIMPSE_OK);
  assert_int_equal(glimpse_agent_decide(p.agent, &some, &d), GLIMPSE_OK);
  assert_int_equal(glimpse_agent_observe(p.agent, d.action, 0), GLIMPSE_OK);
  assert_int_equal(glimpse_agent_decide(p.agent, &some, &d), GLIMPSE_OK);
  assert_true(fabs(d.lower - 0.5) < 1e-9 && fabs(d.upper - 0.5) < 1e-6); /* one guess is left, in units of the model */
  assert_int_equal(glimpse_agent_observe(p.agent, d.action, 0), GLIMPSE_OK);
  assert_int_equal(glimpse_agent_decide(p.agent, &some, &d), GLIMPSE_NOT_APPLICABLE); /* the horizon */
  assert_int_equal(glimpse_agent_begin(p.agent, 1), GLIMPSE_OK);
  assert_int_equal(glimpse_agent_decide(p.agent, &some, &d), GLIMPSE_OK);
  leave(&p);
}

static void test_joint(void **state) {
  (void)state;
  player p = play(coin(GLIMPSE_TIMING_JOINT, 0.25, (glimpse_limits){.requests = 2}));
  glimpse_decision d;
  assert_int_equal(glimpse_agent_decide(p.agent, &some, &d), GLIMPSE_OK);
  assert_true(!d.ask && d.inquiry == 0 && d.action < 2);
  assert_int_equal(glimpse_agent_observe_answer(p.agent, d.action, 0, 0, 3), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(glimpse_agent_observe_answer(p.agent, d.action, 0, 0, 1), GLIMPSE_OK);
  assert_true(glimpse_agent_stand(p.agent).probability == 0.375);
  assert_int_equal(glimpse_agent_decide(p.agent, &some, &d), GLIMPSE_OK);
  assert_true(d.action == 1 && d.inquiry == 0);
  assert_int_equal(glimpse_agent_observe_answer(p.agent, 1, 0, 0, 2), GLIMPSE_OK); /* it failed */
  assert_true(glimpse_belief_probability(glimpse_agent_belief(p.agent), 1) == 0.5);
  assert_int_equal(glimpse_agent_decide(p.agent, &some, &d), GLIMPSE_OK);
  assert_true(d.inquiry == GLIMPSE_ANY);                                                     /* none is left ... */
  assert_int_equal(glimpse_agent_observe_answer(p.agent, 1, 0, 0, 1), GLIMPSE_BAD_ARGUMENT); /* ... for anybody */
  assert_int_equal(glimpse_agent_observe(p.agent, 1, 0), GLIMPSE_OK);
  leave(&p);
}

/* Whoever gets no answer cannot ask again in this step: it guesses, which is worth 0.5, and goes on as ever. */
static void test_bounds_unheard(void **state) {
  (void)state;
  for (int per_step = 1; per_step < 4; per_step++) {
    player p = play(coin(GLIMPSE_TIMING_BEFORE, 0, (glimpse_limits){.per_step = (uint32_t)per_step}));
    glimpse_decision d;
    assert_int_equal(glimpse_agent_decide(p.agent, &some, &d), GLIMPSE_OK);
    assert_int_equal(glimpse_agent_no_answer(p.agent, &d), GLIMPSE_OK);
    double worth = 0.5 + 0.9 * 9;
    if (!(d.lower <= worth + 1e-9 && d.upper >= worth - 1e-9 && d.upper - d.lower < 0.1))
      fail_msg("between %g and %g, expected %g", d.lower, d.upper, worth);
    leave(&p);
  }
}

/* What follows an answer is worth what the recursion says with as many questions left as were not asked, also where the
 * plan passed one before it asked. */
static void test_questions_left(void **state) {
  (void)state;
  unsigned answered = 0, again = 0;
  for (uint64_t seed = 2600; seed <= 3000; seed++) { /* at 2930 it passes one */
    inquiries_wish wish = {.inquiries = 2 + seed % 2, .timings = 1U << GLIMPSE_TIMING_BEFORE, .ends = seed % 2};
    wish.patient = seed % 3 == 0;
    glimpse_model *model = inquiries_make(&wish, seed);
    if (glimpse_model_limits(model).per_step < 2) {
      glimpse_model_free(model);
      continue;
    }
    player p = play(model);
    glimpse_decision d;
    assert_int_equal(glimpse_agent_decide(p.agent, &(glimpse_budget){.expansions = 1 + seed % 3}, &d), GLIMPSE_OK);
    for (uint32_t asked = 1; d.ask; asked++) {
      uint32_t z = (uint32_t)(seed + asked) % glimpse_model_inquiry(model, d.inquiry).answers;
      double low, high;
      if (glimpse_agent_answer(p.agent, d.inquiry, z, &d) != GLIMPSE_OK) break; /* impossible here */
      inquiries_later(model, glimpse_belief_row(glimpse_agent_belief(p.agent)), asked, 3e3, &low, &high);
      if (!(d.lower <= high + 1e-9 && d.upper >= low - 1e-9))
        fail_msg("seed %llu: [%.12g, %.12g] after question %u, expected [%.12g, %.12g]", (unsigned long long)seed,
                 d.lower, d.upper, asked, low, high);
      answered++;
      again += asked > 1;
    }
    leave(&p);
  }
  if (!(answered > 30 && again > 0)) fail_msg("%u answers, %u of them to a second question", answered, again);
}

/* Many phases take no more than there is, but for a belief that nobody has looked at. */
static void test_budget(void **state) {
  (void)state;
  for (uint64_t most = 2; most < 40; most += 3) {
    glimpse_model *model = NULL;
    assert_int_equal(glimpse_environment_make("maintenance", NULL, &model), GLIMPSE_OK);
    player p = play(model);
    glimpse_decision d;
    assert_int_equal(glimpse_agent_decide(p.agent, &(glimpse_budget){.expansions = most}, &d), GLIMPSE_OK);
    if (d.expansions > most)
      fail_msg("%llu expansions of %llu", (unsigned long long)d.expansions, (unsigned long long)most);
    assert_int_equal(d.stop, GLIMPSE_STOP_EXPANSIONS);
    leave(&p);
  }
}

static glimpse_status job(void *context) {
  (void)context;
  glimpse_model *model = coin(GLIMPSE_TIMING_BEFORE, 0, (glimpse_limits){.requests = 2});
  glimpse_status status = model ? GLIMPSE_OK : GLIMPSE_NO_MEMORY;
  glimpse_offline *offline = NULL;
  glimpse_planner *planner = NULL;
  glimpse_agent *agent = NULL;
  glimpse_decision d;
  glimpse_bound_options once = {.threads = 1};
  if (!status) status = glimpse_offline_new(model, glimpse_offline_upper(model), &once, NULL, &offline);
  if (!status) status = glimpse_planner_new(model, offline, NULL, NULL, &planner);
  if (!status && !(agent = glimpse_agent_new(model, planner, NULL))) status = GLIMPSE_NO_MEMORY;
  if (!status) status = glimpse_agent_begin(agent, 0);
  if (!status) status = glimpse_agent_decide(agent, &(glimpse_budget){.expansions = 30}, &d);
  if (!status && d.ask) status = glimpse_agent_answer(agent, 0, 1, &d);
  if (!status) status = glimpse_agent_observe(agent, 1, 0);
  glimpse_agent_free(agent);
  glimpse_planner_free(planner);
  glimpse_offline_free(offline);
  glimpse_model_free(model);
  return status;
}

static void test_no_memory(void **state) {
  (void)state;
  assert_true(failing_malloc_sweep(job, NULL) > 50);
}

/* ---- lost, with little memory ---- */

/* Nothing leads to the third state, where alone 1 is seen; `stay` (1) remains there. */
static glimpse_model *hidden(void) {
  glimpse_builder *b = glimpse_builder_new(3, 2, 2);
  uint32_t i;
  glimpse_builder_discount(b, 0.9);
  glimpse_builder_start(b, 0, 0.5);
  glimpse_builder_start(b, 1, 0.5);
  for (uint32_t s = 0; s < 3; s++) {
    glimpse_builder_transition(b, 0, s, 1, 1);
    glimpse_builder_transition(b, 1, s, s, 1);
    glimpse_builder_observation(b, GLIMPSE_ANY, s, s == 2, 1);
  }
  glimpse_builder_reward(b, 0, 0, GLIMPSE_ANY, GLIMPSE_ANY, 1);
  glimpse_builder_inquiry(b, &(glimpse_inquiry){.name = "look", .answers = 3}, &i);
  for (uint32_t s = 0; s < 3; s++) glimpse_builder_inquiry_answer(b, i, s, s, 1);
  glimpse_builder_inquiry_price(b, i, GLIMPSE_ANY, 0.1);
  glimpse_builder_limits(b, &(glimpse_limits){.horizon = 6, .requests = 3});
  glimpse_model *model;
  assert_int_equal(glimpse_builder_finish(b, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(b);
  return model;
}

/* Where an agent stood after each move. */
typedef struct way {
  uint32_t count, layer[4];
  bool lost[4];
  double belief[4][3];
} way;

static void note(way *l, const glimpse_agent *agent) {
  l->layer[l->count] = glimpse_agent_stand(agent).layer;
  l->lost[l->count] = glimpse_agent_stand(agent).lost;
  for (uint32_t s = 0; s < 3; s++) l->belief[l->count][s] = glimpse_belief_probability(glimpse_agent_belief(agent), s);
  l->count++;
}

static bool same_way(const way *a, const way *b) {
  if (a->count != b->count) return false;
  for (uint32_t i = 0; i < a->count; i++) {
    if (a->layer[i] != b->layer[i] || a->lost[i] != b->lost[i]) return false;
    for (uint32_t s = 0; s < 3; s++)
      if (a->belief[i][s] != b->belief[i][s]) return false;
  }
  return true;
}

/* A call, which is repeated when memory was short. */
#define CALL(expected, call)                                                                                           \
  do {                                                                                                                 \
    glimpse_status status = call;                                                                                      \
    if (status == GLIMPSE_NO_MEMORY) {                                                                                 \
      failures += failing_malloc_failures();                                                                           \
      failing_malloc_set(0, false);                                                                                    \
      status = call;                                                                                                   \
    }                                                                                                                  \
    assert_int_equal(status, expected);                                                                                \
  } while (0)

/* It is lost and asks, or is told the state where it may not; the n-th allocation fails.  How many did? */
static unsigned long get_lost(player *p, bool asks, unsigned long n, bool all, way *l) {
  unsigned long failures = 0;
  glimpse_decision d;
  glimpse_budget few = {.expansions = 5};
  *l = (way){0};
  failing_malloc_set(n, all);
  CALL(GLIMPSE_OK, glimpse_agent_begin(p->agent, 0));
  CALL(GLIMPSE_OK, glimpse_agent_search(p->agent, &few, &d));
  CALL(asks ? GLIMPSE_OK : GLIMPSE_IMPOSSIBLE, glimpse_agent_observe(p->agent, 1, 1));
  note(l, p->agent);
  if (asks) CALL(GLIMPSE_OK, glimpse_agent_search(p->agent, &few, &d));
  if (asks) CALL(GLIMPSE_OK, glimpse_agent_answer(p->agent, 0, 2, NULL));
  else CALL(GLIMPSE_OK, glimpse_agent_reveal(p->agent, 2, NULL));
  note(l, p->agent);
  CALL(GLIMPSE_OK, glimpse_agent_search(p->agent, &few, &d));
  CALL(GLIMPSE_OK, glimpse_agent_observe(p->agent, 1, 1));
  note(l, p->agent);
  failures += failing_malloc_failures();
  failing_malloc_set(0, false);
  return failures;
}

/* A call that lacks memory changes nothing: repeated, it leads where it would have led at once. */
static void test_lost_memory(void **state) {
  (void)state;
  for (int asks = 0; asks < 2; asks++) {
    unsigned long tried = 0;
    way wanted = {0};
    for (int all = 0; all < 2; all++)
      for (unsigned long n = 0;; n++) {
        player p = play(hidden());
        glimpse_agent_free(p.agent);
        p.agent = glimpse_agent_new(p.model, p.planner, &(glimpse_agent_options){.ask_when_lost = asks});
        assert_non_null(p.agent);
        way found;
        unsigned long failures = get_lost(&p, asks, n, all, &found);
        leave(&p);
        if (n == 0) wanted = found;
        if (!same_way(&found, &wanted)) fail_msg("allocation %lu%s: another way", n, all ? " and all after it" : "");
        if (n && !failures) break;
        tried++;
      }
    assert_true(tried > 20);
    assert_true(wanted.lost[0] == asks && !wanted.lost[1] && wanted.belief[1][2] == 1 && wanted.belief[2][2] == 1);
    assert_true(!asks || fabs(wanted.belief[0][0] - 1.0 / 3) < 1e-15);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_questions_left), cmocka_unit_test(test_returns), cmocka_unit_test(test_beliefs),
      cmocka_unit_test(test_bounds_unheard), cmocka_unit_test(test_budget),  cmocka_unit_test(test_before),
      cmocka_unit_test(test_step),           cmocka_unit_test(test_joint),   cmocka_unit_test(test_no_memory),
      cmocka_unit_test(test_lost_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
