/* POMCP: Monte-Carlo tree search over histories, with particles for beliefs.
 * docs/PLANNERS.md says how it works on a problem with requests.
 *
 * Vocabulary
 *   node      a history: a belief before the request phase or, after a request,
 *             a known state (a corner) before the action phase.
 *   cell      one choice at a node: mean return, simulations through it, children.
 *             A node's cells are one per action and, where requests are on, one
 *             for asking and one for not asking.  They come with the node's second
 *             visit: most nodes never see one.
 *   child     of an action: one node per observation; of asking: one per state.
 *   particle  a state that a simulation brought to a node.
 *
 * Everything is reached by index, in pools of chunks that do not move. */
#ifndef GLI_PLANNERS_POMCP_H
#define GLI_PLANNERS_POMCP_H

#include "base/quota.h"
#include "base/random.h"
#include "belief/belief.h"
#include "model/model.h"
#include "planner/planner.h"

#define GLI_POMCP_NONE UINT32_MAX

/* ------------------------------------------------------------------- pools */

/* Items of one size.  Free items are linked by their first four bytes. */
typedef struct gli_pomcp_pool {
  gli_quota *quota;
  unsigned char **chunks;
  size_t count, capacity; /* of chunks */
  size_t size;            /* of an item, in bytes */
  unsigned shift;         /* a chunk holds 1 << shift items */
  uint32_t used;          /* items handed out and not above any other such */
  uint32_t free;          /* first free item below */
  uint64_t limit;         /* most bytes of its own */
} gli_pomcp_pool;

/* Chunks are sized for the limits.  Never fails: there are no chunks yet. */
void gli_pomcp_pool_start(gli_pomcp_pool *pool, gli_quota *quota, size_t size, uint64_t limit);
void gli_pomcp_pool_stop(gli_pomcp_pool *pool);
/* An item, not zeroed; NONE when a limit is met or there is no memory. */
uint32_t gli_pomcp_pool_take(gli_pomcp_pool *pool);
void gli_pomcp_pool_give(gli_pomcp_pool *pool, uint32_t item);
/* Takes all items back and keeps the chunks. */
void gli_pomcp_pool_clear(gli_pomcp_pool *pool);

static inline void *gli_pomcp_pool_at(const gli_pomcp_pool *pool, uint32_t item) {
  uint32_t place = item & (((uint32_t)1 << pool->shift) - 1);
  return pool->chunks[item >> pool->shift] + place * pool->size;
}

/* -------------------------------------------------------------------- tree */

typedef struct gli_pomcp_node {
  uint32_t key;       /* the observation, or the state of a corner */
  uint32_t link[2];   /* other children of the same cell: see pomcp_tree.c */
  uint32_t cells;     /* GLI_POMCP_NONE: none yet */
  uint32_t visits;    /* simulations that came here */
  uint32_t particles; /* first of its particles */
  uint32_t held;      /* how many particles */
  bool corner;
} gli_pomcp_node;

typedef struct gli_pomcp_cell {
  double value; /* mean return */
  uint32_t visits;
  uint32_t child; /* some child, the way to all; GLI_POMCP_NONE: none */
} gli_pomcp_cell;

typedef struct gli_pomcp_particle {
  uint32_t state, next;
} gli_pomcp_particle;

typedef struct gli_pomcp_tree {
  gli_quota quota;
  gli_pomcp_pool nodes, cells, particles;
  uint32_t actions, width; /* cells of a node: actions, then asking and not asking */
  uint32_t particles_most; /* of a node */
  uint32_t root;
  uint64_t node_count, corner_count;
} gli_pomcp_tree;

static inline gli_pomcp_node *gli_pomcp_node_at(const gli_pomcp_tree *tree, uint32_t node) {
  return gli_pomcp_pool_at(&tree->nodes, node);
}

static inline gli_pomcp_cell *gli_pomcp_cells_at(const gli_pomcp_tree *tree, uint32_t cells) {
  return gli_pomcp_pool_at(&tree->cells, cells);
}

/* Has room for a root with cells; TOO_LARGE when the limit does not allow it.
 * `stop` is to be called whatever it returns. */
