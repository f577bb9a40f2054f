/* Play: one piece of work, an episode or a trace, and what came of it. */
#ifndef EXPERIMENT_PLAY_H
#define EXPERIMENT_PLAY_H

#include "experiment/spec.h"
#include "experiment/store.h"

enum { PLAY_POINTS = 64 };

/* Which piece.  Small and flat: it travels between processes. */
struct task {
  uint32_t setting; /* place in the specification */
  uint32_t trace;   /* 1: the trace of the setting, else an episode */
  uint64_t episode; /* from 0 */
};

/* What came of it; flat as well.  The setting of the rows is left to the one who stores them. */
struct outcome {
  struct task task;
  uint32_t cut;    /* 1: interrupted, there is no result */
  uint32_t failed; /* 1: error tells why */
  char error[300];
  double wall; /* seconds that it took in all */
  store_episode row;
  uint32_t points;
  store_point point[PLAY_POINTS];
};

/* Does the work.  The catalogue has the bounds already. */
void play(const struct spec *spec, const struct task *task, const volatile int *interrupt, struct outcome *outcome);

#endif
