/* Graph: making and forgetting; the table of bounds that fringe records get. */
#include "graph/graph.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "graph/outlook.h"
#include "graph/share.h"

enum { LARGEST_OUTLOOK = 1 << 26 }; /* bytes */

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

/* What rounding can do in one backup or one bound of a fringe belief, relative to the
 * largest value M (`scale`).  A sum of n products errs by at most n u times the sum of
 * their sizes, u = 2^-53, to first order in u.  With S states, O observations, at most d
 * states from which an action leads to a state, and at most n states in which an action
 * shows an observation, in units of u:
 *   a new child     <J,alpha> / P(o), J being a sum over s times O(o|a,s'): J errs by d + 1,
 *                   <J,alpha> by n more, P(o) by d + n, dividing by 3.  An upper vector is at
 *                   most M and at least -2 M (a reward and a value); a lower vector, or
 *                   asking, matters only where it is worth more than -M, while its positive
 *                   part is at most M; so <J,|alpha|> is at most 3 M P(o).  Together
 *                   3 (d + n + 1) + d + n + 3.  By way of an outlook its own rounding for d + n.
 *   an action       R(b,a): S + 1;  P(o): d + n;  the sum over o: O;  the belief of a child,
 *                   made again from its parent's: d + 4, values being Lipschitz in the belief
 *                   with M;  rows of T and O, and beliefs, that sum to 1 within rounding
 *                   only: 8;  adding up: 6.
 *   asking          S for the values, S + 1 for a price up to M (gli_graph_slack), adding up: 6.
 * Bounds of a belief that is given, not made (gli_graph_evaluate), see to themselves.  Equal
 * beliefs that are one node (share.c) differ by up to 2^-46 more.  False: out of memory. */
static bool find_rounding(gli_graph *graph) {
  uint32_t observations = graph->model->observations, size = (uint32_t)fmax(graph->states, observations);
  uint32_t *count = GLI_NEW(uint32_t, size);
  if (!count) return false;
  double d = fullest_column(graph, &graph->model->transition, graph->states, count);
  double n = fullest_column(graph, &graph->model->observe, observations, count);
  gli_memory_free(count);
  double sums = fmax(d + n, graph->outlook ? graph->outlook->rounding : 0);
  double child = 4 * sums + 6, action = graph->states + d + sums + observations + 20;
  double asking = 2 * fmax(graph->states, observations) + 128;
  double relative = fmax(asking, fmax(child, action)) * GLI_UNIT;
  graph->rounding = graph->options.sharing == GLI_SHARE_ALL ? fmax(relative + 0x1p-45, 0x1p-42) : relative;
  return true;
}

/* What any belief is worth at least without asking: the best vector where it is worst. */
static double safe(const gli_graph *graph) {
  double best = -INFINITY;
  for (uint32_t k = 0; k < graph->lowers; k++) {
    double worst = INFINITY;
    for (uint32_t s = 0; s < graph->states; s++)
      worst = fmin(worst, graph->table[(size_t)s * graph->stride + graph->at_lowers + k]);
    best = fmax(best, worst);
  }
  return best;
}

/* What a gap is multiplied by, so that it is a float of many sizes to shrink by. */
static double measure_of(double scale) {
  if (!(scale > 0) || (scale > 0x1p-40 && scale < 0x1p80)) return 1;
  int exponent;
  (void)frexp(scale, &exponent);
  return ldexp(1, -exponent);
}

/* It must leave room for beliefs. */
static uint64_t most_outlook(const gli_graph *graph) {
  uint64_t limit = graph->options.max_bytes;
  return limit && limit / 16 < LARGEST_OUTLOOK ? limit / 16 : LARGEST_OUTLOOK;
}

/* Lines of the table: see graph.h.  No belief is worth more than the largest bound of a
 * corner, nor less than asking there, or the safest vector: a price that nobody would
 * pay does not count, or a prohibitive one would drown the values in its rounding.
 * Where requests are on, the bounds of acting are those of a corner: max over the
 * actions above; below, the best vector or what always-ask does after it has asked. */
