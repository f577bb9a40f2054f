/* Plot: makes figures of the sections of a report.
 *
 * A figure shows one quantity of one experiment, with a panel for each world (environment, and cost or budget where
 * they are not the x axis) and a curve for each planner.  The x axis is what the experiment runs over; when that
 * has a single value, the worlds themselves stand along the axis of a panel for each kind of environment.  A point is a
 * mean with its 95 % interval.  A figure without a point is left out. */
#include "experiment/plot.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum axis { AXIS_BUDGET, AXIS_COST, AXIS_PARAMETER, AXIS_WORLD };

/* What can be drawn: id, y label, word in the name of the file, title, the most it can be where it cannot be negative
 * (NaN: it can, infinity: anything), drawn over: budget, cost, parameter, world */
#define METRIC_TABLE(X)                                                                                                \
  X(total, "discounted return", "return", "Return", NAN, true, true, true, true)                                       \
  X(requests, "requests per episode", "requests", "Requests", INFINITY, false, true, true, true)                       \
  X(error_reduction, "error reduction, %", "er", "Error reduction", 100, true, false, true, true)                      \
  X(rate, "expansions per second", "rate", "Expansions per second", INFINITY, true, false, true, true)

struct metric {
  const char *label, *word, *title;
  double most;
  bool over[4]; /* by axis */
  glimpse_statistic (*get)(const struct summary *summary);
};

#define X(field, label, word, title, most, budget, cost, parameter, world)                                             \
  static glimpse_statistic get_##field(const struct summary *summary) {                                                \
    return summary->field;                                                                                             \
  }
METRIC_TABLE(X)
#undef X

