/* Plot: which figures, panels and points come from which results; the data and scripts for gnuplot, also with names
 * that quote; gnuplot itself, where it is there and where it is not; and the page, which must need nothing else.
 *
 * Covers experiment/gnuplot.c, experiment/page.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "common/plotter.h"
#include "database.h"
#include "experiment/gnuplot.h"
#include "experiment/page.h"
#include "support/failing_malloc.h"

struct fixture {
  char path[64];
  struct results results;
  struct tables tables;
  struct plots plots;
};

static void open_fixture(struct fixture *fixture, sqlite3 *db) {
  complaint why = {{0}, {0}, {0}};
  sqlite3_close(db);
  if (!results_read(&fixture->results, fixture->path, &why)) fail_msg("%s", why.text);
  assert_true(tables_build(&fixture->tables, &fixture->results, "x.db", NULL));
  assert_true(plots_build(&fixture->plots, &fixture->tables));
}

static void close_fixture(struct fixture *fixture) {
  plots_free(&fixture->plots);
  tables_free(&fixture->tables);
  results_free(&fixture->results);
  remove(fixture->path);
}

static const struct plot *find_plot(const struct fixture *fixture, const char *name) {
  for (size_t i = 0; i < fixture->plots.count; i++)
    if (!strcmp(text_string(&fixture->plots.plots[i].name), name)) return &fixture->plots.plots[i];
  fail_msg("there is no plot %s", name);
  return NULL;
}

static bool has_plot(const struct fixture *fixture, const char *name) {
  for (size_t i = 0; i < fixture->plots.count; i++)
    if (!strcmp(text_string(&fixture->plots.plots[i].name), name)) return true;
  return false;
}

static const char bounds[] = "'fib-sr', 'blind', 'none', ''";

/* Two environments, two planners, two times of the paper; aems-sr comes second. */
static sqlite3 *make_budgets(struct fixture *fixture) {
  sqlite3 *db = database_new(fixture->path);
  database_experiment(db, 1, "main-1", "Table <1> & it's", "budget");
  int id = 0;
  for (int e = 0; e < 2; e++)
    for (int p = 0; p < 2; p++)
      for (int t = 1; t >= 0; t--) { /* the larger one first */
        id++;
        database_setting(db, id, 1, e ? "robot-delivery:n=5" : "robot-delivery:n=3", 0.1, p ? "aems-sr" : "aems",
                         bounds, "expansions", 100 * id, 2, t ? 1 : 0.1);
        database_episode(db, id, 1, id, 10, "1, 1, 11, 100, 50, 0, 1, 0.01");
        database_episode(db, id, 2, id + 2, 10, "1, 1, 11, 100, 60, 0, 1, 0.01");
      }
  database_run(db, "INSERT INTO trace VALUES(3, 1, 0, 0, 0.5, 4), (3, 1, 10, 0.1, 1, 3), (3, 1, 1000, 1, 1.5, 2)");
  database_run(db, "INSERT INTO trace VALUES(4, 1, 10, 0.1, 1, 3)"); /* shorter, of the same planner */
  return db;
}

