/* Expand: expands a belief by opening the actions that the policy greedy on U may
 * look at, or, at origins, all (see backup.c for why that is enough): a record for each child that
 * the maker has made, with bounds from its sums.
 *
 * With J(s',o) = O(o|a,s') sum_s b(s) T(s'|s,a) and P(o) = sum_s' J(s',o),
 *   U(child) = max{ max_a' <J,alpha_a'>, <J,act upper> - price } / P(o),
 *   L(child) = max{ max_k <J,beta_k>,   <J,act lower> - price } / P(o).
 * A child that is certain of one state is the corner of that state.
 * An action that is not opened has U(b,a) <= <b,alpha_a>, L(b,a) >= R(b,a) - discount scale. */
#include <math.h>
#include <string.h>

#include "graph/line.h"
#include "graph/maker.h"
#include "graph/share.h"

/* Bounds from sums of lines.  Where the sum of the weights is faint only what holds everywhere is sure. */
static void judge(const gli_graph *graph, const double *sums, bool certain, double *upper, double *lower) {
  double total = sums[graph->at_one];
  if (total < GLI_FAINT) {
    *upper = graph->scale;
    *lower = -graph->scale;
    return;
  }
  double high = sums[0], low = sums[graph->at_lowers], scale = 1 / total;
  for (uint32_t a = 1; a < graph->actions; a++) high = sums[a] > high ? sums[a] : high;
  for (uint32_t k = 1; k < graph->lowers; k++)
    low = sums[graph->at_lowers + k] > low ? sums[graph->at_lowers + k] : low;
  if (certain) { /* acting; asking is of no use */
    low = sums[graph->at_act_lower] > low ? sums[graph->at_act_lower] : low;
    high = sums[graph->at_act_upper];
  } else if (graph->model->requests) {
    double price = graph->model->costs ? sums[graph->at_price] : graph->model->cost * total;
    double ask_high = sums[graph->at_act_upper] - price, ask_low = sums[graph->at_act_lower] - price;
    high = ask_high > high ? ask_high : high;
    low = ask_low > low && !graph->options.vectors_only ? ask_low : low;
  }
  *upper = high * scale + graph->slack;
  *lower = low * scale - graph->slack;
}

/* A belief's lines, added up. */
static const double *add_up(const gli_graph *graph, glimpse_row belief) {
  double *sums = graph->maker->scratch;
  memset(sums, 0, graph->stride * sizeof(double));
  for (size_t i = 0; i < belief.count; i++)
    gli_line_add(sums, graph->table + (size_t)belief.index[i] * graph->stride, belief.value[i], graph->stride);
  return sums;
}

/* Slack of sums over a whole belief, <b,alpha> / sum b with <b,|alpha|> up to 3 times the
 * largest value: as find_rounding says of children, but a root may have any support. */
static double slack_of(const gli_graph *graph, size_t support) {
  return fmax(graph->slack, (4 * (double)support + 8) * GLI_UNIT * graph->scale);
}

void gli_graph_evaluate(const gli_graph *graph, glimpse_row belief, double *upper, double *lower) {
  double more = slack_of(graph, belief.count) - graph->slack;
  judge(graph, add_up(graph, belief), belief.count == 1, upper, lower);
  *upper += more;
  *lower -= more;
}

uint32_t gli_graph_corner(gli_graph *graph, uint32_t state) {
  uint32_t origin = graph->corner[state];
  if (origin != GLI_NONE) return origin;
  uint32_t record = gli_store_records(graph, 1);
  if (record == GLI_NONE) return GLI_NONE;
  origin = gli_store_origin(graph);
  if (origin == GLI_NONE) {
    gli_store_free_records(graph, record, 1);
    return GLI_NONE;
  }
  graph->origins[origin].record = record;
  graph->origins[origin].state = state;
  graph->corner[state] = origin;
  graph->corners++;
  graph->records[record] = (gli_record){.upper = graph->known[state].upper,
                                        .lower = graph->known[state].lower,
                                        .probability = 1,
                                        .parent = GLI_NONE,
                                        .label = origin,
                                        .link = GLI_NONE};
  graph->records[record].score = (float)gli_graph_gap(graph, &graph->records[record]);
  return origin;
}

