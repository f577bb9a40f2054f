/* Check: the checker finds nothing in a sound graph, and whatever is broken on
 * purpose. */
#include "graph/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "support/graph_case.h"

static graph_case c;

static void grow(gli_sharing sharing) {
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_environment_make("robot-delivery:n=2", NULL, &model), GLIMPSE_OK);
  graph_case_start(&c, 0, model);
  graph_case_search(&c, &(gli_graph_options){.sharing = sharing, .live = true}, false);
  for (int i = 0; i < 60; i++) assert_int_equal(gli_search_expand(c.search), GLIMPSE_STOP_NONE);
  graph_case_converge(c.graph);
}

/* The last expanded belief that hangs in a tree. */
static uint32_t some_node(void) {
  uint32_t node = (uint32_t)c.graph->expanded_count - 1;
  while (gli_graph_node(c.graph, node)->dead || gli_graph_node(c.graph, node)->above == GLI_NONE) node--;
  return node;
}

static gli_record *some_child(void) {
  uint32_t node = some_node(), end;
  return &c.graph->records[gli_graph_group(c.graph, node, gli_graph_node(c.graph, node)->greedy, &end)];
}

static gli_record *some_alias(void) {
  uint32_t i = 0;
  while (c.graph->records[i].link == GLI_NONE || !(c.graph->records[i].link & GLI_ALIAS)) i++;
  assert_true(i < c.graph->record_count);
  return &c.graph->records[i];
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

static void test_damage(void **state) {
  (void)state;
  grow(GLI_SHARE_CORNERS);
  graph_case_check(&c, GLI_CHECK_SETTLED);
  gli_graph *graph = c.graph;
  uint32_t node = some_node();
  gli_expanded *e = gli_graph_node(graph, node);
  double *uppers = gli_graph_uppers(graph, e), *lowers = gli_graph_lowers(graph, e);
  gli_choice *choices = gli_graph_choices(graph, e);
  uint32_t greedy = e->greedy, ask = graph->actions;
  assert_true(greedy < ask);
  BREAK(some_child()->probability, 0.123, "probability is wrong");
  BREAK(some_child()->lower, some_child()->upper + 1, "L > U");
  BREAK(some_child()->parent, 0, "another parent");
  BREAK(some_child()->label, 99, "no observation");
  BREAK(some_child()->score, 7, "score");
  BREAK(some_alias()->link, GLI_ALIAS | 9999, "an alias of an origin that is not there");
  BREAK(some_alias()->score, 1, "an alias has a score");
  BREAK(gli_graph_node(graph, some_alias()->parent)->aliased, false, "its parent does not know");
  BREAK(graph->records[e->record].upper, graph->records[e->record].upper + 1, "");
  BREAK(uppers[greedy], uppers[greedy] + 1, "U of a choice is not its backup");
  BREAK(lowers[greedy], lowers[greedy] + 1e-3, "L of a choice is above its backup");
  BREAK(choices[greedy].reward, 5, "reward");
  BREAK(choices[greedy].count, 0, "");
  BREAK(choices[greedy].first, choices[greedy].first + 1, "");
  BREAK(lowers[ask], lowers[ask] - 1, "L of a choice is not its backup");
  BREAK(uppers[ask], uppers[ask] - 1e-3, "U of a choice is below its backup");
  BREAK(e->above, GLI_NONE, "above");
  BREAK(e->greedy, (e->greedy + 1) % graph->actions, "greedy");
  BREAK(e->best, 0, "best");
  BREAK(e->corner, true, "certain");
  BREAK(e->record, graph->origins[graph->root].record, "");
  BREAK(graph->mass[e->belief], 0.77, "belief");
  BREAK(graph->support[e->belief], 9999, "belief");
  BREAK(graph->corner_upper[0], graph->corner_upper[0] - 1, "");
  BREAK(graph->records_live, graph->records_live + 1, "records_live");
  BREAK(graph->expanded_live, graph->expanded_live - 1, "expanded_live");
  BREAK(graph->corners, graph->corners + 1, "corners");
  BREAK(graph->quota.bytes, 8, "counted");
  BREAK(graph->quota.limit, 10, "more memory than allowed");
  BREAK(graph->record_count, graph->record_count + 1, "a record is lost");
  BREAK(graph->free_records[1], graph->origins[graph->root].record, "a free record is in use");
  BREAK(graph->origins[graph->root].record, GLI_NONE, "the root is not there");
  BREAK(graph->origins[graph->root].home, choices[greedy].first, "home");
  graph_case_stop(&c);
  c = (graph_case){0};
}

static void test_history(void **state) {
  (void)state;
  char text[GLI_CHECK_TEXT];
  grow(GLI_SHARE_NONE);
  graph_case_look(&c);
  graph_case_look(&c);
  gli_graph *graph = c.graph;
  gli_record *child = some_child();
  double *numbers[] = {&child->upper, &graph->records[graph->origins[graph->root].record].upper,
                       gli_graph_uppers(graph, gli_graph_node(graph, some_node())),
                       gli_graph_uppers(graph, gli_graph_node(graph, gli_graph_root(graph)->link)) + graph->actions,
                       &graph->corner_upper[3]};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    *numbers[i] += 1e-12;
    assert_false(gli_check_history_look(c.history, graph, text));
    assert_non_null(strstr(text, "U has risen"));
    *numbers[i] -= 1e-12;
    *numbers[i] -= 1e-12; /* and fall it may */
    graph_case_look(&c);
  }
  child->lower -= 1e-9;
  assert_false(gli_check_history_look(c.history, graph, text));
  assert_non_null(strstr(text, "L has fallen"));
  gli_check_history_forget(c.history);
  graph_case_look(&c);
  graph_case_stop(&c);
}

static void test_flow(void **state) {
  (void)state;
  char text[GLI_CHECK_TEXT];
  grow(GLI_SHARE_CORNERS);
  gli_walk *walk = c.search->walk;
  gli_plain *plain = gli_plain_new(c.graph);
  assert_non_null(plain);
  assert_true(gli_walk_settle(walk, 1000));
  assert_true(gli_check_flow(walk, text));
  assert_true(gli_check_reach(walk, plain, 1e-8, text));
  walk->reach[walk->source].reach += 1e-3;
  assert_false(gli_check_flow(walk, text));
  assert_non_null(strstr(text, "mass is lost or made"));
  assert_false(gli_check_reach(walk, plain, 1e-8, text));
  assert_non_null(strstr(text, "Psi"));
  gli_plain_free(plain);
  graph_case_stop(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_damage), cmocka_unit_test(test_history),
                                     cmocka_unit_test(test_flow)};
  return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
