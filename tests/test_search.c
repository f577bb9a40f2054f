/* Search: where it begins, moves and ends when there is no room, no time or no graph that is kept.
 * Covers src/graph/room.c. */
#include "graph/search.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "graph/backup.h"
#include "graph/expand.h"
#include "graph/store.h"
#include "support/environment.h"
#include "support/graph_case.h"
#include "support/random_model.h"

static const gli_graph_options usual = {
    .sharing = GLI_SHARE_ALL, .live = true, .learn_vectors = true, .learn_points = true};

static void start(graph_case *c, const char *spec, gli_graph_options options, bool plain) {
  graph_case_start(c, 0, environment_make(spec));
  graph_case_search(c, &options, plain);
}

static gli_node *root_of(const graph_case *c) {
  return gli_graph_node(c->graph, c->graph->root);
}

/* The root is new, alone, and has the bounds of this belief without any search. */
static void check_fresh(const graph_case *c, glimpse_row belief) {
  gli_node *root = root_of(c);
  gli_bounds bounds = gli_expand_judge(c->graph, belief);
  assert_int_equal(c->graph->node_count, 1);
  assert_int_equal(root->greedy, GLI_NONE);
  assert_true(root->upper <= bounds.upper && root->upper >= bounds.upper - 1e-9);
  assert_true(root->lower >= bounds.lower && root->lower <= bounds.lower + 1e-9);
}

/* The root is certain of a state, and where corners are shared it is the corner itself. */
static void check_told(const graph_case *c, uint32_t s) {
  gli_node *root = root_of(c);
  glimpse_row belief = gli_graph_belief(c->graph, root);
  assert_true(belief.count == 1 && belief.index[0] == s && belief.value[0] == 1);
  assert_int_equal(root->state, gli_graph_shares(c->graph) ? s : GLI_NONE);
  double slack = gli_graph_shares(c->graph) ? 0 : 1e-9; /* one of its own is judged anew */
  assert_true(root->upper <= c->graph->corner[s].upper + slack && root->lower >= c->graph->corner[s].lower - slack);
}

/* The plain form keeps its graph within a step only. */
static void test_plain(void **state) {
  (void)state;
  for (int sharing = GLI_SHARE_NONE; sharing <= GLI_SHARE_ALL; sharing++) {
    graph_case c;
    start(&c, "robot-delivery:n=2", (gli_graph_options){.sharing = (gli_sharing)sharing}, true);
    assert_int_equal(graph_case_expand(&c, 5), GLIMPSE_STOP_NONE);
    uint32_t both[2] = {0, 1};
    double mass[2] = {0.85, 0.15};
    glimpse_row belief = {2, both, mass};
    assert_true(gli_search_move(c.search, 0, 0, belief));
    check_fresh(&c, belief);
    assert_int_equal(graph_case_expand(&c, 5), GLIMPSE_STOP_NONE);
    size_t before = c.graph->node_count;
    assert_true(gli_search_reveal(c.search, 1));
    check_told(&c, 1);
    assert_true(gli_graph_shares(c.graph) ? c.graph->node_count >= before : c.graph->node_count == 1);
    assert_int_equal(graph_case_expand(&c, 5), GLIMPSE_STOP_NONE);
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
      gli_pass_clear(&c.search->pass);
      assert_int_equal(c.graph->root, GLI_NONE);
      assert_true(gli_search_reveal(c.search, 1));
      check_told(&c, 1);
      assert_int_equal(gli_search_root(c.search), GLIMPSE_STOP_NONE);
      assert_int_not_equal(root_of(&c)->greedy, GLI_NONE);
      graph_case_check(&c, GLI_CHECK_ANY);
      graph_case_stop(&c);
    }
}

/* The root's choices are all opened, once, by the first run; that is one expansion. */
static void test_root(void **state) {
  (void)state;
  graph_case c;
  start(&c, "robot-delivery:n=3", usual, false);
  assert_int_equal(gli_search_root(c.search), GLIMPSE_STOP_NONE);
  assert_int_equal(c.graph->expansions, 1);
  for (uint32_t a = 0; a < c.graph->actions; a++) assert_true(gli_node_opened(c.graph, root_of(&c), a));
  size_t children = c.graph->child_count;
  assert_int_equal(gli_search_root(c.search), GLIMPSE_STOP_NONE);
  assert_true(c.graph->expansions == 1 && c.graph->child_count == children);
  graph_case_stop(&c);
}

