/* Memory: zeroing, growth, overflow, and what happens when there is none left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "support/failing_malloc.h"

/* More than any machine has, but no number that is negative when signed. */
static const size_t huge = SIZE_MAX / 4;

static void new_is_zeroed(void **state) {
  (void)state;
  uint32_t *numbers = GLI_NEW(uint32_t, 1000);
  assert_non_null(numbers);
  for (int i = 0; i < 1000; i++) assert_int_equal(numbers[i], 0);
  gli_memory_free(numbers);
}

static void nothing_is_a_pointer(void **state) {
  (void)state;
  void *none = gli_memory_new(0, 8), *void_items = gli_memory_new(8, 0);
  assert_non_null(none);
  assert_non_null(void_items);
  gli_memory_free(none);
  gli_memory_free(void_items);
  gli_memory_free(NULL);
}

static void new_refuses_too_much(void **state) {
  (void)state;
  long before = failing_malloc_live();
  assert_null(gli_memory_new(SIZE_MAX / 2, 3)); /* the product overflows to a small number */
  assert_null(gli_memory_new(SIZE_MAX / 8 + 2, 8));
  assert_null(gli_memory_new(huge, 1));
  assert_int_equal(failing_malloc_live(), before);
}

static void grow_keeps_and_doubles(void **state) {
  (void)state;
  enum { COUNT = 100000 };
  uint64_t *items = NULL;
  size_t capacity = 0, grown = 0;
  for (size_t i = 0; i < COUNT; i++) {
    size_t was = capacity;
    assert_true(GLI_GROW(items, capacity, i + 1));
    assert_true(capacity > i);
    grown += capacity != was;
    items[i] = i * i;
  }
  for (size_t i = 0; i < COUNT; i++) assert_int_equal(items[i], i * i);
  assert_true(capacity < 2 * COUNT);
  assert_true(grown < 20); /* 8 * 2^14 > 100000 */
  uint64_t *same = items;
  size_t full = capacity;
  assert_true(GLI_GROW(items, capacity, full)); /* nothing to do */
  assert_ptr_equal(items, same);
  assert_int_equal(capacity, full);
  gli_memory_free(items);
}

static void grow_fails_without_harm(void **state) {
  (void)state;
  uint64_t *items = NULL;
  size_t capacity = 0;
  assert_true(GLI_GROW(items, capacity, 10));
  for (size_t i = 0; i < 10; i++) items[i] = 7 * i;
  uint64_t *same = items;
  const size_t full = capacity,
               needs[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 8 + 1, SIZE_MAX / 8, SIZE_MAX / 2 + 1, huge / 8};
  for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
    assert_false(GLI_GROW(items, capacity, needs[i]));
    assert_ptr_equal(items, same);
    assert_int_equal(capacity, full);
  }
  failing_malloc_set(1, true);
  assert_false(GLI_GROW(items, capacity, full + 1));
  assert_true(failing_malloc_failures() > 0);
  failing_malloc_set(0, false);
  assert_ptr_equal(items, same);
  assert_int_equal(capacity, full);
  for (size_t i = 0; i < 10; i++) assert_int_equal(items[i], 7 * i);
  gli_memory_free(items);
}

static void grow_settles_for_less(void **state) {
  (void)state;
  uint64_t *items = NULL;
  size_t capacity = 0;
  assert_true(GLI_GROW(items, capacity, 8));
  items[7] = 42;
  failing_malloc_set(1, false); /* twice the size fails, less is there */
  assert_true(GLI_GROW(items, capacity, 9));
  assert_true(failing_malloc_failures() > 0);
  failing_malloc_set(0, false);
  assert_in_range(capacity, 9, 15);
  assert_int_equal(items[7], 42);
  items[8] = 43;
  gli_memory_free(items);
}

static void grow_does_not_crawl(void **state) {
  (void)state;
  uint64_t *items = NULL;
  size_t capacity = 0, grown = 0;
  assert_true(GLI_GROW(items, capacity, 8));
  while (capacity < 100000) {
    failing_malloc_set(1, false);
    assert_true(GLI_GROW(items, capacity, capacity + 1));
    grown++;
  }
  failing_malloc_set(0, false);
  assert_true(grown < 40); /* 1.5^32 > 100000 */
  gli_memory_free(items);
}

