/* Map: linear probing, at most half full. */
#include "base/map.h"

#include "base/memory.h"

void gli_map_free(gli_map *map) {
  gli_memory_free(map->key);
  gli_memory_free(map->value);
  *map = (gli_map){0};
}

/* Where a key stands, or would. */
static size_t place_of(const gli_map *map, uint64_t key) {
  size_t mask = map->capacity - 1;
  uint64_t mixed = (key ^ key >> 32) * 0x9e3779b97f4a7c15u;
  size_t place = (size_t)(mixed >> 32) & mask;
  while (map->value[place] != GLI_MAP_NONE && map->key[place] != key) place = (place + 1) & mask;
  return place;
}

uint32_t gli_map_find(const gli_map *map, uint64_t key) {
  return map->capacity ? map->value[place_of(map, key)] : GLI_MAP_NONE;
}

static bool widen(gli_map *map) {
  gli_map wide = {.capacity = map->capacity ? 2 * map->capacity : 64, .count = map->count};
  wide.key = GLI_NEW(uint64_t, wide.capacity);
  wide.value = GLI_NEW(uint32_t, wide.capacity);
  if (!wide.key || !wide.value) {
    gli_map_free(&wide);
    return false;
  }
  for (size_t i = 0; i < wide.capacity; i++) wide.value[i] = GLI_MAP_NONE;
  for (size_t i = 0; i < map->capacity; i++) {
    if (map->value[i] == GLI_MAP_NONE) continue;
    size_t place = place_of(&wide, map->key[i]);
    wide.key[place] = map->key[i];
    wide.value[place] = map->value[i];
  }
  gli_map_free(map);
  *map = wide;
  return true;
}

bool gli_map_add(gli_map *map, uint64_t key, uint32_t value) {
  if (map->count >= map->capacity / 2 && !widen(map)) return false;
  size_t place = place_of(map, key);
  map->key[place] = key;
  map->value[place] = value;
  map->count++;
  return true;
}
