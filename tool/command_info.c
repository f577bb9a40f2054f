/* glimpse info: what a model is; without one, which environments are built in. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/reasons.h"
#include "glimpse.h"
#include "json.h"
#include "manual.h"
#include "message.h"
#include "open_model.h"
#include "options.h"
#include "output.h"
#include "picture.h"
#include "table.h"

/* ------------------------------------------------------------ environments */

static void json_environments(void) {
  struct json json = json_begin();
  json_array(&json, "environments");
  const glimpse_environment *environment;
  for (size_t i = 0; (environment = glimpse_environment_get(i)); i++) {
    json_object(&json, NULL);
    json_text(&json, "name", environment->name);
    json_text(&json, "text", environment->text);
    json_array(&json, "parameters");
    for (const glimpse_parameter *p = environment->parameters; p && p->key; p++) {
      json_object(&json, NULL);
      json_text(&json, "key", p->key);
      json_text(&json, "default", p->value);
      json_text(&json, "text", p->text);
      json_close(&json);
    }
    json_close(&json);
    json_close(&json);
  }
  json_close(&json);
  json_end(&json);
}

/* ------------------------------------------------------------------- facts */

/* What is computed about a model before anything is printed. */
struct facts {
  glimpse_model_sizes sizes;
  double entropy;     /* of the start, in bits */
  const char *reason; /* why it cannot be planned on; NULL when it can */
  char *picture;      /* NULL: none was asked for */
};

/* The belief that --draw and --state ask for.  TOOL_OK, or TOOL_FAILED after a message
 * when there is no such state. */
static int drawn_belief(const struct options *options, const glimpse_model *model, uint32_t *s, double *one,
                        glimpse_row *belief) {
  *belief = glimpse_model_start(model);
  if (!options->state) return TOOL_OK;
  *one = 1;
  *belief = (glimpse_row){1, s, one};
  return open_model_state(model, options->operand[0], options->state, s);
}

static int draw(const struct options *options, const glimpse_model *model, struct facts *facts) {
  uint32_t s;
  double one;
  glimpse_row belief;
  if (drawn_belief(options, model, &s, &one, &belief)) return TOOL_FAILED;
  glimpse_status status;
  facts->picture = picture_draw(model, belief, &status);
  if (status == GLIMPSE_NOT_APPLICABLE)
    return message_error_in(options->operand[0], "there is no picture of this model, only of grid environments");
  return status ? message_no_memory() : TOOL_OK;
}

/* The report must outlive the facts. */
static int find_facts(const struct options *options, const glimpse_model *model, glimpse_report *report,
                      struct facts *facts) {
  facts->sizes = glimpse_model_measure(model);
  glimpse_belief *start = glimpse_belief_new(model);
  if (!start) return message_no_memory();
  facts->entropy = glimpse_belief_entropy(start);
  glimpse_belief_free(start);
  glimpse_status status = glimpse_model_plannable(model, report);
  const glimpse_message *why = glimpse_report_get(report, 0);
  if (status) facts->reason = why ? why->text : glimpse_status_text(status);
  return options->draw || options->state ? draw(options, model, facts) : TOOL_OK;
}

/* -------------------------------------------------------------------- JSON */

static void json_names(struct json *json, const char *key, const glimpse_model *model, glimpse_kind kind) {
  if (!glimpse_model_named(model, kind)) {
    json_null(json, key);
    return;
  }
  json_array_flat(json, key);
  for (uint32_t i = 0; i < glimpse_model_count(model, kind); i++)
    json_text(json, NULL, glimpse_model_name(model, kind, i));
  json_close(json);
}