glimpse_status gli_pomcp_tree_start(gli_pomcp_tree *tree, const glimpse_model *model, uint32_t particles,
                                    uint64_t max_bytes);
void gli_pomcp_tree_stop(gli_pomcp_tree *tree);
/* Nothing is left but a root that was never visited. */
void gli_pomcp_tree_clear(gli_pomcp_tree *tree, bool corner);
/* A node below the root becomes the root; what is not below it is freed. */
void gli_pomcp_tree_move(gli_pomcp_tree *tree, uint32_t node);
/* Gives the node its cells; false when there is no room. */
bool gli_pomcp_tree_open(gli_pomcp_tree *tree, gli_pomcp_node *node);
/* The child of that key, NONE when there is none. */
uint32_t gli_pomcp_tree_find(const gli_pomcp_tree *tree, const gli_pomcp_cell *cell, uint32_t key);
/* The same; makes it when there is none.  NONE: no room. */
uint32_t gli_pomcp_tree_child(gli_pomcp_tree *tree, gli_pomcp_cell *cell, uint32_t key, bool corner);
/* The child with most visits, the smallest key of equals; NONE without children. */
uint32_t gli_pomcp_tree_favourite(const gli_pomcp_tree *tree, const gli_pomcp_cell *cell);
/* The node keeps the state, unless it has enough or there is no room. */
void gli_pomcp_tree_keep(gli_pomcp_tree *tree, gli_pomcp_node *node, uint32_t state);
/* Moves the node's particles to out, which has room for particles_most. */
uint32_t gli_pomcp_tree_pour(gli_pomcp_tree *tree, gli_pomcp_node *node, uint32_t *out);

/* ----------------------------------------------------------------- sampler */

/* Draws from the rows of a table. */
typedef struct gli_pomcp_sampler {
  const gli_table *table;
  double *sums; /* running sums within each row; NULL when all rows are short */
} gli_pomcp_sampler;

bool gli_pomcp_sampler_start(gli_pomcp_sampler *sampler, const gli_table *table, uint64_t rows);
void gli_pomcp_sampler_stop(gli_pomcp_sampler *sampler);
uint32_t gli_pomcp_sampler_draw(const gli_pomcp_sampler *sampler, uint64_t row, gli_random *random);
/* First i with u < sums[i]; count - 1 when there is none.  Sums ascend. */
size_t gli_pomcp_sampler_search(const double *sums, size_t count, double u);

/* ----------------------------------------------------------------- planner */

typedef struct gli_pomcp_step { /* of the path of a simulation */
  gli_pomcp_cell *cell;
  double reward, factor; /* return before = reward + factor * return behind */
} gli_pomcp_step;

enum { GLI_POMCP_TABLE = 1024 }; /* most nodes have fewer visits */

typedef struct gli_pomcp {
  glimpse_planner base;
  gli_random random;
  gli_pomcp_sampler transitions, observations;
  gli_pomcp_tree tree;
  uint32_t depth;       /* environment steps of a simulation */
  gli_pomcp_step *path; /* room for 2 * depth */
  double *leaves;       /* by state: what a belief is worth, judged by it; NULL: roll out */
  double ask_rate;      /* of random rollouts */
  uint32_t rolled;      /* rollouts draw from the first so many actions */

  bool told;                           /* the state at the root is known */
  double live;                         /* probability at the root of states that are not terminal */
  double offline_lower, offline_upper; /* at the root; NaN without offline bounds */
  uint32_t fallback;                   /* what to do without any simulation */
  gli_sparse exact;                    /* these states and their running sums, exact */
  uint32_t *particles;                 /* what simulations start from */
  uint32_t particle_count;
  double least, most; /* returns seen in this episode */
  double share;       /* of their range: the exploration constant where none is given */
  double logs[GLI_POMCP_TABLE], inverse_roots[GLI_POMCP_TABLE]; /* log n, 1/sqrt(n) */
} gli_pomcp;

/* Fills the tables. */
void gli_pomcp_tabulate(gli_pomcp *pomcp);

/* One simulation from the root, which has cells. */
void gli_pomcp_simulate(gli_pomcp *pomcp);

#endif
