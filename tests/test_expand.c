/* Expand: nodes and children against sums written naively, and choices that are opened only when they are greedy
 * against a belief with all its children.
 *
 * Covers src/graph/backup.c, src/graph/maker.c. */
#include "graph/expand.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "graph/backup.h"
#include "graph/maker.h"
#include "graph/merge.h"
#include "support/environment.h"
#include "support/graph_case.h"
#include "support/price.h"
#include "support/random_model.h"

enum { MOST_STATES = 6 };

/* The least upper bound of an action in a state. */
static double least(const graph_case *c, uint32_t a, uint32_t s) {
  double upper = glimpse_bound_entry(c->upper, a, s);
  return c->tib ? fmin(upper, glimpse_bound_entry(c->tib, a, s)) : upper;
}

/* Bounds of a belief by the offline vectors of the case, from the bounds themselves.  Strings of actions are for known
 * states only; without vectors nobody looks at them elsewhere. */
static gli_bounds judge(const graph_case *c, glimpse_row b) {
  const glimpse_model *model = c->model;
  double upper = -INFINITY, lower = -INFINITY, ask_upper = 0, ask_lower = 0;
  uint32_t actions = glimpse_model_count(model, GLIMPSE_ACTION);
  for (uint32_t a = 0; a < actions; a++) {
    double high = 0, low = 0;
    for (size_t i = 0; i < b.count; i++) {
      high += b.value[i] * least(c, a, b.index[i]);
      low += b.value[i] * glimpse_bound_entry(c->blind, a, b.index[i]);
    }
    upper = fmax(upper, high);
    lower = fmax(lower, low);
  }
  for (size_t i = 0; i < b.count; i++) {
    uint32_t s = b.index[i];
    double high = -INFINITY, low = -INFINITY, price = price_in(model, s);
    for (uint32_t a = 0; a < actions; a++) {
      high = fmax(high, least(c, a, s));
      low = fmax(low, glimpse_bound_entry(c->blind, a, s));
    }
    if (c->always_ask) low = fmax(low, glimpse_bound_entry(c->always_ask, 0, s) + price);
    if (c->sequence) low = fmax(low, gli_bound_known(c->sequence, s));
    ask_upper += b.value[i] * (high - (b.count > 1 ? price : 0));
    ask_lower += b.value[i] * (low - (b.count > 1 ? price : 0));
  }
  if (b.count == 1) return (gli_bounds){ask_upper, fmax(lower, ask_lower)}; /* acting in a known state */
  if (!glimpse_model_requests(model)) return (gli_bounds){upper, lower};
  return (gli_bounds){fmax(upper, ask_upper), fmax(lower, ask_lower)};
}

static void near(const graph_case *c, const char *what, double is, double wanted) {
  if (!(fabs(is - wanted) <= 1e-9 * fmax(1, fabs(wanted)))) graph_case_fail(c, what, is, wanted);
}

static uint32_t make(graph_case *c, gli_random *random) {
  double dense[MOST_STATES], value[MOST_STATES];
  uint32_t index[MOST_STATES];
  random_belief(random, c->graph->states, dense);
  glimpse_row belief = random_belief_row(dense, c->graph->states, index, value);
  if (belief.count == 1 && gli_graph_shares(c->graph)) return gli_expand_corner(c->graph, belief.index[0]);
  double slack;
  uint32_t hash, known = gli_merge_find(c->graph, belief, &slack, &hash);
  if (known != GLI_NONE) return known;
  uint32_t node = gli_expand_node(c->graph, belief, GLI_NONE, (gli_seen){0});
  if (c->graph->options.sharing == GLI_SHARE_ALL) gli_merge_add(c->graph, node, hash);
  return node;
}

