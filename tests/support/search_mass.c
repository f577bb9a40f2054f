/* Search mass: see search_mass.h. */
#include "support/search_mass.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static void *room(size_t count, size_t size) {
  void *made = calloc(count ? count : 1, size);
  assert_non_null(made);
  return made;
}

/* As the rule says, from the bounds alone. */
static double weight_of(const gli_graph *graph, uint32_t node, uint32_t choice) {
  gli_node *n = gli_graph_node(graph, node);
  if (n->greedy == GLI_NONE) return 0;
  if (graph->options.rule != GLI_RULE_SATIA_LAVE) return choice == n->greedy;
  const double *uppers = gli_node_uppers(n);
  unsigned open = 0;
  bool mine = false;
  for (uint32_t c = 0; c <= graph->actions; c++) {
    bool follows = c == n->greedy || uppers[c] >= n->lower;
    open += follows;
    if (c == choice) mine = follows;
  }
  return mine ? 1.0 / open : 0;
}

static size_t item_of(const search_mass *m, const gli_graph *graph, uint32_t link) {
  if (gli_link_fringe(link)) return SIZE_MAX;
  if (!gli_link_corner(link)) return link;
  uint32_t s = link & ~GLI_CORNER;
  return graph->corner[s].node == GLI_NONE ? m->nodes + s : graph->corner[s].node;
}

static void reach(search_mass *m, size_t item) {
  if (item == SIZE_MAX || m->place[item]) return;
  m->item[m->count++] = (uint32_t)item;
  m->place[item] = (uint32_t)m->count;
}

/* Calls `see` for everything that an item leads to, by the weights of the rule. */
static void follow(search_mass *m, const gli_graph *graph, size_t i, double *row) {
  if (m->item[i] >= m->nodes) return;
  uint32_t node = m->item[i];
  gli_outcome to;
  for (uint32_t c = 0; c <= graph->actions; c++) {
    double weight = weight_of(graph, node, c) * (c < graph->actions ? graph->discount : 1);
    for (uint32_t k = 0; weight > 0 && gli_graph_outcome(graph, node, c, k, &to); k++) {
      size_t item = item_of(m, graph, to.link);
      if (!row) reach(m, item);
      else if (item != SIZE_MAX) row[m->place[item] - 1] += weight * to.probability;
    }
  }
}

/* (I - M^T) x = e_root, by elimination with pivots. */
static void solve(double *a, double *x, size_t n) {
  for (size_t k = 0; k < n; k++) {
    size_t best = k;
    for (size_t i = k + 1; i < n; i++)
      if (fabs(a[i * n + k]) > fabs(a[best * n + k])) best = i;
    for (size_t j = 0; j < n && best != k; j++) {
      double swap = a[k * n + j];
      a[k * n + j] = a[best * n + j];
      a[best * n + j] = swap;
    }
    double swap = x[k];
    x[k] = x[best];
    x[best] = swap;
    assert_true(a[k * n + k] != 0);
    for (size_t i = k + 1; i < n; i++) {
      double factor = a[i * n + k] / a[k * n + k];
      if (factor == 0) continue;
      for (size_t j = k; j < n; j++) a[i * n + j] -= factor * a[k * n + j];
      x[i] -= factor * x[k];
    }
  }
  for (size_t k = n; k-- > 0;) {
    for (size_t j = k + 1; j < n; j++) x[k] -= a[k * n + j] * x[j];
    x[k] /= a[k * n + k];
  }
}

search_mass search_mass_of(const gli_graph *graph) {
  search_mass m = {.nodes = graph->node_count};
  size_t all = graph->node_count + graph->states;
  m.place = room(all, sizeof *m.place);
  m.item = room(all, sizeof *m.item);
  reach(&m, graph->root);
  for (size_t i = 0; i < m.count; i++) follow(&m, graph, i, NULL);
  size_t n = m.count;
  double *a = room(n * n, sizeof *a), *row = room(n, sizeof *row);
  m.mass = room(n, sizeof *m.mass);
  m.mass[0] = 1;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) row[j] = 0;
    follow(&m, graph, i, row);
    for (size_t j = 0; j < n; j++) a[j * n + i] = (i == j) - row[j];
  }
  solve(a, m.mass, n);
  free(a);
  free(row);
  return m;
}

void search_mass_free(search_mass *m) {
  free(m->place);
  free(m->item);
  free(m->mass);
}

double search_mass_node(const search_mass *m, uint32_t node) {
  return m->place[node] ? m->mass[m->place[node] - 1] : 0;
}

double search_mass_corner(const search_mass *m, uint32_t state) {
  uint32_t place = m->place[m->nodes + state];
  return place ? m->mass[place - 1] : 0;
}

static double gap_of(const gli_graph *graph, double upper, double lower) {
  return upper - lower > graph->floor ? upper - lower : 0;
}

double search_mass_score(const search_mass *m, const gli_graph *graph, uint32_t node, uint32_t choice, uint32_t child) {
  const gli_child *c = &graph->children[child];
  double mass = search_mass_node(m, node) * weight_of(graph, node, choice) * c->probability;
  if (choice < graph->actions) mass *= graph->discount;
  double gap = gap_of(graph, c->upper, c->lower);
  return graph->options.rule != GLI_RULE_BI_POMDP ? mass * gap : mass > 0 ? gap : 0;
}

double search_mass_corner_score(const search_mass *m, const gli_graph *graph, uint32_t state) {
  double mass = search_mass_corner(m, state),
         gap = gap_of(graph, graph->corner[state].upper, graph->corner[state].lower);
  return graph->options.rule != GLI_RULE_BI_POMDP ? mass * gap : mass > 0 ? gap : 0;
}

double search_mass_best(const search_mass *m, const gli_graph *graph) {
  double best = 0;
  gli_outcome to;
  for (uint32_t node = 0; node < m->nodes; node++)
    for (uint32_t c = 0; c <= graph->actions && m->place[node]; c++)
      for (uint32_t k = 0; gli_graph_outcome(graph, node, c, k, &to); k++)
        if (to.child != GLI_NONE && gli_link_fringe(to.link))
          best = fmax(best, search_mass_score(m, graph, node, c, to.child));
  for (uint32_t s = 0; s < graph->states; s++) best = fmax(best, search_mass_corner_score(m, graph, s));
  return best;
}
