/* Plain: full walk, full solve, full propagation at each expansion.
 *
 * Selection (paper, Algorithms 2 and 4): a depth-first walk below each origin that
 * the policy reaches collects the fringe records with their weight
 * discount^d P(path), seen from the origin, and the direct flows to other origins.
 * Then (I - M^T) Psi = e_root is solved by elimination; M is substochastic times
 * the discount, so no pivoting is needed.
 * Propagation: a first-in first-out queue of beliefs; each is backed up in full, and
 * when a bound has moved by more than the threshold since its parents were last
 * told, its parents join the queue. */
#include "graph/plain.h"

#include <math.h>
#include <string.h>

/* Backups of one propagation, in a small graph: round a cycle at a discount next to 1 a change
 * would go on for 1 / (1 - discount) turns, which may be for ever. */
enum { MOST_BACKUPS = 1000000 };

typedef struct candidate {
  uint32_t record, place; /* place: row of its origin */
  double weight;
} candidate;

typedef struct step {
  uint32_t node;
  double weight;
} step;

typedef struct parents {
  uint32_t *node;
  size_t count, capacity;
} parents;

struct gli_plain {
  gli_graph *graph;
  /* selection */
  uint32_t *place;  /* per origin: its row in the system + 1; 0: not reached */
  uint32_t *origin; /* per row */
  size_t rows, place_capacity, origin_capacity;
  double *matrix; /* rows x rows: M, then I - M^T */
  size_t matrix_capacity;
  gli_flow *flows;   /* origin, weight of all rows, one after the other ... */
  size_t *flows_end; /* ... up to here */
  size_t flow_count, flow_capacity, end_capacity;
  double *psi;
  size_t psi_capacity;
  candidate *candidates;
  size_t candidate_count, candidate_capacity;
  step *steps;
  size_t step_count, step_capacity;
  /* propagation */
  parents *parents; /* per origin */
  size_t parents_capacity;
  size_t linked; /* expanded beliefs whose links have been entered */
  uint32_t *queue;
  uint32_t *children;              /* per expanded: child records that have been entered */
  uint8_t *queued;                 /* per expanded */
  double *told_upper, *told_lower; /* per expanded: what its parents know */
  size_t queue_capacity, queued_capacity, children_capacity, upper_capacity, lower_capacity;
};

/* All that grows here counts. */
#define GROW(plain, array, capacity, need) GLI_QUOTA_GROW(&(plain)->graph->quota, 0, array, capacity, need)

gli_plain *gli_plain_new(gli_graph *graph) {
  gli_plain *plain = GLI_NEW(gli_plain, 1);
  if (plain) plain->graph = graph;
  return plain;
}

static void release(gli_plain *plain) {
  for (size_t i = 0; i < plain->parents_capacity; i++) gli_memory_free(plain->parents[i].node);
  void *all[] = {plain->place,      plain->origin,     plain->matrix,     plain->flows,   plain->flows_end,
                 plain->psi,        plain->steps,      plain->parents,    plain->queue,   plain->queued,
                 plain->candidates, plain->told_upper, plain->told_lower, plain->children};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) gli_memory_free(all[i]);
}

void gli_plain_clear(gli_plain *plain) {
  release(plain);
  *plain = (gli_plain){.graph = plain->graph};
}

void gli_plain_free(gli_plain *plain) {
  if (!plain) return;
  release(plain);
  gli_memory_free(plain);
}

/* ---------------------------------------------------------------- selection */

static bool reach_origin(gli_plain *plain, uint32_t origin) {
  if (plain->place[origin]) return true;
  if (!GROW(plain, plain->origin, plain->origin_capacity, plain->rows + 1)) return false;
  plain->origin[plain->rows++] = origin;
  plain->place[origin] = (uint32_t)plain->rows;
  return true;
}

static bool add_flow(gli_plain *plain, uint32_t origin, double weight) {
  if (origin == GLI_NONE) return true; /* a corner for which there was no room */
  if (!reach_origin(plain, origin) || !GROW(plain, plain->flows, plain->flow_capacity, plain->flow_count + 1))
    return false;
  plain->flows[plain->flow_count++] = (gli_flow){origin, weight};
  return true;
}

static bool add_candidate(gli_plain *plain, uint32_t record, uint32_t row, double weight) {
  if (!GROW(plain, plain->candidates, plain->candidate_capacity, plain->candidate_count + 1)) return false;
  plain->candidates[plain->candidate_count++] = (candidate){record, row, weight};
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
  const gli_expanded *e = gli_graph_node(graph, node);
  if (choice == graph->actions && gli_graph_shares(graph)) {
    glimpse_row belief = gli_graph_belief(graph, e);
    for (size_t i = 0; i < belief.count; i++)
      if (!add_flow(plain, graph->corner[belief.index[i]], weight * belief.value[i])) return false;
    return true;
  }
  if (choice < graph->actions) weight *= graph->discount;
  uint32_t end, i = gli_graph_children(graph, node, choice, &end);
  for (; i < end; i++) {
    const gli_record *child = &graph->records[i];
    double w = weight * child->probability;
    bool fine = child->link == GLI_NONE   ? add_candidate(plain, i, row, w)
                : child->link & GLI_ALIAS ? add_flow(plain, child->link & ~GLI_ALIAS, w)
                                          : add_step(plain, child->link, w);
    if (!fine) return false;
  }
  return true;
}

