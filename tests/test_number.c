/* Numbers: reading and writing against the C library's conversions (exact in
 * glibc) and against midpoints made digit by digit, the syntax, the locale, the
 * compensated sum and the logarithm. */
#include <float.h>
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
#include "base/number.h"
#include "base/random.h"
#include "glimpse.h"
#include "support/comma_locale.h"

/* Other numbers are drawn with another seed: "GLIMPSE_TEST_SEED=7 test_number". */
static uint64_t seed(void) {
  const char *given = getenv("GLIMPSE_TEST_SEED");
  return given ? strtoull(given, NULL, 10) : 20240229;
}

static bool same(double a, double b) {
  return gli_decimal_bits(a) == gli_decimal_bits(b);
}

/* Reads a text all of which must be the number.  It is copied so that a byte
 * read behind its end is one behind an allocation. */
static double read_all(const char *text) {
  size_t length = strlen(text);
  char *copy = malloc(length ? length : 1);
  assert_non_null(copy);
  memcpy(copy, text, length);
  double value = -12345;
  size_t used = glimpse_number_read(copy, length, &value);
  free(copy);
  if (used != length)
    fail_msg("seed %llu: %zu of %zu bytes read of %s", (unsigned long long)seed(), used, length, text);
  return value;
}

static void check_read(const char *text, double expected) {
  double value = read_all(text);
  if (!same(value, expected))
    fail_msg("seed %llu: %s read as %a instead of %a", (unsigned long long)seed(), text, value, expected);
}

/* A finite double: any, one near 1, a subnormal one, or one with few bits. */
static double draw(gli_random *random, uint32_t kind) {
  static const uint64_t fraction = (UINT64_C(1) << 52) - 1, sign = UINT64_C(1) << 63;
  for (;;) {
    uint64_t bits = gli_random_bits(random);
    if (kind == 1) bits = (bits & (sign | fraction)) | (uint64_t)(1023 - 40 + gli_random_below(random, 95)) << 52;
    if (kind == 2) bits = (bits & sign) | (bits & fraction) >> gli_random_below(random, 52);
    if (kind == 3) bits &= ~fraction | UINT64_C(3) << gli_random_below(random, 50);
    double value = gli_decimal_double(bits);
    if (isfinite(value)) return value;
  }
}

/* ----------------------------------------------------------------- reading */

static void reads_this_and_no_more(void **state) {
  (void)state;
  /* clang-format off */
  static const struct {
    const char *text;
    size_t used;
    double value;
  } cases[] = {
      {"0", 1, 0}, {"-0", 2, -0.0}, {"+0", 2, 0}, {"7", 1, 7}, {"0.05", 4, 0.05}, {"1.000000", 8, 1},
      {"00012", 5, 12}, {"5.", 2, 5}, {".5", 2, 0.5}, {"-.5", 3, -0.5}, {"+5.", 3, 5}, {"1.e3", 4, 1000},
      {"1e5", 3, 1e5}, {"1E5", 3, 1e5}, {"1e+5", 4, 1e5}, {"1e-5", 4, 1e-5}, {"-2.5e-3", 7, -2.5e-3},
      {".5e1", 4, 5}, {"1e", 1, 1}, {"1e+", 1, 1}, {"1e-", 1, 1}, {"1ex", 1, 1}, {"5.e", 2, 5},
      {"1e5e5", 3, 1e5}, {"1..2", 2, 1}, {"1.5.2", 3, 1.5}, {"0x10", 1, 0}, {"1_0", 1, 1}, {"1,5", 1, 1},
      {"1e5.5", 3, 1e5}, {"12 34", 2, 12}, {"3-4", 1, 3}, {"1e0005", 6, 1e5}, {"0e0", 3, 0},
      {"-0.0e-0", 7, -0.0}, {"", 0, 0}, {"+", 0, 0}, {"-", 0, 0}, {".", 0, 0}, {"-.", 0, 0}, {"e5", 0, 0},
      {".e5", 0, 0}, {"+e5", 0, 0}, {"inf", 0, 0}, {"-inf", 0, 0}, {"nan", 0, 0}, {"Infinity", 0, 0},
      {" 1", 0, 0}, {"--1", 0, 0}, {"+-1", 0, 0}, {"a", 0, 0}, {"/", 0, 0}, {":", 0, 0}, {"\xb1", 0, 0},
      {"1\xb2", 1, 1},
  };
  /* clang-format on */
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double value = 42;
    size_t used = glimpse_number_read(cases[i].text, strlen(cases[i].text), &value);
    if (used != cases[i].used) fail_msg("'%s': %zu bytes used", cases[i].text, used);
    if (!same(value, used ? cases[i].value : 42)) fail_msg("'%s' read as %a", cases[i].text, value);
  }
}

