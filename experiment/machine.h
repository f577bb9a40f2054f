/* Machine: what a result depends on besides the program, and cores to pin workers to. */
#ifndef EXPERIMENT_MACHINE_H
#define EXPERIMENT_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

struct machine {
  char cpu[128], system[256], host[64], compiler[128];
  uint64_t memory; /* bytes, 0: unknown */
  unsigned cores;  /* that this process may use ... */
  unsigned online; /* ... and that the machine has */
};

void machine_look(struct machine *machine);
/* Mean number of processes that wanted a core in the last minute; NaN: unknown. */
double machine_load(void);
/* Keeps the calling thread on the i-th core that this process may use (counted from 0, and round
 * again behind the last).  The core's number, -1 where the system does not allow it. */
int machine_pin(unsigned i);
/* Seconds since some moment. */
double machine_clock(void);
/* The time of day as in schema.h. */
void machine_date(char text[24]);

#endif
