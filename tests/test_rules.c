/* Rules: the last matching rule gives the reward of a step.  Random sequences
 * of rules with every mixture of wildcards, against an array that is assigned to
 * directly; and the stored form is the same, bit for bit, whichever rules led to
 * it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "model/model.h"
#include "model/rules.h"
#include "support/failing_malloc.h"

enum { MOST = 4 };
static const uint32_t any = GLIMPSE_ANY;

typedef double table[MOST][MOST][MOST][MOST]; /* a, s, s', o */

typedef struct world {
  uint32_t states, actions, observations;
  double transition[MOST][MOST][MOST], observe[MOST][MOST][MOST];
  table reward;
} world;

/* A distribution in eighths, often with zeros. */
static void draw(gli_random *random, double *p, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) p[i] = 0;
  for (int i = 0; i < 8; i++) p[gli_random_below(random, count)] += 0.125;
}

static void world_make(world *w, gli_random *random) {
  memset(w, 0, sizeof *w);
  w->states = 1 + gli_random_below(random, MOST);
  w->actions = 1 + gli_random_below(random, MOST);
  w->observations = 1 + gli_random_below(random, MOST);
  for (uint32_t a = 0; a < w->actions; a++)
    for (uint32_t s = 0; s < w->states; s++) {
      draw(random, w->transition[a][s], gli_random_below(random, 3) ? w->states : 1);
      draw(random, w->observe[a][s], gli_random_below(random, 3) ? w->observations : 1);
    }
}

static glimpse_builder *world_builder(const world *w) {
  glimpse_builder *builder = glimpse_builder_new(w->states, w->actions, w->observations);
  for (uint32_t a = 0; a < w->actions; a++)
    for (uint32_t s = 0; s < w->states; s++) {
      for (uint32_t s2 = 0; s2 < w->states; s2++)
        glimpse_builder_transition(builder, a, s, s2, w->transition[a][s][s2]);
      for (uint32_t o = 0; o < w->observations; o++) glimpse_builder_observation(builder, a, s, o, w->observe[a][s][o]);
    }
  return builder;
}

