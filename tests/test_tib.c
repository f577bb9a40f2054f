/* TIB: against a naive table, against values from the literature, and where there is none. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "bounds/bound.h"
#include "support/environment.h"
#include "support/naive_tib.h"
#include "support/random_model.h"

enum { MOST_STATES = 5 };

static glimpse_bound *solve(const glimpse_model *model, glimpse_bound_options options) {
  glimpse_bound *bound = NULL;
  glimpse_bound_kind kind = glimpse_model_requests(model) ? GLIMPSE_BOUND_TIB_SR : GLIMPSE_BOUND_TIB;
  assert_int_equal(glimpse_bound_new(model, kind, &options, NULL, &bound), GLIMPSE_OK);
  return bound;
}

static glimpse_bound *solve_fib(const glimpse_model *model) {
  glimpse_bound *bound = NULL;
  assert_int_equal(glimpse_bound_new(model, glimpse_offline_upper(model), NULL, NULL, &bound), GLIMPSE_OK);
  return bound;
}

/* made is not below wanted, and above it by no more than `above`. */
static void check_above(double made, double wanted, double above, const char *what, uint64_t seed) {
  double slack = 1e-10 * (1 + fabs(wanted));
  if (made >= wanted - slack && made <= wanted + above + slack) return;
  fail_msg("seed %llu: %s: %.17g, wanted %.17g", (unsigned long long)seed, what, made, wanted);
}

/* The accessor for searches: rows as they should be, lines above those of the naive table. */
static void check_table(const glimpse_bound *bound, const naive_tib *naive, double above, uint64_t seed) {
  const gli_tib *tib = gli_bound_tib(bound);
  assert_non_null(tib);
  assert_int_equal(tib->choices, naive->choices);
  for (uint32_t s = 0; s < naive->states; s++)
    for (uint32_t a = 0; a < naive->actions; a++) {
      uint64_t r = (uint64_t)a * naive->states + s;
      uint32_t e = tib->first[r];
      for (uint32_t o = 0; o < naive->observations; o++) {
        size_t at = naive_tib_index(naive, s, a, o);
        if (!(naive->chance[at] > 0)) continue;
        assert_true(e < tib->first[r + 1]);
        assert_int_equal(tib->observation[e], o);
        check_above(tib->chance[e], naive->chance[at], 0, "chance", seed);
        for (uint32_t k = 0; k < tib->choices; k++)
          check_above(tib->upper[(size_t)tib->belief[e] * tib->choices + k], naive->value[at * tib->choices + k], above,
                      "a line", seed);
        for (uint32_t s2 = 0; s2 < naive->states; s2++)
          if (naive->belief[at * naive->states + s2] == 1) assert_int_equal(tib->belief[e], s2);
        e++;
      }
      assert_int_equal(e, tib->first[r + 1]);
    }
  for (uint32_t s = 0; s < naive->states; s++)
    for (uint32_t k = 0; k < tib->choices; k++) {
      check_above(glimpse_bound_entry(bound, k, s), naive->corner[s * tib->choices + k], above, "a vector", seed);
      assert_true(tib->upper[(size_t)s * tib->choices + k] == glimpse_bound_entry(bound, k, s));
    }
}

static void test_naive(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 120; seed++) {
    random_shape shape = random_model_shape(seed, MOST_STATES, 3, 3);
    if (shape.discount > 0.9) shape.discount = 0.85;
    glimpse_model *model = random_model_make(seed, &shape);
    naive_tib naive = naive_tib_solve(model);
    glimpse_bound *bound = solve(model, (glimpse_bound_options){.threads = 1}), *fib = solve_fib(model);
    glimpse_bound_result result = glimpse_bound_measure(bound);
    assert_true(result.converged && result.iterations >= 1);
    assert_true(result.error < 1e-7);
    check_table(bound, &naive, result.error, seed);
    gli_random random = gli_random_stream(seed, "beliefs", 0);
    for (int i = 0; i < 8; i++) {
      double dense[MOST_STATES], value[MOST_STATES];
      uint32_t index[MOST_STATES];
      random_belief(&random, shape.states, dense);
      glimpse_row row = random_belief_row(dense, shape.states, index, value);
      check_above(glimpse_bound_value(bound, row), naive_tib_value(&naive, dense), result.error + 1e-9, "value", seed);
      assert_true(glimpse_bound_value(bound, row) <= glimpse_bound_value(fib, row));
    }
    glimpse_bound_free(bound);
    for (uint64_t sweeps = 1; sweeps <= 3; sweeps++) {
      bound = solve(model, (glimpse_bound_options){.max_iterations = sweeps, .tolerance = 1e-300});
      check_table(bound, &naive, INFINITY, seed);
      glimpse_bound_free(bound);
    }
    glimpse_bound_free(fib);
    naive_tib_free(&naive);
    glimpse_model_free(model);
  }
}

