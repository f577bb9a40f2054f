/* Precise: numbers of about 106 bits, each with a bound on its own error.
 *
 * A number is the unevaluated sum high + low of two doubles; the true number lies
 * within `error` of it.  Every operation adds what it may itself be off, taken
 * generously (2^-96 of what enters, where some 2^-104 would do), so that a
 * comparison with the interval is a proof.  No long double: it is 64 bits wide on
 * some machines, and valgrind computes it so on all. */
#ifndef SUPPORT_PRECISE_H
#define SUPPORT_PRECISE_H

#include <math.h>
#include <stdbool.h>

typedef struct precise {
  double high, low, error;
} precise;

#define PRECISE_UNIT 0x1p-96    /* relative error of one operation, at most */
#define PRECISE_LEAST 0x1p-1000 /* what underflow may lose in one operation */

static inline precise precise_of(double x) {
  return (precise){x, 0, 0};
}

/* Errors are rounded upward. */
static inline double precise_up(double error) {
  return error * (1 + 0x1p-40) + PRECISE_LEAST;
}

static inline precise precise_settle(double high, double low, double error) {
  double sum = high + low;
  return (precise){sum, low - (sum - high), precise_up(error)};
}

static inline precise precise_add(precise a, precise b) {
  double sum = a.high + b.high, part = sum - a.high;
  double lost = (a.high - (sum - part)) + (b.high - part);
  return precise_settle(sum, lost + (a.low + b.low), a.error + b.error + PRECISE_UNIT * (fabs(a.high) + fabs(b.high)));
}

static inline precise precise_negative(precise a) {
  return (precise){-a.high, -a.low, a.error};
}

static inline precise precise_subtract(precise a, precise b) {
  return precise_add(a, precise_negative(b));
}

/* The product of two doubles without rounding: high part returned, the rest in *rest. */
static inline double precise_product(double a, double b, double *rest) {
  const double splitter = 134217729; /* 2^27 + 1 */
  double product = a * b;
  double ca = splitter * a, cb = splitter * b;
  double a1 = ca - (ca - a), a2 = a - a1, b1 = cb - (cb - b), b2 = b - b1;
  *rest = ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2;
  return product;
}

static inline precise precise_multiply(precise a, precise b) {
  double rest, product = precise_product(a.high, b.high, &rest);
  double size_a = fabs(a.high) * (1 + 0x1p-50), size_b = fabs(b.high) * (1 + 0x1p-50);
  return precise_settle(product, rest + (a.high * b.low + a.low * b.high),
                        size_a * b.error + size_b * a.error + a.error * b.error + PRECISE_UNIT * fabs(product));
}

/* b must be well away from 0. */
static inline precise precise_divide(precise a, precise b) {
  double first = a.high / b.high;
  precise left = precise_subtract(a, precise_multiply(precise_of(first), (precise){b.high, b.low, 0}));
  double second = left.high / b.high;
  double size = fabs(b.high) * (1 - 0x1p-50) - b.error, quotient = fabs(first) + fabs(second);
  return precise_settle(first, second, (a.error + quotient * b.error) / size + PRECISE_UNIT * quotient);
}

/* The larger: off by no more than either. */
static inline precise precise_larger(precise a, precise b) {
  double error = a.error > b.error ? a.error : b.error;
  precise more = precise_subtract(a, b).high >= 0 ? a : b;
  return (precise){more.high, more.low, error};
}

/* Is the number certainly below (above) x? */
static inline bool precise_below(precise a, double x) {
  precise off = precise_subtract(precise_of(x), a);
  return off.high + off.low > off.error;
}

static inline bool precise_above(precise a, double x) {
  precise off = precise_subtract(a, precise_of(x));
  return off.high + off.low > off.error;
}

static inline double precise_value(precise a) {
  return a.high + a.low;
}

#endif
