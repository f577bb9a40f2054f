/* Always-ask: pay for the state before every action,
 *
 *   alpha(s) = -c(s) + max_a [ R(s,a) + discount * sum_s' T(s'|s,a) alpha(s') ],
 *
 * one vector.  It is the value of a plan, so a lower bound.  In a terminal state nobody is
 * asked: alpha(s) = 0 there.  Where asking is an action, told.c does the same with each inquiry. */
#include <math.h>

#include "base/memory.h"
#include "bounds/mdp.h"
#include "bounds/told.h"
#include "model/model.h"

static bool make(const gli_bound_task *task, const gli_bound_given *given, glimpse_bound *bound) {
  (void)given;
  if (!task->model->requests) return gli_told_make(task, bound);
  double *value;
  if (!gli_mdp_solve(task, (gli_mdp){.last_action = task->model->actions, .priced = true}, -1, &bound->result, &value))
    return false;
  const glimpse_model *model = task->model;
  bound->vectors = 1;
  bound->value = value;
  bound->work = gli_bound_work(task, bound->result.iterations, GLI_WORK_MDP);
  bound->known = GLI_NEW(double, model->states);
  bound->plan = GLI_NEW(gli_plan, 1);
  if (!bound->known || !bound->plan) return false;
  bound->plan[0] = (gli_plan){GLIMPSE_ANY, 0};
  for (uint32_t s = 0; s < model->states; s++)
    bound->known[s] = model->terminal[s] ? 0 : nextafter(value[s] + gli_model_price(model, s), -INFINITY);
  return true;
}

const gli_bound_class gli_bound_class_ALWAYS_ASK = {
    .make = make, .where = GLI_BOUND_WITH_QUESTIONS, .instead = GLIMPSE_BOUND_ALWAYS_ASK, .part = 0.2};
