/* Reasons: see reasons.h.
 *
 * All statements follow from intervals.  With asking worth [l, u] and the best
 * action worth between the largest lower and the largest upper bound of an action,
 * [m, n], asking gains between l - n and u - m.  The decision is certain when its
 * lower bound is not below the upper bound of any other choice. */
#include "reasons.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "open_model.h"
#include "output.h"

/* An estimate counts as an interval of one point. */
static glimpse_choice choice_of(const struct decide *decide, uint32_t action) {
  glimpse_choice choice = glimpse_planner_choice(decide->planner, action);
  if (decide_estimates(decide)) choice.lower = choice.upper = choice.value;
  return choice;
}

bool reasons_weigh(const struct decide *decide, struct reasons *reasons) {
  const glimpse_decision *d = &decide->decision;
  uint32_t actions = glimpse_model_count(decide->search.model, GLIMPSE_ACTION);
  uint32_t made = d->ask ? GLIMPSE_ANY : d->action;
  glimpse_choice ask = choice_of(decide, GLIMPSE_ANY);
  *reasons = (struct reasons){.act_lower = -(double)INFINITY,
                              .act_upper = -(double)INFINITY,
                              .ask_lower = ask.lower,
                              .ask_upper = ask.upper,
                              .rival = GLIMPSE_ANY,
                              .rival_upper = made == GLIMPSE_ANY || isnan(ask.upper) ? -(double)INFINITY : ask.upper};
  for (uint32_t a = 0; a < actions; a++) {
    glimpse_choice choice = choice_of(decide, a);
    reasons->act_lower = fmax(reasons->act_lower, choice.lower);
    reasons->act_upper = fmax(reasons->act_upper, choice.upper);
    if (a == made || !(choice.upper > reasons->rival_upper)) continue;
    reasons->rival = a;
    reasons->rival_upper = choice.upper;
  }
  double slack = 1e-9 * (1 + fabs(d->upper)); /* equal up to rounding is equal */
  reasons->certain = !decide_estimates(decide) && choice_of(decide, made).lower + slack >= reasons->rival_upper;
  reasons->steps = glimpse_planner_forecast(decide->planner, reasons->step, REASONS_STEPS);
  return reasons->steps != SIZE_MAX;
}

static double gain_least(const struct reasons *reasons) {
  return reasons->ask_lower - reasons->act_upper;
}

static double gain_most(const struct reasons *reasons) {
  return reasons->ask_upper - reasons->act_lower;
}

static void say(char text[REASONS_TEXT], const char *format, ...) TOOL_PRINTF(2, 3);

/* Appends a sentence. */
static void say(char text[REASONS_TEXT], const char *format, ...) {
  size_t used = strlen(text);
  if (used && used + 1 < REASONS_TEXT) text[used++] = ' ';
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + used, REASONS_TEXT - used, format, arguments);
  va_end(arguments);
}

static const char *choice_name(const struct decide *decide, uint32_t action, char text[120]) {
  if (action == GLIMPSE_ANY) snprintf(text, 120, "asking");
  else snprintf(text, 120, "'%s'", decide_name(decide, action));
  return text;
}

/* The choice other than the one made that is sure to be worth most. */
static uint32_t surest_rival(const struct decide *decide, double *lower) {
  const glimpse_decision *d = &decide->decision;
  uint32_t actions = glimpse_model_count(decide->search.model, GLIMPSE_ACTION), best = GLIMPSE_ANY;
  *lower = d->ask ? -(double)INFINITY : choice_of(decide, GLIMPSE_ANY).lower;
  if (isnan(*lower)) *lower = -(double)INFINITY;
  for (uint32_t a = 0; a < actions; a++) {
    double other = choice_of(decide, a).lower;
    if ((d->ask || a != d->action) && other > *lower) *lower = other, best = a;
  }
  return best;
}

/* What the table of planners says of a rule, "baseline without search: never ask". */
static const char *rule_of(glimpse_planner_kind kind) {
  static const char *const texts[] = {
#define X(name, key, text, traits) text,
      GLIMPSE_PLANNER_TABLE(X)
#undef X
  };
  const char *colon = strchr(texts[kind], ':');
  return colon ? colon + 2 : texts[kind];
}

