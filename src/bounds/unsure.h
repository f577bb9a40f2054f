/* Unsure: ask before an action where the state is not certain, and only there. */
#ifndef GLI_BOUNDS_UNSURE_H
#define GLI_BOUNDS_UNSURE_H

#include "bounds/bound.h"

/* value, known and first of this plan or, where that is better because time was short, of always-ask.  Where what is
 * observed after a known state never tells the next one both are the same: then bound->value stays NULL.  False: out of
 * memory. */
bool gli_unsure_make(const gli_bound_task *task, const glimpse_bound *always_ask, glimpse_bound *bound);

#endif
