/* Summary: files made by plain SQL are read, summarised and compared, against sums written out here; and files that are
 * no results.
 *
 * Covers experiment/compare.c, experiment/results.c, experiment/tables.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "base/random.h"
#include "database.h"
#include "experiment/compare.h"
#include "experiment/summary.h"
#include "experiment/tables.h"
#include "support/failing_malloc.h"

static void check_close(double a, double b, double tolerance) {
  if (!(fabs(a - b) <= tolerance)) fail_msg("%.17g, should be %.17g", a, b);
}

static struct results read_results(const char *path) {
  struct results results;
  complaint why = {{0}, {0}, {0}};
  if (!results_read(&results, path, &why)) fail_msg("%s: %s", why.place, why.text);
  return results;
}

/* ----------------------------------------------------------------- summaries */

/* 1, 2, 4: mean 7/3, variance 7/3, s.e. sqrt(7)/3; t(2) = 4.302653. */
static void test_means(void **state) {
  (void)state;
  char path[64];
  sqlite3 *db = database_new(path);
  database_experiment(db, 1, "e", "E", "budget");
  database_setting(db, 5, 1, "robot-delivery:n=3", 0.1, "aems-sr", "'fib-sr', 'blind', 'none', ''", "expansions", 100,
                   200, 0.1);
  database_episode(db, 5, 1, 1, 10, "2, 1, 12, 100, 50, 0.5, 3, 0.5");
  database_episode(db, 5, 3, 4, 30, "5, 0, 35, 100, 70, 0.5, 3, 6");
  database_episode(db, 5, 2, 2, 20, "2, 1, 22, 100, NULL, NULL, NULL, 0");
  sqlite3_close(db);
  struct results results = read_results(path);
  assert_int_equal(results.setting_count, 1);
  const struct results_setting *setting = &results.settings[0];
  assert_int_equal(setting->count, 3);
  assert_int_equal(setting->episodes[2].seed, 3);
  struct summary summary;
  assert_true(summary_of(&summary, setting, 0.1));
  assert_int_equal(summary.episodes, 3);
  assert_int_equal(summary.wanted, 200);
  assert_int_equal(summary.cut, 1);
  check_close(summary.total.mean, 7.0 / 3, 1e-14);
  check_close(summary.total.se, sqrt(7) / 3, 1e-14);
  check_close(summary.undiscounted.mean, 14.0 / 3, 1e-14); /* twice the return in the test's file */
  check_close(summary.total.high - summary.total.low, 2 * 4.302653 * sqrt(7) / 3, 1e-5);
  check_close(summary.requests.mean, 3, 1e-14);
  check_close(summary.steps.mean, 20, 1e-14);
  check_close(summary.error_reduction.mean, 60, 1e-14); /* of two */
  check_close(summary.error_reduction.se, 10, 1e-14);
  check_close(summary.seconds.mean, (0.05 + 0.2 + 0) / 3, 1e-14);
  check_close(summary.rate.mean, (100 * 10 / 0.5 + 100 * 30 / 6.0) / 2, 1e-9); /* not where no time was measured */
  check_close(summary.lower.mean, 0.5, 1e-14);
  check_close(summary.load, 0.5, 1e-14);
  assert_non_null(summary.paper);
  check_close(summary.paper->total.mean, 1.38, 1e-12);
  assert_int_equal(summary.total_verdict, PUBLISHED_UNSURE);
  results_free(&results);
  remove(path);
}

/* More than was wished for of one setting does not hide that another lacks some. */
static void test_progress(void **state) {
  (void)state;
  char path[64];
  sqlite3 *db = database_new(path);
  database_experiment(db, 1, "e", "E", "");
  database_setting(db, 1, 1, "tag", 1, "aems", "'fib-sr', 'blind', 'none', ''", "seconds", 0.1, 1, 0);
  database_setting(db, 2, 1, "tag", 1, "pomcp", "NULL, NULL, NULL, ''", "seconds", 0.1, 2, 0);
  for (int seed = 1; seed <= 4; seed++) database_episode(db, 1, seed, seed, 10, "2, 1, 12, 100, NULL, NULL, NULL, 0.5");
  sqlite3_close(db);
  struct results results = read_results(path);
  uint64_t stored, wanted;
  results_progress(&results, &stored, &wanted);
  assert_int_equal(stored, 4);
  assert_int_equal(wanted, 6);
  results_free(&results);
  remove(path);
}

