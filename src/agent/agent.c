/* Agent: an exact belief and a planner, and the order in which they are used.
 *
 *   DECIDE --act--> OBSERVATION --observe--> DECIDE
 *      \--ask--> STATE --reveal, or no answer--> OBSERVATION
 *
 * A search leaves the agent in DECIDE, and every way on from there is open to the caller.
 *
 * A call out of order is refused and changes nothing; so is an observation of
 * probability zero, after which the state may be told in its place.  An agent that
 * is lost (an option) asks at its next decision, whatever it costs, because its
 * belief is no longer worth planning on.  Where nobody answers it acts on its belief
 * all the same, does not ask again in this step, and stays lost.
 *
 * Where the model has inquiries or limits, the way through a step is that of phases.c.  Who is lost there believes that
 * any state is as likely as any other, since not every inquiry tells the state, asks by the rule of phases.c, and is
 * lost no more after an answer.
 *
 * A call that lacks memory changes nothing either, and may be repeated.  The planner
 * may then be in any state, so it is begun anew at the agent's belief
 * before it is used again. */
#include <math.h>

#include "agent/phases.h"
#include "base/memory.h"
#include "belief/belief.h"
#include "glimpse.h"
#include "planner/planner.h"

struct glimpse_agent {
  const glimpse_model *model;
  glimpse_planner *planner;
  glimpse_agent_options options;
  glimpse_belief *belief;
  gli_phases *phases; /* where it plans on another model; NULL: on its own */
  glimpse_stand stand;
  bool searched; /* without a decision: the caller makes the choice */
  bool told;     /* the state, in this step */
  bool unheard;  /* nobody has answered in this step: no more requests */
  bool astray;   /* the planner is not where the belief is */
  uint64_t episode;
  glimpse_budget budget; /* of the last decision ... */
  double seconds;        /* ... and what it used of it */
  uint64_t expansions;
  uint32_t inquiry;     /* that the last decision named */
  glimpse_move refused; /* what the agent is surprised at, in layers */
};

void glimpse_agent_free(glimpse_agent *agent) {
  if (!agent) return;
  gli_phases_free(agent->phases);
  glimpse_belief_free(agent->belief);
  gli_memory_free(agent);
}

glimpse_agent *glimpse_agent_new(const glimpse_model *model, glimpse_planner *planner,
                                 const glimpse_agent_options *options) {
  glimpse_agent *agent = GLI_NEW(glimpse_agent, 1);
  if (!agent) return NULL;
  agent->model = model;
  agent->planner = planner;
  if (options) agent->options = *options;
  agent->belief = glimpse_belief_new(model);
  agent->stand.probability = NAN;
  bool layers = glimpse_model_planning(model) != model, whole = agent->belief;
  if (whole && layers)
    whole = (agent->phases = gli_phases_new(model, planner)) &&
            gli_belief_reserve(agent->belief, glimpse_model_count(model, GLIMPSE_STATE));
  if (whole) return agent;
  glimpse_agent_free(agent);
  return NULL;
}

const glimpse_belief *glimpse_agent_belief(const glimpse_agent *agent) {
  return agent->belief;
}

const char *glimpse_phase_key(glimpse_phase phase) {
  switch (phase) {
#define X(name, key, text)                                                                                             \
  case GLIMPSE_PHASE_##name: return key;
    GLIMPSE_PHASE_TABLE(X)
#undef X
  }
  return "?";
}

glimpse_stand glimpse_agent_stand(const glimpse_agent *agent) {
  glimpse_stand stand = agent->stand;
  if (agent->phases) stand.layer = agent->phases->layer;
  return stand;
}

const glimpse_planner *glimpse_agent_planner(const glimpse_agent *agent) {
  return agent->planner;
}

/* The planner could not follow: the belief goes back to where it was. */
static glimpse_status stay(glimpse_agent *agent, glimpse_status status) {
  gli_belief_back(agent->belief);
  agent->astray = true;
  return status;
}

