/* POMCP's forecast, and what happens at the edges of a tree: after a request, without
 * requests, at the end of all, with the tree forgotten at each step. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "planners/pomcp.h"
#include "support/environment.h"
#include "support/failing_malloc.h"
#include "support/planning.h"

enum { STEPS = 6 };

static void make(planning *p, const char *spec, glimpse_planner_options options) {
  options.kind = GLIMPSE_PLANNER_POMCP;
  planning_start(p, spec);
  planning_planner(p, &options);
}

static uint32_t name(const planning *p, glimpse_kind kind, const char *text) {
  return environment_find(p->model, kind, text);
}

/* What the simulations say of a forecast: below the root the cell with most visits, and
 * of its children the one with most; `cells` are those of the step's action. */
static void check_step(const gli_pomcp_tree *tree, const gli_pomcp_cell *cells, const glimpse_forecast *step) {
  for (uint32_t a = 0; a < tree->actions; a++) assert_true(cells[a].visits <= cells[step->action].visits);
  uint32_t favourite = gli_pomcp_tree_favourite(tree, &cells[step->action]);
  if (favourite == GLI_POMCP_NONE) assert_int_equal(step->observation, GLIMPSE_ANY);
  else assert_int_equal(step->observation, gli_pomcp_node_at(tree, favourite)->key);
}

/* Without requests nobody asks, and the steps are those of the tree, node by node. */
static void test_without_requests(void **state) {
  (void)state;
  planning p;
  make(&p, "tiger:c=0", (glimpse_planner_options){.seed = 3, .exploration = 100});
  glimpse_decision d = planning_decide(&p, (glimpse_budget){.expansions = 3000});
  glimpse_forecast steps[STEPS];
  size_t n = glimpse_planner_forecast(p.planner, steps, STEPS);
  assert_true(n >= 3 && !d.ask);
  assert_int_equal(steps[0].action, d.action);
  const gli_pomcp_tree *tree = &((const gli_pomcp *)p.planner)->tree;
  const gli_pomcp_node *node = gli_pomcp_node_at(tree, tree->root);
  double probability = 1;
  for (size_t i = 0; i < n; i++) {
    const gli_pomcp_cell *cells = gli_pomcp_cells_at(tree, node->cells);
    assert_true(!steps[i].ask && steps[i].state == GLIMPSE_ANY && steps[i].probability <= probability);
    if (i) check_step(tree, cells, &steps[i]);
    uint32_t child = gli_pomcp_tree_find(tree, &cells[steps[i].action], steps[i].observation);
    if (child == GLI_POMCP_NONE) break;
    node = gli_pomcp_node_at(tree, child);
    probability *= (double)node->visits / cells[steps[i].action].visits;
    assert_float_equal(steps[i].probability, probability, 1e-12);
  }
  planning_stop(&p);
}

/* The tried action of largest mean, and the one that was tried most. */
static uint32_t by_mean(const gli_pomcp_cell *cells, uint32_t actions) {
  uint32_t best = actions;
  for (uint32_t a = 0; a < actions; a++)
    if (cells[a].visits && (best == actions || cells[a].value > cells[best].value)) best = a;
  return best;
}

static uint32_t by_visits(const gli_pomcp_cell *cells, uint32_t actions) {
  uint32_t best = 0;
  for (uint32_t a = 1; a < actions; a++)
    if (cells[a].visits > cells[best].visits) best = a;
  return best;
}

/* At the root the forecast is what was decided, by the mean; below it is what simulations
 * did most.  With few of them these are different actions often enough to tell. */
static void test_root_and_below(void **state) {
  (void)state;
  unsigned differ_at_root = 0, differ_below = 0;
  for (uint64_t seed = 0; seed < 60; seed++) {
    planning p;
    make(&p, "tiger:c=0", (glimpse_planner_options){.seed = seed, .exploration = 300});
    glimpse_decision d = planning_decide(&p, (glimpse_budget){.expansions = 20 + seed});
    glimpse_forecast steps[STEPS];
    size_t n = glimpse_planner_forecast(p.planner, steps, STEPS);
    const gli_pomcp_tree *tree = &((const gli_pomcp *)p.planner)->tree;
    const gli_pomcp_node *node = gli_pomcp_node_at(tree, tree->root);
    assert_true(n > 0);
    for (size_t i = 0; i < n; i++) {
      const gli_pomcp_cell *cells = gli_pomcp_cells_at(tree, node->cells);
      uint32_t mean = by_mean(cells, tree->actions), visits = by_visits(cells, tree->actions);
      assert_int_equal(steps[i].action, i ? visits : mean);
      if (!i) assert_int_equal(steps[i].action, d.action);
      if (mean != visits) ++*(i ? &differ_below : &differ_at_root);
      uint32_t child = gli_pomcp_tree_find(tree, &cells[steps[i].action], steps[i].observation);
      if (child == GLI_POMCP_NONE) break;
      node = gli_pomcp_node_at(tree, child);
      if (node->cells == GLI_POMCP_NONE) break;
    }
    planning_stop(&p);
  }
  assert_true(differ_at_root > 3 && differ_below > 3);
}

