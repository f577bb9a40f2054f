/* Pass: where the search goes next.
 *
 * A walk meets, breadth first, the nodes that the policy greedy on U reaches from the root, and so finds for each its
 * Psi: the discounted probability of coming there (paper, Eq. cum_prod_inverse).  What flows back to a node that was
 * walked already is carried to the next walk; so Psi is repaired from pass to pass instead of being solved for
 * (plain.c does that).  The fringe beliefs at the border are candidates, scored by
 *   AEMS            Psi * gap          BI-POMDP  gap
 *   Satia and Lave  Psi * gap, where all choices that are not dominated are followed, as if equally probable.
 * A score below `least` counts as none: a thousand million such beliefs together are within rounding, and a graph that
 * is kept would go on growing where nothing depends on it.  Not so for the other rules: their scores say nothing of
 * what depends on them.
 *
 * A walk of the plan follows the lower bounds, in the same way; it finds only the order for backups.
 * Cost: that of the policy's part, which in a graph with equal beliefs merged is small. */
#include "graph/pass.h"

#include <stdlib.h>
#include <string.h>

#include "graph/store.h"

bool gli_pass_start(gli_pass *pass, gli_graph *graph) {
  *pass = (gli_pass){.graph = graph};
  pass->corner_mass = GLI_NEW(double, graph->states);
  pass->corner_met = GLI_NEW(uint32_t, graph->states);
  return pass->corner_mass && pass->corner_met;
}

void gli_pass_stop(gli_pass *pass) {
  gli_memory_free(pass->corner_mass);
  gli_memory_free(pass->corner_met);
}

uint64_t gli_pass_fixed(const gli_graph *graph) {
  return graph->states * (sizeof(double) + sizeof(uint32_t));
}

static void forget_corners(gli_pass *pass) {
  for (size_t i = 0; i < pass->corner_count; i++) pass->corner_mass[pass->corner_met[i]] = 0;
  pass->corner_count = 0;
}

void gli_pass_clear(gli_pass *pass) {
  forget_corners(pass);
  pass->count = pass->at = pass->candidate_count = pass->chosen = 0;
  pass->capacity = pass->candidate_capacity = 0; /* regions count them */
  pass->stamp = 0;
}

static bool meet(gli_pass *pass, uint32_t node, double mass) {
  gli_graph *graph = pass->graph;
  gli_node *n = gli_graph_node(graph, node);
  if (n->stamp == pass->stamp) {
    if (pass->plan) return true;
    if (n->place > pass->at) n->mass += mass; /* not of the one that is being walked: its mass has been sent on */
    else n->back += mass;
    return true;
  }
  if (pass->count == pass->capacity && !gli_store_array(graph, GLI_REGION_ORDER, &pass->capacity, pass->count + 1,
                                                        sizeof *pass->order, gli_store_scratch(graph)))
    return false;
  pass->order = (uint32_t *)(void *)graph->region[GLI_REGION_ORDER].start;
  n->stamp = pass->stamp;
  n->place = (uint32_t)pass->count;
  if (!pass->plan) n->mass = mass;
  pass->order[pass->count++] = node;
  return true;
}

static bool add_candidate(gli_pass *pass, gli_candidate candidate) {
  gli_graph *graph = pass->graph;
  if (!(candidate.score > 0) || (candidate.score < graph->least && graph->options.rule == GLI_RULE_AEMS)) return true;
  if (pass->candidate_count == pass->candidate_capacity &&
      !gli_store_array(graph, GLI_REGION_CANDIDATES, &pass->candidate_capacity, pass->candidate_count + 1,
                       sizeof *pass->candidates, gli_store_scratch(graph)))
    return false;
  pass->candidates = (gli_candidate *)(void *)graph->region[GLI_REGION_CANDIDATES].start;
  pass->candidates[pass->candidate_count++] = candidate;
  return true;
}

static double score_of(const gli_graph *graph, double mass, double upper, double lower) {
  double gap = gli_graph_gap(graph, upper, lower);
  return graph->options.rule == GLI_RULE_BI_POMDP ? gap : mass * gap;
}

/* What one outcome of a choice leads to. */
static bool follow(gli_pass *pass, uint32_t node, uint32_t choice, const gli_outcome *to, double mass) {
  const gli_graph *graph = pass->graph;
  uint32_t behind = gli_graph_behind(graph, to->link);
  if (behind != GLI_NONE) return meet(pass, behind, mass);
  if (pass->plan) return true;
  if (gli_link_corner(to->link)) {
    uint32_t s = to->link & ~GLI_CORNER;
    if (pass->corner_mass[s] == 0) {
      if (!(mass > 0)) return true;
      pass->corner_met[pass->corner_count++] = s;
    }
    pass->corner_mass[s] += mass;
    return true;
  }
  const gli_child *child = &graph->children[to->child];
  return add_candidate(pass,
                       (gli_candidate){score_of(graph, mass, child->upper, child->lower), node, choice, to->child});
}

