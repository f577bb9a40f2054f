/* Collect: mark, fold and squeeze.
 *
 * Marking goes from the root and the corners along all choices, or along those that a policy makes: the greedy choice
 * is where the search works, and the plan carries the promise behind a lower bound.  A child that led to a node which
 * is not marked becomes fringe again: it keeps its upper bound; its lower bound goes back to one that has a policy
 * behind it, the vector that the node rested on or the table.  No lower bound of a policy depends on it.
 *
 * Squeezing slides what is marked to the front of its array.  Where an item goes is the number of marked items before
 * it, found by counting the bits of a bitmap.  Cost: a few reads of all that is in use. */
#include "graph/collect.h"

#include <assert.h>
#include <string.h>

#include "graph/backup.h"
#include "graph/expand.h"
#include "graph/maker.h"
#include "graph/merge.h"
#include "graph/sawtooth.h"
#include "graph/store.h"
#include "graph/vectors.h"

typedef struct bitmap {
  uint64_t *bits;
  uint32_t *before; /* bits set before each word */
  size_t words;
} bitmap;

static bool bitmap_new(gli_graph *graph, bitmap *map, size_t count) {
  size_t words = count / 64 + 1;
  uint64_t bytes = words * (sizeof *map->bits + sizeof *map->before);
  *map = (bitmap){0};
  if (!gli_quota_take(&graph->quota, bytes, 0)) return false;
  *map = (bitmap){GLI_NEW(uint64_t, words), GLI_NEW(uint32_t, words), words};
  return map->bits && map->before;
}

static void bitmap_free(gli_graph *graph, bitmap *map) {
  gli_memory_free(map->bits);
  gli_memory_free(map->before);
  gli_quota_give(&graph->quota, map->words * (sizeof *map->bits + sizeof *map->before));
}

static void bitmap_set(bitmap *map, uint32_t first, uint32_t count) {
  for (uint32_t i = first; i < first + count; i++) map->bits[i / 64] |= (uint64_t)1 << i % 64;
}

static bool bitmap_has(const bitmap *map, uint32_t i) {
  return map->bits[i / 64] >> i % 64 & 1;
}

static void bitmap_count(bitmap *map) {
  uint32_t sum = 0;
  for (size_t i = 0; i < map->words; i++) {
    map->before[i] = sum;
    sum += (uint32_t)__builtin_popcountll(map->bits[i]);
  }
}

/* Where a marked item goes. */
static uint32_t bitmap_rank(const bitmap *map, uint32_t i) {
  uint64_t below = map->bits[i / 64] & (((uint64_t)1 << i % 64) - 1);
  return map->before[i / 64] + (uint32_t)__builtin_popcountll(below);
}

/* Slides marked items to the front; returns how many they are. */
static size_t slide(const bitmap *map, char *items, size_t count, size_t size) {
  size_t to = 0;
  for (size_t i = 0; i < count;) {
    if (!bitmap_has(map, (uint32_t)i)) {
      i++;
      continue;
    }
    size_t end = i + 1;
    while (end < count && bitmap_has(map, (uint32_t)end)) end++;
    if (to != i) memmove(items + to * size, items + i * size, (end - i) * size);
    to += end - i;
    i = end;
  }
  return to;
}

/* ------------------------------------------------------------------ marking */

typedef struct collection {
  gli_pass *pass;
  gli_graph *graph;
  bool prune;
  bitmap nodes, children, beliefs;
} collection;

/* Is this choice one that a policy makes here? */
static bool followed(const collection *c, uint32_t node, uint32_t choice) {
  const gli_graph *graph = c->graph;
  gli_node *n = gli_graph_node(graph, node);
  if (!c->prune || n->greedy == GLI_NONE || gli_graph_weight(graph, node, choice) > 0) return true;
  return gli_node_lowers(graph, n)[choice] >= n->lower - graph->floor || choice == n->plan;
}

/* The order of the pass is the stack: no node is in it twice. */
static bool push(collection *c, uint32_t node) {
  gli_pass *pass = c->pass;
  if (node == GLI_NONE || bitmap_has(&c->nodes, node)) return true;
  if (pass->count == pass->capacity &&
      !gli_store_array(c->graph, GLI_REGION_ORDER, &pass->capacity, pass->count + 1, sizeof *pass->order, 0))
    return false;
  pass->order = (gli_stop *)(void *)c->graph->region[GLI_REGION_ORDER].start;
  pass->order[pass->count++] = (gli_stop){node, GLI_NONE, GLI_NONE, 0};
  bitmap_set(&c->nodes, node, 1);
  return true;
}

static bool mark(collection *c) {
  const gli_graph *graph = c->graph;
  c->pass->count = 0;
  if (!push(c, graph->root)) return false;
  for (uint32_t s = 0; s < graph->states; s++)
    if (!push(c, graph->corner[s].node)) return false;
  for (size_t i = 0; i < c->pass->count; i++) {
    uint32_t node = c->pass->order[i].node;
    gli_outcome to;
    for (uint32_t choice = 0; choice <= graph->actions; choice++)
      for (uint32_t k = 0; followed(c, node, choice) && gli_graph_outcome(graph, node, choice, k, &to); k++)
        if (!push(c, gli_graph_behind(graph, to.link))) return false;
  }
  return true;
}

/* ------------------------------------------------------------------ folding */

