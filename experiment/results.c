/* Results: one function per table of the file, each a loop over the rows of a query.
 *
 * Rows come sorted by the keys of what they belong to, so that an array grows at its end and the owner of a
 * row is found by bisection.  A number that is not finite is read as missing. */
#include "experiment/results.h"

#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/store.h"
#include "glimpse.h"

/* gcc's analyser loses sight of memory whose owner lies in an array.  Leaks are looked for by the tests, which
 * let every allocation fail in turn. */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 10
#pragma GCC diagnostic ignored "-Wanalyzer-malloc-leak"
#endif

struct reader {
  sqlite3 *file;
  sqlite3_stmt *rows; /* of the query under way */
  const char *path;
  complaint *why;
  struct results *results;
  int64_t version; /* of the schema */
  bool no_memory;
  bool policies; /* there is such a table */
};

/* ------------------------------------------------------------------- columns */

static char *get_text(struct reader *reader, int column) {
  if (sqlite3_column_type(reader->rows, column) == SQLITE_NULL) return NULL;
  const char *text = (const char *)sqlite3_column_text(reader->rows, column);
  size_t size = (size_t)sqlite3_column_bytes(reader->rows, column);
  char *copy = text ? malloc(size + 1) : NULL;
  if (!copy) {
    reader->no_memory = true;
    return NULL;
  }
  memcpy(copy, text, size);
  copy[size] = 0;
  return copy;
}

/* One that must not be missing. */
static char *need_text(struct reader *reader, int column) {
  char *text = get_text(reader, column);
  if (!text && !reader->no_memory) text = calloc(1, 1);
  if (!text) reader->no_memory = true;
  return text;
}

static double get_number(struct reader *reader, int column) {
  if (sqlite3_column_type(reader->rows, column) == SQLITE_NULL) return NAN;
  double value = sqlite3_column_double(reader->rows, column);
  return isfinite(value) ? value : NAN;
}

static uint64_t get_count(struct reader *reader, int column) {
  int64_t value = sqlite3_column_int64(reader->rows, column);
  return value < 0 ? 0 : (uint64_t)value;
}

/* Room for one more entry of an array that doubles at powers of two; the new entry is zero.  NULL: no memory. */
static void *grow(struct reader *reader, void **array, size_t *count, size_t size) {
  if ((*count & (*count - 1)) == 0) {
    size_t wanted = *count ? 2 * *count : 1;
    void *moved = wanted <= SIZE_MAX / size ? realloc(*array, wanted * size) : NULL;
    if (!moved) {
      reader->no_memory = true;
      return NULL;
    }
    *array = moved;
  }
  char *entry = (char *)*array + *count * size;
  memset(entry, 0, size);
  ++*count;
  return entry;
}

/* Through a void pointer of its own, since a pointer to another pointer type may not be used as one. */
#define GROW(reader, entry, array, count)                                                                              \
  do {                                                                                                                 \
    void *grown = (array);                                                                                             \
    (entry) = grow((reader), &grown, &(count), sizeof *(array));                                                       \
    (array) = grown;                                                                                                   \
  } while (0)

static struct results_setting *find_setting(struct results *results, int64_t id) {
  size_t low = 0, high = results->setting_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (results->settings[middle].id < id) low = middle + 1;
    else high = middle;
  }
  return low < results->setting_count && results->settings[low].id == id ? &results->settings[low] : NULL;
}

/* ---------------------------------------------------------------------- rows */

static void take_run(struct reader *reader) {
  struct results_run *run;
  GROW(reader, run, reader->results->runs, reader->results->run_count);
  if (!run) return;
  run->started = need_text(reader, 0);
  run->finished = get_text(reader, 1);
  run->outcome = need_text(reader, 2);
  run->name = need_text(reader, 3);
  run->scale = need_text(reader, 4);
  run->command = need_text(reader, 5);
  run->version = need_text(reader, 6);
  run->compiler = need_text(reader, 7);
  run->system = need_text(reader, 8);
  run->cpu = need_text(reader, 9);
  run->cores = get_number(reader, 10);
  run->memory = get_number(reader, 11);
  run->workers = get_number(reader, 12);
  run->ranks = get_number(reader, 13);
  run->timed = sqlite3_column_int(reader->rows, 14) != 0;
}

