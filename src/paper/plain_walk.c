/* Plain walk: which fringe belief is next (paper, Algorithms 2 and 4).
 *
 * A *source* is a node that may be reached by several paths: the root, a corner and, where equal beliefs are shared,
 * any node.  From each source that the policy reaches its *tree* is walked to the fringe, where the candidates are with
 * their weight discount^d P(path), seen from the source, and to other sources, to which probability flows.  Then
 *   Psi = e_root + M^T Psi
 * is solved by relaxation: what is missing at a source is pushed along its flows until next to nothing is missing.  It
 * begins with the Psi of the last selection, from which one expansion changes little.
 *
 * A selection does again only what an expansion has changed.  Each node of a tree knows the best that the policy meets
 * below it.  Where its greedy choice changes, or a child is expanded, it and those above it are walked anew; the best
 * candidate is then found from the top, by way of the nodes that know a better one than was found before.  Most
 * expansions leave the flows as they were: then so is Psi, once a solution has found nothing missing.
 * All of it gives the numbers of a walk from the root to every candidate, bit by bit, and of equal scores the first. */
#include <string.h>

#include "paper/parts.h"

enum { MOST_PUSHES = 1000000, FEW_FLOWS = 4096 };
static const double missing = 1e-14; /* of Psi, relative to 1: nothing */

#define FAINTEST 0x1p-900 /* Psi of what is reached, at least */

