/* Check: the invariants of a graph, verified from nothing but its arrays.
 *
 * A survey follows every link from the origins, then the garbage, then the lists of
 * free blocks, and counts how often each item of the store is met: it must be once.
 * What a belief says of its children is compared with a belief update made anew.
 * Bounds: rounding is monotone, so a backup that was made of older values of the
 * same numbers is never better than one made now, to the last bit.
 * Cost: that of making all children again, once per call. */
#include "graph/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct survey {
  const gli_graph *graph;
  gli_check_level level;
  char *text;
  uint8_t *record, *entry, *expanded, *origin; /* how often met */
  uint32_t *stack;
  size_t depth;
  gli_belief_work *work;
  gli_sparse belief;
  size_t records_live, expanded_live, corners;
} survey;

/* --------------------------------------------------------------- sentences */

static bool wrong(const survey *at, const char *what, uint32_t item) {
  snprintf(at->text, GLI_CHECK_TEXT, "%s (%lu)", what, (unsigned long)item);
  return false;
}

static bool wrong_numbers(char *text, const char *what, uint32_t item, double a, double b) {
  char first[GLIMPSE_NUMBER_SIZE], second[GLIMPSE_NUMBER_SIZE];
  glimpse_number_write(a, first);
  glimpse_number_write(b, second);
  snprintf(text, GLI_CHECK_TEXT, "%s (%lu): %s, %s", what, (unsigned long)item, first, second);
  return false;
}

/* ------------------------------------------------------------------- store */

/* Meets a block of the store; each item only once. */
static bool meet(const survey *at, uint8_t *met, size_t limit, uint32_t first, uint32_t size, const char *what) {
  if (first > limit || size > limit - first) return wrong(at, what, first);
  for (uint32_t i = first; i < first + size; i++)
    if (met[i]++) return wrong(at, what, i);
  return true;
}

static bool meet_records(survey *at, uint32_t first, uint32_t count) {
  if (!count) return true;
  at->records_live += count;
  return meet(at, at->record, at->graph->record_count, first, gli_store_size(count), "a record is used twice");
}

static bool meet_belief(survey *at, uint32_t first, uint32_t count) {
  return meet(at, at->entry, at->graph->belief_count, first, gli_store_size(gli_store_room(count)),
              "an entry of a belief is used twice");
}

static bool check_free(survey *at) {
  const gli_graph *graph = at->graph;
  uint32_t size;
  for (uint32_t class = 0; (size = gli_store_class_size(class)) || class == 0; class ++) {
    for (uint32_t block = graph->free_records[class]; block != GLI_NONE; block = graph->records[block].parent)
      if (!meet(at, at->record, graph->record_count, block, size, "a free record is in use")) return false;
    for (uint32_t block = graph->free_beliefs[class]; block != GLI_NONE;) {
      if (!meet(at, at->entry, graph->belief_count, block, size, "a free entry of a belief is in use")) return false;
      block = *(const uint32_t *)(const void *)&graph->beliefs[block];
    }
  }
  for (uint32_t node = graph->free_expanded; node != GLI_NONE; node = gli_graph_node(graph, node)->record) {
    if (!meet(at, at->expanded, graph->expanded_count, node, 1, "a free expanded belief is in use")) return false;
    if (!gli_graph_node(graph, node)->dead) return wrong(at, "a free expanded belief is not dead", node);
  }
  for (uint32_t x = graph->free_origin; x != GLI_NONE; x = graph->origins[x].state) /* those with a record were met */
    if (!meet(at, at->origin, graph->origin_count, x, 1, "a free origin is in use")) return false;
  return true;
}

static bool all_met(const survey *at, const uint8_t *met, size_t count, const char *what) {
  for (size_t i = 0; i < count; i++)
    if (!met[i]) return wrong(at, what, (uint32_t)i);
  return true;
}

