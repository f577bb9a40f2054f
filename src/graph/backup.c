/* Backup: bounds from children, and where to look next.
 *
 *   U(b,a) = R(b,a) + discount sum_o P(o|b,a) U(child)       (paper, Eq. upper_belief)
 *   U(b,?) = -price(b) + sum_s b(s) U(corner s)              asking: same time step
 *   U(b)   = max over the choices, and the same for L.
 * Each is moved outward by the graph's slack, which is larger than what rounding
 * can do in one backup, and never taken when it is worse than what was known.
 *
 * An action that is not opened has bounds that need no children.  When its upper bound
 * becomes the largest it is opened: U(b) and the greedy choice are so exactly those of
 * a belief with all its children, at a fraction of the work.  L(b) may be smaller for a
 * while, for an action that is not opened counts there for what it was worth when it was
 * closed, or for little.
 *
 * Score: the value of the best fringe record below an expanded belief under the
 * policy of the rule, seen from that belief: the gap of a fringe record; of an
 * expanded one the largest weight(choice) * discount * P(child) * score(child).
 * Aliases count for nothing here, for their mass goes to an origin of its own
 * (walk.c).  An expansion so changes nothing but the path up to its origin.  A score
 * below `least` counts as none: a thousand million such records together are within
 * rounding, and a graph that is kept would go on growing where nothing depends on it.
 * That holds for AEMS, whose weights are probabilities; Satia and Lave's shrink along
 * every path whatever depends on its end, so there it counts as `least`. */
#include <math.h>
#include <string.h>

#include "graph/line.h"
#include "graph/outlook.h"

/* What the compiler should know about a path upward: most models have few actions. */
typedef struct mode {
  gli_rule rule;
  uint32_t actions, groups;
} mode;

static inline mode mode_of(const gli_graph *graph) {
  return (mode){graph->options.rule, graph->actions, graph->groups};
}

/* As a constant: AEMS on shared corners with the usual numbers of actions (RobotDelivery, Tag), then all the rest. */
#define RETURN_BY_MODE(graph, function, ...)                                                                           \
  do {                                                                                                                 \
    mode m = mode_of(graph);                                                                                           \
    if (m.rule != GLI_RULE_AEMS || m.groups != m.actions) return function(graph, __VA_ARGS__, m);                      \
    switch (m.actions) {                                                                                               \
      case 4: return function(graph, __VA_ARGS__, (mode){GLI_RULE_AEMS, 4, 4});                                        \
      case 5: return function(graph, __VA_ARGS__, (mode){GLI_RULE_AEMS, 5, 5});                                        \
      default: return function(graph, __VA_ARGS__, (mode){GLI_RULE_AEMS, m.actions, m.actions});                       \
    }                                                                                                                  \
  } while (0)

/* Takes the origin's bounds into an alias. */
static inline void look(gli_graph *graph, gli_record *child) {
  const gli_record *origin = &graph->records[graph->origins[child->link & ~GLI_ALIAS].record];
  if (origin->upper < child->upper) child->upper = origin->upper;
  if (origin->lower > child->lower) child->lower = origin->lower;
}

static inline bool is_alias(const gli_record *record) {
  return record->link != GLI_NONE && (record->link & GLI_ALIAS);
}

/* Shared corners: the belief tells where asking leads.  Upper and lower bound at once. */
static inline gli_pair ask_corners(const gli_graph *graph, const gli_expanded *node) {
  glimpse_row belief = gli_graph_belief(graph, node);
  const gli_pair *known = (const gli_pair *)(const void *)graph->known;
  gli_pair sum = {0, 0};
  for (size_t i = 0; i < belief.count; i++)
    sum += (gli_pair){belief.value[i], belief.value[i]} * known[belief.index[i]];
  return sum;
}

/* The score of a child as its parent sees it: what is not negative has the order of its bits. */
GLI_ALWAYS_INLINE uint32_t rank_of(const gli_record *child, double discount, bool plain) {
  float score = plain ? child->score : (float)(discount * child->probability * (double)child->score);
  uint32_t rank;
  memcpy(&rank, &score, sizeof rank);
  return rank;
}

