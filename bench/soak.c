/* Soak: an agent that goes on for very long with its graph kept and its memory limited.
 *
 *   soak [MODEL [STEPS [EXPANSIONS [MEGABYTES [FILE]]]]]
 *        default: robot-delivery:n=3,e=0 100000 1000 64; EXPANSIONS per step; MEGABYTES of 2^20 bytes
 *
 * Where the world ends (a terminal state) the next episode begins, and what was learnt about
 * known states is kept: one graph from the first step to the last.  Prints a line per tenth
 * of the way: memory of the process above what it had before the planner was made, memory
 * that the planner counts, processor time per step, expansions.  Every step goes to FILE.
 *
 * Fails where it is not flat: counted memory ever above the limit, process memory that grows
 * by more than a hundredth of the limit from the second tenth to the last, or a median step
 * that becomes slower by half.  The first tenth fills the graph and does not count. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "glimpse.h"

enum { PARTS = 10 };
static const double mebi = 1 << 20;

typedef struct sample {
  double seconds; /* of the processor */
  double resident;
  double reward; /* less the price of asking */
  uint64_t bytes, expansions, dropped;
} sample;

typedef struct soak {
  sample *samples;
  size_t count, wanted;
  double before, base; /* processor time at the last step; resident memory at the start */
  uint64_t episodes, requests, dropped, dropped_before;
} soak;

static double processor(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Bytes of the process in memory; 0 where the system does not tell. */
static double resident(void) {
  char line[200] = "", *end = line;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file && !fgets(line, sizeof line, file)) *line = 0;
  if (file) fclose(file);
  (void)strtoull(line, &end, 10); /* all its addresses; then the pages in memory */
  return (double)strtoull(end, NULL, 10) * (double)sysconf(_SC_PAGESIZE);
}

