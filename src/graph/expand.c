/* Expand: makes the children of a belief, for an action and every observation, and
 * their bounds; expands a belief by opening the actions that the policy greedy on U may
 * look at, or, at origins, all (see backup.c for why that is enough).
 *
 * A fringe child is only numbers: no belief is made for it.  All bounds of a
 * child are linear in its unnormalised belief, so each reached state adds its
 * line of the graph's table, weighted, to the sums of the child it belongs to; or, by way
 * of the outlook, each state of the parent adds what it leads to (outlook.h).
 * With J(s',o) = O(o|a,s') sum_s b(s) T(s'|s,a) and P(o) = sum_s' J(s',o),
 *   U(child) = max{ max_a' <J,alpha_a'>, <J,act upper> - price } / P(o),
 *   L(child) = max{ max_k <J,beta_k>,   <J,act lower> - price } / P(o).
 * A child that is certain of one state is the corner of that state.
 * An action that is not opened has U(b,a) <= <b,alpha_a>, L(b,a) >= R(b,a) - discount scale.
 * The belief of a record is made when it is expanded, from its parent's.
 * Cost: the non-zeros of T and O that are read (or entries of the outlook), times the length of a line. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "graph/line.h"
#include "graph/outlook.h"
#include "graph/share.h"

struct gli_maker {
  gli_sparse belief; /* of the record that is expanded */
  double *mass;      /* one per state, all 0 between uses */
  uint32_t *touched;
  uint32_t *slot;  /* one per observation: child + 1, all 0 between uses */
  uint32_t *only;  /* one per row of O: its only observation, GLI_NONE: several */
  double *rewards; /* a line per state: the reward of each action, padded to an even number */

  /* children of one action */
  size_t count;
  uint32_t *label, *state; /* state: the only one in its support, GLI_NONE: several */
  double *sums;            /* `stride` numbers per child */
  size_t capacity;
  gli_quota *quota; /* what more than FEW children need counts there */
};

enum { FEW = 16 };

static size_t bytes_per_child(uint32_t stride) {
  return 2 * sizeof(uint32_t) + stride * sizeof(double);
}

/* Room for so many children. */
static bool reserve(struct gli_maker *maker, size_t need, uint32_t stride) {
  if (need <= maker->capacity) return true;
  size_t wanted = 2 * maker->capacity > need ? 2 * maker->capacity : need;
  uint64_t more = (wanted - maker->capacity) * bytes_per_child(stride);
  if (maker->quota && !gli_quota_take(maker->quota, more, 0)) return false;
  void *label = gli_memory_resize(maker->label, wanted, sizeof *maker->label);
  if (label) maker->label = label;
  void *state = gli_memory_resize(maker->state, wanted, sizeof *maker->state);
  if (state) maker->state = state;
  void *sums = gli_memory_resize(maker->sums, wanted * stride, sizeof *maker->sums);
  if (sums) maker->sums = sums;
  if (!label || !state || !sums) {
    if (maker->quota) gli_quota_give(maker->quota, more);
    return false;
  }
  maker->capacity = wanted;
  return true;
}

/* Most sensors of grid worlds do not err; their rows need no loop. */
static uint32_t *find_only(const glimpse_model *model) {
  size_t rows = (size_t)model->actions * model->states;
  uint32_t *only = GLI_NEW(uint32_t, rows);
  for (size_t row = 0; only && row < rows; row++) {
    glimpse_row shown = gli_table_row(&model->observe, row);
    only[row] = shown.count == 1 && shown.value[0] == 1 ? shown.index[0] : GLI_NONE;
  }
  return only;
}

static uint32_t even(uint32_t n) {
  return (n + 1) & ~1u;
}

