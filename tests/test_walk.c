/* Walk: the incremental selection against the plain form on the same graph. */
#include "graph/walk.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/graph_case.h"
#include "support/random_model.h"

/* One expansion; returns the record that was expanded, GLI_NONE when nothing is left. */
static uint32_t expand(graph_case *c) {
  gli_walk *walk = c->search->walk;
  uint32_t record = gli_walk_select(walk);
  if (record == GLI_NONE || c->graph->records[record].link != GLI_NONE) {
    assert_true(gli_walk_settle(walk, 100000));
    record = gli_walk_select(walk);
  }
  glimpse_stop stop = gli_search_expand(c->search);
  if (record == GLI_NONE) {
    assert_int_equal(stop, GLIMPSE_STOP_SOLVED);
    return GLI_NONE;
  }
  assert_int_equal(stop, GLIMPSE_STOP_NONE);
  assert_int_not_equal(c->graph->records[record].link, GLI_NONE);
  return record;
}

static void check_flow(graph_case *c) {
  char text[GLI_CHECK_TEXT];
  if (gli_check_flow(c->search->walk, text)) return;
  print_error("%s\n", text);
  graph_case_fail(c, "flow", 0, 0);
}

/* Settled, the best record has the score that the plain form finds, and Psi is its Psi. */
static void compare(graph_case *c, gli_plain *plain) {
  gli_walk *walk = c->search->walk;
  char text[GLI_CHECK_TEXT];
  assert_true(gli_walk_settle(walk, 10000));
  graph_case_check(c, GLI_CHECK_SCORES);
  check_flow(c);
  uint32_t mine = gli_walk_select(walk), best;
  double score, key = mine == GLI_NONE ? 0 : walk->reach.winners.key[gli_winners_best(&walk->reach.winners)];
  assert_true(gli_plain_select(plain, &best, &score));
  if (fabs(key - score) > 1e-5 * score + 1e-11) graph_case_fail(c, "another score than the plain form", key, score);
  if (mine != GLI_NONE && c->graph->records[mine].link != GLI_NONE) graph_case_fail(c, "not fringe", mine, best);
  if (!gli_check_reach(walk, plain, 1e-8, text)) {
    print_error("%s\n", text);
    graph_case_fail(c, "reach", 0, 0);
  }
}

static void test_same_score(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 1000; seed++) {
    random_shape shape = random_model_shape(seed, 5, 3, 3);
    graph_case c;
    graph_case_start(&c, seed, random_model_make(seed, &shape));
    for (unsigned k = 0; k < 3; k++) {
      gli_graph_options options = graph_case_options((unsigned)((seed * 3 + k) * 11 % GRAPH_CASE_OPTIONS));
      graph_case_search(&c, &options, false);
      gli_plain *plain = gli_plain_new(c.graph);
      assert_non_null(plain);
      for (unsigned i = 0; i < 20 && expand(&c) != GLI_NONE; i++) {
        graph_case_look(&c);
        graph_case_check(&c, GLI_CHECK_ANY);
        check_flow(&c);
        if (i % (1 + seed % 7) == 0) compare(&c, plain);
      }
      compare(&c, plain);
      gli_plain_free(plain);
    }
    graph_case_stop(&c);
  }
}

/* The same records expanded in a second graph and propagated as the paper does it:
 * all bounds are the same once everything has been backed up. */
