/* Interrupt: see interrupt.h.  The flag holds the number of the signal; it is as
 * global as signals are.  SA_RESETHAND restores the usual effect for the second.
 * No SA_RESTART: a pause ends, too. */
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

#include "command.h"

static volatile int caught;

/* int and sig_atomic_t are the same where POSIX threads are used with signals;
 * should they not be, the assignment below would not be safe. */
_Static_assert(sizeof(sig_atomic_t) == sizeof(int), "a signal handler may assign an int");

static void catch (int number) {
  if (!caught) caught = number;
}

/* A signal that is ignored from the start, as in jobs in the background of a shell
 * script, stays ignored. */
static void catch_signal(int number) {
  struct sigaction action = {.sa_handler = catch}, before;
  sigemptyset(&action.sa_mask);
  action.sa_flags = (int)SA_RESETHAND;
  if (!sigaction(number, NULL, &before) && before.sa_handler == SIG_IGN) return;
  sigaction(number, &action, NULL);
}

const volatile int *interrupt_catch(void) {
  catch_signal(SIGINT);
  catch_signal(SIGTERM);
  return &caught;
}

int interrupt_caught(void) {
  return caught;
}

int interrupt_status(int status) {
  return caught && status == TOOL_OK ? TOOL_SIGNAL + caught : status;
}
