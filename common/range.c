/* Range: see range.h.  What is rounded is rounded outwards, so that an interval that is shown
 * holds the one that is meant. */
#include "common/range.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const char *range_number(double value, char text[32]) {
  if (fabs(value) < 5e-7) value = 0;
  if (isnan(value)) snprintf(text, 32, "-");
  else snprintf(text, 32, fabs(value) < 1e9 ? "%.6f" : "%.9e", value);
  return text;
}

static const char *rounded(double value, double width, double (*round_off)(double), char text[32]) {
  bool exact = !(width > 1e-9 * (1 + fabs(value)));
  if (isnan(value) || isnan(width) || fabs(value) >= 1e9) return range_number(value, text);
  int digits = exact ? 6 : 0;
  double scale = exact ? 1e6 : 1;
  while (digits < 6 && width * scale < 10) {
    digits++;
    scale *= 10;
  }
  double near = round(value * scale); /* what differs by rounding alone is that number */
  double shown = fabs(value * scale - near) < 1e-9 * fmax(1, fabs(near)) ? near : round_off(value * scale);
  snprintf(text, 32, "%.*f", digits, (exact ? near : shown) / scale + 0.0);
  if (!digits) return text;
  if (exact) {
    size_t end = strlen(text);
    while (end && text[end - 1] == '0') text[--end] = 0;
    if (end && text[end - 1] == '.') text[--end] = 0;
  }
  return text;
}

const char *range_low(bool brief, double lower, double upper, char text[32]) {
  return brief ? rounded(lower, upper - lower, floor, text) : range_number(lower, text);
}

const char *range_high(bool brief, double lower, double upper, char text[32]) {
  return brief ? rounded(upper, upper - lower, ceil, text) : range_number(upper, text);
}

/* A narrow interval is one number with the digits that are certain. */
static const char *narrow(double lower, double upper, char text[RANGE_TEXT]) {
  double width = upper - lower, unit = 1e-6;
  int digits = 6;
  while (digits && unit < width) {
    unit *= 10;
    digits--;
  }
  snprintf(text, RANGE_TEXT, "%.*f", digits, lower + width / 2 + 0.0);
  size_t end = strlen(text);
  while (digits && text[end - 1] == '0') text[--end] = 0;
  if (digits && text[end - 1] == '.') text[--end] = 0;
  if (!strcmp(text, "-0")) snprintf(text, RANGE_TEXT, "0");
  return text;
}

const char *range_text(double lower, double upper, char text[RANGE_TEXT]) {
  char low[32], high[32];
  bool open = isinf(upper);
  double width = upper - lower;
  if (width < 1e-6 * (1 + fabs(lower)) && fabs(lower) < 1e9) return narrow(lower, upper, text);
  if (lower > 0) width = fmin(width, lower / 10); /* three digits of the smaller one */
  rounded(lower, open ? 0 : width, floor, low);
  rounded(upper, open ? 0 : width, ceil, high);
  if (open && !isinf(lower)) snprintf(text, RANGE_TEXT, "at least %s", low);
  else if (!strcmp(low, high)) snprintf(text, RANGE_TEXT, "%s", low);
  else snprintf(text, RANGE_TEXT, "%s to %s", low, high);
  return text;
}
