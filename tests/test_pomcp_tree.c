/* The parts of POMCP: pool, tree and sampler, against naive counts. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "planners/pomcp.h"
#include "support/environment.h"
#include "support/random_model.h"

/* -------------------------------------------------------------------- pool */

static void test_pool(void **state) {
  (void)state;
  enum { SIZE = 24, LIMIT = 10000 };
  gli_quota memory = {.limit = LIMIT};
  gli_pomcp_pool pool;
  gli_pomcp_pool_start(&pool, &memory, SIZE, LIMIT);
  assert_int_equal(memory.bytes, 0);
  uint32_t count = 0, item;
  while ((item = gli_pomcp_pool_take(&pool)) != GLI_POMCP_NONE) {
    assert_int_equal(item, count++);
    *(uint64_t *)gli_pomcp_pool_at(&pool, item) = 7 * (uint64_t)item;
    assert_true(memory.bytes <= LIMIT);
    assert_true(count <= LIMIT / SIZE);
  }
  assert_true(count * SIZE > LIMIT * 3 / 4); /* not much is wasted */
  for (uint32_t i = 0; i < count; i++) assert_int_equal(*(uint64_t *)gli_pomcp_pool_at(&pool, i), 7 * (uint64_t)i);
  uint64_t bytes = memory.bytes;
  gli_pomcp_pool_give(&pool, 3);
  gli_pomcp_pool_give(&pool, 5);
  assert_int_equal(gli_pomcp_pool_take(&pool), 5);
  assert_int_equal(gli_pomcp_pool_take(&pool), 3);
  assert_int_equal(gli_pomcp_pool_take(&pool), GLI_POMCP_NONE);
  gli_pomcp_pool_clear(&pool);
  for (uint32_t i = 0; i < count; i++) assert_int_equal(gli_pomcp_pool_take(&pool), i);
  assert_int_equal(gli_pomcp_pool_take(&pool), GLI_POMCP_NONE);
  assert_int_equal(memory.bytes, bytes);
  gli_pomcp_pool_stop(&pool);
}

/* Two pools share one limit, and each has its own. */
static void test_pool_limits(void **state) {
  (void)state;
  gli_quota memory = {.limit = 4000};
  gli_pomcp_pool small, large;
  gli_pomcp_pool_start(&small, &memory, 8, 1000);
  gli_pomcp_pool_start(&large, &memory, 100, 4000);
  uint32_t smalls = 0, larges = 0;
  while (gli_pomcp_pool_take(&small) != GLI_POMCP_NONE) smalls++;
  assert_in_range(smalls, 60, 125);
  while (gli_pomcp_pool_take(&large) != GLI_POMCP_NONE) larges++;
  assert_in_range(larges, 20, 39 - smalls * 8 / 100);
  assert_true(memory.bytes <= 4000);
  gli_pomcp_pool_stop(&small);
  gli_pomcp_pool_stop(&large);
}

/* -------------------------------------------------------------------- tree */

/* Counts what hangs below a node, the node and its siblings behind it included, and
 * checks what pomcp_tree.c promises. */
typedef struct tally {
  uint64_t nodes, corners, cells, particles;
} tally;

static void count_below(const gli_pomcp_tree *tree, uint32_t node, bool corner, tally *sum) {
  if (node == GLI_POMCP_NONE) return;
  const gli_pomcp_node *at = gli_pomcp_node_at(tree, node);
  assert_int_equal(at->corner, corner);
  sum->nodes++;
  sum->corners += corner;
  uint32_t held = 0;
  for (uint32_t p = at->particles; p != GLI_POMCP_NONE; held++)
    p = ((gli_pomcp_particle *)gli_pomcp_pool_at(&tree->particles, p))->next;
  assert_int_equal(held, at->held);
  sum->particles += held;
  count_below(tree, at->link[0], corner, sum);
  count_below(tree, at->link[1], corner, sum);
  if (at->cells == GLI_POMCP_NONE) return;
  sum->cells++;
  const gli_pomcp_cell *cells = gli_pomcp_cells_at(tree, at->cells);
  for (uint32_t i = 0; i < tree->width; i++) count_below(tree, cells[i].child, i == tree->actions, sum);
}

/* Nothing was lost: what is not in the tree is in the lists of free items. */
static uint64_t free_items(const gli_pomcp_pool *pool) {
  uint64_t count = 0;
  for (uint32_t item = pool->free; item != GLI_POMCP_NONE; count++) item = *(uint32_t *)gli_pomcp_pool_at(pool, item);
  return count;
}

