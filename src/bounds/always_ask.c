/* Always-ask: pay for the state before every action,
 *
 *   alpha(s) = -c(s) + max_a [ R(s,a) + discount * sum_s' T(s'|s,a) alpha(s') ],
 *
 * one vector.  It is the value of a plan, so a lower bound.  In a terminal state nobody is
 * asked: alpha(s) = 0 there. */
#include <math.h>

#include "base/memory.h"
#include "bounds/mdp.h"
#include "model/model.h"

bool gli_bound_always_ask(const gli_bound_task *task, glimpse_bound *bound) {
  double *value;
  if (!gli_mdp_solve(task, (gli_mdp){0, task->model->actions, true}, -1, &bound->result, &value)) return false;
  const glimpse_model *model = task->model;
  bound->vectors = 1;
  bound->value = value;
  bound->work = gli_bound_work(task, bound->result.iterations, GLI_WORK_MDP);
  bound->known = GLI_NEW(double, model->states);
  if (!bound->known) return false;
  for (uint32_t s = 0; s < model->states; s++)
    bound->known[s] = model->terminal[s] ? 0 : nextafter(value[s] + gli_model_price(model, s), -INFINITY);
  return true;
}
