/* Minimise: equal nodes become one.
 *
 * Two nodes are equal when they make the same choice, and what is seen leads from both to equal nodes.  Classes of
 * nodes that may be equal are split until nothing changes: at first by choice, then by the classes that edges lead to.
 * At most one round per class and usually few; each takes time in proportion to the edges. */
#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "policy/policy.h"

typedef struct classes {
  const glimpse_policy *policy;
  uint32_t *of, *next; /* class of each node, and in the making */
  uint32_t *slot;      /* open hash table: node + 1 that stands for a class; 0: empty */
  size_t slots;
} classes;

/* Do edges of two nodes lead to the same classes? */
static bool same(const classes *c, uint32_t x, uint32_t y) {
  if (c->of[x] != c->of[y]) return false;
  glimpse_policy_edges a = glimpse_policy_get(c->policy, x), b = glimpse_policy_get(c->policy, y);
  if (a.count != b.count) return false;
  for (size_t i = 0; i < a.count; i++)
    if (a.seen[i] != b.seen[i] || c->of[a.to[i]] != c->of[b.to[i]]) return false;
  return true;
}

static uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 29;
}

static uint64_t hash_of(const classes *c, uint32_t node) {
  glimpse_policy_edges edges = glimpse_policy_get(c->policy, node);
  uint64_t hash = mix(1, c->of[node]);
  for (size_t i = 0; i < edges.count; i++) hash = mix(mix(hash, edges.seen[i]), c->of[edges.to[i]]);
  return hash;
}

/* Splits the classes once; returns how many there are. */
static uint32_t split(classes *c) {
  uint32_t count = 0;
  memset(c->slot, 0, c->slots * sizeof *c->slot);
  for (uint32_t node = 0; node < c->policy->nodes; node++) {
    size_t at = (size_t)hash_of(c, node) & (c->slots - 1);
    while (c->slot[at] && !same(c, c->slot[at] - 1, node)) at = (at + 1) & (c->slots - 1);
    if (c->slot[at]) {
      c->next[node] = c->next[c->slot[at] - 1];
    } else {
      c->slot[at] = node + 1;
      c->next[node] = count++;
    }
  }
  uint32_t *swap = c->of;
  c->of = c->next;
  c->next = swap;
  return count;
}

/* Makes the list of one node per class, in the order in which they are met.  `queue` has room for all classes. */
static bool copy(const classes *c, uint32_t count, uint32_t *queue, gli_edge_list *list) {
  uint32_t *number = c->next; /* of a class: its new number + 1; not needed any more for what it was */
  size_t head = 0, tail = 0;
  memset(number, 0, count * sizeof *number);
  queue[tail++] = 0;
  number[c->of[0]] = 1;
  while (head < tail) {
    uint32_t node = queue[head++];
    glimpse_policy_edges edges = glimpse_policy_get(c->policy, node);
    if (!gli_edge_list_node(list, c->policy->choice[node])) return false;
    for (size_t i = 0; i < edges.count; i++) {
      uint32_t class = c->of[edges.to[i]];
      if (!number[class]) {
        queue[tail++] = edges.to[i];
        number[class] = (uint32_t)tail;
      }
      if (!gli_edge_list_edge(list, edges.seen[i], number[class] - 1)) return false;
    }
  }
  return true;
}

bool gli_policy_minimise(glimpse_policy *policy) {
  classes c = {.policy = policy, .slots = 16};
  gli_edge_list list = {0};
  while (c.slots < 2 * (size_t)policy->nodes) c.slots *= 2;
  c.of = GLI_NEW(uint32_t, policy->nodes);
  c.next = GLI_NEW(uint32_t, policy->nodes);
  c.slot = GLI_NEW(uint32_t, c.slots);
  uint32_t *queue = GLI_NEW(uint32_t, policy->nodes);
  bool fine = c.of && c.next && c.slot && queue;
  if (fine) {
    uint32_t before = 0, count = 1;
    for (uint32_t node = 0; node < policy->nodes; node++)
      c.of[node] = policy->choice[node] == GLIMPSE_ANY ? policy->actions : policy->choice[node];
    while ((count = split(&c)) != before) before = count;
    fine = copy(&c, count, queue, &list);
  }
  if (fine) gli_policy_take(policy, &list);
  gli_edge_list_free(&list);
  gli_memory_free(c.of);
  gli_memory_free(c.next);
  gli_memory_free(c.slot);
  gli_memory_free(queue);
  fine = fine && gli_policy_find_depth(policy);
  assert(!fine || gli_policy_whole(policy)); /* P1 to P4 */
  return fine;
}
