/* Baselines: planners that follow a rule and search nothing (docs/PLANNERS.md).
 *
 * Whether to ask:
 *   never-ask    no
 *   always-ask   yes
 *   ask-every    when k steps have passed since the state was last told, and at first
 *   ask-entropy  when the entropy of the belief is above a threshold
 *   act-then-measure  when MV(b) is above the price, or acting would change nothing, see below
 *   spi          when asking promises more than every action
 * but never twice in a step, and not when all is over: where only terminal states
 * are possible there is nothing left to learn.
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
 *          them earns no less: spi earns at least the bound sequence.
 *
 * The bounds that are reported are bounds on the optimal value, as for every planner,
 * not on what the rule earns: an action is worth at least the two plans of `lower` and
 * "do a, then what sequence promises", and at most its vectors of the upper bounds; the whole at least and
 * at most what all offline bounds say.
 * Nothing here is random.  A decision costs
 * one look at each transition from the support of the belief. */
#include <float.h>
#include <math.h>

#include "base/clock.h"
#include "base/report.h"
#include "belief/belief.h"
#include "model/model.h"
#include "planners/planners.h"

typedef struct baseline {
  glimpse_planner planner;
  gli_sparse belief;     /* empty: not begun */
  uint64_t since;        /* steps since the state was told; at the start: enough to ask */
  bool told;             /* in this step */
  bool silent, constant; /* never asks, always asks */
  double slack;          /* rounding of B_w, as bounds must not exceed the truth */
} baseline;

/* -------------------------------------------------------------------- values */

/* The product of one vector of a bound with a belief, moved outward by what rounding may have moved it inward. */
static double vector_at(const glimpse_bound *bound, uint32_t k, glimpse_row belief) {
  double outward = gli_bound_outward(belief.count);
  return gli_bound_vector(bound, k, belief, glimpse_bound_get(bound->result.kind)->side < 0 ? -outward : outward);
}

/* B_w(b,a). */
static double backed_up(const glimpse_model *model, glimpse_row belief, uint32_t a, const double *w) {
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
static double then_ask(const baseline *self, glimpse_row belief, uint32_t a) {
  const glimpse_bound *always_ask = self->planner.offline->always_ask;
  return always_ask ? backed_up(self->planner.model, belief, a, always_ask->value) : -(double)INFINITY;
}

static glimpse_choice bounds_of(const baseline *self, glimpse_row belief, uint32_t action);

/* What the best plan that begins with a choice is worth at least. */
static double promise(const baseline *self, glimpse_row belief, uint32_t choice) {
  return fmax(bounds_of(self, belief, choice).lower,
              gli_bound_promise(self->planner.offline->sequence, choice, belief));
}

/* What the rule for actions goes by. */
static double score(const baseline *self, glimpse_row belief, uint32_t a) {
  const glimpse_offline *offline = self->planner.offline;
  const glimpse_planner_options *options = &self->planner.options;
  if (options->kind == GLIMPSE_PLANNER_SPI) return promise(self, belief, a);
  if (options->kind == GLIMPSE_PLANNER_ACT_THEN_MEASURE || options->act == GLIMPSE_ACT_QMDP)
    return backed_up(self->planner.model, belief, a, offline->upper->known);
  if (self->constant) return then_ask(self, belief, a);
  double blind = vector_at(offline->blind, a, belief);
  return self->silent ? blind : fmax(blind, then_ask(self, belief, a));
}

/* The first of the best actions. */
static uint32_t best_action(const baseline *self, glimpse_row belief) {
  uint32_t best = 0;
  double most = score(self, belief, 0);
  for (uint32_t a = 1; a < self->planner.model->actions; a++) {
    double value = score(self, belief, a);
    if (value > most) most = value, best = a;
  }
  return best;
}

/* An action, or asking (GLIMPSE_ANY); asking must be possible. */
static glimpse_choice bounds_of(const baseline *self, glimpse_row belief, uint32_t action) {
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
    if (asking) choice.lower = fmax(choice.lower, backed_up(model, belief, action, asking) - self->slack);
  }
  return choice;
}

/* Between what the optimal value lies; `told`: asking is no choice. */
static void bracket_choices(const baseline *self, glimpse_row belief, bool told, double *lower, double *upper) {
  const glimpse_model *model = self->planner.model;
  *lower = *upper = -(double)INFINITY;
  for (uint32_t a = 0; a < model->actions; a++) {
    glimpse_choice choice = bounds_of(self, belief, a);
    *lower = fmax(*lower, choice.lower);
    *upper = fmax(*upper, choice.upper);
  }
  if (told || !model->requests) return;
  glimpse_choice ask = bounds_of(self, belief, GLIMPSE_ANY);
  *lower = fmax(*lower, ask.lower);
  *upper = fmax(*upper, ask.upper);
}