/* As the model has them, but those of a state together: a belief adds up its lines. */
static double *turn_rewards(const glimpse_model *model) {
  uint32_t length = even(model->actions);
  double *rewards = GLI_NEW(double, (size_t)model->states *length);
  for (uint32_t a = 0; rewards && a < model->actions; a++)
    for (uint32_t s = 0; s < model->states; s++)
      rewards[(size_t)s * length + a] = model->reward[(size_t)a * model->states + s];
  return rewards;
}

struct gli_maker *gli_maker_new(gli_graph *graph) {
  struct gli_maker *maker = GLI_NEW(struct gli_maker, 1);
  if (!maker) return NULL;
  maker->mass = GLI_NEW(double, graph->states);
  maker->touched = GLI_NEW(uint32_t, (size_t)graph->states + 1);
  maker->slot = GLI_NEW(uint32_t, graph->model->observations);
  maker->only = find_only(graph->model);
  maker->rewards = turn_rewards(graph->model);
  if (maker->mass && maker->touched && maker->slot && maker->only && maker->rewards &&
      reserve(maker, FEW, graph->stride)) {
    maker->quota = &graph->quota;
    return maker;
  }
  gli_maker_free(maker);
  return NULL;
}

void gli_maker_clear(struct gli_maker *maker, uint32_t stride) {
  if (maker->capacity <= FEW) return;
  maker->label = gli_memory_trim(maker->label, FEW, sizeof *maker->label);
  maker->state = gli_memory_trim(maker->state, FEW, sizeof *maker->state);
  maker->sums = gli_memory_trim(maker->sums, (size_t)FEW * stride, sizeof *maker->sums);
  maker->capacity = FEW;
}

uint64_t gli_maker_fixed(const gli_graph *graph) {
  uint64_t belief = sizeof(double) + sizeof(uint32_t); /* an entry of one, and of what is collected for one */
  uint64_t rows = graph->actions * sizeof(uint32_t) + even(graph->actions) * sizeof(double);
  return sizeof(struct gli_maker) + graph->states * (3 * belief + rows) +
         graph->model->observations * sizeof(uint32_t) + FEW * bytes_per_child(graph->stride);
}

void gli_maker_free(struct gli_maker *maker) {
  if (!maker) return;
  gli_sparse_free(&maker->belief);
  gli_memory_free(maker->mass);
  gli_memory_free(maker->touched);
  gli_memory_free(maker->slot);
  gli_memory_free(maker->only);
  gli_memory_free(maker->rewards);
  gli_memory_free(maker->label);
  gli_memory_free(maker->state);
  gli_memory_free(maker->sums);
  gli_memory_free(maker);
}

/* The child of observation o, made when it is met for the first time; GLI_NONE: no room. */
GLI_ALWAYS_INLINE uint32_t child_of(struct gli_maker *maker, uint32_t s2, uint32_t o, uint32_t stride) {
  uint32_t child = maker->slot[o];
  if (child) {
    maker->state[child - 1] |= -(uint32_t)(maker->state[child - 1] != s2); /* another makes it GLI_NONE */
    return child - 1;
  }
  size_t n = maker->count;
  if (n == maker->capacity && !reserve(maker, n + 1, stride)) return GLI_NONE;
  maker->label[n] = o;
  maker->state[n] = s2;
  for (uint32_t k = 0; k < stride; k++) maker->sums[n * stride + k] = 0;
  maker->slot[o] = (uint32_t)++maker->count;
  return (uint32_t)n;
}

/* Adds a line, weighted, to the child of observation o; it is of state s2 or (GLI_NONE) of several. */
GLI_ALWAYS_INLINE bool collect(struct gli_maker *maker, uint32_t s2, uint32_t o, const double *line, double weight,
                               uint32_t stride) {
  uint32_t child = child_of(maker, s2, o, stride);
  if (child == GLI_NONE) return false;
  gli_line_add(maker->sums + (size_t)child * stride, line, weight, stride);
  return true;
}

/* Is it 0, whatever its sign?  Cheaper than to compare, which has to think of NaN. */
static inline bool is_nothing(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return !(bits << 1);
}

