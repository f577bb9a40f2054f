/* Outlook: its entries against T and O themselves, children by way of it against those made state by
 * state, and lines that are not old against lines added up anew. */
#include "graph/outlook.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/failing_malloc.h"
#include "support/graph_case.h"
#include "support/random_model.h"

enum { SEEDS = 300, PLENTY = 1 << 24 };

/* Random models, sparse enough to have an outlook. */
static void start(graph_case *c, uint64_t seed, const gli_graph_options *options) {
  random_shape shape = random_model_shape(seed, 7, 3, 4);
  for (;; shape.spread = 1 + shape.spread / 2, shape.observations = 1 + shape.observations / 2) {
    graph_case_start(c, seed, random_model_make(seed, &shape));
    graph_case_search(c, options, false);
    if (c->graph->outlook) return;
    assert_true(shape.spread > 1 || shape.observations > 1);
    graph_case_stop(c);
  }
}

static double entry_of(glimpse_row row, uint32_t index) {
  for (size_t i = 0; i < row.count; i++)
    if (row.index[i] == index) return row.value[i];
  return 0;
}

/* The entry of an observation in a row, GLI_NONE when there is none; fails when there are two. */
static uint32_t find(const gli_outlook *outlook, size_t row, uint32_t o) {
  uint32_t found = GLI_NONE;
  for (uint32_t k = outlook->row[row]; k < outlook->row[row + 1]; k++) {
    if (outlook->entry[k].observation != o) continue;
    assert_int_equal(found, GLI_NONE);
    found = k;
  }
  return found;
}

static bool has_source(const gli_outlook *outlook, uint32_t s, size_t row) {
  for (uint32_t k = outlook->way[s]; k < outlook->way[s + 1]; k++)
    if (outlook->source[k] == row) return true;
  return false;
}

/* One entry: where it leads, and the sum that its line is. */
static void check_entry(const graph_case *c, size_t row, uint32_t o) {
  const gli_graph *graph = c->graph;
  size_t base = row - row % graph->states;
  double sum[64] = {0};
  uint32_t count = 0, only = GLI_NONE, k = find(graph->outlook, row, o);
  assert_true(graph->stride <= 64);
  for (uint32_t s2 = 0; s2 < graph->states; s2++) {
    double there = entry_of(gli_table_row(&c->model->transition, row), s2);
    assert_int_equal(has_source(graph->outlook, s2, row), there > 0);
    double weight = there * entry_of(gli_table_row(&c->model->observe, base + s2), o);
    if (weight == 0) continue;
    only = count++ ? GLI_NONE : s2;
    for (uint32_t j = 0; j < graph->stride; j++) sum[j] += weight * graph->table[(size_t)s2 * graph->stride + j];
  }
  assert_int_equal(k != GLI_NONE, count > 0);
  if (k == GLI_NONE) return;
  assert_int_equal(graph->outlook->entry[k].state, only);
  for (uint32_t j = 0; j <= graph->at_one; j++) {
    double line = graph->outlook->lines[(size_t)k * graph->stride + j];
    if (fabs(line - sum[j]) > graph->slack + 1e-15) graph_case_fail(c, "another line", line, sum[j]);
  }
}

static void test_entries(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    graph_case c;
    start(&c, seed, &(gli_graph_options){.sharing = GLI_SHARE_CORNERS});
    gli_outlook *outlook = c.graph->outlook;
    assert_int_equal(outlook->rows, c.graph->actions * c.graph->states);
    for (size_t row = 0; row < outlook->rows; row++) {
      gli_outlook_add_up(c.graph, row);
      assert_false(outlook->old[row]);
      for (uint32_t o = 0; o < c.model->observations; o++) check_entry(&c, row, o);
    }
    graph_case_stop(&c);
  }
}

