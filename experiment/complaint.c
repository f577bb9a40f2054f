/* Complaint: see complaint.h.  Texts that are too long are cut. */
#include "experiment/complaint.h"

#include <stdarg.h>
#include <stdio.h>

bool complain(complaint *why, const char *place, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (vsnprintf(why->text, sizeof why->text, format, arguments) < 0) why->text[0] = 0;
  va_end(arguments);
  snprintf(why->place, sizeof why->place, "%s", place ? place : "");
  why->hint[0] = 0;
  return false;
}

bool advise(complaint *why, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (vsnprintf(why->hint, sizeof why->hint, format, arguments) < 0) why->hint[0] = 0;
  va_end(arguments);
  return false;
}
