/* Flag: an int that someone else, another thread or a signal handler, may raise.
 *
 * The public header offers a plain volatile int, which C and C++ callers have
 * alike; it is read as an atomic here, so that the two sides do not race. */
#ifndef GLI_BASE_FLAG_H
#define GLI_BASE_FLAG_H

#include <stdbool.h>
#include <stddef.h>

/* NULL is a flag that never rises. */
static inline bool gli_flag_raised(const volatile int *flag) {
#if defined(__GNUC__)
  return flag && __atomic_load_n(flag, __ATOMIC_RELAXED) != 0;
#else
  return flag && *flag != 0;
#endif
}

#endif
