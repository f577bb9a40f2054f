/* Pass: walks and where they are cut against a naive breadth-first search; Psi after many passes against the linear
 * system, solved by elimination; candidates and their scores one by one; the heap against sorting; that the path to
 * what was expanded is told, that the walk goes on where the greedy policy turns, and what it turned away from is
 * dropped. */
#include "graph/pass.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graph/backup.h"
#include "graph/tuning.h"
#include "support/search_case.h"
#include "support/search_mass.h"

static void start(search_case *c, uint64_t seed, unsigned states, uint64_t expansions) {
  random_shape shape = random_model_shape(seed, states, 3, 3);
  gli_graph_options options = search_case_options((unsigned)(seed * 7 % SEARCH_CASE_OPTIONS));
  search_case_start(c, seed, random_model_make(seed, &shape));
  if (seed % 2) search_case_loosen(c);
  search_case_search(c, &options, false);
  search_case_run(c, expansions);
}

/* ------------------------------------------------------------------- order */

/* The choices that a walk follows at a node, first to last. */
static bool follows(const gli_graph *graph, uint32_t node, uint32_t choice, bool plan) {
  gli_node *n = gli_graph_node(graph, node);
  if (plan) return choice == n->plan;
  if (graph->options.rule != GLI_RULE_SATIA_LAVE) return choice == n->greedy;
  return choice == n->greedy || gli_node_uppers(n)[choice] >= n->lower;
}

/* Is what is below a node of no account?  By the Psi that the walk has found. */
static bool is_cut(const gli_pass *pass, uint32_t node) {
  const gli_graph *graph = pass->graph;
  const gli_node *n = gli_graph_node(graph, node), *root = gli_graph_node(graph, graph->root);
  double gap = n->upper - n->lower > graph->floor ? n->upper - n->lower : 0;
  double most = root->upper - root->lower > graph->floor ? root->upper - root->lower : 0;
  if (pass->plan) return gap <= GLI_TUNING_PLAN_CUT * most;
  return node != graph->root && graph->options.rule == GLI_RULE_AEMS && n->mass * gap <= pass->cut;
}

static size_t naive_walk(const gli_pass *pass, gli_stop *order) {
  const gli_graph *graph = pass->graph;
  bool *met = calloc(graph->node_count, sizeof *met);
  assert_non_null(met);
  size_t count = 0;
  met[graph->root] = true;
  order[count++] = (gli_stop){graph->root, GLI_NONE, GLI_NONE, 0};
  for (size_t at = 0; at < count; at++) {
    uint32_t node = order[at].node;
    order[at].past = !is_cut(pass, node);
    if (gli_graph_node(graph, node)->greedy == GLI_NONE || !order[at].past) continue;
    for (uint32_t c = 0; c <= graph->actions; c++) {
      gli_outcome to;
      for (uint32_t i = 0; follows(graph, node, c, pass->plan) && gli_graph_outcome(graph, node, c, i, &to); i++) {
        uint32_t behind = gli_graph_behind(graph, to.link);
        if (behind == GLI_NONE || met[behind]) continue;
        met[behind] = true;
        order[count++] = (gli_stop){behind, (uint32_t)at, c, 0};
      }
    }
  }
  free(met);
  return count;
}

static void test_order(void **state) {
  (void)state;
  size_t longest = 0, shorter = 0;
  for (uint64_t seed = 0; seed < 600; seed++) {
    search_case c;
    start(&c, seed, 5, 40);
    gli_stop *order = calloc(c.graph->node_count, sizeof *order);
    assert_non_null(order);
    gli_pass *pass = &c.search->pass;
    double cuts[] = {-1, pass->cut, 0.1 * (search_case_root(&c)->upper - search_case_root(&c)->lower)};
    size_t whole = 0;
    for (unsigned k = 0; k < 4; k++) {
      bool plan = k == 3;
      if (!plan) pass->cut = cuts[k];
      assert_true(gli_pass_begin(pass, plan));
      for (unsigned rounds = 0; !gli_pass_walked(pass); rounds++) { /* in pieces of any length */
        assert_true(rounds <= c.graph->node_count);
        assert_true(gli_pass_walk(pass, 1 + seed % 5));
      }
      size_t count = naive_walk(pass, order);
      if (count != pass->count || memcmp(order, pass->order, count * sizeof *order) != 0)
        search_case_fail(&c, plan ? "another order of the plan" : "another order", (double)count, (double)pass->count);
      longest = count > longest ? count : longest;
      if (k == 0) whole = count;
      shorter += !plan && count < whole;
      for (size_t i = 0; i < count; i++) assert_int_equal(gli_graph_node(c.graph, order[i].node)->place, i);
    }
    free(order);
    search_case_stop(&c);
  }
  if (longest < 20 || shorter < 20) fail_msg("the longest walk met %zu, %zu were cut", longest, shorter);
}

