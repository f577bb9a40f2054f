/* Cases: command lines that are run with faults. */
#ifndef FAULTS_CASES_H
#define FAULTS_CASES_H

enum {
  CASE_LOOSE = 1,      /* numbers of the output depend on time */
  CASE_WRONG = 2,      /* ends with status 1, whatever fails */
  CASE_DATABASE = 4,   /* writes "new.db": it is whole at any time, and --resume completes it */
  CASE_RECORD = 8,     /* writes "new.jsonl", which says whether it is complete */
  CASE_STREAM = 16,    /* writes "new.jsonl" step by step: a part of it may be there */
  CASE_GNUPLOT = 32,   /* starts gnuplot */
  CASE_BRIEF = 64,     /* does with the memory that there is, and says so */
  CASE_TERMINAL = 256, /* on a terminal without keys */
  CASE_FILES = 128,    /* part of the short tests of system calls and limits */
};

struct fault_case {
  const char *name;
  const char *line;  /* the command line, words separated by blanks */
  const char *needs; /* files that are there, copied from the fixtures ("there" or "there=as") */
  const char *input; /* the standard input; NULL: nothing */
  unsigned flags;
};

extern const struct fault_case fault_cases[];

/* Makes the files that cases need, in the current directory.  `play` runs a command line undisturbed. */
void fault_fixtures(void (*play)(const char *line));

#endif
