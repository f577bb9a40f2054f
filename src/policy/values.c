/* Values: what each node of a policy is worth in each state, also in states that the node never meets.
 *
 *   v(n,s) = R(s,a) + discount sum_s' T(s'|s,a) sum_o O(o|a,s') v(n_o,s')        node n does a
 *   v(n,s) = v(n_s,s) - price(s)                                                node n asks
 *   v(n,s) = 0                                                                  s is terminal
 *
 * Where a node has no edge the policy is completed.  With requests: it asks and goes on at the acting node that is best
 * in the state that it is told, B(s) = max_m v(m,s), which is worth B(s) - price(s), or B(s) where it has just asked.
 * Without: at one node for all, the best at the uniform belief.  Both are policies, so that v is a lower bound on what
 * can be earned.
 *
 * Values are found by sweeps.  Changes soon shrink by about the same factor from sweep to sweep; now and then they are
 * summed up as if they went on so (Aitken), which takes most of the way at once; where the next sweep changes more than
 * before, this was wrong and is taken back.  Then the equations are checked: if no v exceeds its right side by more
 * than e, rounding included, v - 2 e / (1 - discount) is a lower bound: of two steps one is an action, which discounts
 * the excess.  A sweep costs nodes times the non-zeros of one action's T and O. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "model/model.h"
#include "policy/policy.h"

#define UNIT 0x1p-53

enum { MOST_SWEEPS = 20000, ROUND = 12 };

typedef struct values {
  const glimpse_policy *policy;
  const glimpse_model *model;
  size_t count; /* of values: nodes times states */
  double *v;
  double *before, *middle; /* the values of earlier sweeps */
  double *best;            /* per state: of the nodes that act */
  double *after;           /* per state: what is worth what follows an action of one node */
  uint32_t *to;            /* per observation: of that node */
  uint32_t fallback;       /* without requests: where it goes on off the plan */
  double size;             /* of the largest value */
} values;

static double lost(const values *it, uint32_t s) {
  if (it->model->requests) return it->best[s] - gli_model_price(it->model, s);
  return it->v[(size_t)it->fallback * it->policy->states + s];
}

/* sum_o O(o|a,s) v(n_o,s) for all s; `it->to` has the edges. */
static void look_ahead(values *it, uint32_t a) {
  const glimpse_model *model = it->model;
  for (uint32_t s = 0; s < model->states; s++) {
    double sum = 0;
    it->after[s] = 0;
    if (model->terminal[s]) continue;
    glimpse_row row = gli_table_row(&model->observe, gli_model_row(model, a, s));
    for (size_t i = 0; i < row.count; i++) {
      uint32_t to = it->to[row.index[i]];
      sum += row.value[i] * (to == GLIMPSE_ANY ? lost(it, s) : it->v[(size_t)to * model->states + s]);
    }
    it->after[s] = sum;
  }
}

/* The right side of a node's equation in a state. */
static double right_side(const values *it, uint32_t node, uint32_t s) {
  const glimpse_model *model = it->model;
  uint32_t a = it->policy->choice[node];
  if (model->terminal[s]) return 0;
  if (a == GLIMPSE_ANY) {
    uint32_t to = glimpse_policy_step(it->policy, node, s);
    double told = to == GLIMPSE_ANY ? it->best[s] : it->v[(size_t)to * model->states + s];
    return told - gli_model_price(model, s);
  }
  uint64_t r = gli_model_row(model, a, s);
  glimpse_row row = gli_table_row(&model->transition, r);
  double sum = 0;
  for (size_t i = 0; i < row.count; i++) sum += row.value[i] * it->after[row.index[i]];
  return model->reward[r] + model->discount * sum;
}

static void find_best(values *it) {
  uint32_t states = it->policy->states;
  for (uint32_t s = 0; s < states; s++) it->best[s] = -(double)INFINITY;
  for (uint32_t n = 0; n < it->policy->nodes; n++)
    for (uint32_t s = 0; s < states && it->policy->choice[n] != GLIMPSE_ANY; s++)
      it->best[s] = fmax(it->best[s], it->v[(size_t)n * states + s]);
}

/* Makes the next node's edges ready; an ask needs none. */
static void prepare(values *it, uint32_t node) {
  if (it->policy->choice[node] == GLIMPSE_ANY) return;
  glimpse_policy_edges edges = glimpse_policy_get(it->policy, node);
  for (uint32_t o = 0; o < it->policy->observations; o++) it->to[o] = GLIMPSE_ANY;
  for (size_t i = 0; i < edges.count; i++) it->to[edges.seen[i]] = edges.to[i];
  look_ahead(it, it->policy->choice[node]);
}

/* One sweep over all nodes, there or back; the largest change. */
static double sweep(values *it, bool back) {
  uint32_t states = it->policy->states, nodes = it->policy->nodes;
  double most = 0;
  find_best(it);
  for (uint32_t i = 0; i < nodes; i++) {
    uint32_t n = back ? nodes - 1 - i : i;
    prepare(it, n);
    for (uint32_t s = 0; s < states; s++) {
      double *v = &it->v[(size_t)n * states + s], now = right_side(it, n, s);
      most = fmax(most, fabs(now - *v));
      *v = now;
    }
  }
  return most;
}

