/* Store: what is committed is there, for others, too; the lock; and files that are none of ours. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "experiment/results.h"
#include "experiment/schema.h"
#include "experiment/store.h"

static char directory[] = "/tmp/glimpse-store-XXXXXX";
static char path[100];

static int set_up(void **state) {
  (void)state;
  snprintf(path, sizeof path, "%s/r.db", directory);
  unlink(path);
  return 0;
}

static struct store *open_store(void) {
  complaint why = {{0}, {0}, {0}};
  struct store *store = store_open(path, &why);
  if (!store) fail_msg("%s: %s", why.place, why.text);
  return store;
}

static int64_t begin_run(struct store *store) {
  complaint why;
  store_run run = {.name = "n",
                   .scale = "quick",
                   .spec = "{}",
                   .command = "c",
                   .version = "1",
                   .compiler = "x",
                   .system = "y",
                   .cpu = "z",
                   .cores = 2,
                   .workers = 2,
                   .ranks = 1};
  store_setting setting = {.key = "k",
                           .environment = "tiger",
                           .planner = "aems-sr",
                           .options = "",
                           .budget_kind = "expansions",
                           .upper = "qmdp",
                           .cost = NAN,
                           .discount = 0.9,
                           .budget = 5,
                           .max_steps = 7,
                           .seed = 1,
                           .episodes = 3};
  int64_t id = 0, experiment = 0;
  assert_true(store_begin(store, &why));
  assert_true(store_add_run(store, &run, &why));
  assert_true(store_put_setting(store, &setting, &id, &why));
  assert_true(store_put_experiment(store, "e", "title", "", &experiment, &why));
  assert_true(store_put_part(store, experiment, id, 0, 0.5, &why));
  assert_true(store_end(store, &why));
  return id;
}

static store_episode episode_of(int64_t setting, uint64_t seed) {
  return (store_episode){.setting = setting,
                         .seed = seed,
                         .total = 0.1 * (double)seed,
                         .undiscounted = 0.2 * (double)seed,
                         .steps = 3,
                         .decisions = 4,
                         .requests = 1,
                         .ended = true,
                         .expansions = 2.5,
                         .error_reduction = NAN,
                         .lower = -1,
                         .upper = 1,
                         .seconds = 0.5,
                         .load = NAN,
                         .host = "h",
                         .core = -1,
                         .finished = "2026-01-31T12:00:00Z"};
}

static double query(const char *sql) {
  complaint why = {{0}, {0}, {0}};
  sqlite3 *db = store_read(path, &why);
  if (!db) fail_msg("%s: %s", why.place, why.text);
  sqlite3_stmt *statement;
  assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
  double value = sqlite3_column_type(statement, 0) == SQLITE_NULL ? (double)NAN : sqlite3_column_double(statement, 0);
  sqlite3_finalize(statement);
  sqlite3_close(db);
  return value;
}

struct seen {
  uint64_t seeds[8];
  size_t count;
};

static void see(void *context, uint64_t seed) {
  struct seen *seen = context;
  seen->seeds[seen->count++] = seed;
}

/* A word that was spelt differently: the setting is found again. */
static void test_old_words(void **state) {
  (void)state;
  complaint why;
  struct store *store = open_store();
  int64_t id = begin_run(store);
  store_episode row = episode_of(id, 1);
  assert_true(store_commit(store, &row, 1, NULL, 0, &why));
  store_close(store);
  sqlite3 *db = NULL;
  assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
  assert_int_equal(sqlite3_exec(db,
                                "UPDATE setting SET options = 'particles=9 rollout=qmdp',"
                                " key = 'tiger upper=qmdp particles=9 rollout=qmdp seed=1'",
                                NULL, NULL, NULL),
                   SQLITE_OK);
  sqlite3_close(db);
  store = open_store();
  store_close(store);
  assert_true(query("SELECT count(*) FROM setting WHERE options = 'particles=9 rollout=upper' AND"
                    " key = 'tiger upper=qmdp particles=9 rollout=upper seed=1'") == 1);
}

/* A file of an older version is read as it is, and gets the new columns when it is written to; its rows keep NULL
 * there. */
