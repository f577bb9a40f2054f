/* Crew: see crew.h.
 *
 * Two rings under one lock: tasks in, outcomes out.  Together they hold no more than CAPACITY tasks, so
 * that a worker always has room for its outcome.  Workers block all signals: the thread that
 * started them handles these. */
#include "experiment/crew.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "experiment/machine.h"

/* At least so many tasks: episodes of a millisecond and less must not wait for the disk, which takes what has piled
 * up meanwhile in one go. */
enum { ROOM = 512 };

struct crew {
  const struct spec *spec;
  struct crew_options options;
  pthread_mutex_t lock;
  pthread_cond_t work, done;
  pthread_t *threads;
  unsigned started, next; /* next: number for the next worker that comes to life */
  size_t capacity;
  struct task *tasks;
  struct outcome *outcomes, *current;  /* current: one per worker, so that nothing is left to fail in a thread */
  size_t first_task, task_count;       /* ring of tasks */
  size_t first_outcome, outcome_count; /* ring of outcomes */
  size_t playing;
  bool stopped;
};

static void *work(void *context) {
  struct crew *crew = context;
  pthread_mutex_lock(&crew->lock);
  unsigned worker = crew->next++;
  pthread_mutex_unlock(&crew->lock);
  int core = crew->options.pin ? machine_pin(crew->options.first + worker) : -1;
  struct outcome *outcome = &crew->current[worker];
  pthread_mutex_lock(&crew->lock);
  for (;;) {
    while (!crew->stopped && !crew->task_count) pthread_cond_wait(&crew->work, &crew->lock);
    if (crew->stopped) break;
    struct task task = crew->tasks[crew->first_task];
    crew->first_task = (crew->first_task + 1) % crew->capacity;
    crew->task_count--;
    crew->playing++;
    pthread_mutex_unlock(&crew->lock);
    play(crew->spec, &task, crew->options.interrupt, outcome);
    outcome->row.rank = crew->options.rank;
    outcome->row.worker = worker;
    outcome->row.core = core;
    snprintf(outcome->row.host, sizeof outcome->row.host, "%s", crew->options.host);
    pthread_mutex_lock(&crew->lock);
    crew->playing--;
    crew->outcomes[(crew->first_outcome + crew->outcome_count++) % crew->capacity] = *outcome;
    pthread_cond_signal(&crew->done);
  }
  pthread_mutex_unlock(&crew->lock);
  return NULL;
}

/* As many as the system gives, at least one. */
static bool start(struct crew *crew) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int error = 0;
  while (crew->started < crew->options.threads &&
         !(error = pthread_create(&crew->threads[crew->started], NULL, work, crew)))
    crew->started++;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (!crew->started) errno = error;
  return crew->started > 0;
}

static bool make_condition(pthread_cond_t *condition) {
  pthread_condattr_t attributes;
  if (pthread_condattr_init(&attributes)) return false;
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  bool made = !pthread_cond_init(condition, &attributes);
  pthread_condattr_destroy(&attributes);
  return made;
}

struct crew *crew_new(const struct spec *spec, const struct crew_options *options) {
  struct crew *crew = calloc(1, sizeof *crew);
  if (!crew) return NULL;
  crew->spec = spec;
  crew->options = *options;
  crew->capacity = 8 * (size_t)options->threads + 8;
  if (crew->capacity < ROOM) crew->capacity = ROOM;
  crew->threads = calloc(options->threads, sizeof *crew->threads);
  crew->tasks = calloc(crew->capacity, sizeof *crew->tasks);
  crew->outcomes = calloc(crew->capacity, sizeof *crew->outcomes);
  crew->current = calloc(options->threads, sizeof *crew->current);
  bool locks = !pthread_mutex_init(&crew->lock, NULL) && make_condition(&crew->work) && make_condition(&crew->done);
  if (locks && crew->threads && crew->tasks && crew->outcomes && crew->current && start(crew)) return crew;
  int error = errno;
  crew_free(crew);
  errno = error;
  return NULL;
}

void crew_free(struct crew *crew) {
  if (!crew) return;
  pthread_mutex_lock(&crew->lock);
  crew->stopped = true;
  pthread_cond_broadcast(&crew->work);
  pthread_mutex_unlock(&crew->lock);
  for (unsigned i = 0; i < crew->started; i++) pthread_join(crew->threads[i], NULL);
  pthread_cond_destroy(&crew->work);
  pthread_cond_destroy(&crew->done);
  pthread_mutex_destroy(&crew->lock);
  free(crew->threads);
  free(crew->tasks);
  free(crew->outcomes);
  free(crew->current);
  free(crew);
}

unsigned crew_threads(const struct crew *crew) {
  return crew->started;
}

static size_t held(const struct crew *crew) {
  return crew->task_count + crew->playing + crew->outcome_count;
}

size_t crew_room(struct crew *crew) {
  pthread_mutex_lock(&crew->lock);
  size_t room = crew->capacity - held(crew);
  pthread_mutex_unlock(&crew->lock);
  return room;
}

void crew_give(struct crew *crew, struct task task) {
  pthread_mutex_lock(&crew->lock);
  crew->tasks[(crew->first_task + crew->task_count++) % crew->capacity] = task;
  pthread_cond_signal(&crew->work);
  pthread_mutex_unlock(&crew->lock);
}

void crew_forget(struct crew *crew) {
  pthread_mutex_lock(&crew->lock);
  crew->task_count = 0;
  pthread_mutex_unlock(&crew->lock);
}

size_t crew_busy(struct crew *crew) {
  pthread_mutex_lock(&crew->lock);
  size_t busy = held(crew);
  pthread_mutex_unlock(&crew->lock);
  return busy;
}

size_t crew_take(struct crew *crew, struct outcome *outcomes, size_t most, double seconds) {
  struct timespec end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  double fraction = (double)end.tv_nsec / 1e9 + seconds;
  end.tv_sec += (time_t)fraction;
  end.tv_nsec = (long)((fraction - (double)(time_t)fraction) * 1e9);
  size_t count = 0;
  pthread_mutex_lock(&crew->lock);
  while (!crew->outcome_count && seconds > 0)
    if (pthread_cond_timedwait(&crew->done, &crew->lock, &end) == ETIMEDOUT) break;
  for (; count < most && crew->outcome_count; count++, crew->outcome_count--) {
    outcomes[count] = crew->outcomes[crew->first_outcome];
    crew->first_outcome = (crew->first_outcome + 1) % crew->capacity;
  }
  pthread_mutex_unlock(&crew->lock);
  return count;
}
