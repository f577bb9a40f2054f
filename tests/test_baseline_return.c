/* What baselines earn: against closed forms and Markov chains. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/naive_baseline.h"
#include "support/planning.h"
#include "support/random_model.h"

enum { STATES = 6 };

static const glimpse_budget any = {.expansions = 1};

enum { EPISODES = 200, LENGTH = 150 };

static glimpse_statistic play(const planning *p, glimpse_planner_options options, uint64_t seed) {
  static glimpse_episode results[EPISODES];
  static double totals[EPISODES];
  glimpse_run run = {.episodes = EPISODES, .seed = seed, .max_steps = LENGTH, .planner = options};
  assert_int_equal(glimpse_run_episodes(p->model, p->offline, &run, NULL, results), GLIMPSE_OK);
  for (int i = 0; i < EPISODES; i++) totals[i] = results[i].total;
  return glimpse_statistic_of(totals, EPISODES);
}

static void check_mean(glimpse_statistic s, double expected, const char *what, uint64_t seed) {
  double slack = 4.5 * s.se + 1e-6 * (1 + fabs(expected));
  if (fabs(s.mean - expected) <= slack) return;
  fail_msg("seed %llu: %s earns %.9g, not %.9g +- %.3g", (unsigned long long)seed, what, s.mean, expected, slack);
}

/* What each state is worth when it is always told and `policy` followed; the end is
 * free, as it is in an episode. */
static void evaluate(const naive_baseline *n, const uint32_t *policy, double *value) {
  double next[STATES];
  memset(value, 0, STATES * sizeof *value);
  for (int sweep = 0; sweep < 1000; sweep++) {
    for (uint32_t s = 0; s < n->states; s++) {
      glimpse_row row = glimpse_model_transition(n->model, policy[s], s);
      double sum = 0;
      for (uint32_t s2 = 0; s2 < n->states; s2++) sum += naive_baseline_entry(row, s2) * value[s2];
      next[s] = glimpse_model_reward(n->model, policy[s], s) - glimpse_model_cost(n->model, s) + n->discount * sum;
      if (glimpse_model_terminal(n->model, s)) next[s] = 0;
    }
    memcpy(value, next, sizeof next);
  }
}

static glimpse_model *small_model(uint64_t seed, random_sight sight, uint32_t terminals) {
  random_shape shape = {.states = 5,
                        .actions = 3,
                        .observations = 3,
                        .terminals = terminals,
                        .spread = 3,
                        .sight = sight,
                        .low = -1,
                        .high = 2,
                        .discount = 0.9,
                        .cost = 0.3,
                        .cost_by_state = seed % 2};
  return random_model_make(seed, &shape);
}

/* A Markov chain: always told, the planner's action in each state.  By the lower bound
 * it is the best that can be had when the price is paid in every step. */
static void test_always_ask(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 8; seed++) {
    planning p;
    planning_of(&p, small_model(seed, RANDOM_SIGHT_NOISY, seed % 3 == 2));
    naive_baseline n = naive_baseline_of(p.model);
    for (int act = 0; act < GLIMPSE_ACTS; act++) {
      glimpse_planner_options options = {.kind = GLIMPSE_PLANNER_ALWAYS_ASK, .act = (glimpse_act)act};
      double value[STATES], expected = 0;
      uint32_t policy[STATES];
      planning_planner(&p, &options);
      for (uint32_t s = 0; s < n.states; s++) {
        assert_int_equal(glimpse_planner_begin(p.planner, glimpse_model_start(p.model), 0), GLIMPSE_OK);
        assert_int_equal(glimpse_planner_reveal(p.planner, s), GLIMPSE_OK);
        policy[s] = planning_decide(&p, any).action;
      }
      evaluate(&n, policy, value);
      if (act == GLIMPSE_ACT_LOWER && seed % 3 != 2)
        for (uint32_t s = 0; s < n.states; s++) assert_float_equal(value[s], n.always_ask.value[s], 1e-6);
      glimpse_row start = glimpse_model_start(p.model);
      for (size_t i = 0; i < start.count; i++) expected += start.value[i] * value[start.index[i]];
      check_mean(play(&p, options, seed), expected, "always-ask", seed);
    }
    naive_baseline_free(&n);
    planning_stop(&p);
  }
}

/* Where nothing is ever seen, what happens between two answers follows from the first
 * of them: a Markov chain over the states that are told. */
