/* Collect: makes room by squeezing out what is not needed. */
#ifndef GLI_GRAPH_COLLECT_H
#define GLI_GRAPH_COLLECT_H

#include "graph/pass.h"

/* Frees the nodes that neither the root nor a corner leads to or, with `prune`, to which neither the policy of the
 * upper nor that of the lower bounds leads: what led there is fringe again.  Indices change.  Returns the number of
 * nodes freed. */
size_t gli_collect(gli_pass *pass, bool prune);

#endif
