/* Price: the value over the price of asking, against closed forms and oracles.  Covers src/price/always.c.
 *
 * A failure of a random test names its seed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/model.h"
#include "support/environment.h"
#include "support/exact.h"
#include "support/failing_malloc.h"
#include "support/oracle.h"
#include "support/price.h"
#include "support/random_family.h"
#include "support/random_model.h"

static glimpse_price_curve *curve_of(const glimpse_model *model, uint64_t expansions, uint32_t points) {
  glimpse_price_options options = {.budget.expansions = expansions, .points = points};
  glimpse_price_curve *curve;
  assert_int_equal(glimpse_price_curve_new(model, &options, NULL, &curve), GLIMPSE_OK);
  return curve;
}

static void check_in(const char *what, double price, glimpse_interval in, double x, double slack) {
  if (!(in.low <= x + slack && x - slack <= in.high))
    fail_msg("%s at price %.9g: %.12g is not in [%.12g, %.12g]", what, price, x, in.low, in.high);
}

static void check_width(const char *what, glimpse_interval in, double most) {
  if (!(in.high - in.low <= most)) fail_msg("%s: [%.12g, %.12g] is wider than %g", what, in.low, in.high, most);
}

/* ------------------------------------------------------------- closed forms */

/* V = max(20 (10 - c), V off): it asks before each action or never. */
static void test_tiger(void **state) {
  (void)state;
  glimpse_model *model = environment_make("tiger");
  assert_int_equal(glimpse_model_set_cost(model, 0), GLIMPSE_OK);
  exact_line *line = exact_line_new(model);
  double off = exact_line_value(line, 0.5);
  exact_line_free(line);
  assert_int_equal(glimpse_model_set_cost(model, 1), GLIMPSE_OK);
  glimpse_price_curve *curve = curve_of(model, 2000, 16);
  glimpse_price_summary all = glimpse_price_curve_measure(curve);
  assert_true(all.points >= 4);
  for (size_t i = 0; i < all.points; i++) {
    const glimpse_price_point *point = glimpse_price_curve_point(curve, i);
    double c = point->price, asking = 20 * (10 - c);
    check_in("value", c, point->value, fmax(asking, off), 1e-8);
    check_in("always", c, point->always, fmax(asking, -c - 20), 1e-8); /* or asks once, and listens for ever */
    if (asking > off + 0.1) check_in("requests", c, point->requests, 20, 1e-6);
    if (asking < off - 0.1) check_in("requests", c, point->requests, 0, 0);
    if (asking > off + 0.1) check_in("gross", c, point->gross, 200, 1e-6);
    if (asking > off + 0.1) assert_true(point->ask && point->certain);
    if (asking < off - 0.1) assert_true(!point->ask && point->action == 0);
  }
  for (double c = 0; c < 15; c += 0.3) {
    glimpse_price_worth worth = glimpse_price_curve_at(curve, c);
    check_in("value between", c, worth.value, fmax(20 * (10 - c), off), 1e-8);
    check_in("requests between", c, worth.requests, 20 * (10 - c) > off ? 20 : 0, 1e-5);
    check_in("gross between", c, worth.gross, 20 * (10 - c) > off ? 200 : off, 1e-4);
    check_width("requests between", worth.requests, 1e-3);
  }
  check_in("off", 0, all.off, off, 1e-8);
  check_in("free", 0, all.free, 200, 1e-8);
  check_in("break-even", 0, all.even, 10 - (off + all.negligible) / 20, 1e-8);
  check_width("break-even", all.even, 1e-4);
  check_width("always", all.always, 1e-3);
  check_in("always", 0, all.always, 10 - off / 20, all.negligible);
  assert_true(all.never >= 9.04 && all.complete && !all.factor);
  assert_float_equal(all.own, 1, 0);
  glimpse_price_curve_free(curve);
  glimpse_model_free(model);
}

