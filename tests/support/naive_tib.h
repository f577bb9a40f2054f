/* Naive TIB: the table of all tau(e_s,a,o), none left out and none shared, from the accessors alone. */
#ifndef SUPPORT_NAIVE_TIB_H
#define SUPPORT_NAIVE_TIB_H

#include "glimpse.h"

typedef struct naive_tib {
  const glimpse_model *model;
  uint32_t states, actions, observations, choices;
  double *belief; /* belief[(((s * actions) + a) * observations + o) * states + s']; all zero: impossible */
  double *chance; /* P(o|s,a), likewise */
  double *value;  /* choices per belief, likewise */
  double *corner; /* choices per state */
} naive_tib;

/* To about 1e-12 of its size, from above. */
naive_tib naive_tib_solve(const glimpse_model *model);
void naive_tib_free(naive_tib *tib);
/* One look ahead at a belief, or asking. */
double naive_tib_value(const naive_tib *tib, const double *belief);
size_t naive_tib_index(const naive_tib *tib, uint32_t s, uint32_t a, uint32_t o);

#endif