static void test_ask_every(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 8; seed++) {
    planning p;
    planning_of(&p, small_model(seed, RANDOM_SIGHT_NOTHING, 0));
    naive_baseline n = naive_baseline_of(p.model);
    glimpse_planner_options options = {
        .kind = GLIMPSE_PLANNER_ASK_EVERY, .act = (glimpse_act)(seed % 2), .every = 2 + (uint32_t)seed % 3};
    double earned[STATES], reached[STATES][STATES], value[STATES] = {0}, factor = pow(n.discount, options.every);
    for (uint32_t s = 0; s < n.states; s++) {
      double belief[STATES] = {0}, weight = 1;
      belief[s] = 1;
      earned[s] = -glimpse_model_cost(p.model, s);
      for (uint32_t t = 0; t < options.every; t++, weight *= n.discount) {
        uint32_t best = 0;
        for (uint32_t a = 1; a < n.actions; a++)
          if (naive_baseline_score(&n, &options, belief, a) > naive_baseline_score(&n, &options, belief, best) + 1e-9)
            best = a;
        double next[STATES] = {0};
        for (uint32_t i = 0; i < n.states; i++) {
          earned[s] += weight * belief[i] * glimpse_model_reward(p.model, best, i);
          for (uint32_t j = 0; j < n.states; j++)
            next[j] += belief[i] * naive_baseline_entry(glimpse_model_transition(p.model, best, i), j);
        }
        memcpy(belief, next, sizeof next);
      }
      memcpy(reached[s], belief, sizeof belief);
    }
    for (int sweep = 0; sweep < 400; sweep++) {
      double next[STATES] = {0};
      for (uint32_t s = 0; s < n.states; s++) {
        next[s] = earned[s];
        for (uint32_t j = 0; j < n.states; j++) next[s] += factor * reached[s][j] * value[j];
      }
      memcpy(value, next, sizeof next);
    }
    double expected = 0;
    glimpse_row start = glimpse_model_start(p.model);
    for (size_t i = 0; i < start.count; i++) expected += start.value[i] * value[start.index[i]];
    check_mean(play(&p, options, seed), expected, "ask-every", seed);
    naive_baseline_free(&n);
    planning_stop(&p);
  }
}

/* Closed forms, to the last digits: nothing that is earned here depends on chance. */
static void test_closed_forms(void **state) {
  (void)state;
  planning p;
  planning_start(&p, "lemma2:c=0.25,gamma=0.9");
  double ten = (1 - pow(0.9, LENGTH)) / (1 - 0.9);
  for (int act = 0; act < GLIMPSE_ACTS; act++) {
    glimpse_act by = (glimpse_act)act;
    glimpse_statistic s = play(&p, (glimpse_planner_options){.kind = GLIMPSE_PLANNER_ALWAYS_ASK, .act = by}, 1);
    assert_float_equal(s.mean, 0.75 * ten, 1e-9); /* 1 - c in every step */
    assert_float_equal(s.se, 0, 1e-9);
    /* the state is one of two in every step, so that one bit is never exceeded, and half a bit always is */
    s = play(&p, (glimpse_planner_options){.kind = GLIMPSE_PLANNER_ASK_ENTROPY, .act = by, .entropy = 0.5}, 1);
    assert_float_equal(s.mean, 0.75 * ten, 1e-9);
    s = play(&p, (glimpse_planner_options){.kind = GLIMPSE_PLANNER_ASK_ENTROPY, .act = by, .entropy = 1}, 1);
    check_mean(s, 0, "guessing", 1);
    s = play(&p, (glimpse_planner_options){.kind = GLIMPSE_PLANNER_ASK_EVERY, .act = by, .every = 3}, 1);
    check_mean(s, 0.75 * ten / (1 + 0.9 + 0.81), "telling every third time", 1);
  }
  planning_stop(&p);
  planning_start(&p, "tiger");
  glimpse_statistic s =
      play(&p, (glimpse_planner_options){.kind = GLIMPSE_PLANNER_NEVER_ASK, .act = GLIMPSE_ACT_LOWER}, 1);
  assert_float_equal(s.mean, -20 * (1 - pow(0.95, LENGTH)), 1e-9); /* blind listens for ever */
  assert_float_equal(s.se, 0, 1e-9);
  planning_stop(&p);
}

/* Acting by the lower bound keeps its promise where the rule can: blind without asking. */
static void test_never_ask(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 6; seed++) {
    planning p;
    planning_of(&p, small_model(seed, RANDOM_SIGHT_NOISY, 0));
    naive_baseline n = naive_baseline_of(p.model);
    double start[STATES] = {0}, promised = -INFINITY;
    glimpse_row row = glimpse_model_start(p.model);
    for (size_t i = 0; i < row.count; i++) start[row.index[i]] = row.value[i];
    for (uint32_t a = 0; a < n.actions; a++) promised = fmax(promised, naive_baseline_dot(&n.blind, a, start));
    glimpse_statistic s =
        play(&p, (glimpse_planner_options){.kind = GLIMPSE_PLANNER_NEVER_ASK, .act = GLIMPSE_ACT_LOWER}, seed);
    if (s.mean < promised - 4 * s.se)
      fail_msg("seed %llu: %.9g earned, %.9g promised", (unsigned long long)seed, s.mean, promised);
    naive_baseline_free(&n);
    planning_stop(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_always_ask), cmocka_unit_test(test_ask_every),
                                     cmocka_unit_test(test_closed_forms), cmocka_unit_test(test_never_ask)};
  return cmocka_run_group_tests_name("baseline_return", tests, NULL, NULL);
}
