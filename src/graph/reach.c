/* Reach: the reaches of the origins solve  reach = source + M^T reach,  M[x,y] being the weight of the direct paths
 * from origin x to origin y (paper, Eq. cum_prod_inverse, with the transpose that is missing there).  Row x of M is
 * found by walking the policy's part of the tree below x (walk.c).  When a row changes, its difference goes into
 * residuals, and residuals are pushed along rows until they are negligible: what is left over is never lost, only late.
 *
 * The next record to expand is below the origin with the largest reach * score: a tournament. */
#include "graph/reach.h"

#include <math.h>
#include <string.h>

gli_reaches gli_reaches_of(gli_graph *graph) {
  return (gli_reaches){.graph = graph, .source = GLI_NONE};
}

void gli_reaches_free(gli_reaches *reaches) {
  for (size_t i = 0; i < reaches->capacity; i++) gli_memory_free(reaches->of[i].row);
  gli_memory_free(reaches->of);
  gli_winners_free(&reaches->winners);
  gli_memory_free(reaches->queue);
  gli_memory_free(reaches->flow);
  gli_memory_free(reaches->touched);
}

/* In step with the graph, which counts what is held here for each origin. */
static bool make_room(gli_reaches *reaches, size_t capacity) {
  gli_reach *of = gli_memory_resize(reaches->of, capacity, sizeof *of);
  if (!of) return false;
  memset(of + reaches->capacity, 0, (capacity - reaches->capacity) * sizeof *of);
  reaches->of = of;
  uint32_t *queue = GLI_NEW(uint32_t, capacity);
  double *flow = GLI_NEW(double, capacity);
  uint32_t *touched = GLI_NEW(uint32_t, capacity);
  if (!queue || !flow || !touched || !gli_winners_grow(&reaches->winners, capacity)) {
    gli_memory_free(queue);
    gli_memory_free(flow);
    gli_memory_free(touched);
    return false;
  }
  for (size_t i = 0; i < reaches->queue_count; i++)
    queue[i] = reaches->queue[(reaches->queue_first + i) % reaches->capacity];
  if (reaches->capacity) {
    memcpy(flow, reaches->flow, reaches->capacity * sizeof *flow);
    memcpy(touched, reaches->touched, reaches->touched_count * sizeof *touched);
  }
  gli_memory_free(reaches->queue);
  gli_memory_free(reaches->flow);
  gli_memory_free(reaches->touched);
  reaches->queue = queue;
  reaches->queue_first = 0;
  reaches->capacity = capacity;
  reaches->flow = flow;
  reaches->touched = touched;
  return true;
}

bool gli_reaches_grow(gli_reaches *reaches) {
  const gli_graph *graph = reaches->graph;
  if (graph->origin_count <= reaches->count) return true;
  if (graph->origin_count > reaches->capacity && !make_room(reaches, graph->origin_capacity)) return false;
  reaches->count = graph->origin_count;
  return true;
}

/* --------------------------------------------------------------- tournament */

void gli_reaches_key(gli_reaches *reaches, uint32_t origin) {
  const gli_graph *graph = reaches->graph;
  uint32_t record = graph->origins[origin].record;
  double reach = reaches->of[origin].reach, key = 0;
  if (reaches->of[origin].followed && reach <= GLI_REACH_TANGIBLE) reach = 2 * GLI_REACH_TANGIBLE;
  if (record != GLI_NONE && reach > GLI_REACH_TANGIBLE) {
    key = (double)graph->records[record].score;
    if (graph->options.rule != GLI_RULE_BI_POMDP) key *= reach;
  }
  gli_winners_set(&reaches->winners, origin, key);
}

uint32_t gli_reaches_best(const gli_reaches *reaches) {
  if (!reaches->winners.capacity) return GLI_NONE;
  uint32_t origin = gli_winners_best(&reaches->winners);
  return reaches->winners.key[origin] > 0 ? reaches->graph->origins[origin].record : GLI_NONE;
}

/* ---------------------------------------------------------------- residuals */

static void owe(gli_reaches *reaches, uint32_t origin, double mass, double least) {
  gli_reach *x = &reaches->of[origin];
  x->residual += mass;
  if (x->waiting || fabs(x->residual) <= least) return;
  x->waiting = true;
  reaches->queue[(reaches->queue_first + reaches->queue_count++) % reaches->capacity] = origin;
}

void gli_reaches_call(gli_reaches *reaches, uint32_t origin, double least) {
  owe(reaches, origin, 0, least);
}

/* Takes the residual of an origin into its reach, and owes it to where its row leads. */
static void deliver(gli_reaches *reaches, uint32_t origin, double least) {
  double wide = 1e3 / (1 - reaches->graph->discount); /* no solution is so large by far */
  gli_reach *x = &reaches->of[origin];
  double mass = x->residual;
  x->residual = 0;
  x->reach += mass;
  reaches->astray |= fabs(x->reach) > wide;
  for (uint32_t i = 0; i < x->count; i++) owe(reaches, x->row[i].origin, mass * x->row[i].weight, least);
  gli_reaches_key(reaches, origin);
}

/* Each origin waits at most once, so the ring of `capacity` places never overflows. */
static double push(gli_reaches *reaches, double work, double least) {
  double done = 0;
  while (reaches->queue_count && done < work) {
    uint32_t origin = reaches->queue[reaches->queue_first];
    reaches->queue_first = (reaches->queue_first + 1) % reaches->capacity;
    reaches->queue_count--;
    reaches->of[origin].waiting = false;
    deliver(reaches, origin, least);
    done += 0.25 + reaches->of[origin].count / 16.0;
  }
  return done;
}

