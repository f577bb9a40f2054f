/* Tree: the histories that simulations have met.
 *
 * The children of a cell form a digital search tree of their own: a child's place
 * is found by walking from cell->child along link[0] or link[1], by one bit after
 * the other of the mixed key.  Mixing is one-to-one, so the walk has at most 33
 * stations (about log2 of the children on average: an observation is found in one
 * or two, one of 800 states in ten), and neither a table that must grow nor an
 * order of the children is needed.
 *
 * Invariants: corners hang below asking cells alone, and only they do; the cell of
 * not asking has no children (its belief is the node's own); the root has no
 * links. */
#include "planners/pomcp.h"

/* One-to-one; the highest bits depend on all bits of the key. */
static uint32_t mix(uint32_t key) {
  return key * UINT32_C(0x9e3779b1);
}

glimpse_status gli_pomcp_tree_start(gli_pomcp_tree *tree, const glimpse_model *model, uint32_t particles,
                                    uint64_t max_bytes) {
  *tree = (gli_pomcp_tree){.quota = {.limit = max_bytes}, .actions = model->actions, .particles_most = particles};
  tree->width = model->actions + (model->requests ? 2 : 0);
  /* Particles must not crowd out what the search learns. */
  gli_pomcp_pool_start(&tree->nodes, &tree->quota, sizeof(gli_pomcp_node), max_bytes);
  gli_pomcp_pool_start(&tree->cells, &tree->quota, tree->width * sizeof(gli_pomcp_cell), max_bytes);
  gli_pomcp_pool_start(&tree->particles, &tree->quota, sizeof(gli_pomcp_particle), max_bytes / 4);
  uint64_t least = (sizeof(gli_pomcp_node) << tree->nodes.shift) + ((uint64_t)tree->cells.size << tree->cells.shift) +
                   2 * sizeof(void *);
  if (least > max_bytes) return GLIMPSE_TOO_LARGE;
  uint32_t node = gli_pomcp_pool_take(&tree->nodes), cells = gli_pomcp_pool_take(&tree->cells);
  if (node == GLI_POMCP_NONE || cells == GLI_POMCP_NONE) return GLIMPSE_NO_MEMORY;
  gli_pomcp_tree_clear(tree, false);
  return GLIMPSE_OK;
}

void gli_pomcp_tree_stop(gli_pomcp_tree *tree) {
  gli_pomcp_pool_stop(&tree->nodes);
  gli_pomcp_pool_stop(&tree->cells);
  gli_pomcp_pool_stop(&tree->particles);
}

static uint32_t make_node(gli_pomcp_tree *tree, uint32_t key, bool corner) {
  uint32_t node = gli_pomcp_pool_take(&tree->nodes);
  if (node == GLI_POMCP_NONE) return node;
  *gli_pomcp_node_at(tree, node) = (gli_pomcp_node){.key = key,
                                                    .link = {GLI_POMCP_NONE, GLI_POMCP_NONE},
                                                    .cells = GLI_POMCP_NONE,
                                                    .particles = GLI_POMCP_NONE,
                                                    .corner = corner};
  tree->node_count++;
  tree->corner_count += corner;
  return node;
}

void gli_pomcp_tree_clear(gli_pomcp_tree *tree, bool corner) {
  gli_pomcp_pool_clear(&tree->nodes);
  gli_pomcp_pool_clear(&tree->cells);
  gli_pomcp_pool_clear(&tree->particles);
  tree->node_count = tree->corner_count = 0;
  tree->root = make_node(tree, 0, corner); /* there is a chunk since the start */
}

bool gli_pomcp_tree_open(gli_pomcp_tree *tree, gli_pomcp_node *node) {
  if (node->cells != GLI_POMCP_NONE) return true;
  node->cells = gli_pomcp_pool_take(&tree->cells);
  if (node->cells == GLI_POMCP_NONE) return false;
  gli_pomcp_cell *cells = gli_pomcp_cells_at(tree, node->cells);
  for (uint32_t i = 0; i < tree->width; i++) cells[i] = (gli_pomcp_cell){0, 0, GLI_POMCP_NONE};
  return true;
}