static tally check_tree(const gli_pomcp_tree *tree) {
  tally sum = {0, 0, 0, 0};
  const gli_pomcp_node *root = gli_pomcp_node_at(tree, tree->root);
  assert_int_equal(root->link[0], GLI_POMCP_NONE);
  assert_int_equal(root->link[1], GLI_POMCP_NONE);
  count_below(tree, tree->root, root->corner, &sum);
  assert_int_equal(sum.nodes, tree->node_count);
  assert_int_equal(sum.corners, tree->corner_count);
  assert_int_equal(sum.nodes + free_items(&tree->nodes), tree->nodes.used);
  assert_int_equal(sum.cells + free_items(&tree->cells), tree->cells.used);
  assert_int_equal(sum.particles + free_items(&tree->particles), tree->particles.used);
  return sum;
}

static void test_children(void **state) {
  (void)state;
  enum { KEYS = 5000 };
  glimpse_model *model = environment_make("tiger");
  gli_pomcp_tree tree;
  assert_int_equal(gli_pomcp_tree_start(&tree, model, 10, 1 << 22), GLIMPSE_OK);
  gli_pomcp_node *root = gli_pomcp_node_at(&tree, tree.root);
  assert_true(gli_pomcp_tree_open(&tree, root));
  gli_pomcp_cell *cell = gli_pomcp_cells_at(&tree, root->cells) + 1;
  static uint32_t node[KEYS];
  assert_int_equal(gli_pomcp_tree_favourite(&tree, cell), GLI_POMCP_NONE);
  for (uint32_t i = 0; i < KEYS; i++) {
    uint32_t key = i * 77777777; /* all over 32 bits; an odd factor: no two are the same */
    assert_int_equal(gli_pomcp_tree_find(&tree, cell, key), GLI_POMCP_NONE);
    node[i] = gli_pomcp_tree_child(&tree, cell, key, false);
    assert_true(node[i] != GLI_POMCP_NONE);
    gli_pomcp_node_at(&tree, node[i])->visits = i % 1000;
  }
  for (uint32_t i = 0; i < KEYS; i++) {
    assert_int_equal(gli_pomcp_tree_find(&tree, cell, i * 77777777), node[i]);
    assert_int_equal(gli_pomcp_tree_child(&tree, cell, i * 77777777, false), node[i]);
  }
  uint32_t least = UINT32_MAX; /* of the keys of the five with 999 visits */
  for (uint32_t i = 999; i < KEYS; i += 1000) least = i * 77777777 < least ? i * 77777777 : least;
  assert_int_equal(gli_pomcp_node_at(&tree, gli_pomcp_tree_favourite(&tree, cell))->key, least);
  assert_int_equal(check_tree(&tree).nodes, KEYS + 1);
  gli_pomcp_tree_move(&tree, node[1234]);
  assert_int_equal(tree.root, node[1234]);
  assert_int_equal(check_tree(&tree).nodes, 1);
  gli_pomcp_tree_stop(&tree);
  glimpse_model_free(model);
}

static void test_particles(void **state) {
  (void)state;
  glimpse_model *model = environment_make("tiger");
  gli_pomcp_tree tree;
  assert_int_equal(gli_pomcp_tree_start(&tree, model, 10, 1 << 22), GLIMPSE_OK);
  gli_pomcp_node *root = gli_pomcp_node_at(&tree, tree.root);
  for (uint32_t i = 0; i < 15; i++) gli_pomcp_tree_keep(&tree, root, 100 + i);
  assert_int_equal(root->held, 10); /* enough is enough */
  uint32_t out[10], sum = 0;
  check_tree(&tree);
  assert_int_equal(gli_pomcp_tree_pour(&tree, root, out), 10);
  for (uint32_t i = 0; i < 10; i++) sum += out[i];
  assert_int_equal(sum, 1045);
  assert_int_equal(check_tree(&tree).particles, 0);
  assert_int_equal(gli_pomcp_tree_pour(&tree, root, out), 0);
  gli_pomcp_tree_stop(&tree);
  glimpse_model_free(model);
}

/* Many steps of a planner with little memory: the tree stays whole, and what is left
 * behind is used again. */
