/* Outlook: what an action shows from a state, and what is known of where it leads.
 *
 * For an action a, a state s and an observation o that may follow there is an *entry*, and its line is
 *   sum over s' of T(s'|s,a) O(o|a,s') times the graph's line of s',
 * so that the sums of a child are lines of its parent's states, weighted.
 *
 * Lines are added up when they are first needed, and again after the line of a state they lead to has changed.
 * That pays where an action leads to few states, and they show few observations; elsewhere there is no outlook. */
#ifndef GLI_GRAPH_OUTLOOK_H
#define GLI_GRAPH_OUTLOOK_H

#include "graph/graph.h"

typedef struct gli_entry {
  uint32_t observation;
  uint32_t state; /* the only one that it leads to; GLI_NONE: several */
} gli_entry;

typedef struct gli_outlook {
  size_t rows, states;
  uint32_t *row;    /* of row a * states + s the first entry; one more is the end */
  gli_entry *entry; /* in the order in which T leads to them */
  double *lines;    /* `stride` numbers per entry */
  uint32_t *path;   /* of an entry the first ... */
  uint32_t *to;     /* ... of the states that it leads to; one more is the end; ... */
  double *chance;   /* ... and T(s'|s,a) of each */
  bool *old;        /* per row: its lines have to be added up */
  bool *told;       /* of a state: all rows that lead to it are old */
  uint32_t *way;    /* of a state the first ... */
  uint32_t *source; /* ... of the rows that lead to it; one more is the end */
  uint32_t *place;  /* scratch, one per observation */
  double rounding;  /* of the sums of a child, in units of GLI_UNIT */
  uint64_t bytes;
} gli_outlook;

/* Where it would take more than `most` bytes, or not pay, there is none.  False: out of memory. */
bool gli_outlook_new(const gli_graph *graph, uint64_t most, gli_outlook **outlook);
void gli_outlook_free(gli_outlook *outlook);
/* Adds up the lines of a row. */
void gli_outlook_add_up(const gli_graph *graph, size_t row);
/* All lines are old. */
void gli_outlook_forget(gli_outlook *outlook);
/* The line of a state has changed. */
void gli_outlook_tell(gli_outlook *outlook, uint32_t state);

#endif
