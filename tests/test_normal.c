/* Normal: exp, Mills' ratio and masses, against the C library's erfc and exp in long double, and against sums of small
 * pieces. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/normal.h"

static void check_near(const char *what, double x, double found, long double wanted, double relative) {
  if (!(fabsl((long double)found - wanted) <= (long double)relative * fabsl(wanted)))
    fail_msg("%s at %.17g: %.17g, not %.17Lg", what, x, found, wanted);
}

static void test_decay(void **state) {
  (void)state;
  assert_true(gli_normal_decay(0) == 1);
  assert_true(gli_normal_decay(708) == 0 && gli_normal_decay(1e300) == 0 && gli_normal_decay(INFINITY) == 0);
  for (int i = 1; i < 7000; i++) {
    double x = i * 0.1011;
    check_near("exp(-x)", x, gli_normal_decay(x), expl(-(long double)x), 1e-15);
  }
}

static void test_mills(void **state) {
  (void)state;
  for (int i = 0; i < 3000; i++) {
    double z = i * 0.0101;
    long double wanted = sqrtl(acosl(-1) / 2) * erfcl(z / sqrtl(2)) * expl((long double)z * z / 2);
    check_near("Mills' ratio", z, gli_normal_mills(z), wanted, 1e-13);
  }
  /* far out it is 1/z - 1/z^3 + 3/z^5 - ... */
  check_near("Mills' ratio", 1e4, gli_normal_mills(1e4), 1e-4L - 1e-12L + 3e-20L, 1e-15);
}

/* The middle of 200,000 pieces. */
static double by_pieces(double mean, double sd, double low, double high, double from, double to) {
  long double part = 0, whole = 0, nearest = mean < low ? low - mean : mean > high ? mean - high : 0;
  enum { PIECES = 200000 };
  for (int i = 0; i < PIECES; i++) {
    long double at = low + (high - low) * (i + 0.5L) / PIECES, far = at - mean;
    long double mass = expl(-(far - nearest) * (far + nearest) / (2 * (long double)sd * sd));
    if (mean > high) mass = expl(-(-far - nearest) * (-far + nearest) / (2 * (long double)sd * sd));
    whole += mass;
    if (at > from && at < to) part += mass;
  }
  return (double)(part / whole);
}

static void test_share(void **state) {
  (void)state;
  static const double cases[][6] = {/* mean, sd, low, high, from, to */
                                    {5, 1, 1, 20, 4.5, 5.5},  {5, 1, 1, 20, 0, 3},        {5, 1, 1, 20, 8, 99},
                                    {0, 0.3, 1, 2, 1, 1.5},   {0, 0.1, 1, 2, 1, 1.1},     {0, 1, 1, 20, 1.5, 2.5},
                                    {3, 0.4, 1, 2, 1.5, 2.5}, {20, 0.5, 1, 20, 19.5, 20}, {-4, 2, -3, 5, -3, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const double *c = cases[i];
    double share = gli_normal_share(c[0], c[1], c[2], c[3], c[4], c[5]);
    assert_float_equal(share, by_pieces(c[0], c[1], c[2], c[3], c[4], c[5]), 1e-4);
    double rest =
        gli_normal_share(c[0], c[1], c[2], c[3], c[2], c[4]) + gli_normal_share(c[0], c[1], c[2], c[3], c[5], c[3]);
    assert_float_equal(share + rest, 1, 1e-14);
  }
  check_near("one deviation", 1, gli_normal_share(0, 1, -40, 40, -1, 1), erfl(sqrtl(0.5L)), 1e-15);
  check_near("a far tail", 12, gli_normal_share(0, 1, -40, 40, 12, 40), erfcl(12 / sqrtl(2)) / 2, 1e-13);
  check_near("its mirror", 12, gli_normal_share(0, 1, -40, 40, -40, -12), erfcl(12 / sqrtl(2)) / 2, 1e-13);
  /* a thousand deviations away from the mean: an exponential of rate 1000 deviations */
  check_near("beyond underflow", 1000, gli_normal_share(0, 1, 1000, 2000, 1000, 1000.001), 0.63211988, 1e-5);
  assert_true(gli_normal_share(0, 0.001, 1, 20, 1.5, 2.5) == 0);
  assert_true(gli_normal_share(0, 0.001, 1, 20, 1, 1.5) == 1);
  assert_true(gli_normal_share(0, 1, 1, 2, 3, 4) == 0 && gli_normal_share(0, 1, 1, 2, 2, 1) == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_decay),
      cmocka_unit_test(test_mills),
      cmocka_unit_test(test_share),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
