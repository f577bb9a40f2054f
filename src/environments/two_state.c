/* Two states: the model of Lemma 2 of the paper, which shows that the fast
 * informed bound does not hold once the state can be asked for.
 *
 * Every action leads to either state with probability 1/2 and nothing is ever
 * seen.  Action 1 pays 1 in state 1 and -1 in state 2, action 2 the reverse.
 * With g the discount: QMDP gives the vectors g/(1-g) +- 1, FIB gives +-1, and
 * asking before every action earns (1-c)/(1-g), which for c = 0.1 is more than
 * FIB allows. */
#include "environments/environment.h"

#define PARAMETERS(X)                                                                                                  \
  X(c, "0.1", COST(), "price of a request")                                                                            \
  X(gamma, "0.95", REAL(0, 1), "discount")

enum { PARAMETERS(GLI_PARAMETER_INDEX) };
static const glimpse_parameter shown[] = {PARAMETERS(GLI_PARAMETER_SHOWN){NULL, NULL, NULL}};
static const gli_parameter_range ranges[] = {PARAMETERS(GLI_PARAMETER_RANGE)};

static glimpse_status make(const double *value, glimpse_report *report, glimpse_model **model) {
  static const char *const states[] = {"s1", "s2"}, *const actions[] = {"a1", "a2"}, *const observations[] = {"o"};
  glimpse_builder *builder = glimpse_builder_new(2, 2, 1);
  if (builder) {
    gli_environment_names(builder, GLIMPSE_STATE, states, 2);
    gli_environment_names(builder, GLIMPSE_ACTION, actions, 2);
    gli_environment_names(builder, GLIMPSE_OBSERVATION, observations, 1);
    glimpse_builder_discount(builder, value[KEY_gamma]);
    glimpse_builder_cost(builder, GLIMPSE_ANY, value[KEY_c]);
    glimpse_builder_transition(builder, GLIMPSE_ANY, GLIMPSE_ANY, GLIMPSE_ANY, 0.5);
    glimpse_builder_observation(builder, GLIMPSE_ANY, GLIMPSE_ANY, 0, 1);
    for (uint32_t a = 0; a < 2; a++)
      for (uint32_t s = 0; s < 2; s++) glimpse_builder_reward(builder, a, s, GLIMPSE_ANY, GLIMPSE_ANY, a == s ? 1 : -1);
  }
  return gli_environment_finish(builder, NULL, report, model);
}

const gli_environment gli_environment_two_state = {
    {"lemma2", "two states that change at random, unseen: where FIB fails (Lemma 2)", shown}, ranges, make};
