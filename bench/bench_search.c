/* The search: expansions in a second, how they hold up as the graph grows, what they
 * cost in memory, and the plain form beside it in the same run.
 *
 *   bench_search [SECONDS]     of each search, default 1
 *
 * Machines are shared: each figure is the best and the median of some repeats, and the
 * ratios matter more than the seconds. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "graph/search.h"
#include "planner/planner.h"
#include "support/signature.h"

enum { REPEATS = 3, EARLY = 2000, LATE = 200000 };

typedef struct figures {
  double rate;         /* expansions per second */
  double early, late;  /* seconds per expansion around EARLY and LATE; 0: not reached */
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

/* Making children on its own: expanding again, in a second graph, what a first search
 * has expanded would need its order; so the clock is read around every 64th expansion.
 * Children that are made on the way up count with the time that it takes to make some again. */
static double making_share(gli_search *search, uint64_t expansions) {
  gli_graph *graph = search->graph;
  double making = 0, all = 0, later = 0, again = 0, again_time = 0;
  for (uint64_t i = 0; i < expansions; i++) {
    uint32_t record = i % 64 ? GLI_NONE : gli_walk_select(search->walk);
    if (record == GLI_NONE || graph->records[record].link != GLI_NONE) {
      if (gli_search_expand(search)) break;
      continue;
    }
    double begun = gli_clock_now();
    (void)gli_walk_select(search->walk);
    double chosen = gli_clock_now(), clock = chosen - begun; /* about the cost of reading it */
    gli_graph_expand(graph, record);
    double made = gli_clock_now();
    uint64_t before = graph->children;
    uint32_t origin = gli_backup_path(graph, record, true);
    gli_walk_sync(search->walk);
    if (origin != GLI_NONE) gli_walk_told(search->walk, origin);
    gli_walk_work(search->walk);
    double done = gli_clock_now();
    later += (double)(graph->children - before);
    making += made - chosen - clock;
    all += done - chosen - 2 * clock;

    uint32_t node = graph->records[record].link;
    gli_expanded *e = gli_graph_node(graph, node);
    if (e->greedy == graph->actions) continue;
    double upper, lower;
    begun = gli_clock_now();
    gli_graph_try(graph, node, e->greedy, &upper, &lower);
    again_time += gli_clock_now() - begun - clock;
    again += gli_graph_choices(graph, e)[e->greedy].count;
  }
  if (again > 0) making += later * again_time / again;
  return all > 0 ? making / all : 0;
}

static figures measure(const task *t, gli_search *search, double seconds) {
  const gli_graph *graph = search->graph;
  figures f = {0};
  begin(t, search);
  uint64_t before = graph->expansions;
  double begun = gli_clock_now(), now = begun, mark = begun;
  while (!f.stop && now - begun < seconds) {
    f.stop = gli_search_expand(search);
    uint64_t n = graph->expansions - before;
    if (n % 64 == 0 || n == EARLY / 2 || n == LATE - LATE / 10) now = gli_clock_now();
    if (n == EARLY / 2 || n == LATE - LATE / 10) mark = gli_clock_now();
    if (n == EARLY + EARLY / 2) f.early = (gli_clock_now() - mark) / EARLY;
    if (n == LATE + LATE / 10) f.late = (gli_clock_now() - mark) / (LATE / 5.0);
  }
  now = gli_clock_now();
  f.expansions = graph->expansions - before;
  f.rate = (double)f.expansions / (now - begun);
  f.fringe_bytes = sizeof(gli_record);
  f.megabytes = (double)graph->quota.bytes / 1e6;
  f.lower = gli_graph_root(graph)->lower;
  f.upper = gli_graph_root(graph)->upper;
  begin(t, search);
  f.making = making_share(search, 50000);
  return f;
}

static double plain_rate(const task *t, uint64_t expansions, double *fast) {
  gli_search *plain = start(t, true);
  double begun = gli_clock_now();
  while (plain->graph->expansions < expansions && !gli_search_expand(plain)) continue;
  double rate = (double)plain->graph->expansions / (gli_clock_now() - begun);
  finish(plain);
  gli_search *search = start(t, false);
  begun = gli_clock_now();
  while (search->graph->expansions < expansions && !gli_search_expand(search)) continue;
  *fast = (double)search->graph->expansions / (gli_clock_now() - begun);
  finish(search);
  return rate;
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
  gli_search *search = start(&t, false);
  for (int i = 0; i < REPEATS; i++) f[i] = measure(&t, search, seconds);
  finish(search);
  double first = f[0].rate;
  qsort(f, REPEATS, sizeof *f, by_rate);
  double fast, plain = plain_rate(&t, EARLY, &fast);
  printf("%-20s %9.0f %9.0f %9.0f", name, f[0].rate, f[REPEATS / 2].rate, first);
  if (target > 0) printf(" %9.0f", target);
  else printf(" %9s", "");
  if (f[0].late > 0) printf(" %6.2f", f[0].late / f[0].early);
  else printf(" %6s", "-");
  printf(" %6.0f %% %6.0f %8.0f %9.0f %6.1f %7.2f  %-8s [%.4f, %.4f]\n", 100 * f[0].making, f[0].fringe_bytes,
         f[0].megabytes, plain, fast / plain, offline, glimpse_stop_key(f[0].stop), f[0].lower, f[0].upper);
  fflush(stdout);
  close_task(&t);
}

int main(int argc, char **argv) {
  double seconds = argc > 1 ? strtod(argv[1], NULL) : 1;
  printf("Searches of %g s from the start belief, best and median of %d, and the first, which has to take its\n"
         "memory from the system (the others begin anew in the same graph, as episodes do); late/early: seconds\n"
         "per expansion at %d over those at %d; making: share of the time in children and their bounds;\n"
         "plain: the plain form up to %d expansions, and how much faster the fast form is there.\n\n",
         seconds, REPEATS, LATE, EARLY, EARLY);
  printf("%-20s %9s %9s %9s %9s %6s %8s %6s %8s %9s %6s %7s  %-8s %s\n", "environment", "best/s", "median/s", "first/s",
         "target/s", "late/e", "making", "B/frng", "MB", "plain/s", "ratio", "start s", "stop", "bounds");
  report("robot-delivery:n=3", seconds, 500000);
  report("robot-delivery:n=5", seconds, 0);
  report("robot-delivery:n=7", seconds, 200000);
  report("tag", seconds, 110000);
  report("robot-delivery:n=13", seconds, 0);
  report("robot-delivery:n=25", seconds, 0);
  report("robot-delivery:n=51", seconds, 0);
  report("robot-delivery:n=101", seconds, 0);
  printf("\nsignature: %016" PRIx64 "\n", signature_of_search());
  return 0;
}
