/* Store: see store.h, and schema.h for what is in the file.
 *
 * Durability: synchronous is EXTRA and the journal is deleted at each commit, so that a
 * transaction that has returned survives a kill and a power failure, and one that has not
 * leaves no trace (SQLite rolls it back when the file is opened next).
 *
 * A file is opened by its real name: an absolute path without symbolic links.  So a lock beside it is one lock for all
 * such links, and names that SQLite does not take for files (":memory:", "file:...") are names of files here.  A file
 * with hard links is not written to: others could lock it under another name, and after a crash SQLite would not find
 * the journal there.
 *
 * The lock is a POSIX record lock on FILE.lock: the system ends it when its holder dies, in whatever way.  It cannot be
 * on the file itself, where SQLite's locks would undo it, nor one of SQLite's, because readers would have to wait for
 * the end of the run.  FILE.lock is removed by the holder; whoever gets the lock looks whether it is still the one in
 * the directory.
 *
 * A database that is busy is waited for: somebody may be reading.  After BUSY_SECONDS it is an error; the rows
 * stay with the caller, who may try again. */
#define _XOPEN_SOURCE 700 /* for realpath; NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
#include "experiment/store.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiment/machine.h"
#include "experiment/schema.h"

enum { BUSY_SECONDS = 10 };

struct store {
  sqlite3 *db;
  char *path; /* as the user gave it, for messages */
  char *lock_path;
  int lock;
  int64_t run;
  bool busy; /* why the last failure was one */
  sqlite3_stmt *add_episode, *add_point;
};

/* ------------------------------------------------------------------ errors */

static bool failed(sqlite3 *db, const char *path, complaint *why) {
  int code = db ? sqlite3_extended_errcode(db) : SQLITE_NOMEM;
  int error = db ? sqlite3_system_errno(db) : 0;
  const char *text = db ? sqlite3_errmsg(db) : "out of memory";
  switch (code & 0xff) {
    case SQLITE_NOTADB:
      complain(why, path, "is not a results file (no SQLite database)");
      return advise(why, "choose another file with '--output FILE'");
    case SQLITE_CORRUPT: /* also where the disk gives an error instead of a page */
      complain(why, path, "is damaged or cannot be read: %s", text);
      return advise(why, "'sqlite3 %.200s .recover' may save what is left of it", path);
    case SQLITE_FULL:
      complain(why, path, "the disk is full");
      return advise(why, "make room and run the same command with '--resume': nothing that was stored is lost");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      complain(why, path, "another program has locked the file");
      return advise(why, "close it there, then run the same command with '--resume'");
    case SQLITE_READONLY: complain(why, path, "cannot be written: the file or its directory is read-only"); break;
    case SQLITE_CANTOPEN: complain(why, path, "cannot be opened: %s", error ? strerror(error) : text); break;
    case SQLITE_IOERR:
      complain(why, path, "cannot be %s: %s", code == SQLITE_IOERR_READ ? "read" : "written",
               error ? strerror(error) : text);
      return advise(why, "run the same command with '--resume' when this is fixed: nothing that was stored is lost");
    case SQLITE_NOMEM: complain(why, path, "out of memory"); break;
    default: complain(why, path, "%s", text);
  }
  return false;
}

static bool fail(struct store *store, complaint *why) {
  store->busy = sqlite3_errcode(store->db) == SQLITE_BUSY;
  return failed(store->db, store->path, why);
}

static bool execute(struct store *store, const char *sql, complaint *why) {
  return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK || fail(store, why);
}

/* -------------------------------------------------------------------- lock */

/* 1 taken, 0 somebody has it, -1 error. */
static int try_lock(const char *path, int *descriptor) {
  for (;;) {
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) return -1;
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fd, F_SETLK, &all)) {
      int error = errno;
      close(fd);
      errno = error;
      return error == EAGAIN || error == EACCES ? 0 : -1;
    }
    struct stat held, there;
    if (!fstat(fd, &held) && !stat(path, &there) && held.st_ino == there.st_ino && held.st_dev == there.st_dev) {
      *descriptor = fd;
      return 1;
    }
    close(fd); /* its last holder has removed it */
  }
}

