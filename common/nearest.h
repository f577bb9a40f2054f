/* Nearest: finds what a mistyped word may have meant. */
#ifndef COMMON_NEAREST_H
#define COMMON_NEAREST_H

#include <stddef.h>

struct nearest {
  const char *word;
  const char *best; /* NULL while nothing offered was near */
  size_t distance;
};

struct nearest nearest_begin(const char *word);
/* Keeps the candidate when it is the nearest so far. */
void nearest_offer(struct nearest *nearest, const char *candidate);

#endif
