/* Functions: <CondProb> and <Func>, each with its <Var>, its <Parent>s and a <Parameter>.
 *
 * What a function may depend on: the start of a state on other states before the action; a transition on actions and
 * on states before and behind the action; an observation on actions and on states behind the action, since a model of
 * glimpse has P(o | a, s'); a reward on anything.  States that depend on each other must not do so in a circle. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/nearest.h"
#include "xml/pomdpx_parts.h"

enum { HINT = 2 * XML_SHOWN };

struct section {
  const char *name, *function;
  int kind;             /* of the variable: glimpse_kind or POMDPX_REWARD */
  bool start;           /* of the names of a state variable the first counts */
  unsigned groups;      /* parents that are allowed */
  const char *expected; /* in words */
};

static const struct section sections[] = {
    {"InitialStateBelief", "CondProb", GLIMPSE_STATE, true, 1u << POMDPX_PREVIOUS, "a state variable (vnamePrev)"},
    {"StateTransitionFunction", "CondProb", GLIMPSE_STATE, false,
     1u << POMDPX_ACTION | 1u << POMDPX_PREVIOUS | 1u << POMDPX_CURRENT, "a state variable (vnameCurr)"},
    {"ObsFunction", "CondProb", GLIMPSE_OBSERVATION, false, 1u << POMDPX_ACTION | 1u << POMDPX_CURRENT,
     "an observation variable"},
    {"RewardFunction", "Func", POMDPX_REWARD, false, (1u << POMDPX_GROUPS) - 1, "a reward variable"},
};

static const char *name_of(const pomdpx_variable *variable, const struct section *section) {
  return section->kind == GLIMPSE_STATE && !section->start ? variable->current : variable->name;
}

/* "; did you mean 'x'?" among the names that a section's functions may have. */
static const char *hint_variable(const pomdpx *reading, const struct section *section, const char *word,
                                 char hint[HINT]) {
  const pomdpx_list *list = &reading->list[section->kind];
  struct nearest nearest = nearest_begin(word);
  for (size_t i = 0; i < list->count; i++) nearest_offer(&nearest, name_of(&list->item[i], section));
  if (nearest.best) snprintf(hint, HINT, "; did you mean '%s'?", nearest.best);
  else *hint = 0;
  return hint;
}

static pomdpx_variable *read_variable(pomdpx *reading, const struct section *section, const xml_element *element) {
  const xml_element *var = pomdpx_need(reading, element, "Var");
  if (!var) return NULL;
  xml_words words = xml_words_of(var);
  if (!xml_words_next(&words)) return pomdpx_expected(reading, &words, "%s", section->expected), NULL;
  pomdpx_list *list = &reading->list[section->kind];
  xml_words more = words;
  if (xml_words_next(&more)) return pomdpx_expected(reading, &more, "one variable"), NULL;
  for (size_t i = 0; i < list->count; i++) {
    const char *name = name_of(&list->item[i], section);
    if (strlen(name) == words.length && !memcmp(name, words.text, words.length)) return &list->item[i];
  }
  char hint[HINT], shown[XML_SHOWN];
  xml_show(words.text, words.length, shown);
  pomdpx_error(reading, xml_words_at(&words), GLIMPSE_BAD_SYNTAX, "expected %s, found '%s'%s", section->expected, shown,
               hint_variable(reading, section, shown, hint));
  return NULL;
}

/* Why a variable that is known cannot be a parent here. */
static bool refuse_parent(pomdpx *reading, const struct section *section, const xml_words *words) {
  char shown[XML_SHOWN];
  const char *why = section->start ? "the start depends on states before the action (vnamePrev) only"
                    : section->kind == GLIMPSE_OBSERVATION
                        ? "an observation depends on the action and on states behind it (vnameCurr) only"
                        : "a transition depends on actions and states only";
  return pomdpx_error(reading, xml_words_at(words), GLIMPSE_NOT_APPLICABLE, "'%s' cannot be a parent here: %s",
                      xml_show(words->text, words->length, shown), why);
}

