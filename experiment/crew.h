/* Crew: threads that play tasks.  One thread gives tasks and takes outcomes; it never waits for
 * the workers unless it asks to. */
#ifndef EXPERIMENT_CREW_H
#define EXPERIMENT_CREW_H

#include "experiment/play.h"

struct crew;

struct crew_options {
  unsigned threads;
  unsigned first; /* number of the first worker among all on this machine, for pinning */
  bool pin;       /* keep each on a core of its own */
  unsigned rank;
  const char *host;
  const volatile int *interrupt; /* ends the episodes that are being played */
};

/* The spec is borrowed, with its bounds.  NULL: no memory or no thread at all, and errno says which. */
struct crew *crew_new(const struct spec *spec, const struct crew_options *options);
/* Waits for what is being played and forgets what was not begun.  Raise the interrupt first to be quick. */
void crew_free(struct crew *crew);
unsigned crew_threads(const struct crew *crew);

/* How many tasks may be given without waiting. */
size_t crew_room(struct crew *crew);
void crew_give(struct crew *crew, struct task task);
/* Forgets the tasks that nobody has begun. */
void crew_forget(struct crew *crew);
/* Tasks given and not taken back as outcomes. */
size_t crew_busy(struct crew *crew);
/* Fills up to `most` outcomes; waits up to so many seconds for the first. */
size_t crew_take(struct crew *crew, struct outcome *outcomes, size_t most, double seconds);

#endif
