/* Field: see field.h. */
#include "experiment/field.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "glimpse.h"

struct fields field_inside(const struct fields *fields, const document *object) {
  struct fields inside = {.source = fields->source, .scale = fields->scale, .why = fields->why};
  const document *scales = document_get(object, "scales");
  const document *scaled = fields->scale ? document_get(scales, fields->scale) : NULL;
  if (scaled) inside.level[inside.count++] = scaled;
  inside.level[inside.count++] = object;
  for (size_t i = 0; i < fields->count && inside.count < FIELD_LEVELS; i++)
    inside.level[inside.count++] = fields->level[i];
  return inside;
}

const document *field_find(const struct fields *fields, const char *name) {
  for (size_t i = 0; i < fields->count; i++) {
    const document *value = document_get(fields->level[i], name);
    if (value) return value;
  }
  return NULL;
}

const document *field_level(const struct fields *fields, const char *const *names) {
  for (size_t i = 0; i < fields->count; i++)
    for (size_t k = 0; names[k]; k++)
      if (document_get(fields->level[i], names[k])) return fields->level[i];
  return NULL;
}

bool field_complain(const struct fields *fields, const document *value, const char *name, const char *format, ...) {
  char place[1100], text[900];
  va_list arguments;
  va_start(arguments, format);
  if (vsnprintf(text, sizeof text, format, arguments) < 0) text[0] = 0;
  va_end(arguments);
  if (value) snprintf(place, sizeof place, "%.1000s:%zu", fields->source, value->line);
  else snprintf(place, sizeof place, "%.1000s", fields->source);
  return complain(fields->why, place, "field '%s': %s", name, text);
}

/* ---------------------------------------------------------- unknown fields */

const char *field_nearest(const char *word, const char *const *words) {
  size_t length = strlen(word), near = length < 3 ? 1 : length < 5 ? 2 : 3; /* "a" is like no other word */
  const char *best = NULL;
  for (size_t i = 0; words[i]; i++) {
    size_t far = glimpse_word_distance(word, length, words[i], strlen(words[i]));
    if (far < near) near = far, best = words[i];
  }
  return best;
}

