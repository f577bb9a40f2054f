/* Unsure: always-ask pays before every action, even where what was just observed leaves one state only.  This plan does
 * not.  In a known state s it does a; an observation that only one s' of T(.|s,a) can give makes s' certain, and any
 * other is followed by asking.  With q(s'|s,a), the probability of coming to s' and of being certain of it,
 *
 *   alpha(s) = -c(s) + max_a [ R(s,a) + discount * sum_s' q(s'|s,a) c(s') + discount * sum_s' T(s'|s,a) alpha(s') ]:
 *
 * always-ask, where actions also pay what they spare.  It is the value of a plan, so a lower bound, and never below
 * always-ask.  Where worlds do not move by chance it is exact once the state has been told.
 *
 * Cost: one look at each non-zero of O behind each non-zero of T, at most so many (MOST) for each number of the model;
 * rows for which there are none left spare nothing.  Then one value iteration. */
#include "bounds/unsure.h"

#include <float.h>
#include <math.h>

#include "base/memory.h"
#include "bounds/mdp.h"
#include "model/model.h"

enum { MOST = 16 };

#define MANY UINT32_MAX

typedef struct sparing {
  const gli_bound_task *task;
  double *spared; /* for each row of T */
  uint64_t *seen; /* for each observation: 1 + the last row in which it was possible, */
  uint32_t *only; /* and behind which entry; MANY: behind several */
  uint64_t left;  /* looks */
} sparing;

/* discount * sum_s' q(s') c(s') of one row, rounded down. */
static double spared_by(sparing *it, uint32_t a, uint64_t r) {
  const glimpse_model *model = it->task->model;
  glimpse_row row = gli_table_row(&model->transition, r);
  uint64_t looks = 0;
  for (size_t i = 0; i < row.count; i++) looks += glimpse_model_observation(model, a, row.index[i]).count;
  if (looks > it->left) return 0;
  it->left -= looks;
  for (uint32_t i = 0; i < row.count; i++) {
    glimpse_row after = glimpse_model_observation(model, a, row.index[i]);
    for (size_t k = 0; k < after.count; k++) {
      uint32_t o = after.index[k];
      it->only[o] = it->seen[o] == r + 1 ? MANY : i;
      it->seen[o] = r + 1;
    }
  }
  double sum = 0;
  for (uint32_t i = 0; i < row.count; i++) {
    glimpse_row after = glimpse_model_observation(model, a, row.index[i]);
    double share = 0;
    for (size_t k = 0; k < after.count; k++)
      if (it->only[after.index[k]] == i) share += after.value[k];
    sum += row.value[i] * share * gli_model_price(model, row.index[i]);
  }
  /* every term errs by at most `looks` roundings, and by what the rows are not 1 */
  double faults = ((double)looks + 16) * DBL_EPSILON + 4 * it->task->deviation;
  return fmax(0, model->discount * sum * (1 - faults));
}

/* True: something is spared. */
static bool spare(sparing *it) {
  const glimpse_model *model = it->task->model;
  bool any = false;
  for (uint32_t a = 0; a < model->actions; a++)
    for (uint32_t s = 0; s < model->states; s++) {
      uint64_t r = gli_model_row(model, a, s);
      if (!model->terminal[s]) it->spared[r] = spared_by(it, a, r);
      any = any || it->spared[r] > 0;
    }
  return any;
}

static bool solve(const sparing *it, const glimpse_bound *always_ask, glimpse_bound *bound) {
  const glimpse_model *model = it->task->model;
  bound->known = GLI_NEW(double, model->states);
  bound->first = GLI_NEW(uint32_t, model->states);
  gli_mdp mdp = {0, model->actions, true, it->spared};
  if (!bound->known || !bound->first || !gli_mdp_solve(it->task, mdp, -1, &bound->result, &bound->value)) return false;
  for (uint32_t s = 0; s < model->states; s++) {
    bound->first[s] = gli_mdp_best(model, bound->value, it->spared, s);
    bound->known[s] = model->terminal[s] ? 0 : nextafter(bound->value[s] + gli_model_price(model, s), -INFINITY);
  }
  for (uint32_t s = 0; s < model->states; s++)
    if (always_ask->known[s] > bound->known[s]) {
      bound->first[s] = gli_mdp_best(model, always_ask->value, NULL, s);
      bound->known[s] = always_ask->known[s];
      bound->value[s] = always_ask->value[s];
    }
  return true;
}

bool gli_unsure_make(const gli_bound_task *task, const glimpse_bound *always_ask, glimpse_bound *bound) {
  const glimpse_model *model = task->model;
  uint64_t rows = (uint64_t)model->actions * model->states;
  sparing it = {.task = task, .left = MOST * (model->transition.row[rows] + rows)};
  it.spared = GLI_NEW(double, rows);
  it.seen = GLI_NEW(uint64_t, model->observations);
  it.only = GLI_NEW(uint32_t, model->observations);
  bool done = it.spared && it.seen && it.only;
  if (done && spare(&it)) done = solve(&it, always_ask, bound);
  gli_memory_free(it.spared);
  gli_memory_free(it.seen);
  gli_memory_free(it.only);
  return done;
}
