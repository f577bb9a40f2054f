/* Loss: its value against the closed form, over prices, probabilities and discounts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "support/environment.h"
#include "support/planning.h"

static void test_rules(void **state) {
  (void)state;
  glimpse_model *model = environment_make("loss:p=0.7");
  environment_check(model, 3);
  static const char *const names[] = {"begin", "plus", "minus", "end"};
  for (uint32_t s = 0; s < 4; s++) assert_string_equal(glimpse_model_name(model, GLIMPSE_STATE, s), names[s]);
  uint32_t on = environment_find(model, GLIMPSE_ACTION, "on"), back = environment_find(model, GLIMPSE_ACTION, "back");
  environment_check_row(model, "T", on, 0, glimpse_model_transition(model, on, 0), (double[]){0, 0.7, 0.3, 0}, 4);
  for (uint32_t s = 1; s < 3; s++)
    environment_check_row(model, "T", on, s, glimpse_model_transition(model, on, s), (double[]){0, 0, 0, 1}, 4);
  for (uint32_t s = 0; s < 3; s++) {
    environment_check_row(model, "T", back, s, glimpse_model_transition(model, back, s), (double[]){1, 0, 0, 0}, 4);
    assert_float_equal(glimpse_model_reward(model, on, s), s == 1, 0);
    assert_float_equal(glimpse_model_reward(model, back, s), 0, 0);
  }
  assert_float_equal(glimpse_model_cost(model, 1), 0.05, 0);
  assert_float_equal(glimpse_model_discount(model), 0.95, 0);
  glimpse_model_free(model);
}

/* Ask after the first step and go back from minus, or bet at once. */
static double worth(double p, double c, double g) {
  double asks = g * (p - c) / (1 - (1 - p) * g * g), bets = g * p;
  return asks > bets ? asks : bets;
}

static void test_value(void **state) {
  (void)state;
  static const double ps[] = {0.2, 0.5, 0.8, 1}, cs[] = {0.01, 0.05, 0.1444, 0.1445, 0.3}, gs[] = {0.5, 0.95, 0.99};
  for (size_t i = 0; i < 4 * 5 * 3; i++) {
    double p = ps[i / 15], c = cs[i / 3 % 5], g = gs[i % 3];
    char spec[80];
    snprintf(spec, sizeof spec, "loss:p=%g,c=%g,gamma=%g", p, c, g);
    planning plan;
    planning_start(&plan, spec);
    planning_planner(&plan, NULL);
    glimpse_decision d = planning_decide(&plan, (glimpse_budget){.expansions = 1000});
    if (d.lower > worth(p, c, g) + 1e-12 || d.upper < worth(p, c, g) - 1e-12 || d.upper - d.lower > 1e-6)
      fail_msg("%s: %.12g to %.12g, should be %.12g", spec, d.lower, d.upper, worth(p, c, g));
    planning_stop(&plan);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rules), cmocka_unit_test(test_value)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
