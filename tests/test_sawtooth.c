/* Sawtooth: against naive interpolation over all points, and against exact values of actions; its lists, replacement,
 * and what moves with the nodes. */
#include "graph/line.h"
#include "graph/sawtooth.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "graph/collect.h"
#include "graph/expand.h"
#include "support/search_case.h"

enum { MOST_STATES = 8, MOST_ACTIONS = 4 };

static void start(search_case *c, uint64_t seed, const random_shape *shape, unsigned form) {
  gli_graph_options options = search_case_options(form * 9 + (unsigned)(seed % 9));
  search_case_start(c, seed, random_model_make(seed, shape));
  search_case_loosen(c);
  search_case_search(c, &options, false);
}

/* ------------------------------------------------------------------- lists */

/* Every point is in the list of its likeliest state, once, and its node knows it; nobody else does. */
static void check_lists(const search_case *c) {
  const gli_graph *graph = c->graph;
  const struct gli_sawtooth *t = graph->sawtooth;
  uint32_t listed = 0, known = 0;
  for (uint32_t s = 0; s < graph->states; s++)
    for (uint32_t k = t->first[s]; k != GLI_NONE; k = t->points[k].next) {
      if (++listed > t->count) search_case_fail(c, "a list without end", s, k);
      const gli_node *n = gli_graph_node(graph, t->points[k].node);
      glimpse_row belief = gli_graph_belief(graph, n);
      double most = 0, mine = 0;
      for (size_t i = 0; i < belief.count; i++) {
        most = fmax(most, belief.value[i]);
        if (belief.index[i] == s) mine = belief.value[i];
      }
      if (mine != most) search_case_fail(c, "not its likeliest state", mine, most);
      if (t->points[k].anchor != s) search_case_fail(c, "in the list of another", t->points[k].anchor, s);
      if (n->point != k) search_case_fail(c, "its node does not know it", n->point, k);
      if (n->state != GLI_NONE || n->support < 2) search_case_fail(c, "a corner is a point", n->state, k);
    }
  if (listed != t->count) search_case_fail(c, "points that are not listed", listed, t->count);
  for (uint32_t i = 0; i < graph->node_count; i++) known += gli_graph_node(graph, i)->point != GLI_NONE;
  if (known != t->count) search_case_fail(c, "nodes that are points", known, t->count);
  for (uint32_t s = 0; s < graph->states; s++) assert_true(t->mass[s] == 0);
}

/* Depths are not above 0, not deeper than the points are now, and measured against a table that is not below the
 * graph's. */
static void check_depths(const search_case *c) {
  const gli_graph *graph = c->graph;
  const struct gli_sawtooth *t = graph->sawtooth;
  for (uint32_t s = 0; s < graph->states && t->count; s++)
    for (uint32_t a = 0; a < graph->actions; a++) {
      double kept = t->table[s * gli_line_even(graph->actions) + a], now = graph->table[s * graph->stride + a];
      if (kept < now) search_case_fail(c, "below the table", kept, now);
    }
  for (uint32_t k = 0; k < t->count; k++) {
    gli_node *n = gli_graph_node(graph, t->points[k].node);
    glimpse_row belief = gli_graph_belief(graph, n);
    for (uint32_t a = 0; a < graph->actions; a++) {
      double sum = 0, depth = t->depth[(size_t)k * graph->actions + a];
      for (size_t i = 0; i < belief.count; i++)
        sum += belief.value[i] * t->table[belief.index[i] * gli_line_even(graph->actions) + a];
      if (depth > 0) search_case_fail(c, "a point above the table", depth, k);
      if (depth < 0 && sum + depth < gli_node_uppers(n)[a] - 4 * gli_graph_slack(graph, sum))
        search_case_fail(c, "a point that is too deep", sum + depth, gli_node_uppers(n)[a]);
    }
  }
}

/* ------------------------------------------------------------------- naive */

