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
 * Vectors: a bounded set of strings with all their endings, over all states.  Of those that are used the most,
 * strings are given up one by one, the one without which likely states lose the least.
 *
 * Validity does not rest on the search: N and the vectors are made anew from those that are kept, for a
 * lower bound must not outlive its plan.  N starts at the better of always-ask and blind.  Each vector is
 * renewed from what it goes on with, its rounding error taken off, and N is raised to it.  Numbers only
 * rise, so each is supported by those that are stored, whenever this ends: they satisfy u <= G(u) for the
 * operator G of the plan, and are not above its value. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "belief/belief.h"
#include "bounds/mdp.h"
#include "bounds/strings.h"
#include "model/model.h"

enum { ASK = 0, LONGEST = 24, DEEPEST = 6, FEW_STRINGS = 4, RENEWALS = 5 };
enum { FEW_VECTORS = 24, SOME_VECTORS = 32, MOST_VECTORS = 128, MOST_CANDIDATES = 512 };
enum { USUAL_NUMBERS = 1 << 19, MOST_NUMBERS = 2 << 20 };

/* Nominal nanoseconds: of a step, of a non-zero of T, of a state that can be reached. */
static const double step_work = 25, entry_work = 3, state_work = 4;
/* Work between two looks at the clock. */
static const double look_work = 2e5;
/* Of the work that is allowed: when the search ends, when states are weighed, and when strings are chosen. */
static const double search_part = 0.3, weights_part = 0.35, candidates_part = 0.45;
/* How much the value at the start counts in the choice. */
static const double start_weight = 1;

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

typedef struct base { /* of a state: what is known of it without strings, and how that begins */
  double value;
  uint32_t action;
} base;

