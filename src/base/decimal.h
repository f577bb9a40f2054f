/* Decimal: the exact conversions between doubles and decimal digits on which
 * number.c falls back where its fast ways do not apply.  They are right for
 * every input and take from one to some tens of microseconds. */
#ifndef GLI_BASE_DECIMAL_H
#define GLI_BASE_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Digits that tell any two doubles apart. */
enum { GLI_DECIMAL_DIGITS = 17 };

/* The double nearest to digits * 10^power, ties to even.  [digits, end) starts
 * with a digit that is not 0 and holds digits and at most one '.', which does
 * not count. */
double gli_decimal_read(const char *digits, const char *end, int64_t power);

/* The fewest digits that read back as `value`, and among those the nearest to
 * it.  `value` is positive and finite.  Returns their number; the value is
 * about 0.digits * 10^*point.  Neither first nor last digit is 0. */
int gli_decimal_write(double value, char digits[GLI_DECIMAL_DIGITS], int *point);

/* floor(log10(2^n)) for |n| < 2000. */
static inline int gli_decimal_log2(int n) {
  return (int)((n * INT64_C(1292913986) + (INT64_C(1024) << 32)) >> 32) - 1024;
}

static inline uint64_t gli_decimal_bits(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static inline double gli_decimal_double(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Takes a finite double > 0 apart: value = *mantissa * 2^*exponent, the
 * mantissa being the 53-bit one (fewer bits below 2^-1022). */
static inline void gli_decimal_split(double value, uint64_t *mantissa, int *exponent) {
  uint64_t bits = gli_decimal_bits(value);
  int biased = (int)(bits >> 52 & 0x7ff);
  *mantissa = (bits & ((UINT64_C(1) << 52) - 1)) | (uint64_t)(biased != 0) << 52;
  *exponent = (biased ? biased : 1) - 1075;
}

/* Number of zeros above the highest one; x > 0. */
static inline int gli_decimal_zeros(uint64_t x) {
#if defined(__GNUC__)
  return __builtin_clzll(x);
#else
  int zeros = 0;
  for (; !(x >> 63); x <<= 1) zeros++;
  return zeros;
#endif
}

/* The double nearest to mantissa * 2^exponent, ties to even; `more` says that
 * the true number lies above that by less than 2^exponent, and then at least 55
 * bits of the mantissa must be in use.  mantissa > 0. */
static inline double gli_decimal_round(uint64_t mantissa, int exponent, bool more) {
  int zeros = gli_decimal_zeros(mantissa);
  mantissa <<= zeros;
  int top = exponent - zeros + 63; /* 2^top <= value < 2^(top+1) */
  if (top > 1023) return gli_decimal_double(UINT64_C(0x7ff) << 52);
  int drop = top >= -1022 ? 11 : -1011 - top;
  if (drop > 64) return 0;
  uint64_t kept = drop == 64 ? 0 : mantissa >> drop;
  uint64_t half = UINT64_C(1) << (drop - 1), rest = mantissa & ((half << 1) - 1);
  kept += rest > half || (rest == half && (more || (kept & 1)));
  /* A mantissa rounded up to the next power of two carries into the exponent,
   * from below the normal numbers and into the infinity too. */
  return gli_decimal_double(top >= -1022 ? kept + ((uint64_t)(top + 1022) << 52) : kept);
}

#endif
