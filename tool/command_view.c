/* glimpse view: the page of 'make page' with a model, a recording or a policy inside, and a browser that shows it.
 *
 * The page is one HTML file with everything in it.  What is to be shown goes into an element that is there for it; a
 * '<' never stands there as such, so that no text can end the element.  Everything is read and checked here first, so
 * that a mistake is told where it was made. */
#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "json.h"
#include "message.h"
#include "open_model.h"
#include "open_policy.h"
#include "options.h"
#include "output.h"
#include "record.h"
#include "save.h"

#ifndef GLIMPSE_PAGE_INSTALLED
#define GLIMPSE_PAGE_INSTALLED ""
#endif
#ifndef GLIMPSE_PAGE_BUILT
#define GLIMPSE_PAGE_BUILT ""
#endif

extern char **environ;

static const char slot[] = "<script type=\"application/json\" id=\"glimpse-data\">null</script>";

/* --------------------------------------------------------------------- page */

static bool read_text(const char *path, struct text *text) {
  char *raw = NULL;
  size_t length = 0;
  glimpse_report *report = glimpse_report_new();
  glimpse_status status = report ? glimpse_text_read(path, report, &raw, &length) : GLIMPSE_NO_MEMORY;
  if (!status) text_add(text, raw, length);
  glimpse_text_free(raw);
  if (!status && text->failed) status = GLIMPSE_NO_MEMORY;
  if (status) message_failure(report, path, status);
  glimpse_report_free(report);
  return !status;
}

/* Where the page is: as GLIMPSE_PAGE says, installed, or built. */
static const char *find_page(void) {
  const char *wish = getenv("GLIMPSE_PAGE");
  if (wish && *wish) return wish;
  static const char *const places[] = {GLIMPSE_PAGE_INSTALLED, GLIMPSE_PAGE_BUILT};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    FILE *file = *places[i] ? fopen(places[i], "r") : NULL;
    if (!file) continue;
    fclose(file);
    return places[i];
  }
  return NULL;
}

/* --------------------------------------------------------------------- data */

static int put_model(const struct options *options, struct json *json) {
  const char *spec = options->operand[0];
  glimpse_model *model = open_model(options);
  int result = model ? open_model_plannable(model, spec) : TOOL_FAILED;
  struct text file = {0};
  /* Other prices of inquiries are part of the model. */
  bool changed = options->given[OPTION_cost] && model && glimpse_model_inquiries(model);
  if (!result && glimpse_environment_find(spec) && !changed) {
    json_text(json, "spec", spec);
    if (options->given[OPTION_cost] && glimpse_model_requests(model))
      json_number(json, "cost", glimpse_model_cost(model, 0));
  } else if (!result) {
    const char *slash = strrchr(spec, '/');
    if (glimpse_pomdp_write(model, text_sink, &file) || file.failed) result = message_no_memory();
    else {
      json_text(json, "file", text_string(&file));
      json_text(json, "name", slash ? slash + 1 : spec);
    }
  }
  text_free(&file);
  glimpse_model_free(model);
  return result;
}

/* The text of a file that has been checked. */
static int put_file(const char *path, const char *key, struct json *json) {
  struct text text = {0};
  bool good = read_text(path, &text);
  if (good) json_text(json, key, text_string(&text));
  text_free(&text);
  return good ? TOOL_OK : TOOL_FAILED;
}

static int put_record(const struct options *options, struct json *json) {
  struct recording recording;
  int result = recording_read(&recording, options->record);
  recording_free(&recording);
  return result ? result : put_file(options->record, "record", json);
}

static int put_policy(const struct options *options, struct json *json) {
  struct text text = {0};
  glimpse_policy *policy = open_policy(options->policy, NULL);
  if (!policy) return TOOL_FAILED;
  bool whole = !glimpse_policy_write(policy, text_sink, &text) && !text.failed;
  if (whole) json_text(json, "policy", text_string(&text));
  text_free(&text);
  glimpse_policy_free(policy);
  return whole ? TOOL_OK : message_no_memory();
}

/* What is to be shown, as JSON without any '<'. */
static int make_data(const struct options *options, struct text *data) {
  struct text raw = {0};
  struct json json = json_begin_line(text_sink, &raw);
  int result = TOOL_OK;
  if (options->operands) result = put_model(options, &json);
  if (!result && options->record) result = put_record(options, &json);
  if (!result && options->policy) result = put_policy(options, &json);
  json_end(&json);
  const char *from = text_string(&raw);
  for (const char *end; !result && (end = strchr(from, '<')); from = end + 1) {
    text_add(data, from, (size_t)(end - from));
    text_put(data, "\\u003c");
  }
  if (!result) text_put(data, from);
  if (!result && (raw.failed || data->failed)) result = message_no_memory();
  text_free(&raw);
  return result;
}