/* Bounds of all actions by at most so many points, which are taken out of the belief one after the other. */
static void naive(const gli_graph *graph, const double *belief, unsigned parts, double *bounds) {
  const struct gli_sawtooth *t = graph->sawtooth;
  double dense[MOST_STATES], sum[MOST_ACTIONS] = {0}, base[MOST_ACTIONS] = {0}, deepest[MOST_ACTIONS] = {0};
  memcpy(dense, belief, graph->states * sizeof *dense);
  for (uint32_t a = 0; a < graph->actions; a++)
    for (uint32_t s = 0; s < graph->states; s++) sum[a] += dense[s] * t->table[s * gli_line_even(graph->actions) + a];
  for (unsigned i = 0; i < parts; i++) {
    uint32_t top = 0, best = GLI_NONE;
    double most = 0, taken = 0;
    for (uint32_t a = 1; a < graph->actions; a++) top = sum[a] + base[a] > sum[top] + base[top] ? a : top;
    for (uint32_t k = 0; k < t->count; k++) {
      glimpse_row point = gli_graph_belief(graph, gli_graph_node(graph, t->points[k].node));
      const double *depth = t->depth + (size_t)k * graph->actions;
      double weight = 1;
      for (size_t j = 0; j < point.count; j++) weight = fmin(weight, dense[point.index[j]] / point.value[j]);
      if (weight < GLI_TUNING_NEAR) continue;
      if (weight * depth[top] < most) most = weight * depth[top], best = k, taken = weight;
      for (uint32_t a = 0; a < graph->actions; a++) deepest[a] = fmin(deepest[a], base[a] + weight * depth[a]);
    }
    if (best == GLI_NONE) break;
    glimpse_row point = gli_graph_belief(graph, gli_graph_node(graph, t->points[best].node));
    for (size_t j = 0; j < point.count; j++)
      dense[point.index[j]] = fmax(0, dense[point.index[j]] - taken * point.value[j]);
    for (uint32_t a = 0; a < graph->actions; a++) base[a] += taken * t->depth[(size_t)best * graph->actions + a];
  }
  for (uint32_t a = 0; a < graph->actions; a++) bounds[a] = sum[a] + deepest[a];
}

static unsigned compare(search_case *c, gli_random *random, unsigned *together) {
  gli_graph *graph = c->graph;
  unsigned lowered = 0;
  /* Where there are many points not all are compared; then the bounds are at least as good as by one. */
  bool few = graph->sawtooth->count * MOST_STATES * GLI_TUNING_PARTS <= GLI_TUNING_LOOKS;
  for (unsigned i = 0; i < 20; i++) {
    double dense[MOST_STATES], value[MOST_STATES], uppers[MOST_ACTIONS], want[MOST_ACTIONS], one[MOST_ACTIONS];
    double best = -INFINITY, got = -INFINITY;
    uint32_t index[MOST_STATES];
    random_belief(random, graph->states, dense);
    glimpse_row row = random_belief_row(dense, graph->states, index, value);
    if (row.count < 2 || !graph->sawtooth->count) continue;
    for (uint32_t a = 0; a < graph->actions; a++) uppers[a] = INFINITY;
    gli_sawtooth_lower(graph, row, uppers, false);
    naive(graph, dense, GLI_TUNING_PARTS, want);
    naive(graph, dense, 1, one);
    for (uint32_t a = 0; a < graph->actions; a++) {
      double sum = 0, slack = gli_graph_slack(graph, want[a]), tiny = 1e-9 * graph->scale;
      best = fmax(best, want[a]);
      got = fmax(got, uppers[a]);
      if (few && uppers[a] < want[a] - tiny) search_case_fail(c, "below the naive sawtooth", uppers[a], want[a]);
      if (few && uppers[a] > want[a] + 4 * slack + tiny)
        search_case_fail(c, "above the naive sawtooth", uppers[a], want[a]);
      if (uppers[a] > one[a] + 4 * slack) search_case_fail(c, "above one point", uppers[a], one[a]);
      for (uint32_t s = 0; s < graph->states; s++)
        sum += dense[s] * graph->sawtooth->table[s * gli_line_even(graph->actions) + a];
      lowered += want[a] < sum - 8 * slack;
      if (few) *together += want[a] < one[a] - 8 * slack - tiny;
    }
    double upper = gli_sawtooth_upper(graph, row);
    if (upper != got) search_case_fail(c, "another upper bound", upper, got);
    if (few && fabs(upper - best) > 1e-9 * graph->scale + 4 * gli_graph_slack(graph, best))
      search_case_fail(c, "not the best", upper, best);
    for (uint32_t a = 0; a < graph->actions; a++) uppers[a] = -1e300; /* nothing rises */
    gli_sawtooth_lower(graph, row, uppers, false);
    for (uint32_t a = 0; a < graph->actions; a++) assert_true(uppers[a] == -1e300);
  }
  return lowered;
}