/* Room is made in the middle of a pass: what it had met is gone, so the next begins at the root. */
static void test_room_in_a_pass(void **state) {
  (void)state;
  graph_case c;
  bool met[GLI_PHASE_LEARN + 1] = {false};
  start(&c, "robot-delivery:n=3", usual, false);
  assert_int_equal(gli_search_root(c.search), GLIMPSE_STOP_NONE);
  for (int i = 0; i < 60; i++) {
    for (int k = 0; k <= 3 * i; k++) assert_int_equal(gli_search_step(c.search), GLIMPSE_STOP_NONE);
    met[c.search->phase] = true;
    c.search->wait = c.search->futile = 0;
    gli_search_make_room(c.search);
    assert_true(c.search->phase == GLI_PHASE_SELECT && !c.search->begun);
    assert_true(c.search->growing == GLI_NONE && c.search->telling == GLI_NONE);
    graph_case_check(&c, GLI_CHECK_ANY);
  }
  assert_true(met[GLI_PHASE_SELECT] && met[GLI_PHASE_EXPAND] && met[GLI_PHASE_BACKUP]);
  graph_case_stop(&c);
}

/* Another beginning: with the graph, with what the bounds have learnt, or as if nothing had been. */
static void test_begin(void **state) {
  (void)state;
  for (int restore = 0; restore < 2; restore++)
    for (int keep = 0; keep < 2; keep++) {
      graph_case c;
      start(&c, "robot-delivery:n=3", usual, false);
      graph_case_expand(&c, 300);
      size_t nodes = c.graph->node_count, line = (size_t)c.graph->states * c.graph->stride;
      double upper = root_of(&c)->upper, lower = root_of(&c)->lower;
      assert_true(memcmp(c.graph->table, c.graph->offline, line * sizeof(double)) != 0);
      assert_true(gli_search_begin(c.search, glimpse_model_start(c.model), keep, restore));
      if (keep) {
        assert_true(c.graph->node_count == nodes && root_of(&c)->upper == upper && root_of(&c)->lower == lower);
      } else {
        check_fresh(&c, glimpse_model_start(c.model));
        bool as_new = memcmp(c.graph->table, c.graph->offline, line * sizeof(double)) == 0;
        assert_int_equal(as_new, restore);
      }
      graph_case_check(&c, GLI_CHECK_ANY);
      graph_case_stop(&c);
    }
}

/* Moves to the likeliest child of the root's greedy action. */
static void move_on(graph_case *c) {
  gli_graph *graph = c->graph;
  uint32_t action = root_of(c)->greedy, best = GLI_NONE;
  for (uint32_t a = 0; action >= graph->actions; a++)
    if (gli_node_opened(graph, root_of(c), a)) action = a;
  gli_group group = gli_node_groups(graph, root_of(c))[action];
  for (uint32_t i = group.first; i < group.first + group.count; i++)
    if (best == GLI_NONE || graph->children[i].probability > graph->children[best].probability) best = i;
  uint32_t label = graph->children[best].label;
  gli_belief_work *work = gli_belief_work_new(c->model);
  gli_sparse next = {0};
  double probability;
  assert_non_null(work);
  assert_true(gli_belief_child(work, gli_graph_belief(graph, root_of(c)), action, label, &probability, &next));
  assert_true(gli_search_move(c->search, action, label, gli_sparse_row(&next)));
  gli_sparse_free(&next);
  gli_belief_work_free(work);
}

/* In a hurry no room is made; it is made at the next move, whatever that takes. */
static void test_crowded(void **state) {
  (void)state;
  graph_case c;
  start(&c, "robot-delivery:n=3", (gli_graph_options){.sharing = GLI_SHARE_CORNERS, .live = true, .max_bytes = 150000},
        false);
  assert_int_equal(gli_search_root(c.search), GLIMPSE_STOP_NONE);
  c.search->deadline = 1e-9; /* long ago */
  glimpse_stop stop = GLIMPSE_STOP_NONE;
  for (int i = 0; i < 100000 && !stop; i++) stop = gli_search_step(c.search);
  assert_int_equal(stop, GLIMPSE_STOP_MEMORY);
  assert_true(c.search->crowded && c.search->dropped == 0 && c.graph->full);
  graph_case_check(&c, GLI_CHECK_ANY);
  c.search->deadline = INFINITY;
  size_t before = c.graph->node_count;
  move_on(&c);
  assert_false(c.search->crowded);
  assert_true(c.search->dropped > 0 && c.graph->node_count < before && c.graph->quota.bytes <= 150000);
  graph_case_check(&c, GLI_CHECK_ANY);
  assert_int_equal(graph_case_expand(&c, 10), GLIMPSE_STOP_NONE); /* there is room again */
  graph_case_check(&c, GLI_CHECK_ANY);
  graph_case_stop(&c);
}

