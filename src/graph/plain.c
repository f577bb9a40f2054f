/* Plain: exact selection, full propagation at each expansion.
 *
 * Selection (paper, Algorithms 2 and 4).  A *source* is a node that may be reached by several paths: the root, a corner
 * and, where equal beliefs are shared, any node.  From each source that the policy reaches its *tree* is walked to the
 * fringe and to other sources: candidates with their weight discount^d P(path), seen from the source, and flows.  Then
 *   Psi = e_root + M^T Psi
 * is solved by relaxation: what is missing at a source is pushed along its flows until next to nothing is missing.  It
 * begins with the Psi of the last selection, from which one expansion changes little.
 * A tree is kept until something in it changes: each node knows its source, and a greedy choice that changes or a child
 * that is expanded there has the tree walked anew when it is next reached.
 *
 * Propagation: a first-in first-out queue of nodes; each is backed up, and when a bound has moved by more than the
 * threshold since its parents were last told, those parents join the queue for which that may make a difference: for a
 * lower bound all, for an upper bound those whose greedy choice leads there.  Corners wait until nothing else does:
 * many paths lead to them, and to many nodes from there.  The bounds are those of full backups, but of a node's choices
 * only those are computed that count: where a lower bound rose behind a choice, and the largest upper bounds until the
 * largest is one that was computed.  Every change marks the choices that lead there, however small. */
#include "graph/plain.h"

#include <string.h>

#include "graph/backup.h"
#include "graph/expand.h"
#include "graph/frontier.h"

/* Backups of one propagation at most, in a small graph: at a discount next to 1 a change goes round a cycle about
 * 1 / (1 - discount) times, which may take years. */
enum {
  MOST_BACKUPS = 1000000,
  MOST_PUSHES = 1000000,
  FINISH_BACKUPS = 10000,
  FEW_CANDIDATES = 4096,
  LONGEST_LINE = 64
};
static const double missing = 1e-14; /* of Psi, relative to 1: nothing */

#define FAINTEST 0x1p-900 /* Psi of what is reached, at least */

typedef struct candidate {
  double weight, gap;
  uint32_t node, choice; /* that leads there; node GLI_NONE: a corner */
  uint32_t child;        /* or GLI_CORNER | state */
} candidate;

typedef struct flow {
  uint32_t source;
  double weight;
} flow;

typedef struct tree {       /* what was met from a source */
  double peak, gap;         /* of its candidates, the largest weight times gap and the largest gap */
  size_t candidates, flows; /* the first of them */
  uint32_t candidate_count, flow_count;
  bool walked; /* and nothing has changed in it since */
} tree;

/* A choice of a parent leads to a node or corner.  Edges to the same stand in lines, each twice as long as the one
 * before: corners have thousands.  The first place of a line tells how many there are. */
typedef union edge {
  struct {
    uint32_t parent, choice; /* as of gli_backup_mark */
  };
  struct {
    uint32_t before; /* a line; GLI_NONE: none */
    uint16_t count, capacity;
  };
} edge;

typedef struct step {
  uint32_t node;
  double weight;
} step;

typedef struct news {            /* of a node */
  double told_upper, told_lower; /* what its parents know */
  uint32_t source;               /* in whose tree it is */
  uint32_t line;                 /* the last of edges, unless it is a corner's node */
} news;

typedef struct ring { /* a queue */
  uint32_t *node;
  size_t capacity, first, count;
} ring;

typedef struct marks {    /* of a node, apart for they are looked at most; choices as of gli_backup_mark */
  uint32_t fallen, risen; /* those behind which an upper, a lower bound has changed since */
  uint32_t counts;        /* those whose upper bounds count: the greedy one, or all */
  bool queued;
} marks;