static bool fill_table(gli_graph *graph, gli_graph_bounds bounds, const uint32_t *vector) {
  const glimpse_model *model = graph->model;
  uint32_t blind = graph->lowers;
  graph->at_act_upper = graph->actions;
  graph->at_lowers = graph->actions + 1;
  graph->at_act_lower = graph->at_lowers + blind;
  graph->at_price = graph->at_act_lower + 1; /* only where it differs between states */
  graph->at_one = graph->at_price + (model->costs ? 1 : 0);
  graph->stride = (graph->at_one + 2) & ~(uint32_t)1;
  graph->table = GLI_NEW(double, (size_t)graph->states * graph->stride);
  if (!graph->table || !gli_outlook_new(graph, most_outlook(graph), &graph->outlook) || !find_rounding(graph))
    return false;
  double scale = 0, most = 0;
  for (uint32_t s = 0; s < graph->states; s++) {
    double *line = graph->table + (size_t)s * graph->stride;
    double upper = -INFINITY, lower = -INFINITY;
    for (uint32_t a = 0; a < graph->actions; a++) {
      line[a] = glimpse_bound_entry(bounds.upper, a, s);
      upper = fmax(upper, line[a]);
    }
    for (uint32_t k = 0; k < blind; k++) {
      line[graph->at_lowers + k] = glimpse_bound_entry(bounds.blind, vector[k], s);
      lower = fmax(lower, line[graph->at_lowers + k]);
    }
    double price = gli_model_price(model, s);
    if (bounds.always_ask) lower = fmax(lower, glimpse_bound_entry(bounds.always_ask, 0, s) + price - 0x1p-50 * price);
    line[graph->at_act_upper] = graph->known[s].upper = upper;
    line[graph->at_act_lower] = graph->known[s].lower = lower;
    if (model->costs) line[graph->at_price] = model->costs[s];
    line[graph->at_one] = 1;
    scale = fmax(scale, fmax(fabs(upper), fabs(lower)));
    most = fmax(most, price);
    for (uint32_t a = 0; a < graph->actions; a++) scale = fmax(scale, fabs(glimpse_model_reward(model, a, s)));
  }
  graph->scale = scale + fmin(model->requests ? most : INFINITY, fmax(0, -safe(graph)));
  graph->slack = graph->scale * graph->rounding;
  graph->floor = 8 * graph->slack / (1 - graph->discount);
  graph->measure = measure_of(graph->scale);
  graph->least = fmax(graph->floor * graph->measure * 0x1p-30, FLT_MIN); /* smaller floats do not shrink any more */
  graph->offline = gli_memory_copy(graph->table, (size_t)graph->states * graph->stride, sizeof(double));
  return graph->offline;
}

static bool make_table(gli_graph *graph, gli_graph_bounds bounds) {
  uint32_t *vector = GLI_NEW(uint32_t, glimpse_bound_measure(bounds.blind).vectors);
  if (!vector) return false;
  graph->lowers = useful(graph, bounds.blind, vector);
  bool made = fill_table(graph, bounds, vector);
  gli_memory_free(vector);
  return made;
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
  graph->corner = GLI_NEW(uint32_t, model->states);
  graph->known = GLI_NEW(gli_bounds, model->states);
  graph->root = GLI_NONE;
  bool made = graph->corner && graph->known && gli_store_start(graph) && make_table(graph, bounds) &&
              (graph->maker = gli_maker_new(graph));
  if (made && options->sharing == GLI_SHARE_ALL) made = (graph->share = gli_share_new());
  if (!made) {
    gli_graph_free(graph);
    return NULL;
  }
  memset(graph->corner, 0xff, graph->states * sizeof *graph->corner);
  return graph;
}

