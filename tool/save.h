/* Save: files that are written whole or not at all. */
#ifndef SAVE_H
#define SAVE_H

#include <stddef.h>

/* Writes the text to a file, beside it first, so that it is whole at every moment; a pipe or
 * a device is written to directly.  TOOL_OK, or TOOL_FAILED after a message. */
int save_file(const char *path, const char *text, size_t length);

#endif
