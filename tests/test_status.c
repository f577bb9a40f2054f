/* Status: each code has a text of its own; the version is told consistently. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "glimpse.h"

static void texts_differ(void **state) {
  (void)state;
  static const glimpse_status codes[] = {
#define X(name, text) GLIMPSE_##name,
      GLIMPSE_STATUS_TABLE(X)
#undef X
  };
  enum { COUNT = sizeof codes / sizeof *codes };
  assert_int_equal(GLIMPSE_OK, 0);
  for (size_t i = 0; i < COUNT; i++) {
    assert_int_equal(codes[i], i);
    assert_true(glimpse_status_text(codes[i])[0] != 0);
    for (size_t j = 0; j < i; j++)
      assert_string_not_equal(glimpse_status_text(codes[i]), glimpse_status_text(codes[j]));
    assert_string_not_equal(glimpse_status_text(codes[i]), glimpse_status_text((glimpse_status)COUNT));
  }
  assert_string_equal(glimpse_status_text(GLIMPSE_NO_MEMORY), "out of memory");
  assert_string_equal(glimpse_status_text((glimpse_status)COUNT), "unknown status");
}

static void version_is_consistent(void **state) {
  (void)state;
  char expected[40];
  snprintf(expected, sizeof expected, "%d.%d.%d", GLIMPSE_VERSION_MAJOR, GLIMPSE_VERSION_MINOR, GLIMPSE_VERSION_PATCH);
  assert_string_equal(GLIMPSE_VERSION, expected);
  assert_string_equal(glimpse_version(), expected);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(texts_differ), cmocka_unit_test(version_is_consistent)};
  return cmocka_run_group_tests_name("status", tests, NULL, NULL);
}
