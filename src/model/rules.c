/* Rules: which reward does a step (a, s, s', o) have?  That of the last rule
 * that matches.  A rule names or leaves open each of the four places, so there
 * are 16 shapes of rules.  Rules are only collected while they come; to resolve
 * them, all go into one hash table under their key, `*` included, and a step asks
 * once for every shape that occurs.  Adding is constant time; resolving asks one
 * question per step of positive probability, fewer when no rule looks at o, or at
 * s'. */
#include "model/rules.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/number.h"

enum { NEXT = 2, OBSERVATION = 3 };

void gli_rules_free(gli_rules *rules) {
  gli_memory_free(rules->rule);
  *rules = (gli_rules){0};
}

static bool same_key(const uint32_t left[4], const uint32_t right[4]) {
  return left[0] == right[0] && left[1] == right[1] && left[2] == right[2] && left[3] == right[3];
}

glimpse_status gli_rules_add(gli_rules *rules, uint32_t a, uint32_t s, uint32_t s2, uint32_t o, double value) {
  size_t n = rules->count;
  uint32_t key[4] = {a, s, s2, o};
  if (n && same_key(rules->rule[n - 1].key, key)) {
    rules->rule[n - 1].value = value;
    return GLIMPSE_OK;
  }
  if (n >= GLIMPSE_MAX_ENTRIES) return GLIMPSE_TOO_LARGE;
  if (!GLI_GROW(rules->rule, rules->capacity, n + 1)) return GLIMPSE_NO_MEMORY;
  rules->rule[n] = (gli_rules_entry){.key = {a, s, s2, o}, .value = value};
  rules->count = n + 1;
  unsigned shape = 0;
  for (unsigned i = 0; i < 4; i++) shape |= (unsigned)(key[i] == GLIMPSE_ANY) << i;
  rules->shapes |= 1u << shape;
  return GLIMPSE_OK;
}

/* Open hash table of the rules.  A slot holds the number of the rule + 1 and, in
 * the upper half, more of the hash than its place tells, so that a probe seldom
 * looks at a rule that is not meant. */
typedef struct finder {
  uint64_t *slot;
  size_t mask;
} finder;

static uint64_t hash(const uint32_t key[4]) {
  uint64_t h = ((uint64_t)key[0] << 32 | key[1]) * UINT64_C(0x9e3779b97f4a7c15);
  h ^= h >> 29;
  h = (h ^ ((uint64_t)key[2] << 32 | key[3])) * UINT64_C(0xbf58476d1ce4e5b9);
  return h ^ (h >> 32);
}

static size_t seek(const gli_rules *rules, const finder *f, const uint32_t key[4], uint64_t h) {
  size_t i = (size_t)h & f->mask;
  for (; f->slot[i]; i = (i + 1) & f->mask)
    if (f->slot[i] >> 32 == h >> 32 && same_key(rules->rule[(uint32_t)f->slot[i] - 1].key, key)) break;
  return i;
}

/* At most half full.  A later rule of the same key takes the slot. */
static bool finder_make(finder *f, const gli_rules *rules) {
  size_t slots = 16;
  while (slots < 2 * rules->count) slots *= 2;
  f->mask = slots - 1;
  f->slot = GLI_NEW(uint64_t, slots);
  if (!f->slot) return false;
  for (size_t i = 0; i < rules->count; i++) {
    uint64_t h = hash(rules->rule[i].key);
    f->slot[seek(rules, f, rules->rule[i].key, h)] = (h >> 32) << 32 | (i + 1);
  }
  return true;
}

/* The reward of a step; s2 or o may be ANY when no rule looks at them. */
static double ask(const gli_rules *rules, const finder *f, uint32_t a, uint32_t s, uint32_t s2, uint32_t o) {
  uint32_t newest = 0;
  for (unsigned shape = 0; shape < 16; shape++) {
    if (!(rules->shapes >> shape & 1)) continue;
    uint32_t key[4] = {a, s, s2, o};
    for (unsigned i = 0; i < 4; i++)
      if (shape >> i & 1) key[i] = GLIMPSE_ANY;
    uint32_t found = (uint32_t)f->slot[seek(rules, f, key, hash(key))];
    if (found > newest) newest = found;
  }
  return newest ? rules->rule[newest - 1].value : 0;
}

/* The steps of one row (a,s) and their rewards. */
typedef struct steps_of_row {
  uint32_t *next, *observation;
  double *probability, *value;
  size_t count, capacity[4];
} steps_of_row;