struct gli_plain {
  gli_graph *graph;
  uint32_t root; /* of the last run: all its choices are compared; GLI_NONE: none */
  /* selection; a source is a corner's state, or the number of states plus a node, or that number alone for the root
   * where it is the only other one */
  uint32_t *row_of; /* per source: its row + 1; 0: not reached */
  double *psi;      /* per source: as of the last selection */
  tree *trees;      /* per source */
  size_t row_capacity, psi_capacity, tree_capacity;
  uint32_t *source; /* per row */
  size_t rows, source_capacity;
  double *reach, *residual; /* per row */
  size_t reach_capacity, residual_capacity;
  flow *flows; /* of the trees; what was walked anew is at the end ... */
  candidate *candidates;
  size_t flow_count, flow_capacity, candidate_count, candidate_capacity;
  size_t enough; /* ... and with so many candidates and flows all trees are walked anew */
  step *steps;
  size_t step_count, step_capacity;
  /* propagation */
  edge *edges;
  size_t edge_count, edge_capacity;
  uint32_t *corner_line; /* the last of edges, per state */
  news *news;            /* per node */
  marks *marks;          /* per node */
  ring inner, corners;   /* that wait to be backed up */
  size_t nodes, news_capacity, marks_capacity;
};

/* All that grows here counts. */
#define GROW(plain, array, capacity, need)                                                                             \
  (((array) && (need) <= (capacity)) || GLI_QUOTA_GROW(&(plain)->graph->quota, 0, array, capacity, need))

gli_plain *gli_plain_new(gli_graph *graph) {
  gli_plain *plain = GLI_NEW(gli_plain, 1);
  if (!plain) return NULL;
  plain->graph = graph;
  plain->corner_line = GLI_NEW(uint32_t, graph->states);
  plain->corners = (ring){.node = GLI_NEW(uint32_t, graph->states), .capacity = graph->states};
  if (plain->corner_line && plain->corners.node) {
    gli_plain_clear(plain);
    return plain;
  }
  gli_plain_free(plain);
  return NULL;
}

static void release(gli_plain *p) {
  void *all[] = {p->row_of,     p->psi,   p->trees, p->source, p->reach, p->residual,  p->flows,
                 p->candidates, p->steps, p->edges, p->news,   p->marks, p->inner.node};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) gli_memory_free(all[i]);
}

void gli_plain_clear(gli_plain *plain) {
  release(plain);
  *plain = (gli_plain){
      .graph = plain->graph, .root = GLI_NONE, .corner_line = plain->corner_line, .corners = plain->corners};
  plain->corners.first = plain->corners.count = 0;
  memset(plain->corner_line, 0xff, plain->graph->states * sizeof *plain->corner_line);
}

void gli_plain_free(gli_plain *plain) {
  if (!plain) return;
  release(plain);
  gli_memory_free(plain->corner_line);
  gli_memory_free(plain->corners.node);
  gli_memory_free(plain);
}

/* The number of a source; GLI_NONE: an inner node of a tree. */
static uint32_t source_of(const gli_graph *graph, uint32_t node) {
  uint32_t state = gli_graph_node(graph, node)->state;
  if (state != GLI_NONE) return state;
  if (graph->options.sharing == GLI_SHARE_ALL) return graph->states + node;
  return node == graph->root ? graph->states : GLI_NONE;
}

/* The node of a source; GLI_NONE: a corner that is fringe. */
static uint32_t node_of(const gli_graph *graph, uint32_t source) {
  if (source < graph->states) return graph->corner[source].node;
  return graph->options.sharing == GLI_SHARE_ALL ? source - graph->states : graph->root;
}

static bool grow_sources(gli_plain *plain) {
  const gli_graph *graph = plain->graph;
  size_t need = graph->states + (graph->options.sharing == GLI_SHARE_ALL ? graph->node_count : 1);
  size_t before = plain->tree_capacity;
  if (!GROW(plain, plain->trees, plain->tree_capacity, need)) return false;
  for (; before < plain->tree_capacity; before++) plain->trees[before] = (tree){0};
  before = plain->row_capacity;
  if (!GROW(plain, plain->row_of, plain->row_capacity, need)) return false;
  for (; before < plain->row_capacity; before++) plain->row_of[before] = 0;
  before = plain->psi_capacity;
  if (!GROW(plain, plain->psi, plain->psi_capacity, need)) return false;
  for (; before < plain->psi_capacity; before++) plain->psi[before] = 0;
  return true;
}

