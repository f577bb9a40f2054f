/* Search mass: Psi, the discounted probability of coming to each node, by solving its linear system as books do. */
#ifndef SUPPORT_SEARCH_MASS_H
#define SUPPORT_SEARCH_MASS_H

#include "graph/graph.h"

typedef struct search_mass {
  size_t count;    /* of what the policy of the rule reaches: nodes, and corners that are fringe */
  uint32_t *place; /* per node, then per state: its number + 1; 0: not reached */
  uint32_t *item;  /* per number: the node, or the number of nodes plus the state */
  double *mass;    /* per number */
  size_t nodes;
} search_mass;

search_mass search_mass_of(const gli_graph *graph);
void search_mass_free(search_mass *m);
/* 0: not reached. */
double search_mass_node(const search_mass *m, uint32_t node);
double search_mass_corner(const search_mass *m, uint32_t state);

/* The score of a fringe child by the rule; 0: not reached. */
double search_mass_score(const search_mass *m, const gli_graph *graph, uint32_t node, uint32_t choice, uint32_t child);
double search_mass_corner_score(const search_mass *m, const gli_graph *graph, uint32_t state);
/* The best score of all. */
double search_mass_best(const search_mass *m, const gli_graph *graph);

#endif
