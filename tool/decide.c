/* Decide: see decide.h. */
#include "decide.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/range.h"
#include "interrupt.h"
#include "message.h"
#include "open_model.h"
#include "output.h"
#include "table.h"

/* ------------------------------------------------------------------- belief */

/* A belief as it is typed, entry by entry. */
struct typed {
  size_t count;
  uint32_t *index;
  double *value;
};

/* "NAME=P"; the text is changed. */
static int read_entry(const struct options *options, const glimpse_model *model, char *text, struct typed *typed) {
  char *sign = strchr(text, '=');
  double p = 1;
  if (sign) *sign = 0;
  size_t length = sign ? strlen(sign + 1) : 0;
  if (sign && (!length || glimpse_number_read(sign + 1, length, &p) != length || !(p >= 0 && p <= 1)))
    return message_usage(options->command, "'%s' is not a probability of '%s' in '--belief'", sign + 1, text);
  uint32_t s;
  int status = open_model_state(model, options->operand[0], text, &s);
  if (status) return status;
  for (size_t i = 0; i < typed->count; i++)
    if (typed->index[i] == s) return message_usage(options->command, "'--belief' names the state '%s' twice", text);
  typed->index[typed->count] = s;
  typed->value[typed->count++] = p;
  return TOOL_OK;
}

static int read_entries(const struct options *options, const glimpse_model *model, char *text, struct typed *typed) {
  bool single = !strchr(text, '=') && !strchr(text, ',');
  for (char *entry = text; entry;) {
    char *comma = strchr(entry, ',');
    if (comma) *comma = 0;
    if (!single && !strchr(entry, '='))
      return message_usage(options->command, "'%s' in '--belief' lacks its probability: STATE=P", entry);
    int status = read_entry(options, model, entry, typed);
    if (status) return status;
    entry = comma ? comma + 1 : NULL;
  }
  double sum = 0;
  for (size_t i = 0; i < typed->count; i++) sum += typed->value[i];
  /* As for the rows of a model: what is off by more is a mistake, not rounding. */
  if (fabs(sum - 1) > 1e-3)
    return message_usage(options->command, "the probabilities of '--belief' sum to %.6g, not to 1", sum);
  return TOOL_OK;
}

static int read_belief(const struct options *options, struct decide *decide) {
  decide->belief = decide->own = glimpse_belief_new(decide->search.model);
  if (!decide->own) return message_no_memory();
  if (!options->belief) return TOOL_OK;
  size_t most = 1;
  for (const char *c = options->belief; *c; c++) most += *c == ',';
  size_t length = strlen(options->belief) + 1;
  char *text = malloc(length);
  struct typed typed = {0, malloc(most * sizeof(uint32_t)), malloc(most * sizeof(double))};
  int status;
  if (!text || !typed.index || !typed.value) {
    status = message_no_memory();
  } else {
    memcpy(text, options->belief, length);
    status = read_entries(options, decide->search.model, text, &typed);
  }
  glimpse_row row = {typed.count, typed.index, typed.value};
  if (!status && glimpse_belief_set(decide->own, row)) status = message_no_memory();
  free(typed.value);
  free(typed.index);
  free(text);
  return status;
}

/* --------------------------------------------------------------------- plan */

bool decide_look(struct decide *decide) {
  if (!decide->agent) return true;
  uint32_t most = glimpse_agent_prospects_most(decide->search.model);
  if (!decide->prospects) decide->prospects = calloc(most, sizeof *decide->prospects);
  if (!decide->prospects) return false;
  decide->prospect_count = glimpse_agent_prospects(decide->agent, decide->prospects);
  return decide->prospect_count != UINT32_MAX;
}

static glimpse_status plan(struct decide *decide, glimpse_report *report) {
  struct search *search = &decide->search;
  glimpse_status status =
      glimpse_planner_new(search->model, search->offline, &search->planner, report, &decide->planner);
  bool layers = glimpse_model_planning(search->model) != search->model;
  if (!status && layers && !(decide->agent = glimpse_agent_new(search->model, decide->planner, NULL)))
    status = GLIMPSE_NO_MEMORY;
  glimpse_row row = glimpse_belief_row(decide->belief);
  if (!status)
    status = layers ? glimpse_agent_begin_at(decide->agent, row, 0) : glimpse_planner_begin(decide->planner, row, 0);
  if (status) return status;
  if (search_has(search, GLIMPSE_TRAIT_RULE)) message_progress("deciding");
  else if (search->budget.time > 0) message_progress("searching for %.3g s", search->budget.time);
  else message_progress("searching; Ctrl-C ends it with what is known by then");
  search->budget.interrupt = interrupt_catch();
  status = layers ? glimpse_agent_decide(decide->agent, &search->budget, &decide->decision)
                  : glimpse_planner_plan(decide->planner, &search->budget, &decide->decision);
  message_progress_end();
  if (!status && !decide_look(decide)) status = GLIMPSE_NO_MEMORY;
  if (!status && decide->decision.refused) search_warn_refused();
  return status;
}

