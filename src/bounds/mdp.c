/* MDP: value iteration where the state is known,
 *
 *   v(s) = -price(s) + max_a [ R(s,a) + discount * sum_s' T(s'|s,a) v(s') ].
 *
 * All actions and no price: QMDP (paper, Eq. qmdp).  One action: its blind plan.
 * All actions and the price of asking: always-ask; actions
 * that also pay what they spare: unsure.c.  In a terminal state v is 0: nothing
 * follows, and nobody is asked.
 *
 * In Gauss-Seidel sweeps a state that an action leaves as it is with probability p
 * is solved for itself: x_a = (R - price + discount * sum_{s' != s} T v) / (1 -
 * discount * p) is where staying with a for ever would lead.  w(s) = max_a x_a then
 * has F(w with its own value)(s) = w(s): if x_a <= w(s) then R - price + discount *
 * sum_{s' != s} T v + discount * p * w(s) <= w(s), with equality for the best a.
 * That is the property that fixpoint.c asks for.
 *
 * Cost: one multiplication per non-zero of T and sweep. */
#include "bounds/mdp.h"

#include <float.h>

#include "base/memory.h"
#include "model/model.h"

typedef struct iteration {
  const gli_bound_task *task;
  gli_mdp mdp;
  double *old, *next;
} iteration;

double gli_mdp_rounding(const gli_bound_task *task, double size) {
  return (((double)task->longest + 16) * (DBL_EPSILON / 2) + task->deviation) * size;
}

static double rounding(void *context, double size) {
  const iteration *it = context;
  return gli_mdp_rounding(it->task, size);
}

static double pay(const iteration *it, uint64_t r) {
  double reward = it->task->model->reward[r];
  return it->mdp.spared ? reward + it->mdp.spared[r] : reward;
}

/* Prices that a step may pay or spare. */
static double prices(const gli_bound_task *task, gli_mdp mdp) {
  return mdp.priced ? (mdp.spared ? 2 : 1) * task->price : 0;
}

/* Jacobi: one backup from old values, where no state is terminal. */
static double backup(const iteration *it, uint32_t s) {
  const glimpse_model *model = it->task->model;
  const double *old = it->old;
  double best = -INFINITY;
  for (uint32_t a = it->mdp.first_action; a < it->mdp.last_action; a++) {
    uint64_t r = gli_model_row(model, a, s);
    glimpse_row row = gli_table_row(&model->transition, r);
    double sum = 0;
    for (size_t i = 0; i < row.count; i++) sum += row.value[i] * old[row.index[i]];
    double x = pay(it, r) + model->discount * sum;
    if (x > best) best = x;
  }
  return it->mdp.priced ? best - gli_model_price(model, s) : best;
}

/* Gauss-Seidel: states in [first, first + length) have their newest values in next. */
static double backup_newest(const iteration *it, uint32_t s, uint32_t first, uint32_t length) {
  const glimpse_model *model = it->task->model;
  const double *old = it->old, *next = it->next;
  if (model->terminal[s]) return 0;
  double price = it->mdp.priced ? gli_model_price(model, s) : 0, best = -INFINITY;
  for (uint32_t a = it->mdp.first_action; a < it->mdp.last_action; a++) {
    uint64_t r = gli_model_row(model, a, s);
    glimpse_row row = gli_table_row(&model->transition, r);
    double sum = 0, stay = 0;
    for (size_t i = 0; i < row.count; i++) {
      uint32_t s2 = row.index[i];
      if (s2 == s) stay = row.value[i];
      else sum += row.value[i] * (s2 - first < length ? next : old)[s2];
    }
    double x = pay(it, r) - price + model->discount * sum;
    if (stay > 0) x /= 1 - model->discount * stay;
    if (x > best) best = x;
  }
  return best;
}

static gli_range sweep_block(void *context, gli_sweep sweep, uint32_t first, uint32_t last, unsigned worker) {
  iteration *it = context;
  (void)worker;
  gli_range change = GLI_RANGE_NONE;
  uint32_t length = last - first;
  if (!sweep.jacobi)
    for (uint32_t s = first; s < last; s++) it->next[s] = it->old[s];
  for (uint32_t i = 0; i < length; i++) {
    uint32_t s = sweep.backward ? last - 1 - i : first + i;
    double x = sweep.jacobi ? backup(it, s) : backup_newest(it, s, first, length);
    gli_range_add(&change, x - it->old[s]);
    it->next[s] = x;
  }
  return change;
}

static void turn(void *context) {
  iteration *it = context;
  double *old = it->old;
  it->old = it->next;
  it->next = old;
}

