/* Bound: a set of vectors over states whose largest product with a belief bounds
 * the value there.  docs/ALGORITHM.md, "Offline bounds", says what they are and why they hold. */
#ifndef GLI_BOUNDS_BOUND_H
#define GLI_BOUNDS_BOUND_H

#include <math.h>

#include "base/parallel.h"
#include "glimpse.h"

/* Rewards and prices beyond this, divided by 1 - discount, could overflow on the way. */
#define GLI_LARGEST_SIZE 1e280

/* TIB: what an action shows from a state, and bounds at the belief that follows. */
typedef struct gli_tib {
  uint32_t choices;            /* numbers per row: one per action and, with requests, one for asking */
  const uint32_t *first;       /* of row a * states + s its first entry; one more is the end */
  const uint32_t *observation; /* per entry, ascending within a row */
  const double *chance;        /* per entry: P(o|s,a), within rounding */
  const uint32_t *belief;      /* per entry: which belief follows; below the number of states: the state is certain */
  const double *upper;         /* choices numbers per belief: upper bounds Q(belief, choice) */
} gli_tib;

#define GLI_PLAN_ASK UINT32_MAX

/* What the plan behind a vector of a lower bound does. */
typedef struct gli_plan {
  uint32_t action;
  uint32_t next; /* vector of the same bound that is followed whatever is observed, itself for blind
                    ones; GLI_PLAN_ASK: then it asks */
} gli_plan;

typedef struct gli_tib_parts gli_tib_parts; /* tib.c */

struct glimpse_bound {
  uint32_t states, vectors;
  double *value;      /* value[s * vectors + k]: a sparse belief reads whole lines */
  double *known;      /* upper bounds: what each state is worth if it were always known for free;
                         always-ask and sequence: what acting in it is worth at least; else NULL */
  double *asking;     /* sequence with requests: known - price, rounded down; else NULL */
  gli_plan *plan;     /* sequence: one per vector; else NULL */
  uint32_t *first;    /* sequence: the action with which the plan behind `known` begins; else NULL */
  gli_tib_parts *tib; /* TIB, unless too large; else NULL */
  double work;        /* what it took, in nominal nanoseconds: counted, not measured */
  glimpse_bound_result result;
};

/* NULL: none (other kinds, or too large). */
const gli_tib *gli_bound_tib(const glimpse_bound *bound);
/* For BLIND and SEQUENCE. */
gli_plan gli_bound_plan(const glimpse_bound *bound, uint32_t k);
/* Of lower bounds: what acting in a known state is worth at least. */
double gli_bound_known(const glimpse_bound *bound, uint32_t s);
/* Of lower bounds: what a choice (GLIMPSE_ANY: asking) and then the best plan of this bound that begins with it are
 * worth at least; -inf: there is none. */
double gli_bound_promise(const glimpse_bound *bound, uint32_t choice, glimpse_row belief);

/* The bound at a belief and, in *best, the first vector that attains it.  Sums go
 * over the states in ascending order.  Allocates nothing. */
static inline double gli_bound_at(const glimpse_bound *bound, glimpse_row belief, uint32_t *best) {
  enum { CHUNK = 64 };
  double largest = 0;
  *best = 0;
  for (uint32_t first = 0; first < bound->vectors; first += CHUNK) {
    uint32_t count = bound->vectors - first < CHUNK ? bound->vectors - first : CHUNK;
    double sum[CHUNK];
    for (uint32_t k = 0; k < count; k++) sum[k] = 0;
    for (size_t i = 0; i < belief.count; i++) {
      const double *line = bound->value + (size_t)belief.index[i] * bound->vectors + first;
      double p = belief.value[i];
      for (uint32_t k = 0; k < count; k++) sum[k] += p * line[k];
    }
    for (uint32_t k = 0; k < count; k++) {
      if ((first || k) && !(sum[k] > largest)) continue;
      largest = sum[k];
      *best = first + k;
    }
  }
  return largest;
}

/* Nominal nanoseconds that a sweep over known states takes for each non-zero of T (bench_bounds). */
#define GLI_WORK_MDP 2.0

