/* Belief: exact, sparse, sorted beliefs, and the workspace that updates them.
 *
 * The workspace is what a search keeps per thread: after its arrays have grown
 * once, updates allocate nothing.  Their cost is the number of non-zeros of T and
 * O that they read, whatever the number of states. */
#ifndef GLI_BELIEF_BELIEF_H
#define GLI_BELIEF_BELIEF_H

#include "glimpse.h"

/* A sparse vector that grows.  Zero it before the first use. */
typedef struct gli_sparse {
  size_t count;
  uint32_t *index;
  double *value;
  size_t index_capacity, value_capacity;
} gli_sparse;

void gli_sparse_free(gli_sparse *sparse);
/* Room for `need` entries; false when out of memory. */
bool gli_sparse_reserve(gli_sparse *sparse, size_t need);

static inline glimpse_row gli_sparse_row(const gli_sparse *sparse) {
  return (glimpse_row){sparse->count, sparse->index, sparse->value};
}

/* For asserts: states ascend and exist, no probability is negative, and they sum to 1, within rounding. */
static inline bool gli_belief_sound(glimpse_row belief, uint32_t states) {
  double sum = 0;
  for (size_t i = 0; i < belief.count; i++) {
    if (belief.index[i] >= states || (i && belief.index[i] <= belief.index[i - 1]) || !(belief.value[i] >= 0))
      return false;
    sum += belief.value[i];
  }
  return sum > 1 - 1e-9 && sum < 1 + 1e-9;
}

/* Are these the same states, with probabilities that differ by no more than this? */
static inline bool gli_belief_near(glimpse_row x, glimpse_row y, double most) {
  bool near = x.count == y.count;
  for (size_t i = 0; i < x.count && near; i++)
    near = x.index[i] == y.index[i] && x.value[i] - y.value[i] <= most && y.value[i] - x.value[i] <= most;
  return near;
}

/* All beliefs that can follow a belief and an action, one per observation of
 * positive probability, observations ascending.  Child i is
 * entries[first[i] .. first[i+1]), normalised.  Zero it before the first use. */
typedef struct gli_children {
  size_t count;
  uint32_t *observation; /* count */
  double *probability;   /* count; they sum to 1 within rounding */
  size_t *first;         /* count + 1 */
  gli_sparse entries;
  size_t observation_capacity, probability_capacity, first_capacity;
} gli_children;

void gli_children_free(gli_children *children);

static inline glimpse_row gli_children_row(const gli_children *children, size_t i) {
  size_t first = children->first[i];
  return (glimpse_row){children->first[i + 1] - first, children->entries.index + first,
                       children->entries.value + first};
}

/* Entropy of a belief in bits, the same on every machine. */
double gli_belief_entropy(glimpse_row belief);

/* Room for beliefs of so many states, so that a set needs no memory; false: out of memory. */
bool gli_belief_reserve(glimpse_belief *belief, size_t states);
/* Takes the last change back, once: update, reveal or set. */
void gli_belief_back(glimpse_belief *belief);

typedef struct gli_belief_work gli_belief_work;

/* Borrows the model; NULL: out of memory. */
gli_belief_work *gli_belief_work_new(const glimpse_model *model);
void gli_belief_work_free(gli_belief_work *work);

/* The belief after action a, before the observation; false: out of memory.  In
 * all three functions the row must not be part of the output. */
bool gli_belief_push(gli_belief_work *work, glimpse_row belief, uint32_t a, gli_sparse *out);
/* All children under action a; false: out of memory. */
bool gli_belief_children(gli_belief_work *work, glimpse_row belief, uint32_t a, gli_children *children);
/* One child, bit for bit the one that gli_belief_children gives.  Its probability
 * is 0, and `out` empty, exactly when o cannot follow; false: out of memory. */
bool gli_belief_child(gli_belief_work *work, glimpse_row belief, uint32_t a, uint32_t o, double *probability,
                      gli_sparse *out);

#endif
