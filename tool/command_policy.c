/* glimpse policy: shows a policy, or writes it as others read it. */
#include <string.h>

#include "common/text.h"
#include "glimpse.h"
#include "message.h"
#include "open_model.h"
#include "open_policy.h"
#include "options.h"
#include "output.h"
#include "policy_format.h"
#include "save.h"

enum format { FORMAT_TEXT, FORMAT_C, FORMAT_ALPHA, FORMAT_PG, FORMAT_APPL, FORMAT_DOT, FORMAT_JSON };

static bool asks(const glimpse_policy *policy) {
  for (uint32_t n = 0; n < glimpse_policy_measure(policy).nodes; n++)
    if (glimpse_policy_choice(policy, n) == GLIMPSE_ANY) return true;
  return false;
}

static int save(const struct options *options, const struct text *out) {
  if (out->failed) return message_no_memory();
  if (options->output && strcmp(options->output, "-") != 0)
    return save_file(options->output, text_string(out), out->length);
  output_text(text_string(out), out->length);
  return TOOL_OK;
}

static int write_it(const struct options *options, const struct policy_format *job, enum format format) {
  static int (*const writers[])(const struct policy_format *) = {policy_text, policy_c,   policy_alpha, policy_pg,
                                                                 policy_appl, policy_dot, policy_json};
  struct text out = {NULL, 0, 0, false};
  struct policy_format it = *job;
  it.out = &out;
  int status = writers[format](&it);
  if (!status) status = save(options, &out);
  text_free(&out);
  return status;
}

/* Where the model has requests others know the equivalent POMDP alone. */
static int write_equivalent(const struct options *options, const struct policy_format *job, enum format format,
                            glimpse_report *report) {
  struct policy_format it = *job;
  glimpse_model *model = NULL;
  glimpse_policy *policy = NULL;
  glimpse_status status = glimpse_model_equivalent(job->model, report, &model);
  if (!status) status = glimpse_policy_equivalent(job->policy, model, report, &policy);
  int result = status ? message_failure(report, job->file, status) : TOOL_OK;
  it.model = model;
  it.policy = policy;
  if (!result) result = write_it(options, &it, format);
  if (!result)
    message_hint("this is a policy of the equivalent POMDP, which 'glimpse convert %s --equivalent' writes",
                 options->model);
  glimpse_policy_free(policy);
  glimpse_model_free(model);
  return result;
}

/* TOOL_OK, or an exit status after a message: what the format needs is there. */
static int check(const struct options *options, const struct policy_format *job, enum format format) {
  static const char *const names[] = {"text", "c", "alpha", "pg", "appl", "dot", "json"};
  bool values = format == FORMAT_ALPHA || format == FORMAT_APPL;
  if (values && !job->model)
    return message_usage(options->command, "'--format %s' tells values, for which it needs '--model MODEL'",
                         names[format]);
  if (format == FORMAT_PG && !job->model && asks(job->policy))
    return message_usage(options->command, "the policy asks for the state, which .pg files cannot say; with '--model "
                                           "MODEL' it is written for the equivalent POMDP");
  return job->model ? open_policy_check(job->policy, job->model, job->file, options->model) : TOOL_OK;
}

static int show(const struct options *options, struct policy_format *job, glimpse_report *report) {
  enum format format = options->json ? FORMAT_JSON : (enum format)options->policy_format;
  int status = check(options, job, format);
  if (status) return status;
  bool foreign = format == FORMAT_ALPHA || format == FORMAT_APPL || format == FORMAT_PG;
  if (foreign && job->model && glimpse_model_requests(job->model))
    return write_equivalent(options, job, format, report);
  return write_it(options, job, format);
}

static int run(const struct options *options) {
  if (options->json && options->given[OPTION_policy_format] && options->policy_format != FORMAT_JSON)
    return message_usage(options->command, "'--json' is '--format json'; give one of them");
  struct policy_format job = {.file = options->operand[0]};
  glimpse_model *model = options->model ? open_model_named(options, options->model) : NULL;
  if (options->model && !model) return TOOL_FAILED;
  glimpse_policy *policy = open_policy(job.file, model);
  int status = policy ? TOOL_OK : TOOL_FAILED;
  glimpse_report *report = glimpse_report_new();
  job.policy = policy;
  job.model = model;
  if (!report && !status) status = message_no_memory();
  if (!status) status = show(options, &job, report);
  glimpse_report_free(report);
  glimpse_model_free(model);
  glimpse_policy_free(policy);
  return status;
}

static const struct example examples[] = {
    {"glimpse solve tiger -o tiger.policy", "makes a policy"},
    {"glimpse policy tiger.policy", "shows it"},
    {"glimpse policy tiger.policy --format c -o tiger_policy.c", "tables for a program that has no library"},
    {"glimpse policy tiger.policy --format dot | dot -Tsvg -o tiger.svg", "a picture (needs Graphviz)"},
    {"glimpse policy tiger.policy --format json -o tiger.json", "everything, for other programs"},
    {NULL, NULL}};

const struct command command_policy = {
    .name = "policy",
    .summary = "show a policy, or write it for other programs",
    .operands = "FILE",
    .least = 1,
    .most = 1,
    .text =
        "Reads a policy that 'glimpse solve' wrote and shows it: its size, its certificate, and for each node what it "
        "does and where it leads.\n\n"
        "A policy of a model with inquiries has actions that ask; with --model MODEL the text says what each node "
        "does: "
        "act, ask something, or act without asking.\n\n"
        "With --format c it becomes a file of C99 without any dependency: tables of the smallest types that hold them, "
        "policy_choice() and policy_step().\n\n"
        "alpha, pg and appl are for models without requests. Where the model has requests, --model MODEL makes it a "
        "policy of the equivalent POMDP, which 'glimpse convert MODEL --equivalent' writes.\n\n"
        "With --json or --format json: model (null: none), digest, version, states, actions and observations (their "
        "names), start (pairs of state and probability), lower, upper, requests, edges, depth, nodes (each with its "
        "action, null where it asks, and its edges as pairs of what is seen and the next node), corners (per state a "
        "number per action, null where there is none) and points (belief and values), both null without an upper "
        "function.\n\n"
        "FILE may also hold vectors that pomdp-solve (.alpha) or SARSOP (XML) wrote, with --model MODEL: they become a "
        "controller, with edges as they are met from the start on.",
    .examples = examples,
    .run = run,
};
