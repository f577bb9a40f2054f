/* Memory: overflow-checked arrays and growth.  Everything the library allocates
 * comes through here, so that tests can count it and make it fail. */
#ifndef GLI_BASE_MEMORY_H
#define GLI_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* count * size zeroed bytes; NULL on overflow or when out of memory.  A request
 * for nothing gives a valid pointer. */
void *gli_memory_new(size_t count, size_t size);
/* Makes room for `need` items in *array, of which *capacity fit now, by doubling.
 * New room is not zeroed.  False (nothing changed) when out of memory. */
bool gli_memory_grow(void **array, size_t *capacity, size_t need, size_t size);
/* The array with room for `count` items, moved if need be; NULL (the array is
 * unchanged) on overflow or when out of memory. */
void *gli_memory_resize(void *array, size_t count, size_t size);
/* Gives back the room behind `count` items; keeps the array when that fails. */
void *gli_memory_trim(void *array, size_t count, size_t size);
void *gli_memory_copy(const void *source, size_t count, size_t size);
char *gli_memory_text(const char *text);
void gli_memory_free(void *pointer);
/* How often the system has refused memory to this thread, also where less was enough. */
uint64_t gli_memory_refused(void);

#define GLI_NEW(type, count) ((type *)gli_memory_new((count), sizeof(type)))
/* `array` must be an lvalue of pointer type. */
#define GLI_GROW(array, capacity, need) gli_memory_grow((void **)&(array), &(capacity), (need), sizeof *(array))

#endif
