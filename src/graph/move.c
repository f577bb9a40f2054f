/* Move: the root goes to another belief of the graph.
 *
 * Nodes do not know their parents, so the root is a number.  What it leaves behind is squeezed out when it has become
 * as much as what is still reached, or when memory is short (collect.c).
 *
 * A lower bound is a promise, so what the old root's bound rested on goes along: the successor of its vector. */
#include <assert.h>
#include <string.h>

#include "graph/backup.h"
#include "graph/collect.h"
#include "graph/expand.h"
#include "graph/maker.h"
#include "graph/merge.h"
#include "graph/search.h"
#include "graph/store.h"
#include "graph/vectors.h"

enum { SMALL = 1 << 25 }; /* bytes: less than that is not worth squeezing */

/* The node of a belief, found or made; GLI_NONE: no room.  *slack: by how much their values may differ. */
static uint32_t place(gli_graph *graph, glimpse_row belief, double *slack) {
  *slack = 0;
  gli_graph_reach(graph, belief);
  if (belief.count == 1 && gli_graph_shares(graph)) return gli_expand_corner(graph, belief.index[0]);
  bool merges = graph->options.sharing == GLI_SHARE_ALL;
  uint32_t hash = 0, node = merges ? gli_merge_find(graph, belief, slack, &hash) : GLI_NONE;
  if (node != GLI_NONE) return node;
  node = gli_expand_node(graph, belief, GLI_NONE, (gli_seen){0});
  if (node != GLI_NONE && merges) gli_merge_add(graph, node, hash);
  return node;
}

static bool start_anew(gli_search *search, glimpse_row belief, bool restore) {
  gli_graph *graph = search->graph;
  gli_graph_clear(graph, restore);
  gli_pass_clear(&search->pass);
  if (search->form) search->form->clear(search->form);
  search->futile = search->wait = 0;
  search->live = search->passes = 0; /* nothing may depend on what was before */
  search->crowded = false;
  search->saved = 0;
  gli_search_restart(search);
  graph->root = place(graph, belief, &search->slack);
  return graph->root != GLI_NONE;
}

bool gli_search_give_up(gli_search *search, glimpse_row belief, bool restore) {
  search->dropped += search->graph->node_count;
  if (search->graph->options.live) gli_graph_forget_lowers(search->graph);
  return start_anew(search, belief, restore);
}

/* Makes a belief the root of a graph that is kept; without room even so, of one that is not. */
static bool plant(gli_search *search, glimpse_row belief, bool restore) {
  uint32_t node;
  do node = place(search->graph, belief, &search->slack);
  while (node == GLI_NONE && gli_search_make_room(search));
  if (node == GLI_NONE) return gli_search_give_up(search, belief, restore);
  search->graph->root = node;
  assert(node < search->graph->node_count);
  return true;
}

/* Only where there is a graph, and by passes. */
static bool keeps(const gli_search *search) {
  return !search->form && search->graph->root != GLI_NONE;
}

/* Before the root moves: room is made where that is due. */
static void tidy(gli_search *search) {
  gli_graph *graph = search->graph;
  gli_search_restart(search);
  if (search->wait) search->wait--;
  uint64_t used = gli_store_used(graph), least = graph->quota.limit / 4;
  if (!least || least > SMALL) least = SMALL;
  if (search->crowded && !search->wait) {
    gli_search_make_room(search);
  } else if (used > least && used / 2 > search->live) {
    gli_collect(&search->pass, false);
    search->live = gli_store_used(graph);
  }
}

bool gli_search_begin(gli_search *search, glimpse_row belief, bool keep_corners, bool restore) {
  if (!keep_corners || !keeps(search)) return start_anew(search, belief, restore);
  tidy(search);
  return plant(search, belief, restore);
}

/* The child of the root's choice with this label; GLI_NONE: there is none. */
static uint32_t find_child(const gli_graph *graph, uint32_t choice, uint32_t label) {
  gli_outcome to;
  for (uint32_t i = 0; gli_graph_outcome(graph, graph->root, choice, i, &to); i++)
    if (to.label == label) return to.child;
  return GLI_NONE;
}

/* What the bounds of the root promised of this child, and what they rested on. */
typedef struct legacy {
  double upper, lower;
  uint32_t child, first, second; /* vectors */
} legacy;

static legacy inherit(const gli_graph *graph, uint32_t choice, uint32_t label) {
  legacy l = {INFINITY, -INFINITY, find_child(graph, choice, label), GLI_NO_VECTOR, GLI_NO_VECTOR};
  const gli_node *root = gli_graph_node(graph, graph->root);
  if (l.child != GLI_NONE && gli_link_fringe(graph->children[l.child].link)) {
    l.upper = graph->children[l.child].upper;
    l.lower = graph->children[l.child].lower;
    l.first = gli_link_rest(graph->children[l.child].link);
  }
  if (root->rest != GLI_NO_VECTOR && choice < graph->actions && gli_vectors_at(graph, root->rest)->action == choice)
    l.second = gli_vectors_successor(graph, root->rest, label);
  return l;
}

/* How much the values may differ at two beliefs: the one that the child of the root stands for, and the one that is
 * given.  The root may stand for a belief that is a little different (merge.c), and an improbable observation magnifies
 * that without limit. */
