/* Run: see run.h.  The program is linked into the test and called in a child, as faults.h tells. */
#define _GNU_SOURCE
#include "faults/run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS = 40 };
#define PATIENCE 60.0 /* seconds; only a program that hangs needs them */

static const struct trouble none = {.kind = TROUBLE_NONE};

/* What the child shares with us. */
static struct shared {
  unsigned long allocations, failures;
  bool disarmed;
} * shared;

static char root[3000], work[3100]; /* root/fixtures, root/work, root/out ... */

const char *run_path(const char *name) {
  static char path[3200];
  snprintf(path, sizeof path, "%s/%s", work, name);
  return path;
}

struct files run_files(void) {
  return files_read(work);
}

/* ------------------------------------------------------------------- stage */

void run_stage(const struct fault_case *c) {
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

int run_on(const char *line) {
  return play_in(line, work, NULL, &none, false).status;
}

static void play_fixture(const char *line) {
  char path[3200];
  snprintf(path, sizeof path, "%s/fixtures", root);
  if (play_in(line, path, NULL, &none, false).status) files_die(line);
}

/* -------------------------------------------------------------------- output */

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

/* How often a solver tells how far it is depends on time: rows of numbers, and lines of a phase. */
static void drop_progress(char *text) {
  char *to = text;
  for (char *line = text; *line;) {
    size_t length = strcspn(line, "\n"), numbers = strspn(line, " #");
    bool row = length && (numbers == length || (numbers && !strncmp(line + numbers, "certificate\n", 12)));
    size_t whole = length + (line[length] == '\n');
    if (!row && strncmp(line, "{\"phase\":", 9) != 0) {
      memmove(to, line, whole);
      to += whole;
    }
    line += whole;
  }
  *to = 0;
}

static struct result look(const struct fault_case *c, struct outcome_of_run outcome) {
  struct result result = {.outcome = outcome};
  char path[3200];
  snprintf(path, sizeof path, "%s/out", root);
  result.out = files_get(path, &result.out_length);
  result.err = strdup(messages);
  if (!result.err) files_die("strdup");
  drop_times(result.out);
  if (c->flags & CASE_LOOSE) loosen(result.out), drop_progress(result.out);
  result.files = files_read(work);
  return result;
}

struct result run_case(const struct fault_case *c, const struct trouble *trouble) {
  run_stage(c);
  return look(c, play_in(c->line, work, c->input, trouble, c->flags & CASE_TERMINAL));
}

void run_free(struct result *result) {
  free(result->out);
  free(result->err);
  files_free(&result->files);
}

/* ------------------------------------------------------------------ directory */

void run_begin(const char *directory) {
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) files_die("mmap");
  memory_share(&shared->allocations, &shared->failures);
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
  setenv("GLIMPSE_PAGE", "page.html", 1); /* of 'view', a fixture */
}
