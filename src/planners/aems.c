/* AEMS, AEMS-SR, AEMS-Loop: one search, three sharings (docs/ALGORITHM.md).
 *
 * The decision follows the lower bounds, because they are promises: those of the root's choices in the graph and those
 * of the offline bounds' plans.  What is reported as lower bound is that of the choice made.
 *
 * Improvement of the bounds (docs/ALGORITHM.md, errata 3 and 4):
 *   sound  in the graph, new children see the corners' values as they are now;
 *          where the graph is reset, what was learnt of the corners stays;
 *   paper  after each step the lower vectors, too, are overwritten by the bounds
 *          of the actions in the corners, which is not valid, and kept for tables;
 *   none   nothing; with the paper's preset children see offline bounds only. */
#include <math.h>

#include "base/clock.h"
#include "base/report.h"
#include "graph/backup.h"
#include "graph/merge.h"
#include "graph/search.h"
#include "graph/visit.h"
#include "paper/plain.h"
#include "planners/planners.h"
#include "policy/given.h"

typedef struct aems {
  glimpse_planner planner;
  gli_graph *graph;
  gli_search *search;
  uint64_t dropped_before;             /* at `begin` */
  double offline_upper, offline_lower; /* at the present belief */
  double seen_upper;                   /* the best answer there */
  double *promise;                     /* per choice: the best lower bound that was seen there ... */
  double *offline_promise;             /* ... and without any search */
  uint64_t seen_dropped;               /* beliefs that were forgotten by then */
  bool reset;                          /* forget the graph after each step */
  gli_policy_given *given;             /* what a policy knows; NULL: there is none */
} aems;

static void aems_free(glimpse_planner *planner) {
  aems *self = (aems *)planner;
  gli_search_free(self->search);
  gli_graph_free(self->graph);
  gli_policy_given_free(self->given);
  gli_memory_free(self->promise);
  gli_memory_free(self->offline_promise);
  gli_memory_free(self);
}

/* Bytes whatever is searched. */
static uint64_t fixed_bytes(const aems *self) {
  return sizeof *self + 2 * ((uint64_t)self->planner.model->actions + 1) * sizeof *self->promise +
         gli_graph_fixed(self->graph) + gli_search_fixed(self->search);
}

/* What the plans behind the offline bounds promise for each choice. */
static void note_promises(aems *self, glimpse_row belief) {
  const glimpse_offline *offline = self->planner.offline;
  uint32_t count = self->planner.options.paper ? 1 : offline->lower_count; /* blind is the first */
  for (uint32_t c = 0; c <= self->graph->actions; c++) {
    double best = -INFINITY;
    bool asks = c == self->graph->actions;
    for (uint32_t i = 0; i < count && !(asks && belief.count == 1); i++)
      best = fmax(best, gli_bound_promise(offline->lowers[i], asks ? GLIMPSE_ANY : c, belief));
    if (self->given && !(asks && belief.count == 1))
      best = fmax(best,
                  gli_policy_given_promise(self->given, self->planner.options.policy, asks ? GLIMPSE_ANY : c, belief));
    self->promise[c] = self->offline_promise[c] = best;
  }
}

/* What a policy adds to these.  An agent's belief is the start divided by its sum, which changes the last bits; what
 * the policy proves allows for more than that. */
static void note_policy(aems *self, glimpse_row belief) {
  if (!self->given) return;
  for (uint32_t c = 0; c <= self->graph->actions; c++)
    self->offline_lower = fmax(self->offline_lower, self->offline_promise[c]);
  if (gli_belief_near(belief, gli_policy_start(self->planner.options.policy), 0x1p-52))
    self->offline_upper = fmin(self->offline_upper, self->given->upper);
  if (self->given->proof) self->offline_upper = fmin(self->offline_upper, gli_proof_upper(self->given->proof, belief));
}

/* Bounds without any search at the present belief, for the error reduction: the best there are or, as
 * the paper does, blind and the upper bound alone. */
static void note_offline(aems *self, glimpse_row belief) {
  const glimpse_offline *offline = self->planner.offline;
  self->seen_upper = INFINITY;
  note_promises(self, belief);
  if (!self->planner.options.paper) {
    glimpse_offline_value(offline, belief, &self->offline_lower, &self->offline_upper);
    note_policy(self, belief);
    return;
  }
  self->offline_upper = glimpse_bound_value(offline->upper, belief);
  self->offline_lower = glimpse_bound_value(offline->blind, belief);
}

