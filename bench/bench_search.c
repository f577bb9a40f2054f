/* The search: expansions in a second, how they hold up as the graph grows, what they
 * cost in memory, and the plain form beside it in the same run.
 *
 *   bench_search [SECONDS [ENVIRONMENT ...]]     of each search, default 1; only these environments
 *
 * Machines are shared: each figure is the best and the median of some repeats, and the
 * ratios matter more than the seconds. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "graph/search.h"
#include "planner/planner.h"
#include "support/signature.h"

enum { REPEATS = 3, SHARES = 15, EARLY = 2000, LATE = 200000 };

typedef struct figures {
  double rate;         /* expansions per second */
  double growth;       /* time per expansion around LATE over that around EARLY; 0: not reached */
  double making;       /* share of the time spent in making children and their bounds */
  double fringe_bytes; /* per fringe record */
  double megabytes;
  uint64_t expansions;
  glimpse_stop stop;
  double lower, upper;
} figures;

typedef struct task {
  glimpse_model *model;
  glimpse_offline *offline;
} task;

static bool open_task(const char *name, task *t) {
  *t = (task){0};
  return !glimpse_environment_make(name, NULL, &t->model) &&
         !glimpse_offline_new(t->model, glimpse_offline_upper(t->model), NULL, NULL, &t->offline);
}

static void close_task(task *t) {
  glimpse_offline_free(t->offline);
  glimpse_model_free(t->model);
}

static void begin(const task *t, gli_search *search) {
  if (!search || !gli_search_begin(search, glimpse_model_start(t->model), false, true)) exit(1);
}

static gli_search *start(const task *t, bool plain) {
  gli_graph_options options = {
      .sharing = GLI_SHARE_CORNERS, .live = true, .max_bytes = (uint64_t)1 << 30}; /* as planners do */
  gli_graph_bounds bounds = {t->offline->upper, t->offline->blind, t->offline->always_ask};
  gli_graph *graph = gli_graph_new(t->model, bounds, &options);
  gli_search *search = graph ? gli_search_new(graph, plain, 1e-6) : NULL;
  begin(t, search);
  return search;
}

static void finish(gli_search *search) {
  gli_graph *graph = search->graph;
  gli_search_free(search);
  gli_graph_free(graph);
}

/* What reading the clock costs. */
static double clock_cost(void) {
  enum { READINGS = 1000 };
  double begun = gli_clock_now(), last = begun;
  for (int i = 0; i < READINGS; i++) last = gli_clock_now();
  return (last - begun) / READINGS;
}

static struct {
  bool on, inside;
  uint64_t times;
  double seconds;
} making;

/* Expansions, and actions that are opened elsewhere: the linker brings their callers here, and gives the names. */
/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
bool __real_gli_graph_expand(gli_graph *graph, uint32_t record);
bool __wrap_gli_graph_expand(gli_graph *graph, uint32_t record);
bool __real_gli_graph_open(gli_graph *graph, uint32_t node, uint32_t action);
bool __wrap_gli_graph_open(gli_graph *graph, uint32_t node, uint32_t action);

static double begin_making(void) {
  making.inside = true;
  making.times++;
  return gli_clock_now();
}

static void end_making(double begun) {
  making.seconds += gli_clock_now() - begun;
  making.inside = false;
}

bool __wrap_gli_graph_expand(gli_graph *graph, uint32_t record) {
  if (!making.on) return __real_gli_graph_expand(graph, record);
  double begun = begin_making();
  bool done = __real_gli_graph_expand(graph, record);
  end_making(begun);
  return done;
}

bool __wrap_gli_graph_open(gli_graph *graph, uint32_t node, uint32_t action) {
  if (!making.on || making.inside) return __real_gli_graph_open(graph, node, action);
  double begun = begin_making();
  bool done = __real_gli_graph_open(graph, node, action);
  end_making(begun);
  return done;
}

/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */

static int by_number(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return a < b ? -1 : a > b;
}

/* The median of some numbers, which are sorted. */
static double median(double *value, int count) {
  qsort(value, (size_t)count, sizeof *value, by_number);
  return value[count / 2];
}

/* The share of making children and their bounds in a search that ends where nothing is left to expand. */
static double making_share(gli_search *search, uint64_t expansions) {
  const gli_graph *graph = search->graph;
  double cost = clock_cost();
  making.on = true;
  making.times = 0;
  making.seconds = 0;
  double begun = gli_clock_now();
  for (uint64_t i = 0; i < expansions; i++) {
    uint64_t before = graph->expansions;
    if (gli_search_expand(search) || graph->expansions == before) break;
  }
  double times = (double)making.times, all = gli_clock_now() - begun - 2 * times * cost;
  making.on = false;
  return all > 0 ? (making.seconds - times * cost) / all : 0;
}

/* The median of several searches: one that is short sees the moods of the machine. */
static double making_of(const task *t, gli_search *search) {
  double share[SHARES], begun = gli_clock_now();
  int count = 0;
  do {
    begin(t, search);
    share[count++] = making_share(search, 50000);
  } while (count < SHARES && gli_clock_now() - begun < 0.5);
  return median(share, count);
}

/* Returns how many were done: fewer where the search has come to an end. */
static uint64_t expand(gli_search *search, uint64_t expansions) {
  const gli_graph *graph = search->graph;
  uint64_t before = graph->expansions;
  while (graph->expansions - before < expansions && !gli_search_expand(search)) continue;
  return graph->expansions - before;
}

/* Seconds per expansion.  The first of them get their data into the caches, and do not count. */
static double time_of(gli_search *search, uint64_t expansions) {
  expand(search, expansions / 10);
  double begun = gli_clock_now();
  uint64_t done = expand(search, expansions);
  return (gli_clock_now() - begun) / (double)(done ? done : 1);
}

