/* glimpse bounds: what the optimal value at the start belief lies between. */
#include <math.h>
#include <stdio.h>

#include "common/reasons.h"
#include "glimpse.h"
#include "json.h"
#include "message.h"
#include "open_model.h"
#include "options.h"
#include "output.h"
#include "table.h"

/* A bound at the start belief. */
struct found {
  bool applies;
  double value;
  glimpse_bound_result result;
};

static glimpse_status compute(const glimpse_model *model, const struct options *options, glimpse_report *report,
                              struct found outcomes[GLIMPSE_BOUND_KINDS]) {
  glimpse_bound_options how = {.tolerance = options->tolerance,
                               .max_iterations = options->max_iterations,
                               .max_time = options->max_time,
                               .threads = (unsigned)options->threads};
  for (int kind = 0; kind < GLIMPSE_BOUND_KINDS; kind++) {
    outcomes[kind] = (struct found){0};
    if (!glimpse_bound_applies((glimpse_bound_kind)kind, model)) continue;
    message_progress("computing the bound %s, %d of %d", glimpse_bound_get((glimpse_bound_kind)kind)->key, kind + 1,
                     GLIMPSE_BOUND_KINDS);
    glimpse_bound *bound = NULL;
    glimpse_status status = glimpse_bound_new(model, (glimpse_bound_kind)kind, &how, report, &bound);
    message_progress_end();
    if (status) return status;
    outcomes[kind].applies = true;
    outcomes[kind].value = glimpse_bound_value(bound, glimpse_model_start(model));
    outcomes[kind].result = glimpse_bound_measure(bound);
    glimpse_bound_free(bound);
  }
  return GLIMPSE_OK;
}

static bool all_converged(const struct found outcomes[GLIMPSE_BOUND_KINDS]) {
  for (int kind = 0; kind < GLIMPSE_BOUND_KINDS; kind++)
    if (outcomes[kind].applies && !outcomes[kind].result.converged) return false;
  return true;
}

/* To the nanosecond: what the clock cannot tell is no data. */
static double rounded(double seconds) {
  return floor(seconds * 1e9 + 0.5) / 1e9;
}

/* The keys are part of the interface: exactly these, in this order. */
static void show_json(const char *spec, const glimpse_model *model, const struct found outcomes[GLIMPSE_BOUND_KINDS]) {
  struct json json = json_begin();
  json_text(&json, "model", spec);
  open_model_json(model, &json);
  for (int kind = 0; kind < GLIMPSE_BOUND_KINDS; kind++)
    json_number(&json, glimpse_bound_get((glimpse_bound_kind)kind)->key,
                outcomes[kind].applies ? outcomes[kind].value : (double)NAN);
  json_bool(&json, "converged", all_converged(outcomes));
  json_object(&json, "seconds");
  for (int kind = 0; kind < GLIMPSE_BOUND_KINDS; kind++)
    json_number(&json, glimpse_bound_get((glimpse_bound_kind)kind)->key,
                outcomes[kind].applies ? rounded(outcomes[kind].result.seconds) : (double)NAN);
  json_close(&json);
  json_end(&json);
}

/* Six decimals, no minus before a zero, and not all the digits of a huge number. */
static const char *shown(double value, char text[32]) {
  if (fabs(value) < 5e-7) value = 0;
  snprintf(text, 32, fabs(value) < 1e9 ? "%.6f" : "%.9e", value);
  return text;
}

static void show_row(struct table *table, const glimpse_bound_info *info, const struct found *outcome) {
  char value[32];
  table_cell(table, "%s", info->key);
  table_cell(table, "%s", info->side < 0 ? "lower" : "upper");
  if (outcome->applies) {
    table_cell(table, "%s", shown(outcome->value, value));
    table_cell(table, "%llu%s", (unsigned long long)outcome->result.iterations,
               outcome->result.converged ? "" : ", stopped");
    table_cell(table, "%.3f", outcome->result.seconds);
  } else {
    for (int i = 0; i < 3; i++) table_cell(table, "-");
  }
  table_cell(table, "%s", info->text);
}

/* Largest lower and smallest upper bound. */
static void best(const struct found outcomes[GLIMPSE_BOUND_KINDS], double *low, double *high) {
  *low = -(double)INFINITY;
  *high = (double)INFINITY;
  for (int kind = 0; kind < GLIMPSE_BOUND_KINDS; kind++) {
    const struct found *outcome = &outcomes[kind];
    if (!outcome->applies) continue;
    if (glimpse_bound_get((glimpse_bound_kind)kind)->side < 0) *low = outcome->value > *low ? outcome->value : *low;
    else *high = outcome->value < *high ? outcome->value : *high;
  }
}

