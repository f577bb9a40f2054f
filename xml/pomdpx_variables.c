/* Variables: what <Variable> declares, and how large their product is.
 *
 * A variable has <NumValues> (values s0, s1, ... of a state, a0, ... of an action, o0, ... of an observation) or
 * <ValueEnum> (names).  Values are found by binary search; a number stands for the value of that index where no value
 * has that name.  The product of all variables of a kind is checked here, before anything of its size is allocated. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xml/pomdpx_parts.h"

static const char *const element_of[4] = {"StateVar", "ActionVar", "ObsVar", "RewardVar"};
static const char *const plural_of[3] = {"states", "actions", "observations"};

/* ---- values ---- */

static int compare(const void *left, const void *right) {
  const struct pomdpx_value *a = left, *b = right;
  int order = memcmp(a->text, b->text, a->length < b->length ? a->length : b->length);
  if (order) return order;
  if (a->length != b->length) return a->length < b->length ? -1 : 1;
  return a->index < b->index ? -1 : a->index > b->index;
}

uint32_t pomdpx_value_find(const pomdpx_variable *variable, const char *text, size_t length) {
  if (!variable->sorted) {
    size_t skip = length && *text == variable->letter;
    return pomdpx_names_index(text + skip, length - skip, variable->count);
  }
  struct pomdpx_value key = {text, length, 0};
  size_t low = 0, high = variable->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (compare(&variable->sorted[middle], &key) < 0) low = middle + 1;
    else high = middle;
  }
  const struct pomdpx_value *found = &variable->sorted[low];
  if (low < variable->count && found->length == length && !memcmp(found->text, text, length)) return found->index;
  return pomdpx_names_index(text, length, variable->count);
}

const char *pomdpx_value_text(const pomdpx_variable *variable, uint32_t i, char shown[XML_SHOWN]) {
  snprintf(shown, XML_SHOWN, "%c%u", variable->letter, (unsigned)i);
  if (!variable->sorted) return shown;
  for (uint32_t k = 0; k < variable->count; k++) { /* for messages only */
    const struct pomdpx_value *value = &variable->sorted[k];
    if (value->index == i) return xml_show(value->text, value->length, shown);
  }
  return shown;
}

static bool read_count(pomdpx *reading, pomdpx_variable *variable, const xml_element *element, uint32_t limit) {
  xml_words words = xml_words_of(element);
  xml_words_next(&words);
  uint32_t count = pomdpx_names_index(words.text, words.length, limit + 1);
  if (count == GLIMPSE_ANY || !count)
    return pomdpx_expected(reading, &words, "a number of values from 1 to %u", (unsigned)limit);
  if (xml_words_next(&words)) return pomdpx_expected(reading, &words, "one number");
  variable->count = count;
  return true;
}

static bool read_names(pomdpx *reading, pomdpx_variable *variable, const xml_element *element, uint32_t limit) {
  xml_words words = xml_words_of(element);
  uint32_t count = 0;
  while (xml_words_next(&words))
    if (count++ == limit)
      return pomdpx_error(reading, xml_words_at(&words), GLIMPSE_TOO_LARGE, "expected at most %u values, found more",
                          (unsigned)limit);
  if (!count) return pomdpx_expected(reading, &words, "the names of values");
  struct pomdpx_value *sorted = arena_take(&reading->tree->arena, count, sizeof *sorted);
  if (!sorted) return pomdpx_stop(reading);
  words = xml_words_of(element);
  for (uint32_t i = 0; xml_words_next(&words); i++) sorted[i] = (struct pomdpx_value){words.text, words.length, i};
  qsort(sorted, count, sizeof *sorted, compare);
  for (uint32_t i = 1; i < count; i++) {
    if (sorted[i].length != sorted[i - 1].length || memcmp(sorted[i].text, sorted[i - 1].text, sorted[i].length) != 0)
      continue;
    words = xml_words_of(element);
    for (uint32_t k = 0; k <= sorted[i].index; k++) xml_words_next(&words);
    return pomdpx_expected(reading, &words, "another value, for each comes once");
  }
  variable->sorted = sorted;
  variable->count = count;
  return pomdpx_names_make(reading, variable);
}

