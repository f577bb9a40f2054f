/* Sequence: from a known state do a string of actions, whatever is observed, and then ask or stay blind,
 *
 *   N(s) = max over a1..aj of  sum_i discount^(i-1) R(.,ai)
 *                              + discount^j max{ sum_s' x(s') [N(s') - c(s')], max_k sum_s' x(s') blind_k(s') }
 *
 * where x is where the string leads from s.  It is a plan, so a lower bound; asking at the end leads
 * back to a known state.  (Kapoor and Nair, 2025, study such strings where nothing is observed.)
 *
 * Search.  N starts at the better of always-ask and blind and only rises.  In each round every state tries
 * all strings up to a length, and behind each of them the string of the state that is then the most
 * likely, so that good strings grow long without all long strings being tried.  A beginning is given
 * up when even knowing the state for free from there on, which QMDP bounds, would not help.  When a round
 * gains little the length grows.  Work is counted and limited (gli_bound_allowance): one thread, the
 * same on every machine.
 *
 * Validity does not rest on the search.  At the end each string is evaluated once more.  Strings that
 * end blind are worth what that says, less its rounding error.  For the others let d be the most by which N(s),
 * rounding errors included, is above what its string gives from N: then N - d / (1 - discount) is not above
 * the value of the plan, because the plan's operator takes it to itself or higher.
 *
 * Vectors: the strings that the most states use, with all their endings, over all states, at most 32. */
#include <float.h>
#include <math.h>

#include "base/clock.h"
#include "base/memory.h"
#include "belief/belief.h"
#include "bounds/mdp.h"
#include "bounds/strings.h"
#include "model/model.h"

enum { ASK = 0, LONGEST = 24, DEEPEST = 6, MOST_VECTORS = 32, MOST_NUMBERS = 2 << 20 };

/* Nominal nanoseconds: of a step, of a non-zero of T, of a state that can be reached. */
static const double step_work = 25, entry_work = 3, state_work = 4;
/* Work between two looks at the clock. */
static const double look_work = 2e5;

/* What the end of a string in a state is worth, and at most. */
typedef struct worth {
  double ask, blind, most;
} worth;

/* discount^j times the probability of being in each state. */
typedef struct spread {
  gli_sparse at;
  double gained; /* so far */
  double size;   /* likewise, without signs */
} spread;

typedef struct search {
  const gli_bound_task *task;
  const glimpse_bound *blind, *always_ask; /* the latter NULL without requests */
  const double *mdp;                       /* what a state is worth if it is always known */
  worth *worth;
  double *known; /* N */
  double *base;  /* where it started */
  uint32_t *string;
  gli_strings strings;
  spread level[LONGEST + 1];
  double *mass;
  uint32_t *stamp, now;
  double margin;
  double work, allowance;
  uint32_t depth; /* all strings up to this length are tried */
  bool tails;     /* go on behind them with strings that are known */
  bool failed, late;
  double deadline, look;                  /* when the clock is looked at again, in work */
  uint32_t path[LONGEST], found[LONGEST]; /* the string at hand, and the best so far */
  uint32_t length, end;                   /* of the best; length 0: none */
  double best;
} search;

/* -------------------------------------------------------------------- strings */

/* One more action: level j + 1 from level j. */
static bool push(search *it, uint32_t j, uint32_t a) {
  const glimpse_model *model = it->task->model;
  const spread *from = &it->level[j];
  spread *to = &it->level[j + 1];
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
  it->work += step_work + entry_work * (double)read + state_work * (double)count;
  return true;
}

static double blind_at(const search *it, const gli_sparse *at, uint32_t k) {
  double sum = 0;
  for (size_t i = 0; i < at->count; i++)
    sum += at->value[i] * it->blind->value[(size_t)at->index[i] * it->blind->vectors + k];
  return sum;
}

static void keep(search *it, uint32_t length, uint32_t end, double value) {
  it->best = value;
  it->length = length;
  it->end = end;
  for (uint32_t i = 0; i < length; i++) it->found[i] = it->path[i];
}

/* Tries to end after j actions.  Could going on be better than the best? */
static bool end_here(search *it, uint32_t j) {
  const spread *here = &it->level[j];
  double ask = here->gained, blind = here->gained, most = here->gained;
  for (size_t i = 0; i < here->at.count; i++) {
    const worth *w = &it->worth[here->at.index[i]];
    double y = here->at.value[i];
    ask += y * w->ask;
    blind += y * w->blind;
    most += y * w->most;
  }
  if (it->always_ask && ask > it->best + it->margin) keep(it, j, ASK, ask);
  if (blind > it->best + it->margin)
    for (uint32_t k = 0; k < it->blind->vectors; k++) {
      double value = here->gained + blind_at(it, &here->at, k);
      if (value > it->best + it->margin) keep(it, j, 1 + k, value);
    }
  return most > it->best + it->margin;
}

