/* glimpse explain: why this decision, in words.  The reasons are in reasons.c. */
#include <stdio.h>
#include <stdlib.h>

#include "interrupt.h"
#include "message.h"
#include "open_model.h"
#include "output.h"
#include "picture.h"
#include "reasons.h"
#include "table.h"

enum { STATES = 6 }; /* of the belief that are shown */

/* --------------------------------------------------------------------- text */

static const char *state_name(const struct decide *decide, uint32_t s) {
  return glimpse_model_name(decide->search.model, GLIMPSE_STATE, s);
}

/* The picture is NULL where the model has none. */
static void show_belief(const struct decide *decide, const char *picture) {
  glimpse_row row = glimpse_belief_row(decide->belief);
  size_t places[STATES], count = picture_largest(row, places, STATES);
  output_print("Current belief: %zu state%s, %.3f bits\n", row.count, row.count == 1 ? "" : "s",
               glimpse_belief_entropy(decide->belief));
  for (size_t i = 0; i < count; i++)
    output_print("  %5.1f %%  %s\n", 100 * row.value[places[i]], state_name(decide, row.index[places[i]]));
  if (row.count > count) output_print("           and %zu more\n", row.count - count);
  if (picture) output_print("\n%s", picture);
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
  else output_print(", then plan on");
  output_print("  (%.1f %%)\n", 100 * step->probability);
}

static void show_text(const struct decide *decide, const struct reasons *reasons, const char *picture) {
  char counts[120], settings[SEARCH_TEXT], text[REASONS_TEXT];
  open_model_counts(decide->search.model, counts);
  search_text(&decide->search, settings);
  output_print("%s: %s\n%s\n\n", decide->name, counts, settings);
  show_belief(decide, picture);
  output_print("\nChoices, and bounds on their values\n");
  decide_choices(decide);
  if (decide->decision.ask) output_print("\nDecision: ask for the state\n");
  else output_print("\nDecision: do '%s'\n", decide_name(decide, decide->decision.action));
  reasons_decision(decide, reasons, text);
  table_wrap(text, 0, 0);
  output_print("\n");
  reasons_asking(decide, reasons, text);
  table_wrap(text, 0, 0);
  if (reasons->steps) output_print("\nThe most likely course, and its probability so far\n");
  for (size_t i = 0; i < reasons->steps; i++) show_step(decide, &reasons->step[i], i + 1);
  output_print("\n");
  decide_search(decide);
}

/* --------------------------------------------------------------------- JSON */

static void show_json(const struct decide *decide, const struct reasons *reasons, char *picture) {
  struct json json = json_begin();
  decide_json(decide, &json);
  reasons_json(reasons, &json);
  picture_belief_json(&json, decide->search.model, decide->belief);
  reasons_json_forecast(decide, reasons, &json);
  if (picture) picture_json(&json, "picture", picture);
  json_end(&json);
}

static int explain(const struct options *options, const struct decide *decide) {
  struct reasons reasons;
  glimpse_status status;
  if (!reasons_weigh(decide, &reasons)) return message_no_memory();
  char *picture = picture_draw(decide->search.model, glimpse_belief_row(decide->belief), &status);
  if (status && status != GLIMPSE_NOT_APPLICABLE) return message_no_memory();
  if (options->json) show_json(decide, &reasons, picture);
  else show_text(decide, &reasons, picture);
  free(picture);
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
    .text = "Decides as 'glimpse plan' does and explains the decision: the current belief, what each choice is "
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
