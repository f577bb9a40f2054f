/* Promise: what the planner says is what comes.  The mean return of many episodes is
 * not below the lower bound at the start, whatever the budget, and no episode idles,
 * the defect that the paper reports. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/planning.h"

/* ------------------------------------------------------------ what was said */

static void keep(const planning *p, const char *what, uint64_t expansions, uint64_t episodes,
                 const glimpse_planner_options *options) {
  glimpse_episode *results = calloc(episodes, sizeof *results);
  double *totals = calloc(episodes, sizeof *totals);
  assert_non_null(results);
  assert_non_null(totals);
  glimpse_run how = {
      .episodes = episodes, .seed = 11, .max_steps = 400, .budget = {.expansions = expansions}, .planner = *options};
  assert_int_equal(glimpse_run_episodes(p->model, p->offline, &how, NULL, results), GLIMPSE_OK);
  double low = INFINITY;
  for (uint64_t i = 0; i < episodes; i++) {
    totals[i] = results[i].total;
    low = fmin(low, results[i].lower);
    assert_true(results[i].lower == results[0].lower); /* they all start alike */
  }
  glimpse_statistic s = glimpse_statistic_of(totals, episodes);
  if (!(s.mean >= low - 4 * s.se - 1e-5)) /* steps after the last are worth less than that */
    fail_msg("%s, %llu expansions: promised %.6g, but the mean is %.6g with a standard error of %.3g", what,
             (unsigned long long)expansions, low, s.mean, s.se);
  free(results);
  free(totals);
}

static void keep_promise(const char *spec, uint64_t expansions, uint64_t episodes,
                         const glimpse_planner_options *options) {
  planning p;
  planning_start(&p, spec);
  keep(&p, spec, expansions, episodes, options);
  planning_stop(&p);
}

static void test_promise(void **state) {
  (void)state;
  glimpse_planner_options plain = {0}, small = {.max_memory = 300000};
  keep_promise("robot-delivery:n=1", 100, 16, &plain);
  keep_promise("robot-delivery:n=2", 100, 8, &plain);
  keep_promise("robot-delivery:n=2", 100, 4, &small);
  keep_promise("robot-delivery:n=3", 1, 60, &plain);
  keep_promise("robot-delivery:n=3", 40, 30, &(glimpse_planner_options){.kind = GLIMPSE_PLANNER_AEMS});
  keep_promise("tag", 1, 30, &plain);
  keep_promise("tiger:c=9", 10, 5, &plain);
  keep_promise("rock-sample:n=4,k=3", 20, 60, &plain);
}

/* Prices: cheap, dear, and no requests at all; budgets from one expansion to some hundred; everything merged and
 * learnt. */
