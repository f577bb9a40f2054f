/* Thin: of a slate, what the bound at the start rests on. */
#ifndef GLI_POLICY_THIN_H
#define GLI_POLICY_THIN_H

#include "policy/slate.h"

/* Fills the ceiling: numbers of known states, and the points and numbers that the bound at the start and numbers of
 * known states rest on.  False: out of memory, and the ceiling is as it was or has fewer points, which prove less. */
bool gli_thin(gli_slate *slate, uint32_t start, gli_ceiling *ceiling);

#endif
