/* Published: figures that others have published, which of them belong to a setting, and whether ours agree. */
#ifndef EXPERIMENT_PUBLISHED_H
#define EXPERIMENT_PUBLISHED_H

#include <stdbool.h>
#include <stddef.h>

#include "glimpse.h"

/* Where figures come from: the tables of the paper, in its order, then data files of other authors.
 * id, name, repository and commit ("": a printed table), are returns discounted, what they are */
#define PUBLISHED_SOURCE_TABLE(X)                                                                                      \
  X(MAIN_1, "table 1 (FIB-SR, bounds not improved)", "", true, "discounted")                                           \
  X(MAIN_2, "table 2 (FIB-SR, bounds improved)", "", true, "discounted")                                               \
  X(QMDP, "appendix, QMDP", "", true, "discounted")                                                                    \
  X(QMDP_F, "appendix, QMDP, f = 0.2", "", true, "discounted")                                                         \
  X(QMDP_C, "appendix, QMDP, c = 0.25", "", true, "discounted")                                                        \
  X(ATM, "ATM, ICAPS 2023", "LAVA-LAB/ATM be9c4e9", false, "of learners, undiscounted")                                \
  X(RAM, "RAM-MDP, AAAI 2024", "MKrale/ATM 3fe4933", false, "of planners that know the model, undiscounted")           \
  X(ACNO, "ACNO-MDP, NeurIPS 2021", "nam630/acno_mdp fdd929c", true, "discounted by 0.7, at most 5 steps")

enum published_source {
#define X(id, name, place, discounted, returns) PUBLISHED_##id,
  PUBLISHED_SOURCE_TABLE(X)
#undef X
      PUBLISHED_SOURCES
};

const char *published_source_name(enum published_source source);
/* "LAVA-LAB/ATM be9c4e9"; "" for a printed table. */
const char *published_source_place(enum published_source source);
const char *published_source_returns(enum published_source source);
bool published_source_discounted(enum published_source source);

/* A mean and its spread, a standard error or (of data files) the standard deviation over runs; NaN where there is
 * none. */
struct published_figure {
  double mean, se;
  double unit; /* of the last digit that is printed, of both */
};

struct published_row {
  enum published_source source;
  const char *file;        /* in the repository; NULL: printed */
  const char *environment; /* as the program takes it; a parameter may be "any" but its default */
  double cost;
  const char *algorithm; /* of the paper: a planner */
  struct published_figure total;
  /* Of the paper. */
  const char *upper; /* "" for POMCP, which has no bounds */
  bool improved;
  double seconds; /* per step */
  struct published_figure expansions, error_reduction;
  /* Of data files. */
  const char *window;      /* which episodes of a run */
  unsigned episodes, runs; /* in the window, of each run */
  double steps, requests;  /* per episode */
};

/* What identifies a row of the paper. */
struct published_key {
  const char *environment; /* as the program takes it: robot-delivery:n=5,f=0.2 */
  double cost, discount;
  const char *planner, *upper, *improve; /* NULL: does not apply */
  double seconds;                        /* per step; NaN: the number of expansions says which row */
  double expansions;                     /* per step, as many as the paper's program made in that time */
};

/* The i-th row, NULL past the last. */
const struct published_row *published_get(size_t i);
/* NULL when the paper has no such experiment. */
const struct published_row *published_find(const struct published_key *key);
/* Is a request decided together with an action in this environment (timing=joint)? */
bool published_joint(const char *environment);
/* Is the row of a data file one of this environment, whatever its timing, at this price? */
bool published_of(const struct published_row *row, const char *environment, double cost);

/* Does a name mean the environment of another one, in which parameters may be "any" but the default?  Price and
 * discount are not looked at. */
bool published_same(const char *environment, const char *other);
/* A parameter in the name of an environment: false when the name does not mention it. */
bool published_parameter(const char *environment, const char *key, double *value);

enum published_verdict {
  PUBLISHED_NO_FIGURE,
  PUBLISHED_TOO_FEW,
  PUBLISHED_AGREES,
  PUBLISHED_UNSURE,
  PUBLISHED_HIGHER,
  PUBLISHED_LOWER
};

/* Ours against the printed one: they agree when the difference is not larger than
 *
 *     sqrt(h^2 + (z (se + unit/2))^2) + unit/2
 *
 * with h half of our 95 % interval and z = 1.96 times the printed standard error half of the paper's:
 * the half width of the interval of a difference of two independent means.  unit/2 is what printing has
 * rounded away.  HIGHER and LOWER: ours is.  UNSURE: they would agree, but so would nearly anything, for h is more
 * than a quarter of the paper's figure.  TOO_FEW: a single episode has no interval. */
enum published_verdict published_compare(glimpse_statistic ours, struct published_figure theirs);
/* "agrees", "unsure", "higher", "lower", "-" */
const char *published_verdict_text(enum published_verdict verdict);

#endif
