/* Random models: small, of every kind the library has to deal with, by seed. */
#ifndef SUPPORT_RANDOM_MODEL_H
#define SUPPORT_RANDOM_MODEL_H

#include "base/random.h"
#include "glimpse.h"

typedef enum random_sight {
  RANDOM_SIGHT_NOISY,   /* any probabilities, some of them 0 */
  RANDOM_SIGHT_CERTAIN, /* one observation per state and action */
  RANDOM_SIGHT_CLASSES, /* noisy, but the same in many states */
  RANDOM_SIGHT_NOTHING, /* the same in all states */
  RANDOM_SIGHTS
} random_sight;

typedef enum random_reward {
  RANDOM_REWARD_ACTION, /* R(s,a) */
  RANDOM_REWARD_NEXT,   /* R(s,a,s') */
  RANDOM_REWARD_STEP,   /* R(s,a,s',o) */
  RANDOM_REWARDS
} random_reward;

typedef struct random_shape {
  uint32_t states, actions, observations;
  uint32_t terminals; /* how many of the states, at least one is not */
  uint32_t spread;    /* most states that can follow a state; 1: moves are certain */
  random_sight sight;
  random_reward reward;
  double low, high; /* of the rewards */
  double discount;
  double cost;        /* 0: no requests */
  bool cost_by_state; /* then between 0.5 and 1.5 times the cost */
} random_shape;

/* A shape with at most so many states, actions and observations. */
random_shape random_model_shape(uint64_t seed, uint32_t states, uint32_t actions, uint32_t observations);
/* The model of a shape; fails the test when there is no memory. */
glimpse_model *random_model_make(uint64_t seed, const random_shape *shape);

/* A random distribution over `count` states, in dense form; some entries are 0, and
 * sometimes it is a single state. */
void random_belief(gli_random *random, uint32_t count, double *dense);
/* Its sparse form; index and value have room for count entries. */
glimpse_row random_belief_row(const double *dense, uint32_t count, uint32_t *index, double *value);

#endif
