/* Plain: the oracle of the passes against something plainer still: Psi by elimination over all nodes, every fringe
 * belief scored; expansion by expansion against a form that keeps nothing; propagation against sweeps over everything;
 * the paper's preset; and that plain and fast agree.  Covers src/paper/plain.c, src/paper/plain_walk.c and
 * src/paper/plain_news.c. */
#include "paper/plain.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "graph/backup.h"
#include "paper/parts.h"
#include "support/environment.h"
#include "support/failing_malloc.h"
#include "support/naive_plain.h"
#include "support/search_case.h"
#include "support/search_mass.h"

/* ---------------------------------------------------------------- selection */

static void compare(const search_case *c) {
  const gli_graph *graph = c->graph;
  gli_candidate best;
  uint32_t parent;
  assert_true(gli_plain_select(gli_plain_of(c->search), &best, &parent));
  search_mass m = search_mass_of(graph);
  double most = search_mass_best(&m, graph), off = 1e-9 * fmax(most, 1e-3) / (1 - graph->discount), mine = 0;
  if (best.score > 0)
    mine = best.child & GLI_CORNER ? search_mass_corner_score(&m, graph, best.child & ~GLI_CORNER)
                                   : search_mass_score(&m, graph, parent, best.choice, best.child);
  if (best.score > 0 && !(best.child & GLI_CORNER)) { /* it is a child of that parent, and fringe */
    gli_group group = gli_node_groups(graph, gli_graph_node(graph, parent))[best.choice];
    if (best.child - group.first >= group.count || !gli_link_fringe(graph->children[best.child].link))
      search_case_fail(c, "not a fringe child of its parent", best.child, parent);
  }
  if (fabs(best.score - most) > off && most > 2 * graph->least)
    search_case_fail(c, "not the best score", best.score, most);
  if (fabs(best.score - mine) > off) search_case_fail(c, "not its score", best.score, mine);
  for (uint32_t node = 0; node < graph->node_count; node++) {
    const gli_node *n = gli_graph_node(graph, node);
    bool source = node == graph->root || n->state != GLI_NONE || graph->options.sharing == GLI_SHARE_ALL;
    double reach = gli_plain_reach(gli_plain_of(c->search), node), exact = search_mass_node(&m, node);
    if (source && fabs(reach - exact) > 1e-9 / (1 - graph->discount)) search_case_fail(c, "another Psi", reach, exact);
    if (!source && reach != 0) search_case_fail(c, "inside a tree", reach, exact);
  }
  search_mass_free(&m);
}

static void test_select(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 270; seed++) {
    random_shape shape = random_model_shape(seed, 5, 3, 3);
    gli_graph_options options = search_case_options((unsigned)(seed * 7 % SEARCH_CASE_OPTIONS));
    options.paper = seed / 2 % 2;
    search_case c;
    search_case_start(&c, seed, random_model_make(seed, &shape));
    if (seed % 2) search_case_loosen(&c);
    search_case_search(&c, &options, true);
    assert_int_equal(gli_search_root(c.search), GLIMPSE_STOP_NONE);
    for (unsigned i = 0; i < 15; i++) {
      compare(&c);
      if (gli_search_step(c.search)) break;
    }
    search_case_stop(&c);
  }
}

/* ---------------------------------------------------------------- naive form */

