/* POMCP as a planner: where the root stands, what its particles are, when the
 * search ends and what it decides.  The parts: pomcp_simulate.c (one simulation),
 * pomcp_tree.c (the histories), pomcp_sampler.c (the model as a generator).
 *
 * Particles.  Simulations start from a set of states.  After an observation these
 * are, as in the original, the states that simulations brought to the node that
 * was reached.  When they are fewer than half of what is wanted, the set is filled
 * up from the exact belief that the caller gives; the original perturbs particles
 * instead, since it has no exact belief.  Terminal states are never particles: the
 * values that are reported are those of the live states times their probability.
 *
 * Decision.  The request phase compares the mean return of asking with that of not
 * asking, the action phase those of the actions, both as in the equivalent POMDP:
 * means over all simulations, explorations included. */
#include "planners/pomcp.h"

#include <math.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/report.h"
#include "model/layers.h"
#include "planners/planners.h"

enum {
  MOST_DEPTH = 10000,       /* a simulation must end soon, however close to 1 the discount */
  MOST_SIMULATIONS = 100000 /* where neither time nor simulations are limited */
};
#define DEPTH_EPSILON 0.01 /* what comes later counts less than this */
/* Exploration, as a share of the range of returns seen: all of it for rollouts, as
 * is customary; judgements that are not random need much less (docs/PLANNERS.md). */
#define SHARE_ROLLOUT 1.0
#define SHARE_LEAVES 0.1

static gli_pomcp *pomcp_of(glimpse_planner *planner) {
  return (gli_pomcp *)planner; /* base is its first member */
}

static const gli_pomcp *const_pomcp_of(const glimpse_planner *planner) {
  return (const gli_pomcp *)planner;
}

/* --------------------------------------------------------------- particles */

/* Keeps the live part of a belief as running sums, and what the bounds say of the
 * whole; false: out of memory. */
static bool set_exact(gli_pomcp *pomcp, glimpse_row belief) {
  const glimpse_model *model = pomcp->base.model;
  gli_sparse *exact = &pomcp->exact;
  if (!gli_sparse_reserve(exact, belief.count)) return false;
  exact->count = 0;
  double all = 0, live = 0;
  for (size_t i = 0; i < belief.count; i++) {
    all += belief.value[i];
    if (model->terminal[belief.index[i]]) continue;
    exact->index[exact->count] = belief.index[i];
    exact->value[exact->count++] = live += belief.value[i];
  }
  pomcp->live = live / all;
  const glimpse_offline *offline = pomcp->base.offline;
  pomcp->fallback = 0;
  pomcp->offline_lower = pomcp->offline_upper = NAN;
  if (offline) {
    gli_bound_at(offline->blind, belief, &pomcp->fallback);
    glimpse_offline_value(offline, belief, &pomcp->offline_lower, &pomcp->offline_upper);
  }
  return true;
}

/* Draws from the exact belief until the set is full. */
static void fill(gli_pomcp *pomcp) {
  const gli_sparse *exact = &pomcp->exact;
  if (!exact->count) pomcp->particle_count = 0;
  while (exact->count && pomcp->particle_count < pomcp->base.options.particles) {
    double u = gli_random_unit(&pomcp->random) * exact->value[exact->count - 1];
    size_t i = gli_pomcp_sampler_search(exact->value, exact->count, u);
    pomcp->particles[pomcp->particle_count++] = exact->index[i];
  }
}

static glimpse_status check_belief(const glimpse_model *model, glimpse_row belief) {
  if (!belief.count) return GLIMPSE_BAD_ARGUMENT;
  for (size_t i = 0; i < belief.count; i++)
    if (belief.index[i] >= model->states || !(belief.value[i] > 0) || isinf(belief.value[i]))
      return GLIMPSE_BAD_ARGUMENT;
  return GLIMPSE_OK;
}

/* ---------------------------------------------------------------- movement */

static glimpse_status begin(glimpse_planner *planner, glimpse_row belief, uint64_t episode) {
  gli_pomcp *pomcp = pomcp_of(planner);
  glimpse_status status = check_belief(planner->model, belief);
  if (status) return status;
  if (!set_exact(pomcp, belief)) return GLIMPSE_NO_MEMORY;
  pomcp->random = gli_random_stream(planner->options.seed, "planner", episode);
  pomcp->told = false;
  pomcp->least = INFINITY;
  pomcp->most = -INFINITY;
  gli_pomcp_tree_clear(&pomcp->tree, false);
  pomcp->particle_count = 0;
  fill(pomcp);
  return GLIMPSE_OK;
}