static void take_setting(struct reader *reader) {
  struct results_setting *setting;
  GROW(reader, setting, reader->results->settings, reader->results->setting_count);
  if (!setting) return;
  setting->id = sqlite3_column_int64(reader->rows, 0);
  setting->environment = need_text(reader, 1);
  setting->cost = get_number(reader, 2);
  setting->discount = get_number(reader, 3);
  setting->planner = need_text(reader, 4);
  setting->upper = get_text(reader, 5);
  setting->lower = get_text(reader, 6);
  setting->improve = get_text(reader, 7);
  setting->options = need_text(reader, 8);
  setting->timed = sqlite3_column_int(reader->rows, 9) != 0;
  setting->budget = get_number(reader, 10);
  setting->max_steps = get_count(reader, 11);
  setting->seed = get_count(reader, 12);
  setting->wanted = get_count(reader, 13);
}

static void take_experiment(struct reader *reader) {
  struct results_experiment *experiment;
  GROW(reader, experiment, reader->results->experiments, reader->results->experiment_count);
  if (!experiment) return;
  experiment->name = need_text(reader, 1);
  experiment->title = need_text(reader, 2);
  experiment->axis = need_text(reader, 3);
  experiment->id = sqlite3_column_int64(reader->rows, 0);
}

static void take_part(struct reader *reader) {
  struct results *results = reader->results;
  int64_t id = sqlite3_column_int64(reader->rows, 0);
  struct results_setting *setting = find_setting(results, sqlite3_column_int64(reader->rows, 1));
  for (size_t i = 0; setting && i < results->experiment_count; i++) {
    if (results->experiments[i].id != id) continue;
    struct results_part *part;
    GROW(reader, part, results->experiments[i].parts, results->experiments[i].count);
    if (part)
      *part = (struct results_part){.setting = (size_t)(setting - results->settings),
                                    .paper_seconds = get_number(reader, 2)};
  }
}

/* Adds "camera=3 state=0" to what the setting has. */
static void add_asked(struct reader *reader, struct results_setting *setting, const char *text) {
  while (text && *text && !reader->no_memory) {
    size_t length = strcspn(text, "= "), whole = strcspn(text, " "), k = 0;
    double number = 0;
    bool good = length && length + 1 < whole &&
                glimpse_number_read(text + length + 1, whole - length - 1, &number) == whole - length - 1;
    for (; k < setting->asked_count; k++)
      if (strlen(setting->asked[k].name) == length && !strncmp(setting->asked[k].name, text, length)) break;
    if (good && k == setting->asked_count) {
      struct results_asked *asked;
      GROW(reader, asked, setting->asked, setting->asked_count);
      if (!asked) return;
      *asked = (struct results_asked){.name = calloc(length + 1, 1)};
      if (!asked->name) {
        setting->asked_count--;
        reader->no_memory = true;
        return;
      }
      memcpy(asked->name, text, length);
    }
    if (good) {
      setting->asked[k].total += number;
      setting->asked[k].episodes++;
    }
    text += whole + (text[whole] == ' ');
  }
}

static void take_episode(struct reader *reader) {
  struct results_setting *setting = find_setting(reader->results, sqlite3_column_int64(reader->rows, 0));
  if (!setting) return;
  struct results_episode *episode;
  GROW(reader, episode, setting->episodes, setting->count);
  if (!episode) return;
  *episode = (struct results_episode){.seed = get_count(reader, 1),
                                      .total = get_number(reader, 2),
                                      .steps = get_number(reader, 3),
                                      .requests = get_number(reader, 4),
                                      .ended = sqlite3_column_int(reader->rows, 5) != 0,
                                      .expansions = get_number(reader, 6),
                                      .error_reduction = get_number(reader, 7),
                                      .lower = get_number(reader, 8),
                                      .upper = get_number(reader, 9),
                                      .seconds = get_number(reader, 10),
                                      .load = get_number(reader, 11),
                                      .undiscounted = get_number(reader, 12)};
  add_asked(reader, setting, (const char *)sqlite3_column_text(reader->rows, 13));
}

