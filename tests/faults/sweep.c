/* Sweep: runs the program with one fault after the other, and looks at what is left.
 *
 *   glimpse_faults DIRECTORY [memory|system|limits] [CASE ...]
 *
 * DIRECTORY is made anew.  With FAULTS=all each allocation and each system call fails once; else the first ones and a
 * spread over the others, with FAULTS=few two of them.  After each run:
 *  - it has not crashed and not hung;
 *  - it has ended as without the fault, with the same output and the same files; or with status 1 and a
 *    message that says why;
 *  - each file is what it was, or what it should become, or is not there where it was not; nothing else is left;
 *  - a database is whole, and --resume completes it to the same rows. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef GLIMPSE_EXPERIMENTS
#include <sqlite3.h>
#endif

#include "faults/cases.h"
#include "faults/faults.h"
#include "faults/files.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

enum { FIRST_RUNS = SANITIZED ? 1 : 5, SPREAD = SANITIZED ? 3 : 9, WORDS = 40 };
#define PATIENCE 60.0 /* seconds; only a program that hangs needs them */

/* What the child shares with us. */
static struct shared {
  unsigned long allocations, failures;
  bool disarmed;
} * shared;

static bool scarce;                 /* FAULTS=few */
static bool complete;               /* FAULTS=all */
static char root[3000], work[3100]; /* root/fixtures, root/work, root/out ... */
static unsigned long injected, problems, missed;

/* ------------------------------------------------------------------- stage */

/* The files that a case needs, in an empty directory. */
static void set_stage(const struct fault_case *c) {
  files_empty(work);
  char needs[200], *rest = needs;
  snprintf(needs, sizeof needs, "%s", c->needs ? c->needs : "");
  for (char *word; (word = strtok_r(rest, " ", &rest));) {
    char *as = strchr(word, '='), from[4000], to[4000];
    if (as) *as++ = 0;
    snprintf(from, sizeof from, "%s/fixtures/%s", root, word);
    snprintf(to, sizeof to, "%s/%s", work, as ? as : word);
    size_t length;
    char *text = files_get(from, &length);
    files_put(to, text, length);
    free(text);
  }
}

/* --------------------------------------------------------------------- run */

/* What is done to a run. */
struct trouble {
  enum { TROUBLE_NONE, TROUBLE_MEMORY, TROUBLE_SYSTEM, TROUBLE_LIMIT } kind;
  struct fault fault; /* memory: n and all */
  int resource;
  rlim_t limit;
  const char *name;
};

static void redirect(const char *path, int flags, int descriptor) {
  int file = open(path, flags, 0666);
  if (file < 0 || dup2(file, descriptor) < 0) _exit(90);
  if (file != descriptor) close(file);
}

/* In the child: a limit, and how to lift it again. */
static int limited = -1; /* the resource */

static bool set_limit(int resource, rlim_t most) {
  struct rlimit limit;
  if (getrlimit(resource, &limit)) return false;
  limit.rlim_cur = most;
  limited = resource;
  return !setrlimit(resource, &limit);
}

static void lift_limit(void) {
  struct rlimit limit;
  if (limited < 0 || getrlimit(limited, &limit)) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(limited, &limit);
}

/* Leaks are looked for and coverage is written after this; that must not fail. */
static void stop_trouble(void) {
  memory_disarm();
  lift_limit();
  __atomic_store_n(&shared->disarmed, true, __ATOMIC_RELAXED);
}

