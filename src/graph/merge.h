/* Merge: which node has this belief (sharing `all`). */
#ifndef GLI_GRAPH_MERGE_H
#define GLI_GRAPH_MERGE_H

#include "graph/graph.h"

/* The sum of the differences between two beliefs; infinite where their supports differ. */
double gli_merge_distance(glimpse_row one, glimpse_row other);
/* The node of an equal belief; GLI_NONE: none is known.  *slack is by how much the values of the two may differ; *hash
 * is for gli_merge_add. */
uint32_t gli_merge_find(const gli_graph *graph, glimpse_row belief, double *slack, uint32_t *hash);
/* The node can be found from now on.  Where there is no room it is not remembered, which costs work and nothing else.
 */
void gli_merge_add(gli_graph *graph, uint32_t node, uint32_t hash);
/* All nodes anew, after they were squeezed. */
void gli_merge_all(gli_graph *graph);

#endif
