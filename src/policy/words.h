/* Words: reading texts line by line, with the place of each word for complaints. */
#ifndef GLI_POLICY_WORDS_H
#define GLI_POLICY_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/report.h"
#include "glimpse.h"

/* A run of bytes that are neither blanks nor line ends; empty: the line has ended. */
typedef struct gli_word {
  const char *text;
  size_t length;
  uint64_t line, column;
} gli_word;

typedef struct gli_words {
  const char *at, *end, *line_start;
  uint64_t line;
  glimpse_report *report;
  glimpse_status status; /* the first error */
} gli_words;

gli_words gli_words_start(const char *text, size_t length, glimpse_report *report);
/* The next word of the line; empty at its end. */
gli_word gli_words_next(gli_words *words);
/* Goes to the next line, whatever is left of this one. */
void gli_words_next_line(gli_words *words);
/* Complains unless nothing is left of the line; goes to the next. */
bool gli_words_end_line(gli_words *words);

/* Adds an error at a place; false. */
bool gli_words_fail(gli_words *words, const gli_word *at, glimpse_status code, const char *format, ...)
    GLI_PRINTF(4, 5);
bool gli_words_no_memory(gli_words *words);
/* "expected WHAT, found ..."; false. */
bool gli_words_expected(gli_words *words, const gli_word *found, const char *what);

bool gli_word_is(const gli_word *word, const char *text);
/* Digits only, at most 18 of them. */
bool gli_word_digits(const gli_word *word, uint64_t *count);
/* A number from low to high, infinite where these are; complains otherwise. */
bool gli_words_number(gli_words *words, const gli_word *word, const char *what, double low, double high, double *value);

#endif
