/* Graph and planners: bytes choose a small model, options, budgets, moves and memory limits.
 *
 * One half of the inputs drives the search itself, with the checker of the graph (support/check.h) after
 * each step.  The other half drives two planners of any kind through agents: whatever they are told,
 * decisions are possible, bounds are in order, and those of one do not exclude those of the other. */
#include <math.h>
#include <stdlib.h>

#include "fuzz.h"
#include "graph/backup.h"
#include "graph/search.h"
#include "paper/plain.h"
#include "support/check.h"

enum { MOST_DEEDS = 24, MOST_EXPANSIONS = 40 };

/* There is always a deadline, by the clock of guard.c: where the discount is close to 1, bounds that
 * close in on each other round a cycle take millions of rounds without any expansion. */
static glimpse_budget take_budget(struct fuzz_input *input) {
  static const double epsilons[] = {0, 1e-9, 1e-3, 1, 1e6}, seconds[] = {1e6, 1e-6, 0.01, 1, 1e3};
  glimpse_budget budget = {.expansions = fuzz_take(input, MOST_EXPANSIONS),
                           .epsilon = epsilons[fuzz_take(input, 5)],
                           .time = seconds[fuzz_take(input, 5)],
                           .decided = fuzz_take(input, 2)};
  return budget;
}

/* Iteration may stop at any time, and the bounds are valid. */
static glimpse_bound_options take_precision(struct fuzz_input *input) {
  static const uint64_t most[] = {200, 1, 2, 5, 20, 500};
  return (glimpse_bound_options){.threads = 1, .max_iterations = most[fuzz_take(input, 6)]};
}

/* The plain form backs up until nothing changes after each expansion: not with a discount close to 1. */
static bool may_be_plain(const glimpse_model *model) {
  return glimpse_model_discount(model) <= 0.99;
}

static double largest_value(const glimpse_model *model) {
  double largest = 0;
  for (uint32_t s = 0; s < glimpse_model_count(model, GLIMPSE_STATE); s++) {
    largest = fmax(largest, glimpse_model_cost(model, s));
    for (uint32_t a = 0; a < glimpse_model_count(model, GLIMPSE_ACTION); a++)
      largest = fmax(largest, fabs(glimpse_model_reward(model, a, s)));
  }
  return largest / (1 - glimpse_model_discount(model));
}

/* ----------------------------------------------------------------- the search */

struct journey {
  struct fuzz_input *input;
  const glimpse_model *model;
  gli_graph *graph;
  gli_search *search;
  gli_check_history *history;
  glimpse_belief *belief;
  uint64_t dropped; /* as last seen */
};

static void check(struct journey *j) {
  char text[GLI_CHECK_TEXT];
  const gli_node *root = gli_graph_node(j->graph, j->graph->root);
  if (j->dropped != j->search->dropped) gli_check_history_forget(j->history);
  j->dropped = j->search->dropped;
  FUZZ_CHECK(isfinite(root->lower) && isfinite(root->upper) && root->lower <= root->upper, "root %.17g to %.17g",
             root->lower, root->upper);
  FUZZ_CHECK(!j->graph->options.max_bytes || j->graph->quota.bytes <= j->graph->options.max_bytes, "%llu bytes",
             (unsigned long long)j->graph->quota.bytes);
  bool good = gli_check_graph(j->graph, GLI_CHECK_ANY, text);
  FUZZ_CHECK(good, "%s", text);
  good = gli_check_history_look(j->history, j->graph, text);
  FUZZ_CHECK(good, "%s", text);
}

static void expand(struct journey *j) {
  glimpse_stop stop = gli_search_root(j->search);
  check(j);
  for (uint32_t units = 1 + 5 * fuzz_take(j->input, 8); units > 0 && !stop; units--) {
    stop = gli_search_step(j->search);
    check(j);
  }
}

