/* Sequence, search: the best string of actions from each known state.
 *
 * N starts at the better of always-ask and blind and only rises.  In each round every state tries all strings up to a
 * length, and behind each of them the string of the state that is then the most likely, so that good strings grow long
 * without all long strings being tried.  A beginning is given up when even knowing the state for free from there on,
 * which QMDP bounds, would not help.  When a round gains little the length grows.  Work is counted and limited: one
 * thread, the same on every machine. */
#include <math.h>

#include "base/clock.h"
#include "base/memory.h"
#include "bounds/mdp.h"
#include "bounds/sequence.h"
#include "model/model.h"

enum { DEEPEST = 6 };

/* Nominal nanoseconds: of a step, of a non-zero of T. */
static const double step_work = 25, entry_work = 3;
/* Work between two looks at the clock. */
static const double look_work = 2e5;

/* -------------------------------------------------------------------- strings */

bool gli_sequence_push(gli_sequence *it, uint32_t j, uint32_t a) {
  const glimpse_model *model = it->task->model;
  const gli_sequence_spread *from = &it->level[j];
  gli_sequence_spread *to = &it->level[j + 1];
  double gained = from->gained, size = from->size;
  size_t read = 0, count = 0;
  if (++it->now == 0) {
    for (uint32_t s = 0; s < model->states; s++) it->stamp[s] = 0;
    it->now = 1;
  }
  for (size_t i = 0; i < from->at.count; i++)
    read += (size_t)(gli_table_row(&model->transition, gli_model_row(model, a, from->at.index[i])).count);
  if (!gli_sparse_reserve(&to->at, read < model->states ? read : model->states)) {
    it->failed = true;
    return false;
  }
  for (size_t i = 0; i < from->at.count; i++) {
    uint64_t r = gli_model_row(model, a, from->at.index[i]);
    glimpse_row row = gli_table_row(&model->transition, r);
    double y = from->at.value[i], part = y * model->reward[r];
    gained += part;
    size += fabs(part);
    y *= model->discount;
    for (size_t k = 0; k < row.count; k++) {
      uint32_t s = row.index[k];
      double p = y * row.value[k];
      if (it->stamp[s] != it->now) {
        it->stamp[s] = it->now;
        to->at.index[count++] = s;
        it->mass[s] = p;
      } else {
        it->mass[s] += p;
      }
    }
  }
  for (size_t i = 0; i < count; i++) to->at.value[i] = it->mass[to->at.index[i]];
  to->at.count = count;
  to->gained = gained;
  to->size = size;
  it->work += step_work + entry_work * (double)read + GLI_SEQUENCE_STATE_WORK * (double)count;
  return true;
}

static double blind_at(const gli_sequence *it, const gli_sparse *at, uint32_t k) {
  double sum = 0;
  for (size_t i = 0; i < at->count; i++)
    sum += at->value[i] * it->blind->value[(size_t)at->index[i] * it->blind->vectors + k];
  return sum;
}

static void keep(gli_sequence *it, uint32_t length, uint32_t end, double value) {
  it->best = value;
  it->length = length;
  it->end = end;
  for (uint32_t i = 0; i < length; i++) it->found[i] = it->path[i];
}

/* Tries to end after j actions.  Could going on be better than the best? */
static bool end_here(gli_sequence *it, uint32_t j) {
  const gli_sequence_spread *here = &it->level[j];
  double gained = here->gained, ask = gained, blind = gained, most = gained;
  for (size_t i = 0; i < here->at.count; i++) {
    const gli_sequence_worth *w = &it->worth[here->at.index[i]];
    double y = here->at.value[i];
    ask += y * w->ask;
    blind += y * w->blind;
    most += y * w->most;
  }
  if (it->always_ask && ask > it->best + it->margin) keep(it, j, GLI_STRING_ASK, ask);
  if (blind > it->best + it->margin)
    for (uint32_t k = 0; k < it->blind->vectors; k++) {
      double value = here->gained + blind_at(it, &here->at, k);
      if (value > it->best + it->margin) keep(it, j, 1 + k, value);
    }
  return most > it->best + it->margin;
}

bool gli_sequence_over(gli_sequence *it) {
  if (!it->late && !isinf(it->deadline) && it->work >= it->look) {
    it->late = gli_clock_now() >= it->deadline;
    it->look = it->work + look_work;
  }
  return it->late || it->failed || it->work >= it->allowance;
}

static bool step(gli_sequence *it, uint32_t j, uint32_t a) {
  it->path[j] = a;
  return !gli_sequence_over(it) && gli_sequence_push(it, j, a) && end_here(it, j + 1);
}

/* Goes on with the string of the state that is the most likely. */
static void follow(gli_sequence *it, uint32_t j) {
  const glimpse_model *model = it->task->model;
  const gli_sparse *at = &it->level[j].at;
  double most = 0;
  uint32_t string = GLI_STRING_ASK;
  for (size_t i = 0; i < at->count; i++) {
    if (!(at->value[i] > most) || model->terminal[at->index[i]]) continue;
    most = at->value[i];
    string = it->string[at->index[i]];
  }
  while (string >= it->strings.ends && j < GLI_SEQUENCE_LONGEST && step(it, j, it->strings.string[string].action)) {
    string = it->strings.string[string].next;
    j++;
  }
}

