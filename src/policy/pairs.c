/* Pairs: a breadth-first walk over (node, state), and what follows from it for the edges of a policy.
 *
 * A pair whose state is terminal earns nothing more and leads nowhere. */
#include "policy/pairs.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/model.h"

void gli_pairs_free(gli_pairs *pairs) {
  void *all[] = {pairs->place, pairs->state, pairs->first, pairs->to, pairs->weight, pairs->followed, pairs->missing};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) gli_memory_free(all[i]);
  gli_map_free(&pairs->of);
  *pairs = (gli_pairs){0};
}

/* The number of a pair, new or not; GLI_MAP_NONE: no memory. */
static uint32_t pair_of(gli_pairs *pairs, uint32_t place, uint32_t state) {
  uint64_t key = (uint64_t)place << 32 | state;
  uint32_t pair = gli_map_find(&pairs->of, key);
  if (pair != GLI_MAP_NONE) return pair;
  if (pairs->count == GLI_MAP_NONE - 1 || !gli_map_add(&pairs->of, key, pairs->count)) return GLI_MAP_NONE;
  if (!GLI_GROW(pairs->place, pairs->place_capacity, (size_t)pairs->count + 1)) return GLI_MAP_NONE;
  if (!GLI_GROW(pairs->state, pairs->state_capacity, (size_t)pairs->count + 1)) return GLI_MAP_NONE;
  pairs->place[pairs->count] = place;
  pairs->state[pairs->count] = state;
  return pairs->count++;
}

static bool lead(gli_pairs *pairs, uint32_t place, uint32_t state, double weight) {
  uint32_t to = pair_of(pairs, place, state);
  if (to == GLI_MAP_NONE) return false;
  if (!GLI_GROW(pairs->to, pairs->to_capacity, pairs->entries + 1)) return false;
  if (!GLI_GROW(pairs->weight, pairs->weight_capacity, pairs->entries + 1)) return false;
  pairs->to[pairs->entries] = to;
  pairs->weight[pairs->entries++] = weight;
  return true;
}

/* What is seen at a node leads to a state with this weight. */
static bool see(gli_pairs *pairs, const glimpse_policy *policy, uint32_t node, uint32_t seen, uint32_t state,
                double weight) {
  uint64_t edge = gli_policy_edge(policy, node, seen);
  if (edge < policy->first[node + 1]) {
    pairs->followed[edge] = true;
    return lead(pairs, 2 * policy->to[edge], state, weight);
  }
  if (!GLI_GROW(pairs->missing, pairs->missing_capacity, pairs->missing_count + 2)) return false;
  pairs->missing[pairs->missing_count++] = node;
  pairs->missing[pairs->missing_count++] = seen;
  return true;
}

static bool follow(gli_pairs *pairs, const glimpse_policy *policy, const glimpse_model *model, uint32_t pair) {
  uint32_t node = gli_pairs_node(pairs, pair), s = pairs->state[pair], a = policy->choice[node];
  if (model->terminal[s] && !gli_pairs_after(pairs, pair)) return true; /* the episode is over, and nobody asks */
  if (a == GLIMPSE_ANY) return see(pairs, policy, node, s, s, 1);
  bool after = gli_pairs_after(pairs, pair);
  glimpse_row row = after ? glimpse_model_observation(model, a, s) : glimpse_model_transition(model, a, s);
  for (size_t i = 0; i < row.count; i++) {
    bool fine = after ? see(pairs, policy, node, row.index[i], s, row.value[i])
                      : lead(pairs, 2 * node + 1, row.index[i], model->discount * row.value[i]);
    if (!fine) return false;
  }
  return true;
}