/* Nodes that were made since: nobody has been told, and nothing is known of their choices.  The source of an inner node
 * is not known here. */
static bool enter_new(gli_plain *plain) {
  const gli_graph *graph = plain->graph;
  size_t need = graph->node_count;
  if (plain->nodes && plain->nodes == need) return true;
  if (!grow_sources(plain) || !GROW(plain, plain->news, plain->news_capacity, need) ||
      !GROW(plain, plain->marks, plain->marks_capacity, need) ||
      !GROW(plain, plain->inner.node, plain->inner.capacity, need + 1))
    return false;
  for (; plain->nodes < need; plain->nodes++) {
    uint32_t node = (uint32_t)plain->nodes, source = source_of(graph, node);
    plain->marks[node] = (marks){.fallen = UINT32_MAX, .risen = UINT32_MAX};
    plain->news[node] = (news){.told_upper = INFINITY,
                               .told_lower = -INFINITY,
                               .source = source == GLI_NONE ? graph->states : source,
                               .line = GLI_NONE};
  }
  return true;
}

/* Something has changed in the tree that a node is in. */
static void disturb(gli_plain *plain, uint32_t node) {
  plain->trees[plain->news[node].source].walked = false;
}

/* Everything has changed. */
static void forget(gli_plain *plain) {
  for (size_t i = 0; i < plain->tree_capacity; i++) plain->trees[i].walked = false;
  plain->flow_count = plain->candidate_count = plain->enough = 0;
}

/* ---------------------------------------------------------------- selection */

static bool reach_source(gli_plain *plain, uint32_t source) {
  if (plain->row_of[source]) return true;
  if (!GROW(plain, plain->source, plain->source_capacity, plain->rows + 1)) return false;
  plain->source[plain->rows++] = source;
  plain->row_of[source] = (uint32_t)plain->rows;
  return true;
}

static bool add_flow(gli_plain *plain, tree *t, uint32_t source, double weight) {
  if (!GROW(plain, plain->flows, plain->flow_capacity, plain->flow_count + 1)) return false;
  plain->flows[plain->flow_count++] = (flow){source, weight};
  t->flow_count++;
  return true;
}

static bool add_candidate(gli_plain *plain, tree *t, gli_bounds bounds, candidate c) {
  if (!GROW(plain, plain->candidates, plain->candidate_capacity, plain->candidate_count + 1)) return false;
  c.gap = gli_graph_gap(plain->graph, bounds.upper, bounds.lower);
  plain->candidates[plain->candidate_count++] = c;
  t->candidate_count++;
  double score = c.weight * c.gap;
  t->gap = c.gap > t->gap ? c.gap : t->gap;
  t->peak = score > t->peak ? score : t->peak;
  return true;
}

static bool add_step(gli_plain *plain, uint32_t node, double weight) {
  if (!GROW(plain, plain->steps, plain->step_capacity, plain->step_count + 1)) return false;
  plain->steps[plain->step_count++] = (step){node, weight};
  return true;
}

/* Everything that one choice leads to. */
static bool walk_choice(gli_plain *plain, tree *t, uint32_t node, uint32_t choice, double weight) {
  const gli_graph *graph = plain->graph;
  gli_outcome to;
  weight *= gli_graph_discount(graph, choice);
  for (uint32_t i = 0; gli_graph_outcome(graph, node, choice, i, &to); i++) {
    double w = weight * to.probability;
    bool fine;
    if (gli_link_fringe(to.link)) {
      const gli_child *child = &graph->children[to.child];
      fine = add_candidate(plain, t, (gli_bounds){child->upper, child->lower},
                           (candidate){.weight = w, .node = node, .choice = choice, .child = to.child});
    } else {
      uint32_t source = gli_link_corner(to.link) ? to.link & ~GLI_CORNER : source_of(graph, to.link);
      fine = source == GLI_NONE ? add_step(plain, to.link, w) : add_flow(plain, t, source, w);
    }
    if (!fine) return false;
  }
  return true;
}

