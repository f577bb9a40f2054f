/* Messages: what was expected, what was found, and what may have been meant.
 *
 * Pieces of the file are quoted shortened and without bytes that would upset a
 * terminal or a JSON string.  The work behind a message, such as the search for
 * the nearest name, is done only while the report still keeps messages: a file
 * with a million errors is read about as fast as one without. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "formats/pomdp.h"

enum {
  KEPT = 20,                  /* messages of a severity that a report keeps */
  QUOTED = 40,                /* bytes of a token that are shown */
  LONGEST = GLIMPSE_WORD_MAX, /* words longer than this have no neighbours */
  NAMES_SEARCHED = 50000,
  MESSAGE = 400
};

static void add(gli_pomdp *pomdp, const gli_token *token, glimpse_severity severity, glimpse_status code,
                const char *format, va_list arguments) GLI_PRINTF(5, 0);

static void add(gli_pomdp *pomdp, const gli_token *token, glimpse_severity severity, glimpse_status code,
                const char *format, va_list arguments) {
  char text[MESSAGE] = "";
  size_t before = severity == GLIMPSE_ERROR ? pomdp->errors : pomdp->warnings++;
  if (before < KEPT) vsnprintf(text, sizeof text, format, arguments);
  gli_report_add(pomdp->report, severity, code, token->line, token->column, "%s", text);
  if (severity != GLIMPSE_ERROR) return;
  if (!pomdp->errors++) pomdp->status = code;
}

bool gli_pomdp_error(gli_pomdp *pomdp, const gli_token *token, glimpse_status code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add(pomdp, token, GLIMPSE_ERROR, code, format, arguments);
  va_end(arguments);
  return false;
}

void gli_pomdp_loose(gli_pomdp *pomdp, const gli_token *token, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add(pomdp, token, pomdp->strict ? GLIMPSE_ERROR : GLIMPSE_WARNING, GLIMPSE_BAD_SYNTAX, format, arguments);
  va_end(arguments);
}

void gli_pomdp_warn(gli_pomdp *pomdp, const gli_token *token, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add(pomdp, token, GLIMPSE_WARNING, GLIMPSE_BAD_SYNTAX, format, arguments);
  va_end(arguments);
}

bool gli_pomdp_stop(gli_pomdp *pomdp, glimpse_status status) {
  if (!pomdp->stopped) gli_pomdp_error(pomdp, &pomdp->scanner.token, status, "%s", glimpse_status_text(status));
  pomdp->stopped = true;
  return false;
}

bool gli_pomdp_expected(gli_pomdp *pomdp, const char *format, ...) {
  const gli_token *token = &pomdp->scanner.token;
  if (pomdp->stopped) return false;
  if (token->kind == GLI_TOKEN_BYTE) { /* no text: what follows would be noise */
    pomdp->stopped = true;
    return gli_pomdp_error(pomdp, token, GLIMPSE_BAD_SYNTAX, "expected text, found the byte 0x%02x",
                           (unsigned)(unsigned char)*token->text);
  }
  char what[MESSAGE] = "", found[GLI_POMDP_TEXT];
  va_list arguments;
  va_start(arguments, format);
  if (pomdp->errors < KEPT) vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  bool line_end = token->kind == GLI_TOKEN_END && token->text < pomdp->text + pomdp->length; /* of a note */
  return gli_pomdp_error(pomdp, token, GLIMPSE_BAD_SYNTAX, "expected %s, found %s", what,
                         line_end ? "the end of the line" : gli_pomdp_found(token, found));
}

/* Length of the UTF-8 sequence at text[0..length), 0 when there is none. */
static size_t utf8(const char *text, size_t length) {
  unsigned char c = (unsigned char)*text;
  size_t need = c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 0;
  if (need > length) return 0;
  for (size_t i = 1; i < need; i++)
    if (((unsigned char)text[i] & 0xc0) != 0x80) return 0;
  if (need == 3 && c == 0xe0 && (unsigned char)text[1] < 0xa0) return 0;  /* overlong */
  if (need == 3 && c == 0xed && (unsigned char)text[1] >= 0xa0) return 0; /* surrogates */
  if (need == 4 && c == 0xf0 && (unsigned char)text[1] < 0x90) return 0;
  if (need == 4 && c == 0xf4 && (unsigned char)text[1] >= 0x90) return 0;
  return need;
}

