/* Naive plain: see naive_plain.h. */
#include "support/naive_plain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "graph/backup.h"
#include "graph/expand.h"
#include "graph/frontier.h"

typedef struct item { /* of several lists */
  uint32_t source, node, choice, child;
  double weight;
} item;

typedef struct list {
  item *items;
  size_t count, capacity;
} list;

/* A source is a corner's state, or the number of states plus a node. */
struct naive_plain {
  gli_graph *graph;
  list edges, queue, corners;
  double *psi; /* per source */
  struct told {
    double upper, lower;
    bool queued;
  } * told; /* per node */
  size_t sources, nodes;
};

static void add(list *l, item i) {
  if (l->count == l->capacity) {
    l->capacity = 2 * l->capacity + 16;
    l->items = realloc(l->items, l->capacity * sizeof *l->items);
    assert_non_null(l->items);
  }
  l->items[l->count++] = i;
}

naive_plain *naive_plain_new(gli_graph *graph) {
  naive_plain *plain = calloc(1, sizeof *plain);
  assert_non_null(plain);
  plain->graph = graph;
  return plain;
}

void naive_plain_free(naive_plain *plain) {
  free(plain->edges.items);
  free(plain->queue.items);
  free(plain->corners.items);
  free(plain->psi);
  free(plain->told);
  free(plain);
}

static void grow(naive_plain *plain) {
  const gli_graph *graph = plain->graph;
  size_t sources = graph->states + graph->node_count;
  plain->psi = realloc(plain->psi, sources * sizeof *plain->psi);
  plain->told = realloc(plain->told, graph->node_count * sizeof *plain->told);
  assert_true(plain->psi && plain->told);
  for (; plain->sources < sources; plain->sources++) plain->psi[plain->sources] = 0;
  for (; plain->nodes < graph->node_count; plain->nodes++)
    plain->told[plain->nodes] = (struct told){INFINITY, -INFINITY, false};
}

/* ---------------------------------------------------------------- selection */

static uint32_t source_of(const gli_graph *graph, uint32_t node) {
  uint32_t state = gli_graph_node(graph, node)->state;
  if (state != GLI_NONE) return state;
  return node == graph->root || graph->options.sharing == GLI_SHARE_ALL ? graph->states + node : GLI_NONE;
}

/* What is behind each outcome of what the rule follows: a candidate, a flow, or a step further. */
static void walk_node(const gli_graph *graph, uint32_t row, item at, list *candidates, list *flows, list *steps) {
  gli_outcome to;
  for (uint32_t c = 0; c <= graph->actions && gli_graph_node(graph, at.node)->greedy != GLI_NONE; c++) {
    double weight = gli_graph_weight(graph, at.node, c);
    if (!(weight > 0)) continue;
    weight *= at.weight;
    weight *= gli_graph_discount(graph, c);
    for (uint32_t i = 0; gli_graph_outcome(graph, at.node, c, i, &to); i++) {
      item found = {row, at.node, c, to.child, weight * to.probability};
      uint32_t behind = gli_graph_behind(graph, to.link);
      found.source = gli_link_corner(to.link) ? to.link & ~GLI_CORNER
                     : behind == GLI_NONE     ? GLI_NONE
                                              : source_of(graph, behind);
      if (found.source != GLI_NONE) {
        add(flows, found);
      } else if (behind != GLI_NONE) {
        found.node = behind;
        add(steps, found);
      } else {
        found.source = row;
        add(candidates, found);
      }
    }
  }
}

static uint32_t row_of(list *rows, uint32_t source) {
  for (size_t i = 0; i < rows->count; i++)
    if (rows->items[i].source == source) return (uint32_t)i;
  add(rows, (item){.source = source});
  return (uint32_t)rows->count - 1;
}

