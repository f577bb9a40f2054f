/* Graph case: see graph_case.h. */
#include "support/graph_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "graph/backup.h"
#include "graph/expand.h"
#include "paper/plain.h"

gli_graph_options graph_case_options(unsigned number) {
  return (gli_graph_options){.sharing = (gli_sharing)(number % 3),
                             .rule = (gli_rule)(number / 3 % 3),
                             .live = number / 9 % 2,
                             .learn_vectors = number / 18 % 2,
                             .learn_points = number / 36 % 2};
}

const char *graph_case_name(const gli_graph_options *options) {
  static const char *const sharing[] = {"none", "corners", "all"}, *const rule[] = {"aems", "bi-pomdp", "satia-lave"};
  static char name[96];
  snprintf(name, sizeof name, "%s, %s%s%s%s%s", sharing[options->sharing], rule[options->rule],
           options->paper ? ", paper" : "", options->live ? ", live" : "", options->learn_vectors ? ", vectors" : "",
           options->learn_points ? ", points" : "");
  return name;
}

void graph_case_start(graph_case *c, uint64_t seed, glimpse_model *model) {
  static const glimpse_bound_options precise = {.tolerance = 1e-12, .threads = 1};
  *c = (graph_case){.seed = seed, .model = model};
  assert_int_equal(glimpse_bound_new(model, glimpse_model_requests(model) ? GLIMPSE_BOUND_FIB_SR : GLIMPSE_BOUND_FIB,
                                     &precise, NULL, &c->upper),
                   GLIMPSE_OK);
  assert_int_equal(glimpse_bound_new(model, GLIMPSE_BOUND_BLIND, &precise, NULL, &c->blind), GLIMPSE_OK);
  if (glimpse_model_requests(model))
    assert_int_equal(glimpse_bound_new(model, GLIMPSE_BOUND_ALWAYS_ASK, &precise, NULL, &c->always_ask), GLIMPSE_OK);
  if (seed % 2) {
    assert_int_equal(glimpse_bound_new(model, glimpse_model_requests(model) ? GLIMPSE_BOUND_TIB_SR : GLIMPSE_BOUND_TIB,
                                       &precise, NULL, &c->tib),
                     GLIMPSE_OK);
    assert_int_equal(glimpse_bound_new(model, GLIMPSE_BOUND_SEQUENCE, &precise, NULL, &c->sequence), GLIMPSE_OK);
  }
}

gli_graph_bounds graph_case_bounds(graph_case *c) {
  size_t uppers = 0, lowers = 0;
  c->uppers[uppers++] = c->upper;
  if (c->tib) c->uppers[uppers++] = c->tib;
  c->lowers[lowers++] = c->blind;
  if (c->always_ask) c->lowers[lowers++] = c->always_ask;
  if (c->sequence) c->lowers[lowers++] = c->sequence;
  return (gli_graph_bounds){c->uppers, uppers, c->lowers, lowers};
}

static void stop_search(graph_case *c) {
  gli_search_free(c->search);
  gli_graph_free(c->graph);
  gli_check_history_free(c->history);
  c->search = NULL;
  c->graph = NULL;
  c->history = NULL;
}

void graph_case_search(graph_case *c, const gli_graph_options *options, bool plain) {
  stop_search(c);
  c->graph = gli_graph_new(c->model, graph_case_bounds(c), options);
  assert_non_null(c->graph);
  c->search = plain ? gli_plain_search(c->graph, 0) : gli_search_new(c->graph, NULL);
  assert_non_null(c->search);
  c->history = gli_check_history_new();
  assert_non_null(c->history);
  assert_true(gli_search_begin(c->search, glimpse_model_start(c->model), false, true));
}

void graph_case_stop(graph_case *c) {
  stop_search(c);
  glimpse_bound_free(c->upper);
  glimpse_bound_free(c->blind);
  glimpse_bound_free(c->always_ask);
  glimpse_bound_free(c->tib);
  glimpse_bound_free(c->sequence);
  glimpse_model_free(c->model);
}

static void fail_at(const graph_case *c, const char *text) {
  print_error("seed %llu, %s, after %llu expansions: %s\n", (unsigned long long)c->seed,
              graph_case_name(&c->graph->options), (unsigned long long)c->graph->expansions, text);
  fail();
}

void graph_case_fail(const graph_case *c, const char *what, double a, double b) {
  char text[GLI_CHECK_TEXT];
  snprintf(text, sizeof text, "%s: %.17g, %.17g", what, a, b);
  fail_at(c, text);
}

void graph_case_check(graph_case *c, gli_check_level level) {
  char text[GLI_CHECK_TEXT];
  if (!gli_check_graph(c->graph, level, text)) fail_at(c, text);
}

void graph_case_look(graph_case *c) {
  char text[GLI_CHECK_TEXT];
  if (!gli_check_history_look(c->history, c->graph, text)) fail_at(c, text);
}

bool graph_case_sweep(gli_graph *graph) {
  bool any = false;
  for (uint32_t node = (uint32_t)graph->node_count; node-- > 0;) {
    bool changed = false;
    gli_expand_grow(graph, node, false, &changed);
    any |= changed | gli_backup_all(graph, node);
  }
  return any;
}

void graph_case_converge(gli_graph *graph) {
  while (graph_case_sweep(graph)) {
  }
}

glimpse_stop graph_case_expand(graph_case *c, uint64_t count) {
  uint64_t last = c->graph->expansions + count;
  gli_search_look_away(c->search);
  glimpse_stop stop = gli_search_root(c->search);
  while (!stop && c->graph->expansions < last) stop = gli_search_step(c->search);
  return stop;
}
