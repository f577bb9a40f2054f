/* Graph: the beliefs that a search has met, with a lower and an upper bound on the value of each.
 *
 * Vocabulary
 *   node      an expanded belief: the belief itself and, for each choice, its bounds and where it leads.
 *   child     what one observation after an action leads to, as its parent sees it: probability, bounds and a link.
 *             32 bytes; most children are fringe and have no belief of their own.
 *   link      of a child: to a node, to the corner of a state, or to nothing yet (fringe).
 *   choice    an action, or asking (number `actions`).  An action is *opened* when its children have been made.
 *             Before that its bounds are those of vectors and points.  The greedy choice is always opened.
 *   greedy    the choice with the largest upper bound.    plan  the choice with the largest lower bound.
 *   corner    the belief that is certain of a state, shared by all that lead to it.  It holds bounds of N(s), the
 *             value of acting in s, and has a node once it is expanded.
 *   rest      the learnt vector that a lower bound rests on: its policy stays as long as the bound is used.
 *
 * Sharing.  `none`: each request has children of its own.  `corners`: requests and certain observations lead to the
 * corners.  `all`: besides, a belief that is about to be expanded and equals that of a node is linked to that node.
 * Nodes do not know their parents; news travels in passes (pass.c).
 *
 * Everything is reached by index; the arrays move when they grow, and indices change when room is made (collect.c).
 * Invariants (tests/support/check.c verifies all of them; asserts, in debug builds, what concerns one place):
 *   G1  lower <= upper + slack, at every node, corner, child and choice of a policy.
 *   G2  no upper bound ever rises; no lower bound ever falls, except where room was made and its plan is gone.
 *   G3  a node's upper bound is at most the largest of its choices when it was last backed up, and at least what a
 *       backup would give now; its lower bound likewise, unless it rests on a vector.
 *   G4  the greedy choice of a node that has been backed up is opened, unless there was no room or no time.
 *   G5  links lead to nodes and states that exist; node n of corner s has state s, and corner s has node n.
 *   G6  with sharing `all`, every node but the corners' is in the table of beliefs, unless there was no room.
 *   G7  the vector that a bound rests on exists, and so do its successors. */
#ifndef GLI_GRAPH_GRAPH_H
#define GLI_GRAPH_GRAPH_H

#include <math.h>

#include "base/memory.h"
#include "base/quota.h"
#include "base/region.h"
#include "belief/belief.h"
#include "bounds/bound.h"
#include "glimpse.h"
#include "model/model.h"

#define GLI_ALWAYS_INLINE static inline __attribute__((always_inline))

#define GLI_UNIT 0x1p-53   /* what one operation rounds, at most, relative to its result */
#define GLI_FAINT 0x1p-900 /* products of such a probability may have lost their digits */
#define GLI_NONE UINT32_MAX
#define GLI_CORNER ((uint32_t)1 << 30) /* link = GLI_CORNER | state */
#define GLI_FRINGE ((uint32_t)1 << 31) /* link = GLI_FRINGE | vector that the lower bound rests on, or ... */
#define GLI_NO_VECTOR (GLI_CORNER - 1) /* ... none; besides: */
#define GLI_UNSEEN GLI_CORNER          /* its bounds are those of the table alone (frontier.c) */

typedef struct gli_bounds {
  double upper, lower;
} gli_bounds;

typedef struct gli_child {
  double upper, lower; /* fringe: bounds of its belief; else what is added to those behind the link, because its belief
                          may differ a little from the one there (merge.c) */
  double probability;  /* P(o|parent,a); of a request child b(s) */
  uint32_t label;      /* observation, or state of a request child */
  uint32_t link;
} gli_child;

typedef struct gli_group { /* the children of a choice */
  uint32_t first, count;   /* 0: not opened */
} gli_group;

/* Followed in memory by an upper bound, a lower bound and a reward per choice, and the groups.
 * Where asking is not possible its bounds are -inf. */
