/* Canvas: what is drawn where, and that painting makes a terminal show it.  The oracle
 * of painting is a small terminal that understands just the sequences that are allowed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "canvas.h"

/* ------------------------------------------------------------ small terminal */

enum { ROWS = 6, COLUMNS = 20 };

struct screen {
  char text[ROWS][COLUMNS][5]; /* UTF-8 */
  char style[ROWS][COLUMNS][40];
  char sgr[40];
  int row, column, erased;
};

static void put(struct screen *screen, const char *bytes, size_t length) {
  assert_true(screen->row < ROWS && screen->column < COLUMNS); /* never beyond the last column */
  memcpy(screen->text[screen->row][screen->column], bytes, length);
  screen->text[screen->row][screen->column][length] = 0;
  strcpy(screen->style[screen->row][screen->column], screen->sgr);
  screen->column++;
}

static const char *sequence(struct screen *screen, const char *at) {
  char parameters[40];
  size_t length = strspn(at, "0123456789;");
  assert_true(length < sizeof parameters);
  memcpy(parameters, at, length);
  parameters[length] = 0;
  switch (at[length]) {
    case 'H':
      assert_int_equal(sscanf(parameters, "%d;%d", &screen->row, &screen->column), 2);
      screen->row--, screen->column--;
      break;
    case 'm': strcpy(screen->sgr, !strcmp(parameters, "0") ? "" : parameters); break;
    case 'J':
      assert_string_equal(parameters, "2");
      screen->erased++;
      break;
    default: fail_msg("a sequence that ends with '%c'", at[length]);
  }
  return at + length + 1;
}

static void show(struct screen *screen, const char *text) {
  while (*text) {
    if (text[0] == '\033') {
      assert_int_equal(text[1], '[');
      text = sequence(screen, text + 2);
      continue;
    }
    unsigned char c = (unsigned char)*text;
    size_t length = c < 0x80 ? 1 : c < 0xe0 ? 2 : 3;
    assert_true(c >= ' ');
    put(screen, text, length);
    text += length;
  }
}

static size_t paint(struct screen *screen, const struct canvas *canvas, const struct canvas *before, bool colour) {
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  canvas_paint(canvas, before, colour, stream);
  fclose(stream);
  show(screen, text);
  free(text);
  return size;
}

static void compare(const struct screen *screen, const struct canvas *canvas) {
  for (int row = 0; row < ROWS; row++) {
    char shown[4 * COLUMNS + 1] = "", drawn[4 * COLUMNS + 1];
    for (int column = 0; column < COLUMNS; column++) strcat(shown, screen->text[row][column]);
    size_t end = strlen(shown);
    while (end && shown[end - 1] == ' ') shown[--end] = 0;
    canvas_row(canvas, row, drawn);
    assert_string_equal(shown, drawn);
  }
}

/* -------------------------------------------------------------------- tests */

static void draws_within(void **state) {
  (void)state;
  struct canvas canvas;
  char text[4 * COLUMNS + 1];
  assert_true(canvas_begin(&canvas, ROWS, COLUMNS));
  canvas_row(&canvas, 3, text);
  assert_string_equal(text, "");
  assert_int_equal(canvas_text(&canvas, 0, 2, STYLE_PLAIN, "robot"), 7);
  assert_int_equal(canvas_print(&canvas, 1, 0, STYLE_ASK, "%d of %s", 3, "5"), 6);
  assert_int_equal(canvas_cut(&canvas, 2, 0, 3, STYLE_PLAIN, "package"), 3);
  assert_int_equal(canvas_cut(&canvas, 2, 4, 10, STYLE_PLAIN, "package"), 10);
  assert_int_equal(canvas_cut(&canvas, 2, 11, 18, STYLE_PLAIN, "at  most  nine"), 13);
  canvas_text(&canvas, 3, 17, STYLE_PLAIN, "clipped");
  canvas_text(&canvas, 4, -2, STYLE_PLAIN, "left");
  canvas_text(&canvas, -1, 0, STYLE_PLAIN, "above");
  canvas_text(&canvas, ROWS, 0, STYLE_PLAIN, "below");
  canvas_text(&canvas, 5, 0, STYLE_PLAIN, "a\033[2J\tb\xc3\xa9\xe2\x96\x91z\x7f");
  static const char *const rows[ROWS] = {"  robot", "3 of 5",     "pac pack.. at", "                 cli",
                                         "ft",      "a?[2J?b??z?"};
  for (int i = 0; i < ROWS; i++) {
    canvas_row(&canvas, i, text);
    assert_string_equal(text, rows[i]);
  }
  assert_int_equal(canvas.cells[COLUMNS].style, STYLE_ASK);
  assert_int_equal(canvas.cells[0].style, STYLE_PLAIN);
  canvas_blank(&canvas, 0, 0, COLUMNS + 5, STYLE_TITLE);
  canvas_row(&canvas, 0, text);
  assert_string_equal(text, "");
  assert_int_equal(canvas.cells[COLUMNS - 1].style, STYLE_TITLE);
  canvas_row(&canvas, 1, text);
  assert_string_equal(text, "3 of 5");
  canvas_end(&canvas);
  canvas_end(&canvas);
}

