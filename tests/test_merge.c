/* Merge: the table of beliefs against a naive list; that only beliefs whose values are as good as equal are one; and
 * that links between them are sound, also where a state that is all but impossible is ruinous. */
#include "graph/merge.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "graph/collect.h"
#include "graph/expand.h"
#include "graph/maker.h"
#include "graph/tuning.h"
#include "support/oracle.h"
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
  uint32_t hash = 0;
  double slack = -1;
  uint32_t node = gli_merge_find(graph, row, &slack, &hash);
  if (node != GLI_NONE) return node;
  node = gli_expand_node(graph, row, GLI_NONE, (gli_seen){0});
  assert_int_not_equal(node, GLI_NONE);
  gli_merge_add(graph, node, hash);
  return node;
}

/* The naive list: every node of the same support that is near enough. */
static double naive_distance(glimpse_row x, glimpse_row y) {
  double off = 0;
  if (x.count != y.count) return INFINITY;
  for (size_t i = 0; i < x.count; i++) {
    if (x.index[i] != y.index[i]) return INFINITY;
    off += fabs(x.value[i] - y.value[i]);
  }
  return off;
}

/* What is found is near, and the slack is what the values may differ by. */
static uint32_t find(const gli_graph *graph, glimpse_row row) {
  uint32_t hash;
  double slack = -1;
  uint32_t node = gli_merge_find(graph, row, &slack, &hash);
  if (node == GLI_NONE) return node;
  double off = naive_distance(gli_graph_belief(graph, gli_graph_node(graph, node)), row);
  if (!(off <= graph->near)) fail_msg("found at a distance of %g, near is %g", off, graph->near);
  if (!(slack == off * graph->slope)) fail_msg("a slack of %g at a distance of %g", slack, off);
  return node;
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

/* Other supports are others, and so is what is farther than `near`; what is nearer is the same. */
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
    double by = i % 2 ? 0.01 * c.graph->near : 0x1p-54;
    near.value[0] += by;
    near.value[1] -= by;
    uint32_t at = find(c.graph, near.row);
    assert_true(at == node || at == GLI_NONE); /* on the edge of two hashes */
    found += at == node;
    tried++;
    far.row = (glimpse_row){b.row.count, far.index, far.value};
    by = i % 2 ? 1e-6 : 0.51 * c.graph->near; /* the same hash, mostly, but not the same belief */
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
  assert_true(found > tried * 95 / 100);
  search_case_stop(&c);
}

/* All links together change no value by more than what a closed gap is: the slack of one, for ever. */
static void test_near(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 60; seed++) {
    random_shape shape = random_model_shape(seed, 5, 3, 3);
    search_case c;
    search_case_start(&c, seed, random_model_make(seed, &shape));
    for (unsigned k = 0; k < 3; k++) {
      gli_graph_options options = {.sharing = (gli_sharing)k};
      search_case_search(&c, &options, false);
      const gli_graph *graph = c.graph;
      double low = 0, all = graph->near * graph->slope / (1 - graph->discount);
      for (uint32_t s = 0; s < graph->states; s++)
        for (uint32_t a = 0; a < graph->actions; a++) low = fmin(low, glimpse_model_reward(c.model, a, s));
      if (2 * all > graph->floor) search_case_fail(&c, "links are worth more than a closed gap", all, graph->floor);
      if (k < GLI_SHARE_ALL && graph->near != 0) search_case_fail(&c, "near, but nothing is merged", graph->near, k);
      if (k == GLI_SHARE_ALL && graph->scale > 0 && !(graph->near > 0)) search_case_fail(&c, "nothing is near", k, 0);
      if (graph->slope < -low / (1 - graph->discount)) search_case_fail(&c, "not steep enough", graph->slope, low);
    }
    search_case_stop(&c);
  }
}

