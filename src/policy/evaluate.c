/* Evaluate: what a policy earns, by the equations of all pairs of node and state,
 *
 *   v(n,s) = R(s,a) + discount sum_s' T(s'|s,a) w(n,s')     node n does a
 *   v(n,s) = v(n_s,s) - price(s)                            node n asks
 *   w(n,s) = sum_o O(o|a,s) v(n_o,s)                        after its action
 * and 0 where s is terminal.  Pairs that lead to each other and back belong together; such components are solved one
 * after the other, those first to which others lead, by sweeps until little changes.  Most are a single pair, which
 * takes one sweep; only where the policy goes in circles are there many.  Then each equation is checked.  If all are
 * off by at most r, rounding of the check included, v is off by at most 3 r / (1 - q), q being the largest sum of
 * weights of an action: with A, W and E the largest errors of pairs that act, after an action, and of all v, A <= r + q
 * W, W <= r + E, and E <= r + A since after asking comes an action. */
#include <math.h>

#include "base/memory.h"
#include "base/report.h"
#include "model/layers.h"
#include "model/model.h"
#include "policy/pairs.h"

#define UNIT 0x1p-53 /* what one operation rounds, at most, relative to its result */

#define CLOSE 1e-11 /* what may be missing of a value when sweeping ends, about, relative to the largest */

enum { MOST_SWEEPS = 100000 };

typedef struct equations {
  const glimpse_policy *policy;
  const glimpse_model *model;
  const gli_pairs *pairs;
  double *reward;   /* of each pair */
  double *value;    /* likewise */
  double *request;  /* that are made there */
  double *requests; /* from there on, expected and discounted */
  uint32_t *order;  /* all pairs, component after component */
  uint32_t *end;    /* of a component that begins at this place of the order: the place behind it */
} equations;

/* Is this where it asks for the state? */
static bool asks(const equations *it, uint32_t pair) {
  return it->policy->choice[gli_pairs_node(it->pairs, pair)] == GLIMPSE_ANY &&
         !it->model->terminal[it->pairs->state[pair]];
}

/* Requests that are made here, in the measure of values: where inquiries are actions of a planning model, its values
 * are divided by the scale of a layer (model/layers.c), and so are its requests.  Then those at the start, whose scale
 * is 1, are discounted as the model discounts. */
static double requests_here(const equations *it, uint32_t pair) {
  const glimpse_model *model = it->model;
  uint32_t s = it->pairs->state[pair], choice = it->policy->choice[gli_pairs_node(it->pairs, pair)];
  if (choice == GLIMPSE_ANY || !model->layers) return choice == GLIMPSE_ANY;
  uint32_t layer = s / model->layers->states;
  if (glimpse_planning_move(model, layer, choice).inquiry == GLIMPSE_ANY) return 0;
  return 1 / glimpse_planning_scale(model, layer);
}

/* Rewards, and requests that are made; 0 after actions. */
static void find_rewards(equations *it) {
  for (uint32_t pair = 0; pair < it->pairs->count; pair++) {
    uint32_t s = it->pairs->state[pair], choice = it->policy->choice[gli_pairs_node(it->pairs, pair)];
    if (it->model->terminal[s] || gli_pairs_after(it->pairs, pair)) continue;
    it->request[pair] = requests_here(it, pair);
    it->reward[pair] =
        choice == GLIMPSE_ANY ? -gli_model_price(it->model, s) : glimpse_model_reward(it->model, choice, s);
  }
}

/* ------------------------------------------------------------- components */

/* Tarjan's algorithm with a stack of its own. */
typedef struct walk {
  uint32_t *number; /* per pair: when it was met, from 1 on; 0: not yet; NONE: its component is complete */
  uint32_t *low;    /* the first that it leads back to */
  uint64_t *next;   /* the entry to follow next */
  uint32_t *path, *open;
  uint32_t length, opened, met, placed;
} walk;

static void enter(walk *w, const gli_pairs *pairs, uint32_t pair) {
  w->number[pair] = w->low[pair] = ++w->met;
  w->next[pair] = pairs->first[pair];
  w->path[w->length++] = w->open[w->opened++] = pair;
}

