/* Merge: the table of beliefs against a naive list; and that only beliefs whose values are as good as equal are. */
#include "graph/merge.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "graph/expand.h"
#include "support/search_case.h"

enum { STATES = 6, MANY = 5000 };

static void start(search_case *c, uint64_t max_bytes) {
  random_shape shape = {.states = STATES,
                        .actions = 2,
                        .observations = 2,
                        .spread = 3,
                        .high = 2,
                        .low = -1,
                        .discount = 0.9,
                        .cost = 0.3};
  gli_graph_options options = {.sharing = GLI_SHARE_ALL, .max_bytes = max_bytes};
  search_case_start(c, 5, random_model_make(5, &shape));
  search_case_search(c, &options, false);
}

typedef struct belief {
  uint32_t index[STATES];
  double value[STATES];
  glimpse_row row;
} belief;

static void make_belief(belief *b, gli_random *random) {
  double dense[STATES];
  do random_belief(random, STATES, dense), b->row = random_belief_row(dense, STATES, b->index, b->value);
  while (b->row.count < 2);
}

static uint32_t enter(gli_graph *graph, glimpse_row row) {
  uint32_t hash = 0, node = gli_merge_find(graph, row, &hash);
  if (node != GLI_NONE) return node;
  node = gli_expand_node(graph, row, GLI_NONE);
  assert_int_not_equal(node, GLI_NONE);
  gli_merge_add(graph, node, hash);
  return node;
}

static uint32_t find(const gli_graph *graph, glimpse_row row) {
  uint32_t hash;
  return gli_merge_find(graph, row, &hash);
}

/* Every node but the corners' is found by its own belief, through all sizes of the table. */
static void check_all(const gli_graph *graph) {
  size_t in_table = 0;
  for (uint32_t node = 0; node < graph->node_count; node++) {
    const gli_node *n = gli_graph_node(graph, node);
    if (n->state != GLI_NONE) continue;
    in_table++;
    if (find(graph, gli_graph_belief(graph, n)) != node)
      fail_msg("node %u of %zu is not found", node, graph->node_count);
  }
  assert_int_equal(graph->slots_used, in_table);
  assert_true(graph->slot_count >= 2 * in_table && !(graph->slot_count & (graph->slot_count - 1)));
  size_t filled = 0;
  for (size_t i = 0; i < graph->slot_count; i++) filled += graph->slots[i] != 0;
  assert_int_equal(filled, in_table);
}

static void test_growth(void **state) {
  (void)state;
  search_case c;
  start(&c, 0);
  gli_random random = gli_random_stream(1, "merge", 0);
  assert_int_not_equal(gli_expand_corner(c.graph, 2), GLI_NONE);
  size_t sizes = 0, before = 0;
  for (unsigned i = 0; i < MANY; i++) {
    belief b;
    make_belief(&b, &random);
    uint32_t node = enter(c.graph, b.row);
    assert_int_equal(enter(c.graph, b.row), node); /* not twice */
    sizes += c.graph->slot_count != before;
    before = c.graph->slot_count;
    if (i % 500 == 0 || i == 511 || i == 512) check_all(c.graph);
  }
  check_all(c.graph);
  assert_true(sizes >= 3 && c.graph->node_count > MANY / 2);
  gli_merge_all(c.graph);
  check_all(c.graph);
  assert_int_equal(find(c.graph, (glimpse_row){1, &(uint32_t){2}, &(double){1}}), GLI_NONE); /* corners are elsewhere */
  search_case_stop(&c);
}

/* Other supports, and clearly other numbers, are others; the same up to rounding are the same. */
static void test_equal(void **state) {
  (void)state;
  search_case c;
  start(&c, 0);
  gli_random random = gli_random_stream(2, "merge", 0);
  unsigned found = 0, tried = 0;
  for (unsigned i = 0; i < 2000; i++) {
    belief b;
    make_belief(&b, &random);
    uint32_t node = enter(c.graph, b.row);
    belief near = b, far = b, other = b;
    near.row = (glimpse_row){b.row.count, near.index, near.value};
    near.value[0] *= 1 + 0x1p-52;
    near.value[1] *= 1 - 0x1p-52;
    uint32_t at = find(c.graph, near.row);
    assert_true(at == node || at == GLI_NONE); /* on the edge of two hashes */
    found += at == node;
    tried++;
    far.row = (glimpse_row){b.row.count, far.index, far.value};
    double by = i % 2 ? 1e-6 : 1e-11; /* the same hash, mostly, but not the same belief */
    far.value[0] += by;
    far.value[1] -= by;
    assert_int_equal(find(c.graph, far.row), GLI_NONE);
    other.row = (glimpse_row){b.row.count - 1, other.index + 1, other.value + 1};
    if (other.row.count > 1) assert_int_not_equal(find(c.graph, other.row), node);
    if (b.index[b.row.count - 1] + 1 < STATES) { /* another state, with the same numbers */
      other.row = (glimpse_row){b.row.count, other.index, other.value};
      other.index[b.row.count - 1]++;
      assert_int_not_equal(find(c.graph, other.row), node);
    }
  }
  assert_true(found > tried * 99 / 100);
  search_case_stop(&c);
}

/* Where the edge is: a probability that is off by more, relative to itself, is another.  In a state where a plan costs
 * dearly what is off counts as much as the plan costs, which no bound on values knows; what is off relative to the
 * probability counts no more than the value of the belief.  So the edge must be within the rounding that a backup
 * allows, for each probability on its own, however small. */