typedef struct gli_node {
  double upper, lower;
  double mass;           /* Psi: discounted probability of coming here from the root, as of the last pass ... */
  double back;           /* ... and what came from nodes that were walked later: for the next pass */
  uint32_t belief;       /* where its belief begins */
  uint32_t support;      /* entries of its belief */
  uint32_t state;        /* of a corner; GLI_NONE otherwise */
  uint32_t rest;         /* vector that `lower` rests on; GLI_NO_VECTOR: on choices, or vectors that always stay */
  uint32_t greedy, plan; /* GLI_NONE: not backed up yet */
  uint32_t stamp;        /* the last walk that came here ... */
  uint32_t place;        /* ... and its place in it */
  uint32_t hash;         /* of its belief, with sharing `all` */
  uint32_t point;        /* it is this point of the sawtooth; GLI_NONE: none */
  double numbers[];
} gli_node;

typedef struct gli_corner {
  double upper, lower; /* of N(s) */
  uint32_t node;       /* GLI_NONE: fringe */
  uint32_t rest;       /* while fringe: vector that `lower` rests on */
} gli_corner;

typedef enum gli_sharing { GLI_SHARE_NONE, GLI_SHARE_CORNERS, GLI_SHARE_ALL } gli_sharing;
/* Which fringe belief is next: see pass.c. */
typedef enum gli_rule { GLI_RULE_AEMS, GLI_RULE_BI_POMDP, GLI_RULE_SATIA_LAVE } gli_rule;

/* Vectors of a policy that was made before the search, each with what follows it.  None promises more than they keep
 * together: v(s) <= R(s,a) + discount sum_s' T(s'|s,a) sum_o O(o|a,s') w_o(s'), where w_o is the successor's value or,
 * after asking, the largest value in s' less the price. */
typedef struct gli_given {
  uint32_t count;
  const uint32_t *action;      /* of each */
  const uint32_t *successors;  /* of each, for all observations: one of these; GLI_GIVEN_ASK: it asks */
  const double *const *values; /* of each, in all states */
} gli_given;
#define GLI_GIVEN_ASK UINT32_MAX

typedef struct gli_graph_options {
  gli_sharing sharing;
  gli_rule rule;
  bool live;              /* fringe bounds use the graph's own corner values */
  bool paper;             /* a request expands the corners that it first leads to; only requests lead to shared corners;
                             lower bounds of fringe beliefs do not consider asking */
  bool all_lowers;        /* one lower vector per action, even if it is nowhere the best */
  bool learn_vectors;     /* lower bounds of plans serve all beliefs (vectors.c) */
  bool learn_points;      /* upper bounds of beliefs serve all beliefs (sawtooth.c) */
  uint64_t max_bytes;     /* of what grows, see gli_graph_fixed for the rest; 0: no limit */
  uint64_t most_fixed;    /* nothing is learnt where that would hold more than this anyway; 0: no limit */
  const gli_given *given; /* borrowed as long as the graph is there; NULL: none.  Only with learn_vectors */
} gli_graph_options;

/* The arrays that grow, each in a region of its own. */
enum {
  GLI_REGION_NODES,
  GLI_REGION_CHILDREN,
  GLI_REGION_BELIEFS,
  GLI_REGION_SLOTS,
  GLI_REGION_ORDER,
  GLI_REGION_CANDIDATES,
  GLI_REGION_VECTORS,
  GLI_REGION_MATRIX,
  GLI_REGIONS
};

typedef struct gli_graph gli_graph;

struct gli_graph {
  const glimpse_model *model;
  gli_graph_options options;
  double discount;
  uint32_t actions, states;
  uint32_t groups; /* choices that have children of their own: all, or all but asking where corners are shared */

  /* Bounds that every child gets, one line of `stride` numbers per state: the upper bound of each action, of acting;
   * the lower vectors; the lower bound of acting; the price where it depends on the state; 1, which adds up to the
   * probability.  Padded to an even number. */
  double *table;
  double *offline; /* the table as it was made */
  uint32_t stride, lowers, at_act_upper, at_lowers, at_act_lower, at_price, at_one;
  uint32_t *lower_action; /* of each lower vector the action it begins with */
  double scale;           /* no value of a belief is larger than this, up or down */
  double rounding;        /* what rounding can do in one backup, relative to the larger of scale and the result */
  double floor;           /* a gap below this is rounding */
  double least;           /* a score below this is not worth an expansion */
  double slope;           /* how much a value changes with the belief, at most, per unit of distance */
  double near;            /* beliefs no farther apart are one (merge.c) */

