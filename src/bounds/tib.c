/* TIB and TIB-SR: the state of one step ago is known, not the present one (the "tighter informed
 * bound" of Krale, Koops, Junges, Simao and Jansen, 2025; with requests: docs/ALGORITHM.md).
 *
 * For the beliefs B of successors.c, which are the corners and all that can follow them, the table
 *
 *   Q(b,a)   = R(b,a) + discount * sum_o max_k sum_s b(s) P(o|s,a) Q(tau(e_s,a,o),k)
 *   Q(b,ask) = sum_s b(s) [ max_a Q(e_s,a) - c(s) ]
 *
 * where k runs over the actions and, with requests, over asking.  It bounds because tau(b,a,o) is the
 * mixture of the tau(e_s,a,o) with weights b(s) P(o|s,a), and the value of a choice is convex.  The
 * lines of the corners are vectors: N_a is convex, so <b, Q(e_.,a)> bounds it, too.
 *
 * The iteration starts at FIB, from which the operator can only fall, and ends with the smaller of
 * both, entry by entry: TIB <= FIB always, to the last bit.  fixpoint.c drives it, with beliefs where
 * the others have states.  Asking is no entry of its own there but follows from the others after each
 * sweep, so that the operator shrinks distances by the discount.  In a Gauss-Seidel sweep asking is
 * as it was before the sweep; what is said in fixpoint.c of mixtures of old and new values holds.
 *
 * Rounding: the weights of a belief and P(o|s,a) are sums over a row of T, and beliefs of the same
 * bits may differ by as much; values differ by no more than beliefs do, times their size.
 *
 * Cost of a sweep: for each belief, each of its states and each observation that an action shows from
 * it, one line of choices; for corners, one number.  That is several times the cost of FIB, so the
 * sweeps are limited by the work that FIB has taken (gli_bound_allowance), and where not a single one
 * fits, or the table would be large, there is no table and the bound is FIB. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "bounds/fixpoint.h"
#include "bounds/successors.h"
#include "model/model.h"

enum {
  FREE = 0,
  MOST_NUMBERS = 8 << 20, /* of the table: 64 MiB */
  MOST_ENTRIES = 8 << 20, /* met while the beliefs are made */
};

/* For planners it takes about a third as long as what it starts from. */
#define PLANNERS_EFFORT 0.36

/* Nominal nanoseconds. */
static const double entry_work = 40, number_work = 1.3;

struct gli_tib_parts {
  gli_tib tib;
  gli_successors successors;
  double *reward; /* as in the model, which need not outlive the bound */
  double discount, slack;
  uint32_t observations;
};

/* Per belief a line of choices, and the largest of them. */
typedef struct lines {
  double *line, *best;
} lines;

/* Memory of one worker. */
typedef struct scratch {
  double *sum;    /* a line per observation met */
  uint32_t *slot; /* per observation: its line + 1 */
  uint32_t *met;  /* the observations met */
} scratch;

typedef struct iteration {
  const gli_bound_task *task;
  const gli_successors *successors;
  uint32_t choices;
  lines old, next;
  scratch *scratch;
  unsigned workers;
  double deviation; /* of the rows of O from 1 */
} iteration;

static double rounding_of(const gli_bound_task *task, const gli_successors *successors, double deviation, double size) {
  double terms = 4 * (double)task->longest + (double)successors->longest + (double)successors->shown + 32;
  return (terms * (DBL_EPSILON / 2) + 2 * task->deviation + 2 * deviation) * size;
}

static double rounding(void *context, double size) {
  const iteration *it = context;
  return rounding_of(it->task, it->successors, it->deviation, size);
}

static inline double largest(const double *value, uint32_t count) {
  double best = value[0];
  for (uint32_t k = 1; k < count; k++)
    if (value[k] > best) best = value[k];
  return best;
}

/* ------------------------------------------------------------------- backup */