/* The text ends where its length says. */
static void reads_within_the_length(void **state) {
  (void)state;
  static const char text[] = "-12.5e+34";
  static const struct {
    size_t used;
    double value;
  } expected[] = {{0, 0},     {0, 0},     {2, -1},    {3, -12},     {4, -12},
                  {5, -12.5}, {5, -12.5}, {5, -12.5}, {8, -12.5e3}, {9, -12.5e34}};
  for (size_t length = 0; length < sizeof text; length++) {
    double value = 0;
    assert_int_equal(glimpse_number_read(text, length, &value), expected[length].used);
    assert_true(same(value, expected[length].value));
  }
  double value = 42;
  assert_int_equal(glimpse_number_read(NULL, 0, &value), 0);
  assert_true(value == 42);
}

/* Known to be hard: halfway between two doubles or nearly so, around the
 * smallest and the largest, and those that stopped other software.  The values
 * are exact. */
static const struct {
  const char *text;
  double value;
} hard[] = {
    {"9007199254740991", 0x1.fffffffffffffp52},
    {"9007199254740992", 0x1p53},
    {"9007199254740993", 0x1p53},
    {"9007199254740993.0000000000000000000000000000000000001", 0x1.0000000000001p53},
    {"9007199254740994", 0x1.0000000000001p53},
    {"9007199254740995", 0x1.0000000000002p53},
    {"-9007199254740993e0", -0x1p53},
    {"9007199254740993e20", 0x1.5af1d78b58c41p+119},
    {"1e22", 0x1.0f0cf064dd592p+73},
    {"1e23", 0x1.52d02c7e14af6p+76},
    {"8.41e21", 0x1.c7e83209e90b2p+72},
    {"9.5367431640625e-7", 0x1p-20},
    {"6.5e-27", 0x1.017dd4ca4d0cdp-87},
    {"2.2250738585072011e-308", 0x0.fffffffffffffp-1022},
    {"2.2250738585072012e-308", 0x1p-1022},
    {"2.2250738585072014e-308", 0x1p-1022},
    {"2.225073858507201136057409796709131975934819546351645648023426109724822222021076945516529523908135087914149158913"
     "0396211068700864386945946455276572074078206217433799881410632673292535522868813721490129811224514518898490572223"
     "0728525513315575501591439747639798341180199932396254826101710708184394159768715979e-308",
     0x0.fffffffffffffp-1022},
    {"5e-324", 0x1p-1074},
    {"4.9406564584124654e-324", 0x1p-1074},
    {"2.4703282292062327e-324", 0},
    {"2.4703282292062328e-324", 0x1p-1074},
    {"2.47032822920623272088284396434110686182e-324", 0},
    {"2.47032822920623272088284396434110686183e-324", 0x1p-1074},
    {"-2.4703282292062327e-324", -0.0},
    {"-2.4703282292062328e-324", -0x1p-1074},
    {"7.4109846876186981e-324", 0x1p-1074},
    {"7.4109846876186982e-324", 0x2p-1074},
    {"1e-323", 0x2p-1074},
    {"1e-324", 0},
    {"1.7976931348623157e308", DBL_MAX},
    {"1.7976931348623158e308", DBL_MAX},
    {"1.797693134862315807e308", DBL_MAX},
    {"1.7976931348623159e308", INFINITY},
    {"-1.7976931348623159e308", -INFINITY},
    {"1.8e308", INFINITY},
    {"1e309", INFINITY},
    {"-1e400", -INFINITY},
    {"18446744073709551615", 0x1p64},
    {"18446744073709551616", 0x1p64},
    {"9223372036854775807", 0x1p63},
    {"9999999999999999999", 0x1.158e460913dp+63},
    {"12345678901234567890", 0x1.56a95319d63e1p+63},
    {"0.1", 0x1.999999999999ap-4},
    {"0.3", 0x1.3333333333333p-2},
    {"0.10000000000000000555111512312578270211815834045410156250", 0x1.999999999999ap-4},
    {"0.500000000000000166533453693773481063544750213623046875", 0x1.0000000000002p-1},
    {"3.141592653589793238462643383279502884197", 0x1.921fb54442d18p+1}};

