/* Follow: does what a policy says.
 *
 * A place in the policy is a number; a step looks up an edge.  Nothing is searched and nothing is allocated.  The
 * belief is noted only for the case that something is seen for which there is no edge, or that an episode begins
 * elsewhere than the policy.  Then, with offline bounds and a budget, a search takes over until the episode ends.
 * Without, the policy goes on at the node that is worth most at the belief, by the values of all nodes in all states
 * (values.c), which are computed at the first such moment. */
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/report.h"
#include "belief/belief.h"
#include "planner/option.h"
#include "planners/planners.h"
#include "policy/policy.h"

static const uint64_t default_bytes = (uint64_t)1 << 30;

typedef struct follow {
  glimpse_planner planner;
  const glimpse_policy *policy;
  uint32_t node; /* GLIMPSE_ANY: off the plan */
  bool begun;    /* it stands at the policy's start */
  bool told;     /* the state, in this step */
  gli_sparse belief;
  double **values; /* there, those of all nodes in all states; NULL: not needed yet */
  glimpse_planner *search;
  bool searching; /* it has taken over */
  uint64_t episode;
} follow;

static void follow_free(glimpse_planner *planner) {
  follow *self = (follow *)planner;
  glimpse_planner_free(self->search);
  gli_sparse_free(&self->belief);
  if (self->values) gli_memory_free(*self->values);
  gli_memory_free(self->values);
  gli_memory_free(self);
}

/* There is room for any belief. */
static void stand_at(follow *self, glimpse_row belief) {
  for (size_t i = 0; i < belief.count; i++) {
    self->belief.index[i] = belief.index[i];
    self->belief.value[i] = belief.value[i];
  }
  self->belief.count = belief.count;
}

/* ------------------------------------------------------------------ off the plan */

static bool find_values(const follow *self) {
  if (*self->values || self->policy->vector) return true;
  uint64_t count = (uint64_t)self->policy->nodes * self->policy->states;
  uint64_t most = self->planner.options.max_memory ? self->planner.options.max_memory : default_bytes;
  if (count > most / (3 * sizeof **self->values)) return false; /* the sweeps take as much twice */
  double *values = GLI_NEW(double, (size_t)count);
  if (!values) return false;
  if (!glimpse_policy_values(self->policy, self->planner.model, NULL, values)) {
    *self->values = values;
    return true;
  }
  gli_memory_free(values);
  return false;
}

/* The node that is worth most at the belief; `acts`: of those that act. */
static uint32_t best_node(const follow *self, bool acts) {
  const glimpse_policy *policy = self->policy;
  glimpse_row belief = gli_sparse_row(&self->belief);
  uint32_t best = GLIMPSE_ANY;
  double most = -(double)INFINITY;
  for (uint32_t n = 0; n < policy->nodes; n++) {
    if (policy->choice[n] == GLIMPSE_ANY && acts) continue;
    const double *values = (policy->vector ? policy->vector : *self->values) + (size_t)n * policy->states;
    double sum = 0;
    for (size_t i = 0; i < belief.count; i++) sum += belief.value[i] * values[belief.index[i]];
    if (sum > most || best == GLIMPSE_ANY) most = sum, best = n;
  }
  return best;
}

/* The search takes over.  It does not ask where the state was told. */
static glimpse_status start_search(follow *self) {
  if (!self->search) {
    glimpse_planner base = {.model = self->planner.model, .offline = self->planner.offline};
    base.options = self->planner.options;
    base.options.kind = GLIMPSE_PLANNER_AEMS_LOOP;
    base.options.policy = NULL;
    glimpse_status status = gli_option_settle(&base.options, NULL);
    if (!status) status = gli_planner_aems(&base, NULL, &self->search);
    if (status) return status;
  }
  glimpse_status status = glimpse_planner_begin(self->search, gli_sparse_row(&self->belief), self->episode);
  if (!status && self->told) status = glimpse_planner_reveal(self->search, self->belief.index[0]);
  self->searching = !status;
  return status;
}