/* Sums over the children of a choice, and where the best fringe record is. */
GLI_ALWAYS_INLINE gli_pair sum_group(gli_graph *graph, uint32_t node, const gli_group *group, double discount,
                                     bool plain, float *score, uint32_t *best) {
  gli_pair sum = {0, 0};
  uint32_t most = 0, link = GLI_NONE;
  gli_record *child = graph->records + group->first;
  for (const gli_record *end = child + group->count; child < end; child++) {
    if (is_alias(child)) look(graph, child);
    double p = child->probability;
    sum += (gli_pair){p, p} * *(const gli_loose_pair *)(const void *)&child->upper;
    uint32_t rank = rank_of(child, discount, plain);
    bool more = rank > most; /* unpredictable, so no branches here and below */
    most = more ? rank : most;
    link = more ? child->link : link;
  }
  memcpy(score, &most, sizeof most);
  *best = link == GLI_NONE ? node | -(uint32_t)!most : gli_graph_node(graph, link)->best;
  return (gli_pair){discount, discount} * sum;
}

/* Takes bounds of a choice, from its children or from corners, unless better ones are known; true when one changed. */
GLI_ALWAYS_INLINE bool take_bounds(const gli_graph *graph, gli_expanded *e, uint32_t choice, gli_pair sum, mode m) {
  double *known_upper = gli_graph_uppers(graph, e) + choice, *known_lower = gli_expanded_lowers(e, m.actions) + choice;
  double reward = choice < m.actions ? gli_expanded_rewards(e, m.actions)[choice] : -gli_graph_price(graph, e);
  double slack = gli_graph_slack(graph, choice, reward);
  gli_pair now = (gli_pair){reward, reward} + sum + (gli_pair){slack, -slack};
  bool changed = (now[0] < *known_upper) | (now[1] > *known_lower);
  *known_upper = now[0] < *known_upper ? now[0] : *known_upper;
  *known_lower = now[1] > *known_lower ? now[1] : *known_lower;
  return changed;
}

/* Asks the shared corners again. */
GLI_ALWAYS_INLINE bool backup_asking(const gli_graph *graph, gli_expanded *e, mode m) {
  return gli_graph_can_ask(graph, e) && take_bounds(graph, e, m.actions, ask_corners(graph, e), m);
}

/* From its children, which it has. */
GLI_ALWAYS_INLINE bool backup_group(gli_graph *graph, uint32_t node, gli_expanded *e, uint32_t choice, mode m) {
  gli_group *group = gli_expanded_groups(e, m.actions) + choice;
  float score;
  uint32_t best;
  gli_pair sum = sum_group(graph, node, group, choice < m.actions ? graph->discount : 1, m.rule == GLI_RULE_BI_POMDP,
                           &score, &best);
  bool changed = (group->score != score) | (group->best != best);
  group->score = score;
  group->best = best;
  return take_bounds(graph, e, choice, sum, m) | changed;
}

GLI_ALWAYS_INLINE bool backup_choice(gli_graph *graph, uint32_t node, gli_expanded *e, uint32_t choice, mode m) {
  if (choice < m.groups && gli_expanded_groups(e, m.actions)[choice].count)
    return backup_group(graph, node, e, choice, m);
  return choice == m.actions && backup_asking(graph, e, m);
}

bool gli_backup_choice(gli_graph *graph, uint32_t node, uint32_t choice) {
  RETURN_BY_MODE(graph, backup_choice, node, gli_graph_node(graph, node), choice);
}

/* A corner's bounds are read by every belief that may ask, and, when live, by
 * the bounds of every new child. */
static void publish(gli_graph *graph, const gli_record *record, const double *uppers) {
  uint32_t s = graph->origins[record->label].state;
  if (s == GLI_NONE) return;
  graph->known[s].upper = record->upper;
  graph->known[s].lower = record->lower;
  if (!graph->options.live) return;
  double *line = graph->table + (size_t)s * graph->stride;
  bool news = (record->upper != line[graph->at_act_upper]) | (record->lower != line[graph->at_act_lower]);
  line[graph->at_act_upper] = record->upper;
  line[graph->at_act_lower] = record->lower;
  for (uint32_t a = 0; a < graph->actions; a++) {
    news |= uppers[a] < line[a];
    line[a] = uppers[a] < line[a] ? uppers[a] : line[a];
  }
  if (graph->outlook && news) gli_outlook_tell(graph->outlook, s);
}

/* AEMS and BI-POMDP follow the greedy choice; Satia and Lave all choices that are
 * not dominated, as if equally probable. */
