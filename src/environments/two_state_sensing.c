/* Two-state sensing: the two examples with two states of V. Kapoor and J. Nair, Markov
 * decision processes with a state sensing cost (2025).
 *
 * Nothing is seen and nothing ends; a price per state and action is paid, so that
 * rewards are negative.  `illustration` and `counter` (their counter-example) differ
 * in the numbers alone. */
#include "environments/environment.h"

#define PARAMETERS(X)                                                                                                  \
  X(numbers, "illustration", CHOICE("illustration|counter"), "which of the two examples")                              \
  X(from, "s1", CHOICE("s1|s2"), "the state in which it begins")                                                       \
  X(c, "0.125", COST(), "price of a request")                                                                          \
  GLI_TIMING_PARAMETER(X)                                                                                              \
  X(gamma, "0.5", REAL(0, 1), "discount")

enum { PARAMETERS(GLI_PARAMETER_INDEX) };
static const glimpse_parameter shown[] = {PARAMETERS(GLI_PARAMETER_SHOWN){NULL, NULL, NULL}};
static const gli_parameter_range ranges[] = {PARAMETERS(GLI_PARAMETER_RANGE)};

enum { STATES = 2, ACTIONS = 2 };

typedef struct example {
  double first[ACTIONS][STATES]; /* probability that the next state is s1 */
  double cost[ACTIONS][STATES];
} example;

static const example examples[] = {
    {{{0.7, 0.2}, {0.3, 0.9}}, {{0.25, 0.75}, {1, 0.5}}},
    {{{0.28, 0.934}, {0.31, 0.481}}, {{0.066, 0.502}, {0.29, 0.41}}},
};

static glimpse_status make(const double *value, glimpse_report *report, glimpse_model **model) {
  static const char *const states[] = {"s1", "s2"}, *const actions[] = {"r", "b"};
  const example *e = &examples[(int)value[KEY_numbers]];
  glimpse_builder *builder = gli_environment_unseen(STATES, ACTIONS, GLIMPSE_ANY);
  if (builder) {
    gli_environment_names(builder, GLIMPSE_STATE, states, STATES);
    gli_environment_names(builder, GLIMPSE_ACTION, actions, ACTIONS);
    glimpse_builder_discount(builder, value[KEY_gamma]);
    gli_environment_ask(builder, (int)value[KEY_timing], value[KEY_c]);
    glimpse_builder_start(builder, (uint32_t)value[KEY_from], 1);
    for (uint32_t a = 0; a < ACTIONS; a++) {
      for (uint32_t s = 0; s < STATES; s++) {
        glimpse_builder_transition(builder, a, s, 0, e->first[a][s]);
        glimpse_builder_transition(builder, a, s, 1, 1 - e->first[a][s]);
        glimpse_builder_reward(builder, a, s, GLIMPSE_ANY, GLIMPSE_ANY, -e->cost[a][s]);
      }
    }
  }
  return gli_environment_finish(builder, NULL, report, model);
}

const gli_environment gli_environment_two_state_sensing = {
    {"two-state-sensing", "two states, unseen, with costs to pay (sensing cost, examples)", shown}, ranges, make};