typedef struct search {
  const gli_bound_task *task;
  const glimpse_bound *blind, *always_ask; /* the latter NULL without requests */
  const double *mdp;                       /* what a state is worth if it is always known */
  worth *worth;
  double *known; /* N */
  base *base;    /* where it started */
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
  double gained = here->gained, ask = gained, blind = gained, most = gained;
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

/* No deeper than LONGEST; NOLINTNEXTLINE(misc-no-recursion) */
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

/* ------------------------------------------------------------------- candidates */

/* A string that is kept or may be. */
typedef struct item {
  uint32_t string;
  uint32_t next;    /* item that follows, itself if blind, or GLI_PLAN_ASK */
  uint32_t above;   /* items that go on with it */
  bool fixed, gone; /* stays; was given up */
  double use, loss; /* how likely it is used; what its states would lose without it */
} item;

typedef struct pool {
  item *item;
  uint32_t count, limit; /* limit: on what is kept */
  double *table;         /* table[i * states + s] */
  double *weight;        /* of states */
} pool;

/* Where the strings lead from states that are so likely. */
static void lead(search *it, const double *weight, double *later) {
  const glimpse_model *model = it->task->model;
  for (uint32_t s = 0; s < model->states && !over(it); s++) {
    uint32_t j = 0, string = it->string[s];
    if (model->terminal[s]) continue;
    stand_at(it, s);
    for (; string >= it->strings.ends; string = it->strings.string[string].next, j++)
      if (!push(it, j, it->strings.string[string].action)) return;
    const gli_sparse *end = &it->level[j].at;
    for (size_t i = 0; i < end->count && string == ASK; i++) later[end->index[i]] += weight[s] * end->value[i];
  }
}

/* How likely a state is: from the start or from anywhere, and after a few strings. */
static bool weigh(search *it, pool *all) {
  const glimpse_model *model = it->task->model;
  glimpse_row start = glimpse_model_start(model);
  double *weight = all->weight = GLI_NEW(double, model->states + 1), *later = GLI_NEW(double, model->states);
  for (int turn = 0; weight && later && turn <= FEW_STRINGS && !(turn && over(it)); turn++) {
    if (turn) lead(it, weight, later);
    for (uint32_t s = 0; s < model->states; s++) {
      weight[s] = model->terminal[s] ? 0 : later[s] + 1.0 / model->states;
      later[s] = 0;
    }
    for (size_t i = 0; i < start.count; i++)
      if (!model->terminal[start.index[i]]) weight[start.index[i]] += start.value[i];
  }
  bool done = weight && later && !it->failed;
  if (done) weight[model->states] = start_weight; /* the start itself, where nobody has asked yet */
  gli_memory_free(later);
  return done;
}

static double work_of_step(const search *it, uint32_t a) {
  const glimpse_model *model = it->task->model;
  const uint64_t *row = model->transition.row;
  uint64_t first = gli_model_row(model, a, 0);
  return GLI_WORK_MDP * (double)(row[first + model->states] - row[first]) + state_work * (double)model->states;
}

/* Of an item with an action like most. */
static double work_of_item(const search *it) {
  const glimpse_model *model = it->task->model;
  return gli_bound_work(it->task, 1, GLI_WORK_MDP) / model->actions + state_work * model->states;
}

static int by_use(const void *left, const void *right) {
  const item *l = left, *r = right;
  if (l->use != r->use) return l->use > r->use ? -1 : 1;
  return (l->string > r->string) - (l->string < r->string);
}

static int by_string(const void *left, const void *right) {
  const item *l = left, *r = right;
  return (l->string > r->string) - (l->string < r->string);
}

/* All strings in use and their endings; an ending is used at least as often, bit by bit, as what it ends. */
static bool list(search *it, pool *all) {
  const glimpse_model *model = it->task->model;
  bool few = model->actions <= all->limit / 2;
  for (uint32_t a = 0, made; few && it->always_ask && a < model->actions; a++)
    if (!gli_strings_add(&it->strings, a, ASK, &made)) return false;
  double *use = GLI_NEW(double, it->strings.count);
  all->item = GLI_NEW(item, it->strings.count);
  if (!use || !all->item) {
    gli_memory_free(use);
    return false;
  }
  for (uint32_t s = 0; s < model->states; s++) {
    if (model->terminal[s]) continue;
    uint32_t string = it->string[s];
    for (; string >= it->strings.ends; string = it->strings.string[string].next) use[string] += all->weight[s];
    use[string] += all->weight[s];
  }
  for (uint32_t i = 1; i < it->strings.count; i++) {
    bool blind = i < it->strings.ends, single = !blind && it->strings.string[i].next == ASK;
    if (few && (blind || single)) use[i] = INFINITY; /* whatever else is kept, these help in every state */
    if (use[i] > 0) all->item[all->count++] = (item){.string = i, .use = use[i], .fixed = few && blind};
  }
  if (!all->count) all->item[all->count++] = (item){.string = 1};
  gli_memory_free(use);
  return true;
}

/* Those used the most, as many as there is work for, in the order of their numbers: endings come first. */
static void shorten(search *it, pool *all) {
  const glimpse_model *model = it->task->model;
  double each = work_of_item(it) + 2 * state_work * model->states;
  uint32_t numbers = MOST_NUMBERS / model->states;
  double room = fmin(numbers, MOST_CANDIDATES);
  uint32_t most = (uint32_t)fmax(all->limit, fmin(room, (it->allowance - it->work) / each));
  qsort(all->item, all->count, sizeof *all->item, by_use);
  if (all->count > most) all->count = most;
  qsort(all->item, all->count, sizeof *all->item, by_string);
}

/* What follows each item, after some were given up. */
static void link_up(const search *it, pool *all) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < all->count; i++)
    if (!all->item[i].gone) all->item[count++] = all->item[i];
  all->count = count;
  for (uint32_t i = 0; i < count; i++) {
    item *the = &all->item[i];
    gli_string string = it->strings.string[the->string];
    the->above = 0;
    the->next = i;
    if (the->string < it->strings.ends) continue;
    item wanted = {.string = string.next};
    const item *next = bsearch(&wanted, all->item, i, sizeof wanted, by_string);
    the->next = next ? (uint32_t)(next - all->item) : GLI_PLAN_ASK;
    if (next) all->item[the->next].above++;
  }
}

