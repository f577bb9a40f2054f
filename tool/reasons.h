/* Reasons: why a decision is made, and how sure it is. */
#ifndef REASONS_H
#define REASONS_H

#include "decide.h"
#include "json.h"

enum {
  REASONS_STEPS = 8,   /* of the forecast */
  REASONS_TEXT = 1000, /* the longest text, and one */
};

struct reasons {
  double act_lower, act_upper; /* of the best action */
  double ask_lower, ask_upper; /* of asking; NaN where there is no such choice */
  uint32_t rival;              /* the choice other than the one made of largest upper bound */
  double rival_upper;          /* -infinity without one */
  bool certain;
  size_t steps;
  glimpse_forecast step[REASONS_STEPS];
};

/* Of the decision that was made last, by its planner.  False: out of memory. */
bool reasons_weigh(const struct decide *decide, struct reasons *reasons);
/* Why this choice, and whether another could be better; some sentences. */
void reasons_decision(const struct decide *decide, const struct reasons *reasons, char text[REASONS_TEXT]);
/* What asking gains or loses; one sentence. */
void reasons_asking(const struct decide *decide, const struct reasons *reasons, char text[REASONS_TEXT]);
/* The keys certain, gain_least and gain_most. */
void reasons_json(const struct reasons *reasons, struct json *json);
/* The key forecast. */
void reasons_json_forecast(const struct decide *decide, const struct reasons *reasons, struct json *json);

#endif
