/* Equivalent policy: a policy with requests as one for the equivalent POMDP (src/transform/equivalent.c), in which each
 * step has a request phase and an action phase.
 *
 * A node that acts becomes two: in the request phase it does not ask (action 0) and sees "unasked", in the action phase
 * it acts.  A node that asks becomes one, in the request phase; what it is told leads to the action phase of a node.
 * Node 0 stays node 0. */
#include <math.h>

#include "base/memory.h"
#include "base/report.h"
#include "policy/policy.h"

/* The nodes of the request phase come first, with their numbers; act[n] is the one of the action phase. */
static bool convert(const glimpse_policy *policy, const uint32_t *act, gli_edge_list *list) {
  uint32_t unasked = policy->observations + policy->states;
  for (uint32_t n = 0; n < policy->nodes; n++) {
    bool asks = policy->choice[n] == GLIMPSE_ANY;
    glimpse_policy_edges edges = glimpse_policy_get(policy, n);
    if (!gli_edge_list_node(list, asks ? policy->actions : 0)) return false;
    if (!asks && !gli_edge_list_edge(list, unasked, act[n])) return false;
    for (size_t i = 0; i < edges.count && asks; i++)
      if (!gli_edge_list_edge(list, policy->observations + edges.seen[i], act[edges.to[i]])) return false;
  }
  for (uint32_t n = 0; n < policy->nodes; n++) {
    if (policy->choice[n] == GLIMPSE_ANY) continue;
    glimpse_policy_edges edges = glimpse_policy_get(policy, n);
    if (!gli_edge_list_node(list, policy->choice[n])) return false;
    for (size_t i = 0; i < edges.count; i++)
      if (!gli_edge_list_edge(list, edges.seen[i], edges.to[i])) return false;
  }
  return true;
}

static glimpse_policy *make(const glimpse_policy *policy, const glimpse_model *equivalent) {
  gli_edge_list list = {0};
  uint32_t *act = GLI_NEW(uint32_t, policy->nodes), next = policy->nodes;
  glimpse_policy *result = gli_policy_new(equivalent, policy->model, gli_policy_start(policy));
  bool fine = act && result;
  for (uint32_t n = 0; n < policy->nodes && fine; n++) act[n] = policy->choice[n] == GLIMPSE_ANY ? 0 : next++;
  fine = fine && next >= policy->nodes && convert(policy, act, &list);
  if (fine) gli_policy_take(result, &list);
  gli_edge_list_free(&list);
  gli_memory_free(act);
  if (fine && gli_policy_find_depth(result)) return result;
  glimpse_policy_free(result);
  return NULL;
}

glimpse_status glimpse_policy_equivalent(const glimpse_policy *policy, const glimpse_model *equivalent,
                                         glimpse_report *report, glimpse_policy **result) {
  *result = NULL;
  uint64_t states = policy->states, observations = policy->observations;
  if (glimpse_model_count(equivalent, GLIMPSE_STATE) != 2 * states ||
      glimpse_model_count(equivalent, GLIMPSE_ACTION) != policy->actions + UINT32_C(1) ||
      glimpse_model_count(equivalent, GLIMPSE_OBSERVATION) != observations + states + 1)
    return GLI_FAIL(report, GLIMPSE_BAD_MODEL, "this is not the equivalent POMDP of the policy's model");
  *result = make(policy, equivalent);
  if (!*result) return GLI_FAIL(report, GLIMPSE_NO_MEMORY, "out of memory");
  double g = glimpse_model_discount(equivalent), wide = 0x1p-50;
  (*result)->lower = policy->lower * g - wide * fabs(policy->lower);
  (*result)->upper = policy->upper * g + wide * fabs(policy->upper);
  (*result)->requests = policy->requests;
  return GLIMPSE_OK;
}
