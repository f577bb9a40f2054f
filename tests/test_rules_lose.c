/* Rules lose: the search earns no less than rules that search nothing.
 *
 * Whoever plans could have asked never, always, or when in doubt, and acted by QMDP.
 * At a quarter, one and four times its price, and with requests off, no environment may
 * be worth less to the search than to the best of these rules.  Nor may models for
 * which nobody has chosen a constant: those of examples/models.
 *
 * Episodes are paired: the same seed is the same start and the same chance.  The mean
 * of the differences must not be below zero by more than two of their standard errors.
 * Budgets are expansions, so that the result is the same on every machine.
 *
 * This is the quick form of what `glimpse bench rules` and examples/models/rules.json
 * play at length: fewer and shorter episodes, and a fifth of their expansions or less,
 * with which a search has to do as well. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "support/planning.h"

enum { EPISODES = 40, SEED = 1000 };

typedef struct contest {
  const char *model; /* the spec of an environment, or a file */
  uint64_t expansions, episodes;
  uint32_t steps;
} contest;

/* Ready to be played at so many times its price, which is returned. */
static double enter(planning *p, const contest *c, double factor) {
  glimpse_model *model = NULL;
  if (strstr(c->model, ".pomdp")) assert_int_equal(glimpse_pomdp_read_file(c->model, NULL, NULL, &model), GLIMPSE_OK);
  else assert_int_equal(glimpse_environment_make(c->model, NULL, &model), GLIMPSE_OK);
  double price = glimpse_model_cost(model, glimpse_model_start(model).index[0]);
  assert_true(price > 0);
  price *= factor;
  if (factor != 1) assert_int_equal(glimpse_model_set_cost(model, price), GLIMPSE_OK); /* toy has one for each state */
  planning_of(p, model);
  return price;
}

static void play(const planning *p, const contest *c, const glimpse_planner_options *options, double *totals) {
  glimpse_episode results[EPISODES];
  assert_true(c->episodes <= EPISODES);
  glimpse_run how = {.episodes = c->episodes,
                     .seed = SEED,
                     .max_steps = c->steps,
                     .budget = {.expansions = c->expansions},
                     .planner = *options};
  assert_int_equal(glimpse_run_episodes(p->model, p->offline, &how, NULL, results), GLIMPSE_OK);
  for (uint64_t i = 0; i < c->episodes; i++) totals[i] = results[i].total;
}

/* Of what the first earns beyond the second. */
static glimpse_statistic margin(const double *first, const double *second, uint64_t episodes) {
  double differences[EPISODES];
  for (uint64_t i = 0; i < episodes; i++) differences[i] = first[i] - second[i];
  return glimpse_statistic_of(differences, episodes);
}

static bool beaten(glimpse_statistic s) {
  return s.mean < -2 * s.se - 1e-6;
}

static const struct {
  const char *name;
  glimpse_planner_options options;
} rules[] = {{"never-ask", {.kind = GLIMPSE_PLANNER_NEVER_ASK}}, /* the only one where requests are off */
             {"always-ask", {.kind = GLIMPSE_PLANNER_ALWAYS_ASK}},
             {"ask-entropy", {.kind = GLIMPSE_PLANNER_ASK_ENTROPY, .entropy = 1}}};

/* By how many rules the search is beaten; they are told. */
static int defeats(const contest *c, double factor) {
  static const glimpse_planner_options search = {.kind = GLIMPSE_PLANNER_AEMS_LOOP};
  double ours[EPISODES], theirs[EPISODES];
  planning p;
  double price = enter(&p, c, factor);
  int count = 0;
  play(&p, c, &search, ours);
  for (size_t k = 0; k < (price > 0 ? sizeof rules / sizeof *rules : 1); k++) {
    play(&p, c, &rules[k].options, theirs);
    glimpse_statistic s = margin(ours, theirs, c->episodes);
    if (!beaten(s)) continue;
    print_error("%s, price %g, %llu expansions: the search earns %.6g, %s %.6g; the difference is %.4g +- %.3g\n",
                c->model, price, (unsigned long long)c->expansions, glimpse_statistic_of(ours, c->episodes).mean,
                rules[k].name, glimpse_statistic_of(theirs, c->episodes).mean, s.mean, s.se);
    count++;
  }
  planning_stop(&p);
  return count;
}

static void compete(const contest *contests, size_t number) {
  static const double factors[] = {0, 0.25, 1, 4};
  int count = 0;
  for (size_t i = 0; i < number; i++)
    for (size_t k = 0; k < sizeof factors / sizeof *factors; k++) count += defeats(&contests[i], factors[k]);
  if (count) fail_msg("%d times a rule earns more than the search", count);
}

static void test_environments(void **state) {
  (void)state;
  static const contest contests[] = {{"robot-delivery:n=3", 50, 16, 60},
                                     {"tag", 30, 10, 30},
                                     {"tiger", 30, 24, 30},
                                     {"toy", 200, 40, 5},
                                     {"lemma2", 100, 24, 60},
                                     {"rock-sample:n=5,k=5", 40, 10, 25}};
  compete(contests, sizeof contests / sizeof *contests);
}

static void test_models(void **state) {
  (void)state;
  static const contest contests[] = {{"examples/models/maintenance.pomdp", 60, 10, 50},
                                     {"examples/models/clinic.pomdp", 30, 8, 20},
                                     {"examples/models/lake.pomdp", 200, 20, 25}};
  compete(contests, sizeof contests / sizeof *contests);
}

/* Defeats are seen: in Tiger asking pays, and whoever never asks is beaten by the others
 * and not by itself. */
static void test_defeat(void **state) {
  (void)state;
  static const contest tiger = {"tiger", 1, 24, 40};
  double never[EPISODES], always[EPISODES];
  planning p;
  assert_float_equal(enter(&p, &tiger, 0.25), 0.25, 0);
  play(&p, &tiger, &rules[0].options, never);
  play(&p, &tiger, &rules[1].options, always);
  assert_true(beaten(margin(never, always, tiger.episodes)));
  assert_false(beaten(margin(always, never, tiger.episodes)));
  assert_false(beaten(margin(never, never, tiger.episodes)));
  planning_stop(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_defeat), cmocka_unit_test(test_environments),
                                     cmocka_unit_test(test_models)};
  return cmocka_run_group_tests_name("rules_lose", tests, NULL, NULL);
}
