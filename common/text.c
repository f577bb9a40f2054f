/* Text: a buffer that doubles, and what numbers and names look like in it.
 *
 * printf writes numbers by the locale; the program never sets one, and text_number does not use printf. */
#include "common/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glimpse.h"

static bool reserve(struct text *text, size_t more) {
  if (text->failed) return false;
  if (more < text->capacity - text->length) return true;
  size_t wanted = text->capacity ? text->capacity : 256;
  while (wanted - text->length <= more && wanted <= SIZE_MAX / 4) wanted *= 2;
  char *moved = wanted - text->length > more ? realloc(text->data, wanted) : NULL;
  if (!moved) {
    text->failed = true;
    return false;
  }
  text->data = moved;
  text->capacity = wanted;
  return true;
}

void text_add(struct text *text, const char *piece, size_t length) {
  if (!reserve(text, length)) return;
  if (length) memcpy(text->data + text->length, piece, length);
  text->length += length;
  text->data[text->length] = 0;
}

bool text_sink(void *context, const char *piece, size_t length) {
  struct text *text = context;
  text_add(text, piece, length);
  return !text->failed;
}

void text_put(struct text *text, const char *piece) {
  text_add(text, piece, strlen(piece));
}

void text_print(struct text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (length < 0) {
    text->failed = true;
    return;
  }
  if (!reserve(text, (size_t)length)) return;
  va_start(arguments, format);
  vsnprintf(text->data + text->length, (size_t)length + 1, format, arguments);
  va_end(arguments);
  text->length += (size_t)length;
}

void text_fixed(struct text *text, double value, int digits) {
  if (isnan(value)) {
    text_put(text, "-");
    return;
  }
  char number[64];
  snprintf(number, sizeof number, fabs(value) < 1e12 ? "%.*f" : "%.*e", digits, value);
  bool zero = !number[strspn(number, "-0.")];
  text_put(text, zero && *number == '-' ? number + 1 : number);
}

void text_number(struct text *text, double value) {
  char number[GLIMPSE_NUMBER_SIZE];
  if (isfinite(value)) text_add(text, number, glimpse_number_write(value, number));
}

void text_escape_xml(struct text *text, const char *piece) {
  for (; *piece; piece++) {
    if (*piece == '&') text_put(text, "&amp;");
    else if (*piece == '<') text_put(text, "&lt;");
    else if (*piece == '>') text_put(text, "&gt;");
    else if (*piece == '"') text_put(text, "&quot;");
    else if (*piece == '\'') text_put(text, "&#39;");
    else if ((unsigned char)*piece < ' ' && *piece != '\n' && *piece != '\t') text_put(text, "?");
    else text_add(text, piece, 1);
  }
}

const char *text_string(const struct text *text) {
  return text->data ? text->data : "";
}

void text_clear(struct text *text) {
  text->length = 0;
  if (text->data) *text->data = 0;
}

void text_free(struct text *text) {
  free(text->data);
  *text = (struct text){0};
}
