/* Slices: a search in slices is the search in one go, to the last bit, though after each the root has the bounds that
 * are known by then; and these are sound and no worse than before. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "graph/backup.h"
#include "graph/maker.h"
#include "graph/sawtooth.h"
#include "graph/vectors.h"
#include "support/search_case.h"

static void same(const search_case *c, const char *what, const void *x, const void *y, size_t bytes) {
  const unsigned char *p = x, *q = y;
  for (size_t i = 0; i < bytes; i++)
    if (p[i] != q[i]) search_case_fail(c, what, (double)i, (double)bytes);
}

static void same_sizes(const search_case *c, const char *what, size_t x, size_t y) {
  if (x != y) search_case_fail(c, what, (double)x, (double)y);
}

/* All that two graphs know. */
static void compare(const search_case *c, const gli_search *mine, const gli_search *its) {
  const gli_graph *g = mine->graph, *h = its->graph;
  same_sizes(c, "expansions", g->expansions, h->expansions);
  same_sizes(c, "nodes", g->node_count, h->node_count);
  same_sizes(c, "children", g->child_count, h->child_count);
  same_sizes(c, "beliefs", g->belief_count, h->belief_count);
  same_sizes(c, "corners", g->corners, h->corners);
  same_sizes(c, "slots", g->slot_count, h->slot_count);
  same_sizes(c, "phase", mine->phase, its->phase);
  same_sizes(c, "next", mine->next, its->next);
  same_sizes(c, "passes", mine->passes, its->passes);
  same_sizes(c, "units", mine->units, its->units);
  same_sizes(c, "expanded by the pass", mine->expanded, its->expanded);
  same_sizes(c, "returned by the pass", mine->returned, its->returned);
  same_sizes(c, "changed", mine->changed, its->changed);
  same_sizes(c, "still", mine->still, its->still);
  same(c, "bytes of the cut", &mine->pass.cut, &its->pass.cut, sizeof mine->pass.cut);
  same_sizes(c, "stamp", mine->pass.stamp, its->pass.stamp);
  same_sizes(c, "walked", mine->pass.at, its->pass.at);
  same_sizes(c, "met", mine->pass.count, its->pass.count);
  same_sizes(c, "candidates", mine->pass.candidate_count, its->pass.candidate_count);
  same(c, "bytes of the order", mine->pass.order, its->pass.order, mine->pass.count * sizeof *mine->pass.order);
  same(c, "bytes of candidates", mine->pass.candidates, its->pass.candidates,
       mine->pass.candidate_count * sizeof *mine->pass.candidates);
  same(c, "bytes of nodes", g->nodes, h->nodes, g->node_count * g->node_size);
  same(c, "bytes of children", g->children, h->children, g->child_count * sizeof *g->children);
  same(c, "bytes of beliefs", g->beliefs, h->beliefs, g->belief_count * sizeof *g->beliefs);
  same(c, "bytes of corners", g->corner, h->corner, g->states * sizeof *g->corner);
  same(c, "bytes of the table", g->table, h->table, (size_t)g->states * g->stride * sizeof *g->table);
  same(c, "bytes of slots", g->slots, h->slots, g->slot_count * sizeof *g->slots);
  if (g->vectors) {
    const struct gli_vectors *v = g->vectors, *w = h->vectors;
    same_sizes(c, "vectors", v->count, w->count);
    same_sizes(c, "vectors in use", v->used, w->used);
    for (uint32_t k = 0; k < v->count; k++) {
      gli_vector *x = gli_vectors_at(g, k), *y = gli_vectors_at(h, k);
      same(c, "a vector", x, y, sizeof *x);
      same(c, "bytes of successors", gli_vector_successors(x), gli_vector_successors(y),
           g->model->observations * sizeof(uint32_t));
      same(c, "bytes of values", gli_vector_values(g, x), gli_vector_values(h, y), g->states * sizeof(double));
    }
    same(c, "bytes of the matrix", v->matrix, w->matrix, (size_t)g->states * v->width * sizeof *v->matrix);
    same(c, "bytes of wins", v->wins, w->wins, v->used * sizeof *v->wins);
    same(c, "bytes of what is owed", &v->owed, &w->owed, sizeof v->owed);
    same(c, "bytes of the random numbers", &v->random, &w->random, sizeof v->random);
    same(c, "bytes of the trial of vectors", &v->trial, &w->trial, sizeof v->trial);
  }
  if (g->sawtooth) {
    const struct gli_sawtooth *t = g->sawtooth, *u = h->sawtooth;
    same_sizes(c, "points", t->count, u->count);
    same(c, "bytes of points", t->points, u->points, t->count * sizeof *t->points);
    same(c, "bytes of depths", t->depth, u->depth, (size_t)t->count * g->actions * sizeof *t->depth);
    same(c, "bytes of the trial of points", &t->trial, &u->trial, sizeof t->trial);
  }
}

