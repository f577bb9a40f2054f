/* Expand: a node is a belief with what vectors and points know of its choices; its actions are opened one by one, when
 * they are greedy (backup.c).
 *
 * With J(s',o) = O(o|a,s') sum_s b(s) T(s'|s,a) and P(o) = sum_s' J(s',o), a child has
 *   U(child) = max{ max_a' <J,alpha_a'>, <J,act upper> - price } / P(o),
 *   L(child) = max{ max_k <J,beta_k>,   <J,act lower> - price } / P(o).
 * A child that is certain of one state is the corner of that state.
 * An action that is not opened has U(b,a) <= <b,alpha_a>, and L(b,a) >= that of a vector that begins with a. */
#include "graph/expand.h"

#include <assert.h>
#include <string.h>

#include "graph/backup.h"
#include "graph/line.h"
#include "graph/maker.h"
#include "graph/sawtooth.h"
#include "graph/store.h"
#include "graph/vectors.h"

/* Bounds from sums of lines.  Where the sum of the weights is faint only what holds everywhere is sure. */
static gli_bounds judge(const gli_graph *graph, const double *sums, bool certain) {
  double total = sums[graph->at_one];
  if (total < GLI_FAINT) return (gli_bounds){graph->scale, -graph->scale};
  double high = sums[0], low = sums[graph->at_lowers], inverse = 1 / total;
  for (uint32_t a = 1; a < graph->actions; a++) high = sums[a] > high ? sums[a] : high;
  for (uint32_t k = 1; k < graph->lowers; k++)
    low = sums[graph->at_lowers + k] > low ? sums[graph->at_lowers + k] : low;
  if (certain) { /* acting; asking is of no use */
    low = sums[graph->at_act_lower] > low ? sums[graph->at_act_lower] : low;
    high = sums[graph->at_act_upper];
  } else if (graph->model->requests) {
    double price = gli_model_one_price(graph->model) ? graph->model->cost * total : sums[graph->at_price];
    double ask_high = sums[graph->at_act_upper] - price, ask_low = sums[graph->at_act_lower] - price;
    high = ask_high > high ? ask_high : high;
    low = ask_low > low && !graph->options.paper ? ask_low : low;
  }
  high *= inverse;
  low *= inverse;
  return (gli_bounds){high + gli_graph_slack(graph, high), low - gli_graph_slack(graph, low)};
}

/* A belief's lines, added up. */
static const double *add_up(const gli_graph *graph, glimpse_row belief) {
  double *sums = graph->maker->scratch;
  gli_line_sum(sums, graph->table, graph->stride, belief, graph->stride);
  return sums;
}

gli_bounds gli_expand_judge(const gli_graph *graph, glimpse_row belief) {
  return judge(graph, add_up(graph, belief), belief.count == 1);
}

/* Expected rewards of all choices. */
static void add_rewards(const gli_graph *graph, glimpse_row belief, double *rewards) {
  uint32_t length = gli_line_even(graph->actions);
  double *sums = graph->maker->scratch + graph->stride;
  gli_line_sum(sums, graph->maker->rewards, length, belief, length);
  memcpy(rewards, sums, graph->actions * sizeof *sums);
  rewards[graph->actions] = -gli_model_price_at(graph->model, belief);
}

/* What the table knows of the choices before any is opened. */
static void start_choices(gli_graph *graph, gli_node *n, bool judged) {
  glimpse_row belief = gli_graph_belief(graph, n);
  double *uppers = gli_node_uppers(n), *lowers = gli_node_lowers(graph, n), *rewards = gli_node_rewards(graph, n);
  gli_group *groups = gli_node_groups(graph, n);
  uint32_t actions = graph->actions;
  const double *sums = judged ? graph->maker->scratch : add_up(graph, belief);
  double inverse = 1 / sums[graph->at_one];
  for (uint32_t a = 0; a < actions; a++) {
    double high = sums[a] * inverse;
    uppers[a] = high + gli_graph_slack(graph, high);
    lowers[a] = -INFINITY;
  }
  for (uint32_t k = 0; k < graph->lowers; k++) {
    double low = sums[graph->at_lowers + k] * inverse, *known = &lowers[graph->lower_action[k]];
    low -= gli_graph_slack(graph, low);
    *known = low > *known ? low : *known;
  }
  gli_bounds bounds = judge(graph, sums, belief.count == 1);
  n->upper = bounds.upper;
  n->lower = bounds.lower;
  bool asks = graph->model->requests && belief.count > 1;
  uppers[actions] = asks ? INFINITY : -INFINITY;
  lowers[actions] = -INFINITY;
  add_rewards(graph, belief, rewards);
  for (uint32_t a = 0; a < actions; a++) /* worth what it pays, and then the worst */
    lowers[a] = fmax(lowers[a], rewards[a] - graph->discount * graph->scale - 2 * gli_graph_slack(graph, rewards[a]));
  for (uint32_t c = 0; c < graph->groups; c++) groups[c] = (gli_group){0, 0};
}

