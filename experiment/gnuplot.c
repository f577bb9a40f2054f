/* Gnuplot: writes scripts and runs them.
 *
 * Panels are placed by hand, with the legend in a strip of its own below them, so that it never covers a curve. Colours
 * are those of Okabe and Ito, which people with the common kinds of colour blindness can tell apart; each comes
 * with a mark of its own, so that they are not the only difference.  Where error bars of several curves would
 * lie on each other they are moved aside by a hair, in the picture and not in the data.
 *
 * Strings in scripts are in single quotes, where the quote itself is the one special character, and no text is
 * "enhanced", so that names need no other care. */
#include "experiment/gnuplot.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/plotter.h"

enum { WIDTH = 960, PANEL = 300, TOP = 58, LEGEND_ROW = 24, TICKS = 8, STYLES = 14 };

/* -------------------------------------------------------------------- script */

static void put_command(struct text *out, const char *command, const char *text, const char *rest) {
  text_print(out, "%s ", command);
  plotter_quote(out, text);
  text_print(out, "%s\n", rest);
}

void gnuplot_data(const struct plot *plot, struct text *out) {
  text_print(out, "# %s: x, y, and the ends of the 95 %% interval\n", text_string(&plot->title));
  for (size_t i = 0; i < plot->count; i++)
    for (size_t k = 0; k < plot->panels[i].count; k++) {
      const struct plot_series *series = &plot->panels[i].series[k];
      text_print(out, "%s# %s: %s%s%s\n", i || k ? "\n\n" : "", text_string(&plot->panels[i].title),
                 text_string(&plot->names[series->style]), series->paper ? " in the paper" : "",
                 plot->bounds ? series->dashed ? ", lower" : ", upper" : "");
      for (size_t p = 0; p < series->count; p++) {
        const struct plot_point *point = &series->points[p];
        double values[] = {point->x, point->y, point->low, point->high};
        for (size_t v = 0; v < 4; v++) {
          text_number(out, values[v]);
          text_put(out, v < 3 ? " " : "\n");
        }
      }
    }
}

/* Colour, mark (filled; the one before it is the open form), dashes. */
static void put_styles(struct text *out) {
  static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F"};
  static const int marks[] = {7, 5, 9, 11, 13, 15, 7};
  for (int i = 0; i < STYLES; i++)
    text_print(out, "set linetype %d lc rgb '%s' lw 2 pt %d ps 0.8 dt %d\n", i + 1, colours[i % 7], marks[i % 7],
               i < 7 ? 1 : 4);
  /* The lower bounds and the paper's marks. */
  for (int i = 0; i < STYLES; i++)
    text_print(out, "set linetype %d lc rgb '%s' lw 2 pt %d ps 1.3 dt 2\n", STYLES + i + 1, colours[i % 7],
               marks[i % 7] - 1);
}

static int style_of(const struct plot_series *series) {
  return (int)(series->style % STYLES) + 1 + (series->paper || series->dashed ? STYLES : 0);
}

struct range {
  double low, high;
  double values[TICKS]; /* distinct ones, as long as there are few */
  size_t count;
};

static struct range x_range(const struct plot_panel *panel) {
  struct range range = {INFINITY, -INFINITY, {0}, 0};
  for (size_t i = 0; i < panel->count; i++)
    for (size_t k = 0; k < panel->series[i].count; k++) {
      double x = panel->series[i].points[k].x;
      range.low = fmin(range.low, x);
      range.high = fmax(range.high, x);
      size_t known = 0;
      while (known < range.count && known < TICKS && (range.values[known] < x || range.values[known] > x)) known++;
      if (known < range.count && known < TICKS) continue;
      if (range.count < TICKS) range.values[range.count] = x;
      range.count++;
    }
  return range;
}

