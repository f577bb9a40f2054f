/* Tables: cells are kept until the widths of all columns are known. */
#include "table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

enum { WIDTH = 79 };

struct table table_begin(const char *columns) {
  return (struct table){.columns = columns};
}

void table_cell(struct table *table, const char *format, ...) {
  if (table->count == table->capacity) {
    size_t wanted = table->capacity ? 2 * table->capacity : 64;
    void *moved = realloc(table->cells, wanted * sizeof *table->cells);
    if (!moved) exit(message_no_memory());
    table->cells = moved;
    table->capacity = wanted;
  }
  va_list arguments;
  va_start(arguments, format);
  if (vsnprintf(table->cells[table->count], TABLE_CELL, format, arguments) < 0) table->cells[table->count][0] = 0;
  va_end(arguments);
  table->count++;
}

/* A column is as wide as its widest cell. */
static unsigned width_of(const struct table *table, size_t column, size_t columns) {
  size_t width = 0;
  for (size_t i = column; i < table->count; i += columns) {
    size_t length = strlen(table->cells[i]);
    if (length > width) width = length;
  }
  return (unsigned)width;
}

/* The last column of the row at `first` that is not empty. */
static size_t last_of(const struct table *table, size_t first, size_t columns) {
  size_t last = columns - 1;
  while (last && first + last < table->count && !*table->cells[first + last]) last--;
  return last;
}

static void put_row(const struct table *table, size_t first, size_t columns, const unsigned *widths, unsigned indent) {
  size_t last = last_of(table, first, columns);
  unsigned at = 0;
  for (size_t column = 0; column <= last && first + column < table->count; column++) {
    unsigned width = widths[column], gap = column ? 2 : indent;
    const char *cell = table->cells[first + column];
    at += gap;
    output_print("%*s", (int)gap, "");
    if (table->columns[column] == 'w') table_wrap(cell, at, at);
    else if (table->columns[column] == 'r') output_print("%*s%s", (int)width, cell, column < last ? "" : "\n");
    else if (column < last) output_print("%-*s", (int)width, cell);
    else output_print("%s\n", cell);
    at += width;
  }
}

void table_end(struct table *table, unsigned indent) {
  size_t columns = strlen(table->columns);
  unsigned *widths = calloc(columns + 1, sizeof *widths);
  if (!widths) exit(message_no_memory());
  for (size_t i = 0; i < columns; i++) widths[i] = width_of(table, i, columns);
  for (size_t first = 0; columns && first < table->count; first += columns)
    put_row(table, first, columns, widths, indent);
  free(widths);
  free(table->cells);
  *table = (struct table){0};
}

void table_wrap(const char *text, unsigned at, unsigned indent) {
  bool begun = false; /* does the current line hold a word? */
  for (const char *word = text; *word;) {
    if (*word == '\n') {
      output_print("\n");
      at = 0;
      begun = false;
      word++;
      continue;
    }
    unsigned length = (unsigned)strcspn(word, " \n");
    if (begun && at + 1 + length > WIDTH) {
      output_print("\n");
      at = 0;
      begun = false;
    }
    unsigned gap = begun ? 1 : at < indent ? indent - at : 0;
    output_print("%*s%.*s", (int)gap, "", (int)length, word);
    at += gap + length;
    begun = true;
    word += length;
    while (*word == ' ') word++;
  }
  output_print("\n");
}
