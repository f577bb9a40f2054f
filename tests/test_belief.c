/* Belief: against a dense update written straight from Bayes' rule. */
#include "belief/belief.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/failing_malloc.h"
#include "support/random_model.h"

enum { MOST_STATES = 12 };

static void check(bool right, const char *what, uint64_t seed) {
  if (right) return;
  print_error("seed %llu: %s\n", (unsigned long long)seed, what);
  fail();
}

/* P(o|b,a) and, when it is positive, the next belief; dense. */
static double naive_update(const glimpse_model *model, const double *belief, uint32_t a, uint32_t o, double *next) {
  uint32_t states = glimpse_model_count(model, GLIMPSE_STATE);
  double sum = 0;
  for (uint32_t s2 = 0; s2 < states; s2++) {
    next[s2] = 0;
    glimpse_row shows = glimpse_model_observation(model, a, s2);
    double seen = 0;
    for (size_t j = 0; j < shows.count; j++)
      if (shows.index[j] == o) seen = shows.value[j];
    for (uint32_t s = 0; s < states; s++) {
      glimpse_row moves = glimpse_model_transition(model, a, s);
      for (size_t i = 0; i < moves.count; i++)
        if (moves.index[i] == s2) next[s2] += belief[s] * moves.value[i] * seen;
    }
    sum += next[s2];
  }
  for (uint32_t s2 = 0; s2 < states && sum > 0; s2++) next[s2] /= sum;
  return sum;
}

/* The row is sorted, positive, sums to 1 and is the dense belief. */
static void check_row(glimpse_row row, const double *dense, uint32_t states, uint64_t seed) {
  double sum = 0;
  size_t at = 0;
  for (size_t i = 0; i < row.count; i++) {
    check(row.index[i] < states && (!i || row.index[i - 1] < row.index[i]), "sorted", seed);
    check(row.value[i] > 0, "positive", seed);
    sum += row.value[i];
  }
  check(fabs(sum - 1) <= 1e-15 * (double)(row.count + 2), "normalised", seed);
  for (uint32_t s = 0; s < states; s++) {
    double p = at < row.count && row.index[at] == s ? row.value[at++] : 0;
    check(fabs(p - dense[s]) <= 1e-13 && (p > 0) == (dense[s] > 0), "equal to the dense belief", seed);
  }
}

static void test_update(void **state) {
  (void)state;
  unsigned impossible = 0, possible = 0;
  for (uint64_t seed = 0; seed < 300; seed++) {
    random_shape shape = random_model_shape(seed, MOST_STATES, 4, 5);
    glimpse_model *model = random_model_make(seed, &shape);
    glimpse_belief *belief = glimpse_belief_new(model);
    gli_random random = gli_random_stream(seed, "steps", 0);
    double dense[MOST_STATES], next[MOST_STATES], value[MOST_STATES], p, q;
    uint32_t index[MOST_STATES];
    assert_non_null(belief);
    random_belief(&random, shape.states, dense);
    assert_int_equal(glimpse_belief_set(belief, random_belief_row(dense, shape.states, index, value)), GLIMPSE_OK);
    for (int step = 0; step < 25; step++) {
      uint32_t a = gli_random_below(&random, shape.actions), o = gli_random_below(&random, shape.observations);
      p = naive_update(model, dense, a, o, next);
      q = -1;
      glimpse_status status = glimpse_belief_update(belief, a, o, &q);
      check(status == (p > 0 ? GLIMPSE_OK : GLIMPSE_IMPOSSIBLE), "status", seed);
      check(fabs(p - q) <= 1e-14, "probability", seed);
      if (p > 0) memcpy(dense, next, sizeof dense);
      p > 0 ? possible++ : impossible++;
      check_row(glimpse_belief_row(belief), dense, shape.states, seed);
      for (uint32_t s = 0; s < shape.states; s++)
        check(fabs(glimpse_belief_probability(belief, s) - dense[s]) <= 1e-13, "probability of a state", seed);
      check(glimpse_belief_probability(belief, shape.states) == 0, "of no state", seed);
    }
    glimpse_belief_free(belief);
    glimpse_model_free(model);
  }
  assert_true(possible > 1000 && impossible > 1000);
}

