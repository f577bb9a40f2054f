/* Catalogue: the models of a specification, their offline bounds and policies, each made once and then
 * shared, read-only, by all workers. */
#ifndef EXPERIMENT_CATALOGUE_H
#define EXPERIMENT_CATALOGUE_H

#include "common/complaint.h"
#include "experiment/digest.h"
#include "experiment/policies.h"
#include "experiment/setting.h"

struct catalogue_entry {
  char *environment;     /* as the specification says */
  char *path;            /* of a file; NULL: a built-in environment */
  double cost, discount; /* asked for; NaN: the model's own; cost 0: off */
  glimpse_model *model;
  char digest[DIGEST_SIZE];                 /* of the contents of a file; empty: a built-in environment */
  glimpse_offline *offline[SETTING_UPPERS]; /* NULL: not needed so far */
};

struct catalogue {
  char *directory; /* which names of files are relative to: empty, or with a slash at its end; owned */
  struct catalogue_entry *entries;
  size_t count, capacity;
  struct policies policies;
};

/* Makes the model, unless it is there; *place tells where.  False with a complaint, without
 * a place, when the environment cannot be made or planned on. */
bool catalogue_model(struct catalogue *catalogue, const char *environment, double cost, double discount, size_t *place,
                     complaint *why);
/* Computes the bounds that a setting starts from, unless they are there, with so many threads (0: the
 * cores). */
bool catalogue_bounds(struct catalogue *catalogue, const struct setting *setting, unsigned threads, complaint *why);
/* Solves the policy of a setting that has one, unless it is there, and proves its certificate; an interrupt leaves it
 * unsolved. */
bool catalogue_solve(struct catalogue *catalogue, const struct setting *setting, const volatile int *interrupt,
                     complaint *why);
/* NULL for planners without. */
const glimpse_offline *catalogue_offline(const struct catalogue *catalogue, const struct setting *setting);
/* NULL: the planner has none, or it is not solved so far. */
const glimpse_policy *catalogue_policy(const struct catalogue *catalogue, const struct setting *setting);
void catalogue_free(struct catalogue *catalogue);

#endif
