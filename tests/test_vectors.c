/* Vectors: their values against a naive evaluation of the policies that they stand for, and against exact values; which
 * of them stay; and that a promise is kept along their successors. */
#include "graph/tuning.h"
#include "graph/vectors.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graph/backup.h"
#include "graph/collect.h"
#include "graph/expand.h"
#include "graph/maker.h"
#include "support/price.h"
#include "support/search_case.h"

enum { MOST_STATES = 8 };

static void start(search_case *c, uint64_t seed, const random_shape *shape, unsigned form) {
  gli_graph_options options = search_case_options(form * 9 + (unsigned)(seed % 9));
  search_case_start(c, seed, random_model_make(seed, shape));
  search_case_loosen(c);
  search_case_search(c, &options, false);
}

/* ------------------------------------------------------------------- values */

/* What the policy of a vector is worth in a state: its action, what is seen, then the plan of the successor, or paying
 * and what the known state is worth at least. */
static double naive_value(const search_case *c, uint32_t id, uint32_t s) {
  const gli_graph *graph = c->graph;
  uint32_t a = gli_vectors_at(graph, id)->action;
  double value = 0;
  glimpse_row moves = glimpse_model_transition(c->model, a, s);
  for (size_t i = 0; i < moves.count; i++) {
    uint32_t s2 = moves.index[i];
    glimpse_row shown = glimpse_model_observation(c->model, a, s2);
    for (size_t k = 0; k < shown.count; k++) {
      uint32_t to = gli_vectors_successor(graph, id, shown.index[k]);
      double then = to == GLI_ASK ? graph->corner[s2].lower - price_in(c->model, s2)
                                  : gli_vector_values(graph, gli_vectors_at(graph, to))[s2];
      value += moves.value[i] * shown.value[k] * then;
    }
  }
  return glimpse_model_reward(c->model, a, s) + glimpse_model_discount(c->model) * value;
}

/* The asking of a policy may be worth more by now, nothing else changes. */
static unsigned check_values(const search_case *c) {
  const gli_graph *graph = c->graph;
  unsigned learnt = 0;
  for (uint32_t id = 0; id < graph->vectors->count; id++) {
    gli_vector *v = gli_vectors_at(graph, id);
    if (v->state == GLI_VECTOR_FREE) continue;
    bool asks = false, blind = v->state == GLI_VECTOR_FIXED; /* and maybe stopped early: worth less than it could be */
    for (uint32_t o = 0; o < graph->model->observations; o++) {
      uint32_t to = gli_vectors_successor(graph, id, o);
      asks |= to == GLI_ASK;
      blind &= to == id;
      if (to == GLI_ASK && !graph->model->requests) search_case_fail(c, "asks where that is not possible", id, o);
      if (to == GLI_ASK) continue;
      if (to >= graph->vectors->count || gli_vectors_at(graph, to)->state == GLI_VECTOR_FREE)
        search_case_fail(c, "a successor is gone", id, to);
    }
    for (uint32_t s = 0; s < graph->states; s++) {
      double value = gli_vector_values(graph, v)[s], naive = naive_value(c, id, s);
      double slack = 4 * gli_graph_slack(graph, naive);
      if (value > naive + 2 * gli_graph_slack(graph, naive)) search_case_fail(c, "more than its policy", value, naive);
      if (!asks && !blind && value < naive - slack) search_case_fail(c, "less than its policy", value, naive);
      if (v->state == GLI_VECTOR_LEARNT && value > naive) search_case_fail(c, "not moved down", value, naive);
      if (v->slot != GLI_NONE && graph->vectors->matrix[(size_t)s * graph->vectors->width + v->slot] != value)
        search_case_fail(c, "another value in the matrix", id, s);
    }
    if (v->slot != GLI_NONE) assert_int_equal(graph->vectors->vector_of[v->slot], id);
    learnt += v->state == GLI_VECTOR_LEARNT;
  }
  const glimpse_bound *given = graph->vectors->given[0];
  assert_true(graph->vectors->closed || graph->vectors->count >= graph->lowers + (given ? given->vectors : 0));
  return learnt;
}

