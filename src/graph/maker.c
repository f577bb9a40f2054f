/* Maker: see maker.h.
 *
 * A fringe child is only numbers: no belief is made for it.  All bounds of a
 * child are linear in its unnormalised belief, so each reached state adds its
 * line of the graph's table, weighted, to the sums of the child it belongs to; or, by way
 * of the outlook, each state of the parent adds what it leads to (outlook.h).
 * The belief of a record is made when it is expanded, from its parent's.
 * Cost: the non-zeros of T and O that are read (or entries of the outlook), times the length of a line.
 *
 * This is where a search spends most of its time: what the loops need is in local variables, since the compiler
 * would have to read it again after each number that is written. */
#include "graph/maker.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "graph/line.h"
#include "graph/outlook.h"

enum { FEW = 16 };

/* Room for so many children. */
static bool reserve(struct gli_maker *maker, size_t need, uint32_t stride) {
  if (need <= maker->capacity) return true;
  size_t wanted = 2 * (size_t)maker->capacity > need ? 2 * (size_t)maker->capacity : need;
  uint64_t more = (wanted - maker->capacity) * gli_child_bytes(stride);
  if (maker->quota && more > gli_quota_left(maker->quota, 0)) {
    wanted = need;
    more = (wanted - maker->capacity) * gli_child_bytes(stride);
  }
  if (wanted >= GLI_ALIAS || (maker->quota && !gli_quota_take(maker->quota, more, 0))) return false;
  char *children = gli_memory_resize(maker->children, wanted, gli_child_bytes(stride));
  if (!children) {
    if (maker->quota) gli_quota_give(maker->quota, more);
    return false;
  }
  maker->children = children;
  maker->capacity = (uint32_t)wanted;
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

/* As the model has them, but those of a state together: a belief adds up its lines. */
static double *turn_rewards(const glimpse_model *model) {
  uint32_t length = gli_maker_even(model->actions);
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
  maker->scratch = GLI_NEW(double, 2 * (size_t)graph->stride);
  if (maker->mass && maker->touched && maker->slot && maker->only && maker->rewards && maker->scratch &&
      reserve(maker, FEW, graph->stride)) {
    maker->quota = &graph->quota;
    return maker;
  }
  gli_maker_free(maker);
  return NULL;
}

void gli_maker_clear(struct gli_maker *maker, uint32_t stride) {
  if (maker->capacity <= FEW) return;
  maker->children = gli_memory_trim(maker->children, FEW, gli_child_bytes(stride));
  maker->capacity = FEW;
}

uint64_t gli_maker_fixed(const gli_graph *graph) {
  uint64_t belief = sizeof(double) + sizeof(uint32_t); /* an entry of one, and of what is collected for one */
  uint64_t rows = graph->actions * sizeof(uint32_t) + gli_maker_even(graph->actions) * sizeof(double);
  return sizeof(struct gli_maker) + graph->states * (3 * belief + rows) +
         (graph->model->observations + (uint64_t)1) * sizeof(uint32_t) + 2 * (uint64_t)graph->stride * sizeof(double) +
         FEW * gli_child_bytes(graph->stride);
}

void gli_maker_free(struct gli_maker *maker) {
  if (!maker) return;
  gli_sparse_free(&maker->belief);
  gli_memory_free(maker->mass);
  gli_memory_free(maker->touched);
  gli_memory_free(maker->slot);
  gli_memory_free(maker->only);
  gli_memory_free(maker->rewards);
  gli_memory_free(maker->scratch);
  gli_memory_free(maker->children);
  gli_memory_free(maker);
}

/* ---------------------------------------------------------------- children */

typedef struct gathering { /* children so far, for the registers of a loop */
  char *children;
  uint32_t *slot;
  uint32_t count, capacity;
} gathering;

static gathering begin_making(struct gli_maker *maker) {
  return (gathering){maker->children, maker->slot, 0, maker->capacity};
}

/* Room for so many more.  False: none. */
static bool make_room(struct gli_maker *maker, gathering *g, size_t more, uint32_t stride) {
  if (!reserve(maker, g->count + more, stride)) return false;
  g->children = maker->children;
  g->capacity = maker->capacity;
  return true;
}

/* Adds a line, weighted, to the child of observation o; it is of state s2 or (GLI_NONE) of several. */
GLI_ALWAYS_INLINE void collect(gathering *g, uint32_t s2, uint32_t o, const double *line, double weight,
                               uint32_t stride) {
  uint32_t at = g->slot[o];
  gli_child *child = (gli_child *)(void *)(g->children + (at ? at - 1 : g->count) * gli_child_bytes(stride));
  if (at) {
    child->any |= s2;
    child->all &= s2;
    gli_line_add(gli_child_sums(child), line, weight, stride);
  } else {
    child->label = o;
    child->any = child->all = s2;
    gli_line_start(gli_child_sums(child), line, weight, stride);
    g->slot[o] = ++g->count;
  }
}

static void end_making(const gli_graph *graph, struct gli_maker *maker, const gathering *g) {
  size_t bytes = gli_child_bytes(graph->stride);
  const char *child = g->children;
  for (uint32_t i = 0; i < g->count; i++, child += bytes) g->slot[((const gli_child *)(const void *)child)->label] = 0;
  maker->count = g->count;
}

/* Is it 0, whatever its sign?  Cheaper than to compare, which has to think of NaN. */
static inline bool is_nothing(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return !(bits << 1);
}

/* Moves the mass p along some ways to states; returns the number of states reached.  No branches. */
GLI_ALWAYS_INLINE uint32_t scatter(double *mass, uint32_t *touched, uint32_t reached, double p, const uint32_t *to,
                                   const double *chance, size_t count) {
  for (size_t k = 0; k < count; k++) {
    uint32_t s2 = to[k];
    double q = p * chance[k], before = mass[s2];
    touched[reached] = s2; /* stays only if it was not there (and is not too small to be) */
    reached += (uint32_t)is_nothing(before) & !is_nothing(q);
    mass[s2] = before + q;
  }
  return reached;
}

/* The mass that an action moves to each state. */
static uint32_t scatter_all(const gli_graph *graph, struct gli_maker *maker, glimpse_row belief, uint64_t base) {
  uint32_t reached = 0;
  for (size_t i = 0; i < belief.count; i++) {
    glimpse_row next = gli_table_row(&graph->model->transition, base + belief.index[i]);
    reached = scatter(maker->mass, maker->touched, reached, belief.value[i], next.index, next.value, next.count);
  }
  return reached;
}

/* Makes the children under one action. */
GLI_ALWAYS_INLINE bool make_with(const gli_graph *graph, struct gli_maker *maker, glimpse_row belief, uint32_t a,
                                 uint32_t stride) {
  uint64_t base = (uint64_t)a * graph->states;
  uint32_t reached = scatter_all(graph, maker, belief, base);
  gathering g = begin_making(maker);
  bool made = true;
  for (uint32_t i = 0; i < reached; i++) {
    uint32_t s2 = maker->touched[i], only = maker->only[base + s2];
    double mass = maker->mass[s2];
    const double *line = graph->table + (size_t)s2 * stride;
    glimpse_row shown = gli_table_row(&graph->model->observe, base + s2);
    maker->mass[s2] = 0;
    if (g.count + shown.count > g.capacity && !make_room(maker, &g, shown.count, stride)) {
      made = false;
    } else if (only != GLI_NONE) {
      collect(&g, s2, only, line, mass, stride);
    } else {
      for (size_t k = 0; k < shown.count; k++) {
        double weight = mass * shown.value[k];
        if (weight > 0) collect(&g, s2, shown.index[k], line, weight, stride);
      }
    }
  }
  end_making(graph, maker, &g);
  return made;
}

/* The same by way of the outlook. */
GLI_ALWAYS_INLINE bool look_ahead_with(const gli_graph *graph, struct gli_maker *maker, glimpse_row belief, uint32_t a,
                                       uint32_t stride) {
  const gli_outlook *outlook = graph->outlook;
  size_t base = (size_t)a * graph->states;
  const uint32_t *first = outlook->row + base;
  const bool *old = outlook->old + base;
  const gli_entry *entries = outlook->entry;
  const double *lines = outlook->lines;
  gathering g = begin_making(maker);
  bool made = true;
  for (size_t i = 0; i < belief.count; i++) {
    uint32_t s = belief.index[i], k = first[s], end = first[s + 1];
    if (old[s]) gli_outlook_add_up(graph, base + s);
    if (g.count + (end - k) > g.capacity && !make_room(maker, &g, end - k, stride)) {
      made = false;
      break;
    }
    double weight = belief.value[i];
    const double *line = lines + (size_t)k * stride;
    do {
      collect(&g, entries[k].state, entries[k].observation, line, weight, stride);
      line += stride;
    } while (++k < end);
  }
  end_making(graph, maker, &g);
  return made;
}

/* Is a child so improbable that products of its probability may have lost their digits? */
static bool is_faint(const gli_graph *graph, const struct gli_maker *maker) {
  for (uint32_t i = 0; i < maker->count; i++)
    if (gli_child_sums(gli_maker_child(maker, i, graph->stride))[graph->at_one] < GLI_FAINT) return true;
  return false;
}

/* By way of the outlook where there is one.  What is faint is made as its belief will be, factor by factor: a child
 * must not be there that has no belief. */
bool gli_maker_make(const gli_graph *graph, glimpse_row belief, uint32_t a) {
  struct gli_maker *maker = graph->maker;
  bool made = false;
  if (graph->outlook) {
    GLI_BY_LENGTH(graph->stride, made = look_ahead_with, graph, maker, belief, a);
    if (!made || !is_faint(graph, maker)) return made;
  }
  GLI_BY_LENGTH(graph->stride, made = make_with, graph, maker, belief, a);
  return made;
}

/* ----------------------------------------------------------------- beliefs */

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

/* The mass that an action moves to states which may show the observation: the outlook knows the ways there. */
static uint32_t scatter_some(const gli_graph *graph, struct gli_maker *maker, glimpse_row belief, uint64_t base,
                             uint32_t o) {
  const gli_outlook *outlook = graph->outlook;
  uint32_t reached = 0;
  for (size_t i = 0; i < belief.count; i++) {
    uint64_t row = base + belief.index[i];
    uint32_t k = outlook->row[row], end = outlook->row[row + 1];
    while (k < end && outlook->entry[k].observation != o) k++;
    if (k == end) continue;
    uint32_t from = outlook->path[k], count = outlook->path[k + 1] - from;
    reached = scatter(maker->mass, maker->touched, reached, belief.value[i], outlook->to + from, outlook->chance + from,
                      count);
  }
  return reached;
}

/* P(o|a,s2), where the sensor may err. */
static double chance_of(const gli_graph *graph, uint64_t row, uint32_t o) {
  glimpse_row shown = gli_table_row(&graph->model->observe, row);
  double chance = 0;
  for (size_t k = 0; k < shown.count; k++)
    if (shown.index[k] == o) chance = shown.value[k];
  return chance;
}

bool gli_maker_follow(const gli_graph *graph, glimpse_row from, uint32_t a, uint32_t o) {
  struct gli_maker *maker = graph->maker;
  gli_sparse *belief = &maker->belief;
  uint64_t base = (uint64_t)a * graph->states;
  double *mass = maker->mass;
  uint32_t *touched = maker->touched, count = 0;
  uint32_t reached = graph->outlook ? scatter_some(graph, maker, from, base, o) : scatter_all(graph, maker, from, base);
  for (uint32_t i = 0; i < reached; i++) {
    uint32_t s2 = touched[i], only = maker->only[base + s2];
    double seen = only == GLI_NONE ? chance_of(graph, base + s2, o) : only == o;
    mass[s2] *= seen;
    touched[count] = s2;
    count += mass[s2] > 0;
  }
  sort_states(touched, count);
  bool room = gli_sparse_reserve(belief, count);
  gli_sum total = {0, 0};
  for (uint32_t i = 0; i < count; i++) gli_sum_add(&total, mass[touched[i]]);
  double all = gli_sum_value(total);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t s2 = touched[i];
    if (room) belief->index[i] = s2, belief->value[i] = mass[s2] / all;
    mass[s2] = 0;
  }
  belief->count = count;
  return room && count;
}
