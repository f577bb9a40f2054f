/* Frontier: a belief is looked at before it is expanded.
 *
 * Its belief is made from its parent's.  If a node has an equal one, the child is linked to it.  Otherwise all that was
 * learnt since the child was made is looked up: the table, vectors, points; if that shrinks its gap enough it goes back
 * and has to be chosen again.  So vectors and points are evaluated where it matters, not for every child.
 *
 * The first look nearly always shrinks the gap: the bounds of a new child are those of the table.  So when a child is
 * chosen that was not looked at yet, its siblings are looked at with it, but for those that will not be chosen soon.
 * Their beliefs are made together, and their parent is told once. */
#include "graph/frontier.h"

#include <assert.h>

#include "graph/expand.h"
#include "graph/maker.h"
#include "graph/merge.h"
#include "graph/sawtooth.h"
#include "graph/vectors.h"

enum { MOST_LOOKS = 4096 }; /* states times siblings, of which one unit of work looks at all */

/* The belief of a candidate, in the maker's hands. */
static bool recall(gli_graph *graph, uint32_t node, const gli_candidate *c) {
  const gli_child *child = &graph->children[c->child];
  if (c->choice < graph->actions)
    return gli_maker_follow(graph, gli_graph_belief(graph, gli_graph_node(graph, node)), c->choice, child->label);
  gli_sparse *belief = &graph->maker->belief;
  if (!gli_sparse_reserve(belief, 1)) return false;
  belief->index[0] = child->label;
  belief->value[0] = 1;
  belief->count = 1;
  return true;
}

static void raise_child(gli_child *child, double lower, uint32_t vector) {
  if (lower <= child->lower) return;
  child->lower = lower;
  child->link = GLI_FRINGE | vector;
}

/* All that is known by now of a belief that is about to be expanded.  True: its gap has shrunk so much that it may not
 * be worth an expansion any more. */
static bool look_again(gli_graph *graph, gli_child *child, glimpse_row belief, gli_seen *seen) {
  double gap = child->upper - child->lower;
  gli_bounds table = gli_expand_judge(graph, belief);
  *seen = (gli_seen){.table = true};
  raise_child(child, table.lower, GLI_NO_VECTOR);
  double upper = table.upper;
  if (graph->vectors && belief.count > 1 && gli_trial_due(&graph->vectors->trial)) {
    uint32_t vector;
    double lower = gli_vectors_evaluate(graph, belief, &vector);
    gli_trial_note(&graph->vectors->trial, lower > child->lower + 0.02 * gap);
    raise_child(child, lower, vector);
    seen->vectors = true;
  }
  if (graph->sawtooth && belief.count > 1 && gli_trial_due(&graph->sawtooth->trial)) {
    double act = gli_sawtooth_upper(graph, belief), ask = -INFINITY;
    if (graph->model->requests) {
      ask = -gli_model_price_at(graph->model, belief);
      for (size_t i = 0; i < belief.count; i++) ask += belief.value[i] * graph->corner[belief.index[i]].upper;
      ask += gli_graph_slack(graph, ask);
    }
    double best = act > ask ? act : ask;
    gli_trial_note(&graph->sawtooth->trial, best < fmin(upper, child->upper) - 0.02 * gap);
    upper = fmin(upper, best);
    seen->points = true;
  }
  child->upper = fmin(child->upper, upper);
  assert(gli_graph_ordered(graph, child->upper, child->lower)); /* G1 */
  return child->upper - child->lower < GLI_TUNING_ENOUGH * gap;
}

/* Links a child to the node of an equal belief; values may differ by some slack. */
static void link(gli_graph *graph, gli_child *child, uint32_t node, double slack) {
  uint32_t rest = gli_link_rest(child->link);
  assert(gli_link_fringe(child->link) && gli_graph_leads(graph, node) && slack >= 0); /* G5 */
  if (rest != GLI_NO_VECTOR) gli_vectors_rest(graph, gli_graph_node(graph, node), rest);
  child->link = node;
  child->upper = slack;
  child->lower = -slack;
}

