/* Pass: where the search goes next.
 *
 * A walk meets, breadth first, the nodes that the policy greedy on U reaches from the root, and so finds for each its
 * Psi: the discounted probability of coming there (paper, Eq. cum_prod_inverse).  What flows back to a node that was
 * walked already is carried to the next walk; so Psi is repaired from pass to pass instead of being solved for
 * (src/paper does that).  The fringe beliefs at the border are candidates, scored by
 *   AEMS            Psi * gap          BI-POMDP  gap
 *   Satia and Lave  Psi * gap, where all choices that are not dominated are followed, as if equally probable.
 * A score of AEMS below `least` counts as none: a billion such beliefs together change less than rounding, and a graph
 * that is kept would go on growing there.  The scores of the other rules do not say how much a belief matters.
 *
 * A walk goes no further than where Psi times the gap is worth it: what is below a node can change no more at the root.
 * How much that is follows from the scores that the last pass chose (gli_pass_end).  For the same reason the nodes
 * where a walk ends are not backed up.
 *
 * While candidates are taken the walk goes on: from a node that one was linked to (gli_pass_on), and where another
 * choice becomes greedy at a node that was walked (gli_pass_turn).  Candidates that the greedy policy no longer leads
 * to are dropped when they come up.
 *
 * A walk of the plan follows the lower bounds, in the same way; it finds only the order for backups.
 * Cost: that of the policy's part, which in a graph with equal beliefs merged is small. */
#include "graph/pass.h"

#include <assert.h>
#include <string.h>

#include "graph/store.h"
#include "graph/tuning.h"

bool gli_pass_start(gli_pass *pass, gli_graph *graph) {
  *pass = (gli_pass){.graph = graph};
  pass->corner_mass = GLI_NEW(double, graph->states);
  pass->corner_met = GLI_NEW(gli_candidate, graph->states);
  return pass->corner_mass && pass->corner_met;
}

void gli_pass_stop(gli_pass *pass) {
  gli_memory_free(pass->corner_mass);
  gli_memory_free(pass->corner_met);
}

uint64_t gli_pass_fixed(const gli_graph *graph) {
  return graph->states * (sizeof(double) + sizeof(gli_candidate));
}

static void forget_corners(gli_pass *pass) {
  for (size_t i = 0; i < pass->corner_count; i++) pass->corner_mass[pass->corner_met[i].child & ~GLI_CORNER] = 0;
  pass->corner_count = 0;
}

void gli_pass_clear(gli_pass *pass) {
  forget_corners(pass);
  pass->count = pass->at = pass->candidate_count = 0;
  pass->capacity = pass->candidate_capacity = 0; /* regions count them */
  pass->stamp = 0;
  pass->cut = 0;
}

static bool meet(gli_pass *pass, uint32_t node, uint32_t above, uint32_t choice, double mass) {
  gli_graph *graph = pass->graph;
  gli_node *n = gli_graph_node(graph, node);
  assert(node < graph->node_count && pass->stamp); /* G5 */
  if (n->stamp == pass->stamp) {
    assert(n->place < pass->count && pass->order[n->place].node == node); /* no node is in the order twice */
    if (pass->plan || pass->turning) return true;
    if (n->place > pass->at) n->mass += mass; /* not of the one that is being walked: its mass has been sent on */
    else n->back += mass;
    return true;
  }
  if (pass->count == pass->capacity && !gli_store_array(graph, GLI_REGION_ORDER, &pass->capacity, pass->count + 1,
                                                        sizeof *pass->order, gli_store_scratch(graph)))
    return false;
  pass->order = (gli_stop *)(void *)graph->region[GLI_REGION_ORDER].start;
  n->stamp = pass->stamp;
  n->place = (uint32_t)pass->count;
  if (!pass->plan) n->mass = mass;
  pass->order[pass->count++] = (gli_stop){node, above, choice, 0};
  return true;
}

/* ----------------------------------------------------------------- the heap */

/* Best first; only what is the same candidate is equal, so that the order is the same everywhere. */
static bool better(const gli_candidate *x, const gli_candidate *y) {
  if (x->score != y->score) return x->score > y->score;
  return x->place != y->place ? x->place < y->place : x->child < y->child;
}

static double score_of(const gli_graph *graph, double mass, double upper, double lower) {
  double gap = gli_graph_gap(graph, upper, lower);
  return graph->options.rule == GLI_RULE_BI_POMDP ? gap : mass * gap;
}

