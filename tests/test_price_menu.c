/* Price of one inquiry of a menu: the value over it, against the recursion and a closed form.  Covers src/price/menu.c.
 *
 * A failure of a random test names its seed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "glimpse.h"
#include "support/failing_malloc.h"
#include "support/inquiries.h"

enum { EVERY = 7, PRICES = 6 };

static glimpse_price_curve *curve_of(const glimpse_model *model, const char *inquiry, uint32_t points) {
  glimpse_price_options options = {.budget.expansions = 60, .points = points, .inquiry = inquiry};
  glimpse_price_curve *curve;
  assert_int_equal(glimpse_price_curve_new(model, &options, NULL, &curve), GLIMPSE_OK);
  return curve;
}

static void check_in(uint64_t seed, const char *what, double price, glimpse_interval in, double low, double high) {
  if (!(in.low <= high + 1e-9 && low - 1e-9 <= in.high && in.low <= in.high + 1e-9))
    fail_msg("seed %llu, %s at %.9g: [%.12g, %.12g], expected [%.12g, %.12g]", (unsigned long long)seed, what, price,
             in.low, in.high, low, high);
}

/* V at a price, exactly, by the recursion. */
static double exact(glimpse_model *model, uint32_t inquiry, double price) {
  double low, high;
  assert_int_equal(glimpse_model_inquiry_set_price(model, inquiry, price), GLIMPSE_OK);
  inquiries_value(model, glimpse_model_start(model), 0, &low, &high);
  assert_true(low == high);
  return low;
}

/* Values are those of the recursion; V is convex, and falls by what the best plan asks: of two prices, the fall between
 * them is at most the requests at the lower one, and at least those at the higher one. */
static void check_curve(uint64_t seed, glimpse_model *model, uint32_t inquiry, double *gained) {
  glimpse_price_curve *curve = curve_of(model, glimpse_model_inquiry(model, inquiry).name, 8);
  glimpse_price_summary all = glimpse_price_curve_measure(curve);
  assert_true(all.inquiry == inquiry && isnan(all.always.low) && isnan(all.always.high));
  bool factor = all.factor;
  double value[PRICES], price[PRICES] = {0, 0.01, 0.03, 0.1, 0.3, 2};
  if (factor) {
    double low, high;
    assert_true(all.own == 1);
    inquiries_value(model, glimpse_model_start(model), 0, &low, &high);
    check_in(seed, "value", 1, glimpse_price_curve_at(curve, 1).value, low, high);
  } else {
    assert_true(all.own == glimpse_model_inquiry_price(model, inquiry, 0));
  }
  double none = exact(model, inquiry, 1e9);
  check_in(seed, "off", 0, all.off, none, none);
  for (int i = 0; i < PRICES; i++) value[i] = exact(model, inquiry, price[i]);
  check_in(seed, "free", 0, all.free, value[0], value[0]);
  for (int i = 0; i < PRICES && !factor; i++)
    check_in(seed, "value", price[i], glimpse_price_curve_at(curve, price[i]).value, value[i], value[i]);
  for (int i = 1; i < PRICES && !factor; i++) {
    double fall = (value[i - 1] - value[i]) / (price[i] - price[i - 1]);
    glimpse_interval above = glimpse_price_curve_at(curve, price[i]).requests;
    glimpse_interval below = glimpse_price_curve_at(curve, price[i - 1]).requests;
    check_in(seed, "fall", price[i], (glimpse_interval){above.low, below.high}, fall, fall);
    if (i > 1 && fall > (value[i - 2] - value[i - 1]) / (price[i - 1] - price[i - 2]) + 1e-9)
      fail_msg("seed %llu: the recursion is not convex at %g", (unsigned long long)seed, price[i - 1]);
  }
  if (!factor && isfinite(all.never))
    check_in(seed, "never", all.never, (glimpse_interval){none, none}, exact(model, inquiry, all.never), none);
  *gained += value[0] > none + 1e-6;
  glimpse_price_curve_free(curve);
}

static void test_random(void **state) {
  (void)state;
  double gained = 0, all = 0;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    inquiries_wish wish = {.inquiries = 1 + seed % 3, .timings = EVERY, .horizon = true, .limit = seed % 2};
    wish.undiscounted = seed % 4 == 1;
    wish.ends = seed % 5 == 0;
    glimpse_model *model = inquiries_make(&wish, seed);
    if (!glimpse_model_limits(model).horizon) {
      glimpse_model_free(model);
      continue;
    }
    check_curve(seed, model, (uint32_t)(seed / 3) % glimpse_model_inquiries(model), &gained);
    glimpse_model_free(model);
    all++;
  }
  if (!(all > 15 && gained > all / 4)) fail_msg("asking gains in %g of %g models", gained, all);
}

