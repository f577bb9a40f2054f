/* Random models: see random_model.h.  A seed stands for one model for ever, as long
 * as nobody reorders the calls below. */
#include "support/random_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static uint32_t between(gli_random *random, uint32_t low, uint32_t high) {
  return low + gli_random_below(random, high - low + 1);
}

random_shape random_model_shape(uint64_t seed, uint32_t states, uint32_t actions, uint32_t observations) {
  static const double discounts[] = {0, 0.3, 0.5, 0.7, 0.9, 0.95};
  static const double costs[] = {0, 1e-6, 0.05, 0.3, 1, 4, 1e6};
  gli_random random = gli_random_stream(seed, "shape", 0);
  random_shape shape = {
      .states = between(&random, 1, states),
      .actions = between(&random, 1, actions),
      .observations = between(&random, 1, observations),
  };
  shape.terminals = gli_random_below(&random, 2) ? gli_random_below(&random, shape.states) : 0;
  shape.spread = between(&random, 1, shape.states);
  shape.sight = (random_sight)gli_random_below(&random, RANDOM_SIGHTS);
  shape.reward = (random_reward)gli_random_below(&random, RANDOM_REWARDS);
  shape.low = gli_random_below(&random, 2) ? -3 : 0;
  shape.high = gli_random_below(&random, 3) ? 2 : shape.low < 0 ? 0 : 1;
  shape.discount = discounts[gli_random_below(&random, sizeof discounts / sizeof *discounts)];
  shape.cost = costs[gli_random_below(&random, sizeof costs / sizeof *costs)];
  shape.cost_by_state = gli_random_below(&random, 3) == 0;
  return shape;
}

/* A distribution over `count` places of which at most `most` are used. */
static void fill(gli_random *random, uint32_t count, uint32_t most, double *dense) {
  double sum = 0;
  for (uint32_t i = 0; i < count; i++) dense[i] = 0;
  for (uint32_t i = 0; i < most; i++) dense[gli_random_below(random, count)] += 0.05 + gli_random_unit(random);
  for (uint32_t i = 0; i < count; i++) sum += dense[i];
  for (uint32_t i = 0; i < count; i++) dense[i] /= sum;
}

static void add_moves(glimpse_builder *builder, gli_random *random, const random_shape *shape) {
  double *row = calloc(shape->states, sizeof *row);
  assert_non_null(row);
  for (uint32_t a = 0; a < shape->actions; a++)
    for (uint32_t s = 0; s < shape->states; s++) {
      bool ends = s >= shape->states - shape->terminals;
      fill(random, shape->states, shape->spread, row);
      for (uint32_t s2 = 0; s2 < shape->states; s2++) {
        double p = ends ? s == s2 : row[s2];
        if (p > 0) glimpse_builder_transition(builder, a, s, s2, p);
      }
    }
  free(row);
}

static void add_sight(glimpse_builder *builder, gli_random *random, const random_shape *shape) {
  double *row = calloc(shape->observations, sizeof *row);
  double *other = calloc(shape->observations, sizeof *other);
  assert_non_null(row);
  assert_non_null(other);
  uint32_t most = shape->sight == RANDOM_SIGHT_CERTAIN ? 1 : shape->observations;
  for (uint32_t a = 0; a < shape->actions; a++) {
    fill(random, shape->observations, most, row);
    fill(random, shape->observations, most, other);
    for (uint32_t s = 0; s < shape->states; s++) {
      if (shape->sight == RANDOM_SIGHT_NOISY || shape->sight == RANDOM_SIGHT_CERTAIN)
        fill(random, shape->observations, most, row);
      const double *use = shape->sight == RANDOM_SIGHT_CLASSES && gli_random_below(random, 2) ? other : row;
      for (uint32_t o = 0; o < shape->observations; o++)
        if (use[o] > 0) glimpse_builder_observation(builder, a, s, o, use[o]);
    }
  }
  free(row);
  free(other);
}

static void add_rewards(glimpse_builder *builder, gli_random *random, const random_shape *shape) {
  uint32_t nexts = shape->reward == RANDOM_REWARD_ACTION ? 1 : shape->states;
  uint32_t shows = shape->reward == RANDOM_REWARD_STEP ? shape->observations : 1;
  for (uint32_t a = 0; a < shape->actions; a++)
    for (uint32_t s = 0; s < shape->states - shape->terminals; s++)
      for (uint32_t s2 = 0; s2 < nexts; s2++)
        for (uint32_t o = 0; o < shows; o++)
          glimpse_builder_reward(builder, a, s, nexts > 1 ? s2 : GLIMPSE_ANY, shows > 1 ? o : GLIMPSE_ANY,
                                 shape->low + (shape->high - shape->low) * gli_random_unit(random));
}

glimpse_model *random_model_make(uint64_t seed, const random_shape *shape) {
  gli_random random = gli_random_stream(seed, "model", 0);
  glimpse_builder *builder = glimpse_builder_new(shape->states, shape->actions, shape->observations);
  assert_non_null(builder);
  glimpse_builder_discount(builder, shape->discount);
  for (uint32_t s = 0; s < shape->states; s++) {
    double factor = shape->cost_by_state ? 0.5 + gli_random_unit(&random) : 1;
    glimpse_builder_cost(builder, s, shape->cost * factor);
  }
  add_moves(builder, &random, shape);
  add_sight(builder, &random, shape);
  add_rewards(builder, &random, shape);
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_builder_finish(builder, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(builder);
  return model;
}

void random_belief(gli_random *random, uint32_t count, double *dense) {
  fill(random, count, gli_random_below(random, 4) ? 2 * count : 1, dense);
}

glimpse_row random_belief_row(const double *dense, uint32_t count, uint32_t *index, double *value) {
  glimpse_row row = {0, index, value};
  for (uint32_t s = 0; s < count; s++) {
    if (dense[s] <= 0) continue;
    index[row.count] = s;
    value[row.count++] = dense[s];
  }
  return row;
}