static void sizes_are_limited(void **state) {
  (void)state;
  struct canvas canvas;
  assert_true(canvas_begin(&canvas, 0, -5));
  assert_int_equal(canvas.rows, 1);
  assert_int_equal(canvas.columns, 1);
  canvas_end(&canvas);
  assert_true(canvas_begin(&canvas, 1 << 30, 7));
  assert_int_equal(canvas.rows, CANVAS_LIMIT);
  canvas_end(&canvas);
}

static void paints_what_is_drawn(void **state) {
  (void)state;
  static struct screen screen;
  struct canvas first, second;
  assert_true(canvas_begin(&first, ROWS, COLUMNS) && canvas_begin(&second, ROWS, COLUMNS));
  memset(&screen, 0, sizeof screen);
  canvas_text(&first, 0, 0, STYLE_TITLE, "a title as wide as it");
  canvas_text(&first, 5, 12, STYLE_ASK, "the end.");
  canvas_code(&first, 3, 4, STYLE_SHADE3, 0x2592);
  canvas_code(&first, 3, 5, STYLE_PLAIN, 0xb7);
  size_t whole = paint(&screen, &first, NULL, true);
  assert_int_equal(screen.erased, 1);
  compare(&screen, &first);
  assert_string_equal(screen.style[0][0], "0;7");
  assert_string_equal(screen.style[3][4], "0;38;5;231;48;5;30");
  assert_string_equal(screen.style[3][5], "");
  assert_string_equal(screen.style[3][3], "");
  /* Only what differs is written again. */
  memcpy(second.cells, first.cells, sizeof(struct cell) * ROWS * COLUMNS);
  assert_true(canvas_equal(&first, &second));
  assert_int_equal(paint(&screen, &second, &first, true), 0);
  canvas_code(&second, 3, 4, STYLE_SHADE4, 0x2592); /* the style alone */
  canvas_text(&second, 4, 0, STYLE_PLAIN, "new");
  assert_false(canvas_equal(&first, &second));
  size_t part = paint(&screen, &second, &first, true);
  assert_true(part > 0 && part < whole / 2);
  assert_int_equal(screen.erased, 1);
  compare(&screen, &second);
  assert_string_equal(screen.style[3][4], "0;38;5;16;48;5;36");
  /* Another size: everything. */
  struct canvas other;
  assert_true(canvas_begin(&other, ROWS, COLUMNS - 1));
  assert_false(canvas_equal(&other, &second));
  paint(&screen, &second, &other, true);
  assert_int_equal(screen.erased, 2);
  canvas_end(&other);
  canvas_end(&first);
  canvas_end(&second);
}

static void no_colours(void **state) {
  (void)state;
  static struct screen screen;
  struct canvas canvas;
  assert_true(canvas_begin(&canvas, ROWS, COLUMNS));
  memset(&screen, 0, sizeof screen);
  for (int i = 0; i < CANVAS_STYLES; i++) canvas_code(&canvas, 1, i, (enum canvas_style)i, 'x');
  paint(&screen, &canvas, NULL, false);
  compare(&screen, &canvas);
  for (int i = 0; i < COLUMNS; i++) {
    const char *style = screen.style[1][i];
    /* Bold and reverse are no colours. */
    assert_true(!*style || !strcmp(style, "0") || !strcmp(style, "0;1") || !strcmp(style, "0;7"));
  }
  canvas_end(&canvas);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(draws_within),
      cmocka_unit_test(sizes_are_limited),
      cmocka_unit_test(paints_what_is_drawn),
      cmocka_unit_test(no_colours),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