double gli_backup_weight(const gli_graph *graph, uint32_t node, uint32_t choice) {
  gli_expanded *e = gli_graph_node(graph, node);
  if (graph->options.rule != GLI_RULE_SATIA_LAVE) return choice == e->greedy ? 1 : 0;
  const double *uppers = gli_graph_uppers(graph, e);
  double lower = graph->records[e->record].lower;
  if (choice != e->greedy && uppers[choice] < lower) return 0;
  uint32_t count = 0;
  for (uint32_t c = 0; c <= graph->actions; c++) count += c == e->greedy || uppers[c] >= lower;
  return 1.0 / count;
}

/* Satia and Lave: the best of all choices that are followed, and its score. */
static uint32_t best_followed(const gli_graph *graph, gli_expanded *e, float *score) {
  const gli_group *groups = gli_graph_groups(graph, e);
  uint32_t node = graph->records[e->record].link, best = e->greedy;
  *score = 0;
  for (uint32_t c = 0; c < graph->groups; c++) {
    float candidate = (float)(gli_backup_weight(graph, node, c) * (double)groups[c].score);
    if (candidate > *score) *score = candidate, best = c;
  }
  return best;
}

uint32_t gli_backup_best(const gli_graph *graph, uint32_t node) {
  gli_expanded *e = gli_graph_node(graph, node);
  float score;
  uint32_t c = graph->options.rule == GLI_RULE_SATIA_LAVE ? best_followed(graph, e, &score) : e->greedy;
  double discount = c < graph->actions ? graph->discount : 1;
  uint32_t end, best = GLI_NONE, most = 0;
  for (uint32_t i = gli_graph_children(graph, node, c, &end); i < end; i++) {
    uint32_t rank = rank_of(&graph->records[i], discount, graph->options.rule == GLI_RULE_BI_POMDP);
    if (rank > most) most = rank, best = i;
  }
  return best;
}

/* Takes the best score of the choices that are followed; true when it changed. */
GLI_ALWAYS_INLINE bool take_score(gli_graph *graph, gli_expanded *e, gli_record *record, mode m) {
  const gli_group *groups = gli_expanded_groups(e, m.actions);
  float score = 0;
  uint32_t followed = m.rule == GLI_RULE_SATIA_LAVE ? best_followed(graph, e, &score) : e->greedy;
  bool own = followed < m.groups; /* or it asks shared corners: no children, no score */
  const gli_group *group = groups + (own ? followed : 0);
  if (m.rule != GLI_RULE_SATIA_LAVE) score = group->score;
  uint32_t best = group->best;
  bool little = (double)score < graph->least, none = (best == GLI_NONE) | !own;
  if (m.rule == GLI_RULE_AEMS) none |= little;
  if (m.rule == GLI_RULE_SATIA_LAVE && little) score = (float)graph->least;
  score *= (float)!none; /* no branches */
  best |= -(uint32_t)none;
  bool changed = (record->score != score) | (e->best != best);
  record->score = score;
  e->best = best;
  return changed;
}

/* The choice with the largest upper bound, the first of equals. */
GLI_ALWAYS_INLINE uint32_t find_greedy(const double *uppers, uint32_t actions, double *upper) {
  uint32_t greedy = 0;
  *upper = uppers[0];
#pragma GCC unroll 8
  for (uint32_t c = 1; c <= actions; c++) {
    greedy = uppers[c] > *upper ? c : greedy;
    *upper = uppers[c] > *upper ? uppers[c] : *upper;
    __asm__("" : "+r"(greedy)); /* it is unpredictable: compilers that see where it comes from make branches of it */
  }
  return greedy;
}

GLI_ALWAYS_INLINE double find_largest(const double *lowers, uint32_t actions) {
  double lower = lowers[0];
#pragma GCC unroll 8
  for (uint32_t c = 1; c <= actions; c++) lower = lowers[c] > lower ? lowers[c] : lower;
  return lower;
}

GLI_ALWAYS_INLINE bool open_greedy(gli_graph *graph, uint32_t node, gli_expanded *e, uint64_t *opened, mode m) {
  const double *uppers = gli_graph_uppers(graph, e);
  const gli_group *groups = gli_expanded_groups(e, m.actions);
  *opened = 0;
  for (;;) {
    double upper;
    uint32_t greedy = e->greedy = find_greedy(uppers, m.actions, &upper);
    if (greedy == m.actions || groups[greedy].count) return true;
    if (!gli_graph_open(graph, node, greedy)) return false;
    if (greedy < 64) *opened |= (uint64_t)1 << greedy;
  }
}

