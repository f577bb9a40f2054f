/* Check: see check.h.
 *
 * What is known of a choice or a child is a number between two others that were found in another way, so most checks
 * are inequalities.  `slack` below stands for what rounding and equal beliefs that are one node can do. */
#include "support/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "graph/backup.h"
#include "graph/expand.h"
#include "graph/line.h"
#include "graph/maker.h"
#include "graph/merge.h"
#include "graph/sawtooth.h"
#include "graph/vectors.h"

typedef struct checking {
  const gli_graph *graph;
  gli_check_level level;
  char *text;
  gli_belief_work *work;
  gli_children anew;
  uint8_t *child_used, *number_used; /* which children and numbers of beliefs belong to a node */
  size_t plain;                      /* nodes that are not corners */
} checking;

__attribute__((format(printf, 2, 3))) static bool wrong(const checking *k, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(k->text, GLI_CHECK_TEXT, format, list);
  va_end(list);
  return false;
}

/* a <= b, but for rounding. */
static bool most(const gli_graph *graph, double a, double b) {
  double size = fmax(isfinite(a) ? fabs(a) : 0, isfinite(b) ? fabs(b) : 0);
  return a <= b + 8 * gli_graph_slack(graph, size);
}

/* ------------------------------------------------------------------ beliefs */

static double distance(glimpse_row x, glimpse_row y) {
  double sum = 0;
  for (size_t i = 0, j = 0; i < x.count || j < y.count;) {
    bool left = j == y.count || (i < x.count && x.index[i] <= y.index[j]);
    bool right = i == x.count || (j < y.count && y.index[j] <= x.index[i]);
    sum += fabs((left ? x.value[i] : 0) - (right ? y.value[j] : 0));
    i += left;
    j += right;
  }
  return sum;
}

static bool claim(uint8_t *used, size_t all, size_t first, size_t count) {
  if (first > all || count > all - first) return false;
  for (size_t i = first; i < first + count; i++)
    if (used[i]++) return false;
  return true;
}

static bool check_belief(checking *k, uint32_t node) {
  const gli_graph *graph = k->graph;
  const gli_node *n = gli_graph_node(graph, node);
  if (!n->support || n->support > graph->states) return wrong(k, "the belief of node %u has no size", node);
  if (!claim(k->number_used, graph->belief_count, n->belief, n->support + ((size_t)n->support + 1) / 2))
    return wrong(k, "the belief of node %u has no place of its own", node);
  glimpse_row b = gli_graph_belief(graph, n);
  double sum = 0;
  for (size_t i = 0; i < b.count; i++) {
    if (b.index[i] >= graph->states || (i && b.index[i] <= b.index[i - 1]) || !(b.value[i] > 0))
      return wrong(k, "the belief of node %u is not in order", node);
    sum += b.value[i];
  }
  if (!(fabs(sum - 1) <= 0x1p-40)) return wrong(k, "the belief of node %u does not sum to 1", node);
  if (n->state == GLI_NONE) return k->plain++, true;
  if (!gli_graph_shares(graph) || b.count != 1 || b.index[0] != n->state || graph->corner[n->state].node != node)
    return wrong(k, "node %u is not the corner that it says", node);
  return true;
}

/* ----------------------------------------------------------------- vectors */

/* May a bound rest on this? */
static bool stays(const gli_graph *graph, uint32_t vector) {
  if (vector == GLI_NO_VECTOR) return true;
  return graph->vectors && vector < graph->vectors->count && gli_vectors_at(graph, vector)->state != GLI_VECTOR_FREE;
}

/* What the vector that a bound rests on, or one that always stays, promises at a belief. */
static double known_by(const gli_graph *graph, uint32_t vector, glimpse_row belief) {
  const struct gli_vectors *all = graph->vectors;
  double best = vector == GLI_NO_VECTOR ? -INFINITY : gli_vectors_value(graph, vector, belief);
  for (uint32_t slot = 0; all && slot < all->fixed; slot++)
    best = fmax(best, gli_vectors_value(graph, all->vector_of[slot], belief));
  return best;
}