static void free_other(gli_search *search) {
  gli_graph *graph = search->graph;
  gli_search_free(search);
  gli_graph_free(graph);
}

static void start(search_case *c, uint64_t seed) {
  random_shape shape = random_model_shape(seed, 5, 3, 3);
  shape.discount = seed % 2 ? 0.9 : 0.95;
  gli_graph_options options = search_case_options((unsigned)(seed * 7 % SEARCH_CASE_OPTIONS));
  search_case_start(c, seed, random_model_make(seed, &shape));
  if (seed % 3) search_case_loosen(c);
  search_case_search(c, &options, false);
}

/* Budgets of expansions. */
static void test_slices(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 180; seed++) {
    gli_random random = gli_random_stream(seed, "slices", 0);
    uint64_t all = 20 + gli_random_below(&random, 200);
    search_case c;
    start(&c, seed);
    glimpse_stop whole = search_case_run(&c, all), stop = GLIMPSE_STOP_NONE;
    gli_search *other = search_case_other(&c, &c.graph->options, false);
    for (uint64_t left = all; left && stop != GLIMPSE_STOP_SOLVED;) {
      uint64_t slice = 1 + gli_random_below(&random, 50);
      if (slice > left) slice = left;
      stop = gli_search_run(other, &(glimpse_budget){.expansions = slice}, 0);
      left -= slice;
    }
    assert_int_equal(whole, stop);
    compare(&c, c.search, other); /* with the last look, and without */
    gli_search_look_away(c.search);
    gli_search_look_away(other);
    compare(&c, c.search, other);
    free_other(other);
    search_case_stop(&c);
  }
}

/* The root of both moves along the same way, where the second was looked at more often.  What is seen stays when the
 * root moves, so the last look is at the same moment. */
static void test_moves(void **state) {
  (void)state;
  unsigned moved = 0;
  for (uint64_t seed = 0; seed < 120; seed++) {
    gli_random random = gli_random_stream(seed, "slices", 3);
    search_case c;
    start(&c, seed);
    gli_search *other = search_case_other(&c, &c.graph->options, false);
    for (unsigned step = 0; step < 6; step++) {
      search_case_run(&c, 40);
      glimpse_stop stop = GLIMPSE_STOP_NONE;
      for (uint64_t left = 40; left && stop != GLIMPSE_STOP_SOLVED;) {
        uint64_t slice = 1 + gli_random_below(&random, 20);
        if (slice > left) slice = left;
        stop = gli_search_run(other, &(glimpse_budget){.expansions = slice}, 0);
        left -= slice;
      }
      compare(&c, c.search, other);
      gli_graph *graph = c.graph;
      gli_outcome to;
      uint32_t choice = gli_backup_decide(graph, graph->root), count = 0;
      while (gli_graph_outcome(graph, graph->root, choice, count, &to)) count++;
      if (!count) break;
      gli_graph_outcome(graph, graph->root, choice, gli_random_below(&random, count), &to);
      if (choice == graph->actions) {
        assert_true(gli_search_reveal(c.search, to.label) && gli_search_reveal(other, to.label));
      } else {
        gli_search *both[] = {c.search, other};
        for (unsigned k = 0; k < 2; k++) {
          gli_graph *g = both[k]->graph;
          uint32_t index[8];
          double value[8];
          assert_true(gli_maker_follow(g, gli_graph_belief(g, gli_graph_node(g, g->root)), choice, to.label));
          glimpse_row made = gli_sparse_row(&g->maker->belief);
          memcpy(index, made.index, made.count * sizeof *index);
          memcpy(value, made.value, made.count * sizeof *value);
          assert_true(gli_search_move(both[k], choice, to.label, (glimpse_row){made.count, index, value}));
        }
      }
      moved++;
      compare(&c, c.search, other);
    }
    free_other(other);
    search_case_stop(&c);
  }
  assert_true(moved > 200);
}

