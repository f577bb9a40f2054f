/* Sequence: from a known state do a string of actions, whatever is observed, and then ask or stay blind,
 *
 *   N(s) = max over a1..aj of  sum_i discount^(i-1) R(.,ai)
 *                              + discount^j max{ sum_s' x(s') [N(s') - c(s')], max_k sum_s' x(s') blind_k(s') }
 *
 * where x is where the string leads from s.  It is a plan, so a lower bound; asking at the end leads
 * back to a known state.  (Kapoor and Nair, 2025, study such strings where nothing is observed.)
 *
 * sequence_search.c looks for the strings.  Its work and the work here are counted and limited (gli_bound_allowance).
 *
 * Vectors: a bounded set of strings with all their endings, over all states.  Of those that are used the most,
 * strings are given up one by one, the one without which likely states lose the least.
 *
 * Validity does not rest on the search: N and the vectors are made anew from those that are kept, because a
 * lower bound must not outlive its plan.  N starts at the better of always-ask and blind.  Each vector is
 * renewed from what it goes on with, its rounding error taken off, and N is raised to it.  Numbers only
 * rise, so each is supported by those that are stored, whenever this ends: they satisfy u <= G(u) for the
 * operator G of the plan, and are not above its value. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "bounds/mdp.h"
#include "bounds/sequence.h"
#include "bounds/unsure.h"
#include "model/model.h"

enum { FEW_STRINGS = 4, RENEWALS = 5 };
enum { FEW_VECTORS = 24, SOME_VECTORS = 32, MOST_VECTORS = 128, MOST_CANDIDATES = 512 };
enum { USUAL_NUMBERS = 1 << 19, MOST_NUMBERS = 2 << 20 };

/* Of the work that is allowed: when the search ends, when states are weighed, and when strings are chosen. */
static const double search_part = 0.3, weights_part = 0.35, candidates_part = 0.45;
/* How much the value at the start counts in the choice. */
static const double start_weight = 1;

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
static void lead(gli_sequence *it, const double *weight, double *later) {
  const glimpse_model *model = it->task->model;
  for (uint32_t s = 0; s < model->states && !gli_sequence_over(it); s++) {
    uint32_t j = 0, string = it->string[s];
    if (model->terminal[s]) continue;
    gli_sequence_stand(it, s);
    for (; string >= it->strings.ends; string = it->strings.string[string].next, j++)
      if (!gli_sequence_push(it, j, it->strings.string[string].action)) return;
    const gli_sparse *end = &it->level[j].at;
    for (size_t i = 0; i < end->count && string == GLI_STRING_ASK; i++)
      later[end->index[i]] += weight[s] * end->value[i];
  }
}

