/* glimpse explain: why this decision, in words.
 *
 * All statements follow from intervals.  With asking worth [l, u] and the best
 * action worth between the largest lower and the largest upper bound of an action,
 * [m, n], asking gains between l - n and u - m.  The decision is certain when its
 * lower bound is not below the upper bound of any other choice. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "decide.h"
#include "interrupt.h"
#include "message.h"
#include "open_model.h"
#include "output.h"
#include "picture.h"
#include "table.h"

enum { STEPS = 8, STATES = 6 }; /* of the forecast, and of the belief, that are shown */

struct reasons {
  double act_lower, act_upper; /* of the best action */
  double ask_lower, ask_upper; /* of asking; NaN where there is no such choice */
  uint32_t rival;              /* the choice other than the one made of largest upper bound */
  double rival_upper;          /* -infinity without one */
  bool certain;
  size_t steps;
  glimpse_forecast step[STEPS];
  char *picture; /* NULL: the model has none */
};

/* An estimate counts as an interval of one point. */
static glimpse_choice choice_of(const struct decide *decide, uint32_t action) {
  glimpse_choice choice = glimpse_planner_choice(decide->planner, action);
  if (decide_estimates(decide)) choice.lower = choice.upper = choice.value;
  return choice;
}

static void weigh(const struct decide *decide, struct reasons *reasons) {
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
  reasons->steps = glimpse_planner_forecast(decide->planner, reasons->step, STEPS);
}

static double gain_least(const struct reasons *reasons) {
  return reasons->ask_lower - reasons->act_upper;
}

static double gain_most(const struct reasons *reasons) {
  return reasons->ask_upper - reasons->act_lower;
}

/* --------------------------------------------------------------------- text */

static const char *state_name(const struct decide *decide, uint32_t s) {
  return glimpse_model_name(decide->search.model, GLIMPSE_STATE, s);
}

static void show_belief(const struct decide *decide, const struct reasons *reasons) {
  glimpse_row row = glimpse_belief_row(decide->belief);
  size_t places[STATES], count = picture_largest(row, places, STATES);
  output_print("Where it may be: %zu state%s, %.3f bits\n", row.count, row.count == 1 ? "" : "s",
               glimpse_belief_entropy(decide->belief));
  for (size_t i = 0; i < count; i++)
    output_print("  %5.1f %%  %s\n", 100 * row.value[places[i]], state_name(decide, row.index[places[i]]));
  if (row.count > count) output_print("           and %zu more\n", row.count - count);
  if (reasons->picture) output_print("\n%s", reasons->picture);
}

static const char *choice_name(const struct decide *decide, uint32_t action, char text[120]) {
  if (action == GLIMPSE_ANY) snprintf(text, 120, "asking");
  else snprintf(text, 120, "'%s'", decide_name(decide, action));
  return text;
}

/* Prints a paragraph made of a format and arguments. */
#define PARAGRAPH(...)                                                                                                 \
  do {                                                                                                                 \
    char paragraph[1000];                                                                                              \
    snprintf(paragraph, sizeof paragraph, __VA_ARGS__);                                                                \
    table_wrap(paragraph, 0, 0);                                                                                       \
  } while (0)

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

static void rule_text(const struct decide *decide, char text[200]) {
  const glimpse_planner_options *planner = &decide->search.planner;
  char bits[GLIMPSE_NUMBER_SIZE];
  if (planner->kind == GLIMPSE_PLANNER_ALWAYS_ASK) {
    snprintf(text, 200, "ask before every action");
  } else if (planner->kind == GLIMPSE_PLANNER_ASK_EVERY) {
    snprintf(text, 200, "ask at the first step and then every %lu step%s", (unsigned long)planner->every,
             planner->every == 1 ? "" : "s");
  } else if (planner->kind == GLIMPSE_PLANNER_ASK_ENTROPY) {
    glimpse_number_write(planner->entropy, bits);
    snprintf(text, 200, "ask when the belief has more than %s bit%s; it has %.3f", bits,
             planner->entropy == 1 ? "" : "s", glimpse_belief_entropy(decide->belief));
  } else {
    snprintf(text, 200, "do not ask");
  }
}

