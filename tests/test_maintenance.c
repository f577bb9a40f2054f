/* Maintenance: its rules told a second time, what its inspections say, and that the menu pays. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/environment.h"
#include "support/planning.h"

static uint32_t at(const glimpse_model *model, int tool, int bearing) {
  char name[64];
  snprintf(name, sizeof name, "tool%d-bearing%d", tool, bearing);
  return environment_find(model, GLIMPSE_STATE, name);
}

static void check_row(const glimpse_model *model, const char *action, uint32_t s, const double *next, double paid) {
  uint32_t a = environment_find(model, GLIMPSE_ACTION, action);
  environment_check_row(model, "T", a, s, glimpse_model_transition(model, a, s), next, 16);
  assert_float_equal(glimpse_model_reward(model, a, s), paid, 1e-15);
}

static void test_rules(void **state) {
  (void)state;
  static const double earned[] = {1, 0.9, 0.6, 0}, scrap[] = {0.02, 0.1, 0.4, 0.9};
  glimpse_model *model = environment_make("maintenance");
  assert_int_equal(glimpse_model_count(model, GLIMPSE_STATE), 16);
  environment_check(model, GLIMPSE_ANY);
  uint32_t run = environment_find(model, GLIMPSE_ACTION, "run"),
           overhaul = environment_find(model, GLIMPSE_ACTION, "overhaul");
  for (int tool = 0; tool < 4; tool++) {
    for (int bearing = 0; bearing < 4; bearing++) {
      uint32_t s = at(model, tool, bearing);
      double next[16] = {0}, tools[4] = {0}, bearings[4] = {0};
      tools[tool] += 0.75;
      tools[tool < 3 ? tool + 1 : 3] += 0.25;
      bearings[bearing] += 0.85;
      bearings[bearing < 3 ? bearing + 1 : 3] += 0.15;
      for (int i = 0; i < 16; i++) next[at(model, i / 4, i % 4)] = tools[i / 4] * bearings[i % 4];
      check_row(model, "run", s, next, bearing == 3 ? -2 : earned[tool]);
      double one[16] = {0}, two[16] = {0}, three[16] = {0};
      one[at(model, 0, bearing)] = two[at(model, tool, 0)] = three[at(model, 0, 0)] = 1;
      check_row(model, "change-tool", s, one, -0.5);
      check_row(model, "change-bearing", s, two, -2);
      check_row(model, "overhaul", s, three, -2.2);
      environment_check_row(model, "O", run, s, glimpse_model_observation(model, run, s),
                            (double[]){1 - scrap[tool], scrap[tool], 0}, 3);
      environment_check_row(model, "O", overhaul, s, glimpse_model_observation(model, overhaul, s), (double[]){0, 0, 1},
                            3);
    }
  }
  assert_int_equal(glimpse_model_start(model).index[0], at(model, 0, 0));
  glimpse_model_free(model);
}

static double answer(const glimpse_model *model, const char *inquiry, const char *name, uint32_t s) {
  uint32_t i = glimpse_model_inquiry_find(model, inquiry);
  assert_true(i != GLIMPSE_ANY);
  glimpse_row row = glimpse_model_inquiry_answers(model, i, s);
  for (size_t k = 0; k < row.count; k++)
    if (!strcmp(glimpse_model_answer_name(model, i, row.index[k]), name)) return row.value[k];
  return 0;
}

static void test_menu(void **state) {
  (void)state;
  static const double loud[] = {0.1, 0.25, 0.6, 0.95};
  static const char *const looks[] = {"new", "worn", "bad", "broken"};
  glimpse_model *model = environment_make("maintenance:look=0.125,c=0.5");
  assert_int_equal(glimpse_model_inquiries(model), 3);
  for (int tool = 0; tool < 4; tool++) {
    for (int bearing = 0; bearing < 4; bearing++) {
      uint32_t s = at(model, tool, bearing);
      assert_float_equal(answer(model, "listen", "loud", s), loud[bearing], 1e-15);
      assert_float_equal(answer(model, "look", looks[tool], s), 1, 0);
      assert_float_equal(glimpse_model_inquiry_price(model, glimpse_model_inquiry_find(model, "listen"), s), 0, 0);
      assert_float_equal(glimpse_model_inquiry_price(model, glimpse_model_inquiry_find(model, "look"), s), 0.125, 0);
      assert_float_equal(glimpse_model_inquiry_price(model, glimpse_model_inquiry_find(model, "state"), s), 0.5, 0);
    }
  }
  glimpse_model_free(model);
}

/* Inspections earn something: with dearer ones the value is proved to fall. */
static void test_menu_pays(void **state) {
  (void)state;
  glimpse_decision all = planning_decided("maintenance:look=0,c=0.05", 3000),
                   far = planning_decided("maintenance:look=1000,c=0.3", 3000);
  assert_true(all.lower > far.upper);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rules), cmocka_unit_test(test_menu),
                                     cmocka_unit_test(test_menu_pays)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
