/* Clock: POSIX's monotonic clock as a double, which keeps microseconds for 285
 * years and the clock's nanoseconds for 104 days of uptime. */
#include "base/clock.h"

#include <time.h>

double gli_clock_now(void) {
  struct timespec now;
  if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 0;
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
