/* Check: see check.h, and sweep.c for what is asked. */
#define _GNU_SOURCE
#include "faults/check.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef GLIMPSE_EXPERIMENTS
#include <sqlite3.h>
#endif

static unsigned long problems;

unsigned long check_problems(void) {
  return problems;
}

static void complain(const struct check *check, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void complain(const struct check *check, const char *format, ...) {
  const struct fault *fault = &check->trouble->fault;
  char what[300];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  printf("%s, %s %lu%s", check->c->name, check->trouble->name, fault->n, fault->all ? " and all after it" : "");
  if (check->trouble->kind == TROUBLE_SYSTEM)
    printf(" (%s, descriptor %ld)", fault->error == FAULT_SHORT ? "short" : strerrorname_np(fault->error),
           check->found->outcome.descriptor);
  if (check->trouble->kind == TROUBLE_LIMIT) printf(" (%llu)", (unsigned long long)check->trouble->limit);
  printf(": %s\n  glimpse %s\n  status %d, stderr: %.6000s\n", what, check->c->line, check->found->outcome.status,
         check->found->err);
  problems++;
}

/* Where the output differs first, with the line before it. */
static void complain_output(const struct check *check) {
  const char *wanted = check->wanted->out, *found = check->found->out;
  size_t at = 0, from = 0;
  while (wanted[at] && wanted[at] == found[at]) at++;
  for (size_t i = 0; i + 1 < at; i++)
    if (found[i] == '\n') from = i + 1;
  complain(check, "the output is another one, from byte %zu on: '%.120s' instead of '%.120s'", at, found + from,
           wanted + from);
}

/* Does the message, or the object of --json that reports findings, tell why? */
static bool names_reason(const struct check *check) {
  const char *err = check->found->err;
  const struct trouble *trouble = check->trouble;
  int error = trouble->fault.error;
  if (trouble->kind == TROUBLE_MEMORY) return strstr(err, "memory") || strstr(err, "cannot start the workers");
  if (trouble->kind == TROUBLE_LIMIT) return strstr(err, "error:") || strstr(check->found->out, "\"valid\": false");
  /* Nobody reads the output any more: that is no error.  A file that could not be written behind that is one. */
  if (error == EPIPE && check->found->outcome.descriptor == 1)
    return !strstr(err, "error:") || (trouble->fault.all && strstr(err, "new."));
  if (!*err && strstr(check->found->out, "\"valid\": false")) return strstr(check->found->out, strerror(error));
  if (!strstr(err, "error:")) return false;
  if (error == ENOSPC && strstr(err, "the disk is full")) return true;
  if (trouble->fault.group == GROUP_LOCK && strstr(err, "another 'glimpse bench' is writing")) return true;
  if (error == ENOMEM && (strstr(err, "memory") || strstr(err, "cannot start the workers"))) return true;
  /* SQLite tries another way after a failure, and tells of the last; with programs that are started it is likewise. */
  if ((strstr(check->c->line, ".db") || check->c->flags & CASE_GNUPLOT) &&
      (strstr(err, "cannot be ") || strstr(err, "cannot read") || strstr(err, "locked") || strstr(err, "gnuplot")))
    return true;
  return strstr(err, strerror(error));
}

/* A gnuplot that cannot be seen is none, and the output says so. */
static bool without_gnuplot(const struct check *check) {
  return check->c->flags & CASE_GNUPLOT && strstr(check->found->err, "there is no program 'gnuplot'");
}

static size_t lines_of(const char *text) {
  size_t count = 0;
  for (; *text; text++) count += *text == '\n';
  return count;
}

static bool lacks_memory(const struct check *check) {
  bool memory = check->trouble->kind == TROUBLE_MEMORY || check->trouble->fault.error == ENOMEM ||
                (check->trouble->kind == TROUBLE_LIMIT && check->trouble->resource == RLIMIT_AS);
  return check->c->flags & CASE_BRIEF && memory;
}

/* A search that cannot grow forgets or stops, and says so: its bounds are looser, but valid.  An agent says in
 * its answers what it could not do. */
static bool is_looser(const struct check *check) {
  return lacks_memory(check) &&
         (strstr(check->found->err, "the system refused memory") || strstr(check->found->out, "out of memory"));
}

/* Then its output may be another one, but all that it says is there. */
static bool may_differ(const struct check *check) {
  const char *found = check->found->out, *wanted = check->wanted->out;
  if (!is_looser(check)) return false;
  if (strstr(found, "\"stop\": \"memory\"")) return true;
  return strncmp(wanted, "{\n ", 3) != 0 || lines_of(found) == lines_of(wanted);
}

static bool same(const struct file *a, const struct file *b) {
  return a && b && a->length == b->length && (!a->length || !memcmp(a->text, b->text, a->length));
}

/* A stream that was cut is a part of what it should have become. */
static bool is_part(const struct check *check, const struct file *file, const struct file *whole) {
  if (!(check->c->flags & (CASE_STREAM | CASE_RECORD)) || strcmp(file->name, "new.jsonl") != 0) return false;
  if (check->c->flags & CASE_RECORD) return !strstr(file->text, "\"complete\": true");
  return whole &&
         ((file->length <= whole->length && !memcmp(file->text, whole->text, file->length)) || lacks_memory(check));
}

static void check_files(const struct check *check, bool success) {
  const struct files *after = &check->found->files;
  if (without_gnuplot(check)) return;
  /* What cannot be removed stays, and so does the lock of somebody else. */
  bool unnamed = check->trouble->kind == TROUBLE_SYSTEM &&
                 (check->trouble->fault.group == GROUP_NAME || check->trouble->fault.group == GROUP_LOCK);
  for (size_t i = 0; i < after->count; i++) {
    const struct file *file = &after->list[i];
    const struct file *old = files_find(check->before, file->name),
                      *new = files_find(&check->wanted->files, file->name);
    bool base = check->c->flags & CASE_DATABASE && !strncmp(file->name, "new.db", 6);
    /* A journal is what a transaction is taken back by, at the next opening. */
    if (base && (!strcmp(file->name, "new.db") || !strcmp(file->name, "new.db-journal") || unnamed)) continue;
    if (!old && !new) {
      if (!unnamed) complain(check, "'%s' was left", file->name); /* what cannot be removed stays */
    } else if (success && !same(file, new) && !may_differ(check)) {
      complain(check, "'%s' is not as it should be", file->name);
    } else if (!success && !same(file, old) && !same(file, new) && !is_part(check, file, new)) {
      complain(check, "'%s' is neither old nor new: %zu bytes", file->name, file->length);
    }
  }
  for (size_t i = 0; i < check->before->count; i++)
    if (!files_find(after, check->before->list[i].name)) complain(check, "'%s' is gone", check->before->list[i].name);
  for (size_t i = 0; success && i < check->wanted->files.count; i++)
    if (!files_find(after, check->wanted->files.list[i].name))
      complain(check, "'%s' is missing", check->wanted->files.list[i].name);
}

#ifdef GLIMPSE_EXPERIMENTS
/* Everything but time and place; NULL: not readable. */
static char *rows_of(const char *path) {
  static const char sql[] =
      "SELECT group_concat(x, '\n') FROM (SELECT s.key || ' ' || e.seed || ' ' || e.return || ' ' ||"
      " e.steps || ' ' || e.requests || ' ' || e.decisions || ' ' || e.expansions AS x"
      " FROM episode e JOIN setting s ON s.id = e.setting ORDER BY s.key, e.seed)";
  sqlite3 *db = NULL;
  sqlite3_stmt *statement = NULL;
  char *rows = NULL;
  if (!sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) &&
      !sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &statement, NULL) &&
      sqlite3_step(statement) == SQLITE_ROW && !strcmp((const char *)sqlite3_column_text(statement, 0), "ok")) {
    sqlite3_finalize(statement);
    statement = NULL;
    bool table = !sqlite3_prepare_v2(db, sql, -1, &statement, NULL); /* none: nothing was stored yet */
    if (!table || sqlite3_step(statement) == SQLITE_ROW) {
      const char *text = table ? (const char *)sqlite3_column_text(statement, 0) : NULL;
      rows = strdup(text ? text : "");
    }
  }
  sqlite3_finalize(statement);
  sqlite3_close(db);
  return rows;
}

