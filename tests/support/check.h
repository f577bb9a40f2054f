/* Check: does a graph keep what its header promises?  From nothing but its arrays, the model and belief updates made
 * anew.  Each function returns true when all is well, and otherwise writes a sentence about the first thing that is
 * not. */
#ifndef SUPPORT_CHECK_H
#define SUPPORT_CHECK_H

#include "graph/graph.h"

enum { GLI_CHECK_TEXT = 256 }; /* room for any of the sentences */

typedef enum gli_check_level {
  GLI_CHECK_ANY,    /* what holds at any time between two units of work */
  GLI_CHECK_SETTLED /* and, when every node was grown until nothing changed: bounds are not worse than a backup, and
                       the greedy choice is opened */
} gli_check_level;

/* Blocks of children and beliefs belong to one node each, and to some node; links, corners and vectors agree; children
 * are those of a belief update; equal beliefs are one node; L <= U, also of bounds found in different ways; behind
 * each lower bound stands a backup, the table or the vector that it rests on; vectors keep their promise; points and
 * their lists agree; memory is counted. */
bool gli_check_graph(const gli_graph *graph, gli_check_level level, char text[GLI_CHECK_TEXT]);

/* Remembers bounds, to see that no upper bound rises and no lower bound falls. */
typedef struct gli_check_history gli_check_history;

gli_check_history *gli_check_history_new(void); /* NULL: out of memory */
void gli_check_history_free(gli_check_history *history);
/* To be called when the graph was cleared or squeezed, or the look of a run taken back: indices or bounds may differ
 * then. */
void gli_check_history_forget(gli_check_history *history);
/* Compares with the last call, and remembers. */
bool gli_check_history_look(gli_check_history *history, const gli_graph *graph, char text[GLI_CHECK_TEXT]);

#endif
