/* Check: the checker finds nothing in a sound graph, and whatever is broken on purpose. */
#include "support/check.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "graph/maker.h"
#include "graph/sawtooth.h"
#include "graph/vectors.h"
#include "support/environment.h"
#include "support/failing_malloc.h"
#include "support/graph_case.h"

static graph_case c;
static const gli_graph_options learning = {
    .sharing = GLI_SHARE_ALL, .live = true, .learn_vectors = true, .learn_points = true};

static void grow(const char *name, const gli_graph_options *options, unsigned expansions) {
  graph_case_start(&c, 0, environment_make(name));
  graph_case_search(&c, options, false);
  graph_case_expand(&c, expansions);
  graph_case_converge(c.graph);
}

static void found(const char *what) {
  char text[GLI_CHECK_TEXT];
  assert_false(gli_check_graph(c.graph, GLI_CHECK_SETTLED, text));
  if (!strstr(text, what)) fail_msg("found \"%s\", not \"%s\"", text, what);
}

/* Changes something, sees that it is found, and puts it back. */
#define BREAK(place, value, what)                                                                                      \
  do {                                                                                                                 \
    __typeof__(place) kept = place;                                                                                    \
    place = value;                                                                                                     \
    found(what);                                                                                                       \
    place = kept;                                                                                                      \
    graph_case_check(&c, GLI_CHECK_SETTLED);                                                                           \
  } while (0)

/* A node that is not the root, nor a corner, whose belief has several states, and whose greedy choice is an action. */
static uint32_t some_node(void) {
  for (uint32_t node = (uint32_t)c.graph->node_count; node-- > 0;) {
    const gli_node *n = gli_graph_node(c.graph, node);
    if (node != c.graph->root && n->state == GLI_NONE && n->support > 1 && n->greedy < c.graph->actions) return node;
  }
  fail_msg("there is no such node");
  return GLI_NONE;
}

typedef enum kind { FRINGE, CORNER, NODE } kind;

/* The first child of a kind, and whose it is. */
static gli_child *some_child(kind wanted) {
  for (size_t i = 0; i < c.graph->child_count; i++) {
    uint32_t link = c.graph->children[i].link;
    kind is = gli_link_fringe(link) ? FRINGE : gli_link_corner(link) ? CORNER : NODE;
    if (is == wanted) return &c.graph->children[i];
  }
  fail_msg("there is no such child");
  return NULL;
}

static uint32_t *states_of(const gli_node *n) {
  return (uint32_t *)(void *)(c.graph->beliefs + n->belief + n->support);
}

static void test_beliefs(void **state) {
  (void)state;
  grow("robot-delivery:n=2", &learning, 60);
  graph_case_check(&c, GLI_CHECK_SETTLED);
  gli_graph *graph = c.graph;
  gli_node *n = gli_graph_node(graph, some_node()), *root = gli_graph_node(graph, graph->root);
  double *mass = graph->beliefs + n->belief;
  BREAK(n->support, 0, "has no size");
  BREAK(n->support, graph->states + 1, "has no size");
  BREAK(n->belief, root->belief, "has no place of its own");
  BREAK(n->belief, (uint32_t)graph->belief_count, "has no place of its own");
  BREAK(states_of(n)[n->support - 1], graph->states, "not in order");
  BREAK(states_of(n)[1], states_of(n)[0], "not in order");
  BREAK(mass[0], 0, "not in order");
  BREAK(mass[0], mass[0] + 1e-9, "does not sum to 1");
  BREAK(graph->belief_count, graph->belief_count + 1, "");
  BREAK(n->state, 0, "not the corner that it says");
  n->hash ^= 1; /* merging looks for it in vain */
  found("not in the table of beliefs");
  n->hash ^= 1;
  double first = mass[0]; /* another belief that is one, too */
  mass[0] = first - 1e-6;
  mass[1] += 1e-6;
  found("");
  mass[0] = first;
  mass[1] -= 1e-6;
  graph_case_stop(&c);
}

