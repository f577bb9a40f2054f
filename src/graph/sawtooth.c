/* Sawtooth, action by action.
 *
 * N_a(b), the value of beginning with action a, is convex in b.  With u_a(s) >= N_a(s) and a point b_i where
 * N_a(b_i) <= U_i, and w = min_s b(s) / b_i(s) over the support of b_i, b = w b_i + (b - w b_i), so
 *   N_a(b) <= w U_i + sum_s (b - w b_i)(s) u_a(s) = <b,u_a> + w d_i,   d_i = U_i - <b_i,u_a>.
 * What is left, b - w b_i, may contain another point, which lowers the bound further: up to GLI_TUNING_PARTS points are
 * taken out of the belief one after the other, each time the one that lowers the largest bound most.  All sums must be
 * of the same u: all depths d_i are measured against one copy of the graph's table, which is taken anew once in a
 * while.  U_i may be newer: when the node of a point is backed up its depths follow.
 *
 * A point is found by its likeliest state, which a belief must contain to be lowered by it. */
#include "graph/sawtooth.h"

#include <string.h>

#include "graph/line.h"

struct gli_sawtooth *gli_sawtooth_new(const gli_graph *graph) {
  struct gli_sawtooth *t = GLI_NEW(struct gli_sawtooth, 1);
  if (!t) return NULL;
  t->points = GLI_NEW(gli_point, GLI_TUNING_POINTS);
  t->depth = GLI_NEW(double, (size_t)GLI_TUNING_POINTS * graph->actions);
  t->sums = GLI_NEW(double, (size_t)GLI_TUNING_POINTS * graph->actions);
  t->first = GLI_NEW(uint32_t, graph->states);
  t->table = GLI_NEW(double, (size_t)graph->states *gli_line_even(graph->actions));
  t->mass = GLI_NEW(double, graph->states);
  t->bounds = GLI_NEW(double, 3 * (size_t)gli_line_even(graph->actions));
  if (t->points && t->depth && t->sums && t->first && t->table && t->mass && t->bounds) {
    memset(t->first, 0xff, graph->states * sizeof *t->first);
    return t;
  }
  gli_sawtooth_free(t);
  return NULL;
}

void gli_sawtooth_free(struct gli_sawtooth *t) {
  if (!t) return;
  gli_memory_free(t->points);
  gli_memory_free(t->depth);
  gli_memory_free(t->sums);
  gli_memory_free(t->first);
  gli_memory_free(t->table);
  gli_memory_free(t->mass);
  gli_memory_free(t->bounds);
  gli_memory_free(t);
}

uint64_t gli_sawtooth_fixed(const gli_graph *graph) {
  uint64_t length = gli_line_even(graph->actions);
  uint64_t per_state = (length + 1) * sizeof(double) + sizeof(uint32_t);
  uint64_t per_point = sizeof(gli_point) + 2 * (uint64_t)graph->actions * sizeof(double);
  return sizeof(struct gli_sawtooth) + graph->states * per_state + GLI_TUNING_POINTS * per_point +
         3 * length * sizeof(double);
}

void gli_sawtooth_clear(const gli_graph *graph) {
  struct gli_sawtooth *t = graph->sawtooth;
  t->began = graph->expansions;
  for (uint32_t i = 0; i < t->count; i++) t->first[t->points[i].anchor] = GLI_NONE;
  t->count = 0;
  t->measured = UINT64_MAX;
  t->turn = 0;
  t->trial = (gli_trial){0};
}

/* --------------------------------------------------------------- evaluating */

/* <b,u_a> of all actions. */
static void add_up(const gli_graph *graph, glimpse_row belief, double *sums) {
  uint32_t length = gli_line_even(graph->actions);
  gli_line_sum(sums, graph->sawtooth->table, length, belief, length);
}

