/* Comparison: two planners on the same episodes. */
#ifndef EXPERIMENT_COMPARE_H
#define EXPERIMENT_COMPARE_H

#include "experiment/results.h"
#include "glimpse.h"

/* Two settings on the episodes with the same seeds: a's return minus b's. */
struct comparison {
  const struct results_setting *a, *b;
  size_t pairs;
  glimpse_statistic difference;
};

/* False: no memory. */
bool compare_pair(struct comparison *comparison, const struct results_setting *a, const struct results_setting *b);
/* Do the two play the same world under the same conditions, with the same time to think? */
bool compare_fair(const struct results_setting *a, double a_seconds, const struct results_setting *b, double b_seconds);
/* Each setting of an experiment against the one of the planner `against` (NULL: aems-sr, else the first of
 * those it may be compared with).  An array for the caller to free, of *count entries; NULL: no memory, or
 * none when *count is 0. */
struct comparison *compare_all(const struct results *results, const struct results_experiment *experiment,
                               const char *against, size_t *count, bool *no_memory);
/* "better" or "worse" (a than b), "no difference seen"; "-" for a single pair. */
const char *compare_text(const struct comparison *comparison);

#endif
