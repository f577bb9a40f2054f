/* Minimise (src/policy/minimise.c): controllers with nodes that are equal, or that nothing reaches, become the smallest
 * that do the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/controller.h"
#include "support/environment.h"
#include "support/random_model.h"

enum { CONTROLLERS = 300, COPIES = 4 };

/* Each node COPIES times, edges to any copy. */
static glimpse_policy *blow_up(const glimpse_policy *policy, const glimpse_model *model, gli_random *random) {
  glimpse_policy *large = gli_policy_new(model, NULL, glimpse_model_start(model));
  gli_edge_list list = {0};
  assert_non_null(large);
  for (uint32_t n = 0; n < COPIES * policy->nodes; n++) {
    assert_true(gli_edge_list_node(&list, policy->choice[n / COPIES]));
    glimpse_policy_edges edges = glimpse_policy_get(policy, n / COPIES);
    for (size_t i = 0; i < edges.count; i++)
      assert_true(gli_edge_list_edge(&list, edges.seen[i], COPIES * edges.to[i] + gli_random_below(random, COPIES)));
  }
  gli_policy_take(large, &list);
  assert_true(gli_policy_whole(large));
  return large;
}

/* How many nodes can be told apart by what they do, and reached: all pairs, naively. */
static uint32_t count_classes(const glimpse_policy *p) {
  uint32_t n = p->nodes, count = 0;
  bool *differ = calloc((size_t)n * n, sizeof *differ), *reached = calloc(n, sizeof *reached), changed = true;
  assert_true(differ && reached);
  while (changed) {
    changed = false;
    reached[0] = true;
    for (uint32_t x = 0; x < n; x++) {
      glimpse_policy_edges a = glimpse_policy_get(p, x);
      for (size_t i = 0; i < a.count && reached[x]; i++) changed |= !reached[a.to[i]], reached[a.to[i]] = true;
      for (uint32_t y = 0; y < n; y++) {
        glimpse_policy_edges b = glimpse_policy_get(p, y);
        bool different = p->choice[x] != p->choice[y] || a.count != b.count;
        for (size_t i = 0; i < a.count && !different; i++)
          different = a.seen[i] != b.seen[i] || differ[(size_t)a.to[i] * n + b.to[i]];
        changed |= different && !differ[(size_t)x * n + y];
        differ[(size_t)x * n + y] |= different;
      }
    }
  }
  for (uint32_t x = 0; x < n; x++) {
    bool first = reached[x];
    for (uint32_t y = 0; y < x; y++) first = first && !(reached[y] && !differ[(size_t)x * n + y]);
    count += first;
  }
  free(differ);
  free(reached);
  return count;
}

static void follow_both(const glimpse_policy *a, const glimpse_policy *b, gli_random *random) {
  uint32_t x = 0, y = 0;
  for (int i = 0; i < 200; i++) {
    assert_int_equal(glimpse_policy_choice(a, x), glimpse_policy_choice(b, y));
    glimpse_policy_edges edges = glimpse_policy_get(a, x);
    assert_int_equal(edges.count, glimpse_policy_get(b, y).count);
    uint32_t seen = edges.seen[gli_random_below(random, (uint32_t)edges.count)];
    x = glimpse_policy_step(a, x, seen);
    y = glimpse_policy_step(b, y, seen);
    assert_true(x != GLIMPSE_ANY && y != GLIMPSE_ANY);
  }
}

static void random_controllers(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= CONTROLLERS; seed++) {
    random_shape shape = random_model_shape(seed, 5, 2, 2);
    glimpse_model *model = random_model_make(seed, &shape);
    gli_random random = gli_random_stream(seed, "minimise", 0);
    glimpse_policy *policy = controller_random(model, 1 + gli_random_below(&random, 9), &random);
    glimpse_policy *large = blow_up(policy, model, &random);
    uint32_t least = count_classes(policy);
    assert_true(gli_policy_minimise(large) && gli_policy_whole(large));
    if (large->nodes != least) fail_msg("seed %llu: %u nodes, not %u", (unsigned long long)seed, large->nodes, least);
    follow_both(policy, large, &random);
    uint32_t next = 1; /* nodes are numbered as they are met */
    for (uint64_t e = 0; e < large->first[large->nodes]; e++) {
      assert_true(large->to[e] <= next);
      next += large->to[e] == next;
    }
    assert_int_equal(next, large->nodes);
    glimpse_policy_free(large);
    glimpse_policy_free(policy);
    glimpse_model_free(model);
  }
}

/* A chain of equal nodes that differ only at its end is not shortened; without the end it is one node. */
static void chain(void **state) {
  (void)state;
  glimpse_model *model = environment_make("tiger");
  for (int ends = 0; ends < 2; ends++) {
    glimpse_policy *policy = gli_policy_new(model, NULL, glimpse_model_start(model));
    gli_edge_list list = {0};
    for (uint32_t n = 0; n < 50; n++) {
      assert_true(gli_edge_list_node(&list, ends && n == 49));
      for (uint32_t o = 0; o < 2; o++) assert_true(gli_edge_list_edge(&list, o, n < 49 ? n + 1 : 0));
    }
    gli_policy_take(policy, &list);
    assert_true(gli_policy_minimise(policy));
    assert_int_equal(policy->nodes, ends ? 50 : 1);
    assert_int_equal(policy->depth, ends ? 49 : 0);
    glimpse_policy_free(policy);
  }
  glimpse_model_free(model);
}

/* Nodes that have edges for other observations are different, wherever these lead: also where hashes are the same. */
static void some_observations(void **state) {
  (void)state;
  glimpse_model *model = environment_make("tag");
  uint32_t observations = glimpse_model_count(model, GLIMPSE_OBSERVATION);
  for (uint64_t seed = 1; seed <= 50; seed++) {
    gli_random random = gli_random_stream(seed, "minimise", 1);
    glimpse_policy *policy = gli_policy_new(model, NULL, glimpse_model_start(model));
    gli_edge_list list = {0};
    for (uint32_t n = 0; n < 30; n++) {
      assert_true(gli_edge_list_node(&list, 0));
      assert_true(gli_edge_list_edge(&list, gli_random_below(&random, observations), gli_random_below(&random, 30)));
    }
    gli_policy_take(policy, &list);
    uint32_t least = count_classes(policy);
    assert_true(gli_policy_minimise(policy));
    if (policy->nodes != least) fail_msg("seed %llu: %u nodes, not %u", (unsigned long long)seed, policy->nodes, least);
    glimpse_policy_free(policy);
  }
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_controllers), cmocka_unit_test(chain),
                                     cmocka_unit_test(some_observations)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
