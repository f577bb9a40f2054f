/* Vectors of other solvers: files as they write them, what is wrong in them, and what becomes of them.
 *
 * Covers src/policy/vector_set.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "policy/policy.h"
#include "support/failing_malloc.h"
#include "support/policy_text.h"

/* The tiger without requests, as exact solvers solve it: listen until one door was heard twice more. */
#define ALPHA                                                                                                          \
  "0\n19.371368374876322 19.371368374876322\n\n0\n24.695680957995553 3.014778956460679\n\n"                            \
  "0\n3.014778956460679 24.695680957995553\n\n2\n28.402799956131776 -81.59720004386823\n\n"                            \
  "1\n-81.59720004386823 28.402799956131776\n\n"

static glimpse_model *tiger(void) {
  glimpse_model *model;
  assert_int_equal(glimpse_environment_make("tiger", NULL, &model), GLIMPSE_OK);
  assert_int_equal(glimpse_model_set_cost(model, 0), GLIMPSE_OK);
  return model;
}

static glimpse_policy *import(const char *text, const glimpse_model *model) {
  glimpse_report *report = glimpse_report_new();
  glimpse_policy *policy = NULL;
  glimpse_status status = glimpse_policy_import(text, strlen(text), "file", model, report, &policy);
  if (status) print_message("%s\n", glimpse_report_get(report, 0)->text);
  assert_int_equal(status, GLIMPSE_OK);
  glimpse_report_free(report);
  return policy;
}

/* The same vectors from memory, in another order, with digits as SARSOP gives them. */
static const uint32_t actions[] = {1, 0, 2, 0, 0};
static const double values[] = {-81.6003, 28.3997, 3.01174, 24.6927, 28.3999,
                                -81.6001, 24.6929, 3.0121,  19.3687, 19.3686};

static glimpse_policy *from_vectors(size_t count, const glimpse_model *model) {
  glimpse_policy *policy = NULL;
  assert_int_equal(glimpse_policy_from_vectors(model, count, actions, values, NULL, &policy), GLIMPSE_OK);
  return policy;
}

static void becomes_a_controller(void **state) {
  (void)state;
  glimpse_model *model = tiger();
  for (size_t i = 0; i < 2; i++) {
    glimpse_policy *policy = i ? from_vectors(5, model) : import(ALPHA, model);
    gli_worth worth;
    assert_true(gli_policy_whole(policy));
    assert_int_equal(policy->nodes, 5);
    assert_int_equal(glimpse_policy_measure(policy).edges, 10);
    assert_int_equal(glimpse_policy_choice(policy, 0), 0);
    assert_true(isinf(policy->lower) && isinf(policy->upper));
    assert_int_equal(gli_policy_evaluate(policy, model, NULL, &worth), GLIMPSE_OK);
    assert_true(fabs(worth.value - 19.371368374876) < 1e-9);
    double kept[10];
    assert_int_equal(glimpse_policy_values(policy, model, NULL, kept), GLIMPSE_OK);
    assert_true(fabs(0.5 * (kept[0] + kept[1]) - worth.value) < 1e-8);
    glimpse_policy_free(policy);
  }
  glimpse_model_free(model);
}

/* While it is followed the vectors choose by the belief, wherever that comes from. */
static void chooses_by_the_belief(void **state) {
  (void)state;
  static const struct {
    double left;
    uint32_t action;
  } cases[] = {{0.5, 0}, {0.02, 1}, {0.1, 0}, {0.97, 2}, {0.9, 0}};
  glimpse_model *model = tiger();
  glimpse_policy *policy = import(ALPHA, model);
  glimpse_planner_options options = {.kind = GLIMPSE_PLANNER_POLICY, .policy = policy};
  glimpse_planner *planner;
  glimpse_budget budget = {0};
  assert_int_equal(glimpse_planner_new(model, NULL, &options, NULL, &planner), GLIMPSE_OK);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint32_t states[] = {0, 1};
    double masses[] = {cases[i].left, 1 - cases[i].left};
    glimpse_decision decision;
    assert_int_equal(glimpse_planner_begin(planner, (glimpse_row){2, states, masses}, 0), GLIMPSE_OK);
    assert_int_equal(glimpse_planner_plan(planner, &budget, &decision), GLIMPSE_OK);
    assert_int_equal(decision.action, cases[i].action);
    assert_int_equal(decision.stop, GLIMPSE_STOP_RULE);
  }
  glimpse_planner_free(planner);
  glimpse_policy_free(policy);
  glimpse_model_free(model);
}

