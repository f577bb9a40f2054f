/* Extract: the policy behind the lower bound of a graph's root. */
#ifndef GLI_POLICY_EXTRACT_H
#define GLI_POLICY_EXTRACT_H

#include "graph/graph.h"
#include "policy/policy.h"

/* Fills the controller of a policy: minimal, and with an edge for all that can happen from the start.  False: out of
 * memory. */
bool gli_policy_extract(glimpse_policy *policy, const gli_graph *graph);

/* A lower bound at any belief; the context is the graph. */
double gli_extract_lower(const void *context, glimpse_row belief);
/* The numbers of the graph's upper bounds: known states, and the beliefs that the policy greedy on them meets, the
 * nearest first, up to so many.  NULL: out of memory. */
gli_ceiling *gli_ceiling_extract(const gli_graph *graph, size_t most);

#endif
