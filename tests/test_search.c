/* Search: where it begins, moves and ends when there is no room, no time or no graph
 * that is kept. */
#include "graph/search.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/graph_case.h"

static void start(graph_case *c, const char *spec, gli_graph_options options, bool plain) {
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_environment_make(spec, NULL, &model), GLIMPSE_OK);
  graph_case_start(c, 0, model);
  graph_case_search(c, &options, plain);
}

static void expand(graph_case *c, int count) {
  for (int i = 0; i < count; i++) assert_int_equal(gli_search_expand(c->search), GLIMPSE_STOP_NONE);
}

/* The root is fringe, and has the bounds of this belief without any search. */
static void check_fresh(const graph_case *c, glimpse_row belief) {
  const gli_record *root = gli_graph_root(c->graph);
  double upper, lower;
  gli_graph_evaluate(c->graph, belief, &upper, &lower);
  assert_int_equal(root->link, GLI_NONE);
  assert_true(root->upper == upper && root->lower == lower);
}

/* The same for a known state, which where corners are shared is the corner itself. */
static void check_told(const graph_case *c, uint32_t s) {
  double one = 1;
  if (!gli_graph_shares(c->graph)) {
    check_fresh(c, (glimpse_row){1, &s, &one});
    return;
  }
  const gli_record *root = gli_graph_root(c->graph);
  assert_int_equal(c->graph->origins[c->graph->root].state, s);
  assert_true(root->upper == c->graph->known[s].upper && root->lower == c->graph->known[s].lower);
}

/* The plain form keeps nothing: each move is a beginning. */
static void test_plain(void **state) {
  (void)state;
  for (int sharing = GLI_SHARE_NONE; sharing <= GLI_SHARE_ALL; sharing++) {
    graph_case c;
    start(&c, "robot-delivery:n=2", (gli_graph_options){.sharing = (gli_sharing)sharing}, true);
    expand(&c, 5);
    assert_false(gli_search_unsettled(c.search));
    uint32_t both[2] = {0, 1};
    double mass[2] = {0.85, 0.15};
    glimpse_row belief = {2, both, mass};
    assert_true(gli_search_move(c.search, 0, 0, belief));
    check_fresh(&c, belief);
    assert_int_equal(c.graph->expanded_live, 0);
    expand(&c, 5);
    assert_true(gli_search_reveal(c.search, 1));
    check_told(&c, 1);
    assert_true(gli_search_begin(c.search, belief, true, false)); /* keeping is not possible */
    check_fresh(&c, belief);
    graph_case_stop(&c);
  }
}

/* Told before anything has begun. */
static void test_reveal_first(void **state) {
  (void)state;
  for (int plain = 0; plain < 2; plain++)
    for (int sharing = GLI_SHARE_NONE; sharing <= GLI_SHARE_ALL; sharing++) {
      graph_case c;
      start(&c, "tiger:c=1", (gli_graph_options){.sharing = (gli_sharing)sharing}, plain);
      gli_graph_clear(c.graph, true);
      if (c.search->walk) gli_walk_clear(c.search->walk);
      assert_int_equal(c.graph->root, GLI_NONE);
      assert_true(gli_search_reveal(c.search, 1));
      check_told(&c, 1);
      assert_false(gli_search_decided(c.graph)); /* nothing is known of its choices */
      gli_search_refresh(c.search);              /* and there is nothing to look at */
      check_told(&c, 1);
      assert_int_equal(gli_search_root(c.search, false), GLIMPSE_STOP_NONE);
      assert_int_not_equal(gli_graph_root(c.graph)->link, GLI_NONE);
      graph_case_stop(&c);
    }
}

/* In a hurry no room is made; it is made at the next move, whatever that takes. */
static void test_crowded(void **state) {
  (void)state;
  graph_case c;
  start(&c, "robot-delivery:n=3", (gli_graph_options){.sharing = GLI_SHARE_CORNERS, .live = true, .max_bytes = 60000},
        false);
  assert_int_equal(gli_search_root(c.search, true), GLIMPSE_STOP_NONE);
  c.search->deadline = 1e-9; /* long ago */
  glimpse_stop stop = GLIMPSE_STOP_NONE;
  for (int i = 0; i < 100000 && !stop; i++) stop = gli_search_expand(c.search);
  assert_int_equal(stop, GLIMPSE_STOP_MEMORY);
  assert_true(c.search->crowded && c.search->dropped == 0 && c.graph->full);
  c.search->deadline = INFINITY;
  size_t before = c.graph->expanded_live;
  gli_expanded *e = gli_graph_node(c.graph, gli_graph_root(c.graph)->link);
  uint32_t action = 0, end, child;
  while (!gli_graph_groups(c.graph, e)[action].count) action++;
  child = gli_graph_children(c.graph, gli_graph_root(c.graph)->link, action, &end);
  gli_belief_work *work = gli_belief_work_new(c.model);
  gli_sparse next = {0};
  double probability;
  assert_non_null(work);
  uint32_t label = c.graph->records[child].label;
  assert_true(gli_belief_child(work, gli_graph_belief(c.graph, e), action, label, &probability, &next));
  assert_true(gli_search_move(c.search, action, label, gli_sparse_row(&next)));
  assert_false(c.search->crowded);
  assert_true(c.search->dropped > 0 && c.graph->expanded_live < before);
  assert_true(c.graph->quota.bytes <= 60000);
  graph_case_check(&c, GLI_CHECK_ANY);
  assert_int_equal(gli_search_root(c.search, false), GLIMPSE_STOP_NONE);
  expand(&c, 3); /* there is room again */
  gli_sparse_free(&next);
  gli_belief_work_free(work);
  graph_case_stop(&c);
}

