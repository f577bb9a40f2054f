/* Task: what all bounds share while they are made: the options, threads, time, and sizes of the model. */
#ifndef GLI_BOUNDS_TASK_H
#define GLI_BOUNDS_TASK_H

#include "base/parallel.h"
#include "glimpse.h"

/* Rewards and prices beyond this, divided by 1 - discount, could overflow on the way. */
#define GLI_LARGEST_SIZE 1e280

/* Nominal nanoseconds that a sweep over known states takes for each non-zero of T (bench_bounds). */
#define GLI_WORK_MDP 2.0

typedef struct gli_bound_task {
  const glimpse_model *model;
  double tolerance;
  uint64_t max_iterations;
  double effort;        /* of TIB and SEQUENCE: work in multiples of that of the bounds they start from */
  double deadline;      /* of gli_clock_now; infinite: none */
  gli_parallel *pool;   /* NULL: the calling thread alone */
  uint32_t block;       /* states per block of a sweep; depends on the model alone */
  double reward, price; /* the largest, without sign */
  double size;          /* (reward + price) / (1 - discount): no value is larger */
  double deviation;     /* largest distance of a row sum of T from 1 */
  uint64_t longest;     /* non-zeros of the longest row of T */
} gli_bound_task;

/* The options with their defaults, and the sizes; `now` is when the time begins.  False: an option is out of range. */
bool gli_bound_task_start(gli_bound_task *task, const glimpse_model *model, const glimpse_bound_options *options,
                          double now);
/* The task with a part of the time that is left, where time is limited. */
gli_bound_task gli_bound_share(const gli_bound_task *task, double part);
/* Work of so many sweeps that take so long for each non-zero of T. */
double gli_bound_work(const gli_bound_task *task, uint64_t sweeps, double each);
/* Work that a bound may take which starts from bounds that took `before`. */
double gli_bound_allowance(const gli_bound_task *task, double before);

#endif