static bool walk_origin(gli_plain *plain, uint32_t row) {
  const gli_graph *graph = plain->graph;
  uint32_t record = graph->origins[plain->origin[row]].record, link = graph->records[record].link;
  if (link == GLI_NONE) return add_candidate(plain, record, row, 1);
  plain->step_count = 0;
  if (!add_step(plain, link, 1)) return false;
  while (plain->step_count) {
    step at = plain->steps[--plain->step_count];
    for (uint32_t c = 0; c <= graph->actions; c++) {
      double weight = gli_backup_weight(graph, at.node, c);
      if (weight > 0 && !walk_choice(plain, row, at.node, c, at.weight * weight)) return false;
    }
  }
  return true;
}

/* Gaussian elimination of (I - M^T) psi = e_0. */
static bool solve(gli_plain *plain) {
  size_t n = plain->rows;
  if (!GROW(plain, plain->matrix, plain->matrix_capacity, n * n) || !GROW(plain, plain->psi, plain->psi_capacity, n))
    return false;
  double *m = plain->matrix, *x = plain->psi;
  memset(m, 0, n * n * sizeof *m);
  for (size_t row = 0, k = 0; row < n; row++) {
    for (; k < plain->flows_end[row]; k++)
      m[(plain->place[plain->flows[k].origin] - 1) * n + row] -= plain->flows[k].weight;
    m[row * n + row] += 1;
    x[row] = row == 0;
  }
  for (size_t p = 0; p < n; p++)
    for (size_t i = p + 1; i < n; i++) {
      double factor = m[i * n + p] / m[p * n + p];
      if (factor == 0) continue;
      for (size_t k = p; k < n; k++) m[i * n + k] -= factor * m[p * n + k];
      x[i] -= factor * x[p];
    }
  for (size_t p = n; p-- > 0;) {
    for (size_t k = p + 1; k < n; k++) x[p] -= m[p * n + k] * x[k];
    x[p] /= m[p * n + p];
  }
  return true;
}

bool gli_plain_select(gli_plain *plain, uint32_t *record, double *score) {
  const gli_graph *graph = plain->graph;
  *record = GLI_NONE;
  *score = 0;
  size_t before = plain->place_capacity;
  if (!GROW(plain, plain->place, plain->place_capacity, graph->origin_count)) return false;
  if (plain->place_capacity > before)
    memset(plain->place + before, 0, (plain->place_capacity - before) * sizeof *plain->place);
  for (size_t i = 0; i < plain->rows; i++) plain->place[plain->origin[i]] = 0;
  plain->rows = plain->flow_count = plain->candidate_count = 0;
  if (!reach_origin(plain, graph->root)) return false;
  for (size_t row = 0; row < plain->rows; row++) {
    if (!walk_origin(plain, (uint32_t)row) || !GROW(plain, plain->flows_end, plain->end_capacity, row + 1))
      return false;
    plain->flows_end[row] = plain->flow_count;
  }
  if (!solve(plain)) return false;
  for (size_t i = 0; i < plain->candidate_count; i++) {
    const candidate *c = &plain->candidates[i];
    double value = gli_graph_gap(graph, &graph->records[c->record]);
    if (graph->options.rule != GLI_RULE_BI_POMDP) {
      if (value * c->weight < graph->least && graph->options.rule == GLI_RULE_AEMS) continue; /* see backup.c */
      value *= c->weight * plain->psi[c->place];
    }
    if (value <= *score) continue;
    *score = value;
    *record = c->record;
  }
  return true;
}

double gli_plain_reach(const gli_plain *plain, uint32_t origin) {
  uint32_t place = origin < plain->place_capacity ? plain->place[origin] : 0;
  return place ? plain->psi[place - 1] : 0;
}

/* -------------------------------------------------------------- propagation */

static bool add_parent(gli_plain *plain, uint32_t origin, uint32_t node) {
  if (origin == GLI_NONE) return true; /* a corner for which there was no room */
  parents *list = &plain->parents[origin];
  if (list->count && list->node[list->count - 1] == node) return true;
  if (!GROW(plain, list->node, list->capacity, list->count + 1)) return false;
  list->node[list->count++] = node;
  return true;
}

static uint32_t count_children(const gli_graph *graph, uint32_t node) {
  const gli_group *groups = gli_graph_groups(graph, gli_graph_node(graph, node));
  uint32_t count = 0;
  for (uint32_t c = 0; c < graph->groups; c++) count += groups[c].count;
  return count;
}