/* The pair leads nowhere new any more. */
static void leave(walk *w, equations *it, uint32_t pair) {
  w->length--;
  if (w->length) {
    uint32_t *low = &w->low[w->path[w->length - 1]];
    *low = w->low[pair] < *low ? w->low[pair] : *low;
  }
  if (w->low[pair] != w->number[pair]) return;
  uint32_t first = w->placed, last;
  do { /* those that were met first come last */
    last = w->open[--w->opened];
    w->number[last] = GLI_MAP_NONE;
    it->order[w->placed++] = last;
  } while (last != pair);
  it->end[first] = w->placed;
}

static void walk_from(walk *w, equations *it, uint32_t root) {
  const gli_pairs *pairs = it->pairs;
  enter(w, pairs, root);
  while (w->length) {
    uint32_t pair = w->path[w->length - 1];
    if (w->next[pair] == pairs->first[pair + 1]) {
      leave(w, it, pair);
      continue;
    }
    uint32_t to = pairs->to[w->next[pair]++];
    if (!w->number[to]) enter(w, pairs, to);
    else w->low[pair] = w->number[to] < w->low[pair] ? w->number[to] : w->low[pair];
  }
}

/* False: out of memory. */
static bool find_components(equations *it) {
  uint32_t count = it->pairs->count;
  walk w = {.number = GLI_NEW(uint32_t, count),
            .low = GLI_NEW(uint32_t, count),
            .next = GLI_NEW(uint64_t, count),
            .path = GLI_NEW(uint32_t, count),
            .open = GLI_NEW(uint32_t, count)};
  bool fine = w.number && w.low && w.next && w.path && w.open;
  for (uint32_t pair = 0; pair < count && fine; pair++)
    if (!w.number[pair]) walk_from(&w, it, pair);
  void *all[] = {w.number, w.low, w.next, w.path, w.open};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) gli_memory_free(all[i]);
  return fine;
}

/* ---------------------------------------------------------------- solution */

/* One sweep over a component; returns the largest change of a value. */
static double sweep(equations *it, uint32_t first, uint32_t end, double *size) {
  const gli_pairs *pairs = it->pairs;
  double most = 0, largest = *size;
  for (uint32_t i = first; i < end; i++) {
    uint32_t pair = it->order[i];
    double value = it->reward[pair], requests = it->request[pair];
    for (uint64_t e = pairs->first[pair]; e < pairs->first[pair + 1]; e++) {
      value += pairs->weight[e] * it->value[pairs->to[e]];
      requests += pairs->weight[e] * it->requests[pairs->to[e]];
    }
    double change = fabs(value - it->value[pair]);
    if (!(change <= most)) most = change;
    if (fabs(value) > largest) largest = fabs(value);
    it->value[pair] = value;
    it->requests[pair] = requests;
  }
  *size = largest;
  return most;
}

/* Does the only pair of a component lead to itself? */
static bool circles(const gli_pairs *pairs, uint32_t pair) {
  for (uint64_t e = pairs->first[pair]; e < pairs->first[pair + 1]; e++)
    if (pairs->to[e] == pair) return true;
  return false;
}

/* Sweeps until what is missing is small against the values, or rounding alone goes round in circles. */
static void iterate(equations *it) {
  double size = 0;
  for (uint32_t pair = 0; pair < it->pairs->count; pair++) size = fmax(size, fabs(it->reward[pair]));
  for (uint32_t first = 0; first < it->pairs->count; first = it->end[first]) {
    bool once = it->end[first] == first + 1 && !circles(it->pairs, it->order[first]);
    double change = INFINITY;
    for (unsigned i = 0; i < (once ? 1 : MOST_SWEEPS); i++) {
      double before = change;
      change = sweep(it, first, it->end[first], &size);
      if (change <= CLOSE * (1 - it->model->discount) * size || (change <= 1e-12 * size && change >= before)) break;
    }
  }
}

