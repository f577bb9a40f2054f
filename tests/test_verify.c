/* Verify: certificates that are true, and ones that were tampered with. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "policy/policy.h"
#include "support/failing_malloc.h"
#include "support/random_model.h"

typedef struct certified {
  glimpse_model *model;
  glimpse_policy *policy;
} certified;

static void start(certified *it, const char *spec, double cost) {
  glimpse_solve_options how = {.relative = 0.01};
  assert_int_equal(glimpse_environment_make(spec, NULL, &it->model), GLIMPSE_OK);
  assert_int_equal(glimpse_model_set_cost(it->model, cost), GLIMPSE_OK);
  assert_int_equal(glimpse_policy_solve(it->model, spec, &how, NULL, NULL, &it->policy), GLIMPSE_OK);
}

static void stop(certified *it) {
  glimpse_policy_free(it->policy);
  glimpse_model_free(it->model);
}

/* The status, and that the report says why where it is not OK; `word` is part of the reason. */
static void expect(const certified *it, glimpse_status status, const char *word, glimpse_proof *proof) {
  glimpse_report *report = glimpse_report_new();
  assert_int_equal(glimpse_policy_verify(it->policy, it->model, report, proof), status);
  assert_int_equal(glimpse_report_count(report, GLIMPSE_ERROR) > 0, status != GLIMPSE_OK);
  if (status && !strstr(glimpse_report_get(report, 0)->text, word))
    fail_msg("'%s' does not say '%s'", glimpse_report_get(report, 0)->text, word);
  glimpse_report_free(report);
}

static void is_true(void **state) {
  (void)state;
  const struct {
    const char *spec;
    double cost, value;
  } all[] = {{"tiger", 0, 19.371368}, {"tiger", 1, 180}, {"robot-delivery:n=3", 0.1, 2.503591}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    certified it;
    glimpse_proof proof;
    start(&it, all[i].spec, all[i].cost);
    expect(&it, GLIMPSE_OK, NULL, &proof);
    glimpse_policy_info claim = glimpse_policy_measure(it.policy);
    assert_true(proof.lower == claim.lower && proof.upper == claim.upper && proof.requests == claim.requests);
    assert_true(proof.lower <= all[i].value + 1e-6 && proof.upper >= all[i].value - 1e-6);
    assert_true(proof.upper - proof.lower <= 0.0101 * all[i].value);
    assert_true(proof.value >= proof.lower && proof.value <= proof.lower + 1e-6);
    assert_true(proof.pairs > 0 && proof.residual < 1e-8 && proof.excess < 1e-8);
    assert_int_equal(proof.numbers >= (uint64_t)claim.states * claim.actions, true);
    stop(&it);
  }
}