/* The choices that the rule follows. */
static bool walk_node(gli_plain *plain, tree *t, step at) {
  const gli_graph *graph = plain->graph;
  uint32_t greedy = gli_graph_node(graph, at.node)->greedy;
  if (greedy == GLI_NONE) return true;
  if (graph->options.rule != GLI_RULE_SATIA_LAVE) return walk_choice(plain, t, at.node, greedy, at.weight);
  for (uint32_t c = 0; c <= graph->actions; c++) {
    double weight = gli_graph_weight(graph, at.node, c);
    if (weight > 0 && !walk_choice(plain, t, at.node, c, at.weight * weight)) return false;
  }
  return true;
}

static bool walk_source(gli_plain *plain, uint32_t source) {
  const gli_graph *graph = plain->graph;
  tree *t = &plain->trees[source];
  *t = (tree){.candidates = plain->candidate_count, .flows = plain->flow_count};
  uint32_t node = node_of(graph, source);
  plain->step_count = 0;
  if (node == GLI_NONE) {
    const gli_corner *corner = &graph->corner[source];
    if (!add_candidate(plain, t, (gli_bounds){corner->upper, corner->lower},
                       (candidate){.weight = 1, .node = GLI_NONE, .child = GLI_CORNER | source}))
      return false;
  } else if (!add_step(plain, node, 1)) {
    return false;
  }
  while (plain->step_count)
    if (!walk_node(plain, t, plain->steps[--plain->step_count])) return false;
  return t->walked = true;
}

/* All sources that the policy reaches, with their trees, in the order in which they are met. */
static bool walk(gli_plain *plain) {
  if (!grow_sources(plain)) return false;
  if (plain->enough && plain->flow_count + plain->candidate_count > plain->enough) forget(plain);
  for (size_t i = 0; i < plain->rows; i++) plain->row_of[plain->source[i]] = 0;
  plain->rows = 0;
  if (!reach_source(plain, source_of(plain->graph, plain->graph->root))) return false;
  for (size_t row = 0; row < plain->rows; row++) {
    const tree *t = &plain->trees[plain->source[row]];
    if (!t->walked && !walk_source(plain, plain->source[row])) return false;
    for (size_t i = t->flows; i < t->flows + t->flow_count; i++)
      if (!reach_source(plain, plain->flows[i].source)) return false;
  }
  if (!plain->enough) plain->enough = 2 * (plain->flow_count + plain->candidate_count) + FEW_CANDIDATES;
  return true;
}

/* Sends what there is at a source along its flows; returns how many these are. */
static size_t push(const gli_plain *plain, size_t row, double amount) {
  const tree *t = &plain->trees[plain->source[row]];
  for (size_t i = t->flows; i < t->flows + t->flow_count; i++) {
    const flow *f = &plain->flows[i];
    plain->residual[plain->row_of[f->source] - 1] += amount * f->weight;
  }
  return t->flow_count;
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
  for (size_t i = 0; i < n; i++) push(plain, i, x[i]);
  bool more = true;
  for (uint64_t pushes = 0; more && pushes < MOST_PUSHES;) {
    more = false;
    for (size_t i = 0; i < n; i++) {
      double d = r[i];
      if (fabs(d) <= missing) continue;
      x[i] += d;
      r[i] = 0;
      pushes += push(plain, i, d);
      more = true;
    }
  }
  for (size_t i = 0; i < n; i++) plain->psi[plain->source[i]] = x[i];
  return true;
}

/* No candidate of a row has a larger score: a little more, because it may be rounded otherwise. */
static double most_of(const gli_plain *plain, const tree *t, double reach) {
  if (plain->graph->options.rule == GLI_RULE_BI_POMDP) return t->gap;
  return fmax(t->peak * reach * (1 + 0x1p-48), 2 * FAINTEST * t->gap);
}

