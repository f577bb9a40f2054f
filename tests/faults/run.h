/* Run: one command line of the program in a child process, with something that fails, and what came of it. */
#ifndef FAULTS_RUN_H
#define FAULTS_RUN_H

#include <sys/resource.h>

#include "faults/cases.h"
#include "faults/faults.h"
#include "faults/files.h"

/* What is done to a run. */
struct trouble {
  enum { TROUBLE_NONE, TROUBLE_MEMORY, TROUBLE_SYSTEM, TROUBLE_LIMIT } kind;
  struct fault fault; /* memory: n and all */
  int resource;
  rlim_t limit;
  const char *name;
};

struct result {
  struct outcome_of_run outcome;
  char *out, *err;
  size_t out_length;
  struct files files;
};

/* Makes the directory anew, with the fixtures that cases need. */
void run_begin(const char *directory);
/* Where a case finds its files: the name in its directory.  Valid until the next call. */
const char *run_path(const char *name);
/* The files that a case needs, in an empty directory. */
void run_stage(const struct fault_case *c);
/* Sets the stage and runs the case. */
struct result run_case(const struct fault_case *c, const struct trouble *trouble);
/* What is in the directory of the case now. */
struct files run_files(void);
/* Runs another command line where the case left its files, without trouble; returns its status. */
int run_on(const char *line);
void run_free(struct result *result);

#endif
