/* FIB and FIB-SR: the next observation is taken into account (paper, Eq. fib),
 *
 *   alpha_a(s) = R(s,a) + discount * sum_o max_k sum_s' T(s'|s,a) O(o|a,s') alpha_k(s')
 *
 * where k runs over the actions and, with requests (FIB-SR, Eq. fib-sr), over asking:
 * alpha_c(s) = -c(s) + max_a alpha_a(s).  Without alpha_c the vectors are no upper
 * bound when the agent may ask (paper, Lemma 2).
 *
 * A price so high that asking is out of the question takes no part in the rounding
 * error: only the larger of two sums counts.
 *
 * The iteration starts at the vectors of QMDP, from which the operator can only
 * fall, and ends with the smaller of both, entry by entry: FIB <= QMDP always.
 *
 * Kept per state: alpha_a(s) for all actions, one line, and known(s) = max_a
 * alpha_a(s), which is all that is needed of a state that the observation gives
 * away.  The sums are organised in informed.c.  Cost of a sweep: one multiplication
 * per non-zero of T, times the actions where the observation leaves a doubt, and the
 * observations of states that are really confused. */
#include <float.h>
#include <math.h>

#include "base/memory.h"
#include "bounds/informed.h"
#include "bounds/mdp.h"
#include "model/model.h"

enum { FREE = 0 };

/* alpha[s * actions + a] and known[s]. */
typedef struct lines {
  double *alpha, *known;
} lines;

/* Memory of one worker. */
typedef struct scratch {
  double *beta;   /* actions + 1; the last is for asking */
  double *sum;    /* a line of actions + 1 per observation met in a row */
  uint32_t *slot; /* per observation: its line + 1 */
  uint32_t *met;  /* the observations met */
} scratch;

typedef struct iteration {
  const gli_bound_task *task;
  gli_informed informed;
  lines old, next;
  scratch *scratch;
  unsigned workers;
} iteration;

/* What a state reads: new values of its block, old ones of others. */
typedef struct view {
  const iteration *it;
  uint32_t first, length; /* the block; length 0 in a Jacobi sweep */
} view;

static double rounding(void *context, double size) {
  const iteration *it = context;
  double unit = ((double)it->informed.terms + 16) * (DBL_EPSILON / 2);
  return (unit + it->task->deviation + it->informed.deviation) * size;
}

/* ------------------------------------------------------------------- backup */

static inline double known_at(const view *v, uint32_t s) {
  return (s - v->first < v->length ? v->it->next.known : v->it->old.known)[s];
}

/* beta_k = sum of weight * alpha_k over some states; returns the same of known. */
static inline double gather(const view *v, const uint32_t *state, const double *weight, uint32_t count,
                            uint32_t actions, double *restrict beta) {
  double known = 0;
  for (uint32_t k = 0; k < actions; k++) beta[k] = 0;
  for (uint32_t i = 0; i < count; i++) {
    const lines *from = state[i] - v->first < v->length ? &v->it->next : &v->it->old;
    const double *line = from->alpha + (size_t)state[i] * actions;
    double w = weight[i];
    known += w * from->known[state[i]];
    for (uint32_t k = 0; k < actions; k++) beta[k] += w * line[k];
  }
  return known;
}

static inline double largest(const double *value, uint32_t count) {
  double best = value[0];
  for (uint32_t k = 1; k < count; k++)
    if (value[k] > best) best = value[k];
  return best;
}

/* The mixed groups of a row: their lines are spread over the observations. */
static double mixed_value(const view *v, uint32_t a, uint64_t at, uint64_t group, uint32_t groups, scratch *mine) {
  const glimpse_model *model = v->it->task->model;
  const gli_informed *informed = &v->it->informed;
  uint32_t actions = model->actions, width = actions + (model->requests ? 1 : 0), lines_used = 0;
  for (uint64_t g = group; g < group + groups; g++) {
    double known = gather(v, informed->state + at, informed->weight + at, informed->length[g], actions, mine->beta);
    mine->beta[actions] = known - informed->price[g];
    glimpse_row shown = gli_table_row(&model->observe, gli_model_row(model, a, informed->state[at]));
    for (size_t i = 0; i < shown.count; i++) {
      uint32_t o = shown.index[i];
      bool fresh = mine->slot[o] == FREE;
      if (fresh) {
        mine->met[lines_used++] = o;
        mine->slot[o] = lines_used;
      }
      double *restrict sum = mine->sum + (size_t)(mine->slot[o] - 1) * width;
      double p = shown.value[i];
      for (uint32_t k = 0; k < width; k++) sum[k] = fresh ? p * mine->beta[k] : sum[k] + p * mine->beta[k];
    }
    at += informed->length[g];
  }
  double total = 0;
  for (uint32_t i = 0; i < lines_used; i++) {
    total += largest(mine->sum + (size_t)i * width, width);
    mine->slot[mine->met[i]] = FREE;
  }
  return total;
}