/* ----------------------------------------------------------------------- choice */

/* One action in a state, then what the state that follows is worth; less so much of all sizes. */
static double one_step(const glimpse_model *model, uint32_t a, uint32_t s, const double *then, double unit) {
  uint64_t r = gli_model_row(model, a, s);
  glimpse_row row = gli_table_row(&model->transition, r);
  double sum = 0, size = 0;
  for (size_t i = 0; i < row.count; i++) {
    double x = then[row.index[i]];
    sum += row.value[i] * x;
    size += row.value[i] * fabs(x);
  }
  return model->reward[r] + model->discount * sum - unit * (fabs(model->reward[r]) + model->discount * size);
}

static void copy_blind(const search *it, const item *the, double *line) {
  for (uint32_t s = 0; s < it->task->model->states; s++)
    line[s] = it->blind->value[(size_t)s * it->blind->vectors + the->string - 1];
}

/* What all candidates are worth where N is what the search has found, in all states and at the start. */
static void value_all(search *it, pool *all, const double *asking) {
  const glimpse_model *model = it->task->model;
  glimpse_row start = glimpse_model_start(model);
  size_t width = (size_t)model->states + 1;
  for (uint32_t i = 0; i < all->count; i++) {
    const item *the = &all->item[i];
    double *line = all->table + i * width;
    const double *then = the->next == GLI_PLAN_ASK ? asking : all->table + the->next * width;
    uint32_t a = it->strings.string[the->string].action;
    if (the->next == i) copy_blind(it, the, line);
    for (uint32_t s = 0; s < model->states && the->next != i; s++) line[s] = one_step(model, a, s, then, 0);
    line[model->states] = 0;
    for (size_t k = 0; k < start.count; k++) line[model->states] += start.value[k] * line[start.index[k]];
    it->work += work_of_step(it, a);
  }
}

/* The two best items of a state. */
typedef struct pair {
  uint32_t first, second;
  double most, more;
} pair;

static void add_to_pair(pair *two, uint32_t i, double value) {
  if (value > two->most) {
    *two = (pair){i, two->first, value, two->most};
  } else if (value > two->more) {
    two->second = i;
    two->more = value;
  }
}

/* What the best item of a state is needed for there is added to it. */
static void add_loss(pool *all, const pair *two, uint32_t s, double sign) {
  if (two->first < all->count) all->item[two->first].loss += sign * all->weight[s] * (two->most - two->more);
}

static void find_pair(const search *it, pool *all, const double *without, pair *two, uint32_t s) {
  *two = (pair){all->count, all->count, without[s], without[s]};
  for (uint32_t i = 0; i < all->count; i++)
    if (!all->item[i].gone) add_to_pair(two, i, all->table[i * ((size_t)it->task->model->states + 1) + s]);
  add_loss(all, two, s, +1);
}

static void give_up(search *it, pool *all, const double *without, pair *two, uint32_t which) {
  uint32_t width = it->task->model->states + 1;
  all->item[which].gone = true;
  if (all->item[which].next < which) all->item[all->item[which].next].above--;
  for (uint32_t s = 0; s < width; s++) {
    if (two[s].first != which && two[s].second != which) continue;
    add_loss(all, &two[s], s, -1);
    find_pair(it, all, without, &two[s], s);
    it->work += all->count;
  }
  it->work += width;
}

/* The string that no other goes on with and without which the states lose the least. */
static uint32_t least_of(const pool *all) {
  uint32_t least = all->count;
  for (uint32_t i = 0; i < all->count; i++) {
    const item *the = &all->item[i];
    if (the->gone || the->fixed || the->above) continue;
    if (least == all->count || the->loss <= all->item[least].loss) least = i;
  }
  return least;
}

