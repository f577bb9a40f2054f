/* Bound: the public face of the families, and what they share: options, the pool of
 * threads, blocks, and the numbers behind the rounding slack. */
#include "bounds/bound.h"

#include <float.h>
#include <math.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/report.h"
#include "model/model.h"

/* Where the limit is not given: ten times what any model with a discount up to 0.9999 was seen to
 * need; next to 1 some would take years, for a bound that is valid in any case. */
enum { MOST_SWEEPS = 1000000 };

/* Of TIB and SEQUENCE where it is not given; and what counts as the work of a model however small. */
static const double usual_effort = 20, least_work = 4e5;

static const glimpse_bound_info infos[] = {
#define X(name, key, side, text) {key, side, text},
    GLIMPSE_BOUND_TABLE(X)
#undef X
};

const glimpse_bound_info *glimpse_bound_get(glimpse_bound_kind kind) {
  return (unsigned)kind < GLIMPSE_BOUND_KINDS ? &infos[kind] : NULL;
}

bool glimpse_bound_applies(glimpse_bound_kind kind, const glimpse_model *model) {
  switch (kind) {
    case GLIMPSE_BOUND_BLIND:
    case GLIMPSE_BOUND_QMDP:
    case GLIMPSE_BOUND_SEQUENCE: return true;
    case GLIMPSE_BOUND_FIB:
    case GLIMPSE_BOUND_TIB: return !model->requests;
    case GLIMPSE_BOUND_ALWAYS_ASK:
    case GLIMPSE_BOUND_FIB_SR:
    case GLIMPSE_BOUND_TIB_SR: return model->requests;
    case GLIMPSE_BOUND_KINDS: break;
  }
  return false;
}

bool gli_bound_reserve(glimpse_bound *bound, uint32_t vectors) {
  if (bound->states > SIZE_MAX / vectors) return false;
  bound->vectors = vectors;
  size_t count = (size_t)bound->states * vectors;
  bound->value = GLI_NEW(double, count);
  return bound->value != NULL;
}

void gli_bound_join(glimpse_bound_result *result, const glimpse_bound_result *other) {
  result->converged = result->converged && other->converged;
  if (other->iterations > result->iterations) result->iterations = other->iterations;
  result->residual = fmax(result->residual, other->residual);
  result->error = fmax(result->error, other->error);
}

gli_bound_task gli_bound_share(const gli_bound_task *task, double part) {
  gli_bound_task share = *task;
  if (isinf(task->deadline)) return share;
  double now = gli_clock_now();
  share.deadline = now + part * fmax(0, task->deadline - now);
  return share;
}

double gli_bound_work(const gli_bound_task *task, uint64_t sweeps, double each) {
  const glimpse_model *model = task->model;
  return (double)sweeps * (double)model->transition.row[(uint64_t)model->actions * model->states] * each;
}

double gli_bound_allowance(const gli_bound_task *task, double before) {
  return task->effort * fmax(before, least_work);
}

/* -------------------------------------------------------------------- task */

/* The rows of T: length and distance of the sum from 1. */
static void measure_rows(gli_bound_task *task) {
  const glimpse_model *model = task->model;
  for (uint64_t r = 0; r < (uint64_t)model->actions * model->states; r++) {
    glimpse_row row = gli_table_row(&model->transition, r);
    gli_sum sum = {0, 0};
    for (size_t i = 0; i < row.count; i++) gli_sum_add(&sum, row.value[i]);
    task->deviation = fmax(task->deviation, fabs(gli_sum_value(sum) - 1));
    if (row.count > task->longest) task->longest = row.count;
  }
}

static void measure_size(gli_bound_task *task) {
  const glimpse_model *model = task->model;
  double low, high;
  gli_model_reward_range(model, &low, &high);
  task->reward = fmax(fabs(low), fabs(high));
  for (uint32_t s = 0; s < model->states; s++) task->price = fmax(task->price, gli_model_price(model, s));
  task->size = (task->reward + task->price) / (1 - model->discount);
}

/* Blocks of some 25,000 non-zeros: enough to be worth a thread's while, and small
 * enough to share out.  The number of threads must not matter here. */
static uint32_t block_size(const glimpse_model *model) {
  uint64_t entries = model->transition.row[(uint64_t)model->actions * model->states];
  double states = 25000.0 * model->states / (double)(entries + 1);
  return states < 64 ? 64 : states > 4096 ? 4096 : (uint32_t)states;
}

