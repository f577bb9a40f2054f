/* Complaint: see complaint.h.  Texts that are too long are cut.  They quote what others wrote, and what
 * a terminal would obey is not passed on to it. */
#include "common/complaint.h"

#include <stdarg.h>
#include <stdio.h>

static void tame(char *text) {
  for (; *text; text++)
    if ((unsigned char)*text < ' ' || *text == 127) *text = '?';
}

bool complain(complaint *why, const char *place, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (vsnprintf(why->text, sizeof why->text, format, arguments) < 0) why->text[0] = 0;
  va_end(arguments);
  snprintf(why->place, sizeof why->place, "%s", place ? place : "");
  tame(why->text);
  tame(why->place);
  why->hint[0] = 0;
  return false;
}

bool advise(complaint *why, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (vsnprintf(why->hint, sizeof why->hint, format, arguments) < 0) why->hint[0] = 0;
  va_end(arguments);
  tame(why->hint);
  return false;
}
