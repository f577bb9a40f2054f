/* Xml: see xml.h.  What works on a tree and needs no expat; parse.c makes trees.
 *
 * Lines and columns are counted only for those places that somebody asks for: errors are few. */
#include "xml/xml.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void xml_free(xml *tree) {
  if (!tree) return;
  arena_free(&tree->arena);
  free(tree);
}

bool xml_begins(const char *text, size_t length) {
  size_t at = length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0;
  while (at < length && (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r'))) at++;
  return at < length && text[at] == '<';
}

void xml_place(const xml *tree, size_t at, uint64_t *line, uint64_t *column) {
  size_t start = 0;
  if (at > tree->length) at = tree->length;
  *line = 1;
  for (size_t i = 0; i < at; i++) {
    bool pair = tree->text[i] == '\r' && i + 1 < tree->length && tree->text[i + 1] == '\n';
    if (pair || (tree->text[i] != '\n' && tree->text[i] != '\r')) continue;
    ++*line;
    start = i + 1;
  }
  *column = at - start + 1;
}

/* Length of the text without a character that is not whole. */
static size_t whole_length(const char *text) {
  size_t length = strlen(text), last = length;
  while (last && ((unsigned char)text[last - 1] & 0xc0) == 0x80) last--;
  if (!last) return 0;
  unsigned char lead = (unsigned char)text[last - 1];
  size_t need = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  return last - 1 + need <= length ? length : last - 1;
}

void xml_report(const xml *tree, size_t at, glimpse_severity severity, glimpse_status code, char *text,
                glimpse_report *report) {
  glimpse_message message = {.severity = severity, .code = code, .source = tree->source, .text = text};
  text[whole_length(text)] = 0;
  for (char *c = text; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 127) *c = '?';
  if (at != SIZE_MAX) xml_place(tree, at, &message.line, &message.column);
  glimpse_report_add(report, &message);
}

const char *xml_attribute_get(const xml_element *element, const char *name) {
  for (const xml_attribute *attribute = element->attributes; attribute; attribute = attribute->next)
    if (!strcmp(attribute->name, name)) return attribute->value;
  return NULL;
}

bool xml_is(const xml_element *element, const char *name) {
  return !strcmp(element->name, name);
}

const char *xml_show(const char *text, size_t length, char shown[XML_SHOWN]) {
  enum { MOST = 40 };
  size_t n = length < MOST ? length : MOST;
  while (n < length && n && ((unsigned char)text[n] & 0xc0) == 0x80) n--; /* not within a character */
  memcpy(shown, text, n);
  memcpy(shown + n, n < length ? "..." : "", n < length ? 4 : 1);
  return shown;
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

xml_words xml_words_of(const xml_element *element) {
  return (xml_words){.element = element};
}

bool xml_words_next(xml_words *words) {
  const xml_element *element = words->element;
  size_t at = words->next;
  while (at < element->length && is_blank(element->text[at])) at++;
  words->text = element->text + at;
  words->length = 0;
  while (at + words->length < element->length && !is_blank(words->text[words->length])) words->length++;
  words->next = at + words->length;
  return words->length > 0;
}

size_t xml_words_at(const xml_words *words) {
  const xml_element *element = words->element;
  if (!words->length) return element->end;
  size_t from = (size_t)(words->text - element->text), low = 0, high = element->piece_count;
  while (high - low > 1) { /* the last piece that does not start behind it */
    size_t middle = low + (high - low) / 2;
    if (element->pieces[middle].from <= from) low = middle;
    else high = middle;
  }
  return element->pieces[low].at + (from - element->pieces[low].from);
}
