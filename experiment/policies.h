/* Policies: those of a specification, read from files or solved, each made once and then shared, read-only, by all
 * workers. */
#ifndef EXPERIMENT_POLICIES_H
#define EXPERIMENT_POLICIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/complaint.h"
#include "glimpse.h"

/* What is asked for: a file, or a gap. */
struct policies_wish {
  size_t model;              /* place among the models of the catalogue */
  const char *file;          /* NULL: it is solved */
  double relative, epsilon;  /* of the gap; 0: not given */
  uint64_t solve_expansions; /* 0: no limit */
};

struct policies_entry {
  struct policies_wish wish;
  char *file;
  char *text;             /* "policy=NAME@0123456789abcdef", "relative=0.01": the options of its settings */
  glimpse_policy *policy; /* NULL: not solved so far */
  bool checked;           /* the next are filled in */
  glimpse_policy_info info;
  bool verified;     /* its certificate was proved anew */
  double seconds;    /* of the processor; NaN: it was read */
  double expansions; /* NaN likewise */
};

struct policies {
  struct policies_entry *entries;
  size_t count, capacity;
};

/* Finds or adds one.  A file is read at once and has to be of the model; its name is relative to the directory.  False
 * with a complaint, without a place. */
bool policies_add(struct policies *policies, const struct policies_wish *wish, const glimpse_model *model,
                  const char *directory, size_t *place, complaint *why);
/* Solves it, unless it is there, and proves its certificate.  An interrupt leaves it unsolved. */
bool policies_make(struct policies_entry *entry, const glimpse_model *model, const volatile int *interrupt,
                   complaint *why);
void policies_free(struct policies *policies);

#endif
