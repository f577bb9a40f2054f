/* Faults: the whole program, with the n-th allocation, write, open, ... failing.
 *
 * The program is linked into the test (its main as program_main) and runs in a child process, so that each run
 * begins anew but nothing has to be loaded again.  Allocations are counted and refused by memory.c, which takes the
 * place of malloc for the program, for SQLite and for the C library itself; system calls by kernel.c, with a
 * filter of the kernel whose answers the parent gives, so that whoever makes the call, stdio or SQLite, sees what
 * it would see of a disk that is full. */
#ifndef FAULTS_H
#define FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

int program_main(int argc, char **argv);

/* --------------------------------------------------------------- allocations */

/* Counts from now on; the n-th allocation fails, with `all` also those after it.  0: none. */
void memory_arm(unsigned long n, bool all);
/* Where the counts are kept, so that the parent sees them: memory shared with it. */
void memory_share(unsigned long *count, unsigned long *failures);
void memory_disarm(void);
/* Whether files are really flushed to the disk; they are not, unless that is what fails. */
void memory_sync(bool really);

/* -------------------------------------------------------------- system calls */

/* name, the calls are in kernel.c */
#define FAULT_GROUPS(X) X(WRITE) X(SYNC) X(NAME) X(OPEN) X(READ) X(CLOSE) X(MAP) X(START) X(LOOK) X(LOCK)
enum group {
#define X(name) GROUP_##name,
  FAULT_GROUPS(X)
#undef X
      GROUPS
};

enum { FAULT_SHORT = -1 }; /* an "error": half of what was to be written is */

struct fault {
  enum group group;
  unsigned long n; /* from 1; 0: none, only counted */
  bool all;        /* all after it, too */
  int error;       /* errno */
  int only;        /* calls about this descriptor; 0: all */
};

struct outcome_of_run {
  int status;             /* as of waitpid */
  bool late;              /* it had to be killed */
  unsigned long count;    /* calls of the group */
  unsigned long failures; /* that failed */
  long descriptor;        /* that the first failed call was about; -1: none */
};

/* Can this system do it? */
bool kernel_able(void);
/* In the child: from now on the parent is asked about calls of the group; `socket` leads to the parent. */
bool kernel_trap(enum group group, int socket);
/* In the parent: answers until the child ends, at most so many seconds.  *disarmed, which is shared with the child:
 * let everything pass.  What comes from `terminal` (-1: there is none) goes to the file `shown`. */
struct outcome_of_run kernel_watch(pid_t child, int socket, struct fault fault, double seconds, const bool *disarmed,
                                   int terminal, int shown);

#endif
