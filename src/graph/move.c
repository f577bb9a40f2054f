/* Move: the root goes to another belief, and what is left behind is freed.
 *
 * A belief that becomes the root must be an origin, for the root has mass of its
 * own: it is detached from its parent, which keeps an alias.  If the parent's tree
 * stays (it belongs to a corner), the alias is the root's home, and when the root
 * moves on the belief is attached there again; otherwise the old tree is garbage.
 * Garbage is freed a few beliefs at a time, so that no step pays for all of it.
 *
 * Pruning, when memory is short: the beliefs that the policy greedy on U visits
 * are where the search works; those that the policy greedy on L visits carry the
 * promise behind the lower bounds.  All others become fringe again.  They keep
 * their upper bound; their lower bound goes back to one that has a policy behind
 * it, which no lower bound that is in use depends on. */
#include <math.h>

#include "graph/graph.h"
#include "graph/share.h"

uint32_t gli_graph_detach(gli_graph *graph, uint32_t record, glimpse_row belief) {
  uint32_t origin = gli_store_origin(graph);
  if (origin == GLI_NONE) return GLI_NONE;
  uint32_t free_standing = gli_store_records(graph, 1);
  bool fringe = graph->records[record].link == GLI_NONE;
  uint32_t stored = GLI_NONE;
  if (free_standing != GLI_NONE && fringe) stored = gli_store_belief(graph, belief);
  if (free_standing == GLI_NONE || (fringe && stored == GLI_NONE)) {
    if (free_standing != GLI_NONE) gli_store_free_records(graph, free_standing, 1);
    gli_store_free_origin(graph, origin);
    return GLI_NONE;
  }
  graph->origins[origin] = (gli_origin){.record = free_standing,
                                        .state = GLI_NONE,
                                        .belief = stored,
                                        .support = fringe ? (uint32_t)belief.count : 0,
                                        .home = GLI_NONE};
  gli_record *child = &graph->records[record], *moved = &graph->records[free_standing];
  *moved = *child;
  moved->probability = 1;
  moved->parent = GLI_NONE;
  moved->label = origin;
  if (!fringe) {
    gli_expanded *e = gli_graph_node(graph, child->link);
    e->record = free_standing;
    e->above = GLI_NONE;
  }
  child->link = GLI_ALIAS | origin;
  child->score = 0;
  gli_graph_node(graph, child->parent)->aliased = true;
  return origin;
}

void gli_graph_attach(gli_graph *graph, uint32_t origin) {
  gli_origin *x = &graph->origins[origin];
  const gli_record *free_standing = &graph->records[x->record];
  gli_record *child = &graph->records[x->home];
  child->upper = fmin(child->upper, free_standing->upper);
  child->lower = fmax(child->lower, free_standing->lower);
  child->link = free_standing->link;
  child->score = free_standing->score;
  if (child->link != GLI_NONE) {
    gli_expanded *e = gli_graph_node(graph, child->link);
    e->record = x->home;
    e->above = child->parent;
  }
  if (x->belief != GLI_NONE) gli_store_free_belief(graph, x->belief, x->support);
  gli_store_free_records(graph, x->record, 1);
  gli_store_free_origin(graph, origin);
}

void gli_graph_discard(gli_graph *graph, uint32_t node) {
  gli_expanded *e = gli_graph_node(graph, node);
  e->dead = true;
  e->record = graph->garbage;
  graph->garbage = node;
}

void gli_graph_drop(gli_graph *graph, uint32_t origin) {
  gli_origin *x = &graph->origins[origin];
  uint32_t link = graph->records[x->record].link;
  if (link != GLI_NONE) gli_graph_discard(graph, link);
  if (x->belief != GLI_NONE) gli_store_free_belief(graph, x->belief, x->support);
  gli_store_free_records(graph, x->record, 1);
  gli_store_free_origin(graph, origin);
}

/* Children die before their parent is freed, so a belief that is not dead has a
 * parent that still exists. */