uint32_t gli_pomcp_tree_find(const gli_pomcp_tree *tree, const gli_pomcp_cell *cell, uint32_t key) {
  uint32_t node = cell->child;
  for (uint32_t bits = mix(key); node != GLI_POMCP_NONE; bits <<= 1) {
    const gli_pomcp_node *at = gli_pomcp_node_at(tree, node);
    if (at->key == key) return node;
    node = at->link[bits >> 31];
  }
  return GLI_POMCP_NONE;
}

uint32_t gli_pomcp_tree_child(gli_pomcp_tree *tree, gli_pomcp_cell *cell, uint32_t key, bool corner) {
  uint32_t *place = &cell->child;
  for (uint32_t bits = mix(key); *place != GLI_POMCP_NONE; bits <<= 1) {
    gli_pomcp_node *at = gli_pomcp_node_at(tree, *place);
    if (at->key == key) return *place;
    place = &at->link[bits >> 31];
  }
  return *place = make_node(tree, key, corner); /* chunks do not move: the place is still there */
}

uint32_t gli_pomcp_tree_favourite(const gli_pomcp_tree *tree, const gli_pomcp_cell *cell) {
  uint32_t stack[40], height = 0, best = GLI_POMCP_NONE; /* at most one waits per station */
  if (cell->child != GLI_POMCP_NONE) stack[height++] = cell->child;
  while (height) {
    uint32_t node = stack[--height];
    const gli_pomcp_node *at = gli_pomcp_node_at(tree, node);
    const gli_pomcp_node *than = best == GLI_POMCP_NONE ? NULL : gli_pomcp_node_at(tree, best);
    if (!than || at->visits > than->visits || (at->visits == than->visits && at->key < than->key)) best = node;
    for (int side = 0; side < 2; side++)
      if (at->link[side] != GLI_POMCP_NONE) stack[height++] = at->link[side];
  }
  return best;
}

void gli_pomcp_tree_keep(gli_pomcp_tree *tree, gli_pomcp_node *node, uint32_t state) {
  if (node->held >= tree->particles_most) return;
  uint32_t particle = gli_pomcp_pool_take(&tree->particles);
  if (particle == GLI_POMCP_NONE) return;
  *(gli_pomcp_particle *)gli_pomcp_pool_at(&tree->particles, particle) = (gli_pomcp_particle){state, node->particles};
  node->particles = particle;
  node->held++;
}

uint32_t gli_pomcp_tree_pour(gli_pomcp_tree *tree, gli_pomcp_node *node, uint32_t *out) {
  uint32_t count = 0;
  while (node->particles != GLI_POMCP_NONE) {
    uint32_t particle = node->particles;
    const gli_pomcp_particle *at = gli_pomcp_pool_at(&tree->particles, particle);
    if (out) out[count] = at->state;
    count++;
    node->particles = at->next;
    gli_pomcp_pool_give(&tree->particles, particle);
  }
  node->held = 0;
  return count;
}

/* ----------------------------------------------------------------- freeing */

/* Nodes that wait to be freed are linked by their keys, so that freeing needs no
 * memory. */
static void doom(gli_pomcp_tree *tree, uint32_t *doomed, uint32_t node) {
  if (node == GLI_POMCP_NONE) return;
  gli_pomcp_node_at(tree, node)->key = *doomed;
  *doomed = node;
}

void gli_pomcp_tree_move(gli_pomcp_tree *tree, uint32_t node) {
  if (node == tree->root) return;
  uint32_t doomed = GLI_POMCP_NONE;
  doom(tree, &doomed, tree->root);
  while (doomed != GLI_POMCP_NONE) {
    uint32_t now = doomed;
    gli_pomcp_node *at = gli_pomcp_node_at(tree, now);
    doomed = at->key;
    for (int side = 0; side < 2; side++) {
      doom(tree, &doomed, at->link[side]);
      at->link[side] = GLI_POMCP_NONE;
    }
    if (now == node) continue;
    if (at->cells != GLI_POMCP_NONE) {
      const gli_pomcp_cell *cells = gli_pomcp_cells_at(tree, at->cells);
      for (uint32_t i = 0; i < tree->width; i++) doom(tree, &doomed, cells[i].child);
      gli_pomcp_pool_give(&tree->cells, at->cells);
    }
    gli_pomcp_tree_pour(tree, at, NULL);
    tree->node_count--;
    tree->corner_count -= at->corner;
    gli_pomcp_pool_give(&tree->nodes, now);
  }
  tree->root = node;
  gli_pomcp_node_at(tree, node)->key = 0;
}
