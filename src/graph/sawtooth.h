/* Sawtooth: upper bounds of some beliefs, which serve all beliefs whose support contains theirs. */
#ifndef GLI_GRAPH_SAWTOOTH_H
#define GLI_GRAPH_SAWTOOTH_H

#include "graph/graph.h"
#include "graph/tuning.h"

typedef struct gli_point {
  uint32_t node;            /* whose belief it is */
  uint32_t next;            /* in the list of its likeliest state; GLI_NONE: the last */
  uint32_t anchor;          /* that state, ... */
  uint32_t belief, support; /* where the belief is */
  uint64_t signature;       /* of its support: states, modulo 64 */
  double anchor_mass;       /* ... and its probability */
  double deepest;           /* of its depths */
  double worth;             /* how much it lowered the bound, weighted, lately */
} gli_point;

struct gli_sawtooth {
  gli_point *points;
  double *depth; /* per point and action: its upper bound less that of the table, never above 0; ... */
  double *sums;  /* ... and that of the table */
  uint32_t count;
  uint32_t *first; /* per state: list of the points whose likeliest state it is */
  double *table;   /* a line of actions, padded to an even number, per state: the graph's upper bounds when depths were
                      measured */
  double *mass;    /* scratch, one per state, all 0 between uses */
  double *bounds;  /* scratch, one per action; three times */
  uint64_t measured; /* expansions when that was; UINT64_MAX: never */
  uint64_t began;    /* expansions when the graph was cleared: nothing may depend on what was before */
  uint64_t turn;     /* which point is looked at next for replacement */
  gli_trial trial;   /* of evaluating at selected beliefs */
};

struct gli_sawtooth *gli_sawtooth_new(const gli_graph *graph);
void gli_sawtooth_free(struct gli_sawtooth *sawtooth);
uint64_t gli_sawtooth_fixed(const gli_graph *graph);
void gli_sawtooth_clear(const gli_graph *graph);

/* Lowers upper bounds of actions at a belief where points say so.  `evaluated`: it is the last that gli_sawtooth_upper
 * saw, and no point has come since. */
void gli_sawtooth_lower(gli_graph *graph, glimpse_row belief, double *uppers, bool evaluated);
/* An upper bound of the best action at a belief. */
double gli_sawtooth_upper(gli_graph *graph, glimpse_row belief);
/* The node may become a point, if that would be worth it. */
void gli_sawtooth_offer(gli_graph *graph, uint32_t node);
/* The bounds of a node that is a point have changed. */
void gli_sawtooth_deepen(gli_graph *graph, gli_node *node);
/* Once in a while: measures all depths anew, as the table is now. */
void gli_sawtooth_measure(gli_graph *graph);
/* Nodes have moved to the numbers `moved` tells (GLI_NONE: they are gone). */
void gli_sawtooth_move(gli_graph *graph, uint32_t (*moved)(const void *context, uint32_t node), const void *context);

#endif
