/* Oracle: see oracle.h.
 *
 * Beliefs are sparse and unnormalised: V(x b) = x V(b), so no probability of an
 * observation is needed.  At the horizon a belief lies between its best blind plan and
 * what it would be worth if the state were known for ever.  A blind plan is worth the
 * solution of a linear system.  Of a known state a plan is improved until nothing is
 * better; its value, moved up by what is left of the residual, is an upper bound, and
 * where observations tell the state it is a lower bound as well. */
#include "support/oracle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/price.h"

struct oracle {
  const glimpse_model *model;
  uint32_t states, actions, observations;
  unsigned horizon;
  bool clear;
  precise discount;
  size_t *row, *shown;   /* first entry of row a * states + s */
  precise *move, *sight; /* the rows of T and O, divided by their sums */
  precise *known;        /* per state: no belief certain of it is worth more */
  precise *blind;        /* a * states + s */
  precise *certain;      /* in clear models N(s) is not less */
  oracle_range *corner;  /* N_h(s) at h * states + s */
};

/* A sparse belief and the children that one action gives it. */
typedef struct cloud {
  size_t count;
  uint32_t *state;
  precise *mass;
} cloud;

static void *room(size_t count, size_t size) {
  void *made = calloc(count ? count : 1, size);
  assert_non_null(made);
  return made;
}

/* ------------------------------------------------------------------- tables */

static void normalise(glimpse_row row, precise *to) {
  precise sum = precise_of(0);
  for (size_t i = 0; i < row.count; i++) sum = precise_add(sum, precise_of(row.value[i]));
  for (size_t i = 0; i < row.count; i++) to[i] = precise_divide(precise_of(row.value[i]), sum);
}

static void tabulate(oracle *o, glimpse_row (*get)(const glimpse_model *, uint32_t, uint32_t), size_t **first,
                     precise **value) {
  size_t rows = (size_t)o->actions * o->states;
  *first = room(rows + 1, sizeof **first);
  for (size_t r = 0; r < rows; r++)
    (*first)[r + 1] = (*first)[r] + get(o->model, (uint32_t)(r / o->states), (uint32_t)(r % o->states)).count;
  *value = room((*first)[rows], sizeof **value);
  for (size_t r = 0; r < rows; r++)
    normalise(get(o->model, (uint32_t)(r / o->states), (uint32_t)(r % o->states)), *value + (*first)[r]);
}

/* R(s,a) + discount * sum_s' T(s'|s,a) value(s'). */
static precise backup(const oracle *o, uint32_t a, uint32_t s, const precise *value) {
  glimpse_row next = glimpse_model_transition(o->model, a, s);
  const precise *p = o->move + o->row[(size_t)a * o->states + s];
  precise sum = precise_of(0);
  for (size_t i = 0; i < next.count; i++) sum = precise_add(sum, precise_multiply(p[i], value[next.index[i]]));
  return precise_add(precise_of(glimpse_model_reward(o->model, a, s)), precise_multiply(o->discount, sum));
}

static precise best_backup(const oracle *o, uint32_t s, const precise *value) {
  precise best = backup(o, 0, s, value);
  for (uint32_t a = 1; a < o->actions; a++) best = precise_larger(best, backup(o, a, s, value));
  return best;
}

/* -------------------------------------------------------------- known states */

/* Does every observation of positive probability tell the state it is seen in? */
static bool tells(const oracle *o, uint32_t *owner) {
  if (o->states == 1) return true;
  for (uint32_t a = 0; a < o->actions; a++) {
    for (uint32_t i = 0; i < o->observations; i++) owner[i] = GLIMPSE_ANY;
    for (uint32_t s = 0; s < o->states; s++) {
      glimpse_row shown = glimpse_model_observation(o->model, a, s);
      for (size_t i = 0; i < shown.count; i++) {
        if (owner[shown.index[i]] != GLIMPSE_ANY) return false;
        owner[shown.index[i]] = s;
      }
    }
  }
  return true;
}

/* The value of a plan: elimination in (I - discount T) v = R, which is diagonally dominant. */
static void evaluate(const oracle *o, const uint32_t *plan, precise *matrix, precise *value) {
  uint32_t n = o->states;
  for (uint32_t s = 0; s < n; s++) {
    glimpse_row next = glimpse_model_transition(o->model, plan[s], s);
    const precise *p = o->move + o->row[(size_t)plan[s] * n + s];
    for (uint32_t i = 0; i < n; i++) matrix[s * n + i] = precise_of(i == s);
    for (size_t i = 0; i < next.count; i++)
      matrix[s * n + next.index[i]] =
          precise_subtract(matrix[s * n + next.index[i]], precise_multiply(o->discount, p[i]));
    value[s] = precise_of(glimpse_model_reward(o->model, plan[s], s));
  }
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t s = k + 1; s < n; s++) {
      precise factor = precise_divide(matrix[s * n + k], matrix[k * n + k]);
      for (uint32_t i = k; i < n; i++)
        matrix[s * n + i] = precise_subtract(matrix[s * n + i], precise_multiply(factor, matrix[k * n + i]));
      value[s] = precise_subtract(value[s], precise_multiply(factor, value[k]));
    }
  for (uint32_t s = n; s-- > 0;) {
    for (uint32_t i = s + 1; i < n; i++)
      value[s] = precise_subtract(value[s], precise_multiply(matrix[s * n + i], value[i]));
    value[s] = precise_divide(value[s], matrix[s * n + s]);
  }
}

