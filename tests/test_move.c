/* Move: whole random episodes in one graph whose root moves, and which is squeezed and pruned on the way. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/exact.h"
#include "support/failing_malloc.h"
#include "support/graph_case.h"
#include "support/random_model.h"

typedef struct journey {
  graph_case c;
  gli_random random;
  glimpse_belief *belief;
  uint64_t dropped; /* as last seen */
  bool checked;     /* in full, after each move and each expansion */
} journey;

static void set_out(journey *j, uint64_t seed, glimpse_model *model, const gli_graph_options *options) {
  graph_case_start(&j->c, seed, model);
  graph_case_search(&j->c, options, false);
  j->random = gli_random_stream(seed, "journey", 0);
  j->belief = glimpse_belief_new(model);
  j->dropped = 0;
  j->checked = true;
  assert_non_null(j->belief);
}

static void come_home(journey *j) {
  glimpse_belief_free(j->belief);
  graph_case_stop(&j->c);
}

static void check(journey *j) {
  if (!j->checked) return;
  if (j->dropped != j->c.search->dropped) gli_check_history_forget(j->c.history);
  j->dropped = j->c.search->dropped;
  graph_case_check(&j->c, GLI_CHECK_ANY);
  graph_case_look(&j->c);
}

static void search(journey *j, unsigned units) {
  glimpse_stop stop = gli_search_root(j->c.search);
  check(j);
  for (unsigned i = 0; i < units && !stop; i++) {
    stop = gli_search_step(j->c.search);
    check(j);
  }
}

static uint32_t draw(journey *j, glimpse_row row) {
  double u = gli_random_unit(&j->random);
  for (size_t i = 0; i + 1 < row.count; i++)
    if ((u -= row.value[i]) < 0) return row.index[i];
  return row.index[row.count - 1];
}

/* What the root knows of the belief that comes; false: nothing. */
static bool known(const gli_graph *graph, uint32_t choice, uint32_t label, gli_bounds *bounds) {
  gli_outcome to;
  for (uint32_t i = 0; gli_graph_outcome(graph, graph->root, choice, i, &to); i++) {
    if (to.label != label) continue;
    *bounds = gli_graph_bounds_of(graph, &to);
    return true;
  }
  return false;
}

/* By how much the value at the belief that is told may differ from that at the one that the child of the root stands
 * for: the root may stand for a belief that is only near. */
static double estranged(journey *j, uint32_t choice, uint32_t label, glimpse_row told) {
  const gli_graph *graph = j->c.graph;
  if (choice == graph->actions) return 0;
  gli_belief_work *work = gli_belief_work_new(j->c.model);
  gli_sparse next = {0};
  double probability, sum = 0;
  glimpse_row here = gli_graph_belief(graph, gli_graph_node(graph, graph->root));
  assert_non_null(work);
  assert_true(gli_belief_child(work, here, choice, label, &probability, &next));
  for (size_t i = 0; i < told.count; i++) {
    size_t k = 0;
    while (k < next.count && next.index[k] != told.index[i]) k++;
    sum += fabs(told.value[i] - (k < next.count ? next.value[k] : 0));
  }
  gli_sparse_free(&next);
  gli_belief_work_free(work);
  return sum * graph->slope;
}

