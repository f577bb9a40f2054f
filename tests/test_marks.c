/* Marks: against an array of flags. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/random.h"
#include "belief/marks.h"
#include "support/failing_malloc.h"

static void check_limit(uint32_t limit, uint64_t seed) {
  gli_random random = gli_random_stream(seed, "marks", limit);
  gli_marks marks = {0};
  bool *flag = calloc(limit, sizeof *flag);
  uint32_t *out = calloc(limit, sizeof *out);
  assert_non_null(flag);
  assert_non_null(out);
  assert_true(gli_marks_start(&marks, limit));
  for (int round = 0; round < 6; round++) {
    size_t count = 0;
    for (uint32_t i = 0; i < 200; i++) {
      uint32_t number = i < 2 && round % 2 ? (i ? limit - 1 : 0) : gli_random_below(&random, limit);
      bool fresh = !flag[number];
      count += fresh;
      flag[number] = true;
      assert_int_equal(gli_marks_add(&marks, number), fresh);
    }
    assert_int_equal(marks.count, count);
    if (round == 3) gli_marks_clear(&marks);
    else gli_marks_drain(&marks, out);
    assert_int_equal(marks.count, 0);
    size_t at = 0;
    for (uint32_t i = 0; i < limit; i++) {
      if (flag[i] && round != 3) assert_int_equal(out[at++], i);
      flag[i] = false;
    }
    assert_int_equal(at, round == 3 ? 0 : count);
  }
  gli_marks_free(&marks);
  free(flag);
  free(out);
}

static void test_order(void **state) {
  (void)state;
  static const uint32_t limits[] = {1, 2, 63, 64, 65, 4095, 4096, 4097, 262144, 262145};
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) check_limit(limits[i], i);
}

static void test_empty(void **state) {
  (void)state;
  gli_marks marks = {0};
  uint32_t out = 77;
  assert_true(gli_marks_start(&marks, 5000));
  gli_marks_drain(&marks, &out);
  assert_int_equal(out, 77);
  gli_marks_free(&marks);
  gli_marks_free(&marks);
}

static glimpse_status start_and_free(void *context) {
  (void)context;
  gli_marks marks = {0};
  bool done = gli_marks_start(&marks, 1 << 20);
  gli_marks_free(&marks);
  return done ? GLIMPSE_OK : GLIMPSE_NO_MEMORY;
}

static void test_no_memory(void **state) {
  (void)state;
  assert_int_equal(failing_malloc_sweep(start_and_free, NULL) >= 4, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_order),
      cmocka_unit_test(test_empty),
      cmocka_unit_test(test_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