static void take_point(struct reader *reader) {
  struct results_setting *setting = find_setting(reader->results, sqlite3_column_int64(reader->rows, 0));
  if (!setting) return;
  struct results_point *point;
  GROW(reader, point, setting->trace, setting->points);
  if (!point) return;
  *point = (struct results_point){.expansions = get_number(reader, 1),
                                  .seconds = get_number(reader, 2),
                                  .lower = get_number(reader, 3),
                                  .upper = get_number(reader, 4)};
}

static void take_version(struct reader *reader) {
  reader->version = sqlite3_column_int64(reader->rows, 0);
}

static void take_policy(struct reader *reader) {
  struct results_setting *setting = find_setting(reader->results, sqlite3_column_int64(reader->rows, 0));
  if (!setting) return;
  setting->policy = (struct results_policy){.lower = get_number(reader, 1),
                                            .upper = get_number(reader, 2),
                                            .requests = get_number(reader, 3),
                                            .nodes = get_number(reader, 4),
                                            .edges = get_number(reader, 5),
                                            .verified = sqlite3_column_int(reader->rows, 6) != 0,
                                            .seconds = get_number(reader, 7),
                                            .expansions = get_number(reader, 8)};
}

static void note_table(struct reader *reader) {
  reader->policies = true;
}

/* ------------------------------------------------------------------- queries */

#define EPISODES                                                                                                       \
  "SELECT setting, seed, return, steps, requests, ended, expansions, error_reduction, lower, upper, seconds, load"
#define BY_SEED " FROM episode ORDER BY setting, seed"

static const struct query {
  const char *text;
  void (*take)(struct reader *reader);
  const char *old[2]; /* the text for files of versions 1 and 2, where it differs */
} queries[] = {
    {"PRAGMA user_version", take_version, {NULL}},
    {"SELECT started, finished, outcome, name, scale, command, version, compiler, system, cpu, cores, memory, workers,"
     " ranks, timed FROM run ORDER BY id",
     take_run,
     {NULL}},
    {"SELECT id, environment, cost, discount, planner, upper, lower, improve, options, budget_kind = 'seconds', budget,"
     " max_steps, seed, episodes FROM setting ORDER BY id",
     take_setting,
     {NULL}},
    {"SELECT id, name, title, axis FROM experiment ORDER BY id", take_experiment, {NULL}},
    {"SELECT experiment, setting, paper_seconds FROM part ORDER BY experiment, place, setting", take_part, {NULL}},
    {EPISODES ", return_undiscounted, asked" BY_SEED,
     take_episode,
     {EPISODES ", NULL, NULL" BY_SEED, EPISODES ", return_undiscounted, NULL" BY_SEED}},
    /* The first seed of each setting: a trace is one search. */
    {"SELECT setting, expansions, seconds, lower, upper FROM trace AS t WHERE seed ="
     " (SELECT min(seed) FROM trace WHERE setting = t.setting) ORDER BY setting, expansions",
     take_point,
     {NULL}},
};

/* Files of earlier versions have no such table. */
static const struct query policy_table = {
    "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'policy'", note_table, {NULL}};
static const struct query policy_query = {
    "SELECT setting, lower, upper, requests, nodes, edges, verified, seconds, expansions FROM policy",
    take_policy,
    {NULL}};

static bool run_query(struct reader *reader, const struct query *query) {
  bool older = reader->version >= 1 && reader->version <= 2;
  const char *old = older ? query->old[reader->version - 1] : NULL;
  int code = sqlite3_prepare_v2(reader->file, old ? old : query->text, -1, &reader->rows, NULL);
  while (code == SQLITE_OK || code == SQLITE_ROW) {
    code = sqlite3_step(reader->rows);
    if (code != SQLITE_ROW) break;
    query->take(reader);
    if (reader->no_memory) code = SQLITE_NOMEM;
  }
  if (code != SQLITE_DONE) {
    const char *text = reader->no_memory ? "out of memory" : sqlite3_errmsg(reader->file);
    complain(reader->why, reader->path, "cannot read the results: %s", text);
    code &= 0xff;
    if (code == SQLITE_BUSY) advise(reader->why, "another program holds the file; try again in a moment");
    else if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_ERROR)
      advise(reader->why, "the file may be damaged: 'sqlite3 FILE .recover' saves what can be read");
  }
  sqlite3_finalize(reader->rows);
  reader->rows = NULL;
  return code == SQLITE_DONE;
}

