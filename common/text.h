/* Text: grows as it is written to.
 *
 * A write for which there is no memory is remembered rather than returned, so that a writer of a long
 * text asks once, at its end. */
#ifndef COMMON_TEXT_H
#define COMMON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__GNUC__)
#define TEXT_PRINTF(place, first) __attribute__((format(printf, place, first)))
#else
#define TEXT_PRINTF(place, first)
#endif

/* Zero is an empty one. */
struct text {
  char *data; /* ends with a 0; NULL as long as nothing was written */
  size_t length, capacity;
  bool failed; /* there was no memory: the text is not whole */
};

void text_add(struct text *text, const char *piece, size_t length);
/* A glimpse_sink whose context is the text. */
bool text_sink(void *context, const char *piece, size_t length);
void text_put(struct text *text, const char *piece);
void text_print(struct text *text, const char *format, ...) TEXT_PRINTF(2, 3);
/* With this many digits behind the point, with an exponent from 1e12 on, "-" for NaN; never "-0.00". */
void text_fixed(struct text *text, double value, int digits);
/* The shortest text that reads back as the same number; nothing for what is not finite. */
void text_number(struct text *text, double value);
/* A copy without what XML reserves: & < > " '. */
void text_escape_xml(struct text *text, const char *piece);
/* What was written, "" for nothing. */
const char *text_string(const struct text *text);
void text_clear(struct text *text);
void text_free(struct text *text);

#endif