static void test_values(void **state) {
  (void)state;
  unsigned learnt = 0;
  for (uint64_t seed = 0; seed < 250; seed++) {
    random_shape shape = random_model_shape(seed, 6, 3, 3);
    shape.discount = seed % 2 ? 0.9 : 0.95;
    search_case c;
    start(&c, seed, &shape, seed % 2 ? 0 : seed % 4 ? 2 : 3);
    for (unsigned i = 0; i < 3; i++) {
      search_case_run(&c, 20 + 60 * i);
      learnt += check_values(&c);
    }
    search_case_stop(&c);
  }
  assert_true(learnt > 1000);
}

/* <b,v> is a lower bound at every belief, and evaluating finds the best. */
static void test_sound(void **state) {
  (void)state;
  unsigned learnt = 0;
  for (uint64_t seed = 0; seed < 200; seed++) {
    random_shape shape = search_case_pair(seed, seed % 3 > 0);
    gli_random random = gli_random_stream(seed, "vectors", 0);
    search_case c;
    start(&c, seed, &shape, 0);
    search_case_exact(&c);
    search_case_run(&c, 60);
    double error = search_case_error(&c);
    for (unsigned i = 0; i < 12; i++) {
      double p = gli_random_unit(&random), value[] = {1 - p, p}, best = -INFINITY;
      glimpse_row row = {2, (uint32_t[]){0, 1}, value};
      double exact = search_case_value(&c, row);
      for (uint32_t id = 0; id < c.graph->vectors->count; id++) {
        gli_vector *v = gli_vectors_at(c.graph, id);
        if (v->state == GLI_VECTOR_FREE) continue;
        const double *values = gli_vector_values(c.graph, v);
        double lower = gli_vectors_value(c.graph, id, row), naive = (1 - p) * values[0] + p * values[1];
        if (naive > exact + error) search_case_fail(&c, "a vector above the value", naive, exact);
        if (lower > naive || lower < naive - 2 * gli_graph_slack(c.graph, naive))
          search_case_fail(&c, "another value", lower, naive);
        if (v->slot != GLI_NONE) best = fmax(best, lower);
        learnt += v->state == GLI_VECTOR_LEARNT;
      }
      uint32_t id;
      double found = gli_vectors_evaluate(c.graph, row, &id);
      if (c.graph->vectors->used && fabs(found - best) > 4 * gli_graph_slack(c.graph, best))
        search_case_fail(&c, "not the best", found, best);
      if (id != GLI_NO_VECTOR && fabs(gli_vectors_value(c.graph, id, row) - found) > gli_graph_slack(c.graph, found))
        search_case_fail(&c, "rests on another", id, found);
    }
    for (uint32_t s = 0; s < 2; s++) { /* and no corner is above its own */
      double exact = search_case_act(&c, (glimpse_row){1, &s, &(double){1}});
      if (c.graph->corner[s].lower > exact + error)
        search_case_fail(&c, "a corner above its value", c.graph->corner[s].lower, exact);
    }
    search_case_stop(&c);
  }
  assert_true(learnt > 500);
}

/* ------------------------------------------------------------------ learning */

