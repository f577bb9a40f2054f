/* Told: for each inquiry of a planning model (model/layered.c) a plan that always asks it and acts by what it was told
 * last.  It is a controller.  Of an inquiry before an action, or as a step, its nodes are
 *
 *   ask   asks; told z it goes on with the node of the action act(z)
 *   a     does action a, whatever is seen, and goes on with ask; one for each action
 *
 * and of one that goes together with an action
 *
 *   a     does a and asks; told z, having seen o, it goes on with the node act(o,z).
 *
 * Where the layer leaves no choice, nothing is seen, and a node waits for its moment: it goes on with itself.  An
 * inquiry before an action that may not be asked any more is passed like one that was asked.  Values are
 *
 *   v_k(s) = R(s,c) + discount sum_s' T(s'|s,c) sum_o O(o|c,s') v_next(k,o)(s'),     c the choice of node k.
 *
 * It is a plan, so they are lower bounds.  They start below all that can be lost and are renewed one by one, each less
 * what rounding may have added and only if that is more than before.  So all numbers rise, and each is at every moment
 * supported by the others: v <= G(v) for the operator G of the plan, which rises from v to the values of the plan.
 *
 * Which action an answer calls for is a choice that validity does not rest on.  The first is that of QMDP, then some
 * rounds of improvement follow: act(o) is the action that is best for the states in which o is seen, weighed by how
 * often the plan so far comes there, discounted.  The best plan at the start is kept.
 *
 * Cost: a sweep takes what one of always-ask does, and reads O once more. */
#include "bounds/told.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "bounds/mdp.h"
#include "model/layers.h"

enum { ROUNDS = 4, MOST_SWEEPS = 1000, STEPS = 200 };

/* Sweeps end when no number rises by more than this part of the largest reward: between rounds, and at the end. */
static const double rough = 1e-3, fine = 1e-7;
/* What every state counts at least, that unlikely answers have an action, too. */
static const double unlikely = 1e-3;

typedef struct told {
  const gli_bound_task *task;
  const glimpse_model *model;
  uint32_t inquiry, nodes;
  bool joint, before;
  uint32_t *choice;       /* of each node */
  uint32_t *act, *best;   /* by observation: the node that acts on it; those of the best plan so far */
  double *value, *weight; /* by node and state */
  double *after;          /* by state: behind a choice */
  double low, error;      /* no plan is worth less; rounding of one number */
  double work;
} told;

static bool asks(const told *it, uint32_t node) {
  return it->joint || node == 0;
}

static uint32_t next(const told *it, uint32_t node, uint32_t o) {
  bool passed = it->before && node == 0;
  if (o == it->model->layers->nothing && !passed) return node;
  return asks(it, node) ? it->act[o] : 0;
}

static double *values_of(const told *it, uint32_t node) {
  return it->value + (size_t)node * it->model->states;
}

/* R + discount T after, in a state. */
static double ahead(const told *it, uint32_t choice, uint32_t s, const double *after) {
  uint64_t r = gli_model_row(it->model, choice, s);
  glimpse_row row = gli_table_row(&it->model->transition, r);
  double sum = 0;
  for (size_t i = 0; i < row.count; i++) sum += row.value[i] * after[row.index[i]];
  return it->model->reward[r] + it->model->discount * sum;
}

/* Renews the numbers of a node; the largest rise. */
static double renew(told *it, uint32_t node) {
  const glimpse_model *model = it->model;
  double *value = values_of(it, node), most = 0;
  for (uint32_t s = 0; s < model->states; s++) {
    glimpse_row seen = gli_table_row(&model->observe, gli_model_row(model, it->choice[node], s));
    double sum = 0;
    for (size_t i = 0; i < seen.count; i++) sum += seen.value[i] * values_of(it, next(it, node, seen.index[i]))[s];
    it->after[s] = model->terminal[s] ? 0 : sum;
  }
  for (uint32_t s = 0; s < model->states; s++) {
    if (model->terminal[s]) continue;
    double x = ahead(it, it->choice[node], s, it->after) - it->error;
    if (!(x > value[s])) continue;
    most = fmax(most, x - value[s]);
    value[s] = x;
  }
  return most;
}

