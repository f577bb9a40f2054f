/* Statistic: mean, standard error and 95 % interval by Student's t.
 *
 * Numbers are scaled by a power of two, which is exact, so that the largest is near 1: the squares of very large or
 * very small numbers would be infinite, or 0. */
#include <math.h>

#include "base/number.h"
#include "glimpse.h"

/* 0.975 quantile of t with n degrees of freedom: tabled where it curves, else the
 * expansion of Cornish and Fisher around the normal quantile, good to 1e-5 there. */
static double quantile(size_t n) {
  static const double table[] = {0,        12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912,
                                 2.364624, 2.306004,  2.262157, 2.228139, 2.200985, 2.178813, 2.160369,
                                 2.144787, 2.131450,  2.119905, 2.109816, 2.100922, 2.093024, 2.085963};
  if (n < sizeof table / sizeof *table) return table[n];
  double z = 1.959963984540054, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z, v = (double)n;
  return z + (z3 + z) / (4 * v) + (5 * z5 + 16 * z3 + 3 * z) / (96 * v * v) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * v * v * v);
}

/* The exponent of the largest of the numbers; 0 where there is none. */
static int exponent_of(const double *values, size_t n) {
  double largest = 0;
  for (size_t i = 0; i < n; i++) {
    if (!isfinite(values[i])) return 0;
    largest = fmax(largest, fabs(values[i]));
  }
  int exponent = 0;
  frexp(largest, &exponent);
  return exponent;
}

glimpse_statistic glimpse_statistic_of(const double *values, size_t n) {
  glimpse_statistic result = {NAN, NAN, NAN, NAN};
  if (!n) return result;
  int exponent = exponent_of(values, n);
  gli_sum sum = {0, 0}, squares = {0, 0};
  for (size_t i = 0; i < n; i++) gli_sum_add(&sum, ldexp(values[i], -exponent));
  double mean = gli_sum_value(sum) / (double)n;
  result.mean = ldexp(mean, exponent);
  if (n < 2) return result;
  for (size_t i = 0; i < n; i++) {
    double difference = ldexp(values[i], -exponent) - mean;
    gli_sum_add(&squares, difference * difference);
  }
  double se = sqrt(gli_sum_value(squares) / (double)(n - 1) / (double)n), half = quantile(n - 1) * se;
  result.se = ldexp(se, exponent);
  result.low = ldexp(mean - half, exponent);
  result.high = ldexp(mean + half, exponent);
  return result;
}
