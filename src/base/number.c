/* Numbers as text, and the logarithm.  Nothing here looks at the locale or
 * calls the C library's conversions; rounding is to nearest, ties to even, and
 * assumes only that the processor's rounding mode is that one too.
 *
 * Reading is one pass that gathers the digits in a whole number w, giving
 * w 10^p.  What follows depends on the size of w and p:
 *  - w <= 2^53 and |p| <= 22: both are exact doubles, so one multiplication or
 *    division rounds correctly.  Nearly all numbers of model files end here.
 *  - w of up to 19 digits and |p| <= 27: w 5^p is exact in 128 bits, w / 5^-p a
 *    division with remainder; p is then added to the binary exponent.
 *  - more than 19 digits: w and w + 1 enclose the number; if they round to the
 *    same double, so does it.
 *  - the few that are left are compared exactly, by decimal.c.
 *
 * Writing finds the fewest digits that read back.  For values between 1e-11 and
 * 1e15 (and not whole) v 10^k with 17 digits in front of the point is exact in
 * 128 bits, and so is the interval of numbers that round to v.  Its width is
 * between 1 and 23 units: at most one multiple of 100 lies in it, perhaps a few
 * of 10, at least one whole number.  Others go to decimal.c. */
#include "base/number.h"

#include <float.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/decimal.h"
#include "glimpse.h"

#if defined(__SIZEOF_INT128__)
__extension__ typedef unsigned __int128 wide;
#endif

enum { MAX_EXACT = 22, MAX_POWER = 27, MAX_DIGITS = 19 };

#if defined(__SIZEOF_INT128__)
/* clang-format off */
static const uint64_t powers_of_5[MAX_POWER + 1] = {
    1, 5, 25, 125, 625, 3125, 15625, 78125, 390625, 1953125, 9765625, 48828125, 244140625, 1220703125,
    6103515625, 30517578125, 152587890625, 762939453125, 3814697265625, 19073486328125, 95367431640625,
    476837158203125, 2384185791015625, 11920928955078125, 59604644775390625, 298023223876953125,
    1490116119384765625, 7450580596923828125,
};
/* clang-format on */
#endif

/* ----------------------------------------------------------------- reading */

