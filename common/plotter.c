/* Plotter: see plotter.h.
 *
 * A figure is made in a directory of its own beside the file and then moved, so that it is there whole or not at all,
 * and an old one stays until then. */
#include "common/plotter.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

void plotter_quote(struct text *out, const char *text) {
  text_put(out, "'");
  for (; *text; text++) {
    if (*text == '\'') text_put(out, "'");
    if ((unsigned char)*text < ' ') text_put(out, " ");
    else text_add(out, text, 1);
  }
  text_put(out, "'");
}

bool plotter_find(struct text *path) {
  const char *at = getenv("PATH");
  if (!at || !*at) at = "/usr/local/bin:/usr/bin:/bin";
  while (*at && !path->failed) {
    size_t length = strcspn(at, ":");
    text_clear(path);
    if (length) text_add(path, at, length);
    else text_put(path, ".");
    text_put(path, "/gnuplot");
    if (!path->failed && !access(text_string(path), X_OK)) return true;
    at += length + (at[length] == ':');
  }
  return false;
}

bool plotter_write(const char *path, const struct text *text, const char *place, complaint *why) {
  if (text->failed) return complain(why, place, "out of memory");
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), error = errno;
  bool good = file >= 0;
  for (size_t done = 0; good && done < text->length;) {
    ssize_t written = write(file, text_string(text) + done, text->length - done);
    if (written > 0) done += (size_t)written;
    else if (written < 0 && errno != EINTR) error = errno, good = false;
  }
  if (file >= 0 && close(file) && good) error = errno, good = false;
  return good || complain(why, place, "cannot be written: %s", strerror(error));
}

int plotter_run(const char *program, const char *directory, const char *script, const char *log) {
  pid_t child = fork();
  if (child < 0) return -1;
  if (!child) {
    setpgid(0, 0); /* Ctrl-C is for us: gnuplot finishes the picture, or half of it would stand there */
    int out = chdir(directory) ? -1 : open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    int in = open("/dev/null", O_RDONLY);
    if (out < 0 || in < 0 || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(out, STDERR_FILENO) < 0)
      _exit(126);
    execl(program, program, script, (char *)NULL);
    _exit(127);
  }
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -2;
}

void plotter_last_line(const char *path, char line[300]) {
  char next[300];
  *line = 0;
  FILE *file = fopen(path, "r");
  while (file && fgets(next, sizeof next, file)) {
    next[strcspn(next, "\n")] = 0;
    if (next[strspn(next, " \t^")]) memcpy(line, next, sizeof next);
  }
  if (file) fclose(file);
}

/* -------------------------------------------------------------- a single file */

enum terminal { SVG, PNG, PDF, TERMINALS };
static const char *const endings[TERMINALS] = {"svg", "png", "pdf"};

static size_t terminal_of(const char *path) {
  const char *dot = strrchr(path, '.');
  size_t i = 0;
  while (i < TERMINALS && !(dot && !strcmp(dot + 1, endings[i]))) i++;
  return i;
}

/* Of a file that plotter_check has let pass. */
static const char *ending_of(const char *path) {
  size_t i = terminal_of(path);
  return endings[i < TERMINALS ? i : 0];
}

bool plotter_check(const char *path, complaint *why) {
  if (terminal_of(path) < TERMINALS) return true;
  complain(why, path, "a plot is a file with the ending .svg, .png or .pdf");
  return false;
}

static bool no_program(complaint *why) {
  complain(why, "", "there is no program 'gnuplot' in PATH, which draws the plots");
  return advise(why, "install it (Debian: gnuplot-nox), or take the numbers of '--csv' to another program");
}

bool plotter_ready(complaint *why) {
  struct text program = {0};
  bool found = plotter_find(&program), starved = program.failed;
  text_free(&program);
  if (found) return true;
  return starved ? complain(why, "", "out of memory") : no_program(why);
}

void plotter_begin(struct text *script, const char *path, int width, int height) {
  size_t i = terminal_of(path);
  text_put(script, "set terminal ");
  if (i == SVG) text_print(script, "svg size %d,%d dynamic noenhanced font 'sans-serif,14'", width, height);
  else if (i == PNG) text_print(script, "pngcairo size %d,%d noenhanced font 'sans-serif,12'", width, height);
  else text_print(script, "pdfcairo size %d/96.0,%d/96.0 noenhanced font 'sans-serif,12'", width, height);
  text_print(script, "\nset output 'plot.%s'\n", ending_of(path));
  text_put(script, "set border 3 lw 1\nset tics nomirror\nset grid lt 1 lc rgb '#D8D8D8' lw 0.5 dt 1\n");
}

/* Runs the script in a directory and gives the picture its place. */
static bool draw_in(const char *directory, const char *program, const char *path, const struct text *script,
                    complaint *why) {
  static const char *const files[] = {"plot.gp", "plot.log", "plot.svg", "plot.png", "plot.pdf"};
  struct text at = {0}, picture = {0};
  text_print(&at, "%s/plot.gp", directory);
  text_print(&picture, "%s/plot.%s", directory, ending_of(path));
  bool good = !at.failed && !picture.failed;
  if (!good) complain(why, path, "out of memory");
  good = good && plotter_write(text_string(&at), script, path, why);
  int status = good ? plotter_run(program, directory, "plot.gp", "plot.log") : 0, error = errno;
  struct stat there;
  if (good && status == -1) good = complain(why, program, "cannot be started: %s", strerror(error));
  else if (good && (status || stat(text_string(&picture), &there) || !there.st_size)) {
    char line[300];
    text_clear(&at);
    text_print(&at, "%s/plot.log", directory);
    plotter_last_line(text_string(&at), line);
    complain(why, program, "could not draw %s (exit status %d)%s%s", path, status, *line ? ": " : "", line);
    good = advise(why, "is there room for it? and a gnuplot of version 5 with the terminals svg and cairo is needed");
  }
  if (good && rename(text_string(&picture), path)) good = complain(why, path, "cannot be written: %s", strerror(errno));
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    text_clear(&at);
    text_print(&at, "%s/%s", directory, files[i]);
    if (!at.failed) remove(text_string(&at));
  }
  text_free(&at);
  text_free(&picture);
  return good;
}

bool plotter_draw(const char *path, const struct text *script, complaint *why) {
  struct text program = {0}, directory = {0};
  const char *slash = strrchr(path, '/');
  bool found = plotter_find(&program);
  text_add(&directory, path, slash ? (size_t)(slash - path) + 1 : 0);
  text_put(&directory, ".glimpse-XXXXXX");
  bool good;
  if (script->failed || program.failed || directory.failed) good = complain(why, path, "out of memory");
  else if (!found) good = no_program(why);
  else if (!mkdtemp(directory.data)) good = complain(why, path, "cannot be written: %s", strerror(errno));
  else {
    good = draw_in(text_string(&directory), text_string(&program), path, script, why);
    rmdir(text_string(&directory));
  }
  text_free(&program);
  text_free(&directory);
  return good;
}
