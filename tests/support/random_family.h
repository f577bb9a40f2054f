/* Random families: models of a named kind by the thousand, each by its seed. */
#ifndef SUPPORT_RANDOM_FAMILY_H
#define SUPPORT_RANDOM_FAMILY_H

#include "glimpse.h"

/* name, text */
#define RANDOM_FAMILY_TABLE(X)                                                                                         \
  X(SPARSE, "sparse", "one to three states can follow a state")                                                        \
  X(DENSE, "dense", "every state can follow, every observation be made")                                               \
  X(DETERMINISTIC, "deterministic", "moves and observations are certain")                                              \
  X(NEAR_SINGULAR, "near-singular", "rows that are nearly equal, or nearly those of the identity")                     \
  X(DISCOUNT_0, "discount-0", "discounts from 0 to 0.01")                                                              \
  X(DISCOUNT_1, "discount-1", "discounts from 0.99 to 1 - 1e-12")                                                      \
  X(COSTS, "costs", "costs from 1e-9 to 1e9, the same or another in each state")                                       \
  X(REWARDS, "rewards", "rewards from 1e-12 to 1e12, of one size or of all sizes at once")                             \
  X(BOTH, "costs-and-rewards", "costs and rewards of all sizes at once")                                               \
  X(UNREACHABLE, "unreachable", "states that are never reached, where anything may be paid")                           \
  X(ONE_STATE, "one-state", "a single state")                                                                          \
  X(ONE_ACTION, "one-action", "a single action")                                                                       \
  X(OBSERVATIONS, "observations", "one to four thousand observations")                                                 \
  X(LARGE, "large", "dense, with up to 121 states, so that sums are long")                                             \
  X(RARE, "rare", "probabilities down to 1e-310")                                                                      \
  X(FREE, "free", "asking is free in some states")                                                                     \
  X(HIDDEN, "hidden", "it may be over at any time, and nobody sees it")

typedef enum random_family {
#define X(name, key, text) RANDOM_FAMILY_##name,
  RANDOM_FAMILY_TABLE(X)
#undef X
      RANDOM_FAMILIES
} random_family;

const char *random_family_key(random_family family);

/* How a model goes on: every plan ends after `horizon` steps; every observation tells the
 * state; or neither, and `horizon` steps can be looked ahead. */
typedef enum random_course { RANDOM_ENDS, RANDOM_CLEAR, RANDOM_OPEN, RANDOM_COURSES } random_course;

typedef struct random_member {
  glimpse_model *model;
  random_course course;
  unsigned horizon;
} random_member;

/* Fails the test when the library refuses the model. */
random_member random_family_make(random_family family, uint64_t seed);

#endif