static bool on_step(void *context, const glimpse_step *step) {
  soak *s = context;
  const glimpse_decision *last = step->asked ? &step->after : &step->decision;
  double now = processor();
  if (step->step == 0) s->episodes++, s->dropped_before = s->dropped; /* it is counted per episode */
  s->dropped = s->dropped_before + last->dropped;
  s->requests += step->asked;
  s->samples[s->count++] = (sample){.seconds = now - s->before,
                                    .resident = resident() - s->base,
                                    .reward = step->reward - step->cost,
                                    .bytes = last->bytes > step->decision.bytes ? last->bytes : step->decision.bytes,
                                    .expansions = step->decision.expansions + (step->asked ? last->expansions : 0),
                                    .dropped = s->dropped};
  if (s->count % 1000 == 0 && isatty(STDERR_FILENO)) fprintf(stderr, "\r%zu of %zu steps ", s->count, s->wanted);
  s->before = processor();
  return s->count < s->wanted;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

typedef struct figures {
  double resident, bytes; /* largest */
  double median, p99, most, mean;
  double expansions, reward; /* per step */
  uint64_t dropped;
} figures;

static figures figures_of(const sample *samples, size_t count, uint64_t dropped_before, double *room) {
  figures f = {0};
  for (size_t i = 0; i < count; i++) {
    f.resident = fmax(f.resident, samples[i].resident);
    f.bytes = fmax(f.bytes, (double)samples[i].bytes);
    f.expansions += (double)samples[i].expansions / (double)count;
    f.reward += samples[i].reward / (double)count;
    f.mean += samples[i].seconds / (double)count;
    room[i] = samples[i].seconds;
  }
  qsort(room, count, sizeof *room, by_size);
  f.median = room[count / 2];
  f.p99 = room[(size_t)(0.99 * (double)(count - 1))];
  f.most = room[count - 1];
  f.dropped = samples[count - 1].dropped - dropped_before;
  return f;
}

static bool write_samples(const soak *s, const char *path) {
  FILE *file = fopen(path, "w");
  if (!file) return false;
  fprintf(file, "# step, ms of the processor, MiB resident, MiB counted, expansions, beliefs dropped so far\n");
  for (size_t i = 0; i < s->count; i++) {
    const sample *x = &s->samples[i];
    fprintf(file, "%zu %.4f %.3f %.3f %" PRIu64 " %" PRIu64 "\n", i + 1, 1e3 * x->seconds, x->resident / mebi,
            (double)x->bytes / mebi, x->expansions, x->dropped);
  }
  return !(ferror(file) | fclose(file));
}

/* Prints the table; the exit status. */
static int judge(const soak *s, double limit, double *room) {
  figures part[PARTS];
  uint64_t dropped = 0;
  double largest = 0;
  printf("%10s %9s %9s %9s %9s %9s %9s %11s %9s %10s\n", "steps", "resident", "counted", "mean", "median", "p99", "max",
         "expansions", "reward", "dropped");
  printf("%10s %9s %9s %9s %9s %9s %9s %11s %9s %10s\n", "to", "MiB", "MiB", "ms", "ms", "ms", "ms", "per step",
         "per step", "beliefs");
  for (size_t i = 0; i < PARTS; i++) {
    size_t from = s->count * i / PARTS, to = s->count * (i + 1) / PARTS;
    figures f = part[i] = figures_of(s->samples + from, to - from, dropped, room);
    dropped += f.dropped;
    largest = fmax(largest, f.bytes);
    printf("%10zu %9.2f %9.2f %9.3f %9.3f %9.3f %9.3f %11.1f %9.4f %10" PRIu64 "\n", to, f.resident / mebi,
           f.bytes / mebi, 1e3 * f.mean, 1e3 * f.median, 1e3 * f.p99, 1e3 * f.most, f.expansions, f.reward, f.dropped);
  }
  double growth = part[PARTS - 1].resident - part[1].resident, slower = part[PARTS - 1].median / part[1].median;
  bool kept = largest <= limit, flat = growth <= limit / 100, steady = slower <= 1.5;
  printf("%" PRIu64 " episodes, %" PRIu64 " requests\n", s->episodes, s->requests);
  printf("largest counted: %.3f of %g MiB: %s\n", largest / mebi, limit / mebi, kept ? "kept" : "EXCEEDED");
  printf("resident, last tenth less second: %+.3f MiB: %s\n", growth / mebi, flat ? "flat" : "NOT FLAT");
  printf("median step, last tenth by second: %.3f: %s\n", slower, steady ? "flat" : "NOT FLAT");
  return kept && flat && steady ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int run(const char *name, glimpse_run *how, soak *s) {
  glimpse_model *model = NULL;
  glimpse_offline *offline = NULL;
  glimpse_report *report = glimpse_report_new();
  glimpse_episode *results = calloc(how->episodes, sizeof *results);
  glimpse_status status = report && results ? GLIMPSE_OK : GLIMPSE_NO_MEMORY;
  if (!status) status = glimpse_environment_make(name, report, &model);
  if (!status) status = glimpse_offline_new(model, glimpse_offline_upper(model), NULL, report, &offline);
  if (!status) memset(results, 1, how->episodes * sizeof *results); /* resident from the start */
  s->base = resident();
  s->before = processor();
  if (!status) status = glimpse_run_episodes(model, offline, how, report, results);
  if (status) {
    const glimpse_message *why = glimpse_report_get(report, 0);
    fprintf(stderr, "soak: %s\n", why ? why->text : glimpse_status_text(status));
  }
  glimpse_offline_free(offline);
  glimpse_model_free(model);
  glimpse_report_free(report);
  free(results);
  return status ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "robot-delivery:n=3,e=0";
  size_t steps = argc > 2 ? strtoul(argv[2], NULL, 10) : 100000;
  uint64_t expansions = argc > 3 ? strtoull(argv[3], NULL, 10) : 1000;
  double limit = mebi * (argc > 4 ? strtod(argv[4], NULL) : 64);
  if (steps < (size_t)20 * PARTS || steps > UINT32_MAX || !expansions || !(limit >= 1)) {
    fprintf(stderr, "soak: at least %d steps, one expansion and some memory are needed\n", 20 * PARTS);
    return 2;
  }
  soak s = {.samples = malloc(steps * sizeof *s.samples), .wanted = steps};
  double *room = malloc(steps * sizeof *room);
  int result = EXIT_FAILURE;
  if (s.samples && room) {
    memset(s.samples, 1, steps * sizeof *s.samples); /* likewise */
    memset(room, 1, steps * sizeof *room);
    glimpse_run how = {.episodes = steps, /* each takes a step at least */
                       .seed = 1,
                       .max_steps = (uint32_t)steps,
                       .budget = {.expansions = expansions},
                       .planner = {.max_memory = (uint64_t)limit, .keep_corners = true},
                       .step = on_step,
                       .context = &s};
    result = run(name, &how, &s);
  }
  if (!result) {
    printf("%s, %zu steps, %" PRIu64 " expansions per step, limit %g MiB\n", name, s.count, expansions, limit / mebi);
    result = judge(&s, limit, room);
  }
  if (argc > 5 && s.count && !write_samples(&s, argv[5])) {
    fprintf(stderr, "soak: %s cannot be written\n", argv[5]);
    result = EXIT_FAILURE;
  }
  free(s.samples);
  free(room);
  return result;
}
