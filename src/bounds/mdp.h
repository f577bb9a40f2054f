/* MDP: values of plans that know the state, the common core of three bounds. */
#ifndef GLI_BOUNDS_MDP_H
#define GLI_BOUNDS_MDP_H

#include "bounds/fixpoint.h"

/* v(s) = -price(s) + max_a [ R(s,a) + spared(s,a) + discount * sum_s' T(s'|s,a) v(s') ] over the
 * actions first..last-1. */
typedef struct gli_mdp {
  uint32_t first_action, last_action;
  bool priced;          /* else the price is 0 */
  const double *spared; /* for each row of T, from 0 to the largest price; NULL: 0 */
} gli_mdp;

/* Iterates and then moves the values outward, to `side` (-1: not above the fixed
 * point, +1: not below it), by what is left of error and rounding.  *value: one per
 * state, given to the caller.  False: out of memory. */
bool gli_mdp_solve(const gli_bound_task *task, gli_mdp mdp, int side, glimpse_bound_result *result, double **value);

/* The best action in a state, if these are the values after it. */
uint32_t gli_mdp_best(const glimpse_model *model, const double *value, const double *spared, uint32_t s);

/* The vectors of QMDP for actions alone, and `known`.  False: out of memory. */
bool gli_mdp_actions(const gli_bound_task *task, glimpse_bound *bound);

/* Largest rounding error of one backup of values up to `size`. */
double gli_mdp_rounding(const gli_bound_task *task, double size);

#endif
