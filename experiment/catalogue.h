/* Catalogue: the models of a specification and their offline bounds, each made once and then
 * shared, read-only, by all workers. */
#ifndef EXPERIMENT_CATALOGUE_H
#define EXPERIMENT_CATALOGUE_H

#include "common/complaint.h"
#include "experiment/setting.h"

struct catalogue_entry {
  char *environment;     /* as the specification says */
  char *path;            /* of a file; NULL: a built-in environment */
  double cost, discount; /* asked for; NaN: the model's own; cost 0: off */
  glimpse_model *model;
  char digest[20];                          /* of the contents of a file; empty: a built-in environment */
  glimpse_offline *offline[SETTING_UPPERS]; /* NULL: not needed so far */
};

struct catalogue {
  char *directory; /* which names of files are relative to: empty, or with a slash at its end; owned */
  struct catalogue_entry *entries;
  size_t count, capacity;
};

/* Makes the model, unless it is there; *place tells where.  False with a complaint, without
 * a place, when the environment cannot be made or planned on. */
bool catalogue_model(struct catalogue *catalogue, const char *environment, double cost, double discount, size_t *place,
                     complaint *why);
/* Computes the bounds that a setting starts from, unless they are there, with so many threads (0: the
 * cores). */
bool catalogue_bounds(struct catalogue *catalogue, const struct setting *setting, unsigned threads, complaint *why);
/* NULL for planners without. */
const glimpse_offline *catalogue_offline(const struct catalogue *catalogue, const struct setting *setting);
void catalogue_free(struct catalogue *catalogue);

#endif
