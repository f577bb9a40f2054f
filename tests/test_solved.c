/* Solved: a search that says there is nothing left to expand has closed the gap, whatever the rule, the sharing, what
 * is learnt and the memory; without enough of it, it says so. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/failing_malloc.h"
#include "support/oracle.h"
#include "support/search_case.h"

static random_shape chain(uint64_t seed) {
  random_shape shape = random_model_shape(seed, 3, 3, 1 + seed % 2);
  static const double discounts[] = {0.5, 0.9, 0.95, 0.99};
  shape.states = 2 + seed % 2;
  shape.terminals = 0;
  shape.discount = discounts[seed / 2 % 4];
  if (seed % 3 == 0) shape.observations = 1; /* beliefs return: the graph closes */
  return shape;
}

static void start(search_case *c, uint64_t seed, const random_shape *shape, const gli_graph_options *options,
                  bool plain) {
  search_case_start(c, seed, random_model_make(seed, shape));
  search_case_loosen(c);
  search_case_search(c, options, plain);
}

/* A fringe gap up to `floor` counts as none.  Each backup moves bounds outward by an eighth of its first part, times
 * 1 - discount, both ways, and each link between near beliefs by a quarter of the second, likewise: so the gap of what
 * leads there is no larger, but for a request, which does not discount it. */
static void check_gap(const search_case *c) {
  const gli_node *root = search_case_root(c);
  double gap = root->upper - root->lower;
  if (gap > (1.001 + (1 - c->graph->discount) / 4) * c->graph->floor)
    search_case_fail(c, "solved, but the gap is open", gap, c->graph->floor);
  if (gap < -c->graph->floor) search_case_fail(c, "the bounds cross", root->upper, root->lower);
}

static glimpse_stop search(search_case *c, uint64_t expansions) {
  glimpse_stop stop = search_case_run(c, expansions);
  if (stop == GLIMPSE_STOP_SOLVED) check_gap(c);
  else if (stop != GLIMPSE_STOP_EXPANSIONS && stop != GLIMPSE_STOP_MEMORY) search_case_fail(c, "stopped", stop, 0);
  return stop;
}

static void test_rules(void **state) {
  (void)state;
  unsigned solved = 0;
  for (uint64_t seed = 0; seed < 400; seed++) {
    random_shape shape = chain(seed);
    gli_graph_options options = search_case_options((unsigned)(seed * 7 % SEARCH_CASE_OPTIONS));
    search_case c;
    start(&c, seed, &shape, &options, false);
    solved += search(&c, 300) == GLIMPSE_STOP_SOLVED;
    search_case_stop(&c);
  }
  assert_true(solved > 60);
}

/* Solved is solved: the value is the exact one. */
static void test_exact(void **state) {
  (void)state;
  unsigned solved = 0;
  for (uint64_t seed = 0; seed < 250; seed++) {
    random_shape shape = search_case_pair(seed, seed % 3 > 0);
    gli_graph_options options = search_case_options((unsigned)(seed * 7 % SEARCH_CASE_OPTIONS));
    search_case c;
    start(&c, seed, &shape, &options, seed % 5 == 0);
    search_case_exact(&c);
    glimpse_stop stop = search(&c, 200);
    const gli_node *root = search_case_root(&c);
    double exact = search_case_value(&c, glimpse_model_start(c.model));
    double off = search_case_error(&c) + (stop == GLIMPSE_STOP_SOLVED ? 2 * c.graph->floor : INFINITY);
    if (fabs(root->upper - exact) > off) search_case_fail(&c, "solved to another value", root->upper, exact);
    if (fabs(root->lower - exact) > off) search_case_fail(&c, "solved to another value", root->lower, exact);
    solved += stop == GLIMPSE_STOP_SOLVED;
    search_case_stop(&c);
  }
  assert_true(solved > 80);
}

/* One action, one observation, and a request that is not dominated for long: the weights of Satia and Lave are halved
 * at each step of a chain on which everything depends. */
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
    gli_graph_options options = {.sharing = (gli_sharing)(seed % 3), .rule = GLI_RULE_SATIA_LAVE};
    search_case c;
    start(&c, seed, &shape, &options, seed / 3 % 2);
    search(&c, 200);
    deep += c.graph->expansions >= 100;
    search_case_stop(&c);
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

static void test_far(void **state) {
  (void)state;
  unsigned deep = 0;
  for (unsigned k = 0; k < 16; k++) {
    gli_graph_options options = search_case_options(8 + 9 * (k % SEARCH_CASE_FORMS)); /* all, Satia and Lave */
    search_case c;
    search_case_start(&c, k, twins(k % 8 < 4 ? 0.98 : 0.995, 0.99, k % 3 ? 0.3 : 3));
    search_case_loosen(&c);
    search_case_search(&c, &options, k >= 8);
    search(&c, 150);
    deep += c.graph->expansions > 60; /* halved so often, the weight is below what Psi is solved to */
    search_case_stop(&c);
  }
  assert_true(deep >= 8);
}

