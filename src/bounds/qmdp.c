/* QMDP: the state is known for free after one step (paper, Eq. qmdp),
 *
 *   alpha_a(s) = R(s,a) + discount * sum_s' T(s'|s,a) max_a' alpha_a'(s'),
 *
 * one vector per action.  Knowing more for nothing is worth no less than asking for
 * it at a price, so this is an upper bound, with and without requests.
 *
 * Only v(s) = max_a alpha_a(s) is iterated; one more backup of its upper bound
 * gives the vectors. */
#include "base/memory.h"
#include "bounds/mdp.h"
#include "model/model.h"

bool gli_bound_qmdp(const gli_bound_task *task, glimpse_bound *bound) {
  const glimpse_model *model = task->model;
  double *value = NULL;
  if (!gli_bound_reserve(bound, model->actions) ||
      !gli_mdp_solve(task, (gli_mdp){0, model->actions, false}, +1, &bound->result, &value))
    return false;
  double size = 0;
  for (uint32_t s = 0; s < model->states; s++) size = fmax(size, fabs(value[s]));
  double slack = gli_mdp_rounding(task, size + task->step);
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
  gli_memory_free(value);
  return true;
}
