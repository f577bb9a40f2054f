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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faults/check.h"

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

enum { FIRST_RUNS = SANITIZED ? 1 : 5, SPREAD = SANITIZED ? 3 : 9 };

static bool scarce;   /* FAULTS=few */
static bool complete; /* FAULTS=all */
static unsigned long injected, missed;

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
  run_free(&found);
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
  run_stage(c);
  reference.before = run_files();
  reference.wanted = run_case(c, &none);
  check_expect(c, &reference.wanted);
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
  run_free(&counted);
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
    run_free(&counted);
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

static bool has_terminals(void) {
  int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  bool good = terminal >= 0 && !grantpt(terminal) && !unlockpt(terminal);
  const char *name = good ? ptsname(terminal) : NULL;
  int other = name ? open(name, O_RDWR | O_NOCTTY) : -1;
  if (other < 0) printf("this machine has no pseudo-terminals (is /dev/pts mounted?): cases on one are left out\n");
  if (terminal >= 0) close(terminal);
  if (other >= 0) close(other);
  return other >= 0;
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  const char *kind = argv[2], *variable = getenv("FAULTS");
  complete = variable && !strcmp(variable, "all");
  scarce = variable && !strcmp(variable, "few");
  if (!strcmp(kind, "system") && !kernel_able()) {
    printf("this system does not let system calls be answered by another process\n");
    return 77;
  }
  run_begin(argv[1]);
  bool terminals = has_terminals();
  void (*sweeper)(const struct fault_case *, const struct reference *) = !strcmp(kind, "memory")   ? sweep_memory
                                                                         : !strcmp(kind, "system") ? sweep_system
                                                                                                   : sweep_limits;
  for (const struct fault_case *c = fault_cases; c->name; c++) {
    if (!chosen(c, argv + 3) || (c->flags & CASE_TERMINAL && !terminals)) continue;
    /* What differs in its planner only makes the same system calls. */
    if (!complete && sweeper != sweep_memory && !(c->flags & CASE_FILES)) continue;
    struct reference reference = reference_of(c);
    sweeper(c, &reference);
    files_free(&reference.before);
    run_free(&reference.wanted);
  }
  printf("%lu faults, %lu did not come to pass, %lu problems\n", injected, missed, check_problems());
  return check_problems() || !injected; /* a sweep that makes nothing fail tests nothing */
}