static void test_naive(void **state) {
  (void)state;
  unsigned lowered = 0, points = 0, together = 0;
  for (uint64_t seed = 0; seed < 200; seed++) {
    random_shape shape = random_model_shape(seed, 6, 3, 3);
    shape.discount = seed % 2 ? 0.9 : 0.7;
    gli_random random = gli_random_stream(seed, "sawtooth", 0);
    search_case c;
    start(&c, seed, &shape, seed % 2 ? 0 : 1);
    for (unsigned i = 0; i < 3; i++) {
      search_case_run(&c, 5 + 60 * i);
      check_lists(&c);
      check_depths(&c);
      lowered += compare(&c, &random, &together);
    }
    points += c.graph->sawtooth->count;
    search_case_stop(&c);
  }
  assert_true(lowered > 500 && points > 500 && together > 500);
}

/* -------------------------------------------------------------------- exact */

static void test_sound(void **state) {
  (void)state;
  unsigned points = 0;
  for (uint64_t seed = 0; seed < 200; seed++) {
    random_shape shape = search_case_pair(seed, seed % 3 > 0);
    gli_random random = gli_random_stream(seed, "sawtooth", 1);
    search_case c;
    start(&c, seed, &shape, seed % 2 ? 0 : 1);
    search_case_exact(&c);
    double error = search_case_error(&c);
    for (unsigned k = 0; k < 3; k++) {
      search_case_run(&c, 10 + 20 * k);
      points += c.graph->sawtooth->count;
      for (unsigned i = 0; i < 20; i++) {
        double p = gli_random_unit(&random), value[] = {1 - p, p}, uppers[MOST_ACTIONS];
        glimpse_row row = {2, (uint32_t[]){0, 1}, value};
        for (uint32_t a = 0; a < c.graph->actions; a++) uppers[a] = INFINITY;
        gli_sawtooth_lower(c.graph, row, uppers, false);
        for (uint32_t a = 0; a < c.graph->actions; a++) {
          double exact = search_case_choice(&c, row, a);
          if (uppers[a] < exact - error) search_case_fail(&c, "below the value of an action", uppers[a], exact);
        }
      }
    }
    search_case_stop(&c);
  }
  assert_true(points > 200);
}

/* The table falls between two measurements: depths belong to the table as it was. */
static void test_stale(void **state) {
  (void)state;
  random_shape shape = {
      .states = 4, .actions = 2, .observations = 2, .spread = 3, .high = 2, .low = -1, .discount = 0.9, .cost = 0.3};
  search_case c;
  start(&c, 7, &shape, 0);
  search_case_run(&c, 100);
  struct gli_sawtooth *t = c.graph->sawtooth;
  assert_true(t->count > 2);
  double dense[] = {0.1, 0.2, 0.3, 0.4}, before[2], after[2];
  glimpse_row row = {4, (uint32_t[]){0, 1, 2, 3}, dense};
  for (uint32_t a = 0; a < 2; a++) before[a] = after[a] = INFINITY;
  gli_sawtooth_lower(c.graph, row, before, false);
  for (uint32_t s = 0; s < 4; s++)
    for (uint32_t a = 0; a < 2; a++) c.graph->table[s * c.graph->stride + a] -= 0.5;
  gli_sawtooth_lower(c.graph, row, after, false);
  for (uint32_t a = 0; a < 2; a++) assert_true(before[a] == after[a]);
  t->measured = UINT64_MAX; /* now it is due: the table alone gives as much, and points are less deep */
  gli_sawtooth_measure(c.graph);
  for (uint32_t s = 0; s < 4; s++)
    for (uint32_t a = 0; a < 2; a++) assert_true(t->table[s * 2 + a] == c.graph->table[s * c.graph->stride + a]);
  check_depths(&c);
  search_case_stop(&c);
}

/* -------------------------------------------------------- places and moving */