/* A row per source that is reached; of each flow `node` becomes the row that it leads to, `child` where it begins. */
static void walk(const gli_graph *graph, list *rows, list *candidates, list *flows) {
  list steps = {0};
  row_of(rows, source_of(graph, graph->root));
  for (size_t row = 0; row < rows->count; row++) {
    uint32_t source = rows->items[row].source;
    uint32_t node = source < graph->states ? graph->corner[source].node : source - graph->states;
    size_t before = flows->count;
    if (node == GLI_NONE) add(candidates, (item){(uint32_t)row, GLI_NONE, 0, GLI_CORNER | source, 1});
    else add(&steps, (item){.node = node, .weight = 1});
    while (steps.count) {
      item at = steps.items[--steps.count];
      walk_node(graph, (uint32_t)row, at, candidates, flows, &steps);
    }
    for (size_t i = before; i < flows->count; i++) {
      flows->items[i].node = row_of(rows, flows->items[i].source);
      flows->items[i].child = (uint32_t)row;
    }
  }
  free(steps.items);
}

/* Psi, as `weight` of the rows. */
static void solve(naive_plain *plain, list *rows, const list *flows) {
  double *r = calloc(rows->count, sizeof *r);
  assert_non_null(r);
  for (size_t i = 0; i < rows->count; i++) {
    rows->items[i].weight = plain->psi[rows->items[i].source];
    r[i] = (i == 0) - rows->items[i].weight;
  }
  for (size_t k = 0; k < flows->count; k++)
    r[flows->items[k].node] += rows->items[flows->items[k].child].weight * flows->items[k].weight;
  bool more = true;
  for (uint64_t pushes = 0; more && pushes < 1000000;) {
    more = false;
    for (size_t i = 0, k = 0; i < rows->count; i++) {
      double d = fabs(r[i]) > 1e-14 ? r[i] : 0;
      if (d != 0) r[i] = 0, rows->items[i].weight += d, more = true;
      for (; k < flows->count && flows->items[k].child == i; k++)
        if (d != 0) r[flows->items[k].node] += d * flows->items[k].weight, pushes++;
    }
  }
  for (size_t i = 0; i < rows->count; i++) plain->psi[rows->items[i].source] = rows->items[i].weight;
  free(r);
}

static double score_of(const gli_graph *graph, const item *c, double psi) {
  const gli_corner *corner = c->child & GLI_CORNER ? &graph->corner[c->child & ~GLI_CORNER] : NULL;
  const gli_child *child = corner ? NULL : &graph->children[c->child];
  double gap =
      corner ? gli_graph_gap(graph, corner->upper, corner->lower) : gli_graph_gap(graph, child->upper, child->lower);
  if (graph->options.rule == GLI_RULE_BI_POMDP) return gap;
  double score = gap * fmax(c->weight * psi, 0x1p-900);
  return score < graph->least && graph->options.rule == GLI_RULE_AEMS ? 0 : score;
}

static gli_candidate best_of(naive_plain *plain, uint32_t *parent) {
  list rows = {0}, candidates = {0}, flows = {0};
  gli_candidate best = {0};
  *parent = GLI_NONE;
  grow(plain);
  walk(plain->graph, &rows, &candidates, &flows);
  solve(plain, &rows, &flows);
  for (size_t i = 0; i < candidates.count; i++) {
    const item *c = &candidates.items[i];
    double score = score_of(plain->graph, c, rows.items[c->source].weight);
    if (score <= best.score) continue;
    best = (gli_candidate){.score = score, .choice = c->choice, .child = c->child};
    *parent = c->node;
  }
  free(rows.items);
  free(candidates.items);
  free(flows.items);
  return best;
}

/* -------------------------------------------------------------- propagation */

/* Corners wait until nobody else does. */
static void join(naive_plain *plain, uint32_t node) {
  if (plain->told[node].queued) return;
  plain->told[node].queued = true;
  bool corner = gli_graph_node(plain->graph, node)->state != GLI_NONE;
  add(corner ? &plain->corners : &plain->queue, (item){.node = node});
}

static uint32_t leave(naive_plain *plain) {
  list *from = plain->queue.count ? &plain->queue : &plain->corners;
  uint32_t node = from->items[0].node;
  for (size_t i = 1; i < from->count; i++) from->items[i - 1] = from->items[i];
  from->count--;
  plain->told[node].queued = false;
  return node;
}

