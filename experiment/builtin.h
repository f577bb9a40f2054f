/* Built-in specifications: the files experiment/specs/NAME.json, as part of the program. */
#ifndef EXPERIMENT_BUILTIN_H
#define EXPERIMENT_BUILTIN_H

#include <stddef.h>

struct builtin {
  const char *name;
  const char *text; /* JSON */
  size_t length;
};

/* The i-th, in alphabetical order; NULL past the last. */
const struct builtin *builtin_get(size_t i);
const struct builtin *builtin_find(const char *name);

#endif
