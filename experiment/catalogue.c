/* Catalogue: see catalogue.h. */
#include "experiment/catalogue.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/digest.h"
#include "experiment/field.h"
#include "xml/model_file.h"

static bool same(double a, double b) {
  return a == b || (isnan(a) && isnan(b));
}

/* Of a file; "-" stays the standard input. */
static char *path_of(const char *directory, const char *name) {
  if (*name == '/' || !strcmp(name, "-")) directory = "";
  size_t size = strlen(directory) + strlen(name) + 1;
  char *path = malloc(size);
  if (path) snprintf(path, size, "%s%s", directory, name);
  return path;
}

static glimpse_status make(struct catalogue_entry *entry, const char *directory, glimpse_report *report) {
  bool built_in = glimpse_environment_find(entry->environment);
  glimpse_model *model = NULL;
  if (!built_in && !(entry->path = path_of(directory, entry->environment))) return GLIMPSE_NO_MEMORY;
  glimpse_status status = built_in ? glimpse_environment_make(entry->environment, report, &model)
                                   : model_file_read(entry->path, NULL, report, &model);
  entry->model = model;
  /* A file may change, and its results with it, while its name stays. */
  char digest[sizeof entry->digest];
  bool file = !status && !built_in;
  if (file) entry->path[model_file_length(entry->path)] = 0; /* without prices */
  if (file && digest_file(entry->path, digest)) memcpy(entry->digest, digest, sizeof digest);
  else if (file) status = GLIMPSE_CANNOT_READ;
  if (!status && !isnan(entry->discount)) status = glimpse_model_set_discount(entry->model, entry->discount);
  if (!status && !isnan(entry->cost)) status = glimpse_model_set_cost(entry->model, entry->cost);
  return status ? status : glimpse_model_plannable(entry->model, report);
}

/* What is no file may be meant to be an environment. */
static void advise_name(const char *name, complaint *why) {
  char word[41];
  const char *near = NULL;
  const glimpse_environment *environment;
  snprintf(word, sizeof word, "%.*s", (int)strcspn(name, ":"), name);
  for (size_t i = 0; !near && (environment = glimpse_environment_get(i)); i++)
    near = field_nearest(word, (const char *const[]){environment->name, NULL});
  if (near) advise(why, "did you mean the environment '%s'?", near);
  else advise(why, "names of files are relative to the specification; 'glimpse info' lists the built-in environments");
}

static bool explain(const struct catalogue_entry *entry, const glimpse_report *report, glimpse_status status,
                    complaint *why) {
  for (size_t i = 0; i < glimpse_report_kept(report); i++) {
    const glimpse_message *message = glimpse_report_get(report, i);
    if (message->severity != GLIMPSE_ERROR) continue;
    complain(why, "", "'%s': %s", entry->path ? entry->path : entry->environment, message->text);
    if (status == GLIMPSE_CANNOT_READ) advise_name(entry->environment, why);
    return false;
  }
  return complain(why, "", "'%s': %s", entry->environment, glimpse_status_text(status));
}

bool catalogue_model(struct catalogue *catalogue, const char *environment, double cost, double discount, size_t *place,
                     complaint *why) {
  for (*place = 0; *place < catalogue->count; ++*place) {
    const struct catalogue_entry *entry = &catalogue->entries[*place];
    if (!strcmp(entry->environment, environment) && same(entry->cost, cost) && same(entry->discount, discount))
      return true;
  }
  if (catalogue->count == catalogue->capacity) {
    size_t capacity = catalogue->capacity ? 2 * catalogue->capacity : 16;
    struct catalogue_entry *more = realloc(catalogue->entries, capacity * sizeof *more);
    if (!more) return complain(why, "", "out of memory");
    catalogue->entries = more;
    catalogue->capacity = capacity;
  }
  struct catalogue_entry entry = {.environment = strdup(environment), .cost = cost, .discount = discount};
  glimpse_report *report = glimpse_report_new();
  bool good = false;
  if (!entry.environment || !report) {
    complain(why, "", "out of memory");
  } else {
    glimpse_status status = make(&entry, catalogue->directory ? catalogue->directory : "", report);
    good = !status || explain(&entry, report, status, why);
  }
  glimpse_report_free(report);
  if (good) {
    catalogue->entries[catalogue->count++] = entry;
  } else {
    glimpse_model_free(entry.model);
    free(entry.environment);
    free(entry.path);
  }
  return good;
}

bool catalogue_bounds(struct catalogue *catalogue, const struct setting *setting, unsigned threads, complaint *why) {
  struct catalogue_entry *entry = &catalogue->entries[setting->model];
  if (!setting_bounded(setting) || entry->offline[setting->upper]) return true;
  glimpse_bound_kind kind =
      setting->upper == SETTING_UPPER_QMDP ? GLIMPSE_BOUND_QMDP : glimpse_offline_upper(entry->model);
  glimpse_bound_options options = {.threads = threads};
  glimpse_report *report = glimpse_report_new();
  if (!report) return complain(why, "", "out of memory");
  glimpse_status status = glimpse_offline_new(entry->model, kind, &options, report, &entry->offline[setting->upper]);
  bool good = !status || explain(entry, report, status, why);
  glimpse_report_free(report);
  return good;
}

const glimpse_offline *catalogue_offline(const struct catalogue *catalogue, const struct setting *setting) {
  return setting_bounded(setting) ? catalogue->entries[setting->model].offline[setting->upper] : NULL;
}

bool catalogue_solve(struct catalogue *catalogue, const struct setting *setting, const volatile int *interrupt,
                     complaint *why) {
  if (!setting->policy) return true;
  return policies_make(&catalogue->policies.entries[setting->policy - 1], catalogue->entries[setting->model].model,
                       interrupt, why);
}

const glimpse_policy *catalogue_policy(const struct catalogue *catalogue, const struct setting *setting) {
  return setting->policy ? catalogue->policies.entries[setting->policy - 1].policy : NULL;
}

void catalogue_free(struct catalogue *catalogue) {
  policies_free(&catalogue->policies);
  for (size_t i = 0; i < catalogue->count; i++) {
    struct catalogue_entry *entry = &catalogue->entries[i];
    for (size_t k = 0; k < SETTING_UPPERS; k++) glimpse_offline_free(entry->offline[k]);
    glimpse_model_free(entry->model);
    free(entry->environment);
    free(entry->path);
  }
  free(catalogue->entries);
  free(catalogue->directory);
  *catalogue = (struct catalogue){0};
}