static int make_page(const struct options *options, const char *page, struct text *out) {
  struct text data = {0}, whole = {0};
  int result = make_data(options, &data);
  if (!result && !read_text(page, &whole)) result = TOOL_FAILED;
  const char *text = text_string(&whole), *place = strstr(text, slot);
  if (!result && !place) {
    message_error("'%s' is not the page of glimpse", page);
    message_hint("'make page' builds it");
    result = TOOL_FAILED;
  }
  if (!result && (options->operands || options->record || options->policy)) {
    size_t head = (size_t)(place - text) + strlen(slot) - strlen("null</script>");
    text_add(out, text, head);
    text_put(out, text_string(&data));
    text_put(out, text + head + strlen("null"));
  } else if (!result) {
    text_put(out, text);
  }
  if (!result && out->failed) result = message_no_memory();
  text_free(&data);
  text_free(&whole);
  return result;
}

/* ------------------------------------------------------------------ browser */

/* In a new directory, since browsers go by the end of the name. */
static bool temporary(char path[PATH_MAX]) {
  const char *base = getenv("TMPDIR");
  if (snprintf(path, PATH_MAX, "%s/glimpse-XXXXXX", base && *base ? base : "/tmp") > PATH_MAX - 20 || !mkdtemp(path)) {
    message_error("no directory can be made in '%s': %s", base && *base ? base : "/tmp", strerror(errno));
    return false;
  }
  size_t used = strlen(path);
  snprintf(path + used, PATH_MAX - used, "/glimpse.html");
  return true;
}

static bool start_browser(const char *path) {
  const char *wish = getenv("BROWSER");
#ifdef __APPLE__
  static const char *const usual[] = {"open", NULL};
#else
  static const char *const usual[] = {"xdg-open", "x-www-browser", NULL};
#endif
  const char *wished[] = {wish, NULL};
  const char *const *names = wish && *wish ? wished : usual;
  char copy[PATH_MAX];
  snprintf(copy, sizeof copy, "%s", path);
  for (; *names; names++) {
    char name[200];
    snprintf(name, sizeof name, "%s", *names);
    char *const arguments[] = {name, copy, NULL};
    pid_t child;
    if (!posix_spawnp(&child, name, NULL, NULL, arguments, environ)) return true;
  }
  return false;
}

static int run(const struct options *options) {
  const char *page = find_page();
  char path[PATH_MAX];
  if (options->record && options->operands)
    return message_usage(options->command, "'--record' shows a recording, which needs no MODEL");
  if (!page) {
    message_error("the page has not been built");
    message_hint("'make page' builds it; it needs node and clang, which 'scripts/setup.sh page' installs on Debian");
    return TOOL_FAILED;
  }
  struct text text = {0};
  int result = make_page(options, page, &text);
  if (!result && !options->output && !temporary(path)) result = TOOL_FAILED;
  const char *written = options->output ? options->output : path;
  if (!result) result = save_file(written, text_string(&text), text.length);
  bool started = !result && !options->output && start_browser(written);
  if (!result && options->json) {
    struct json json = json_begin();
    json_text(&json, "page", written);
    json_count(&json, "bytes", text.length);
    json_bool(&json, "browser", started);
    json_end(&json);
  } else if (!result) {
    output_print("%s\n", written);
  }
  if (!result && !options->output && !started) message_hint("no browser was found: open that file in one");
  text_free(&text);
  return result;
}

static const struct example examples[] = {
    {"glimpse view robot-delivery:n=3", "the planner thinks in a browser"},
    {"glimpse view tiger --cost 5 -o tiger.html", "a page to send to somebody"},
    {"glimpse view --record robot.jsonl", "shows what 'glimpse run --record' has written"},
    {NULL, NULL}};

const struct command command_view = {
    .name = "view",
    .summary = "open the page in a browser, on a model, a recording or a policy",
    .operands = "[MODEL]",
    .least = 0,
    .most = 1,
    .text =
        "Writes a page with the planner and the data inside, and starts the browser: $BROWSER, or the desktop's. The "
        "page is one HTML file that needs no network; with -o FILE it is only written. World and belief, the decision "
        "with its bounds, the plan, a slider for the price of asking, and an episode that can be played step by "
        "step.\n\n"
        "The page itself is built by 'make page'. It is looked for where $GLIMPSE_PAGE says, where it was installed, "
        "and where it was built.\n\n"
        "With --json: page (the file), bytes, browser (was one started?).",
    .examples = examples,
    .run = run,
};
