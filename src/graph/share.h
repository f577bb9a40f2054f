/* Share: which beliefs are equal (sharing `all`, AEMS-Loop in general). */
#ifndef GLI_GRAPH_SHARE_H
#define GLI_GRAPH_SHARE_H

#include "graph/graph.h"

struct gli_share *gli_share_new(void);
void gli_share_free(struct gli_share *share);
void gli_share_clear(struct gli_share *share);
/* Bytes whatever it grows to. */
uint64_t gli_share_fixed(const gli_graph *graph);
/* The root belief, so that children may be equal to it. */
void gli_share_root(gli_graph *graph, glimpse_row belief);
/* After the children of a belief were made: those that are equal to a belief met
 * before become aliases of it. */
void gli_share_children(gli_graph *graph, uint32_t node);
/* After beliefs were freed: forgets their records. */
void gli_share_prune(gli_graph *graph);

#endif
