/* Names: what the flattened states, actions and observations are called.
 *
 * Names of glimpse begin with a letter and go on with letters, digits, _ and -.  In a value's name anything else
 * becomes _, and a name that begins with no letter, or is a word of .pomdp files, gets s, a or o in front; should two
 * values of a variable then be called the same, its values are numbered (s0, s1, ...).  The names of the values of all
 * variables are joined by _, or by one more _ than any of them has in a row.  So the first place at which there are
 * that many ends the first value's name (more _ before it are its own, since no name begins with _), and no two
 * products share a name. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xml/pomdpx_parts.h"

uint32_t pomdpx_names_index(const char *text, size_t length, uint32_t limit) {
  uint64_t value = 0;
  if (!length || length > 9 || (length > 1 && *text == '0')) return GLIMPSE_ANY;
  for (size_t i = 0; i < length; i++) {
    if (text[i] < '0' || text[i] > '9') return GLIMPSE_ANY;
    value = 10 * value + (uint64_t)(text[i] - '0');
  }
  return value < limit ? (uint32_t)value : GLIMPSE_ANY;
}

static bool is_letter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static bool is_plain(char c) {
  return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/* Words of .pomdp files, in which a model may be written later. */
static bool is_reserved(const struct pomdpx_value *value) {
  static const char *const words[] = {"discount", "values", "states", "actions", "observations", "start",    "include",
                                      "exclude",  "T",      "O",      "R",       "uniform",      "identity", "reset",
                                      "reward",   "cost",   NULL};
  for (size_t i = 0; words[i]; i++)
    if (value->length == strlen(words[i]) && !memcmp(value->text, words[i], value->length)) return true;
  return false;
}

/* A name of glimpse for this value; sets *changed when it is another one. */
static const char *make_name(pomdpx *reading, const pomdpx_variable *variable, const struct pomdpx_value *value,
                             bool *changed) {
  bool prefix = !is_letter(*value->text) || is_reserved(value);
  char *name = arena_take(&reading->tree->arena, value->length + 2, 1);
  if (!name) return NULL;
  char *to = name;
  if (prefix) *to++ = variable->letter;
  *changed = *changed || prefix;
  for (size_t i = 0; i < value->length; i++) {
    char c = value->text[i];
    if (((unsigned char)c & 0xc0) == 0x80) continue; /* of a character that has its _ */
    *changed = *changed || !is_plain(c);
    *to++ = is_plain(c) ? c : '_';
  }
  return name;
}

static int compare(const void *left, const void *right) {
  const char *const *a = left, *const *b = right;
  return strcmp(*a, *b);
}

/* 1: two are the same; 0: none are; -1: out of memory. */
static int repeated(const char *const *names, uint32_t count) {
  const char **sorted = malloc(count * sizeof *sorted);
  if (!sorted) return -1;
  for (uint32_t i = 0; i < count; i++) sorted[i] = names[i];
  qsort(sorted, count, sizeof *sorted, compare);
  int found = 0;
  for (uint32_t i = 1; i < count && !found; i++) found = !strcmp(sorted[i], sorted[i - 1]);
  free(sorted);
  return found;
}

bool pomdpx_names_make(pomdpx *reading, pomdpx_variable *variable) {
  const char **names = arena_take(&reading->tree->arena, variable->count, sizeof *names);
  if (!names) return pomdpx_stop(reading);
  bool changed = false;
  for (uint32_t i = 0; i < variable->count; i++) {
    const struct pomdpx_value *value = &variable->sorted[i];
    names[value->index] = make_name(reading, variable, value, &changed);
    if (!names[value->index]) return pomdpx_stop(reading);
  }
  int twice = changed ? repeated(names, variable->count) : 0;
  if (twice < 0) return pomdpx_stop(reading);
  if (!twice) variable->names = names;
  return true;
}

/* ---- the product ---- */

/* The variables whose values make one of a kind: observations have fully observed states behind them.  Copies, the
 * caller's to free. */
static pomdpx_variable *parts_of(const pomdpx *reading, glimpse_kind kind, size_t *count) {
  const pomdpx_list *list = &reading->list[kind], *states = &reading->list[GLIMPSE_STATE];
  pomdpx_variable *parts = malloc((list->count + states->count + 1) * sizeof *parts);
  if (!parts) return NULL;
  *count = 0;
  for (size_t i = 0; i < list->count; i++) parts[(*count)++] = list->item[i];
  for (size_t i = 0; kind == GLIMPSE_OBSERVATION && i < states->count; i++)
    if (states->item[i].observed) parts[(*count)++] = states->item[i];
  return parts;
}