/* What all families share while a bound is made. */
typedef struct gli_bound_task {
  const glimpse_model *model;
  double tolerance;
  uint64_t max_iterations;
  double effort;        /* of TIB and SEQUENCE: work in multiples of that of the bounds they start from */
  double deadline;      /* of gli_clock_now; infinite: none */
  gli_parallel *pool;   /* NULL: the calling thread alone */
  uint32_t block;       /* states per block of a sweep; depends on the model alone */
  double reward, price; /* the largest, without sign */
  double size;          /* (reward + price) / (1 - discount): no value is larger */
  double deviation;     /* largest distance of a row sum of T from 1 */
  uint64_t longest;     /* non-zeros of the longest row of T */
} gli_bound_task;

/* Bounds that are there already, for those that start from them; NULL: to be made. */
typedef struct gli_bound_given {
  const glimpse_bound *informed; /* FIB or FIB_SR */
  const glimpse_bound *upper;    /* any with `known` */
  const glimpse_bound *blind, *always_ask;
  uint32_t depth; /* SEQUENCE: all strings up to this length, and no others; 0: as the effort allows */
} gli_bound_given;

/* glimpse_bound_new, with bounds of the same model at hand. */
glimpse_status gli_bound_make(const glimpse_model *model, glimpse_bound_kind kind, const glimpse_bound_options *options,
                              const gli_bound_given *given, glimpse_report *report, glimpse_bound **bound);

/* The families.  Each fills vectors, value and, in the result, converged,
 * iterations, residual and error.  False: out of memory. */
bool gli_bound_blind(const gli_bound_task *task, glimpse_bound *bound);
bool gli_bound_always_ask(const gli_bound_task *task, glimpse_bound *bound);
bool gli_bound_qmdp(const gli_bound_task *task, glimpse_bound *bound);
/* FIB, or FIB-SR when the model has requests. */
bool gli_bound_fib(const gli_bound_task *task, glimpse_bound *bound);

/* TIB, or TIB-SR when the model has requests. */
bool gli_bound_tib_from(const gli_bound_task *task, const gli_bound_given *given, glimpse_bound *bound);
bool gli_bound_sequence(const gli_bound_task *task, const gli_bound_given *given, glimpse_bound *bound);

/* TIB: the largest over the actions of one look ahead at a belief, and asking; never above the vectors. */
double gli_tib_value(const glimpse_bound *bound, glimpse_row belief);
void gli_tib_free(gli_tib_parts *parts);

/* The vectors of QMDP for actions alone, and `known`. */
bool gli_bound_qmdp_actions(const gli_bound_task *task, glimpse_bound *bound);
/* FIB or FIB-SR, given the vectors of QMDP for actions. */
bool gli_bound_fib_from(const gli_bound_task *task, const glimpse_bound *qmdp, glimpse_bound *bound);

/* What asking in a state is worth at most when acting there is: rounding of a price far above the values must not
 * take away from it. */
static inline double gli_bound_ask_upper(double act, double price) {
  return price > 0 ? nextafter(act - price, INFINITY) : act;
}
/* What a product of a vector with a belief of so many entries is moved by, relative to its entries, to
 * be safe from rounding. */
double gli_bound_outward(size_t count);
/* Vector k at a belief, each entry moved up by so much of its size. */
double gli_bound_vector(const glimpse_bound *bound, uint32_t k, glimpse_row belief, double by);
/* The task with a part of the time that is left, where time is limited. */
gli_bound_task gli_bound_share(const gli_bound_task *task, double part);
/* Work of so many sweeps that take so long for each non-zero of T. */
double gli_bound_work(const gli_bound_task *task, uint64_t sweeps, double each);
/* Work that a bound may take which starts from bounds that took `before`. */
double gli_bound_allowance(const gli_bound_task *task, double before);

/* The result of the two taken together: the worse in everything. */
void gli_bound_join(glimpse_bound_result *result, const glimpse_bound_result *other);
/* Room for so many vectors; false: out of memory. */
bool gli_bound_reserve(glimpse_bound *bound, uint32_t vectors);

#endif
