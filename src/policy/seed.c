/* Seed: what the upper bound of a search rests on, as points.
 *
 * A search has upper bounds of the choices of its nodes, and none is below what its children say (graph.h, G3), unless
 * points say less.  From the root on, nodes become points, those first that take most off the bound there, with a
 * number for each action that known states alone would not hold down to the node's bound.  A number rests on its
 * children: those are nodes that become points, too, unless the number can do without: what an action that is not the
 * best may rise before it is in the way is spare, and is spent on the children that would take least.
 *
 * Then every number must be proved by points and known states alone.  A child that is a point by itself is held by
 * that; the search found bounds of others by points that it may have forgotten, so all points are looked at, and where
 * that is not enough the child gets numbers of its own: one that nothing holds would rise, and others with it.  Numbers
 * are put to their look ahead, up or down, again and again, which is a contraction and begins near its end: it often
 * ends below the bound of the search, whose nodes are backed up less often.  Then numbers may only rise, until none is
 * below its look ahead but for very little; by what that may add up to all rise.
 *
 * Points are beliefs without their smallest probabilities: a belief that differs from a point a little has nearly all
 * of it then, and else might have nothing of it.
 *
 * Workers look at nodes while nothing else changes; numbers change in between, in their order.  So the result does not
 * depend on how many there are. */
#include "policy/seed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/memory.h"

/* Smaller probabilities of a point are left out. */
#define TRIM 1e-6
/* Nodes are left out that would take less than this share of the gap off the bound at the root. */
#define LEAST 1e-3
/* Of the time that is left the walk may take this share, and both walk and search for points that. */
#define WALK_SHARE 0.3
#define GROUND_SHARE 0.5
/* Points are looked for that hold a node this share of the gap below what the search says: known states may rise. */
#define MARGIN 0.3
/* A node is mended whose bound is above what the search knew by more than this share of the gap. */
#define MENDED 5e-4
enum { MENDS = 4, MEND_MORE = 1 }; /* steps behind it; times the work that came before, at most */
/* Numbers that are looked at together, so that workers have something to share. */
enum { BATCH = 512, BLOCK = 16 };
/* Sweeps that may lower numbers, and those that may only raise them. */
enum { MOST_SWEEPS = 24, MOST_RISES = 64 };
/* Bounds are the same that differ by no more than this, relative to the largest value. */
#define NEAR 1e-9
/* At last all numbers rise by no more than this share of the gap. */
#define RISE 0.002

typedef struct gain {
  uint32_t node; /* of the graph */
  double by;     /* what its bound takes off the number that looks at it, ... */
  double own;    /* ... and off its own by known states */
  double weight;
} gain;

typedef struct turn {
  double worth;  /* weight times gain */
  uint32_t node; /* of the graph */
} turn;

typedef struct seed {
  gli_slate *slate;
  const gli_graph *graph;
  double gap, scale;       /* at the root, not below rounding; of all values */
  size_t most;             /* nodes of the slate */
  double walked, grounded; /* when walk and search must end */
  uint32_t start;          /* node of the slate */
  uint32_t *node;          /* per node of the graph: its node in the slate; NONE: not taken */
  double *weight;          /* per node of the graph: the largest discounted probability of a path to it, ... */
  double *followed;        /* ... and that with which it was followed */
  turn *heap;              /* nodes to follow, the worthiest first */
  size_t heaped, heap_capacity;
  gain *gains; /* of the children of a number */
  size_t gain_count, gain_capacity;
  double *sum; /* per action */
  gli_sparse belief;
  uint32_t *batch;  /* nodes of the slate to mend, or to look at */
  uint32_t *wanted; /* per node of the slate: when it was last put there */
  size_t batched, batch_capacity, wanted_capacity;
  bool *failed; /* per worker: out of memory */
} seed;

static bool over(const seed *t) {
  return gli_clock_now() >= t->slate->how->until || gli_flag_raised(t->slate->how->interrupt);
}

/* --------------------------------------------------------------------- turns */

static bool before(turn x, turn y) {
  return x.worth > y.worth || (x.worth == y.worth && x.node < y.node);
}

