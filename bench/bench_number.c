/* How fast numbers are read and written, in millions per second and megabytes
 * per second.  Each line is the fastest of several rounds over the same text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/decimal.h"
#include "base/random.h"
#include "glimpse.h"

enum { COUNT = 200000, ROUNDS = 7 };

/* Numbers one behind the other, each followed by a space. */
typedef struct text {
  char *bytes;
  size_t length;
  double *values;
} text;

static double probability(gli_random *random) { /* 0.00 .. 0.99 */
  return gli_random_below(random, 100) / 100.0;
}

static double unit(gli_random *random) { /* 16 or 17 digits */
  return gli_random_unit(random);
}

static double whole(gli_random *random) {
  return (double)gli_random_below(random, 1000) - 500;
}

static double any(gli_random *random) {
  for (;;) {
    double value = gli_decimal_double(gli_random_bits(random));
    if (value - value == 0) return value;
  }
}

static text make(const char *format, double (*draw)(gli_random *)) {
  gli_random random = gli_random_stream(1, "bench", 0);
  text made = {malloc((size_t)COUNT * 40), 0, malloc(COUNT * sizeof(double))};
  if (!made.bytes || !made.values) {
    fputs("out of memory\n", stderr);
    exit(1);
  }
  for (int i = 0; i < COUNT; i++) {
    made.values[i] = draw(&random);
    char *to = made.bytes + made.length;
    if (format) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
      made.length += (size_t)snprintf(to, 40, format, made.values[i]);
#pragma GCC diagnostic pop
    } else {
      made.length += glimpse_number_write(made.values[i], to);
    }
    made.bytes[made.length++] = ' ';
  }
  return made;
}

static double read_all(const text *numbers) {
  double sum = 0, value = 0;
  for (size_t at = 0; at < numbers->length; at++) {
    at += glimpse_number_read(numbers->bytes + at, numbers->length - at, &value);
    sum += value;
  }
  return sum;
}

static double read_library(const text *numbers) {
  double sum = 0;
  char *at = numbers->bytes;
  for (int i = 0; i < COUNT; i++) sum += strtod(at, &at);
  return sum;
}

static double write_all(const text *numbers) {
  size_t length = 0;
  char written[GLIMPSE_NUMBER_SIZE];
  for (int i = 0; i < COUNT; i++) length += glimpse_number_write(numbers->values[i], written);
  return (double)length;
}

static double write_library(const text *numbers) {
  double length = 0;
  char written[40];
  for (int i = 0; i < COUNT; i++) length += snprintf(written, sizeof written, "%.17g", numbers->values[i]);
  return length;
}

static void measure(const char *what, const text *numbers, double (*work)(const text *)) {
  double best = 1e9;
  volatile double sink = 0;
  for (int round = 0; round < ROUNDS; round++) {
    double start = gli_clock_now();
    sink = work(numbers);
    double seconds = gli_clock_now() - start;
    if (seconds < best) best = seconds;
  }
  (void)sink;
  printf("%-36s %8.1f M/s %8.0f MB/s\n", what, COUNT / best * 1e-6, (double)numbers->length / best * 1e-6);
}

int main(void) {
  text texts[] = {make("%.2f", probability), make("%.6f", probability), make("%.0f", whole),
                  make(NULL, unit),          make("%.20f", unit),       make(NULL, any)};
  static const char *const names[] = {"0.05", "1.000000", "-100", "16-17 digits", "20 digits", "any double, 1.23e-300"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    char what[80];
    snprintf(what, sizeof what, "read %s", names[i]);
    measure(what, &texts[i], read_all);
    snprintf(what, sizeof what, "  strtod, for comparison");
    measure(what, &texts[i], read_library);
    if (i == 1 || i == 4) continue; /* the same values as before */
    snprintf(what, sizeof what, "write %s", names[i]);
    measure(what, &texts[i], write_all);
    snprintf(what, sizeof what, "  printf %%.17g, for comparison");
    measure(what, &texts[i], write_library);
  }
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    free(texts[i].bytes);
    free(texts[i].values);
  }
  return 0;
}
