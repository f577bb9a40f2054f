/* Naive bounds: see naive_bound.h. */
#include "support/naive_bound.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/price.h"

static double known_at(const naive_bound *v, uint32_t s) {
  double best = -INFINITY;
  for (uint32_t k = 0; k < v->vectors; k++) best = fmax(best, v->value[k * v->states + s]);
  return best;
}

/* One entry of the equation of a bound, from the accessors alone. */
static double entry_of(const glimpse_model *model, glimpse_bound_kind kind, const naive_bound *v, uint32_t a,
                       uint32_t s) {
  glimpse_row moves = glimpse_model_transition(model, a, s);
  double sum = 0;
  if (kind == GLIMPSE_BOUND_FIB || kind == GLIMPSE_BOUND_FIB_SR) {
    for (uint32_t o = 0; o < glimpse_model_count(model, GLIMPSE_OBSERVATION); o++) {
      double best = -INFINITY;
      for (uint32_t k = 0; k < v->vectors; k++) {
        double part = 0;
        for (size_t i = 0; i < moves.count; i++) {
          glimpse_row shows = glimpse_model_observation(model, a, moves.index[i]);
          for (size_t j = 0; j < shows.count; j++)
            if (shows.index[j] == o) part += moves.value[i] * shows.value[j] * v->value[k * v->states + moves.index[i]];
        }
        best = fmax(best, part);
      }
      sum += best;
    }
  } else {
    for (size_t i = 0; i < moves.count; i++)
      sum += moves.value[i] *
             (kind == GLIMPSE_BOUND_BLIND ? v->value[a * v->states + moves.index[i]] : known_at(v, moves.index[i]));
  }
  return glimpse_model_reward(model, a, s) + glimpse_model_discount(model) * sum;
}

static void sweep(const glimpse_model *model, glimpse_bound_kind kind, const naive_bound *v, double *next) {
  for (uint32_t s = 0; s < v->states; s++) {
    double best = -INFINITY;
    for (uint32_t a = 0; a < v->actions; a++) {
      double x = entry_of(model, kind, v, a, s);
      best = fmax(best, x);
      if (kind != GLIMPSE_BOUND_ALWAYS_ASK) next[a * v->states + s] = x;
    }
    if (kind == GLIMPSE_BOUND_ALWAYS_ASK) next[s] = best - price_in(model, s);
    if (kind == GLIMPSE_BOUND_FIB_SR) next[v->actions * v->states + s] = best - price_in(model, s);
  }
}

/* The fixed point to about 1e-12 of its size; freed by the caller. */
static naive_bound iterate(const glimpse_model *model, glimpse_bound_kind kind) {
  naive_bound v = {.states = glimpse_model_count(model, GLIMPSE_STATE),
                   .actions = glimpse_model_count(model, GLIMPSE_ACTION)};
  v.vectors = kind == GLIMPSE_BOUND_ALWAYS_ASK ? 1 : v.actions + (kind == GLIMPSE_BOUND_FIB_SR);
  size_t count = (size_t)v.vectors * v.states;
  v.value = calloc(count, sizeof *v.value);
  double *next = calloc(count, sizeof *next);
  assert_non_null(v.value);
  assert_non_null(next);
  for (double error = 1; error > 1e-13; error *= fmax(0.1, glimpse_model_discount(model))) {
    sweep(model, kind, &v, next);
    memcpy(v.value, next, count * sizeof *next);
  }
  free(next);
  return v;
}

/* With requests, QMDP has the vectors of the actions and that of FIB-SR for asking. */
naive_bound naive_bound_solve(const glimpse_model *model, glimpse_bound_kind kind) {
  naive_bound v = iterate(model, kind);
  if (kind != GLIMPSE_BOUND_QMDP || !glimpse_model_requests(model)) return v;
  naive_bound all = iterate(model, GLIMPSE_BOUND_FIB_SR);
  memcpy(all.value, v.value, sizeof *v.value * v.vectors * v.states);
  free(v.value);
  return all;
}

void naive_bound_free(naive_bound *bound) {
  free(bound->value);
  bound->value = NULL;
}
