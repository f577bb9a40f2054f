/* Terminal: the screen of a live view, and how it is given back.
 *
 * Between terminal_open and terminal_close the standard output is a blank screen of
 * its own, keys come one by one, and signals are events.  The terminal is given
 * back as it was by terminal_close, while the program is stopped (Ctrl-Z), and
 * before any signal that ends the program. */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* Can it show a view?  The standard output is a terminal that is not "dumb". */
bool terminal_usable(void);
/* 256 colours, and not forbidden by NO_COLOR. */
bool terminal_colour(void);
/* Does the locale of the environment (LC_ALL, LC_CTYPE, LANG) say UTF-8? */
bool terminal_utf8(void);

/* TOOL_OK, or TOOL_FAILED after a message.  Signals that are ignored stay ignored. */
int terminal_open(void);
void terminal_close(void);

/* Can keys be pressed?  Not without a terminal that controls the program. */
bool terminal_keys(void);
void terminal_size(int *rows, int *columns);
/* False when the terminal is gone. */
bool terminal_write(const char *text, size_t length);

/* What has happened, as bits.  ENDED: a signal, or a terminal that is gone, asks for the
 * end; interrupt_caught tells which.  REDRAW: the size, or the screen, is another. */
enum { TERMINAL_KEY = 1, TERMINAL_REDRAW = 2, TERMINAL_ENDED = 4, TERMINAL_WOKEN = 8 };
/* Waits until something happens, at most so many seconds; below 0: for ever. */
unsigned terminal_wait(double seconds);
/* Ends a terminal_wait of another thread. */
void terminal_wake(void);

/* Keys are characters, or these. */
enum { TERMINAL_UP = 256, TERMINAL_DOWN, TERMINAL_RIGHT, TERMINAL_LEFT };
/* The next key that was pressed; 0: none. */
int terminal_key(void);

#endif
