/* Graph: thousands of small random graphs, each grown by a search and looked at after every unit of work: the checker
 * finds nothing, no bound gets worse, and the value lies between the bounds of the root, by oracles that know nothing
 * of graphs.
 *
 * Covers src/graph/frontier.c, src/graph/learn.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "graph/vectors.h"
#include "support/exact.h"
#include "support/graph_case.h"
#include "support/random_model.h"

enum { MOST_STATES = 5 };

/* Some units of work; the root must always contain [low, high]'s value. */
static void grow(graph_case *c, unsigned units, double low, double high) {
  double slack = 1e-9 * fmax(1, fmax(fabs(low), fabs(high)));
  for (unsigned i = 0; i <= units; i++) {
    const gli_node *root = gli_graph_node(c->graph, c->graph->root);
    if (!(root->lower <= high + slack)) graph_case_fail(c, "the lower bound is above the value", root->lower, high);
    if (!(root->upper >= low - slack)) graph_case_fail(c, "the upper bound is below the value", root->upper, low);
    graph_case_look(c);
    graph_case_check(c, GLI_CHECK_ANY);
    glimpse_stop stop = i ? gli_search_step(c->search) : gli_search_root(c->search);
    if (stop == GLIMPSE_STOP_SOLVED) break;
    assert_int_equal(stop, GLIMPSE_STOP_NONE);
  }
}

/* All that there is, backed up until nothing changes. */
static void settle(graph_case *c) {
  if (c->graph->discount > 0.99) return; /* would take long */
  graph_case_converge(c->graph);
  graph_case_look(c);
  graph_case_check(c, GLI_CHECK_SETTLED);
}

/* Two states: V is known to ten digits. */
static void test_two_states(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 300; seed++) {
    random_shape shape = random_model_shape(seed, 2, 3, 3);
    shape.states = 2;
    if (shape.terminals) shape.terminals = 1;
    glimpse_model *model = random_model_make(seed, &shape);
    exact_line *exact = exact_line_new(model);
    double value = exact_line_value(exact, 0.5);
    exact_line_free(exact);
    graph_case c;
    graph_case_start(&c, seed, model);
    for (unsigned k = 0; k < 6; k++) {
      gli_graph_options options = graph_case_options((unsigned)((seed * 6 + k) * 7 % GRAPH_CASE_OPTIONS));
      options.paper = k == 5 && seed % 2;
      graph_case_search(&c, &options, k == 5);
      grow(&c, seed % 10 ? 60 : 400, value, value);
      settle(&c);
    }
    graph_case_stop(&c);
  }
}

/* More states: the whole tree to a horizon, and what can follow it. */
static void test_few_states(void **state) {
  (void)state;
  for (uint64_t seed = 1000; seed < 1300; seed++) {
    random_shape shape = random_model_shape(seed, MOST_STATES, 3, 3);
    glimpse_model *model = random_model_make(seed, &shape);
    exact_tree *exact = exact_tree_new(model, exact_tree_horizon(model, 300));
    double dense[MOST_STATES], low, high;
    for (uint32_t s = 0; s < shape.states; s++) dense[s] = 1.0 / shape.states;
    exact_tree_value(exact, dense, &low, &high);
    exact_tree_free(exact);
    graph_case c;
    graph_case_start(&c, seed, model);
    for (unsigned k = 0; k < 4; k++) {
      gli_graph_options options = graph_case_options((unsigned)((seed * 4 + k) * 5 % GRAPH_CASE_OPTIONS));
      options.paper = k == 3 && seed % 2;
      graph_case_search(&c, &options, k == 3);
      grow(&c, seed % 10 ? 80 : 400, low, high);
      settle(&c);
    }
    graph_case_stop(&c);
  }
}

/* Vectors from before the search are all there, or none: each may follow any other. */
static void test_given_vectors(void **state) {
  (void)state;
  random_shape shape = {
      .states = 2, .actions = 3, .observations = 100, .spread = 2, .high = 2, .low = -1, .discount = 0.9, .cost = 0.3};
  gli_graph_options options = {.sharing = GLI_SHARE_ALL, .live = true, .learn_vectors = true};
  graph_case c;
  graph_case_start(&c, 1, random_model_make(1, &shape));
  graph_case_search(&c, &options, false);
  uint32_t all = c.graph->lowers + c.graph->vectors->given[0]->vectors;
  assert_true(all > c.graph->lowers);
  unsigned none = 0, some = 0;
  for (options.max_bytes = 4000; options.max_bytes < 40000; options.max_bytes += 250) {
    gli_graph *graph = gli_graph_new(c.model, graph_case_bounds(&c), &options);
    char text[GLI_CHECK_TEXT];
    assert_non_null(graph);
    if (!gli_check_graph(graph, GLI_CHECK_ANY, text)) fail_msg("%s", text);
    assert_true(graph->vectors->count == 0 || graph->vectors->count == all);
    for (uint32_t id = 0; id < graph->vectors->count; id++)
      assert_int_equal(gli_vectors_at(graph, id)->state, GLI_VECTOR_FIXED);
    *(graph->vectors->count ? &some : &none) += 1;
    gli_graph_free(graph);
  }
  assert_true(none && some);
  graph_case_stop(&c);
}

/* What a policy's vectors know of certain states is in the table where they are in the graph, and only there. */
static void test_given_without_room(void **state) {
  (void)state;
  enum { STATES = 2 };
  random_shape shape = {.states = STATES,
                        .actions = 3,
                        .observations = 2,
                        .spread = 2,
                        .high = 2,
                        .low = -1,
                        .discount = 0.9,
                        .cost = 0.3};
  gli_graph_options options = {.sharing = GLI_SHARE_ALL, .live = true, .learn_vectors = true, .learn_points = true};
  graph_case c;
  graph_case_start(&c, 1, random_model_make(1, &shape));
  graph_case_search(&c, &options, false);
  double best[STATES];
  for (uint32_t s = 0; s < STATES; s++) best[s] = c.graph->corner[s].upper;
  uint32_t action = 0, successors[] = {0, 0};
  const double *values[] = {best};
  options.given = &(gli_given){.count = 1, .action = &action, .successors = successors, .values = values};
  for (int room = 0; room < 2; room++) {
    options.most_fixed = room ? 0 : 1;
    gli_graph *graph = gli_graph_new(c.model, graph_case_bounds(&c), &options);
    assert_non_null(graph);
    assert_true(room ? graph->vectors && graph->sawtooth : !graph->vectors && !graph->sawtooth);
    for (uint32_t s = 0; s < STATES; s++) {
      assert_true(c.graph->corner[s].lower < best[s]);
      assert_true(graph->corner[s].lower == (room ? best[s] : c.graph->corner[s].lower));
    }
    gli_graph_free(graph);
  }
  graph_case_stop(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_two_states), cmocka_unit_test(test_few_states),
                                     cmocka_unit_test(test_given_vectors), cmocka_unit_test(test_given_without_room)};
  return cmocka_run_group_tests_name("graph", tests, NULL, NULL);
}
