/* Search case: see search_case.h. */
#include "support/search_case.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "paper/plain.h"
#include "support/price.h"

gli_graph_options search_case_options(unsigned number) {
  unsigned form = number / 9 % SEARCH_CASE_FORMS;
  return (gli_graph_options){.sharing = (gli_sharing)(number % 3),
                             .rule = (gli_rule)(number / 3 % 3),
                             .learn_vectors = form != 1 && form != 4,
                             .learn_points = form != 2 && form != 4,
                             .live = form != 3 && form != 4};
}

const char *search_case_name(const gli_graph_options *o) {
  static const char *const sharing[] = {"none", "corners", "all"}, *const rule[] = {"aems", "bi-pomdp", "satia-lave"};
  static char name[96];
  (void)snprintf(name, sizeof name, "%s, %s%s%s%s", sharing[o->sharing], rule[o->rule],
                 o->learn_vectors ? ", vectors" : "", o->learn_points ? ", points" : "", o->live ? ", live" : "");
  return name;
}

static glimpse_bound *bound_of(const search_case *c, glimpse_bound_kind kind, const glimpse_bound_options *options) {
  glimpse_bound *bound = NULL;
  assert_int_equal(glimpse_bound_new(c->model, kind, options, NULL, &bound), GLIMPSE_OK);
  return bound;
}

static void make_bounds(search_case *c, const glimpse_bound_options *options, bool asks) {
  bool requests = glimpse_model_requests(c->model);
  c->upper = bound_of(c, requests ? GLIMPSE_BOUND_FIB_SR : GLIMPSE_BOUND_FIB, options);
  c->blind = bound_of(c, GLIMPSE_BOUND_BLIND, options);
  c->always_ask = requests && asks ? bound_of(c, GLIMPSE_BOUND_ALWAYS_ASK, options) : NULL;
}

void search_case_extend(search_case *c, bool extended) {
  static const glimpse_bound_options some = {.max_iterations = 2000, .threads = 1, .effort = 1};
  glimpse_bound_free(c->tib);
  glimpse_bound_free(c->sequence);
  c->tib = c->sequence = NULL;
  if (!extended) return;
  c->tib = bound_of(c, glimpse_model_requests(c->model) ? GLIMPSE_BOUND_TIB_SR : GLIMPSE_BOUND_TIB, &some);
  c->sequence = bound_of(c, GLIMPSE_BOUND_SEQUENCE, &some);
}

static void free_bounds(search_case *c) {
  glimpse_bound_free(c->upper);
  glimpse_bound_free(c->blind);
  glimpse_bound_free(c->always_ask);
}

void search_case_start(search_case *c, uint64_t seed, glimpse_model *model) {
  static const glimpse_bound_options precise = {.tolerance = 1e-12, .max_iterations = 20000, .threads = 1};
  *c = (search_case){.seed = seed, .model = model};
  make_bounds(c, &precise, true);
  search_case_extend(c, seed / 2 % 2);
}

void search_case_loosen(search_case *c) {
  static const glimpse_bound_options early = {.max_iterations = 1, .threads = 1};
  free_bounds(c);
  make_bounds(c, &early, false);
}

gli_search *search_case_other(const search_case *c, const gli_graph_options *options, bool plain) {
  const glimpse_bound *uppers[] = {c->upper, c->tib}, *lowers[3] = {c->blind};
  size_t count = 1;
  if (c->always_ask) lowers[count++] = c->always_ask;
  if (c->sequence) lowers[count++] = c->sequence;
  gli_graph *graph = gli_graph_new(c->model, (gli_graph_bounds){uppers, c->tib ? 2 : 1, lowers, count}, options);
  assert_non_null(graph);
  gli_search *search = plain ? gli_plain_search(graph, 0) : gli_search_new(graph, NULL);
  assert_non_null(search);
  assert_true(gli_search_begin(search, glimpse_model_start(c->model), false, true));
  return search;
}

static void stop_search(search_case *c) {
  gli_search_free(c->search);
  gli_graph_free(c->graph);
  c->search = NULL;
  c->graph = NULL;
}

