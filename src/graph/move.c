/* Move: the root goes to another belief of the graph.
 *
 * Nodes do not know their parents, so the root is a number.  What it leaves behind is squeezed out when it has become
 * as much as what is still reached, or when memory is short (collect.c).
 *
 * A lower bound is a promise, so what the old root's bound rested on goes along: the successor of its vector. */
#include <string.h>

#include "graph/collect.h"
#include "graph/expand.h"
#include "graph/maker.h"
#include "graph/merge.h"
#include "graph/search.h"
#include "graph/store.h"
#include "graph/vectors.h"

enum { SMALL = 1 << 25 }; /* bytes: less than that is not worth squeezing */

/* The node of a belief, found or made; GLI_NONE: no room. */
static uint32_t place(gli_graph *graph, glimpse_row belief) {
  if (belief.count == 1 && gli_graph_shares(graph)) return gli_expand_corner(graph, belief.index[0]);
  bool merges = graph->options.sharing == GLI_SHARE_ALL;
  uint32_t hash = 0, node = merges ? gli_merge_find(graph, belief, &hash) : GLI_NONE;
  if (node != GLI_NONE) return node;
  node = gli_expand_node(graph, belief, GLI_NONE);
  if (node != GLI_NONE && merges) gli_merge_add(graph, node, hash);
  return node;
}

static bool start_anew(gli_search *search, glimpse_row belief, bool restore) {
  gli_graph *graph = search->graph;
  gli_graph_clear(graph, restore);
  gli_pass_clear(&search->pass);
  gli_preview_clear(&search->preview);
  if (search->plain) gli_plain_clear(search->plain);
  search->futile = search->wait = 0;
  search->live = 0;
  search->crowded = false;
  gli_search_restart(search);
  graph->root = place(graph, belief);
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
  do node = place(search->graph, belief);
  while (node == GLI_NONE && gli_search_make_room(search));
  if (node == GLI_NONE) return gli_search_give_up(search, belief, restore);
  search->graph->root = node;
  return true;
}

/* Only where there is a graph, and not for the plain form. */
static bool keeps(const gli_search *search) {
  return !search->plain && search->graph->root != GLI_NONE;
}

/* Before the root moves: room is made where that is due. */
static void tidy(gli_search *search) {
  gli_graph *graph = search->graph;
  gli_preview_keep(&search->preview);
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
  if (l.child != GLI_NONE) {
    const gli_child *child = &graph->children[l.child];
    l.upper = child->upper;
    l.lower = child->lower;
    if (gli_link_fringe(child->link)) l.first = child->link & ~GLI_FRINGE;
  }
  if (root->rest != GLI_NO_VECTOR && choice < graph->actions && gli_vectors_at(graph, root->rest)->action == choice)
    l.second = gli_vectors_successor(graph, root->rest, label);
  return l;
}

/* Is this the belief that the child of the root stands for?  The root may be one of many beliefs that are equal but for
 * rounding (merge.c), which an improbable observation magnifies without end. */
static bool expected(gli_graph *graph, uint32_t choice, uint32_t label, glimpse_row belief) {
  if (choice == graph->actions) return true;
  if (!gli_maker_follow(graph, gli_graph_belief(graph, gli_graph_node(graph, graph->root)), choice, label))
    return false;
  return gli_merge_equal(gli_sparse_row(&graph->maker->belief), belief);
}

/* The root moves to what a child leads to. */
static bool move_to(gli_search *search, uint32_t choice, uint32_t label, glimpse_row belief) {
  gli_graph *graph = search->graph;
  legacy l = inherit(graph, choice, label);
  if (l.child != GLI_NONE && !expected(graph, choice, label, belief)) /* what holds everywhere goes along */
    l = (legacy){INFINITY, -INFINITY, GLI_NONE, l.first, l.second};
  if (l.child != GLI_NONE) {
    uint32_t behind = gli_graph_behind(graph, graph->children[l.child].link);
    uint32_t node = behind == GLI_NONE ? place(graph, belief) : behind;
    if (node != GLI_NONE) {
      gli_child *child = &graph->children[l.child];
      if (gli_link_fringe(child->link)) child->link = node;
      if (gli_graph_node(graph, node)->state != GLI_NONE) child->link = GLI_CORNER | gli_graph_node(graph, node)->state;
      graph->root = node;
    } else {
      l.child = GLI_NONE;
    }
  }
  if (l.child == GLI_NONE) { /* vectors may be gone when room is made */
    uint64_t dropped = search->dropped;
    if (!plant(search, belief, false)) return false;
    if (search->dropped != dropped) l.lower = -INFINITY, l.first = l.second = GLI_NO_VECTOR;
  }
  gli_node *root = gli_graph_node(graph, graph->root);
  root->upper = fmin(root->upper, l.upper);
  if (l.first != GLI_NO_VECTOR) gli_vectors_rest(graph, root, l.first);
  else if (l.lower > root->lower) root->lower = l.lower, root->rest = GLI_NO_VECTOR; /* an equal belief, met earlier */
  if (l.second != GLI_NO_VECTOR) gli_vectors_rest(graph, root, l.second);
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
  if (!keeps(search)) { /* the plain form keeps its graph within a step */
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