/* Nothing is seen: asking earns (1 - c) / (1 - g), and not asking 0. */
static void test_two_state(void **state) {
  (void)state;
  glimpse_model *model = environment_make("lemma2");
  double g = glimpse_model_discount(model);
  glimpse_price_curve *curve = curve_of(model, 200, 12);
  glimpse_price_summary all = glimpse_price_curve_measure(curve);
  for (size_t i = 0; i < all.points; i++) {
    const glimpse_price_point *point = glimpse_price_curve_point(curve, i);
    check_in("value", point->price, point->value, fmax((1 - point->price) / (1 - g), 0), 1e-7);
  }
  check_in("break-even", 0, all.even, 1 - all.negligible * (1 - g), 1e-7);
  check_width("break-even", all.even, 1e-3);
  glimpse_price_curve_free(curve);
  glimpse_model_free(model);
}

/* The toy: max(10 - 2 c, 9 - c, 5), with prices that depend on the state: the axis is a factor of c = 2. */
static void test_toy(void **state) {
  (void)state;
  glimpse_model *model = environment_make("toy:c=2");
  glimpse_price_curve *curve = curve_of(model, 200, 16);
  glimpse_price_summary all = glimpse_price_curve_measure(curve);
  assert_true(all.factor);
  assert_float_equal(all.own, 1, 0);
  for (size_t i = 0; i < all.points; i++) {
    const glimpse_price_point *point = glimpse_price_curve_point(curve, i);
    double f = point->price, n = f < 0.5 ? 4 : f < 2 ? 2 : 0;
    check_in("value", f, point->value, fmax(fmax(10 - 4 * f, 9 - 2 * f), 5), 1e-9);
    check_width("value", point->value, 1e-8);
    check_in("requests", f, point->requests, n, 1e-6);
    check_in("gross", f, point->gross, n > 3 ? 10 : n > 1 ? 9 : 5, 1e-6);
  }
  check_in("break-even", 0, all.even, 2 - all.negligible / 2, 1e-8);
  check_width("break-even", all.even, 1e-6);
  check_width("always", all.always, 1e-4);
  check_in("always", 0, all.always, 2, 1e-4);
  glimpse_price_curve_free(curve);
  glimpse_model_free(model);
}

/* Figures of the literature, found by other means (docs/RESULTS.md). */
static void test_robot_delivery(void **state) {
  (void)state;
  glimpse_model *model = environment_make("robot-delivery:n=3");
  glimpse_price_curve *curve = curve_of(model, 2000, 4);
  glimpse_price_summary all = glimpse_price_curve_measure(curve);
  check_in("value", 0.1, glimpse_price_curve_at(curve, 0.1).value, 2.503591, 1e-6);
  check_width("value", glimpse_price_curve_at(curve, 0.1).value, 1e-5);
  check_in("off", 0, all.off, 2.364923, 1e-6);
  assert_true(all.even.low <= 0.1492 && all.even.high >= 0.149);
  glimpse_price_curve_free(curve);
  glimpse_model_free(model);
}

/* ------------------------------------------------------------------- random */

/* The model at a price of the curve, in place: 0 is free, not off. */
static void set_price(glimpse_model *model, const double *unit, double price) {
  model->requests = true;
  if (unit)
    for (uint32_t s = 0; s < model->states; s++) model->costs[s] = price * unit[s];
  else model->cost = price;
}

