/* Policies from the command line. */
#ifndef OPEN_POLICY_H
#define OPEN_POLICY_H

#include "glimpse.h"

/* Reads a policy, also the vectors of other solvers if the model is there; NULL after a message. */
glimpse_policy *open_policy(const char *path, const glimpse_model *model);
/* TOOL_OK if the policy is of this model; otherwise TOOL_FAILED after a message. */
int open_policy_check(const glimpse_policy *policy, const glimpse_model *model, const char *file, const char *spec);

#endif
