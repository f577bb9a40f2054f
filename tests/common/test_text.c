/* Text: grows to any length, numbers to the letter, and memory that runs out once. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/text.h"
#include "support/failing_malloc.h"

/* Pieces of every length up to some thousand, by each way to add them, against one array. */
static void test_grows(void **state) {
  (void)state;
  enum { LONGEST = 1500 };
  struct text text = {0};
  assert_string_equal(text_string(&text), "");
  char *wanted = calloc(1, (size_t)3 * LONGEST * LONGEST), piece[LONGEST + 1];
  assert_non_null(wanted);
  size_t length = 0;
  for (int n = 0; n <= LONGEST; n += n < 40 ? 1 : 97) {
    memset(piece, 'a' + n % 26, (size_t)n);
    piece[n] = 0;
    text_add(&text, piece, (size_t)n);
    text_put(&text, piece);
    text_print(&text, "%s|%d", piece, n);
    length += (size_t)sprintf(wanted + length, "%s%s%s|%d", piece, piece, piece, n);
    assert_int_equal(text.length, length);
    assert_string_equal(text_string(&text), wanted);
    assert_true(text.capacity > text.length);
  }
  assert_true(text_sink(&text, "\0x", 2)); /* a sink takes any bytes */
  assert_int_equal(text.length, length + 2);
  assert_memory_equal(text.data + length, "\0x", 3);
  text_clear(&text);
  assert_string_equal(text_string(&text), "");
  text_put(&text, "again");
  assert_string_equal(text_string(&text), "again");
  text_free(&text);
  text_free(&text);
  assert_null(text.data);
  free(wanted);
}

static void test_numbers(void **state) {
  (void)state;
  static const struct {
    double value;
    int digits;
    const char *fixed, *number;
  } cases[] = {{0.1, 2, "0.10", "0.1"},
               {-0.001, 2, "0.00", "-0.001"},
               {-0.0, 0, "0", "-0"},
               {-0.006, 2, "-0.01", "-0.006"},
               {1e12, 1, "1.0e+12", "1000000000000"},
               {-3, 3, "-3.000", "-3"},
               {NAN, 2, "-", ""},
               {INFINITY, 2, "inf", ""}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct text fixed = {0}, number = {0};
    text_fixed(&fixed, cases[i].value, cases[i].digits);
    text_number(&number, cases[i].value);
    assert_string_equal(text_string(&fixed), cases[i].fixed);
    assert_string_equal(text_string(&number), cases[i].number);
    text_free(&fixed);
    text_free(&number);
  }
}

static void test_xml(void **state) {
  (void)state;
  struct text text = {0};
  text_escape_xml(&text, "<a href=\"x\">'&'\x1b\n\t\xc3\xa9");
  assert_string_equal(text_string(&text), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;?\n\t\xc3\xa9");
  text_free(&text);
}

/* Once it has failed a text stays as it was, and says so. */
static glimpse_status write_much(void *context) {
  (void)context;
  struct text text = {0};
  bool whole = true;
  for (int i = 0; i < 200; i++) {
    text_print(&text, "%d ", i);
    if (!text_sink(&text, "word ", 5)) whole = false;
    assert_int_equal(whole, !text.failed);
    assert_int_equal(strlen(text_string(&text)), text.length);
  }
  size_t length = text.length;
  if (text.failed) {
    text_put(&text, "more");
    assert_int_equal(text.length, length);
  }
  text_free(&text);
  return whole ? GLIMPSE_OK : GLIMPSE_NO_MEMORY;
}

static void test_no_memory(void **state) {
  (void)state;
  assert_true(failing_malloc_sweep(write_much, NULL) >= 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_grows), cmocka_unit_test(test_numbers),
                                     cmocka_unit_test(test_xml), cmocka_unit_test(test_no_memory)};
  return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
