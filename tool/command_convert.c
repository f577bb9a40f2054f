/* glimpse convert: writes a model as a .pomdp file. */
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

#include "glimpse.h"
#include "json.h"
#include "message.h"
#include "open_model.h"
#include "options.h"
#include "output.h"

/* The library writes beside the file and renames, so the file is whole at every
 * moment; a signal that has to wait until then leaves no stray file either.  Only
 * a pipe or a device, written to directly, may keep us waiting: no signal waits
 * for those. */
static glimpse_status write_file(const glimpse_model *model, const char *path, glimpse_report *report) {
  struct stat old;
  sigset_t waiting, before;
  sigemptyset(&waiting);
  if (stat(path, &old) || S_ISREG(old.st_mode)) {
    sigaddset(&waiting, SIGINT);
    sigaddset(&waiting, SIGTERM);
    sigaddset(&waiting, SIGHUP);
  }
  pthread_sigmask(SIG_BLOCK, &waiting, &before);
  message_progress("writing %s", path);
  glimpse_status status = glimpse_pomdp_write_file(model, path, report);
  message_progress_end();
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return status;
}

static void show_json(const struct options *options, const glimpse_model *model) {
  glimpse_model_sizes sizes = glimpse_model_measure(model);
  struct json json = json_begin();
  json_text(&json, "model", options->operand[0]);
  json_text(&json, "file", options->output);
  json_bool(&json, "equivalent", options->equivalent);
  open_model_json(model, &json);
  json_count(&json, "transition_entries", sizes.transitions);
  json_count(&json, "observation_entries", sizes.observations);
  json_count(&json, "reward_entries", sizes.rewards);
  json_end(&json);
}

/* Writes where the options say. */
static int write_model(const struct options *options, const glimpse_model *model, glimpse_report *report) {
  if (!options->output || !strcmp(options->output, "-")) {
    glimpse_status status = glimpse_pomdp_write(model, output_sink, NULL);
    /* A failure of the output itself is reported at the end of the program. */
    if (!status || output_failed()) return TOOL_OK;
    return message_failure(report, "glimpse", status);
  }
  glimpse_status status = write_file(model, options->output, report);
  if (status) return message_failure(report, options->output, status);
  if (options->json) show_json(options, model);
  return TOOL_OK;
}

static int convert(const struct options *options, glimpse_model **model, glimpse_report *report) {
  if (options->equivalent) {
    glimpse_model *equivalent = NULL;
    glimpse_status status = glimpse_model_equivalent(*model, report, &equivalent);
    if (status) {
      message_failure(report, options->operand[0], status);
      if (status == GLIMPSE_NOT_APPLICABLE) message_hint("'--cost NUMBER' gives the model a price of asking");
      return TOOL_FAILED;
    }
    glimpse_model_free(*model);
    *model = equivalent;
  }
  return write_model(options, *model, report);
}

static int run(const struct options *options) {
  if (options->json && (!options->output || !strcmp(options->output, "-")))
    return message_usage(&command_convert, "'--json' needs '-o FILE', because both would go to the standard output");
  glimpse_model *model = open_model(options);
  if (!model) return TOOL_FAILED;
  glimpse_report *report = glimpse_report_new();
  int status = report ? convert(options, &model, report) : message_no_memory();
  glimpse_report_free(report);
  glimpse_model_free(model);
  return status;
}

static const struct example examples[] = {
    {"glimpse convert tiger", "shows the tiger problem as a .pomdp file"},
    {"glimpse convert robot-delivery:n=3,f=0.2 -o delivery.pomdp", "writes an environment to a file"},
    {"glimpse convert delivery.pomdp --cost 0.5 -o costly.pomdp", "the same model at another price"},
    {"glimpse convert costly.pomdp --equivalent -o plain.pomdp", "for a solver that does not know requests"},
    {NULL, NULL}};

const struct command command_convert = {
    .name = "convert",
    .summary = "write a model as a .pomdp file",
    .operands = "MODEL",
    .least = 1,
    .most = 1,
    .text = "Writes MODEL in Cassandra's .pomdp format to the standard output or to a file. Read again, it is the "
            "same model, bit for bit. The price of asking is in a comment that other programs ignore.\n\n"
            "With --equivalent every step becomes a request phase and an action phase, and the discount its square "
            "root; the value of this model is that of the original times the square root of the original's "
            "discount.\n\n"
            "With --json, which needs -o, the standard output gets a summary of what was written: model, file, "
            "equivalent, states, actions, observations, discount, cost, transition_entries, observation_entries, "
            "reward_entries.",
    .examples = examples,
    .run = run,
};