static bool push(steps_of_row *row, uint32_t s2, uint32_t o, double probability, double value) {
  size_t n = row->count;
  if (!GLI_GROW(row->next, row->capacity[0], n + 1) || !GLI_GROW(row->observation, row->capacity[1], n + 1) ||
      !GLI_GROW(row->probability, row->capacity[2], n + 1) || !GLI_GROW(row->value, row->capacity[3], n + 1))
    return false;
  row->next[n] = s2;
  row->observation[n] = o;
  row->probability[n] = probability;
  row->value[n] = value;
  row->count = n + 1;
  return true;
}

typedef struct resolver {
  const gli_rules *rules;
  glimpse_model *model;
  bool see_next, see_observation; /* does any rule look at s', at o? */
  finder finder;
  steps_of_row row;
  double *by_observation; /* the reward of each o seen in this row ... */
  uint64_t *seen;         /* ... and the number of the row that saw it */
  uint32_t *distinct;     /* the observations seen in this row */
  size_t distinct_count;
  size_t count, capacity[3];
} resolver;

static bool collect(resolver *r, uint32_t a, uint32_t s) {
  r->row.count = 0;
  if (!r->see_next && !r->see_observation)
    return push(&r->row, GLIMPSE_ANY, GLIMPSE_ANY, 1, ask(r->rules, &r->finder, a, s, GLIMPSE_ANY, GLIMPSE_ANY));
  glimpse_row reached = glimpse_model_transition(r->model, a, s);
  for (size_t i = 0; i < reached.count; i++) {
    uint32_t s2 = reached.index[i];
    if (!r->see_observation) {
      if (!push(&r->row, s2, GLIMPSE_ANY, reached.value[i], ask(r->rules, &r->finder, a, s, s2, GLIMPSE_ANY)))
        return false;
      continue;
    }
    glimpse_row observed = glimpse_model_observation(r->model, a, s2);
    for (size_t k = 0; k < observed.count; k++)
      if (!push(&r->row, s2, observed.index[k], reached.value[i] * observed.value[k],
                ask(r->rules, &r->finder, a, s, s2, observed.index[k])))
        return false;
  }
  return true;
}

/* Does the reward depend on nothing, on s' only, on o only?  See model.h. */
static bool constant(const steps_of_row *row) {
  for (size_t i = 1; i < row->count; i++)
    if (row->value[i] != row->value[0]) return false;
  return true;
}

static bool by_next(const steps_of_row *row) {
  for (size_t i = 1; i < row->count; i++)
    if (row->next[i] == row->next[i - 1] && row->value[i] != row->value[i - 1]) return false;
  return true;
}

static bool by_observation(resolver *r, uint64_t number) {
  r->distinct_count = 0;
  for (size_t i = 0; i < r->row.count; i++) {
    uint32_t o = r->row.observation[i];
    if (r->seen[o] != number) {
      r->seen[o] = number;
      r->by_observation[o] = r->row.value[i];
      r->distinct[r->distinct_count++] = o;
    } else if (r->by_observation[o] != r->row.value[i]) {
      return false;
    }
  }
  return true;
}

/* One step per reached state instead of one per observation there.  Its
 * probability is taken from T, so that the expectation has the same bits whether
 * or not some rule, perhaps of another row, made us look at observations. */
static void merge_by_next(steps_of_row *row, glimpse_row reached) {
  size_t n = 0;
  for (size_t i = 0; i < row->count; i++) {
    if (n && row->next[i] == row->next[n - 1]) continue;
    row->next[n] = row->next[i];
    row->observation[n] = GLIMPSE_ANY;
    row->value[n] = row->value[i];
    row->probability[n] = reached.value[n];
    n++;
  }
  row->count = n;
}

static glimpse_status store(resolver *r, uint32_t s2, uint32_t o, double value) {
  gli_steps *steps = &r->model->steps;
  size_t n = r->count;
  if (value == 0) return GLIMPSE_OK;
  if (n >= (r->rules->most ? r->rules->most : GLIMPSE_MAX_ENTRIES)) return GLIMPSE_TOO_LARGE;
  if (!GLI_GROW(steps->next, r->capacity[0], n + 1) || !GLI_GROW(steps->observation, r->capacity[1], n + 1) ||
      !GLI_GROW(steps->value, r->capacity[2], n + 1))
    return GLIMPSE_NO_MEMORY;
  steps->next[n] = s2;
  steps->observation[n] = o;
  steps->value[n] = value;
  r->count = n + 1;
  return GLIMPSE_OK;
}

static int compare(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return a < b ? -1 : a > b;
}

static glimpse_status store_by_observation(resolver *r) {
  qsort(r->distinct, r->distinct_count, sizeof *r->distinct, compare);
  for (size_t i = 0; i < r->distinct_count; i++) {
    glimpse_status status = store(r, GLIMPSE_ANY, r->distinct[i], r->by_observation[r->distinct[i]]);
    if (status) return status;
  }
  return GLIMPSE_OK;
}