/* The belief of a fringe record, in the maker's hands. */
static bool recall(gli_graph *graph, uint32_t record) {
  struct gli_maker *maker = graph->maker;
  const gli_record *r = &graph->records[record];
  gli_sparse *belief = &maker->belief;
  if (r->parent == GLI_NONE) {
    const gli_origin *origin = &graph->origins[r->label];
    if (origin->state != GLI_NONE) {
      if (!gli_sparse_reserve(belief, 1)) return false;
      belief->index[0] = origin->state;
      belief->value[0] = 1;
      belief->count = 1;
      return true;
    }
    if (!gli_sparse_reserve(belief, origin->support)) return false;
    glimpse_row stored = gli_graph_row(graph, origin->belief, origin->support);
    memcpy(belief->index, stored.index, stored.count * sizeof *belief->index);
    memcpy(belief->value, stored.value, stored.count * sizeof *belief->value);
    belief->count = origin->support;
  } else {
    uint32_t action = gli_graph_action(graph, r->parent, record);
    if (action == graph->actions) { /* a request child of its own: certain */
      if (!gli_sparse_reserve(belief, 1)) return false;
      belief->index[0] = r->label;
      belief->value[0] = 1;
      belief->count = 1;
    } else if (!gli_maker_follow(graph, gli_graph_belief(graph, gli_graph_node(graph, r->parent)), action, r->label)) {
      return false;
    }
  }
  return true;
}

/* The bounds of a child, which is certain of a state or (GLI_NONE) not; returns its probability. */
static double judge_child(const gli_graph *graph, gli_child *child, uint32_t only, double *upper, double *lower) {
  const double *sums = gli_child_sums(child);
  double probability = sums[graph->at_one];
  judge(graph, sums, only != GLI_NONE, upper, lower);
  if (only != GLI_NONE && probability < GLI_FAINT) { /* no sums are needed to judge a single state */
    *upper = graph->known[only].upper;
    *lower = graph->known[only].lower;
  }
  return probability;
}

/* Writes the child records.  Aliases of corners that could not be made (no room)
 * stay ordinary children: sharing is an economy, not a matter of correctness. */
static void write_children(gli_graph *graph, uint32_t node, uint32_t first) {
  for (uint32_t i = 0, count = graph->maker->count; i < count; i++) {
    gli_record *record = &graph->records[first + i];
    gli_child *child = gli_maker_child(graph->maker, i, graph->stride);
    uint32_t only = gli_child_state(child);
    *record = (gli_record){.parent = node, .label = child->label, .link = GLI_NONE};
    record->probability = judge_child(graph, child, only, &record->upper, &record->lower);
    if (only != GLI_NONE && gli_graph_shares(graph) && !graph->options.requests_only) {
      uint32_t origin = graph->corner[only];
      if (origin != GLI_NONE) {
        record->link = GLI_ALIAS | origin;
        gli_graph_node(graph, node)->aliased = true;
      }
    }
    record->score = record->link == GLI_NONE ? (float)gli_graph_gap(graph, record) : 0;
  }
}

/* Request children of its own (sharing none), one per state of the support. */
static void write_request(gli_graph *graph, uint32_t node, uint32_t first, glimpse_row belief) {
  for (size_t i = 0; i < belief.count; i++) {
    uint32_t s = belief.index[i];
    gli_record *record = &graph->records[first + i];
    *record = (gli_record){.upper = graph->known[s].upper,
                           .lower = graph->known[s].lower,
                           .probability = belief.value[i],
                           .parent = node,
                           .label = s,
                           .link = GLI_NONE};
    record->score = (float)gli_graph_gap(graph, record);
  }
}

