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
 * In a model with inquiries or limits, planned in layers, baseline_menu.c says what they choose.
 *
 * Which action, and what the rules of the literature compare, is in baseline_rule.c.
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
#include "model/layers.h"
#include "model/model.h"
#include "planners/baseline.h"
#include "planners/planners.h"

/* --------------------------------------------------------------- the planner */

static void baseline_free(glimpse_planner *planner) {
  gli_baseline *self = (gli_baseline *)planner;
  gli_belief_work_free(self->work);
  gli_children_free(&self->children);
  gli_sparse_free(&self->belief);
  gli_memory_free(self);
}

static bool stand_at(gli_baseline *self, glimpse_row belief) {
  if (!gli_sparse_reserve(&self->belief, belief.count)) return false;
  for (size_t i = 0; i < belief.count; i++) {
    self->belief.index[i] = belief.index[i];
    self->belief.value[i] = belief.value[i];
  }
  self->belief.count = belief.count;
  return true;
}

static glimpse_status baseline_begin(glimpse_planner *planner, glimpse_row belief, uint64_t episode) {
  gli_baseline *self = (gli_baseline *)planner;
  (void)episode; /* nothing here is random */
  if (!stand_at(self, belief)) return GLIMPSE_NO_MEMORY;
  self->since = planner->options.every;
  self->told = false;
  return GLIMPSE_OK;
}

static glimpse_status baseline_reveal(glimpse_planner *planner, uint32_t s) {
  gli_baseline *self = (gli_baseline *)planner;
  double one = 1;
  if (!stand_at(self, (glimpse_row){1, &s, &one})) return GLIMPSE_NO_MEMORY;
  self->since = 0;
  self->told = true;
  return GLIMPSE_OK;
}

static glimpse_status baseline_observe(glimpse_planner *planner, uint32_t a, uint32_t o, glimpse_row belief) {
  gli_baseline *self = (gli_baseline *)planner;
  (void)o; /* the belief says it all */
  glimpse_row before = gli_sparse_row(&self->belief);
  uint32_t layer = self->work && before.count ? gli_baseline_layer(planner->model, before) : GLIMPSE_ANY;
  if (!stand_at(self, belief)) return GLIMPSE_NO_MEMORY;
  if (self->work) {
    gli_baseline_count(planner->model, layer, a, &self->told, &self->since);
    return GLIMPSE_OK;
  }
  self->since++;
  self->told = false;
  return GLIMPSE_OK;
}

static glimpse_status baseline_plan(glimpse_planner *planner, const glimpse_budget *budget,
                                    glimpse_decision *decision) {
  gli_baseline *self = (gli_baseline *)planner;
  (void)budget; /* any budget is enough */
  double started = gli_clock_now();
  glimpse_row belief = gli_sparse_row(&self->belief);
  if (!belief.count) return GLIMPSE_BAD_ARGUMENT; /* not begun */
  bool ask = !self->work && !self->told && gli_baseline_asks(self, belief, self->since);
  uint32_t action =
      self->work ? gli_baseline_choose(self, belief, self->told, self->since) : gli_baseline_best(self, belief);
  if (self->failed) {
    self->failed = false;
    return GLIMPSE_NO_MEMORY;
  }
  *decision = (glimpse_decision){.ask = ask,
                                 .action = ask ? GLIMPSE_ANY : action,
                                 .value = NAN,
                                 .nodes = 1,
                                 .bytes = belief.count * (sizeof *belief.index + sizeof *belief.value),
                                 .stop = GLIMPSE_STOP_RULE};
  gli_baseline_bracket(self, belief, self->told, &decision->lower, &decision->upper);
  glimpse_offline_value(planner->offline, belief, &decision->offline_lower, &decision->offline_upper);
  decision->seconds = gli_clock_now() - started;
  return GLIMPSE_OK;
}

static uint32_t baseline_act(const glimpse_planner *planner) {
  const gli_baseline *self = (const gli_baseline *)planner;
  uint32_t layer = self->work ? gli_baseline_layer(planner->model, gli_sparse_row(&self->belief)) : GLIMPSE_ANY;
  if (layer != GLIMPSE_ANY) return gli_baseline_quiet(self, gli_sparse_row(&self->belief), layer);
  return gli_baseline_best(self, gli_sparse_row(&self->belief));
}

