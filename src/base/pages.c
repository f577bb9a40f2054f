/* Pages: see pages.h.  On systems with anonymous mappings a range costs nothing until it is
 * written to.  Elsewhere there are none, and callers go on without.  The memory of a
 * WebAssembly module has this by itself: what was never touched takes none, so a range is
 * allocated whole there, and stays until it is released. */
#define _DEFAULT_SOURCE /* anonymous mappings; NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
#include "base/pages.h"

#if defined(__wasm__)
#include "base/memory.h"

char *gli_pages_reserve(size_t bytes) {
  return gli_memory_resize(NULL, bytes, 1); /* not zeroed, so not touched */
}

void gli_pages_release(char *start, size_t bytes) {
  (void)bytes;
  gli_memory_free(start);
}

void gli_pages_take(char *start, size_t from, size_t to) {
  (void)start, (void)from, (void)to;
}

size_t gli_pages_give(char *start, size_t from, size_t held) {
  (void)start, (void)from;
  return held;
}
#else
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(MAP_ANONYMOUS) && defined(MAP_NORESERVE)
/* Several arrays reserve as much each, and others need addresses too: only a small part of
 * a limit may be taken. */
static bool is_scarce(int resource, size_t bytes) {
  struct rlimit limit;
  return !getrlimit(resource, &limit) && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur / 16 < bytes;
}

char *gli_pages_reserve(size_t bytes) {
  if (is_scarce(RLIMIT_AS, bytes) || is_scarce(RLIMIT_DATA, bytes)) return NULL;
  void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return at == MAP_FAILED ? NULL : at;
}
#else
char *gli_pages_reserve(size_t bytes) {
  (void)bytes;
  return NULL;
}
#endif

void gli_pages_release(char *start, size_t bytes) {
  munmap(start, bytes);
}

static size_t page_mask(void) {
  return (size_t)sysconf(_SC_PAGESIZE) - 1;
}

void gli_pages_take(char *start, size_t from, size_t to) {
#ifdef MADV_POPULATE_WRITE
  from &= ~page_mask();
  to &= ~page_mask();
  if (to > from) (void)madvise(start + from, to - from, MADV_POPULATE_WRITE); /* a wish, nothing more */
#else
  (void)start, (void)from, (void)to;
#endif
}

size_t gli_pages_give(char *start, size_t from, size_t held) {
#ifdef MADV_DONTNEED
  from = (from + page_mask()) & ~page_mask();
  if (held <= from) return held;
  (void)madvise(start + from, held - from, MADV_DONTNEED);
  return from;
#else
  (void)start, (void)from;
  return held;
#endif
}
#endif
