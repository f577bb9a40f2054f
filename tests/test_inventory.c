/* Inventory and two-state sensing, against the matrices of the publication (costs there, rewards here), and against the
 * price up to which it is best to know the state always.  Covers src/environments/two_state_sensing.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/environment.h"
#include "support/planning.h"

static void test_inventory(void **state) {
  (void)state;
  static const double next[4][4][4] = {
      {{1, 0, 0, 0}, {1, 0, 0, 0}, {.5, .5, 0, 0}, {0, .5, .5, 0}},
      {{1, 0, 0, 0}, {.5, .5, 0, 0}, {0, .5, .5, 0}, {0, 0, .5, .5}},
      {{.5, .5, 0, 0}, {0, .5, .5, 0}, {0, 0, .5, .5}, {0, 0, 0, 1}},
      {{0, .5, .5, 0}, {0, 0, .5, .5}, {0, 0, 0, 1}, {0, 0, 0, 1}},
  };
  static const double cost[4][4] = {
      {0, -2, -2.75, -2.25}, {-1, -1.75, -1.25, -.75}, {-.75, -.25, .25, .75}, {.75, 1.25, 1.75, 2.25}};
  static const double known[] = {5.75, 6.75, 7.75, 8.05};
  glimpse_model *model = environment_make("inventory");
  environment_check(model, GLIMPSE_ANY);
  assert_int_equal(glimpse_model_count(model, GLIMPSE_OBSERVATION), 1);
  for (uint32_t a = 0; a < 4; a++) {
    for (uint32_t s = 0; s < 4; s++) {
      environment_check_row(model, "T", a, s, glimpse_model_transition(model, a, s), next[a][s], 4);
      assert_float_equal(glimpse_model_reward(model, a, s), -cost[a][s], 1e-15);
    }
  }
  environment_check_row(model, "start", 0, 0, glimpse_model_start(model), (double[]){1, 0, 0, 0}, 4);
  assert_float_equal(environment_mdp(model), known[0], 1e-9);
  assert_float_equal(glimpse_model_discount(model), 0.8, 0);
  glimpse_model_free(model);
}

static void check_two(const char *spec, const double next[2][2][2], const double cost[2][2], uint32_t start) {
  glimpse_model *model = environment_make(spec);
  environment_check(model, GLIMPSE_ANY);
  for (uint32_t a = 0; a < 2; a++) {
    for (uint32_t s = 0; s < 2; s++) {
      environment_check_row(model, "T", a, s, glimpse_model_transition(model, a, s), next[a][s], 2);
      assert_float_equal(glimpse_model_reward(model, a, s), -cost[a][s], 0);
    }
  }
  assert_int_equal(glimpse_model_start(model).count, 1);
  assert_int_equal(glimpse_model_start(model).index[0], start);
  glimpse_model_free(model);
}

static void test_two_states(void **state) {
  (void)state;
  static const double next[2][2][2] = {{{.7, .3}, {.2, .8}}, {{.3, .7}, {.9, .1}}}, cost[2][2] = {{.25, .75}, {1, .5}};
  static const double other[2][2][2] = {{{.28, .72}, {.934, .066}}, {{.31, .69}, {.481, .519}}},
                      paid[2][2] = {{.066, .502}, {.29, .41}};
  check_two("two-state-sensing", next, cost, 0);
  check_two("two-state-sensing:from=s2", next, cost, 1);
  check_two("two-state-sensing:numbers=counter", other, paid, 0);
}

/* Below k* = 0.0164773 (paid with the action: c = k/0.5) asking always is best, above it is not. */
static void test_threshold(void **state) {
  (void)state;
  static const struct {
    const char *spec;
    bool always;
  } cases[] = {{"two-state-sensing:c=0.0329", true}, {"two-state-sensing:c=0.034", false}};
  for (int i = 0; i < 2; i++) {
    planning p;
    planning_start(&p, cases[i].spec);
    glimpse_bound *ask = NULL;
    assert_int_equal(glimpse_bound_new(p.model, GLIMPSE_BOUND_ALWAYS_ASK, NULL, NULL, &ask), GLIMPSE_OK);
    double always = glimpse_bound_value(ask, glimpse_model_start(p.model)) + glimpse_model_cost(p.model, 0);
    planning_planner(&p, NULL);
    glimpse_decision d = planning_decide(&p, (glimpse_budget){.expansions = 2000});
    assert_true(d.upper - d.lower < 1e-7);
    assert_true((d.upper - always < 1e-7) == cases[i].always);
    glimpse_bound_free(ask);
    planning_stop(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_inventory), cmocka_unit_test(test_two_states),
                                     cmocka_unit_test(test_threshold)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
