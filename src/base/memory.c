/* Memory: see memory.h.  Out of memory is a NULL or a false, never an exit.  Refusals are counted
 * here, since all allocations pass, and not carried upward from each of them. */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static _Thread_local uint64_t refused;

uint64_t gli_memory_refused(void) {
  return refused;
}

static void *counted(void *memory) {
  refused += !memory;
  return memory;
}

void *gli_memory_new(size_t count, size_t size) {
  return counted(calloc(count ? count : 1, size ? size : 1));
}

bool gli_memory_grow(void **array, size_t *capacity, size_t need, size_t size) {
  if (need <= *capacity) return true;
  size_t wanted = *capacity < 8 ? 8 : *capacity;
  while (wanted < need) {
    if (wanted > SIZE_MAX / 2) {
      wanted = need;
      break;
    }
    wanted *= 2;
  }
  if (wanted > SIZE_MAX / size) return false;
  /* Perhaps less is still there.  Halving the surplus, and not dropping it at once,
   * keeps growth near the end of the memory from going by single items. */
  void *moved = counted(realloc(*array, wanted * size));
  while (!moved && wanted > need) {
    wanted = need + (wanted - need) / 2;
    moved = counted(realloc(*array, wanted * size));
  }
  if (!moved) return false;
  *array = moved;
  *capacity = wanted;
  return true;
}

void *gli_memory_resize(void *array, size_t count, size_t size) {
  if (size && count > SIZE_MAX / size) return NULL;
  return counted(realloc(array, count && size ? count * size : 1));
}

void *gli_memory_trim(void *array, size_t count, size_t size) {
  void *moved = realloc(array, count ? count * size : 1);
  if (!moved) return array;
  return moved;
}

void *gli_memory_copy(const void *source, size_t count, size_t size) {
  void *copy = gli_memory_new(count, size);
  if (copy && count) memcpy(copy, source, count * size);
  return copy;
}

char *gli_memory_text(const char *text) {
  return gli_memory_copy(text, strlen(text) + 1, 1);
}

void gli_memory_free(void *pointer) {
  free(pointer);
}
