/* Slate: beliefs, their numbers and looks ahead.
 *
 * A node keeps how much of each point it has (its shares), which never changes, so that an evaluation is a product per
 * share and action; only points that came since the last look are compared with it.  A point is found by its
 * likeliest state, which a belief must contain to have any of it. */
#include "policy/slate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "graph/line.h"
#include "model/model.h"

/* Smaller shares of a point are none: they would lower little. */
#define SHARE 0.01
/* Smaller probabilities are cut off: what rests on them is bounded by the largest number instead. */
#define TRIM 1e-9
/* Of the points of one state, so many are met and so many compared with a belief that is looked up, the deepest. */
enum { STEPS = 512, LOOKS = 32 };
/* Points that are measured in one go. */
enum { BLOCK = 64 };
/* A belief that has so much of a point is the same, nearly. */
#define TWIN (1 - 1e-9)

/* ------------------------------------------------------------------ memory */

void gli_slate_free(gli_slate *slate) {
  if (!slate) return;
  for (size_t i = 0; i < slate->nodes; i++) gli_memory_free(slate->node[i].share);
  for (unsigned i = 0; slate->scratch && i < slate->workers; i++) {
    gli_memory_free(slate->scratch[i].present);
    gli_memory_free(slate->scratch[i].sum);
    gli_memory_free(slate->scratch[i].best);
  }
  gli_memory_free(slate->scratch);
  gli_parallel_free(slate->pool);
  gli_belief_work_free(slate->work);
  gli_children_free(&slate->children);
  gli_map_free(&slate->keys);
  void *all[] = {slate->corner,  slate->table, slate->told,      slate->node,      slate->state,
                 slate->mass,    slate->bound, slate->number_of, slate->number,    slate->edge,
                 slate->point,   slate->value, slate->depth,     slate->next,      slate->newest,
                 slate->deepest, slate->base,  slate->ranked,    slate->rank_first};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) gli_memory_free(all[i]);
  gli_memory_free(slate);
}

uint64_t gli_slate_effort(const gli_slate *slate) {
  uint64_t effort = 0;
  for (unsigned i = 0; i < slate->workers; i++) effort += slate->scratch[i].effort;
  return effort;
}

uint64_t gli_slate_bytes(const gli_slate *slate) {
  uint64_t bytes = 0; /* of shares */
  for (unsigned i = 0; i < slate->workers; i++) bytes += slate->scratch[i].bytes;
  return slate->node_capacity * sizeof *slate->node + slate->state_capacity * sizeof *slate->state +
         slate->mass_capacity * sizeof *slate->mass + slate->bound_capacity * sizeof *slate->bound +
         slate->number_of_capacity * sizeof *slate->number_of + slate->number_capacity * sizeof *slate->number +
         slate->edge_capacity * sizeof *slate->edge + slate->value_capacity * 3 * sizeof *slate->value + bytes +
         slate->keys.capacity * 12;
}

static uint64_t signature_of(glimpse_row belief) {
  uint64_t signature = 0;
  for (size_t i = 0; i < belief.count; i++) signature |= (uint64_t)1 << belief.index[i] % 64;
  return signature;
}

glimpse_row gli_slate_belief(const gli_slate *slate, uint32_t n) {
  const gli_slate_node *node = &slate->node[n];
  return (glimpse_row){node->count, slate->state + node->first, slate->mass + node->first};
}

