/* Plain: exact selection, full propagation at each expansion.
 *
 * Selection (paper, Algorithms 2 and 4).  A *source* is a node that may be reached by several paths: the root, a corner
 * and, where equal beliefs are shared, any node.  From each source that the policy reaches its tree is walked to the
 * fringe and to other sources: candidates with their weight discount^d P(path), seen from the source, and flows.  Then
 *   Psi = e_root + M^T Psi
 * is solved by relaxation: what is missing at a source is pushed along its flows until next to nothing is missing.  It
 * begins with the Psi of the last selection, from which one expansion changes little.
 *
 * Propagation: a first-in first-out queue of nodes; each is backed up in full, and when a bound has moved by more than
 * the threshold since its parents were last told, its parents join the queue. */
#include "graph/plain.h"

#include <string.h>

#include "graph/backup.h"
#include "graph/expand.h"
#include "graph/frontier.h"

/* Backups of one propagation, in a small graph: round a cycle at a discount next to 1 a change would go on for
 * 1 / (1 - discount) turns, which may be for ever. */
enum { MOST_BACKUPS = 1000000, MOST_PUSHES = 1000000, FINISH_BACKUPS = 10000 };
static const double missing = 1e-14; /* of Psi, relative to 1: nothing */

#define FAINTEST 0x1p-900 /* Psi of what is reached, at least */

typedef struct candidate {
  gli_candidate of;
  uint32_t node; /* that leads there; GLI_NONE: a corner */
  uint32_t row;  /* of its source */
  double weight;
} candidate;

typedef struct flow {
  uint32_t row;
  double weight;
} flow;

typedef struct edge { /* a parent of a node or corner */
  uint32_t parent, next;
} edge;

typedef struct step {
  uint32_t node;
  double weight;
} step;

struct gli_plain {
  gli_graph *graph;
  /* selection; a source is a corner's state, or the number of states plus a node */
  uint32_t *row_of; /* per source: its row + 1; 0: not reached */
  double *psi;      /* per source: as of the last selection */
  size_t row_capacity, psi_capacity;
  uint32_t *source; /* per row */
  size_t rows, source_capacity;
  flow *flows;       /* of all rows, one after the other ... */
  size_t *flows_end; /* ... up to here */
  size_t flow_count, flow_capacity, end_capacity;
  double *reach, *residual; /* per row */
  size_t reach_capacity, residual_capacity;
  candidate *candidates;
  size_t candidate_count, candidate_capacity;
  step *steps;
  size_t step_count, step_capacity;
  /* propagation */
  edge *edges;
  size_t edge_count, edge_capacity;
  uint32_t *node_edges, *corner_edges; /* first edge */
  double *told_upper, *told_lower;     /* per node: what its parents know */
  uint8_t *queued;
  uint32_t *queue;
  size_t nodes, node_edges_capacity, upper_capacity, lower_capacity, queued_capacity, queue_capacity;
};

/* All that grows here counts. */
#define GROW(plain, array, capacity, need) GLI_QUOTA_GROW(&(plain)->graph->quota, 0, array, capacity, need)

gli_plain *gli_plain_new(gli_graph *graph) {
  gli_plain *plain = GLI_NEW(gli_plain, 1);
  if (!plain) return NULL;
  plain->graph = graph;
  plain->corner_edges = GLI_NEW(uint32_t, graph->states);
  if (plain->corner_edges) {
    gli_plain_clear(plain);
    return plain;
  }
  gli_plain_free(plain);
  return NULL;
}

static void release(gli_plain *p) {
  void *all[] = {p->row_of,     p->psi,        p->source,     p->flows,  p->flows_end,
                 p->reach,      p->residual,   p->candidates, p->steps,  p->edges,
                 p->node_edges, p->told_upper, p->told_lower, p->queued, p->queue};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) gli_memory_free(all[i]);
}

void gli_plain_clear(gli_plain *plain) {
  release(plain);
  *plain = (gli_plain){.graph = plain->graph, .corner_edges = plain->corner_edges};
  memset(plain->corner_edges, 0xff, plain->graph->states * sizeof *plain->corner_edges);
}

void gli_plain_free(gli_plain *plain) {
  if (!plain) return;
  release(plain);
  gli_memory_free(plain->corner_edges);
  gli_memory_free(plain);
}

/* ---------------------------------------------------------------- selection */

/* The number of a source; GLI_NONE: an inner node of a tree. */
static uint32_t source_of(const gli_graph *graph, uint32_t node) {
  uint32_t state = gli_graph_node(graph, node)->state;
  if (state != GLI_NONE) return state;
  bool source = node == graph->root || graph->options.sharing == GLI_SHARE_ALL;
  return source ? graph->states + node : GLI_NONE;
}