glimpse_status glimpse_agent_begin(glimpse_agent *agent, uint64_t episode) {
  return glimpse_agent_begin_at(agent, glimpse_model_start(agent->model), episode);
}

glimpse_status glimpse_agent_begin_at(glimpse_agent *agent, glimpse_row belief, uint64_t episode) {
  glimpse_status status = glimpse_belief_set(agent->belief, belief);
  if (status) return status;
  glimpse_row row = glimpse_belief_row(agent->belief);
  status = agent->phases ? gli_phases_begin(agent->phases, row, episode)
                         : glimpse_planner_begin(agent->planner, row, episode);
  if (status) return stay(agent, status);
  agent->stand = (glimpse_stand){.phase = GLIMPSE_PHASE_DECIDE, .probability = NAN};
  agent->episode = episode;
  agent->searched = agent->told = agent->unheard = agent->astray = false;
  return GLIMPSE_OK;
}

/* May this be told now? */
static bool awaits(const glimpse_agent *agent, glimpse_phase phase) {
  if (phase == GLIMPSE_PHASE_STATE && agent->told) return false;
  return agent->stand.phase == phase || (agent->stand.phase == GLIMPSE_PHASE_DECIDE && agent->searched);
}

/* Brings the planner back to the belief. */
static glimpse_status find(glimpse_agent *agent) {
  if (!agent->astray) return GLIMPSE_OK;
  glimpse_status status = glimpse_planner_begin(agent->planner, glimpse_belief_row(agent->belief), agent->episode);
  if (!status) agent->astray = false;
  return status;
}

/* The best action, for an agent that may not ask; its bounds are those of acting. */
static void act(const glimpse_agent *agent, glimpse_decision *decision) {
  decision->ask = false;
  decision->action = gli_planner_act(agent->planner);
  decision->lower = decision->upper = NAN;
  for (uint32_t a = 0; a < glimpse_model_count(agent->model, GLIMPSE_ACTION); a++) {
    glimpse_choice choice = glimpse_planner_choice(agent->planner, a);
    decision->lower = fmax(decision->lower, choice.lower);
    decision->upper = fmax(decision->upper, choice.upper);
  }
  decision->value = glimpse_planner_choice(agent->planner, decision->action).value;
}

/* Plans where it stands. */
static glimpse_status plan(glimpse_agent *agent, const glimpse_budget *budget, glimpse_decision *decision) {
  glimpse_status status = find(agent);
  if (!status) status = glimpse_planner_plan(agent->planner, budget, decision);
  if (!status && decision->ask && agent->unheard) act(agent, decision);
  return status;
}

glimpse_status glimpse_agent_decide(glimpse_agent *agent, const glimpse_budget *budget, glimpse_decision *decision) {
  if (agent->stand.phase == GLIMPSE_PHASE_STATE) return GLIMPSE_BAD_ARGUMENT; /* the state was asked for */
  if (agent->stand.lost && !agent->unheard && !agent->phases) {
    *decision = (glimpse_decision){.ask = true,
                                   .action = GLIMPSE_ANY,
                                   .inquiry = GLIMPSE_ANY,
                                   .lower = NAN,
                                   .upper = NAN,
                                   .offline_lower = NAN,
                                   .offline_upper = NAN,
                                   .value = NAN};
  } else {
    glimpse_status status =
        agent->phases ? gli_phases_decide(agent->phases, budget, decision) : plan(agent, budget, decision);
    if (status) return status;
  }
  agent->budget = *budget;
  agent->seconds = decision->seconds;
  agent->expansions = decision->expansions;
  agent->inquiry = decision->inquiry;
  agent->searched = false;
  agent->stand.phase = decision->ask ? GLIMPSE_PHASE_STATE : GLIMPSE_PHASE_OBSERVATION;
  return GLIMPSE_OK;
}

