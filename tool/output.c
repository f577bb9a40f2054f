/* Output: stdio on the standard output, with the first error remembered.
 *
 * stdio loses the reason of a failed write when later calls follow, so errno is
 * kept here at the first failure.  What goes to a terminal loses its control characters,
 * whoever printed it: names come from files.  Numbers may be printed with %f and the like:
 * the program never calls setlocale and so stays in the C locale. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "harmless.h"
#include "message.h"

/* As global as the stream it belongs to. */
static int first_error;
static bool shown; /* a terminal reads it, which must not obey what files and databases say */

void output_start(void) {
  /* A descriptor that is closed would be given to the next file opened, and
   * output would land there.  Opened in the wrong direction it stays useless. */
  static const int wrong_way[3] = {O_WRONLY, O_RDONLY, O_RDWR};
  for (int fd = 0; fd < 3; fd++)
    if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", wrong_way[fd]) != fd) return;
  shown = isatty(STDOUT_FILENO);
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  sigaction(SIGPIPE, &ignore, NULL);
}

static void note_failure(void) {
  if (!first_error) first_error = errno ? errno : EIO;
}

static void put(const char *text, size_t length) {
  if (length && fwrite(text, 1, length, stdout) != length) note_failure();
}

static void put_harmless(char *text, size_t length) {
  harmless(text, length, "\n\t");
  put(text, length);
}

/* To a terminal: in one piece, so that no character is cut. */
static void show(const char *format, va_list arguments) TOOL_PRINTF(1, 0);

static void show(const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *text = length < 0 ? NULL : malloc((size_t)length + 1);
  if (text && vsnprintf(text, (size_t)length + 1, format, arguments) == length) put_harmless(text, (size_t)length);
  else note_failure();
  free(text);
}

void output_print(const char *format, ...) {
  if (first_error) return;
  va_list arguments;
  va_start(arguments, format);
  if (shown) show(format, arguments);
  else if (vfprintf(stdout, format, arguments) < 0) note_failure();
  va_end(arguments);
}

void output_text(const char *text, size_t length) {
  if (first_error) return;
  char *copy = shown && length ? malloc(length) : NULL;
  if (copy) {
    memcpy(copy, text, length);
    put_harmless(copy, length);
    free(copy);
  } else if (shown && length) {
    note_failure();
  } else {
    put(text, length);
  }
}

bool output_sink(void *context, const char *text, size_t length) {
  (void)context;
  output_text(text, length);
  return !first_error;
}

bool output_failed(void) {
  return first_error != 0;
}

int output_finish(int status) {
  if (!first_error && (fflush(stdout) != 0 || ferror(stdout))) note_failure();
  if (!first_error) return status;
  if (first_error != EPIPE) message_error("the standard output cannot be written: %s", strerror(first_error));
  return TOOL_FAILED;
}
