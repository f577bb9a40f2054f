/* Naive baselines: see naive_baseline.h. */
#include "support/naive_baseline.h"

#include <math.h>

naive_baseline naive_baseline_of(const glimpse_model *model) {
  naive_baseline n = {.model = model,
                      .states = glimpse_model_count(model, GLIMPSE_STATE),
                      .actions = glimpse_model_count(model, GLIMPSE_ACTION),
                      .observations = glimpse_model_count(model, GLIMPSE_OBSERVATION),
                      .discount = glimpse_model_discount(model),
                      .qmdp = naive_bound_solve(model, GLIMPSE_BOUND_QMDP),
                      .blind = naive_bound_solve(model, GLIMPSE_BOUND_BLIND)};
  if (glimpse_model_requests(model)) n.always_ask = naive_bound_solve(model, GLIMPSE_BOUND_ALWAYS_ASK);
  return n;
}

void naive_baseline_free(naive_baseline *n) {
  naive_bound_free(&n->qmdp);
  naive_bound_free(&n->blind);
  if (n->always_ask.value) naive_bound_free(&n->always_ask);
}

double naive_baseline_dot(const naive_bound *bound, uint32_t k, const double *belief) {
  double sum = 0;
  for (uint32_t s = 0; s < bound->states; s++) sum += belief[s] * bound->value[k * bound->states + s];
  return sum;
}

double naive_baseline_entry(glimpse_row row, uint32_t i) {
  for (size_t k = 0; k < row.count; k++)
    if (row.index[k] == i) return row.value[k];
  return 0;
}

/* Do a, then ask before every action. */
static double then_ask(const naive_baseline *n, const double *belief, uint32_t a) {
  double sum = 0;
  for (uint32_t s = 0; s < n->states; s++) {
    if (glimpse_model_terminal(n->model, s)) continue;
    glimpse_row row = glimpse_model_transition(n->model, a, s);
    sum += belief[s] * glimpse_model_reward(n->model, a, s);
    for (uint32_t s2 = 0; s2 < n->states; s2++)
      sum += belief[s] * n->discount * naive_baseline_entry(row, s2) * n->always_ask.value[s2];
  }
  return sum;
}

double naive_baseline_score(const naive_baseline *n, const glimpse_planner_options *options, const double *belief,
                            uint32_t a) {
  if (options->act == GLIMPSE_ACT_QMDP) return naive_baseline_dot(&n->qmdp, a, belief);
  bool always = options->kind == GLIMPSE_PLANNER_ALWAYS_ASK ||
                (options->kind == GLIMPSE_PLANNER_ASK_EVERY && options->every == 1);
  if (options->kind == GLIMPSE_PLANNER_NEVER_ASK) return naive_baseline_dot(&n->blind, a, belief);
  if (always) return then_ask(n, belief, a);
  return fmax(naive_baseline_dot(&n->blind, a, belief), then_ask(n, belief, a));
}
