/* Region: small arrays come from the heap.  One that outgrows it is moved once, to the
 * start of a range of addresses that is reserved for all it may ever need; memory is
 * taken from the system as the array grows.  So growing costs the same at any size, and
 * nothing has to be copied in the middle of a time budget.  Where the system does not let
 * addresses be reserved (no overcommitment), or where addresses are limited and would be
 * missing elsewhere, the heap goes on serving.  Large pages were tried: they gained nothing. */
#define _DEFAULT_SOURCE /* anonymous mappings; NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
#include "base/region.h"

#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/memory.h"

#if defined(MAP_ANONYMOUS) && defined(MAP_NORESERVE)
/* Several arrays reserve as much each, and others need addresses too: only a small part of
 * a limit may be taken. */
static bool is_scarce(int resource, size_t bytes) {
  struct rlimit limit;
  return !getrlimit(resource, &limit) && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur / 16 < bytes;
}

static char *reserve(size_t bytes) {
  if (is_scarce(RLIMIT_AS, bytes) || is_scarce(RLIMIT_DATA, bytes)) return NULL;
  void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return at == MAP_FAILED ? NULL : at;
}
#else
static char *reserve(size_t bytes) {
  (void)bytes;
  return NULL;
}
#endif

static size_t page_mask(void) {
  return (size_t)sysconf(_SC_PAGESIZE) - 1;
}

/* From the heap to reserved addresses; false: it stays where it is. */
static bool settle(gli_region *region, size_t most) {
  char *start = reserve(most);
  if (!start) return false;
  if (region->bytes) memcpy(start, region->start, region->bytes);
  gli_memory_free(region->start);
  region->start = start;
  region->reserved = most;
  region->held = region->bytes;
  return true;
}

/* Takes the memory of the new part at once, which is cheaper than a fault per page. */
static void populate(gli_region *region, size_t bytes) {
  if (bytes <= region->held) return;
#ifdef MADV_POPULATE_WRITE
  size_t from = region->held & ~page_mask(), to = bytes & ~page_mask();
  if (to > from) (void)madvise(region->start + from, to - from, MADV_POPULATE_WRITE); /* a wish, nothing more */
#endif
  region->held = bytes;
}

void *gli_region_resize(gli_region *region, size_t bytes, size_t most) {
  if (!region->reserved && bytes > GLI_REGION_HEAP && bytes <= most) settle(region, most);
  if (!region->reserved) {
    char *moved = gli_memory_resize(region->start, bytes, 1);
    if (!moved) return NULL;
    region->start = moved;
  } else if (bytes > region->reserved) {
    return NULL;
  }
  if (region->reserved) populate(region, bytes);
  region->bytes = bytes;
  return region->start;
}

void gli_region_empty(gli_region *region) {
  if (!region->reserved) gli_region_free(region);
  region->bytes = 0;
}

size_t gli_region_spare(const gli_region *region, size_t bytes) {
  size_t held = region->held < bytes ? region->held : bytes;
  return held > region->bytes ? held - region->bytes : 0;
}

void gli_region_trim(gli_region *region) {
#ifdef MADV_DONTNEED
  size_t from = (region->bytes + page_mask()) & ~page_mask();
  if (region->held <= from) return;
  (void)madvise(region->start + from, region->held - from, MADV_DONTNEED);
  region->held = from;
#else
  (void)region;
#endif
}

void gli_region_free(gli_region *region) {
  if (region->reserved) munmap(region->start, region->reserved);
  else gli_memory_free(region->start);
  *region = (gli_region){0};
}