static void test_budgets(void **state) {
  (void)state;
  struct fixture fixture;
  open_fixture(&fixture, make_budgets(&fixture));
  assert_int_equal(fixture.plots.count, 4);
  const struct plot *plot = find_plot(&fixture, "main-1-return");
  assert_int_equal(plot->name_count, 2);
  assert_string_equal(text_string(&plot->names[0]), "aems-sr"); /* styles are by planner, not by row */
  assert_int_equal(plot->count, 2);
  assert_string_equal(text_string(&plot->panels[1].title), "robot-delivery:n=5");
  const struct plot_panel *panel = &plot->panels[0];
  assert_true(panel->log_x && !panel->log_y && plot->paper && plot->lines);
  assert_int_equal(panel->count, 4); /* ours and the paper's, of two planners */
  const struct plot_series *series = &panel->series[2];
  assert_true(series->style == 0 && !series->paper && series->count == 2);
  /* From left to right: setting 4 (0.1 s; returns 4 and 6), then setting 3 (1 s; 3 and 5). */
  assert_true(series->points[0].x == 0.1 && series->points[0].y == 5 && series->points[1].y == 4);
  assert_true(fabs(series->points[0].high - (5 + 12.706205)) < 1e-5);
  assert_true(fabs(series->points[0].low - (5 - 12.706205)) < 1e-5);
  series = &panel->series[3];
  assert_true(series->style == 0 && series->paper && series->points[0].y == 1.38 && series->points[1].y == 2.50);
  assert_true(has_plot(&fixture, "main-1-er") && has_plot(&fixture, "main-1-rate"));
  plot = find_plot(&fixture, "main-1-rate"); /* 1000 expansions in 0.01 s */
  assert_true(fabs(plot->panels[0].series[0].points[0].y - 100000) < 1e-6);
  plot = find_plot(&fixture, "main-1-bounds");
  assert_int_equal(plot->count, 1);
  assert_int_equal(plot->panels[0].count, 2);
  series = &plot->panels[0].series[0];
  assert_true(series->count == 3 && !series->dashed && series->points[0].x == 1 && series->points[2].y == 2);
  assert_true(plot->panels[0].series[1].dashed && plot->panels[0].series[1].points[2].y == 1.5);
  close_fixture(&fixture);
}

/* Over the cost: its points are those of the settings, and the cost is no part of the panel's name. */
static void test_costs(void **state) {
  (void)state;
  struct fixture fixture;
  sqlite3 *db = database_new(fixture.path);
  database_experiment(db, 1, "cost", "", "cost");
  for (int i = 1; i <= 3; i++) {
    database_setting(db, i, 1, "tag", i * 0.5, "aems-sr", bounds, "expansions", 10, 1, 0);
    database_episode(db, i, 1, 1, 10, i == 1 ? "7, 1, 11, 100, 50, 0, 1, 0.01" : "3, 1, 11, 100, 50, 0, 1, 0.01");
  }
  open_fixture(&fixture, db);
  assert_int_equal(fixture.plots.count, 2);
  assert_true(has_plot(&fixture, "cost-return-cost"));
  const struct plot *plot = find_plot(&fixture, "cost-requests-cost");
  assert_int_equal(plot->count, 1);
  assert_string_equal(text_string(&plot->panels[0].title), "tag");
  assert_false(plot->panels[0].log_x);
  const struct plot_series *series = &plot->panels[0].series[0];
  assert_true(series->count == 3 && series->points[0].x == 0.5 && series->points[0].y == 7 &&
              series->points[2].x == 1.5);
  assert_true(series->points[0].low == 7 && series->points[0].high == 7); /* one episode: no bar */
  close_fixture(&fixture);
}

/* Over a parameter, which is then no part of the name; a setting without it has no point. */
static void test_parameters(void **state) {
  (void)state;
  struct fixture fixture;
  sqlite3 *db = database_new(fixture.path);
  database_experiment(db, 1, "scale", "", "n");
  static const char *const environments[] = {"robot-delivery:n=3,f=0.2", "robot-delivery:f=0.2,n=5", "tag"};
  for (int i = 0; i < 3; i++) {
    database_setting(db, i + 1, 1, environments[i], 1, "aems-sr", bounds, "expansions", 10, 1, 0);
    database_episode(db, i + 1, 1, i, 10, "7, 1, 11, 100, 50, 0, 1, 0.01");
  }
  open_fixture(&fixture, db);
  const struct plot *plot = find_plot(&fixture, "scale-return");
  assert_int_equal(plot->count, 1);
  assert_string_equal(text_string(&plot->panels[0].title), "robot-delivery:f=0.2");
  assert_int_equal(plot->panels[0].series[0].count, 2);
  assert_true(plot->panels[0].series[0].points[1].x == 5 && plot->panels[0].series[0].points[1].y == 1);
  close_fixture(&fixture);
}