/* A node without number; NONE: out of memory. */
static uint32_t add_node(gli_slate *slate, glimpse_row belief) {
  uint32_t n = (uint32_t)slate->nodes;
  size_t end = slate->entries + belief.count, bounds = (slate->nodes + 1) * slate->actions;
  if (n == GLI_SLATE_NONE || !GLI_GROW(slate->node, slate->node_capacity, slate->nodes + 1) ||
      !GLI_GROW(slate->state, slate->state_capacity, end) || !GLI_GROW(slate->mass, slate->mass_capacity, end) ||
      !GLI_GROW(slate->bound, slate->bound_capacity, bounds) ||
      !GLI_GROW(slate->number_of, slate->number_of_capacity, bounds))
    return GLI_SLATE_NONE;
  memcpy(slate->state + slate->entries, belief.index, belief.count * sizeof *belief.index);
  memcpy(slate->mass + slate->entries, belief.value, belief.count * sizeof *belief.value);
  size_t likeliest = 0;
  for (size_t i = 1; i < belief.count; i++) likeliest = belief.value[i] > belief.value[likeliest] ? i : likeliest;
  slate->node[n] = (gli_slate_node){.first = slate->entries,
                                    .count = (uint32_t)belief.count,
                                    .anchor = belief.index[likeliest],
                                    .anchor_mass = belief.value[likeliest],
                                    .signature = signature_of(belief),
                                    .same = GLI_SLATE_NONE,
                                    .point = GLI_SLATE_NONE,
                                    .twin = GLI_SLATE_NONE,
                                    .source = GLI_SLATE_NONE,
                                    .known = INFINITY,
                                    .lower = NAN,
                                    .upper = INFINITY};
  for (uint32_t a = 0; a < slate->actions; a++) {
    slate->bound[bounds - slate->actions + a] = INFINITY;
    slate->number_of[bounds - slate->actions + a] = GLI_SLATE_NONE;
  }
  slate->entries = end;
  slate->nodes++;
  return n;
}

static uint64_t key_of(glimpse_row belief) {
  uint64_t key = belief.count;
  for (size_t i = 0; i < belief.count; i++) {
    uint64_t bits;
    memcpy(&bits, &belief.value[i], sizeof bits);
    key = (key ^ belief.index[i]) * UINT64_C(0x9e3779b97f4a7c15);
    key = (key ^ (key >> 29) ^ bits) * UINT64_C(0xbf58476d1ce4e5b9);
  }
  return key ^ (key >> 32);
}

static bool is_at(const gli_slate *slate, uint32_t n, glimpse_row belief) {
  glimpse_row here = gli_slate_belief(slate, n);
  return here.count == belief.count && memcmp(here.index, belief.index, here.count * sizeof *here.index) == 0 &&
         memcmp(here.value, belief.value, here.count * sizeof *here.value) == 0;
}

uint32_t gli_slate_find(gli_slate *slate, glimpse_row belief) {
  if (belief.count == 1) return belief.index[0];
  uint64_t key = key_of(belief);
  uint32_t first = gli_map_find(&slate->keys, key);
  for (uint32_t n = first; n != GLI_SLATE_NONE; n = slate->node[n].same)
    if (is_at(slate, n, belief)) return n;
  uint32_t n = add_node(slate, belief);
  if (n == GLI_SLATE_NONE) return n;
  if (first != GLI_MAP_NONE) {
    slate->node[n].same = slate->node[first].same;
    slate->node[first].same = n;
  } else if (!gli_map_add(&slate->keys, key, n)) {
    slate->nodes--;
    slate->entries -= belief.count;
    return GLI_SLATE_NONE;
  }
  return n;
}

double gli_slate_lower(gli_slate *slate, uint32_t n) {
  gli_slate_node *node = &slate->node[n];
  if (isnan(node->lower)) {
    node->lower = slate->floor;
    if (slate->how->lower)
      node->lower = fmax(slate->floor, slate->how->lower(slate->how->lower_context, gli_slate_belief(slate, n)));
  }
  return node->lower;
}

double gli_slate_number_lower(gli_slate *slate, uint32_t k) {
  gli_slate_number *number = &slate->number[k];
  if (isnan(number->lower)) { /* what was cut off counts as the largest, as in its reward: nobody hopes for that */
    double lower = number->reward;
    for (uint32_t i = 0; i < number->count; i++) {
      const gli_slate_edge *edge = &slate->edge[number->first + i];
      lower += edge->weight * gli_slate_lower(slate, edge->node);
    }
    number->lower = lower;
  }
  return number->lower;
}

/* -------------------------------------------------------------- evaluating */

