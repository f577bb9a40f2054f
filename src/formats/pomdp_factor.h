/* Factors: parts of the state that an inquiry of a .pomdp file tells, see pomdp_factor.c. */
#ifndef GLI_FORMATS_POMDP_FACTOR_H
#define GLI_FORMATS_POMDP_FACTOR_H

#include "formats/pomdp.h"

typedef struct gli_pomdp_factor {
  uint32_t answers;
  uint32_t *answer; /* of each state */
  uint32_t *value;  /* of each answer: a row, a column or a cell, a place behind them, or nowhere */
  int kind;         /* of pomdp_factor.c */
} gli_pomdp_factor;

/* Reads what stands behind `tells`, up to the end of the line; on false an error has been added.  It is to be freed in
 * either case. */
bool gli_pomdp_factor_read(gli_pomdp *pomdp, gli_pomdp_factor *factor);
/* The name of an answer. */
void gli_pomdp_factor_name(const gli_pomdp *pomdp, const gli_pomdp_factor *factor, uint32_t z,
                           char text[GLI_POMDP_TEXT]);
void gli_pomdp_factor_free(gli_pomdp_factor *factor);

#endif