static void test_same_bounds(void **state) {
  (void)state;
  for (uint64_t seed = 5000; seed < 6000; seed++) {
    random_shape shape = random_model_shape(seed, 5, 3, 3);
    graph_case c;
    graph_case_start(&c, seed, random_model_make(seed, &shape));
    gli_graph_options options = graph_case_options((unsigned)(seed % 18)); /* not live */
    options.all_actions = true; /* the order of opening is not that of the plain form */
    graph_case_search(&c, &options, false);
    gli_graph *other = gli_graph_new(c.model, graph_case_bounds(&c), &options);
    assert_non_null(other);
    gli_plain *plain = gli_plain_new(other);
    assert_non_null(plain);
    assert_true(gli_graph_plant(other, glimpse_model_start(c.model)));
    for (unsigned i = 0; i < 25; i++) {
      uint32_t record = expand(&c);
      if (record == GLI_NONE) break;
      assert_true(gli_graph_expand(other, record));
      assert_true(gli_plain_propagate(plain, record, 0));
    }
    graph_case_converge(c.graph);
    graph_case_check(&c, GLI_CHECK_SETTLED);
    char text[GLI_CHECK_TEXT];
    if (!gli_check_graph(other, GLI_CHECK_ANY, text)) fail_msg("seed %llu: %s", (unsigned long long)seed, text);
    assert_int_equal(c.graph->record_count, other->record_count);
    assert_int_equal(c.graph->expanded_count, other->expanded_count);
    double slack = 64 * other->floor;
    for (uint32_t i = 0; i < other->expanded_count; i++) {
      const gli_record *mine = &c.graph->records[gli_graph_node(c.graph, i)->record];
      const gli_record *its = &other->records[gli_graph_node(other, i)->record];
      if (fabs(mine->upper - its->upper) > slack) graph_case_fail(&c, "another upper bound", mine->upper, its->upper);
      if (fabs(mine->lower - its->lower) > slack) graph_case_fail(&c, "another lower bound", mine->lower, its->lower);
    }
    gli_plain_free(plain);
    gli_graph_free(other);
    graph_case_stop(&c);
  }
}

/* A walk of which the graph has nothing, no longer anything, or not yet anything. */
static void test_no_root(void **state) {
  (void)state;
  graph_case c;
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_environment_make("robot-delivery:n=2,c=0.01", NULL, &model), GLIMPSE_OK);
  graph_case_start(&c, 0, model);
  graph_case_search(&c, &(gli_graph_options){.sharing = GLI_SHARE_CORNERS}, false);
  gli_graph *empty = gli_graph_new(model, graph_case_bounds(&c), &c.graph->options);
  gli_walk *walk = gli_walk_new(empty);
  assert_true(empty && walk);
  assert_int_equal(gli_walk_select(walk), GLI_NONE);
  assert_true(gli_walk_sync(walk));
  gli_walk_told(walk, 0);
  gli_walk_forget(walk, 0, GLI_NONE);
  assert_int_equal(gli_walk_select(walk), GLI_NONE);
  assert_int_equal(walk->reach.source, GLI_NONE);
  gli_walk_free(walk);
  gli_graph_free(empty);

  for (int i = 0; i < 40; i++) assert_int_not_equal(expand(&c), GLI_NONE);
  walk = c.search->walk;
  assert_true(gli_walk_settle(walk, 100000));
  check_flow(&c);
  uint32_t root = c.graph->root;
  c.graph->root = GLI_NONE; /* all the mass that came from it is taken back */
  assert_true(gli_walk_sync(walk));
  assert_int_equal(walk->reach.source, GLI_NONE);
  check_flow(&c);
  gli_walk_forget(walk, walk->reach.count + 5, GLI_NONE);
  gli_walk_told(walk, walk->reach.count + 5);
  check_flow(&c);
  c.graph->root = root;
  assert_true(gli_walk_sync(walk));
  check_flow(&c);
  assert_int_not_equal(expand(&c), GLI_NONE);
  graph_case_check(&c, GLI_CHECK_ANY);
  graph_case_stop(&c);
}

/* Lower bounds are not far behind what the same graph is worth when all of it is backed up again and again. */
static void test_lower_bounds_keep_up(void **state) {
  (void)state;
  static const char *const name[] = {"robot-delivery:n=3", "robot-delivery:n=7"};
  for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
    graph_case c;
    glimpse_model *model = NULL;
    assert_int_equal(glimpse_environment_make(name[i], NULL, &model), GLIMPSE_OK);
    graph_case_start(&c, 0, model);
    graph_case_search(&c, &(gli_graph_options){.sharing = GLI_SHARE_CORNERS, .live = true}, false);
    gli_graph *graph = c.graph;
    double before = gli_graph_root(graph)->lower;
    while (graph->expansions < 20000) assert_int_equal(gli_search_expand(c.search), GLIMPSE_STOP_NONE);
    double found = gli_graph_root(graph)->lower;
    for (int pass = 0; pass < 40; pass++) graph_case_sweep(graph); /* nearly all there is to gain */
    double worth = gli_graph_root(graph)->lower;
    if (found - before < 0.9 * (worth - before)) graph_case_fail(&c, name[i], found, worth);
    graph_case_stop(&c);
  }
}

