/* Progress: see progress.h.  The numbers are for the eye: the mean and its error
 * are those of the episodes that happen to be done. */
#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#include "message.h"

#define REFRESH 0.1 /* seconds between two states of the line on a terminal ... */
#define PATIENCE 10 /* ... and between two lines elsewhere */

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

bool progress_begin(struct progress *progress, uint64_t episodes, bool quiet) {
  *progress = (struct progress){.episodes = episodes, .quiet = quiet};
  progress->started = progress->shown = now();
  return !pthread_mutex_init(&progress->lock, NULL);
}

static const char *duration(double seconds, char text[40]) {
  if (seconds < 100) snprintf(text, 40, "%.0f s", ceil(seconds));
  else if (seconds < 6000) snprintf(text, 40, "%.0f min", ceil(seconds / 60));
  else snprintf(text, 40, "%.1f h", seconds / 3600);
  return text;
}

/* Three digits behind the point, unless the number is so large, or so small, that this says nothing. */
static const char *rounded(double number, char text[24]) {
  double size = fabs(number);
  snprintf(text, 24, size == 0 || (size >= 0.001 && size < 1e9) ? "%.3f" : "%.3g", number);
  return text;
}

/* "episode 12/100, mean 2.431 +- 0.052, 35 s left" */
static void describe(const struct progress *progress, double time, char text[160]) {
  uint64_t n = progress->done;
  size_t used = (size_t)snprintf(text, 160, "episode %llu/%llu, step %llu", (unsigned long long)n,
                                 (unsigned long long)progress->episodes, (unsigned long long)progress->steps);
  if (!n) return;
  char number[24];
  used += (size_t)snprintf(text + used, 160 - used, ", mean %s", rounded(progress->mean, number));
  if (n > 1) {
    double error = progress->spread / sqrt((double)(n - 1)) / sqrt((double)n);
    used += (size_t)snprintf(text + used, 160 - used, " +- %s", rounded(error, number));
  }
  char left[40];
  duration((time - progress->started) / (double)n * (double)(progress->episodes - n), left);
  snprintf(text + used, 160 - used, ", %s left", left);
}

/* With the lock held. */
static void show(struct progress *progress) {
  double time = now(), pause = message_live() ? REFRESH : PATIENCE;
  if (progress->quiet || time - progress->shown < pause) return;
  char text[160];
  describe(progress, time, text);
  if (message_live()) message_progress("%s", text);
  else message_note("%s", text);
  progress->shown = time;
}

void progress_step(struct progress *progress) {
  pthread_mutex_lock(&progress->lock);
  progress->steps++;
  show(progress);
  pthread_mutex_unlock(&progress->lock);
}

void progress_episode(struct progress *progress, const glimpse_episode *result) {
  pthread_mutex_lock(&progress->lock);
  progress->done++;
  double n = (double)progress->done, difference = result->total - progress->mean;
  progress->mean += difference / n;
  progress->spread = hypot(progress->spread, sqrt((n - 1) / n) * difference);
  show(progress);
  pthread_mutex_unlock(&progress->lock);
}

void progress_end(struct progress *progress) {
  if (!progress->quiet) message_progress_end();
  pthread_mutex_destroy(&progress->lock);
}
