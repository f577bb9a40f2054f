/* Names: the names of all states, actions or observations of a model, with
 * their index by name in constant time. */
#ifndef GLI_MODEL_NAMES_H
#define GLI_MODEL_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gli_names {
  uint32_t count;
  bool given; /* false: the names are the numbers */
  char *text; /* all names, each with its 0 byte */
  size_t text_size, text_capacity;
  size_t *offset; /* of each name in text; SIZE_MAX: not given yet */
  uint32_t *slot; /* open hash table of index + 1, 0: free */
  size_t slots;   /* a power of two, or 0 */
} gli_names;

/* Starts without any name; allocates nothing. */
void gli_names_start(gli_names *names, uint32_t count);
void gli_names_free(gli_names *names);
/* Letters, digits, _ and -, beginning with a letter. */
bool gli_names_valid(const char *name, size_t length);
typedef enum gli_names_result { GLI_NAMES_OK, GLI_NAMES_TAKEN, GLI_NAMES_NO_MEMORY } gli_names_result;
/* Names i.  TAKEN when another index has that name or i has another name. */
gli_names_result gli_names_set(gli_names *names, uint32_t i, const char *name, size_t length);
/* The first index without a name, or count. */
uint32_t gli_names_missing(const gli_names *names);
/* Index of a name, UINT32_MAX when unknown.  Numbers are not looked at. */
uint32_t gli_names_find(const gli_names *names, const char *name, size_t length);
/* The name of i; NULL when it has none. */
const char *gli_names_get(const gli_names *names, uint32_t i);
/* Where no names were given: names everything by its number. */
bool gli_names_number(gli_names *names);

#endif
