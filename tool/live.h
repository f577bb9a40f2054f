/* Live: shows the steps of an episode as they happen. */
#ifndef LIVE_H
#define LIVE_H

#include "glimpse.h"

struct live {
  bool on;
  double delay;
  const glimpse_model *model;
  unsigned requests; /* of the episode so far */
  bool explained;    /* the legend was shown */
};

struct live live_begin(const glimpse_model *model, double delay);
/* False: out of memory. */
bool live_step(struct live *live, const glimpse_step *step);

#endif