/* Enters the aliases among the children, again when actions have been opened. */
static bool link_children(gli_plain *plain, uint32_t node) {
  const gli_graph *graph = plain->graph;
  plain->children[node] = count_children(graph, node);
  for (uint32_t c = 0; c <= graph->actions; c++) {
    uint32_t end, i = gli_graph_children(graph, node, c, &end);
    for (; i < end; i++) {
      uint32_t link = graph->records[i].link;
      if (link != GLI_NONE && (link & GLI_ALIAS) && !add_parent(plain, link & ~GLI_ALIAS, node)) return false;
    }
  }
  return true;
}

static bool link_node(gli_plain *plain, uint32_t node) {
  const gli_graph *graph = plain->graph;
  const gli_expanded *e = gli_graph_node(graph, node);
  if (gli_graph_shares(graph) && gli_graph_can_ask(graph, e))
    for (uint32_t i = 0; i < e->support; i++)
      if (!add_parent(plain, graph->corner[gli_graph_belief(graph, e).index[i]], node)) return false;
  if (!link_children(plain, node)) return false;
  plain->told_upper[node] = INFINITY;
  plain->told_lower[node] = -INFINITY;
  return true;
}

static bool grow_parents(gli_plain *plain) {
  size_t before = plain->parents_capacity;
  if (!GROW(plain, plain->parents, plain->parents_capacity, plain->graph->origin_count)) return false;
  if (plain->parents_capacity > before)
    memset(plain->parents + before, 0, (plain->parents_capacity - before) * sizeof *plain->parents);
  return true;
}

static bool link_new(gli_plain *plain) {
  const gli_graph *graph = plain->graph;
  if (!grow_parents(plain)) return false;
  if (!GROW(plain, plain->queue, plain->queue_capacity, graph->expanded_count + 1) ||
      !GROW(plain, plain->queued, plain->queued_capacity, graph->expanded_count) ||
      !GROW(plain, plain->children, plain->children_capacity, graph->expanded_count) ||
      !GROW(plain, plain->told_upper, plain->upper_capacity, graph->expanded_count) ||
      !GROW(plain, plain->told_lower, plain->lower_capacity, graph->expanded_count))
    return false;
  for (; plain->linked < graph->expanded_count; plain->linked++)
    plain->told_upper[plain->linked] = NAN, plain->queued[plain->linked] = 0;
  for (uint32_t i = 0; i < graph->expanded_count; i++) /* a dead one had no room; its place may be used later */
    if (isnan(plain->told_upper[i]) && !gli_graph_node(graph, i)->dead && !link_node(plain, i)) return false;
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

static void tell_parents(gli_plain *plain, ring *queue, uint32_t node) {
  const gli_graph *graph = plain->graph;
  const gli_record *record = &graph->records[gli_graph_node(graph, node)->record];
  if (record->parent != GLI_NONE) {
    join(plain, queue, record->parent);
    return;
  }
  const parents *list = &plain->parents[record->label];
  for (size_t i = 0; i < list->count; i++) join(plain, queue, list->node[i]);
  if (!graph->share) return;
  uint32_t alias = GLI_ALIAS | record->label; /* older beliefs may have become its parents */
  for (uint32_t i = 0; i < graph->expanded_count; i++) {
    for (uint32_t c = 0; c <= graph->actions && !gli_graph_node(graph, i)->dead; c++) {
      uint32_t end, k = gli_graph_children(graph, i, c, &end);
      for (; k < end && !plain->queued[i]; k++)
        if (graph->records[k].link == alias) join(plain, queue, i);
    }
  }
}

bool gli_plain_propagate(gli_plain *plain, uint32_t record, double threshold) {
  gli_graph *graph = plain->graph;
  if (!link_new(plain)) return false;
  ring queue = {0, 0};
  for (uint32_t i = (uint32_t)graph->expanded_count; i-- > 0;) /* corners that were expanded with it, too */
    if (plain->told_upper[i] == INFINITY) join(plain, &queue, i);
  join(plain, &queue, gli_graph_behind(graph, record));
  uint64_t most = MOST_BACKUPS + 64 * (uint64_t)graph->expanded_count;
  for (uint64_t done = 0; queue.count && done < most; done++) {
    uint32_t node = plain->queue[queue.first];
    queue.first = (queue.first + 1) % plain->queue_capacity;
    queue.count--;
    plain->queued[node] = 0;
    for (uint32_t c = 0; c <= graph->actions; c++) gli_backup_choice(graph, node, c);
    gli_backup_node(graph, node);
    if (plain->children[node] != count_children(graph, node) && (!grow_parents(plain) || !link_children(plain, node)))
      return false;
    const gli_record *now = &graph->records[gli_graph_node(graph, node)->record];
    if (plain->told_upper[node] - now->upper <= threshold && now->lower - plain->told_lower[node] <= threshold)
      continue;
    plain->told_upper[node] = now->upper;
    plain->told_lower[node] = now->lower;
    tell_parents(plain, &queue, node);
  }
  for (; queue.count; queue.count--) { /* stale is sound */
    plain->queued[plain->queue[queue.first]] = 0;
    queue.first = (queue.first + 1) % plain->queue_capacity;
  }
  return true;
}
