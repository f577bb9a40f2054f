/* Backup: bounds from children, and where to look next.
 *
 *   U(b,a) = R(b,a) + discount sum_o P(o|b,a) U(child)       (paper, Eq. upper_belief)
 *   U(b,?) = -price(b) + sum_s b(s) U(corner s)              asking: same time step
 *   U(b)   = max over the choices, and the same for L.
 * Each is moved outward by the graph's slack, which is larger than what rounding
 * can do in one backup, and never taken when it is worse than what was known.
 *
 * Score: the value of the best fringe record below an expanded belief under the
 * policy of the rule, seen from that belief: the gap of a fringe record; of an
 * expanded one the largest weight(choice) * discount * P(child) * score(child).
 * Aliases count for nothing here, for their mass goes to an origin of its own
 * (walk.c).  An expansion so changes nothing but the path up to its origin.  A score
 * below `least` counts as none: a thousand million such records together are within
 * rounding, and a graph that is kept would go on growing where nothing depends on it. */
#include <math.h>

#include "graph/graph.h"

/* Takes the origin's bounds into an alias. */
static inline void look(gli_graph *graph, gli_record *child) {
  const gli_record *origin = &graph->records[graph->origins[child->link & ~GLI_ALIAS].record];
  if (origin->upper < child->upper) child->upper = origin->upper;
  if (origin->lower > child->lower) child->lower = origin->lower;
}

static inline bool is_alias(const gli_record *record) {
  return record->link != GLI_NONE && (record->link & GLI_ALIAS);
}

/* Shared corners: the belief tells where asking leads. */
static void ask_corners(const gli_graph *graph, const gli_expanded *node, double *upper, double *lower) {
  const uint32_t *state = graph->support + node->belief;
  const double *mass = graph->mass + node->belief;
  double high = 0, low = 0;
  for (uint32_t i = 0; i < node->support; i++) {
    high += mass[i] * graph->corner_upper[state[i]];
    low += mass[i] * graph->corner_lower[state[i]];
  }
  *upper = high - node->price;
  *lower = low - node->price;
}

static void sum_group(gli_graph *graph, uint32_t first, uint32_t end, double *upper, double *lower) {
  double high = 0, low = 0;
  for (uint32_t i = first; i < end; i++) {
    gli_record *child = &graph->records[i];
    if (is_alias(child)) look(graph, child);
    high += child->probability * child->upper;
    low += child->probability * child->lower;
  }
  *upper = high;
  *lower = low;
}

bool gli_backup_choice(gli_graph *graph, uint32_t node, uint32_t choice) {
  gli_expanded *e = &graph->expanded[node];
  double upper, lower, *known_upper = &e->ask_upper, *known_lower = &e->ask_lower;
  if (choice == graph->actions) {
    if (e->ask_upper == -INFINITY) return false; /* cannot ask */
    if (gli_graph_shares(graph)) {
      ask_corners(graph, e, &upper, &lower);
    } else {
      uint32_t end, first = gli_graph_group(graph, node, choice, &end);
      sum_group(graph, first, end, &upper, &lower);
      upper -= e->price;
      lower -= e->price;
    }
  } else {
    gli_choice *c = graph->choices + (size_t)node * graph->actions + choice;
    uint32_t end, first = gli_graph_group(graph, node, choice, &end);
    sum_group(graph, first, end, &upper, &lower);
    upper = c->reward + graph->discount * upper;
    lower = c->reward + graph->discount * lower;
    known_upper = &c->upper;
    known_lower = &c->lower;
  }
  upper += graph->slack;
  lower -= graph->slack;
  bool changed = false;
  if (upper < *known_upper) *known_upper = upper, changed = true;
  if (lower > *known_lower) *known_lower = lower, changed = true;
  return changed;
}

/* A corner's bounds are read by every belief that may ask, and, when live, by
 * the bounds of every new child. */
static void publish(gli_graph *graph, const gli_record *record, const gli_choice *choices) {
  uint32_t s = graph->origins[record->label].state;
  if (s == GLI_NONE) return;
  graph->corner_upper[s] = record->upper;
  graph->corner_lower[s] = record->lower;
  if (!graph->options.live) return;
  double *line = graph->table + (size_t)s * graph->stride;
  line[graph->at_act_upper] = record->upper;
  line[graph->at_act_lower] = record->lower;
  for (uint32_t a = 0; a < graph->actions; a++)
    if (choices[a].upper < line[a]) line[a] = choices[a].upper;
}