static void test_children(void **state) {
  (void)state;
  grow("robot-delivery:n=2", &learning, 60);
  gli_graph *graph = c.graph;
  gli_node *n = gli_graph_node(graph, some_node());
  gli_group *groups = gli_node_groups(graph, n);
  uint32_t greedy = n->greedy;
  gli_child *fringe = some_child(FRINGE), *corner = some_child(CORNER), *inner = some_child(NODE);
  BREAK(fringe->probability, fringe->probability * (1 + 1e-9), "probability of child");
  BREAK(fringe->probability, 0, "probability of child");
  BREAK(fringe->label, graph->model->observations, "a label that cannot be");
  BREAK(groups[greedy].first, (uint32_t)graph->child_count, "no place of their own");
  BREAK(groups[greedy].first, gli_node_groups(graph, gli_graph_node(graph, graph->root))[0].first, "");
  BREAK(groups[greedy].count, 0, "");
  BREAK(inner->link, (uint32_t)graph->node_count, "leads nowhere");
  BREAK(inner->link, inner->link ? inner->link - 1 : 1, "");
  BREAK(corner->link, GLI_CORNER | graph->states, "leads nowhere");
  BREAK(corner->link, GLI_CORNER | (((corner->link & ~GLI_CORNER) + 1) % graph->states), "leads to another belief");
  BREAK(fringe->link, GLI_FRINGE | 99999, "rests on a vector that is gone");
  BREAK(fringe->lower, fringe->upper + 1, "L > U at child");
  BREAK(fringe->upper, INFINITY, "L > U at child");
  BREAK(fringe->lower, (fringe->lower + fringe->upper) / 2 + 1e-4, "nothing is behind L of child");
  BREAK(inner->upper, -1e-12, "slack of child");
  BREAK(inner->lower, 1e-12, "slack of child");
  BREAK(inner->lower, NAN, "slack of child");
  BREAK(inner->upper, inner->upper + 1e-3, "is too large");
  BREAK(corner->lower, corner->lower - 1e-3, "is too large");
  double *near = graph->beliefs + gli_graph_node(graph, inner->link)->belief; /* not what it was linked to */
  assert_true(gli_graph_node(graph, inner->link)->support > 1);
  double two[2] = {near[0], near[1]};
  near[0] += graph->near / 8;
  near[1] -= graph->near / 8;
  found("is too small");
  near[0] = two[0];
  near[1] = two[1];
  BREAK(gli_node_rewards(graph, n)[greedy], 5, "reward");
  graph_case_stop(&c);

  grow("robot-delivery:n=2", &(gli_graph_options){.sharing = GLI_SHARE_NONE}, 60);
  graph = c.graph;
  gli_group ask = gli_node_groups(graph, gli_graph_node(graph, graph->root))[graph->actions];
  assert_true(ask.count > 1);
  BREAK(graph->children[ask.first].label, graph->children[ask.first + 1].label, "a label that cannot be");
  BREAK(graph->children[ask.first].probability, 0.9, "probability of child");
  BREAK(gli_node_groups(graph, gli_graph_node(graph, graph->root))[graph->actions].count, ask.count - 1, "");
  graph_case_stop(&c);
}

static void test_bounds(void **state) {
  (void)state;
  gli_graph_options options = {.sharing = GLI_SHARE_CORNERS, .live = true};
  grow("robot-delivery:n=2", &options, 60);
  gli_graph *graph = c.graph;
  gli_node *n = gli_graph_node(graph, graph->root); /* nobody leads to it, who would be blamed first */
  double *uppers = gli_node_uppers(n), *lowers = gli_node_lowers(graph, n);
  uint32_t greedy = n->greedy, ask = graph->actions;
  assert_true(greedy < ask);
  BREAK(n->lower, n->upper + 1, "L > U at node");
  BREAK(n->upper, NAN, "L > U at node");
  BREAK(n->upper, n->upper + 1, "");
  BREAK(n->lower, n->lower - 1, "");
  BREAK(n->lower, (n->lower + n->upper) / 2 + 1e-3, "nothing is behind L of node");
  BREAK(uppers[greedy], uppers[greedy] + 1, "");
  BREAK(uppers[greedy], uppers[greedy] - 1e-3, "");
  BREAK(lowers[greedy], lowers[greedy] - 1, "is worse than its backup");
  BREAK(lowers[greedy], uppers[greedy] + 1, "L > U of choice");
  BREAK(lowers[ask], lowers[ask] - 1, "is worse than its backup");
  BREAK(uppers[ask], uppers[ask] - 1e-3, "is below its backup");
  BREAK(uppers[ask], -INFINITY, "can ask where it cannot, or cannot");
  BREAK(n->greedy, (n->greedy + 1) % ask, "greedy choice or plan");
  BREAK(n->greedy, ask + 1, "no such choice");
  BREAK(n->plan, (n->plan + 1) % ask, "greedy choice or plan");
  BREAK(n->rest, 0, "rests on a vector that is gone");
  uint32_t closed = ask; /* an action that is not opened must not be the greedy one */
  for (uint32_t node = 0; node < graph->node_count && closed == ask; node++) {
    n = gli_graph_node(graph, node);
    for (closed = 0; closed < ask && gli_node_opened(graph, n, closed);) closed++;
  }
  assert_true(closed < ask);
  gli_node_uppers(n)[closed] = n->upper + 1;
  n->greedy = closed;
  found("not opened");
  graph_case_stop(&c);
}

