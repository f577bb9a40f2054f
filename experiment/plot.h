/* Plot: the figures of a report as numbers: which curves there are and where they go.  gnuplot.h draws them. */
#ifndef EXPERIMENT_PLOT_H
#define EXPERIMENT_PLOT_H

#include "experiment/tables.h"

struct plot_point {
  double x, y, low, high; /* low and high: of the error bar; those of y when there is none */
};

/* What one setting looks like in all panels of a figure: settings of the same name have the same style. */
struct plot_series {
  size_t style; /* among the names of the figure */
  bool paper;   /* the paper's figures: marks without a line */
  bool dashed;  /* the lower one of two lines */
  struct plot_point *points;
  size_t count;
};

struct plot_panel {
  struct text title;
  const char *x_label;
  bool log_x, log_y;
  struct text *ticks; /* the x axis has names: tick i is at i + 1; NULL: numbers */
  size_t tick_count;
  struct plot_series *series;
  size_t count;
};

struct plot {
  struct text name;  /* of its files, without the ending */
  struct text title; /* for the page */
  const char *y_label;
  struct text *names; /* of the styles */
  size_t name_count;
  bool paper;           /* some marks are the paper's */
  bool bounds;          /* two lines for each name */
  bool lines;           /* points are joined */
  bool from_zero;       /* a quantity that cannot be negative: the axis begins at 0 ... */
  double most;          /* ... and ends here, unless this is infinite */
  bool whole;           /* the axis has whole numbers, however large */
  const char *subtitle; /* "" for none */
  struct plot_panel *panels;
  size_t count;
  size_t section; /* of the tables */
};

struct plots {
  struct plot *plots;
  size_t count;
  bool failed; /* no memory */
};

/* False: no memory.  plots_free is to be called in any case. */
bool plots_build(struct plots *plots, const struct tables *tables);
void plots_free(struct plots *plots);

#endif