static void check_old_schema(int version) {
  complaint why;
  const char *older = version == 1 ? "ALTER TABLE episode DROP COLUMN return_undiscounted;"
                                     " ALTER TABLE episode DROP COLUMN asked; PRAGMA user_version=1"
                                   : "ALTER TABLE episode DROP COLUMN asked; PRAGMA user_version=2";
  struct store *store = open_store();
  int64_t id = begin_run(store);
  store_episode rows[] = {episode_of(id, 1), episode_of(id, 2)};
  snprintf(rows[1].asked, sizeof rows[1].asked, "camera=3 state=0");
  assert_true(store_commit(store, rows, 1, NULL, 0, &why));
  store_close(store);
  sqlite3 *db = NULL;
  assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
  assert_int_equal(sqlite3_exec(db, older, NULL, NULL, NULL), SQLITE_OK);
  sqlite3_close(db);
  struct results results;
  assert_true(results_read(&results, path, &why));
  assert_int_equal(results.settings[0].count, 1);
  assert_float_equal(results.settings[0].episodes[0].total, 0.1, 0);
  assert_true(isnan(results.settings[0].episodes[0].undiscounted) == (version == 1));
  assert_int_equal(results.settings[0].asked_count, 0);
  results_free(&results);
  assert_true(query("PRAGMA user_version") == version); /* reading changes nothing */
  store = open_store();
  assert_true(begin_run(store) == id);
  assert_true(store_commit(store, rows + 1, 1, NULL, 0, &why));
  store_close(store);
  assert_true(query("PRAGMA user_version") == 3);
  assert_true(results_read(&results, path, &why));
  assert_int_equal(results.settings[0].count, 2);
  assert_true(isnan(results.settings[0].episodes[0].undiscounted) == (version == 1));
  assert_float_equal(results.settings[0].episodes[1].undiscounted, 0.4, 0);
  assert_int_equal(results.settings[0].asked_count, 2);
  results_free(&results);
}

static void test_old_schema(void **state) {
  (void)state;
  check_old_schema(1);
}

static void test_schema_2(void **state) {
  (void)state;
  check_old_schema(2);
}

/* Inquiries are counted over the episodes that tell; what is no count is left out. */
static void test_asked(void **state) {
  (void)state;
  complaint why;
  struct store *store = open_store();
  int64_t id = begin_run(store);
  static const char *const texts[] = {"camera=3 state=0", "", "camera=2 state=5 ear=1", "camera= =7 x camera=y ear=3"};
  for (uint64_t i = 0; i < 4; i++) {
    store_episode row = episode_of(id, i + 1);
    snprintf(row.asked, sizeof row.asked, "%s", texts[i]);
    assert_true(store_commit(store, &row, 1, NULL, 0, &why));
  }
  store_close(store);
  assert_true(query("SELECT count(*) FROM episode WHERE asked IS NULL") == 1);
  struct results results;
  assert_true(results_read(&results, path, &why));
  const struct results_asked *asked = results.settings[0].asked;
  assert_int_equal(results.settings[0].asked_count, 3);
  static const struct {
    const char *name;
    double total;
    size_t episodes;
  } expected[] = {{"camera", 5, 2}, {"state", 5, 2}, {"ear", 4, 2}};
  for (int i = 0; i < 3; i++) {
    assert_string_equal(asked[i].name, expected[i].name);
    assert_true(asked[i].total == expected[i].total && asked[i].episodes == expected[i].episodes);
  }
  results_free(&results);
}

static void test_rows(void **state) {
  (void)state;
  complaint why;
  struct store *store = open_store();
  int64_t id = begin_run(store);
  store_episode rows[] = {episode_of(id, 2), episode_of(id, 1)};
  store_point points[] = {{id, 1, 1, 0.1, 0, 2}, {id, 1, 2, 0.2, 0.5, 1.5}};
  bool traced;
  assert_true(store_traced(store, id, &traced, &why) && !traced);
  assert_true(store_commit(store, rows, 2, points, 2, &why));
  assert_true(store_traced(store, id, &traced, &why) && traced);
  assert_true(query("SELECT count(*) FROM episode") == 2); /* somebody else sees them while we write */
  assert_true(query("SELECT return FROM episode WHERE seed = 2") == 0.2);
  assert_true(isnan(query("SELECT error_reduction FROM episode")) && isnan(query("SELECT core FROM episode")));
  assert_true(isnan(query("SELECT lower FROM setting")) && isnan(query("SELECT cost FROM setting")));
  assert_true(query("SELECT paper_seconds FROM part") == 0.5);
  assert_true(query("SELECT sum(upper) FROM trace") == 3.5);
  rows[0].total = 99; /* a row that is there stays */
  rows[1] = episode_of(id, 3);
  assert_true(store_commit(store, rows, 2, NULL, 0, &why));
  assert_true(query("SELECT return FROM episode WHERE seed = 2") == 0.2);
  struct seen seen = {{0}, 0};
  assert_true(store_seeds(store, id, see, &seen, &why));
  assert_true(seen.count == 3 && seen.seeds[0] == 1 && seen.seeds[1] == 2 && seen.seeds[2] == 3);
  assert_true(store_finish(store, "complete", &why));
  store_close(store);
  store = open_store();
  uint64_t count;
  char *name, *scale, *version;
  assert_true(store_count(store, &count, &why) && count == 3);
  assert_true(store_last_run(store, &name, &scale, &version, &why));
  assert_string_equal(name, "n");
  assert_string_equal(scale, "quick");
  assert_string_equal(version, "1");
  free(name);
  free(scale);
  free(version);
  assert_true(begin_run(store) == id); /* found by its key */
  store_close(store);
  assert_true(query("SELECT count(*) FROM run") == 2 && query("SELECT count(*) FROM part") == 1);
}

