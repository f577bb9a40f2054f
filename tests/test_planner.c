/* Planner: what the public functions check for all planners, the names of things, and
 * the offline bounds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "planner/planner.h"
#include "support/environment.h"
#include "support/failing_malloc.h"
#include "support/planning.h"

/* Every number has a name of its own, and none but these. */
static void check_names(const char *(*name)(unsigned), unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    assert_true(strlen(name(i)) > 1);
    for (unsigned k = 0; k < i; k++) assert_string_not_equal(name(i), name(k));
  }
  assert_string_equal(name(count), "?");
  assert_string_equal(name(count + 7), "?");
}

static const char *stop_name(unsigned i) {
  return glimpse_stop_key((glimpse_stop)i);
}
static const char *planner_name(unsigned i) {
  return glimpse_planner_key((glimpse_planner_kind)i);
}
static const char *rule_name(unsigned i) {
  return glimpse_rule_key((glimpse_rule)i);
}
static const char *act_name(unsigned i) {
  return glimpse_act_key((glimpse_act)i);
}
static const char *improve_name(unsigned i) {
  return glimpse_improve_key((glimpse_improve)i);
}
static const char *rollout_name(unsigned i) {
  return glimpse_rollout_key((glimpse_rollout)i);
}

static void test_names(void **state) {
  (void)state;
  unsigned stops = 0;
#define X(name, key, text) stops++;
  GLIMPSE_STOP_TABLE(X)
#undef X
  check_names(stop_name, stops);
  check_names(planner_name, GLIMPSE_PLANNER_KINDS);
  check_names(rule_name, GLIMPSE_RULES);
  check_names(act_name, GLIMPSE_ACTS);
  check_names(improve_name, GLIMPSE_IMPROVES);
  check_names(rollout_name, GLIMPSE_ROLLOUTS);
  assert_string_equal(glimpse_rule_key(GLIMPSE_RULE_AEMS), "aems");
  assert_string_equal(glimpse_rule_key(GLIMPSE_RULE_SATIA_LAVE), "satia-lave");
  assert_string_equal(glimpse_improve_key(GLIMPSE_IMPROVE_NONE), "none");
  assert_string_equal(glimpse_improve_key(GLIMPSE_IMPROVE_PAPER), "paper");
}

static void check_refused(const glimpse_model *model, const glimpse_planner_options *options, const char *text) {
  glimpse_report *report = glimpse_report_new();
  glimpse_planner *planner = NULL;
  assert_non_null(report);
  assert_int_not_equal(glimpse_planner_new(model, NULL, options, report, &planner), GLIMPSE_OK);
  assert_null(planner);
  assert_int_equal(glimpse_report_kept(report), 1);
  assert_non_null(strstr(glimpse_report_get(report, 0)->text, text));
  glimpse_report_free(report);
}

static void test_construction(void **state) {
  (void)state;
  glimpse_model *model = environment_make("tiger");
  check_refused(model, &(glimpse_planner_options){.kind = GLIMPSE_PLANNER_KINDS}, "there is no such planner");
  check_refused(model, &(glimpse_planner_options){.kind = (glimpse_planner_kind)99}, "there is no such planner");
  glimpse_model_free(model);
  model = environment_make("tiger:gamma=1"); /* sums need not converge */
  for (int kind = 0; kind < GLIMPSE_PLANNER_KINDS; kind++)
    check_refused(model, &(glimpse_planner_options){.kind = (glimpse_planner_kind)kind}, "discount");
  glimpse_model_free(model);
}

static void test_budget(void **state) {
  (void)state;
  planning p;
  planning_start(&p, "tiger");
  const glimpse_budget wrong[] = {{.time = NAN}, {.time = -1}, {.epsilon = NAN}, {.epsilon = -1e-300}};
  glimpse_decision d;
  for (int kind = 0; kind < GLIMPSE_PLANNER_KINDS; kind++) {
    planning_planner(&p, &(glimpse_planner_options){.kind = (glimpse_planner_kind)kind});
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
      assert_int_equal(glimpse_planner_plan(p.planner, &wrong[i], &d), GLIMPSE_BAD_ARGUMENT);
    assert_int_equal(glimpse_planner_plan(p.planner, &(glimpse_budget){.expansions = 3}, &d), GLIMPSE_OK);
    assert_true(d.seconds >= 0 && d.seconds < 1000); /* a time that has passed, not a time of day */
  }
  planning_stop(&p);
}

static bool take_node(void *context, const glimpse_node *node) {
  return context && node;
}

static bool take_edge(void *context, const glimpse_edge *edge) {
  return context && edge;
}

