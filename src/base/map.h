/* Map: numbers for keys of 64 bits, in an open hash table that only grows. */
#ifndef GLI_BASE_MAP_H
#define GLI_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero it before the first use. */
typedef struct gli_map {
  uint64_t *key;
  uint32_t *value; /* GLI_MAP_NONE: an empty place */
  size_t count, capacity;
} gli_map;

#define GLI_MAP_NONE UINT32_MAX

void gli_map_free(gli_map *map);
/* The number of a key; GLI_MAP_NONE: it has none. */
uint32_t gli_map_find(const gli_map *map, uint64_t key);
/* Gives a key that has no number one, which is not GLI_MAP_NONE.  False: out of memory. */
bool gli_map_add(gli_map *map, uint64_t key, uint32_t value);

#endif
