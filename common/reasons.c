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
  return glimpse_planner_traits(grounds->options->kind) & GLIMPSE_TRAIT_RANDOM;
}

/* Choices in their order: those of the agent, or the actions and asking. */
static uint32_t choices(const struct grounds *grounds) {
  return grounds->prospects ? grounds->prospect_count : glimpse_model_count(grounds->model, GLIMPSE_ACTION) + 1;
}

/* An estimate counts as an interval of one point. */
static glimpse_prospect prospect_of(const struct grounds *grounds, uint32_t i) {
  glimpse_prospect prospect = {.move = {i, GLIMPSE_ANY}};
  if (grounds->prospects) {
    prospect = grounds->prospects[i];
  } else {
    prospect.ask = i == glimpse_model_count(grounds->model, GLIMPSE_ACTION);
    if (prospect.ask) prospect.move.action = GLIMPSE_ANY;
    prospect.worth = glimpse_planner_choice(grounds->planner, prospect.move.action);
  }
  if (estimates(grounds)) prospect.worth.lower = prospect.worth.upper = prospect.worth.value;
  return prospect;
}

static glimpse_choice choice_of(const struct grounds *grounds, uint32_t i) {
  if (i == GLIMPSE_ANY) return (glimpse_choice){.lower = NAN, .upper = NAN, .value = NAN};
  return prospect_of(grounds, i).worth;
}

static bool asks(const glimpse_prospect *prospect) {
  return prospect->ask || prospect->move.inquiry != GLIMPSE_ANY;
}

/* The order in which choices are compared, of which the first of equal ones counts: asking comes first. */
static uint32_t in_turn(const struct grounds *grounds, uint32_t k) {
  return k ? k - 1 : choices(grounds) - 1;
}

/* The choice that the decision has made. */
static bool is_made(const struct grounds *grounds, const glimpse_prospect *prospect) {
  const glimpse_decision *d = grounds->decision;
  if (grounds->prospects && prospect->move.inquiry != d->inquiry) return false;
  return prospect->ask == d->ask && (d->ask || prospect->move.action == d->action);
}

/* False: out of memory. */
static bool foresee(const struct grounds *grounds, struct reasons *reasons) {
  if (grounds->agent) {
    reasons->steps = glimpse_agent_forecast(grounds->agent, reasons->step, REASONS_STEPS);
    return reasons->steps != SIZE_MAX;
  }
  glimpse_forecast step[REASONS_STEPS];
  reasons->steps = glimpse_planner_forecast(grounds->planner, step, REASONS_STEPS);
  if (reasons->steps == SIZE_MAX) return false;
  for (size_t i = 0; i < reasons->steps; i++)
    reasons->step[i] = (glimpse_event){.move = {step[i].action, GLIMPSE_ANY},
                                       .ask = step[i].ask,
                                       .answer = step[i].state,
                                       .observation = step[i].observation,
                                       .probability = step[i].probability,
                                       .lower = step[i].lower,
                                       .upper = step[i].upper};
  return true;
}