/* Runs that are too short to make room save up for it, at the same root. */
static void test_saved(void **state) {
  (void)state;
  graph_case c;
  start(&c, "robot-delivery:n=3", (gli_graph_options){.sharing = GLI_SHARE_CORNERS, .live = true, .max_bytes = 150000},
        false);
  assert_int_equal(gli_search_root(c.search), GLIMPSE_STOP_NONE);
  glimpse_budget brief = {.time = 1e-7};
  glimpse_stop stop = GLIMPSE_STOP_NONE;
  c.search->deadline = 1e-9; /* long ago */
  for (int i = 0; i < 100000 && !stop; i++) stop = gli_search_step(c.search);
  assert_true(c.search->crowded && c.search->saved == 0); /* nothing was left of a run that was over */
  c.search->saved = 1;                                    /* as if many had been */
  (void)gli_search_run(c.search, &brief, gli_clock_now());
  assert_true(c.search->dropped > 0 && !c.search->crowded && c.search->saved == 0);
  graph_case_check(&c, GLI_CHECK_ANY);
  graph_case_stop(&c);
}

/* The store may grow no more. */
static void limit_to_what_is_held(gli_graph *graph) {
  graph->quota.limit = graph->quota.bytes + graph->quota.bytes / 7 + 1;
}

/* Corners are made until there is no room for one more: then the graph is given up, and the state that was told is the
 * root all the same. */
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
      check_told(&c, s);
      emptied |= c.graph->corners < before;
      graph_case_check(&c, GLI_CHECK_ANY);
    }
    assert_true(emptied);
    graph_case_stop(&c);
  }
}

/* A root whose choices there is no room to open: it is there, with the bounds of vectors, and decides. */
static void test_no_room_for_the_root(void **state) {
  (void)state;
  for (int i = 0; i < 4; i++) {
    bool known = i & 1, plain = i & 2;
    graph_case c;
    start(&c, "robot-delivery:n=3", (gli_graph_options){.sharing = GLI_SHARE_CORNERS}, plain);
    if (known) assert_true(gli_search_reveal(c.search, 5));
    limit_to_what_is_held(c.graph);
    assert_int_equal(gli_search_root(c.search), GLIMPSE_STOP_MEMORY);
    if (known) check_told(&c, 5);
    assert_true(gli_backup_decide(c.graph, c.graph->root) <= c.graph->actions);
    graph_case_check(&c, GLI_CHECK_ANY);
    c.graph->quota.limit = 0;
    if (plain) assert_true(gli_search_begin(c.search, glimpse_model_start(c.model), false, true));
    assert_int_equal(gli_search_root(c.search), GLIMPSE_STOP_NONE);
    assert_true(gli_node_opened(c.graph, root_of(&c), root_of(&c)->greedy));
    graph_case_check(&c, GLI_CHECK_ANY);
    graph_case_stop(&c);
  }
}

/* The graph is full, and the root is known but not opened: room is made, or the graph given up. */
static void test_full_and_told(void **state) {
  (void)state;
  for (int i = 0; i < 6; i++) {
    bool plain = i & 1;
    graph_case c;
    start(&c, "robot-delivery:n=3", (gli_graph_options){.sharing = (gli_sharing)(i / 2), .max_bytes = 60000}, plain);
    glimpse_stop stop = graph_case_expand(&c, 3000);
    assert_true(stop == GLIMPSE_STOP_NONE || stop == GLIMPSE_STOP_MEMORY);
    assert_true(!plain || stop == GLIMPSE_STOP_MEMORY);
    uint32_t s = c.graph->states - 1;
    assert_true(gli_search_reveal(c.search, s));
    check_told(&c, s);
    stop = gli_search_root(c.search);
    assert_true(plain || stop == GLIMPSE_STOP_NONE);
    check_told(&c, s);
    assert_true(c.graph->quota.bytes <= 60000);
    graph_case_check(&c, GLI_CHECK_ANY);
    graph_case_stop(&c);
  }
}

/* Stops at once, at a limit of expansions, at a gap, at a deadline: the root has the bounds known by then, and the
 * search goes on as if it had not been asked. */
static void test_stops(void **state) {
  (void)state;
  graph_case c;
  volatile int flag = 1;
  start(&c, "robot-delivery:n=3", usual, false);
  double now = gli_clock_now();
  assert_int_equal(gli_search_run(c.search, &(glimpse_budget){.interrupt = &flag}, now), GLIMPSE_STOP_INTERRUPTED);
  assert_int_equal(gli_search_run(c.search, &(glimpse_budget){.time = 1e-9}, now), GLIMPSE_STOP_TIME);
  assert_int_equal(gli_search_run(c.search, &(glimpse_budget){.expansions = 40}, now), GLIMPSE_STOP_EXPANSIONS);
  assert_int_equal(c.graph->expansions, 41);
  graph_case_check(&c, GLI_CHECK_ANY);
  double gap = root_of(&c)->upper - root_of(&c)->lower;
  assert_int_equal(gli_search_run(c.search, &(glimpse_budget){.epsilon = gap / 2}, now), GLIMPSE_STOP_EPSILON);
  assert_true(root_of(&c)->upper - root_of(&c)->lower <= gap / 2);
  graph_case_check(&c, GLI_CHECK_ANY);
  graph_case_stop(&c);

  start(&c, "tiger:c=1", usual, false);
  assert_int_equal(gli_search_run(c.search, &(glimpse_budget){.decided = true}, now), GLIMPSE_STOP_DECIDED);
  assert_true(gli_search_decided(c.graph));
  graph_case_stop(&c);
}

