/* Share: with sharing `all`, no belief is there twice; with the others, none but
 * corners is shared. */
#include "graph/share.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/graph_case.h"
#include "support/random_model.h"

typedef struct listed {
  uint32_t count;
  uint32_t state[8];
  double mass[8];
} listed;

typedef struct census {
  listed *beliefs;
  size_t count, capacity;
} census;

static void enter(census *all, glimpse_row belief) {
  assert_true(belief.count <= 8);
  if (all->count == all->capacity) {
    all->capacity = all->capacity ? 2 * all->capacity : 256;
    all->beliefs = realloc(all->beliefs, all->capacity * sizeof *all->beliefs);
    assert_non_null(all->beliefs);
  }
  listed *one = &all->beliefs[all->count++];
  memset(one, 0, sizeof *one);
  one->count = (uint32_t)belief.count;
  for (size_t i = 0; i < belief.count; i++) one->state[i] = belief.index[i], one->mass[i] = belief.value[i];
}

static int compare(const void *a, const void *b) {
  return memcmp(a, b, sizeof(listed));
}

/* Every belief that is not certain and stands for itself: expanded, fringe or root. */
static census count_all(const graph_case *c) {
  const gli_graph *graph = c->graph;
  census all = {0};
  gli_belief_work *work = gli_belief_work_new(c->model);
  gli_sparse belief = {0};
  assert_non_null(work);
  for (uint32_t x = 0; x < graph->origin_count; x++) {
    const gli_origin *origin = &graph->origins[x];
    if (origin->record != GLI_NONE && origin->belief != GLI_NONE)
      enter(&all, gli_graph_row(graph, origin->belief, origin->support));
  }
  for (uint32_t node = 0; node < graph->expanded_count; node++) {
    const gli_expanded *e = gli_graph_node(graph, node);
    if (e->dead) continue;
    if (e->support > 1) enter(&all, gli_graph_belief(graph, e));
    for (uint32_t a = 0; a < graph->actions; a++) {
      uint32_t end, i = gli_graph_children(graph, node, a, &end);
      for (; i < end; i++) {
        double p;
        if (graph->records[i].link != GLI_NONE) continue;
        assert_true(gli_belief_child(work, gli_graph_belief(graph, e), a, graph->records[i].label, &p, &belief));
        if (belief.count > 1) enter(&all, gli_sparse_row(&belief));
      }
    }
  }
  gli_belief_work_free(work);
  gli_sparse_free(&belief);
  if (all.count) qsort(all.beliefs, all.count, sizeof *all.beliefs, compare);
  return all;
}

static size_t twice(const census *all) {
  size_t count = 0;
  for (size_t i = 1; i < all->count; i++) count += !compare(&all->beliefs[i - 1], &all->beliefs[i]);
  return count;
}

static void test_no_belief_twice(void **state) {
  (void)state;
  size_t shared = 0, repeated = 0;
  for (uint64_t seed = 0; seed < 800; seed++) {
    random_shape shape = random_model_shape(seed, 4, 3, 2);
    graph_case c;
    graph_case_start(&c, seed, random_model_make(seed, &shape));
    gli_graph_options options = {
        .sharing = seed % 4 ? GLI_SHARE_ALL : GLI_SHARE_CORNERS, .eager = seed % 3 == 0, .live = seed % 2};
    graph_case_search(&c, &options, seed % 8 >= 5);
    for (unsigned i = 0; i < 25 && !gli_search_expand(c.search); i++) graph_case_check(&c, GLI_CHECK_ANY);
    census all = count_all(&c);
    if (options.sharing == GLI_SHARE_ALL && twice(&all))
      graph_case_fail(&c, "beliefs that are there twice", (double)twice(&all), 0);
    if (options.sharing != GLI_SHARE_ALL) repeated += twice(&all);
    for (uint32_t x = 0; x < c.graph->origin_count; x++)
      shared += x != c.graph->root && c.graph->origins[x].record != GLI_NONE && c.graph->origins[x].state == GLI_NONE;
    if (options.sharing != GLI_SHARE_ALL) assert_true(c.graph->origin_count <= c.graph->corners + 1);
    free(all.beliefs);
    graph_case_stop(&c);
  }
  assert_true(shared > 100 && repeated > 100); /* there was something to share */
}

/* To listen and to hear left, then right, is to have heard nothing: with equal beliefs
 * shared, the whole of a horizon of n steps has about 2n+1 beliefs. */
static void test_tiger(void **state) {
  (void)state;
  graph_case c;
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_environment_make("tiger:c=0", NULL, &model), GLIMPSE_OK);
  graph_case_start(&c, 0, model);
  size_t live[2];
  for (int k = 0; k < 2; k++) {
    graph_case_search(&c, &(gli_graph_options){.sharing = k ? GLI_SHARE_ALL : GLI_SHARE_CORNERS}, false);
    while (c.graph->expansions < 200 && !gli_search_expand(c.search)) {
    }
    graph_case_check(&c, GLI_CHECK_ANY);
    live[k] = c.graph->expanded_live;
  }
  const gli_record *root = gli_graph_root(c.graph);
  assert_true(root->upper - root->lower < 1e-6 && fabs(root->upper - 19.371368) < 1e-5);
  assert_true(live[1] < 60 && live[0] == 200);
  graph_case_stop(&c);
}

/* Near the memory limit beliefs are forgotten, and the table with them. */
static void test_pruned(void **state) {
  (void)state;
  uint64_t dropped = 0;
  for (uint64_t seed = 0; seed < 100; seed++) {
    random_shape shape = random_model_shape(seed, 5, 3, 3);
    graph_case c;
    graph_case_start(&c, seed, random_model_make(seed, &shape));
    graph_case_search(&c, &(gli_graph_options){.sharing = GLI_SHARE_ALL, .live = true, .max_bytes = 20000 + 500 * seed},
                      false);
    for (unsigned i = 0; i < 300 && !gli_search_expand(c.search); i++)
      if (i % 10 == 0) graph_case_check(&c, GLI_CHECK_ANY);
    graph_case_check(&c, GLI_CHECK_ANY);
    dropped += c.search->dropped;
    graph_case_stop(&c);
  }
  assert_true(dropped > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_belief_twice), cmocka_unit_test(test_tiger),
                                     cmocka_unit_test(test_pruned)};
  return cmocka_run_group_tests_name("share", tests, NULL, NULL);
}