static bool push(seed *t, turn next) {
  if (!GLI_GROW(t->heap, t->heap_capacity, t->heaped + 1)) return false;
  size_t i = t->heaped++;
  for (; i && before(next, t->heap[(i - 1) / 2]); i = (i - 1) / 2) t->heap[i] = t->heap[(i - 1) / 2];
  t->heap[i] = next;
  return true;
}

static turn pop(seed *t) {
  turn first = t->heap[0], last = t->heap[--t->heaped];
  size_t i = 0;
  for (size_t k; (k = 2 * i + 1) < t->heaped; i = k) {
    k += k + 1 < t->heaped && before(t->heap[k + 1], t->heap[k]);
    if (!before(t->heap[k], last)) break;
    t->heap[i] = t->heap[k];
  }
  t->heap[i] = last;
  return first;
}

/* ------------------------------------------------------------------- walking */

/* A node on a path of this weight, which takes so much off what looks at it.  It is followed again when its weight has
 * doubled. */
static bool meet(seed *t, uint32_t g, double weight, double takes) {
  if (!(weight > t->weight[g])) return true;
  t->weight[g] = weight;
  if (!(weight > 2 * t->followed[g]) || !(weight * takes > LEAST * t->gap)) return true;
  return push(t, (turn){weight * takes, g});
}

/* <b,u_a> of all actions; returns what U is by known states alone. */
static double by_corners(const seed *t, glimpse_row belief, double *sum) {
  const gli_slate *slate = t->slate;
  double best = -INFINITY, ask = slate->model->requests ? 0 : -INFINITY;
  for (uint32_t a = 0; a < slate->actions; a++) sum[a] = 0;
  for (size_t i = 0; i < belief.count; i++) {
    const double *line = slate->corner + (size_t)belief.index[i] * slate->actions;
    for (uint32_t a = 0; a < slate->actions; a++) sum[a] += belief.value[i] * line[a];
    ask += belief.value[i] * slate->told[belief.index[i]];
  }
  for (uint32_t a = 0; a < slate->actions; a++) best = sum[a] > best ? sum[a] : best;
  return belief.count > 1 && ask > best ? ask : best;
}

static int deepest_first(const void *x, const void *y) {
  const gain *one = x, *two = y;
  if (one->by != two->by) return one->by > two->by ? -1 : 1;
  return one->node < two->node ? -1 : one->node > two->node;
}

/* The nodes that an action leads to, but for those that it can do without: it may rise by `spare`. */
static bool meet_children(seed *t, uint32_t g, uint32_t a, double weight, double spare) {
  const gli_graph *graph = t->graph;
  gli_outcome to;
  t->gain_count = 0;
  for (uint32_t i = 0; gli_graph_outcome(graph, g, a, i, &to); i++) {
    uint32_t child = gli_graph_behind(graph, to.link);
    if (child == GLI_NONE) continue;
    double part = weight * graph->discount * to.probability;
    if (gli_graph_node(graph, child)->state != GLI_NONE) {
      if (!meet(t, child, part, t->gap)) return false;
      continue;
    }
    glimpse_row belief = gli_graph_belief(graph, gli_graph_node(graph, child));
    double by = by_corners(t, belief, t->sum) - gli_graph_node(graph, child)->upper;
    if (!(by > 0)) continue;
    if (!GLI_GROW(t->gains, t->gain_capacity, t->gain_count + 1)) return false;
    t->gains[t->gain_count++] = (gain){child, graph->discount * to.probability * by, by, part};
  }
  if (t->gain_count) qsort(t->gains, t->gain_count, sizeof *t->gains, deepest_first);
  while (t->gain_count && t->gains[t->gain_count - 1].by <= spare) spare -= t->gains[--t->gain_count].by;
  for (size_t i = 0; i < t->gain_count; i++)
    if (!meet(t, t->gains[i].node, t->gains[i].weight, t->gains[i].own)) return false;
  return true;
}

/* Asking at a node leads to known states. */
static bool meet_states(seed *t, glimpse_row belief, double weight) {
  for (size_t i = 0; i < belief.count; i++) {
    uint32_t g = t->graph->corner[belief.index[i]].node;
    if (g != GLI_NONE && !meet(t, g, weight * belief.value[i], t->gap)) return false;
  }
  return true;
}