/* One episode has a mean and nothing else; none has nothing at all. */
static void test_few(void **state) {
  (void)state;
  char path[64];
  sqlite3 *db = database_new(path);
  database_experiment(db, 1, "e", "E", "");
  database_setting(db, 1, 1, "tag", 1, "aems", "'fib-sr', 'blind', 'none', ''", "seconds", 0.1, 2, 0);
  database_setting(db, 2, 1, "tag", 1, "pomcp", "NULL, NULL, NULL, ''", "seconds", 0.1, 2, 0);
  database_episode(db, 1, 1, -3, 10, "2, 1, 12, 100, 50, NULL, NULL, 1");
  sqlite3_close(db);
  struct results results = read_results(path);
  struct tables tables;
  assert_true(tables_build(&tables, &results, "few.db", NULL));
  const struct summary *one = &tables.sections[0].summaries[0], *none = &tables.sections[0].summaries[1];
  check_close(one->total.mean, -3, 0);
  assert_true(isnan(one->total.se) && isnan(one->total.low));
  assert_int_equal(one->episodes, 1);
  assert_int_equal(none->episodes, 0);
  assert_true(isnan(none->total.mean) && isnan(none->rate.mean));
  assert_int_equal(tables.sections[0].comparison_count, 0);
  for (int format = SHEET_TEXT; format <= SHEET_LATEX; format++) {
    struct text out = {0};
    tables_write(&tables, (enum sheet_format)format, TABLES_ALL, &out);
    assert_null(strstr(text_string(&out), "nan"));
    assert_null(strstr(text_string(&out), "inf"));
    if (format != SHEET_CSV) {
      assert_non_null(strstr(text_string(&out), "1 of 2"));
      assert_non_null(strstr(text_string(&out), "0 of 2"));
      assert_non_null(strstr(text_string(&out), "1 of 4 episodes"));
    }
    text_free(&out);
  }
  tables_free(&tables);
  results_free(&results);
  remove(path);
}

/* ---------------------------------------------------------------- comparison */

/* Random returns, with seeds that only one of the two has, against the textbook formulas. */
static void test_pairs(void **state) {
  (void)state;
  for (uint64_t round = 0; round < 20; round++) {
    gli_random random = gli_random_stream(round, "pairs", 0);
    struct results_episode a[40], b[40];
    size_t na = 0, nb = 0, pairs = 0;
    double differences[40], sum = 0, squares = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
      double x = gli_random_unit(&random), y = gli_random_unit(&random) - 0.5;
      uint64_t who = gli_random_below(&random, 4);
      if (who != 1) a[na++] = (struct results_episode){.seed = seed, .total = x};
      if (who != 2) b[nb++] = (struct results_episode){.seed = seed, .total = y};
      if (who == 1 || who == 2) continue;
      differences[pairs++] = x - y;
      sum += x - y;
    }
    for (size_t i = 0; i < pairs; i++)
      squares += (differences[i] - sum / (double)pairs) * (differences[i] - sum / (double)pairs);
    struct results_setting one = {.episodes = a, .count = na}, two = {.episodes = b, .count = nb};
    struct comparison comparison;
    assert_true(compare_pair(&comparison, &one, &two));
    if (comparison.pairs != pairs) fail_msg("round %d: %zu pairs, not %zu", (int)round, comparison.pairs, pairs);
    check_close(comparison.difference.mean, sum / (double)pairs, 1e-12);
    check_close(comparison.difference.se, sqrt(squares / (double)(pairs - 1) / (double)pairs), 1e-12);
  }
}

