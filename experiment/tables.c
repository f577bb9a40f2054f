/* Tables: columns, and how a setting fills them.
 *
 * Readers get two tables per experiment, since one would be too wide: what the agent achieved, and what the
 * search did.  What is common to all rows of a table stands in front of it (see sheet.h).  CSV has one row per
 * setting with everything. */
#include "experiment/tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* gcc's analyser loses sight of memory whose owner lies in an array.  Leaks are looked for by the tests, which
 * let every allocation fail in turn. */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 10
#pragma GCC diagnostic ignored "-Wanalyzer-malloc-leak"
#endif

/* ------------------------------------------------------------------- columns */

#define COLUMN(name, title, what, behind) .key = (name), .head = (title), .kind = (what), .digits = (behind)
#define TEXT_COLUMN(key, head)                                                                                         \
  { COLUMN(key, head, COLUMN_TEXT, 0) }
#define KEY_COLUMN(key, head)                                                                                          \
  { COLUMN(key, head, COLUMN_TEXT, 0), .lift = true }
#define STRICT_COLUMN(key, head)                                                                                       \
  { COLUMN(key, head, COLUMN_TEXT, 0), .lift = true, .strict = true }
#define NUMBER_COLUMN(key, head, digits)                                                                               \
  { COLUMN(key, head, COLUMN_NUMBER, digits) }
#define COMMON_COLUMN(key, head, digits)                                                                               \
  { COLUMN(key, head, COLUMN_NUMBER, digits), .lift = true }
#define MEAN_COLUMN(key, head, digits)                                                                                 \
  { COLUMN(key, head, COLUMN_MEAN, digits) }
#define SHORT_COLUMN(key, head, digits)                                                                                \
  { COLUMN(key, head, COLUMN_MEAN, digits), .no_spread = true }

/* In this order by put_keys. */
#define KEY_COLUMNS                                                                                                    \
  TEXT_COLUMN(NULL, "environment"), KEY_COLUMN(NULL, "cost"), TEXT_COLUMN(NULL, "planner"),                            \
      KEY_COLUMN(NULL, "upper bound"), KEY_COLUMN(NULL, "lower bound"), KEY_COLUMN(NULL, "improve"),                   \
      STRICT_COLUMN(NULL, "options"), KEY_COLUMN(NULL, "budget"), KEY_COLUMN(NULL, "paper's time")

static const struct sheet_column return_columns[] = {
    KEY_COLUMNS,
    TEXT_COLUMN(NULL, "episodes"),
    MEAN_COLUMN(NULL, "return ± s.e.", 3),
    SHORT_COLUMN(NULL, "paper", 2),
    TEXT_COLUMN(NULL, "ours"),
    SHORT_COLUMN(NULL, "undiscounted", 3),
    SHORT_COLUMN(NULL, "requests", 2),
    TEXT_COLUMN(NULL, "of them"),
    SHORT_COLUMN(NULL, "steps", 1),
    NUMBER_COLUMN(NULL, "cut off", 0),
};

static const struct sheet_column search_columns[] = {
    KEY_COLUMNS,
    SHORT_COLUMN(NULL, "expansions per step", 1),
    NUMBER_COLUMN(NULL, "paper", 0),
    MEAN_COLUMN(NULL, "ER, % ± s.e.", 1),
    SHORT_COLUMN(NULL, "paper", 1),
    TEXT_COLUMN(NULL, "ours"),
    NUMBER_COLUMN(NULL, "expansions per s", 0),
    NUMBER_COLUMN(NULL, "ms per step", 2),
    NUMBER_COLUMN(NULL, "lower at start", 3),
    NUMBER_COLUMN(NULL, "upper at start", 3),
};

static const struct sheet_column policy_columns[] = {
    KEY_COLUMNS,
    NUMBER_COLUMN(NULL, "lower", 4),
    NUMBER_COLUMN(NULL, "upper", 4),
    NUMBER_COLUMN(NULL, "gap, %", 2),
    TEXT_COLUMN(NULL, "proved"),
    MEAN_COLUMN(NULL, "return ± s.e.", 3),
    NUMBER_COLUMN(NULL, "nodes", 0),
    NUMBER_COLUMN(NULL, "expansions", 0),
    NUMBER_COLUMN(NULL, "processor s", 3),
};

