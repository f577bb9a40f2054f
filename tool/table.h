/* Tables: rows of text in aligned columns, on the standard output. */
#ifndef TABLE_H
#define TABLE_H

#include <stddef.h>

#include "output.h"

enum { TABLE_CELL = 160 }; /* longest text of a cell, and one */

struct table {
  const char *columns; /* one letter each: l flush left, r flush right, w wrapped (the last) */
  char (*cells)[TABLE_CELL];
  size_t count, capacity;
};

/* `columns` is borrowed. */
struct table table_begin(const char *columns);
/* The next cell, from left to right and row by row. */
void table_cell(struct table *table, const char *format, ...) TOOL_PRINTF(2, 3);
/* Prints the table, two spaces between columns and `indent` before the first,
 * and releases it. */
void table_end(struct table *table, unsigned indent);

/* Prints text wrapped at 79 columns.  The cursor stands in column `at`; the
 * lines begin in column `indent`.  A line end in the text stays one.  Ends the
 * last line. */
void table_wrap(const char *text, unsigned at, unsigned indent);

#endif
