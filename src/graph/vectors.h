/* Vectors: lower bounds of plans, which hold at all beliefs. */
#ifndef GLI_GRAPH_VECTORS_H
#define GLI_GRAPH_VECTORS_H

#include "base/random.h"
#include "graph/graph.h"
#include "graph/tuning.h"

#define GLI_ASK GLI_NO_VECTOR /* as a successor: ask, then follow the plan of the corner */

typedef struct gli_vector { /* followed by the successors of all observations, and the values of all states */
  uint32_t action;
  uint32_t slot; /* in the matrix; GLI_NONE: not in use any more, but some bound rests on it; free: the next free one */
  uint32_t state; /* GLI_VECTOR_... */
  uint32_t unused;
} gli_vector;

enum { GLI_VECTOR_FREE, GLI_VECTOR_FIXED, GLI_VECTOR_LEARNT, GLI_VECTOR_MARKED };

struct gli_vectors {
  const glimpse_bound *given[2];      /* bounds that have plans, borrowed; NULL: none */
  uint32_t count, live, most;         /* vectors there are, with free ones; without; at most */
  uint32_t free;                      /* list, by slot */
  size_t capacity, bytes;             /* of each */
  bool closed;                        /* there is no room for more until room is made */

  uint32_t width, used, fixed; /* slots of the matrix; in use; that hold bounds from before the search */
  uint32_t first;              /* slots that may be in use at first */
  uint32_t *vector_of;         /* slot */
  uint32_t *action_of;         /* slot: its action */
  double *wins;                /* slot: how often it was the best, lately */
  double *matrix;              /* states x width: values of the vectors in use */
  double *defaults;            /* per observation (or one line for all) and slot: sum of values where it may be shown */
  uint32_t *shown;             /* of an observation the first ... */
  uint32_t *shows;             /* ... of the states that may show it; NULL: all states, for all observations */

  double *products;     /* scratch, a line */
  double *lines;        /* scratch, a line per observation, and one number for asking before each */
  double *values;       /* scratch, a number per state; twice */
  uint32_t *successors; /* scratch, two per observation */
  uint32_t *stack;      /* scratch of marking */
  uint32_t *path;       /* sampled, ... */
  uint32_t path_count;  /* ... of which so many are still to be backed up */
  gli_random random;
  gli_trial trial; /* of evaluating at selected beliefs */
  gli_trial backups;
  double owed;  /* point backups */
  double usual; /* work of one at a belief that is expanded, lately */
  uint32_t added;
};

struct gli_vectors *gli_vectors_new(gli_graph *graph, gli_graph_bounds bounds);
void gli_vectors_free(struct gli_vectors *vectors);
/* Bytes whatever is learnt; also before there are any. */
uint64_t gli_vectors_fixed(const gli_graph *graph);
/* Only what was there before the search stays. */
void gli_vectors_clear(gli_graph *graph);

/* The best lower bound at a belief, and the vector it rests on (GLI_NO_VECTOR: one that always stays). */
double gli_vectors_evaluate(gli_graph *graph, glimpse_row belief, uint32_t *vector);
/* Raises the lower bounds of a node's actions.  `evaluated`: its belief is the last that gli_vectors_evaluate saw, and
 * no vector has come since. */
void gli_vectors_raise(gli_graph *graph, gli_node *node, bool evaluated);
/* One vector at a belief, moved down by rounding. */
double gli_vectors_value(const gli_graph *graph, uint32_t vector, glimpse_row belief);
/* Raises a node by one vector. */
void gli_vectors_rest(gli_graph *graph, gli_node *node, uint32_t vector);
/* What a vector does after an observation: a vector, or GLI_ASK. */
uint32_t gli_vectors_successor(const gli_graph *graph, uint32_t vector, uint32_t observation);

/* Frees what no bound rests on. */
void gli_vectors_sweep(gli_graph *graph);

/* learn.c: a node was expanded. */
void gli_vectors_expanded(gli_graph *graph, uint32_t node);
/* So many point backups more are owed. */
void gli_vectors_owe(gli_graph *graph, double backups);
/* The next piece of learning: samples a path, or backs up one belief of it.  False: nothing is owed. */
bool gli_vectors_learn(gli_graph *graph);
/* vectors.c: takes the values in scratch as a new vector; GLI_NO_VECTOR: no room. */
uint32_t gli_vectors_add(gli_graph *graph, uint32_t action, const uint32_t *successors, const double *values);

static inline gli_vector *gli_vectors_at(const gli_graph *graph, uint32_t vector) {
  return (gli_vector *)(void *)(graph->region[GLI_REGION_VECTORS].start + vector * graph->vectors->bytes);
}
/* G7, for asserts: may a bound rest on it, or a vector go on with it? */
static inline bool gli_vectors_exists(const gli_graph *graph, uint32_t vector) {
  return graph->vectors && vector < graph->vectors->count && gli_vectors_at(graph, vector)->state != GLI_VECTOR_FREE;
}
static inline uint32_t *gli_vector_successors(gli_vector *vector) {
  return (uint32_t *)(void *)(vector + 1);
}
static inline double *gli_vector_values(const gli_graph *graph, gli_vector *vector) {
  size_t successors = (graph->model->observations + (size_t)1) & ~(size_t)1;
  return (double *)(void *)(gli_vector_successors(vector) + successors);
}

#endif
