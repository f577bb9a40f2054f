/* Report: what is kept and counted, in which order, and what is left of it when
 * memory runs out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/report.h"
#include "support/failing_malloc.h"

enum { KEPT = 20 };

static void starts_empty(void **state) {
  (void)state;
  glimpse_report *report = glimpse_report_new();
  assert_non_null(report);
  assert_int_equal(glimpse_report_kept(report), 0);
  assert_int_equal(glimpse_report_count(report, GLIMPSE_ERROR), 0);
  assert_int_equal(glimpse_report_count(report, GLIMPSE_WARNING), 0);
  assert_null(glimpse_report_get(report, 0));
  glimpse_report_free(report);
}

static void keeps_all_fields(void **state) {
  (void)state;
  glimpse_report *report = glimpse_report_new();
  gli_report_add(report, GLIMPSE_WARNING, GLIMPSE_BAD_MODEL, 0, 0, "no source yet");
  char source[] = "some.pomdp";
  gli_report_source(report, source);
  source[0] = 'X'; /* it was copied */
  gli_report_add(report, GLIMPSE_ERROR, GLIMPSE_BAD_SYNTAX, UINT64_C(5000000000), 7, "found \"%s\", wanted %d", "x", 3);
  gli_report_source(report, "other");
  assert_int_equal(GLI_FAIL(report, GLIMPSE_TOO_LARGE, "%u states", 5u), GLIMPSE_TOO_LARGE);
  assert_int_equal(glimpse_report_kept(report), 3);

  const glimpse_message *message = glimpse_report_get(report, 0);
  assert_int_equal(message->severity, GLIMPSE_WARNING);
  assert_int_equal(message->code, GLIMPSE_BAD_MODEL);
  assert_string_equal(message->source, "");
  assert_string_equal(message->text, "no source yet");
  message = glimpse_report_get(report, 1);
  assert_int_equal(message->severity, GLIMPSE_ERROR);
  assert_int_equal(message->code, GLIMPSE_BAD_SYNTAX);
  assert_string_equal(message->source, "some.pomdp");
  assert_true(message->line == UINT64_C(5000000000));
  assert_int_equal(message->column, 7);
  assert_string_equal(message->text, "found \"x\", wanted 3");
  message = glimpse_report_get(report, 2);
  assert_int_equal(message->code, GLIMPSE_TOO_LARGE);
  assert_string_equal(message->source, "other");
  assert_int_equal(message->line, 0);
  assert_int_equal(message->column, 0);
  assert_string_equal(message->text, "5 states");
  assert_null(glimpse_report_get(report, 3));
  assert_null(glimpse_report_get(report, SIZE_MAX));
  glimpse_report_free(report);
}

/* Many of one severity must not push out the other. */
static void keeps_the_first_of_each(void **state) {
  (void)state;
  glimpse_report *report = glimpse_report_new();
  for (int i = 0; i < 1000; i++) gli_report_add(report, GLIMPSE_WARNING, GLIMPSE_BAD_SYNTAX, 1, 1, "warning %d", i);
  for (int i = 0; i < 100; i++) gli_report_add(report, GLIMPSE_ERROR, GLIMPSE_BAD_SYNTAX, 1, 1, "error %d", i);
  assert_int_equal(glimpse_report_count(report, GLIMPSE_WARNING), 1000);
  assert_int_equal(glimpse_report_count(report, GLIMPSE_ERROR), 100);
  assert_int_equal(glimpse_report_kept(report), 2 * KEPT);
  for (int i = 0; i < 2 * KEPT; i++) {
    char expected[40];
    snprintf(expected, sizeof expected, i < KEPT ? "warning %d" : "error %d", i % KEPT);
    assert_string_equal(glimpse_report_get(report, (size_t)i)->text, expected);
  }
  glimpse_report_free(report);
}

static void clears_and_goes_on(void **state) {
  (void)state;
  glimpse_report *report = glimpse_report_new();
  gli_report_source(report, "file");
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < 30; i++) gli_report_add(report, GLIMPSE_ERROR, GLIMPSE_BAD_MODEL, 1, 1, "round %d", round);
    assert_int_equal(glimpse_report_count(report, GLIMPSE_ERROR), 30);
    assert_int_equal(glimpse_report_kept(report), KEPT);
    assert_int_equal(glimpse_report_get(report, 0)->text[6], '0' + round);
    glimpse_report_clear(report);
    assert_int_equal(glimpse_report_count(report, GLIMPSE_ERROR), 0);
    assert_int_equal(glimpse_report_kept(report), 0);
    assert_null(glimpse_report_get(report, 0));
  }
  glimpse_report_free(report);
}

