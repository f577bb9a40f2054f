/* Vectors: a bounded set of plans, each with its value in every state.
 *
 * A vector is a policy: an action and, for each observation, what to do next: follow another vector, or ask and do what
 * the corner does.  Its value
 *   v(s) = R(s,a) + discount sum_s' T(s'|s,a) sum_o O(o|a,s') w_o(s'),   w_o = value of the successor, or N_L - price,
 * moved down by rounding, is a lower bound at every belief: <b,v> <= V(b); and v(s) <= N(s).
 *
 * A promise must not outlive its policy, or the agent could put off for ever what it no longer knows how to do.  So a
 * bound notes the vector that it rests on, and a vector that loses its place among those in use stays as long as a
 * bound or another vector that stays refers to it (sweep).  The numbers of a vector never change.
 *
 * Those in use are kept as a matrix, a line of all values per state: a belief is evaluated by adding up its lines. */
#include "graph/vectors.h"

#include <assert.h>
#include <string.h>

#include "graph/backup.h"
#include "graph/line.h"
#include "graph/store.h"

enum { MOST_LINES = 1 << 22, MOST_VECTORS = 1 << 20, DENSE = 16 };

/* ------------------------------------------------------------------- making */

/* Are there too many states that may show an observation to list them? */
static bool dense(const glimpse_model *model) {
  uint64_t rows = (uint64_t)model->actions * model->states;
  return model->observe.row[rows] > DENSE * rows;
}

/* Which states may show an observation, after any action; none where there are too many. */
static bool find_shown(const gli_graph *graph, struct gli_vectors *v) {
  const glimpse_model *model = graph->model;
  uint64_t rows = (uint64_t)model->actions * model->states, all = model->observe.row[rows];
  if (dense(model)) return true;
  v->shown = GLI_NEW(uint32_t, (size_t)model->observations + 1);
  v->shows = GLI_NEW(uint32_t, (size_t)all);
  uint32_t *last = GLI_NEW(uint32_t, model->observations);
  bool made = v->shown && v->shows && last;
  for (int round = 0; made && round < 2; round++) { /* counts, then writes */
    memset(last, 0xff, model->observations * sizeof *last);
    for (uint32_t s = 0; s < model->states; s++)
      for (uint32_t a = 0; a < model->actions; a++) {
        glimpse_row row = gli_table_row(&model->observe, gli_model_row(model, a, s));
        for (size_t i = 0; i < row.count; i++) {
          uint32_t o = row.index[i];
          if (last[o] == s) continue;
          last[o] = s;
          if (round) v->shows[v->shown[o]++] = s;
          else v->shown[o + 1]++;
        }
      }
    for (uint32_t o = 0; o < model->observations; o++)
      if (!round) v->shown[o + 1] += v->shown[o];
    if (round) memmove(v->shown + 1, v->shown, model->observations * sizeof *v->shown), v->shown[0] = 0;
  }
  gli_memory_free(last);
  return made;
}

static size_t default_lines(const gli_graph *graph) {
  return graph->model->requests ? 0 : graph->vectors->shows ? graph->model->observations : 1;
}

/* What is held whatever is learnt. */
static uint64_t measure(const gli_graph *graph, const struct gli_vectors *v) {
  const glimpse_model *model = graph->model;
  uint64_t observations = model->observations, states = graph->states, width = v->width;
  bool lists = !model->requests && !dense(model);
  uint64_t lines = model->requests ? 0 : lists ? observations : 1;
  uint64_t shown = lists ? model->observe.row[(uint64_t)model->actions * states] + observations + 1 : 0;
  return sizeof *v + width * (2 * sizeof *v->vector_of + 2 * sizeof(double)) +
         observations * ((width + 2) * sizeof(double) + 2 * sizeof(uint32_t)) + 2 * states * sizeof(double) +
         lines * width * sizeof(double) + GLI_TUNING_PATH * sizeof *v->path + shown * sizeof *v->shown;
}