/* The same graph, bit by bit: so the same beliefs were chosen, and the same bounds found. */
static void compare_graphs(const search_case *c, const gli_graph *other) {
  const gli_graph *graph = c->graph;
  if (graph->node_count != other->node_count || graph->child_count != other->child_count)
    search_case_fail(c, "other beliefs", (double)graph->child_count, (double)other->child_count);
  for (size_t i = 0; i < graph->child_count; i++)
    if (graph->children[i].link != other->children[i].link)
      search_case_fail(c, "another choice, at child", (double)i, graph->children[i].link);
  for (uint32_t node = 0; node < graph->node_count; node++) {
    const gli_node *n = gli_graph_node(graph, node), *m = gli_graph_node(other, node);
    if (n->upper != m->upper) search_case_fail(c, "another U", n->upper, m->upper);
    if (n->lower != m->lower) search_case_fail(c, "another L", n->lower, m->lower);
    if (n->greedy != m->greedy) search_case_fail(c, "another greedy choice", n->greedy, m->greedy);
    if (n->plan != m->plan) search_case_fail(c, "another plan", n->plan, m->plan);
  }
  gli_node *root = gli_graph_node(graph, graph->root), *same = gli_graph_node(other, graph->root);
  for (uint32_t i = 0; i <= graph->actions; i++)
    if (gli_node_uppers(root)[i] != gli_node_uppers(same)[i])
      search_case_fail(c, "another U of a choice of the root", gli_node_uppers(root)[i], gli_node_uppers(same)[i]);
}

static void compare_naive(search_case *c, const gli_graph_options *options, double threshold, unsigned steps) {
  gli_search *other = search_case_other(c, options, true);
  naive_plain *naive = naive_plain_new(other->graph);
  search_case_search(c, options, true);
  gli_plain_of(c->search)->threshold = threshold;
  assert_int_equal(gli_search_root(c->search), GLIMPSE_STOP_NONE);
  assert_true(naive_plain_root(naive, threshold));
  for (unsigned i = 0; i < steps; i++) {
    compare_graphs(c, other->graph);
    if (!naive_plain_step(naive, threshold)) break; /* nothing is left */
    assert_int_equal(gli_search_step(c->search), GLIMPSE_STOP_NONE);
  }
  gli_graph *graph = other->graph;
  naive_plain_free(naive);
  gli_search_free(other);
  gli_graph_free(graph);
}

static void test_naive(void **state) {
  (void)state;
  static const double thresholds[] = {0, 1e-6, 1e-3};
  for (uint64_t seed = 0; seed < 270; seed++) {
    random_shape shape = random_model_shape(seed, 6, seed % 10 == 9 ? 40 : 3, 3); /* or many actions */
    gli_graph_options options = search_case_options((unsigned)(seed * 7 % SEARCH_CASE_OPTIONS));
    options.paper = seed / 2 % 2;
    search_case c;
    search_case_start(&c, seed, random_model_make(seed, &shape));
    if (seed % 2) search_case_loosen(&c);
    compare_naive(&c, &options, thresholds[seed % 3], 40);
    search_case_stop(&c);
  }
}

/* The paper's preset on its environments. */
static void test_naive_paper(void **state) {
  (void)state;
  static const struct {
    const char *name;
    unsigned steps;
  } cases[] = {{"robot-delivery:n=3", 300}, {"tag", 150}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    search_case c;
    search_case_start(&c, 0, environment_make(cases[k].name));
    for (unsigned i = 0; i < 9; i++) {
      gli_graph_options options = {.sharing = (gli_sharing)(i % 3),
                                   .rule = (gli_rule)(i / 3),
                                   .paper = true};
      compare_naive(&c, &options, 1e-6, cases[k].steps);
    }
    search_case_stop(&c);
  }
}

/* -------------------------------------------------------------- propagation */

static void sweep(gli_graph *graph) {
  for (unsigned rounds = 0, changed = 1; changed && rounds < 20000; rounds++) {
    changed = 0;
    for (uint32_t node = (uint32_t)graph->node_count; node-- > 0;) changed |= gli_backup_all(graph, node);
  }
}

/* With a threshold of 0 nothing is left to back up; with a larger one the bounds are less tight, but by no more than
 * what was held back. */
