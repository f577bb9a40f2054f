/* glimpse report: tables, plots and a page from the results of experiments. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "options.h"
#include "output.h"
#include "save.h"

#ifdef GLIMPSE_EXPERIMENTS

#include "common/plotter.h"
#include "experiment/gnuplot.h"
#include "experiment/page.h"
#include "interrupt.h"
#include "report_json.h"

/* All that a report is made of. */
struct work {
  const struct options *options;
  struct results results;
  struct tables tables;
  struct plots plots;
  char *scratch; /* a directory for plots that only the page needs; NULL: none */
  bool drawn;
};

/* ---------------------------------------------------------------------- read */

static int open_results(struct work *work) {
  const char *path = work->options->operand[0];
  complaint why = {{0}, {0}, {0}};
  if (!results_read(&work->results, path, &why)) {
    /* Hints about options are for those who write. */
    bool fits = *why.hint && !strstr(why.hint, "--");
    if (strstr(why.text, "newer")) return message_complaint(&why, "read it with the glimpse that wrote it");
    return message_complaint(&why, fits ? NULL : "'glimpse bench' writes the files that 'glimpse report' reads");
  }
  uint64_t stored, wanted;
  results_progress(&work->results, &stored, &wanted);
  if (!stored) {
    message_error_in(path, "there is no episode in it yet");
    message_hint("wait for the first ones, or continue with 'glimpse bench ... --resume'");
    return TOOL_FAILED;
  }
  const char *against = work->options->given[OPTION_against] ? work->options->against : NULL;
  if (!tables_build(&work->tables, &work->results, path, against)) return message_no_memory();
  return TOOL_OK;
}

/* A planner that nothing was compared with is a slip of the pen. */
static int check_against(const struct work *work) {
  const char *against = work->options->against;
  if (!work->options->given[OPTION_against]) return TOOL_OK;
  for (size_t i = 0; i < work->results.setting_count; i++)
    if (!strcmp(work->results.settings[i].planner, against)) return TOOL_OK;
  return message_error_in(work->options->operand[0], "there is no planner '%s' in it to compare with", against);
}

/* -------------------------------------------------------------------- plots */

/* There is one report per process, and the caller of `shown` knows of none. */
static bool show_figure(const char *name) {
  message_progress("drawing %s", name);
  return !interrupt_caught();
}

static int make_scratch(struct work *work) {
  const char *parent = getenv("TMPDIR");
  struct text path = {0};
  text_print(&path, "%s/glimpse-XXXXXX", parent && *parent ? parent : "/tmp");
  if (path.failed) {
    text_free(&path);
    return message_no_memory();
  }
  if (!mkdtemp(path.data)) {
    message_error_in(path.data, "cannot make a directory for the plots: %s", strerror(errno));
    text_free(&path);
    return TOOL_FAILED;
  }
  work->scratch = path.data;
  return TOOL_OK;
}

static void remove_scratch(struct work *work) {
  static const char *const endings[] = {"svg", "png", "dat", "gp", "log"};
  for (size_t i = 0; work->scratch && i < work->plots.count; i++)
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
      struct text path = {0};
      text_print(&path, "%s/%s.%s", work->scratch, text_string(&work->plots.plots[i].name), endings[k]);
      if (!path.failed) remove(text_string(&path));
      text_free(&path);
    }
  if (work->scratch) rmdir(work->scratch);
  free(work->scratch);
  work->scratch = NULL;
}

static int make_directory(const char *path) {
  struct stat there;
  if (!mkdir(path, 0777) || (errno == EEXIST && !stat(path, &there) && S_ISDIR(there.st_mode))) return TOOL_OK;
  return message_error_in(path, "cannot make this directory: %s", strerror(errno));
}

static int draw(struct work *work) {
  const struct options *options = work->options;
  if (!options->plots && !options->html) return TOOL_OK;
  interrupt_catch(); /* from here on there are files to remove */
  if (!plots_build(&work->plots, &work->tables)) return message_no_memory();
  struct text program = {0};
  bool found = plotter_find(&program), starved = program.failed;
  text_free(&program);
  if (starved) return message_no_memory();
  if (!found && !options->plots) {
    message_warning("there is no program 'gnuplot' in PATH (Debian: gnuplot-nox); the page has no plots");
    return TOOL_OK;
  }
  int status = options->plots ? make_directory(options->plots) : make_scratch(work);
  if (status) return status;
  complaint why = {{0}, {0}, {0}};
  bool good = gnuplot_draw(&work->plots, &work->tables, options->plots ? options->plots : work->scratch,
                           options->keep_data, show_figure, &work->drawn, &why);
  message_progress_end();
  if (!good && interrupt_caught()) {
    message_warning("interrupted: some of the plots were not drawn");
    return TOOL_SIGNAL + interrupt_caught();
  }
  if (!good) return message_complaint(&why, NULL);
  if (!work->drawn)
    message_warning("there is no program 'gnuplot' in PATH (Debian: gnuplot-nox); %s has only its data and scripts",
                    options->plots);
  return TOOL_OK;
}

/* --------------------------------------------------------------------- page */

