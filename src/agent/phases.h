/* Phases: an agent's way through the layers of the model that it plans on, where that is another than its own. */
#ifndef GLI_AGENT_PHASES_H
#define GLI_AGENT_PHASES_H

#include "glimpse.h"

typedef struct gli_phases {
  const glimpse_model *model, *planning;
  glimpse_planner *planner;
  glimpse_belief *belief; /* over the states of the planning model */
  uint32_t layer;         /* where it stands; GLIMPSE_ANY: the horizon is reached */
  bool unheard;           /* nobody has answered in this step: no more requests */
  bool lost;              /* it asks what it can, whatever that costs */
  bool astray;            /* the planner is not where the belief is */
  uint64_t episode;
  /* Of the last decision, per choice of the planning model: NaN where it is none of the agent's.  See prospects.c. */
  glimpse_choice *worth;
  bool *offered;
  bool decided;
  bool moved;      /* since then: the planner stands elsewhere */
  uint32_t *shown; /* room for the states of the model */
} gli_phases;

/* NULL: out of memory. */
gli_phases *gli_phases_new(const glimpse_model *model, glimpse_planner *planner);
void gli_phases_free(gli_phases *phases);
/* A new episode at a belief of the model. */
glimpse_status gli_phases_begin(gli_phases *phases, glimpse_row belief, uint64_t episode);
/* Plans until it asks or acts.  NOT_APPLICABLE: the horizon is reached. */
glimpse_status gli_phases_decide(gli_phases *phases, const glimpse_budget *budget, glimpse_decision *decision);
/* Plans in the phase where it stands, and stays there; *decision is what is best as far as it is known. */
glimpse_status gli_phases_search(gli_phases *phases, const glimpse_budget *budget, glimpse_decision *decision);
/* A move was made and this was seen (GLIMPSE_ANY: nothing of the kind); it may be one of a later phase of this step.
 * BAD_ARGUMENT: it is not possible now; IMPOSSIBLE: the model excludes what was seen. */
glimpse_status gli_phases_move(gli_phases *phases, glimpse_move move, uint32_t observation, uint32_t answer,
                               double *probability);
/* A move was made that gli_phases_move has just refused as IMPOSSIBLE, and afterwards the state is s, or any state is
 * as likely as any other (GLIMPSE_ANY). */
glimpse_status gli_phases_place(gli_phases *phases, glimpse_move move, uint32_t s);
/* Sets the belief of the model, which has room for all states, to what is believed now; so memory cannot lack. */
glimpse_status gli_phases_show(const gli_phases *phases, glimpse_belief *belief);

/* Does the first choice in this layer go on to the next phase without asking? */
static inline bool gli_phases_goes_on(const gli_phases *phases, uint32_t layer) {
  glimpse_move move = glimpse_planning_move(phases->planning, layer, 0);
  return move.action == GLIMPSE_ANY && move.inquiry == GLIMPSE_ANY;
}

/* What is known of the choices in this layer, after the planner has planned there; `first`: for the first time in this
 * decision. */
void gli_prospects_note(gli_phases *phases, bool first);
/* The best move without a question in this phase, as far as it is known.  False: out of memory. */
bool gli_prospects_act(const gli_phases *phases, glimpse_move *move);
/* See glimpse_agent_prospects and glimpse_agent_forecast. */
uint32_t gli_prospects_list(const gli_phases *phases, glimpse_prospect *list);
size_t gli_prospects_forecast(const gli_phases *phases, glimpse_event *events, size_t count);

#endif
