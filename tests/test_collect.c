/* Collect: what is squeezed out is what naive code does not reach, the rest stays what it was, and a graph that was
 * pruned keeps its promises. */
#include "graph/collect.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graph/sawtooth.h"
#include "graph/store.h"
#include "graph/vectors.h"
#include "support/environment.h"
#include "support/exact.h"
#include "support/graph_case.h"
#include "support/random_model.h"

/* ---------------------------------------------------------------- by naive code */

/* A copy of a graph's arrays, by indices as they were. */
typedef struct copy {
  size_t count;
  char *nodes;
  gli_child *children;
  double *beliefs;
  gli_corner *corners;
  uint32_t root;
} copy;

static void *same(const void *from, size_t bytes) {
  void *to = malloc(bytes + 1);
  assert_non_null(to);
  if (bytes) memcpy(to, from, bytes);
  return to;
}

static copy take(const gli_graph *graph) {
  return (copy){graph->node_count,
                same(graph->nodes, graph->node_count * graph->node_size),
                same(graph->children, graph->child_count * sizeof *graph->children),
                same(graph->beliefs, graph->belief_count * sizeof *graph->beliefs),
                same(graph->corner, graph->states * sizeof *graph->corner),
                graph->root};
}

static void drop(copy *x) {
  free(x->nodes);
  free(x->children);
  free(x->beliefs);
  free(x->corners);
}

static gli_node *node_at(const copy *x, const gli_graph *graph, uint32_t node) {
  return (gli_node *)(void *)(x->nodes + node * graph->node_size);
}

/* Is this choice followed from here? */
typedef bool (*follows)(const gli_graph *graph, gli_node *n, uint32_t choice);

static bool everything(const gli_graph *graph, gli_node *n, uint32_t choice) {
  return graph && n && choice <= graph->actions;
}

static bool policies(const gli_graph *graph, gli_node *n, uint32_t choice) {
  return n->greedy == GLI_NONE || choice == n->greedy || choice == n->plan ||
         gli_node_lowers(graph, n)[choice] >= n->lower - graph->floor;
}

/* Which nodes the root and the corners lead to: sweeps until nothing changes. */
static uint8_t *reach(const copy *x, const gli_graph *graph, follows follow) {
  uint8_t *reached = calloc(x->count + 1, 1);
  assert_non_null(reached);
  reached[x->root] = 1;
  for (uint32_t s = 0; s < graph->states; s++)
    if (x->corners[s].node != GLI_NONE) reached[x->corners[s].node] = 1;
  for (bool again = true; again;) {
    again = false;
    for (uint32_t node = 0; node < x->count; node++) {
      gli_node *n = node_at(x, graph, node);
      for (uint32_t c = 0; c < graph->groups && reached[node]; c++) {
        gli_group group = gli_node_groups(graph, n)[c];
        for (uint32_t i = group.first; i < group.first + group.count && follow(graph, n, c); i++) {
          uint32_t link = x->children[i].link;
          if (link & (GLI_FRINGE | GLI_CORNER) || reached[link]) continue;
          reached[link] = 1;
          again = true;
        }
      }
    }
  }
  return reached;
}

/* What is left are the nodes that were reached, in their order, each with its belief and its children.  After pruning
 * the bounds of choices may be worse, those of nodes not. */
static void compare(const graph_case *c, const copy *x, const uint8_t *reached, bool pruned) {
  gli_graph *graph = c->graph;
  uint32_t *moved = calloc(x->count + 1, sizeof *moved), at = 0;
  assert_non_null(moved);
  for (uint32_t node = 0; node < x->count; node++) moved[node] = reached[node] ? at++ : GLI_NONE;
  if (graph->node_count != at) graph_case_fail(c, "another number of nodes is left", (double)graph->node_count, at);
  assert_int_equal(graph->root, moved[x->root]);
  for (uint32_t node = 0; node < x->count; node++) {
    if (!reached[node]) continue;
    gli_node *then = node_at(x, graph, node), *now = gli_graph_node(graph, moved[node]);
    assert_true(now->support == then->support && now->state == then->state && now->rest == then->rest);
    assert_memory_equal(graph->beliefs + now->belief, x->beliefs + then->belief,
                        gli_store_room(now->support) * sizeof(double));
    if (!(now->upper <= then->upper)) graph_case_fail(c, "U of a node has risen", now->upper, then->upper);
    if (!(now->lower >= then->lower)) graph_case_fail(c, "L of a node has fallen", now->lower, then->lower);
    for (uint32_t k = 0; k <= graph->actions; k++) {
      assert_true(gli_node_uppers(now)[k] <= gli_node_uppers(then)[k]);
      if (!pruned) assert_true(gli_node_lowers(graph, now)[k] == gli_node_lowers(graph, then)[k]);
      if (k >= graph->groups) continue;
      gli_group was = gli_node_groups(graph, then)[k], is = gli_node_groups(graph, now)[k];
      assert_int_equal(was.count, is.count);
      for (uint32_t i = 0; i < was.count; i++) {
        const gli_child *a = &x->children[was.first + i], *b = &graph->children[is.first + i];
        bool inner = !(a->link & (GLI_FRINGE | GLI_CORNER));
        assert_true(a->probability == b->probability && a->label == b->label);
        if (inner && moved[a->link] == GLI_NONE) { /* its bounds are its own again */
          gli_node *behind = node_at(x, graph, a->link);
          assert_true(pruned && gli_link_fringe(b->link));
          assert_true(b->upper <= a->upper + behind->upper && b->lower <= a->lower + behind->lower);
          assert_true(b->lower <= b->upper);
        } else {
          assert_true(b->upper == a->upper && b->lower == a->lower);
          assert_true(b->link == (inner ? moved[a->link] : a->link));
        }
      }
    }
  }
  free(moved);
}

