/* One episode: whether to ask for the state, and what to do, decided again at each step.
 *
 *   cc plan.c $(pkg-config --cflags --libs glimpse) -o plan && ./plan [MODEL.pomdp]
 */
#include <glimpse.h>
#include <stdio.h>

/* The world that answers the agent; a robot would ask its sensors.  Here things happen that the
 * model says are most likely, so that every run prints the same. */
static uint32_t likeliest(glimpse_row row) {
  size_t best = 0;
  for (size_t i = 1; i < row.count; i++)
    if (row.value[i] > row.value[best]) best = i;
  return row.index[best];
}

static glimpse_status play(const glimpse_model *model, glimpse_agent *agent) {
  const glimpse_budget budget = {.expansions = 200}; /* or .time = 0.1, .epsilon = 0.01, ... */
  uint32_t state = likeliest(glimpse_model_start(model));
  glimpse_status status = glimpse_agent_begin(agent, 0);
  for (int step = 0; !status && step < 20 && !glimpse_model_terminal(model, state); step++) {
    glimpse_decision decision;
    status = glimpse_agent_decide(agent, &budget, &decision);
    if (status) break;
    printf("%2d  value %.2f to %.2f  ", step, decision.lower, decision.upper);
    if (decision.ask) {
      printf("asks, is told %s; ", glimpse_model_name(model, GLIMPSE_STATE, state));
      status = glimpse_agent_reveal(agent, state, &decision);
      if (status) break;
    }
    uint32_t action = decision.action;
    state = likeliest(glimpse_model_transition(model, action, state));
    uint32_t seen = likeliest(glimpse_model_observation(model, action, state));
    printf("does %s, sees %s\n", glimpse_model_name(model, GLIMPSE_ACTION, action),
           glimpse_model_name(model, GLIMPSE_OBSERVATION, seen));
    status = glimpse_agent_observe(agent, action, seen);
  }
  return status;
}

int main(int argc, char **argv) {
  glimpse_model *model = NULL;
  glimpse_offline *offline = NULL;
  glimpse_planner *planner = NULL;
  glimpse_agent *agent = NULL;
  glimpse_status status = argc > 1 ? glimpse_pomdp_read_file(argv[1], NULL, NULL, &model)
                                   : glimpse_environment_make("robot-delivery", NULL, &model);
  if (!status) status = glimpse_offline_new(model, glimpse_offline_upper(model), NULL, NULL, &offline);
  if (!status) status = glimpse_planner_new(model, offline, &(glimpse_planner_options){0}, NULL, &planner);
  if (!status && !(agent = glimpse_agent_new(model, planner, NULL))) status = GLIMPSE_NO_MEMORY;
  if (!status) status = play(model, agent);
  if (status) fprintf(stderr, "plan: %s\n", glimpse_status_text(status));
  glimpse_agent_free(agent);
  glimpse_planner_free(planner);
  glimpse_offline_free(offline);
  glimpse_model_free(model);
  return status != GLIMPSE_OK;
}
