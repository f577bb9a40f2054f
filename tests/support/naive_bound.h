/* Naive bounds: the fixed points of the equations of the bounds, by plain sweeps over
 * all (s, a, s', o, k) with the public accessors alone. */
#ifndef SUPPORT_NAIVE_BOUND_H
#define SUPPORT_NAIVE_BOUND_H

#include "glimpse.h"

typedef struct naive_bound {
  uint32_t states, actions, vectors;
  double *value; /* value[k * states + s] */
} naive_bound;

/* To about 1e-12 of its size.  With requests, QMDP has the vectors of the actions and
 * that of FIB-SR for asking. */
naive_bound naive_bound_solve(const glimpse_model *model, glimpse_bound_kind kind);
void naive_bound_free(naive_bound *bound);

#endif
