/* A search that starts from a policy: its bounds are no worse than the policy's at any moment, hold the value, and the
 * graph keeps what it promises. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "planner/planner.h"
#include "policy/given.h"
#include "support/check.h"
#include "support/exact.h"
#include "support/failing_malloc.h"
#include "support/random_model.h"

typedef struct start {
  glimpse_model *model;
  glimpse_offline *offline;
  glimpse_policy *policy;
} start;

static void open_start(start *it, glimpse_model *model, double relative) {
  glimpse_solve_options how = {.relative = relative, .expansions = 300};
  glimpse_solve_result result;
  it->model = model;
  assert_int_equal(glimpse_offline_new(model, glimpse_offline_upper(model), NULL, NULL, &it->offline), GLIMPSE_OK);
  assert_int_equal(glimpse_policy_solve(model, NULL, &how, NULL, &result, &it->policy), GLIMPSE_OK);
}

static void close_start(start *it) {
  glimpse_policy_free(it->policy);
  glimpse_offline_free(it->offline);
  glimpse_model_free(it->model);
}

/* Plans by slices, and checks the graph after each; returns the last decision. */
static glimpse_decision search(const start *it, unsigned slices, uint64_t expansions) {
  glimpse_planner_options options = {.kind = GLIMPSE_PLANNER_AEMS_LOOP, .policy = it->policy};
  glimpse_planner *planner;
  glimpse_decision decision;
  char text[GLI_CHECK_TEXT];
  double lower = -INFINITY, upper = INFINITY, slack = 1e-9;
  glimpse_policy_info info = glimpse_policy_measure(it->policy);
  assert_int_equal(glimpse_planner_new(it->model, it->offline, &options, NULL, &planner), GLIMPSE_OK);
  assert_int_equal(glimpse_planner_begin(planner, glimpse_model_start(it->model), 0), GLIMPSE_OK);
  for (unsigned i = 0; i < slices; i++) {
    glimpse_budget budget = {.expansions = expansions};
    assert_int_equal(glimpse_planner_plan(planner, &budget, &decision), GLIMPSE_OK);
    const gli_graph *graph = planner->class->graph(planner);
    if (!gli_check_graph(graph, GLI_CHECK_ANY, text)) fail_msg("%s", text);
    assert_true(decision.lower >= lower && decision.upper <= upper);
    lower = decision.lower;
    upper = decision.upper;
  }
  slack *= 1 + fabs(info.lower);
  assert_true(decision.lower >= info.lower - slack);
  assert_true(decision.upper <= info.upper + slack);
  assert_true(decision.offline_lower >= info.lower - slack);
  glimpse_planner_free(planner);
  return decision;
}

static void starts_where_the_policy_ends(void **state) {
  (void)state;
  static const char *const specs[] = {"tiger", "robot-delivery:n=3", "toy"};
  for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
    glimpse_model *model;
    start it;
    assert_int_equal(glimpse_environment_make(specs[i], NULL, &model), GLIMPSE_OK);
    open_start(&it, model, 0.1);
    glimpse_decision first = search(&it, 1, 1), last = search(&it, 20, 20);
    assert_true(last.lower >= first.lower && last.upper <= first.upper);
    close_start(&it);
  }
}

/* On small random models, with requests and without, against values from the recursion. */
static void holds_the_value(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 60; seed++) {
    random_shape shape = random_model_shape(seed, 4, 3, 3);
    shape.discount = fmin(shape.discount, 0.5);
    glimpse_model *model = random_model_make(seed, &shape);
    start it;
    open_start(&it, model, 0.2);
    glimpse_decision decision = search(&it, 4, 10);
    unsigned horizon = exact_tree_horizon(model, 20000);
    exact_tree *tree = exact_tree_new(model, horizon);
    double belief[8] = {0}, low, high;
    glimpse_row row = glimpse_model_start(model);
    for (size_t k = 0; k < row.count; k++) belief[row.index[k]] = row.value[k];
    exact_tree_value(tree, belief, &low, &high);
    if (!(decision.lower <= high + 1e-9 && decision.upper >= low - 1e-9)) print_message("seed %u\n", (unsigned)seed);
    assert_true(decision.lower <= high + 1e-9);
    assert_true(decision.upper >= low - 1e-9);
    exact_tree_free(tree);
    close_start(&it);
  }
}

