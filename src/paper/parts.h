/* Parts: what the files of the plain form share. */
#ifndef GLI_PAPER_PARTS_H
#define GLI_PAPER_PARTS_H

#include "paper/plain.h"

typedef struct gli_flow {
  uint32_t source;
  double weight;
} gli_flow;

typedef struct gli_tree { /* of a source */
  size_t flows;           /* the first of them */
  uint32_t flow_count;
  bool walked; /* nothing has changed in it since, ... */
  bool listed; /* ... or nothing that its flows depend on */
} gli_tree;

typedef struct gli_branch { /* of a node: what the policy meets from there, within the tree */
  double weight;            /* of the node, seen from the source */
  double peak, gap;         /* of the candidates, the largest weight times gap and the largest gap */
  uint32_t flows, own;      /* how many, and how many from this node */
  uint32_t before;          /* how many, by the walk before */
  uint32_t up, via;         /* its parent in the tree, and the choice there; GLI_NONE: it is a source */
  uint32_t choice;          /* that was followed */
  bool walked;              /* and nothing has changed since, here and below */
  bool altered;             /* the flows are not those of the walk before */
} gli_branch;

/* A choice of a parent leads to a node or corner.  Edges to the same stand in lines, each twice as long as the one
 * before: corners have thousands.  The first place of a line tells how many there are. */
typedef union gli_edge {
  struct {
    uint32_t parent, choice; /* as of gli_backup_mark */
  };
  struct {
    uint32_t before; /* a line; GLI_NONE: none */
    uint16_t count, capacity;
  };
} gli_edge;

typedef struct gli_step {
  uint32_t node;
  double weight; /* of the node */
} gli_step;

typedef struct gli_news {        /* of a node */
  double told_upper, told_lower; /* what its parents know */
  uint32_t line;                 /* the last of edges, unless it is a corner's node */
} gli_news;

typedef struct gli_ring { /* a queue */
  uint32_t *node;
  size_t capacity, first, count;
} gli_ring;

typedef struct gli_changes { /* of a node, apart for they are looked at most; choices as of gli_backup_mark */
  uint32_t fallen, risen;    /* those behind which an upper, a lower bound has changed since */
  uint32_t counts;           /* those whose upper bounds count: the greedy one, or all */
  bool queued;
} gli_changes;

struct gli_plain {
  gli_form form;
  gli_graph *graph;
  double threshold;
  uint32_t root; /* of the last run: all its choices are compared; GLI_NONE: none */
  /* selection; a source is a corner's state, or the number of states plus a node, or that number alone for the root
   * where it is the only other one */
  uint32_t walked_root; /* of the last walk; GLI_NONE: everything has changed since */
  bool still;           /* the last solution for Psi found it solved */
  uint32_t *row_of;     /* per source: its row + 1; 0: not reached */
  double *psi;          /* per source: as of the last selection */
  gli_tree *trees;      /* per source */
  size_t row_capacity, psi_capacity, tree_capacity;
  uint32_t *source; /* per row */
  size_t rows, source_capacity;
  double *reach, *residual; /* per row */
  size_t reach_capacity, residual_capacity;
  gli_flow *flows; /* of the trees; what was listed anew is at the end ... */
  size_t flow_count, flow_capacity;
  size_t enough;   /* ... and with so many all are listed anew */
  uint32_t *stale; /* sources whose trees have changed */
  size_t stale_count, stale_capacity;
  gli_branch *branches; /* per node */
  size_t branch_capacity;
  gli_step *steps;
  size_t step_count, step_capacity;
  uint32_t *order; /* nodes of a walk */
  size_t order_count, order_capacity;
  /* propagation */
  gli_edge *edges;
  size_t edge_count, edge_capacity;
  uint32_t *corner_line;   /* the last of edges, per state */
  gli_news *news;          /* per node */
  gli_changes *marks;      /* per node */
  gli_ring inner, corners; /* that wait to be backed up */
  size_t nodes, news_capacity, marks_capacity;
};

/* All that grows here counts. */
#define GLI_PLAIN_GROW(plain, array, capacity, need)                                                                   \
  (((array) && (need) <= (capacity)) || GLI_QUOTA_GROW(&(plain)->graph->quota, 0, array, capacity, need))

/* plain_walk.c: which fringe belief is next.
 * The number of a source; GLI_NONE: an inner node of a tree. */
uint32_t gli_plain_source(const gli_graph *graph, uint32_t node);
/* Room for all nodes that there are.  False: none. */
bool gli_plain_walk_grow(gli_plain *plain);
/* A new node, not yet the child of any. */
void gli_plain_walk_enter(gli_plain *plain, uint32_t node);
/* What the policy meets from a node has changed. */
void gli_plain_disturb(gli_plain *plain, uint32_t node);
/* Everything has. */
void gli_plain_forget(gli_plain *plain);

/* plain_news.c: who is told of a change.
 * Nodes that were made since are entered; then the walk knows of them, too.  False: no room. */
bool gli_plain_enter_new(gli_plain *plain);
/* A choice of a parent leads there.  False: no room, as below. */
bool gli_plain_add_parent(gli_plain *plain, uint32_t link, uint32_t parent, uint32_t choice);
/* What a choice leads to has changed. */
void gli_plain_mark(gli_plain *plain, uint32_t node, uint32_t choice);
/* The choices whose upper bounds count. */
uint32_t gli_plain_counting(const gli_graph *graph, uint32_t node);

#endif