/* The bounds of all actions of a belief, with the outlook and without. */
static void compare(const graph_case *c, uint32_t node) {
  gli_graph *graph = c->graph;
  for (uint32_t a = 0; a < graph->actions; a++) {
    double upper, lower, plain_upper, plain_lower;
    gli_graph_try(graph, node, a, &upper, &lower);
    gli_outlook *outlook = graph->outlook;
    graph->outlook = NULL;
    gli_graph_try(graph, node, a, &plain_upper, &plain_lower);
    graph->outlook = outlook;
    assert_true(isfinite(upper) && isfinite(lower));
    if (fabs(upper - plain_upper) > graph->slack) graph_case_fail(c, "another U of an action", upper, plain_upper);
    if (fabs(lower - plain_lower) > graph->slack) graph_case_fail(c, "another L of an action", lower, plain_lower);
  }
}

static void test_children(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    graph_case c;
    gli_graph_options options = graph_case_options((unsigned)(seed * 7 % GRAPH_CASE_OPTIONS));
    start(&c, seed, &options);
    for (unsigned i = 0; i < 20 && !gli_search_expand(c.search); i++) continue;
    for (uint32_t node = 0; node < c.graph->expanded_count; node++)
      if (!gli_graph_node(c.graph, node)->dead) compare(&c, node);
    graph_case_stop(&c);
  }
}

/* Whatever a corner has learnt: lines that are not old are those of the table now, to the last bit, and where it
 * has told, all rows that lead there are old.  Adding up is seen by corners, so what they have told is put back. */
static size_t count_fresh(const graph_case *c) {
  const gli_graph *graph = c->graph;
  const gli_outlook *outlook = graph->outlook;
  size_t fresh = 0;
  bool *told = malloc(outlook->states * sizeof *told);
  assert_non_null(told);
  memcpy(told, outlook->told, outlook->states * sizeof *told);
  for (uint32_t s = 0; s < outlook->states; s++)
    for (uint32_t k = outlook->way[s]; told[s] && k < outlook->way[s + 1]; k++)
      if (!outlook->old[outlook->source[k]]) graph_case_fail(c, "a corner has told a row that is not old", s, 0);
  for (size_t row = 0; row < outlook->rows; row++) {
    if (outlook->old[row]) continue;
    size_t first = (size_t)outlook->row[row] * graph->stride;
    size_t bytes = ((size_t)outlook->row[row + 1] * graph->stride - first) * sizeof(double);
    double *before = malloc(bytes);
    assert_non_null(before);
    memcpy(before, outlook->lines + first, bytes);
    gli_outlook_add_up(graph, row);
    if (memcmp(before, outlook->lines + first, bytes) != 0)
      graph_case_fail(c, "a row is old and does not know", (double)row, 0);
    free(before);
    fresh++;
  }
  memcpy(outlook->told, told, outlook->states * sizeof *told);
  free(told);
  return fresh;
}

static void test_news(void **state) {
  (void)state;
  size_t fresh = 0, learnt = 0;
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    graph_case c;
    start(&c, seed, &(gli_graph_options){.sharing = GLI_SHARE_CORNERS, .live = true});
    const gli_graph *graph = c.graph;
    size_t bytes = (size_t)graph->states * graph->stride * sizeof(double);
    for (unsigned i = 0; i < 40 && !gli_search_expand(c.search); i++) fresh += i % 8 ? 0 : count_fresh(&c);
    learnt += memcmp(graph->table, graph->offline, bytes) != 0;
    gli_graph_forget_lowers(c.graph);
    fresh += count_fresh(&c);
    assert_true(gli_search_begin(c.search, glimpse_model_start(c.model), false, true));
    assert_int_equal(count_fresh(&c), 0); /* the table is another */
    graph_case_stop(&c);
  }
  print_message("%zu rows, %zu tables that have learnt\n", fresh, learnt);
  assert_true(fresh > 1000 && learnt > 40);
}

