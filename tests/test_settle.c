/* Settle: ceilings that prove themselves, on models of all kinds: against exact values, against the naive definition,
 * and how good they are where the value is known; limits; memory.
 *
 * Covers src/policy/slate.c, src/policy/thin.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "support/exact.h"
#include "support/failing_malloc.h"
#include "support/naive_ceiling.h"
#include "support/oracle.h"
#include "support/random_family.h"
#include "support/random_model.h"

enum { MODELS = 200 };

/* Settles from nothing and proves; the caller frees. */
static gli_ceiling *settle(const glimpse_model *model, const gli_settle *how, gli_proved *proved) {
  glimpse_row start = glimpse_model_start(model);
  double upper;
  gli_ceiling *ceiling =
      gli_ceiling_new(glimpse_model_count(model, GLIMPSE_STATE), glimpse_model_count(model, GLIMPSE_ACTION));
  assert_non_null(ceiling);
  assert_true(gli_ceiling_settle(ceiling, model, start, how, &upper));
  assert_true(gli_ceiling_prove(ceiling, model, start, proved));
  if (!(fabs(proved->upper - upper) <= 1e-6 * (1 + fabs(upper))))
    fail_msg("settled at %.12g, proved %.12g, excess %.3g", upper, proved->upper, proved->excess);
  return ceiling;
}

static void check_value(const glimpse_model *model, const gli_proved *proved, unsigned horizon, uint64_t seed) {
  oracle *truth = oracle_new(model, horizon);
  if (precise_above(oracle_value(truth, glimpse_model_start(model)).low, proved->upper))
    fail_msg("seed %llu: %.17g is proved, but the value is above it", (unsigned long long)seed, proved->upper);
  oracle_free(truth);
}

/* Of the naive definition, nothing is below its look ahead; and one number that is lowered is found. */
static void check_numbers(const glimpse_model *model, gli_ceiling *ceiling, const gli_proved *proved, uint64_t seed) {
  double excess = naive_ceiling_excess(ceiling, model), discount = glimpse_model_discount(model), scale = 1;
  for (uint32_t i = 0; i < ceiling->states * ceiling->actions; i++) scale = fmax(scale, fabs(ceiling->corner[i]));
  if (excess > 1e-8 * scale) fail_msg("seed %llu: an excess of %.3g", (unsigned long long)seed, excess);
  uint32_t i = (uint32_t)(seed % (ceiling->states * ceiling->actions));
  gli_proved damaged;
  double kept = ceiling->corner[i];
  ceiling->corner[i] -= 10 * scale / (1 - discount); /* far below any value */
  assert_true(gli_ceiling_prove(ceiling, model, glimpse_model_start(model), &damaged));
  ceiling->corner[i] = kept;
  if (!(damaged.excess > scale)) fail_msg("seed %llu: a lowered number is not found", (unsigned long long)seed);
  assert_true(damaged.upper >= proved->upper - 1e-6 * scale / (1 - discount));
}

static void random_models(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= MODELS; seed++) {
    random_shape shape = random_model_shape(seed, 5, 3, 3);
    shape.discount = fmin(shape.discount, 0.97);
    glimpse_model *model = random_model_make(seed, &shape);
    gli_settle how = {.target = -INFINITY, .until = INFINITY, .max_bytes = 1 << 21};
    gli_proved proved;
    gli_ceiling *ceiling = settle(model, &how, &proved);
    check_value(model, &proved, 4, seed);
    if (ceiling->points < 60) check_numbers(model, ceiling, &proved, seed);
    gli_ceiling_free(ceiling);
    glimpse_model_free(model);
  }
}

/* Extreme models, with no tolerance at all. */
static void families(void **state) {
  (void)state;
  for (int family = 0; family < RANDOM_FAMILIES; family++)
    for (uint64_t seed = 1; seed <= 12; seed++) {
      random_member member = random_family_make((random_family)family, seed);
      glimpse_row start = glimpse_model_start(member.model);
      gli_ceiling *ceiling = gli_ceiling_new(glimpse_model_count(member.model, GLIMPSE_STATE),
                                             glimpse_model_count(member.model, GLIMPSE_ACTION));
      gli_settle how = {.target = -INFINITY, .until = INFINITY, .max_bytes = 1 << 20};
      gli_proved proved;
      double upper;
      assert_true(gli_ceiling_settle(ceiling, member.model, start, &how, &upper));
      assert_true(gli_ceiling_prove(ceiling, member.model, start, &proved));
      check_value(member.model, &proved, member.horizon, seed);
      gli_ceiling_free(ceiling);
      glimpse_model_free(member.model);
    }
}

/* Two states: the value is known. */
static void two_states(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    random_shape shape = random_model_shape(seed, 2, 3, 3);
    shape.states = 2;
    shape.terminals = 0;
    shape.discount = fmin(shape.discount, 0.95);
    glimpse_model *model = random_model_make(seed, &shape);
    gli_settle how = {.target = -INFINITY, .until = INFINITY, .max_bytes = 1 << 22};
    gli_proved proved;
    gli_ceiling *ceiling = settle(model, &how, &proved);
    exact_line *line = exact_line_new(model);
    double dense[NAIVE_CEILING_STATES];
    naive_ceiling_dense(glimpse_model_start(model), model, dense);
    double value = exact_line_value(line, dense[1]);
    if (!(proved.upper >= value - 1e-8 * (1 + fabs(value)) && proved.upper <= value + 1e-3 * (1 + fabs(value))))
      fail_msg("seed %llu: %.12g is proved, the value is %.12g", (unsigned long long)seed, proved.upper, value);
    exact_line_free(line);
    gli_ceiling_free(ceiling);
    glimpse_model_free(model);
  }
}

