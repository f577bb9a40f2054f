/* Canvas: a rectangle of text cells, each a character and a style.  What a view
 * draws is a canvas; only painting it knows of terminals. */
#ifndef CANVAS_H
#define CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "output.h"

enum { CANVAS_SHADES = 9, CANVAS_LIMIT = 1000 /* most rows, most columns */ };

/* style, its SGR parameters with 256 colours, and without colours */
#define CANVAS_STYLE_TABLE(X)                                                                                          \
  X(PLAIN, "", "")                                                                                                     \
  X(TITLE, "7", "7")                                                                                                   \
  X(STRONG, "1", "1")                                                                                                  \
  X(QUIET, "38;5;245", "")                                                                                             \
  X(ASK, "1;38;5;214", "1")                                                                                            \
  X(TRUTH, "1;38;5;203", "1")                                                                                          \
  X(GAIN, "38;5;71", "")                                                                                               \
  X(LOSS, "38;5;203", "")                                                                                              \
  X(SHADE0, "38;5;231;48;5;17", "")                                                                                    \
  X(SHADE1, "38;5;231;48;5;18", "")                                                                                    \
  X(SHADE2, "38;5;231;48;5;24", "")                                                                                    \
  X(SHADE3, "38;5;231;48;5;30", "")                                                                                    \
  X(SHADE4, "38;5;16;48;5;36", "")                                                                                     \
  X(SHADE5, "38;5;16;48;5;71", "")                                                                                     \
  X(SHADE6, "38;5;16;48;5;107", "")                                                                                    \
  X(SHADE7, "38;5;16;48;5;149", "")                                                                                    \
  X(SHADE8, "38;5;16;48;5;227", "")

enum canvas_style {
#define X(name, colour, mono) STYLE_##name,
  CANVAS_STYLE_TABLE(X)
#undef X
      CANVAS_STYLES
};

struct cell {
  uint32_t code; /* a Unicode character that is one column wide */
  uint32_t style;
};

struct canvas {
  int rows, columns;
  struct cell *cells; /* rows * columns */
};

/* Blank, of 1 to CANVAS_LIMIT rows and columns (others are brought into that range).
 * False: out of memory. */
bool canvas_begin(struct canvas *canvas, int rows, int columns);
void canvas_end(struct canvas *canvas);
bool canvas_equal(const struct canvas *a, const struct canvas *b);

/* All of these ignore what lies outside.  Texts are ASCII or, for `code`, one
 * character; any other byte is shown as '?', one for each character of UTF-8. */
void canvas_code(struct canvas *canvas, int row, int column, enum canvas_style style, uint32_t code);
/* Returns the column behind the text. */
int canvas_text(struct canvas *canvas, int row, int column, enum canvas_style style, const char *text);
int canvas_print(struct canvas *canvas, int row, int column, enum canvas_style style, const char *format, ...)
    TOOL_PRINTF(5, 6);
/* The same, so that it ends before column `end`.  What does not fit is left out from a blank on; a single word that
 * does not fit ends in "..". */
int canvas_cut(struct canvas *canvas, int row, int column, int end, enum canvas_style style, const char *text);
/* Spaces, in `count` cells. */
void canvas_blank(struct canvas *canvas, int row, int column, int count, enum canvas_style style);

/* The characters of a row without the blanks at its end, in UTF-8 and ended with a 0;
 * `text` has room for 4 * columns + 1 bytes. */
void canvas_row(const struct canvas *canvas, int row, char *text);
/* Writes what makes a terminal that shows `before` show the canvas; before: NULL, or
 * of another size: unknown, so everything. */
void canvas_paint(const struct canvas *canvas, const struct canvas *before, bool colour, FILE *stream);

#endif