/* The belief of a node as a point. */
static bool trim(seed *t, glimpse_row belief) {
  double kept = 0;
  t->belief.count = 0;
  if (!gli_sparse_reserve(&t->belief, belief.count)) return false;
  for (size_t i = 0; i < belief.count; i++) {
    if (belief.value[i] < TRIM) continue;
    t->belief.index[t->belief.count] = belief.index[i];
    t->belief.value[t->belief.count++] = belief.value[i];
    kept += belief.value[i];
  }
  for (size_t i = 0; i < t->belief.count && t->belief.count < belief.count; i++) t->belief.value[i] /= kept;
  return true;
}

/* Children of a number that are nodes of the graph. */
static void name_children(seed *t, uint32_t g, uint32_t a, uint32_t n) {
  gli_slate *slate = t->slate;
  const gli_slate_number *number = &slate->number[slate->number_of[(size_t)n * slate->actions + a]];
  gli_outcome to;
  for (uint32_t i = 0; gli_graph_outcome(t->graph, g, a, i, &to); i++) {
    size_t k = 0;
    while (k < slate->children.count && slate->children.observation[k] != to.label) k++;
    if (k == slate->children.count) continue; /* too faint to be a belief */
    gli_slate_node *child = &slate->node[slate->edge[number->first + k].node];
    uint32_t behind = gli_graph_behind(t->graph, to.link);
    double upper = gli_graph_bounds_of(t->graph, &to).upper;
    child->known = upper < child->known ? upper : child->known;
    if (behind != GLI_NONE) child->source = behind;
  }
}

/* What the children of an action say: its bound may be lower, by points. */
static double look_ahead(const seed *t, uint32_t g, uint32_t a) {
  gli_outcome to;
  double sum = 0;
  for (uint32_t i = 0; gli_graph_outcome(t->graph, g, a, i, &to); i++)
    sum += to.probability * gli_graph_bounds_of(t->graph, &to).upper;
  return gli_node_rewards(t->graph, gli_graph_node(t->graph, g))[a] + t->graph->discount * sum;
}

static bool take_number(seed *t, uint32_t g, uint32_t a, double value) {
  gli_slate *slate = t->slate;
  uint32_t n = t->node[g], k = slate->number_of[(size_t)n * slate->actions + a];
  if (k != GLI_SLATE_NONE && slate->number[k].open) return true;
  if (!gli_slate_claim(slate, n, a, value)) return false;
  name_children(t, g, a, n);
  return true;
}

static bool take_node(seed *t, uint32_t g) {
  gli_slate *slate = t->slate;
  gli_node *node = gli_graph_node(t->graph, g);
  glimpse_row belief = gli_graph_belief(t->graph, node);
  double weight = t->weight[g];
  t->followed[g] = weight;
  if (t->node[g] == GLI_SLATE_NONE) {
    if (!trim(t, belief)) return false;
    t->node[g] = gli_slate_find(slate, gli_sparse_row(&t->belief));
    if (t->node[g] == GLI_SLATE_NONE) return false;
    slate->node[t->node[g]].known = fmin(node->upper, slate->node[t->node[g]].known);
  }
  if (slate->model->requests && belief.count > 1 && !meet_states(t, belief, weight)) return false;
  for (uint32_t a = 0; a < slate->actions; a++) {
    if (!gli_node_opened(t->graph, node, a)) continue;
    double value = gli_node_uppers(node)[a];
    by_corners(t, belief, t->sum);
    double ahead = look_ahead(t, g, a);
    if (belief.count > 1 && (t->sum[a] <= node->upper || ahead > node->upper + 0.1 * t->gap)) continue;
    if (!take_number(t, g, a, fmax(value, ahead)) || !meet_children(t, g, a, weight, fmax(0, node->upper - value)))
      return false;
  }
  return true;
}

/* Numbers of known states that were searched. */
static void take_corners(const seed *t) {
  gli_slate *slate = t->slate;
  for (uint32_t s = 0; s < slate->states; s++) {
    uint32_t g = t->graph->corner[s].node;
    if (g == GLI_NONE) continue;
    gli_node *node = gli_graph_node(t->graph, g);
    for (uint32_t a = 0; a < slate->actions; a++)
      if (gli_node_opened(t->graph, node, a)) gli_slate_lower_corner(slate, s, a, gli_node_uppers(node)[a]);
  }
}

