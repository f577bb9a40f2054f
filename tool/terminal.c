/* Terminal: see terminal.h.
 *
 * Few things are needed of a terminal, and they are the same everywhere: termios for
 * the keys, and the sequences of ECMA-48 and of xterm that all of its descendants
 * know for the screen.  So there is no dependency.
 *
 * Signals.  Handlers write the number of the signal into a pipe, which terminal_wait
 * watches together with the keys; all else happens outside of them.  A second signal
 * that asks for the end, or a crash, gives the terminal back in the handler itself
 * (tcsetattr and write may be called there) and then has its usual effect.  The state
 * is global because signals and the terminal are. */
#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "interrupt.h"
#include "message.h"
#include "output.h"

/* Another screen, no cursor, no line wrap; and back. */
#define ENTER "\033[?1049h\033[?25l\033[?7l\033[0m\033[2J"
#define LEAVE "\033[0m\033[?7h\033[?25h\033[?1049l"

#ifndef SIGWINCH
#define SIGWINCH 0 /* never delivered: the size is then that of the start */
#endif

enum effect { EFFECT_END, EFFECT_CRASH, EFFECT_STOP, EFFECT_CONTINUE, EFFECT_SIZE };

static const struct {
  int number;
  enum effect effect;
} signals[] = {{SIGINT, EFFECT_END},    {SIGTERM, EFFECT_END},  {SIGHUP, EFFECT_END},       {SIGQUIT, EFFECT_END},
               {SIGSEGV, EFFECT_CRASH}, {SIGBUS, EFFECT_CRASH}, {SIGILL, EFFECT_CRASH},     {SIGFPE, EFFECT_CRASH},
               {SIGABRT, EFFECT_CRASH}, {SIGTSTP, EFFECT_STOP}, {SIGCONT, EFFECT_CONTINUE}, {SIGWINCH, EFFECT_SIZE}};
enum { SIGNALS = sizeof signals / sizeof *signals };

static struct {
  volatile sig_atomic_t open;   /* the screen is ours at the moment ... */
  volatile sig_atomic_t taken;  /* ... and the modes, or they are about to be */
  volatile sig_atomic_t ending; /* the end was asked for */
  int keys;                     /* where keys come from; -1: nowhere */
  bool own_keys;                /* opened here */
  int pipe[2];
  struct termios before;
  bool modes; /* `before` holds the modes of `keys` */
  struct sigaction old[SIGNALS];
  bool caught[SIGNALS];
  unsigned char input[64]; /* keys that were read */
  size_t used, filled;
} terminal = {.keys = -1, .pipe = {-1, -1}};

/* -------------------------------------------------------------- environment */

