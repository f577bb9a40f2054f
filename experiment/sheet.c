/* Sheet: see sheet.h.
 *
 * A column has one or several views: what is shown of it side by side.  A column of means has two for readers (mean
 * and standard error; interval) and four in CSV.  All formats walk over rows and views and differ in what
 * they put between cells and in which characters they must escape. */
#include "experiment/sheet.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct sheet sheet_begin(const struct sheet_column *columns, size_t count) {
  return (struct sheet){.columns = columns, .column_count = count};
}

void sheet_free(struct sheet *sheet) {
  for (size_t i = 0; i < sheet->count; i++) free(sheet->cells[i].text);
  free(sheet->cells);
  text_free(&sheet->title);
  text_free(&sheet->note);
  *sheet = (struct sheet){0};
}

static struct sheet_cell *add(struct sheet *sheet) {
  if (sheet->count == sheet->capacity && !sheet->failed) {
    size_t wanted = sheet->capacity ? 2 * sheet->capacity : 128;
    void *moved =
        wanted <= SIZE_MAX / sizeof *sheet->cells ? realloc(sheet->cells, wanted * sizeof *sheet->cells) : NULL;
    if (moved) {
      sheet->cells = moved;
      sheet->capacity = wanted;
    } else sheet->failed = true;
  }
  if (sheet->failed) return NULL;
  struct sheet_cell *cell = &sheet->cells[sheet->count++];
  *cell = (struct sheet_cell){NULL, {NAN, NAN, NAN, NAN}};
  return cell;
}

void sheet_text(struct sheet *sheet, const char *text) {
  struct sheet_cell *cell = add(sheet);
  if (!cell || !text) return;
  size_t size = strlen(text) + 1;
  cell->text = malloc(size);
  if (cell->text) memcpy(cell->text, text, size);
  else sheet->failed = true;
}

void sheet_number(struct sheet *sheet, double value) {
  struct sheet_cell *cell = add(sheet);
  if (cell) cell->value.mean = value;
}

void sheet_mean(struct sheet *sheet, glimpse_statistic value) {
  struct sheet_cell *cell = add(sheet);
  if (cell) cell->value = value;
}

void sheet_skip(struct sheet *sheet) {
  add(sheet);
}

/* --------------------------------------------------------------------- views */

struct view {
  size_t column;
  unsigned part;
};

static size_t row_count(const struct sheet *sheet) {
  return sheet->count / sheet->column_count;
}

static const struct sheet_cell *cell_at(const struct sheet *sheet, size_t row, size_t column) {
  return &sheet->cells[row * sheet->column_count + column];
}

static bool is_empty(const struct sheet *sheet, size_t row, size_t column) {
  const struct sheet_cell *cell = cell_at(sheet, row, column);
  return sheet->columns[column].kind == COLUMN_TEXT ? !cell->text || !*cell->text : isnan(cell->value.mean);
}

static bool same(const struct sheet *sheet, size_t column, size_t a, size_t b) {
  const struct sheet_cell *one = cell_at(sheet, a, column), *two = cell_at(sheet, b, column);
  if (sheet->columns[column].kind == COLUMN_TEXT) return !strcmp(one->text, two->text);
  return !(one->value.mean < two->value.mean || one->value.mean > two->value.mean);
}

/* The row whose value all rows have that have one; the number of rows when there is no value at all, and
 * SIZE_MAX when values differ or the column must stay. */
static size_t common(const struct sheet *sheet, size_t column) {
  size_t rows = row_count(sheet), found = rows, empty = 0;
  for (size_t i = 0; i < rows; i++) {
    if (is_empty(sheet, i, column)) {
      empty++;
      continue;
    }
    if (found == rows) found = i;
    else if (!sheet->columns[column].lift || !same(sheet, column, found, i)) return SIZE_MAX;
  }
  if (found == rows) return rows;
  if (sheet->columns[column].strict && empty) return SIZE_MAX;
  return sheet->columns[column].lift ? found : SIZE_MAX;
}

