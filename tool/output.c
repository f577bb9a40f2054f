/* Output: the standard output, with the first error remembered.
 *
 * It is not left to stdio, which gives up what it holds when a signal interrupts a write (the first Ctrl-C, while the
 * reader of a pipe is slow) and loses the reason of a failure when other calls follow.  As with stdio a
 * terminal gets each line at once, anything else larger pieces.  What goes to a terminal loses its control
 * characters, whoever printed it: names come from files.  Numbers may be printed with %f and the like: the
 * program never calls setlocale and so stays in the C locale. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "common/harmless.h"
#include "interrupt.h"
#include "message.h"

/* As global as the stream it stands for. */
static char waiting[1 << 16];
static size_t used;
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
  sigaction(SIGXFSZ, &ignore, NULL);
}

static bool waits_for_reader(const char *path) {
  struct stat there;
  return errno == ENXIO && !stat(path, &there) && S_ISFIFO(there.st_mode);
}

/* open() itself would wait through an interrupt: handlers are installed with SA_RESTART. */
int output_open(const char *path) {
  int file;
  while ((file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0666)) < 0) {
    if (!waits_for_reader(path)) return -1;
    if (interrupt_caught()) {
      interrupt_given_in();
      errno = EINTR;
      return -1;
    }
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
  }
  fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
  return file;
}

bool output_all(int file, const char *text, size_t length) {
  while (length) {
    ssize_t written = write(file, text, length);
    if (written > 0) {
      text += written;
      length -= (size_t)written;
    } else if (written < 0 && errno == EAGAIN) { /* somebody has made it non-blocking */
      struct pollfd ready = {.fd = file, .events = POLLOUT};
      poll(&ready, 1, 100);
    } else if (written < 0 && errno != EINTR) {
      return false;
    }
  }
  return true;
}

static void note_failure(int error) {
  if (!first_error) first_error = error ? error : EIO;
}

void output_flush(void) {
  if (!first_error && used && !output_all(STDOUT_FILENO, waiting, used)) note_failure(errno);
  used = 0;
}

void output_text(const char *text, size_t length) {
  while (length && !first_error) {
    if (used == sizeof waiting || (used && length > sizeof waiting - used)) output_flush();
    size_t piece = length < sizeof waiting - used ? length : sizeof waiting - used;
    char *copy = memcpy(waiting + used, text, piece);
    if (shown) harmless(copy, piece, "\n\t");
    used += piece;
    text += piece;
    length -= piece;
    if (shown && memchr(copy, '\n', piece)) output_flush();
  }
}

void output_print(const char *format, ...) {
  if (first_error) return;
  char piece[2048], *text = piece;
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(piece, sizeof piece, format, arguments);
  va_end(arguments);
  if (length >= (int)sizeof piece) {
    text = malloc((size_t)length + 1);
    va_start(arguments, format);
    if (text) length = vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
  }
  if (length < 0 || !text) note_failure(text ? EIO : ENOMEM);
  else output_text(text, (size_t)length);
  if (text != piece) free(text);
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
  output_flush();
  if (close(STDOUT_FILENO) && errno != EINTR) note_failure(errno); /* some file systems tell only now */
  if (!first_error) return status;
  if (first_error != EPIPE) message_error("the standard output cannot be written: %s", strerror(first_error));
  return TOOL_FAILED;
}
