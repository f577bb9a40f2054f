/* Trace: a file with one JSON object per line for every step of every episode,
 * in the order of the episodes whatever the order in which they are played. */
#ifndef TRACE_H
#define TRACE_H

#include <pthread.h>
#include <stdint.h>

#include "common/text.h"
#include "glimpse.h"

/* Lines of one episode that cannot be written yet. */
struct trace_episode {
  struct text lines;
  bool complete;
};

struct trace {
  const char *path;
  int file;       /* when `open` */
  bool open;      /* there is a trace */
  uint64_t whole; /* bytes of whole lines in it */
  const glimpse_model *model;
  glimpse_belief *scratch; /* the belief of the step, for its entropy */
  struct trace_episode *episodes;
  uint64_t count, next; /* next: the one whose lines are written at once */
  bool times;           /* seconds are told: there is a time budget, so no two runs are the same anyway */
  int error;            /* errno of the first failed write */
  pthread_mutex_t lock;
};

/* TOOL_OK, or TOOL_FAILED after a message. */
int trace_begin(struct trace *trace, const char *path, const glimpse_model *model, uint64_t episodes, bool times);
/* False when the file cannot be written or there is no memory. */
bool trace_step(struct trace *trace, const glimpse_step *step);
/* Writes what is left, closes the file and returns TOOL_OK, or TOOL_FAILED after
 * a message. */
int trace_end(struct trace *trace);

#endif
