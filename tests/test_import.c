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
#define APPL_HEAD                                                                                                      \
  "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<!-- a comment > -->\n"                                            \
  "<Policy version=\"0.1\" type=\"value\" model=\"tiger\"\n "                                                          \
  "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n"
#define APPL                                                                                                           \
  APPL_HEAD "<AlphaVector vectorLength=\"2\" numObsValue=\"1\" numVectors=\"5\">\n"                                    \
            "<Vector action=\"1\" obsValue=\"0\">-81.6003 28.3997 </Vector>\n"                                         \
            "<Vector action=\"0\" obsValue=\"0\">3.01174 24.6927 </Vector>\n"                                          \
            "<Vector action=\"2\" obsValue=\"0\">28.3999 -81.6001 </Vector>\n"                                         \
            "<Vector action=\"0\" obsValue=\"0\">24.6929 3.0121 </Vector>\n"                                           \
            "<Vector action=\"0\" obsValue=\"0\">19.3687 19.3686 </Vector>\n</AlphaVector> </Policy>\n"

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

static void becomes_a_controller(void **state) {
  (void)state;
  static const char *const texts[] = {ALPHA, APPL};
  glimpse_model *model = tiger();
  for (size_t i = 0; i < 2; i++) {
    glimpse_policy *policy = import(texts[i], model);
    gli_worth worth;
    assert_true(gli_policy_whole(policy));
    assert_int_equal(policy->nodes, 5);
    assert_int_equal(glimpse_policy_measure(policy).edges, 10);
    assert_int_equal(glimpse_policy_choice(policy, 0), 0);
    assert_true(isinf(policy->lower) && isinf(policy->upper));
    assert_int_equal(gli_policy_evaluate(policy, model, NULL, &worth), GLIMPSE_OK);
    assert_true(fabs(worth.value - 19.371368374876) < 1e-9);
    double values[10];
    assert_int_equal(glimpse_policy_values(policy, model, NULL, values), GLIMPSE_OK);
    assert_true(fabs(0.5 * (values[0] + values[1]) - worth.value) < 1e-8);
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
  WRONG("0\n1 2 <\n", 2, 5, "expected a number, found the end of the line");
  WRONG("<Policy type=\"value\"", 1, 1, "this tag does not end");
  WRONG("<Policy type=\"graph\">", 1, 1, "expected a policy of type=\"value\"");
  WRONG("<pomdpx>", 1, 2, "expected Policy, found 'pomdpx'");
  WRONG(APPL_HEAD "<AlphaVector vectorLength=\"3\" numObsValue=\"1\">", 5, 1,
        "expected vectorLength=\"2\", as many as the model has states");
  WRONG(APPL_HEAD "<AlphaVector vectorLength=\"2\" numObsValue=\"4\">", 5, 1,
        "expected numObsValue=\"1\": state variables that are observed are not read");
#define VECTORS APPL_HEAD "<AlphaVector vectorLength=\"2\" numObsValue=\"1\">\n"
  WRONG(VECTORS "<SparseVector action=\"0\">", 6, 2, "expected Vector, found 'SparseVector'");
  WRONG(VECTORS "<Vector action=\"7\">", 6, 1, "expected the number of an action, found '7'");
  WRONG(VECTORS "<Vector action=\"1\">1</Vector>", 6, 21,
        "expected a number for each of 2 states, found 1; are these vectors of this model?");
  WRONG(VECTORS "<Vector action=\"1\">1 2 3</Vector>", 6, 24, "expected a tag, found '3'");
  WRONG(VECTORS "</AlphaVector></Policy>", 6, 24, "expected a vector, found the end");
  WRONG(VECTORS "</AlphaVector>", 6, 15, "expected a tag, found the end of the line");
  WRONG("states: 2\n", 1, 1, "expected 'glimpse-policy', with which a policy begins, found 'states:'");
  glimpse_report *report = glimpse_report_new();
  glimpse_policy *policy;
  assert_int_equal(glimpse_policy_import(ALPHA, strlen(ALPHA), "file", NULL, report, &policy), GLIMPSE_BAD_ARGUMENT);
  assert_string_equal(glimpse_report_get(report, 0)->text,
                      "these are vectors of another solver, which need their model");
  glimpse_report_free(report);
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

static void runs_out_of_memory(void **state) {
  (void)state;
  glimpse_model *model = tiger();
  assert_true(failing_malloc_sweep(import_it, model) > 20);
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(becomes_a_controller),
      cmocka_unit_test(chooses_by_the_belief),
      cmocka_unit_test(refuses),
      cmocka_unit_test(runs_out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