  gli_region region[GLI_REGIONS];
  char *nodes; /* `node_size` bytes each */
  gli_child *children;
  double *beliefs; /* of each its probabilities, then its states, two in the room of a number: see gli_graph_row */
  size_t node_count, node_capacity, node_size;
  size_t child_count, child_capacity;
  size_t belief_count, belief_capacity;
  uint32_t *slots; /* table of beliefs: node + 1; 0: empty (merge.c) */
  size_t slot_count, slots_used;

  uint8_t *reached;   /* per state: can it be reached from the beliefs that were given? */
  gli_corner *corner; /* one per state */
  size_t corners;     /* that have a node */
  uint32_t root;      /* node; GLI_NONE: none */

  uint64_t expansions; /* since the graph was made */
  double deadline;     /* making children is interrupted then; infinite: never */
  bool late;           /* it was */
  gli_quota quota;     /* all that grows: the regions, and what the parts below hold */
  bool full;           /* the memory limit, or memory itself, has been met */

  struct gli_maker *maker;       /* maker.c */
  struct gli_vectors *vectors;   /* vectors.c; NULL: none are learnt */
  struct gli_sawtooth *sawtooth; /* sawtooth.c; NULL likewise */
};

/* ------------------------------------------------------------------ graph.c */

/* The bounds a graph starts from: the lists are borrowed only during the call, lower bounds as long as the graph is
 * there.  Of the upper bounds the first has a vector per action; others may have one, too. */
typedef struct gli_graph_bounds {
  const glimpse_bound *const *uppers;
  size_t upper_count;
  const glimpse_bound *const *lowers;
  size_t lower_count;
} gli_graph_bounds;

gli_graph *gli_graph_new(const glimpse_model *model, gli_graph_bounds bounds, const gli_graph_options *options);
void gli_graph_free(gli_graph *graph);
/* A belief is given: the scale of values is that of all that can be reached. */
void gli_graph_reach(gli_graph *graph, glimpse_row belief);
/* Bytes that a graph holds whatever it grows to: what there is per state and observation. */
uint64_t gli_graph_fixed(const gli_graph *graph);
/* Forgets all nodes, and what the table has learnt since it was made if `restore`. */
void gli_graph_clear(gli_graph *graph, bool restore);
/* What the table has learnt of the lower bounds of known states since it was made. */
void gli_graph_forget_lowers(gli_graph *graph);
/* Nothing is left to expand: is the value known, within a millionth of the largest, or does rounding keep the bounds
 * apart, or lack of memory? */
glimpse_stop gli_graph_solved(const gli_graph *graph);

