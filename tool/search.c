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
#include "open_policy.h"
#include "output.h"

enum upper { UPPER_FIB_SR, UPPER_FIB, UPPER_QMDP }; /* the words of --upper */

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

glimpse_planner_kind search_kind(const struct options *options) {
  bool budget = options->given[OPTION_time] || options->given[OPTION_expansions];
  if (options->given[OPTION_planner] || !options->policy || budget) return (glimpse_planner_kind)options->planner;
  return GLIMPSE_PLANNER_POLICY;
}

static unsigned traits_of(const struct options *options) {
  return glimpse_planner_traits(search_kind(options));
}

static glimpse_planner_options planner_of(const struct options *options) {
  glimpse_planner_options planner = {.kind = search_kind(options)};
#define X(kind, type, field, ...) planner.field = (type)options->field;
  GLIMPSE_PLANNER_OPTION_TABLE(X)
#undef X
  return planner;
}

/* Is the option of use to the planner?  A budget is for all: it is a limit, which those that do not search keep, too.
 */
static bool takes(const struct options *options, enum option_id option) {
  static const unsigned takers[OPTION_COUNT] = {[OPTION_epsilon] = GLIMPSE_TRAIT_GRAPH,
                                                [OPTION_decided] = GLIMPSE_TRAIT_GRAPH,
                                                [OPTION_policy] = GLIMPSE_TRAIT_GRAPH | GLIMPSE_TRAIT_FOLLOWS,
#define X(kind, type, field, key, argument, preset, low, high, traits, ...) [OPTION_##field] = (traits),
                                                GLIMPSE_PLANNER_OPTION_TABLE(X)
#undef X
  };
  glimpse_planner_options planner = planner_of(options);
  if (option == OPTION_upper) return glimpse_planner_needs_offline(&planner);
  return !takers[option] || takers[option] & traits_of(options);
}

static int check_family(const struct options *options) {
  for (enum option_id i = 0; i < OPTION_COUNT; i++)
    if (options->given[i] && !takes(options, i))
      return message_usage(options->command, "the planner %s does not take '--%s'",
                           glimpse_planner_key((glimpse_planner_kind)options->planner), option_get(i)->name);
  return TOOL_OK;
}

