/* Always: the two ends of the axis of prices.
 *
 * Asking whenever the state is not certain.  Behind an action a in a known state s the state is certain after an
 * observation that only one next state allows; else the agent asks, at the price of the state s' it is in:
 *
 *   v(s) = max_a [ R(s,a) + discount * sum_s' T(s'|s,a) ( v(s') - P(ambiguous|s,a,s') c(s') ) ].
 *
 * That is an MDP with other rewards, R(s,a) - discount * factor * pay(s,a), which the bounds of the library solve:
 * always_ask, on a copy of the model in which asking is free, bounds it from below, qmdp from above.
 *
 * Asking never.  Where the state is known for free it is worth M(s) at most (qmdp).  A blind plan is worth alpha(s).
 * Asking at a belief b gives at most sum_s b(s) (M(s) - factor * unit(s)), not asking at least sum_s b(s) alpha(s): the
 * first is not larger at any b if factor * unit(s) >= M(s) - alpha(s) in every state.  No plan needs a request then.
 *
 * Cost: `pay` visits every observation of every next state of every pair of state and action once. */
#include "price/always.h"

#include <float.h>

#include "base/memory.h"
#include "base/report.h"
#include "model/model.h"

/* -------------------------------------------------------------- scaled models */

double gli_scaled_unit(const gli_scaled *scaled, uint32_t s) {
  if (scaled->model->terminal[s]) return 0;
  return scaled->unit ? scaled->unit[s] : 1;
}

glimpse_model gli_scaled_at(const gli_scaled *scaled, double factor) {
  glimpse_model copy = *scaled->model;
  copy.requests = true;
  copy.cost = scaled->unit ? 0 : factor;
  copy.costs = scaled->costs;
  for (uint32_t s = 0; scaled->unit && s < copy.states; s++) scaled->costs[s] = factor * scaled->unit[s];
  return copy;
}

glimpse_model gli_scaled_off(const gli_scaled *scaled) {
  glimpse_model copy = *scaled->model;
  copy.requests = false;
  copy.cost = 0;
  copy.costs = NULL;
  return copy;
}

/* ------------------------------------------------------------------- asking */

/* Which observations are ambiguous after action a in state s: seen[o] counts the states that allow it. */
static double pay_after(const gli_scaled *scaled, uint32_t a, uint32_t s, uint32_t *seen) {
  const glimpse_model *model = scaled->model;
  glimpse_row next = glimpse_model_transition(model, a, s);
  double pay = 0;
  for (int pass = 0; pass < 3; pass++)
    for (size_t i = 0; i < next.count; i++) {
      glimpse_row row = glimpse_model_observation(model, a, next.index[i]);
      double ambiguous = 0;
      for (size_t k = 0; k < row.count; k++) {
        if (pass == 0) seen[row.index[k]]++;
        else if (pass == 2) seen[row.index[k]] = 0;
        else if (seen[row.index[k]] > 1) ambiguous += row.value[k];
      }
      if (pass == 1) pay += next.value[i] * ambiguous * gli_scaled_unit(scaled, next.index[i]);
    }
  return pay;
}

void gli_always_free(gli_always *always) {
  gli_memory_free(always->pay);
  gli_memory_free(always->reward);
  *always = (gli_always){0};
}

glimpse_status gli_always_new(const gli_scaled *scaled, gli_always *always) {
  const glimpse_model *model = scaled->model;
  size_t rows = (size_t)model->actions * model->states;
  uint32_t *seen = GLI_NEW(uint32_t, model->observations);
  *always = (gli_always){.scaled = scaled, .pay = GLI_NEW(double, rows), .reward = GLI_NEW(double, rows)};
  bool room = seen && always->pay && always->reward;
  uint64_t longest = 0;
  for (uint32_t a = 0; room && a < model->actions; a++)
    for (uint32_t s = 0; s < model->states; s++) {
      if (!model->terminal[s]) always->pay[gli_model_row(model, a, s)] = pay_after(scaled, a, s, seen);
      size_t count = glimpse_model_transition(model, a, s).count, shown = glimpse_model_observation(model, a, s).count;
      if (count + shown > longest) longest = count + shown;
    }
  /* Sums of positive terms, rows that sum to 1 within rounding: each term and each sum errs by a few steps. */
  double by = (4 * (double)longest + 16) * DBL_EPSILON;
  always->off = (glimpse_interval){1 - by, 1 + by};
  gli_memory_free(seen);
  if (room) return GLIMPSE_OK;
  gli_always_free(always);
  return GLIMPSE_NO_MEMORY;
}

