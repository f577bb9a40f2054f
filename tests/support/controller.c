#include "support/controller.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

glimpse_policy *controller_random(const glimpse_model *model, uint32_t nodes, gli_random *random) {
  glimpse_policy *policy = gli_policy_new(model, "random", glimpse_model_start(model));
  gli_edge_list list = {0};
  assert_non_null(policy);
  bool requests = glimpse_model_requests(model);
  for (uint32_t n = 0; n < nodes; n++) {
    bool asks = requests && n + 1 == nodes && nodes > 1;
    uint32_t choice = gli_random_below(random, glimpse_model_count(model, GLIMPSE_ACTION));
    assert_true(gli_edge_list_node(&list, asks ? GLIMPSE_ANY : choice));
    uint32_t labels = glimpse_model_count(model, asks ? GLIMPSE_STATE : GLIMPSE_OBSERVATION);
    for (uint32_t seen = labels; seen-- > 0;) /* any order will do */
      assert_true(gli_edge_list_edge(&list, seen, gli_random_below(random, asks ? nodes - 1 : nodes)));
  }
  gli_policy_take(policy, &list);
  assert_true(gli_policy_whole(policy));
  return policy;
}

/* Solves a x = b of size n, rows of n + 1 numbers. */
static void eliminate(long double *a, size_t n) {
  for (size_t k = 0; k < n; k++) {
    size_t pivot = k;
    for (size_t i = k + 1; i < n; i++)
      if (fabsl(a[i * (n + 1) + k]) > fabsl(a[pivot * (n + 1) + k])) pivot = i;
    for (size_t j = 0; j <= n; j++) {
      long double swap = a[k * (n + 1) + j];
      a[k * (n + 1) + j] = a[pivot * (n + 1) + j];
      a[pivot * (n + 1) + j] = swap;
    }
    for (size_t i = 0; i < n; i++) {
      long double factor = i == k ? 0 : a[i * (n + 1) + k] / a[k * (n + 1) + k];
      for (size_t j = k; j <= n && factor != 0; j++) a[i * (n + 1) + j] -= factor * a[k * (n + 1) + j];
    }
  }
}

/* The equation of a node and a state, naively from the definition. */
static void equation(const glimpse_policy *policy, const glimpse_model *model, uint32_t node, uint32_t s,
                     long double *row, size_t n) {
  uint32_t states = glimpse_model_count(model, GLIMPSE_STATE), choice = glimpse_policy_choice(policy, node);
  row[(size_t)node * states + s] += 1;
  if (glimpse_model_terminal(model, s)) return;
  if (choice == GLIMPSE_ANY) {
    row[(size_t)glimpse_policy_step(policy, node, s) * states + s] -= 1;
    row[n] = -glimpse_model_cost(model, s);
    return;
  }
  row[n] = glimpse_model_reward(model, choice, s);
  glimpse_row next = glimpse_model_transition(model, choice, s);
  for (size_t i = 0; i < next.count; i++) {
    glimpse_row shown = glimpse_model_observation(model, choice, next.index[i]);
    for (size_t j = 0; j < shown.count; j++) {
      uint32_t to = glimpse_policy_step(policy, node, shown.index[j]);
      row[(size_t)to * states + next.index[i]] -=
          (long double)glimpse_model_discount(model) * next.value[i] * shown.value[j];
    }
  }
}

double controller_worth(const glimpse_policy *policy, const glimpse_model *model) {
  uint32_t nodes = glimpse_policy_measure(policy).nodes, states = glimpse_model_count(model, GLIMPSE_STATE);
  size_t n = (size_t)nodes * states;
  long double *a = calloc(n * (n + 1), sizeof *a), sum = 0;
  assert_non_null(a);
  for (uint32_t node = 0; node < nodes; node++)
    for (uint32_t s = 0; s < states; s++)
      equation(policy, model, node, s, a + ((size_t)node * states + s) * (n + 1), n);
  eliminate(a, n);
  glimpse_row start = glimpse_model_start(model);
  for (size_t i = 0; i < start.count; i++) {
    size_t k = start.index[i];
    sum += start.value[i] * (a[k * (n + 1) + n] / a[k * (n + 1) + k]);
  }
  free(a);
  return (double)sum;
}
