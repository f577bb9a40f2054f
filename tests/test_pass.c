/* Pass: walks against a naive breadth-first search; Psi after many passes against the linear system, solved by
 * elimination; candidates and their scores one by one; choosing against sorting. */
#include "graph/pass.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/search_case.h"
#include "support/search_mass.h"

static void start(search_case *c, uint64_t seed, unsigned states, uint64_t expansions) {
  random_shape shape = random_model_shape(seed, states, 3, 3);
  gli_graph_options options = search_case_options((unsigned)(seed * 7 % SEARCH_CASE_OPTIONS));
  search_case_start(c, seed, random_model_make(seed, &shape));
  if (seed % 2) search_case_loosen(c);
  search_case_search(c, &options, false);
  search_case_run(c, expansions);
}

/* ------------------------------------------------------------------- order */

/* The choices that a walk follows at a node, first to last. */
static bool follows(const gli_graph *graph, uint32_t node, uint32_t choice, bool plan) {
  gli_node *n = gli_graph_node(graph, node);
  if (plan) return choice == n->plan;
  if (graph->options.rule != GLI_RULE_SATIA_LAVE) return choice == n->greedy;
  return choice == n->greedy || gli_node_uppers(n)[choice] >= n->lower;
}

static size_t naive_walk(const gli_graph *graph, bool plan, uint32_t *order) {
  bool *met = calloc(graph->node_count, sizeof *met);
  assert_non_null(met);
  size_t count = 0;
  met[graph->root] = true;
  order[count++] = graph->root;
  for (size_t at = 0; at < count; at++)
    for (uint32_t c = 0; c <= graph->actions && gli_graph_node(graph, order[at])->greedy != GLI_NONE; c++) {
      gli_outcome to;
      for (uint32_t i = 0; follows(graph, order[at], c, plan) && gli_graph_outcome(graph, order[at], c, i, &to); i++) {
        uint32_t behind = gli_graph_behind(graph, to.link);
        if (behind == GLI_NONE || met[behind]) continue;
        met[behind] = true;
        order[count++] = behind;
      }
    }
  free(met);
  return count;
}

static void test_order(void **state) {
  (void)state;
  size_t longest = 0;
  for (uint64_t seed = 0; seed < 300; seed++) {
    search_case c;
    start(&c, seed, 5, 40);
    uint32_t *order = calloc(c.graph->node_count, sizeof *order);
    assert_non_null(order);
    for (int plan = 0; plan < 2; plan++) {
      gli_pass *pass = &c.search->pass;
      assert_true(gli_pass_begin(pass, plan));
      for (unsigned rounds = 0; !gli_pass_walked(pass); rounds++) { /* in pieces of any length */
        assert_true(rounds <= c.graph->node_count);
        assert_true(gli_pass_walk(pass, 1 + seed % 5));
      }
      size_t count = naive_walk(c.graph, plan, order);
      if (count != pass->count || memcmp(order, pass->order, count * sizeof *order))
        search_case_fail(&c, plan ? "another order of the plan" : "another order", (double)count, (double)pass->count);
      longest = count > longest ? count : longest;
      for (size_t i = 0; i < count; i++) assert_int_equal(gli_graph_node(c.graph, order[i])->place, i);
    }
    free(order);
    search_case_stop(&c);
  }
  assert_true(longest > 20);
}

/* --------------------------------------------------------------------- Psi */

static void walk_all(gli_pass *pass) {
  assert_true(gli_pass_begin(pass, false));
  assert_true(gli_pass_walk(pass, SIZE_MAX));
  assert_true(gli_pass_walked(pass));
}

static void check_mass(const search_case *c, const search_mass *m) {
  for (uint32_t node = 0; node < c->graph->node_count; node++) {
    const gli_node *n = gli_graph_node(c->graph, node);
    bool met = n->stamp == c->search->pass.stamp;
    if (met != (m->place[node] > 0)) search_case_fail(c, "met, or not", node, met);
    double mass = search_mass_node(m, node);
    if (met && fabs(n->mass - mass) > 1e-9 * fmax(mass, 1)) search_case_fail(c, "another Psi", n->mass, mass);
  }
}

static void check_candidates(const search_case *c, const search_mass *m) {
  const gli_graph *graph = c->graph;
  const gli_pass *pass = &c->search->pass;
  double best = 0, sum = 0, all = 0;
  for (size_t i = 0; i < pass->candidate_count; i++) {
    const gli_candidate *x = &pass->candidates[i];
    double score = x->node == GLI_NONE ? search_mass_corner_score(m, graph, x->child)
                                       : search_mass_score(m, graph, x->node, x->choice, x->child);
    if (fabs(x->score - score) > 1e-9 * fmax(1, graph->scale) * fmax(1, 1 / (1 - graph->discount)))
      search_case_fail(c, "another score", x->score, score);
    best = fmax(best, x->score);
    sum += x->score;
    for (size_t k = 0; k < i; k++) /* none is there twice */
      assert_false(x->node == pass->candidates[k].node && x->child == pass->candidates[k].child);
  }
  gli_outcome to;
  for (uint32_t node = 0; node < graph->node_count; node++)
    for (uint32_t choice = 0; choice <= graph->actions && m->place[node]; choice++)
      for (uint32_t i = 0; gli_graph_outcome(graph, node, choice, i, &to); i++)
        if (to.child != GLI_NONE && gli_link_fringe(to.link))
          all += search_mass_score(m, graph, node, choice, to.child);
  for (uint32_t s = 0; s < graph->states; s++) all += search_mass_corner_score(m, graph, s);
  double off = 1e-8 * fmax(1, all);
  if (fabs(best - search_mass_best(m, graph)) > off)
    search_case_fail(c, "not the best", best, search_mass_best(m, graph));
  if (fabs(sum - all) > off) search_case_fail(c, "candidates are missing", sum, all);
}

