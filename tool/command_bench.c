/* glimpse bench: runs the experiments of a specification into a results file. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "common/nearest.h"
#include "interrupt.h"
#include "json.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "table.h"

#if defined(GLIMPSE_EXPERIMENTS)

#include "common/document.h"
#include "common/text.h"
#include "experiment/bench.h"
#include "experiment/builtin.h"
#include "experiment/machine.h"

#define REFRESH 0.2 /* seconds between two states of the line on a terminal ... */
#define PATIENCE 10 /* ... and between two lines elsewhere */

struct screen {
  const char *path;
  bool silent; /* a rank other than 0 */
  double shown;
};

static int fail(const complaint *why) {
  message_progress_end();
  if (*why->place) message_error_in(why->place, "%s", why->text);
  else message_error("%s", why->text);
  if (*why->hint) message_hint("%s", why->hint);
  return TOOL_FAILED;
}

/* ------------------------------------------------------------ specification */

enum { SPEC_MOST = 1 << 24 };

/* What is longer than SPEC_MOST is no specification but a pipe that never ends. */
static bool read_all(FILE *file, struct text *text) {
  char buffer[8192];
  size_t length;
  while (text->length <= SPEC_MOST && !text->failed && (length = fread(buffer, 1, sizeof buffer, file)) > 0)
    text_add(text, buffer, length);
  return !ferror(file);
}

/* The text of SPEC: a built-in one, a file, or "-". */
static int load(const char *name, struct text *text) {
  const struct builtin *builtin = builtin_find(name);
  if (builtin) {
    text_add(text, builtin->text, builtin->length);
    return text->failed ? message_no_memory() : TOOL_OK;
  }
  bool standard = !strcmp(name, "-");
  if (standard && cluster_expected()) {
    message_error("a specification on the standard input would reach rank 0 only");
    message_hint("write it to a file that all ranks can read");
    return TOOL_FAILED;
  }
  FILE *file = standard ? stdin : fopen(name, "r");
  if (!file || !read_all(file, text)) {
    message_error_in(name, "cannot be read: %s", strerror(errno));
    struct nearest nearest = nearest_begin(name);
    for (size_t i = 0; builtin_get(i); i++) nearest_offer(&nearest, builtin_get(i)->name);
    if (nearest.best) message_hint("did you mean the built-in specification '%s'?", nearest.best);
    else message_hint("'glimpse bench --list' shows the built-in specifications");
    if (file && !standard) fclose(file);
    return TOOL_FAILED;
  }
  if (!standard) fclose(file);
  if (text->length > SPEC_MOST) return message_error_in(name, "expected at most %d bytes, found more", SPEC_MOST);
  return text->failed ? message_no_memory() : TOOL_OK;
}

static int show_list(const struct options *options) {
  struct table table = table_begin("lw");
  struct json json = {0};
  if (options->json) json = json_begin(), json_array(&json, "specifications");
  complaint why;
  int result = TOOL_OK;
  for (size_t i = 0; builtin_get(i); i++) {
    const struct builtin *builtin = builtin_get(i);
    document *root = document_read(builtin->text, builtin->length, builtin->name, &why);
    if (!root) result = fail(&why);
    const document *title = document_get(root, "title");
    const char *text = title && title->kind == DOCUMENT_TEXT ? title->text : "";
    if (options->json) {
      json_object(&json, NULL);
      json_text(&json, "name", builtin->name);
      json_text(&json, "title", text);
      json_close(&json);
    } else {
      table_cell(&table, "%s", builtin->name);
      table_cell(&table, "%s", text);
    }
    document_free(root);
  }
  if (options->json) json_close(&json), json_end(&json);
  table_end(&table, 0);
  return result;
}

/* Fewer episodes than the specification says. */
static void cut_episodes(const struct options *options, struct spec *spec) {
  if (!options->given[OPTION_episodes]) return;
  for (size_t i = 0; i < spec->setting_count; i++)
    if (spec->settings[i].episodes > options->episodes) spec->settings[i].episodes = options->episodes;
}