static bool check_counts(const survey *at) {
  const gli_graph *graph = at->graph;
  if (!all_met(at, at->record, graph->record_count, "a record is lost") ||
      !all_met(at, at->entry, graph->belief_count, "an entry of a belief is lost") ||
      !all_met(at, at->expanded, graph->expanded_count, "an expanded belief is lost") ||
      !all_met(at, at->origin, graph->origin_count, "an origin is lost"))
    return false;
  if (at->records_live != graph->records_live) return wrong(at, "records_live is wrong", (uint32_t)graph->records_live);
  if (at->expanded_live != graph->expanded_live)
    return wrong(at, "expanded_live is wrong", (uint32_t)graph->expanded_live);
  if (at->corners != graph->corners) return wrong(at, "corners is wrong", (uint32_t)graph->corners);
  uint64_t bytes = graph->record_capacity * sizeof *graph->records + graph->expanded_capacity * graph->expanded_size +
                   graph->belief_capacity * sizeof *graph->beliefs +
                   graph->origin_capacity * (sizeof *graph->origins + graph->origin_extra);
  const gli_quota *quota = &graph->quota;
  if (bytes > quota->bytes) /* others count there, too */
    return wrong_numbers(at->text, "more bytes are held than counted", 0, (double)bytes, (double)quota->bytes);
  if (quota->limit && quota->bytes > quota->limit)
    return wrong_numbers(at->text, "more memory than allowed", 0, (double)quota->bytes, (double)quota->limit);
  return true;
}

/* ----------------------------------------------------------------- beliefs */

static bool check_belief(const survey *at, glimpse_row belief, uint32_t node) {
  double sum = 0;
  if (!belief.count) return wrong(at, "a belief is empty", node);
  for (size_t i = 0; i < belief.count; i++) {
    if (belief.index[i] >= at->graph->states || (i && belief.index[i] <= belief.index[i - 1]))
      return wrong(at, "the states of a belief do not ascend", node);
    if (!(belief.value[i] > 0)) return wrong_numbers(at->text, "a mass is not positive", node, belief.value[i], 0);
    sum += belief.value[i];
  }
  if (fabs(sum - 1) > 1e-9) return wrong_numbers(at->text, "a belief does not sum to 1", node, sum, 1);
  return true;
}

/* The belief of an origin, fringe or not; `state` and `one` hold that of a corner. */
static glimpse_row origin_belief(const gli_graph *graph, uint32_t x, const double *one) {
  const gli_origin *origin = &graph->origins[x];
  uint32_t link = graph->records[origin->record].link;
  if (origin->state != GLI_NONE) return (glimpse_row){1, &origin->state, one};
  if (link != GLI_NONE) return gli_graph_belief(graph, gli_graph_node(graph, link));
  return gli_graph_row(graph, origin->belief, origin->support);
}

/* Products too small for a number are nothing in the graph, and the least of all numbers in an update: such a state
 * may be missing in one of the two. */
static double distance(glimpse_row a, glimpse_row b) {
  double off = 0;
  for (size_t i = 0, k = 0; i < a.count || k < b.count;) {
    bool left = i < a.count && (k == b.count || a.index[i] <= b.index[k]);
    bool right = k < b.count && (i == a.count || b.index[k] <= a.index[i]);
    double here = left ? a.value[i] : 0, there = right ? b.value[k] : 0;
    if (left != right && here + there > 1e-200) return INFINITY;
    off += fabs(here - there);
    i += left;
    k += right;
  }
  return off;
}

/* A child's probability and, where it is known, its belief, against an update made anew, which multiplies in another
 * order: of what is faint other products may be lost. */
