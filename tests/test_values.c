/* Values of nodes: against plain value iteration over a finite horizon, on random models with random policies, edges
 * missing; and the policy of the equivalent POMDP, which is worth as much.
 *
 * Covers src/policy/equivalent_policy.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "policy/policy.h"
#include "support/random_model.h"

static glimpse_policy *any_policy(gli_random *random, const glimpse_model *model, bool all) {
  glimpse_policy *policy = gli_policy_new(model, NULL, glimpse_model_start(model));
  gli_edge_list list = {0};
  uint32_t acting = 1 + gli_random_below(random, 5);
  uint32_t nodes = acting + (glimpse_model_requests(model) ? gli_random_below(random, 3) : 0);
  for (uint32_t n = 0; n < nodes; n++) {
    bool ask = n >= acting;
    assert_true(gli_edge_list_node(&list, ask ? GLIMPSE_ANY : gli_random_below(random, policy->actions)));
    for (uint32_t label = 0; label < (ask ? policy->states : policy->observations); label++)
      if (all || gli_random_below(random, 4))
        assert_true(gli_edge_list_edge(&list, label, gli_random_below(random, ask ? acting : nodes)));
  }
  gli_policy_take(policy, &list);
  assert_true(gli_policy_whole(policy));
  return policy;
}

static double price(const glimpse_model *model, uint32_t s) {
  return glimpse_model_terminal(model, s) ? 0 : glimpse_model_cost(model, s);
}

/* One look ahead of node n in s, by the words of the header. */
static double ahead(const glimpse_policy *policy, const glimpse_model *model, const double *v, uint32_t n, uint32_t s,
                    uint32_t fallback) {
  uint32_t states = policy->states, a = glimpse_policy_choice(policy, n);
  double best[64];
  for (uint32_t x = 0; x < states; x++) {
    best[x] = -1e300;
    for (uint32_t m = 0; m < policy->nodes; m++)
      if (glimpse_policy_choice(policy, m) != GLIMPSE_ANY) best[x] = fmax(best[x], v[m * states + x]);
  }
  if (glimpse_model_terminal(model, s)) return 0;
  if (a == GLIMPSE_ANY) {
    uint32_t to = glimpse_policy_step(policy, n, s);
    return (to == GLIMPSE_ANY ? best[s] : v[to * states + s]) - price(model, s);
  }
  double sum = 0;
  glimpse_row next = glimpse_model_transition(model, a, s);
  for (size_t i = 0; i < next.count; i++) {
    uint32_t x = next.index[i];
    glimpse_row seen = glimpse_model_observation(model, a, x);
    for (size_t k = 0; k < seen.count; k++) {
      uint32_t to = glimpse_policy_step(policy, n, seen.index[k]);
      double after = to != GLIMPSE_ANY               ? v[to * states + x]
                     : glimpse_model_requests(model) ? best[x] - price(model, x)
                                                     : v[fallback * states + x];
      sum += next.value[i] * seen.value[k] * after;
    }
  }
  return glimpse_model_reward(model, a, s) + glimpse_model_discount(model) * sum;
}

/* By how much values are off their equations, at most. */
static double residual(const glimpse_policy *policy, const glimpse_model *model, const double *v, uint32_t fallback) {
  double most = 0;
  for (uint32_t n = 0; n < policy->nodes; n++)
    for (uint32_t s = 0; s < policy->states; s++)
      most = fmax(most, fabs(v[n * policy->states + s] - ahead(policy, model, v, n, s, fallback)));
  return most;
}

static void solves_the_equations(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 150; seed++) {
    gli_random random = gli_random_stream(seed, "values", 0);
    random_shape shape = random_model_shape(seed, 6, 4, 4);
    if (shape.discount > 0.99) shape.discount = 0.97;
    glimpse_model *model = random_model_make(seed, &shape);
    glimpse_policy *policy = any_policy(&random, model, false);
    double *v = calloc((size_t)policy->nodes * policy->states, sizeof *v), least = INFINITY, size = 0;
    assert_int_equal(glimpse_policy_values(policy, model, NULL, v), GLIMPSE_OK);
    for (uint32_t fallback = 0; fallback < policy->nodes; fallback++) {
      if (glimpse_policy_choice(policy, fallback) == GLIMPSE_ANY) continue;
      least = fmin(least, residual(policy, model, v, fallback));
    }
    for (uint32_t i = 0; i < policy->nodes * policy->states; i++) size = fmax(size, fabs(v[i]));
    if (!(least <= 1e-8 * (1 + size))) print_message("seed %u: %g of %g\n", (unsigned)seed, least, size);
    assert_true(least <= 1e-8 * (1 + size));
    free(v);
    glimpse_policy_free(policy);
    glimpse_model_free(model);
  }
}

