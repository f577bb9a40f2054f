/* Successors: the beliefs tau(e_s,a,o), which are what a search meets one step after it knew the state.
 *
 * They are made by the same code as the children of a search, so that they have the same bits, and equal
 * ones are one: RobotDelivery-51 has 21,925 states, four actions and 49,115 beliefs with the corners.  Where the model
 * is so dense that they would not be few or small, making them is given up.
 *
 * Cost: one look at each (s', o) that can follow a state and an action, and a hash table. */
#include "bounds/successors.h"
#include "bounds/rows.h"

#include <string.h>

#include "base/memory.h"
#include "belief/belief.h"
#include "model/model.h"

enum { NONE = 0 };

typedef struct builder {
  const glimpse_model *model;
  gli_successors *out;
  gli_belief_work *work;
  gli_children children;
  uint32_t *slot; /* hash table of beliefs that are not certain, + 1 */
  uint64_t *hash; /* per such belief */
  size_t slots;   /* a power of two */
  size_t entries, states;
  size_t observation_capacity, belief_capacity, chance_capacity, start_capacity, state_capacity, weight_capacity,
      hash_capacity;
} builder;

/* Twice the slots. */
static bool rehash(builder *b) {
  size_t slots = b->slots ? 2 * b->slots : 64;
  uint32_t *slot = GLI_NEW(uint32_t, slots);
  if (!slot) return false;
  for (uint32_t i = 0; i < b->out->beliefs - b->out->states; i++) {
    size_t at = b->hash[i] & (slots - 1);
    while (slot[at] != NONE) at = (at + 1) & (slots - 1);
    slot[at] = i + 1;
  }
  gli_memory_free(b->slot);
  b->slot = slot;
  b->slots = slots;
  return true;
}

/* Adds a belief that is new. */
static bool append(builder *b, glimpse_row row, uint64_t hash) {
  gli_successors *out = b->out;
  size_t i = out->beliefs - out->states;
  if (!GLI_GROW(out->start, b->start_capacity, i + 2) || !GLI_GROW(b->hash, b->hash_capacity, i + 1) ||
      !GLI_GROW(out->state, b->state_capacity, b->states + row.count) ||
      !GLI_GROW(out->weight, b->weight_capacity, b->states + row.count))
    return false;
  memcpy(out->state + b->states, row.index, row.count * sizeof *row.index);
  memcpy(out->weight + b->states, row.value, row.count * sizeof *row.value);
  out->start[i] = b->states;
  b->states += row.count;
  out->start[i + 1] = b->states;
  b->hash[i] = hash;
  out->beliefs++;
  if (row.count > out->longest) out->longest = row.count;
  return true;
}

/* The number of a belief. */
static bool find(builder *b, glimpse_row row, uint32_t *belief) {
  static const uint32_t none = 0; /* room for a certain one, which is not met here */
  static const double one = 1;
  *belief = row.index[0];
  if (row.count == 1) return true;
  uint32_t states = b->out->states, unsure = b->out->beliefs - states;
  if (2 * (size_t)unsure >= b->slots && !rehash(b)) return false;
  uint64_t hash = gli_row_hash(row);
  size_t at = hash & (b->slots - 1);
  for (; b->slot[at] != NONE; at = (at + 1) & (b->slots - 1)) {
    *belief = states + b->slot[at] - 1;
    if (b->hash[b->slot[at] - 1] == hash && gli_row_same(row, gli_successors_belief(b->out, *belief, &none, &one)))
      return true;
  }
  b->slot[at] = unsure + 1;
  *belief = b->out->beliefs;
  return append(b, row, hash);
}