/* All rows of a part are in the whole. */
static bool rows_within(char *part, const char *whole) {
  for (char *rest = part, *line; (line = strtok_r(rest, "\n", &rest));) {
    const char *at = strstr(whole, line);
    if (!at || (at[strlen(line)] && at[strlen(line)] != '\n')) return false;
  }
  return true;
}

static char *wanted_rows;

static void check_database(const struct check *check) {
  const char *path = run_path("new.db");
  if (access(path, F_OK)) {
    if (!WIFEXITED(check->found->outcome.status) || !WEXITSTATUS(check->found->outcome.status))
      complain(check, "there is no database");
    return;
  }
  char *rows = rows_of(path);
  if (!rows) complain(check, "the database is damaged");
  else if (!WEXITSTATUS(check->found->outcome.status) && strcmp(rows, wanted_rows) != 0)
    complain(check, "the rows are not as they should be");
  else if (!rows_within(rows, wanted_rows)) complain(check, "there are strange rows");
  free(rows);
  if (!WEXITSTATUS(check->found->outcome.status)) return;
  int status = run_on(strstr(check->c->line, "policy.json") ? "bench policy.json -o new.db --threads 1 --resume"
                                                            : "bench spec.json -o new.db --threads 1 --resume");
  rows = rows_of(path);
  if (!rows || status || strcmp(rows, wanted_rows) != 0)
    complain(check, "it was not completed by --resume (status %d)", status);
  free(rows);
}
#else
static void check_database(const struct check *check) {
  (void)check;
}
#endif

