/* Region: what was written stays, on the heap, on the way to reserved addresses and
 * behind it; without room nothing changes.  Covers src/base/pages.c. */
#include "base/region.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "support/failing_malloc.h"

static const size_t most = (size_t)64 << 20;

static void fill(gli_region *region, size_t from, size_t to) {
  for (size_t i = from; i < to; i++) region->start[i] = (char)(i * 31 + (i >> 11));
}

static void check(const gli_region *region, size_t to) {
  for (size_t i = 0; i < to; i++) assert_int_equal(region->start[i], (char)(i * 31 + (i >> 11)));
}

static void grow(size_t limit) {
  gli_region region = {0};
  size_t bytes = 0;
  char *stayed = NULL;
  for (size_t next = 1000; next < 6 << 20; next += next / 3) {
    char *start = gli_region_resize(&region, next, limit);
    assert_non_null(start);
    assert_ptr_equal(start, region.start);
    fill(&region, bytes, next);
    bytes = next;
    if (region.reserved && !stayed) stayed = start;
    if (stayed) assert_ptr_equal(start, stayed); /* once there it is not moved any more */
  }
  check(&region, bytes);
  assert_true(!stayed || limit);
  gli_region_free(&region);
  assert_null(region.start);
}

static void test_grow(void **state) {
  (void)state;
  grow(most);
  grow(0); /* always the heap */
}

static void test_shrink(void **state) {
  (void)state;
  gli_region region = {0};
  assert_non_null(gli_region_resize(&region, 3 << 20, most));
  fill(&region, 0, 3 << 20);
  assert_non_null(gli_region_resize(&region, 100, most));
  check(&region, 100);
  gli_region_free(&region);
}

static void test_limit(void **state) {
  (void)state;
  gli_region region = {0};
  assert_non_null(gli_region_resize(&region, 2 << 20, most));
  fill(&region, 0, 2 << 20);
  if (region.reserved) assert_null(gli_region_resize(&region, region.reserved + 1, most));
  check(&region, 2 << 20);
  gli_region_free(&region);
}

static void test_no_memory(void **state) {
  (void)state;
  gli_region region = {0};
  failing_malloc_set(1, true);
  assert_null(gli_region_resize(&region, 1000, most));
  failing_malloc_set(0, false);
  assert_non_null(gli_region_resize(&region, 1000, most));
  fill(&region, 0, 1000);
  failing_malloc_set(1, true);
  assert_null(gli_region_resize(&region, 2000, most));
  failing_malloc_set(0, false);
  check(&region, 1000);
  gli_region_free(&region);
}

/* What was emptied keeps its memory, until it is trimmed; then it is that of a new one. */
static void test_empty(void **state) {
  (void)state;
  gli_region region = {0};
  size_t bytes = (size_t)3 << 20, little = (size_t)1 << 19;
  char *start = gli_region_resize(&region, bytes, most);
  assert_non_null(start);
  fill(&region, 0, bytes);
  if (!region.reserved) { /* no addresses: all of it goes at once */
    gli_region_empty(&region);
    assert_null(region.start);
    return;
  }
  assert_int_equal(region.held, bytes);
  gli_region_empty(&region);
  assert_int_equal(region.bytes, 0);
  assert_int_equal(region.held, bytes);
  assert_ptr_equal(gli_region_resize(&region, little, most), start);
  assert_int_equal(region.held, bytes);
  check(&region, bytes); /* nobody has touched it */
  gli_region_trim(&region);
  assert_in_range(region.held, little, little + (1 << 16));
  check(&region, little);
  size_t held = region.held;
  assert_ptr_equal(gli_region_resize(&region, bytes, most), start);
  assert_int_equal(region.held, bytes);
  for (size_t i = held; i < bytes; i++) assert_int_equal(start[i], 0); /* given back, and new */
  gli_region_trim(&region);
  assert_int_equal(region.held, bytes);
  gli_region_free(&region);

  gli_region heap = {0};
  assert_non_null(gli_region_resize(&heap, 1000, most));
  gli_region_trim(&heap);
  gli_region_empty(&heap);
  assert_null(heap.start);
  assert_int_equal(heap.bytes, 0);
}

/* No addresses can be reserved: the heap has to do. */
static void test_no_addresses(void **state) {
  (void)state;
  gli_region region = {0};
  size_t bytes = (size_t)3 << 20;
  assert_non_null(gli_region_resize(&region, 1000, SIZE_MAX / 2));
  fill(&region, 0, 1000);
  assert_non_null(gli_region_resize(&region, bytes, SIZE_MAX / 2));
  assert_int_equal(region.reserved, 0);
  fill(&region, 0, bytes);
  check(&region, bytes);
  gli_region_free(&region);
}

/* Where addresses are limited, one array must not take what the others need. */
static void test_scarce_addresses(void **state) {
  (void)state;
  struct rlimit before, limit;
  size_t plenty = (size_t)1 << (sizeof(size_t) > 4 ? 43 : 29);
  assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
  limit = before;
  limit.rlim_cur = (rlim_t)plenty * 4;
  if (before.rlim_cur != RLIM_INFINITY || setrlimit(RLIMIT_AS, &limit)) skip(); /* limited already */
  void *room = malloc(3 << 20);
  free(room);
  if (!room) { /* the thread sanitizer has taken more addresses than that */
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    skip();
  }
  gli_region region = {0};
  void *start = gli_region_resize(&region, 3 << 20, plenty);
  assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
  assert_non_null(start);
  assert_int_equal(region.reserved, 0);
  gli_region_free(&region);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_grow),
                                     cmocka_unit_test(test_shrink),
                                     cmocka_unit_test(test_empty),
                                     cmocka_unit_test(test_limit),
                                     cmocka_unit_test(test_no_memory),
                                     cmocka_unit_test(test_no_addresses),
                                     cmocka_unit_test(test_scarce_addresses)};
  return cmocka_run_group_tests_name("region", tests, NULL, NULL);
}