/* The best that one action and then the vectors in use, or asking, can do at a belief. */
static double naive_backup(const search_case *c, glimpse_row belief) {
  const gli_graph *graph = c->graph;
  const struct gli_vectors *v = graph->vectors;
  double best = -INFINITY;
  for (uint32_t a = 0; a < graph->actions; a++) {
    double value = 0;
    for (uint32_t o = 0; o < graph->model->observations; o++) {
      double next[MOST_STATES] = {0}, most = -INFINITY, sum = 0, ask = 0;
      for (size_t i = 0; i < belief.count; i++) {
        glimpse_row moves = glimpse_model_transition(c->model, a, belief.index[i]);
        for (size_t k = 0; k < moves.count; k++) {
          glimpse_row shown = glimpse_model_observation(c->model, a, moves.index[k]);
          for (size_t j = 0; j < shown.count; j++)
            if (shown.index[j] == o) next[moves.index[k]] += belief.value[i] * moves.value[k] * shown.value[j];
        }
      }
      for (uint32_t k = 0; k < v->used; k++) {
        double product = 0;
        for (uint32_t s = 0; s < graph->states; s++) product += next[s] * v->matrix[(size_t)s * v->width + k];
        most = fmax(most, product);
      }
      for (uint32_t s = 0; s < graph->states; s++) {
        sum += next[s];
        ask += next[s] * (graph->corner[s].lower - price_in(c->model, s));
      }
      if (sum > 0) value += graph->model->requests ? fmax(most, ask) : most;
    }
    value *= glimpse_model_discount(c->model);
    for (size_t i = 0; i < belief.count; i++)
      value += belief.value[i] * glimpse_model_reward(c->model, a, belief.index[i]);
    best = fmax(best, value);
  }
  return best;
}

/* A new vector is worth at its belief what the best backup there is. */
static void test_learn(void **state) {
  (void)state;
  unsigned learnt = 0, other = 0;
  for (uint64_t seed = 0; seed < 150; seed++) {
    random_shape shape = random_model_shape(seed, 6, 3, 3);
    shape.discount = 0.9;
    search_case c;
    start(&c, seed, &shape, seed % 2 ? 0 : 2);
    search_case_run(&c, 30);
    gli_graph *graph = c.graph;
    struct gli_vectors *v = graph->vectors;
    gli_search_look_away(c.search);
    gli_search_restart(c.search);
    gli_vectors_owe(graph, 40);
    for (unsigned i = 0; i < 80; i++) {
      uint32_t added = v->added, node = v->path_count ? v->path[v->path_count - 1] : graph->root;
      glimpse_row belief = gli_graph_belief(graph, gli_graph_node(graph, node));
      double best = naive_backup(&c, belief);
      if (!gli_vectors_learn(graph)) break;
      if (v->added == added) continue;
      double found = -INFINITY;
      for (uint32_t k = v->fixed; k < v->used; k++)
        found = fmax(found, gli_vectors_value(graph, v->vector_of[k], belief));
      if (fabs(found - best) > 8 * gli_graph_slack(graph, best))
        search_case_fail(&c, "not the best backup", found, best);
      learnt++;
      for (uint32_t k = v->fixed; k < v->used; k++)
        for (uint32_t o = 0; o < graph->model->observations; o++)
          other += gli_vectors_successor(graph, v->vector_of[k], o) != GLI_ASK &&
                   gli_vectors_successor(graph, v->vector_of[k], o) != v->vector_of[0];
    }
    search_case_stop(&c);
  }
  assert_true(learnt > 50 && other > 20);
}

/* ----------------------------------------------------------------- sweeping */

static void keep(const gli_graph *graph, bool *stays, uint32_t id) {
  if (id == GLI_NO_VECTOR || stays[id]) return;
  stays[id] = true;
  for (uint32_t o = 0; o < graph->model->observations; o++) keep(graph, stays, gli_vectors_successor(graph, id, o));
}

/* All that is in use, or that some bound rests on, and what these lead to. */
static bool *staying(const gli_graph *graph) {
  const struct gli_vectors *v = graph->vectors;
  bool *stays = calloc(v->count + (size_t)1, sizeof *stays);
  assert_non_null(stays);
  for (uint32_t id = 0; id < v->count; id++) /* those from before the search always stay */
    if (gli_vectors_at(graph, id)->state == GLI_VECTOR_FIXED) keep(graph, stays, id);
  for (uint32_t k = 0; k < v->used; k++) keep(graph, stays, v->vector_of[k]);
  for (uint32_t s = 0; s < graph->states; s++) keep(graph, stays, graph->corner[s].rest);
  for (uint32_t i = 0; i < graph->node_count; i++) keep(graph, stays, gli_graph_node(graph, i)->rest);
  for (size_t i = 0; i < graph->child_count; i++)
    if (gli_link_fringe(graph->children[i].link)) keep(graph, stays, gli_link_rest(graph->children[i].link));
  return stays;
}

