/* Check: the checker finds nothing in a sound graph, and whatever is broken on
 * purpose. */
#include "graph/check.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/failing_malloc.h"
#include "support/graph_case.h"

static graph_case c;

static void grow_in(const char *name, gli_sharing sharing) {
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_environment_make(name, NULL, &model), GLIMPSE_OK);
  graph_case_start(&c, 0, model);
  graph_case_search(&c, &(gli_graph_options){.sharing = sharing, .live = true}, false);
  for (int i = 0; i < 60; i++) assert_int_equal(gli_search_expand(c.search), GLIMPSE_STOP_NONE);
  graph_case_converge(c.graph);
}

static void grow(gli_sharing sharing) {
  grow_in("robot-delivery:n=2", sharing);
}

/* Does a belief hang in a tree, and the one above looks elsewhere for the best?  Damage is then found where it is. */
static bool hangs_apart(uint32_t node) {
  const gli_expanded *e = gli_graph_node(c.graph, node);
  return !e->dead && e->above != GLI_NONE && gli_graph_node(c.graph, e->above)->best != node;
}

/* The last such belief. */
static uint32_t some_node(void) {
  uint32_t node = (uint32_t)c.graph->expanded_count - 1;
  while (node && !hangs_apart(node)) node--;
  assert_true(hangs_apart(node));
  return node;
}

static gli_record *some_child(void) {
  uint32_t node = some_node(), end;
  return &c.graph->records[gli_graph_children(c.graph, node, gli_graph_node(c.graph, node)->greedy, &end)];
}

static gli_record *some_alias(void) {
  gli_graph *graph = c.graph;
  for (uint32_t node = 0; node < graph->expanded_count; node++) {
    gli_expanded *e = gli_graph_node(graph, node);
    for (uint32_t k = 0; !e->dead && k < graph->actions; k++) {
      uint32_t end, i = gli_graph_children(graph, node, k, &end);
      for (; i < end; i++)
        if (graph->records[i].link != GLI_NONE && (graph->records[i].link & GLI_ALIAS)) return &graph->records[i];
    }
  }
  fail_msg("there is no alias");
  return NULL;
}

static void found(const char *what) {
  char text[GLI_CHECK_TEXT];
  assert_false(gli_check_graph(c.graph, GLI_CHECK_SETTLED, text));
  if (!strstr(text, what)) fail_msg("found \"%s\", not \"%s\"", text, what);
}

/* Changes something, sees that it is found, and puts it back. */
#define BREAK(place, value, what)                                                                                      \
  do {                                                                                                                 \
    __typeof__((place) + 0) kept = place; /* + 0: of a bit-field, too */                                               \
    place = value;                                                                                                     \
    found(what);                                                                                                       \
    place = kept;                                                                                                      \
    graph_case_check(&c, GLI_CHECK_SETTLED);                                                                           \
  } while (0)

/* The states of a belief, to be damaged; graph->beliefs + e->belief are their probabilities. */
static uint32_t *states_of(const gli_graph *graph, const gli_expanded *e) {
  return (uint32_t *)(void *)(graph->beliefs + e->belief + e->support);
}