/* What is shown, from left to right; an array to be freed, NULL: no memory. */
static struct view *views_of(const struct sheet *sheet, enum sheet_format format, size_t *count) {
  struct view *views = calloc(4 * sheet->column_count + 1, sizeof *views);
  *count = 0;
  for (size_t i = 0; views && i < sheet->column_count; i++) {
    const struct sheet_column *column = &sheet->columns[i];
    unsigned parts = 1;
    if (format == SHEET_CSV) {
      if (!column->key) continue;
      if (column->kind == COLUMN_MEAN) parts = 4;
    } else {
      /* An empty column tells nothing, except in a sheet without rows. */
      if (!column->head || (common(sheet, i) != SIZE_MAX && row_count(sheet))) continue;
      if (column->kind == COLUMN_MEAN && !column->no_spread) parts = 2;
    }
    for (unsigned k = 0; k < parts; k++) views[(*count)++] = (struct view){i, k};
  }
  return views;
}

static bool is_numeric(const struct sheet *sheet, struct view view) {
  return sheet->columns[view.column].kind != COLUMN_TEXT;
}

static void put_head(const struct sheet *sheet, struct view view, enum sheet_format format, struct text *out) {
  static const char *const endings[] = {"", "_se", "_low", "_high"};
  const struct sheet_column *column = &sheet->columns[view.column];
  if (format == SHEET_CSV) text_print(out, "%s%s", column->key, endings[view.part]);
  else text_put(out, view.part ? "95 % interval" : column->head);
}

static void put_csv_number(glimpse_statistic value, unsigned part, struct text *out) {
  double parts[] = {value.mean, value.se, value.low, value.high};
  text_number(out, parts[part]);
}

/* A cell as plain text; numbers in LaTeX as a formula. */
static void put_cell(const struct sheet *sheet, size_t row, struct view view, enum sheet_format format,
                     struct text *out) {
  const struct sheet_column *column = &sheet->columns[view.column];
  const struct sheet_cell *cell = cell_at(sheet, row, view.column);
  if (column->kind == COLUMN_TEXT) {
    if (cell->text) text_put(out, cell->text);
    return;
  }
  if (format == SHEET_CSV) {
    put_csv_number(cell->value, view.part, out);
    return;
  }
  if (isnan(cell->value.mean)) return;
  bool formula = format == SHEET_LATEX;
  if (view.part && isnan(cell->value.se)) {
    text_put(out, "-");
    return;
  }
  if (formula) text_put(out, "$");
  text_fixed(out, view.part ? cell->value.low : cell->value.mean, column->digits);
  if (view.part) {
    text_put(out, formula ? "$ to $" : " to ");
    text_fixed(out, cell->value.high, column->digits);
  } else if (column->kind == COLUMN_MEAN && !isnan(cell->value.se)) {
    text_put(out, formula ? " \\pm " : " ± ");
    text_fixed(out, cell->value.se, column->digits);
  }
  if (formula) text_put(out, "$");
}

/* ------------------------------------------------------------------- escapes */

static void escape_csv(struct text *out, const char *piece) {
  if (!piece[strcspn(piece, "\",\r\n")] && *piece != ' ' && (!*piece || piece[strlen(piece) - 1] != ' ')) {
    text_put(out, piece);
    return;
  }
  text_put(out, "\"");
  for (; *piece; piece++) {
    if (*piece == '"') text_put(out, "\"");
    text_add(out, piece, 1);
  }
  text_put(out, "\"");
}

static void escape_latex(struct text *out, const char *piece) {
  for (; *piece; piece++) {
    if (strchr("&%$#_{}", *piece)) text_print(out, "\\%c", *piece);
    else if (*piece == '\\') text_put(out, "\\textbackslash{}");
    else if (*piece == '~') text_put(out, "\\textasciitilde{}");
    else if (*piece == '^') text_put(out, "\\textasciicircum{}");
    else if (*piece == '<') text_put(out, "\\textless{}");
    else if (*piece == '>') text_put(out, "\\textgreater{}");
    else if (*piece == '|') text_put(out, "\\textbar{}");
    else if (*piece == '"') text_put(out, "\\textquotedbl{}");
    else if (!strncmp(piece, "±", 2)) {
      text_put(out, "$\\pm$");
      piece++;
    } else if ((unsigned char)*piece < ' ') text_put(out, " ");
    else text_add(out, piece, 1);
  }
}