static bool check_update(survey *at, uint32_t node, uint32_t action, uint32_t i) {
  const gli_graph *graph = at->graph;
  const gli_record *child = &graph->records[i];
  glimpse_row belief = gli_graph_belief(graph, gli_graph_node(graph, node));
  double probability = 0, one = 1;
  if (action == graph->actions) {
    uint32_t end, k = i - gli_graph_children(graph, node, action, &end);
    if (belief.index[k] != child->label || belief.value[k] != child->probability)
      return wrong(at, "a request child is not of its state", i);
    if (!gli_sparse_reserve(&at->belief, 1)) return wrong(at, "out of memory", 0);
    at->belief.count = 1;
    at->belief.index[0] = child->label;
    at->belief.value[0] = 1;
  } else {
    if (child->label >= graph->model->observations) return wrong(at, "a child has no observation", i);
    if (!gli_belief_child(at->work, belief, action, child->label, &probability, &at->belief))
      return wrong(at, "out of memory", 0);
    if (fabs(probability - child->probability) > 1e-12)
      return wrong_numbers(at->text, "a child's probability is wrong", i, child->probability, probability);
  }
  if (child->link == GLI_NONE || child->probability < GLI_FAINT) return true;
  glimpse_row known = child->link & GLI_ALIAS ? origin_belief(graph, child->link & ~GLI_ALIAS, &one)
                                              : gli_graph_belief(graph, gli_graph_node(graph, child->link));
  double off = distance(known, gli_sparse_row(&at->belief));
  if (off > 1e-12) return wrong_numbers(at->text, "a child has another belief than its parent makes", i, off, 0);
  return true;
}

/* ------------------------------------------------------------------ bounds */

/* What a choice is worth by what is known now. */
static void backup(const gli_graph *graph, uint32_t node, uint32_t choice, double *upper, double *lower) {
  gli_expanded *e = gli_graph_node(graph, node);
  glimpse_row belief = gli_graph_belief(graph, e);
  double high = 0, low = 0;
  if (choice == graph->actions && gli_graph_shares(graph)) {
    for (size_t i = 0; i < belief.count; i++) {
      high += belief.value[i] * graph->known[belief.index[i]].upper;
      low += belief.value[i] * graph->known[belief.index[i]].lower;
    }
  }
  uint32_t end, i = gli_graph_children(graph, node, choice, &end);
  for (; i < end; i++) {
    const gli_record *child = &graph->records[i];
    double child_upper = child->upper, child_lower = child->lower;
    if (child->link != GLI_NONE && (child->link & GLI_ALIAS)) {
      const gli_record *origin = &graph->records[graph->origins[child->link & ~GLI_ALIAS].record];
      child_upper = fmin(child_upper, origin->upper);
      child_lower = fmax(child_lower, origin->lower);
    }
    high += child->probability * child_upper;
    low += child->probability * child_lower;
  }
  bool action = choice < graph->actions;
  double reward = action ? gli_graph_rewards(graph, e)[choice] : -gli_graph_price(graph, e);
  double discount = action ? graph->discount : 1;
  *upper = reward + discount * high + gli_graph_slack(graph, choice, reward);
  *lower = reward + discount * low - gli_graph_slack(graph, choice, reward);
}

/* An upper bound of an action that needs no children: offline vectors, and what is known
 * of the corners by now. */
static double vector_upper(const gli_graph *graph, uint32_t node, uint32_t action) {
  glimpse_row belief = gli_graph_belief(graph, gli_graph_node(graph, node));
  double upper = 0;
  for (size_t i = 0; i < belief.count; i++)
    upper += belief.value[i] * graph->table[(size_t)belief.index[i] * graph->stride + action];
  return upper;
}

static bool check_choice(const survey *at, uint32_t node, uint32_t choice) {
  const gli_graph *graph = at->graph;
  gli_expanded *e = gli_graph_node(graph, node);
  double upper = gli_graph_uppers(graph, e)[choice], lower = gli_graph_lowers(graph, e)[choice];
  double now_upper = INFINITY, now_lower = -INFINITY;
  bool action = choice < graph->actions, opened = !action || gli_graph_opened(graph, e, choice);
  if (opened) backup(graph, node, choice, &now_upper, &now_lower);
  else gli_graph_try(graph, node, choice, &now_upper, &now_lower); /* it may have been, and been closed */
  if (action)                                                      /* what it had before it was opened */
    now_lower = fmax(now_lower, gli_graph_rewards(graph, e)[choice] - graph->discount * graph->scale);
  if (!(lower <= upper)) return wrong_numbers(at->text, "L > U of a choice", node, lower, upper);
  double least = action ? fmin(now_upper, vector_upper(graph, node, choice)) : now_upper;
  if (upper < least) return wrong_numbers(at->text, "U of a choice is below its backup", node, upper, least);
  if (lower > now_lower) return wrong_numbers(at->text, "L of a choice is above its backup", node, lower, now_lower);
  if (at->level < GLI_CHECK_SETTLED || !opened) return true;
  if (upper > now_upper) return wrong_numbers(at->text, "U of a choice is not its backup", node, upper, now_upper);
  if (lower < now_lower) return wrong_numbers(at->text, "L of a choice is not its backup", node, lower, now_lower);
  return true;
}

