/* Policy formats: a policy as others read it, each in a file of its own. */
#ifndef POLICY_FORMAT_H
#define POLICY_FORMAT_H

#include "common/text.h"
#include "glimpse.h"

struct policy_format {
  const char *file; /* where it was read from */
  const glimpse_policy *policy;
  const glimpse_model *model; /* NULL: not needed, or not given */
  struct text *out;
};

/* TOOL_OK, or TOOL_FAILED after a message.  Out of memory is noted in the buffer. */
int policy_text(const struct policy_format *job);
int policy_c(const struct policy_format *job);
int policy_dot(const struct policy_format *job);
int policy_json(const struct policy_format *job);
int policy_pg(const struct policy_format *job);
/* These need the model. */
int policy_alpha(const struct policy_format *job);
int policy_appl(const struct policy_format *job);

/* The edges of a node, those that lead to the same node together. */
struct policy_way {
  uint32_t to, seen;
};
/* Room for `count` of the node that has most; NULL: out of memory, or no node has any. */
struct policy_way *policy_ways_new(const glimpse_policy *policy);
/* Fills them; returns how many. */
size_t policy_ways(const glimpse_policy *policy, uint32_t node, struct policy_way *ways);
/* How many of ways[0..count) lead where the first does. */
size_t policy_ways_same(const struct policy_way *ways, size_t count);
/* What is seen at a node: the name of an observation, or of a state that was told. */
const char *policy_seen(const glimpse_policy *policy, uint32_t node, uint32_t seen);
/* "tiger", or "a model without a name"; control characters are shown as ?. */
const char *policy_model(const glimpse_policy *policy, char text[100]);
/* "worth 1.2 to 1.3 at the start" */
void policy_worth(const glimpse_policy *policy, char text[160]);

#endif