/* What is there without any string, in all states and at the start, and what asking is worth. */
static void look_without(const search *it, double *without, double *asking) {
  const glimpse_model *model = it->task->model;
  glimpse_row start = glimpse_model_start(model);
  double ask = 0;
  for (uint32_t s = 0; s < model->states; s++) {
    asking[s] = it->worth[s].ask;
    without[s] = it->base[s].value;
  }
  for (size_t i = 0; i < start.count; i++) ask += start.value[i] * asking[start.index[i]];
  without[model->states] = it->always_ask ? ask : -it->task->size;
}

/* Gives strings up, one by one, until so many are left as may be kept. */
static bool choose(search *it, pool *all) {
  if (all->count <= all->limit) return true;
  uint32_t width = it->task->model->states + 1;
  double *asking = GLI_NEW(double, width), *without = GLI_NEW(double, width);
  pair *two = GLI_NEW(pair, width);
  all->table = GLI_NEW(double, (size_t)all->count *width);
  bool done = asking && without && two && all->table;
  if (done) {
    look_without(it, without, asking);
    value_all(it, all, asking);
    for (uint32_t s = 0; s < width; s++) find_pair(it, all, without, &two[s], s);
    for (uint32_t left = all->count; left > all->limit; left--) give_up(it, all, without, two, least_of(all));
    link_up(it, all);
  }
  gli_memory_free(asking);
  gli_memory_free(without);
  gli_memory_free(two);
  gli_memory_free(all->table);
  all->table = NULL;
  return done;
}

/* ---------------------------------------------------------------------- vectors */

static void raise_known(const search *it, glimpse_bound *bound, uint32_t s, double value, uint32_t action) {
  bound->known[s] = value;
  bound->first[s] = action;
  if (bound->asking)
    bound->asking[s] =
        fmax(it->always_ask->value[s], nextafter(value - gli_model_price(it->task->model, s), -INFINITY));
}

/* One vector again, from what it goes on with; what is better than N raises it.  Returns the largest gain. */
static double renew(search *it, const pool *all, uint32_t i, bool backward, glimpse_bound *bound) {
  const glimpse_model *model = it->task->model;
  const item *the = &all->item[i];
  double unit = ((double)it->task->longest + 16) * (DBL_EPSILON / 2) + it->task->deviation, gain = 0;
  double *line = all->table + (size_t)i * model->states;
  const double *then = the->next == GLI_PLAN_ASK ? bound->asking : all->table + (size_t)the->next * model->states;
  uint32_t a = it->strings.string[the->string].action;
  for (uint32_t k = 0; k < model->states; k++) {
    uint32_t s = backward ? model->states - 1 - k : k;
    double value = one_step(model, a, s, then, unit);
    if (!(value > line[s])) continue;
    gain = fmax(gain, value - line[s]);
    line[s] = value;
    if (value > bound->known[s]) raise_known(it, bound, s, value, a);
  }
  it->work += work_of_step(it, a);
  return gain;
}

/* N and the vectors from below, each number from others that only rise later: whenever it ends, each is
 * supported by those that are there then. */
static void support(search *it, pool *all, uint32_t depth, glimpse_bound *bound) {
  const glimpse_model *model = it->task->model;
  double gain = INFINITY;
  bool late = false;
  for (uint32_t s = 0; s < model->states; s++) raise_known(it, bound, s, it->base[s].value, it->base[s].action);
  for (uint32_t i = 0; i < all->count; i++) {
    double *line = all->table + (size_t)i * model->states;
    for (uint32_t s = 0; s < model->states; s++) line[s] = -INFINITY;
    if (all->item[i].next == i) copy_blind(it, &all->item[i], line);
  }
  double little = depth ? it->margin : fmax(it->margin, 1e-6 * it->task->size * (1 - model->discount));
  for (uint64_t round = 0; gain > little && round < it->task->max_iterations; round++) {
    gain = 0;
    for (uint32_t i = 0; i < all->count && !late; i++) {
      if (all->item[i].next != i) gain = fmax(gain, renew(it, all, i, round % 2, bound));
      late = round > 0 && over(it);
    }
    if (late || over(it)) {
      late = late || !isfinite(gain);
      break;
    }
  }
  glimpse_bound_result *result = &bound->result;
  if (it->late || (gain > little && it->work < it->allowance)) result->converged = false;
  result->error = 0;
  if (!late && result->converged)
    result->error = (gain + gli_mdp_rounding(it->task, 4 * it->task->size)) / (1 - model->discount);
  else /* stopped early, it may be as far from what it could be as the best plan is */
    for (uint32_t s = 0; s < model->states; s++) result->error = fmax(result->error, it->mdp[s] - bound->known[s]);
}