/* Without requests Tiger and Tag are 49.6 and -5.578 in the paper of the bound. */
static void test_known_values(void **state) {
  (void)state;
  static const struct {
    const char *spec;
    double value;
  } cases[] = {{"tiger:c=0", 49.605609},         {"tag:c=1", -4.157948},           {"tag:c=0.5", -2.828880},
               {"tag:c=2", -5.561054},           {"robot-delivery:n=3", 2.776507}, {"robot-delivery:n=5", 2.615500},
               {"robot-delivery:n=7", 2.474692}, {"rock-sample", 21.556953},       {"tag:c=0", -5.578086}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    glimpse_model *model = environment_make(cases[i].spec);
    glimpse_bound *bound = solve(model, (glimpse_bound_options){.effort = 1e9});
    assert_true(glimpse_bound_measure(bound).converged);
    double value = glimpse_bound_value(bound, glimpse_model_start(model));
    if (!(fabs(value - cases[i].value) < 2e-6)) fail_msg("%s: %.9g", cases[i].spec, value);
    glimpse_bound_free(bound);
    glimpse_model_free(model);
  }
}

/* Where it may not take the work there is no table, and it is FIB. */
static void test_too_large(void **state) {
  (void)state;
  glimpse_model *model = environment_make("tag");
  static const glimpse_bound_options cases[] = {{.effort = 1e-3}, {.effort = 1e-300}, {.max_time = 1e-9}};
  glimpse_bound *fib = solve_fib(model);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    glimpse_bound *bound = solve(model, cases[i]);
    glimpse_bound_result result = glimpse_bound_measure(bound);
    assert_null(gli_bound_tib(bound));
    assert_true(!result.converged && result.iterations == 0 && result.error > 1 && isfinite(result.error));
    if (i < 2) {
      size_t bytes = sizeof *fib->value * fib->states * fib->vectors;
      assert_memory_equal(bound->value, fib->value, bytes);
      assert_true(glimpse_bound_value(bound, glimpse_model_start(model)) ==
                  glimpse_bound_value(fib, glimpse_model_start(model)));
    }
    glimpse_bound_free(bound);
  }
  assert_null(gli_bound_tib(fib));
  glimpse_bound_free(fib);
  glimpse_model_free(model);
}

/* The whole table has the same bits with any number of threads, and a little work is enough for a little. */
static void test_threads(void **state) {
  (void)state;
  glimpse_model *model = environment_make("robot-delivery:n=25");
  glimpse_bound *one = solve(model, (glimpse_bound_options){.threads = 1, .effort = 0.2});
  glimpse_bound *two = solve(model, (glimpse_bound_options){.threads = 2, .effort = 0.2});
  const gli_tib *left = gli_bound_tib(one), *right = gli_bound_tib(two);
  assert_non_null(left);
  assert_non_null(right);
  assert_true(one->result.iterations > 1 && !one->result.converged);
  uint64_t rows = (uint64_t)glimpse_model_count(model, GLIMPSE_ACTION) * one->states;
  uint32_t last = 0;
  assert_memory_equal(left->belief, right->belief, left->first[rows] * sizeof *left->belief);
  for (uint32_t e = 0; e < left->first[rows]; e++) last = left->belief[e] > last ? left->belief[e] : last;
  assert_true(last > one->states);
  assert_memory_equal(left->upper, right->upper, ((size_t)last + 1) * left->choices * sizeof *left->upper);
  glimpse_bound_free(one);
  glimpse_bound_free(two);
  glimpse_model_free(model);
}

/* Observations fill several windows, of which some are empty. */
static void test_windows(void **state) {
  (void)state;
  enum { OBSERVATIONS = 3000 };
  glimpse_builder *builder = glimpse_builder_new(3, 2, OBSERVATIONS);
  assert_non_null(builder);
  for (uint32_t a = 0; a < 2; a++)
    for (uint32_t s = 0; s < 3; s++) {
      for (uint32_t s2 = 0; s2 < 3; s2++) glimpse_builder_transition(builder, a, s, s2, s == s2 ? 0.5 : 0.25);
      for (uint32_t i = 0; i < 4; i++)
        glimpse_builder_observation(builder, a, s, (i * 999 + s * 500 * (i % 2)) % OBSERVATIONS, 0.25);
      glimpse_builder_reward(builder, a, s, GLIMPSE_ANY, GLIMPSE_ANY, (a ? 1.0 : -1.0) * (s - 1.0));
    }
  glimpse_builder_discount(builder, 0.5);
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_builder_finish(builder, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(builder);
  naive_tib naive = naive_tib_solve(model);
  glimpse_bound *bound = solve(model, (glimpse_bound_options){0});
  static const double dense[3] = {0.2, 0.5, 0.3};
  static const uint32_t index[3] = {0, 1, 2};
  check_table(bound, &naive, 1e-8, 0);
  check_above(glimpse_bound_value(bound, (glimpse_row){3, index, dense}), naive_tib_value(&naive, dense), 1e-7, "value",
              0);
  glimpse_bound_free(bound);
  naive_tib_free(&naive);
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_naive), cmocka_unit_test(test_known_values),
                                     cmocka_unit_test(test_too_large), cmocka_unit_test(test_threads),
                                     cmocka_unit_test(test_windows)};
  return cmocka_run_group_tests_name("tib", tests, NULL, NULL);
}
