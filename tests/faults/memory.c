/* Memory: takes the place of malloc and its kin; see faults.h.
 *
 * The real ones are those of a sanitizer, if one is linked, else those that come next (valgrind replaces them
 * there).  Looking them up may itself allocate, which is served from a small reserve. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "faults/faults.h"

void *__interceptor_malloc(size_t size) __attribute__((weak));
void *__interceptor_calloc(size_t count, size_t size) __attribute__((weak));
void *__interceptor_realloc(void *pointer, size_t size) __attribute__((weak));
void __interceptor_free(void *pointer) __attribute__((weak));

/* For the libraries, too. */
#define SEEN __attribute__((visibility("default")))

static void *(*real_malloc)(size_t);
static void *(*real_calloc)(size_t, size_t);
static void *(*real_realloc)(void *, size_t);
static void (*real_free)(void *);

static _Alignas(16) char reserve[8192];
static size_t reserve_used;
static bool looking;

static atomic_bool armed;
static atomic_ulong number, first;
static atomic_bool forever;
static unsigned long *shared_count, *shared_failures;
static _Thread_local bool spared; /* what this thread is doing now must not fail */

static void *from_reserve(size_t size) {
  size = (size + 15) & ~(size_t)15;
  if (size > sizeof reserve - reserve_used) return NULL;
  reserve_used += size;
  return reserve + reserve_used - size;
}

static bool is_reserve(const void *pointer) {
  return (uintptr_t)pointer >= (uintptr_t)reserve && (uintptr_t)pointer < (uintptr_t)(reserve + sizeof reserve);
}

/* False while the look-up is under way. */
static bool ready(void) {
  if (real_free) return true;
  if (looking) return false;
  looking = true;
  if (__interceptor_malloc) {
    real_malloc = __interceptor_malloc;
    real_calloc = __interceptor_calloc;
    real_realloc = __interceptor_realloc;
    real_free = __interceptor_free;
  } else {
    *(void **)&real_malloc = dlsym(RTLD_NEXT, "malloc");
    *(void **)&real_calloc = dlsym(RTLD_NEXT, "calloc");
    *(void **)&real_realloc = dlsym(RTLD_NEXT, "realloc");
    *(void **)&real_free = dlsym(RTLD_NEXT, "free");
  }
  looking = false;
  return real_free != NULL;
}

static bool refused(void) {
  if (!atomic_load(&armed) || spared) return false;
  unsigned long now = atomic_fetch_add(&number, 1) + 1, n = atomic_load(&first);
  __atomic_store_n(shared_count, now, __ATOMIC_RELAXED);
  if (!n || now < n || (now > n && !atomic_load(&forever))) return false;
  __atomic_fetch_add(shared_failures, 1, __ATOMIC_RELAXED);
  errno = ENOMEM;
  return true;
}

void memory_share(unsigned long *count, unsigned long *failures) {
  shared_count = count;
  shared_failures = failures;
}

void memory_arm(unsigned long n, bool all) {
  atomic_store(&number, 0);
  atomic_store(&first, n);
  atomic_store(&forever, all);
  atomic_store(&armed, true);
}

void memory_disarm(void) {
  atomic_store(&armed, false);
}

SEEN void *malloc(size_t size) {
  if (!ready()) return from_reserve(size);
  return refused() ? NULL : real_malloc(size);
}

SEEN void *calloc(size_t count, size_t size) {
  if (!ready()) return from_reserve(count * size);
  return refused() ? NULL : real_calloc(count, size);
}

SEEN void *realloc(void *pointer, size_t size) {
  if (!ready()) return from_reserve(size);
  if (refused()) return NULL;
  if (!is_reserve(pointer)) return real_realloc(pointer, size);
  void *moved = real_malloc(size); /* the reserve is larger than any of its parts */
  size_t most = (size_t)(reserve + sizeof reserve - (char *)pointer);
  if (moved) memcpy(moved, pointer, size < most ? size : most);
  return moved;
}

SEEN void free(void *pointer) {
  if (pointer && !is_reserve(pointer) && ready()) real_free(pointer);
}

/* A sanitizer asks this where a thread begins, and takes no for the end of the world; the program does not ask. */
SEEN int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes) {
  static int (*real)(pthread_t, pthread_attr_t *);
  spared = true;
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "pthread_getattr_np");
  int status = real(thread, attributes);
  spared = false;
  return status;
}

/* A disk takes its time, which would be most of that of the tests. */
static bool patient;

void memory_sync(bool really) {
  patient = really;
}

SEEN int fsync(int file) {
  return patient ? (int)syscall(SYS_fsync, file) : 0;
}

SEEN int fdatasync(int file) {
  return patient ? (int)syscall(SYS_fdatasync, file) : 0;
}
