/* Given: the nodes of a policy as vectors for a search, and its upper function.
 *
 * What a policy file claims is not believed: the values of nodes are computed from the model, and what the upper
 * function proves is found out (prove.c).  Nodes that act become vectors.  After what leads to a node that asks, or
 * nowhere, the vector asks: the search knows what each state is worth at least by these vectors. */
#include "policy/given.h"

#include <math.h>

#include "base/memory.h"
#include "model/model.h"

#define UNIT 0x1p-53

void gli_policy_given_free(gli_policy_given *given) {
  if (!given) return;
  gli_proof_free(given->proof);
  gli_memory_free(given->values);
  gli_memory_free(given->action);
  gli_memory_free(given->successors);
  gli_memory_free(given->rows);
  gli_memory_free(given);
}

/* Numbers the nodes that act, from the last to the first; returns how many. */
static uint32_t number(const glimpse_policy *policy, uint32_t *vector_of) {
  uint32_t count = 0;
  for (uint32_t n = policy->nodes; n-- > 0;) vector_of[n] = policy->choice[n] == GLIMPSE_ANY ? GLI_GIVEN_ASK : count++;
  return count;
}

static void fill(gli_policy_given *given, const glimpse_policy *policy, const uint32_t *vector_of, uint32_t lost) {
  for (uint32_t n = 0; n < policy->nodes; n++) {
    uint32_t k = vector_of[n];
    if (k == GLI_GIVEN_ASK) continue;
    glimpse_policy_edges edges = glimpse_policy_get(policy, n);
    uint32_t *to = given->successors + (size_t)k * policy->observations;
    given->action[k] = policy->choice[n];
    given->rows[k] = given->values + (size_t)n * policy->states;
    for (uint32_t o = 0; o < policy->observations; o++) to[o] = lost;
    for (size_t i = 0; i < edges.count; i++) to[edges.seen[i]] = vector_of[edges.to[i]];
  }
}

/* False: out of memory. */
static bool prove(gli_policy_given *given, const glimpse_policy *policy, const glimpse_model *model) {
  given->slack = given->upper = INFINITY;
  if (!policy->ceiling) return true;
  gli_proved proved;
  given->proof = gli_proof_new(policy->ceiling, model, gli_policy_start(policy), &proved);
  if (!given->proof) return false;
  given->slack = fmax(0, proved.excess) / (1 - model->discount) * (1 + 8 * UNIT);
  given->upper = proved.upper;
  return true;
}

gli_policy_given *gli_policy_given_new(const glimpse_policy *policy, const glimpse_model *model, uint64_t max_bytes) {
  uint64_t nodes = policy->nodes;
  uint64_t bytes =
      nodes * (3 * (uint64_t)policy->states * sizeof(double) + (policy->observations + 3) * sizeof(uint32_t));
  if (policy->ceiling) bytes += policy->ceiling->points * (policy->actions * sizeof(double) + 64);
  if (bytes > max_bytes) return NULL;
  gli_policy_given *given = GLI_NEW(gli_policy_given, 1);
  uint32_t *vector_of = GLI_NEW(uint32_t, policy->nodes), fallback = 0;
  bool fine = given && vector_of;
  if (fine) {
    uint32_t count = number(policy, vector_of);
    given->values = GLI_NEW(double, (size_t)policy->nodes * policy->states);
    given->action = GLI_NEW(uint32_t, count);
    given->successors = GLI_NEW(uint32_t, (size_t)count * policy->observations);
    given->rows = GLI_NEW(const double *, count);
    fine = given->values && given->action && given->successors && given->rows &&
           !gli_policy_values(policy, model, NULL, given->values, &fallback) && prove(given, policy, model);
    if (fine) fill(given, policy, vector_of, model->requests ? GLI_GIVEN_ASK : vector_of[fallback]);
    given->vectors = (gli_given){count, given->action, given->successors, given->rows};
  }
  gli_memory_free(vector_of);
  if (fine) return given;
  gli_policy_given_free(given);
  return NULL;
}

double gli_policy_given_promise(const gli_policy_given *given, const glimpse_policy *policy, uint32_t choice,
                                glimpse_row belief) {
  double best = -INFINITY;
  for (uint32_t n = 0; n < policy->nodes; n++) {
    if (policy->choice[n] != choice) continue;
    const double *values = given->values + (size_t)n * policy->states;
    double sum = 0, size = 0;
    for (size_t i = 0; i < belief.count; i++) {
      sum += belief.value[i] * values[belief.index[i]];
      size += belief.value[i] * fabs(values[belief.index[i]]);
    }
    best = fmax(best, sum - 2 * ((double)belief.count + 4) * UNIT * size);
  }
  return best;
}