/* All reaches anew, from the source: nearly, if that is much work. */
static double recover(gli_reaches *reaches, double least) {
  reaches->astray = false;
  reaches->queue_count = 0;
  for (uint32_t x = 0; x < reaches->count; x++) {
    reaches->of[x].reach = reaches->of[x].residual = reaches->of[x].arrived = 0;
    reaches->of[x].waiting = false;
    gli_reaches_key(reaches, x);
  }
  if (reaches->source == GLI_NONE) return 0;
  owe(reaches, reaches->source, 1, 0);
  return push(reaches, (double)reaches->count, least);
}

/* Where residuals are not settled (a discount next to 1) and rows change all the time, reaches may swing ever more
 * widely about their solution, and lose digits. */
double gli_reaches_push(gli_reaches *reaches, double work, double least) {
  double done = push(reaches, work, least);
  if (reaches->astray) done += recover(reaches, least);
  return done;
}

/* Gives an origin mass of its own, or takes it back, at once: what is expanded next is to be for the root as it is. */
static void give(gli_reaches *reaches, uint32_t origin, double mass) {
  if (origin == GLI_NONE) return;
  owe(reaches, origin, mass, INFINITY);
  deliver(reaches, origin, GLI_REACH_PRESSING);
}

void gli_reaches_move(gli_reaches *reaches, uint32_t root) {
  give(reaches, reaches->source, -1);
  give(reaches, root, 1);
  reaches->source = root;
}

void gli_reaches_forget(gli_reaches *reaches, uint32_t origin, uint32_t holder) {
  if (origin >= reaches->count) return;
  gli_reach *x = &reaches->of[origin];
  for (uint32_t i = 0; i < x->count; i++)
    owe(reaches, x->row[i].origin, -x->reach * x->row[i].weight, GLI_REACH_PRESSING);
  x->count = 0;
  x->reach = x->residual = x->arrived = 0;
  x->followed = false;
  if (reaches->source == origin) reaches->source = GLI_NONE;
  gli_winners_set(&reaches->winners, origin, 0);
  if (holder >= reaches->count) return;
  gli_reach *h = &reaches->of[holder];
  for (uint32_t i = 0; i < h->count; i++)
    if (h->row[i].origin == origin) h->row[i--] = h->row[--h->count];
}

/* --------------------------------------------------------------------- rows */

/* Room for a row of so many entries; false: none. */
static bool widen(gli_reaches *reaches, gli_reach *x, size_t capacity) {
  gli_graph *graph = reaches->graph;
  uint64_t bytes = (capacity - x->capacity) * sizeof(gli_flow);
  if (!gli_quota_take(&graph->quota, bytes, gli_store_scratch(graph))) return false;
  gli_flow *row = gli_memory_resize(x->row, capacity, sizeof *row);
  if (!row) {
    gli_quota_give(&graph->quota, bytes);
    reaches->starved = true;
    return false;
  }
  x->row = row;
  x->capacity = (uint32_t)capacity;
  return true;
}

static size_t count_from(const gli_reaches *reaches, double least) {
  size_t count = 0;
  for (size_t i = 0; i < reaches->touched_count; i++) count += reaches->flow[reaches->touched[i]] >= least;
  return count;
}

/* Drops the smallest flows, so that about as many are left as there is room for. */
static void keep_largest(gli_reaches *reaches, size_t room) {
  double least = 0;
  for (size_t i = 0; i < reaches->touched_count; i++) least = fmax(least, reaches->flow[reaches->touched[i]]);
  while (least > 0 && count_from(reaches, least / 2) <= room) least /= 2;
  size_t kept = 0;
  for (size_t i = 0; i < reaches->touched_count; i++) {
    uint32_t origin = reaches->touched[i];
    if (kept < room && reaches->flow[origin] >= least) reaches->touched[kept++] = origin;
    else reaches->flow[origin] = 0;
  }
  reaches->touched_count = kept;
}

/* Near the limit a row has what there is room for: what it lacks is not searched, and the graph is full. */
static void fit(gli_reaches *reaches, gli_reach *x) {
  size_t wanted = reaches->touched_count + reaches->touched_count / 2;
  while (wanted > x->capacity && !reaches->starved && !widen(reaches, x, wanted)) wanted /= 2;
  if (reaches->touched_count <= x->capacity) return;
  reaches->graph->full = true;
  keep_largest(reaches, x->capacity);
}

bool gli_reaches_commit(gli_reaches *reaches, uint32_t origin, double least) {
  gli_reach *x = &reaches->of[origin];
  if (reaches->touched_count > x->capacity) fit(reaches, x);
  bool same = x->count == reaches->touched_count; /* where neither policy nor tree has changed */
  for (uint32_t i = 0; i < x->count; i++) {
    gli_flow *old = &x->row[i];
    same &= reaches->flow[old->origin] == old->weight;
    owe(reaches, old->origin, -x->reach * old->weight, INFINITY);
  }
  x->count = 0;
  for (size_t i = 0; i < reaches->touched_count; i++) {
    uint32_t to = reaches->touched[i];
    x->row[x->count++] = (gli_flow){to, reaches->flow[to]};
  }
  for (uint32_t i = 0; i < x->count; i++) owe(reaches, x->row[i].origin, x->reach * x->row[i].weight, INFINITY);
  for (uint32_t i = 0; i < x->count; i++) owe(reaches, x->row[i].origin, 0, least);
  return !same;
}

void gli_reaches_drop(gli_reaches *reaches) {
  for (size_t i = 0; i < reaches->touched_count; i++) reaches->flow[reaches->touched[i]] = 0;
  reaches->touched_count = 0;
}