static const struct metric metrics[] = {
#define X(field, label, word, title, most, budget, cost, parameter, world)                                             \
  {label, word, title, most, {budget, cost, parameter, world}, get_##field},
    METRIC_TABLE(X)
#undef X
};

enum { METRICS = sizeof metrics / sizeof *metrics };

/* -------------------------------------------------------------------- arrays */

/* One more zero entry of an array that doubles at powers of two; NULL: no memory. */
static void *grow(struct plots *plots, void **array, size_t *count, size_t size) {
  if ((*count & (*count - 1)) == 0) {
    size_t wanted = *count ? 2 * *count : 1;
    void *moved = wanted <= SIZE_MAX / size ? realloc(*array, wanted * size) : NULL;
    if (!moved) {
      plots->failed = true;
      return NULL;
    }
    *array = moved;
  }
  char *entry = (char *)*array + *count * size;
  memset(entry, 0, size);
  ++*count;
  return entry;
}

#define GROW(plots, entry, array, count)                                                                               \
  do {                                                                                                                 \
    void *grown = (array);                                                                                             \
    (entry) = grow((plots), &grown, &(count), sizeof *(array));                                                        \
    (array) = grown;                                                                                                   \
  } while (0)

/* The place of a text in a list, at whose end it is put if it is new. */
static size_t intern(struct plots *plots, struct text **list, size_t *count, const struct text *wanted) {
  for (size_t i = 0; i < *count; i++)
    if (!strcmp(text_string(&(*list)[i]), text_string(wanted))) return i;
  struct text *entry;
  GROW(plots, entry, *list, *count);
  if (!entry) return SIZE_MAX;
  text_put(entry, text_string(wanted));
  plots->failed |= entry->failed || wanted->failed;
  return *count - 1;
}

static void add_point(struct plots *plots, struct plot_series *series, struct plot_point point) {
  struct plot_point *entry;
  GROW(plots, entry, series->points, series->count);
  if (entry) *entry = point;
}

/* The curve of a style in a panel, made when it is new. */
static struct plot_series *get_series(struct plots *plots, struct plot_panel *panel, size_t style, bool paper,
                                      bool dashed) {
  for (size_t i = 0; i < panel->count; i++) {
    struct plot_series *series = &panel->series[i];
    if (series->style == style && series->paper == paper && series->dashed == dashed) return series;
  }
  struct plot_series *series;
  GROW(plots, series, panel->series, panel->count);
  if (series) *series = (struct plot_series){.style = style, .paper = paper, .dashed = dashed};
  return series;
}

static struct plot_panel *get_panel(struct plots *plots, struct plot *plot, const struct text *title) {
  for (size_t i = 0; i < plot->count; i++)
    if (!strcmp(text_string(&plot->panels[i].title), text_string(title))) return &plot->panels[i];
  struct plot_panel *panel;
  GROW(plots, panel, plot->panels, plot->count);
  if (!panel) return NULL;
  panel->x_label = "";
  text_put(&panel->title, text_string(title));
  plots->failed |= panel->title.failed;
  return panel;
}

/* ---------------------------------------------------------------------- axes */

struct view {
  const struct tables_section *section;
  const struct results *results;
  enum axis axis;
  const char *parameter; /* of AXIS_PARAMETER */
  bool costs, budgets;   /* differ between settings of the same environment */
};

static const struct results_setting *setting_at(const struct view *view, size_t i) {
  return &view->results->settings[view->section->experiment->parts[i].setting];
}

static double seconds_at(const struct view *view, size_t i) {
  return view->section->experiment->parts[i].paper_seconds;
}

/* The budget as a number on an axis, and its unit. */
static double budget_at(const struct view *view, size_t i, const char **label) {
  const struct results_setting *setting = setting_at(view, i);
  if (setting->timed) *label = "time per decision, s";
  else if (!isnan(seconds_at(view, i))) *label = "time per step in the paper, s";
  else *label = "expansions per decision";
  return setting->timed || isnan(seconds_at(view, i)) ? setting->budget : seconds_at(view, i);
}

/* Is the budget shown as a time? */
static bool is_time(const struct view *view) {
  const char *label = "";
  for (size_t i = 0; i < view->section->experiment->count; i++) {
    budget_at(view, i, &label);
    if (strncmp(label, "time", 4) != 0) return false;
  }
  return true;
}

static double x_at(const struct view *view, size_t i, const char **label) {
  const struct results_setting *setting = setting_at(view, i);
  double value = NAN;
  switch (view->axis) {
    case AXIS_BUDGET: return budget_at(view, i, label);
    case AXIS_COST: *label = "cost of a request"; return setting->cost;
    case AXIS_PARAMETER:
      *label = view->parameter;
      return published_parameter(setting->environment, view->parameter, &value) ? value : NAN;
    default: *label = ""; return NAN;
  }
}

/* The name of an environment without one parameter. */
static void put_world(struct text *text, const char *environment, const char *without) {
  size_t length = strcspn(environment, ":"), skip = without ? strlen(without) : 0;
  text_add(text, environment, length);
  const char *at = environment + length, *separator = ":";
  while (*at) {
    at++;
    length = strcspn(at, ",");
    if (!(without && length > skip && at[skip] == '=' && !strncmp(at, without, skip))) {
      text_put(text, separator);
      text_add(text, at, length);
      separator = ",";
    }
    at += length;
  }
}

/* Environments of one kind have values that can be compared. */
static void put_family(struct text *text, const char *environment) {
  text_add(text, environment, strcspn(environment, ":"));
}

/* What is the same for all points of a panel. */
static void put_panel(const struct view *view, size_t i, struct text *text) {
  const struct results_setting *setting = setting_at(view, i);
  put_world(text, setting->environment, view->axis == AXIS_PARAMETER ? view->parameter : NULL);
  if (view->costs && view->axis != AXIS_COST && !isnan(setting->cost)) {
    text_put(text, ", cost ");
    text_number(text, setting->cost);
  }
  const char *label;
  double budget = budget_at(view, i, &label);
  if (view->budgets && view->axis != AXIS_BUDGET) {
    text_put(text, ", ");
    text_number(text, budget);
    text_put(text, setting->timed || !isnan(seconds_at(view, i)) ? " s" : " expansions");
  }
}

static bool differ(double a, double b) {
  return a < b || a > b || isnan(a) != isnan(b);
}

/* Are there two settings of one environment that differ in cost, in budget? */
static void find_differences(struct view *view) {
  size_t count = view->section->experiment->count;
  const char *label;
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < i; k++) {
      const struct results_setting *a = setting_at(view, i), *b = setting_at(view, k);
      if (strcmp(a->environment, b->environment) != 0) continue;
      view->costs |= differ(a->cost, b->cost);
      view->budgets |= differ(budget_at(view, i, &label), budget_at(view, k, &label));
    }
}