/* The upper function is read anywhere: nowhere below the value, and a search that has come there starts from it. */
static void is_read_anywhere(void **state) {
  (void)state;
  for (uint64_t seed = 100; seed < 130; seed++) {
    random_shape shape = random_model_shape(seed, 4, 3, 3);
    shape.discount = fmin(shape.discount, 0.5);
    start it;
    open_start(&it, random_model_make(seed, &shape), 0.05);
    gli_proved proved;
    gli_proof *proof = gli_proof_new(it.policy->ceiling, it.model, glimpse_model_start(it.model), &proved);
    exact_tree *tree = exact_tree_new(it.model, exact_tree_horizon(it.model, 20000));
    assert_true(fabs(gli_proof_upper(proof, glimpse_model_start(it.model)) - proved.upper) <= 1e-12);
    for (uint32_t k = 0; k < 12; k++) {
      double belief[8] = {0}, low, high, mass[8], sum = 0;
      uint32_t index[8], count = glimpse_model_count(it.model, GLIMPSE_STATE);
      for (uint32_t s = 0; s < count; s++) sum += mass[s] = 1 + (double)((seed * 31 + k * 17 + s * s * 7) % 11);
      for (uint32_t s = 0; s < count; s++) belief[index[s] = s] = mass[s] /= sum;
      glimpse_row row = {count, index, mass};
      double upper = gli_proof_upper(proof, row);
      exact_tree_value(tree, belief, &low, &high);
      if (!(upper >= low - 1e-12)) print_message("seed %u\n", (unsigned)seed);
      assert_true(upper >= low - 1e-12);
      glimpse_planner_options options = {.kind = GLIMPSE_PLANNER_AEMS_LOOP, .policy = it.policy};
      glimpse_planner *planner;
      glimpse_decision decision;
      assert_int_equal(glimpse_planner_new(it.model, it.offline, &options, NULL, &planner), GLIMPSE_OK);
      assert_int_equal(glimpse_planner_begin(planner, row, 0), GLIMPSE_OK);
      assert_int_equal(glimpse_planner_plan(planner, &(glimpse_budget){.expansions = 1}, &decision), GLIMPSE_OK);
      assert_true(decision.offline_upper <= upper && decision.upper <= upper && decision.upper >= low - 1e-12);
      glimpse_planner_free(planner);
    }
    exact_tree_free(tree);
    gli_proof_free(proof);
    close_start(&it);
  }
}

/* A certificate that claims too much is not believed. */
static void believes_nothing(void **state) {
  (void)state;
  glimpse_model *model;
  start it;
  assert_int_equal(glimpse_environment_make("tiger", NULL, &model), GLIMPSE_OK);
  open_start(&it, model, 0.1);
  glimpse_policy_info info = glimpse_policy_measure(it.policy);
  it.policy->lower += 50;
  it.policy->upper -= 50;
  for (uint32_t i = 0; i < it.policy->states * it.policy->actions; i++) it.policy->ceiling->corner[i] -= 50;
  glimpse_planner_options options = {.kind = GLIMPSE_PLANNER_AEMS_LOOP, .policy = it.policy};
  glimpse_planner *planner;
  glimpse_decision decision;
  glimpse_budget budget = {.expansions = 5};
  assert_int_equal(glimpse_planner_new(model, it.offline, &options, NULL, &planner), GLIMPSE_OK);
  assert_int_equal(glimpse_planner_begin(planner, glimpse_model_start(model), 0), GLIMPSE_OK);
  assert_int_equal(glimpse_planner_plan(planner, &budget, &decision), GLIMPSE_OK);
  assert_true(decision.lower <= info.upper && decision.upper >= info.lower);
  glimpse_planner_free(planner);
  glimpse_report *report = glimpse_report_new();
  options.paper = true;
  assert_int_equal(glimpse_planner_new(model, it.offline, &options, report, &planner), GLIMPSE_BAD_ARGUMENT);
  options.paper = false;
  it.policy->digest++;
  assert_int_equal(glimpse_planner_new(model, it.offline, &options, report, &planner), GLIMPSE_BAD_MODEL);
  glimpse_report_free(report);
  close_start(&it);
}

static glimpse_status make_planner(void *context) {
  start *it = context;
  glimpse_planner_options options = {.kind = GLIMPSE_PLANNER_AEMS_LOOP, .policy = it->policy};
  glimpse_planner *planner = NULL;
  glimpse_status status = glimpse_planner_new(it->model, it->offline, &options, NULL, &planner);
  glimpse_planner_free(planner);
  return status;
}

static void runs_out_of_memory(void **state) {
  (void)state;
  glimpse_model *model;
  start it;
  assert_int_equal(glimpse_environment_make("tiger", NULL, &model), GLIMPSE_OK);
  open_start(&it, model, 0.1);
  assert_true(failing_malloc_sweep(make_planner, &it) > 10);
  close_start(&it);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(starts_where_the_policy_ends),
      cmocka_unit_test(holds_the_value),
      cmocka_unit_test(is_read_anywhere),
      cmocka_unit_test(believes_nothing),
      cmocka_unit_test(runs_out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
