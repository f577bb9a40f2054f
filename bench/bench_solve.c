/* How long it takes to solve: from the start belief, until the bounds there are close.
 *
 *   bench_solve [--cases NAME,...] [--seconds 10] [--planner aems-loop] [--turns 1] [MODEL[:COST] ...]
 *
 * A row per case.  First the processor time of the offline bounds; then the processor time of the
 * search (planner and graph included) and its expansions until the gap upper - lower is at most
 *
 *   max(share * |value|, 1e-6)     for the shares 1 %, 0.1 % and 1e-6
 *
 * where |value| is the least magnitude between the bounds, 0 if they differ in sign: what is not
 * known does not count.  So a value below 1 is only ever searched to 1e-6.  Then gap, lower and
 * upper after 0.1, 1, 10 and 60 s of the search's processor time, as far as --seconds goes, or "solved" where the share
 * 1e-6 or the end of the search came first (the bounds are then those of the end), "-" where neither did; all
 * expansions, the memory that the planner holds at the end, and why it ended: "solved" as above, "time", "memory" (its
 * limit was met), "exact" (nothing is left to expand).
 *
 * One planner goes on from slice to slice, and the clock is read in between.  A slice ends when the
 * gap that is waited for is reached.  Slices grow by a quarter until one takes 2 ms or a fiftieth of
 * the time so far, whichever is more; so gaps after 0.1, 1, 10 and 60 s are late by a fiftieth.  Since a
 * search may work for long without expanding, slices also end after three times that processor time.  A planner that
 * does something at the begin or end of each call searches otherwise than in one go.
 *
 * With --turns the whole of a case is repeated, as long as all its turns together take less
 * than --seconds, and each column is the median of its own.
 *
 * Only the public interface is used: this is what a program that links glimpse would see. */
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "glimpse.h"

enum { SHARES = 3, MARKS = 4, MOST_TURNS = 101 };

static const double shares[SHARES] = {1e-2, 1e-3, 1e-6};
static const double marks[MARKS] = {0.1, 1, 10, 60};
static const double least_gap = 1e-6;

typedef struct sample {
  double gap, lower, upper; /* gap NaN: not come so far */
} sample;

/* Of one search.  Times NaN: not come so far. */
typedef struct figures {
  double start;
  double seconds[SHARES], expansions[SHARES];
  sample after[MARKS];
  sample last;     /* where it ended */
  double expanded; /* in all */
  double megabytes;
  const char *end;
} figures;

/* A case: how its model is made, and the price of asking there; 0: off, NaN: as the model has it. */
typedef struct task {
  const char *name;
  const char *model; /* NULL: the lake; else an environment, or a file */
  double cost;
} task;

static const task tasks[] = {
    {"robot-3:0.1", "robot-delivery:n=3", 0.1},
    {"robot-5:0.1", "robot-delivery:n=5", 0.1},
    {"robot-7:0.1", "robot-delivery:n=7", 0.1},
    {"robot-3:0.25", "robot-delivery:n=3", 0.25},
    {"robot-3:0.5", "robot-delivery:n=3", 0.5},
    {"robot-5:0.25", "robot-delivery:n=5", 0.25},
    {"robot-7:0.25", "robot-delivery:n=7", 0.25},
    {"robot-9:0.1", "robot-delivery:n=9", 0.1},
    {"robot-13:0.1", "robot-delivery:n=13", 0.1},
    {"tag:1", "tag", 1},
    {"tag:2", "tag", 2},
    {"tag:5", "tag", 5},
    {"rock-4-4:off", "rock-sample:n=4,k=4", 0},
    {"rock-5-5:off", "rock-sample:n=5,k=5", 0},
    {"tiger:0.5", "tiger", 0.5},
    {"tiger:1", "tiger", 1},
    {"tiger:2", "tiger", 2},
    {"tiger:5", "tiger", 5},
    {"tiger:10", "tiger", 10},
    {"tiger:20", "tiger", 20},
    {"lake:0.05", NULL, 0.05},
};
enum { TASKS = sizeof tasks / sizeof *tasks };

typedef struct settings {
  double seconds;
  int turns;
  glimpse_planner_options planner;
  glimpse_report *report;
  timer_t timer;
} settings;

static double processor(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Becomes 1 when the processor time of a slice is over. */
static volatile int slice_over;

static void on_alarm(int signal) {
  (void)signal;
  slice_over = 1;
}

/* A timer of processor time, unlike the budget's, which would cut slices short beside other programs; of this thread,
 * since while there is one of the process Linux tells the processor time of the process by ticks only. */
static timer_t make_timer(void) {
  timer_t timer;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
  struct sigaction action = {.sa_handler = on_alarm};
  if (sigaction(SIGALRM, &action, NULL) || timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer)) {
    perror("bench_solve: timer");
    exit(EXIT_FAILURE);
  }
  return timer;
}