/* Interrupted and half writes make no difference. */
static bool is_harmless(const struct check *check) {
  int error = check->trouble->fault.error;
  return check->trouble->kind == TROUBLE_SYSTEM && (error == FAULT_SHORT || error == EINTR);
}

/* How many frames there are depends on time; but the screen is given back, and the end is one of the two. */
static void check_terminal(const struct check *check) {
  const struct result *found = check->found;
  bool shown = strstr(found->out, "\033[?1049h"), left = strstr(found->out, "\033[?1049l");
  if (shown && !left && (found->outcome.descriptor != 1 || is_harmless(check)))
    complain(check, "the terminal was not given back");
  if (found->outcome.status && is_harmless(check)) complain(check, "it should have been carried on");
  if (found->outcome.status && WEXITSTATUS(found->outcome.status) != 1)
    complain(check, "the status is neither 0 nor 1");
  if (found->outcome.status && !strstr(found->err, "error:") && found->outcome.descriptor != 1)
    complain(check, "no message says why");
}

void check_run(const struct check *check) {
  const struct result *wanted = check->wanted, *found = check->found;
  int status = found->outcome.status;
  const char *death = NULL;
  if (found->outcome.late) death = "it hung";
  else if (!WIFEXITED(status)) death = "it crashed";
  else if (strstr(found->err, "AddressSanitizer") || strstr(found->err, "LeakSanitizer") ||
           strstr(found->err, "runtime error:"))
    death = "a sanitizer complains";
  else if (WEXITSTATUS(status) >= 90) death = "the run could not be prepared";
  if (death) {
    complain(check, "%s", death);
    return;
  }
  if (check->c->flags & CASE_TERMINAL) {
    check_terminal(check);
    return;
  }
  bool success = status == wanted->outcome.status && !(status && strcmp(found->out, wanted->out) != 0);
  if (success && strcmp(found->out, wanted->out) != 0 && !may_differ(check) && !without_gnuplot(check))
    complain_output(check);
  if (!success && WEXITSTATUS(status) != 1) complain(check, "the status is neither the usual one nor 1");
  if (!success && is_harmless(check)) complain(check, "it should have been carried on");
  else if (!success && !names_reason(check)) complain(check, "no message says why");
  check_files(check, success);
  if (check->c->flags & CASE_DATABASE) check_database(check);
}

void check_expect(const struct fault_case *c, const struct result *wanted) {
  int status = wanted->outcome.status;
  if (status && !(c->flags & CASE_WRONG && WEXITSTATUS(status) == 1)) {
    printf("%s: status %d without any fault: %s\n", c->name, status, wanted->err);
    problems++;
  }
#ifdef GLIMPSE_EXPERIMENTS
  free(wanted_rows);
  wanted_rows = NULL;
  if (c->flags & CASE_DATABASE && !(wanted_rows = rows_of(run_path("new.db")))) files_die("a database without rows");
#endif
}