/* How likely a state is: from the start or from anywhere, and after a few strings. */
static bool weigh(gli_sequence *it, pool *all) {
  const glimpse_model *model = it->task->model;
  glimpse_row start = glimpse_model_start(model);
  double *weight = all->weight = GLI_NEW(double, model->states + 1), *later = GLI_NEW(double, model->states);
  for (int turn = 0; weight && later && turn <= FEW_STRINGS && !(turn && gli_sequence_over(it)); turn++) {
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

static double work_of_step(const gli_sequence *it, uint32_t a) {
  const glimpse_model *model = it->task->model;
  const uint64_t *row = model->transition.row;
  uint64_t first = gli_model_row(model, a, 0);
  return GLI_WORK_MDP * (double)(row[first + model->states] - row[first]) +
         GLI_SEQUENCE_STATE_WORK * (double)model->states;
}

/* Of an item with an action like most. */
static double work_of_item(const gli_sequence *it) {
  const glimpse_model *model = it->task->model;
  return gli_bound_work(it->task, 1, GLI_WORK_MDP) / model->actions + GLI_SEQUENCE_STATE_WORK * model->states;
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
static bool list(gli_sequence *it, pool *all) {
  const glimpse_model *model = it->task->model;
  bool few = model->actions <= all->limit / 2;
  for (uint32_t a = 0, made; few && it->always_ask && a < model->actions; a++)
    if (!gli_strings_add(&it->strings, a, GLI_STRING_ASK, &made)) return false;
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
    bool blind = i < it->strings.ends, single = !blind && it->strings.string[i].next == GLI_STRING_ASK;
    if (few && (blind || single)) use[i] = INFINITY; /* whatever else is kept, these help in every state */
    if (use[i] > 0) all->item[all->count++] = (item){.string = i, .use = use[i], .fixed = few && blind};
  }
  if (!all->count) all->item[all->count++] = (item){.string = 1};
  gli_memory_free(use);
  return true;
}

/* Those used the most, as many as there is work for, in the order of their numbers: endings come first. */
static void shorten(gli_sequence *it, pool *all) {
  const glimpse_model *model = it->task->model;
  double each = work_of_item(it) + 2 * GLI_SEQUENCE_STATE_WORK * model->states;
  uint32_t numbers = MOST_NUMBERS / model->states;
  double room = fmin(numbers, MOST_CANDIDATES);
  uint32_t most = (uint32_t)fmax(all->limit, fmin(room, (it->allowance - it->work) / each));
  qsort(all->item, all->count, sizeof *all->item, by_use);
  if (all->count > most) all->count = most;
  qsort(all->item, all->count, sizeof *all->item, by_string);
}

/* What follows each item, after some were given up. */
static void link_up(const gli_sequence *it, pool *all) {
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

static void copy_blind(const gli_sequence *it, const item *the, double *line) {
  for (uint32_t s = 0; s < it->task->model->states; s++)
    line[s] = it->blind->value[(size_t)s * it->blind->vectors + the->string - 1];
}

/* What all candidates are worth where N is what the search has found, in all states and at the start. */
static void value_all(gli_sequence *it, pool *all, const double *asking) {
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

static void find_pair(const gli_sequence *it, pool *all, const double *without, pair *two, uint32_t s) {
  *two = (pair){all->count, all->count, without[s], without[s]};
  for (uint32_t i = 0; i < all->count; i++)
    if (!all->item[i].gone) add_to_pair(two, i, all->table[i * ((size_t)it->task->model->states + 1) + s]);
  add_loss(all, two, s, +1);
}

static void give_up(gli_sequence *it, pool *all, const double *without, pair *two, uint32_t which) {
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
static void look_without(const gli_sequence *it, double *without, double *asking) {
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
static bool choose(gli_sequence *it, pool *all) {
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

static void raise_known(const gli_sequence *it, glimpse_bound *bound, uint32_t s, double value, uint32_t action) {
  bound->known[s] = value;
  bound->first[s] = action;
  if (bound->asking)
    bound->asking[s] =
        fmax(it->always_ask->value[s], nextafter(value - gli_model_price(it->task->model, s), -INFINITY));
}

/* One vector again, from what it goes on with; what is better than N raises it.  Returns the largest gain. */
static double renew(gli_sequence *it, const pool *all, uint32_t i, bool backward, glimpse_bound *bound) {
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
static void support(gli_sequence *it, pool *all, uint32_t depth, glimpse_bound *bound) {
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
      late = round > 0 && gli_sequence_over(it);
    }
    if (late || gli_sequence_over(it)) {
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

static bool store(const gli_sequence *it, const pool *all, glimpse_bound *bound) {
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
static uint32_t limit_of(const gli_sequence *it, uint32_t depth, double work) {
  uint32_t states = it->task->model->states;
  uint32_t room = MOST_NUMBERS / states < 4 ? 4 : MOST_NUMBERS / states;
  if (depth) return room;
  uint32_t usual = USUAL_NUMBERS / states;
  double most = fmin(fmax(usual, SOME_VECTORS), MOST_VECTORS);
  most = fmin(most, fmax(work / (RENEWALS * work_of_item(it)), FEW_VECTORS));
  return room < most ? room : (uint32_t)most;
}

static bool make_vectors(gli_sequence *it, uint32_t depth, double allowance, glimpse_bound *bound) {
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

static bool solve(const gli_bound_task *task, gli_sequence *it, uint32_t depth, double before, glimpse_bound *bound) {
  /* Where others share their work out to threads, which this does not, it has less: by the size of the model,
   * because results must not depend on threads. */
  double allowance = gli_bound_allowance(task, before) * (task->block < task->model->states ? 0.5 : 1);
  it->allowance = search_part * allowance;
  it->deadline = gli_bound_share(task, 0.5).deadline;
  if (!gli_sequence_start(it)) return false;
  gli_sequence_run(it, depth, &bound->result);
  it->late = false;
  it->deadline = gli_bound_share(task, 0.9).deadline;
  bool done = !it->failed && make_vectors(it, depth, allowance, bound);
  bound->work = it->work;
  return done;
}

/* The first upper bound that is there, for what a state is worth at most. */
static const glimpse_bound *upper_of(const gli_bound_given *given) {
  for (int kind = 0; kind < GLIMPSE_BOUND_KINDS; kind++) {
    const glimpse_bound *bound = given->bound[kind];
    if (bound && bound->known && glimpse_bound_get((glimpse_bound_kind)kind)->side > 0) return bound;
  }
  return NULL;
}

/* Asking before every action, or better: only where the state is not certain, as far as that takes no more than its
 * share of the work.  *unsure is the caller's to free. */
static bool find_asking(gli_sequence *it, const gli_bound_given *given, double before, glimpse_bound **unsure) {
  if (!it->task->model->requests) return true;
  it->always_ask = given->bound[GLIMPSE_BOUND_ALWAYS_ASK];
  *unsure = GLI_NEW(glimpse_bound, 1);
  gli_bound_task share = gli_bound_share(it->task, 0.2);
  double sweeps = gli_bound_allowance(it->task, before) / gli_bound_work(it->task, 1, GLI_WORK_MDP);
  if (sweeps < (double)share.max_iterations) share.max_iterations = (uint64_t)sweeps + 1;
  if (!*unsure || !gli_unsure_make(&share, it->always_ask, *unsure)) return false;
  if ((*unsure)->value) it->always_ask = *unsure;
  return true;
}

static bool make(const gli_bound_task *task, const gli_bound_given *given, glimpse_bound *bound) {
  gli_sequence it = {.task = task, .blind = given->bound[GLIMPSE_BOUND_BLIND]};
  glimpse_bound *unsure = NULL;
  const glimpse_bound *upper = upper_of(given);
  double before = upper ? upper->work : 0, *own = NULL;
  before += it.blind->work;
  if (task->model->requests) before += given->bound[GLIMPSE_BOUND_ALWAYS_ASK]->work;
  bool done = find_asking(&it, given, upper ? before : INFINITY, &unsure);
  if (upper) {
    it.mdp = upper->known;
  } else if (done) {
    glimpse_bound_result result;
    gli_bound_task share = gli_bound_share(task, 0.3);
    done = gli_mdp_solve(&share, (gli_mdp){.last_action = task->model->actions}, +1, &result, &own);
    it.mdp = own;
    if (done) before += gli_bound_work(task, result.iterations, GLI_WORK_MDP);
  }
  done = done && solve(task, &it, given->depth, before, bound);
  gli_sequence_free(&it);
  glimpse_bound_free(unsure);
  gli_memory_free(own);
  return done;
}

static double value(const glimpse_bound *bound, glimpse_row belief) {
  double by = -gli_bound_outward(belief.count), least = -INFINITY;
  if (belief.count == 1) least = bound->known[belief.index[0]] * belief.value[0];
  else if (bound->asking) least = gli_bound_moved(bound->asking, 1, belief, by);
  return gli_bound_largest(bound, belief, least);
}

const gli_bound_class gli_bound_class_SEQUENCE = {
    .make = make,
    .needs = {{GLIMPSE_BOUND_BLIND, 0.3}, {GLIMPSE_BOUND_ALWAYS_ASK, 0.3}},
    .value = value,
    .part = 0.8,
    .effort = 0.45}; /* for planners: half of what it starts from */
