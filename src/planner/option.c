/* Option: the table of options in glimpse.h, for those who read it row by row; and what glimpse_planner_new makes of
 * a caller's options before any planner sees them.
 *
 * Zero in a field is the default.  gli_option_settle fills it in and refuses what is out of range, so that planners
 * find every field as they need it. */
#include "planner/option.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/report.h"

static const glimpse_planner_option rows[] = {
#define X(kind, type, field, key, argument, preset, low, high, traits, scope, text)                                    \
  {GLIMPSE_VALUE_##kind,  #field, key, offsetof(glimpse_planner_options, field), argument, preset, low, high, traits,  \
   GLIMPSE_SCOPE_##scope, text},
    GLIMPSE_PLANNER_OPTION_TABLE(X)
#undef X
};
enum { ROWS = sizeof rows / sizeof *rows };

/* Fields are read and written by the kind of their value. */
#define TYPE_FLAG bool
#define TYPE_CHOICE unsigned
#define TYPE_COUNT uint64_t
#define TYPE_SIZE uint64_t
#define TYPE_NUMBER double
#define TYPE_POSITIVE double
#define X(kind, type, field, ...) _Static_assert(sizeof(type) == sizeof(TYPE_##kind), #field);
GLIMPSE_PLANNER_OPTION_TABLE(X)
#undef X

const glimpse_planner_option *glimpse_planner_option_get(size_t i) {
  return i < ROWS ? &rows[i] : NULL;
}

unsigned glimpse_planner_traits(glimpse_planner_kind kind) {
  switch (kind) {
#define X(name, key, text, traits)                                                                                     \
  case GLIMPSE_PLANNER_##name: return (traits) | GLIMPSE_TRAIT_IS(name);
    GLIMPSE_PLANNER_TABLE(X)
#undef X
    case GLIMPSE_PLANNER_KINDS: break;
  }
  return 0;
}

bool glimpse_planner_needs_offline(const glimpse_planner_options *options) {
  return glimpse_planner_traits(options->kind) & GLIMPSE_TRAIT_BOUNDS || options->rollout == GLIMPSE_ROLLOUT_UPPER;
}

/* ------------------------------------------------------------------ values */

static uint64_t count_of(const glimpse_planner_options *options, const glimpse_planner_option *row) {
  const char *field = (const char *)options + row->offset;
  uint64_t count = 0;
  unsigned word = 0;
  bool flag = false;
  switch (row->kind) {
    case GLIMPSE_VALUE_FLAG: memcpy(&flag, field, sizeof flag); return flag;
    case GLIMPSE_VALUE_CHOICE: memcpy(&word, field, sizeof word); return word;
    case GLIMPSE_VALUE_COUNT:
    case GLIMPSE_VALUE_SIZE: memcpy(&count, field, sizeof count); return count;
    case GLIMPSE_VALUE_NUMBER:
    case GLIMPSE_VALUE_POSITIVE: break;
  }
  return 0;
}

static bool is_real(const glimpse_planner_option *row) {
  return row->kind == GLIMPSE_VALUE_NUMBER || row->kind == GLIMPSE_VALUE_POSITIVE;
}

static double value_of(const glimpse_planner_options *options, const glimpse_planner_option *row) {
  double value = 0;
  if (!is_real(row)) return (double)count_of(options, row);
  memcpy(&value, (const char *)options + row->offset, sizeof value);
  return value;
}

/* The default as a number; 0 where it is none. */
static double preset_of(const glimpse_planner_option *row) {
  double value = 0;
  size_t length = row->preset && row->kind != GLIMPSE_VALUE_CHOICE ? strlen(row->preset) : 0;
  size_t read = length ? glimpse_number_read(row->preset, length, &value) : 0;
  if (!read) return 0;
  return row->preset[read] == 'G' ? value * (1 << 30) : value;
}

static void store(glimpse_planner_options *options, const glimpse_planner_option *row, double value) {
  char *field = (char *)options + row->offset;
  uint64_t count = (uint64_t)value;
  if (is_real(row)) memcpy(field, &value, sizeof value);
  else memcpy(field, &count, sizeof count);
}

/* Word number i of "a|b|c"; NULL past the last. */
static const char *word_at(const char *words, uint64_t i, size_t *length) {
  for (; i; i--) {
    words = strchr(words, '|');
    if (!words) return NULL;
    words++;
  }
  *length = strcspn(words, "|");
  return words;
}

bool glimpse_planner_option_write(const glimpse_planner_option *option, const glimpse_planner_options *options,
                                  char text[GLIMPSE_NUMBER_SIZE]) {
  double value = value_of(options, option), preset = preset_of(option);
  size_t length = 0;
  const char *word =
      option->kind == GLIMPSE_VALUE_CHOICE ? word_at(option->argument, count_of(options, option), &length) : NULL;
  bool unset = !(value < 0) && !(value > 0);
  if (option->kind == GLIMPSE_VALUE_FLAG) snprintf(text, GLIMPSE_NUMBER_SIZE, "%s", unset ? "false" : "true");
  else if (option->kind == GLIMPSE_VALUE_CHOICE)
    snprintf(text, GLIMPSE_NUMBER_SIZE, "%.*s", word ? (int)length : 1, word ? word : "?");
  else if (is_real(option) || unset) glimpse_number_write(unset ? preset : value, text);
  else snprintf(text, GLIMPSE_NUMBER_SIZE, "%" PRIu64, count_of(options, option));
  return !unset && (value < preset || value > preset);
}

/* ---------------------------------------------------------------- settling */

static glimpse_status check(const glimpse_planner_options *options, const glimpse_planner_option *row,
                            glimpse_report *report) {
  double value = value_of(options, row);
  size_t length;
  char low[GLIMPSE_NUMBER_SIZE], high[GLIMPSE_NUMBER_SIZE], text[GLIMPSE_NUMBER_SIZE];
  if (row->kind == GLIMPSE_VALUE_CHOICE && !word_at(row->argument, count_of(options, row), &length))
    return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT, "%s: there is no such choice; it is one of %s", row->key,
                    row->argument);
  if (row->kind == GLIMPSE_VALUE_POSITIVE && !(value >= 0 && isfinite(value)))
    return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT, "%s: expected a number above 0, or 0 for the default", row->key);
  /* A limit of memory that is too small for the model is refused where that is known. */
  bool small = row->kind != GLIMPSE_VALUE_SIZE && !(value >= row->low);
  bool ranged = row->high > 0 && (value < 0 || value > 0 || isnan(value));
  if (ranged && (small || !(value <= row->high))) {
    glimpse_number_write(value, text);
    glimpse_number_write(row->low, low);
    glimpse_number_write(row->high, high);
    return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT, "%s: %s is not between %s and %s", row->key, text, low, high);
  }
  return GLIMPSE_OK;
}

