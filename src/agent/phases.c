/* Phases: see phases.h.
 *
 * The planner plans on layers (src/model/layers.c): in an early phase of a step its choice is an inquiry, or to go on.
 * To the user there are only decisions of the model: gli_phases_decide goes on through the phases by itself until the
 * choice is an inquiry or an action, with what is left of the budget.  Bounds of a decision are those of the first
 * phase, where nothing is decided yet, in units of the model.  gli_phases_search stays in its phase, so that any choice
 * may follow, and gli_phases_move goes on where the choice needs it. */
#include "agent/phases.h"

#include <assert.h>
#include <math.h>

#include "base/flag.h"
#include "base/memory.h"
#include "belief/belief.h"

gli_phases *gli_phases_new(const glimpse_model *model, glimpse_planner *planner) {
  gli_phases *phases = GLI_NEW(gli_phases, 1);
  if (!phases) return NULL;
  phases->model = model;
  phases->planning = glimpse_model_planning(model);
  phases->planner = planner;
  phases->belief = glimpse_belief_new(phases->planning);
  uint32_t choices = glimpse_model_count(phases->planning, GLIMPSE_ACTION);
  phases->worth = GLI_NEW(glimpse_choice, choices);
  phases->offered = GLI_NEW(bool, choices);
  phases->shown = GLI_NEW(uint32_t, glimpse_model_count(model, GLIMPSE_STATE));
  if (phases->belief && phases->worth && phases->offered && phases->shown) return phases;
  gli_phases_free(phases);
  return NULL;
}

void gli_phases_free(gli_phases *phases) {
  if (!phases) return;
  glimpse_belief_free(phases->belief);
  gli_memory_free(phases->worth);
  gli_memory_free(phases->offered);
  gli_memory_free(phases->shown);
  gli_memory_free(phases);
}

/* The planner could not follow: the belief goes back to where it was. */
static glimpse_status stay(gli_phases *phases, glimpse_status status) {
  gli_belief_back(phases->belief);
  phases->astray = true;
  return status;
}

glimpse_status gli_phases_begin(gli_phases *phases, glimpse_row belief, uint64_t episode) {
  glimpse_status status = glimpse_belief_set(phases->belief, belief);
  if (status) return status;
  status = glimpse_planner_begin(phases->planner, glimpse_belief_row(phases->belief), episode);
  if (status) return stay(phases, status);
  phases->layer = 0;
  phases->episode = episode;
  phases->unheard = phases->lost = phases->astray = phases->decided = false;
  return GLIMPSE_OK;
}

static glimpse_status find(gli_phases *phases) {
  if (!phases->astray) return GLIMPSE_OK;
  glimpse_status status = glimpse_planner_begin(phases->planner, glimpse_belief_row(phases->belief), phases->episode);
  if (!status) phases->astray = false;
  return status;
}

/* A choice of the planning model was made and o was seen. */
static glimpse_status follow(gli_phases *phases, uint32_t choice, uint32_t o, double *probability) {
  glimpse_status status = find(phases);
  if (!status) status = glimpse_belief_update(phases->belief, choice, o, probability);
  if (status) return status;
  status = glimpse_planner_observe(phases->planner, choice, o, glimpse_belief_row(phases->belief));
  if (status) return stay(phases, status);
  phases->layer = glimpse_planning_next(phases->planning, phases->layer, choice);
  return GLIMPSE_OK;
}

/* To the next phase without asking, by a choice that means so. */
static glimpse_status go_on(gli_phases *phases, uint32_t choice) {
  uint32_t nothing = glimpse_planning_seen(phases->planning, phases->layer, choice, GLIMPSE_ANY, GLIMPSE_ANY);
  return follow(phases, choice, nothing, NULL);
}

static bool does(const gli_phases *phases, uint32_t layer, uint32_t choice, glimpse_move move) {
  glimpse_move really = glimpse_planning_move(phases->planning, layer, choice);
  return really.action == move.action && really.inquiry == move.inquiry;
}

