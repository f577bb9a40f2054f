/* Visit: what is shown of a graph is compared with belief updates made anew, with the
 * bounds that the planner itself tells, and, where filters are set, with what naive code
 * picks from the whole. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "planner/planner.h"
#include "support/failing_malloc.h"
#include "support/planning.h"
#include "support/price.h"
#include "support/random_model.h"

enum { MOST = 6000, STATES = 8 };

/* A copy of all that was shown. */
typedef struct copy {
  size_t nodes, edges;
  glimpse_node node[MOST];
  double belief[MOST][STATES];
  glimpse_edge edge[4 * MOST];
  size_t most; /* nodes and edges after which it has had enough */
} copy;

static bool take_node(void *context, const glimpse_node *node) {
  copy *c = context;
  assert_true(c->nodes < MOST && node->id == c->nodes && !c->edges);
  double sum = 0;
  for (size_t i = 0; i < node->belief.count; i++) {
    assert_true(node->belief.index[i] < STATES);
    c->belief[c->nodes][node->belief.index[i]] = node->belief.value[i];
    sum += node->belief.value[i];
  }
  assert_float_equal(sum, 1, 1e-9);
  c->node[c->nodes++] = *node;
  return !c->most || c->nodes < c->most;
}

static bool take_edge(void *context, const glimpse_edge *edge) {
  copy *c = context;
  assert_true(c->edges < 4 * MOST && edge->from < c->nodes && edge->to < c->nodes);
  c->edge[c->edges++] = *edge;
  return !c->most || c->nodes + c->edges < c->most;
}

static copy *look(const planning *p, glimpse_visit visit, size_t most) {
  copy *c = calloc(1, sizeof *c);
  assert_non_null(c);
  c->most = most;
  visit.node = take_node;
  visit.edge = take_edge;
  visit.context = c;
  assert_int_equal(glimpse_planner_visit(p->planner, &visit), GLIMPSE_OK);
  return c;
}

/* ------------------------------------------------------------------- the whole */

/* An edge leads to the belief that follows, with the probability that it has. */
static void check_edge(const planning *p, const copy *c, const glimpse_edge *edge) {
  uint32_t states = glimpse_model_count(p->model, GLIMPSE_STATE), index[STATES];
  double value[STATES], probability;
  const double *from = c->belief[edge->from], *to = c->belief[edge->to];
  if (edge->ask) {
    assert_true(edge->action == GLIMPSE_ANY && edge->observation == GLIMPSE_ANY && edge->state < states);
    assert_true(to[edge->state] == 1 && c->node[edge->to].state == edge->state);
    assert_float_equal(edge->probability, from[edge->state], 1e-12);
    return;
  }
  size_t count = 0;
  for (uint32_t s = 0; s < states; s++)
    if (from[s] > 0) index[count] = s, value[count++] = from[s];
  glimpse_belief *belief = glimpse_belief_new(p->model);
  assert_non_null(belief);
  assert_int_equal(glimpse_belief_set(belief, (glimpse_row){count, index, value}), GLIMPSE_OK);
  assert_int_equal(glimpse_belief_update(belief, edge->action, edge->observation, &probability), GLIMPSE_OK);
  assert_float_equal(probability, edge->probability, 1e-9);
  for (uint32_t s = 0; s < states; s++) assert_float_equal(glimpse_belief_probability(belief, s), to[s], 1e-9);
  glimpse_belief_free(belief);
}

