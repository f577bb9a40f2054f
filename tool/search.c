/* Search: see search.h.
 *
 * Each option has a meaning of its own in the library; what the library would
 * ignore or refuse is an error of usage here, so that no option is given in vain. */
#include "search.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "message.h"
#include "open_model.h"
#include "output.h"

#define DEFAULT_SECONDS 0.1
#define DEFAULT_PARTICLES 1000 /* as in the table of options */
#define DEFAULT_BYTES ((uint64_t)1 << 30)

enum upper { UPPER_FIB_SR, UPPER_FIB, UPPER_QMDP }; /* the words of --upper */
enum { GRAPH_KEEP, GRAPH_RESET };                   /* the words of --graph */

/* ---------------------------------------------------------------- conflicts */

struct conflict {
  bool wrong;
  const char *text;
};

/* The first of the conflicts that there is; TOOL_OK without one. */
static int complain(const struct command *command, const struct conflict *conflicts, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (conflicts[i].wrong) return message_usage(command, "%s", conflicts[i].text);
  return TOOL_OK;
}

#define COMPLAIN(command, conflicts) complain(command, conflicts, sizeof(conflicts) / sizeof *(conflicts))

/* Sets of planners. */
#define PLANNER(kind) (1u << GLIMPSE_PLANNER_##kind)
enum {
  AEMS_KINDS = PLANNER(AEMS_SR) | PLANNER(AEMS) | PLANNER(AEMS_LOOP),
  SEARCHES = AEMS_KINDS | PLANNER(POMCP),
  BASELINES = PLANNER(NEVER_ASK) | PLANNER(ALWAYS_ASK) | PLANNER(ASK_EVERY) | PLANNER(ASK_ENTROPY),
};

/* Options that some planners know and others do not.  A budget is for all: it is a
 * limit, which those that do not search keep, too. */
static int check_family(const struct options *options) {
  static const struct {
    enum option_id option;
    unsigned planners;
  } known[] = {
      {OPTION_rule, AEMS_KINDS},        {OPTION_improve, AEMS_KINDS},           {OPTION_paper, AEMS_KINDS},
      {OPTION_plain, AEMS_KINDS},       {OPTION_keep_corners, AEMS_KINDS},      {OPTION_epsilon, AEMS_KINDS},
      {OPTION_decided, AEMS_KINDS},     {OPTION_upper, AEMS_KINDS | BASELINES}, {OPTION_graph, SEARCHES},
      {OPTION_rollout, PLANNER(POMCP)}, {OPTION_exploration, PLANNER(POMCP)},   {OPTION_particles, PLANNER(POMCP)},
      {OPTION_act, BASELINES},          {OPTION_every, PLANNER(ASK_EVERY)},     {OPTION_entropy, PLANNER(ASK_ENTROPY)},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (!options->given[known[i].option] || (known[i].planners >> options->planner & 1)) continue;
    if (known[i].option == OPTION_upper && options->rollout == GLIMPSE_ROLLOUT_QMDP) continue;
    return message_usage(options->command, "the planner %s does not take '--%s'",
                         glimpse_planner_key((glimpse_planner_kind)options->planner),
                         option_get(known[i].option)->name);
  }
  return TOOL_OK;
}

static int check_options(const struct options *options) {
  bool keeps = options->given[OPTION_graph] && options->graph == GRAPH_KEEP;
  bool resets = options->paper || options->plain || options->graph == GRAPH_RESET;
  bool improves = options->given[OPTION_improve] ? options->improve != GLIMPSE_IMPROVE_NONE : !options->paper;
  const struct conflict conflicts[] = {
      {options->paper && keeps, "'--paper' resets the graph after each step: it excludes '--graph keep'"},
      {options->plain && keeps, "'--plain' resets the graph after each step: it excludes '--graph keep'"},
      {options->paper && options->given[OPTION_improve] && options->improve == GLIMPSE_IMPROVE_SOUND,
       "'--paper' excludes '--improve sound', which is not in the paper"},
      {options->improve == GLIMPSE_IMPROVE_PAPER && !resets &&
           (options->command == &command_plan || options->command == &command_explain),
       "'--improve paper' needs '--paper': it overwrites bounds that a kept graph relies on"},
      {options->improve == GLIMPSE_IMPROVE_PAPER && !resets,
       "'--improve paper' needs '--paper' or '--graph reset': it overwrites bounds that a kept graph relies on"},
      {options->keep_corners && resets && !improves,
       "'--keep-corners' has nothing to keep when the graph is reset and the bounds are not improved"},
      {options->keep_corners && options->jobs > 1,
       "'--keep-corners' excludes several '--jobs': what a planner has learnt would depend on chance"},
  };
  int status = check_family(options);
  return status ? status : COMPLAIN(options->command, conflicts);
}

