/* Beside: for each environment and price on which other authors have published figures, what is the best possible,
 * what our planners earn, and what theirs do.
 *
 * Rows of published_rows.h with the same environment and price follow each other; they are a group.  A group has our
 * settings that it is of.  They may be several maps, where the published figure is a mean over maps: then their
 * episodes are taken together, and the mean of their bounds bounds the mean of their values.  Discounts are kept
 * apart.  The best possible lies between the largest lower and the smallest upper bound that any planner proved at the
 * start; both are means over the episodes, each a bound.  Settings in which a request is decided together with an
 * action (timing=joint) are a group of their own, beside the same rows. */
#include "experiment/beside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMN(name, title, what, behind) .key = (name), .head = (title), .kind = (what), .digits = (behind)

static const struct sheet_column columns[] = {
    {COLUMN("experiment", NULL, COLUMN_TEXT, 0)},
    {COLUMN("environment", "environment", COLUMN_TEXT, 0)},
    {COLUMN("cost", "cost", COLUMN_TEXT, 0), .lift = true},
    {COLUMN("algorithm", "algorithm", COLUMN_TEXT, 0)},
    {COLUMN("discount", "discount", COLUMN_TEXT, 0), .lift = true},
    {COLUMN("budget", "budget", COLUMN_TEXT, 0), .lift = true},
    {COLUMN("episodes", "episodes", COLUMN_TEXT, 0)},
    {COLUMN("return", "discounted ±", COLUMN_MEAN, 3), .no_spread = true},
    {COLUMN("return_undiscounted", "undiscounted ±", COLUMN_MEAN, 3), .no_spread = true},
    {COLUMN("requests", "requests", COLUMN_NUMBER, 2)},
    {COLUMN("steps", "steps", COLUMN_NUMBER, 1)},
    {COLUMN("lower", "at least", COLUMN_NUMBER, 4)},
    {COLUMN("upper", "at most", COLUMN_NUMBER, 4)},
    {COLUMN("source", "source", COLUMN_TEXT, 0)},
    {COLUMN("file", NULL, COLUMN_TEXT, 0)},
};

/* What is looked at. */
struct view {
  struct sheet *sheet;
  const struct results *results;
  const struct results_experiment *experiment;
  const struct summary *summaries;
  const struct variety *variety;
  const struct published_row *row; /* the first of the group */
  bool joint;                      /* the timing of its members ... */
  double cost;                     /* ... and their price */
  bool *done;                      /* parts whose planner was shown in this group */
  const struct results_setting **members;
  struct text name, other;
  bool used[PUBLISHED_SOURCES];
};

static const struct results_setting *setting_at(const struct view *view, size_t i) {
  return &view->results->settings[view->experiment->parts[i].setting];
}

static bool is_member(const struct view *view, size_t i) {
  const struct results_setting *setting = setting_at(view, i);
  return published_joint(setting->environment) == view->joint &&
         published_of(view->row, setting->environment, setting->cost);
}

static bool same(double a, double b) {
  return !(a < b) && !(a > b);
}

static void put_number_text(struct view *view, double value) {
  text_clear(&view->other);
  if (!isnan(value)) text_number(&view->other, value);
  sheet_text(view->sheet, text_string(&view->other));
}

static void put_keys(struct view *view, const char *algorithm, double discount, const char *budget) {
  sheet_text(view->sheet, view->experiment->name);
  text_clear(&view->other);
  text_put(&view->other, view->row->environment);
  if (view->joint) text_put(&view->other, strchr(view->row->environment, ':') ? ",timing=joint" : ":timing=joint");
  sheet_text(view->sheet, text_string(&view->other));
  put_number_text(view, view->cost);
  sheet_text(view->sheet, algorithm);
  put_number_text(view, discount);
  sheet_text(view->sheet, budget);
}

/* ----------------------------------------------------------------- best possible */