static void plan(struct journey *j) {
  glimpse_budget budget = take_budget(j->input);
  uint64_t before = j->graph->expansions;
  fuzz_clock_start();
  glimpse_stop stop = gli_search_run(j->search, &budget, 0);
  FUZZ_CHECK(stop && stop != GLIMPSE_STOP_RULE && stop != GLIMPSE_STOP_INTERRUPTED, "stop %d", (int)stop);
  FUZZ_CHECK(!budget.expansions || j->graph->expansions - before <= budget.expansions, "%llu expansions",
             (unsigned long long)(j->graph->expansions - before));
  gli_check_history_forget(j->history);
  check(j); /* with what was looked at for the answer */
  uint32_t choice = gli_backup_decide(j->graph, j->graph->root);
  FUZZ_CHECK(choice < j->graph->actions || gli_node_can_ask(j->graph, gli_graph_node(j->graph, j->graph->root)),
             "choice %u", (unsigned)choice);
  gli_search_look_away(j->search); /* as the next run would */
}

static uint32_t draw(struct journey *j, glimpse_row row) {
  return row.index[fuzz_take(j->input, (uint32_t)row.count)];
}

/* False: no room for even the root. */
static bool reveal(struct journey *j) {
  uint32_t s = draw(j, glimpse_belief_row(j->belief));
  if (glimpse_belief_reveal(j->belief, s)) abort();
  return gli_search_reveal(j->search, s);
}

static bool move(struct journey *j) {
  uint32_t a = fuzz_take(j->input, j->graph->actions), s = draw(j, glimpse_belief_row(j->belief));
  uint32_t o = draw(j, glimpse_model_observation(j->model, a, draw(j, glimpse_model_transition(j->model, a, s))));
  glimpse_status status = glimpse_belief_update(j->belief, a, o, NULL);
  FUZZ_CHECK(!status, "what is possible is refused: status %d", (int)status);
  return gli_search_move(j->search, a, o, glimpse_belief_row(j->belief));
}

static bool begin(struct journey *j) {
  bool keep = fuzz_take(j->input, 2), restore = fuzz_take(j->input, 2);
  if (glimpse_belief_set(j->belief, glimpse_model_start(j->model))) abort();
  return gli_search_begin(j->search, glimpse_belief_row(j->belief), keep, restore || !keep);
}

static bool deed(struct journey *j) {
  bool moved = true;
  switch (fuzz_take(j->input, 8)) {
    case 0: plan(j); break;
    case 1: moved = glimpse_model_requests(j->model) ? reveal(j) : move(j); break;
    case 2:
    case 3: moved = move(j); break;
    case 4: moved = fuzz_take(j->input, 4) ? move(j) : begin(j); break;
    default: expand(j); return true;
  }
  gli_check_history_forget(j->history);
  if (moved) check(j);
  return moved;
}

static gli_graph_options take_graph(struct fuzz_input *input, bool paper) {
  uint32_t kind = fuzz_take(input, 9), bits = fuzz_take(input, 256), memory = fuzz_take(input, 256);
  gli_graph_options options = {.sharing = (gli_sharing)(kind % 3), .rule = (gli_rule)(kind / 3)};
  if (memory >= 64) options.max_bytes = 8000 + 500 * (uint64_t)(memory - 64);
  if (paper && bits & 1) { /* the paper's preset, in part or whole */
    options.paper = true;
    options.all_lowers = bits & 2;
  } else {
    options.live = bits & 8;
    options.learn_vectors = bits & 16;
    options.learn_points = bits & 32;
  }
  return options;
}

static void travel(struct fuzz_input *input, const glimpse_model *model, const gli_graph_bounds *bounds) {
  struct journey j = {.input = input, .model = model};
  gli_graph_options options = take_graph(input, may_be_plain(model));
  bool preset = options.paper, plain = preset || (fuzz_take(input, 4) == 3 && may_be_plain(model));
  options.paper |= plain && options.rule == GLI_RULE_AEMS;
  j.graph = gli_graph_new(model, *bounds, &options);
  if (j.graph)
    j.search =
        plain ? gli_plain_search(j.graph, preset ? 1e-6 : j.graph->floor) : gli_search_new(j.graph, NULL);
  j.history = gli_check_history_new();
  j.belief = glimpse_belief_new(model);
  if (!j.search || !j.history || !j.belief) abort();
  if (gli_search_begin(j.search, glimpse_belief_row(j.belief), false, true)) {
    check(&j);
    for (unsigned i = 0; i < MOST_DEEDS && input->size && deed(&j); i++) {
    }
  }
  glimpse_belief_free(j.belief);
  gli_check_history_free(j.history);
  gli_search_free(j.search);
  gli_graph_free(j.graph);
}

