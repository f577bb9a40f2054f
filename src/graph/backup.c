/* Backup: bounds from outcomes.
 *
 *   U(b,a) = R(b,a) + discount sum_o P(o|b,a) U(child)       (paper, Eq. upper_belief)
 *   U(b,?) = -price(b) + sum_s b(s) U(corner s)              asking: same time step
 *   U(b)   = max over the choices, and the same for L.
 * Each is moved outward by more than one backup can round, and taken only if it is better than what was known.
 *
 * An action that is not opened has bounds that need no children.  When its upper bound becomes the largest it is to be
 * opened (expand.c).  So U(b) and the greedy choice are exactly those with all actions opened, at a fraction of the
 * work. */
#include "graph/backup.h"

#include <assert.h>

#include "graph/line.h"
#include "graph/sawtooth.h"

/* The bounds of a child: its own, or those behind its link and a little more. */
GLI_ALWAYS_INLINE gli_pair bounds_of(const gli_graph *graph, const gli_child *child) {
  gli_pair own = *(const gli_loose_pair *)(const void *)&child->upper;
  uint32_t link = child->link;
  if (gli_link_fringe(link)) return own;
  const void *at = gli_link_corner(link) ? (const void *)&graph->corner[link & ~GLI_CORNER].upper
                                         : (const void *)&gli_graph_node(graph, link)->upper;
  return own + *(const gli_loose_pair *)at;
}

GLI_ALWAYS_INLINE gli_pair sum_children(const gli_graph *graph, gli_group group) {
  gli_pair sum = {0, 0};
  const gli_child *child = graph->children + group.first;
  for (const gli_child *end = child + group.count; child < end; child++)
    sum += (gli_pair){child->probability, child->probability} * bounds_of(graph, child);
  return sum;
}

/* Shared corners: the belief tells where asking leads. */
GLI_ALWAYS_INLINE gli_pair sum_corners(const gli_graph *graph, const gli_node *node) {
  glimpse_row belief = gli_graph_belief(graph, node);
  gli_pair sum = {0, 0};
  for (size_t i = 0; i < belief.count; i++)
    sum += (gli_pair){belief.value[i], belief.value[i]} *
           *(const gli_loose_pair *)(const void *)&graph->corner[belief.index[i]].upper;
  return sum;
}

/* Takes bounds of a choice, moved outward, unless better ones are known. */
GLI_ALWAYS_INLINE void take(const gli_graph *graph, double *upper, double *lower, double reward, double discount,
                            gli_pair sum) {
  double high = reward + discount * sum[0], low = reward + discount * sum[1];
  high += gli_graph_slack(graph, high);
  low -= gli_graph_slack(graph, low);
  *upper = high < *upper ? high : *upper;
  *lower = low > *lower ? low : *lower;
}

/* Computes the bounds of a choice again, if it is opened. */
static void backup_choice(gli_graph *graph, gli_node *n, uint32_t choice) {
  gli_pair sum;
  if (choice >= graph->groups) {
    if (!gli_node_can_ask(graph, n)) return;
    sum = sum_corners(graph, n);
  } else {
    gli_group group = gli_node_groups(graph, n)[choice];
    if (!group.count) return;
    sum = sum_children(graph, group);
  }
  take(graph, &gli_node_uppers(n)[choice], &gli_node_lowers(graph, n)[choice], gli_node_rewards(graph, n)[choice],
       gli_graph_discount(graph, choice), sum);
}

void gli_backup_publish(gli_graph *graph, gli_node *node) {
  gli_corner *corner = &graph->corner[node->state];
  assert(corner->node == GLI_NONE || gli_graph_node(graph, corner->node) == node || !gli_graph_shares(graph)); /* G5 */
  /* A node in the making knows less than its corner. */
  corner->upper = node->upper < corner->upper ? node->upper : corner->upper;
  corner->lower = node->lower > corner->lower ? node->lower : corner->lower;
  if (!graph->options.live) return;
  const double *uppers = gli_node_uppers(node);
  double *line = graph->table + (size_t)node->state * graph->stride;
  line[graph->at_act_upper] = corner->upper;
  line[graph->at_act_lower] = corner->lower;
  for (uint32_t a = 0; a < graph->actions; a++) line[a] = uppers[a] < line[a] ? uppers[a] : line[a];
}

/* The largest of some numbers, the first of equals, and the largest of the others. */
typedef struct top {
  uint32_t best;
  double largest, second;
} top;

