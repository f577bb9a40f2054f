/* Bound: a set of vectors over states whose largest product with a belief bounds
 * the value there.  docs/BOUNDS.md says what the bounds are and why they hold. */
#ifndef GLI_BOUNDS_BOUND_H
#define GLI_BOUNDS_BOUND_H

#include "base/parallel.h"
#include "glimpse.h"

/* Rewards and prices beyond this, divided by 1 - discount, could overflow on the way. */
#define GLI_LARGEST_SIZE 1e280

struct glimpse_bound {
  uint32_t states, vectors;
  double *value; /* value[s * vectors + k]: a sparse belief reads whole lines */
  double *known; /* upper bounds: what each state is worth if it were always known for free; else NULL */
  glimpse_bound_result result;
};

/* The bound at a belief and, in *best, the first vector that attains it.  Sums go
 * over the states in ascending order.  Allocates nothing. */
static inline double gli_bound_at(const glimpse_bound *bound, glimpse_row belief, uint32_t *best) {
  enum { CHUNK = 64 };
  double largest = 0;
  *best = 0;
  for (uint32_t first = 0; first < bound->vectors; first += CHUNK) {
    uint32_t count = bound->vectors - first < CHUNK ? bound->vectors - first : CHUNK;
    double sum[CHUNK];
    for (uint32_t k = 0; k < count; k++) sum[k] = 0;
    for (size_t i = 0; i < belief.count; i++) {
      const double *line = bound->value + (size_t)belief.index[i] * bound->vectors + first;
      double p = belief.value[i];
      for (uint32_t k = 0; k < count; k++) sum[k] += p * line[k];
    }
    for (uint32_t k = 0; k < count; k++) {
      if ((first || k) && !(sum[k] > largest)) continue;
      largest = sum[k];
      *best = first + k;
    }
  }
  return largest;
}

/* What all families share while a bound is made. */
typedef struct gli_bound_task {
  const glimpse_model *model;
  double tolerance;
  uint64_t max_iterations;
  double deadline;      /* of gli_clock_now; infinite: none */
  gli_parallel *pool;   /* NULL: the calling thread alone */
  uint32_t block;       /* states per block of a sweep; depends on the model alone */
  double reward, price; /* the largest, without sign */
  double size;          /* (reward + price) / (1 - discount): no value is larger */
  double deviation;     /* largest distance of a row sum of T from 1 */
  uint64_t longest;     /* non-zeros of the longest row of T */
} gli_bound_task;

/* The families.  Each fills vectors, value and, in the result, converged,
 * iterations, residual and error.  False: out of memory. */
bool gli_bound_blind(const gli_bound_task *task, glimpse_bound *bound);
bool gli_bound_always_ask(const gli_bound_task *task, glimpse_bound *bound);
bool gli_bound_qmdp(const gli_bound_task *task, glimpse_bound *bound);
/* FIB, or FIB-SR when the model has requests. */
bool gli_bound_fib(const gli_bound_task *task, glimpse_bound *bound);

/* The vectors of QMDP for actions alone, and `known`. */
bool gli_bound_qmdp_actions(const gli_bound_task *task, glimpse_bound *bound);
/* FIB or FIB-SR, given the vectors of QMDP for actions. */
bool gli_bound_fib_from(const gli_bound_task *task, const glimpse_bound *qmdp, glimpse_bound *bound);

/* The result of the two taken together: the worse in everything. */
void gli_bound_join(glimpse_bound_result *result, const glimpse_bound_result *other);
/* Room for so many vectors; false: out of memory. */
bool gli_bound_reserve(glimpse_bound *bound, uint32_t vectors);

#endif
