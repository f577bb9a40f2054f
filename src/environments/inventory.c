/* Inventory: a store that cannot count its stock for free, from V. Kapoor and J. Nair,
 * Markov decision processes with a state sensing cost (2025), their case study.
 *
 * Stock s = 0..3.  `make0` to `make3` produce a pieces at 1 each; then 1 or 2 are
 * asked for, with 1/2 each, and sold at 2 as far as there are any.  What is left
 * costs 0.5 a piece, and what does not fit (more than 3) is lost:
 *
 *   R(s,a) = E[2 min(s+a,d) - max(0,s+a-d)/2] - a        s' = min(3, max(0,s+a-d))
 *
 * The original minimises costs; this is the same as profit.  It has no end, begins
 * empty, and nothing is seen. */
#include "environments/environment.h"

#include <stdio.h>

#define PARAMETERS(X)                                                                                                  \
  X(c, "0.064", COST(), "price of a request")                                                                          \
  GLI_TIMING_PARAMETER(X)                                                                                              \
  X(gamma, "0.8", REAL(0, 1), "discount")

enum { PARAMETERS(GLI_PARAMETER_INDEX) };
static const glimpse_parameter shown[] = {PARAMETERS(GLI_PARAMETER_SHOWN){NULL, NULL, NULL}};
static const gli_parameter_range ranges[] = {PARAMETERS(GLI_PARAMETER_RANGE)};

enum { CAPACITY = 3, STATES = CAPACITY + 1, ACTIONS = CAPACITY + 1 };

static const double price = 2, holding = 0.5, production = 1;

static void add_step(glimpse_builder *builder, int made, int stock) {
  double p[STATES] = {0}, reward = -production * made;
  for (int demand = 1; demand <= 2; demand++) {
    int there = stock + made, sold = there < demand ? there : demand, left = there - sold;
    reward += (price * sold - holding * left) / 2;
    p[left < CAPACITY ? left : CAPACITY] += 0.5;
  }
  for (uint32_t s = 0; s < STATES; s++)
    if (p[s] > 0) glimpse_builder_transition(builder, (uint32_t)made, (uint32_t)stock, s, p[s]);
  glimpse_builder_reward(builder, (uint32_t)made, (uint32_t)stock, GLIMPSE_ANY, GLIMPSE_ANY, reward);
}

static glimpse_status make(const double *value, glimpse_report *report, glimpse_model **model) {
  glimpse_builder *builder = gli_environment_unseen(STATES, ACTIONS, GLIMPSE_ANY);
  if (builder) {
    glimpse_builder_discount(builder, value[KEY_gamma]);
    gli_environment_ask(builder, (int)value[KEY_timing], value[KEY_c]);
    glimpse_builder_start(builder, 0, 1);
    for (int i = 0; i <= CAPACITY; i++) {
      char name[32];
      snprintf(name, sizeof name, "stock%d", i);
      glimpse_builder_name(builder, GLIMPSE_STATE, (uint32_t)i, name);
      snprintf(name, sizeof name, "make%d", i);
      glimpse_builder_name(builder, GLIMPSE_ACTION, (uint32_t)i, name);
      for (int made = 0; made <= CAPACITY; made++) add_step(builder, made, i);
    }
  }
  return gli_environment_finish(builder, NULL, report, model);
}

const gli_environment gli_environment_inventory = {
    {"inventory", "a store that does not see its stock (sensing cost, case study)", shown}, ranges, make};