/* <b,table> of all actions, and as many numbers as a line has. */
static void sum_up(const gli_slate *slate, gli_slate_scratch *mine, glimpse_row belief, double *sum) {
  uint32_t length = gli_line_even(slate->actions);
  gli_line_sum(sum, slate->table, length, belief, length);
  mine->effort += belief.count * slate->actions;
}

/* How much of a point there is in the belief in `present`; 0: less than `least`. */
static double weight_of(gli_slate_scratch *mine, glimpse_row point, double least) {
  double weight = 1;
  for (size_t i = 0; i < point.count; i++) {
    double there = mine->present[point.index[i]];
    if (there >= weight * point.value[i]) continue;
    weight = there / point.value[i];
    if (weight < least) return 0;
  }
  mine->effort += point.count;
  return weight;
}

static bool add_share(gli_slate_scratch *mine, gli_slate_node *node, uint32_t point, double weight) {
  size_t before = node->share_capacity;
  if (!GLI_GROW(node->share, node->share_capacity, node->shares + 1)) return false;
  mine->bytes += (node->share_capacity - before) * sizeof *node->share;
  node->share[node->shares++] = (gli_slate_share){point, weight};
  if (weight >= TWIN && point != node->point) node->twin = node->twin == GLI_SLATE_NONE ? point : node->twin;
  return true;
}

/* Compares the node with points that came since the last time. */
static bool read_points(gli_slate *slate, gli_slate_scratch *mine, uint32_t n) {
  gli_slate_node *node = &slate->node[n];
  if (node->read == slate->points) return true;
  glimpse_row belief = gli_slate_belief(slate, n);
  for (size_t i = 0; i < belief.count; i++) mine->present[belief.index[i]] = belief.value[i];
  bool done = true;
  for (size_t i = 0; i < belief.count && done; i++)
    for (uint32_t k = slate->newest[belief.index[i]]; k != GLI_SLATE_NONE && k >= node->read && done;
         k = slate->next[k]) {
      const gli_slate_node *other = &slate->node[slate->point[k]];
      mine->effort++;
      if (other->signature & ~node->signature || belief.value[i] < SHARE * other->anchor_mass) continue;
      double weight = weight_of(mine, gli_slate_belief(slate, slate->point[k]), SHARE);
      if (weight > 0) done = add_share(mine, node, k, weight);
    }
  for (size_t i = 0; i < belief.count; i++) mine->present[belief.index[i]] = 0;
  if (done) node->read = (uint32_t)slate->points;
  else node->shares = 0, node->read = 0;
  return done;
}

bool gli_slate_share_with(gli_slate *slate, gli_slate_scratch *mine, uint32_t n, uint32_t point) {
  gli_slate_node *node = &slate->node[n];
  glimpse_row belief = gli_slate_belief(slate, n);
  for (size_t i = 0; i < belief.count; i++) mine->present[belief.index[i]] = belief.value[i];
  double weight = weight_of(mine, gli_slate_belief(slate, slate->point[point]), SHARE);
  for (size_t i = 0; i < belief.count; i++) mine->present[belief.index[i]] = 0;
  node->shares = 0;
  node->read = (uint32_t)slate->points;
  return !(weight > 0) || add_share(mine, node, point, weight);
}

/* Of the actions that need it, the search below: `sum` has their bounds by known states, `down` what shares take off.
 * Returns the least of what they take. */
static double take_share(const gli_slate *slate, gli_slate_scratch *mine, gli_slate_share share, double most) {
  uint32_t actions = slate->actions;
  const double *depth = slate->depth + (size_t)share.point * actions, *sum = mine->sum;
  double *down = mine->sum + gli_line_even(actions), left = -INFINITY;
  for (uint32_t a = 0; a < actions; a++) {
    if (share.weight * depth[a] < down[a]) {
      mine->best[a] = share;
      down[a] = sum[a] + share.weight * depth[a] <= most ? -INFINITY : share.weight * depth[a];
    }
    left = down[a] > left ? down[a] : left;
  }
  return left;
}