int decide_open(const struct options *options, struct decide *decide) {
  *decide = (struct decide){.name = options->operand[0]};
  int result = search_open(options, &decide->search);
  if (!result) result = read_belief(options, decide);
  if (result) return result;
  glimpse_report *report = glimpse_report_new();
  if (!report) return message_no_memory();
  glimpse_status status = plan(decide, report);
  if (status) result = search_failure(report, options, status);
  glimpse_report_free(report);
  return result;
}

void decide_close(struct decide *decide) {
  glimpse_agent_free(decide->agent);
  free(decide->prospects);
  glimpse_planner_free(decide->planner);
  glimpse_belief_free(decide->own);
  search_close(&decide->search);
}

/* --------------------------------------------------------------------- text */

const char *decide_text(const glimpse_model *model, const glimpse_decision *decision, char text[200]) {
  const char *inquiry = glimpse_model_inquiry(model, decision->inquiry).name;
  const char *action = decision->ask ? NULL : glimpse_model_name(model, GLIMPSE_ACTION, decision->action);
  if (!inquiry && decision->ask) snprintf(text, 200, "ask for the state");
  else if (!action) snprintf(text, 200, "ask %.80s", inquiry);
  else if (inquiry) snprintf(text, 200, "do '%.80s' and ask %.80s", action, inquiry);
  else snprintf(text, 200, "do '%.80s'", action);
  return text;
}

const char *decide_name(const struct decide *decide, uint32_t action) {
  return action == GLIMPSE_ANY ? "ask" : glimpse_model_name(decide->search.model, GLIMPSE_ACTION, action);
}

bool decide_estimates(const struct decide *decide) {
  return search_has(&decide->search, GLIMPSE_TRAIT_RANDOM);
}

struct grounds decide_grounds(const struct decide *decide) {
  return (struct grounds){.model = decide->search.model,
                          .planner = decide->planner,
                          .options = &decide->search.planner,
                          .belief = decide->belief,
                          .decision = &decide->decision,
                          .agent = decide->agent,
                          .prospects = decide->prospects,
                          .prospect_count = decide->prospect_count,
                          .by_rule = search_by_rule(&decide->search),
                          .brief = decide->brief};
}

const char *decide_low(const struct decide *decide, double lower, double upper, char text[32]) {
  return range_low(decide->brief, lower, upper, text);
}

const char *decide_high(const struct decide *decide, double lower, double upper, char text[32]) {
  return range_high(decide->brief, lower, upper, text);
}

static void choice_row(const struct decide *decide, struct table *table, const char *name, bool made,
                       glimpse_choice choice) {
  char number[32];
  table_cell(table, "%s", made ? "->" : "");
  table_cell(table, "%s", name);
  if (decide_estimates(decide)) {
    table_cell(table, "%s", range_number(choice.value, number));
    table_cell(table, "%llu", (unsigned long long)choice.visits);
  } else {
    table_cell(table, "%s", decide_low(decide, choice.lower, choice.upper, number));
    table_cell(table, "%s", decide_high(decide, choice.lower, choice.upper, number));
  }
}

static void prospect_row(const struct decide *decide, struct table *table, const glimpse_prospect *prospect) {
  const glimpse_decision *d = &decide->decision;
  char name[200];
  reasons_name(decide->search.model, prospect, name, sizeof name);
  bool made = prospect->move.inquiry == d->inquiry && prospect->move.action == d->action;
  choice_row(decide, table, name, made, prospect->worth);
}

/* An action, or asking for the state. */
static void action_row(const struct decide *decide, struct table *table, uint32_t action) {
  bool made = decide->decision.ask ? action == GLIMPSE_ANY : action == decide->decision.action;
  choice_row(decide, table, action == GLIMPSE_ANY ? "ask for the state" : decide_name(decide, action), made,
             glimpse_planner_choice(decide->planner, action));
}

void decide_choices(const struct decide *decide) {
  bool estimates = decide_estimates(decide);
  struct table table = table_begin("llrr");
  table_cell(&table, "%s", "");
  table_cell(&table, "choice");
  table_cell(&table, estimates ? "value" : "lower");
  table_cell(&table, estimates ? "visits" : "upper");
  for (uint32_t i = 0; i < decide->prospect_count; i++) prospect_row(decide, &table, &decide->prospects[i]);
  for (uint32_t a = 0; !decide->agent && a < glimpse_model_count(decide->search.model, GLIMPSE_ACTION); a++)
    action_row(decide, &table, a);
  if (glimpse_model_requests(decide->search.model)) action_row(decide, &table, GLIMPSE_ANY);
  table_end(&table, 0);
}

static const char *size_text(uint64_t bytes, char text[32]) {
  static const char *const units[] = {"bytes", "kB", "MB", "GB"};
  double size = (double)bytes;
  size_t unit = 0;
  for (; size >= 1000 && unit < 3; unit++) size /= 1000;
  snprintf(text, 32, "%.*f %s", unit && size < 100, size, units[unit]);
  return text;
}

