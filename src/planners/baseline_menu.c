/* Baselines in a model with inquiries or limits: what they choose in its planning model (src/model/layers.c).
 *
 * The rules that only know when to ask (never-ask, always-ask, ask-every, ask-entropy) ask what tells most: the inquiry
 * after which the least bits are left on average, at most one before an action or a step; one that goes together with
 * an action goes with that of the rule for actions.
 *
 * act-then-measure has a measuring value for each inquiry.  With Q of qmdp in the phase of acting, and
 * A(b) = max_a sum_s b(s) Q(s,a),
 *
 *   MV_i(b) = sum_z P(z|b) A(b_z) - A(b)
 *
 * is what the answer gains if one acts after it and all is known from the next step on; for an inquiry that tells the
 * state it is that of baseline.c.  It asks what gains most over its price, MV_i(b) - price_i(b) > 0.  Asking as a step
 * discounts the first term; asking together with the action compares the beliefs that follow the action.  Each is one
 * look ahead in the planning model.
 *
 * spi has no meaning here: its strings ignore answers, so that only an inquiry that tells the state ends one. */
#include <math.h>

#include "model/layers.h"
#include "model/model.h"
#include "planners/baseline.h"

/* The layer of a belief of a planning model; at the end of a horizon there is nothing left to choose. */
uint32_t gli_baseline_layer(const glimpse_model *model, glimpse_row belief) {
  uint32_t layer = belief.index[0] / model->layers->states;
  return layer < model->layers->count ? layer : GLIMPSE_ANY;
}

/* What a choice does in a layer, where its name says it; false: it stands for another one. */
static bool means(const glimpse_model *model, uint32_t layer, uint32_t c, glimpse_move *move) {
  glimpse_move meaning = glimpse_planning_meaning(model, c);
  *move = glimpse_planning_move(model, layer, c);
  return move->action == meaning.action && move->inquiry == meaning.inquiry;
}

/* The best choice that asks nothing: an action or, in an early phase, to go on. */
uint32_t gli_baseline_quiet(const gli_baseline *self, glimpse_row belief, uint32_t layer) {
  const glimpse_model *model = self->planner.model;
  uint32_t best = 0;
  double most = -(double)INFINITY;
  for (uint32_t c = 0; c < model->layers->actions; c++) {
    glimpse_move move;
    if (!means(model, layer, c, &move)) continue;
    double value = gli_baseline_score(self, belief, c);
    if (value > most) most = value, best = c;
  }
  return best;
}

/* The bits that are left on average after a choice; infinite: out of memory. */
static double bits_after(gli_baseline *self, glimpse_row belief, uint32_t c) {
  if (!gli_belief_children(self->work, belief, c, &self->children)) {
    self->failed = true;
    return (double)INFINITY;
  }
  double bits = 0;
  for (size_t i = 0; i < self->children.count; i++)
    bits += self->children.probability[i] * gli_belief_entropy(gli_children_row(&self->children, i));
  return bits;
}

/* The inquiry after which the least bits are left, of equal ones the first, together with the action `a` where it needs
 * one; GLIMPSE_ANY: nothing can be asked here. */
static uint32_t telling_choice(gli_baseline *self, glimpse_row belief, uint32_t layer, uint32_t a) {
  const glimpse_model *model = self->planner.model;
  uint32_t best = GLIMPSE_ANY;
  double least = (double)INFINITY;
  for (uint32_t c = model->layers->actions; c < model->actions; c++) {
    glimpse_move move;
    if (!means(model, layer, c, &move) || (move.action != GLIMPSE_ANY && move.action != a)) continue;
    double bits = bits_after(self, belief, c);
    if (bits < least * (1 - 1e-12)) least = bits, best = c;
  }
  return best;
}

/* -------------------------------------------------------- act-then-measure */

/* The phase of acting in the step of a layer; *discount: of the way there. */
static uint32_t acting_layer(const glimpse_model *model, uint32_t layer, double *discount) {
  *discount = 1;
  while (model->layers->layer[layer].phase < model->layers->phases) {
    *discount *= model->discount;
    layer = glimpse_planning_next(model, layer, 0);
  }
  return layer;
}

/* What acting at once by qmdp is worth, and the action; in units of the belief's layer. */
static double acting(const gli_baseline *self, glimpse_row belief, uint32_t *action) {
  const glimpse_model *model = self->planner.model;
  uint32_t layer = gli_baseline_layer(model, belief), states = model->layers->states;
  double discount, most = -(double)INFINITY, one = 1;
  *action = 0;
  if (layer == GLIMPSE_ANY) return 0;
  layer = acting_layer(model, layer, &discount);
  for (uint32_t a = 0; a < model->layers->actions; a++) {
    double sum = 0;
    for (size_t i = 0; i < belief.count; i++) {
      uint32_t x = layer * states + belief.index[i] % states;
      sum += belief.value[i] *
             gli_baseline_ahead(model, (glimpse_row){1, &x, &one}, a, self->planner.offline->upper->known);
    }
    if (sum > most) most = sum, *action = a;
  }
  return discount * most;
}

