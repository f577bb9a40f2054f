/* Environments: finding one in the table, and the reading of
 * "name:key=value,key=value".
 *
 * A specification is judged as a whole: every wrong item gets its own message,
 * which names the key, the value and what is allowed, so that a user mends them
 * in one go.  All of them are BAD_ARGUMENT.  The source of the messages is the
 * environment's name, the text does not repeat it. */
#include "environments/environment.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/report.h"

static const gli_environment *const table[] = {
#define X(name) &gli_environment_##name,
    GLI_ENVIRONMENT_TABLE(X)
#undef X
};

enum { TABLE_SIZE = sizeof table / sizeof table[0], QUOTE_SIZE = 41, LIST_SIZE = 200 };

const glimpse_environment *glimpse_environment_get(size_t i) {
  return i < TABLE_SIZE ? &table[i]->shown : NULL;
}

/* ---- words of the user in messages ---- */

/* Copies at most QUOTE_SIZE - 1 characters; what cannot be printed becomes '?'. */
static const char *quote(char out[QUOTE_SIZE], const char *text, size_t length) {
  size_t n = length < QUOTE_SIZE ? length : QUOTE_SIZE - 1;
  for (size_t i = 0; i < n; i++) out[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
  if (n < length) memcpy(out + n - 3, "...", 3);
  out[n] = 0;
  return out;
}

/* The beginning of the word, or a slip of the fingers: at most a third of the letters. */
static bool near(const char *word, size_t length, const char *other) {
  size_t m = strlen(other);
  return (length && !strncmp(word, other, length)) || glimpse_word_distance(word, length, other, m) <= m / 3;
}

/* ", "-separated words into a list that is cut where it is full. */
static void list_add(char list[LIST_SIZE], const char *word) {
  size_t used = strlen(list);
  snprintf(list + used, LIST_SIZE - used, "%s%s", used ? ", " : "", word);
}

static glimpse_status fail_name(glimpse_report *report, const char *name, size_t length) {
  char quoted[QUOTE_SIZE], list[LIST_SIZE] = "";
  const char *meant = NULL;
  size_t best = SIZE_MAX;
  for (size_t i = 0; i < TABLE_SIZE; i++) {
    const char *known = table[i]->shown.name;
    list_add(list, known);
    size_t d = glimpse_word_distance(name, length, known, strlen(known));
    if (d < best && near(name, length, known)) {
      best = d;
      meant = known;
    }
  }
  gli_report_source(report, quote(quoted, name, length));
  return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT, "there is no environment '%s'%s%s%s; there are %s", quoted,
                  meant ? ", perhaps you mean '" : "", meant ? meant : "", meant ? "'" : "", list);
}

static glimpse_status fail_key(glimpse_report *report, const gli_environment *environment, const char *key,
                               size_t length) {
  char quoted[QUOTE_SIZE], list[LIST_SIZE] = "";
  for (const glimpse_parameter *p = environment->shown.parameters; p->key; p++) list_add(list, p->key);
  return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT, "there is no parameter '%s'; there are %s", quote(quoted, key, length),
                  list);
}

/* ---- values ---- */

/* A number, or a fraction of two numbers. */
static bool read_number(const char *text, size_t length, double *value) {
  double number, divisor = 1;
  size_t used = glimpse_number_read(text, length, &number);
  if (!used) return false;
  if (used < length && text[used] == '/') {
    size_t more = glimpse_number_read(text + used + 1, length - used - 1, &divisor);
    if (!more || divisor == 0) return false;
    used += 1 + more;
  }
  *value = number / divisor + 0.0; /* no negative zero */
  return used == length && isfinite(*value);
}

static bool read_choice(const char *choices, const char *text, size_t length, double *value) {
  for (int i = 0; choices; i++) {
    const char *end = strchr(choices, '|');
    size_t size = end ? (size_t)(end - choices) : strlen(choices);
    if (size == length && !memcmp(choices, text, length)) {
      *value = i;
      return true;
    }
    choices = end ? end + 1 : NULL;
  }
  return false;
}

static bool read_value(const gli_parameter_range *range, const char *text, size_t length, double *value) {
  if (range->kind == GLI_CHOICE) return read_choice(range->choices, text, length, value);
  if (!read_number(text, length, value)) return false;
  if (range->kind == GLI_COST) return *value >= 0;
  if (range->kind == GLI_WHOLE && *value != floor(*value)) return false;
  return *value >= range->low && *value <= range->high;
}

/* ---- specifications ---- */

typedef struct reader {
  const gli_environment *environment;
  glimpse_report *report;
  double value[GLI_PARAMETERS_MAX];
  bool given[GLI_PARAMETERS_MAX];
} reader;

/* One "key=value". */
static glimpse_status read_item(reader *r, const char *item, size_t length) {
  char quoted[QUOTE_SIZE];
  const glimpse_parameter *shown = r->environment->shown.parameters;
  const char *equals = memchr(item, '=', length);
  if (!equals || equals == item)
    return GLI_FAIL(r->report, GLIMPSE_BAD_ARGUMENT, "expected key=value, found '%s'", quote(quoted, item, length));
  size_t key_length = (size_t)(equals - item), i = 0;
  while (shown[i].key && (strlen(shown[i].key) != key_length || memcmp(shown[i].key, item, key_length) != 0)) i++;
  if (!shown[i].key) return fail_key(r->report, r->environment, item, key_length);
  if (r->given[i]) return GLI_FAIL(r->report, GLIMPSE_BAD_ARGUMENT, "%s is given twice", shown[i].key);
  r->given[i] = true;
  const gli_parameter_range *range = &r->environment->ranges[i];
  if (read_value(range, equals + 1, length - key_length - 1, &r->value[i])) return GLIMPSE_OK;
  return GLI_FAIL(r->report, GLIMPSE_BAD_ARGUMENT, "%s must be %s, not '%s'", shown[i].key, range->text,
                  quote(quoted, equals + 1, length - key_length - 1));
}

static glimpse_status read_items(reader *r, const char *items) {
  glimpse_status status = GLIMPSE_OK;
  while (items) {
    const char *comma = strchr(items, ',');
    size_t length = comma ? (size_t)(comma - items) : strlen(items);
    if (read_item(r, items, length)) status = GLIMPSE_BAD_ARGUMENT;
    items = comma ? comma + 1 : NULL;
  }
  return status;
}

static const gli_environment *find(const char *spec) {
  size_t length = strcspn(spec, ":");
  for (size_t i = 0; i < TABLE_SIZE; i++)
    if (strlen(table[i]->shown.name) == length && !memcmp(table[i]->shown.name, spec, length)) return table[i];
  return NULL;
}

const glimpse_environment *glimpse_environment_find(const char *spec) {
  const gli_environment *environment = find(spec);
  return environment ? &environment->shown : NULL;
}

glimpse_status glimpse_environment_make(const char *spec, glimpse_report *report, glimpse_model **model) {
  *model = NULL;
  const char *colon = strchr(spec, ':');
  reader r = {.report = report, .environment = find(spec)};
  if (!r.environment) return fail_name(report, spec, strcspn(spec, ":"));
  gli_report_source(report, r.environment->shown.name);
  const glimpse_parameter *shown = r.environment->shown.parameters;
  for (size_t i = 0; shown[i].key; i++) /* defaults are valid; a test sees to it */
    read_value(&r.environment->ranges[i], shown[i].value, strlen(shown[i].value), &r.value[i]);
  glimpse_status status = read_items(&r, colon ? colon + 1 : NULL);
  return status ? status : r.environment->make(r.value, report, model);
}