/* A new node knows its rewards, and of its choices what the vectors say. */
static void look_at_new(const graph_case *c, uint32_t node) {
  gli_graph *graph = c->graph;
  gli_node *n = gli_graph_node(graph, node);
  glimpse_row b = gli_graph_belief(graph, n);
  gli_bounds bounds = judge(c, b);
  near(c, "U of a new node", n->upper, bounds.upper);
  near(c, "L of a new node", n->lower, bounds.lower);
  assert_true(n->greedy == GLI_NONE && n->plan == GLI_NONE);
  for (uint32_t a = 0; a < graph->actions; a++) {
    double high = 0, low = 0, reward = 0;
    for (size_t i = 0; i < b.count; i++) {
      high += b.value[i] * least(c, a, b.index[i]);
      low += b.value[i] * glimpse_bound_entry(c->blind, a, b.index[i]);
      reward += b.value[i] * glimpse_model_reward(c->model, a, b.index[i]);
    }
    near(c, "reward", gli_node_rewards(graph, n)[a], reward);
    near(c, "U of an action", gli_node_uppers(n)[a], high);
    double lower = gli_node_lowers(graph, n)[a], worst = reward - graph->discount * graph->scale;
    bool useful = false; /* a vector that is nowhere the best is not kept */
    for (uint32_t k = 0; k < graph->lowers; k++) useful |= graph->lower_action[k] == a;
    near(c, "L of an action", lower, useful ? fmax(low, worst) : worst);
  }
}

/* Children have the probabilities and bounds of their beliefs. */
static void look_at_children(const graph_case *c, uint32_t node, uint32_t a) {
  gli_graph *graph = c->graph;
  gli_belief_work *work = gli_belief_work_new(c->model);
  gli_children anew = {0};
  assert_non_null(work);
  glimpse_row b = gli_graph_belief(graph, gli_graph_node(graph, node));
  assert_true(gli_belief_children(work, b, a, &anew));
  gli_group group = gli_node_groups(graph, gli_graph_node(graph, node))[a];
  assert_int_equal(group.count, anew.count);
  for (uint32_t i = 0; i < group.count; i++) {
    const gli_child *child = &graph->children[group.first + i];
    size_t j = 0;
    while (anew.observation[j] != child->label) j++;
    glimpse_row after = gli_children_row(&anew, j);
    gli_bounds bounds = judge(c, after);
    near(c, "probability", child->probability, anew.probability[j]);
    gli_bounds is = gli_graph_bounds_of(graph, &(gli_outcome){.link = child->link, .child = group.first + i});
    near(c, "U of a child", is.upper, bounds.upper);
    near(c, "L of a child", is.lower, bounds.lower);
    bool certain = after.count == 1 && gli_graph_shares(graph);
    if (certain) assert_true(child->upper == 0 && child->lower == 0);
    assert_int_equal(child->link, certain ? GLI_CORNER | after.index[0] : GLI_FRINGE | GLI_UNSEEN | GLI_NO_VECTOR);
  }
  gli_children_free(&anew);
  gli_belief_work_free(work);
}

static void test_numbers(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 150; seed++) {
    random_shape shape = random_model_shape(seed, MOST_STATES, 4, 3);
    gli_random random = gli_random_stream(seed, "expand", 0);
    graph_case c;
    graph_case_start(&c, seed, random_model_make(seed, &shape));
    graph_case_search(&c, &(gli_graph_options){.sharing = (gli_sharing)(seed % 3)}, false);
    for (unsigned i = 0; i < 8; i++) {
      size_t before = c.graph->node_count;
      uint32_t node = make(&c, &random);
      assert_int_not_equal(node, GLI_NONE);
      if (c.graph->node_count == before) continue; /* a corner that was there */
      look_at_new(&c, node);
      for (uint32_t a = 0; a < c.graph->actions; a++) {
        assert_true(gli_expand_open(c.graph, node, a));
        look_at_children(&c, node, a);
        size_t children = c.graph->child_count;
        assert_true(gli_expand_open(c.graph, node, a)); /* once is enough */
        assert_int_equal(c.graph->child_count, children);
      }
    }
    graph_case_stop(&c);
  }
}

