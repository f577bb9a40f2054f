/* Store: what is handed out stays what its owner has put there, within the limit. */
#include "graph/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "support/failing_malloc.h"
#include "support/graph_case.h"

enum { BLOCKS = 400, LARGEST = 300 };

typedef struct block {
  uint32_t first, count;
} block;

static graph_case make(uint64_t max_bytes) {
  graph_case c;
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_environment_make("tiger", NULL, &model), GLIMPSE_OK);
  graph_case_start(&c, 0, model);
  c.graph = gli_graph_new(model, graph_case_bounds(&c), &(gli_graph_options){.max_bytes = max_bytes});
  assert_non_null(c.graph);
  return c;
}

static uint32_t take(gli_graph *graph, int kind, uint32_t count, double mark) {
  static uint32_t index[LARGEST];
  static double value[LARGEST];
  for (uint32_t i = 0; i < count; i++) index[i] = i, value[i] = mark;
  uint32_t first = kind == 0   ? gli_store_node(graph)
                   : kind == 1 ? gli_store_children(graph, count)
                               : gli_store_belief(graph, (glimpse_row){count, index, value});
  if (first == GLI_NONE) return GLI_NONE;
  if (kind == 0) memset(gli_graph_node(graph, first), (int)mark & 0xff, graph->node_size);
  for (uint32_t i = 0; i < count && kind == 1; i++) graph->children[first + i] = (gli_child){.upper = mark, .label = i};
  return first;
}

/* What is in a block is what its owner has put there. */
static void check_mine(const gli_graph *graph, int kind, const block *b, double mark) {
  if (kind == 0) {
    const unsigned char *bytes = (const unsigned char *)gli_graph_node(graph, b->first);
    for (size_t i = 0; i < graph->node_size; i++) assert_int_equal(bytes[i], (int)mark & 0xff);
    return;
  }
  glimpse_row belief = kind == 2 ? gli_graph_row(graph, b->first, b->count) : (glimpse_row){0, NULL, NULL};
  for (uint32_t i = 0; i < b->count; i++) {
    assert_true((kind == 1 ? graph->children[b->first + i].upper : belief.value[i]) == mark);
    assert_int_equal(kind == 1 ? graph->children[b->first + i].label : belief.index[i], i);
  }
}

static uint64_t held(const gli_graph *graph) {
  return graph->node_capacity * graph->node_size + graph->child_capacity * sizeof *graph->children +
         graph->belief_capacity * sizeof *graph->beliefs;
}

static void test_blocks(void **state) {
  (void)state;
  static const uint64_t limits[] = {0, 20000, 150000, 1000000};
  for (uint64_t seed = 0; seed < 8; seed++) {
    graph_case c = make(limits[seed % 4]);
    gli_graph *graph = c.graph;
    gli_random random = gli_random_stream(seed, "store", 0);
    static block blocks[3][BLOCKS];
    size_t count[3] = {0}, refused = 0;
    gli_store_mark mark = gli_store_now(graph);
    size_t kept[3] = {0};
    for (int i = 0; i < 2000; i++) {
      int kind = (int)gli_random_below(&random, 3);
      if (count[kind] == BLOCKS) continue;
      block *b = &blocks[kind][count[kind]];
      b->count = 1 + gli_random_below(&random, gli_random_below(&random, 4) ? 20 : LARGEST - 1);
      gli_store_mark before = gli_store_now(graph);
      b->first = take(graph, kind, b->count, (double)count[kind] + 1);
      assert_true(graph->full == (b->first == GLI_NONE));
      graph->full = false;
      if (b->first == GLI_NONE) {
        gli_store_mark now = gli_store_now(graph);
        assert_memory_equal(&before, &now, sizeof now);
        refused++;
      } else {
        count[kind]++;
      }
      assert_true(held(graph) <= graph->quota.bytes);
      assert_true(!graph->quota.limit || graph->quota.bytes <= graph->quota.limit - gli_store_reserve(graph));
      if (i == 700) { /* what comes now is given back later */
        mark = gli_store_now(graph);
        memcpy(kept, count, sizeof kept);
      }
      if (i == 1000) {
        gli_store_back(graph, mark);
        memcpy(count, kept, sizeof kept);
      }
      if (i == 1400) {
        uint64_t bytes = graph->quota.bytes, was = held(graph);
        gli_store_shrink(graph);
        assert_true(held(graph) <= was && bytes - graph->quota.bytes == was - held(graph));
        assert_true(gli_store_used(graph) <= held(graph));
      }
    }
    for (int kind = 0; kind < 3; kind++)
      for (size_t k = 0; k < count[kind]; k++) check_mine(graph, kind, &blocks[kind][k], (double)k + 1);
    assert_true(refused > 0 || !graph->quota.limit || graph->quota.limit == 1000000);
    gli_store_clear(graph);
    assert_true(graph->quota.bytes == 0 && gli_store_used(graph) == 0);
    graph_case_stop(&c);
  }
}

/* What cannot be numbered finds no room, whatever memory there is. */
static void test_extremes(void **state) {
  (void)state;
  graph_case c = make(0);
  c.graph->node_count = GLI_CORNER - 1;
  assert_int_equal(gli_store_node(c.graph), GLI_NONE);
  c.graph->node_count = 0;
  c.graph->child_count = GLI_NONE - 10;
  assert_int_equal(gli_store_children(c.graph, 10), GLI_NONE);
  c.graph->child_count = 0;
  c.graph->belief_count = GLI_NONE - 3;
  assert_int_equal(gli_store_belief(c.graph, glimpse_model_start(c.model)), GLI_NONE);
  c.graph->belief_count = 0;
  assert_true(c.graph->full && c.graph->quota.bytes == 0);
  graph_case_stop(&c);
}

static void test_no_memory(void **state) {
  (void)state;
  graph_case c = make(0);
  failing_malloc_set(1, true);
  assert_int_equal(gli_store_children(c.graph, 10), GLI_NONE);
  assert_int_equal(gli_store_node(c.graph), GLI_NONE);
  assert_int_equal(gli_store_belief(c.graph, glimpse_model_start(c.model)), GLI_NONE);
  failing_malloc_set(0, false);
  assert_true(c.graph->full && gli_store_used(c.graph) == 0 && c.graph->quota.bytes == 0);
  assert_int_not_equal(gli_store_children(c.graph, 10), GLI_NONE);
  assert_int_not_equal(gli_store_node(c.graph), GLI_NONE);
  assert_int_not_equal(gli_store_belief(c.graph, glimpse_model_start(c.model)), GLI_NONE);
  graph_case_stop(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_blocks), cmocka_unit_test(test_extremes),
                                     cmocka_unit_test(test_no_memory)};
  return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
