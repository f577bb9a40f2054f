/* Progress: tells how far a run has come, on the standard error: one line that
 * is rewritten on a terminal, else a line now and then. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <pthread.h>

#include "glimpse.h"

struct progress {
  pthread_mutex_t lock; /* steps come from several threads */
  uint64_t episodes, done, steps;
  double mean, spread; /* of returns, for a rough mean and error; spread: root of the sum of squared differences */
  double started, shown;
  bool quiet;
};

bool progress_begin(struct progress *progress, uint64_t episodes, bool quiet);
void progress_step(struct progress *progress);
void progress_episode(struct progress *progress, const glimpse_episode *result);
void progress_end(struct progress *progress);

#endif
