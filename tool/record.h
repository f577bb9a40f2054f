/* Record: the moments of a run as a file of JSON lines (docs/AGENT.md has the format).
 *
 * The first line tells the subject, each other line one moment, the last one that the
 * run is complete.  Lines are written whole and at once, so that a run that was killed
 * leaves a file that can be replayed up to its last step. */
#ifndef RECORD_H
#define RECORD_H

#include "common/moment.h"

struct record {
  const char *path; /* NULL: nothing is recorded */
  int file;
  int error; /* errno of the first failure */
  uint64_t moments;
  uint64_t whole; /* bytes of whole lines in the file */
};

/* TOOL_OK, or TOOL_FAILED after a message.  A path of NULL: nothing will be recorded. */
int record_begin(struct record *record, const char *path, const struct subject *subject);
/* False when it cannot be written. */
bool record_moment(struct record *record, const struct moment *moment);
/* `complete`: every episode was played.  TOOL_OK, or TOOL_FAILED after a message. */
int record_end(struct record *record, bool complete);

/* A file that was read. */
struct recording {
  struct subject subject; /* its texts and scene belong to the recording */
  struct moment **moments;
  size_t count, capacity;
  bool complete; /* it has the last line, which says that every episode was played */
  bool cut;      /* it ends within a line, or without the last one: the run was killed */
  struct {
    struct document *root;
    glimpse_scene scene;
    const char **names, **places;
  } owned; /* what the subject points to */
};

/* Reads and checks a file; "-" is the standard input.  TOOL_OK, or TOOL_FAILED after a
 * message.  recording_free is to be called in any case. */
int recording_read(struct recording *recording, const char *path);
void recording_free(struct recording *recording);

#endif