static void check_sweep(const search_case *c, unsigned *freed, unsigned *kept) {
  gli_graph *graph = c->graph;
  struct gli_vectors *v = graph->vectors;
  bool *stays = staying(graph);
  size_t bytes = v->count * v->bytes;
  char *before = malloc(bytes + 1);
  assert_non_null(before);
  memcpy(before, graph->region[GLI_REGION_VECTORS].start, bytes);
  gli_vectors_sweep(graph);
  uint32_t live = 0, free_ones = 0;
  for (uint32_t id = 0; id < v->count; id++) {
    const gli_vector *now = gli_vectors_at(graph, id);
    if (stays[id] != (now->state != GLI_VECTOR_FREE))
      search_case_fail(c, stays[id] ? "a vector that is needed is gone" : "a vector stays", id, now->state);
    live += now->state != GLI_VECTOR_FREE;
    if (!stays[id]) continue;
    *kept += now->slot == GLI_NONE; /* not in use any more */
    if (memcmp(before + id * v->bytes, now, v->bytes) != 0) search_case_fail(c, "a vector has changed", id, 0);
  }
  for (uint32_t id = v->free; id != GLI_NONE; id = gli_vectors_at(graph, id)->slot) free_ones++;
  assert_int_equal(live, v->live);
  assert_int_equal(free_ones, v->count - live);
  *freed += free_ones;
  free(before);
  free(stays);
}

static void test_sweep(void **state) {
  (void)state;
  unsigned freed = 0, kept = 0;
  for (uint64_t seed = 0; seed < 150; seed++) {
    random_shape shape = random_model_shape(seed, 6, 3, 3);
    shape.discount = 0.95;
    search_case c;
    start(&c, seed, &shape, 0);
    search_case_run(&c, 250);
    gli_search_look_away(c.search);
    check_sweep(&c, &freed, &kept);
    check_values(&c);
    search_case_run(&c, 50);
    check_values(&c);
    search_case_stop(&c);
  }
  assert_true(freed > 10 && kept > 10);
}

/* A chain of vectors of which the last alone is rested on: all of it stays, however many come after. */
static void test_eviction(void **state) {
  (void)state;
  random_shape shape = {
      .states = 4, .actions = 2, .observations = 3, .spread = 3, .high = 2, .low = -1, .discount = 0.9, .cost = 0.3};
  gli_random random = gli_random_stream(5, "vectors", 1);
  search_case c;
  start(&c, 5, &shape, 0);
  search_case_run(&c, 1);
  gli_search_look_away(c.search);
  gli_graph *graph = c.graph;
  struct gli_vectors *v = graph->vectors;
  uint32_t chain[20], successors[3];
  double values[4];
  for (unsigned i = 0; i < 20; i++) {
    for (uint32_t o = 0; o < 3; o++) successors[o] = i && o == i % 3 ? chain[i - 1] : GLI_ASK;
    for (uint32_t s = 0; s < 4; s++) values[s] = -50 + gli_random_unit(&random);
    chain[i] = gli_vectors_add(graph, i % 2, successors, values);
    assert_int_not_equal(chain[i], GLI_NO_VECTOR);
    assert_int_not_equal(gli_vectors_at(graph, chain[i])->slot, GLI_NONE);
  }
  gli_node *root = search_case_root(&c);
  root->rest = chain[19];
  uint32_t most = v->count;
  for (unsigned i = 0; i < 400; i++) {
    for (uint32_t o = 0; o < 3; o++) successors[o] = GLI_ASK;
    for (uint32_t s = 0; s < 4; s++) values[s] = -40 + 0.01 * i + gli_random_unit(&random);
    uint32_t id = gli_vectors_add(graph, 0, successors, values);
    assert_int_not_equal(id, GLI_NO_VECTOR);
    assert_true(v->used <= v->width);
    if (i % 100 == 99) gli_vectors_sweep(graph);
    if (i == 199) most = v->count;
  }
  assert_true(v->count <= most + 100); /* free ones are taken again */
  for (unsigned i = 0; i < 20; i++) {
    assert_int_equal(gli_vectors_at(graph, chain[i])->state, GLI_VECTOR_LEARNT);
    assert_int_equal(gli_vectors_at(graph, chain[i])->slot, GLI_NONE); /* evicted long ago */
    assert_int_equal(gli_vectors_at(graph, chain[i])->action, i % 2);
    if (i) assert_int_equal(gli_vectors_successor(graph, chain[i], i % 3), chain[i - 1]);
  }
  root->rest = GLI_NO_VECTOR;
  gli_vectors_sweep(graph);
  for (unsigned i = 0; i < 20; i++) assert_int_equal(gli_vectors_at(graph, chain[i])->state, GLI_VECTOR_FREE);
  search_case_stop(&c);
}

