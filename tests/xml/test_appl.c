/* Appl: policies as SARSOP writes them, and what is wrong in them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/failing_malloc.h"
#include "xml/appl.h"

/* The tiger without requests, as SARSOP solves it: listen until one door was heard twice more. */
#define HEAD                                                                                                           \
  "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<!-- a comment > -->\n"                                            \
  "<Policy version=\"0.1\" type=\"value\" model=\"tiger\"\n "                                                          \
  "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n"
#define VECTORS HEAD "<AlphaVector vectorLength=\"2\" numObsValue=\"1\" numVectors=\"5\">\n"
#define END "</AlphaVector> </Policy>\n"
#define GOOD                                                                                                           \
  VECTORS "<Vector action=\"1\" obsValue=\"0\">-81.6003 28.3997 </Vector>\n"                                           \
          "<Vector action=\"0\" obsValue=\"0\">3.01174 24.6927 </Vector>\n"                                            \
          "<Vector action=\"2\" obsValue=\"0\">28.3999\n-81.6001 </Vector>\n"                                          \
          "<Vector action=\"0\" obsValue=\"0\">24.6929 3.0121 </Vector>\n"                                             \
          "<Vector action=\"0\" obsValue=\"0\">19.3687 19.3686 </Vector>\n" END

static glimpse_model *tiger(void) {
  glimpse_model *model;
  assert_int_equal(glimpse_environment_make("tiger", NULL, &model), GLIMPSE_OK);
  assert_int_equal(glimpse_model_set_cost(model, 0), GLIMPSE_OK);
  return model;
}

/* What the controller earns at the start is what exact solvers say, whatever digits the file has. */
static void reads_vectors(void **state) {
  (void)state;
  glimpse_model *model = tiger();
  glimpse_policy *policy;
  double values[10];
  assert_int_equal(appl_import(GOOD, strlen(GOOD), "file", model, NULL, &policy), GLIMPSE_OK);
  assert_int_equal(glimpse_policy_measure(policy).nodes, 5);
  assert_int_equal(glimpse_policy_choice(policy, 0), 0);
  assert_int_equal(glimpse_policy_values(policy, model, NULL, values), GLIMPSE_OK);
  assert_true(fabs(0.5 * (values[0] + values[1]) - 19.371368374876) < 1e-8);
  glimpse_policy_free(policy);
  glimpse_model_free(model);
}

/* The other formats, from a file and from memory. */
static void reads_what_is_no_xml(void **state) {
  (void)state;
  static const char alpha[] = "0\n1 2\n\n1\n3 0\n\n";
  char path[] = "/tmp/glimpse-test-XXXXXX";
  int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  glimpse_model *model = tiger();
  glimpse_policy *policy;
  assert_int_equal(appl_import(alpha, strlen(alpha), "file", model, NULL, &policy), GLIMPSE_OK);
  assert_int_equal(glimpse_policy_measure(policy).nodes, 2);
  assert_int_equal(glimpse_policy_write_file(policy, path, NULL), GLIMPSE_OK);
  glimpse_policy_free(policy);
  assert_int_equal(appl_import_file(path, NULL, NULL, &policy), GLIMPSE_OK);
  assert_int_equal(glimpse_policy_measure(policy).nodes, 2);
  glimpse_policy_free(policy);
  remove(path);
  glimpse_report *report = glimpse_report_new();
  assert_int_equal(appl_import_file(path, NULL, report, &policy), GLIMPSE_CANNOT_READ);
  glimpse_report_free(report);
  assert_int_equal(appl_import(GOOD, strlen(GOOD), "file", NULL, NULL, &policy), GLIMPSE_BAD_ARGUMENT);
  glimpse_model_free(model);
}

static void check_wrong(const char *text, uint64_t line, uint64_t column, const char *message) {
  glimpse_model *model = tiger();
  glimpse_report *report = glimpse_report_new();
  glimpse_policy *policy = NULL;
  assert_int_equal(appl_import(text, strlen(text), "file", model, report, &policy), GLIMPSE_BAD_SYNTAX);
  assert_null(policy);
  const glimpse_message *first = glimpse_report_get(report, 0);
  assert_string_equal(first->text, message);
  assert_string_equal(first->source, "file");
  assert_int_equal(first->line, line);
  assert_int_equal(first->column, column);
  assert_int_equal(glimpse_report_kept(report), 1);
  glimpse_report_free(report);
  glimpse_model_free(model);
}