static void test_corners(void **state) {
  (void)state;
  grow("robot-delivery:n=2", &learning, 60);
  gli_graph *graph = c.graph;
  uint32_t with = 0, without = 0;
  while (graph->corner[with].node == GLI_NONE) with++;
  while (graph->corner[without].node != GLI_NONE) without++;
  assert_true(with < graph->states && without < graph->states);
  gli_corner *corner = &graph->corner[with], *fringe = &graph->corner[without];
  double *line = graph->table + (size_t)without * graph->stride;
  BREAK(corner->node, graph->root, "");
  BREAK(corner->node, (uint32_t)graph->node_count, "");
  BREAK(corner->node, GLI_NONE, "not the corner that it says");
  BREAK(corner->upper, corner->upper - 1e-6, "");
  BREAK(corner->lower, corner->lower + 1e-6, "");
  BREAK(fringe->lower, fringe->upper + 1, "");
  BREAK(fringe->rest, 99999, "rests on a vector that is gone");
  BREAK(line[0], line[0] + 1, "the table is worse than it was");
  BREAK(line[graph->at_act_upper], line[graph->at_act_upper] - 1, "the table knows more");
  BREAK(line[graph->at_act_lower], line[graph->at_act_lower] + 1, "the table knows more");
  BREAK(graph->corners, graph->corners + 1, "corners are not counted");
  BREAK(graph->root, (uint32_t)graph->node_count, "the root is not there");
  graph_case_stop(&c);
}

static void test_room(void **state) {
  (void)state;
  grow("robot-delivery:n=2", &learning, 60);
  gli_graph *graph = c.graph;
  BREAK(graph->node_count, graph->node_capacity + 1, "more than there is room for");
  BREAK(graph->child_count, graph->child_count - 1, "");
  BREAK(graph->child_count, graph->child_count + 1, "belongs to nobody");
  BREAK(graph->quota.bytes, 8, "not counted");
  BREAK(graph->quota.limit, 10, "more memory than allowed");
  BREAK(graph->slots_used, graph->slots_used + 1, "the table of beliefs is not counted");
  BREAK(graph->maker->mass[0], 0.5, "scratch of the maker");
  size_t slot = 0;
  while (!graph->slots[slot]) slot++;
  BREAK(graph->slots[slot], (uint32_t)graph->node_count + 1, "a node that is gone");
  /* Two nodes with one belief. */
  gli_node *one = gli_graph_node(graph, some_node()), *two = NULL;
  for (uint32_t node = 0; node < graph->node_count && !two; node++) {
    gli_node *n = gli_graph_node(graph, node);
    if (n != one && n->state == GLI_NONE && n->support == one->support) two = n;
  }
  assert_non_null(two);
  for (uint32_t i = 0; i < one->support; i++) graph->beliefs[two->belief + i] = graph->beliefs[one->belief + i];
  memcpy(states_of(two), states_of(one), one->support * sizeof(uint32_t));
  found("");
  graph_case_stop(&c);
}

static void test_vectors(void **state) {
  (void)state;
  grow("robot-delivery:n=3", &learning, 400);
  gli_graph *graph = c.graph;
  struct gli_vectors *all = graph->vectors;
  assert_true(all->used > all->fixed);
  graph_case_check(&c, GLI_CHECK_SETTLED);
  uint32_t id = all->vector_of[all->used - 1];
  gli_vector *v = gli_vectors_at(graph, id);
  double *values = gli_vector_values(graph, v);
  BREAK(values[0], values[0] + 1e-3, "");
  BREAK(all->matrix[all->used - 1], all->matrix[all->used - 1] - 1, "the matrix has other values");
  BREAK(v->action, graph->actions, "has no action");
  BREAK(v->action, (v->action + 1) % graph->actions, "promises too much");
  BREAK(v->slot, v->slot - 1, "is not in its slot");
  BREAK(v->state, GLI_VECTOR_MARKED, "has no state");
  BREAK(v->state, GLI_VECTOR_FREE, "");
  BREAK(gli_vector_successors(v)[0], all->count, "a successor that is gone");
  BREAK(all->live, all->live + 1, "vectors are not counted");
  BREAK(all->free, id, "");
  BREAK(all->fixed, all->used + 1, "more vectors than room");
  graph_case_stop(&c);
}

