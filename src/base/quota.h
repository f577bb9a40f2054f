/* Quota: how much memory something may hold, and how much it does.  Whoever shares a
 * quota counts in it what it allocates, before it does.  Regions that were emptied may hold
 * more than is counted; they are trimmed before all of it together exceeds the limit. */
#ifndef GLI_BASE_QUOTA_H
#define GLI_BASE_QUOTA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/region.h"

typedef struct gli_quota {
  uint64_t bytes;     /* in use */
  uint64_t limit;     /* 0: none */
  gli_region *region; /* those that may hold more */
  unsigned regions;
} gli_quota;

/* What can still be taken when `reserve` bytes are to stay free. */
uint64_t gli_quota_left(const gli_quota *quota, uint64_t reserve);
/* Counts so much, whether it is left or not, of which regions hold `spare` already. */
void gli_quota_count(gli_quota *quota, uint64_t bytes, uint64_t spare);
/* False: there is not so much left, and nothing was taken. */
bool gli_quota_take(gli_quota *quota, uint64_t bytes, uint64_t reserve);
void gli_quota_give(gli_quota *quota, uint64_t bytes);
/* As gli_memory_grow, by a half each time and never past the limit. */
bool gli_quota_grow(gli_quota *quota, uint64_t reserve, void **array, size_t *capacity, size_t need, size_t size);

/* `array` must be an lvalue of pointer type. */
#define GLI_QUOTA_GROW(quota, reserve, array, capacity, need)                                                          \
  gli_quota_grow((quota), (reserve), (void **)&(array), &(capacity), (need), sizeof *(array))

#endif
