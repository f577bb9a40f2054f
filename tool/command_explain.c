/* glimpse explain: why this decision, in words.  The reasons are in reasons.c. */
#include <stdio.h>
#include <stdlib.h>

#include "answers.h"
#include "common/moment.h"
#include "common/reasons.h"
#include "interrupt.h"
#include "message.h"
#include "open_model.h"
#include "output.h"
#include "picture.h"
#include "table.h"

enum { STATES = 6 }; /* of the belief that are shown */

/* A course of events that is less likely is not told, nor where the answer to a request is. */
static const double LIKELY = 0.001, BROAD = 0.1;

/* --------------------------------------------------------------------- text */

static const char *state_name(const struct decide *decide, uint32_t s) {
  return glimpse_model_name(decide->search.model, GLIMPSE_STATE, s);
}

/* The picture is NULL where the model has none. */
static void show_belief(const struct decide *decide, const char *picture) {
  glimpse_row row = glimpse_belief_row(decide->belief);
  size_t places[STATES], count = moment_largest(row, places, STATES);
  output_print("Current belief: %zu state%s, %.3f bits\n", row.count, row.count == 1 ? "" : "s",
               glimpse_belief_entropy(decide->belief));
  for (size_t i = 0; i < count; i++)
    output_print("  %5.1f %%  %s\n", 100 * row.value[places[i]], state_name(decide, row.index[places[i]]));
  if (row.count > count) output_print("           and %zu more\n", row.count - count);
  if (picture) output_print("\n%s", picture);
}

static void show_step(const struct decide *decide, const glimpse_event *step, size_t number) {
  const glimpse_model *model = decide->search.model;
  const char *inquiry = glimpse_model_inquiry(model, step->move.inquiry).name;
  const char *action = glimpse_model_name(model, GLIMPSE_ACTION, step->move.action);
  const char *told = inquiry ? glimpse_model_answer_name(model, step->move.inquiry, step->answer)
                             : glimpse_model_name(model, GLIMPSE_STATE, step->answer);
  output_print("  %zu. ", number);
  if (step->ask) output_print("ask%s%s", inquiry ? " " : "", inquiry ? inquiry : "");
  if (step->ask && told) output_print(", be told '%s'", told);
  if (action)
    output_print("%sdo '%s'%s%s", step->ask ? ", then " : "", action, inquiry ? " with " : "", inquiry ? inquiry : "");
  if (step->observation != GLIMPSE_ANY)
    output_print(", see '%s'", glimpse_model_name(model, GLIMPSE_OBSERVATION, step->observation));
  if (!step->ask && told) output_print(", be told '%s'", told);
  if (step->observation == GLIMPSE_ANY && !(inquiry && told)) output_print(", then plan on");
  output_print("  (%.1f %%)\n", 100 * step->probability);
}

/* The most likely course of events, as far as it is likely; where that says nothing, what the answers may change. */
static void show_future(const struct decide *decide, const struct reasons *reasons, const struct answers *answers) {
  size_t likely = 0;
  while (likely < reasons->steps && reasons->step[likely].probability >= LIKELY) likely++;
  if (answers->count && (!likely || reasons->step[0].probability < BROAD)) {
    output_print("\n");
    answers_show(decide, answers);
    return;
  }
  if (likely) output_print("\nThe most likely course, and its probability so far\n");
  for (size_t i = 0; i < likely; i++) show_step(decide, &reasons->step[i], i + 1);
}

static void show_text(const struct decide *decide, const struct reasons *reasons, const struct answers *answers,
                      const char *picture) {
  char counts[120], settings[SEARCH_TEXT], text[REASONS_TEXT], decision[200];
  struct grounds grounds = decide_grounds(decide);
  open_model_counts(decide->search.model, counts);
  search_text(&decide->search, settings);
  output_print("%s: %s\n%s\n\n", decide->name, counts, settings);
  show_belief(decide, picture);
  output_print("\nChoices, and bounds on their values\n");
  decide_choices(decide);
  output_print("\nDecision: %s\n", decide_text(decide->search.model, &decide->decision, decision));
  reasons_decision(&grounds, reasons, text);
  table_wrap(text, 0, 0);
  output_print("\n");
  reasons_asking(&grounds, reasons, text);
  table_wrap(text, 0, 0);
  show_future(decide, reasons, answers);
  output_print("\n");
  decide_search(decide);
}

/* --------------------------------------------------------------------- JSON */

static void show_json(const struct decide *decide, const struct reasons *reasons, const struct answers *answers,
                      char *picture) {
  struct json json = json_begin();
  struct grounds grounds = decide_grounds(decide);
  decide_json(decide, &json);
  reasons_json(reasons, &json);
  picture_belief_json(&json, decide->search.model, decide->belief);
  reasons_json_forecast(&grounds, reasons, &json);
  answers_json(decide, answers, &json);
  if (picture) picture_json(&json, "picture", picture);
  json_end(&json);
}

static int explain(const struct options *options, const struct decide *decide) {
  struct reasons reasons;
  glimpse_status status;
  struct grounds grounds = decide_grounds(decide);
  if (!reasons_weigh(&grounds, &reasons)) return message_no_memory();
  struct answers answers;
  bool known = answers_find(decide, &answers);
  char *picture = picture_draw(decide->search.model, glimpse_belief_row(decide->belief), &status);
  bool good = known && (!status || status == GLIMPSE_NOT_APPLICABLE);
  if (good && options->json) show_json(decide, &reasons, &answers, picture);
  else if (good) show_text(decide, &reasons, &answers, picture);
  answers_free(&answers);
  free(picture);
  return good ? TOOL_OK : message_no_memory();
}

static int run(const struct options *options) {
  struct decide decide;
  int status = decide_open(options, &decide);
  decide.brief = true;
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
    .text =
        "Decides as 'glimpse plan' does and explains the decision: the current belief, what each choice is "
        "worth at least and at most, whether another choice could be better, what asking would gain compared "
        "with the best action without asking, and what comes next if the most likely happens. Where many states are "
        "possible it says instead which answers would change the action. Of numbers it shows the digits that are "
        "certain. Grid environments are drawn.\n\n"
        "With --json: all that 'glimpse plan --json' has, certain (no other choice can be better), gain_least and "
        "gain_most (of asking; null when asking is not a choice), belief (states, entropy in bits, largest entries), "
        "forecast (a list of ask, state, action, observation, probability from the start, lower, upper), "
        "answers (what an agent that asks does then: a list of action, probability, changes, states, largest) and "
        "picture (an array of lines) where there is one. Models with inquiries have choices as 'glimpse plan --json' "
        "has "
        "them, gain_least and gain_most of the best inquiry, and in forecast inquiry and answer instead of state.",
    .examples = examples,
    .run = run,
};
