/* Slate: a ceiling while settle.c works on it.
 *
 * A node is a belief that somebody met; the first are the known states.  A number (u_a(s) or U_i(a) of ceiling.h) has a
 * look ahead: its reward and the nodes that follow.  Numbers of known states are there from the beginning, those of
 * other nodes when their action is opened; a node with a number is a point.
 *
 * Invariants:
 *   S1  no number is below its look ahead, up to rounding: the ceiling proves itself at any moment.
 *   S2  numbers only fall.  So what a node's upper bound was once is still one, and S1 is kept when a number is
 *       replaced by a look ahead that was made of old bounds.
 *   S3  depths of points are measured against `table`, the numbers of known states as they were at some moment, and
 *       used together with it alone: a depth is right for one table only. */
#ifndef GLI_POLICY_SLATE_H
#define GLI_POLICY_SLATE_H

#include "base/map.h"
#include "base/parallel.h"
#include "belief/belief.h"
#include "policy/ceiling.h"

#define GLI_SLATE_NONE UINT32_MAX

typedef struct gli_slate_share { /* of a point in a node */
  uint32_t point;
  double weight; /* of which the node's belief has at least as much */
} gli_slate_share;

typedef struct gli_slate_node {
  size_t first; /* of its belief, in state and mass */
  uint32_t count;
  uint32_t anchor; /* its likeliest state */
  double anchor_mass;
  uint64_t signature; /* states of its belief, modulo 64 */
  uint32_t same;      /* the next node of the same key */
  uint32_t point;     /* NONE: it is none */
  uint32_t twin;      /* a point that is the same belief, nearly; NONE: none */
  uint32_t read;      /* points that were compared with it */
  gli_slate_share *share;
  size_t shares, share_capacity;
  uint32_t best;      /* action whose bound is the largest; GLIMPSE_ANY: asking */
  uint32_t source;    /* seed.c: the search's node of this belief; NONE: none */
  double known;       /* seed.c: its bound there */
  double upper;       /* U as it was evaluated last */
  double lower;       /* NAN: nobody has asked for it */
  double weight;      /* of the walk */
  uint32_t walked;    /* the last walk that met it */
  uint32_t evaluated; /* when, by slate->now */
} gli_slate_node;

typedef struct gli_slate_number {
  uint32_t node, action;
  bool open; /* its children are known */
  uint32_t count;
  size_t first; /* of its edges */
  double reward;
  double lower; /* what the look ahead makes of lower bounds; NAN: nobody has asked for it */
  double weight;
  uint32_t walked;
} gli_slate_number;

typedef struct gli_slate_edge {
  uint32_t node;
  double weight; /* probability times discount */
} gli_slate_edge;

typedef struct gli_slate_rank {
  double ratio;       /* how deep the point is, at most, for each unit of its likeliest state */
  uint64_t signature; /* of its belief: most are passed over by it */
  uint32_t point;
} gli_slate_rank;

/* What a worker needs for itself. */
typedef struct gli_slate_scratch {
  double *present;       /* per state, 0 between uses */
  double *sum;           /* a line, per action; twice */
  gli_slate_share *best; /* per action */
  uint64_t effort;       /* multiplications, about */
  size_t bytes;          /* of shares that it made */
} gli_slate_scratch;