static void move_somewhere(graph_case *c, gli_random *random) {
  glimpse_belief *belief = glimpse_belief_new(c->model);
  assert_non_null(belief);
  glimpse_row row = gli_graph_belief(c->graph, gli_graph_node(c->graph, c->graph->root));
  assert_int_equal(glimpse_belief_set(belief, row), GLIMPSE_OK);
  uint32_t a = gli_random_below(random, c->graph->actions);
  uint32_t s = row.index[gli_random_below(random, (uint32_t)row.count)];
  glimpse_row next = glimpse_model_transition(c->model, a, s);
  glimpse_row shown =
      glimpse_model_observation(c->model, a, next.index[gli_random_below(random, (uint32_t)next.count)]);
  uint32_t o = shown.index[gli_random_below(random, (uint32_t)shown.count)];
  assert_int_equal(glimpse_belief_update(belief, a, o, NULL), GLIMPSE_OK);
  assert_true(gli_search_move(c->search, a, o, glimpse_belief_row(belief)));
  glimpse_belief_free(belief);
}

/* -------------------------------------------------------------------------- tests */

static void test_squeezing(void **state) {
  (void)state;
  size_t freed = 0, kept = 0, vectors = 0, points = 0, folded = 0;
  for (uint64_t seed = 0; seed < 120; seed++) {
    random_shape shape = random_model_shape(seed, 5, 3, 3);
    gli_random random = gli_random_stream(seed, "collect", 0);
    gli_graph_options options = graph_case_options((unsigned)(seed * 7 % GRAPH_CASE_OPTIONS));
    if (options.rule == GLI_RULE_SATIA_LAVE) options.rule = GLI_RULE_AEMS; /* its policy is not naive */
    graph_case c;
    graph_case_start(&c, seed, random_model_make(seed, &shape));
    graph_case_search(&c, &options, false);
    for (unsigned round = 0; round < 4; round++) {
      graph_case_expand(&c, 60);
      move_somewhere(&c, &random);
      graph_case_expand(&c, 10);
      bool prune = round & 1;
      copy before = take(c.graph);
      uint8_t *reached = reach(&before, c.graph, prune ? policies : everything);
      size_t gone = gli_collect(&c.search->pass, prune);
      assert_int_equal(gone, before.count - c.graph->node_count);
      compare(&c, &before, reached, prune);
      graph_case_check(&c, GLI_CHECK_ANY);
      assert_int_equal(gli_collect(&c.search->pass, false), 0); /* nothing is left to do */
      graph_case_check(&c, GLI_CHECK_ANY);
      *(prune ? &folded : &freed) += gone;
      kept += c.graph->node_count;
      vectors += c.graph->vectors ? c.graph->vectors->live - c.graph->vectors->fixed : 0;
      points += c.graph->sawtooth ? c.graph->sawtooth->count : 0;
      free(reached);
      drop(&before);
      gli_search_restart(c.search); /* as make_room does: what the pass has met is gone */
    }
    graph_case_stop(&c);
  }
  print_message("%zu nodes freed, %zu pruned, %zu kept; %zu vectors, %zu points\n", freed, folded, kept, vectors,
                points);
  assert_true(freed > 1000 && folded > 1000 && kept > 1000 && vectors > 50 && points > 20);
}