/* The least share of a point that is of use. */
static double least_share(const gli_slate *slate, const gli_slate_scratch *mine, uint32_t point) {
  const double *depth = slate->depth + (size_t)point * slate->actions,
               *down = mine->sum + gli_line_even(slate->actions);
  double least = 2;
  for (uint32_t a = 0; a < slate->actions; a++)
    if (down[a] > -INFINITY && depth[a] < down[a]) least = fmin(least, down[a] / depth[a]);
  return least;
}

static int by_ratio(const void *x, const void *y) {
  const gli_slate_rank *one = x, *two = y;
  if (one->ratio != two->ratio) return one->ratio < two->ratio ? -1 : 1;
  return one->point < two->point ? -1 : one->point > two->point;
}

bool gli_slate_rank_points(gli_slate *slate) {
  gli_memory_free(slate->ranked);
  gli_memory_free(slate->rank_first);
  slate->ranked = GLI_NEW(gli_slate_rank, slate->points);
  slate->rank_first = GLI_NEW(size_t, (size_t)slate->states + 1);
  if (!slate->ranked || !slate->rank_first) return false;
  size_t count = 0;
  for (uint32_t s = 0; s < slate->states; s++) {
    size_t first = slate->rank_first[s] = count;
    for (uint32_t k = slate->newest[s]; k != GLI_SLATE_NONE; k = slate->next[k]) {
      const gli_slate_node *node = &slate->node[slate->point[k]];
      slate->ranked[count++] = (gli_slate_rank){slate->deepest[k] / node->anchor_mass, node->signature, k};
    }
    if (count > first) qsort(slate->ranked + first, count - first, sizeof *slate->ranked, by_ratio);
  }
  slate->rank_first[slate->states] = count;
  slate->rank_count = (uint32_t)slate->points;
  return true;
}

/* For each action whose bound is above `most`, the share that lowers it most, found among all points. */
bool gli_slate_search(gli_slate *slate, gli_slate_scratch *mine, uint32_t n, double most) {
  gli_slate_node *node = &slate->node[n];
  glimpse_row belief = gli_slate_belief(slate, n);
  uint32_t actions = slate->actions;
  gli_slate_share *best = mine->best;
  double *sum = mine->sum, *down = mine->sum + gli_line_even(actions), left = -INFINITY;
  sum_up(slate, mine, belief, sum);
  for (uint32_t a = 0; a < actions; a++) {
    best[a].point = GLI_SLATE_NONE;
    down[a] = sum[a] > most ? 0 : -INFINITY; /* as far as it must go, it needs no more */
    left = down[a] > left ? down[a] : left;
  }
  for (size_t i = 0; i < belief.count; i++) mine->present[belief.index[i]] = belief.value[i];
  for (size_t i = 0; i < node->shares; i++) /* what it has already */
    left = take_share(slate, mine, node->share[i], most);
  for (size_t i = 0; i < belief.count && left > -INFINITY; i++) {
    uint32_t steps = STEPS, looks = LOOKS;
    for (size_t at = slate->rank_first[belief.index[i]]; at < slate->rank_first[belief.index[i] + 1]; at++) {
      uint32_t k = slate->ranked[at].point;
      mine->effort++;
      if (belief.value[i] * slate->ranked[at].ratio >= left) break; /* and those behind it are less deep */
      if (!steps-- || !looks) break;
      if (slate->ranked[at].signature & ~node->signature) continue;
      double least = fmax(SHARE, least_share(slate, mine, k));
      if (belief.value[i] < least * slate->node[slate->point[k]].anchor_mass) continue;
      looks--;
      double weight = weight_of(mine, gli_slate_belief(slate, slate->point[k]), least);
      if (weight > 0) left = take_share(slate, mine, (gli_slate_share){k, weight}, most);
    }
  }
  for (size_t i = 0; i < belief.count; i++) mine->present[belief.index[i]] = 0;
  node->shares = 0;
  node->evaluated = 0;
  node->read = slate->rank_count; /* newer ones are read when it is looked at */
  for (uint32_t a = 0; a < actions; a++) {
    bool there = best[a].point == GLI_SLATE_NONE;
    for (size_t i = 0; i < node->shares; i++) there = there || node->share[i].point == best[a].point;
    if (!there && !add_share(mine, node, best[a].point, best[a].weight)) return false;
  }
  return true;
}