static void resize_is_exact(void **state) {
  (void)state;
  uint64_t *items = gli_memory_resize(NULL, 5, sizeof *items);
  assert_non_null(items);
  for (size_t i = 0; i < 5; i++) items[i] = i + 1;
  items = gli_memory_resize(items, 5000, sizeof *items);
  assert_non_null(items);
  items[4999] = 9;
  for (size_t i = 0; i < 5; i++) assert_int_equal(items[i], i + 1);
  assert_null(gli_memory_resize(items, SIZE_MAX / sizeof *items + 2, sizeof *items)); /* would wrap to 8 bytes */
  assert_null(gli_memory_resize(items, huge, 1));
  failing_malloc_set(1, true);
  assert_null(gli_memory_resize(items, 10000, sizeof *items));
  assert_int_equal(failing_malloc_failures(), 1);
  failing_malloc_set(0, false);
  for (size_t i = 0; i < 5; i++) assert_int_equal(items[i], i + 1); /* still there */
  items = gli_memory_resize(items, 0, sizeof *items);
  assert_non_null(items);
  gli_memory_free(items);
}

static void trim_keeps_the_items(void **state) {
  (void)state;
  for (int failing = 0; failing < 2; failing++) {
    uint32_t *items = NULL;
    size_t capacity = 0;
    assert_true(GLI_GROW(items, capacity, 1000));
    for (uint32_t i = 0; i < 10; i++) items[i] = 3 * i;
    if (failing) failing_malloc_set(1, false);
    items = gli_memory_trim(items, 10, sizeof *items);
    assert_int_equal(failing_malloc_failures(), failing);
    failing_malloc_set(0, false);
    assert_non_null(items);
    for (uint32_t i = 0; i < 10; i++) assert_int_equal(items[i], 3 * i);
    items = gli_memory_trim(items, 0, sizeof *items);
    assert_non_null(items);
    gli_memory_free(items);
  }
}

static void copies(void **state) {
  (void)state;
  static const uint16_t source[] = {1, 2, 65535};
  uint16_t *copy = gli_memory_copy(source, 3, sizeof *source);
  assert_non_null(copy);
  assert_memory_equal(copy, source, sizeof source);
  gli_memory_free(copy);
  copy = gli_memory_copy(NULL, 0, sizeof *source);
  assert_non_null(copy);
  gli_memory_free(copy);
  assert_null(gli_memory_copy(source, huge, 1));

  char *text = gli_memory_text("hello"), *empty = gli_memory_text("");
  assert_string_equal(text, "hello");
  assert_string_equal(empty, "");
  gli_memory_free(text);
  gli_memory_free(empty);

  failing_malloc_set(1, true);
  assert_null(gli_memory_copy(source, 3, sizeof *source));
  assert_null(gli_memory_text("hello"));
  assert_null(gli_memory_new(1, 1));
  assert_true(failing_malloc_failures() > 0);
  failing_malloc_set(0, false);
}

static void counts_what_lives(void **state) {
  (void)state;
  long before = failing_malloc_live();
  void *a = gli_memory_new(1, 1), *b = gli_memory_new(1, 1);
  assert_int_equal(failing_malloc_live(), before + 2);
  gli_memory_free(a);
  assert_int_equal(failing_malloc_live(), before + 1);
  gli_memory_free(b);
  assert_int_equal(failing_malloc_live(), before);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(new_is_zeroed),           cmocka_unit_test(nothing_is_a_pointer),
      cmocka_unit_test(new_refuses_too_much),    cmocka_unit_test(grow_keeps_and_doubles),
      cmocka_unit_test(grow_fails_without_harm), cmocka_unit_test(grow_settles_for_less),
      cmocka_unit_test(grow_does_not_crawl),     cmocka_unit_test(resize_is_exact),
      cmocka_unit_test(trim_keeps_the_items),    cmocka_unit_test(copies),
      cmocka_unit_test(counts_what_lives),
  };
  return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
