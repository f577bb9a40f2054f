/* Inquiries in the comments of a POMDPX file: what the agent may ask besides the state.
 *
 *   <!-- glimpse: inquiry NAME TIMING PRICE state -->
 *   <!-- glimpse: inquiry NAME TIMING PRICE tells VARIABLE ... -->
 *
 * TIMING is before, step or joint.  VARIABLE is a state variable, by either of its names, or by what they have in
 * common when they are numbered: `soil` for soil_0 and soil_1.  The answers are its values, by their flattened names;
 * of several variables their combinations, named as states are.
 *
 * Each has an entry for each state, and all together no more than the file may have in T. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/nearest.h"
#include "xml/pomdpx_parts.h"

static bool expected(pomdpx *reading, size_t at, const xml_words *words, const char *what, const char *hint) {
  char shown[XML_SHOWN];
  bool some = words->length;
  return pomdpx_error(reading, at, GLIMPSE_BAD_SYNTAX, "expected %s, found %s%s%s%s", what, some ? "'" : "",
                      some ? xml_show(words->text, words->length, shown) : "the end of the comment", some ? "'" : "",
                      hint);
}

static bool is(const xml_words *words, const char *text) {
  return words->length == strlen(text) && !memcmp(words->text, text, words->length);
}

/* Is it the name, without the number at its end? */
static bool is_stem(const xml_words *words, const char *name) {
  size_t length = strlen(name), end = length;
  while (end && name[end - 1] >= '0' && name[end - 1] <= '9') end--;
  if (end == length) return false;
  if (end && name[end - 1] == '_') end--;
  return end && words->length == end && !memcmp(words->text, name, end);
}

/* The state variable, NULL after a complaint.  A whole name comes before a stem. */
static const pomdpx_variable *find_variable(pomdpx *reading, size_t at, const xml_words *words) {
  const pomdpx_list *states = &reading->list[GLIMPSE_STATE];
  const pomdpx_variable *found = NULL;
  char shown[XML_SHOWN], hint[200] = "";
  for (int stem = 0; stem < 2 && words->length; stem++)
    for (size_t i = 0; i < states->count; i++) {
      const pomdpx_variable *one = &states->item[i];
      bool whole = is(words, one->name) || is(words, one->current);
      if (stem ? !is_stem(words, one->name) : !whole) continue;
      if (!stem) return one;
      if (found) {
        pomdpx_error(reading, at, GLIMPSE_BAD_SYNTAX, "'%s' may be '%.100s' or '%.100s': give the whole name",
                     xml_show(words->text, words->length, shown), found->name, one->name);
        return NULL;
      }
      found = one;
    }
  if (found) return found;
  struct nearest nearest = nearest_begin(xml_show(words->text, words->length, shown));
  for (size_t i = 0; i < states->count; i++) nearest_offer(&nearest, states->item[i].name);
  if (nearest.best && words->length) snprintf(hint, sizeof hint, "; did you mean '%.100s'?", nearest.best);
  else if (states->count) snprintf(hint, sizeof hint, "; the first one is '%.100s'", states->item[0].name);
  expected(reading, at, words, "a state variable behind 'tells'", hint);
  return NULL;
}

/* The variables that an inquiry tells. */
typedef struct told {
  pomdpx_variable *part;
  size_t count;
  uint32_t answers; /* combinations of their values, the last one counting fastest */
} told;

/* All that are named up to the end of the comment, each once. */
static bool read_told(pomdpx *reading, size_t at, xml_words *words, told *it) {
  it->part = malloc(reading->list[GLIMPSE_STATE].count * sizeof *it->part + 1);
  if (!it->part) return pomdpx_stop(reading);
  it->answers = 1;
  bool more = true;
  for (xml_words_next(words); more; more = xml_words_next(words)) {
    const pomdpx_variable *one = find_variable(reading, at, words);
    if (!one) return false;
    for (size_t k = 0; k < it->count; k++)
      if (it->part[k].name == one->name)
        return pomdpx_error(reading, at, GLIMPSE_BAD_SYNTAX, "the state variable '%.100s' is told twice", one->name);
    it->part[it->count++] = *one;
    it->answers *= one->count;
  }
  return true;
}

/* Gives the inquiry its answers: the values of the variables in each state. */
static glimpse_status tell(pomdpx *reading, uint32_t i, const told *it) {
  uint32_t states = (uint32_t)reading->list[GLIMPSE_STATE].product;
  uint32_t *answer = calloc(states, sizeof *answer);
  if (!answer) return GLIMPSE_NO_MEMORY;
  for (size_t k = 0; k < it->count; k++)
    for (uint32_t s = 0; s < states; s++)
      answer[s] = answer[s] * it->part[k].count + s / it->part[k].stride % it->part[k].count;
  glimpse_status status = glimpse_builder_inquiry_tells(reading->builder, i, answer);
  if (!status) status = pomdpx_names_answers(reading, i, it->part, it->count, it->answers);
  free(answer);
  return status;
}

static bool read_head(pomdpx *reading, size_t at, xml_words *words, glimpse_inquiry *inquiry, double *price) {
  xml_words_next(words);
  unsigned timing = 0;
  while (timing < GLIMPSE_TIMINGS && !is(words, glimpse_timing_key((glimpse_timing)timing))) timing++;
  if (timing == GLIMPSE_TIMINGS) return expected(reading, at, words, "'before', 'step' or 'joint'", "");
  inquiry->timing = (glimpse_timing)timing;
  xml_words_next(words);
  if (!pomdpx_number(words, price) || *price < 0)
    return expected(reading, at, words, "a price that is not negative", "");
  xml_words_next(words);
  if (is(words, "state") || is(words, "tells")) return true;
  return expected(reading, at, words, "'state' or 'tells'",
                  "; inquiries of other kinds can be added to the .pomdp file that 'glimpse convert' writes");
}

/* The rest of the comment, once the name is known to be a text. */
static bool read_named(pomdpx *reading, size_t at, xml_words *words, glimpse_inquiry *inquiry, told *it) {
  double price = 0;
  if (!read_head(reading, at, words, inquiry, &price)) return false;
  if (is(words, "tells")) {
    if (!read_told(reading, at, words, it)) return false;
    inquiry->answers = it->answers;
  } else if (xml_words_next(words)) return expected(reading, at, words, "the end of the comment", "");
  uint64_t states = reading->list[GLIMPSE_STATE].product;
  if (++reading->inquiries > reading->most_entries / states)
    return pomdpx_error(reading, at, GLIMPSE_TOO_LARGE, "there are more inquiries than so short a text may have");
  uint32_t i = 0;
  glimpse_status status = glimpse_builder_inquiry(reading->builder, inquiry, &i);
  if (!status) status = glimpse_builder_inquiry_price(reading->builder, i, GLIMPSE_ANY, price);
  if (!status && it->count) status = tell(reading, i, it);
  if (status == GLIMPSE_NO_MEMORY) return pomdpx_stop(reading);
  return !status; /* the builder remembers what was wrong, and says it in the end */
}

bool pomdpx_inquiry_read(pomdpx *reading, size_t at, xml_words *words) {
  if (!xml_words_next(words)) return expected(reading, at, words, "the name of an inquiry", "");
  char *name = malloc(words->length + 1);
  if (!name) return pomdpx_stop(reading);
  memcpy(name, words->text, words->length);
  name[words->length] = 0;
  told it = {0};
  bool made = read_named(reading, at, words, &(glimpse_inquiry){.name = name}, &it);
  free(it.part);
  free(name);
  return made;
}
