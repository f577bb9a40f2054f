/* Interrupt: see interrupt.h.  The flag holds the number of the signal; it is as
 * global as signals are.  SA_RESETHAND restores the usual effect for the second.
 * SA_RESTART: a write to a pipe whose reader is slow goes on, or part of the output
 * would be lost.  What waits (nanosleep, poll, pselect) ends early all the same. */
#include "interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "command.h"

static union {
  atomic_int flag; /* how it is written ... */
  int plain;       /* ... and how the library takes it, which reads it as an atomic, too */
} caught;

static bool given_in; /* of the main thread */

_Static_assert(sizeof(atomic_int) == sizeof(int) && ATOMIC_INT_LOCK_FREE == 2, "an atomic int is an int");

void interrupt_raise(int number) {
  int none = 0;
  atomic_compare_exchange_strong(&caught.flag, &none, number);
}

/* A signal that is ignored from the start, as in jobs in the background of a shell
 * script, stays ignored. */
static void catch_signal(int number) {
  struct sigaction action = {.sa_handler = interrupt_raise}, before;
  sigemptyset(&action.sa_mask);
  action.sa_flags = (int)SA_RESETHAND | SA_RESTART;
  if (!sigaction(number, NULL, &before) && before.sa_handler == SIG_IGN) return;
  sigaction(number, &action, NULL);
}

const volatile int *interrupt_catch(void) {
  catch_signal(SIGINT);
  catch_signal(SIGTERM);
  catch_signal(SIGHUP);
  return &caught.plain;
}

int interrupt_caught(void) {
  return atomic_load(&caught.flag);
}

void interrupt_given_in(void) {
  given_in = true;
}

int interrupt_status(int status) {
  int number = interrupt_caught();
  return number > 0 && (status == TOOL_OK || given_in) ? TOOL_SIGNAL + number : status;
}