static void json_inquiries(struct json *json, const glimpse_model *model) {
  if (glimpse_model_planning(model) == model) return;
  glimpse_limits limits = glimpse_model_limits(model);
  json_array(json, "inquiries");
  for (uint32_t i = 0; i < glimpse_model_inquiries(model); i++) {
    glimpse_inquiry inquiry = glimpse_model_inquiry(model, i);
    json_object(json, NULL);
    json_text(json, "name", inquiry.name);
    json_text(json, "timing", glimpse_timing_key(inquiry.timing));
    if (glimpse_model_inquiry_price_uniform(model, i))
      json_number(json, "price", glimpse_model_inquiry_price(model, i, 0));
    else json_null(json, "price");
    json_array_flat(json, "answers");
    for (uint32_t z = 0; z < inquiry.answers; z++) json_text(json, NULL, glimpse_model_answer_name(model, i, z));
    json_close(json);
    json_close(json);
  }
  json_close(json);
  json_count(json, "per_step", limits.per_step ? limits.per_step : 1);
  json_count(json, "most_requests", limits.requests);
  json_count(json, "horizon", limits.horizon);
  json_count(json, "planning_states", glimpse_model_count(glimpse_model_planning(model), GLIMPSE_STATE));
}

static void show_json(const char *spec, const glimpse_model *model, const struct facts *facts) {
  struct json json = json_begin();
  json_text(&json, "model", spec);
  open_model_json(model, &json);
  json_names(&json, "action_names", model, GLIMPSE_ACTION);
  json_names(&json, "observation_names", model, GLIMPSE_OBSERVATION);
  json_inquiries(&json, model);
  json_count(&json, "transition_entries", facts->sizes.transitions);
  json_count(&json, "observation_entries", facts->sizes.observations);
  json_count(&json, "reward_entries", facts->sizes.rewards);
  json_count(&json, "start_states", glimpse_model_start(model).count);
  json_number(&json, "start_entropy", facts->entropy);
  json_count(&json, "terminal_states", facts->sizes.terminals);
  json_count(&json, "bytes", facts->sizes.bytes);
  json_bool(&json, "plannable", !facts->reason);
  json_text(&json, "reason", facts->reason);
  if (facts->picture) picture_json(&json, "picture", facts->picture);
  json_end(&json);
}

/* -------------------------------------------------------------------- text */

/* A count and, if there are names, as many of them as fit on the line. */
static void show_names(const char *label, const glimpse_model *model, glimpse_kind kind) {
  enum { WIDTH = 79, REST = 22 }; /* REST: room for what stands for the others */
  uint32_t count = glimpse_model_count(model, kind), i = 0;
  char line[WIDTH + 1];
  size_t used = (size_t)snprintf(line, sizeof line, "%-14s%u", label, count);
  for (; glimpse_model_named(model, kind) && i < count; i++) {
    const char *name = glimpse_model_name(model, kind, i);
    size_t room = WIDTH - used - (i + 1 < count ? REST : 0);
    if (strlen(name) + 2 > room) break;
    used += (size_t)snprintf(line + used, sizeof line - used, "%s%s", i ? ", " : ": ", name);
  }
  if (i > 0 && i < count) output_print("%s, ... (%u more)\n", line, count - i);
  else output_print("%s\n", line);
}

static void show_bytes(uint64_t bytes) {
  static const char *const units[] = {"bytes", "kB", "MB", "GB"};
  double size = (double)bytes;
  size_t unit = 0;
  for (; size >= 1000 && unit < 3; unit++) size /= 1000;
  output_print("%-14s%.*f %s\n", "memory", unit && size < 100, size, units[unit]);
}

/* A line for each inquiry and limit, and what planning makes of them. */
static void show_inquiries(const glimpse_model *model) {
  if (glimpse_model_planning(model) == model) return;
  for (uint32_t i = 0; i < glimpse_model_inquiries(model); i++) {
    glimpse_inquiry inquiry = glimpse_model_inquiry(model, i);
    char price[GLIMPSE_NUMBER_SIZE];
    glimpse_number_write(glimpse_model_inquiry_price(model, i, 0), price);
    bool uniform = glimpse_model_inquiry_price_uniform(model, i);
    output_print("%-14s%s: %s, price %s, %u answers%s%s%s\n", "inquiry", inquiry.name,
                 glimpse_timing_key(inquiry.timing), uniform ? price : "by state", inquiry.answers,
                 inquiry.state ? " (the state)" : "", inquiry.nothing != GLIMPSE_ANY ? ", may fail" : "",
                 inquiry.effect ? ", changes the state" : "");
  }
  glimpse_limits limits = glimpse_model_limits(model);
  if (limits.per_step > 1) output_print("%-14s%u before an action\n", "limit", limits.per_step);
  if (limits.requests) output_print("%-14s%u requests in an episode\n", "limit", limits.requests);
  if (limits.horizon) output_print("%-14s%u steps\n", "horizon", limits.horizon);
  output_print("%-14s%u states\n", "planned on", glimpse_model_count(glimpse_model_planning(model), GLIMPSE_STATE));
}

