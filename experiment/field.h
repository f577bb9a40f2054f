/* Field: the values of a specification, looked up from the inside out.
 *
 * A field that a grid does not have is taken from its experiment, and what that does not have
 * from the specification; at each level what the chosen scale says goes first. */
#ifndef EXPERIMENT_FIELD_H
#define EXPERIMENT_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/complaint.h"
#include "common/document.h"
#include "glimpse.h"

enum { FIELD_LEVELS = 8 };

struct fields {
  const document *level[FIELD_LEVELS]; /* objects, the innermost first */
  size_t count;
  const char *source, *scale;
  complaint *why;
};

/* The same with one more object inside, and its scale's. */
struct fields field_inside(const struct fields *fields, const document *object);
/* The innermost value; NULL when there is none. */
const document *field_find(const struct fields *fields, const char *name);
/* The level of the innermost object that has one of the names (which end with NULL); NULL: none. */
const document *field_level(const struct fields *fields, const char *const *names);

/* "source:line: field 'name': ..."; false. */
bool field_complain(const struct fields *fields, const document *value, const char *name, const char *format, ...)
    EXPERIMENT_PRINTF(4, 5);
/* The word that is most like this one, of a list that ends with NULL; NULL: none is. */
const char *field_nearest(const char *word, const char *const *words);
/* Is every key of the object among the allowed ones?  Suggests the nearest if not. */
bool field_known(const struct fields *fields, const document *object, const char *const *allowed);

/* Each leaves *result alone when the field is absent; false with a complaint when it is of another kind
 * or out of range. */
bool field_bool(const struct fields *fields, const char *name, bool *result);
bool field_number(const struct fields *fields, const char *name, double low, double high, double *result);
bool field_count(const struct fields *fields, const char *name, double low, double high, uint64_t *result);
bool field_text(const struct fields *fields, const char *name, const char **result);
/* One of the words, which end with NULL; *result is its place. */
bool field_word(const struct fields *fields, const char *name, const char *const *words, unsigned *result);
bool field_word_of(const struct fields *fields, const document *value, const char *name, const char *const *words,
                   unsigned *result);

/* The value of a planner's option, of its kind and in its range; 0 when the field is absent. */
bool field_option(const struct fields *fields, const glimpse_planner_option *option, glimpse_planner_options *options);

/* For fields that may be one value or a list of them: the first, and the next.  NULL: the end. */
const document *field_first(const document *value);
const document *field_next(const document *value, const document *item);

#endif