static void reads_hard_cases(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof hard / sizeof *hard; i++) {
    check_read(hard[i].text, hard[i].value);
    assert_true(same(strtod(hard[i].text, NULL), hard[i].value)); /* the table is right */
  }
}

/* Sets `text` to prefix, count times c, suffix. */
static void stretch(char *text, const char *prefix, size_t count, char c, const char *suffix) {
  size_t length = strlen(prefix);
  memcpy(text, prefix, length);
  memset(text + length, c, count);
  strcpy(text + length + count, suffix);
}

static void reads_extremes(void **state) {
  (void)state;
  static char text[5000];
  check_read("1e99999999999999999999999999999999", INFINITY);
  check_read("-1e99999999999999999999999999999999", -INFINITY);
  check_read("1e-99999999999999999999999999999999", 0);
  check_read("-1e-99999999999999999999999999999999", -0.0);
  check_read("0e99999999999999999999999999999999", 0);
  check_read("-0e99999999999999999999999999999999", -0.0);
  check_read("1e9223372036854775807", INFINITY);
  check_read("1e-9223372036854775808", 0);
  check_read("1e18446744073709551617", INFINITY);
  stretch(text, "0.", 2000, '0', "1e2001");
  check_read(text, 1);
  stretch(text, "1", 2000, '0', "e-2000");
  check_read(text, 1);
  stretch(text, "", 3000, '0', "1.5");
  check_read(text, 1.5);
  stretch(text, "1.", 3000, '0', "");
  check_read(text, 1);
  stretch(text, "0.", 3000, '0', "");
  check_read(text, 0);
  stretch(text, "-", 3000, '0', "");
  check_read(text, -0.0);
  stretch(text, "", 3000, '9', "");
  check_read(text, INFINITY);
  stretch(text, "0.", 3000, '9', "");
  check_read(text, 1);
  stretch(text, "1e", 3000, '0', "1");
  check_read(text, 10);
  stretch(text, "9007199254740993.", 2000, '0', "");
  check_read(text, 0x1p53);
  stretch(text, "9007199254740993.", 2000, '0', "1");
  check_read(text, 0x1.0000000000001p53);
}

/* All shapes that printf gives, with 1 to 21 digits. */
static void reads_like_the_library(void **state) {
  (void)state;
  gli_random random = gli_random_stream(seed(), "read", 0);
  char text[40];
  for (int i = 0; i < 25000; i++) {
    double value = draw(&random, gli_random_below(&random, 4));
    snprintf(text, sizeof text, "%.*e", (int)gli_random_below(&random, 21), value);
    check_read(text, strtod(text, NULL));
  }
}

/* Up to 2000 random digits with the point anywhere and an exponent that brings
 * the value near one of the ends of the range, or 1. */