static bool unknown_parent(pomdpx *reading, const struct section *section, const xml_words *words) {
  char shown[XML_SHOWN], hint[HINT] = "";
  xml_show(words->text, words->length, shown);
  struct nearest nearest = nearest_begin(shown);
  nearest_offer(&nearest, "null");
  for (int group = 0; group < POMDPX_GROUPS; group++) {
    static const int kind_of[POMDPX_GROUPS] = {GLIMPSE_ACTION, GLIMPSE_STATE, GLIMPSE_STATE, GLIMPSE_OBSERVATION};
    const pomdpx_list *list = &reading->list[kind_of[group]];
    for (size_t i = 0; i < list->count && section->groups >> group & 1; i++)
      nearest_offer(&nearest, group == POMDPX_CURRENT ? list->item[i].current : list->item[i].name);
  }
  if (nearest.best) snprintf(hint, sizeof hint, "; did you mean '%s'?", nearest.best);
  return pomdpx_error(reading, xml_words_at(words), GLIMPSE_BAD_SYNTAX, "expected the name of a variable, found '%s'%s",
                      shown, hint);
}

static bool read_parent(pomdpx *reading, const struct section *section, const xml_words *words, pomdpx_table *table) {
  pomdpx_parent parent;
  parent.variable = pomdpx_variable_find(reading, words->text, words->length, &parent.group, &parent.index);
  if (!parent.variable) return unknown_parent(reading, section, words);
  if (!(section->groups & 1u << parent.group)) return refuse_parent(reading, section, words);
  for (size_t i = 0; i < table->parents; i++)
    if (table->parent[i].variable == parent.variable && table->parent[i].group == parent.group)
      return pomdpx_expected(reading, words, "another parent, for each comes once");
  table->parent[table->parents++] = parent;
  return true;
}

/* The last parent counts fastest. */
static bool set_strides(pomdpx *reading, pomdpx_table *table, const xml_element *element) {
  uint64_t rows = 1;
  for (size_t i = table->parents; i-- > 0;) {
    table->parent[i].stride = rows;
    rows *= table->parent[i].variable->count;
    if (rows > reading->most_rows)
      return pomdpx_error(reading, element->at, GLIMPSE_TOO_LARGE,
                          "expected at most %" PRIu64 " combinations of values of the parents%s, found more",
                          reading->most_rows, reading->most_rows < GLIMPSE_MAX_ROWS ? " in so short a text" : "");
  }
  table->rows = (uint32_t)rows;
  return true;
}

static bool read_parents(pomdpx *reading, const struct section *section, pomdpx_table *table) {
  const xml_element *element = pomdpx_need(reading, table->element, "Parent");
  if (!element) return false;
  size_t count = 0, before = reading->errors;
  xml_words words = xml_words_of(element);
  while (xml_words_next(&words)) count++;
  if (!count) return pomdpx_expected(reading, &words, "names of variables, or 'null'");
  table->parent = arena_take(&reading->tree->arena, count, sizeof *table->parent);
  if (!table->parent) return pomdpx_stop(reading);
  words = xml_words_of(element);
  while (xml_words_next(&words)) {
    bool null = count == 1 && words.length == 4 && !memcmp(words.text, "null", 4);
    if (!null) read_parent(reading, section, &words, table);
  }
  return reading->errors == before && set_strides(reading, table, element);
}

static bool read_parameter(pomdpx *reading, pomdpx_table *table) {
  table->parameter = pomdpx_need(reading, table->element, "Parameter");
  if (!table->parameter) return false;
  const char *type = xml_attribute_get(table->parameter, "type");
  char shown[XML_SHOWN];
  bool diagram = type && !strcmp(type, "DD");
  for (const xml_element *child = table->parameter->first; child; child = child->next)
    diagram = diagram || xml_is(child, "DAG") || xml_is(child, "SubDAGTemplate");
  if (diagram)
    return pomdpx_error(reading, table->parameter->at, GLIMPSE_NOT_APPLICABLE,
                        "decision diagrams (type=\"DD\") are not read; write the function as a table (type=\"TBL\")");
  if (type && strcmp(type, "TBL") != 0)
    return pomdpx_error(reading, table->parameter->at, GLIMPSE_NOT_APPLICABLE, "expected type=\"TBL\", found '%s'",
                        xml_show(type, strlen(type), shown));
  return true;
}