/* What depends on whether the agent may ask. */
static int check_model(const struct options *options, const glimpse_model *model) {
  bool asks = glimpse_model_requests(model), upper = options->given[OPTION_upper];
  const struct conflict conflicts[] = {
      {upper && options->upper == UPPER_FIB && asks,
       "'--upper fib' is not an upper bound where the agent may ask; 'fib-sr' is, or '--cost off' forbids asking"},
      {upper && options->upper == UPPER_FIB_SR && !asks,
       "'--upper fib-sr' is about asking, which the agent may not; 'fib' fits, or '--cost NUMBER' allows asking"},
      {options->ask_when_lost && !asks, "'--ask-when-lost' needs an agent that may ask; '--cost NUMBER' allows it"},
  };
  bool must_ask = ((unsigned)BASELINES & ~PLANNER(NEVER_ASK)) >> options->planner & 1;
  if (must_ask && !asks)
    return message_usage(options->command, "the planner %s needs an agent that may ask; '--cost NUMBER' allows it",
                         glimpse_planner_key((glimpse_planner_kind)options->planner));
  return COMPLAIN(options->command, conflicts);
}

/* ----------------------------------------------------------------- settings */

bool search_by_rule(const struct search *search) {
  return (unsigned)BASELINES >> search->planner.kind & 1;
}

static void settle(const struct options *options, struct search *search) {
  search->planner = (glimpse_planner_options){
      .kind = (glimpse_planner_kind)options->planner,
      .rule = (glimpse_rule)options->rule,
      .improve = (glimpse_improve)options->improve,
      .paper = options->paper,
      .reset = options->graph == GRAPH_RESET,
      .plain = options->plain,
      .keep_corners = options->keep_corners,
      .max_bytes = options->max_memory,
      .seed = options->seed,
      .exploration = options->exploration,
      .particles = (uint32_t)options->particles,
      .rollout = (glimpse_rollout)options->rollout,
      .act = (glimpse_act)options->act,
      .every = (uint32_t)options->every,
      .entropy = options->entropy,
  };
  if (options->paper && !options->given[OPTION_improve]) search->planner.improve = GLIMPSE_IMPROVE_NONE;
  if (options->paper && !options->given[OPTION_planner]) search->planner.kind = GLIMPSE_PLANNER_AEMS_SR;
  search->budget = (glimpse_budget){.seconds = options->time,
                                    .expansions = options->expansions,
                                    .epsilon = options->epsilon,
                                    .decided = options->decided};
  if (!options->given[OPTION_time] && !options->given[OPTION_expansions]) search->budget.seconds = DEFAULT_SECONDS;
  if (search_by_rule(search)) search->budget = (glimpse_budget){0};
  static const char *const uppers[] = {"fib-sr", "fib", "qmdp"};
  if (options->given[OPTION_upper]) search->upper = uppers[options->upper];
}

/* POMCP does without bounds when it judges new beliefs by rolling out. */
static bool needs_bounds(const struct options *options) {
  return options->planner != GLIMPSE_PLANNER_POMCP ||
         (options->rollout != GLIMPSE_ROLLOUT_RANDOM && options->rollout != GLIMPSE_ROLLOUT_SILENT);
}

/* Where searches are limited in time the bounds are, too: as long as one search, but a second in any case,
 * and ten where they serve many decisions.  Without such a limit no clock has a say in the results. */
static double seconds_for_bounds(const struct options *options, const struct search *search) {
  double seconds = options->given[OPTION_time] ? options->time : search->budget.seconds;
  if (!(seconds > 0)) return 0;
  bool once = options->command == &command_plan || options->command == &command_explain;
  double least = once ? 1 : 10;
  return seconds > least ? seconds : least;
}

static int find_bounds(const struct options *options, struct search *search) {
  if (!needs_bounds(options)) return TOOL_OK;
  glimpse_bound_options limits = {.max_seconds = seconds_for_bounds(options, search)};
  glimpse_report *report = glimpse_report_new();
  if (!report) return message_no_memory();
  glimpse_bound_kind upper = glimpse_offline_upper(search->model);
  if (options->given[OPTION_upper] && options->upper == UPPER_QMDP) upper = GLIMPSE_BOUND_QMDP;
  message_progress("computing the offline bounds");
  glimpse_status status = glimpse_offline_new(search->model, upper, &limits, report, &search->offline);
  message_progress_end();
  int result = TOOL_OK;
  if (status) result = message_failure(report, options->operand[0], status);
  else message_report(report, options->operand[0]);
  glimpse_report_free(report);
  return result;
}

int search_open(const struct options *options, struct search *search) {
  *search = (struct search){0};
  int status = check_options(options);
  if (status) return status;
  search->model = open_model(options);
  if (!search->model) return TOOL_FAILED;
  status = check_model(options, search->model);
  if (!status) status = open_model_plannable(search->model, options->operand[0]);
  if (status) return status;
  settle(options, search);
  return find_bounds(options, search);
}