/* There are more places for vectors after many expansions, and where memory is small there are not. */
static void test_places(void **state) {
  (void)state;
  random_shape shape = {
      .states = 4, .actions = 2, .observations = 3, .spread = 3, .high = 2, .low = -1, .discount = 0.9, .cost = 0.3};
  for (int small = 0; small < 2; small++) {
    gli_graph_options options = search_case_options(0);
    options.learn_vectors = true;
    options.max_bytes = small ? (uint64_t)1 << 20 : 0;
    search_case c;
    search_case_start(&c, 5, random_model_make(5, &shape));
    search_case_search(&c, &options, false);
    search_case_run(&c, 1);
    struct gli_vectors *v = c.graph->vectors;
    gli_random random = gli_random_stream(5, "vectors", 2);
    uint32_t successors[3] = {GLI_ASK, GLI_ASK, GLI_ASK}, used[3];
    for (uint64_t round = 0; round < 3; round++) {
      c.graph->expansions = round * 100 * GLI_TUNING_VECTORS_EACH;
      for (unsigned i = 0; i < 400; i++) {
        double values[4];
        for (uint32_t s = 0; s < 4; s++) values[s] = -40 + 10 * gli_random_unit(&random);
        assert_int_not_equal(gli_vectors_add(c.graph, 0, successors, values), GLI_NO_VECTOR);
      }
      used[round] = v->used;
    }
    assert_true(used[0] <= c.graph->lowers + GLI_TUNING_VECTORS + 1);
    assert_int_equal(used[1], small ? used[0] : 100);
    assert_int_equal(used[2], small ? used[0] : 200);
    c.graph->expansions = 1;
    search_case_stop(&c);
  }
}

/* ------------------------------------------------------------------ resting */

static void test_rest(void **state) {
  (void)state;
  random_shape shape = {
      .states = 3, .actions = 2, .observations = 2, .spread = 2, .high = 2, .low = -1, .discount = 0.9, .cost = 1};
  search_case c;
  start(&c, 5, &shape, 0);
  search_case_run(&c, 1);
  gli_search_look_away(c.search);
  gli_graph *graph = c.graph;
  gli_node *root = search_case_root(&c);
  double low = root->lower, values[3], other[3];
  uint32_t successors[2] = {GLI_ASK, GLI_ASK};
  for (uint32_t s = 0; s < 3; s++) values[s] = low + 0.125, other[s] = low + 0.0625;
  uint32_t better = gli_vectors_add(graph, 1, successors, values), worse = gli_vectors_add(graph, 0, successors, other);
  root = search_case_root(&c);
  gli_vectors_rest(graph, root, better);
  assert_int_equal(root->rest, better);
  assert_true(fabs(root->lower - (low + 0.125)) < 1e-9 && root->lower <= low + 0.125);
  assert_true(gli_node_lowers(graph, root)[1] >= root->lower);
  gli_vectors_rest(graph, root, worse); /* its action is worth more than was known, the belief is not */
  assert_int_equal(root->rest, better);
  assert_true(fabs(gli_node_lowers(graph, root)[0] - (low + 0.0625)) < 1e-9);
  root->lower = low; /* both at once */
  root->rest = GLI_NO_VECTOR;
  gli_vectors_raise(graph, root, false);
  assert_int_equal(root->rest, better);
  gli_backup_raise(graph, root, 0, low + 0.25, GLI_NO_VECTOR);
  assert_int_equal(root->rest, GLI_NO_VECTOR);
  gli_node_lowers(graph, root)[0] = low + 0.5; /* a backup that is better rests on choices */
  root->rest = better;
  gli_backup(graph, graph->root);
  assert_int_equal(root->rest, GLI_NO_VECTOR);
  assert_true(root->lower >= low + 0.5);
  search_case_stop(&c);
}

