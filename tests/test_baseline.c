/* Baselines: what they decide against naive code on random models, their bounds
 * against the exact value, and the rules by which they ask. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/exact.h"
#include "support/failing_malloc.h"
#include "support/naive_baseline.h"
#include "support/planning.h"
#include "support/price.h"
#include "support/random_model.h"

enum { STATES = 6, ACTIONS = 4, SIGHTS = 4, KINDS = 6, PLAIN_KINDS = 4 };

static const glimpse_planner_kind kinds[KINDS] = {GLIMPSE_PLANNER_NEVER_ASK,        GLIMPSE_PLANNER_ALWAYS_ASK,
                                                  GLIMPSE_PLANNER_ASK_EVERY,        GLIMPSE_PLANNER_ASK_ENTROPY,
                                                  GLIMPSE_PLANNER_ACT_THEN_MEASURE, GLIMPSE_PLANNER_SPI};
static const glimpse_budget any = {.expansions = 1};

/* ---------------------------------------------------------------- decisions */

static bool all_over(const naive_baseline *n, const double *belief) {
  for (uint32_t s = 0; s < n->states; s++)
    if (belief[s] > 0 && !glimpse_model_terminal(n->model, s)) return false;
  return true;
}

static double entropy_of(const double *belief, uint32_t count) {
  double sum = 0;
  for (uint32_t s = 0; s < count; s++)
    if (belief[s] > 0) sum -= belief[s] * log2(belief[s]);
  return sum;
}

static void check_action(const naive_baseline *n, const glimpse_planner_options *options, const double *belief,
                         uint32_t made, uint64_t seed) {
  double best = -INFINITY, score = naive_baseline_score(n, options, belief, made);
  for (uint32_t a = 0; a < n->actions; a++) best = fmax(best, naive_baseline_score(n, options, belief, a));
  if (score >= best - 1e-7 * (1 + fabs(best))) return;
  fail_msg("seed %llu: %s by %s takes action %u, worth %.17g, not the best, %.17g", (unsigned long long)seed,
           glimpse_planner_key(options->kind), glimpse_act_key(options->act), made, score, best);
}

/* At the first step, with nothing told. */
static bool should_ask(const naive_baseline *n, const glimpse_planner_options *options, const double *belief) {
  if (all_over(n, belief)) return false;
  switch (options->kind) {
    case GLIMPSE_PLANNER_ALWAYS_ASK:
    case GLIMPSE_PLANNER_ASK_EVERY: return true;
    case GLIMPSE_PLANNER_ASK_ENTROPY: return entropy_of(belief, n->states) > options->entropy + 1e-9;
    default: return false;
  }
}

static void check_decisions(const planning *p, const naive_baseline *n, const glimpse_planner_options *options,
                            const double *belief, glimpse_row row, uint64_t seed) {
  static const glimpse_planner_options either = {
      .kind = GLIMPSE_PLANNER_ASK_EVERY, .act = GLIMPSE_ACT_LOWER, .every = 2};
  glimpse_decision d;
  assert_int_equal(glimpse_planner_begin(p->planner, row, 0), GLIMPSE_OK);
  assert_int_equal(glimpse_planner_plan(p->planner, &any, &d), GLIMPSE_OK);
  assert_true(d.stop == GLIMPSE_STOP_RULE && d.expansions == 0 && isnan(d.value));
  if (d.ask != should_ask(n, options, belief))
    fail_msg("seed %llu: %s: asks: %d", (unsigned long long)seed, glimpse_planner_key(options->kind), d.ask);
  for (uint32_t a = 0; n->always_ask.value && a < n->actions; a++) {
    double lower = glimpse_planner_choice(p->planner, a).lower;
    double plans = naive_baseline_score(n, &either, belief, a);
    if (lower < plans - 1e-7 * (1 + fabs(plans))) /* sequence may promise more */
      fail_msg("seed %llu: action %u is worth at least %.17g, not %.17g", (unsigned long long)seed, a, plans, lower);
  }
  if (!d.ask) check_action(n, options, belief, d.action, seed);
  if (!d.ask) return;
  assert_int_equal(d.action, GLIMPSE_ANY);
  for (size_t i = 0; i < row.count; i++) {
    double known[STATES] = {0};
    known[row.index[i]] = 1;
    assert_int_equal(glimpse_planner_begin(p->planner, row, 0), GLIMPSE_OK);
    assert_int_equal(glimpse_planner_reveal(p->planner, row.index[i]), GLIMPSE_OK);
    assert_int_equal(glimpse_planner_plan(p->planner, &any, &d), GLIMPSE_OK);
    assert_false(d.ask);
    check_action(n, options, known, d.action, seed);
  }
}

