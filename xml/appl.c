/* Appl: see appl.h.
 *
 * Of the XML this reads what SARSOP writes for models without observed state variables: one <AlphaVector> with a
 * <Vector> for each action and a number per state in it.  An element that is not known is an error, since what it holds
 * might matter.  The first error ends the reading.  Memory is in proportion to the text. */
#include "xml/appl.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xml/xml.h"

#if defined(__GNUC__)
#define APPL_PRINTF(text, rest) __attribute__((format(printf, text, rest)))
#else
#define APPL_PRINTF(text, rest)
#endif

enum { MESSAGE = 300 };

struct reading {
  xml *tree;
  glimpse_report *report;
  glimpse_status status;
  uint32_t states, actions; /* of the model */
  size_t count;
  uint32_t *action;
  double *value;
};

static bool error(struct reading *reading, size_t at, glimpse_status code, const char *format, ...) APPL_PRINTF(4, 5);

static bool error(struct reading *reading, size_t at, glimpse_status code, const char *format, ...) {
  char text[MESSAGE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  xml_report(reading->tree, at, GLIMPSE_ERROR, code, text, reading->report);
  reading->status = code;
  return false;
}

/* Is this the element that has to be here? */
static bool expect(struct reading *reading, const xml_element *element, const char *name) {
  char shown[XML_SHOWN];
  if (xml_is(element, name)) return true;
  return error(reading, element->at, GLIMPSE_BAD_SYNTAX, "expected <%s>, found <%s>", name,
               xml_show(element->name, strlen(element->name), shown));
}

static bool only_elements(struct reading *reading, const xml_element *element) {
  xml_words words = xml_words_of(element); /* where there are no children */
  if (element->stray == SIZE_MAX && !xml_words_next(&words)) return true;
  size_t at = element->stray == SIZE_MAX ? xml_words_at(&words) : element->stray;
  return error(reading, at, GLIMPSE_BAD_SYNTAX, "expected elements only in <%s>, found text", element->name);
}

/* A number of digits alone that is below a limit. */
static bool digits(const char *text, uint64_t limit, uint64_t *count) {
  if (!text || !*text || strspn(text, "0123456789") != strlen(text)) return false;
  *count = 0;
  for (; *text; text++) {
    *count = 10 * *count + (uint64_t)(*text - '0');
    if (*count >= limit) return false;
  }
  return true;
}

/* An attribute that must be this number. */
static bool require(struct reading *reading, const xml_element *element, const char *name, uint64_t wanted,
                    const char *why) {
  const char *text = xml_attribute_get(element, name);
  char shown[XML_SHOWN];
  uint64_t count = 0;
  if (digits(text, UINT32_MAX, &count) && count == wanted) return true;
  return error(reading, element->at, GLIMPSE_BAD_SYNTAX, "expected %s=\"%llu\"%s, found '%s'", name,
               (unsigned long long)wanted, why, xml_show(text ? text : "", text ? strlen(text) : 0, shown));
}

static bool read_vector(struct reading *reading, const xml_element *element) {
  const char *text = xml_attribute_get(element, "action");
  char shown[XML_SHOWN];
  uint64_t action = 0;
  if (!digits(text, reading->actions, &action))
    return error(reading, element->at, GLIMPSE_BAD_SYNTAX,
                 "expected action=\"...\", the number of an action, found '%s'",
                 xml_show(text ? text : "", text ? strlen(text) : 0, shown));
  if (element->first) return expect(reading, element->first, "/Vector");
  reading->action[reading->count] = (uint32_t)action;
  double *value = reading->value + reading->count * reading->states;
  xml_words words = xml_words_of(element);
  for (uint32_t s = 0; s < reading->states; s++) {
    if (!xml_words_next(&words))
      return error(reading, xml_words_at(&words), GLIMPSE_BAD_SYNTAX,
                   "expected a number for each of %lu states, found %lu", (unsigned long)reading->states,
                   (unsigned long)s);
    if (glimpse_number_read(words.text, words.length, &value[s]) != words.length || value[s] - value[s] != 0)
      return error(reading, xml_words_at(&words), GLIMPSE_BAD_SYNTAX, "expected a number, found '%s'",
                   xml_show(words.text, words.length, shown));
  }
  if (xml_words_next(&words))
    return error(reading, xml_words_at(&words), GLIMPSE_BAD_SYNTAX,
                 "expected no more than a number for each of %lu states, found '%s'", (unsigned long)reading->states,
                 xml_show(words.text, words.length, shown));
  reading->count++;
  return true;
}

static bool read_vectors(struct reading *reading, const xml_element *vectors) {
  size_t count = 0;
  for (const xml_element *child = vectors->first; child; child = child->next, count++)
    if (!expect(reading, child, "Vector")) return false;
  if (!only_elements(reading, vectors)) return false;
  if (!count) return error(reading, vectors->end, GLIMPSE_BAD_SYNTAX, "expected a <Vector>, found the end");
  /* No vector is shorter than its numbers, so this is in proportion to the text unless the text is wrong. */
  if (count > reading->tree->length / reading->states)
    return error(reading, vectors->at, GLIMPSE_BAD_SYNTAX, "expected a number for each of %lu states in each <Vector>",
                 (unsigned long)reading->states);
  reading->action = calloc(count, sizeof *reading->action);
  reading->value = calloc(count * reading->states, sizeof *reading->value);
  if (!reading->action || !reading->value)
    return error(reading, SIZE_MAX, GLIMPSE_NO_MEMORY, "%s", glimpse_status_text(GLIMPSE_NO_MEMORY));
  for (const xml_element *child = vectors->first; child; child = child->next)
    if (!read_vector(reading, child)) return false;
  return true;
}

static bool read_root(struct reading *reading) {
  const xml_element *root = reading->tree->root, *vectors = root->first;
  const char *type = xml_attribute_get(root, "type");
  if (!expect(reading, root, "Policy")) return false;
  if (!type || strcmp(type, "value") != 0)
    return error(reading, root->at, GLIMPSE_BAD_SYNTAX, "expected a policy of type=\"value\"");
  if (!only_elements(reading, root)) return false;
  if (!vectors) return error(reading, root->end, GLIMPSE_BAD_SYNTAX, "expected an <AlphaVector>, found the end");
  return expect(reading, vectors, "AlphaVector") &&
         (!vectors->next ||
          error(reading, vectors->next->at, GLIMPSE_BAD_SYNTAX, "expected one <AlphaVector> and nothing behind it")) &&
         require(reading, vectors, "vectorLength", reading->states, ", as many as the model has states") &&
         require(reading, vectors, "numObsValue", 1, " (state variables that are observed are not read)") &&
         read_vectors(reading, vectors);
}

glimpse_status appl_read(const char *text, size_t length, const char *source, const glimpse_model *model,
                         glimpse_report *report, glimpse_policy **policy) {
  *policy = NULL;
  model = glimpse_model_planning(model);
  xml *tree;
  glimpse_status status = xml_read(text, length, source ? source : "", report, &tree);
  if (status) return status;
  struct reading reading = {.tree = tree,
                            .report = report,
                            .states = glimpse_model_count(model, GLIMPSE_STATE),
                            .actions = glimpse_model_count(model, GLIMPSE_ACTION)};
  status = read_root(&reading)
               ? glimpse_policy_from_vectors(model, reading.count, reading.action, reading.value, report, policy)
               : reading.status;
  free(reading.action);
  free(reading.value);
  xml_free(tree);
  return status;
}

glimpse_status appl_import(const char *text, size_t length, const char *source, const glimpse_model *model,
                           glimpse_report *report, glimpse_policy **policy) {
  if (model && xml_begins(text, length)) return appl_read(text, length, source, model, report, policy);
  return glimpse_policy_import(text, length, source, model, report, policy);
}

glimpse_status appl_import_file(const char *path, const glimpse_model *model, glimpse_report *report,
                                glimpse_policy **policy) {
  char *text;
  size_t length;
  *policy = NULL;
  glimpse_status status = glimpse_text_read(path, report, &text, &length);
  if (status) return status;
  status = appl_import(text, length, strcmp(path, "-") ? path : "standard input", model, report, policy);
  glimpse_text_free(text);
  return status;
}
