/* glimpse solve: a policy for the start of a model, with a proven gap. */
#include <float.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "glimpse.h"
#include "interrupt.h"
#include "json.h"
#include "message.h"
#include "open_model.h"
#include "options.h"
#include "output.h"
#include "search.h"

struct solving {
  const struct options *options;
  bool headed; /* the table of progress has its heads */
  bool quiet;  /* nothing but the policy goes to the standard output */
  double shown;
};

/* ---------------------------------------------------------------- progress */

static const char *number(double value, char text[32]) {
  if (!isfinite(value)) snprintf(text, 32, "-");
  else snprintf(text, 32, fabs(value) < 1e9 ? "%.6f" : "%.6e", value);
  return text;
}

static void json_progress(const glimpse_solve_progress *p) {
  struct json json = json_begin_line(output_sink, NULL);
  json_text(&json, "phase", p->proving ? "certificate" : "search");
  json_number(&json, "seconds", p->seconds);
  json_count(&json, "expansions", p->expansions);
  json_number(&json, "lower", p->lower);
  json_number(&json, "upper", p->upper);
  json_number(&json, "certified_upper", p->proved);
  json_count(&json, "nodes", p->nodes);
  json_count(&json, "bytes", p->bytes);
  json_end(&json);
  output_flush();
}

static void print_progress(struct solving *it, const glimpse_solve_progress *p) {
  char lower[32], upper[32], gap[32];
  double top = p->proving ? p->proved : p->upper;
  if (!it->headed)
    output_print("%9s  %11s  %13s  %13s  %13s  %9s  %7s\n", "seconds", "expansions", "lower", "upper", "gap", "nodes",
                 "MB");
  it->headed = true;
  output_print("%9.2f  %11llu  %13s  %13s  %13s  %9llu  %7.1f%s\n", p->seconds, (unsigned long long)p->expansions,
               number(p->lower, lower), number(top, upper), number(top - p->lower, gap), (unsigned long long)p->nodes,
               (double)p->bytes / 1e6, p->proving ? "  certificate" : "");
  output_flush();
}

/* At first often, then once a second, then a line for a tenth more time. */
static bool due(struct solving *it, double seconds) {
  double next = it->shown < 1 ? 0.25 : it->shown < 10 ? 1 : it->shown / 10;
  if (it->headed && seconds - it->shown < next) return false;
  it->shown = seconds;
  return true;
}

static void show_progress(void *context, const glimpse_solve_progress *progress) {
  struct solving *it = context;
  if (it->quiet || !due(it, progress->seconds)) return;
  if (it->options->json) {
    it->headed = true;
    json_progress(progress);
  } else {
    print_progress(it, progress);
  }
}

/* ------------------------------------------------------------------ result */

static void show_json(const struct options *options, const glimpse_policy_info *info,
                      const glimpse_solve_result *result) {
  struct json json = json_begin_line(output_sink, NULL);
  json_text(&json, "phase", "done");
  json_text(&json, "model", options->operand[0]);
  json_text(&json, "file", options->output);
  json_text(&json, "stop", glimpse_stop_key(result->stop));
  json_number(&json, "lower", info->lower);
  json_number(&json, "upper", info->upper);
  json_number(&json, "search_lower", result->progress.lower);
  json_number(&json, "search_upper", result->progress.upper);
  json_number(&json, "requests", info->requests);
  json_number(&json, "residual", result->residual);
  json_count(&json, "policy_nodes", info->nodes);
  json_count(&json, "policy_edges", info->edges);
  json_count(&json, "policy_depth", info->depth);
  json_count(&json, "points", info->points);
  json_count(&json, "expansions", result->progress.expansions);
  json_number(&json, "seconds", result->progress.seconds);
  json_count(&json, "bytes", result->progress.bytes);
  json_end(&json);
}

static const char *why(glimpse_stop stop) {
  switch (stop) {
#define X(name, key, text)                                                                                             \
  case GLIMPSE_STOP_##name: return text;
    GLIMPSE_STOP_TABLE(X)
#undef X
  }
  return "?";
}

static void show_text(const struct options *options, const glimpse_model *model, const glimpse_policy_info *info,
                      const glimpse_solve_result *result) {
  char lower[32], upper[32], gap[32];
  double size = fmin(fabs(info->lower), fabs(info->upper));
  output_print("\nvalue     between %s and %s", number(info->lower, lower), number(info->upper, upper));
  output_print(", gap %s", number(info->upper - info->lower, gap));
  if (size > 0 && isfinite(info->upper)) output_print(" (%.3g %%)", 100 * (info->upper - info->lower) / size);
  output_print("\npolicy    %lu node%s, %llu edge%s, depth %lu", (unsigned long)info->nodes,
               info->nodes == 1 ? "" : "s", (unsigned long long)info->edges, info->edges == 1 ? "" : "s",
               (unsigned long)info->depth);
  if (glimpse_model_requests(model) || glimpse_model_inquiries(model))
    output_print("; it asks %.4g times, discounted", info->requests);
  output_print("\nlower     what the policy earns, from its equations; the largest error of one is %.2g\n",
               result->residual);
  output_print("upper     proved by %llu belief%s and all known states; the search alone has %s\n",
               (unsigned long long)info->points, info->points == 1 ? "" : "s", number(result->progress.upper, upper));
  output_print("stop      %s: %s\n", glimpse_stop_key(result->stop), why(result->stop));
  output_print("effort    %llu expansion%s, %.2f s, %.1f MB\n", (unsigned long long)result->progress.expansions,
               result->progress.expansions == 1 ? "" : "s", result->progress.seconds,
               (double)result->progress.bytes / 1e6);
  output_print("file      %s\n", options->output ? options->output : "none; '-o FILE' writes the policy");
  if (open_model_sign(model)) output_print("Note: %s.\n", open_model_sign(model));
}

