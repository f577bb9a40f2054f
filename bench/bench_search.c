/* Search: expansions per second of processor time, early and late in a search, and memory per expansion.
 *
 * A search goes on in slices of a few milliseconds.  `early` is the time per expansion around 2,000 expansions, `late`
 * around 200,000, each over as many expansions; searches that end before have no late figure.  All times are processor
 * time. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "glimpse.h"

enum { EARLY = 2000, LATE = 200000, SLICE = 500 };
static const double most_seconds = 60; /* of a search */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct reading {
  double early, late, seconds; /* per expansion; in all; 0: did not come so far */
  uint64_t expansions, bytes;
  const char *end;
} reading;

/* Seconds per expansion between half of `count` expansions and one and a half times as many. */
static void note(double *figure, double *begun, uint64_t expansions, uint64_t count, double time) {
  if (expansions >= count / 2 && *begun == 0) *begun = time;
  if (expansions >= count + count / 2 && *figure == 0) *figure = (time - *begun) / (double)count;
}

static glimpse_status search(const char *spec, double cost, glimpse_planner_kind kind, reading *r) {
  glimpse_model *model = NULL;
  glimpse_offline *offline = NULL;
  glimpse_planner *planner = NULL;
  glimpse_planner_options options = {.kind = kind, .max_memory = (uint64_t)4 << 30};
  glimpse_status status = glimpse_environment_make(spec, NULL, &model);
  if (!status && cost > 0) status = glimpse_model_set_cost(model, cost);
  if (!status) status = glimpse_offline_new(model, glimpse_offline_upper(model), NULL, NULL, &offline);
  if (!status) status = glimpse_planner_new(model, offline, &options, NULL, &planner);
  if (!status) status = glimpse_planner_begin(planner, glimpse_model_start(model), 0);
  double begun = now(), early = 0, late = 0;
  for (glimpse_stop stop = GLIMPSE_STOP_EXPANSIONS; !status && stop == GLIMPSE_STOP_EXPANSIONS;) {
    glimpse_decision decision;
    status = glimpse_planner_plan(planner, &(glimpse_budget){.expansions = SLICE}, &decision);
    if (status) break;
    r->expansions += decision.expansions;
    r->bytes = decision.bytes;
    r->seconds = now() - begun;
    stop = decision.stop;
    r->end = glimpse_stop_key(stop);
    note(&r->early, &early, r->expansions, EARLY, r->seconds);
    note(&r->late, &late, r->expansions, LATE, r->seconds);
    if (r->late > 0 || r->seconds > most_seconds || !decision.expansions) break;
  }
  glimpse_planner_free(planner);
  glimpse_offline_free(offline);
  glimpse_model_free(model);
  return status;
}

int main(void) {
  static const struct {
    const char *spec;
    double cost; /* 0: the default */
  } cases[] = {{"robot-delivery:n=3", 0},
               {"robot-delivery:n=3", 0.5},
               {"robot-delivery:n=5", 0.25},
               {"robot-delivery:n=7", 0},
               {"robot-delivery:n=7", 0.25},
               {"robot-delivery:n=13", 0},
               {"robot-delivery:n=25", 0},
               {"tag", 0},
               {"tag", 5}};
  static const glimpse_planner_kind kinds[] = {GLIMPSE_PLANNER_AEMS_LOOP, GLIMPSE_PLANNER_AEMS_SR};
  printf("%-10s %-22s %8s %10s %10s %10s %7s %10s  %s\n", "planner", "environment", "cost", "expanded", "us early",
         "us late", "growth", "bytes each", "end");
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
      reading r = {0};
      if (search(cases[i].spec, cases[i].cost, kinds[k], &r)) {
        fprintf(stderr, "bench_search: %s failed\n", cases[i].spec);
        return EXIT_FAILURE;
      }
      char cost[16] = "default", late[16] = "-", growth[16] = "-", early[16] = "-";
      if (cases[i].cost > 0) snprintf(cost, sizeof cost, "%g", cases[i].cost);
      if (r.early > 0) snprintf(early, sizeof early, "%.2f", 1e6 * r.early);
      if (r.late > 0) snprintf(late, sizeof late, "%.2f", 1e6 * r.late);
      if (r.late > 0) snprintf(growth, sizeof growth, "%.2f", r.late / r.early);
      printf("%-10s %-22s %8s %10llu %10s %10s %7s %10.0f  %s\n", glimpse_planner_key(kinds[k]), cases[i].spec, cost,
             (unsigned long long)r.expansions, early, late, growth, (double)r.bytes / (double)r.expansions, r.end);
      fflush(stdout);
    }
  return EXIT_SUCCESS;
}
