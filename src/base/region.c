/* Region: small arrays come from the heap.  One that outgrows it is moved once, to the
 * start of a range of addresses that is reserved for all it may ever need; memory is
 * taken from the system as the array grows.  So growing costs the same at any size, and
 * nothing has to be copied in the middle of a time budget.  Where the system does not let
 * addresses be reserved (no overcommitment), or where addresses are limited and would be
 * missing elsewhere, the heap goes on serving.  Large pages were tried: they gained nothing. */
#include "base/region.h"

#include <stdbool.h>
#include <string.h>

#include "base/memory.h"
#include "base/pages.h"

/* From the heap to reserved addresses; false: it stays where it is. */
static bool settle(gli_region *region, size_t most) {
  char *start = gli_pages_reserve(most);
  if (!start) return false;
  if (region->bytes) memcpy(start, region->start, region->bytes);
  gli_memory_free(region->start);
  region->start = start;
  region->reserved = most;
  region->held = region->bytes;
  return true;
}

/* Takes the memory of the new part at once. */
static void populate(gli_region *region, size_t bytes) {
  if (bytes <= region->held) return;
  gli_pages_take(region->start, region->held, bytes);
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
  if (region->reserved) region->held = gli_pages_give(region->start, region->bytes, region->held);
}

void gli_region_free(gli_region *region) {
  if (region->reserved) gli_pages_release(region->start, region->reserved);
  else gli_memory_free(region->start);
  *region = (gli_region){0};
}