/* The file is whole at every moment; signals wait until it is. */
static int write_policy(const struct options *options, const glimpse_policy *policy, glimpse_report *report) {
  if (!options->output) return TOOL_OK;
  if (!strcmp(options->output, "-")) {
    glimpse_status status = glimpse_policy_write(policy, output_sink, NULL);
    return !status || output_failed() ? TOOL_OK : message_failure(report, "glimpse", status);
  }
  glimpse_status status = glimpse_policy_write_file(policy, options->output, report);
  return status ? message_failure(report, options->output, status) : TOOL_OK;
}

static int finish(const struct options *options, const glimpse_model *model, const glimpse_policy *policy,
                  const glimpse_solve_result *result, bool quiet, glimpse_report *report) {
  glimpse_policy_info info = glimpse_policy_measure(policy);
  int status = write_policy(options, policy, report);
  if (status) return status;
  if (!quiet && options->json) show_json(options, &info, result);
  else if (!quiet) show_text(options, model, &info, result);
  if (result->refused) search_warn_refused();
  else if (result->stop == GLIMPSE_STOP_MEMORY)
    message_warning("the memory limit is what ended it; '--max-memory SIZE' allows more");
  return TOOL_OK;
}

static int solve(const struct options *options, const glimpse_model *model, glimpse_report *report) {
  bool quiet = options->output && !strcmp(options->output, "-");
  struct solving it = {.options = options, .quiet = quiet};
  bool told = options->given[OPTION_epsilon] || options->given[OPTION_relative];
  bool never = told && !(options->epsilon > 0) && !(options->relative > 0); /* for the library 0 is the default */
  glimpse_solve_options how = {.epsilon = never ? DBL_MIN : options->epsilon,
                               .relative = options->relative,
                               .time = options->given[OPTION_time] ? options->time : 0,
                               .expansions = options->expansions,
                               .max_memory = options->max_memory,
                               .jobs = (unsigned)options->jobs,
                               .interrupt = interrupt_catch(),
                               .progress = show_progress,
                               .context = &it};
  glimpse_solve_result result;
  glimpse_policy *policy = NULL;
  glimpse_status status = glimpse_policy_solve(model, options->operand[0], &how, report, &result, &policy);
  if (status) {
    message_failure(report, options->operand[0], status);
    if (status == GLIMPSE_NO_MEMORY) message_hint("the limit of '--max-memory' may be too small for this model");
    return TOOL_FAILED;
  }
  int done = finish(options, model, policy, &result, quiet, report);
  glimpse_policy_free(policy);
  return done;
}

static int run(const struct options *options) {
  if (options->json && options->output && !strcmp(options->output, "-"))
    return message_usage(&command_solve, "'--json' and '-o -' would both go to the standard output; use '-o FILE'");
  glimpse_model *model = open_model(options);
  if (!model) return TOOL_FAILED;
  glimpse_report *report = glimpse_report_new();
  int status = !report                                            ? message_no_memory()
               : open_model_plannable(model, options->operand[0]) ? TOOL_FAILED
                                                                  : solve(options, model, report);
  glimpse_report_free(report);
  glimpse_model_free(model);
  return interrupt_status(status);
}

static const struct example examples[] = {
    {"glimpse solve tiger", "to 1 % of the value"},
    {"glimpse solve robot-delivery:n=3 --relative 0.001 -o robot.policy", "to 0.1 %, and keep the policy"},
    {"glimpse solve rock-sample:n=4,k=4 --cost off --time 10 --json", "for other programs, a line per moment"},
    {NULL, NULL}};

const struct command command_solve = {
    .name = "solve",
    .summary = "find a policy and prove how good it is",
    .operands = "MODEL",
    .least = 1,
    .most = 1,
    .text = "Searches from the start of MODEL until the bounds on its value are within 1 % of it, or within --epsilon "
            "or --relative, or until --time, --expansions or --max-memory is used up. Ctrl-C ends the search with the "
            "best policy so far; its upper bound may take five seconds more.\n\n"
            "The result is a policy: a finite controller, which needs no belief and no search. Its nodes say what to "
            "do, and what is seen leads from node to node. With it comes a certificate: a lower bound, which is what "
            "the controller earns, computed from its equations, and an upper bound with the numbers that prove it. "
            "'glimpse verify' checks both. -o writes policy and certificate to a file.\n\n"
            "While it works it prints time, expansions, bounds, gap, nodes and memory of the search, then the "
            "upper bound of the certificate as it falls.\n\n"
            "With --json: one object per line. Those with the phase search and certificate have seconds, expansions, "
            "lower, upper, certified_upper, nodes and bytes; the last, with the phase done, has model, file, stop, "
            "lower and upper of the certificate, search_lower, search_upper, requests (expected, discounted), "
            "residual, policy_nodes, policy_edges, policy_depth, points, expansions, seconds and bytes.",
    .examples = examples,
    .run = run,
};