/* A text that is too long is cut and ends with dots. */
static void cuts_long_texts(void **state) {
  (void)state;
  glimpse_report *report = glimpse_report_new();
  char wide[2000];
  memset(wide, 'x', sizeof wide - 1);
  wide[sizeof wide - 1] = 0;
  gli_report_add(report, GLIMPSE_ERROR, GLIMPSE_BAD_SYNTAX, 1, 1, "%s", wide);
  size_t length = strlen(glimpse_report_get(report, 0)->text);
  assert_in_range(length, 100, 1000);
  assert_string_equal(glimpse_report_get(report, 0)->text + length - 3, "...");
  assert_memory_equal(glimpse_report_get(report, 0)->text, wide, length - 3);
  wide[length] = 0; /* just fits, then one too long */
  gli_report_add(report, GLIMPSE_ERROR, GLIMPSE_BAD_SYNTAX, 1, 1, "%s", wide);
  assert_string_equal(glimpse_report_get(report, 1)->text, wide);
  gli_report_add(report, GLIMPSE_ERROR, GLIMPSE_BAD_SYNTAX, 1, 1, "%sx", wide);
  assert_string_equal(glimpse_report_get(report, 2)->text, glimpse_report_get(report, 0)->text);
  glimpse_report_free(report);
}

static void null_swallows(void **state) {
  (void)state;
  gli_report_add(NULL, GLIMPSE_ERROR, GLIMPSE_BAD_MODEL, 1, 1, "nobody listens");
  gli_report_source(NULL, "file");
  glimpse_report_clear(NULL);
  glimpse_report_free(NULL);
  assert_int_equal(GLI_FAIL(NULL, GLIMPSE_IMPOSSIBLE, "nor here"), GLIMPSE_IMPOSSIBLE);
  assert_int_equal(glimpse_report_kept(NULL), 0);
  assert_int_equal(glimpse_report_count(NULL, GLIMPSE_ERROR), 0);
  assert_null(glimpse_report_get(NULL, 0));
}

/* Without memory a finding is counted but not kept, and nothing breaks. */
static void survives_without_memory(void **state) {
  (void)state;
  failing_malloc_set(1, true);
  assert_null(glimpse_report_new());
  failing_malloc_set(0, false);
  long before = failing_malloc_live();
  for (unsigned long n = 1;; n++) {
    glimpse_report *report = glimpse_report_new();
    failing_malloc_set(n, false);
    gli_report_source(report, "file");
    gli_report_add(report, GLIMPSE_ERROR, GLIMPSE_BAD_MODEL, 1, 1, "first");
    gli_report_add(report, GLIMPSE_WARNING, GLIMPSE_BAD_MODEL, 1, 1, "second");
    bool failed = failing_malloc_failures() > 0;
    failing_malloc_set(0, false);
    assert_int_equal(glimpse_report_count(report, GLIMPSE_ERROR), 1);
    assert_int_equal(glimpse_report_count(report, GLIMPSE_WARNING), 1);
    size_t kept = glimpse_report_kept(report);
    /* Allocation 1 is the name of the source, then two for each finding. */
    assert_int_equal(kept, failed && n > 1 ? 1 : 2);
    assert_string_equal(glimpse_report_get(report, 0)->source, failed && n == 1 ? "" : "file");
    assert_string_equal(glimpse_report_get(report, kept - 1)->text, failed && n > 3 ? "first" : "second");
    gli_report_add(report, GLIMPSE_ERROR, GLIMPSE_BAD_MODEL, 1, 1, "after");
    assert_string_equal(glimpse_report_get(report, kept)->text, "after");
    glimpse_report_free(report);
    assert_int_equal(failing_malloc_live(), before);
    if (!failed) {
      assert_int_equal(n, 6);
      break;
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(starts_empty),
      cmocka_unit_test(keeps_all_fields),
      cmocka_unit_test(keeps_the_first_of_each),
      cmocka_unit_test(clears_and_goes_on),
      cmocka_unit_test(cuts_long_texts),
      cmocka_unit_test(null_swallows),
      cmocka_unit_test(survives_without_memory),
  };
  return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