/* Follows nodes, the worthiest first. */
static bool walk(seed *t) {
  uint64_t most = t->slate->how->max_bytes;
  take_corners(t);
  if (!push(t, (turn){INFINITY, t->graph->root})) return false;
  t->weight[t->graph->root] = 1;
  for (uint32_t s = 0; s < t->slate->states; s++) { /* their numbers are used in any case */
    uint32_t g = t->graph->corner[s].node;
    if (g != GLI_NONE && !push(t, (turn){INFINITY, g})) return false;
  }
  for (uint32_t turns = 0; t->heaped; turns++) {
    turn next = pop(t);
    uint32_t g = next.node;
    if (t->node[g] != GLI_SLATE_NONE && !(t->weight[g] > t->followed[g])) continue;
    if (!take_node(t, g)) return false;
    if (turns % 64 == 0 && (gli_clock_now() >= t->walked || gli_flag_raised(t->slate->how->interrupt))) break;
    if (t->slate->nodes > t->most || (most && gli_slate_bytes(t->slate) > most / 4)) break;
  }
  for (uint32_t s = 0; s < t->slate->states; s++) { /* whose turn did not come: what it began with */
    uint32_t g = t->graph->corner[s].node;
    if (g != GLI_NONE && t->node[g] == GLI_SLATE_NONE) gli_slate_restore_corner(t->slate, s);
  }
  return true;
}

/* ------------------------------------------------------------------ grounding */

/* The point that a node is, by the search; NONE: none. */
static uint32_t point_of(const seed *t, const gli_slate_node *node) {
  if (node->point != GLI_SLATE_NONE) return node->point;
  uint32_t n = node->source == GLI_SLATE_NONE ? GLI_SLATE_NONE : t->node[node->source];
  return n == GLI_SLATE_NONE || n < t->slate->states ? GLI_SLATE_NONE : t->slate->node[n].point;
}

/* A node is held by the point that it is; if that is not enough all points are looked at. */
static void ground(void *context, size_t first, size_t last, unsigned worker) {
  seed *t = context;
  gli_slate *slate = t->slate;
  gli_slate_scratch *mine = &slate->scratch[worker];
  for (size_t i = first; i < last && !t->failed[worker]; i++) {
    uint32_t n = slate->states + (uint32_t)i, point = point_of(t, &slate->node[n]);
    gli_slate_node *node = &slate->node[n];
    node->read = (uint32_t)slate->points;
    bool done =
        (point == GLI_SLATE_NONE || gli_slate_share_with(slate, mine, n, point)) && gli_slate_look(slate, mine, n);
    bool held = point != GLI_SLATE_NONE && node->upper <= node->known + NEAR * t->scale;
    if (done && !held && !(gli_clock_now() >= t->grounded))
      done = gli_slate_search(slate, mine, n, node->known - MARGIN * t->gap) && gli_slate_look(slate, mine, n);
    t->failed[worker] = !done;
  }
}

/* -------------------------------------------------------------------- mending */

/* Is the bound of a node above what is known of it, so far that it matters? */
static bool is_open(const seed *t, uint32_t n) {
  const gli_slate_node *node = &t->slate->node[n];
  return node->upper > node->known + MENDED * t->gap; /* false where nothing is known */
}

static bool list(seed *t, uint32_t n) {
  if (!GLI_GROW(t->batch, t->batch_capacity, t->batched + 1)) return false;
  t->batch[t->batched++] = n;
  return true;
}

/* What a number has too much is asked of the nodes that follow it, if nothing is known of them. */
static bool ask_children(seed *t, const gli_slate_number *number, double above) {
  gli_slate *slate = t->slate;
  double weights = 0;
  for (uint32_t i = 0; i < number->count; i++) weights += slate->edge[number->first + i].weight;
  for (uint32_t i = 0; i < number->count; i++) {
    uint32_t n = slate->edge[number->first + i].node;
    if (n < slate->states || slate->node[n].known < INFINITY) continue;
    slate->node[n].known = slate->node[n].upper - above / weights;
    if (!list(t, n)) return false;
  }
  return true;
}