/* V, its slope and what is earned, where two states allow an exact solution. */
static void test_slopes(void **state) {
  (void)state;
  unsigned exact = 0;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    random_shape shape = random_model_shape(seed, 2, 2, 2);
    shape.states = 2;
    shape.terminals = 0;
    shape.discount = 0.6;
    shape.cost = 1;
    shape.cost_by_state = false;
    glimpse_model *model = random_model_make(seed, &shape);
    glimpse_price_curve *curve = curve_of(model, seed % 3 ? 300 : 2, 6);
    glimpse_price_summary all = glimpse_price_curve_measure(curve);
    glimpse_row start = glimpse_model_start(model);
    double p = start.count == 2 ? start.value[1] : start.index[0] ? 1 : 0, size = 1 + fabs(all.off.low);
    for (size_t i = 0; i < all.points; i++) {
      const glimpse_price_point *point = glimpse_price_curve_point(curve, i);
      double c = point->price, h = 1e-3 * (1 + c), v[3];
      for (int k = 0; k < 3; k++) {
        set_price(model, NULL, fmax(c + (k - 1) * h, 0));
        exact_line *line = exact_line_new(model);
        v[k] = exact_line_value(line, p);
        exact_line_free(line);
      }
      check_in("value", c, point->value, v[1], 1e-8 * size);
      double left = c < h ? 1e9 : (v[0] - v[1]) / h, right = (v[1] - v[2]) / h, slack = 1e-8 * size / h;
      assert_true(left >= right - slack); /* convex */
      if (!(point->requests.low <= left + slack && right - slack <= point->requests.high))
        fail_msg("seed %llu: slopes %.9g and %.9g at %.9g, but requests in [%.9g, %.9g]", (unsigned long long)seed,
                 left, right, c, point->requests.low, point->requests.high);
      assert_true(point->gross.low <= v[1] + c * left + (1 + c) * slack);
      assert_true(v[1] + c * right - (1 + c) * slack <= point->gross.high);
      if (i) assert_true(point->price > glimpse_price_curve_point(curve, i - 1)->price);
      exact += point->requests.high - point->requests.low < 1e-3;
    }
    /* Nobody asks any more. */
    if (isfinite(all.never)) {
      set_price(model, NULL, all.never);
      exact_line *line = exact_line_new(model);
      check_in("off", all.never, all.off, exact_line_value(line, p), 1e-8 * size);
      exact_line_free(line);
    }
    glimpse_price_curve_free(curve);
    glimpse_model_free(model);
  }
  assert_true(exact > 10);
}

/* The plan that asks whenever it is not certain, by naive iteration. */
static double naive_always(const glimpse_model *model) {
  uint32_t states = model->states;
  double v[16] = {0}, next[16];
  for (int sweep = 0; sweep < 400; sweep++) {
    for (uint32_t s = 0; s < states; s++) {
      next[s] = -INFINITY;
      for (uint32_t a = 0; a < model->actions; a++) {
        glimpse_row row = glimpse_model_transition(model, a, s);
        double q = glimpse_model_reward(model, a, s);
        for (uint32_t o = 0; o < model->observations; o++) {
          double sum = 0, price = 0, sure = 0;
          unsigned possible = 0;
          for (size_t i = 0; i < row.count; i++) {
            glimpse_row seen = glimpse_model_observation(model, a, row.index[i]);
            for (size_t k = 0; k < seen.count; k++) {
              if (seen.index[k] != o) continue;
              double weight = row.value[i] * seen.value[k];
              possible++;
              sum += weight * v[row.index[i]];
              price += weight * price_in(model, row.index[i]);
              sure += weight;
            }
          }
          if (sure > 0) q += model->discount * (sum - (possible > 1 ? price : 0));
        }
        next[s] = fmax(next[s], glimpse_model_terminal(model, s) ? 0 : q);
      }
    }
    memcpy(v, next, sizeof v);
  }
  glimpse_row start = glimpse_model_start(model);
  double value = 0;
  for (size_t i = 0; i < start.count; i++)
    value += start.value[i] * (v[start.index[i]] - (start.count > 1 ? price_in(model, start.index[i]) : 0));
  return value;
}

static void test_always(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    random_shape shape = random_model_shape(seed, 5, 3, 4);
    shape.discount = 0.85;
    shape.cost = 0.5;
    glimpse_model *model = random_model_make(seed, &shape);
    double *unit = model->costs ? gli_memory_copy(model->costs, model->states, sizeof(double)) : NULL;
    glimpse_price_curve *curve = curve_of(model, 10, 6);
    glimpse_price_summary all = glimpse_price_curve_measure(curve);
    for (size_t i = 0; i < all.points; i++) {
      const glimpse_price_point *point = glimpse_price_curve_point(curve, i);
      set_price(model, unit, point->price);
      double value = naive_always(model);
      check_in("always", point->price, point->always, value, 1e-9 * (1 + fabs(value)));
      assert_true(point->always.low <= point->value.high);
    }
    glimpse_price_curve_free(curve);
    gli_memory_free(unit);
    glimpse_model_free(model);
  }
}

