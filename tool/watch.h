/* Watch: shows moments on the terminal, at the pace of the viewer.
 *
 * The moments are those of a recording, or come one by one from a thread that plays
 * (watch_give) while the main thread shows them (watch_show).  The player waits for
 * the viewer, so that a pause pauses the run; the viewer never waits for the player,
 * so that keys work during a long search. */
#ifndef WATCH_H
#define WATCH_H

#include <pthread.h>

#include "canvas.h"
#include "common/moment.h"
#include "frame.h"

struct watch {
  const struct subject *subject;
  /* Of the main thread alone. */
  struct moment **moments; /* those that can be looked at */
  size_t count, capacity, at;
  bool borrowed;                                               /* the moments belong to a recording */
  bool paused, pending, skipping, resume, help, ended, broken; /* broken: ended by an error */
  double delay, due, asked; /* due: when the next step is shown; asked: when it was asked for */
  struct canvas shown;
  bool failed; /* no memory for a frame */
  /* Shared, under the lock. */
  pthread_mutex_t lock;
  pthread_cond_t changed;
  struct moment *incoming;
  bool wanted, quit, finished, error;
};

struct watch_options {
  double delay; /* seconds per step */
  bool paused;  /* from the start */
};

/* Takes the terminal.  TOOL_OK, or TOOL_FAILED after a message. */
int watch_begin(struct watch *watch, const struct subject *subject, const struct watch_options *options);
/* These moments, and no others, are shown. */
void watch_lend(struct watch *watch, struct moment **moments, size_t count);
/* From the thread that plays: shows a moment, which then belongs to the watch, and waits
 * until the next one is wanted.  False: none will be. */
bool watch_give(struct watch *watch, struct moment *moment);
/* From the thread that plays: that was all; `error`: for a reason that will be told once
 * the terminal is given back. */
void watch_finish(struct watch *watch, bool error);
/* Shows until the viewer quits.  If the play goes on then, interrupt_caught is true. */
void watch_show(struct watch *watch);
/* Gives the terminal back. */
void watch_end(struct watch *watch);

/* Where there is no terminal: one line, and a pause. */
void watch_tell(const struct moment *moment, double delay);

#endif