/* Takes the best of a row, if it is better. */
static void take_best(const gli_plain *plain, size_t row, gli_candidate *best, uint32_t *parent) {
  const gli_graph *graph = plain->graph;
  const tree *t = &plain->trees[plain->source[row]];
  if (most_of(plain, t, plain->reach[row]) <= best->score) return;
  for (size_t i = t->candidates; i < t->candidates + t->candidate_count; i++) {
    const candidate *c = &plain->candidates[i];
    double score = c->gap;
    /* What the walk met is reached, however small Psi: the weights of Satia and Lave shrink with every step. */
    if (graph->options.rule != GLI_RULE_BI_POMDP) score *= fmax(c->weight * plain->reach[row], FAINTEST);
    if (score < graph->least && graph->options.rule == GLI_RULE_AEMS) continue; /* see pass.c */
    if (score <= best->score) continue;
    *best = (gli_candidate){.score = score, .choice = c->choice, .child = c->child};
    *parent = c->node;
  }
}

bool gli_plain_select(gli_plain *plain, gli_candidate *best, uint32_t *parent) {
  *best = (gli_candidate){0};
  *parent = GLI_NONE;
  if (!walk(plain) || !solve(plain)) return false;
  for (size_t row = 0; row < plain->rows; row++) take_best(plain, row, best, parent);
  return true;
}

double gli_plain_reach(const gli_plain *plain, uint32_t node) {
  uint32_t source = source_of(plain->graph, node);
  uint32_t row = source < plain->row_capacity ? plain->row_of[source] : 0;
  return row ? plain->reach[row - 1] : 0;
}

/* -------------------------------------------------------------- propagation */

/* The last line of edges to a node or corner. */
static uint32_t *line_of(gli_plain *plain, uint32_t node) {
  uint32_t state = gli_graph_node(plain->graph, node)->state;
  return state == GLI_NONE ? &plain->news[node].line : &plain->corner_line[state];
}

/* A line with room for one more. */
static bool extend(gli_plain *plain, uint32_t *line) {
  const edge *last = *line == GLI_NONE ? NULL : &plain->edges[*line];
  if (last && last->count < last->capacity) return true;
  uint16_t capacity = last ? (uint16_t)(last->capacity < LONGEST_LINE ? 2 * last->capacity : LONGEST_LINE) : 1;
  if (!GROW(plain, plain->edges, plain->edge_capacity, plain->edge_count + 1 + capacity)) return false;
  plain->edges[plain->edge_count] = (edge){.before = *line, .capacity = capacity};
  *line = (uint32_t)plain->edge_count;
  plain->edge_count += 1 + capacity;
  return true;
}

static bool add_parent(gli_plain *plain, uint32_t link, uint32_t parent, uint32_t choice) {
  if (gli_link_fringe(link)) return true;
  uint32_t *line = gli_link_corner(link) ? &plain->corner_line[link & ~GLI_CORNER] : line_of(plain, link);
  const edge *last = *line == GLI_NONE ? NULL : &plain->edges[*line + plain->edges[*line].count];
  edge add = {.parent = parent, .choice = gli_backup_mark(choice)};
  if (last && last->parent == parent && last->choice == add.choice) return true;
  if (!extend(plain, line)) return false;
  plain->edges[*line + ++plain->edges[*line].count] = add;
  return true;
}

/* All that a node leads to has it as a parent. */
static bool enter_children(gli_plain *plain, uint32_t node) {
  const gli_graph *graph = plain->graph;
  gli_outcome to;
  for (uint32_t c = 0; c <= graph->actions; c++)
    for (uint32_t i = 0; gli_graph_outcome(graph, node, c, i, &to); i++)
      if (!add_parent(plain, to.link, node, c)) return false;
  return true;
}

/* What a choice leads to has changed. */
static void mark(gli_plain *plain, uint32_t node, uint32_t choice) {
  plain->marks[node].fallen |= gli_backup_mark(choice);
  plain->marks[node].risen |= gli_backup_mark(choice);
}

static void join(gli_plain *plain, uint32_t node) {
  if (plain->marks[node].queued) return;
  plain->marks[node].queued = true;
  ring *queue = gli_graph_node(plain->graph, node)->state == GLI_NONE ? &plain->inner : &plain->corners;
  size_t at = queue->first + queue->count++;
  queue->node[at < queue->capacity ? at : at - queue->capacity] = node;
}