/* By how much a value exceeds its right side, at most, with what rounding may hide. */
static double excess(values *it) {
  double most = 0;
  uint32_t states = it->policy->states;
  size_t longest = 1;
  find_best(it);
  for (uint32_t n = 0; n < it->policy->nodes; n++) {
    prepare(it, n);
    for (uint32_t s = 0; s < states; s++) most = fmax(most, it->v[(size_t)n * states + s] - right_side(it, n, s));
  }
  for (uint64_t r = 0; r < (uint64_t)it->model->actions * states; r++) {
    size_t t = gli_table_row(&it->model->transition, r).count, o = gli_table_row(&it->model->observe, r).count;
    longest = t + o > longest ? t + o : longest;
  }
  return most + 2 * ((double)longest + 16) * UNIT * it->size;
}

/* Three sweeps follow each other: adds up what is still to come.  What there was before is kept in `before`. */
static void extrapolate(values *it) {
  double up = 0, down = 0;
  for (size_t i = 0; i < it->count; i++) {
    double first = it->middle[i] - it->before[i], second = it->v[i] - it->middle[i];
    up += first * second;
    down += first * first;
  }
  double factor = up / down;
  memcpy(it->before, it->v, it->count * sizeof *it->v);
  if (!(factor > 0 && factor < 0.99999)) return;
  for (size_t i = 0; i < it->count; i++) it->v[i] += factor / (1 - factor) * (it->v[i] - it->middle[i]);
}

static void solve(values *it) {
  size_t bytes = it->count * sizeof *it->v;
  double last = INFINITY; /* the change before adding up */
  for (unsigned i = 0; i < MOST_SWEEPS; i++) {
    unsigned phase = i % ROUND;
    if (phase == ROUND - 2) memcpy(it->before, it->v, bytes);
    if (phase == ROUND - 1) memcpy(it->middle, it->v, bytes);
    double change = fmax(sweep(it, true), sweep(it, false));
    if (phase == 0 && !(change <= last)) memcpy(it->v, it->before, bytes);
    if (phase != ROUND - 1) continue;
    it->size = 0;
    for (size_t k = 0; k < it->count; k++) it->size = fmax(it->size, fabs(it->v[k]));
    if (!(change > 1e-10 * (1 - it->model->discount) * it->size)) break;
    last = change;
    extrapolate(it);
  }
}

/* The node that is best at the uniform belief. */
static uint32_t best_node(const values *it) {
  uint32_t best = 0, states = it->policy->states;
  double most = -(double)INFINITY;
  for (uint32_t n = 0; n < it->policy->nodes; n++) {
    double sum = 0;
    for (uint32_t s = 0; s < states; s++) sum += it->v[(size_t)n * states + s];
    if (sum > most) most = sum, best = n;
  }
  return best;
}

static void run(values *it) {
  memset(it->v, 0, it->count * sizeof *it->v);
  solve(it);
  if (!it->model->requests) {
    uint32_t best = best_node(it);
    bool other = best != it->fallback;
    it->fallback = best;
    if (other) solve(it);
  }
  double down = 2 * excess(it) / (1 - it->model->discount) * (1 + 8 * UNIT);
  for (size_t i = 0; i < it->count; i++)
    if (!it->model->terminal[i % it->policy->states]) it->v[i] -= down;
}

glimpse_status glimpse_policy_values(const glimpse_policy *policy, const glimpse_model *model, glimpse_report *report,
                                     double *v) {
  uint32_t fallback;
  return gli_policy_values(policy, model, report, v, &fallback);
}

glimpse_status gli_policy_values(const glimpse_policy *policy, const glimpse_model *model, glimpse_report *report,
                                 double *v, uint32_t *fallback) {
  model = glimpse_model_planning(model);
  glimpse_status status = glimpse_model_plannable(model, report);
  if (status) return status;
  if (policy->digest != glimpse_model_digest(model))
    return GLI_FAIL(report, GLIMPSE_BAD_MODEL, "the policy is not of this model, or the model has changed since");
  values it = {.policy = policy, .model = model, .v = v};
  it.count = (size_t)policy->nodes * policy->states;
  it.before = GLI_NEW(double, it.count);
  it.middle = GLI_NEW(double, it.count);
  it.best = GLI_NEW(double, policy->states);
  it.after = GLI_NEW(double, policy->states);
  it.to = GLI_NEW(uint32_t, policy->observations);
  bool fine = it.before && it.middle && it.best && it.after && it.to;
  if (fine) run(&it);
  *fallback = it.fallback;
  gli_memory_free(it.before);
  gli_memory_free(it.middle);
  gli_memory_free(it.best);
  gli_memory_free(it.after);
  gli_memory_free(it.to);
  return fine ? GLIMPSE_OK : GLI_FAIL(report, GLIMPSE_NO_MEMORY, "out of memory");
}
