/* Winners: the largest of a set of keys that change one at a time. */
#ifndef GLI_GRAPH_WINNERS_H
#define GLI_GRAPH_WINNERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gli_winners {
  double *key;      /* of each item */
  uint32_t *winner; /* a binary tree over the items; [1] is the root */
  size_t capacity;  /* items, a power of two */
} gli_winners;

void gli_winners_free(gli_winners *winners);
/* Room for `count` items; new keys are 0.  False: out of memory. */
bool gli_winners_grow(gli_winners *winners, size_t count);
void gli_winners_set(gli_winners *winners, uint32_t item, double key);

/* The item with the largest key, the first of equals.  Needs capacity > 0. */
static inline uint32_t gli_winners_best(const gli_winners *winners) {
  return winners->winner[1];
}

#endif