/* The same, not wider than the offline bounds. */
static void bracket(const baseline *self, glimpse_row belief, bool told, double *lower, double *upper) {
  double least, most;
  bracket_choices(self, belief, told, lower, upper);
  glimpse_offline_value(self->planner.offline, belief, &least, &most);
  *lower = fmax(*lower, least);
  *upper = fmin(*upper, most);
}

/* ------------------------------------------------------------------ the rule */

static bool over(const glimpse_model *model, glimpse_row belief) {
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
static bool pays(const baseline *self, glimpse_row belief) {
  const glimpse_model *model = self->planner.model;
  double known = 0, price = 0;
  for (size_t i = 0; i < belief.count; i++) {
    uint32_t s = belief.index[i];
    double one = 1;
    glimpse_row corner = {1, &s, &one};
    known += belief.value[i] * score(self, corner, best_action(self, corner));
    price += belief.value[i] * gli_model_price(model, s);
  }
  uint32_t a = best_action(self, belief);
  return known - score(self, belief, a) > price || (belief.count > 1 && stays(model, belief, a));
}

/* Does asking promise more than acting? */
static bool promises(const baseline *self, glimpse_row belief) {
  return self->planner.model->requests && belief.count > 1 &&
         promise(self, belief, GLIMPSE_ANY) > promise(self, belief, best_action(self, belief));
}

/* Should it ask here, when the state was told so many steps ago? */
static bool asks(const baseline *self, glimpse_row belief, uint64_t since) {
  const glimpse_planner_options *options = &self->planner.options;
  if (over(self->planner.model, belief)) return false;
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

/* --------------------------------------------------------------- the planner */

static void baseline_free(glimpse_planner *planner) {
  baseline *self = (baseline *)planner;
  gli_sparse_free(&self->belief);
  gli_memory_free(self);
}

static bool stand_at(baseline *self, glimpse_row belief) {
  if (!gli_sparse_reserve(&self->belief, belief.count)) return false;
  for (size_t i = 0; i < belief.count; i++) {
    self->belief.index[i] = belief.index[i];
    self->belief.value[i] = belief.value[i];
  }
  self->belief.count = belief.count;
  return true;
}

static glimpse_status baseline_begin(glimpse_planner *planner, glimpse_row belief, uint64_t episode) {
  baseline *self = (baseline *)planner;
  (void)episode; /* nothing here is random */
  if (!stand_at(self, belief)) return GLIMPSE_NO_MEMORY;
  self->since = planner->options.every;
  self->told = false;
  return GLIMPSE_OK;
}

static glimpse_status baseline_reveal(glimpse_planner *planner, uint32_t s) {
  baseline *self = (baseline *)planner;
  double one = 1;
  if (!stand_at(self, (glimpse_row){1, &s, &one})) return GLIMPSE_NO_MEMORY;
  self->since = 0;
  self->told = true;
  return GLIMPSE_OK;
}

static glimpse_status baseline_observe(glimpse_planner *planner, uint32_t a, uint32_t o, glimpse_row belief) {
  baseline *self = (baseline *)planner;
  (void)a, (void)o; /* the belief says it all */
  if (!stand_at(self, belief)) return GLIMPSE_NO_MEMORY;
  self->since++;
  self->told = false;
  return GLIMPSE_OK;
}

static glimpse_status baseline_plan(glimpse_planner *planner, const glimpse_budget *budget,
                                    glimpse_decision *decision) {
  baseline *self = (baseline *)planner;
  (void)budget; /* any budget is enough */
  double started = gli_clock_now();
  glimpse_row belief = gli_sparse_row(&self->belief);
  if (!belief.count) return GLIMPSE_BAD_ARGUMENT; /* not begun */
  bool ask = !self->told && asks(self, belief, self->since);
  *decision = (glimpse_decision){.ask = ask,
                                 .action = ask ? GLIMPSE_ANY : best_action(self, belief),
                                 .value = NAN,
                                 .nodes = 1,
                                 .bytes = belief.count * (sizeof *belief.index + sizeof *belief.value),
                                 .stop = GLIMPSE_STOP_RULE};
  bracket(self, belief, self->told, &decision->lower, &decision->upper);
  glimpse_offline_value(planner->offline, belief, &decision->offline_lower, &decision->offline_upper);
  decision->seconds = gli_clock_now() - started;
  return GLIMPSE_OK;
}

static uint32_t baseline_act(const glimpse_planner *planner) {
  const baseline *self = (const baseline *)planner;
  return best_action(self, gli_sparse_row(&self->belief));
}

static glimpse_choice baseline_choice(const glimpse_planner *planner, uint32_t action) {
  const baseline *self = (const baseline *)planner;
  bool ask = action == GLIMPSE_ANY;
  if (!self->belief.count || (ask ? self->told || !planner->model->requests : action >= planner->model->actions))
    return (glimpse_choice){.lower = NAN, .upper = NAN, .value = NAN};
  return bounds_of(self, gli_sparse_row(&self->belief), action);
}

/* ---------------------------------------------------------------- forecast */

static size_t largest(const double *value, size_t count) {
  size_t best = 0;
  for (size_t i = 1; i < count; i++)
    if (value[i] > value[best]) best = i;
  return best;
}

/* Where a forecast has come to. */
typedef struct course {
  gli_sparse belief;
  uint64_t since;
  bool told;
  double probability;
  gli_children children;
} course;

/* One step along the most likely; false: out of memory. */
static bool follow(const baseline *self, gli_belief_work *work, course *at, glimpse_forecast *step) {
  glimpse_row belief = gli_sparse_row(&at->belief);
  *step = (glimpse_forecast){.ask = !at->told && asks(self, belief, at->since), .state = GLIMPSE_ANY};
  bracket(self, belief, at->told, &step->lower, &step->upper);
  if (step->ask) {
    size_t told = largest(belief.value, belief.count);
    step->state = belief.index[told];
    at->probability *= belief.value[told];
    at->belief.index[0] = step->state;
    at->belief.value[0] = 1;
    at->belief.count = belief.count = 1;
    at->since = 0;
  }
  step->action = best_action(self, belief);
  if (!gli_belief_children(work, belief, step->action, &at->children)) return false;
  size_t seen = largest(at->children.probability, at->children.count);
  glimpse_row next = gli_children_row(&at->children, seen);
  step->observation = at->children.observation[seen];
  step->probability = at->probability *= at->children.probability[seen];
  if (!gli_sparse_reserve(&at->belief, next.count)) return false;
  for (size_t i = 0; i < next.count; i++) {
    at->belief.index[i] = next.index[i];
    at->belief.value[i] = next.value[i];
  }
  at->belief.count = next.count;
  at->since++;
  at->told = false;
  return true;
}

static size_t baseline_forecast(const glimpse_planner *planner, glimpse_forecast *steps, size_t count) {
  const baseline *self = (const baseline *)planner;
  gli_belief_work *work = gli_belief_work_new(planner->model);
  course at = {.since = self->since, .told = self->told, .probability = 1};
  size_t made = 0;
  bool room = work && gli_sparse_reserve(&at.belief, self->belief.count);
  if (room) {
    at.belief.count = self->belief.count;
    for (size_t i = 0; i < self->belief.count; i++) {
      at.belief.index[i] = self->belief.index[i];
      at.belief.value[i] = self->belief.value[i];
    }
    while (room && made < count && !over(planner->model, gli_sparse_row(&at.belief)))
      room = follow(self, work, &at, &steps[made++]);
  }
  gli_children_free(&at.children);
  gli_sparse_free(&at.belief);
  gli_belief_work_free(work);
  return room ? made : SIZE_MAX;
}

/* ------------------------------------------------------------ construction */

static const gli_planner_class class = {.free = baseline_free,
                                        .begin = baseline_begin,
                                        .plan = baseline_plan,
                                        .choice = baseline_choice,
                                        .reveal = baseline_reveal,
                                        .observe = baseline_observe,
                                        .act = baseline_act,
                                        .forecast = baseline_forecast};

static glimpse_status refuse(const glimpse_planner *base, glimpse_report *report) {
  const glimpse_planner_options *options = &base->options;
  if (glimpse_planner_traits(options->kind) & GLIMPSE_TRAIT_ASKS && !base->model->requests)
    return GLI_FAIL(report, GLIMPSE_NOT_APPLICABLE,
                    "the planner %s asks for the state, and this model has no request cost",
                    glimpse_planner_key(options->kind));
  return GLIMPSE_OK;
}

/* How far rounding may take B_w from the truth, generously: a sum over the support
 * of sums over what can follow. */
static double rounding(const glimpse_model *model) {
  double low, high, price = 0;
  gli_model_reward_range(model, &low, &high);
  for (uint32_t s = 0; s < model->states; s++) price = fmax(price, gli_model_price(model, s));
  return DBL_EPSILON * (2.0 * model->states + 8) * (fmax(fabs(low), fabs(high)) + price) / (1 - model->discount);
}

glimpse_status gli_planner_baseline(const glimpse_planner *base, glimpse_report *report, glimpse_planner **planner) {
  glimpse_status status = refuse(base, report);
  if (status) return status;
  baseline *self = GLI_NEW(baseline, 1);
  if (!self) return GLI_FAIL(report, GLIMPSE_NO_MEMORY, "out of memory");
  self->planner = *base;
  self->planner.class = &class;
  const glimpse_planner_options *options = &self->planner.options;
  self->silent = options->kind == GLIMPSE_PLANNER_NEVER_ASK;
  self->constant = options->kind == GLIMPSE_PLANNER_ALWAYS_ASK ||
                   (options->kind == GLIMPSE_PLANNER_ASK_EVERY && options->every == 1);
  self->slack = rounding(base->model);
  *planner = &self->planner;
  return GLIMPSE_OK;
}