/* The same chance for both: 100 k + noise against 100 k, so that only pairs show the difference of 0.5. */
static void test_power(void **state) {
  (void)state;
  struct results_episode a[30], b[30];
  for (int i = 0; i < 30; i++) {
    b[i] = (struct results_episode){.seed = (uint64_t)i, .total = 100.0 * i};
    a[i] = (struct results_episode){.seed = (uint64_t)i, .total = 100.0 * i + 0.5 + (i % 2 ? 0.1 : -0.1)};
  }
  struct results_setting one = {.episodes = a, .count = 30}, two = {.episodes = b, .count = 30};
  struct comparison comparison;
  assert_true(compare_pair(&comparison, &one, &two));
  check_close(comparison.difference.mean, 0.5, 1e-9);
  assert_string_equal(compare_text(&comparison), "better");
  assert_true(compare_pair(&comparison, &two, &one));
  assert_string_equal(compare_text(&comparison), "worse");
  assert_true(compare_pair(&comparison, &one, &one));
  assert_string_equal(compare_text(&comparison), "no difference seen");
  one.count = 1;
  assert_true(compare_pair(&comparison, &one, &two));
  assert_int_equal(comparison.pairs, 1);
  assert_string_equal(compare_text(&comparison), "-");
}

/* Who is compared with whom: the same world, cost and time, against aems-sr or who is asked for. */
static void test_opponents(void **state) {
  (void)state;
  char path[64];
  sqlite3 *db = database_new(path);
  static const char bounds[] = "'fib-sr', 'blind', 'none', ''";
  database_experiment(db, 1, "e", "E", "budget");
  database_setting(db, 1, 1, "tag", 1, "aems", bounds, "expansions", 20, 2, 0.1);
  database_setting(db, 2, 1, "tag", 1, "aems-sr", bounds, "expansions", 67, 2, 0.1); /* the same time as 1 */
  database_setting(db, 3, 1, "tag", 1, "aems", bounds, "expansions", 56, 2, 0.5);    /* alone with its time */
  database_setting(db, 4, 1, "tag", 2, "aems", bounds, "expansions", 67, 2, 0.1);    /* another cost */
  database_setting(db, 5, 1, "toy", 1, "never-ask", bounds, "seconds", 0.1, 2, 0);
  database_setting(db, 6, 1, "toy", 1, "always-ask", bounds, "seconds", 0.1, 2, 0);
  database_setting(db, 7, 1, "toy", 1, "always-ask", bounds, "expansions", 0.1, 2, 0); /* another kind of budget */
  for (int setting = 1; setting <= 7; setting++)
    for (int seed = 1; seed <= 2; seed++)
      database_episode(db, setting, seed, setting * seed, 1, "0,1,1,1,NULL,NULL,NULL,1");
  sqlite3_close(db);
  struct results results = read_results(path);
  size_t count;
  bool no_memory;
  struct comparison *all = compare_all(&results, &results.experiments[0], NULL, &count, &no_memory);
  assert_false(no_memory);
  assert_int_equal(count, 2);
  assert_int_equal(all[0].a->id, 2);
  assert_int_equal(all[0].b->id, 1);
  check_close(all[0].difference.mean, 1.5, 1e-12); /* 2-1, 4-2 */
  assert_int_equal(all[1].a->id, 5);               /* no aems-sr there: the first */
  assert_int_equal(all[1].b->id, 6);
  free(all);
  all = compare_all(&results, &results.experiments[0], "always-ask", &count, &no_memory);
  assert_int_equal(count, 1);
  assert_int_equal(all[0].a->id, 6);
  assert_int_equal(all[0].b->id, 5);
  free(all);
  assert_null(compare_all(&results, &results.experiments[0], "nobody", &count, &no_memory));
  assert_int_equal(count, 0);
  assert_false(no_memory);
  results_free(&results);
  remove(path);
}

