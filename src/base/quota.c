/* Quota: see quota.h.  Memory that is moved while it grows is counted once; the allocator
 * may hold both places for a moment. */
#include "base/quota.h"

#include <assert.h>

#include "base/memory.h"

uint64_t gli_quota_left(const gli_quota *quota, uint64_t reserve) {
  if (!quota->limit) return UINT64_MAX;
  uint64_t held = quota->bytes + reserve;
  return held < quota->limit ? quota->limit - held : 0;
}

void gli_quota_count(gli_quota *quota, uint64_t bytes, uint64_t spare) {
  quota->bytes += bytes;
  uint64_t held = quota->bytes - spare;
  for (unsigned i = 0; i < quota->regions; i++) held += gli_region_spare(&quota->region[i], SIZE_MAX);
  if (held <= quota->limit || !quota->limit) return;
  for (unsigned i = 0; i < quota->regions; i++) gli_region_trim(&quota->region[i]);
}

bool gli_quota_take(gli_quota *quota, uint64_t bytes, uint64_t reserve) {
  if (bytes > gli_quota_left(quota, reserve)) return false;
  gli_quota_count(quota, bytes, 0);
  assert(!quota->limit || quota->bytes <= quota->limit);
  return true;
}

void gli_quota_give(gli_quota *quota, uint64_t bytes) {
  assert(bytes <= quota->bytes);
  quota->bytes -= bytes;
}

bool gli_quota_grow(gli_quota *quota, uint64_t reserve, void **array, size_t *capacity, size_t need, size_t size) {
  if (need <= *capacity) return true;
  size_t wanted = *capacity + *capacity / 2 + 8;
  if (wanted < need) wanted = need;
  if (wanted > SIZE_MAX / size) return false;
  uint64_t left = gli_quota_left(quota, reserve);
  if ((need - *capacity) * size > left) return false;
  if ((wanted - *capacity) * size > left) wanted = *capacity + (size_t)(left / size);
  gli_quota_count(quota, (wanted - *capacity) * size, 0);
  void *moved = gli_memory_resize(*array, wanted, size);
  if (!moved && wanted > need) { /* perhaps less is still there */
    gli_quota_give(quota, (wanted - need) * size);
    moved = gli_memory_resize(*array, wanted = need, size);
  }
  if (!moved) {
    gli_quota_give(quota, (wanted - *capacity) * size);
    return false;
  }
  *array = moved;
  *capacity = wanted;
  return true;
}