static void dry_json(const struct spec *spec) {
  struct json json = json_begin();
  json_text(&json, "name", spec->name);
  json_text(&json, "scale", spec->scale);
  json_count(&json, "episodes", spec_episodes(spec));
  json_array(&json, "experiments");
  for (size_t i = 0; i < spec->count; i++) {
    json_object(&json, NULL);
    json_text(&json, "name", spec->experiments[i].name);
    json_text(&json, "title", spec->experiments[i].title);
    json_array(&json, "settings");
    for (size_t k = 0; k < spec->experiments[i].count; k++) {
      const struct setting *setting = &spec->settings[spec->experiments[i].parts[k].setting];
      json_object(&json, NULL);
      json_text(&json, "key", setting->key);
      json_count(&json, "episodes", setting->episodes);
      json_close(&json);
    }
    json_close(&json);
    json_close(&json);
  }
  json_close(&json);
  json_end(&json);
}

static void dry_text(const struct spec *spec) {
  for (size_t i = 0; i < spec->count; i++) {
    const struct spec_experiment *experiment = &spec->experiments[i];
    output_print("%s%s%s%s\n", i ? "\n" : "", experiment->name, *experiment->title ? ": " : "", experiment->title);
    struct table table = table_begin("llllllrr");
    static const char *const heads[] = {"environment", "cost",    "planner", "upper",
                                        "improve",     "options", "budget",  "episodes"};
    for (size_t k = 0; k < 8; k++) table_cell(&table, "%s", heads[k]);
    for (size_t k = 0; k < experiment->count; k++) {
      const struct setting *s = &spec->settings[experiment->parts[k].setting];
      char cost[GLIMPSE_NUMBER_SIZE] = "-", budget[GLIMPSE_NUMBER_SIZE];
      if (!isnan(s->cost)) glimpse_number_write(s->cost, cost);
      glimpse_number_write(setting_timed(s) ? s->budget.time : (double)s->budget.expansions, budget);
      table_cell(&table, "%s", s->environment);
      table_cell(&table, "%s", cost);
      table_cell(&table, "%s", glimpse_planner_key(s->planner.kind));
      table_cell(&table, "%s", s->upper_text ? s->upper_text : "-");
      table_cell(&table, "%s", s->improve_text ? s->improve_text : "-");
      table_cell(&table, "%s", *s->options ? s->options : "-");
      table_cell(&table, "%s %s", budget, setting_timed(s) ? "s" : "expansions");
      table_cell(&table, "%llu", (unsigned long long)s->episodes);
    }
    table_end(&table, 2);
  }
  output_print("\n%zu settings, %llu episodes\n", spec->setting_count, (unsigned long long)spec_episodes(spec));
}

/* ------------------------------------------------------------------ progress */

static void duration(double seconds, char text[40]) {
  if (seconds < 100) snprintf(text, 40, "%.0f s", ceil(seconds));
  else if (seconds < 6000) snprintf(text, 40, "%.0f min", ceil(seconds / 60));
  else snprintf(text, 40, "%.1f h", seconds / 3600);
}

static void show_progress(void *context, const struct bench_progress *progress) {
  struct screen *screen = context;
  double time = machine_clock(), pause = message_live() ? REFRESH : PATIENCE;
  if (screen->silent || time - screen->shown < pause) return;
  screen->shown = time;
  char text[160], left[40];
  size_t used = (size_t)snprintf(text, sizeof text, "%llu of %llu episodes stored",
                                 (unsigned long long)progress->stored, (unsigned long long)progress->total);
  if (progress->failed)
    used += (size_t)snprintf(text + used, sizeof text - used, ", %llu failed", (unsigned long long)progress->failed);
  if (!isnan(progress->left)) {
    duration(progress->left, left);
    snprintf(text + used, sizeof text - used, ", %s left", left);
  }
  if (message_live()) message_progress("%s", text);
  else message_note("%s", text);
}

