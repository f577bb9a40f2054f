/* AEMS, AEMS-SR, AEMS-Loop: one search, three sharings (docs/ALGORITHM.md).
 *
 * The decision follows the lower bounds, for they are promises (gli_graph_decide).
 *
 * Improvement of the bounds (DESIGN 4.3, 4.4):
 *   sound  in the graph, new children see the corners' values as they are now;
 *          where the graph is reset, what was learnt of the corners stays;
 *   paper  after each step the lower vectors, too, are overwritten by the bounds
 *          of the actions in the corners, which is not valid, and kept for tables;
 *   none   nothing; with the paper's preset children see offline bounds only. */
#include <math.h>

#include "base/clock.h"
#include "base/report.h"
#include "graph/search.h"
#include "graph/visit.h"
#include "planners/planners.h"

typedef struct aems {
  glimpse_planner planner;
  gli_graph *graph;
  gli_search *search;
  uint64_t dropped_before;             /* at `begin` */
  double offline_upper, offline_lower; /* at the present belief */
  bool reset;                          /* forget the graph after each step */
} aems;

static void aems_free(glimpse_planner *planner) {
  aems *self = (aems *)planner;
  gli_search_free(self->search);
  gli_graph_free(self->graph);
  gli_memory_free(self);
}

/* Bounds without any search at the present belief, for the error reduction: the best there are or, as
 * the paper does, blind and the upper bound alone. */
static void note_offline(aems *self, glimpse_row belief) {
  const glimpse_offline *offline = self->planner.offline;
  if (!self->planner.options.paper) {
    glimpse_offline_value(offline, belief, &self->offline_lower, &self->offline_upper);
    return;
  }
  self->offline_upper = glimpse_bound_value(offline->upper, belief);
  self->offline_lower = glimpse_bound_value(offline->blind, belief);
}

/* The paper's overwrite: what the corners know goes into all vectors. */
static void overwrite(aems *self) {
  gli_graph *graph = self->graph;
  for (uint32_t s = 0; s < graph->states; s++) {
    if (graph->corner[s] == GLI_NONE) continue;
    uint32_t node = graph->records[graph->origins[graph->corner[s]].record].link;
    if (node == GLI_NONE) continue;
    double *line = graph->table + (size_t)s * graph->stride;
    double upper = -INFINITY, lower = -INFINITY;
    gli_expanded *e = gli_graph_node(graph, node);
    for (uint32_t a = 0; a < graph->actions; a++) {
      line[a] = fmin(line[a], gli_graph_uppers(graph, e)[a]);
      line[graph->at_lowers + a] = fmax(line[graph->at_lowers + a], gli_graph_lowers(graph, e)[a]);
      upper = fmax(upper, line[a]);
      lower = fmax(lower, line[graph->at_lowers + a]);
    }
    line[graph->at_act_upper] = upper;
    line[graph->at_act_lower] = lower;
  }
}

/* A reset graph loses what the bounds have learnt unless they are to be improved. */
static bool anew(aems *self, glimpse_row belief) {
  glimpse_improve improve = self->planner.options.improve;
  if (improve == GLIMPSE_IMPROVE_PAPER) overwrite(self);
  return gli_search_begin(self->search, belief, false, improve == GLIMPSE_IMPROVE_NONE);
}

static glimpse_status aems_begin(glimpse_planner *planner, glimpse_row belief, uint64_t episode) {
  aems *self = (aems *)planner;
  (void)episode; /* nothing here is random */
  note_offline(self, belief);
  bool keep = planner->options.keep_corners;
  bool begun = keep && self->reset ? anew(self, belief) : gli_search_begin(self->search, belief, keep, !keep);
  self->dropped_before = self->search->dropped;
  return begun ? GLIMPSE_OK : GLIMPSE_NO_MEMORY;
}

static glimpse_status aems_reveal(glimpse_planner *planner, uint32_t s) {
  aems *self = (aems *)planner;
  double one = 1;
  note_offline(self, (glimpse_row){1, &s, &one});
  return gli_search_reveal(self->search, s) ? GLIMPSE_OK : GLIMPSE_NO_MEMORY;
}

static glimpse_status aems_observe(glimpse_planner *planner, uint32_t a, uint32_t o, glimpse_row belief) {
  aems *self = (aems *)planner;
  note_offline(self, belief);
  bool moved = self->reset ? anew(self, belief) : gli_search_move(self->search, a, o, belief);
  return moved ? GLIMPSE_OK : GLIMPSE_NO_MEMORY;
}