/* Makes the corners that the new children alias.  Running out of room is harmless. */
static void make_child_corners(gli_graph *graph) {
  if (!gli_graph_shares(graph) || graph->options.requests_only) return;
  for (uint32_t i = 0, count = graph->maker->count; i < count; i++) {
    uint32_t only = gli_child_state(gli_maker_child(graph->maker, i, graph->stride));
    if (only != GLI_NONE) gli_graph_corner(graph, only);
  }
}

bool gli_graph_open(gli_graph *graph, uint32_t node, uint32_t action) {
  gli_expanded *e = gli_graph_node(graph, node);
  gli_group *group = gli_graph_groups(graph, e) + action;
  if (group->count) return true;
  uint32_t first = GLI_NONE, count = 0;
  if (gli_maker_make(graph, gli_graph_belief(graph, e), action)) {
    count = graph->maker->count;
    first = gli_store_records(graph, count);
  }
  if (first == GLI_NONE) return !(graph->full = true);
  make_child_corners(graph);
  write_children(graph, node, first);
  group->first = first;
  group->count = count;
  gli_backup_choice(graph, node, action);
  return true;
}

void gli_graph_try(const gli_graph *graph, uint32_t node, uint32_t action, double *upper, double *lower) {
  gli_expanded *e = gli_graph_node(graph, node);
  double reward = gli_graph_rewards(graph, e)[action], high = 0, low = 0;
  *upper = INFINITY;
  *lower = -INFINITY;
  if (!gli_maker_make(graph, gli_graph_belief(graph, e), action)) return;
  for (uint32_t i = 0, count = graph->maker->count; i < count; i++) {
    gli_child *child = gli_maker_child(graph->maker, i, graph->stride);
    uint32_t only = gli_child_state(child);
    double child_upper, child_lower, probability = judge_child(graph, child, only, &child_upper, &child_lower);
    if (only != GLI_NONE) { /* an alias takes the corner's */
      child_upper = fmin(child_upper, graph->known[only].upper);
      child_lower = fmax(child_lower, graph->known[only].lower);
    }
    high += probability * child_upper;
    low += probability * child_lower;
  }
  *upper = reward + graph->discount * high + graph->slack;
  *lower = reward + graph->discount * low - graph->slack;
}

/* Of each action the upper bound and the reward at a belief, times its mass, which is returned. */
GLI_ALWAYS_INLINE double add_actions_with(const gli_graph *graph, glimpse_row belief, double *restrict uppers,
                                          double *restrict rewards, uint32_t length) {
  double total = 0;
  for (uint32_t k = 0; k < length; k++) uppers[k] = rewards[k] = 0;
  for (size_t i = 0; i < belief.count; i++) {
    size_t s = belief.index[i];
    gli_line_add(uppers, graph->table + s * graph->stride, belief.value[i], length);
    gli_line_add(rewards, graph->maker->rewards + s * length, belief.value[i], length);
    total += belief.value[i];
  }
  return total;
}

static double add_actions(const gli_graph *graph, glimpse_row belief, double *uppers, double *rewards) {
  switch (gli_maker_even(graph->actions)) {
    case 4: return add_actions_with(graph, belief, uppers, rewards, 4);
    case 6: return add_actions_with(graph, belief, uppers, rewards, 6);
    default: return add_actions_with(graph, belief, uppers, rewards, gli_maker_even(graph->actions));
  }
}

/* What is known of the choices before any is opened. */
static void start_choices(gli_graph *graph, gli_expanded *e, bool asks) {
  glimpse_row belief = gli_graph_belief(graph, e);
  double *uppers = gli_graph_uppers(graph, e), *lowers = gli_graph_lowers(graph, e);
  double *rewards = gli_graph_rewards(graph, e), *sums = graph->maker->scratch, *means = sums + graph->stride;
  gli_group *groups = gli_graph_groups(graph, e);
  double total = add_actions(graph, belief, sums, means), slack = slack_of(graph, belief.count);
  for (uint32_t a = 0; a < graph->actions; a++) {
    rewards[a] = means[a];
    uppers[a] = sums[a] / total + slack;
    lowers[a] = means[a] - graph->discount * graph->scale - slack;
  }
  for (uint32_t c = 0; c < graph->groups; c++) groups[c] = (gli_group){.best = GLI_NONE};
  uppers[graph->actions] = asks ? INFINITY : -INFINITY;
  lowers[graph->actions] = -INFINITY;
}