static const struct sheet_column comparison_columns[] = {
    TEXT_COLUMN("experiment", NULL),        TEXT_COLUMN("environment", "environment"),
    COMMON_COLUMN("cost", "cost", 2),       KEY_COLUMN("time", "budget"),
    TEXT_COLUMN("planner", "planner"),      TEXT_COLUMN("against", "against"),
    NUMBER_COLUMN("pairs", "pairs", 0),     MEAN_COLUMN("difference", "difference ± s.e.", 3),
    TEXT_COLUMN("verdict", "the first is"),
};

static const struct sheet_column all_columns[] = {
    TEXT_COLUMN("experiment", NULL),
    TEXT_COLUMN("environment", NULL),
    NUMBER_COLUMN("cost", NULL, 0),
    NUMBER_COLUMN("discount", NULL, 0),
    TEXT_COLUMN("planner", NULL),
    TEXT_COLUMN("upper_bound", NULL),
    TEXT_COLUMN("lower_bound", NULL),
    TEXT_COLUMN("improve", NULL),
    TEXT_COLUMN("options", NULL),
    TEXT_COLUMN("budget_kind", NULL),
    NUMBER_COLUMN("budget", NULL, 0),
    NUMBER_COLUMN("max_steps", NULL, 0),
    NUMBER_COLUMN("episodes", NULL, 0),
    NUMBER_COLUMN("wanted", NULL, 0),
    NUMBER_COLUMN("cut_off", NULL, 0),
    MEAN_COLUMN("return", NULL, 0),
    MEAN_COLUMN("return_undiscounted", NULL, 0),
    MEAN_COLUMN("requests", NULL, 0),
    MEAN_COLUMN("steps", NULL, 0),
    MEAN_COLUMN("expansions", NULL, 0),
    MEAN_COLUMN("error_reduction", NULL, 0),
    MEAN_COLUMN("seconds_per_step", NULL, 0),
    MEAN_COLUMN("expansions_per_second", NULL, 0),
    MEAN_COLUMN("lower_at_start", NULL, 0),
    MEAN_COLUMN("upper_at_start", NULL, 0),
    NUMBER_COLUMN("load", NULL, 0),
    TEXT_COLUMN("paper_table", NULL),
    NUMBER_COLUMN("paper_seconds", NULL, 0),
    NUMBER_COLUMN("paper_return", NULL, 0),
    NUMBER_COLUMN("paper_return_se", NULL, 0),
    TEXT_COLUMN("return_verdict", NULL),
    NUMBER_COLUMN("paper_expansions", NULL, 0),
    NUMBER_COLUMN("paper_error_reduction", NULL, 0),
    NUMBER_COLUMN("paper_error_reduction_se", NULL, 0),
    TEXT_COLUMN("error_reduction_verdict", NULL),
    NUMBER_COLUMN("policy_lower", NULL, 0),
    NUMBER_COLUMN("policy_upper", NULL, 0),
    TEXT_COLUMN("policy_proved", NULL),
    NUMBER_COLUMN("policy_nodes", NULL, 0),
    NUMBER_COLUMN("policy_expansions", NULL, 0),
    NUMBER_COLUMN("policy_seconds", NULL, 0),
    TEXT_COLUMN("inquiries", NULL),
};