/* Nothing is seen, and beliefs come nearer to each other with each step: once they are near the graph closes, long
 * before the discount would end the chain; and what links lack is made up for. */
static void test_near(void **state) {
  (void)state;
  static const double stays[] = {0.7, 0.8, 0.9, 0.1};
  for (unsigned k = 0; k < 20; k++) {
    gli_graph_options options = search_case_options(2 + 9 * (k % SEARCH_CASE_FORMS));
    double stay = stays[k % 4], exact = -0.8 / (1 - 0.99 * (2 * stay - 1));
    search_case c;
    search_case_start(&c, k, twins(stay, 0.99, 0));
    search_case_loosen(&c);
    search_case_extend(&c, false); /* or there would be nothing to do */
    search_case_search(&c, &options, false);
    glimpse_stop stop = search(&c, 200);
    const gli_node *root = search_case_root(&c);
    if (stop != GLIMPSE_STOP_SOLVED) search_case_fail(&c, "not solved", root->lower, root->upper);
    if (!(root->lower <= exact && exact <= root->upper)) search_case_fail(&c, "another value", root->lower, exact);
    search_case_stop(&c);
  }
}

/* A graph that is closed while its bounds still are not, and would not be for millions of passes: the budget of
 * expansions ends that, too. */
static void test_passes(void **state) {
  (void)state;
  static const double discounts[] = {0.99, 0.9999999, 1 - 1e-9, 1 - 1e-12};
  for (unsigned k = 0; k < 24; k++) {
    gli_graph_options options = search_case_options(k % 9 + 9 * (k % SEARCH_CASE_FORMS));
    search_case c;
    search_case_start(&c, k, twins(k % 2 ? 1 : 0, discounts[k / 6], 0.3));
    search_case_loosen(&c);
    search_case_search(&c, &options, false);
    search(&c, 30);
    assert_true(c.search->units < 2 * (100000 + 1024 * 30));
    search_case_stop(&c);
  }
}

/* ------------------------------------------------------------------ extremes */