/* The mass that action a moves to each state; returns the number of states reached. */
GLI_ALWAYS_INLINE uint32_t scatter(const gli_graph *graph, struct gli_maker *maker, glimpse_row belief, uint64_t base) {
  const gli_table *next = &graph->model->transition;
  double *mass = maker->mass;
  uint32_t *touched = maker->touched, reached = 0;
  for (size_t i = 0; i < belief.count; i++) {
    uint64_t row = base + belief.index[i];
    double p = belief.value[i];
    for (uint64_t k = next->row[row], end = next->row[row + 1]; k < end; k++) {
      uint32_t s2 = next->column[k];
      double q = p * next->value[k], before = mass[s2];
      touched[reached] = s2; /* stays only if it was not there (and is not too small to be) */
      reached += (uint32_t)is_nothing(before) & !is_nothing(q); /* no branches */
      mass[s2] = before + q;
    }
  }
  return reached;
}

static void end_making(struct gli_maker *maker) {
  for (size_t i = 0; i < maker->count; i++) maker->slot[maker->label[i]] = 0;
}

/* Makes the children under one action. */
GLI_ALWAYS_INLINE bool make_with(const gli_graph *graph, struct gli_maker *maker, glimpse_row belief, uint32_t a,
                                 uint32_t stride) {
  const gli_table *shown = &graph->model->observe;
  uint64_t base = (uint64_t)a * graph->states;
  uint32_t reached = scatter(graph, maker, belief, base);
  bool made = true;
  maker->count = 0;
  for (uint32_t i = 0; i < reached; i++) {
    uint32_t s2 = maker->touched[i], only = maker->only[base + s2];
    double mass = maker->mass[s2];
    const double *line = graph->table + (size_t)s2 * stride;
    maker->mass[s2] = 0;
    if (only != GLI_NONE) {
      if (!collect(maker, s2, only, line, mass, stride)) made = false;
      continue;
    }
    for (uint64_t k = shown->row[base + s2], end = shown->row[base + s2 + 1]; k < end; k++) {
      double weight = mass * shown->value[k];
      if (weight > 0 && !collect(maker, s2, shown->column[k], line, weight, stride)) made = false;
    }
  }
  end_making(maker);
  return made;
}

/* The same by way of the outlook. */
GLI_ALWAYS_INLINE bool look_ahead_with(const gli_graph *graph, struct gli_maker *maker, glimpse_row belief, uint32_t a,
                                       uint32_t stride) {
  const gli_outlook *outlook = graph->outlook;
  size_t base = (size_t)a * graph->states;
  const uint32_t *first = outlook->row + base;
  const bool *old = outlook->old + base;
  bool made = true;
  maker->count = 0;
  for (size_t i = 0; i < belief.count; i++) {
    uint32_t s = belief.index[i];
    if (old[s]) gli_outlook_add_up(graph, base + s);
    uint32_t k = first[s];
    const gli_entry *entry = outlook->entry + k, *end = outlook->entry + first[s + 1];
    const double *line = outlook->lines + (size_t)k * stride;
    double weight = belief.value[i];
    do {
      if (!collect(maker, entry->state, entry->observation, line, weight, stride)) made = false;
      line += stride;
    } while (++entry < end);
  }
  end_making(maker);
  return made;
}

/* Is a child so improbable that products of its probability may have lost their digits? */
static bool is_faint(const gli_graph *graph, const struct gli_maker *maker) {
  for (size_t i = 0; i < maker->count; i++)
    if (maker->sums[i * graph->stride + graph->at_one] < GLI_FAINT) return true;
  return false;
}

/* By way of the outlook where there is one.  What is faint is made as its belief will be, factor by factor: a child
 * must not be there that has no belief. */