GLI_ALWAYS_INLINE top find_top(const double *numbers, uint32_t actions) {
  top t = {0, numbers[0], -INFINITY};
  for (uint32_t c = 1; c <= actions; c++) { /* no branches: nobody could predict them */
    double x = numbers[c], less = x < t.largest ? x : t.largest;
    t.second = less > t.second ? less : t.second;
    t.best = x > t.largest ? c : t.best;
    t.largest = x > t.largest ? x : t.largest;
  }
  return t;
}

uint32_t gli_backup_decide(const gli_graph *graph, uint32_t node) {
  gli_node *n = gli_graph_node(graph, node);
  const double *uppers = gli_node_uppers(n), *lowers = gli_node_lowers(graph, n);
  uint32_t best = 0;
  for (uint32_t c = 1; c <= graph->actions; c++)
    if (lowers[c] > lowers[best] || (lowers[c] == lowers[best] && uppers[c] > uppers[best])) best = c;
  return best;
}

/* Takes the best choices into the node. */
static bool settle(gli_graph *graph, gli_node *n, uint32_t greedy, uint32_t plan) {
  double upper = gli_node_uppers(n)[greedy], lower = gli_node_lowers(graph, n)[plan];
  bool changed = greedy != n->greedy;
  n->greedy = greedy;
  n->plan = plan;
  if (upper < n->upper) n->upper = upper, changed = true;
  if (lower > n->lower) n->lower = lower, n->rest = GLI_NO_VECTOR, changed = true;
  if (n->state != GLI_NONE && changed) gli_backup_publish(graph, n);
  if (n->point != GLI_NONE && graph->options.live) gli_sawtooth_deepen(graph, n);
  assert(gli_graph_ordered(graph, n->upper, n->lower));                       /* G1 */
  assert(gli_graph_ordered(graph, upper, gli_node_lowers(graph, n)[greedy])); /* G1 */
  assert(gli_graph_ordered(graph, gli_node_uppers(n)[plan], lower));          /* G1 */
  assert(n->upper <= upper && (n->lower >= lower));                           /* G3 */
  return changed;
}

/* Upper bounds only fall, so a choice that is still the largest after it was computed again is the largest of all.
 * Lower bounds only rise, so the plan is computed once; all choices are compared only where lower bounds are equal. */
bool gli_backup(gli_graph *graph, uint32_t node) {
  gli_node *n = gli_graph_node(graph, node);
  const double *uppers = gli_node_uppers(n), *lowers = gli_node_lowers(graph, n);
  top high = find_top(uppers, graph->actions), low = find_top(lowers, graph->actions);
  if (low.best != high.best) backup_choice(graph, n, low.best);
  backup_choice(graph, n, high.best);
  double rival = low.best != high.best && lowers[high.best] > low.second ? lowers[high.best] : low.second;
  while (uppers[high.best] < high.second) {
    high = find_top(uppers, graph->actions);
    backup_choice(graph, n, high.best);
    rival = INFINITY;
  }
  return settle(graph, n, high.best, lowers[low.best] > rival ? low.best : gli_backup_decide(graph, node));
}

bool gli_backup_all(gli_graph *graph, uint32_t node) {
  gli_node *n = gli_graph_node(graph, node);
  for (uint32_t c = 0; c <= graph->actions; c++) backup_choice(graph, n, c);
  return settle(graph, n, find_top(gli_node_uppers(n), graph->actions).best, gli_backup_decide(graph, node));
}

/* Those of a set. */
GLI_ALWAYS_INLINE void backup_marked(gli_graph *graph, gli_node *n, uint32_t set) {
  for (; set; set &= set - 1) {
    uint32_t c = (uint32_t)__builtin_ctz(set);
    do backup_choice(graph, n, c);
    while (c >= GLI_BACKUP_APART && ++c <= graph->actions);
  }
}

uint32_t gli_backup_some(gli_graph *graph, uint32_t node, uint32_t risen, uint32_t fallen) {
  gli_node *n = gli_graph_node(graph, node);
  const double *uppers = gli_node_uppers(n);
  uint32_t all = 2 * gli_backup_mark(graph->actions) - 1, set = risen & all, greedy;
  fallen &= all & ~risen;
  do {
    backup_marked(graph, n, set);
    greedy = find_top(uppers, graph->actions).best;
    set = fallen & gli_backup_mark(greedy);
    fallen &= ~set;
  } while (set);
  settle(graph, n, greedy, gli_backup_decide(graph, node));
  return fallen;
}

void gli_backup_raise(gli_graph *graph, gli_node *node, uint32_t choice, double lower, uint32_t vector) {
  double *known = &gli_node_lowers(graph, node)[choice];
  if (lower > *known) *known = lower;
  if (lower <= node->lower) return;
  node->lower = lower;
  node->rest = vector;
  if (node->state != GLI_NONE) gli_backup_publish(graph, node);
}