/* --------------------------------------------------------------------- Psi */

static void walk_all(gli_pass *pass) {
  assert_true(gli_pass_begin(pass, false));
  assert_true(gli_pass_walk(pass, SIZE_MAX));
  assert_true(gli_pass_walked(pass));
}

static void check_mass(const search_case *c, const search_mass *m) {
  for (uint32_t node = 0; node < c->graph->node_count; node++) {
    const gli_node *n = gli_graph_node(c->graph, node);
    bool met = n->stamp == c->search->pass.stamp;
    if (met != (m->place[node] > 0)) search_case_fail(c, "met, or not", node, met);
    double mass = search_mass_node(m, node);
    if (met && fabs(n->mass - mass) > 1e-9 * fmax(mass, 1)) search_case_fail(c, "another Psi", n->mass, mass);
  }
}

static void check_candidates(const search_case *c, const search_mass *m) {
  const gli_graph *graph = c->graph;
  const gli_pass *pass = &c->search->pass;
  double best = 0, sum = 0, all = 0;
  for (size_t i = 0; i < pass->candidate_count; i++) {
    const gli_candidate *x = &pass->candidates[i];
    bool corner = x->child & GLI_CORNER;
    uint32_t node = pass->order[x->place].node;
    double score = corner ? search_mass_corner_score(m, graph, x->child & ~GLI_CORNER)
                          : search_mass_score(m, graph, node, x->choice, x->child);
    double mass = corner ? search_mass_corner(m, x->child & ~GLI_CORNER)
                         : search_mass_node(m, node) * gli_graph_weight(graph, node, x->choice) *
                               gli_graph_discount(graph, x->choice) * graph->children[x->child].probability;
    if (fabs(x->mass - mass) > 1e-9 * fmax(1, mass)) search_case_fail(c, "another Psi of a candidate", x->mass, mass);
    gli_outcome out;
    bool leads = false; /* the choice of the node that it names does lead there */
    for (uint32_t k = 0; gli_graph_outcome(graph, node, x->choice, k, &out) && !leads; k++)
      leads = corner ? out.link == x->child : out.child == x->child;
    if (!leads) search_case_fail(c, "a candidate that its place does not lead to", node, x->child);
    if (fabs(x->score - score) > 1e-9 * fmax(1, graph->scale) * fmax(1, 1 / (1 - graph->discount)))
      search_case_fail(c, "another score", x->score, score);
    best = fmax(best, x->score);
    sum += x->score;
    for (size_t k = 0; k < i; k++) /* none is there twice */
      assert_false(x->child == pass->candidates[k].child);
  }
  gli_outcome to;
  for (uint32_t node = 0; node < graph->node_count; node++)
    for (uint32_t choice = 0; choice <= graph->actions && m->place[node]; choice++)
      for (uint32_t i = 0; gli_graph_outcome(graph, node, choice, i, &to); i++)
        if (to.child != GLI_NONE && gli_link_fringe(to.link))
          all += search_mass_score(m, graph, node, choice, to.child);
  for (uint32_t s = 0; s < graph->states; s++) all += search_mass_corner_score(m, graph, s);
  double off = 1e-8 * fmax(1, all);
  if (fabs(best - search_mass_best(m, graph)) > off)
    search_case_fail(c, "not the best", best, search_mass_best(m, graph));
  if (fabs(sum - all) > off) search_case_fail(c, "candidates are missing", sum, all);
}

static void test_psi(void **state) {
  (void)state;
  unsigned loops = 0, shared = 0;
  for (uint64_t seed = 0; seed < 600; seed++) {
    search_case c;
    start(&c, seed, 4, 30);
    c.search->pass.cut = -1; /* not even where the gap is closed */
    for (unsigned i = 0; i < 900; i++) walk_all(&c.search->pass);
    search_mass m = search_mass_of(c.graph);
    check_mass(&c, &m);
    check_candidates(&c, &m);
    for (size_t i = 0; i < m.count; i++) shared += m.mass[i] > 1.5; /* it comes back there */
    for (size_t i = 0; i < m.count; i++) {
      gli_outcome to;
      uint32_t node = m.item[i], greedy = node < m.nodes ? gli_graph_node(c.graph, node)->greedy : GLI_NONE;
      for (uint32_t k = 0; greedy != GLI_NONE && gli_graph_outcome(c.graph, node, greedy, k, &to); k++)
        loops += gli_graph_behind(c.graph, to.link) == node;
    }
    search_mass_free(&m);
    search_case_stop(&c);
  }
  if (loops < 20 || shared < 50)
    fail_msg("%u loops, %u come back", loops, shared); /* nodes that lead to themselves, and longer cycles */
}