/* *value = w * 10^power, correctly rounded; false when that is not easy. */
static bool scale(uint64_t w, int64_t power, double *value) {
  if (w == 0) {
    *value = 0;
    return true;
  }
#if FLT_EVAL_METHOD == 0
  static const double powers_of_10[MAX_EXACT + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                     1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                     1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (w <= UINT64_C(1) << 53 && power >= -MAX_EXACT && power <= MAX_EXACT) {
    *value = power < 0 ? (double)w / powers_of_10[-power] : (double)w * powers_of_10[power];
    return true;
  }
#endif
#if defined(__SIZEOF_INT128__)
  if (power < -MAX_POWER || power > MAX_POWER) return false;
  if (power >= 0) { /* below 2^64 * 5^27 < 2^127 */
    wide product = (wide)w * powers_of_5[power];
    uint64_t high = (uint64_t)(product >> 64), low = (uint64_t)product;
    if (high == 0) {
      *value = gli_decimal_round(low, (int)power, false);
      return true;
    }
    int zeros = gli_decimal_zeros(high);
    product <<= zeros;
    *value = gli_decimal_round((uint64_t)(product >> 64), (int)power + 64 - zeros, (uint64_t)product != 0);
    return true;
  }
  /* Numerator and denominator with their highest bits set; the quotient of
   * 2^63 times the first has 63 or 64 bits. */
  uint64_t divisor = powers_of_5[-power];
  int w_zeros = gli_decimal_zeros(w), divisor_zeros = gli_decimal_zeros(divisor);
  wide numerator = (wide)(w << w_zeros) << 63;
  divisor <<= divisor_zeros;
  uint64_t quotient = (uint64_t)(numerator / divisor);
  bool more = (wide)quotient * divisor != numerator;
  *value = gli_decimal_round(quotient, (int)power - 63 - w_zeros + divisor_zeros, more);
  return true;
#else
  return false;
#endif
}

/* The value of a text [c, end) of digits and perhaps a point, times 10^power,
 * that is longer than a 64-bit number or that scale could not do. */
static double read_long(const char *c, const char *end, int64_t power) {
  while (c < end && (*c == '0' || *c == '.')) c++;
  if (c == end) return 0;
  uint64_t w = 0;
  int taken = 0;
  int64_t left = 0;
  bool more = false;
  for (const char *d = c; d < end; d++) {
    if (*d == '.') continue;
    if (taken < MAX_DIGITS) {
      w = w * 10 + (uint64_t)(*d - '0');
      taken++;
    } else {
      left++;
      more |= *d != '0';
    }
  }
  double low, high;
  if (scale(w, power + left, &low)) {
    if (!more || (scale(w + 1, power + left, &high) && low == high)) return low;
  }
  return gli_decimal_read(c, end, power);
}

static bool is_digit(const char *c, const char *end) {
  return c < end && (unsigned)(*c - '0') < 10;
}

/* Reads [+-]digits behind the 'e' at c.  Returns their end, or c when there is
 * no exponent after all. */
static const char *read_exponent(const char *c, const char *end, int64_t *exponent) {
  const char *d = c + 1;
  bool negative = d < end && *d == '-';
  if (negative || (d < end && *d == '+')) d++;
  if (!is_digit(d, end)) return c;
  int64_t sum = 0;
  for (; is_digit(d, end); d++) {
    if (sum < INT64_C(100000000000000000)) sum = sum * 10 + (*d - '0');
  }
  *exponent = negative ? -sum : sum;
  return d;
}

size_t glimpse_number_read(const char *text, size_t length, double *value) {
  if (!length) return 0;
  const char *c = text, *end = text + length;
  bool negative = *c == '-';
  if (negative || *c == '+') c++;
  const char *first = c;
  uint64_t w = 0; /* wraps around for long texts, which are read again */
  for (; is_digit(c, end); c++) w = w * 10 + (uint64_t)(*c - '0');
  int64_t digits = c - first, power = 0;
  if (c < end && *c == '.') {
    const char *point = c++;
    for (; is_digit(c, end); c++) w = w * 10 + (uint64_t)(*c - '0');
    power = point + 1 - c;
    digits -= power;
  }
  if (!digits) return 0;
  const char *last = c;
  if (c < end && (*c == 'e' || *c == 'E')) {
    int64_t exponent = 0;
    c = read_exponent(c, end, &exponent);
    power += exponent;
  }
  double result;
  if (digits > MAX_DIGITS || !scale(w, power, &result)) result = read_long(first, last, power);
  *value = negative ? -result : result;
  return (size_t)(c - text);
}

/* ----------------------------------------------------------------- writing */

/* Writes n > 0 without its trailing zeros; returns the number of digits left
 * and adds to *point the number of all. */
static int write_whole(uint64_t n, char digits[GLI_DECIMAL_DIGITS], int *point) {
  char reversed[20] = {0};
  int length = 0, zeros = 0;
  for (; n % 100000000 == 0; n /= 100000000) zeros += 8;
  for (; n % 10 == 0; n /= 10) zeros++;
  for (; n; n /= 10) reversed[length++] = (char)('0' + n % 10);
  for (int i = 0; i < length; i++) digits[i] = reversed[length - 1 - i];
  *point += length + zeros;
  return length;
}

#if defined(__SIZEOF_INT128__)
/* v * 10^power in units of 2^-shift, and the whole numbers lowest..highest that
 * are nearer to it than to what the neighbours of v make. */
typedef struct scaled {
  wide value;
  int shift;
  uint64_t lowest, highest;
} scaled;

/* For values between 1e-12 and 1e15 and powers that make 17 digits of them the shift is
 * between 2 and 64.  The ends, half way to the neighbours, are 5^power * (4 m +- 2 or 1)
 * quarter units: at most one factor of two, so they are never whole, and to which side
 * they belong does not matter. */
static scaled scale_up(uint64_t mantissa, int exponent, int power) {
  scaled v = {.value = (wide)mantissa * powers_of_5[power], .shift = -(exponent + power)}; /* below 2^116 */
  bool lopsided = mantissa == UINT64_C(1) << 52;
  wide above = (wide)powers_of_5[power] * 2, below = lopsided ? above / 2 : above;
  wide low = v.value * 4 - below, high = v.value * 4 + above; /* in quarter units */
  v.lowest = (uint64_t)(low >> (v.shift + 2)) + 1;
  v.highest = (uint64_t)(high >> (v.shift + 2));
  return v;
}

/* The multiple of `step` nearest to the value (of two the even one) that lies
 * between lowest and highest; 0 when there is none. */
static uint64_t nearest(const scaled *v, uint64_t step) {
  uint64_t whole = (uint64_t)(v->value >> v->shift);
  uint64_t down = whole - whole % step, up = down + step;
  wide unit = (wide)step << v->shift, rest = v->value - ((wide)down << v->shift);
  bool down_fits = down >= v->lowest, up_fits = up <= v->highest;
  if (down_fits && up_fits) up_fits = rest * 2 > unit || (rest * 2 == unit && (down / step & 1));
  return up_fits ? up : down_fits ? down : 0;
}

static int write_wide(double value, char digits[GLI_DECIMAL_DIGITS], int *point) {
  static const uint64_t limit = UINT64_C(100000000000000000); /* 10^17 */
  uint64_t mantissa;
  int exponent;
  gli_decimal_split(value, &mantissa, &exponent);
  int power = GLI_DECIMAL_DIGITS - 1 - gli_decimal_log2(exponent + 52);
  if (power > MAX_POWER) return 0;
  scaled v = scale_up(mantissa, exponent, power);
  if (v.value >> v.shift >= limit) v = scale_up(mantissa, exponent, --power);
  uint64_t n = v.highest - v.highest % 100;
  if (n < v.lowest) n = nearest(&v, 10);
  if (!n) n = nearest(&v, 1);
  *point = -power;
  return write_whole(n, digits, point);
}
#endif

/* The fewest digits of a positive number; value = 0.digits * 10^*point. */
static int shortest(double value, char digits[GLI_DECIMAL_DIGITS], int *point) {
  if (value < 1e15 && value >= 1 && (double)(uint64_t)value == value) {
    *point = 0;
    return write_whole((uint64_t)value, digits, point);
  }
#if defined(__SIZEOF_INT128__)
  if (value < 1e15 && value > 1e-12) {
    int count = write_wide(value, digits, point);
    if (count) return count;
  }
#endif
  return gli_decimal_write(value, digits, point);
}

static char *put(char *to, const char *from, int count) {
  if (count > 0) memcpy(to, from, (size_t)count);
  return to + (count > 0 ? count : 0);
}

/* Lays digits out: 0.00123, 12.3, 12300, or 1.23e-30. */
static char *lay_out(char *c, const char *digits, int count, int point) {
  static const char zeros[] = "0000000000000000";
  if (point >= -4 && point <= 16) {
    if (point <= 0) {
      c = put(c, "0.", 2);
      c = put(c, zeros, -point);
      return put(c, digits, count);
    }
    if (count <= point) return put(put(c, digits, count), zeros, point - count);
    c = put(c, digits, point);
    *c++ = '.';
    return put(c, digits + point, count - point);
  }
  *c++ = digits[0];
  if (count > 1) *c++ = '.';
  c = put(c, digits + 1, count - 1);
  *c++ = 'e';
  int exponent = point - 1;
  if (exponent < 0) *c++ = '-';
  if (exponent < 0) exponent = -exponent;
  if (exponent >= 100) *c++ = (char)('0' + exponent / 100);
  if (exponent >= 10) *c++ = (char)('0' + exponent / 10 % 10);
  *c++ = (char)('0' + exponent % 10);
  return c;
}

size_t glimpse_number_write(double value, char text[GLIMPSE_NUMBER_SIZE]) {
  char *c = text;
  uint64_t bits = gli_decimal_bits(value), magnitude = bits & ~(UINT64_C(1) << 63);
  static const uint64_t infinity = UINT64_C(0x7ff) << 52;
  if (magnitude > infinity) {
    c = put(c, "nan", 3);
  } else {
    if (bits != magnitude) *c++ = '-';
    if (magnitude == infinity) {
      c = put(c, "inf", 3);
    } else if (magnitude == 0) {
      *c++ = '0';
    } else {
      char digits[GLI_DECIMAL_DIGITS] = "";
      int point, count = shortest(gli_decimal_double(magnitude), digits, &point);
      c = lay_out(c, digits, count, point);
    }
  }
  *c = 0;
  return (size_t)(c - text);
}

/* --------------------------------------------------------------- logarithm */

/* With x = 2^k (1 + f), 1 + f between sqrt(1/2) and sqrt(2), and s = f / (2 + f):
 *
 *   log(1 + f) = 2 atanh(s) = 2 s + s z (2/3 + 2/5 z + 2/7 z^2 + ...),  z = s^2 < 0.0295
 *
 * cut where the rest is below 2^-58.  As 2 s = f - s f, the sum f - s (f - ...)
 * starts with a number that has no error.  log 2 is split into a part of 42
 * bits, of which k times is exact, and the rest. */
double gli_number_log(double x) {
  int k = 0;
  if (x < 0x1p-1022) { /* a subnormal number has no exponent of its own */
    x *= 0x1p54;
    k = -54;
  }
  uint64_t bits = gli_decimal_bits(x);
  k += (int)(bits >> 52) - 1023;
  double m = gli_decimal_double((bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1023) << 52);
  if (m > 0x1.6a09e667f3bcdp0) {
    m *= 0.5;
    k++;
  }
  static const double series[] = {2. / 23, 2. / 21, 2. / 19, 2. / 17, 2. / 15, 2. / 13,
                                  2. / 11, 2. / 9,  2. / 7,  2. / 5,  2. / 3};
  double f = m - 1, s = f / (2 + f), z = s * s, sum = 0;
  for (size_t i = 0; i < sizeof series / sizeof *series; i++) sum = sum * z + series[i];
  double small = s * (f - z * sum), times = k;
  return times * 0x1.62e42fefa38p-1 - ((small - times * 0x1.ef35793c7673p-45) - f);
}