/* The phase in which the choice is this move, *steps from here; GLIMPSE_ANY: there is none. */
static uint32_t layer_of(const gli_phases *phases, uint32_t choice, glimpse_move move, size_t *steps) {
  uint32_t layer = phases->layer;
  for (*steps = 0; !does(phases, layer, choice, move); ++*steps) {
    if (!gli_phases_goes_on(phases, layer)) return GLIMPSE_ANY;
    layer = glimpse_planning_next(phases->planning, layer, 0);
  }
  return layer;
}

/* Gives another belief what the agent believes, as it would be in another layer. */
static glimpse_status put_in_layer(const gli_phases *phases, uint32_t layer, glimpse_belief *other) {
  uint32_t states = glimpse_model_count(phases->model, GLIMPSE_STATE);
  glimpse_row row = glimpse_belief_row(phases->belief);
  uint32_t *index = GLI_NEW(uint32_t, row.count);
  for (size_t i = 0; index && i < row.count; i++) index[i] = layer * states + row.index[i] % states;
  glimpse_status status = GLIMPSE_NO_MEMORY;
  if (index) status = glimpse_belief_set(other, (glimpse_row){row.count, index, row.value});
  gli_memory_free(index);
  return status;
}

/* Goes on in steps to the layer of a choice, unless what was seen is impossible there. */
static glimpse_status reach(gli_phases *phases, size_t steps, uint32_t layer, uint32_t choice, uint32_t o,
                            double *probability) {
  if (!steps) return GLIMPSE_OK;
  glimpse_belief *there = glimpse_belief_new(phases->planning);
  glimpse_status status = there ? put_in_layer(phases, layer, there) : GLIMPSE_NO_MEMORY;
  if (!status && o != GLIMPSE_ANY) status = glimpse_belief_update(there, choice, o, probability);
  glimpse_belief_free(there);
  for (; steps && !status; steps--) status = go_on(phases, 0);
  return status;
}

/* Why the planning model knows no such observation. */
static glimpse_status refusal(const gli_phases *phases, glimpse_move move, uint32_t observation, uint32_t answer) {
  bool known = observation == GLIMPSE_ANY || observation < glimpse_model_count(phases->model, GLIMPSE_OBSERVATION);
  bool told = answer == GLIMPSE_ANY || move.inquiry == GLIMPSE_ANY ||
              answer < glimpse_model_inquiry(phases->model, move.inquiry).answers;
  return known && told ? GLIMPSE_IMPOSSIBLE : GLIMPSE_BAD_ARGUMENT;
}

glimpse_status gli_phases_move(gli_phases *phases, glimpse_move move, uint32_t observation, uint32_t answer,
                               double *probability) {
  if (phases->layer == GLIMPSE_ANY) return GLIMPSE_BAD_ARGUMENT;
  uint32_t choice = glimpse_planning_choice(phases->planning, move);
  if (choice == GLIMPSE_ANY) return GLIMPSE_BAD_ARGUMENT;
  size_t steps;
  uint32_t layer = layer_of(phases, choice, move, &steps);
  if (layer == GLIMPSE_ANY) return GLIMPSE_BAD_ARGUMENT;
  if (glimpse_planning_next(phases->planning, layer, choice) == GLIMPSE_ANY) { /* nothing matters any more */
    glimpse_status status = reach(phases, steps, layer, choice, GLIMPSE_ANY, NULL);
    if (status) return status;
    phases->moved = true;
    phases->layer = GLIMPSE_ANY;
    if (probability) *probability = NAN;
    return GLIMPSE_OK;
  }
  uint32_t o = glimpse_planning_seen(phases->planning, layer, choice, observation, answer);
  if (probability) *probability = 0;
  if (o == GLIMPSE_ANY) return refusal(phases, move, observation, answer);
  glimpse_status status = reach(phases, steps, layer, choice, o, probability);
  if (status) return status;
  status = follow(phases, choice, o, probability);
  phases->moved = phases->moved || !status || phases->astray;
  if (status) return status;
  if (move.action != GLIMPSE_ANY) phases->unheard = false;
  return GLIMPSE_OK;
}