static void test_damage(void **state) {
  (void)state;
  grow(GLI_SHARE_CORNERS);
  graph_case_check(&c, GLI_CHECK_SETTLED);
  gli_graph *graph = c.graph;
  uint32_t node = some_node();
  gli_expanded *e = gli_graph_node(graph, node);
  double *uppers = gli_graph_uppers(graph, e), *lowers = gli_graph_lowers(graph, e);
  gli_group *groups = gli_graph_groups(graph, e);
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
  BREAK(gli_graph_rewards(graph, e)[greedy], 5, "reward");
  BREAK(groups[greedy].count, 0, "");
  BREAK(groups[greedy].first, groups[greedy].first + 1, "");
  BREAK(lowers[ask], lowers[ask] - 1, "L of a choice is not its backup");
  BREAK(uppers[ask], uppers[ask] - 1e-3, "U of a choice is below its backup");
  BREAK(e->above, GLI_NONE, "above");
  BREAK(e->greedy, (e->greedy + 1) % graph->actions, "greedy");
  BREAK(e->best, 0, "best");
  BREAK(e->record, graph->origins[graph->root].record, "");
  BREAK(graph->beliefs[e->belief], 0.77, "belief");
  BREAK(states_of(graph, e)[0], 9999, "belief");
  BREAK(graph->known[0].upper, graph->known[0].upper - 1, "");
  BREAK(graph->records_live, graph->records_live + 1, "records_live");
  BREAK(graph->expanded_live, graph->expanded_live - 1, "expanded_live");
  BREAK(graph->corners, graph->corners + 1, "corners");
  BREAK(graph->quota.bytes, 8, "counted");
  BREAK(graph->quota.limit, 10, "more memory than allowed");
  BREAK(graph->record_count, graph->record_count + 1, "a record is lost");
  BREAK(graph->free_records[1], graph->origins[graph->root].record, "a free record is in use");
  BREAK(graph->origins[graph->root].record, GLI_NONE, "the root is not there");
  BREAK(graph->origins[graph->root].home, groups[greedy].first, "home");
  graph_case_stop(&c);
  c = (graph_case){0};
}

/* The node of a corner that is expanded. */
static uint32_t some_corner(void) {
  for (uint32_t s = 0; s < c.graph->states; s++) {
    uint32_t x = c.graph->corner[s];
    if (x == GLI_NONE) continue;
    uint32_t node = c.graph->records[c.graph->origins[x].record].link;
    if (node != GLI_NONE) return node;
  }
  fail_msg("no corner is expanded");
  return GLI_NONE;
}

/* A corner to which no observation leads. */
static uint32_t lonely_corner(void) {
  for (uint32_t s = 0; s < c.graph->states; s++) {
    uint32_t x = c.graph->corner[s], i = 0;
    if (x == GLI_NONE || x < c.graph->root) continue;
    while (i < c.graph->record_count && c.graph->records[i].link != (GLI_ALIAS | x)) i++;
    if (i == c.graph->record_count) return x;
  }
  fail_msg("all corners have aliases");
  return GLI_NONE;
}

static uint32_t state_without_corner(void) {
  uint32_t s = 0;
  while (c.graph->corner[s] != GLI_NONE) s++;
  assert_true(s < c.graph->states);
  return s;
}

static void test_damage_of_bounds(void **state) {
  (void)state;
  grow(GLI_SHARE_CORNERS);
  gli_graph *graph = c.graph;
  uint32_t node = gli_graph_root(graph)->link, greedy = gli_graph_node(graph, node)->greedy, ask = graph->actions;
  gli_expanded *e = gli_graph_node(graph, node);
  gli_record *root = gli_graph_root(graph);
  double *uppers = gli_graph_uppers(graph, e), *lowers = gli_graph_lowers(graph, e);
  gli_group *groups = gli_graph_groups(graph, e);
  assert_true(greedy < ask && root->score > 0);
  BREAK(lowers[greedy], uppers[greedy] + 1, "L > U of a choice");
  BREAK(uppers[ask], -INFINITY, "asking is possible where it should not be");
  BREAK(root->upper, root->upper + 1, "U is worse than its choices");
  BREAK(root->lower, root->lower - 1, "L is worse than its choices");
  BREAK(root->lower, root->upper + 1, "L > U");
  BREAK(root->score, 2 * root->score, "the score is not the best one below");
  BREAK(e->best, GLI_NONE, "the best fringe record is another");
  BREAK(some_child()->lower, -INFINITY, "a bound is not finite");
  BREAK(some_child()->upper, INFINITY, "a bound is not finite");
  BREAK(graph->options.all_actions, true, "an action is not opened");
  uint32_t several = 0;
  while (several < graph->actions && groups[several].count < 2) several++;
  assert_true(several < graph->actions);
  BREAK(groups[several].count, groups[several].count - 1, "probabilities do not sum to 1");
  BREAK(some_child()->probability, 0, "a probability is not positive");
  uint32_t corner = gli_graph_node(graph, some_corner())->record;
  uint32_t known = graph->origins[graph->records[corner].label].state, unknown = state_without_corner();
  BREAK(graph->known[known].upper, graph->known[known].upper - 1e-6, "has not been told");
  BREAK(graph->known[known].lower, graph->known[known].lower + 1e-6, "has not been told");
  BREAK(graph->known[unknown].lower, graph->known[unknown].upper + 1, "L > U in a corner");
  BREAK(graph->known[unknown].lower, graph->known[unknown].lower - 1, "the table does not know a corner");
  BREAK(graph->known[unknown].upper, graph->known[unknown].upper + 1, "the table does not know a corner");

  /* A greedy action that is not opened is wrong, unless there was no room for it. */
  gli_group before = groups[greedy];
  double upper = uppers[greedy], lower = lowers[greedy];
  groups[greedy].count = 0;
  uppers[greedy] = root->upper + 100;
  lowers[greedy] = gli_graph_rewards(graph, e)[greedy] - graph->discount * graph->scale;
  found("the greedy choice is not opened");
  graph->full = true;
  found("the score is not the best one below");
  graph->full = false;
  groups[greedy] = before;
  uppers[greedy] = upper;
  lowers[greedy] = lower;

  /* A best record below that is not fringe, of which the whole path is convinced. */
  uint32_t best = e->best;
  assert_true(best != node);
  for (uint32_t at = best;; at = gli_graph_node(graph, at)->above) {
    gli_graph_node(graph, at)->best = node;
    if (at == node) break;
  }
  found("the best fringe record is not fringe");
  graph_case_stop(&c);
}

