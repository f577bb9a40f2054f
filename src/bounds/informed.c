/* Informed: prepares the sums of the fast informed bounds,
 *
 *   sum_o max_k sum_s' T(s'|s,a) O(o|a,s') alpha_k(s').
 *
 * Done as written this costs one multiplication for each (s', o, k).  States with
 * the same row of O ("same class") can be added up first,
 *
 *   beta_j,k = sum_{s' in class j} T(s'|s,a) alpha_k(s'),
 *
 * and a class that shares no observation with another class of the row then gives
 * max_k beta_j,k whatever the observations are, since they sum to 1.  So with
 * observations that are certain, that tell nothing or that tell the state, O is not
 * needed at all, and a state alone in its class is worth max_k alpha_k(s').  Only
 * classes that are really confused ("mixed") go through their observations.
 *
 * Nothing is stored per (s', o): the memory is that of T once more. */
#include "bounds/informed.h"
#include "bounds/rows.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "model/model.h"

enum { NONE = 0 };

typedef struct builder {
  const glimpse_model *model;
  gli_informed *out;
  uint32_t *twin;   /* per row of O: the first state with the same row for this action */
  uint32_t *slot;   /* hash table of states + 1 */
  size_t slots;     /* a power of two */
  uint64_t *met;    /* per class: row + 1 that met it last */
  uint32_t *place;  /* per class: its group in that row */
  uint64_t *seen;   /* per observation: row + 1 that saw it last */
  uint32_t *owner;  /* per observation: the group that showed it first */
  uint32_t *leader; /* per group of the row at hand: its class */
  uint32_t *count;  /* per group: states */
  bool *mixed;      /* per group */
  uint64_t *start;  /* per group: its place among the entries */
  size_t leader_capacity, count_capacity, mixed_capacity, start_capacity;
  uint64_t entries, groups; /* written so far */
  size_t length_capacity, price_capacity;
} builder;

/* ------------------------------------------------------------------ classes */

/* The classes of the states under action a. */
static void find_classes(builder *b, uint32_t a) {
  const glimpse_model *model = b->model;
  memset(b->slot, 0, b->slots * sizeof *b->slot);
  for (uint32_t s = 0; s < model->states; s++) {
    glimpse_row row = gli_table_row(&model->observe, gli_model_row(model, a, s));
    size_t at = gli_row_hash(row) & (b->slots - 1);
    while (b->slot[at] != NONE &&
           !gli_row_same(row, gli_table_row(&model->observe, gli_model_row(model, a, b->slot[at] - 1))))
      at = (at + 1) & (b->slots - 1);
    if (b->slot[at] == NONE) b->slot[at] = s + 1;
    b->twin[gli_model_row(model, a, s)] = b->slot[at] - 1;
    gli_sum sum = {0, 0};
    if (b->slot[at] != s + 1) continue;
    for (size_t i = 0; i < row.count; i++) gli_sum_add(&sum, row.value[i]);
    b->out->deviation = fmax(b->out->deviation, fabs(gli_sum_value(sum) - 1));
  }
}

/* --------------------------------------------------------------------- rows */

static bool reserve_groups(builder *b, size_t need) {
  return GLI_GROW(b->leader, b->leader_capacity, need) && GLI_GROW(b->count, b->count_capacity, need) &&
         GLI_GROW(b->mixed, b->mixed_capacity, need) && GLI_GROW(b->start, b->start_capacity, need);
}

/* Sorts the states of row r into groups, in the order in which they are met.
 * Returns how many. */
static uint32_t form_groups(builder *b, uint64_t r, const uint32_t *twins, glimpse_row next) {
  uint32_t groups = 0;
  for (size_t i = 0; i < next.count; i++) {
    uint32_t twin = twins[next.index[i]];
    if (b->met[twin] != r + 1) {
      b->met[twin] = r + 1;
      b->place[twin] = groups;
      b->leader[groups] = twin;
      b->mixed[groups] = false;
      b->count[groups++] = 0;
    }
    b->count[b->place[twin]]++;
  }
  return groups;
}

/* Marks the groups that share an observation.  Returns how many observations the
 * groups show. */
static uint64_t find_mixed(builder *b, uint64_t r, uint32_t a, uint32_t groups) {
  uint64_t shown = 0;
  for (uint32_t g = 0; g < groups; g++) {
    glimpse_row row = gli_table_row(&b->model->observe, gli_model_row(b->model, a, b->leader[g]));
    for (size_t i = 0; i < row.count; i++) {
      uint32_t o = row.index[i];
      if (b->seen[o] != r + 1) {
        b->seen[o] = r + 1;
        b->owner[o] = g;
        shown++;
      } else { /* by another group: an observation is once in a row */
        b->mixed[g] = b->mixed[b->owner[o]] = true;
      }
    }
  }
  return shown;
}

typedef enum sort { SINGLE, CLEAR, MIXED } sort;

