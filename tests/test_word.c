/* Word: edit distances, against a naive recursion. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "glimpse.h"

/* The definition, from the ends of both words. */
static size_t naive(const char *a, size_t n, const char *b, size_t m) {
  if (!n || !m) return n + m;
  size_t best = naive(a, n - 1, b, m - 1) + (a[n - 1] != b[m - 1]);
  size_t shorter = naive(a, n - 1, b, m) + 1, longer = naive(a, n, b, m - 1) + 1;
  best = shorter < best ? shorter : best;
  best = longer < best ? longer : best;
  if (n > 1 && m > 1 && a[n - 1] == b[m - 2] && a[n - 2] == b[m - 1]) {
    size_t swapped = naive(a, n - 2, b, m - 2) + 1;
    best = swapped < best ? swapped : best;
  }
  return best;
}

static size_t between(const char *a, const char *b) {
  return glimpse_word_distance(a, strlen(a), b, strlen(b));
}

static void test_known(void **state) {
  (void)state;
  assert_int_equal(between("", ""), 0);
  assert_int_equal(between("", "abc"), 3);
  assert_int_equal(between("tiger", "tiger"), 0);
  assert_int_equal(between("tigre", "tiger"), 1); /* a swap */
  assert_int_equal(between("tger", "tiger"), 1);
  assert_int_equal(between("kitten", "sitting"), 3);
}

static void test_random(void **state) {
  (void)state;
  gli_random random = gli_random_stream(1, "words", 0);
  for (int i = 0; i < 2000; i++) {
    char a[7], b[7];
    size_t n = gli_random_below(&random, 7), m = gli_random_below(&random, 7);
    for (size_t k = 0; k < n; k++) a[k] = (char)('a' + gli_random_below(&random, 3));
    for (size_t k = 0; k < m; k++) b[k] = (char)('a' + gli_random_below(&random, 3));
    assert_int_equal(glimpse_word_distance(a, n, b, m), naive(a, n, b, m));
  }
}

static void test_long(void **state) {
  (void)state;
  char word[GLIMPSE_WORD_MAX + 1];
  memset(word, 'a', sizeof word);
  assert_int_equal(glimpse_word_distance(word, GLIMPSE_WORD_MAX, word, GLIMPSE_WORD_MAX), 0);
  assert_true(glimpse_word_distance(word, GLIMPSE_WORD_MAX + 1, word, 1) == SIZE_MAX);
  assert_true(glimpse_word_distance(word, 1, word, GLIMPSE_WORD_MAX + 1) == SIZE_MAX);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_known), cmocka_unit_test(test_random),
                                     cmocka_unit_test(test_long)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
