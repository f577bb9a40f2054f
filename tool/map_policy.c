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

/* In a model with inquiries a node may first go on through the layers of its planning model. */
uint32_t map_policy_choice(const struct map_policy *policy, uint32_t node) {
  const glimpse_model *planning = glimpse_model_planning(policy->model);
  uint32_t choice = glimpse_policy_choice(policy->policy, node), layer = 0;
  if (planning == policy->model) return choice;
  for (;;) {
    glimpse_move move = glimpse_planning_move(planning, layer, choice);
    if (move.action != GLIMPSE_ANY || move.inquiry != GLIMPSE_ANY) return glimpse_planning_choice(planning, move);
    uint32_t nothing = glimpse_planning_seen(planning, layer, choice, GLIMPSE_ANY, GLIMPSE_ANY);
    node = glimpse_policy_step(policy->policy, node, nothing);
    if (node == GLIMPSE_ANY) return 0; /* the plan says nothing; any action will do */
    layer = glimpse_planning_next(planning, layer, choice);
    choice = glimpse_policy_choice(policy->policy, node);
  }
}

bool map_policy_look(void *context, glimpse_row belief, struct map_cell *cell) {
  const struct map_policy *policy = context;
  double most = -INFINITY;
  for (uint32_t node = 0; node < policy->nodes; node++) {
    double worth = product(policy->values + (size_t)node * policy->states, belief);
    if (!(worth > most)) continue;
    most = worth;
    *cell = (struct map_cell){
        .lower = worth, .upper = worth, .choice = map_policy_choice(policy, node), .node = node, .certain = true};
  }
  return true;
}

glimpse_status map_policy_begin(struct map_policy *it, const glimpse_policy *policy, const glimpse_model *model,
                                glimpse_report *report) {
  glimpse_policy_info info = glimpse_policy_measure(policy);
  *it = (struct map_policy){.policy = policy, .model = model, .nodes = info.nodes, .states = info.states};
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