/* The budget is used up before any work is done: only the root is looked at. */
static void look(gli_search *search) {
  static volatile int raised = 1;
  assert_int_equal(gli_search_run(search, &(glimpse_budget){.interrupt = &raised}, 0), GLIMPSE_STOP_INTERRUPTED);
}

/* Looks after any number of units of work: in the middle of a walk, of expansions, of backups; also where the root is
 * a corner, whose bounds are in more places. */
static void test_interrupts(void **state) {
  (void)state;
  unsigned phases = 0, seen = 0, seen_corners = 0;
  for (uint64_t seed = 0; seed < 600; seed++) {
    gli_random random = gli_random_stream(seed, "slices", 1);
    search_case c;
    start(&c, seed);
    gli_search *other = search_case_other(&c, &c.graph->options, false);
    if (seed % 4 == 3) assert_true(gli_search_reveal(c.search, 0) && gli_search_reveal(other, 0));
    look(c.search);
    gli_search_look_away(c.search);
    for (unsigned i = 0; i < 40; i++) {
      gli_node *root = gli_graph_node(other->graph, other->graph->root);
      double upper = root->upper, lower = root->lower;
      look(other);
      phases |= 1u << other->phase;
      root = gli_graph_node(other->graph, other->graph->root);
      bool better = i && (root->upper < upper || root->lower > lower);
      seen += better;
      seen_corners += better && root->state != GLI_NONE;
      gli_search_look_away(other);
      glimpse_stop mine = GLIMPSE_STOP_NONE, its = GLIMPSE_STOP_NONE;
      for (unsigned k = gli_random_below(&random, 12); k && !mine; k--) {
        mine = gli_search_step(c.search);
        its = gli_search_step(other);
        assert_int_equal(mine, its);
      }
      if (i % 8 == 7) compare(&c, c.search, other);
      if (mine) break;
    }
    compare(&c, c.search, other);
    free_other(other);
    search_case_stop(&c);
  }
  assert_int_equal(phases, (1 << (GLI_PHASE_LEARN + 1)) - 1); /* in every phase */
  if (seen < 600 || seen_corners < 60) fail_msg("better bounds were seen %u times, %u at corners", seen, seen_corners);
}

/* What is seen is sound, and no worse than what was there before. */
static void test_sound(void **state) {
  (void)state;
  unsigned tighter = 0;
  for (uint64_t seed = 0; seed < 150; seed++) {
    random_shape shape = search_case_pair(seed, seed % 3 > 0);
    gli_graph_options options = search_case_options((unsigned)(seed * 7 % SEARCH_CASE_OPTIONS));
    gli_random random = gli_random_stream(seed, "slices", 2);
    search_case c;
    search_case_start(&c, seed, random_model_make(seed, &shape));
    search_case_loosen(&c);
    search_case_exact(&c);
    search_case_search(&c, &options, false);
    search_case_run(&c, 1);
    double exact = search_case_value(&c, glimpse_model_start(c.model)), error = search_case_error(&c);
    double seen_upper = INFINITY, seen_lower = -INFINITY;
    for (unsigned i = 0; i < 30; i++) {
      gli_search_look_away(c.search);
      glimpse_stop stop = GLIMPSE_STOP_NONE;
      for (unsigned k = gli_random_below(&random, 6); k && !stop; k--) stop = gli_search_step(c.search);
      double upper = search_case_root(&c)->upper, lower = search_case_root(&c)->lower;
      look(c.search);
      const gli_node *root = search_case_root(&c);
      if (root->upper > upper || root->lower < lower) search_case_fail(&c, "worse than before", root->upper, upper);
      if (root->upper < exact - error) search_case_fail(&c, "below the value", root->upper, exact);
      if (root->lower > exact + error) search_case_fail(&c, "above the value", root->lower, exact);
      tighter += root->upper < upper - c.graph->floor || root->lower > lower + c.graph->floor;
      seen_upper = fmin(seen_upper, root->upper);
      seen_lower = fmax(seen_lower, root->lower);
      if (stop) break;
    }
    if (search_case_root(&c)->upper > seen_upper + 8 * c.graph->floor ||
        search_case_root(&c)->lower < seen_lower - 8 * c.graph->floor)
      search_case_fail(&c, "what was seen is gone", search_case_root(&c)->upper, seen_upper);
    search_case_stop(&c);
  }
  assert_true(tighter > 50);
}