/* The time per expansion around LATE over that around EARLY: by turns, a search that goes on and others that begin
 * anew, so that both see the same machine.  Each turn has a quotient; the median of these. */
static double growth_of(const task *t, gli_search *search, gli_search *other) {
  enum { TURNS = 19 };
  double growth[TURNS];
  begin(t, search);
  expand(search, LATE - LATE / 10);
  for (int i = 0; i < TURNS; i++) {
    begin(t, other);
    expand(other, EARLY / 2);
    double early = time_of(other, EARLY);
    growth[i] = time_of(search, EARLY) / early;
  }
  return median(growth, TURNS);
}

static figures measure(const task *t, gli_search *search, gli_search *other, double seconds) {
  const gli_graph *graph = search->graph;
  figures f = {0};
  begin(t, search);
  uint64_t before = graph->expansions;
  double begun = gli_clock_now(), now = begun;
  while (!f.stop && now - begun < seconds) {
    f.stop = gli_search_expand(search);
    if ((graph->expansions - before) % 64 == 0) now = gli_clock_now();
  }
  now = gli_clock_now();
  f.expansions = graph->expansions - before;
  f.rate = (double)f.expansions / (now - begun);
  f.fringe_bytes = sizeof(gli_record);
  f.megabytes = (double)graph->quota.bytes / 1e6;
  f.lower = gli_graph_root(graph)->lower;
  f.upper = gli_graph_root(graph)->upper;
  if (f.expansions > LATE + LATE / 8) f.growth = growth_of(t, search, other);
  f.making = making_of(t, search);
  return f;
}

static double plain_rate(const task *t, uint64_t expansions, double *fast) {
  gli_search *plain = start(t, true);
  double begun = gli_clock_now();
  double rate = (double)expand(plain, expansions) / (gli_clock_now() - begun);
  finish(plain);
  gli_search *search = start(t, false);
  begun = gli_clock_now();
  *fast = (double)expand(search, expansions) / (gli_clock_now() - begun);
  finish(search);
  return rate;
}

/* The median of the repeats of a figure, which is a member of this offset. */
static double median_of(const figures *f, size_t offset) {
  double value[REPEATS];
  for (int i = 0; i < REPEATS; i++) memcpy(&value[i], (const char *)&f[i] + offset, sizeof *value);
  return median(value, REPEATS);
}

static int by_rate(const void *left, const void *right) {
  double a = ((const figures *)left)->rate, b = ((const figures *)right)->rate;
  return a > b ? -1 : a < b;
}

static void report(const char *name, double seconds, double target) {
  task t;
  double begun = gli_clock_now();
  if (!open_task(name, &t)) exit(1);
  double offline = gli_clock_now() - begun;
  figures f[REPEATS];
  gli_search *search = start(&t, false), *other = start(&t, false);
  for (int i = 0; i < REPEATS; i++) f[i] = measure(&t, search, other, seconds);
  finish(search);
  finish(other);
  double first = f[0].rate;
  qsort(f, REPEATS, sizeof *f, by_rate);
  double fast, plain = plain_rate(&t, EARLY, &fast);
  printf("%-20s %9.0f %9.0f %9.0f", name, f[0].rate, f[REPEATS / 2].rate, first);
  if (target > 0) printf(" %9.0f", target);
  else printf(" %9s", "");
  double growth = f[REPEATS - 1].growth > 0 ? median_of(f, offsetof(figures, growth)) : 0; /* all have come so far */
  if (growth > 0) printf(" %6.2f", growth);
  else printf(" %6s", "-");
  printf(" %6.0f %% %6.0f %8.0f %9.0f %6.1f %7.2f  %-8s [%.4f, %.4f]\n", 100 * median_of(f, offsetof(figures, making)),
         f[0].fringe_bytes, f[0].megabytes, plain, fast / plain, offline, glimpse_stop_key(f[0].stop), f[0].lower,
         f[0].upper);
  fflush(stdout);
  close_task(&t);
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    double target; /* expansions per second; 0: none */
  } rows[] = {{"robot-delivery:n=3", 500000}, {"robot-delivery:n=5", 0},
              {"robot-delivery:n=7", 200000}, {"tag", 110000},
              {"robot-delivery:n=13", 0},     {"robot-delivery:n=25", 0},
              {"robot-delivery:n=51", 0},     {"robot-delivery:n=101", 0}};
  double seconds = argc > 1 ? strtod(argv[1], NULL) : 1;
  printf(
      "Searches of %g s from the start belief, best and median of %d, and the first, which has to take its\n"
      "memory from the system (the others begin anew in the same graph, as episodes do); late/e: seconds\n"
      "per expansion at %d over those at %d, by turns, the median; making: share of the time, the median of up to\n%d "
      "searches, in children and their bounds until nothing is left to expand (or 50,000 expansions);\n"
      "plain: the plain form up to %d expansions, and how much faster the fast form is there.\n\n",
      seconds, REPEATS, LATE, EARLY, REPEATS * SHARES, EARLY);
  printf("%-20s %9s %9s %9s %9s %6s %8s %6s %8s %9s %6s %7s  %-8s %s\n", "environment", "best/s", "median/s", "first/s",
         "target/s", "late/e", "making", "B/frng", "MB", "plain/s", "ratio", "start s", "stop", "bounds");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    bool wanted = argc < 3;
    for (int k = 2; k < argc; k++) wanted |= !strcmp(argv[k], rows[i].name);
    if (wanted) report(rows[i].name, seconds, rows[i].target);
  }
  if (argc > 2) return 0;
  printf("\nsignature: %016" PRIx64 "\n", signature_of_search());
  return 0;
}