/* Does the axis have two values? */
static bool has_width(const struct view *view) {
  double first = NAN;
  const char *label;
  for (size_t i = 0; i < view->section->experiment->count; i++) {
    double x = x_at(view, i, &label);
    if (isnan(x)) continue;
    if (isnan(first)) first = x;
    else if (differ(first, x)) return true;
  }
  return false;
}

static struct view choose_view(const struct tables *tables, size_t i) {
  struct view view = {.section = &tables->sections[i], .results = tables->results};
  const char *axis = view.section->experiment->axis;
  find_differences(&view);
  if (!strcmp(axis, "cost")) view.axis = AXIS_COST;
  else if (*axis && strcmp(axis, "budget") != 0) {
    view.axis = AXIS_PARAMETER;
    view.parameter = axis;
  } else view.axis = !*axis && view.costs && !view.budgets ? AXIS_COST : AXIS_BUDGET;
  if (!has_width(&view)) view.axis = AXIS_WORLD;
  return view;
}

/* ------------------------------------------------------------------- figures */

/* Styles go to planners in the order of the library's table, whatever the order of the settings, so that a planner
 * looks the same in all figures. */
static void intern_names(struct plots *plots, struct plot *plot, const struct view *view, const struct metric *metric) {
  struct text name = {0};
  for (int kind = 0; kind < GLIMPSE_PLANNER_KINDS; kind++)
    for (size_t i = 0; i < view->section->experiment->count && !plots->failed; i++) {
      const struct results_setting *setting = setting_at(view, i);
      if (strcmp(setting->planner, glimpse_planner_key((glimpse_planner_kind)kind)) != 0) continue;
      if (metric ? isnan(metric->get(&view->section->summaries[i]).mean) : !setting->points) continue;
      text_clear(&name);
      variety_name(&view->section->variety, setting, &name);
      intern(plots, &plot->names, &plot->name_count, &name);
    }
  text_free(&name);
}

static void add_means(struct plots *plots, struct plot *plot, const struct view *view, const struct metric *metric) {
  struct text scratch = {0};
  for (size_t i = 0; i < view->section->experiment->count && !plots->failed; i++) {
    const struct summary *summary = &view->section->summaries[i];
    glimpse_statistic value = metric->get(summary);
    const char *label;
    double x = x_at(view, i, &label);
    bool world = view->axis == AXIS_WORLD;
    if (isnan(value.mean) || (!world && isnan(x))) continue;
    text_clear(&scratch);
    variety_name(&view->section->variety, setting_at(view, i), &scratch);
    size_t style = intern(plots, &plot->names, &plot->name_count, &scratch);
    text_clear(&scratch);
    if (!world) put_panel(view, i, &scratch);
    else put_family(&scratch, setting_at(view, i)->environment);
    struct plot_panel *panel = get_panel(plots, plot, &scratch);
    if (!panel) break;
    if (world) {
      text_clear(&scratch);
      put_panel(view, i, &scratch);
      x = (double)intern(plots, &panel->ticks, &panel->tick_count, &scratch) + 1;
    }
    panel->x_label = label;
    struct plot_series *series = get_series(plots, panel, style, false, false);
    bool alone = isnan(value.se);
    if (series)
      add_point(plots, series,
                (struct plot_point){x, value.mean, alone ? value.mean : value.low, alone ? value.mean : value.high});
    const struct published_figure *figure = NULL;
    if (summary->paper && metric->get == get_total) figure = &summary->paper->total;
    if (summary->paper && metric->get == get_error_reduction) figure = &summary->paper->error_reduction;
    if (!figure || isnan(figure->mean)) continue;
    series = get_series(plots, panel, style, true, false);
    if (series) add_point(plots, series, (struct plot_point){x, figure->mean, figure->mean, figure->mean});
    plot->paper = true;
  }
  plots->failed |= scratch.failed;
  text_free(&scratch);
}