static void reads_long_digit_strings(void **state) {
  (void)state;
  gli_random random = gli_random_stream(seed(), "long", 0);
  static const int goals[] = {-330, -324, -323, -310, -308, -300, -30, 0, 0, 25, 300, 308, 309};
  static char text[2100];
  for (int i = 0; i < 4000; i++) {
    int digits = 1 + (int)gli_random_below(&random, i % 10 ? 60 : 2000);
    int point = (int)gli_random_below(&random, (uint32_t)digits + 1), length = 0;
    uint32_t plain = gli_random_below(&random, 4); /* 9s, 0s, or anything */
    if (gli_random_below(&random, 2)) text[length++] = '-';
    for (int d = 0; d < digits; d++) {
      if (d == point) text[length++] = '.';
      uint32_t digit = gli_random_below(&random, 10);
      if (d > 0 && plain == 0 && gli_random_below(&random, 50)) digit = 0;
      if (d > 0 && plain == 1 && gli_random_below(&random, 50)) digit = 9;
      text[length++] = (char)('0' + digit);
    }
    int goal = goals[gli_random_below(&random, sizeof goals / sizeof *goals)];
    snprintf(text + length, 20, "e%d", goal - point + (int)gli_random_below(&random, 3));
    check_read(text, strtod(text, NULL));
  }
}

/* The digits of (a + b) / 2 for decimal texts with the same number of digits
 * behind the point, and one digit more. */
static void halve_sum(const char *a, const char *b, char *middle) {
  size_t length_a = strlen(a), length_b = strlen(b), length = length_a > length_b ? length_a : length_b;
  int carry = 0;
  middle[length + 1] = '0';
  middle[length + 2] = 0;
  for (size_t i = 0; i < length; i++) { /* from the right */
    char x = i < length_a ? a[length_a - 1 - i] : '0', y = i < length_b ? b[length_b - 1 - i] : '0';
    char *to = &middle[length - i];
    if (x == '.') {
      *to = '.';
      continue;
    }
    int sum = x - '0' + y - '0' + carry;
    *to = (char)('0' + sum % 10);
    carry = sum / 10;
  }
  middle[0] = (char)('0' + carry);
  int rest = 0;
  for (char *c = middle; *c; c++) {
    if (*c == '.') continue;
    rest = rest * 10 + *c - '0';
    *c = (char)('0' + rest / 2);
    rest %= 2;
  }
  assert_int_equal(rest, 0);
}

/* Exactly halfway between two neighbours the even one wins; a little above or
 * below, in the last of hundreds of digits, decides. */
static void reads_midpoints(void **state) {
  (void)state;
  gli_random random = gli_random_stream(seed(), "middle", 0);
  static char low_text[1500], high_text[1500], middle[1600];
  for (int i = 0; i < 1500; i++) {
    double low = fabs(draw(&random, gli_random_below(&random, 4)));
    double high = gli_decimal_double(gli_decimal_bits(low) + 1);
    if (isinf(high)) continue;
    snprintf(low_text, sizeof low_text, "%.1080f", low);
    snprintf(high_text, sizeof high_text, "%.1080f", high);
    halve_sum(low_text, high_text, middle);
    check_read(middle, gli_decimal_bits(low) & 1 ? high : low);
    size_t length = strlen(middle);
    memcpy(middle + length, "1", 2);
    check_read(middle, high);
    char *last = middle + length;
    *last = 0;
    while (last[-1] == '0' || last[-1] == '.') last--; /* 1000 becomes 0999 */
    last[-1]--;
    for (char *c = last; *c; c++) {
      if (*c != '.') *c = '9';
    }
    check_read(middle, low);
  }
}

/* ----------------------------------------------------------------- writing */

static void check_write(double value, const char *expected) {
  char text[GLIMPSE_NUMBER_SIZE];
  memset(text, 'x', sizeof text);
  assert_int_equal(glimpse_number_write(value, text), strlen(expected));
  assert_string_equal(text, expected);
}

