/* Clock: agrees with the system's monotonic clock and never goes back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "base/clock.h"

static double system_seconds(void) {
  struct timespec now;
  assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &now), 0);
  return ((double)now.tv_sec * 1e9 + (double)now.tv_nsec) / 1e9;
}

static void is_the_monotonic_clock(void **state) {
  (void)state;
  for (int i = 0; i < 20; i++) {
    double before = system_seconds(), now = gli_clock_now(), after = system_seconds();
    assert_true(before - 1e-6 <= now && now <= after + 1e-6);
  }
}

static void never_goes_back(void **state) {
  (void)state;
  double last = gli_clock_now();
  for (int i = 0; i < 10000; i++) {
    double now = gli_clock_now();
    assert_true(now >= last);
    last = now;
  }
}

static void counts_a_sleep(void **state) {
  (void)state;
  struct timespec two = {0, 2000000};
  double start = gli_clock_now();
  assert_int_equal(nanosleep(&two, NULL), 0);
  assert_true(gli_clock_now() - start >= 0.002 - 1e-6);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(is_the_monotonic_clock), cmocka_unit_test(never_goes_back),
                                     cmocka_unit_test(counts_a_sleep)};
  return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