static bool take_lock(struct store *store, const char *name, complaint *why) {
  size_t size = strlen(name) + sizeof ".lock";
  store->lock_path = malloc(size);
  if (!store->lock_path) return complain(why, store->path, "out of memory");
  snprintf(store->lock_path, size, "%s.lock", name);
  int taken = try_lock(store->lock_path, &store->lock);
  if (taken == 1) return true;
  if (taken < 0) return complain(why, store->path, "cannot be written: '%s': %s", store->lock_path, strerror(errno));
  complain(why, store->path, "another 'glimpse bench' is writing to the file");
  return advise(why, "wait for its end, or choose another file with '--output FILE'");
}

/* -------------------------------------------------------------------- open */

static bool pragma(sqlite3 *db, const char *sql, int64_t *value) {
  sqlite3_stmt *statement = NULL;
  bool found = sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW;
  if (found) *value = sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  return found;
}

/* The file may be anybody's: nothing in it is run.  A view or a trigger in the place of a table could be a program
 * that never ends. */
static void guard(sqlite3 *db) {
  sqlite3_extended_result_codes(db, 1);
  sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
}

/* Is it ours?  *empty: a database without any table. */
static bool check_kind(sqlite3 *db, const char *path, bool *empty, complaint *why) {
  int64_t application = 0, version = 0, tables = 0;
  if (!pragma(db, "PRAGMA application_id", &application) || !pragma(db, "PRAGMA user_version", &version) ||
      !pragma(db, "SELECT count(*) FROM sqlite_master", &tables))
    return failed(db, path, why);
  *empty = !tables && !application;
  if (*empty) return true;
  if (application != SCHEMA_APPLICATION) {
    complain(why, path, "is a database of another program");
    return advise(why, "choose another file with '--output FILE'");
  }
  if (version <= SCHEMA_VERSION && version > 0) return true;
  complain(why, path, "was written by a newer glimpse (schema %lld, this one knows %d)", (long long)version,
           SCHEMA_VERSION);
  return advise(why, "use that version, or choose another file with '--output FILE'");
}

/* Settings are found by their keys, so words that were spelt differently get the spelling of today. */
static bool update(struct store *store, complaint *why) {
  return execute(store,
                 SCHEMA_POLICY
                 "UPDATE OR IGNORE setting SET key = replace(key, ' rollout=qmdp', ' rollout=upper'),"
                 " options = replace(options, 'rollout=qmdp', 'rollout=upper') WHERE options LIKE '%rollout=qmdp%'",
                 why);
}

/* An older file gets the columns that later versions have more. */
static bool update_schema(struct store *store, complaint *why) {
  int64_t version = 0;
  if (!pragma(store->db, "PRAGMA user_version", &version)) return fail(store, why);
  if (version >= SCHEMA_VERSION) return true;
  char sql[300];
  snprintf(sql, sizeof sql,
           "BEGIN IMMEDIATE; %s ALTER TABLE episode ADD COLUMN asked TEXT; PRAGMA user_version=%d; COMMIT",
           version < 2 ? "ALTER TABLE episode ADD COLUMN return_undiscounted REAL;" : "", SCHEMA_VERSION);
  if (execute(store, sql, why)) return true;
  sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
  return false;
}

/* An empty database becomes one of ours. */
static bool prepare(struct store *store, complaint *why) {
  bool empty = false;
  sqlite3_busy_timeout(store->db, BUSY_SECONDS * 1000);
  if (!check_kind(store->db, store->path, &empty, why)) return false;
  if (!execute(store, "PRAGMA journal_mode=DELETE; PRAGMA synchronous=EXTRA; PRAGMA foreign_keys=ON", why))
    return false;
  if (!empty) return update_schema(store, why) && update(store, why);
  char sql[sizeof SCHEMA_TABLES + 200];
  snprintf(sql, sizeof sql, "BEGIN IMMEDIATE; %s PRAGMA application_id=%d; PRAGMA user_version=%d; COMMIT",
           SCHEMA_TABLES, SCHEMA_APPLICATION, SCHEMA_VERSION);
  if (execute(store, sql, why)) return true;
  sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
  return false;
}