/* The next node; GLI_NONE: no one waits. */
static uint32_t leave(gli_plain *plain) {
  ring *queue = plain->inner.count ? &plain->inner : &plain->corners;
  if (!queue->count) return GLI_NONE;
  uint32_t node = queue->node[queue->first];
  if (++queue->first == queue->capacity) queue->first = 0;
  queue->count--;
  plain->marks[node].queued = false;
  return node;
}

typedef struct bulletin { /* what has changed of a node */
  bool fallen, risen;     /* at all */
  bool upper, lower;      /* so much that its parents are told */
} bulletin;

/* Marks the choices that lead to a node; parents that are told, and for which it may make a difference, join. */
static void announce(gli_plain *plain, uint32_t node, bulletin what) {
  for (uint32_t line = *line_of(plain, node); line != GLI_NONE; line = plain->edges[line].before) {
    const edge *first = &plain->edges[line];
    for (const edge *e = first + first->count; e > first; e--) { /* the latest first */
      marks *m = &plain->marks[e->parent];
      if (what.fallen) m->fallen |= e->choice;
      if (what.risen) m->risen |= e->choice;
      if (what.lower || (what.upper && m->counts & e->choice)) join(plain, e->parent);
    }
  }
}

/* The choices whose upper bounds count.  All are compared at the root by a decision, at corners by improvement, and by
 * the weights of Satia and Lave. */
static uint32_t counting(const gli_graph *graph, uint32_t node) {
  const gli_node *n = gli_graph_node(graph, node);
  bool all = node == graph->root || n->state != GLI_NONE || graph->options.rule == GLI_RULE_SATIA_LAVE;
  return all ? UINT32_MAX : gli_backup_mark(n->greedy);
}

/* Backs up a node, as far as that makes a difference, and tells its parents. */
static void back_up(gli_plain *plain, uint32_t node, double threshold) {
  gli_graph *graph = plain->graph;
  const gli_node *n = gli_graph_node(graph, node);
  news *own = &plain->news[node];
  marks *m = &plain->marks[node];
  double upper = n->upper, lower = n->lower;
  uint32_t greedy = n->greedy;
  m->counts = counting(graph, node);
  if (m->counts == UINT32_MAX) m->risen |= m->fallen;
  m->fallen = gli_backup_some(graph, node, m->risen, m->fallen);
  m->risen = 0;
  m->counts = counting(graph, node);
  if (n->greedy != greedy || graph->options.rule == GLI_RULE_SATIA_LAVE) disturb(plain, node);
  bool first = own->told_upper == INFINITY;
  bulletin what = {.fallen = first || n->upper != upper,
                   .risen = first || n->lower != lower,
                   .upper = own->told_upper - n->upper > threshold,
                   .lower = n->lower - own->told_lower > threshold};
  if (what.upper) own->told_upper = n->upper;
  if (what.lower) own->told_lower = n->lower;
  if (what.fallen || what.risen || what.upper || what.lower) announce(plain, node, what);
}

bool gli_plain_propagate(gli_plain *plain, uint32_t node, double threshold) {
  uint64_t most = MOST_BACKUPS + 64 * (uint64_t)plain->graph->node_count, done = 0;
  if (!enter_new(plain)) return false;
  join(plain, node);
  for (uint32_t at; (at = leave(plain)) != GLI_NONE; done++) {
    const marks *m = &plain->marks[at];
    if (done < most && m->risen | (m->fallen & m->counts)) back_up(plain, at, threshold); /* stale is sound */
  }
  return true;
}

/* --------------------------------------------------------------- expansions */

static glimpse_stop full(gli_plain *plain) {
  plain->graph->full = true;
  return GLIMPSE_STOP_MEMORY;
}

/* A new node: its tree has changed, even if there is no room for its children, and it is a parent. */
static bool enter(gli_plain *plain, uint32_t node) {
  bool grown = gli_expand_grow(plain->graph, node, true, NULL);
  if (!enter_new(plain)) return false;
  disturb(plain, node);
  if (!grown) return false;
  plain->marks[node].counts = counting(plain->graph, node);
  return enter_children(plain, node);
}