static bool make(const gli_graph *graph, struct gli_maker *maker, glimpse_row belief, uint32_t a) {
  bool made = false;
  if (graph->outlook) {
    GLI_BY_LENGTH(graph->stride, made = look_ahead_with, graph, maker, belief, a);
    if (!made || !is_faint(graph, maker)) return made;
  }
  GLI_BY_LENGTH(graph->stride, made = make_with, graph, maker, belief, a);
  return made;
}

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

/* A belief's lines, added up where there is always room for a line. */
static const double *add_up(const gli_graph *graph, glimpse_row belief) {
  double *sums = graph->maker->sums;
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

static int by_state(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return a < b ? -1 : a > b;
}

/* Short lists, nearly in order already, are the rule. */
static void sort_states(uint32_t *state, uint32_t count) {
  if (count > 64) {
    qsort(state, count, sizeof *state, by_state);
    return;
  }
  for (uint32_t i = 1; i < count; i++) {
    uint32_t s = state[i], k = i;
    for (; k && state[k - 1] > s; k--) state[k] = state[k - 1];
    state[k] = s;
  }
}

/* The belief after action a and observation o, sorted and normalised. */
static bool follow(gli_graph *graph, glimpse_row from, uint32_t a, uint32_t o) {
  struct gli_maker *maker = graph->maker;
  gli_sparse *belief = &maker->belief;
  const gli_table *shown = &graph->model->observe;
  uint64_t base = (uint64_t)a * graph->states;
  uint32_t reached = scatter(graph, maker, from, base), count = 0;
  for (uint32_t i = 0; i < reached; i++) {
    uint32_t s2 = maker->touched[i], only = maker->only[base + s2];
    double seen = only == o;
    if (only == GLI_NONE)
      for (uint64_t k = shown->row[base + s2], end = shown->row[base + s2 + 1]; k < end; k++)
        if (shown->column[k] == o) seen = shown->value[k];
    double mass = maker->mass[s2] * seen;
    maker->mass[s2] = mass;
    if (mass > 0) maker->touched[count++] = s2;
  }
  sort_states(maker->touched, count);
  bool room = gli_sparse_reserve(belief, count);
  gli_sum total = {0, 0};
  for (uint32_t i = 0; i < count; i++) gli_sum_add(&total, maker->mass[maker->touched[i]]);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t s2 = maker->touched[i];
    if (room) belief->index[i] = s2, belief->value[i] = maker->mass[s2] / gli_sum_value(total);
    maker->mass[s2] = 0;
  }
  belief->count = count;
  return room && count;
}

/* The belief of a fringe record, in the maker's hands. */
static bool recall(gli_graph *graph, uint32_t record, bool *corner) {
  struct gli_maker *maker = graph->maker;
  const gli_record *r = &graph->records[record];
  gli_sparse *belief = &maker->belief;
  *corner = false;
  if (r->parent == GLI_NONE) {
    const gli_origin *origin = &graph->origins[r->label];
    if (origin->state != GLI_NONE) {
      if (!gli_sparse_reserve(belief, 1)) return false;
      belief->index[0] = origin->state;
      belief->value[0] = 1;
      belief->count = 1;
      *corner = true;
      return true;
    }
    if (!gli_sparse_reserve(belief, origin->support)) return false;
    memcpy(belief->index, graph->support + origin->belief, origin->support * sizeof *belief->index);
    memcpy(belief->value, graph->mass + origin->belief, origin->support * sizeof *belief->value);
    belief->count = origin->support;
  } else {
    uint32_t action = gli_graph_action(graph, r->parent, record);
    if (action == graph->actions) { /* a request child of its own: certain */
      if (!gli_sparse_reserve(belief, 1)) return false;
      belief->index[0] = r->label;
      belief->value[0] = 1;
      belief->count = 1;
    } else if (!follow(graph, gli_graph_belief(graph, gli_graph_node(graph, r->parent)), action, r->label)) {
      return false;
    }
  }
  *corner = belief->count == 1;
  return true;
}