static bool check_bounds(const survey *at, uint32_t node) {
  const gli_graph *graph = at->graph;
  gli_expanded *e = gli_graph_node(graph, node);
  const gli_record *record = &graph->records[e->record];
  const double *uppers = gli_graph_uppers(graph, e), *lowers = gli_graph_lowers(graph, e);
  bool asks = graph->model->requests && e->support > 1;
  if (asks != gli_graph_can_ask(graph, e)) return wrong(at, "asking is possible where it should not be, or not", node);
  double upper = -INFINITY, lower = -INFINITY;
  uint32_t greedy = graph->actions;
  for (uint32_t c = 0; c < graph->actions + asks; c++) {
    if (!check_choice(at, node, c)) return false;
    if (uppers[c] > upper) upper = uppers[c], greedy = c;
    lower = fmax(lower, lowers[c]);
  }
  if (at->level < GLI_CHECK_SCORES) return true; /* a walk under way has yet to take them in */
  if (record->upper > upper) return wrong_numbers(at->text, "U is worse than its choices", node, record->upper, upper);
  if (record->lower < lower) return wrong_numbers(at->text, "L is worse than its choices", node, record->lower, lower);
  if (e->greedy != greedy) return wrong(at, "the greedy choice is another", node);
  if (greedy < graph->actions && !gli_graph_opened(graph, e, greedy) && !graph->full)
    return wrong(at, "the greedy choice is not opened", node);
  return true;
}

/* ------------------------------------------------------------------ scores */

/* The score of a child as its parent sees it, under a policy that follows the choice with some weight. */
static float score_of(const gli_graph *graph, uint32_t choice, double weight, uint32_t child) {
  const gli_record *record = &graph->records[child];
  double discount = choice < graph->actions ? graph->discount : 1;
  float score = graph->options.rule == GLI_RULE_BI_POMDP
                    ? record->score
                    : (float)(discount * record->probability * (double)record->score);
  return (float)(weight * (double)score); /* rounded twice, as in backup.c */
}

/* Is what gli_backup_best finds at a belief fringe, and no child better? */
static bool check_best(const survey *at, uint32_t node) {
  const gli_graph *graph = at->graph;
  uint32_t best = gli_backup_best(graph, node);
  float most = 0, found = 0;
  for (uint32_t c = 0; c <= graph->actions; c++) {
    double weight = gli_backup_weight(graph, node, c);
    uint32_t end, i = gli_graph_children(graph, node, c, &end);
    for (; weight > 0 && i < end; i++) {
      float score = score_of(graph, c, weight, i);
      if (score > most) most = score;
      if (i == best) found = score;
    }
  }
  if (best == GLI_NONE || graph->records[best].link != GLI_NONE)
    return wrong(at, "the best fringe record is not fringe", node);
  return found == most || wrong(at, "the best fringe record is not the best child", node);
}

/* The best score below a belief by what its children say. */
static bool check_score(const survey *at, uint32_t node) {
  const gli_graph *graph = at->graph;
  gli_expanded *e = gli_graph_node(graph, node);
  float best = 0;
  bool known = e->best == GLI_NONE;
  for (uint32_t c = 0; c <= graph->actions; c++) {
    double weight = gli_backup_weight(graph, node, c);
    uint32_t end, i = gli_graph_children(graph, node, c, &end);
    for (; weight > 0 && i < end; i++) {
      const gli_record *child = &graph->records[i];
      float score = score_of(graph, c, weight, i);
      if (score > best) best = score;
      uint32_t below = child->link == GLI_NONE      ? node
                       : !(child->link & GLI_ALIAS) ? gli_graph_node(graph, child->link)->best
                                                    : GLI_NONE;
      if (below != GLI_NONE && below == e->best && score == graph->records[e->record].score) known = true;
    }
  }
  float score = graph->records[e->record].score;
  if (graph->options.rule == GLI_RULE_AEMS && (double)best < graph->least) best = 0;
  if (graph->options.rule == GLI_RULE_SATIA_LAVE && best > 0 && (double)best < graph->least) {
    best = (float)graph->least; /* see backup.c; which of several such it is does not matter */
    known = true;
  }
  if (fabsf(score - best) > 1e-6f * best)
    return wrong_numbers(at->text, "the score is not the best one below", node, (double)score, (double)best);
  if (!known || (best > 0) != (e->best != GLI_NONE)) return wrong(at, "the best fringe record is another", node);
  return e->best == GLI_NONE || check_best(at, e->best);
}