/* Planners are compared under the same bounds where that is possible. */
static void test_alike(void **state) {
  (void)state;
  char path[64];
  sqlite3 *db = database_new(path);
  static const char none[] = "'qmdp', 'blind', 'none', ''", sound[] = "'qmdp', 'blind', 'sound', ''";
  database_experiment(db, 1, "e", "E", "budget");
  database_setting(db, 1, 1, "tag", 1, "aems-sr", none, "expansions", 20, 2, 0);
  database_setting(db, 2, 1, "tag", 1, "aems-sr", sound, "expansions", 20, 2, 0);
  database_setting(db, 3, 1, "tag", 1, "aems", sound, "expansions", 20, 2, 0);
  database_setting(db, 4, 1, "tag", 1, "aems", "'fib-sr', 'blind', 'none', ''", "expansions", 20, 2, 0);
  database_setting(db, 5, 1, "tag", 1, "pomcp", "NULL, NULL, NULL, ''", "expansions", 20, 2, 0);
  for (int setting = 1; setting <= 5; setting++)
    for (int seed = 1; seed <= 2; seed++)
      database_episode(db, setting, seed, setting * seed, 1, "0,1,1,1,NULL,NULL,NULL,1");
  sqlite3_close(db);
  struct results results = read_results(path);
  size_t count;
  bool no_memory;
  struct comparison *all = compare_all(&results, &results.experiments[0], NULL, &count, &no_memory);
  static const int64_t expected[][2] = {{1, 2}, {2, 3}, {1, 4}, {1, 5}};
  assert_int_equal(count, 4);
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(all[i].a->id, expected[i][0]);
    assert_int_equal(all[i].b->id, expected[i][1]);
  }
  free(all);
  results_free(&results);
  remove(path);
}

static void test_names(void **state) {
  (void)state;
  char path[64];
  sqlite3 *db = database_new(path);
  database_experiment(db, 1, "e", "E", "");
  database_setting(db, 1, 1, "tag", 1, "aems-sr", "'fib-sr', 'blind', 'none', 'paper=true'", "seconds", 0.5, 1, 0);
  database_setting(db, 2, 1, "tag", 1, "aems-sr", "'fib-sr', 'blind', 'sound', ''", "expansions", 2525, 1, 0);
  database_setting(db, 3, 1, "tag", 1, "pomcp", "NULL, NULL, NULL, ''", "expansions", 1000, 1, 0);
  sqlite3_close(db);
  struct results results = read_results(path);
  struct variety variety = variety_of(&results, &results.experiments[0]);
  static const char *const names[] = {"aems-sr, improve none, paper=true", "aems-sr, improve sound", "pomcp"};
  static const char *const budgets[] = {"0.5 s", "2525 expansions", "1000 simulations"};
  for (size_t i = 0; i < 3; i++) {
    struct text text = {0};
    variety_name(&variety, &results.settings[i], &text);
    assert_string_equal(text_string(&text), names[i]);
    text_clear(&text);
    budget_name(&results.settings[i], &text);
    assert_string_equal(text_string(&text), budgets[i]);
    text_free(&text);
  }
  results_free(&results);
  remove(path);
}

/* --------------------------------------------------------------------- files */

static void expect_refused(const char *path, const char *text) {
  struct results results;
  complaint why = {{0}, {0}, {0}};
  assert_false(results_read(&results, path, &why));
  if (!strstr(why.text, text)) fail_msg("'%s' should say '%s'", why.text, text);
  results_free(&results);
}

static void test_no_results(void **state) {
  (void)state;
  char path[64];
  expect_refused("/nonexistent/results.db", "");
  sqlite3 *db = database_new(path);
  database_run(db, "PRAGMA user_version = 99");
  expect_refused(path, "newer");
  database_run(db, "PRAGMA user_version = 1; PRAGMA application_id = 77");
  expect_refused(path, "");
  database_run(db, "PRAGMA application_id = 0; DROP TABLE trace");
  expect_refused(path, "");
  sqlite3_close(db);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  for (int i = 0; i < 2000; i++) fputs("this is no database\n", file);
  fclose(file);
  expect_refused(path, "");
  remove(path);
}

/* The middle of the file is overwritten: an error, not a wrong table. */
static void test_damaged(void **state) {
  (void)state;
  char path[64];
  sqlite3 *db = database_new(path);
  database_experiment(db, 1, "e", "E", "");
  database_setting(db, 1, 1, "tag", 1, "aems", "'fib-sr', 'blind', 'none', ''", "seconds", 0.1, 2, 0);
  database_run(db, "BEGIN");
  for (int i = 1; i <= 2000; i++) database_episode(db, 1, i, 1, 1, "0,1,1,1,NULL,NULL,NULL,1");
  database_run(db, "COMMIT");
  sqlite3_close(db);
  struct stat there;
  assert_int_equal(stat(path, &there), 0);
  FILE *file = fopen(path, "r+");
  assert_non_null(file);
  fseek(file, (long)there.st_size / 2, SEEK_SET);
  for (off_t i = there.st_size / 2; i < there.st_size; i++) fputc(0xa5, file);
  fclose(file);
  expect_refused(path, "");
  remove(path);
}