/* A single budget: environments side by side. */
static void test_worlds(void **state) {
  (void)state;
  struct fixture fixture;
  sqlite3 *db = database_new(fixture.path);
  database_experiment(db, 1, "a b", "", "budget");
  database_experiment(db, 2, "a-b", "", "budget");
  static const char *const environments[] = {"robot-delivery:n=3", "robot-delivery:n=5", "tag"};
  for (int i = 0; i < 6; i++) {
    database_setting(db, i + 1, 1 + i / 3, environments[i % 3], 1, "aems-sr", bounds, "seconds", 0.1, 1, 0);
    database_episode(db, i + 1, 1, i, 10, "7, 1, 11, 100, NULL, NULL, NULL, 0");
  }
  open_fixture(&fixture, db);
  assert_int_equal(fixture.plots.count, 4); /* return and requests of both; no error reduction, no rate */
  assert_true(has_plot(&fixture, "a-b-2-return"));
  struct text out = {0};
  gnuplot_script(find_plot(&fixture, "a-b-requests"), "x", &out); /* cannot be negative */
  assert_non_null(strstr(text_string(&out), "set yrange [0:*]"));
  assert_null(strstr(text_string(&out), "set yrange [*"));
  text_free(&out);
  const struct plot *plot = find_plot(&fixture, "a-b-return");
  assert_int_equal(plot->count, 2);
  assert_string_equal(text_string(&plot->panels[0].title), "robot-delivery");
  assert_int_equal(plot->panels[0].tick_count, 2);
  assert_string_equal(text_string(&plot->panels[0].ticks[1]), "robot-delivery:n=5");
  assert_true(plot->panels[0].series[0].points[1].x == 2 && !plot->lines);
  close_fixture(&fixture);
}

/* ------------------------------------------------------------------- gnuplot */

static void test_files(void **state) {
  (void)state;
  struct fixture fixture;
  open_fixture(&fixture, make_budgets(&fixture));
  struct text out = {0};
  gnuplot_data(find_plot(&fixture, "main-1-bounds"), &out);
  assert_string_equal(text_string(&out),
                      "# Bounds of the start belief over expansions: x, y, and the ends of the 95 % interval\n"
                      "# robot-delivery:n=3: aems-sr, upper\n1 4 4 4\n10 3 3 3\n1000 2 2 2\n"
                      "\n\n# robot-delivery:n=3: aems-sr, lower\n1 0.5 0.5 0.5\n10 1 1 1\n"
                      "1000 1.5 1.5 1.5\n");
  text_clear(&out);
  gnuplot_script(find_plot(&fixture, "main-1-return"), "it's", &out);
  assert_non_null(strstr(text_string(&out), "set label 1 'it''s' at"));
  assert_non_null(strstr(text_string(&out), "set xtics norotate nomirror ('0.1' 0.1, '1' 1)"));
  assert_non_null(strstr(text_string(&out), "set ylabel 'discounted return'"));
  text_free(&out);
  close_fixture(&fixture);
}

/* Bounds that meet at once, but for rounding: a mark, and axes whose ticks have different numbers. */
static void test_point(void **state) {
  (void)state;
  struct fixture fixture;
  sqlite3 *db = database_new(fixture.path);
  database_experiment(db, 1, "e", "E", "budget");
  database_setting(db, 1, 1, "tiger", 1, "aems-sr", "'fib-sr', 'blind', 'sound', ''", "expansions", 5, 1, 0);
  database_episode(db, 1, 1, 3, 10, "2, 1, 12, 1, 50, 1, 2, 0.5");
  database_run(db, "INSERT INTO trace VALUES(1, 1, 1, 0.1, 180, 180.000000001)");
  open_fixture(&fixture, db);
  struct text out = {0};
  gnuplot_script(find_plot(&fixture, "e-bounds"), "x", &out);
  assert_non_null(strstr(text_string(&out), "set xtics norotate nomirror ('1' 1)"));
  assert_non_null(strstr(text_string(&out), "data index 0 using 1:2 with points"));
  assert_non_null(strstr(text_string(&out), "set yrange [1"));
  assert_null(strstr(text_string(&out), "set yrange [*"));
  text_free(&out);
  close_fixture(&fixture);
}