static bool read_values(pomdpx *reading, pomdpx_variable *variable, uint32_t limit) {
  static const char *const known[] = {"NumValues", "ValueEnum", NULL};
  const xml_element *element = variable->element, *number = pomdpx_child(reading, element, known[0]),
                    *names = pomdpx_child(reading, element, known[1]);
  for (const xml_element *child = element->first; child; child = child->next)
    if (!xml_is(child, known[0]) && !xml_is(child, known[1])) pomdpx_unknown(reading, child, known);
  pomdpx_no_text(reading, element);
  if (number && names)
    return pomdpx_error(reading, names->at, GLIMPSE_BAD_SYNTAX, "expected <NumValues> or <ValueEnum>, found both");
  if (number) return read_count(reading, variable, number, limit);
  if (names) return read_names(reading, variable, names, limit);
  return pomdpx_error(reading, element->at, GLIMPSE_BAD_SYNTAX,
                      "expected <ValueEnum> or <NumValues> in <%s>, found neither", element->name);
}

/* ---- variables ---- */

static bool read_name(pomdpx *reading, const xml_element *element, const char *key, const char **name) {
  *name = xml_attribute_get(element, key);
  if (!*name)
    return pomdpx_error(reading, element->at, GLIMPSE_BAD_SYNTAX, "expected %s=\"...\" in <%s>, found none", key,
                        element->name);
  char shown[XML_SHOWN];
  if (**name && !strpbrk(*name, " \t\r\n")) return true;
  pomdpx_error(reading, element->at, GLIMPSE_BAD_SYNTAX, "expected a name of one word in %s, found '%s'", key,
               xml_show(*name, strlen(*name), shown));
  *name = NULL;
  return false;
}

static void read_observed(pomdpx *reading, pomdpx_variable *variable) {
  const char *word = xml_attribute_get(variable->element, "fullyObs");
  char shown[XML_SHOWN];
  if (!word) return;
  variable->observed = !strcmp(word, "true") || !strcmp(word, "1");
  if (!variable->observed && strcmp(word, "false") != 0 && strcmp(word, "0") != 0)
    pomdpx_error(reading, variable->element->at, GLIMPSE_BAD_SYNTAX,
                 "expected fullyObs=\"true\" or \"false\", found '%s'", xml_show(word, strlen(word), shown));
}

static void read_variable(pomdpx *reading, int kind, pomdpx_variable *variable, const xml_element *element) {
  variable->element = element;
  variable->letter = "sao"[kind % 3];
  if (kind == GLIMPSE_STATE) {
    read_name(reading, element, "vnamePrev", &variable->name);
    read_name(reading, element, "vnameCurr", &variable->current);
    read_observed(reading, variable);
  } else {
    read_name(reading, element, "vname", &variable->name);
  }
  if (kind != POMDPX_REWARD)
    read_values(reading, variable, kind == GLIMPSE_ACTION ? GLIMPSE_MAX_ACTIONS : GLIMPSE_MAX_COUNT);
}

static bool same(const char *name, const char *text, size_t length) {
  return name && strlen(name) == length && !memcmp(name, text, length);
}

const pomdpx_variable *pomdpx_variable_find(const pomdpx *reading, const char *text, size_t length, pomdpx_group *group,
                                            uint32_t *index) {
  static const pomdpx_group group_of[3] = {POMDPX_PREVIOUS, POMDPX_ACTION, POMDPX_SEEN};
  for (int kind = 0; kind < 3; kind++)
    for (size_t i = 0; i < reading->list[kind].count; i++) {
      const pomdpx_variable *variable = &reading->list[kind].item[i];
      bool current = same(variable->current, text, length);
      if (!current && !same(variable->name, text, length)) continue;
      *group = current ? POMDPX_CURRENT : group_of[kind];
      *index = (uint32_t)i;
      return variable;
    }
  return NULL;
}

/* Does another one before it have this name? */
static bool taken(const pomdpx *reading, const pomdpx_variable *until, const char *name) {
  for (int kind = 0; kind < 4; kind++)
    for (size_t i = 0; i < reading->list[kind].count; i++) {
      const pomdpx_variable *variable = &reading->list[kind].item[i];
      if (variable == until) return name == until->current && same(until->name, name, strlen(name));
      if (same(variable->name, name, strlen(name)) || same(variable->current, name, strlen(name))) return true;
    }
  return false;
}

static void check_names(pomdpx *reading) {
  for (int kind = 0; kind < 4; kind++)
    for (size_t i = 0; i < reading->list[kind].count; i++) {
      const pomdpx_variable *variable = &reading->list[kind].item[i];
      const char *names[2] = {variable->name, variable->current};
      for (int k = 0; k < 2; k++) {
        char shown[XML_SHOWN];
        if (names[k] && taken(reading, variable, names[k]))
          pomdpx_error(reading, variable->element->at, GLIMPSE_BAD_SYNTAX,
                       "expected another name, found '%s' once more", xml_show(names[k], strlen(names[k]), shown));
      }
    }
}