static void put_x_axis(struct text *out, const struct plot *plot, const struct plot_panel *panel, struct range range) {
  text_put(out, panel->log_x ? "set logscale x\n" : "unset logscale x\n");
  double pad = (range.high - range.low) * 0.06, low = range.low - pad, high = range.high + pad;
  if (panel->log_x) {
    double factor = plot->bounds ? 1 : 1.35;
    low = range.low / factor;
    high = range.high * factor;
  }
  if (panel->ticks) {
    low = 0.5;
    high = (double)panel->tick_count + 0.5;
  }
  if (!(high > low)) high = (low -= 0.5) + 1;
  text_put(out, "set xrange [");
  text_number(out, low);
  text_put(out, ":");
  text_number(out, high);
  text_put(out, "]\n");
  put_command(out, "set xlabel", panel->x_label, "");
  text_print(out, "set format x '%s'\n", plot->bounds ? "%.0s%c" : "%g");
  bool listed = panel->ticks || range.count == 1 || (!plot->bounds && range.count <= TICKS);
  size_t count = panel->ticks ? panel->tick_count : range.count;
  text_print(out, "set xtics norotate nomirror %s", listed ? "(" : "autofreq\n");
  for (size_t i = 0; listed && i < count; i++) {
    struct text number = {0};
    if (i) text_put(out, ", ");
    text_number(&number, panel->ticks ? (double)(i + 1) : range.values[i]);
    plotter_quote(out, panel->ticks ? text_string(&panel->ticks[i]) : text_string(&number));
    text_print(out, " %s", text_string(&number));
    out->failed |= number.failed;
    text_free(&number);
  }
  if (listed) text_print(out, ")%s\n", panel->ticks ? " rotate by 20 right" : "");
}

/* How far a curve is moved aside: an expression of the first column. */
static void put_aside(struct text *out, const struct plot *plot, const struct plot_panel *panel, struct range range,
                      size_t style) {
  double place = (double)style - ((double)plot->name_count - 1) / 2;
  double decades = 1, span = range.high / range.low; /* that the axis spans, about */
  while (panel->log_x && span > 100) {
    decades++;
    span /= 10;
  }
  double shift = panel->ticks ? 0.6 / (double)plot->name_count * place : (range.high - range.low) * 0.008 * place;
  if (plot->bounds || plot->name_count < 2) {
    text_put(out, "1");
    return;
  }
  text_put(out, panel->log_x ? "($1*" : "($1+");
  text_number(out, panel->log_x ? 1 + 0.03 * decades * place : shift);
  text_put(out, ")");
}

static void put_curves(struct text *out, const struct plot *plot, const struct plot_panel *panel, struct range range,
                       size_t *index) {
  for (size_t i = 0; i < panel->count; i++) {
    const struct plot_series *series = &panel->series[i];
    text_print(out, "%s data index %zu using ", i ? ", \\\n " : "plot", (*index)++);
    put_aside(out, plot, panel, range, series->style);
    /* Bounds that meet at once are a point, of which no line is drawn. */
    if (plot->bounds) text_print(out, ":2 with %s", series->count > 1 ? "lines" : "points");
    else if (series->paper) text_put(out, ":2 with points");
    else text_print(out, ":2:3:4 with %s", plot->lines ? "yerrorlines" : "yerrorbars");
    text_print(out, " lt %d", style_of(series));
    /* Curves that coincide: the first ones are broader and show on both sides.  Dashes grow with the width. */
    size_t after = plot->name_count - 1 - series->style, width = 2 + 2 * (after < 3 ? after : 3);
    if (plot->bounds) text_print(out, " lw %zu", width);
    if (series->dashed && series->count > 1) text_print(out, " dt (%zu.,%zu.)", 24 / width + 1, 16 / width + 1);
    text_put(out, " notitle");
  }
  text_put(out, "\n");
}

struct layout {
  size_t columns, rows, key_columns, key_rows;
  double height; /* of all */
};

