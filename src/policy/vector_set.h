/* Vector set: vectors over the states of a model, each with an action, as other solvers write them. */
#ifndef GLI_POLICY_VECTOR_SET_H
#define GLI_POLICY_VECTOR_SET_H

#include "policy/words.h"

typedef struct gli_vector_set {
  uint32_t states, actions; /* of the model */
  size_t count;
  uint32_t *action;
  double *value; /* count x states */
  size_t action_capacity, value_capacity;
} gli_vector_set;

void gli_vector_set_free(gli_vector_set *set);
/* pomdp-solve: an action, and a number per state, again and again. */
bool gli_vector_set_alpha(gli_vector_set *set, gli_words *words);

#endif
