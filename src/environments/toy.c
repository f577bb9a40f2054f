/* Toy: the tree of the paper's appendix "Example of Optimal Action Divergence",
 * in which MDP and POMDP prefer action 1 and the POMDP with requests action 2.
 *
 *   start --1--> first coin, hidden --right guess--> second coin, hidden: 10 right, 5 wrong
 *                                   --wrong guess--> 2.5
 *         --2--> single coin, hidden: 9 right, 0 wrong
 *
 * All coins are fair, and the agent always sees which coin it stands before but
 * not its side.  Knowing everything action 1 is worth 10 and action 2 is worth 9;
 * knowing nothing 5 and 4.5.  With requests at a price c
 *
 *   Q1 = max(5, 10 - 2c)      Q2 = max(4.5, 9 - c)
 *
 * so that action 2 is best for 1 <= c <= 4.  (Asking at one of the two coins of
 * action 1 alone is worth 6.25 - c/2 or 7.5 - c, which is never more than Q1.)
 *
 * These numbers know no discount.  To make them hold exactly for any gamma,
 * rewards and prices d steps after the start are divided by gamma^d; the price is
 * thus one per state: c at the start, c/gamma at the first and the single coin,
 * c/gamma^2 at the second. */
#include "environments/environment.h"

#define PARAMETERS(X)                                                                                                  \
  X(c, "2", COST(), "price of a request, in value at the start")                                                       \
  X(gamma, "0.99", REAL(0.01, 1), "discount; all values at the start are the same for any")

enum { PARAMETERS(GLI_PARAMETER_INDEX) };
static const glimpse_parameter shown[] = {PARAMETERS(GLI_PARAMETER_SHOWN){NULL, NULL, NULL}};
static const gli_parameter_range ranges[] = {PARAMETERS(GLI_PARAMETER_RANGE)};

/* The sides of a coin are neighbours; a guess is right when it is the side. */
enum { START, FIRST, SECOND = FIRST + 2, SINGLE = SECOND + 2, END = SINGLE + 2, STATES };
enum { SEE_START, SEE_FIRST, SEE_SECOND, SEE_SINGLE, SEE_END, OBSERVATIONS };

static void pay(glimpse_builder *builder, uint32_t a, uint32_t s, double r) {
  glimpse_builder_reward(builder, a, s, GLIMPSE_ANY, GLIMPSE_ANY, r);
}

/* Action a in s tosses the coin whose two states begin at `coin`. */
static void toss(glimpse_builder *builder, uint32_t a, uint32_t s, uint32_t coin) {
  for (uint32_t side = 0; side < 2; side++) glimpse_builder_transition(builder, a, s, coin + side, 0.5);
}

static void add_rules(glimpse_builder *builder, double gamma) {
  double one = gamma, two = gamma * gamma;
  toss(builder, 0, START, FIRST);
  toss(builder, 1, START, SINGLE);
  for (uint32_t side = 0; side < 2; side++) {
    for (uint32_t guess = 0; guess < 2; guess++) {
      bool right = guess == side;
      if (right) {
        toss(builder, guess, FIRST + side, SECOND);
      } else {
        glimpse_builder_transition(builder, guess, FIRST + side, END, 1);
        pay(builder, guess, FIRST + side, 2.5 / one);
      }
      glimpse_builder_transition(builder, guess, SECOND + side, END, 1);
      pay(builder, guess, SECOND + side, (right ? 10 : 5) / two);
      glimpse_builder_transition(builder, guess, SINGLE + side, END, 1);
      pay(builder, guess, SINGLE + side, (right ? 9 : 0) / one);
    }
  }
  glimpse_builder_transition(builder, GLIMPSE_ANY, END, END, 1);
}

static void add_sight_and_prices(glimpse_builder *builder, double gamma, double c) {
  static const uint32_t sight[STATES] = {SEE_START,  SEE_FIRST,  SEE_FIRST,  SEE_SECOND,
                                         SEE_SECOND, SEE_SINGLE, SEE_SINGLE, SEE_END};
  for (uint32_t s = 0; s < STATES; s++) {
    uint32_t seen = sight[s];
    glimpse_builder_observation(builder, GLIMPSE_ANY, s, seen, 1);
    bool late = seen == SEE_FIRST || seen == SEE_SINGLE;
    glimpse_builder_cost(builder, s, seen == SEE_SECOND ? c / (gamma * gamma) : late ? c / gamma : c);
  }
}

static glimpse_status make(const double *value, glimpse_report *report, glimpse_model **model) {
  static const char *const states[STATES] = {"begin",        "first-left",  "first-right",  "second-left",
                                             "second-right", "single-left", "single-right", "end"};
  static const char *const actions[] = {"left", "right"};
  static const char *const observations[OBSERVATIONS] = {"begin", "first", "second", "single", "end"};
  glimpse_builder *builder = glimpse_builder_new(STATES, 2, OBSERVATIONS);
  if (builder) {
    gli_environment_names(builder, GLIMPSE_STATE, states, STATES);
    gli_environment_names(builder, GLIMPSE_ACTION, actions, 2);
    gli_environment_names(builder, GLIMPSE_OBSERVATION, observations, OBSERVATIONS);
    glimpse_builder_discount(builder, value[KEY_gamma]);
    glimpse_builder_start(builder, START, 1);
    add_rules(builder, value[KEY_gamma]);
    add_sight_and_prices(builder, value[KEY_gamma], value[KEY_c]);
  }
  return gli_environment_finish(builder, NULL, report, model);
}

const gli_environment gli_environment_toy = {
    {"toy", "the appendix: left is best for MDP and POMDP, right with requests for 1 <= c <= 4", shown}, ranges, make};
