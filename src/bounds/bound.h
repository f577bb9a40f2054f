/* Bound: a set of vectors over states whose largest product with a belief bounds
 * the value there.  docs/ALGORITHM.md, "Offline bounds", says what they are and why they hold. */
#ifndef GLI_BOUNDS_BOUND_H
#define GLI_BOUNDS_BOUND_H

#include <math.h>

#include "bounds/task.h"
#include "glimpse.h"

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
  uint32_t action; /* GLIMPSE_ANY: it asks first */
  uint32_t next;   /* vector of the same bound that is followed whatever is observed, itself for blind
                      ones; GLI_PLAN_ASK: then it asks */
} gli_plan;

typedef struct gli_bound_class gli_bound_class;
typedef struct gli_tib_parts gli_tib_parts; /* tib.c */

struct glimpse_bound {
  const gli_bound_class *class;
  uint32_t states, vectors;
  double *value;      /* value[s * vectors + k]: a sparse belief reads whole lines */
  double *known;      /* upper bounds: what each state is worth if it were always known for free;
                         always-ask and sequence: what acting in it is worth at least; else NULL */
  double *asking;     /* sequence with requests: known - price, rounded down; else NULL */
  gli_plan *plan;     /* lower bounds: of each vector; NULL: how the plans begin is not known */
  uint32_t *follow;   /* always-ask of a model with inquiries: of each vector, for all observations, the one that is
                         followed; else NULL */
  uint32_t *first;    /* sequence: the action with which the plan behind `known` begins; else NULL */
  gli_tib_parts *tib; /* TIB, unless too large; else NULL */
  double work;        /* what it took, in nominal nanoseconds: counted, not measured */
  glimpse_bound_result result;
};

/* NULL: none (other kinds, or too large). */
const gli_tib *gli_bound_tib(const glimpse_bound *bound);
/* Of lower bounds that have plans. */
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

/* Bounds of the same model that are there already; NULL: not there. */
typedef struct gli_bound_given {
  const glimpse_bound *bound[GLIMPSE_BOUND_KINDS];
  uint32_t depth; /* SEQUENCE: all strings up to this length, and no others; 0: as the effort allows */
} gli_bound_given;

/* Models to which a kind applies. */
typedef enum gli_bound_where {
  GLI_BOUND_EVERYWHERE,
  GLI_BOUND_WITH_REQUESTS,
  GLI_BOUND_WITH_QUESTIONS, /* requests or inquiries */
  GLI_BOUND_WITHOUT_REQUESTS,
} gli_bound_where;

/* A bound that another one starts from, and the part of the time left that it may take. */
typedef struct gli_bound_need {
  glimpse_bound_kind kind;
  double part;
} gli_bound_need;

enum { GLI_BOUND_NEEDS = 3 }; /* at most so many, and one that ends the list */

/* A kind of bound: all that the library knows of it besides its row in GLIMPSE_BOUND_TABLE.  Declared in its own
 * file as gli_bound_class_NAME. */
struct gli_bound_class {
  /* Fills vectors, value and, in the result, converged, iterations, residual and error.  What the class needs and
   * applies to the model is among the given.  False: out of memory. */
  bool (*make)(const gli_bound_task *task, const gli_bound_given *given, glimpse_bound *bound);
  gli_bound_where where;
  glimpse_bound_kind instead;                /* where it does not apply; the kind itself: there is none */
  gli_bound_need needs[GLI_BOUND_NEEDS + 1]; /* those that apply are made first; part 0 ends the list */
  double (*value)(const glimpse_bound *bound, glimpse_row belief); /* NULL: the largest vector, moved outward */
  void (*free)(glimpse_bound *bound);                              /* NULL: nothing of its own */
  /* For planners (offline.c). */
  double part;   /* of the time left that it may take; 0: planners do not start from it */
  double effort; /* where it is not given; 0: it has no use for it */
  bool choice;   /* of these upper bounds planners start from the one that their user names */
};

#define X(name, key, side, text) extern const gli_bound_class gli_bound_class_##name;
GLIMPSE_BOUND_TABLE(X)
#undef X

/* NULL: there is no such kind. */
const gli_bound_class *gli_bound_class_get(glimpse_bound_kind kind);

/* glimpse_bound_new, with bounds of the same model at hand. */
glimpse_status gli_bound_make(const glimpse_model *model, glimpse_bound_kind kind, const glimpse_bound_options *options,
                              const gli_bound_given *given, glimpse_report *report, glimpse_bound **bound);

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
/* The same of a vector that lies entry by entry. */
double gli_bound_moved(const double *entries, size_t stride, glimpse_row belief, double by);
/* The largest vector at a belief, each entry moved outward; not below `least`. */
double gli_bound_largest(const glimpse_bound *bound, glimpse_row belief, double least);
/* The result of the two taken together: the worse in everything. */
void gli_bound_join(glimpse_bound_result *result, const glimpse_bound_result *other);
/* Room for so many vectors; false: out of memory. */
bool gli_bound_reserve(glimpse_bound *bound, uint32_t vectors);

#endif
