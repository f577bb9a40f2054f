/* Graph case: a model, its bounds, a graph and a search, for the tests of the graph. */
#ifndef SUPPORT_GRAPH_CASE_H
#define SUPPORT_GRAPH_CASE_H

#include "graph/search.h"
#include "support/check.h"

typedef struct graph_case {
  uint64_t seed; /* named in failures */
  glimpse_model *model;
  glimpse_bound *upper, *blind, *always_ask;  /* always_ask: NULL without requests */
  glimpse_bound *tib, *sequence;              /* of odd seeds only */
  const glimpse_bound *uppers[2], *lowers[3]; /* the same as lists */
  gli_graph *graph;
  gli_search *search;
  gli_check_history *history;
} graph_case;

/* Options of all kinds, one set per number below GRAPH_CASE_OPTIONS: three sharings,
 * three rules, live or not, vectors and points learnt or not.  Eager is for the plain form only. */
enum { GRAPH_CASE_OPTIONS = 72 };
gli_graph_options graph_case_options(unsigned number);
/* "corners, aems, live, vectors" */
const char *graph_case_name(const gli_graph_options *options);

/* The model is taken over; its bounds are made, those of odd seeds with TIB and SEQUENCE.  Fails the test when that
 * fails. */
void graph_case_start(graph_case *c, uint64_t seed, glimpse_model *model);
/* Makes graph and search anew, and begins at the model's start. */
void graph_case_search(graph_case *c, const gli_graph_options *options, bool plain);
void graph_case_stop(graph_case *c);

gli_graph_bounds graph_case_bounds(graph_case *c);
/* Fails the test with the checker's sentence and the seed when something is wrong. */
void graph_case_check(graph_case *c, gli_check_level level);
/* The same for bounds since the last look. */
void graph_case_look(graph_case *c);
/* Backs up all nodes once, and opens what is greedy; true: something changed. */
bool graph_case_sweep(gli_graph *graph);
/* The same until nothing changes. */
void graph_case_converge(gli_graph *graph);
/* Expands so often, with the work between; why it ended before, or NONE.  What a
 * run has looked at for its answer is taken back first. */
glimpse_stop graph_case_expand(graph_case *c, uint64_t count);
/* Fails the test: seed, options, what, two numbers. */
void graph_case_fail(const graph_case *c, const char *what, double a, double b);

#endif