/* One walk sees what is there: the first time without what comes back, and never more than the whole. */
static void test_first_walk(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 100; seed++) {
    search_case c;
    start(&c, seed, 4, 30);
    c.search->pass.cut = -1; /* not even where the gap is closed */
    for (uint32_t i = 0; i < c.graph->node_count; i++) gli_graph_node(c.graph, i)->back = 0;
    search_mass m = search_mass_of(c.graph);
    double before = 0;
    for (unsigned i = 0; i < 6; i++) {
      double sum = 0;
      walk_all(&c.search->pass);
      for (size_t k = 0; k < c.search->pass.count; k++) {
        uint32_t node = c.search->pass.order[k].node;
        double mass = gli_graph_node(c.graph, node)->mass, whole = search_mass_node(&m, node);
        if (mass > whole * (1 + 1e-9) + 1e-12) search_case_fail(&c, "more than can come", mass, whole);
        sum += mass;
      }
      if (sum < before * (1 - 1e-12)) search_case_fail(&c, "mass is lost", sum, before);
      before = sum;
    }
    search_mass_free(&m);
    search_case_stop(&c);
  }
}

/* ---------------------------------------------------------------- the heap */

static int naive_order(const void *left, const void *right) {
  const gli_candidate *x = left, *y = right;
  if (x->score != y->score) return x->score > y->score ? -1 : 1;
  if (x->place != y->place) return x->place < y->place ? -1 : 1;
  return x->child < y->child ? -1 : x->child > y->child;
}

/* Is a candidate scored by what is known now? */
static bool scored_now(const gli_graph *graph, const gli_candidate *x) {
  bool corner = x->child & GLI_CORNER;
  const gli_corner *at = corner ? &graph->corner[x->child & ~GLI_CORNER] : NULL;
  const gli_child *child = corner ? NULL : &graph->children[x->child];
  double gap = corner ? at->upper - at->lower : child->upper - child->lower;
  double score = graph->options.rule == GLI_RULE_BI_POMDP ? gap : x->mass * gap;
  return (corner ? at->node == GLI_NONE : gli_link_fringe(child->link)) && score >= x->score;
}

/* Whatever is taken is the best that is left, and nothing is lost. */
static void check_taking(gli_pass *pass, uint64_t seed) {
  size_t count = pass->candidate_count;
  gli_candidate *sorted = calloc(count + 1, sizeof *sorted), taken;
  assert_non_null(sorted);
  if (count) memcpy(sorted, pass->candidates, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, naive_order);
  for (size_t i = 0; i < count; i++) {
    assert_true(gli_pass_take(pass, &taken));
    if (naive_order(&taken, &sorted[i]) != 0) fail_msg("seed %llu: another at %zu", (unsigned long long)seed, i);
  }
  assert_false(gli_pass_take(pass, &taken));
  free(sorted);
}

/* A heap in another way: as long as one is better than the one above it they change places. */
static void pile(gli_candidate *heap, size_t count) {
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 1; i < count; i++) {
      gli_candidate *above = &heap[(i - 1) / 2], swap = *above;
      if (naive_order(&heap[i], above) >= 0) continue;
      *above = heap[i];
      heap[i] = swap;
      more = true;
    }
  }
}

static void test_take(void **state) {
  (void)state;
  enum { MOST = 200 };
  gli_child children[MOST] = {0};
  gli_graph any = {.options.rule = GLI_RULE_SATIA_LAVE, .children = children}; /* no path is asked for */
  for (uint64_t seed = 0; seed < 4000; seed++) {
    gli_random random = gli_random_stream(seed, "take", 0);
    gli_candidate given[MOST] = {0};
    size_t count = gli_random_below(&random, seed % 10 ? 12 : MOST);
    uint32_t scores = 1 + gli_random_below(&random, 6); /* few: many ties */
    for (size_t i = 0; i < count; i++) {
      given[i].score = 0.25 + gli_random_below(&random, scores);
      given[i].place = gli_random_below(&random, 3);
      given[i].child = (uint32_t)i;
      if (seed % 3 == 0) given[i].score = gli_random_unit(&random);
      if (seed % 5 == 0) given[i].score = (double)(seed % 2 ? i : count - i); /* in order, and the other way round */
    }
    for (size_t i = 0; i < count; i++) {
      given[i].mass = 1;
      children[i] = (gli_child){.upper = given[i].score, .link = GLI_FRINGE | GLI_NO_VECTOR};
    }
    pile(given, count);
    gli_pass pass = {.graph = &any, .candidates = given, .candidate_count = count, .candidate_capacity = MOST};
    check_taking(&pass, seed);
  }
  size_t most = 0;
  for (uint64_t seed = 0; seed < 100; seed++) { /* those that a walk has piled up */
    search_case c;
    start(&c, seed, 5, 40);
    c.search->pass.cut = 0;
    walk_all(&c.search->pass);
    most = c.search->pass.candidate_count > most ? c.search->pass.candidate_count : most;
    check_taking(&c.search->pass, seed);
    search_case_stop(&c);
  }
  assert_true(most > 20);
}