/* All kinds, both ways to act, offline bounds of both kinds, any belief. */
static void test_decisions(void **state) {
  (void)state;
  unsigned asked = 0;
  for (uint64_t seed = 1; seed <= 150; seed++) {
    random_shape shape = random_model_shape(seed, STATES, ACTIONS, SIGHTS);
    planning p;
    planning_of(&p, random_model_make(seed, &shape));
    if (seed % 2) {
      glimpse_offline_free(p.offline);
      assert_int_equal(
          glimpse_offline_new(p.model, GLIMPSE_BOUND_QMDP, &(glimpse_bound_options){.threads = 1}, NULL, &p.offline),
          GLIMPSE_OK);
    }
    naive_baseline n = naive_baseline_of(p.model);
    gli_random random = gli_random_stream(seed, "baseline", 0);
    for (unsigned k = 0; k < 2 * PLAIN_KINDS; k++) {
      glimpse_planner_options options = {.kind = kinds[k / 2],
                                         .act = (glimpse_act)(k % 2),
                                         .every = gli_random_below(&random, 3),
                                         .entropy = 1.5 * gli_random_unit(&random)};
      if (k / 2 && !glimpse_model_requests(p.model)) break;
      planning_planner(&p, &options);
      for (int i = 0; i < 4; i++) {
        double belief[STATES], value[STATES];
        uint32_t index[STATES];
        random_belief(&random, n.states, belief);
        glimpse_row row = random_belief_row(belief, n.states, index, value);
        check_decisions(&p, &n, &options, belief, row, seed);
        asked += should_ask(&n, &options, belief);
      }
    }
    naive_baseline_free(&n);
    planning_stop(&p);
  }
  assert_true(asked > 1000);
}

/* ------------------------------------------------------------------- bounds */

/* What action a is worth, between two numbers, by the tree behind it. */
static void exact_action(const naive_baseline *n, const exact_tree *tree, const double *belief, uint32_t a, double *low,
                         double *high) {
  *low = *high = 0;
  for (uint32_t s = 0; s < n->states; s++) *low += belief[s] * glimpse_model_reward(n->model, a, s);
  *high = *low;
  for (uint32_t o = 0; o < n->observations; o++) {
    double next[STATES] = {0}, sum = 0, l, h;
    for (uint32_t s2 = 0; s2 < n->states; s2++) {
      for (uint32_t s = 0; s < n->states; s++)
        next[s2] += belief[s] * naive_baseline_entry(glimpse_model_transition(n->model, a, s), s2);
      next[s2] *= naive_baseline_entry(glimpse_model_observation(n->model, a, s2), o);
      sum += next[s2];
    }
    if (!(sum > 0)) continue;
    for (uint32_t s2 = 0; s2 < n->states; s2++) next[s2] /= sum;
    exact_tree_value(tree, next, &l, &h);
    *low += n->discount * sum * l;
    *high += n->discount * sum * h;
  }
}

static void check_interval(double lower, double upper, double low, double high, const char *what, uint64_t seed) {
  double slack = 1e-9 * (1 + fabs(low) + fabs(high));
  if (lower <= high + slack && upper >= low - slack && lower <= upper + slack) return;
  fail_msg("seed %llu: %s: [%.17g, %.17g] is no bound of [%.17g, %.17g]", (unsigned long long)seed, what, lower, upper,
           low, high);
}