static void test_damage_of_beliefs(void **state) {
  (void)state;
  grow(GLI_SHARE_CORNERS);
  gli_graph *graph = c.graph;
  gli_expanded *e = gli_graph_node(graph, gli_graph_root(graph)->link);
  gli_expanded *corner = gli_graph_node(graph, some_corner()), *other = gli_graph_node(graph, some_node());
  assert_true(e->support >= 2 && other->support >= 1 && corner->support == 1);
  double *mass = graph->beliefs + e->belief + e->support - 1;
  uint32_t *last = states_of(graph, e) + e->support - 1;
  BREAK(e->support, 0, "a belief is empty");
  BREAK(*last, graph->states, "the states of a belief do not ascend");
  BREAK(*last, last[-1], "the states of a belief do not ascend");
  BREAK(*mass, 0, "a mass is not positive");
  BREAK(*mass, *mass + 1e-6, "a belief does not sum to 1");
  BREAK(corner->belief, e->belief, "an entry of a belief is used twice");
  BREAK(corner->belief, (uint32_t)graph->belief_count + 1, "an entry of a belief is used twice");
  uint32_t *end = states_of(graph, other) + other->support - 1;
  assert_true(*end + 1 < graph->states);
  BREAK(*end, *end + 1, "another belief than its parent makes");
  graph_case_stop(&c);

  grow(GLI_SHARE_NONE);
  graph = c.graph;
  e = gli_graph_node(graph, gli_graph_root(graph)->link);
  gli_group *ask = gli_graph_groups(graph, e) + graph->actions;
  assert_int_equal(ask->count, e->support);
  BREAK(graph->records[ask->first].label, graph->records[ask->first].label + 1, "not of its state");
  BREAK(graph->records[ask->first].probability, graph->records[ask->first].probability / 2, "not of its state");
  BREAK(ask->count, 0, "request children where there should be none");
  graph_case_stop(&c);

  /* A root that is not expanded keeps its belief at its origin. */
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_environment_make("robot-delivery:n=2", NULL, &model), GLIMPSE_OK);
  graph_case_start(&c, 0, model);
  graph_case_search(&c, &(gli_graph_options){.sharing = GLI_SHARE_CORNERS}, false);
  graph = c.graph;
  gli_origin *root = &graph->origins[graph->root];
  graph_case_check(&c, GLI_CHECK_SETTLED);
  BREAK(root->belief, GLI_NONE, "an origin has a belief it should not have, or none");
  BREAK(root->belief, (uint32_t)graph->belief_count, "an entry of a belief is used twice");
  BREAK(graph->beliefs[root->belief], 0.1, "a belief does not sum to 1");
  graph_case_stop(&c);
}

