/* Names: what is a name, unique within a kind, found by text, thousands of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/names.h"
#include "support/failing_malloc.h"

static gli_names_result set(gli_names *names, uint32_t i, const char *name) {
  return gli_names_set(names, i, name, strlen(name));
}

static uint32_t find(const gli_names *names, const char *name) {
  return gli_names_find(names, name, strlen(name));
}

static void test_valid(void **state) {
  (void)state;
  static const char *const good[] = {"a", "Z", "tiger-left", "x_1", "start-left", "a-", "a--b_", "R2D2"};
  static const char *const bad[] = {"",  "1",  "1a", "-a", "_a",       "a b",       "a.b", "a:b",
                                    "*", "a*", " a", "a ", "\xc3\xa9", "a\xc3\xa9", "a\n", "a+b"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    if (!gli_names_valid(good[i], strlen(good[i]))) fail_msg("'%s' was refused", good[i]);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    if (gli_names_valid(bad[i], strlen(bad[i]))) fail_msg("'%s' was accepted", bad[i]);
  /* Every byte, as the first and as the second of a name. */
  for (int c = 0; c < 256; c++) {
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    bool inner = letter || (c >= '0' && c <= '9') || c == '_' || c == '-';
    char one[1] = {(char)c}, two[2] = {'a', (char)c};
    if (gli_names_valid(one, 1) != letter || gli_names_valid(two, 2) != inner) fail_msg("byte %d is misjudged", c);
  }
}

static void test_set_find_get(void **state) {
  (void)state;
  gli_names names;
  gli_names_start(&names, 3);
  assert_false(names.given);
  assert_int_equal(find(&names, "a"), UINT32_MAX);
  assert_null(gli_names_get(&names, 0));
  assert_int_equal(gli_names_missing(&names), 0);

  assert_int_equal(set(&names, 2, "right"), GLI_NAMES_OK);
  assert_true(names.given);
  assert_int_equal(gli_names_missing(&names), 0);
  assert_int_equal(set(&names, 0, "left"), GLI_NAMES_OK);
  assert_int_equal(gli_names_missing(&names), 1);
  assert_null(gli_names_get(&names, 1));
  assert_int_equal(set(&names, 0, "left"), GLI_NAMES_OK); /* the same again */
  assert_int_equal(set(&names, 1, "left"), GLI_NAMES_TAKEN);
  assert_int_equal(set(&names, 0, "other"), GLI_NAMES_TAKEN); /* 0 has a name */
  assert_int_equal(find(&names, "other"), UINT32_MAX);
  assert_int_equal(set(&names, 1, "lef"), GLI_NAMES_OK); /* a prefix is another name */
  assert_int_equal(gli_names_missing(&names), 3);

  assert_int_equal(find(&names, "left"), 0);
  assert_int_equal(find(&names, "lef"), 1);
  assert_int_equal(find(&names, "right"), 2);
  assert_int_equal(find(&names, "le"), UINT32_MAX);
  assert_int_equal(find(&names, "lefty"), UINT32_MAX);
  assert_int_equal(find(&names, "Left"), UINT32_MAX);
  assert_int_equal(find(&names, ""), UINT32_MAX);
  assert_int_equal(find(&names, "0"), UINT32_MAX); /* numbers are not looked at */
  assert_string_equal(gli_names_get(&names, 0), "left");
  assert_string_equal(gli_names_get(&names, 1), "lef");
  assert_string_equal(gli_names_get(&names, 2), "right");
  assert_null(gli_names_get(&names, 3));
  assert_null(gli_names_get(&names, UINT32_MAX));
  gli_names_free(&names);
  gli_names_free(&names); /* leaves nothing to free */
}

/* A name is found by text and length, whatever stands behind it, and a zero
 * byte in the looked-up text is only a byte that no name has. */
