/* Controllers for tests of policies: random ones, and what they earn by elimination. */
#ifndef SUPPORT_CONTROLLER_H
#define SUPPORT_CONTROLLER_H

#include "base/random.h"
#include "policy/policy.h"

/* A controller of so many nodes with random choices and an edge for everything; where the model has requests the last
 * node asks.  Fails the test when out of memory. */
glimpse_policy *controller_random(const glimpse_model *model, uint32_t nodes, gli_random *random);
/* What it earns from the start, by elimination in long doubles over all nodes and states. */
double controller_worth(const glimpse_policy *policy, const glimpse_model *model);

#endif