static void test_damage_of_links(void **state) {
  (void)state;
  grow(GLI_SHARE_CORNERS);
  gli_graph *graph = c.graph;
  gli_record *root = gli_graph_root(graph);
  uint32_t corner = lonely_corner();
  gli_origin *x = &graph->origins[corner];
  gli_record *record = &graph->records[x->record];
  uint32_t *missing = &graph->corner[state_without_corner()];
  BREAK(root->link, GLI_ALIAS | corner, "a free-standing record is an alias");
  BREAK(root->link, (uint32_t)graph->expanded_count, "a record leads to a belief that is not there");
  BREAK(graph->records[gli_graph_node(graph, some_node())->record].link, some_corner(), "");
  BREAK(record->parent, 0, "does not stand free");
  BREAK(record->label, corner + 1, "does not stand free");
  BREAK(record->probability, 0.5, "does not stand free");
  BREAK(x->record, graph->origins[graph->root].record, "a record is used twice");
  BREAK(x->state, graph->states, "a corner is not that of its state");
  BREAK(graph->corner[x->state], graph->root, "a corner is not that of its state");
  BREAK(x->belief, 0, "an origin has a belief it should not have");
  BREAK(x->home, (uint32_t)graph->record_count, "home");
  BREAK(*missing, graph->root, "a corner that is not its own");
  BREAK(*missing, (uint32_t)graph->origin_count, "a corner that is not its own");
  BREAK(graph->root, (uint32_t)graph->origin_count, "the root is not there");
  graph_case_stop(&c);
}

/* Moves to the likeliest child of an action, so that the rest is garbage. */
static void leave_root(void) {
  gli_graph *graph = c.graph;
  uint32_t node = gli_graph_root(graph)->link, end, best;
  uint32_t action = 0;
  while (!gli_graph_groups(graph, gli_graph_node(graph, node))[action].count) action++;
  uint32_t i = best = gli_graph_children(graph, node, action, &end);
  for (; i < end; i++)
    if (graph->records[i].probability > graph->records[best].probability) best = i;
  uint32_t label = graph->records[best].label;
  gli_belief_work *work = gli_belief_work_new(c.model);
  gli_sparse next = {0};
  double probability;
  assert_non_null(work);
  assert_true(
      gli_belief_child(work, gli_graph_belief(graph, gli_graph_node(graph, node)), action, label, &probability, &next));
  assert_true(gli_search_move(c.search, action, label, gli_sparse_row(&next)));
  gli_sparse_free(&next);
  gli_belief_work_free(work);
  graph_case_converge(graph);
  graph_case_check(&c, GLI_CHECK_SETTLED);
}

static void test_damage_of_garbage(void **state) {
  (void)state;
  grow(GLI_SHARE_CORNERS);
  leave_root();
  gli_graph *graph = c.graph;
  assert_int_not_equal(graph->garbage, GLI_NONE);
  gli_expanded *dead = gli_graph_node(graph, graph->garbage);
  gli_group *groups = gli_graph_groups(graph, dead);
  uint32_t opened = 0;
  while (!groups[opened].count) opened++;
  gli_record *child = &graph->records[groups[opened].first];
  gli_expanded *alive = gli_graph_node(graph, some_corner());
  BREAK(dead->dead, false, "garbage is not dead");
  BREAK(dead->record, graph->garbage, "the garbage goes round in a circle");
  BREAK(child->link, some_corner(), "garbage is in use");
  BREAK(dead->belief, alive->belief, "an entry of a belief is used twice");
  BREAK(groups[opened].first, graph->origins[graph->root].record, "a record is used twice");
  BREAK(gli_graph_root(graph)->link, graph->garbage, "a record leads to a belief that is not there");

  /* More links than there are beliefs, all to the same one. */
  gli_record *before = gli_memory_copy(graph->records, graph->record_count, sizeof *before);
  size_t count = graph->expanded_count, links = 0;
  assert_non_null(before);
  for (uint32_t k = 0; k < graph->groups; k++)
    for (uint32_t i = 0; i < groups[k].count; i++, links++) graph->records[groups[k].first + i].link = 0;
  assert_true(links > 2);
  graph->expanded_count = links - 1; /* so few that they do not fit; nothing else is looked at before */
  graph->root = GLI_NONE;
  size_t origins = graph->origin_count;
  graph->origin_count = 0;
  for (uint32_t s = 0; s < graph->states; s++) graph->corner[s] = GLI_NONE;
  memcpy(graph->table, graph->offline, (size_t)graph->states * graph->stride * sizeof *graph->table);
  for (uint32_t s = 0; s < graph->states; s++) {
    graph->known[s].upper = graph->table[(size_t)s * graph->stride + graph->at_act_upper];
    graph->known[s].lower = graph->table[(size_t)s * graph->stride + graph->at_act_lower];
  }
  if (graph->garbage < graph->expanded_count) found("garbage is met twice");
  graph->expanded_count = count;
  graph->origin_count = origins;
  memcpy(graph->records, before, graph->record_count * sizeof *before);
  gli_memory_free(before);
  graph_case_stop(&c);
}

