/* Maker: the children of a belief under an action, as sums, and the belief that an observation leads to. */
#ifndef GLI_GRAPH_MAKER_H
#define GLI_GRAPH_MAKER_H

#include "graph/graph.h"

/* Followed in memory by its sums, `stride` numbers: of the lines of the states that it may be in, weighted. */
typedef struct gli_child {
  uint32_t any;    /* bits of the numbers of these states: those that any has, ... */
  uint32_t label;  /* observation */
  uint32_t all;    /* ... and those that all have */
  uint32_t unused; /* sums begin at a multiple of 16 bytes */
} gli_child;

struct gli_maker {
  gli_sparse belief; /* what gli_maker_follow found, or whatever is expanded */
  double *mass;      /* one per state, all 0 between uses */
  uint32_t *touched;
  uint32_t *slot;  /* one per observation: child + 1, all 0 between uses */
  uint32_t *only;  /* one per row of O: its only observation, GLI_NONE: several */
  double *rewards; /* a line per state: the reward of each action, padded to an even number */
  double *scratch; /* two lines */

  char *children; /* of one action */
  uint32_t count, capacity;
  gli_quota *quota; /* what more than a few children need counts there */
};

static inline size_t gli_child_bytes(uint32_t stride) {
  return sizeof(gli_child) + stride * sizeof(double);
}
static inline gli_child *gli_maker_child(const struct gli_maker *maker, size_t i, uint32_t stride) {
  return (gli_child *)(void *)(maker->children + i * gli_child_bytes(stride));
}
static inline double *gli_child_sums(gli_child *child) {
  return (double *)(void *)(child + 1);
}
/* The only state that it may be in, GLI_NONE: several. */
static inline uint32_t gli_child_state(const gli_child *child) {
  return child->any == child->all ? child->any : GLI_NONE;
}
/* The rewards of a state have this length. */
static inline uint32_t gli_maker_even(uint32_t n) {
  return (n + 1) & ~(uint32_t)1;
}

/* The children of a belief under an action.  False: no room. */
bool gli_maker_make(const gli_graph *graph, glimpse_row belief, uint32_t a);
/* The belief after action a and observation o, sorted and normalised.  False: no room, or it has no probability. */
bool gli_maker_follow(const gli_graph *graph, glimpse_row from, uint32_t a, uint32_t o);

#endif
