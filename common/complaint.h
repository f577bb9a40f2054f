/* Complaint: why something failed, and what helps. */
#ifndef COMMON_COMPLAINT_H
#define COMMON_COMPLAINT_H

#include <stdbool.h>

#if defined(__GNUC__)
#define EXPERIMENT_PRINTF(place, first) __attribute__((format(printf, place, first)))
#else
#define EXPERIMENT_PRINTF(place, first)
#endif

typedef struct complaint {
  char place[1200]; /* file, or file:line; "" when there is none */
  char text[1200];  /* one sentence, no line end */
  char hint[400];   /* what to do; "" for nothing */
} complaint;

/* Fills it in, with '?' for control characters; returns false, so that `return complain(...)` reads well. */
bool complain(complaint *why, const char *place, const char *format, ...) EXPERIMENT_PRINTF(3, 4);
/* Adds a hint to it; returns false. */
bool advise(complaint *why, const char *format, ...) EXPERIMENT_PRINTF(2, 3);

#endif