/* Members have the same price. */
static bool same_world(const struct results_setting *a, const struct results_setting *b) {
  return same(a->discount, b->discount) && published_same(a->environment, b->environment);
}

/* Of all members with this environment and discount. */
static void bracket_one(const struct view *view, size_t first, double *lower, double *upper) {
  const struct results_setting *wanted = setting_at(view, first);
  *lower = -INFINITY;
  *upper = INFINITY;
  for (size_t i = first; i < view->experiment->count; i++) {
    const struct results_setting *setting = setting_at(view, i);
    const struct summary *summary = &view->summaries[i];
    if (!same_world(setting, wanted)) continue;
    if (!is_member(view, i) || isnan(summary->lower.mean)) continue;
    *lower = fmax(*lower, summary->lower.mean);
    *upper = fmin(*upper, summary->upper.mean);
  }
}

static bool seen_before(const struct view *view, size_t i) {
  for (size_t k = 0; k < i; k++)
    if (is_member(view, k) && same_world(setting_at(view, k), setting_at(view, i))) return true;
  return false;
}

static void put_best(struct view *view, double discount) {
  double lower = 0, upper = 0;
  unsigned worlds = 0;
  for (size_t i = 0; i < view->experiment->count; i++) {
    if (!is_member(view, i) || !same(setting_at(view, i)->discount, discount) || seen_before(view, i)) continue;
    double least, most;
    bracket_one(view, i, &least, &most);
    lower += least;
    upper += most;
    worlds++;
  }
  if (!isfinite(lower) || !isfinite(upper)) return; /* nobody has bounds */
  put_keys(view, "best possible", discount, NULL);
  for (int i = 0; i < 5; i++) sheet_skip(view->sheet);
  sheet_number(view->sheet, lower / worlds);
  sheet_number(view->sheet, upper / worlds);
  sheet_text(view->sheet, worlds > 1 ? "proved, mean of the maps" : "proved");
  sheet_skip(view->sheet);
}

/* -------------------------------------------------------------------------- ours */

/* The planner and its budget, by which settings belong together. */
static void name_of(const struct view *view, size_t i, struct text *name, struct text *budget) {
  text_clear(name);
  text_clear(budget);
  variety_name(view->variety, setting_at(view, i), name);
  if (summary_searches(setting_at(view, i))) budget_name(setting_at(view, i), budget);
}

static bool put_ours(struct view *view, size_t first) {
  double discount = setting_at(view, first)->discount;
  struct text budget = {0}, name = {0}, other = {0};
  size_t count = 0;
  name_of(view, first, &view->name, &budget);
  for (size_t i = first; i < view->experiment->count; i++) {
    if (view->done[i] || !is_member(view, i) || !same(setting_at(view, i)->discount, discount)) continue;
    name_of(view, i, &name, &other);
    if (strcmp(text_string(&name), text_string(&view->name)) != 0 ||
        strcmp(text_string(&other), text_string(&budget)) != 0)
      continue;
    view->done[i] = true;
    view->members[count++] = setting_at(view, i);
  }
  struct summary summary;
  bool good = summary_pool(&summary, view->members, count);
  if (good) {
    put_keys(view, text_string(&view->name), discount, text_string(&budget));
    put_number_text(view, (double)summary.episodes);
    sheet_mean(view->sheet, summary.total);
    sheet_mean(view->sheet, summary.undiscounted);
    sheet_number(view->sheet, summary.requests.mean);
    sheet_number(view->sheet, summary.steps.mean);
    for (int i = 0; i < 4; i++) sheet_skip(view->sheet);
  }
  view->sheet->failed |= name.failed || other.failed || budget.failed;
  text_free(&budget);
  text_free(&name);
  text_free(&other);
  return good;
}

/* ------------------------------------------------------------------------ theirs */