/* A probability so small that products of it are lost: both ways are the same then, for it is one way. */
static void test_faint(void **state) {
  (void)state;
  graph_case c;
  uint64_t seed = 0;
  for (;; seed++) {
    start(&c, seed, &(gli_graph_options){.sharing = GLI_SHARE_CORNERS, .live = true});
    if (c.graph->states > 2 && c.model->observations > 1) break;
    graph_case_stop(&c);
  }
  for (double faint = 1e-250; faint > 0; faint *= 1e-10) {
    glimpse_row belief = {2, (const uint32_t[]){0, c.graph->states - 1}, (const double[]){1, faint}};
    assert_true(gli_search_begin(c.search, belief, false, true));
    assert_int_equal(gli_search_root(c.search, false), GLIMPSE_STOP_NONE);
    graph_case_check(&c, GLI_CHECK_ANY);
    compare(&c, gli_graph_root(c.graph)->link);
  }
  graph_case_stop(&c);
}

static void test_size(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 50; seed++) {
    graph_case c;
    start(&c, seed, &(gli_graph_options){.sharing = GLI_SHARE_CORNERS});
    uint64_t bytes = c.graph->outlook->bytes;
    gli_outlook *outlook;
    long before = failing_malloc_bytes();
    assert_true(gli_outlook_new(c.graph, bytes, &outlook));
    assert_non_null(outlook);
    assert_in_range(failing_malloc_bytes() - before, bytes,
                    bytes + (uint64_t)9 * 32); /* what is held is what is said */
    gli_outlook_free(outlook);
    assert_true(gli_outlook_new(c.graph, bytes - 1, &outlook));
    assert_null(outlook);
    assert_true(gli_outlook_new(c.graph, 0, &outlook));
    assert_null(outlook);
    graph_case_stop(&c);
  }
}

/* Where everything leads everywhere, news of a corner would make all rows old: there is none, however much room. */
static void test_dense(void **state) {
  (void)state;
  random_shape shape = random_model_shape(1, 7, 3, 4);
  shape.states = shape.spread = 12;
  shape.observations = 1;
  graph_case c;
  graph_case_start(&c, 1, random_model_make(1, &shape));
  graph_case_search(&c, &(gli_graph_options){.sharing = GLI_SHARE_CORNERS, .live = true}, false);
  assert_null(c.graph->outlook);
  graph_case_stop(&c);
}

/* Where there is no room for it a search does without. */
static void test_without(void **state) {
  (void)state;
  uint64_t expansions = 0;
  for (uint64_t seed = 0; seed < 50; seed++) {
    graph_case c;
    gli_graph_options options = {.sharing = GLI_SHARE_CORNERS, .live = true};
    start(&c, seed, &options);
    options.max_bytes = 16 * c.graph->outlook->bytes;
    gli_graph *graph = gli_graph_new(c.model, graph_case_bounds(&c), &options);
    assert_true(graph && graph->outlook);
    gli_graph_free(graph);
    options.max_bytes--;
    graph_case_search(&c, &options, false);
    assert_null(c.graph->outlook);
    for (unsigned i = 0; i < 30 && !gli_search_expand(c.search); i++) graph_case_check(&c, GLI_CHECK_ANY);
    expansions += c.graph->expansions;
    graph_case_stop(&c);
  }
  assert_true(expansions > 100);
}

static glimpse_status job(void *context) {
  gli_outlook *outlook;
  if (!gli_outlook_new(((const graph_case *)context)->graph, PLENTY, &outlook)) return GLIMPSE_NO_MEMORY;
  assert_non_null(outlook);
  gli_outlook_free(outlook);
  return GLIMPSE_OK;
}

static void test_no_memory(void **state) {
  (void)state;
  graph_case c;
  start(&c, 3, &(gli_graph_options){.sharing = GLI_SHARE_CORNERS});
  assert_true(failing_malloc_sweep(job, &c) > 8);
  graph_case_stop(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_entries), cmocka_unit_test(test_children),
                                     cmocka_unit_test(test_news),    cmocka_unit_test(test_faint),
                                     cmocka_unit_test(test_size),    cmocka_unit_test(test_dense),
                                     cmocka_unit_test(test_without), cmocka_unit_test(test_no_memory)};
  return cmocka_run_group_tests_name("outlook", tests, NULL, NULL);
}
