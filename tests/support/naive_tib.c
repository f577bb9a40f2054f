/* Naive TIB: see naive_tib.h. */
#include "support/naive_tib.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/price.h"

size_t naive_tib_index(const naive_tib *tib, uint32_t s, uint32_t a, uint32_t o) {
  return ((size_t)s * tib->actions + a) * tib->observations + o;
}

static double *room(size_t count) {
  double *made = calloc(count ? count : 1, sizeof *made);
  assert_non_null(made);
  return made;
}

static void find_beliefs(naive_tib *tib) {
  for (uint32_t s = 0; s < tib->states; s++)
    for (uint32_t a = 0; a < tib->actions; a++) {
      glimpse_row moves = glimpse_model_transition(tib->model, a, s);
      for (size_t i = 0; i < moves.count; i++) {
        glimpse_row shows = glimpse_model_observation(tib->model, a, moves.index[i]);
        for (size_t j = 0; j < shows.count; j++) {
          size_t at = naive_tib_index(tib, s, a, shows.index[j]);
          tib->belief[at * tib->states + moves.index[i]] += moves.value[i] * shows.value[j];
          tib->chance[at] += moves.value[i] * shows.value[j];
        }
      }
      for (uint32_t o = 0; o < tib->observations; o++) {
        size_t at = naive_tib_index(tib, s, a, o);
        for (uint32_t s2 = 0; s2 < tib->states && tib->chance[at] > 0; s2++)
          tib->belief[at * tib->states + s2] /= tib->chance[at];
      }
    }
}

static double look_ahead(const naive_tib *tib, const double *belief, uint32_t a) {
  double sum = 0, reward = 0;
  for (uint32_t s = 0; s < tib->states; s++) reward += belief[s] * glimpse_model_reward(tib->model, a, s);
  for (uint32_t o = 0; o < tib->observations; o++) {
    double best = -INFINITY;
    for (uint32_t k = 0; k < tib->choices; k++) {
      double part = 0;
      for (uint32_t s = 0; s < tib->states; s++) {
        size_t at = naive_tib_index(tib, s, a, o);
        part += belief[s] * tib->chance[at] * tib->value[at * tib->choices + k];
      }
      best = fmax(best, part);
    }
    sum += best;
  }
  return reward + glimpse_model_discount(tib->model) * sum;
}

static double asking(const naive_tib *tib, const double *belief) {
  double sum = 0;
  for (uint32_t s = 0; s < tib->states; s++) {
    double known = -INFINITY;
    for (uint32_t a = 0; a < tib->actions; a++) known = fmax(known, tib->corner[s * tib->choices + a]);
    sum += belief[s] * (known - price_in(tib->model, s));
  }
  return sum;
}

double naive_tib_value(const naive_tib *tib, const double *belief) {
  double best = tib->choices > tib->actions ? asking(tib, belief) : -INFINITY;
  for (uint32_t a = 0; a < tib->actions; a++) best = fmax(best, look_ahead(tib, belief, a));
  return best;
}

static void fill_line(const naive_tib *tib, const double *belief, double *line) {
  for (uint32_t a = 0; a < tib->actions; a++) line[a] = look_ahead(tib, belief, a);
}

naive_tib naive_tib_solve(const glimpse_model *model) {
  naive_tib tib = {.model = model,
                   .states = glimpse_model_count(model, GLIMPSE_STATE),
                   .actions = glimpse_model_count(model, GLIMPSE_ACTION),
                   .observations = glimpse_model_count(model, GLIMPSE_OBSERVATION)};
  tib.choices = tib.actions + glimpse_model_requests(model);
  size_t beliefs = (size_t)tib.states * tib.actions * tib.observations;
  tib.belief = room(beliefs * tib.states);
  tib.chance = room(beliefs);
  tib.value = room(beliefs * tib.choices);
  tib.corner = room((size_t)tib.states * tib.choices);
  double *value = room(beliefs * tib.choices), *corner = room((size_t)tib.states * tib.choices);
  double *certain = room(tib.states), most = 0;
  find_beliefs(&tib);
  for (uint32_t s = 0; s < tib.states; s++)
    for (uint32_t a = 0; a < tib.actions; a++) most = fmax(most, fabs(glimpse_model_reward(model, a, s)));
  for (size_t i = 0; i < beliefs * tib.choices; i++) tib.value[i] = most / (1 - glimpse_model_discount(model));
  for (double error = 1; error > 1e-13; error *= fmax(0.1, glimpse_model_discount(model))) {
    for (uint32_t s = 0; s < tib.states; s++) {
      certain[s] = 1;
      fill_line(&tib, certain, corner + s * tib.choices);
      certain[s] = 0;
    }
    memcpy(tib.corner, corner, sizeof *corner * tib.states * tib.choices);
    for (size_t i = 0; i < beliefs; i++)
      if (tib.chance[i] > 0) fill_line(&tib, tib.belief + i * tib.states, value + i * tib.choices);
    memcpy(tib.value, value, sizeof *value * beliefs * tib.choices);
    for (size_t i = 0; i < beliefs && tib.choices > tib.actions; i++)
      tib.value[i * tib.choices + tib.actions] = asking(&tib, tib.belief + i * tib.states);
  }
  for (uint32_t s = 0; s < tib.states && tib.choices > tib.actions; s++) {
    certain[s] = 1;
    tib.corner[s * tib.choices + tib.actions] = asking(&tib, certain);
    certain[s] = 0;
  }
  free(value);
  free(corner);
  free(certain);
  return tib;
}

void naive_tib_free(naive_tib *tib) {
  free(tib->belief);
  free(tib->chance);
  free(tib->value);
  free(tib->corner);
}