static bool make_scratch(const gli_graph *graph, struct gli_vectors *v) {
  uint32_t observations = graph->model->observations;
  if (!graph->model->requests && !find_shown(graph, v)) return false;
  size_t lines = graph->model->requests ? 0 : v->shows ? observations : 1;
  v->vector_of = GLI_NEW(uint32_t, v->width);
  v->action_of = GLI_NEW(uint32_t, v->width);
  v->wins = GLI_NEW(double, v->width);
  v->products = GLI_NEW(double, v->width);
  v->lines = GLI_NEW(double, (size_t)observations *(v->width + 2));
  v->values = GLI_NEW(double, 2 * (size_t)graph->states);
  v->successors = GLI_NEW(uint32_t, 2 * (size_t)observations);
  v->path = GLI_NEW(uint32_t, GLI_TUNING_PATH);
  v->defaults = GLI_NEW(double, lines * v->width);
  return v->vector_of && v->action_of && v->wins && v->products && v->lines && v->values && v->successors && v->path &&
         v->defaults;
}

/* How many there may be. */
static void find_width(const gli_graph *graph, struct gli_vectors *v) {
  uint64_t learnt = GLI_TUNING_MATRIX / sizeof(double) / graph->states;
  learnt = learnt > GLI_TUNING_VECTORS ? GLI_TUNING_VECTORS : learnt < 8 ? 8 : learnt;
  v->first = (uint32_t)((graph->lowers + learnt + 1) & ~(uint64_t)1);
  uint64_t more = GLI_TUNING_VECTORS_BYTES / sizeof(double) / (graph->states + (uint64_t)graph->model->observations);
  more = more > GLI_TUNING_VECTORS_MORE ? GLI_TUNING_VECTORS_MORE : more;
  uint64_t limit = graph->options.max_bytes;
  if (more > learnt && (!limit || limit >= 64 * (uint64_t)GLI_TUNING_VECTORS_BYTES)) learnt = more;
  v->width = (uint32_t)((graph->lowers + learnt + 1) & ~(uint64_t)1);
  if ((uint64_t)graph->model->observations * v->width > MOST_LINES) v->width = 2; /* nothing will be learnt */
}

uint64_t gli_vectors_fixed(const gli_graph *graph) {
  struct gli_vectors v = {0};
  find_width(graph, &v);
  return measure(graph, &v);
}

struct gli_vectors *gli_vectors_new(gli_graph *graph, gli_graph_bounds bounds) {
  struct gli_vectors *v = GLI_NEW(struct gli_vectors, 1);
  if (!v) return NULL;
  graph->vectors = v;
  find_width(graph, v);
  for (size_t i = 0; i < bounds.lower_count; i++) {
    if (glimpse_bound_measure(bounds.lowers[i]).kind == GLIMPSE_BOUND_SEQUENCE) v->given[0] = bounds.lowers[i];
    if (bounds.lowers[i]->follow) v->given[1] = bounds.lowers[i];
  }
  v->bytes = sizeof(gli_vector) + ((graph->model->observations + (size_t)1) & ~(size_t)1) * sizeof(uint32_t) +
             graph->states * sizeof(double);
  uint64_t limit = graph->options.max_bytes ? graph->options.max_bytes / 4 / v->bytes : MOST_VECTORS;
  v->most = (uint32_t)(limit > MOST_VECTORS ? MOST_VECTORS : limit);
  if (make_scratch(graph, v)) return v;
  gli_vectors_free(v);
  return graph->vectors = NULL;
}

void gli_vectors_free(struct gli_vectors *v) {
  if (!v) return;
  void *all[] = {v->vector_of, v->action_of, v->wins,  v->products,   v->lines, v->values,
                 v->defaults,  v->shown,     v->shows, v->successors, v->path,  v->stack};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) gli_memory_free(all[i]);
  gli_memory_free(v);
}

/* Adds a vector that always stays, with what follows it in v->successors. */
static void add_staying(gli_graph *graph, uint32_t action, const double *values) {
  uint32_t id = gli_vectors_add(graph, action, graph->vectors->successors, values);
  if (id != GLI_NO_VECTOR) gli_vectors_at(graph, id)->state = GLI_VECTOR_FIXED;
}

/* Those of a bound. */
static void add_bound(gli_graph *graph, const glimpse_bound *bound) {
  struct gli_vectors *v = graph->vectors;
  uint32_t first = v->count, observations = graph->model->observations;
  for (uint32_t k = 0; bound && k < bound->vectors && !v->closed; k++) {
    gli_plan plan = gli_bound_plan(bound, k);
    for (uint32_t s = 0; s < graph->states; s++) v->values[s] = glimpse_bound_entry(bound, k, s);
    for (uint32_t o = 0; o < observations; o++) {
      uint32_t next = bound->follow ? bound->follow[(size_t)k * observations + o] : plan.next;
      v->successors[o] = next == GLI_PLAN_ASK ? GLI_ASK : first + next;
    }
    add_staying(graph, plan.action, v->values);
  }
}

