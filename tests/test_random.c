/* Random: known answers of the published generators, streams, and that the
 * derived distributions are the stated ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"

/* ------------------------------------------------- the generators, once more */

static uint64_t left(uint64_t x, unsigned k) {
  return x << k | x >> (64 - k);
}

/* xoshiro256**, from its published description: the output scrambles s1, then
 * the state goes through a linear map. */
static uint64_t reference_bits(uint64_t s[4]) {
  uint64_t output = left(s[1] * 5, 7) * 9;
  uint64_t a = s[0], b = s[1], c = s[2], d = s[3];
  s[0] = a ^ b ^ d;
  s[1] = a ^ b ^ c;
  s[2] = a ^ c ^ (b << 17);
  s[3] = left(b ^ d, 45);
  return output;
}

static uint64_t reference_mix(uint64_t z) {
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

static const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);

static gli_random reference_stream(uint64_t seed, const char *name, uint64_t index) {
  uint64_t x = reference_mix((reference_mix(seed + golden) ^ index) + golden);
  for (size_t i = 0; i < strlen(name); i++) x = (x ^ (uint64_t)name[i]) * UINT64_C(1099511628211);
  gli_random random;
  for (uint64_t i = 0; i < 4; i++) random.state[i] = reference_mix(x + (i + 1) * golden);
  return random;
}

static void published_answers(void **state) {
  (void)state;
  static const uint64_t expected[] = {11520,
                                      0,
                                      1509978240,
                                      UINT64_C(1215971899390074240),
                                      UINT64_C(1216172134540287360),
                                      UINT64_C(607988272756665600),
                                      UINT64_C(16172922978634559625),
                                      UINT64_C(8476171486693032832),
                                      UINT64_C(10595114339597558777),
                                      UINT64_C(2904607092377533576)};
  gli_random random = {{1, 2, 3, 4}};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) assert_true(gli_random_bits(&random) == expected[i]);
  /* splitmix64 from 1234567, which the streams are filled with */
  assert_true(reference_mix(1234567 + golden) == UINT64_C(6457827717110365317));
  assert_true(reference_mix(1234567 + 2 * golden) == UINT64_C(3203168211198807973));
}

static void follows_the_reference(void **state) {
  (void)state;
  static const struct {
    uint64_t seed;
    const char *name;
    uint64_t index;
  } cases[] = {{0, "", 0}, {1, "world", 0}, {UINT64_MAX, "planner", 12345}, {42, "rollouts", UINT64_MAX}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    gli_random random = gli_random_stream(cases[i].seed, cases[i].name, cases[i].index);
    gli_random reference = reference_stream(cases[i].seed, cases[i].name, cases[i].index);
    assert_memory_equal(&random, &reference, sizeof random);
    for (int k = 0; k < 10000; k++) assert_true(gli_random_bits(&random) == reference_bits(reference.state));
    assert_memory_equal(&random, &reference, sizeof random);
  }
}

/* ------------------------------------------------------------------ streams */

static int order(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static void streams_differ(void **state) {
  (void)state;
  static const char *const names[] = {"", "a", "b", "aa", "ab", "ba", "world", "planner", "planners", "rollout"};
  enum { NAMES = sizeof names / sizeof *names, SEEDS = 8, INDICES = 25, COUNT = NAMES * SEEDS * INDICES };
  static uint64_t first[COUNT];
  size_t n = 0;
  for (size_t name = 0; name < NAMES; name++) {
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
      for (uint64_t index = 0; index < INDICES; index++) {
        gli_random random = gli_random_stream(seed, names[name], index);
        first[n++] = gli_random_bits(&random);
      }
    }
  }
  qsort(first, COUNT, sizeof *first, order);
  for (size_t i = 1; i < COUNT; i++) assert_true(first[i] != first[i - 1]);
}

/* Neighbouring streams agree in half of their bits. */
static void neighbours_are_unrelated(void **state) {
  (void)state;
  gli_random streams[] = {gli_random_stream(1, "x", 0), gli_random_stream(1, "x", 1), gli_random_stream(2, "x", 0),
                          gli_random_stream(1, "y", 0), gli_random_stream(0, "x", 1)};
  enum { STREAMS = sizeof streams / sizeof *streams, DRAWS = 2000 };
  long equal[STREAMS][STREAMS] = {{0}};
  for (int i = 0; i < DRAWS; i++) {
    uint64_t bits[STREAMS];
    for (int a = 0; a < STREAMS; a++) bits[a] = gli_random_bits(&streams[a]);
    for (int a = 0; a < STREAMS; a++) {
      for (int b = 0; b < a; b++) {
        for (uint64_t same = ~(bits[a] ^ bits[b]); same; same &= same - 1) equal[a][b]++;
      }
    }
  }
  for (int a = 0; a < STREAMS; a++) { /* 5 standard deviations of 128,000 coins: 894 */
    for (int b = 0; b < a; b++) assert_in_range(equal[a][b], 64000 - 900, 64000 + 900);
  }
}