static sort group_sort(const builder *b, uint32_t g) {
  return b->mixed[g] ? MIXED : b->count[g] > 1 ? CLEAR : SINGLE;
}

/* Lays the groups out, singles first; writes lengths.  False: out of memory. */
static bool place_groups(builder *b, gli_informed_row *row, uint32_t groups) {
  gli_informed *out = b->out;
  uint64_t entry = row->entry;
  row->group = b->groups;
  for (sort kind = SINGLE; kind <= MIXED; kind++)
    for (uint32_t g = 0; g < groups; g++) {
      if (group_sort(b, g) != kind) continue;
      b->start[g] = entry;
      entry += b->count[g];
      if (kind == SINGLE) row->single++;
      if (kind == CLEAR) row->clear++;
      if (kind == MIXED) row->mixed++;
      if (kind == SINGLE) continue;
      if (!GLI_GROW(out->length, b->length_capacity, b->groups + 1) ||
          !GLI_GROW(out->price, b->price_capacity, b->groups + 1))
        return false;
      out->length[b->groups++] = b->count[g];
    }
  return true;
}

static bool build_row(builder *b, uint32_t a, uint32_t s) {
  const glimpse_model *model = b->model;
  gli_informed *out = b->out;
  uint64_t r = gli_model_row(model, a, s);
  glimpse_row next = gli_table_row(&model->transition, r);
  const uint32_t *twins = b->twin + gli_model_row(model, a, 0);
  gli_informed_row *row = &out->row[(size_t)s * model->actions + a];
  *row = (gli_informed_row){.reward = model->reward[r], .entry = b->entries};
  if (!reserve_groups(b, next.count)) return false;
  uint32_t groups = form_groups(b, r, twins, next);
  uint64_t shown = groups > 1 ? find_mixed(b, r, a, groups) : 0;
  if (!place_groups(b, row, groups)) return false;
  for (size_t i = 0; i < next.count; i++) {
    uint64_t at = b->start[b->place[twins[next.index[i]]]]++;
    out->state[at] = next.index[i];
    out->weight[at] = next.value[i];
  }
  b->entries += next.count;
  if (row->mixed && shown > out->mixable) out->mixable = shown;
  uint64_t terms = 2 * next.count + (row->mixed ? shown : 0);
  if (terms > out->terms) out->terms = terms;
  uint64_t at = row->entry + row->single;
  for (uint64_t g = row->group; g < b->groups; g++) {
    out->price[g] = 0;
    for (uint32_t i = 0; i < out->length[g]; i++, at++)
      out->price[g] += out->weight[at] * gli_model_price(model, out->state[at]);
  }
  return true;
}

/* -------------------------------------------------------------------- whole */

static bool reserve(builder *b) {
  const glimpse_model *model = b->model;
  gli_informed *out = b->out;
  uint64_t rows = (uint64_t)model->actions * model->states;
  size_t entries = (size_t)model->transition.row[rows];
  b->slots = 16;
  while (b->slots < 2 * (size_t)model->states) b->slots *= 2;
  out->row = GLI_NEW(gli_informed_row, (size_t)rows);
  out->state = GLI_NEW(uint32_t, entries);
  out->weight = GLI_NEW(double, entries);
  b->twin = GLI_NEW(uint32_t, (size_t)rows);
  b->slot = GLI_NEW(uint32_t, b->slots);
  b->met = GLI_NEW(uint64_t, model->states);
  b->place = GLI_NEW(uint32_t, model->states);
  b->seen = GLI_NEW(uint64_t, model->observations);
  b->owner = GLI_NEW(uint32_t, model->observations);
  return out->row && out->state && out->weight && b->twin && b->slot && b->met && b->place && b->seen && b->owner;
}

static bool build(builder *b) {
  if (!reserve(b)) return false;
  for (uint32_t a = 0; a < b->model->actions; a++) find_classes(b, a);
  for (uint32_t s = 0; s < b->model->states; s++)
    for (uint32_t a = 0; a < b->model->actions; a++)
      if (!build_row(b, a, s)) return false;
  return true;
}

bool gli_informed_start(gli_informed *informed, const glimpse_model *model) {
  *informed = (gli_informed){0};
  builder b = {.model = model, .out = informed};
  bool done = build(&b);
  gli_memory_free(b.twin);
  gli_memory_free(b.slot);
  gli_memory_free(b.met);
  gli_memory_free(b.place);
  gli_memory_free(b.seen);
  gli_memory_free(b.owner);
  gli_memory_free(b.leader);
  gli_memory_free(b.count);
  gli_memory_free(b.mixed);
  gli_memory_free(b.start);
  if (!done) gli_informed_free(informed);
  return done;
}

void gli_informed_free(gli_informed *informed) {
  gli_memory_free(informed->row);
  gli_memory_free(informed->state);
  gli_memory_free(informed->weight);
  gli_memory_free(informed->length);
  gli_memory_free(informed->price);
  *informed = (gli_informed){0};
}
