/* How long the built-in environments take to make, the fastest of several
 * rounds, and what they hold.  The aim: RobotDelivery with n = 201, which has
 * 327,625 states, in about a second, and time linear in the non-zeros. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "glimpse.h"

enum { ROUNDS = 3 };

int main(void) {
  static const char *const specs[] = {
      "robot-delivery:n=7",  "robot-delivery:n=51",  "robot-delivery:n=101", "robot-delivery:n=201", "tag",
      "rock-sample:n=7,k=8", "rock-sample:n=11,k=11"};
  printf("%-22s %9s %11s %10s %8s %12s\n", "environment", "states", "non-zeros", "seconds", "MB", "ns/non-zero");
  for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
    double best = 0;
    glimpse_model_sizes sizes = {0};
    uint32_t states = 0;
    for (int round = 0; round < ROUNDS; round++) {
      glimpse_model *model;
      double begin = gli_clock_now();
      if (glimpse_environment_make(specs[i], NULL, &model)) {
        fprintf(stderr, "%s: failed\n", specs[i]);
        return 1;
      }
      double seconds = gli_clock_now() - begin;
      if (!round || seconds < best) best = seconds;
      states = glimpse_model_count(model, GLIMPSE_STATE);
      sizes = glimpse_model_measure(model);
      glimpse_model_free(model);
    }
    uint64_t entries = sizes.transitions + sizes.observations;
    printf("%-22s %9" PRIu32 " %11" PRIu64 " %10.4f %8.1f %12.0f\n", specs[i], states, entries, best,
           (double)sizes.bytes / 1e6, best * 1e9 / (double)entries);
  }
  return 0;
}