static void fuzz_search(struct fuzz_input *input, const glimpse_model *model) {
  glimpse_bound_options precision = take_precision(input);
  bool asks = glimpse_model_requests(model);
  glimpse_bound_kind upper = asks ? GLIMPSE_BOUND_FIB_SR : GLIMPSE_BOUND_FIB;
  uint32_t kind = fuzz_take(input, 4); /* 1, 2: with the bounds that take longer */
  if (kind == 3) upper = GLIMPSE_BOUND_QMDP;
  enum { MADE = 5 };
  glimpse_bound *made[MADE] = {NULL};
  if (glimpse_bound_new(model, upper, &precision, NULL, &made[0])) abort();
  if (glimpse_bound_new(model, GLIMPSE_BOUND_BLIND, &precision, NULL, &made[1])) abort();
  if (asks && glimpse_bound_new(model, GLIMPSE_BOUND_ALWAYS_ASK, &precision, NULL, &made[2])) abort();
  if (kind % 3) {
    if (glimpse_bound_new(model, asks ? GLIMPSE_BOUND_TIB_SR : GLIMPSE_BOUND_TIB, &precision, NULL, &made[3])) abort();
    if (glimpse_bound_new(model, GLIMPSE_BOUND_SEQUENCE, &precision, NULL, &made[4])) abort();
  }
  const glimpse_bound *uppers[] = {made[0], made[3]}, *lowers[3] = {made[1]};
  size_t count = 1;
  if (fuzz_take(input, 4) && made[2]) lowers[count++] = made[2];
  if (made[4]) lowers[count++] = made[4];
  travel(input, model, &(gli_graph_bounds){uppers, made[3] ? 2 : 1, lowers, count});
  for (size_t i = 0; i < MADE; i++) glimpse_bound_free(made[i]);
}

/* --------------------------------------------------------------- the planners */

struct pair {
  struct fuzz_input *input;
  const glimpse_model *model;
  glimpse_offline *offline;
  glimpse_planner *planner[2];
  glimpse_planner_options options[2];
  glimpse_agent *agent[2];
  double slack;
  bool sound; /* the bounds of the planner that is looked at are said to be valid */
};

static void check_order(const struct pair *pair, double lower, double upper) {
  FUZZ_CHECK(isnan(lower) || isnan(upper) || lower <= upper || !pair->sound, "%.17g to %.17g", lower, upper);
}

static glimpse_planner_options take_planner(struct fuzz_input *input) {
  uint32_t bits = fuzz_take(input, 256), memory = fuzz_take(input, 256);
  glimpse_planner_options options = {.kind = (glimpse_planner_kind)fuzz_take(input, GLIMPSE_PLANNER_POLICY),
                                     .rule = (glimpse_rule)fuzz_take(input, GLIMPSE_RULES),
                                     .improve = (glimpse_improve)fuzz_take(input, GLIMPSE_IMPROVES),
                                     .paper = (bits & 3) == 3,
                                     .graph = bits & 4 ? GLIMPSE_GRAPH_RESET : GLIMPSE_GRAPH_KEEP,
                                     .plain = (bits & 24) == 24,
                                     .keep_corners = bits & 32,
                                     .seed = bits,
                                     .particles = 1 + memory / 4,
                                     .rollout = (glimpse_rollout)fuzz_take(input, GLIMPSE_ROLLOUTS),
                                     .act = (glimpse_act)(bits >> 6 & 1),
                                     .every = memory % 4,
                                     .entropy = (bits >> 7) * 0.5};
  options.max_memory = memory < 64 ? 2000000 : 6000 + 500 * (uint64_t)(memory - 64);
  return options;
}