/* The first bytes of a file. */
static void expect_start(const char *directory, const char *name, const char *start) {
  char path[200], found[16] = {0};
  snprintf(path, sizeof path, "%s/%s", directory, name);
  FILE *file = fopen(path, "r");
  if (!file) fail_msg("there is no %s", path);
  size_t length = fread(found, 1, strlen(start), file);
  fclose(file);
  if (length != strlen(start) || memcmp(found, start, length) != 0) fail_msg("%s does not start well", path);
}

static bool is_there(const char *directory, const char *name) {
  char path[200];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  return !access(path, F_OK);
}

static void clean(const struct fixture *fixture, const char *directory) {
  static const char *const endings[] = {"svg", "png", "dat", "gp"};
  char path[200];
  for (size_t i = 0; i < fixture->plots.count; i++)
    for (size_t k = 0; k < 4; k++) {
      snprintf(path, sizeof path, "%s/%s.%s", directory, text_string(&fixture->plots.plots[i].name), endings[k]);
      remove(path);
    }
  assert_int_equal(rmdir(directory), 0); /* nothing else was left there */
}

static void test_drawn(void **state) {
  (void)state;
  struct text program = {0};
  bool found = plotter_find(&program);
  text_free(&program);
  if (!found) skip();
  struct fixture fixture;
  open_fixture(&fixture, make_budgets(&fixture));
  char directory[] = "/tmp/glimpse-test-XXXXXX";
  assert_non_null(mkdtemp(directory));
  complaint why = {{0}, {0}, {0}};
  bool drawn = false;
  if (!gnuplot_draw(&fixture.plots, &fixture.tables, directory, false, NULL, &drawn, &why)) fail_msg("%s", why.text);
  assert_true(drawn);
  expect_start(directory, "main-1-return.svg", "<?xml");
  expect_start(directory, "main-1-bounds.png", "\x89PNG");
  assert_false(is_there(directory, "main-1-return.dat"));
  struct text page = {0};
  assert_true(page_write(&fixture.tables, &fixture.plots, directory, "", "it's <x>", &page, &why));
  const char *html = text_string(&page);
  assert_non_null(strstr(html, "<title>it&#39;s &lt;x&gt;</title>"));
  assert_non_null(strstr(html, "<h2>Table &lt;1&gt; &amp; it&#39;s</h2>"));
  size_t pictures = 0;
  for (const char *at = html; (at = strstr(at, "<svg role=")); at++) pictures++;
  assert_int_equal(pictures, fixture.plots.count);
  assert_null(strstr(html, "<?xml"));
  assert_null(strstr(html, "<script"));
  assert_null(strstr(html, "src="));
  assert_null(strstr(html, "url(h"));
  assert_null(strstr(html, "id='gp")); /* each name has the number of its picture */
  assert_non_null(strstr(html, "id='g1-gpPt6'"));
  assert_non_null(strstr(html, "id='g4-gpPt6'"));
  for (const char *at = html; (at = strstr(at, "href=")); at++) /* only to itself */
    if (at[6] != '#') fail_msg("%.40s", at);
  text_free(&page);
  clean(&fixture, directory);
  close_fixture(&fixture);
}

