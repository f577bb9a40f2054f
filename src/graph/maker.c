/* Maker: see maker.h.
 *
 * A fringe child is only numbers: no belief is made for it.  All bounds of a child are linear in its unnormalised
 * belief, so each reached state adds its line of the graph's table, weighted, to the sums of the child it belongs to.
 * The belief of a child is made when it is expanded, from its parent's.
 * Cost: the non-zeros of T and O that are read, times the length of a line.
 *
 * This is where a search spends much of its time: what the loops need is in local variables, since the compiler
 * would have to read it again after each number that is written.  One action of a large, dense model may take longer
 * than a decision has: the clock is read on the way. */
#include "graph/maker.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/number.h"
#include "graph/line.h"

enum { FEW = 16, CLOCK_WORK = 8192 };

/* Room for so many drafts. */
static bool reserve(struct gli_maker *maker, size_t need, uint32_t stride) {
  if (need <= maker->capacity) return true;
  size_t wanted = 2 * (size_t)maker->capacity > need ? 2 * (size_t)maker->capacity : need;
  uint64_t more = (wanted - maker->capacity) * gli_draft_bytes(stride);
  if (maker->quota && more > gli_quota_left(maker->quota, 0)) {
    wanted = need;
    more = (wanted - maker->capacity) * gli_draft_bytes(stride);
  }
  if (wanted >= GLI_CORNER || (maker->quota && !gli_quota_take(maker->quota, more, 0))) return false;
  char *drafts = gli_memory_resize(maker->drafts, wanted, gli_draft_bytes(stride));
  if (!drafts) {
    if (maker->quota) gli_quota_give(maker->quota, more);
    return false;
  }
  maker->drafts = drafts;
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
  uint32_t length = gli_line_even(model->actions);
  double *rewards = GLI_NEW(double, (size_t)model->states *length);
  for (uint32_t a = 0; rewards && a < model->actions; a++)
    for (uint32_t s = 0; s < model->states; s++)
      rewards[(size_t)s * length + a] = model->reward[(size_t)a * model->states + s];
  return rewards;
}

struct gli_maker *gli_maker_new(gli_graph *graph) {
  struct gli_maker *maker = GLI_NEW(struct gli_maker, 1);
  if (!maker) return NULL;
  maker->making.node = GLI_NONE;
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
  maker->drafts = gli_memory_trim(maker->drafts, FEW, gli_draft_bytes(stride));
  maker->capacity = FEW;
}

uint64_t gli_maker_fixed(const gli_graph *graph) {
  uint64_t belief = sizeof(double) + sizeof(uint32_t); /* an entry of one, and of what is collected for one */
  uint64_t rows = graph->actions * sizeof(uint32_t) + gli_line_even(graph->actions) * sizeof(double);
  return sizeof(struct gli_maker) + graph->states * (3 * belief + rows) +
         (graph->model->observations + (uint64_t)1) * sizeof(uint32_t) + 2 * (uint64_t)graph->stride * sizeof(double) +
         FEW * gli_draft_bytes(graph->stride);
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
  gli_memory_free(maker->drafts);
  gli_memory_free(maker);
}

/* ---------------------------------------------------------------- children */

typedef struct gathering { /* drafts so far, for the registers of a loop */
  char *drafts;
  uint32_t *slot;
  uint32_t count, capacity;
} gathering;

/* Room for so many more.  False: none. */
static bool make_room(struct gli_maker *maker, gathering *g, size_t more, uint32_t stride) {
  if (!reserve(maker, g->count + more, stride)) return false;
  g->drafts = maker->drafts;
  g->capacity = maker->capacity;
  return true;
}

/* Adds the line of state s2, weighted, to the draft of observation o. */
GLI_ALWAYS_INLINE void collect(gathering *g, uint32_t s2, uint32_t o, const double *line, double weight,
                               uint32_t stride) {
  uint32_t at = g->slot[o];
  gli_draft *draft = (gli_draft *)(void *)(g->drafts + (at ? at - 1 : g->count) * gli_draft_bytes(stride));
  if (at) {
    draft->any |= s2;
    draft->all &= s2;
    gli_line_add(gli_draft_sums(draft), line, weight, stride);
  } else {
    draft->label = o;
    draft->any = draft->all = s2;
    gli_line_start(gli_draft_sums(draft), line, weight, stride);
    g->slot[o] = ++g->count;
  }
}