/* Damage shows here rather than in the middle of a run; a file of a million rows takes a second. */
static bool check_whole(struct store *store, complaint *why) {
  sqlite3_stmt *statement = NULL;
  if (sqlite3_prepare_v2(store->db, "PRAGMA quick_check(1)", -1, &statement, NULL) != SQLITE_OK ||
      sqlite3_step(statement) != SQLITE_ROW) {
    fail(store, why);
    sqlite3_finalize(statement);
    return false;
  }
  const char *text = (const char *)sqlite3_column_text(statement, 0);
  bool whole = text && !strcmp(text, "ok");
  if (!whole) {
    const char *line = text ? strrchr(text, '\n') : NULL; /* behind a heading */
    complain(why, store->path, "is damaged or cannot be read: %s", line ? line + 1 : text ? text : "out of memory");
    advise(why, "'sqlite3 %.200s .recover' may save what is left of it", store->path);
  }
  sqlite3_finalize(statement);
  return whole;
}

static bool make_statements(struct store *store, complaint *why) {
  static const char episode[] = "INSERT INTO episode(setting, seed, run, return, steps, requests, ended, decisions,"
                                " expansions, error_reduction, lower, upper, seconds, load, host, rank, worker, core,"
                                " finished, return_undiscounted, asked)"
                                " VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
                                " ON CONFLICT DO NOTHING";
  static const char point[] = "INSERT INTO trace(setting, seed, expansions, seconds, lower, upper)"
                              " VALUES(?,?,?,?,?,?) ON CONFLICT DO NOTHING";
  return (sqlite3_prepare_v2(store->db, episode, -1, &store->add_episode, NULL) == SQLITE_OK &&
          sqlite3_prepare_v2(store->db, point, -1, &store->add_point, NULL) == SQLITE_OK) ||
         fail(store, why);
}

/* The real name of a file, which is made if it does not exist. */
static bool real_name(const char *path, char name[PATH_MAX], complaint *why) {
  int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  bool good = (file >= 0 && realpath(path, name)) || complain(why, path, "cannot be written: %s", strerror(errno));
  if (file >= 0) close(file);
  return good;
}

static bool open_file(struct store *store, const char *name, complaint *why) {
  struct stat file;
  if (!take_lock(store, name, why)) return false;
  if (stat(name, &file)) return complain(why, store->path, "cannot be opened: %s", strerror(errno));
  if (S_ISREG(file.st_mode) && file.st_nlink > 1) {
    complain(why, store->path,
             "has %ju names (hard links), so it is unknown whether another 'glimpse bench' is writing to the file",
             (uintmax_t)file.st_nlink);
    return advise(why, "remove the other names, or write to a copy");
  }
  if (sqlite3_open_v2(name, &store->db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) return fail(store, why);
  guard(store->db);
  if (sqlite3_db_readonly(store->db, "main") == 1)
    return complain(why, store->path, "cannot be written: the file is read-only");
  return prepare(store, why) && check_whole(store, why) && make_statements(store, why);
}

struct store *store_open(const char *path, complaint *why) {
  struct store *self = calloc(1, sizeof *self);
  if (!self || !(self->path = malloc(strlen(path) + 1))) {
    free(self);
    complain(why, path, "out of memory");
    return NULL;
  }
  self->lock = -1;
  memcpy(self->path, path, strlen(path) + 1);
  char name[PATH_MAX];
  if (real_name(path, name, why) && open_file(self, name, why)) return self;
  store_close(self);
  return NULL;
}

void store_close(struct store *store) {
  if (!store) return;
  sqlite3_finalize(store->add_episode);
  sqlite3_finalize(store->add_point);
  sqlite3_close(store->db);
  if (store->lock >= 0) {
    unlink(store->lock_path);
    close(store->lock);
  }
  free(store->lock_path);
  free(store->path);
  free(store);
}

static sqlite3 *read_file(const char *path, const char *name, complaint *why) {
  sqlite3 *db = NULL;
  bool empty = false;
  /* A run that was killed may have left a journal, and only a writer can roll it back. */
  static const int flags[] = {SQLITE_OPEN_READONLY, SQLITE_OPEN_READWRITE};
  for (size_t i = 0; i < 2; i++) {
    bool good = sqlite3_open_v2(name, &db, flags[i], NULL) == SQLITE_OK;
    if (good) {
      guard(db);
      sqlite3_busy_timeout(db, BUSY_SECONDS * 1000);
      good = check_kind(db, path, &empty, why);
      if (good && !empty) return db;
      if (good) complain(why, path, "is a database without results");
    } else {
      failed(db, path, why);
    }
    if (db && (sqlite3_errcode(db) & 0xff) == SQLITE_BUSY) advise(why, "try again when it has finished");
    bool again = db && (sqlite3_errcode(db) & 0xff) == SQLITE_READONLY && i == 0;
    sqlite3_close(db);
    db = NULL;
    if (!again) break;
  }
  return NULL;
}

sqlite3 *store_read(const char *path, complaint *why) {
  char name[PATH_MAX];
  if (realpath(path, name)) return read_file(path, name, why);
  complain(why, path, "cannot be opened: %s", strerror(errno));
  return NULL;
}

void store_patience(struct store *store, double seconds) {
  sqlite3_busy_timeout(store->db, (int)(seconds * 1000));
}

/* ----------------------------------------------------------------- queries */

bool store_count(struct store *store, uint64_t *episodes, complaint *why) {
  int64_t count = 0;
  if (!pragma(store->db, "SELECT count(*) FROM episode", &count)) return fail(store, why);
  *episodes = (uint64_t)count;
  return true;
}

static char *copy_column(sqlite3_stmt *statement, int column) {
  const char *text = (const char *)sqlite3_column_text(statement, column);
  if (!text) return NULL;
  char *copy = malloc(strlen(text) + 1);
  if (copy) memcpy(copy, text, strlen(text) + 1);
  return copy;
}

bool store_last_run(struct store *store, char **name, char **scale, char **version, complaint *why) {
  sqlite3_stmt *statement = NULL;
  *name = *scale = *version = NULL;
  static const char sql[] = "SELECT name, scale, version FROM run ORDER BY id DESC LIMIT 1";
  int code = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL);
  if (code == SQLITE_OK) code = sqlite3_step(statement);
  bool good = code == SQLITE_ROW || code == SQLITE_DONE || fail(store, why);
  if (code == SQLITE_ROW) {
    *name = copy_column(statement, 0);
    *scale = copy_column(statement, 1);
    *version = copy_column(statement, 2);
    if (!*name || !*scale || !*version) good = complain(why, store->path, "out of memory");
  }
  sqlite3_finalize(statement);
  return good;
}

