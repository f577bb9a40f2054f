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
  bool astray;            /* the planner is not where the belief is */
  uint64_t episode;
} gli_phases;

/* NULL: out of memory. */
gli_phases *gli_phases_new(const glimpse_model *model, glimpse_planner *planner);
void gli_phases_free(gli_phases *phases);
/* A new episode at a belief of the model. */
glimpse_status gli_phases_begin(gli_phases *phases, glimpse_row belief, uint64_t episode);
/* Plans until it asks or acts.  NOT_APPLICABLE: the horizon is reached. */
glimpse_status gli_phases_decide(gli_phases *phases, const glimpse_budget *budget, glimpse_decision *decision);
/* A move was made and this was seen (GLIMPSE_ANY: nothing of the kind).  BAD_ARGUMENT: it is not possible now;
 * IMPOSSIBLE: the model excludes what was seen. */
glimpse_status gli_phases_move(gli_phases *phases, glimpse_move move, uint32_t observation, uint32_t answer,
                               double *probability);
/* Sets the belief of the model to what is believed now. */
glimpse_status gli_phases_show(const gli_phases *phases, glimpse_belief *belief);

#endif
