/* Interrupt: Ctrl-C, a request to terminate and a terminal that is gone end a search, not the program.
 * A second one does end it. */
#ifndef INTERRUPT_H
#define INTERRUPT_H

/* From here on the first SIGINT, SIGTERM or SIGHUP only sets the flag that is returned,
 * for glimpse_budget. */
const volatile int *interrupt_catch(void);
/* As if this signal had come; may be called in handlers.  INTERRUPT_QUIT: the search is
 * to end because the user has seen enough, which is no failure. */
enum { INTERRUPT_QUIT = -1 };
void interrupt_raise(int number);
/* Was there one?  INTERRUPT_QUIT counts. */
int interrupt_caught(void);
/* Something was not done because of it: the failure that follows is the signal's. */
void interrupt_given_in(void);
/* The exit status: 128 and the number of the signal if there was one and nothing else failed, else the
 * given one. */
int interrupt_status(int status);

#endif