static double estrangement(gli_graph *graph, uint32_t choice, uint32_t label, glimpse_row belief) {
  if (choice == graph->actions) return 0;
  if (!gli_maker_follow(graph, gli_graph_belief(graph, gli_graph_node(graph, graph->root)), choice, label))
    return INFINITY;
  double off = gli_merge_distance(gli_sparse_row(&graph->maker->belief), belief);
  return off < INFINITY ? off * graph->slope : off;
}

/* The node that a child leads to, if its belief is the one that is given; GLI_NONE: it is not, or there is none. */
static uint32_t arrive(const gli_graph *graph, uint32_t child, glimpse_row belief, double *slack) {
  uint32_t node = child == GLI_NONE ? GLI_NONE : gli_graph_behind(graph, graph->children[child].link);
  if (node == GLI_NONE) return GLI_NONE;
  double off = gli_merge_distance(gli_graph_belief(graph, gli_graph_node(graph, node)), belief);
  if (off == INFINITY) return GLI_NONE;
  *slack = off * graph->slope;
  return *slack <= fmax(graph->near * graph->slope, 0x1p10 * graph->rounding * graph->scale) ? node : GLI_NONE;
}

/* Where corners are not shared a request has children of its own, which may know less than what the asking of a vector
 * relies on: the plans of known states. */
static void remind(gli_graph *graph, uint32_t node) {
  if (gli_graph_shares(graph) || !gli_node_can_ask(graph, gli_graph_node(graph, node))) return;
  gli_group group = gli_node_groups(graph, gli_graph_node(graph, node))[graph->actions];
  for (uint32_t i = group.first; i < group.first + group.count; i++) {
    gli_child *child = &graph->children[i];
    const gli_corner *corner = &graph->corner[child->label];
    if (!gli_link_fringe(child->link)) {
      if (corner->rest != GLI_NO_VECTOR) gli_vectors_rest(graph, gli_graph_node(graph, child->link), corner->rest);
    } else if (corner->lower > child->lower) {
      child->lower = corner->lower;
      child->link = GLI_FRINGE | corner->rest;
    }
  }
}

/* The root moves to what a child leads to.  What holds at every belief goes along in any case: the vectors. */
static bool move_to(gli_search *search, uint32_t choice, uint32_t label, glimpse_row belief) {
  gli_graph *graph = search->graph;
  legacy l = inherit(graph, choice, label);
  double off = estrangement(graph, choice, label, belief);
  uint32_t node = arrive(graph, l.child, belief, &search->slack);
  if (node == GLI_NONE) {
    uint64_t dropped = search->dropped;
    if (!plant(search, belief, false)) return false;
    if (search->dropped != dropped) return true;                                /* what it inherits may be gone */
    bool tree = graph->options.sharing != GLI_SHARE_ALL && l.child != GLI_NONE; /* nobody else would find it */
    if (tree && off < INFINITY && gli_link_fringe(graph->children[l.child].link) &&
        gli_graph_node(graph, graph->root)->state == GLI_NONE) {
      graph->children[l.child].link = graph->root;
      graph->children[l.child].upper = off;
      graph->children[l.child].lower = -off;
    }
  } else {
    graph->root = node;
  }
  remind(graph, graph->root);
  gli_node *root = gli_graph_node(graph, graph->root);
  off += search->slack;
  if (l.upper + off < root->upper) root->upper = l.upper + off;
  if (l.first != GLI_NO_VECTOR) gli_vectors_rest(graph, root, l.first);
  else if (l.lower - off > root->lower) root->lower = l.lower - off, root->rest = GLI_NO_VECTOR;
  if (l.second != GLI_NO_VECTOR) gli_vectors_rest(graph, root, l.second);
  if (root->state != GLI_NONE) gli_backup_publish(graph, root);
  return true;
}

bool gli_search_move(gli_search *search, uint32_t a, uint32_t o, glimpse_row belief) {
  if (!keeps(search)) return start_anew(search, belief, false);
  tidy(search);
  return move_to(search, a, o, belief);
}

bool gli_search_reveal(gli_search *search, uint32_t s) {
  double one = 1;
  glimpse_row belief = {1, &s, &one};
  if (search->graph->root == GLI_NONE) return start_anew(search, belief, false);
  if (!keeps(search)) { /* other forms keep their graph within a step */
    if (!gli_graph_shares(search->graph)) return start_anew(search, belief, false);
    uint32_t corner = gli_expand_corner(search->graph, s);
    if (corner == GLI_NONE) return gli_search_give_up(search, belief, false);
    search->graph->root = corner;
    return true;
  }
  tidy(search);
  if (gli_graph_shares(search->graph)) return plant(search, belief, false);
  return move_to(search, search->graph->actions, s, belief);
}

void gli_search_limit(gli_search *search, double upper) {
  gli_graph *graph = search->graph;
  gli_node *root = graph->root == GLI_NONE ? NULL : gli_graph_node(graph, graph->root);
  if (!root || root->greedy != GLI_NONE || !(upper + search->slack < root->upper)) return; /* only when it is new */
  root->upper = upper + search->slack;
  if (root->state != GLI_NONE) graph->corner[root->state].upper = root->upper;
}
