/* Results: the contents of a results file in memory, read in one transaction, so that a report is of one
 * moment even while an experiment is running. */
#ifndef EXPERIMENT_RESULTS_H
#define EXPERIMENT_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/complaint.h"

/* See schema.h for the meaning of the columns.  NULL is NaN or a NULL pointer. */

struct results_run {
  char *started, *finished, *outcome, *name, *scale, *command, *version, *compiler, *system, *cpu;
  double cores, memory, workers, ranks;
  bool timed;
};

struct results_episode {
  uint64_t seed;
  double total, undiscounted, steps, requests, expansions, error_reduction, lower, upper, seconds, load;
  bool ended;
};

struct results_point {
  double expansions, seconds, lower, upper;
};

/* What a policy took and proves; nodes 0: there is none. */
struct results_policy {
  double lower, upper, requests, nodes, edges, seconds, expansions;
  bool verified;
};

/* How often an inquiry was asked, in the episodes that tell. */
struct results_asked {
  char *name;
  double total;
  size_t episodes;
};

struct results_setting {
  int64_t id;
  char *environment, *planner, *upper, *lower, *improve, *options;
  double cost, discount, budget;
  bool timed; /* the budget is in seconds, else in expansions, per decision */
  uint64_t max_steps, seed, wanted;
  struct results_episode *episodes; /* by seed */
  size_t count;
  struct results_point *trace; /* by expansions */
  size_t points;
  struct results_asked *asked; /* in the order of the model; none without inquiries */
  size_t asked_count;
  struct results_policy policy;
};

struct results_part {
  size_t setting; /* place among the settings */
  double paper_seconds;
};

struct results_experiment {
  int64_t id;
  char *name, *title, *axis;
  struct results_part *parts; /* in the order in which they are to be shown */
  size_t count;
};

struct results {
  struct results_run *runs;
  size_t run_count;
  struct results_setting *settings; /* by id */
  size_t setting_count;
  struct results_experiment *experiments;
  size_t experiment_count;
};

/* False, with a complaint: no such file, no database, one of something else, of a newer schema, damaged, no
 * memory.  results_free is to be called in any case. */
bool results_read(struct results *results, const char *path, complaint *why);
void results_free(struct results *results);

/* Episodes stored and wanted, of all settings; what is there beyond the wish counts as wanted. */
void results_progress(const struct results *results, uint64_t *stored, uint64_t *wanted);

#endif
