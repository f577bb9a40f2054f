/* Sheet: each format to the letter, names with everything that a format reserves, what is common to all rows, and
 * sheets with nothing in them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "experiment/sheet.h"
#include "support/failing_malloc.h"

static const struct sheet_column columns[] = {
    {.key = "name", .head = "name", .kind = COLUMN_TEXT},
    {.key = "cost", .head = "cost", .kind = COLUMN_TEXT, .lift = true},
    {.key = "options", .head = "options", .kind = COLUMN_TEXT, .lift = true, .strict = true},
    {.key = "return", .head = "return ± s.e.", .kind = COLUMN_MEAN, .digits = 2},
    {.key = "count", .head = "n", .kind = COLUMN_NUMBER, .digits = 0},
};

static struct sheet example(void) {
  struct sheet sheet = sheet_begin(columns, sizeof columns / sizeof *columns);
  text_put(&sheet.title, "Return");
  text_put(&sheet.note, "A note.");
  sheet_text(&sheet, "a_1");
  sheet_text(&sheet, "0.1");
  sheet_text(&sheet, "x=1");
  sheet_mean(&sheet, (glimpse_statistic){1.5, 0.13, 1.25, 1.75});
  sheet_number(&sheet, 12);
  sheet_text(&sheet, "bb");
  sheet_text(&sheet, NULL);
  sheet_text(&sheet, "");
  sheet_mean(&sheet, (glimpse_statistic){-0.001, NAN, NAN, NAN});
  sheet_skip(&sheet);
  return sheet;
}

static void check(enum sheet_format format, const char *wanted) {
  struct sheet sheet = example();
  struct text out = {0};
  sheet_write(&sheet, format, true, &out);
  assert_false(out.failed);
  assert_string_equal(text_string(&out), wanted);
  text_free(&out);
  sheet_free(&sheet);
}

static void test_text(void **state) {
  (void)state;
  check(SHEET_TEXT, "Return: cost 0.1\n"
                    "name  options  return ± s.e.  95 % interval   n\n"
                    "a_1   x=1        1.50 ± 0.13   1.25 to 1.75  12\n"
                    "bb                      0.00              -\n"
                    "A note.\n");
}

static void test_markdown(void **state) {
  (void)state;
  check(SHEET_MARKDOWN, "**Return: cost 0.1**\n\n"
                        "| name | options | return ± s.e. | 95 % interval | n |\n"
                        "| --- | --- | ---: | ---: | ---: |\n"
                        "| a\\_1 | x=1 | 1.50 ± 0.13 | 1.25 to 1.75 | 12 |\n"
                        "| bb |  | 0.00 | - |  |\n"
                        "\nA note.\n");
}

static void test_csv(void **state) {
  (void)state;
  check(SHEET_CSV, "name,cost,options,return,return_se,return_low,return_high,count\n"
                   "a_1,0.1,x=1,1.5,0.13,1.25,1.75,12\n"
                   "bb,,,-0.001,,,,\n");
}

static void test_latex(void **state) {
  (void)state;
  check(SHEET_LATEX, "\\begin{table}\n\\centering\n\\caption{Return: cost 0.1}\n"
                     "\\begin{tabular}{llrrr}\n  \\hline\n"
                     "  name & options & return $\\pm$ s.e. & 95 \\% interval & n \\\\\n  \\hline\n"
                     "  a\\_1 & x=1 & $1.50 \\pm 0.13$ & $1.25$ to $1.75$ & $12$ \\\\\n"
                     "  bb &  & $0.00$ & - &  \\\\\n"
                     "  \\hline\n\\end{tabular}\n\\par A note.\n\\end{table}\n");
}

static void test_html(void **state) {
  (void)state;
  check(SHEET_HTML,
        "<h3>Return: cost 0.1</h3>\n<div class=\"wide\" tabindex=\"0\"><table>\n"
        "<thead><tr><th>name</th><th>options</th><th class=\"n\">return ± s.e.</th>"
        "<th class=\"n\">95 % interval</th><th class=\"n\">n</th></tr></thead>\n<tbody>\n"
        "<tr><td>a_1</td><td>x=1</td><td class=\"n\">1.50 ± 0.13</td><td class=\"n\">1.25 to 1.75</td>"
        "<td class=\"n\">12</td></tr>\n"
        "<tr><td>bb</td><td></td><td class=\"n\">0.00</td><td class=\"n\">-</td><td class=\"n\"></td></tr>\n"
        "</tbody></table></div>\n<p class=\"note\">A note.</p>\n");
}

static void test_escapes(void **state) {
  (void)state;
  static const struct {
    enum sheet_format format;
    const char *plain, *escaped;
  } known[] = {
      {SHEET_CSV, "plain name:n=3", "plain name:n=3"},
      {SHEET_CSV, "robot:n=3,f=0.2", "\"robot:n=3,f=0.2\""},
      {SHEET_CSV, "say \"hi\"", "\"say \"\"hi\"\"\""},
      {SHEET_CSV, "two\nlines", "\"two\nlines\""},
      {SHEET_CSV, " led", "\" led\""},
      {SHEET_CSV, "", ""},
      {SHEET_LATEX, "a_b & 5% #1 $x$ {y} ~ ^ \\",
       "a\\_b \\& 5\\% \\#1 \\$x\\$ \\{y\\} \\textasciitilde{} "
       "\\textasciicircum{} \\textbackslash{}"},
      {SHEET_LATEX, "<|>\"±", "\\textless{}\\textbar{}\\textgreater{}\\textquotedbl{}$\\pm$"},
      {SHEET_MARKDOWN, "a|b *c* _d_ `e` <f> [g] \\ & ~",
       "a\\|b \\*c\\* \\_d\\_ \\`e\\` \\<f\\> \\[g\\] \\\\ &amp; \\~"},
      {SHEET_MARKDOWN, "two\nlines", "two lines"},
      {SHEET_HTML, "<a href=\"x\">'&'</a>", "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;"},
      {SHEET_HTML, "bell\a", "bell?"},
      {SHEET_TEXT, "clear\033[2J", "clear?[2J"},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    struct text out = {0};
    sheet_escape(&out, known[i].format, known[i].plain);
    assert_string_equal(text_string(&out), known[i].escaped);
    text_free(&out);
  }
}

/* One row has everything in common with itself; the heads are there even without a row. */
static void test_few(void **state) {
  (void)state;
  struct sheet sheet = sheet_begin(columns, sizeof columns / sizeof *columns);
  struct text out = {0};
  sheet_write(&sheet, SHEET_TEXT, true, &out);
  assert_string_equal(text_string(&out), "name  cost  options  return ± s.e.  95 % interval  n\n");
  text_clear(&out);
  sheet_text(&sheet, "a");
  sheet_text(&sheet, "0.1");
  sheet_text(&sheet, "x=1");
  sheet_mean(&sheet, (glimpse_statistic){NAN, NAN, NAN, NAN});
  sheet_number(&sheet, 1);
  sheet_write(&sheet, SHEET_TEXT, true, &out);
  assert_string_equal(text_string(&out), "cost 0.1, options x=1\nname  n\na     1\n");
  text_clear(&out);
  sheet_write(&sheet, SHEET_CSV, false, &out);
  assert_string_equal(text_string(&out), "a,0.1,x=1,,,,,1\n");
  text_free(&out);
  sheet_free(&sheet);
}

static glimpse_status write_all(void *context) {
  (void)context;
  struct sheet sheet = example();
  struct text out = {0};
  for (int format = SHEET_TEXT; format <= SHEET_HTML; format++)
    sheet_write(&sheet, (enum sheet_format)format, true, &out);
  glimpse_status status = out.failed ? GLIMPSE_NO_MEMORY : GLIMPSE_OK;
  text_free(&out);
  sheet_free(&sheet);
  return status;
}

static void test_no_memory(void **state) {
  (void)state;
  assert_true(failing_malloc_sweep(write_all, NULL) > 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_text),  cmocka_unit_test(test_markdown),  cmocka_unit_test(test_csv),
      cmocka_unit_test(test_latex), cmocka_unit_test(test_html),      cmocka_unit_test(test_escapes),
      cmocka_unit_test(test_few),   cmocka_unit_test(test_no_memory),
  };
  return cmocka_run_group_tests_name("sheet", tests, NULL, NULL);
}
