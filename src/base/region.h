/* Region: an array that grows to hundreds of megabytes without being moved. */
#ifndef GLI_BASE_REGION_H
#define GLI_BASE_REGION_H

#include <stddef.h>

enum { GLI_REGION_HEAP = 1 << 17 }; /* bytes; smaller ones lie on the heap */

typedef struct gli_region {
  char *start;
  size_t bytes;
  size_t reserved; /* addresses set aside; 0: it lies on the heap */
  size_t held;     /* bytes that have memory, of those set aside: more than `bytes` after it was emptied */
} gli_region;

/* Makes room for so many bytes, at most `most` in the long run; what was there stays,
 * though perhaps elsewhere.  NULL (nothing changed) when out of memory. */
void *gli_region_resize(gli_region *region, size_t bytes, size_t most);
/* Nothing is in it any more; what it holds of reserved addresses it keeps, to be filled again. */
void gli_region_empty(gli_region *region);
/* Of what it would need for so many bytes, what it holds already without using it. */
size_t gli_region_spare(const gli_region *region, size_t bytes);
/* Gives back what it holds and does not need. */
void gli_region_trim(gli_region *region);
void gli_region_free(gli_region *region);

#endif
