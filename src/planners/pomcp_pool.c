/* Pool: items of one size in chunks, with a hard limit on the memory of all pools
 * of a tree together and of each by itself.
 *
 * Chunks are allocated one by one and never move, so that nothing is copied when a
 * pool grows, and the limit holds at every moment.  Given items are taken again
 * first.  Chunks are returned to the system with the pool.  Each operation costs
 * O(1). */
#include "planners/pomcp.h"

#include <string.h>

enum { CHUNK_BYTES = 1 << 16, CHUNKS_AIMED_AT = 16 };

void gli_pomcp_pool_start(gli_pomcp_pool *pool, gli_quota *quota, size_t size, uint64_t limit) {
  *pool = (gli_pomcp_pool){.quota = quota, .size = size, .free = GLI_POMCP_NONE, .limit = limit};
  uint64_t aim = limit / CHUNKS_AIMED_AT < CHUNK_BYTES ? limit / CHUNKS_AIMED_AT : CHUNK_BYTES;
  while ((uint64_t)size << (pool->shift + 1) <= aim) pool->shift++;
}

void gli_pomcp_pool_stop(gli_pomcp_pool *pool) {
  for (size_t i = 0; i < pool->count; i++) gli_memory_free(pool->chunks[i]);
  gli_memory_free(pool->chunks);
}

static bool add_chunk(gli_pomcp_pool *pool) {
  uint64_t bytes = ((uint64_t)pool->size << pool->shift) + sizeof *pool->chunks;
  if (bytes > pool->limit || pool->count >= pool->limit / bytes) return false;
  if (bytes > gli_quota_left(pool->quota, 0)) return false;
  if (pool->used >= GLI_POMCP_NONE - ((uint32_t)1 << pool->shift)) return false;
  if (!GLI_GROW(pool->chunks, pool->capacity, pool->count + 1)) return false;
  unsigned char *chunk = gli_memory_new((size_t)1 << pool->shift, pool->size);
  if (!chunk) return false;
  pool->chunks[pool->count++] = chunk;
  pool->quota->bytes += bytes;
  return true;
}

uint32_t gli_pomcp_pool_take(gli_pomcp_pool *pool) {
  uint32_t item = pool->free;
  if (item != GLI_POMCP_NONE) {
    memcpy(&pool->free, gli_pomcp_pool_at(pool, item), sizeof pool->free);
    return item;
  }
  if (pool->used >> pool->shift == pool->count && !add_chunk(pool)) return GLI_POMCP_NONE;
  return pool->used++;
}

void gli_pomcp_pool_give(gli_pomcp_pool *pool, uint32_t item) {
  memcpy(gli_pomcp_pool_at(pool, item), &pool->free, sizeof pool->free);
  pool->free = item;
}

void gli_pomcp_pool_clear(gli_pomcp_pool *pool) {
  pool->used = 0;
  pool->free = GLI_POMCP_NONE;
}