/* The root's bound rests on a vector: after its action and any observation the new root is worth what the successor
 * promises. */
static void test_promise(void **state) {
  (void)state;
  unsigned followed = 0, asked = 0;
  for (uint64_t seed = 0; seed < 400; seed++) {
    random_shape shape = random_model_shape(seed, 5, 3, 3);
    shape.discount = 0.95;
    gli_random random = gli_random_stream(seed, "vectors", 2);
    search_case c;
    start(&c, seed, &shape, 0);
    search_case_run(&c, 60);
    gli_graph *graph = c.graph;
    gli_search_look_away(c.search);
    for (unsigned step = 0; step < 6 && graph->vectors->used > graph->vectors->fixed; step++) {
      gli_node *root = search_case_root(&c);
      struct gli_vectors *v = graph->vectors;
      uint32_t id = v->vector_of[v->fixed + gli_random_below(&random, v->used - v->fixed)];
      uint32_t a = gli_vectors_at(graph, id)->action;
      if (root->rest == GLI_NO_VECTOR) root->rest = id; /* as if it had been the best once */
      else a = gli_vectors_at(graph, id = root->rest)->action;
      gli_outcome to;
      uint32_t count = 0;
      while (gli_graph_outcome(graph, graph->root, a, count, &to)) count++;
      if (!count) break;
      gli_graph_outcome(graph, graph->root, a, gli_random_below(&random, count), &to);
      if (!gli_maker_follow(graph, gli_graph_belief(graph, root), a, to.label)) break;
      glimpse_row made = gli_sparse_row(&graph->maker->belief);
      uint32_t index[MOST_STATES], successor = gli_vectors_successor(graph, id, to.label);
      double value[MOST_STATES], promised = 0;
      memcpy(index, made.index, made.count * sizeof *index);
      memcpy(value, made.value, made.count * sizeof *value);
      glimpse_row belief = {made.count, index, value};
      for (size_t i = 0; i < belief.count; i++)
        promised +=
            value[i] * (successor == GLI_ASK ? graph->corner[index[i]].lower - price_in(c.model, index[i])
                                             : gli_vector_values(graph, gli_vectors_at(graph, successor))[index[i]]);
      gli_bounds child = gli_graph_bounds_of(graph, &to);
      assert_true(gli_search_move(c.search, a, to.label, belief));
      gli_search_root(c.search);
      gli_backup_all(graph, graph->root); /* as a run does for its answer */
      root = search_case_root(&c);
      double slack = 8 * gli_graph_slack(graph, promised);
      if (root->lower < promised - slack) search_case_fail(&c, "the promise is broken", root->lower, promised);
      if (root->lower < child.lower - slack) search_case_fail(&c, "the child's is", root->lower, child.lower);
      if (successor == GLI_ASK) asked++;
      else followed++;
    }
    search_case_stop(&c);
  }
  assert_true(followed > 100 && asked > 100);
}

/* Behind the lower bound of every fringe belief is a plan: that of its vector, or what the table knows; also after room
 * was made by folding what led on. */