/* The rule of a baseline, and what the bounds say of what it does. */
static void show_rule(const struct decide *decide, const struct reasons *reasons) {
  const glimpse_decision *d = &decide->decision;
  glimpse_choice made = choice_of(decide, d->ask ? GLIMPSE_ANY : d->action);
  char rule[200], lower[32], upper[32], rival[120], most[32];
  const char *action = decide->search.planner.act == GLIMPSE_ACT_QMDP
                           ? " The action is the best if the state were known for free from the next step on."
                           : " The action is the one of largest lower bound among the plans that the rule allows.";
  rule_text(decide, rule);
  PARAGRAPH("The planner follows a rule and does not search. The rule: %s.%s", rule, d->ask ? "" : action);
  if (isinf(reasons->rival_upper)) return;
  double sure;
  uint32_t surest = surest_rival(decide, &sure);
  double slack = 1e-9 * (1 + fabs(d->upper)); /* equal up to rounding is equal */
  decide_number(made.lower, lower);
  decide_number(made.upper, upper);
  if (reasons->certain)
    PARAGRAPH("The bounds agree: it is worth at least %s, and no other choice is worth more than %s (%s).", lower,
              decide_number(reasons->rival_upper, most), choice_name(decide, reasons->rival, rival));
  else if (sure > made.upper + slack)
    PARAGRAPH("The bounds disagree: it is worth at most %s, and %s is worth at least %s.", upper,
              choice_name(decide, surest, rival), decide_number(sure, most));
  else
    PARAGRAPH("The bounds do not say whether it is the best choice: followed by the best plan it is worth between %s "
              "and %s, and %s may be worth up to %s.",
              lower, upper, choice_name(decide, reasons->rival, rival), decide_number(reasons->rival_upper, most));
}

static void show_certainty(const struct decide *decide, const struct reasons *reasons) {
  char rival[120], lower[32], upper[32];
  const glimpse_decision *d = &decide->decision;
  choice_name(decide, reasons->rival, rival);
  decide_number(choice_of(decide, d->ask ? GLIMPSE_ANY : d->action).lower, lower);
  decide_number(reasons->rival_upper, upper);
  if (decide_estimates(decide))
    PARAGRAPH(
        "This follows the mean returns of %llu simulations, exploring ones among them: first whether to ask, then "
        "which action. They are estimates; there are no bounds that could make it certain.",
        (unsigned long long)d->expansions);
  else if (isinf(reasons->rival_upper)) PARAGRAPH("There is no other choice.");
  else if (reasons->certain)
    PARAGRAPH("This is certain: it is worth at least %s, and no other choice is worth more than %s (%s).", lower, upper,
              rival);
  else
    PARAGRAPH("This rests on the lower bounds: no other choice is sure to be worth more than the %s that this one is "
              "worth at least. It is not certain, for %s may be worth up to %s; a longer search could change it.",
              lower, rival, upper);
}

static void show_asking(const struct decide *decide, const struct reasons *reasons) {
  char least[32], most[32], cost[100];
  double low = gain_least(reasons), high = gain_most(reasons);
  open_model_cost_text(decide->search.model, cost);
  decide_number(fabs(low), least);
  decide_number(fabs(high), most);
  if (!glimpse_model_requests(decide->search.model)) PARAGRAPH("The agent may not ask.");
  else if (isnan(low) && glimpse_belief_row(decide->belief).count == 1)
    PARAGRAPH("The state is known, so there is nothing to ask for.");
  else if (isnan(low)) PARAGRAPH("The search did not look at asking.");
  else if (decide_estimates(decide))
    PARAGRAPH("Asking, at a price of %s, seems to %s %s compared with the best action without asking.", cost,
              low >= 0 ? "gain" : "lose", least);
  else if (low >= 0)
    PARAGRAPH(
        "Asking, at a price of %s, gains at least %s and at most %s compared with the best action without asking.",
        cost, least, most);
  else if (high <= 0)
    PARAGRAPH(
        "Asking, at a price of %s, loses at least %s and at most %s compared with the best action without asking.",
        cost, most, least);
  else
    PARAGRAPH("Asking, at a price of %s, may gain up to %s or lose up to %s compared with the best action without "
              "asking: the intervals overlap.",
              cost, most, least);
}

static void show_step(const struct decide *decide, const glimpse_forecast *step, size_t number) {
  const glimpse_model *model = decide->search.model;
  output_print("  %zu. ", number);
  if (step->ask) output_print("ask");
  if (step->ask && step->state != GLIMPSE_ANY) output_print(", be told '%s'", state_name(decide, step->state));
  if (step->action != GLIMPSE_ANY)
    output_print("%sdo '%s'", step->ask ? ", then " : "", glimpse_model_name(model, GLIMPSE_ACTION, step->action));
  if (step->observation != GLIMPSE_ANY)
    output_print(", see '%s'", glimpse_model_name(model, GLIMPSE_OBSERVATION, step->observation));
  if (step->action == GLIMPSE_ANY) output_print(", then plan on");
  output_print("  (%.1f %%)\n", 100 * step->probability);
}

