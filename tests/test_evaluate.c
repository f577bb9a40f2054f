/* Evaluate (src/policy/evaluate.c, pairs.c): the value of controllers against elimination, against closed forms, and
 * what is missing.
 *
 * Covers src/base/map.c, src/policy/pairs.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "policy/pairs.h"
#include "support/controller.h"
#include "support/environment.h"
#include "support/random_model.h"

enum { MODELS = 400 };

static void random_controllers(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= MODELS; seed++) {
    random_shape shape = random_model_shape(seed, 6, 3, 4);
    glimpse_model *model = random_model_make(seed, &shape);
    gli_random random = gli_random_stream(seed, "evaluate", 0);
    glimpse_policy *policy = controller_random(model, 1 + gli_random_below(&random, 8), &random);
    gli_worth worth;
    assert_int_equal(gli_policy_evaluate(policy, model, NULL, &worth), GLIMPSE_OK);
    double exact = controller_worth(policy, model), size = 1 + fabs(exact);
    if (!(fabs(worth.value - exact) <= 1e-8 * size && worth.lower <= exact && worth.lower >= exact - 1e-6 * size))
      fail_msg("seed %llu: value %.17g, at least %.17g, is %.17g", (unsigned long long)seed, worth.value, worth.lower,
               exact);
    glimpse_policy_free(policy);
    glimpse_model_free(model);
  }
}

/* Asks before every action, and opens the other door. */
static void tiger(void **state) {
  (void)state;
  glimpse_model *model = environment_make("tiger");
  assert_int_equal(glimpse_model_set_cost(model, 3), GLIMPSE_OK);
  glimpse_policy *policy = gli_policy_new(model, NULL, glimpse_model_start(model));
  gli_edge_list list = {0};
  uint32_t left = environment_find(model, GLIMPSE_ACTION, "open-left");
  uint32_t right = environment_find(model, GLIMPSE_ACTION, "open-right");
  uint32_t behind_left = environment_find(model, GLIMPSE_STATE, "tiger-left");
  assert_true(gli_edge_list_node(&list, GLIMPSE_ANY));
  assert_true(gli_edge_list_edge(&list, behind_left, 1) && gli_edge_list_edge(&list, 1 - behind_left, 2));
  for (int i = 0; i < 2; i++) {
    assert_true(gli_edge_list_node(&list, i ? left : right));
    assert_true(gli_edge_list_edge(&list, 1, 0) && gli_edge_list_edge(&list, 0, 0));
  }
  gli_policy_take(policy, &list);
  gli_worth worth;
  assert_int_equal(gli_policy_evaluate(policy, model, NULL, &worth), GLIMPSE_OK);
  assert_float_equal(worth.value, 20 * (10 - 3), 1e-8);
  assert_float_equal(worth.requests, 20, 1e-8);
  assert_true(worth.lower <= 140 && worth.lower > 140 - 1e-6 && worth.residual < 1e-8);
  glimpse_policy_free(policy);
  glimpse_model_free(model);
}

/* What may be seen without an edge is named, and can be covered. */
static void missing(void **state) {
  (void)state;
  glimpse_model *model = environment_make("tiger");
  glimpse_policy *policy = gli_policy_new(model, NULL, glimpse_model_start(model));
  gli_edge_list list = {0};
  uint32_t listen = environment_find(model, GLIMPSE_ACTION, "listen");
  assert_true(gli_edge_list_node(&list, listen) && gli_edge_list_edge(&list, 0, 0));
  assert_true(gli_edge_list_node(&list, listen) && gli_edge_list_edge(&list, 0, 1) && gli_edge_list_edge(&list, 1, 1));
  gli_policy_take(policy, &list);
  gli_worth worth;
  glimpse_report *report = glimpse_report_new();
  assert_int_equal(gli_policy_evaluate(policy, model, report, &worth), GLIMPSE_NOT_APPLICABLE);
  const char *text = glimpse_report_get(report, 0)->text;
  assert_non_null(strstr(text, glimpse_policy_name(policy, GLIMPSE_OBSERVATION, 1)));
  assert_true(gli_policy_cover(policy, model, 1));
  assert_int_equal(glimpse_policy_step(policy, 0, 0), 0);
  assert_int_equal(glimpse_policy_step(policy, 0, 1), 1);
  assert_int_equal(gli_policy_evaluate(policy, model, NULL, &worth), GLIMPSE_OK);
  assert_float_equal(worth.value, -20, 1e-8);
  glimpse_report_free(report);
  glimpse_policy_free(policy);
  glimpse_model_free(model);
}

/* Edges that nothing can follow go; the value stays. */
static void covered(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 100; seed++) {
    random_shape shape = random_model_shape(seed, 6, 3, 4);
    glimpse_model *model = random_model_make(seed, &shape);
    gli_random random = gli_random_stream(seed, "covered", 0);
    glimpse_policy *policy = controller_random(model, 6, &random);
    uint64_t edges = glimpse_policy_measure(policy).edges;
    gli_worth before, after;
    assert_int_equal(gli_policy_evaluate(policy, model, NULL, &before), GLIMPSE_OK);
    assert_true(gli_policy_cover(policy, model, 0) && gli_policy_whole(policy));
    assert_int_equal(gli_policy_evaluate(policy, model, NULL, &after), GLIMPSE_OK);
    assert_true(before.value == after.value && before.pairs == after.pairs);
    assert_true(glimpse_policy_measure(policy).edges <= edges);
    gli_pairs pairs;
    assert_true(gli_pairs_find(&pairs, policy, model));
    for (uint64_t e = 0; e < glimpse_policy_measure(policy).edges; e++) assert_true(pairs.followed[e]);
    gli_pairs_free(&pairs);
    glimpse_policy_free(policy);
    glimpse_model_free(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_controllers), cmocka_unit_test(tiger),
                                     cmocka_unit_test(missing), cmocka_unit_test(covered)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
