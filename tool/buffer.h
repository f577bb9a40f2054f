/* Buffer: a text that grows, and files that are written whole or not at all. */
#ifndef BUFFER_H
#define BUFFER_H

#include <stdbool.h>
#include <stddef.h>

#include "output.h"

/* Zero it before the first use; buffer_free at the end. */
struct buffer {
  char *text;
  size_t length, room;
  bool failed; /* out of memory: the text is not whole */
};

void buffer_free(struct buffer *buffer);
/* A glimpse_sink whose context is the buffer. */
bool buffer_sink(void *context, const char *text, size_t length);
/* Appends up to 2000 characters. */
void buffer_print(struct buffer *buffer, const char *format, ...) TOOL_PRINTF(2, 3);

/* Writes the text to a file, beside it first, so that it is whole at every moment; a pipe or
 * a device is written to directly.  TOOL_OK, or TOOL_FAILED after a message. */
int buffer_save(const char *path, const char *text, size_t length);

#endif