/* Copies text for showing; returns the end of the copy. */
static char *quote(char *to, const char *text, size_t length) {
  size_t shown = 0;
  while (shown < length && shown < QUOTED) {
    size_t bytes = utf8(text + shown, length - shown);
    if (bytes) memcpy(to, text + shown, bytes);
    else *to = '?';
    to += bytes ? bytes : 1;
    shown += bytes ? bytes : 1;
  }
  if (shown < length) {
    memcpy(to, "...", 3);
    to += 3;
  }
  *to = 0;
  return to;
}

const char *gli_pomdp_found(const gli_token *token, char text[GLI_POMDP_TEXT]) {
  switch (token->kind) {
    case GLI_TOKEN_END: return "the end of the file";
    case GLI_TOKEN_BYTE: return "a control byte";
    case GLI_TOKEN_SECTION: snprintf(text, GLI_POMDP_TEXT, "'%s:'", gli_section_text(token->section)); return text;
    default: break;
  }
  char *at = text;
  *at++ = '\'';
  at = quote(at, token->text, token->length);
  memcpy(at, "'", 2);
  return text;
}

const char *gli_pomdp_kind(glimpse_kind kind) {
  return kind == GLIMPSE_STATE ? "state" : kind == GLIMPSE_ACTION ? "action" : "observation";
}

/* Takes over `candidate` when it is nearer than what was found before. */
static void consider(const char *text, size_t length, const char *candidate, const char **best, size_t *nearest) {
  size_t other = strlen(candidate);
  if (other > LONGEST || (other > length ? other - length : length - other) >= *nearest) return;
  size_t d = glimpse_word_distance(text, length, candidate, other);
  if (d >= *nearest) return;
  *nearest = d;
  *best = candidate;
}

/* One change in three letters is near. */
static size_t reach(size_t length) {
  return length < 3 ? 2 : length / 3 + 1;
}

const char *gli_pomdp_nearest(const char *text, size_t length, const char *const *words) {
  const char *best = NULL;
  size_t nearest = reach(length);
  if (length <= LONGEST)
    for (; *words; words++) consider(text, length, *words, &best, &nearest);
  return best;
}

static const char *nearest_name(const gli_names *names, const gli_token *token) {
  const char *best = NULL;
  size_t nearest = reach(token->length);
  if (token->length < 2 || token->length > LONGEST) return NULL;
  for (uint32_t i = 0; i < names->count && i < NAMES_SEARCHED; i++) {
    const char *name = gli_names_get(names, i);
    if (name) consider(token->text, token->length, name, &best, &nearest);
  }
  return best;
}

const char *gli_pomdp_hint(const gli_pomdp *pomdp, glimpse_kind kind, const gli_token *token,
                           char text[GLI_POMDP_TEXT]) {
  if (pomdp->errors >= KEPT) return "";
  const gli_names *names = gli_builder_names(pomdp->builder, kind);
  if (!names->given) {
    if (names->count == 1) return " (there is only 0)";
    snprintf(text, GLI_POMDP_TEXT, " (%ss are 0 to %u)", gli_pomdp_kind(kind), (unsigned)(names->count - 1));
    return text;
  }
  const char *near = token->kind == GLI_TOKEN_WORD ? nearest_name(names, token) : NULL;
  if (near) {
    snprintf(text, GLI_POMDP_TEXT, "; did you mean '%s'?", near);
    return text;
  }
  int used = snprintf(text, GLI_POMDP_TEXT, " (%ss are", gli_pomdp_kind(kind));
  for (uint32_t i = 0; i < names->count; i++) {
    const char *name = gli_names_get(names, i);
    if (!name) continue;
    if ((size_t)used + strlen(name) + 24 > GLI_POMDP_TEXT) { /* the rest does not fit */
      snprintf(text + used, GLI_POMDP_TEXT - (size_t)used, " ..., %u in all)", (unsigned)names->count);
      return text;
    }
    used += snprintf(text + used, GLI_POMDP_TEXT - (size_t)used, " %s%s", name, i + 1 < names->count ? "," : ")");
  }
  return text;
}

bool gli_pomdp_no_keyword(gli_pomdp *pomdp, const gli_token *token) {
  static const char *const words[] = {"discount", "values", "states", "actions", "observations", "start", NULL};
  const char *near = gli_pomdp_nearest(token->text, token->length, words);
  char found[GLI_POMDP_TEXT];
  return gli_pomdp_error(
      pomdp, token, GLIMPSE_BAD_SYNTAX, "expected an entry (T:, O:, R:) or an item such as 'states:', found %s%s%s%s",
      gli_pomdp_found(token, found), near ? "; did you mean '" : "", near ? near : "", near ? ":'?" : "");
}
