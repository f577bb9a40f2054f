/* Price: what asking costs.  When the episode is over nobody is asked, so a terminal state is free, whatever cost the
 * model was given for it. */
#ifndef SUPPORT_PRICE_H
#define SUPPORT_PRICE_H

#include "glimpse.h"

static inline double price_in(const glimpse_model *model, uint32_t s) {
  return glimpse_model_terminal(model, s) ? 0 : glimpse_model_cost(model, s);
}

#endif
