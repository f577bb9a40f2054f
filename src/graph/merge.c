/* Merge: one node for equal beliefs.
 *
 * A hash table holds every node but the corners'.  Two beliefs are equal when their supports are and their distance
 * |b - b'|, the sum of all differences, is at most `near`.  A value V(b) is the largest of <b,alpha> over plans, whose
 * entries differ by at most twice the graph's `slope`, so V(b) and V(b') differ by at most slope |b - b'|: a link
 * between them carries that slack, and `near` is so small that all slack together is small.  Beliefs that
 * were reached on different paths differ by rounding at least; and where observations tell little they come nearer with
 * each step.
 *
 * The key is the support and the probabilities, rounded to a grid.  Two equal beliefs on the two sides of a grid line
 * are not found: then they are two nodes, which costs work and nothing else. */
#include "graph/merge.h"

#include <assert.h>
#include <string.h>

#include "graph/store.h"

enum { FIRST_SLOTS = 1024 };

/* The grid is a few times wider than what counts as equal. */
static double grid_of(const gli_graph *graph) {
  double grid = graph->near > 0 ? 1 / (8 * graph->near) : 0x1p50;
  return grid < 0x1p50 ? grid : 0x1p50;
}

static uint32_t hash_of(const gli_graph *graph, glimpse_row belief) {
  double grid = grid_of(graph);
  uint64_t h = belief.count;
  for (size_t i = 0; i < belief.count; i++) {
    h = (h ^ belief.index[i]) * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ (h >> 29) ^ (uint64_t)(belief.value[i] * grid + 0.5)) * UINT64_C(0xbf58476d1ce4e5b9);
  }
  return (uint32_t)(h >> 32);
}

double gli_merge_distance(glimpse_row one, glimpse_row other) {
  if (one.count != other.count || memcmp(one.index, other.index, other.count * sizeof *one.index) != 0) return INFINITY;
  double off = 0;
  for (size_t i = 0; i < other.count; i++) off += fabs(one.value[i] - other.value[i]);
  return off;
}

uint32_t gli_merge_find(const gli_graph *graph, glimpse_row belief, double *slack, uint32_t *hash) {
  *hash = hash_of(graph, belief);
  if (!graph->slot_count) return GLI_NONE;
  size_t mask = graph->slot_count - 1;
  for (size_t i = *hash & mask; graph->slots[i]; i = (i + 1) & mask) {
    uint32_t node = graph->slots[i] - 1;
    const gli_node *n = gli_graph_node(graph, node);
    if (n->hash != *hash) continue;
    double off = gli_merge_distance(gli_graph_belief(graph, n), belief);
    if (off > graph->near) continue;
    *slack = off * graph->slope;
    return node;
  }
  return GLI_NONE;
}

static void enter(gli_graph *graph, uint32_t node, uint32_t hash) {
  assert(node < graph->node_count && gli_graph_node(graph, node)->state == GLI_NONE); /* G6 */
  assert(graph->slots_used < graph->slot_count && !(graph->slot_count & (graph->slot_count - 1)));
  size_t mask = graph->slot_count - 1, i = hash & mask;
  while (graph->slots[i]) i = (i + 1) & mask;
  graph->slots[i] = node + 1;
  graph->slots_used++;
}

void gli_merge_all(gli_graph *graph) {
  if (!graph->slot_count) return;
  memset(graph->slots, 0, graph->slot_count * sizeof *graph->slots);
  graph->slots_used = 0;
  for (uint32_t node = 0; node < graph->node_count; node++)
    if (gli_graph_node(graph, node)->state == GLI_NONE && 2 * (graph->slots_used + 1) <= graph->slot_count)
      enter(graph, node, gli_graph_node(graph, node)->hash);
}

void gli_merge_add(gli_graph *graph, uint32_t node, uint32_t hash) {
  gli_graph_node(graph, node)->hash = hash;
  if (2 * (graph->slots_used + 1) <= graph->slot_count) {
    enter(graph, node, hash);
    return;
  }
  size_t wanted = graph->slot_count ? 2 * graph->slot_count : FIRST_SLOTS, capacity = graph->slot_count;
  bool full = graph->full;
  if (gli_quota_left(&graph->quota, gli_store_scratch(graph)) < (wanted - capacity) * sizeof *graph->slots ||
      !gli_store_array(graph, GLI_REGION_SLOTS, &capacity, wanted, sizeof *graph->slots, gli_store_scratch(graph))) {
    graph->full = full; /* not remembered */
    return;
  }
  /* What was taken beyond a power of two is not used. */
  gli_quota_give(&graph->quota, (capacity - wanted) * sizeof *graph->slots);
  graph->slots = (uint32_t *)(void *)graph->region[GLI_REGION_SLOTS].start;
  graph->slot_count = wanted;
  gli_merge_all(graph);
}