static void rule_text(const struct decide *decide, char text[200]) {
  const glimpse_planner_options *planner = &decide->search.planner;
  char bits[GLIMPSE_NUMBER_SIZE];
  if (planner->kind == GLIMPSE_PLANNER_ASK_EVERY) {
    snprintf(text, 200, "ask at the first step and then every %lu step%s", (unsigned long)planner->every,
             planner->every == 1 ? "" : "s");
  } else if (planner->kind == GLIMPSE_PLANNER_ASK_ENTROPY) {
    glimpse_number_write(planner->entropy, bits);
    snprintf(text, 200, "ask when the belief has more than %s bit%s; it has %.3f", bits,
             planner->entropy == 1 ? "" : "s", glimpse_belief_entropy(decide->belief));
  } else {
    snprintf(text, 200, "%s", rule_of(planner->kind));
  }
}

/* What a choice is worth at least, and what another is worth at most: in brief, but with as many digits as it takes to
 * see which is more. */
static void put_rivals(const struct decide *decide, double least, double width, double most, double other_width,
                       char lower[32], char upper[32]) {
  double low, high, part = 1;
  for (int i = 0; i < 7; i++) {
    decide_low(decide, least, least + part * width, lower);
    decide_high(decide, most - part * other_width, most, upper);
    if (!glimpse_number_read(lower, strlen(lower), &low) || !glimpse_number_read(upper, strlen(upper), &high)) return;
    if ((least < most) == (low < high)) return;
    part /= 10;
  }
}

/* The rule of a baseline, and what the bounds say of what it does. */
static void explain_rule(const struct decide *decide, const struct reasons *reasons, char text[REASONS_TEXT]) {
  const glimpse_decision *d = &decide->decision;
  glimpse_choice made = choice_of(decide, d->ask ? GLIMPSE_ANY : d->action);
  char rule[200], lower[32], upper[32], rival[120], most[32];
  const char *action = decide->search.planner.kind == GLIMPSE_PLANNER_SPI ? ""
                       : decide->search.planner.act == GLIMPSE_ACT_QMDP
                           ? " The action is the best if the state were known for free from the next step on."
                           : " The action is the one of largest lower bound among the plans that the rule allows.";
  rule_text(decide, rule);
  say(text, "The planner follows a rule and does not search. The rule: %s.%s", rule, d->ask ? "" : action);
  if (isinf(reasons->rival_upper)) return;
  double sure;
  uint32_t surest = surest_rival(decide, &sure);
  double slack = 1e-9 * (1 + fabs(d->upper)); /* equal up to rounding is equal */
  decide_low(decide, made.lower, made.upper, lower);
  decide_high(decide, made.lower, made.upper, upper);
  decide_high(decide, choice_of(decide, reasons->rival).lower, reasons->rival_upper, most);
  if (reasons->certain) {
    put_rivals(decide, made.lower, made.upper - made.lower, reasons->rival_upper,
               reasons->rival_upper - choice_of(decide, reasons->rival).lower, lower, most);
    say(text, "The bounds agree: it is worth at least %s, and no other choice is worth more than %s (%s).", lower, most,
        choice_name(decide, reasons->rival, rival));
  } else if (sure > made.upper + slack)
    say(text, "The bounds disagree: it is worth at most %s, and %s is worth at least %s.", upper,
        choice_name(decide, surest, rival), decide_low(decide, sure, choice_of(decide, surest).upper, most));
  else
    say(text,
        "The bounds do not say whether it is the best choice: followed by the best plan it is worth between %s "
        "and %s, and %s may be worth up to %s.",
        lower, upper, choice_name(decide, reasons->rival, rival), most);
}

static void explain_search(const struct decide *decide, const struct reasons *reasons, char text[REASONS_TEXT]) {
  char rival[120], lower[32], upper[32];
  const glimpse_decision *d = &decide->decision;
  choice_name(decide, reasons->rival, rival);
  glimpse_choice made = choice_of(decide, d->ask ? GLIMPSE_ANY : d->action);
  put_rivals(decide, made.lower, made.upper - made.lower, reasons->rival_upper,
             reasons->rival_upper - choice_of(decide, reasons->rival).lower, lower, upper);
  if (decide_estimates(decide))
    say(text,
        "This follows the mean returns of %llu simulations, exploring ones among them: first whether to ask, then "
        "which action. They are estimates; there are no bounds that could make it certain.",
        (unsigned long long)d->expansions);
  else if (isinf(reasons->rival_upper)) say(text, "There is no other choice.");
  else if (reasons->certain)
    say(text, "This is certain: it is worth at least %s, and no other choice is worth more than %s (%s).", lower, upper,
        rival);
  else
    say(text,
        "This rests on the lower bounds: no other choice is sure to be worth more than the %s that this one is "
        "worth at least. It is not certain, for %s may be worth up to %s; a longer search could change it.",
        lower, rival, upper);
}

