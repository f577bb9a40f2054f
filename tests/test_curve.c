/* Curve: what intervals at some places say of a convex function, against functions that are known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/random.h"
#include "price/curve.h"

enum { LINES = 5, PLACES = 7, SAMPLES = 41 };

/* The largest of some falling lines. */
typedef struct convex {
  double start[LINES], fall[LINES];
} convex;

static double convex_at(const convex *f, double x) {
  double most = -INFINITY;
  for (int i = 0; i < LINES; i++) most = fmax(most, f->start[i] - f->fall[i] * x);
  return most;
}

/* The slopes at a place, without sign: of all lines that are largest there, within rounding. */
static glimpse_interval falls_at(const convex *f, double x) {
  glimpse_interval falls = {INFINITY, 0};
  for (int i = 0; i < LINES; i++) {
    if (f->start[i] - f->fall[i] * x < convex_at(f, x) - 1e-13) continue;
    falls.low = fmin(falls.low, f->fall[i]);
    falls.high = fmax(falls.high, f->fall[i]);
  }
  return falls;
}

static double uniform(gli_random *random, double high) {
  return high * gli_random_unit(random);
}

static convex random_convex(gli_random *random) {
  convex f;
  for (int i = 0; i < LINES; i++) {
    f.fall[i] = i ? uniform(random, 3) : 0;
    f.start[i] = uniform(random, 1) + f.fall[i];
  }
  return f;
}

static void measure(const convex *f, gli_random *random, double width, gli_place places[PLACES], gli_curve *curve) {
  for (int i = 0; i < PLACES; i++) {
    double x = i ? places[i - 1].at + 0.02 + uniform(random, 0.6) : 0, y = convex_at(f, x);
    places[i] = (gli_place){.at = x, .value = {y - uniform(random, width) - 1e-15, y + uniform(random, width) + 1e-15}};
  }
  *curve = (gli_curve){.places = places, .count = PLACES, .steepest = 3, .flat = INFINITY, .floor = -INFINITY};
}

static void check_contains(uint64_t seed, const char *what, double x, glimpse_interval in, double y) {
  if (!(in.low <= y + 1e-12 && y - 1e-12 <= in.high))
    fail_msg("seed %llu: %s at %.17g is %.17g, not in [%.17g, %.17g]", (unsigned long long)seed, what, x, y, in.low,
             in.high);
}

static void test_contains(void **state) {
  (void)state;
  static const double widths[] = {0, 1e-9, 0.01, 0.5};
  unsigned tighter = 0;
  for (uint64_t seed = 1; seed <= 2000; seed++) {
    gli_random random = gli_random_stream(seed, "curve", 0);
    convex f = random_convex(&random);
    gli_place places[PLACES];
    gli_curve curve;
    measure(&f, &random, widths[seed % 4], places, &curve);
    gli_place before[PLACES];
    for (int i = 0; i < PLACES; i++) before[i] = places[i];
    gli_curve_tighten(&curve);
    for (int i = 0; i < PLACES; i++) {
      glimpse_interval falls = falls_at(&f, places[i].at);
      check_contains(seed, "the value", places[i].at, places[i].value, convex_at(&f, places[i].at));
      check_contains(seed, "the left slope", places[i].at, places[i].fall, falls.high);
      check_contains(seed, "the right slope", places[i].at, places[i].fall, falls.low);
      assert_true(places[i].value.low >= before[i].value.low && places[i].value.high <= before[i].value.high);
      tighter += places[i].value.high - places[i].value.low < 0.9 * (before[i].value.high - before[i].value.low);
    }
    for (int i = 0; i < SAMPLES; i++) {
      double x = (places[PLACES - 1].at + 0.3) * i / (SAMPLES - 1);
      gli_place here = gli_curve_at(&curve, x);
      glimpse_interval falls = falls_at(&f, x);
      check_contains(seed, "the value", x, here.value, convex_at(&f, x));
      check_contains(seed, "the left slope", x, here.fall, falls.high);
      check_contains(seed, "the right slope", x, here.fall, falls.low);
    }
  }
  assert_true(tighter > 100);
}

/* Between two places that are known exactly it lies in a triangle, and its corner is the kink. */
static void test_kink(void **state) {
  (void)state;
  gli_place places[] = {
      {.at = 0, .value = {10, 10}}, {.at = 1, .value = {6, 6}}, {.at = 4, .value = {2, 2}}, {.at = 6, .value = {2, 2}}};
  gli_curve curve = {.places = places, .count = 4, .steepest = 4, .flat = 4, .floor = 2};
  gli_curve_tighten(&curve);
  double at, doubt = gli_curve_doubt(&curve, 1, &at);
  assert_float_equal(at, 2, 1e-12);
  assert_float_equal(doubt, 6 - 4.0 / 3 - 2, 1e-12);
  assert_true(gli_curve_doubt(&curve, 0, &at) < 1e-12);
  assert_float_equal(gli_curve_value(&curve, 100).low, 2, 0);
  assert_float_equal(places[3].fall.high, 0, 0);
  assert_float_equal(places[0].fall.low, 4, 1e-12);
}

/* Where it reaches a level, and up to where it lies close above another. */
static void test_reach_and_part(void **state) {
  (void)state;
  unsigned reached = 0, parted = 0;
  for (uint64_t seed = 1; seed <= 2000; seed++) {
    gli_random random = gli_random_stream(seed, "curve", 1);
    convex f = random_convex(&random), g = f;
    g.start[0] -= 10; /* fewer lines: nowhere above, and far below in the end */
    g.start[1] -= 0.1;
    gli_place places[PLACES], others[PLACES];
    gli_curve one, other;
    double width = seed % 2 ? 0 : 0.02, level = uniform(&random, 3), most = uniform(&random, 0.2);
    measure(&f, &random, width, places, &one);
    other = one;
    other.places = others;
    for (int i = 0; i < PLACES; i++)
      others[i] = (gli_place){.at = places[i].at,
                              .value = {convex_at(&g, places[i].at) - width, convex_at(&g, places[i].at) + width}};
    gli_curve_tighten(&one);
    gli_curve_tighten(&other);
    glimpse_interval reach = gli_curve_reach(&one, (glimpse_interval){level - width, level + width});
    glimpse_interval part = gli_curve_part(&one, &other, most);
    double end = places[PLACES - 1].at;
    assert_true(reach.low <= reach.high && part.low <= part.high);
    if (reach.low > 0 && !(convex_at(&f, reach.low) >= level - 1e-12))
      fail_msg("seed %llu: not above the level at %.17g", (unsigned long long)seed, reach.low);
    if (isfinite(reach.high) && !(convex_at(&f, reach.high) <= level + 1e-12))
      fail_msg("seed %llu: above the level at %.17g", (unsigned long long)seed, reach.high);
    for (int i = 0; i < SAMPLES; i++) {
      double x = part.low * i / (SAMPLES - 1);
      if (x > 0 && !(convex_at(&f, x) - convex_at(&g, x) <= most + 1e-12))
        fail_msg("seed %llu: too far above the other at %.17g", (unsigned long long)seed, x);
    }
    if (isfinite(part.high) && !(convex_at(&f, part.high) - convex_at(&g, part.high) >= most - 1e-12))
      fail_msg("seed %llu: not far above the other at %.17g", (unsigned long long)seed, part.high);
    reached += isfinite(reach.high) && reach.high < end && reach.high - reach.low < 0.1;
    parted += isfinite(part.high) && part.low > 0;
  }
  assert_true(reached > 300);
  assert_true(parted > 300);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_contains), cmocka_unit_test(test_kink),
                                     cmocka_unit_test(test_reach_and_part)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