/* What is known of a belief without its children: the table, and vectors that always stay. */
static gli_bounds without_children(const gli_graph *graph, glimpse_row belief) {
  gli_bounds table = gli_expand_judge(graph, belief);
  return (gli_bounds){table.upper, fmax(table.lower, known_by(graph, GLI_NO_VECTOR, belief))};
}

/* What a vector promises in a state, by what it does and what that is worth now. */
static double promise(const gli_graph *graph, uint32_t vector, uint32_t s) {
  const glimpse_model *model = graph->model;
  gli_vector *v = gli_vectors_at(graph, vector);
  glimpse_row next = gli_table_row(&model->transition, gli_model_row(model, v->action, s));
  double sum = 0;
  for (size_t i = 0; i < next.count; i++) {
    uint32_t s2 = next.index[i];
    glimpse_row shown = gli_table_row(&model->observe, gli_model_row(model, v->action, s2));
    for (size_t j = 0; j < shown.count; j++) {
      uint32_t to = gli_vectors_successor(graph, vector, shown.index[j]);
      double worth = to == GLI_ASK ? graph->corner[s2].lower - gli_model_price(model, s2)
                                   : gli_vector_values(graph, gli_vectors_at(graph, to))[s2];
      sum += next.value[i] * shown.value[j] * worth;
    }
  }
  return model->reward[gli_model_row(model, v->action, s)] + graph->discount * sum;
}

static bool check_vector(checking *k, uint32_t id) {
  const gli_graph *graph = k->graph;
  const struct gli_vectors *all = graph->vectors;
  gli_vector *v = gli_vectors_at(graph, id);
  if (v->state != GLI_VECTOR_FIXED && v->state != GLI_VECTOR_LEARNT) return wrong(k, "vector %u has no state", id);
  if (v->action >= graph->actions) return wrong(k, "vector %u has no action", id);
  if (v->slot != GLI_NONE && (v->slot >= all->used || all->vector_of[v->slot] != id))
    return wrong(k, "vector %u is not in its slot", id);
  for (uint32_t o = 0; o < graph->model->observations; o++) {
    uint32_t to = gli_vectors_successor(graph, id, o);
    if (to == GLI_ASK ? !graph->model->requests : !stays(graph, to))
      return wrong(k, "vector %u has a successor that is gone", id);
  }
  const double *values = gli_vector_values(graph, v);
  for (uint32_t s = 0; s < graph->states; s++) {
    if (v->slot != GLI_NONE && all->matrix[(size_t)s * all->width + v->slot] != values[s])
      return wrong(k, "the matrix has other values than vector %u", id);
    if (!most(graph, values[s], promise(graph, id, s))) return wrong(k, "vector %u promises too much", id);
    if (!most(graph, values[s], graph->corner[s].upper)) return wrong(k, "vector %u is above a corner", id);
  }
  return true;
}

static bool check_vectors(checking *k) {
  const struct gli_vectors *all = k->graph->vectors;
  if (!all) return true;
  if (all->count > all->capacity || all->used > all->width || all->fixed > all->used)
    return wrong(k, "there are more vectors than room for them");
  uint32_t live = 0, unused = 0;
  for (uint32_t id = 0; id < all->count; id++) {
    if (gli_vectors_at(k->graph, id)->state == GLI_VECTOR_FREE) continue;
    if (!check_vector(k, id)) return false;
    live++;
  }
  for (uint32_t id = all->free; id != GLI_NONE && unused <= all->count; unused++) {
    if (id >= all->count || stays(k->graph, id)) return wrong(k, "vector %u is free and in use", id);
    id = gli_vectors_at(k->graph, id)->slot;
  }
  if (live != all->live || live + unused != all->count) return wrong(k, "vectors are not counted");
  for (uint32_t slot = 0; slot < all->used; slot++)
    if (!stays(k->graph, all->vector_of[slot]) || gli_vectors_at(k->graph, all->vector_of[slot])->slot != slot)
      return wrong(k, "slot %u has no vector", slot);
  return true;
}

/* ------------------------------------------------------------------ choices */

/* What the table knows of a belief at least.  Where all but one state are less likely than rounding they may have been
 * lost on the way to it: then it was made as if certain. */