static void test_damage_of_lists(void **state) {
  (void)state;
  grow(GLI_SHARE_CORNERS);
  leave_root();
  gli_graph *graph = c.graph;
  assert_true(gli_graph_reclaim(graph, SIZE_MAX) > 0);
  graph_case_check(&c, GLI_CHECK_SETTLED);
  assert_true(graph->free_expanded != GLI_NONE && graph->free_origin != GLI_NONE);
  uint32_t class = 1;
  while (graph->free_beliefs[class] == GLI_NONE) class ++;
  gli_expanded *alive = gli_graph_node(graph, some_corner());
  BREAK(graph->free_beliefs[1], alive->belief, "a free entry of a belief is in use");
  BREAK(graph->free_beliefs[class], GLI_NONE, "an entry of a belief is lost");
  BREAK(graph->free_expanded, some_corner(), "a free expanded belief is in use");
  BREAK(gli_graph_node(graph, graph->free_expanded)->dead, false, "a free expanded belief is not dead");
  BREAK(graph->free_expanded, GLI_NONE, "an expanded belief is lost");
  BREAK(graph->free_origin, graph->root, "a free origin is in use");
  BREAK(graph->free_origin, GLI_NONE, "an origin is lost");
  BREAK(some_alias()->link, GLI_ALIAS | graph->free_origin, "an alias of an origin that is not there");
  graph_case_stop(&c);
}

/* Out of memory is said, and is no reason to call a graph wrong or right. */
static void test_memory(void **state) {
  (void)state;
  char text[GLI_CHECK_TEXT];
  grow_in("robot-delivery:n=2,c=0.01", GLI_SHARE_CORNERS);
  gli_plain *plain = gli_plain_new(c.graph);
  assert_non_null(plain);
  assert_true(gli_walk_settle(c.search->walk, 1000));
  long live = failing_malloc_live();
  for (int what = 0; what < 4; what++) {
    bool fine = false;
    unsigned long n = 1;
    for (; !fine && n < 100; n++) {
      gli_check_history *history = gli_check_history_new();
      assert_non_null(history);
      failing_malloc_set(n, true);
      fine = what == 0   ? gli_check_graph(c.graph, GLI_CHECK_SETTLED, text)
             : what == 1 ? gli_check_flow(c.search->walk, text)
             : what == 2 ? gli_check_reach(c.search->walk, plain, 1e-8, text)
                         : gli_check_history_look(history, c.graph, text);
      unsigned long failures = failing_malloc_failures();
      failing_malloc_set(0, false);
      gli_check_history_free(history);
      assert_int_equal(fine, failures == 0);
      if (!fine) assert_string_equal(text, strchr(text, '(') ? "out of memory (0)" : "out of memory");
    }
    assert_true(fine && n > 2);
    if (what != 2) assert_int_equal(failing_malloc_live(), live); /* the plain form keeps its arrays */
    live = failing_malloc_live();
  }
  gli_plain_free(plain);
  graph_case_stop(&c);
}