size_t gli_graph_reclaim(gli_graph *graph, size_t count) {
  size_t freed = 0;
  for (; freed < count && graph->garbage != GLI_NONE; freed++) {
    uint32_t node = graph->garbage;
    gli_expanded *e = gli_graph_node(graph, node);
    graph->garbage = e->record;
    for (uint32_t c = 0; c <= graph->actions; c++) {
      uint32_t end, i = gli_graph_children(graph, node, c, &end);
      for (; i < end; i++) {
        uint32_t link = graph->records[i].link;
        if (link != GLI_NONE && !(link & GLI_ALIAS)) gli_graph_discard(graph, link);
      }
    }
    gli_store_free_children(graph, node);
    gli_store_free_belief(graph, e->belief, e->support);
    gli_store_free_expanded(graph, node);
  }
  return freed;
}

/* Is this choice one that a policy makes here? */
static bool followed(const gli_graph *graph, uint32_t node, uint32_t choice) {
  if (gli_backup_weight(graph, node, choice) > 0) return true;
  gli_expanded *e = gli_graph_node(graph, node);
  return gli_graph_lowers(graph, e)[choice] >= graph->records[e->record].lower - 4 * graph->slack;
}

/* A belief that is expanded becomes fringe again. */
static void fold(gli_graph *graph, uint32_t record) {
  gli_record *r = &graph->records[record];
  double upper, lower;
  gli_graph_evaluate(graph, gli_graph_belief(graph, gli_graph_node(graph, r->link)), &upper, &lower);
  gli_graph_discard(graph, r->link);
  r->link = GLI_NONE;
  r->upper = fmin(r->upper, upper);
  r->lower = lower;
  r->score = (float)gli_graph_gap(graph, r);
}

/* Does the root hang somewhere below this record?  Then it must find its way home. */
static bool holds_root(const gli_graph *graph, uint32_t record) {
  uint32_t at = graph->root == GLI_NONE ? GLI_NONE : graph->origins[graph->root].home;
  while (at != GLI_NONE && at != record)
    at = graph->records[at].parent == GLI_NONE ? GLI_NONE : gli_graph_node(graph, graph->records[at].parent)->record;
  return at != GLI_NONE;
}

/* Folds what hangs below the choices that no policy makes; keeps the rest.  Parents
 * are marked before their children are looked at: the garbage list serves as stack. */
static void prune_node(gli_graph *graph, uint32_t node, uint32_t *stack) {
  for (uint32_t c = 0; c <= graph->actions; c++) {
    uint32_t end, i = gli_graph_children(graph, node, c, &end);
    bool keep = followed(graph, node, c), folded = false;
    for (; i < end; i++) {
      uint32_t link = graph->records[i].link;
      if (link == GLI_NONE || (link & GLI_ALIAS)) continue;
      if (keep || holds_root(graph, i)) {
        gli_graph_node(graph, link)->best = *stack; /* scores are made again below */
        *stack = link;
      } else {
        fold(graph, i);
        folded = true;
      }
    }
    if (!folded) continue;
    gli_graph_lowers(graph, gli_graph_node(graph, node))[c] = -INFINITY;
    gli_backup_choice(graph, node, c);
    gli_backup_node(graph, node);
  }
}

size_t gli_graph_prune(gli_graph *graph) {
  size_t before = graph->expanded_live;
  uint32_t seen = GLI_NONE; /* list of all that is kept, by `best`, too: the last seen is the first */
  for (size_t x = 0; x < graph->origin_count; x++) {
    if (graph->origins[x].record == GLI_NONE) continue;
    uint32_t stack = graph->records[graph->origins[x].record].link;
    if (stack == GLI_NONE) continue;
    gli_graph_node(graph, stack)->best = GLI_NONE;
    while (stack != GLI_NONE) {
      uint32_t node = stack;
      stack = gli_graph_node(graph, node)->best;
      prune_node(graph, node, &stack);
      gli_graph_node(graph, node)->best = seen;
      seen = node;
    }
  }
  gli_graph_reclaim(graph, SIZE_MAX);
  if (graph->share) gli_share_prune(graph);
  gli_store_merge(graph);
  /* Scores bottom up: parents were seen before their children.  The order of the store would not
   * do, for in a graph that was pruned often it is not that of the trees any more. */
  while (seen != GLI_NONE) {
    uint32_t node = seen;
    seen = gli_graph_node(graph, node)->best;
    gli_backup_score(graph, node);
  }
  return before - graph->expanded_live;
}
