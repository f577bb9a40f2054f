/* Tiger: a tiger waits behind one of two doors.  Listening costs 1 and tells the
 * right door with probability 0.85; opening the tiger's door costs 100, the
 * other one pays 10, and either puts the tiger behind a random door and tells
 * nothing (both observations with probability 1/2).  The numbers, names and
 * their order are those of the field's tiger.95 file.
 *
 * With requests, asking and opening the free door earns 10 - c at every step, so
 * that V = max((10 - c)/(1 - gamma), V without requests) at the start belief:
 * max(20 (10 - c), 19.371368...) for gamma 0.95. */
#include "environments/environment.h"

#define PARAMETERS(X)                                                                                                  \
  X(c, "1", COST(), "price of a request")                                                                              \
  X(gamma, "0.95", REAL(0, 1), "discount")

enum { PARAMETERS(GLI_PARAMETER_INDEX) };
static const glimpse_parameter shown[] = {PARAMETERS(GLI_PARAMETER_SHOWN){NULL, NULL, NULL}};
static const gli_parameter_range ranges[] = {PARAMETERS(GLI_PARAMETER_RANGE)};

enum { LISTEN, OPEN_LEFT, OPEN_RIGHT, ACTIONS };

static glimpse_status make(const double *value, glimpse_report *report, glimpse_model **model) {
  static const char *const actions[] = {"listen", "open-left", "open-right"};
  static const char *const sides[] = {"tiger-left", "tiger-right"};
  glimpse_builder *builder = glimpse_builder_new(2, ACTIONS, 2);
  if (builder) {
    gli_environment_names(builder, GLIMPSE_STATE, sides, 2);
    gli_environment_names(builder, GLIMPSE_ACTION, actions, ACTIONS);
    gli_environment_names(builder, GLIMPSE_OBSERVATION, sides, 2);
    glimpse_builder_discount(builder, value[KEY_gamma]);
    glimpse_builder_cost(builder, GLIMPSE_ANY, value[KEY_c]);
    glimpse_builder_transition(builder, GLIMPSE_ANY, GLIMPSE_ANY, GLIMPSE_ANY, 0.5);
    glimpse_builder_observation(builder, GLIMPSE_ANY, GLIMPSE_ANY, GLIMPSE_ANY, 0.5);
    glimpse_builder_reward(builder, LISTEN, GLIMPSE_ANY, GLIMPSE_ANY, GLIMPSE_ANY, -1);
    for (uint32_t tiger = 0; tiger < 2; tiger++) {
      for (uint32_t side = 0; side < 2; side++) {
        glimpse_builder_transition(builder, LISTEN, tiger, side, side == tiger ? 1 : 0);
        glimpse_builder_observation(builder, LISTEN, tiger, side, side == tiger ? 0.85 : 0.15);
        glimpse_builder_reward(builder, side ? OPEN_RIGHT : OPEN_LEFT, tiger, GLIMPSE_ANY, GLIMPSE_ANY,
                               side == tiger ? -100 : 10);
      }
    }
  }
  return gli_environment_finish(builder, NULL, report, model);
}

const gli_environment gli_environment_tiger = {
    {"tiger", "which of two doors hides the tiger: listen, open, or ask", shown}, ranges, make};
