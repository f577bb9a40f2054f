/* Search: expands a graph until a budget is used up. */
#ifndef GLI_GRAPH_SEARCH_H
#define GLI_GRAPH_SEARCH_H

#include "graph/graph.h"
#include "graph/plain.h"
#include "graph/walk.h"

typedef struct gli_search {
  gli_graph *graph;
  gli_walk *walk;   /* the fast form, or ... */
  gli_plain *plain; /* ... the plain one */
  double threshold; /* of the plain form's propagation */
  double work;      /* of the fast form, per expansion */
} gli_search;

/* Borrows the graph. */
gli_search *gli_search_new(gli_graph *graph, bool plain, double threshold);
void gli_search_free(gli_search *search);
/* The graph was cleared and planted, or its root has moved. */
void gli_search_cleared(gli_search *search);
bool gli_search_moved(gli_search *search);
/* One expansion.  Returns NONE, or why there can be no more. */
glimpse_stop gli_search_expand(gli_search *search);
glimpse_stop gli_search_run(gli_search *search, const glimpse_budget *budget, double started);
/* Is the choice at the root certain: its lower bound not below the upper bound of
 * any other? */
bool gli_search_decided(const gli_graph *graph);

#endif
