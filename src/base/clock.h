/* Clock: seconds that only go forward. */
#ifndef GLI_BASE_CLOCK_H
#define GLI_BASE_CLOCK_H

/* Seconds since some moment in the past; not affected by changes of the date. */
double gli_clock_now(void);

#endif