static unsigned check_backed(const search_case *c) {
  gli_graph *graph = c->graph;
  unsigned looks = 0;
  for (uint32_t node = 0; node < graph->node_count; node++)
    for (uint32_t choice = 0; choice < graph->groups; choice++) {
      gli_outcome to;
      for (uint32_t i = 0; gli_graph_outcome(graph, node, choice, i, &to); i++) {
        if (!gli_link_fringe(to.link)) continue;
        glimpse_row belief = {1, &to.label, &(double){1}};
        if (choice < graph->actions) {
          if (!gli_maker_follow(graph, gli_graph_belief(graph, gli_graph_node(graph, node)), choice, to.label))
            continue;
          belief = gli_sparse_row(&graph->maker->belief);
        }
        uint32_t rest = gli_link_rest(to.link);
        double lower = graph->children[to.child].lower, backed = gli_expand_judge(graph, belief).lower;
        if (choice == graph->actions) backed = fmax(backed, graph->corner[to.label].lower);
        if (rest != GLI_NO_VECTOR) backed = fmax(backed, gli_vectors_value(graph, rest, belief));
        for (uint32_t k = 0; k < graph->vectors->fixed; k++) /* these always stay */
          backed = fmax(backed, gli_vectors_value(graph, graph->vectors->vector_of[k], belief));
        if (lower > backed + 8 * gli_graph_slack(graph, lower))
          search_case_fail(c, "a promise without a plan", lower, backed);
        looks++;
      }
    }
  return looks;
}

static void test_backed(void **state) {
  (void)state;
  size_t looks = 0, dropped = 0;
  for (uint64_t seed = 0; seed < 150; seed++) {
    random_shape shape = random_model_shape(seed, 5, 3, 3);
    shape.discount = 0.95;
    search_case c;
    start(&c, seed, &shape, seed % 2 ? 0 : 2);
    for (unsigned i = 0; i < 3; i++) {
      search_case_run(&c, 80);
      gli_search_look_away(c.search);
      looks += check_backed(&c);
      gli_search_restart(c.search);
      dropped += gli_collect(&c.search->pass, true);
      looks += check_backed(&c);
    }
    search_case_stop(&c);
  }
  assert_true(looks > 1000 && dropped > 500);
}

/* ------------------------------------------------------------------- memory */

static void test_closed(void **state) {
  (void)state;
  unsigned closed = 0, opened = 0;
  for (uint64_t bytes = 4000; bytes < 80000; bytes += 4000) {
    random_shape shape = {
        .states = 6, .actions = 2, .observations = 3, .spread = 3, .high = 2, .low = -1, .discount = 0.9, .cost = 0.3};
    gli_graph_options options = search_case_options(1);
    options.max_bytes = bytes;
    search_case c;
    search_case_start(&c, 5, random_model_make(5, &shape));
    search_case_loosen(&c);
    search_case_search(&c, &options, false);
    gli_graph *graph = c.graph;
    struct gli_vectors *v = graph->vectors;
    uint32_t successors[3] = {GLI_ASK, GLI_ASK, GLI_ASK};
    double values[6] = {-100, -100, -100, -100, -100, -100};
    for (unsigned i = 0; i < 2000 && !v->closed; i++) {
      values[i % 6] += 0.001;
      uint32_t id = gli_vectors_add(graph, 0, successors, values);
      assert_true((id == GLI_NO_VECTOR) == v->closed);
      if (id != GLI_NO_VECTOR) search_case_root(&c)->rest = id;
      assert_true(graph->quota.bytes <= bytes && v->count <= v->most);
      assert_false(graph->full); /* beliefs may still have room */
    }
    closed += v->closed;
    gli_vectors_owe(graph, 5);
    if (v->closed) assert_true(v->owed == 0);
    if (v->closed && v->count) { /* until room is made */
      gli_vectors_sweep(graph);
      opened += !v->closed;
    }
    search_case_run(&c, 100);
    check_values(&c);
    search_case_stop(&c);
  }
  assert_true(closed > 0 && opened <= closed);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_sound),
                                     cmocka_unit_test(test_sweep),  cmocka_unit_test(test_eviction),
                                     cmocka_unit_test(test_rest),   cmocka_unit_test(test_promise),
                                     cmocka_unit_test(test_closed), cmocka_unit_test(test_learn),
                                     cmocka_unit_test(test_backed), cmocka_unit_test(test_places)};
  return cmocka_run_group_tests_name("vectors", tests, NULL, NULL);
}