static int check_options(const struct options *options) {
  bool keeps = options->given[OPTION_graph] && options->graph == GLIMPSE_GRAPH_KEEP;
  bool resets = options->paper || options->plain || options->graph == GLIMPSE_GRAPH_RESET;
  bool improves = options->given[OPTION_improve] ? options->improve != GLIMPSE_IMPROVE_NONE : !options->paper;
  const struct conflict conflicts[] = {
      {search_kind(options) == GLIMPSE_PLANNER_POLICY && !options->policy, "the planner policy needs '--policy FILE'"},
      {options->policy && (options->paper || options->plain), "'--policy' excludes '--paper' and '--plain'"},
      {options->paper && keeps, "'--paper' resets the graph after each step: it excludes '--graph keep'"},
      {options->plain && keeps, "'--plain' resets the graph after each step: it excludes '--graph keep'"},
      {options->paper && options->given[OPTION_improve] && options->improve == GLIMPSE_IMPROVE_SOUND,
       "'--paper' excludes '--improve sound', which is not in the paper"},
      {options->improve == GLIMPSE_IMPROVE_PAPER && !resets &&
           (command_bit(options->command) & (FOR_PLAN | FOR_EXPLAIN)),
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

/* What is about asking for the state before an action alone does not fit a model with inquiries or limits. */
static int check_rules(const struct options *options, const glimpse_model *model) {
  if (options->ask_when_lost && !glimpse_model_inquiries(model)) {
    message_error_in(options->operand[0],
                     "'--ask-when-lost' needs an agent that may ask, and this model has no inquiry");
    return TOOL_FAILED;
  }
  if (options->given[OPTION_upper] && options->upper == UPPER_FIB_SR) {
    message_error_in(options->operand[0], "'--upper fib-sr' is about asking for the state before an action, and this "
                                          "model has other inquiries or limits");
    message_hint("'--upper fib' fits: in such a model asking is one of the choices that it bounds");
    return TOOL_FAILED;
  }
  if ((glimpse_planner_kind)options->planner != GLIMPSE_PLANNER_SPI) return TOOL_OK;
  message_error_in(options->operand[0],
                   "spi follows strings of actions that end with being told the state, and this model has other "
                   "inquiries or limits");
  message_hint("planners that search take all models: '--planner %s'", glimpse_planner_key(GLIMPSE_PLANNER_AEMS_LOOP));
  return TOOL_FAILED;
}

/* What depends on whether the agent may ask. */
static int check_model(const struct options *options, const glimpse_model *model) {
  bool asks = glimpse_model_requests(model), upper = options->given[OPTION_upper];
  if (glimpse_model_planning(model) != model) return check_rules(options, model);
  const struct conflict conflicts[] = {
      {upper && options->upper == UPPER_FIB && asks,
       "'--upper fib' is not an upper bound where the agent may ask; 'fib-sr' is, or '--cost off' forbids asking"},
      {upper && options->upper == UPPER_FIB_SR && !asks,
       "'--upper fib-sr' is about asking, which the agent may not; 'fib' fits, or '--cost NUMBER' allows asking"},
      {options->ask_when_lost && !asks, "'--ask-when-lost' needs an agent that may ask; '--cost NUMBER' allows it"},
  };
  if (traits_of(options) & GLIMPSE_TRAIT_ASKS && !asks)
    return message_usage(options->command, "the planner %s needs an agent that may ask; '--cost NUMBER' allows it",
                         glimpse_planner_key((glimpse_planner_kind)options->planner));
  return COMPLAIN(options->command, conflicts);
}

/* ----------------------------------------------------------------- settings */

bool search_has(const struct search *search, unsigned trait) {
  return glimpse_planner_traits(search->planner.kind) & trait;
}

bool search_by_rule(const struct search *search) {
  return search_has(search, GLIMPSE_TRAIT_RULE) || (search_has(search, GLIMPSE_TRAIT_FOLLOWS) && !search->offline);
}

static void settle(const struct options *options, struct search *search) {
  search->planner = planner_of(options);
  search->planner.policy = search->policy;
  if (options->paper && !options->given[OPTION_improve]) search->planner.improve = GLIMPSE_IMPROVE_NONE;
  if (options->paper && !options->given[OPTION_planner]) search->planner.kind = GLIMPSE_PLANNER_AEMS_SR;
  search->budget = (glimpse_budget){.time = options->time,
                                    .expansions = options->expansions,
                                    .epsilon = options->epsilon,
                                    .decided = options->decided};
  bool limited = options->given[OPTION_time] || options->given[OPTION_expansions];
  if (!limited && !search_has(search, GLIMPSE_TRAIT_FOLLOWS)) search->budget.time = GLIMPSE_DEFAULT_TIME;
  if (search_has(search, GLIMPSE_TRAIT_RULE)) search->budget = (glimpse_budget){0};
  static const char *const uppers[] = {"fib-sr", "fib", "qmdp"};
  if (options->given[OPTION_upper]) search->upper = uppers[options->upper];
}

/* A policy needs bounds for a search off the plan. */
static bool needs_bounds(const struct options *options, const struct search *search) {
  bool limited = options->given[OPTION_time] || options->given[OPTION_expansions];
  return search_has(search, GLIMPSE_TRAIT_FOLLOWS) ? limited : glimpse_planner_needs_offline(&search->planner);
}

/* Where searches are limited in time the bounds are, too: as long as one search, but a second in any case,
 * and ten where they serve many decisions.  Without such a limit no clock has a say in the results. */
static double seconds_for_bounds(const struct options *options, const struct search *search) {
  double seconds = options->given[OPTION_time] ? options->time : search->budget.time;
  if (!(seconds > 0)) return 0;
  bool once = command_bit(options->command) & (FOR_PLAN | FOR_EXPLAIN);
  double least = once ? 1 : 10;
  return seconds > least ? seconds : least;
}

static int find_bounds(const struct options *options, struct search *search) {
  if (!needs_bounds(options, search)) return TOOL_OK;
  glimpse_bound_options limits = {.max_time = seconds_for_bounds(options, search)};
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

static int find_policy(const struct options *options, struct search *search) {
  search->policy_file = options->policy;
  search->policy = open_policy(options->policy, search->model);
  if (!search->policy) return TOOL_FAILED;
  return open_policy_check(search->policy, search->model, options->policy, options->operand[0]);
}

int search_open(const struct options *options, struct search *search) {
  *search = (struct search){0};
  int status = check_options(options);
  if (status) return status;
  search->model = open_model(options);
  if (!search->model) return TOOL_FAILED;
  status = check_model(options, search->model);
  if (!status) status = open_model_plannable(search->model, options->operand[0]);
  if (!status && options->policy) status = find_policy(options, search);
  if (status) return status;
  settle(options, search);
  return find_bounds(options, search);
}

void search_close(struct search *search) {
  glimpse_policy_free(search->policy);
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

/* What makes the planner another than its default; of a rule all that it goes by. */
static void add_planner(const struct search *search, char text[SEARCH_TEXT]) {
  bool rule = search_has(search, GLIMPSE_TRAIT_RULE), paper = search->planner.paper;
  char value[GLIMPSE_NUMBER_SIZE];
  const glimpse_planner_option *option;
  if (search->policy)
    add(text, search_has(search, GLIMPSE_TRAIT_FOLLOWS) ? " %.100s" : ", from the bounds of %.100s",
        search->policy_file);
  for (size_t i = 0; (option = glimpse_planner_option_get(i)); i++) {
    bool own = !(option->traits & GLIMPSE_TRAIT_SEARCHES);
    bool differs = glimpse_planner_option_write(option, &search->planner, value);
    bool implied = paper && option->offset == offsetof(glimpse_planner_options, improve) &&
                   search->planner.improve == GLIMPSE_IMPROVE_NONE;
    if (option->offset == offsetof(glimpse_planner_options, seed) || !search_has(search, option->traits)) continue;
    if (implied || !(rule ? own : differs)) continue;
    add(text, option->kind == GLIMPSE_VALUE_FLAG ? ", %s" : ", %s %s", option->key, value);
  }
  if (search->upper) add(text, ", upper %s", search->upper);
}

void search_text(const struct search *search, char text[SEARCH_TEXT]) {
  const glimpse_budget *budget = &search->budget;
  char number[GLIMPSE_NUMBER_SIZE];
  *text = 0;
  add(text, "%s", glimpse_planner_key(search->planner.kind));
  add_planner(search, text);
  if (budget->time > 0) add(text, ", %s s per decision", number_text(budget->time, number));
  if (budget->expansions)
    add(text, ", %llu %s per decision", (unsigned long long)budget->expansions,
        search_has(search, GLIMPSE_TRAIT_RANDOM) ? "simulations" : "expansions");
  if (budget->epsilon > 0) add(text, ", epsilon %s", number_text(budget->epsilon, number));
  if (budget->decided) add(text, ", until decided");
  add(text, ", seed %llu", (unsigned long long)search->planner.seed);
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
