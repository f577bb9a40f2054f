/* Graph: making and forgetting; the table of bounds that children get. */
#include "graph/graph.h"

#include <string.h>

#include "graph/maker.h"
#include "graph/sawtooth.h"
#include "graph/store.h"
#include "graph/tuning.h"
#include "graph/vectors.h"

/* Is vector k nowhere above vector j?  Of two equal ones the later is. */
static bool dominated(const gli_graph *graph, const glimpse_bound *bound, uint32_t k, uint32_t j) {
  bool below = false;
  for (uint32_t s = 0; s < graph->states; s++) {
    double at_k = glimpse_bound_entry(bound, k, s), at_j = glimpse_bound_entry(bound, j, s);
    if (at_k > at_j) return false;
    below |= at_k < at_j;
  }
  return below || k > j;
}

/* The lower vectors that can be the best somewhere: whole lines of the table are
 * added up for each reached state, so a vector that is never used costs time.
 * Returns their number; `vector` has room for all. */
static uint32_t useful(const gli_graph *graph, const glimpse_bound *bound, uint32_t *vector) {
  uint32_t all = glimpse_bound_measure(bound).vectors, count = 0;
  for (uint32_t k = 0; k < all; k++) {
    bool needed = true;
    for (uint32_t j = 0; j < all && needed && !graph->options.all_lowers; j++)
      needed = j == k || !dominated(graph, bound, k, j);
    if (needed) vector[count++] = k;
  }
  return count;
}

/* Most non-zeros in a column of a table whose rows are numbered a * states + s, for one a.
 * `count` has room for all columns. */
static uint32_t fullest_column(const gli_graph *graph, const gli_table *table, uint32_t columns, uint32_t *count) {
  uint32_t most = 0;
  for (uint64_t a = 0; a < graph->actions; a++) {
    memset(count, 0, columns * sizeof *count);
    for (uint64_t k = table->row[a * graph->states]; k < table->row[(a + 1) * graph->states]; k++) {
      uint32_t now = ++count[table->column[k]];
      if (now > most) most = now;
    }
  }
  return most;
}

/* How much one backup, or one bound of a fringe belief, can round, relative to the larger of M (`scale`) and the
 * result.
 *
 * A sum of n products errs by at most n u times the sum of their sizes, u = 2^-53, to first order in u.  The positive
 * terms of a sum are at most 2 M (values are at most M, and a reward is a value less a discounted one), so the negative
 * ones are at most 2 M and the size of the result.  So the sizes add up to at most 5 times the larger of M and the
 * result.  With S states, O observations, at most d states from which an action leads to a state, and at most n states
 * in which an action shows an observation, the terms are, in units of u:
 * - a new child, <J,alpha> / P(o), J being a sum over s times O(o|a,s'): J errs by d + 1, <J,alpha> by n more, P(o) by
 *   d + n, dividing by 3;
 * - an action: R(b,a) errs by S + 1, P(o) by d + n, the sum over o by O; the belief of a child, made again from its
 *   parent's, by d + 4, values being Lipschitz in the belief with M; rows of T and O, and beliefs, that sum to 1 only
 *   within rounding, by 8; adding up by 6;
 * - asking: the values err by S, the price by S + 1, adding up by 6;
 * - a vector, or a point of the sawtooth, at a belief: by S, and its weight by 8.
 * False: out of memory. */
static bool find_rounding(gli_graph *graph) {
  uint32_t observations = graph->model->observations, size = (uint32_t)fmax(graph->states, observations);
  uint32_t *count = GLI_NEW(uint32_t, size);
  if (!count) return false;
  double d = fullest_column(graph, &graph->model->transition, graph->states, count);
  double n = fullest_column(graph, &graph->model->observe, observations, count);
  gli_memory_free(count);
  double child = 2 * (d + n) + 6, action = graph->states + 2 * d + n + observations + 20;
  double asking = 2.0 * graph->states + 8;
  graph->rounding = 5 * fmax(asking, fmax(child, action)) * GLI_UNIT;
  return true;
}

