/* Rules of baselines: when they ask, and what they do.
 *
 * Which action.  Both ways look one step ahead with a value w per state,
 *
 *   B_w(b,a) = sum_s b(s) [ R(s,a) + discount * sum_s' T(s'|s,a) w(s') ],
 *
 *   qmdp   w is the value if the state were always known for free;
 *   lower  w is the value of asking before every action, so that B_w(b,a) is what "do
 *          a, then always ask" is worth; against it stands blind, "always do a".  The
 *          action of the larger of the two is taken.  A planner that never asks must
 *          not count on asking, and one that always asks cannot stop: these two look
 *          at blind and at B_w alone.  So each does no worse than its bound promises.
 *
 * Two rules come from the literature and know themselves which action.
 *
 *   act-then-measure (Krale, Simao and Jansen, 2023) acts by qmdp.  With Q(s,a) = B_w(s,a) for the w of qmdp,
 *
 *     MV(b) = sum_s b(s) max_a Q(s,a) - max_a sum_s b(s) Q(s,a)
 *
 *          is what knowing the state would gain here, were it known for free from the next step on.  It also asks when
 *          the action would leave the belief as it is, as its authors' planner does: else it would stand still for
 * ever. spi (after Kapoor and Nair, 2025) takes the choice that promises most: an action the best of "always do a", "do
 *          a, then ask and go on by sequence" and the plans of sequence that begin with it, asking "ask and go on by
 *          sequence".  Each promise rests on promises at the beliefs that follow, so that choosing anew at each of
 *          them earns no less: spi earns at least the bound sequence. */
#include <math.h>

#include "belief/belief.h"
#include "model/model.h"
#include "planners/baseline.h"

/* -------------------------------------------------------------------- values */

/* The product of one vector of a bound with a belief, moved outward by what rounding may have moved it inward. */
static double vector_at(const glimpse_bound *bound, uint32_t k, glimpse_row belief) {
  double outward = gli_bound_outward(belief.count);
  return gli_bound_vector(bound, k, belief, glimpse_bound_get(bound->result.kind)->side < 0 ? -outward : outward);
}

/* B_w(b,a). */
double gli_baseline_ahead(const glimpse_model *model, glimpse_row belief, uint32_t a, const double *w) {
  double sum = 0;
  for (size_t i = 0; i < belief.count; i++) {
    uint32_t s = belief.index[i];
    if (model->terminal[s]) continue;
    uint64_t r = gli_model_row(model, a, s);
    glimpse_row row = gli_table_row(&model->transition, r);
    double next = 0;
    for (size_t k = 0; k < row.count; k++) next += row.value[k] * w[row.index[k]];
    sum += belief.value[i] * (model->reward[r] + model->discount * next);
  }
  return sum;
}

/* "Do a, then always ask"; minus infinity where the agent may not ask. */
static double then_ask(const gli_baseline *self, glimpse_row belief, uint32_t a) {
  const glimpse_bound *always_ask = self->planner.offline->always_ask;
  return always_ask ? gli_baseline_ahead(self->planner.model, belief, a, always_ask->value) : -(double)INFINITY;
}

/* What the best plan that begins with a choice is worth at least. */
static double promise(const gli_baseline *self, glimpse_row belief, uint32_t choice) {
  return fmax(gli_baseline_bounds(self, belief, choice).lower,
              gli_bound_promise(self->planner.offline->sequence, choice, belief));
}

/* What the rule for actions goes by. */
double gli_baseline_score(const gli_baseline *self, glimpse_row belief, uint32_t a) {
  const glimpse_offline *offline = self->planner.offline;
  const glimpse_planner_options *options = &self->planner.options;
  if (options->kind == GLIMPSE_PLANNER_SPI) return promise(self, belief, a);
  if (options->kind == GLIMPSE_PLANNER_ACT_THEN_MEASURE || options->act == GLIMPSE_ACT_QMDP)
    return gli_baseline_ahead(self->planner.model, belief, a, offline->upper->known);
  if (self->constant) return then_ask(self, belief, a);
  double blind = vector_at(offline->blind, a, belief);
  return self->silent ? blind : fmax(blind, then_ask(self, belief, a));
}

/* The first of the best actions. */
uint32_t gli_baseline_best(const gli_baseline *self, glimpse_row belief) {
  uint32_t best = 0;
  double most = gli_baseline_score(self, belief, 0);
  for (uint32_t a = 1; a < self->planner.model->actions; a++) {
    double value = gli_baseline_score(self, belief, a);
    if (value > most) most = value, best = a;
  }
  return best;
}

/* An action, or asking (GLIMPSE_ANY); asking must be possible. */
glimpse_choice gli_baseline_bounds(const gli_baseline *self, glimpse_row belief, uint32_t action) {
  const glimpse_offline *offline = self->planner.offline;
  const glimpse_model *model = self->planner.model;
  const double *asking = offline->sequence->asking; /* ask, and then a string */
  uint32_t k = action == GLIMPSE_ANY ? model->actions : action;
  glimpse_choice choice = {.value = NAN};
  choice.upper = fmin(vector_at(offline->upper, k, belief), vector_at(offline->tib, k, belief));
  if (action == GLIMPSE_ANY) {
    double ask = 0;
    for (size_t i = 0; i < belief.count; i++) ask += belief.value[i] * asking[belief.index[i]];
    choice.lower = fmax(vector_at(offline->always_ask, 0, belief), ask - self->slack);
  } else {
    choice.lower = fmax(vector_at(offline->blind, action, belief), then_ask(self, belief, action) - self->slack);
    if (asking) choice.lower = fmax(choice.lower, gli_baseline_ahead(model, belief, action, asking) - self->slack);
  }
  return choice;
}

