/* Store: blocks handed out and taken back at random, against a plain record of who
 * has what. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "support/failing_malloc.h"
#include "support/graph_case.h"

enum { BLOCKS = 60, LARGEST = 3000 };

typedef struct block {
  uint32_t first, count;
  double mark;
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

static uint32_t some_size(gli_random *random) {
  switch (gli_random_below(random, 4)) {
    case 0: return 1 + gli_random_below(random, 4);
    case 1: return 1 + gli_random_below(random, 40);
    case 2: return 200 + gli_random_below(random, 120); /* about the last exact size */
    default: return 1 + gli_random_below(random, LARGEST);
  }
}

/* What is in a block is what its owner has put there. */
static void check_mine(const gli_graph *graph, const block *b, bool records) {
  glimpse_row belief = {0};
  if (!records) belief = gli_graph_row(graph, b->first, b->count);
  for (uint32_t i = 0; i < b->count; i++) {
    assert_true((records ? graph->records[b->first + i].upper : belief.value[i]) == b->mark);
    if (!records) assert_int_equal(belief.index[i], i);
  }
}

static void test_blocks(void **state) {
  (void)state;
  static uint32_t index[LARGEST];
  static double value[LARGEST];
  for (int records = 0; records < 2; records++)
    for (uint64_t seed = 0; seed < 6; seed++) {
      graph_case c = make(seed % 2 == 0 ? 0 : records ? 1000000 : 200000);
      gli_graph *graph = c.graph;
      gli_random random = gli_random_stream(seed, "store", 0);
      block blocks[BLOCKS] = {{0, 0, 0}};
      size_t live = 0, refused = 0, peak = 0;
      for (int i = 0; i < 3000; i++) {
        block *b = &blocks[gli_random_below(&random, BLOCKS)];
        if (b->count) {
          check_mine(graph, b, records);
          if (records) gli_store_free_records(graph, b->first, b->count);
          else gli_store_free_belief(graph, b->first, b->count);
          live -= b->count;
          b->count = 0;
        } else {
          uint32_t count = some_size(&random);
          for (uint32_t k = 0; k < count; k++) value[k] = i + 1, index[k] = k;
          uint32_t first =
              records ? gli_store_records(graph, count) : gli_store_belief(graph, (glimpse_row){count, index, value});
          assert_true(graph->full == (first == GLI_NONE));
          graph->full = false;
          if (first == GLI_NONE) {
            refused++;
            continue;
          }
          *b = (block){first, count, i + 1};
          live += count;
          for (uint32_t k = 0; records && k < count; k++) graph->records[first + k].upper = i + 1;
        }
        if (live > peak) peak = live;
        if (records) assert_int_equal(graph->records_live, live);
        assert_true(!graph->options.max_bytes || graph->quota.bytes <= graph->options.max_bytes);
      }
      for (int k = 0; k < BLOCKS; k++) check_mine(graph, &blocks[k], records);
      assert_true((refused > 0) == (graph->options.max_bytes > 0));
      assert_true((records ? graph->record_count : graph->belief_count * 2 / 3) <= 4 * peak + 4 * LARGEST);
      graph_case_stop(&c);
    }
}

/* Any size has a list whose blocks are at least as large, and not by much. */
static void test_sizes(void **state) {
  (void)state;
  for (uint32_t count = 1; count < 200000; count += 1 + count / 50) {
    uint32_t size = gli_store_size(count);
    assert_true(size >= count && size <= count + count / 8 + 1);
    assert_int_equal(gli_store_size(size), size);
    uint32_t class = 0;
    while (gli_store_class_size(class) != size) {
      class ++;
      assert_true(gli_store_class_size(class) > 0);
    }
  }
  assert_int_equal(gli_store_class_size(100000), 0);
}

/* Nothing takes no room, and what cannot be numbered finds none. */
static void test_extremes(void **state) {
  (void)state;
  graph_case c = make(0);
  assert_int_equal(gli_store_records(c.graph, 0), 0);
  gli_store_free_records(c.graph, 0, 0);
  gli_store_free_belief(c.graph, 0, 0);
  assert_true(c.graph->records_live == 0 && c.graph->record_count == 0 && c.graph->quota.bytes == 0);
  assert_int_equal(gli_store_records(c.graph, GLI_ALIAS - 1), GLI_NONE);
  assert_true(c.graph->full && c.graph->quota.bytes == 0);
  graph_case_stop(&c);
}

static void test_no_memory(void **state) {
  (void)state;
  graph_case c = make(0);
  failing_malloc_set(1, true);
  assert_int_equal(gli_store_records(c.graph, 10), GLI_NONE);
  assert_int_equal(gli_store_expanded(c.graph), GLI_NONE);
  assert_int_equal(gli_store_origin(c.graph), GLI_NONE);
  assert_int_equal(gli_store_belief(c.graph, glimpse_model_start(c.model)), GLI_NONE);
  failing_malloc_set(0, false);
  assert_true(c.graph->full && c.graph->records_live == 0 && c.graph->expanded_live == 0 && c.graph->quota.bytes == 0);
  assert_int_not_equal(gli_store_records(c.graph, 10), GLI_NONE);
  assert_int_not_equal(gli_store_expanded(c.graph), GLI_NONE);
  assert_int_not_equal(gli_store_origin(c.graph), GLI_NONE);
  assert_int_not_equal(gli_store_belief(c.graph, glimpse_model_start(c.model)), GLI_NONE);
  graph_case_stop(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_blocks), cmocka_unit_test(test_sizes),
                                     cmocka_unit_test(test_extremes), cmocka_unit_test(test_no_memory)};
  return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
