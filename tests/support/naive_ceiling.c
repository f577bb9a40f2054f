#include "support/naive_ceiling.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

void naive_ceiling_dense(glimpse_row row, const glimpse_model *model, double *belief) {
  uint32_t states = glimpse_model_count(model, GLIMPSE_STATE);
  assert_true(states <= NAIVE_CEILING_STATES);
  memset(belief, 0, states * sizeof *belief);
  for (size_t i = 0; i < row.count; i++) belief[row.index[i]] = row.value[i];
}

static double product(const gli_ceiling *ceiling, const double *belief, uint32_t a) {
  double sum = 0;
  for (uint32_t s = 0; s < ceiling->states; s++) sum += belief[s] * ceiling->corner[(size_t)s * ceiling->actions + a];
  return sum;
}

double naive_ceiling_value(const gli_ceiling *ceiling, const glimpse_model *model, const double *belief) {
  double best = -INFINITY, ask = 0;
  for (uint32_t a = 0; a < ceiling->actions; a++) {
    double down = 0;
    for (size_t i = 0; i < ceiling->points; i++) {
      glimpse_row point = gli_ceiling_point(ceiling, i);
      double dense[NAIVE_CEILING_STATES], weight = INFINITY, number = ceiling->value[i * ceiling->actions + a];
      naive_ceiling_dense(point, model, dense);
      for (size_t k = 0; k < point.count; k++) weight = fmin(weight, belief[point.index[k]] / point.value[k]);
      if (isfinite(number)) down = fmin(down, weight * fmin(0, number - product(ceiling, dense, a)));
    }
    best = fmax(best, product(ceiling, belief, a) + down);
  }
  for (uint32_t s = 0; s < ceiling->states; s++) {
    double known = -INFINITY;
    for (uint32_t a = 0; a < ceiling->actions; a++)
      known = fmax(known, ceiling->corner[(size_t)s * ceiling->actions + a]);
    ask += belief[s] * (known - (glimpse_model_terminal(model, s) ? 0 : glimpse_model_cost(model, s)));
  }
  return glimpse_model_requests(model) ? fmax(best, ask) : best;
}

double naive_ceiling_look_ahead(const gli_ceiling *ceiling, const glimpse_model *model, const double *belief,
                                uint32_t a) {
  double after[NAIVE_CEILING_STATES] = {0}, value = 0;
  for (uint32_t s = 0; s < ceiling->states; s++) {
    glimpse_row next = glimpse_model_transition(model, a, s);
    value += belief[s] * glimpse_model_reward(model, a, s);
    for (size_t i = 0; i < next.count; i++) after[next.index[i]] += belief[s] * next.value[i];
  }
  for (uint32_t o = 0; o < glimpse_model_count(model, GLIMPSE_OBSERVATION); o++) {
    double child[NAIVE_CEILING_STATES] = {0}, chance = 0;
    for (uint32_t s = 0; s < ceiling->states; s++) {
      glimpse_row shown = glimpse_model_observation(model, a, s);
      for (size_t i = 0; i < shown.count; i++)
        if (shown.index[i] == o) child[s] = after[s] * shown.value[i];
      chance += child[s];
    }
    if (!(chance > 0)) continue;
    for (uint32_t s = 0; s < ceiling->states; s++) child[s] /= chance;
    value += glimpse_model_discount(model) * chance * naive_ceiling_value(ceiling, model, child);
  }
  return value;
}

double naive_ceiling_excess(const gli_ceiling *ceiling, const glimpse_model *model) {
  double worst = 0, dense[NAIVE_CEILING_STATES];
  for (uint32_t a = 0; a < ceiling->actions; a++) {
    for (uint32_t s = 0; s < ceiling->states; s++) {
      memset(dense, 0, sizeof dense);
      dense[s] = 1;
      double number = ceiling->corner[(size_t)s * ceiling->actions + a];
      worst = fmax(worst, naive_ceiling_look_ahead(ceiling, model, dense, a) - number);
    }
    for (size_t i = 0; i < ceiling->points; i++) {
      double number = ceiling->value[i * ceiling->actions + a];
      if (!isfinite(number)) continue;
      naive_ceiling_dense(gli_ceiling_point(ceiling, i), model, dense);
      worst = fmax(worst, naive_ceiling_look_ahead(ceiling, model, dense, a) - number);
    }
  }
  return worst;
}