static void writes_known_texts(void **state) {
  (void)state;
  /* Of 2^-44 the nearest of 16 digits, ...801, is not read back; 2^50 + 1/4 lies
   * halfway between ...4.2 and ...4.3. */
  /* clang-format off */
  static const struct {
    double value;
    const char *text;
  } cases[] = {
      {0, "0"}, {1, "1"}, {10, "10"}, {100, "100"}, {123456, "123456"}, {0.1, "0.1"}, {0.05, "0.05"},
      {0.3, "0.3"}, {0.1 + 0.2, "0.30000000000000004"}, {1. / 3, "0.3333333333333333"},
      {2. / 3, "0.6666666666666666"}, {12.5, "12.5"}, {99.99, "99.99"}, {0.001, "0.001"}, {0.00001, "0.00001"},
      {0.000012345, "0.000012345"}, {0.000001, "1e-6"}, {0.00000123, "1.23e-6"}, {1e-10, "1e-10"},
      {1e-100, "1e-100"}, {1e-300, "1e-300"}, {999999999999999, "999999999999999"}, {1e15, "1000000000000000"},
      {1234567890123456, "1234567890123456"}, {9007199254740991, "9007199254740991"},
      {9007199254740992, "9007199254740992"}, {9999999999999998, "9999999999999998"}, {1e16, "1e16"},
      {12345678901234568, "1.2345678901234568e16"}, {1e21, "1e21"}, {1e22, "1e22"}, {1e23, "1e23"},
      {9.5e-7, "9.5e-7"}, {1e100, "1e100"}, {123456789.125, "123456789.125"}, {0x1p-1074, "5e-324"},
      {0x2p-1074, "1e-323"}, {0x3p-1074, "1.5e-323"}, {0x0.fffffffffffffp-1022, "2.225073858507201e-308"},
      {0x1p-1022, "2.2250738585072014e-308"}, {DBL_MAX, "1.7976931348623157e308"},
      {DBL_EPSILON, "2.220446049250313e-16"}, {0x1p-44, "5.684341886080802e-14"},
      {0x1p54, "1.8014398509481984e16"}, {5e-324, "5e-324"},
      {2251799813685248.5, "2251799813685248.5"}, {1125899906842624.25, "1125899906842624.2"},
      {0.000033333333333333335, "0.000033333333333333335"},
  };
  /* clang-format on */
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    check_write(cases[i].value, cases[i].text);
    char negative[40] = "-";
    strcat(negative, cases[i].text);
    check_write(-cases[i].value, negative);
  }
  check_write(INFINITY, "inf");
  check_write(-INFINITY, "-inf");
  check_write(NAN, "nan");
  check_write(gli_decimal_double(UINT64_C(0xfff8000000000001)), "nan");
}

/* Copies the digits of a text, from the first that is not 0 and without trailing
 * zeros; returns their number. */
static int digits_of(const char *text, char *digits) {
  int count = 0;
  for (; *text && *text != 'e'; text++) {
    if (*text >= '0' && *text <= '9' && (count || *text != '0')) digits[count++] = *text;
  }
  while (count && digits[count - 1] == '0') count--;
  return count;
}

/* Reads back, and no number with fewer digits would; of those with as many
 * digits it is the nearest that does. */
static void check_shortest(double value) {
  char text[GLIMPSE_NUMBER_SIZE], other[40], digits[40], expected[40];
  size_t length = glimpse_number_write(value, text);
  assert_int_equal(length, strlen(text));
  check_read(text, value);
  if (!same(strtod(text, NULL), value)) fail_msg("%s is not %a", text, value);
  int count = digits_of(text, digits);
  assert_in_range(count, 1, 17);

  snprintf(other, sizeof other, "%.*e", count - 1, value); /* the nearest of all */
  if (strtod(other, NULL) == value) {
    if (digits_of(other, expected) != count || memcmp(digits, expected, (size_t)count) != 0)
      fail_msg("seed %llu: %s was written, %s is nearer", (unsigned long long)seed(), text, other);
  }
  if (count > 1) { /* one digit less: the two around the value */
    snprintf(other, sizeof other, "%.*e", count - 2, value);
    assert_true(strtod(other, NULL) != value);
    char *mark = strchr(other, 'e');
    double mantissa = 0; /* as a whole number, exact: at most 16 digits */
    for (char *c = other; c < mark; c++) {
      if (*c >= '0' && *c <= '9') mantissa = mantissa * 10 + (*c - '0');
    }
    int power = atoi(mark + 1) - (count - 2);
    for (int step = -1; step <= 1; step += 2) {
      snprintf(other, sizeof other, "%s%.0fe%d", value < 0 ? "-" : "", mantissa + step, power);
      if (strtod(other, NULL) == value)
        fail_msg("seed %llu: %s was written, %s is shorter", (unsigned long long)seed(), text, other);
    }
  }
}

