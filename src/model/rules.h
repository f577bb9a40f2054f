/* Rules: the assignments R : a : s : s' : o  value, with wildcards, and the
 * rewards that result from them. */
#ifndef GLI_MODEL_RULES_H
#define GLI_MODEL_RULES_H

#include "glimpse.h"
#include "model/model.h"

typedef struct gli_rules_entry {
  uint32_t key[4]; /* a, s, s', o; GLIMPSE_ANY: every one */
  double value;
} gli_rules_entry;

typedef struct gli_rules {
  gli_rules_entry *rule; /* in the order of the assignments: later wins */
  size_t count, capacity;
  uint32_t shapes;    /* bit m is set when a rule has the wildcards of mask m */
  uint64_t most;      /* entries that may result from them; 0: GLIMPSE_MAX_ENTRIES */
  uint64_t questions; /* that may be asked about steps; 0: any number */
} gli_rules;

void gli_rules_free(gli_rules *rules);
/* NO_MEMORY or TOO_LARGE on failure.  Indices are trusted. */
glimpse_status gli_rules_add(gli_rules *rules, uint32_t a, uint32_t s, uint32_t s2, uint32_t o, double value);
/* Does the number of questions about steps keep the limit?  Needs T and O of the model. */
bool gli_rules_within(const gli_rules *rules, const glimpse_model *model);
/* Fills model->reward and model->steps, which need T and O. */
glimpse_status gli_rules_resolve(const gli_rules *rules, glimpse_model *model);

#endif