static void test_propagate(void **state) {
  (void)state;
  static const double thresholds[] = {0, 1e-6, 1e-3};
  unsigned held = 0;
  for (uint64_t seed = 0; seed < 300; seed++) {
    random_shape shape = random_model_shape(seed, 5, 3, 3);
    gli_graph_options options = search_case_options((unsigned)(seed * 7 % 9) + 36); /* nothing is learnt meanwhile */
    double threshold = thresholds[seed % 3];
    search_case c;
    search_case_start(&c, seed, random_model_make(seed, &shape));
    search_case_search(&c, &options, true);
    gli_plain_of(c.search)->threshold = threshold;
    search_case_run(&c, 20);
    double upper = search_case_root(&c)->upper, lower = search_case_root(&c)->lower;
    sweep(c.graph);
    const gli_node *root = search_case_root(&c);
    double room = 3 * threshold / (1 - shape.discount) + 8 * c.graph->floor;
    if (upper - root->upper > room) search_case_fail(&c, "U was held back", upper, root->upper);
    if (root->lower - lower > room) search_case_fail(&c, "L was held back", lower, root->lower);
    held += upper - root->upper > 8 * c.graph->floor || root->lower - lower > 8 * c.graph->floor;
    search_case_stop(&c);
  }
  assert_true(held > 3); /* or the threshold does nothing */
}

/* ------------------------------------------------------------------- preset */

static void check_preset(const search_case *c) {
  const gli_graph *graph = c->graph;
  for (uint32_t node = 0; node < graph->node_count; node++) {
    gli_node *n = gli_graph_node(graph, node);
    glimpse_row belief = gli_graph_belief(graph, n);
    for (uint32_t a = 0; a < graph->actions; a++) {
      if (!gli_node_opened(graph, n, a)) search_case_fail(c, "an action is not opened", node, a);
      gli_group group = gli_node_groups(graph, n)[a];
      for (uint32_t i = group.first; i < group.first + group.count; i++)
        if (gli_link_corner(graph->children[i].link)) search_case_fail(c, "an observation leads to a corner", node, a);
    }
    for (size_t i = 0; i < belief.count && gli_node_can_ask(graph, n) && gli_graph_shares(graph); i++)
      if (graph->corner[belief.index[i]].node == GLI_NONE)
        search_case_fail(c, "a request did not expand a corner", node, belief.index[i]);
  }
}

/* The lower bound of a fringe belief is the best blind plan's: asking is not considered. */
static void check_fringe(const search_case *c) {
  const gli_graph *graph = c->graph;
  for (uint32_t node = 0; node < graph->node_count; node++)
    for (uint32_t a = 0; a < graph->actions; a++) {
      gli_group group = gli_node_groups(graph, gli_graph_node(graph, node))[a];
      for (uint32_t k = group.first; k < group.first + group.count; k++) {
        const gli_child *child = &graph->children[k];
        if (!gli_link_fringe(child->link)) continue;
        double next[2] = {0, 0}, best = -INFINITY;
        glimpse_row belief = gli_graph_belief(graph, gli_graph_node(graph, node));
        for (size_t i = 0; i < belief.count; i++) {
          glimpse_row moves = glimpse_model_transition(c->model, a, belief.index[i]);
          for (size_t j = 0; j < moves.count; j++) {
            glimpse_row shown = glimpse_model_observation(c->model, a, moves.index[j]);
            for (size_t o = 0; o < shown.count; o++)
              if (shown.index[o] == child->label)
                next[moves.index[j]] += belief.value[i] * moves.value[j] * shown.value[o];
          }
        }
        double sum = next[0] + next[1];
        for (uint32_t v = 0; v < glimpse_bound_measure(c->blind).vectors; v++)
          best = fmax(best,
                      (next[0] * glimpse_bound_entry(c->blind, v, 0) + next[1] * glimpse_bound_entry(c->blind, v, 1)) /
                          sum);
        if (next[0] > 0 && next[1] > 0 && fabs(child->lower - best) > 8 * gli_graph_slack(graph, best))
          search_case_fail(c, "another lower bound of a fringe belief", child->lower, best);
      }
    }
}