/* What a choice leads to is all there, and its bounds agree with those of what follows. */
static void check_choice(const planning *p, const copy *c, uint32_t id, uint32_t action) {
  double sum = 0, lower = 0, upper = 0, known_lower = NAN, known_upper = NAN;
  double discount = action == GLIMPSE_ANY ? 1 : glimpse_model_discount(p->model);
  for (size_t i = 0; i < c->edges; i++) {
    const glimpse_edge *edge = &c->edge[i];
    if (edge->from != id || (edge->ask ? GLIMPSE_ANY : edge->action) != action) continue;
    sum += edge->probability;
    lower += edge->probability * discount * c->node[edge->to].lower;
    upper += edge->probability * discount * c->node[edge->to].upper;
    known_lower = edge->lower;
    known_upper = edge->upper;
    const glimpse_node *from = &c->node[id];
    assert_true(edge->plan == (edge->ask ? from->ask : from->action == action));
  }
  if (sum == 0) return; /* not opened */
  assert_float_equal(sum, 1, 1e-9);
  for (uint32_t s = 0; s < glimpse_model_count(p->model, GLIMPSE_STATE); s++) {
    double here = action == GLIMPSE_ANY ? -price_in(p->model, s) : glimpse_model_reward(p->model, action, s);
    lower += c->belief[id][s] * here;
    upper += c->belief[id][s] * here;
  }
  assert_true(known_lower <= upper + 1e-6 && known_upper >= lower - 1e-6); /* both hold the value */
  if (id) return;
  glimpse_choice choice = glimpse_planner_choice(p->planner, action);
  assert_true(choice.lower >= known_lower && choice.upper == known_upper); /* offline plans may promise more */
}

static void check_whole(const planning *p, const copy *c, const glimpse_decision *d, bool tree) {
  size_t into[MOST] = {0}, met[STATES] = {0};
  assert_true(c->node[0].depth == 0 && c->node[0].probability == 1 && c->node[0].expanded);
  assert_true(d->lower == fmax(c->node[0].lower, d->offline_lower));
  assert_true(d->upper == fmin(c->node[0].upper, d->offline_upper));
  assert_true(c->node[0].ask == d->ask && c->node[0].action == d->action);
  for (size_t i = 0; i < c->edges; i++) {
    const glimpse_edge *edge = &c->edge[i];
    check_edge(p, c, edge);
    into[edge->to]++;
    assert_true(c->node[edge->from].expanded);
    assert_true(c->node[edge->to].depth <= c->node[edge->from].depth + !edge->ask);
    assert_true(c->node[edge->to].probability >= c->node[edge->from].probability * edge->probability * (1 - 1e-12));
  }
  for (uint32_t i = 0; i < c->nodes; i++) {
    assert_int_equal(c->node[i].hidden, 0);
    assert_true(i ? into[i] > 0 : true);
    if (tree) assert_true(into[i] == (i > 0) && !c->node[i].corner);
    if (c->node[i].corner) assert_true(c->node[i].state < STATES && !met[c->node[i].state]++);
    if (!c->node[i].expanded) continue;
    for (uint32_t a = 0; a < glimpse_model_count(p->model, GLIMPSE_ACTION); a++) check_choice(p, c, i, a);
    check_choice(p, c, i, GLIMPSE_ANY);
  }
  if (tree) assert_int_equal(c->nodes, d->nodes);
}

/* --------------------------------------------------------------------- filters */

/* The same by repetition over all edges, from nothing but the whole. */
static void check_filter(const copy *whole, const copy *part, const glimpse_visit *v, uint64_t seed) {
  static double probability[MOST];
  static uint32_t depth[MOST];
  for (size_t i = 0; i < whole->nodes; i++) probability[i] = 0, depth[i] = UINT32_MAX;
  probability[0] = 1;
  depth[0] = 0;
  size_t edges = 0, nodes = 0;
  for (bool again = true; again;) {
    again = false;
    edges = 0;
    for (size_t i = 0; i < whole->edges; i++) {
      const glimpse_edge *e = &whole->edge[i];
      const glimpse_node *from = &whole->node[e->from], *to = &whole->node[e->to];
      double p = probability[e->from] * e->probability;
      if (depth[e->from] == UINT32_MAX || (v->plan && !e->plan) || p < v->probability) continue;
      if (v->depth && !e->ask && depth[e->from] >= v->depth) continue;
      if (v->min_gap > 0 && from->upper - from->lower < v->min_gap) continue;
      if (v->max_gap > 0 && to->upper - to->lower > v->max_gap) continue;
      edges++;
      if (p > probability[e->to]) probability[e->to] = p, again = true;
      if (depth[e->from] + !e->ask < depth[e->to]) depth[e->to] = depth[e->from] + !e->ask, again = true;
    }
  }
  for (size_t i = 0; i < whole->nodes; i++) nodes += depth[i] != UINT32_MAX;
  size_t hidden = 0;
  for (size_t i = 0; i < part->nodes; i++) hidden += part->node[i].hidden;
  size_t leaving = 0;
  for (size_t i = 0; i < whole->edges; i++) leaving += depth[whole->edge[i].from] != UINT32_MAX;
  if (nodes != part->nodes || edges != part->edges || hidden != leaving - edges)
    fail_msg("seed %llu: %zu nodes, %zu edges, %zu hidden instead of %zu, %zu, %zu", (unsigned long long)seed,
             part->nodes, part->edges, hidden, nodes, edges, leaving - edges);
}