static void show_text(const char *spec, const glimpse_model *model, const struct facts *facts) {
  char cost[100], discount[GLIMPSE_NUMBER_SIZE];
  glimpse_row start = glimpse_model_start(model);
  reasons_cost(model, cost);
  glimpse_number_write(glimpse_model_discount(model), discount);
  output_print("%-14s%s\n", "model", spec);
  show_names("states", model, GLIMPSE_STATE);
  show_names("actions", model, GLIMPSE_ACTION);
  show_names("observations", model, GLIMPSE_OBSERVATION);
  output_print("%-14s%llu transitions, %llu observations, %llu rewards\n", "non-zeros",
               (unsigned long long)facts->sizes.transitions, (unsigned long long)facts->sizes.observations,
               (unsigned long long)facts->sizes.rewards);
  output_print("%-14s%s\n", "discount", discount);
  if (!glimpse_model_inquiries(model)) output_print("%-14s%s\n", "request cost", cost);
  show_inquiries(model);
  if (open_model_sign(model)) output_print("%-14s%s\n", "note", open_model_sign(model));
  if (start.count == 1) output_print("%-14s%s\n", "start", glimpse_model_name(model, GLIMPSE_STATE, start.index[0]));
  else output_print("%-14s%zu states, entropy %.3f bits\n", "start", start.count, facts->entropy);
  output_print("%-14s%u\n", "terminal", facts->sizes.terminals);
  show_bytes(facts->sizes.bytes);
  output_print("%-14s%s%s\n", "planning", facts->reason ? "not possible: " : "possible",
               facts->reason ? facts->reason : "");
  if (facts->picture) output_print("\n%s", facts->picture);
}

static int run(const struct options *options) {
  if (!options->operands) {
    for (size_t i = 0; i < OPTION_COUNT; i++)
      if (options->given[i] && i != OPTION_json)
        return message_usage(&command_info, "'--%s' needs a MODEL", option_get(i)->name);
    if (options->json) json_environments();
    else manual_environments();
    return TOOL_OK;
  }
  glimpse_model *model = open_model(options);
  if (!model) return TOOL_FAILED;
  glimpse_report *report = glimpse_report_new();
  struct facts facts = {0};
  int status = report ? find_facts(options, model, report, &facts) : message_no_memory();
  if (!status && options->json) show_json(options->operand[0], model, &facts);
  else if (!status) show_text(options->operand[0], model, &facts);
  free(facts.picture);
  glimpse_report_free(report);
  glimpse_model_free(model);
  return status;
}

static const struct example examples[] = {
    {"glimpse info", "lists the built-in environments with their parameters"},
    {"glimpse info robot-delivery:n=5 --draw", "numbers and a picture of the start"},
    {"glimpse info tag --state 0", "draws one state"},
    {"glimpse info tiger --json", "the same for other programs"},
    {NULL, NULL}};

const struct command command_info = {
    .name = "info",
    .summary = "show what a model is, or list the built-in environments",
    .operands = "[MODEL]",
    .least = 0,
    .most = 1,
    .text = "Shows sizes, names, discount, price of asking, start belief, terminal states and memory of MODEL, and "
            "whether it can be planned on. Without MODEL it lists the built-in environments, their parameters "
            "and the defaults.\n\n"
            "With --json: model, states, actions, observations, discount, cost (null when the agent may not ask, "
            "an array when the price depends on the state), action_names and observation_names (null when there "
            "are none), transition_entries, observation_entries, reward_entries, start_states, start_entropy (in "
            "bits), terminal_states, bytes, plannable, reason (null, or why not), and picture (an array of lines) "
            "when one was asked for.",
    .examples = examples,
    .run = run,
};
