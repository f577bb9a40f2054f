/* Check: does a graph keep what its header promises?  For tests and fuzzers; the
 * search itself never calls this.  Each function returns true when all is well,
 * and otherwise writes a sentence about the first thing that is not. */
#ifndef GLI_GRAPH_CHECK_H
#define GLI_GRAPH_CHECK_H

#include "graph/graph.h"
#include "graph/plain.h"
#include "graph/walk.h"

enum { GLI_CHECK_TEXT = 256 }; /* room for any of the sentences */

typedef enum gli_check_level {
  GLI_CHECK_ANY,     /* what holds at any time between two expansions */
  GLI_CHECK_SCORES,  /* and, when no walk is under way: greedy choices and scores */
  GLI_CHECK_SETTLED, /* and, when every belief was backed up until nothing changed:
                        all choices equal their Bellman backup */
} gli_check_level;

/* Every block of the store is in use or free, once; counts agree; whatever is in
 * use is reached from exactly one origin, or is garbage; parents and children
 * agree, also in their beliefs; probabilities sum to 1; L <= U; bounds are those of
 * a backup of what is known now, or of what was known before. */
bool gli_check_graph(const gli_graph *graph, gli_check_level level, char text[GLI_CHECK_TEXT]);

/* reach + residual = source + M^T reach, at any time (when the graph has not been
 * moved since the last gli_walk_sync). */
bool gli_check_flow(const gli_walk *walk, char text[GLI_CHECK_TEXT]);
/* After gli_walk_settle: Psi is that of the plain form.  `tolerance` is absolute. */
bool gli_check_reach(const gli_walk *walk, gli_plain *plain, double tolerance, char text[GLI_CHECK_TEXT]);

/* Remembers bounds, to see that no upper bound rises and no lower bound falls. */
typedef struct gli_check_history gli_check_history;

gli_check_history *gli_check_history_new(void); /* NULL: out of memory */
void gli_check_history_free(gli_check_history *history);
/* To be called when the graph was cleared or pruned: bounds may be worse then. */
void gli_check_history_forget(gli_check_history *history);
/* Compares with the last call, and remembers.  Call it after each expansion and
 * each move, so that no index can be freed and used again in between. */
bool gli_check_history_look(gli_check_history *history, const gli_graph *graph, char text[GLI_CHECK_TEXT]);

#endif