/* Nodes of random beliefs are offered with upper bounds that fall below the table. */
static void test_replacement(void **state) {
  (void)state;
  random_shape shape = {
      .states = 6, .actions = 2, .observations = 2, .spread = 3, .high = 2, .low = -1, .discount = 0.9, .cost = 0.3};
  gli_random random = gli_random_stream(11, "sawtooth", 2);
  search_case c;
  start(&c, 11, &shape, 0);
  gli_sawtooth_measure(c.graph);
  struct gli_sawtooth *t = c.graph->sawtooth;
  unsigned taken = 0, refused = 0;
  double worst = INFINITY;
  for (unsigned i = 0; i < 4 * GLI_TUNING_POINTS; i++) {
    double dense[6], value[6];
    uint32_t index[6];
    random_belief(&random, 6, dense);
    glimpse_row row = random_belief_row(dense, 6, index, value);
    if (row.count < 2) continue;
    uint32_t node = gli_expand_node(c.graph, row, GLI_NONE, (gli_seen){0});
    gli_node *n = gli_graph_node(c.graph, node);
    n->mass = gli_random_unit(&random);
    for (uint32_t a = 0; a < 2; a++) gli_node_uppers(n)[a] -= 10 + gli_random_unit(&random);
    uint32_t before = t->count;
    gli_sawtooth_offer(c.graph, node);
    bool there = gli_graph_node(c.graph, node)->point != GLI_NONE;
    taken += there;
    refused += !there && before == GLI_TUNING_POINTS;
    assert_true(t->count <= GLI_TUNING_POINTS && t->count >= before);
    if (i % 200 == 0) check_lists(&c), check_depths(&c);
    gli_sawtooth_offer(c.graph, node); /* once is enough */
    assert_true(t->count <= before + 1);
  }
  for (uint32_t k = 0; k < t->count; k++) worst = fmin(worst, t->points[k].worth);
  check_lists(&c);
  assert_int_equal(t->count, GLI_TUNING_POINTS);
  assert_true(taken > GLI_TUNING_POINTS + 20 && refused > 20 && worst > 0);
  gli_sawtooth_clear(c.graph);
  assert_int_equal(t->count, 0);
  for (uint32_t s = 0; s < 6; s++) assert_int_equal(t->first[s], GLI_NONE);
  search_case_stop(&c);
}

/* After nodes were squeezed out the points that are left are the same points. */
static void test_move(void **state) {
  (void)state;
  unsigned gone = 0, stayed = 0, together = 0;
  for (uint64_t seed = 0; seed < 100; seed++) {
    random_shape shape = random_model_shape(seed, 6, 3, 3);
    shape.discount = 0.9;
    gli_random random = gli_random_stream(seed, "sawtooth", 3);
    search_case c;
    start(&c, seed, &shape, 0);
    search_case_run(&c, 150);
    gli_search_look_away(c.search);
    gli_graph *graph = c.graph;
    struct gli_sawtooth *t = graph->sawtooth;
    uint32_t before = t->count;
    double depths = 0, left = 0;
    bool some = graph->node_count > 2;
    if (some) graph->root = 1 + gli_random_below(&random, (uint32_t)graph->node_count - 1);
    gli_search_restart(c.search);
    for (uint32_t k = 0; k < before; k++)
      for (uint32_t a = 0; a < graph->actions; a++) depths += t->depth[(size_t)k * graph->actions + a];
    gli_collect(&c.search->pass, seed % 2);
    check_lists(&c);
    check_depths(&c);
    for (uint32_t k = 0; k < t->count; k++)
      for (uint32_t a = 0; a < graph->actions; a++) left += t->depth[(size_t)k * graph->actions + a];
    assert_true(left >= depths - 1e-9 * fabs(depths));
    gone += before - t->count;
    stayed += t->count;
    compare(&c, &random, &together);
    search_case_stop(&c);
  }
  assert_true(gone > 20 && stayed > 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_naive), cmocka_unit_test(test_sound),
                                     cmocka_unit_test(test_stale), cmocka_unit_test(test_replacement),
                                     cmocka_unit_test(test_move)};
  return cmocka_run_group_tests_name("sawtooth", tests, NULL, NULL);
}
