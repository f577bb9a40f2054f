/* Search: what plan, explain and run have in common: the options of a planner,
 * its budget, the model and the offline bounds. */
#ifndef SEARCH_H
#define SEARCH_H

#include "glimpse.h"
#include "options.h"

struct search {
  glimpse_model *model;
  glimpse_offline *offline; /* NULL where the planner needs none */
  glimpse_policy *policy;   /* NULL: none */
  const char *policy_file;  /* where it was read from */
  const char *upper;        /* the word of --upper; NULL: not given */
  glimpse_planner_options planner;
  glimpse_budget budget;
};

/* Refuses options that exclude each other, then reads the model and computes the
 * bounds.  TOOL_OK, or an exit status after a message.  search_close is to be
 * called in any case. */
int search_open(const struct options *options, struct search *search);
void search_close(struct search *search);

/* Which planner the options mean: with a policy and without a budget there is nothing to search for. */
glimpse_planner_kind search_kind(const struct options *options);
/* Does the planner follow a rule or a policy, without a search? */
bool search_by_rule(const struct search *search);
/* Has the planner this trait, or one of these? */
bool search_has(const struct search *search, unsigned trait);
enum { SEARCH_TEXT = 400 }; /* longest description of a search, and one */
/* "aems-loop, 0.1 s per decision, seed 1": the planner, what differs from its defaults,
 * the budget and the seed. */
void search_text(const struct search *search, char text[SEARCH_TEXT]);

/* What the reason of a stop means. */
const char *search_stop_text(glimpse_stop stop);

/* Warns of a search to which the system has refused memory. */
void search_warn_refused(void);
/* The message for a search that failed, with what may help.  TOOL_FAILED. */
int search_failure(const glimpse_report *report, const struct options *options, glimpse_status status);

#endif
