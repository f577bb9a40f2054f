/* Document: the grammar of RFC 8259, lines, and texts that are none.
 *
 * Covers common/complaint.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/document.h"
#include "support/failing_malloc.h"

static document *read_text(const char *text) {
  complaint why = {{0}, {0}, {0}};
  document *root = document_read(text, strlen(text), "x.json", &why);
  if (!root) fail_msg("%s: %s: %s", text, why.place, why.text);
  return root;
}

static void test_values(void **state) {
  (void)state;
  document *root = read_text("# a comment\n{\"a\": [1, -2.5e3, true,\n false, null],\n \"b\": {\"c\": "
                             "\"x\\n\\u00e9\\ud83d\\ude00\\/\"}, \"d\":0.25}\n");
  assert_int_equal(root->kind, DOCUMENT_OBJECT);
  assert_int_equal(root->count, 3);
  assert_int_equal(root->line, 2);
  const document *a = document_get(root, "a");
  assert_int_equal(a->count, 5);
  const document *item = a->first;
  assert_true(item->kind == DOCUMENT_NUMBER && item->number == 1 && !strcmp(item->text, "1"));
  item = item->next;
  assert_true(item->kind == DOCUMENT_NUMBER && item->number == -2500 && !strcmp(item->text, "-2.5e3"));
  item = item->next;
  assert_true(item->kind == DOCUMENT_BOOL && item->truth && item->line == 2);
  item = item->next;
  assert_true(item->kind == DOCUMENT_BOOL && !item->truth && item->line == 3);
  assert_int_equal(item->next->kind, DOCUMENT_NULL);
  assert_string_equal(document_get(document_get(root, "b"), "c")->text, "x\n\xc3\xa9\xf0\x9f\x98\x80/");
  assert_int_equal(document_get(root, "b")->line, 4);
  assert_true(document_get(root, "d")->number == 0.25);
  assert_null(document_get(root, "e"));
  assert_null(document_get(NULL, "e"));
  document_free(root);
  document_free(NULL);
  static const char *const good[] = {"1",  "\"\"", "[]",         "{}",        " [ [ ] , { } ] ",
                                     "-0", "1E+2", "\r\n\tnull", "[\n#x\n1]", "\xef\xbb\xbf#x\n1"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) document_free(read_text(good[i]));
}

static void test_errors(void **state) {
  (void)state;
  static const struct {
    const char *text, *place, *why;
  } cases[] = {
      {"", "x.json:1", "expected a value, found the end of the text"},
      {"{\n\"a\": 1,\n}", "x.json:3", "expected a key in quotes, found '}'"},
      {"{\"a\": 1,\n \"b\": 2,\n \"a\": 3}", "x.json:3", "the field 'a' is given twice"},
      {"{\xc3\xbc}", "x.json:1", "expected a key in quotes, found '\xc3\xbc}'"},
      {"[1 abcdefghijklmnopqrs\xf0\x9f\x98\x80xy]", "x.json:1",
       "expected ',' or ']', found 'abcdefghijklmnopqrs\xf0\x9f\x98\x80'"},
      {"[1 2]", "x.json:1", "expected ',' or ']', found '2]'"},
      {"{\"a\" 1}", "x.json:1", "expected ':', found '1}'"},
      {"{\"a\": 1 ", "x.json:1", "expected ',' or '}', found the end of the text"},
      {"01", "x.json:1", "expected a value, found '01'"},
      {"1.", "x.json:1", "expected a number, found '1.'"},
      {".5", "x.json:1", "expected a value, found '.5'"},
      {"+1", "x.json:1", "expected a value, found '+1'"},
      {"1e", "x.json:1", "expected a number, found '1e'"},
      {"-", "x.json:1", "expected a value, found '-'"},
      {"nul", "x.json:1", "expected a value, found 'nul'"},
      {"\"a", "x.json:1", "expected the '\"' that ends the text, found the end of the text"},
      {"\"a\nb\"", "x.json:1", "expected the '\"' that ends the text, found a control character"},
      {"\"\\x\"", "x.json:1", "expected an escape such as \\n or \\u00e9, found 'x\"'"},
      {"\"\\u12g4\"", "x.json:1", "expected four hexadecimal digits, found 'g4\"'"},
      {"\"\\ud800x\"", "x.json:1", "expected the second half of a surrogate pair, found 'x\"'"},
      {"\"\\u0000\"", "x.json:1", "expected a character that can stand in a text, found '\"'"},
      {"\"\\", "x.json:1", "expected an escape such as \\n or \\u00e9, found the end of the text"},
      {"1 # no", "x.json:1", "expected nothing more, found '#'"},
      {"[]]", "x.json:1", "expected nothing more, found ']'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    complaint why = {{0}, {0}, {0}};
    document *root = document_read(cases[i].text, strlen(cases[i].text), "x.json", &why);
    if (root) fail_msg("accepted: %s", cases[i].text);
    assert_string_equal(why.place, cases[i].place);
    assert_string_equal(why.text, cases[i].why);
  }
  char deep[200];
  memset(deep, '[', sizeof deep);
  complaint why;
  assert_null(document_read(deep, sizeof deep, "x.json", &why));
  assert_non_null(strstr(why.text, "fewer levels"));
}

/* An object of many keys: each is found, and one that comes twice is refused wherever the two stand. */
static void test_large_object(void **state) {
  (void)state;
  enum { KEYS = 20000, SIZE = KEYS * 20 };
  static const int pairs[][2] = {{-1, -1}, {0, 1}, {3, KEYS - 1}, {KEYS - 2, KEYS - 1}, {15, 16}, {2, 9}};
  char *text = malloc(SIZE);
  assert_non_null(text);
  for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
    size_t length = (size_t)snprintf(text, SIZE, "{");
    for (int i = 0; i < KEYS; i++)
      length += (size_t)snprintf(text + length, SIZE - length, "%s\"k%d\": %d", i ? "," : "",
                                 i == pairs[k][1] ? pairs[k][0] : i, i);
    length += (size_t)snprintf(text + length, SIZE - length, "}");
    complaint why = {{0}, {0}, {0}};
    document *root = document_read(text, length, "x.json", &why);
    if (k) {
      char expected[80];
      snprintf(expected, sizeof expected, "the field 'k%d' is given twice", pairs[k][0]);
      assert_null(root);
      assert_string_equal(why.text, expected);
    } else {
      assert_non_null(root);
      assert_int_equal(root->count, KEYS);
      assert_true(document_get(root, "k19999")->number == 19999);
    }
    document_free(root);
  }
  free(text);
}

