/* Output: everything that goes to the standard output goes through here, so
 * that a full disk or a closed pipe is noticed. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__GNUC__)
#define TOOL_PRINTF(place, first) __attribute__((format(printf, place, first)))
#else
#define TOOL_PRINTF(place, first)
#endif

/* Makes sure that the three standard streams are open and that writing to a
 * closed pipe, or beyond the size that files may have, is an error rather than
 * the end.  Called once, first. */
void output_start(void);
void output_print(const char *format, ...) TOOL_PRINTF(1, 2);
void output_text(const char *text, size_t length);
/* A glimpse_sink; the context is not used. */
bool output_sink(void *context, const char *text, size_t length);
/* Hands over what waits, for those who read along. */
void output_flush(void);
/* Opens a file for writing, made anew; -1: errno.  A pipe waits for its reader, until an interrupt comes: EINTR. */
int output_open(const char *path);
/* Writes all of it to a descriptor, however often signals interrupt and however little is taken at
 * once.  False, with errno. */
bool output_all(int file, const char *text, size_t length);
/* Did a write fail?  Long work may stop then. */
bool output_failed(void);
/* Flushes and returns the exit status: that of the command, or 1 with a message
 * when something could not be written (without one for a closed pipe). */
int output_finish(int status);

#endif