/* Is there still time?  The clock is read once in a while. */
static bool in_time(gli_graph *graph, uint64_t work) {
  struct gli_maker *maker = graph->maker;
  maker->since += work;
  if (graph->deadline == INFINITY || maker->since < CLOCK_WORK) return true;
  maker->since = 0;
  return !(graph->late = gli_clock_now() >= graph->deadline);
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

/* The mass that an action moves to each state.  False: no time. */
static bool move_mass(gli_graph *graph, struct gli_maker *maker, glimpse_row belief, uint64_t base) {
  gli_making *m = &maker->making;
  uint32_t reached = m->reached, i = m->entry;
  bool time = true;
  for (; i < belief.count && time; i++) {
    glimpse_row next = gli_table_row(&graph->model->transition, base + belief.index[i]);
    reached = scatter(maker->mass, maker->touched, reached, belief.value[i], next.index, next.value, next.count);
    time = in_time(graph, next.count);
  }
  m->reached = reached;
  m->entry = i;
  return i == belief.count;
}

/* Adds what the states that were reached show.  False: no room, or no time. */
GLI_ALWAYS_INLINE bool show_with(gli_graph *graph, struct gli_maker *maker, uint64_t base, uint32_t stride) {
  gathering g = {maker->drafts, maker->slot, maker->count, maker->capacity};
  uint32_t i = maker->making.shown, reached = maker->making.reached;
  bool fine = true;
  for (; i < reached && fine; i++) {
    uint32_t s2 = maker->touched[i], only = maker->only[base + s2];
    double mass = maker->mass[s2];
    const double *line = graph->table + (size_t)s2 * stride;
    glimpse_row shown = gli_table_row(&graph->model->observe, base + s2);
    if (g.count + shown.count > g.capacity && !make_room(maker, &g, shown.count, stride)) break;
    maker->mass[s2] = 0;
    if (only != GLI_NONE) {
      collect(&g, s2, only, line, mass, stride);
    } else {
      for (size_t k = 0; k < shown.count; k++) {
        double weight = mass * shown.value[k];
        if (weight > 0) collect(&g, s2, shown.index[k], line, weight, stride);
      }
    }
    fine = in_time(graph, shown.count * stride);
  }
  maker->making.shown = i;
  maker->count = g.count;
  return i == reached;
}

/* What is half done leaves mass and slots behind. */
static void end_making(const gli_graph *graph, struct gli_maker *maker) {
  size_t bytes = gli_draft_bytes(graph->stride);
  const char *draft = maker->drafts;
  for (uint32_t i = 0; i < maker->count; i++, draft += bytes)
    maker->slot[((const gli_draft *)(const void *)draft)->label] = 0;
  for (uint32_t i = maker->making.shown; i < maker->making.reached; i++) maker->mass[maker->touched[i]] = 0;
  maker->making = (gli_making){.node = GLI_NONE};
}

void gli_maker_drop(gli_graph *graph) {
  if (graph->maker->making.node != GLI_NONE) end_making(graph, graph->maker);
}

bool gli_maker_make(gli_graph *graph, uint32_t node, uint32_t a) {
  struct gli_maker *maker = graph->maker;
  if (maker->making.node != node || maker->making.action != a) {
    gli_maker_drop(graph);
    maker->making = (gli_making){.node = node, .action = a};
    maker->count = 0;
  }
  uint64_t base = (uint64_t)a * graph->states;
  bool made = move_mass(graph, maker, gli_graph_belief(graph, gli_graph_node(graph, node)), base);
  if (made) GLI_BY_LENGTH(graph->stride, made = show_with, graph, maker, base);
  if (made || !graph->late) end_making(graph, maker);
  return made;
}

/* ----------------------------------------------------------------- beliefs */

uint32_t gli_maker_scatter(gli_graph *graph, glimpse_row belief, uint32_t a) {
  struct gli_maker *maker = graph->maker;
  uint64_t base = (uint64_t)a * graph->states;
  uint32_t reached = 0;
  gli_maker_drop(graph);
  for (size_t i = 0; i < belief.count; i++) {
    glimpse_row next = gli_table_row(&graph->model->transition, base + belief.index[i]);
    reached = scatter(maker->mass, maker->touched, reached, belief.value[i], next.index, next.value, next.count);
  }
  return reached;
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

/* P(o|a,s2), where the sensor may err. */
static double chance_of(const gli_graph *graph, uint64_t row, uint32_t o) {
  glimpse_row shown = gli_table_row(&graph->model->observe, row);
  double chance = 0;
  for (size_t k = 0; k < shown.count; k++)
    if (shown.index[k] == o) chance = shown.value[k];
  return chance;
}

bool gli_maker_part(gli_graph *graph, uint32_t reached, uint32_t a, uint32_t o) {
  struct gli_maker *maker = graph->maker;
  gli_sparse *belief = &maker->belief;
  uint64_t base = (uint64_t)a * graph->states;
  belief->count = 0;
  if (!gli_sparse_reserve(belief, reached)) return false;
  uint32_t count = 0;
  for (uint32_t i = 0; i < reached; i++) {
    uint32_t s2 = maker->touched[i], only = maker->only[base + s2];
    belief->index[count] = s2;
    count += only == o || only == GLI_NONE;
  }
  sort_states(belief->index, count);
  gli_sum total = {0, 0};
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t s2 = belief->index[i];
    double mass = maker->mass[s2] * (maker->only[base + s2] == o ? 1 : chance_of(graph, base + s2, o));
    if (!(mass > 0)) continue;
    belief->index[kept] = s2;
    belief->value[kept++] = mass;
    gli_sum_add(&total, mass);
  }
  double all = gli_sum_value(total);
  for (uint32_t i = 0; i < kept; i++) belief->value[i] /= all;
  belief->count = kept;
  return kept;
}

void gli_maker_rest(struct gli_maker *maker, uint32_t reached) {
  for (uint32_t i = 0; i < reached; i++) maker->mass[maker->touched[i]] = 0;
}

bool gli_maker_follow(gli_graph *graph, glimpse_row from, uint32_t a, uint32_t o) {
  uint32_t reached = gli_maker_scatter(graph, from, a);
  bool made = gli_maker_part(graph, reached, a, o);
  gli_maker_rest(graph->maker, reached);
  return made;
}
