/* Messages: what was expected, what was found, and where; and the small questions that each part asks of an element.
 *
 * The text of a message, its place (which costs a walk over the file) and the search for what was meant are made only
 * while the report still keeps messages: a file with a million errors is read about as fast as one without. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/nearest.h"
#include "xml/pomdpx_parts.h"

enum { KEPT = 20, MESSAGE = 400 };

static void add(pomdpx *reading, size_t at, glimpse_severity severity, glimpse_status code, const char *format,
                va_list arguments) POMDPX_PRINTF(5, 0);

static void add(pomdpx *reading, size_t at, glimpse_severity severity, glimpse_status code, const char *format,
                va_list arguments) {
  char text[MESSAGE] = "";
  size_t *count = severity == GLIMPSE_ERROR ? &reading->errors : &reading->warnings;
  if (*count < KEPT) vsnprintf(text, sizeof text, format, arguments);
  xml_report(reading->tree, *count < KEPT ? at : SIZE_MAX, severity, code, text, reading->report);
  if (severity == GLIMPSE_ERROR && !reading->errors) reading->status = code;
  ++*count;
}

bool pomdpx_error(pomdpx *reading, size_t at, glimpse_status code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add(reading, at, GLIMPSE_ERROR, code, format, arguments);
  va_end(arguments);
  return false;
}

void pomdpx_loose(pomdpx *reading, size_t at, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add(reading, at, reading->strict ? GLIMPSE_ERROR : GLIMPSE_WARNING, GLIMPSE_BAD_SYNTAX, format, arguments);
  va_end(arguments);
}

void pomdpx_warn(pomdpx *reading, size_t at, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add(reading, at, GLIMPSE_WARNING, GLIMPSE_BAD_MODEL, format, arguments);
  va_end(arguments);
}

bool pomdpx_full(const pomdpx *reading, glimpse_severity severity) {
  return (severity == GLIMPSE_ERROR ? reading->errors : reading->warnings) >= KEPT;
}

bool pomdpx_stop(pomdpx *reading) {
  if (!reading->stopped) pomdpx_error(reading, 0, GLIMPSE_NO_MEMORY, "%s", glimpse_status_text(GLIMPSE_NO_MEMORY));
  reading->status = GLIMPSE_NO_MEMORY; /* whatever was wrong before */
  reading->stopped = true;
  return false;
}

bool pomdpx_expected(pomdpx *reading, const xml_words *words, const char *format, ...) {
  char what[MESSAGE / 2] = "", shown[XML_SHOWN];
  va_list arguments;
  va_start(arguments, format);
  if (!pomdpx_full(reading, GLIMPSE_ERROR)) vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  size_t at = xml_words_at(words);
  if (!words->length)
    return pomdpx_error(reading, at, GLIMPSE_BAD_SYNTAX, "expected %s, found </%s>", what,
                        xml_show(words->element->name, strlen(words->element->name), shown));
  return pomdpx_error(reading, at, GLIMPSE_BAD_SYNTAX, "expected %s, found '%s'", what,
                      xml_show(words->text, words->length, shown));
}

void pomdpx_unknown(pomdpx *reading, const xml_element *element, const char *const *known) {
  char shown[XML_SHOWN], hint[100] = "";
  struct nearest nearest = nearest_begin(element->name);
  for (; *known; known++) nearest_offer(&nearest, *known);
  if (nearest.best) snprintf(hint, sizeof hint, "; did you mean <%s>?", nearest.best);
  pomdpx_loose(reading, element->at, "<%s> is not known here and passed over%s",
               xml_show(element->name, strlen(element->name), shown), hint);
}

void pomdpx_no_text(pomdpx *reading, const xml_element *element) {
  if (element->stray != SIZE_MAX)
    pomdpx_loose(reading, element->stray, "expected elements only in <%s>, found text, which is passed over",
                 element->name);
}

const xml_element *pomdpx_child(pomdpx *reading, const xml_element *element, const char *name) {
  const xml_element *found = NULL;
  for (const xml_element *child = element->first; child; child = child->next) {
    if (!xml_is(child, name)) continue;
    if (found) pomdpx_error(reading, child->at, GLIMPSE_BAD_SYNTAX, "expected one <%s> here, found a second one", name);
    else found = child;
  }
  return found;
}

const xml_element *pomdpx_need(pomdpx *reading, const xml_element *element, const char *name) {
  const xml_element *found = pomdpx_child(reading, element, name);
  char shown[XML_SHOWN];
  if (!found)
    pomdpx_error(reading, element->at, GLIMPSE_BAD_SYNTAX, "expected <%s> in <%s>, found none", name,
                 xml_show(element->name, strlen(element->name), shown));
  return found;
}

bool pomdpx_number(const xml_words *words, double *value) {
  return words->length && glimpse_number_read(words->text, words->length, value) == words->length &&
         *value - *value == 0; /* too large a number is infinite */
}