/* Each of these was changed by hand. */
static void tampered(void **state) {
  (void)state;
  certified it;
  glimpse_proof proof;
  start(&it, "robot-delivery:n=3", 0.1);
  glimpse_policy *policy = it.policy;
  gli_ceiling *ceiling = policy->ceiling;
  double lower = policy->lower, upper = policy->upper, requests = policy->requests;
  assert_true(ceiling->points > 0);

  policy->lower += 1e-6;
  expect(&it, GLIMPSE_NOT_APPLICABLE, "a lower bound", &proof);
  assert_true(proof.lower == lower && proof.upper == upper); /* what is proved is told all the same */
  policy->lower = NAN;
  expect(&it, GLIMPSE_NOT_APPLICABLE, "a lower bound", &proof);
  policy->lower = INFINITY;
  expect(&it, GLIMPSE_NOT_APPLICABLE, "a lower bound", &proof);
  policy->lower = lower;
  policy->upper -= 1e-6;
  expect(&it, GLIMPSE_NOT_APPLICABLE, "an upper bound", &proof);
  policy->upper = -INFINITY;
  expect(&it, GLIMPSE_NOT_APPLICABLE, "an upper bound", &proof);
  policy->upper = upper;
  policy->requests += 0.1;
  expect(&it, GLIMPSE_NOT_APPLICABLE, "requests", &proof);
  policy->requests = INFINITY;
  expect(&it, GLIMPSE_NOT_APPLICABLE, "requests", &proof);
  policy->requests = requests;

  double least = INFINITY;
  size_t at = 0;
  for (size_t i = 0; i < ceiling->points * ceiling->actions; i++)
    if (ceiling->value[i] < least) least = ceiling->value[at = i];
  ceiling->value[at] -= 0.5;
  expect(&it, GLIMPSE_NOT_APPLICABLE, "an upper bound", &proof);
  assert_true(proof.excess > 1e-3);
  ceiling->value[at] = least;
  for (uint32_t i = 0; i < ceiling->states * ceiling->actions; i += 17) {
    double kept = ceiling->corner[i];
    ceiling->corner[i] -= 5;
    expect(&it, GLIMPSE_NOT_APPLICABLE, "an upper bound", &proof);
    ceiling->corner[i] = kept;
  }
  policy->ceiling = NULL;
  expect(&it, GLIMPSE_NOT_APPLICABLE, "an upper bound", &proof);
  assert_true(proof.upper == INFINITY);
  policy->upper = INFINITY; /* who claims nothing is not refused */
  expect(&it, GLIMPSE_OK, NULL, &proof);
  policy->upper = upper;
  policy->ceiling = ceiling;
  expect(&it, GLIMPSE_OK, NULL, &proof);
  stop(&it);
}

/* A millionth is as much where all values are millionths. */
static void small(void **state) {
  (void)state;
  certified it;
  glimpse_proof proof;
  glimpse_solve_options how = {.expansions = 20};
  random_shape shape = random_model_shape(1, 4, 3, 3);
  shape.low = -1e-9;
  shape.high = 1e-9;
  shape.cost = 0;
  it.model = random_model_make(1, &shape);
  assert_int_equal(glimpse_policy_solve(it.model, NULL, &how, NULL, NULL, &it.policy), GLIMPSE_OK);
  expect(&it, GLIMPSE_OK, NULL, &proof);
  it.policy->lower += 1e-13;
  expect(&it, GLIMPSE_NOT_APPLICABLE, "a lower bound", &proof);
  it.policy->lower -= 1e-13;
  it.policy->upper -= 1e-13;
  expect(&it, GLIMPSE_NOT_APPLICABLE, "an upper bound", &proof);
  stop(&it);
}

/* Less than is proved may be claimed. */
static void modest(void **state) {
  (void)state;
  certified it;
  glimpse_proof proof;
  start(&it, "tiger", 1);
  it.policy->lower -= 1;
  it.policy->upper += 1;
  expect(&it, GLIMPSE_OK, NULL, &proof);
  assert_true(proof.lower > 179.9 && proof.upper < 180.1);
  stop(&it);
}

static void other_models(void **state) {
  (void)state;
  certified it;
  glimpse_proof proof;
  start(&it, "tiger", 1);
  assert_int_equal(glimpse_model_set_cost(it.model, 1.5), GLIMPSE_OK);
  expect(&it, GLIMPSE_BAD_MODEL, "another model", &proof);
  assert_int_equal(glimpse_model_set_cost(it.model, 1), GLIMPSE_OK);
  expect(&it, GLIMPSE_OK, NULL, &proof);
  it.policy->digest ^= 1;
  expect(&it, GLIMPSE_BAD_MODEL, "another model", &proof);
  stop(&it);
}

static glimpse_status job(void *context) {
  const certified *it = context;
  glimpse_proof proof;
  return glimpse_policy_verify(it->policy, it->model, NULL, &proof);
}

static void failing(void **state) {
  (void)state;
  certified it;
  start(&it, "tiger", 0);
  assert_true(failing_malloc_sweep(job, &it) > 10);
  stop(&it);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(is_true),      cmocka_unit_test(tampered),
                                     cmocka_unit_test(small),        cmocka_unit_test(modest),
                                     cmocka_unit_test(other_models), cmocka_unit_test(failing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