/* Bounds have changed since the walk: candidates are taken in the order of what they are worth now, and those that
 * are fringe no more are not taken. */
static void test_take_late(void **state) {
  (void)state;
  enum { MOST = 40 };
  gli_child children[MOST] = {0};
  gli_graph any = {.options.rule = GLI_RULE_SATIA_LAVE, .children = children};
  for (uint64_t seed = 0; seed < 1000; seed++) {
    gli_random random = gli_random_stream(seed, "late", 0);
    gli_candidate heap[MOST] = {0}, left[MOST], taken;
    size_t count = gli_random_below(&random, MOST), stay = 0;
    for (size_t i = 0; i < count; i++) heap[i] = (gli_candidate){.score = gli_random_unit(&random), .mass = 0.5};
    for (size_t i = 0; i < count; i++) heap[i].child = (uint32_t)i;
    for (size_t i = 0; i < count; i++) {
      bool linked = gli_random_below(&random, 4) == 0, lower = gli_random_below(&random, 2);
      double now = lower ? heap[i].score * gli_random_unit(&random) : heap[i].score;
      children[i] = (gli_child){.upper = 2 * now, .link = linked ? 0 : GLI_FRINGE | GLI_NO_VECTOR};
      left[stay] = heap[i];
      left[stay].score = now;
      stay += !linked;
    }
    pile(heap, count);
    qsort(left, stay, sizeof *left, naive_order);
    gli_pass pass = {.graph = &any, .candidates = heap, .candidate_count = count, .candidate_capacity = MOST};
    gli_region *region = &any.region[GLI_REGION_CANDIDATES];
    region->start = (void *)heap;
    for (size_t i = 0; i < stay; i++) {
      assert_true(gli_pass_take(&pass, &taken));
      if (naive_order(&taken, &left[i]) != 0) fail_msg("seed %llu: another at %zu", (unsigned long long)seed, i);
    }
    assert_false(gli_pass_take(&pass, &taken));
  }
}

/* ---------------------------------------------------------------- the cut */

/* It follows the worst that was chosen; where there was too little to choose from it goes down to nothing. */
static void test_cut(void **state) {
  (void)state;
  gli_graph graph = {.least = 1e-9};
  gli_pass pass = {.graph = &graph};
  gli_pass_end(&pass, INFINITY);
  assert_true(pass.cut == 0);
  gli_pass_end(&pass, 2);
  assert_true(pass.cut > 0 && pass.cut < 2);
  double before = pass.cut;
  gli_pass_end(&pass, 4);
  assert_true(pass.cut == 2 * before);
  unsigned passes = 0;
  for (; pass.cut > 0; passes++) {
    before = pass.cut;
    gli_pass_end(&pass, INFINITY);
    assert_true(pass.cut < before && passes < 20);
  }
  assert_true(passes > 1);
}

/* ---------------------------------------------------------------- the path */

enum { DEEPEST = 64 };

static double gap_at(const search_case *c, uint32_t place) {
  const gli_node *n = gli_graph_node(c->graph, c->search->pass.order[place].node);
  return n->upper - n->lower;
}

/* Does the greedy policy lead to a candidate?  Each place on its path, from the root, says by which choice. */
static bool on_policy(const search_case *c, const gli_candidate *x) {
  const gli_pass *pass = &c->search->pass;
  bool all = gli_graph_node(c->graph, pass->order[x->place].node)->greedy == x->choice;
  for (uint32_t at = x->place; pass->order[at].above != GLI_NONE; at = pass->order[at].above)
    all &= gli_graph_node(c->graph, pass->order[pass->order[at].above].node)->greedy == pass->order[at].choice;
  return all;
}

