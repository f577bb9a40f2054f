/* How fast a .pomdp file of single entries is read.
 *
 * Two files of at least 50 MB are made in memory, one with names and one with
 * numbers: lines `T: a : s : s' p` for random successors, a line of O and of R
 * per state and action.  Each is read several times; shown are the fastest and
 * the median reading in MB/s (10^6 bytes), the fastest by processor time, which
 * does not count what other programs do meanwhile, and which share of that goes
 * to the text and which to the builder.  The share of the text is measured by
 * reading the same file with a mistake in its last line: then no model is made.
 *
 *   bench_read [MEGABYTES [REPEATS]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "glimpse.h"

enum { ACTIONS = 8, OBSERVATIONS = 50, SUCCESSORS = 5 };

typedef struct text {
  char *bytes;
  size_t length, capacity;
} text;

static void add(text *t, const char *piece) {
  size_t length = strlen(piece);
  if (t->length + length + 1 > t->capacity) {
    t->capacity = 2 * (t->length + length + 1);
    t->bytes = realloc(t->bytes, t->capacity);
    if (!t->bytes) exit(1);
  }
  memcpy(t->bytes + t->length, piece, length + 1);
  t->length += length;
}

static void add_kind(text *t, const char *section, const char *prefix, uint32_t count) {
  char piece[64];
  snprintf(piece, sizeof piece, "%s:", section);
  add(t, piece);
  if (!*prefix) {
    snprintf(piece, sizeof piece, " %u", (unsigned)count);
    add(t, piece);
  }
  for (uint32_t i = 0; *prefix && i < count; i++) {
    snprintf(piece, sizeof piece, "%s%s%u", i % 16 ? " " : "\n", prefix, (unsigned)i);
    add(t, piece);
  }
  add(t, "\n");
}

/* A random probability with six digits, and what is left of a million. */
static unsigned draw(gli_random *random, unsigned left, unsigned parts) {
  return parts == 1 ? left : gli_random_below(random, left / parts + 1);
}

static void add_row(text *t, gli_random *random, const char *const prefix[3], uint32_t a, uint32_t s, uint32_t states) {
  char line[128];
  unsigned left = 1000000;
  uint32_t next = gli_random_below(random, states);
  for (unsigned parts = SUCCESSORS; parts > 0; parts--) {
    unsigned p = draw(random, left, parts);
    left -= p;
    snprintf(line, sizeof line, "T: %s%u : %s%u : %s%u %u.%06u\n", prefix[1], (unsigned)a, prefix[0], (unsigned)s,
             prefix[0], (unsigned)next, p / 1000000, p % 1000000);
    add(t, line);
    next = (next + 1 + gli_random_below(random, states / 10)) % states;
  }
  snprintf(line, sizeof line, "O: %s%u : %s%u : %s%u 1.0\n", prefix[1], (unsigned)a, prefix[0], (unsigned)s, prefix[2],
           (unsigned)gli_random_below(random, OBSERVATIONS));
  add(t, line);
  snprintf(line, sizeof line, "R: %s%u : %s%u : * : * %d.25\n", prefix[1], (unsigned)a, prefix[0], (unsigned)s,
           (int)gli_random_below(random, 200) - 100);
  add(t, line);
}

static text make(double megabytes, bool named) {
  const char *const prefix[3] = {named ? "state-" : "", named ? "move-" : "", named ? "see-" : ""};
  double line = named ? 46 : 26; /* about; the size is what counts */
  uint32_t states = (uint32_t)(megabytes * 1.08e6 / line / ACTIONS / (SUCCESSORS + 2)) + 1;
  gli_random random = gli_random_stream(1, "bench-read", 0);
  text t = {0};
  add(&t, "discount: 0.95\nvalues: reward\n");
  add_kind(&t, "states", prefix[0], states);
  add_kind(&t, "actions", prefix[1], ACTIONS);
  add_kind(&t, "observations", prefix[2], OBSERVATIONS);
  for (uint32_t a = 0; a < ACTIONS; a++)
    for (uint32_t s = 0; s < states; s++) add_row(&t, &random, prefix, a, s, states);
  return t;
}

static double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Reads once; exits when it does not end as it should. */
static void once(const text *t, bool valid, double *seconds, double *processor) {
  double start = now(CLOCK_MONOTONIC), start_processor = now(CLOCK_PROCESS_CPUTIME_ID);
  glimpse_model *model;
  glimpse_status status = glimpse_pomdp_read(t->bytes, t->length, "bench", NULL, NULL, &model);
  *seconds = now(CLOCK_MONOTONIC) - start;
  *processor = now(CLOCK_PROCESS_CPUTIME_ID) - start_processor;
  if ((status == GLIMPSE_OK) != valid) {
    printf("unexpected: %s\n", glimpse_status_text(status));
    exit(1);
  }
  glimpse_model_free(model);
}

static int ascending(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return a < b ? -1 : a > b;
}

typedef struct times {
  double fastest, median, processor;
} times;

static times repeat(const text *t, bool valid, size_t repeats) {
  double *seconds = calloc(repeats, sizeof *seconds), *processor = calloc(repeats, sizeof *processor);
  if (!seconds || !processor) exit(1);
  for (size_t i = 0; i < repeats; i++) once(t, valid, &seconds[i], &processor[i]);
  qsort(seconds, repeats, sizeof *seconds, ascending);
  qsort(processor, repeats, sizeof *processor, ascending);
  times result = {seconds[0], seconds[repeats / 2], processor[0]};
  free(seconds);
  free(processor);
  return result;
}

int main(int argc, char **argv) {
  double megabytes = argc > 1 ? strtod(argv[1], NULL) : 55;
  size_t repeats = argc > 2 ? strtoul(argv[2], NULL, 10) : 7;
  if (!(megabytes >= 0.001) || repeats < 1) {
    printf("usage: bench_read [MEGABYTES [REPEATS]]\n");
    return 2;
  }
  printf("%-8s %8s %14s %13s %15s %11s %11s\n", "indices", "MB", "fastest MB/s", "median MB/s", "processor MB/s",
         "text", "builder");
  for (int named = 0; named < 2; named++) {
    text t = make(megabytes, named);
    double size = (double)t.length / 1e6;
    times whole = repeat(&t, true, repeats);
    add(&t, "R: 0 : 0 : 0 : 0 wrong\n");
    times only = repeat(&t, false, repeats);
    double share = 100 * only.processor / whole.processor;
    printf("%-8s %8.1f %14.0f %13.0f %15.0f %9.0f %% %9.0f %%\n", named ? "names" : "numbers", size,
           size / whole.fastest, size / whole.median, size / whole.processor, share, 100 - share);
    free(t.bytes);
  }
  return 0;
}
