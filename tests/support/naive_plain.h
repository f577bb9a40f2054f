/* Naive plain: the search as the paper writes it, without anything that is kept from one expansion to the next but Psi:
 * all trees are walked at each selection, and each node that is told something is backed up in full. */
#ifndef SUPPORT_NAIVE_PLAIN_H
#define SUPPORT_NAIVE_PLAIN_H

#include "graph/pass.h"

typedef struct naive_plain naive_plain;

naive_plain *naive_plain_new(gli_graph *graph);
void naive_plain_free(naive_plain *plain);
/* Expands the root.  False, here and below: nothing was done, for nothing is left or for lack of memory. */
bool naive_plain_root(naive_plain *plain, double threshold);
/* One expansion. */
bool naive_plain_step(naive_plain *plain, double threshold);

#endif
