/* glimpse check: is the model valid, and if not, where and why? */
#include <stdio.h>

#include "glimpse.h"
#include "json.h"
#include "message.h"
#include "open_model.h"
#include "options.h"
#include "output.h"

static const char *code_name(glimpse_status code) {
  static const char *const names[] = {
#define X(name, text) #name,
      GLIMPSE_STATUS_TABLE(X)
#undef X
  };
  return (size_t)code < sizeof names / sizeof *names ? names[code] : "";
}

static void json_findings(struct json *json, const char *key, const glimpse_report *report, glimpse_severity severity) {
  json_array(json, key);
  for (size_t i = 0; i < glimpse_report_kept(report); i++) {
    const glimpse_message *finding = glimpse_report_get(report, i);
    if (finding->severity != severity) continue;
    json_object(json, NULL);
    if (finding->line) json_count(json, "line", finding->line);
    else json_null(json, "line");
    if (finding->column) json_count(json, "column", finding->column);
    else json_null(json, "column");
    json_text(json, "code", code_name(finding->code));
    json_text(json, "text", finding->text);
    json_close(json);
  }
  json_close(json);
}

static void show_json(const char *spec, bool valid, const glimpse_report *report) {
  struct json json = json_begin();
  json_text(&json, "model", spec);
  json_bool(&json, "valid", valid);
  json_findings(&json, "errors", report, GLIMPSE_ERROR);
  json_findings(&json, "warnings", report, GLIMPSE_WARNING);
  json_count(&json, "error_count", glimpse_report_count(report, GLIMPSE_ERROR));
  json_count(&json, "warning_count", glimpse_report_count(report, GLIMPSE_WARNING));
  json_end(&json);
}

static void show_ok(const char *spec, const glimpse_model *model, const glimpse_report *report) {
  char counts[120];
  size_t warnings = glimpse_report_count(report, GLIMPSE_WARNING);
  open_model_counts(model, counts);
  output_print("ok: %s: %s", spec, counts);
  if (warnings) output_print(", %zu warning%s\n", warnings, warnings == 1 ? "" : "s");
  else output_print(", no warnings\n");
}

static int run(const struct options *options) {
  const char *spec = options->operand[0];
  glimpse_report *report = glimpse_report_new();
  if (!report) return message_no_memory();
  glimpse_model *model = NULL;
  glimpse_status status = open_model_load(spec, options, report, &model);
  /* A machine without memory says nothing about the model. */
  if (options->json && status != GLIMPSE_NO_MEMORY) show_json(spec, !status, report);
  else if (status) open_model_failure(spec, report, status);
  else message_report(report, spec);
  if (!options->json && !status) show_ok(spec, model, report);
  glimpse_model_free(model);
  glimpse_report_free(report);
  return status ? TOOL_FAILED : TOOL_OK;
}

static const struct example examples[] = {
    {"glimpse check rock-sample:n=4,k=4", "built-in environments are checked, too"},
    {"glimpse convert tiger | glimpse check - --strict", "checks what another program writes"},
    {"glimpse check tag --json", "the findings for other programs"},
    {NULL, NULL}};

const struct command command_check = {
    .name = "check",
    .summary = "say whether a model is valid, and where it is not",
    .operands = "MODEL",
    .least = 1,
    .most = 1,
    .text = "Reads MODEL and reports every finding with its file, line and column: errors, which make the model "
            "invalid, and warnings, which do not. One run finds several errors. A valid model gets a line "
            "that begins with \"ok:\" on the standard output and exit status 0, any other exit status 1.\n\n"
            "With --json the findings are part of the object: model, valid, errors and warnings (the first 20 of "
            "each; line and column are null when a finding has no place), error_count, warning_count.",
    .examples = examples,
    .run = run,
};
