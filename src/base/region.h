/* Region: an array that grows to hundreds of megabytes without being moved. */
#ifndef GLI_BASE_REGION_H
#define GLI_BASE_REGION_H

#include <stddef.h>

enum { GLI_REGION_HEAP = 1 << 17 }; /* bytes; smaller ones lie on the heap */

typedef struct gli_region {
  char *start;
  size_t bytes;
  size_t reserved; /* addresses set aside; 0: it lies on the heap */
} gli_region;

/* Makes room for so many bytes, at most `most` in the long run; what was there stays,
 * though perhaps elsewhere.  NULL (nothing changed) when out of memory. */
void *gli_region_resize(gli_region *region, size_t bytes, size_t most);
void gli_region_free(gli_region *region);

#endif
