/* Unsure: against the plan written out, belief by belief, and against what it must not exceed or fall below.
 *
 * Covers src/bounds/unsure.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/memory.h"
#include "bounds/mdp.h"
#include "bounds/task.h"
#include "bounds/unsure.h"
#include "support/environment.h"
#include "support/price.h"
#include "support/random_model.h"

enum { MOST_STATES = 8, MOST_OBSERVATIONS = 6 };

typedef struct made {
  glimpse_bound *ask, *unsure, *qmdp;
} made;

static made make(const glimpse_model *model, glimpse_bound_options options) {
  made m = {.unsure = GLI_NEW(glimpse_bound, 1)};
  gli_bound_task task;
  gli_bound_given none = {0};
  assert_int_equal(gli_bound_make(model, GLIMPSE_BOUND_ALWAYS_ASK, NULL, &none, NULL, &m.ask), GLIMPSE_OK);
  assert_int_equal(gli_bound_make(model, GLIMPSE_BOUND_QMDP, NULL, &none, NULL, &m.qmdp), GLIMPSE_OK);
  assert_true(m.unsure && gli_bound_task_start(&task, model, &options, 0));
  assert_true(gli_unsure_make(&task, m.ask, m.unsure));
  return m;
}

static void made_free(made *m) {
  glimpse_bound_free(m->ask);
  glimpse_bound_free(m->unsure);
  glimpse_bound_free(m->qmdp);
}

/* What the next belief is worth: known if it is one state, asked for if not.  *certain counts the former. */
static double after(const glimpse_model *model, uint32_t a, uint32_t s, uint32_t o, const double *known,
                    unsigned *certain) {
  glimpse_row row = glimpse_model_transition(model, a, s);
  double asked = 0, told = 0;
  unsigned possible = 0;
  for (size_t i = 0; i < row.count; i++) {
    uint32_t s2 = row.index[i];
    glimpse_row seen = glimpse_model_observation(model, a, s2);
    for (size_t k = 0; k < seen.count; k++) {
      if (seen.index[k] != o) continue;
      double weight = row.value[i] * seen.value[k];
      possible++;
      told += weight * known[s2];
      asked += weight * (known[s2] - price_in(model, s2));
    }
  }
  *certain += possible == 1;
  return possible == 1 ? told : asked;
}

/* The plan by value iteration; returns how many outcomes are certain. */
static unsigned naive(const glimpse_model *model, double *known) {
  uint32_t states = glimpse_model_count(model, GLIMPSE_STATE), actions = glimpse_model_count(model, GLIMPSE_ACTION);
  uint32_t observations = glimpse_model_count(model, GLIMPSE_OBSERVATION);
  unsigned certain = 0;
  for (uint32_t s = 0; s < states; s++) known[s] = 0;
  for (double error = 1e5; error > 1e-11; error *= fmax(0.1, glimpse_model_discount(model))) {
    double next[MOST_STATES];
    certain = 0;
    for (uint32_t s = 0; s < states; s++) {
      next[s] = glimpse_model_terminal(model, s) ? 0 : -INFINITY;
      for (uint32_t a = 0; a < actions && !glimpse_model_terminal(model, s); a++) {
        double sum = 0;
        for (uint32_t o = 0; o < observations; o++) sum += after(model, a, s, o, known, &certain);
        next[s] = fmax(next[s], glimpse_model_reward(model, a, s) + glimpse_model_discount(model) * sum);
      }
    }
    for (uint32_t s = 0; s < states; s++) known[s] = next[s];
  }
  return certain;
}

static void check_between(const glimpse_model *model, const made *m, uint64_t seed) {
  for (uint32_t s = 0; s < glimpse_model_count(model, GLIMPSE_STATE); s++) {
    double known = m->unsure->known[s], value = known - price_in(model, s);
    if (!(known >= m->ask->known[s] && known <= m->qmdp->known[s]))
      fail_msg("seed %llu: %.17g in state %u", (unsigned long long)seed, known, s);
    assert_true(m->unsure->value[s] <= value + 1e-14 * (1 + fabs(value)));
    assert_true(m->unsure->first[s] < glimpse_model_count(model, GLIMPSE_ACTION));
  }
}

static void test_the_plan(void **state) {
  (void)state;
  unsigned better = 0, none = 0;
  for (uint64_t seed = 0; seed < 400; seed++) {
    random_shape shape = random_model_shape(seed, MOST_STATES, 3, MOST_OBSERVATIONS);
    if (shape.discount > 0.95) shape.discount = 0.95;
    if (shape.cost <= 0) shape.cost = 0.3;
    glimpse_model *model = random_model_make(seed, &shape);
    made m = make(model, (glimpse_bound_options){0});
    double known[MOST_STATES];
    unsigned certain = naive(model, known);
    if (!m.unsure->value) {
      if (certain && !shape.terminals && shape.discount > 0)
        fail_msg("seed %llu: %u outcomes are certain", (unsigned long long)seed, certain);
      none++;
      for (uint32_t s = 0; s < shape.states; s++) assert_float_equal(m.ask->known[s], known[s], 1e-6);
    } else {
      check_between(model, &m, seed);
      for (uint32_t s = 0; s < shape.states; s++) {
        double got = m.unsure->known[s];
        if (!(got <= known[s] + 1e-11 * (1 + fabs(known[s])) && got > known[s] - 1e-5))
          fail_msg("seed %llu: %.12g in state %u, wanted %.12g", (unsigned long long)seed, got, s, known[s]);
        better += got > m.ask->known[s] + 1e-3;
      }
    }
    made_free(&m);
    glimpse_model_free(model);
  }
  assert_true(better > 300 && none > 30);
}

/* Stopped at any moment it is below what it would become. */
static void test_stopped(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 60; seed++) {
    random_shape shape = random_model_shape(seed, MOST_STATES, 3, MOST_OBSERVATIONS);
    if (shape.cost <= 0) shape.cost = 0.3;
    glimpse_model *model = random_model_make(seed, &shape);
    made whole = make(model, (glimpse_bound_options){0});
    for (unsigned i = 0; i < 4 && whole.unsure->value; i++) {
      made m = make(model, i == 3 ? (glimpse_bound_options){.max_time = 1e-9}
                                  : (glimpse_bound_options){.max_iterations = i + 1});
      check_between(model, &m, seed);
      for (uint32_t s = 0; s < shape.states; s++)
        assert_true(m.unsure->known[s] <= whole.unsure->known[s] + 2 * whole.unsure->result.error);
      made_free(&m);
    }
    made_free(&whole);
    glimpse_model_free(model);
  }
}

/* Rocks do not change and moves are certain: one answer tells all, for ever. */
static void test_one_answer_is_enough(void **state) {
  (void)state;
  glimpse_model *model = environment_make("rock-sample");
  made m = make(model, (glimpse_bound_options){0});
  for (uint32_t s = 0; s < glimpse_model_count(model, GLIMPSE_STATE); s++)
    assert_float_equal(m.unsure->known[s], m.qmdp->known[s], 1e-6);
  made_free(&m);
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_plan), cmocka_unit_test(test_stopped),
                                     cmocka_unit_test(test_one_answer_is_enough)};
  return cmocka_run_group_tests_name("unsure", tests, NULL, NULL);
}
