/* Rules: which reward does a step (a, s, s', o) have?  That of the last rule
 * that matches.  A rule names or leaves open each of the four places, so there
 * are 16 shapes of rules; all rules sit in one hash table under their key, `*`
 * included, and a step asks once for every shape that occurs.  Adding is
 * constant time; resolving asks one question per step of positive probability,
 * fewer when no rule looks at o, or at s'. */
#include "model/rules.h"

#include "base/number.h"

enum { NEXT = 2, OBSERVATION = 3 };

void gli_rules_free(gli_rules *rules) {
  gli_memory_free(rules->rule);
  gli_memory_free(rules->slot);
  *rules = (gli_rules){0};
}

void gli_steps_free(gli_steps *steps) {
  gli_memory_free(steps->row);
  gli_memory_free(steps->next);
  gli_memory_free(steps->observation);
  gli_memory_free(steps->value);
  *steps = (gli_steps){0};
}

static size_t hash(const uint32_t key[4]) {
  uint64_t h = ((uint64_t)key[0] << 32 | key[1]) * UINT64_C(0x9e3779b97f4a7c15);
  h ^= h >> 29;
  h = (h ^ ((uint64_t)key[2] << 32 | key[3])) * UINT64_C(0xbf58476d1ce4e5b9);
  return (size_t)(h ^ (h >> 32));
}

static size_t seek(const gli_rules *rules, const uint32_t key[4]) {
  size_t mask = rules->slots - 1, i = hash(key) & mask;
  for (; rules->slot[i]; i = (i + 1) & mask) {
    const uint32_t *other = rules->rule[rules->slot[i] - 1].key;
    if (other[0] == key[0] && other[1] == key[1] && other[2] == key[2] && other[3] == key[3]) break;
  }
  return i;
}

/* Keeps the table at most half full. */
static bool widen(gli_rules *rules) {
  if (2 * (rules->count + 1) <= rules->slots) return true;
  size_t slots = rules->slots ? 2 * rules->slots : 64;
  uint32_t *slot = GLI_NEW(uint32_t, slots);
  if (!slot) return false;
  gli_memory_free(rules->slot);
  rules->slot = slot;
  rules->slots = slots;
  for (size_t i = 0; i < rules->count; i++) slot[seek(rules, rules->rule[i].key)] = (uint32_t)i + 1;
  return true;
}

glimpse_status gli_rules_add(gli_rules *rules, uint32_t a, uint32_t s, uint32_t s2, uint32_t o, double value) {
  uint32_t key[4] = {a, s, s2, o};
  if (rules->assignments == UINT32_MAX || rules->count >= GLIMPSE_MAX_ENTRIES) return GLIMPSE_TOO_LARGE;
  if (!widen(rules)) return GLIMPSE_NO_MEMORY;
  size_t at = seek(rules, key);
  if (!rules->slot[at]) {
    if (!GLI_GROW(rules->rule, rules->capacity, rules->count + 1)) return GLIMPSE_NO_MEMORY;
    rules->rule[rules->count++] = (gli_rule){.key = {a, s, s2, o}};
    rules->slot[at] = (uint32_t)rules->count;
    unsigned shape = 0;
    for (unsigned i = 0; i < 4; i++) shape |= (unsigned)(key[i] == GLIMPSE_ANY) << i;
    rules->shapes |= 1u << shape;
  }
  gli_rule *rule = &rules->rule[rules->slot[at] - 1];
  rule->order = ++rules->assignments;
  rule->value = value;
  return GLIMPSE_OK;
}

/* The reward of a step; s2 or o may be ANY when no rule looks at them. */
static double ask(const gli_rules *rules, uint32_t a, uint32_t s, uint32_t s2, uint32_t o) {
  uint32_t newest = 0;
  double value = 0;
  for (unsigned shape = 0; shape < 16; shape++) {
    if (!(rules->shapes >> shape & 1)) continue;
    uint32_t key[4] = {a, s, s2, o};
    for (unsigned i = 0; i < 4; i++)
      if (shape >> i & 1) key[i] = GLIMPSE_ANY;
    uint32_t found = rules->slot[seek(rules, key)];
    if (found && rules->rule[found - 1].order > newest) {
      newest = rules->rule[found - 1].order;
      value = rules->rule[found - 1].value;
    }
  }
  return value;
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
  steps_of_row row;
  double *by_observation; /* the reward of each o seen in this row ... */
  uint64_t *seen;         /* ... and the number of the row that saw it */
  size_t count, capacity[3];
} resolver;

