/* Plain: the search as the paper writes it, one expansion at a time, and the oracle of the passes. */
#ifndef GLI_GRAPH_PLAIN_H
#define GLI_GRAPH_PLAIN_H

#include "graph/pass.h"

typedef struct gli_plain gli_plain;

gli_plain *gli_plain_new(gli_graph *graph); /* NULL: out of memory */
void gli_plain_free(gli_plain *plain);
/* The graph was cleared. */
void gli_plain_clear(gli_plain *plain);
/* Walks the policy of the rule from the root, solves for Psi and takes the best fringe belief; score 0: no gap is left
 * below the root.  False: out of memory. */
bool gli_plain_select(gli_plain *plain, gli_candidate *best, uint32_t *parent);
/* Psi of a node as of the last selection, 0 where the walk did not come or it is inside the tree of another. */
double gli_plain_reach(const gli_plain *plain, uint32_t node);
/* After a node was made, or its choices opened: backs up its ancestors with a queue, as long as a bound changes by more
 * than the threshold.  False: out of memory. */
bool gli_plain_propagate(gli_plain *plain, uint32_t node, double threshold);
/* Expands the root if it is new. */
glimpse_stop gli_plain_root(gli_plain *plain, double threshold);
/* One expansion. */
glimpse_stop gli_plain_step(gli_plain *plain, double threshold);

#endif