/* One step of the world: perhaps the state is told, then an action is done. */
static void step(journey *j, bool tell) {
  gli_graph *graph = j->c.graph;
  gli_bounds before = {INFINITY, -INFINITY};
  uint32_t s = draw(j, glimpse_belief_row(j->belief));
  for (int told = 0; told < 2; told++) {
    uint32_t choice = graph->actions, label = s;
    if (!told && !tell) continue;
    if (told) {
      choice = gli_random_below(&j->random, graph->actions);
      label = draw(
          j, glimpse_model_observation(j->c.model, choice, draw(j, glimpse_model_transition(j->c.model, choice, s))));
    }
    bool expected = known(graph, choice, label, &before);
    uint64_t expansions = graph->expansions, dropped = j->c.search->dropped;
    double off = 0;
    if (told) {
      assert_int_equal(glimpse_belief_update(j->belief, choice, label, NULL), GLIMPSE_OK);
      if (expected) off = estranged(j, choice, label, glimpse_belief_row(j->belief));
      assert_true(gli_search_move(j->c.search, choice, label, glimpse_belief_row(j->belief)));
    } else {
      assert_int_equal(glimpse_belief_reveal(j->belief, label), GLIMPSE_OK);
      assert_true(gli_search_reveal(j->c.search, label));
    }
    assert_int_equal(graph->expansions, expansions);
    if (graph->quota.limit) gli_check_history_forget(j->c.history); /* what is left behind may have been squeezed out */
    check(j);
    if (!expected || dropped != j->c.search->dropped) continue;
    const gli_node *root = gli_graph_node(graph, graph->root);
    double slack = 4 * gli_graph_slack(graph, fmax(fabs(before.upper), fabs(before.lower))) + off + j->c.search->slack;
    if (root->upper > before.upper + slack)
      graph_case_fail(&j->c, "the move has made U worse", root->upper, before.upper);
    if (root->lower < before.lower - slack)
      graph_case_fail(&j->c, "the move has made L worse", root->lower, before.lower);
  }
}

/* ---------------------------------------------------------------- soundness */

static void test_episodes(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 250; seed++) {
    random_shape shape = random_model_shape(seed, 5, 3, 3);
    gli_graph_options options = graph_case_options((unsigned)(seed * 7 % GRAPH_CASE_OPTIONS));
    journey j;
    set_out(&j, seed, random_model_make(seed, &shape), &options);
    for (unsigned i = 0; i < 12; i++) {
      search(&j, gli_random_below(&j.random, 30));
      step(&j, shape.cost > 0 && gli_random_below(&j.random, 3) == 0);
    }
    if (seed % 5 == 0) { /* a second episode, with what is known of the corners */
      assert_int_equal(glimpse_belief_set(j.belief, glimpse_model_start(j.c.model)), GLIMPSE_OK);
      assert_true(gli_search_begin(j.c.search, glimpse_belief_row(j.belief), true, false));
      check(&j);
      search(&j, 20);
    }
    come_home(&j);
  }
}

/* Two states: wherever the root is, the value lies between its bounds. */
static void check_value(journey *j, const exact_line *exact) {
  glimpse_row belief = glimpse_belief_row(j->belief);
  double value = exact_line_value(exact, glimpse_belief_probability(j->belief, 1)), slack = 1e-9 * fmax(1, fabs(value));
  if (belief.count == 1 && j->c.model->requests) return; /* the state may have been told: N, not V; see below */
  const gli_node *root = gli_graph_node(j->c.graph, j->c.graph->root);
  double lower = root->lower - j->c.search->slack, upper = root->upper + j->c.search->slack;
  if (!(lower <= value + slack)) graph_case_fail(&j->c, "the lower bound is above the value", lower, value);
  if (!(upper >= value - slack)) graph_case_fail(&j->c, "the upper bound is below the value", upper, value);
}

static void test_value(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 150; seed++) {
    random_shape shape = random_model_shape(seed, 2, 3, 3);
    shape.states = 2;
    if (shape.terminals) shape.terminals = 1;
    gli_graph_options options = graph_case_options((unsigned)(seed * 5 % GRAPH_CASE_OPTIONS));
    if (seed % 3 == 0) options.max_bytes = 15000 + 1000 * (seed % 40);
    journey j;
    set_out(&j, seed, random_model_make(seed, &shape), &options);
    exact_line *exact = exact_line_new(j.c.model);
    for (unsigned i = 0; i < 15; i++) {
      check_value(&j, exact);
      search(&j, 30);
      check_value(&j, exact);
      step(&j, shape.cost > 0 && i % 4 == 3);
    }
    exact_line_free(exact);
    come_home(&j);
  }
}

/* ------------------------------------------------------------------- memory */

/* A small limit: it is never passed, everything stays sound, and what cannot be
 * reached is given back, for as long as one likes. */