typedef struct gli_slate {
  const glimpse_model *model;
  const gli_settle *how;
  uint32_t states, actions;
  double floor;   /* what any policy earns at least */
  double largest; /* of all numbers, at the beginning */
  gli_belief_work *work;
  gli_children children; /* scratch */

  double *corner, *table; /* u_a(s): as it is; as it was when depths were measured, in lines of even length */
  double *told;           /* per state: max_a u_a(s) - price(s) */

  gli_slate_node *node;
  size_t nodes, node_capacity;
  uint32_t *state; /* of beliefs */
  double *mass;
  size_t entries, state_capacity, mass_capacity;
  double *bound;       /* per node and action: U_a as it was evaluated last */
  uint32_t *number_of; /* per node and action: its number; NONE: not opened */
  size_t bound_capacity, number_of_capacity;
  gli_map keys;

  gli_slate_number *number;
  size_t numbers, number_capacity;
  gli_slate_edge *edge;
  size_t edges, edge_capacity;

  uint32_t *point;       /* nodes */
  double *value, *depth; /* per point and action: the number; how far it is below <b,table>, or 0 */
  double *base;          /* per point and action: <b,table> */
  double *deepest;       /* per point: the least of its depths */
  uint32_t *next;        /* per point: the one before it with the same likeliest state */
  size_t points, point_capacity, value_capacity, depth_capacity, base_capacity, deepest_capacity, next_capacity;
  gli_slate_rank *ranked; /* points by their likeliest states, of each the deepest first, as of the last time */
  size_t *rank_first;     /* per state: its first there; one more */
  uint32_t rank_count;    /* points that are ranked */
  uint32_t *newest;       /* per state: the last point of which it is the likeliest */

  gli_parallel *pool; /* NULL: one thread */
  unsigned workers;
  gli_slate_scratch *scratch; /* of each worker */
  bool claims;                /* numbers need not be proved yet (seed.c): S1 and S2 do not hold */
  uint32_t now;               /* evaluations before it are old */
} gli_slate;

/* Corners must prove themselves without any point.  NULL: out of memory. */
gli_slate *gli_slate_new(const glimpse_model *model, const gli_settle *how, const double *corner);
void gli_slate_free(gli_slate *slate);
uint64_t gli_slate_bytes(const gli_slate *slate);
/* Multiplications so far, about: the same for any number of workers. */
uint64_t gli_slate_effort(const gli_slate *slate);

/* The node of a belief, made where there is none; NONE: out of memory. */
uint32_t gli_slate_find(gli_slate *slate, glimpse_row belief);
glimpse_row gli_slate_belief(const gli_slate *slate, uint32_t n);
double gli_slate_lower(gli_slate *slate, uint32_t n);
double gli_slate_number_lower(gli_slate *slate, uint32_t k);
/* U at a node, unless that was done after `now`.  False: out of memory. */
bool gli_slate_evaluate(gli_slate *slate, uint32_t n);
/* The same by a worker; others may look at other nodes meanwhile, and nothing else. */
bool gli_slate_look(gli_slate *slate, gli_slate_scratch *mine, uint32_t n);
/* Likewise: of all points, it has a share of this alone. */
bool gli_slate_share_with(gli_slate *slate, gli_slate_scratch *mine, uint32_t n, uint32_t point);
/* Ranks all points.  False: out of memory. */
bool gli_slate_rank_points(gli_slate *slate);
/* By a worker: for each action whose bound is above `most`, the share that lowers it most is found among the points
 * that are ranked, or one that lowers it to `most`; other shares are forgotten. */
bool gli_slate_search(gli_slate *slate, gli_slate_scratch *mine, uint32_t n, double most);
/* The share that makes the bound of an action what it is; NULL: known states alone. */
const gli_slate_share *gli_slate_ground(const gli_slate *slate, uint32_t n, uint32_t a);
/* Gives an action of a node its number and children; NONE: out of memory. */
uint32_t gli_slate_open(gli_slate *slate, uint32_t n, uint32_t a);
/* Lowers a number to its look ahead, as its children are known. */
void gli_slate_back_up(gli_slate *slate, uint32_t k);
/* Puts a number to its look ahead, down only if it `falls`; returns by how much that is higher. */
double gli_slate_put(gli_slate *slate, uint32_t k, bool falls);
/* Gives an action of a node its number and children, and the number this value.  False: out of memory. */
bool gli_slate_claim(gli_slate *slate, uint32_t n, uint32_t a, double value);
/* Claims a number of a known state, and takes all of a state back, as they are in the table. */
void gli_slate_lower_corner(gli_slate *slate, uint32_t s, uint32_t a, double value);
void gli_slate_restore_corner(gli_slate *slate, uint32_t s);
/* All numbers rise by so much, and the table becomes what they are now. */
void gli_slate_raise(gli_slate *slate, double by);
double gli_slate_number_value(const gli_slate *slate, uint32_t k);
/* The table becomes what numbers of known states are now; all evaluations are old. */
void gli_slate_measure(gli_slate *slate);

#endif