/* Once after so many seconds; 0: not any more. */
static void set_timer(timer_t timer, double seconds) {
  struct itimerspec when = {.it_value = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))}};
  slice_over = 0;
  timer_settime(timer, 0, &when, NULL);
}

/* ---------------------------------------------------------------- the lake */

/* A frozen lake, semi-slippery.  From the top left corner to the goal, bottom right, which is worth 1 when it is
 * entered; it and the holes end the walk.  A move goes one cell or, half of the time, slides on into the
 * next; a hole or the goal is never slid over, and a wall stops.  All that is seen is whether the walk goes on.  With a
 * discount near 1 and nothing to see, beliefs meet again and again: trees do badly here. */
enum { SIDE = 4, CELLS = SIDE * SIDE };
static const char lake_map[] = "SFFF"
                               "FHFH"
                               "FFFH"
                               "HFFG";

static bool lake_ends(uint32_t cell) {
  return lake_map[cell] == 'H' || lake_map[cell] == 'G';
}

static uint32_t lake_next(uint32_t cell, uint32_t action) {
  uint32_t row = cell / SIDE, column = cell % SIDE;
  switch (action) {
    case 0: return column > 0 ? cell - 1 : cell;
    case 1: return row < SIDE - 1 ? cell + SIDE : cell;
    case 2: return column < SIDE - 1 ? cell + 1 : cell;
    default: return row > 0 ? cell - SIDE : cell;
  }
}

static glimpse_status make_lake(glimpse_report *report, glimpse_model **model) {
  static const char *const actions[] = {"left", "down", "right", "up"};
  static const char *const observations[] = {"running", "done"};
  glimpse_builder *builder = glimpse_builder_new(CELLS, 4, 2);
  if (!builder) return GLIMPSE_NO_MEMORY;
  for (uint32_t o = 0; o < 2; o++) glimpse_builder_name(builder, GLIMPSE_OBSERVATION, o, observations[o]);
  for (uint32_t a = 0; a < 4; a++) glimpse_builder_name(builder, GLIMPSE_ACTION, a, actions[a]);
  glimpse_builder_discount(builder, 0.999);
  glimpse_builder_start(builder, 0, 1);
  for (uint32_t s = 0; s < CELLS; s++) {
    glimpse_builder_observation(builder, GLIMPSE_ANY, s, lake_ends(s), 1);
    for (uint32_t a = 0; a < 4; a++) {
      uint32_t first = lake_ends(s) ? s : lake_next(s, a), second = lake_ends(first) ? first : lake_next(first, a);
      glimpse_builder_transition(builder, a, s, first, first == second ? 1 : 0.5);
      if (first != second) glimpse_builder_transition(builder, a, s, second, 0.5);
      if (!lake_ends(s)) glimpse_builder_reward(builder, a, s, CELLS - 1, GLIMPSE_ANY, 1);
    }
  }
  glimpse_status status = glimpse_builder_finish(builder, report, model); /* remembers what failed above */
  glimpse_builder_free(builder);
  return status;
}

/* ------------------------------------------------------------------ models */

/* Says what went wrong, and ends. */
static void fail(const char *what, glimpse_status status, const glimpse_report *report) {
  const glimpse_message *why = report ? glimpse_report_get(report, 0) : NULL;
  fprintf(stderr, "bench_solve: %s: %s\n", what, why ? why->text : glimpse_status_text(status));
  exit(EXIT_FAILURE);
}

static glimpse_model *make_model(const task *t, glimpse_report *report) {
  glimpse_model *model = NULL;
  glimpse_status status;
  glimpse_report_clear(report);
  if (!t->model) status = make_lake(report, &model);
  else if (!access(t->model, R_OK)) status = glimpse_pomdp_read_file(t->model, NULL, report, &model);
  else status = glimpse_environment_make(t->model, report, &model);
  if (!status && !isnan(t->cost)) status = glimpse_model_set_cost(model, t->cost);
  if (status) fail(t->name, status, report);
  return model;
}

/* ------------------------------------------------------------------ search */

/* What the gap may be at most. */
static double allowed(double share, double lower, double upper) {
  double value = lower > 0 ? lower : upper < 0 ? -upper : 0;
  return fmax(share * value, least_gap);
}