/* How much of a point there is in the belief in `mass`; 0: nothing worth it. */
static double weight_of(const gli_graph *graph, glimpse_row point) {
  const double *mass = graph->sawtooth->mass;
  double weight = 1;
  for (size_t i = 0; i < point.count; i++) {
    double there = mass[point.index[i]];
    if (there >= weight * point.value[i]) continue;
    weight = there / point.value[i];
    if (weight < GLI_TUNING_NEAR) return 0;
  }
  return weight * (1 - 0x1p-48); /* its rounding must not make it too large */
}

static uint64_t signature_of(glimpse_row belief) {
  uint64_t signature = 0;
  for (size_t i = 0; i < belief.count; i++) signature |= (uint64_t)1 << belief.index[i] % 64;
  return signature;
}

typedef struct part { /* of a belief, in which a point is */
  uint32_t point;     /* GLI_NONE: none */
  double weight;
} part;

/* Looks for points in what `mass` has left of a belief, after others have lowered the bounds by `base`: each action is
 * lowered by the one that is best for it.  Returns the one that is best for the action with the largest bound. */
static part find_points(const gli_graph *graph, glimpse_row belief, uint64_t outside, const double *bounds,
                        const double *base, double *deepest, int64_t *left) {
  const struct gli_sawtooth *t = graph->sawtooth;
  uint32_t actions = graph->actions, top = 0;
  part best = {GLI_NONE, 0};
  double least = 0, most = 0; /* of all actions, and of the one with the largest bound, what has been found */
  for (uint32_t a = 1; a < actions; a++) top = bounds[a] + base[a] > bounds[top] + base[top] ? a : top;
  for (size_t i = 0; i < belief.count; i++) {
    double mass = t->mass[belief.index[i]];
    for (uint32_t k = t->first[belief.index[i]], next; k != GLI_NONE && *left > 0; k = next) {
      const gli_point *point = &t->points[k];
      next = point->next;
      double needed = least > most ? least : most;
      if (point->signature & outside || mass * point->deepest >= needed * point->anchor_mass) continue;
      *left -= point->support;
      double weight = weight_of(graph, gli_graph_row(graph, point->belief, point->support));
      if (!(weight > 0)) continue;
      const double *depth = t->depth + (size_t)k * actions;
      if (weight * depth[top] < most) {
        most = weight * depth[top];
        best = (part){k, weight};
      }
      least = -INFINITY;
      for (uint32_t a = 0; a < actions; a++) {
        double deep = base[a] + weight * depth[a];
        deepest[a] = deep < deepest[a] ? deep : deepest[a];
        least = deepest[a] - base[a] > least ? deepest[a] - base[a] : least;
      }
    }
  }
  return best;
}

/* Takes a point out of the belief in `mass`; a little more, so that rounding leaves nothing that is not there.  Returns
 * the signature of what is left. */
static uint64_t take_out(const gli_graph *graph, glimpse_row belief, part taken, double *base) {
  struct gli_sawtooth *t = graph->sawtooth;
  const gli_point *point = &t->points[taken.point];
  glimpse_row row = gli_graph_row(graph, point->belief, point->support);
  uint64_t signature = 0;
  for (size_t i = 0; i < row.count; i++) {
    double *mass = &t->mass[row.index[i]], rest = *mass - taken.weight * row.value[i] - 0x1p-40 * *mass;
    *mass = rest > 0 ? rest : 0;
  }
  for (size_t i = 0; i < belief.count; i++)
    if (t->mass[belief.index[i]] > 0) signature |= (uint64_t)1 << belief.index[i] % 64;
  const double *depth = t->depth + (size_t)taken.point * graph->actions;
  for (uint32_t a = 0; a < graph->actions; a++) base[a] += taken.weight * depth[a];
  return signature;
}

