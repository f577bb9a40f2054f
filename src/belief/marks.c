/* Marks: see marks.h. */
#include "belief/marks.h"

#include "base/memory.h"

/* Position of the lowest bit of a word that is not zero. */
static unsigned lowest(uint64_t word) {
#if defined(__GNUC__)
  return (unsigned)__builtin_ctzll(word);
#else
  unsigned position = 0;
  while (!(word & 1)) {
    word >>= 1;
    position++;
  }
  return position;
#endif
}

bool gli_marks_start(gli_marks *marks, uint32_t limit) {
  uint64_t words = limit;
  do {
    words = (words + 63) / 64;
    uint64_t *level = GLI_NEW(uint64_t, (size_t)words);
    if (!level) return false;
    marks->level[marks->levels++] = level;
  } while (words > 1);
  return true;
}

void gli_marks_free(gli_marks *marks) {
  for (unsigned i = 0; i < marks->levels; i++) gli_memory_free(marks->level[i]);
  *marks = (gli_marks){0};
}

/* With `out` NULL the numbers are only forgotten.  No deeper than the levels, six of which hold 2^32 numbers. */
/* NOLINTNEXTLINE(misc-no-recursion) */
static uint32_t *drain_word(gli_marks *marks, unsigned level, uint32_t word, uint32_t *out) {
  uint64_t bits = marks->level[level][word];
  marks->level[level][word] = 0;
  for (; bits; bits &= bits - 1) {
    uint32_t number = word * 64 + lowest(bits);
    if (level) out = drain_word(marks, level - 1, number, out);
    else if (out) *out++ = number;
  }
  return out;
}

void gli_marks_drain(gli_marks *marks, uint32_t *out) {
  drain_word(marks, marks->levels - 1, 0, out);
  marks->count = 0;
}

void gli_marks_clear(gli_marks *marks) {
  gli_marks_drain(marks, NULL);
}