static inline gli_node *gli_graph_node(const gli_graph *graph, uint32_t node) {
  return (gli_node *)(void *)(graph->nodes + (size_t)node * graph->node_size);
}
static inline double *gli_node_uppers(gli_node *node) {
  return node->numbers;
}
static inline double *gli_node_lowers(const gli_graph *graph, gli_node *node) {
  return node->numbers + graph->actions + 1;
}
/* Expected rewards of the choices; that of asking is minus its price. */
static inline double *gli_node_rewards(const gli_graph *graph, gli_node *node) {
  return node->numbers + 2 * ((size_t)graph->actions + 1);
}
static inline gli_group *gli_node_groups(const gli_graph *graph, gli_node *node) {
  return (gli_group *)(void *)(node->numbers + 3 * ((size_t)graph->actions + 1));
}
static inline bool gli_node_can_ask(const gli_graph *graph, const gli_node *node) {
  return node->numbers[graph->actions] != -INFINITY;
}
/* Has this choice been opened?  Asking shared corners always is. */
static inline bool gli_node_opened(const gli_graph *graph, gli_node *node, uint32_t choice) {
  return choice >= graph->groups || gli_node_groups(graph, node)[choice].count;
}
/* A belief of so many entries that is stored there: all of it in one place. */
static inline glimpse_row gli_graph_row(const gli_graph *graph, uint32_t first, uint32_t count) {
  const double *mass = graph->beliefs + first;
  return (glimpse_row){count, (const uint32_t *)(const void *)(mass + count), mass};
}
static inline glimpse_row gli_graph_belief(const gli_graph *graph, const gli_node *node) {
  return gli_graph_row(graph, node->belief, node->support);
}
/* Do requests lead to shared corners (rather than to children of their own)? */
static inline bool gli_graph_shares(const gli_graph *graph) {
  return graph->options.sharing != GLI_SHARE_NONE;
}
static inline bool gli_link_fringe(uint32_t link) {
  return link & GLI_FRINGE;
}
static inline bool gli_link_corner(uint32_t link) {
  return (link & (GLI_FRINGE | GLI_CORNER)) == GLI_CORNER;
}
/* The vector that the lower bound of a fringe child rests on. */
static inline uint32_t gli_link_rest(uint32_t link) {
  return link & GLI_NO_VECTOR;
}
/* The node behind a link; GLI_NONE: fringe. */
static inline uint32_t gli_graph_behind(const gli_graph *graph, uint32_t link) {
  if (gli_link_fringe(link)) return GLI_NONE;
  return gli_link_corner(link) ? graph->corner[link & ~GLI_CORNER].node : link;
}
/* The gap between bounds; 0 where rounding alone may make it. */
static inline double gli_graph_gap(const gli_graph *graph, double upper, double lower) {
  return upper - lower > graph->floor ? upper - lower : 0;
}
/* How far a number is moved outward: more than rounding can have moved it inward. */
static inline double gli_graph_slack(const gli_graph *graph, double value) {
  double size = value < 0 ? -value : value;
  return graph->rounding * (size > graph->scale ? size : graph->scale);
}

/* G1, for asserts.  The paper's improvement is left out: what it puts into the table is not valid. */
static inline bool gli_graph_ordered(const gli_graph *graph, double upper, double lower) {
  double slack = 8 * gli_graph_slack(graph, fmax(isfinite(upper) ? fabs(upper) : 0, isfinite(lower) ? fabs(lower) : 0));
  return lower <= upper + slack || graph->options.all_lowers;
}
/* G5, for asserts: does a link lead to something that exists? */
static inline bool gli_graph_leads(const gli_graph *graph, uint32_t link) {
  if (gli_link_fringe(link)) return true;
  return gli_link_corner(link) ? (link & ~GLI_CORNER) < graph->states : link < graph->node_count;
}

/* ------------------------------------------------- outcomes: where a choice leads */

typedef struct gli_outcome {
  uint32_t link;
  uint32_t label;     /* observation, or the state that is told */
  uint32_t child;     /* GLI_NONE: a shared corner that is asked for */
  double probability; /* after the choice, not discounted */
} gli_outcome;

/* The i-th outcome of a choice of a node; false: there are no more (or the choice is not opened). */
GLI_ALWAYS_INLINE bool gli_graph_outcome(const gli_graph *graph, uint32_t node, uint32_t choice, uint32_t i,
                                         gli_outcome *outcome) {
  gli_node *n = gli_graph_node(graph, node);
  if (choice >= graph->groups) { /* the belief tells where asking leads */
    if (i >= n->support || !gli_node_can_ask(graph, n)) return false;
    glimpse_row belief = gli_graph_belief(graph, n);
    *outcome = (gli_outcome){GLI_CORNER | belief.index[i], belief.index[i], GLI_NONE, belief.value[i]};
    return true;
  }
  gli_group group = gli_node_groups(graph, n)[choice];
  if (i >= group.count) return false;
  const gli_child *child = &graph->children[group.first + i];
  *outcome = (gli_outcome){child->link, child->label, group.first + i, child->probability};
  return true;
}
/* A step takes time, asking does not. */
static inline double gli_graph_discount(const gli_graph *graph, uint32_t choice) {
  return choice < graph->actions ? graph->discount : 1;
}
/* The bounds of an outcome, the best of what is known. */
gli_bounds gli_graph_bounds_of(const gli_graph *graph, const gli_outcome *outcome);
/* AEMS and BI-POMDP follow the greedy choice; Satia and Lave all choices that are not dominated, as if equally
 * probable.  0: not followed. */
double gli_graph_weight(const gli_graph *graph, uint32_t node, uint32_t choice);

#endif