static bool add_candidate(gli_pass *pass, gli_candidate candidate) {
  gli_graph *graph = pass->graph;
  if (!(candidate.score > 0) || (candidate.score < graph->least && graph->options.rule == GLI_RULE_AEMS)) return true;
  if (pass->candidate_count == pass->candidate_capacity &&
      !gli_store_array(graph, GLI_REGION_CANDIDATES, &pass->candidate_capacity, pass->candidate_count + 1,
                       sizeof *pass->candidates, gli_store_scratch(graph)))
    return false;
  gli_candidate *heap = pass->candidates = (gli_candidate *)(void *)graph->region[GLI_REGION_CANDIDATES].start;
  size_t i = pass->candidate_count++;
  for (; i && better(&candidate, &heap[(i - 1) / 2]); i = (i - 1) / 2) heap[i] = heap[(i - 1) / 2];
  heap[i] = candidate;
  return true;
}

static gli_candidate take_best(gli_pass *pass) {
  gli_candidate *heap = pass->candidates, best = heap[0], last = heap[--pass->candidate_count];
  size_t i = 0, count = pass->candidate_count;
  for (size_t child = 1; child < count; child = 2 * i + 1) {
    if (child + 1 < count && better(&heap[child + 1], &heap[child])) child++;
    if (!better(&heap[child], &last)) break;
    heap[i] = heap[child];
    i = child;
  }
  heap[i] = last;
  assert(!count || !better(&heap[0], &best));
  return best;
}

/* ------------------------------------------------------------------ walking */

/* What one outcome of a choice leads to. */
static bool follow(gli_pass *pass, uint32_t place, uint32_t choice, const gli_outcome *to, double mass) {
  const gli_graph *graph = pass->graph;
  uint32_t behind = gli_graph_behind(graph, to->link);
  if (behind != GLI_NONE) return meet(pass, behind, place, choice, mass);
  if (pass->plan) return true;
  if (gli_link_corner(to->link)) {
    uint32_t s = to->link & ~GLI_CORNER;
    if (pass->corner_mass[s] == 0) {
      if (!(mass > 0)) return true;
      pass->corner_met[pass->corner_count++] = (gli_candidate){.place = place, .choice = choice, .child = to->link};
    }
    pass->corner_mass[s] += mass;
    return true;
  }
  const gli_child *child = &graph->children[to->child];
  return add_candidate(pass, (gli_candidate){.score = score_of(graph, mass, child->upper, child->lower),
                                             .mass = mass,
                                             .place = place,
                                             .choice = choice,
                                             .child = to->child});
}

static bool follow_choice(gli_pass *pass, uint32_t place, uint32_t choice, double mass) {
  uint32_t node = pass->order[place].node;
  gli_outcome to;
  for (uint32_t i = 0; gli_graph_outcome(pass->graph, node, choice, i, &to); i++)
    if (!follow(pass, place, choice, &to, mass * to.probability)) return false;
  return true;
}

static bool walk_place(gli_pass *pass, uint32_t place) {
  const gli_graph *graph = pass->graph;
  uint32_t node = pass->order[place].node;
  gli_node *n = gli_graph_node(graph, node);
  double gap = gli_graph_gap(graph, n->upper, n->lower);
  if (pass->plan) {
    if (!place) pass->plan_cut = gap * GLI_TUNING_PLAN_CUT;
    pass->order[place].past = gap > pass->plan_cut;
    return n->plan == GLI_NONE || gap <= pass->plan_cut || follow_choice(pass, place, n->plan, 0);
  }
  double mass = n->mass + n->back, most = 1 / (1 - graph->discount); /* no more can come */
  n->mass = mass = mass < most ? mass : most;
  n->back = 0;
  bool minor = place && mass * gap <= pass->cut && graph->options.rule == GLI_RULE_AEMS;
  pass->order[place].past = !minor;
  if (minor || n->greedy == GLI_NONE) return true;
  if (graph->options.rule != GLI_RULE_SATIA_LAVE)
    return follow_choice(pass, place, n->greedy, mass * gli_graph_discount(graph, n->greedy));
  for (uint32_t c = 0; c <= graph->actions; c++) {
    double weight = gli_graph_weight(graph, node, c);
    if (weight > 0 && !follow_choice(pass, place, c, mass * weight * gli_graph_discount(graph, c))) return false;
  }
  return true;
}

