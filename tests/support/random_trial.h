/* A trial: one model of a random family with its oracle, and the strict tests of bounds against it. */
#ifndef SUPPORT_RANDOM_TRIAL_H
#define SUPPORT_RANDOM_TRIAL_H

#include "base/random.h"
#include "support/oracle.h"
#include "support/random_family.h"

enum { TRIAL_MOST_STATES = 128, TRIAL_MOST_CHOICES = 4 };

typedef struct trial {
  random_family family;
  uint64_t seed;
  random_member member;
  glimpse_model *model;
  uint32_t states, actions, observations;
  oracle *oracle;
  gli_random random;
  double size, price; /* no value is larger; nor is any price */
  double scale;       /* nor is what a graph measures by, which without requests adds what the safest plan may lose */
  char doing[160];
} trial;

/* What was met, so that a family that tests nothing is seen. */
typedef struct trial_tally {
  unsigned models, narrow, looks, solved, asked, steps, vectors, points;
} trial_tally;

typedef void (*trial_check)(trial *t, trial_tally *count);

/* Checks some models of a family.  The environment may say which:
 *   GLIMPSE_RANDOM_MODELS   models of each family, default 12
 *   GLIMPSE_RANDOM_FIRST    the first seed, default 1
 *   GLIMPSE_RANDOM_FAMILY   only this family
 * A failure names the family and the seed. */
trial_tally trial_run(random_family family, trial_check check);
/* Checks models that were wrong once. */
void trial_run_known(trial_check check);
/* A number of the environment. */
uint64_t trial_number(const char *name, uint64_t otherwise);

void trial_fail(const trial *t, const char *what, double a, double b);
/* What failures say is being done. */
void trial_doing(trial *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The bound is finite and on its side of the value, with no tolerance. */
void trial_lower(const trial *t, const char *what, double lower, oracle_range value);
void trial_upper(const trial *t, const char *what, double upper, oracle_range value);
/* What may be open when all is expanded. */
double trial_rounding(const trial *t);
/* Discounts next to 1 and cycles: the plain form then takes a tenth of a second for each expansion. */
bool trial_slow(const trial *t);

typedef struct trial_belief {
  uint32_t index[TRIAL_MOST_STATES];
  double value[TRIAL_MOST_STATES];
  size_t count;
} trial_belief;

glimpse_row trial_row(const trial_belief *b);
trial_belief trial_copy(glimpse_row row);
trial_belief trial_certain(uint32_t s);
trial_belief trial_any(trial *t);

#endif