static glimpse_status plan_without(follow *self, const glimpse_budget *budget, glimpse_decision *decision) {
  bool searches = self->planner.offline && (budget->time > 0 || budget->expansions);
  if (self->searching || searches) {
    glimpse_status status = self->searching ? GLIMPSE_OK : start_search(self);
    if (!status) status = glimpse_planner_plan(self->search, budget, decision);
    if (!status) decision->stop = GLIMPSE_STOP_OFF_PLAN;
    return status;
  }
  if (!find_values(self)) return GLIMPSE_NO_MEMORY;
  self->node = best_node(self, self->told);
  return GLIMPSE_OK;
}

/* ------------------------------------------------------------------ following */

static glimpse_status follow_begin(glimpse_planner *planner, glimpse_row belief, uint64_t episode) {
  follow *self = (follow *)planner;
  stand_at(self, belief);
  self->begun = gli_belief_near(belief, gli_policy_start(self->policy), 1e-9);
  self->node = self->begun ? 0 : GLIMPSE_ANY;
  self->told = self->searching = false;
  self->episode = episode;
  return GLIMPSE_OK;
}

static glimpse_status follow_reveal(glimpse_planner *planner, uint32_t s) {
  follow *self = (follow *)planner;
  double one = 1;
  bool asked = self->node != GLIMPSE_ANY && self->policy->choice[self->node] == GLIMPSE_ANY;
  stand_at(self, (glimpse_row){1, &s, &one});
  self->told = true;
  self->begun = false;
  if (self->searching) return glimpse_planner_reveal(self->search, s);
  self->node = asked ? glimpse_policy_step(self->policy, self->node, s) : GLIMPSE_ANY;
  return GLIMPSE_OK;
}

static glimpse_status follow_observe(glimpse_planner *planner, uint32_t a, uint32_t o, glimpse_row belief) {
  follow *self = (follow *)planner;
  bool did = self->node != GLIMPSE_ANY && self->policy->choice[self->node] == a;
  stand_at(self, belief);
  self->told = self->begun = false;
  if (self->searching) return glimpse_planner_observe(self->search, a, o, belief);
  self->node = did ? glimpse_policy_step(self->policy, self->node, o) : GLIMPSE_ANY;
  return GLIMPSE_OK;
}

static glimpse_status follow_plan(glimpse_planner *planner, const glimpse_budget *budget, glimpse_decision *decision) {
  follow *self = (follow *)planner;
  double started = gli_clock_now();
  if (!self->belief.count) return GLIMPSE_BAD_ARGUMENT; /* not begun */
  if (self->policy->vector) self->node = best_node(self, self->told);
  bool off = self->searching || self->node == GLIMPSE_ANY;
  glimpse_status status = off ? plan_without(self, budget, decision) : GLIMPSE_OK;
  if (status || self->searching) return status;
  uint32_t choice = self->policy->choice[self->node];
  *decision = (glimpse_decision){.ask = choice == GLIMPSE_ANY,
                                 .action = choice,
                                 .lower = self->begun ? self->policy->lower : NAN,
                                 .upper = self->begun ? self->policy->upper : NAN,
                                 .offline_lower = NAN,
                                 .offline_upper = NAN,
                                 .value = NAN,
                                 .nodes = self->policy->nodes,
                                 .stop = off ? GLIMPSE_STOP_OFF_PLAN : GLIMPSE_STOP_RULE};
  decision->seconds = gli_clock_now() - started;
  return GLIMPSE_OK;
}

/* What acting first is worth, where nobody answers: by the nodes that act. */
static uint32_t follow_act(const glimpse_planner *planner) {
  const follow *self = (const follow *)planner;
  if (self->searching) return gli_planner_act(self->search);
  uint32_t choice = self->node == GLIMPSE_ANY ? GLIMPSE_ANY : self->policy->choice[self->node];
  if (choice != GLIMPSE_ANY) return choice;
  uint32_t best = find_values(self) ? best_node(self, true) : GLIMPSE_ANY;
  return best == GLIMPSE_ANY || self->policy->choice[best] == GLIMPSE_ANY ? 0 : self->policy->choice[best];
}

static glimpse_choice follow_choice(const glimpse_planner *planner, uint32_t action) {
  const follow *self = (const follow *)planner;
  if (self->searching) return glimpse_planner_choice(self->search, action);
  return (glimpse_choice){.lower = NAN, .upper = NAN, .value = NAN};
}