/* What was seen stays when the root moves: nothing is taken back then. */
static void test_keep(void **state) {
  (void)state;
  random_shape shape = random_model_shape(4, 5, 3, 3);
  search_case c;
  search_case_start(&c, 4, random_model_make(4, &shape));
  search_case_search(&c, &(gli_graph_options){.sharing = GLI_SHARE_ALL, .live = true}, false);
  search_case_run(&c, 7);
  assert_true(c.search->looked);
  uint32_t before = c.graph->root;
  gli_graph_node(c.graph, before)->upper -= 1;
  double upper = gli_graph_node(c.graph, before)->upper;
  assert_true(gli_search_reveal(c.search, 0));
  assert_false(c.search->looked);
  gli_search_look_away(c.search);
  assert_true(gli_graph_node(c.graph, before)->upper == upper);
  search_case_stop(&c);
}

/* In a tree: an answer knows of every choice of the root what can be known. */
static void test_choices(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 100; seed++) {
    random_shape shape = random_model_shape(seed, 5, 3, 3);
    gli_graph_options options = search_case_options((unsigned)(3 * (seed * 7 % (SEARCH_CASE_OPTIONS / 3))));
    search_case c;
    search_case_start(&c, seed, random_model_make(seed, &shape));
    if (seed % 3) search_case_loosen(&c);
    search_case_search(&c, &options, false);
    search_case_run(&c, 5 + seed);
    double known[2 * 4];
    size_t bytes = 2 * (c.graph->actions + (size_t)1) * sizeof *known;
    assert_true(bytes <= sizeof known);
    memcpy(known, gli_node_uppers(search_case_root(&c)), bytes);
    gli_backup_all(c.graph, c.graph->root);
    same(&c, "bytes of the bounds of choices", known, gli_node_uppers(search_case_root(&c)), bytes);
    search_case_stop(&c);
  }
}

/* Two episodes: nothing depends on the one before, even if it was longer. */
static void test_anew(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 90; seed++) {
    search_case c;
    start(&c, seed);
    gli_search *other = search_case_other(&c, &c.graph->options, false);
    gli_search_run(other, &(glimpse_budget){.expansions = 5 + 3 * seed}, 0);
    assert_true(gli_search_begin(other, glimpse_model_start(c.model), false, true));
    other->units = other->graph->expansions = 0; /* these are in all */
    other->began = 0;
    if (other->graph->sawtooth) other->graph->sawtooth->began = 0;
    search_case_run(&c, 60);
    gli_search_run(other, &(glimpse_budget){.expansions = 60}, 0);
    compare(&c, c.search, other);
    free_other(other);
    search_case_stop(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_slices),     cmocka_unit_test(test_moves),
                                     cmocka_unit_test(test_interrupts), cmocka_unit_test(test_sound),
                                     cmocka_unit_test(test_keep),       cmocka_unit_test(test_anew),
                                     cmocka_unit_test(test_choices)};
  return cmocka_run_group_tests_name("slices", tests, NULL, NULL);
}