static void put_theirs(struct view *view, const struct published_row *row) {
  glimpse_statistic total = {row->total.mean, row->total.se, NAN, NAN};
  view->used[row->source] = true;
  put_keys(view, row->algorithm, NAN, NULL);
  text_clear(&view->other);
  text_print(&view->other, "%s: %u", row->window, row->episodes);
  if (row->runs > 1) text_print(&view->other, " × %u runs", row->runs);
  sheet_text(view->sheet, text_string(&view->other));
  if (!published_source_discounted(row->source)) sheet_skip(view->sheet);
  sheet_mean(view->sheet, total);
  if (published_source_discounted(row->source)) sheet_skip(view->sheet);
  sheet_number(view->sheet, row->requests);
  sheet_number(view->sheet, row->steps);
  sheet_skip(view->sheet);
  sheet_skip(view->sheet);
  sheet_text(view->sheet, published_source_name(row->source));
  sheet_text(view->sheet, row->file);
}

/* ------------------------------------------------------------------------- whole */

static bool same_group(const struct published_row *a, const struct published_row *b) {
  return a && b && b->file && same(a->cost, b->cost) && !strcmp(a->environment, b->environment);
}

/* Did an earlier member have the same discount, so that the best possible stands above? */
static bool discount_before(const struct view *view, size_t i) {
  for (size_t k = 0; k < i; k++)
    if (is_member(view, k) && same(setting_at(view, k)->discount, setting_at(view, i)->discount)) return true;
  return false;
}

static bool put_group(struct view *view, size_t first) {
  size_t parts = view->experiment->count, members = 0;
  for (size_t i = 0; i < parts; i++) {
    view->done[i] = false;
    if (is_member(view, i) && !members++) view->cost = view->joint ? setting_at(view, i)->cost : view->row->cost;
  }
  for (size_t i = 0; members && i < parts; i++) {
    if (!is_member(view, i) || view->done[i]) continue;
    if (!discount_before(view, i)) put_best(view, setting_at(view, i)->discount);
    if (!put_ours(view, i)) return false;
  }
  for (size_t i = first; members && same_group(view->row, published_get(i)); i++) put_theirs(view, published_get(i));
  return true;
}

static void put_note(struct sheet *sheet, const bool *used) {
  text_put(&sheet->note,
           "± of ours is the standard error, of published figures the standard deviation over runs. Published:");
  for (int s = 0; s < PUBLISHED_SOURCES; s++) {
    enum published_source source = (enum published_source)s;
    if (used[s])
      text_print(&sheet->note, " %s (%s), %s;", published_source_name(source), published_source_place(source),
                 published_source_returns(source));
  }
  text_put(&sheet->note, " docs/SETTINGS.md has the definitions.");
}

bool beside_any(const struct sheet *sheet) {
  return sheet->count > 0;
}

bool beside_build(struct sheet *sheet, const struct results *results, const struct results_experiment *experiment,
                  const struct summary *summaries, const struct variety *variety) {
  *sheet = sheet_begin(columns, sizeof columns / sizeof *columns);
  text_put(&sheet->title, "Beside published figures");
  struct view view = {.sheet = sheet,
                      .results = results,
                      .experiment = experiment,
                      .summaries = summaries,
                      .variety = variety,
                      .done = calloc(experiment->count + 1, sizeof(bool)),
                      .members = calloc(experiment->count + 1, sizeof(struct results_setting *))};
  bool good = view.done && view.members;
  const struct published_row *row, *before = NULL;
  for (size_t i = 0; good && (row = published_get(i)); before = row, i++) {
    if (!row->file || same_group(before, row)) continue;
    view.row = row;
    for (int timing = 0; timing < 2 && good; timing++) {
      view.joint = timing;
      good = put_group(&view, i);
    }
  }
  if (good && beside_any(sheet)) put_note(sheet, view.used);
  good = good && !sheet->failed && !view.name.failed && !view.other.failed;
  text_free(&view.name);
  text_free(&view.other);
  free(view.done);
  free(view.members);
  return good;
}