/* Takes down what was reached between two slices; true when there is nothing more to wait for. */
static bool note(figures *f, double now, double expansions, const glimpse_decision *d) {
  double gap = d->upper - d->lower;
  bool exact = d->stop == GLIMPSE_STOP_SOLVED;
  f->last = (sample){gap, d->lower, d->upper};
  f->megabytes = (double)d->bytes / 1e6;
  f->expanded = expansions;
  for (int i = 0; i < SHARES; i++) {
    if (!isnan(f->seconds[i]) || !(gap <= allowed(shares[i], d->lower, d->upper))) continue;
    f->seconds[i] = now;
    f->expansions[i] = expansions;
  }
  bool solved = !isnan(f->seconds[SHARES - 1]);
  for (int i = 0; i < MARKS; i++)
    if (isnan(f->after[i].gap) && now >= marks[i]) f->after[i] = f->last;
  if (solved) f->end = "solved";
  else if (exact) f->end = "exact";
  else if (d->stop == GLIMPSE_STOP_MEMORY) f->end = "memory";
  return f->end != NULL;
}

/* The gap that is waited for next: a slice ends when it is reached, so that the time is that of the search alone. */
static double awaited(const figures *f) {
  for (int i = 0; i < SHARES; i++)
    if (isnan(f->seconds[i])) return allowed(shares[i], f->last.lower, f->last.upper);
  return 0;
}

/* What a slice should take after so much time. */
static double wanted(double so_far) {
  return fmax(0.002, so_far / 50);
}

/* The next slice: as many expansions as should take long enough, but not many more than the last. */
static uint64_t grow(uint64_t slice, double taken, double so_far, bool cut) {
  double factor = wanted(so_far) / fmax(taken, 1e-7);
  return (uint64_t)((double)slice * fmin(fmax(factor, 0.5), cut ? 1 : 1.25)) + 1;
}

static void search(const task *t, const settings *s, const glimpse_model *model, const glimpse_offline *offline,
                   figures *f) {
  glimpse_planner *planner = NULL;
  double begun = processor(), before = 0, expansions = 0;
  glimpse_status status = glimpse_planner_new(model, offline, &s->planner, s->report, &planner);
  if (!status) status = glimpse_planner_begin(planner, glimpse_model_start(model), 0);
  uint64_t slice = 1;
  while (!status) {
    glimpse_decision d;
    set_timer(s->timer, 3 * wanted(before)); /* it may work without expanding */
    glimpse_budget budget = {.expansions = slice, .epsilon = awaited(f), .interrupt = &slice_over};
    status = glimpse_planner_plan(planner, &budget, &d);
    if (status) break;
    if (isnan(d.upper - d.lower) || d.stop == GLIMPSE_STOP_RULE) {
      fprintf(stderr, "bench_solve: '%s' does not search for bounds\n", glimpse_planner_key(s->planner.kind));
      exit(2);
    }
    double now = processor() - begun;
    expansions += (double)d.expansions;
    if (note(f, now, expansions, &d)) break;
    if (now >= s->seconds) {
      f->end = "time";
      break;
    }
    slice = grow(slice, now - before, now, d.stop == GLIMPSE_STOP_INTERRUPTED);
    before = now;
  }
  set_timer(s->timer, 0);
  glimpse_planner_free(planner);
  if (status) fail(t->name, status, s->report);
}

static figures measure(const task *t, const settings *s, const glimpse_model *model) {
  figures f = {0};
  for (int i = 0; i < SHARES; i++) f.seconds[i] = f.expansions[i] = NAN;
  for (int i = 0; i < MARKS; i++) f.after[i].gap = NAN;
  glimpse_offline *offline = NULL;
  double begun = processor();
  glimpse_status status = glimpse_offline_new(model, glimpse_offline_upper(model), NULL, s->report, &offline);
  f.start = processor() - begun;
  if (status) fail(t->name, status, s->report);
  search(t, s, model, offline, &f);
  glimpse_offline_free(offline);
  return f;
}

/* ----------------------------------------------------------------- medians */

/* What was not reached comes last. */
static int by_size(const void *one, const void *two) {
  double x = *(const double *)one, y = *(const double *)two;
  if (isnan(x) || isnan(y)) return isnan(x) - isnan(y);
  return (x > y) - (x < y);
}

/* The median of a figure, which is a member of this offset; of an even number of turns the larger one. */
static double median(const figures *f, int turns, size_t offset) {
  double value[MOST_TURNS] = {0};
  for (int i = 0; i < turns; i++) memcpy(&value[i], (const char *)&f[i] + offset, sizeof *value);
  qsort(value, (size_t)turns, sizeof *value, by_size);
  return value[turns / 2];
}