/* A writer in the middle of its transaction: the report is of the state before it. */
static void test_while_writing(void **state) {
  (void)state;
  char path[64];
  sqlite3 *db = database_new(path);
  database_experiment(db, 1, "e", "E", "");
  database_setting(db, 1, 1, "tag", 1, "aems", "'fib-sr', 'blind', 'none', ''", "seconds", 0.1, 5, 0);
  database_episode(db, 1, 1, 1, 1, "0,1,1,1,NULL,NULL,NULL,1");
  database_run(db, "BEGIN IMMEDIATE");
  database_episode(db, 1, 2, 1, 1, "0,1,1,1,NULL,NULL,NULL,1");
  struct results results = read_results(path);
  assert_int_equal(results.settings[0].count, 1);
  results_free(&results);
  database_run(db, "COMMIT");
  results = read_results(path);
  assert_int_equal(results.settings[0].count, 2);
  results_free(&results);
  sqlite3_close(db);
  /* Also a file that nobody may write to. */
  assert_int_equal(chmod(path, 0444), 0);
  results = read_results(path);
  assert_int_equal(results.settings[0].count, 2);
  results_free(&results);
  remove(path);
}

/* A setting that no experiment shows is not lost. */
static void test_orphan(void **state) {
  (void)state;
  char path[64];
  sqlite3 *db = database_new(path);
  database_experiment(db, 1, "e", "E", "");
  database_setting(db, 1, 1, "tag", 1, "aems", "'fib-sr', 'blind', 'none', ''", "seconds", 0.1, 5, 0);
  database_run(db, "DELETE FROM part");
  sqlite3_close(db);
  struct results results = read_results(path);
  assert_int_equal(results.experiment_count, 2);
  assert_string_equal(results.experiments[1].title, "Other settings");
  assert_int_equal(results.experiments[1].count, 1);
  results_free(&results);
  remove(path);
}

static glimpse_status report_job(void *context) {
  struct results results;
  struct tables tables = {0};
  complaint why = {{0}, {0}, {0}};
  struct text out = {0};
  bool good = results_read(&results, context, &why) && tables_build(&tables, &results, context, NULL);
  if (good) {
    tables_write(&tables, SHEET_TEXT, TABLES_ALL, &out);
    good = !out.failed;
  }
  text_free(&out);
  tables_free(&tables);
  results_free(&results);
  return good ? GLIMPSE_OK : GLIMPSE_NO_MEMORY;
}

static void test_no_memory(void **state) {
  (void)state;
  char path[64];
  sqlite3 *db = database_new(path);
  database_experiment(db, 1, "e", "E", "budget");
  for (int i = 1; i <= 3; i++) {
    database_setting(db, i, 1, "tag", 1, i == 1 ? "aems-sr" : "aems", "'fib-sr', 'blind', 'none', ''", "seconds", 0.1,
                     5, 0);
    for (int k = 1; k <= 3; k++) database_episode(db, i, k, i * k, 1, "0,1,1,1,NULL,NULL,NULL,1");
  }
  database_run(db, "INSERT INTO part VALUES(1, 4, 4, NULL)");
  database_run(db, "INSERT INTO trace VALUES(1, 1, 5, 0.1, 0, 1)");
  sqlite3_close(db);
  assert_true(failing_malloc_sweep(report_job, path) > 20);
  remove(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_means),     cmocka_unit_test(test_progress),      cmocka_unit_test(test_few),
      cmocka_unit_test(test_pairs),     cmocka_unit_test(test_power),         cmocka_unit_test(test_opponents),
      cmocka_unit_test(test_alike),     cmocka_unit_test(test_names),         cmocka_unit_test(test_no_results),
      cmocka_unit_test(test_damaged),   cmocka_unit_test(test_while_writing), cmocka_unit_test(test_orphan),
      cmocka_unit_test(test_no_memory),
  };
  return cmocka_run_group_tests_name("summary", tests, NULL, NULL);
}