static int write_page(struct work *work) {
  const struct options *options = work->options;
  if (!options->html) return TOOL_OK;
  const char *directory = !work->drawn ? NULL : options->plots ? options->plots : work->scratch;
  const char *base = strrchr(options->operand[0], '/');
  struct text page = {0}, heading = {0};
  text_print(&heading, "Results of experiments: %s", base ? base + 1 : options->operand[0]);
  complaint why = {{0}, {0}, {0}};
  bool good = page_write(&work->tables, &work->plots, directory, "There are no plots, because gnuplot was not found.",
                         text_string(&heading), &page, &why);
  int status = TOOL_OK;
  if (heading.failed) status = message_no_memory();
  else if (!good) status = message_complaint(&why, NULL);
  else if (!strcmp(options->html, "-")) output_text(page.data, page.length);
  else status = save_file(options->html, page.data, page.length);
  text_free(&heading);
  text_free(&page);
  return status;
}

/* --------------------------------------------------------------------- show */

/* What was written, where the tables are not shown themselves. */
static void show_files(const struct work *work) {
  const struct options *options = work->options;
  if (options->html && strcmp(options->html, "-") != 0) output_print("%s: the report as a page\n", options->html);
  if (options->plots)
    output_print("%s: %zu plots%s\n", options->plots, work->plots.count,
                 !work->drawn         ? " as data and scripts for gnuplot"
                 : options->keep_data ? " in SVG and PNG, with data and scripts"
                                      : " in SVG and PNG");
}

static int show(const struct work *work) {
  const struct options *options = work->options;
  bool wanted = options->given[OPTION_format] || options->given[OPTION_table];
  if (options->json) return report_json(&work->tables, options->operand[0]) ? TOOL_OK : message_no_memory();
  if ((options->html || options->plots) && !wanted) {
    show_files(work);
    return TOOL_OK;
  }
  struct text text = {0};
  tables_write(&work->tables, (enum sheet_format)options->format, (enum tables_kind)options->table, &text);
  int status = text.failed ? message_no_memory() : TOOL_OK;
  if (!status) output_text(text_string(&text), text.length);
  text_free(&text);
  return status;
}

static int check_options(const struct options *options) {
  const char *text = NULL;
  if (options->json && (options->given[OPTION_format] || options->given[OPTION_table]))
    text = "'--json' excludes '--format' and '--table': it has everything";
  else if (options->keep_data && !options->plots) text = "'--keep-data' needs '--plots DIRECTORY'";
  else if (options->html && !strcmp(options->html, "-") &&
           (options->json || options->given[OPTION_format] || options->given[OPTION_table]))
    text = "'--html -' excludes other output, because both would go to the standard output";
  return text ? message_usage(&command_report, "%s", text) : TOOL_OK;
}

static int run(const struct options *options) {
  int status = check_options(options);
  if (status) return status;
  struct work work = {.options = options};
  status = open_results(&work);
  if (!status) status = check_against(&work);
  if (!status) status = draw(&work);
  if (!status) status = write_page(&work);
  if (!status) status = show(&work);
  remove_scratch(&work);
  plots_free(&work.plots);
  tables_free(&work.tables);
  results_free(&work.results);
  return interrupt_status(status);
}

#else

static int run(const struct options *options) {
  (void)options;
  message_error("this glimpse was built without SQLite, which reads the results of experiments");
  message_hint("install it (Debian: libsqlite3-dev) and build again");
  return TOOL_FAILED;
}

#endif

static const struct example examples[] = {
    {"glimpse report results.db", "tables with the paper's figures beside ours"},
    {"glimpse report results.db --format csv >results.csv", "all digits, for other programs"},
    {"glimpse report results.db --html results.html --plots plots", "a page with all plots, and the plots as files"},
    {NULL, NULL}};

const struct command command_report = {
    .name = "report",
    .summary = "tables, plots and a page from the results of experiments",
    .operands = "FILE",
    .least = 1,
    .most = 1,
    .text =
        "Reads FILE, which 'glimpse bench' has written or is still writing, and prints for each experiment the means "
        "with standard errors and 95 % intervals (Student's t), the paper's figures where the paper has the same "
        "experiment, and the differences between planners on the same episodes.\n\n"
        "Our figure agrees with the paper's when the difference is within both 95 % intervals combined: the root of "
        "the "
        "sum of their squared half widths, with the rounding of the printed figures added. Otherwise it is higher or "
        "lower; and unsure where half of our interval is more than a quarter of the paper's figure, so that nearly "
        "anything would agree.\n\n"
        "In a comparison two planners have played the same episodes (the same seeds); the difference of their returns "
        "has a narrower interval than the returns have. One is better when the interval of the difference excludes "
        "0.\n\n"
        "Plots are drawn by gnuplot: return, error reduction and expansions per second over the budget, return and "
        "requests over the cost of a request, and the bounds of the start belief over expansions, for those that FILE "
        "has. With --html or --plots tables are printed only on demand (--format, --table).\n\n"
        "With --json: file, episodes, wanted, agree, unsure, higher, lower (returns against the paper's), experiments "
        "(name, "
        "title, axis, results, published, comparisons) and runs. CSV has the columns of a result, one row per setting. "
        "Results of models with inquiries have inquiries: how often each was asked in an episode, on average.",
    .examples = examples,
    .run = run,
};