/* What a policy says, or would say. */
static void explain_policy(const struct decide *decide, char text[REASONS_TEXT]) {
  const glimpse_decision *d = &decide->decision;
  char lower[32], upper[32];
  if (d->stop == GLIMPSE_STOP_OFF_PLAN)
    say(text, "The policy does not begin at this belief. This is the choice of the node that is worth most here.");
  else
    say(text, "This is what the policy says at its start. It is worth at least %s there, and no policy more than %s.",
        decide_low(decide, d->lower, d->upper, lower), decide_high(decide, d->lower, d->upper, upper));
}

void reasons_decision(const struct decide *decide, const struct reasons *reasons, char text[REASONS_TEXT]) {
  *text = 0;
  bool follows = decide->search.planner.kind == GLIMPSE_PLANNER_POLICY;
  if (follows && search_by_rule(&decide->search)) explain_policy(decide, text);
  else if (search_by_rule(&decide->search)) explain_rule(decide, reasons, text);
  else explain_search(decide, reasons, text);
}

void reasons_asking(const struct decide *decide, const struct reasons *reasons, char text[REASONS_TEXT]) {
  *text = 0;
  char least[32], most[32], cost[100];
  double low = gain_least(reasons), high = gain_most(reasons);
  open_model_cost_text(decide->search.model, cost);
  if (low >= 0) decide_low(decide, low, high, least);
  else decide_high(decide, -high, -low, least); /* the most that is lost */
  if (high <= 0) decide_low(decide, -high, -low, most);
  else decide_high(decide, low, high, most);
  if (!glimpse_model_requests(decide->search.model)) say(text, "The agent may not ask.");
  else if (isnan(low) && glimpse_belief_row(decide->belief).count == 1)
    say(text, "The state is known, so there is nothing to ask for.");
  else if (isnan(low) && search_by_rule(&decide->search))
    say(text, "Nothing was searched, so nothing is known of asking.");
  else if (isnan(low)) say(text, "The search did not look at asking.");
  else if (decide_estimates(decide))
    say(text, "Asking, at a price of %s, seems to %s %s compared with the best action without asking.", cost,
        low >= 0 ? "gain" : "lose", least);
  else if (low >= 0)
    say(text,
        "Asking, at a price of %s, gains at least %s and at most %s compared with the best action without asking.",
        cost, least, most);
  else if (high <= 0)
    say(text,
        "Asking, at a price of %s, loses at least %s and at most %s compared with the best action without asking.",
        cost, most, least);
  else
    say(text,
        "Asking, at a price of %s, may gain up to %s or lose up to %s compared with the best action without "
        "asking: the intervals overlap.",
        cost, most, least);
}

/* --------------------------------------------------------------------- JSON */

static void json_name(struct json *json, const char *key, const struct decide *decide, glimpse_kind kind, uint32_t i) {
  json_text(json, key, i == GLIMPSE_ANY ? NULL : glimpse_model_name(decide->search.model, kind, i));
}

void reasons_json(const struct reasons *reasons, struct json *json) {
  json_bool(json, "certain", reasons->certain);
  json_number(json, "gain_least", gain_least(reasons));
  json_number(json, "gain_most", gain_most(reasons));
}

void reasons_json_forecast(const struct decide *decide, const struct reasons *reasons, struct json *json) {
  json_array(json, "forecast");
  for (size_t i = 0; i < reasons->steps; i++) {
    const glimpse_forecast *step = &reasons->step[i];
    json_object(json, NULL);
    json_bool(json, "ask", step->ask);
    json_name(json, "state", decide, GLIMPSE_STATE, step->state);
    json_name(json, "action", decide, GLIMPSE_ACTION, step->action);
    json_name(json, "observation", decide, GLIMPSE_OBSERVATION, step->observation);
    json_number(json, "probability", step->probability);
    json_number(json, "lower", step->lower);
    json_number(json, "upper", step->upper);
    json_close(json);
  }
  json_close(json);
}
