/* Plain: the search as the paper writes it, kept as the oracle of the fast form. */
#ifndef GLI_GRAPH_PLAIN_H
#define GLI_GRAPH_PLAIN_H

#include "graph/graph.h"

typedef struct gli_plain gli_plain;

gli_plain *gli_plain_new(gli_graph *graph); /* NULL: out of memory */
void gli_plain_free(gli_plain *plain);
/* The graph was cleared. */
void gli_plain_clear(gli_plain *plain);
/* Walks the whole graph under the policy of the rule, solves for Psi and takes the
 * best fringe record: GLI_NONE when no gap is left below the root.  *score is its
 * Psi * gap (for BI-POMDP its gap).  False: out of memory. */
bool gli_plain_select(gli_plain *plain, uint32_t *record, double *score);
/* Psi of an origin as of the last selection, 0 where the walk did not come. */
double gli_plain_reach(const gli_plain *plain, uint32_t origin);
/* After a record was expanded: backs up its ancestors with a queue, as long as a
 * bound changes by more than the threshold.  False: out of memory. */
bool gli_plain_propagate(gli_plain *plain, uint32_t record, double threshold);

#endif