static void read_function(pomdpx *reading, const struct section *section, const xml_element *element) {
  static const char *const known[] = {"Var", "Parent", "Parameter", NULL};
  for (const xml_element *child = element->first; child; child = child->next)
    if (!xml_is(child, known[0]) && !xml_is(child, known[1]) && !xml_is(child, known[2]))
      pomdpx_unknown(reading, child, known);
  pomdpx_no_text(reading, element);
  pomdpx_variable *variable = read_variable(reading, section, element);
  pomdpx_table **place = !variable ? NULL : section->start ? &variable->start : &variable->step;
  if (place && *place) {
    uint64_t line, column;
    xml_place(reading->tree, (*place)->element->at, &line, &column);
    pomdpx_error(reading, element->at, GLIMPSE_BAD_SYNTAX,
                 "expected one function of '%s', found a second one (the first is in line %" PRIu64 ")",
                 name_of(variable, section), line);
    return;
  }
  pomdpx_table *table = arena_take(&reading->tree->arena, 1, sizeof *table);
  if (!table) {
    pomdpx_stop(reading);
    return;
  }
  *table = (pomdpx_table){.variable = variable,
                          .element = element,
                          .reward = section->kind == POMDPX_REWARD,
                          .columns = variable && section->kind != POMDPX_REWARD ? variable->count : 1,
                          .next = reading->tables};
  reading->tables = table;
  if (place) *place = table;
  bool parents = read_parents(reading, section, table), parameter = read_parameter(reading, table);
  if (variable && parents && parameter) pomdpx_table_read(reading, table);
}

void pomdpx_functions_read(pomdpx *reading, const xml_element *element) {
  const struct section *section = sections;
  while (!xml_is(element, section->name)) section++;
  const char *const known[] = {section->function, NULL};
  for (const xml_element *child = element->first; child && !reading->stopped; child = child->next) {
    if (xml_is(child, section->function)) read_function(reading, section, child);
    else pomdpx_unknown(reading, child, known);
  }
  pomdpx_no_text(reading, element);
}

bool pomdpx_functions_order(const pomdpx *reading, bool start, size_t order[POMDPX_VARIABLES], size_t *circle) {
  const pomdpx_list *list = &reading->list[GLIMPSE_STATE];
  pomdpx_group group = start ? POMDPX_PREVIOUS : POMDPX_CURRENT;
  size_t done = 0;
  while (done < list->count) {
    size_t before = done;
    for (size_t i = 0; i < list->count; i++) {
      const pomdpx_table *table = start ? list->item[i].start : list->item[i].step;
      bool ready = true;
      for (size_t k = 0; k < done; k++) ready = ready && order[k] != i;
      if (!ready) continue;
      *circle = i;
      for (size_t p = 0; p < table->parents && ready; p++) {
        if (table->parent[p].group != group) continue;
        ready = false;
        for (size_t k = 0; k < done; k++) ready = ready || order[k] == table->parent[p].index;
      }
      if (ready) order[done++] = i;
    }
    if (done == before) return false;
  }
  return true;
}

static void check_circle(pomdpx *reading, bool start) {
  const pomdpx_list *list = &reading->list[GLIMPSE_STATE];
  size_t order[POMDPX_VARIABLES], circle = 0;
  if (!pomdpx_functions_order(reading, start, order, &circle)) {
    const pomdpx_variable *variable = &list->item[circle];
    pomdpx_error(reading, (start ? variable->start : variable->step)->element->at, GLIMPSE_BAD_MODEL,
                 "'%s' depends on itself, or on others that depend on it", start ? variable->name : variable->current);
  }
}

void pomdpx_functions_check(pomdpx *reading) {
  size_t before = reading->errors;
  for (size_t k = 0; k < sizeof sections / sizeof *sections; k++) {
    const struct section *section = &sections[k];
    const pomdpx_list *list = &reading->list[section->kind];
    for (size_t i = 0; i < list->count; i++) {
      const pomdpx_variable *variable = &list->item[i];
      if (section->start ? variable->start : variable->step) continue;
      pomdpx_error(reading, variable->element->at, GLIMPSE_BAD_SYNTAX, "expected a <%s> of '%s' in <%s>, found none",
                   section->function, name_of(variable, section), section->name);
    }
  }
  if (reading->errors != before) return;
  check_circle(reading, true);
  check_circle(reading, false);
}
