/* QMDP: the state is known for free after one step (paper, Eq. qmdp),
 *
 *   alpha_a(s) = R(s,a) + discount * sum_s' T(s'|s,a) max_a' alpha_a'(s'),
 *
 * one vector per action.  Knowing more for nothing is worth no less than asking for
 * it at a price, so acting is worth no more than these vectors say, with and without
 * requests.  Only v(s) = max_a alpha_a(s) is iterated; one more backup of its upper
 * bound gives the vectors.
 *
 * With requests they are not enough (the paper's Lemma 1 overlooks it): asking first
 * and acting then is worth up to -c + sum_s b(s) v(s), which for small c is more than
 * any one action promises.  Asking has a vector of its own, as in FIB-SR, and it is
 * that of FIB-SR, because -c(s) + v(s) would be looser than necessary. */
#include "base/memory.h"
#include "bounds/mdp.h"
#include "model/model.h"

static bool make(const gli_bound_task *task, const gli_bound_given *given, glimpse_bound *bound) {
  (void)given;
  if (!task->model->requests) return gli_mdp_actions(task, bound);
  glimpse_bound actions = {.states = bound->states};
  uint32_t count = task->model->actions;
  gli_bound_task first = gli_bound_share(task, 0.5);
  bool done = gli_mdp_actions(&first, &actions) && gli_bound_fib_from(task, &actions, bound);
  for (uint32_t s = 0; done && s < bound->states; s++)
    for (uint32_t a = 0; a < count; a++)
      bound->value[(size_t)s * bound->vectors + a] = actions.value[(size_t)s * count + a];
  if (done) gli_bound_join(&bound->result, &actions.result);
  bound->known = actions.known;
  bound->work += actions.work;
  gli_memory_free(actions.value);
  return done;
}

const gli_bound_class gli_bound_class_QMDP = {.make = make, .part = 0.6, .choice = true};