static void show_text(const struct options *options, const struct decide *decide, const struct reasons *reasons) {
  char counts[120], settings[SEARCH_TEXT];
  open_model_counts(decide->search.model, counts);
  search_text(&decide->search, settings);
  output_print("%s: %s\n%s\n\n", options->operand[0], counts, settings);
  show_belief(decide, reasons);
  output_print("\nWhat it can do, and what that is worth\n");
  decide_choices(decide);
  if (decide->decision.ask) output_print("\nDecision: ask for the state\n");
  else output_print("\nDecision: do '%s'\n", decide_name(decide, decide->decision.action));
  if (search_by_rule(&decide->search)) show_rule(decide, reasons);
  else show_certainty(decide, reasons);
  output_print("\n");
  show_asking(decide, reasons);
  if (reasons->steps) output_print("\nWhat comes next if the most likely happens, and how likely all this is\n");
  for (size_t i = 0; i < reasons->steps; i++) show_step(decide, &reasons->step[i], i + 1);
  output_print("\n");
  decide_search(decide);
}

/* --------------------------------------------------------------------- JSON */

static void json_name(struct json *json, const char *key, const struct decide *decide, glimpse_kind kind, uint32_t i) {
  json_text(json, key, i == GLIMPSE_ANY ? NULL : glimpse_model_name(decide->search.model, kind, i));
}

static void show_json(const struct decide *decide, const struct reasons *reasons) {
  struct json json = json_begin();
  decide_json(decide, &json);
  json_bool(&json, "certain", reasons->certain);
  json_number(&json, "gain_least", gain_least(reasons));
  json_number(&json, "gain_most", gain_most(reasons));
  picture_belief_json(&json, decide->search.model, decide->belief);
  json_array(&json, "forecast");
  for (size_t i = 0; i < reasons->steps; i++) {
    const glimpse_forecast *step = &reasons->step[i];
    json_object(&json, NULL);
    json_bool(&json, "request", step->ask);
    json_name(&json, "state", decide, GLIMPSE_STATE, step->state);
    json_name(&json, "action", decide, GLIMPSE_ACTION, step->action);
    json_name(&json, "observation", decide, GLIMPSE_OBSERVATION, step->observation);
    json_number(&json, "probability", step->probability);
    json_number(&json, "lower", step->lower);
    json_number(&json, "upper", step->upper);
    json_close(&json);
  }
  json_close(&json);
  if (reasons->picture) picture_json(&json, "picture", reasons->picture);
  json_end(&json);
}

static int explain(const struct options *options, const struct decide *decide) {
  struct reasons reasons;
  glimpse_status status;
  weigh(decide, &reasons);
  reasons.picture = picture_draw(decide->search.model, glimpse_belief_row(decide->belief), &status);
  if (status && status != GLIMPSE_NOT_APPLICABLE) return message_no_memory();
  if (options->json) show_json(decide, &reasons);
  else show_text(options, decide, &reasons);
  free(reasons.picture);
  return TOOL_OK;
}

static int run(const struct options *options) {
  struct decide decide;
  int status = decide_open(options, &decide);
  if (!status) status = explain(options, &decide);
  decide_close(&decide);
  return interrupt_status(status);
}

static const struct example examples[] = {{"glimpse explain tiger --cost 12", "why an agent listens rather than asks"},
                                          {"glimpse explain robot-delivery:n=3", "with a picture of the belief"},
                                          {"glimpse explain toy --cost 2 --json", "the same for other programs"},
                                          {NULL, NULL}};

const struct command command_explain = {
    .name = "explain",
    .summary = "say why a decision is made, and how sure it is",
    .operands = "MODEL",
    .least = 1,
    .most = 1,
    .text = "Decides as 'glimpse plan' does and explains the decision: where the agent may be, what each choice is "
            "worth at least and at most, whether another choice could be better, what asking would gain compared "
            "with the best action without asking, and what comes next if the most likely happens. Grid environments "
            "are drawn.\n\n"
            "With --json: all that 'glimpse plan --json' has, certain (no other choice can be better), gain_least and "
            "gain_most (of asking; null when it is no choice), belief (states, entropy in bits, largest entries), "
            "forecast (a list of request, state, action, observation, probability from the start, lower, upper) and "
            "picture (an array of lines) where there is one.",
    .examples = examples,
    .run = run,
};
