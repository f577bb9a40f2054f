/* Loss: the smallest model in which measuring pays, from M. Krale, T. D. Simao and
 * N. Jansen, Act-Then-Measure (ICAPS 2023), where it is called measuring value.
 *
 *   begin --on--> plus (p) or minus (1-p), unseen
 *   plus  --on--> end, pays 1       minus --on--> end, pays 0
 *   `back` leads to begin from everywhere
 *
 * Asking after the first step is worth g(p - c)/(1 - (1-p)g^2), never asking g p,
 * so that with p = 0.8 and g = 0.95 one asks below c = 0.1444. */
#include "environments/environment.h"

#define PARAMETERS(X)                                                                                                  \
  X(p, "0.8", REAL(0, 1), "probability of the good side")                                                              \
  X(c, "0.05", COST(), "price of a request")                                                                           \
  GLI_TIMING_PARAMETER(X)                                                                                              \
  X(gamma, "0.95", REAL(0, 1), "discount")

enum { PARAMETERS(GLI_PARAMETER_INDEX) };
static const glimpse_parameter shown[] = {PARAMETERS(GLI_PARAMETER_SHOWN){NULL, NULL, NULL}};
static const gli_parameter_range ranges[] = {PARAMETERS(GLI_PARAMETER_RANGE)};

enum { BEGIN, PLUS, MINUS, END, STATES };
enum { ON, BACK, ACTIONS };

static glimpse_status make(const double *value, glimpse_report *report, glimpse_model **model) {
  static const char *const states[] = {"begin", "plus", "minus"}, *const actions[] = {"on", "back"};
  glimpse_builder *builder = gli_environment_unseen(STATES, ACTIONS, END);
  if (builder) {
    gli_environment_names(builder, GLIMPSE_STATE, states, END);
    gli_environment_names(builder, GLIMPSE_ACTION, actions, ACTIONS);
    glimpse_builder_discount(builder, value[KEY_gamma]);
    gli_environment_ask(builder, (int)value[KEY_timing], value[KEY_c]);
    glimpse_builder_start(builder, BEGIN, 1);
    for (uint32_t s = BEGIN; s < END; s++) glimpse_builder_transition(builder, BACK, s, BEGIN, 1);
    glimpse_builder_transition(builder, ON, BEGIN, PLUS, value[KEY_p]);
    glimpse_builder_transition(builder, ON, BEGIN, MINUS, 1 - value[KEY_p]);
    glimpse_builder_transition(builder, ON, PLUS, END, 1);
    glimpse_builder_transition(builder, ON, MINUS, END, 1);
    glimpse_builder_reward(builder, ON, PLUS, GLIMPSE_ANY, GLIMPSE_ANY, 1);
  }
  return gli_environment_finish(builder, NULL, report, model);
}

const gli_environment gli_environment_loss = {
    {"loss", "a coin that one may measure before betting on it (ATM's measuring value)", shown}, ranges, make};