bool store_seeds(struct store *store, int64_t setting, void (*found)(void *context, uint64_t seed), void *context,
                 complaint *why) {
  sqlite3_stmt *statement = NULL;
  static const char sql[] = "SELECT seed FROM episode WHERE setting = ? ORDER BY seed";
  int code = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL);
  if (code == SQLITE_OK) {
    sqlite3_bind_int64(statement, 1, setting);
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) found(context, (uint64_t)sqlite3_column_int64(statement, 0));
  }
  bool good = code == SQLITE_DONE || fail(store, why);
  sqlite3_finalize(statement);
  return good;
}

bool store_traced(struct store *store, int64_t setting, bool *traced, complaint *why) {
  sqlite3_stmt *statement = NULL;
  int code = sqlite3_prepare_v2(store->db, "SELECT 1 FROM trace WHERE setting = ? LIMIT 1", -1, &statement, NULL);
  if (code == SQLITE_OK) {
    sqlite3_bind_int64(statement, 1, setting);
    code = sqlite3_step(statement);
  }
  *traced = code == SQLITE_ROW;
  bool good = code == SQLITE_ROW || code == SQLITE_DONE || fail(store, why);
  sqlite3_finalize(statement);
  return good;
}

bool store_differs(struct store *store, const char *environment, const char *mark, bool *differs, complaint *why) {
  sqlite3_stmt *statement = NULL;
  static const char sql[] = "SELECT 1 FROM setting WHERE environment = ? AND instr(key, ?) = 0 LIMIT 1";
  int code = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL);
  if (code == SQLITE_OK) {
    sqlite3_bind_text(statement, 1, environment, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, mark, -1, SQLITE_STATIC);
    code = sqlite3_step(statement);
  }
  *differs = code == SQLITE_ROW;
  bool good = code == SQLITE_ROW || code == SQLITE_DONE || fail(store, why);
  sqlite3_finalize(statement);
  return good;
}

/* ----------------------------------------------------------------- changes */

bool store_begin(struct store *store, complaint *why) {
  return execute(store, "BEGIN IMMEDIATE", why);
}

bool store_end(struct store *store, complaint *why) {
  if (execute(store, "COMMIT", why)) return true;
  store_undo(store);
  return false;
}

void store_undo(struct store *store) {
  if (!sqlite3_get_autocommit(store->db)) sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
}

static void bind_text(sqlite3_stmt *statement, int place, const char *text) {
  if (text) sqlite3_bind_text(statement, place, text, -1, SQLITE_STATIC); /* it stays until the step; a copy may fail */
  else sqlite3_bind_null(statement, place);
}