/* Tiger, with one more action that costs `fine`, and doors that cost `trap` when the tiger is behind. */
static glimpse_model *tiger(double fine, double trap, double discount, double cost) {
  enum { LEFT, RIGHT, LISTEN, FOLLY };
  glimpse_builder *builder = glimpse_builder_new(2, fine < 0 ? 4 : 3, 2);
  assert_non_null(builder);
  glimpse_builder_discount(builder, discount);
  glimpse_builder_cost(builder, GLIMPSE_ANY, cost);
  for (uint32_t a = 0; a < (fine < 0 ? 4 : 3); a++)
    for (uint32_t s = 0; s < 2; s++) {
      for (uint32_t s2 = 0; s2 < 2; s2++)
        if (a < LISTEN || s == s2) glimpse_builder_transition(builder, a, s, s2, a < LISTEN ? 0.5 : 1);
      for (uint32_t o = 0; o < 2; o++)
        glimpse_builder_observation(builder, a, s, o, a == LISTEN ? (o == s ? 0.85 : 0.15) : 0.5);
      double reward = a == LISTEN ? -1 : a == FOLLY ? fine : a == s ? trap : 10;
      glimpse_builder_reward(builder, a, s, GLIMPSE_ANY, GLIMPSE_ANY, reward);
    }
  for (uint32_t s = 0; s < 2; s++) glimpse_builder_start(builder, s, 0.5);
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_builder_finish(builder, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(builder);
  return model;
}

/* Rewards that nobody would earn are not what values are measured by: an interval is not called closed because it is
 * small next to them. */
static void test_huge(void **state) {
  (void)state;
  unsigned solved = 0;
  for (unsigned k = 0; k < 45; k++) {
    gli_graph_options options = search_case_options(k);
    double cost = k % 4 == 0 ? 0 : k % 4 == 1 ? 0.5 : k % 4 == 2 ? 5 : 1e12;
    search_case c;
    search_case_start(&c, k, tiger(k % 2 ? -1e15 : 0, k % 3 ? -100 : -1e15, 0.75, cost));
    search_case_search(&c, &options, false);
    glimpse_stop stop = search(&c, 400);
    const gli_node *root = search_case_root(&c);
    solved += stop == GLIMPSE_STOP_SOLVED;
    if (stop == GLIMPSE_STOP_SOLVED && root->upper - root->lower > 1e-3)
      search_case_fail(&c, "solved with a wide interval", root->lower, root->upper);
    if (!(root->lower > -100 && root->upper < 100)) search_case_fail(&c, "lost", root->lower, root->upper);
    oracle *known = oracle_new(c.model, 5);
    oracle_range value = oracle_value(known, glimpse_model_start(c.model));
    if (precise_below(value.high, root->lower)) search_case_fail(&c, "above the value", root->lower, root->upper);
    if (precise_above(value.low, root->upper)) search_case_fail(&c, "below the value", root->lower, root->upper);
    oracle_free(known);
    search_case_stop(&c);
  }
  assert_true(solved > 5);
}

/* Discounts next to 1, where rounding is divided by what is left. */
static void test_discounts(void **state) {
  (void)state;
  static const double discounts[] = {0.99, 0.999, 0.9999, 0.99999, 0.999999, 0.9999999};
  for (unsigned k = 0; k < 36; k++) {
    gli_graph_options options = search_case_options(k % 9 + 9 * (k % SEARCH_CASE_FORMS));
    double discount = discounts[k % 6];
    search_case c;
    search_case_start(&c, k, tiger(0, -100, discount, k % 4 ? 1 : 0));
    search_case_search(&c, &options, false);
    glimpse_stop stop = search(&c, 25);
    const gli_node *root = search_case_root(&c);
    double per_step = (root->upper - root->lower) * (1 - discount); /* of rewards between -1 and 10 */
    if (stop == GLIMPSE_STOP_SOLVED && per_step > 1e-3)
      search_case_fail(&c, "solved with a wide interval", per_step, 0);
    if (!(root->lower <= root->upper + c.graph->floor)) search_case_fail(&c, "crossed", root->lower, root->upper);
    search_case_stop(&c);
  }
}

/* -------------------------------------------------------------------- memory */

/* What found no room is tried again when there is some. */
static void test_small_limit(void **state) {
  (void)state;
  unsigned solved = 0, full = 0;
  for (uint64_t seed = 0; seed < 300; seed++) {
    random_shape shape = chain(seed);
    gli_graph_options options = search_case_options((unsigned)(seed * 7 % SEARCH_CASE_OPTIONS));
    options.max_bytes = 8000 + seed * 37 % 20000;
    search_case c;
    start(&c, seed, &shape, &options, false);
    for (unsigned i = 0; i < 3; i++) {
      glimpse_stop stop = search(&c, 100);
      solved += stop == GLIMPSE_STOP_SOLVED;
      full += stop == GLIMPSE_STOP_MEMORY;
      assert_true(c.graph->quota.bytes <= options.max_bytes);
    }
    search_case_stop(&c);
  }
  assert_true(solved > 40 && full > 40);
}

/* Allocations that fail now and then. */
static void test_failures(void **state) {
  (void)state;
  for (uint64_t seed = 350; seed < 550; seed++) {
    random_shape shape = chain(seed);
    gli_graph_options options = search_case_options((unsigned)(seed * 7 % SEARCH_CASE_OPTIONS));
    search_case c;
    start(&c, seed, &shape, &options, seed % 4 == 0);
    for (unsigned i = 0; i < 6; i++) {
      failing_malloc_set(1 + (seed + i) % 9, i % 2);
      search(&c, seed % 4 == 0 ? 12 : 40);
      failing_malloc_set(0, false);
      search(&c, seed % 4 == 0 ? 4 : 30);
    }
    search_case_stop(&c);
  }
}

/* The plain form under a limit: corners that a request could not expand. */
static void test_plain_limit(void **state) {
  (void)state;
  unsigned full = 0;
  for (uint64_t seed = 0; seed < 200; seed++) {
    random_shape shape = random_model_shape(seed, 5, 3, 3);
    shape.cost = 0.1;
    gli_graph_options options = search_case_options((unsigned)(seed * 7 % SEARCH_CASE_OPTIONS));
    options.paper = seed % 3 > 0;
    options.max_bytes = 8000 + seed * 37 % 20000;
    search_case c;
    start(&c, seed, &shape, &options, true);
    for (unsigned i = 0; i < 3; i++) full += search(&c, 30) == GLIMPSE_STOP_MEMORY;
    search_case_stop(&c);
  }
  assert_true(full > 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rules),    cmocka_unit_test(test_exact),      cmocka_unit_test(test_long_chain),
      cmocka_unit_test(test_far),      cmocka_unit_test(test_near),       cmocka_unit_test(test_passes),
      cmocka_unit_test(test_huge),     cmocka_unit_test(test_discounts),  cmocka_unit_test(test_small_limit),
      cmocka_unit_test(test_failures), cmocka_unit_test(test_plain_limit)};
  return cmocka_run_group_tests_name("solved", tests, NULL, NULL);
}
