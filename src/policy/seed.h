/* Seed: a slate begins with what a search knows. */
#ifndef GLI_POLICY_SEED_H
#define GLI_POLICY_SEED_H

#include "graph/graph.h"
#include "policy/slate.h"

/* Takes the beliefs that the search's upper bound at its root rests on, with their numbers, and makes the slate prove
 * itself again (S1).  Those that matter most come first, until there are more nodes than `most`.  Not *settled: time
 * was over before, and the slate is of no use.  False: out of memory. */
bool gli_seed(gli_slate *slate, const gli_graph *graph, size_t most, bool *settled);

#endif
