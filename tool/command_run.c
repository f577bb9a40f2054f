/* glimpse run: plays episodes and says how well the planner does. */
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interrupt.h"
#include "json.h"
#include "live.h"
#include "message.h"
#include "open_model.h"
#include "output.h"
#include "progress.h"
#include "record.h"
#include "search.h"
#include "table.h"
#include "terminal.h"
#include "trace.h"
#include "watch.h"

#define DELAY 0.3 /* after a step that is shown on a terminal, in seconds */

/* All that a run needs while it runs. */
struct play {
  struct search search;
  struct trace trace;
  struct progress progress;
  struct live live;
  char settings[SEARCH_TEXT];
  struct subject subject; /* with --watch and --record */
  struct record record;
  struct watch watch;
  uint32_t *asked;                   /* per episode and inquiry */
  double *scratch;                   /* one number per episode */
  bool recording, watching, telling; /* telling: watched, but not on a terminal */
  double delay;
  uint32_t requests; /* of the episode so far, for the moments */
  bool no_memory;
  glimpse_episode *results;
  uint64_t episodes;
};

/* Records a step and shows it to a viewer. */
static bool on_moment(struct play *play, const glimpse_step *step) {
  if (!step->step) play->requests = 0;
  struct moment *moment =
      moment_new(&play->subject, play->search.model, glimpse_agent_planner(step->agent), step, play->requests);
  if (!moment) {
    play->no_memory = true;
    return false;
  }
  play->requests = moment->requests;
  bool recorded = record_moment(&play->record, moment);
  if (recorded && play->watching) return watch_give(&play->watch, moment);
  if (recorded && play->telling) watch_tell(moment, play->delay);
  moment_free(moment);
  return recorded;
}

static bool on_step(void *context, const glimpse_step *step) {
  struct play *play = context;
  progress_step(&play->progress);
  if (!live_step(&play->live, step)) play->no_memory = true;
  if (play->no_memory || !trace_step(&play->trace, step) || output_failed()) return false;
  return !(play->recording || play->watching || play->telling) || on_moment(play, step);
}

static void on_done(void *context, uint64_t episode, const glimpse_episode *result) {
  struct play *play = context;
  (void)episode;
  if (!isnan(result->total)) progress_episode(&play->progress, result);
}

/* ------------------------------------------------------------------ summary */

struct averages {
  uint64_t episodes, unfinished;
  glimpse_statistic total, undiscounted, requests, steps;
  double lower, upper;                         /* at the first decision, on average */
  double expansions, error_reduction, seconds; /* per step */
};

/* One number per episode that was played; returns how many. */
static size_t collect(const struct play *play, double (*get)(const glimpse_episode *), double *values) {
  size_t n = 0;
  for (uint64_t i = 0; i < play->episodes; i++)
    if (!isnan(play->results[i].total)) values[n++] = get(&play->results[i]);
  return n;
}

static double total_of(const glimpse_episode *e) {
  return e->total;
}

static double undiscounted_of(const glimpse_episode *e) {
  return e->undiscounted;
}

static double requests_of(const glimpse_episode *e) {
  return e->requests;
}

static double steps_of(const glimpse_episode *e) {
  return e->steps;
}

/* Steps count alike, so that long episodes count more.  An episode that is over before its first step, where the start
 * may be terminal, has no bounds. */
static void average(const struct play *play, struct averages *summary) {
  double steps = 0, begun = 0;
  for (uint64_t i = 0; i < play->episodes; i++) {
    const glimpse_episode *e = &play->results[i];
    if (isnan(e->total)) continue;
    summary->unfinished += !e->finished;
    if (!e->steps) continue;
    steps += e->steps;
    begun++;
    summary->expansions += e->expansions * e->steps;
    summary->error_reduction += e->error_reduction * e->steps;
    summary->seconds += e->seconds;
    summary->lower += e->lower;
    summary->upper += e->upper;
  }
  summary->expansions /= steps;
  summary->error_reduction /= steps;
  summary->seconds /= steps;
  summary->lower /= begun;
  summary->upper /= begun;
}