static void pick_best(gli_slate *slate, uint32_t n, double ask) {
  gli_slate_node *node = &slate->node[n];
  const double *bound = slate->bound + (size_t)n * slate->actions;
  node->best = GLIMPSE_ANY;
  node->upper = ask;
  for (uint32_t a = 0; a < slate->actions; a++)
    if (bound[a] > node->upper) {
      node->upper = bound[a];
      node->best = a;
    }
  node->evaluated = slate->now;
}

bool gli_slate_look(gli_slate *slate, gli_slate_scratch *mine, uint32_t n) {
  gli_slate_node *node = &slate->node[n];
  uint32_t actions = slate->actions;
  if (node->evaluated == slate->now) return true;
  double *bound = slate->bound + (size_t)n * actions, ask = -INFINITY;
  if (n < slate->states) {
    memcpy(bound, slate->corner + (size_t)n * actions, actions * sizeof *bound);
    pick_best(slate, n, ask);
    return true;
  }
  if (!read_points(slate, mine, n)) return false;
  glimpse_row belief = gli_slate_belief(slate, n);
  const double *sum = mine->sum;
  if (node->point != GLI_SLATE_NONE) sum = slate->base + (size_t)node->point * actions; /* it is known already */
  else sum_up(slate, mine, belief, mine->sum);
  for (uint32_t a = 0; a < actions; a++) bound[a] = sum[a] < bound[a] || slate->claims ? sum[a] : bound[a];
  for (size_t i = 0; i < node->shares; i++) {
    const double *depth = slate->depth + (size_t)node->share[i].point * actions, weight = node->share[i].weight;
    for (uint32_t a = 0; a < actions; a++) {
      double there = sum[a] + weight * depth[a];
      bound[a] = there < bound[a] ? there : bound[a];
    }
  }
  mine->effort += node->shares * actions;
  if (slate->model->requests) {
    ask = 0;
    for (size_t i = 0; i < belief.count; i++) ask += belief.value[i] * slate->told[belief.index[i]];
  }
  pick_best(slate, n, ask);
  return true;
}

bool gli_slate_evaluate(gli_slate *slate, uint32_t n) {
  return gli_slate_look(slate, slate->scratch, n);
}

const gli_slate_share *gli_slate_ground(const gli_slate *slate, uint32_t n, uint32_t a) {
  const gli_slate_node *node = &slate->node[n];
  const gli_slate_share *best = NULL;
  double least = 0;
  for (size_t i = 0; i < node->shares; i++) {
    double down = node->share[i].weight * slate->depth[(size_t)node->share[i].point * slate->actions + a];
    if (down < least) {
      least = down;
      best = &node->share[i];
    }
  }
  return best;
}

/* ----------------------------------------------------------------- numbers */

double gli_slate_number_value(const gli_slate *slate, uint32_t k) {
  const gli_slate_number *number = &slate->number[k];
  if (number->node < slate->states) return slate->corner[(size_t)number->node * slate->actions + number->action];
  return slate->value[(size_t)slate->node[number->node].point * slate->actions + number->action];
}

/* How deep a point is, its sums being known. */
static void deepen(gli_slate *slate, uint32_t point) {
  uint32_t actions = slate->actions;
  const double *value = slate->value + (size_t)point * actions, *base = slate->base + (size_t)point * actions;
  double *depth = slate->depth + (size_t)point * actions, deepest = 0;
  for (uint32_t a = 0; a < actions; a++) {
    depth[a] = value[a] < base[a] ? value[a] - base[a] : 0;
    deepest = depth[a] < deepest ? depth[a] : deepest;
  }
  slate->deepest[point] = deepest;
}