/* What a new node leads to; paper: a request expands the corners that it first leads to. */
static bool settle(gli_plain *plain, uint32_t node, double threshold) {
  gli_graph *graph = plain->graph;
  if (!enter(plain, node)) return false;
  uint32_t support = gli_graph_node(graph, node)->support, corner;
  bool asks = graph->options.eager && gli_graph_shares(graph) && gli_node_can_ask(graph, gli_graph_node(graph, node));
  for (uint32_t i = 0; i < support && asks; i++) {
    uint32_t s = gli_graph_belief(graph, gli_graph_node(graph, node)).index[i];
    gli_frontier found = gli_frontier_corner(graph, s, &corner);
    if (found == GLI_FRONTIER_NOTHING) continue;
    if (found == GLI_FRONTIER_FULL || !enter(plain, corner) || !gli_plain_propagate(plain, corner, threshold))
      return false;
  }
  return gli_plain_propagate(plain, node, threshold);
}

static bool begin(gli_plain *plain, double threshold) {
  const gli_graph *graph = plain->graph;
  if (gli_graph_node(graph, graph->root)->greedy == GLI_NONE) return settle(plain, graph->root, threshold);
  if (plain->root == graph->root) return true;
  if (!enter_new(plain)) return false;
  plain->marks[graph->root].counts = UINT32_MAX; /* it was not the root: now all its choices are compared */
  return gli_plain_propagate(plain, graph->root, threshold);
}

/* An expansion is never left half done, because trees and parents are known of whole nodes only.  So the clock is read
 * between expansions. */
glimpse_stop gli_plain_root(gli_plain *plain, double threshold) {
  double deadline = plain->graph->deadline;
  plain->graph->deadline = INFINITY;
  bool fine = begin(plain, threshold);
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
    plain->marks[node] = (marks){UINT32_MAX, UINT32_MAX, counting(graph, node), false};
  forget(plain);
  const gli_node *root = gli_graph_node(graph, graph->root);
  if (gli_graph_gap(graph, root->upper, root->lower) == 0 || !changed) return gli_graph_solved(graph);
  return GLIMPSE_STOP_NONE;
}

/* A child was expanded, linked to a node, or has other bounds: its parent's tree has changed.  False: no room. */
static bool enter_child(gli_plain *plain, uint32_t parent, const gli_candidate *c, uint32_t node, bool made) {
  const gli_graph *graph = plain->graph;
  if (!enter_new(plain) || !add_parent(plain, graph->children[c->child].link, parent, c->choice)) return false;
  mark(plain, parent, c->choice);
  disturb(plain, parent);
  if (made && source_of(graph, node) == GLI_NONE) plain->news[node].source = plain->news[parent].source;
  return true;
}

static glimpse_stop expand(gli_plain *plain, double threshold) {
  gli_graph *graph = plain->graph;
  gli_candidate best;
  uint32_t parent, node;
  if (!gli_plain_select(plain, &best, &parent)) return full(plain);
  if (best.score == 0) return finish(plain);
  gli_frontier found = gli_frontier_expand(graph, parent, &best, &node);
  if (found == GLI_FRONTIER_FULL) return full(plain);
  bool made = found == GLI_FRONTIER_EXPANDED;
  graph->expansions += made;
  if (parent != GLI_NONE && !enter_child(plain, parent, &best, node, made)) return full(plain);
  if (made && !settle(plain, node, threshold)) return full(plain);
  if (parent != GLI_NONE && !gli_plain_propagate(plain, parent, threshold)) return full(plain);
  return GLIMPSE_STOP_NONE;
}

glimpse_stop gli_plain_step(gli_plain *plain, double threshold) {
  double deadline = plain->graph->deadline;
  plain->graph->deadline = INFINITY; /* see gli_plain_root */
  glimpse_stop stop = expand(plain, threshold);
  plain->graph->deadline = deadline;
  return stop;
}