/* What a belief reads: new lines of its block, old ones of others. */
typedef struct view {
  const iteration *it;
  uint32_t first, length; /* the block; length 0 in a Jacobi sweep */
} view;

static inline const lines *lines_at(const view *v, uint32_t belief) {
  return belief - v->first < v->length ? &v->it->next : &v->it->old;
}

static double backup_corner(const view *v, uint32_t a, uint32_t s) {
  const glimpse_model *model = v->it->task->model;
  const gli_successors *from = v->it->successors;
  uint64_t r = gli_model_row(model, a, s);
  double total = 0;
  for (uint32_t e = from->first[r]; e < from->first[r + 1]; e++)
    total += from->chance[e] * lines_at(v, from->belief[e])->best[from->belief[e]];
  return model->reward[r] + model->discount * total;
}

/* Adds a line to that of its observation. */
static inline void add_line(scratch *mine, uint32_t *used, uint32_t o, double weight, const double *line,
                            uint32_t choices) {
  bool fresh = mine->slot[o] == FREE;
  if (fresh) {
    mine->met[(*used)++] = o;
    mine->slot[o] = *used;
  }
  double *restrict sum = mine->sum + (size_t)(mine->slot[o] - 1) * choices;
  if (fresh)
    for (uint32_t k = 0; k < choices; k++) sum[k] = weight * line[k];
  else
    for (uint32_t k = 0; k < choices; k++) sum[k] += weight * line[k];
}

/* The best choice after each observation; forgets the lines. */
static double take_best(scratch *mine, uint32_t used, uint32_t choices) {
  double total = 0;
  for (uint32_t i = 0; i < used; i++) {
    total += largest(mine->sum + (size_t)i * choices, choices);
    mine->slot[mine->met[i]] = FREE;
  }
  return total;
}

static double backup(const view *v, uint32_t a, glimpse_row belief, scratch *mine) {
  const glimpse_model *model = v->it->task->model;
  const gli_successors *from = v->it->successors;
  uint32_t choices = v->it->choices, used = 0;
  double reward = 0;
  for (size_t i = 0; i < belief.count; i++) {
    uint64_t r = gli_model_row(model, a, belief.index[i]);
    double p = belief.value[i];
    reward += p * model->reward[r];
    for (uint32_t e = from->first[r]; e < from->first[r + 1]; e++) {
      uint32_t next = from->belief[e];
      add_line(mine, &used, from->observation[e], p * from->chance[e], lines_at(v, next)->line + (size_t)next * choices,
               choices);
    }
  }
  return reward + model->discount * take_best(mine, used, choices);
}

/* ---------------------------------------------------------------- iteration */

static gli_range sweep_block(void *context, gli_sweep sweep, uint32_t first, uint32_t last, unsigned worker) {
  iteration *it = context;
  uint32_t actions = it->task->model->actions, states = it->successors->states, length = last - first;
  view v = {it, first, sweep.jacobi ? 0 : length};
  gli_range change = GLI_RANGE_NONE;
  size_t begin = (size_t)first * it->choices, end = (size_t)last * it->choices;
  memcpy(it->next.line + begin, it->old.line + begin, (end - begin) * sizeof *it->old.line);
  if (!sweep.jacobi) memcpy(it->next.best + first, it->old.best + first, length * sizeof *it->old.best);
  for (uint32_t i = 0; i < length; i++) {
    uint32_t at = sweep.backward ? last - 1 - i : first + i;
    double *line = it->next.line + (size_t)at * it->choices;
    glimpse_row belief = gli_successors_belief(it->successors, at, &at, &(double){1});
    for (uint32_t a = 0; a < actions; a++) {
      double x = at < states ? backup_corner(&v, a, at) : backup(&v, a, belief, &it->scratch[worker]);
      gli_range_add(&change, x - it->old.line[(size_t)at * it->choices + a]);
      line[a] = x;
    }
    it->next.best[at] = largest(line, it->choices);
  }
  return change;
}