glimpse_status glimpse_agent_search(glimpse_agent *agent, const glimpse_budget *budget, glimpse_decision *decision) {
  if (agent->stand.phase != GLIMPSE_PHASE_DECIDE) return GLIMPSE_BAD_ARGUMENT;
  if (agent->stand.lost && !agent->unheard && !agent->phases)
    return GLIMPSE_NOT_APPLICABLE; /* it asks, whatever is known */
  glimpse_status status =
      agent->phases ? gli_phases_search(agent->phases, budget, decision) : plan(agent, budget, decision);
  if (status) return status;
  agent->inquiry = decision->inquiry;
  agent->searched = true;
  return GLIMPSE_OK;
}

/* What is left of the budget; at least one expansion, since zero means no limit. */
static glimpse_budget rest(const glimpse_agent *agent) {
  glimpse_budget budget = agent->budget;
  if (budget.expansions)
    budget.expansions = budget.expansions > agent->expansions ? budget.expansions - agent->expansions : 1;
  if (budget.time > 0 && (budget.time -= agent->seconds) <= 0) {
    budget.time = 0;
    budget.expansions = 1;
  }
  return budget;
}

/* Where it stands after a move in layers. */
static glimpse_status settle(glimpse_agent *agent, const glimpse_decision *decision, glimpse_status status) {
  if (status) {
    agent->stand.phase = GLIMPSE_PHASE_DECIDE; /* the answer counts; the decision has to be made again */
    return status;
  }
  agent->seconds += decision->seconds;
  agent->expansions += decision->expansions;
  agent->inquiry = decision->inquiry;
  agent->stand.phase = decision->ask ? GLIMPSE_PHASE_STATE : GLIMPSE_PHASE_OBSERVATION;
  return GLIMPSE_OK;
}

/* An inquiry was answered: by that the agent knows where it is as well as anybody, unless there was no answer. */
static void heard(glimpse_agent *agent, const glimpse_inquiry *inquiry, uint32_t answer) {
  if (!agent->stand.lost || !inquiry->name) return;
  if (answer == inquiry->nothing) agent->phases->unheard = true; /* it asks again after an action */
  else agent->stand.lost = agent->phases->lost = false;
}

glimpse_status glimpse_agent_answer(glimpse_agent *agent, uint32_t inquiry, uint32_t answer,
                                    glimpse_decision *decision) {
  glimpse_inquiry what = glimpse_model_inquiry(agent->model, inquiry);
  if (!agent->phases || !awaits(agent, GLIMPSE_PHASE_STATE) || !what.name || answer >= what.answers)
    return GLIMPSE_BAD_ARGUMENT;
  double probability;
  glimpse_status status =
      gli_phases_move(agent->phases, (glimpse_move){GLIMPSE_ANY, inquiry}, GLIMPSE_ANY, answer, &probability);
  if (!status) status = gli_phases_show(agent->phases, agent->belief);
  if (status) return status;
  heard(agent, &what, answer);
  agent->stand.surprised = false;
  if (decision)
    *decision = (glimpse_decision){.action = GLIMPSE_ANY, .inquiry = GLIMPSE_ANY, .lower = NAN, .upper = NAN};
  agent->searched = false;
  agent->stand.phase = GLIMPSE_PHASE_DECIDE;
  if (what.timing == GLIMPSE_TIMING_STEP) agent->stand.probability = probability;
  if (what.timing == GLIMPSE_TIMING_STEP || !decision) return GLIMPSE_OK;
  glimpse_budget budget = rest(agent);
  return settle(agent, decision, gli_phases_decide(agent->phases, &budget, decision));
}

/* Nobody answers.  Where the model knows that this may happen, it is an answer; otherwise nothing is asked any more in
 * this step. */
static glimpse_status unanswered(glimpse_agent *agent, glimpse_decision *decision) {
  uint32_t nothing = glimpse_model_inquiry(agent->model, agent->inquiry).nothing;
  if (nothing != GLIMPSE_ANY) return glimpse_agent_answer(agent, agent->inquiry, nothing, decision);
  agent->phases->unheard = true;
  glimpse_budget budget = rest(agent);
  return settle(agent, decision, gli_phases_decide(agent->phases, &budget, decision));
}