static void measure_point(gli_slate *slate, gli_slate_scratch *mine, uint32_t point) {
  sum_up(slate, mine, gli_slate_belief(slate, slate->point[point]), mine->sum);
  memcpy(slate->base + (size_t)point * slate->actions, mine->sum, slate->actions * sizeof *slate->base);
  deepen(slate, point);
}

static void measure_points(void *context, size_t first, size_t last, unsigned worker) {
  gli_slate *slate = context;
  for (size_t i = first; i < last; i++) measure_point(slate, &slate->scratch[worker], (uint32_t)i);
}

static void write_table(gli_slate *slate) {
  size_t length = gli_line_even(slate->actions);
  for (uint32_t s = 0; s < slate->states; s++)
    memcpy(slate->table + s * length, slate->corner + (size_t)s * slate->actions, slate->actions * sizeof(double));
}

void gli_slate_measure(gli_slate *slate) {
  write_table(slate);
  gli_parallel_run(slate->pool, slate->points, BLOCK, measure_points, slate);
  slate->now++;
}

static void tell(gli_slate *slate, uint32_t s) {
  double best = -INFINITY;
  for (uint32_t a = 0; a < slate->actions; a++) best = fmax(best, slate->corner[(size_t)s * slate->actions + a]);
  slate->told[s] = best - gli_model_price(slate->model, s);
}

static void set_number(gli_slate *slate, uint32_t k, double value) {
  const gli_slate_number *number = &slate->number[k];
  slate->node[number->node].evaluated = 0;
  if (number->node < slate->states) {
    slate->corner[(size_t)number->node * slate->actions + number->action] = value;
    tell(slate, number->node);
    return;
  }
  uint32_t point = slate->node[number->node].point;
  size_t at = (size_t)point * slate->actions + number->action;
  slate->value[at] = value;
  deepen(slate, point);
}

void gli_slate_back_up(gli_slate *slate, uint32_t k) {
  const gli_slate_number *number = &slate->number[k];
  double value = number->reward;
  for (uint32_t i = 0; i < number->count; i++) {
    const gli_slate_edge *edge = &slate->edge[number->first + i];
    value += edge->weight * slate->node[edge->node].upper;
  }
  slate->scratch->effort += number->count;
  if (value < gli_slate_number_value(slate, k)) set_number(slate, k, value);
}

double gli_slate_put(gli_slate *slate, uint32_t k, bool falls) {
  const gli_slate_number *number = &slate->number[k];
  double value = number->reward, before = gli_slate_number_value(slate, k);
  for (uint32_t i = 0; i < number->count; i++) {
    const gli_slate_edge *edge = &slate->edge[number->first + i];
    value += edge->weight * slate->node[edge->node].upper;
  }
  slate->scratch->effort += number->count;
  if (falls ? value != before : value > before) set_number(slate, k, value);
  return value - before;
}

void gli_slate_raise(gli_slate *slate, double by) {
  for (size_t i = 0; i < (size_t)slate->states * slate->actions; i++) slate->corner[i] += by;
  for (size_t i = 0; i < slate->points * slate->actions; i++) slate->value[i] += by;
  for (size_t i = 0; i < slate->nodes * slate->actions; i++) slate->bound[i] = INFINITY;
  for (size_t n = 0; n < slate->nodes; n++) slate->node[n].upper = INFINITY; /* S2: no bound from before holds */
  slate->largest += by;
  for (uint32_t s = 0; s < slate->states; s++) slate->told[s] += by;
  gli_slate_measure(slate); /* by the table as it was, bounds would be too low */
}

void gli_slate_lower_corner(gli_slate *slate, uint32_t s, uint32_t a, double value) {
  double *corner = &slate->corner[(size_t)s * slate->actions + a];
  if (!(value < *corner)) return;
  *corner = value;
  tell(slate, s);
}

void gli_slate_restore_corner(gli_slate *slate, uint32_t s) {
  size_t length = gli_line_even(slate->actions);
  memcpy(slate->corner + (size_t)s * slate->actions, slate->table + s * length, slate->actions * sizeof(double));
  tell(slate, s);
}