static struct layout layout_of(const struct plot *plot) {
  struct layout layout = {.columns = plot->count < 2 ? 1 : plot->count > 6 ? 3 : 2};
  layout.rows = (plot->count + layout.columns - 1) / layout.columns;
  size_t widest = 0, entries = plot->name_count + plot->paper;
  for (size_t i = 0; i < plot->name_count; i++)
    if (plot->names[i].length > widest) widest = plot->names[i].length;
  if (plot->paper && widest < 28) widest = 28;
  layout.key_columns = WIDTH / (8 * widest + 70);
  if (layout.key_columns > entries) layout.key_columns = entries;
  if (layout.key_columns < 1) layout.key_columns = 1;
  layout.key_rows = (entries + layout.key_columns - 1) / layout.key_columns;
  double panel = PANEL;
  for (size_t i = 0; i < plot->count; i++)
    if (plot->panels[i].ticks) panel = PANEL + 80; /* for slanted names */
  layout.height = TOP + (double)layout.rows * panel + (double)(layout.key_rows * LEGEND_ROW) + 12;
  return layout;
}

/* Fractions of the picture, from its lower left corner. */
static void put_frame(struct text *out, double x, double y, double width, double height) {
  double values[] = {x, y, width, height};
  for (size_t i = 0; i < 4; i++) {
    text_put(out, i == 0 ? "set origin " : i == 2 ? "\nset size " : ",");
    text_fixed(out, values[i], 5);
  }
  text_put(out, "\n");
}

/* What differs by rounding alone is the same: an axis that shows the difference would have the same number at all of
 * its ticks. */
static void put_y_axis(struct text *out, const struct plot *plot, const struct plot_panel *panel) {
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < panel->count; i++)
    for (size_t k = 0; k < panel->series[i].count; k++) {
      const struct plot_point *point = &panel->series[i].points[k];
      low = fmin(low, fmin(point->y, point->low)); /* an interval that is missing is NaN */
      high = fmax(high, fmax(point->y, point->high));
    }
  double size = fmax(fabs(low), fabs(high));
  text_put(out, panel->log_y ? "set logscale y\n" : "unset logscale y\n");
  if (plot->from_zero && !panel->log_y) {
    text_put(out, "set yrange [0:");
    if (isfinite(plot->most)) text_number(out, 1.02 * plot->most); /* room for the mark of a point */
    else text_put(out, high > 0 ? "*" : "1");
    text_put(out, "]; unset offsets\n");
  } else if (!panel->log_y && low <= high && high - low < 1e-6 * size) {
    text_put(out, "set yrange [");
    text_number(out, low - 0.1 * size);
    text_put(out, ":");
    text_number(out, high + 0.1 * size);
    text_put(out, "]; unset offsets\n");
  } else text_put(out, "set yrange [*:*]; set offsets 0,0,graph 0.03,graph 0.03\n");
}

static void put_panels(struct text *out, const struct plot *plot, const struct layout *layout) {
  double legend = ((double)(layout->key_rows * LEGEND_ROW) + 12) / layout->height;
  double width = 1.0 / (double)layout->columns, height = (1 - legend - TOP / layout->height) / (double)layout->rows;
  size_t index = 0;
  for (size_t i = 0; i < plot->count; i++) {
    const struct plot_panel *panel = &plot->panels[i];
    size_t column = i % layout->columns, row = i / layout->columns;
    struct range range = x_range(panel);
    text_put(out, "\n");
    put_frame(out, (double)column * width, legend + (double)(layout->rows - 1 - row) * height, width, height);
    put_command(out, "set title", text_string(&panel->title), "");
    put_command(out, "set ylabel", column ? "" : plot->y_label, "");
    put_y_axis(out, plot, panel);
    put_x_axis(out, plot, panel, range);
    put_curves(out, plot, panel, range, &index);
    if (!i) text_put(out, "unset label\n");
  }
}

/* A plot of nothing that has the key of all. */
static void put_legend(struct text *out, const struct plot *plot, const struct layout *layout) {
  text_put(out, "\n");
  put_frame(out, 0, 0, 1, ((double)(layout->key_rows * LEGEND_ROW) + 8) / layout->height);
  text_print(out, "set key center center horizontal Left reverse samplen 3 maxcols %zu\n", layout->key_columns);
  text_put(out, "unset title; unset xlabel; unset ylabel; unset tics; unset border; unset grid; unset logscale\n"
                "set margins 0,0,0,0; set xrange [0:1]; set yrange [0:1]\n");
  for (size_t i = 0; i < plot->name_count; i++) {
    text_put(out, i ? ", \\\n  NaN" : "plot NaN");
    text_print(out, " with %s lt %zu title ",
               plot->bounds  ? "lines"
               : plot->lines ? "linespoints"
                             : "points",
               i % STYLES + 1);
    plotter_quote(out, text_string(&plot->names[i]));
  }
  if (plot->paper)
    text_print(out, ", \\\n  NaN with points lt %d lc rgb '#7F7F7F' title 'open marks: the paper'", STYLES + 1);
  text_put(out, "\n");
}