/* Does it make a difference that an upper bound has fallen behind this choice? */
static bool matters(const gli_graph *graph, uint32_t node, uint32_t choice) {
  const gli_node *n = gli_graph_node(graph, node);
  return node == graph->root || n->state != GLI_NONE || graph->options.rule == GLI_RULE_SATIA_LAVE ||
         choice == n->greedy;
}

static void propagate(naive_plain *plain, uint32_t node, double threshold) {
  gli_graph *graph = plain->graph;
  grow(plain);
  join(plain, node);
  while (plain->queue.count || plain->corners.count) {
    uint32_t at = leave(plain);
    gli_backup_all(graph, at);
    const gli_node *n = gli_graph_node(graph, at);
    struct told *told = &plain->told[at];
    bool upper = told->upper - n->upper > threshold, lower = n->lower - told->lower > threshold;
    if (upper) told->upper = n->upper;
    if (lower) told->lower = n->lower;
    uint32_t source = n->state == GLI_NONE ? graph->states + at : n->state;
    for (size_t i = plain->edges.count; i-- > 0;) {
      const item *e = &plain->edges.items[i];
      if (e->source == source && (lower || (upper && matters(graph, e->node, e->choice)))) join(plain, e->node);
    }
  }
}

static void add_edge(naive_plain *plain, uint32_t link, uint32_t parent, uint32_t choice) {
  if (gli_link_fringe(link)) return;
  const gli_graph *graph = plain->graph;
  uint32_t state = gli_link_corner(link) ? link & ~GLI_CORNER : gli_graph_node(graph, link)->state;
  add(&plain->edges, (item){state == GLI_NONE ? graph->states + link : state, parent, choice, 0, 0});
}

/* --------------------------------------------------------------- expansions */

static bool enter(naive_plain *plain, uint32_t node) {
  gli_outcome to;
  if (!gli_expand_grow(plain->graph, node, true, NULL)) return false;
  grow(plain);
  for (uint32_t c = 0; c <= plain->graph->actions; c++)
    for (uint32_t i = 0; gli_graph_outcome(plain->graph, node, c, i, &to); i++) add_edge(plain, to.link, node, c);
  return true;
}

static bool settle(naive_plain *plain, uint32_t node, double threshold) {
  gli_graph *graph = plain->graph;
  if (!enter(plain, node)) return false;
  uint32_t support = gli_graph_node(graph, node)->support, corner;
  bool asks = graph->options.paper && gli_graph_shares(graph) && gli_node_can_ask(graph, gli_graph_node(graph, node));
  for (uint32_t i = 0; i < support && asks; i++) {
    uint32_t s = gli_graph_belief(graph, gli_graph_node(graph, node)).index[i];
    gli_frontier found = gli_frontier_corner(graph, s, &corner);
    if (found == GLI_FRONTIER_NOTHING) continue;
    if (found == GLI_FRONTIER_FULL || !enter(plain, corner)) return false;
    propagate(plain, corner, threshold);
  }
  propagate(plain, node, threshold);
  return true;
}

bool naive_plain_root(naive_plain *plain, double threshold) {
  return settle(plain, plain->graph->root, threshold);
}

bool naive_plain_step(naive_plain *plain, double threshold) {
  gli_graph *graph = plain->graph;
  uint32_t parent, node;
  gli_candidate best = best_of(plain, &parent);
  if (best.score == 0) return false;
  gli_frontier found = gli_frontier_expand(graph, parent, &best, &node);
  if (found == GLI_FRONTIER_FULL) return false;
  bool made = found == GLI_FRONTIER_EXPANDED;
  graph->expansions += made;
  grow(plain);
  if (parent != GLI_NONE) add_edge(plain, graph->children[best.child].link, parent, best.choice);
  if (made && !settle(plain, node, threshold)) return false;
  if (parent != GLI_NONE) propagate(plain, parent, threshold);
  return true;
}