bool gli_backup_open(gli_graph *graph, uint32_t node, uint64_t *opened) {
  RETURN_BY_MODE(graph, open_greedy, node, gli_graph_node(graph, node), opened);
}

GLI_ALWAYS_INLINE bool backup_node(gli_graph *graph, uint32_t node, gli_expanded *e, mode m) {
  uint32_t actions = m.actions, before = e->greedy;
  const double *uppers = gli_graph_uppers(graph, e), *lowers = gli_expanded_lowers(e, actions);
  double upper, lower = find_largest(lowers, actions);
  uint32_t greedy = e->greedy = find_greedy(uppers, actions, &upper);
  if (greedy < actions && !gli_expanded_groups(e, actions)[greedy].count) {
    uint64_t opened;
    gli_backup_open(graph, node, &opened); /* without room it stays as it is, and is tried again */
    gli_graph_close(graph, node, opened);
    greedy = e->greedy;
    upper = uppers[greedy];
    lower = find_largest(lowers, actions);
  }
  gli_record *record = &graph->records[e->record];
  bool changed = (greedy != before) | (upper < record->upper) | (lower > record->lower);
  upper = upper < record->upper ? upper : record->upper;
  lower = lower > record->lower ? lower : record->lower;
  *(gli_loose_pair *)(void *)&record->upper = (gli_pair){upper, lower}; /* at once, as it will be read */
  if (e->above == GLI_NONE) publish(graph, record, uppers);
  return take_score(graph, e, record, m) | changed;
}

bool gli_backup_node(gli_graph *graph, uint32_t node) {
  RETURN_BY_MODE(graph, backup_node, node, gli_graph_node(graph, node));
}

GLI_ALWAYS_INLINE bool backup_news(gli_graph *graph, uint32_t node, bool aliases, mode m) {
  gli_expanded *e = gli_graph_node(graph, node);
  bool changed = backup_asking(graph, e, m);
  for (uint32_t a = 0; a < m.actions && aliases && e->aliased; a++)
    changed |= gli_expanded_groups(e, m.actions)[a].count && backup_group(graph, node, e, a, m);
  return changed && backup_node(graph, node, e, m);
}

bool gli_backup_news(gli_graph *graph, uint32_t node, bool aliases) {
  RETURN_BY_MODE(graph, backup_news, node, aliases);
}

bool gli_backup_score(gli_graph *graph, uint32_t node) {
  gli_expanded *e = gli_graph_node(graph, node);
  gli_group *groups = gli_graph_groups(graph, e);
  bool plain = graph->options.rule == GLI_RULE_BI_POMDP;
  for (uint32_t c = 0; c < graph->groups; c++) {
    if (groups[c].count)
      (void)sum_group(graph, node, &groups[c], c < graph->actions ? graph->discount : 1, plain, &groups[c].score,
                      &groups[c].best);
  }
  return take_score(graph, e, &graph->records[e->record], mode_of(graph));
}

GLI_ALWAYS_INLINE uint32_t backup_path(gli_graph *graph, uint32_t record, bool all, mode m) {
  uint32_t node = graph->records[record].parent;
  while (node != GLI_NONE) {
    gli_expanded *e = gli_graph_node(graph, node);
    if (e->dead) return GLI_NONE; /* below what was left behind */
    if (e->above != GLI_NONE) {   /* the rest of the next, its record, where the one after it begins */
      const gli_expanded *above = gli_graph_node(graph, e->above);
      gli_graph_fetch(graph, e->above);
      if (!above->dead) __builtin_prefetch(&graph->records[above->record]);
      if (above->above != GLI_NONE) __builtin_prefetch(gli_graph_node(graph, above->above));
    }
    uint32_t choice = gli_graph_choice_of(gli_expanded_groups(e, m.actions), e->greedy, m.actions, record);
    bool changed = backup_choice(graph, node, e, choice, m);
    if (changed || all) changed = backup_node(graph, node, e, m);
    if (!changed && !all) return GLI_NONE;
    if (e->best != GLI_NONE) __builtin_prefetch(gli_graph_node(graph, e->best)); /* where the next will be, perhaps */
    record = e->record;
    node = e->above;
  }
  return graph->records[record].label;
}

uint32_t gli_backup_path(gli_graph *graph, uint32_t record, bool all) {
  if (all) RETURN_BY_MODE(graph, backup_path, record, true); /* nobody asks what changed */
  RETURN_BY_MODE(graph, backup_path, record, false);
}