/* Those of a policy: all of them or, where there is no room, none. */
static void add_policy(gli_graph *graph) {
  struct gli_vectors *v = graph->vectors;
  const gli_given *given = graph->options.given;
  uint32_t first = v->count, observations = graph->model->observations;
  if (!given || v->closed || v->count > v->most || given->count > v->most - v->count) return;
  for (uint32_t k = 0; k < given->count && !v->closed; k++) {
    const uint32_t *to = given->successors + (size_t)k * observations;
    for (uint32_t o = 0; o < observations; o++)
      v->successors[o] = to[o] == GLI_GIVEN_ASK ? GLI_ASK : first + to[o];
    add_staying(graph, given->action[k], given->values[k]);
  }
}

/* The blind vectors of the table, always the same action; then those that were there before the search: strings of
 * actions, of which each is followed by the rest of it, or by asking, and plans that act by what they are told.  Any
 * may follow another, so where there is no room for all there are none, and nothing is learnt. */
static void add_all_fixed(gli_graph *graph) {
  struct gli_vectors *v = graph->vectors;
  for (uint32_t k = 0; k < graph->lowers; k++) {
    v->fixed = v->used; /* it takes nobody's place */
    for (uint32_t s = 0; s < graph->states; s++)
      v->values[s] = graph->offline[(size_t)s * graph->stride + graph->at_lowers + k];
    for (uint32_t o = 0; o < graph->model->observations; o++) v->successors[o] = v->count;
    add_staying(graph, graph->lower_action[k], v->values);
  }
  v->fixed = v->used; /* the others may lose their places among those in use */
  add_bound(graph, v->given[0]);
  add_bound(graph, v->given[1]);
  add_policy(graph);
  if (v->closed) v->count = v->live = v->used = v->fixed = 0;
}

/* What is known of acting in a state may rest on one of these plans. */
static void rest_corners(gli_graph *graph) {
  for (uint32_t id = graph->lowers; id < graph->vectors->count; id++) {
    const double *values = gli_vector_values(graph, gli_vectors_at(graph, id));
    for (uint32_t s = 0; s < graph->states; s++)
      if (values[s] == graph->corner[s].lower) graph->corner[s].rest = id;
  }
}

void gli_vectors_clear(gli_graph *graph) {
  struct gli_vectors *v = graph->vectors;
  v->count = v->live = v->used = v->fixed = v->added = 0;
  v->capacity = 0;
  v->free = GLI_NONE;
  v->owed = v->usual = 0;
  v->path_count = 0;
  v->trial = v->backups = (gli_trial){0};
  v->random = gli_random_stream(0, "vectors", 0);
  size_t capacity = 0;
  bool room = v->width > 2 && gli_store_array(graph, GLI_REGION_MATRIX, &capacity, (size_t)graph->states * v->width,
                                              sizeof(double), graph->quota.limit / 2);
  v->closed = !room;
  if (room) {
    v->matrix = (double *)(void *)graph->region[GLI_REGION_MATRIX].start;
    for (size_t i = 0; i < (size_t)graph->states * v->width; i++) v->matrix[i] = 0;
    add_all_fixed(graph);
    rest_corners(graph);
  }
  graph->full = false;
}

/* --------------------------------------------------------------- evaluating */

static void multiply(const gli_graph *graph, glimpse_row belief, double *products) {
  const struct gli_vectors *v = graph->vectors;
  gli_line_sum(products, v->matrix, v->width, belief, gli_line_even(v->used));
}

static uint32_t resting(const gli_graph *graph, uint32_t slot) {
  return slot < graph->vectors->fixed ? GLI_NO_VECTOR : graph->vectors->vector_of[slot];
}

double gli_vectors_evaluate(gli_graph *graph, glimpse_row belief, uint32_t *vector) {
  struct gli_vectors *v = graph->vectors;
  *vector = GLI_NO_VECTOR;
  if (!v->used) return -INFINITY;
  multiply(graph, belief, v->products);
  uint32_t best = gli_line_largest(v->products, v->used);
  v->wins[best] += 1;
  *vector = resting(graph, best);
  return v->products[best] - gli_graph_slack(graph, v->products[best]);
}

