/* Region: small arrays come from the heap.  One that outgrows it is moved once, to the
 * start of a range of addresses that is reserved for all it may ever need; memory is
 * taken from the system as the array grows.  Growing so costs the same at any size, and
 * nothing has to be copied in the middle of a time budget.  Where the system does not let
 * addresses be reserved (a limit on the address space, no overcommitment), the heap goes
 * on serving.  Large pages were tried: they gained nothing (docs/PERFORMANCE.md). */
#define _DEFAULT_SOURCE /* anonymous mappings; NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
#include "base/region.h"

#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"

enum { HEAP = 1 << 20 }; /* bytes */

#if defined(MAP_ANONYMOUS) && defined(MAP_NORESERVE)
static char *reserve(size_t bytes) {
  void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return at == MAP_FAILED ? NULL : at;
}
#else
static char *reserve(size_t bytes) {
  (void)bytes;
  return NULL;
}
#endif

/* From the heap to reserved addresses; false: it stays where it is. */
static bool settle(gli_region *region, size_t most) {
  char *start = reserve(most);
  if (!start) return false;
  if (region->bytes) memcpy(start, region->start, region->bytes);
  gli_memory_free(region->start);
  region->start = start;
  region->reserved = most;
  return true;
}

/* Takes the memory of the new part at once, which is cheaper than a fault per page. */
static void populate(gli_region *region, size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  size_t mask = (size_t)sysconf(_SC_PAGESIZE) - 1, from = region->bytes & ~mask, to = bytes & ~mask;
  if (to > from) (void)madvise(region->start + from, to - from, MADV_POPULATE_WRITE); /* a wish, nothing more */
#else
  (void)region;
  (void)bytes;
#endif
}

void *gli_region_resize(gli_region *region, size_t bytes, size_t most) {
  if (!region->reserved && bytes > HEAP && bytes <= most) settle(region, most);
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

void gli_region_free(gli_region *region) {
  if (region->reserved) munmap(region->start, region->reserved);
  else gli_memory_free(region->start);
  *region = (gli_region){0};
}
