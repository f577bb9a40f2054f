/* Words: see words.h.  Nothing is allocated; linear in the text. */
#include "policy/words.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { QUOTED = 40 }; /* bytes of a word that a message shows */

gli_words gli_words_start(const char *text, size_t length, glimpse_report *report) {
  const char *begin = length ? text : "";
  return (gli_words){.at = begin, .end = begin + length, .line_start = begin, .line = 1, .report = report};
}

gli_word gli_words_next(gli_words *words) {
  while (words->at < words->end && *words->at == ' ') words->at++;
  gli_word word = {.text = words->at, .line = words->line};
  word.column = (uint64_t)(words->at - words->line_start) + 1;
  while (words->at < words->end && *words->at != ' ' && *words->at != '\n') words->at++;
  word.length = (size_t)(words->at - word.text);
  return word;
}

void gli_words_next_line(gli_words *words) {
  const char *end = words->at < words->end ? memchr(words->at, '\n', (size_t)(words->end - words->at)) : NULL;
  words->at = end ? end + 1 : words->end;
  if (!end) return; /* the last line does not end */
  words->line_start = words->at;
  words->line++;
}

bool gli_words_end_line(gli_words *words) {
  gli_word word = gli_words_next(words);
  if (word.length || words->at == words->end) return gli_words_expected(words, &word, "the end of the line");
  gli_words_next_line(words);
  return true;
}

bool gli_words_fail(gli_words *words, const gli_word *at, glimpse_status code, const char *format, ...) {
  char text[300];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  gli_report_add(words->report, GLIMPSE_ERROR, code, at->line, at->column, "%s", text);
  if (!words->status) words->status = code;
  return false;
}

bool gli_words_no_memory(gli_words *words) {
  gli_word here = {.line = words->line, .column = 1};
  return gli_words_fail(words, &here, GLIMPSE_NO_MEMORY, "out of memory");
}

/* The word as it may be shown, in quotes. */
static const char *shown(const gli_word *word, char text[QUOTED + 8]) {
  if (!word->length) return "the end of the line";
  size_t kept = word->length < QUOTED ? word->length : QUOTED, at = 0;
  text[at++] = '\'';
  for (size_t i = 0; i < kept; i++) {
    unsigned char c = (unsigned char)word->text[i];
    text[at++] = c < ' ' || c >= 127 ? '?' : (char)c;
  }
  for (size_t i = 0; i < 3 && kept < word->length; i++) text[at++] = '.';
  text[at++] = '\'';
  text[at] = 0;
  return text;
}

bool gli_words_expected(gli_words *words, const gli_word *found, const char *what) {
  char text[QUOTED + 8];
  return gli_words_fail(words, found, GLIMPSE_BAD_SYNTAX, "expected %s, found %s", what, shown(found, text));
}

bool gli_word_is(const gli_word *word, const char *text) {
  return word->length == strlen(text) && !memcmp(word->text, text, word->length);
}

bool gli_word_digits(const gli_word *word, uint64_t *count) {
  *count = 0;
  for (size_t i = 0; i < word->length; i++) {
    if (word->text[i] < '0' || word->text[i] > '9' || i > 18) return false;
    *count = 10 * *count + (uint64_t)(word->text[i] - '0');
  }
  return word->length;
}

bool gli_words_number(gli_words *words, const gli_word *word, const char *what, double low, double high,
                      double *value) {
  bool read = word->length && glimpse_number_read(word->text, word->length, value) == word->length && isfinite(*value);
  if (gli_word_is(word, "inf")) *value = (double)INFINITY, read = true;
  if (gli_word_is(word, "-inf")) *value = -(double)INFINITY, read = true;
  return read && *value >= low && *value <= high ? true : gli_words_expected(words, word, what);
}
