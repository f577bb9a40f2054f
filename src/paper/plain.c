/* Plain: the search as the paper writes it: exact selection (plain_walk.c) and full propagation (plain_news.c) at each
 * expansion. */
#include "paper/plain.h"

#include <string.h>

#include "graph/backup.h"
#include "graph/expand.h"
#include "graph/frontier.h"
#include "paper/parts.h"

enum { FINISH_BACKUPS = 10000 };

gli_plain *gli_plain_of(const gli_search *search) {
  return (gli_plain *)(void *)search->form;
}

static void release(gli_plain *p) {
  void *all[] = {p->row_of,   p->psi,   p->trees, p->source, p->reach, p->residual, p->flows,     p->stale,
                 p->branches, p->steps, p->order, p->edges,  p->news,  p->marks,    p->inner.node};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) gli_memory_free(all[i]);
}

static void plain_clear(gli_form *form) {
  gli_plain *plain = (gli_plain *)(void *)form;
  release(plain);
  *plain = (gli_plain){.form = plain->form,
                       .graph = plain->graph,
                       .threshold = plain->threshold,
                       .root = GLI_NONE,
                       .walked_root = GLI_NONE,
                       .corner_line = plain->corner_line,
                       .corners = plain->corners};
  plain->corners.first = plain->corners.count = 0;
  memset(plain->corner_line, 0xff, plain->graph->states * sizeof *plain->corner_line);
}

static void plain_free(gli_form *form) {
  gli_plain *plain = (gli_plain *)(void *)form;
  release(plain);
  gli_memory_free(plain->corner_line);
  gli_memory_free(plain->corners.node);
  gli_memory_free(plain);
}

/* All that a node leads to has it as a parent. */
static bool enter_children(gli_plain *plain, uint32_t node) {
  const gli_graph *graph = plain->graph;
  gli_outcome to;
  for (uint32_t c = 0; c <= graph->actions; c++)
    for (uint32_t i = 0; gli_graph_outcome(graph, node, c, i, &to); i++)
      if (!gli_plain_add_parent(plain, to.link, node, c)) return false;
  return true;
}

/* --------------------------------------------------------------- expansions */

/* What was begun is not walked as if it were done. */
static glimpse_stop full(gli_plain *plain) {
  gli_plain_forget(plain);
  plain->graph->full = true;
  return GLIMPSE_STOP_MEMORY;
}

/* A new node: its tree has changed, even if there is no room for its children, and it is a parent. */
static bool enter(gli_plain *plain, uint32_t node) {
  bool grown = gli_expand_grow(plain->graph, node, true, NULL);
  if (!gli_plain_enter_new(plain)) return false;
  gli_plain_disturb(plain, node);
  if (!grown) return false;
  plain->marks[node].counts = gli_plain_counting(plain->graph, node);
  return enter_children(plain, node);
}

/* What a new node leads to; paper: a request expands the corners that it first leads to. */
static bool settle(gli_plain *plain, uint32_t node) {
  gli_graph *graph = plain->graph;
  if (!enter(plain, node)) return false;
  uint32_t support = gli_graph_node(graph, node)->support, corner;
  bool asks = graph->options.paper && gli_graph_shares(graph) && gli_node_can_ask(graph, gli_graph_node(graph, node));
  for (uint32_t i = 0; i < support && asks; i++) {
    uint32_t s = gli_graph_belief(graph, gli_graph_node(graph, node)).index[i];
    gli_frontier found = gli_frontier_corner(graph, s, &corner);
    if (found == GLI_FRONTIER_NOTHING) continue;
    if (found == GLI_FRONTIER_FULL || !enter(plain, corner) || !gli_plain_propagate(plain, corner)) return false;
  }
  return gli_plain_propagate(plain, node);
}

static bool begin(gli_plain *plain) {
  const gli_graph *graph = plain->graph;
  if (gli_graph_node(graph, graph->root)->greedy == GLI_NONE) return settle(plain, graph->root);
  if (plain->root == graph->root) return true;
  if (!gli_plain_enter_new(plain)) return false;
  plain->marks[graph->root].counts = UINT32_MAX; /* it was not the root: now all its choices are compared */
  return gli_plain_propagate(plain, graph->root);
}