static void test_preset(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 240; seed++) {
    random_shape shape = search_case_pair(seed, seed % 4 > 0);
    gli_graph_options options = {.sharing = (gli_sharing)(seed % 3),
                                 .rule = (gli_rule)(seed / 3 % 3),
                                 .paper = true};
    search_case c;
    search_case_start(&c, seed, random_model_make(seed, &shape));
    if (seed % 2) search_case_loosen(&c);
    search_case_exact(&c);
    search_case_search(&c, &options, true);
    gli_plain_of(c.search)->threshold = 1e-6;
    double error = search_case_error(&c), exact = search_case_value(&c, glimpse_model_start(c.model));
    for (unsigned i = 0; i < 6; i++) {
      search_case_run(&c, 1 + 3 * i);
      const gli_node *root = search_case_root(&c);
      if (root->upper < exact - error) search_case_fail(&c, "below the value", root->upper, exact);
      if (root->lower > exact + error) search_case_fail(&c, "above the value", root->lower, exact);
      check_preset(&c);
      check_fringe(&c);
    }
    for (uint32_t node = 0; node < c.graph->node_count; node++) {
      const gli_node *n = gli_graph_node(c.graph, node);
      double value = search_case_value(&c, gli_graph_belief(c.graph, n));
      if (n->upper < value - error) search_case_fail(&c, "a node below its value", n->upper, value);
      if (n->lower > value + error) search_case_fail(&c, "a node above its value", n->lower, value);
    }
    search_case_stop(&c);
  }
}

/* ----------------------------------------------------------- plain and fast */

static void test_agree(void **state) {
  (void)state;
  unsigned both = 0;
  for (uint64_t seed = 0; seed < 250; seed++) {
    random_shape shape = random_model_shape(seed, 4, 3, 2);
    if (shape.discount > 0.9) shape.discount = 0.9;
    shape.spread = 1 + seed % 2;
    gli_graph_options options = search_case_options((unsigned)(seed * 7 % SEARCH_CASE_OPTIONS));
    search_case c;
    search_case_start(&c, seed, random_model_make(seed, &shape));
    search_case_loosen(&c);
    search_case_search(&c, &options, false);
    glimpse_stop fast = search_case_run(&c, 300);
    double upper = search_case_root(&c)->upper, lower = search_case_root(&c)->lower;
    search_case_search(&c, &options, true);
    glimpse_stop plain = search_case_run(&c, 150);
    const gli_node *root = search_case_root(&c);
    double gap = 4 * c.graph->floor;
    if (fast == GLIMPSE_STOP_SOLVED && plain == GLIMPSE_STOP_SOLVED) {
      both++;
      if (fabs(upper - root->upper) > gap) search_case_fail(&c, "another U", upper, root->upper);
      if (fabs(lower - root->lower) > gap) search_case_fail(&c, "another L", lower, root->lower);
    }
    if (upper < root->lower - gap || root->upper < lower - gap)
      search_case_fail(&c, "they contradict each other", upper, root->lower);
    search_case_stop(&c);
  }
  assert_true(both > 60);
}

/* ------------------------------------------------------------------- memory */

typedef struct job {
  search_case c;
  gli_graph_options options;
} job;

static glimpse_status starve(void *context) {
  job *j = context;
  const glimpse_bound *uppers[] = {j->c.upper}, *lowers[] = {j->c.blind, j->c.always_ask};
  gli_graph *graph = gli_graph_new(j->c.model, (gli_graph_bounds){uppers, 1, lowers, 2}, &j->options);
  gli_search *search = graph ? gli_plain_search(graph, 0) : NULL;
  bool fine =
      search && gli_search_begin(search, glimpse_model_start(j->c.model), false, true) && !gli_search_root(search);
  for (unsigned i = 0; fine && i < 30; i++) fine = !gli_search_step(search);
  gli_search_free(search);
  gli_graph_free(graph);
  return fine ? GLIMPSE_OK : GLIMPSE_NO_MEMORY;
}