bool terminal_usable(void) {
  const char *term = getenv("TERM");
  return isatty(STDOUT_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

bool terminal_colour(void) {
  const char *no = getenv("NO_COLOR"), *term = getenv("TERM"), *many = getenv("COLORTERM");
  if (no && *no) return false;
  return (term && (strstr(term, "256") || strstr(term, "direct"))) || (many && *many);
}

bool terminal_utf8(void) {
  static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *locale = getenv(names[i]);
    if (!locale || !*locale) continue;
    const char *charset = strchr(locale, '.');
    return charset && (!strncasecmp(charset + 1, "UTF-8", 5) || !strncasecmp(charset + 1, "UTF8", 4));
  }
  return false;
}

static int from_environment(const char *name, int usual) {
  const char *text = getenv(name);
  if (!text) return usual;
  char *end;
  long value = strtol(text, &end, 10);
  return value > 0 && value <= USHRT_MAX && !*end ? (int)value : usual;
}

void terminal_size(int *rows, int *columns) {
  struct winsize size = {0};
  bool known = !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_row && size.ws_col;
  *rows = known ? size.ws_row : from_environment("LINES", 24);
  *columns = known ? size.ws_col : from_environment("COLUMNS", 80);
}

/* ------------------------------------------------------------------- screen */

bool terminal_write(const char *text, size_t length) {
  return output_all(STDOUT_FILENO, text, length);
}

/* SIGTTOU would stop a program in the background that sets the modes back. */
static void restore_modes(void) {
  sigset_t block, before;
  sigemptyset(&block);
  sigaddset(&block, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &block, &before);
  tcsetattr(terminal.keys, TCSANOW, &terminal.before);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Here SIGTTOU is welcome: a program in the background waits until it is in the foreground
 * before it touches the screen. */
static void take_screen(void) {
  terminal.taken = 1;
  if (terminal.modes) {
    struct termios modes = terminal.before;
    modes.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    modes.c_iflag &= ~(tcflag_t)(IXON | ICRNL);
    modes.c_cc[VMIN] = 1;
    modes.c_cc[VTIME] = 0;
    while (tcsetattr(terminal.keys, TCSANOW, &modes) && errno == EINTR && !terminal.ending) continue;
    if (terminal.ending) return;
  }
  terminal.open = 1;
  terminal_write(ENTER, sizeof ENTER - 1);
}

/* Also called in handlers, and so at any moment of take_screen: a program that still waits in
 * the background has changed nothing, and the modes are those of somebody else. */
static void give_screen_back(void) {
  if (!terminal.taken) return;
  bool screen = terminal.open;
  terminal.taken = terminal.open = 0;
  if (screen) terminal_write(LEAVE, sizeof LEAVE - 1); /* if that fails, nothing can be done about it */
  if (terminal.modes && (screen || tcgetpgrp(terminal.keys) == getpgrp())) restore_modes();
}

/* ------------------------------------------------------------------ signals */

static void tell(unsigned char number) {
  int error = errno;
  ssize_t written = write(terminal.pipe[1], &number, 1);
  (void)written; /* full: there is enough to wake up for */
  errno = error;
}

static void usual_effect(size_t i) {
  give_screen_back();
  sigaction(signals[i].number, &terminal.old[i], NULL);
  raise(signals[i].number);
}

static void handle(int number) {
  size_t i = 0;
  while (signals[i].number != number) i++;
  if (signals[i].effect == EFFECT_CRASH) {
    usual_effect(i);
    return;
  }
  if (signals[i].effect == EFFECT_END) {
    /* A terminal that goes sends several SIGHUP, by itself and by the shell. */
    if (terminal.ending && number == SIGHUP) return;
    if (terminal.ending) {
      struct sigaction usual = {.sa_handler = SIG_DFL};
      terminal.old[i] = usual;
      usual_effect(i);
      return;
    }
    terminal.ending = 1;
    interrupt_raise(number);
  }
  tell((unsigned char)number);
}

static void catch_signals(void) {
  for (size_t i = 0; i < SIGNALS; i++) {
    struct sigaction action = {.sa_handler = handle};
    sigemptyset(&action.sa_mask);
    terminal.caught[i] = false;
    if (!signals[i].number || sigaction(signals[i].number, NULL, &terminal.old[i])) continue;
    bool ignored = terminal.old[i].sa_handler == SIG_IGN;
    if (ignored && signals[i].effect != EFFECT_SIZE && signals[i].effect != EFFECT_CONTINUE) continue;
    terminal.caught[i] = !sigaction(signals[i].number, &action, NULL);
  }
}

static void release_signals(void) {
  for (size_t i = 0; i < SIGNALS; i++)
    if (terminal.caught[i]) sigaction(signals[i].number, &terminal.old[i], NULL);
}

/* Ctrl-Z: as if it had not been caught, but with the terminal as it was. */
static void stop(void) {
  struct sigaction usual = {.sa_handler = SIG_DFL}, ours;
  sigemptyset(&usual.sa_mask);
  give_screen_back();
  sigaction(SIGTSTP, &usual, &ours);
  raise(SIGTSTP);
  sigaction(SIGTSTP, &ours, NULL);
  take_screen();
}

/* -------------------------------------------------------------- open, close */

static bool make_pipe(void) {
  if (pipe(terminal.pipe)) return false;
  for (int i = 0; i < 2; i++) {
    fcntl(terminal.pipe[i], F_SETFL, O_NONBLOCK);
    fcntl(terminal.pipe[i], F_SETFD, FD_CLOEXEC);
  }
  return true;
}

/* Keys come from the standard input or, if a model does, from the terminal itself. */
static void find_keys(void) {
  terminal.keys = STDIN_FILENO;
  terminal.own_keys = !isatty(STDIN_FILENO);
  if (terminal.own_keys) terminal.keys = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY);
  terminal.modes = terminal.keys >= 0 && !tcgetattr(terminal.keys, &terminal.before);
}

int terminal_open(void) {
  if (!make_pipe()) {
    message_error("the terminal cannot be watched: %s", strerror(errno));
    return TOOL_FAILED;
  }
  terminal.ending = 0;
  terminal.used = terminal.filled = 0;
  find_keys();
  catch_signals();
  take_screen();
  return TOOL_OK;
}

bool terminal_keys(void) {
  return terminal.keys >= 0;
}

void terminal_close(void) {
  if (terminal.pipe[0] < 0) return;
  give_screen_back();
  release_signals();
  if (terminal.own_keys && terminal.keys >= 0) close(terminal.keys);
  close(terminal.pipe[0]);
  close(terminal.pipe[1]);
  terminal.keys = terminal.pipe[0] = terminal.pipe[1] = -1;
}

/* ------------------------------------------------------------------- events */

static unsigned event_of(int number) {
  if (!number) return TERMINAL_WOKEN;
  for (size_t i = 0; i < SIGNALS; i++) {
    if (signals[i].number != number) continue;
    switch (signals[i].effect) {
      case EFFECT_STOP: stop(); return TERMINAL_REDRAW;
      case EFFECT_CONTINUE: take_screen(); return TERMINAL_REDRAW; /* it was stopped without being asked */
      case EFFECT_SIZE: return TERMINAL_REDRAW;
      default: return TERMINAL_ENDED;
    }
  }
  return 0;
}

static unsigned read_pipe(void) {
  unsigned char numbers[64];
  unsigned events = 0;
  ssize_t count = read(terminal.pipe[0], numbers, sizeof numbers);
  for (ssize_t i = 0; i < count; i++) events |= event_of(numbers[i]);
  return events;
}

/* The end of the keys is that of the terminal. */
static unsigned read_keys(void) {
  memmove(terminal.input, terminal.input + terminal.used, terminal.filled - terminal.used);
  terminal.filled -= terminal.used;
  terminal.used = 0;
  size_t room = sizeof terminal.input - terminal.filled;
  if (!room) return TERMINAL_KEY;
  ssize_t count = read(terminal.keys, terminal.input + terminal.filled, room);
  if (count > 0) {
    terminal.filled += (size_t)count;
    return TERMINAL_KEY;
  }
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return 0;
  if (!terminal.ending) interrupt_raise(SIGHUP);
  terminal.ending = 1;
  return TERMINAL_ENDED;
}

unsigned terminal_wait(double seconds) {
  struct pollfd fds[2] = {{.fd = terminal.pipe[0], .events = POLLIN}, {.fd = terminal.keys, .events = POLLIN}};
  int timeout = seconds < 0 ? -1 : seconds > 1e6 ? 1000000000 : (int)(seconds * 1000 + 0.999);
  unsigned events = 0;
  int ready = poll(fds, terminal.keys < 0 ? 1 : 2, timeout);
  if (ready > 0 && fds[0].revents) events |= read_pipe();
  if (ready > 0 && terminal.keys >= 0 && fds[1].revents) events |= read_keys();
  return events;
}

void terminal_wake(void) {
  tell(0);
}

/* Arrows are ESC [ A or ESC O A; other sequences are stepped over. */
static int escape(void) {
  static const char letters[] = "ABCD";
  size_t at = terminal.used, end = terminal.filled;
  if (at < end && (terminal.input[at] == '[' || terminal.input[at] == 'O')) {
    at++;
    while (at < end && terminal.input[at] >= 0x20 && terminal.input[at] < 0x40) at++;
    terminal.used = at < end ? at + 1 : at;
    const char *found = at < end && terminal.input[at] ? strchr(letters, terminal.input[at]) : NULL;
    if (found) return TERMINAL_UP + (int)(found - letters);
  }
  return 27;
}

int terminal_key(void) {
  if (terminal.used == terminal.filled) return 0;
  unsigned char c = terminal.input[terminal.used++];
  return c == 27 ? escape() : c ? c : 1;
}