static double table_lower(const gli_graph *graph, glimpse_row belief) {
  double best = gli_expand_judge(graph, belief).lower, one = 1;
  for (size_t i = 0; i < belief.count; i++)
    if (belief.value[i] >= 1 - 0x1p-52)
      best = fmax(best, gli_expand_judge(graph, (glimpse_row){1, &belief.index[i], &one}).lower);
  return best;
}

static bool check_fringe(checking *k, uint32_t node, uint32_t child, glimpse_row belief) {
  const gli_graph *graph = k->graph;
  const gli_child *c = &graph->children[child];
  uint32_t vector = gli_link_rest(c->link);
  if (!isfinite(c->upper) || !isfinite(c->lower) || !most(graph, c->lower, c->upper))
    return wrong(k, "L > U at child %u of node %u", child, node);
  if (!stays(graph, vector)) return wrong(k, "child %u rests on a vector that is gone", child);
  double now = c->probability < GLI_FAINT ? graph->scale : table_lower(graph, belief);
  return most(graph, c->lower, fmax(now, known_by(graph, vector, belief))) ||
         wrong(k, "nothing is behind L of child %u of node %u", child, node);
}

/* A child that follows with this belief. */
static bool check_child(checking *k, uint32_t node, uint32_t child, glimpse_row belief) {
  const gli_graph *graph = k->graph;
  const gli_child *c = &graph->children[child];
  uint32_t link = c->link, s = link & ~GLI_CORNER;
  if (gli_link_fringe(link)) return check_fringe(k, node, child, belief);
  double one = 1;
  if (gli_link_corner(link) ? s >= graph->states || !gli_graph_shares(graph) : link >= graph->node_count)
    return wrong(k, "child %u of node %u leads nowhere", child, node);
  const gli_node *n = gli_link_corner(link) ? NULL : gli_graph_node(graph, link);
  if (n && n->state != GLI_NONE) return wrong(k, "child %u leads to a corner by its node", child);
  if (!isfinite(c->upper) || !isfinite(c->lower) || c->upper < 0 || c->lower > 0)
    return wrong(k, "the slack of child %u of node %u is none", child, node);
  if (c->probability < GLI_FAINT) return true;
  /* The belief there may be another, if the slack makes up for it. */
  glimpse_row there = n ? gli_graph_belief(graph, n) : (glimpse_row){1, &s, &one};
  double off = distance(there, belief), made = 0x1p-40; /* beliefs made in different ways differ by so much */
  if (!(off <= graph->near + made))
    return wrong(k, "child %u of node %u leads to another belief, %.3g away", child, node, off);
  double needed = off > 8 * graph->rounding ? (off - 8 * graph->rounding) * graph->slope : 0;
  if (c->upper < needed || -c->lower < needed)
    return wrong(k, "the slack of child %u of node %u is too small", child, node);
  double largest = (graph->near + made) * graph->slope;
  return (c->upper <= largest && -c->lower <= largest) ||
         wrong(k, "the slack of child %u of node %u is too large", child, node);
}

/* The belief of a child, made anew; false: there is none. */
static bool made_anew(const checking *k, uint32_t choice, glimpse_row parent, size_t i, const gli_child *c,
                      glimpse_row *belief, double *probability) {
  if (choice == k->graph->actions) {
    static const double one = 1;
    *belief = (glimpse_row){1, parent.index + i, &one};
    *probability = parent.value[i];
    return c->label == parent.index[i];
  }
  for (size_t j = 0; j < k->anew.count; j++)
    if (k->anew.observation[j] == c->label) {
      *belief = gli_children_row(&k->anew, j);
      *probability = k->anew.probability[j];
      return true;
    }
  *belief = parent;
  *probability = 0;
  return c->probability < GLI_FAINT; /* too small for one way of multiplying */
}