/* Every number that is reported, at a belief and after being told the state. */
static void check_bounds(const planning *p, const naive_baseline *n, const exact_tree *tree, const double *belief,
                         bool told, uint64_t seed) {
  glimpse_decision d;
  double low, high, lower = -INFINITY, upper = -INFINITY;
  assert_int_equal(glimpse_planner_plan(p->planner, &any, &d), GLIMPSE_OK);
  exact_tree_value(tree, belief, &low, &high);
  check_interval(d.lower, d.upper, low, high, told ? "told" : "here", seed);
  double least, most;
  uint32_t index[STATES];
  double value[STATES];
  glimpse_offline_value(p->offline, random_belief_row(belief, n->states, index, value), &least, &most);
  assert_true(d.offline_lower == least && d.offline_upper == most);
  for (uint32_t a = 0; a < n->actions; a++) {
    glimpse_choice choice = glimpse_planner_choice(p->planner, a);
    exact_action(n, tree, belief, a, &low, &high);
    check_interval(choice.lower, choice.upper, low, high, "action", seed);
    lower = fmax(lower, choice.lower);
    upper = fmax(upper, choice.upper);
  }
  glimpse_choice ask = glimpse_planner_choice(p->planner, GLIMPSE_ANY);
  assert_true(isnan(ask.lower) == (told || !glimpse_model_requests(p->model)) && isnan(ask.value));
  if (!isnan(ask.lower)) {
    double sum_low = 0, sum_high = 0;
    for (uint32_t s = 0; s < n->states; s++) {
      double known[STATES] = {0};
      known[s] = 1;
      exact_tree_value(tree, known, &low, &high);
      sum_low += belief[s] * (low - price_in(n->model, s));
      sum_high += belief[s] * (high - price_in(n->model, s));
    }
    check_interval(ask.lower, ask.upper, sum_low, sum_high, "asking", seed);
  }
  assert_true(d.lower == fmax(least, fmax(lower, isnan(ask.lower) ? -INFINITY : ask.lower)));
  assert_true(d.upper == fmin(most, fmax(upper, isnan(ask.upper) ? -INFINITY : ask.upper)));
  assert_true(isnan(glimpse_planner_choice(p->planner, n->actions).lower));
}

static void test_bounds(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    random_shape shape = random_model_shape(seed, 4, 3, 2);
    planning p;
    planning_of(&p, random_model_make(seed, &shape));
    naive_baseline n = naive_baseline_of(p.model);
    exact_tree *tree = exact_tree_new(p.model, exact_tree_horizon(p.model, 100));
    gli_random random = gli_random_stream(seed, "bounds", 0);
    bool requests = glimpse_model_requests(p.model);
    planning_planner(&p, &(glimpse_planner_options){.kind = kinds[requests ? seed % KINDS : 0],
                                                    .act = (glimpse_act)(seed / KINDS % 2)});
    for (int i = 0; i < 3; i++) {
      double belief[STATES], value[STATES];
      uint32_t index[STATES];
      random_belief(&random, n.states, belief);
      glimpse_row row = random_belief_row(belief, n.states, index, value);
      assert_int_equal(glimpse_planner_begin(p.planner, row, 0), GLIMPSE_OK);
      check_bounds(&p, &n, tree, belief, false, seed);
      if (!requests) continue;
      double known[STATES] = {0};
      known[index[0]] = 1;
      assert_int_equal(glimpse_planner_reveal(p.planner, index[0]), GLIMPSE_OK);
      check_bounds(&p, &n, tree, known, true, seed);
    }
    exact_tree_free(tree);
    naive_baseline_free(&n);
    planning_stop(&p);
  }
}

/* -------------------------------------------------------------------- rules */

/* Plays a step of Tiger, listening whatever is decided; was the state asked for? */
static bool step(glimpse_agent *agent) {
  glimpse_decision d;
  assert_int_equal(glimpse_agent_decide(agent, &any, &d), GLIMPSE_OK);
  bool ask = d.ask;
  if (ask) assert_int_equal(glimpse_agent_reveal(agent, 0, &d), GLIMPSE_OK);
  assert_false(d.ask);
  assert_int_equal(glimpse_agent_observe(agent, 0, 0), GLIMPSE_OK);
  return ask;
}

/* Every k steps from the first one on; a new episode counts anew. */
static void test_every(void **state) {
  (void)state;
  planning p;
  planning_start(&p, "tiger");
  for (uint32_t k = 0; k <= 7; k++) {
    uint32_t every = k ? k : 5; /* 0 is the default */
    planning_planner(&p, &(glimpse_planner_options){.kind = GLIMPSE_PLANNER_ASK_EVERY, .every = k});
    glimpse_agent *agent = glimpse_agent_new(p.model, p.planner, NULL);
    assert_non_null(agent);
    for (uint32_t length = 1; length <= 16; length += 5) {
      assert_int_equal(glimpse_agent_begin(agent, length), GLIMPSE_OK);
      for (uint32_t t = 0; t < length; t++) assert_int_equal(step(agent), t % every == 0);
    }
    glimpse_agent_free(agent);
  }
  planning_stop(&p);
}