/* What any belief is worth at least without asking: the best vector where it is worst. */
static double safe(const gli_graph *graph) {
  double best = -INFINITY;
  for (uint32_t k = 0; k < graph->lowers; k++) {
    double worst = INFINITY;
    for (uint32_t s = 0; s < graph->states; s++)
      if (graph->reached[s]) worst = fmin(worst, graph->offline[(size_t)s * graph->stride + graph->at_lowers + k]);
    best = fmax(best, worst);
  }
  return best;
}

static double known_upper(gli_graph_bounds bounds, uint32_t a, uint32_t s) {
  double best = INFINITY;
  for (size_t i = 0; i < bounds.upper_count; i++) best = fmin(best, glimpse_bound_entry(bounds.uppers[i], a, s));
  return best;
}

static double known_given(const gli_graph_options *options, uint32_t s) {
  double best = -INFINITY;
  const gli_given *given = options->learn_vectors ? options->given : NULL;
  for (uint32_t k = 0; given && k < given->count; k++) best = fmax(best, given->values[k][s]);
  return best;
}

static void lay_out(gli_graph *graph) {
  graph->at_act_upper = graph->actions;
  graph->at_lowers = graph->actions + 1;
  graph->at_act_lower = graph->at_lowers + graph->lowers;
  graph->at_price = graph->at_act_lower + 1; /* only where it differs between states */
  graph->at_one = graph->at_price + (gli_model_one_price(graph->model) ? 0 : 1);
  graph->stride = (graph->at_one + 2) & ~(uint32_t)1;
}

/* Lines of the table: see graph.h. */
static void fill_table(gli_graph *graph, gli_graph_bounds bounds, const glimpse_bound *blind) {
  const glimpse_model *model = graph->model;
  for (uint32_t s = 0; s < graph->states; s++) {
    double *line = graph->table + (size_t)s * graph->stride;
    double upper = -INFINITY, lower = -INFINITY;
    for (uint32_t a = 0; a < graph->actions; a++) {
      line[a] = known_upper(bounds, a, s);
      upper = fmax(upper, line[a]);
    }
    for (uint32_t k = 0; k < graph->lowers; k++)
      line[graph->at_lowers + k] = glimpse_bound_entry(blind, graph->lower_action[k], s);
    for (size_t i = 0; i < bounds.lower_count; i++) lower = fmax(lower, gli_bound_known(bounds.lowers[i], s));
    lower = fmax(lower, known_given(&graph->options, s));
    line[graph->at_act_upper] = graph->corner[s].upper = upper;
    line[graph->at_act_lower] = graph->corner[s].lower = lower;
    if (!gli_model_one_price(model)) line[graph->at_price] = gli_model_price(model, s);
    line[graph->at_one] = 1;
  }
}

/* How large values are, and how fast they change.  Only states that can be reached count.  No belief is worth more than
 * the largest bound of a corner, nor less than asking there, or the safest vector.  A price that nobody would pay does
 * not count, or the rounding of a prohibitive price would be larger than the values. */
static void find_scale(gli_graph *graph) {
  const glimpse_model *model = graph->model;
  double scale = 0, most = 0, low = 0;
  for (uint32_t s = 0; s < graph->states; s++) {
    const double *line = graph->offline + (size_t)s * graph->stride;
    if (!graph->reached[s]) continue;
    scale = fmax(scale, fmax(fabs(line[graph->at_act_upper]), fabs(line[graph->at_act_lower])));
    most = fmax(most, gli_model_price(model, s));
    for (uint32_t a = 0; a < graph->actions; a++) low = fmin(low, glimpse_model_reward(model, a, s));
  }
  graph->scale = scale + fmin(model->requests ? most : INFINITY, fmax(0, -safe(graph)));
  graph->floor = 8 * graph->scale * graph->rounding / (1 - graph->discount);
  graph->least = graph->floor * 0x1p-30;
  /* In a state no plan earns less than the worst reward for ever and, at each step, the largest price that somebody may
   * pay.  A price that is the same in all states and above twice the scale is paid at no belief: price and gain are
   * both in proportion to the probability that the episode goes on.  Links between near beliefs together change no
   * value by more than the last factor, relative to scale. */
  double worst = -low + (!model->requests ? 0 : model->costs ? most : fmin(most, 2 * graph->scale));
  graph->slope = graph->scale + worst / (1 - graph->discount);
  bool merges = graph->options.sharing == GLI_SHARE_ALL;
  if (merges) graph->floor += 4 * GLI_TUNING_MERGE * graph->scale;
  graph->near = merges && graph->slope > 0 ? GLI_TUNING_MERGE * (1 - graph->discount) * graph->scale / graph->slope : 0;
}