static void check_all(const planning *p, const glimpse_decision *d, bool tree, uint64_t seed) {
  copy *whole = look(p, (glimpse_visit){0}, 0);
  check_whole(p, whole, d, tree);
  double gap = d->upper - d->lower;
  const glimpse_visit filters[] = {{.depth = 1},
                                   {.depth = 2},
                                   {.probability = 0.3},
                                   {.probability = 0.05, .depth = 3},
                                   {.max_gap = gap / 2 + 1e-9},
                                   {.min_gap = gap / 2 + 1e-9},
                                   {.plan = true},
                                   {.plan = true, .depth = 4, .probability = 0.01, .min_gap = gap / 4}};
  for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
    copy *part = look(p, filters[i], 0);
    check_filter(whole, part, &filters[i], seed);
    free(part);
  }
  free(whole);
}

static void test_random(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    random_shape shape = random_model_shape(seed, STATES, 3, 3);
    planning p;
    planning_of(&p, random_model_make(seed, &shape));
    for (int kind = 0; kind < 3; kind++) {
      bool tree = kind == GLIMPSE_PLANNER_AEMS;
      planning_planner(&p, &(glimpse_planner_options){.kind = (glimpse_planner_kind)kind});
      glimpse_decision d = planning_decide(&p, (glimpse_budget){.expansions = 1 + seed % 30});
      check_all(&p, &d, tree, seed);
      /* A step further, where the root hangs in what was known before. */
      if (glimpse_model_requests(p.model)) {
        uint32_t s = glimpse_model_start(p.model).index[0];
        assert_int_equal(glimpse_planner_reveal(p.planner, s), GLIMPSE_OK);
        d = planning_decide(&p, (glimpse_budget){.expansions = 5});
        copy *c = look(&p, (glimpse_visit){0}, 0);
        check_whole(&p, c, &d, false);
        assert_true(c->node[0].state == s && c->belief[0][s] == 1);
        free(c);
      }
    }
    planning_stop(&p);
  }
}

/* --------------------------------------------------------------------- the rest */

static void test_enough(void **state) {
  (void)state;
  planning p;
  planning_start(&p, "tiger:c=9.5");
  planning_planner(&p, NULL);
  planning_decide(&p, (glimpse_budget){.expansions = 20});
  copy *whole = look(&p, (glimpse_visit){0}, 0);
  for (size_t most = 1; most < whole->nodes + whole->edges; most++) {
    copy *part = look(&p, (glimpse_visit){0}, most);
    assert_int_equal(part->nodes + part->edges, most);
    free(part);
  }
  free(whole);
  planning_stop(&p);
}