static figures medians(const figures *f, int turns) {
  figures m = f[0];
  m.start = median(f, turns, offsetof(figures, start));
  m.expanded = median(f, turns, offsetof(figures, expanded));
  m.megabytes = median(f, turns, offsetof(figures, megabytes));
  for (size_t i = 0; i < SHARES; i++) {
    m.seconds[i] = median(f, turns, offsetof(figures, seconds) + i * sizeof *m.seconds);
    m.expansions[i] = median(f, turns, offsetof(figures, expansions) + i * sizeof *m.expansions);
  }
  for (size_t i = 0; i < MARKS; i++) { /* bounds that belong together: of the turn with the median gap */
    double gap = median(f, turns, offsetof(figures, after) + i * sizeof *m.after);
    for (int k = 0; k < turns; k++)
      if (f[k].after[i].gap == gap || isnan(gap)) m.after[i] = f[k].after[i];
    m.after[i].gap = gap;
  }
  return m;
}

/* ------------------------------------------------------------------- table */

/* 0.01234: four digits, in a column of this width; "-" for NaN. */
static void put(double value, int width) {
  if (isnan(value)) printf(" %*s", width, "-");
  else if (value != 0 && fabs(value) < 1e-3) printf(" %*.2e", width, value);
  else printf(" %*.4f", width, value);
}

static void head(const settings *s) {
  printf("planner %s, at most %g s of processor time per case; all times are processor time\n\n",
         glimpse_planner_key(s->planner.kind), s->seconds);
  printf("%-21s %9s", "", "start-up");
  printf(" %19s %19s %19s", "to 1 %", "to 0.1 %", "to 1e-6");
  for (int i = 0; i < MARKS && marks[i] <= s->seconds; i++) printf("  %25s %3g s", "after", marks[i]);
  printf("\n%-21s %9s", "case", "s");
  for (int i = 0; i < SHARES; i++) printf(" %9s %9s", "s", "expanded");
  for (int i = 0; i < MARKS && marks[i] <= s->seconds; i++) printf("  %9s %10s %10s", "gap", "lower", "upper");
  printf(" %9s %9s  %s\n", "expanded", "MB", "end");
}

static void row(const task *t, const settings *s, const figures *f) {
  printf("%-21s", t->name);
  put(f->start, 9);
  for (int i = 0; i < SHARES; i++) {
    put(f->seconds[i], 9);
    if (isnan(f->expansions[i])) printf(" %9s", "-");
    else printf(" %9.0f", f->expansions[i]);
  }
  for (int i = 0; i < MARKS && marks[i] <= s->seconds; i++) {
    bool over = isnan(f->after[i].gap), solved = !strcmp(f->end, "solved") || !strcmp(f->end, "exact");
    if (!over) {
      printf(" ");
      put(f->after[i].gap, 9);
    } else {
      printf("  %9s", solved ? "solved" : "-");
    }
    const sample *bounds = over ? &f->last : &f->after[i];
    if (over && !solved) printf(" %10s %10s", "-", "-");
    else printf(" %10.6f %10.6f", bounds->lower, bounds->upper);
  }
  printf(" %9.0f %9.2f  %s\n", f->expanded, f->megabytes, f->end);
  fflush(stdout);
}

static void bench(const task *t, const settings *s) {
  static figures f[MOST_TURNS];
  glimpse_model *model = make_model(t, s->report);
  int turns = 0;
  double begun = processor();
  do f[turns++] = measure(t, s, model);
  while (turns < s->turns && (processor() - begun) * (turns + 1) / turns < s->seconds);
  figures m = medians(f, turns);
  row(t, s, &m);
  glimpse_model_free(model);
}

/* --------------------------------------------------------------- arguments */

static void refuse(const char *what, const char *value) {
  fprintf(stderr, "bench_solve: %s '%s'; try --help\n", what, value);
  exit(2);
}

static double number(const char *text, double least, double most) {
  double value = NAN;
  size_t used = glimpse_number_read(text, strlen(text), &value);
  if (!used || text[used] || !(value >= least && value <= most)) refuse("not a number in range:", text);
  return value;
}

/* "robot-3:0.1" is named by itself, by "robot-3" and by "robot". */
static bool named(const char *name, const char *wanted, size_t length) {
  return length && !strncmp(name, wanted, length) && strchr(":-", name[length]); /* or its end */
}

static void choose(const char *list, bool *chosen) {
  while (*list) {
    size_t length = strcspn(list, ",");
    bool known = false;
    for (size_t i = 0; i < TASKS; i++)
      if (named(tasks[i].name, list, length)) known = chosen[i] = true;
    if (!known) refuse("no such case:", list);
    list += length + (list[length] == ',');
  }
}