bool gli_pass_begin(gli_pass *pass, bool plan) {
  gli_graph *graph = pass->graph;
  forget_corners(pass);
  pass->plan = plan;
  pass->count = pass->at = 0;
  pass->candidate_count = pass->stale = 0;
  if (++pass->stamp == 0) { /* after 2^32 walks */
    for (uint32_t i = 0; i < graph->node_count; i++) gli_graph_node(graph, i)->stamp = 0;
    pass->stamp = 1;
  }
  return meet(pass, graph->root, GLI_NONE, GLI_NONE, 1);
}

bool gli_pass_walk(gli_pass *pass, size_t nodes) {
  const gli_graph *graph = pass->graph;
  for (; nodes && pass->at < pass->count; nodes--, pass->at++)
    if (!walk_place(pass, (uint32_t)pass->at)) return false;
  if (pass->at < pass->count) return true;
  for (; pass->corner_count; pass->corner_count--) { /* all that comes to a corner is known by now */
    gli_candidate met = pass->corner_met[pass->corner_count - 1];
    uint32_t s = met.child & ~GLI_CORNER;
    met.mass = pass->corner_mass[s];
    met.score = score_of(graph, met.mass, graph->corner[s].upper, graph->corner[s].lower);
    if (!add_candidate(pass, met)) return false;
    pass->corner_mass[s] = 0;
  }
  return true;
}

bool gli_pass_on(gli_pass *pass, uint32_t node, const gli_candidate *from) {
  return meet(pass, node, from->place, from->choice, from->mass);
}

/* What was met before keeps its Psi: the next walk finds it anew. */
bool gli_pass_turn(gli_pass *pass, uint32_t place) {
  const gli_graph *graph = pass->graph;
  const gli_node *n = gli_graph_node(graph, pass->order[place].node);
  if (graph->options.rule == GLI_RULE_SATIA_LAVE) return true;
  pass->turning = true;
  bool room = follow_choice(pass, place, n->greedy, n->mass * gli_graph_discount(graph, n->greedy));
  pass->turning = false;
  return room;
}

/* The score of a candidate as bounds are now; 0: it is none any more. */
static double score_now(const gli_graph *graph, const gli_candidate *c) {
  if (c->child & GLI_CORNER) {
    const gli_corner *corner = &graph->corner[c->child & ~GLI_CORNER];
    return corner->node == GLI_NONE ? score_of(graph, c->mass, corner->upper, corner->lower) : 0;
  }
  const gli_child *child = &graph->children[c->child];
  return gli_link_fringe(child->link) ? score_of(graph, c->mass, child->upper, child->lower) : 0;
}

bool gli_pass_minor(const gli_pass *pass, const gli_candidate *candidate) {
  return score_now(pass->graph, candidate) < pass->cut;
}

bool gli_pass_back(gli_pass *pass, const gli_candidate *candidate) {
  gli_candidate again = *candidate;
  again.score = score_now(pass->graph, candidate);
  return add_candidate(pass, again);
}

/* Is the path to a candidate still that of the greedy policy? */
static bool followed(const gli_pass *pass, const gli_candidate *c) {
  const gli_graph *graph = pass->graph;
  if (graph->options.rule == GLI_RULE_SATIA_LAVE) return true;
  uint32_t choice = c->choice;
  for (uint32_t place = c->place; place != GLI_NONE; place = pass->order[place].above) {
    if (gli_graph_node(graph, pass->order[place].node)->greedy != choice) return false;
    choice = pass->order[place].choice;
  }
  return true;
}

bool gli_pass_take(gli_pass *pass, gli_candidate *candidate) {
  while (pass->candidate_count) {
    *candidate = take_best(pass);
    if (score_now(pass->graph, candidate) < candidate->score) {
      gli_pass_back(pass, candidate); /* there is room: it has just left */
      continue;
    }
    if (followed(pass, candidate)) return true;
    pass->stale++;
  }
  return false;
}

void gli_pass_end(gli_pass *pass, double worst) {
  if (worst < INFINITY) pass->cut = GLI_TUNING_CUT * worst;
  else pass->cut = pass->cut > pass->graph->least ? GLI_TUNING_CUT_LESS * pass->cut : 0;
}