bool gli_pairs_find(gli_pairs *pairs, const glimpse_policy *policy, const glimpse_model *model) {
  *pairs = (gli_pairs){0};
  pairs->followed = GLI_NEW(bool, (size_t)policy->first[policy->nodes]);
  bool fine = pairs->followed;
  for (uint32_t i = 0; i < policy->start_count && fine; i++)
    fine = pair_of(pairs, 0, policy->start_state[i]) != GLI_MAP_NONE;
  for (uint32_t pair = 0; fine && pair < pairs->count; pair++) {
    fine = GLI_GROW(pairs->first, pairs->first_capacity, (size_t)pair + 2);
    if (fine) pairs->first[pair] = pairs->entries;
    fine = fine && follow(pairs, policy, model, pair);
    if (fine) pairs->first[pair + 1] = pairs->entries;
  }
  if (!fine) gli_pairs_free(pairs);
  return fine;
}

/* ------------------------------------------------------------------- cover */

static int by_node_and_label(const void *a, const void *b) {
  const uint32_t *x = a, *y = b;
  if (x[0] != y[0]) return x[0] < y[0] ? -1 : 1;
  return (x[1] > y[1]) - (x[1] < y[1]);
}

/* Copies a node with the edges that are followed, and those that are missing, which begin at *next. */
static bool copy_node(gli_edge_list *list, const glimpse_policy *policy, const gli_pairs *pairs, uint32_t node,
                      size_t *next, uint32_t fallback) {
  if (!gli_edge_list_node(list, policy->choice[node])) return false;
  uint64_t edge = policy->first[node], end = policy->first[node + 1];
  for (;;) {
    while (edge < end && !pairs->followed[edge]) edge++;
    bool more = *next < pairs->missing_count && pairs->missing[*next] == node;
    if (!more && edge == end) return true;
    bool add = more && (edge == end || pairs->missing[*next + 1] < policy->seen[edge]);
    uint32_t seen = add ? pairs->missing[*next + 1] : policy->seen[edge];
    if (!gli_edge_list_edge(list, seen, add ? fallback : policy->to[edge])) return false;
    while (add && *next < pairs->missing_count && pairs->missing[*next] == node && pairs->missing[*next + 1] == seen)
      *next += 2;
    edge += !add;
  }
}

static bool copy_edges(glimpse_policy *policy, gli_pairs *pairs, uint32_t fallback) {
  gli_edge_list list = {0};
  size_t next = 0;
  if (pairs->missing_count)
    qsort(pairs->missing, pairs->missing_count / 2, 2 * sizeof *pairs->missing, by_node_and_label);
  for (uint32_t node = 0; node < policy->nodes; node++)
    if (!copy_node(&list, policy, pairs, node, &next, fallback)) {
      gli_edge_list_free(&list);
      return false;
    }
  gli_policy_take(policy, &list);
  return true;
}

bool gli_policy_cover(glimpse_policy *policy, const glimpse_model *model, uint32_t fallback) {
  for (;;) {
    gli_pairs pairs;
    if (!gli_pairs_find(&pairs, policy, model)) return false;
    bool missing = pairs.missing_count, copied = copy_edges(policy, &pairs, fallback);
    gli_pairs_free(&pairs);
    if (!copied || !missing) return copied;
  }
}

/* ------------------------------------------------------------------- depth */

bool gli_policy_find_depth(glimpse_policy *policy) {
  uint32_t *depth = GLI_NEW(uint32_t, policy->nodes), *queue = GLI_NEW(uint32_t, policy->nodes);
  size_t head = 0, tail = 0;
  bool fine = depth && queue;
  if (fine) queue[tail++] = 0;
  while (head < tail) {
    uint32_t node = queue[head++];
    glimpse_policy_edges edges = glimpse_policy_get(policy, node);
    policy->depth = depth[node];
    for (size_t i = 0; i < edges.count; i++) {
      uint32_t to = edges.to[i];
      if (!to || depth[to]) continue;
      depth[to] = depth[node] + 1;
      queue[tail++] = to;
    }
  }
  gli_memory_free(depth);
  gli_memory_free(queue);
  return fine;
}