static double backup(const view *v, uint32_t a, uint32_t s, scratch *mine) {
  const glimpse_model *model = v->it->task->model;
  const gli_informed *informed = &v->it->informed;
  const gli_informed_row *row = &informed->row[(size_t)s * model->actions + a];
  uint64_t at = row->entry, group = row->group;
  double total = 0;
  for (uint32_t i = 0; i < row->single; i++, at++) total += informed->weight[at] * known_at(v, informed->state[at]);
  for (uint32_t i = 0; i < row->clear; i++, group++) {
    double known =
        gather(v, informed->state + at, informed->weight + at, informed->length[group], model->actions, mine->beta);
    double best = largest(mine->beta, model->actions), ask = known - informed->price[group];
    total += model->requests && ask > best ? ask : best;
    at += informed->length[group];
  }
  if (row->mixed) total += mixed_value(v, a, at, group, row->mixed, mine);
  return row->reward + model->discount * total;
}

/* ---------------------------------------------------------------- iteration */

static gli_range sweep_block(void *context, gli_sweep sweep, uint32_t first, uint32_t last, unsigned worker) {
  iteration *it = context;
  uint32_t actions = it->task->model->actions, length = last - first;
  size_t begin = (size_t)first * actions, end = (size_t)last * actions;
  view v = {it, first, sweep.jacobi ? 0 : length};
  gli_range change = GLI_RANGE_NONE;
  if (!sweep.jacobi) {
    for (uint32_t s = first; s < last; s++) it->next.known[s] = it->old.known[s];
    for (size_t i = begin; i < end; i++) it->next.alpha[i] = it->old.alpha[i];
  }
  for (uint32_t i = 0; i < length; i++) {
    uint32_t s = sweep.backward ? last - 1 - i : first + i;
    double *alpha = it->next.alpha + (size_t)s * actions;
    for (uint32_t a = 0; a < actions; a++) alpha[a] = backup(&v, a, s, &it->scratch[worker]);
    it->next.known[s] = largest(alpha, actions);
  }
  for (size_t i = begin; i < end; i++) gli_range_add(&change, it->next.alpha[i] - it->old.alpha[i]);
  return change;
}

static void turn(void *context) {
  iteration *it = context;
  lines old = it->old;
  it->old = it->next;
  it->next = old;
}

static bool lines_start(lines *made, const glimpse_model *model) {
  if (model->states > SIZE_MAX / model->actions) return false;
  size_t count = (size_t)model->states * model->actions;
  made->alpha = GLI_NEW(double, count);
  made->known = GLI_NEW(double, model->states);
  return made->alpha && made->known;
}

static bool scratch_start(iteration *it) {
  const glimpse_model *model = it->task->model;
  it->workers = it->task->pool ? gli_parallel_threads(it->task->pool) : 1;
  it->scratch = GLI_NEW(scratch, it->workers);
  if (!it->scratch) return false;
  uint64_t width = (uint64_t)model->actions + 1;
  if (it->informed.mixable > SIZE_MAX / width) return false;
  bool mixed = it->informed.mixable > 0;
  for (unsigned i = 0; i < it->workers; i++) {
    scratch *mine = &it->scratch[i];
    mine->beta = GLI_NEW(double, (size_t)width);
    mine->sum = GLI_NEW(double, (size_t)(it->informed.mixable * width));
    mine->slot = GLI_NEW(uint32_t, mixed ? model->observations : 0);
    mine->met = GLI_NEW(uint32_t, (size_t)it->informed.mixable);
    if (!mine->beta || !mine->sum || !mine->slot || !mine->met) return false;
  }
  return true;
}

static void iteration_free(iteration *it) {
  for (unsigned i = 0; it->scratch && i < it->workers; i++) {
    gli_memory_free(it->scratch[i].beta);
    gli_memory_free(it->scratch[i].sum);
    gli_memory_free(it->scratch[i].slot);
    gli_memory_free(it->scratch[i].met);
  }
  gli_memory_free(it->scratch);
  gli_memory_free(it->old.alpha);
  gli_memory_free(it->old.known);
  gli_memory_free(it->next.alpha);
  gli_memory_free(it->next.known);
  gli_informed_free(&it->informed);
}