/* In layers, the state is told in the place of what was refused as impossible. */
static glimpse_status put_right(glimpse_agent *agent, uint32_t s, glimpse_decision *decision) {
  if (s >= glimpse_model_count(agent->model, GLIMPSE_STATE)) return GLIMPSE_BAD_ARGUMENT;
  glimpse_status status = gli_phases_place(agent->phases, agent->refused, s);
  if (!status) status = gli_phases_show(agent->phases, agent->belief);
  if (status) return status;
  agent->stand.surprised = agent->searched = false;
  agent->stand.phase = GLIMPSE_PHASE_DECIDE;
  if (!decision) return GLIMPSE_OK;
  agent->seconds = 0;
  agent->expansions = 0;
  return settle(agent, decision, gli_phases_decide(agent->phases, &agent->budget, decision));
}

glimpse_status glimpse_agent_reveal(glimpse_agent *agent, uint32_t s, glimpse_decision *decision) {
  bool asked = agent->stand.phase == GLIMPSE_PHASE_STATE; /* in a decision after the surprise */
  if (agent->phases && agent->stand.surprised && !asked) return put_right(agent, s, decision);
  if (agent->phases) {
    if (!glimpse_model_inquiry(agent->model, agent->inquiry).state) return GLIMPSE_BAD_ARGUMENT;
    return glimpse_agent_answer(agent, agent->inquiry, s, decision);
  }
  if (!awaits(agent, GLIMPSE_PHASE_STATE) && !agent->stand.surprised) return GLIMPSE_BAD_ARGUMENT;
  if (s >= glimpse_model_count(agent->model, GLIMPSE_STATE)) return GLIMPSE_BAD_ARGUMENT;
  glimpse_status status = find(agent);
  if (!status) status = glimpse_belief_reveal(agent->belief, s);
  if (status) return status;
  status = glimpse_planner_reveal(agent->planner, s);
  glimpse_budget budget = agent->stand.surprised ? agent->budget : rest(agent);
  if (!status && decision) status = glimpse_planner_plan(agent->planner, &budget, decision);
  if (status) return stay(agent, status);
  agent->stand.lost = agent->stand.surprised = agent->searched = false;
  agent->told = true;
  agent->stand.phase = decision ? GLIMPSE_PHASE_OBSERVATION : GLIMPSE_PHASE_DECIDE;
  return GLIMPSE_OK;
}

glimpse_status glimpse_agent_no_answer(glimpse_agent *agent, glimpse_decision *decision) {
  if (agent->stand.phase != GLIMPSE_PHASE_STATE) return GLIMPSE_BAD_ARGUMENT;
  if (agent->phases) return unanswered(agent, decision);
  glimpse_budget budget = agent->stand.lost ? agent->budget : rest(agent);
  agent->unheard = true;
  glimpse_status status = plan(agent, &budget, decision);
  agent->unheard = !status;
  if (!status) agent->stand.phase = GLIMPSE_PHASE_OBSERVATION;
  return status;
}

glimpse_status glimpse_agent_observe_answer(glimpse_agent *agent, uint32_t a, uint32_t o, uint32_t inquiry,
                                            uint32_t answer) {
  if (!agent->phases || !awaits(agent, GLIMPSE_PHASE_OBSERVATION) || a == GLIMPSE_ANY) return GLIMPSE_BAD_ARGUMENT;
  double probability = 0;
  glimpse_move move = {a, inquiry};
  glimpse_inquiry what = glimpse_model_inquiry(agent->model, inquiry);
  glimpse_status status = gli_phases_move(agent->phases, move, o, answer, &probability);
  if (!status) heard(agent, &what, answer);
  else if (status == GLIMPSE_IMPOSSIBLE) {
    agent->refused = move;
    agent->stand.probability = 0;
    agent->stand.surprised = !agent->options.ask_when_lost || !glimpse_model_inquiries(agent->model);
    if (agent->stand.surprised) return status;
    status = gli_phases_place(agent->phases, move, GLIMPSE_ANY);
    agent->stand.lost = agent->stand.lost || !status;
  }
  if (!status) status = gli_phases_show(agent->phases, agent->belief);
  if (status) return status;
  agent->stand.surprised = false;
  agent->stand.probability = probability;
  agent->searched = false;
  agent->stand.phase = GLIMPSE_PHASE_DECIDE;
  return GLIMPSE_OK;
}

