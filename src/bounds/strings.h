/* Strings: strings of actions and what they end in, those with the same rest sharing it. */
#ifndef GLI_BOUNDS_STRINGS_H
#define GLI_BOUNDS_STRINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* String 0 is "ask"; 1 + k is "do k for ever"; all others begin with an action and go on with a string
 * of a smaller number. */
typedef struct gli_string {
  uint32_t action, next;
} gli_string;

typedef struct gli_strings {
  gli_string *string;
  uint32_t count, ends; /* ends: 1 + actions */
  uint32_t *slot;
  size_t slots, capacity;
} gli_strings;

/* False: out of memory. */
bool gli_strings_start(gli_strings *strings, uint32_t actions);
void gli_strings_free(gli_strings *strings);
/* The string that begins with an action and goes on with another; false: out of memory. */
bool gli_strings_add(gli_strings *strings, uint32_t action, uint32_t next, uint32_t *made);

#endif
