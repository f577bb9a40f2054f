/* Solved: a search that says there is nothing left to expand has closed the gap, whatever
 * the rule, the sharing and the memory; without enough of it, it says so. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "support/failing_malloc.h"
#include "support/graph_case.h"
#include "support/random_model.h"

static random_shape chain(uint64_t seed) {
  random_shape shape = random_model_shape(seed, 3, 3, 1 + seed % 2);
  static const double discounts[] = {0.5, 0.9, 0.95, 0.99};
  shape.states = 2 + seed % 2;
  shape.terminals = 0;
  shape.discount = discounts[seed / 2 % 4];
  if (seed % 3 == 0) shape.observations = 1; /* beliefs return: the graph closes */
  return shape;
}

/* Bounds that were stopped early leave more to do. */
static void start_loose(graph_case *c, uint64_t seed, const random_shape *shape) {
  static const glimpse_bound_options early = {.tolerance = 1e-9, .max_iterations = 1, .threads = 1};
  graph_case_start(c, seed, random_model_make(seed, shape));
  glimpse_bound_kind kind = glimpse_bound_measure(c->upper).kind;
  glimpse_bound_free(c->upper);
  glimpse_bound_free(c->blind);
  assert_int_equal(glimpse_bound_new(c->model, kind, &early, NULL, &c->upper), GLIMPSE_OK);
  assert_int_equal(glimpse_bound_new(c->model, GLIMPSE_BOUND_BLIND, &early, NULL, &c->blind), GLIMPSE_OK);
  glimpse_bound_free(c->always_ask);
  c->always_ask = NULL;
}

static void check_gap(graph_case *c) {
  gli_search_refresh(c->search);
  const gli_record *root = gli_graph_root(c->graph);
  double gap = root->upper - root->lower, rounding = 8 * c->graph->floor + 1e-11 * c->graph->scale;
  if (gap > rounding) graph_case_fail(c, "solved, but the gap is open", gap, rounding);
}

/* Expands until there is no more, or long enough. */
static glimpse_stop search(graph_case *c, unsigned expansions) {
  glimpse_stop stop = GLIMPSE_STOP_NONE;
  for (unsigned i = 0; i < expansions && !stop; i++) stop = gli_search_expand(c->search);
  if (stop == GLIMPSE_STOP_SOLVED) check_gap(c);
  return stop;
}

static void test_rules(void **state) {
  (void)state;
  unsigned solved = 0;
  for (uint64_t seed = 0; seed < 300; seed++) {
    random_shape shape = chain(seed);
    gli_graph_options options = graph_case_options((unsigned)(seed * 7 % GRAPH_CASE_OPTIONS));
    graph_case c;
    start_loose(&c, seed, &shape);
    graph_case_search(&c, &options, false);
    solved += search(&c, 400) == GLIMPSE_STOP_SOLVED;
    graph_case_stop(&c);
  }
  assert_true(solved > 40);
}

/* One action, one observation, and a request that is not dominated for long: the weights
 * of Satia and Lave are halved at each step of a chain on which everything depends. */
static void test_long_chain(void **state) {
  (void)state;
  unsigned deep = 0;
  for (uint64_t seed = 0; seed < 60; seed++) {
    random_shape shape = {.states = 2,
                          .actions = 1,
                          .observations = 1,
                          .spread = 2,
                          .low = -1,
                          .high = 1,
                          .discount = 0.99,
                          .cost = seed % 2 ? 0.01 : 1e-5};
    gli_graph_options options = {.sharing = (gli_sharing)(seed % 2), .rule = GLI_RULE_SATIA_LAVE};
    graph_case c;
    start_loose(&c, seed, &shape);
    graph_case_search(&c, &options, false);
    search(&c, 200);
    deep += c.graph->expansions >= 100;
    graph_case_stop(&c);
  }
  assert_true(deep > 10);
}