glimpse_status glimpse_agent_observe(glimpse_agent *agent, uint32_t a, uint32_t o) {
  if (agent->phases) return glimpse_agent_observe_answer(agent, a, o, GLIMPSE_ANY, GLIMPSE_ANY);
  if (!awaits(agent, GLIMPSE_PHASE_OBSERVATION)) return GLIMPSE_BAD_ARGUMENT;
  glimpse_status status = find(agent);
  if (status) return status;
  double probability = 0;
  status = glimpse_belief_update(agent->belief, a, o, &probability);
  if (status == GLIMPSE_IMPOSSIBLE) {
    agent->stand.probability = 0;
    bool passes = agent->options.ask_when_lost && glimpse_model_requests(agent->model);
    agent->stand.lost = agent->stand.lost || passes;
    agent->stand.surprised = !passes;
    if (!passes) return status;
    agent->stand.phase = GLIMPSE_PHASE_DECIDE;
    agent->searched = agent->told = agent->unheard = false;
    return GLIMPSE_OK;
  }
  if (status) return status;
  status = glimpse_planner_observe(agent->planner, a, o, glimpse_belief_row(agent->belief));
  if (status) return stay(agent, status);
  agent->stand.probability = probability;
  agent->stand.surprised = agent->searched = agent->told = agent->unheard = false;
  agent->stand.phase = GLIMPSE_PHASE_DECIDE;
  return GLIMPSE_OK;
}

/* ---- choices ---- */

uint32_t glimpse_agent_prospects_most(const glimpse_model *model) {
  return glimpse_model_count(glimpse_model_planning(model), GLIMPSE_ACTION) + glimpse_model_requests(model);
}

uint32_t glimpse_agent_prospects(const glimpse_agent *agent, glimpse_prospect *list) {
  if (agent->phases) return gli_prospects_list(agent->phases, list);
  if (agent->stand.phase == GLIMPSE_PHASE_DECIDE && !agent->searched) return 0;
  uint32_t count = 0;
  for (; count < glimpse_model_count(agent->model, GLIMPSE_ACTION); count++)
    list[count] = (glimpse_prospect){{count, GLIMPSE_ANY}, false, glimpse_planner_choice(agent->planner, count)};
  glimpse_choice ask = glimpse_planner_choice(agent->planner, GLIMPSE_ANY);
  bool offered = agent->stand.phase == GLIMPSE_PHASE_STATE || !isnan(ask.lower) || !isnan(ask.value);
  if (glimpse_model_requests(agent->model) && offered)
    list[count++] = (glimpse_prospect){{GLIMPSE_ANY, GLIMPSE_ANY}, true, ask};
  return count;
}

size_t glimpse_agent_forecast(const glimpse_agent *agent, glimpse_event *events, size_t count) {
  if (agent->phases) return gli_prospects_forecast(agent->phases, events, count);
  enum { STEPS = 16 };
  glimpse_forecast steps[STEPS];
  size_t made = glimpse_planner_forecast(agent->planner, steps, count < STEPS ? count : STEPS);
  for (size_t i = 0; made != SIZE_MAX && i < made; i++)
    events[i] = (glimpse_event){.move = {steps[i].action, GLIMPSE_ANY},
                                .ask = steps[i].ask,
                                .answer = steps[i].state,
                                .observation = steps[i].observation,
                                .probability = steps[i].probability,
                                .lower = steps[i].lower,
                                .upper = steps[i].upper};
  return made;
}
