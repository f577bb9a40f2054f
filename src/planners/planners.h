/* Planners: the constructors behind glimpse_planner_new, one per family. */
#ifndef GLI_PLANNERS_PLANNERS_H
#define GLI_PLANNERS_PLANNERS_H

#include "planner/planner.h"

/* Each gives a planner with model, offline and options not yet set (planners.c
 * sets them before, in `base`), or a status. */
glimpse_status gli_planner_aems(const glimpse_planner *base, glimpse_report *report, glimpse_planner **planner);
glimpse_status gli_planner_pomcp(const glimpse_planner *base, glimpse_report *report, glimpse_planner **planner);
glimpse_status gli_planner_baseline(const glimpse_planner *base, glimpse_report *report, glimpse_planner **planner);
glimpse_status gli_planner_follow(const glimpse_planner *base, glimpse_report *report, glimpse_planner **planner);

#endif