/* Only what is greedy is opened, and U and the greedy choice are those of a belief with all its children. */
static void test_lazy(void **state) {
  (void)state;
  unsigned closed = 0, opened = 0;
  for (uint64_t seed = 0; seed < 150; seed++) {
    random_shape shape = random_model_shape(seed, MOST_STATES, 4, 3);
    gli_random random = gli_random_stream(seed, "lazy", 0), again = random;
    graph_case lazy, whole;
    graph_case_start(&lazy, seed, random_model_make(seed, &shape));
    graph_case_start(&whole, seed, random_model_make(seed, &shape));
    gli_graph_options options = {.sharing = (gli_sharing)(seed % 3)};
    graph_case_search(&lazy, &options, false);
    graph_case_search(&whole, &options, false);
    for (unsigned i = 0; i < 8; i++) {
      uint32_t node = make(&lazy, &random), other = make(&whole, &again);
      bool changed = false;
      assert_true(gli_expand_grow(lazy.graph, node, false, &changed));
      assert_true(gli_expand_grow(whole.graph, other, true, NULL));
      gli_node *n = gli_graph_node(lazy.graph, node), *m = gli_graph_node(whole.graph, other);
      assert_true(changed || n->greedy != GLI_NONE);
      assert_true(gli_node_opened(lazy.graph, n, n->greedy) && !gli_backup_wants(lazy.graph, node));
      if (n->upper != m->upper) graph_case_fail(&lazy, "U depends on what is opened", n->upper, m->upper);
      assert_int_equal(n->greedy, m->greedy);
      assert_true(n->lower <= m->lower);
      for (uint32_t a = 0; a < lazy.graph->actions; a++) {
        assert_true(gli_node_opened(whole.graph, m, a));
        if (gli_node_opened(lazy.graph, n, a)) opened++;
        else closed++;
      }
      if (n->state != GLI_NONE) continue; /* it may lead to itself */
      gli_bounds before = {n->upper, n->lower};
      assert_true(gli_expand_grow(lazy.graph, node, false, NULL)); /* only which of two equals is greedy may change */
      assert_true(n->upper == before.upper && n->lower == before.lower);
    }
    graph_case_check(&lazy, GLI_CHECK_ANY);
    graph_case_check(&whole, GLI_CHECK_ANY);
    graph_case_stop(&lazy);
    graph_case_stop(&whole);
  }
  print_message("%u actions opened, %u not\n", opened, closed);
  assert_true(opened > 500 && closed > 500);
}

/* Children that are made in pieces are the same, bit for bit; another node in between starts anew. */
static void test_late(void **state) {
  (void)state;
  random_shape shape = {.states = 120,
                        .actions = 2,
                        .observations = 20,
                        .spread = 120,
                        .high = 2,
                        .low = -1,
                        .discount = 0.9,
                        .cost = 0.3};
  for (int other = 0; other < 2; other++) {
    graph_case c, d;
    graph_case_start(&c, 0, random_model_make(0, &shape));
    graph_case_start(&d, 0, random_model_make(0, &shape));
    gli_graph_options options = {.sharing = GLI_SHARE_CORNERS};
    graph_case_search(&c, &options, false);
    graph_case_search(&d, &options, false);
    uint32_t root = c.graph->root;
    c.graph->deadline = -1; /* always late */
    unsigned pieces = 0;
    while (!gli_expand_open(c.graph, root, 1)) {
      assert_true(c.graph->late && !c.graph->full);
      graph_case_check(&c, GLI_CHECK_ANY);
      c.graph->late = false;
      if (other && pieces == 1) {
        c.graph->deadline = INFINITY;
        assert_true(gli_expand_open(c.graph, root, 0));
        c.graph->deadline = -1;
      }
      assert_true(++pieces < 10000);
    }
    assert_true(pieces > 1);
    assert_true(gli_expand_open(d.graph, root, 1));
    gli_group one = gli_node_groups(c.graph, gli_graph_node(c.graph, root))[1];
    gli_group two = gli_node_groups(d.graph, gli_graph_node(d.graph, root))[1];
    assert_int_equal(one.count, two.count);
    assert_memory_equal(c.graph->children + one.first, d.graph->children + two.first,
                        one.count * sizeof *c.graph->children);
    c.graph->deadline = INFINITY;
    graph_case_check(&c, GLI_CHECK_ANY);
    graph_case_stop(&c);
    graph_case_stop(&d);
  }
}

