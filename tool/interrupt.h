/* Interrupt: Ctrl-C and a request to terminate end a search, not the program.
 * A second one does end it. */
#ifndef INTERRUPT_H
#define INTERRUPT_H

/* From here on the first SIGINT or SIGTERM only sets the flag that is returned,
 * for glimpse_budget. */
const volatile int *interrupt_catch(void);
/* Was there one? */
int interrupt_caught(void);
/* The exit status: 128 and the number of the signal if there was one, else the
 * given one. */
int interrupt_status(int status);

#endif