/* The paper's overwrite: what the corners know goes into all vectors. */
static void overwrite(aems *self) {
  gli_graph *graph = self->graph;
  for (uint32_t s = 0; s < graph->states; s++) {
    if (graph->corner[s].node == GLI_NONE) continue;
    double *line = graph->table + (size_t)s * graph->stride;
    double upper = -INFINITY, lower = -INFINITY;
    gli_node *n = gli_graph_node(graph, graph->corner[s].node);
    for (uint32_t a = 0; a < graph->actions; a++) {
      line[a] = fmin(line[a], gli_node_uppers(n)[a]);
      line[graph->at_lowers + a] = fmax(line[graph->at_lowers + a], gli_node_lowers(graph, n)[a]);
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

/* What a choice of the root is worth at least. */
static double promised(const aems *self, uint32_t choice) {
  double now = gli_node_lowers(self->graph, gli_graph_node(self->graph, self->graph->root))[choice];
  return fmax(self->promise[choice], now - self->search->slack);
}

static glimpse_choice aems_choice(const glimpse_planner *planner, uint32_t action) {
  const aems *self = (const aems *)planner;
  const gli_graph *graph = self->graph;
  glimpse_choice choice = {.lower = NAN, .upper = NAN, .value = NAN};
  if (graph->root == GLI_NONE) return choice;
  gli_node *n = gli_graph_node(graph, graph->root);
  if (n->greedy == GLI_NONE) return choice; /* nobody has looked at it */
  if (action == GLIMPSE_ANY && gli_node_can_ask(graph, n)) action = graph->actions;
  else if (action >= graph->actions) return choice;
  choice.lower = promised(self, action);
  choice.upper = gli_node_uppers(n)[action] + self->search->slack; /* its node may be that of a near belief */
  return choice;
}

/* A choice at a node, by its belief, which may differ a little from that of the node. */
static glimpse_choice choice_at(const gli_graph *graph, uint32_t node, glimpse_row belief, uint32_t choice) {
  gli_node *n = gli_graph_node(graph, node);
  double slack = graph->slope * gli_merge_distance(gli_graph_belief(graph, n), belief);
  return (glimpse_choice){
      .lower = gli_node_lowers(graph, n)[choice] - slack, .upper = gli_node_uppers(n)[choice] + slack, .value = NAN};
}

/* Narrows *worth to what is known of a choice after the path.  Several choices may lead there; all that is known at
 * their nodes is about one belief.  No deeper than the path, the phases of one step;
 * NOLINTNEXTLINE(misc-no-recursion) */
static void look_ahead(const aems *self, uint32_t node, const glimpse_row *path, size_t steps, uint32_t choice,
                       glimpse_choice *worth) {
  const gli_graph *graph = self->graph;
  gli_outcome to;
  uint32_t last = GLI_NONE;
  for (uint32_t c = 0; c < graph->actions; c++) {
    if (!gli_graph_outcome(graph, node, c, 0, &to)) continue;
    uint32_t next = gli_graph_behind(graph, to.link);
    if (next == last || next == GLI_NONE || gli_graph_node(graph, next)->greedy == GLI_NONE) continue;
    if (!(gli_merge_distance(gli_graph_belief(graph, gli_graph_node(graph, next)), *path) < 1e-6)) continue;
    last = next;
    if (steps > 1) {
      look_ahead(self, next, path + 1, steps - 1, choice, worth);
      continue;
    }
    glimpse_choice found = choice_at(graph, next, *path, choice);
    worth->lower = fmax(worth->lower, found.lower); /* the one that is a number */
    worth->upper = fmin(worth->upper, found.upper);
  }
}

static glimpse_choice aems_later(const glimpse_planner *planner, const glimpse_row *path, size_t steps,
                                 uint32_t choice) {
  const aems *self = (const aems *)planner;
  glimpse_choice worth = {.lower = NAN, .upper = NAN, .value = NAN};
  uint32_t root = self->graph->root;
  if (root != GLI_NONE && gli_graph_node(self->graph, root)->greedy != GLI_NONE)
    look_ahead(self, root, path, steps, choice, &worth);
  return worth;
}

/* The best promise, as in gli_backup_decide. */
static uint32_t decide(const aems *self) {
  const gli_graph *graph = self->graph;
  gli_node *root = gli_graph_node(graph, graph->root);
  const double *uppers = gli_node_uppers(root);
  uint32_t best = 0;
  for (uint32_t c = 1; c < graph->actions + (gli_node_can_ask(graph, root) ? 1 : 0); c++) {
    double more = promised(self, c) - promised(self, best);
    if (more > 0 || (more == 0 && uppers[c] > uppers[best])) best = c;
  }
  return best;
}

/* An answer is no worse than the one before: a link to a near belief may have cost some slack since.  Where room was
 * made the plan behind a lower bound may be gone, and those of the paper's improvement are no bounds. */
static void remember(aems *self) {
  bool paper = self->planner.options.improve == GLIMPSE_IMPROVE_PAPER;
  bool anew = paper || self->search->dropped != self->seen_dropped;
  const gli_node *root = gli_graph_node(self->graph, self->graph->root);
  double upper = fmin(root->upper + self->search->slack, self->offline_upper);
  self->seen_dropped = self->search->dropped;
  self->seen_upper = paper ? upper : fmin(self->seen_upper, upper);
  for (uint32_t c = 0; c <= self->graph->actions; c++) {
    if (anew) self->promise[c] = self->offline_promise[c];
    self->promise[c] = promised(self, c);
  }
}

static glimpse_status aems_plan(glimpse_planner *planner, const glimpse_budget *budget, glimpse_decision *decision) {
  aems *self = (aems *)planner;
  gli_graph *graph = self->graph;
  double started = gli_clock_now();
  uint64_t before = graph->expansions;
  if (graph->root == GLI_NONE) return GLIMPSE_BAD_ARGUMENT;
  if (!planner->options.paper) gli_search_limit(self->search, self->offline_upper);
  glimpse_stop stop = gli_search_run(self->search, budget, started);
  if (graph->root == GLI_NONE || gli_graph_node(graph, graph->root)->greedy == GLI_NONE)
    return GLIMPSE_NO_MEMORY; /* not even the root fits */
  remember(self);
  uint32_t choice = decide(self);
  *decision = (glimpse_decision){.ask = choice == graph->actions,
                                 .action = choice == graph->actions ? GLIMPSE_ANY : choice,
                                 .lower = self->promise[choice],
                                 .upper = self->seen_upper,
                                 .offline_lower = self->offline_lower,
                                 .offline_upper = self->offline_upper,
                                 .value = NAN,
                                 .expansions = graph->expansions - before,
                                 .nodes = graph->child_count + 1,
                                 .corners = graph->corners,
                                 .bytes = fixed_bytes(self) + graph->quota.bytes,
                                 .dropped = self->search->dropped - self->dropped_before,
                                 .seconds = gli_clock_now() - started,
                                 .stop = stop};
  return GLIMPSE_OK;
}

/* ---------------------------------------------------------------- forecast */

/* The likeliest outcome of a choice; false: none is known. */
static bool likeliest(const gli_graph *graph, uint32_t node, uint32_t choice, gli_outcome *best) {
  gli_outcome to;
  *best = (gli_outcome){.probability = 0};
  for (uint32_t i = 0; gli_graph_outcome(graph, node, choice, i, &to); i++)
    if (to.probability > best->probability) *best = to;
  return best->probability > 0;
}

static size_t aems_forecast(const glimpse_planner *planner, glimpse_forecast *steps, size_t count) {
  const aems *self = (const aems *)planner;
  const gli_graph *graph = self->graph;
  double probability = 1;
  size_t n = 0;
  uint32_t node = graph->root;
  while (n < count && node != GLI_NONE && gli_graph_node(graph, node)->greedy != GLI_NONE) {
    glimpse_forecast *step = &steps[n++];
    const gli_node *at = gli_graph_node(graph, node);
    *step = (glimpse_forecast){.state = GLIMPSE_ANY,
                               .action = GLIMPSE_ANY,
                               .observation = GLIMPSE_ANY,
                               .lower = at->lower,
                               .upper = at->upper};
    uint32_t choice = node == graph->root ? decide(self) : gli_backup_decide(graph, node);
    gli_outcome to = {0};
    if (choice == graph->actions && likeliest(graph, node, choice, &to)) {
      step->ask = true;
      step->state = to.label;
      probability *= to.probability;
      node = gli_graph_behind(graph, to.link);
    }
    step->probability = probability;
    if (node == GLI_NONE || gli_graph_node(graph, node)->greedy == GLI_NONE) break;
    if (step->ask) choice = gli_backup_decide(graph, node);
    step->action = choice;
    if (!likeliest(graph, node, choice, &to)) break;
    step->observation = to.label;
    step->probability = probability *= to.probability;
    node = gli_graph_behind(graph, to.link);
  }
  return n;
}

static glimpse_status aems_visit(const glimpse_planner *planner, const glimpse_visit *visit) {
  return gli_graph_visit(((const aems *)planner)->graph, visit);
}

static gli_graph *aems_graph(const glimpse_planner *planner) {
  return ((const aems *)planner)->graph;
}

static const gli_planner_class class = {.free = aems_free,
                                        .begin = aems_begin,
                                        .plan = aems_plan,
                                        .choice = aems_choice,
                                        .reveal = aems_reveal,
                                        .observe = aems_observe,
                                        .later = aems_later,
                                        .forecast = aems_forecast,
                                        .visit = aems_visit,
                                        .graph = aems_graph};

static glimpse_status refuse(const glimpse_planner *base, glimpse_report *report) {
  const glimpse_planner_options *options = &base->options;
  if (options->improve == GLIMPSE_IMPROVE_PAPER && options->graph == GLIMPSE_GRAPH_KEEP)
    return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT,
                    "improvement 'paper' overwrites bounds that a kept graph relies on; use it with the paper's "
                    "preset or a graph that is reset");
  if (options->policy && (options->paper || options->plain))
    return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT,
                    "a policy is nothing to start from for the paper's or the plain form");
  if (options->policy && options->policy->digest != glimpse_model_digest(base->model))
    return GLI_FAIL(report, GLIMPSE_BAD_MODEL, "the policy is not of this model, or the model has changed since");
  return GLIMPSE_OK;
}

/* False: out of memory. */
static bool make(aems *self, gli_graph_bounds bounds, const gli_graph_options *how, bool plain, double threshold) {
  if (!(self->graph = gli_graph_new(self->planner.model, bounds, how))) return false;
  self->search = plain ? gli_plain_search(self->graph, threshold > 0 ? threshold : self->graph->floor)
                       : gli_search_new(self->graph, NULL);
  return self->search;
}

/* The upper bounds of actions in known states, as far as a policy's ceiling proves them. */
static void lower_table(aems *self) {
  gli_graph *graph = self->graph;
  for (uint32_t s = 0; s < graph->states && self->given && isfinite(self->given->slack); s++) {
    const double *corner = glimpse_policy_corner(self->planner.options.policy, s);
    double *line = graph->table + (size_t)s * graph->stride, *old = graph->offline + (size_t)s * graph->stride;
    double upper = -INFINITY;
    for (uint32_t a = 0; a < graph->actions; a++) {
      line[a] = old[a] = fmin(line[a], (corner[a] + self->given->slack) + 0x1p-52 * fabs(corner[a]));
      upper = fmax(upper, line[a]);
    }
    line[graph->at_act_upper] = old[graph->at_act_upper] = upper;
  }
}

/* What the graph holds anyway is part of its limit. */
static void limit(aems *self) {
  uint64_t most = self->graph->options.max_bytes, fixed = fixed_bytes(self);
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
  self->reset = options->graph == GLIMPSE_GRAPH_RESET;
  bool learns = !options->plain && options->improve == GLIMPSE_IMPROVE_SOUND;
  gli_graph_options how = {.sharing = sharing[options->kind],
                           .rule = (gli_rule)options->rule,
                           .paper = options->paper,
                           .live = options->improve == GLIMPSE_IMPROVE_SOUND,
                           .all_lowers = options->improve == GLIMPSE_IMPROVE_PAPER,
                           .learn_vectors = learns,
                           .learn_points = learns,
                           .max_bytes = options->max_memory,
                           .most_fixed = options->max_memory / 2};
  const glimpse_offline *offline = base->offline;
  gli_graph_bounds bounds = {(const glimpse_bound *const *)offline->uppers, offline->upper_count,
                             (const glimpse_bound *const *)offline->lowers, offline->lower_count};
  if (options->policy) {
    self->given = gli_policy_given_new(options->policy, base->model, how.max_bytes / 2);
    if (!self->given) {
      aems_free(&self->planner);
      return GLI_FAIL(report, GLIMPSE_NO_MEMORY, "out of memory for the vectors of the policy");
    }
    how.given = &self->given->vectors;
  }
  self->promise = GLI_NEW(double, (size_t)base->model->actions + 1);
  self->offline_promise = GLI_NEW(double, (size_t)base->model->actions + 1);
  if (options->paper) bounds.upper_count = bounds.lower_count = 1; /* blind, and the upper bound alone */
  bool plain = options->plain || options->paper;                   /* the paper propagates each expansion at once */
  if (!self->promise || !self->offline_promise || !make(self, bounds, &how, plain, options->paper ? 1e-6 : 0)) {
    aems_free(&self->planner);
    return GLI_FAIL(report, GLIMPSE_NO_MEMORY, "out of memory");
  }
  lower_table(self);
  limit(self);
  *planner = &self->planner;
  return GLIMPSE_OK;
}
