/* Frontier: what becomes of a fringe belief that was chosen. */
#ifndef GLI_GRAPH_FRONTIER_H
#define GLI_GRAPH_FRONTIER_H

#include "graph/pass.h"

typedef enum gli_frontier {
  GLI_FRONTIER_EXPANDED, /* it has a node now, whose greedy choice is still to be opened */
  GLI_FRONTIER_RETURNED, /* it goes back with better bounds, or is linked to a node that was there (*node, or none) */
  GLI_FRONTIER_NOTHING,  /* it is not fringe any more */
  GLI_FRONTIER_FULL      /* no room */
} gli_frontier;

/* The candidate was not looked at yet: it is, with its siblings that matter, and goes back.  NOTHING: it was, or they
 * are too many. */
gli_frontier gli_frontier_look(gli_pass *pass, const gli_candidate *candidate);
/* The parent is the node whose choice leads there. */
gli_frontier gli_frontier_expand(gli_graph *graph, uint32_t parent, const gli_candidate *candidate, uint32_t *node);
gli_frontier gli_frontier_corner(gli_graph *graph, uint32_t state, uint32_t *node);

#endif