/* The greedy choice is copied to where a path upward finds it without reading the
 * choices, together with what the others can do at most and at least. */
static void remember_greedy(gli_graph *graph, uint32_t node, uint32_t greedy) {
  gli_expanded *e = &graph->expanded[node];
  const gli_choice *choices = graph->choices + (size_t)node * graph->actions;
  bool asks = greedy == graph->actions;
  e->greedy = greedy;
  e->greedy_first = gli_graph_group(graph, node, greedy, &e->greedy_end);
  e->greedy_reward = asks ? 0 : choices[greedy].reward;
  e->rival_upper = asks ? -INFINITY : e->ask_upper;
  e->rival_lower = asks ? -INFINITY : e->ask_lower;
  for (uint32_t a = 0; a < graph->actions; a++) {
    if (a == greedy) continue;
    if (choices[a].upper > e->rival_upper) e->rival_upper = choices[a].upper;
    if (choices[a].lower > e->rival_lower) e->rival_lower = choices[a].lower;
  }
}

bool gli_backup_node(gli_graph *graph, uint32_t node) {
  const gli_expanded *e = &graph->expanded[node];
  const gli_choice *choices = graph->choices + (size_t)node * graph->actions;
  double upper = e->ask_upper, lower = e->ask_lower;
  uint32_t greedy = graph->actions, before = e->greedy;
  for (uint32_t a = graph->actions; a-- > 0;) { /* downward: the first of equals stays */
    if (choices[a].upper >= upper) upper = choices[a].upper, greedy = a;
    if (choices[a].lower > lower) lower = choices[a].lower;
  }
  remember_greedy(graph, node, greedy);
  gli_record *record = &graph->records[e->record];
  bool changed = greedy != before;
  if (upper < record->upper) record->upper = upper, changed = true;
  if (lower > record->lower) record->lower = lower, changed = true;
  if (record->parent == GLI_NONE) publish(graph, record, choices);
  return changed;
}

bool gli_backup_ask(gli_graph *graph, uint32_t node) {
  gli_expanded *e = &graph->expanded[node];
  if (!gli_backup_choice(graph, node, graph->actions)) return false;
  if (e->greedy == graph->actions) return gli_backup_node(graph, node);
  /* Not greedy: its upper bound is no larger than the record's, and its fall changes
   * nothing.  A rival that is thought to be better than it is only costs a look. */
  if (e->ask_lower > e->rival_lower) e->rival_lower = e->ask_lower;
  gli_record *record = &graph->records[e->record];
  if (e->ask_lower <= record->lower) return false;
  record->lower = e->ask_lower;
  if (record->parent == GLI_NONE) publish(graph, record, graph->choices + (size_t)node * graph->actions);
  return true;
}

static double choice_upper(const gli_graph *graph, uint32_t node, uint32_t choice) {
  return choice == graph->actions ? graph->expanded[node].ask_upper
                                  : graph->choices[(size_t)node * graph->actions + choice].upper;
}

/* AEMS and BI-POMDP follow the greedy choice; Satia and Lave all choices that are
 * not dominated, as if equally probable. */
double gli_backup_weight(const gli_graph *graph, uint32_t node, uint32_t choice) {
  const gli_expanded *e = &graph->expanded[node];
  if (graph->options.rule != GLI_RULE_SATIA_LAVE) return choice == e->greedy ? 1 : 0;
  double lower = graph->records[e->record].lower;
  if (choice != e->greedy && choice_upper(graph, node, choice) < lower) return 0;
  uint32_t count = 0;
  for (uint32_t c = 0; c <= graph->actions; c++) count += c == e->greedy || choice_upper(graph, node, c) >= lower;
  return 1.0 / count;
}

/* The best fringe record among the children of one choice. */
static void score_group(const gli_graph *graph, uint32_t node, uint32_t choice, double weight, float *score,
                        uint32_t *best) {
  uint32_t end, i = gli_graph_group(graph, node, choice, &end);
  bool plain = graph->options.rule == GLI_RULE_BI_POMDP;
  if (choice < graph->actions) weight *= graph->discount;
  for (; i < end; i++) {
    const gli_record *child = &graph->records[i];
    float candidate = plain ? child->score : (float)(weight * child->probability * (double)child->score);
    if (candidate <= *score) continue;
    *score = candidate;
    *best = i;
  }
}

