/* Tables: what a report says about the results of a file, as sheets. */
#ifndef EXPERIMENT_TABLES_H
#define EXPERIMENT_TABLES_H

#include "experiment/beside.h"
#include "experiment/compare.h"
#include "experiment/results.h"
#include "experiment/sheet.h"
#include "experiment/summary.h"

/* id, the word that --table takes, what it is */
#define TABLES_KIND_TABLE(X)                                                                                           \
  X(ALL, "all", "everything (in CSV: results)")                                                                        \
  X(RESULTS, "results", "each setting with its means, and the paper's figures beside them")                            \
  X(PUBLISHED, "published",                                                                                            \
    "best possible, our planners and what other authors have published, by environment and price")                     \
  X(COMPARISON, "comparison", "differences of planners on the same episodes")                                          \
  X(RUNS, "runs", "when, on which machine and by which version the episodes were played")

enum tables_kind {
#define X(id, word, text) TABLES_##id,
  TABLES_KIND_TABLE(X)
#undef X
      TABLES_KINDS
};

/* One experiment.  The sheet `all` has a column for everything and is for CSV; readers get `returns` and `search`, and
 * `policies` where there are any. */
struct tables_section {
  const struct results_experiment *experiment;
  struct variety variety;
  struct summary *summaries; /* by part */
  struct comparison *comparisons;
  size_t comparison_count;
  struct sheet all, returns, search, policies, comparison;
  bool solved;          /* there are policies */
  struct sheet beside;  /* published figures; may have no rows */
  struct text progress; /* "37 of 200 episodes"; "" when all are there */
};

struct tables {
  const struct results *results;
  struct tables_section *sections;
  size_t count;
  struct sheet runs;
  struct text *lines; /* in front of all tables, one paragraph each */
  size_t line_count;
  size_t agree, unsure, higher, lower; /* returns against the paper's */
};

/* `path` is told to readers; `against` as for compare_all.  False: no memory.  tables_free is to be called
 * in any case; the results must live as long. */
bool tables_build(struct tables *tables, const struct results *results, const char *path, const char *against);
void tables_free(struct tables *tables);

/* Not SHEET_HTML, which is the page's business. */
void tables_write(const struct tables *tables, enum sheet_format format, enum tables_kind kind, struct text *out);

#endif
