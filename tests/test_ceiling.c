/* Ceiling: its memory. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "policy/ceiling.h"
#include "support/failing_malloc.h"

enum { STATES = 4, ACTIONS = 2, POINTS = 40 };

/* Point i: two states and their numbers, each of which tells i. */
static bool add(gli_ceiling *ceiling, uint32_t i) {
  uint32_t index[] = {i % 3, 3};
  double mass[] = {1.0 / (i + 2), 1 - 1.0 / (i + 2)}, values[ACTIONS] = {i, INFINITY};
  return gli_ceiling_add(ceiling, (glimpse_row){2, index, mass}, values);
}

static void points(void **state) {
  (void)state;
  gli_ceiling *ceiling = gli_ceiling_new(STATES, ACTIONS);
  assert_non_null(ceiling);
  assert_int_equal(ceiling->states, STATES);
  assert_int_equal(ceiling->actions, ACTIONS);
  assert_int_equal(ceiling->points, 0);
  for (int i = 0; i < STATES * ACTIONS; i++) assert_true(ceiling->corner[i] == INFINITY);
  for (uint32_t i = 0; i < POINTS; i++) assert_true(add(ceiling, i));
  assert_int_equal(ceiling->points, POINTS);
  for (uint32_t i = 0; i < POINTS; i++) {
    glimpse_row point = gli_ceiling_point(ceiling, i);
    assert_int_equal(point.count, 2);
    assert_int_equal(point.index[0], i % 3);
    assert_int_equal(point.index[1], 3);
    assert_true(point.value[0] == 1.0 / (i + 2));
    assert_true(ceiling->value[i * ACTIONS] == i && ceiling->value[i * ACTIONS + 1] == INFINITY);
  }
  gli_ceiling_free(ceiling);
  gli_ceiling_free(NULL);
}

static glimpse_status job(void *context) {
  (void)context;
  gli_ceiling *ceiling = gli_ceiling_new(STATES, ACTIONS);
  if (!ceiling) return GLIMPSE_NO_MEMORY;
  glimpse_status status = GLIMPSE_OK;
  for (uint32_t i = 0; i < POINTS && !status; i++)
    if (!add(ceiling, i)) {
      status = GLIMPSE_NO_MEMORY;
      assert_int_equal(ceiling->points, i); /* it is as it was */
    }
  gli_ceiling_free(ceiling);
  return status;
}

static void failing(void **state) {
  (void)state;
  assert_true(failing_malloc_sweep(job, NULL) > 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(points), cmocka_unit_test(failing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