/* The options with their defaults; false when one is out of range. */
static bool task_start(gli_bound_task *task, const glimpse_model *model, const glimpse_bound_options *options,
                       double now) {
  glimpse_bound_options given = options ? *options : (glimpse_bound_options){0};
  if (!(given.tolerance >= 0 && given.max_time >= 0 && given.effort >= 0)) return false;
  *task = (gli_bound_task){
      .model = model,
      .tolerance = given.tolerance > 0 ? given.tolerance : 1e-9,
      .max_iterations = given.max_iterations ? given.max_iterations : MOST_SWEEPS,
      .effort = given.effort > 0 ? given.effort : usual_effort,
      .deadline = given.max_time > 0 ? now + given.max_time : INFINITY,
      .block = block_size(model),
  };
  measure_size(task);
  measure_rows(task);
  return true;
}

/* ------------------------------------------------------------------ public */

static glimpse_status refuse(const glimpse_model *model, glimpse_bound_kind kind, glimpse_report *report) {
  if ((unsigned)kind >= GLIMPSE_BOUND_KINDS) return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT, "there is no such bound");
  glimpse_status status = glimpse_model_plannable(model, report);
  if (status || glimpse_bound_applies(kind, model)) return status;
  static const char *const reasons[GLIMPSE_BOUND_KINDS] = {
      [GLIMPSE_BOUND_FIB] =
          "the fast informed bound (fib) is no upper bound when the agent may ask for the state; use fib-sr",
      [GLIMPSE_BOUND_FIB_SR] = "fib-sr is for models with state requests, and this one has no request cost; use fib",
      [GLIMPSE_BOUND_TIB] =
          "the tighter informed bound (tib) is no upper bound when the agent may ask for the state; use tib-sr",
      [GLIMPSE_BOUND_TIB_SR] = "tib-sr is for models with state requests, and this one has no request cost; use tib",
      [GLIMPSE_BOUND_ALWAYS_ASK] = "always-ask is for models with state requests, and this one has no request cost"};
  return GLI_FAIL(report, GLIMPSE_NOT_APPLICABLE, "%s", reasons[kind]);
}

static bool compute(const gli_bound_task *task, const gli_bound_given *given, glimpse_bound *bound) {
  switch (bound->result.kind) {
    case GLIMPSE_BOUND_BLIND: return gli_bound_blind(task, bound);
    case GLIMPSE_BOUND_ALWAYS_ASK: return gli_bound_always_ask(task, bound);
    case GLIMPSE_BOUND_QMDP: return gli_bound_qmdp(task, bound);
    case GLIMPSE_BOUND_TIB:
    case GLIMPSE_BOUND_TIB_SR: return gli_bound_tib_from(task, given, bound);
    case GLIMPSE_BOUND_SEQUENCE: return gli_bound_sequence(task, given, bound);
    case GLIMPSE_BOUND_FIB:
    case GLIMPSE_BOUND_FIB_SR:
    case GLIMPSE_BOUND_KINDS: break; /* the last was refused */
  }
  return gli_bound_fib(task, bound);
}

glimpse_status gli_bound_make(const glimpse_model *model, glimpse_bound_kind kind, const glimpse_bound_options *options,
                              const gli_bound_given *given, glimpse_report *report, glimpse_bound **bound) {
  double begin = gli_clock_now();
  *bound = NULL;
  glimpse_status status = refuse(model, kind, report);
  if (status) return status;
  gli_bound_task task;
  if (!task_start(&task, model, options, begin))
    return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT, "tolerance, time and effort of a bound must not be negative");
  if (!(task.size <= GLI_LARGEST_SIZE))
    return GLI_FAIL(report, GLIMPSE_NOT_APPLICABLE,
                    "the rewards or the cost are so large that their discounted sum may overflow");
  unsigned threads = options ? options->threads : 0;
  bool alone = threads == 1 || task.block >= model->states;
  glimpse_bound *made = GLI_NEW(glimpse_bound, 1);
  if (!alone) task.pool = gli_parallel_new(threads);
  bool done = made && (alone || task.pool);
  if (done) {
    made->states = model->states;
    made->result.kind = kind;
    done = compute(&task, given, made);
  }
  gli_parallel_free(task.pool);
  if (!done) {
    glimpse_bound_free(made);
    return GLI_FAIL(report, GLIMPSE_NO_MEMORY, "out of memory while computing a bound");
  }
  made->result.kind = kind;
  made->result.vectors = made->vectors;
  made->result.seconds = gli_clock_now() - begin;
  *bound = made;
  return GLIMPSE_OK;
}

