/* Environment: what the tests of the built-in environments share.  Failures go
 * to cmocka and name the place. */
#ifndef SUPPORT_ENVIRONMENT_H
#define SUPPORT_ENVIRONMENT_H

#include "glimpse.h"

/* Makes an environment that must come without any finding. */
glimpse_model *environment_make(const char *spec);
/* The state, action or observation of a name that must be there. */
uint32_t environment_find(const glimpse_model *model, glimpse_kind kind, const char *name);
/* Every row of T and O and the start sum to 1; all names are there, can be
 * found, and are words; the states from
 * `terminal` on, and no others, are terminal (GLIMPSE_ANY: no state). */
void environment_check(const glimpse_model *model, uint32_t terminal);
/* The row is this dense vector, up to a rounding; `what` and the names of a and s
 * tell where it is not. */
void environment_check_row(const glimpse_model *model, const char *what, uint32_t a, uint32_t s, glimpse_row row,
                           const double *dense, uint32_t count);
/* The value of s when always action a is taken, by iteration from 0. */
double environment_blind(const glimpse_model *model, uint32_t a, glimpse_row start);
/* The value of the underlying MDP at the start belief. */
double environment_mdp(const glimpse_model *model);

#endif
