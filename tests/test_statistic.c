/* Statistic: against naive formulas and quantiles from tables. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/random.h"
#include "glimpse.h"

/* (cmocka compares floats.) */
static void check_close(double a, double b, double tolerance) {
  if (!(fabs(a - b) <= tolerance)) fail_msg("%.17g, should be %.17g", a, b);
}

static void test_few(void **state) {
  (void)state;
  glimpse_statistic none = glimpse_statistic_of(NULL, 0);
  assert_true(isnan(none.mean) && isnan(none.se) && isnan(none.low) && isnan(none.high));
  double seven = 7;
  glimpse_statistic one = glimpse_statistic_of(&seven, 1);
  assert_true(one.mean == 7 && isnan(one.se) && isnan(one.low) && isnan(one.high));
  glimpse_statistic two = glimpse_statistic_of((double[]){1, 3}, 2);
  check_close(two.mean, 2, 1e-15);
  check_close(two.se, 1, 1e-15);
  check_close(two.high, 2 + 12.7062047, 1e-5);
  check_close(two.low, 2 - 12.7062047, 1e-5);
  glimpse_statistic same = glimpse_statistic_of((double[]){0.1, 0.1, 0.1, 0.1}, 4);
  check_close(same.mean, 0.1, 1e-17);
  check_close(same.se, 0, 1e-17);
  check_close(same.high, 0.1, 1e-16);
}

/* Numbers +1 and -1 in turn: mean 0, se = 1/sqrt(n-1), so that high / se is the quantile. */
static void test_quantiles(void **state) {
  (void)state;
  static const struct {
    size_t freedom;
    double t;
  } known[] = {{1, 12.706205}, {3, 3.182446},   {5, 2.570582},   {9, 2.262157},   {19, 2.093024},
               {21, 2.079614}, {25, 2.059539},  {29, 2.045230},  {39, 2.022691},  {59, 2.000995},
               {99, 1.984217}, {199, 1.971957}, {999, 1.962341}, {9999, 1.960201}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    size_t n = known[i].freedom + 1;
    double *values = malloc(n * sizeof *values);
    assert_non_null(values);
    for (size_t k = 0; k < n; k++) values[k] = k % 2 ? -1 : 1;
    glimpse_statistic s = glimpse_statistic_of(values, n);
    check_close(s.mean, 0, 1e-15);
    check_close(s.se, 1 / sqrt((double)(n - 1)), 1e-14);
    if (fabs(s.high / s.se - known[i].t) > 2e-5)
      fail_msg("%zu degrees of freedom: %.9g, should be %.9g", known[i].freedom, s.high / s.se, known[i].t);
    check_close(s.low, -s.high, 1e-14);
    free(values);
  }
}

static void test_random(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 200; seed++) {
    gli_random random = gli_random_stream(seed, "statistic", 0);
    double values[64], sum = 0, squares = 0;
    size_t n = 2 + gli_random_below(&random, 63);
    double shift = seed % 3 ? 0 : 1e6;
    for (size_t i = 0; i < n; i++) sum += values[i] = shift + gli_random_unit(&random);
    for (size_t i = 0; i < n; i++) squares += (values[i] - sum / (double)n) * (values[i] - sum / (double)n);
    glimpse_statistic s = glimpse_statistic_of(values, n);
    check_close(s.mean, sum / (double)n, 1e-9);
    check_close(s.se, sqrt(squares / (double)(n - 1) / (double)n), 1e-9);
    assert_true(s.low < s.mean && s.mean < s.high);
    check_close(s.high - s.mean, s.mean - s.low, 1e-9);
  }
}

/* The statistic of numbers times a power of two is the statistic times that power, bit for bit, up to the ends of the
 * range. */
static void test_scale(void **state) {
  (void)state;
  static const double values[] = {1, 1.5, -0.25, 3, 2.75, 0};
  const size_t n = sizeof values / sizeof *values;
  glimpse_statistic one = glimpse_statistic_of(values, n);
  assert_true(one.se > 0.5);
  static const int exponents[] = {-1000, -700, -665, -511, -20, 1, 511, 664, 700, 1021};
  for (size_t k = 0; k < sizeof exponents / sizeof *exponents; k++) {
    double scaled[sizeof values / sizeof *values];
    for (size_t i = 0; i < n; i++) scaled[i] = ldexp(values[i], exponents[k]);
    glimpse_statistic s = glimpse_statistic_of(scaled, n);
    if (s.mean != ldexp(one.mean, exponents[k]) || s.se != ldexp(one.se, exponents[k]) ||
        s.low != ldexp(one.low, exponents[k]) || s.high != ldexp(one.high, exponents[k]))
      fail_msg("times 2^%d: mean %g, se %g, %g to %g", exponents[k], s.mean, s.se, s.low, s.high);
  }
  glimpse_statistic large = glimpse_statistic_of((double[]){1e200, 3e200}, 2);
  check_close(large.se / 1e200, 1, 1e-15);
  glimpse_statistic small = glimpse_statistic_of((double[]){1e-200, 3e-200}, 2);
  check_close(small.se / 1e-200, 1, 1e-15);
  glimpse_statistic mixed = glimpse_statistic_of((double[]){1e200, 1e-200}, 2);
  check_close(mixed.se / 1e200, 0.5, 1e-15);
  assert_true(glimpse_statistic_of((double[]){0, 0}, 2).se == 0);
  assert_true(isnan(glimpse_statistic_of((double[]){1, NAN}, 2).mean));
  assert_true(isnan(glimpse_statistic_of((double[]){1, INFINITY}, 2).se));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_few), cmocka_unit_test(test_quantiles),
                                     cmocka_unit_test(test_random), cmocka_unit_test(test_scale)};
  return cmocka_run_group_tests_name("statistic", tests, NULL, NULL);
}