/* ---- the product ---- */

static bool too_many(pomdpx *reading, const pomdpx_variable *at, int kind, uint64_t limit) {
  return pomdpx_error(reading, at->element->at, GLIMPSE_TOO_LARGE,
                      "expected at most %" PRIu64 " %s as the product of all variables, found more from here on", limit,
                      plural_of[kind]);
}

static bool multiply(pomdpx *reading, int kind, uint64_t *product, const pomdpx_variable *variable) {
  uint64_t limit = kind == GLIMPSE_ACTION ? GLIMPSE_MAX_ACTIONS : GLIMPSE_MAX_COUNT;
  *product *= variable->count;
  return *product <= limit || too_many(reading, variable, kind, limit);
}

/* The last variable counts fastest. */
static void set_strides(pomdpx_list *list) {
  uint64_t stride = 1;
  for (size_t i = list->count; i-- > 0;) {
    list->item[i].stride = (uint32_t)stride;
    stride *= list->item[i].count;
  }
}

static bool check_sizes(pomdpx *reading, const xml_element *element) {
  for (int kind = 0; kind < 3; kind++) {
    pomdpx_list *list = &reading->list[kind];
    list->product = 1;
    for (size_t i = 0; i < list->count; i++)
      if (!multiply(reading, kind, &list->product, &list->item[i])) return false;
    set_strides(list);
  }
  uint64_t seen = reading->list[GLIMPSE_OBSERVATION].product;
  reading->seen = 1;
  for (size_t i = 0; i < reading->list[GLIMPSE_STATE].count; i++) {
    const pomdpx_variable *variable = &reading->list[GLIMPSE_STATE].item[i];
    if (!variable->observed) continue;
    reading->seen *= variable->count;
    if (!multiply(reading, GLIMPSE_OBSERVATION, &seen, variable)) return false;
  }
  uint64_t rows = reading->list[GLIMPSE_STATE].product * reading->list[GLIMPSE_ACTION].product;
  if (rows <= reading->most_rows) return true;
  return pomdpx_error(reading, element->at, GLIMPSE_TOO_LARGE,
                      "expected at most %" PRIu64 " pairs of state and action%s, found %" PRIu64 " (%" PRIu64
                      " times %" PRIu64 ")",
                      reading->most_rows, reading->most_rows < GLIMPSE_MAX_ROWS ? " from so short a text" : "", rows,
                      reading->list[GLIMPSE_STATE].product, reading->list[GLIMPSE_ACTION].product);
}

static int kind_of(const xml_element *element) {
  for (int kind = 0; kind < 4; kind++)
    if (xml_is(element, element_of[kind])) return kind;
  return -1;
}

static bool make_lists(pomdpx *reading, const xml_element *element) {
  static const char *const known[] = {"StateVar", "ActionVar", "ObsVar", "RewardVar", NULL};
  for (const xml_element *child = element->first; child; child = child->next) {
    int kind = kind_of(child);
    if (kind < 0) pomdpx_unknown(reading, child, known);
    else if (++reading->list[kind].count > POMDPX_VARIABLES)
      return pomdpx_error(reading, child->at, GLIMPSE_TOO_LARGE, "expected at most %d <%s>, found more",
                          (int)POMDPX_VARIABLES, child->name);
  }
  pomdpx_no_text(reading, element);
  for (int kind = 0; kind < 4; kind++) {
    pomdpx_list *list = &reading->list[kind];
    list->item = arena_take(&reading->tree->arena, list->count, sizeof *list->item);
    if (!list->item) return pomdpx_stop(reading);
    list->count = 0;
  }
  return true;
}

bool pomdpx_variables_read(pomdpx *reading, const xml_element *element) {
  size_t before = reading->errors;
  if (!make_lists(reading, element)) return false;
  for (const xml_element *child = element->first; child && !reading->stopped; child = child->next) {
    int kind = kind_of(child);
    if (kind < 0) continue;
    pomdpx_list *list = &reading->list[kind];
    read_variable(reading, kind, &list->item[list->count++], child);
  }
  for (int kind = 0; kind < 4; kind++)
    if (!reading->list[kind].count && kind != GLIMPSE_OBSERVATION)
      pomdpx_error(reading, element->at, GLIMPSE_BAD_SYNTAX, "expected at least one <%s> in <Variable>, found none",
                   element_of[kind]);
  check_names(reading);
  return reading->errors == before && check_sizes(reading, element);
}