static void child(const char *line, const char *directory, const char *input, const struct trouble *trouble, int socket,
                  int messages, const char *terminal) {
  static char text[1000];
  static char *words[WORDS + 1];
  int count = 0;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (chdir(directory)) _exit(90);
  snprintf(text, sizeof text, "glimpse %s", line);
  for (char *rest = text, *word; (word = strtok_r(rest, " ", &rest)) && count < WORDS;) words[count++] = word;
  char path[3200];
  snprintf(path, sizeof path, "%s/input", root);
  redirect(input ? path : "/dev/null", O_RDONLY, 0);
  snprintf(path, sizeof path, "%s/out", root);
  if (terminal) {
    setsid(); /* it has no terminal of its own, and so no keys: what is shown ends by itself */
    redirect(terminal, O_WRONLY | O_NOCTTY, 1);
    setenv("TERM", "xterm", 1);
  } else {
    redirect(path, O_WRONLY | O_CREAT | O_TRUNC, 1);
  }
  if (dup2(messages, 2) < 0) _exit(90);
  atexit(stop_trouble);
  if (trouble->kind == TROUBLE_LIMIT) {
    if (socket >= 0) close(socket);
    if (!set_limit(trouble->resource, trouble->limit)) _exit(91);
  }
  memory_sync(trouble->kind == TROUBLE_SYSTEM && trouble->fault.group == GROUP_SYNC);
  if (trouble->kind == TROUBLE_SYSTEM && !kernel_trap(trouble->fault.group, socket)) _exit(92);
  if (trouble->kind == TROUBLE_MEMORY) memory_arm(trouble->fault.n, trouble->fault.all);
  exit(program_main(count, words));
}

/* What the last run has said on its standard error: a pipe, which no limit of files concerns. */
static char messages[65536];

static void read_messages(int pipe) {
  ssize_t length = read(pipe, messages, sizeof messages - 1); /* as much as a pipe holds */
  messages[length > 0 ? length : 0] = 0;
  close(pipe);
}