glimpse_status gli_phases_place(gli_phases *phases, glimpse_move move, uint32_t s) {
  uint32_t states = glimpse_model_count(phases->model, GLIMPSE_STATE), count = s == GLIMPSE_ANY ? states : 1;
  uint32_t choice = glimpse_planning_choice(phases->planning, move);
  size_t steps;
  uint32_t layer = glimpse_planning_next(phases->planning, layer_of(phases, choice, move, &steps), choice);
  uint32_t *index = GLI_NEW(uint32_t, count);
  double *value = GLI_NEW(double, count);
  for (uint32_t i = 0; index && value && i < count; i++) {
    index[i] = layer * states + (s == GLIMPSE_ANY ? i : s);
    value[i] = 1.0 / count;
  }
  glimpse_status status = GLIMPSE_NO_MEMORY;
  if (index && value) status = glimpse_belief_set(phases->belief, (glimpse_row){count, index, value});
  gli_memory_free(index);
  gli_memory_free(value);
  if (status) return status;
  phases->layer = layer;
  phases->moved = phases->astray = true; /* the planner has to begin there */
  phases->unheard = false;
  phases->lost = s == GLIMPSE_ANY;
  return GLIMPSE_OK;
}

/* What one who is lost asks here: what tells the state for sure, else what the plan likes best; of equal ones likewise.
 * GLIMPSE_ANY: nothing can be asked. */
static uint32_t asking(const gli_phases *phases) {
  uint32_t best = GLIMPSE_ANY;
  bool certain = false;
  double most = -INFINITY;
  for (uint32_t c = 0; c < glimpse_model_count(phases->planning, GLIMPSE_ACTION); c++) {
    glimpse_move move = glimpse_planning_move(phases->planning, phases->layer, c);
    if (move.inquiry == GLIMPSE_ANY) continue;
    glimpse_inquiry inquiry = glimpse_model_inquiry(phases->model, move.inquiry);
    glimpse_choice choice = glimpse_planner_choice(phases->planner, c);
    bool sure = inquiry.state && inquiry.nothing == GLIMPSE_ANY;
    double worth = isnan(choice.lower) ? choice.value : choice.lower;
    if (best != GLIMPSE_ANY && (sure != certain ? certain : !(worth > most))) continue;
    best = c, certain = sure;
    most = isnan(worth) ? -INFINITY : worth;
  }
  return best;
}

/* The best action, or to go on, for an agent that may not ask. */
static uint32_t quiet(const gli_phases *phases) {
  uint32_t best = 0;
  double most = -INFINITY;
  for (uint32_t a = 0; a < glimpse_model_count(phases->model, GLIMPSE_ACTION); a++) {
    glimpse_choice choice = glimpse_planner_choice(phases->planner, a);
    double worth = isnan(choice.lower) ? choice.value : choice.lower;
    if (worth > most) {
      most = worth;
      best = a;
    }
  }
  return best;
}

/* The bounds of a decision without asking. */
static void hush(const gli_phases *phases, uint32_t chosen, glimpse_decision *decision) {
  decision->lower = decision->upper = NAN;
  for (uint32_t a = 0; a < glimpse_model_count(phases->model, GLIMPSE_ACTION); a++) {
    glimpse_choice choice = glimpse_planner_choice(phases->planner, a);
    decision->lower = fmax(decision->lower, choice.lower);
    decision->upper = fmax(decision->upper, choice.upper);
  }
  decision->value = glimpse_planner_choice(phases->planner, chosen).value;
}

/* Takes what a round used; false: nothing is left. */
static bool take(glimpse_budget *budget, const glimpse_decision *used) {
  if (budget->expansions && used->expansions >= budget->expansions) return false;
  if (budget->time > 0 && used->seconds >= budget->time) return false;
  if (budget->expansions) budget->expansions -= used->expansions;
  if (budget->time > 0) budget->time -= used->seconds;
  return true;
}

/* Bounds of a later phase, in units of the model, rounded outwards. */
static void rescale(glimpse_decision *decision, double scale) {
  if (scale == 1) return;
  decision->lower = nextafter(decision->lower * scale, -INFINITY);
  decision->upper = nextafter(decision->upper * scale, INFINITY);
  decision->offline_lower = nextafter(decision->offline_lower * scale, -INFINITY);
  decision->offline_upper = nextafter(decision->offline_upper * scale, INFINITY);
  decision->value *= scale;
}

/* Joins a round to those before it: what it took is that of all.  To go on is one of the choices of the first round,
 * so its value is at least that of a later one; an agent that may not ask has the bounds of the last round, where
 * asking is none of its choices. */