void gli_graph_reach(gli_graph *graph, glimpse_row belief) {
  uint32_t *stack = graph->maker->touched, depth = 0, known = 0;
  for (size_t i = 0; i < belief.count; i++) known += graph->reached[belief.index[i]];
  if (known == belief.count) return;
  gli_maker_drop(graph);
  for (size_t i = 0; i < belief.count; i++)
    if (!graph->reached[belief.index[i]]) graph->reached[stack[depth++] = belief.index[i]] = 1;
  while (depth) {
    uint32_t s = stack[--depth];
    for (uint32_t a = 0; a < graph->actions; a++) {
      glimpse_row next = gli_table_row(&graph->model->transition, gli_model_row(graph->model, a, s));
      for (size_t i = 0; i < next.count; i++)
        if (!graph->reached[next.index[i]]) graph->reached[stack[depth++] = next.index[i]] = 1;
    }
  }
  find_scale(graph);
}

/* Nothing is learnt where that would hold too much anyway.  Then the table must not have what a policy's vectors know,
 * because no lower bound could rest on them. */
static void look_for_room(gli_graph *graph) {
  gli_graph_options *options = &graph->options;
  uint64_t learning =
      (options->learn_vectors ? gli_vectors_fixed(graph) : 0) + (options->learn_points ? gli_sawtooth_fixed(graph) : 0);
  if (options->most_fixed && gli_graph_fixed(graph) + learning > options->most_fixed)
    options->learn_vectors = options->learn_points = false;
}

static bool make_table(gli_graph *graph, gli_graph_bounds bounds) {
  const glimpse_bound *blind = NULL;
  for (size_t i = 0; i < bounds.lower_count; i++)
    if (glimpse_bound_measure(bounds.lowers[i]).kind == GLIMPSE_BOUND_BLIND) blind = bounds.lowers[i];
  graph->lower_action = GLI_NEW(uint32_t, graph->actions);
  if (!blind || !graph->lower_action) return false;
  graph->lowers = useful(graph, blind, graph->lower_action);
  lay_out(graph);
  if (!(graph->maker = gli_maker_new(graph))) return false;
  look_for_room(graph);
  size_t numbers = (size_t)graph->states * graph->stride;
  graph->table = GLI_NEW(double, numbers);
  if (!graph->table || !find_rounding(graph)) return false;
  fill_table(graph, bounds, blind);
  graph->offline = gli_memory_copy(graph->table, numbers, sizeof(double));
  return graph->offline;
}

static bool make_parts(gli_graph *graph, gli_graph_bounds bounds) {
  const gli_graph_options *options = &graph->options;
  if (options->learn_vectors && !(graph->vectors = gli_vectors_new(graph, bounds))) return false;
  return !options->learn_points || (graph->sawtooth = gli_sawtooth_new(graph));
}

gli_graph *gli_graph_new(const glimpse_model *model, gli_graph_bounds bounds, const gli_graph_options *options) {
  gli_graph *graph = GLI_NEW(gli_graph, 1);
  if (!graph) return NULL;
  graph->model = model;
  graph->options = *options;
  graph->quota = (gli_quota){.limit = options->max_bytes, .region = graph->region, .regions = GLI_REGIONS};
  graph->discount = model->discount;
  graph->actions = model->actions;
  graph->states = model->states;
  graph->deadline = INFINITY;
  graph->groups = graph->actions + (gli_graph_shares(graph) ? 0 : 1);
  graph->node_size =
      sizeof(gli_node) + 3 * (graph->actions + (size_t)1) * sizeof(double) + graph->groups * sizeof(gli_group);
  graph->corner = GLI_NEW(gli_corner, model->states);
  graph->reached = GLI_NEW(uint8_t, model->states);
  if (graph->corner && graph->reached && make_table(graph, bounds) && make_parts(graph, bounds)) {
    gli_graph_reach(graph, glimpse_model_start(model));
    gli_graph_clear(graph, false);
    return graph;
  }
  gli_graph_free(graph);
  return NULL;
}