/* An expansion is never left half done, because trees and parents are known of whole nodes only.  So the clock is read
 * between expansions. */
static glimpse_stop plain_root(gli_form *form) {
  gli_plain *plain = (gli_plain *)(void *)form;
  double deadline = plain->graph->deadline;
  plain->graph->deadline = INFINITY;
  bool fine = begin(plain);
  plain->graph->deadline = deadline;
  if (!fine) return full(plain);
  plain->root = plain->graph->root;
  return GLIMPSE_STOP_NONE;
}

/* Backs up all nodes; true: something changed. */
static bool sweep(gli_graph *graph) {
  bool changed = false;
  for (uint32_t node = (uint32_t)graph->node_count; node-- > 0;) {
    bool any = false;
    gli_expand_grow(graph, node, true, &any);
    changed |= any | gli_backup_all(graph, node);
  }
  return changed;
}

/* Nothing is left to expand: parents are told now what was too small before.  Several rounds at once, because a
 * selection may cost as much as hundreds of backups, and at a discount next to 1 as many are needed. */
static glimpse_stop finish(gli_plain *plain) {
  gli_graph *graph = plain->graph;
  bool changed = true;
  for (uint64_t done = 0; changed && done < FINISH_BACKUPS; done += graph->node_count) changed = sweep(graph);
  for (uint32_t node = 0; node < plain->nodes; node++)
    plain->marks[node] = (gli_changes){UINT32_MAX, UINT32_MAX, gli_plain_counting(graph, node), false};
  gli_plain_forget(plain);
  const gli_node *root = gli_graph_node(graph, graph->root);
  if (gli_graph_gap(graph, root->upper, root->lower) == 0 || !changed) return gli_graph_solved(graph);
  return GLIMPSE_STOP_NONE;
}

/* A child was expanded, linked to a node, or has other bounds: its parent's tree has changed.  False: no room. */
static bool enter_child(gli_plain *plain, uint32_t parent, const gli_candidate *c) {
  const gli_graph *graph = plain->graph;
  if (!gli_plain_enter_new(plain) || !gli_plain_add_parent(plain, graph->children[c->child].link, parent, c->choice))
    return false;
  gli_plain_mark(plain, parent, c->choice);
  gli_plain_disturb(plain, parent);
  return true;
}

static glimpse_stop expand(gli_plain *plain) {
  gli_graph *graph = plain->graph;
  gli_candidate best;
  uint32_t parent, node;
  if (!gli_plain_enter_new(plain) || !gli_plain_select(plain, &best, &parent)) return full(plain);
  if (best.score == 0) return finish(plain);
  gli_frontier found = gli_frontier_expand(graph, parent, &best, &node);
  if (found == GLI_FRONTIER_FULL) return full(plain);
  bool made = found == GLI_FRONTIER_EXPANDED;
  graph->expansions += made;
  if (parent != GLI_NONE && !enter_child(plain, parent, &best)) return full(plain);
  if (made && !settle(plain, node)) return full(plain);
  if (parent != GLI_NONE && !gli_plain_propagate(plain, parent)) return full(plain);
  return GLIMPSE_STOP_NONE;
}

static glimpse_stop plain_step(gli_form *form) {
  gli_plain *plain = (gli_plain *)(void *)form;
  double deadline = plain->graph->deadline;
  plain->graph->deadline = INFINITY; /* see plain_root */
  glimpse_stop stop = expand(plain);
  plain->graph->deadline = deadline;
  return stop;
}

gli_search *gli_plain_search(gli_graph *graph, double threshold) {
  gli_plain *plain = GLI_NEW(gli_plain, 1);
  if (!plain) return NULL;
  plain->form = (gli_form){plain_free, plain_clear, plain_root, plain_step};
  plain->graph = graph;
  plain->threshold = threshold;
  plain->corner_line = GLI_NEW(uint32_t, graph->states);
  plain->corners = (gli_ring){.node = GLI_NEW(uint32_t, graph->states), .capacity = graph->states};
  if (!plain->corner_line || !plain->corners.node) {
    plain_free(&plain->form);
    return NULL;
  }
  plain_clear(&plain->form);
  return gli_search_new(graph, &plain->form);
}