/* No deeper than GLI_SEQUENCE_LONGEST; NOLINTNEXTLINE(misc-no-recursion) */
static void descend(gli_sequence *it, uint32_t j) {
  if (it->tails) follow(it, j);
  if (j >= it->depth) return;
  for (uint32_t a = 0; a < it->task->model->actions && !gli_sequence_over(it); a++)
    if (step(it, j, a)) descend(it, j + 1);
}

void gli_sequence_stand(gli_sequence *it, uint32_t s) {
  gli_sequence_spread *start = &it->level[0];
  start->at.count = 1;
  start->at.index[0] = s;
  start->at.value[0] = 1;
  start->gained = start->size = 0;
}

static void set_known(gli_sequence *it, uint32_t s, double value) {
  it->known[s] = value;
  it->worth[s].ask = value - gli_model_price(it->task->model, s);
}

/* The best string of a state; returns what it gains. */
static double improve(gli_sequence *it, uint32_t s) {
  double before = it->known[s];
  it->best = before;
  it->length = 0;
  gli_sequence_stand(it, s);
  descend(it, 0);
  if (it->failed || !it->length) return 0;
  uint32_t string = it->end;
  for (uint32_t i = it->length; i-- > 0;)
    if (!gli_strings_add(&it->strings, it->found[i], string, &string)) {
      it->failed = true;
      return 0;
    }
  it->string[s] = string;
  set_known(it, s, it->best);
  return it->best - before;
}

/* --------------------------------------------------------------------- gli_sequence */

/* All states once; *gain is the largest gain.  False: it was stopped. */
static bool go_round(gli_sequence *it, bool backward, double *gain) {
  const glimpse_model *model = it->task->model;
  *gain = 0;
  for (uint32_t i = 0; i < model->states; i++) {
    uint32_t s = backward ? model->states - 1 - i : i;
    if (gli_sequence_over(it)) return false;
    if (model->terminal[s]) continue;
    *gain = fmax(*gain, improve(it, s));
  }
  return !it->failed && !it->late;
}

/* One round of search, and one more that only brings the strings found up to date, at a fraction of the cost. */
static bool go_twice(gli_sequence *it, bool backward, double *gain) {
  uint32_t depth = it->depth;
  double more;
  if (!go_round(it, backward, gain)) return false;
  if (!it->tails) return true;
  it->depth = 0;
  bool whole = go_round(it, backward, &more);
  it->depth = depth;
  return whole;
}

void gli_sequence_run(gli_sequence *it, uint32_t depth, glimpse_bound_result *result) {
  uint32_t deepest = depth ? depth : DEEPEST;
  double little = depth ? it->margin : fmax(it->margin, 1e-3 * it->task->size * (1 - it->task->model->discount));
  it->depth = depth ? depth : 1;
  it->tails = !depth;
  while (!result->converged) {
    bool whole = go_twice(it, result->iterations % 2, &result->residual);
    result->iterations++;
    if (it->work >= it->allowance) result->converged = true; /* there is no limit to come close to */
    if (!whole || result->iterations >= it->task->max_iterations) break;
    if (result->residual > little) continue;
    if (it->depth < deepest) it->depth++;
    else if (!(result->residual > it->margin)) result->converged = true;
  }
}

/* ---------------------------------------------------------------------- start */

/* The better of always-ask and blind. */
static bool begin(gli_sequence *it, uint32_t s) {
  const glimpse_model *model = it->task->model;
  const double *line = it->blind->value + (size_t)s * it->blind->vectors;
  uint32_t best = 0;
  for (uint32_t k = 1; k < it->blind->vectors; k++)
    if (line[k] > line[best]) best = k;
  it->worth[s].blind = line[best];
  it->worth[s].most = it->mdp[s];
  it->string[s] = 1 + best;
  double value = line[best];
  if (it->always_ask && it->always_ask->known[s] > value) {
    value = it->always_ask->known[s];
    best = it->always_ask->first ? it->always_ask->first[s] : gli_mdp_best(model, it->always_ask->value, NULL, s);
    if (!gli_strings_add(&it->strings, best, GLI_STRING_ASK, &it->string[s])) return false;
  }
  if (model->terminal[s]) value = 0;
  it->base[s] = (gli_sequence_base){value, best};
  set_known(it, s, value);
  return true;
}

bool gli_sequence_start(gli_sequence *it) {
  uint32_t states = it->task->model->states;
  it->worth = GLI_NEW(gli_sequence_worth, states);
  it->known = GLI_NEW(double, states);
  it->base = GLI_NEW(gli_sequence_base, states);
  it->string = GLI_NEW(uint32_t, states);
  it->mass = GLI_NEW(double, states);
  it->stamp = GLI_NEW(uint32_t, states);
  if (!it->worth || !it->known || !it->base || !it->string || !it->mass || !it->stamp ||
      !gli_strings_start(&it->strings, it->task->model->actions) || !gli_sparse_reserve(&it->level[0].at, 1))
    return false;
  for (uint32_t s = 0; s < states; s++)
    if (!begin(it, s)) return false;
  it->margin = fmax(it->task->tolerance, gli_mdp_rounding(it->task, 8 * it->task->size));
  return true;
}

void gli_sequence_free(gli_sequence *it) {
  gli_memory_free(it->worth);
  gli_memory_free(it->known);
  gli_memory_free(it->base);
  gli_memory_free(it->string);
  gli_memory_free(it->mass);
  gli_memory_free(it->stamp);
  gli_strings_free(&it->strings);
  for (uint32_t j = 0; j <= GLI_SEQUENCE_LONGEST; j++) gli_sparse_free(&it->level[j].at);
}