static bool check_children(checking *k, uint32_t node, uint32_t choice, gli_group group) {
  const gli_graph *graph = k->graph;
  glimpse_row belief = gli_graph_belief(graph, gli_graph_node(graph, node));
  if (!claim(k->child_used, graph->child_count, group.first, group.count))
    return wrong(k, "children of node %u have no place of their own", node);
  if (choice < graph->actions && !gli_belief_children(k->work, belief, choice, &k->anew))
    return wrong(k, "out of memory");
  double sum = 0, expected = 0;
  for (uint32_t i = 0; i < group.count; i++) {
    const gli_child *c = &graph->children[group.first + i];
    glimpse_row after;
    double probability;
    if (choice == graph->actions && i >= belief.count) return wrong(k, "too many answers at node %u", node);
    if (!made_anew(k, choice, belief, i, c, &after, &probability))
      return wrong(k, "child %u of node %u has a label that cannot be", group.first + i, node);
    for (uint32_t j = 0; j < i; j++)
      if (graph->children[group.first + j].label == c->label) return wrong(k, "node %u has a child twice", node);
    if (!(c->probability > 0) || !(fabs(c->probability - probability) <= 0x1p-40 * probability + GLI_FAINT))
      return wrong(k, "the probability of child %u of node %u is wrong: %.17g, not %.17g", group.first + i, node,
                   c->probability, probability);
    sum += c->probability;
    if (!check_child(k, node, group.first + i, after)) return false;
  }
  for (size_t j = 0; j < k->anew.count; j++) expected += k->anew.probability[j];
  if (!(fabs(sum - (choice < graph->actions ? expected : 1)) <= 0x1p-40) || !(fabs(sum - 1) <= 0x1p-30))
    return wrong(k, "probabilities at node %u do not sum to 1", node);
  return true;
}

/* Bounds of an outcome.  `sure`: also by what is known of its own belief without children, for a child that was linked
 * may have known more than the node there has looked up.  The vector that it rested on has raised that node, but by its
 * value there, which may be less by the slack.  Children of the choice were made anew before. */
static gli_bounds outcome(const checking *k, const gli_outcome *to, uint32_t choice, bool sure) {
  const gli_graph *graph = k->graph;
  gli_bounds b = gli_graph_bounds_of(graph, to);
  if (!sure || choice == graph->actions || gli_link_fringe(to->link)) return b;
  if (graph->vectors) b.lower -= 2 * graph->children[to->child].lower;
  for (size_t j = 0; j < k->anew.count; j++)
    if (k->anew.observation[j] == to->label) {
      gli_bounds known = without_children(graph, gli_children_row(&k->anew, j));
      return (gli_bounds){fmin(b.upper, known.upper), fmax(b.lower, known.lower)};
    }
  return b;
}

/* A backup made now, from where a choice leads. */
static gli_bounds back_up(const checking *k, uint32_t node, uint32_t choice, bool sure) {
  const gli_graph *graph = k->graph;
  gli_node *n = gli_graph_node(graph, node);
  gli_bounds sum = {0, 0};
  gli_outcome to;
  for (uint32_t i = 0; gli_graph_outcome(graph, node, choice, i, &to); i++) {
    gli_bounds b = outcome(k, &to, choice, sure);
    sum.upper += to.probability * b.upper;
    sum.lower += to.probability * b.lower;
  }
  bool ask = choice == graph->actions;
  double here =
      ask ? -gli_model_price_at(graph->model, gli_graph_belief(graph, n)) : gli_node_rewards(graph, n)[choice];
  double discount = gli_graph_discount(graph, choice);
  return (gli_bounds){here + discount * sum.upper, here + discount * sum.lower};
}

/* The least upper bound that the table has of an action now. */
static double table_upper(const gli_graph *graph, glimpse_row belief, uint32_t a) {
  double sum = 0;
  for (size_t i = 0; i < belief.count; i++)
    sum += belief.value[i] * graph->table[(size_t)belief.index[i] * graph->stride + a];
  return sum;
}

