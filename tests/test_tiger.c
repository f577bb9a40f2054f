/* Tiger: the numbers of the literature. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/environment.h"

static void test_numbers(void **state) {
  (void)state;
  static const double reward[3][2] = {{-1, -1}, {-100, 10}, {10, -100}};
  static const double next[3][2][2] = {{{1, 0}, {0, 1}}, {{.5, .5}, {.5, .5}}, {{.5, .5}, {.5, .5}}};
  static const double heard[3][2][2] = {{{.85, .15}, {.15, .85}}, {{.5, .5}, {.5, .5}}, {{.5, .5}, {.5, .5}}};
  static const double start[2] = {.5, .5};
  glimpse_model *model = environment_make("tiger");
  environment_check(model, GLIMPSE_ANY);
  assert_int_equal(glimpse_model_count(model, GLIMPSE_STATE), 2);
  assert_int_equal(glimpse_model_count(model, GLIMPSE_ACTION), 3);
  assert_int_equal(glimpse_model_count(model, GLIMPSE_OBSERVATION), 2);
  for (uint32_t a = 0; a < 3; a++) {
    for (uint32_t s = 0; s < 2; s++) {
      environment_check_row(model, "T", a, s, glimpse_model_transition(model, a, s), next[a][s], 2);
      environment_check_row(model, "O", a, s, glimpse_model_observation(model, a, s), heard[a][s], 2);
      assert_float_equal(glimpse_model_reward(model, a, s), reward[a][s], 0);
    }
  }
  environment_check_row(model, "start", 0, 0, glimpse_model_start(model), start, 2);
  assert_float_equal(glimpse_model_discount(model), 0.95, 0);
  assert_float_equal(glimpse_model_cost(model, 1), 1, 0);
  glimpse_model_free(model);
}

static void test_names(void **state) {
  (void)state;
  glimpse_model *model = environment_make("tiger:c=2,gamma=0.9");
  assert_string_equal(glimpse_model_name(model, GLIMPSE_STATE, 0), "tiger-left");
  assert_string_equal(glimpse_model_name(model, GLIMPSE_STATE, 1), "tiger-right");
  assert_string_equal(glimpse_model_name(model, GLIMPSE_ACTION, 0), "listen");
  assert_string_equal(glimpse_model_name(model, GLIMPSE_ACTION, 1), "open-left");
  assert_string_equal(glimpse_model_name(model, GLIMPSE_ACTION, 2), "open-right");
  assert_string_equal(glimpse_model_name(model, GLIMPSE_OBSERVATION, 0), "tiger-left");
  assert_string_equal(glimpse_model_name(model, GLIMPSE_OBSERVATION, 1), "tiger-right");
  assert_float_equal(glimpse_model_cost(model, 0), 2, 0);
  /* Who knows where the tiger is opens the other door at every step. */
  assert_float_equal(environment_mdp(model), 100, 1e-10);
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers), cmocka_unit_test(test_names)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