/* What a choice is worth if one then acts so; minus infinity: out of memory. */
static double then_acting(gli_baseline *self, glimpse_row belief, uint32_t c) {
  const glimpse_model *model = self->planner.model;
  uint32_t action;
  double sum = 0;
  if (!gli_belief_children(self->work, belief, c, &self->children)) {
    self->failed = true;
    return -(double)INFINITY;
  }
  for (size_t i = 0; i < belief.count; i++)
    sum += belief.value[i] * model->reward[gli_model_row(model, c, belief.index[i])];
  for (size_t i = 0; i < self->children.count; i++)
    sum +=
        model->discount * self->children.probability[i] * acting(self, gli_children_row(&self->children, i), &action);
  return sum;
}

/* Would the action leave the belief as it is, within rounding, with nothing seen that tells its states apart? */
static bool stands_still(const gli_baseline *self, glimpse_row belief, uint32_t layer, uint32_t a) {
  const glimpse_model *model = self->planner.model;
  uint32_t states = model->layers->states;
  double discount;
  layer = acting_layer(model, layer, &discount);
  uint32_t next = glimpse_planning_next(model, layer, a);
  if (next == GLIMPSE_ANY || belief.count < 2) return false;
  glimpse_row first = glimpse_model_observation(model, a, next * states + belief.index[0] % states);
  for (size_t i = 0; i < belief.count; i++) {
    uint32_t to = next * states + belief.index[i] % states;
    glimpse_row seen = glimpse_model_observation(model, a, to);
    double p = 0;
    for (size_t k = 0; k < belief.count; k++) {
      glimpse_row row = glimpse_model_transition(model, a, layer * states + belief.index[k] % states);
      for (size_t n = 0; n < row.count; n++) p += row.index[n] == to ? belief.value[k] * row.value[n] : 0;
    }
    bool same = fabs(p - belief.value[i]) <= 1e-9 && seen.count == first.count;
    for (size_t n = 0; same && n < seen.count; n++)
      same = seen.index[n] == first.index[n] && fabs(seen.value[n] - first.value[n]) <= 1e-9;
    if (!same) return false;
  }
  return true;
}

/* The inquiry whose measuring value exceeds its price most, together with the action where it needs one; what tells
 * most where the action would leave the belief as it is; GLIMPSE_ANY: none. */
static uint32_t measuring_choice(gli_baseline *self, glimpse_row belief, uint32_t layer) {
  const glimpse_model *model = self->planner.model;
  uint32_t a, best = GLIMPSE_ANY;
  double quiet = acting(self, belief, &a), most = 0;
  for (uint32_t c = model->layers->actions; c < model->actions; c++) {
    glimpse_move move;
    if (!means(model, layer, c, &move) || (move.action != GLIMPSE_ANY && move.action != a)) continue;
    double gain = then_acting(self, belief, c) - (move.action == GLIMPSE_ANY ? quiet : then_acting(self, belief, a));
    if (gain > most) most = gain, best = c;
  }
  if (best != GLIMPSE_ANY || !stands_still(self, belief, layer, a)) return best;
  return telling_choice(self, belief, layer, a);
}

/* The choice in a planning model: what tells most where the rule asks, once before an action. */
uint32_t gli_baseline_choose(gli_baseline *self, glimpse_row belief, bool told, uint64_t since) {
  uint32_t layer = gli_baseline_layer(self->planner.model, belief);
  if (layer == GLIMPSE_ANY) return 0;
  const glimpse_planner_options *options = &self->planner.options;
  uint32_t quiet = gli_baseline_quiet(self, belief, layer);
  if (told || self->silent || gli_baseline_over(self->planner.model, belief)) return quiet;
  if (options->kind == GLIMPSE_PLANNER_ACT_THEN_MEASURE) {
    uint32_t measuring = measuring_choice(self, belief, layer);
    return measuring == GLIMPSE_ANY ? quiet : measuring;
  }
  uint32_t telling = telling_choice(self, belief, layer, quiet);
  if (telling == GLIMPSE_ANY) return quiet;
  bool later = glimpse_planning_meaning(self->planner.model, telling).action != GLIMPSE_ANY;
  if (later && options->kind == GLIMPSE_PLANNER_ASK_ENTROPY) /* the answer is about what follows the action */
    return bits_after(self, belief, quiet) > options->entropy * (1 + 1e-12) ? telling : quiet;
  return gli_baseline_asks(self, belief, since) ? telling : quiet;
}

/* What a choice in a layer changes in what the rule counts. */
void gli_baseline_count(const glimpse_model *model, uint32_t layer, uint32_t c, bool *told, uint64_t *since) {
  if (layer == GLIMPSE_ANY) return;
  glimpse_move move = glimpse_planning_move(model, layer, c);
  if (move.inquiry != GLIMPSE_ANY) *since = 0;
  if (move.action != GLIMPSE_ANY) ++*since;
  if (move.action != GLIMPSE_ANY || move.inquiry != GLIMPSE_ANY) *told = move.action == GLIMPSE_ANY;
}