static void test_steps(void **state) {
  (void)state;
  enum { MOST_BYTES = 20000 };
  for (uint64_t seed = 1; seed <= 6; seed++) {
    random_shape shape = random_model_shape(seed, 8, 3, 4);
    if (seed % 2) shape.cost = 0.5;
    glimpse_model *model = random_model_make(seed, &shape);
    glimpse_planner_options options = {.kind = GLIMPSE_PLANNER_POMCP, .max_memory = MOST_BYTES, .seed = seed};
    glimpse_planner *planner = NULL;
    assert_int_equal(glimpse_planner_new(model, NULL, &options, NULL, &planner), GLIMPSE_OK);
    const gli_pomcp_tree *tree = &((gli_pomcp *)planner)->tree;
    glimpse_belief *belief = glimpse_belief_new(model);
    gli_random random = gli_random_stream(seed, "test", 0);
    for (int step = 0; step < 12; step++) {
      glimpse_decision decision;
      assert_int_equal(glimpse_planner_plan(planner, &(glimpse_budget){.expansions = 500}, &decision), GLIMPSE_OK);
      check_tree(tree);
      assert_true(decision.bytes <= MOST_BYTES);
      assert_int_equal(decision.nodes, tree->node_count);
      if (decision.ask) {
        uint32_t s = glimpse_belief_row(belief).index[0];
        assert_int_equal(glimpse_planner_reveal(planner, s), GLIMPSE_OK);
        assert_int_equal(glimpse_belief_reveal(belief, s), GLIMPSE_OK);
        check_tree(tree);
      }
      uint32_t o = gli_random_below(&random, glimpse_model_count(model, GLIMPSE_OBSERVATION));
      if (glimpse_belief_update(belief, decision.action, o, NULL)) continue; /* impossible: plan once more */
      assert_int_equal(glimpse_planner_observe(planner, decision.action, o, glimpse_belief_row(belief)), GLIMPSE_OK);
      check_tree(tree);
    }
    glimpse_belief_free(belief);
    glimpse_planner_free(planner);
    glimpse_model_free(model);
  }
}

/* ----------------------------------------------------------------- sampler */

/* Frequencies of each entry of each row within 5 standard deviations. */
static void check_frequencies(const gli_pomcp_sampler *sampler, uint64_t row, uint32_t columns, uint64_t seed) {
  enum { DRAWS = 20000, MOST = 64 };
  assert_true(columns <= MOST);
  uint32_t count[MOST] = {0};
  double expected[MOST] = {0};
  gli_random random = gli_random_stream(seed, "frequencies", row);
  for (int i = 0; i < DRAWS; i++) count[gli_pomcp_sampler_draw(sampler, row, &random)]++;
  glimpse_row entries = gli_table_row(sampler->table, row);
  for (size_t i = 0; i < entries.count; i++) expected[entries.index[i]] = entries.value[i];
  for (uint32_t c = 0; c < columns; c++) {
    double p = expected[c], deviation = sqrt(p * (1 - p) * DRAWS);
    if (fabs(count[c] - p * DRAWS) > 5 * deviation + 1e-6)
      fail_msg("seed %d, row %d: entry %u came %u times of %d, its probability is %f", (int)seed, (int)row, c, count[c],
               DRAWS, p);
  }
}

static void test_sampler(void **state) {
  (void)state;
  static const uint32_t spreads[] = {1, 5, 16, 17, 50};
  for (uint64_t i = 0; i < sizeof spreads / sizeof *spreads; i++) {
    random_shape shape = {.states = 50, .actions = 1, .observations = 3, .spread = spreads[i], .discount = 0.9};
    glimpse_model *model = random_model_make(i, &shape);
    gli_pomcp_sampler sampler;
    assert_true(gli_pomcp_sampler_start(&sampler, &model->transition, 50));
    if (spreads[i] <= 16) assert_null(sampler.sums);
    if (spreads[i] == 50) assert_non_null(sampler.sums);
    for (uint32_t row = 0; row < 50; row += 7) check_frequencies(&sampler, row, 50, i);
    gli_pomcp_sampler_stop(&sampler);
    glimpse_model_free(model);
  }
}

static void test_search(void **state) {
  (void)state;
  static const double sums[] = {0.1, 0.3, 0.6, 0.999999};
  assert_int_equal(gli_pomcp_sampler_search(sums, 4, 0), 0);
  assert_int_equal(gli_pomcp_sampler_search(sums, 4, 0.099), 0);
  assert_int_equal(gli_pomcp_sampler_search(sums, 4, 0.1), 1);
  assert_int_equal(gli_pomcp_sampler_search(sums, 4, 0.59), 2);
  assert_int_equal(gli_pomcp_sampler_search(sums, 4, 0.6), 3);
  assert_int_equal(gli_pomcp_sampler_search(sums, 4, 0.9999999), 3); /* what is lacking falls to the last */
  assert_int_equal(gli_pomcp_sampler_search(sums, 1, 0.5), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pool),      cmocka_unit_test(test_pool_limits), cmocka_unit_test(test_children),
      cmocka_unit_test(test_particles), cmocka_unit_test(test_steps),       cmocka_unit_test(test_sampler),
      cmocka_unit_test(test_search),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
