/* Share: one origin for equal beliefs.
 *
 * A hash table holds every belief of the graph that is not certain of its state
 * (those are corners).  Its key is the support and the probabilities, rounded to
 * multiples of 2^-32; two beliefs are equal when their supports are and their
 * probabilities differ by at most 2^-46 in all.  Values are Lipschitz in the
 * belief with constant max|V|, so an alias errs by at most that much, which the
 * graph's slack covers.  Two equal beliefs on the two sides of a rounding edge
 * are not found: then they are two nodes, which costs work and nothing else.
 * A belief met for the second time becomes an origin, and both places aliases.
 * Where the quota leaves no room, beliefs are not remembered, and not shared. */
#include "graph/share.h"

#include <math.h>
#include <string.h>

typedef struct entry {
  uint64_t hash;
  uint32_t record;     /* while it is a child of one parent; GLI_NONE afterwards */
  uint32_t origin;     /* afterwards */
  size_t first, count; /* its belief, in the arrays below */
} entry;

struct gli_share {
  entry *entries;
  size_t count, capacity;
  uint32_t *slot; /* index + 1 */
  size_t slots;
  uint32_t *state;
  double *mass;
  size_t used, state_capacity, mass_capacity;
  gli_belief_work *work;
  gli_children children;
  uint64_t scratch; /* bytes of these */
};

struct gli_share *gli_share_new(void) {
  return GLI_NEW(struct gli_share, 1);
}

void gli_share_clear(struct gli_share *share) {
  gli_memory_free(share->entries);
  gli_memory_free(share->slot);
  gli_memory_free(share->state);
  gli_memory_free(share->mass);
  gli_children_free(&share->children);
  *share = (struct gli_share){.work = share->work};
}

void gli_share_free(struct gli_share *share) {
  if (!share) return;
  gli_share_clear(share);
  gli_belief_work_free(share->work);
  gli_memory_free(share);
}

/* Forgets the entries and keeps the room. */
static void empty(struct gli_share *share) {
  share->count = share->used = 0;
  if (share->slots) memset(share->slot, 0, share->slots * sizeof *share->slot);
}

static uint64_t hash(glimpse_row belief) {
  uint64_t h = belief.count;
  for (size_t i = 0; i < belief.count; i++) {
    h = (h ^ belief.index[i]) * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ (h >> 29) ^ (uint64_t)(belief.value[i] * 0x1p32 + 0.5)) * UINT64_C(0xbf58476d1ce4e5b9);
  }
  return h ^ (h >> 31);
}

static bool equal(const struct gli_share *share, const entry *known, glimpse_row belief) {
  if (known->count != belief.count) return false;
  double off = 0;
  for (size_t i = 0; i < belief.count; i++) {
    if (share->state[known->first + i] != belief.index[i]) return false;
    off += fabs(share->mass[known->first + i] - belief.value[i]);
  }
  return off <= 0x1p-46;
}

static size_t seek(const struct gli_share *share, uint64_t h, glimpse_row belief) {
  size_t mask = share->slots - 1, i = (size_t)h & mask;
  for (; share->slot[i]; i = (i + 1) & mask) {
    const entry *known = &share->entries[share->slot[i] - 1];
    if (known->hash == h && equal(share, known, belief)) break;
  }
  return i;
}

static bool widen(gli_graph *graph) {
  struct gli_share *share = graph->share;
  if (2 * (share->count + 1) <= share->slots) return true;
  size_t slots = share->slots ? 2 * share->slots : 1024;
  if (!gli_quota_take(&graph->quota, slots * sizeof *share->slot, gli_store_reserve(graph))) return false;
  uint32_t *slot = GLI_NEW(uint32_t, slots);
  if (!slot) {
    gli_quota_give(&graph->quota, slots * sizeof *share->slot);
    return false;
  }
  for (size_t i = 0; i < share->count; i++) {
    size_t at = (size_t)share->entries[i].hash & (slots - 1);
    while (slot[at]) at = (at + 1) & (slots - 1);
    slot[at] = (uint32_t)i + 1;
  }
  gli_memory_free(share->slot);
  gli_quota_give(&graph->quota, share->slots * sizeof *share->slot);
  share->slot = slot;
  share->slots = slots;
  return true;
}

static bool add(gli_graph *graph, size_t at, uint64_t h, uint32_t record, glimpse_row belief) {
  struct gli_share *share = graph->share;
  uint64_t reserve = gli_store_reserve(graph);
  if (!GLI_QUOTA_GROW(&graph->quota, reserve, share->entries, share->capacity, share->count + 1) ||
      !GLI_QUOTA_GROW(&graph->quota, reserve, share->state, share->state_capacity, share->used + belief.count) ||
      !GLI_QUOTA_GROW(&graph->quota, reserve, share->mass, share->mass_capacity, share->used + belief.count))
    return false;
  share->entries[share->count] =
      (entry){.hash = h, .record = record, .origin = GLI_NONE, .first = share->used, .count = belief.count};
  memcpy(share->state + share->used, belief.index, belief.count * sizeof *share->state);
  memcpy(share->mass + share->used, belief.value, belief.count * sizeof *share->mass);
  share->used += belief.count;
  share->slot[at] = (uint32_t)++share->count;
  return true;
}

