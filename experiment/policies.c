/* Policies: see policies.h.
 *
 * A policy is solved by expansions and a gap, never by time, so that all ranks of a cluster solve the same one.  What
 * its certificate says is proved anew before it is stored. */
#include "experiment/policies.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/text.h"
#include "experiment/digest.h"
#include "xml/appl.h"

static bool explain(const char *what, const glimpse_report *report, glimpse_status status, complaint *why) {
  const glimpse_message *message = glimpse_report_get(report, 0);
  return complain(why, "", "'%s': %s", what, message ? message->text : glimpse_status_text(status));
}

static bool read_policy(struct policies_entry *entry, const char *path, const glimpse_model *model, complaint *why) {
  glimpse_report *report = glimpse_report_new();
  if (!report) return complain(why, "", "out of memory");
  glimpse_status status = appl_import_file(path, model, report, &entry->policy);
  bool good = !status || explain(path, report, status, why);
  glimpse_report_free(report);
  if (good && glimpse_policy_measure(entry->policy).digest != glimpse_model_digest(model))
    good = complain(why, "", "'%s': the policy is of another model, or of another cost or discount", path);
  return good;
}

static void describe(const struct policies_entry *entry, const char *digest, struct text *text) {
  const struct policies_wish *wish = &entry->wish;
  if (entry->file) text_print(text, "policy=%s@%s", entry->file, digest);
  if (wish->relative > 0) text_put(text, "relative="), text_number(text, wish->relative);
  if (wish->epsilon > 0) text_put(text, text->length ? " epsilon=" : "epsilon="), text_number(text, wish->epsilon);
  if (wish->solve_expansions) text_print(text, " solve_expansions=%" PRIu64, wish->solve_expansions);
}

static bool same(const struct policies_entry *entry, const struct policies_wish *wish) {
  const struct policies_wish *w = &entry->wish;
  bool file = wish->file ? entry->file && !strcmp(entry->file, wish->file) : !entry->file;
  return file && w->model == wish->model && !(w->relative < wish->relative) && !(w->relative > wish->relative) &&
         !(w->epsilon < wish->epsilon) && !(w->epsilon > wish->epsilon) &&
         w->solve_expansions == wish->solve_expansions;
}

static void release(struct policies_entry *entry) {
  glimpse_policy_free(entry->policy);
  free(entry->file);
  free(entry->text);
}

static bool make_entry(struct policies_entry *entry, const struct policies_wish *wish, const glimpse_model *model,
                       const char *directory, complaint *why) {
  struct text path = {0}, text = {0}, file = {0};
  char digest[DIGEST_SIZE] = "";
  bool good = true;
  if (wish->file) {
    if (*wish->file != '/') text_put(&path, directory);
    text_put(&path, wish->file);
    text_put(&file, wish->file);
    entry->file = file.data;
    good = (!file.failed && !path.failed) || complain(why, "", "out of memory");
    good = good && read_policy(entry, text_string(&path), model, why);
    if (good && !digest_file(text_string(&path), digest))
      good = complain(why, "", "'%s': cannot be read", text_string(&path));
  }
  if (good) {
    describe(entry, digest, &text);
    entry->text = text.data;
    good = !text.failed || complain(why, "", "out of memory");
  }
  text_free(&path);
  return good;
}

bool policies_add(struct policies *policies, const struct policies_wish *wish, const glimpse_model *model,
                  const char *directory, size_t *place, complaint *why) {
  for (*place = 0; *place < policies->count; ++*place)
    if (same(&policies->entries[*place], wish)) return true;
  if (policies->count == policies->capacity) {
    size_t capacity = policies->capacity ? 2 * policies->capacity : 8;
    struct policies_entry *more = realloc(policies->entries, capacity * sizeof *more);
    if (!more) return complain(why, "", "out of memory");
    policies->entries = more;
    policies->capacity = capacity;
  }
  struct policies_entry entry = {.wish = *wish, .seconds = NAN, .expansions = NAN};
  entry.wish.file = NULL; /* the entry's own stays */
  if (!make_entry(&entry, wish, model, directory, why)) {
    release(&entry);
    return false;
  }
  policies->entries[policies->count++] = entry;
  return true;
}

static double processor_seconds(void) {
  struct timespec now;
  return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) ? (double)NAN : (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static glimpse_status solve(struct policies_entry *entry, const glimpse_model *model, const volatile int *interrupt,
                            glimpse_report *report) {
  glimpse_solve_options options = {.relative = entry->wish.relative,
                                   .epsilon = entry->wish.epsilon,
                                   .expansions = entry->wish.solve_expansions,
                                   .interrupt = interrupt,
                                   .jobs = 1}; /* so that the time of this thread is all that it took */
  glimpse_solve_result result;
  double started = processor_seconds();
  glimpse_status status = glimpse_policy_solve(model, NULL, &options, report, &result, &entry->policy);
  entry->seconds = processor_seconds() - started;
  if (status) return status;
  entry->expansions = (double)result.progress.expansions;
  if (result.stop != GLIMPSE_STOP_INTERRUPTED) return GLIMPSE_OK;
  glimpse_policy_free(entry->policy);
  entry->policy = NULL;
  return GLIMPSE_OK;
}

bool policies_make(struct policies_entry *entry, const glimpse_model *model, const volatile int *interrupt,
                   complaint *why) {
  if (entry->checked) return true;
  glimpse_report *report = glimpse_report_new();
  if (!report) return complain(why, "", "out of memory");
  glimpse_status status = entry->policy ? GLIMPSE_OK : solve(entry, model, interrupt, report);
  if (!status && entry->policy) {
    glimpse_proof proof;
    entry->info = glimpse_policy_measure(entry->policy);
    status = glimpse_policy_verify(entry->policy, model, report, &proof);
    entry->verified = !status && isfinite(entry->info.lower) && isfinite(entry->info.upper);
    if (status == GLIMPSE_NOT_APPLICABLE) status = GLIMPSE_OK; /* that is what `verified` says */
    entry->checked = !status;
  }
  bool good = !status || explain(entry->text, report, status, why);
  glimpse_report_free(report);
  return good;
}

void policies_free(struct policies *policies) {
  for (size_t i = 0; i < policies->count; i++) release(&policies->entries[i]);
  free(policies->entries);
  *policies = (struct policies){0};
}
