/* Rules of others: act-then-measure and spi against naive code and closed forms, and what spi earns against what it
 * promises.  Covers src/planners/baseline.c.
 *
 * Covers src/planners/baseline_rule.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/naive_baseline.h"
#include "support/planning.h"
#include "support/price.h"
#include "support/random_model.h"

enum { STATES = 6, ACTIONS = 4, SIGHTS = 4, EPISODES = 300, LENGTH = 100 };

static const glimpse_budget any = {.expansions = 1};
static const glimpse_planner_options measure = {.kind = GLIMPSE_PLANNER_ACT_THEN_MEASURE};
static const glimpse_planner_options spi = {.kind = GLIMPSE_PLANNER_SPI};

/* ---------------------------------------------------------------- act-then-measure */

/* What knowing the state gains beyond its price, by the values of the MDP; in *best the value of the best action. */
static double gain(const naive_baseline *n, const double *belief, double *best) {
  double known = 0, price = 0;
  *best = -INFINITY;
  for (uint32_t a = 0; a < n->actions; a++) *best = fmax(*best, naive_baseline_dot(&n->qmdp, a, belief));
  for (uint32_t s = 0; s < n->states; s++) {
    double most = -INFINITY;
    for (uint32_t a = 0; a < n->actions; a++) most = fmax(most, n->qmdp.value[a * n->states + s]);
    known += belief[s] * most;
    price += belief[s] * price_in(n->model, s);
  }
  return known - *best - price;
}

/* Does the action that QMDP takes change nothing, whatever is observed? */
static bool stands(const naive_baseline *n, const double *belief, uint32_t a) {
  for (uint32_t o = 0; o < n->observations; o++) {
    double next[STATES] = {0}, chance = 0;
    for (uint32_t s2 = 0; s2 < n->states; s2++) {
      for (uint32_t s = 0; s < n->states; s++)
        next[s2] += belief[s] * naive_baseline_entry(glimpse_model_transition(n->model, a, s), s2);
      next[s2] *= naive_baseline_entry(glimpse_model_observation(n->model, a, s2), o);
      chance += next[s2];
    }
    for (uint32_t s2 = 0; chance > 0 && s2 < n->states; s2++)
      if (fabs(next[s2] / chance - belief[s2]) > 1e-8) return false;
  }
  return true;
}

static uint32_t qmdp_action(const naive_baseline *n, const double *belief) {
  uint32_t best = 0;
  for (uint32_t a = 1; a < n->actions; a++)
    if (naive_baseline_dot(&n->qmdp, a, belief) > naive_baseline_dot(&n->qmdp, best, belief)) best = a;
  return best;
}

static void test_measure(void **state) {
  (void)state;
  unsigned asked = 0, silent = 0;
  for (uint64_t seed = 1; seed <= 150; seed++) {
    random_shape shape = random_model_shape(seed, STATES, ACTIONS, SIGHTS);
    planning p;
    planning_of(&p, random_model_make(seed, &shape));
    if (!glimpse_model_requests(p.model)) {
      planning_stop(&p);
      continue;
    }
    naive_baseline n = naive_baseline_of(p.model);
    gli_random random = gli_random_stream(seed, "measure", 0);
    planning_planner(&p, &measure);
    for (int i = 0; i < 8; i++) {
      double belief[STATES], value[STATES], best;
      uint32_t index[STATES];
      random_belief(&random, n.states, belief);
      glimpse_row row = random_belief_row(belief, n.states, index, value);
      double more = gain(&n, belief, &best);
      if (fabs(more) < 1e-6 * (1 + fabs(best))) continue; /* rounding decides */
      assert_int_equal(glimpse_planner_begin(p.planner, row, 0), GLIMPSE_OK);
      glimpse_decision d = planning_decide(&p, any);
      bool stuck = row.count > 1 && stands(&n, belief, qmdp_action(&n, belief));
      if (d.ask != (more > 0 || stuck))
        fail_msg("seed %llu: gains %.9g, asks %d", (unsigned long long)seed, more, d.ask);
      if (!d.ask && naive_baseline_dot(&n.qmdp, d.action, belief) < best - 1e-6 * (1 + fabs(best)))
        fail_msg("seed %llu: action %u is not that of QMDP", (unsigned long long)seed, d.action);
      *(d.ask ? &asked : &silent) += 1;
      if (!d.ask) continue;
      assert_int_equal(glimpse_planner_reveal(p.planner, index[0]), GLIMPSE_OK);
      assert_false(planning_decide(&p, any).ask);
    }
    naive_baseline_free(&n);
    planning_stop(&p);
  }
  assert_true(asked > 100 && silent > 100);
}

/* ------------------------------------------------------------------ closed forms */

/* From the start one comes to a good place (.8) or a bad one (.2); going on is worth 1 in the good one and 0 in the bad
 * one and ends, going back leads to the start.  That it has ended is seen, nothing else. */