/* Who was lost and has been told the state counts from there. */
static void test_every_when_lost(void **state) {
  (void)state;
  planning p;
  planning_start(&p, "robot-delivery:n=3,f=0");
  planning_planner(&p, &(glimpse_planner_options){.kind = GLIMPSE_PLANNER_ASK_EVERY, .every = 4});
  glimpse_agent *agent = glimpse_agent_new(p.model, p.planner, &(glimpse_agent_options){.ask_when_lost = true});
  assert_non_null(agent);
  assert_int_equal(glimpse_agent_begin(agent, 0), GLIMPSE_OK);
  uint32_t right = glimpse_model_find(p.model, GLIMPSE_ACTION, "right"), s = glimpse_model_start(p.model).index[0];
  uint32_t arrived = glimpse_model_find(p.model, GLIMPSE_OBSERVATION, "arrived");
  uint32_t bottom = glimpse_model_find(p.model, GLIMPSE_STATE, "row3col1-at1");
  uint32_t down = glimpse_model_find(p.model, GLIMPSE_ACTION, "down");
  assert_true(right != GLIMPSE_ANY && arrived != GLIMPSE_ANY && bottom != GLIMPSE_ANY && down != GLIMPSE_ANY);
  glimpse_decision d;
  assert_int_equal(glimpse_agent_decide(agent, &any, &d), GLIMPSE_OK);
  assert_true(d.ask);
  assert_int_equal(glimpse_agent_reveal(agent, s, &d), GLIMPSE_OK);
  assert_int_equal(glimpse_agent_observe(agent, right, arrived), GLIMPSE_OK); /* impossible */
  assert_int_equal(glimpse_agent_decide(agent, &any, &d), GLIMPSE_OK);
  assert_true(d.ask);
  assert_int_equal(glimpse_agent_reveal(agent, bottom, &d), GLIMPSE_OK);
  uint32_t walls = glimpse_model_observation(p.model, down, bottom).index[0]; /* against the wall it stays */
  for (int i = 0; i < 9; i++) {
    assert_int_equal(glimpse_agent_observe(agent, down, walls), GLIMPSE_OK);
    assert_int_equal(glimpse_agent_decide(agent, &any, &d), GLIMPSE_OK);
    assert_int_equal(d.ask, i % 4 == 3);
    if (d.ask) assert_int_equal(glimpse_agent_reveal(agent, bottom, &d), GLIMPSE_OK);
  }
  glimpse_agent_free(agent);
  planning_stop(&p);
}

static bool asks_at(planning *p, glimpse_row belief) {
  assert_int_equal(glimpse_planner_begin(p->planner, belief, 0), GLIMPSE_OK);
  return planning_decide(p, any).ask;
}

static void test_entropy(void **state) {
  (void)state;
  planning p;
  planning_start(&p, "robot-delivery:n=3");
  enum { MOST = 100 };
  uint32_t index[MOST];
  double value[MOST];
  for (uint32_t i = 0; i < MOST; i++) index[i] = i;
  for (uint32_t bits = 0; bits <= 3; bits++) {
    for (uint32_t i = 0; i < 8; i++) value[i] = ldexp(1, -(int)bits);
    glimpse_row equal = {(size_t)1 << bits, index, value};
    for (int below = 0; below < 2; below++) {
      planning_planner(
          &p, &(glimpse_planner_options){.kind = GLIMPSE_PLANNER_ASK_ENTROPY, .entropy = fmax(0, bits - 1e-9 * below)});
      assert_int_equal(asks_at(&p, equal), bits > 0 && below); /* above, not at */
    }
  }
  /* n equal states have log n bits, however it is rounded */
  for (uint32_t n = 1; n <= MOST; n++) {
    for (uint32_t i = 0; i < n; i++) value[i] = 1.0 / n;
    planning_planner(&p, &(glimpse_planner_options){.kind = GLIMPSE_PLANNER_ASK_ENTROPY, .entropy = log2(n)});
    assert_false(asks_at(&p, (glimpse_row){n, index, value}));
  }
  /* 0 is: whenever it is not certain */
  value[0] = 1 - 1e-12, value[1] = 1e-12;
  planning_planner(&p, &(glimpse_planner_options){.kind = GLIMPSE_PLANNER_ASK_ENTROPY});
  assert_true(asks_at(&p, (glimpse_row){2, index, value}));
  planning_stop(&p);
}

