/* Lines: a conversation with another program, line by line.
 *
 * Reading waits for the next line or a signal.  Writing waits for a reader, but not
 * for ever. */
#ifndef LINES_H
#define LINES_H

#include <stdbool.h>
#include <stddef.h>

enum { LINES_LONGEST = 1 << 20 }; /* bytes of a line, without its end */

enum line {
  LINE_READ,
  LINE_TOO_LONG, /* it was skipped to its end */
  LINE_END,      /* the other side has closed */
  LINE_STOPPED,  /* by a signal */
  LINE_FAILED,   /* errno says why */
  LINE_NO_READER,
  LINE_LATE /* the reader took nothing for too long */
};

struct lines {
  int in, out;
  double patience; /* seconds */
  char *buffer;
  size_t room, start, used; /* what is not yet handed out is from start to used ... */
  size_t searched;          /* ... and has no line end before this place */
  bool skipping, ended;
};

/* False: out of memory.  lines_close is to be called in any case. */
bool lines_open(struct lines *lines, int in, int out, double patience);
void lines_close(struct lines *lines);
/* The next line, without its end; valid until the next call.  The last one needs no
 * line end. */
enum line lines_read(struct lines *lines, const char **text, size_t *length);
/* Writes all of it, LINE_READ when that is done.  After a signal it waits no longer
 * than a moment. */
enum line lines_write(const struct lines *lines, const char *text, size_t length);

#endif
