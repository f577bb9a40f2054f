/* Belief: the exact update of a sparse belief,
 *
 *   tau(b,a,o)(s') = O(o|a,s') sum_s b(s) T(s'|s,a) / P(o|b,a).
 *
 * The masses of reached states are added up in an array over all states of which
 * only the reached places are ever looked at; gli_marks hands them out sorted.
 * States are taken in ascending order everywhere, so each sum has one order and
 * an update gives the same bits wherever it is done.
 *
 * Invariants of every belief made here: states ascending, probabilities positive
 * normal numbers, their sum 1 up to one rounding per entry.  Each update divides
 * by a compensated sum, so rounding does not build up over updates.  The support
 * is exact: a product too small for a double is held at the smallest normal number
 * rather than lost, so IMPOSSIBLE means that the model excludes the observation. */
#include "belief/belief.h"

#include <assert.h>
#include <float.h>

#include "base/memory.h"
#include "base/number.h"
#include "belief/marks.h"
#include "model/model.h"

struct gli_belief_work {
  const glimpse_model *model;
  gli_marks reached; /* states */
  gli_marks seen;    /* observations */
  double *mass;      /* one per state; of reached states only */
  size_t *place;     /* one per observation; of seen ones only */
  gli_sparse after;  /* the belief before the observation */
};

struct glimpse_belief {
  const glimpse_model *model;
  gli_belief_work *work;
  gli_sparse now, next; /* an update builds next and swaps */
};

/* ----------------------------------------------------------- sparse vectors */

void gli_sparse_free(gli_sparse *sparse) {
  gli_memory_free(sparse->index);
  gli_memory_free(sparse->value);
  *sparse = (gli_sparse){0};
}

bool gli_sparse_reserve(gli_sparse *sparse, size_t need) {
  return GLI_GROW(sparse->index, sparse->index_capacity, need) && GLI_GROW(sparse->value, sparse->value_capacity, need);
}

void gli_children_free(gli_children *children) {
  gli_memory_free(children->observation);
  gli_memory_free(children->probability);
  gli_memory_free(children->first);
  gli_sparse_free(&children->entries);
  *children = (gli_children){0};
}

/* Divides by the sum, which is returned. */
static double normalise(double *value, size_t count) {
  gli_sum sum = {0, 0};
  for (size_t i = 0; i < count; i++) gli_sum_add(&sum, value[i]);
  double total = gli_sum_value(sum);
  for (size_t i = 0; i < count; i++) value[i] /= total;
  return total;
}

/* A product of probabilities, never rounded to nothing. */
static inline double joint(double p, double q) {
  double product = p * q;
  return product < DBL_MIN ? DBL_MIN : product;
}

/* ---------------------------------------------------------------- workspace */

gli_belief_work *gli_belief_work_new(const glimpse_model *model) {
  gli_belief_work *work = GLI_NEW(gli_belief_work, 1);
  if (!work) return NULL;
  work->model = model;
  work->mass = GLI_NEW(double, model->states);
  work->place = GLI_NEW(size_t, model->observations);
  if (work->mass && work->place && gli_marks_start(&work->reached, model->states) &&
      gli_marks_start(&work->seen, model->observations))
    return work;
  gli_belief_work_free(work);
  return NULL;
}

void gli_belief_work_free(gli_belief_work *work) {
  if (!work) return;
  gli_marks_free(&work->reached);
  gli_marks_free(&work->seen);
  gli_memory_free(work->mass);
  gli_memory_free(work->place);
  gli_sparse_free(&work->after);
  gli_memory_free(work);
}

bool gli_belief_push(gli_belief_work *work, glimpse_row belief, uint32_t a, gli_sparse *out) {
  const glimpse_model *model = work->model;
  double *mass = work->mass;
  for (size_t i = 0; i < belief.count; i++) {
    glimpse_row next = gli_table_row(&model->transition, gli_model_row(model, a, belief.index[i]));
    double p = belief.value[i];
    for (size_t j = 0; j < next.count; j++) {
      uint32_t s2 = next.index[j];
      double q = joint(p, next.value[j]);
      mass[s2] = gli_marks_add(&work->reached, s2) ? q : mass[s2] + q;
    }
  }
  out->count = work->reached.count;
  if (!gli_sparse_reserve(out, out->count)) {
    out->count = 0;
    gli_marks_clear(&work->reached);
    return false;
  }
  gli_marks_drain(&work->reached, out->index);
  for (size_t i = 0; i < out->count; i++) out->value[i] = mass[out->index[i]];
  return true;
}