static bool improve(const oracle *o, uint32_t *plan, const precise *value) {
  bool better = false;
  for (uint32_t s = 0; s < o->states; s++) {
    precise best = value[s];
    for (uint32_t a = 0; a < o->actions; a++) {
      precise x = backup(o, a, s, value), gain = precise_subtract(x, best);
      if (!(precise_value(gain) > gain.error)) continue;
      best = x;
      plan[s] = a;
      better = true;
    }
  }
  return better;
}

/* What a state is worth that is known for ever, from both sides, and blind plans. */
static void solve(oracle *o) {
  uint32_t n = o->states, *plan = room(n, sizeof *plan);
  precise *matrix = room((size_t)n * n, sizeof *matrix), *value = room(n, sizeof *value);
  for (uint32_t a = 0; a < o->actions; a++) {
    for (uint32_t s = 0; s < n; s++) plan[s] = a;
    evaluate(o, plan, matrix, o->blind + (size_t)a * n);
  }
  unsigned rounds = 0;
  do evaluate(o, plan, matrix, value);
  while (improve(o, plan, value) && ++rounds < 100);
  double most = 0; /* F(v) <= v + most: no state is worth more than v + most / (1 - discount) */
  for (uint32_t s = 0; s < n; s++) {
    precise gain = precise_subtract(best_backup(o, s, value), value[s]);
    most = fmax(most, precise_value(gain) + gain.error);
  }
  precise more = precise_divide(precise_of(precise_up(most)), precise_subtract(precise_of(1), o->discount));
  for (uint32_t s = 0; s < n; s++) {
    o->certain[s] = value[s];
    o->known[s] = precise_add(value[s], more);
  }
  free(plan);
  free(matrix);
  free(value);
}

/* -------------------------------------------------------------------- tree */

static oracle_range tree_value(const oracle *o, unsigned h, const cloud *x);

static bool ended(const oracle *o, const cloud *x) {
  for (size_t i = 0; i < x->count; i++)
    if (!glimpse_model_terminal(o->model, x->state[i])) return false;
  return true;
}

static oracle_range leaf(const oracle *o, const cloud *x) {
  precise high = precise_of(0), low = precise_of(0);
  for (size_t i = 0; i < x->count; i++) high = precise_add(high, precise_multiply(x->mass[i], o->known[x->state[i]]));
  for (uint32_t a = 0; a < o->actions; a++) {
    precise sum = precise_of(0);
    for (size_t i = 0; i < x->count; i++)
      sum = precise_add(sum, precise_multiply(x->mass[i], o->blind[(size_t)a * o->states + x->state[i]]));
    low = a ? precise_larger(low, sum) : sum;
  }
  if (o->clear && x->count == 1) low = precise_larger(low, precise_multiply(x->mass[0], o->certain[x->state[0]]));
  return (oracle_range){low, high};
}

static oracle_range range_add(oracle_range a, oracle_range b) {
  return (oracle_range){precise_add(a.low, b.low), precise_add(a.high, b.high)};
}

static oracle_range range_scale(oracle_range a, precise by) {
  return (oracle_range){precise_multiply(a.low, by), precise_multiply(a.high, by)};
}

static oracle_range range_larger(oracle_range a, oracle_range b) {
  return (oracle_range){precise_larger(a.low, b.low), precise_larger(a.high, b.high)};
}

/* Place of an index in a row, SIZE_MAX when it is not there. */
static size_t find(glimpse_row row, uint32_t index) {
  size_t low = 0, high = row.count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (row.index[middle] < index) low = middle + 1;
    else high = middle;
  }
  return low < row.count && row.index[low] == index ? low : SIZE_MAX;
}