/* ----------------------------------------------------------------- records */

static bool check_record(survey *at, uint32_t i) {
  const gli_graph *graph = at->graph;
  const gli_record *record = &graph->records[i];
  if (!(record->lower <= record->upper)) return wrong_numbers(at->text, "L > U", i, record->lower, record->upper);
  if (!isfinite(record->lower) || !isfinite(record->upper)) return wrong(at, "a bound is not finite", i);
  if (record->link == GLI_NONE) {
    if (record->score != (float)gli_graph_gap(graph, record))
      return wrong_numbers(at->text, "the score of a fringe record is not its gap", i, (double)record->score,
                           gli_graph_gap(graph, record));
    return true;
  }
  if (record->link & GLI_ALIAS) {
    uint32_t x = record->link & ~GLI_ALIAS;
    if (record->parent == GLI_NONE) return wrong(at, "a free-standing record is an alias", i);
    if (x >= graph->origin_count || graph->origins[x].record == GLI_NONE)
      return wrong(at, "an alias of an origin that is not there", i);
    if (!gli_graph_node(graph, record->parent)->aliased)
      return wrong(at, "an alias that its parent does not know of", i);
    if (record->score != 0) return wrong(at, "an alias has a score", i);
    return true;
  }
  if (record->link >= graph->expanded_count || gli_graph_node(graph, record->link)->dead)
    return wrong(at, "a record leads to a belief that is not there", i);
  const gli_expanded *e = gli_graph_node(graph, record->link);
  if (e->record != i) return wrong(at, "a belief does not know its record", i);
  if (e->above != record->parent) return wrong(at, "a belief does not know what is above it", i);
  at->stack[at->depth++] = record->link;
  return true;
}

static bool check_children(survey *at, uint32_t node) {
  const gli_graph *graph = at->graph;
  gli_expanded *e = gli_graph_node(graph, node);
  for (uint32_t c = 0; c <= graph->actions; c++) {
    uint32_t end, i = gli_graph_children(graph, node, c, &end);
    if (!meet_records(at, i, end - i)) return false;
    double sum = 0;
    bool any = i < end;
    for (; i < end; i++) {
      const gli_record *child = &graph->records[i];
      if (child->parent != node) return wrong(at, "a child has another parent", i);
      if (!(child->probability > 0))
        return wrong_numbers(at->text, "a probability is not positive", i, child->probability, 0);
      sum += child->probability;
      if (!check_record(at, i) || !check_update(at, node, c, i)) return false;
    }
    if (!any && c < graph->actions && graph->options.all_actions) return wrong(at, "an action is not opened", node);
    if (any && fabs(sum - 1) > 1e-9) return wrong_numbers(at->text, "probabilities do not sum to 1", node, sum, 1);
    if (c == graph->actions && any != (graph->model->requests && !gli_graph_shares(graph) && e->support > 1))
      return wrong(at, "request children where there should be none, or none", node);
  }
  return true;
}

