/* Plotter: runs the program gnuplot, which is looked for when it is needed. */
#ifndef COMMON_PLOTTER_H
#define COMMON_PLOTTER_H

#include "common/complaint.h"
#include "common/text.h"

/* The whole path of gnuplot; false when it is not in PATH (or path->failed: there is no memory for it). */
bool plotter_find(struct text *path);
/* A string of a script, in single quotes. */
void plotter_quote(struct text *out, const char *text);
/* Writes a file; `place` is what a complaint calls it. */
bool plotter_write(const char *path, const struct text *text, const char *place, complaint *why);
/* Runs gnuplot in a directory; what it says goes into a file there.  The exit status, -1: it did not run, and errno
 * says why; -2: it was killed. */
int plotter_run(const char *program, const char *directory, const char *script, const char *log);
/* The line of the log that tells what is wrong: the last one that is not empty. */
void plotter_last_line(const char *path, char line[300]);

/* A single figure, in a file whose ending says what it is: svg, png or pdf.
 * First: is the ending one of these, and is there a gnuplot?  False, with a complaint. */
bool plotter_check(const char *path, complaint *why);
bool plotter_ready(complaint *why);
/* Begins a script: terminal, size in pixels, grid. */
void plotter_begin(struct text *script, const char *path, int width, int height);
/* Runs the script and writes the file, whole or not at all. */
bool plotter_draw(const char *path, const struct text *script, complaint *why);

#endif