/* Asking: children of its own, or the shared corners of the support, whose bounds are known
 * before they are there. */
static bool start_asking(gli_graph *graph, uint32_t node) {
  gli_expanded *e = gli_graph_node(graph, node);
  if (!gli_graph_can_ask(graph, e)) return true;
  if (!gli_graph_shares(graph)) {
    uint32_t first = gli_store_records(graph, e->support);
    if (first == GLI_NONE) return false;
    gli_group *ask = gli_graph_groups(graph, e) + graph->actions;
    ask->first = first;
    ask->count = e->support;
    write_request(graph, node, first, gli_graph_belief(graph, e));
  }
  gli_backup_choice(graph, node, graph->actions);
  return true;
}

/* The corners that asking leads to.  For lack of room there may be some missing, whose
 * offline bounds are then used. */
static void meet_corners(gli_graph *graph, uint32_t node) {
  const gli_expanded *e = gli_graph_node(graph, node);
  if (!gli_graph_shares(graph) || !gli_graph_can_ask(graph, e)) return;
  glimpse_row belief = gli_graph_belief(graph, e);
  for (size_t i = 0; i < belief.count; i++) {
    uint32_t s = belief.index[i];
    if (graph->corner[s] == GLI_NONE) gli_graph_corner(graph, s);
  }
}

/* Are all actions opened at once, and stay so?  Satia and Lave follow several; the children of equal beliefs
 * must be there to be compared. */
static bool opens_all(const gli_graph *graph, uint32_t parent) {
  return parent == GLI_NONE || graph->options.all_actions || graph->share || graph->options.rule == GLI_RULE_SATIA_LAVE;
}

static bool open_actions(gli_graph *graph, uint32_t node, bool all, uint64_t *opened) {
  *opened = 0;
  if (all) {
    for (uint32_t a = 0; a < graph->actions; a++)
      if (!gli_graph_open(graph, node, a)) return false;
    return true;
  }
  return gli_backup_open(graph, node, opened);
}

/* Actions that were opened, only to see that another one is greedy, are closed: what was learnt of their bounds stays,
 * the room is that of the next children, and if they become greedy their children are made of what the corners know by
 * then.  Those nearly as good stay open, for they take turns with it, and so does what may be the plan, by lower
 * bounds, where some child is or was an alias: it may take in what a corner learns. */
void gli_graph_close(gli_graph *graph, uint32_t node, uint64_t opened) {
  gli_expanded *e = gli_graph_node(graph, node);
  if (opens_all(graph, e->above)) return;
  const gli_record *record = &graph->records[e->record];
  const double *uppers = gli_graph_uppers(graph, e), *lowers = gli_graph_lowers(graph, e);
  gli_group *groups = gli_graph_groups(graph, e);
  double near = uppers[e->greedy] - (record->upper - record->lower) / 256, plan = -INFINITY;
  for (uint32_t c = 0; c <= graph->actions; c++) plan = lowers[c] > plan ? lowers[c] : plan;
  for (uint32_t a = 0; a < graph->actions; a++) {
    if (a >= 64 || !(opened >> a & 1) || uppers[a] >= near) continue;
    if (e->aliased && lowers[a] >= plan - graph->floor) continue;
    gli_store_free_records(graph, groups[a].first, groups[a].count);
    groups[a] = (gli_group){.best = GLI_NONE};
  }
}