static int summarise(const struct play *play, struct averages *summary) {
  *summary = (struct averages){0};
  double *values = calloc(play->episodes, sizeof *values);
  if (!values) return message_no_memory();
  summary->episodes = collect(play, total_of, values);
  summary->total = glimpse_statistic_of(values, summary->episodes);
  summary->undiscounted = glimpse_statistic_of(values, collect(play, undiscounted_of, values));
  summary->requests = glimpse_statistic_of(values, collect(play, requests_of, values));
  summary->steps = glimpse_statistic_of(values, collect(play, steps_of, values));
  average(play, summary);
  free(values);
  return TOOL_OK;
}

static void json_statistic(struct json *json, const char *key, glimpse_statistic s) {
  json_object(json, key);
  json_number(json, "mean", s.mean);
  json_number(json, "se", s.se);
  json_number(json, "low", s.low);
  json_number(json, "high", s.high);
  json_close(json);
}

/* How often an inquiry was made in an episode. */
static glimpse_statistic asked_of(const struct play *play, uint32_t inquiry, double *values) {
  uint32_t inquiries = glimpse_model_inquiries(play->search.model);
  size_t n = 0;
  for (uint64_t i = 0; i < play->episodes; i++)
    if (!isnan(play->results[i].total)) values[n++] = play->asked[i * inquiries + inquiry];
  return glimpse_statistic_of(values, n);
}

static void json_inquiries(const struct play *play, struct json *json) {
  const glimpse_model *model = play->search.model;
  if (!glimpse_model_inquiries(model)) return;
  json_object(json, "inquiries");
  for (uint32_t i = 0; i < glimpse_model_inquiries(model); i++)
    json_number(json, glimpse_model_inquiry(model, i).name, asked_of(play, i, play->scratch).mean);
  json_close(json);
}

/* The first keys are part of the interface, in this order. */
static void show_json(const struct options *options, const struct play *play, const struct averages *summary) {
  char settings[SEARCH_TEXT];
  struct json json = json_begin();
  json_count(&json, "episodes", summary->episodes);
  json_statistic(&json, "return", summary->total);
  json_number(&json, "expansions", summary->expansions);
  json_number(&json, "error_reduction", summary->error_reduction);
  json_number(&json, "requests", summary->requests.mean);
  json_number(&json, "steps", summary->steps.mean);
  json_number(&json, "seconds_per_step", floor(summary->seconds * 1e9 + 0.5) / 1e9);
  json_number(&json, "lower", summary->lower);
  json_number(&json, "upper", summary->upper);
  json_statistic(&json, "return_undiscounted", summary->undiscounted);
  json_count(&json, "unfinished", summary->unfinished);
  json_bool(&json, "interrupted", summary->episodes < play->episodes);
  json_inquiries(play, &json);
  json_text(&json, "model", options->operand[0]);
  json_text(&json, "planner", glimpse_planner_key(play->search.planner.kind));
  json_count(&json, "seed", options->seed);
  open_model_json_terms(play->search.model, &json);
  search_text(&play->search, settings);
  json_text(&json, "settings", settings);
  json_end(&json);
}

/* With so many digits behind the point; not all the digits of numbers of a huge size, nor only zeros for a tiny one. */
static const char *number_text(double value, double size, int digits, char text[32]) {
  bool plain = !(size >= 1e9 || (size > 0 && size < pow(10, -digits) / 2));
  snprintf(text, 32, plain ? "%.*f" : "%.*e", digits, value);
  return text;
}

static void put_statistic(struct table *table, const char *label, glimpse_statistic s, int digits) {
  char text[32], high[32];
  double size = fmax(fabs(s.mean), s.se);
  table_cell(table, "%s", label);
  table_cell(table, "%s", number_text(s.mean, size, digits, text));
  if (isnan(s.se)) {
    table_cell(table, "-");
    table_cell(table, "-");
  } else {
    table_cell(table, "%s", number_text(s.se, size, digits, text));
    table_cell(table, "%s to %s", number_text(s.low, size, digits, text), number_text(s.high, size, digits, high));
  }
}

static void put_mean(struct table *table, const char *label, double value, int digits) {
  table_cell(table, "%s", label);
  table_cell(table, "%.*f", digits, value);
  table_cell(table, "%s", "");
  table_cell(table, "%s", "");
}