/* Words that say the same. */
static const char *synonym(const char *word) {
  static const char *const pairs[][2] = {
      {"steps", "max-steps"},     {"second", "time"},       {"model", "environments"},
      {"models", "environments"}, {"price", "cost"},        {"costs", "cost"},
      {"gamma", "discount"},      {"memory", "max-memory"}, {"simulations", "expansions"},
      {"runs", "episodes"},       {"bound", "upper"},       {"bounds", "upper"},
      {"files", "environments"},  {"request", "cost"},      {"requests", "cost"},
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (!strcmp(word, pairs[i][0])) return pairs[i][1];
  return NULL;
}

static bool is_among(const char *word, const char *const *words) {
  for (size_t i = 0; word && words[i]; i++)
    if (!strcmp(word, words[i])) return true;
  return false;
}

bool field_known(const struct fields *fields, const document *object, const char *const *allowed) {
  for (const document *child = object->first; child; child = child->next) {
    if (is_among(child->key, allowed)) continue;
    const char *best = synonym(child->key);
    if (!is_among(best, allowed)) best = field_nearest(child->key, allowed);
    if (best) return field_complain(fields, child, child->key, "there is no such field here; did you mean '%s'?", best);
    field_complain(fields, child, child->key, "there is no such field here");
    return advise(fields->why, "'glimpse bench --show paper' prints an example; docs/EXPERIMENTS.md lists the fields");
  }
  return true;
}

/* ------------------------------------------------------------------ values */

static bool wrong_kind(const struct fields *fields, const document *value, const char *name, const char *wanted) {
  if (value->kind == DOCUMENT_TEXT)
    return field_complain(fields, value, name, "expected %s, found the text '%s'", wanted, value->text);
  if (value->kind == DOCUMENT_NUMBER)
    return field_complain(fields, value, name, "expected %s, found %s", wanted, value->text);
  return field_complain(fields, value, name, "expected %s, found %s", wanted, document_kind_text(value->kind));
}

bool field_bool(const struct fields *fields, const char *name, bool *result) {
  const document *value = field_find(fields, name);
  if (!value) return true;
  if (value->kind != DOCUMENT_BOOL) return wrong_kind(fields, value, name, "true or false");
  *result = value->truth;
  return true;
}

static bool in_range(const struct fields *fields, const char *name, const document *value, double low, double high) {
  if (value->number >= low && value->number <= high) return true;
  char least[40], most[40];
  snprintf(least, sizeof least, "%g", low);
  snprintf(most, sizeof most, "%g", high);
  return field_complain(fields, value, name, "%s is not between %s and %s", value->text, least, most);
}

bool field_number(const struct fields *fields, const char *name, double low, double high, double *result) {
  const document *value = field_find(fields, name);
  if (!value) return true;
  if (value->kind != DOCUMENT_NUMBER) return wrong_kind(fields, value, name, "a number");
  if (!in_range(fields, name, value, low, high)) return false;
  *result = value->number;
  return true;
}

bool field_count(const struct fields *fields, const char *name, double low, double high, uint64_t *result) {
  const document *value = field_find(fields, name);
  if (!value) return true;
  if (value->kind != DOCUMENT_NUMBER || value->number != floor(value->number))
    return wrong_kind(fields, value, name, "a whole number");
  if (!in_range(fields, name, value, low, high)) return false;
  *result = (uint64_t)value->number;
  return true;
}

bool field_text(const struct fields *fields, const char *name, const char **result) {
  const document *value = field_find(fields, name);
  if (!value) return true;
  if (value->kind != DOCUMENT_TEXT) return wrong_kind(fields, value, name, "a text");
  if (!*value->text) return field_complain(fields, value, name, "the text is empty");
  *result = value->text;
  return true;
}

bool field_word_of(const struct fields *fields, const document *value, const char *name, const char *const *words,
                   unsigned *result) {
  if (value->kind != DOCUMENT_TEXT) return wrong_kind(fields, value, name, "a text");
  char all[300] = "";
  for (unsigned i = 0; words[i]; i++) {
    if (!strcmp(words[i], value->text)) {
      *result = i;
      return true;
    }
    size_t used = strlen(all);
    snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "", words[i]);
  }
  const char *near = field_nearest(value->text, words);
  return field_complain(fields, value, name, "'%s' is not one of %s%s%s%s", value->text, all,
                        near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

bool field_word(const struct fields *fields, const char *name, const char *const *words, unsigned *result) {
  const document *value = field_find(fields, name);
  return !value || field_word_of(fields, value, name, words, result);
}

/* The words "a|b|c" as a list that ends with NULL; cuts the text. */
static void split(char *words, const char *list[], size_t most) {
  size_t count = 0;
  list[count++] = words;
  for (char *bar = strchr(words, '|'); bar && count + 1 < most; bar = strchr(bar + 1, '|')) {
    list[count++] = bar + 1;
    *bar = 0;
  }
  list[count] = NULL;
}

bool field_option(const struct fields *fields, const glimpse_planner_option *option, glimpse_planner_options *options) {
  char *field = (char *)options + option->offset;
  /* Numbers of JSON are exact up to here. */
  double low = option->low, high = fmin(option->high, 1e15), number = 0;
  if (option->kind == GLIMPSE_VALUE_POSITIVE) low = 1e-300, high = 1e300;
  uint64_t count = 0;
  unsigned word = 0;
  bool flag = false, good = true;
  switch (option->kind) {
    case GLIMPSE_VALUE_FLAG:
      good = field_bool(fields, option->key, &flag);
      memcpy(field, &flag, sizeof flag);
      break;
    case GLIMPSE_VALUE_CHOICE: {
      char words[300];
      const char *list[32];
      snprintf(words, sizeof words, "%s", option->argument);
      split(words, list, sizeof list / sizeof *list);
      good = field_word(fields, option->key, list, &word);
      memcpy(field, &word, sizeof word);
      break;
    }
    case GLIMPSE_VALUE_COUNT:
    case GLIMPSE_VALUE_SIZE:
      good = field_count(fields, option->key, low, high, &count);
      memcpy(field, &count, sizeof count);
      break;
    case GLIMPSE_VALUE_NUMBER:
    case GLIMPSE_VALUE_POSITIVE:
      good = field_number(fields, option->key, low, high, &number);
      memcpy(field, &number, sizeof number);
      break;
  }
  return good;
}

const document *field_first(const document *value) {
  return !value || value->kind != DOCUMENT_LIST ? value : value->first;
}

const document *field_next(const document *value, const document *item) {
  return value->kind == DOCUMENT_LIST ? item->next : NULL;
}
