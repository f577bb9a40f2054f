/* Even-odd: its rows against erfc of the C library, and what they must be without noise. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "support/environment.h"

enum { PLACES = 20 };

/* The mass of the standard normal distribution from x to y, by whichever tail is the smaller. */
static double between(double x, double y) {
  if (x > 0) return (erfc(x / sqrt(2)) - erfc(y / sqrt(2))) / 2;
  return (erfc(-y / sqrt(2)) - erfc(-x / sqrt(2))) / 2;
}

static void check_rows(const char *spec, double noise, int lowest) {
  glimpse_model *model = environment_make(spec);
  environment_check(model, PLACES - 1);
  double sd = noise + 0.001;
  for (int place = 1; place < PLACES; place++) {
    for (uint32_t a = 0; a < 2; a++) {
      const char *name = glimpse_model_name(model, GLIMPSE_ACTION, a);
      int up = (place % 2 == 1) == (*name == 'a'), mean = place + (up ? 1 : -1);
      if (mean < lowest) mean = lowest;
      double whole = between((1 - mean) / sd, (PLACES - mean) / sd), paid = 0;
      glimpse_row row = glimpse_model_transition(model, a, (uint32_t)(place - 1));
      size_t next = 0;
      for (int to = 1; to <= PLACES; to++) {
        double low = to == 1 ? 1 : to - 0.5, high = to == PLACES ? PLACES : to + 0.5, p = 0;
        double wanted = between((low - mean) / sd, (high - mean) / sd) / whole;
        if (next < row.count && row.index[next] == (uint32_t)(to - 1)) p = row.value[next++];
        if (!(fabs(p - wanted) <= 1e-12))
          fail_msg("%s: %d -%s-> %d: %.17g, not %.17g", spec, place, name, to, p, wanted);
        paid += p * (to == PLACES ? 300 : -1);
      }
      assert_float_equal(glimpse_model_reward(model, a, (uint32_t)(place - 1)), paid, 1e-10);
    }
  }
  glimpse_model_free(model);
}

static void test_rows(void **state) {
  (void)state;
  check_rows("even-odd:noise=0.1", 0.1, 0);
  check_rows("even-odd", 0.3, 0);
  check_rows("even-odd:noise=0.5", 0.5, 0);
  check_rows("even-odd:noise=3", 3, 0);
  check_rows("even-odd:noise=10,mean=free", 10, 0);
  check_rows("even-odd:noise=0.3,mean=inside", 0.3, 1);
  check_rows("even-odd:noise=0.5,mean=inside", 0.5, 1);
}

/* Every move leads where it aims at, and stays at the lower end. */
static void test_no_noise(void **state) {
  (void)state;
  glimpse_model *model = environment_make("even-odd:noise=0");
  char name[32];
  for (int place = 1; place < PLACES; place++) {
    snprintf(name, sizeof name, "place%d", place);
    uint32_t s = environment_find(model, GLIMPSE_STATE, name);
    for (uint32_t a = 0; a < 2; a++) {
      bool up = (place % 2 == 1) == (*glimpse_model_name(model, GLIMPSE_ACTION, a) == 'a');
      uint32_t to = up ? s + 1 : s ? s - 1 : 0;
      glimpse_row row = glimpse_model_transition(model, a, s);
      assert_int_equal(row.count, 1);
      assert_int_equal(row.index[0], to);
    }
  }
  double blind = 0, weight = 1; /* 18 steps at -1, then 300 */
  for (int i = 0; i < 18; i++, weight *= 0.99) blind -= weight;
  assert_float_equal(environment_mdp(model), blind + 300 * weight, 1e-9);
  assert_float_equal(glimpse_model_cost(model, 0), 10, 0);
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_no_noise)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
