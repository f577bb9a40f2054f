/* Line: the numbers that a graph's table has for a state, see graph.h.  They are added up, weighted. */
#ifndef GLI_GRAPH_LINE_H
#define GLI_GRAPH_LINE_H

#include <stddef.h>

#include "graph/graph.h"

typedef double gli_pair __attribute__((vector_size(16), aligned(_Alignof(max_align_t) < 16 ? 8 : 16)));
typedef double gli_loose_pair __attribute__((vector_size(16), aligned(8))); /* wherever doubles are */

/* Calls a function whose last argument is the length of a line, with the usual lengths as constants: the compiler
 * then unrolls.  `function` may be preceded by an assignment. */
#define GLI_BY_LENGTH(length, function, ...)                                                                           \
  do {                                                                                                                 \
    switch (length) {                                                                                                  \
      case 6: function(__VA_ARGS__, 6); break;                                                                         \
      case 8: function(__VA_ARGS__, 8); break;                                                                         \
      case 10: function(__VA_ARGS__, 10); break;                                                                       \
      case 12: function(__VA_ARGS__, 12); break;                                                                       \
      case 14: function(__VA_ARGS__, 14); break;                                                                       \
      default: function(__VA_ARGS__, length);                                                                          \
    }                                                                                                                  \
  } while (0)

/* Lines are padded to this length. */
static inline uint32_t gli_line_even(uint32_t n) {
  return (n + 1) & ~(uint32_t)1;
}

/* sums += weight * line, lane by lane: the order of additions is fixed.  The length is even, and lines begin where
 * arrays from the heap do or a multiple of it further. */
GLI_ALWAYS_INLINE void gli_line_add(double *restrict sums, const double *restrict line, double weight,
                                    uint32_t length) {
  gli_pair w = {weight, weight};
#pragma GCC unroll 8
  for (uint32_t k = 0; k < length; k += 2)
    *(gli_pair *)(void *)(sums + k) += w * *(const gli_pair *)(const void *)(line + k);
}

/* Some pairs of gli_line_sum: they stay in registers where `pairs` is a constant. */
GLI_ALWAYS_INLINE void gli_line_block(double *restrict sums, const double *restrict lines, size_t width,
                                      glimpse_row belief, uint32_t pairs) {
  gli_pair sum[8] = {{0, 0}};
  for (size_t i = 0; i < belief.count; i++) {
    const gli_pair *line = (const gli_pair *)(const void *)(lines + belief.index[i] * width);
    gli_pair w = {belief.value[i], belief.value[i]};
#pragma GCC unroll 8
    for (uint32_t k = 0; k < pairs; k++) sum[k] += w * line[k];
  }
#pragma GCC unroll 8
  for (uint32_t k = 0; k < pairs; k++) ((gli_pair *)(void *)sums)[k] = sum[k];
}

/* sums = the lines of a belief's states, weighted: the same additions in the same order as by gli_line_add from 0. */
static inline void gli_line_sum(double *restrict sums, const double *restrict lines, size_t width, glimpse_row belief,
                                uint32_t length) {
  uint32_t k = 0;
  for (; k + 16 <= length; k += 16) gli_line_block(sums + k, lines + k, width, belief, 8);
  if (length & 8) gli_line_block(sums + k, lines + k, width, belief, 4), k += 8;
  if (length & 4) gli_line_block(sums + k, lines + k, width, belief, 2), k += 4;
  if (length & 2) gli_line_block(sums + k, lines + k, width, belief, 1);
}

/* The place of the largest of some numbers, the first of equals; there is at least one, and none is NaN. */
static inline uint32_t gli_line_largest(const double *numbers, uint32_t count) {
  double a = numbers[0], b = a;
  uint32_t k = 1;
  for (; k + 2 <= count; k += 2) { /* two chains: each comparison waits for the one before */
    a = numbers[k] > a ? numbers[k] : a;
    b = numbers[k + 1] > b ? numbers[k + 1] : b;
  }
  if (k < count) a = numbers[k] > a ? numbers[k] : a;
  a = b > a ? b : a;
  for (k = 0; numbers[k] != a;) k++;
  return k;
}

/* The first of the lines that are added up: as if sums were 0. */
GLI_ALWAYS_INLINE void gli_line_start(double *restrict sums, const double *restrict line, double weight,
                                      uint32_t length) {
  gli_pair w = {weight, weight}, zero = {0, 0};
#pragma GCC unroll 8
  for (uint32_t k = 0; k < length; k += 2)
    *(gli_pair *)(void *)(sums + k) = zero + w * *(const gli_pair *)(const void *)(line + k);
}

#endif
