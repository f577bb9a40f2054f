/* glimpse replay: shows what 'glimpse run --record' has written. */
#include <math.h>
#include <unistd.h>

#include "interrupt.h"
#include "json.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "record.h"
#include "terminal.h"
#include "watch.h"

#define DELAY 0.3 /* as in run */

/* ------------------------------------------------------------------ summary */

/* Episodes that have their last step, and their mean return. */
struct account {
  uint64_t begun, ended, requests;
  double mean;
};

static struct account account_of(const struct recording *recording) {
  struct account account = {.mean = 0};
  for (size_t i = 0; i < recording->count; i++) {
    const struct moment *moment = recording->moments[i];
    account.begun += moment->step == 0;
    account.requests += moment->answers ? moment->answers : moment->asked;
    if (!moment->last) continue;
    account.ended++;
    account.mean += moment->total;
  }
  account.mean = account.ended ? account.mean / (double)account.ended : (double)NAN;
  return account;
}

static void show_json(const struct recording *recording) {
  const struct subject *subject = &recording->subject;
  struct account account = account_of(recording);
  struct json json = json_begin();
  json_count(&json, "version", MOMENT_VERSION);
  json_text(&json, "model", subject->model);
  json_text(&json, "settings", subject->settings);
  json_count(&json, "episodes", account.begun);
  json_count(&json, "ended", account.ended);
  json_count(&json, "steps", recording->count);
  json_count(&json, "requests", account.requests);
  json_number(&json, "return", account.mean);
  json_bool(&json, "scene", subject->scene != NULL);
  json_bool(&json, "complete", recording->complete);
  json_bool(&json, "cut", recording->cut);
  json_end(&json);
}

/* --------------------------------------------------------------------- show */

static int show(const struct options *options, struct recording *recording, double delay) {
  struct watch watch;
  struct watch_options how = {delay, options->paused};
  if (watch_begin(&watch, &recording->subject, &how)) return TOOL_FAILED;
  watch_lend(&watch, recording->moments, recording->count);
  watch_show(&watch);
  bool failed = watch.failed;
  watch_end(&watch);
  return failed ? message_no_memory() : TOOL_OK;
}

static void tell(const struct recording *recording, double delay) {
  interrupt_catch();
  for (size_t i = 0; i < recording->count && !output_failed() && !interrupt_caught(); i++)
    watch_tell(recording->moments[i], delay);
}

static int run(const struct options *options) {
  struct recording recording;
  double delay = options->given[OPTION_delay] ? options->delay : isatty(STDOUT_FILENO) ? DELAY : 0;
  int status = recording_read(&recording, options->operand[0]);
  if (!status && recording.cut)
    message_warning("'%s' has no end: the run was killed; it is shown up to its last whole line", options->operand[0]);
  if (!status && options->json) show_json(&recording);
  else if (!status && terminal_usable()) status = show(options, &recording, delay);
  else if (!status) tell(&recording, delay);
  recording_free(&recording);
  return interrupt_status(status);
}

static const struct example examples[] = {
    {"glimpse run robot-delivery --episodes 1 --expansions 50 --record robot.jsonl", "makes a recording"},
    {"glimpse replay robot.jsonl", "shows it"},
    {"glimpse replay robot.jsonl --json", "checks it, and says what is in it"},
    {NULL, NULL}};

const struct command command_replay = {
    .name = "replay",
    .summary = "show a recorded run again",
    .operands = "FILE",
    .least = 1,
    .most = 1,
    .text =
        "Shows the steps of a run that 'glimpse run --record FILE' has written, just as 'glimpse run --watch' has "
        "shown them; \"-\" is the standard input. The file is checked first; it needs neither the model nor a "
        "planner. Keys: space pauses and goes on, n is one step, b one step back, + and - change the speed, e goes "
        "to the end of the episode, ? shows help, q or Ctrl-C quits. Where the standard output is not a terminal "
        "there is a line per step.\n\n"
        "With --json: version (of the format), model, settings, episodes (that were begun), ended (those with their "
        "last step), steps, requests, return (mean of the ended ones), scene (are there pictures?), complete (was "
        "every episode of the run played?) and cut (was the run killed?).",
    .examples = examples,
    .run = run,
};