static bool reach_source(gli_plain *plain, uint32_t source, uint32_t *row) {
  if (!plain->row_of[source]) {
    if (!GROW(plain, plain->source, plain->source_capacity, plain->rows + 1)) return false;
    plain->source[plain->rows++] = source;
    plain->row_of[source] = (uint32_t)plain->rows;
  }
  *row = plain->row_of[source] - 1;
  return true;
}

static bool add_flow(gli_plain *plain, uint32_t source, double weight) {
  uint32_t row;
  if (!reach_source(plain, source, &row) || !GROW(plain, plain->flows, plain->flow_capacity, plain->flow_count + 1))
    return false;
  plain->flows[plain->flow_count++] = (flow){row, weight};
  return true;
}

static bool add_candidate(gli_plain *plain, gli_candidate of, uint32_t node, uint32_t row, double weight) {
  if (!GROW(plain, plain->candidates, plain->candidate_capacity, plain->candidate_count + 1)) return false;
  plain->candidates[plain->candidate_count++] = (candidate){of, node, row, weight};
  return true;
}

static bool add_step(gli_plain *plain, uint32_t node, double weight) {
  if (!GROW(plain, plain->steps, plain->step_capacity, plain->step_count + 1)) return false;
  plain->steps[plain->step_count++] = (step){node, weight};
  return true;
}

/* Everything that one choice leads to. */
static bool walk_choice(gli_plain *plain, uint32_t row, uint32_t node, uint32_t choice, double weight) {
  const gli_graph *graph = plain->graph;
  gli_outcome to;
  weight *= gli_graph_discount(graph, choice);
  for (uint32_t i = 0; gli_graph_outcome(graph, node, choice, i, &to); i++) {
    double w = weight * to.probability;
    uint32_t behind = gli_graph_behind(graph, to.link);
    uint32_t source = gli_link_corner(to.link) ? to.link & ~GLI_CORNER
                      : behind == GLI_NONE     ? GLI_NONE
                                               : source_of(graph, behind);
    bool fine = source != GLI_NONE ? add_flow(plain, source, w)
                : behind != GLI_NONE
                    ? add_step(plain, behind, w)
                    : add_candidate(plain, (gli_candidate){.choice = choice, .child = to.child}, node, row, w);
    if (!fine) return false;
  }
  return true;
}

static bool walk_source(gli_plain *plain, uint32_t row) {
  const gli_graph *graph = plain->graph;
  uint32_t source = plain->source[row];
  uint32_t node = source < graph->states ? graph->corner[source].node : source - graph->states;
  if (node == GLI_NONE) return add_candidate(plain, (gli_candidate){.child = GLI_CORNER | source}, GLI_NONE, row, 1);
  plain->step_count = 0;
  if (!add_step(plain, node, 1)) return false;
  while (plain->step_count) {
    step at = plain->steps[--plain->step_count];
    for (uint32_t c = 0; c <= graph->actions && gli_graph_node(graph, at.node)->greedy != GLI_NONE; c++) {
      double weight = gli_graph_weight(graph, at.node, c);
      if (weight > 0 && !walk_choice(plain, row, at.node, c, at.weight * weight)) return false;
    }
  }
  return true;
}

/* Relaxation: see above.  Begins with what is known of the sources. */
static bool solve(gli_plain *plain) {
  size_t n = plain->rows;
  if (!GROW(plain, plain->reach, plain->reach_capacity, n) ||
      !GROW(plain, plain->residual, plain->residual_capacity, n))
    return false;
  double *x = plain->reach, *r = plain->residual;
  for (size_t i = 0; i < n; i++) {
    x[i] = plain->psi[plain->source[i]];
    r[i] = (i == 0) - x[i];
  }
  for (size_t i = 0, k = 0; i < n; i++)
    for (; k < plain->flows_end[i]; k++) r[plain->flows[k].row] += x[i] * plain->flows[k].weight;
  bool more = true;
  for (uint64_t pushes = 0; more && pushes < MOST_PUSHES;) {
    more = false;
    for (size_t i = 0; i < n; i++) {
      double d = r[i];
      if (fabs(d) <= missing) continue;
      x[i] += d;
      r[i] = 0;
      for (size_t k = i ? plain->flows_end[i - 1] : 0; k < plain->flows_end[i]; k++, pushes++)
        r[plain->flows[k].row] += d * plain->flows[k].weight;
      more = true;
    }
  }
  for (size_t i = 0; i < n; i++) plain->psi[plain->source[i]] = x[i];
  return true;
}

