/* Extract: the policy behind the lower bound of a graph's root.
 *
 * A lower bound of the graph is a promise, and rests on something that can be done: a choice of a node, a vector,
 * asking and then what the corner promises, or the same action for ever.  Each of these becomes a node of the
 * controller. Where several are possible the one that promises most now is taken, so no promise is below the look ahead
 * of what is done for it; with discount < 1 it follows that the controller earns what was promised, but for rounding
 * and for what links between nearly equal beliefs may cost.  What it really earns is found by evaluating it.
 *
 * There is one node that asks: whatever was known before, what follows depends on the state alone.
 *
 * When time is over, what has not been written yet does what the best vector there does, which promises less; so much
 * is written in any case that the first choices are those of the search.
 *
 * What nothing was promised for (a belief that is only nearly that of its node may show more) leads to the safest
 * action, for ever. */
#include "policy/extract.h"

#include <math.h>

#include "base/clock.h"
#include "base/map.h"
#include "belief/belief.h"
#include "graph/vectors.h"

/* What a node of the controller stands for, and its number among its like. */
enum { NODE, CORNER, VECTOR, BLIND, ASK };

/* That are written whatever the time. */
enum { LEAST_NODES = 256 };

static uint64_t key_of(uint64_t what, uint32_t which) {
  return what << 32 | which;
}

typedef struct promise {
  double value;
  uint64_t key;
} promise;

typedef struct extraction {
  const gli_graph *graph;
  const glimpse_model *model;
  gli_belief_work *work;
  gli_children children;
  gli_map number; /* of a key: the node of the controller */
  uint64_t *keys; /* of each of these */
  size_t count, capacity;
  gli_edge_list list;
  double until; /* then no more is looked at than vectors */
  bool late;
  bool failed; /* no memory */
} extraction;

/* The number of what a key stands for, which will be written when its turn comes. */
static uint32_t number_of(extraction *it, uint64_t key) {
  uint32_t number = gli_map_find(&it->number, key);
  if (number != GLI_MAP_NONE) return number;
  if (it->count >= GLI_MAP_NONE - 1 || !GLI_GROW(it->keys, it->capacity, it->count + 1) ||
      !gli_map_add(&it->number, key, (uint32_t)it->count)) {
    it->failed = true;
    return 0;
  }
  it->keys[it->count] = key;
  return (uint32_t)it->count++;
}

/* ---------------------------------------------------------------- promises */

static void consider(promise *best, double value, uint64_t key) {
  if (value > best->value) *best = (promise){value, key};
}

static void consider_vector(const extraction *it, promise *best, glimpse_row belief, uint32_t vector) {
  if (vector != GLI_NO_VECTOR) consider(best, gli_vectors_value(it->graph, vector, belief), key_of(VECTOR, vector));
}

/* The best vector at a belief. */
static promise best_vector(const extraction *it, glimpse_row belief) {
  const gli_graph *graph = it->graph;
  promise best = {-INFINITY, 0};
  if (graph->vectors && graph->vectors->used) {
    for (uint32_t k = 0; k < graph->vectors->used; k++)
      consider_vector(it, &best, belief, graph->vectors->vector_of[k]);
    return best;
  }
  for (uint32_t k = 0; k < graph->lowers; k++) {
    double sum = 0;
    for (size_t i = 0; i < belief.count; i++)
      sum += belief.value[i] * graph->offline[(size_t)belief.index[i] * graph->stride + graph->at_lowers + k];
    consider(&best, sum, key_of(BLIND, graph->lower_action[k]));
  }
  return best;
}

static double asking(const extraction *it, glimpse_row belief) {
  if (!it->model->requests) return -INFINITY;
  double sum = -gli_model_price_at(it->model, belief);
  for (size_t i = 0; i < belief.count; i++) sum += belief.value[i] * it->graph->corner[belief.index[i]].lower;
  return sum;
}

/* What is best at a known state. */
static promise at_corner(const extraction *it, uint32_t s) {
  const gli_corner *corner = &it->graph->corner[s];
  bool searched = corner->node != GLI_NONE && gli_graph_node(it->graph, corner->node)->greedy != GLI_NONE;
  return (promise){corner->lower, searched ? key_of(NODE, corner->node) : key_of(CORNER, s)};
}

