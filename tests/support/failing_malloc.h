/* Failing malloc: makes the n-th allocation of the library fail.
 *
 * Every test program is linked with -Wl,--wrap for malloc, calloc, realloc and
 * free, so the allocations of the library and of the test itself come through
 * here (those inside libc and cmocka do not).  Unless a test asks for more,
 * they are passed on and counted. */
#ifndef SUPPORT_FAILING_MALLOC_H
#define SUPPORT_FAILING_MALLOC_H

#include <stdbool.h>

#include "glimpse.h"

/* The n-th allocation from now on fails, n from 1; with `all`, so does each one
 * after it.  0: none fails. */
void failing_malloc_set(unsigned long n, bool all);
/* How many have failed since then. */
unsigned long failing_malloc_failures(void);
/* Allocations minus frees since the program began. */
long failing_malloc_live(void);
/* Bytes in them now, and the most since the last call of failing_malloc_begin_peak. */
long failing_malloc_bytes(void);
long failing_malloc_peak(void);
void failing_malloc_begin_peak(void);

/* Does one job and cleans up after itself.  It should free nothing that libc
 * allocated on its own (strdup, getline), which was not counted. */
typedef glimpse_status (*failing_malloc_job)(void *context);

/* Runs the job with the first, the second, the third ... allocation failing,
 * alone and with all that follow it, until there is none left to fail.  Checks
 * that each run ends in NO_MEMORY, or in OK when it can do without (memory that
 * could not be given back), that nothing leaks, and that an undisturbed run is
 * OK.  Returns the number of failures that were tried. */
unsigned long failing_malloc_sweep(failing_malloc_job job, void *context);

#endif
