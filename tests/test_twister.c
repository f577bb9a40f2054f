/* Twister: against published values of the generator: the ten thousandth word of its usual seed (C++ standard,
 * [rand.predef]), and what NumPy draws first from random.seed(0). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/twister.h"

static void test_ten_thousandth(void **state) {
  (void)state;
  gli_twister twister;
  gli_twister_seed(&twister, 5489);
  for (int i = 1; i < 10000; i++) gli_twister_bits(&twister);
  assert_true(gli_twister_bits(&twister) == UINT32_C(4123659995));
}

static void test_units(void **state) {
  (void)state;
  static const double known[] = {0.5488135039273248, 0.7151893663724195, 0.6027633760716439, 0.5448831829968969,
                                 0.4236547993389047, 0.6458941130666561, 0.4375872112626925, 0.8917730007820798};
  gli_twister twister;
  gli_twister_seed(&twister, 0);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) assert_true(gli_twister_unit(&twister) == known[i]);
}

static void test_again(void **state) {
  (void)state;
  gli_twister one, two;
  gli_twister_seed(&one, 7);
  for (int i = 0; i < 1000; i++) gli_twister_bits(&one);
  gli_twister_seed(&one, 7);
  gli_twister_seed(&two, 7);
  for (int i = 0; i < 2000; i++) {
    double x = gli_twister_unit(&one);
    assert_true(x >= 0 && x < 1 && x == gli_twister_unit(&two));
  }
  gli_twister_seed(&two, 8);
  assert_true(gli_twister_bits(&one) != gli_twister_bits(&two));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ten_thousandth),
      cmocka_unit_test(test_units),
      cmocka_unit_test(test_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