/* What is there of a belief that a child leads to.  NOTHING: no node, and no better bounds. */
static gli_frontier look_at(gli_graph *graph, uint32_t at, uint32_t *node, uint32_t *hash, gli_seen *seen) {
  gli_child *child = &graph->children[at];
  glimpse_row belief = gli_sparse_row(&graph->maker->belief);
  *node = GLI_NONE;
  *seen = (gli_seen){0};
  child->link &= ~GLI_UNSEEN;
  if (belief.count == 1 && gli_graph_shares(graph) &&
      !graph->options.paper) { /* rounding has made it certain */
    child->link = GLI_CORNER | belief.index[0];
    child->upper = child->lower = 0;
    return GLI_FRONTIER_RETURNED;
  }
  double slack = 0;
  if (graph->options.sharing == GLI_SHARE_ALL) *node = gli_merge_find(graph, belief, &slack, hash);
  if (*node != GLI_NONE) link(graph, child, *node, slack);
  else if (!graph->options.live || !look_again(graph, child, belief, seen)) return GLI_FRONTIER_NOTHING;
  return GLI_FRONTIER_RETURNED;
}

gli_frontier gli_frontier_look(gli_pass *pass, const gli_candidate *c) {
  gli_graph *graph = pass->graph;
  if (c->child & GLI_CORNER || c->choice >= graph->actions || !graph->options.live) return GLI_FRONTIER_NOTHING;
  if ((graph->children[c->child].link & GLI_UNSEEN) == 0) return GLI_FRONTIER_NOTHING;
  gli_node *parent = gli_graph_node(graph, pass->order[c->place].node);
  gli_group group = gli_node_groups(graph, parent)[c->choice];
  double mass = c->mass / graph->children[c->child].probability;
  uint32_t reached = gli_maker_scatter(graph, gli_graph_belief(graph, parent), c->choice), node, hash;
  bool room = true, few = (uint64_t)reached * group.count <= MOST_LOOKS;
  for (uint32_t i = group.first; few && room && i < group.first + group.count; i++) {
    const gli_child *child = &graph->children[i];
    if (!gli_link_fringe(child->link) || !(child->link & GLI_UNSEEN)) continue;
    gli_seen seen;
    gli_candidate sibling = {.mass = mass * child->probability, .place = c->place, .choice = c->choice, .child = i};
    if (i != c->child && gli_pass_minor(pass, &sibling)) continue;
    room = gli_maker_part(graph, reached, c->choice, child->label);
    if (room && look_at(graph, i, &node, &hash, &seen) == GLI_FRONTIER_RETURNED && node != GLI_NONE)
      room = gli_pass_on(pass, node, &sibling);
  }
  gli_maker_rest(graph->maker, reached);
  if (!few) return GLI_FRONTIER_NOTHING;
  return room && gli_pass_back(pass, c) ? GLI_FRONTIER_RETURNED : GLI_FRONTIER_FULL;
}

gli_frontier gli_frontier_corner(gli_graph *graph, uint32_t s, uint32_t *node) {
  if (graph->corner[s].node != GLI_NONE) return GLI_FRONTIER_NOTHING;
  *node = gli_expand_corner(graph, s);
  return *node == GLI_NONE ? GLI_FRONTIER_FULL : GLI_FRONTIER_EXPANDED;
}

gli_frontier gli_frontier_expand(gli_graph *graph, uint32_t parent, const gli_candidate *c, uint32_t *node) {
  uint32_t hash = 0;
  gli_seen seen;
  *node = GLI_NONE;
  if (c->child & GLI_CORNER) return gli_frontier_corner(graph, c->child & ~GLI_CORNER, node);
  if (!gli_link_fringe(graph->children[c->child].link)) return GLI_FRONTIER_NOTHING;
  if (!recall(graph, parent, c)) return GLI_FRONTIER_FULL;
  if (look_at(graph, c->child, node, &hash, &seen) == GLI_FRONTIER_RETURNED) return GLI_FRONTIER_RETURNED;
  *node = gli_expand_node(graph, gli_sparse_row(&graph->maker->belief), GLI_NONE, seen);
  if (*node == GLI_NONE) return GLI_FRONTIER_FULL;
  if (graph->options.sharing == GLI_SHARE_ALL) gli_merge_add(graph, *node, hash);
  gli_node *n = gli_graph_node(graph, *node);
  gli_child *child = &graph->children[c->child];
  gli_bounds known = {child->upper, child->lower};
  uint32_t rest = gli_link_rest(child->link);
  link(graph, child, *node, 0);
  n->upper = fmin(n->upper, known.upper);
  if (known.lower > n->lower) n->lower = known.lower, n->rest = rest;
  return GLI_FRONTIER_EXPANDED;
}
