/* Preview: a search may be asked for its answer in the middle of a pass, when what was expanded has not been backed up
 * yet; and it must be the same search whether it is asked or not.  So the backups are done, and undone when the search
 * goes on.  Nothing is opened, and the table of bounds is left alone, so that the numbers of the nodes are all there is
 * to be undone. */
#include "graph/preview.h"

#include <string.h>

#include "base/clock.h"
#include "graph/backup.h"
#include "graph/store.h"

enum { MOST_NODES = 1 << 14, CLOCK_NODES = 64 };

typedef struct entry { /* followed by a copy of the node */
  uint64_t node;
} entry;

static size_t entry_bytes(const gli_graph *graph) {
  return sizeof(entry) + graph->node_size;
}

static entry *entry_at(const gli_graph *graph, size_t i) {
  return (entry *)(void *)(graph->region[GLI_REGION_PREVIEW].start + i * entry_bytes(graph));
}

static bool back_up(gli_preview *preview, gli_graph *graph, uint32_t node) {
  bool full = graph->full;
  if (!gli_store_array(graph, GLI_REGION_PREVIEW, &preview->capacity, preview->count + 1, entry_bytes(graph),
                       gli_store_scratch(graph))) {
    graph->full = full;
    return false;
  }
  entry *kept = entry_at(graph, preview->count++);
  kept->node = node;
  memcpy(kept + 1, gli_graph_node(graph, node), graph->node_size);
  gli_backup(graph, node);
  return true;
}

void gli_preview_take(gli_preview *preview, gli_pass *pass, bool all, double deadline) {
  gli_graph *graph = pass->graph;
  bool live = graph->options.live, fine = all && pass->count <= MOST_NODES;
  graph->options.live = false;
  for (size_t i = pass->count; fine && i-- > 1;) {
    fine = back_up(preview, graph, pass->order[i]);
    if (i % CLOCK_NODES == 0 && deadline < INFINITY) fine &= gli_clock_now() < deadline;
  }
  back_up(preview, graph, graph->root);
  graph->options.live = live;
}

void gli_preview_undo(gli_preview *preview, gli_graph *graph) {
  while (preview->count) {
    const entry *kept = entry_at(graph, --preview->count);
    gli_node *n = gli_graph_node(graph, (uint32_t)kept->node);
    memcpy(n, kept + 1, graph->node_size);
    if (n->state == GLI_NONE) continue;
    graph->corner[n->state].upper = n->upper;
    graph->corner[n->state].lower = n->lower;
  }
}