/* Counts the entries of each child and lays them out one after the other. */
static bool lay_out(gli_belief_work *work, uint32_t a, gli_children *children) {
  const glimpse_model *model = work->model;
  size_t total = 0;
  for (size_t i = 0; i < work->after.count; i++) {
    glimpse_row shown = gli_table_row(&model->observe, gli_model_row(model, a, work->after.index[i]));
    for (size_t j = 0; j < shown.count; j++) {
      uint32_t o = shown.index[j];
      work->place[o] = gli_marks_add(&work->seen, o) ? 1 : work->place[o] + 1;
    }
    total += shown.count;
  }
  size_t count = work->seen.count;
  if (!GLI_GROW(children->observation, children->observation_capacity, count) ||
      !GLI_GROW(children->probability, children->probability_capacity, count) ||
      !GLI_GROW(children->first, children->first_capacity, count + 1) ||
      !gli_sparse_reserve(&children->entries, total)) {
    gli_marks_clear(&work->seen);
    return false;
  }
  gli_marks_drain(&work->seen, children->observation);
  size_t first = 0;
  for (size_t i = 0; i < count; i++) {
    uint32_t o = children->observation[i];
    size_t length = work->place[o];
    children->first[i] = work->place[o] = first;
    first += length;
  }
  children->first[count] = children->entries.count = total;
  children->count = count;
  return true;
}

bool gli_belief_children(gli_belief_work *work, glimpse_row belief, uint32_t a, gli_children *children) {
  const glimpse_model *model = work->model;
  children->count = 0;
  if (!gli_belief_push(work, belief, a, &work->after) || !lay_out(work, a, children)) return false;
  for (size_t i = 0; i < work->after.count; i++) {
    uint32_t s2 = work->after.index[i];
    double p = work->after.value[i];
    glimpse_row shown = gli_table_row(&model->observe, gli_model_row(model, a, s2));
    for (size_t j = 0; j < shown.count; j++) {
      size_t at = work->place[shown.index[j]]++;
      children->entries.index[at] = s2;
      children->entries.value[at] = joint(p, shown.value[j]);
    }
  }
  for (size_t i = 0; i < children->count; i++) {
    size_t first = children->first[i];
    children->probability[i] = normalise(children->entries.value + first, children->first[i + 1] - first);
    assert(gli_belief_sound(gli_children_row(children, i), model->states));
  }
  return true;
}

/* Entry `index` of a row, 0 when it has none. */
static double row_at(glimpse_row row, uint32_t index) {
  size_t low = 0, high = row.count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (row.index[middle] < index) low = middle + 1;
    else high = middle;
  }
  return low < row.count && row.index[low] == index ? row.value[low] : 0;
}

bool gli_belief_child(gli_belief_work *work, glimpse_row belief, uint32_t a, uint32_t o, double *probability,
                      gli_sparse *out) {
  const glimpse_model *model = work->model;
  *probability = 0;
  out->count = 0;
  if (!gli_belief_push(work, belief, a, &work->after) || !gli_sparse_reserve(out, work->after.count)) return false;
  size_t count = 0;
  for (size_t i = 0; i < work->after.count; i++) {
    uint32_t s2 = work->after.index[i];
    double q = row_at(gli_table_row(&model->observe, gli_model_row(model, a, s2)), o);
    if (q <= 0) continue;
    out->index[count] = s2;
    out->value[count++] = joint(work->after.value[i], q);
  }
  out->count = count;
  if (count) *probability = normalise(out->value, count);
  assert(!count || gli_belief_sound(gli_sparse_row(out), model->states));
  return true;
}

/* ------------------------------------------------------------ public belief */

static void swap(glimpse_belief *belief) {
  gli_sparse next = belief->next;
  belief->next = belief->now;
  belief->now = next;
}

bool gli_belief_reserve(glimpse_belief *belief, size_t states) {
  return gli_sparse_reserve(&belief->now, states) && gli_sparse_reserve(&belief->next, states);
}

