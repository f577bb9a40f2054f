/* Planner: the public functions, which check what all planners need checked and
 * leave the rest to the planner's class. */
#include "planner/planner.h"

#include <math.h>

#include "base/memory.h"

const char *glimpse_stop_key(glimpse_stop stop) {
  switch (stop) {
#define X(name, key, text)                                                                                             \
  case GLIMPSE_STOP_##name: return key;
    GLIMPSE_STOP_TABLE(X)
#undef X
  }
  return "?";
}

const char *glimpse_planner_key(glimpse_planner_kind kind) {
  switch (kind) {
#define X(name, key, text, traits)                                                                                     \
  case GLIMPSE_PLANNER_##name: return key;
    GLIMPSE_PLANNER_TABLE(X)
#undef X
    case GLIMPSE_PLANNER_KINDS: break;
  }
  return "?";
}

const char *glimpse_rule_key(glimpse_rule rule) {
  switch (rule) {
#define X(name, key, text)                                                                                             \
  case GLIMPSE_RULE_##name: return key;
    GLIMPSE_RULE_TABLE(X)
#undef X
    case GLIMPSE_RULES: break;
  }
  return "?";
}

const char *glimpse_act_key(glimpse_act act) {
  switch (act) {
#define X(name, key, text)                                                                                             \
  case GLIMPSE_ACT_##name: return key;
    GLIMPSE_ACT_TABLE(X)
#undef X
    case GLIMPSE_ACTS: break;
  }
  return "?";
}

const char *glimpse_graph_key(glimpse_graph graph) {
  switch (graph) {
#define X(name, key, text)                                                                                             \
  case GLIMPSE_GRAPH_##name: return key;
    GLIMPSE_GRAPH_TABLE(X)
#undef X
    case GLIMPSE_GRAPHS: break;
  }
  return "?";
}

const char *glimpse_rollout_key(glimpse_rollout rollout) {
  switch (rollout) {
#define X(name, key, text)                                                                                             \
  case GLIMPSE_ROLLOUT_##name: return key;
    GLIMPSE_ROLLOUT_TABLE(X)
#undef X
    case GLIMPSE_ROLLOUTS: break;
  }
  return "?";
}

const char *glimpse_improve_key(glimpse_improve improve) {
  switch (improve) {
#define X(name, key, text)                                                                                             \
  case GLIMPSE_IMPROVE_##name: return key;
    GLIMPSE_IMPROVE_TABLE(X)
#undef X
    case GLIMPSE_IMPROVES: break;
  }
  return "?";
}

void glimpse_planner_free(glimpse_planner *planner) {
  if (planner) planner->class->free(planner);
}

/* A search does with less memory than it wanted, and goes another way: whoever counts on the same
 * decisions from the same seed has to know. */
static glimpse_status noted(glimpse_planner *planner, uint64_t before, glimpse_status status) {
  planner->refused += gli_memory_refused() - before;
  return status;
}

glimpse_status glimpse_planner_begin(glimpse_planner *planner, glimpse_row belief, uint64_t episode) {
  uint64_t before = gli_memory_refused();
  return noted(planner, before, planner->class->begin(planner, belief, episode));
}

glimpse_status glimpse_planner_plan(glimpse_planner *planner, const glimpse_budget *budget,
                                    glimpse_decision *decision) {
  if (isnan(budget->time) || budget->time < 0 || isnan(budget->epsilon) || budget->epsilon < 0)
    return GLIMPSE_BAD_ARGUMENT;
  uint64_t before = gli_memory_refused();
  glimpse_status status = noted(planner, before, planner->class->plan(planner, budget, decision));
  if (status) return status;
  decision->refused = planner->refused;
  decision->inquiry = GLIMPSE_ANY; /* it makes choices of the model that it plans on; agents know what they mean */
  return GLIMPSE_OK;
}

double glimpse_decision_reduction(const glimpse_decision *decision) {
  double offline = decision->offline_upper - decision->offline_lower, now = decision->upper - decision->lower;
  if (isnan(offline) || isnan(now) || decision->stop == GLIMPSE_STOP_RULE) return NAN; /* a rule searches nothing */
  if (offline <= 1e-9 * fmax(1, fabs(decision->offline_upper))) return 100;
  return 100 * (1 - now / offline);
}

glimpse_choice glimpse_planner_choice(const glimpse_planner *planner, uint32_t action) {
  return planner->class->choice(planner, action);
}

glimpse_status glimpse_planner_reveal(glimpse_planner *planner, uint32_t s) {
  if (s >= glimpse_model_count(planner->model, GLIMPSE_STATE)) return GLIMPSE_BAD_ARGUMENT;
  uint64_t before = gli_memory_refused();
  return noted(planner, before, planner->class->reveal(planner, s));
}

glimpse_status glimpse_planner_observe(glimpse_planner *planner, uint32_t a, uint32_t o, glimpse_row belief) {
  if (a >= glimpse_model_count(planner->model, GLIMPSE_ACTION) ||
      o >= glimpse_model_count(planner->model, GLIMPSE_OBSERVATION) || !belief.count)
    return GLIMPSE_BAD_ARGUMENT;
  uint64_t before = gli_memory_refused();
  return noted(planner, before, planner->class->observe(planner, a, o, belief));
}

/* What the offline bounds say of a choice. */
static glimpse_choice offline_choice(const glimpse_offline *offline, glimpse_row belief, uint32_t choice) {
  glimpse_choice worth = {.lower = -(double)INFINITY, .value = NAN};
  double outward = gli_bound_outward(belief.count);
  for (uint32_t i = 0; i < offline->lower_count; i++)
    worth.lower = fmax(worth.lower, gli_bound_promise(offline->lowers[i], choice, belief));
  worth.upper = fmin(gli_bound_vector(offline->upper, choice, belief, outward),
                     gli_bound_vector(offline->tib, choice, belief, outward));
  return worth;
}

glimpse_choice gli_planner_later(const glimpse_planner *planner, const glimpse_row *path, size_t steps,
                                 uint32_t choice) {
  glimpse_choice worth = {.lower = NAN, .upper = NAN, .value = NAN};
  if (planner->class->later) worth = planner->class->later(planner, path, steps, choice);
  if (!planner->offline || !(glimpse_planner_traits(planner->options.kind) & GLIMPSE_TRAIT_BOUNDS)) return worth;
  glimpse_choice offline = offline_choice(planner->offline, path[steps - 1], choice);
  worth.lower = fmax(worth.lower, offline.lower); /* the one that is a number */
  worth.upper = fmin(worth.upper, offline.upper);
  return worth;
}

uint32_t gli_planner_act(const glimpse_planner *planner) {
  if (planner->class->act) return planner->class->act(planner);
  uint32_t best = 0;
  double most = -(double)INFINITY;
  for (uint32_t a = 0; a < glimpse_model_count(planner->model, GLIMPSE_ACTION); a++) {
    double lower = planner->class->choice(planner, a).lower;
    if (lower > most) most = lower, best = a;
  }
  return best;
}

size_t glimpse_planner_forecast(const glimpse_planner *planner, glimpse_forecast *steps, size_t count) {
  return planner->class->forecast(planner, steps, count);
}

glimpse_status glimpse_planner_visit(const glimpse_planner *planner, const glimpse_visit *visit) {
  if (!planner->class->visit) return GLIMPSE_NOT_APPLICABLE;
  if (!visit->node || !visit->edge || isnan(visit->probability) || isnan(visit->max_gap) || isnan(visit->min_gap))
    return GLIMPSE_BAD_ARGUMENT;
  return planner->class->visit(planner, visit);
}