void decide_search(const struct decide *decide) {
  const glimpse_decision *d = &decide->decision;
  char first[32], second[32];
  if (decide_estimates(decide)) output_print("value      about %s\n", range_number(d->value, first));
  else if (!isnan(d->lower))
    output_print("value      between %s and %s\n", decide_low(decide, d->lower, d->upper, first),
                 decide_high(decide, d->lower, d->upper, second));
  if (open_model_sign(decide->search.model)) output_print("note       %s\n", open_model_sign(decide->search.model));
  if (search_has(&decide->search, GLIMPSE_TRAIT_RULE)) {
    output_print("search     none: %s\n", search_stop_text(d->stop));
    return;
  }
  if (!decide_estimates(decide) && !isnan(d->offline_lower)) {
    output_print("offline    between %s and %s", decide_low(decide, d->offline_lower, d->offline_upper, first),
                 decide_high(decide, d->offline_lower, d->offline_upper, second));
    output_print("; the search has closed %.1f %% of the gap\n", glimpse_decision_reduction(d));
  }
  output_print("search     %llu %s%s in %.3f s, %llu beliefs, %llu known states, %s\n",
               (unsigned long long)d->expansions, decide_estimates(decide) ? "simulation" : "expansion",
               d->expansions == 1 ? "" : "s", d->seconds, (unsigned long long)d->nodes, (unsigned long long)d->corners,
               size_text(d->bytes, first));
  if (d->dropped) output_print("forgotten  %llu beliefs, for lack of memory\n", (unsigned long long)d->dropped);
  bool used_up = decide_estimates(decide) && d->stop == GLIMPSE_STOP_EXPANSIONS;
  output_print("stopped    %s\n", used_up ? "the simulations were used up" : search_stop_text(d->stop));
}

/* --------------------------------------------------------------------- JSON */

double decide_seconds(double seconds) {
  return floor(seconds * 1e9 + 0.5) / 1e9;
}

static void json_settings(const struct decide *decide, struct json *json) {
  char settings[SEARCH_TEXT];
  search_text(&decide->search, settings);
  json_text(json, "model", decide->name);
  open_model_json_terms(decide->search.model, json);
  json_text(json, "planner", glimpse_planner_key(decide->search.planner.kind));
  json_text(json, "settings", settings);
}

/* Names or null. */
static void json_move(const glimpse_model *model, uint32_t action, uint32_t inquiry, struct json *json) {
  json_text(json, "action", action == GLIMPSE_ANY ? NULL : glimpse_model_name(model, GLIMPSE_ACTION, action));
  json_text(json, "inquiry", glimpse_model_inquiry(model, inquiry).name);
}

static void json_worth(const struct decide *decide, const glimpse_choice *choice, struct json *json) {
  json_number(json, "lower", choice->lower);
  json_number(json, "upper", choice->upper);
  if (!decide_estimates(decide)) return;
  json_number(json, "value", choice->value);
  json_count(json, "visits", choice->visits);
}

static void json_prospects(const struct decide *decide, struct json *json) {
  json_array(json, "choices");
  for (uint32_t i = 0; i < decide->prospect_count; i++) {
    const glimpse_prospect *prospect = &decide->prospects[i];
    json_object(json, NULL);
    json_move(decide->search.model, prospect->move.action, prospect->move.inquiry, json);
    json_worth(decide, &prospect->worth, json);
    json_close(json);
  }
  json_close(json);
}

void decide_json_choices(const struct decide *decide, struct json *json) {
  if (decide->agent) {
    json_prospects(decide, json);
    return;
  }
  json_array(json, "actions");
  for (uint32_t a = 0; a < glimpse_model_count(decide->search.model, GLIMPSE_ACTION); a++) {
    glimpse_choice choice = glimpse_planner_choice(decide->planner, a);
    json_object(json, NULL);
    json_text(json, "action", decide_name(decide, a));
    json_worth(decide, &choice, json);
    json_close(json);
  }
  json_close(json);
  glimpse_choice ask = glimpse_planner_choice(decide->planner, GLIMPSE_ANY);
  json_number(json, "request_lower", ask.lower);
  json_number(json, "request_upper", ask.upper);
  if (!decide_estimates(decide)) return;
  json_number(json, "request_value", ask.value);
  json_count(json, "request_visits", ask.visits);
  json_number(json, "value", decide->decision.value);
}

void decide_json(const struct decide *decide, struct json *json) {
  const glimpse_decision *d = &decide->decision;
  json_bool(json, "ask", d->ask);
  json_text(json, "action", d->ask ? NULL : decide_name(decide, d->action));
  if (decide->agent) json_text(json, "inquiry", glimpse_model_inquiry(decide->search.model, d->inquiry).name);
  json_number(json, "lower", d->lower);
  json_number(json, "upper", d->upper);
  json_number(json, "offline_lower", d->offline_lower);
  json_number(json, "offline_upper", d->offline_upper);
  json_number(json, "error_reduction", glimpse_decision_reduction(d));
  json_count(json, "expansions", d->expansions);
  json_count(json, "nodes", d->nodes);
  json_count(json, "corners", d->corners);
  json_number(json, "seconds", decide_seconds(d->seconds));
  json_count(json, "bytes", d->bytes);
  json_text(json, "stop", glimpse_stop_key(d->stop));
  decide_json_choices(decide, json);
  json_settings(decide, json);
}