void search_case_search(search_case *c, const gli_graph_options *options, bool plain) {
  stop_search(c);
  c->search = search_case_other(c, options, plain);
  c->graph = c->search->graph;
}

void search_case_stop(search_case *c) {
  stop_search(c);
  free_bounds(c);
  search_case_extend(c, false);
  exact_line_free(c->line);
  glimpse_model_free(c->model);
}

glimpse_stop search_case_run(search_case *c, uint64_t expansions) {
  glimpse_budget budget = {.expansions = expansions};
  return gli_search_run(c->search, &budget, 0);
}

gli_node *search_case_root(const search_case *c) {
  return gli_graph_node(c->graph, c->graph->root);
}

void search_case_fail(const search_case *c, const char *what, double a, double b) {
  fail_msg("seed %llu, %s, after %llu expansions: %s: %.17g, %.17g", (unsigned long long)c->seed,
           search_case_name(&c->graph->options), (unsigned long long)c->graph->expansions, what, a, b);
}

/* --------------------------------------------------------------- two states */

random_shape search_case_pair(uint64_t seed, bool requests) {
  static const double costs[] = {1e-6, 0.05, 0.3, 1, 4, 1e6};
  random_shape shape = random_model_shape(seed, 2, 3, 3);
  shape.states = 2;
  shape.spread = 1 + seed % 2;
  if (shape.terminals > 1) shape.terminals = 1;
  if (shape.discount > 0.9) shape.discount = 0.9; /* exact values take long otherwise */
  shape.cost = requests ? costs[seed / 3 % 6] : 0;
  return shape;
}

void search_case_exact(search_case *c) {
  c->line = exact_line_new(c->model);
}

double search_case_value(const search_case *c, glimpse_row belief) {
  double one = 0, sum = 0;
  for (size_t i = 0; i < belief.count; i++) {
    sum += belief.value[i];
    if (belief.index[i] == 1) one = belief.value[i];
  }
  return exact_line_value(c->line, one / sum);
}

double search_case_choice(const search_case *c, glimpse_row belief, uint32_t choice) {
  uint32_t actions = glimpse_model_count(c->model, GLIMPSE_ACTION);
  uint32_t observations = glimpse_model_count(c->model, GLIMPSE_OBSERVATION);
  double value = 0;
  if (choice == actions) {
    for (size_t i = 0; i < belief.count; i++) {
      glimpse_row known = {1, &belief.index[i], &(double){1}};
      value += belief.value[i] * (search_case_act(c, known) - price_in(c->model, belief.index[i]));
    }
    return value;
  }
  for (uint32_t o = 0; o < observations; o++) {
    double next[2] = {0, 0};
    for (size_t i = 0; i < belief.count; i++) {
      glimpse_row moves = glimpse_model_transition(c->model, choice, belief.index[i]);
      for (size_t k = 0; k < moves.count; k++) {
        glimpse_row shown = glimpse_model_observation(c->model, choice, moves.index[k]);
        for (size_t j = 0; j < shown.count; j++)
          if (shown.index[j] == o) next[moves.index[k]] += belief.value[i] * moves.value[k] * shown.value[j];
      }
    }
    double sum = next[0] + next[1];
    if (sum > 0) value += sum * exact_line_value(c->line, next[1] / sum);
  }
  value *= glimpse_model_discount(c->model);
  for (size_t i = 0; i < belief.count; i++)
    value += belief.value[i] * glimpse_model_reward(c->model, choice, belief.index[i]);
  return value;
}

double search_case_act(const search_case *c, glimpse_row belief) {
  double best = -INFINITY;
  for (uint32_t a = 0; a < glimpse_model_count(c->model, GLIMPSE_ACTION); a++)
    best = fmax(best, search_case_choice(c, belief, a));
  return best;
}

double search_case_error(const search_case *c) {
  double most = 0;
  for (uint32_t a = 0; a < glimpse_model_count(c->model, GLIMPSE_ACTION); a++)
    for (uint32_t s = 0; s < 2; s++) most = fmax(most, fabs(glimpse_model_reward(c->model, a, s)));
  return 1e-9 * most / (1 - glimpse_model_discount(c->model)) + 1e-300;
}
