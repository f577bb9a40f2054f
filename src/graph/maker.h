/* Maker: the children of a belief under an action, as sums, and the belief that an observation leads to. */
#ifndef GLI_GRAPH_MAKER_H
#define GLI_GRAPH_MAKER_H

#include "graph/graph.h"

/* A child in the making.  Followed in memory by its sums, `stride` numbers: of the lines of the states that it may be
 * in, weighted. */
typedef struct gli_draft {
  uint32_t any;    /* bits of the numbers of these states: those that any has, ... */
  uint32_t label;  /* observation */
  uint32_t all;    /* ... and those that all have */
  uint32_t unused; /* sums begin at a multiple of 16 bytes */
} gli_draft;

typedef struct gli_making { /* which children are being made, and how far it has come: it may be interrupted */
  uint32_t node, action;    /* node GLI_NONE: none */
  uint32_t entry;           /* of the belief: the next to move */
  uint32_t reached;         /* states with mass so far */
  uint32_t shown;           /* of these: the next to add to what it shows */
} gli_making;

struct gli_maker {
  gli_sparse belief; /* what gli_maker_follow found, or whatever is expanded */
  double *mass;      /* one per state, all 0 between uses */
  uint32_t *touched;
  uint32_t *slot;  /* one per observation: draft + 1, all 0 between uses */
  uint32_t *only;  /* one per row of O: its only observation, GLI_NONE: several */
  double *rewards; /* a line per state: the reward of each action, padded to an even number */
  double *scratch; /* two lines */

  char *drafts; /* of one action */
  uint32_t count, capacity;
  gli_making making;
  uint64_t since;   /* work since the clock was read */
  gli_quota *quota; /* what more than a few drafts need counts there */
};

struct gli_maker *gli_maker_new(gli_graph *graph);
void gli_maker_free(struct gli_maker *maker);
/* Gives back what counts in the quota. */
void gli_maker_clear(struct gli_maker *maker, uint32_t stride);
uint64_t gli_maker_fixed(const gli_graph *graph);

static inline size_t gli_draft_bytes(uint32_t stride) {
  return sizeof(gli_draft) + stride * sizeof(double);
}
static inline gli_draft *gli_maker_draft(const struct gli_maker *maker, size_t i, uint32_t stride) {
  return (gli_draft *)(void *)(maker->drafts + i * gli_draft_bytes(stride));
}
static inline double *gli_draft_sums(gli_draft *draft) {
  return (double *)(void *)(draft + 1);
}
/* The only state that it may be in, GLI_NONE: several. */
static inline uint32_t gli_draft_state(const gli_draft *draft) {
  return draft->any == draft->all ? draft->any : GLI_NONE;
}

/* The children of a node under an action.  False: no room, or (graph->late) no time; then the next call for the same
 * children goes on where this one ended. */
bool gli_maker_make(gli_graph *graph, uint32_t node, uint32_t a);
/* Moves a belief by an action: the states reached are maker->touched, their mass is in maker->mass, which the caller
 * sets back to 0.  Returns how many. */
uint32_t gli_maker_scatter(gli_graph *graph, glimpse_row belief, uint32_t a);
/* Drafts that are half done are forgotten. */
void gli_maker_drop(gli_graph *graph);
/* Of a belief that was moved: what gli_maker_follow finds for an observation; and setting mass back to 0. */
bool gli_maker_part(gli_graph *graph, uint32_t reached, uint32_t a, uint32_t o);
void gli_maker_rest(struct gli_maker *maker, uint32_t reached);
/* The belief after action a and observation o, sorted and normalised.  False: no room, or it has no probability. */
bool gli_maker_follow(gli_graph *graph, glimpse_row from, uint32_t a, uint32_t o);

#endif
