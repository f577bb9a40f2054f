/* Backup: bounds from outcomes.
 *
 *   U(b,a) = R(b,a) + discount sum_o P(o|b,a) U(child)       (paper, Eq. upper_belief)
 *   U(b,?) = -price(b) + sum_s b(s) U(corner s)              asking: same time step
 *   U(b)   = max over the choices, and the same for L.
 * Each is moved outward by more than rounding can do in one backup, and never taken when it is worse than what was
 * known.
 *
 * An action that is not opened has bounds that need no children.  When its upper bound becomes the largest it is to be
 * opened (expand.c): then U(b) and the greedy choice are exactly those of a belief with all its children, at a fraction
 * of the work. */
#include "graph/backup.h"

#include "graph/line.h"

/* Takes the bounds of what a child links to. */
GLI_ALWAYS_INLINE gli_pair bounds_of(const gli_graph *graph, const gli_child *child) {
  gli_pair own = *(const gli_loose_pair *)(const void *)&child->upper;
  uint32_t link = child->link;
  if (gli_link_fringe(link)) return own;
  const void *at = gli_link_corner(link) ? (const void *)&graph->corner[link & ~GLI_CORNER].upper
                                         : (const void *)&gli_graph_node(graph, link)->upper;
  gli_pair behind = *(const gli_loose_pair *)at;
  return (gli_pair){behind[0] < own[0] ? behind[0] : own[0], behind[1] > own[1] ? behind[1] : own[1]};
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

static void backup_choices(gli_graph *graph, gli_node *n) {
  uint32_t actions = graph->actions;
  double *uppers = gli_node_uppers(n), *lowers = gli_node_lowers(graph, n);
  const double *rewards = gli_node_rewards(graph, n);
  const gli_group *groups = gli_node_groups(graph, n);
  for (uint32_t a = 0; a < actions; a++)
    if (groups[a].count)
      take(graph, &uppers[a], &lowers[a], rewards[a], graph->discount, sum_children(graph, groups[a]));
  if (!gli_node_can_ask(graph, n)) return;
  gli_pair sum = gli_graph_shares(graph) ? sum_corners(graph, n) : sum_children(graph, groups[actions]);
  double price = gli_model_price_at(graph->model, gli_graph_belief(graph, n));
  take(graph, &uppers[actions], &lowers[actions], -price, 1, sum);
}

void gli_backup_publish(gli_graph *graph, gli_node *node) {
  gli_corner *corner = &graph->corner[node->state];
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

bool gli_backup(gli_graph *graph, uint32_t node) {
  gli_node *n = gli_graph_node(graph, node);
  backup_choices(graph, n);
  const double *uppers = gli_node_uppers(n), *lowers = gli_node_lowers(graph, n);
  uint32_t greedy = 0, before = n->greedy;
  double upper = uppers[0], lower = lowers[0];
  for (uint32_t c = 1; c <= graph->actions; c++) { /* the first of equals */
    greedy = uppers[c] > upper ? c : greedy;
    upper = uppers[c] > upper ? uppers[c] : upper;
    lower = lowers[c] > lower ? lowers[c] : lower;
  }
  bool changed = greedy != before;
  n->greedy = greedy;
  n->plan = gli_graph_decide(graph, node);
  if (upper < n->upper) n->upper = upper, changed = true;
  if (lower > n->lower) n->lower = lower, n->rest = GLI_NO_VECTOR, changed = true;
  if (n->state != GLI_NONE) gli_backup_publish(graph, n);
  return changed;
}

void gli_backup_raise(gli_graph *graph, gli_node *node, uint32_t choice, double lower, uint32_t vector) {
  double *known = &gli_node_lowers(graph, node)[choice];
  if (lower > *known) *known = lower;
  if (lower <= node->lower) return;
  node->lower = lower;
  node->rest = vector;
  if (node->state != GLI_NONE) gli_backup_publish(graph, node);
}
