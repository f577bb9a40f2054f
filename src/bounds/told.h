/* Told: always-ask where asking is an action. */
#ifndef GLI_BOUNDS_TOLD_H
#define GLI_BOUNDS_TOLD_H

#include "bounds/bound.h"

/* For planning models with inquiries.  False: out of memory. */
bool gli_told_make(const gli_bound_task *task, glimpse_bound *bound);

#endif
