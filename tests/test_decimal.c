/* Decimal: the exact conversions, also for inputs that number.c would never send
 * here, against the C library's (exact in glibc); rounding at every position. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/decimal.h"
#include "base/random.h"

static const uint64_t seed = 20240301;

static void check_read(const char *digits, long long power) {
  static char text[3000];
  snprintf(text, sizeof text, "%se%lld", digits, power);
  const char *point = strchr(digits, '.');
  long long behind = point ? (long long)strlen(point + 1) : 0; /* a point in the digits does not count */
  double value = gli_decimal_read(digits, digits + strlen(digits), power - behind), expected = strtod(text, NULL);
  if (gli_decimal_bits(value) != gli_decimal_bits(expected))
    fail_msg("seed %llu: %s read as %a instead of %a", (unsigned long long)seed, text, value, expected);
}

static void reads_short_numbers(void **state) {
  (void)state;
  for (int digits = 1; digits < 300; digits++) {
    char text[12];
    snprintf(text, sizeof text, "%d", digits);
    for (int power = -345; power < 320; power += 1 + digits % 7) check_read(text, power);
  }
}

static void reads_random_numbers(void **state) {
  (void)state;
  gli_random random = gli_random_stream(seed, "read", 0);
  for (int i = 0; i < 30000; i++) {
    uint64_t whole = gli_random_bits(&random) >> gli_random_below(&random, 60);
    if (!whole) continue;
    char text[40];
    int length = snprintf(text, sizeof text, "%llu", (unsigned long long)whole);
    check_read(text, (int)gli_random_below(&random, 680) - 350);
    check_read(text, (int)gli_random_below(&random, 61) - 30);
    if (length > 1) { /* the same with a point in it */
      size_t at = 1 + gli_random_below(&random, (uint32_t)length - 1);
      memmove(text + at + 1, text + at, (size_t)length - at + 1);
      text[at] = '.';
      check_read(text, (int)gli_random_below(&random, 61) - 30);
    }
  }
}

/* Around the number of digits that are looked at one by one. */
static void reads_hundreds_of_digits(void **state) {
  (void)state;
  gli_random random = gli_random_stream(seed, "long", 0);
  static char text[2600];
  static const int powers[] = {-330, -310, -20, 0, 290, 308};
  for (int length = 700; length <= 2400; length += length < 900 ? 1 : 100) {
    for (int i = 0; i < length; i++) text[i] = (char)('0' + gli_random_below(&random, 10));
    text[0] = '1';
    text[length] = 0;
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++) check_read(text, powers[i] - length);
    memset(text + 1, '0', (size_t)length - 2); /* 1000...00d */
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++) check_read(text, powers[i] - length);
  }
}

static void reads_beyond_the_ends(void **state) {
  (void)state;
  static const char one[] = "1";
  assert_true(gli_decimal_read(one, one + 1, INT64_C(1000000000000000000)) == INFINITY);
  assert_true(gli_decimal_read(one, one + 1, INT64_C(-1000000000000000000)) == 0);
  assert_true(gli_decimal_read(one, one + 1, 308) == 1e308);
  assert_true(gli_decimal_read(one, one + 1, 309) == INFINITY);
  assert_true(gli_decimal_read(one, one + 1, -323) == 0x2p-1074);
  assert_true(gli_decimal_read(one, one + 1, -324) == 0);
}

/* Fewest digits, nearest: against all lengths that printf can give. */
static void writes_the_shortest(void **state) {
  (void)state;
  gli_random random = gli_random_stream(seed, "write", 0);
  for (int i = 0; i < 20000; i++) {
    uint64_t bits = gli_random_bits(&random) >> 1;
    if (i % 4 == 0) bits >>= 11 + gli_random_below(&random, 50); /* subnormal */
    if (i % 4 == 1) bits = (bits & ((UINT64_C(1) << 52) - 1)) | (uint64_t)(990 + gli_random_below(&random, 80)) << 52;
    double value = gli_decimal_double(bits);
    if (!isfinite(value) || value == 0) continue;
    char digits[GLI_DECIMAL_DIGITS], text[40], expected[40];
    int point, count = gli_decimal_write(value, digits, &point), length = 1;
    assert_in_range(count, 1, GLI_DECIMAL_DIGITS);
    assert_true(digits[0] != '0' && digits[count - 1] != '0');
    for (;; length++) {
      snprintf(expected, sizeof expected, "%.*e", length - 1, value);
      if (strtod(expected, NULL) == value) break;
    }
    snprintf(text, sizeof text, "%.*se%d", count, digits, point - count);
    if (strtod(text, NULL) != value) fail_msg("seed %llu: %s is not %a", (unsigned long long)seed, text, value);
    if ((bits & ((UINT64_C(1) << 52) - 1)) == 0) continue; /* powers of two: see test_number.c */
    assert_int_equal(count, length);
    if (expected[0] != digits[0] || (count > 1 && memcmp(expected + 2, digits + 1, (size_t)count - 1) != 0))
      fail_msg("seed %llu: %s was written, %s is nearer", (unsigned long long)seed, text, expected);
  }
}

