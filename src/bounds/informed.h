/* Informed: the rows of T sorted by what the observation will tell. */
#ifndef GLI_BOUNDS_INFORMED_H
#define GLI_BOUNDS_INFORMED_H

#include "glimpse.h"

/* The states that can follow (s,a), in groups of equal observation probabilities.
 * First come the groups that no observation confuses with another group ("clear"):
 * those of one state, then those of several.  Then come the groups that share
 * observations ("mixed").  Clear groups of several states and mixed groups have an
 * entry in length and price. */
typedef struct gli_informed_row {
  double reward;
  uint64_t entry;                /* first of its entries */
  uint64_t group;                /* first of its groups */
  uint32_t single, clear, mixed; /* how many of each */
} gli_informed_row;

/* Rows are numbered s * actions + a, unlike those of T: a sweep takes all actions of a
 * state in turn and so reads everything here from front to back. */
typedef struct gli_informed {
  gli_informed_row *row;
  uint32_t *state;  /* non-zeros of T */
  double *weight;   /* likewise */
  uint32_t *length; /* of each group */
  double *price;    /* of each group: expected price of asking in it */
  uint64_t mixable; /* most observations of the mixed groups of one row */
  uint64_t terms;   /* most additions behind one number of a backup */
  double deviation; /* largest distance of a row sum of O from 1 */
} gli_informed;

/* False: out of memory.  Linear in the non-zeros of T and in those of the O rows
 * of the groups. */
bool gli_informed_start(gli_informed *informed, const glimpse_model *model);
void gli_informed_free(gli_informed *informed);

#endif