/* Bounds of a choice that is opened.  *behind: the best backup so far. */
static bool check_opened(checking *k, uint32_t node, uint32_t choice, double *behind) {
  const gli_graph *graph = k->graph;
  gli_node *n = gli_graph_node(graph, node);
  double upper = gli_node_uppers(n)[choice], lower = gli_node_lowers(graph, n)[choice];
  gli_bounds now = back_up(k, node, choice, false), sure = back_up(k, node, choice, true);
  *behind = fmax(*behind, sure.lower);
  if (!most(graph, now.lower, upper) || !most(graph, lower, now.upper))
    return wrong(k, "choice %u of node %u and its backup exclude each other", choice, node);
  bool ask = choice == graph->actions;
  double table = ask ? INFINITY : table_upper(graph, gli_graph_belief(graph, n), choice);
  if ((ask || !graph->sawtooth) && !most(graph, fmin(sure.upper, table), upper))
    return wrong(k, "U of choice %u of node %u is below its backup: %.17g, %.17g", choice, node, upper,
                 fmin(sure.upper, table));
  if (k->level == GLI_CHECK_ANY) return true;
  if (!most(graph, upper, now.upper) || !most(graph, now.lower, lower))
    return wrong(k, "choice %u of node %u is worse than its backup", choice, node);
  return true;
}

static bool check_settled(checking *k, uint32_t node) {
  const gli_graph *graph = k->graph;
  gli_node *n = gli_graph_node(graph, node);
  const double *uppers = gli_node_uppers(n), *lowers = gli_node_lowers(graph, n);
  double upper = -INFINITY, lower = -INFINITY;
  for (uint32_t c = 0; c <= graph->actions; c++) upper = fmax(upper, uppers[c]), lower = fmax(lower, lowers[c]);
  if (n->upper > upper || n->lower < lowers[n->plan] || n->lower < lower - graph->floor)
    return wrong(k, "node %u is worse than its choices", node);
  if (n->greedy > graph->actions || uppers[n->greedy] != upper || n->plan != gli_backup_decide(graph, node))
    return wrong(k, "greedy choice or plan of node %u is another", node);
  if (!graph->full && !gli_node_opened(graph, n, n->greedy))
    return wrong(k, "the greedy choice of node %u is not opened", node);
  const gli_corner *corner = n->state == GLI_NONE ? NULL : &graph->corner[n->state];
  if (corner && (corner->upper != n->upper || corner->lower != n->lower))
    return wrong(k, "the corner of node %u does not know its bounds", node);
  return true;
}

static bool check_node(checking *k, uint32_t node) {
  const gli_graph *graph = k->graph;
  gli_node *n = gli_graph_node(graph, node);
  const double *uppers = gli_node_uppers(n), *lowers = gli_node_lowers(graph, n);
  glimpse_row belief = gli_graph_belief(graph, n);
  if (!isfinite(n->upper) || !isfinite(n->lower) || !most(graph, n->lower, n->upper))
    return wrong(k, "L > U at node %u", node);
  if ((n->greedy != GLI_NONE && n->greedy > graph->actions) || (n->plan != GLI_NONE && n->plan > graph->actions))
    return wrong(k, "node %u has no such choice", node);
  if (gli_node_can_ask(graph, n) != (graph->model->requests && belief.count > 1))
    return wrong(k, "node %u can ask where it cannot, or cannot", node);
  if (!stays(graph, n->rest)) return wrong(k, "node %u rests on a vector that is gone", node);
  double behind = fmax(gli_expand_judge(graph, belief).lower, known_by(graph, n->rest, belief));
  for (uint32_t c = 0; c <= graph->actions; c++) {
    if (c < graph->actions) {
      double reward = 0;
      for (size_t i = 0; i < belief.count; i++)
        reward += belief.value[i] * graph->model->reward[gli_model_row(graph->model, c, belief.index[i])];
      if (!most(graph, fabs(reward - gli_node_rewards(graph, n)[c]), 0))
        return wrong(k, "the reward of action %u at node %u is wrong", c, node);
      behind = fmax(behind, reward - graph->discount * graph->scale); /* and then the worst */
    } else if (!gli_node_can_ask(graph, n)) {
      continue;
    }
    if (isnan(uppers[c]) || isnan(lowers[c]) || !most(graph, lowers[c], uppers[c]))
      return wrong(k, "L > U of choice %u of node %u: %.17g, %.17g", c, node, lowers[c], uppers[c]);
    if (c < graph->groups && gli_node_groups(graph, n)[c].count &&
        !check_children(k, node, c, gli_node_groups(graph, n)[c]))
      return false;
    if (gli_node_opened(graph, n, c) && !check_opened(k, node, c, &behind)) return false;
  }
  double ties = 8 * graph->scale * graph->rounding / (1 - graph->discount); /* the floor, but for near beliefs */
  if (!most(graph, n->lower, behind + ties))
    return wrong(k, "nothing is behind L of node %u: %.17g, %.17g", node, n->lower, behind);
  return k->level == GLI_CHECK_ANY || check_settled(k, node);
}