static size_t longest_run(const char *name) {
  size_t longest = 0, run = 0;
  for (; *name; name++) {
    run = *name == '_' ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}

/* How many _ stand between names, and how long the longest name is. */
static size_t measure(const pomdpx_variable *parts, size_t count, size_t *joint) {
  size_t bytes = 0, run = 0;
  for (size_t i = 0; i < count; i++) {
    size_t longest = 10; /* a letter and a number */
    for (uint32_t k = 0; parts[i].names && k < parts[i].count; k++) {
      size_t length = strlen(parts[i].names[k]), here = longest_run(parts[i].names[k]);
      if (length > longest) longest = length;
      if (here > run) run = here;
    }
    bytes += longest;
  }
  *joint = run + 1;
  return bytes + count * *joint;
}

static char *put_name(char *at, const pomdpx_variable *part, uint32_t i, size_t joint) {
  memset(at, '_', joint);
  at += joint;
  if (!part->names) return at + sprintf(at, "%c%u", part->letter, (unsigned)i);
  size_t length = strlen(part->names[i]);
  memcpy(at, part->names[i], length + 1);
  return at + length;
}

/* The name of one of so many combinations of values, the last part counting fastest. */
static void join_name(const pomdpx_variable *parts, size_t count, uint32_t total, uint32_t i, char *name,
                      size_t joint) {
  char *at = name;
  for (size_t k = 0, left = total, rest = i; k < count; k++) {
    left /= parts[k].count;
    at = put_name(at, &parts[k], (uint32_t)(rest / left), k ? joint : 0);
    rest %= left;
  }
}

static bool name_all(pomdpx *reading, glimpse_kind kind, const pomdpx_variable *parts, size_t count, uint32_t total,
                     char *name, size_t joint) {
  for (uint32_t i = 0; i < total; i++) {
    join_name(parts, count, total, i, name, joint);
    if (glimpse_builder_name(reading->builder, kind, i, count ? name : "nothing")) return pomdpx_stop(reading);
  }
  return true;
}

/* Answers stay numbers where their names would be too long, as states do. */
glimpse_status pomdpx_names_answers(pomdpx *reading, uint32_t inquiry, const pomdpx_variable *parts, size_t count,
                                    uint32_t total) {
  size_t joint, bytes = measure(parts, count, &joint) + 1;
  if (bytes > 4 * reading->most_entries / total) return GLIMPSE_OK;
  char *name = malloc(bytes);
  glimpse_status status = name ? GLIMPSE_OK : GLIMPSE_NO_MEMORY;
  for (uint32_t z = 0; z < total && !status; z++) {
    join_name(parts, count, total, z, name, joint);
    status = glimpse_builder_answer_name(reading->builder, inquiry, z, name);
  }
  free(name);
  return status;
}

bool pomdpx_names_give(pomdpx *reading, glimpse_kind kind) {
  static const char *const plural[3] = {"states", "actions", "observations"};
  size_t count;
  uint64_t total = reading->list[kind].product * (kind == GLIMPSE_OBSERVATION ? reading->seen : 1);
  pomdpx_variable *parts = parts_of(reading, kind, &count);
  if (!parts) return pomdpx_stop(reading);
  size_t *joint = &reading->list[kind].joint, bytes = measure(parts, count, joint) + 1;
  bool good = true;
  if (bytes > 4 * reading->most_entries / total) {
    *joint = 0;
    pomdpx_warn(reading, reading->tree->root->at, "the %s are numbered, since names for all of them would be too long",
                plural[kind]);
  } else {
    char *name = malloc(bytes);
    good = name ? name_all(reading, kind, parts, count, (uint32_t)total, name, *joint) : pomdpx_stop(reading);
    free(name);
  }
  free(parts);
  return good;
}

/* Length of the name at the beginning of a joint one: what stands before the last `joint` of the first long enough run
 * of _; all of it when there is none. */
static size_t first_name(const char *text, size_t length, size_t joint) {
  for (size_t i = 0, run = 0; i < length; i++) {
    if (text[i] == '_') run++;
    else if (run >= joint) return i - joint;
    else run = 0;
  }
  return length;
}

static uint32_t find_name(const pomdpx_variable *variable, const char *text, size_t length) {
  if (!variable->names)
    return length && *text == variable->letter ? pomdpx_names_index(text + 1, length - 1, variable->count)
                                               : GLIMPSE_ANY;
  for (uint32_t i = 0; i < variable->count; i++)
    if (strlen(variable->names[i]) == length && !memcmp(variable->names[i], text, length)) return i;
  return GLIMPSE_ANY;
}

uint32_t pomdpx_names_state(const pomdpx *reading, const char *text, size_t length) {
  const pomdpx_list *list = &reading->list[GLIMPSE_STATE];
  uint32_t state = 0;
  if (!list->joint) return pomdpx_names_index(text, length, (uint32_t)list->product);
  for (size_t i = 0; i < list->count; i++) {
    bool last = i + 1 == list->count;
    size_t name = last ? length : first_name(text, length, list->joint), used = name + (last ? 0 : list->joint);
    uint32_t value = used <= length ? find_name(&list->item[i], text, name) : GLIMPSE_ANY;
    if (value == GLIMPSE_ANY) return GLIMPSE_ANY;
    state += value * list->item[i].stride;
    text += used;
    length -= used;
  }
  return state;
}