static const struct sheet_column run_columns[] = {
    TEXT_COLUMN("started", "started"),  TEXT_COLUMN("finished", "finished"),
    TEXT_COLUMN("outcome", "outcome"),  KEY_COLUMN("specification", "specification"),
    KEY_COLUMN("scale", "scale"),       KEY_COLUMN("version", "version"),
    KEY_COLUMN("cpu", "processor"),     COMMON_COLUMN("cores", "cores", 0),
    NUMBER_COLUMN("memory", NULL, 0),   NUMBER_COLUMN("workers", "workers", 0),
    NUMBER_COLUMN("ranks", "ranks", 0), KEY_COLUMN("system", "system"),
    KEY_COLUMN("compiler", "compiler"), TEXT_COLUMN("command", NULL),
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* --------------------------------------------------------------------- cells */

static void put_formed(struct sheet *sheet, struct text *scratch) {
  sheet_text(sheet, text_string(scratch));
  sheet->failed |= scratch->failed;
  text_clear(scratch);
}

static void put_keys(struct sheet *sheet, const struct results_setting *setting, double paper_seconds,
                     struct text *scratch) {
  sheet_text(sheet, setting->environment);
  text_number(scratch, setting->cost);
  put_formed(sheet, scratch);
  sheet_text(sheet, setting->planner);
  sheet_text(sheet, setting->upper);
  sheet_text(sheet, setting->lower);
  sheet_text(sheet, setting->improve);
  sheet_text(sheet, setting->options);
  budget_name(setting, scratch);
  put_formed(sheet, scratch);
  if (!setting->timed && !isnan(paper_seconds)) {
    text_number(scratch, paper_seconds);
    text_put(scratch, " s");
  }
  put_formed(sheet, scratch);
}

/* As printed. */
static void put_figure(struct sheet *sheet, const struct published_figure *figure) {
  if (figure) sheet_mean(sheet, (glimpse_statistic){figure->mean, figure->se, NAN, NAN});
  else sheet_skip(sheet);
}

static void put_verdict(struct sheet *sheet, const struct published_row *row, enum published_verdict verdict) {
  sheet_text(sheet, row && verdict != PUBLISHED_NO_FIGURE ? published_verdict_text(verdict) : NULL);
}

static void put_episodes(struct sheet *sheet, const struct summary *summary, struct text *scratch) {
  text_print(scratch, "%zu", summary->episodes);
  if (summary->episodes < summary->wanted) text_print(scratch, " of %zu", summary->wanted);
  put_formed(sheet, scratch);
}

/* How often each inquiry was asked on average: "camera 2.31, state 0.40", or "camera=2.31 state=0.4" for programs. */
static void put_asked(struct sheet *sheet, const struct results_setting *setting, bool brief, struct text *scratch) {
  for (size_t i = 0; i < setting->asked_count; i++) {
    const struct results_asked *asked = &setting->asked[i];
    double mean = asked->total / (double)asked->episodes;
    text_print(scratch, "%s%s%s", i == 0 ? "" : brief ? ", " : " ", asked->name, brief ? " " : "=");
    if (brief) text_print(scratch, "%.2f", mean);
    else text_number(scratch, mean);
  }
  put_formed(sheet, scratch);
}

static void put_setting(struct tables_section *section, const struct results_setting *setting, double paper_seconds,
                        const struct summary *summary, struct text *scratch) {
  const struct published_row *paper = summary->paper;
  struct sheet *sheet = &section->returns;
  put_keys(sheet, setting, paper_seconds, scratch);
  put_episodes(sheet, summary, scratch);
  sheet_mean(sheet, summary->total);
  put_figure(sheet, paper ? &paper->total : NULL);
  put_verdict(sheet, paper, summary->total_verdict);
  sheet_mean(sheet, summary->undiscounted);
  sheet_mean(sheet, summary->requests);
  put_asked(sheet, setting, true, scratch);
  sheet_mean(sheet, summary->steps);
  sheet_number(sheet, summary->cut ? (double)summary->cut : NAN);

  sheet = &section->search;
  put_keys(sheet, setting, paper_seconds, scratch);
  sheet_mean(sheet, summary->expansions);
  sheet_number(sheet, paper ? paper->expansions.mean : NAN);
  sheet_mean(sheet, summary->error_reduction);
  put_figure(sheet, paper ? &paper->error_reduction : NULL);
  put_verdict(sheet, paper, summary->reduction_verdict);
  sheet_number(sheet, summary->rate.mean);
  sheet_number(sheet, summary->seconds.mean * 1000);
  sheet_number(sheet, summary->lower.mean);
  sheet_number(sheet, summary->upper.mean);
}

static bool has_policy(const struct results_setting *setting) {
  return setting->policy.nodes > 0;
}

static const char *proved(const struct results_setting *setting) {
  return !has_policy(setting) ? NULL : setting->policy.verified ? "yes" : "no";
}

/* As `solve` reckons it: a share of the smaller of both sizes. */
static double relative_gap(const struct results_policy *policy) {
  double size = fmin(fabs(policy->lower), fabs(policy->upper));
  return size > 0 ? 100 * (policy->upper - policy->lower) / size : (double)NAN;
}

static void put_policy(struct tables_section *section, const struct results_setting *setting, double paper_seconds,
                       const struct summary *summary, struct text *scratch) {
  const struct results_policy *policy = &setting->policy;
  struct sheet *sheet = &section->policies;
  if (!has_policy(setting)) return;
  section->solved = true;
  put_keys(sheet, setting, paper_seconds, scratch);
  sheet_number(sheet, policy->lower);
  sheet_number(sheet, policy->upper);
  sheet_number(sheet, relative_gap(policy));
  sheet_text(sheet, proved(setting));
  sheet_mean(sheet, summary->total);
  sheet_number(sheet, policy->nodes);
  sheet_number(sheet, policy->expansions);
  sheet_number(sheet, policy->seconds);
}

/* The row in CSV. */
static void put_all(struct tables_section *section, const struct results_setting *setting,
                    const struct summary *summary, struct text *scratch) {
  const struct published_row *paper = summary->paper;
  struct sheet *sheet = &section->all;
  sheet_text(sheet, section->experiment->name);
  sheet_text(sheet, setting->environment);
  sheet_number(sheet, setting->cost);
  sheet_number(sheet, setting->discount);
  sheet_text(sheet, setting->planner);
  sheet_text(sheet, setting->upper);
  sheet_text(sheet, setting->lower);
  sheet_text(sheet, setting->improve);
  sheet_text(sheet, setting->options);
  sheet_text(sheet, setting->timed ? "seconds" : "expansions");
  sheet_number(sheet, setting->budget);
  sheet_number(sheet, (double)setting->max_steps);
  sheet_number(sheet, (double)summary->episodes);
  sheet_number(sheet, (double)summary->wanted);
  sheet_number(sheet, (double)summary->cut);
  sheet_mean(sheet, summary->total);
  sheet_mean(sheet, summary->undiscounted);
  sheet_mean(sheet, summary->requests);
  sheet_mean(sheet, summary->steps);
  sheet_mean(sheet, summary->expansions);
  sheet_mean(sheet, summary->error_reduction);
  sheet_mean(sheet, summary->seconds);
  sheet_mean(sheet, summary->rate);
  sheet_mean(sheet, summary->lower);
  sheet_mean(sheet, summary->upper);
  sheet_number(sheet, summary->load);
  sheet_text(sheet, paper ? published_source_name(paper->source) : NULL);
  sheet_number(sheet, paper ? paper->seconds : NAN);
  sheet_number(sheet, paper ? paper->total.mean : NAN);
  sheet_number(sheet, paper ? paper->total.se : NAN);
  put_verdict(sheet, paper, summary->total_verdict);
  sheet_number(sheet, paper ? paper->expansions.mean : NAN);
  sheet_number(sheet, paper ? paper->error_reduction.mean : NAN);
  sheet_number(sheet, paper ? paper->error_reduction.se : NAN);
  put_verdict(sheet, paper, summary->reduction_verdict);
  sheet_number(sheet, has_policy(setting) ? setting->policy.lower : NAN);
  sheet_number(sheet, has_policy(setting) ? setting->policy.upper : NAN);
  sheet_text(sheet, proved(setting));
  sheet_number(sheet, has_policy(setting) ? setting->policy.nodes : NAN);
  sheet_number(sheet, has_policy(setting) ? setting->policy.expansions : NAN);
  sheet_number(sheet, has_policy(setting) ? setting->policy.seconds : NAN);
  put_asked(sheet, setting, false, scratch);
}

/* The time that both had: of the paper where their budgets stand for it. */
static void put_time(struct sheet *sheet, const struct results_experiment *experiment, const struct results *results,
                     const struct comparison *comparison, struct text *scratch) {
  bool equal = comparison->a->timed == comparison->b->timed && !(comparison->a->budget < comparison->b->budget) &&
               !(comparison->a->budget > comparison->b->budget);
  if (equal) budget_name(comparison->a, scratch);
  for (size_t i = 0; !equal && i < experiment->count; i++)
    if (&results->settings[experiment->parts[i].setting] == comparison->a) {
      text_put(scratch, "paper's ");
      text_number(scratch, experiment->parts[i].paper_seconds);
      text_put(scratch, " s");
      break;
    }
  put_formed(sheet, scratch);
}

static void put_comparison(struct tables_section *section, const struct results *results,
                           const struct comparison *comparison, struct text *scratch) {
  struct sheet *sheet = &section->comparison;
  sheet_text(sheet, section->experiment->name);
  sheet_text(sheet, comparison->a->environment);
  sheet_number(sheet, comparison->a->cost);
  put_time(sheet, section->experiment, results, comparison, scratch);
  variety_name(&section->variety, comparison->a, scratch);
  put_formed(sheet, scratch);
  variety_name(&section->variety, comparison->b, scratch);
  put_formed(sheet, scratch);
  sheet_number(sheet, (double)comparison->pairs);
  sheet_mean(sheet, comparison->difference);
  sheet_text(sheet, compare_text(comparison));
}

/* ------------------------------------------------------------------ sections */

static void count_verdict(struct tables *tables, enum published_verdict verdict) {
  tables->agree += verdict == PUBLISHED_AGREES;
  tables->unsure += verdict == PUBLISHED_UNSURE;
  tables->higher += verdict == PUBLISHED_HIGHER;
  tables->lower += verdict == PUBLISHED_LOWER;
}

static void put_notes(struct tables_section *section, uint64_t stored, uint64_t wanted, uint64_t cut) {
  if (stored < wanted)
    text_print(&section->progress, "Not complete: %llu of %llu episodes.", (unsigned long long)stored,
               (unsigned long long)wanted);
  if (cut)
    text_put(&section->returns.note,
             "cut off: episodes that the limit of steps has ended; their returns count as they are.");
}

static bool build_section(struct tables *tables, struct tables_section *section,
                          const struct results_experiment *experiment, const char *against) {
  const struct results *results = tables->results;
  section->experiment = experiment;
  section->variety = variety_of(results, experiment);
  section->all = sheet_begin(all_columns, COUNT(all_columns));
  section->returns = sheet_begin(return_columns, COUNT(return_columns));
  section->search = sheet_begin(search_columns, COUNT(search_columns));
  section->policies = sheet_begin(policy_columns, COUNT(policy_columns));
  section->comparison = sheet_begin(comparison_columns, COUNT(comparison_columns));
  text_put(&section->returns.title, "Return");
  text_put(&section->search.title, "Search");
  text_put(&section->policies.title, "Policies, what they prove and what they took");
  text_put(&section->comparison.title, "The same episodes, return of the first minus return of the second");
  section->summaries = calloc(experiment->count + 1, sizeof *section->summaries);
  if (!section->summaries) return false;
  struct text scratch = {0};
  uint64_t stored = 0, wanted = 0, cut = 0;
  bool good = true;
  for (size_t i = 0; good && i < experiment->count; i++) {
    const struct results_part *part = &experiment->parts[i];
    const struct results_setting *setting = &results->settings[part->setting];
    struct summary *summary = &section->summaries[i];
    good = summary_of(summary, setting, part->paper_seconds);
    if (!good) break;
    put_setting(section, setting, part->paper_seconds, summary, &scratch);
    put_policy(section, setting, part->paper_seconds, summary, &scratch);
    put_all(section, setting, summary, &scratch);
    count_verdict(tables, summary->total_verdict);
    stored += summary->episodes < summary->wanted ? summary->episodes : summary->wanted;
    wanted += summary->wanted;
    cut += summary->cut;
  }
  put_notes(section, stored, wanted, cut);
  good = good && beside_build(&section->beside, results, experiment, section->summaries, &section->variety);
  bool no_memory = false;
  section->comparisons = compare_all(results, experiment, against, &section->comparison_count, &no_memory);
  for (size_t i = 0; i < section->comparison_count; i++)
    put_comparison(section, results, &section->comparisons[i], &scratch);
  good = good && !no_memory && !scratch.failed && !section->progress.failed && !section->all.failed &&
         !section->returns.failed && !section->search.failed && !section->policies.failed &&
         !section->comparison.failed;
  text_free(&scratch);
  return good;
}

static void put_runs(struct sheet *sheet, const struct results *results) {
  for (size_t i = 0; i < results->run_count; i++) {
    const struct results_run *run = &results->runs[i];
    sheet_text(sheet, run->started);
    sheet_text(sheet, run->finished);
    sheet_text(sheet, run->outcome);
    sheet_text(sheet, run->name);
    sheet_text(sheet, run->scale);
    sheet_text(sheet, run->version);
    sheet_text(sheet, run->cpu);
    sheet_number(sheet, run->cores);
    sheet_number(sheet, run->memory);
    sheet_number(sheet, run->workers);
    sheet_number(sheet, run->ranks);
    sheet_text(sheet, run->system);
    sheet_text(sheet, run->compiler);
    sheet_text(sheet, run->command);
  }
}

/* --------------------------------------------------------------------- lines */

static struct text *new_line(struct tables *tables) {
  return &tables->lines[tables->line_count++];
}

enum { LINES = 5 };

static void put_lines(struct tables *tables, const char *path) {
  uint64_t stored, wanted;
  results_progress(tables->results, &stored, &wanted);
  struct text *line = new_line(tables);
  text_print(line, "%s: %llu", path, (unsigned long long)stored);
  if (stored < wanted) text_print(line, " of %llu", (unsigned long long)wanted);
  text_print(line, " episode%s of %zu setting%s.", (stored < wanted ? wanted : stored) == 1 ? "" : "s",
             tables->results->setting_count, tables->results->setting_count == 1 ? "" : "s");
  if (stored < wanted) text_put(line, " The experiment is not complete; the figures are of the episodes there are.");
  text_put(new_line(tables),
           "Means are over episodes, ± is the standard error, intervals are 95 % intervals by Student's t. ER is the "
           "error reduction, the part of the gap between the offline bounds that the search closes, in percent, "
           "on average over the steps of an episode.");
  size_t compared = tables->agree + tables->unsure + tables->higher + tables->lower;
  if (!compared) return;
  line = new_line(tables);
  text_print(line,
             "Returns that the paper reports, too: %zu. Of ours %zu agree%s, %zu %s higher, %zu lower and %zu unsure.",
             compared, tables->agree, tables->agree == 1 ? "s" : "", tables->higher, tables->higher == 1 ? "is" : "are",
             tables->lower, tables->unsure);
  text_put(line,
           " Two figures agree when their difference lies within both 95 % intervals combined (the root of the sum of "
           "their squared half widths), the rounding of the paper's two figures included. Where half of our "
           "interval is more than a quarter of the paper's figure, agreement would say little: unsure, more "
           "episodes are needed.");
}

bool tables_build(struct tables *tables, const struct results *results, const char *path, const char *against) {
  *tables = (struct tables){.results = results};
  tables->runs = sheet_begin(run_columns, COUNT(run_columns));
  text_put(&tables->runs.title, "Runs");
  tables->lines = calloc(LINES, sizeof *tables->lines);
  tables->sections = calloc(results->experiment_count + 1, sizeof *tables->sections);
  bool good = tables->lines && tables->sections;
  for (size_t i = 0; good && i < results->experiment_count; i++)
    good = build_section(tables, &tables->sections[tables->count++], &results->experiments[i], against);
  if (!good) return false;
  put_runs(&tables->runs, results);
  put_lines(tables, path);
  for (size_t i = 0; i < tables->line_count; i++) good &= !tables->lines[i].failed;
  return good && !tables->runs.failed;
}

void tables_free(struct tables *tables) {
  for (size_t i = 0; i < tables->count; i++) {
    struct tables_section *section = &tables->sections[i];
    sheet_free(&section->all);
    sheet_free(&section->returns);
    sheet_free(&section->search);
    sheet_free(&section->policies);
    sheet_free(&section->comparison);
    sheet_free(&section->beside);
    text_free(&section->progress);
    free(section->summaries);
    free(section->comparisons);
  }
  for (size_t i = 0; i < tables->line_count; i++) text_free(&tables->lines[i]);
  free(tables->lines);
  free(tables->sections);
  sheet_free(&tables->runs);
  *tables = (struct tables){0};
}

/* ------------------------------------------------------------------- writing */

static void write_csv(const struct tables *tables, enum tables_kind kind, struct text *out) {
  if (kind == TABLES_RUNS) {
    sheet_write(&tables->runs, SHEET_CSV, true, out);
    return;
  }
  for (size_t i = 0; i < tables->count; i++) {
    const struct tables_section *section = &tables->sections[i];
    const struct sheet *sheet = kind == TABLES_COMPARISON  ? &section->comparison
                                : kind == TABLES_PUBLISHED ? &section->beside
                                                           : &section->all;
    sheet_write(sheet, SHEET_CSV, i == 0, out);
  }
}

static void write_paragraph(enum sheet_format format, const char *before, const char *text, const char *after,
                            struct text *out) {
  text_put(out, before);
  sheet_escape(out, format, text);
  text_put(out, after);
}

/* Text is folded at 79 columns; the other formats fold it themselves. */
static void write_folded(const char *text, struct text *out) {
  size_t column = 0;
  while (*text) {
    size_t length = strcspn(text, " ");
    if (column && column + 1 + length > 79) {
      text_put(out, "\n");
      column = 0;
    }
    if (column) text_put(out, " ");
    text_add(out, text, length);
    column += length + 1;
    text += length + strspn(text + length, " ");
  }
  text_put(out, "\n");
}

static void write_section(const struct tables_section *section, enum sheet_format format, enum tables_kind kind,
                          struct text *out) {
  static const char *const heads[][2] = {{"\n== ", "\n\n"}, {"\n## ", "\n\n"}, {"", ""}, {"\n\\section*{", "}\n\n"}};
  if (kind == TABLES_COMPARISON && !section->comparison_count) return;
  if (kind == TABLES_PUBLISHED && !beside_any(&section->beside)) return;
  const char *title = section->experiment->title;
  write_paragraph(format, heads[format][0], *title ? title : section->experiment->name, heads[format][1], out);
  if (section->progress.length) write_paragraph(format, "", text_string(&section->progress), "\n\n", out);
  if (kind == TABLES_ALL || kind == TABLES_PUBLISHED) {
    if (beside_any(&section->beside)) sheet_write(&section->beside, format, true, out);
    if (beside_any(&section->beside) && kind == TABLES_ALL) text_put(out, "\n");
  }
  if (kind == TABLES_ALL || kind == TABLES_RESULTS) {
    sheet_write(&section->returns, format, true, out);
    text_put(out, "\n");
    sheet_write(&section->search, format, true, out);
    if (section->solved) text_put(out, "\n"), sheet_write(&section->policies, format, true, out);
  }
  if ((kind == TABLES_ALL || kind == TABLES_COMPARISON) && section->comparison_count) {
    if (kind == TABLES_ALL) text_put(out, "\n");
    sheet_write(&section->comparison, format, true, out);
  }
}

void tables_write(const struct tables *tables, enum sheet_format format, enum tables_kind kind, struct text *out) {
  if (format == SHEET_CSV) {
    write_csv(tables, kind, out);
    return;
  }
  if (kind == TABLES_RUNS) {
    sheet_write(&tables->runs, format, true, out);
    return;
  }
  struct text clean = {0};
  for (size_t i = 0; i < tables->line_count; i++) {
    if (i) text_put(out, "\n");
    text_clear(&clean);
    sheet_escape(&clean, format, text_string(&tables->lines[i]));
    if (format == SHEET_TEXT) write_folded(text_string(&clean), out);
    else text_print(out, "%s\n", text_string(&clean));
  }
  out->failed |= clean.failed;
  text_free(&clean);
  for (size_t i = 0; i < tables->count; i++) write_section(&tables->sections[i], format, kind, out);
  if (kind == TABLES_ALL) {
    text_put(out, "\n");
    sheet_write(&tables->runs, format, true, out);
  }
}
