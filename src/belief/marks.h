/* Marks: a set of numbers below a fixed limit that is handed out in ascending order.
 *
 * A belief update meets states in no useful order and must hand them out sorted,
 * in time that depends on how many it met and not on how many there are.  Level 0
 * has one bit per number, each further level one bit per non-zero word below it,
 * up to a single word: at most four levels for 2^24 numbers.  Adding a number
 * climbs only while the word was empty; emptying visits only words that are not. */
#ifndef GLI_BELIEF_MARKS_H
#define GLI_BELIEF_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GLI_MARKS_LEVELS = 6 }; /* enough for 2^32 numbers */

typedef struct gli_marks {
  uint64_t *level[GLI_MARKS_LEVELS];
  unsigned levels;
  size_t count; /* numbers in the set */
} gli_marks;

/* Room for 0..limit-1; false when out of memory.  `marks` must be zero. */
bool gli_marks_start(gli_marks *marks, uint32_t limit);
void gli_marks_free(gli_marks *marks);

/* Adds a number; true when it was not there. */
static inline bool gli_marks_add(gli_marks *marks, uint32_t number) {
  uint64_t *word = &marks->level[0][number >> 6];
  uint64_t bit = (uint64_t)1 << (number & 63), before = *word;
  if (before & bit) return false;
  *word = before | bit;
  marks->count++;
  for (unsigned level = 1; !before && level < marks->levels; level++) {
    number >>= 6;
    word = &marks->level[level][number >> 6];
    before = *word;
    *word = before | (uint64_t)1 << (number & 63);
  }
  return true;
}

/* Writes the numbers to out[0..count) in ascending order and empties the set. */
void gli_marks_drain(gli_marks *marks, uint32_t *out);
/* Empties the set. */
void gli_marks_clear(gli_marks *marks);

#endif
