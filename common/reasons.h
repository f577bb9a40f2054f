/* Reasons: why a decision is made, and how sure it is. */
#ifndef COMMON_REASONS_H
#define COMMON_REASONS_H

#include "common/json.h"
#include "glimpse.h"

enum {
  REASONS_STEPS = 8,   /* of the forecast */
  REASONS_TEXT = 1000, /* the longest text, and one */
};

/* What a decision was made from. */
struct grounds {
  const glimpse_model *model;
  const glimpse_planner *planner;
  const glimpse_planner_options *options;
  const glimpse_belief *belief;
  const glimpse_decision *decision;
  /* All choices and the agent that has them (glimpse_agent_prospects), as models with inquiries need it; NULL: those of
   * the planner. */
  const glimpse_agent *agent;
  const glimpse_prospect *prospects;
  uint32_t prospect_count;
  bool by_rule; /* it follows a rule or a policy, without a search */
  bool brief;   /* only the digits of bounds that are certain */
};

struct reasons {
  double act_lower, act_upper; /* of the best action without asking */
  double ask_lower, ask_upper; /* of asking, or the best inquiry; NaN where there is no such choice */
  uint32_t made;               /* the choice made, of all choices in their order; GLIMPSE_ANY: it is none of them */
  uint32_t rival;              /* the other one of largest upper bound; GLIMPSE_ANY: there is none */
  double rival_upper;          /* -infinity without one */
  bool certain;
  size_t steps;
  glimpse_event step[REASONS_STEPS];
};

/* Of the decision that was made last, by its planner.  False: out of memory. */
bool reasons_weigh(const struct grounds *grounds, struct reasons *reasons);
/* Why this choice, and whether another could be better; some sentences. */
void reasons_decision(const struct grounds *grounds, const struct reasons *reasons, char text[REASONS_TEXT]);
/* What asking, or each inquiry, gains or loses; a sentence for each, as far as there is room. */
void reasons_asking(const struct grounds *grounds, const struct reasons *reasons, char text[REASONS_TEXT]);
/* The price of asking: "0.5", "1 to 2, depending on the state", "off". */
void reasons_cost(const glimpse_model *model, char text[100]);
/* The price of an inquiry: "0.5", "1 to 2, depending on the state". */
void reasons_price(const glimpse_model *model, uint32_t inquiry, char text[100]);
/* What a choice is called: "ask", "ask camera", "go", "go with camera". */
void reasons_name(const glimpse_model *model, const glimpse_prospect *prospect, char *text, size_t size);
/* The keys certain, gain_least and gain_most. */
void reasons_json(const struct reasons *reasons, struct json *json);
/* The key forecast. */
void reasons_json_forecast(const struct grounds *grounds, const struct reasons *reasons, struct json *json);

#endif