/* The root becomes the child of a choice, or a new node where there is none. */
static void move(gli_pomcp *pomcp, uint32_t choice, uint32_t key, bool corner) {
  gli_pomcp_tree *tree = &pomcp->tree;
  const gli_pomcp_node *root = gli_pomcp_node_at(tree, tree->root);
  uint32_t child = GLI_POMCP_NONE;
  if (root->cells != GLI_POMCP_NONE && pomcp->base.options.graph == GLIMPSE_GRAPH_KEEP)
    child = gli_pomcp_tree_find(tree, gli_pomcp_cells_at(tree, root->cells) + choice, key);
  if (child == GLI_POMCP_NONE) gli_pomcp_tree_clear(tree, corner);
  else gli_pomcp_tree_move(tree, child);
}

static glimpse_status reveal(glimpse_planner *planner, uint32_t s) {
  gli_pomcp *pomcp = pomcp_of(planner);
  const glimpse_model *model = planner->model;
  if (!set_exact(pomcp, (glimpse_row){1, &s, &(double){1}})) return GLIMPSE_NO_MEMORY;
  if (model->requests && !pomcp->told) move(pomcp, model->actions, s, true);
  else gli_pomcp_tree_clear(&pomcp->tree, true);
  pomcp->told = true;
  pomcp->particles[0] = s;
  pomcp->particle_count = pomcp->live > 0;
  return GLIMPSE_OK;
}

static glimpse_status observe(glimpse_planner *planner, uint32_t a, uint32_t o, glimpse_row belief) {
  gli_pomcp *pomcp = pomcp_of(planner);
  glimpse_status status = check_belief(planner->model, belief);
  if (status) return status;
  if (!set_exact(pomcp, belief)) return GLIMPSE_NO_MEMORY;
  move(pomcp, a, o, false);
  pomcp->told = false;
  gli_pomcp_tree *tree = &pomcp->tree;
  pomcp->particle_count = gli_pomcp_tree_pour(tree, gli_pomcp_node_at(tree, tree->root), pomcp->particles);
  if (pomcp->particle_count < (planner->options.particles + 1) / 2) fill(pomcp);
  if (!pomcp->exact.count) pomcp->particle_count = 0;
  return GLIMPSE_OK;
}

/* ---------------------------------------------------------------- decision */

static gli_pomcp_cell *root_cells(const gli_pomcp *pomcp) {
  const gli_pomcp_node *root = gli_pomcp_node_at(&pomcp->tree, pomcp->tree.root);
  return root->cells == GLI_POMCP_NONE ? NULL : gli_pomcp_cells_at(&pomcp->tree, root->cells);
}

/* The cell of largest mean among those that were tried; count when none was. */
static uint32_t best_of(const gli_pomcp_cell *cells, uint32_t count) {
  uint32_t best = count;
  for (uint32_t i = 0; i < count; i++)
    if (cells[i].visits && (best == count || cells[i].value > cells[best].value)) best = i;
  return best;
}

static bool best_is_to_ask(const gli_pomcp *pomcp, const gli_pomcp_cell *cells) {
  if (!pomcp->base.model->requests || pomcp->told) return false;
  return best_of(cells + pomcp->tree.actions, 2) == 0;
}

static void decide(const gli_pomcp *pomcp, glimpse_decision *decision) {
  const gli_pomcp_tree *tree = &pomcp->tree;
  const gli_pomcp_cell *cells = gli_pomcp_cells_at(tree, gli_pomcp_node_at(tree, tree->root)->cells), *made = NULL;
  uint32_t actions = tree->actions, best = best_of(cells, actions);
  decision->action = best < actions ? best : pomcp->fallback;
  decision->value = 0;
  if (!pomcp->particle_count) return; /* all has ended */
  decision->ask = best_is_to_ask(pomcp, cells);
  if (decision->ask) made = cells + actions;
  else if (best < actions) made = cells + best;
  decision->value = made ? pomcp->live * made->value : NAN;
}

static glimpse_stop search(gli_pomcp *pomcp, const glimpse_budget *budget, double started, uint64_t *simulations) {
  const gli_pomcp_node *root = gli_pomcp_node_at(&pomcp->tree, pomcp->tree.root);
  uint64_t most = budget->expansions ? budget->expansions : UINT64_MAX;
  if (!budget->expansions && !(budget->time > 0)) most = MOST_SIMULATIONS;
  for (;; ++*simulations) {
    if (gli_flag_raised(budget->interrupt)) return GLIMPSE_STOP_INTERRUPTED;
    if (*simulations >= most || root->visits >= UINT32_MAX - 1) return GLIMPSE_STOP_EXPANSIONS;
    if (*simulations && budget->time > 0 && gli_clock_now() - started >= budget->time) return GLIMPSE_STOP_TIME;
    gli_pomcp_simulate(pomcp);
  }
}