/* Both policies are all there after pruning, and so are the bounds of the root. */
static void test_prune(void **state) {
  (void)state;
  static const char *const names[] = {"robot-delivery:n=3", "tag", "tiger"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    graph_case c;
    graph_case_start(&c, k, environment_make(names[k]));
    gli_graph_options options = {.sharing = GLI_SHARE_ALL, .live = true, .learn_vectors = true, .learn_points = true};
    graph_case_search(&c, &options, false);
    graph_case_expand(&c, 3000);
    size_t all = c.graph->node_count;
    const gli_node *root = gli_graph_node(c.graph, c.graph->root);
    gli_bounds before = {root->upper, root->lower};
    size_t freed = gli_collect(&c.search->pass, true);
    gli_search_restart(c.search);
    root = gli_graph_node(c.graph, c.graph->root);
    assert_true(root->upper <= before.upper && root->lower >= before.lower);
    if (k < 2) assert_true(freed > all / 10 && freed < all);
    graph_case_check(&c, GLI_CHECK_ANY);
    for (int i = 0; i < 3; i++) graph_case_sweep(c.graph);
    root = gli_graph_node(c.graph, c.graph->root);
    assert_true(root->upper <= before.upper && root->lower >= before.lower);
    graph_case_check(&c, GLI_CHECK_ANY);
    graph_case_stop(&c);
  }
}

/* Pruned again and again, the search is sound, and ends: the value lies between the bounds. */
static void test_value(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 60; seed++) {
    random_shape shape = random_model_shape(seed, 2, 3, 3);
    shape.states = 2;
    if (shape.terminals) shape.terminals = 1;
    glimpse_model *model = random_model_make(seed, &shape);
    exact_line *exact = exact_line_new(model);
    double value = exact_line_value(exact, 0.5), slack = 1e-9 * fmax(1, fabs(value));
    exact_line_free(exact);
    gli_graph_options options = graph_case_options((unsigned)(seed * 5 % GRAPH_CASE_OPTIONS));
    graph_case c;
    graph_case_start(&c, seed, model);
    graph_case_search(&c, &options, false);
    for (unsigned round = 0; round < 12; round++) {
      graph_case_expand(&c, 15);
      gli_collect(&c.search->pass, true);
      gli_search_restart(c.search);
      const gli_node *root = gli_graph_node(c.graph, c.graph->root);
      if (!(root->lower <= value + slack)) graph_case_fail(&c, "L is above the value", root->lower, value);
      if (!(root->upper >= value - slack)) graph_case_fail(&c, "U is below the value", root->upper, value);
      graph_case_check(&c, GLI_CHECK_ANY);
    }
    graph_case_stop(&c);
  }
}

/* Without room for its own notes nothing is squeezed, and the search goes on all the same. */
static void test_no_room(void **state) {
  (void)state;
  graph_case c;
  graph_case_start(&c, 0, environment_make("robot-delivery:n=3"));
  graph_case_search(&c, &(gli_graph_options){.sharing = GLI_SHARE_ALL, .live = true}, false);
  graph_case_expand(&c, 500);
  for (uint64_t spare = 0; spare < 4000; spare += 97) {
    size_t before = c.graph->node_count;
    c.graph->quota.limit = c.graph->quota.bytes + spare;
    size_t freed = gli_collect(&c.search->pass, false);
    assert_int_equal(c.graph->node_count, before - freed);
    assert_true(c.graph->quota.bytes <= c.graph->quota.limit);
    c.graph->quota.limit = 0;
    c.graph->full = false;
    gli_search_restart(c.search);
    graph_case_check(&c, GLI_CHECK_ANY);
    uint64_t expansions = c.graph->expansions;
    assert_int_equal(graph_case_expand(&c, 20), GLIMPSE_STOP_NONE); /* no node is taken for met */
    assert_true(c.graph->expansions >= expansions + 20);
  }
  graph_case_stop(&c);
}

/* How many nodes a walk meets. */
static size_t walk(gli_pass *pass, bool plan) {
  assert_true(gli_pass_begin(pass, plan) && gli_pass_walk(pass, SIZE_MAX));
  return pass->count;
}

/* ... and no later walk takes a node for met because an earlier one met it. */
static void test_stamps(void **state) {
  (void)state;
  graph_case c;
  graph_case_start(&c, 0, environment_make("robot-delivery:n=3"));
  graph_case_search(&c, &(gli_graph_options){.sharing = GLI_SHARE_ALL, .live = true}, false);
  graph_case_expand(&c, 300);
  gli_pass *pass = &c.search->pass;
  size_t met = walk(pass, false);
  uint32_t walks = pass->stamp;
  assert_true(met > 1 && walks > 4);
  c.graph->quota.limit = c.graph->quota.bytes; /* no room for a bitmap */
  assert_int_equal(gli_collect(pass, false), 0);
  c.graph->quota.limit = 0;
  c.graph->full = false;
  for (uint32_t i = 1; i < walks; i++) assert_true(walk(pass, true) > 0);
  assert_int_equal(walk(pass, false), met);
  graph_case_stop(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_squeezing), cmocka_unit_test(test_prune),
                                     cmocka_unit_test(test_value), cmocka_unit_test(test_no_room),
                                     cmocka_unit_test(test_stamps)};
  return cmocka_run_group_tests_name("collect", tests, NULL, NULL);
}