static void check_wrong(const char *text, glimpse_status code, uint64_t line, uint64_t column, const char *message) {
  glimpse_model *model = tiger();
  glimpse_report *report = glimpse_report_new();
  glimpse_policy *policy = NULL;
  assert_int_equal(glimpse_policy_import(text, strlen(text), "file", model, report, &policy), code);
  assert_null(policy);
  const glimpse_message *first = glimpse_report_get(report, 0);
  assert_string_equal(first->text, message);
  assert_int_equal(first->line, line);
  assert_int_equal(first->column, column);
  glimpse_report_free(report);
  glimpse_model_free(model);
}

#define WRONG(text, line, column, message) check_wrong(text, GLIMPSE_BAD_SYNTAX, line, column, message)

static void refuses(void **state) {
  (void)state;
  WRONG("0\n1 2\n\n3\n1 2\n", 4, 1, "expected the number of an action, found '3'");
  WRONG("0\n1 2\n\n0\n1\n", 6, 1, "expected a number for each of 2 states, found 1; are these vectors of this model?");
  WRONG("0\n1 x\n", 2, 3, "expected a number, found 'x'");
  WRONG("0\n1 inf\n", 2, 3, "expected a number, found 'inf'");
  WRONG("0\n1 2 3\n", 2, 5, "expected the number of an action, found '3'");
  WRONG("0\n1 2 <\n", 2, 5, "expected the number of an action, found '<'");
  WRONG("states: 2\n", 1, 1, "expected 'glimpse-policy', with which a policy begins, found 'states:'");
  glimpse_report *report = glimpse_report_new();
  glimpse_policy *policy;
  assert_int_equal(glimpse_policy_import(ALPHA, strlen(ALPHA), "file", NULL, report, &policy), GLIMPSE_BAD_ARGUMENT);
  assert_string_equal(glimpse_report_get(report, 0)->text,
                      "these are vectors of another solver, which need their model");
  glimpse_report_free(report);
}

static void check_wrong_vectors(const glimpse_model *model, size_t count, uint32_t action, double value,
                                const char *message) {
  uint32_t chosen[] = {0, action};
  double worth[] = {1, 2, 3, value};
  glimpse_report *report = glimpse_report_new();
  glimpse_policy *policy;
  assert_int_equal(glimpse_policy_from_vectors(model, count, chosen, worth, report, &policy), GLIMPSE_BAD_ARGUMENT);
  assert_null(policy);
  assert_string_equal(glimpse_report_get(report, 0)->text, message);
  glimpse_report_free(report);
}

static void refuses_vectors(void **state) {
  (void)state;
  glimpse_model *model = tiger();
  check_wrong_vectors(model, 0, 0, 4, "expected vectors, found 0");
  check_wrong_vectors(model, 2, 3, 4, "there is no action 3, that of vector 1");
  check_wrong_vectors(model, 2, 0, INFINITY, "the value of vector 1 in state 1 is no finite number");
  check_wrong_vectors(model, 2, 0, NAN, "the value of vector 1 in state 1 is no finite number");
  glimpse_report *report = glimpse_report_new();
  glimpse_policy *policy;
  static const char text[] = " <Policy/>";
  assert_int_equal(glimpse_policy_import(text, strlen(text), "file", model, report, &policy), GLIMPSE_NOT_APPLICABLE);
  assert_string_equal(glimpse_report_get(report, 0)->text,
                      "this is XML, which the library does not read; the program and Python do");
  glimpse_report_free(report);
  glimpse_model_free(model);
}

static glimpse_status import_it(void *context) {
  glimpse_policy *policy = NULL;
  glimpse_report *report = glimpse_report_new();
  glimpse_status status =
      report ? glimpse_policy_import(ALPHA, strlen(ALPHA), "file", context, report, &policy) : GLIMPSE_NO_MEMORY;
  glimpse_policy_free(policy);
  glimpse_report_free(report);
  return status;
}

static glimpse_status take_vectors(void *context) {
  glimpse_policy *policy = NULL;
  glimpse_status status = glimpse_policy_from_vectors(context, 5, actions, values, NULL, &policy);
  glimpse_policy_free(policy);
  return status;
}

static void runs_out_of_memory(void **state) {
  (void)state;
  glimpse_model *model = tiger();
  assert_true(failing_malloc_sweep(import_it, model) > 20);
  assert_true(failing_malloc_sweep(take_vectors, model) > 20);
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(becomes_a_controller), cmocka_unit_test(chooses_by_the_belief), cmocka_unit_test(refuses),
      cmocka_unit_test(refuses_vectors),      cmocka_unit_test(runs_out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