/* What is best at a belief that has no node; `rest`: a vector that was promised there. */
static promise at_fringe(const extraction *it, glimpse_row belief, uint32_t rest) {
  if (belief.count == 1) return at_corner(it, belief.index[0]);
  promise best = best_vector(it, belief);
  consider_vector(it, &best, belief, rest);
  consider(&best, asking(it, belief), key_of(ASK, 0));
  return best;
}

/* ----------------------------------------------------------------- writing */

static void edge(extraction *it, uint32_t seen, uint64_t key) {
  uint32_t to = number_of(it, key);
  if (!it->failed) it->failed = !gli_edge_list_edge(&it->list, seen, to);
}

static void node(extraction *it, uint32_t choice) {
  it->failed = it->failed || !gli_edge_list_node(&it->list, choice);
}

static void write_ask(extraction *it) {
  node(it, GLIMPSE_ANY);
  for (uint32_t s = 0; s < it->graph->states; s++)
    if (it->graph->reached[s]) edge(it, s, at_corner(it, s).key);
}

static void write_vector(extraction *it, uint32_t vector) {
  node(it, gli_vectors_at(it->graph, vector)->action);
  for (uint32_t o = 0; o < it->model->observations; o++) {
    uint32_t next = gli_vectors_successor(it->graph, vector, o);
    edge(it, o, next == GLI_ASK ? key_of(ASK, 0) : key_of(VECTOR, next));
  }
}

static void write_blind(extraction *it, uint32_t action) {
  node(it, action);
  for (uint32_t o = 0; o < it->model->observations; o++) edge(it, o, key_of(BLIND, action));
}

/* An action, and then what is best at each belief that may follow. */
static void write_step(extraction *it, glimpse_row belief, uint32_t action) {
  node(it, action);
  if (!gli_belief_children(it->work, belief, action, &it->children)) it->failed = true;
  for (size_t i = 0; i < it->children.count && !it->failed; i++)
    edge(it, it->children.observation[i], at_fringe(it, gli_children_row(&it->children, i), GLI_NO_VECTOR).key);
}

/* A known state that was not searched: the best vector, or an action and then what is best. */
static void write_corner(extraction *it, uint32_t s) {
  double one = 1;
  glimpse_row belief = {1, &s, &one};
  promise best = best_vector(it, belief);
  uint32_t action = GLI_NONE;
  consider_vector(it, &best, belief, it->graph->corner[s].rest);
  for (uint32_t a = 0; a < it->model->actions && !it->failed && !it->late; a++) {
    double value = 0;
    it->failed = !gli_belief_children(it->work, belief, a, &it->children);
    for (size_t i = 0; i < it->children.count && !it->failed; i++)
      value += it->children.probability[i] * at_fringe(it, gli_children_row(&it->children, i), GLI_NO_VECTOR).value;
    value = glimpse_model_reward(it->model, a, s) + it->model->discount * value;
    if (!(value > best.value)) continue;
    best.value = value;
    action = a;
  }
  if (it->failed) return;
  if (action != GLI_NONE) write_step(it, belief, action);
  else if (best.key >> 32 == VECTOR) write_vector(it, (uint32_t)best.key);
  else write_blind(it, (uint32_t)best.key);
}

/* What an opened choice of a node promises now; -inf: it is not opened. */
static double promised(const extraction *it, uint32_t n, uint32_t choice) {
  gli_outcome to;
  double sum = 0;
  uint32_t i = 0;
  for (; gli_graph_outcome(it->graph, n, choice, i, &to); i++)
    sum += to.probability * gli_graph_bounds_of(it->graph, &to).lower;
  if (!i) return -INFINITY;
  return gli_node_rewards(it->graph, gli_graph_node(it->graph, n))[choice] +
         gli_graph_discount(it->graph, choice) * sum;
}

