/* How long the bounds take: to a residual of 1e-6, and per sweep and non-zero of T.
 * Besides the time on the clock there is the processor time of all threads together,
 * which says more on a machine that is busy with other things.
 *
 *   bench_bounds [quick]     quick: leaves out what takes long
 *
 * Targets: all bounds of Tag within 0.05 s, of RobotDelivery n = 51 within 5 s, and a
 * time per sweep that is linear in the non-zeros. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "glimpse.h"

enum { MOST_REPEATS = 15 };

typedef struct timing {
  double fastest, median; /* on the clock */
  double processor;       /* the least */
  glimpse_bound_result result;
} timing;

static glimpse_model *make(const char *spec) {
  glimpse_model *model = NULL;
  if (glimpse_environment_make(spec, NULL, &model)) {
    fprintf(stderr, "bench_bounds: cannot make %s\n", spec);
    exit(1);
  }
  return model;
}

static glimpse_bound_result solve(const glimpse_model *model, glimpse_bound_kind kind, glimpse_bound_options options) {
  glimpse_bound *bound = NULL;
  if (glimpse_bound_new(model, kind, &options, NULL, &bound)) {
    fprintf(stderr, "bench_bounds: no %s\n", glimpse_bound_get(kind)->key);
    exit(1);
  }
  glimpse_bound_result result = glimpse_bound_measure(bound);
  glimpse_bound_free(bound);
  return result;
}

static int by_size(const void *one, const void *two) {
  double x = *(const double *)one, y = *(const double *)two;
  return x < y ? -1 : x > y;
}

/* At least 3 runs (1 when slow), then more until a second is spent. */
static timing measure(const glimpse_model *model, glimpse_bound_kind kind, glimpse_bound_options options) {
  double seconds[MOST_REPEATS], spent = 0;
  timing out = {0};
  int count = 0;
  while (count < MOST_REPEATS && (count < 3 || spent < 1) && (count == 0 || spent < 5)) {
    clock_t before = clock();
    out.result = solve(model, kind, options);
    double processor = (double)(clock() - before) / CLOCKS_PER_SEC;
    if (count == 0 || processor < out.processor) out.processor = processor;
    seconds[count] = out.result.seconds;
    spent += seconds[count++];
  }
  qsort(seconds, (size_t)count, sizeof *seconds, by_size);
  out.fastest = seconds[0];
  out.median = seconds[count / 2];
  return out;
}

/* All bounds to 1e-6, with one thread and with all cores. */
static void bench_model(const char *spec, double target) {
  glimpse_model *model = make(spec);
  glimpse_model_sizes sizes = glimpse_model_measure(model);
  printf("\n%s: %" PRIu32 " states, %" PRIu64 " non-zeros of T\n", spec, glimpse_model_count(model, GLIMPSE_STATE),
         sizes.transitions);
  printf("  %-10s %7s %6s %7s %10s %10s %11s %17s\n", "bound", "threads", "sweeps", "", "fastest s", "median s",
         "processor s", "ns/sweep/non-zero");
  for (unsigned threads = 1; threads <= 1; threads--) { /* 1, then 0: all */
    double total = 0;
    for (glimpse_bound_kind kind = 0; kind < GLIMPSE_BOUND_KINDS; kind++) {
      if (!glimpse_bound_applies(kind, model)) continue;
      timing t = measure(model, kind, (glimpse_bound_options){.tolerance = 1e-6, .threads = threads});
      double each = t.processor / (double)t.result.iterations / (double)sizes.transitions * 1e9;
      printf("  %-10s %7s %6" PRIu64 " %7s %10.5f %10.5f %11.5f %17.2f\n", glimpse_bound_get(kind)->key,
             threads ? "1" : "all", t.result.iterations, t.result.converged ? "" : "stopped", t.fastest, t.median,
             t.processor, each);
      total += t.fastest;
    }
    printf("  %-10s %7s %6s %7s %10.5f", "together", threads ? "1" : "all", "", "", total);
    if (target > 0) printf("   target %g s: %s", target, total <= target ? "met" : "MISSED");
    printf("\n");
  }
  glimpse_model_free(model);
}

/* Processor time of one sweep, from the difference of two runs that are stopped.  fib-sr sweeps
 * for QMDP first: one sweep of each. */
static void bench_sweep(const char *spec) {
  static const glimpse_bound_kind kinds[] = {GLIMPSE_BOUND_ALWAYS_ASK, GLIMPSE_BOUND_FIB_SR};
  glimpse_model *model = make(spec);
  uint64_t entries = glimpse_model_measure(model).transitions;
  printf("  %-20s %10" PRIu64, spec, entries);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    timing few =
        measure(model, kinds[i], (glimpse_bound_options){.tolerance = 1e-300, .max_iterations = 2, .threads = 1});
    timing many =
        measure(model, kinds[i], (glimpse_bound_options){.tolerance = 1e-300, .max_iterations = 22, .threads = 1});
    double sweep = (many.processor - few.processor) / 20;
    printf(" %12.6f %12.2f", sweep * 1e3, sweep * 1e9 / (double)entries);
  }
  printf("\n");
  glimpse_model_free(model);
}

int main(int count, char **arguments) {
  bool quick = count > 1 && !strcmp(arguments[1], "quick");
  printf("bounds to a residual of 1e-6\n");
  bench_model("tag", 0.05);
  bench_model("robot-delivery:n=7", 0);
  bench_model("robot-delivery:n=51", 5);
  if (!quick) bench_model("robot-delivery:n=101", 0);
  if (!quick) bench_model("robot-delivery:n=201", 0);
  printf("\none sweep, one thread, processor time\n  %-20s %10s %12s %12s %12s %12s\n", "", "non-zeros", "ask ms",
         "ns/non-zero", "fib-sr ms", "ns/non-zero");
  bench_sweep("tag");
  bench_sweep("robot-delivery:n=7");
  bench_sweep("robot-delivery:n=13");
  bench_sweep("robot-delivery:n=25");
  bench_sweep("robot-delivery:n=51");
  bench_sweep("robot-delivery:n=101");
  return 0;
}