static void test_prices(void **state) {
  (void)state;
  static const struct {
    const char *spec;
    uint64_t expansions, episodes;
  } cases[] = {{"robot-delivery:n=2,c=0.01", 1, 40},
               {"robot-delivery:n=2,c=0.01", 100, 8},
               {"robot-delivery:n=2,c=0.5", 10, 20},
               {"robot-delivery:n=2,c=0", 10, 20},
               {"robot-delivery:n=1,c=0", 300, 40},
               {"tag:c=0.1", 10, 60},
               {"tag:c=20", 10, 10},
               {"tiger:c=0.1", 1, 40},
               {"tiger:c=0.1", 300, 20},
               {"tiger:c=50", 10, 6},
               {"tiger:c=0", 1, 6},
               {"tiger:c=0", 100, 3},
               {"rock-sample:n=4,k=3,c=0.1", 100, 40},
               {"rock-sample:n=4,k=3,c=0", 100, 10},
               {"rock-sample:n=4,k=3,c=50", 1, 40}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (unsigned k = 0; k < 2; k++) { /* trees grow more slowly, and take longer */
      glimpse_planner_options options = {.kind = k ? GLIMPSE_PLANNER_AEMS_SR : GLIMPSE_PLANNER_AEMS_LOOP};
      uint64_t expansions = k && cases[i].expansions > 30 ? 30 : cases[i].expansions;
      keep_promise(cases[i].spec, expansions, k ? (cases[i].episodes + 1) / 2 : cases[i].episodes, &options);
    }
}

/* Several questions before an action, and of every timing; two questions left or one make plans of their own. */
static void test_menu(void **state) {
  (void)state;
  static const char text[] = "discount: 0.95\nvalues: reward\nstates: a1 a2 b1 b2 end\nactions: go stay grab\n"
                             "observations: quiet ding done\nstart exclude: end\n"
                             "# glimpse: cost 0.6\n"
                             "# glimpse: inquiry room before 0.1 blocks a: a1 a2 b: b1 b2 out: end\n"
                             "# glimpse: inquiry ear step 0.02 answers loud soft\n"
                             "# glimpse: answer ear * soft 1\n"
                             "# glimpse: answer ear a1 loud 0.8\n# glimpse: answer ear a1 soft 0.2\n"
                             "# glimpse: answer ear b1 loud 0.7\n# glimpse: answer ear b1 soft 0.3\n"
                             "# glimpse: effect ear a1 a1 1\n# glimpse: effect ear a2 a1 0.1\n"
                             "# glimpse: effect ear a2 a2 0.9\n# glimpse: effect ear b1 b1 1\n"
                             "# glimpse: effect ear b2 b2 1\n# glimpse: effect ear end end 1\n"
                             "# glimpse: inquiry tag joint 0.2 state\n# glimpse: failure tag 0.25\n"
                             "# glimpse: unpaid tag\n# glimpse: limit per-step 2\n# glimpse: limit requests 4\n"
                             "T: go\n0.1 0.9 0 0 0\n0 0.1 0.9 0 0\n0 0 0.1 0.9 0\n0.9 0 0 0.1 0\n0 0 0 0 1\n"
                             "T: stay identity\nT: grab identity\nT: grab : b2\n0 0 0 0 1\n"
                             "O: *\n0.8 0.2 0\n0.6 0.4 0\n0.7 0.3 0\n0.3 0.7 0\n0 0 1\n"
                             "R: go : * : * : * -0.1\nR: grab : * : * : * -2\nR: grab : b2 : * : * 5\n"
                             "R: * : end : * : * 0\n";
  glimpse_model *model;
  planning p;
  assert_int_equal(glimpse_pomdp_read(text, sizeof text - 1, "menu", NULL, NULL, &model), GLIMPSE_OK);
  planning_of(&p, model);
  for (unsigned k = 0; k < 2; k++) {
    glimpse_planner_options options = {.kind = k ? GLIMPSE_PLANNER_AEMS_SR : GLIMPSE_PLANNER_AEMS_LOOP};
    keep(&p, "a menu", 100, k ? 600 : 300, &options);
  }
  planning_stop(&p);
}

/* ------------------------------------------------------------------- idling */

/* Progress of any kind: the robot is somewhere else than in the last PATIENCE steps,
 * or the package changes (picked up, delivered, arrived), or it is over. */
enum { PATIENCE = 30, PLACES = 3 };

typedef struct patience {
  uint32_t cells[PATIENCE]; /* of the last steps, round about */
  uint32_t package;
  unsigned packages; /* n + 3 */
  unsigned since;    /* steps since the package changed */
  unsigned worst;
} patience;

/* How many different cells in the whole window. */
static unsigned places(const patience *x) {
  unsigned count = 0;
  for (unsigned i = 0; i < PATIENCE; i++) {
    unsigned k = 0;
    while (k < i && x->cells[k] != x->cells[i]) k++;
    count += k == i;
  }
  return count;
}

static bool watch(void *context, const glimpse_step *step) {
  patience *x = context;
  uint32_t cell = step->state / x->packages, package = step->state % x->packages;
  if (step->step == 0 || package != x->package || step->reward > 0) x->since = 0;
  x->package = package;
  x->cells[x->since % PATIENCE] = cell;
  x->since++;
  if (x->since > x->worst) x->worst = x->since;
  if (x->since < PATIENCE || places(x) > PLACES) return true;
  print_error("episode %llu idles at step %u\n", (unsigned long long)step->episode, step->step);
  return false;
}

static void test_no_idling(void **state) {
  (void)state;
  static const struct {
    const char *spec;
    unsigned n;
    uint64_t expansions, episodes;
  } cases[] = {{"robot-delivery:n=3", 3, 300, 2}, {"robot-delivery:n=3", 3, 100, 6}, {"robot-delivery:n=5", 5, 300, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    planning p;
    planning_start(&p, cases[i].spec);
    glimpse_episode results[64];
    patience x = {.packages = cases[i].n + 3};
    glimpse_run how = {.episodes = cases[i].episodes,
                       .seed = 3,
                       .budget = {.expansions = cases[i].expansions},
                       .step = watch,
                       .context = &x};
    assert_int_equal(glimpse_run_episodes(p.model, p.offline, &how, NULL, results), GLIMPSE_OK);
    double mean = 0;
    for (uint64_t e = 0; e < cases[i].episodes; e++) {
      if (!results[e].finished)
        fail_msg("%s, %llu expansions: episode %llu does not end", cases[i].spec,
                 (unsigned long long)cases[i].expansions, (unsigned long long)e);
      mean += results[e].total / (double)cases[i].episodes;
    }
    assert_true(x.worst > 1 && mean > 0.9); /* it has been at work */
    planning_stop(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_promise), cmocka_unit_test(test_prices),
                                     cmocka_unit_test(test_menu), cmocka_unit_test(test_no_idling)};
  return cmocka_run_group_tests_name("promise", tests, NULL, NULL);
}