/* Upper bounds of all actions at a belief by points and table, not yet moved outward. */
static void evaluate(gli_graph *graph, glimpse_row belief, double *bounds) {
  struct gli_sawtooth *t = graph->sawtooth;
  uint32_t actions = graph->actions;
  double *deepest = t->bounds + gli_line_even(actions), *base = deepest + gli_line_even(actions);
  add_up(graph, belief, bounds);
  for (uint32_t a = 0; a < actions; a++) base[a] = deepest[a] = 0;
  for (size_t i = 0; i < belief.count; i++) t->mass[belief.index[i]] = belief.value[i];
  uint64_t signature = signature_of(belief);
  int64_t left = GLI_TUNING_LOOKS; /* numbers that may be compared: the newest points come first */
  for (int i = 0; i < GLI_TUNING_PARTS && signature; i++) {
    part found = find_points(graph, belief, ~signature, bounds, base, deepest, &left);
    if (found.point == GLI_NONE) break;
    signature = take_out(graph, belief, found, base);
  }
  for (size_t i = 0; i < belief.count; i++) t->mass[belief.index[i]] = 0;
  for (uint32_t a = 0; a < actions; a++) bounds[a] += deepest[a];
}

void gli_sawtooth_lower(gli_graph *graph, glimpse_row belief, double *uppers, bool evaluated) {
  struct gli_sawtooth *t = graph->sawtooth;
  if (!t->count || belief.count == 1) return;
  if (!evaluated) evaluate(graph, belief, t->bounds);
  for (uint32_t a = 0; a < graph->actions; a++) {
    double upper = t->bounds[a] + 2 * gli_graph_slack(graph, t->bounds[a]);
    uppers[a] = upper < uppers[a] ? upper : uppers[a];
  }
}

double gli_sawtooth_upper(gli_graph *graph, glimpse_row belief) {
  struct gli_sawtooth *t = graph->sawtooth;
  if (!t->count) return INFINITY;
  evaluate(graph, belief, t->bounds);
  double best = -INFINITY;
  for (uint32_t a = 0; a < graph->actions; a++) best = t->bounds[a] > best ? t->bounds[a] : best;
  return best + 2 * gli_graph_slack(graph, best);
}

/* ------------------------------------------------------------------- points */

static void unlist(struct gli_sawtooth *t, uint32_t k) {
  uint32_t *at = &t->first[t->points[k].anchor];
  while (*at != k) at = &t->points[*at].next;
  *at = t->points[k].next;
}

static void list(struct gli_sawtooth *t, uint32_t k) {
  t->points[k].next = t->first[t->points[k].anchor];
  t->first[t->points[k].anchor] = k;
}

void gli_sawtooth_deepen(gli_graph *graph, gli_node *node) {
  struct gli_sawtooth *t = graph->sawtooth;
  gli_point *point = &t->points[node->point];
  size_t line = (size_t)node->point * graph->actions;
  const double *uppers = gli_node_uppers(node), *sums = t->sums + line;
  double *depth = t->depth + line, deepest = 0;
  for (uint32_t a = 0; a < graph->actions; a++) {
    depth[a] = uppers[a] < sums[a] ? uppers[a] - sums[a] : 0;
    deepest = depth[a] < deepest ? depth[a] : deepest;
  }
  point->deepest = deepest;
}

static void measure(gli_graph *graph, uint32_t k) {
  struct gli_sawtooth *t = graph->sawtooth;
  gli_node *n = gli_graph_node(graph, t->points[k].node);
  add_up(graph, gli_graph_belief(graph, n), t->bounds);
  memcpy(t->sums + (size_t)k * graph->actions, t->bounds, graph->actions * sizeof *t->sums);
  gli_sawtooth_deepen(graph, n);
}

void gli_sawtooth_measure(gli_graph *graph) {
  struct gli_sawtooth *t = graph->sawtooth;
  uint64_t wait = GLI_TUNING_EPOCH + graph->states / GLI_TUNING_EPOCH_STATES, age = graph->expansions - t->began;
  if (t->measured != UINT64_MAX && graph->expansions - t->measured < (age / 4 < wait ? age / 4 : wait)) return;
  t->measured = graph->expansions;
  for (uint32_t s = 0; s < graph->states; s++)
    memcpy(t->table + (size_t)s * gli_line_even(graph->actions), graph->table + (size_t)s * graph->stride,
           graph->actions * sizeof(double));
  for (uint32_t k = 0; k < t->count; k++) {
    measure(graph, k);
    t->points[k].worth *= 0.9;
  }
}