/* Beliefs of one hash are compared in full: a node is entered under the hash of another belief. */
static void test_collision(void **state) {
  (void)state;
  search_case c;
  start(&c, 0);
  uint32_t left[] = {0, 1}, right[] = {0, 2}, hash;
  double slack;
  double value[] = {0.25, 0.75}, other[] = {0.75, 0.25};
  glimpse_row wanted = {2, left, value};
  for (unsigned i = 0; i < 2; i++) {
    uint32_t node = gli_expand_node(c.graph, i ? (glimpse_row){2, left, other} : (glimpse_row){2, right, value},
                                    GLI_NONE, (gli_seen){0});
    assert_int_equal(gli_merge_find(c.graph, wanted, &slack, &hash), GLI_NONE);
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
  for (uint64_t seed = 0; seed < 200; seed++) {
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
  if (merged < 20) fail_msg("%u beliefs were merged", merged);
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
    uint32_t hash;
    double slack;
    uint32_t node = gli_merge_find(c.graph, b.row, &slack, &hash);
    if (node != GLI_NONE || (node = gli_expand_node(c.graph, b.row, GLI_NONE, (gli_seen){0})) == GLI_NONE) continue;
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
  uint32_t hash;
  double slack;
  uint32_t node = gli_merge_find(c.graph, b.row, &slack, &hash);
  if (node == GLI_NONE) {
    gli_merge_add(c.graph, c.graph->root, hash);
    assert_int_equal(find(c.graph, b.row), GLI_NONE);
    assert_false(c.graph->full);
  }
  search_case_stop(&c);
}

/* ------------------------------------------------------------------- ruin */

/* Something is good, or a trap: in three stages one may wait and look, in two ways that tell nearly the same, and go,
 * which in a trap is ruinous, or quit.  Whether to go depends on the 15th digit after the point. */
enum { WAIT, LOOK, GO, QUIT, RUIN_ACTIONS, STAGES = 3, END = 2 * STAGES, RUIN_STATES };

static glimpse_model *ruin(double reward, double apart, double cost, double trap) {
  glimpse_builder *builder = glimpse_builder_new(RUIN_STATES, RUIN_ACTIONS, 2);
  assert_non_null(builder);
  glimpse_builder_discount(builder, 0.5);
  if (cost > 0) glimpse_builder_cost(builder, GLIMPSE_ANY, cost);
  for (uint32_t s = 0; s < RUIN_STATES; s++)
    for (uint32_t a = 0; a < RUIN_ACTIONS; a++) {
      uint32_t next = s == END || a > LOOK || s + 2 >= END ? END : s + 2;
      glimpse_builder_transition(builder, a, s, next, 1);
      double seen = a > LOOK || s == END ? 1 : s % 2 == 0 ? 0.8 : a == WAIT ? 0.3 : 0.3 * (1 + apart);
      glimpse_builder_observation(builder, a, s, 0, seen);
      if (seen < 1) glimpse_builder_observation(builder, a, s, 1, 1 - seen);
      double pays = s == END ? 0 : a == GO ? (s % 2 ? reward : 1) : a == QUIT ? -0.25 : 0;
      glimpse_builder_reward(builder, a, s, GLIMPSE_ANY, GLIMPSE_ANY, pays);
    }
  glimpse_builder_start(builder, 0, 1 - trap);
  glimpse_builder_start(builder, 1, trap);
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_builder_finish(builder, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(builder);
  return model;
}

/* Bounds of a belief against its value, which is known, within the rounding of some backups. */
static void check_value(const search_case *c, oracle *known, const char *what, gli_bounds bounds, glimpse_row at) {
  oracle_range value = oracle_value(known, at);
  double slack = 8 * gli_graph_slack(c->graph, 0);
  if (precise_below(value.high, bounds.lower - slack))
    search_case_fail(c, what, bounds.lower, precise_value(value.high));
  if (precise_above(value.low, bounds.upper + slack)) search_case_fail(c, what, bounds.upper, precise_value(value.low));
}

/* Returns how many children are linked to a node of another belief. */
static unsigned check_ruin(const search_case *c, oracle *known) {
  gli_graph *graph = c->graph;
  unsigned near = 0;
  for (uint32_t node = 0; node < graph->node_count; node++) {
    gli_node *n = gli_graph_node(graph, node);
    glimpse_row at = gli_graph_belief(graph, n);
    if (n->state == GLI_NONE) check_value(c, known, "a node", (gli_bounds){n->upper, n->lower}, at);
    for (uint32_t a = 0; a < graph->actions; a++) {
      gli_outcome to;
      for (uint32_t i = 0; gli_graph_outcome(graph, node, a, i, &to); i++) {
        if (!gli_maker_follow(graph, at, a, to.label)) continue;
        glimpse_row b = gli_sparse_row(&graph->maker->belief);
        if (b.count == 1) continue;
        check_value(c, known, "a child", gli_graph_bounds_of(graph, &to), b);
        uint32_t behind = gli_graph_behind(graph, to.link);
        if (behind == GLI_NONE) continue;
        double off = naive_distance(gli_graph_belief(graph, gli_graph_node(graph, behind)), b);
        if (off > graph->near + 1e-15 * graph->near) search_case_fail(c, "linked, but far", off, graph->near);
        near += off > 0;
      }
    }
  }
  return near;
}

static void test_ruin(void **state) {
  (void)state;
  static const double aparts[] = {1e-12, 1e-10, 1e-9, 1e-8, 1e-6, 1e-3};
  unsigned near = 0;
  for (unsigned k = 0; k < 96; k++) {
    gli_graph_options options = search_case_options(2 + 9 * (k % SEARCH_CASE_FORMS));
    unsigned quarter = k / 24;
    search_case c;
    search_case_start(
        &c, k,
        ruin(-1e15, k / 12 % 2 ? -aparts[k % 6] : aparts[k % 6], k / 6 % 2 ? 0 : 0.6, 1e-16 * (1 + 2 * quarter)));
    if (k % 4 < 2) search_case_loosen(&c);
    search_case_search(&c, &options, k % 7 == 6);
    oracle *known = oracle_new(c.model, STAGES + 1);
    for (unsigned i = 0; i < 3; i++) {
      search_case_run(&c, 4 << 2 * i);
      near += check_ruin(&c, known);
    }
    if (!c.search->form) { /* what leads to what is freed keeps its slack */
      gli_search_restart(c.search);
      gli_collect(&c.search->pass, true);
      check_ruin(&c, known);
    }
    oracle_free(known);
    search_case_stop(&c);
  }
  if (near < 20) fail_msg("%u links between near beliefs", near);
}

/* Values change with the belief as fast as ruin lets them, and no faster than the slope says. */
static void test_slope(void **state) {
  (void)state;
  for (unsigned k = 0; k < 4; k++) {
    double reward = k % 2 ? -1e15 : -40, scale = -1 / reward, steepest = 0;
    gli_random random = gli_random_stream(k, "merge", 4);
    search_case c;
    search_case_start(&c, k, ruin(reward, 0.5, k / 2 ? 0.6 : 0, scale));
    search_case_search(&c, &(gli_graph_options){.sharing = GLI_SHARE_ALL}, false);
    oracle *known = oracle_new(c.model, STAGES + 1);
    for (unsigned i = 0; i < 200; i++) {
      uint32_t stage = gli_random_below(&random, STAGES), index[] = {2 * stage, 2 * stage + 1};
      double p = 3 * scale * gli_random_unit(&random), q = p + 0.1 * scale * gli_random_unit(&random);
      double one[] = {1 - p, p}, two[] = {1 - q, q};
      glimpse_row x = {2, index, one}, y = {2, index, two};
      double off = gli_merge_distance(x, y), most = c.graph->slope * off + gli_graph_slack(c.graph, 0);
      precise fall = precise_subtract(oracle_value(known, x).low, oracle_value(known, y).high);
      precise rise = precise_subtract(oracle_value(known, y).low, oracle_value(known, x).high);
      double change = fmax(precise_value(fall), precise_value(rise));
      if (change > most) search_case_fail(&c, "values change faster than the slope", change, most);
      if (off > 0) steepest = fmax(steepest, change / off);
    }
    if (steepest < 1e-2 * c.graph->slope) search_case_fail(&c, "nothing was steep", steepest, c.graph->slope);
    oracle_free(known);
    search_case_stop(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_growth), cmocka_unit_test(test_equal),
                                     cmocka_unit_test(test_near),   cmocka_unit_test(test_collision),
                                     cmocka_unit_test(test_search), cmocka_unit_test(test_no_room),
                                     cmocka_unit_test(test_ruin),   cmocka_unit_test(test_slope)};
  return cmocka_run_group_tests_name("merge", tests, NULL, NULL);
}
