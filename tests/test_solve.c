/* Solve (src/policy/solve.c, extract.c): policies earn what the search promised, certificates contain the exact value,
 * and budgets, interrupts and wrong options.
 *
 * Covers src/policy/extract.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "policy/policy.h"
#include "support/environment.h"
#include "support/failing_malloc.h"
#include "support/oracle.h"
#include "support/random_model.h"

enum { MODELS = 150 };

static void check_policy(const char *what, const glimpse_model *model, const glimpse_policy *policy,
                         const glimpse_solve_result *result) {
  glimpse_policy_info info = glimpse_policy_measure(policy);
  gli_worth worth;
  assert_true(gli_policy_whole(policy));
  assert_int_equal(gli_policy_evaluate(policy, model, NULL, &worth), GLIMPSE_OK);
  assert_true(worth.lower == info.lower && worth.requests == info.requests);
  double size = fmax(1, fmax(fabs(info.lower), fabs(result->progress.upper)));
  if (!(info.lower >= result->progress.lower - 1e-6 * size))
    fail_msg("%s: the search promised %.12g, the policy earns %.12g", what, result->progress.lower, info.lower);
  if (!(info.lower <= info.upper + 1e-9 * size && info.lower <= result->progress.upper + 1e-9 * size))
    fail_msg("%s: the policy earns %.12g, above %.12g or %.12g", what, info.lower, info.upper, result->progress.upper);
}

/* Random models of all kinds, with all budgets, against the oracle. */
static void random_models(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= MODELS; seed++) {
    random_shape shape = random_model_shape(seed, 5, 3, 3);
    glimpse_model *model = random_model_make(seed, &shape);
    if (shape.discount >= 1 || glimpse_model_plannable(model, NULL)) {
      glimpse_model_free(model);
      continue;
    }
    char name[40];
    oracle *truth = oracle_new(model, 4);
    oracle_range range = oracle_value(truth, glimpse_model_start(model));
    for (uint64_t expansions = 1; expansions <= 200; expansions *= 14) {
      glimpse_solve_options how = {.relative = 1e-3, .expansions = expansions};
      glimpse_solve_result result;
      glimpse_policy *policy = NULL;
      assert_int_equal(glimpse_policy_solve(model, "random", &how, NULL, &result, &policy), GLIMPSE_OK);
      snprintf(name, sizeof name, "seed %llu, %llu expansions", (unsigned long long)seed,
               (unsigned long long)expansions);
      check_policy(name, model, policy, &result);
      glimpse_policy_info info = glimpse_policy_measure(policy);
      if (precise_below(range.high, info.lower) || precise_above(range.low, info.upper))
        fail_msg("%s: [%.12g, %.12g] does not meet the exact value", name, info.lower, info.upper);
      glimpse_policy_free(policy);
    }
    oracle_free(truth);
    glimpse_model_free(model);
  }
}

static void check_environment(const char *spec, double cost, double value) {
  glimpse_model *model = environment_make(spec);
  assert_int_equal(glimpse_model_set_cost(model, cost), GLIMPSE_OK);
  glimpse_solve_result result;
  glimpse_policy *policy = NULL;
  assert_int_equal(glimpse_policy_solve(model, spec, NULL, NULL, &result, &policy), GLIMPSE_OK);
  assert_int_equal(result.stop, GLIMPSE_STOP_EPSILON);
  check_policy(spec, model, policy, &result);
  glimpse_policy_info info = glimpse_policy_measure(policy);
  if (!(info.lower <= value + 1e-6 && info.upper >= value - 1e-6 && info.upper - info.lower <= 0.0101 * fabs(value)))
    fail_msg("%s at %g: [%.9g, %.9g], not %.9g within 1 %%", spec, cost, info.lower, info.upper, value);
  assert_string_equal(info.model, spec);
  assert_true(info.digest == glimpse_model_digest(model));
  glimpse_policy_free(policy);
  glimpse_model_free(model);
}

/* Values that two other programs found. */
static void environments(void **state) {
  (void)state;
  check_environment("tiger", 1, 180);
  check_environment("tiger", 0, 19.371368);
  check_environment("robot-delivery:n=3", 0.1, 2.503591);
  check_environment("robot-delivery:n=5", 0.1, 2.351997);
  check_environment("tag", 1, -4.299477);
  check_environment("rock-sample:n=4,k=4", 0, 19.009975);
}

static bool keep(void *context, const char *text, size_t length) {
  char **end = context;
  memcpy(*end, text, length);
  *end += length;
  **end = 0;
  return true;
}

