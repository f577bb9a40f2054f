/* Failing malloc: see failing_malloc.h.  The counters are atomic because the
 * library may allocate in several threads. */
#include "support/failing_malloc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <malloc.h>

#include <cmocka.h>

/* What --wrap makes of the names: the one the program calls, and libc's.  The linker has chosen them. */
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *pointer, size_t size);
void __wrap_free(void *pointer);
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *pointer, size_t size);
void __real_free(void *pointer);

static atomic_ulong allocations, failures, first;
static atomic_bool forever;
static atomic_long live, bytes, peak;

void failing_malloc_set(unsigned long n, bool all) {
  atomic_store(&first, 0); /* nothing fails while the rest is set */
  atomic_store(&allocations, 0);
  atomic_store(&failures, 0);
  atomic_store(&forever, all);
  atomic_store(&first, n);
}

unsigned long failing_malloc_failures(void) {
  return atomic_load(&failures);
}

long failing_malloc_live(void) {
  return atomic_load(&live);
}

long failing_malloc_bytes(void) {
  return atomic_load(&bytes);
}

long failing_malloc_peak(void) {
  return atomic_load(&peak);
}

void failing_malloc_begin_peak(void) {
  atomic_store(&peak, failing_malloc_bytes());
}

/* What is there more, or less. */
static void count(long difference) {
  long now = atomic_fetch_add(&bytes, difference) + difference, most = atomic_load(&peak);
  while (now > most && !atomic_compare_exchange_weak(&peak, &most, now)) {
  }
}

static long size_of(void *pointer) {
  return pointer ? (long)malloc_usable_size(pointer) : 0;
}

static bool fails(void) {
  unsigned long number = atomic_fetch_add(&allocations, 1) + 1, n = atomic_load(&first);
  if (n == 0 || number < n || (number > n && !atomic_load(&forever))) return false;
  atomic_fetch_add(&failures, 1);
  return true;
}

void *__wrap_malloc(size_t size) {
  void *pointer = fails() ? NULL : __real_malloc(size);
  if (pointer) atomic_fetch_add(&live, 1);
  count(size_of(pointer));
  return pointer;
}

void *__wrap_calloc(size_t items, size_t size) {
  void *pointer = fails() ? NULL : __real_calloc(items, size);
  if (pointer) atomic_fetch_add(&live, 1);
  count(size_of(pointer));
  return pointer;
}

void *__wrap_realloc(void *pointer, size_t size) {
  if (fails()) return NULL;
  long before = size_of(pointer);
  void *moved = __real_realloc(pointer, size);
  if (moved && !pointer) atomic_fetch_add(&live, 1);
  if (moved) count(size_of(moved) - before);
  return moved;
}

void __wrap_free(void *pointer) {
  if (pointer) atomic_fetch_sub(&live, 1);
  count(-size_of(pointer));
  __real_free(pointer);
}

/* One run; false when there was no n-th allocation. */
static bool attempt(failing_malloc_job job, void *context, unsigned long n, bool all) {
  long before = failing_malloc_live();
  failing_malloc_set(n, all);
  glimpse_status status = job(context);
  bool failed = failing_malloc_failures() > 0;
  failing_malloc_set(0, false);
  if (status != GLIMPSE_OK && !(failed && status == GLIMPSE_NO_MEMORY))
    fail_msg("allocation %lu%s failed: status %d (%s)", n, all ? " and all after it" : "", (int)status,
             glimpse_status_text(status));
  if (failing_malloc_live() != before)
    fail_msg("allocation %lu%s failed: %ld blocks leaked", n, all ? " and all after it" : "",
             failing_malloc_live() - before);
  return failed;
}

unsigned long failing_malloc_sweep(failing_malloc_job job, void *context) {
  unsigned long n = 0;
  while (attempt(job, context, n + 1, false)) n++;
  for (unsigned long k = 1; attempt(job, context, k, true); k++) {
  }
  return n;
}
