/* Even-odd: a chain of 20 places on which the two actions change their meaning with
 * every step, from C. Bellinger and others, Active Measure Reinforcement Learning
 * (Canadian AI 2021).
 *
 * `b` moves on in an even place and back in an odd one, `a` the reverse.  A move from
 * i leads to a normally distributed point around i + 1 or i - 1, with deviation
 * noise + 0.001, cut to 1..20 and rounded to a whole number: with z that point,
 *
 *   P(j) = P(j - 1/2 < z < j + 1/2 | 1 < z < 20)
 *
 * From place 1 a move back aims at 0; with `mean=inside` it aims at 1, so that it may
 * lead to 2.  Reaching place 20 pays 300 and ends it, every other step costs 1.  Without noise
 * nobody has to look; with noise one slip turns every later step around.
 * Shares below 1e-15 are left out, which is less than a rounding of the row. */
#include "base/normal.h"
#include "environments/environment.h"

#include <stdio.h>

#define PARAMETERS(X)                                                                                                  \
  X(noise, "0.3", REAL(0, 10), "deviation of a step, less 0.001")                                                      \
  X(mean, "free", CHOICE("free|inside"), "may a step aim beyond the ends, or is its mean kept inside")                 \
  X(c, "10", COST(), "price of a request")                                                                             \
  GLI_TIMING_PARAMETER(X)                                                                                              \
  X(gamma, "0.99", REAL(0, 1), "discount")

enum { PARAMETERS(GLI_PARAMETER_INDEX) };
static const glimpse_parameter shown[] = {PARAMETERS(GLI_PARAMETER_SHOWN){NULL, NULL, NULL}};
static const gli_parameter_range ranges[] = {PARAMETERS(GLI_PARAMETER_RANGE)};

enum { LENGTH = 20, END = LENGTH - 1 }; /* place i is state i - 1 */
enum { A, B, ACTIONS };
enum { FREE, INSIDE };

static const double goal = 300, step = -1, least = 1e-15;

static void add_step(glimpse_builder *builder, const double *value, uint32_t a, int place) {
  bool on = (place % 2 == 0) == (a == B), low = place == 1 && value[KEY_mean] == INSIDE;
  double mean = on ? place + 1 : low ? 1 : place - 1, sd = value[KEY_noise] + 0.001;
  uint32_t s = (uint32_t)(place - 1);
  for (int to = 1; to <= LENGTH; to++) {
    double p = gli_normal_share(mean, sd, 1, LENGTH, to - 0.5, to + 0.5);
    if (p >= least) glimpse_builder_transition(builder, a, s, (uint32_t)(to - 1), p);
  }
  glimpse_builder_reward(builder, a, s, GLIMPSE_ANY, GLIMPSE_ANY, step);
  glimpse_builder_reward(builder, a, s, END, GLIMPSE_ANY, goal);
}

static glimpse_status make(const double *value, glimpse_report *report, glimpse_model **model) {
  static const char *const actions[] = {"a", "b"};
  glimpse_builder *builder = gli_environment_unseen(LENGTH, ACTIONS, END);
  if (builder) {
    gli_environment_names(builder, GLIMPSE_ACTION, actions, ACTIONS);
    glimpse_builder_discount(builder, value[KEY_gamma]);
    gli_environment_ask(builder, (int)value[KEY_timing], value[KEY_c]);
    glimpse_builder_start(builder, 0, 1);
    for (int place = 1; place < LENGTH; place++) {
      char name[32];
      snprintf(name, sizeof name, "place%d", place);
      glimpse_builder_name(builder, GLIMPSE_STATE, (uint32_t)(place - 1), name);
      for (uint32_t a = 0; a < ACTIONS; a++) add_step(builder, value, a, place);
    }
  }
  return gli_environment_finish(builder, NULL, report, model);
}

const gli_environment gli_environment_even_odd = {
    {"even-odd", "a chain on which actions change their meaning at every step (AMRL)", shown}, ranges, make};
