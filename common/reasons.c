/* Reasons: see reasons.h.
 *
 * All statements follow from intervals.  With asking worth [l, u] and the best
 * action worth between the largest lower and the largest upper bound of an action,
 * [m, n], asking gains between l - n and u - m.  The decision is certain when its
 * lower bound is not below the upper bound of any other choice. */
#include "common/reasons.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/range.h"
#include "common/text.h"

static bool estimates(const struct grounds *grounds) {
  return !(glimpse_planner_traits(grounds->options->kind) & GLIMPSE_TRAIT_BOUNDS);
}

/* An estimate counts as an interval of one point. */
static glimpse_choice choice_of(const struct grounds *grounds, uint32_t action) {
  glimpse_choice choice = glimpse_planner_choice(grounds->planner, action);
  if (estimates(grounds)) choice.lower = choice.upper = choice.value;
  return choice;
}

bool reasons_weigh(const struct grounds *grounds, struct reasons *reasons) {
  const glimpse_decision *d = grounds->decision;
  uint32_t actions = glimpse_model_count(grounds->model, GLIMPSE_ACTION);
  uint32_t made = d->ask ? GLIMPSE_ANY : d->action;
  glimpse_choice ask = choice_of(grounds, GLIMPSE_ANY);
  *reasons = (struct reasons){.act_lower = -(double)INFINITY,
                              .act_upper = -(double)INFINITY,
                              .ask_lower = ask.lower,
                              .ask_upper = ask.upper,
                              .rival = GLIMPSE_ANY,
                              .rival_upper = made == GLIMPSE_ANY || isnan(ask.upper) ? -(double)INFINITY : ask.upper};
  for (uint32_t a = 0; a < actions; a++) {
    glimpse_choice choice = choice_of(grounds, a);
    reasons->act_lower = fmax(reasons->act_lower, choice.lower);
    reasons->act_upper = fmax(reasons->act_upper, choice.upper);
    if (a == made || !(choice.upper > reasons->rival_upper)) continue;
    reasons->rival = a;
    reasons->rival_upper = choice.upper;
  }
  double slack = 1e-9 * (1 + fabs(d->upper)); /* equal up to rounding is equal */
  reasons->certain = !estimates(grounds) && choice_of(grounds, made).lower + slack >= reasons->rival_upper;
  reasons->steps = glimpse_planner_forecast(grounds->planner, reasons->step, REASONS_STEPS);
  return reasons->steps != SIZE_MAX;
}

static double gain_least(const struct reasons *reasons) {
  return reasons->ask_lower - reasons->act_upper;
}

static double gain_most(const struct reasons *reasons) {
  return reasons->ask_upper - reasons->act_lower;
}

static void say(char text[REASONS_TEXT], const char *format, ...) TEXT_PRINTF(2, 3);

/* Appends a sentence. */
static void say(char text[REASONS_TEXT], const char *format, ...) {
  size_t used = strlen(text);
  if (used && used + 1 < REASONS_TEXT) text[used++] = ' ';
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + used, REASONS_TEXT - used, format, arguments);
  va_end(arguments);
}

static const char *choice_name(const struct grounds *grounds, uint32_t action, char text[120]) {
  if (action == GLIMPSE_ANY) snprintf(text, 120, "asking");
  else snprintf(text, 120, "'%s'", glimpse_model_name(grounds->model, GLIMPSE_ACTION, action));
  return text;
}

