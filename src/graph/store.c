/* Store: the arrays of a graph.
 *
 * Nodes, children and the numbers of beliefs are handed out one after the other, and never freed one by one: when room
 * is needed, what is not reached any more is squeezed out of all arrays at once (collect.c).  Arrays never grow past
 * the limit: the quota counts their capacity, so the limit is hard.  They lie in regions, which grow without being
 * moved, so that what the process holds is what is counted. */
#include "graph/store.h"

#include <string.h>

void gli_store_clear(gli_graph *graph) {
  graph->node_count = graph->child_count = graph->belief_count = 0;
  graph->node_capacity = graph->child_capacity = graph->belief_capacity = 0;
  graph->slots = NULL;
  graph->slot_count = graph->slots_used = 0;
  graph->full = false;
  /* Nothing may depend on what was searched before: nothing counts.  Memory stays, or each search would take it
   * from the system again. */
  for (int i = 0; i < GLI_REGIONS; i++) gli_region_empty(&graph->region[i]);
  graph->quota.bytes = 0;
}

void gli_store_stop(gli_graph *graph) {
  for (int i = 0; i < GLI_REGIONS; i++) gli_region_free(&graph->region[i]);
}

/* Of what is wanted, what fits. */
static size_t fitting(const gli_graph *graph, size_t capacity, size_t need, size_t wanted, size_t item,
                      uint64_t reserve) {
  if (!graph->quota.limit) return wanted;
  uint64_t left = gli_quota_left(&graph->quota, reserve) / item;
  if (need - capacity > left) return 0;
  return wanted - capacity > left ? capacity + (size_t)left : wanted;
}

bool gli_store_array(gli_graph *graph, int which, size_t *capacity, size_t need, size_t item, uint64_t reserve) {
  if (need <= *capacity) return true;
  gli_region *region = &graph->region[which];
  size_t wanted = *capacity + *capacity / 8 + 16;
  /* In small pieces where nothing has to be moved.  Whether addresses could be reserved is not asked: what
   * counts in the quota must not depend on the machine. */
  if (graph->quota.limit && region->bytes > GLI_REGION_HEAP) wanted = *capacity + (1 << 18) / item + 1;
  if (wanted < need) wanted = need;
  if (wanted > SIZE_MAX / item) wanted = SIZE_MAX / item;
  if (need <= wanted) wanted = fitting(graph, *capacity, need, wanted, item, reserve);
  size_t most = graph->quota.limit < SIZE_MAX ? (size_t)graph->quota.limit : SIZE_MAX;
  if (wanted >= need) {
    uint64_t bytes = (wanted - *capacity) * item;
    gli_quota_count(&graph->quota, bytes, gli_region_spare(region, wanted * item));
    if (gli_region_resize(region, wanted * item, most)) {
      *capacity = wanted;
      return true;
    }
    gli_quota_give(&graph->quota, bytes);
  }
  return !(graph->full = true);
}

/* Arrays may have moved. */
static void find_arrays(gli_graph *graph) {
  graph->nodes = graph->region[GLI_REGION_NODES].start;
  graph->children = (gli_child *)(void *)graph->region[GLI_REGION_CHILDREN].start;
  graph->beliefs = (double *)(void *)graph->region[GLI_REGION_BELIEFS].start;
}

/* Hands out so many items, whose numbers stay below `end`; the first of them. */
static uint32_t take(gli_graph *graph, int which, size_t *count, size_t *capacity, size_t more, size_t item,
                     uint32_t end) {
  size_t first = *count;
  if (first + more >= end || !gli_store_array(graph, which, capacity, first + more, item, gli_store_reserve(graph))) {
    graph->full = true;
    return GLI_NONE;
  }
  find_arrays(graph);
  *count += more;
  return (uint32_t)first;
}

uint32_t gli_store_node(gli_graph *graph) {
  return take(graph, GLI_REGION_NODES, &graph->node_count, &graph->node_capacity, 1, graph->node_size, GLI_CORNER);
}

uint32_t gli_store_children(gli_graph *graph, uint32_t count) {
  return take(graph, GLI_REGION_CHILDREN, &graph->child_count, &graph->child_capacity, count, sizeof *graph->children,
              GLI_NONE);
}

uint32_t gli_store_belief(gli_graph *graph, glimpse_row belief) {
  uint32_t entries = (uint32_t)belief.count;
  uint32_t first = take(graph, GLI_REGION_BELIEFS, &graph->belief_count, &graph->belief_capacity,
                        gli_store_room(entries), sizeof *graph->beliefs, GLI_NONE);
  if (first == GLI_NONE) return GLI_NONE;
  double *mass = graph->beliefs + first;
  memcpy(mass, belief.value, entries * sizeof *mass);
  memcpy(mass + entries, belief.index, entries * sizeof *belief.index);
  if (entries & 1) ((uint32_t *)(void *)(mass + entries))[entries] = 0;
  return first;
}

static void shrink(gli_graph *graph, int which, size_t *capacity, size_t count, size_t item) {
  size_t wanted = count + count / 8 + 16;
  if (wanted >= *capacity || !gli_region_resize(&graph->region[which], wanted * item, graph->region[which].reserved))
    return;
  gli_quota_give(&graph->quota, (*capacity - wanted) * item);
  *capacity = wanted;
}

void gli_store_shrink(gli_graph *graph) {
  shrink(graph, GLI_REGION_NODES, &graph->node_capacity, graph->node_count, graph->node_size);
  shrink(graph, GLI_REGION_CHILDREN, &graph->child_capacity, graph->child_count, sizeof *graph->children);
  shrink(graph, GLI_REGION_BELIEFS, &graph->belief_capacity, graph->belief_count, sizeof *graph->beliefs);
  find_arrays(graph);
}
