/* Battery robot: its rules told a second time, what its sensors say, and that the menu pays. */
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

enum { STATES = 37 };

static uint32_t at(const glimpse_model *model, int cell, int level) {
  char name[64];
  snprintf(name, sizeof name, "cell%d-level%d", cell, level);
  return environment_find(model, GLIMPSE_STATE, level ? name : "end");
}

static void test_rules(void **state) {
  (void)state;
  static const char *const names[] = {"left", "right", "work", "charge"};
  glimpse_model *model = environment_make("battery-robot");
  assert_int_equal(glimpse_model_count(model, GLIMPSE_STATE), STATES);
  environment_check(model, STATES - 1);
  for (int cell = 0; cell < 9; cell++) {
    for (int level = 1; level <= 4; level++) {
      uint32_t s = at(model, cell, level);
      for (int i = 0; i < 4; i++) {
        uint32_t a = environment_find(model, GLIMPSE_ACTION, names[i]);
        double next[STATES] = {0}, paid = i == 2 && cell == 8 ? 1 : 0;
        if (i == 3 && cell == 0) {
          next[at(model, 0, 4)] = 1;
        } else {
          int to = i == 0 ? cell - 1 : i == 1 ? cell + 1 : cell;
          double moves = to < 0 || to > 8 || to == cell ? 0 : 0.8;
          for (int drained = 0; drained < 2; drained++) {
            double p = drained ? 0.1 : 0.9;
            int left = level - drained;
            if (moves > 0) next[at(model, left ? to : 0, left)] += moves * p;
            next[at(model, left ? cell : 0, left)] += (1 - moves) * p;
          }
          if (level == 1) paid -= 1;
        }
        environment_check_row(model, "T", a, s, glimpse_model_transition(model, a, s), next, STATES);
        assert_float_equal(glimpse_model_reward(model, a, s), paid, 1e-14);
      }
    }
  }
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
  static const char *const rooms[] = {"left-room", "middle-room", "right-room"};
  glimpse_model *model = environment_make("battery-robot:camera=0.125,c=0.5");
  assert_int_equal(glimpse_model_inquiries(model), 3);
  for (int cell = 0; cell < 9; cell++) {
    for (int level = 1; level <= 4; level++) {
      uint32_t s = at(model, cell, level);
      assert_float_equal(answer(model, "gauge", "low", s), level <= 2 ? 0.8 : 0.2, 1e-15);
      assert_float_equal(answer(model, "gauge", "high", s), level <= 2 ? 0.2 : 0.8, 1e-15);
      assert_float_equal(answer(model, "camera", rooms[cell / 3], s), 1, 0);
      assert_float_equal(glimpse_model_inquiry_price(model, glimpse_model_inquiry_find(model, "gauge"), s), 0, 0);
      assert_float_equal(glimpse_model_inquiry_price(model, glimpse_model_inquiry_find(model, "camera"), s), 0.125, 0);
      assert_float_equal(glimpse_model_inquiry_price(model, glimpse_model_inquiry_find(model, "state"), s), 0.5, 0);
    }
  }
  glimpse_model_free(model);
}

/* Each sensor earns something: with dearer ones the value is proved to fall. */
static void test_menu_pays(void **state) {
  (void)state;
  glimpse_decision all = planning_decided("battery-robot", 3000),
                   far = planning_decided("battery-robot:camera=1000", 3000),
                   none = planning_decided("battery-robot:camera=1000,c=1000", 3000),
                   rich = planning_decided("battery-robot:c=0.01", 3000);
  assert_true(all.lower > far.upper);  /* the camera pays */
  assert_true(far.lower > none.upper); /* so does the request */
  assert_true(rich.lower > all.upper);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rules), cmocka_unit_test(test_menu),
                                     cmocka_unit_test(test_menu_pays)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
