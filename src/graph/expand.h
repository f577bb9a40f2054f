/* Expand: makes nodes, and opens their actions. */
#ifndef GLI_GRAPH_EXPAND_H
#define GLI_GRAPH_EXPAND_H

#include "graph/graph.h"

/* Bounds at a belief that need no children: those of the table. */
gli_bounds gli_expand_judge(const gli_graph *graph, glimpse_row belief);
/* What has just been looked up at a belief, and need not be again: gli_expand_judge, gli_vectors_evaluate,
 * gli_sawtooth_upper. */
typedef struct gli_seen {
  bool table, vectors, points;
} gli_seen;
/* A node for this belief, with what is known of it; no action is opened.  `state`: it is the corner's.  GLI_NONE: no
 * room. */
uint32_t gli_expand_node(gli_graph *graph, glimpse_row belief, uint32_t state, gli_seen seen);
/* Makes the children of an action, unless it is opened already.  False: no room, or no time (graph->late). */
bool gli_expand_open(gli_graph *graph, uint32_t node, uint32_t action);
/* Backs up a node, and opens what has become greedy until the greedy choice is opened; with `all`, everything.  False:
 * no room or time for that; the bounds are valid all the same.  *changed (may be NULL): some bound did. */
bool gli_expand_grow(gli_graph *graph, uint32_t node, bool all, bool *changed);
/* The node of a corner, made if need be (its greedy choice is opened only by gli_expand_grow); GLI_NONE: no room. */
uint32_t gli_expand_corner(gli_graph *graph, uint32_t state);

#endif
