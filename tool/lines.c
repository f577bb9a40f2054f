/* Lines: see lines.h.
 *
 * A signal that comes between the look at the flag and the call that waits would be
 * slept through: so signals are blocked while the flag is looked at, and pselect lets
 * them in.
 *
 * Output is not made non-blocking, because the terminal or pipe may be shared with others,
 * which would see the change.  poll says whether there is room, and since it promises
 * room for a little only, a write that blocks nevertheless is woken by an alarm each
 * second. */
#include "lines.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#include "interrupt.h"

enum {
  FIRST_ROOM = 4096,
  PIECE = 512 /* _POSIX_PIPE_BUF: what a pipe with room takes whole */
};
#define LAST_PATIENCE 0.5

/* It comes again: one that strikes just before the write would be lost. */
static void ring(int number) {
  (void)number;
  alarm(1);
}

bool lines_open(struct lines *lines, int in, int out, double patience) {
  *lines = (struct lines){.in = in, .out = out, .patience = patience, .room = FIRST_ROOM};
  struct sigaction action = {.sa_handler = ring};
  sigemptyset(&action.sa_mask);
  sigaction(SIGALRM, &action, NULL);
  interrupt_catch();
  lines->buffer = malloc(lines->room);
  return lines->buffer != NULL;
}

void lines_close(struct lines *lines) {
  free(lines->buffer);
  lines->buffer = NULL;
}

/* ------------------------------------------------------------------ reading */

/* Waits until there is something to read. */
static enum line await(const struct lines *lines) {
  sigset_t ours, before;
  sigemptyset(&ours);
  sigaddset(&ours, SIGINT);
  sigaddset(&ours, SIGTERM);
  sigaddset(&ours, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &ours, &before);
  int ready = -1;
  errno = EINTR;
  while (!interrupt_caught() && ready < 0 && errno == EINTR) {
    fd_set set;
    FD_ZERO(&set);
    FD_SET(lines->in, &set);
    ready = pselect(lines->in + 1, &set, NULL, NULL, NULL, &before);
  }
  int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return ready > 0 ? LINE_READ : interrupt_caught() ? LINE_STOPPED : LINE_FAILED;
}

/* Room behind what is there; what was handed out makes way first. */
static bool make_room(struct lines *lines) {
  if (lines->start) {
    memmove(lines->buffer, lines->buffer + lines->start, lines->used - lines->start);
    lines->used -= lines->start;
    lines->searched -= lines->start;
    lines->start = 0;
  }
  if (lines->used < lines->room) return true;
  size_t room = lines->room ? 2 * lines->room : FIRST_ROOM;
  char *buffer = realloc(lines->buffer, room);
  if (!buffer) return false;
  lines->buffer = buffer;
  lines->room = room;
  return true;
}

static enum line fill(struct lines *lines) {
  if (!make_room(lines)) return errno = ENOMEM, LINE_FAILED;
  enum line waited = await(lines);
  if (waited != LINE_READ) return waited;
  ssize_t got = read(lines->in, lines->buffer + lines->used, lines->room - lines->used);
  if (got < 0) return errno == EINTR || errno == EAGAIN ? LINE_READ : LINE_FAILED;
  if (!got) lines->ended = true;
  lines->used += (size_t)got;
  return LINE_READ;
}

enum line lines_read(struct lines *lines, const char **text, size_t *length) {
  for (;;) {
    char *from = lines->buffer + lines->searched;
    char *end = memchr(from, '\n', lines->used - lines->searched);
    size_t until = end ? (size_t)(end - lines->buffer) : lines->used;
    bool whole = end || (lines->ended && until > lines->start), over = until - lines->start > LINES_LONGEST;
    *text = lines->buffer + lines->start;
    *length = until - lines->start;
    lines->searched = until;
    if (over) lines->skipping = true;
    if (lines->skipping || whole) lines->start = until;
    if (end) lines->start = lines->searched = until + 1;
    if (whole || (lines->ended && lines->skipping)) {
      bool skipped = lines->skipping;
      lines->skipping = false;
      return skipped ? LINE_TOO_LONG : LINE_READ;
    }
    if (lines->ended) return LINE_END;
    enum line filled = fill(lines);
    if (filled != LINE_READ) return filled;
  }
}

/* ------------------------------------------------------------------ writing */

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

enum line lines_write(const struct lines *lines, const char *text, size_t length) {
  double taken = now(); /* when the reader last took something */
  while (length) {
    double patience = interrupt_caught() && lines->patience > LAST_PATIENCE ? LAST_PATIENCE : lines->patience;
    double left = taken + patience - now();
    if (left <= 0) return interrupt_caught() ? LINE_STOPPED : LINE_LATE;
    struct pollfd room = {.fd = lines->out, .events = POLLOUT};
    int ready = poll(&room, 1, left > 1 ? 1000 : (int)(1000 * left) + 1);
    if (ready < 0 && errno != EINTR) return LINE_FAILED;
    if (ready <= 0) continue;
    alarm(1);
    ssize_t put = write(lines->out, text, length < PIECE ? length : PIECE);
    int error = errno;
    alarm(0);
    if (put < 0 && error == EPIPE) return LINE_NO_READER;
    if (put < 0 && error != EINTR && error != EAGAIN) return errno = error, LINE_FAILED;
    if (put <= 0) continue;
    text += put;
    length -= (size_t)put;
    taken = now();
  }
  return LINE_READ;
}