/* A row that cannot be stored takes the others of its transaction with it, and the file stays as it was. */
static void test_whole(void **state) {
  (void)state;
  complaint why = {{0}, {0}, {0}};
  struct store *store = open_store();
  int64_t id = begin_run(store);
  store_episode rows[] = {episode_of(id, 1), episode_of(id + 77, 2)};
  assert_false(store_commit(store, rows, 2, NULL, 0, &why));
  assert_non_null(strstr(why.text, "FOREIGN KEY"));
  assert_true(query("SELECT count(*) FROM episode") == 0);
  assert_true(store_commit(store, rows, 1, NULL, 0, &why));
  store_close(store);
  store_close(NULL);
}

/* Another process opens the file by this name, while it is being written: is it refused? */
static bool locked(const char *name) {
  pid_t child = fork(); /* such locks are between processes */
  assert_true(child >= 0);
  if (!child) {
    complaint why = {{0}, {0}, {0}};
    struct store *second = store_open(name, &why);
    bool refused = !second && strstr(why.text, "another 'glimpse bench' is writing to the file") && *why.hint;
    store_close(second);
    _exit(refused ? 0 : 1);
  }
  int status;
  assert_true(waitpid(child, &status, 0) == child && WIFEXITED(status));
  return WEXITSTATUS(status) == 0;
}

static void test_lock(void **state) {
  (void)state;
  char link_of[120], through[120];
  snprintf(link_of, sizeof link_of, "%s/other.db", directory);
  snprintf(through, sizeof through, "%s/../%s/r.db", directory, strrchr(directory, '/') + 1);
  /* A link to what is not there yet: the file is made, and the lock stands beside it. */
  assert_int_equal(symlink("r.db", link_of), 0);
  complaint why = {{0}, {0}, {0}};
  struct store *store = store_open(link_of, &why);
  assert_non_null(store);
  assert_true(locked(path) && locked(through) && locked(link_of));
  begin_run(store);
  assert_true(locked(path));
  store_close(store);
  assert_false(locked(path) || locked(link_of));
  assert_int_equal(unlink(link_of), 0);
  /* Two names for one file. */
  store = open_store();
  assert_int_equal(link(path, link_of), 0);
  assert_true(locked(link_of) && locked(path));
  store_close(store);
  assert_true(locked(link_of) && locked(path));
  sqlite3 *db = store_read(link_of, &why);
  assert_non_null(db);
  sqlite3_close(db);
  assert_int_equal(unlink(link_of), 0);
  assert_false(locked(path));
  /* Nothing is left beside the results. */
  assert_int_equal(unlink(path), 0);
  assert_int_equal(rmdir(directory), 0);
  assert_int_equal(mkdir(directory, 0700), 0);
}

/* To SQLite these are no files, or files with options. */
static void test_names(void **state) {
  (void)state;
  static const char *const names[] = {
      ":memory:", "file:r.db?mode=memory", "file:", "file::memory:?cache=shared", "%41", " ", "a?b"};
  char *before = getcwd(NULL, 0);
  assert_true(before && !chdir(directory));
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    complaint why = {{0}, {0}, {0}};
    assert_null(store_read(names[i], &why));
    assert_non_null(strstr(why.text, "No such file"));
    struct store *store = store_open(names[i], &why);
    if (!store) fail_msg("%s: %s", why.place, why.text);
    begin_run(store);
    store_close(store);
    struct stat there;
    assert_true(!stat(names[i], &there) && there.st_size > 0);
    sqlite3 *db = store_read(names[i], &why);
    assert_non_null(db);
    sqlite3_close(db);
    assert_int_equal(unlink(names[i]), 0);
  }
  complaint why = {{0}, {0}, {0}};
  assert_null(store_open("", &why));
  assert_null(store_read("", &why));
  assert_int_equal(chdir(before), 0);
  free(before);
}

