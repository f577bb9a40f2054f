/* Bench: runs what is missing of a specification and stores it. */
#ifndef EXPERIMENT_BENCH_H
#define EXPERIMENT_BENCH_H

#include "experiment/cluster.h"
#include "experiment/spec.h"

/* How far it has come. */
struct bench_progress {
  uint64_t stored, total; /* episodes, those of earlier runs included */
  uint64_t failed;
  double left; /* seconds, by the time that episodes of each setting took; NaN: unknown */
  bool stuck;  /* another rank neither works nor goes: the caller ends the job when it has said what there is to say */
};

struct bench_options {
  const char *path;    /* of the results file */
  const char *text;    /* the specification as it was read */
  const char *command; /* as it was typed */
  bool resume;
  unsigned threads;                                                       /* 0: the cores, or 1 under MPI */
  const volatile int *interrupt;                                          /* set when the run is to end */
  const struct cluster *cluster;                                          /* NULL: alone */
  void (*progress)(void *context, const struct bench_progress *progress); /* often; rows are on the disk */
  void (*note)(void *context, const char *text);                          /* what is being done */
  void (*warn)(void *context, const char *text);
  void *context;
};

typedef enum bench_end {
  BENCH_COMPLETE,
  BENCH_INTERRUPTED, /* by the user */
  BENCH_PARTIAL,     /* some episodes failed */
  BENCH_FAILED,      /* the complaint tells why */
  BENCH_MEMBER       /* not rank 0: its work is over */
} bench_end;

/* *progress gets the state at the end. */
bench_end bench_run(struct spec *spec, const struct bench_options *options, struct bench_progress *progress,
                    complaint *why);

#endif