bool reasons_weigh(const struct grounds *grounds, struct reasons *reasons) {
  const glimpse_decision *d = grounds->decision;
  *reasons = (struct reasons){.act_lower = -(double)INFINITY,
                              .act_upper = -(double)INFINITY,
                              .ask_lower = (double)NAN,
                              .ask_upper = (double)NAN,
                              .made = GLIMPSE_ANY,
                              .rival = GLIMPSE_ANY,
                              .rival_upper = -(double)INFINITY};
  for (uint32_t k = 0; k < choices(grounds); k++) {
    uint32_t i = in_turn(grounds, k);
    glimpse_prospect prospect = prospect_of(grounds, i);
    double *lower = asks(&prospect) ? &reasons->ask_lower : &reasons->act_lower;
    double *upper = asks(&prospect) ? &reasons->ask_upper : &reasons->act_upper;
    *lower = fmax(*lower, prospect.worth.lower); /* the one that is a number */
    *upper = fmax(*upper, prospect.worth.upper);
    bool made = is_made(grounds, &prospect);
    if (made) reasons->made = i;
    if (made || !(prospect.worth.upper > reasons->rival_upper)) continue;
    reasons->rival = i;
    reasons->rival_upper = prospect.worth.upper;
  }
  double slack = 1e-9 * (1 + fabs(d->upper)); /* equal up to rounding is equal */
  reasons->certain = !estimates(grounds) && choice_of(grounds, reasons->made).lower + slack >= reasons->rival_upper;
  return foresee(grounds, reasons);
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

void reasons_name(const glimpse_model *model, const glimpse_prospect *prospect, char *text, size_t size) {
  const char *action = glimpse_model_name(model, GLIMPSE_ACTION, prospect->move.action);
  const char *inquiry = glimpse_model_inquiry(model, prospect->move.inquiry).name;
  if (prospect->ask || !action) snprintf(text, size, "ask%s%s", inquiry ? " " : "", inquiry ? inquiry : "");
  else snprintf(text, size, "%s%s%s", action, inquiry ? " with " : "", inquiry ? inquiry : "");
}

static const char *choice_name(const struct grounds *grounds, uint32_t i, char text[200]) {
  *text = 0;
  if (i == GLIMPSE_ANY) return text;
  glimpse_prospect prospect = prospect_of(grounds, i);
  const char *action = glimpse_model_name(grounds->model, GLIMPSE_ACTION, prospect.move.action);
  const char *inquiry = glimpse_model_inquiry(grounds->model, prospect.move.inquiry).name;
  if (prospect.ask) snprintf(text, 200, "asking%s%.80s", inquiry ? " " : "", inquiry ? inquiry : "");
  else snprintf(text, 200, "'%.80s'%s%.80s", action, inquiry ? " with " : "", inquiry ? inquiry : "");
  return text;
}

/* The choice other than the one made that is sure to be worth most. */
static uint32_t surest_rival(const struct grounds *grounds, const struct reasons *reasons, double *lower) {
  uint32_t best = GLIMPSE_ANY;
  *lower = -(double)INFINITY;
  for (uint32_t k = 0; k < choices(grounds); k++) {
    uint32_t i = in_turn(grounds, k);
    double other = choice_of(grounds, i).lower;
    if (i != reasons->made && other > *lower) *lower = other, best = i;
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

/* Is there a question that goes together with an action?  Its answer is about what follows. */
static bool joint(const glimpse_model *model) {
  for (uint32_t k = 0; k < glimpse_model_inquiries(model); k++)
    if (glimpse_model_inquiry(model, k).timing == GLIMPSE_TIMING_JOINT) return true;
  return false;
}

static void rule_text(const struct grounds *grounds, char text[200]) {
  const glimpse_planner_options *planner = grounds->options;
  char bits[GLIMPSE_NUMBER_SIZE];
  if (planner->kind == GLIMPSE_PLANNER_ASK_EVERY) {
    snprintf(text, 200, "ask at the first step and then every %lu step%s", (unsigned long)planner->every,
             planner->every == 1 ? "" : "s");
  } else if (planner->kind == GLIMPSE_PLANNER_ASK_ENTROPY) {
    glimpse_number_write(planner->entropy, bits);
    snprintf(text, 200, "ask when the belief has more than %s bit%s%s; it has %.3f", bits,
             planner->entropy == 1 ? "" : "s", joint(grounds->model) ? ", or will have after the action" : "",
             glimpse_belief_entropy(grounds->belief));
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
  glimpse_choice made = choice_of(grounds, reasons->made);
  char rule[200], lower[32], upper[32], rival[200], most[32];
  const char *action = grounds->options->kind == GLIMPSE_PLANNER_SPI ? ""
                       : grounds->options->act == GLIMPSE_ACT_QMDP
                           ? " The action is the best if the state were known for free from the next step on."
                           : " The action is the one of largest lower bound among the plans that the rule allows.";
  rule_text(grounds, rule);
  say(text, "The planner follows a rule and does not search. The rule: %s.%s", rule, d->ask ? "" : action);
  if (isinf(reasons->rival_upper)) return;
  double sure;
  uint32_t surest = surest_rival(grounds, reasons, &sure);
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
  char rival[200], lower[32], upper[32];
  const glimpse_decision *d = grounds->decision;
  choice_name(grounds, reasons->rival, rival);
  glimpse_choice made = choice_of(grounds, reasons->made);
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

/* A number, or the least and the most of several. */
static void put_range(double least, double most, bool uniform, char text[100]) {
  char low[GLIMPSE_NUMBER_SIZE], high[GLIMPSE_NUMBER_SIZE];
  glimpse_number_write(least, low);
  glimpse_number_write(most, high);
  if (uniform) snprintf(text, 100, "%s", low);
  else snprintf(text, 100, "%s to %s, depending on the state", low, high);
}

void reasons_cost(const glimpse_model *model, char text[100]) {
  double least = glimpse_model_cost(model, 0), most = least;
  for (uint32_t s = 0; s < glimpse_model_count(model, GLIMPSE_STATE); s++) {
    double cost = glimpse_model_cost(model, s);
    if (cost < least) least = cost;
    if (cost > most) most = cost;
  }
  if (!glimpse_model_requests(model)) snprintf(text, 100, "off");
  else put_range(least, most, glimpse_model_cost_uniform(model), text);
}

void reasons_price(const glimpse_model *model, uint32_t inquiry, char text[100]) {
  double least = glimpse_model_inquiry_price(model, inquiry, 0), most = least;
  for (uint32_t s = 0; s < glimpse_model_count(model, GLIMPSE_STATE); s++) {
    double price = glimpse_model_inquiry_price(model, inquiry, s);
    if (price < least) least = price;
    if (price > most) most = price;
  }
  put_range(least, most, glimpse_model_inquiry_price_uniform(model, inquiry), text);
}

/* A number of which no digit but 0 is shown. */
static bool shows_nothing(const char *number) {
  return !number[strspn(number, "-0.")];
}

/* What something that costs so much gains, between low and high. */
static void say_gain(const struct grounds *grounds, const char *what, const char *cost, double low, double high,
                     char text[REASONS_TEXT]) {
  static const char than[] = "compared with the best action without asking";
  char least[32], most[32];
  if (low >= 0) range_low(grounds->brief, low, high, least);
  else range_high(grounds->brief, -high, -low, least); /* the most that is lost */
  if (high <= 0) range_low(grounds->brief, -high, -low, most);
  else range_high(grounds->brief, low, high, most);
  if (estimates(grounds))
    say(text, "%s, at a price of %s, seems to %s %s %s.", what, cost, low >= 0 ? "gain" : "lose", least, than);
  else if (shows_nothing(least) && shows_nothing(most))
    say(text, "%s, at a price of %s, gains or loses less than 0.000001 %s.", what, cost, than);
  else if (low >= 0 && shows_nothing(least))
    say(text, "%s, at a price of %s, gains at most %s %s.", what, cost, most, than);
  else if (!strcmp(least, most) && (low >= 0 || high <= 0))
    say(text, "%s, at a price of %s, %s %s %s.", what, cost, low >= 0 ? "gains" : "loses", least, than);
  else if (low >= 0)
    say(text, "%s, at a price of %s, gains at least %s and at most %s %s.", what, cost, least, most, than);
  else if (high <= 0 && shows_nothing(most))
    say(text, "%s, at a price of %s, loses at most %s %s.", what, cost, least, than);
  else if (high <= 0)
    say(text, "%s, at a price of %s, loses at least %s and at most %s %s.", what, cost, most, least, than);
  else
    say(text, "%s, at a price of %s, may gain up to %s or lose up to %s %s: the intervals overlap.", what, cost, most,
        least, than);
}

/* A sentence on each inquiry that can be made now. */
static void weigh_inquiries(const struct grounds *grounds, const struct reasons *reasons, char text[REASONS_TEXT]) {
  for (uint32_t k = 0; k < glimpse_model_inquiries(grounds->model); k++) {
    glimpse_inquiry inquiry = glimpse_model_inquiry(grounds->model, k);
    double lower = (double)NAN, upper = (double)NAN;
    for (uint32_t i = 0; i < choices(grounds); i++) {
      glimpse_prospect prospect = prospect_of(grounds, i);
      if (prospect.move.inquiry != k) continue;
      lower = fmax(lower, prospect.worth.lower); /* the one that is a number */
      upper = fmax(upper, prospect.worth.upper);
    }
    if (isnan(lower) || isnan(reasons->act_lower) || isinf(reasons->act_upper)) continue;
    char what[120], price[100];
    snprintf(what, sizeof what, "%s %.80s", inquiry.timing == GLIMPSE_TIMING_JOINT ? "Acting with" : "Asking",
             inquiry.name);
    reasons_price(grounds->model, k, price);
    say_gain(grounds, what, price, lower - reasons->act_upper, upper - reasons->act_lower, text);
  }
  if (!*text && grounds->by_rule) say(text, "Nothing was searched, so nothing is known of asking.");
  else if (!*text) say(text, "Nothing can be asked now, or the search did not look at it.");
}

void reasons_asking(const struct grounds *grounds, const struct reasons *reasons, char text[REASONS_TEXT]) {
  *text = 0;
  char cost[100];
  double low = gain_least(reasons), high = gain_most(reasons);
  if (grounds->prospects && glimpse_model_inquiries(grounds->model)) {
    weigh_inquiries(grounds, reasons, text);
    return;
  }
  reasons_cost(grounds->model, cost);
  if (!glimpse_model_requests(grounds->model)) say(text, "The agent may not ask.");
  else if (isnan(low) && glimpse_belief_row(grounds->belief).count == 1)
    say(text, "The state is known, so there is nothing to ask for.");
  else if (isnan(low) && grounds->by_rule) say(text, "Nothing was searched, so nothing is known of asking.");
  else if (isnan(low)) say(text, "The search did not look at asking.");
  else say_gain(grounds, "Asking", cost, low, high, text);
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
    const glimpse_event *step = &reasons->step[i];
    const char *answer = glimpse_model_answer_name(grounds->model, step->move.inquiry, step->answer);
    json_object(json, NULL);
    json_bool(json, "ask", step->ask);
    if (grounds->agent) json_text(json, "inquiry", glimpse_model_inquiry(grounds->model, step->move.inquiry).name);
    if (grounds->agent) json_text(json, "answer", answer);
    else json_name(json, "state", grounds, GLIMPSE_STATE, step->answer);
    json_name(json, "action", grounds, GLIMPSE_ACTION, step->move.action);
    json_name(json, "observation", grounds, GLIMPSE_OBSERVATION, step->observation);
    json_number(json, "probability", step->probability);
    json_number(json, "lower", step->lower);
    json_number(json, "upper", step->upper);
    json_close(json);
  }
  json_close(json);
}