static void test_busy(void **state) {
  (void)state;
  complaint why = {{0}, {0}, {0}};
  struct store *store = open_store();
  int64_t id = begin_run(store);
  store_patience(store, 0.05);
  sqlite3 *other;
  assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
  store_episode row = episode_of(id, 1);
  static const char *const locks[] = {"BEGIN EXCLUSIVE", "BEGIN; SELECT count(*) FROM run"}; /* at begin; at commit */
  for (int i = 0; i < 2; i++) {
    assert_int_equal(sqlite3_exec(other, locks[i], NULL, NULL, NULL), SQLITE_OK);
    assert_false(store_commit(store, &row, 1, NULL, 0, &why));
    assert_true(store_busy(store));
    assert_non_null(strstr(why.text, "another program has locked the file"));
    assert_int_equal(sqlite3_exec(other, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
  }
  assert_true(store_commit(store, &row, 1, NULL, 0, &why));
  sqlite3_close(other);
  store_close(store);
}

/* -------------------------------------------------------------- other files */

static void write_file(const char *text, size_t length) {
  FILE *file = fopen(path, "wb");
  assert_true(file && fwrite(text, 1, length, file) == length && !fclose(file));
}

static void make_database(const char *sql) {
  sqlite3 *db;
  assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
  assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
  sqlite3_close(db);
}

static void check_refused(const char *what) {
  complaint why = {{0}, {0}, {0}};
  assert_null(store_open(path, &why));
  if (!strstr(why.text, what)) fail_msg("'%s', should have '%s'", why.text, what);
  assert_string_equal(why.place, path);
  complaint read = {{0}, {0}, {0}};
  assert_null(store_read(path, &read));
  if (!strstr(read.text, what)) fail_msg("reading: '%s', should have '%s'", read.text, what);
}

static void test_refused(void **state) {
  (void)state;
  char text[3000];
  memset(text, 'x', sizeof text);
  write_file(text, sizeof text);
  check_refused("is not a results file");
  struct stat size;
  assert_true(!stat(path, &size) && size.st_size == 3000); /* and it was not touched */
  unlink(path);
  make_database("CREATE TABLE t(x)");
  check_refused("is a database of another program");
  unlink(path);
  make_database("CREATE TABLE t(x); PRAGMA application_id=1735159152; PRAGMA user_version=99");
  check_refused("was written by a newer glimpse (schema 99, this one knows 3)");
  complaint why = {{0}, {0}, {0}};
  assert_null(store_read("/nowhere/at/all", &why));
  assert_non_null(strstr(why.text, "No such file"));
  assert_null(store_open("/nowhere/at/all", &why));
  assert_non_null(strstr(why.text, "No such file"));
  assert_int_equal(SCHEMA_APPLICATION, 1735159152);
}

/* Bytes of the file are overwritten, page by page: never a crash, and what is found says so. */
static void test_damaged(void **state) {
  (void)state;
  complaint why;
  struct store *store = open_store();
  int64_t id = begin_run(store);
  for (uint64_t seed = 1; seed < 200; seed++) {
    store_episode row = episode_of(id, seed);
    if (seed % 50 == 1) assert_true(store_commit(store, &row, 1, NULL, 0, &why));
  }
  store_close(store);
  FILE *file = fopen(path, "r+b");
  assert_non_null(file);
  static char noise[4096];
  memset(noise, 0x5a, sizeof noise);
  assert_int_equal(fseek(file, 4096, SEEK_SET), 0);
  assert_int_equal(fwrite(noise, 1, sizeof noise, file), sizeof noise);
  assert_int_equal(fclose(file), 0);
  complaint found = {{0}, {0}, {0}};
  assert_null(store_open(path, &found));
  assert_non_null(strstr(found.text, "is damaged"));
  assert_non_null(strstr(found.hint, ".recover"));
}

static int end(void **state) {
  (void)state;
  unlink(path);
  return rmdir(directory);
}

int main(void) {
  if (!mkdtemp(directory)) return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(test_old_schema, set_up), cmocka_unit_test_setup(test_schema_2, set_up),
      cmocka_unit_test_setup(test_asked, set_up),      cmocka_unit_test_setup(test_old_words, set_up),
      cmocka_unit_test_setup(test_rows, set_up),       cmocka_unit_test_setup(test_whole, set_up),
      cmocka_unit_test_setup(test_lock, set_up),       cmocka_unit_test_setup(test_busy, set_up),
      cmocka_unit_test_setup(test_refused, set_up),    cmocka_unit_test_setup(test_damaged, set_up),
      cmocka_unit_test_setup(test_names, set_up),
  };
  return cmocka_run_group_tests(tests, NULL, end);
}