static glimpse_choice aems_choice(const glimpse_planner *planner, uint32_t action) {
  const gli_graph *graph = ((const aems *)planner)->graph;
  glimpse_choice choice = {.lower = NAN, .upper = NAN, .value = NAN};
  uint32_t node = graph->root == GLI_NONE ? GLI_NONE : gli_graph_root(graph)->link;
  if (node == GLI_NONE) return choice;
  gli_expanded *e = gli_graph_node(graph, node);
  if (action == GLIMPSE_ANY && gli_graph_can_ask(graph, e)) action = graph->actions;
  else if (action >= graph->actions) return choice;
  choice.lower = gli_graph_lowers(graph, e)[action];
  choice.upper = gli_graph_uppers(graph, e)[action];
  return choice;
}

/* The search itself; a decision needs the choices of the root, whatever the budget. */
static glimpse_stop search(aems *self, const glimpse_budget *budget, double started) {
  uint64_t before = self->graph->expansions;
  glimpse_stop stop = gli_search_root(self->search, budget->seconds > 0);
  glimpse_budget rest = *budget;
  uint64_t used = self->graph->expansions - before;
  if (stop) return stop;
  if (rest.expansions && rest.expansions <= used) return GLIMPSE_STOP_EXPANSIONS;
  if (rest.expansions) rest.expansions -= used;
  return gli_search_run(self->search, &rest, started);
}

static glimpse_status aems_plan(glimpse_planner *planner, const glimpse_budget *budget, glimpse_decision *decision) {
  aems *self = (aems *)planner;
  gli_graph *graph = self->graph;
  double started = gli_clock_now();
  uint64_t before = graph->expansions;
  if (graph->root == GLI_NONE) return GLIMPSE_BAD_ARGUMENT;
  glimpse_stop stop = search(self, budget, started);
  uint32_t node = graph->root == GLI_NONE ? GLI_NONE : gli_graph_root(graph)->link;
  if (node == GLI_NONE) return GLIMPSE_NO_MEMORY; /* not even one expansion fits */
  gli_search_refresh(self->search);
  uint32_t choice = gli_graph_decide(graph, node);
  const gli_record *root = gli_graph_root(graph);
  *decision = (glimpse_decision){.ask = choice == graph->actions,
                                 .action = choice == graph->actions ? GLIMPSE_ANY : choice,
                                 .lower = root->lower,
                                 .upper = root->upper,
                                 .offline_lower = self->offline_lower,
                                 .offline_upper = self->offline_upper,
                                 .value = NAN,
                                 .expansions = graph->expansions - before,
                                 .nodes = graph->records_live,
                                 .corners = graph->corners,
                                 .bytes = gli_graph_fixed(graph) + graph->quota.bytes,
                                 .dropped = self->search->dropped - self->dropped_before,
                                 .seconds = gli_clock_now() - started,
                                 .stop = stop};
  return GLIMPSE_OK;
}

/* ---------------------------------------------------------------- forecast */

/* The child with the largest probability in a group; GLI_NONE: it is not opened. */
static uint32_t likeliest(const gli_graph *graph, uint32_t node, uint32_t choice) {
  uint32_t end, i = gli_graph_children(graph, node, choice, &end), best = i;
  if (i == end) return GLI_NONE;
  for (; i < end; i++)
    if (graph->records[i].probability > graph->records[best].probability) best = i;
  return best;
}

/* Asking: what is told most probably, and the belief then. */
static uint32_t ask(const gli_graph *graph, uint32_t node, glimpse_forecast *step, double *probability) {
  glimpse_row belief = gli_graph_belief(graph, gli_graph_node(graph, node));
  uint32_t best = 0;
  for (uint32_t i = 1; i < belief.count; i++)
    if (belief.value[i] > belief.value[best]) best = i;
  step->ask = true;
  step->state = belief.index[best];
  *probability *= belief.value[best];
  uint32_t end;
  if (!gli_graph_shares(graph))
    return gli_graph_behind(graph, gli_graph_children(graph, node, graph->actions, &end) + best);
  uint32_t origin = graph->corner[step->state];
  return origin == GLI_NONE ? GLI_NONE : graph->records[graph->origins[origin].record].link;
}