static void show_note(void *context, const char *text) {
  struct screen *screen = context;
  if (!screen->silent) message_progress("%s", text);
}

static void show_warning(void *context, const char *text) {
  (void)context;
  message_progress_end();
  message_warning("%s", text);
}

/* ----------------------------------------------------------------------- run */

static void show_end(const struct options *options, const char *path, bench_end end,
                     const struct bench_progress *progress, double seconds) {
  static const char *const words[] = {"complete", "interrupted", "partial", "failed", "member"};
  if (options->json) {
    struct json json = json_begin();
    json_text(&json, "file", path);
    json_text(&json, "outcome", words[end]);
    json_count(&json, "stored", progress->stored);
    json_count(&json, "wanted", progress->total);
    json_count(&json, "failed", progress->failed);
    json_number(&json, "seconds", floor(seconds * 1e3 + 0.5) / 1e3);
    json_end(&json);
  } else {
    output_print("%s: %llu of %llu episodes stored\n", path, (unsigned long long)progress->stored,
                 (unsigned long long)progress->total);
  }
  if (end == BENCH_INTERRUPTED) message_warning("interrupted; the same command with '--resume' runs what is missing");
  if (end == BENCH_PARTIAL)
    message_error("%llu episodes failed; '--resume' tries them again", (unsigned long long)progress->failed);
}

/* A word of a command as a shell takes it. */
static void put_word(struct text *line, const char *word) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/:=,+@%";
  if (*word && !word[strspn(word, plain)]) {
    text_put(line, word);
    return;
  }
  text_put(line, "'");
  for (; *word; word++) {
    if (*word == '\'') text_put(line, "'\\'");
    text_add(line, word, 1);
  }
  text_put(line, "'");
}

static char *command_line(const struct options *options) {
  struct text line = {0};
  char number[GLIMPSE_NUMBER_SIZE];
  text_put(&line, "glimpse bench ");
  put_word(&line, options->operand[0]);
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    const struct option *option = option_get(i);
    if (!options->given[i]) continue;
    text_print(&line, " --%s", option->name);
    const char *field = (const char *)options + option->offset;
    if (option->kind == KIND_TEXT) {
      const char *value;
      memcpy(&value, field, sizeof value);
      text_put(&line, " ");
      put_word(&line, value);
    } else if (option->kind == KIND_COUNT) {
      uint64_t value;
      memcpy(&value, field, sizeof value);
      glimpse_number_write((double)value, number);
      text_print(&line, " %s", number);
    }
  }
  char *copy = line.failed ? NULL : strdup(text_string(&line));
  text_free(&line);
  return copy;
}

static int run_bench(const struct options *options, struct spec *spec, const struct text *text,
                     const struct cluster *cluster) {
  struct text path = {0};
  complaint why = {0};
  if (options->output) text_put(&path, options->output);
  else text_print(&path, "%s%s%s.db", spec->name, *spec->scale ? "-" : "", spec->scale);
  char *command = command_line(options);
  struct screen screen = {.path = text_string(&path), .silent = cluster && cluster->rank, .shown = machine_clock()};
  if (message_live()) screen.shown = 0;
  struct bench_options bench = {.path = text_string(&path),
                                .text = text_string(text),
                                .command = command,
                                .resume = options->resume,
                                .threads = (unsigned)options->threads,
                                .interrupt = interrupt_catch(),
                                .cluster = cluster,
                                .progress = show_progress,
                                .note = show_note,
                                .warn = show_warning,
                                .context = &screen};
  struct bench_progress progress;
  double start = machine_clock();
  int result = TOOL_OK;
  if (path.failed || !command) {
    result = message_no_memory();
  } else {
    bench_end end = bench_run(spec, &bench, &progress, &why);
    message_progress_end();
    if (end == BENCH_FAILED) result = fail(&why);
    else if (end != BENCH_MEMBER) show_end(options, bench.path, end, &progress, machine_clock() - start);
    if (end == BENCH_PARTIAL) result = TOOL_FAILED;
    if (end == BENCH_INTERRUPTED) result = interrupt_status(TOOL_OK);
    if (cluster && progress.stuck) {
      output_flush();
      cluster->abort(result);
    }
  }
  free(command);
  text_free(&path);
  return result;
}