static glimpse_status store_steps(resolver *r) {
  const steps_of_row *row = &r->row;
  for (size_t i = 0; i < row->count; i++) {
    glimpse_status status = store(r, row->next[i], row->observation[i], row->value[i]);
    if (status) return status;
  }
  return GLIMPSE_OK;
}

static double weighted_sum(const steps_of_row *row, double scale) {
  gli_sum sum = {0, 0};
  for (size_t i = 0; i < row->count; i++) gli_sum_add(&sum, row->probability[i] * (scale * row->value[i]));
  return gli_sum_value(sum);
}

/* Probabilities sum to 1 within rounding only, so that next to the largest number the sum may
 * overflow where the expectation does not. */
static double expectation(const steps_of_row *row) {
  double sum = weighted_sum(row, 1);
  return isfinite(sum) ? sum : fmax(-DBL_MAX, fmin(DBL_MAX, 4 * weighted_sum(row, 0.25)));
}

static glimpse_status resolve_row(resolver *r, uint32_t a, uint32_t s) {
  if (!collect(r, a, s)) return GLIMPSE_NO_MEMORY;
  uint64_t number = gli_model_row(r->model, a, s);
  double *expected = &r->model->reward[number];
  if (constant(&r->row)) {
    *expected = r->row.count ? r->row.value[0] + 0.0 : 0; /* no rounding; -0 becomes 0 */
    return store(r, GLIMPSE_ANY, GLIMPSE_ANY, *expected);
  }
  bool coarse = by_next(&r->row);
  if (coarse) merge_by_next(&r->row, glimpse_model_transition(r->model, a, s));
  *expected = expectation(&r->row);
  return !coarse && by_observation(r, number + 1) ? store_by_observation(r) : store_steps(r);
}

static glimpse_status resolve_rows(resolver *r) {
  glimpse_model *model = r->model;
  for (uint32_t a = 0; a < model->actions; a++)
    for (uint32_t s = 0; s < model->states; s++) {
      glimpse_status status = resolve_row(r, a, s);
      if (status) return status;
      model->steps.row[gli_model_row(model, a, s) + 1] = r->count;
    }
  return GLIMPSE_OK;
}

/* Does any rule name this place of a step? */
static bool look_at(const gli_rules *rules, unsigned place) {
  for (unsigned shape = 0; shape < 16; shape++)
    if ((rules->shapes >> shape & 1) && !(shape >> place & 1)) return true;
  return false;
}

/* Tables of millions of entries, each said in a few words, have more steps than anybody waits for; each is asked
 * about once for every shape. */
bool gli_rules_within(const gli_rules *rules, const glimpse_model *model) {
  if (!rules->questions || !look_at(rules, OBSERVATION)) return true;
  uint64_t steps = 0, most = rules->questions;
  for (unsigned shape = 0, shapes = 0; shape < 16; shape++)
    if (rules->shapes >> shape & 1) most = rules->questions / ++shapes;
  for (uint32_t a = 0; a < model->actions; a++)
    for (uint32_t s = 0; s < model->states && steps <= most; s++) {
      glimpse_row reached = glimpse_model_transition(model, a, s);
      for (size_t i = 0; i < reached.count; i++) steps += glimpse_model_observation(model, a, reached.index[i]).count;
    }
  return steps <= most;
}

glimpse_status gli_rules_resolve(const gli_rules *rules, glimpse_model *model) {
  resolver r = {
      .rules = rules, .model = model, .see_next = look_at(rules, NEXT), .see_observation = look_at(rules, OBSERVATION)};
  size_t rows = (size_t)model->actions * model->states;
  model->reward = GLI_NEW(double, rows);
  model->steps.row = GLI_NEW(uint64_t, rows + 1);
  r.by_observation = GLI_NEW(double, r.see_observation ? model->observations : 0);
  r.seen = GLI_NEW(uint64_t, r.see_observation ? model->observations : 0);
  r.distinct = GLI_NEW(uint32_t, r.see_observation ? model->observations : 0);
  glimpse_status status = GLIMPSE_NO_MEMORY;
  if (model->reward && model->steps.row && r.by_observation && r.seen && r.distinct && finder_make(&r.finder, rules)) {
    status = rules->count ? resolve_rows(&r) : GLIMPSE_OK; /* no rule: all zero */
  }
  gli_memory_free(r.finder.slot);
  gli_memory_free(r.by_observation);
  gli_memory_free(r.seen);
  gli_memory_free(r.distinct);
  gli_memory_free(r.row.next);
  gli_memory_free(r.row.observation);
  gli_memory_free(r.row.probability);
  gli_memory_free(r.row.value);
  return status;
}
