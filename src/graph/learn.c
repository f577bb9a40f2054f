/* Learn: point backups (Pineau, Gordon, Thrun 2003) along sampled paths.
 *
 * A path follows the greedy choices or the plan from the root, to what is likely and not yet known.  From its end to
 * the root, each belief b gets the vector that is best there:
 *   max_a [ R(b,a) + discount sum_o max_k <J_o,v_k> ],   J_o(s') = O(o|a,s') sum_s b(s) T(s'|s,a),
 * where asking, <J_o, N_L - price>, counts as one more k.  If it is better at b than what there is, it becomes a vector
 * with that action and these successors; what other observations lead to is asking, or without requests the vector that
 * is best where they may be seen.
 *
 * Backups are owed for expansions.  What one pays back is its work, relative to that at a belief that is expanded and
 * gives a new vector: the root may have a thousand times the states of the beliefs that a search expands. */
#include <assert.h>
#include <string.h>

#include "graph/backup.h"
#include "graph/expand.h"
#include "graph/line.h"
#include "graph/maker.h"
#include "graph/vectors.h"

typedef struct lesson { /* the best backup so far */
  double value;
  uint32_t action;
  uint32_t *successors; /* per observation; GLI_NONE: not seen */
} lesson;

/* What acting in a state and paying for knowing it is worth. */
static double asking(const gli_graph *graph, uint32_t s) {
  return graph->corner[s].lower - gli_model_price(graph->model, s);
}

/* Adds up what each observation leads to: a line of products, after its weight and what asking is worth. */
static void gather(gli_graph *graph, glimpse_row belief, uint32_t a, uint32_t length) {
  struct gli_vectors *v = graph->vectors;
  uint32_t reached = gli_maker_scatter(graph, belief, a);
  uint64_t base = (uint64_t)a * graph->states;
  for (uint32_t i = 0; i < reached; i++) {
    uint32_t s2 = graph->maker->touched[i];
    double mass = graph->maker->mass[s2];
    glimpse_row shown = gli_table_row(&graph->model->observe, base + s2);
    graph->maker->mass[s2] = 0;
    for (size_t k = 0; k < shown.count; k++) {
      double weight = mass * shown.value[k], *line = v->lines + (size_t)shown.index[k] * (v->width + 2);
      line[0] += weight;
      line[1] += weight * asking(graph, s2);
      gli_line_add(line + 2, v->matrix + (size_t)s2 * v->width, weight, length);
    }
  }
}

/* The value of an action at a belief, and what it does next; lines are left empty. */
static double back_up(gli_graph *graph, glimpse_row belief, uint32_t a, double reward, uint32_t *successors) {
  struct gli_vectors *v = graph->vectors;
  uint32_t length = gli_line_even(v->used);
  gather(graph, belief, a, length);
  double sum = 0;
  for (uint32_t o = 0; o < graph->model->observations; o++) {
    double *line = v->lines + (size_t)o * (v->width + 2), *products = line + 2;
    successors[o] = GLI_NONE;
    if (line[0] == 0) continue;
    uint32_t best = gli_line_largest(products, v->used);
    bool asks = graph->model->requests && line[1] > products[best];
    sum += asks ? line[1] : products[best];
    successors[o] = asks ? GLI_ASK : best;
    if (!asks) v->wins[best] += 0.2;
    memset(line, 0, (length + 2) * sizeof *line);
  }
  return reward + graph->discount * sum;
}

/* What there is at a belief. */
static double known_at(gli_graph *graph, glimpse_row belief) {
  uint32_t vector;
  double best = gli_vectors_evaluate(graph, belief, &vector), ask = 0;
  if (!graph->model->requests) return best;
  for (size_t i = 0; i < belief.count; i++) ask += belief.value[i] * asking(graph, belief.index[i]);
  return ask > best ? ask : best;
}