/* Is the search to end?  The clock is looked at now and then, and only where there is a deadline. */
static bool over(search *it) {
  if (!it->late && !isinf(it->deadline) && it->work >= it->look) {
    it->late = gli_clock_now() >= it->deadline;
    it->look = it->work + look_work;
  }
  return it->late || it->failed || it->work >= it->allowance;
}

static bool step(search *it, uint32_t j, uint32_t a) {
  it->path[j] = a;
  return !over(it) && push(it, j, a) && end_here(it, j + 1);
}

/* Goes on with the string of the state that is the most likely. */
static void follow(search *it, uint32_t j) {
  const glimpse_model *model = it->task->model;
  const gli_sparse *at = &it->level[j].at;
  double most = 0;
  uint32_t string = ASK;
  for (size_t i = 0; i < at->count; i++) {
    if (!(at->value[i] > most) || model->terminal[at->index[i]]) continue;
    most = at->value[i];
    string = it->string[at->index[i]];
  }
  while (string >= it->strings.ends && j < LONGEST && step(it, j, it->strings.string[string].action)) {
    string = it->strings.string[string].next;
    j++;
  }
}

static void descend(search *it, uint32_t j) {
  if (it->tails) follow(it, j);
  if (j >= it->depth) return;
  for (uint32_t a = 0; a < it->task->model->actions && !over(it); a++)
    if (step(it, j, a)) descend(it, j + 1);
}

static void stand_at(search *it, uint32_t s) {
  spread *start = &it->level[0];
  start->at.count = 1;
  start->at.index[0] = s;
  start->at.value[0] = 1;
  start->gained = start->size = 0;
}

static void set_known(search *it, uint32_t s, double value) {
  it->known[s] = value;
  it->worth[s].ask = value - gli_model_price(it->task->model, s);
}