static void test_find_by_length(void **state) {
  (void)state;
  gli_names names;
  gli_names_start(&names, 2);
  assert_int_equal(gli_names_set(&names, 0, "north and more", 5), GLI_NAMES_OK);
  assert_string_equal(gli_names_get(&names, 0), "north");
  assert_int_equal(gli_names_find(&names, "north-west", 5), 0);
  assert_int_equal(gli_names_find(&names, "north-west", 6), UINT32_MAX);
  char zeros[64] = "north";
  for (size_t length = 6; length <= sizeof zeros; length++)
    assert_int_equal(gli_names_find(&names, zeros, length), UINT32_MAX);
  gli_names_free(&names);
}

static void test_thousands(void **state) {
  (void)state;
  enum { COUNT = 20011 };
  gli_names names;
  gli_names_start(&names, COUNT);
  char text[32];
  for (uint32_t k = 0; k < COUNT; k++) {
    uint32_t i = (uint32_t)((uint64_t)k * 7919 % COUNT); /* any order: COUNT is prime */
    snprintf(text, sizeof text, "cell-%u", (unsigned)i);
    assert_int_equal(set(&names, i, text), GLI_NAMES_OK);
  }
  assert_int_equal(gli_names_missing(&names), COUNT);
  for (uint32_t i = 0; i < COUNT; i++) {
    snprintf(text, sizeof text, "cell-%u", (unsigned)i);
    assert_int_equal(find(&names, text), i);
    assert_string_equal(gli_names_get(&names, i), text);
    assert_int_equal(set(&names, (i + 1) % COUNT, text), GLI_NAMES_TAKEN);
  }
  assert_int_equal(find(&names, "cell-20011"), UINT32_MAX);
  gli_names_free(&names);
}

static void test_long_name(void **state) {
  (void)state;
  static char text[100001];
  memset(text, 'x', sizeof text - 1);
  gli_names names;
  gli_names_start(&names, 2);
  assert_int_equal(set(&names, 0, text), GLI_NAMES_OK);
  assert_int_equal(gli_names_set(&names, 1, text, 99999), GLI_NAMES_OK);
  assert_int_equal(find(&names, text), 0);
  assert_int_equal(gli_names_find(&names, text, 99999), 1);
  assert_string_equal(gli_names_get(&names, 0), text);
  gli_names_free(&names);
}

/* Numbers stay plain digits, also where a shorter notation exists (100000). */
static void test_number(void **state) {
  (void)state;
  enum { COUNT = 100002 };
  gli_names names;
  gli_names_start(&names, COUNT);
  assert_true(gli_names_number(&names));
  assert_false(names.given);
  for (uint32_t i = 0; i < COUNT; i++) {
    char text[32];
    snprintf(text, sizeof text, "%u", (unsigned)i);
    if (strcmp(gli_names_get(&names, i), text) != 0) fail_msg("%s is called %s", text, gli_names_get(&names, i));
  }
  assert_null(gli_names_get(&names, COUNT));
  assert_int_equal(find(&names, "5"), UINT32_MAX);
  gli_names_free(&names);
}

static glimpse_status job_names(void *context) {
  (void)context;
  gli_names names, numbers;
  gli_names_start(&names, 40);
  gli_names_start(&numbers, 40);
  gli_names_result result = GLI_NAMES_OK;
  for (uint32_t i = 0; i < 40 && result == GLI_NAMES_OK; i++) {
    char text[32];
    snprintf(text, sizeof text, "name-%u", (unsigned)i);
    result = set(&names, i, text);
    if (result == GLI_NAMES_OK) assert_int_equal(find(&names, text), i);
    else assert_int_equal(find(&names, text), UINT32_MAX); /* a failure leaves no trace */
  }
  bool numbered = gli_names_number(&numbers);
  gli_names_free(&names);
  gli_names_free(&numbers);
  return result == GLI_NAMES_OK && numbered ? GLIMPSE_OK : GLIMPSE_NO_MEMORY;
}

static void test_no_memory(void **state) {
  (void)state;
  assert_true(failing_malloc_sweep(job_names, NULL) >= 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_valid),     cmocka_unit_test(test_set_find_get), cmocka_unit_test(test_find_by_length),
      cmocka_unit_test(test_thousands), cmocka_unit_test(test_long_name),    cmocka_unit_test(test_number),
      cmocka_unit_test(test_no_memory),
  };
  return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
