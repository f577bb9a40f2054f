/* Canvas: see canvas.h.
 *
 * A row that differs from the one shown is written whole: rows are short, and a
 * terminal shows them without flicker.  Sequences are those of ECMA-48 that every
 * terminal of the last decades knows: cursor position, erase line, SGR. */
#include "canvas.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static int within(int value) {
  return value < 1 ? 1 : value > CANVAS_LIMIT ? CANVAS_LIMIT : value;
}

bool canvas_begin(struct canvas *canvas, int rows, int columns) {
  *canvas = (struct canvas){.rows = within(rows), .columns = within(columns)};
  size_t count = (size_t)canvas->rows * (size_t)canvas->columns;
  canvas->cells = calloc(count, sizeof *canvas->cells);
  if (!canvas->cells) return false;
  for (size_t i = 0; i < count; i++) canvas->cells[i].code = ' ';
  return true;
}

void canvas_end(struct canvas *canvas) {
  free(canvas->cells);
  *canvas = (struct canvas){0};
}

static bool same_size(const struct canvas *a, const struct canvas *b) {
  return a->cells && b->cells && a->rows == b->rows && a->columns == b->columns;
}

static const struct cell *row_of(const struct canvas *canvas, int row) {
  return canvas->cells + (size_t)row * (size_t)canvas->columns;
}

static bool same_row(const struct canvas *a, const struct canvas *b, int row) {
  return !memcmp(row_of(a, row), row_of(b, row), (size_t)a->columns * sizeof *a->cells);
}

bool canvas_equal(const struct canvas *a, const struct canvas *b) {
  if (!same_size(a, b)) return false;
  for (int row = 0; row < a->rows; row++)
    if (!same_row(a, b, row)) return false;
  return true;
}

/* ------------------------------------------------------------------ drawing */

void canvas_code(struct canvas *canvas, int row, int column, enum canvas_style style, uint32_t code) {
  if (row < 0 || row >= canvas->rows || column < 0 || column >= canvas->columns) return;
  struct cell *cell = canvas->cells + (size_t)row * (size_t)canvas->columns + (size_t)column;
  *cell = (struct cell){code, style};
}

static bool goes_on(char c) {
  return ((unsigned char)c & 0xc0) == 0x80; /* the first byte of the character has its '?' */
}

/* How many characters are shown in so much room; *dots: then two dots. */
static int fitting(const char *text, int room, bool *dots) {
  int length = 0, word = 0; /* word: where the last one that fits ends */
  bool blank = true;
  *dots = false;
  for (; *text; text++) {
    if (goes_on(*text)) continue;
    if (*text == ' ' && !blank && length <= room) word = length;
    blank = *text == ' ';
    length++;
  }
  if (length <= room) return length;
  if (word) return word;
  *dots = room > 4;
  return *dots ? room - 2 : room;
}

int canvas_cut(struct canvas *canvas, int row, int column, int end, enum canvas_style style, const char *text) {
  bool dots;
  int left = fitting(text, end > column ? end - column : 0, &dots);
  for (; *text && left > 0; text++) {
    unsigned char c = (unsigned char)*text;
    if (goes_on(*text)) continue;
    canvas_code(canvas, row, column++, style, c < ' ' || c > '~' ? '?' : c);
    left--;
  }
  for (int i = 0; dots && i < 2; i++) canvas_code(canvas, row, column++, style, '.');
  return column;
}

int canvas_text(struct canvas *canvas, int row, int column, enum canvas_style style, const char *text) {
  return canvas_cut(canvas, row, column, canvas->columns, style, text);
}

int canvas_print(struct canvas *canvas, int row, int column, enum canvas_style style, const char *format, ...) {
  char text[CANVAS_LIMIT + 1];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return length < 0 ? column : canvas_text(canvas, row, column, style, text);
}

void canvas_blank(struct canvas *canvas, int row, int column, int count, enum canvas_style style) {
  for (int i = 0; i < count; i++) canvas_code(canvas, row, column + i, style, ' ');
}

/* ------------------------------------------------------------------- output */

static size_t encode(uint32_t code, char bytes[4]) {
  if (code < 0x80) {
    bytes[0] = (char)code;
    return 1;
  }
  if (code < 0x800) {
    bytes[0] = (char)(0xc0 | code >> 6);
    bytes[1] = (char)(0x80 | (code & 0x3f));
    return 2;
  }
  bytes[0] = (char)(0xe0 | code >> 12); /* nothing above U+FFFF is ever drawn */
  bytes[1] = (char)(0x80 | (code >> 6 & 0x3f));
  bytes[2] = (char)(0x80 | (code & 0x3f));
  return 3;
}

void canvas_row(const struct canvas *canvas, int row, char *text) {
  const struct cell *cells = row_of(canvas, row);
  int end = canvas->columns;
  while (end && cells[end - 1].code == ' ') end--;
  for (int i = 0; i < end; i++) text += encode(cells[i].code, text);
  *text = 0;
}

static const char *const colours[] = {
#define X(name, colour, mono) colour,
    CANVAS_STYLE_TABLE(X)
#undef X
};
static const char *const monos[] = {
#define X(name, colour, mono) mono,
    CANVAS_STYLE_TABLE(X)
#undef X
};

static void paint_row(const struct canvas *canvas, int row, bool colour, FILE *stream) {
  const struct cell *cells = row_of(canvas, row);
  const char *const *styles = colour ? colours : monos;
  uint32_t style = STYLE_PLAIN;
  char bytes[4] = {0};
  fprintf(stream, "\033[%d;1H\033[0m", row + 1);
  for (int i = 0; i < canvas->columns; i++) {
    if (cells[i].style != style) {
      style = cells[i].style;
      fprintf(stream, "\033[0%s%sm", *styles[style] ? ";" : "", styles[style]);
    }
    fwrite(bytes, 1, encode(cells[i].code, bytes), stream);
  }
  fputs("\033[0m", stream);
}

void canvas_paint(const struct canvas *canvas, const struct canvas *before, bool colour, FILE *stream) {
  bool known = before && same_size(canvas, before);
  if (!known) fputs("\033[0m\033[2J", stream);
  for (int row = 0; row < canvas->rows; row++)
    if (!known || !same_row(canvas, before, row)) paint_row(canvas, row, colour, stream);
}