static void test_no_memory(void **state) {
  (void)state;
  random_shape shape = {
      .states = 5, .actions = 2, .observations = 3, .spread = 3, .high = 2, .low = -1, .discount = 0.9, .cost = 0.3};
  job j;
  search_case_start(&j.c, 3, random_model_make(3, &shape));
  for (unsigned k = 0; k < 3; k++) {
    j.options = (gli_graph_options){.sharing = (gli_sharing)k};
    assert_true(failing_malloc_sweep(starve, &j) > 30);
  }
  search_case_stop(&j.c);
}

/* --------------------------------------------------------------------- time */

static gli_search *other_of(const search_case *c, const gli_graph_options *options) {
  gli_search *other = search_case_other(c, options, true);
  assert_int_equal(gli_search_root(other), GLIMPSE_STOP_NONE);
  return other;
}

static void free_other(gli_search *search) {
  gli_graph *graph = search->graph;
  gli_search_free(search);
  gli_graph_free(graph);
}

static void same_root(const search_case *c, const gli_search *other) {
  const gli_node *mine = search_case_root(c), *its = gli_graph_node(other->graph, other->graph->root);
  if (mine->upper != its->upper) search_case_fail(c, "another upper bound", mine->upper, its->upper);
  if (mine->lower != its->lower) search_case_fail(c, "another lower bound", mine->lower, its->lower);
  assert_int_equal(c->graph->expansions, other->graph->expansions);
  assert_int_equal(c->graph->node_count, other->graph->node_count);
}

/* What an expansion begins it ends, whatever the clock says: a deadline that is over makes no difference to a step. */
static void test_late(void **state) {
  (void)state;
  search_case c;
  gli_graph_options options = {.sharing = GLI_SHARE_CORNERS, .paper = true};
  search_case_start(&c, 0, environment_make("robot-delivery:n=3"));
  search_case_search(&c, &options, true);
  gli_search *other = other_of(&c, &options);
  c.graph->deadline = 0;
  assert_int_equal(gli_search_root(c.search), GLIMPSE_STOP_NONE);
  for (unsigned i = 0; i < 200; i++) {
    assert_int_equal(gli_search_step(c.search), GLIMPSE_STOP_NONE);
    assert_int_equal(gli_search_step(other), GLIMPSE_STOP_NONE);
    same_root(&c, other);
  }
  assert_false(c.graph->late || c.graph->full);
  free_other(other);
  search_case_stop(&c);
}

/* In slices it is the same search as in one go, with the threshold of the paper, too. */
static void test_slices(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 120; seed++) {
    random_shape shape = random_model_shape(seed, 5, 3, 3);
    gli_graph_options options = {.sharing = (gli_sharing)(seed % 3), .paper = seed % 2};
    search_case c;
    search_case_start(&c, seed, random_model_make(seed, &shape));
    search_case_search(&c, &options, true);
    gli_search *other = search_case_other(&c, &options, true);
    gli_plain_of(c.search)->threshold = gli_plain_of(other)->threshold = seed % 4 ? 1e-6 : 1e-2;
    gli_search_run(c.search, &(glimpse_budget){.expansions = 60}, 0);
    glimpse_stop stop = GLIMPSE_STOP_EXPANSIONS;
    while (other->graph->expansions < 60 && stop == GLIMPSE_STOP_EXPANSIONS) {
      uint64_t left = 60 - other->graph->expansions, slice = 1 + seed % 7;
      stop = gli_search_run(other, &(glimpse_budget){.expansions = slice < left ? slice : left}, 0);
    }
    same_root(&c, other);
    free_other(other);
    search_case_stop(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_select),    cmocka_unit_test(test_naive),  cmocka_unit_test(test_naive_paper),
      cmocka_unit_test(test_propagate), cmocka_unit_test(test_preset), cmocka_unit_test(test_agree),
      cmocka_unit_test(test_no_memory), cmocka_unit_test(test_late),   cmocka_unit_test(test_slices)};
  return cmocka_run_group_tests_name("plain", tests, NULL, NULL);
}
