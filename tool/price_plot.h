/* Price plot: draws a curve of prices. */
#ifndef PRICE_PLOT_H
#define PRICE_PLOT_H

#include "common/complaint.h"
#include "glimpse.h"

/* Value, requests and return over the price, one below the other.  False, with a complaint. */
bool price_plot(const glimpse_price_curve *curve, const char *model, const char *path, complaint *why);
/* The largest price that is worth showing. */
double price_plot_end(const glimpse_price_curve *curve);

#endif