static bool follow_choice(gli_pass *pass, uint32_t node, uint32_t choice, double mass) {
  gli_outcome to;
  for (uint32_t i = 0; gli_graph_outcome(pass->graph, node, choice, i, &to); i++)
    if (!follow(pass, node, choice, &to, mass * to.probability)) return false;
  return true;
}

static bool walk_node(gli_pass *pass, uint32_t node) {
  const gli_graph *graph = pass->graph;
  gli_node *n = gli_graph_node(graph, node);
  if (pass->plan) return n->plan == GLI_NONE || follow_choice(pass, node, n->plan, 0);
  n->mass = fmin(n->mass + n->back, 1 / (1 - graph->discount)); /* no more can come */
  n->back = 0;
  double mass = n->mass;
  if (n->greedy == GLI_NONE) return true;
  if (graph->options.rule != GLI_RULE_SATIA_LAVE)
    return follow_choice(pass, node, n->greedy, mass * gli_graph_discount(graph, n->greedy));
  for (uint32_t c = 0; c <= graph->actions; c++) {
    double weight = gli_graph_weight(graph, node, c);
    if (weight > 0 && !follow_choice(pass, node, c, mass * weight * gli_graph_discount(graph, c))) return false;
  }
  return true;
}

bool gli_pass_begin(gli_pass *pass, bool plan) {
  gli_graph *graph = pass->graph;
  forget_corners(pass);
  pass->plan = plan;
  pass->count = pass->at = 0;
  if (!plan) pass->candidate_count = pass->chosen = 0;
  if (++pass->stamp == 0) { /* after some thousand million walks */
    for (uint32_t i = 0; i < graph->node_count; i++) gli_graph_node(graph, i)->stamp = 0;
    pass->stamp = 1;
  }
  return meet(pass, graph->root, 1);
}

bool gli_pass_walk(gli_pass *pass, size_t nodes) {
  const gli_graph *graph = pass->graph;
  for (; nodes && pass->at < pass->count; nodes--, pass->at++)
    if (!walk_node(pass, pass->order[pass->at])) return false;
  if (!gli_pass_walked(pass) || pass->plan) return true;
  for (size_t i = 0; i < pass->corner_count; i++) {
    uint32_t s = pass->corner_met[i];
    const gli_corner *corner = &graph->corner[s];
    double score = score_of(graph, pass->corner_mass[s], corner->upper, corner->lower);
    if (!add_candidate(pass, (gli_candidate){score, GLI_NONE, GLI_NONE, s})) return false;
  }
  forget_corners(pass);
  return true;
}

/* ----------------------------------------------------------------- choosing */

/* Best first; no two are equal, so that the order is the same everywhere. */
static bool better(const gli_candidate *x, const gli_candidate *y) {
  if (x->score != y->score) return x->score > y->score;
  return x->node != y->node ? x->node < y->node : x->child < y->child;
}

static int compare(const void *left, const void *right) {
  return better(left, right) ? -1 : better(right, left);
}

static void swap(gli_candidate *x, gli_candidate *y) {
  gli_candidate z = *x;
  *x = *y;
  *y = z;
}

/* Brings the best `count` to the front (Hoare's FIND). */
static void partition(gli_candidate *c, size_t all, size_t count) {
  ptrdiff_t low = 0, high = (ptrdiff_t)all - 1, last = (ptrdiff_t)count - 1;
  while (low < high) {
    gli_candidate pivot = c[last];
    ptrdiff_t i = low, k = high;
    do {
      while (better(&c[i], &pivot)) i++;
      while (better(&pivot, &c[k])) k--;
      if (i <= k) swap(&c[i++], &c[k--]);
    } while (i <= k);
    if (k < last) low = i;
    if (last < i) high = k;
  }
}

void gli_pass_choose(gli_pass *pass, size_t count) {
  if (count > pass->candidate_count) count = pass->candidate_count;
  if (count && count < pass->candidate_count) partition(pass->candidates, pass->candidate_count, count);
  if (count > 1) qsort(pass->candidates, count, sizeof *pass->candidates, compare);
  pass->chosen = count;
}
