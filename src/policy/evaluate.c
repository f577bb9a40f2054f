/* Evaluate: what a policy earns, by the equations of all pairs of node and state,
 *
 *   v(n,s) = R(s,a) + discount sum_s' T(s'|s,a) w(n,s')     node n does a
 *   v(n,s) = v(n_s,s) - price(s)                            node n asks
 *   w(n,s) = sum_o O(o|a,s) v(n_o,s)                        after its action
 * and 0 where s is terminal, solved by sweeps from the pairs that were met last to those that were met first, which
 * follows most of an episode backwards.  Then each equation is checked.  If all are off by at most r, rounding of the
 * check included, v is off by at most 3 r / (1 - q), q being the largest sum of weights of an action: with A, W and E
 * the largest errors of pairs that act, after an action, and of all v, A <= r + q W, W <= r + E, and E <= r + A since
 * after asking comes an action. */
#include <math.h>

#include "base/memory.h"
#include "base/report.h"
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
  double *requests; /* expected and discounted, likewise */
} equations;

/* Is this where it asks? */
static bool asks(const equations *it, uint32_t pair) {
  return it->policy->choice[gli_pairs_node(it->pairs, pair)] == GLIMPSE_ANY &&
         !it->model->terminal[it->pairs->state[pair]];
}

static void find_rewards(equations *it) {
  for (uint32_t pair = 0; pair < it->pairs->count; pair++) {
    uint32_t s = it->pairs->state[pair], choice = it->policy->choice[gli_pairs_node(it->pairs, pair)];
    if (it->model->terminal[s] || gli_pairs_after(it->pairs, pair)) continue;
    it->reward[pair] =
        choice == GLIMPSE_ANY ? -gli_model_price(it->model, s) : glimpse_model_reward(it->model, choice, s);
  }
}

/* One sweep; returns the largest change of a value. */
static double sweep(equations *it) {
  const gli_pairs *pairs = it->pairs;
  double most = 0;
  for (uint32_t pair = pairs->count; pair-- > 0;) {
    double value = it->reward[pair], requests = asks(it, pair);
    for (uint64_t e = pairs->first[pair]; e < pairs->first[pair + 1]; e++) {
      value += pairs->weight[e] * it->value[pairs->to[e]];
      requests += pairs->weight[e] * it->requests[pairs->to[e]];
    }
    double change = fabs(value - it->value[pair]);
    if (!(change <= most)) most = change;
    it->value[pair] = value;
    it->requests[pair] = requests;
  }
  return most;
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

/* Sweeps until what is missing is small against the values, or rounding alone goes round in circles. */
static void iterate(equations *it) {
  double change = INFINITY, before, size = 0;
  for (unsigned i = 0; i < MOST_SWEEPS; i++) {
    before = change;
    change = sweep(it);
    if (i % 16 == 0)
      for (uint32_t pair = 0; pair < it->pairs->count; pair++) size = fmax(size, fabs(it->value[pair]));
    if (change <= CLOSE * (1 - it->model->discount) * size || (change <= 1e-12 * size && change >= before)) break;
  }
}

static glimpse_status solve(equations *it, gli_worth *worth) {
  it->reward = GLI_NEW(double, it->pairs->count);
  it->value = GLI_NEW(double, it->pairs->count);
  it->requests = GLI_NEW(double, it->pairs->count);
  bool fine = it->reward && it->value && it->requests;
  if (fine) {
    find_rewards(it);
    iterate(it);
    add_up(it, worth);
  }
  gli_memory_free(it->reward);
  gli_memory_free(it->value);
  gli_memory_free(it->requests);
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