/* A setting that no experiment shows is shown by one of its own; there is none in files by this program. */
static bool adopt(struct reader *reader) {
  struct results *results = reader->results;
  struct results_experiment *other = NULL;
  bool *shown = calloc(results->setting_count + 1, sizeof *shown);
  if (!shown) return complain(reader->why, reader->path, "out of memory");
  for (size_t i = 0; i < results->experiment_count; i++)
    for (size_t k = 0; k < results->experiments[i].count; k++) shown[results->experiments[i].parts[k].setting] = true;
  for (size_t i = 0; i < results->setting_count && !reader->no_memory; i++) {
    if (shown[i]) continue;
    if (!other) {
      GROW(reader, other, results->experiments, results->experiment_count);
      if (!other) break;
      *other =
          (struct results_experiment){.id = -1, .name = calloc(8, 1), .title = calloc(24, 1), .axis = calloc(1, 1)};
      if (!other->name || !other->title || !other->axis) {
        reader->no_memory = true;
        break;
      }
      memcpy(other->name, "other", 6);
      memcpy(other->title, "Other settings", 15);
    }
    struct results_part *part;
    GROW(reader, part, other->parts, other->count);
    if (part) *part = (struct results_part){.setting = i, .paper_seconds = NAN};
  }
  free(shown);
  return !reader->no_memory || complain(reader->why, reader->path, "out of memory");
}

bool results_read(struct results *results, const char *path, complaint *why) {
  *results = (struct results){0};
  struct reader reader = {.path = path, .why = why, .results = results, .file = store_read(path, why)};
  if (!reader.file) return false;
  bool good = true;
  if (sqlite3_exec(reader.file, "BEGIN", NULL, NULL, NULL) != SQLITE_OK)
    good = complain(why, path, "cannot read the results: %s", sqlite3_errmsg(reader.file));
  for (size_t i = 0; good && i < sizeof queries / sizeof *queries; i++) good = run_query(&reader, &queries[i]);
  if (good) good = run_query(&reader, &policy_table) && (!reader.policies || run_query(&reader, &policy_query));
  if (good) good = adopt(&reader);
  sqlite3_close(reader.file);
  return good;
}

void results_free(struct results *results) {
  for (size_t i = 0; i < results->run_count; i++) {
    struct results_run *run = &results->runs[i];
    char *texts[] = {run->started, run->finished, run->outcome,  run->name,   run->scale,
                     run->command, run->version,  run->compiler, run->system, run->cpu};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) free(texts[k]);
  }
  for (size_t i = 0; i < results->setting_count; i++) {
    struct results_setting *setting = &results->settings[i];
    char *texts[] = {setting->environment, setting->planner, setting->upper,
                     setting->lower,       setting->improve, setting->options};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) free(texts[k]);
    free(setting->episodes);
    free(setting->trace);
    for (size_t k = 0; k < setting->asked_count; k++) free(setting->asked[k].name);
    free(setting->asked);
  }
  for (size_t i = 0; i < results->experiment_count; i++) {
    struct results_experiment *experiment = &results->experiments[i];
    free(experiment->name);
    free(experiment->title);
    free(experiment->axis);
    free(experiment->parts);
  }
  free(results->runs);
  free(results->settings);
  free(results->experiments);
  *results = (struct results){0};
}

void results_progress(const struct results *results, uint64_t *stored, uint64_t *wanted) {
  *stored = *wanted = 0;
  for (size_t i = 0; i < results->setting_count; i++) {
    *stored += results->settings[i].count;
    /* It must not make up for what another setting lacks. */
    uint64_t there = results->settings[i].count, wish = results->settings[i].wanted;
    *wanted += there < wish ? wish : there;
  }
}