/* -------------------------------------------------------------------- rest */

static bool check_corners(checking *k) {
  const gli_graph *graph = k->graph;
  size_t count = 0;
  for (uint32_t s = 0; s < graph->states; s++) {
    const gli_corner *c = &graph->corner[s];
    const double *line = graph->table + (size_t)s * graph->stride,
                 *offline = graph->offline + (size_t)s * graph->stride;
    if (!most(graph, c->lower, c->upper)) return wrong(k, "L > U in the corner of state %u", s);
    if (!stays(graph, c->rest)) return wrong(k, "the corner of state %u rests on a vector that is gone", s);
    if (line[graph->at_act_upper] < c->upper || line[graph->at_act_lower] > c->lower)
      return wrong(k, "the table knows more than the corner of state %u", s);
    for (uint32_t a = 0; a <= graph->actions; a++)
      if (graph->options.live ? line[a] > offline[a] : line[a] != offline[a])
        return wrong(k, "the table is worse than it was in state %u", s);
    if (c->node == GLI_NONE) continue;
    count++;
    if (c->node >= graph->node_count || gli_graph_node(graph, c->node)->state != s)
      return wrong(k, "the node of the corner of state %u is another", s);
    const gli_node *n = gli_graph_node(graph, c->node);
    if (c->upper < n->upper || c->lower > n->lower)
      return wrong(k, "the corner of state %u knows more than its node", s);
  }
  return count == graph->corners || wrong(k, "corners are not counted");
}

static bool check_merging(checking *k) {
  const gli_graph *graph = k->graph;
  if (graph->options.sharing != GLI_SHARE_ALL) return true;
  size_t used = 0;
  for (size_t i = 0; i < graph->slot_count; i++) {
    used += graph->slots[i] > 0;
    if (graph->slots[i] > graph->node_count) return wrong(k, "the table of beliefs has a node that is gone");
  }
  if (used != graph->slots_used || 2 * used > graph->slot_count || used > k->plain)
    return wrong(k, "the table of beliefs is not counted");
  for (uint32_t node = 0; node < graph->node_count; node++) {
    if (gli_graph_node(graph, node)->state != GLI_NONE) continue;
    glimpse_row belief = gli_graph_belief(graph, gli_graph_node(graph, node));
    double slack;
    uint32_t hash, found = gli_merge_find(graph, belief, &slack, &hash);
    if (found == node || (found == GLI_NONE && graph->quota.limit && used < k->plain)) continue;
    if (found == GLI_NONE) return wrong(k, "node %u is not in the table of beliefs", node);
    if (!graph->quota.limit) return wrong(k, "nodes %u and %u have equal beliefs", node, found);
  }
  return true;
}

