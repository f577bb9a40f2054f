/* Given: what a search starts from when there is a policy. */
#ifndef GLI_POLICY_GIVEN_H
#define GLI_POLICY_GIVEN_H

#include "graph/graph.h"
#include "policy/policy.h"

typedef struct gli_policy_given {
  gli_given vectors; /* of the nodes that act, the first node last */
  double *values;    /* of all nodes in all states */
  uint32_t *action, *successors;
  const double **rows;
  double slack;     /* numbers of the ceiling are upper bounds when so much is added; infinite: there are none */
  double upper;     /* at the policy's start */
  gli_proof *proof; /* tells an upper bound at any belief; NULL: there is none */
} gli_policy_given;

/* NULL: out of memory, or more bytes than allowed.  The policy must be of this model. */
gli_policy_given *gli_policy_given_new(const glimpse_policy *policy, const glimpse_model *model, uint64_t max_bytes);
void gli_policy_given_free(gli_policy_given *given);
/* What a choice (GLIMPSE_ANY: asking), and then what the policy does from a node that makes it, is worth at least at a
 * belief; -inf: no node makes it. */
double gli_policy_given_promise(const gli_policy_given *given, const glimpse_policy *policy, uint32_t choice,
                                glimpse_row belief);

#endif