uint64_t gli_graph_fixed(const gli_graph *graph) {
  uint64_t per_state =
      2 * (uint64_t)graph->stride * sizeof *graph->table + sizeof *graph->corner + sizeof *graph->reached;
  return sizeof *graph + graph->states * per_state + graph->actions * sizeof *graph->lower_action +
         gli_maker_fixed(graph) + (graph->vectors ? gli_vectors_fixed(graph) : 0) +
         (graph->sawtooth ? gli_sawtooth_fixed(graph) : 0);
}

void gli_graph_free(gli_graph *graph) {
  if (!graph) return;
  gli_store_stop(graph);
  gli_maker_free(graph->maker);
  gli_vectors_free(graph->vectors);
  gli_sawtooth_free(graph->sawtooth);
  gli_memory_free(graph->lower_action);
  gli_memory_free(graph->table);
  gli_memory_free(graph->offline);
  gli_memory_free(graph->corner);
  gli_memory_free(graph->reached);
  gli_memory_free(graph);
}

void gli_graph_clear(gli_graph *graph, bool restore) {
  gli_maker_drop(graph); /* or the next node of that number would get the rest of them */
  gli_store_clear(graph);
  gli_maker_clear(graph->maker, graph->stride);
  if (restore) memcpy(graph->table, graph->offline, (size_t)graph->states * graph->stride * sizeof(double));
  for (uint32_t s = 0; s < graph->states; s++) {
    const double *line = graph->table + (size_t)s * graph->stride;
    graph->corner[s] = (gli_corner){line[graph->at_act_upper], line[graph->at_act_lower], GLI_NONE, GLI_NO_VECTOR};
  }
  graph->corners = 0;
  graph->root = GLI_NONE;
  if (graph->vectors) gli_vectors_clear(graph);
  if (graph->sawtooth) gli_sawtooth_clear(graph);
}

void gli_graph_forget_lowers(gli_graph *graph) {
  for (uint32_t s = 0; s < graph->states; s++) {
    size_t at = (size_t)s * graph->stride + graph->at_act_lower;
    graph->table[at] = graph->offline[at];
  }
}

gli_bounds gli_graph_bounds_of(const gli_graph *graph, const gli_outcome *outcome) {
  gli_bounds own = {0, 0};
  if (outcome->child != GLI_NONE)
    own = (gli_bounds){graph->children[outcome->child].upper, graph->children[outcome->child].lower};
  if (gli_link_fringe(outcome->link)) return own;
  bool corner = gli_link_corner(outcome->link);
  const gli_corner *c = &graph->corner[corner ? outcome->link & ~GLI_CORNER : 0];
  const gli_node *n = corner ? NULL : gli_graph_node(graph, outcome->link);
  return (gli_bounds){own.upper + (corner ? c->upper : n->upper), own.lower + (corner ? c->lower : n->lower)};
}

double gli_graph_weight(const gli_graph *graph, uint32_t node, uint32_t choice) {
  gli_node *n = gli_graph_node(graph, node);
  if (graph->options.rule != GLI_RULE_SATIA_LAVE) return choice == n->greedy ? 1 : 0;
  const double *uppers = gli_node_uppers(n);
  if (choice != n->greedy && uppers[choice] < n->lower) return 0;
  uint32_t count = 0;
  for (uint32_t c = 0; c <= graph->actions; c++) count += c == n->greedy || uppers[c] >= n->lower;
  return 1.0 / count;
}

glimpse_stop gli_graph_solved(const gli_graph *graph) {
  const gli_node *root = gli_graph_node(graph, graph->root);
  if (graph->full && gli_graph_gap(graph, root->upper, root->lower) > 0) return GLIMPSE_STOP_MEMORY;
  return root->upper - root->lower <= GLI_TUNING_SOLVED * graph->scale ? GLIMPSE_STOP_SOLVED : GLIMPSE_STOP_ROUNDING;
}
