/* Random graphs: what the graph of a search holds, on models of every family (support/random_family.h), against an
 * oracle whose own error is known (support/oracle.h).  In graphs of every form, with each ingredient switched off in
 * turn, nodes, choices, children, corners, vectors and points are on the right side of the value, and the plain form
 * agrees when both are solved.  Models of two states, whose values are known everywhere, come by the thousand.
 *
 * support/random_trial.h says what the environment may choose. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "graph/maker.h"
#include "graph/sawtooth.h"
#include "graph/vectors.h"
#include "support/random_trial.h"
#include "support/search_case.h"

/* ------------------------------------------------------------------ whole graphs */

/* A bound of a belief other than the root, whose own numbers are rounded: within the slack of some backups. */
static void check_within(const trial *t, const char *what, double bound, double slack, oracle_range value, int side) {
  if (side < 0) trial_lower(t, what, bound - slack, value);
  else trial_upper(t, what, bound + slack, value);
}

static void check_node(trial *t, const gli_graph *graph, uint32_t node) {
  gli_node *n = gli_graph_node(graph, node);
  glimpse_row at = gli_graph_belief(graph, n);
  double slack = 4 * gli_graph_slack(graph, 0);
  oracle_range value = oracle_value(t->oracle, at);
  check_within(t, "lower bound of a node", n->lower, slack, value, -1);
  check_within(t, "upper bound of a node", n->upper, slack, value, 1);
  for (uint32_t c = 0; c <= t->actions && n->greedy != GLI_NONE && t->observations <= 64; c++) {
    if (c == t->actions && !gli_node_can_ask(graph, n)) continue;
    oracle_range then = oracle_choice(t->oracle, at, c == t->actions ? GLIMPSE_ANY : c);
    double lower = gli_node_lowers(graph, n)[c], upper = gli_node_uppers(n)[c];
    check_within(t, "lower bound of a node's choice", lower, 4 * gli_graph_slack(graph, lower), then, -1);
    check_within(t, "upper bound of a node's choice", upper, 4 * gli_graph_slack(graph, upper), then, 1);
  }
}

/* All children of one choice of a node: each as if it were the root. */
static void check_children(trial *t, gli_graph *graph, uint32_t node, uint32_t choice) {
  gli_outcome to;
  for (uint32_t i = 0; i < 8 && gli_graph_outcome(graph, node, choice, i, &to); i++) {
    gli_bounds bounds = gli_graph_bounds_of(graph, &to);
    trial_belief b = trial_certain(to.label);
    if (choice < t->actions) {
      if (to.probability < 1e-200) continue; /* it has no digits left */
      if (!gli_maker_follow(graph, gli_graph_belief(graph, gli_graph_node(graph, node)), choice, to.label))
        trial_fail(t, "a child that cannot be met", node, to.label);
      b = trial_copy(gli_sparse_row(&graph->maker->belief));
    }
    oracle_range value = oracle_value(t->oracle, trial_row(&b));
    double slack = 4 * gli_graph_slack(graph, 0);
    check_within(t, "lower bound of a child", bounds.lower, slack, value, -1);
    check_within(t, "upper bound of a child", bounds.upper, slack, value, 1);
  }
}

static void check_corners(trial *t, const gli_graph *graph) {
  for (uint32_t s = 0; s < t->states && s < 8; s++) {
    trial_belief b = trial_certain(s);
    oracle_range value = oracle_value(t->oracle, trial_row(&b));
    trial_lower(t, "lower bound of a corner", graph->corner[s].lower, value);
    trial_upper(t, "upper bound of a corner", graph->corner[s].upper, value);
    if (graph->corner[s].lower > graph->corner[s].upper + gli_graph_slack(graph, 0))
      trial_fail(t, "a corner's bounds cross", graph->corner[s].lower, graph->corner[s].upper);
  }
}