static void join(const gli_phases *phases, const glimpse_decision *before, glimpse_decision *now) {
  if (!phases->unheard) {
    assert(!(now->lower > before->upper + 1e-9 * fmax(1, fabs(before->upper))));
    now->lower = fmin(fmax(before->lower, now->lower), before->upper);
    now->upper = before->upper;
    now->offline_lower = before->offline_lower;
    now->offline_upper = before->offline_upper;
  }
  now->expansions += before->expansions;
  now->seconds += before->seconds;
}

/* Plans in this phase and notes what is known; *choice is what is best of the planning model. */
static glimpse_status plan_phase(gli_phases *phases, const glimpse_budget *budget, bool first, uint32_t *choice,
                                 glimpse_decision *decision) {
  glimpse_status status = find(phases);
  if (!status) status = glimpse_planner_plan(phases->planner, budget, decision);
  if (status) return status;
  *choice = decision->action;
  if (phases->unheard && glimpse_planning_move(phases->planning, phases->layer, *choice).inquiry != GLIMPSE_ANY)
    *choice = quiet(phases);
  uint32_t ask = phases->lost && !phases->unheard ? asking(phases) : GLIMPSE_ANY;
  if (ask != GLIMPSE_ANY) *choice = ask;
  gli_prospects_note(phases, first);
  if (phases->unheard) hush(phases, *choice, decision);
  rescale(decision, glimpse_planning_scale(phases->planning, phases->layer));
  return GLIMPSE_OK;
}

static void put_move(glimpse_decision *decision, glimpse_move move) {
  decision->inquiry = move.inquiry;
  decision->action = move.action;
  decision->ask = move.inquiry != GLIMPSE_ANY && move.action == GLIMPSE_ANY;
}

glimpse_status gli_phases_search(gli_phases *phases, const glimpse_budget *budget, glimpse_decision *decision) {
  if (phases->layer == GLIMPSE_ANY) return GLIMPSE_NOT_APPLICABLE;
  uint32_t choice;
  glimpse_status status = plan_phase(phases, budget, true, &choice, decision);
  if (status) return status;
  glimpse_move move = glimpse_planning_move(phases->planning, phases->layer, choice);
  bool goes_on = move.inquiry == GLIMPSE_ANY && move.action == GLIMPSE_ANY;
  if (goes_on && !gli_prospects_act(phases, &move)) return GLIMPSE_NO_MEMORY;
  put_move(decision, move);
  return GLIMPSE_OK;
}

glimpse_status gli_phases_decide(gli_phases *phases, const glimpse_budget *budget, glimpse_decision *decision) {
  if (phases->layer == GLIMPSE_ANY) return GLIMPSE_NOT_APPLICABLE;
  const volatile int raised = 1;
  const glimpse_budget none = {.expansions = 1, .interrupt = &raised}; /* what is known decides */
  glimpse_budget rest = *budget;
  bool left = true;
  for (uint32_t round = 0;; round++) {
    glimpse_decision now;
    uint32_t choice;
    glimpse_status status = plan_phase(phases, left ? &rest : &none, !round, &choice, &now);
    if (status) return status;
    if (!left && !gli_flag_raised(budget->interrupt)) now.stop = decision->stop;
    left = left && take(&rest, &now);
    if (round) join(phases, decision, &now);
    *decision = now;
    glimpse_move move = glimpse_planning_move(phases->planning, phases->layer, choice);
    put_move(decision, move);
    if (move.inquiry != GLIMPSE_ANY || move.action != GLIMPSE_ANY) return GLIMPSE_OK;
    status = go_on(phases, choice);
    if (status) return status;
  }
}

glimpse_status gli_phases_show(const gli_phases *phases, glimpse_belief *belief) {
  uint32_t states = glimpse_model_count(phases->model, GLIMPSE_STATE);
  glimpse_row row = glimpse_belief_row(phases->belief);
  if (phases->layer == GLIMPSE_ANY || row.count == 0) return GLIMPSE_OK; /* nobody knows where it ended */
  for (size_t i = 0; i < row.count; i++) phases->shown[i] = row.index[i] % states;
  return glimpse_belief_set(belief, (glimpse_row){row.count, phases->shown, row.value});
}