/* The same policy, byte by byte. */
static void repeated(void **state) {
  (void)state;
  glimpse_model *model = environment_make("robot-delivery:n=3");
  char *texts[2];
  for (int i = 0; i < 2; i++) {
    glimpse_policy *policy = NULL;
    glimpse_solve_options how = {.relative = 0.05, .jobs = i ? 3 : 1};
    char *end = texts[i] = malloc(1 << 24);
    assert_non_null(end);
    assert_int_equal(glimpse_policy_solve(model, "robot", &how, NULL, NULL, &policy), GLIMPSE_OK);
    assert_int_equal(glimpse_policy_write(policy, keep, &end), GLIMPSE_OK);
    glimpse_policy_free(policy);
  }
  assert_string_equal(texts[0], texts[1]);
  free(texts[0]);
  free(texts[1]);
  glimpse_model_free(model);
}

struct watched {
  volatile int interrupt;
  unsigned calls;
};

static void watch(void *context, const glimpse_solve_progress *progress) {
  struct watched *it = context;
  assert_true(progress->lower <= progress->upper);
  it->calls++;
  it->interrupt = 1;
}

/* What ends a search ends it with a policy. */
static void budgets(void **state) {
  (void)state;
  glimpse_model *model = environment_make("robot-delivery:n=3");
  struct watched it = {0};
  glimpse_solve_options all[] = {{.expansions = 10},
                                 {.time = 1e-6},
                                 {.relative = 1e-9, .interrupt = &it.interrupt, .progress = watch, .context = &it},
                                 {.epsilon = 0.5},
                                 {.relative = 1e-9, .max_memory = 200000, .expansions = 5000}};
  glimpse_stop stops[] = {GLIMPSE_STOP_EXPANSIONS, GLIMPSE_STOP_TIME, GLIMPSE_STOP_INTERRUPTED, GLIMPSE_STOP_EPSILON,
                          GLIMPSE_STOP_NONE};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    glimpse_solve_result result;
    glimpse_policy *policy = NULL;
    assert_int_equal(glimpse_policy_solve(model, NULL, &all[i], NULL, &result, &policy), GLIMPSE_OK);
    if (stops[i]) assert_int_equal(result.stop, stops[i]);
    check_policy("budgets", model, policy, &result);
    glimpse_policy_free(policy);
  }
  assert_true(it.calls > 0);
  glimpse_model_free(model);
}

static void wrong(void **state) {
  (void)state;
  glimpse_model *model = environment_make("tiger");
  glimpse_solve_options all[] = {{.epsilon = -1},        {.epsilon = NAN},   {.relative = -0.1},
                                 {.relative = INFINITY}, {.time = INFINITY}, {.time = -1}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    glimpse_policy *policy = (glimpse_policy *)model;
    assert_int_equal(glimpse_policy_solve(model, NULL, &all[i], NULL, NULL, &policy), GLIMPSE_BAD_ARGUMENT);
    assert_null(policy);
  }
  glimpse_policy *policy = NULL;
  glimpse_report *report = glimpse_report_new();
  assert_int_equal(glimpse_model_set_discount(model, 1), GLIMPSE_OK);
  assert_int_equal(glimpse_policy_solve(model, NULL, NULL, report, NULL, &policy), GLIMPSE_NOT_APPLICABLE);
  assert_true(glimpse_report_kept(report) == 1 && !policy);
  glimpse_report_free(report);
  glimpse_model_free(model);
}

struct job {
  const glimpse_model *model;
  unsigned jobs;
};

static glimpse_status solve_once(void *context) {
  const struct job *it = context;
  glimpse_solve_options how = {.expansions = 20, .relative = 1e-9, .jobs = it->jobs};
  glimpse_report *report = glimpse_report_new();
  glimpse_solve_result result;
  glimpse_policy *policy = NULL;
  glimpse_status status = glimpse_policy_solve(it->model, NULL, &how, report, &result, &policy);
  assert_true(!policy == (status != GLIMPSE_OK));
  glimpse_policy_free(policy);
  glimpse_report_free(report);
  return status;
}

/* Out of memory, also in the thread that makes the controller. */
static void failing(void **state) {
  (void)state;
  glimpse_model *model = environment_make("tiger");
  for (unsigned jobs = 1; jobs <= 2; jobs++)
    assert_true(failing_malloc_sweep(solve_once, &(struct job){model, jobs}) > 100);
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_models), cmocka_unit_test(environments),
                                     cmocka_unit_test(repeated),      cmocka_unit_test(budgets),
                                     cmocka_unit_test(wrong),         cmocka_unit_test(failing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