/* Every family, with hardly any budget and no tolerance. */
static void test_families(void **state) {
  (void)state;
  unsigned checked = 0, refused = 0;
  for (int family = 0; family < RANDOM_FAMILIES; family++)
    for (uint64_t seed = 1; seed <= 4; seed++) {
      random_member member = random_family_make((random_family)family, seed);
      glimpse_model *model = member.model;
      double *unit =
          model->requests && model->costs ? gli_memory_copy(model->costs, model->states, sizeof(double)) : NULL;
      glimpse_price_options options = {.budget.expansions = seed, .points = 5};
      glimpse_price_curve *curve;
      glimpse_status status = glimpse_price_curve_new(model, &options, NULL, &curve);
      if (status == GLIMPSE_NOT_APPLICABLE) refused++;
      else assert_int_equal(status, GLIMPSE_OK);
      for (size_t i = 0; !status && i < glimpse_price_curve_measure(curve).points; i++) {
        const glimpse_price_point *point = glimpse_price_curve_point(curve, i);
        set_price(model, unit, point->price);
        oracle *o = oracle_new(model, member.horizon);
        oracle_range value = oracle_value(o, glimpse_model_start(model));
        if (precise_below(value.high, point->value.low) || precise_above(value.low, point->value.high))
          fail_msg("%s, seed %llu: the value at %.17g is not in [%.17g, %.17g]",
                   random_family_key((random_family)family), (unsigned long long)seed, point->price, point->value.low,
                   point->value.high);
        oracle_free(o);
        checked++;
      }
      if (!status) glimpse_price_curve_free(curve);
      gli_memory_free(unit);
      glimpse_model_free(model);
    }
  assert_true(checked > 150);
  assert_true(refused < 10);
}

/* ------------------------------------------------------------------ the rest */

static void test_same(void **state) {
  (void)state;
  glimpse_model *model = environment_make("robot-delivery:n=2");
  glimpse_price_curve *one = curve_of(model, 100, 9), *two = curve_of(model, 100, 9);
  size_t count = glimpse_price_curve_measure(one).points;
  assert_int_equal(count, glimpse_price_curve_measure(two).points);
  for (size_t i = 0; i < count; i++) {
    glimpse_price_point a = *glimpse_price_curve_point(one, i), b = *glimpse_price_curve_point(two, i);
    assert_true(!(a.price < b.price || a.price > b.price));
    assert_memory_equal(&a.value, &b.value, sizeof a.value);
    assert_memory_equal(&a.requests, &b.requests, sizeof a.requests);
    assert_memory_equal(&a.gross, &b.gross, sizeof a.gross);
    assert_int_equal(a.expansions, b.expansions);
  }
  assert_null(glimpse_price_curve_point(one, count));
  assert_true(isnan(glimpse_price_curve_at(one, -1).value.low));
  assert_true(isnan(glimpse_price_curve_at(one, (double)NAN).value.high));
  glimpse_price_curve_free(one);
  glimpse_price_curve_free(two);
  glimpse_price_curve_free(NULL);
  glimpse_model_free(model);
}

