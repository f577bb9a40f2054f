/* Naive ceiling: the definition of ceiling.h, point after point, with dense beliefs and the public accessors alone. */
#ifndef SUPPORT_NAIVE_CEILING_H
#define SUPPORT_NAIVE_CEILING_H

#include "policy/ceiling.h"

enum { NAIVE_CEILING_STATES = 128 };

/* U at a dense belief. */
double naive_ceiling_value(const gli_ceiling *ceiling, const glimpse_model *model, const double *belief);
/* T_a U at a dense belief. */
double naive_ceiling_look_ahead(const gli_ceiling *ceiling, const glimpse_model *model, const double *belief,
                                uint32_t a);
/* By how much a number is below its look ahead, at most; 0: none is. */
double naive_ceiling_excess(const gli_ceiling *ceiling, const glimpse_model *model);
/* A row as a dense belief. */
void naive_ceiling_dense(glimpse_row row, const glimpse_model *model, double *belief);

#endif