static bool see_node(void *context, const glimpse_node *node) {
  const struct pair *pair = context;
  FUZZ_CHECK(!isnan(node->lower) && !isnan(node->upper), "node %.17g to %.17g", node->lower, node->upper);
  check_order(pair, node->lower, node->upper);
  FUZZ_CHECK(node->probability >= 0 && node->probability <= 1 + 1e-9, "probability %.17g", node->probability);
  FUZZ_CHECK(!node->ask || glimpse_model_requests(pair->model), "node %u asks", (unsigned)node->id);
  return true;
}

static bool see_edge(void *context, const glimpse_edge *edge) {
  FUZZ_CHECK(edge->probability > 0 && edge->probability <= 1 + 1e-9, "probability %.17g", edge->probability);
  FUZZ_CHECK(!isnan(edge->lower) && !isnan(edge->upper), "edge %.17g to %.17g", edge->lower, edge->upper);
  check_order(context, edge->lower, edge->upper);
  return true;
}

static void check_plan(struct pair *pair, int which, const glimpse_decision *d, const glimpse_budget *budget) {
  const glimpse_planner *planner = pair->planner[which];
  uint32_t actions = glimpse_model_count(pair->model, GLIMPSE_ACTION);
  FUZZ_CHECK(d->ask ? glimpse_model_requests(pair->model) : d->action < actions, "action %u", (unsigned)d->action);
  FUZZ_CHECK(isnan(d->lower) == isnan(d->upper), "%.17g to %.17g", d->lower, d->upper);
  pair->sound = pair->options[which].improve != GLIMPSE_IMPROVE_PAPER;
  check_order(pair, d->lower, d->upper);
  FUZZ_CHECK(d->seconds >= 0, "%.17g s", d->seconds);
  if (budget && budget->expansions)
    FUZZ_CHECK(d->expansions <= budget->expansions, "%llu expansions", (unsigned long long)d->expansions);
  for (uint32_t a = 0; a <= actions; a++) {
    glimpse_choice choice = glimpse_planner_choice(planner, a < actions ? a : GLIMPSE_ANY);
    check_order(pair, choice.lower, choice.upper);
  }
  glimpse_forecast steps[8];
  size_t count = glimpse_planner_forecast(planner, steps, 8);
  for (size_t i = 0; i < count && count != SIZE_MAX; i++)
    FUZZ_CHECK(steps[i].probability >= 0 && steps[i].probability <= 1 + 1e-9, "probability %.17g",
               steps[i].probability);
  glimpse_visit visit = {.depth = 3, .node = see_node, .edge = see_edge, .context = pair};
  glimpse_status status = glimpse_planner_visit(planner, &visit);
  FUZZ_CHECK(!status || status == GLIMPSE_NOT_APPLICABLE || status == GLIMPSE_NO_MEMORY, "status %d", (int)status);
}

/* Bounds of both hold for the same value, where both are bounds. */
static void compare(const struct pair *pair, const glimpse_decision *one, const glimpse_decision *other) {
  for (int i = 0; i < 2; i++)
    if (pair->options[i].kind == GLIMPSE_PLANNER_POMCP || pair->options[i].improve == GLIMPSE_IMPROVE_PAPER) return;
  if (isnan(one->lower) || isnan(other->lower)) return;
  FUZZ_CHECK(one->lower <= other->upper + pair->slack, "%.17g above %.17g", one->lower, other->upper);
  FUZZ_CHECK(other->lower <= one->upper + pair->slack, "%.17g above %.17g", other->lower, one->upper);
}