static void writes_the_shortest(void **state) {
  (void)state;
  gli_random random = gli_random_stream(seed(), "shortest", 0);
  for (int i = 0; i < 20000; i++) {
    double value = draw(&random, gli_random_below(&random, 4));
    if (value != 0) check_shortest(value);
  }
  for (int i = -1074; i < 1024; i++) { /* powers of two, where the interval is lopsided */
    check_shortest(ldexp(1, i));
    check_shortest(-nextafter(ldexp(1, i), 0) - 0x1p-1074);
  }
  for (int i = -323; i < 309; i++) { /* powers of ten and their neighbours */
    char text[20];
    snprintf(text, sizeof text, "1e%d", i);
    double value = strtod(text, NULL);
    check_shortest(value);
    check_shortest(nextafter(value, INFINITY));
    check_shortest(nextafter(value, 0) + 0x1p-1074);
  }
}

static void everything_reads_back(void **state) {
  (void)state;
  gli_random random = gli_random_stream(seed(), "back", 0);
  for (int i = 0; i < 200000; i++) {
    double value = i % 10 == 0 ? draw(&random, 0) : i % 2 ? gli_random_unit(&random) : draw(&random, 1), back = NAN;
    char text[GLIMPSE_NUMBER_SIZE];
    size_t length = glimpse_number_write(value, text);
    if (glimpse_number_read(text, length, &back) != length || !same(back, value))
      fail_msg("seed %llu: %a written as %s read as %a", (unsigned long long)seed(), value, text, back);
  }
}

/* Decimals of up to 15 digits come out as they were. */
static void short_decimals_stay(void **state) {
  (void)state;
  gli_random random = gli_random_stream(seed(), "stay", 0);
  for (int i = 0; i < 50000; i++) {
    char text[40];
    int places = 1 + (int)gli_random_below(&random, 9);
    snprintf(text, sizeof text, "%u.%0*u7", gli_random_below(&random, 1000000), places - 1, 0u);
    check_write(strtod(text, NULL), text);
  }
  for (int i = 0; i <= 10000; i++) { /* 0.0000 .. 1.0000 */
    char text[20];
    int length = snprintf(text, sizeof text, "%d.%04d", i / 10000, i % 10000);
    while (text[length - 1] == '0') text[--length] = 0;
    if (text[length - 1] == '.') text[--length] = 0;
    check_write(i / 10000.0, text);
  }
}

/* ------------------------------------------------------------------ locale */

static void ignores_the_locale(void **state) {
  (void)state;
  if (!comma_locale_enter()) {
    print_message("skipped: no locale with a decimal comma can be had on this machine\n");
    skip();
  }
  char comma[20];
  snprintf(comma, sizeof comma, "%.1f", 1.5);
  assert_string_equal(comma, "1,5"); /* the locale is in force */
  reads_this_and_no_more(state);
  reads_within_the_length(state);
  reads_extremes(state);
  writes_known_texts(state);
  everything_reads_back(state);
  for (size_t i = 0; i < sizeof hard / sizeof *hard; i++) check_read(hard[i].text, hard[i].value);
  comma_locale_leave();
}

/* --------------------------------------------------------------------- sum */