/* A coin that is thrown anew at each step.  `look` tells how it fell, at the price c; `peek` does so at 0.3.  Guessing
 * earns 1/2, knowing 1: V = 10 max(1/2, 1 - c, 1 - 0.3), or without `peek` 10 max(1/2, 1 - c). */
static glimpse_model *coin(bool peek) {
  glimpse_builder *b = glimpse_builder_new(2, 2, 1);
  glimpse_builder_discount(b, 0.9);
  for (uint32_t a = 0; a < 2; a++) {
    for (uint32_t s = 0; s < 2; s++) glimpse_builder_transition(b, a, GLIMPSE_ANY, s, 0.5);
    glimpse_builder_observation(b, a, GLIMPSE_ANY, 0, 1);
    glimpse_builder_reward(b, a, a, GLIMPSE_ANY, GLIMPSE_ANY, 1);
  }
  for (uint32_t i = 0; i <= peek; i++) {
    glimpse_builder_inquiry(b, &(glimpse_inquiry){.name = i ? "peek" : "look", .answers = 2}, NULL);
    glimpse_builder_inquiry_price(b, i, GLIMPSE_ANY, i ? 0.3 : 0.1);
    for (uint32_t s = 0; s < 2; s++) glimpse_builder_inquiry_answer(b, i, s, s, 1);
  }
  glimpse_model *model;
  assert_int_equal(glimpse_builder_finish(b, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(b);
  return model;
}

static void test_coin(void **state) {
  (void)state;
  for (int peek = 0; peek < 2; peek++) {
    glimpse_model *model = coin(peek);
    glimpse_price_curve *curve = curve_of(model, peek ? "look" : NULL, 16);
    glimpse_price_summary all = glimpse_price_curve_measure(curve);
    double off = peek ? 7 : 5, even = peek ? 0.3 : 0.5;
    check_in(0, "off", 0, all.off, off, off);
    check_in(0, "free", 0, all.free, 10, 10);
    assert_true(!all.factor && all.own == 0.1 && all.inquiry == 0 && all.never >= even);
    assert_true(all.even.low >= even - 0.02 && all.even.high <= even + 0.001);
    for (size_t i = 0; i < all.points; i++) {
      const glimpse_price_point *point = glimpse_price_curve_point(curve, i);
      double c = point->price, value = fmax(10 * (1 - c), off);
      check_in(0, "value", c, point->value, value, value);
      if (c < even - 0.01) check_in(0, "requests", c, point->requests, 10, 10);
      if (c < even - 0.01) check_in(0, "gross", c, point->gross, 10, 10);
      if (c < even - 0.01) assert_true(point->ask && point->inquiry == 0 && point->action == GLIMPSE_ANY);
      if (c > even + 0.01) check_in(0, "requests", c, point->requests, 0, 0);
      if (c > even + 0.01) assert_true(point->inquiry == (peek ? 1 : GLIMPSE_ANY) && point->ask == peek);
      if (c > even + 0.01 && !peek) assert_true(point->action < 2);
    }
    glimpse_price_curve_free(curve);
    glimpse_model_free(model);
  }
}

static void test_wrong(void **state) {
  (void)state;
  glimpse_model *two = coin(true), *tiger;
  glimpse_report *report = glimpse_report_new();
  glimpse_price_curve *curve;
  glimpse_price_options options = {.budget.expansions = 10};
  assert_int_equal(glimpse_price_curve_new(two, &options, report, &curve), GLIMPSE_BAD_ARGUMENT);
  assert_true(!curve && strstr(glimpse_report_get(report, 0)->text, "say whose price is meant"));
  options.inquiry = "camera";
  assert_int_equal(glimpse_price_curve_new(two, &options, report, &curve), GLIMPSE_BAD_ARGUMENT);
  assert_true(!curve && strstr(glimpse_report_get(report, 1)->text, "there is no inquiry 'camera'"));
  assert_int_equal(glimpse_environment_make("tiger", NULL, &tiger), GLIMPSE_OK);
  assert_int_equal(glimpse_price_curve_new(tiger, &options, report, &curve), GLIMPSE_BAD_ARGUMENT);
  assert_null(curve);
  glimpse_report_free(report);
  glimpse_model_free(tiger);
  glimpse_model_free(two);
}

static glimpse_status job(void *context) {
  glimpse_price_curve *curve;
  glimpse_price_options options = {.budget.expansions = 3, .points = 2, .inquiry = "look"};
  glimpse_status status = glimpse_price_curve_new(context, &options, NULL, &curve);
  glimpse_price_curve_free(curve);
  return status;
}

static void test_memory(void **state) {
  (void)state;
  glimpse_model *model = coin(true);
  assert_true(failing_malloc_sweep(job, model) > 50);
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_coin),
                                     cmocka_unit_test(test_wrong), cmocka_unit_test(test_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