uint32_t gli_plain_source(const gli_graph *graph, uint32_t node) {
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

bool gli_plain_walk_grow(gli_plain *plain) {
  const gli_graph *graph = plain->graph;
  size_t need = graph->states + (graph->options.sharing == GLI_SHARE_ALL ? graph->node_count : 1);
  size_t before = plain->tree_capacity;
  if (!GLI_PLAIN_GROW(plain, plain->trees, plain->tree_capacity, need)) return false;
  for (; before < plain->tree_capacity; before++) plain->trees[before] = (gli_tree){0};
  before = plain->row_capacity;
  if (!GLI_PLAIN_GROW(plain, plain->row_of, plain->row_capacity, need)) return false;
  for (; before < plain->row_capacity; before++) plain->row_of[before] = 0;
  before = plain->psi_capacity;
  if (!GLI_PLAIN_GROW(plain, plain->psi, plain->psi_capacity, need)) return false;
  for (; before < plain->psi_capacity; before++) plain->psi[before] = 0;
  return GLI_PLAIN_GROW(plain, plain->stale, plain->stale_capacity, need) &&
         GLI_PLAIN_GROW(plain, plain->branches, plain->branch_capacity, graph->node_count);
}

void gli_plain_walk_enter(gli_plain *plain, uint32_t node) {
  plain->branches[node] = (gli_branch){.up = GLI_NONE, .via = GLI_NONE, .choice = GLI_NONE};
}

/* Those above are walked anew as far as the last walk came from there. */
void gli_plain_disturb(gli_plain *plain, uint32_t node) {
  const gli_graph *graph = plain->graph;
  for (;;) {
    gli_branch *b = &plain->branches[node], *up = b->up == GLI_NONE ? NULL : &plain->branches[b->up];
    b->walked = false;
    if (!up) break;
    if (!up->walked || (up->choice != b->via && graph->options.rule != GLI_RULE_SATIA_LAVE)) return;
    node = b->up;
  }
  uint32_t source = gli_plain_source(graph, node);
  if (source == GLI_NONE || !plain->trees[source].walked) return;
  plain->trees[source].walked = false;
  plain->stale[plain->stale_count++] = source;
}

void gli_plain_forget(gli_plain *plain) {
  for (size_t i = 0; i < plain->tree_capacity; i++) plain->trees[i] = (gli_tree){0};
  for (size_t i = 0; i < plain->nodes; i++) plain->branches[i].walked = false;
  plain->flow_count = plain->enough = plain->stale_count = 0;
  plain->walked_root = GLI_NONE;
}

/* -------------------------------------------------------------------- trees */

static bool add_step(gli_plain *plain, uint32_t node, double weight) {
  if (!GLI_PLAIN_GROW(plain, plain->steps, plain->step_capacity, plain->step_count + 1)) return false;
  plain->steps[plain->step_count++] = (gli_step){node, weight};
  return true;
}

/* What is done for each outcome of a choice that the policy follows, with its weight. */
typedef bool outcome_deed(gli_plain *plain, gli_step at, uint32_t choice, const gli_outcome *to, double weight,
                          void *context);

GLI_ALWAYS_INLINE bool follow_choice(gli_plain *plain, gli_step at, uint32_t choice, double weight, outcome_deed *deed,
                                     void *context) {
  const gli_graph *graph = plain->graph;
  gli_outcome to;
  weight *= gli_graph_discount(graph, choice);
  for (uint32_t i = 0; gli_graph_outcome(graph, at.node, choice, i, &to); i++)
    if (!deed(plain, at, choice, &to, weight * to.probability, context)) return false;
  return true;
}

/* All choices that the rule follows. */
GLI_ALWAYS_INLINE bool follow(gli_plain *plain, gli_step at, outcome_deed *deed, void *context) {
  const gli_graph *graph = plain->graph;
  uint32_t greedy = gli_graph_node(graph, at.node)->greedy;
  if (greedy == GLI_NONE) return true;
  if (graph->options.rule != GLI_RULE_SATIA_LAVE) return follow_choice(plain, at, greedy, at.weight, deed, context);
  for (uint32_t c = 0; c <= graph->actions; c++) {
    double weight = gli_graph_weight(graph, at.node, c);
    if (weight > 0 && !follow_choice(plain, at, c, at.weight * weight, deed, context)) return false;
  }
  return true;
}

/* The source that an outcome leads to; GLI_NONE: an inner node. */
static inline uint32_t source_behind(const gli_graph *graph, uint32_t link) {
  return gli_link_corner(link) ? link & ~GLI_CORNER : gli_plain_source(graph, link);
}

static inline double gap_of(const gli_graph *graph, const gli_child *child) {
  return gli_graph_gap(graph, child->upper, child->lower);
}

static inline void merge(gli_branch *b, const gli_branch *below) {
  b->peak = below->peak > b->peak ? below->peak : b->peak;
  b->gap = below->gap > b->gap ? below->gap : b->gap;
  b->flows += below->flows;
}

/* What is met there: a candidate, a flow, a node that is known still, or one to be walked. */
static bool meet(gli_plain *plain, gli_step at, uint32_t choice, const gli_outcome *to, double weight, void *context) {
  const gli_graph *graph = plain->graph;
  gli_branch *b = context;
  if (gli_link_fringe(to->link)) {
    double gap = gap_of(graph, &graph->children[to->child]), score = weight * gap;
    b->gap = gap > b->gap ? gap : b->gap;
    b->peak = score > b->peak ? score : b->peak;
    return true;
  }
  if (source_behind(graph, to->link) != GLI_NONE) {
    b->flows++;
    b->own++;
    return true;
  }
  gli_branch *below = &plain->branches[to->link];
  below->up = at.node;
  below->via = choice;
  if (below->walked && below->weight == weight) {
    merge(b, below);
    return true;
  }
  return add_step(plain, to->link, weight);
}

/* A node is walked anew, but for what is below it. */
static bool visit(gli_plain *plain, gli_step at) {
  const gli_graph *graph = plain->graph;
  gli_branch *b = &plain->branches[at.node];
  uint32_t greedy = gli_graph_node(graph, at.node)->greedy, own = b->own;
  b->altered = greedy != b->choice || at.weight != b->weight || graph->options.rule == GLI_RULE_SATIA_LAVE;
  b->before = b->flows;
  b->weight = at.weight;
  b->choice = greedy;
  b->peak = b->gap = 0;
  b->flows = b->own = 0;
  b->walked = true;
  if (!GLI_PLAIN_GROW(plain, plain->order, plain->order_capacity, plain->order_count + 1)) return false;
  plain->order[plain->order_count++] = at.node;
  if (!follow(plain, at, meet, b)) return false;
  b->altered |= own != b->own;
  return true;
}

/* What has changed of a tree.  Those below come later in the order. */
static bool walk_source(gli_plain *plain, uint32_t source) {
  gli_tree *t = &plain->trees[source];
  uint32_t top = node_of(plain->graph, source);
  t->walked = true;
  if (top == GLI_NONE) return true;
  gli_branch *first = &plain->branches[top];
  plain->step_count = plain->order_count = 0;
  first->up = GLI_NONE;
  if (!add_step(plain, top, 1)) return false;
  while (plain->step_count)
    if (!visit(plain, plain->steps[--plain->step_count])) return false;
  for (size_t i = plain->order_count; i-- > 1;) {
    gli_branch *b = &plain->branches[plain->order[i]], *up = &plain->branches[b->up];
    merge(up, b);
    up->altered |= b->altered && (b->flows || b->before);
  }
  t->listed = t->listed && !(first->altered && (first->flows || first->before));
  return true;
}

/* ---------------------------------------------------------------------- Psi */

static bool list(gli_plain *plain, gli_step at, uint32_t choice, const gli_outcome *to, double weight, void *context) {
  gli_tree *t = context;
  (void)at;
  (void)choice;
  if (gli_link_fringe(to->link)) return true;
  uint32_t source = source_behind(plain->graph, to->link);
  if (source == GLI_NONE) return !plain->branches[to->link].flows || add_step(plain, to->link, weight);
  if (!GLI_PLAIN_GROW(plain, plain->flows, plain->flow_capacity, plain->flow_count + 1)) return false;
  plain->flows[plain->flow_count++] = (gli_flow){source, weight};
  t->flow_count++;
  return true;
}

/* The flows of a tree, in the order of a walk that meets all nodes. */
static bool list_flows(gli_plain *plain, uint32_t source) {
  gli_tree *t = &plain->trees[source];
  uint32_t top = node_of(plain->graph, source);
  t->flows = plain->flow_count;
  t->flow_count = 0;
  plain->step_count = 0;
  if (top != GLI_NONE && plain->branches[top].flows && !add_step(plain, top, 1)) return false;
  while (plain->step_count)
    if (!follow(plain, plain->steps[--plain->step_count], list, t)) return false;
  return t->listed = true;
}

static bool reach_source(gli_plain *plain, uint32_t source) {
  if (plain->row_of[source]) return true;
  if (!GLI_PLAIN_GROW(plain, plain->source, plain->source_capacity, plain->rows + 1)) return false;
  plain->source[plain->rows++] = source;
  plain->row_of[source] = (uint32_t)plain->rows;
  return true;
}

/* All sources that the policy reaches, with their trees, in the order in which they are met. */
static bool walk_all(gli_plain *plain) {
  plain->walked_root = GLI_NONE;
  if (plain->enough && plain->flow_count > plain->enough) {
    for (size_t i = 0; i < plain->tree_capacity; i++) plain->trees[i].listed = false;
    plain->flow_count = plain->enough = 0;
  }
  for (size_t i = 0; i < plain->rows; i++) plain->row_of[plain->source[i]] = 0;
  plain->rows = 0;
  if (!reach_source(plain, gli_plain_source(plain->graph, plain->graph->root))) return false;
  for (size_t row = 0; row < plain->rows; row++) {
    uint32_t source = plain->source[row];
    const gli_tree *t = &plain->trees[source];
    if ((!t->walked && !walk_source(plain, source)) || (!t->listed && !list_flows(plain, source))) return false;
    for (size_t i = t->flows; i < t->flows + t->flow_count; i++)
      if (!reach_source(plain, plain->flows[i].source)) return false;
  }
  if (!plain->enough) plain->enough = 2 * plain->flow_count + FEW_FLOWS;
  plain->walked_root = plain->graph->root;
  plain->still = false;
  return true;
}

/* What has changed, as long as the flows are as they were; then all. */
static bool walk(gli_plain *plain) {
  bool same = plain->walked_root == plain->graph->root;
  for (size_t i = 0; i < plain->stale_count && same; i++) {
    uint32_t source = plain->stale[i];
    if (!plain->row_of[source]) continue; /* whoever reaches it walks it */
    if (!walk_source(plain, source)) return false;
    same = plain->trees[source].listed;
  }
  plain->stale_count = 0;
  return same || walk_all(plain);
}

/* Sends what there is at a source along its flows; returns how many these are. */
static size_t push(const gli_plain *plain, size_t row, double amount) {
  const gli_tree *t = &plain->trees[plain->source[row]];
  for (size_t i = t->flows; i < t->flows + t->flow_count; i++) {
    const gli_flow *f = &plain->flows[i];
    plain->residual[plain->row_of[f->source] - 1] += amount * f->weight;
  }
  return t->flow_count;
}

/* Relaxation: see above.  Begins with what is known of the sources. */
static bool solve(gli_plain *plain) {
  size_t n = plain->rows;
  if (plain->still) return true;
  if (!GLI_PLAIN_GROW(plain, plain->reach, plain->reach_capacity, n) ||
      !GLI_PLAIN_GROW(plain, plain->residual, plain->residual_capacity, n))
    return false;
  double *x = plain->reach, *r = plain->residual;
  for (size_t i = 0; i < n; i++) {
    x[i] = plain->psi[plain->source[i]];
    r[i] = (i == 0) - x[i];
  }
  for (size_t i = 0; i < n; i++) push(plain, i, x[i]);
  bool more = plain->still = true;
  for (uint64_t pushes = 0; more && pushes < MOST_PUSHES;) {
    more = false;
    for (size_t i = 0; i < n; i++) {
      double d = r[i];
      if (fabs(d) <= missing) continue;
      x[i] += d;
      r[i] = 0;
      pushes += push(plain, i, d);
      more = true;
      plain->still = false;
    }
  }
  for (size_t i = 0; i < n; i++) plain->psi[plain->source[i]] = x[i];
  return true;
}

double gli_plain_reach(const gli_plain *plain, uint32_t node) {
  uint32_t source = gli_plain_source(plain->graph, node);
  uint32_t row = source < plain->row_capacity ? plain->row_of[source] : 0;
  return row ? plain->reach[row - 1] : 0;
}

/* ----------------------------------------------------------------- the best */

typedef struct finding {
  double reach; /* Psi of the source */
  double least; /* the best score is no smaller */
  gli_candidate best;
  uint32_t parent;
} finding;

static void consider(const gli_graph *graph, finding *found, double gap, double weight, gli_candidate c,
                     uint32_t parent) {
  c.score = gap;
  /* What the walk met is reached, however small Psi: the weights of Satia and Lave shrink with every step. */
  if (graph->options.rule != GLI_RULE_BI_POMDP) c.score *= fmax(weight * found->reach, FAINTEST);
  if (c.score < graph->least && graph->options.rule == GLI_RULE_AEMS) return; /* see pass.c */
  if (c.score <= found->best.score) return;
  found->best = c;
  found->parent = parent;
}

/* No candidate below has a larger score: a little more, because it may be rounded otherwise. */
static bool hopeless(const gli_graph *graph, const finding *found, const gli_branch *b) {
  double most = b->gap, faint = 2 * FAINTEST * b->gap;
  if (graph->options.rule != GLI_RULE_BI_POMDP) {
    most = b->peak * found->reach * (1 + 0x1p-48);
    most = most > faint ? most : faint;
  }
  return most <= found->best.score || most < found->least;
}

/* A score that some candidate of a row has at least: a little less, likewise. */
static double surely(const gli_plain *plain, size_t row) {
  const gli_graph *graph = plain->graph;
  uint32_t top = node_of(graph, plain->source[row]);
  if (top == GLI_NONE) return 0; /* soon considered anyway */
  const gli_branch *b = &plain->branches[top];
  double sure = graph->options.rule == GLI_RULE_BI_POMDP ? b->gap : b->peak * plain->reach[row] * (1 - 0x1p-48);
  return sure > FAINTEST ? sure : 0; /* with fewer digits it is not so sure */
}

static bool search(gli_plain *plain, gli_step at, uint32_t choice, const gli_outcome *to, double weight,
                   void *context) {
  const gli_graph *graph = plain->graph;
  if (gli_link_fringe(to->link)) {
    gli_candidate c = {.choice = choice, .child = to->child};
    consider(graph, context, gap_of(graph, &graph->children[to->child]), weight, c, at.node);
    return true;
  }
  if (source_behind(graph, to->link) != GLI_NONE || hopeless(graph, context, &plain->branches[to->link])) return true;
  return add_step(plain, to->link, weight);
}

/* Takes the best of a row, if it is better. */
static bool take_best(gli_plain *plain, size_t row, finding *found) {
  const gli_graph *graph = plain->graph;
  uint32_t source = plain->source[row], top = node_of(graph, source);
  found->reach = plain->reach[row];
  if (top == GLI_NONE) {
    const gli_corner *corner = &graph->corner[source];
    double gap = gli_graph_gap(graph, corner->upper, corner->lower);
    consider(graph, found, gap, 1, (gli_candidate){.child = GLI_CORNER | source}, GLI_NONE);
    return true;
  }
  plain->step_count = 0;
  if (!hopeless(graph, found, &plain->branches[top]) && !add_step(plain, top, 1)) return false;
  while (plain->step_count) {
    gli_step at = plain->steps[--plain->step_count];
    if (!hopeless(graph, found, &plain->branches[at.node]) && !follow(plain, at, search, found)) return false;
  }
  return true;
}

bool gli_plain_select(gli_plain *plain, gli_candidate *best, uint32_t *parent) {
  finding found = {.parent = GLI_NONE};
  bool fine = gli_plain_walk_grow(plain) && walk(plain);
  if (!fine) gli_plain_forget(plain); /* what was walked in part */
  fine = fine && solve(plain);
  for (size_t row = 0; row < plain->rows && fine; row++) found.least = fmax(found.least, surely(plain, row));
  for (size_t row = 0; row < plain->rows && fine; row++) fine = take_best(plain, row, &found);
  *best = found.best;
  *parent = found.parent;
  return fine;
}