/* All children at once, each alone, and the belief before the observation. */
static void test_children(void **state) {
  (void)state;
  for (uint64_t seed = 500; seed < 700; seed++) {
    random_shape shape = random_model_shape(seed, MOST_STATES, 4, 5);
    glimpse_model *model = random_model_make(seed, &shape);
    gli_belief_work *work = gli_belief_work_new(model);
    gli_random random = gli_random_stream(seed, "beliefs", 0);
    gli_children children = {0};
    gli_sparse child = {0}, after = {0};
    double dense[MOST_STATES], next[MOST_STATES], value[MOST_STATES];
    uint32_t index[MOST_STATES];
    assert_non_null(work);
    for (int i = 0; i < 5; i++) {
      random_belief(&random, shape.states, dense);
      glimpse_row row = random_belief_row(dense, shape.states, index, value);
      for (uint32_t a = 0; a < shape.actions; a++) {
        double total = 0, pushed[MOST_STATES] = {0}, p;
        size_t at = 0;
        check(gli_belief_children(work, row, a, &children), "children", seed);
        for (uint32_t o = 0; o < shape.observations; o++) {
          double expected = naive_update(model, dense, a, o, next);
          check(gli_belief_child(work, row, a, o, &p, &child), "child", seed);
          check((p > 0) == (expected > 0) && (p > 0) == (child.count > 0), "possible", seed);
          if (p <= 0) continue;
          check(at < children.count && children.observation[at] == o, "observations ascend", seed);
          glimpse_row same = gli_children_row(&children, at);
          check(children.probability[at] == p && same.count == child.count, "same child", seed);
          assert_memory_equal(same.index, child.index, same.count * sizeof *same.index);
          assert_memory_equal(same.value, child.value, same.count * sizeof *same.value);
          check_row(same, next, shape.states, seed);
          for (uint32_t s = 0; s < shape.states; s++) pushed[s] += expected * next[s];
          total += p;
          at++;
        }
        check(at == children.count, "no more children", seed);
        check(fabs(total - 1) < 1e-14, "probabilities sum to 1", seed);
        check(gli_belief_push(work, row, a, &after), "push", seed);
        check_row(gli_sparse_row(&after), pushed, shape.states, seed);
      }
    }
    gli_children_free(&children);
    gli_sparse_free(&child);
    gli_sparse_free(&after);
    gli_belief_work_free(work);
    glimpse_model_free(model);
  }
  gli_belief_work_free(NULL);
}

/* Rounding does not build up. */
static void test_million_updates(void **state) {
  (void)state;
  random_shape shape = {.states = 5, .actions = 2, .observations = 2, .spread = 4, .low = 0, .high = 1};
  glimpse_model *model = random_model_make(3, &shape);
  glimpse_belief *belief = glimpse_belief_new(model);
  gli_random random = gli_random_stream(3, "steps", 0);
  assert_non_null(belief);
  unsigned done = 0;
  for (int i = 0; i < 1000000; i++)
    done +=
        glimpse_belief_update(belief, gli_random_below(&random, 2), gli_random_below(&random, 2), NULL) == GLIMPSE_OK;
  assert_true(done > 900000);
  double sum = 0;
  glimpse_row row = glimpse_belief_row(belief);
  for (size_t i = 0; i < row.count; i++) sum += row.value[i];
  assert_float_equal(sum, 1, 1e-15);
  glimpse_belief_free(belief);
  glimpse_model_free(model);
}