/* A name that goes into the name of a file. */
static void put_file_name(struct text *text, const char *name) {
  bool gap = false;
  for (; *name; name++) {
    bool plain = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') || (*name >= '0' && *name <= '9');
    if (plain && gap) text_put(text, "-");
    if (plain) text_add(text, name, 1);
    gap = !plain && text->length;
  }
}

/* A new figure; NULL: no memory. */
static struct plot *begin_plot(struct plots *plots, const struct tables *tables, size_t section, const char *word,
                               const char *title, const char *over) {
  struct plot *plot;
  GROW(plots, plot, plots->plots, plots->count);
  if (!plot) return NULL;
  const struct results_experiment *experiment = tables->sections[section].experiment;
  plot->section = section;
  plot->subtitle = "";
  put_file_name(&plot->name, experiment->name);
  /* Experiments whose names differ in other characters alone. */
  for (size_t i = 0; i < section; i++) {
    struct text other = {0};
    put_file_name(&other, tables->sections[i].experiment->name);
    bool same = !strcmp(text_string(&other), text_string(&plot->name));
    plots->failed |= other.failed;
    text_free(&other);
    if (!same) continue;
    text_print(&plot->name, "-%zu", section + 1);
    break;
  }
  text_print(&plot->name, "%s%s", plot->name.length ? "-" : "", word);
  text_print(&plot->title, "%s%s", title, over);
  plots->failed |= plot->name.failed || plot->title.failed;
  return plot;
}

static void free_plot(struct plot *plot);

/* Takes the last figure away if there is nothing in it. */
static void end_plot(struct plots *plots) {
  struct plot *plot = &plots->plots[plots->count - 1];
  if (plot->count) return;
  free_plot(plot);
  plots->count--;
}

static int by_x(const void *a, const void *b) {
  const struct plot_point *one = a, *two = b;
  return (one->x > two->x) - (one->x < two->x);
}

/* Points from left to right; a logarithmic axis where values spread over more than a factor. */
static void settle_panel(struct plot_panel *panel, bool log_y) {
  double low = INFINITY, high = 0, bottom = INFINITY, top = 0;
  for (size_t i = 0; i < panel->count; i++) {
    struct plot_series *series = &panel->series[i];
    if (series->count) qsort(series->points, series->count, sizeof *series->points, by_x);
    for (size_t k = 0; k < series->count; k++) {
      low = fmin(low, series->points[k].x);
      high = fmax(high, series->points[k].x);
      bottom = fmin(bottom, series->points[k].low);
      top = fmax(top, series->points[k].high);
    }
  }
  panel->log_x = !panel->ticks && low > 0 && high >= 8 * low;
  panel->log_y = log_y && bottom > 0 && top >= 10 * bottom;
}

static void add_metric(struct plots *plots, const struct tables *tables, size_t section, const struct view *view,
                       const struct metric *metric) {
  static const char *const words[] = {"", "-cost", "", ""};
  static const char *const over[] = {" over time per step", " over the cost of a request", "", " by environment"};
  struct text word = {0};
  text_print(&word, "%s%s", metric->word, words[view->axis]);
  struct text title = {0};
  if (view->axis == AXIS_PARAMETER) text_print(&title, " over %s", view->parameter);
  else
    text_put(&title, view->axis == AXIS_BUDGET && !is_time(view) ? " over expansions per decision" : over[view->axis]);
  struct plot *plot = begin_plot(plots, tables, section, text_string(&word), metric->title, text_string(&title));
  plots->failed |= word.failed || title.failed;
  text_free(&word);
  text_free(&title);
  if (!plot || plots->failed) return;
  plot->y_label = metric->label;
  plot->lines = view->axis != AXIS_WORLD;
  plot->from_zero = !isnan(metric->most);
  plot->most = metric->most;
  plot->whole = metric->get == get_rate;
  intern_names(plots, plot, view, metric);
  add_means(plots, plot, view, metric);
  for (size_t i = 0; i < plot->count; i++) settle_panel(&plot->panels[i], metric->get == get_rate);
  end_plot(plots);
}

/* ------------------------------------------------------------- bounds at root */

