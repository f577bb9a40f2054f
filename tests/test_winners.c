/* Winners: against looking at all keys. */
#include "graph/winners.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/random.h"
#include "support/failing_malloc.h"

enum { MOST = 300 };

static uint32_t naive(const double *key, size_t count) {
  uint32_t best = 0;
  for (uint32_t i = 1; i < count; i++)
    if (key[i] > key[best]) best = i;
  return best;
}

static void test_random(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 50; seed++) {
    gli_random random = gli_random_stream(seed, "winners", 0);
    gli_winners winners = {0};
    double key[MOST] = {0};
    size_t count = 1 + gli_random_below(&random, 20);
    assert_true(gli_winners_grow(&winners, count));
    for (int i = 0; i < 1500; i++) {
      uint32_t item = gli_random_below(&random, (uint32_t)count);
      switch (gli_random_below(&random, 20)) {
        case 0:
          count = count + 40 < MOST ? count + 40 : count;
          assert_true(gli_winners_grow(&winners, count));
          break;
        case 1: key[item] = 0; break;
        case 2: key[item] = -1; break;
        default: key[item] = gli_random_below(&random, 30); /* many ties */
      }
      gli_winners_set(&winners, item, key[item]);
      uint32_t best = naive(key, count);
      /* (items that were never asked for have the key 0, and come after) */
      if (gli_winners_best(&winners) != best && !(key[best] < 0 && gli_winners_best(&winners) >= count))
        fail_msg("seed %llu, change %d: %u, should be %u", (unsigned long long)seed, i, gli_winners_best(&winners),
                 best);
      assert_true(winners.capacity >= count);
    }
    gli_winners_free(&winners);
  }
}

static void test_no_memory(void **state) {
  (void)state;
  gli_winners winners = {0};
  for (unsigned long n = 1; n <= 2; n++) {
    failing_malloc_set(n, false);
    assert_false(gli_winners_grow(&winners, 10));
    failing_malloc_set(0, false);
    assert_int_equal(winners.capacity, 0);
  }
  assert_true(gli_winners_grow(&winners, 10));
  gli_winners_set(&winners, 7, 3);
  failing_malloc_set(1, true);
  assert_false(gli_winners_grow(&winners, 100000)); /* and what was there stays */
  failing_malloc_set(0, false);
  assert_int_equal(gli_winners_best(&winners), 7);
  gli_winners_free(&winners);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_no_memory)};
  return cmocka_run_group_tests_name("winners", tests, NULL, NULL);
}