static glimpse_choice baseline_choice(const glimpse_planner *planner, uint32_t action) {
  const gli_baseline *self = (const gli_baseline *)planner;
  bool ask = action == GLIMPSE_ANY;
  if (!self->belief.count || (ask ? self->told || !planner->model->requests : action >= planner->model->actions))
    return (glimpse_choice){.lower = NAN, .upper = NAN, .value = NAN};
  return gli_baseline_bounds(self, gli_sparse_row(&self->belief), action);
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
static bool follow(gli_baseline *self, gli_belief_work *work, course *at, glimpse_forecast *step) {
  glimpse_row belief = gli_sparse_row(&at->belief);
  *step = (glimpse_forecast){.ask = !self->work && !at->told && gli_baseline_asks(self, belief, at->since),
                             .state = GLIMPSE_ANY};
  gli_baseline_bracket(self, belief, at->told, &step->lower, &step->upper);
  if (step->ask) {
    size_t told = largest(belief.value, belief.count);
    step->state = belief.index[told];
    at->probability *= belief.value[told];
    at->belief.index[0] = step->state;
    at->belief.value[0] = 1;
    at->belief.count = belief.count = 1;
    at->since = 0;
  }
  step->action = self->work ? gli_baseline_choose(self, belief, at->told, at->since) : gli_baseline_best(self, belief);
  uint32_t layer = self->work ? gli_baseline_layer(self->planner.model, belief) : GLIMPSE_ANY;
  if (self->failed || !gli_belief_children(work, belief, step->action, &at->children)) return false;
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
  if (self->work) {
    gli_baseline_count(self->planner.model, layer, step->action, &at->told, &at->since);
    return true;
  }
  at->since++;
  at->told = false;
  return true;
}

static size_t baseline_forecast(const glimpse_planner *planner, glimpse_forecast *steps, size_t count) {
  const gli_baseline *given = (const gli_baseline *)planner;
  gli_belief_work *work = gli_belief_work_new(planner->model);
  gli_baseline copy = *given, *self = &copy; /* with room of its own for what follows a choice */
  copy.children = (gli_children){0};
  if (given->work) copy.work = work;
  course at = {.since = self->since, .told = self->told, .probability = 1};
  size_t made = 0;
  bool room = work && gli_sparse_reserve(&at.belief, self->belief.count);
  if (room) {
    at.belief.count = self->belief.count;
    for (size_t i = 0; i < self->belief.count; i++) {
      at.belief.index[i] = self->belief.index[i];
      at.belief.value[i] = self->belief.value[i];
    }
    while (room && made < count && !gli_baseline_over(planner->model, gli_sparse_row(&at.belief)))
      room = follow(self, work, &at, &steps[made++]);
  }
  gli_children_free(&copy.children);
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
  if (base->model->layers && options->kind == GLIMPSE_PLANNER_SPI)
    return GLI_FAIL(report, GLIMPSE_NOT_APPLICABLE,
                    "spi follows strings of actions that end with being told the state, and this model has other "
                    "inquiries or limits");
  bool asks = base->model->requests || (base->model->layers && base->model->layers->inquiries);
  if (glimpse_planner_traits(options->kind) & GLIMPSE_TRAIT_ASKS && !asks)
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
  gli_baseline *self = GLI_NEW(gli_baseline, 1);
  if (!self) return GLI_FAIL(report, GLIMPSE_NO_MEMORY, "out of memory");
  self->planner = *base;
  self->planner.class = &class;
  const glimpse_planner_options *options = &self->planner.options;
  self->silent = options->kind == GLIMPSE_PLANNER_NEVER_ASK;
  self->constant = options->kind == GLIMPSE_PLANNER_ALWAYS_ASK ||
                   (options->kind == GLIMPSE_PLANNER_ASK_EVERY && options->every == 1);
  self->slack = rounding(base->model);
  if (base->model->layers && !(self->work = gli_belief_work_new(base->model))) {
    gli_memory_free(self);
    return GLI_FAIL(report, GLIMPSE_NO_MEMORY, "out of memory");
  }
  if (self->work) self->constant = false; /* always_ask is a bound of models with a cost */
  *planner = &self->planner;
  return GLIMPSE_OK;
}