/* When all is over nobody asks; when it only may be, the rule holds. */
static void test_terminal(void **state) {
  (void)state;
  planning p;
  planning_start(&p, "robot-delivery:n=3");
  uint32_t end = GLIMPSE_ANY, states = glimpse_model_count(p.model, GLIMPSE_STATE);
  for (uint32_t s = 0; s < states; s++)
    if (glimpse_model_terminal(p.model, s)) end = s;
  assert_int_equal(end, states - 1);
  double half[2] = {0.5, 0.5}, one = 1;
  uint32_t both[2] = {0, end};
  for (unsigned k = 0; k < 2 * PLAIN_KINDS; k++) {
    planning_planner(&p, &(glimpse_planner_options){.kind = kinds[k / 2], .act = (glimpse_act)(k % 2)});
    assert_false(asks_at(&p, (glimpse_row){1, &end, &one}));
    glimpse_decision d = planning_decide(&p, any);
    assert_true(d.action < glimpse_model_count(p.model, GLIMPSE_ACTION));
    assert_float_equal(d.lower, 0, 1e-9);
    assert_float_equal(d.upper, 0, 1e-9);
    glimpse_forecast steps[3];
    assert_int_equal(glimpse_planner_forecast(p.planner, steps, 3), 0);
    assert_int_equal(asks_at(&p, (glimpse_row){2, both, half}), k >= 2);
  }
  planning_stop(&p);
}

/* ----------------------------------------------------------------- forecast */

/* An agent to whom the most likely happens goes the way of the forecast. */
static void test_forecast(void **state) {
  (void)state;
  enum { STEPS = 12 };
  for (unsigned k = 0; k < 2 * PLAIN_KINDS; k++) {
    planning p;
    planning_start(&p, "robot-delivery:n=3");
    planning_planner(
        &p, &(glimpse_planner_options){.kind = kinds[k / 2], .act = (glimpse_act)(k % 2), .every = 3, .entropy = 1});
    glimpse_agent *agent = glimpse_agent_new(p.model, p.planner, NULL);
    assert_non_null(agent);
    assert_int_equal(glimpse_agent_begin(agent, 0), GLIMPSE_OK);
    glimpse_forecast steps[STEPS];
    size_t made = glimpse_planner_forecast(p.planner, steps, STEPS);
    assert_true(made >= 2);
    double probability = 1;
    glimpse_belief *belief = glimpse_belief_new(p.model);
    assert_non_null(belief);
    for (size_t i = 0; i < made; i++) {
      glimpse_decision d;
      assert_int_equal(glimpse_agent_decide(agent, &any, &d), GLIMPSE_OK);
      assert_int_equal(d.ask, steps[i].ask);
      assert_true(d.lower == steps[i].lower && d.upper == steps[i].upper);
      if (d.ask) {
        probability *= glimpse_belief_probability(glimpse_agent_belief(agent), steps[i].state);
        assert_int_equal(glimpse_agent_reveal(agent, steps[i].state, &d), GLIMPSE_OK);
      }
      assert_int_equal(d.action, steps[i].action);
      double p_seen;
      assert_int_equal(glimpse_belief_set(belief, glimpse_belief_row(glimpse_agent_belief(agent))), GLIMPSE_OK);
      assert_int_equal(glimpse_belief_update(belief, d.action, steps[i].observation, &p_seen), GLIMPSE_OK);
      probability *= p_seen;
      assert_float_equal(steps[i].probability, probability, 1e-12);
      assert_int_equal(glimpse_agent_observe(agent, d.action, steps[i].observation), GLIMPSE_OK);
    }
    glimpse_belief_free(belief);
    glimpse_agent_free(agent);
    planning_stop(&p);
  }
}

/* -------------------------------------------------------------- the outside */