static void test_tolerance(void **state) {
  (void)state;
  search_case c;
  start(&c, 0);
  for (int digits = 1; digits <= 40; digits++) {
    double p = pow(10, -digits) * 0.7, low = 0, high = 1;
    uint32_t index[] = {1, 4};
    double value[] = {1 - p, p};
    uint32_t node = enter(c.graph, (glimpse_row){2, index, value});
    assert_int_equal(find(c.graph, (glimpse_row){2, index, value}), node);
    for (unsigned i = 0; i < 80; i++) { /* halves the interval of the edge */
      double by = (low + high) / 2, off[] = {1 - p, p + by * p};
      if (find(c.graph, (glimpse_row){2, index, off}) == node) low = by;
      else high = by;
    }
    if (low > c.graph->rounding) fail_msg("probability %g: equal when off by %g of it", p, low);
    if (low < 0x1p-50) fail_msg("probability %g: not equal when off by %g of it", p, high);
  }
  search_case_stop(&c);
}

/* Beliefs of one hash are compared in full: a node is entered under the hash of another belief. */
static void test_collision(void **state) {
  (void)state;
  search_case c;
  start(&c, 0);
  uint32_t left[] = {0, 1}, right[] = {0, 2}, hash;
  double value[] = {0.25, 0.75}, other[] = {0.75, 0.25};
  glimpse_row wanted = {2, left, value};
  for (unsigned i = 0; i < 2; i++) {
    uint32_t node =
        gli_expand_node(c.graph, i ? (glimpse_row){2, left, other} : (glimpse_row){2, right, value}, GLI_NONE);
    assert_int_equal(gli_merge_find(c.graph, wanted, &hash), GLI_NONE);
    gli_merge_add(c.graph, node, hash);
    assert_int_equal(find(c.graph, wanted), GLI_NONE);
  }
  uint32_t node = enter(c.graph, wanted);
  assert_int_equal(find(c.graph, wanted), node); /* behind the two others */
  search_case_stop(&c);
}

/* What a search has merged: no two nodes are equal, and none is met twice. */
static void test_search(void **state) {
  (void)state;
  unsigned merged = 0;
  for (uint64_t seed = 0; seed < 60; seed++) {
    random_shape shape = random_model_shape(seed, 4, 3, 2);
    shape.spread = 1; /* beliefs return */
    gli_graph_options options = search_case_options(2);
    search_case c;
    search_case_start(&c, seed, random_model_make(seed, &shape));
    search_case_loosen(&c);
    search_case_search(&c, &options, false);
    search_case_run(&c, 100);
    const gli_graph *graph = c.graph;
    uint32_t *links = test_calloc(graph->node_count, sizeof *links);
    for (uint32_t node = 0; node < graph->node_count; node++)
      for (uint32_t choice = 0; choice < graph->actions; choice++) {
        gli_outcome to;
        for (uint32_t i = 0; gli_graph_outcome(graph, node, choice, i, &to); i++)
          if (!gli_link_fringe(to.link) && !gli_link_corner(to.link)) merged += ++links[to.link] == 2;
      }
    test_free(links);
    for (uint32_t x = 0; x < graph->node_count; x++)
      for (uint32_t y = 0; y < x; y++) {
        glimpse_row a = gli_graph_belief(graph, gli_graph_node(graph, x));
        glimpse_row b = gli_graph_belief(graph, gli_graph_node(graph, y));
        if (a.count == b.count && !memcmp(a.index, b.index, a.count * sizeof *a.index) &&
            !memcmp(a.value, b.value, a.count * sizeof *a.value))
          search_case_fail(&c, "a belief twice", x, y);
      }
    search_case_stop(&c);
  }
  assert_true(merged > 20);
}

/* Without room for the table nothing is remembered, and nothing else happens. */
static void test_no_room(void **state) {
  (void)state;
  search_case c;
  start(&c, 60000);
  gli_random random = gli_random_stream(3, "merge", 0);
  for (unsigned i = 0; i < 300; i++) {
    belief b;
    make_belief(&b, &random);
    uint32_t hash, node = gli_merge_find(c.graph, b.row, &hash);
    if (node != GLI_NONE || (node = gli_expand_node(c.graph, b.row, GLI_NONE)) == GLI_NONE) continue;
    c.graph->full = false;
    gli_merge_add(c.graph, node, hash);
    assert_false(c.graph->full);
    assert_true(c.graph->quota.bytes <= 60000);
  }
  assert_true(c.graph->node_count > 50);
  gli_merge_all(c.graph);
  for (size_t i = 0; i < c.graph->slot_count; i++) assert_true(c.graph->slots[i] <= c.graph->node_count);
  c.graph->quota.limit = c.graph->quota.bytes; /* nothing at all */
  c.graph->full = false;
  while (c.graph->slot_count && 2 * (c.graph->slots_used + 1) <= c.graph->slot_count) c.graph->slots_used++;
  belief b;
  make_belief(&b, &random);
  uint32_t hash, node = gli_merge_find(c.graph, b.row, &hash);
  if (node == GLI_NONE) {
    gli_merge_add(c.graph, c.graph->root, hash);
    assert_int_equal(find(c.graph, b.row), GLI_NONE);
    assert_false(c.graph->full);
  }
  search_case_stop(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_growth),    cmocka_unit_test(test_equal),
                                     cmocka_unit_test(test_tolerance), cmocka_unit_test(test_collision),
                                     cmocka_unit_test(test_search),    cmocka_unit_test(test_no_room)};
  return cmocka_run_group_tests_name("merge", tests, NULL, NULL);
}
