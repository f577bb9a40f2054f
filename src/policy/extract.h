/* Extract: the policy behind the lower bound of a graph's root. */
#ifndef GLI_POLICY_EXTRACT_H
#define GLI_POLICY_EXTRACT_H

#include "graph/graph.h"
#include "policy/policy.h"

/* Fills the controller of a policy: minimal, and with an edge for all that can happen from the start.  When `until`
 * (gli_clock_now; infinite: never) comes it does with less than what the graph promises.  False: out of memory. */
bool gli_policy_extract(glimpse_policy *policy, const gli_graph *graph, double until);

/* A lower bound at any belief; the context is the graph. */
double gli_extract_lower(const void *context, glimpse_row belief);

#endif
