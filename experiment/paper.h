/* Paper: the figures of the paper's tables, and whether ours agree with them. */
#ifndef EXPERIMENT_PAPER_H
#define EXPERIMENT_PAPER_H

#include <stdbool.h>
#include <stddef.h>

#include "glimpse.h"

/* id, name; in the order of the paper */
#define PAPER_TABLE_TABLE(X)                                                                                           \
  X(MAIN_1, "table 1 (FIB-SR, bounds not improved)")                                                                   \
  X(MAIN_2, "table 2 (FIB-SR, bounds improved)")                                                                       \
  X(QMDP, "appendix, QMDP")                                                                                            \
  X(QMDP_F, "appendix, QMDP, f = 0.2")                                                                                 \
  X(QMDP_C, "appendix, QMDP, c = 0.25")

enum paper_table {
#define X(id, name) PAPER_##id,
  PAPER_TABLE_TABLE(X)
#undef X
      PAPER_TABLES
};

const char *paper_table_name(enum paper_table table);

/* A printed mean and standard error; NaN where the paper gives none. */
struct paper_figure {
  double mean, se;
  double unit; /* of the last digit that is printed, of both */
};

struct paper_row {
  enum paper_table table;
  const char *environment; /* robot-delivery or tag */
  int corridors;           /* of robot-delivery */
  double failure, cost;
  const char *planner;
  const char *upper; /* "" for POMCP, which has no bounds */
  bool improved;
  double seconds; /* per step */
  struct paper_figure total, expansions, error_reduction;
};

/* What identifies a row. */
struct paper_key {
  const char *environment; /* as the program takes it: robot-delivery:n=5,f=0.2 */
  double cost, discount;
  const char *planner, *upper, *improve; /* NULL: does not apply */
  double seconds;                        /* per step; NaN: the number of expansions says which row */
  double expansions;                     /* per step, as many as the paper's program made in that time */
};

/* The i-th row, NULL past the last. */
const struct paper_row *paper_get(size_t i);
/* NULL when the paper has no such experiment. */
const struct paper_row *paper_find(const struct paper_key *key);

/* A parameter in the name of an environment: false when the name does not mention it. */
bool paper_parameter(const char *environment, const char *key, double *value);

enum paper_verdict { PAPER_NO_FIGURE, PAPER_TOO_FEW, PAPER_AGREES, PAPER_UNSURE, PAPER_HIGHER, PAPER_LOWER };

/* Ours against the printed one: they agree when the difference is not larger than
 *
 *     sqrt(h^2 + (z (se + unit/2))^2) + unit/2
 *
 * with h half of our 95 % interval and z = 1.96 times the printed standard error half of the paper's:
 * the half width of the interval of a difference of two independent means.  unit/2 is what printing has
 * rounded away.  HIGHER and LOWER: ours is.  UNSURE: they would agree, but so would nearly anything, for h is more
 * than a quarter of the paper's figure.  TOO_FEW: a single episode has no interval. */
enum paper_verdict paper_compare(glimpse_statistic ours, struct paper_figure theirs);
/* "agrees", "unsure", "higher", "lower", "-" */
const char *paper_verdict_text(enum paper_verdict verdict);

#endif