/* mantissa * 2^exponent, against ldexp where that is exact, and by the rule. */
static void rounds_to_even(void **state) {
  (void)state;
  const uint64_t odd = (UINT64_C(1) << 52) + 1, even = UINT64_C(1) << 52, half = UINT64_C(1) << 10;
  for (int e = -1085; e <= 960; e += 5) { /* 53 bits, then 11 that are rounded away */
    double low = ldexp((double)even, e + 11), middle = ldexp((double)odd, e + 11);
    if (e + 11 < -1074) continue;
    assert_true(gli_decimal_round(even << 11, e, false) == low);
    assert_true(gli_decimal_round((even << 11) + half, e, false) == low); /* a tie, downwards */
    assert_true(gli_decimal_round((even << 11) + half, e, true) == middle);
    assert_true(gli_decimal_round((even << 11) + half - 1, e, true) == low);
    assert_true(gli_decimal_round((even << 11) + half + 1, e, false) == middle);
    assert_true(gli_decimal_round((odd << 11) + half - 1, e, true) == middle);
    assert_true(gli_decimal_round((odd << 11) + half, e, false) == ldexp((double)(odd + 1), e + 11)); /* upwards */
    assert_true(gli_decimal_round(UINT64_MAX, e, true) == ldexp(1, e + 64)); /* into the next power of two */
  }
  const uint64_t top = UINT64_C(1) << 63;
  assert_true(gli_decimal_round(top, -1137, false) == 0x1p-1074);
  assert_true(gli_decimal_round(top, -1138, false) == 0); /* half of the smallest: a tie, to 0 */
  assert_true(gli_decimal_round(top, -1138, true) == 0x1p-1074);
  assert_true(gli_decimal_round(top | 1, -1138, false) == 0x1p-1074);
  assert_true(gli_decimal_round(UINT64_MAX, -1139, true) == 0);
  assert_true(gli_decimal_round(UINT64_MAX, -1086, true) == 0x1p-1022); /* the largest subnormal, rounded up */
  assert_true(gli_decimal_round(1, -1074, false) == 0x1p-1074);
  assert_true(gli_decimal_round(1, 1023, false) == 0x1p1023);
  assert_true(gli_decimal_round(1, 1024, false) == INFINITY);
  assert_true(gli_decimal_round(UINT64_MAX - 1024, 960, true) == 0x1.fffffffffffffp1023);
  assert_true(gli_decimal_round(UINT64_MAX - 1023, 960, false) == INFINITY); /* a tie, to the infinity */
}

static void takes_apart(void **state) {
  (void)state;
  uint64_t mantissa;
  int exponent;
  gli_decimal_split(1, &mantissa, &exponent);
  assert_true(mantissa == UINT64_C(1) << 52 && exponent == -52);
  gli_decimal_split(0x1p-1074, &mantissa, &exponent);
  assert_true(mantissa == 1 && exponent == -1074);
  gli_decimal_split(0x1p-1022, &mantissa, &exponent);
  assert_true(mantissa == UINT64_C(1) << 52 && exponent == -1074);
  gli_decimal_split(0x1.8p1023, &mantissa, &exponent);
  assert_true(mantissa == UINT64_C(3) << 51 && exponent == 971);
}

/* The estimate of the decimal exponent, for every binary one. */
static void estimates_the_exponent(void **state) {
  (void)state;
  for (int n = -1100; n <= 1100; n++) assert_int_equal(gli_decimal_log2(n), (int)floor(n * 0.30102999566398120));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_short_numbers),
      cmocka_unit_test(reads_random_numbers),
      cmocka_unit_test(reads_hundreds_of_digits),
      cmocka_unit_test(reads_beyond_the_ends),
      cmocka_unit_test(writes_the_shortest),
      cmocka_unit_test(rounds_to_even),
      cmocka_unit_test(takes_apart),
      cmocka_unit_test(estimates_the_exponent),
  };
  return cmocka_run_group_tests_name("decimal", tests, NULL, NULL);
}