uint64_t gli_graph_fixed(const gli_graph *graph) {
  uint64_t per_state =
      2 * (uint64_t)graph->stride * sizeof *graph->table + sizeof *graph->corner + sizeof *graph->known;
  return sizeof *graph + graph->states * per_state + gli_store_fixed() + gli_maker_fixed(graph) +
         (graph->outlook ? graph->outlook->bytes : 0) + (graph->share ? gli_share_fixed(graph) : 0);
}

void gli_graph_free(gli_graph *graph) {
  if (!graph) return;
  gli_store_stop(graph);
  gli_maker_free(graph->maker);
  gli_outlook_free(graph->outlook);
  gli_share_free(graph->share);
  gli_memory_free(graph->table);
  gli_memory_free(graph->offline);
  gli_memory_free(graph->corner);
  gli_memory_free(graph->known);
  gli_memory_free(graph);
}

void gli_graph_clear(gli_graph *graph, bool restore) {
  gli_store_clear(graph);
  gli_maker_clear(graph->maker, graph->stride);
  if (restore) memcpy(graph->table, graph->offline, (size_t)graph->states * graph->stride * sizeof(double));
  if (graph->outlook) gli_outlook_forget(graph->outlook);
  if (graph->share) gli_share_clear(graph->share);
  memset(graph->corner, 0xff, graph->states * sizeof *graph->corner);
  for (uint32_t s = 0; s < graph->states; s++) {
    const double *line = graph->table + (size_t)s * graph->stride;
    graph->known[s] = (gli_bounds){line[graph->at_act_upper], line[graph->at_act_lower]};
  }
  graph->root = GLI_NONE;
}

void gli_graph_forget_lowers(gli_graph *graph) {
  for (uint32_t s = 0; s < graph->states; s++) {
    size_t at = (size_t)s * graph->stride + graph->at_act_lower;
    graph->table[at] = graph->offline[at];
  }
  if (graph->outlook) gli_outlook_forget(graph->outlook);
}

bool gli_graph_plant(gli_graph *graph, glimpse_row belief) {
  if (belief.count == 1 && gli_graph_shares(graph)) {
    graph->root = gli_graph_corner(graph, belief.index[0]);
    return graph->root != GLI_NONE;
  }
  uint32_t origin = gli_store_origin(graph);
  if (origin == GLI_NONE) return false;
  uint32_t record = gli_store_records(graph, 1);
  uint32_t stored = record == GLI_NONE ? GLI_NONE : gli_store_belief(graph, belief);
  if (stored == GLI_NONE) {
    if (record != GLI_NONE) gli_store_free_records(graph, record, 1);
    gli_store_free_origin(graph, origin);
    return false;
  }
  graph->origins[origin] = (gli_origin){
      .record = record, .state = GLI_NONE, .belief = stored, .support = (uint32_t)belief.count, .home = GLI_NONE};
  gli_record *r = &graph->records[record];
  *r = (gli_record){.probability = 1, .parent = GLI_NONE, .label = origin, .link = GLI_NONE};
  gli_graph_evaluate(graph, belief, &r->upper, &r->lower);
  r->score = (float)gli_graph_gap(graph, r);
  graph->root = origin;
  if (graph->share) gli_share_root(graph, belief);
  return true;
}

uint32_t gli_graph_origin(const gli_graph *graph, uint32_t record) {
  while (graph->records[record].parent != GLI_NONE)
    record = gli_graph_node(graph, graph->records[record].parent)->record;
  return graph->records[record].label;
}

uint32_t gli_graph_decide(const gli_graph *graph, uint32_t node) {
  gli_expanded *e = gli_graph_node(graph, node);
  const double *uppers = gli_graph_uppers(graph, e), *lowers = gli_graph_lowers(graph, e);
  double lower = -INFINITY, upper = -INFINITY;
  for (uint32_t c = 0; c <= graph->actions; c++) lower = fmax(lower, lowers[c]);
  uint32_t best = graph->actions;
  for (uint32_t c = 0; c <= graph->actions; c++)
    if (lowers[c] >= lower - graph->floor && uppers[c] > upper) upper = uppers[c], best = c;
  return best;
}