/* SQLite would store NaN as NULL anyhow; said here so that it is meant. */
static void bind_number(sqlite3_stmt *statement, int place, double value) {
  if (isnan(value)) sqlite3_bind_null(statement, place);
  else sqlite3_bind_double(statement, place, value);
}

/* Runs a statement that was prepared and bound; *id gets its first column if it has one. */
static bool finish(struct store *store, sqlite3_stmt *statement, int64_t *id, complaint *why) {
  int code = sqlite3_step(statement);
  if (code == SQLITE_ROW && id) *id = sqlite3_column_int64(statement, 0);
  while (code == SQLITE_ROW) code = sqlite3_step(statement);
  bool good = code == SQLITE_DONE || fail(store, why);
  sqlite3_finalize(statement);
  return good;
}

static sqlite3_stmt *make(struct store *store, const char *sql, complaint *why) {
  sqlite3_stmt *statement = NULL;
  if (sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) != SQLITE_OK) fail(store, why);
  return statement;
}

bool store_add_run(struct store *store, const store_run *run, complaint *why) {
  /* Who holds the lock knows that nobody else is running. */
  if (!execute(store, "UPDATE run SET outcome = 'killed' WHERE outcome = 'running'", why)) return false;
  sqlite3_stmt *s = make(store,
                         "INSERT INTO run(started, outcome, name, scale, spec, command, version, compiler, system, cpu,"
                         " cores, memory, workers, ranks, timed) VALUES(?,'running',?,?,?,?,?,?,?,?,?,?,?,?,?)"
                         " RETURNING id",
                         why);
  if (!s) return false;
  char time[24];
  machine_date(time);
  const char *const texts[] = {time,         run->name,     run->scale,  run->spec, run->command,
                               run->version, run->compiler, run->system, run->cpu};
  for (int i = 0; i < 9; i++) bind_text(s, i + 1, texts[i]);
  sqlite3_bind_int64(s, 10, run->cores);
  if (run->memory) sqlite3_bind_int64(s, 11, (int64_t)run->memory);
  sqlite3_bind_int64(s, 12, run->workers);
  sqlite3_bind_int64(s, 13, run->ranks);
  sqlite3_bind_int(s, 14, run->timed);
  return finish(store, s, &store->run, why);
}

bool store_drop_wishes(struct store *store, complaint *why) {
  return execute(
      store, "UPDATE setting SET episodes = (SELECT count(*) FROM episode WHERE episode.setting = setting.id)", why);
}

bool store_put_experiment(struct store *store, const char *name, const char *title, const char *axis, int64_t *id,
                          complaint *why) {
  sqlite3_stmt *s = make(store,
                         "INSERT INTO experiment(name, title, axis) VALUES(?,?,?) ON CONFLICT(name) DO UPDATE SET"
                         " title = excluded.title, axis = excluded.axis RETURNING id",
                         why);
  if (!s) return false;
  bind_text(s, 1, name);
  bind_text(s, 2, title);
  bind_text(s, 3, axis);
  return finish(store, s, id, why);
}

bool store_put_setting(struct store *store, const store_setting *setting, int64_t *id, complaint *why) {
  sqlite3_stmt *s = make(store,
                         "INSERT INTO setting(key, environment, planner, upper, lower, improve, options, budget_kind,"
                         " cost, discount, budget, max_steps, seed, episodes) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
                         " ON CONFLICT(key) DO UPDATE SET episodes = excluded.episodes RETURNING id",
                         why);
  if (!s) return false;
  const char *const texts[] = {setting->key,   setting->environment, setting->planner, setting->upper,
                               setting->lower, setting->improve,     setting->options, setting->budget_kind};
  for (int i = 0; i < 8; i++) bind_text(s, i + 1, texts[i]);
  bind_number(s, 9, setting->cost);
  bind_number(s, 10, setting->discount);
  bind_number(s, 11, setting->budget);
  sqlite3_bind_int64(s, 12, (int64_t)setting->max_steps);
  sqlite3_bind_int64(s, 13, (int64_t)setting->seed);
  sqlite3_bind_int64(s, 14, (int64_t)setting->episodes);
  return finish(store, s, id, why);
}