static void test_refusals(void **state) {
  (void)state;
  glimpse_model *model = environment_make("tiger");
  glimpse_price_curve *curve = NULL;
  const glimpse_price_options wrong[] = {{.points = 1},
                                         {.points = 501},
                                         {.max_price = -1},
                                         {.max_price = (double)INFINITY},
                                         {.max_price = (double)NAN},
                                         {.negligible = -1},
                                         {.negligible = (double)NAN},
                                         {.budget.time = -1},
                                         {.budget.epsilon = (double)NAN}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    assert_int_equal(glimpse_price_curve_new(model, &wrong[i], NULL, &curve), GLIMPSE_BAD_ARGUMENT);
    assert_null(curve);
  }
  assert_int_equal(glimpse_model_set_discount(model, 1), GLIMPSE_OK);
  assert_int_equal(glimpse_price_curve_new(model, NULL, NULL, &curve), GLIMPSE_NOT_APPLICABLE);
  glimpse_model_free(model);
}

static bool enough(void *context, const glimpse_price_point *point, size_t count, size_t most) {
  (void)point;
  assert_int_equal(most, 16);
  *(size_t *)context = count;
  return count < 3;
}

/* Ended by the caller, and by an interrupt that was there before: what there is is valid. */
static void test_ends(void **state) {
  (void)state;
  glimpse_model *model = environment_make("robot-delivery:n=2");
  size_t count = 0;
  volatile int interrupt = 1;
  glimpse_price_options options = {.budget.expansions = 10, .done = enough, .context = &count};
  glimpse_price_curve *curve;
  assert_int_equal(glimpse_price_curve_new(model, &options, NULL, &curve), GLIMPSE_OK);
  assert_int_equal(count, 3);
  assert_int_equal(glimpse_price_curve_measure(curve).points, 4); /* the end of the axis takes no search */
  assert_false(glimpse_price_curve_measure(curve).complete);
  glimpse_price_curve_free(curve);
  options = (glimpse_price_options){.budget = {.expansions = 1000000, .interrupt = &interrupt}, .max_price = 0.05};
  assert_int_equal(glimpse_price_curve_new(model, &options, NULL, &curve), GLIMPSE_OK);
  glimpse_price_summary all = glimpse_price_curve_measure(curve);
  assert_int_equal(all.points, 1);
  assert_true(all.off.low <= all.off.high && all.off.high <= all.free.high);
  assert_true(glimpse_price_curve_at(curve, 1).value.low <= glimpse_price_curve_at(curve, 1).value.high);
  glimpse_price_curve_free(curve);
  glimpse_model_free(model);
}

/* An axis that ends before asking stops to pay. */
static void test_short_axis(void **state) {
  (void)state;
  glimpse_model *model = environment_make("tiger:c=0");
  glimpse_price_options options = {.budget.expansions = 1000, .points = 5, .max_price = 4};
  glimpse_price_curve *curve;
  assert_int_equal(glimpse_price_curve_new(model, &options, NULL, &curve), GLIMPSE_OK);
  glimpse_price_summary all = glimpse_price_curve_measure(curve);
  assert_true(isnan(all.own));
  assert_float_equal(glimpse_price_curve_point(curve, all.points - 1)->price, 4, 0);
  assert_float_equal(all.even.low, 4, 0);
  assert_float_equal(all.even.high, all.never, 0);
  glimpse_interval beyond = glimpse_price_curve_at(curve, 8).value;
  assert_true(beyond.low <= 40 && 40 <= beyond.high);
  glimpse_price_curve_free(curve);
  glimpse_model_free(model);
}

static glimpse_status job(void *context) {
  glimpse_price_options options = {.budget.expansions = 1, .points = 2};
  glimpse_price_curve *curve;
  glimpse_status status = glimpse_price_curve_new(context, &options, NULL, &curve);
  if (!status) glimpse_price_curve_free(curve);
  return status;
}

static void test_memory(void **state) {
  (void)state;
  glimpse_model *model = environment_make("toy");
  assert_true(failing_malloc_sweep(job, model) > 100);
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tiger),          cmocka_unit_test(test_two_state),  cmocka_unit_test(test_toy),
      cmocka_unit_test(test_robot_delivery), cmocka_unit_test(test_slopes),     cmocka_unit_test(test_always),
      cmocka_unit_test(test_families),       cmocka_unit_test(test_same),       cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_ends),           cmocka_unit_test(test_short_axis), cmocka_unit_test(test_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