void gli_belief_back(glimpse_belief *belief) {
  swap(belief);
}

glimpse_belief *glimpse_belief_new(const glimpse_model *model) {
  glimpse_belief *belief = GLI_NEW(glimpse_belief, 1);
  if (!belief) return NULL;
  belief->model = model;
  belief->work = gli_belief_work_new(model);
  if (belief->work && glimpse_belief_set(belief, gli_table_row(&model->start, 0)) == GLIMPSE_OK) return belief;
  glimpse_belief_free(belief);
  return NULL;
}

void glimpse_belief_free(glimpse_belief *belief) {
  if (!belief) return;
  gli_belief_work_free(belief->work);
  gli_sparse_free(&belief->now);
  gli_sparse_free(&belief->next);
  gli_memory_free(belief);
}

glimpse_row glimpse_belief_row(const glimpse_belief *belief) {
  return gli_sparse_row(&belief->now);
}

/* Are the entries a distribution up to a factor?  Marks the states of positive
 * probability; *largest is the largest value. */
static bool mark_all(glimpse_belief *belief, glimpse_row row, double *largest) {
  if (row.count && (!row.index || !row.value)) return false;
  *largest = 0;
  for (size_t i = 0; i < row.count; i++) {
    uint32_t s = row.index[i];
    double p = row.value[i];
    if (s >= belief->model->states || !(p >= 0 && p <= DBL_MAX)) return false;
    if (!gli_marks_add(&belief->work->reached, s)) return false;
    belief->work->mass[s] = p;
    if (p > *largest) *largest = p;
  }
  return *largest > 0;
}

glimpse_status glimpse_belief_set(glimpse_belief *belief, glimpse_row row) {
  gli_sparse *next = &belief->next;
  double largest;
  bool valid = mark_all(belief, row, &largest);
  if (!valid || !gli_sparse_reserve(next, row.count)) {
    gli_marks_clear(&belief->work->reached);
    return valid ? GLIMPSE_NO_MEMORY : GLIMPSE_BAD_ARGUMENT;
  }
  gli_marks_drain(&belief->work->reached, next->index);
  next->count = 0;
  for (size_t i = 0; i < row.count; i++) {
    uint32_t s = next->index[i];
    double p = belief->work->mass[s];
    if (p <= 0) continue;
    next->index[next->count] = s;
    next->value[next->count++] = p;
  }
  bool extreme = largest > 1e100 || largest < 1e-100; /* keeps the sum in range */
  for (size_t i = 0; extreme && i < next->count; i++) next->value[i] = joint(next->value[i] / largest, 1);
  normalise(next->value, next->count);
  for (size_t i = 0; i < next->count; i++) next->value[i] = joint(next->value[i], 1);
  swap(belief);
  return GLIMPSE_OK;
}

glimpse_status glimpse_belief_reveal(glimpse_belief *belief, uint32_t s) {
  double one = 1;
  return glimpse_belief_set(belief, (glimpse_row){1, &s, &one});
}

glimpse_status glimpse_belief_update(glimpse_belief *belief, uint32_t a, uint32_t o, double *probability) {
  if (a >= belief->model->actions || o >= belief->model->observations) return GLIMPSE_BAD_ARGUMENT;
  double p;
  if (!gli_belief_child(belief->work, gli_sparse_row(&belief->now), a, o, &p, &belief->next)) return GLIMPSE_NO_MEMORY;
  if (probability) *probability = p;
  if (!belief->next.count) return GLIMPSE_IMPOSSIBLE;
  swap(belief);
  return GLIMPSE_OK;
}

double glimpse_belief_probability(const glimpse_belief *belief, uint32_t s) {
  return row_at(gli_sparse_row(&belief->now), s);
}

double gli_belief_entropy(glimpse_row belief) {
  const double log_of_2 = 0x1.62e42fefa39efp-1;
  gli_sum sum = {0, 0};
  for (size_t i = 0; i < belief.count; i++) {
    double p = belief.value[i];
    if (p < 1) gli_sum_add(&sum, -p * gli_number_log(p));
  }
  return gli_sum_value(sum) / log_of_2;
}

double glimpse_belief_entropy(const glimpse_belief *belief) {
  return gli_belief_entropy(gli_sparse_row(&belief->now));
}