static bool late(const told *it) {
  return gli_clock_now() >= it->task->deadline;
}

/* The values of the plan, from below; returns the last rise. */
static double evaluate(told *it, double tolerance, uint64_t *sweeps) {
  const glimpse_model *model = it->model;
  for (uint32_t k = 0; k < it->nodes; k++)
    for (uint32_t s = 0; s < model->states; s++) values_of(it, k)[s] = model->terminal[s] ? 0 : it->low;
  double rise = INFINITY;
  *sweeps = 0;
  while (rise > tolerance && *sweeps < MOST_SWEEPS && *sweeps < it->task->max_iterations && !(*sweeps && late(it))) {
    rise = 0;
    for (uint32_t k = it->nodes; k-- > 0;) rise = fmax(rise, renew(it, k)); /* asking last, by what acting is worth */
    ++*sweeps;
  }
  it->work += gli_bound_work(it->task, *sweeps, 2 * GLI_WORK_MDP) * it->nodes / model->actions;
  return rise;
}

/* Where the plan may begin with the most. */
static uint32_t first_node(const told *it, double *worth) {
  glimpse_row start = glimpse_model_start(it->model);
  uint32_t first = 0;
  *worth = -INFINITY;
  for (uint32_t k = 0; k < (it->joint ? it->nodes : 1); k++) {
    double sum = 0;
    for (size_t i = 0; i < start.count; i++) sum += start.value[i] * values_of(it, k)[start.index[i]];
    if (sum > *worth) *worth = sum, first = k;
  }
  return first;
}

/* How likely each state is behind each node, discounted and summed over the first steps, `now` and `then` being those
 * at one step; and a little everywhere. */
static void weigh(told *it, uint32_t first, double *now, double *then) {
  const glimpse_model *model = it->model;
  size_t all = (size_t)it->nodes * model->states;
  glimpse_row start = glimpse_model_start(model);
  for (size_t i = 0; i < all; i++) now[i] = 0, it->weight[i] = unlikely / model->states;
  for (size_t i = 0; i < start.count; i++) now[(size_t)first * model->states + start.index[i]] = start.value[i];
  double left = 1;
  for (int step = 0; step < STEPS && left > unlikely && !late(it); step++) {
    left *= model->discount;
    memset(then, 0, all * sizeof *then);
    for (uint32_t k = 0; k < it->nodes; k++)
      for (uint32_t s = 0; s < model->states; s++) {
        double mass = now[(size_t)k * model->states + s];
        if (!(mass > 0) || model->terminal[s]) continue;
        glimpse_row to = gli_table_row(&model->transition, gli_model_row(model, it->choice[k], s));
        for (size_t i = 0; i < to.count; i++) {
          double arrives = mass * to.value[i] * model->discount;
          uint32_t s2 = to.index[i];
          it->weight[(size_t)k * model->states + s2] += arrives;
          glimpse_row seen = gli_table_row(&model->observe, gli_model_row(model, it->choice[k], s2));
          for (size_t j = 0; j < seen.count; j++)
            then[(size_t)next(it, k, seen.index[j]) * model->states + s2] += arrives * seen.value[j];
        }
      }
    double *spare = now;
    now = then;
    then = spare;
  }
}

/* act: the best for the states in which an observation is seen; `score` has room for observations and nodes. */
static void improve(told *it, double *score) {
  const glimpse_model *model = it->model;
  memset(score, 0, (size_t)model->observations * it->nodes * sizeof *score);
  for (uint32_t k = 0; k < it->nodes; k++)
    for (uint32_t s = 0; asks(it, k) && s < model->states; s++) {
      double mass = it->weight[(size_t)k * model->states + s];
      glimpse_row seen = gli_table_row(&model->observe, gli_model_row(model, it->choice[k], s));
      for (size_t j = 0; j < seen.count && !model->terminal[s]; j++)
        for (uint32_t a = it->joint ? 0 : 1; a < it->nodes; a++)
          score[(size_t)seen.index[j] * it->nodes + a] += mass * seen.value[j] * values_of(it, a)[s];
    }
  for (uint32_t o = 0; o < model->observations; o++) {
    const double *line = score + (size_t)o * it->nodes;
    uint32_t best = it->joint ? 0 : 1;
    for (uint32_t a = best + 1; a < it->nodes; a++) best = line[a] > line[best] ? a : best;
    it->act[o] = best;
  }
}