static bool add_row(builder *b, uint32_t a, uint32_t s) {
  gli_successors *out = b->out;
  double one = 1;
  if (!gli_belief_children(b->work, (glimpse_row){1, &s, &one}, a, &b->children)) return false;
  size_t count = b->children.count, end = b->entries + count;
  if (!GLI_GROW(out->observation, b->observation_capacity, end) || !GLI_GROW(out->belief, b->belief_capacity, end) ||
      !GLI_GROW(out->chance, b->chance_capacity, end))
    return false;
  for (size_t i = 0; i < count; i++, b->entries++) {
    out->observation[b->entries] = b->children.observation[i];
    out->chance[b->entries] = b->children.probability[i];
    if (!find(b, gli_children_row(&b->children, i), &out->belief[b->entries])) return false;
  }
  out->first[gli_model_row(b->model, a, s) + 1] = (uint32_t)b->entries;
  return true;
}

/* Entries that the successors of a row have together, before they are made. */
static double row_work(const glimpse_model *model, uint32_t a, uint32_t s) {
  glimpse_row next = gli_table_row(&model->transition, gli_model_row(model, a, s));
  double work = 0;
  for (size_t i = 0; i < next.count; i++) {
    uint64_t r = gli_model_row(model, a, next.index[i]);
    work += (double)(model->observe.row[r + 1] - model->observe.row[r]);
  }
  return work;
}

/* What a sweep will meet. */
static void measure(gli_successors *out, uint32_t actions) {
  for (uint32_t i = 0; i < out->beliefs; i++) {
    double one = 1;
    glimpse_row belief = gli_successors_belief(out, i, &i, &one);
    for (uint32_t a = 0; a < actions; a++) {
      uint64_t shown = 0;
      for (size_t k = 0; k < belief.count; k++) {
        uint64_t r = (uint64_t)a * out->states + belief.index[k];
        shown += out->first[r + 1] - out->first[r];
      }
      out->work += (double)shown;
      if (shown > out->shown) out->shown = shown;
    }
  }
}

static gli_successors_end build(builder *b, double most, double work) {
  const glimpse_model *model = b->model;
  gli_successors *out = b->out;
  uint64_t rows = (uint64_t)model->actions * model->states;
  double seen = 0;
  if (!((double)model->states <= most) || !((double)rows <= work)) return GLI_SUCCESSORS_LARGE;
  out->states = out->beliefs = model->states;
  out->longest = 1;
  out->first = GLI_NEW(uint32_t, (size_t)rows + 1);
  b->work = gli_belief_work_new(model);
  if (!out->first || !b->work) return GLI_SUCCESSORS_NO_MEMORY;
  for (uint32_t a = 0; a < model->actions; a++)
    for (uint32_t s = 0; s < model->states; s++) {
      seen += row_work(model, a, s);
      if (!(seen <= work) || !((double)out->beliefs <= most)) return GLI_SUCCESSORS_LARGE;
      if (!add_row(b, a, s)) return GLI_SUCCESSORS_NO_MEMORY;
    }
  if (!((double)out->beliefs <= most)) return GLI_SUCCESSORS_LARGE;
  measure(out, model->actions);
  return GLI_SUCCESSORS_MADE;
}

gli_successors_end gli_successors_start(gli_successors *made, const glimpse_model *model, double most, double work) {
  *made = (gli_successors){0};
  builder b = {.model = model, .out = made};
  const double entries = UINT32_MAX - 1.0; /* they are counted in 32 bits */
  gli_successors_end end = build(&b, most < entries ? most : entries, work < entries ? work : entries);
  gli_belief_work_free(b.work);
  gli_children_free(&b.children);
  gli_memory_free(b.slot);
  gli_memory_free(b.hash);
  return end;
}

void gli_successors_forget(gli_successors *made) {
  gli_memory_free(made->start);
  gli_memory_free(made->state);
  gli_memory_free(made->weight);
  made->start = NULL;
  made->state = NULL;
  made->weight = NULL;
}

void gli_successors_free(gli_successors *made) {
  gli_memory_free(made->first);
  gli_memory_free(made->observation);
  gli_memory_free(made->belief);
  gli_memory_free(made->chance);
  gli_successors_forget(made);
  *made = (gli_successors){0};
}