static glimpse_status plan(glimpse_planner *planner, const glimpse_budget *budget, glimpse_decision *decision) {
  gli_pomcp *pomcp = pomcp_of(planner);
  gli_pomcp_tree *tree = &pomcp->tree;
  double started = gli_clock_now();
  *decision = (glimpse_decision){.lower = NAN,
                                 .upper = NAN,
                                 .offline_lower = pomcp->offline_lower,
                                 .offline_upper = pomcp->offline_upper,
                                 .stop = GLIMPSE_STOP_SOLVED};
  /* There is room for the root's cells: those of the root before it, or the first of all. */
  gli_pomcp_tree_open(tree, gli_pomcp_node_at(tree, tree->root));
  if (pomcp->particle_count) decision->stop = search(pomcp, budget, started, &decision->expansions);
  decide(pomcp, decision);
  decision->nodes = tree->node_count;
  decision->corners = tree->corner_count;
  decision->bytes = tree->quota.bytes;
  decision->seconds = gli_clock_now() - started;
  return GLIMPSE_OK;
}

static uint32_t act(const glimpse_planner *planner) {
  const gli_pomcp *pomcp = const_pomcp_of(planner);
  const gli_pomcp_cell *cells = root_cells(pomcp);
  uint32_t actions = pomcp->tree.actions, best = cells ? best_of(cells, actions) : actions;
  return best < actions ? best : pomcp->fallback;
}

static glimpse_choice choice(const glimpse_planner *planner, uint32_t action) {
  const gli_pomcp *pomcp = const_pomcp_of(planner);
  glimpse_choice none = {NAN, NAN, NAN, 0};
  const gli_pomcp_cell *cells = root_cells(pomcp);
  bool ask = action == GLIMPSE_ANY;
  if (!cells || (ask ? !planner->model->requests || pomcp->told : action >= pomcp->tree.actions)) return none;
  const gli_pomcp_cell *cell = cells + (ask ? pomcp->tree.actions : action);
  if (!cell->visits) return none;
  return (glimpse_choice){NAN, NAN, pomcp->live * cell->value, cell->visits};
}

/* ---------------------------------------------------------------- forecast */

static uint32_t most_visited(const gli_pomcp_cell *cells, uint32_t count) {
  uint32_t best = 0;
  for (uint32_t i = 1; i < count; i++)
    if (cells[i].visits > cells[best].visits) best = i;
  return best;
}

/* Follows the favourite child; its share of the cell's visits goes to *probability. */
static const gli_pomcp_node *follow(const gli_pomcp_tree *tree, const gli_pomcp_cell *cell, double *probability) {
  uint32_t child = gli_pomcp_tree_favourite(tree, cell);
  if (child == GLI_POMCP_NONE) return NULL;
  const gli_pomcp_node *node = gli_pomcp_node_at(tree, child);
  *probability *= (double)node->visits / cell->visits;
  return node;
}

/* At the root what was decided, below it what simulations chose most. */
static size_t forecast(const glimpse_planner *planner, glimpse_forecast *steps, size_t count) {
  const gli_pomcp *pomcp = const_pomcp_of(planner);
  const gli_pomcp_tree *tree = &pomcp->tree;
  const gli_pomcp_node *root = gli_pomcp_node_at(tree, tree->root), *node = root;
  uint32_t actions = tree->actions;
  double probability = 1;
  size_t made = 0;
  while (made < count && node && node->cells != GLI_POMCP_NONE) {
    glimpse_forecast *step = &steps[made];
    *step = (glimpse_forecast){
        .state = GLIMPSE_ANY, .action = GLIMPSE_ANY, .observation = GLIMPSE_ANY, .lower = NAN, .upper = NAN};
    const gli_pomcp_cell *cells = gli_pomcp_cells_at(tree, node->cells);
    bool phase = planner->model->requests && !(node == root && pomcp->told);
    if (node == root) step->ask = best_is_to_ask(pomcp, cells);
    else step->ask = phase && most_visited(cells + actions, 2) == 0;
    if (step->ask) {
      node = follow(tree, cells + actions, &probability);
      if (node) step->state = node->key;
      cells = node && node->cells != GLI_POMCP_NONE ? gli_pomcp_cells_at(tree, node->cells) : NULL;
    }
    uint32_t a = !cells ? actions : node == root ? best_of(cells, actions) : most_visited(cells, actions);
    if (a < actions && cells[a].visits) {
      step->action = a;
      node = follow(tree, cells + a, &probability);
      if (node) step->observation = node->key;
    } else {
      if (!step->ask) break; /* nothing to tell */
      node = NULL;
    }
    step->probability = probability;
    made++;
  }
  return made;
}

/* ------------------------------------------------------------ construction */

static void free_pomcp(glimpse_planner *planner) {
  gli_pomcp *pomcp = pomcp_of(planner);
  gli_pomcp_sampler_stop(&pomcp->transitions);
  gli_pomcp_sampler_stop(&pomcp->observations);
  gli_pomcp_tree_stop(&pomcp->tree);
  gli_sparse_free(&pomcp->exact);
  gli_memory_free(pomcp->path);
  gli_memory_free(pomcp->leaves);
  gli_memory_free(pomcp->particles);
  gli_memory_free(pomcp);
}

