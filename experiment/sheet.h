/* Sheet: a table that can be written as text, Markdown, CSV, LaTeX and HTML.
 *
 * Cells hold what they mean, not what they look like: a mean is "1.38 +- 0.01" and "1.36 to 1.40" for a reader, and
 * four numbers with all of their digits in CSV. */
#ifndef EXPERIMENT_SHEET_H
#define EXPERIMENT_SHEET_H

#include <stdbool.h>
#include <stddef.h>

#include "common/text.h"
#include "glimpse.h"

/* id, the word that --format takes; the last is written by pages alone */
#define SHEET_FORMAT_TABLE(X)                                                                                          \
  X(TEXT, "text")                                                                                                      \
  X(MARKDOWN, "markdown")                                                                                              \
  X(CSV, "csv")                                                                                                        \
  X(LATEX, "latex")

enum sheet_format {
#define X(id, word) SHEET_##id,
  SHEET_FORMAT_TABLE(X)
#undef X
      SHEET_HTML
};

enum sheet_kind { COLUMN_TEXT, COLUMN_NUMBER, COLUMN_MEAN };

struct sheet_column {
  const char *key;  /* in CSV; NULL: not there */
  const char *head; /* for readers; NULL: only in CSV */
  enum sheet_kind kind;
  int digits;     /* behind the point, for readers */
  bool lift;      /* when all rows that have one have the same, it is told once, in front of the table */
  bool strict;    /* to have none is a difference, too */
  bool no_spread; /* a mean is shown without its interval */
};

struct sheet_cell {
  char *text;              /* of a TEXT; NULL: nothing */
  glimpse_statistic value; /* of the others; a NUMBER is a mean alone */
};

struct sheet {
  const struct sheet_column *columns; /* borrowed */
  size_t column_count;
  struct sheet_cell *cells; /* row by row */
  size_t count, capacity;
  struct text title, note; /* in front of it, below it; of plain text */
  bool failed;             /* no memory */
};

struct sheet sheet_begin(const struct sheet_column *columns, size_t count);
void sheet_free(struct sheet *sheet);

/* The next cell, which must be of the kind of its column.  NULL and NaN: empty. */
void sheet_text(struct sheet *sheet, const char *text);
void sheet_number(struct sheet *sheet, double value);
void sheet_mean(struct sheet *sheet, glimpse_statistic value);
/* An empty one of any kind. */
void sheet_skip(struct sheet *sheet);

/* Empty sheets are written, too.  In CSV there is no title and no note; `head` says whether the line with the names
 * of the columns comes first. */
void sheet_write(const struct sheet *sheet, enum sheet_format format, bool head, struct text *out);

/* A piece of plain text as the format wants it. */
void sheet_escape(struct text *out, enum sheet_format format, const char *piece);

#endif