/* Any prefix of a text, and any text with one byte changed, is read or refused: the sanitizers watch. */
static void test_damage(void **state) {
  (void)state;
  static const char text[] = "{\"a\": [1, -2.5e3, true, \"x\\u00e9\\n\", {\"b\": null}], \"c\": {\"d\": [[]]}}";
  size_t length = sizeof text - 1;
  for (size_t i = 0; i < length; i++) {
    char *copy = malloc(i ? i : 1); /* so that reading too far is noticed */
    assert_non_null(copy);
    memcpy(copy, text, i);
    complaint why;
    assert_null(document_read(copy, i, "x", &why));
    free(copy);
  }
  static const char bytes[] = "\"\\[]{},:0-e#\n\0\xff";
  size_t refused = 0;
  for (size_t i = 0; i < length; i++)
    for (size_t k = 0; k + 1 < sizeof bytes; k++) {
      char copy[sizeof text];
      memcpy(copy, text, length);
      copy[i] = bytes[k];
      complaint why;
      document *root = document_read(copy, length, "x", &why);
      refused += !root;
      document_free(root);
    }
  assert_true(refused > length);
}

static glimpse_status read_job(void *context) {
  const char *text = context;
  complaint why = {{0}, {0}, {0}};
  document *root = document_read(text, strlen(text), "x", &why);
  if (!root) assert_string_equal(why.text, "out of memory");
  document_free(root);
  return root ? GLIMPSE_OK : GLIMPSE_NO_MEMORY;
}

static void test_memory(void **state) {
  (void)state;
  char text[] = "{\"a\": [1, \"b\", {\"c\": null}]}";
  assert_true(failing_malloc_sweep(read_job, text) > 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values), cmocka_unit_test(test_errors), cmocka_unit_test(test_large_object),
      cmocka_unit_test(test_damage), cmocka_unit_test(test_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