static bool store(const search *it, const pool *all, glimpse_bound *bound) {
  uint32_t states = it->task->model->states, count = all->count;
  bound->plan = GLI_NEW(gli_plan, count);
  if (!bound->plan || !gli_bound_reserve(bound, count)) return false;
  for (uint32_t i = 0; i < count; i++)
    bound->plan[i] = (gli_plan){it->strings.string[all->item[i].string].action, all->item[i].next};
  for (uint32_t s = 0; s < states; s++)
    for (uint32_t i = 0; i < count; i++) bound->value[(size_t)s * count + i] = all->table[(size_t)i * states + s];
  return true;
}

/* How many vectors: more where there are few states, but not more than can be renewed a few times; with a
 * depth all. */
static uint32_t limit_of(const search *it, uint32_t depth, double work) {
  uint32_t states = it->task->model->states;
  uint32_t room = MOST_NUMBERS / states < 4 ? 4 : MOST_NUMBERS / states;
  if (depth) return room;
  uint32_t usual = USUAL_NUMBERS / states;
  double most = fmin(fmax(usual, SOME_VECTORS), MOST_VECTORS);
  most = fmin(most, fmax(work / (RENEWALS * work_of_item(it)), FEW_VECTORS));
  return room < most ? room : (uint32_t)most;
}

static bool make_vectors(search *it, uint32_t depth, double allowance, glimpse_bound *bound) {
  const glimpse_model *model = it->task->model;
  pool all = {0};
  it->allowance = weights_part * allowance;
  bool done = weigh(it, &all);
  all.limit = limit_of(it, depth, allowance - it->work);
  done = done && list(it, &all);
  it->allowance = candidates_part * allowance;
  if (done) {
    shorten(it, &all);
    link_up(it, &all);
    done = choose(it, &all);
  }
  bound->known = GLI_NEW(double, model->states);
  bound->first = GLI_NEW(uint32_t, model->states);
  if (it->always_ask) bound->asking = GLI_NEW(double, model->states);
  if (done) all.table = GLI_NEW(double, (size_t)all.count * model->states);
  done = done && all.table && bound->known && bound->first && (bound->asking || !it->always_ask);
  if (done) {
    it->allowance = allowance;
    support(it, &all, depth, bound);
    done = store(it, &all, bound);
  }
  gli_memory_free(all.item);
  gli_memory_free(all.table);
  gli_memory_free(all.weight);
  return done;
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
  it->base[s] = (base){value, best};
  set_known(it, s, value);
  return true;
}

static bool search_start(search *it) {
  uint32_t states = it->task->model->states;
  it->worth = GLI_NEW(worth, states);
  it->known = GLI_NEW(double, states);
  it->base = GLI_NEW(base, states);
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

static bool solve(const gli_bound_task *task, search *it, uint32_t depth, double before, glimpse_bound *bound) {
  /* Where others share their work out to threads, which this does not, it has less: by the size of the model,
   * for results must not depend on threads. */
  double allowance = gli_bound_allowance(task, before) * (task->block < task->model->states ? 0.5 : 1);
  it->allowance = search_part * allowance;
  it->deadline = gli_bound_share(task, 0.5).deadline;
  if (!search_start(it)) return false;
  run(it, depth, &bound->result);
  it->late = false;
  it->deadline = gli_bound_share(task, 0.9).deadline;
  bool done = !it->failed && make_vectors(it, depth, allowance, bound);
  bound->work = it->work;
  return done;
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