/* Range of F(0): divided by 1 - discount it contains the fixed point, whatever the
 * sweeps have come to; where plans end, so does what they gain or pay, after the first
 * step at the earliest. */
static gli_range trivial(const iteration *it) {
  const glimpse_model *model = it->task->model;
  gli_range range = GLI_RANGE_NONE;
  for (uint32_t s = 0; s < model->states; s++) {
    double best = -INFINITY;
    for (uint32_t a = it->mdp.first_action; a < it->mdp.last_action; a++)
      best = fmax(best, pay(it, gli_model_row(model, a, s)));
    gli_range_add(&range, it->mdp.priced ? best - gli_model_price(model, s) : best);
  }
  gli_range ever = {range.low / (1 - model->discount), range.high / (1 - model->discount)};
  return model->ends ? (gli_range){fmin(range.low, ever.low), fmax(range.high, ever.high)} : ever;
}

/* Moves the values to where they bound the fixed point. */
static void move_outward(iteration *it, int side, const gli_fixpoint_outcome *outcome, glimpse_bound_result *result) {
  const glimpse_model *model = it->task->model;
  gli_range range = trivial(it);
  double size = 0, price = prices(it->task, it->mdp);
  for (uint32_t s = 0; s < model->states; s++) size = fmax(size, fabs(it->old[s]));
  double slack = gli_fixpoint_slack(it->task, gli_mdp_rounding(it->task, size + it->task->reward + price));
  for (uint32_t s = 0; s < model->states; s++) {
    double v = it->old[s];
    v = side > 0 ? fmin(v + outcome->high, range.high) + slack : fmax(v + outcome->low, range.low) - slack;
    it->old[s] = model->terminal[s] ? 0 : v;
  }
  double error = fmin(outcome->high - outcome->low, range.high - range.low);
  *result = (glimpse_bound_result){.converged = outcome->converged,
                                   .iterations = outcome->iterations,
                                   .residual = outcome->residual,
                                   .error = error + 2 * slack};
}

bool gli_mdp_solve(const gli_bound_task *task, gli_mdp mdp, int side, glimpse_bound_result *result, double **value) {
  iteration it = {.task = task, .mdp = mdp};
  it.old = GLI_NEW(double, task->model->states);
  it.next = GLI_NEW(double, task->model->states);
  double step = task->reward + prices(task, mdp);
  gli_operator bellman = {
      &it, step / (1 - task->model->discount), sweep_block, turn, rounding, task->model->states, task->block};
  gli_fixpoint_outcome outcome;
  /* From 0, the value of an end, values spread from where the rewards are, as fast as plans reach them. */
  bool done = it.old && it.next && gli_fixpoint_run(task, &bellman, &outcome);
  if (done) move_outward(&it, side, &outcome, result);
  *value = done ? it.old : NULL;
  gli_memory_free(it.next);
  if (!done) gli_memory_free(it.old);
  return done;
}

uint32_t gli_mdp_best(const glimpse_model *model, const double *value, const double *spared, uint32_t s) {
  double most = -INFINITY;
  uint32_t best = 0;
  for (uint32_t a = 0; a < model->actions; a++) {
    uint64_t r = gli_model_row(model, a, s);
    glimpse_row row = gli_table_row(&model->transition, r);
    double sum = 0;
    for (size_t i = 0; i < row.count; i++) sum += row.value[i] * value[row.index[i]];
    sum = model->reward[r] + (spared ? spared[r] : 0) + model->discount * sum;
    if (sum > most) most = sum, best = a;
  }
  return best;
}

bool gli_mdp_actions(const gli_bound_task *task, glimpse_bound *bound) {
  const glimpse_model *model = task->model;
  double *value = NULL;
  if (!gli_bound_reserve(bound, model->actions) ||
      !gli_mdp_solve(task, (gli_mdp){.last_action = model->actions}, +1, &bound->result, &value))
    return false;
  double size = 0;
  for (uint32_t s = 0; s < model->states; s++) size = fmax(size, fabs(value[s]));
  double slack = gli_mdp_rounding(task, size + task->reward);
  for (uint32_t a = 0; a < model->actions; a++)
    for (uint32_t s = 0; s < model->states; s++) {
      uint64_t r = gli_model_row(model, a, s);
      glimpse_row row = gli_table_row(&model->transition, r);
      double sum = 0;
      for (size_t i = 0; i < row.count; i++) sum += row.value[i] * value[row.index[i]];
      double x = model->reward[r] + model->discount * sum + slack;
      bound->value[(size_t)s * model->actions + a] = model->terminal[s] ? 0 : x;
    }
  bound->result.error += slack;
  bound->known = value;
  bound->work = gli_bound_work(task, bound->result.iterations + 1, GLI_WORK_MDP);
  return true;
}
