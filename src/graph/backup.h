/* Backup: bounds of a node from where its choices lead.  Pure arithmetic: nothing is made or opened. */
#ifndef GLI_GRAPH_BACKUP_H
#define GLI_GRAPH_BACKUP_H

#include "graph/graph.h"

/* Computes the bounds of the greedy choice and of the plan again, until these are the ones computed, and takes them
 * into the node; true when a bound or the greedy choice changed. */
bool gli_backup(gli_graph *graph, uint32_t node);
/* The same for all choices, which a decision compares. */
bool gli_backup_all(gli_graph *graph, uint32_t node);
/* Sets of choices: each has a bit, all from this number on share one. */
enum { GLI_BACKUP_APART = 31 };
static inline uint32_t gli_backup_mark(uint32_t choice) {
  return (uint32_t)1 << (choice < GLI_BACKUP_APART ? choice : GLI_BACKUP_APART);
}
/* Gives the node the bounds and the greedy choice of gli_backup_all, if since the last such call lower bounds have
 * changed only behind the choices `risen`, and upper bounds only behind `risen` and `fallen`.  Returns the choices
 * whose upper bounds are still old; none of them is the largest. */
uint32_t gli_backup_some(gli_graph *graph, uint32_t node, uint32_t risen, uint32_t fallen);
/* Must the greedy choice be opened before the node's bounds are those of a belief with all its children? */
static inline bool gli_backup_wants(const gli_graph *graph, uint32_t node) {
  gli_node *n = gli_graph_node(graph, node);
  return !gli_node_opened(graph, n, n->greedy);
}
/* The choice of a node by its lower bounds, because they are promises: the largest; among equals the one with the
 * larger upper bound, then an action before asking, then the smaller index. */
uint32_t gli_backup_decide(const gli_graph *graph, uint32_t node);
/* A lower bound of a choice is known from a vector (GLI_NO_VECTOR: one that always stays). */
void gli_backup_raise(gli_graph *graph, gli_node *node, uint32_t choice, double lower, uint32_t vector);
/* The bounds of a corner's node are read by every belief that may ask and, when live, by every new child. */
void gli_backup_publish(gli_graph *graph, gli_node *node);

#endif
