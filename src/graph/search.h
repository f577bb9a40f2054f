/* Search: expands a graph until a budget is used up. */
#ifndef GLI_GRAPH_SEARCH_H
#define GLI_GRAPH_SEARCH_H

#include "graph/pass.h"

/* A pass, phase by phase. */
typedef enum gli_phase {
  GLI_PHASE_SELECT,      /* walks the greedy policy, and chooses what to expand */
  GLI_PHASE_EXPAND,      /* the chosen, one by one */
  GLI_PHASE_BACKUP,      /* what was walked past, in reverse order */
  GLI_PHASE_PLAN,        /* walks the plan */
  GLI_PHASE_PLAN_BACKUP, /* likewise */
  GLI_PHASE_LEARN        /* vectors */
} gli_phase;

/* Another way to search than by passes, which expands as it likes and keeps nothing when the root moves.  What it is
 * embeds this as its first member. */
typedef struct gli_form gli_form;
struct gli_form {
  void (*free)(gli_form *form);
  void (*clear)(gli_form *form);        /* the graph was cleared */
  glimpse_stop (*root)(gli_form *form); /* as gli_search_root */
  glimpse_stop (*step)(gli_form *form); /* as gli_search_step */
};

typedef struct gli_search {
  gli_graph *graph;
  gli_form *form; /* NULL: passes */
  gli_pass pass;
  gli_phase phase;
  bool begun;        /* the walk of this phase is */
  size_t next;       /* of the order, backwards */
  uint32_t telling;  /* place that there was no time to tell; GLI_NONE: none */
  uint32_t growing;  /* node that there was no time to grow; GLI_NONE: none */
  bool changed;      /* some bound did, in this pass */
  bool still;        /* none did in the last, and nothing was left to expand */
  void *before;      /* the root's node before all its choices were looked at, ... */
  bool looked;       /* ... if they were */
  uint64_t passes;   /* in all */
  uint64_t most;     /* it expands so many */
  double worst;      /* the last score that was chosen */
  uint64_t expanded; /* by this pass ... */
  uint64_t returned; /* ... and those chosen that went back with better bounds, or were met before */
  uint64_t units;    /* of work, in all */
  double deadline;   /* of the run under way; infinite: none */
  bool crowded;      /* there was no time to make room: it is made when there is, or at the next move */
  unsigned futile;   /* how often in a row making room has freed little ... */
  unsigned wait;     /* ... and so many moves until it is tried again */
  uint64_t began;    /* expansions when the root moved, or the pass under way was given up */
  gli_bounds seen;   /* of the root, after the last pass; infinite: none ... */
  double rise, fall; /* ... and how much they have come nearer lately */
  double slack;      /* by how much the value at the root's node may differ from that at the belief it stands for */
  double saved;      /* seconds that runs had left when there was no time to make room */
  uint64_t live;     /* bytes in use after room was last made */
  uint64_t dropped;  /* beliefs forgotten for lack of memory, in all */
} gli_search;

/* Borrows the graph; takes the form, also where it fails.  NULL: out of memory. */
gli_search *gli_search_new(gli_graph *graph, gli_form *form);
void gli_search_free(gli_search *search);
/* Bytes whatever it grows to. */
uint64_t gli_search_fixed(const gli_search *search);

/* One unit of work: a piece of a walk, an expansion, some backups.  Returns NONE, or why there can be no more. */
glimpse_stop gli_search_step(gli_search *search);
/* Opens all choices of the root, which a decision compares. */
glimpse_stop gli_search_root(gli_search *search);
/* Until the budget is used up.  Afterwards the root has the bounds that are known by then. */
glimpse_stop gli_search_run(gli_search *search, const glimpse_budget *budget, double started);
/* Takes back what a run did for its answer alone; each run does so first. */
void gli_search_look_away(gli_search *search);
/* Is the choice at the root certain: its lower bound not below the upper bound of any other? */
bool gli_search_decided(const gli_graph *graph);

/* room.c: what is done when memory is short.
 * The pass under way is given up: the root or the graph has changed. */
void gli_search_restart(gli_search *search);
/* Near the memory limit: frees what is not reached, then what matters least.  False: that freed little, or there was no
 * time for it. */
bool gli_search_make_room(gli_search *search);

/* move.c: where the root is.  In these functions false means: no room for even the root.
 * All beliefs are forgotten and this one becomes the root.  `restore`: so is what the bounds have learnt.  With
 * keep_corners the graph is kept. */
bool gli_search_begin(gli_search *search, glimpse_row belief, bool keep_corners, bool restore);
/* The state was told: the root is its corner. */
bool gli_search_reveal(gli_search *search, uint32_t s);
/* The root moves to the child of a and o, whose belief is given. */
bool gli_search_move(gli_search *search, uint32_t a, uint32_t o, glimpse_row belief);
/* An upper bound at the root is known from elsewhere. */
void gli_search_limit(gli_search *search, double upper);
/* No room for anything else: forgets everything but this root, and the lower bounds that nothing stands behind. */
bool gli_search_give_up(gli_search *search, glimpse_row belief, bool restore);

#endif