static void test_small_limit(void **state) {
  (void)state;
  uint64_t dropped = 0;
  for (uint64_t seed = 0; seed < 60; seed++) {
    random_shape shape = random_model_shape(seed, 5, 3, 3);
    gli_graph_options options = graph_case_options((unsigned)(seed * 7 % GRAPH_CASE_OPTIONS));
    options.max_bytes = 15000 + 1500 * (seed % 30);
    journey j;
    set_out(&j, seed, random_model_make(seed, &shape), &options);
    for (unsigned i = 0; i < 20; i++) {
      search(&j, 60);
      assert_true(j.c.graph->quota.bytes <= options.max_bytes);
      step(&j, shape.cost > 0 && gli_random_below(&j.random, 3) == 0);
    }
    dropped += j.c.search->dropped;
    come_home(&j);
  }
  if (dropped < 300) fail_msg("only %llu dropped", (unsigned long long)dropped);
}

static void test_long_journey(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 4; seed++) {
    random_shape shape = {.states = 12,
                          .actions = 3,
                          .observations = 3,
                          .spread = 3,
                          .high = 2,
                          .low = -1,
                          .discount = 0.9,
                          .cost = seed == 1 ? 0 : 0.3};
    gli_graph_options options = {.sharing = seed == 2   ? GLI_SHARE_NONE
                                            : seed == 3 ? GLI_SHARE_CORNERS
                                                        : GLI_SHARE_ALL,
                                 .live = true,
                                 .learn_vectors = true,
                                 .learn_points = true,
                                 .max_bytes = 300000};
    journey j;
    set_out(&j, seed, random_model_make(seed, &shape), &options);
    j.checked = false;
    for (unsigned i = 0; i < 5000; i++) {
      search(&j, 12);
      assert_true(j.c.graph->quota.bytes <= options.max_bytes);
      step(&j, shape.cost > 0 && gli_random_below(&j.random, 4) == 0);
      if (i % 500 == 0) graph_case_check(&j.c, GLI_CHECK_ANY);
    }
    /* a search that has only just begun finds room */
    assert_int_not_equal(gli_search_root(j.c.search), GLIMPSE_STOP_MEMORY);
    graph_case_check(&j.c, GLI_CHECK_ANY);
    come_home(&j);
  }
}

/* Without a limit: what is left behind is squeezed out once it is worth it, so that memory stays bounded. */
static void test_reclaim(void **state) {
  (void)state;
  random_shape shape = {
      .states = 6, .actions = 3, .observations = 3, .spread = 6, .high = 2, .discount = 0.95, .cost = 0};
  gli_graph_options options = {.sharing = GLI_SHARE_CORNERS, .live = true};
  journey j;
  set_out(&j, 4, random_model_make(4, &shape), &options);
  j.checked = false;
  bool squeezed = false;
  for (unsigned i = 0; i < 3000; i++) {
    graph_case_expand(&j.c, 60);
    size_t before = j.c.graph->node_count;
    step(&j, false);
    squeezed |= j.c.graph->node_count < before;
    assert_true(j.c.graph->quota.bytes < 150 * (uint64_t)1000000);
  }
  assert_true(j.c.graph->expansions > 100000 && squeezed);
  assert_true(j.c.graph->node_count < j.c.graph->expansions / 2);
  come_home(&j);
}