static void test_psi(void **state) {
  (void)state;
  unsigned loops = 0, shared = 0;
  for (uint64_t seed = 0; seed < 250; seed++) {
    search_case c;
    start(&c, seed, 4, 30);
    for (unsigned i = 0; i < 900; i++) walk_all(&c.search->pass);
    search_mass m = search_mass_of(c.graph);
    check_mass(&c, &m);
    check_candidates(&c, &m);
    for (size_t i = 0; i < m.count; i++) shared += m.mass[i] > 1.5; /* it comes back there */
    for (size_t i = 0; i < m.count; i++) {
      gli_outcome to;
      uint32_t node = m.item[i], greedy = node < m.nodes ? gli_graph_node(c.graph, node)->greedy : GLI_NONE;
      for (uint32_t k = 0; greedy != GLI_NONE && gli_graph_outcome(c.graph, node, greedy, k, &to); k++)
        loops += gli_graph_behind(c.graph, to.link) == node;
    }
    search_mass_free(&m);
    search_case_stop(&c);
  }
  assert_true(loops > 20 && shared > 50); /* nodes that lead to themselves, and longer cycles */
}

/* One walk sees what is there: the first time without what comes back, and never more than the whole. */
static void test_first_walk(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 100; seed++) {
    search_case c;
    start(&c, seed, 4, 30);
    for (uint32_t i = 0; i < c.graph->node_count; i++) gli_graph_node(c.graph, i)->back = 0;
    search_mass m = search_mass_of(c.graph);
    double before = 0;
    for (unsigned i = 0; i < 6; i++) {
      double sum = 0;
      walk_all(&c.search->pass);
      for (size_t k = 0; k < c.search->pass.count; k++) {
        uint32_t node = c.search->pass.order[k];
        double mass = gli_graph_node(c.graph, node)->mass, whole = search_mass_node(&m, node);
        if (mass > whole * (1 + 1e-9) + 1e-12) search_case_fail(&c, "more than can come", mass, whole);
        sum += mass;
      }
      if (sum < before * (1 - 1e-12)) search_case_fail(&c, "mass is lost", sum, before);
      before = sum;
    }
    search_mass_free(&m);
    search_case_stop(&c);
  }
}

/* ---------------------------------------------------------------- choosing */

static int naive_order(const void *left, const void *right) {
  const gli_candidate *x = left, *y = right;
  if (x->score != y->score) return x->score > y->score ? -1 : 1;
  if (x->node != y->node) return x->node < y->node ? -1 : 1;
  return x->child < y->child ? -1 : x->child > y->child;
}

static void test_choose(void **state) {
  (void)state;
  enum { MOST = 200 };
  for (uint64_t seed = 0; seed < 4000; seed++) {
    gli_random random = gli_random_stream(seed, "choose", 0);
    gli_candidate given[MOST], sorted[MOST];
    size_t count = gli_random_below(&random, seed % 10 ? 12 : MOST);
    uint32_t scores = 1 + gli_random_below(&random, 6); /* few: many ties */
    for (size_t i = 0; i < count; i++) {
      given[i] =
          (gli_candidate){0.25 + gli_random_below(&random, scores), gli_random_below(&random, 3), 0, (uint32_t)i};
      if (seed % 3 == 0) given[i].score = gli_random_unit(&random);
      if (seed % 5 == 0) given[i].score = (double)(seed % 2 ? i : count - i); /* in order, and the other way round */
    }
    memcpy(sorted, given, sizeof *given * count);
    qsort(sorted, count, sizeof *sorted, naive_order);
    gli_pass pass = {.candidates = given, .candidate_count = count, .candidate_capacity = MOST};
    size_t wanted = gli_random_below(&random, (uint32_t)count + 3), chosen = wanted < count ? wanted : count;
    gli_pass_choose(&pass, wanted);
    if (pass.chosen != chosen) fail_msg("seed %llu: %zu chosen of %zu", (unsigned long long)seed, pass.chosen, wanted);
    for (size_t i = 0; i < chosen; i++)
      if (naive_order(&given[i], &sorted[i])) fail_msg("seed %llu: another at place %zu", (unsigned long long)seed, i);
    qsort(given, count, sizeof *given, naive_order); /* none is lost */
    for (size_t i = 0; i < count; i++) assert_int_equal(naive_order(&given[i], &sorted[i]), 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_order), cmocka_unit_test(test_psi),
                                     cmocka_unit_test(test_first_walk), cmocka_unit_test(test_choose)};
  return cmocka_run_group_tests_name("pass", tests, NULL, NULL);
}