/* Values to choose the first actions by: the state is known for free from the next step on. */
static bool begin(told *it) {
  const glimpse_model *model = it->model;
  double *mdp;
  glimpse_bound_result result;
  gli_bound_task share = gli_bound_share(it->task, 0.2);
  if (!gli_mdp_solve(&share, (gli_mdp){.last_action = model->actions}, +1, &result, &mdp)) return false;
  it->work += gli_bound_work(it->task, result.iterations, GLI_WORK_MDP);
  glimpse_row start = glimpse_model_start(model);
  for (uint32_t k = 0; k < it->nodes; k++) {
    for (uint32_t s = 0; s < model->states; s++) {
      values_of(it, k)[s] = ahead(it, it->choice[k], s, mdp);
      it->weight[(size_t)k * model->states + s] = 1.0 / model->states;
    }
    for (size_t i = 0; i < start.count; i++) it->weight[(size_t)k * model->states + start.index[i]] += start.value[i];
  }
  gli_memory_free(mdp);
  return true;
}

/* Finds a plan for the inquiry, and its values. */
static bool find(told *it, glimpse_bound_result *result) {
  const glimpse_model *model = it->model;
  size_t all = (size_t)it->nodes * model->states, scores = (size_t)model->observations * it->nodes;
  double *now = GLI_NEW(double, all), *then = GLI_NEW(double, all), *score = GLI_NEW(double, scores);
  bool made = now && then && score && begin(it);
  double most = -INFINITY, worth, reward = it->task->reward;
  uint64_t sweeps;
  for (int round = 0; made && round < ROUNDS && !(round && late(it)); round++) {
    improve(it, score);
    evaluate(it, rough * reward, &sweeps);
    uint32_t first = first_node(it, &worth);
    if (!(worth > most)) break;
    most = worth;
    memcpy(it->best, it->act, model->observations * sizeof *it->act);
    weigh(it, first, now, then);
  }
  if (made) {
    memcpy(it->act, it->best, model->observations * sizeof *it->act);
    double rise = evaluate(it, fine * reward, &sweeps);
    *result = (glimpse_bound_result){.converged = rise <= fine * reward,
                                     .iterations = sweeps,
                                     .residual = rise,
                                     .error = rise / (1 - model->discount) + it->error / (1 - model->discount)};
  }
  gli_memory_free(now);
  gli_memory_free(then);
  gli_memory_free(score);
  return made;
}

/* The rows of O: rounding of a sum over what is seen, for each unit of size. */
static double rounding_of_seen(const glimpse_model *model) {
  double most = 0;
  for (uint64_t r = 0; r < (uint64_t)model->actions * model->states; r++) {
    glimpse_row row = gli_table_row(&model->observe, r);
    double sum = 0;
    for (size_t i = 0; i < row.count; i++) sum += row.value[i];
    most = fmax(most, fabs(sum - 1) + (2 * (double)row.count + 4) * (DBL_EPSILON / 2));
  }
  return most;
}

static bool open_told(told *it, uint32_t inquiry) {
  const gli_layers *layers = it->model->layers;
  it->inquiry = inquiry;
  it->joint = layers->timing[inquiry] == GLIMPSE_TIMING_JOINT;
  it->before = layers->timing[inquiry] == GLIMPSE_TIMING_BEFORE;
  it->nodes = layers->actions + !it->joint;
  size_t all = (size_t)it->nodes * it->model->states;
  it->choice = GLI_NEW(uint32_t, it->nodes);
  it->act = GLI_NEW(uint32_t, it->model->observations);
  it->best = GLI_NEW(uint32_t, it->model->observations);
  it->value = GLI_NEW(double, all);
  it->weight = GLI_NEW(double, all);
  it->after = GLI_NEW(double, it->model->states);
  if (!it->choice || !it->act || !it->best || !it->value || !it->weight || !it->after) return false;
  for (uint32_t k = 0; k < it->nodes; k++)
    it->choice[k] = it->joint ? layers->first_choice[inquiry] + k : k ? k - 1 : layers->first_choice[inquiry];
  return true;
}

