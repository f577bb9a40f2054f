/* Curve: what is known of a convex, falling function from intervals at some places. */
#ifndef GLI_PRICE_CURVE_H
#define GLI_PRICE_CURVE_H

#include "price/interval.h"

/* One place.  `fall` contains every slope there, without its sign: from the one to the left to the one to the right. */
typedef struct gli_place {
  double at;
  glimpse_interval value, fall;
} gli_place;

typedef struct gli_curve {
  gli_place *places; /* from left to right */
  size_t count;
  double steepest; /* it falls by at most so much per unit ... */
  double flat;     /* ... and from here on not at all; infinite: not known */
  double floor;    /* it is never below; -infinite: not known */
} gli_curve;

/* Tightens the intervals of all places by what the others say of them, and finds the slopes. */
void gli_curve_tighten(gli_curve *curve);
/* The function anywhere from the first place on. */
glimpse_interval gli_curve_value(const gli_curve *curve, double at);
/* The same with its slopes. */
gli_place gli_curve_at(const gli_curve *curve, double at);
/* Where, between place i and the next, least is known, and how much less than at its two ends; at *at. */
double gli_curve_doubt(const gli_curve *curve, size_t i, double *at);

/* Up to where `one` is proved to be at most `other` + `most`, all the way from the first place on; and from where it is
 * proved to be more, infinite for nowhere.  The places of both are the same. */
glimpse_interval gli_curve_part(const gli_curve *one, const gli_curve *other, double most);
/* Where the curve reaches a level of which an interval is known: up to the low end it is proved to be above, from the
 * high end on proved not to be; infinite for nowhere. */
glimpse_interval gli_curve_reach(const gli_curve *curve, glimpse_interval level);

#endif