static bool make_point(gli_slate *slate, uint32_t n) {
  uint32_t actions = slate->actions, p = (uint32_t)slate->points;
  size_t values = (slate->points + 1) * actions;
  if (n < slate->states || slate->node[n].point != GLI_SLATE_NONE) return true;
  if (!GLI_GROW(slate->point, slate->point_capacity, slate->points + 1) ||
      !GLI_GROW(slate->value, slate->value_capacity, values) ||
      !GLI_GROW(slate->depth, slate->depth_capacity, values) || !GLI_GROW(slate->base, slate->base_capacity, values) ||
      !GLI_GROW(slate->deepest, slate->deepest_capacity, slate->points + 1) ||
      !GLI_GROW(slate->next, slate->next_capacity, slate->points + 1))
    return false;
  for (uint32_t a = 0; a < actions; a++) {
    slate->value[(size_t)p * actions + a] = INFINITY;
    slate->depth[(size_t)p * actions + a] = 0;
  }
  gli_slate_node *node = &slate->node[n];
  slate->deepest[p] = 0;
  slate->point[p] = n;
  slate->next[p] = slate->newest[node->anchor];
  slate->newest[node->anchor] = p;
  node->point = p;
  slate->points++;
  measure_point(slate, slate->scratch, p);
  return true;
}

static double reward_of(const glimpse_model *model, glimpse_row belief, uint32_t a) {
  double reward = 0;
  for (size_t i = 0; i < belief.count; i++)
    reward += belief.value[i] * model->reward[gli_model_row(model, a, belief.index[i])];
  return reward;
}

/* Cuts small probabilities off a child, in place; *rest is what is left of it. */
static glimpse_row trim(gli_children *children, size_t i, double *rest) {
  size_t first = children->first[i], end = children->first[i + 1], to = first;
  uint32_t *state = children->entries.index;
  double *mass = children->entries.value;
  *rest = 1;
  for (size_t k = first; k < end; k++) to += mass[k] >= TRIM;
  if (to == end) return gli_children_row(children, i);
  double kept = 0;
  to = first;
  for (size_t k = first; k < end; k++) {
    if (mass[k] < TRIM) continue;
    state[to] = state[k];
    mass[to++] = mass[k];
    kept += mass[k];
  }
  for (size_t k = first; k < to; k++) mass[k] /= kept;
  *rest = kept < 1 ? kept : 1;
  return (glimpse_row){to - first, state + first, mass + first};
}

/* Children of a number that has none yet. */
static bool look_ahead(gli_slate *slate, uint32_t k) {
  uint32_t n = slate->number[k].node, a = slate->number[k].action;
  gli_children *children = &slate->children;
  if (!gli_belief_children(slate->work, gli_slate_belief(slate, n), a, children) ||
      !GLI_GROW(slate->edge, slate->edge_capacity, slate->edges + children->count))
    return false;
  gli_slate_number *number = &slate->number[k];
  number->first = slate->edges;
  double reward = reward_of(slate->model, gli_slate_belief(slate, n), a);
  for (size_t i = 0; i < children->count; i++) {
    double rest, weight = slate->model->discount * children->probability[i];
    uint32_t child = gli_slate_find(slate, trim(children, i, &rest));
    if (child == GLI_SLATE_NONE) return false;
    slate->edge[slate->edges + i] = (gli_slate_edge){child, weight * rest};
    reward += weight * (1 - rest) * slate->largest;
  }
  slate->scratch->effort += 4 * children->entries.count;
  slate->edges += children->count;
  number->count = (uint32_t)children->count;
  number->reward = reward;
  number->lower = NAN;
  number->open = true;
  return true;
}

static uint32_t add_number(gli_slate *slate, uint32_t n, uint32_t a) {
  if (!GLI_GROW(slate->number, slate->number_capacity, slate->numbers + 1)) return GLI_SLATE_NONE;
  uint32_t k = (uint32_t)slate->numbers++;
  slate->number[k] = (gli_slate_number){.node = n, .action = a};
  slate->number_of[(size_t)n * slate->actions + a] = k;
  return k;
}