/* A rule takes microseconds, which four digits would hide. */
static void put_seconds(struct table *table, double seconds) {
  table_cell(table, "seconds per step");
  table_cell(table, seconds < 5e-5 ? "%.1e" : "%.4f", seconds);
  table_cell(table, "%s", "");
  table_cell(table, "%s", "");
}

static void put_asked(struct table *table, const struct play *play, uint32_t i) {
  char label[100];
  snprintf(label, sizeof label, "  %.80s", glimpse_model_inquiry(play->search.model, i).name);
  put_statistic(table, label, asked_of(play, i, play->scratch), 2);
}

static void show_text(const struct options *options, const struct play *play, const struct averages *summary) {
  static const char *const heads[] = {"", "mean", "s.e.", "95 % interval"};
  char counts[120], settings[SEARCH_TEXT];
  open_model_counts(play->search.model, counts);
  search_text(&play->search, settings);
  output_print("%s: %s\n%s\n", options->operand[0], counts, settings);
  if (open_model_sign(play->search.model)) output_print("%s\n", open_model_sign(play->search.model));
  output_print("\n");
  if (!summary->episodes) {
    output_print("no episode was finished\n");
    return;
  }
  struct table table = table_begin("lrrr");
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) table_cell(&table, "%s", heads[i]);
  put_statistic(&table, "return", summary->total, 4);
  put_statistic(&table, "undiscounted", summary->undiscounted, 4);
  put_statistic(&table, "requests per episode", summary->requests, 2);
  for (uint32_t i = 0; i < glimpse_model_inquiries(play->search.model); i++) put_asked(&table, play, i);
  put_statistic(&table, "steps per episode", summary->steps, 1);
  bool simulates = search_has(&play->search, GLIMPSE_TRAIT_RANDOM);
  bool by_rule = search_has(&play->search, GLIMPSE_TRAIT_RULE);
  if (!by_rule) put_mean(&table, simulates ? "simulations per step" : "expansions per step", summary->expansions, 1);
  if (!by_rule && !isnan(summary->error_reduction))
    put_mean(&table, "error reduction, percent", summary->error_reduction, 1);
  put_seconds(&table, summary->seconds);
  table_end(&table, 0);
  output_print("\n%llu episode%s", (unsigned long long)summary->episodes, summary->episodes == 1 ? "" : "s");
  if (summary->unfinished)
    output_print(", %llu of them ended after %llu steps", (unsigned long long)summary->unfinished,
                 (unsigned long long)options->max_steps);
  output_print(".\n");
  if (isnan(summary->lower)) return;
  char lower[32], upper[32];
  double size = fmax(fabs(summary->lower), fabs(summary->upper));
  output_print("At the first step %s to lie between %s and %s.\n",
               by_rule ? "the best possible value was known" : "the planner knew the value",
               number_text(summary->lower, size, 4, lower), number_text(summary->upper, size, 4, upper));
}

/* --------------------------------------------------------------------- play */

/* What a thread needs that plays while another one shows it. */
struct stage {
  struct play *play;
  const glimpse_run *run;
  glimpse_report *report;
  glimpse_status status;
};

static void *perform(void *context) {
  struct stage *stage = context;
  struct play *play = stage->play;
  stage->status =
      glimpse_run_episodes(play->search.model, play->search.offline, stage->run, stage->report, play->results);
  bool error = stage->status || play->no_memory || play->record.error || play->trace.error;
  if (play->watching) watch_finish(&play->watch, error);
  return NULL;
}

/* Signals are for the thread that shows. */
static int start_thread(struct stage *stage, pthread_t *thread) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int failed = pthread_create(thread, NULL, perform, stage);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return failed;
}

static int perform_watched(const struct options *options, struct stage *stage) {
  struct play *play = stage->play;
  struct watch_options how = {play->delay, options->paused};
  if (watch_begin(&play->watch, &play->subject, &how)) return TOOL_FAILED;
  pthread_t thread;
  int failed = start_thread(stage, &thread);
  if (!failed) {
    watch_show(&play->watch);
    pthread_join(thread, NULL);
  }
  play->no_memory = play->no_memory || play->watch.failed;
  watch_end(&play->watch);
  if (failed) message_error("cannot start a thread: %s", strerror(failed));
  return failed ? TOOL_FAILED : TOOL_OK;
}