/* A child whose node goes is fringe again. */
static void fold(gli_graph *graph, gli_child *child) {
  const gli_node *n = gli_graph_node(graph, child->link);
  child->upper += n->upper;
  child->lower += n->rest == GLI_NO_VECTOR ? gli_expand_judge(graph, gli_graph_belief(graph, n)).lower : n->lower;
  child->link = GLI_FRINGE | n->rest;
  assert(gli_graph_ordered(graph, child->upper, child->lower)); /* G1 */
}

/* Folds children of a marked node; bounds of choices that used them are found again.  Only when all are folded: a lower
 * bound must not be found by what is about to go. */
static void fold_node(collection *c, uint32_t node) {
  gli_graph *graph = c->graph;
  gli_node *n = gli_graph_node(graph, node);
  bool any = false;
  for (uint32_t choice = 0; choice < graph->groups; choice++) {
    gli_group group = gli_node_groups(graph, n)[choice];
    bool folded = false;
    for (uint32_t i = group.first; i < group.first + group.count; i++) {
      gli_child *child = &graph->children[i];
      uint32_t behind = gli_graph_behind(graph, child->link);
      if (behind == GLI_NONE || bitmap_has(&c->nodes, behind)) continue;
      fold(graph, child);
      folded = true;
    }
    if (folded) gli_node_lowers(graph, n)[choice] = -INFINITY;
    any |= folded;
  }
  if (any) gli_backup_all(graph, node);
}

/* ---------------------------------------------------------------- squeezing */

static bool make_maps(collection *c) {
  gli_graph *graph = c->graph;
  if (!bitmap_new(graph, &c->children, graph->child_count) || !bitmap_new(graph, &c->beliefs, graph->belief_count))
    return false;
  for (size_t i = 0; i < c->pass->count; i++) {
    gli_node *n = gli_graph_node(graph, c->pass->order[i].node);
    const gli_group *groups = gli_node_groups(graph, n);
    for (uint32_t choice = 0; choice < graph->groups; choice++)
      bitmap_set(&c->children, groups[choice].first, groups[choice].count);
    bitmap_set(&c->beliefs, n->belief, gli_store_room(n->support));
  }
  bitmap_count(&c->nodes);
  bitmap_count(&c->children);
  bitmap_count(&c->beliefs);
  return true;
}

/* All that refers to an item refers to where it will be. */
static void relink(collection *c) {
  gli_graph *graph = c->graph;
  for (size_t i = 0; i < c->pass->count; i++) {
    gli_node *n = gli_graph_node(graph, c->pass->order[i].node);
    gli_group *groups = gli_node_groups(graph, n);
    n->belief = bitmap_rank(&c->beliefs, n->belief);
    n->stamp = 0;
    for (uint32_t choice = 0; choice < graph->groups; choice++) {
      for (uint32_t k = groups[choice].first; k < groups[choice].first + groups[choice].count; k++) {
        uint32_t *link = &graph->children[k].link;
        if (*link & (GLI_FRINGE | GLI_CORNER)) continue;
        assert(bitmap_has(&c->nodes, *link)); /* G5: nothing leads to what goes */
        *link = bitmap_rank(&c->nodes, *link);
      }
      groups[choice].first = groups[choice].count ? bitmap_rank(&c->children, groups[choice].first) : 0;
    }
  }
  for (uint32_t s = 0; s < graph->states; s++)
    if (graph->corner[s].node != GLI_NONE) graph->corner[s].node = bitmap_rank(&c->nodes, graph->corner[s].node);
  assert(bitmap_has(&c->nodes, graph->root));
  graph->root = bitmap_rank(&c->nodes, graph->root);
}

static uint32_t moved(const void *context, uint32_t node) {
  const bitmap *nodes = context;
  return bitmap_has(nodes, node) ? bitmap_rank(nodes, node) : GLI_NONE;
}

static void squeeze(collection *c) {
  gli_graph *graph = c->graph;
  relink(c);
  graph->node_count = slide(&c->nodes, graph->nodes, graph->node_count, graph->node_size);
  graph->child_count = slide(&c->children, (char *)graph->children, graph->child_count, sizeof *graph->children);
  graph->belief_count = slide(&c->beliefs, (char *)graph->beliefs, graph->belief_count, sizeof *graph->beliefs);
  assert(graph->node_count == c->pass->count && graph->root < graph->node_count);
  if (graph->sawtooth) gli_sawtooth_move(graph, moved, &c->nodes);
  gli_merge_all(graph);
  if (graph->vectors) {
    graph->vectors->path_count = 0;
    gli_vectors_sweep(graph);
  }
  gli_store_shrink(graph);
}

size_t gli_collect(gli_pass *pass, bool prune) {
  gli_graph *graph = pass->graph;
  collection c = {.pass = pass, .graph = graph, .prune = prune};
  size_t before = graph->node_count;
  gli_maker_drop(graph);
  if (bitmap_new(graph, &c.nodes, graph->node_count) && mark(&c)) {
    for (size_t i = 0; i < pass->count && prune; i++) fold_node(&c, pass->order[i].node);
    if (make_maps(&c)) {
      squeeze(&c);
      pass->stamp = 0; /* as that of all nodes */
    }
  }
  bitmap_free(graph, &c.nodes);
  bitmap_free(graph, &c.children);
  bitmap_free(graph, &c.beliefs);
  pass->count = pass->at = pass->candidate_count = 0;
  return before - graph->node_count;
}