/* The rewards after which nothing is paid any more, moved to one side. */
static void fill_rewards(const gli_always *always, double factor, bool up) {
  const glimpse_model *model = always->scaled->model;
  for (size_t i = 0, rows = (size_t)model->actions * model->states; i < rows; i++) {
    double pay = model->discount * factor * always->pay[i] * (up ? always->off.low : always->off.high);
    double reward = model->reward[i] - pay;
    always->reward[i] = !(pay > 0) ? model->reward[i] : up ? gli_up(reward) : gli_down(reward);
  }
}

/* Largest entry of the vectors of a bound in a state. */
static double largest(const glimpse_bound *bound, uint32_t s) {
  double most = -INFINITY;
  for (uint32_t k = 0; k < glimpse_bound_measure(bound).vectors; k++)
    most = fmax(most, glimpse_bound_entry(bound, k, s));
  return most;
}

/* What it is worth at the start to be asked, or to be certain there. */
static double at_start(const gli_scaled *scaled, const glimpse_bound *bound, double factor, bool up) {
  glimpse_row start = glimpse_model_start(scaled->model);
  if (start.count == 1) return largest(bound, start.index[0]);
  double sum = 0, by = (2 * (double)start.count + 16) * DBL_EPSILON;
  for (size_t i = 0; i < start.count; i++) {
    double v = largest(bound, start.index[i]), price = factor * gli_scaled_unit(scaled, start.index[i]);
    sum += start.value[i] * (v - price + (up ? by : -by) * (fabs(v) + price));
  }
  return sum;
}

/* One side of it. */
static glimpse_status side_value(const gli_always *always, double factor, bool up, const glimpse_bound_options *options,
                                 glimpse_report *report, double *value) {
  const gli_scaled *scaled = always->scaled;
  glimpse_model copy = gli_scaled_off(scaled);
  copy.requests = !up;
  copy.reward = always->reward;
  fill_rewards(always, factor, up);
  glimpse_bound *bound;
  glimpse_status status =
      glimpse_bound_new(&copy, up ? GLIMPSE_BOUND_QMDP : GLIMPSE_BOUND_ALWAYS_ASK, options, report, &bound);
  if (!status) *value = at_start(scaled, bound, factor, up);
  glimpse_bound_free(bound);
  return status;
}

glimpse_status gli_always_value(const gli_always *always, double factor, const glimpse_bound_options *options,
                                glimpse_report *report, glimpse_interval *value) {
  glimpse_status status = side_value(always, factor, false, options, report, &value->low);
  return status ? status : side_value(always, factor, true, options, report, &value->high);
}

/* -------------------------------------------------------------------- never */

/* The factor at which a blind plan needs no request. */
static double never_by(const gli_scaled *scaled, const glimpse_bound *upper, const glimpse_bound *blind, uint32_t k,
                       bool priced) {
  double never = 0;
  for (uint32_t s = 0; s < scaled->model->states; s++) {
    double gain = gli_up(largest(upper, s) - glimpse_bound_entry(blind, k, s)), unit = gli_scaled_unit(scaled, s);
    if (scaled->model->terminal[s] || !(gain > 0)) continue;
    if (unit > 0) never = fmax(never, gli_up(gain / unit));
    else if (!priced) never = INFINITY;
  }
  return never;
}

glimpse_status gli_always_never(const gli_scaled *scaled, const glimpse_bound_options *options, glimpse_report *report,
                                double *never, double *scale) {
  glimpse_model copy = gli_scaled_off(scaled);
  glimpse_bound *upper = NULL, *blind = NULL;
  glimpse_status status = glimpse_bound_new(&copy, GLIMPSE_BOUND_QMDP, options, report, &upper);
  if (!status) status = glimpse_bound_new(&copy, GLIMPSE_BOUND_BLIND, options, report, &blind);
  *never = *scale = INFINITY;
  for (uint32_t k = 0; !status && k < copy.actions; k++) {
    *never = fmin(*never, never_by(scaled, upper, blind, k, false));
    *scale = fmin(*scale, never_by(scaled, upper, blind, k, true));
  }
  glimpse_bound_free(upper);
  glimpse_bound_free(blind);
  return status;
}
