/* Inquiries: an oracle for models with inquiries and limits, and such models at random.
 *
 * The oracle is written from the recursion, with the public accessors alone, on beliefs of the model itself.  With k
 * requests and h steps left, j questions passed in this step, and m questions a step:
 *
 *   V(b,k,h,j) = max over
 *     actions a          R(b,a)            + g sum_o     P V(tau, k,   h-1, 0)
 *     a with i, k > 0    R(b,a) - price    + g sum_(o,z) P V(tau, k-1, h-1, 0)
 *     i as a step, k > 0        - price    + g sum_z     P V(b_z, k-1, h-1, 0)
 *     i before, k > 0, j < m    - price    +   sum_z     P V(b_z, k-1, h,   j+1)
 *
 * and 0 steps left are worth what is between the least and the most that can follow for ever, or nothing where a
 * horizon ends it. */
#ifndef SUPPORT_INQUIRIES_H
#define SUPPORT_INQUIRIES_H

#include "glimpse.h"

/* Between what V lies at a belief, looking ahead to about so many leaves, or to the horizon where there is one. */
void inquiries_value(const glimpse_model *model, glimpse_row belief, double leaves, double *low, double *high);
/* The same where so many questions have been asked in this step. */
void inquiries_later(const glimpse_model *model, glimpse_row belief, uint32_t asked, double leaves, double *low,
                     double *high);
/* The same of a move that is made first; -infinity: it cannot be made. */
void inquiries_worth(const glimpse_model *model, glimpse_row belief, const glimpse_move *move, double leaves,
                     double *low, double *high);

/* What a random model shall have. */
typedef struct inquiries_wish {
  uint32_t inquiries;    /* at least 1 */
  unsigned timings;      /* bits by glimpse_timing that may occur */
  bool state;            /* all of them tell the state, and nothing else about them is special */
  bool limit, horizon;   /* may be there */
  bool roomy;            /* a limit of requests that is far off, so that it is planned in layers */
  bool undiscounted;     /* discount 1; wants a horizon */
  bool patient;          /* discount from 0.95 to 0.99 instead of a small one */
  bool ends;             /* may have a terminal state */
  bool gains;            /* no reward is negative */
  uint32_t observations; /* 0: some */
} inquiries_wish;

/* The same for the same seed.  Fails the test when the library refuses it. */
glimpse_model *inquiries_make(const inquiries_wish *wish, uint64_t seed);

#endif
