/* Seed: ceilings that begin with a search, against exact values, against the bound of the search, and with any number
 * of threads. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "graph/graph.h"
#include "planner/planner.h"
#include "policy/ceiling.h"
#include "support/failing_malloc.h"
#include "support/naive_ceiling.h"
#include "support/oracle.h"
#include "support/random_model.h"

enum { MODELS = 150 };

typedef struct searched {
  glimpse_model *model; /* not freed with it */
  glimpse_offline *offline;
  glimpse_planner *planner;
  gli_graph *graph;
  double lower, upper;
} searched;

static searched search(glimpse_model *model, uint64_t expansions, uint64_t max_memory) {
  searched it = {.model = model};
  glimpse_planner_options options = {.kind = GLIMPSE_PLANNER_AEMS_LOOP, .max_memory = max_memory};
  glimpse_budget budget = {.expansions = expansions};
  glimpse_decision decision;
  assert_int_equal(glimpse_offline_new(model, glimpse_offline_upper(model), NULL, NULL, &it.offline), GLIMPSE_OK);
  assert_int_equal(glimpse_planner_new(model, it.offline, &options, NULL, &it.planner), GLIMPSE_OK);
  assert_int_equal(glimpse_planner_begin(it.planner, glimpse_model_start(model), 0), GLIMPSE_OK);
  assert_int_equal(glimpse_planner_plan(it.planner, &budget, &decision), GLIMPSE_OK);
  it.graph = it.planner->class->graph(it.planner);
  it.lower = decision.lower;
  it.upper = decision.upper;
  return it;
}

static void end(searched *it) {
  glimpse_planner_free(it->planner);
  glimpse_offline_free(it->offline);
}

static gli_ceiling *settle(const glimpse_model *model, const gli_settle *how, gli_proved *proved) {
  gli_ceiling *ceiling =
      gli_ceiling_new(glimpse_model_count(model, GLIMPSE_STATE), glimpse_model_count(model, GLIMPSE_ACTION));
  double upper;
  assert_non_null(ceiling);
  assert_true(gli_ceiling_settle(ceiling, model, glimpse_model_start(model), how, &upper));
  assert_true(gli_ceiling_prove(ceiling, model, glimpse_model_start(model), proved));
  return ceiling;
}

/* What is proved is not below the value, and by the naive definition no number is below its look ahead. */
static void random_models(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= MODELS; seed++) {
    random_shape shape = random_model_shape(seed, 5, 3, 3);
    shape.discount = fmin(shape.discount, 0.97);
    glimpse_model *model = random_model_make(seed, &shape);
    searched it = search(model, 1 + seed % 60, 0);
    /* With a target that is not reached it goes on by itself, else the search is all there is. */
    gli_settle how = {
        .target = seed % 2 ? INFINITY : -INFINITY, .until = INFINITY, .max_bytes = 1 << 21, .graph = it.graph};
    gli_proved proved;
    gli_ceiling *ceiling = settle(model, &how, &proved);
    oracle *truth = oracle_new(model, 4);
    if (precise_above(oracle_value(truth, glimpse_model_start(model)).low, proved.upper))
      fail_msg("seed %llu: %.17g is proved, but the value is above it", (unsigned long long)seed, proved.upper);
    oracle_free(truth);
    double scale = 1;
    for (uint32_t i = 0; i < ceiling->states * ceiling->actions; i++) scale = fmax(scale, fabs(ceiling->corner[i]));
    if (ceiling->points < 60 && naive_ceiling_excess(ceiling, model) > 1e-8 * scale)
      fail_msg("seed %llu: an excess of %.3g", (unsigned long long)seed, naive_ceiling_excess(ceiling, model));
    gli_ceiling_free(ceiling);
    end(&it);
    glimpse_model_free(model);
  }
}

static glimpse_model *environment(const char *spec, double cost) {
  glimpse_model *model;
  assert_int_equal(glimpse_environment_make(spec, NULL, &model), GLIMPSE_OK);
  if (cost >= 0) assert_int_equal(glimpse_model_set_cost(model, cost), GLIMPSE_OK);
  return model;
}

/* Without any work of its own the certificate's gap is hardly wider than the search's. */
static void as_good(void **state) {
  (void)state;
  const struct {
    const char *spec;
    double cost; /* below 0: the model's */
    uint64_t expansions;
    double wider; /* by this share of the gap, at most */
  } all[] = {{"robot-delivery:n=3", -1, 500, 0.02},
             {"robot-delivery:n=5", -1, 1500, 0.02},
             {"robot-delivery:n=3", 0.5, 500, 0.1},
             {"tag", 5, 1000, 0.02},
             {"tag", 0, 1000, 0.02}, /* only because nodes are mended */
             {"tiger", 0, 100, 0.1}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    glimpse_model *model = environment(all[i].spec, all[i].cost);
    searched it = search(model, all[i].expansions, 0);
    gli_settle how = {.target = INFINITY, .until = INFINITY, .graph = it.graph};
    gli_proved proved;
    gli_ceiling *ceiling = settle(model, &how, &proved);
    if (!(proved.upper <= it.upper + all[i].wider * (it.upper - it.lower) + 1e-7))
      fail_msg("%s: %.9g is proved, the search has %.9g to %.9g", all[i].spec, proved.upper, it.lower, it.upper);
    assert_true(proved.upper >= it.lower);
    gli_ceiling_free(ceiling);
    end(&it);
    glimpse_model_free(model);
  }
}