/* Where the next belief and its children will be written, mostly in no cache. */
GLI_ALWAYS_INLINE void fetch_room(const gli_graph *graph) {
  enum { LINE = 64, AHEAD = 4 * LINE, NUMBERS = 16 };
  size_t node = (graph->expanded_count + 1) * graph->expanded_size;
  size_t records = graph->record_count * sizeof *graph->records + AHEAD, belief = graph->belief_count + NUMBERS;
  bool room = node + AHEAD <= graph->expanded_capacity * graph->expanded_size;
  room &= records + AHEAD <= graph->record_capacity * sizeof *graph->records;
  if (!room || belief + NUMBERS > graph->belief_capacity) return;
  for (size_t i = 0; i < AHEAD; i += LINE) {
    __builtin_prefetch(graph->expanded + node + i, 1);
    __builtin_prefetch((const char *)graph->records + records + i, 1);
  }
  __builtin_prefetch(graph->beliefs + belief, 1);
  __builtin_prefetch(graph->beliefs + belief + NUMBERS / 2, 1);
}

static bool expand_one(gli_graph *graph, uint32_t record) {
  struct gli_maker *maker = graph->maker;
  if (!recall(graph, record)) return !(graph->full = true);
  glimpse_row belief = gli_sparse_row(&maker->belief);
  uint32_t node = gli_store_expanded(graph);
  if (node == GLI_NONE) return false;
  uint32_t stored = gli_store_belief(graph, belief), parent = graph->records[record].parent;
  if (stored == GLI_NONE) {
    gli_store_free_expanded(graph, node);
    return false;
  }
  gli_expanded *e = gli_graph_node(graph, node);
  *e = (gli_expanded){
      .record = record, .above = parent, .best = GLI_NONE, .belief = stored, .support = (uint32_t)belief.count};
  bool all = opens_all(graph, parent);
  fetch_room(graph);
  start_choices(graph, e, graph->model->requests && belief.count > 1);
  uint64_t corners = belief.count * (sizeof *graph->records + sizeof *graph->origins + graph->origin_extra);
  bool scarce = gli_quota_left(&graph->quota, gli_store_reserve(graph)) < 4 * corners;
  if (!scarce) meet_corners(graph, node);
  uint64_t opened;
  if (!start_asking(graph, node) || !open_actions(graph, node, all, &opened)) { /* as if nothing had happened */
    gli_store_free_children(graph, node);
    gli_store_free_belief(graph, stored, (uint32_t)belief.count);
    gli_store_free_expanded(graph, node);
    return false;
  }
  if (scarce) meet_corners(graph, node); /* they take no room from actions */
  gli_record *r = &graph->records[record];
  r->link = node;
  if (r->parent == GLI_NONE && graph->origins[r->label].belief != GLI_NONE) {
    gli_origin *origin = &graph->origins[r->label];
    gli_store_free_belief(graph, origin->belief, origin->support);
    origin->belief = GLI_NONE;
  }
  if (graph->share) { /* which may make the record itself an alias */
    gli_share_children(graph, node);
    for (uint32_t c = 0; c <= graph->actions; c++) gli_backup_choice(graph, node, c);
  }
  gli_backup_node(graph, node);
  if (opened) gli_graph_close(graph, node, opened);
  return true;
}

/* Expands what a request leads to: shared corners, or the request's own children. */
static void expand_request(gli_graph *graph, uint32_t node) {
  uint32_t end, own = gli_graph_children(graph, node, graph->actions, &end);
  const gli_expanded *e = gli_graph_node(graph, node);
  for (uint32_t i = 0, count = e->support, first = e->belief; i < count && !graph->full; i++) {
    uint32_t target = own + i;
    if (gli_graph_shares(graph)) {
      uint32_t origin = graph->corner[gli_graph_row(graph, first, count).index[i]]; /* beliefs move as they grow */
      if (origin == GLI_NONE) continue;
      target = graph->origins[origin].record;
    }
    if (graph->records[target].link == GLI_NONE) expand_one(graph, target);
  }
}

bool gli_graph_expand(gli_graph *graph, uint32_t record) {
  if (!expand_one(graph, record)) return false;
  graph->expansions++;
  uint32_t node = gli_graph_behind(graph, record);
  if (!graph->options.eager || !gli_graph_can_ask(graph, gli_graph_node(graph, node))) return true;
  expand_request(graph, node);
  gli_backup_choice(graph, node, graph->actions);
  gli_backup_node(graph, node);
  return true;
}
