/* Signature: see signature.h.  A pure speed-up keeps it; a change of behaviour gives a
 * new one, which goes into the test and into the commit message. */
#include "support/signature.h"

#include <string.h>

#include "glimpse.h"

static void add(uint64_t *hash, const void *bytes, size_t count) {
  const unsigned char *at = bytes;
  for (size_t i = 0; i < count; i++) *hash = (*hash ^ at[i]) * UINT64_C(0x100000001b3);
}

static void add_number(uint64_t *hash, double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  for (int i = 0; i < 8; i++) { /* the same on every byte order */
    unsigned char byte = (unsigned char)(bits >> 8 * i);
    add(hash, &byte, 1);
  }
}

static glimpse_status play(const char *environment, glimpse_planner_kind kind, uint64_t expansions, uint64_t *hash) {
  enum { EPISODES = 2 };
  glimpse_model *model = NULL;
  glimpse_offline *offline = NULL;
  glimpse_episode results[EPISODES];
  glimpse_status status = glimpse_environment_make(environment, NULL, &model);
  if (!status) status = glimpse_offline_new(model, glimpse_offline_upper(model), NULL, NULL, &offline);
  if (!status) {
    glimpse_run run = {.episodes = EPISODES,
                       .seed = 1,
                       .max_steps = 40,
                       .budget = {.expansions = expansions},
                       .planner = {.kind = kind, .seed = 1}};
    status = glimpse_run_episodes(model, offline, &run, NULL, results);
  }
  for (int i = 0; i < EPISODES && !status; i++) {
    const double numbers[] = {results[i].total,    results[i].lower,      results[i].upper,          results[i].steps,
                              results[i].requests, results[i].expansions, results[i].error_reduction};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
      add_number(hash, numbers[k] == numbers[k] ? numbers[k] : 0);
  }
  glimpse_offline_free(offline);
  glimpse_model_free(model);
  return status;
}

uint64_t signature_of_search(void) {
  static const struct {
    const char *environment;
    glimpse_planner_kind kind;
    uint64_t expansions;
  } runs[] = {{"tiger", GLIMPSE_PLANNER_AEMS_LOOP, 30},
              {"toy", GLIMPSE_PLANNER_AEMS_LOOP, 50},
              {"lemma2", GLIMPSE_PLANNER_AEMS_LOOP, 50},
              {"rock-sample:n=4,k=4", GLIMPSE_PLANNER_AEMS_LOOP, 50},
              {"tag", GLIMPSE_PLANNER_AEMS_LOOP, 50},
              {"robot-delivery:n=3", GLIMPSE_PLANNER_AEMS_LOOP, 100},
              {"robot-delivery:n=7", GLIMPSE_PLANNER_AEMS_LOOP, 50},
              {"robot-delivery:n=3", GLIMPSE_PLANNER_AEMS_SR, 50},
              {"robot-delivery:n=3", GLIMPSE_PLANNER_AEMS, 50},
              {"robot-delivery:n=3", GLIMPSE_PLANNER_POMCP, 200}};
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
    if (play(runs[i].environment, runs[i].kind, runs[i].expansions, &hash)) return 0;
  return hash;
}