static void test_refusals(void **state) {
  (void)state;
  planning p;
  planning_start(&p, "tiger");
  copy *c = calloc(1, sizeof *c);
  assert_non_null(c);
  glimpse_visit visit = {.node = take_node, .edge = take_edge, .context = c};
  glimpse_planner *fresh = NULL;
  assert_int_equal(glimpse_planner_new(p.model, p.offline, NULL, NULL, &fresh), GLIMPSE_OK);
  assert_int_equal(glimpse_planner_visit(fresh, &visit), GLIMPSE_BAD_ARGUMENT); /* not begun */
  glimpse_planner_free(fresh);
  for (glimpse_planner_kind kind = 0; kind < GLIMPSE_PLANNER_KINDS; kind++) {
    if (glimpse_planner_traits(kind) & GLIMPSE_TRAIT_GRAPH) continue;
    planning_planner(&p, &(glimpse_planner_options){.kind = kind, .every = 1});
    assert_int_equal(glimpse_planner_visit(p.planner, &visit), GLIMPSE_NOT_APPLICABLE);
  }
  planning_planner(&p, NULL);
  glimpse_visit wrong = visit;
  wrong.node = NULL;
  assert_int_equal(glimpse_planner_visit(p.planner, &wrong), GLIMPSE_BAD_ARGUMENT);
  wrong = visit;
  wrong.min_gap = NAN;
  assert_int_equal(glimpse_planner_visit(p.planner, &wrong), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(c->nodes, 0);
  assert_int_equal(glimpse_planner_visit(p.planner, &visit), GLIMPSE_OK); /* begun: a single belief */
  assert_true(c->nodes == 1 && !c->node[0].expanded && c->belief[0][0] == 0.5);
  free(c);
  planning_stop(&p);
}

/* Corners that have no node are shown all the same, with the
 * bounds they have without a search. */
typedef struct unmet {
  const planning *p;
  size_t corners, fresh, others;
} unmet;

static bool look_at_corner(void *context, const glimpse_node *node) {
  unmet *u = context;
  u->others += node->state == GLIMPSE_ANY;
  if (node->state == GLIMPSE_ANY) return true;
  glimpse_row row = node->belief;
  assert_true(row.count == 1 && row.index[0] == node->state && row.value[0] == 1);
  assert_true(node->lower <= node->upper);
  double high = -INFINITY; /* asking is no choice where the state is known */
  for (uint32_t a = 0; a < glimpse_model_count(u->p->model, GLIMPSE_ACTION); a++) {
    double least = INFINITY;
    for (uint32_t i = 0; i < u->p->offline->upper_count; i++)
      least = fmin(least, glimpse_bound_entry(u->p->offline->uppers[i], a, node->state));
    high = fmax(high, least);
  }
  assert_true(node->upper <= high + 1e-9);
  u->corners++;
  u->fresh += !node->expanded && node->upper == high;
  return true;
}

static bool look_away(void *context, const glimpse_edge *edge) {
  return context && edge;
}

static void test_unmet_corners(void **state) {
  (void)state;
  planning p;
  planning_start(&p, "tag"); /* 841 corners at the start: limits at which the root fits, and not all of them */
  unsigned seen = 0;
  for (uint64_t limit = 350000; limit < 420000; limit += 500) {
    glimpse_planner *planner = NULL;
    assert_int_equal(
        glimpse_planner_new(p.model, p.offline, &(glimpse_planner_options){.max_memory = limit}, NULL, &planner),
        GLIMPSE_OK);
    glimpse_decision d;
    unmet u = {.p = &p};
    if (glimpse_planner_begin(planner, glimpse_model_start(p.model), 0) == GLIMPSE_OK &&
        glimpse_planner_plan(planner, &(glimpse_budget){.expansions = 5}, &d) == GLIMPSE_OK) {
      glimpse_visit visit = {.node = look_at_corner, .edge = look_away, .context = &u};
      assert_int_equal(glimpse_planner_visit(planner, &visit), GLIMPSE_OK);
      assert_true(u.corners >= d.corners && u.fresh >= u.corners - d.corners && u.others > 0);
      seen += u.corners > d.corners;
    }
    glimpse_planner_free(planner);
  }
  assert_true(seen > 0);
  planning_stop(&p);
}

static bool count_node(void *context, const glimpse_node *node) {
  *(size_t *)context += node->belief.count > 0;
  return true;
}

static bool count_edge(void *context, const glimpse_edge *edge) {
  *(size_t *)context += edge->probability > 0;
  return true;
}

static glimpse_status visit_once(void *context) {
  size_t count = 0;
  return glimpse_planner_visit(context, &(glimpse_visit){.node = count_node, .edge = count_edge, .context = &count});
}

static void test_no_memory(void **state) {
  (void)state;
  planning p;
  planning_start(&p, "robot-delivery:n=3");
  planning_planner(&p, NULL);
  planning_decide(&p, (glimpse_budget){.expansions = 50});
  assert_true(failing_malloc_sweep(visit_once, p.planner) > 8);
  planning_stop(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_enough),
                                     cmocka_unit_test(test_refusals), cmocka_unit_test(test_unmet_corners),
                                     cmocka_unit_test(test_no_memory)};
  return cmocka_run_group_tests_name("visit", tests, NULL, NULL);
}