static glimpse_model *fork_make(double discount, double price) {
  enum { START, GOOD, BAD, END };
  glimpse_builder *builder = glimpse_builder_new(4, 2, 2);
  assert_non_null(builder);
  glimpse_builder_discount(builder, discount);
  glimpse_builder_cost(builder, GLIMPSE_ANY, price);
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
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_builder_finish(builder, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(builder);
  return model;
}

static glimpse_decision at_fork(double discount, double price, const glimpse_planner_options *options) {
  static const uint32_t index[] = {1, 2};
  static const double value[] = {0.8, 0.2};
  planning p;
  planning_of(&p, fork_make(discount, price));
  planning_planner(&p, options);
  assert_int_equal(glimpse_planner_begin(p.planner, (glimpse_row){2, index, value}, 0), GLIMPSE_OK);
  glimpse_decision d = planning_decide(&p, any);
  planning_stop(&p);
  return d;
}

/* Knowing gains .2 g V where going on is the better of the two, V the value of the start if all is known; .8 (1 - g V)
 * where going back is.  The best plan asks below .16 g^2. */
static void test_closed_forms(void **state) {
  (void)state;
  static const double discounts[] = {0.5, 0.8, 0.95, 0.99};
  for (size_t i = 0; i < sizeof discounts / sizeof *discounts; i++) {
    double g = discounts[i], start = 0.8 * g / (1 - 0.2 * g * g);
    double knowing = 0.8 + 0.2 * g * start - fmax(0.8, g * start), best = 0.16 * g * g;
    assert_true(at_fork(g, knowing * 0.99, &measure).ask);
    glimpse_decision d = at_fork(g, knowing * 1.01, &measure);
    assert_true(!d.ask && d.action == (g * start > 0.8));
    assert_true(at_fork(g, best * 0.99, &spi).ask);
    d = at_fork(g, best * 1.01, &spi);
    assert_true(!d.ask && d.action == 0);
  }
}

/* Waiting in one of two places that one cannot tell apart, or going on from the right one: where knowing is not worth
 * its price, waiting changes nothing, so it asks all the same; where something is seen, it waits. */
static void test_standing(void **state) {
  (void)state;
  for (int sees = 0; sees < 2; sees++) {
    glimpse_builder *builder = glimpse_builder_new(2, 3, 2);
    assert_non_null(builder);
    glimpse_builder_discount(builder, 0.9);
    glimpse_builder_cost(builder, GLIMPSE_ANY, 100);
    for (uint32_t s = 0; s < 2; s++) {
      glimpse_builder_transition(builder, GLIMPSE_ANY, s, s, 1);
      glimpse_builder_observation(builder, GLIMPSE_ANY, s, s, sees ? 0.9 : 0.5);
      glimpse_builder_observation(builder, GLIMPSE_ANY, s, !s, sees ? 0.1 : 0.5);
      for (uint32_t a = 0; a < 2; a++) glimpse_builder_reward(builder, a, s, GLIMPSE_ANY, GLIMPSE_ANY, a == s ? 1 : -9);
    }
    glimpse_model *model = NULL;
    assert_int_equal(glimpse_builder_finish(builder, NULL, &model), GLIMPSE_OK);
    glimpse_builder_free(builder);
    planning p;
    planning_of(&p, model);
    planning_planner(&p, &measure);
    glimpse_decision d = planning_decide(&p, any);
    assert_true(sees ? !d.ask && d.action == 2 : d.ask);
    planning_stop(&p);
  }
}

static glimpse_statistic play(const planning *p, const glimpse_planner_options *options, uint64_t seed) {
  static glimpse_episode results[EPISODES];
  static double totals[EPISODES];
  glimpse_run run = {.episodes = EPISODES, .seed = seed, .max_steps = LENGTH, .planner = *options};
  assert_int_equal(glimpse_run_episodes(p->model, p->offline, &run, NULL, results), GLIMPSE_OK);
  for (int i = 0; i < EPISODES; i++) totals[i] = results[i].total;
  return glimpse_statistic_of(totals, EPISODES);
}

/* What the two earn at the fork: asking until the place is good; going on blindly; going back for ever. */
static void test_returns(void **state) {
  (void)state;
  double g = 0.95, paid = g * (0.8 - 0.08) / (1 - 0.2 * g * g);
  static const struct {
    double price;
    const glimpse_planner_options *options;
    int way; /* asks, goes on, goes back */
  } cases[] = {{0.08, &spi, 0}, {0.08, &measure, 0}, {0.15, &spi, 1}, {0.15, &measure, 2}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    planning p;
    planning_of(&p, fork_make(g, cases[i].price));
    double expected = cases[i].way == 0 ? paid : cases[i].way == 1 ? 0.8 * g : 0;
    glimpse_statistic s = play(&p, cases[i].options, 7);
    if (fabs(s.mean - expected) > 4.5 * s.se + 1e-9) fail_msg("case %zu: %.9g, not %.9g", i, s.mean, expected);
    planning_stop(&p);
  }
}

/* --------------------------------------------------------------------------- spi */

/* The choice promises what the bound sequence does, and the promise is kept. */
static void test_promise(void **state) {
  (void)state;
  unsigned asked = 0;
  for (uint64_t seed = 1; seed <= 16; seed++) {
    random_shape shape = random_model_shape(seed, STATES, ACTIONS, SIGHTS);
    shape.discount = 0.8;
    planning p;
    planning_of(&p, random_model_make(seed, &shape));
    planning_planner(&p, &spi);
    double least, most;
    glimpse_offline_value(p.offline, glimpse_model_start(p.model), &least, &most);
    asked += planning_decide(&p, any).ask;
    glimpse_statistic s = play(&p, &spi, seed);
    if (s.mean < least - 4.5 * s.se - 1e-6 * (1 + fabs(least)))
      fail_msg("seed %llu: %.9g earned, %.9g promised", (unsigned long long)seed, s.mean, least);
    planning_stop(&p);
  }
  assert_true(asked > 0);
}

/* Where every belief that can come is looked at, what spi does is worth no less than it promises, exactly: the value of
 * what it does is added up over the tree, and at its leaves stands the promise. */
static double followed(const planning *p, const double *belief, bool told, unsigned depth) {
  const glimpse_model *model = p->model;
  uint32_t states = glimpse_model_count(model, GLIMPSE_STATE), index[STATES];
  double value[STATES], sum = 0;
  glimpse_row row = random_belief_row(belief, states, index, value);
  glimpse_decision d;
  assert_int_equal(glimpse_planner_begin(p->planner, row, 0), GLIMPSE_OK);
  if (told) assert_int_equal(glimpse_planner_reveal(p->planner, row.index[0]), GLIMPSE_OK);
  assert_int_equal(glimpse_planner_plan(p->planner, &any, &d), GLIMPSE_OK);
  if (!depth) return d.lower;
  if (d.ask) {
    assert_false(told);
    for (uint32_t s = 0; s < states; s++) {
      double known[STATES] = {0};
      known[s] = 1;
      if (belief[s] > 0) sum += belief[s] * (followed(p, known, true, depth) - price_in(model, s));
    }
    return sum;
  }
  for (uint32_t s = 0; s < states; s++) sum += belief[s] * glimpse_model_reward(model, d.action, s);
  for (uint32_t o = 0; o < glimpse_model_count(model, GLIMPSE_OBSERVATION); o++) {
    double next[STATES] = {0}, chance = 0;
    for (uint32_t s2 = 0; s2 < states; s2++) {
      for (uint32_t s = 0; s < states; s++)
        next[s2] += belief[s] * naive_baseline_entry(glimpse_model_transition(model, d.action, s), s2);
      next[s2] *= naive_baseline_entry(glimpse_model_observation(model, d.action, s2), o);
      chance += next[s2];
    }
    if (!(chance > 0)) continue;
    for (uint32_t s2 = 0; s2 < states; s2++) next[s2] /= chance;
    sum += glimpse_model_discount(model) * chance * followed(p, next, false, depth - 1);
  }
  return sum;
}

static void test_followed(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    random_shape shape = random_model_shape(seed, 4, 3, 2);
    planning p;
    planning_of(&p, random_model_make(seed, &shape));
    gli_random random = gli_random_stream(seed, "followed", 0);
    planning_planner(&p, &spi);
    for (int i = 0; i < 3; i++) {
      double belief[STATES], value[STATES], least, most;
      uint32_t index[STATES];
      random_belief(&random, glimpse_model_count(p.model, GLIMPSE_STATE), belief);
      glimpse_row row = random_belief_row(belief, glimpse_model_count(p.model, GLIMPSE_STATE), index, value);
      glimpse_offline_value(p.offline, row, &least, &most);
      double slack = 1e-9 * (1 + fabs(least)), earned = followed(&p, belief, false, 3);
      if (earned < least - slack || earned > most + slack)
        fail_msg("seed %llu: %.17g is not between %.17g and %.17g", (unsigned long long)seed, earned, least, most);
    }
    planning_stop(&p);
  }
}

/* ------------------------------------------------------------------------- wrong */

static void test_without_requests(void **state) {
  (void)state;
  planning p;
  planning_start(&p, "tiger");
  assert_int_equal(glimpse_model_set_cost(p.model, 0), GLIMPSE_OK);
  glimpse_offline_free(p.offline);
  p.offline = NULL;
  assert_int_equal(glimpse_offline_new(p.model, GLIMPSE_BOUND_FIB, NULL, NULL, &p.offline), GLIMPSE_OK);
  glimpse_planner *planner = NULL;
  assert_int_equal(glimpse_planner_new(p.model, p.offline, &measure, NULL, &planner), GLIMPSE_NOT_APPLICABLE);
  assert_null(planner);
  planning_planner(&p, &spi);
  assert_false(planning_decide(&p, any).ask);
  planning_stop(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_measure),         cmocka_unit_test(test_standing),
                                     cmocka_unit_test(test_closed_forms),    cmocka_unit_test(test_returns),
                                     cmocka_unit_test(test_promise),         cmocka_unit_test(test_followed),
                                     cmocka_unit_test(test_without_requests)};
  return cmocka_run_group_tests_name("rules_of_others", tests, NULL, NULL);
}