/* A search that goes on long after its memory is full: room is made again and again, and no upper bound rises. */
static void test_long_search(void **state) {
  (void)state;
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_environment_make("robot-delivery:n=3", NULL, &model), GLIMPSE_OK);
  graph_case c;
  graph_case_start(&c, 0, model);
  graph_case_search(&c, &(gli_graph_options){.sharing = GLI_SHARE_CORNERS, .live = true, .max_bytes = 1000000}, false);
  double upper = INFINITY, lower = -INFINITY;
  assert_int_equal(gli_search_root(c.search), GLIMPSE_STOP_NONE);
  unsigned i = 0;
  for (; i < 200000 && c.search->dropped <= 10000; i++) {
    glimpse_stop stop = gli_search_step(c.search);
    if (stop == GLIMPSE_STOP_MEMORY) break;
    assert_int_equal(stop, GLIMPSE_STOP_NONE);
    const gli_node *root = gli_graph_node(c.graph, c.graph->root);
    assert_true(c.graph->quota.bytes <= 1000000 && root->upper <= upper && root->lower <= root->upper);
    assert_true(root->lower >= lower); /* what its plan needs stays */
    upper = root->upper;
    lower = root->lower;
    if (i % 4000 == 0) graph_case_check(&c, GLI_CHECK_ANY);
  }
  print_message("%u units, %llu dropped\n", i, (unsigned long long)c.search->dropped);
  assert_true(c.search->dropped > 1000);
  graph_case_check(&c, GLI_CHECK_ANY);
  graph_case_stop(&c);
}

/* ------------------------------------------------------------ out of memory */

typedef struct hunger {
  graph_case c;
  gli_graph_options options;
} hunger;

/* A search, some moves, all of it under a malloc that fails: whatever happens, the
 * graph is whole. */
static glimpse_status starve(void *context) {
  hunger *h = context;
  gli_graph *graph = gli_graph_new(h->c.model, graph_case_bounds(&h->c), &h->options);
  gli_search *search = graph ? gli_search_new(graph, NULL) : NULL;
  bool fine = search && gli_search_begin(search, glimpse_model_start(h->c.model), false, true);
  glimpse_belief *belief = fine ? glimpse_belief_new(h->c.model) : NULL;
  fine = belief;
  for (unsigned i = 0; fine && i < 4; i++) {
    glimpse_stop stop = gli_search_root(search);
    for (unsigned k = 0; k < 60 && !stop; k++) stop = gli_search_step(search);
    uint32_t s = glimpse_belief_row(belief).index[0], a = i % 2;
    uint32_t s2 = glimpse_model_transition(h->c.model, a, s).index[0],
             o = glimpse_model_observation(h->c.model, a, s2).index[0];
    if (i == 2) fine = glimpse_belief_reveal(belief, s) == GLIMPSE_OK && gli_search_reveal(search, s);
    if (fine)
      fine = glimpse_belief_update(belief, a, o, NULL) == GLIMPSE_OK &&
             gli_search_move(search, a, o, glimpse_belief_row(belief));
  }
  unsigned long failures = failing_malloc_failures();
  failing_malloc_set(0, false);
  char text[GLI_CHECK_TEXT];
  if (fine && !gli_check_graph(graph, GLI_CHECK_ANY, text)) fail_msg("%s", text);
  failing_malloc_set(failures ? 1 : 0, true); /* the sweep wants to know */
  void *volatile nothing = failures ? malloc(1) : NULL;
  free(nothing);
  glimpse_belief_free(belief);
  gli_search_free(search);
  gli_graph_free(graph);
  return fine ? GLIMPSE_OK : GLIMPSE_NO_MEMORY;
}

static void test_no_memory(void **state) {
  (void)state;
  random_shape shape = {
      .states = 5, .actions = 2, .observations = 3, .spread = 3, .high = 2, .low = -1, .discount = 0.9, .cost = 0.3};
  hunger h;
  graph_case_start(&h.c, 7, random_model_make(7, &shape));
  for (unsigned k = 0; k < 3; k++) {
    h.options =
        (gli_graph_options){.sharing = (gli_sharing)k, .live = true, .learn_vectors = true, .learn_points = true};
    assert_true(failing_malloc_sweep(starve, &h) > 40);
  }
  graph_case_stop(&h.c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_episodes),    cmocka_unit_test(test_value),
                                     cmocka_unit_test(test_small_limit), cmocka_unit_test(test_long_journey),
                                     cmocka_unit_test(test_reclaim),     cmocka_unit_test(test_long_search),
                                     cmocka_unit_test(test_no_memory)};
  return cmocka_run_group_tests_name("move", tests, NULL, NULL);
}