/* Everything begins at QMDP. */
static bool iteration_start(iteration *it, const glimpse_bound *qmdp) {
  const glimpse_model *model = it->task->model;
  uint32_t actions = model->actions;
  if (!gli_informed_start(&it->informed, model) || !lines_start(&it->old, model) || !lines_start(&it->next, model) ||
      !scratch_start(it))
    return false;
  for (uint32_t s = 0; s < model->states; s++) {
    for (size_t i = (size_t)s * actions; i < ((size_t)s + 1) * actions; i++) it->old.alpha[i] = qmdp->value[i];
    it->old.known[s] = largest(it->old.alpha + (size_t)s * actions, actions);
  }
  return true;
}

/* Nominal nanoseconds of a sweep: known states cost a number, others a line, and mixed groups a line for
 * each observation. */
static double sweep_work(const iteration *it) {
  const glimpse_model *model = it->task->model;
  const gli_informed *informed = &it->informed;
  uint64_t rows = (uint64_t)model->states * model->actions;
  double line = 1 + 0.7 * model->actions, work = 8 * (double)rows;
  for (uint64_t r = 0; r < rows; r++) {
    const gli_informed_row *row = &informed->row[r];
    uint64_t at = row->entry + row->single;
    work += 1.5 * row->single;
    for (uint64_t g = row->group; g < row->group + row->clear + row->mixed; g++) {
      work += 4 + line * informed->length[g];
      uint64_t o = gli_model_row(model, (uint32_t)(r % model->actions), informed->state[at]);
      if (g >= row->group + row->clear) work += line * (double)(model->observe.row[o + 1] - model->observe.row[o]);
      at += informed->length[g];
    }
  }
  return work;
}

/* The vectors: moved above the fixed point, not above QMDP, and asking. */
static void finish(iteration *it, const gli_fixpoint_outcome *outcome, const glimpse_bound *qmdp,
                   glimpse_bound *bound) {
  const glimpse_model *model = it->task->model;
  uint32_t actions = model->actions;
  double size = 0;
  for (size_t i = 0; i < (size_t)model->states * actions; i++) size = fmax(size, fabs(it->old.alpha[i]));
  double slack = gli_fixpoint_slack(it->task, rounding(it, size + it->task->reward + fmin(it->task->price, 4 * size)));
  double by = outcome->high + slack;
  for (uint32_t s = 0; s < model->states; s++) {
    const double *from = it->old.alpha + (size_t)s * actions, *limit = qmdp->value + (size_t)s * actions;
    double *to = bound->value + (size_t)s * bound->vectors;
    for (uint32_t a = 0; a < actions; a++) to[a] = fmin(from[a] + by, limit[a]);
    if (model->requests) to[actions] = gli_bound_ask_upper(largest(to, actions), gli_model_price(model, s));
  }
  bound->result = (glimpse_bound_result){.converged = outcome->converged,
                                         .iterations = outcome->iterations,
                                         .residual = outcome->residual,
                                         .error = outcome->high - outcome->low + 2 * slack};
  bound->work = (double)outcome->iterations * sweep_work(it);
}

bool gli_bound_fib_from(const gli_bound_task *task, const glimpse_bound *qmdp, glimpse_bound *bound) {
  const glimpse_model *model = task->model;
  iteration it = {.task = task};
  double size = task->reward / (1 - model->discount);
  gli_operator bellman = {
      &it, size + fmin(task->price, 4 * size), sweep_block, turn, rounding, task->model->states, task->block};
  gli_fixpoint_outcome outcome;
  bool done = gli_bound_reserve(bound, model->actions + (model->requests ? 1 : 0)) && iteration_start(&it, qmdp) &&
              gli_fixpoint_run(task, &bellman, &outcome);
  if (done) finish(&it, &outcome, qmdp, bound);
  iteration_free(&it);
  return done;
}

static bool make(const gli_bound_task *task, const gli_bound_given *given, glimpse_bound *bound) {
  (void)given;
  glimpse_bound qmdp = {.states = bound->states};
  gli_bound_task first = gli_bound_share(task, 0.5);
  bool done = gli_mdp_actions(&first, &qmdp) && gli_bound_fib_from(task, &qmdp, bound);
  bound->known = qmdp.known;
  bound->work += qmdp.work;
  gli_memory_free(qmdp.value);
  return done;
}

const gli_bound_class gli_bound_class_FIB = {
    .make = make, .where = GLI_BOUND_WITHOUT_REQUESTS, .instead = GLIMPSE_BOUND_FIB_SR, .part = 0.6, .choice = true};
const gli_bound_class gli_bound_class_FIB_SR = {
    .make = make, .where = GLI_BOUND_WITH_REQUESTS, .instead = GLIMPSE_BOUND_FIB, .part = 0.6, .choice = true};