/* ------------------------------------------------------------ distributions */

/* The state of which the next 64 bits are `bits`. */
static gli_random about_to_draw(uint64_t bits) {
  static const uint64_t inverse_5 = UINT64_C(0xcccccccccccccccd), inverse_9 = UINT64_C(0x8e38e38e38e38e39);
  gli_random random = {{1, left(bits * inverse_9, 57) * inverse_5, 2, 3}};
  gli_random copy = random;
  assert_true(gli_random_bits(&copy) == bits);
  return random;
}

static void unit_is_below_one(void **state) {
  (void)state;
  gli_random top = about_to_draw(UINT64_MAX), bottom = about_to_draw(0x7ff), small = about_to_draw(0x800);
  assert_true(gli_random_unit(&top) == 1 - 0x1p-53);
  assert_true(gli_random_unit(&bottom) == 0);
  assert_true(gli_random_unit(&small) == 0x1p-53);
}

static void unit_is_uniform(void **state) {
  (void)state;
  enum { CELLS = 100, DRAWS = 200000 };
  gli_random random = gli_random_stream(3, "unit", 0);
  int cells[CELLS] = {0};
  double sum = 0, squares = 0;
  for (int i = 0; i < DRAWS; i++) {
    double x = gli_random_unit(&random);
    assert_true(x >= 0 && x < 1);
    assert_true(x * 0x1p53 == (double)(uint64_t)(x * 0x1p53));
    cells[(int)(x * CELLS)]++;
    sum += x;
    squares += x * x;
  }
  /* 5 standard deviations: sqrt(1/12 / DRAWS), sqrt(4/45 / DRAWS) */
  assert_true(sum / DRAWS > 0.5 - 0.0033 && sum / DRAWS < 0.5 + 0.0033);
  assert_true(squares / DRAWS > 1. / 3 - 0.0034 && squares / DRAWS < 1. / 3 + 0.0034);
  double chi = 0, expected = (double)DRAWS / CELLS;
  for (int i = 0; i < CELLS; i++) chi += (cells[i] - expected) * (cells[i] - expected) / expected;
  assert_true(chi > 40 && chi < 175); /* 99 degrees: mean 99, deviation 14 */
}

static void below_is_uniform(void **state) {
  (void)state;
  static const uint32_t counts[] = {2, 3, 5, 7, 10, 64, 100};
  enum { DRAWS = 100000 };
  for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
    gli_random random = gli_random_stream(4, "below", counts[k]);
    int cells[100] = {0};
    for (int i = 0; i < DRAWS; i++) {
      uint32_t x = gli_random_below(&random, counts[k]);
      assert_true(x < counts[k]);
      cells[x]++;
    }
    double chi = 0, expected = (double)DRAWS / counts[k], degrees = counts[k] - 1;
    for (uint32_t i = 0; i < counts[k]; i++) chi += (cells[i] - expected) * (cells[i] - expected) / expected;
    assert_true(chi < degrees + 6 + 6 * degrees / 4);
  }
}

/* At three quarters of 2^32 both simple ways are grossly biased: the remainder
 * of a division doubles the first third, the high half of a product without
 * rejection doubles every third number. */
static void below_is_unbiased_for_large_counts(void **state) {
  (void)state;
  enum { DRAWS = 60000 };
  const uint32_t third = UINT32_C(1) << 30, count = 3 * third;
  gli_random random = gli_random_stream(5, "below", 0);
  int by_size[3] = {0}, by_remainder[3] = {0};
  for (int i = 0; i < DRAWS; i++) {
    uint32_t x = gli_random_below(&random, count);
    assert_true(x < count);
    by_size[x / third]++;
    by_remainder[x % 3]++;
  }
  for (int i = 0; i < 3; i++) { /* 5 standard deviations of 115 */
    assert_in_range(by_size[i], 20000 - 580, 20000 + 580);
    assert_in_range(by_remainder[i], 20000 - 580, 20000 + 580);
  }
}

static void below_takes_the_extremes(void **state) {
  (void)state;
  gli_random random = gli_random_stream(6, "below", 0);
  for (int i = 0; i < 100; i++) assert_int_equal(gli_random_below(&random, 1), 0);
  gli_random top = about_to_draw(UINT64_MAX);
  assert_true(gli_random_below(&top, UINT32_MAX) == UINT32_MAX - 1);
  gli_random middle = about_to_draw(UINT64_C(0x80000000) << 32);
  assert_int_equal(gli_random_below(&middle, 10), 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(published_answers),        cmocka_unit_test(follows_the_reference),
      cmocka_unit_test(streams_differ),           cmocka_unit_test(neighbours_are_unrelated),
      cmocka_unit_test(unit_is_below_one),        cmocka_unit_test(unit_is_uniform),
      cmocka_unit_test(below_is_uniform),         cmocka_unit_test(below_is_unbiased_for_large_counts),
      cmocka_unit_test(below_takes_the_extremes),
  };
  return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