/* From the start, the equations of pairs and those of all states agree; and so does the equivalent POMDP. */
static void agrees(void **state) {
  (void)state;
  for (uint64_t seed = 200; seed < 300; seed++) {
    gli_random random = gli_random_stream(seed, "values", 1);
    random_shape shape = random_model_shape(seed, 6, 4, 4);
    if (shape.discount > 0.99) shape.discount = 0.97;
    glimpse_model *model = random_model_make(seed, &shape), *equivalent;
    glimpse_policy *policy = any_policy(&random, model, true), *other;
    double *v = calloc((size_t)policy->nodes * policy->states, sizeof *v), sum = 0, size = 1;
    gli_worth worth, twice;
    assert_int_equal(glimpse_policy_values(policy, model, NULL, v), GLIMPSE_OK);
    assert_int_equal(gli_policy_evaluate(policy, model, NULL, &worth), GLIMPSE_OK);
    glimpse_row start = glimpse_model_start(model);
    for (size_t i = 0; i < start.count; i++) sum += start.value[i] * v[start.index[i]];
    for (uint32_t i = 0; i < policy->nodes * policy->states; i++) size = fmax(size, fabs(v[i]));
    if (sum > worth.value + (worth.value - worth.lower)) /* which is how sure that value is */
      print_message("seed %u: %.17g above %.17g, %g\n", (unsigned)seed, sum, worth.value, worth.value - worth.lower);
    assert_true(sum <= worth.value + (worth.value - worth.lower));
    assert_true(fabs(sum - worth.value) <= 1e-7 * size);
    if (glimpse_model_requests(model) && glimpse_model_discount(model) > 0) {
      assert_int_equal(glimpse_model_equivalent(model, NULL, &equivalent), GLIMPSE_OK);
      policy->lower = worth.lower;
      policy->upper = worth.value + 1;
      assert_int_equal(glimpse_policy_equivalent(policy, equivalent, NULL, &other), GLIMPSE_OK);
      assert_true(gli_policy_whole(other));
      assert_int_equal(gli_policy_evaluate(other, equivalent, NULL, &twice), GLIMPSE_OK);
      double g = glimpse_model_discount(equivalent);
      assert_true(fabs(twice.value - g * worth.value) <= 1e-8 * size);
      assert_true(other->lower <= g * worth.lower && other->lower >= g * worth.lower - 1e-9 * size);
      assert_true(other->upper >= g * policy->upper);
      glimpse_policy_free(other);
      assert_int_equal(glimpse_policy_equivalent(policy, model, NULL, &other), GLIMPSE_BAD_MODEL);
      assert_null(other);
      glimpse_model_free(equivalent);
    }
    free(v);
    glimpse_policy_free(policy);
    glimpse_model_free(model);
  }
}

/* Where the future counts much, sweeps are slow, and what adds up their changes must not lead astray. */
static void patient(void **state) {
  (void)state;
  for (uint64_t seed = 300; seed < 360; seed++) {
    gli_random random = gli_random_stream(seed, "values", 2);
    random_shape shape = random_model_shape(seed, 4, 3, 3);
    shape.discount = 0.999;
    glimpse_model *model = random_model_make(seed, &shape);
    glimpse_policy *policy = any_policy(&random, model, true);
    double *v = calloc((size_t)policy->nodes * policy->states, sizeof *v), sum = 0;
    gli_worth worth;
    assert_int_equal(glimpse_policy_values(policy, model, NULL, v), GLIMPSE_OK);
    assert_int_equal(gli_policy_evaluate(policy, model, NULL, &worth), GLIMPSE_OK);
    glimpse_row start = glimpse_model_start(model);
    for (size_t i = 0; i < start.count; i++) sum += start.value[i] * v[start.index[i]];
    double size = fmax(1, fabs(worth.value));
    if (!(fabs(sum - worth.value) <= 1e-6 * size))
      print_message("seed %u: %.17g, not %.17g\n", (unsigned)seed, sum, worth.value);
    assert_true(fabs(sum - worth.value) <= 1e-6 * size);
    free(v);
    glimpse_policy_free(policy);
    glimpse_model_free(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solves_the_equations),
      cmocka_unit_test(agrees),
      cmocka_unit_test(patient),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