/* One child: known, then an alias; new, then remembered. */
static bool meet(gli_graph *graph, uint32_t record, glimpse_row belief) {
  struct gli_share *share = graph->share;
  if (belief.count == 1) return true; /* a corner */
  if (!widen(graph)) return false;
  uint64_t h = hash(belief);
  size_t at = seek(share, h, belief);
  if (!share->slot[at]) return add(graph, at, h, record, belief);
  entry *known = &share->entries[share->slot[at] - 1];
  if (known->origin == GLI_NONE) {
    uint32_t origin = gli_graph_detach(graph, known->record, belief);
    if (origin == GLI_NONE) return false;
    uint32_t first = known->record;
    known->origin = origin;
    known->record = GLI_NONE;
    if (graph->records[first].parent != graph->records[record].parent) {
      gli_backup_score(graph, graph->records[first].parent); /* it no longer has this fringe below it */
      gli_backup_path(graph, gli_graph_node(graph, graph->records[first].parent)->record, false);
    }
  }
  gli_record *child = &graph->records[record];
  child->link = GLI_ALIAS | known->origin;
  child->score = 0;
  gli_graph_node(graph, child->parent)->aliased = true;
  return true;
}

void gli_share_root(gli_graph *graph, glimpse_row belief) {
  struct gli_share *share = graph->share;
  if (belief.count == 1 || !widen(graph)) return;
  uint64_t h = hash(belief);
  size_t at = seek(share, h, belief);
  if (!share->slot[at] && add(graph, at, h, GLI_NONE, belief)) share->entries[share->count - 1].origin = graph->root;
}

uint64_t gli_share_fixed(const gli_graph *graph) {
  uint64_t state = 2 * sizeof(double) + 3 * sizeof(uint32_t), observation = sizeof(size_t) + sizeof(uint32_t);
  return sizeof(struct gli_share) + graph->states * state + graph->model->observations * observation;
}

/* The children of an action, counted once they are there: how many they are is not known before. */
static bool make_children(gli_graph *graph, glimpse_row belief, uint32_t a) {
  struct gli_share *share = graph->share;
  gli_children *c = &share->children;
  if (!gli_belief_children(share->work, belief, a, c)) return false;
  uint64_t bytes = c->observation_capacity * sizeof *c->observation + c->probability_capacity * sizeof *c->probability +
                   c->first_capacity * sizeof *c->first + c->entries.index_capacity * sizeof *c->entries.index +
                   c->entries.value_capacity * sizeof *c->entries.value;
  bool fits = bytes <= share->scratch || gli_quota_take(&graph->quota, bytes - share->scratch, 0);
  if (fits) {
    share->scratch = bytes;
  } else {
    gli_children_free(c);
    gli_quota_give(&graph->quota, share->scratch);
    share->scratch = 0;
  }
  return fits;
}

/* The child that follows an observation; observations ascend. */
static size_t find(const gli_children *children, uint32_t o) {
  size_t low = 0, high = children->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (children->observation[middle] < o) low = middle + 1;
    else high = middle;
  }
  return low;
}

void gli_share_children(gli_graph *graph, uint32_t node) {
  struct gli_share *share = graph->share;
  if (!share->work && !(share->work = gli_belief_work_new(graph->model))) return;
  for (uint32_t a = 0; a < graph->actions; a++) {
    const gli_expanded *e = gli_graph_node(graph, node);
    if (!make_children(graph, gli_graph_belief(graph, e), a)) return;
    uint32_t end, first = gli_graph_children(graph, node, a, &end);
    for (uint32_t i = first; i < end; i++) {
      if (graph->records[i].link != GLI_NONE) continue; /* a corner, even if rounding sees a second state there */
      size_t child = find(&share->children, graph->records[i].label);
      if (child == share->children.count || share->children.observation[child] != graph->records[i].label)
        continue; /* too improbable to have a belief in floating point */
      if (!meet(graph, i, gli_children_row(&share->children, child))) return;
    }
  }
}

/* Marks the records that are children of a belief in use. */
static uint8_t *mark_records(gli_graph *graph) {
  if (!gli_quota_take(&graph->quota, graph->record_count, 0)) return NULL;
  uint8_t *used = GLI_NEW(uint8_t, graph->record_count);
  if (!used) gli_quota_give(&graph->quota, graph->record_count);
  for (uint32_t node = 0; used && node < graph->expanded_count; node++) {
    if (gli_graph_node(graph, node)->dead) continue;
    for (uint32_t c = 0; c <= graph->actions; c++) {
      uint32_t end, first = gli_graph_children(graph, node, c, &end);
      if (first < end) memset(used + first, 1, end - first);
    }
  }
  return used;
}

void gli_share_prune(gli_graph *graph) {
  struct gli_share *share = graph->share;
  uint8_t *used = mark_records(graph);
  size_t count = share->count, kept = 0;
  empty(share);
  if (!used) return; /* then what comes is not compared with what was */
  for (size_t i = 0; i < count; i++) {
    entry known = share->entries[i];
    if (known.record != GLI_NONE && !used[known.record]) continue;
    memmove(share->state + share->used, share->state + known.first, known.count * sizeof *share->state);
    memmove(share->mass + share->used, share->mass + known.first, known.count * sizeof *share->mass);
    known.first = share->used;
    share->used += known.count;
    share->entries[kept++] = known;
    size_t at = (size_t)known.hash & (share->slots - 1);
    while (share->slot[at]) at = (at + 1) & (share->slots - 1);
    share->slot[at] = (uint32_t)kept;
  }
  share->count = kept;
  gli_memory_free(used);
  gli_quota_give(&graph->quota, graph->record_count);
}