static void escape_markdown(struct text *out, const char *piece) {
  for (; *piece; piece++) {
    if (strchr("\\`*_[]<>|~", *piece)) text_put(out, "\\");
    else if (*piece == '&') {
      text_put(out, "&amp;");
      continue;
    }
    if ((unsigned char)*piece < ' ') text_put(out, " ");
    else text_add(out, piece, 1);
  }
}

/* Control characters could move the cursor of a terminal; U+0080 to U+009F are some, too. */
static void escape_text(struct text *out, const char *piece) {
  for (; *piece; piece++) {
    unsigned char c = (unsigned char)*piece, next = (unsigned char)piece[1];
    if (c < ' ' || c == 127) text_put(out, "?");
    else if (c == 0xc2 && next >= 0x80 && next < 0xa0) {
      text_put(out, "?");
      piece++;
    } else text_add(out, piece, 1);
  }
}

void sheet_escape(struct text *out, enum sheet_format format, const char *piece) {
  switch (format) {
    case SHEET_TEXT: escape_text(out, piece); break;
    case SHEET_MARKDOWN: escape_markdown(out, piece); break;
    case SHEET_CSV: escape_csv(out, piece); break;
    case SHEET_LATEX: escape_latex(out, piece); break;
    case SHEET_HTML: text_escape_xml(out, piece); break;
  }
}

/* ------------------------------------------------------------------- formats */

/* The text of a cell (row SIZE_MAX: of the head) as it goes into the file. */
static void put_escaped(const struct sheet *sheet, size_t row, struct view view, enum sheet_format format,
                        struct text *scratch, struct text *out) {
  text_clear(scratch);
  if (row == SIZE_MAX) put_head(sheet, view, format, scratch);
  else put_cell(sheet, row, view, format, scratch);
  out->failed |= scratch->failed;
  bool formula = format == SHEET_LATEX && row != SIZE_MAX && is_numeric(sheet, view);
  if (formula) text_put(out, text_string(scratch));
  else sheet_escape(out, format, text_string(scratch));
}

/* Characters, not bytes: the second and later bytes of a UTF-8 sequence take no room. */
static size_t width_of(const char *text) {
  size_t width = 0;
  for (; *text; text++) width += ((unsigned char)*text & 0xc0) != 0x80;
  return width;
}

static void put_spaces(struct text *out, size_t count) {
  while (count--) text_put(out, " ");
}

static void write_aligned(const struct sheet *sheet, const struct view *views, size_t count, struct text *out) {
  struct text scratch = {0}, cell = {0};
  size_t rows = row_count(sheet), *widths = calloc(count + 1, sizeof *widths);
  if (!widths) out->failed = true;
  /* The first round measures.  Row 0 is the head. */
  for (int round = 0; widths && round < 2; round++) {
    for (size_t i = 0; i <= rows; i++) {
      size_t owed = 0; /* spaces that are due when something follows */
      for (size_t k = 0; k < count; k++) {
        text_clear(&cell);
        put_escaped(sheet, i ? i - 1 : SIZE_MAX, views[k], SHEET_TEXT, &scratch, &cell);
        size_t width = width_of(text_string(&cell));
        if (!round) {
          if (width > widths[k]) widths[k] = width;
          continue;
        }
        bool right = is_numeric(sheet, views[k]);
        owed += (k ? 2 : 0) + (right ? widths[k] - width : 0);
        if (cell.length) {
          put_spaces(out, owed);
          text_put(out, text_string(&cell));
          owed = 0;
        } else owed += width;
        if (!right) owed += widths[k] - width;
      }
      if (round) text_put(out, "\n");
    }
  }
  out->failed |= cell.failed;
  free(widths);
  text_free(&scratch);
  text_free(&cell);
}

static void write_rows(const struct sheet *sheet, const struct view *views, size_t count, enum sheet_format format,
                       bool head, struct text *out) {
  static const char *const begin[] = {"", "| ", "", "  ", ""}, *const between[] = {"", " | ", ",", " & ", ""},
                           *const end[] = {"", " |\n", "\n", " \\\\\n", ""};
  struct text scratch = {0};
  for (size_t i = head ? 0 : 1; i <= row_count(sheet); i++) {
    text_put(out, begin[format]);
    for (size_t k = 0; k < count; k++) {
      if (k) text_put(out, between[format]);
      put_escaped(sheet, i ? i - 1 : SIZE_MAX, views[k], format, &scratch, out);
    }
    text_put(out, end[format]);
    if (i) continue;
    if (format == SHEET_LATEX) text_put(out, "  \\hline\n");
    if (format == SHEET_MARKDOWN) {
      for (size_t k = 0; k < count; k++) text_put(out, is_numeric(sheet, views[k]) ? "| ---: " : "| --- ");
      text_put(out, "|\n");
    }
  }
  text_free(&scratch);
}