static void show_hints(const char *lines) {
  for (size_t length; (length = strcspn(lines, "\n")); lines += length + 1) message_hint("%.*s", (int)length, lines);
}

static int read_and_run(const struct options *options, const struct text *text) {
  struct spec spec;
  complaint why = {0};
  const char *source = strcmp(options->operand[0], "-") != 0 ? options->operand[0] : "the standard input";
  int result = TOOL_OK;
  if (!spec_read(&spec, text_string(text), text->length, source, options->scale, &why)) {
    result = fail(&why);
  } else {
    show_hints(text_string(&spec.hints));
    cut_episodes(options, &spec);
    const struct cluster *cluster = NULL;
    if (options->dry_run && options->json) dry_json(&spec);
    else if (options->dry_run) dry_text(&spec);
    else if (cluster_expected() && !(cluster = cluster_join(&why))) result = fail(&why);
    else result = run_bench(options, &spec, text, cluster);
  }
  spec_free(&spec);
  return result;
}

static int run(const struct options *options) {
  if (options->list) return show_list(options);
  if (!options->operands) return message_usage(options->command, "'bench' needs a SPEC");
  struct text text = {0};
  int result = load(options->operand[0], &text);
  if (!result && options->show) output_text(text_string(&text), text.length);
  else if (!result) result = read_and_run(options, &text);
  text_free(&text);
  return result;
}

#else

static int run(const struct options *options) {
  (void)options;
  message_error("this glimpse was built without SQLite, which holds the results of experiments");
  message_hint("build it where SQLite is found (Debian: libsqlite3-dev)");
  return TOOL_FAILED;
}

#endif

static const struct example examples[] = {
    {"glimpse bench --list", "the built-in specifications"},
    {"glimpse bench demo --output results.db", "a small one; 'glimpse report results.db' shows the results"},
    {"glimpse bench demo --output results.db --resume", "what is missing, after an interruption"},
    {"glimpse bench paper --dry-run", "what would be run to repeat the paper's tables"},
    {"glimpse bench paper --show >mine.json", "a specification to start from"},
    {NULL, NULL},
};

const struct command command_bench = {
    .name = "bench",
    .summary = "run experiments and store every episode",
    .operands = "SPEC",
    .least = 0,
    .most = 1,
    .text =
        "Runs the grid of a specification (environments, parameters, planners, bounds, improvement, budgets, seeds) "
        "and "
        "stores one row per episode in an SQLite file, with everything that is needed to run the row again. SPEC is a "
        "built-in specification, a JSON file, or - for the standard input; docs/EXPERIMENTS.md describes the "
        "format. 'glimpse bench paper' runs all tables of the paper, at scale quick in about two hours on two "
        "cores.\n\n"
        "Every row that the progress counts as stored is on the disk. A run that was interrupted, killed or cut off by "
        "a "
        "full disk is continued by the same command with --resume, which repeats nothing that was stored. Episode i of "
        "each setting has the seed of the specification plus i, so that planners meet the same worlds, and 'glimpse "
        "run ... --episodes 1 --seed SEED' plays a row again.\n\n"
        "Episodes are spread over --threads and, under mpirun, over its ranks; with budgets of expansions the results "
        "do not depend on how many there are. With budgets of time each worker is kept on a core of its own where the "
        "system allows it, and the load of the machine is stored with each row.\n\n"
        "With --json: file, outcome (complete, interrupted or partial), stored and wanted (episodes, those of earlier "
        "runs included), failed, seconds.",
    .examples = examples,
    .run = run,
};