static struct outcome_of_run play_in(const char *line, const char *directory, const char *input,
                                     const struct trouble *trouble, bool on_terminal) {
  int ends[2] = {-1, -1}, err[2], terminal = -1, shown = -1;
  char path[3200];
  if (on_terminal) {
    terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    snprintf(path, sizeof path, "%s/out", root);
    shown = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (terminal < 0 || grantpt(terminal) || unlockpt(terminal) || shown < 0) files_die("terminal");
  }
  if (pipe2(err, O_CLOEXEC | O_NONBLOCK)) files_die("pipe");
  if (trouble->kind == TROUBLE_SYSTEM && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
    files_die("socketpair");
  snprintf(path, sizeof path, "%s/input", root);
  if (input) files_put(path, input, strlen(input));
  *shared = (struct shared){0};
  fflush(NULL);
  pid_t pid = fork();
  if (pid < 0) files_die("fork");
  if (!pid) {
    fcntl(err[1], F_SETFL, 0); /* reading ends where it is empty, writing does not */
    child(line, directory, input, trouble, ends[1], err[1], on_terminal ? ptsname(terminal) : NULL);
  }
  close(err[1]);
  if (ends[1] >= 0) close(ends[1]);
  struct outcome_of_run outcome =
      kernel_watch(pid, ends[0], trouble->fault, PATIENCE, &shared->disarmed, terminal, shown);
  if (on_terminal) close(terminal), close(shown);
  if (ends[0] >= 0) close(ends[0]);
  read_messages(err[0]);
  if (trouble->kind == TROUBLE_MEMORY) {
    outcome.count = shared->allocations;
    outcome.failures = shared->failures;
  }
  return outcome;
}

static void play_fixture(const char *line) {
  static const struct trouble none = {.kind = TROUBLE_NONE};
  char path[3200];
  snprintf(path, sizeof path, "%s/fixtures", root);
  if (play_in(line, path, NULL, &none, false).status) files_die(line);
}

/* -------------------------------------------------------------------- output */

struct result {
  struct outcome_of_run outcome;
  char *out, *err;
  size_t out_length;
  struct files files;
};

/* Numbers become '#', blanks and lines between words one blank. */
static void loosen(char *text) {
  char *to = text;
  for (const char *at = text; *at;) {
    if (strchr("0123456789", *at)) {
      at += strspn(at, "0123456789.e-+");
      *to++ = '#';
    } else if (strchr(" -+", *at)) {
      at += strspn(at, " -+");
      *to++ = ' ';
    } else {
      *to++ = *at++;
    }
  }
  *to = 0;
}

/* Times are nobody's fault: what follows "seconds" up to the next letter or line. */
static void drop_times(char *text) {
  for (char *at = text; (at = strstr(at, "seconds"));) {
    at += strlen("seconds");
    for (at += strspn(at, "_perst\": "); *at && strchr("0123456789.e-", *at); at++) *at = '0';
    char *digits = at;
    while (digits > text && strchr("0123456789.e-", digits[-1])) digits--;
    memmove(digits, at, strlen(at) + 1);
    at = digits;
  }
}

static struct result look(const struct fault_case *c, struct outcome_of_run outcome) {
  struct result result = {.outcome = outcome};
  char path[3200];
  snprintf(path, sizeof path, "%s/out", root);
  result.out = files_get(path, &result.out_length);
  result.err = strdup(messages);
  if (!result.err) files_die("strdup");
  drop_times(result.out);
  if (c->flags & CASE_LOOSE) loosen(result.out);
  result.files = files_read(work);
  return result;
}

static struct result run_case(const struct fault_case *c, const struct trouble *trouble) {
  set_stage(c);
  return look(c, play_in(c->line, work, c->input, trouble, c->flags & CASE_TERMINAL));
}

static void free_result(struct result *result) {
  free(result->out);
  free(result->err);
  files_free(&result->files);
}

/* -------------------------------------------------------------------- checks */

struct check {
  const struct fault_case *c;
  const struct trouble *trouble;
  const struct files *before;
  const struct result *wanted;
  const struct result *found;
};

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
  if (error == EPIPE && check->found->outcome.descriptor == 1) return !strstr(err, "error:");
  if (!*err && strstr(check->found->out, "\"valid\": false")) return strstr(check->found->out, strerror(error));
  if (!strstr(err, "error:")) return false;
  if (error == ENOSPC && strstr(err, "the disk is full")) return true;
  if (trouble->fault.group == GROUP_LOCK && strstr(err, "another 'glimpse bench' is writing")) return true;
  if (error == ENOMEM && (strstr(err, "memory") || strstr(err, "cannot start the workers"))) return true;
  /* SQLite tries another way after a failure, and tells of the last; with programs that are started it is likewise. */
  if (strstr(check->c->line, ".db") &&
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
  return *wanted != '{' || strchr(wanted, '\n')[1] != ' ' || lines_of(found) == lines_of(wanted);
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
    } else if (success && new && check->c->flags & CASE_RECORD && !strcmp(file->name, "new.jsonl")) {
      if (!strstr(file->text, "\"end\": true")) complain(check, "'%s' is not whole", file->name);
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
  static const struct trouble none = {.kind = TROUBLE_NONE};
  char path[3200];
  snprintf(path, sizeof path, "%s/new.db", work);
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
  struct outcome_of_run again = play_in("bench spec.json -o new.db --threads 1 --resume", work, NULL, &none, false);
  rows = rows_of(path);
  if (!rows || again.status || strcmp(rows, wanted_rows) != 0)
    complain(check, "it was not completed by --resume (status %d)", again.status);
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

static void check_run(const struct check *check) {
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

/* -------------------------------------------------------------------- sweeps */

/* One run; false: the fault did not come to pass. */
static bool attempt(const struct fault_case *c, const struct trouble *trouble, const struct files *before,
                    const struct result *wanted) {
  struct result found = run_case(c, trouble);
  bool happened = trouble->kind == TROUBLE_LIMIT || found.outcome.failures;
  struct check check = {c, trouble, before, wanted, &found};
  if (happened) {
    injected++;
    check_run(&check);
  } else {
    missed++;
  }
  free_result(&found);
  return happened;
}

/* The next n after one that was tried; `few`: there are many kinds of faults. */
static unsigned long next(unsigned long n, unsigned long count, bool few) {
  unsigned long first = FIRST_RUNS, spread = SPREAD;
  if (few) first = (first + 1) / 2, spread = (spread + 1) / 2;
  if (scarce || (few && SANITIZED)) first = spread = 1;
  if (complete || n < first) return n + 1;
  unsigned long step = (count - first) / spread;
  return n + (step ? step : 1);
}

static void sweep(const struct fault_case *c, struct trouble trouble, unsigned long count, const struct files *before,
                  const struct result *wanted) {
  for (unsigned long n = 1; n <= count; n = next(n, count, trouble.kind == TROUBLE_SYSTEM)) {
    trouble.fault.n = n;
    attempt(c, &trouble, before, wanted);
  }
}

struct reference {
  struct files before;
  struct result wanted;
};

static struct reference reference_of(const struct fault_case *c) {
  static const struct trouble none = {.kind = TROUBLE_NONE};
  struct reference reference;
  set_stage(c);
  reference.before = files_read(work);
  reference.wanted = run_case(c, &none);
  if (reference.wanted.outcome.status &&
      !(c->flags & CASE_WRONG && WEXITSTATUS(reference.wanted.outcome.status) == 1)) {
    printf("%s: status %d without any fault: %s\n", c->name, reference.wanted.outcome.status, reference.wanted.err);
    problems++;
  }
#ifdef GLIMPSE_EXPERIMENTS
  char path[3200];
  snprintf(path, sizeof path, "%s/new.db", work);
  free(wanted_rows);
  wanted_rows = NULL;
  if (c->flags & CASE_DATABASE && !(wanted_rows = rows_of(path))) files_die("a database without rows");
#endif
  return reference;
}

/* Of a complete sweep, which takes its time; a short one has only its problems to tell. */
static void tell(const struct fault_case *c, const char *what, unsigned long count, unsigned long before) {
  if (!complete) return;
  printf("%-18s %-14s %7lu calls %7lu faults\n", c->name, what, count, injected - before);
  fflush(stdout);
}

static void sweep_memory(const struct fault_case *c, const struct reference *reference) {
  struct trouble trouble = {.kind = TROUBLE_MEMORY, .name = "allocation"};
  struct result counted = run_case(c, &trouble);
  unsigned long before = injected, count = counted.outcome.count;
  free_result(&counted);
  sweep(c, trouble, count, &reference->before, &reference->wanted);
  trouble.fault.all = true;
  sweep(c, trouble, count, &reference->before, &reference->wanted);
  tell(c, "memory", count, before);
}

/* What fails how. */
static const struct {
  struct fault fault;
  const char *name;
  bool native; /* not with a sanitizer, which would fail itself */
} system_faults[] = {
    {{GROUP_WRITE, 0, false, ENOSPC, 0}, "write", false}, {{GROUP_WRITE, 0, true, ENOSPC, 0}, "write", false},
    {{GROUP_WRITE, 0, false, EIO, 0}, "write", false},    {{GROUP_WRITE, 0, true, EPIPE, 0}, "write", false},
    {{GROUP_WRITE, 0, false, EINTR, 0}, "write", false},  {{GROUP_WRITE, 0, false, FAULT_SHORT, 0}, "write", false},
    {{GROUP_SYNC, 0, false, EIO, 0}, "sync", false},      {{GROUP_NAME, 0, false, EACCES, 0}, "rename", false},
    {{GROUP_NAME, 0, true, EROFS, 0}, "rename", false},   {{GROUP_OPEN, 0, false, EMFILE, 0}, "open", false},
    {{GROUP_OPEN, 0, true, EMFILE, 0}, "open", false},    {{GROUP_OPEN, 0, false, EACCES, 0}, "open", false},
    {{GROUP_READ, 0, false, EIO, 0}, "read", false},      {{GROUP_CLOSE, 0, false, EIO, 0}, "close", false},
    {{GROUP_MAP, 0, false, ENOMEM, 0}, "map", true},      {{GROUP_MAP, 0, true, ENOMEM, 0}, "map", true},
    {{GROUP_START, 0, false, EAGAIN, 0}, "start", false}, {{GROUP_START, 0, true, EAGAIN, 0}, "start", false},
    {{GROUP_LOOK, 0, false, EACCES, 0}, "look", false},   {{GROUP_LOCK, 0, false, EAGAIN, 0}, "lock", false},
};

static void sweep_system(const struct fault_case *c, const struct reference *reference) {
  for (size_t i = 0; i < sizeof system_faults / sizeof *system_faults; i++) {
    struct trouble trouble = {.kind = TROUBLE_SYSTEM, .fault = system_faults[i].fault, .name = system_faults[i].name};
    if (system_faults[i].native && SANITIZED) continue;
    /* The pipe by which threads wake each other never fails. */
    if (c->flags & CASE_TERMINAL && trouble.fault.group == GROUP_WRITE) trouble.fault.only = STDOUT_FILENO;
    if (c->flags & CASE_TERMINAL && trouble.fault.group == GROUP_READ) continue;
    struct result counted = run_case(c, &trouble);
    unsigned long before = injected, count = counted.outcome.count;
    free_result(&counted);
    if (!count) continue;
    sweep(c, trouble, count, &reference->before, &reference->wanted);
    char what[40];
    snprintf(what, sizeof what, "%s %s%s", trouble.name,
             trouble.fault.error == FAULT_SHORT ? "short" : strerrorname_np(trouble.fault.error),
             trouble.fault.all ? "+" : "");
    tell(c, what, count, before);
  }
}

static void sweep_limits(const struct fault_case *c, const struct reference *reference) {
  unsigned long before = injected;
  for (rlim_t files = 3; files <= 12; files += SANITIZED ? 3 : 1) {
    struct trouble trouble = {.kind = TROUBLE_LIMIT, .resource = RLIMIT_NOFILE, .limit = files, .name = "files"};
    attempt(c, &trouble, &reference->before, &reference->wanted);
  }
  for (rlim_t bytes = 0; bytes <= 65536; bytes = bytes ? bytes * (complete ? 2 : SANITIZED ? 64 : 8) : 16) {
    struct trouble trouble = {.kind = TROUBLE_LIMIT, .resource = RLIMIT_FSIZE, .limit = bytes, .name = "file size"};
    attempt(c, &trouble, &reference->before, &reference->wanted);
  }
  for (rlim_t megabytes = 1; !SANITIZED && megabytes <= 256; megabytes *= 2) {
    struct trouble trouble = {
        .kind = TROUBLE_LIMIT, .resource = RLIMIT_AS, .limit = megabytes << 20, .name = "address space"};
    attempt(c, &trouble, &reference->before, &reference->wanted);
  }
  tell(c, "limits", 0, before);
}

/* ---------------------------------------------------------------------- main */

static bool chosen(const struct fault_case *c, char **names) {
  if (!*names) return true;
  for (; *names; names++)
    if (!strcmp(*names, c->name)) return true;
  return false;
}

static void prepare(const char *directory) {
  if (mkdir(directory, 0777) && errno != EEXIST) files_die(directory);
  char *whole = realpath(directory, NULL);
  if (!whole || strlen(whole) >= sizeof root) files_die(directory);
  strcpy(root, whole);
  free(whole);
  files_empty(root);
  char path[3200];
  snprintf(work, sizeof work, "%s/work", root);
  snprintf(path, sizeof path, "%s/fixtures", root);
  if (mkdir(work, 0777) || mkdir(path, 0777) || chdir(path)) files_die(path);
  fault_fixtures(play_fixture);
  snprintf(path, sizeof path, "%s/fixtures/bin", root);
  setenv("PATH", path, 1);
  snprintf(path, sizeof path, "%s/temporary", root);
  if (mkdir(path, 0777)) files_die(path);
  setenv("TMPDIR", path, 1);
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  const char *kind = argv[2], *variable = getenv("FAULTS");
  complete = variable && !strcmp(variable, "all");
  scarce = variable && !strcmp(variable, "few");
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) files_die("mmap");
  memory_share(&shared->allocations, &shared->failures);
  if (!strcmp(kind, "system") && !kernel_able()) {
    printf("this system does not let system calls be answered by another process\n");
    return 77;
  }
  prepare(argv[1]);
  void (*sweeper)(const struct fault_case *, const struct reference *) = !strcmp(kind, "memory")   ? sweep_memory
                                                                         : !strcmp(kind, "system") ? sweep_system
                                                                                                   : sweep_limits;
  for (const struct fault_case *c = fault_cases; c->name; c++) {
    if (!chosen(c, argv + 3)) continue;
    /* What differs in its planner only makes the same system calls. */
    if (!complete && sweeper != sweep_memory && !(c->flags & CASE_FILES)) continue;
    struct reference reference = reference_of(c);
    sweeper(c, &reference);
    files_free(&reference.before);
    free_result(&reference.wanted);
  }
  printf("%lu faults, %lu did not come to pass, %lu problems\n", injected, missed, problems);
  return problems || !injected; /* a sweep that makes nothing fail tests nothing */
}