static const gli_planner_class class_pomcp = {.free = free_pomcp,
                                              .begin = begin,
                                              .plan = plan,
                                              .choice = choice,
                                              .reveal = reveal,
                                              .observe = observe,
                                              .act = act,
                                              .forecast = forecast};

static uint32_t depth_of(double discount) {
  uint32_t depth = 1;
  double factor = discount;
  while (factor >= DEPTH_EPSILON && depth < MOST_DEPTH) {
    factor *= discount;
    depth++;
  }
  return depth;
}

/* The expectation of a rollout of a known plan needs no rolling: the bound has it. */
static bool make_leaves(gli_pomcp *pomcp) {
  const glimpse_bound *upper = pomcp->base.offline->upper;
  uint32_t states = pomcp->base.model->states, actions = pomcp->base.model->actions;
  pomcp->leaves = GLI_NEW(double, states);
  if (!pomcp->leaves) return false;
  for (uint32_t s = 0; s < states; s++) {
    const double *line = upper->value + (size_t)s * upper->vectors;
    pomcp->leaves[s] = line[0];
    for (uint32_t a = 1; a < actions; a++)
      if (line[a] > pomcp->leaves[s]) pomcp->leaves[s] = line[a];
  }
  return true;
}

/* How many actions a rollout draws from.  Where asking is an action those that ask nothing come first, and before a
 * question each of them means to go on (model/layered.c). */
static uint32_t rolled_by(const glimpse_model *model, glimpse_rollout rollout) {
  return rollout == GLIMPSE_ROLLOUT_SILENT && model->layers ? model->layers->actions : model->actions;
}

/* Would returns, and differences of returns, stay far from overflow?  As for bounds. */
static bool is_moderate(const glimpse_model *model) {
  double low, high, price = 0;
  gli_model_reward_range(model, &low, &high);
  for (uint32_t s = 0; s < model->states; s++) price = fmax(price, gli_model_price(model, s));
  return (fmax(fabs(low), fabs(high)) + price) / (1 - model->discount) <= GLI_LARGEST_SIZE;
}

static glimpse_status refuse(const gli_pomcp *pomcp, glimpse_report *report) {
  if (!is_moderate(pomcp->base.model))
    return GLI_FAIL(report, GLIMPSE_NOT_APPLICABLE,
                    "the rewards or the cost are so large that their discounted sum may overflow");
  return GLIMPSE_OK;
}

static glimpse_status start(gli_pomcp *pomcp, glimpse_report *report) {
  const glimpse_model *model = pomcp->base.model;
  glimpse_status status = refuse(pomcp, report);
  if (status) return status;
  const glimpse_planner_options *options = &pomcp->base.options;
  status = gli_pomcp_tree_start(&pomcp->tree, model, (uint32_t)options->particles, options->max_memory);
  if (status == GLIMPSE_TOO_LARGE) return GLI_FAIL(report, status, "the memory limit leaves no room for a tree");
  if (status) return status;
  uint64_t rows = (uint64_t)model->actions * model->states;
  bool leaves = options->rollout == GLIMPSE_ROLLOUT_UPPER;
  pomcp->depth = depth_of(model->discount);
  pomcp->ask_rate = model->requests && options->rollout == GLIMPSE_ROLLOUT_RANDOM ? 0.5 : 0;
  pomcp->rolled = rolled_by(model, options->rollout);
  pomcp->share = leaves ? SHARE_LEAVES : SHARE_ROLLOUT;
  gli_pomcp_tabulate(pomcp);
  pomcp->path = GLI_NEW(gli_pomcp_step, 2 * (size_t)pomcp->depth);
  pomcp->particles = GLI_NEW(uint32_t, options->particles);
  if (!pomcp->path || !pomcp->particles || (leaves && !make_leaves(pomcp)) ||
      !gli_pomcp_sampler_start(&pomcp->transitions, &model->transition, rows) ||
      !gli_pomcp_sampler_start(&pomcp->observations, &model->observe, rows))
    return GLIMPSE_NO_MEMORY;
  return begin(&pomcp->base, glimpse_model_start(model), 0);
}

glimpse_status gli_planner_pomcp(const glimpse_planner *base, glimpse_report *report, glimpse_planner **planner) {
  *planner = NULL;
  gli_pomcp *pomcp = GLI_NEW(gli_pomcp, 1);
  if (!pomcp) return GLIMPSE_NO_MEMORY;
  pomcp->base = *base;
  pomcp->base.class = &class_pomcp;
  glimpse_status status = start(pomcp, report);
  if (status) free_pomcp(&pomcp->base);
  else *planner = &pomcp->base;
  return status;
}