glimpse_status glimpse_bound_new(const glimpse_model *model, glimpse_bound_kind kind,
                                 const glimpse_bound_options *options, glimpse_report *report, glimpse_bound **bound) {
  return gli_bound_make(model, kind, options, &(gli_bound_given){0}, report, bound);
}

void glimpse_bound_free(glimpse_bound *bound) {
  if (!bound) return;
  gli_memory_free(bound->value);
  gli_memory_free(bound->known);
  gli_memory_free(bound->asking);
  gli_memory_free(bound->plan);
  gli_memory_free(bound->first);
  gli_tib_free(bound->tib);
  gli_memory_free(bound);
}

glimpse_bound_result glimpse_bound_measure(const glimpse_bound *bound) {
  return bound->result;
}

/* The sum errs by n u times the sum of the sizes (u = 2^-53), and the belief itself sums to 1 within
 * n u; of a known state it is exact. */
double gli_bound_outward(size_t count) {
  return count > 1 ? (2 * (double)count + 8) * (DBL_EPSILON / 2) : 0;
}

/* Entries are moved one by one, so that larger vectors still give larger values, bit by bit. */
static double moved(const double *entries, size_t stride, glimpse_row belief, double by) {
  double sum = 0;
  for (size_t i = 0; i < belief.count; i++) {
    double entry = entries[(size_t)belief.index[i] * stride];
    sum += belief.value[i] * (entry + by * fabs(entry));
  }
  return sum;
}

double gli_bound_vector(const glimpse_bound *bound, uint32_t k, glimpse_row belief, double by) {
  return moved(bound->value + k, bound->vectors, belief, by);
}

double glimpse_bound_value(const glimpse_bound *bound, glimpse_row belief) {
  if (bound->tib) return gli_tib_value(bound, belief);
  double by = gli_bound_outward(belief.count);
  if (infos[bound->result.kind].side < 0) by = -by;
  double largest = bound->result.kind != GLIMPSE_BOUND_SEQUENCE ? gli_bound_vector(bound, 0, belief, by)
                   : belief.count == 1                          ? bound->known[belief.index[0]] * belief.value[0]
                   : bound->asking                              ? moved(bound->asking, 1, belief, by)
                                                                : -INFINITY;
  for (uint32_t k = 0; k < bound->vectors; k++) largest = fmax(largest, gli_bound_vector(bound, k, belief, by));
  return largest;
}

gli_plan gli_bound_plan(const glimpse_bound *bound, uint32_t k) {
  return bound->plan ? bound->plan[k] : (gli_plan){k, k};
}

double gli_bound_promise(const glimpse_bound *bound, uint32_t choice, glimpse_row belief) {
  double by = -gli_bound_outward(belief.count), largest = -INFINITY;
  bool asks = bound->result.kind == GLIMPSE_BOUND_ALWAYS_ASK;
  if (choice == GLIMPSE_ANY && bound->asking && belief.count > 1) return moved(bound->asking, 1, belief, by);
  if ((choice == GLIMPSE_ANY) != asks) return largest;
  if (belief.count == 1 && bound->first && bound->first[belief.index[0]] == choice)
    largest = bound->known[belief.index[0]] * belief.value[0];
  for (uint32_t k = 0; k < bound->vectors; k++)
    if (asks || gli_bound_plan(bound, k).action == choice)
      largest = fmax(largest, gli_bound_vector(bound, k, belief, by));
  return largest;
}

double gli_bound_known(const glimpse_bound *bound, uint32_t s) {
  if (bound->known) return bound->known[s];
  const double *line = bound->value + (size_t)s * bound->vectors;
  double largest = line[0];
  for (uint32_t k = 1; k < bound->vectors; k++) largest = fmax(largest, line[k]);
  return largest;
}

double glimpse_bound_entry(const glimpse_bound *bound, uint32_t k, uint32_t s) {
  return k < bound->vectors && s < bound->states ? bound->value[(size_t)s * bound->vectors + k] : NAN;
}
