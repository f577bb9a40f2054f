/* Prove: against a naive evaluation of the definition, and against exact values, which no ceiling, good or bad, proves
 * wrong. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "support/failing_malloc.h"
#include "support/naive_ceiling.h"
#include "support/oracle.h"
#include "support/random_model.h"

enum { MODELS = 300, MOST_STATES = 6, MOST_POINTS = 12 };

/* Any numbers: around a level that may be above or below all values. */
static gli_ceiling *random_ceiling(const glimpse_model *model, gli_random *random) {
  uint32_t states = glimpse_model_count(model, GLIMPSE_STATE), actions = glimpse_model_count(model, GLIMPSE_ACTION);
  gli_ceiling *ceiling = gli_ceiling_new(states, actions);
  assert_non_null(ceiling);
  double level = 40 * gli_random_unit(random) - 10, spread = 1 + 10 * gli_random_unit(random);
  for (uint32_t i = 0; i < states * actions; i++) ceiling->corner[i] = level + spread * gli_random_unit(random);
  for (uint64_t points = gli_random_below(random, MOST_POINTS); points > 0; points--) {
    double dense[MOST_STATES], mass[MOST_STATES], values[8];
    uint32_t index[MOST_STATES];
    random_belief(random, states, dense);
    for (uint32_t a = 0; a < actions; a++)
      values[a] = gli_random_below(random, 4) ? level - spread * gli_random_unit(random) : INFINITY;
    assert_true(gli_ceiling_add(ceiling, random_belief_row(dense, states, index, mass), values));
  }
  return ceiling;
}

static uint64_t finite_numbers(const gli_ceiling *ceiling) {
  uint64_t count = (uint64_t)ceiling->states * ceiling->actions;
  for (size_t i = 0; i < ceiling->points * ceiling->actions; i++) count += isfinite(ceiling->value[i]);
  return count;
}

static void check(uint64_t seed, const glimpse_model *model, const gli_ceiling *ceiling) {
  glimpse_row start = glimpse_model_start(model);
  double dense[NAIVE_CEILING_STATES], discount = glimpse_model_discount(model);
  naive_ceiling_dense(start, model, dense);
  double excess = naive_ceiling_excess(ceiling, model);
  double upper = naive_ceiling_value(ceiling, model, dense) + excess / (1 - discount);
  gli_proved proved;
  assert_true(gli_ceiling_prove(ceiling, model, start, &proved));
  double slack = 1e-10 * (1 + fabs(upper)) / (1 - discount);
  if (!(proved.excess >= excess && proved.excess <= excess + slack))
    fail_msg("seed %llu: excess %.17g, wanted %.17g", (unsigned long long)seed, proved.excess, excess);
  if (!(proved.upper >= upper && proved.upper <= upper + slack / (1 - discount)))
    fail_msg("seed %llu: upper %.17g, wanted %.17g", (unsigned long long)seed, proved.upper, upper);
  assert_int_equal(proved.numbers, finite_numbers(ceiling));
  oracle *truth = oracle_new(model, 4);
  if (precise_above(oracle_value(truth, start).low, proved.upper))
    fail_msg("seed %llu: %.17g is proved, but the value is above it", (unsigned long long)seed, proved.upper);
  oracle_free(truth);
}

static void naive(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= MODELS; seed++) {
    random_shape shape = random_model_shape(seed, MOST_STATES, 3, 3);
    shape.discount = fmin(shape.discount, 0.97);
    glimpse_model *model = random_model_make(seed, &shape);
    gli_random random = gli_random_stream(seed, "ceilings", 0);
    for (int i = 0; i < 3; i++) {
      gli_ceiling *ceiling = random_ceiling(model, &random);
      check(seed, model, ceiling);
      gli_ceiling_free(ceiling);
    }
    glimpse_model_free(model);
  }
}

/* ------------------------------------------------------------------ refusals */

static void refuse(const glimpse_model *model, const gli_ceiling *ceiling, const char *what) {
  gli_proved proved;
  assert_true(gli_ceiling_prove(ceiling, model, glimpse_model_start(model), &proved));
  if (proved.upper != INFINITY) fail_msg("%s: %.17g is proved", what, proved.upper);
  assert_true(proved.excess == INFINITY);
}