/* Every vector is below the value everywhere; every point bounds the actions from above. */
static void check_learnt(trial *t, gli_graph *graph, trial_tally *count) {
  for (unsigned i = 0; i < 3; i++) {
    trial_belief b = i ? trial_any(t) : trial_copy(glimpse_model_start(t->model));
    oracle_range value = oracle_value(t->oracle, trial_row(&b));
    for (uint32_t k = 0; graph->vectors && k < graph->vectors->count; k++) {
      if (gli_vectors_at(graph, k)->state == GLI_VECTOR_FREE) continue;
      trial_lower(t, "a vector", gli_vectors_value(graph, k, trial_row(&b)), value);
      count->vectors++;
    }
    if (!graph->sawtooth || !graph->sawtooth->count || b.count == 1) continue;
    double uppers[TRIAL_MOST_CHOICES];
    for (uint32_t a = 0; a < t->actions; a++) uppers[a] = DBL_MAX;
    gli_sawtooth_lower(graph, trial_row(&b), uppers, false);
    for (uint32_t a = 0; a < t->actions; a++)
      trial_upper(t, "the sawtooth", uppers[a], oracle_choice(t->oracle, trial_row(&b), a));
    count->points++;
  }
}

static void check_graph(trial *t, search_case *c, trial_tally *count) {
  gli_graph *graph = c->graph;
  unsigned looks = t->states > 16 || t->observations > 64 ? 1 : 8;
  for (unsigned i = 0; i < looks; i++) {
    uint32_t node = i ? gli_random_below(&t->random, (uint32_t)graph->node_count) : graph->root;
    check_node(t, graph, node);
    check_children(t, graph, node, gli_random_below(&t->random, t->actions + 1));
  }
  check_corners(t, graph);
  check_learnt(t, graph, count);
  oracle_range value = oracle_value(t->oracle, glimpse_model_start(t->model));
  const gli_node *root = gli_graph_node(graph, graph->root);
  trial_lower(t, "lower bound of the root", root->lower, value);
  trial_upper(t, "upper bound of the root", root->upper, value);
}

/* All that a graph of any form knows, after a few expansions and after more; what the plain form gives is the same
 * when both are solved. */
static void check_graphs(trial *t, trial_tally *count) {
  static const unsigned expansions[] = {1, 4, 15, 60};
  unsigned number = (unsigned)(t->seed * 11 + (unsigned)t->family) % SEARCH_CASE_OPTIONS;
  gli_graph_options options = search_case_options(number);
  search_case c;
  search_case_start(&c, t->seed, random_family_make(t->family, t->seed).model);
  if (t->seed % 2) search_case_loosen(&c);
  search_case_search(&c, &options, false);
  glimpse_stop stop = GLIMPSE_STOP_NONE;
  for (unsigned i = 0; i < 4; i++) {
    trial_doing(t, "graph %u (%s) after %u more expansions", number, search_case_name(&options), expansions[i]);
    stop = search_case_run(&c, expansions[i]);
    check_graph(t, &c, count);
  }
  if (stop == GLIMPSE_STOP_SOLVED && !trial_slow(t)) {
    gli_search *plain = search_case_other(&c, &options, true);
    glimpse_stop also = gli_search_run(plain, &(glimpse_budget){.expansions = 200}, 0);
    const gli_node *mine = search_case_root(&c), *its = gli_graph_node(plain->graph, plain->graph->root);
    double gap = 4 * trial_rounding(t) + 2 * c.graph->floor / (1 - c.graph->discount);
    if (also == GLIMPSE_STOP_SOLVED && (fabs(mine->upper - its->upper) > gap || fabs(mine->lower - its->lower) > gap))
      trial_fail(t, "both are solved, but not alike", mine->upper, its->upper);
    gli_graph *graph = plain->graph;
    gli_search_free(plain);
    gli_graph_free(graph);
  }
  search_case_stop(&c);
}

/* -------------------------------------------------------------------- two states */

static void check_pair_at(const search_case *c, const char *what, gli_bounds bounds, double exact) {
  double error = search_case_error(c) + 4 * gli_graph_slack(c->graph, exact);
  if (!(bounds.lower <= exact + error)) search_case_fail(c, what, bounds.lower, exact);
  if (!(bounds.upper >= exact - error)) search_case_fail(c, what, bounds.upper, exact);
}