/* What asking is worth, and the best of each line, from the lines of the corners. */
static void settle(const iteration *it, lines *at) {
  const glimpse_model *model = it->task->model;
  const gli_successors *from = it->successors;
  uint32_t actions = model->actions, choices = it->choices;
  for (uint32_t s = 0; s < from->states; s++) {
    double *line = at->line + (size_t)s * choices;
    at->best[s] = largest(line, actions);
    if (choices > actions) line[actions] = at->best[s] - gli_model_price(model, s);
  }
  for (uint32_t i = from->states; i < from->beliefs; i++) {
    double *line = at->line + (size_t)i * choices;
    glimpse_row belief = gli_successors_belief(from, i, NULL, NULL);
    double ask = 0;
    if (choices > actions) {
      for (size_t k = 0; k < belief.count; k++)
        ask += belief.value[k] * at->line[(size_t)belief.index[k] * choices + actions];
      line[actions] = ask;
    }
    at->best[i] = largest(line, choices);
  }
}

static void turn(void *context) {
  iteration *it = context;
  lines old = it->old;
  it->old = it->next;
  it->next = old;
  settle(it, &it->old);
}

static bool lines_start(const iteration *it, lines *made) {
  made->line = GLI_NEW(double, (size_t)it->successors->beliefs * it->choices);
  made->best = GLI_NEW(double, it->successors->beliefs);
  return made->line && made->best;
}

static bool scratch_start(scratch *made, uint64_t shown, uint32_t choices, uint32_t observations) {
  uint64_t most = shown < observations ? shown : observations;
  if (most > SIZE_MAX / choices) return false;
  made->sum = GLI_NEW(double, (size_t)most *choices);
  made->slot = GLI_NEW(uint32_t, observations);
  made->met = GLI_NEW(uint32_t, (size_t)most);
  return made->sum && made->slot && made->met;
}

static void scratch_free(scratch *made) {
  gli_memory_free(made->sum);
  gli_memory_free(made->slot);
  gli_memory_free(made->met);
}

static double deviation_of_observations(const glimpse_model *model) {
  double deviation = 0;
  for (uint64_t r = 0; r < (uint64_t)model->actions * model->states; r++) {
    glimpse_row row = gli_table_row(&model->observe, r);
    double sum = 0;
    for (size_t i = 0; i < row.count; i++) sum += row.value[i];
    deviation = fmax(deviation, fabs(sum - 1));
  }
  return deviation;
}

/* FIB at a belief of the table, as glimpse_bound_value gives it vector by vector. */
static double informed_at(const iteration *it, const glimpse_bound *informed, uint32_t belief, uint32_t k) {
  glimpse_row row = gli_successors_belief(it->successors, belief, &belief, &(double){1});
  return gli_bound_vector(informed, k, row, gli_bound_outward(row.count));
}

static bool iteration_start(iteration *it, const glimpse_bound *informed) {
  const glimpse_model *model = it->task->model;
  it->choices = informed->vectors;
  it->workers = it->task->pool ? gli_parallel_threads(it->task->pool) : 1;
  it->scratch = GLI_NEW(scratch, it->workers);
  it->deviation = deviation_of_observations(model);
  if (!it->scratch || !lines_start(it, &it->old) || !lines_start(it, &it->next)) return false;
  for (unsigned i = 0; i < it->workers; i++)
    if (!scratch_start(&it->scratch[i], it->successors->shown, it->choices, model->observations)) return false;
  for (uint32_t i = 0; i < it->successors->beliefs; i++)
    for (uint32_t a = 0; a < model->actions; a++)
      it->old.line[(size_t)i * it->choices + a] = informed_at(it, informed, i, a);
  settle(it, &it->old);
  return true;
}

static void iteration_free(iteration *it) {
  for (unsigned i = 0; it->scratch && i < it->workers; i++) scratch_free(&it->scratch[i]);
  gli_memory_free(it->scratch);
  gli_memory_free(it->old.line);
  gli_memory_free(it->old.best);
  gli_memory_free(it->next.line);
  gli_memory_free(it->next.best);
}