/* The experiment, and below it what is drawn; labels of the first panel, taken away after it. */
static void put_title(struct text *out, const struct plot *plot, const char *heading, double height) {
  struct text title = {0};
  text_print(&title, "%s%s%s%s", text_string(&plot->title), *plot->subtitle ? " (" : "", plot->subtitle,
             *plot->subtitle ? ")" : "");
  text_put(out, "set label 1 ");
  plotter_quote(out, strcmp(heading, text_string(&plot->title)) != 0 ? heading : "");
  text_print(out, " at screen 0.5,%.5f center font (form eq 'svg' ? ',16' : ',24')\nset label 2 ", 1 - 16 / height);
  plotter_quote(out, text_string(&title));
  text_print(out, " at screen 0.5,%.5f center font (form eq 'svg' ? ',15' : ',22')\n", 1 - 40 / height);
  out->failed |= title.failed;
  text_free(&title);
}

void gnuplot_script(const struct plot *plot, const char *heading, struct text *out) {
  struct layout layout = layout_of(plot);
  const char *name = text_string(&plot->name);
  text_print(out, "# gnuplot %s.gp makes %s.svg and %s.png from %s.dat\n", name, name, name, name);
  text_print(out, "data = '%s.dat'\ndo for [form in 'svg png'] {\n", name);
  text_print(out, "if (form eq 'svg') { set terminal svg size %d,%.0f dynamic noenhanced font 'sans-serif,14' }\n",
             WIDTH, layout.height);
  text_print(out,
             "if (form eq 'png') { set terminal pngcairo size %d,%.0f noenhanced font 'sans,21' fontscale 0.75 "
             "linewidth 1.5 pointscale 1.5 }\n",
             WIDTH * 3 / 2, layout.height * 1.5);
  text_print(out, "set output '%s.'.form\n", name);
  put_styles(out);
  text_put(out, "set multiplot\nset border 3 lw 1\nset tics nomirror\nset grid lt 1 lc rgb '#D8D8D8' lw 0.5 dt 1\n"
                "unset key\nset xlabel offset 0,0.3\n");
  if (plot->whole) text_put(out, "set format y '%.0f'\n");
  put_title(out, plot, heading, layout.height);
  put_panels(out, plot, &layout);
  put_legend(out, plot, &layout);
  text_put(out, "unset multiplot\nunset output\nreset\n}\n");
}

/* ------------------------------------------------------------------- running */

struct job {
  const char *directory, *program; /* program NULL: only the files for it */
  bool keep;
  char *scratch;                 /* where the files are made, below the directory */
  struct text data, script, log; /* paths there */
};

static void put_path(struct text *path, const char *directory, const char *name, const char *ending) {
  text_clear(path);
  text_print(path, "%s/%s.%s", directory, name, ending);
}

/* Does the picture exist, and is there anything in it?  `path` has room for its name. */
static bool is_there(const struct job *job, const char *name, const char *ending, struct text *path) {
  put_path(path, job->scratch, name, ending);
  struct stat there;
  return !stat(text_string(path), &there) && there.st_size > 0;
}

/* Gives a file that is whole its place. */
static bool move(const struct job *job, const char *name, const char *ending, complaint *why) {
  struct text from = {0}, to = {0};
  put_path(&from, job->scratch, name, ending);
  put_path(&to, job->directory, name, ending);
  bool good = true;
  if (from.failed || to.failed) good = complain(why, "", "out of memory");
  else if (rename(text_string(&from), text_string(&to)))
    good = complain(why, text_string(&to), "cannot be written: %s", strerror(errno));
  text_free(&from);
  text_free(&to);
  return good;
}

