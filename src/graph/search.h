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
  double deadline;  /* of the run under way; infinite: none */
  bool crowded;     /* there was no time to make room: it is made at the next move */
  unsigned futile;  /* how often in a row making room has freed little ... */
  unsigned wait;    /* ... and so many moves until it is tried again */
  bool settled;     /* the last choice took a walk round the graph */
  uint64_t dropped; /* beliefs forgotten for lack of memory, in all */
} gli_search;

/* Borrows the graph. */
gli_search *gli_search_new(gli_graph *graph, bool plain, double threshold);
void gli_search_free(gli_search *search);
/* All beliefs are forgotten and this one becomes the root.  `restore`: so is what
 * the bounds have learnt.  Keeping the corners is possible where they are shared.
 * In this and the next two functions false means: no room for even the root. */
bool gli_search_begin(gli_search *search, glimpse_row belief, bool keep_corners, bool restore);
/* The state was told: the root is its corner.  Returns false as above. */
bool gli_search_reveal(gli_search *search, uint32_t s);
/* The root moves to the child of a and o, whose belief is given; beliefs that can
 * no longer be met are freed by and by. */
bool gli_search_move(gli_search *search, uint32_t a, uint32_t o, glimpse_row belief);
/* One expansion, or one round of backups where nothing is left to expand but the
 * bounds still move.  Returns NONE, or why there can be no more. */
glimpse_stop gli_search_expand(gli_search *search);
/* After that: do the bounds still move? */
bool gli_search_unsettled(const gli_search *search);
/* Expands the root if it is fringe.  When there is no room for it: in a hurry the graph
 * is given up, which takes no time; else what matters least goes first. */
glimpse_stop gli_search_root(gli_search *search, bool hurry);
/* Brings what a decision reads up to date. */
void gli_search_refresh(gli_search *search);
glimpse_stop gli_search_run(gli_search *search, const glimpse_budget *budget, double started);
/* Is the choice at the root certain: its lower bound not below the upper bound of
 * any other? */
bool gli_search_decided(const gli_graph *graph);

#endif