static size_t aems_forecast(const glimpse_planner *planner, glimpse_forecast *steps, size_t count) {
  const gli_graph *graph = ((const aems *)planner)->graph;
  if (graph->root == GLI_NONE) return 0;
  uint32_t node = gli_graph_root(graph)->link;
  double probability = 1;
  size_t n = 0;
  while (n < count && node != GLI_NONE) {
    glimpse_forecast *step = &steps[n++];
    const gli_record *record = &graph->records[gli_graph_node(graph, node)->record];
    *step = (glimpse_forecast){.state = GLIMPSE_ANY,
                               .action = GLIMPSE_ANY,
                               .observation = GLIMPSE_ANY,
                               .lower = record->lower,
                               .upper = record->upper};
    uint32_t choice = gli_graph_decide(graph, node);
    if (choice == graph->actions) node = ask(graph, node, step, &probability);
    step->probability = probability;
    if (node == GLI_NONE) break;
    if (step->ask) choice = gli_graph_decide(graph, node);
    uint32_t child = likeliest(graph, node, choice);
    step->action = choice;
    if (child == GLI_NONE) break;
    step->observation = graph->records[child].label;
    step->probability = probability *= graph->records[child].probability;
    node = gli_graph_behind(graph, child);
  }
  return n;
}

static glimpse_status aems_visit(const glimpse_planner *planner, const glimpse_visit *visit) {
  return gli_graph_visit(((const aems *)planner)->graph, visit);
}

static const gli_planner_class class = {.free = aems_free,
                                        .begin = aems_begin,
                                        .plan = aems_plan,
                                        .choice = aems_choice,
                                        .reveal = aems_reveal,
                                        .observe = aems_observe,
                                        .forecast = aems_forecast,
                                        .visit = aems_visit};

static glimpse_status refuse(const glimpse_planner *base, glimpse_report *report) {
  const glimpse_planner_options *options = &base->options;
  if (!base->offline) return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT, "this planner needs the offline bounds");
  if (options->rule >= GLIMPSE_RULES || options->improve >= GLIMPSE_IMPROVES)
    return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT, "there is no such rule or improvement");
  if (options->improve == GLIMPSE_IMPROVE_PAPER && !options->paper && !options->reset)
    return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT,
                    "improvement 'paper' overwrites bounds that a kept graph relies on; use it with the paper's "
                    "preset or a graph that is reset");
  return GLIMPSE_OK;
}

/* What the graph holds anyway is part of its limit. */
static void limit(aems *self) {
  uint64_t most = self->graph->options.max_bytes, fixed = gli_graph_fixed(self->graph) + sizeof *self;
  self->graph->quota.limit = most > fixed ? most - fixed : 1;
}

glimpse_status gli_planner_aems(const glimpse_planner *base, glimpse_report *report, glimpse_planner **planner) {
  const glimpse_planner_options *options = &base->options;
  glimpse_status status = refuse(base, report);
  if (status) return status;
  static const gli_sharing sharing[] = {[GLIMPSE_PLANNER_AEMS_SR] = GLI_SHARE_CORNERS,
                                        [GLIMPSE_PLANNER_AEMS] = GLI_SHARE_NONE,
                                        [GLIMPSE_PLANNER_AEMS_LOOP] = GLI_SHARE_ALL};
  aems *self = GLI_NEW(aems, 1);
  if (!self) return GLI_FAIL(report, GLIMPSE_NO_MEMORY, "out of memory");
  self->planner = *base;
  self->planner.class = &class;
  if (options->paper && options->improve == GLIMPSE_IMPROVE_SOUND) self->planner.options.improve = GLIMPSE_IMPROVE_NONE;
  self->reset = options->reset || options->paper || options->plain;
  gli_graph_options how = {.sharing = sharing[options->kind],
                           .rule = (gli_rule)options->rule,
                           .eager = options->paper,
                           .live = !options->paper && options->improve == GLIMPSE_IMPROVE_SOUND,
                           .requests_only = options->paper,
                           .vectors_only = options->paper,
                           .all_actions = options->paper,
                           .all_lowers = options->improve == GLIMPSE_IMPROVE_PAPER,
                           .max_bytes = options->max_bytes ? options->max_bytes : (uint64_t)1 << 30};
  gli_graph_bounds bounds = {.upper = base->offline->upper,
                             .blind = base->offline->blind,
                             .always_ask = options->paper ? NULL : base->offline->always_ask};
  self->graph = gli_graph_new(base->model, bounds, &how);
  if (self->graph) limit(self);
  bool plain = options->plain || options->paper; /* the paper propagates each expansion at once */
  if (self->graph) self->search = gli_search_new(self->graph, plain, options->paper ? 1e-6 : self->graph->floor);
  if (!self->search) {
    aems_free(&self->planner);
    return GLI_FAIL(report, GLIMPSE_NO_MEMORY, "out of memory");
  }
  *planner = &self->planner;
  return GLIMPSE_OK;
}
