/* Reach: how much of the root's mass comes to each origin, and where the search goes next. */
#ifndef GLI_GRAPH_REACH_H
#define GLI_GRAPH_REACH_H

#include "graph/graph.h"
#include "graph/winners.h"

/* While beliefs are expanded smaller residuals wait for company. */
#define GLI_REACH_PRESSING 1e-5
/* A smaller reach is none. */
#define GLI_REACH_TANGIBLE 1e-12

typedef struct gli_reach { /* of an origin */
  double reach;            /* Psi: discounted mass that comes here from the root */
  double residual;         /* what the reach still lacks */
  double arrived;          /* mass for the next walk that raises lower bounds: see walk.c */
  gli_flow *row;           /* direct paths to other origins: Psi-bar */
  uint32_t count, capacity;
  bool waiting;  /* in the queue of residuals */
  bool followed; /* Satia and Lave: some choice that is followed led here when all was settled */
  bool walked;   /* by the round that settles now */
} gli_reach;

typedef struct gli_reaches {
  gli_graph *graph;
  gli_reach *of; /* each origin */
  size_t count, capacity;
  gli_winners winners; /* reach * score, over origins */
  uint32_t source;     /* the origin that has mass 1 of its own */
  bool astray;         /* a reach has become too large to be true: the next push finds all of them anew */
  bool starved; /* memory itself was missing, for a row or a walk, not only room within the quota: nobody goes on */

  uint32_t *queue; /* ring of `capacity` places: origins with a residual */
  size_t queue_first, queue_count;

  /* the row that is being found */
  double *flow; /* per origin, 0 but for the touched */
  uint32_t *touched;
  size_t touched_count;
} gli_reaches;

/* What is held for each origin besides its row: reach, queue, flow, touched, and in
 * the tournament, which grows by doubling, up to twice a key and two winners. */
enum { GLI_REACH_BYTES = sizeof(gli_reach) + 2 * sizeof(uint32_t) + sizeof(double) + 2 * (sizeof(double) + 8) };

/* None is held yet. */
gli_reaches gli_reaches_of(gli_graph *graph);
void gli_reaches_free(gli_reaches *reaches);
/* Call after origins were made.  False: out of memory. */
bool gli_reaches_grow(gli_reaches *reaches);
/* The mass of the root comes from here now. */
void gli_reaches_move(gli_reaches *reaches, uint32_t root);
/* The origin is about to be freed; `holder` (or GLI_NONE) is the only other one that has it in its row. */
void gli_reaches_forget(gli_reaches *reaches, uint32_t origin, uint32_t holder);

/* The reach or the score of an origin has changed. */
void gli_reaches_key(gli_reaches *reaches, uint32_t origin);
/* The record of the origin where reach times score is the largest; GLI_NONE: it is 0 everywhere. */
uint32_t gli_reaches_best(const gli_reaches *reaches);

/* Lets an origin wait for a push, unless its residual is not larger than `least`. */
void gli_reaches_call(gli_reaches *reaches, uint32_t origin, double least);
/* Pushes residuals along rows; returns the work done.  Reaches that have gone astray are found anew. */
double gli_reaches_push(gli_reaches *reaches, double work, double least);

/* Adds to the row that is being found. */
static inline void gli_reaches_flow(gli_reaches *reaches, uint32_t origin, double mass) {
  if (reaches->flow[origin] == 0) {
    if (mass == 0) return;
    reaches->touched[reaches->touched_count++] = origin;
  }
  reaches->flow[origin] += mass;
}
/* It becomes the row of an origin, and the difference a residual; false: it is the same to the last bit.  The flows
 * stay until they are dropped. */
bool gli_reaches_commit(gli_reaches *reaches, uint32_t origin, double least);
void gli_reaches_drop(gli_reaches *reaches);

#endif