/* ------------------------------------------------------------------ forecast */

static size_t largest(const double *value, size_t count) {
  size_t best = 0;
  for (size_t i = 1; i < count; i++)
    if (value[i] > value[best]) best = i;
  return best;
}

/* One step along the most likely, from the belief and *node; false: out of memory. */
static bool foresee(const follow *self, gli_belief_work *work, gli_sparse *at, gli_children *children, uint32_t *node,
                    double *probability, glimpse_forecast *step) {
  const glimpse_policy *policy = self->policy;
  glimpse_row belief = gli_sparse_row(at);
  *step = (glimpse_forecast){.state = GLIMPSE_ANY, .action = GLIMPSE_ANY, .observation = GLIMPSE_ANY};
  step->lower = step->upper = NAN;
  if (policy->choice[*node] == GLIMPSE_ANY) {
    size_t told = largest(belief.value, belief.count);
    step->ask = true;
    step->state = belief.index[told];
    *probability *= belief.value[told];
    *node = glimpse_policy_step(policy, *node, step->state);
    at->index[0] = step->state;
    at->value[0] = 1;
    at->count = belief.count = 1;
  }
  step->probability = *probability;
  if (*node == GLIMPSE_ANY) return true;
  step->action = policy->choice[*node];
  if (!gli_belief_children(work, belief, step->action, children)) return false;
  size_t seen = largest(children->probability, children->count);
  glimpse_row next = gli_children_row(children, seen);
  step->observation = children->observation[seen];
  step->probability = *probability *= children->probability[seen];
  *node = glimpse_policy_step(policy, *node, step->observation);
  for (size_t i = 0; i < next.count; i++) {
    at->index[i] = next.index[i];
    at->value[i] = next.value[i];
  }
  at->count = next.count;
  return true;
}

static size_t follow_forecast(const glimpse_planner *planner, glimpse_forecast *steps, size_t count) {
  const follow *self = (const follow *)planner;
  if (self->searching) return glimpse_planner_forecast(self->search, steps, count);
  gli_belief_work *work = gli_belief_work_new(planner->model);
  gli_sparse at = {0};
  gli_children children = {0};
  size_t made = 0;
  uint32_t node = self->node;
  double probability = 1;
  bool room = work && gli_sparse_reserve(&at, self->policy->states);
  if (room) {
    at.count = self->belief.count;
    for (size_t i = 0; i < at.count; i++) {
      at.index[i] = self->belief.index[i];
      at.value[i] = self->belief.value[i];
    }
    while (room && made < count && node != GLIMPSE_ANY)
      room = foresee(self, work, &at, &children, &node, &probability, &steps[made++]);
  }
  gli_children_free(&children);
  gli_sparse_free(&at);
  gli_belief_work_free(work);
  return room ? made : SIZE_MAX;
}

/* ------------------------------------------------------------------ making */

static const gli_planner_class class = {.free = follow_free,
                                        .begin = follow_begin,
                                        .plan = follow_plan,
                                        .choice = follow_choice,
                                        .reveal = follow_reveal,
                                        .observe = follow_observe,
                                        .act = follow_act,
                                        .forecast = follow_forecast};

glimpse_status gli_planner_follow(const glimpse_planner *base, glimpse_report *report, glimpse_planner **planner) {
  const glimpse_policy *policy = base->options.policy;
  if (!policy) return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT, "this planner follows a policy, and was given none");
  if (policy->digest != glimpse_model_digest(base->model))
    return GLI_FAIL(report, GLIMPSE_BAD_MODEL, "the policy is not of this model, or the model has changed since");
  follow *self = GLI_NEW(follow, 1);
  if (!self) return GLI_FAIL(report, GLIMPSE_NO_MEMORY, "out of memory");
  self->planner = *base;
  self->planner.class = &class;
  self->policy = policy;
  self->node = GLIMPSE_ANY;
  self->values = GLI_NEW(double *, 1);
  if (!self->values || !gli_sparse_reserve(&self->belief, policy->states)) {
    follow_free(&self->planner);
    return GLI_FAIL(report, GLIMPSE_NO_MEMORY, "out of memory");
  }
  *planner = &self->planner;
  return GLIMPSE_OK;
}
