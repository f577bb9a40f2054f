/* Check: is what came of a run what it should be? */
#ifndef FAULTS_CHECK_H
#define FAULTS_CHECK_H

#include "faults/run.h"

struct check {
  const struct fault_case *c;
  const struct trouble *trouble;
  const struct files *before;
  const struct result *wanted;
  const struct result *found;
};

/* Tells what is wrong, and counts it. */
void check_run(const struct check *check);
/* The undisturbed run has just ended: what is checked besides its output and its files is taken from there. */
void check_expect(const struct fault_case *c, const struct result *wanted);
/* How many things were wrong so far. */
unsigned long check_problems(void);

#endif
