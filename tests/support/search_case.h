/* Search case: a model, its bounds, a graph and a search, made in all forms; and for models of two states the exact
 * value of every belief, by exact.h. */
#ifndef SUPPORT_SEARCH_CASE_H
#define SUPPORT_SEARCH_CASE_H

#include "graph/search.h"
#include "support/exact.h"
#include "support/random_model.h"

typedef struct search_case {
  uint64_t seed; /* named in failures */
  glimpse_model *model;
  glimpse_bound *upper, *blind, *always_ask; /* always_ask: NULL without requests */
  glimpse_bound *tib, *sequence;             /* for half of the seeds; else NULL */
  gli_graph *graph;
  gli_search *search;
  exact_line *line; /* of two states, once search_case_exact was called */
} search_case;

/* Options of all kinds, one set per number below SEARCH_CASE_OPTIONS: three sharings, three rules, and everything that
 * is learnt, then without vectors, without points, without corner values, without all of these. */
enum { SEARCH_CASE_FORMS = 5, SEARCH_CASE_OPTIONS = 9 * SEARCH_CASE_FORMS };
gli_graph_options search_case_options(unsigned number);
/* "corners, aems, vectors, points, live" */
const char *search_case_name(const gli_graph_options *options);

/* The model is taken over; its bounds are made, for half of the seeds also TIB and SEQUENCE.  Fails the test when that
 * fails. */
void search_case_start(search_case *c, uint64_t seed, glimpse_model *model);
/* Bounds that were stopped after one iteration leave more to do; always-ask is left out. */
void search_case_loosen(search_case *c);
/* With TIB and SEQUENCE, or without, whatever the seed. */
void search_case_extend(search_case *c, bool extended);
/* Makes graph and search anew, and begins at the model's start. */
void search_case_search(search_case *c, const gli_graph_options *options, bool plain);
void search_case_stop(search_case *c);
/* Another graph and search of the same case; the caller frees both. */
gli_search *search_case_other(const search_case *c, const gli_graph_options *options, bool plain);
/* Runs for so many expansions. */
glimpse_stop search_case_run(search_case *c, uint64_t expansions);
gli_node *search_case_root(const search_case *c);
/* Fails the test: seed, options, expansions so far, what, two numbers. */
void search_case_fail(const search_case *c, const char *what, double a, double b);

/* A random shape of two states; `requests` (or not), whatever the seed says otherwise. */
random_shape search_case_pair(uint64_t seed, bool requests);
/* Solves the model of two states. */
void search_case_exact(search_case *c);
/* V at a belief; the value of an action there (or of asking, the number of actions), and then of the best plan. */
double search_case_value(const search_case *c, glimpse_row belief);
double search_case_choice(const search_case *c, glimpse_row belief, uint32_t choice);
/* N: the best action. */
double search_case_act(const search_case *c, glimpse_row belief);
/* By how much the exact values may be off, generously. */
double search_case_error(const search_case *c);

#endif
