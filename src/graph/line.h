/* Line: the numbers that a graph's table has for a state, see graph.h.  They are added up, weighted. */
#ifndef GLI_GRAPH_LINE_H
#define GLI_GRAPH_LINE_H

#include <stdint.h>

#define GLI_ALWAYS_INLINE static inline __attribute__((always_inline)) /* constants must arrive */

typedef double gli_pair __attribute__((vector_size(16)));

/* sums += weight * line, lane by lane: the order of additions is fixed.  `stride` is even. */
GLI_ALWAYS_INLINE void gli_line_add(double *restrict sums, const double *restrict line, double weight,
                                    uint32_t stride) {
  gli_pair w = {weight, weight};
#pragma GCC unroll 8
  for (uint32_t k = 0; k < stride; k += 2)
    *(gli_pair *)(void *)(sums + k) += w * *(const gli_pair *)(const void *)(line + k);
}

#endif