/* The paper's forms: certain observations that are no corners, lower bounds that do not ask, all lower vectors. */
static void test_paper(void **state) {
  (void)state;
  unsigned certain = 0, lower = 0;
  for (uint64_t seed = 0; seed < 60; seed++) {
    random_shape shape = random_model_shape(seed, MOST_STATES, 3, 3);
    shape.cost = 0.01;
    graph_case c;
    graph_case_start(&c, seed, random_model_make(seed, &shape));
    gli_graph_options options = {
        .sharing = GLI_SHARE_CORNERS, .paper = true, .all_lowers = true};
    graph_case_search(&c, &options, false);
    gli_graph *graph = c.graph;
    assert_int_equal(graph->lowers, graph->actions);
    gli_bounds bounds = judge(&c, gli_graph_belief(graph, gli_graph_node(graph, graph->root)));
    const gli_node *root = gli_graph_node(graph, graph->root);
    lower += root->lower < bounds.lower - 1e-6;
    near(&c, "U", root->upper, bounds.upper);
    assert_true(gli_expand_grow(graph, graph->root, true, NULL));
    for (size_t i = 0; i < graph->child_count; i++) {
      assert_true(gli_link_fringe(graph->children[i].link));
      certain++;
    }
    graph_case_check(&c, GLI_CHECK_ANY);
    graph_case_stop(&c);
  }
  assert_true(certain > 50 && lower > 5);
}

/* Live: new children use what the corners have learnt. */
static void test_live(void **state) {
  (void)state;
  for (int live = 0; live < 2; live++) {
    graph_case c;
    graph_case_start(&c, 0, environment_make("robot-delivery:n=3"));
    graph_case_search(&c, &(gli_graph_options){.sharing = GLI_SHARE_CORNERS, .live = live}, false);
    glimpse_row start = glimpse_model_start(c.model);
    gli_bounds before = gli_expand_judge(c.graph, start);
    graph_case_expand(&c, 500);
    gli_bounds after = gli_expand_judge(c.graph, start);
    if (live) assert_true(after.upper < before.upper && after.lower >= before.lower);
    else assert_true(after.upper == before.upper && after.lower == before.lower);
    graph_case_stop(&c);
  }
}

/* Whatever there is no room for leaves the graph as it was. */
static void test_no_room(void **state) {
  (void)state;
  graph_case c;
  graph_case_start(&c, 0, environment_make("robot-delivery:n=3"));
  for (int sharing = GLI_SHARE_NONE; sharing <= GLI_SHARE_ALL; sharing++) {
    graph_case_search(&c, &(gli_graph_options){.sharing = (gli_sharing)sharing}, false);
    graph_case_expand(&c, 20);
    gli_graph *graph = c.graph;
    unsigned refused = 0, made = 0;
    for (uint32_t i = 0; i < 400; i++) {
      graph->quota.limit = graph->quota.bytes * 8 / 7 + 37 * i % 4000;
      size_t nodes = graph->node_count, children = graph->child_count, beliefs = graph->belief_count;
      uint32_t node = gli_expand_node(graph, glimpse_model_start(c.model), GLI_NONE, (gli_seen){0});
      if (node == GLI_NONE) {
        assert_true(graph->full && graph->node_count == nodes && graph->child_count == children &&
                    graph->belief_count == beliefs);
        refused++;
      } else {
        made++;
        children = graph->child_count;
        if (!gli_expand_open(graph, node, i % graph->actions)) assert_int_equal(graph->child_count, children);
      }
      graph->full = false;
      assert_true(graph->quota.bytes <= graph->quota.limit);
    }
    assert_true(refused && made);
    graph->options.sharing =
        sharing == GLI_SHARE_ALL ? GLI_SHARE_CORNERS : graph->options.sharing; /* one belief, often */
    graph->quota.limit = 0;
    graph_case_check(&c, GLI_CHECK_ANY);
  }
  graph_case_stop(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers), cmocka_unit_test(test_lazy),
                                     cmocka_unit_test(test_late),    cmocka_unit_test(test_paper),
                                     cmocka_unit_test(test_live),    cmocka_unit_test(test_no_room)};
  return cmocka_run_group_tests_name("expand", tests, NULL, NULL);
}
