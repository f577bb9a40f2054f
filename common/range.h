/* Range: numbers and intervals for people. */
#ifndef COMMON_RANGE_H
#define COMMON_RANGE_H

#include <stdbool.h>

/* Six digits behind the point, "-" for NaN. */
const char *range_number(double value, char text[32]);
/* The ends of an interval: likewise or, in brief, rounded outwards to two digits of its width. */
const char *range_low(bool brief, double lower, double upper, char text[32]);
const char *range_high(bool brief, double lower, double upper, char text[32]);
/* An interval, in brief: "2.36", "2.36 to 2.41", "at least 2", "-" for NaN. */
enum { RANGE_TEXT = 80 };
const char *range_text(double lower, double upper, char text[RANGE_TEXT]);

#endif