/* What is possible stays possible, however unlikely. */
static void test_support(void **state) {
  (void)state;
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_environment_make("tiger", NULL, &model), GLIMPSE_OK);
  uint32_t listen = glimpse_model_find(model, GLIMPSE_ACTION, "listen");
  assert_true(listen < 3);
  glimpse_belief *belief = glimpse_belief_new(model);
  assert_non_null(belief);
  for (int i = 0; i < 2000; i++) assert_int_equal(glimpse_belief_update(belief, listen, 0, NULL), GLIMPSE_OK);
  assert_int_equal(glimpse_belief_row(belief).count, 2);
  for (int i = 0; i < 2000; i++) assert_int_equal(glimpse_belief_update(belief, listen, 1, NULL), GLIMPSE_OK);
  assert_int_equal(glimpse_belief_row(belief).count, 2);
  assert_float_equal(glimpse_belief_probability(belief, 1), 1, 1e-12);
  glimpse_belief_free(belief);
  glimpse_model_free(model);
}

static glimpse_status set(glimpse_belief *belief, size_t count, const uint32_t *index, const double *value) {
  return glimpse_belief_set(belief, (glimpse_row){count, index, value});
}

static void test_set(void **state) {
  (void)state;
  random_shape shape = {.states = 6, .actions = 2, .observations = 2, .spread = 4, .low = 0, .high = 1};
  glimpse_model *model = random_model_make(9, &shape);
  glimpse_belief *belief = glimpse_belief_new(model);
  assert_non_null(belief);
  assert_int_equal(glimpse_belief_row(belief).count, 6);
  const double half[6] = {0, 0.5, 0, 0, 0.5, 0}, known[6] = {0, 0, 0, 1, 0, 0};

  /* Any order, any scale, zeros allowed. */
  assert_int_equal(set(belief, 3, (uint32_t[]){4, 0, 1}, (double[]){7, 0, 7}), GLIMPSE_OK);
  check_row(glimpse_belief_row(belief), half, 6, 0);
  assert_int_equal(set(belief, 2, (uint32_t[]){1, 4}, (double[]){DBL_MAX, DBL_MAX}), GLIMPSE_OK);
  check_row(glimpse_belief_row(belief), half, 6, 0);
  assert_int_equal(set(belief, 2, (uint32_t[]){1, 4}, (double[]){4e-320, 4e-320}), GLIMPSE_OK);
  check_row(glimpse_belief_row(belief), half, 6, 0);
  assert_int_equal(set(belief, 2, (uint32_t[]){1, 4}, (double[]){1e-320, 1e300}), GLIMPSE_OK);
  assert_int_equal(glimpse_belief_row(belief).count, 2);
  assert_true(glimpse_belief_row(belief).value[0] > 0);
  assert_int_equal(glimpse_belief_set(belief, glimpse_belief_row(belief)), GLIMPSE_OK);
  assert_int_equal(glimpse_belief_row(belief).count, 2);

  assert_int_equal(glimpse_belief_reveal(belief, 3), GLIMPSE_OK);
  check_row(glimpse_belief_row(belief), known, 6, 0);

  /* Refused, and the belief is what it was. */
  static const double bad[] = {-0.5, NAN, INFINITY, -INFINITY};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_int_equal(set(belief, 2, (uint32_t[]){0, 1}, (double[]){1, bad[i]}), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(set(belief, 2, (uint32_t[]){0, 6}, (double[]){0.5, 0.5}), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(set(belief, 2, (uint32_t[]){0, GLIMPSE_ANY}, (double[]){0.5, 0.5}), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(set(belief, 3, (uint32_t[]){2, 0, 2}, (double[]){0.5, 0.2, 0.5}), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(set(belief, 2, (uint32_t[]){0, 1}, (double[]){0, 0}), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(set(belief, 0, NULL, NULL), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(set(belief, 1, NULL, (double[]){1}), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(set(belief, 1, (uint32_t[]){0}, NULL), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(glimpse_belief_reveal(belief, 6), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(glimpse_belief_update(belief, 2, 0, NULL), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(glimpse_belief_update(belief, 0, 2, NULL), GLIMPSE_BAD_ARGUMENT);
  check_row(glimpse_belief_row(belief), known, 6, 0);

  /* Nothing of what was refused is left behind. */
  double after[6];
  for (uint32_t o = 0; o < 2; o++) {
    assert_int_equal(glimpse_belief_reveal(belief, 3), GLIMPSE_OK);
    if (naive_update(model, known, 0, o, after) <= 0) continue;
    assert_int_equal(glimpse_belief_update(belief, 0, o, NULL), GLIMPSE_OK);
    check_row(glimpse_belief_row(belief), after, 6, 0);
    assert_int_equal(set(belief, 2, (uint32_t[]){5, 0}, (double[]){1, -1}), GLIMPSE_BAD_ARGUMENT);
  }

  glimpse_belief_free(belief);
  glimpse_belief_free(NULL);
  glimpse_model_free(model);
}

static void test_entropy(void **state) {
  (void)state;
  random_shape shape = {.states = 8, .actions = 1, .observations = 1, .spread = 4, .low = 0, .high = 1};
  glimpse_model *model = random_model_make(4, &shape);
  glimpse_belief *belief = glimpse_belief_new(model);
  assert_non_null(belief);
  assert_float_equal(glimpse_belief_entropy(belief), 3, 1e-15);
  assert_int_equal(set(belief, 3, (uint32_t[]){0, 1, 2}, (double[]){0.5, 0.25, 0.25}), GLIMPSE_OK);
  assert_float_equal(glimpse_belief_entropy(belief), 1.5, 1e-15);
  assert_int_equal(glimpse_belief_reveal(belief, 5), GLIMPSE_OK);
  assert_true(glimpse_belief_entropy(belief) == 0);
  glimpse_belief_free(belief);
  glimpse_model_free(model);
}

/* From a known state to many others, so that every array grows.  After a failure the
 * workspace must be as good as new. */
static glimpse_status jump(void *context) {
  const glimpse_model *model = context;
  glimpse_belief *belief = glimpse_belief_new(model);
  gli_belief_work *work = gli_belief_work_new(model);
  gli_children children = {0};
  glimpse_status status = belief && work ? glimpse_belief_reveal(belief, 0) : GLIMPSE_NO_MEMORY;
  if (!status) status = glimpse_belief_update(belief, 0, 0, NULL);
  for (int attempt = 0; belief && work && attempt < 2; attempt++) {
    if (!gli_belief_children(work, glimpse_belief_row(belief), 0, &children)) {
      status = GLIMPSE_NO_MEMORY;
      continue;
    }
    double total = 0;
    for (size_t i = 0; i < children.count; i++) total += children.probability[i];
    assert_float_equal(total, 1, 1e-13);
    break;
  }
  if (belief && status && glimpse_belief_update(belief, 0, 0, NULL) == GLIMPSE_OK) {
    double total = 0;
    for (uint32_t s = 0; s < 64; s++) total += glimpse_belief_probability(belief, s);
    assert_float_equal(total, 1, 1e-13);
  }
  gli_children_free(&children);
  gli_belief_work_free(work);
  glimpse_belief_free(belief);
  return status;
}

static void test_no_memory(void **state) {
  (void)state;
  /* Powers of two: an array that cannot double cannot make do with less either. */
  random_shape shape = {.states = 64, .actions = 1, .observations = 16, .spread = 1000, .low = 0, .high = 1};
  glimpse_model *model = random_model_make(6, &shape);
  glimpse_belief *belief = glimpse_belief_new(model);
  assert_non_null(belief);
  assert_int_equal(glimpse_belief_reveal(belief, 0), GLIMPSE_OK);
  assert_int_equal(glimpse_belief_update(belief, 0, 0, NULL), GLIMPSE_OK);
  glimpse_belief_free(belief);
  assert_true(failing_malloc_sweep(jump, model) > 10);
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_update),    cmocka_unit_test(test_children), cmocka_unit_test(test_million_updates),
      cmocka_unit_test(test_support),   cmocka_unit_test(test_set),      cmocka_unit_test(test_entropy),
      cmocka_unit_test(test_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