/* The successors that the belief did not need. */
static void complete(const gli_graph *graph, uint32_t *successors) {
  const struct gli_vectors *v = graph->vectors;
  for (uint32_t o = 0; o < graph->model->observations; o++) {
    if (successors[o] != GLI_NONE) continue;
    uint32_t best = 0;
    const double *line = v->defaults + (v->shows ? o : 0) * (size_t)v->width;
    for (uint32_t k = 1; k < v->used && !graph->model->requests; k++) best = line[k] > line[best] ? k : best;
    successors[o] = graph->model->requests ? GLI_ASK : best;
  }
}

/* The values of a policy in all states; successors are slots. */
static void evaluate(gli_graph *graph, uint32_t a, const uint32_t *successors, double *values, double *next) {
  const struct gli_vectors *v = graph->vectors;
  const glimpse_model *model = graph->model;
  uint64_t base = (uint64_t)a * graph->states;
  for (uint32_t s2 = 0; s2 < graph->states; s2++) {
    glimpse_row shown = gli_table_row(&model->observe, base + s2);
    const double *line = v->matrix + (size_t)s2 * v->width;
    double sum = 0;
    for (size_t k = 0; k < shown.count; k++) {
      uint32_t to = successors[shown.index[k]];
      sum += shown.value[k] * (to == GLI_ASK ? asking(graph, s2) : line[to]);
    }
    next[s2] = sum;
  }
  for (uint32_t s = 0; s < graph->states; s++) {
    glimpse_row row = gli_table_row(&model->transition, base + s);
    double sum = 0;
    for (size_t k = 0; k < row.count; k++) sum += row.value[k] * next[row.index[k]];
    double value = model->reward[base + s] + graph->discount * sum;
    values[s] = value - gli_graph_slack(graph, value);
  }
}

/* Numbers of vectors for slots. */
static void name_successors(const gli_graph *graph, uint32_t *successors) {
  for (uint32_t o = 0; o < graph->model->observations; o++) {
    if (successors[o] != GLI_ASK) successors[o] = graph->vectors->vector_of[successors[o]];
    assert(successors[o] == GLI_ASK || gli_vectors_exists(graph, successors[o])); /* G7 */
  }
}

/* Known states may be worth more with the new plan. */
static void tell_corners(gli_graph *graph, uint32_t id) {
  gli_vector *vector = gli_vectors_at(graph, id);
  const double *values = gli_vector_values(graph, vector);
  for (uint32_t s = 0; s < graph->states; s++) {
    gli_corner *corner = &graph->corner[s];
    if (values[s] <= corner->lower) continue;
    if (corner->node != GLI_NONE) {
      gli_backup_raise(graph, gli_graph_node(graph, corner->node), vector->action, values[s], id);
      continue;
    }
    corner->lower = values[s];
    corner->rest = id;
    if (graph->options.live) graph->table[(size_t)s * graph->stride + graph->at_act_lower] = values[s];
  }
}

/* Work of a point backup at a belief, about. */
static double work_at(const gli_graph *graph, const gli_node *n) {
  const glimpse_model *model = graph->model;
  double rows = (double)graph->actions * graph->states;
  double reached = fmin(graph->states, n->support * (double)model->transition.row[(uint64_t)rows] / rows);
  return graph->actions * reached * ((double)model->observe.row[(uint64_t)rows] / rows) * graph->vectors->used;
}

/* A point backup at a node; true: it gave a new vector. */
static bool learn_at(gli_graph *graph, uint32_t node, double better) {
  struct gli_vectors *v = graph->vectors;
  gli_node *n = gli_graph_node(graph, node);
  glimpse_row belief = gli_graph_belief(graph, n);
  uint32_t observations = graph->model->observations;
  const double *uppers = gli_node_uppers(n), *rewards = gli_node_rewards(graph, n);
  double known = known_at(graph, belief);
  lesson best = {.value = -INFINITY, .successors = v->successors + observations};
  for (uint32_t a = 0; a < graph->actions; a++) {
    if (uppers[a] <= known) continue;
    double value = back_up(graph, belief, a, rewards[a], v->successors);
    if (value <= best.value) continue;
    best.value = value;
    best.action = a;
    memcpy(best.successors, v->successors, observations * sizeof *best.successors);
  }
  if (!(best.value > known + better)) return false;
  complete(graph, best.successors);
  evaluate(graph, best.action, best.successors, v->values, v->values + graph->states);
  name_successors(graph, best.successors);
  uint32_t id = gli_vectors_add(graph, best.action, best.successors, v->values);
  if (id == GLI_NO_VECTOR) return false;
  gli_vectors_rest(graph, n, id);
  tell_corners(graph, id);
  return true;
}