static void write_html(const struct sheet *sheet, const struct view *views, size_t count, struct text *out) {
  struct text scratch = {0};
  text_put(out, "<div class=\"wide\" tabindex=\"0\"><table>\n");
  for (size_t i = 0; i <= row_count(sheet); i++) {
    text_put(out, i ? "<tr>" : "<thead><tr>");
    for (size_t k = 0; k < count; k++) {
      const char *name = i ? "td" : "th";
      text_print(out, "<%s%s>", name, is_numeric(sheet, views[k]) ? " class=\"n\"" : "");
      put_escaped(sheet, i ? i - 1 : SIZE_MAX, views[k], SHEET_HTML, &scratch, out);
      text_print(out, "</%s>", name);
    }
    text_put(out, i ? "</tr>\n" : "</tr></thead>\n<tbody>\n");
  }
  text_put(out, "</tbody></table></div>\n");
  text_free(&scratch);
}

/* "cost 0.1, upper bound fib-sr": what all rows have in common. */
static void put_common(const struct sheet *sheet, struct text *out) {
  bool begun = false;
  size_t rows = row_count(sheet);
  for (size_t i = 0; i < sheet->column_count; i++) {
    size_t row = common(sheet, i);
    if (!sheet->columns[i].head || row >= rows) continue;
    text_print(out, "%s%s ", begun ? ", " : "", sheet->columns[i].head);
    put_cell(sheet, row, (struct view){i, 0}, SHEET_TEXT, out);
    begun = true;
  }
}

static void put_line(struct text *out, enum sheet_format format, const char *before, const char *line,
                     const char *after) {
  if (!*line) return;
  text_put(out, before);
  sheet_escape(out, format, line);
  text_put(out, after);
}

void sheet_write(const struct sheet *sheet, enum sheet_format format, bool head, struct text *out) {
  static const char *const title[][2] = {
      {"", "\n"}, {"**", "**\n\n"}, {"", ""}, {"\\caption{", "}\n"}, {"<h3>", "</h3>\n"}};
  static const char *const note[][2] = {
      {"", "\n"}, {"\n", "\n"}, {"", ""}, {"\\par ", "\n"}, {"<p class=\"note\">", "</p>\n"}};
  size_t count;
  struct view *views = views_of(sheet, format, &count);
  struct text shared = {0};
  if (sheet->failed || sheet->title.failed || sheet->note.failed || !views) out->failed = true;
  if (format != SHEET_CSV) {
    text_put(&shared, text_string(&sheet->title));
    size_t length = shared.length;
    if (length) text_put(&shared, ": ");
    size_t before = shared.length;
    put_common(sheet, &shared);
    if (shared.length == before && shared.data) shared.data[shared.length = length] = 0;
    if (format == SHEET_LATEX) text_put(out, "\\begin{table}\n\\centering\n");
    put_line(out, format, title[format][0], text_string(&shared), title[format][1]);
  }
  if (views && format == SHEET_TEXT) write_aligned(sheet, views, count, out);
  else if (views && format == SHEET_HTML) write_html(sheet, views, count, out);
  else if (views) {
    if (format == SHEET_LATEX) {
      text_put(out, "\\begin{tabular}{");
      for (size_t k = 0; k < count; k++) text_put(out, is_numeric(sheet, views[k]) ? "r" : "l");
      text_put(out, "}\n  \\hline\n");
    }
    write_rows(sheet, views, count, format, head, out);
    if (format == SHEET_LATEX) text_put(out, "  \\hline\n\\end{tabular}\n");
  }
  if (format != SHEET_CSV) put_line(out, format, note[format][0], text_string(&sheet->note), note[format][1]);
  if (format == SHEET_LATEX) text_put(out, "\\end{table}\n");
  out->failed |= shared.failed;
  text_free(&shared);
  free(views);
}
