/* Pass: walks the part of the graph that a policy can meet, and finds what to expand there. */
#ifndef GLI_GRAPH_PASS_H
#define GLI_GRAPH_PASS_H

#include "graph/graph.h"

typedef struct gli_candidate { /* a fringe belief */
  double score;                /* Psi times gap, or what the rule says */
  uint32_t node, choice;       /* it follows this choice; node GLI_NONE: a corner */
  uint32_t child;              /* child, or state of the corner */
} gli_candidate;

typedef struct gli_pass {
  gli_graph *graph;
  bool plan;       /* it follows the plan, and looks for nothing to expand */
  uint32_t stamp;  /* of nodes that were met */
  uint32_t *order; /* these nodes, as they were met */
  size_t count, capacity;
  size_t at; /* the next to be walked */
  gli_candidate *candidates;
  size_t candidate_count, candidate_capacity;
  size_t chosen;        /* so many of them, the best, best first */
  double *corner_mass;  /* Psi of corners that are fringe, all 0 between walks */
  uint32_t *corner_met; /* these corners */
  size_t corner_count;
} gli_pass;

/* False: out of memory. */
bool gli_pass_start(gli_pass *pass, gli_graph *graph);
void gli_pass_stop(gli_pass *pass);
uint64_t gli_pass_fixed(const gli_graph *graph);
/* The graph was cleared or squeezed: nothing is known of it. */
void gli_pass_clear(gli_pass *pass);

/* A new walk from the root.  False: no room. */
bool gli_pass_begin(gli_pass *pass, bool plan);
/* Walks some nodes more.  False: no room. */
bool gli_pass_walk(gli_pass *pass, size_t nodes);
static inline bool gli_pass_walked(const gli_pass *pass) {
  return pass->at == pass->count;
}
/* Chooses among the candidates of a walk that is complete. */
void gli_pass_choose(gli_pass *pass, size_t count);

#endif