/* Gives action a of a node a number, as low as those that follow allow. */
static bool mend_number(seed *t, uint32_t n, uint32_t a) {
  gli_slate *slate = t->slate;
  size_t before = slate->nodes, at = (size_t)n * slate->actions + a;
  if (!gli_slate_claim(slate, n, a, slate->bound[at])) return false;
  uint32_t k = slate->number_of[at];
  const gli_slate_number number = slate->number[k];
  for (uint32_t i = 0; i < number.count; i++) {
    uint32_t to = slate->edge[number.first + i].node;
    if (to >= before && !gli_slate_search(slate, slate->scratch, to, -INFINITY)) return false;
    if (!gli_slate_evaluate(slate, to)) return false;
  }
  gli_slate_put(slate, k, true);
  if (!gli_slate_evaluate(slate, n)) return false;
  double above = slate->bound[at] - slate->node[n].known;
  return !(above > 0) || ask_children(t, &number, above);
}

/* Gives a node numbers until what is known of it holds. */
static bool mend_node(seed *t, uint32_t n) {
  gli_slate *slate = t->slate;
  slate->node[n].evaluated = 0; /* points have come that may hold it */
  if (!gli_slate_evaluate(slate, n)) return false;
  for (uint32_t tries = 0; tries < slate->actions && is_open(t, n); tries++) {
    uint32_t a = slate->node[n].best;
    if (a == GLIMPSE_ANY || slate->number_of[(size_t)n * slate->actions + a] != GLI_SLATE_NONE) break;
    if (!mend_number(t, n, a)) return false;
  }
  return true;
}

static int highest_first(const void *x, const void *y) {
  const turn *one = x, *two = y;
  if (one->worth != two->worth) return one->worth > two->worth ? -1 : 1;
  return one->node < two->node ? -1 : one->node > two->node;
}

/* Nodes to mend, those first that miss most. */
static bool list_open(seed *t) {
  const gli_slate *slate = t->slate;
  t->heaped = 0;
  for (uint32_t n = slate->states; n < slate->nodes; n++) {
    if (!is_open(t, n)) continue;
    if (!GLI_GROW(t->heap, t->heap_capacity, t->heaped + 1)) return false;
    t->heap[t->heaped++] = (turn){slate->node[n].upper - slate->node[n].known, n};
  }
  if (t->heaped) qsort(t->heap, t->heaped, sizeof *t->heap, highest_first);
  for (size_t i = 0; i < t->heaped; i++)
    if (!list(t, t->heap[i].node)) return false;
  return true;
}

/* The search held some nodes by points that it has forgotten since.  They are few, and become points themselves: a
 * number that nothing holds down would rise, and others with it.  Other nodes are not compared with these points. */
static bool mend(seed *t) {
  gli_slate *slate = t->slate;
  uint64_t most = slate->how->max_bytes, effort = gli_slate_effort(slate);
  size_t at = 0, nodes = slate->nodes;
  bool enough = false;
  if (!list_open(t)) return false;
  effort += MEND_MORE * effort;
  for (int round = 0; round < MENDS && !enough; round++)
    for (size_t end = t->batched; at < end && !enough; at++) { /* what it lists is for the next round */
      if (!mend_node(t, t->batch[at])) return false;
      enough = at % 64 == 0 && (over(t) || (most && gli_slate_bytes(slate) > most / 4));
      enough = enough || gli_slate_effort(slate) > effort;
    }
  for (uint32_t n = slate->states; n < nodes; n++)
    if (!is_open(t, n)) slate->node[n].read = (uint32_t)slate->points;
  return true;
}

/* -------------------------------------------------------------------- sweeping */

static void look(void *context, size_t first, size_t last, unsigned worker) {
  seed *t = context;
  for (size_t i = first; i < last; i++)
    if (!gli_slate_look(t->slate, &t->slate->scratch[worker], t->batch[i])) t->failed[worker] = true;
}

/* False: a worker had no memory. */
static bool run(seed *t, size_t count, gli_parallel_work work) {
  gli_parallel_run(t->slate->pool, count, BLOCK, work, t);
  for (unsigned i = 0; i < t->slate->workers; i++)
    if (t->failed[i]) return false;
  return true;
}

