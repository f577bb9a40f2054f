/* Statistic: mean, standard error and 95 % interval by Student's t. */
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

glimpse_statistic glimpse_statistic_of(const double *values, size_t n) {
  glimpse_statistic result = {NAN, NAN, NAN, NAN};
  if (!n) return result;
  gli_sum sum = {0, 0}, squares = {0, 0};
  for (size_t i = 0; i < n; i++) gli_sum_add(&sum, values[i]);
  result.mean = gli_sum_value(sum) / (double)n;
  if (n < 2) return result;
  for (size_t i = 0; i < n; i++) gli_sum_add(&squares, (values[i] - result.mean) * (values[i] - result.mean));
  result.se = sqrt(gli_sum_value(squares) / (double)(n - 1) / (double)n);
  double half = quantile(n - 1) * result.se;
  result.low = result.mean - half;
  result.high = result.mean + half;
  return result;
}