void gli_vectors_raise(gli_graph *graph, gli_node *node, bool evaluated) {
  struct gli_vectors *v = graph->vectors;
  if (v->used <= graph->lowers) return; /* the table knows these */
  if (!evaluated) multiply(graph, gli_graph_belief(graph, node), v->products);
  double *lowers = gli_node_lowers(graph, node), most = node->lower;
  uint32_t best = GLI_NONE;
  for (uint32_t k = graph->lowers; k < v->used; k++) {
    double lower = v->products[k], *known = &lowers[v->action_of[k]];
    if (lower <= *known) continue;
    lower -= gli_graph_slack(graph, lower);
    *known = lower > *known ? lower : *known;
    if (lower > most) most = lower, best = k;
  }
  if (best != GLI_NONE) gli_backup_raise(graph, node, v->action_of[best], most, resting(graph, best));
}

double gli_vectors_value(const gli_graph *graph, uint32_t vector, glimpse_row belief) {
  const double *values = gli_vector_values(graph, gli_vectors_at(graph, vector));
  double sum = 0;
  for (size_t i = 0; i < belief.count; i++) sum += belief.value[i] * values[belief.index[i]];
  return sum - gli_graph_slack(graph, sum);
}

void gli_vectors_rest(gli_graph *graph, gli_node *node, uint32_t vector) {
  assert(gli_vectors_exists(graph, vector)); /* G7 */
  double lower = gli_vectors_value(graph, vector, gli_graph_belief(graph, node));
  gli_backup_raise(graph, node, gli_vectors_at(graph, vector)->action, lower, vector);
}

uint32_t gli_vectors_successor(const gli_graph *graph, uint32_t vector, uint32_t observation) {
  assert(gli_vectors_exists(graph, vector) && observation < graph->model->observations); /* G7 */
  return gli_vector_successors(gli_vectors_at(graph, vector))[observation];
}

/* ------------------------------------------------------------------- adding */

/* Writes a vector into a slot of the matrix. */
static void seat(gli_graph *graph, uint32_t id, uint32_t slot) {
  struct gli_vectors *v = graph->vectors;
  gli_vector *vector = gli_vectors_at(graph, id);
  const double *values = gli_vector_values(graph, vector);
  if (slot < v->used) gli_vectors_at(graph, v->vector_of[slot])->slot = GLI_NONE;
  else v->used = slot + 1;
  vector->slot = slot;
  v->vector_of[slot] = id;
  v->action_of[slot] = vector->action;
  for (uint32_t s = 0; s < graph->states; s++) v->matrix[(size_t)s * v->width + slot] = values[s];
  for (size_t o = 0; o < default_lines(graph); o++) {
    double sum = 0;
    if (!v->shows)
      for (uint32_t s = 0; s < graph->states; s++) sum += values[s];
    else
      for (uint32_t i = v->shown[o]; i < v->shown[o + 1]; i++) sum += values[v->shows[i]];
    v->defaults[o * v->width + slot] = sum;
  }
}

/* Is the vector in a slot nowhere better than these values? */
static bool dominated(const gli_graph *graph, uint32_t slot, const double *values) {
  const struct gli_vectors *v = graph->vectors;
  for (uint32_t s = 0; s < graph->states; s++)
    if (v->matrix[(size_t)s * v->width + slot] > values[s]) return false;
  return true;
}

/* How many may be in use by now. */
static uint32_t places(const gli_graph *graph) {
  const struct gli_vectors *v = graph->vectors;
  uint64_t now = graph->expansions / GLI_TUNING_VECTORS_EACH;
  return now <= v->first ? v->first : now < v->width ? (uint32_t)now : v->width;
}

/* Where a new vector goes: in place of one that it dominates, a free slot, or that of the least useful. */
static uint32_t find_slot(const gli_graph *graph, const double *values) {
  const struct gli_vectors *v = graph->vectors;
  for (uint32_t k = v->fixed; k < v->used; k++)
    if (dominated(graph, k, values)) return k;
  if (v->used < places(graph)) return v->used;
  uint32_t worst = v->fixed;
  for (uint32_t k = v->fixed; k < v->used; k++) worst = v->wins[k] < v->wins[worst] ? k : worst;
  return worst;
}

