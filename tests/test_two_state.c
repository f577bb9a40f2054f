/* The two-state model of Lemma 2: the numbers of its proof. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/environment.h"

static void test_numbers(void **state) {
  (void)state;
  static const double uniform[2] = {.5, .5}, one[1] = {1};
  glimpse_model *model = environment_make("lemma2");
  environment_check(model, GLIMPSE_ANY);
  assert_int_equal(glimpse_model_count(model, GLIMPSE_STATE), 2);
  assert_int_equal(glimpse_model_count(model, GLIMPSE_ACTION), 2);
  assert_int_equal(glimpse_model_count(model, GLIMPSE_OBSERVATION), 1);
  for (uint32_t a = 0; a < 2; a++) {
    for (uint32_t s = 0; s < 2; s++) {
      environment_check_row(model, "T", a, s, glimpse_model_transition(model, a, s), uniform, 2);
      environment_check_row(model, "O", a, s, glimpse_model_observation(model, a, s), one, 1);
      assert_float_equal(glimpse_model_reward(model, a, s), a == s ? 1 : -1, 0);
    }
  }
  environment_check_row(model, "start", 0, 0, glimpse_model_start(model), uniform, 2);
  assert_float_equal(glimpse_model_discount(model), 0.95, 0);
  assert_float_equal(glimpse_model_cost(model, 0), 0.1, 0);
  glimpse_model_free(model);
}

/* Knowing all: g/(1-g) + 1 from the next step on and now.  Never asking: 0. */
static void test_values(void **state) {
  (void)state;
  glimpse_model *model = environment_make("lemma2:gamma=0.9");
  uint32_t s1 = 0;
  double certain = 1;
  glimpse_row corner = {1, &s1, &certain};
  assert_float_equal(environment_mdp(model), 0.9 / 0.1 + 1, 1e-11);
  assert_float_equal(environment_blind(model, 0, glimpse_model_start(model)), 0, 1e-11);
  assert_float_equal(environment_blind(model, 0, corner), 1, 1e-11);
  assert_float_equal(environment_blind(model, 1, corner), -1, 1e-11);
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers), cmocka_unit_test(test_values)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
