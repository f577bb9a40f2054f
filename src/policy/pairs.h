/* Pairs: of a node of a policy and a state of the world, those that can be met together from the start.
 *
 * There are two kinds: before the choice of the node, and after its action but before the observation, with the state
 * that was reached. */
#ifndef GLI_POLICY_PAIRS_H
#define GLI_POLICY_PAIRS_H

#include "base/map.h"
#include "policy/policy.h"

typedef struct gli_pairs {
  uint32_t count;
  uint32_t *place, *state; /* place: 2 * node, and 1 more after its action */
  size_t place_capacity, state_capacity;
  gli_map of; /* the pair of place << 32 | state */

  /* How one leads to others: entries first[i] .. first[i + 1].  Several may lead to the same. */
  uint64_t *first;
  uint32_t *to;
  double *weight; /* probability; of actions discounted */
  size_t entries, first_capacity, to_capacity, weight_capacity;

  bool *followed; /* per edge of the policy */
  /* What may be seen without an edge for it: node, and observation or state. */
  uint32_t *missing;
  size_t missing_count, missing_capacity;
} gli_pairs;

static inline uint32_t gli_pairs_node(const gli_pairs *pairs, uint32_t pair) {
  return pairs->place[pair] / 2;
}
static inline bool gli_pairs_after(const gli_pairs *pairs, uint32_t pair) {
  return pairs->place[pair] % 2;
}
/* All pairs, in the order in which they are met.  False: out of memory, or too many. */
bool gli_pairs_find(gli_pairs *pairs, const glimpse_policy *policy, const glimpse_model *model);
void gli_pairs_free(gli_pairs *pairs);

#endif