bool store_put_part(struct store *store, int64_t experiment, int64_t setting, unsigned place, double paper_seconds,
                    complaint *why) {
  sqlite3_stmt *s = make(store,
                         "INSERT INTO part(experiment, setting, place, paper_seconds) VALUES(?,?,?,?) ON CONFLICT DO"
                         " UPDATE SET place = excluded.place, paper_seconds = excluded.paper_seconds",
                         why);
  if (!s) return false;
  sqlite3_bind_int64(s, 1, experiment);
  sqlite3_bind_int64(s, 2, setting);
  sqlite3_bind_int64(s, 3, place);
  bind_number(s, 4, paper_seconds);
  return finish(store, s, NULL, why);
}

bool store_put_policy(struct store *store, const store_policy *policy, complaint *why) {
  sqlite3_stmt *s =
      make(store,
           "INSERT INTO policy(setting, nodes, edges, verified, lower, upper, requests, seconds, expansions)"
           " VALUES(?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING",
           why);
  if (!s) return false;
  const int64_t counts[] = {policy->setting, (int64_t)policy->nodes, (int64_t)policy->edges, policy->verified};
  const double numbers[] = {policy->lower, policy->upper, policy->requests, policy->seconds};
  for (int i = 0; i < 4; i++) sqlite3_bind_int64(s, i + 1, counts[i]);
  for (int i = 0; i < 4; i++) bind_number(s, 5 + i, isfinite(numbers[i]) ? numbers[i] : (double)NAN);
  if (!isnan(policy->expansions)) sqlite3_bind_int64(s, 9, (int64_t)policy->expansions);
  return finish(store, s, NULL, why);
}

static bool run_again(struct store *store, sqlite3_stmt *statement, complaint *why) {
  bool good = sqlite3_step(statement) == SQLITE_DONE || fail(store, why);
  sqlite3_reset(statement);
  return good;
}

static bool add_episode(struct store *store, const store_episode *e, complaint *why) {
  sqlite3_stmt *s = store->add_episode;
  const int64_t counts[] = {e->setting,        (int64_t)e->seed,     store->run, 0,
                            (int64_t)e->steps, (int64_t)e->requests, e->ended,   (int64_t)e->decisions};
  const double numbers[] = {e->expansions, e->error_reduction, e->lower, e->upper, e->seconds, e->load};
  for (int i = 0; i < 8; i++) sqlite3_bind_int64(s, i + 1, counts[i]);
  bind_number(s, 4, e->total);
  for (int i = 0; i < 6; i++) bind_number(s, 9 + i, numbers[i]);
  bind_text(s, 15, e->host);
  sqlite3_bind_int64(s, 16, e->rank);
  sqlite3_bind_int64(s, 17, e->worker);
  if (e->core >= 0) sqlite3_bind_int(s, 18, e->core);
  else sqlite3_bind_null(s, 18);
  bind_text(s, 19, e->finished);
  bind_number(s, 20, e->undiscounted);
  bind_text(s, 21, *e->asked ? e->asked : NULL);
  return run_again(store, s, why);
}

static bool add_point(struct store *store, const store_point *point, complaint *why) {
  sqlite3_stmt *s = store->add_point;
  sqlite3_bind_int64(s, 1, point->setting);
  sqlite3_bind_int64(s, 2, (int64_t)point->seed);
  sqlite3_bind_int64(s, 3, (int64_t)point->expansions);
  bind_number(s, 4, point->seconds);
  bind_number(s, 5, point->lower);
  bind_number(s, 6, point->upper);
  return run_again(store, s, why);
}

bool store_commit(struct store *store, const store_episode *episodes, size_t count, const store_point *points,
                  size_t point_count, complaint *why) {
  if (!store_begin(store, why)) return false;
  bool good = true;
  for (size_t i = 0; good && i < count; i++) good = add_episode(store, &episodes[i], why);
  for (size_t i = 0; good && i < point_count; i++) good = add_point(store, &points[i], why);
  if (good) return store_end(store, why);
  store_undo(store);
  return false;
}

bool store_busy(const struct store *store) {
  return store->busy;
}

bool store_finish(struct store *store, const char *outcome, complaint *why) {
  sqlite3_stmt *s = make(store, "UPDATE run SET finished = ?, outcome = ? WHERE id = ?", why);
  if (!s) return false;
  char time[24];
  machine_date(time);
  bind_text(s, 1, time);
  bind_text(s, 2, outcome);
  sqlite3_bind_int64(s, 3, store->run);
  return finish(store, s, NULL, why);
}