static bool collect(resolver *r, uint32_t a, uint32_t s) {
  r->row.count = 0;
  if (!r->see_next && !r->see_observation)
    return push(&r->row, GLIMPSE_ANY, GLIMPSE_ANY, 1, ask(r->rules, a, s, GLIMPSE_ANY, GLIMPSE_ANY));
  glimpse_row reached = glimpse_model_transition(r->model, a, s);
  for (size_t i = 0; i < reached.count; i++) {
    uint32_t s2 = reached.index[i];
    if (!r->see_observation) {
      if (!push(&r->row, s2, GLIMPSE_ANY, reached.value[i], ask(r->rules, a, s, s2, GLIMPSE_ANY))) return false;
      continue;
    }
    glimpse_row observed = glimpse_model_observation(r->model, a, s2);
    for (size_t k = 0; k < observed.count; k++)
      if (!push(&r->row, s2, observed.index[k], reached.value[i] * observed.value[k],
                ask(r->rules, a, s, s2, observed.index[k])))
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
  if (!r->see_observation) return false;
  for (size_t i = 0; i < r->row.count; i++) {
    uint32_t o = r->row.observation[i];
    if (r->seen[o] != number) {
      r->seen[o] = number;
      r->by_observation[o] = r->row.value[i];
    } else if (r->by_observation[o] != r->row.value[i]) {
      return false;
    }
  }
  return true;
}

static glimpse_status store(resolver *r, uint32_t s2, uint32_t o, double value) {
  gli_steps *steps = &r->model->steps;
  size_t n = r->count;
  if (value == 0) return GLIMPSE_OK;
  if (n >= GLIMPSE_MAX_ENTRIES) return GLIMPSE_TOO_LARGE;
  if (!GLI_GROW(steps->next, r->capacity[0], n + 1) || !GLI_GROW(steps->observation, r->capacity[1], n + 1) ||
      !GLI_GROW(steps->value, r->capacity[2], n + 1))
    return GLIMPSE_NO_MEMORY;
  steps->next[n] = s2;
  steps->observation[n] = o;
  steps->value[n] = value;
  r->count = n + 1;
  return GLIMPSE_OK;
}

static glimpse_status store_by_observation(resolver *r, uint64_t number) {
  for (uint32_t o = 0; o < r->model->observations; o++) {
    if (r->seen[o] != number) continue;
    glimpse_status status = store(r, GLIMPSE_ANY, o, r->by_observation[o]);
    if (status) return status;
  }
  return GLIMPSE_OK;
}

static glimpse_status store_row(resolver *r, uint64_t number) {
  const steps_of_row *row = &r->row;
  if (constant(row)) return store(r, GLIMPSE_ANY, GLIMPSE_ANY, row->value[0]);
  bool coarse = by_next(row);
  if (!coarse && by_observation(r, number)) return store_by_observation(r, number);
  for (size_t i = 0; i < row->count; i++) {
    if (coarse && i && row->next[i] == row->next[i - 1]) continue;
    glimpse_status status = store(r, row->next[i], coarse ? GLIMPSE_ANY : row->observation[i], row->value[i]);
    if (status) return status;
  }
  return GLIMPSE_OK;
}

static double expectation(const steps_of_row *row) {
  if (constant(row)) return row->value[0] + 0.0; /* no rounding; -0 becomes 0 */
  gli_sum sum = {0, 0};
  for (size_t i = 0; i < row->count; i++) gli_sum_add(&sum, row->probability[i] * row->value[i]);
  return gli_sum_value(sum);
}

static glimpse_status resolve_rows(resolver *r) {
  glimpse_model *model = r->model;
  for (uint32_t a = 0; a < model->actions; a++)
    for (uint32_t s = 0; s < model->states; s++) {
      uint64_t row = gli_model_row(model, a, s);
      if (!collect(r, a, s)) return GLIMPSE_NO_MEMORY;
      glimpse_status status = store_row(r, row + 1);
      if (status) return status;
      model->reward[row] = expectation(&r->row);
      model->steps.row[row + 1] = r->count;
    }
  return GLIMPSE_OK;
}

glimpse_status gli_rules_resolve(const gli_rules *rules, glimpse_model *model) {
  resolver r = {.rules = rules, .model = model};
  for (unsigned shape = 0; shape < 16; shape++) {
    if (!(rules->shapes >> shape & 1)) continue;
    if (!(shape >> NEXT & 1)) r.see_next = true;
    if (!(shape >> OBSERVATION & 1)) r.see_observation = true;
  }
  size_t rows = (size_t)model->actions * model->states;
  model->reward = GLI_NEW(double, rows);
  model->steps.row = GLI_NEW(uint64_t, rows + 1);
  r.by_observation = GLI_NEW(double, r.see_observation ? model->observations : 0);
  r.seen = GLI_NEW(uint64_t, r.see_observation ? model->observations : 0);
  glimpse_status status = GLIMPSE_NO_MEMORY;
  if (model->reward && model->steps.row && r.by_observation && r.seen) {
    status = rules->count ? resolve_rows(&r) : GLIMPSE_OK; /* no rule: all zero */
  }
  gli_memory_free(r.by_observation);
  gli_memory_free(r.seen);
  gli_memory_free(r.row.next);
  gli_memory_free(r.row.observation);
  gli_memory_free(r.row.probability);
  gli_memory_free(r.row.value);
  return status;
}