/* No gnuplot in PATH: an error, or only its files; and one that fails. */
static void test_not_drawn(void **state) {
  (void)state;
  struct fixture fixture;
  open_fixture(&fixture, make_budgets(&fixture));
  char directory[] = "/tmp/glimpse-test-XXXXXX", bin[] = "/tmp/glimpse-test-XXXXXX", program[64];
  assert_non_null(mkdtemp(directory));
  assert_non_null(mkdtemp(bin));
  const char *before = getenv("PATH");
  char *kept = malloc(strlen(before) + 1);
  assert_non_null(kept);
  memcpy(kept, before, strlen(before) + 1);
  assert_int_equal(setenv("PATH", bin, 1), 0);
  complaint why = {{0}, {0}, {0}};
  bool drawn = true;
  assert_false(gnuplot_draw(&fixture.plots, &fixture.tables, directory, false, NULL, &drawn, &why));
  assert_non_null(strstr(why.text, "there is no program 'gnuplot'"));
  assert_non_null(strstr(why.hint, "--keep-data"));
  assert_true(gnuplot_draw(&fixture.plots, &fixture.tables, directory, true, NULL, &drawn, &why));
  assert_false(drawn);
  expect_start(directory, "main-1-return.gp", "# gnuplot");
  assert_true(is_there(directory, "main-1-er.dat") && !is_there(directory, "main-1-er.svg"));
  snprintf(program, sizeof program, "%s/gnuplot", bin);
  FILE *file = fopen(program, "w");
  assert_non_null(file);
  fputs("#!/bin/sh\necho 'unknown terminal' >&2\nexit 3\n", file);
  fclose(file);
  assert_int_equal(chmod(program, 0755), 0);
  assert_false(gnuplot_draw(&fixture.plots, &fixture.tables, directory, false, NULL, &drawn, &why));
  assert_non_null(strstr(why.text, "(exit status 3): unknown terminal"));
  assert_false(gnuplot_draw(&fixture.plots, &fixture.tables, "/nonexistent", false, NULL, &drawn, &why));
  assert_non_null(strstr(why.text, "cannot be written"));
  assert_int_equal(setenv("PATH", kept, 1), 0);
  free(kept);
  remove(program);
  rmdir(bin);
  clean(&fixture, directory);
  close_fixture(&fixture);
}

static void test_picture(void **state) {
  (void)state;
  struct text out = {0};
  assert_false(page_picture("no picture", 1, "x", &out));
  assert_true(page_picture("<?xml?>\n<svg viewBox=\"0\"><title>Gnuplot</title><circle id='gpDot'/><g id=\"gnuplot_a\">"
                           "<use xlink:href='#gpDot'/></g></svg>\n",
                           7, "a \"b\"", &out));
  assert_string_equal(text_string(&out),
                      "<svg role=\"img\" aria-label=\"a &quot;b&quot;\" viewBox=\"0\">"
                      "<circle id='g7-gpDot'/><g id=\"g7-gnuplot_a\"><use xlink:href='#g7-gpDot'/></g>"
                      "</svg>\n");
  text_free(&out);
}

static glimpse_status plot_job(void *context) {
  const struct fixture *fixture = context;
  struct plots plots;
  struct text out = {0};
  bool good = plots_build(&plots, &fixture->tables);
  for (size_t i = 0; good && i < plots.count; i++) {
    gnuplot_data(&plots.plots[i], &out);
    gnuplot_script(&plots.plots[i], "x", &out);
  }
  complaint why;
  good = good && page_write(&fixture->tables, &plots, NULL, "none", "x", &out, &why) && !out.failed;
  text_free(&out);
  plots_free(&plots);
  return good ? GLIMPSE_OK : GLIMPSE_NO_MEMORY;
}

static void test_no_memory(void **state) {
  (void)state;
  struct fixture fixture;
  open_fixture(&fixture, make_budgets(&fixture));
  assert_true(failing_malloc_sweep(plot_job, &fixture) > 50);
  close_fixture(&fixture);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_budgets),   cmocka_unit_test(test_costs),     cmocka_unit_test(test_parameters),
      cmocka_unit_test(test_worlds),    cmocka_unit_test(test_files),     cmocka_unit_test(test_point),
      cmocka_unit_test(test_drawn),     cmocka_unit_test(test_not_drawn), cmocka_unit_test(test_picture),
      cmocka_unit_test(test_no_memory),
  };
  return cmocka_run_group_tests_name("plot", tests, NULL, NULL);
}