/* Where the plan below a belief leads, by recursion: the oracle of what a walk for lower bounds carries on. */
static void follow_plan(const gli_graph *graph, uint32_t node, double mass, double *to) {
  gli_expanded *e = gli_graph_node(graph, node);
  const double *lowers = gli_graph_lowers(graph, e);
  uint32_t plan = 0;
  for (uint32_t k = 1; k <= graph->actions; k++) plan = lowers[k] > lowers[plan] ? k : plan;
  if (plan == graph->actions) {
    glimpse_row belief = gli_graph_belief(graph, e);
    for (size_t i = 0; i < belief.count; i++) to[graph->corner[belief.index[i]]] += mass * belief.value[i];
    return;
  }
  uint32_t end, i = gli_graph_children(graph, node, plan, &end);
  for (; i < end; i++) {
    const gli_record *child = &graph->records[i];
    double part = graph->discount * mass * child->probability;
    if (child->link == GLI_NONE) continue;
    if (child->link & GLI_ALIAS) to[child->link & ~GLI_ALIAS] += part;
    else follow_plan(graph, child->link, part, to);
  }
}

/* The rest of a sweep for lower bounds, from this origin on, and nothing else. */
static void end_sweep(gli_walk *walk, uint32_t origin) {
  walk->patrol_work = walk->sweep_work = -1e9;
  walk->raised = origin + 1;
  walk->rest = 0;
  int times = 0;
  do {
    assert_true(times++ < 100);
    walk->behind = 8; /* so that it is done at once */
    gli_walk_work(walk);
  } while (walk->raised != walk->reach.count);
}

static void test_mass_follows_the_plan(void **state) {
  (void)state;
  graph_case c;
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_environment_make("robot-delivery:n=3", NULL, &model), GLIMPSE_OK);
  graph_case_start(&c, 0, model);
  graph_case_search(&c, &(gli_graph_options){.sharing = GLI_SHARE_CORNERS, .live = true}, false);
  for (int i = 0; i < 2000; i++) assert_int_equal(gli_search_expand(c.search), GLIMPSE_STOP_NONE);
  graph_case_converge(c.graph); /* so that no plan changes under way */
  gli_walk *walk = c.search->walk;
  gli_walk_abandon(walk);
  size_t count = walk->reach.count, walked = 0;
  double *to = calloc(count, sizeof *to);
  assert_non_null(to);
  for (uint32_t x = 0; x < count; x++) {
    uint32_t record = c.graph->origins[x].record;
    if (record == GLI_NONE || c.graph->records[record].link == GLI_NONE) continue;
    for (uint32_t y = 0; y < count; y++) to[y] = walk->reach.of[y].arrived = 0;
    walk->reach.of[x].arrived = 0.05; /* just enough, so that nobody gets enough from it */
    follow_plan(c.graph, c.graph->records[record].link, 0.05, to);
    to[walk->reach.source] += 1; /* for the next sweep */
    end_sweep(walk, x);
    for (uint32_t y = 0; y < count; y++) assert_true(fabs(walk->reach.of[y].arrived - to[y]) <= 1e-15);
    walk->reach.of[walk->reach.source].arrived = 0;
    walk->reach.of[x].arrived = 0.0499; /* too little */
    end_sweep(walk, x);
    assert_true(walk->reach.of[x].arrived == 0.0499 + (x == walk->reach.source));
    walked++;
  }
  assert_true(walked > 20);
  free(to);
  graph_case_stop(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_score), cmocka_unit_test(test_same_bounds),
                                     cmocka_unit_test(test_no_root), cmocka_unit_test(test_lower_bounds_keep_up),
                                     cmocka_unit_test(test_mass_follows_the_plan)};
  return cmocka_run_group_tests_name("walk", tests, NULL, NULL);
}