/* Slices of any size make the same search as one run, bit for bit. */
static void test_slices(void **state) {
  (void)state;
  static const char *const specs[] = {"robot-delivery:n=3", "tiger", "tag"};
  for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
    graph_case one, other;
    start(&one, specs[k], usual, false);
    start(&other, specs[k], usual, false);
    glimpse_stop stop = gli_search_run(one.search, &(glimpse_budget){.expansions = 401}, 0);
    for (uint64_t left = 401, slice = 1; left && !(k && stop != GLIMPSE_STOP_EXPANSIONS); left -= slice) {
      slice = slice * 7 % 23 + 1 < left ? slice * 7 % 23 + 1 : left;
      if (gli_search_run(other.search, &(glimpse_budget){.expansions = slice}, 0) != GLIMPSE_STOP_EXPANSIONS) break;
      graph_case_check(&other, GLI_CHECK_ANY);
    }
    if (stop == GLIMPSE_STOP_EXPANSIONS) {
      assert_int_equal(one.graph->expansions, other.graph->expansions);
      assert_int_equal(one.graph->node_count, other.graph->node_count);
      assert_int_equal(one.graph->child_count, other.graph->child_count);
      assert_true(root_of(&one)->upper == root_of(&other)->upper && root_of(&one)->lower == root_of(&other)->lower);
    }
    graph_case_stop(&one);
    graph_case_stop(&other);
  }
}

/* A clock that is always late: children are made in pieces, and in the end they are all there. */
static void test_late(void **state) {
  (void)state;
  graph_case c;
  start(&c, "tag", usual, false);
  unsigned slices = 0;
  glimpse_stop stop = GLIMPSE_STOP_TIME;
  while (stop == GLIMPSE_STOP_TIME && c.graph->expansions < 30 && slices++ < 100000) {
    stop = gli_search_run(c.search, &(glimpse_budget){.time = 1e-6}, gli_clock_now());
    if (slices % 50 == 0) graph_case_check(&c, GLI_CHECK_ANY);
  }
  assert_int_equal(stop, GLIMPSE_STOP_TIME);
  graph_case_check(&c, GLI_CHECK_ANY);
  assert_int_equal(gli_search_run(c.search, &(glimpse_budget){.expansions = 20}, 0), GLIMPSE_STOP_EXPANSIONS);
  graph_case_check(&c, GLI_CHECK_ANY);
  graph_case_stop(&c);
}

/* Interrupted while children are made, and then another beginning: the new root gets its own. */
static void test_interrupted_making(void **state) {
  (void)state;
  random_shape shape = {.states = 120,
                        .actions = 2,
                        .observations = 20,
                        .spread = 120,
                        .high = 2,
                        .low = -1,
                        .discount = 0.9,
                        .cost = 0.3};
  graph_case c;
  graph_case_start(&c, 0, random_model_make(0, &shape));
  graph_case_search(&c, &usual, false);
  c.graph->deadline = -1; /* always late */
  assert_int_equal(gli_search_root(c.search), GLIMPSE_STOP_TIME);
  c.graph->deadline = INFINITY;
  c.graph->late = false;
  uint32_t both[2] = {3, 7};
  double mass[2] = {0.25, 0.75};
  assert_true(gli_search_begin(c.search, (glimpse_row){2, both, mass}, false, true));
  assert_int_equal(gli_search_root(c.search), GLIMPSE_STOP_NONE);
  graph_case_check(&c, GLI_CHECK_ANY);
  graph_case_stop(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_plain),
      cmocka_unit_test(test_reveal_first),
      cmocka_unit_test(test_root),
      cmocka_unit_test(test_room_in_a_pass),
      cmocka_unit_test(test_begin),
      cmocka_unit_test(test_crowded),
      cmocka_unit_test(test_saved),
      cmocka_unit_test(test_corners_fill_the_store),
      cmocka_unit_test(test_no_room_for_the_root),
      cmocka_unit_test(test_full_and_told),
      cmocka_unit_test(test_stops),
      cmocka_unit_test(test_slices),
      cmocka_unit_test(test_late),
      cmocka_unit_test(test_interrupted_making),
  };
  return cmocka_run_group_tests_name("search", tests, NULL, NULL);
}