static void start_told(search_case *c, uint64_t seed, unsigned options_of) {
  random_shape shape = random_model_shape(seed, 5, 3, 3);
  gli_graph_options options = search_case_options(options_of);
  search_case_start(c, seed, random_model_make(seed, &shape));
  if (seed % 2) search_case_loosen(c);
  search_case_search(c, &options, false);
  assert_int_equal(gli_search_root(c->search), GLIMPSE_STOP_NONE);
}

/* In a tree: after an expansion a backup changes nothing where the candidate was met, nor above that as far as the gap
 * has shrunk by what counts as news. */
static void test_told(void **state) {
  (void)state;
  unsigned told = 0, far = 0;
  for (uint64_t seed = 0; seed < 120; seed++) {
    search_case c;
    start_told(&c, seed, (unsigned)(3 * (seed * 7 % (SEARCH_CASE_OPTIONS / 3))));
    const gli_pass *pass = &c.search->pass;
    for (unsigned i = 0; i < 400; i++) {
      bool expands = c.search->phase == GLI_PHASE_EXPAND && gli_pass_walked(pass) && pass->candidate_count > 0 &&
                     scored_now(c.graph, &pass->candidates[0]) &&
                     (on_policy(&c, &pass->candidates[0]) || c.graph->options.rule == GLI_RULE_SATIA_LAVE);
      uint32_t path[DEEPEST], depth = 0;
      double before[DEEPEST];
      for (uint32_t at = expands ? pass->candidates[0].place : GLI_NONE; at != GLI_NONE && depth < DEEPEST;
           at = pass->order[at].above, depth++) {
        path[depth] = at;
        before[depth] = gap_at(&c, at);
      }
      if (gli_search_step(c.search)) break;
      if (c.search->phase != GLI_PHASE_EXPAND) continue;
      bool news = true;
      for (uint32_t k = 0; k < depth && news; k++) {
        news = before[k] - gap_at(&c, path[k]) > GLI_TUNING_TELL * before[k];
        if (gli_backup(c.graph, pass->order[path[k]].node)) search_case_fail(&c, "was not told", path[k], k);
        told += news;
        far += news && k;
      }
    }
    search_case_stop(&c);
  }
  if (told < 500 || far < 100) fail_msg("%u were told, %u of them farther up", told, far);
}

/* Whenever a candidate may be taken: where the greedy policy leads from a node that was walked, and not cut, was
 * walked, too, unless it is new; and what is taken is on that policy. */
static void test_goes_on(void **state) {
  (void)state;
  unsigned looked = 0, dropped = 0, longer = 0;
  for (uint64_t seed = 0; seed < 120; seed++) {
    search_case c;
    start_told(&c, seed, (unsigned)(seed * 7 % SEARCH_CASE_OPTIONS));
    gli_pass *pass = &c.search->pass;
    size_t walked = 0, nodes = 0;
    for (unsigned i = 0; i < 600 && c.graph->options.rule != GLI_RULE_SATIA_LAVE; i++) {
      if (gli_search_step(c.search)) break;
      if (c.search->phase != GLI_PHASE_EXPAND || !gli_pass_walked(pass)) continue;
      if (!c.search->expanded && !c.search->returned) walked = pass->count, nodes = c.graph->node_count;
      longer += pass->count > walked;
      for (size_t place = 0; place < pass->count; place++) {
        uint32_t node = pass->order[place].node, greedy = gli_graph_node(c.graph, node)->greedy;
        gli_outcome to;
        for (uint32_t k = 0; !is_cut(pass, node) && gli_graph_outcome(c.graph, node, greedy, k, &to); k++) {
          uint32_t behind = gli_graph_behind(c.graph, to.link);
          if (behind != GLI_NONE && behind < nodes && gli_graph_node(c.graph, behind)->stamp != pass->stamp)
            search_case_fail(&c, "was not walked", behind, node);
          looked++;
        }
      }
      gli_candidate best;
      size_t stale = pass->stale;
      if (i % 5 == 4 && gli_pass_take(pass, &best)) assert_true(on_policy(&c, &best));
      dropped += pass->stale > stale;
    }
    search_case_stop(&c);
  }
  if (looked < 10000 || dropped < 10 || longer < 100)
    fail_msg("%u looked at, %u dropped, %u walks became longer", looked, dropped, longer);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_order),      cmocka_unit_test(test_psi),
                                     cmocka_unit_test(test_first_walk), cmocka_unit_test(test_take),
                                     cmocka_unit_test(test_take_late),  cmocka_unit_test(test_cut),
                                     cmocka_unit_test(test_told),       cmocka_unit_test(test_goes_on)};
  return cmocka_run_group_tests_name("pass", tests, NULL, NULL);
}
