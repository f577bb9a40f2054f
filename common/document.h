/* Document: a JSON text as a tree in which every value knows its line.
 *
 * The whole of RFC 8259 is read; a key that comes twice in an object is an error, because
 * one of the two would be ignored.  Lines that start with # (after blanks) are comments
 * and count as blank. */
#ifndef COMMON_DOCUMENT_H
#define COMMON_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "common/complaint.h"

typedef enum document_kind {
  DOCUMENT_NULL,
  DOCUMENT_BOOL,
  DOCUMENT_NUMBER,
  DOCUMENT_TEXT,
  DOCUMENT_LIST,
  DOCUMENT_OBJECT
} document_kind;

typedef struct document document;
struct document {
  document_kind kind;
  size_t line;            /* from 1 */
  bool truth;             /* BOOL */
  double number;          /* NUMBER */
  const char *key;        /* in an object, else NULL */
  const char *text;       /* TEXT; NUMBER: as it was written */
  document *first, *next; /* LIST, OBJECT: children in order */
  size_t count;           /* of children */
};

/* Reads text[0..length); `source` names it in the complaint, with the line.  NULL on failure.
 * The tree belongs to the caller, who returns its root. */
document *document_read(const char *text, size_t length, const char *source, complaint *why);
void document_free(document *root);

/* The value of a key, NULL when the object (or NULL itself) has none. */
const document *document_get(const document *object, const char *key);
/* "a number", "a list", ... */
const char *document_kind_text(document_kind kind);

#endif