static void test_visit(void **state) {
  (void)state;
  planning p;
  planning_start(&p, "tiger");
  planning_planner(&p, NULL);
  planning_decide(&p, (glimpse_budget){.expansions = 3});
  const glimpse_visit right = {.node = take_node, .edge = take_edge, .context = &p};
  glimpse_visit wrong[5];
  for (int i = 0; i < 5; i++) wrong[i] = right;
  wrong[0].node = NULL;
  wrong[1].edge = NULL;
  wrong[2].probability = NAN;
  wrong[3].max_gap = NAN;
  wrong[4].min_gap = NAN;
  for (int i = 0; i < 5; i++) assert_int_equal(glimpse_planner_visit(p.planner, &wrong[i]), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(glimpse_planner_visit(p.planner, &right), GLIMPSE_OK);
  planning_stop(&p);
}

static glimpse_status make_offline(void *context) {
  glimpse_offline *offline = NULL;
  glimpse_status status = glimpse_offline_new(context, GLIMPSE_BOUND_QMDP, NULL, NULL, &offline);
  assert_true((status == GLIMPSE_OK) == (offline != NULL));
  glimpse_offline_free(offline);
  return status;
}

static void test_offline(void **state) {
  (void)state;
  glimpse_model *model = environment_make("tiger");
  glimpse_offline *offline = (glimpse_offline *)&offline;
  assert_int_equal(glimpse_offline_new(model, GLIMPSE_BOUND_KINDS, NULL, NULL, &offline), GLIMPSE_BAD_ARGUMENT);
  assert_null(offline);
  assert_int_equal(glimpse_offline_new(model, (glimpse_bound_kind)99, NULL, NULL, &offline), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(glimpse_offline_new(model, GLIMPSE_BOUND_ALWAYS_ASK, NULL, NULL, &offline), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(glimpse_offline_new(model, GLIMPSE_BOUND_TIB_SR, NULL, NULL, &offline), GLIMPSE_BAD_ARGUMENT);
  assert_true(failing_malloc_sweep(make_offline, model) > 10);
  glimpse_offline_free(NULL);
  glimpse_model_free(model);
}

/* All bounds are in the lists, and the best of them counts. */
static void test_lists(void **state) {
  (void)state;
  static const char *const specs[] = {"tag", "tag:c=0", "robot-delivery:n=3"};
  for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
    glimpse_model *model = environment_make(specs[i]);
    bool requests = glimpse_model_requests(model);
    glimpse_offline *offline = NULL;
    assert_int_equal(glimpse_offline_new(model, glimpse_offline_upper(model), NULL, NULL, &offline), GLIMPSE_OK);
    assert_int_equal(offline->lower_count, requests ? 3 : 2);
    assert_int_equal(offline->upper_count, 2);
    assert_ptr_equal(offline->lowers[0], offline->blind);
    assert_ptr_equal(offline->lowers[requests ? 1 : 0], requests ? offline->always_ask : offline->blind);
    assert_ptr_equal(offline->lowers[offline->lower_count - 1], offline->sequence);
    assert_ptr_equal(offline->uppers[0], offline->upper);
    assert_ptr_equal(offline->uppers[1], offline->tib);
    double lower, upper;
    glimpse_row start = glimpse_model_start(model);
    glimpse_offline_value(offline, start, &lower, &upper);
    assert_true(lower == glimpse_bound_value(offline->sequence, start));
    assert_true(upper == glimpse_bound_value(offline->tib, start));
    assert_true(requests ? lower > glimpse_bound_value(offline->always_ask, start)
                         : lower >= glimpse_bound_value(offline->blind, start));
    assert_true(upper < glimpse_bound_value(offline->upper, start) && lower < upper);
    glimpse_offline_free(offline);
    glimpse_model_free(model);
  }
}

/* A limit on the time is one for all bounds together, and each of them is there. */
static void test_time(void **state) {
  (void)state;
  glimpse_model *model = environment_make("robot-delivery:n=25,gamma=0.999999");
  for (int i = 0; i < 2; i++) {
    glimpse_bound_options options = {.max_time = i ? 0.02 : 1e-9};
    glimpse_offline *offline = NULL;
    double lower, upper, begun = gli_clock_now();
    assert_int_equal(glimpse_offline_new(model, GLIMPSE_BOUND_FIB_SR, &options, NULL, &offline), GLIMPSE_OK);
    assert_true(gli_clock_now() - begun < 2); /* more than an hour without */
    assert_int_equal(offline->lower_count + offline->upper_count, 5);
    glimpse_offline_value(offline, glimpse_model_start(model), &lower, &upper);
    assert_true(lower <= upper && isfinite(lower) && isfinite(upper));
    glimpse_offline_free(offline);
  }
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_names),   cmocka_unit_test(test_construction),
                                     cmocka_unit_test(test_budget),  cmocka_unit_test(test_visit),
                                     cmocka_unit_test(test_offline), cmocka_unit_test(test_lists),
                                     cmocka_unit_test(test_time)};
  return cmocka_run_group_tests_name("planner", tests, NULL, NULL);
}