/* The record's own bound has risen in its parent, too; what is told is not that of the belief. */
static void history_accepts_belief(uint32_t node) {
  char text[GLI_CHECK_TEXT], own[64];
  snprintf(own, sizeof own, "of belief %lu:", (unsigned long)node);
  if (!gli_check_history_look(c.history, c.graph, text) && strstr(text, own)) fail_msg("%s", text);
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
                       &graph->known[3].upper};
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

  /* Another belief, or the same at another place, may have any bounds. */
  uint32_t node = some_node();
  gli_expanded *e = gli_graph_node(graph, node);
  double mass = graph->beliefs[e->belief], upper = graph->records[e->record].upper;
  graph->records[e->record].upper = upper + 1;
  graph->beliefs[e->belief] = nextafter(mass, 0);
  history_accepts_belief(node);
  graph->beliefs[e->belief] = mass;
  graph->records[e->record].upper = upper;
  gli_check_history_forget(c.history);
  graph_case_look(&c);
  graph->records[e->record].upper = upper + 1;
  uint32_t place = e->belief;
  e->belief = gli_graph_node(graph, gli_graph_root(graph)->link)->belief;
  history_accepts_belief(node);
  e->belief = place;
  graph->records[e->record].upper = upper;
  graph_case_stop(&c);
}

static void test_flow(void **state) {
  (void)state;
  char text[GLI_CHECK_TEXT];
  grow_in("robot-delivery:n=2,c=0.01", GLI_SHARE_CORNERS);
  gli_walk *walk = c.search->walk;
  gli_plain *plain = gli_plain_new(c.graph);
  assert_non_null(plain);
  assert_true(gli_walk_settle(walk, 1000));
  assert_true(gli_check_flow(walk, text));
  assert_true(gli_check_reach(walk, plain, 1e-8, text));
  walk->reach.of[walk->reach.source].reach += 1e-3;
  assert_false(gli_check_flow(walk, text));
  assert_non_null(strstr(text, "mass is lost or made"));
  assert_false(gli_check_reach(walk, plain, 1e-8, text));
  assert_non_null(strstr(text, "Psi"));
  walk->reach.of[walk->reach.source].reach -= 1e-3;
  uint32_t from = 0;
  while (!walk->reach.of[from].count) from++;
  uint32_t to = walk->reach.of[from].row[0].origin;
  walk->reach.of[from].row[0].origin = walk->reach.count;
  assert_false(gli_check_flow(walk, text));
  assert_non_null(strstr(text, "mass flows to an origin that is not there"));
  walk->reach.of[from].row[0].origin = to;
  gli_plain_free(plain);

  /* An origin that is left has no mass, and nothing flows to it. */
  leave_root();
  plain = gli_plain_new(c.graph);
  assert_non_null(plain);
  gli_graph_reclaim(c.graph, SIZE_MAX);
  assert_true(gli_walk_settle(walk, 1000));
  uint32_t gone = c.graph->free_origin;
  assert_true(gone < walk->reach.count);
  assert_true(gli_check_flow(walk, text));
  if (!gli_check_reach(walk, plain, 1e-8, text)) fail_msg("%s", text);
  for (from = 0; !walk->reach.of[from].count; from++) {
  }
  walk->reach.of[from].row[0].origin = gone;
  assert_false(gli_check_flow(walk, text));
  assert_non_null(strstr(text, "mass flows to an origin that is not there"));
  gli_plain_free(plain);
  graph_case_stop(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_damage),
                                     cmocka_unit_test(test_damage_of_bounds),
                                     cmocka_unit_test(test_damage_of_beliefs),
                                     cmocka_unit_test(test_damage_of_links),
                                     cmocka_unit_test(test_damage_of_garbage),
                                     cmocka_unit_test(test_damage_of_lists),
                                     cmocka_unit_test(test_memory),
                                     cmocka_unit_test(test_history),
                                     cmocka_unit_test(test_flow)};
  return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
