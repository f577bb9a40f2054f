/* Expand: what an expansion leaves open.  It opens actions until the greedy one is open, and closes again what it
 * opened in vain: such an action keeps the bounds that its children had, those that gli_graph_try finds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/environment.h"
#include "support/graph_case.h"
#include "support/random_model.h"

typedef struct tally {
  unsigned greedy, closed, closed_plans, kept_plans;
} tally;

/* An action that is not open: nothing is known of it but its reward, or it was closed and keeps what was learnt. */
static void look_at_closed(const graph_case *c, uint32_t node, uint32_t a, double near, bool plan, tally *seen) {
  gli_graph *graph = c->graph;
  gli_expanded *e = gli_graph_node(graph, node);
  double upper = gli_graph_uppers(graph, e)[a], lower = gli_graph_lowers(graph, e)[a], high, low;
  if (lower <= gli_graph_rewards(graph, e)[a] - graph->discount * graph->scale) return;
  gli_graph_try(graph, node, a, &high, &low);
  glimpse_row belief = gli_graph_belief(graph, e);
  double vector = 0; /* what was known before it was opened */
  for (size_t i = 0; i < belief.count; i++)
    vector += belief.value[i] * graph->table[(size_t)belief.index[i] * graph->stride + a];
  if (!(upper <= high + graph->slack)) graph_case_fail(c, "a closed action has lost its U", upper, high);
  if (!(upper >= fmin(high, vector) - graph->slack)) graph_case_fail(c, "U of a closed action is another", upper, high);
  if (!(fabs(lower - low) <= graph->slack)) graph_case_fail(c, "a closed action has lost its L", lower, low);
  if (!(upper < near)) graph_case_fail(c, "a nearly greedy action is closed", upper, near);
  if (plan && e->aliased) graph_case_fail(c, "a plan that may lead to corners is closed", lower, low);
  seen->closed++;
  seen->closed_plans += plan;
}

static void look(const graph_case *c, uint32_t node, tally *seen) {
  gli_graph *graph = c->graph;
  gli_expanded *e = gli_graph_node(graph, node);
  const gli_record *record = &graph->records[e->record];
  const double *uppers = gli_graph_uppers(graph, e), *lowers = gli_graph_lowers(graph, e);
  double near = uppers[e->greedy] - (record->upper - record->lower) / 256, largest = -INFINITY;
  for (uint32_t k = 0; k <= graph->actions; k++) largest = fmax(largest, lowers[k]);
  if (e->greedy < graph->actions && !gli_graph_opened(graph, e, e->greedy))
    graph_case_fail(c, "the greedy action is not open", e->greedy, 0);
  seen->greedy += e->greedy < graph->actions;
  for (uint32_t a = 0; a < graph->actions; a++) {
    bool plan = lowers[a] >= largest - graph->floor;
    if (!gli_graph_opened(graph, e, a)) {
      look_at_closed(c, node, a, near, plan, seen);
    } else if (uppers[a] < near) {
      if (!plan || !e->aliased) graph_case_fail(c, "an action was left open in vain", uppers[a], near);
      seen->kept_plans++;
    }
  }
}

/* Expands fringe children wherever they are; their ancestors are not told, and nobody asks. */
static void expand_some(graph_case *c, unsigned count, tally *seen) {
  gli_graph *graph = c->graph;
  for (unsigned i = 0; i < 200; i++)
    if (gli_search_expand(c->search)) break;
  for (uint32_t record = 0; record < graph->record_count && count; record++) {
    const gli_record *r = &graph->records[record];
    if (r->parent == GLI_NONE || r->parent >= graph->expanded_count || r->link != GLI_NONE) continue;
    gli_expanded *parent = gli_graph_node(graph, r->parent);
    if (parent->dead || gli_graph_action(graph, r->parent, record) >= graph->actions) continue; /* a free block */
    assert_true(gli_graph_expand(graph, record));
    look(c, graph->records[record].link, seen);
    count--;
  }
}

static const gli_graph_options usual = {.sharing = GLI_SHARE_CORNERS, .live = true};

static void test_closing(void **state) {
  (void)state;
  tally seen = {0};
  static const char *const names[] = {"robot-delivery:n=3", "tag", "tiger"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    graph_case c;
    graph_case_start(&c, i, environment_make(names[i]));
    graph_case_search(&c, &usual, false);
    expand_some(&c, 300, &seen);
    graph_case_stop(&c);
  }
  for (uint64_t seed = 0; seed < 40; seed++) {
    random_shape shape = random_model_shape(seed, 6, 4, 3);
    graph_case c;
    graph_case_start(&c, seed, random_model_make(seed, &shape));
    graph_case_search(&c, &usual, false);
    expand_some(&c, 50, &seen);
    graph_case_stop(&c);
  }
  print_message("%u greedy actions, %u closed, of which %u plans; %u plans kept\n", seen.greedy, seen.closed,
                seen.closed_plans, seen.kept_plans);
  assert_true(seen.greedy && seen.closed > seen.closed_plans && seen.closed_plans && seen.kept_plans);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_closing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