/* Notes the best child and its score; true when they changed. */
static inline bool keep_score(gli_graph *graph, gli_expanded *e, float score, uint32_t best) {
  if ((double)score < graph->least && graph->options.rule != GLI_RULE_BI_POMDP) score = 0, best = GLI_NONE;
  if (best != GLI_NONE && graph->records[best].link != GLI_NONE) best = graph->expanded[graph->records[best].link].best;
  gli_record *record = &graph->records[e->record];
  bool changed = record->score != score || e->best != best;
  record->score = score;
  e->best = best;
  return changed;
}

bool gli_backup_score(gli_graph *graph, uint32_t node) {
  gli_expanded *e = &graph->expanded[node];
  float score = 0;
  uint32_t best = GLI_NONE;
  if (graph->options.rule != GLI_RULE_SATIA_LAVE) {
    score_group(graph, node, e->greedy, 1, &score, &best);
  } else {
    for (uint32_t c = 0; c <= graph->actions; c++) {
      double weight = gli_backup_weight(graph, node, c);
      if (weight > 0) score_group(graph, node, c, weight, &score, &best);
    }
  }
  return keep_score(graph, e, score, best);
}

/* Large graphs do not fit into the caches, so the grandparent and its children are
 * fetched while the parent is being backed up. */
static inline void fetch_parent(const gli_graph *graph, uint32_t record) {
  const gli_record *at = &graph->records[record];
  __builtin_prefetch((const char *)at + 64);
  __builtin_prefetch((const char *)at - 64);
  if (at->parent == GLI_NONE) return;
  __builtin_prefetch(&graph->expanded[at->parent]);
  __builtin_prefetch(&graph->expanded[at->parent].rival_lower);
}

/* The usual case of a path in one pass, without looking at the other choices: the
 * child belongs to the greedy action, which stays greedy, and the rule follows nothing
 * else.  Same result as choice, node and score one by one. */
static bool backup_greedy(gli_graph *graph, uint32_t node) {
  gli_expanded *e = &graph->expanded[node];
  gli_choice *choice = graph->choices + (size_t)node * graph->actions + e->greedy;
  uint32_t best = GLI_NONE;
  double upper = 0, lower = 0;
  float score = 0;
  for (uint32_t i = e->greedy_first; i < e->greedy_end; i++) {
    gli_record *child = &graph->records[i];
    if (is_alias(child)) look(graph, child);
    upper += child->probability * child->upper;
    lower += child->probability * child->lower;
    float candidate = (float)(graph->discount * child->probability * (double)child->score);
    if (candidate > score) score = candidate, best = i;
  }
  upper = e->greedy_reward + graph->discount * upper + graph->slack;
  lower = e->greedy_reward + graph->discount * lower - graph->slack;
  if (upper <= e->rival_upper) { /* overtaken, perhaps */
    bool changed = gli_backup_choice(graph, node, e->greedy) && gli_backup_node(graph, node);
    return gli_backup_score(graph, node) || changed;
  }
  choice->upper = upper; /* written, not read: this may be far away */
  choice->lower = lower;
  if (lower < e->rival_lower) lower = e->rival_lower;
  bool changed = keep_score(graph, e, score, best);
  gli_record *record = &graph->records[e->record];
  if (upper < record->upper) record->upper = upper, changed = true;
  if (lower > record->lower) record->lower = lower, changed = true;
  if (changed && record->parent == GLI_NONE) publish(graph, record, graph->choices + (size_t)node * graph->actions);
  return changed;
}

uint32_t gli_backup_path(gli_graph *graph, uint32_t record) {
  bool simple = graph->options.rule == GLI_RULE_AEMS;
  while (graph->records[record].parent != GLI_NONE) {
    uint32_t node = graph->records[record].parent;
    const gli_expanded *e = &graph->expanded[node];
    if (e->dead) return GLI_NONE; /* below what was left behind */
    fetch_parent(graph, e->record);
    bool changed;
    if (simple && e->greedy < graph->actions && record >= e->greedy_first && record < e->greedy_end) {
      changed = backup_greedy(graph, node);
    } else {
      changed = gli_backup_choice(graph, node, gli_graph_action(graph, node, record)) && gli_backup_node(graph, node);
      if (gli_backup_score(graph, node)) changed = true;
    }
    if (!changed) return GLI_NONE;
    record = graph->expanded[node].record;
  }
  return graph->records[record].label;
}
