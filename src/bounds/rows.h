/* Rows: which are equal, bit for bit. */
#ifndef GLI_BOUNDS_ROWS_H
#define GLI_BOUNDS_ROWS_H

#include <string.h>

#include "glimpse.h"

static inline uint64_t gli_row_hash(glimpse_row row) {
  uint64_t hash = row.count;
  for (size_t i = 0; i < row.count; i++) {
    uint64_t bits;
    memcpy(&bits, &row.value[i], sizeof bits);
    hash = (hash ^ row.index[i]) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ (hash >> 29) ^ bits) * UINT64_C(0xbf58476d1ce4e5b9);
  }
  return hash ^ (hash >> 32);
}

static inline bool gli_row_same(glimpse_row one, glimpse_row two) {
  return one.count == two.count && !memcmp(one.index, two.index, one.count * sizeof *one.index) &&
         !memcmp(one.value, two.value, one.count * sizeof *one.value);
}

#endif