/* What is no ceiling proves nothing. */
static void wrong(void **state) {
  (void)state;
  glimpse_model *model;
  assert_int_equal(glimpse_environment_make("tiger", NULL, &model), GLIMPSE_OK);
  gli_ceiling *ceiling = gli_ceiling_new(2, 3);
  uint32_t both[] = {0, 1};
  double mass[] = {0.5, 0.5}, values[] = {200, 200, 200};
  for (int i = 0; i < 6; i++) ceiling->corner[i] = 200;
  assert_true(gli_ceiling_add(ceiling, (glimpse_row){2, both, mass}, values));
  gli_proved proved;
  assert_true(gli_ceiling_prove(ceiling, model, glimpse_model_start(model), &proved));
  assert_true(proved.upper >= 200 && proved.upper < 200.001);

  const double numbers[] = {INFINITY, -INFINITY, NAN};
  for (int i = 0; i < 3; i++) {
    ceiling->corner[4] = numbers[i];
    refuse(model, ceiling, "a corner that is no number");
    ceiling->corner[4] = 200;
    if (numbers[i] == INFINITY) continue;
    ceiling->value[1] = numbers[i];
    refuse(model, ceiling, "a point without a number");
    ceiling->value[1] = 200;
  }
  const double masses[] = {0, -0.5, NAN, INFINITY, 100};
  for (int i = 0; i < 5; i++) {
    ceiling->mass[1] = masses[i];
    refuse(model, ceiling, "a mass that is none");
    ceiling->mass[1] = 0.5;
  }
  ceiling->state[1] = 0;
  refuse(model, ceiling, "a state twice");
  ceiling->state[1] = 2;
  refuse(model, ceiling, "a state that does not exist");
  ceiling->state[1] = 1;
  ceiling->states = 1;
  refuse(model, ceiling, "another number of states");
  ceiling->states = 2;
  assert_int_equal(glimpse_model_set_discount(model, 1), GLIMPSE_OK);
  refuse(model, ceiling, "a model without discount");
  gli_ceiling_free(ceiling);
  glimpse_model_free(model);
}

/* A point stands for its masses divided by their sum, whatever that is. */
static void scaled(void **state) {
  (void)state;
  random_shape shape = random_model_shape(7, 5, 3, 3);
  shape.discount = 0.9;
  glimpse_model *model = random_model_make(7, &shape);
  gli_random random = gli_random_stream(7, "ceilings", 0);
  gli_ceiling *ceiling = NULL;
  while (!ceiling || ceiling->points < 4) {
    gli_ceiling_free(ceiling);
    ceiling = random_ceiling(model, &random);
  }
  gli_proved before, after;
  assert_true(gli_ceiling_prove(ceiling, model, glimpse_model_start(model), &before));
  for (size_t i = 0; i < ceiling->first[ceiling->points]; i++) ceiling->mass[i] *= 0.75;
  assert_true(gli_ceiling_prove(ceiling, model, glimpse_model_start(model), &after));
  assert_true(fabs(before.upper - after.upper) < 1e-9 && fabs(before.excess - after.excess) < 1e-9);
  gli_ceiling_free(ceiling);
  glimpse_model_free(model);
}

/* --------------------------------------------------------------------- memory */

struct proving {
  const glimpse_model *model;
  const gli_ceiling *ceiling;
};

static glimpse_status prove(void *context) {
  const struct proving *it = context;
  gli_proved proved;
  return gli_ceiling_prove(it->ceiling, it->model, glimpse_model_start(it->model), &proved) ? GLIMPSE_OK
                                                                                            : GLIMPSE_NO_MEMORY;
}

static void failing(void **state) {
  (void)state;
  random_shape shape = random_model_shape(3, 5, 3, 3);
  shape.discount = 0.9;
  glimpse_model *model = random_model_make(3, &shape);
  gli_random random = gli_random_stream(3, "ceilings", 0);
  gli_ceiling *ceiling = random_ceiling(model, &random);
  struct proving it = {model, ceiling};
  assert_true(failing_malloc_sweep(prove, &it) >= 10);
  gli_ceiling_free(ceiling);
  glimpse_model_free(model);
}

/* Sums of such numbers overflow, and prove nothing. */
static void too_large(void **state) {
  (void)state;
  glimpse_model *model;
  gli_proved proved;
  assert_int_equal(glimpse_environment_make("tiger", NULL, &model), GLIMPSE_OK);
  gli_ceiling *ceiling = gli_ceiling_new(2, 3);
  uint32_t index[] = {0, 1};
  double mass[] = {0.5, 0.5}, values[] = {-1.79e308, -1.79e308, -1.79e308};
  assert_non_null(ceiling);
  for (int i = 0; i < 6; i++) ceiling->corner[i] = 1.79e308;
  assert_true(gli_ceiling_add(ceiling, (glimpse_row){2, index, mass}, values));
  assert_true(gli_ceiling_prove(ceiling, model, glimpse_model_start(model), &proved));
  assert_true(proved.upper == INFINITY);
  gli_ceiling_free(ceiling);
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(naive), cmocka_unit_test(wrong), cmocka_unit_test(scaled),
                                     cmocka_unit_test(too_large), cmocka_unit_test(failing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