static uint32_t take(gli_graph *graph) {
  struct gli_vectors *v = graph->vectors;
  if (v->free == GLI_NONE && v->count >= v->most) gli_vectors_sweep(graph);
  if (v->free != GLI_NONE) {
    uint32_t id = v->free;
    v->free = gli_vectors_at(graph, id)->slot;
    return id;
  }
  bool full = graph->full;
  if (v->closed || v->count >= v->most ||
      !gli_store_array(graph, GLI_REGION_VECTORS, &v->capacity, v->count + (size_t)1, v->bytes,
                       graph->quota.limit / 4)) {
    graph->full = full;
    return GLI_NO_VECTOR;
  }
  return v->count++;
}

uint32_t gli_vectors_add(gli_graph *graph, uint32_t action, const uint32_t *successors, const double *values) {
  struct gli_vectors *v = graph->vectors;
  uint32_t id = take(graph);
  if (id == GLI_NO_VECTOR) {
    v->closed = true;
    return id;
  }
  v->live++;
  gli_vector *vector = gli_vectors_at(graph, id);
  *vector = (gli_vector){.action = action, .slot = GLI_NONE, .state = GLI_VECTOR_LEARNT};
  memcpy(gli_vector_successors(vector), successors, graph->model->observations * sizeof *successors);
  memcpy(gli_vector_values(graph, vector), values, graph->states * sizeof *values);
  uint32_t slot = find_slot(graph, values);
  double mean = 0;
  for (uint32_t k = v->fixed; k < v->used; k++) mean += v->wins[k] / (v->used - v->fixed);
  double wins = slot < v->used ? v->wins[slot] : 0;
  seat(graph, id, slot);
  v->wins[slot] = fmax(wins, 2 + mean); /* long enough to show what it is worth */
  if (++v->added % 16 == 0)
    for (uint32_t k = v->fixed; k < v->used; k++) v->wins[k] *= 0.7;
  return id;
}

/* ----------------------------------------------------------------- sweeping */

static void mark(gli_graph *graph, uint32_t id, uint32_t *depth) {
  if (id == GLI_NO_VECTOR) return;
  gli_vector *vector = gli_vectors_at(graph, id);
  assert(gli_vectors_exists(graph, id)); /* G7 */
  if (vector->state != GLI_VECTOR_LEARNT) return;
  vector->state = GLI_VECTOR_MARKED;
  graph->vectors->stack[(*depth)++] = id;
}

static void mark_bounds(gli_graph *graph, uint32_t *depth) {
  for (uint32_t s = 0; s < graph->states; s++) mark(graph, graph->corner[s].rest, depth);
  for (uint32_t i = 0; i < graph->node_count; i++) mark(graph, gli_graph_node(graph, i)->rest, depth);
  for (size_t i = 0; i < graph->child_count; i++)
    if (gli_link_fringe(graph->children[i].link)) mark(graph, gli_link_rest(graph->children[i].link), depth);
}

void gli_vectors_sweep(gli_graph *graph) {
  struct gli_vectors *v = graph->vectors;
  uint64_t bytes = (v->count + (uint64_t)1) * sizeof *v->stack;
  if (!v->count || !gli_quota_take(&graph->quota, bytes, 0)) return;
  v->stack = GLI_NEW(uint32_t, v->count);
  if (v->stack) {
    uint32_t depth = 0;
    for (uint32_t k = 0; k < v->used; k++) mark(graph, v->vector_of[k], &depth);
    mark_bounds(graph, &depth);
    while (depth) {
      uint32_t *successors = gli_vector_successors(gli_vectors_at(graph, v->stack[--depth]));
      for (uint32_t o = 0; o < graph->model->observations; o++) mark(graph, successors[o], &depth);
    }
    for (uint32_t i = 0; i < v->count; i++) {
      gli_vector *vector = gli_vectors_at(graph, i);
      if (vector->state == GLI_VECTOR_LEARNT) {
        *vector = (gli_vector){.slot = v->free};
        v->free = i;
        v->live--;
      } else if (vector->state == GLI_VECTOR_MARKED) {
        vector->state = GLI_VECTOR_LEARNT;
      }
    }
    gli_memory_free(v->stack);
    v->stack = NULL;
    v->closed = false;
  }
  gli_quota_give(&graph->quota, bytes);
}
