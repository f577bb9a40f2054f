/* Map of a policy: what its nodes are worth over beliefs, and which of them is best.  A node is worth a vector, a
 * number for each state; over two states that is a line, and the policy is worth their maximum. */
#include <math.h>
#include <stdlib.h>

#include "map.h"

static double product(const double *vector, glimpse_row belief) {
  double sum = 0;
  for (size_t i = 0; i < belief.count; i++) sum += belief.value[i] * vector[belief.index[i]];
  return sum;
}

bool map_policy_look(void *context, glimpse_row belief, struct map_cell *cell) {
  const struct map_policy *policy = context;
  double most = -INFINITY;
  for (uint32_t node = 0; node < policy->nodes; node++) {
    double worth = product(policy->values + (size_t)node * policy->states, belief);
    if (!(worth > most)) continue;
    most = worth;
    *cell = (struct map_cell){.lower = worth,
                              .upper = worth,
                              .choice = glimpse_policy_choice(policy->policy, node),
                              .node = node,
                              .certain = true};
  }
  return true;
}

glimpse_status map_policy_begin(struct map_policy *it, const glimpse_policy *policy, const glimpse_model *model,
                                glimpse_report *report) {
  glimpse_policy_info info = glimpse_policy_measure(policy);
  *it = (struct map_policy){.policy = policy, .nodes = info.nodes, .states = info.states};
  size_t count = it->states <= SIZE_MAX / it->nodes ? (size_t)it->nodes * it->states : 0;
  it->values = count ? calloc(count, sizeof *it->values) : NULL;
  if (!it->values) return GLIMPSE_NO_MEMORY;
  return glimpse_policy_values(policy, model, report, it->values);
}

void map_policy_free(struct map_policy *policy) {
  free(policy->values);
  policy->values = NULL;
}

size_t map_policy_met(const struct map *map, uint32_t *nodes, size_t most) {
  size_t count = 0;
  for (size_t i = 0; i < map->count; i++) {
    uint32_t node = map->items[i].cell.node;
    size_t k = 0;
    while (k < count && nodes[k] != node) k++;
    if (k < count) continue;
    if (count == most) return most + 1;
    for (k = count++; k > 0 && nodes[k - 1] > node; k--) nodes[k] = nodes[k - 1];
    nodes[k] = node;
  }
  return count;
}
