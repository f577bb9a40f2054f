/* Task: options with their defaults, shares of the time, counted work, blocks of states, and the numbers behind the
 * rounding slack. */
#include "bounds/task.h"

#include <math.h>

#include "base/clock.h"
#include "base/number.h"
#include "model/model.h"

/* Where the limit is not given: ten times what any model with a discount up to 0.9999 was seen to
 * need; next to 1 some would take years, for a bound that is valid in any case. */
enum { MOST_SWEEPS = 1000000 };

/* Of TIB and SEQUENCE where it is not given; and what counts as the work of a model however small. */
static const double usual_effort = 20, least_work = 4e5;

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

bool gli_bound_task_start(gli_bound_task *task, const glimpse_model *model, const glimpse_bound_options *options,
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