/* Of several searches of a planner in a world, the longest. */
static bool has_longer(struct plots *plots, const struct view *view, size_t i) {
  const struct results_setting *one = setting_at(view, i);
  struct text mine = {0}, other = {0};
  bool found = false;
  variety_name(&view->section->variety, one, &mine);
  put_panel(view, i, &mine);
  for (size_t k = 0; k < view->section->experiment->count && !found; k++) {
    const struct results_setting *two = setting_at(view, k);
    if (k == i || !two->points) continue;
    text_clear(&other);
    variety_name(&view->section->variety, two, &other);
    put_panel(view, k, &other);
    if (strcmp(text_string(&mine), text_string(&other)) != 0) continue;
    double a = one->trace[one->points - 1].expansions, b = two->trace[two->points - 1].expansions;
    found = b > a || (!(b < a) && k < i);
  }
  plots->failed |= mine.failed || other.failed;
  text_free(&mine);
  text_free(&other);
  return found;
}

static void add_bounds(struct plots *plots, const struct tables *tables, size_t section, const struct view *view) {
  struct plot *plot = begin_plot(plots, tables, section, "bounds", "Bounds of the start belief over expansions", "");
  if (!plot || plots->failed) return;
  plot->y_label = "value of the start belief";
  plot->subtitle = "solid: upper bound, dashed: lower bound";
  plot->bounds = plot->lines = true;
  intern_names(plots, plot, view, NULL);
  struct text scratch = {0};
  for (size_t i = 0; i < view->section->experiment->count && !plots->failed; i++) {
    const struct results_setting *setting = setting_at(view, i);
    if (!setting->points || has_longer(plots, view, i)) continue;
    text_clear(&scratch);
    variety_name(&view->section->variety, setting, &scratch);
    size_t style = intern(plots, &plot->names, &plot->name_count, &scratch);
    text_clear(&scratch);
    put_panel(view, i, &scratch);
    struct plot_panel *panel = get_panel(plots, plot, &scratch);
    if (!panel) break;
    panel->x_label = "expansions";
    for (int lower = 0; lower < 2; lower++) {
      struct plot_series *series = get_series(plots, panel, style, false, lower);
      for (size_t k = 0; series && k < setting->points; k++) {
        const struct results_point *point = &setting->trace[k];
        double y = lower ? point->lower : point->upper, x = fmax(point->expansions, 1); /* for a logarithm */
        if (isfinite(y) && isfinite(x)) add_point(plots, series, (struct plot_point){x, y, y, y});
      }
    }
  }
  plots->failed |= scratch.failed;
  text_free(&scratch);
  for (size_t i = 0; i < plot->count; i++) settle_panel(&plot->panels[i], false);
  end_plot(plots);
}

bool plots_build(struct plots *plots, const struct tables *tables) {
  *plots = (struct plots){0};
  for (size_t i = 0; i < tables->count && !plots->failed; i++) {
    struct view view = choose_view(tables, i);
    for (size_t k = 0; k < METRICS && !plots->failed; k++)
      if (metrics[k].over[view.axis]) add_metric(plots, tables, i, &view, &metrics[k]);
    /* A search from the start is the same for all budgets, and for nothing else. */
    view.axis = AXIS_BUDGET;
    if (!plots->failed) add_bounds(plots, tables, i, &view);
  }
  return !plots->failed;
}

static void free_plot(struct plot *plot) {
  for (size_t i = 0; i < plot->count; i++) {
    struct plot_panel *panel = &plot->panels[i];
    for (size_t k = 0; k < panel->count; k++) free(panel->series[k].points);
    for (size_t k = 0; k < panel->tick_count; k++) text_free(&panel->ticks[k]);
    text_free(&panel->title);
    free(panel->series);
    free(panel->ticks);
  }
  for (size_t i = 0; i < plot->name_count; i++) text_free(&plot->names[i]);
  free(plot->names);
  free(plot->panels);
  text_free(&plot->name);
  text_free(&plot->title);
  *plot = (struct plot){0};
}

void plots_free(struct plots *plots) {
  for (size_t i = 0; i < plots->count; i++) free_plot(&plots->plots[i]);
  free(plots->plots);
  *plots = (struct plots){0};
}