/* Between what the optimal value lies; `told`: asking is no choice. */
static void bracket_choices(const gli_baseline *self, glimpse_row belief, bool told, double *lower, double *upper) {
  const glimpse_model *model = self->planner.model;
  *lower = *upper = -(double)INFINITY;
  for (uint32_t a = 0; a < model->actions; a++) {
    glimpse_choice choice = gli_baseline_bounds(self, belief, a);
    *lower = fmax(*lower, choice.lower);
    *upper = fmax(*upper, choice.upper);
  }
  if (told || !model->requests) return;
  glimpse_choice ask = gli_baseline_bounds(self, belief, GLIMPSE_ANY);
  *lower = fmax(*lower, ask.lower);
  *upper = fmax(*upper, ask.upper);
}

/* The same, not wider than the offline bounds. */
void gli_baseline_bracket(const gli_baseline *self, glimpse_row belief, bool told, double *lower, double *upper) {
  double least, most;
  bracket_choices(self, belief, told, lower, upper);
  glimpse_offline_value(self->planner.offline, belief, &least, &most);
  *lower = fmax(*lower, least);
  *upper = fmin(*upper, most);
}

/* ------------------------------------------------------------------ the rule */

bool gli_baseline_over(const glimpse_model *model, glimpse_row belief) {
  for (size_t i = 0; i < belief.count; i++)
    if (!model->terminal[belief.index[i]]) return false;
  return true;
}

static double entry(glimpse_row row, uint32_t i) {
  size_t low = 0, high = row.count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (row.index[middle] < i) low = middle + 1;
    else high = middle;
  }
  return low < row.count && row.index[low] == i ? row.value[low] : 0;
}

/* Does what is seen after an action not tell the states of a belief apart? */
static bool blind_to(const glimpse_model *model, glimpse_row belief, uint32_t a) {
  glimpse_row first = gli_table_row(&model->observe, gli_model_row(model, a, belief.index[0]));
  for (size_t i = 1; i < belief.count; i++) {
    glimpse_row row = gli_table_row(&model->observe, gli_model_row(model, a, belief.index[i]));
    if (row.count != first.count) return false;
    for (size_t k = 0; k < row.count; k++)
      if (row.index[k] != first.index[k] || fabs(row.value[k] - first.value[k]) > 1e-9) return false;
  }
  return true;
}

/* Does an action leave the belief as it is, within rounding?  What is so in all of its states is so everywhere. */
static bool stays(const glimpse_model *model, glimpse_row belief, uint32_t a) {
  for (size_t i = 0; i < belief.count; i++) {
    double next = 0;
    for (size_t k = 0; k < belief.count; k++) {
      uint64_t r = gli_model_row(model, a, belief.index[k]);
      next += belief.value[k] * entry(gli_table_row(&model->transition, r), belief.index[i]);
    }
    if (fabs(next - belief.value[i]) > 1e-9) return false;
  }
  return blind_to(model, belief, a);
}

/* Is MV above the price, or would it stand still? */
static bool pays(const gli_baseline *self, glimpse_row belief) {
  const glimpse_model *model = self->planner.model;
  double known = 0, price = 0;
  for (size_t i = 0; i < belief.count; i++) {
    uint32_t s = belief.index[i];
    double one = 1;
    glimpse_row corner = {1, &s, &one};
    known += belief.value[i] * gli_baseline_score(self, corner, gli_baseline_best(self, corner));
    price += belief.value[i] * gli_model_price(model, s);
  }
  uint32_t a = gli_baseline_best(self, belief);
  return known - gli_baseline_score(self, belief, a) > price || (belief.count > 1 && stays(model, belief, a));
}

/* Does asking promise more than acting? */
static bool promises(const gli_baseline *self, glimpse_row belief) {
  return self->planner.model->requests && belief.count > 1 &&
         promise(self, belief, GLIMPSE_ANY) > promise(self, belief, gli_baseline_best(self, belief));
}

/* Should it ask here, when the state was told so many steps ago? */
bool gli_baseline_asks(const gli_baseline *self, glimpse_row belief, uint64_t since) {
  const glimpse_planner_options *options = &self->planner.options;
  if (gli_baseline_over(self->planner.model, belief)) return false;
  switch (options->kind) {
    case GLIMPSE_PLANNER_ALWAYS_ASK: return true;
    case GLIMPSE_PLANNER_ASK_EVERY: return since >= options->every;
    /* "2 bits" must mean the same as four equal states, whatever the rounding. */
    case GLIMPSE_PLANNER_ASK_ENTROPY: return gli_belief_entropy(belief) > options->entropy * (1 + 1e-12);
    case GLIMPSE_PLANNER_ACT_THEN_MEASURE: return pays(self, belief);
    case GLIMPSE_PLANNER_SPI: return promises(self, belief);
    default: return false;
  }
}