static void close_told(told *it) {
  void *all[] = {it->choice, it->act, it->best, it->value, it->weight, it->after};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) gli_memory_free(all[i]);
}

/* The nodes that a plan may come to, which are given numbers from `first` on; returns how many. */
static uint32_t number(const told *it, uint32_t first, uint32_t *vector_of) {
  double worth;
  uint32_t count = 0;
  for (uint32_t k = 0; k < it->nodes; k++) vector_of[k] = GLIMPSE_ANY;
  vector_of[first_node(it, &worth)] = 0;
  for (uint32_t o = 0; o < it->model->observations; o++) vector_of[it->act[o]] = 0;
  for (uint32_t k = 0; k < it->nodes; k++)
    if (vector_of[k] != GLIMPSE_ANY) vector_of[k] = first + count++;
  return count;
}

/* Adds the vectors of a plan to those of the bound. */
static bool add(const told *it, uint32_t *vector_of, glimpse_bound *bound) {
  const glimpse_model *model = it->model;
  uint32_t old = bound->vectors, count = number(it, old, vector_of), all = old + count;
  glimpse_bound grown = {.states = bound->states};
  bool made = gli_bound_reserve(&grown, all);
  grown.plan = GLI_NEW(gli_plan, all);
  grown.follow = GLI_NEW(uint32_t, (size_t)all * model->observations);
  if (!made || !grown.plan || !grown.follow) {
    gli_memory_free(grown.value);
    gli_memory_free(grown.plan);
    gli_memory_free(grown.follow);
    return false;
  }
  for (uint32_t s = 0; s < model->states; s++)
    for (uint32_t k = 0; k < old; k++) grown.value[(size_t)s * all + k] = bound->value[(size_t)s * old + k];
  if (old) {
    memcpy(grown.plan, bound->plan, old * sizeof *grown.plan);
    memcpy(grown.follow, bound->follow, (size_t)old * model->observations * sizeof *grown.follow);
  }
  for (uint32_t k = 0; k < it->nodes; k++) {
    uint32_t to = vector_of[k];
    if (to == GLIMPSE_ANY) continue;
    grown.plan[to] = (gli_plan){it->choice[k], to};
    for (uint32_t s = 0; s < model->states; s++) grown.value[(size_t)s * all + to] = values_of(it, k)[s];
    for (uint32_t o = 0; o < model->observations; o++)
      grown.follow[(size_t)to * model->observations + o] = vector_of[next(it, k, o)];
  }
  gli_memory_free(bound->value);
  gli_memory_free(bound->plan);
  gli_memory_free(bound->follow);
  bound->vectors = all;
  bound->value = grown.value;
  bound->plan = grown.plan;
  bound->follow = grown.follow;
  return true;
}

bool gli_told_make(const gli_bound_task *task, glimpse_bound *bound) {
  const glimpse_model *model = task->model;
  const gli_layers *layers = model->layers;
  double safe = gli_mdp_rounding(task, task->size) + rounding_of_seen(model) * task->size;
  double low = -(task->reward + 2 * safe) / (1 - model->discount);
  uint32_t *vector_of = GLI_NEW(uint32_t, (size_t)layers->actions + 1);
  bool made = vector_of != NULL;
  bound->result.converged = true;
  for (uint32_t i = 0; made && i < layers->inquiries; i++) {
    gli_bound_task share = gli_bound_share(task, 1.0 / (layers->inquiries - i));
    told it = {.task = &share, .model = model, .low = low, .error = 2 * safe};
    glimpse_bound_result result;
    made = open_told(&it, i) && find(&it, &result) && add(&it, vector_of, bound);
    if (made) gli_bound_join(&bound->result, &result);
    bound->work += it.work;
    close_told(&it);
  }
  gli_memory_free(vector_of);
  return made;
}