/* Request children of its own (sharing none), one per state of the support. */
static bool write_request(gli_graph *graph, uint32_t node) {
  const gli_node *n = gli_graph_node(graph, node);
  uint32_t support = n->support, first = gli_store_children(graph, support);
  if (first == GLI_NONE) return false;
  glimpse_row belief = gli_graph_belief(graph, n);
  for (uint32_t i = 0; i < support; i++) {
    const gli_corner *corner = &graph->corner[belief.index[i]];
    graph->children[first + i] =
        (gli_child){corner->upper, corner->lower, belief.value[i], belief.index[i], GLI_FRINGE | corner->rest};
  }
  gli_node_groups(graph, gli_graph_node(graph, node))[graph->actions] = (gli_group){first, support};
  return true;
}

uint32_t gli_expand_node(gli_graph *graph, glimpse_row belief, uint32_t state, gli_seen seen) {
  assert(gli_belief_sound(belief, graph->states) && (state == GLI_NONE || belief.count == 1));
  gli_store_mark mark = gli_store_now(graph);
  uint32_t stored = gli_store_belief(graph, belief), node = stored == GLI_NONE ? GLI_NONE : gli_store_node(graph);
  if (node != GLI_NONE) {
    gli_node *n = gli_graph_node(graph, node);
    *n = (gli_node){.belief = stored,
                    .support = (uint32_t)belief.count,
                    .state = state,
                    .rest = GLI_NO_VECTOR,
                    .greedy = GLI_NONE,
                    .plan = GLI_NONE,
                    .point = GLI_NONE};
    start_choices(graph, n, seen.table);
    if (graph->groups == graph->actions || !gli_node_can_ask(graph, n) || write_request(graph, node)) {
      n = gli_graph_node(graph, node);
      if (graph->sawtooth) gli_sawtooth_lower(graph, gli_graph_belief(graph, n), gli_node_uppers(n), seen.points);
      if (graph->vectors) gli_vectors_raise(graph, n, seen.vectors);
      return node;
    }
  }
  gli_store_back(graph, mark);
  return GLI_NONE;
}

/* Writes the children that the maker has made. */
static void write_children(gli_graph *graph, uint32_t first) {
  bool shares = gli_graph_shares(graph) && !graph->options.paper;
  for (uint32_t i = 0, count = graph->maker->count; i < count; i++) {
    gli_child *child = &graph->children[first + i];
    gli_draft *draft = gli_maker_draft(graph->maker, i, graph->stride);
    const double *sums = gli_draft_sums(draft);
    uint32_t only = gli_draft_state(draft);
    gli_bounds bounds = judge(graph, sums, only != GLI_NONE);
    if (only != GLI_NONE && sums[graph->at_one] < GLI_FAINT) /* no sums are needed to judge a single state */
      bounds = (gli_bounds){graph->corner[only].upper, graph->corner[only].lower};
    uint32_t link = only != GLI_NONE && shares ? GLI_CORNER | only : GLI_FRINGE | GLI_UNSEEN | GLI_NO_VECTOR;
    if (!gli_link_fringe(link)) bounds = (gli_bounds){0, 0};
    *child = (gli_child){bounds.upper, bounds.lower, sums[graph->at_one], draft->label, link};
    assert(child->probability > 0 && child->label < graph->model->observations);
    assert(gli_graph_ordered(graph, child->upper, child->lower) && gli_graph_leads(graph, link)); /* G1, G5 */
  }
}

bool gli_expand_open(gli_graph *graph, uint32_t node, uint32_t action) {
  if (gli_node_opened(graph, gli_graph_node(graph, node), action)) return true;
  if (!gli_maker_make(graph, node, action)) {
    graph->full |= !graph->late;
    return false;
  }
  uint32_t count = graph->maker->count, first = gli_store_children(graph, count);
  if (first == GLI_NONE) return false;
  write_children(graph, first);
  gli_node_groups(graph, gli_graph_node(graph, node))[action] = (gli_group){first, count};
  return true;
}

bool gli_expand_grow(gli_graph *graph, uint32_t node, bool all, bool *changed) {
  bool any = false, fine = true;
  for (uint32_t a = 0; a < graph->actions && all && fine; a++) fine = gli_expand_open(graph, node, a);
  do any |= gli_backup(graph, node); /* what was interrupted goes on next time: nothing else is opened before */
  while (fine && gli_backup_wants(graph, node) &&
         (fine = gli_expand_open(graph, node, gli_graph_node(graph, node)->greedy)));
  if (changed) *changed = any;
  assert(!fine || !gli_backup_wants(graph, node)); /* G4 */
  return fine;
}

uint32_t gli_expand_corner(gli_graph *graph, uint32_t state) {
  gli_corner *corner = &graph->corner[state];
  if (corner->node != GLI_NONE) return corner->node;
  double one = 1;
  uint32_t node = gli_expand_node(graph, (glimpse_row){1, &state, &one}, state, (gli_seen){0});
  if (node == GLI_NONE) return GLI_NONE;
  gli_node *n = gli_graph_node(graph, node);
  n->upper = fmin(n->upper, corner->upper);
  if (corner->rest != GLI_NO_VECTOR) gli_vectors_rest(graph, n, corner->rest);
  if (corner->lower > n->lower) n->lower = corner->lower, n->rest = corner->rest;
  corner->node = node;
  corner->rest = GLI_NO_VECTOR;
  graph->corners++;
  assert(n->state == state && graph->corners <= graph->states); /* G5 */
  return node;
}