/* ------------------------------------------------------------------- result */

/* The table: moved above the fixed point, not above FIB, and asking. */
static void finish(iteration *it, const gli_fixpoint_outcome *outcome, const glimpse_bound *informed,
                   glimpse_bound *bound) {
  const glimpse_model *model = it->task->model;
  const gli_successors *from = it->successors;
  uint32_t actions = model->actions, choices = it->choices;
  double size = 0;
  for (uint32_t i = 0; i < from->beliefs; i++)
    for (uint32_t a = 0; a < actions; a++) size = fmax(size, fabs(it->old.line[(size_t)i * choices + a]));
  double off = rounding(it, size + it->task->reward + fmin(it->task->price, 4 * size));
  double slack = gli_fixpoint_slack(it->task, off), by = outcome->high + slack;
  for (uint32_t i = 0; i < from->beliefs; i++)
    for (uint32_t a = 0; a < actions; a++) {
      double *x = &it->old.line[(size_t)i * choices + a];
      *x = fmin(*x + by, informed_at(it, informed, i, a));
    }
  settle(it, &it->old);
  for (uint32_t s = 0; choices > actions && s < from->states; s++)
    it->old.line[(size_t)s * choices + actions] = gli_bound_ask_upper(it->old.best[s], gli_model_price(model, s));
  for (uint32_t i = from->states; choices > actions && i < from->beliefs; i++) {
    double *x = &it->old.line[(size_t)i * choices + actions], one = 1;
    uint32_t state = i;
    glimpse_row belief = gli_successors_belief(from, i, &state, &one);
    double ask = 0, more = gli_bound_outward(belief.count);
    for (size_t k = 0; k < belief.count; k++) {
      double entry = it->old.line[(size_t)belief.index[k] * choices + actions];
      ask += belief.value[k] * (entry + more * fabs(entry));
    }
    *x = ask;
  }
  bound->value = it->old.line;
  it->old.line = NULL;
  bound->tib->tib.upper = bound->value;
  bound->tib->slack = off;
  bound->result = (glimpse_bound_result){.converged = outcome->converged,
                                         .iterations = outcome->iterations,
                                         .residual = outcome->residual,
                                         .error = outcome->high - outcome->low + 2 * slack};
}

static uint32_t block_size(const gli_successors *from) {
  double beliefs = 25000.0 * from->beliefs / (from->work + 1);
  return beliefs < 64 ? 64 : beliefs > 4096 ? 4096 : (uint32_t)beliefs;
}

static bool iterate(const gli_bound_task *task, const glimpse_bound *informed, uint64_t sweeps, glimpse_bound *bound) {
  const glimpse_model *model = task->model;
  gli_bound_task limited = *task;
  if (sweeps < limited.max_iterations) limited.max_iterations = sweeps;
  iteration it = {.task = &limited, .successors = &bound->tib->successors};
  double size = task->reward / (1 - model->discount);
  gli_operator bellman = {&it,
                          size + fmin(task->price, 4 * size),
                          sweep_block,
                          turn,
                          rounding,
                          it.successors->beliefs,
                          block_size(it.successors)};
  gli_fixpoint_outcome outcome;
  bool done = iteration_start(&it, informed) && gli_fixpoint_run(&limited, &bellman, &outcome);
  if (done) finish(&it, &outcome, informed, bound);
  iteration_free(&it);
  return done;
}

static bool parts_start(const gli_bound_task *task, gli_tib_parts *parts, uint32_t choices) {
  const glimpse_model *model = task->model;
  const gli_successors *from = &parts->successors;
  parts->reward = gli_memory_copy(model->reward, (size_t)model->states * model->actions, sizeof *model->reward);
  parts->discount = model->discount;
  parts->observations = model->observations;
  parts->tib = (gli_tib){.choices = choices,
                         .first = from->first,
                         .observation = from->observation,
                         .chance = from->chance,
                         .belief = from->belief};
  return parts->reward != NULL;
}