/* Once told, the step that follows asks no more; the one behind it may. */
static void test_told(void **state) {
  (void)state;
  planning p;
  make(&p, "tiger:c=0.5", (glimpse_planner_options){.seed = 1});
  assert_int_equal(glimpse_planner_reveal(p.planner, 0), GLIMPSE_OK);
  glimpse_decision d = planning_decide(&p, (glimpse_budget){.expansions = 3000});
  assert_false(d.ask);
  assert_true(isnan(glimpse_planner_choice(p.planner, GLIMPSE_ANY).value)); /* no choice any more */
  assert_false(isnan(glimpse_planner_choice(p.planner, d.action).value));
  glimpse_forecast steps[STEPS];
  size_t n = glimpse_planner_forecast(p.planner, steps, STEPS);
  assert_true(n >= 2);
  assert_false(steps[0].ask);
  assert_int_equal(steps[0].action, d.action);
  assert_true(steps[1].ask && steps[1].state < 2); /* cheap: the most visited choice from then on */
  planning_stop(&p);
}

/* A request whose answers have not been followed further: what is told, and nothing
 * behind it. */
static void test_thin(void **state) {
  (void)state;
  unsigned seen = 0;
  for (uint64_t seed = 0; seed < 20; seed++) {
    planning p;
    make(&p, "tag:c=0.01", (glimpse_planner_options){.seed = seed});
    glimpse_decision d = planning_decide(&p, (glimpse_budget){.expansions = 12});
    glimpse_forecast steps[STEPS];
    size_t n = glimpse_planner_forecast(p.planner, steps, STEPS);
    assert_true(n > 0);
    assert_int_equal(steps[0].ask, d.ask);
    const gli_pomcp_tree *tree = &((const gli_pomcp *)p.planner)->tree;
    if (d.ask) { /* one of 841 answers, most of which were met once */
      const gli_pomcp_cell *cells = gli_pomcp_cells_at(tree, gli_pomcp_node_at(tree, tree->root)->cells);
      const gli_pomcp_node *told = gli_pomcp_node_at(tree, gli_pomcp_tree_favourite(tree, cells + tree->actions));
      assert_int_equal(steps[0].state, told->key);
      assert_float_equal(steps[0].probability, (double)told->visits / cells[tree->actions].visits, 1e-15);
      if (told->cells == GLI_POMCP_NONE) {
        assert_int_equal(n, 1);
        assert_true(steps[0].action == GLIMPSE_ANY && steps[0].observation == GLIMPSE_ANY);
        seen++;
      }
    }
    planning_stop(&p);
  }
  assert_true(seen >= 3);
}

/* A request for whose answers there was no room. */
static void test_no_room(void **state) {
  (void)state;
  planning p;
  make(&p, "tiger:c=0.5", (glimpse_planner_options){.seed = 1});
  gli_pomcp_tree *tree = &((gli_pomcp *)p.planner)->tree;
  uint64_t limit = tree->quota.limit;
  tree->quota.limit = tree->quota.bytes; /* what there is, and no more */
  while (gli_pomcp_pool_take(&tree->nodes) != GLI_POMCP_NONE) {
  }
  glimpse_decision d = planning_decide(&p, (glimpse_budget){.expansions = 500});
  tree->quota.limit = limit;
  assert_int_equal(d.nodes, 1);
  glimpse_forecast steps[STEPS];
  assert_int_equal(glimpse_planner_forecast(p.planner, steps, STEPS), 1);
  assert_int_equal(steps[0].ask, d.ask);
  assert_true(steps[0].state == GLIMPSE_ANY && steps[0].observation == GLIMPSE_ANY && steps[0].probability == 1);
  if (!d.ask) assert_int_equal(steps[0].action, d.action);
  planning_stop(&p);
}

/* Where all has ended there is nothing to tell. */
static void test_end(void **state) {
  (void)state;
  planning p;
  make(&p, "toy:c=2", (glimpse_planner_options){0});
  assert_int_equal(glimpse_planner_reveal(p.planner, name(&p, GLIMPSE_STATE, "end")), GLIMPSE_OK);
  planning_decide(&p, (glimpse_budget){.expansions = 10});
  glimpse_forecast steps[STEPS];
  assert_int_equal(glimpse_planner_forecast(p.planner, steps, STEPS), 0);
  planning_stop(&p);
}

/* With `reset` a step begins with a tree of its own; without it, with a subtree. */
static void test_reset(void **state) {
  (void)state;
  uint64_t nodes[2];
  for (int reset = 0; reset < 2; reset++) {
    planning p;
    make(&p, "tiger", (glimpse_planner_options){.seed = 1, .graph = reset ? GLIMPSE_GRAPH_RESET : GLIMPSE_GRAPH_KEEP});
    glimpse_decision before = planning_decide(&p, (glimpse_budget){.expansions = 2000});
    assert_int_equal(glimpse_planner_observe(p.planner, 0, 0, glimpse_model_start(p.model)), GLIMPSE_OK);
    nodes[reset] = ((const gli_pomcp *)p.planner)->tree.node_count;
    assert_true(nodes[reset] < before.nodes);
    planning_stop(&p);
  }
  assert_true(nodes[0] > 1);
  assert_int_equal(nodes[1], 1);
}