static bool is_refused(const struct play *play) {
  for (uint64_t i = 0; i < play->episodes; i++)
    if (play->results[i].refused) return true;
  return false;
}

static int play_episodes(const struct options *options, struct play *play) {
  play->episodes = options->episodes;
  play->results = calloc(play->episodes, sizeof *play->results);
  glimpse_report *report = glimpse_report_new();
  bool quiet = options->show || options->watch;
  play->asked = calloc(play->episodes * glimpse_model_inquiries(play->search.model) + 1, sizeof *play->asked);
  play->scratch = calloc(play->episodes, sizeof *play->scratch);
  if (!play->results || !play->asked || !play->scratch || !report ||
      !progress_begin(&play->progress, play->episodes, quiet)) {
    glimpse_report_free(report);
    return message_no_memory();
  }
  glimpse_run run = {.episodes = play->episodes,
                     .seed = options->seed,
                     .max_steps = (uint32_t)options->max_steps,
                     .jobs = (unsigned)options->jobs,
                     .budget = play->search.budget,
                     .planner = play->search.planner,
                     .agent = {.ask_when_lost = options->ask_when_lost},
                     .step = on_step,
                     .done = on_done,
                     .asked = play->asked,
                     .context = play};
  run.budget.interrupt = interrupt_catch();
  struct stage stage = {.play = play, .run = &run, .report = report};
  int result = TOOL_OK;
  if (play->watching) result = perform_watched(options, &stage);
  else perform(&stage);
  progress_end(&play->progress);
  if (stage.status) result = search_failure(report, options, stage.status);
  if (play->no_memory) result = message_no_memory();
  if (!result && is_refused(play)) search_warn_refused();
  glimpse_report_free(report);
  return result;
}

static uint64_t finished(const struct play *play) {
  uint64_t count = 0;
  for (uint64_t i = 0; i < play->episodes; i++) count += !isnan(play->results[i].total);
  return count;
}

/* Everything that is written besides the summary. */
static int play_and_write(const struct options *options, struct play *play) {
  bool timed = play->search.budget.time > 0;
  interrupt_catch(); /* from here on files have to be ended */
  if (trace_begin(&play->trace, options->trace, play->search.model, options->episodes, timed)) return TOOL_FAILED;
  int result = record_begin(&play->record, options->record, &play->subject);
  if (!result) {
    result = play_episodes(options, play);
    if (record_end(&play->record, !result && finished(play) == play->episodes)) result = TOOL_FAILED;
  }
  if (trace_end(&play->trace)) result = TOOL_FAILED;
  return result;
}

static int play_and_show(const struct options *options, struct play *play) {
  struct averages summary;
  if (play_and_write(options, play) || summarise(play, &summary)) return TOOL_FAILED;
  if (play->telling) output_print("\n");
  if (options->json) show_json(options, play, &summary);
  else show_text(options, play, &summary);
  if (interrupt_caught() && summary.episodes < play->episodes)
    message_warning("%s: %llu of %llu episodes were finished, and only these count",
                    interrupt_caught() == INTERRUPT_QUIT ? "quit" : "interrupted", (unsigned long long)summary.episodes,
                    (unsigned long long)play->episodes);
  return TOOL_OK;
}

static int check_output(const struct options *options) {
  const char *text = NULL;
  bool shows = options->show || options->watch;
  if (options->trace && !strcmp(options->trace, "-"))
    text = "'--trace' needs a FILE of its own; the standard output has the summary";
  else if (options->record && !strcmp(options->record, "-"))
    text = "'--record' needs a FILE of its own; the standard output has the summary";
  else if (options->show && options->json) text = "'--show' excludes '--json', because both go to the standard output";
  else if (options->watch && options->json)
    text = "'--watch' excludes '--json', because both go to the standard output";
  else if (options->show && options->watch) text = "'--show' excludes '--watch'";
  else if (options->show && options->jobs > 1) text = "'--show' excludes several '--jobs': steps would mix";
  else if (options->watch && options->jobs > 1) text = "'--watch' excludes several '--jobs': steps would mix";
  else if (options->record && options->jobs > 1) text = "'--record' excludes several '--jobs': steps would mix";
  else if (options->given[OPTION_delay] && !shows) text = "'--delay' needs '--show' or '--watch'";
  else if (options->paused && !options->watch) text = "'--paused' needs '--watch'";
  return text ? message_usage(options->command, "%s", text) : TOOL_OK;
}

