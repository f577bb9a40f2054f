/* Walk: where the search goes next, at a cost that does not grow with the graph. */
#ifndef GLI_GRAPH_WALK_H
#define GLI_GRAPH_WALK_H

#include "graph/reach.h"

typedef struct gli_frame {
  uint32_t node, choice, child, end;
  double weight;  /* of the node, seen from the origin of the walk */
  double through; /* of the choice being walked */
  double left;    /* of 1: what the choices walked so far have not taken */
  bool changed;   /* a choice has */
} gli_frame;

typedef struct gli_path { /* where a walk is */
  uint32_t origin;        /* GLI_NONE: none is under way */
  gli_frame *frames;
  size_t depth, capacity;
} gli_path;

typedef struct gli_walk {
  gli_graph *graph;
  gli_reaches reach;

  /* the walk under way */
  gli_path path;
  gli_path aside;    /* of the walk of the other kind, which waits */
  bool by_lower;     /* this walk follows the lower bounds: only while these are raised */
  uint32_t next;     /* the origin after which to look for the next one */
  bool changed;      /* since it was last set to false: any bound, policy or flow */
  double sweep_work; /* work units that are owed */

  /* the sweep that raises lower bounds */
  uint32_t raised;   /* the next origin is the one before; 0: the sweep is over */
  double raise_work; /* work units that are owed to it */
  double raise_cost; /* what it has taken so far */
  double mass;       /* that goes along with its walk */
  double lower;      /* of its origin, before it was walked */
  double rise;       /* the largest rise so far */
  double rest;       /* expansions to wait before the next sweep */

  unsigned behind;    /* expansions whose work is still to be done */
  uint32_t left;      /* origins that the round which settles has not come to ... */
  uint32_t circle;    /* ... of so many */
  bool forward;       /* the round that settles goes from the first origin to the last */
  double settling;    /* work done by settling, in all */
  double deadline;    /* settling ends here, at the next origin; infinite: none */
  uint32_t patrol;    /* the next belief to look at is the one before */
  double patrol_work; /* looks that are owed, if all of them find news */
  unsigned passed;    /* beliefs that it has passed by */
} gli_walk;

gli_walk *gli_walk_new(gli_graph *graph); /* NULL: out of memory */
void gli_walk_free(gli_walk *walk);
/* The graph was cleared. */
void gli_walk_clear(gli_walk *walk);
/* Call after origins were made or the root has moved.  False: out of memory. */
bool gli_walk_sync(gli_walk *walk);
/* The origin is about to be freed; `holder` (or GLI_NONE) is the only other origin
 * whose tree has an alias of it. */
void gli_walk_forget(gli_walk *walk, uint32_t origin, uint32_t holder);
/* All keys anew. */
void gli_walk_rekey(gli_walk *walk);
/* The bounds or the score of an origin have changed. */
void gli_walk_told(gli_walk *walk, uint32_t origin);
/* The fringe record to expand, GLI_NONE when none is known. */
uint32_t gli_walk_select(const gli_walk *walk);
/* What is due after an expansion: refreshes origins, one after the other, raises lower bounds and
 * looks at some beliefs again in the order of the store. */
void gli_walk_work(gli_walk *walk);
/* Until nothing changes (or `rounds` rounds, of bounded work each).  False: out of memory. */
bool gli_walk_settle(gli_walk *walk, unsigned rounds);
/* Looks for something to expand where none is known: as one round, which ends when something is found, and goes on
 * there the next time. */
bool gli_walk_seek(gli_walk *walk);
/* A walk that is under way is given up: beliefs are about to be freed. */
void gli_walk_abandon(gli_walk *walk);

#endif
