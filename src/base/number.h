/* Numbers: text without the locale (public, see glimpse.h), sums whose error
 * does not grow, and a logarithm that is the same on every machine. */
#ifndef GLI_BASE_NUMBER_H
#define GLI_BASE_NUMBER_H

#include <stddef.h>

/* Compensated (Neumaier) summation: the result is that of exact addition up to
 * about one rounding.  Start with {0, 0}. */
typedef struct gli_sum {
  double total, lost;
} gli_sum;

static inline void gli_sum_add(gli_sum *sum, double x) {
  double t = sum->total + x;
  double a = sum->total < 0 ? -sum->total : sum->total, b = x < 0 ? -x : x;
  sum->lost += a >= b ? (sum->total - t) + x : (x - t) + sum->total;
  sum->total = t;
}

static inline double gli_sum_value(gli_sum sum) {
  return sum.total + sum.lost;
}

/* Natural logarithm of a positive finite number, within one unit in the last
 * place, with the same bits on every machine (libm's differ).  Exact at 1. */
double gli_number_log(double x);

#endif