/* The same bits with any number of threads. */
static void threads(void **state) {
  (void)state;
  glimpse_model *model = environment("robot-delivery:n=3", 0.3);
  searched it = search(model, 400, 0);
  gli_proved first, proved;
  gli_settle how = {.target = -INFINITY, .until = INFINITY, .max_bytes = 1 << 22, .graph = it.graph, .jobs = 1};
  gli_ceiling *one = settle(model, &how, &first);
  assert_true(one->points > 10);
  for (how.jobs = 2; how.jobs <= 8; how.jobs += how.jobs == 2 ? 1 : 5) {
    gli_ceiling *other = settle(model, &how, &proved);
    assert_true(other->points == one->points && proved.upper == first.upper);
    assert_memory_equal(other->value, one->value, one->points * one->actions * sizeof *one->value);
    assert_memory_equal(other->corner, one->corner, (size_t)one->states * one->actions * sizeof *one->corner);
    assert_true(gli_ceiling_prove_by(other, model, glimpse_model_start(model), how.jobs, &proved));
    assert_true(proved.upper == first.upper && proved.excess == first.excess && proved.numbers == first.numbers);
    gli_ceiling_free(other);
  }
  gli_ceiling_free(one);
  end(&it);
  glimpse_model_free(model);
}

/* Without time, interrupted, with little memory, and after a search that had to forget: it still proves itself, and is
 * no worse than the bound that it began with.  Without time that one may have been cut short, on a slow machine. */
static void limits(void **state) {
  (void)state;
  glimpse_model *model = environment("robot-delivery:n=3", -1);
  glimpse_bound *bound;
  assert_int_equal(glimpse_bound_new(model, glimpse_offline_upper(model), NULL, NULL, &bound), GLIMPSE_OK);
  double informed = glimpse_bound_value(bound, glimpse_model_start(model));
  glimpse_bound_free(bound);
  int raised = 1;
  for (int i = 0; i < 4; i++) {
    searched it = search(model, 2000, i == 3 ? 3 << 20 : 0);
    gli_settle how = {.target = INFINITY,
                      .until = i == 0 ? gli_clock_now() : INFINITY,
                      .interrupt = i == 1 ? &raised : NULL,
                      .max_bytes = i == 2 ? 1 << 18 : 0,
                      .graph = it.graph};
    gli_proved proved;
    gli_ceiling *ceiling = settle(model, &how, &proved);
    assert_true(proved.excess < 1e-8 && proved.upper >= 2.5035);
    if (i > 0) assert_true(proved.upper <= informed + 1e-6);
    if (i == 3) assert_true(proved.upper < 2.6);
    gli_ceiling_free(ceiling);
    end(&it);
  }
  glimpse_model_free(model);
}

/* A seed whose time is over before all its numbers are proved is not taken, also where nobody may ask. */
static void late(void **state) {
  (void)state;
  glimpse_model *model = environment("tag", 0);
  searched it = search(model, 2000, 0);
  for (double time = 0; time < 0.1; time += 0.02) {
    gli_settle how = {.target = -INFINITY, .until = gli_clock_now() + time, .graph = it.graph};
    gli_proved proved;
    gli_ceiling *ceiling = settle(model, &how, &proved);
    double range = 20 / (1 - glimpse_model_discount(model)); /* rewards are -10 to 10 */
    assert_true(proved.upper >= it.lower && proved.upper < range && proved.excess < 1e-8);
    gli_ceiling_free(ceiling);
  }
  end(&it);
  glimpse_model_free(model);
}

static glimpse_status job(void *context) {
  const searched *it = context;
  gli_settle how = {.target = INFINITY, .until = INFINITY, .graph = it->graph};
  double upper;
  gli_proved proved;
  gli_ceiling *ceiling = gli_ceiling_new(2, 3);
  if (!ceiling) return GLIMPSE_NO_MEMORY;
  bool done = gli_ceiling_settle(ceiling, it->model, glimpse_model_start(it->model), &how, &upper) &&
              gli_ceiling_prove(ceiling, it->model, glimpse_model_start(it->model), &proved);
  gli_ceiling_free(ceiling);
  return done ? GLIMPSE_OK : GLIMPSE_NO_MEMORY;
}

static void failing(void **state) {
  (void)state;
  glimpse_model *model = environment("tiger", 0);
  searched it = search(model, 40, 0);
  assert_true(failing_malloc_sweep(job, &it) > 40);
  end(&it);
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_models), cmocka_unit_test(as_good), cmocka_unit_test(threads),
      cmocka_unit_test(limits),        cmocka_unit_test(late),    cmocka_unit_test(failing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