/* Everything in the graph, because the value of every belief is known. */
static size_t check_pair(search_case *c) {
  gli_graph *graph = c->graph;
  size_t looks = 0;
  for (uint32_t node = 0; node < graph->node_count; node++) {
    gli_node *n = gli_graph_node(graph, node);
    glimpse_row at = gli_graph_belief(graph, n);
    double exact = n->state == GLI_NONE ? search_case_value(c, at) : search_case_act(c, at);
    check_pair_at(c, "a node", (gli_bounds){n->upper, n->lower}, exact);
    for (uint32_t choice = 0; choice <= graph->actions && n->greedy != GLI_NONE; choice++) {
      if (choice == graph->actions && !gli_node_can_ask(graph, n)) continue;
      gli_bounds known = {gli_node_uppers(n)[choice], gli_node_lowers(graph, n)[choice]};
      check_pair_at(c, "a choice", known, search_case_choice(c, at, choice));
      gli_outcome to;
      for (uint32_t i = 0; gli_graph_outcome(graph, node, choice, i, &to); i++, looks++) {
        trial_belief b = trial_certain(to.label);
        if (choice < graph->actions && gli_maker_follow(graph, at, choice, to.label))
          b = trial_copy(gli_sparse_row(&graph->maker->belief));
        double value = b.count == 1 ? search_case_act(c, trial_row(&b)) : search_case_value(c, trial_row(&b));
        check_pair_at(c, "a child", gli_graph_bounds_of(graph, &to), value);
      }
    }
  }
  for (uint32_t s = 0; s < 2; s++) {
    trial_belief b = trial_certain(s);
    gli_bounds known = {graph->corner[s].upper, graph->corner[s].lower};
    check_pair_at(c, "a corner", known, search_case_act(c, trial_row(&b)));
  }
  return looks;
}

/* Models of two states by the thousand, each in one of all forms, with requests and without, with the same price or one
 * for each state; now and then the root moves. */
static void test_pairs(void **state) {
  (void)state;
  uint64_t first = trial_number("GLIMPSE_RANDOM_FIRST", 1), count = 100 * trial_number("GLIMPSE_RANDOM_MODELS", 12);
  if (getenv("GLIMPSE_RANDOM_FAMILY")) skip();
  size_t looks = 0;
  for (uint64_t seed = first; seed < first + count; seed++) {
    random_shape shape = search_case_pair(seed, seed % 3 > 0);
    gli_graph_options options = search_case_options((unsigned)(seed * 7 % SEARCH_CASE_OPTIONS));
    gli_random random = gli_random_stream(seed, "pairs", 0);
    if (shape.discount > 0.8) shape.discount = 0.8;
    search_case c;
    search_case_start(&c, seed, random_model_make(seed, &shape));
    if (seed % 2) search_case_loosen(&c);
    search_case_exact(&c);
    search_case_search(&c, &options, seed % 8 == 0);
    for (unsigned i = 0; i < 4; i++) {
      static const unsigned expansions[] = {1, 3, 10, 25};
      search_case_run(&c, expansions[i]);
      looks += check_pair(&c);
      gli_outcome to;
      uint32_t a = gli_random_below(&random, shape.actions);
      if (seed % 4 || !gli_graph_outcome(c.graph, c.graph->root, a, 0, &to)) continue;
      if (!gli_maker_follow(c.graph, gli_graph_belief(c.graph, search_case_root(&c)), a, to.label)) continue;
      trial_belief b = trial_copy(gli_sparse_row(&c.graph->maker->belief));
      assert_true(gli_search_move(c.search, a, to.label, trial_row(&b)));
    }
    search_case_stop(&c);
  }
  print_message("pairs: %llu models, %zu looks at children\n", (unsigned long long)count, looks);
  assert_true(looks > 20 * count);
}

/* -------------------------------------------------------------------- families */

static void run_family(random_family family) {
  trial_tally met = trial_run(family, check_graphs);
  print_message(", %u looks at vectors, %u at points\n", met.vectors, met.points);
}

static void test_known(void **state) {
  (void)state;
  trial_run_known(check_graphs);
}

#define X(name, key, text)                                                                                             \
  static void test_##name(void **state) {                                                                              \
    (void)state;                                                                                                       \
    run_family(RANDOM_FAMILY_##name);                                                                                  \
  }
RANDOM_FAMILY_TABLE(X)
#undef X

int main(void) {
  const struct CMUnitTest tests[] = {
#define X(name, key, text) {key, test_##name, NULL, NULL, NULL},
      RANDOM_FAMILY_TABLE(X)
#undef X
          cmocka_unit_test(test_pairs),
      cmocka_unit_test(test_known)};
  return cmocka_run_group_tests_name("random graphs", tests, NULL, NULL);
}