static glimpse_model *finish(glimpse_builder *builder) {
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_builder_finish(builder, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(builder);
  return model;
}

static void assign(world *w, uint32_t a, uint32_t s, uint32_t s2, uint32_t o, double value) {
  for (uint32_t i = 0; i < w->actions; i++)
    for (uint32_t j = 0; j < w->states; j++)
      for (uint32_t k = 0; k < w->states; k++)
        for (uint32_t l = 0; l < w->observations; l++)
          if ((a == any || a == i) && (s == any || s == j) && (s2 == any || s2 == k) && (o == any || o == l))
            w->reward[i][j][k][l] = value;
}

static uint32_t pick(gli_random *random, uint32_t count, unsigned wild) {
  return wild ? any : gli_random_below(random, count);
}

/* Rules of the shapes in `shapes` (bit m: those with the wildcards of mask m). */
static void add_rules(glimpse_builder *builder, world *w, gli_random *random, unsigned shapes) {
  uint32_t length = gli_random_below(random, 50);
  for (uint32_t i = 0; i < length; i++) {
    unsigned mask = gli_random_below(random, 16);
    if (!(shapes >> mask & 1)) continue;
    uint32_t a = pick(random, w->actions, mask & 1), s = pick(random, w->states, mask & 2);
    uint32_t s2 = pick(random, w->states, mask & 4), o = pick(random, w->observations, mask & 8);
    double value = gli_random_below(random, 2) ? (double)gli_random_below(random, 3) - 1 : gli_random_unit(random);
    assert_int_equal(glimpse_builder_reward(builder, a, s, s2, o, value), GLIMPSE_OK);
    assign(w, a, s, s2, o, value);
  }
}

static void check_rewards(const world *w, const glimpse_model *model, unsigned seed) {
  for (uint32_t a = 0; a < w->actions; a++)
    for (uint32_t s = 0; s < w->states; s++) {
      double expected = 0;
      for (uint32_t s2 = 0; s2 < w->states; s2++)
        for (uint32_t o = 0; o < w->observations; o++) {
          double p = w->transition[a][s][s2] * w->observe[a][s2][o], r = w->reward[a][s][s2][o];
          if (p > 0 && glimpse_model_reward_step(model, a, s, s2, o) != r)
            fail_msg("seed %u: R(%u,%u,%u,%u) is %.17g, expected %.17g", seed, a, s, s2, o,
                     glimpse_model_reward_step(model, a, s, s2, o), r);
          expected += p * r;
        }
      if (!(fabs(glimpse_model_reward(model, a, s) - expected) < 1e-14))
        fail_msg("seed %u: R(%u,%u) is %.17g, expected %.17g", seed, a, s, glimpse_model_reward(model, a, s), expected);
    }
}

/* Does the reward of a possible step of the row depend on s', given o; on o,
 * given s'; on either? */
static bool depends(const world *w, uint32_t a, uint32_t s, bool same_next, bool same_observation) {
  for (uint32_t i = 0; i < w->states * w->observations; i++)
    for (uint32_t k = 0; k < i; k++) {
      uint32_t s1 = i / w->observations, o1 = i % w->observations, s2 = k / w->observations, o2 = k % w->observations;
      if (w->transition[a][s][s1] * w->observe[a][s1][o1] == 0 || w->transition[a][s][s2] * w->observe[a][s2][o2] == 0)
        continue;
      if ((same_next && s1 != s2) || (same_observation && o1 != o2)) continue;
      if (w->reward[a][s][s1][o1] != w->reward[a][s][s2][o2]) return true;
    }
  return false;
}

/* The entries have the coarsest shape that will do, ascend, and are not zero. */
static void check_shape(const world *w, const glimpse_model *model, unsigned seed) {
  const gli_steps *steps = &model->steps;
  for (uint32_t a = 0; a < w->actions; a++)
    for (uint32_t s = 0; s < w->states; s++) {
      bool constant = !depends(w, a, s, false, false), by_next = !depends(w, a, s, true, false);
      bool by_observation = !by_next && !depends(w, a, s, false, true);
      uint64_t row = gli_model_row(model, a, s);
      for (uint64_t i = steps->row[row]; i < steps->row[row + 1]; i++) {
        bool any_next = steps->next[i] == any, any_observation = steps->observation[i] == any;
        if (any_next != (constant || by_observation) || any_observation != by_next)
          fail_msg("seed %u: row (%u,%u) has the wrong shape", seed, a, s);
        if (steps->value[i] == 0) fail_msg("seed %u: row (%u,%u) stores a zero", seed, a, s);
        if (i > steps->row[row] &&
            (steps->next[i] < steps->next[i - 1] ||
             (steps->next[i] == steps->next[i - 1] && steps->observation[i] <= steps->observation[i - 1])))
          fail_msg("seed %u: row (%u,%u) does not ascend", seed, a, s);
      }
    }
}

static void check_same(const glimpse_model *left, const glimpse_model *right, unsigned seed) {
  size_t rows = (size_t)left->actions * left->states;
  size_t count = (size_t)left->steps.row[rows];
  bool same = memcmp(left->reward, right->reward, rows * sizeof(double)) == 0 &&
              memcmp(left->steps.row, right->steps.row, (rows + 1) * sizeof(uint64_t)) == 0;
  if (same && count)
    same = memcmp(left->steps.next, right->steps.next, count * sizeof(uint32_t)) == 0 &&
           memcmp(left->steps.observation, right->steps.observation, count * sizeof(uint32_t)) == 0 &&
           memcmp(left->steps.value, right->steps.value, count * sizeof(double)) == 0;
  if (!same) fail_msg("seed %u: other rules for the same rewards give another model", seed);
}

/* The same rewards again, once from the stored entries, as a writer of files
 * would, once step by step. */
static void check_again(const world *w, const glimpse_model *model, unsigned seed) {
  glimpse_builder *entries = world_builder(w), *single = world_builder(w);
  const gli_steps *steps = &model->steps;
  for (uint32_t a = 0; a < w->actions; a++)
    for (uint32_t s = 0; s < w->states; s++) {
      uint64_t row = gli_model_row(model, a, s);
      for (uint64_t i = steps->row[row]; i < steps->row[row + 1]; i++)
        glimpse_builder_reward(entries, a, s, steps->next[i], steps->observation[i], steps->value[i]);
      for (uint32_t s2 = 0; s2 < w->states; s2++)
        for (uint32_t o = 0; o < w->observations; o++)
          glimpse_builder_reward(single, a, s, s2, o, w->reward[a][s][s2][o]);
    }
  glimpse_model *again = finish(entries), *step_by_step = finish(single);
  check_same(model, again, seed);
  check_same(model, step_by_step, seed);
  glimpse_model_free(again);
  glimpse_model_free(step_by_step);
}

static void test_random_rules(void **state) {
  (void)state;
  /* All shapes; those blind to o; to s'; to both; and again all. */
  static const unsigned shapes[] = {0xffff, 0xff00, 0xf0f0, 0xf000, 0xffff};
  for (unsigned seed = 0; seed < 2000; seed++) {
    gli_random random = gli_random_stream(seed, "rules", 0);
    static world w;
    world_make(&w, &random);
    glimpse_builder *builder = world_builder(&w);
    add_rules(builder, &w, &random, shapes[seed % 5]);
    glimpse_model *model = finish(builder);
    check_rewards(&w, model, seed);
    check_shape(&w, model, seed);
    check_again(&w, model, seed);
    glimpse_model_free(model);
  }
}

/* One row of each shape. */
static void test_four_shapes(void **state) {
  (void)state;
  glimpse_builder *builder = glimpse_builder_new(2, 4, 2);
  glimpse_builder_transition(builder, any, any, any, 0.5);
  glimpse_builder_observation(builder, any, any, 0, 0.25);
  glimpse_builder_observation(builder, any, any, 1, 0.75);
  glimpse_builder_reward(builder, 0, 1, any, any, 7);
  glimpse_builder_reward(builder, 1, 1, 0, any, 3);
  glimpse_builder_reward(builder, 1, 1, 1, any, 5);
  glimpse_builder_reward(builder, 2, 1, any, 0, 4);
  glimpse_builder_reward(builder, 2, 1, any, 1, 8);
  glimpse_builder_reward(builder, 3, 1, 0, 1, 16);
  glimpse_builder_reward(builder, 3, 1, 1, 0, 32);
  glimpse_model *model = finish(builder);
  static const double expected[4] = {7, 4, 7, 10};
  static const double step[4][2][2] = {{{7, 7}, {7, 7}}, {{3, 3}, {5, 5}}, {{4, 8}, {4, 8}}, {{0, 16}, {32, 0}}};
  static const uint64_t entries[4] = {1, 2, 2, 2};
  for (uint32_t a = 0; a < 4; a++) {
    assert_true(glimpse_model_reward(model, a, 0) == 0);
    assert_true(glimpse_model_reward(model, a, 1) == expected[a]);
    assert_int_equal(model->steps.row[2 * a + 1] - model->steps.row[2 * a], 0);
    assert_int_equal(model->steps.row[2 * a + 2] - model->steps.row[2 * a + 1], entries[a]);
    for (uint32_t s2 = 0; s2 < 2; s2++)
      for (uint32_t o = 0; o < 2; o++) {
        assert_true(glimpse_model_reward_step(model, a, 0, s2, o) == 0);
        assert_true(glimpse_model_reward_step(model, a, 1, s2, o) == step[a][s2][o]);
      }
  }
  assert_int_equal(glimpse_model_measure(model).rewards, 7);
  glimpse_model_free(model);
}

/* Rewards of steps that cannot happen leave no trace; -0 is 0. */
static void test_impossible_and_zero(void **state) {
  (void)state;
  glimpse_builder *builder = glimpse_builder_new(2, 1, 2);
  glimpse_builder_transition(builder, 0, any, 0, 1);
  glimpse_builder_observation(builder, 0, any, 1, 1);
  glimpse_builder_reward(builder, 0, 0, 1, any, 5);
  glimpse_builder_reward(builder, 0, 0, 0, 0, 6);
  glimpse_builder_reward(builder, 0, 1, any, any, 9);
  glimpse_builder_reward(builder, 0, 1, 0, 1, -0.0);
  glimpse_model *model = finish(builder);
  assert_int_equal(glimpse_model_measure(model).rewards, 0);
  for (uint32_t s = 0; s < 2; s++) {
    double reward = glimpse_model_reward(model, 0, s);
    assert_true(reward == 0 && !signbit(reward));
  }
  glimpse_model_free(model);
}

/* The finite extremes; their expectation stays finite. */
static void test_extremes(void **state) {
  (void)state;
  static const double huge = 0x1.fffffffffffffp1023;
  glimpse_builder *builder = glimpse_builder_new(3, 2, 1);
  for (uint32_t s2 = 0; s2 < 3; s2++) glimpse_builder_transition(builder, any, any, s2, 1.0 / 3);
  glimpse_builder_observation(builder, any, any, 0, 1);
  glimpse_builder_reward(builder, 0, any, any, any, huge);
  glimpse_builder_reward(builder, 1, any, any, any, -huge);
  glimpse_builder_reward(builder, 1, any, 0, any, huge);
  glimpse_model *model = finish(builder);
  assert_true(glimpse_model_reward(model, 0, 0) == huge);
  assert_true(fabs(glimpse_model_reward(model, 1, 0) / huge + 1.0 / 3) < 1e-15);
  glimpse_model_free(model);
}

static glimpse_status job_rules(void *context) {
  const glimpse_model *model = context;
  glimpse_model copy = *model;
  copy.reward = NULL;
  copy.steps = (gli_steps){0};
  gli_rules rules = {0};
  glimpse_status status = GLIMPSE_OK;
  for (uint32_t i = 0; i < 100 && !status; i++)
    status = gli_rules_add(&rules, i % 4 ? i % 3 : any, i % 3, i % 5 ? i % 4 : any, i % 7 ? i % 3 : any, i + 1);
  if (!status) status = gli_rules_resolve(&rules, &copy);
  gli_rules_free(&rules);
  gli_memory_free(copy.reward);
  gli_steps_free(&copy.steps);
  return status;
}

static void test_no_memory(void **state) {
  (void)state;
  glimpse_builder *builder = glimpse_builder_new(4, 3, 3);
  glimpse_builder_transition(builder, any, any, any, 0.25);
  glimpse_builder_observation(builder, any, any, any, 1.0 / 3);
  glimpse_model *model = finish(builder);
  assert_true(failing_malloc_sweep(job_rules, model) > 15);
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_rules),        cmocka_unit_test(test_four_shapes),
      cmocka_unit_test(test_impossible_and_zero), cmocka_unit_test(test_extremes),
      cmocka_unit_test(test_no_memory),
  };
  return cmocka_run_group_tests_name("rules", tests, NULL, NULL);
}