static void test_wrong_options(void **state) {
  (void)state;
  planning p;
  planning_start(&p, "tiger");
  const glimpse_planner_options wrong[] = {
      {.kind = GLIMPSE_PLANNER_NEVER_ASK, .act = GLIMPSE_ACTS},
      {.kind = GLIMPSE_PLANNER_ASK_ENTROPY, .entropy = -1},
      {.kind = GLIMPSE_PLANNER_ASK_ENTROPY, .entropy = NAN},
      {.kind = GLIMPSE_PLANNER_ASK_ENTROPY, .entropy = INFINITY},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    assert_int_equal(glimpse_planner_new(p.model, p.offline, &wrong[i], NULL, &p.planner), GLIMPSE_BAD_ARGUMENT);
  for (int k = 0; k < KINDS; k++) {
    glimpse_planner_options options = {.kind = kinds[k]};
    assert_int_equal(glimpse_planner_new(p.model, NULL, &options, NULL, &p.planner), GLIMPSE_BAD_ARGUMENT);
    assert_null(p.planner);
    assert_int_equal(glimpse_planner_new(p.model, p.offline, &options, NULL, &p.planner), GLIMPSE_OK);
    glimpse_decision d;
    assert_int_equal(glimpse_planner_plan(p.planner, &any, &d), GLIMPSE_BAD_ARGUMENT); /* not begun */
    assert_true(isnan(glimpse_planner_choice(p.planner, 0).lower));
    assert_int_equal(glimpse_planner_forecast(p.planner, &(glimpse_forecast){0}, 1), 0);
    glimpse_planner_free(p.planner);
    p.planner = NULL;
  }
  planning_stop(&p);
  planning_start(&p, "tiger:c=0"); /* nobody to ask */
  for (int k = 0; k < KINDS; k++) {
    glimpse_report *report = glimpse_report_new();
    glimpse_status status =
        glimpse_planner_new(p.model, p.offline, &(glimpse_planner_options){.kind = kinds[k]}, report, &p.planner);
    bool asks = glimpse_planner_traits(kinds[k]) & GLIMPSE_TRAIT_ASKS;
    assert_int_equal(status, asks ? GLIMPSE_NOT_APPLICABLE : GLIMPSE_OK);
    if (asks) assert_non_null(strstr(glimpse_report_get(report, 0)->text, glimpse_planner_key(kinds[k])));
    glimpse_planner_free(p.planner);
    p.planner = NULL;
    glimpse_report_free(report);
  }
  planning_stop(&p);
  assert_string_equal(glimpse_act_key(GLIMPSE_ACT_LOWER), "lower");
  assert_string_equal(glimpse_act_key(GLIMPSE_ACTS), "?");
  assert_string_equal(glimpse_stop_key(GLIMPSE_STOP_RULE), "rule");
}

/* The same with any number of threads. */
static void test_jobs(void **state) {
  (void)state;
  planning p;
  planning_start(&p, "robot-delivery:n=3");
  for (int k = 0; k < KINDS; k++) {
    glimpse_episode one[20], five[20];
    glimpse_run run = {.episodes = 20, .seed = 3, .max_steps = 40, .planner = {.kind = kinds[k]}};
    assert_int_equal(glimpse_run_episodes(p.model, p.offline, &run, NULL, one), GLIMPSE_OK);
    run.jobs = 5;
    assert_int_equal(glimpse_run_episodes(p.model, p.offline, &run, NULL, five), GLIMPSE_OK);
    for (int i = 0; i < 20; i++)
      assert_true(one[i].total == five[i].total && one[i].requests == five[i].requests &&
                  one[i].steps == five[i].steps && one[i].expansions == 0 && isnan(one[i].error_reduction));
  }
  planning_stop(&p);
}

static glimpse_status a_few_steps(void *context) {
  planning *p = context;
  glimpse_planner *planner = NULL;
  glimpse_decision d;
  glimpse_forecast steps[4];
  glimpse_planner_options options = {.kind = GLIMPSE_PLANNER_ASK_EVERY};
  glimpse_row start = glimpse_model_start(p->model);
  glimpse_status status = glimpse_planner_new(p->model, p->offline, &options, NULL, &planner);
  if (!status) status = glimpse_planner_begin(planner, start, 0);
  if (!status) status = glimpse_planner_plan(planner, &any, &d);
  if (!status && glimpse_planner_forecast(planner, steps, 4) == SIZE_MAX) status = GLIMPSE_NO_MEMORY;
  if (!status) status = glimpse_planner_reveal(planner, 0);
  if (!status) status = glimpse_planner_observe(planner, 0, 0, start);
  glimpse_planner_free(planner);
  return status;
}

static void test_no_memory(void **state) {
  (void)state;
  planning p;
  planning_start(&p, "robot-delivery:n=3");
  assert_true(failing_malloc_sweep(a_few_steps, &p) > 10);
  planning_stop(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_decisions),       cmocka_unit_test(test_bounds),
                                     cmocka_unit_test(test_every),           cmocka_unit_test(test_entropy),
                                     cmocka_unit_test(test_every_when_lost), cmocka_unit_test(test_terminal),
                                     cmocka_unit_test(test_forecast),        cmocka_unit_test(test_jobs),
                                     cmocka_unit_test(test_wrong_options),   cmocka_unit_test(test_no_memory)};
  return cmocka_run_group_tests_name("baseline", tests, NULL, NULL);
}
