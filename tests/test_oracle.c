/* Oracle: the judge of test_random_models, against closed forms and the plainer exact.h. */
#include "support/oracle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/exact.h"
#include "support/random_model.h"

/* Is x within the error of the number, and the error small? */
static bool is(precise a, double x, double most) {
  return !precise_below(a, x) && !precise_above(a, x) && a.error <= most;
}

static void test_numbers(void **state) {
  (void)state;
  precise third = precise_divide(precise_of(1), precise_of(3)), sum = precise_of(0);
  assert_true(is(precise_add(third, precise_add(third, third)), 1, 1e-27));
  assert_false(is(third, 1.0 / 3, 1)); /* the double is off by more than the error */
  for (int k = 1; k <= 1000; k++)
    sum = precise_add(sum, precise_divide(precise_of(1), precise_multiply(precise_of(k), precise_of(k + 1))));
  assert_true(is(precise_multiply(sum, precise_of(1001)), 1000, 1e-22));
  assert_true(precise_below(sum, 1) && precise_above(sum, 0.998));
  precise big = precise_add(precise_of(1e16), precise_of(1)), one = precise_subtract(big, precise_of(1e16));
  assert_true(is(one, 1, 1e-11) && !is(one, 1 + 1e-10, 1e-11));
  precise square = precise_multiply(precise_of(1 + 0x1p-40), precise_of(1 + 0x1p-40));
  assert_true(is(precise_subtract(square, precise_of(1 + 0x1p-39)), 0x1p-80, 0x1p-90));
  assert_true(precise_value(precise_larger(third, precise_of(0.33))) > 0.333);
}

static oracle_range value_of(const char *spec, unsigned horizon, double cost) {
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_environment_make(spec, NULL, &model), GLIMPSE_OK);
  assert_int_equal(glimpse_model_set_cost(model, cost), GLIMPSE_OK);
  oracle *o = oracle_new(model, horizon);
  oracle_range value = oracle_value(o, glimpse_model_start(model));
  oracle_free(o);
  glimpse_model_free(model);
  return value;
}

static void test_closed_forms(void **state) {
  (void)state;
  oracle_range dear = value_of("tiger", 5, 20), cheap = value_of("tiger", 5, 0.5);
  assert_true(precise_below(dear.low, 19.371369) && precise_above(dear.high, 19.371368));
  assert_true(precise_below(cheap.low, 190.0001) && precise_above(cheap.high, 189.9999));
  assert_true(precise_above(cheap.low, 20) && precise_below(dear.high, 190));
}

/* Both look ahead as far; the tree knows less of what follows. */
static void test_tree(void **state) {
  (void)state;
  unsigned narrow = 0;
  for (uint64_t seed = 0; seed < 200; seed++) {
    random_shape shape = random_model_shape(seed, 4, 3, 3);
    glimpse_model *model = random_model_make(seed, &shape);
    oracle *o = oracle_new(model, 3);
    exact_tree *tree = exact_tree_new(model, 3);
    gli_random random = gli_random_stream(seed, "belief", 0);
    double dense[4], low, high, value[4];
    uint32_t index[4];
    random_belief(&random, shape.states, dense);
    exact_tree_value(tree, dense, &low, &high);
    oracle_range range = oracle_value(o, random_belief_row(dense, shape.states, index, value));
    double least = precise_value(range.low), most = precise_value(range.high),
           size = 1e-12 * (1 + high - low + fabs(low));
    if (!(least <= most + size && low <= least + size && most <= high + size))
      fail_msg("seed %llu: [%.17g, %.17g] not in [%.17g, %.17g]", (unsigned long long)seed, least, most, low, high);
    narrow += most - least <= size;
    exact_tree_free(tree);
    oracle_free(o);
    glimpse_model_free(model);
  }
  assert_true(narrow > 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers), cmocka_unit_test(test_closed_forms),
                                     cmocka_unit_test(test_tree)};
  return cmocka_run_group_tests_name("oracle", tests, NULL, NULL);
}
