/* Plain: the oracle of the fast form, against something plainer still: mass that is
 * sent through the whole graph, belief by belief, until none is left. */
#include "graph/plain.h"

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

/* Mass of every record, free-standing or not, after all paths from the root. */
static double *flood(const gli_graph *graph) {
  double *mass = calloc(graph->record_count, sizeof *mass), *now = calloc(graph->record_count, sizeof *now);
  double *next = calloc(graph->record_count, sizeof *next);
  assert_true(mass && now && next);
  double least = graph->options.rule == GLI_RULE_BI_POMDP ? 1e-200 : 1e-13; /* there a path counts, not its mass */
  now[graph->origins[graph->root].record] = 1;
  for (double most = 1; most > least;) {
    memset(next, 0, graph->record_count * sizeof *next);
    for (uint32_t i = 0; i < graph->record_count; i++) {
      if (now[i] == 0) continue;
      mass[i] += now[i];
      uint32_t node = graph->records[i].link;
      if (node == GLI_NONE) continue;
      if (node & GLI_ALIAS) { /* not a place of its own */
        mass[i] -= now[i];
        next[graph->origins[node & ~GLI_ALIAS].record] += now[i];
        continue;
      }
      const gli_expanded *e = gli_graph_node(graph, node);
      for (uint32_t c = 0; c <= graph->actions; c++) {
        double weight = now[i] * gli_backup_weight(graph, node, c) * (c < graph->actions ? graph->discount : 1);
        if (weight == 0) continue;
        uint32_t end, k = gli_graph_children(graph, node, c, &end);
        for (; k < end; k++) next[k] += weight * graph->records[k].probability;
        for (uint32_t s = 0; c == graph->actions && gli_graph_shares(graph) && s < e->support; s++)
          next[graph->origins[graph->corner[gli_graph_belief(graph, e).index[s]]].record] +=
              weight * gli_graph_belief(graph, e).value[s];
      }
    }
    most = 0;
    for (uint32_t i = 0; i < graph->record_count; i++) most = fmax(most, next[i]);
    double *swap = now;
    now = next;
    next = swap;
  }
  free(now);
  free(next);
  return mass;
}

static void compare(graph_case *c) {
  const gli_graph *graph = c->graph;
  uint32_t record;
  double score, best = 0, at_record = 0;
  assert_true(gli_plain_select(c->search->plain, &record, &score));
  double *mass = flood(graph);
  for (uint32_t i = 0; i < graph->record_count; i++) {
    if (mass[i] <= 0 || graph->records[i].link != GLI_NONE) continue;
    double value = gli_graph_gap(graph, &graph->records[i]);
    if (graph->options.rule != GLI_RULE_BI_POMDP) value *= mass[i];
    best = fmax(best, value);
    if (i == record) at_record = value;
  }
  if (fabs(score - best) > 1e-9 * fmax(best, 1e-3)) graph_case_fail(c, "not the best score", score, best);
  if (fabs(score - at_record) > 1e-9 * fmax(best, 1e-3)) graph_case_fail(c, "not its score", score, at_record);
  for (uint32_t x = 0; x < graph->origin_count; x++) {
    if (graph->origins[x].record == GLI_NONE) continue;
    double reach = gli_plain_reach(c->search->plain, x), exact = mass[graph->origins[x].record];
    if (fabs(reach - exact) > 1e-9) graph_case_fail(c, "another Psi", reach, exact);
  }
  free(mass);
}

static void test_select(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 300; seed++) {
    random_shape shape = random_model_shape(seed, 5, 3, 3);
    graph_case c;
    graph_case_start(&c, seed, random_model_make(seed, &shape));
    gli_graph_options options = graph_case_options((unsigned)(seed * 7 % GRAPH_CASE_OPTIONS));
    graph_case_search(&c, &options, true);
    for (unsigned i = 0; i < 15; i++) {
      compare(&c);
      if (gli_search_expand(c.search)) break;
    }
    graph_case_stop(&c);
  }
}

/* With a threshold of 0 nothing is left to back up; with a larger one the bounds are
 * less tight, but by no more than what was held back. */