/* Visits are counted in 32 bits: the search ends before they overflow. */
static void test_most_visits(void **state) {
  (void)state;
  planning p;
  make(&p, "tiger", (glimpse_planner_options){.seed = 1});
  planning_decide(&p, (glimpse_budget){.expansions = 10});
  gli_pomcp_tree *tree = &((gli_pomcp *)p.planner)->tree;
  gli_pomcp_node_at(tree, tree->root)->visits = UINT32_MAX - 3;
  glimpse_decision d = planning_decide(&p, (glimpse_budget){.expansions = 10});
  assert_int_equal(d.expansions, 2);
  assert_int_equal(d.stop, GLIMPSE_STOP_EXPANSIONS);
  planning_stop(&p);
}

/* A simulation is as deep as the discount asks for, up to a limit. */
static void test_depth(void **state) {
  (void)state;
  const struct {
    const char *spec;
    uint32_t depth;
  } cases[] = {{"tiger:gamma=0", 1}, {"tiger:gamma=0.1", 3}, {"tiger:gamma=0.5", 7}, {"tiger:gamma=0.99999", 10000}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    planning p;
    make(&p, cases[i].spec, (glimpse_planner_options){0});
    assert_int_equal(((const gli_pomcp *)p.planner)->depth, cases[i].depth);
    planning_stop(&p);
  }
}

/* Rows of more than sixteen entries have running sums, for which memory may be lacking. */
static glimpse_status plan_with_long_rows(void *context) {
  const planning *p = context;
  glimpse_planner *planner = NULL;
  glimpse_planner_options options = {.kind = GLIMPSE_PLANNER_POMCP, .max_memory = 100000};
  glimpse_decision d;
  glimpse_status status = glimpse_planner_new(p->model, p->offline, &options, NULL, &planner);
  if (!status) status = glimpse_planner_plan(planner, &(glimpse_budget){.expansions = 20}, &d);
  glimpse_planner_free(planner);
  return status;
}

static void test_long_rows(void **state) {
  (void)state;
  enum { N = 24 };
  glimpse_builder *builder = glimpse_builder_new(N, 2, N);
  assert_non_null(builder);
  for (uint32_t s = 0; s < N; s++) {
    glimpse_builder_transition(builder, GLIMPSE_ANY, GLIMPSE_ANY, s, 1.0 / N);
    glimpse_builder_observation(builder, GLIMPSE_ANY, GLIMPSE_ANY, s, 1.0 / N);
    glimpse_builder_reward(builder, 0, s, GLIMPSE_ANY, GLIMPSE_ANY, s);
  }
  glimpse_builder_discount(builder, 0.5);
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_builder_finish(builder, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(builder);
  planning p;
  planning_of(&p, model);
  assert_true(failing_malloc_sweep(plan_with_long_rows, &p) > 6);
  planning_planner(&p, &(glimpse_planner_options){.kind = GLIMPSE_PLANNER_POMCP});
  glimpse_decision d = planning_decide(&p, (glimpse_budget){.expansions = 20000});
  assert_int_equal(d.action, 0);
  assert_true(d.value > 18 && d.value < 23.5); /* 11.5 a step, discounted by a half: 23, and exploring costs */
  planning_stop(&p);
}

/* Chunks: more than either limit allows, and more than can be numbered. */
static void test_pool_refusals(void **state) {
  (void)state;
  gli_quota memory = {.limit = 4000};
  gli_pomcp_pool pool;
  gli_pomcp_pool_start(&pool, &memory, 5000, 4000);
  assert_int_equal(gli_pomcp_pool_take(&pool), GLI_POMCP_NONE);
  gli_pomcp_pool_start(&pool, &memory, 5000, 8000);
  assert_int_equal(gli_pomcp_pool_take(&pool), GLI_POMCP_NONE);
  gli_pomcp_pool_start(&pool, &memory, 8, 4000);
  pool.used = GLI_POMCP_NONE - GLI_POMCP_NONE % ((uint32_t)1 << pool.shift);
  memory.limit = pool.limit = UINT64_MAX;
  pool.count = pool.used >> pool.shift;
  assert_int_equal(gli_pomcp_pool_take(&pool), GLI_POMCP_NONE);
  assert_int_equal(memory.bytes, 0);
  pool.count = 0;
  gli_pomcp_pool_stop(&pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_without_requests),
      cmocka_unit_test(test_root_and_below),
      cmocka_unit_test(test_told),
      cmocka_unit_test(test_thin),
      cmocka_unit_test(test_no_room),
      cmocka_unit_test(test_end),
      cmocka_unit_test(test_reset),
      cmocka_unit_test(test_most_visits),
      cmocka_unit_test(test_depth),
      cmocka_unit_test(test_long_rows),
      cmocka_unit_test(test_pool_refusals),
  };
  return cmocka_run_group_tests_name("pomcp_forecast", tests, NULL, NULL);
}
