/* Setting: one cell of a grid, with all that decides its results. */
#ifndef EXPERIMENT_SETTING_H
#define EXPERIMENT_SETTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "glimpse.h"

typedef enum setting_upper { SETTING_UPPER_BEST, SETTING_UPPER_QMDP, SETTING_UPPERS } setting_upper;

struct setting {
  char *environment;   /* full name with its parameters, or a file */
  size_t model;        /* place among the models of the catalogue */
  setting_upper upper; /* BEST: fib-sr, or fib where the agent may not ask */
  glimpse_planner_options planner;
  size_t policy;           /* 1 + its place among the policies of the catalogue; 0: none */
  const char *policy_text; /* of the catalogue; NULL: none */
  glimpse_budget budget;   /* time or expansions */
  bool ask_when_lost;
  uint64_t max_steps, seed, episodes;
  unsigned trace; /* points of a trace; 0: none */

  /* Texts for the store, made by setting_describe. */
  char *key, *options;
  const char *upper_text, *lower_text, *improve_text; /* NULL: does not apply */
  double cost, discount; /* cost: of asking for the state, or of the only inquiry; NaN: none, or it differs by state */
};

/* Does it start from offline bounds? */
bool setting_bounded(const struct setting *setting);
bool setting_timed(const struct setting *setting);
/* A short text for people, "robot-delivery:n=3 aems-sr qmdp none 2473 expansions". */
void setting_text(const struct setting *setting, char *text, size_t size);
/* Fills in key, options and the texts from the rest and the model; digest: of the file that it was read from, empty:
 * it is built in.  False: no memory. */
bool setting_describe(struct setting *setting, const glimpse_model *model, const char *digest);
/* What tells in the key that the model is the file with this digest: " file=0123456789abcdef". */
enum { SETTING_MARK = 32 };
void setting_mark(const char *digest, char mark[SETTING_MARK]);
void setting_free(struct setting *setting);

#endif