static bool check_node(survey *at, uint32_t node) {
  const gli_graph *graph = at->graph;
  gli_expanded *e = gli_graph_node(graph, node);
  glimpse_row belief = gli_graph_belief(graph, e);
  at->expanded_live++;
  at->expanded[node]++; /* for the first time: it knows its record, which was met once */
  if (!meet_belief(at, e->belief, e->support) || !check_belief(at, belief, node) || !check_children(at, node))
    return false;
  for (uint32_t a = 0; a < graph->actions; a++) {
    double reward = 0;
    for (size_t i = 0; i < belief.count; i++)
      reward += belief.value[i] * glimpse_model_reward(graph->model, a, belief.index[i]);
    double known = gli_graph_rewards(graph, e)[a];
    if (fabs(reward - known) > 1e-9 * (1 + fabs(reward)))
      return wrong_numbers(at->text, "a reward is wrong", node, known, reward);
  }
  return check_bounds(at, node) && (at->level < GLI_CHECK_SCORES || check_score(at, node));
}

/* ----------------------------------------------------------------- origins */

static bool check_origin(survey *at, uint32_t x) {
  const gli_graph *graph = at->graph;
  const gli_origin *origin = &graph->origins[x];
  const gli_record *record = &graph->records[origin->record];
  at->origin[x]++;
  if (!meet_records(at, origin->record, 1)) return false;
  if (record->parent != GLI_NONE || record->label != x || record->probability != 1)
    return wrong(at, "the record of an origin does not stand free", x);
  if (origin->state != GLI_NONE) {
    if (origin->state >= graph->states || graph->corner[origin->state] != x)
      return wrong(at, "a corner is not that of its state", x);
    if (record->upper != graph->known[origin->state].upper || record->lower != graph->known[origin->state].lower)
      return wrong(at, "what is known of a corner has not been told", x);
    at->corners++;
  }
  bool stored = record->link == GLI_NONE && origin->state == GLI_NONE;
  if (stored != (origin->belief != GLI_NONE)) return wrong(at, "an origin has a belief it should not have, or none", x);
  double one = 1;
  if (stored &&
      (!meet_belief(at, origin->belief, origin->support) || !check_belief(at, origin_belief(graph, x, &one), x)))
    return false;
  if (origin->home != GLI_NONE &&
      (origin->home >= graph->record_count || graph->records[origin->home].link != (GLI_ALIAS | x)))
    return wrong(at, "the home of an origin is no alias of it", x);
  at->depth = 0;
  if (!check_record(at, origin->record)) return false;
  while (at->depth)
    if (!check_node(at, at->stack[--at->depth])) return false;
  return true;
}

static bool check_corners(const survey *at) {
  const gli_graph *graph = at->graph;
  for (uint32_t s = 0; s < graph->states; s++) {
    const double *line = graph->table + (size_t)s * graph->stride;
    uint32_t x = graph->corner[s];
    if (x != GLI_NONE && (x >= graph->origin_count || graph->origins[x].state != s))
      return wrong(at, "a state has a corner that is not its own", s);
    if (!(graph->known[s].lower <= graph->known[s].upper)) return wrong(at, "L > U in a corner", s);
    if (x != GLI_NONE && !graph->options.live) continue;
    if (graph->known[s].upper != line[graph->at_act_upper] || graph->known[s].lower != line[graph->at_act_lower])
      return wrong(at, "the table does not know a corner", s);
  }
  return true;
}

/* What is dead keeps its room until it is freed, and what is below it, too. */
static bool check_garbage(survey *at) {
  const gli_graph *graph = at->graph;
  at->depth = 0;
  for (uint32_t node = graph->garbage; node != GLI_NONE; node = gli_graph_node(graph, node)->record) {
    if (at->depth >= graph->expanded_count) return wrong(at, "the garbage goes round in a circle", node);
    if (!gli_graph_node(graph, node)->dead) return wrong(at, "garbage is not dead", node);
    at->stack[at->depth++] = node;
  }
  while (at->depth) {
    uint32_t node = at->stack[--at->depth];
    gli_expanded *e = gli_graph_node(graph, node);
    at->expanded_live++;
    if (!meet(at, at->expanded, graph->expanded_count, node, 1, "garbage is in use") ||
        !meet_belief(at, e->belief, e->support))
      return false;
    for (uint32_t c = 0; c <= graph->actions; c++) {
      uint32_t end, i = gli_graph_children(graph, node, c, &end);
      if (!meet_records(at, i, end - i)) return false;
      for (; i < end; i++) {
        uint32_t link = graph->records[i].link;
        if (link == GLI_NONE || (link & GLI_ALIAS)) continue;
        if (at->depth >= graph->expanded_count) return wrong(at, "garbage is met twice", link);
        at->stack[at->depth++] = link;
      }
    }
  }
  return true;
}