static void test_propagate(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 300; seed++) {
    random_shape shape = random_model_shape(seed, 5, 3, 3);
    graph_case c;
    graph_case_start(&c, seed, random_model_make(seed, &shape));
    gli_graph_options options = graph_case_options((unsigned)(seed * 7 % 18));
    options.all_actions = true; /* or the records of the two would be numbered differently */
    graph_case_search(&c, &options, true);
    gli_graph *lazy = gli_graph_new(c.model, graph_case_bounds(&c), &options);
    gli_plain *plain = lazy ? gli_plain_new(lazy) : NULL;
    assert_true(plain && gli_graph_plant(lazy, glimpse_model_start(c.model)));
    double threshold = seed % 2 ? 1e-3 : 1e-6;
    for (unsigned i = 0; i < 20; i++) {
      uint32_t record;
      double score;
      assert_true(gli_plain_select(c.search->plain, &record, &score));
      if (record == GLI_NONE) break;
      assert_true(gli_graph_expand(c.graph, record) && gli_plain_propagate(c.search->plain, record, 0));
      assert_true(gli_graph_expand(lazy, record) && gli_plain_propagate(plain, record, threshold));
      const gli_record *tight = gli_graph_root(c.graph), *loose = gli_graph_root(lazy);
      double room = 3 * threshold / (1 - shape.discount) + 1e-9;
      if (loose->upper < tight->upper - 1e-9 || loose->upper > tight->upper + room)
        graph_case_fail(&c, "U under a threshold", loose->upper, tight->upper);
      if (loose->lower > tight->lower + 1e-9 || loose->lower < tight->lower - room)
        graph_case_fail(&c, "L under a threshold", loose->lower, tight->lower);
    }
    /* all that is left to do are scores, which the plain form does not use */
    double upper = gli_graph_root(c.graph)->upper, lower = gli_graph_root(c.graph)->lower;
    graph_case_converge(c.graph);
    graph_case_check(&c, GLI_CHECK_SETTLED);
    double slack = 64 * c.graph->floor;
    if (fabs(upper - gli_graph_root(c.graph)->upper) > slack || fabs(lower - gli_graph_root(c.graph)->lower) > slack)
      graph_case_fail(&c, "not backed up", upper, gli_graph_root(c.graph)->upper);
    gli_plain_free(plain);
    gli_graph_free(lazy);
    graph_case_stop(&c);
  }
}

/* Opening only what may be greedy: the same records are chosen and the same upper bounds
 * come out as with all children of all beliefs, with fewer of them. */
static void test_opening(void **state) {
  (void)state;
  size_t few = 0, many = 0;
  for (uint64_t seed = 0; seed < 600; seed++) {
    random_shape shape = random_model_shape(seed, 5, 4, 3);
    graph_case c;
    graph_case_start(&c, seed, random_model_make(seed, &shape));
    gli_graph_options options =
        graph_case_options((unsigned)(seed * 7 % 18)); /* not live: lower bounds do not matter */
    graph_case_search(&c, &options, true);
    options.all_actions = true;
    gli_graph *full = gli_graph_new(c.model, graph_case_bounds(&c), &options);
    gli_search *other = full ? gli_search_new(full, true, 0) : NULL;
    assert_true(other && gli_search_begin(other, glimpse_model_start(c.model), false, true));
    for (unsigned i = 0; i < 25; i++) {
      uint32_t record;
      double score, its;
      assert_true(gli_plain_select(c.search->plain, &record, &score));
      assert_true(gli_plain_select(other->plain, &record, &its));
      if (fabs(score - its) > 1e-9 * fmax(its, 1e-3)) graph_case_fail(&c, "another score", score, its);
      if (gli_search_expand(c.search) | gli_search_expand(other)) break;
      const gli_record *mine = gli_graph_root(c.graph), *root = gli_graph_root(full);
      if (fabs(mine->upper - root->upper) > 64 * full->floor)
        graph_case_fail(&c, "another upper bound", mine->upper, root->upper);
      if (mine->lower > root->lower + 64 * full->floor)
        graph_case_fail(&c, "a larger lower bound", mine->lower, root->lower);
    }
    graph_case_check(&c, GLI_CHECK_ANY);
    few += c.graph->records_live;
    many += full->records_live;
    gli_search_free(other);
    gli_graph_free(full);
    graph_case_stop(&c);
  }
  assert_true(few < many * 9 / 10);
}

typedef struct job {
  graph_case c;
  gli_graph_options options;
} job;

static glimpse_status starve(void *context) {
  job *j = context;
  gli_graph *graph = gli_graph_new(j->c.model, graph_case_bounds(&j->c), &j->options);
  gli_search *search = graph ? gli_search_new(graph, true, 0) : NULL;
  bool fine = search && gli_search_begin(search, glimpse_model_start(j->c.model), false, true);
  for (unsigned i = 0; fine && i < 30; i++) fine = !gli_search_expand(search);
  gli_search_free(search);
  gli_graph_free(graph);
  return fine ? GLIMPSE_OK : GLIMPSE_NO_MEMORY;
}

static void test_no_memory(void **state) {
  (void)state;
  random_shape shape = {
      .states = 5, .actions = 2, .observations = 3, .spread = 3, .high = 2, .low = -1, .discount = 0.9, .cost = 0.3};
  job j;
  graph_case_start(&j.c, 3, random_model_make(3, &shape));
  for (unsigned k = 0; k < 3; k++) {
    j.options = (gli_graph_options){.sharing = (gli_sharing)k};
    assert_true(failing_malloc_sweep(starve, &j) > 40);
  }
  graph_case_stop(&j.c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_select), cmocka_unit_test(test_propagate),
                                     cmocka_unit_test(test_opening), cmocka_unit_test(test_no_memory)};
  return cmocka_run_group_tests_name("plain", tests, NULL, NULL);
}