static bool grow_sources(gli_plain *plain) {
  size_t need = plain->graph->states + plain->graph->node_count, before = plain->row_capacity;
  if (!GROW(plain, plain->row_of, plain->row_capacity, need)) return false;
  if (plain->row_capacity > before)
    memset(plain->row_of + before, 0, (plain->row_capacity - before) * sizeof *plain->row_of);
  before = plain->psi_capacity;
  if (!GROW(plain, plain->psi, plain->psi_capacity, need)) return false;
  for (; before < plain->psi_capacity; before++) plain->psi[before] = 0;
  return true;
}

static gli_bounds bounds_of(const gli_graph *graph, const gli_candidate *c) {
  if (c->child & GLI_CORNER) {
    const gli_corner *corner = &graph->corner[c->child & ~GLI_CORNER];
    return (gli_bounds){corner->upper, corner->lower};
  }
  return (gli_bounds){graph->children[c->child].upper, graph->children[c->child].lower};
}

bool gli_plain_select(gli_plain *plain, gli_candidate *best, uint32_t *parent) {
  const gli_graph *graph = plain->graph;
  *best = (gli_candidate){0};
  *parent = GLI_NONE;
  if (!grow_sources(plain)) return false;
  for (size_t i = 0; i < plain->rows; i++) plain->row_of[plain->source[i]] = 0;
  plain->rows = plain->flow_count = plain->candidate_count = 0;
  uint32_t root;
  if (!reach_source(plain, source_of(graph, graph->root), &root)) return false;
  for (size_t row = 0; row < plain->rows; row++) {
    if (!walk_source(plain, (uint32_t)row) || !GROW(plain, plain->flows_end, plain->end_capacity, row + 1))
      return false;
    plain->flows_end[row] = plain->flow_count;
  }
  if (!solve(plain)) return false;
  for (size_t i = 0; i < plain->candidate_count; i++) {
    const candidate *c = &plain->candidates[i];
    gli_bounds bounds = bounds_of(graph, &c->of);
    double score = gli_graph_gap(graph, bounds.upper, bounds.lower);
    /* What the walk met is reached, however small Psi: the weights of Satia and Lave shrink with every step. */
    if (graph->options.rule != GLI_RULE_BI_POMDP) score *= fmax(c->weight * plain->reach[c->row], FAINTEST);
    if (score < graph->least && graph->options.rule == GLI_RULE_AEMS) continue; /* see pass.c */
    if (score <= best->score) continue;
    *best = c->of;
    *parent = c->node;
    best->score = score;
  }
  return true;
}

double gli_plain_reach(const gli_plain *plain, uint32_t node) {
  uint32_t source = source_of(plain->graph, node);
  uint32_t row = source < plain->row_capacity ? plain->row_of[source] : 0;
  return row ? plain->reach[row - 1] : 0;
}

/* -------------------------------------------------------------- propagation */

static bool add_edge(gli_plain *plain, uint32_t *first, uint32_t parent) {
  if (*first != GLI_NONE && plain->edges[*first].parent == parent) return true;
  if (!GROW(plain, plain->edges, plain->edge_capacity, plain->edge_count + 1)) return false;
  plain->edges[plain->edge_count] = (edge){parent, *first};
  *first = (uint32_t)plain->edge_count++;
  return true;
}

static bool add_parent(gli_plain *plain, uint32_t link, uint32_t parent) {
  if (gli_link_fringe(link)) return true;
  return add_edge(plain, gli_link_corner(link) ? &plain->corner_edges[link & ~GLI_CORNER] : &plain->node_edges[link],
                  parent);
}

/* Nodes that were made since: who their parents are, and that nobody has been told. */
static bool enter_new(gli_plain *plain) {
  const gli_graph *graph = plain->graph;
  size_t need = graph->node_count;
  if (!GROW(plain, plain->node_edges, plain->node_edges_capacity, need) ||
      !GROW(plain, plain->told_upper, plain->upper_capacity, need) ||
      !GROW(plain, plain->told_lower, plain->lower_capacity, need) ||
      !GROW(plain, plain->queued, plain->queued_capacity, need) ||
      !GROW(plain, plain->queue, plain->queue_capacity, need + 1))
    return false;
  for (; plain->nodes < need; plain->nodes++) {
    plain->node_edges[plain->nodes] = GLI_NONE;
    plain->told_upper[plain->nodes] = INFINITY;
    plain->told_lower[plain->nodes] = -INFINITY;
    plain->queued[plain->nodes] = 0;
  }
  return true;
}

/* All that a node leads to has it as a parent. */
static bool enter_children(gli_plain *plain, uint32_t node) {
  const gli_graph *graph = plain->graph;
  gli_outcome to;
  for (uint32_t c = 0; c <= graph->actions; c++)
    for (uint32_t i = 0; gli_graph_outcome(graph, node, c, i, &to); i++)
      if (!add_parent(plain, to.link, node)) return false;
  return true;
}

typedef struct ring {
  size_t first, count;
} ring;