static size_t likeliest(glimpse_row belief) {
  size_t best = 0;
  for (size_t i = 1; i < belief.count; i++) best = belief.value[i] > belief.value[best] ? i : best;
  return best;
}

/* A place for a point of this worth: a new one, or that of the worst of some; GLI_NONE: they are all better. */
static uint32_t find_place(gli_graph *graph, double worth) {
  enum { LOOKS = 16 };
  struct gli_sawtooth *t = graph->sawtooth;
  if (t->count < GLI_TUNING_POINTS) return t->count++;
  uint32_t worst = (uint32_t)(t->turn % GLI_TUNING_POINTS);
  for (uint32_t i = 0; i < LOOKS; i++, t->turn++) {
    uint32_t k = (uint32_t)(t->turn % GLI_TUNING_POINTS);
    worst = t->points[k].worth < t->points[worst].worth ? k : worst;
  }
  if (t->points[worst].worth > worth) return GLI_NONE;
  gli_graph_node(graph, t->points[worst].node)->point = GLI_NONE;
  unlist(t, worst);
  return worst;
}

void gli_sawtooth_offer(gli_graph *graph, uint32_t node) {
  struct gli_sawtooth *t = graph->sawtooth;
  gli_node *n = gli_graph_node(graph, node);
  if (n->state != GLI_NONE || n->support == 1 || n->point != GLI_NONE || t->measured == UINT64_MAX) return;
  glimpse_row belief = gli_graph_belief(graph, n);
  const double *uppers = gli_node_uppers(n);
  double now = -INFINITY, then = -INFINITY;
  evaluate(graph, belief, t->bounds);
  for (uint32_t a = 0; a < graph->actions; a++) {
    now = t->bounds[a] > now ? t->bounds[a] : now;
    then = uppers[a] > then ? uppers[a] : then;
  }
  double fall = now - then, worth = fall * n->mass;
  if (fall < GLI_TUNING_DEEPER * (n->upper - n->lower) || fall < 16 * graph->floor || worth < graph->floor) return;
  uint32_t k = find_place(graph, worth);
  if (k == GLI_NONE) return;
  n->point = k;
  size_t anchor = likeliest(belief);
  t->points[k] = (gli_point){.node = node,
                             .anchor = belief.index[anchor],
                             .anchor_mass = belief.value[anchor],
                             .belief = n->belief,
                             .support = n->support,
                             .signature = signature_of(belief),
                             .worth = worth};
  list(t, k);
  measure(graph, k);
}

void gli_sawtooth_move(gli_graph *graph, uint32_t (*moved)(const void *, uint32_t), const void *context) {
  struct gli_sawtooth *t = graph->sawtooth;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < t->count; i++) t->first[t->points[i].anchor] = GLI_NONE;
  for (uint32_t i = 0; i < t->count; i++) {
    gli_point point = t->points[i];
    uint32_t node = moved(context, point.node);
    if (node == GLI_NONE) continue;
    point.node = node;
    size_t from = (size_t)i * graph->actions, to = (size_t)kept * graph->actions;
    memmove(t->depth + to, t->depth + from, graph->actions * sizeof *t->depth);
    memmove(t->sums + to, t->sums + from, graph->actions * sizeof *t->sums);
    t->points[kept++] = point;
  }
  t->count = kept;
  for (uint32_t i = 0; i < kept; i++) {
    gli_node *n = gli_graph_node(graph, t->points[i].node);
    n->point = i;
    t->points[i].belief = n->belief;
    list(t, i);
  }
}
