/* How long a step of a policy takes, on R-3 (robot-delivery:n=3): looking up the choice and the next node, along
 * simulated episodes that were drawn before.  The fastest of several rounds, in nanoseconds.  Then how long it takes to
 * solve models to a certificate of 1 %: processor time of search, controller and proof, and what it proves. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/random.h"
#include "glimpse.h"

enum { STEPS = 1 << 18, ROUNDS = 9 };

static uint32_t draw(gli_random *random, glimpse_row row) {
  double left = gli_random_unit(random);
  for (size_t i = 0; i + 1 < row.count; i++)
    if ((left -= row.value[i]) < 0) return row.index[i];
  return row.index[row.count - 1];
}

/* What is seen, one after the other; GLIMPSE_ANY: a new episode begins. */
static void simulate(const glimpse_model *model, const glimpse_policy *policy, uint32_t *seen) {
  gli_random random = gli_random_stream(1, "bench policy", 0);
  uint32_t node = 0, s = draw(&random, glimpse_model_start(model));
  for (size_t i = 0; i < STEPS; i++) {
    uint32_t choice = glimpse_policy_choice(policy, node);
    if (glimpse_model_terminal(model, s)) {
      seen[i] = GLIMPSE_ANY;
      node = 0;
      s = draw(&random, glimpse_model_start(model));
      continue;
    }
    if (choice == GLIMPSE_ANY) {
      seen[i] = s;
    } else {
      s = draw(&random, glimpse_model_transition(model, choice, s));
      seen[i] = draw(&random, glimpse_model_observation(model, choice, s));
    }
    node = glimpse_policy_step(policy, node, seen[i]);
  }
}

static double walk(const glimpse_policy *policy, const uint32_t *seen, uint64_t *sum) {
  double started = gli_clock_now();
  uint32_t node = 0;
  for (size_t i = 0; i < STEPS; i++) {
    *sum += glimpse_policy_choice(policy, node);
    node = seen[i] == GLIMPSE_ANY ? 0 : glimpse_policy_step(policy, node, seen[i]);
  }
  return (gli_clock_now() - started) / STEPS;
}

static int measure(const glimpse_model *model, const glimpse_policy *policy) {
  glimpse_policy_info info = glimpse_policy_measure(policy);
  uint32_t *seen = malloc(STEPS * sizeof *seen);
  if (!seen) return 1;
  simulate(model, policy, seen);
  double best = 1;
  uint64_t sum = 0;
  for (int round = 0; round < ROUNDS; round++) {
    double seconds = walk(policy, seen, &sum);
    best = seconds < best ? seconds : best;
  }
  printf("%u nodes, %llu edges: %.1f ns per step (checksum %llu)\n", info.nodes, (unsigned long long)info.edges,
         1e9 * best, (unsigned long long)sum);
  free(seen);
  return 0;
}

static int steps(void) {
  static const double gaps[] = {0.1, 0.01};
  glimpse_model *model;
  if (glimpse_environment_make("robot-delivery:n=3", NULL, &model)) return 1;
  int status = 0;
  for (size_t i = 0; i < sizeof gaps / sizeof *gaps && !status; i++) {
    glimpse_solve_options how = {.relative = gaps[i]};
    glimpse_solve_result result;
    glimpse_policy *policy = NULL;
    status = glimpse_policy_solve(model, NULL, &how, NULL, &result, &policy) || measure(model, policy);
    glimpse_policy_free(policy);
  }
  glimpse_model_free(model);
  return status;
}

static double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Cost 0: off; negative: the model's. */
static int certify(const char *name, double cost) {
  enum { MEBIBYTE = 1 << 20 };
  glimpse_model *model;
  if (glimpse_environment_make(name, NULL, &model)) return 1;
  if (cost >= 0 && glimpse_model_set_cost(model, cost)) return 1;
  glimpse_solve_options how = {.relative = 0.01};
  glimpse_solve_result result;
  glimpse_policy *policy = NULL;
  double started = processor_seconds();
  int status = glimpse_policy_solve(model, NULL, &how, NULL, &result, &policy) != 0;
  double seconds = processor_seconds() - started;
  if (!status) {
    glimpse_policy_info info = glimpse_policy_measure(policy);
    printf("%-22s %5g %9.4f %10.4f %10.4f %7u %10llu %7.1f\n", name, glimpse_model_cost(model, 0), seconds, info.lower,
           info.upper, info.nodes, (unsigned long long)result.progress.expansions,
           (double)result.progress.bytes / MEBIBYTE);
  }
  glimpse_policy_free(policy);
  glimpse_model_free(model);
  return status;
}

int main(void) {
  static const struct {
    const char *name;
    double cost;
  } cases[] = {{"tiger", -1},
               {"robot-delivery:n=3", 0.1},
               {"robot-delivery:n=5", 0.1},
               {"robot-delivery:n=7", 0.1},
               {"robot-delivery:n=3", 0.5},
               {"tag", 1},
               {"rock-sample:n=4,k=4", 0},
               {"rock-sample:n=5,k=5", 0}};
  int status = steps();
  printf("\nto a certificate of 1 %%\n%-22s %5s %9s %10s %10s %7s %10s %7s\n", "model", "price", "CPU s", "lower",
         "upper", "nodes", "expansions", "MiB");
  for (size_t i = 0; i < sizeof cases / sizeof *cases && !status; i++) status = certify(cases[i].name, cases[i].cost);
  return status;
}