/* The choice other than the one made that is sure to be worth most. */
static uint32_t surest_rival(const struct grounds *grounds, double *lower) {
  const glimpse_decision *d = grounds->decision;
  uint32_t actions = glimpse_model_count(grounds->model, GLIMPSE_ACTION), best = GLIMPSE_ANY;
  *lower = d->ask ? -(double)INFINITY : choice_of(grounds, GLIMPSE_ANY).lower;
  if (isnan(*lower)) *lower = -(double)INFINITY;
  for (uint32_t a = 0; a < actions; a++) {
    double other = choice_of(grounds, a).lower;
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

static void rule_text(const struct grounds *grounds, char text[200]) {
  const glimpse_planner_options *planner = grounds->options;
  char bits[GLIMPSE_NUMBER_SIZE];
  if (planner->kind == GLIMPSE_PLANNER_ASK_EVERY) {
    snprintf(text, 200, "ask at the first step and then every %lu step%s", (unsigned long)planner->every,
             planner->every == 1 ? "" : "s");
  } else if (planner->kind == GLIMPSE_PLANNER_ASK_ENTROPY) {
    glimpse_number_write(planner->entropy, bits);
    snprintf(text, 200, "ask when the belief has more than %s bit%s; it has %.3f", bits,
             planner->entropy == 1 ? "" : "s", glimpse_belief_entropy(grounds->belief));
  } else {
    snprintf(text, 200, "%s", rule_of(planner->kind));
  }
}

/* What a choice is worth at least, and what another is worth at most: in brief, but with as many digits as it takes to
 * see which is more. */
static void put_rivals(const struct grounds *grounds, double least, double width, double most, double other_width,
                       char lower[32], char upper[32]) {
  double low, high, part = 1;
  for (int i = 0; i < 7; i++) {
    range_low(grounds->brief, least, least + part * width, lower);
    range_high(grounds->brief, most - part * other_width, most, upper);
    if (!glimpse_number_read(lower, strlen(lower), &low) || !glimpse_number_read(upper, strlen(upper), &high)) return;
    if ((least < most) == (low < high)) return;
    part /= 10;
  }
}

/* The rule of a baseline, and what the bounds say of what it does. */
static void explain_rule(const struct grounds *grounds, const struct reasons *reasons, char text[REASONS_TEXT]) {
  const glimpse_decision *d = grounds->decision;
  glimpse_choice made = choice_of(grounds, d->ask ? GLIMPSE_ANY : d->action);
  char rule[200], lower[32], upper[32], rival[120], most[32];
  const char *action = grounds->options->kind == GLIMPSE_PLANNER_SPI ? ""
                       : grounds->options->act == GLIMPSE_ACT_QMDP
                           ? " The action is the best if the state were known for free from the next step on."
                           : " The action is the one of largest lower bound among the plans that the rule allows.";
  rule_text(grounds, rule);
  say(text, "The planner follows a rule and does not search. The rule: %s.%s", rule, d->ask ? "" : action);
  if (isinf(reasons->rival_upper)) return;
  double sure;
  uint32_t surest = surest_rival(grounds, &sure);
  double slack = 1e-9 * (1 + fabs(d->upper)); /* equal up to rounding is equal */
  range_low(grounds->brief, made.lower, made.upper, lower);
  range_high(grounds->brief, made.lower, made.upper, upper);
  range_high(grounds->brief, choice_of(grounds, reasons->rival).lower, reasons->rival_upper, most);
  if (reasons->certain) {
    put_rivals(grounds, made.lower, made.upper - made.lower, reasons->rival_upper,
               reasons->rival_upper - choice_of(grounds, reasons->rival).lower, lower, most);
    say(text, "The bounds agree: it is worth at least %s, and no other choice is worth more than %s (%s).", lower, most,
        choice_name(grounds, reasons->rival, rival));
  } else if (sure > made.upper + slack)
    say(text, "The bounds disagree: it is worth at most %s, and %s is worth at least %s.", upper,
        choice_name(grounds, surest, rival), range_low(grounds->brief, sure, choice_of(grounds, surest).upper, most));
  else
    say(text,
        "The bounds do not say whether it is the best choice: followed by the best plan it is worth between %s "
        "and %s, and %s may be worth up to %s.",
        lower, upper, choice_name(grounds, reasons->rival, rival), most);
}

static void explain_search(const struct grounds *grounds, const struct reasons *reasons, char text[REASONS_TEXT]) {
  char rival[120], lower[32], upper[32];
  const glimpse_decision *d = grounds->decision;
  choice_name(grounds, reasons->rival, rival);
  glimpse_choice made = choice_of(grounds, d->ask ? GLIMPSE_ANY : d->action);
  put_rivals(grounds, made.lower, made.upper - made.lower, reasons->rival_upper,
             reasons->rival_upper - choice_of(grounds, reasons->rival).lower, lower, upper);
  if (estimates(grounds))
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
static void explain_policy(const struct grounds *grounds, char text[REASONS_TEXT]) {
  const glimpse_decision *d = grounds->decision;
  char lower[32], upper[32];
  if (d->stop == GLIMPSE_STOP_OFF_PLAN)
    say(text, "The policy does not begin at this belief. This is the choice of the node that is worth most here.");
  else
    say(text, "This is what the policy says at its start. It is worth at least %s there, and no policy more than %s.",
        range_low(grounds->brief, d->lower, d->upper, lower), range_high(grounds->brief, d->lower, d->upper, upper));
}

void reasons_decision(const struct grounds *grounds, const struct reasons *reasons, char text[REASONS_TEXT]) {
  *text = 0;
  bool follows = grounds->options->kind == GLIMPSE_PLANNER_POLICY;
  if (follows && grounds->by_rule) explain_policy(grounds, text);
  else if (grounds->by_rule) explain_rule(grounds, reasons, text);
  else explain_search(grounds, reasons, text);
}

void reasons_cost(const glimpse_model *model, char text[100]) {
  char low[GLIMPSE_NUMBER_SIZE], high[GLIMPSE_NUMBER_SIZE];
  if (!glimpse_model_requests(model)) {
    snprintf(text, 100, "off");
    return;
  }
  double least = glimpse_model_cost(model, 0), most = least;
  for (uint32_t s = 0; s < glimpse_model_count(model, GLIMPSE_STATE); s++) {
    double cost = glimpse_model_cost(model, s);
    if (cost < least) least = cost;
    if (cost > most) most = cost;
  }
  glimpse_number_write(least, low);
  glimpse_number_write(most, high);
  if (glimpse_model_cost_uniform(model)) snprintf(text, 100, "%s", low);
  else snprintf(text, 100, "%s to %s, depending on the state", low, high);
}

void reasons_asking(const struct grounds *grounds, const struct reasons *reasons, char text[REASONS_TEXT]) {
  *text = 0;
  char least[32], most[32], cost[100];
  double low = gain_least(reasons), high = gain_most(reasons);
  reasons_cost(grounds->model, cost);
  if (low >= 0) range_low(grounds->brief, low, high, least);
  else range_high(grounds->brief, -high, -low, least); /* the most that is lost */
  if (high <= 0) range_low(grounds->brief, -high, -low, most);
  else range_high(grounds->brief, low, high, most);
  if (!glimpse_model_requests(grounds->model)) say(text, "The agent may not ask.");
  else if (isnan(low) && glimpse_belief_row(grounds->belief).count == 1)
    say(text, "The state is known, so there is nothing to ask for.");
  else if (isnan(low) && grounds->by_rule) say(text, "Nothing was searched, so nothing is known of asking.");
  else if (isnan(low)) say(text, "The search did not look at asking.");
  else if (estimates(grounds))
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

static void json_name(struct json *json, const char *key, const struct grounds *grounds, glimpse_kind kind,
                      uint32_t i) {
  json_text(json, key, i == GLIMPSE_ANY ? NULL : glimpse_model_name(grounds->model, kind, i));
}

void reasons_json(const struct reasons *reasons, struct json *json) {
  json_bool(json, "certain", reasons->certain);
  json_number(json, "gain_least", gain_least(reasons));
  json_number(json, "gain_most", gain_most(reasons));
}

void reasons_json_forecast(const struct grounds *grounds, const struct reasons *reasons, struct json *json) {
  json_array(json, "forecast");
  for (size_t i = 0; i < reasons->steps; i++) {
    const glimpse_forecast *step = &reasons->step[i];
    json_object(json, NULL);
    json_bool(json, "ask", step->ask);
    json_name(json, "state", grounds, GLIMPSE_STATE, step->state);
    json_name(json, "action", grounds, GLIMPSE_ACTION, step->action);
    json_name(json, "observation", grounds, GLIMPSE_OBSERVATION, step->observation);
    json_number(json, "probability", step->probability);
    json_number(json, "lower", step->lower);
    json_number(json, "upper", step->upper);
    json_close(json);
  }
  json_close(json);
}
