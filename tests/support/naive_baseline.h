/* Naive baselines: the values by which they act, from the fixed points of the equations
 * of the bounds and with the public accessors alone. */
#ifndef SUPPORT_NAIVE_BASELINE_H
#define SUPPORT_NAIVE_BASELINE_H

#include "support/naive_bound.h"

/* A model and the fixed points; always_ask is empty where the agent may not ask. */
typedef struct naive_baseline {
  const glimpse_model *model;
  uint32_t states, actions, observations;
  double discount;
  naive_bound qmdp, blind, always_ask;
} naive_baseline;

naive_baseline naive_baseline_of(const glimpse_model *model);
void naive_baseline_free(naive_baseline *n);
/* Vector k of a bound at a dense belief. */
double naive_baseline_dot(const naive_bound *bound, uint32_t k, const double *belief);
/* Entry i of a row. */
double naive_baseline_entry(glimpse_row row, uint32_t i);
/* What a planner with these options goes by; `every` must not be 0. */
double naive_baseline_score(const naive_baseline *n, const glimpse_planner_options *options, const double *belief,
                            uint32_t a);

#endif