/* MODEL[:COST]; cuts the text at the colon.  The name, of at most so many bytes, is what follows the last slash. */
static task parse(char *text, char *name, size_t size) {
  const char *slash = strrchr(text, '/');
  char *colon = strrchr(text, ':');
  snprintf(name, size, "%s", slash ? slash + 1 : text);
  task t = {name, text, NAN};
  if (!colon) return t;
  double cost = 0;
  size_t length = strlen(colon + 1), used = glimpse_number_read(colon + 1, length, &cost);
  bool off = !strcmp(colon + 1, "off");
  if (!off && (!length || used != length)) return t; /* a part of the model */
  t.cost = off ? 0 : cost;
  *colon = 0;
  return t;
}

static glimpse_planner_kind planner(const char *key) {
  for (glimpse_planner_kind kind = 0; kind < GLIMPSE_PLANNER_KINDS; kind++)
    if (!strcmp(glimpse_planner_key(kind), key)) return kind;
  refuse("no such planner:", key);
  return GLIMPSE_PLANNER_KINDS;
}

static void help(void) {
  printf("usage: bench_solve [OPTION ...] [MODEL[:COST] ...]\n\n"
         "Processor time until the bounds at the start belief are close, and how close they are after\n"
         "0.1, 1, 10 and 60 s.  MODEL is a .pomdp file or a built-in environment, COST a number or \"off\"\n"
         "(default: the model's); with models, or with --cases, only these are searched.\n\n"
         "  --cases NAME,...   only these of the cases below; a part up to ':' or '-' names several\n"
         "  --seconds NUMBER   most processor time of a search (default 10)\n"
         "  --planner NAME     aems-loop (default), aems-sr, aems\n"
         "  --turns N          medians of so many searches, where they fit into --seconds (default 1)\n"
         "  --write CASE       write the model of a case as a .pomdp file to the standard output\n"
         "  --help             this\n\n"
         "cases:");
  for (size_t i = 0; i < TASKS; i++) printf("%s%s", i % 6 ? " " : "\n  ", tasks[i].name);
  printf("\n");
}

static bool to_stdout(void *context, const char *text, size_t length) {
  (void)context;
  return fwrite(text, 1, length, stdout) == length;
}

static int write_model(const char *name, glimpse_report *report) {
  for (size_t i = 0; i < TASKS; i++) {
    if (strcmp(tasks[i].name, name) != 0) continue;
    glimpse_model *model = make_model(&tasks[i], report);
    glimpse_status status = glimpse_pomdp_write(model, to_stdout, NULL);
    if (!status && fflush(stdout)) status = GLIMPSE_CANNOT_WRITE;
    if (status) fail(name, status, NULL);
    glimpse_model_free(model);
    return EXIT_SUCCESS;
  }
  refuse("no such case:", name);
  return 2;
}

int main(int argc, char **argv) {
  settings s = {.seconds = 10, .turns = 1, .planner = {.kind = GLIMPSE_PLANNER_AEMS_LOOP}};
  bool chosen[TASKS] = {false}, some = false;
  int models = 0; /* moved to the front of the arguments */
  s.report = glimpse_report_new();
  if (!s.report) fail("start", GLIMPSE_NO_MEMORY, NULL);
  for (int i = 1; i < argc; i++) {
    const char *option = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (!strcmp(option, "--help")) return help(), EXIT_SUCCESS;
    if (strncmp(option, "--", 2) != 0) {
      argv[models++] = argv[i];
      continue;
    }
    if (!value) refuse("an option that is unknown or lacks its value:", option);
    if (!strcmp(option, "--cases")) choose(value, chosen), some = true;
    else if (!strcmp(option, "--seconds")) s.seconds = number(value, 1e-3, 1e6);
    else if (!strcmp(option, "--turns")) s.turns = (int)number(value, 1, MOST_TURNS);
    else if (!strcmp(option, "--planner")) s.planner.kind = planner(value);
    else if (!strcmp(option, "--write")) return write_model(value, s.report);
    else refuse("no such option:", option);
    i++;
  }
  s.timer = make_timer();
  head(&s);
  for (size_t i = 0; i < TASKS; i++)
    if (some ? chosen[i] : !models) bench(&tasks[i], &s);
  for (int i = 0; i < models; i++) {
    char name[256];
    task t = parse(argv[i], name, sizeof name);
    bench(&t, &s);
  }
  timer_delete(s.timer);
  glimpse_report_free(s.report);
  return EXIT_SUCCESS;
}
