/* Pass: walks the part of the graph that a policy can meet, and finds what to expand there. */
#ifndef GLI_GRAPH_PASS_H
#define GLI_GRAPH_PASS_H

#include "graph/graph.h"

typedef struct gli_candidate { /* a fringe belief */
  double score;                /* Psi times gap, or what the rule says */
  double mass;                 /* Psi */
  uint32_t place, choice;      /* it follows this choice of the node that the walk met there */
  uint32_t child;              /* child; or GLI_CORNER | state */
  uint32_t unused;
} gli_candidate;

typedef struct gli_stop { /* a node on a walk */
  uint32_t node;
  uint32_t above, choice; /* the place it was first met from, and by which choice; the root: GLI_NONE */
  uint32_t past;          /* 1: the walk went on behind it; 0: it ended there */
} gli_stop;

typedef struct gli_pass {
  gli_graph *graph;
  bool plan;       /* it follows the plan, and looks for nothing to expand */
  bool turning;    /* it follows a choice that became greedy after its node was walked */
  uint32_t stamp;  /* of nodes that were met */
  gli_stop *order; /* these nodes, as they were met */
  size_t count, capacity;
  double cut;                /* walks go no further where Psi times the gap is not above this, ... */
  double plan_cut;           /* ... those of the plan where the gap is not above this */
  size_t at;                 /* the next to be walked */
  gli_candidate *candidates; /* a heap, the best first */
  size_t candidate_count, candidate_capacity;
  size_t stale;              /* candidates that were dropped */
  double *corner_mass;       /* Psi of corners that are fringe, all 0 between walks */
  gli_candidate *corner_met; /* these corners */
  size_t corner_count;
} gli_pass;

/* False: out of memory. */
bool gli_pass_start(gli_pass *pass, gli_graph *graph);
void gli_pass_stop(gli_pass *pass);
uint64_t gli_pass_fixed(const gli_graph *graph);
/* The graph was cleared or squeezed: nothing is known of it. */
void gli_pass_clear(gli_pass *pass);

/* A new walk from the root.  False, here and below: no room. */
bool gli_pass_begin(gli_pass *pass, bool plan);
/* Walks some nodes more. */
bool gli_pass_walk(gli_pass *pass, size_t nodes);
static inline bool gli_pass_walked(const gli_pass *pass) {
  return pass->at == pass->count && !pass->corner_count;
}
/* A candidate was linked to a node: the walk goes on from there, unless it has been there. */
bool gli_pass_on(gli_pass *pass, uint32_t node, const gli_candidate *from);
/* The greedy choice at a place has changed: the walk goes on where the new one leads. */
bool gli_pass_turn(gli_pass *pass, uint32_t place);
/* Is the score of a candidate far below those that the last pass chose? */
bool gli_pass_minor(const gli_pass *pass, const gli_candidate *candidate);
/* A candidate that was taken goes back, with the bounds it has now. */
bool gli_pass_back(gli_pass *pass, const gli_candidate *candidate);
/* Takes the best candidate; those that the greedy policy does not lead to any more are dropped.  False: there is none.
 */
bool gli_pass_take(gli_pass *pass, gli_candidate *candidate);
/* The worst score that was chosen tells how far the next walk has to go; infinite: there was too little to choose from.
 */
void gli_pass_end(gli_pass *pass, double worst);

#endif
