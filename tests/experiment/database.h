/* Database: small results files for the tests of reports, written by plain SQL after the schema, not by the code that
 * bench uses. */
#ifndef TESTS_DATABASE_H
#define TESTS_DATABASE_H

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "experiment/schema.h"

/* Executes SQL; a failure ends the test. */
static inline void database_run(sqlite3 *db, const char *sql) {
  char *why = NULL;
  if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK) fail_msg("%s: %s", sql, why);
}

/* A new results file of a name that is not taken. */
static inline sqlite3 *database_new(char path[64]) {
  snprintf(path, 64, "/tmp/glimpse-test-XXXXXX");
  int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  sqlite3 *db = NULL;
  assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
  char sql[100];
  database_run(db, "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY");
  database_run(db, SCHEMA_TABLES);
  snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d", SCHEMA_APPLICATION, SCHEMA_VERSION);
  database_run(db, sql);
  database_run(db, "INSERT INTO run VALUES(1, '2026-01-31T12:00:00Z', NULL, 'running', 'paper', 'quick', '{}',"
                   " 'glimpse bench paper', '1.2.3', 'cc', 'system', 'processor', 2, NULL, 2, 1, 0)");
  return db;
}

static inline void database_experiment(sqlite3 *db, int id, const char *name, const char *title, const char *axis) {
  char *sql = sqlite3_mprintf("INSERT INTO experiment VALUES(%d, %Q, %Q, %Q)", id, name, title, axis);
  database_run(db, sql);
  sqlite3_free(sql);
}

/* Executes SQL with numbers for its question marks: bound, since SQLite reads them from text by long double, of which
 * valgrind has none. */
static inline void database_bind(sqlite3 *db, const char *sql, const double *values, int count) {
  sqlite3_stmt *statement = NULL;
  if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK) fail_msg("%s: %s", sql, sqlite3_errmsg(db));
  for (int i = 0; i < count; i++) assert_int_equal(sqlite3_bind_double(statement, i + 1, values[i]), SQLITE_OK);
  if (sqlite3_step(statement) != SQLITE_DONE) fail_msg("%s: %s", sql, sqlite3_errmsg(db));
  sqlite3_finalize(statement);
}

/* A setting and its place in an experiment.  `bounds` is a part of its row: "'fib-sr', 'blind', 'none', ''". */
static inline void database_setting(sqlite3 *db, int id, int experiment, const char *environment, double cost,
                                    const char *planner, const char *bounds, const char *kind, double budget,
                                    int wanted, double paper_seconds) {
  double values[] = {cost, 0.99, budget};
  char *sql = sqlite3_mprintf("INSERT INTO setting VALUES(%d, 'key %d', %Q, ?, ?, %Q, %s, %Q, ?, 100, 1, %d)", id, id,
                              environment, planner, bounds, kind, wanted);
  database_bind(db, sql, values, 3);
  sqlite3_free(sql);
  sql = sqlite3_mprintf("INSERT INTO part VALUES(%d, %d, %d, nullif(?, 0))", experiment, id, id);
  database_bind(db, sql, &paper_seconds, 1);
  sqlite3_free(sql);
}

/* `rest`: requests, ended, decisions, expansions, error_reduction, lower, upper, seconds. */
static inline void database_episode(sqlite3 *db, int setting, int seed, double total, int steps, const char *rest) {
  char *sql =
      sqlite3_mprintf("INSERT INTO episode VALUES(%d, %d, 1, ?, %d, %s, 0.5, 'host', 0, 0, NULL, '', 2 * ?1, NULL)",
                      setting, seed, steps, rest);
  database_bind(db, sql, &total, 1);
  sqlite3_free(sql);
}

#endif