static void test_points(void **state) {
  (void)state;
  grow("robot-delivery:n=3", &learning, 400);
  gli_graph *graph = c.graph;
  struct gli_sawtooth *t = graph->sawtooth;
  assert_true(t->count > 1);
  graph_case_check(&c, GLI_CHECK_SETTLED);
  gli_point *p = &t->points[0];
  BREAK(p->node, (uint32_t)graph->node_count, "has no node");
  BREAK(gli_graph_node(graph, p->node)->point, GLI_NONE, "has no node");
  BREAK(p->anchor, (p->anchor + 1) % graph->states, "another anchor");
  BREAK(t->first[p->anchor], GLI_NONE, "points are not counted");
  BREAK(t->depth[0], 1, "too deep");
  BREAK(t->depth[0], t->depth[0] - 1e3, "too deep");
  BREAK(t->mass[3], 0.5, "scratch of the sawtooth");
  BREAK(t->table[0], t->table[0] - 1e3, "");
  uint32_t other = 0;
  while (gli_graph_node(graph, other)->point != GLI_NONE) other++;
  gli_graph_node(graph, other)->point = 0;
  found("points are not counted");
  graph_case_stop(&c);
}

static void test_history(void **state) {
  (void)state;
  char text[GLI_CHECK_TEXT];
  grow("robot-delivery:n=2", &learning, 60);
  graph_case_look(&c);
  graph_case_look(&c);
  gli_graph *graph = c.graph;
  gli_node *n = gli_graph_node(graph, some_node());
  double *uppers[] = {&some_child(FRINGE)->upper, &n->upper, gli_node_uppers(n), gli_node_uppers(n) + graph->actions,
                      &graph->corner[3].upper};
  double *lowers[] = {&some_child(NODE)->lower, &n->lower, gli_node_lowers(graph, n), &graph->corner[3].lower};
  for (size_t i = 0; i < sizeof uppers / sizeof *uppers; i++) {
    double kept = *uppers[i];
    *uppers[i] += 1e-12;
    assert_false(gli_check_history_look(c.history, graph, text));
    assert_non_null(strstr(text, "U has risen"));
    *uppers[i] = kept - 1e-12; /* and fall it may */
    graph_case_look(&c);
  }
  for (size_t i = 0; i < sizeof lowers / sizeof *lowers; i++) {
    double kept = *lowers[i];
    *lowers[i] -= 1e-12;
    assert_false(gli_check_history_look(c.history, graph, text));
    assert_non_null(strstr(text, "L has fallen"));
    *lowers[i] = kept + 1e-12;
    graph_case_look(&c);
  }
  n->lower -= 1e-9;
  gli_check_history_forget(c.history);
  graph_case_look(&c);
  n->lower -= 1e-9; /* another belief may have any bounds */
  n->belief++;
  assert_true(gli_check_history_look(c.history, graph, text));
  graph_case_stop(&c);
}

/* Out of memory is said, and is no reason to call a graph wrong or right. */
static void test_memory(void **state) {
  (void)state;
  char text[GLI_CHECK_TEXT];
  grow("robot-delivery:n=2", &learning, 60);
  long live = failing_malloc_live();
  for (int what = 0; what < 2; what++) {
    bool fine = false;
    unsigned long n = 1;
    for (; !fine && n < 100; n++) {
      gli_check_history *history = gli_check_history_new();
      assert_non_null(history);
      failing_malloc_set(n, true);
      fine = what ? gli_check_history_look(history, c.graph, text) : gli_check_graph(c.graph, GLI_CHECK_SETTLED, text);
      unsigned long failures = failing_malloc_failures();
      failing_malloc_set(0, false);
      gli_check_history_free(history);
      assert_int_equal(fine, failures == 0);
      if (!fine) assert_string_equal(text, "out of memory");
    }
    assert_true(fine && n > 2);
    assert_int_equal(failing_malloc_live(), live);
  }
  graph_case_stop(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_beliefs), cmocka_unit_test(test_children), cmocka_unit_test(test_bounds),
      cmocka_unit_test(test_corners), cmocka_unit_test(test_room),     cmocka_unit_test(test_vectors),
      cmocka_unit_test(test_points),  cmocka_unit_test(test_history),  cmocka_unit_test(test_memory)};
  return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