/* One step of both; the same is told to both.  False: it ends here. */
static bool step(struct pair *pair) {
  glimpse_decision decision[2];
  glimpse_budget budget = take_budget(pair->input);
  uint32_t a = fuzz_take(pair->input, glimpse_model_count(pair->model, GLIMPSE_ACTION)),
           o = fuzz_take(pair->input, glimpse_model_count(pair->model, GLIMPSE_OBSERVATION)),
           s = fuzz_take(pair->input, glimpse_model_count(pair->model, GLIMPSE_STATE));
  for (int i = 0; i < 2; i++) {
    fuzz_clock_start();
    glimpse_status status = glimpse_agent_decide(pair->agent[i], &budget, &decision[i]);
    FUZZ_CHECK(!status || status == GLIMPSE_NO_MEMORY, "status %d", (int)status);
    if (status) return false;
    check_plan(pair, i, &decision[i], &budget);
  }
  compare(pair, &decision[0], &decision[1]);
  glimpse_status observed[2];
  bool asked = decision[0].ask || decision[1].ask;
  for (int i = 0; i < 2; i++) {
    glimpse_status status = GLIMPSE_OK;
    if (asked && !decision[i].ask) { /* the other one asks: this one is put where that will be */
      double one = 1;
      glimpse_row there = {1, &s, &one};
      status = glimpse_agent_begin_at(pair->agent[i], there, 1);
      if (!status) status = glimpse_agent_decide(pair->agent[i], &budget, &decision[i]);
      if (!status && decision[i].ask) status = glimpse_agent_reveal(pair->agent[i], s, &decision[i]);
    } else if (asked) {
      status = glimpse_agent_reveal(pair->agent[i], s, &decision[i]);
    }
    FUZZ_CHECK(!status || status == GLIMPSE_NO_MEMORY, "status %d", (int)status);
    if (status) return false;
    check_plan(pair, i, &decision[i], NULL);
    FUZZ_CHECK(!decision[i].ask, "it asks again");
    observed[i] = glimpse_agent_observe(pair->agent[i], a, o);
    FUZZ_CHECK(!observed[i] || observed[i] == GLIMPSE_IMPOSSIBLE || observed[i] == GLIMPSE_NO_MEMORY, "status %d",
               (int)observed[i]);
  }
  FUZZ_CHECK((observed[0] == GLIMPSE_IMPOSSIBLE) == (observed[1] == GLIMPSE_IMPOSSIBLE), "one of two is surprised");
  return !observed[0] && !observed[1];
}

static void fuzz_planners(struct fuzz_input *input, const glimpse_model *model) {
  struct pair pair = {.input = input, .model = model, .slack = 1e-9 * largest_value(model)};
  glimpse_bound_options precision = take_precision(input);
  glimpse_bound_kind upper = fuzz_take(input, 4) == 3 ? GLIMPSE_BOUND_QMDP : glimpse_offline_upper(model);
  if (glimpse_offline_new(model, upper, &precision, NULL, &pair.offline)) abort();
  bool good = true;
  for (int i = 0; i < 2; i++) {
    pair.options[i] = take_planner(input);
    if (!may_be_plain(model)) pair.options[i].plain = pair.options[i].paper = false;
    glimpse_status status = glimpse_planner_new(model, pair.offline, &pair.options[i], NULL, &pair.planner[i]);
    FUZZ_CHECK(!status == (pair.planner[i] != NULL), "status %d", (int)status);
    if (pair.planner[i]) pair.agent[i] = glimpse_agent_new(model, pair.planner[i], NULL);
    good = good && pair.agent[i] && !glimpse_agent_begin(pair.agent[i], 0);
  }
  for (unsigned i = 0; good && i < MOST_DEEDS && input->size; i++) good = step(&pair);
  for (int i = 0; i < 2; i++) {
    glimpse_agent_free(pair.agent[i]);
    glimpse_planner_free(pair.planner[i]);
  }
  glimpse_offline_free(pair.offline);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct fuzz_input input = {data, size};
  uint32_t planners = fuzz_take(&input, 2);
  fuzz_clock_start();
  glimpse_model *model = fuzz_make_model(&input, false);
  if (!model) return 0;
  if (planners) fuzz_planners(&input, model);
  else fuzz_search(&input, model);
  glimpse_model_free(model);
  return 0;
}
