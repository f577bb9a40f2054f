/* Exact: independent oracles for the value of small models, written naively from
 * the recursion
 *
 *   V(b) = max{ N(b), sum_s b(s) [N(s) - c(s)] }        (without requests: N(b))
 *   N(b) = max_a [ R(b,a) + discount * sum_o P(o|b,a) V(tau(b,a,o)) ]
 *
 * with the public accessors alone.  They share nothing with the library's own
 * updates, bounds or searches. */
#ifndef SUPPORT_EXACT_H
#define SUPPORT_EXACT_H

#include "glimpse.h"

/* The whole tree to a horizon, for models with few actions and observations. */
typedef struct exact_tree exact_tree;

/* Tabulates N_h(s) up to the horizon.  Fails the test when out of memory. */
exact_tree *exact_tree_new(const glimpse_model *model, unsigned horizon);
void exact_tree_free(exact_tree *tree);
/* Between what V lies at a dense belief: V_h plus discount^h times the least and
 * the most that can follow for ever (never asking is allowed, so the least is the
 * smallest reward). */
void exact_tree_value(const exact_tree *tree, const double *belief, double *low, double *high);
/* A horizon for which the tree has about so many leaves. */
unsigned exact_tree_horizon(const glimpse_model *model, double leaves);

/* Value iteration over convex functions of one number, for models of two states:
 * V to about 1e-10 (times the largest value), however long the horizon. */
typedef struct exact_line exact_line;

exact_line *exact_line_new(const glimpse_model *model);
void exact_line_free(exact_line *line);
/* V at the belief (1 - p, p). */
double exact_line_value(const exact_line *line, double p);

#endif