static void parts_free(gli_tib_parts *parts) {
  if (!parts) return;
  gli_successors_free(&parts->successors);
  gli_memory_free(parts->reward);
  gli_memory_free(parts);
}

/* There is no table: FIB as it is.  How far from TIB is not known; no value is larger than the size. */
static bool as_informed(const glimpse_bound *informed, double size, glimpse_bound *bound) {
  parts_free(bound->tib);
  bound->tib = NULL;
  bound->value =
      gli_memory_copy(informed->value, (size_t)informed->states * informed->vectors, sizeof *informed->value);
  bound->result = (glimpse_bound_result){.residual = 2 * size, .error = 2 * size};
  return bound->value != NULL;
}

/* Sweeps that fit; 0: there is to be no table. */
static uint64_t sweeps_that_fit(const gli_bound_task *task, const glimpse_bound *informed, const gli_successors *from,
                                double allowance) {
  const glimpse_model *model = task->model;
  double entries = from->first[(uint64_t)model->actions * model->states];
  double corners = entries, others = from->work - entries;
  double sweep = (corners * 2 + others * (informed->vectors + 2)) * number_work;
  double fit = (allowance - entries * entry_work) / sweep;
  return fit >= 1 ? fit < 1e18 ? (uint64_t)fit : UINT64_MAX : 0;
}

static bool build(const gli_bound_task *task, const glimpse_bound *informed, glimpse_bound *bound) {
  const glimpse_model *model = task->model;
  double allowance = gli_bound_allowance(task, informed->work);
  bound->vectors = informed->vectors;
  bound->known = gli_memory_copy(informed->known, model->states, sizeof *informed->known);
  bound->tib = GLI_NEW(gli_tib_parts, 1);
  if (!bound->known || !bound->tib) return false;
  if (gli_clock_now() >= task->deadline) return as_informed(informed, task->size, bound);
  gli_tib_parts *parts = bound->tib;
  gli_successors_end end = gli_successors_start(&parts->successors, model, MOST_NUMBERS / (double)bound->vectors,
                                                fmin(MOST_ENTRIES, allowance / entry_work));
  if (end == GLI_SUCCESSORS_NO_MEMORY) return false;
  uint64_t sweeps = end == GLI_SUCCESSORS_LARGE ? 0 : sweeps_that_fit(task, informed, &parts->successors, allowance);
  if (!sweeps) return as_informed(informed, task->size, bound);
  if (!parts_start(task, parts, bound->vectors) || !iterate(task, informed, sweeps, bound)) return false;
  gli_successors_forget(&parts->successors);
  return true;
}

static bool make(const gli_bound_task *task, const gli_bound_given *given, glimpse_bound *bound) {
  const glimpse_bound *const *at = given->bound;
  return build(task, at[task->model->requests ? GLIMPSE_BOUND_FIB_SR : GLIMPSE_BOUND_FIB], bound);
}

/* ------------------------------------------------------------------ at beliefs */

const gli_tib *gli_bound_tib(const glimpse_bound *bound) {
  return bound->tib ? &bound->tib->tib : NULL;
}

/* Lines of a window of observations, which need no memory of their own. */
enum { ROOM = 2048 };

typedef struct window {
  double sum[ROOM];
  uint32_t first, width; /* observations first .. first + width - 1 */
  uint32_t next;         /* the smallest observation behind it; UINT32_MAX: none */
} window;

/* The first entry of a row whose observation is not below o. */
static uint32_t entry_from(const gli_tib *tib, uint32_t low, uint32_t end, uint32_t o) {
  while (low < end) {
    uint32_t middle = low + (end - low) / 2;
    if (tib->observation[middle] < o) low = middle + 1;
    else end = middle;
  }
  return low;
}

