/* Option: checks and defaults of a planner's options. */
#ifndef GLI_PLANNER_OPTION_H
#define GLI_PLANNER_OPTION_H

#include "glimpse.h"

/* Fills in the defaults.  BAD_ARGUMENT for what is out of range. */
glimpse_status gli_option_settle(glimpse_planner_options *options, glimpse_report *report);

#endif