static void sum_forgets_nothing(void **state) {
  (void)state;
  static const double numbers[] = {1, 1e100, 1, -1e100};
  gli_sum sum = {0, 0};
  for (int i = 0; i < 4; i++) gli_sum_add(&sum, numbers[i]);
  assert_true(gli_sum_value(sum) == 2);
  /* A million tenths; a plain sum is off by 1.3e-6. */
  sum = (gli_sum){0, 0};
  for (int i = 0; i < 1000000; i++) gli_sum_add(&sum, 0.1);
  assert_true(gli_sum_value(sum) == 100000.0);
  /* Whole numbers times 2^-60 against their exact sum. */
  gli_random random = gli_random_stream(seed(), "sum", 0);
  sum = (gli_sum){0, 0};
  int64_t whole = 0;
  for (int i = 0; i < 100000; i++) {
    int64_t term = (int64_t)(gli_random_bits(&random) >> 24) - (INT64_C(1) << 39);
    whole += term;
    gli_sum_add(&sum, (double)term * 0x1p-60);
  }
  assert_true(gli_sum_value(sum) == (double)whole * 0x1p-60);
}

/* --------------------------------------------------------------- logarithm */

static void check_log(double x) {
  long double exact = logl((long double)x);
  double value = gli_number_log(x), size = fabs((double)exact);
  if (exact == 0) {
    assert_true(same(value, 0));
    return;
  }
  double ulp = nextafter(size, INFINITY) - size;
  double limit = LDBL_MANT_DIG > DBL_MANT_DIG ? 1 : 2; /* the oracle's own error */
  if (!(fabsl(value - exact) <= limit * ulp))
    fail_msg("seed %llu: log %a = %a, exactly %La", (unsigned long long)seed(), x, value, exact);
}

static void log_is_close(void **state) {
  (void)state;
  gli_random random = gli_random_stream(seed(), "log", 0);
  for (int i = 0; i < 25000; i++) {
    double any = fabs(draw(&random, 0)), near = fabs(draw(&random, 1));
    check_log(any > 0 ? any : 1);
    check_log(near);
    check_log(gli_random_unit(&random) + 0x1p-60);
    double size = ldexp(1, -(int)gli_random_below(&random, 50));
    check_log(1 + (gli_random_unit(&random) - 0.5) * size);
  }
  for (int i = -1074; i < 1024; i++) check_log(ldexp(1, i));
  for (int i = 1; i < 2000; i++) check_log(i);
  check_log(DBL_MAX);
  check_log(nextafter(1, 0));
  check_log(nextafter(1, 2));
  check_log(0x1.6a09e667f3bcdp0);
  check_log(0x1.6a09e667f3bccp0);
  check_log(0x1.6a09e667f3bcep0);
  assert_true(same(gli_number_log(1), 0));
  assert_true(gli_number_log(2) == 0x1.62e42fefa39efp-1);
  assert_true(gli_number_log(0.5) == -0x1.62e42fefa39efp-1);
}

/* The same bits everywhere: a hash of 20,000 of them. */
enum { X };
static void log_is_the_same_everywhere(void **state) {
  (void)state;
  gli_random random = gli_random_stream(1, "log bits", 0);
  uint64_t hash = 0;
  for (int i = 0; i < 20000; i++) {
    double x = fabs(draw(&random, (uint32_t)i % 4));
    if (x == 0) x = 1;
    hash = (hash ^ gli_decimal_bits(gli_number_log(x))) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 29;
  }
  if (hash != UINT64_C(0x2bb9ea06614e9235)) fail_msg("hash 0x%016llx", (unsigned long long)hash);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_this_and_no_more),
      cmocka_unit_test(reads_within_the_length),
      cmocka_unit_test(reads_hard_cases),
      cmocka_unit_test(reads_extremes),
      cmocka_unit_test(reads_like_the_library),
      cmocka_unit_test(reads_long_digit_strings),
      cmocka_unit_test(reads_midpoints),
      cmocka_unit_test(writes_known_texts),
      cmocka_unit_test(writes_the_shortest),
      cmocka_unit_test(everything_reads_back),
      cmocka_unit_test(short_decimals_stay),
      cmocka_unit_test(ignores_the_locale),
      cmocka_unit_test(sum_forgets_nothing),
      cmocka_unit_test(log_is_close),
      cmocka_unit_test(log_is_the_same_everywhere),
  };
  return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
