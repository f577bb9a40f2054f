/* Planning: a model with its offline bounds and a planner, for the tests of planners,
 * agents and episodes. */
#ifndef SUPPORT_PLANNING_H
#define SUPPORT_PLANNING_H

#include "glimpse.h"

typedef struct planning {
  glimpse_model *model;
  glimpse_offline *offline;
  glimpse_planner *planner;
  glimpse_policy *policy; /* of the planner that follows one, unless it was given another */
} planning;

/* From the spec of an environment.  Fails the test when anything fails. */
void planning_start(planning *p, const char *spec);
/* From a model, which is taken over. */
void planning_of(planning *p, glimpse_model *model);
/* A planner (instead of the one before), begun at the model's start.  One that follows a policy and is given none gets
 * what a short search finds. */
void planning_planner(planning *p, const glimpse_planner_options *options);
void planning_stop(planning *p);
/* The first decision in an environment, after so many expansions. */
glimpse_decision planning_decided(const char *spec, uint64_t expansions);
/* One decision that must come. */
glimpse_decision planning_decide(planning *p, glimpse_budget budget);

#endif