static bool check_points(checking *k) {
  const gli_graph *graph = k->graph;
  const struct gli_sawtooth *t = graph->sawtooth;
  uint32_t noted = 0, listed = 0;
  for (uint32_t node = 0; node < graph->node_count; node++) noted += gli_graph_node(graph, node)->point != GLI_NONE;
  if (!t) return !noted || wrong(k, "there are points without a sawtooth");
  for (uint32_t i = 0; i < t->count; i++) {
    const gli_point *p = &t->points[i];
    if (p->node >= graph->node_count || gli_graph_node(graph, p->node)->point != i)
      return wrong(k, "point %u has no node", i);
    gli_node *n = gli_graph_node(graph, p->node);
    glimpse_row belief = gli_graph_belief(graph, n);
    size_t anchor = 0;
    for (size_t j = 0; j < belief.count; j++)
      if (belief.value[j] > belief.value[anchor]) anchor = j;
    if (belief.index[anchor] != p->anchor) return wrong(k, "point %u has another anchor", i);
    for (uint32_t a = 0; a < graph->actions; a++) {
      double sum = 0, depth = t->depth[(size_t)i * graph->actions + a];
      for (size_t j = 0; j < belief.count; j++)
        sum += belief.value[j] * t->table[(size_t)belief.index[j] * gli_line_even(graph->actions) + a];
      if (!(depth <= 0) || (depth < 0 && !most(graph, gli_node_uppers(n)[a], sum + depth)))
        return wrong(k, "point %u is too deep", i);
    }
  }
  for (uint32_t s = 0; s < graph->states; s++) {
    if (t->mass[s] != 0) return wrong(k, "scratch of the sawtooth is not empty");
    for (uint32_t i = t->first[s]; i != GLI_NONE; i = t->points[i].next)
      if (i >= t->count || t->points[i].anchor != s || listed++ >= t->count)
        return wrong(k, "a list of points is wrong");
    for (uint32_t a = 0; a < graph->actions && t->count; a++)
      if (t->table[(size_t)s * gli_line_even(graph->actions) + a] < graph->table[(size_t)s * graph->stride + a])
        return wrong(k, "the sawtooth knows more than the table");
  }
  return (noted == t->count && listed == t->count) || wrong(k, "points are not counted");
}

static bool check_room(checking *k) {
  const gli_graph *graph = k->graph;
  if (graph->node_count > graph->node_capacity || graph->child_count > graph->child_capacity ||
      graph->belief_count > graph->belief_capacity)
    return wrong(k, "there is more than there is room for");
  uint64_t held = graph->node_capacity * graph->node_size + graph->child_capacity * sizeof *graph->children +
                  graph->belief_capacity * sizeof *graph->beliefs + graph->slot_count * sizeof *graph->slots;
  if (graph->vectors && graph->vectors->used)
    held += graph->vectors->capacity * graph->vectors->bytes +
            (uint64_t)graph->states * graph->vectors->width * sizeof(double);
  if (held > graph->quota.bytes) return wrong(k, "memory is held that is not counted");
  if (graph->quota.limit && graph->quota.bytes > graph->quota.limit) return wrong(k, "more memory than allowed");
  for (uint32_t s = 0; s < graph->states && graph->maker->making.node == GLI_NONE; s++)
    if (graph->maker->mass[s] != 0) return wrong(k, "scratch of the maker is not empty");
  return (graph->root < graph->node_count || graph->root == GLI_NONE) || wrong(k, "the root is not there");
}

static bool check_all(checking *k) {
  const gli_graph *graph = k->graph;
  if (!check_room(k) || !check_vectors(k)) return false;
  for (uint32_t node = 0; node < graph->node_count; node++)
    if (!check_belief(k, node)) return false;
  if (!check_corners(k)) return false;
  for (uint32_t node = 0; node < graph->node_count; node++)
    if (!check_node(k, node)) return false;
  for (size_t i = 0; i < graph->child_count; i++)
    if (!k->child_used[i]) return wrong(k, "child %zu belongs to nobody", i);
  for (size_t i = 0; i < graph->belief_count; i++)
    if (!k->number_used[i]) return wrong(k, "number %zu of beliefs belongs to nobody", i);
  return check_merging(k) && check_points(k);
}

bool gli_check_graph(const gli_graph *graph, gli_check_level level, char text[GLI_CHECK_TEXT]) {
  checking k = {.graph = graph, .level = level, .text = text, .work = gli_belief_work_new(graph->model)};
  k.child_used = GLI_NEW(uint8_t, graph->child_count + 1);
  k.number_used = GLI_NEW(uint8_t, graph->belief_count + 1);
  text[0] = 0;
  bool fine = k.work && k.child_used && k.number_used ? check_all(&k) : wrong(&k, "out of memory");
  gli_belief_work_free(k.work);
  gli_children_free(&k.anew);
  gli_memory_free(k.child_used);
  gli_memory_free(k.number_used);
  return fine;
}
