/* Parallel: a pool of threads for loops over many independent items.  The items
 * are cut into blocks whose size has nothing to do with the number of threads:
 * work that keeps one result per item, or per block and adds those up in order,
 * has the same result with any number of threads. */
#ifndef GLI_BASE_PARALLEL_H
#define GLI_BASE_PARALLEL_H

#include <stddef.h>

typedef struct gli_parallel gli_parallel;

/* Does the items first .. last-1.  `worker` is below gli_parallel_threads() and
 * differs between calls at the same time: an index for scratch memory. */
typedef void (*gli_parallel_work)(void *context, size_t first, size_t last, unsigned worker);

/* A pool of so many threads, the caller's included; 0: as many as there are
 * cores.  Works with fewer when the system gives fewer.  NULL: out of memory.
 * The threads take no signals, and when there is no work they sleep. */
gli_parallel *gli_parallel_new(unsigned threads);
void gli_parallel_free(gli_parallel *pool);
unsigned gli_parallel_threads(const gli_parallel *pool);

/* Does the items 0 .. count-1 in blocks of `block` (0 counts as 1; the last may
 * be shorter), each block once, and returns when all are done.  What was written
 * before is visible to the work, and what the work writes is visible after.
 * One call at a time per pool, and none from inside the work.  A NULL pool does
 * everything in the calling thread. */
void gli_parallel_run(gli_parallel *pool, size_t count, size_t block, gli_parallel_work work, void *context);

#endif