uint32_t gli_slate_open(gli_slate *slate, uint32_t n, uint32_t a) {
  uint32_t k = slate->number_of[(size_t)n * slate->actions + a];
  if (k == GLI_SLATE_NONE) {
    if (!make_point(slate, n)) return k;
    k = add_number(slate, n, a);
    if (k == GLI_SLATE_NONE) return k;
  }
  if (slate->number[k].open) return k;
  if (!look_ahead(slate, k)) return GLI_SLATE_NONE;
  for (uint32_t i = 0; i < slate->number[k].count; i++)
    if (!gli_slate_evaluate(slate, slate->edge[slate->number[k].first + i].node)) return GLI_SLATE_NONE;
  gli_slate_back_up(slate, k);
  return k;
}

bool gli_slate_claim(gli_slate *slate, uint32_t n, uint32_t a, double value) {
  uint32_t k = slate->number_of[(size_t)n * slate->actions + a];
  if (k == GLI_SLATE_NONE) {
    if (!make_point(slate, n)) return false;
    k = add_number(slate, n, a);
    if (k == GLI_SLATE_NONE) return false;
  }
  if (!slate->number[k].open && !look_ahead(slate, k)) return false;
  set_number(slate, k, value);
  return true;
}

/* -------------------------------------------------------------------- begin */

static bool begin_workers(gli_slate *slate) {
  if (slate->how->jobs > 1) slate->pool = gli_parallel_new(slate->how->jobs); /* without it goes on alone */
  slate->workers = gli_parallel_threads(slate->pool);
  slate->scratch = GLI_NEW(gli_slate_scratch, slate->workers);
  if (!slate->scratch) return false;
  for (unsigned i = 0; i < slate->workers; i++) {
    gli_slate_scratch *mine = &slate->scratch[i];
    mine->present = GLI_NEW(double, slate->states);
    mine->sum = GLI_NEW(double, 2 * (size_t)gli_line_even(slate->actions));
    mine->best = GLI_NEW(gli_slate_share, slate->actions);
    if (!mine->present || !mine->sum || !mine->best) return false;
  }
  return true;
}

static bool begin(gli_slate *slate, const double *corner) {
  size_t corners = (size_t)slate->states * slate->actions;
  slate->work = gli_belief_work_new(slate->model);
  slate->corner = gli_memory_copy(corner, corners, sizeof *corner);
  slate->table = GLI_NEW(double, (size_t)slate->states *gli_line_even(slate->actions));
  slate->told = GLI_NEW(double, slate->states);
  slate->newest = GLI_NEW(uint32_t, slate->states);
  if (!slate->work || !slate->corner || !slate->table || !slate->told || !slate->newest || !begin_workers(slate))
    return false;
  write_table(slate);
  double one = 1;
  for (uint32_t s = 0; s < slate->states; s++) {
    slate->newest[s] = GLI_SLATE_NONE;
    tell(slate, s);
    if (add_node(slate, (glimpse_row){1, &s, &one}) == GLI_SLATE_NONE) return false;
    for (uint32_t a = 0; a < slate->actions; a++)
      if (add_number(slate, s, a) == GLI_SLATE_NONE) return false;
  }
  slate->largest = -INFINITY;
  for (size_t i = 0; i < corners; i++) slate->largest = fmax(slate->largest, corner[i]);
  double low, high;
  gli_model_reward_range(slate->model, &low, &high);
  slate->floor = low / (1 - slate->model->discount);
  return true;
}

gli_slate *gli_slate_new(const glimpse_model *model, const gli_settle *how, const double *corner) {
  gli_slate *slate = GLI_NEW(gli_slate, 1);
  if (!slate) return NULL;
  slate->model = model;
  slate->how = how;
  slate->states = model->states;
  slate->actions = model->actions;
  slate->now = 1;
  if (begin(slate, corner)) return slate;
  gli_slate_free(slate);
  return NULL;
}
