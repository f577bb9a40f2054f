/* Successors: what each action shows from each known state, and the beliefs that follow. */
#ifndef GLI_BOUNDS_SUCCESSORS_H
#define GLI_BOUNDS_SUCCESSORS_H

#include "glimpse.h"

/* Belief i < states is certain of state i; the others follow, each different from all others,
 * bit by bit. */
typedef struct gli_successors {
  uint32_t *first;       /* of row a * states + s its first entry; one more is the end */
  uint32_t *observation; /* per entry, ascending within a row */
  uint32_t *belief;      /* per entry */
  double *chance;        /* per entry: P(o|s,a) */
  uint32_t states, beliefs;
  size_t *start;    /* of belief states + i its first state; one more is the end */
  uint32_t *state;  /* of the beliefs that are not certain */
  double *weight;   /* likewise; they sum to 1 within rounding */
  uint64_t longest; /* states of the largest belief */
  uint64_t shown;   /* most entries that the rows of one belief and action have together */
  double work;      /* entries met in one sweep over all actions of all beliefs, by belief and state */
} gli_successors;

/* How it ended. */
typedef enum gli_successors_end {
  GLI_SUCCESSORS_MADE,
  GLI_SUCCESSORS_LARGE,
  GLI_SUCCESSORS_NO_MEMORY
} gli_successors_end;

/* Makes them unless there were more than `most` beliefs, or more than `work` entries to look at; what was
 * made is to be freed in any case. */
gli_successors_end gli_successors_start(gli_successors *made, const glimpse_model *model, double most, double work);
void gli_successors_free(gli_successors *made);
/* Forgets what the beliefs are, and keeps the rows. */
void gli_successors_forget(gli_successors *made);

/* The states of a belief; *one and *state are room for a certain one. */
static inline glimpse_row gli_successors_belief(const gli_successors *made, uint32_t belief, const uint32_t *state,
                                                const double *one) {
  if (belief < made->states) return (glimpse_row){1, state, one};
  size_t first = made->start[belief - made->states];
  return (glimpse_row){made->start[belief - made->states + 1] - first, made->state + first, made->weight + first};
}

#endif
