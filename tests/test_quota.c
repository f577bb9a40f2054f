/* A quota counts what is taken, keeps the reserve, and lets arrays grow up to the limit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/quota.h"
#include "support/failing_malloc.h"

static void test_take(void **state) {
  (void)state;
  gli_quota quota = {.limit = 100};
  assert_true(gli_quota_take(&quota, 60, 40));
  assert_false(gli_quota_take(&quota, 1, 40));
  assert_int_equal(gli_quota_left(&quota, 40), 0);
  assert_int_equal(gli_quota_left(&quota, 50), 0);
  assert_int_equal(gli_quota_left(&quota, 0), 40);
  assert_true(gli_quota_take(&quota, 40, 0));
  assert_false(gli_quota_take(&quota, 1, 0));
  assert_true(gli_quota_take(&quota, 0, 0));
  gli_quota_give(&quota, 100);
  assert_int_equal(quota.bytes, 0);
  gli_quota unlimited = {0};
  assert_true(gli_quota_take(&unlimited, UINT64_MAX / 2, 1000));
}

static void test_grow(void **state) {
  (void)state;
  gli_quota quota = {.limit = 1000};
  uint32_t *array = NULL;
  size_t capacity = 0, count = 0;
  while (GLI_QUOTA_GROW(&quota, 200, array, capacity, count + 1)) {
    array[count] = (uint32_t)count;
    count++;
    assert_true(capacity >= count);
    assert_int_equal(quota.bytes, capacity * sizeof *array);
    assert_true(quota.bytes <= 800);
  }
  assert_int_equal(count, 200); /* all that the limit allows */
  for (size_t i = 0; i < count; i++) assert_int_equal(array[i], i);
  assert_true(GLI_QUOTA_GROW(&quota, 0, array, capacity, 250));
  assert_false(GLI_QUOTA_GROW(&quota, 0, array, capacity, 251));
  assert_false(GLI_QUOTA_GROW(&(gli_quota){0}, 0, array, capacity, SIZE_MAX / 2));
  gli_memory_free(array);
}

/* A region that was emptied may hold what is not counted, but not beyond the limit. */
static void test_regions(void **state) {
  (void)state;
  enum { MEGABYTE = 1 << 20 };
  gli_region region[2] = {0};
  gli_quota quota = {.limit = 10 * MEGABYTE, .region = region, .regions = 2};
  assert_true(gli_quota_take(&quota, 6 * MEGABYTE, 0));
  assert_non_null(gli_region_resize(&region[0], 6 * MEGABYTE, 64 * MEGABYTE));
  if (!region[0].reserved) { /* no addresses */
    gli_region_free(&region[0]);
    return;
  }
  assert_true(gli_quota_take(&quota, 4 * MEGABYTE, 0)); /* all that there is: nothing to trim */
  assert_int_equal(region[0].held, 6 * MEGABYTE);
  gli_region_empty(&region[0]);
  quota.bytes = 0;
  assert_true(gli_quota_take(&quota, 4 * MEGABYTE, 0)); /* with what is kept as much as is allowed */
  assert_int_equal(region[0].held, 6 * MEGABYTE);
  gli_quota_count(&quota, 6 * MEGABYTE, gli_region_spare(&region[0], 7 * MEGABYTE)); /* it fills again what it has */
  assert_int_equal(region[0].held, 6 * MEGABYTE);
  gli_quota_give(&quota, 6 * MEGABYTE);
  assert_true(gli_quota_take(&quota, 1, 0));
  assert_int_equal(region[0].held, 0);

  assert_non_null(gli_region_resize(&region[1], 5 * MEGABYTE, 64 * MEGABYTE));
  gli_region_empty(&region[1]);
  quota.limit = 0; /* none */
  assert_true(gli_quota_take(&quota, 1000 * (uint64_t)MEGABYTE, 0));
  assert_int_equal(region[1].held, 5 * MEGABYTE);
  char *array = NULL;
  size_t capacity = 0;
  quota = (gli_quota){.limit = 6 * MEGABYTE, .region = region, .regions = 2};
  assert_true(GLI_QUOTA_GROW(&quota, 0, array, capacity, 2 * MEGABYTE));
  assert_int_equal(region[1].held, 0);
  gli_memory_free(array);
  gli_region_free(&region[0]);
  gli_region_free(&region[1]);
}

/* Memory itself may be missing: then nothing is counted. */
static void test_no_memory(void **state) {
  (void)state;
  gli_quota quota = {0};
  double *array = NULL;
  size_t capacity = 0;
  assert_true(GLI_QUOTA_GROW(&quota, 0, array, capacity, 100));
  uint64_t held = quota.bytes;
  failing_malloc_set(1, true);
  bool grown = GLI_QUOTA_GROW(&quota, 0, array, capacity, capacity + 1);
  failing_malloc_set(0, false);
  assert_false(grown);
  assert_int_equal(quota.bytes, held);
  failing_malloc_set(1, false); /* less is still there */
  size_t need = capacity + 1;
  grown = GLI_QUOTA_GROW(&quota, 0, array, capacity, need);
  failing_malloc_set(0, false);
  assert_true(grown);
  assert_int_equal(capacity, need);
  assert_int_equal(quota.bytes, need * sizeof *array);
  gli_memory_free(array);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_take),
      cmocka_unit_test(test_grow),
      cmocka_unit_test(test_regions),
      cmocka_unit_test(test_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
