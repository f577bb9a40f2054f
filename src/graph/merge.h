/* Merge: which node has this belief (sharing `all`). */
#ifndef GLI_GRAPH_MERGE_H
#define GLI_GRAPH_MERGE_H

#include "graph/graph.h"

/* Are two beliefs one, but for rounding? */
bool gli_merge_equal(glimpse_row known, glimpse_row belief);
/* The node with an equal belief; GLI_NONE: none is known.  *hash is for gli_merge_add. */
uint32_t gli_merge_find(const gli_graph *graph, glimpse_row belief, uint32_t *hash);
/* The node can be found from now on.  Where there is no room it is not remembered, which costs work and nothing else.
 */
void gli_merge_add(gli_graph *graph, uint32_t node, uint32_t hash);
/* All nodes anew, after they were squeezed. */
void gli_merge_all(gli_graph *graph);

#endif