static struct subject subject_of(const struct options *options, struct play *play) {
  const glimpse_model *model = play->search.model;
  search_text(&play->search, play->settings);
  return (struct subject){.model = options->operand[0],
                          .settings = play->settings,
                          .episodes = options->episodes,
                          .states = glimpse_model_count(model, GLIMPSE_STATE),
                          .actions = glimpse_model_count(model, GLIMPSE_ACTION),
                          .observations = glimpse_model_count(model, GLIMPSE_OBSERVATION),
                          .requests = glimpse_model_requests(model) || glimpse_model_inquiries(model),
                          .inquiries = glimpse_model_planning(model) != model,
                          .simulates = search_has(&play->search, GLIMPSE_TRAIT_RANDOM),
                          .timed = play->search.budget.time > 0,
                          .scene = glimpse_model_scene(model)};
}

static int run(const struct options *options) {
  struct play play = {0};
  int status = check_output(options);
  if (!status) status = search_open(options, &play.search);
  play.delay = options->given[OPTION_delay] ? options->delay : isatty(STDOUT_FILENO) ? DELAY : 0;
  if (!status) {
    if (options->show) play.live = live_begin(play.search.model, play.delay);
    play.subject = subject_of(options, &play);
    play.recording = options->record != NULL;
    play.watching = options->watch && terminal_usable();
    play.telling = options->watch && !play.watching;
    status = play_and_show(options, &play);
  }
  free(play.results);
  free(play.asked);
  free(play.scratch);
  search_close(&play.search);
  return interrupt_status(status);
}

static const struct example examples[] = {
    {"glimpse run robot-delivery:n=3 --episodes 3 --time 0.01", "a robot that delivers packages, three times"},
    {"glimpse run robot-delivery:n=3 --episodes 1 --time 0.02 --show", "one episode, step by step"},
    {"glimpse run tag --episodes 1 --expansions 200 --watch --record tag.jsonl",
     "the same as a live view, recorded in a file"},
    {"glimpse run tag --expansions 20 --episodes 4 --jobs 2 --json", "the same numbers on every machine"},
    {"glimpse run toy --cost 2 --expansions 100 --trace steps.jsonl", "every step goes to a file"},
    {"glimpse run robot-delivery:n=3 --planner ask-every --every 5", "what a simple rule earns"},
    {NULL, NULL}};

const struct command command_run = {
    .name = "run",
    .summary = "play episodes and show how well a planner does",
    .operands = "MODEL",
    .least = 1,
    .most = 1,
    .text =
        "Plays episodes of MODEL, planning at every step with the given budget, and prints the discounted "
        "return with its standard error and 95 % interval (Student's t), how often the agent asked, how long the "
        "episodes were and what a step took. An episode ends in a terminal state or after --max-steps. Ctrl-C "
        "ends the run with the summary of the episodes that were finished.\n\n"
        "With --json: episodes, return (an object with mean, se, low, high), expansions and error_reduction (per "
        "step; in percent of the offline gap), requests and steps (per episode), seconds_per_step, lower and "
        "upper (at the first decision), unfinished (episodes that --max-steps ended), interrupted, model, "
        "planner, seed, discount, cost (null: the agent may not ask) and settings (in words). Models with "
        "inquiries have inquiries: for each its name and how often it was made per episode.\n\n"
        "A line of the trace has episode, step, state (the true one), belief (states, entropy in bits, largest "
        "entries), ask, lower, upper, value, expansions, stop, after (when it asked: the same about the "
        "second decision), action, next_state, observation, reward, cost, return (so far) and last. With a time "
        "budget there are seconds, too; without, the file is the same for any number of jobs. Models with inquiries "
        "have inquiries: a list of inquiry, answer and price.\n\n"
        "With --watch on a terminal: space pauses and goes on, n is one step, b one step back, + and - change the "
        "speed, e goes to the end of the episode, ? shows help, q or Ctrl-C quits with the summary of the episodes "
        "that were finished. Colours and shades depend on TERM, NO_COLOR and the locale.",
    .examples = examples,
    .run = run,
};
