/* Fixpoint: iterates a Bellman operator and says where its fixed point lies. */
#ifndef GLI_BOUNDS_FIXPOINT_H
#define GLI_BOUNDS_FIXPOINT_H

#include <math.h>

#include "bounds/bound.h"

/* Smallest and largest change of an entry. */
typedef struct gli_range {
  double low, high;
} gli_range;

#define GLI_RANGE_NONE ((gli_range){INFINITY, -INFINITY})

static inline void gli_range_add(gli_range *range, double x) {
  if (x < range->low) range->low = x;
  if (x > range->high) range->high = x;
}

/* One sweep over the states (for TIB: the beliefs).  In a Jacobi sweep every state reads old values.  In
 * a Gauss-Seidel sweep a state reads the new values of the states of its block that
 * came before it, old ones of all others. */
typedef struct gli_sweep {
  bool jacobi;
  bool backward; /* within a block, from the last state to the first */
} gli_sweep;

/* What is iterated.  The two sets of values, old and new, belong to the context. */
typedef struct gli_operator {
  void *context;
  double size; /* no value met on the way is larger */
  /* Computes the new values of the states first..last-1, one block; returns the
   * range of changes.  Called from several threads for disjoint blocks. */
  gli_range (*sweep)(void *context, gli_sweep sweep, uint32_t first, uint32_t last, unsigned worker);
  /* The new values become the old ones. */
  void (*turn)(void *context);
  /* Most that a backup of one entry may be off, values being at most `size`. */
  double (*rounding)(void *context, double size);
  uint32_t items, block; /* how many there are, states or beliefs, and how many to a block */
} gli_operator;

/* After the run the fixed point lies entry for entry between the old values plus
 * `low` and the old values plus `high`, before rounding errors. */
typedef struct gli_fixpoint_outcome {
  bool converged;
  uint64_t iterations;
  double residual; /* spread of the changes in the last sweep */
  double low, high;
} gli_fixpoint_outcome;

/* False: out of memory. */
bool gli_fixpoint_run(const gli_bound_task *task, const gli_operator *bellman, gli_fixpoint_outcome *outcome);

/* What to add for rounding errors, on either side, when one backup is off by at
 * most `rounding`. */
double gli_fixpoint_slack(const gli_bound_task *task, double rounding);

#endif