static void join(gli_plain *plain, ring *queue, uint32_t node) {
  if (plain->queued[node]) return;
  plain->queued[node] = 1;
  plain->queue[(queue->first + queue->count++) % plain->queue_capacity] = node;
}

bool gli_plain_propagate(gli_plain *plain, uint32_t node, double threshold) {
  gli_graph *graph = plain->graph;
  ring queue = {0, 0};
  uint64_t most = MOST_BACKUPS + 64 * (uint64_t)graph->node_count;
  if (!enter_new(plain)) return false;
  join(plain, &queue, node);
  for (uint64_t done = 0; queue.count; done++) {
    uint32_t at = plain->queue[queue.first];
    queue.first = (queue.first + 1) % plain->queue_capacity;
    queue.count--;
    plain->queued[at] = 0;
    if (done >= most) continue; /* stale is sound */
    gli_expand_grow(graph, at, true, NULL);
    gli_backup_all(graph, at);
    const gli_node *n = gli_graph_node(graph, at);
    if (plain->told_upper[at] - n->upper <= threshold && n->lower - plain->told_lower[at] <= threshold) continue;
    plain->told_upper[at] = n->upper;
    plain->told_lower[at] = n->lower;
    uint32_t first = n->state == GLI_NONE ? plain->node_edges[at] : plain->corner_edges[n->state];
    for (uint32_t e = first; e != GLI_NONE; e = plain->edges[e].next) join(plain, &queue, plain->edges[e].parent);
  }
  return true;
}

/* --------------------------------------------------------------- expansions */

static glimpse_stop full(gli_plain *plain) {
  plain->graph->full = true;
  return GLIMPSE_STOP_MEMORY;
}

/* What a new node leads to; paper: a request expands the corners that it first leads to. */
static bool settle(gli_plain *plain, uint32_t node, double threshold) {
  gli_graph *graph = plain->graph;
  if (!gli_expand_grow(graph, node, true, NULL) || !enter_new(plain) || !enter_children(plain, node)) return false;
  uint32_t support = gli_graph_node(graph, node)->support, corner;
  bool asks = graph->options.eager && gli_graph_shares(graph) && gli_node_can_ask(graph, gli_graph_node(graph, node));
  for (uint32_t i = 0; i < support && asks; i++) {
    uint32_t s = gli_graph_belief(graph, gli_graph_node(graph, node)).index[i];
    gli_frontier found = gli_frontier_corner(graph, s, &corner);
    if (found == GLI_FRONTIER_NOTHING) continue;
    if (found == GLI_FRONTIER_FULL || !gli_expand_grow(graph, corner, true, NULL) || !enter_new(plain) ||
        !enter_children(plain, corner) || !gli_plain_propagate(plain, corner, threshold))
      return false;
  }
  return gli_plain_propagate(plain, node, threshold);
}

glimpse_stop gli_plain_root(gli_plain *plain, double threshold) {
  gli_graph *graph = plain->graph;
  if (gli_graph_node(graph, graph->root)->greedy != GLI_NONE) return GLIMPSE_STOP_NONE;
  return settle(plain, graph->root, threshold) ? GLIMPSE_STOP_NONE : full(plain);
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

/* Nothing is left to expand: what was too small to be told is.  Several times, for a selection may cost as much as
 * hundreds of backups, and at a discount next to 1 as many are needed. */
static glimpse_stop finish(gli_plain *plain) {
  gli_graph *graph = plain->graph;
  bool changed = true;
  for (uint64_t done = 0; changed && done < FINISH_BACKUPS; done += graph->node_count) changed = sweep(graph);
  const gli_node *root = gli_graph_node(graph, graph->root);
  if (gli_graph_gap(graph, root->upper, root->lower) == 0 || !changed) return gli_graph_solved(graph);
  return GLIMPSE_STOP_NONE;
}

glimpse_stop gli_plain_step(gli_plain *plain, double threshold) {
  gli_graph *graph = plain->graph;
  gli_candidate best;
  uint32_t parent, node;
  if (!gli_plain_select(plain, &best, &parent)) return full(plain);
  if (best.score == 0) return finish(plain);
  gli_frontier found = gli_frontier_expand(graph, parent, &best, &node);
  if (found == GLI_FRONTIER_FULL) return full(plain);
  graph->expansions += found == GLI_FRONTIER_EXPANDED;
  if (parent != GLI_NONE && (!enter_new(plain) || !add_parent(plain, graph->children[best.child].link, parent)))
    return full(plain);
  if (found == GLI_FRONTIER_EXPANDED && !settle(plain, node, threshold)) return full(plain);
  if (parent != GLI_NONE && !gli_plain_propagate(plain, parent, threshold)) return full(plain);
  return GLIMPSE_STOP_NONE;
}