/* Adds what the rows of the belief show within the window. */
static void fill_window(const glimpse_bound *bound, uint32_t a, glimpse_row belief, window *at) {
  const gli_tib *tib = &bound->tib->tib;
  uint32_t choices = tib->choices;
  for (uint32_t i = 0; i < at->width * choices; i++) at->sum[i] = 0;
  at->next = UINT32_MAX;
  for (size_t i = 0; i < belief.count; i++) {
    uint64_t r = (uint64_t)a * bound->states + belief.index[i];
    uint32_t end = tib->first[r + 1], e = entry_from(tib, tib->first[r], end, at->first);
    for (; e < end && tib->observation[e] - at->first < at->width; e++) {
      const double *line = tib->upper + (size_t)tib->belief[e] * choices;
      double *restrict sum = at->sum + (size_t)(tib->observation[e] - at->first) * choices;
      double p = belief.value[i] * tib->chance[e];
      for (uint32_t k = 0; k < choices; k++) sum[k] += p * line[k];
    }
    if (e < end && tib->observation[e] < at->next) at->next = tib->observation[e];
  }
}

/* One look ahead, moved up by more than rounding can do: the slack is that of a backup of at least 32
 * terms. */
static double look_ahead(const glimpse_bound *bound, uint32_t a, glimpse_row belief) {
  const gli_tib_parts *parts = bound->tib;
  uint32_t choices = parts->tib.choices, shown = 0;
  double reward = 0, total = 0;
  window at = {.width = ROOM / choices};
  for (size_t i = 0; i < belief.count; i++)
    reward += belief.value[i] * parts->reward[(uint64_t)a * bound->states + belief.index[i]];
  do {
    if (parts->observations - at.first < at.width) at.width = parts->observations - at.first;
    fill_window(bound, a, belief, &at);
    for (uint32_t o = 0; o < at.width; o++) total += largest(at.sum + (size_t)o * choices, choices);
    shown += at.width;
    at.first = at.next;
  } while (at.first != UINT32_MAX);
  return reward + parts->discount * total + parts->slack * (2 + ((double)belief.count + shown) / 8);
}

/* The largest over the actions of one look ahead, and asking; never above the vectors.  With very many actions the
 * vectors have to do. */
static double value(const glimpse_bound *bound, glimpse_row belief) {
  if (!bound->tib) return gli_bound_largest(bound, belief, -INFINITY);
  uint32_t choices = bound->vectors, actions = choices - (bound->result.kind == GLIMPSE_BOUND_TIB_SR ? 1 : 0);
  double by = gli_bound_outward(belief.count), best = -INFINITY;
  bool look = belief.count > 1 && choices <= ROOM;
  for (uint32_t k = 0; k < choices; k++) {
    double x = gli_bound_vector(bound, k, belief, by);
    if (x > best && k < actions && look) x = fmin(x, look_ahead(bound, k, belief));
    if (x > best) best = x;
  }
  return best;
}

static void end(glimpse_bound *bound) {
  parts_free(bound->tib);
}

const gli_bound_class gli_bound_class_TIB = {.make = make,
                                             .where = GLI_BOUND_WITHOUT_REQUESTS,
                                             .instead = GLIMPSE_BOUND_TIB_SR,
                                             .needs = {{GLIMPSE_BOUND_FIB, 0.5}},
                                             .value = value,
                                             .free = end,
                                             .part = 0.5,
                                             .effort = PLANNERS_EFFORT};
const gli_bound_class gli_bound_class_TIB_SR = {.make = make,
                                                .where = GLI_BOUND_WITH_REQUESTS,
                                                .instead = GLIMPSE_BOUND_TIB,
                                                .needs = {{GLIMPSE_BOUND_FIB_SR, 0.5}},
                                                .value = value,
                                                .free = end,
                                                .part = 0.5,
                                                .effort = PLANNERS_EFFORT};