/* Options that change the defaults of others. */
static void imply(glimpse_planner_options *options) {
  if (options->paper && options->improve == GLIMPSE_IMPROVE_SOUND) options->improve = GLIMPSE_IMPROVE_NONE;
  if (options->paper && options->kind == GLIMPSE_PLANNER_AEMS_LOOP) options->kind = GLIMPSE_PLANNER_AEMS_SR;
  if (options->paper || options->plain) options->graph = GLIMPSE_GRAPH_RESET;
}

glimpse_status gli_option_settle(glimpse_planner_options *options, glimpse_report *report) {
  if (!glimpse_planner_traits(options->kind)) return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT, "there is no such planner");
  for (size_t i = 0; i < ROWS; i++) {
    glimpse_status status = check(options, &rows[i], report);
    if (status) return status;
  }
  for (size_t i = 0; i < ROWS; i++)
    if (preset_of(&rows[i]) > 0 && !(value_of(options, &rows[i]) > 0)) store(options, &rows[i], preset_of(&rows[i]));
  imply(options);
  return GLIMPSE_OK;
}

/* --------------------------------------------------------------- old words */

const char *glimpse_word_today(const char *of, const char *word) {
  static const struct {
    const char *of, *old, *today;
  } words[] = {
      {"", "ask_when_lost", "ask-when-lost"}, {"", "max-seconds", "max-time"}, {"", "max_bytes", "max-memory"},
      {"", "max_memory", "max-memory"},       {"", "max_seconds", "max-time"}, {"", "max_steps", "max-steps"},
      {"", "paper_seconds", "paper-time"},    {"", "seconds", "time"},         {"rollout", "qmdp", "upper"},
      {"bound", "always_ask", "always-ask"},  {"bound", "fib_sr", "fib-sr"},   {"bound", "tib_sr", "tib-sr"},
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strcmp(words[i].of, of) && !strcmp(words[i].old, word)) return words[i].today;
  return NULL;
}