static void refuses(void **state) {
  (void)state;
  check_wrong("<Policy type=\"value\"", 1, 1, "expected well-formed XML, found an error: unclosed token");
  check_wrong("<Policy type=\"graph\"/>", 1, 1, "expected a policy of type=\"value\"");
  check_wrong("<pomdpx/>", 1, 1, "expected <Policy>, found <pomdpx>");
  check_wrong("<Policy type=\"value\"/>", 1, 23, "expected an <AlphaVector>, found the end");
  check_wrong("<Policy type=\"value\">\nx<AlphaVector/></Policy>", 2, 1,
              "expected elements only in <Policy>, found text");
  check_wrong(HEAD "<AlphaVector/><AlphaVector/></Policy>", 5, 15, "expected one <AlphaVector> and nothing behind it");
  check_wrong(HEAD "<AlphaVector vectorLength=\"3\" numObsValue=\"1\"/></Policy>", 5, 1,
              "expected vectorLength=\"2\", as many as the model has states, found '3'");
  check_wrong(HEAD "<AlphaVector vectorLength=\"2\" numObsValue=\"4\"/></Policy>", 5, 1,
              "expected numObsValue=\"1\" (state variables that are observed are not read), found '4'");
  check_wrong(HEAD "<AlphaVector vectorLength=\"2\"/></Policy>", 5, 1,
              "expected numObsValue=\"1\" (state variables that are observed are not read), found ''");
  check_wrong(HEAD "<AlphaVector vectorLength=\"36893488147419103234\"/></Policy>", 5, 1,
              "expected vectorLength=\"2\", as many as the model has states, found '36893488147419103234'");
  check_wrong(VECTORS "<SparseVector action=\"0\"/>" END, 6, 1, "expected <Vector>, found <SparseVector>");
  check_wrong(VECTORS "<Vector action=\"7\">1 2</Vector>" END, 6, 1,
              "expected action=\"...\", the number of an action, found '7'");
  check_wrong(VECTORS "<Vector>1 2</Vector>" END, 6, 1, "expected action=\"...\", the number of an action, found ''");
  check_wrong(VECTORS "<Vector action=\"1\"><x/></Vector>" END, 6, 20, "expected </Vector>, found <x>");
  check_wrong(VECTORS "<Vector action=\"1\">1</Vector>" END, 6, 21, "expected a number for each of 2 states, found 1");
  check_wrong(VECTORS "<Vector action=\"1\">1\nx</Vector>" END, 7, 1, "expected a number, found 'x'");
  check_wrong(VECTORS "<Vector action=\"1\">1 1e999</Vector>" END, 6, 22, "expected a number, found '1e999'");
  check_wrong(VECTORS "<Vector action=\"1\">1 2 3</Vector>" END, 6, 24,
              "expected no more than a number for each of 2 states, found '3'");
  check_wrong(VECTORS "1 2" END, 6, 1, "expected elements only in <AlphaVector>, found text");
  check_wrong(VECTORS END, 6, 1, "expected a <Vector>, found the end");
  check_wrong(VECTORS, 6, 1,
              "expected well-formed XML, found an error: no element found; the <AlphaVector> of line 5 is open");
}

/* Many vectors without numbers ask for no memory that the text does not pay for. */
static void asks_for_no_more_than_the_text(void **state) {
  (void)state;
  glimpse_model *model;
  assert_int_equal(glimpse_environment_make("tag", NULL, &model), GLIMPSE_OK);
  static const char text[] = "<Policy type=\"value\"><AlphaVector vectorLength=\"842\" numObsValue=\"1\">"
                             "<Vector action=\"0\"/><Vector action=\"0\"/></AlphaVector></Policy>";
  glimpse_report *report = glimpse_report_new();
  glimpse_policy *policy;
  assert_int_equal(appl_read(text, strlen(text), "file", model, report, &policy), GLIMPSE_BAD_SYNTAX);
  assert_string_equal(glimpse_report_get(report, 0)->text, "expected a number for each of 842 states in each <Vector>");
  glimpse_report_free(report);
  glimpse_model_free(model);
}

static void survives_every_cut(void **state) {
  (void)state;
  glimpse_model *model = tiger();
  for (size_t cut = 0; cut + 1 < strlen(GOOD); cut++) { /* without its last line end it is whole */
    char *exact = malloc(cut ? cut : 1);
    memcpy(exact, GOOD, cut);
    glimpse_policy *policy;
    assert_int_not_equal(appl_import(exact, cut, "cut", model, NULL, &policy), GLIMPSE_OK);
    free(exact);
  }
  glimpse_model_free(model);
}

static glimpse_status read_job(void *context) {
  glimpse_policy *policy = NULL;
  glimpse_report *report = glimpse_report_new();
  if (!report) return GLIMPSE_NO_MEMORY;
  glimpse_status status = appl_import(GOOD, strlen(GOOD), "file", context, report, &policy);
  glimpse_policy_free(policy);
  glimpse_report_free(report);
  return status;
}

static void runs_out_of_memory(void **state) {
  (void)state;
  glimpse_model *model = tiger();
  assert_true(failing_malloc_sweep(read_job, model) > 30);
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_vectors),
      cmocka_unit_test(reads_what_is_no_xml),
      cmocka_unit_test(refuses),
      cmocka_unit_test(asks_for_no_more_than_the_text),
      cmocka_unit_test(survives_every_cut),
      cmocka_unit_test(runs_out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
