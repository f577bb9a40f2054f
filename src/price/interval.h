/* Interval: sums, products and quotients that are rounded outwards.
 *
 * The nearest number to an exact result is at most half a step off, so the next one down (up) is not above (below)
 * the exact result. */
#ifndef GLI_PRICE_INTERVAL_H
#define GLI_PRICE_INTERVAL_H

#include <math.h>

#include "glimpse.h"

static inline double gli_down(double x) {
  return nextafter(x, -INFINITY);
}

static inline double gli_up(double x) {
  return nextafter(x, INFINITY);
}

/* a + slope * (x - at), not above and not below; x >= at, or x <= at with the slope of that side. */
static inline double gli_line_down(double a, double slope, double length) {
  return gli_down(a + gli_down(slope * length));
}

static inline double gli_line_up(double a, double slope, double length) {
  return gli_up(a + gli_up(slope * length));
}

static inline glimpse_interval gli_interval_meet(glimpse_interval one, glimpse_interval two) {
  return (glimpse_interval){fmax(one.low, two.low), fmin(one.high, two.high)};
}

#endif