/* By how much equations are off, at most, and the largest sum of weights of an action; both rounded up. */
static double check(const equations *it, double *largest) {
  const gli_pairs *pairs = it->pairs;
  double worst = 0;
  *largest = 0;
  for (uint32_t pair = 0; pair < pairs->count; pair++) {
    double sum = it->reward[pair], size = fabs(sum) + fabs(it->value[pair]), weights = 0;
    for (uint64_t e = pairs->first[pair]; e < pairs->first[pair + 1]; e++) {
      double term = pairs->weight[e] * it->value[pairs->to[e]];
      sum += term;
      size += fabs(term);
      weights += pairs->weight[e];
    }
    /* A weight is a product of two numbers, and sums err by their length. */
    double count = (double)(pairs->first[pair + 1] - pairs->first[pair]);
    double rounding = (count + 8) * UNIT;
    worst = fmax(worst, fabs(sum - it->value[pair]) + 2 * rounding * size);
    if (!asks(it, pair) && !gli_pairs_after(pairs, pair)) *largest = fmax(*largest, weights * (1 + 2 * rounding));
  }
  return worst;
}

static void add_up(const equations *it, gli_worth *worth) {
  glimpse_row start = gli_policy_start(it->policy);
  double largest, size = 0;
  for (size_t i = 0; i < start.count; i++) { /* its pairs were met first */
    worth->value += start.value[i] * it->value[i];
    worth->requests += start.value[i] * it->requests[i];
    size += start.value[i] * fabs(it->value[i]);
  }
  worth->residual = check(it, &largest);
  double error = 3 * worth->residual / (1 - largest) * (1 + 8 * UNIT);
  worth->lower = largest < 1 ? worth->value - error - 2 * ((double)start.count + 4) * UNIT * size : -INFINITY;
}

static glimpse_status solve(equations *it, gli_worth *worth) {
  it->reward = GLI_NEW(double, it->pairs->count);
  it->value = GLI_NEW(double, it->pairs->count);
  it->request = GLI_NEW(double, it->pairs->count);
  it->requests = GLI_NEW(double, it->pairs->count);
  it->order = GLI_NEW(uint32_t, it->pairs->count);
  it->end = GLI_NEW(uint32_t, it->pairs->count);
  bool fine = it->reward && it->value && it->request && it->requests && it->order && it->end && find_components(it);
  if (fine) {
    find_rewards(it);
    iterate(it);
    add_up(it, worth);
  }
  gli_memory_free(it->reward);
  gli_memory_free(it->value);
  gli_memory_free(it->request);
  gli_memory_free(it->requests);
  gli_memory_free(it->order);
  gli_memory_free(it->end);
  return fine ? GLIMPSE_OK : GLIMPSE_NO_MEMORY;
}

static glimpse_status complain(const gli_pairs *pairs, const glimpse_policy *policy, glimpse_report *report) {
  uint32_t node = pairs->missing[0], seen = pairs->missing[1];
  bool asks = policy->choice[node] == GLIMPSE_ANY;
  const char *name = glimpse_policy_name(policy, asks ? GLIMPSE_STATE : GLIMPSE_OBSERVATION, seen);
  return GLI_FAIL(report, GLIMPSE_NOT_APPLICABLE, "the policy has no edge for %s %s at node %lu, which can happen",
                  asks ? "state" : "observation", name, (unsigned long)node);
}

glimpse_status gli_policy_evaluate(const glimpse_policy *policy, const glimpse_model *model, glimpse_report *report,
                                   gli_worth *worth) {
  gli_pairs pairs;
  *worth = (gli_worth){0};
  if (!gli_pairs_find(&pairs, policy, model)) return GLI_FAIL(report, GLIMPSE_NO_MEMORY, "out of memory");
  worth->pairs = pairs.count;
  equations it = {.policy = policy, .model = model, .pairs = &pairs};
  glimpse_status status = pairs.missing_count ? complain(&pairs, policy, report) : solve(&it, worth);
  if (status == GLIMPSE_NO_MEMORY) gli_report_add(report, GLIMPSE_ERROR, status, 0, 0, "out of memory");
  gli_pairs_free(&pairs);
  return status;
}