static void show_text(const char *spec, const glimpse_model *model, const struct found outcomes[GLIMPSE_BOUND_KINDS]) {
  static const char *const heads[] = {"bound", "side", "value", "iterations", "seconds", "meaning"};
  char counts[120], cost[100], discount[GLIMPSE_NUMBER_SIZE];
  open_model_counts(model, counts);
  reasons_cost(model, cost);
  glimpse_number_write(glimpse_model_discount(model), discount);
  uint32_t inquiries = glimpse_model_inquiries(model);
  output_print("%s: %s, discount %s, ", spec, counts, discount);
  if (inquiries) output_print("%u inquir%s\n\n", inquiries, inquiries == 1 ? "y" : "ies");
  else output_print("request cost %s\n\n", cost);
  struct table table = table_begin("llrrrl");
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) table_cell(&table, "%s", heads[i]);
  for (int kind = 0; kind < GLIMPSE_BOUND_KINDS; kind++)
    show_row(&table, glimpse_bound_get((glimpse_bound_kind)kind), &outcomes[kind]);
  table_end(&table, 0);
  double low, high;
  best(outcomes, &low, &high);
  char from[32], to[32];
  output_print("\nThe optimal value at the start belief lies between %s and %s.\n", shown(low, from), shown(high, to));
  if (open_model_sign(model)) output_print("Note: %s.\n", open_model_sign(model));
}

/* Says why a bound is looser than it could be. */
static void warn(const struct found outcomes[GLIMPSE_BOUND_KINDS]) {
  for (int kind = 0; kind < GLIMPSE_BOUND_KINDS; kind++) {
    const struct found *outcome = &outcomes[kind];
    if (outcome->applies && !outcome->result.iterations)
      message_warning(
          "%s would take too much memory or work for this model, so it is no better than the bound that it starts from",
          glimpse_bound_get((glimpse_bound_kind)kind)->key);
    else if (outcome->applies && !outcome->result.converged)
      message_warning("%s was stopped before it converged: it is valid, but up to %.3g from its limit",
                      glimpse_bound_get((glimpse_bound_kind)kind)->key, outcome->result.error);
  }
}

static int bounds(const struct options *options, const glimpse_model *model, glimpse_report *report) {
  const char *spec = options->operand[0];
  if (open_model_plannable(model, spec)) return TOOL_FAILED;
  struct found outcomes[GLIMPSE_BOUND_KINDS];
  glimpse_status status = compute(model, options, report, outcomes);
  if (status) return message_failure(report, spec, status);
  message_report(report, spec);
  if (options->json) show_json(spec, model, outcomes);
  else show_text(spec, model, outcomes);
  warn(outcomes);
  return TOOL_OK;
}

static int run(const struct options *options) {
  glimpse_model *model = open_model(options);
  if (!model) return TOOL_FAILED;
  glimpse_report *report = glimpse_report_new();
  int status = report ? bounds(options, model, report) : message_no_memory();
  glimpse_report_free(report);
  glimpse_model_free(model);
  return status;
}

static const struct example examples[] = {
    {"glimpse bounds robot-delivery:n=5", "the bounds of a robot that delivers packages"},
    {"glimpse bounds tiger --cost 5", "asking costs 5"},
    {"glimpse bounds tiger --cost off", "the POMDP without requests"},
    {"glimpse bounds tag --json", "one object with the values and the times"},
    {NULL, NULL}};

const struct command command_bounds = {
    .name = "bounds",
    .summary = "compute lower and upper bounds on the optimal value",
    .operands = "MODEL",
    .least = 1,
    .most = 1,
    .text =
        "Computes each bound on the optimal value at the start belief of MODEL. A lower bound is the value of "
        "a simple policy. An upper bound solves an easier problem, in which the agent learns more than it really "
        "does. Both are valid whenever their iteration stops; a warning says when it stopped early. A bound that is "
        "not valid for the model is left out: some hold only where the agent may ask, others only where it may "
        "not.\n\n"
        "With --json: model, states, actions, observations, discount, cost (null when the agent may not ask, "
        "an array when the price depends on the state), one number for each bound of the table (null where it "
        "does not apply), converged (true when all have) and seconds (an object with one number per bound).",
    .examples = examples,
    .run = run,
};
