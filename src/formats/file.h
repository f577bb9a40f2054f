/* File: whole texts from and to the file system. */
#ifndef GLI_FORMATS_FILE_H
#define GLI_FORMATS_FILE_H

#include <stddef.h>

#include "glimpse.h"

/* So long may a text be: more is no model but a pipe that never ends. */
#define GLI_FILE_MOST ((size_t)1 << 30)

/* Reads everything, or up to and with some bytes behind the first zero byte; a NULL
 * path is the standard input.  The text belongs to the caller (gli_memory_free).
 * CANNOT_READ with the reason in the report; TOO_LARGE beyond GLI_FILE_MOST. */
glimpse_status gli_file_read(const char *path, glimpse_report *report, char **text, size_t *length);
/* The same with another limit. */
glimpse_status gli_file_read_within(const char *path, size_t most, glimpse_report *report, char **text, size_t *length);

/* Writes a text to a sink; returns OK or a failure. */
typedef glimpse_status (*gli_file_writer)(const void *object, glimpse_sink sink, void *context);

/* Has `writer` write `object` to the file, whole or not at all: into a new file
 * beside it, which then takes its name.  What exists and is no regular file (a
 * device, a pipe) is written to directly. */
glimpse_status gli_file_write(const char *path, gli_file_writer writer, const void *object, glimpse_report *report);

#endif