static bool execute(struct job *job, const char *name, complaint *why) {
  const char *script = strrchr(text_string(&job->script), '/') + 1, *log = strrchr(text_string(&job->log), '/') + 1;
  int status = plotter_run(job->program, job->scratch, script, log);
  int error = errno;
  if (!status && is_there(job, name, "svg", &job->data) && is_there(job, name, "png", &job->data)) return true;
  if (status == -1) return complain(why, job->program, "cannot be started: %s", strerror(error));
  if (status == -2) return complain(why, job->program, "was killed while it drew %s", name);
  char line[300];
  plotter_last_line(text_string(&job->log), line);
  complain(why, job->program, "could not draw %s (exit status %d)%s%s", name, status, *line ? ": " : "", line);
  return advise(why,
                "is there room in %.200s? and a gnuplot of version 5 with the terminals svg and pngcairo is needed",
                job->directory);
}

/* In the scratch directory first, so that a figure is there whole or not at all, and an old one stays until then. */
static bool draw_one(struct job *job, const struct plot *plot, const char *heading, complaint *why) {
  static const char *const endings[] = {"svg", "png", "dat", "gp", "log"};
  const char *name = text_string(&plot->name);
  put_path(&job->data, job->scratch, name, "dat");
  put_path(&job->script, job->scratch, name, "gp");
  put_path(&job->log, job->scratch, name, "log");
  if (job->data.failed || job->script.failed || job->log.failed) return complain(why, "", "out of memory");
  struct text text = {0};
  gnuplot_data(plot, &text);
  bool good = plotter_write(text_string(&job->data), &text, job->directory, why);
  text_clear(&text);
  gnuplot_script(plot, heading, &text);
  good = good && plotter_write(text_string(&job->script), &text, job->directory, why);
  text_free(&text);
  if (good && job->program)
    good = execute(job, name, why) && move(job, name, "svg", why) && move(job, name, "png", why);
  if (good && job->keep) good = move(job, name, "dat", why) && move(job, name, "gp", why);
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    put_path(&job->log, job->scratch, name, endings[i]); /* no longer than the path of the data: it cannot fail */
    remove(text_string(&job->log));
  }
  return good;
}

static bool make_scratch(struct job *job, complaint *why) {
  struct text path = {0};
  text_print(&path, "%s/.glimpse-XXXXXX", job->directory);
  if (path.failed) {
    text_free(&path);
    return complain(why, "", "out of memory");
  }
  job->scratch = path.data;
  if (mkdtemp(job->scratch)) return true;
  complain(why, job->directory, "cannot be written: %s", strerror(errno));
  free(job->scratch);
  job->scratch = NULL;
  return false;
}

bool gnuplot_draw(const struct plots *plots, const struct tables *tables, const char *directory, bool keep,
                  bool (*shown)(const char *name), bool *drawn, complaint *why) {
  struct text program = {0};
  bool found = plotter_find(&program), good = true;
  *drawn = found;
  if (program.failed) {
    good = complain(why, "", "out of memory");
  } else if (!found && !keep) {
    complain(why, "", "there is no program 'gnuplot' in PATH, which draws the plots");
    good = advise(why, "install it (Debian: gnuplot-nox), or write its data and scripts with '--keep-data'");
  }
  struct job job = {.directory = directory, .program = found ? text_string(&program) : NULL, .keep = keep};
  good = good && make_scratch(&job, why);
  for (size_t i = 0; good && i < plots->count; i++) {
    const struct plot *plot = &plots->plots[i];
    const struct results_experiment *experiment = tables->sections[plot->section].experiment;
    if (shown && !shown(text_string(&plot->name))) {
      good = complain(why, "", "interrupted");
      break;
    }
    good = draw_one(&job, plot, *experiment->title ? experiment->title : experiment->name, why);
  }
  if (job.scratch) rmdir(job.scratch);
  free(job.scratch);
  text_free(&job.data);
  text_free(&job.script);
  text_free(&job.log);
  text_free(&program);
  return good;
}