/* Environments whose value is known. */
static void known(void **state) {
  (void)state;
  const struct {
    const char *spec;
    double cost, value; /* a cost below 0: the model's */
  } all[] = {{"tiger", 0, 19.371368}, {"tiger", 1, 180}, {"robot-delivery:n=3", 0.1, 2.503591}, {"toy", -1, 7}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    glimpse_model *model;
    assert_int_equal(glimpse_environment_make(all[i].spec, NULL, &model), GLIMPSE_OK);
    if (all[i].cost >= 0) assert_int_equal(glimpse_model_set_cost(model, all[i].cost), GLIMPSE_OK);
    gli_settle how = {.target = all[i].value * 1.001, .until = INFINITY};
    gli_proved proved;
    gli_ceiling *ceiling = settle(model, &how, &proved);
    if (!(proved.upper >= all[i].value - 1e-6 && proved.upper <= all[i].value * 1.001 + 1e-6))
      fail_msg("%s: %.9g is proved, the value is %.9g", all[i].spec, proved.upper, all[i].value);
    gli_ceiling_free(ceiling);
    glimpse_model_free(model);
  }
}

/* Without time, with the interrupt raised and with little memory it is no worse than the fast informed bound. */
static void limits(void **state) {
  (void)state;
  glimpse_model *model;
  assert_int_equal(glimpse_environment_make("robot-delivery:n=3", NULL, &model), GLIMPSE_OK);
  glimpse_bound *bound;
  assert_int_equal(glimpse_bound_new(model, glimpse_offline_upper(model), NULL, NULL, &bound), GLIMPSE_OK);
  double offline = glimpse_bound_value(bound, glimpse_model_start(model)) + 1e-6;
  int raised = 1;
  gli_settle hows[] = {{.target = -INFINITY, .until = INFINITY, .interrupt = &raised},
                       {.target = INFINITY, .until = INFINITY},
                       {.target = -INFINITY, .until = INFINITY, .max_bytes = 1 << 20},
                       {.target = -INFINITY, .until = gli_clock_now() + 0.01}};
  for (size_t i = 0; i < sizeof hows / sizeof *hows; i++) {
    gli_proved proved;
    gli_ceiling *ceiling = settle(model, &hows[i], &proved);
    if (i < 3) assert_true(proved.upper <= offline); /* a bound that lacked the time is larger */
    if (i < 2) assert_int_equal(ceiling->points, 0);
    if (i == 2) assert_true(proved.upper < 2.75 && ceiling->points > 0);
    gli_ceiling_free(ceiling);
  }
  glimpse_bound_free(bound);
  glimpse_model_free(model);
}

/* The same input gives the same bits, whatever was in the ceiling before. */
static void again(void **state) {
  (void)state;
  glimpse_model *model;
  assert_int_equal(glimpse_environment_make("robot-delivery:n=3", NULL, &model), GLIMPSE_OK);
  gli_settle how = {.target = 2.55, .until = INFINITY};
  gli_proved first, second;
  gli_ceiling *one = settle(model, &how, &first), *two = settle(model, &how, &second);
  for (int i = 0; i < 2; i++) {
    assert_true(first.upper == second.upper && one->points == two->points);
    assert_memory_equal(one->value, two->value, one->points * one->actions * sizeof *one->value);
    double upper;
    assert_true(gli_ceiling_settle(two, model, glimpse_model_start(model), &how, &upper));
    assert_true(gli_ceiling_prove(two, model, glimpse_model_start(model), &second));
  }
  gli_ceiling_free(one);
  gli_ceiling_free(two);
  glimpse_model_free(model);
}

/* --------------------------------------------------------------------- memory */

static glimpse_status job(void *context) {
  const glimpse_model *model = context;
  gli_settle how = {.target = 19.6, .until = INFINITY};
  double upper;
  gli_ceiling *ceiling = gli_ceiling_new(2, 3);
  if (!ceiling) return GLIMPSE_NO_MEMORY;
  bool done = gli_ceiling_settle(ceiling, model, glimpse_model_start(model), &how, &upper);
  gli_ceiling_free(ceiling);
  return done ? GLIMPSE_OK : GLIMPSE_NO_MEMORY;
}

static void failing(void **state) {
  (void)state;
  glimpse_model *model;
  assert_int_equal(glimpse_environment_make("tiger", NULL, &model), GLIMPSE_OK);
  assert_int_equal(glimpse_model_set_cost(model, 0), GLIMPSE_OK);
  assert_true(failing_malloc_sweep(job, model) > 60);
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_models), cmocka_unit_test(families),
                                     cmocka_unit_test(two_states),    cmocka_unit_test(known),
                                     cmocka_unit_test(limits),        cmocka_unit_test(again),
                                     cmocka_unit_test(failing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
