/* Preview: what the root's bounds are if the pass under way ended here. */
#ifndef GLI_GRAPH_PREVIEW_H
#define GLI_GRAPH_PREVIEW_H

#include "graph/pass.h"

typedef struct gli_preview {
  size_t count, capacity; /* nodes whose numbers are kept, in a region of the graph */
} gli_preview;

/* Backs up the root and, if `all`, before it the nodes of the pass, in reverse order; what they were before is kept.
 * Ends at the deadline (of gli_clock_now). */
void gli_preview_take(gli_preview *preview, gli_pass *pass, bool all, double deadline);
/* The search goes on as if nobody had looked. */
void gli_preview_undo(gli_preview *preview, gli_graph *graph);
/* What was seen stays. */
static inline void gli_preview_keep(gli_preview *preview) {
  preview->count = 0;
}
/* The graph was cleared. */
static inline void gli_preview_clear(gli_preview *preview) {
  *preview = (gli_preview){0, 0};
}

#endif