/* The belief after the action, unnormalised, for each observation that can be made. */
static oracle_range tree_action(const oracle *o, unsigned h, const cloud *x, uint32_t a) {
  uint32_t n = o->states;
  precise sum = precise_of(0), *mass = room(n, sizeof *mass);
  bool *met = room(n, sizeof *met), *seen = room(o->observations, sizeof *seen);
  for (size_t i = 0; i < x->count; i++) {
    uint32_t s = x->state[i];
    glimpse_row next = glimpse_model_transition(o->model, a, s);
    const precise *p = o->move + o->row[(size_t)a * n + s];
    sum = precise_add(sum, precise_multiply(x->mass[i], precise_of(glimpse_model_reward(o->model, a, s))));
    for (size_t k = 0; k < next.count; k++) {
      precise part = precise_multiply(x->mass[i], p[k]);
      mass[next.index[k]] = met[next.index[k]] ? precise_add(mass[next.index[k]], part) : part;
      met[next.index[k]] = true;
    }
  }
  cloud child = {0, room(n, sizeof *child.state), room(n, sizeof *child.mass)};
  oracle_range total = {precise_of(0), precise_of(0)};
  bool over = true; /* then nothing follows, whatever is seen */
  for (uint32_t s = 0; s < n; s++) over = over && (!met[s] || glimpse_model_terminal(o->model, s));
  for (uint32_t s = 0; s < n && !over; s++) {
    glimpse_row shown = glimpse_model_observation(o->model, a, s);
    for (size_t k = 0; met[s] && k < shown.count; k++) {
      uint32_t seeing = shown.index[k];
      if (seen[seeing]) continue;
      seen[seeing] = true;
      child.count = 0;
      for (uint32_t s2 = s; s2 < n; s2++) { /* no state before s shows it */
        size_t at = met[s2] ? find(glimpse_model_observation(o->model, a, s2), seeing) : SIZE_MAX;
        if (at == SIZE_MAX) continue;
        child.state[child.count] = s2;
        child.mass[child.count++] = precise_multiply(mass[s2], o->sight[o->shown[(size_t)a * n + s2] + at]);
      }
      total = range_add(total, tree_value(o, h - 1, &child));
    }
  }
  free(child.state);
  free(child.mass);
  free(mass);
  free(met);
  free(seen);
  return range_add((oracle_range){sum, sum}, range_scale(total, o->discount));
}

static oracle_range tree_act(const oracle *o, unsigned h, const cloud *x) {
  oracle_range best = tree_action(o, h, x, 0);
  for (uint32_t a = 1; a < o->actions; a++) best = range_larger(best, tree_action(o, h, x, a));
  return best;
}

static oracle_range tree_ask(const oracle *o, unsigned h, const cloud *x) {
  oracle_range sum = {precise_of(0), precise_of(0)};
  for (size_t i = 0; i < x->count; i++) {
    oracle_range then = o->corner[(size_t)h * o->states + x->state[i]];
    precise price = precise_of(-price_in(o->model, x->state[i]));
    sum = range_add(sum, range_scale(range_add(then, (oracle_range){price, price}), x->mass[i]));
  }
  return sum;
}

static oracle_range tree_value(const oracle *o, unsigned h, const cloud *x) {
  if (ended(o, x)) return (oracle_range){precise_of(0), precise_of(0)};
  if (h == 0 || (o->clear && x->count == 1)) return leaf(o, x);
  oracle_range value = tree_act(o, h, x);
  if (!glimpse_model_requests(o->model) || x->count == 1) return value;
  return range_larger(value, tree_ask(o, h, x));
}

/* ------------------------------------------------------------------- public */

oracle *oracle_new(const glimpse_model *model, unsigned horizon) {
  oracle *o = room(1, sizeof *o);
  *o = (oracle){.model = model,
                .states = glimpse_model_count(model, GLIMPSE_STATE),
                .actions = glimpse_model_count(model, GLIMPSE_ACTION),
                .observations = glimpse_model_count(model, GLIMPSE_OBSERVATION),
                .discount = precise_of(glimpse_model_discount(model))};
  uint32_t *owner = room(o->observations, sizeof *owner);
  o->clear = tells(o, owner);
  free(owner);
  o->horizon = o->clear ? 1 : horizon;
  tabulate(o, glimpse_model_transition, &o->row, &o->move);
  tabulate(o, glimpse_model_observation, &o->shown, &o->sight);
  o->known = room(o->states, sizeof *o->known);
  o->blind = room((size_t)o->actions * o->states, sizeof *o->blind);
  o->certain = room(o->states, sizeof *o->certain);
  solve(o);
  o->corner = room((size_t)(o->horizon + 1) * o->states, sizeof *o->corner);
  for (unsigned h = 1; h <= o->horizon; h++)
    for (uint32_t s = 0; s < o->states; s++) {
      precise one = precise_of(1);
      o->corner[(size_t)h * o->states + s] = tree_value(o, h, &(cloud){1, &s, &one});
    }
  return o;
}

void oracle_free(oracle *o) {
  if (!o) return;
  free(o->row);
  free(o->shown);
  free(o->move);
  free(o->sight);
  free(o->known);
  free(o->blind);
  free(o->certain);
  free(o->corner);
  free(o);
}

/* The belief, divided by its sum. */
static cloud cloud_of(glimpse_row belief) {
  cloud x = {belief.count, room(belief.count, sizeof *x.state), room(belief.count, sizeof *x.mass)};
  memcpy(x.state, belief.index, belief.count * sizeof *x.state);
  normalise(belief, x.mass);
  return x;
}

oracle_range oracle_value(const oracle *o, glimpse_row belief) {
  cloud x = cloud_of(belief);
  oracle_range value = tree_value(o, o->horizon, &x);
  free(x.state);
  free(x.mass);
  return value;
}

oracle_range oracle_choice(const oracle *o, glimpse_row belief, uint32_t action) {
  cloud x = cloud_of(belief);
  oracle_range value = action == GLIMPSE_ANY ? tree_ask(o, o->horizon, &x) : tree_action(o, o->horizon, &x, action);
  free(x.state);
  free(x.mass);
  return value;
}

bool oracle_clear(const oracle *o) {
  return o->clear;
}