/* The bounds of the maker's child; returns its probability. */
static double judge_child(const gli_graph *graph, size_t child, double *upper, double *lower) {
  const struct gli_maker *maker = graph->maker;
  const double *sums = maker->sums + child * graph->stride;
  double probability = sums[graph->at_one];
  uint32_t only = maker->state[child];
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
  struct gli_maker *maker = graph->maker;
  for (size_t i = 0; i < maker->count; i++) {
    gli_record *record = &graph->records[first + i];
    *record = (gli_record){.parent = node, .label = maker->label[i], .link = GLI_NONE};
    record->probability = judge_child(graph, i, &record->upper, &record->lower);
    if (maker->state[i] != GLI_NONE && gli_graph_shares(graph) && !graph->options.requests_only) {
      uint32_t origin = graph->corner[maker->state[i]];
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
  const struct gli_maker *maker = graph->maker;
  if (!gli_graph_shares(graph) || graph->options.requests_only) return;
  for (size_t i = 0; i < maker->count; i++)
    if (maker->state[i] != GLI_NONE) gli_graph_corner(graph, maker->state[i]);
}

bool gli_graph_open(gli_graph *graph, uint32_t node, uint32_t action) {
  gli_expanded *e = gli_graph_node(graph, node);
  gli_choice *choice = gli_graph_choices(graph, e) + action;
  if (choice->count) return true;
  uint32_t first = GLI_NONE, count = 0;
  if (make(graph, graph->maker, gli_graph_belief(graph, e), action)) {
    count = (uint32_t)graph->maker->count;
    first = gli_store_records(graph, count);
  }
  if (first == GLI_NONE) return !(graph->full = true);
  make_child_corners(graph);
  write_children(graph, node, first);
  choice->first = first;
  choice->count = count;
  graph->children += count;
  gli_backup_choice(graph, node, action);
  return true;
}

void gli_graph_try(const gli_graph *graph, uint32_t node, uint32_t action, double *upper, double *lower) {
  gli_expanded *e = gli_graph_node(graph, node);
  const struct gli_maker *maker = graph->maker;
  double reward = gli_graph_choices(graph, e)[action].reward, high = 0, low = 0;
  *upper = INFINITY;
  *lower = -INFINITY;
  if (!make(graph, graph->maker, gli_graph_belief(graph, e), action)) return;
  for (size_t i = 0; i < maker->count; i++) {
    double child_upper, child_lower, probability = judge_child(graph, i, &child_upper, &child_lower);
    uint32_t only = maker->state[i];
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
  switch (even(graph->actions)) {
    case 4: return add_actions_with(graph, belief, uppers, rewards, 4);
    case 6: return add_actions_with(graph, belief, uppers, rewards, 6);
    default: return add_actions_with(graph, belief, uppers, rewards, even(graph->actions));
  }
}

/* What is known of the choices before any is opened. */
static void start_choices(gli_graph *graph, gli_expanded *e, bool asks) {
  glimpse_row belief = gli_graph_belief(graph, e);
  double *uppers = gli_graph_uppers(graph, e), *lowers = gli_graph_lowers(graph, e);
  gli_choice *choices = gli_graph_choices(graph, e);
  double *sums = graph->maker->sums, *rewards = sums + graph->stride; /* room for FEW lines */
  double total = add_actions(graph, belief, sums, rewards), slack = slack_of(graph, belief.count);
  for (uint32_t a = 0; a < graph->actions; a++) {
    choices[a] = (gli_choice){.reward = rewards[a], .best = GLI_NONE};
    uppers[a] = sums[a] / total + slack;
    lowers[a] = rewards[a] - graph->discount * graph->scale - slack;
  }
  choices[graph->actions] =
      (gli_choice){.reward = asks ? -gli_model_price_at(graph->model, belief) : 0, .best = GLI_NONE};
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
    gli_choice *ask = gli_graph_choices(graph, e) + graph->actions;
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
  for (uint32_t i = 0, count = e->support, belief = e->belief; i < count; i++) {
    uint32_t s = graph->support[belief + i];
    if (graph->corner[s] == GLI_NONE) gli_graph_corner(graph, s);
  }
}

/* Are all actions opened at once, and stay so?  Satia and Lave follow several; the children of equal beliefs
 * must be there to be compared. */
static bool opens_all(const gli_graph *graph, uint32_t parent) {
  return parent == GLI_NONE || graph->options.all_actions || graph->share || graph->options.rule == GLI_RULE_SATIA_LAVE;
}

static bool open_actions(gli_graph *graph, uint32_t node, bool all) {
  if (all) {
    for (uint32_t a = 0; a < graph->actions; a++)
      if (!gli_graph_open(graph, node, a)) return false;
    return true;
  }
  return gli_backup_open(graph, node);
}

/* Actions that were opened, only to see that another one is greedy.  Those that are not nearly as good seldom become
 * greedy later, and are closed: what was learnt of their bounds stays; the room is that of the next children.  What
 * may be the plan, by lower bounds, stays open: lower bounds never fall, so the others will not become it. */
static void close_others(gli_graph *graph, uint32_t node) {
  gli_expanded *e = gli_graph_node(graph, node);
  const gli_record *record = &graph->records[e->record];
  const double *uppers = gli_graph_uppers(graph, e), *lowers = gli_graph_lowers(graph, e);
  gli_choice *choices = gli_graph_choices(graph, e);
  double near = uppers[e->greedy] - (record->upper - record->lower) / 64, plan = -INFINITY;
  for (uint32_t c = 0; c <= graph->actions; c++) plan = lowers[c] > plan ? lowers[c] : plan;
  for (uint32_t a = 0; a < graph->actions; a++) {
    if (!choices[a].count || uppers[a] >= near || lowers[a] >= plan - graph->floor) continue;
    gli_store_free_records(graph, choices[a].first, choices[a].count);
    choices[a] = (gli_choice){.reward = choices[a].reward, .best = GLI_NONE};
  }
}

static bool expand_one(gli_graph *graph, uint32_t record) {
  struct gli_maker *maker = graph->maker;
  bool corner;
  if (!recall(graph, record, &corner)) return !(graph->full = true);
  glimpse_row belief = gli_sparse_row(&maker->belief);
  uint32_t node = gli_store_expanded(graph);
  if (node == GLI_NONE) return false;
  uint32_t stored = gli_store_belief(graph, belief), parent = graph->records[record].parent;
  if (stored == GLI_NONE) {
    gli_store_free_expanded(graph, node);
    return false;
  }
  gli_expanded *e = gli_graph_node(graph, node);
  *e = (gli_expanded){.record = record,
                      .above = parent,
                      .best = GLI_NONE,
                      .belief = stored,
                      .support = (uint32_t)belief.count,
                      .corner = corner};
  bool all = opens_all(graph, parent);
  start_choices(graph, e, graph->model->requests && !corner);
  uint64_t corners = belief.count * (sizeof *graph->records + sizeof *graph->origins + graph->origin_extra);
  bool scarce = gli_quota_left(&graph->quota, gli_store_reserve(graph)) < 4 * corners;
  if (!scarce) meet_corners(graph, node);
  if (!start_asking(graph, node) || !open_actions(graph, node, all)) { /* as if nothing had happened */
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
  if (!all) close_others(graph, node);
  return true;
}

/* Expands what a request leads to: shared corners, or the request's own children. */
static void expand_request(gli_graph *graph, uint32_t node) {
  uint32_t end, own = gli_graph_group(graph, node, graph->actions, &end);
  const gli_expanded *e = gli_graph_node(graph, node);
  for (uint32_t i = 0, count = e->support, belief = e->belief; i < count && !graph->full; i++) {
    uint32_t target = own + i;
    if (gli_graph_shares(graph)) {
      uint32_t origin = graph->corner[graph->support[belief + i]];
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
