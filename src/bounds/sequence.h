/* Sequence: strings of actions as plans from known states, while they are looked for and weighed. */
#ifndef GLI_BOUNDS_SEQUENCE_H
#define GLI_BOUNDS_SEQUENCE_H

#include "belief/belief.h"
#include "bounds/bound.h"
#include "bounds/strings.h"

enum { GLI_STRING_ASK = 0, GLI_SEQUENCE_LONGEST = 24 };

/* Nominal nanoseconds for each state that a string reaches. */
#define GLI_SEQUENCE_STATE_WORK 4.0

/* What the end of a string in a state is worth, and at most. */
typedef struct gli_sequence_worth {
  double ask, blind, most;
} gli_sequence_worth;

/* discount^j times the probability of being in each state. */
typedef struct gli_sequence_spread {
  gli_sparse at;
  double gained; /* so far */
  double size;   /* likewise, without signs */
} gli_sequence_spread;

/* Of a state: what is known of it without strings, and how that begins. */
typedef struct gli_sequence_base {
  double value;
  uint32_t action;
} gli_sequence_base;

typedef struct gli_sequence {
  const gli_bound_task *task;
  const glimpse_bound *blind, *always_ask; /* the latter, or what unsure.c makes of it; NULL without requests */
  const double *mdp;                       /* what a state is worth if it is always known */
  gli_sequence_worth *worth;
  double *known;           /* N */
  gli_sequence_base *base; /* where it started */
  uint32_t *string;
  gli_strings strings;
  gli_sequence_spread level[GLI_SEQUENCE_LONGEST + 1];
  double *mass;
  uint32_t *stamp, now;
  double margin;
  double work, allowance;
  uint32_t depth; /* all strings up to this length are tried */
  bool tails;     /* go on behind them with strings that are known */
  bool failed, late;
  double deadline, look;                                            /* when the clock is looked at again, in work */
  uint32_t path[GLI_SEQUENCE_LONGEST], found[GLI_SEQUENCE_LONGEST]; /* the string at hand, and the best so far */
  uint32_t length, end;                                             /* of the best; length 0: none */
  double best;
} gli_sequence;

/* The better of asking (above) and blind in each state.  False: out of memory, as everywhere here. */
bool gli_sequence_start(gli_sequence *it);
void gli_sequence_free(gli_sequence *it);
/* Looks for strings until nothing is gained or the allowance is used up; depth as in gli_bound_given. */
void gli_sequence_run(gli_sequence *it, uint32_t depth, glimpse_bound_result *result);

/* The empty string, level 0, in a state. */
void gli_sequence_stand(gli_sequence *it, uint32_t s);
/* One more action: level j + 1 from level j. */
bool gli_sequence_push(gli_sequence *it, uint32_t j, uint32_t a);
/* Is it to end: by memory, work or time?  The clock is read now and then, and only where there is a deadline. */
bool gli_sequence_over(gli_sequence *it);

#endif