static bool check_all(survey *at) {
  const gli_graph *graph = at->graph;
  if (graph->root != GLI_NONE && (graph->root >= graph->origin_count || graph->origins[graph->root].record == GLI_NONE))
    return wrong(at, "the root is not there", graph->root);
  for (uint32_t x = 0; x < graph->origin_count; x++)
    if (graph->origins[x].record != GLI_NONE && !check_origin(at, x)) return false;
  return check_corners(at) && check_garbage(at) && check_free(at) && check_counts(at);
}

bool gli_check_graph(const gli_graph *graph, gli_check_level level, char text[GLI_CHECK_TEXT]) {
  survey at = {.graph = graph, .level = level, .text = text};
  text[0] = 0;
  at.record = GLI_NEW(uint8_t, graph->record_count);
  at.entry = GLI_NEW(uint8_t, graph->belief_count);
  at.expanded = GLI_NEW(uint8_t, graph->expanded_count);
  at.origin = GLI_NEW(uint8_t, graph->origin_count);
  at.stack = GLI_NEW(uint32_t, graph->expanded_count + 1);
  at.work = gli_belief_work_new(graph->model);
  bool made = at.record && at.entry && at.expanded && at.origin && at.stack && at.work;
  bool fine = made ? check_all(&at) : wrong(&at, "out of memory", 0);
  gli_memory_free(at.record);
  gli_memory_free(at.entry);
  gli_memory_free(at.expanded);
  gli_memory_free(at.origin);
  gli_memory_free(at.stack);
  gli_belief_work_free(at.work);
  gli_sparse_free(&at.belief);
  return fine;
}

/* -------------------------------------------------------------------- reach */

bool gli_check_flow(const gli_walk *walk, char text[GLI_CHECK_TEXT]) {
  text[0] = 0;
  double *inflow = GLI_NEW(double, walk->reach.count);
  bool fine = inflow;
  if (!fine) snprintf(text, GLI_CHECK_TEXT, "out of memory");
  /* What comes and goes leaves rounding behind, in proportion to 1 / (1 - discount), which may have come. */
  double most = 1 / (1 - walk->graph->discount);
  for (uint32_t x = 0; fine && x < walk->reach.count; x++) {
    const gli_reach *from = &walk->reach.of[x];
    if (x == walk->reach.source) inflow[x] += 1;
    for (uint32_t i = 0; i < from->count; i++) {
      uint32_t y = from->row[i].origin;
      if (y >= walk->reach.count || walk->graph->origins[y].record == GLI_NONE)
        fine = wrong_numbers(text, "mass flows to an origin that is not there", x, y, from->row[i].weight);
      else inflow[y] += from->reach * from->row[i].weight;
    }
  }
  for (uint32_t x = 0; fine && x < walk->reach.count; x++) {
    double held = walk->reach.of[x].reach + walk->reach.of[x].residual;
    if (fabs(held - inflow[x]) > 1e-9 * most) fine = wrong_numbers(text, "mass is lost or made", x, held, inflow[x]);
  }
  gli_memory_free(inflow);
  return fine;
}

bool gli_check_reach(const gli_walk *walk, gli_plain *plain, double tolerance, char text[GLI_CHECK_TEXT]) {
  uint32_t record;
  double score;
  text[0] = 0;
  if (!gli_plain_select(plain, &record, &score)) {
    snprintf(text, GLI_CHECK_TEXT, "out of memory");
    return false;
  }
  for (uint32_t x = 0; x < walk->reach.count; x++) {
    double reach = walk->reach.of[x].reach + walk->reach.of[x].residual, exact = gli_plain_reach(plain, x);
    if (walk->graph->origins[x].record == GLI_NONE) exact = 0;
    if (!(fabs(reach - exact) <= tolerance))
      return wrong_numbers(text, "Psi is not that of the plain form", x, reach, exact);
  }
  return true;
}
