/* Blind: never ask and always do the same,
 *
 *   alpha_a(s) = R(s,a) + discount * sum_s' T(s'|s,a) alpha_a(s'),
 *
 * one vector per action.  It is the value of a plan, so a lower bound, with and
 * without requests.  The actions have nothing to do with each other and are solved
 * one by one, each until it has converged. */
#include "base/memory.h"
#include "bounds/mdp.h"
#include "model/model.h"

static bool make(const gli_bound_task *task, const gli_bound_given *given, glimpse_bound *bound) {
  (void)given;
  uint32_t actions = task->model->actions;
  bound->plan = GLI_NEW(gli_plan, actions);
  if (!bound->plan || !gli_bound_reserve(bound, actions)) return false;
  bound->result.converged = true;
  for (uint32_t a = 0; a < actions; a++) {
    glimpse_bound_result result;
    double *value;
    gli_bound_task share = gli_bound_share(task, 1.0 / (actions - a));
    if (!gli_mdp_solve(&share, (gli_mdp){.first_action = a, .last_action = a + 1}, -1, &result, &value)) return false;
    for (uint32_t s = 0; s < bound->states; s++) bound->value[(size_t)s * actions + a] = value[s];
    bound->plan[a] = (gli_plan){a, a};
    gli_memory_free(value);
    gli_bound_join(&bound->result, &result);
    bound->work += gli_bound_work(task, result.iterations, GLI_WORK_MDP) / actions;
  }
  return true;
}

const gli_bound_class gli_bound_class_BLIND = {.make = make, .part = 0.1};