void search_close(struct search *search) {
  glimpse_offline_free(search->offline);
  glimpse_model_free(search->model);
  *search = (struct search){0};
}

/* --------------------------------------------------------------------- text */

/* Appends to the text. */
static void add(char text[SEARCH_TEXT], const char *format, ...) TOOL_PRINTF(2, 3);

static void add(char text[SEARCH_TEXT], const char *format, ...) {
  size_t used = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + used, SEARCH_TEXT - used, format, arguments);
  va_end(arguments);
}

static const char *number_text(double value, char text[GLIMPSE_NUMBER_SIZE]) {
  glimpse_number_write(value, text);
  return text;
}

/* What makes the planner another than its default. */
static void add_planner(const struct search *search, char text[SEARCH_TEXT]) {
  const glimpse_planner_options *planner = &search->planner;
  char number[GLIMPSE_NUMBER_SIZE];
  bool aems = (unsigned)AEMS_KINDS >> planner->kind & 1, pomcp = planner->kind == GLIMPSE_PLANNER_POMCP;
  if (planner->kind == GLIMPSE_PLANNER_ASK_EVERY)
    add(text, ", every %lu step%s", (unsigned long)planner->every, planner->every == 1 ? "" : "s");
  if (planner->kind == GLIMPSE_PLANNER_ASK_ENTROPY)
    add(text, ", above %s bit%s", number_text(planner->entropy, number), planner->entropy == 1 ? "" : "s");
  if (search_by_rule(search)) add(text, ", action by %s", glimpse_act_key(planner->act));
  if (planner->paper) add(text, ", as in the paper");
  if (planner->plain) add(text, ", plain");
  if (aems && planner->rule) add(text, ", rule %s", glimpse_rule_key(planner->rule));
  glimpse_improve usual = planner->paper ? GLIMPSE_IMPROVE_NONE : GLIMPSE_IMPROVE_SOUND;
  if (aems && planner->improve != usual) add(text, ", improve %s", glimpse_improve_key(planner->improve));
  if (search->upper) add(text, ", upper %s", search->upper);
  if (planner->reset) add(text, ", %s reset", pomcp ? "tree" : "graph");
  if (planner->keep_corners) add(text, ", corners kept");
  if (pomcp && planner->rollout) add(text, ", rollout %s", glimpse_rollout_key(planner->rollout));
  if (planner->exploration > 0) add(text, ", exploration %s", number_text(planner->exploration, number));
  if (pomcp && planner->particles != DEFAULT_PARTICLES) add(text, ", %lu particles", (unsigned long)planner->particles);
}

void search_text(const struct search *search, char text[SEARCH_TEXT]) {
  const glimpse_budget *budget = &search->budget;
  char number[GLIMPSE_NUMBER_SIZE];
  *text = 0;
  add(text, "%s", glimpse_planner_key(search->planner.kind));
  add_planner(search, text);
  if (budget->seconds > 0) add(text, ", %s s per decision", number_text(budget->seconds, number));
  if (budget->expansions)
    add(text, ", %llu %s per decision", (unsigned long long)budget->expansions,
        search->planner.kind == GLIMPSE_PLANNER_POMCP ? "simulations" : "expansions");
  if (budget->epsilon > 0) add(text, ", epsilon %s", number_text(budget->epsilon, number));
  if (budget->decided) add(text, ", until decided");
  if (search->planner.max_bytes != DEFAULT_BYTES && !search_by_rule(search))
    add(text, ", at most %llu bytes", (unsigned long long)search->planner.max_bytes);
  add(text, ", seed %llu", (unsigned long long)search->planner.seed);
}

double search_reduction(const glimpse_decision *decision) {
  double offline = decision->offline_upper - decision->offline_lower, now = decision->upper - decision->lower;
  if (isnan(offline) || isnan(now) || decision->stop == GLIMPSE_STOP_RULE) return (double)NAN; /* nothing is searched */
  if (offline <= 1e-9 * fmax(1, fabs(decision->offline_upper))) return 100; /* nothing was open but for rounding */
  return 100 * (1 - now / offline);
}

const char *search_stop_text(glimpse_stop stop) {
  switch (stop) {
#define X(name, key, text)                                                                                             \
  case GLIMPSE_STOP_##name: return text;
    GLIMPSE_STOP_TABLE(X)
#undef X
  }
  return "?";
}

void search_warn_refused(void) {
  message_warning("the system refused memory to the search, which used less: its bounds are valid, but it may have "
                  "decided otherwise than it would have");
}

int search_failure(const glimpse_report *report, const struct options *options, glimpse_status status) {
  int result = message_failure(report, options->operand[0], status);
  if (status == GLIMPSE_NO_MEMORY && options->given[OPTION_max_memory])
    message_hint("the limit of '--max-memory' may be too small for this model");
  return result;
}