/* The nodes that numbers first .. end - 1 look at and that are not evaluated. */
static bool gather(seed *t, size_t first, size_t end) {
  gli_slate *slate = t->slate;
  t->batched = 0;
  for (size_t k = end; k-- > first;)
    for (uint32_t i = 0; slate->number[k].open && i < slate->number[k].count; i++) {
      uint32_t n = slate->edge[slate->number[k].first + i].node;
      if (slate->node[n].evaluated == slate->now || t->wanted[n] == k / BATCH + 1) continue;
      if (!GLI_GROW(t->batch, t->batch_capacity, t->batched + 1)) return false;
      t->wanted[n] = (uint32_t)(k / BATCH) + 1;
      t->batch[t->batched++] = n;
    }
  return true;
}

/* Puts all numbers to their look ahead, up or (`falls`) down; *excess is what one was below it by, at most: infinite if
 * time ends before all have been looked at. */
static bool sweep(seed *t, bool falls, double *excess) {
  gli_slate *slate = t->slate;
  gli_slate_measure(slate);
  *excess = 0;
  memset(t->wanted, 0, slate->nodes * sizeof *t->wanted);
  for (size_t end = slate->numbers, first; end; end = first) {
    first = (end - 1) / BATCH * BATCH;
    if (!gather(t, first, end) || !run(t, t->batched, look)) return false;
    for (size_t k = end; k-- > first;)
      if (slate->number[k].open) *excess = fmax(*excess, gli_slate_put(slate, (uint32_t)k, falls));
    if (first && gli_clock_now() >= slate->how->until) return *excess = INFINITY, true;
  }
  return true;
}

/* Sweeps until no number is below its look ahead by more than what all may rise by, and lets them rise.  Not *settled:
 * there was no time. */
static bool settle_all(seed *t, bool *settled) {
  gli_slate *slate = t->slate;
  double excess = INFINITY, discount = t->graph->discount, most = RISE * (1 - discount) * t->gap;
  if (!GLI_GROW(t->wanted, t->wanted_capacity, slate->nodes)) return false;
  for (int i = 0; i < MOST_SWEEPS + MOST_RISES && excess > most && !(i && over(t)); i++)
    if (!sweep(t, i < MOST_SWEEPS, &excess)) return false;
  *settled = excess < INFINITY;
  if (*settled) gli_slate_raise(slate, excess / (1 - discount));
  return true;
}

static bool begin(seed *t) {
  size_t nodes = t->graph->node_count;
  const gli_node *root = gli_graph_node(t->graph, t->graph->root);
  double now = gli_clock_now(), left = t->slate->how->until - now;
  t->walked = now + WALK_SHARE * left;
  t->grounded = now + GROUND_SHARE * left;
  t->scale = t->graph->scale;
  t->gap = fmax(root->upper - root->lower, NEAR * t->scale);
  t->node = GLI_NEW(uint32_t, nodes);
  t->weight = GLI_NEW(double, nodes);
  t->followed = GLI_NEW(double, nodes);
  t->sum = GLI_NEW(double, t->slate->actions);
  t->failed = GLI_NEW(bool, t->slate->workers);
  if (!t->node || !t->weight || !t->followed || !t->sum || !t->failed) return false;
  memset(t->node, 0xff, nodes * sizeof *t->node);
  t->start = gli_slate_find(t->slate, gli_graph_belief(t->graph, root));
  return t->start != GLI_SLATE_NONE;
}

bool gli_seed(gli_slate *slate, const gli_graph *graph, size_t most, bool *settled) {
  seed t = {.slate = slate, .graph = graph, .most = most};
  slate->claims = true;
  *settled = false;
  bool done = begin(&t) && walk(&t);
  if (done) {
    gli_slate_measure(slate);
    done = gli_slate_rank_points(slate) && run(&t, slate->nodes - slate->states, ground) && mend(&t) &&
           settle_all(&t, settled);
  }
  slate->claims = false;
  gli_sparse_free(&t.belief);
  void *all[] = {t.node, t.weight, t.followed, t.sum, t.heap, t.gains, t.batch, t.wanted, t.failed};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) gli_memory_free(all[i]);
  return done;
}
