/* Policy: a finite controller, what it is worth, and a function that no policy exceeds.
 *
 * A node of the controller makes a choice, an action or asking, and has an edge for each thing that may be seen then:
 * an observation, or the state that is told.  After asking comes an action.  Node 0 is the first.
 *
 * Invariants (gli_policy_whole checks them):
 *   P1  there is a node; choices are actions, or GLIMPSE_ANY.
 *   P2  the edges of a node stand together, their labels ascend, and they lead to nodes.
 *   P3  after asking comes an action.
 *   P4  the start is a belief: states ascend, probabilities are positive and sum to 1, within rounding. */
#ifndef GLI_POLICY_POLICY_H
#define GLI_POLICY_POLICY_H

#include "glimpse.h"
#include "model/names.h"
#include "policy/ceiling.h"

struct glimpse_policy {
  uint32_t states, actions, observations;
  uint64_t digest;    /* of the model */
  char *model;        /* what it was called; NULL: nothing */
  char *version;      /* of the library that made it; NULL: this one */
  gli_names names[3]; /* by glimpse_kind; copies of the model's */
  uint32_t start_count;
  uint32_t *start_state;
  double *start_mass;

  uint32_t nodes;
  uint32_t *choice;    /* per node: an action, or GLIMPSE_ANY: it asks */
  uint64_t *first;     /* of a node its first edge; nodes + 1 */
  uint32_t *seen, *to; /* per edge */
  uint32_t depth;      /* choices from the first node to the farthest */

  /* Of all nodes in all states: what others say that they are worth; NULL: nothing.  Then the node is that of the
   * largest product with the belief, whatever the edges say, which serve its evaluation. */
  double *vector;

  double lower, upper;  /* what was proved when it was made; infinite: nothing */
  double requests;      /* expected, discounted */
  gli_ceiling *ceiling; /* NULL: none */
};

/* Without any node, for this model and start; the names are copied.  NULL: out of memory. */
glimpse_policy *gli_policy_new(const glimpse_model *model, const char *name, glimpse_row start);
static inline glimpse_row gli_policy_start(const glimpse_policy *policy) {
  return (glimpse_row){policy->start_count, policy->start_state, policy->start_mass};
}
/* The edge of a node for what is seen; first[node + 1]: there is none. */
static inline uint64_t gli_policy_edge(const glimpse_policy *policy, uint32_t node, uint32_t seen) {
  uint64_t low = policy->first[node], end = policy->first[node + 1], high = end;
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    if (policy->seen[middle] < seen) low = middle + 1;
    else high = middle;
  }
  return low < end && policy->seen[low] == seen ? low : end;
}
/* P1 to P4. */
bool gli_policy_whole(const glimpse_policy *policy);

/* pairs.c: finds `depth`.  False: out of memory. */
bool gli_policy_find_depth(glimpse_policy *policy);

/* The nodes of a policy in the making: they come one after the other, each with its edges. */
typedef struct gli_edge_list {
  uint32_t *choice, *seen, *to;
  uint64_t *first; /* nodes + 1 */
  size_t nodes, edges, choice_capacity, first_capacity, seen_capacity, to_capacity;
} gli_edge_list;
/* The next node; its edges follow.  False: out of memory. */
bool gli_edge_list_node(gli_edge_list *list, uint32_t choice);
/* They may come in any order, each label once. */
bool gli_edge_list_edge(gli_edge_list *list, uint32_t seen, uint32_t to);
void gli_edge_list_free(gli_edge_list *list);
/* The policy takes the list, instead of the nodes that it has. */
void gli_policy_take(glimpse_policy *policy, gli_edge_list *list);

/* minimise.c: nodes that cannot be reached from the first go, equal nodes become one, and the others are numbered in
 * the order in which they are met from the first.  False: out of memory. */
bool gli_policy_minimise(glimpse_policy *policy);

/* pairs.c: leaves only edges that can be followed from the start, and where something may happen for which there is no
 * edge adds one to the node `fallback`.  False: out of memory, or too large. */
bool gli_policy_cover(glimpse_policy *policy, const glimpse_model *model, uint32_t fallback);

/* What a policy earns from its start. */
typedef struct gli_worth {
  double value;    /* up to rounding */
  double lower;    /* sure */
  double residual; /* by how much an equation is off, at most */
  double requests; /* expected, discounted */
  uint64_t pairs;  /* of node and state that are met */
} gli_worth;

/* evaluate.c: solves the equations of all pairs of node and state that can be met from the start.  NOT_APPLICABLE when
 * something may happen for which there is no edge; the report says what. */
glimpse_status gli_policy_evaluate(const glimpse_policy *policy, const glimpse_model *model, glimpse_report *report,
                                   gli_worth *worth);

/* values.c: glimpse_policy_values, and the node at which it goes on off the plan where there are no requests. */
glimpse_status gli_policy_values(const glimpse_policy *policy, const glimpse_model *model, glimpse_report *report,
                                 double *values, uint32_t *fallback);

#endif