/* What a node's outcomes lead to; beliefs of the fringe are made. */
static void write_outcomes(extraction *it, uint32_t n, uint32_t action) {
  glimpse_row belief = gli_graph_belief(it->graph, gli_graph_node(it->graph, n));
  gli_outcome to;
  node(it, action);
  if (!it->failed) it->failed = !gli_belief_children(it->work, belief, action, &it->children);
  for (uint32_t i = 0; !it->failed && gli_graph_outcome(it->graph, n, action, i, &to); i++) {
    uint64_t key;
    if (gli_link_corner(to.link)) {
      key = at_corner(it, to.link & ~GLI_CORNER).key;
    } else if (!gli_link_fringe(to.link)) {
      key = key_of(NODE, to.link);
    } else {
      size_t child = 0;
      while (child < it->children.count && it->children.observation[child] != to.label) child++;
      if (child == it->children.count) continue; /* too faint to be a belief */
      key = at_fringe(it, gli_children_row(&it->children, child), gli_link_rest(to.link)).key;
    }
    edge(it, to.label, key);
  }
}

/* The best choice of a node, or the vector that promises more. */
static void write_node(extraction *it, uint32_t n) {
  const gli_graph *graph = it->graph;
  const gli_node *at = gli_graph_node(graph, n);
  glimpse_row belief = gli_graph_belief(graph, at);
  promise best = best_vector(it, belief);
  uint32_t choice = GLI_NONE;
  consider_vector(it, &best, belief, at->rest);
  for (uint32_t c = 0; c <= graph->actions && !it->late; c++) {
    if (c == graph->actions && !gli_node_can_ask(graph, at)) continue;
    double value = promised(it, n, c);
    if (!(value >= best.value)) continue;
    best.value = value;
    choice = c;
  }
  if (choice == graph->actions) write_ask(it);
  else if (choice != GLI_NONE) write_outcomes(it, n, choice);
  else if (best.key >> 32 == VECTOR) write_vector(it, (uint32_t)best.key);
  else write_blind(it, (uint32_t)best.key);
}

static void write(extraction *it, uint64_t key) {
  uint32_t which = (uint32_t)key;
  switch (key >> 32) {
    case NODE: write_node(it, which); break;
    case CORNER: write_corner(it, which); break;
    case VECTOR: write_vector(it, which); break;
    case BLIND: write_blind(it, which); break;
    default: write_ask(it);
  }
}

/* The action whose worst is best. */
static uint64_t safest(const gli_graph *graph) {
  double best = -INFINITY;
  uint32_t action = graph->lower_action[0];
  for (uint32_t k = 0; k < graph->lowers; k++) {
    double worst = INFINITY;
    for (uint32_t s = 0; s < graph->states; s++)
      if (graph->reached[s]) worst = fmin(worst, graph->offline[(size_t)s * graph->stride + graph->at_lowers + k]);
    if (worst > best) best = worst, action = graph->lower_action[k];
  }
  return key_of(BLIND, action);
}

bool gli_policy_extract(glimpse_policy *policy, const gli_graph *graph, double until) {
  extraction it = {.graph = graph, .model = graph->model, .work = gli_belief_work_new(graph->model), .until = until};
  it.failed = !it.work;
  if (!it.failed) number_of(&it, key_of(NODE, graph->root));
  if (!it.failed) number_of(&it, safest(graph));
  for (size_t i = 0; i < it.count && !it.failed; i++) {
    if (i % 64 == 0 && i >= LEAST_NODES) it.late = it.late || gli_clock_now() >= it.until;
    write(&it, it.keys[i]);
  }
  if (!it.failed) {
    gli_policy_take(policy, &it.list);
    it.failed = !gli_policy_cover(policy, graph->model, 1) || !gli_policy_minimise(policy);
  }
  gli_edge_list_free(&it.list);
  gli_belief_work_free(it.work);
  gli_children_free(&it.children);
  gli_map_free(&it.number);
  gli_memory_free(it.keys);
  return !it.failed;
}

/* ------------------------------------------------------------------- lower */

double gli_extract_lower(const void *context, glimpse_row belief) {
  const gli_graph *graph = context;
  extraction it = {.graph = graph, .model = graph->model};
  return at_fringe(&it, belief, GLI_NO_VECTOR).value;
}
