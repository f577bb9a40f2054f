/* Summary: what the episodes of a setting come to and how settings are called. */
#ifndef EXPERIMENT_SUMMARY_H
#define EXPERIMENT_SUMMARY_H

#include "common/text.h"
#include "experiment/published.h"
#include "experiment/results.h"
#include "glimpse.h"

/* Means over episodes with standard errors and 95 % intervals (Student's t).  What is counted by step is the
 * mean over the steps of an episode first.  NaN: no episode has it. */
#define SUMMARY_TABLE(X)                                                                                               \
  X(total)           /* discounted return */                                                                           \
  X(undiscounted)    /* return without the discount */                                                                 \
  X(requests)        /* per episode */                                                                                 \
  X(steps)           /* per episode */                                                                                 \
  X(expansions)      /* per step (POMCP: simulations) */                                                               \
  X(error_reduction) /* percent */                                                                                     \
  X(seconds)         /* per step */                                                                                    \
  X(rate)            /* expansions per second */                                                                       \
  X(lower)           /* of the start belief, after the first decision */                                               \
  X(upper)

struct summary {
  size_t episodes, wanted;
  size_t cut; /* episodes that the limit of steps ended */
#define X(name) glimpse_statistic name;
  SUMMARY_TABLE(X)
#undef X
  double load;                       /* of the machine, on average; NaN unknown */
  const struct published_row *paper; /* NULL: not in the paper */
  enum published_verdict total_verdict, reduction_verdict;
};

/* Of the episodes of several settings together, without the paper's figures.  False: no memory. */
bool summary_pool(struct summary *summary, const struct results_setting *const *settings, size_t count);
/* Of one setting, with them.  False: no memory. */
bool summary_of(struct summary *summary, const struct results_setting *setting, double paper_seconds);

/* The value that the summary takes of an episode; NaN: it has none. */
double summary_rate(const struct results_episode *episode);
double summary_seconds(const struct results_episode *episode);

/* ------------------------------------------------------------ names */

/* What differs between settings of the same planner in an experiment, and so must be told. */
struct variety {
  bool upper, lower, improve, options;
};

struct variety variety_of(const struct results *results, const struct results_experiment *experiment);
/* "aems-sr", "aems-sr, qmdp", "aems-sr, improve none, every=3" */
void variety_name(const struct variety *variety, const struct results_setting *setting, struct text *text);
/* Does its planner search, so that its budget counts? */
bool summary_searches(const struct results_setting *setting);
/* "0.1 s", "2525 expansions" or "5000 simulations", each per decision. */
void budget_name(const struct results_setting *setting, struct text *text);

#endif