/* Two actions that do the same: every belief is met twice and shared, so that a long chain is
 * one of origins, and the weights of Satia and Lave reach the far ones as good as not at all. */
static glimpse_model *twins(double stay, double discount, double cost) {
  glimpse_builder *builder = glimpse_builder_new(2, 2, 1);
  assert_non_null(builder);
  glimpse_builder_discount(builder, discount);
  glimpse_builder_cost(builder, GLIMPSE_ANY, cost);
  for (uint32_t s = 0; s < 2; s++) {
    glimpse_builder_transition(builder, GLIMPSE_ANY, s, s, stay);
    glimpse_builder_transition(builder, GLIMPSE_ANY, s, 1 - s, 1 - stay);
    glimpse_builder_observation(builder, GLIMPSE_ANY, s, 0, 1);
    glimpse_builder_reward(builder, GLIMPSE_ANY, s, GLIMPSE_ANY, GLIMPSE_ANY, s ? 1 : -1);
    glimpse_builder_start(builder, s, s ? 0.1 : 0.9);
  }
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_builder_finish(builder, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(builder);
  return model;
}

static void start_loose_with(graph_case *c, glimpse_model *model, const gli_graph_options *options) {
  static const glimpse_bound_options early = {.max_iterations = 1, .threads = 1};
  *c = (graph_case){.model = model};
  assert_int_equal(glimpse_bound_new(model, GLIMPSE_BOUND_FIB_SR, &early, NULL, &c->upper), GLIMPSE_OK);
  assert_int_equal(glimpse_bound_new(model, GLIMPSE_BOUND_BLIND, &early, NULL, &c->blind), GLIMPSE_OK);
  graph_case_search(c, options, false);
}

static void test_far_origins(void **state) {
  (void)state;
  unsigned far = 0;
  for (unsigned k = 0; k < 4; k++) {
    gli_graph_options options = {.sharing = GLI_SHARE_ALL, .rule = GLI_RULE_SATIA_LAVE, .live = k % 2};
    graph_case c;
    start_loose_with(&c, twins(k < 2 ? 0.98 : 0.995, 0.99, k % 3 ? 0.3 : 3), &options);
    search(&c, 150);
    for (size_t x = 0; x < c.search->walk->reach.count; x++)
      far += c.graph->origins[x].record != GLI_NONE && c.search->walk->reach.of[x].reach <= 1e-12;
    graph_case_stop(&c);
  }
  assert_true(far > 0);
}

/* A graph that is closed while its bounds still are not, and would not be for millions of
 * rounds: the budget of expansions ends that, too. */
static void test_rounds(void **state) {
  (void)state;
  static const double discounts[] = {0.99, 0.999999, 1 - 1e-9, 1 - 1e-12};
  for (unsigned k = 0; k < 12; k++) {
    gli_graph_options options = {.sharing = (gli_sharing)(1 + k % 2), .rule = (gli_rule)(k % 3)};
    glimpse_budget budget = {.expansions = 300};
    graph_case c;
    start_loose_with(&c, twins(k % 2 ? 1 : 0, discounts[k / 3], 0.3), &options);
    glimpse_stop stop = gli_search_run(c.search, &budget, 0);
    if (stop == GLIMPSE_STOP_SOLVED) check_gap(&c);
    else assert_int_equal(stop, GLIMPSE_STOP_EXPANSIONS);
    assert_true(c.search->walk->settling < 2e5 + 1024.0 * 300 + 4e6);
    graph_case_stop(&c);
  }
}

/* What found no room is tried again when there is some. */
static void test_small_limit(void **state) {
  (void)state;
  unsigned solved = 0, full = 0;
  for (uint64_t seed = 0; seed < 300; seed++) {
    random_shape shape = chain(seed);
    gli_graph_options options = graph_case_options((unsigned)(seed * 5 % GRAPH_CASE_OPTIONS));
    options.max_bytes = 8000 + seed * 37 % 20000;
    graph_case c;
    start_loose(&c, seed, &shape);
    graph_case_search(&c, &options, false);
    for (unsigned i = 0; i < 3; i++) {
      glimpse_stop stop = search(&c, 200);
      solved += stop == GLIMPSE_STOP_SOLVED;
      full += stop == GLIMPSE_STOP_MEMORY;
      assert_true(c.graph->quota.bytes <= options.max_bytes);
    }
    graph_case_check(&c, GLI_CHECK_ANY);
    graph_case_stop(&c);
  }
  assert_true(solved > 40 && full > 40);
}

/* Allocations that fail now and then. */
static void test_failures(void **state) {
  (void)state;
  for (uint64_t seed = 350; seed < 550; seed++) {
    random_shape shape = chain(seed);
    gli_graph_options options = graph_case_options((unsigned)(seed * 5 % GRAPH_CASE_OPTIONS));
    graph_case c;
    start_loose(&c, seed, &shape);
    graph_case_search(&c, &options, seed % 4 == 0);
    for (unsigned i = 0; i < 6; i++) {
      failing_malloc_set(1 + (seed + i) % 9, i % 2);
      search(&c, seed % 4 == 0 ? 12 : 40);
      failing_malloc_set(0, false);
      search(&c, seed % 4 == 0 ? 4 : 30);
      graph_case_check(&c, GLI_CHECK_ANY);
    }
    graph_case_stop(&c);
  }
}

/* The plain form under a limit: corners that a request could not expand. */
static void test_plain_limit(void **state) {
  (void)state;
  unsigned full = 0;
  for (uint64_t seed = 0; seed < 200; seed++) {
    random_shape shape = random_model_shape(seed, 5, 3, 3);
    shape.cost = 0.1;
    gli_graph_options options = graph_case_options((unsigned)(seed * 7 % GRAPH_CASE_OPTIONS));
    options.eager = seed % 3 > 0;
    options.max_bytes = 8000 + seed * 37 % 20000;
    graph_case c;
    start_loose(&c, seed, &shape);
    graph_case_search(&c, &options, true);
    for (unsigned i = 0; i < 3; i++) full += search(&c, 30) == GLIMPSE_STOP_MEMORY;
    graph_case_check(&c, GLI_CHECK_ANY);
    graph_case_stop(&c);
  }
  assert_true(full > 20);
}

/* A belief that found no room leaves nothing behind that a look ahead could stumble over. */
static void test_freed(void **state) {
  (void)state;
  random_shape shape = random_model_shape(1, 3, 3, 3);
  graph_case c;
  graph_case_start(&c, 1, random_model_make(1, &shape));
  graph_case_search(&c, &(gli_graph_options){.sharing = GLI_SHARE_CORNERS}, false);
  assert_int_equal(gli_search_root(c.search, false), GLIMPSE_STOP_NONE);
  gli_graph *graph = c.graph;
  assert_true(graph->expanded_count < graph->expanded_capacity);
  memset(graph->expanded + graph->expanded_count * graph->expanded_size, 0xee, graph->expanded_size);
  uint32_t node = gli_store_expanded(graph);
  assert_int_not_equal(node, GLI_NONE);
  gli_store_free_expanded(graph, node);
  const gli_expanded *e = gli_graph_node(graph, node);
  assert_true(e->dead && e->greedy <= graph->actions && e->above == GLI_NONE && e->support == 0);
  graph_case_check(&c, GLI_CHECK_ANY);
  graph_case_stop(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rules),       cmocka_unit_test(test_long_chain),
                                     cmocka_unit_test(test_small_limit), cmocka_unit_test(test_failures),
                                     cmocka_unit_test(test_plain_limit), cmocka_unit_test(test_freed),
                                     cmocka_unit_test(test_far_origins), cmocka_unit_test(test_rounds)};
  return cmocka_run_group_tests_name("solved", tests, NULL, NULL);
}
