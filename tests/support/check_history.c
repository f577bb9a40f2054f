/* Check history: bounds as they were, by index.  A node is the same as before when its belief lies where it lay, and a
 * choice when its children do; fewer nodes, children or beliefs than before mean that all may have moved. */
#include <stdio.h>
#include <string.h>

#include "support/check.h"

struct gli_check_history {
  char *nodes;
  gli_child *children;
  gli_corner *corners;
  size_t nodes_capacity, children_capacity, corners_capacity;
  size_t node_count, child_count, belief_count;
  bool known;
};

gli_check_history *gli_check_history_new(void) {
  return GLI_NEW(gli_check_history, 1);
}

void gli_check_history_free(gli_check_history *history) {
  if (!history) return;
  gli_memory_free(history->nodes);
  gli_memory_free(history->children);
  gli_memory_free(history->corners);
  gli_memory_free(history);
}

void gli_check_history_forget(gli_check_history *history) {
  history->known = false;
}

static bool worse(char *text, const char *what, size_t item, gli_bounds before, gli_bounds now) {
  if (!(now.upper > before.upper) && !(now.lower < before.lower)) return false;
  bool rose = now.upper > before.upper;
  snprintf(text, GLI_CHECK_TEXT, "%s of %s %zu: before %.17g, now %.17g", rose ? "U has risen" : "L has fallen", what,
           item, rose ? before.upper : before.lower, rose ? now.upper : now.lower);
  return true;
}

static bool node_worse(const gli_check_history *h, const gli_graph *graph, uint32_t node, char *text) {
  gli_node *now = gli_graph_node(graph, node), *then = (gli_node *)(void *)(h->nodes + node * graph->node_size);
  if (now->belief != then->belief || now->support != then->support || now->state != then->state) return false;
  if (worse(text, "node", node, (gli_bounds){then->upper, then->lower}, (gli_bounds){now->upper, now->lower}))
    return true;
  for (uint32_t c = 0; c <= graph->actions; c++) {
    gli_bounds before = {gli_node_uppers(then)[c], gli_node_lowers(graph, then)[c]};
    if (worse(text, "a choice of node", node, before,
              (gli_bounds){gli_node_uppers(now)[c], gli_node_lowers(graph, now)[c]}))
      return true;
    gli_group group = c < graph->groups ? gli_node_groups(graph, now)[c] : (gli_group){0, 0};
    if (c < graph->groups && gli_node_groups(graph, then)[c].count != group.count) continue; /* opened since */
    for (uint32_t i = group.first; i < group.first + group.count; i++) {
      const gli_child *x = &h->children[i], *y = &graph->children[i]; /* own bounds, or the same slack */
      if (gli_link_fringe(x->link) != gli_link_fringe(y->link)) continue;
      if (worse(text, "child", i, (gli_bounds){x->upper, x->lower}, (gli_bounds){y->upper, y->lower})) return true;
    }
  }
  return false;
}

static bool compare(const gli_check_history *h, const gli_graph *graph, char *text) {
  for (uint32_t s = 0; s < graph->states; s++)
    if (worse(text, "the corner of state", s, (gli_bounds){h->corners[s].upper, h->corners[s].lower},
              (gli_bounds){graph->corner[s].upper, graph->corner[s].lower}))
      return false;
  for (uint32_t node = 0; node < h->node_count; node++)
    if (node_worse(h, graph, node, text)) return false;
  return true;
}

bool gli_check_history_look(gli_check_history *h, const gli_graph *graph, char text[GLI_CHECK_TEXT]) {
  text[0] = 0;
  bool same = h->known && graph->node_count >= h->node_count && graph->child_count >= h->child_count &&
              graph->belief_count >= h->belief_count;
  if (same && !compare(h, graph, text)) return false;
  if (!GLI_GROW(h->nodes, h->nodes_capacity, graph->node_count * graph->node_size) ||
      !GLI_GROW(h->children, h->children_capacity, graph->child_count) ||
      !GLI_GROW(h->corners, h->corners_capacity, graph->states)) {
    snprintf(text, GLI_CHECK_TEXT, "out of memory");
    return false;
  }
  if (graph->node_count) memcpy(h->nodes, graph->nodes, graph->node_count * graph->node_size);
  if (graph->child_count) memcpy(h->children, graph->children, graph->child_count * sizeof *h->children);
  memcpy(h->corners, graph->corner, graph->states * sizeof *h->corners);
  h->node_count = graph->node_count;
  h->child_count = graph->child_count;
  h->belief_count = graph->belief_count;
  return h->known = true;
}
