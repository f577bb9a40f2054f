/* Store: room for what grows in a graph, within its quota. */
#ifndef GLI_GRAPH_STORE_H
#define GLI_GRAPH_STORE_H

#include "graph/graph.h"

/* Nothing is in use any more. */
void gli_store_clear(gli_graph *graph);
void gli_store_stop(gli_graph *graph);

/* Each returns GLI_NONE (and sets full) when there is no room.  What was handed out last can be given back. */
uint32_t gli_store_node(gli_graph *graph);
uint32_t gli_store_children(gli_graph *graph, uint32_t count);
uint32_t gli_store_belief(gli_graph *graph, glimpse_row belief);

typedef struct gli_store_mark {
  size_t nodes, children, beliefs;
} gli_store_mark;

static inline gli_store_mark gli_store_now(const gli_graph *graph) {
  return (gli_store_mark){graph->node_count, graph->child_count, graph->belief_count};
}
/* All that was handed out since is free again. */
static inline void gli_store_back(gli_graph *graph, gli_store_mark mark) {
  graph->node_count = mark.nodes;
  graph->child_count = mark.children;
  graph->belief_count = mark.beliefs;
}
/* The room that a belief of so many entries takes, in numbers. */
static inline uint32_t gli_store_room(uint32_t entries) {
  return entries + (entries + 1) / 2;
}
/* Bytes of nodes, children and beliefs in use. */
static inline uint64_t gli_store_used(const gli_graph *graph) {
  return graph->node_count * graph->node_size + graph->child_count * sizeof *graph->children +
         graph->belief_count * sizeof *graph->beliefs;
}

/* Room for `need` items in the array of a region, of which `reserve` bytes of the quota stay free.  False: none, and
 * nothing has changed but `full`. */
bool gli_store_array(gli_graph *graph, int region, size_t *capacity, size_t need, size_t item, uint64_t reserve);
/* Gives back what the arrays of nodes, children and beliefs do not need. */
void gli_store_shrink(gli_graph *graph);
/* The beliefs may not take all of the quota: what remains is for passes, and the last of it for making room. */
static inline uint64_t gli_store_reserve(const gli_graph *graph) {
  return graph->quota.limit / 8;
}
static inline uint64_t gli_store_scratch(const gli_graph *graph) {
  return graph->quota.limit / 32;
}

#endif
