/* Ceiling: an upper bound that proves itself.
 *
 * For each action a there are numbers u_a(s) for known states and U_i(a) for some beliefs b_i, the points.  Between
 * them the sawtooth reads, with w_i = min_s b(s) / b_i(s) over the states of b_i,
 *
 *   U_a(b) = <b,u_a> + min_i w_i min(0, U_i(a) - <b_i,u_a>)
 *   U(b)   = max{ max_a U_a(b), sum_s b(s) [max_a u_a(s) - price(s)] }    (without requests the first alone)
 *
 * If no number is below its own look ahead,
 *
 *   T_a U (b) = R(b,a) + discount sum_o P(o|b,a) U(tau(b,a,o)),
 *
 * then V <= U.  Proof: let W_a be the largest convex function that is at most the numbers where they stand, and W made
 * of the W_a like U of the U_a.  W_a <= U_a, because the sawtooth is one of the combinations W_a takes the least of.
 * T_a W is convex and, where numbers stand, at most T_a U and so at most the number; hence T_a W <= W_a everywhere.  So
 * one look ahead from W, asking included, is nowhere above W, and V, to which looking ahead converges, is at most
 * W <= U.  If numbers are below their look ahead by at most e, V <= U + e / (1 - discount). */
#ifndef GLI_POLICY_CEILING_H
#define GLI_POLICY_CEILING_H

#include "glimpse.h"

typedef struct gli_ceiling {
  uint32_t states, actions;
  double *corner; /* corner[s * actions + a]: u_a(s) */
  size_t points;
  size_t *first; /* of a point its first entry; points + 1 */
  uint32_t *state;
  double *mass;  /* entries: states ascending, probabilities positive */
  double *value; /* value[i * actions + a]: U_i(a); infinite: this action has no number there */
  size_t first_capacity, state_capacity, mass_capacity, value_capacity;
} gli_ceiling;

/* Corners are infinite, and there are no points.  NULL: out of memory. */
gli_ceiling *gli_ceiling_new(uint32_t states, uint32_t actions);
void gli_ceiling_free(gli_ceiling *ceiling);
/* False: out of memory. */
bool gli_ceiling_add(gli_ceiling *ceiling, glimpse_row belief, const double *values);
static inline glimpse_row gli_ceiling_point(const gli_ceiling *ceiling, size_t i) {
  size_t first = ceiling->first[i];
  return (glimpse_row){ceiling->first[i + 1] - first, ceiling->state + first, ceiling->mass + first};
}

/* settle.c: fills a ceiling with numbers that prove themselves and are low at the start; what was in it is forgotten.
 * It begins with what a search from the same start knows (seed.c), if there is one, and adds beliefs that the bound
 * rests on, as long as `until` (gli_clock_now; infinite: for ever) has not come, `target` is not reached,
 * *interrupt is 0 and work still helps; last it leaves out what nothing rests on.  `lower`, a lower bound at any
 * belief, tells where there is nothing to gain.  Without a limit of time the result depends on nothing but the input.
 * Whenever it ends the ceiling proves itself, up to rounding.  False: out of memory. */
typedef struct gli_settle {
  double target;                  /* upper bound at the start that is low enough, ... */
  double (*await)(void *context); /* ... or asked for when it is first needed, once at most; NULL: it is known */
  double until;
  const volatile int *interrupt;                                  /* may be NULL */
  double (*lower)(const void *lower_context, glimpse_row belief); /* may be NULL */
  const void *lower_context;
  const struct gli_graph *graph;                 /* a search from the same start; may be NULL */
  const glimpse_bound *informed;                 /* the fast informed bound; NULL: it is made */
  void (*progress)(void *context, double upper); /* may be NULL */
  void *context;
  uint64_t max_bytes;
  bool *full; /* set where more memory would have been used; may be NULL */
  unsigned jobs;
} gli_settle;
bool gli_ceiling_settle(gli_ceiling *ceiling, const glimpse_model *model, glimpse_row start, const gli_settle *how,
                        double *upper);

/* prove.c, which shares nothing with settle.c: what the ceiling proves. */
typedef struct gli_proved {
  double excess;    /* by how much a number is below its look ahead, at most; rounding is allowed for */
  double upper;     /* of the value at the start */
  uint64_t numbers; /* that were checked */
} gli_proved;
/* False: out of memory. */
bool gli_ceiling_prove(const gli_ceiling *ceiling, const glimpse_model *model, glimpse_row start, gli_proved *proved);
/* The same bits, by so many threads. */
bool gli_ceiling_prove_by(const gli_ceiling *ceiling, const glimpse_model *model, glimpse_row start, unsigned jobs,
                          gli_proved *proved);

/* The same, kept to tell the upper bound at any belief.  The ceiling and the model must stay.  NULL: out of memory. */
typedef struct gli_proof gli_proof;
gli_proof *gli_proof_new(const gli_ceiling *ceiling, const glimpse_model *model, glimpse_row start, gli_proved *proved);
void gli_proof_free(gli_proof *proof);
/* Infinite where nothing is proved.  Linear in the belief and the points that it contains. */
double gli_proof_upper(gli_proof *proof, glimpse_row belief);

#endif
