/* Bound: which families apply, and shapes of models that decide how the work is shared
 * out: where each state leads to very many others.
 *
 * Covers src/bounds/kinds.c, src/bounds/task.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/environment.h"

static void test_applies(void **state) {
  (void)state;
  glimpse_model *with = environment_make("tiger:c=1"), *without = environment_make("tiger:c=0");
  static const struct {
    glimpse_bound_kind kind;
    bool with, without;
  } cases[] = {{GLIMPSE_BOUND_BLIND, true, true},       {GLIMPSE_BOUND_QMDP, true, true},
               {GLIMPSE_BOUND_FIB, false, true},        {GLIMPSE_BOUND_FIB_SR, true, false},
               {GLIMPSE_BOUND_ALWAYS_ASK, true, false}, {GLIMPSE_BOUND_KINDS, false, false},
               {GLIMPSE_BOUND_TIB, false, true},        {GLIMPSE_BOUND_TIB_SR, true, false},
               {GLIMPSE_BOUND_SEQUENCE, true, true},    {(glimpse_bound_kind)77, false, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_int_equal(glimpse_bound_applies(cases[i].kind, with), cases[i].with);
    assert_int_equal(glimpse_bound_applies(cases[i].kind, without), cases[i].without);
    glimpse_bound *bound = NULL;
    glimpse_status status = glimpse_bound_new(with, cases[i].kind, NULL, NULL, &bound);
    assert_int_equal(status == GLIMPSE_OK, cases[i].with);
    assert_int_equal(bound != NULL, cases[i].with);
    glimpse_bound_free(bound);
  }
  glimpse_model_free(with);
  glimpse_model_free(without);
}

/* Every state leads to every other with the same probability, whatever is done: acting in
 * s is worth r(s) plus the mean of all rewards for ever after. */
static void test_dense(void **state) {
  (void)state;
  enum { STATES = 450 };
  const double discount = 0.75;
  glimpse_builder *builder = glimpse_builder_new(STATES, 1, 1);
  assert_non_null(builder);
  double mean = 0;
  for (uint32_t s = 0; s < STATES; s++) {
    glimpse_builder_transition(builder, 0, GLIMPSE_ANY, s, 1.0 / STATES);
    glimpse_builder_reward(builder, 0, s, GLIMPSE_ANY, GLIMPSE_ANY, s % 7 - 3.0);
    mean += (s % 7 - 3.0) / STATES;
  }
  glimpse_builder_observation(builder, 0, GLIMPSE_ANY, 0, 1);
  glimpse_builder_discount(builder, discount);
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_builder_finish(builder, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(builder);
  static const glimpse_bound_kind kinds[] = {GLIMPSE_BOUND_BLIND, GLIMPSE_BOUND_QMDP, GLIMPSE_BOUND_FIB};
  for (unsigned threads = 1; threads <= 2; threads++)
    for (int k = 0; k < 3; k++) {
      glimpse_bound *bound = NULL;
      assert_int_equal(glimpse_bound_new(model, kinds[k], &(glimpse_bound_options){.threads = threads}, NULL, &bound),
                       GLIMPSE_OK);
      for (uint32_t s = 0; s < STATES; s++) {
        double exact = s % 7 - 3.0 + discount / (1 - discount) * mean, value = glimpse_bound_entry(bound, 0, s);
        assert_float_equal(value, exact, 1e-7);
        if (k == 0) assert_true(value <= exact + 1e-13);
        else assert_true(value >= exact - 1e-13);
      }
      glimpse_bound_free(bound);
    }
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_applies), cmocka_unit_test(test_dense)};
  return cmocka_run_group_tests_name("bound", tests, NULL, NULL);
}
