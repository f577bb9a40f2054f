/* Built-in specifications: see builtin.h.  The table is made by the build (scripts/embed.cmake). */
#include "experiment/builtin.h"

#include <string.h>

extern const struct builtin builtin_table[];
extern const size_t builtin_count;

const struct builtin *builtin_get(size_t i) {
  return i < builtin_count ? &builtin_table[i] : NULL;
}

const struct builtin *builtin_find(const char *name) {
  for (size_t i = 0; i < builtin_count; i++)
    if (!strcmp(builtin_table[i].name, name)) return &builtin_table[i];
  return NULL;
}
