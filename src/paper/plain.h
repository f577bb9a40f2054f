/* Plain: the search as the paper writes it, one expansion at a time, and the oracle of the passes. */
#ifndef GLI_PAPER_PLAIN_H
#define GLI_PAPER_PLAIN_H

#include "graph/search.h"

typedef struct gli_plain gli_plain;

/* A search of this form.  Parents are told of a bound when it has changed by more than the threshold.  NULL: out of
 * memory. */
gli_search *gli_plain_search(gli_graph *graph, double threshold);
/* The form of such a search. */
gli_plain *gli_plain_of(const gli_search *search);
/* Walks the policy of the rule from the root, solves for Psi and takes the best fringe belief; score 0: no gap is left
 * below the root.  False: out of memory. */
bool gli_plain_select(gli_plain *plain, gli_candidate *best, uint32_t *parent);
/* Psi of a node as of the last selection, 0 where the walk did not come or it is inside the tree of another. */
double gli_plain_reach(const gli_plain *plain, uint32_t node);
/* After a node was made, or its choices opened: backs up its ancestors with a queue, as long as a bound changes by more
 * than the threshold.  False: out of memory. */
bool gli_plain_propagate(gli_plain *plain, uint32_t node);

#endif
