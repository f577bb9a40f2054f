/* Always: what it is worth to ask whenever the state is not certain, and from which price on nobody asks. */
#ifndef GLI_PRICE_ALWAYS_H
#define GLI_PRICE_ALWAYS_H

#include "price/interval.h"

/* A model whose prices are to be multiplied by factors.  The copies borrow all of it but the prices. */
typedef struct gli_scaled {
  const glimpse_model *model;
  const double *unit; /* price of each state at the factor 1; NULL: 1 */
  double *costs;      /* room for the prices of a copy; NULL like unit */
} gli_scaled;

/* Expected price at the factor 1 of asking in s: 0 in terminal states. */
double gli_scaled_unit(const gli_scaled *scaled, uint32_t s);
/* A copy with its prices, 0 included (asking is free, not off); valid until the next. */
glimpse_model gli_scaled_at(const gli_scaled *scaled, double factor);
/* A copy without requests. */
glimpse_model gli_scaled_off(const gli_scaled *scaled);

/* Asks whenever the state is not certain. */
typedef struct gli_always {
  const gli_scaled *scaled;
  double *pay;          /* per action and state: expected price at the factor 1 of the request after it */
  glimpse_interval off; /* how far a sum of such prices may be off, as factors */
  double *reward;       /* room for the rewards of a copy */
} gli_always;

glimpse_status gli_always_new(const gli_scaled *scaled, gli_always *always);
void gli_always_free(gli_always *always);
/* Its value at the start for a factor. */
glimpse_status gli_always_value(const gli_always *always, double factor, const glimpse_bound_options *options,
                                glimpse_report *report, glimpse_interval *value);

/* A factor from which on asking pays at no belief; infinite: asking is free somewhere.  *scale is the same for the
 * states where asking has a price. */
glimpse_status gli_always_never(const gli_scaled *scaled, const glimpse_bound_options *options, glimpse_report *report,
                                double *never, double *scale);

#endif