/* The best string of a state; returns what it gains. */
static double improve(search *it, uint32_t s) {
  double before = it->known[s];
  it->best = before;
  it->length = 0;
  stand_at(it, s);
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

/* --------------------------------------------------------------------- search */

/* All states once; *gain is the largest gain.  False: it was stopped. */
static bool go_round(search *it, bool backward, double *gain) {
  const glimpse_model *model = it->task->model;
  *gain = 0;
  for (uint32_t i = 0; i < model->states; i++) {
    uint32_t s = backward ? model->states - 1 - i : i;
    if (over(it)) return false;
    if (model->terminal[s]) continue;
    *gain = fmax(*gain, improve(it, s));
  }
  return !it->failed && !it->late;
}

/* One round of search, and one more that only brings the strings found up to date, at a fraction of the cost. */
static bool go_twice(search *it, bool backward, double *gain) {
  uint32_t depth = it->depth;
  double more;
  if (!go_round(it, backward, gain)) return false;
  if (!it->tails) return true;
  it->depth = 0;
  bool whole = go_round(it, backward, &more);
  it->depth = depth;
  return whole;
}

static void run(search *it, uint32_t depth, glimpse_bound_result *result) {
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

/* The string of a state: what it gives from N as it is, and its rounding error. */
static double evaluate(search *it, uint32_t s, double *error) {
  const glimpse_model *model = it->task->model;
  uint32_t j = 0, string = it->string[s];
  stand_at(it, s);
  for (; string >= it->strings.ends; string = it->strings.string[string].next, j++)
    if (!push(it, j, it->strings.string[string].action)) return 0;
  const spread *end = &it->level[j];
  double value = end->gained, size = end->size, terms = 0;
  for (size_t i = 0; i < end->at.count; i++) {
    uint32_t t = end->at.index[i];
    double last = string == ASK ? it->worth[t].ask : it->blind->value[(size_t)t * it->blind->vectors + string - 1];
    value += end->at.value[i] * last;
    size += end->at.value[i] * (fabs(last) + (string == ASK ? gli_model_price(model, t) : 0));
  }
  for (uint32_t i = 0; i <= j; i++) terms += (double)it->level[i].at.count + (double)it->task->longest + 8;
  *error = (2 * terms * (DBL_EPSILON / 2) + 2 * (j + 1) * it->task->deviation) * size;
  return value;
}

/* Moves N to where it bounds. */
static void make_valid(search *it, glimpse_bound_result *result) {
  const glimpse_model *model = it->task->model;
  double worst = 0, error = 0, discount = model->discount;
  for (int asks = 0; asks < 2; asks++)
    for (uint32_t s = 0; s < model->states && !it->failed; s++) {
      uint32_t end = it->string[s];
      if (model->terminal[s] || end < it->strings.ends) continue;
      while (end >= it->strings.ends) end = it->strings.string[end].next;
      if ((end == ASK) != asks) continue;
      double value = evaluate(it, s, &error);
      if (asks) worst = fmax(worst, it->known[s] - value + error);
      else set_known(it, s, fmax(it->base[s], fmin(it->known[s], value - error)));
    }
  double by = worst / (1 - discount) * (1 + 1e-6);
  for (uint32_t s = 0; s < model->states; s++) {
    uint32_t end = it->string[s];
    if (model->terminal[s] || end < it->strings.ends) continue;
    while (end >= it->strings.ends) end = it->strings.string[end].next;
    if (end == ASK) it->known[s] = fmax(it->base[s], it->known[s] - by);
  }
  /* Stopped early, it may be as far from what it could be as the best plan is. */
  result->error = by;
  for (uint32_t s = 0; s < model->states && !result->converged; s++)
    result->error = fmax(result->error, it->mdp[s] - it->known[s]);
}

/* -------------------------------------------------------------------- vectors */

/* How many states use a string or an ending of it. */
static bool count_uses(const search *it, uint32_t **uses) {
  *uses = GLI_NEW(uint32_t, it->strings.count);
  if (!*uses) return false;
  for (uint32_t s = 0; s < it->task->model->states; s++) {
    if (it->task->model->terminal[s]) continue;
    uint32_t string = it->string[s];
    for (; string >= it->strings.ends; string = it->strings.string[string].next) (*uses)[string]++;
    (*uses)[string]++;
  }
  (*uses)[ASK] = 0; /* it has no vector */
  return true;
}

/* The strings to keep, ascending: an ending has a smaller number than what it ends, and is used as often. */
static uint32_t choose(const search *it, uint32_t *uses, uint32_t *chosen) {
  const glimpse_model *model = it->task->model;
  uint32_t limit = MOST_NUMBERS / model->states, count = 0;
  limit = limit < 4 ? 4 : limit > MOST_VECTORS ? MOST_VECTORS : limit;
  for (uint32_t k = 0; k < model->actions && model->actions <= limit / 2; k++) {
    chosen[count++] = 1 + k;
    uses[1 + k] = 0;
  }
  while (count < limit) {
    uint32_t best = ASK;
    for (uint32_t i = 1; i < it->strings.count; i++)
      if (uses[i] > uses[best]) best = i;
    if (best == ASK) break;
    uses[best] = 0;
    chosen[count++] = best;
  }
  if (!count) chosen[count++] = 1;
  for (uint32_t i = 1; i < count; i++)
    for (uint32_t j = i; j > 0 && chosen[j] < chosen[j - 1]; j--) {
      uint32_t other = chosen[j];
      chosen[j] = chosen[j - 1];
      chosen[j - 1] = other;
    }
  return count;
}

/* The vector of a string from that of its ending: one step, less the rounding error. */
static void fill(const search *it, glimpse_bound *bound, uint32_t k, uint32_t string, uint32_t next) {
  const glimpse_model *model = it->task->model;
  double unit = ((double)it->task->longest + 16) * (DBL_EPSILON / 2) + it->task->deviation;
  for (uint32_t s = 0; s < model->states; s++) {
    double *to = &bound->value[(size_t)s * bound->vectors + k];
    if (string < it->strings.ends) {
      *to = it->blind->value[(size_t)s * it->blind->vectors + string - 1];
      continue;
    }
    uint64_t r = gli_model_row(model, it->strings.string[string].action, s);
    glimpse_row row = gli_table_row(&model->transition, r);
    double sum = 0, size = 0;
    for (size_t i = 0; i < row.count; i++) {
      double x = next == GLI_PLAN_ASK ? bound->asking[row.index[i]]
                                      : bound->value[(size_t)row.index[i] * bound->vectors + next];
      sum += row.value[i] * x;
      size += row.value[i] * fabs(x);
    }
    *to = model->reward[r] + model->discount * sum - unit * (fabs(model->reward[r]) + model->discount * size);
  }
}

static bool make_vectors(search *it, glimpse_bound *bound) {
  uint32_t chosen[MOST_VECTORS], *uses = NULL;
  if (!count_uses(it, &uses)) return false;
  uint32_t count = choose(it, uses, chosen);
  gli_memory_free(uses);
  bound->plan = GLI_NEW(gli_plan, count);
  if (!bound->plan || !gli_bound_reserve(bound, count)) return false;
  for (uint32_t k = 0; k < count; k++) {
    gli_string string = it->strings.string[chosen[k]];
    uint32_t next = k;
    if (chosen[k] >= it->strings.ends && string.next == ASK) next = GLI_PLAN_ASK;
    else if (chosen[k] >= it->strings.ends)
      for (next = 0; chosen[next] != string.next;) next++;
    bound->plan[k] = (gli_plan){string.action, next};
    fill(it, bound, k, chosen[k], next);
  }
  return true;
}

/* ---------------------------------------------------------------------- whole */

/* The better of always-ask and blind. */
static bool begin(search *it, uint32_t s) {
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
    double most = -INFINITY;
    value = it->always_ask->known[s];
    for (uint32_t a = 0; a < model->actions; a++) {
      uint64_t r = gli_model_row(model, a, s);
      glimpse_row row = gli_table_row(&model->transition, r);
      double sum = 0;
      for (size_t i = 0; i < row.count; i++) sum += row.value[i] * it->always_ask->value[row.index[i]];
      sum = model->reward[r] + model->discount * sum;
      if (sum > most) most = sum, best = a;
    }
    if (!gli_strings_add(&it->strings, best, ASK, &it->string[s])) return false;
  }
  if (model->terminal[s]) value = 0;
  it->base[s] = value;
  set_known(it, s, value);
  return true;
}

static bool search_start(search *it) {
  uint32_t states = it->task->model->states;
  it->worth = GLI_NEW(worth, states);
  it->known = GLI_NEW(double, states);
  it->base = GLI_NEW(double, states);
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

static void search_free(search *it) {
  gli_memory_free(it->worth);
  gli_memory_free(it->known);
  gli_memory_free(it->base);
  gli_memory_free(it->string);
  gli_memory_free(it->mass);
  gli_memory_free(it->stamp);
  gli_strings_free(&it->strings);
  for (uint32_t j = 0; j <= LONGEST; j++) gli_sparse_free(&it->level[j].at);
}

/* N, and what asking is then worth: not below always-ask. */
static bool finish(search *it, glimpse_bound *bound) {
  const glimpse_model *model = it->task->model;
  bound->known = it->known;
  it->known = NULL;
  if (!it->always_ask) return true;
  bound->asking = GLI_NEW(double, model->states);
  for (uint32_t s = 0; bound->asking && s < model->states; s++)
    bound->asking[s] =
        fmax(it->always_ask->value[s], nextafter(bound->known[s] - gli_model_price(model, s), -INFINITY));
  return bound->asking != NULL;
}

static bool solve(const gli_bound_task *task, search *it, uint32_t depth, double before, glimpse_bound *bound) {
  /* Some is left for the evaluation and for the vectors.  Where others share their work out to threads,
   * which this does not, it has less: by the size of the model, for results must not depend on threads. */
  it->allowance = gli_bound_allowance(task, before) * (task->block < task->model->states ? 0.35 : 0.7);
  it->deadline = gli_bound_share(task, 0.5).deadline;
  if (!search_start(it)) return false;
  run(it, depth, &bound->result);
  if (!it->failed) make_valid(it, &bound->result);
  bound->work = it->work;
  return !it->failed && finish(it, bound) && make_vectors(it, bound);
}

/* What it starts from and was not given. */
typedef struct start {
  glimpse_bound blind, ask;
  double *mdp;
} start;

static bool find_start(search *it, const gli_bound_given *given, start *own, double *before) {
  const glimpse_model *model = it->task->model;
  gli_bound_task share = gli_bound_share(it->task, 0.3);
  own->blind.states = own->ask.states = model->states;
  if (given->upper) {
    it->mdp = given->upper->known;
    *before += given->upper->work;
  } else {
    glimpse_bound_result result;
    if (!gli_mdp_solve(&share, (gli_mdp){0, model->actions, false}, +1, &result, &own->mdp)) return false;
    it->mdp = own->mdp;
    *before += gli_bound_work(it->task, result.iterations, GLI_WORK_MDP);
  }
  share = gli_bound_share(it->task, 0.3);
  if (!given->blind && !gli_bound_blind(&share, &own->blind)) return false;
  it->blind = given->blind ? given->blind : &own->blind;
  *before += it->blind->work;
  if (!model->requests) return true;
  share = gli_bound_share(it->task, 0.3);
  if (!given->always_ask && !gli_bound_always_ask(&share, &own->ask)) return false;
  it->always_ask = given->always_ask ? given->always_ask : &own->ask;
  *before += it->always_ask->work;
  return true;
}

bool gli_bound_sequence(const gli_bound_task *task, const gli_bound_given *given, glimpse_bound *bound) {
  search it = {.task = task};
  start own = {0};
  double before = 0;
  bool done = find_start(&it, given, &own, &before) && solve(task, &it, given->depth, before, bound);
  search_free(&it);
  gli_memory_free(own.mdp);
  gli_memory_free(own.blind.value);
  gli_memory_free(own.ask.value);
  gli_memory_free(own.ask.known);
  return done;
}