/* The store may grow no more; a quarter is kept for other things. */
static void limit_to_what_is_held(gli_graph *graph) {
  graph->quota.limit = graph->quota.bytes + graph->quota.bytes / 3 + 1;
}

/* Corners are made until there is no room for one more: then the graph is given up, and
 * the state that was told is the root all the same. */
static void test_corners_fill_the_store(void **state) {
  (void)state;
  for (int plain = 0; plain < 2; plain++) {
    graph_case c;
    start(&c, "robot-delivery:n=5", (gli_graph_options){.sharing = GLI_SHARE_CORNERS}, plain);
    limit_to_what_is_held(c.graph);
    bool emptied = false;
    for (uint32_t s = 0; s < c.graph->states; s++) {
      size_t before = c.graph->corners;
      assert_true(gli_search_reveal(c.search, s));
      assert_int_equal(c.graph->origins[c.graph->root].state, s);
      emptied |= c.graph->corners < before;
      assert_true(c.graph->quota.bytes <= c.graph->quota.limit);
      graph_case_check(&c, GLI_CHECK_ANY);
    }
    assert_true(emptied);
    graph_case_stop(&c);
  }
}

/* A root for which there is no room even in an empty graph, known or not, in a hurry or
 * not; and one for which there is room once all else is gone. */
static void test_no_room_for_the_root(void **state) {
  (void)state;
  for (int i = 0; i < 8; i++) {
    bool hurry = i & 1, known = i & 2, plain = i & 4;
    graph_case c;
    start(&c, "robot-delivery:n=3", (gli_graph_options){.sharing = GLI_SHARE_CORNERS}, plain);
    if (known) assert_true(gli_search_reveal(c.search, 5));
    limit_to_what_is_held(c.graph); /* and no expanded belief has been made yet */
    assert_int_equal(gli_search_root(c.search, hurry), GLIMPSE_STOP_MEMORY);
    assert_int_equal(gli_graph_root(c.graph)->link, GLI_NONE);
    if (known) assert_int_equal(c.graph->origins[c.graph->root].state, 5);
    graph_case_check(&c, GLI_CHECK_ANY);
    glimpse_row belief = glimpse_model_start(c.model);
    if (!known) check_fresh(&c, belief);
    c.graph->quota.limit = 0;
    assert_int_equal(gli_search_root(c.search, hurry), GLIMPSE_STOP_NONE);
    assert_int_not_equal(gli_graph_root(c.graph)->link, GLI_NONE);
    graph_case_stop(&c);
  }
}

/* The graph is full, and the root is known but not expanded. */
static void test_full_and_told(void **state) {
  (void)state;
  for (int i = 0; i < 4; i++) {
    bool hurry = i & 1, plain = i & 2;
    graph_case c;
    start(&c, "robot-delivery:n=3", (gli_graph_options){.sharing = GLI_SHARE_CORNERS, .max_bytes = 40000}, plain);
    assert_int_equal(gli_search_root(c.search, hurry), GLIMPSE_STOP_NONE);
    glimpse_stop stop = GLIMPSE_STOP_NONE;
    for (int k = 0; k < 3000 && !stop; k++) stop = gli_search_expand(c.search);
    uint32_t s = c.graph->states - 1;
    assert_true(gli_search_reveal(c.search, s));
    assert_int_equal(gli_search_root(c.search, hurry), GLIMPSE_STOP_NONE);
    assert_int_equal(c.graph->origins[c.graph->root].state, s);
    assert_int_not_equal(gli_graph_root(c.graph)->link, GLI_NONE);
    assert_true(c.graph->quota.bytes <= 40000);
    graph_case_check(&c, GLI_CHECK_ANY);
    graph_case_stop(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_plain),
      cmocka_unit_test(test_reveal_first),
      cmocka_unit_test(test_crowded),
      cmocka_unit_test(test_corners_fill_the_store),
      cmocka_unit_test(test_no_room_for_the_root),
      cmocka_unit_test(test_full_and_told),
  };
  return cmocka_run_group_tests_name("search", tests, NULL, NULL);
}