/* ------------------------------------------------------------------- paths */

/* One of the outcomes of a choice that have a node, by probability times gap; GLI_NONE: none. */
static uint32_t sample(gli_graph *graph, uint32_t node, uint32_t choice) {
  double total = 0, at = 0;
  gli_outcome to;
  for (int round = 0; round < 2; round++) {
    double sum = 0;
    for (uint32_t i = 0; gli_graph_outcome(graph, node, choice, i, &to); i++) {
      uint32_t behind = gli_graph_behind(graph, to.link);
      if (behind == GLI_NONE) continue;
      gli_bounds bounds = gli_graph_bounds_of(graph, &to);
      sum += to.probability * gli_graph_gap(graph, bounds.upper, bounds.lower);
      if (round && sum > at) return behind;
    }
    if (!(sum > 0)) return GLI_NONE;
    total = sum;
    if (!round) at = total * gli_random_unit(&graph->vectors->random);
  }
  return GLI_NONE;
}

static uint32_t walk(gli_graph *graph, uint32_t *path) {
  bool plan = gli_random_bits(&graph->vectors->random) >> 63;
  uint32_t count = 0;
  for (uint32_t node = graph->root; node != GLI_NONE && count < GLI_TUNING_PATH;) {
    const gli_node *n = gli_graph_node(graph, node);
    path[count++] = node;
    node = n->greedy == GLI_NONE ? GLI_NONE : sample(graph, node, plan ? n->plan : n->greedy);
  }
  return count;
}

/* Work of a new vector, or of a backup, about. */
static uint64_t cost(const gli_graph *graph) {
  const glimpse_model *model = graph->model;
  uint64_t rows = (uint64_t)graph->actions * graph->states;
  return (model->transition.row[rows] + model->observe.row[rows]) / graph->actions;
}

void gli_vectors_expanded(gli_graph *graph, uint32_t node) {
  struct gli_vectors *v = graph->vectors;
  double work = work_at(graph, gli_graph_node(graph, node));
  v->usual = v->usual > 0 ? v->usual + (work - v->usual) / 64 : work;
}

void gli_vectors_owe(gli_graph *graph, double backups) {
  struct gli_vectors *v = graph->vectors;
  if (!v->closed && cost(graph) <= GLI_TUNING_LEARN_WORK) v->owed += backups;
}

bool gli_vectors_learn(gli_graph *graph) {
  struct gli_vectors *v = graph->vectors;
  if (!v->path_count) {
    if (v->owed < 1) return false;
    v->path_count = walk(graph, v->path);
    return true;
  }
  const gli_node *root = gli_graph_node(graph, graph->root);
  double better = fmax(graph->floor, GLI_TUNING_BETTER * (root->upper - root->lower));
  uint32_t node = v->path[--v->path_count];
  double work = work_at(graph, gli_graph_node(graph, node)), made = GLI_TUNING_NEW_WORK * (double)cost(graph), paid = 0;
  if (work <= GLI_TUNING_LEARN_WORK && gli_trial_due(&v->backups)) {
    bool learnt = learn_at(graph, node, better);
    gli_trial_note(&v->backups, learnt);
    paid = (learnt ? work + made : work) / (v->usual + made);
  }
  v->owed -= fmax(paid, 0.1); /* what it takes to come here */
  gli_backup(graph, node);
  return true;
}
