/* Decide: one decision at one belief, which plan prints and explain explains. */
#ifndef DECIDE_H
#define DECIDE_H

#include "common/reasons.h"
#include "json.h"
#include "search.h"

struct decide {
  const char *name; /* of the model, as it was typed */
  struct search search;
  const glimpse_belief *belief;
  glimpse_belief *own; /* the same where decide_open made it */
  glimpse_planner *planner;
  glimpse_agent *agent;        /* of a model with inquiries or limits: goes through its layers; NULL otherwise */
  glimpse_prospect *prospects; /* its choices; NULL without such an agent */
  uint32_t prospect_count;
  glimpse_decision decision;
  bool brief; /* texts show only the digits of bounds that are certain */
};

/* Reads the model, plans at --belief or the start.  TOOL_OK, or an exit status
 * after a message.  decide_close is to be called in any case. */
int decide_open(const struct options *options, struct decide *decide);
void decide_close(struct decide *decide);

/* Takes the choices of the agent's last decision; false: out of memory. */
bool decide_look(struct decide *decide);

/* What a decision says: "ask for the state", "ask camera", "do 'go'", "do 'go' and ask camera". */
const char *decide_text(const glimpse_model *model, const glimpse_decision *decision, char text[200]);
/* The name of an action, or "ask" for GLIMPSE_ANY. */
const char *decide_name(const struct decide *decide, uint32_t action);
/* What reasons.h needs of it. */
struct grounds decide_grounds(const struct decide *decide);
/* Is it an estimate (POMCP), not an interval? */
bool decide_estimates(const struct decide *decide);
/* The ends of an interval for people, in brief where the decision is. */
const char *decide_low(const struct decide *decide, double lower, double upper, char text[32]);
const char *decide_high(const struct decide *decide, double lower, double upper, char text[32]);
/* A table with a line for each choice; the one that was made is marked. */
void decide_choices(const struct decide *decide);
/* What the search did, and why it stopped. */
void decide_search(const struct decide *decide);
/* The keys that plan and explain share; part of the interface. */
void decide_json(const struct decide *decide, struct json *json);
/* Those of them that tell about each choice. */
void decide_json_choices(const struct decide *decide, struct json *json);
/* Seconds, to the nanosecond: what the clock cannot tell is no data. */
double decide_seconds(double seconds);

#endif
