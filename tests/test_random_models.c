/* Random models: everything that plans, on models of every family (support/random_family.h),
 * against an oracle whose own error is known (support/oracle.h), so that bounds are compared
 * with no tolerance at all.  For each model:
 *   - written and read again it is the same, bit for bit;
 *   - every offline bound, also one that was stopped early, contains the value at the start,
 *     at random beliefs and in every state; FIB is not above QMDP;
 *   - every search contains it at every look, for V and for each choice; its bounds never get
 *     worse; it decides for something legal; "solved" means solved, and plans that end are
 *     solved;
 *   - the agent's beliefs are those of a naive dense update, and normalised;
 *   - POMCP and the baselines decide for something legal from finite numbers, and the baselines' bounds contain the
 * value of each choice;
 *   - the equivalent POMDP has the same value.
 *
 * tests/test_random_graphs.c looks at graphs; support/random_trial.h says what the environment may choose. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graph/tuning.h"
#include "support/pomdp.h"
#include "support/random_trial.h"
#include "support/same_model.h"

enum { EXPANSIONS = 24, STEPS = 4 };

/* ------------------------------------------------------------------ round trip */

static void check_round_trip(trial *t) {
  trial_doing(t, "round trip");
  size_t length;
  char *text = pomdp_write(t->model, &length);
  glimpse_model *again = NULL;
  if (glimpse_pomdp_read(text, length, "random", NULL, NULL, &again) != GLIMPSE_OK)
    trial_fail(t, "what was written is not read", 0, 0);
  const char *difference = same_model_difference(t->model, again);
  if (difference) trial_fail(t, difference, 0, 0);
  glimpse_model_free(again);
  free(text);
}

/* ---------------------------------------------------------------- offline bounds */

/* Discounts next to 1 need more sweeps than a test has time for; any number must do. */
static glimpse_bound_options bound_options(const trial *t, unsigned variant) {
  glimpse_bound_options options = {.threads = 1};
  if (variant == 1) options.max_iterations = 1 + t->seed % 4;
  if (variant == 2) options.tolerance = 1e-3 * t->size;
  if (glimpse_model_discount(t->model) > 0.9999 && !options.max_iterations) options.max_iterations = 2000;
  return options;
}

static void check_bound_at(trial *t, glimpse_bound *const *bounds, glimpse_row at) {
  oracle_range value = oracle_value(t->oracle, at);
  double low = -INFINITY, high = INFINITY;
  for (glimpse_bound_kind kind = 0; kind < GLIMPSE_BOUND_KINDS; kind++) {
    if (!bounds[kind]) continue;
    double bound = glimpse_bound_value(bounds[kind], at);
    if (glimpse_bound_get(kind)->side < 0) trial_lower(t, glimpse_bound_get(kind)->key, bound, value);
    else trial_upper(t, glimpse_bound_get(kind)->key, bound, value);
    if (glimpse_bound_get(kind)->side < 0) low = fmax(low, bound);
    else high = fmin(high, bound);
  }
  if (!(low <= high)) trial_fail(t, "a lower bound above an upper one", low, high);
  glimpse_bound *fib = glimpse_model_requests(t->model) ? bounds[GLIMPSE_BOUND_FIB_SR] : bounds[GLIMPSE_BOUND_FIB];
  double informed = glimpse_bound_value(fib, at), qmdp = glimpse_bound_value(bounds[GLIMPSE_BOUND_QMDP], at);
  if (informed > qmdp) trial_fail(t, "fib above qmdp", informed, qmdp);
  glimpse_bound *tib = glimpse_model_requests(t->model) ? bounds[GLIMPSE_BOUND_TIB_SR] : bounds[GLIMPSE_BOUND_TIB];
  double tighter = glimpse_bound_value(tib, at);
  if (tighter > informed) trial_fail(t, "tib above fib", tighter, informed);
}

static void check_bounds(trial *t) {
  for (unsigned variant = 0; variant < 3; variant++) {
    glimpse_bound_options options = bound_options(t, variant);
    glimpse_bound *bounds[GLIMPSE_BOUND_KINDS] = {0};
    trial_doing(t, "bounds, variant %u", variant);
    for (glimpse_bound_kind kind = 0; kind < GLIMPSE_BOUND_KINDS; kind++) {
      if (!glimpse_bound_applies(kind, t->model)) continue;
      if (glimpse_bound_new(t->model, kind, &options, NULL, &bounds[kind])) trial_fail(t, "no bound", kind, 0);
      glimpse_bound_result result = glimpse_bound_measure(bounds[kind]);
      if (!(result.error >= 0 && result.error <= DBL_MAX)) trial_fail(t, "the error of a bound", result.error, kind);
    }
    check_bound_at(t, bounds, glimpse_model_start(t->model));
    for (int i = 0; i < 2; i++) {
      trial_belief b = trial_any(t);
      check_bound_at(t, bounds, trial_row(&b));
    }
    for (uint32_t s = 0; s < t->states && variant == 0; s++) {
      trial_belief b = trial_certain(s);
      check_bound_at(t, bounds, trial_row(&b));
    }
    for (glimpse_bound_kind kind = 0; kind < GLIMPSE_BOUND_KINDS; kind++) glimpse_bound_free(bounds[kind]);
  }
}

/* --------------------------------------------------------------------- searches */

/* Where equal beliefs are one, near ones are, too: links between them change no value by more than so much of the
 * largest, and a gap of four times that counts as none. */
static double merging(const trial *t, const glimpse_planner_options *o) {
  return o->kind == GLIMPSE_PLANNER_AEMS_LOOP ? 4 * GLI_TUNING_MERGE * t->scale : 0;
}

/* The plain form does not tell of changes below a threshold: the paper's, or what counts as none. */
static double open_gap(const trial *t, const glimpse_planner_options *o) {
  double none = trial_rounding(t) + merging(t, o), threshold = o->paper ? 1e-6 : o->plain ? none : 0;
  return none + 4 * threshold / (1 - glimpse_model_discount(t->model));
}

static void check_legal(trial *t, const glimpse_decision *d) {
  if (d->ask) {
    if (!glimpse_model_requests(t->model)) trial_fail(t, "asks where that is not possible", 0, 0);
  } else if (d->action >= t->actions) {
    trial_fail(t, "no such action", d->action, 0);
  }
}

/* What the oracle knows of a belief: its value, and that of each choice. */
typedef struct truth {
  oracle_range value, choice[TRIAL_MOST_CHOICES];
} truth;

static bool may_ask(const trial *t, glimpse_row at) {
  return glimpse_model_requests(t->model) && at.count > 1;
}

static truth truth_of(const trial *t, glimpse_row at) {
  truth known = {.value = oracle_value(t->oracle, at)};
  for (uint32_t a = 0; a < t->actions; a++) known.choice[a] = oracle_choice(t->oracle, at, a);
  if (may_ask(t, at)) known.choice[t->actions] = oracle_choice(t->oracle, at, GLIMPSE_ANY);
  return known;
}

/* One look at what a planner with bounds knows. */
static void check_look(trial *t, const glimpse_planner *planner, const glimpse_decision *d, glimpse_row at,
                       const truth *known) {
  oracle_range value = known->value;
  trial_lower(t, "lower bound", d->lower, value);
  trial_upper(t, "upper bound", d->upper, value);
  trial_lower(t, "offline lower bound", d->offline_lower, value);
  trial_upper(t, "offline upper bound", d->offline_upper, value);
  if (!(d->lower <= d->upper)) trial_fail(t, "lower above upper", d->lower, d->upper);
  check_legal(t, d);
  double most = -INFINITY;
  for (uint32_t a = 0; a <= t->actions; a++) {
    bool asks = a == t->actions;
    glimpse_choice choice = glimpse_planner_choice(planner, asks ? GLIMPSE_ANY : a);
    if (asks && !may_ask(t, at)) {
      if (!isnan(choice.lower)) trial_fail(t, "asking has bounds where it is not possible", choice.lower, at.count);
      continue;
    }
    if (asks && t->family == RANDOM_FAMILY_RARE && isnan(choice.lower)) continue; /* all but one state vanished */
    oracle_range then = known->choice[a];
    trial_lower(t, asks ? "lower bound of asking" : "lower bound of an action", choice.lower, then);
    trial_upper(t, asks ? "upper bound of asking" : "upper bound of an action", choice.upper, then);
    most = fmax(most, choice.lower);
  }
  glimpse_choice made = glimpse_planner_choice(planner, d->ask ? GLIMPSE_ANY : d->action);
  if (made.lower < most) trial_fail(t, "not the best promise", made.lower, most);
  if (made.lower < d->lower) trial_fail(t, "the decision is worth less than what is reported", made.lower, d->lower);
}

static const char *name_of(const glimpse_planner_options *o) {
  static char name[96];
  (void)snprintf(name, sizeof name, "%s, %s%s%s%s", glimpse_planner_key(o->kind), glimpse_rule_key(o->rule),
                 o->paper ? ", paper" : "", o->plain ? ", plain" : "",
                 o->improve == GLIMPSE_IMPROVE_NONE ? ", none" : "");
  return name;
}

/* All forms of search that promise bounds, one for each number. */
enum { FORMS = 3 * GLIMPSE_RULES * 4 };
static glimpse_planner_options search_form(unsigned number) {
  glimpse_planner_options o = {.kind = (glimpse_planner_kind)(GLIMPSE_PLANNER_AEMS_LOOP + number % 3),
                               .rule = (glimpse_rule)(number / 3 % GLIMPSE_RULES)};
  unsigned form = number / 9 % 4;
  o.improve = form == 1 || form == 3 ? GLIMPSE_IMPROVE_NONE : GLIMPSE_IMPROVE_SOUND;
  o.plain = form == 2;
  o.paper = form == 3;
  return o;
}

static void check_solved(trial *t, const glimpse_decision *d, oracle_range value, double gap, bool must) {
  if (d->stop != GLIMPSE_STOP_SOLVED) { /* next to a discount of 1 rounding may keep the bounds apart */
    if (must && !(glimpse_model_discount(t->model) > 0.9999 && d->stop == GLIMPSE_STOP_ROUNDING))
      trial_fail(t, "a plan that ends is not solved", d->lower, d->upper);
    return;
  }
  if (d->upper - d->lower > gap) trial_fail(t, "solved, but the gap is open", d->upper - d->lower, gap);
  if (precise_above(value.low, d->lower + 2 * gap)) trial_fail(t, "solved, but far below", d->lower, d->upper);
  if (precise_below(value.high, d->upper - 2 * gap)) trial_fail(t, "solved, but far above", d->lower, d->upper);
}

static glimpse_planner_options suited_form(const trial *t, unsigned number) {
  glimpse_planner_options options = search_form(number);
  if (trial_slow(t)) options.plain = options.paper = false;
  return options;
}

static void check_search(trial *t, const glimpse_offline *offline, unsigned number, trial_tally *count) {
  glimpse_planner_options options = suited_form(t, number);
  glimpse_planner *planner = NULL;
  glimpse_row start = glimpse_model_start(t->model);
  truth known = truth_of(t, start);
  trial_doing(t, "search %u (%s)", number, name_of(&options));
  if (glimpse_planner_new(t->model, offline, &options, NULL, &planner) || glimpse_planner_begin(planner, start, 0))
    trial_fail(t, "no planner", 0, 0);
  double lower = -INFINITY, upper = INFINITY;
  glimpse_decision d = {0};
  for (unsigned i = 0; i < (trial_slow(t) ? 8 : EXPANSIONS) && d.stop != GLIMPSE_STOP_SOLVED; i++) {
    glimpse_budget one = {.expansions = i < 8 ? 1 : 8};
    if (glimpse_planner_plan(planner, &one, &d)) trial_fail(t, "no decision", 0, 0);
    check_look(t, planner, &d, start, &known);
    if (d.lower < lower) trial_fail(t, "the lower bound fell", d.lower, lower);
    if (d.upper > upper) trial_fail(t, "the upper bound rose", d.upper, upper);
    lower = d.lower;
    upper = d.upper;
    count->looks++;
  }
  /* Else the tree is too large. */
  bool few = t->observations <= 8 && (options.kind != GLIMPSE_PLANNER_AEMS || t->member.horizon < 3);
  if (t->member.course == RANDOM_ENDS && few && d.stop != GLIMPSE_STOP_SOLVED) {
    glimpse_budget plenty = {.expansions = 5000};
    if (glimpse_planner_plan(planner, &plenty, &d)) trial_fail(t, "no decision", 0, 0);
    check_look(t, planner, &d, start, &known);
  }
  check_solved(t, &d, known.value, open_gap(t, &options), t->member.course == RANDOM_ENDS && few && !options.paper);
  count->solved += d.stop == GLIMPSE_STOP_SOLVED;
  glimpse_planner_free(planner);
}

static glimpse_offline *offline_of(trial *t, unsigned variant) {
  glimpse_bound_options options = bound_options(t, variant);
  glimpse_offline *offline = NULL;
  glimpse_bound_kind upper = t->seed % 3 ? glimpse_offline_upper(t->model) : GLIMPSE_BOUND_QMDP;
  if (glimpse_offline_new(t->model, upper, &options, NULL, &offline)) trial_fail(t, "no offline bounds", upper, 0);
  return offline;
}

static void check_searches(trial *t, trial_tally *count) {
  for (unsigned k = 0; k < 4; k++) {
    glimpse_offline *offline = offline_of(t, k % 3);
    check_search(t, offline, (unsigned)((t->seed * 4 + k) * 7 % FORMS), count);
    glimpse_offline_free(offline);
  }
}

/* -------------------------------------------------------------------- the agent */

static uint32_t sample(trial *t, glimpse_row row) {
  double left = gli_random_unit(&t->random);
  for (size_t i = 0; i + 1 < row.count; i++)
    if ((left -= row.value[i]) < 0) return row.index[i];
  return row.index[row.count - 1];
}

/* The dense update, as it is written in books; returns P(o|b,a). */
static double naive_update(const trial *t, double *dense, uint32_t a, uint32_t o) {
  double next[TRIAL_MOST_STATES] = {0}, sum = 0;
  for (uint32_t s = 0; s < t->states; s++) {
    glimpse_row moves = glimpse_model_transition(t->model, a, s);
    for (size_t i = 0; i < moves.count; i++) next[moves.index[i]] += dense[s] * moves.value[i];
  }
  for (uint32_t s = 0; s < t->states; s++) {
    glimpse_row shown = glimpse_model_observation(t->model, a, s);
    double p = 0;
    for (size_t i = 0; i < shown.count; i++)
      if (shown.index[i] == o) p = shown.value[i];
    next[s] *= p;
    sum += next[s];
  }
  for (uint32_t s = 0; s < t->states; s++) dense[s] = next[s] / sum;
  return sum;
}

static void check_belief(trial *t, glimpse_row row, const double *dense) {
  double sum = 0;
  for (size_t i = 0; i < row.count; i++) {
    if (!(row.value[i] > 0 && row.value[i] <= 1)) trial_fail(t, "a probability", row.value[i], row.index[i]);
    sum += row.value[i];
    if (dense && fabs(row.value[i] - dense[row.index[i]]) > 1e-13)
      trial_fail(t, "another belief than the naive one", row.value[i], dense[row.index[i]]);
  }
  if (fabs(sum - 1) > (2 + 0.5 * (double)row.count) * DBL_EPSILON) trial_fail(t, "a belief sums to", sum, 1);
}

static void check_agent(trial *t, trial_tally *count) {
  glimpse_planner_options options = suited_form(t, (unsigned)(t->seed * 5 % FORMS));
  glimpse_offline *offline = offline_of(t, 0);
  glimpse_planner *planner = NULL;
  trial_doing(t, "agent (%s)", name_of(&options));
  if (glimpse_planner_new(t->model, offline, &options, NULL, &planner)) trial_fail(t, "no planner", 0, 0);
  glimpse_agent *agent = glimpse_agent_new(t->model, planner, NULL);
  if (!agent || glimpse_agent_begin(agent, 0)) trial_fail(t, "no agent", 0, 0);
  uint32_t state = sample(t, glimpse_model_start(t->model));
  double dense[TRIAL_MOST_STATES] = {0};
  glimpse_row start = glimpse_model_start(t->model);
  for (size_t i = 0; i < start.count; i++) dense[start.index[i]] = start.value[i];
  bool same = true; /* the naive update has not lost its digits */
  for (unsigned step = 0; step < STEPS; step++) {
    glimpse_decision d;
    glimpse_budget budget = {.expansions = 6};
    if (glimpse_agent_decide(agent, &budget, &d)) trial_fail(t, "no decision", step, 0);
    trial_belief now = trial_copy(glimpse_belief_row(glimpse_agent_belief(agent)));
    check_belief(t, trial_row(&now), same ? dense : NULL);
    truth there = truth_of(t, trial_row(&now));
    check_look(t, planner, &d, trial_row(&now), &there);
    if (d.ask) {
      if (glimpse_agent_reveal(agent, state, &d)) trial_fail(t, "no decision after asking", step, 0);
      trial_belief corner = trial_certain(state);
      oracle_range known = oracle_choice(t->oracle, trial_row(&corner), 0); /* no asking again */
      for (uint32_t a = 1; a < t->actions; a++) {
        oracle_range other = oracle_choice(t->oracle, trial_row(&corner), a);
        known.low = precise_larger(known.low, other.low);
        known.high = precise_larger(known.high, other.high);
      }
      trial_lower(t, "lower bound after asking", d.lower, known);
      trial_upper(t, "upper bound after asking", d.upper, known);
      if (d.ask || d.action >= t->actions) trial_fail(t, "asks twice, or for no action", d.action, 0);
      for (uint32_t s = 0; s < t->states; s++) dense[s] = s == state;
      same = true;
      count->asked++;
    }
    uint32_t a = gli_random_below(&t->random, 3) ? d.action : gli_random_below(&t->random, t->actions);
    if (a == GLIMPSE_ANY) a = 0;
    state = sample(t, glimpse_model_transition(t->model, a, state));
    uint32_t seen = sample(t, glimpse_model_observation(t->model, a, state));
    if (glimpse_agent_observe(agent, a, seen)) trial_fail(t, "an observation is refused", a, seen);
    same = naive_update(t, dense, a, seen) > 1e-200 && same;
    count->steps++;
  }
  glimpse_agent_free(agent);
  glimpse_planner_free(planner);
  glimpse_offline_free(offline);
}

/* ------------------------------------------------------------- the other planners */

/* The bounds that a rule reports, as strictly as those of a search. */
static void check_rule_bounds(trial *t, const glimpse_planner *planner, const glimpse_decision *d, glimpse_row at) {
  oracle_range value = oracle_value(t->oracle, at);
  trial_lower(t, "lower bound", d->lower, value);
  trial_upper(t, "upper bound", d->upper, value);
  for (uint32_t a = 0; a < t->actions + (glimpse_model_requests(t->model) ? 1 : 0); a++) {
    bool asks = a == t->actions; /* also where the state is known */
    glimpse_choice choice = glimpse_planner_choice(planner, asks ? GLIMPSE_ANY : a);
    oracle_range then = oracle_choice(t->oracle, at, asks ? GLIMPSE_ANY : a);
    trial_lower(t, asks ? "lower bound of asking" : "lower bound of an action", choice.lower, then);
    trial_upper(t, asks ? "upper bound of asking" : "upper bound of an action", choice.upper, then);
  }
}

static void check_rule_planner(trial *t, const glimpse_offline *offline, const glimpse_planner_options *options) {
  glimpse_planner *planner = NULL;
  glimpse_row start = glimpse_model_start(t->model);
  glimpse_status status = glimpse_planner_new(t->model, offline, options, NULL, &planner);
  if (status == GLIMPSE_NOT_APPLICABLE && !glimpse_model_requests(t->model)) return; /* nothing to ask */
  if (status || glimpse_planner_begin(planner, start, t->seed)) trial_fail(t, "no planner", status, 0);
  glimpse_decision d;
  glimpse_budget budget = {.expansions = 60};
  if (glimpse_planner_plan(planner, &budget, &d)) trial_fail(t, "no decision", 0, 0);
  check_legal(t, &d);
  if (!isfinite(d.value) && glimpse_planner_traits(options->kind) & GLIMPSE_TRAIT_RANDOM)
    trial_fail(t, "value", d.value, 0);
  if (isinf(d.value) || isinf(d.lower) || isinf(d.upper)) trial_fail(t, "an infinite number", d.lower, d.upper);
  for (uint32_t a = 0; a < t->actions; a++) {
    glimpse_choice choice = glimpse_planner_choice(planner, a);
    if (isinf(choice.value) || isinf(choice.lower) || isinf(choice.upper))
      trial_fail(t, "an infinite choice", choice.value, a);
    if (choice.visits && isnan(choice.value)) trial_fail(t, "a choice without value", a, (double)choice.visits);
  }
  if ((glimpse_planner_traits(options->kind) & GLIMPSE_BASELINE) == GLIMPSE_BASELINE)
    check_rule_bounds(t, planner, &d, start);
  glimpse_choice made = glimpse_planner_choice(planner, d.ask ? GLIMPSE_ANY : d.action);
  if (glimpse_planner_traits(options->kind) & GLIMPSE_TRAIT_RANDOM && d.expansions && !isfinite(made.value))
    trial_fail(t, "decided from", made.value, 0);
  glimpse_planner_free(planner);
}

static void check_others(trial *t) {
  glimpse_offline *offline = offline_of(t, 0);
  for (glimpse_rollout rollout = 0; rollout < GLIMPSE_ROLLOUTS; rollout++) {
    glimpse_planner_options options = {
        .kind = GLIMPSE_PLANNER_POMCP, .rollout = rollout, .seed = t->seed, .particles = 50};
    trial_doing(t, "pomcp (%s)", glimpse_rollout_key(rollout));
    check_rule_planner(t, offline, &options);
  }
  for (glimpse_planner_kind kind = 0; kind < GLIMPSE_PLANNER_KINDS; kind++)
    for (glimpse_act act = 0; act < GLIMPSE_ACTS && glimpse_planner_traits(kind) & GLIMPSE_TRAIT_RULE; act++) {
      glimpse_planner_options options = {.kind = kind, .act = act, .entropy = 0.1 * (double)(t->seed % 8)};
      trial_doing(t, "%s (%s)", glimpse_planner_key(kind), glimpse_act_key(act));
      check_rule_planner(t, offline, &options);
    }
  glimpse_planner_options paper = {.improve = GLIMPSE_IMPROVE_PAPER, .paper = true};
  trial_doing(t, "the paper's improvement");
  if (!trial_slow(t)) check_rule_planner(t, offline, &paper);
  glimpse_offline_free(offline);
}

/* ------------------------------------------------------------------- equivalent */

static void check_equivalent(trial *t) {
  double discount = glimpse_model_discount(t->model);
  double leaves = pow((t->actions + 1.0) * (t->observations + t->states), 2.0 * t->member.horizon);
  if (!glimpse_model_requests(t->model) || discount <= 0 || t->member.course != RANDOM_ENDS || leaves > 1e6) return;
  trial_doing(t, "equivalent");
  glimpse_model *other = NULL;
  if (glimpse_model_equivalent(t->model, NULL, &other)) trial_fail(t, "no equivalent", 0, 0);
  oracle *o = oracle_new(other, 2 * t->member.horizon);
  precise mine = oracle_value(t->oracle, glimpse_model_start(t->model)).low;
  oracle_range its = oracle_value(o, glimpse_model_start(other));
  double want = sqrt(discount) * precise_value(mine), slack = 1e-13 * (t->size + t->price);
  if (!(precise_value(its.low) <= want + slack && precise_value(its.high) >= want - slack))
    trial_fail(t, "another value", precise_value(its.low), want);
  if (precise_value(its.high) - precise_value(its.low) > slack)
    trial_fail(t, "the oracle does not see its end", precise_value(its.low), precise_value(its.high));
  oracle_free(o);
  glimpse_model_free(other);
}

/* --------------------------------------------------------------------- the runs */

static void check_model(trial *t, trial_tally *count) {
  check_round_trip(t);
  check_bounds(t);
  check_searches(t, count);
  check_agent(t, count);
  check_others(t);
  check_equivalent(t);
}

static void run_family(random_family family) {
  trial_tally met = trial_run(family, check_model);
  print_message(", %u looks, %u searches solved, %u steps, %u requests\n", met.looks, met.solved, met.steps, met.asked);
  if (met.models >= 4) assert_true(met.solved >= met.models / 4);
}

static void test_known(void **state) {
  (void)state;
  trial_run_known(check_model);
}

#define X(name, key, text)                                                                                             \
  static void test_##name(void **state) {                                                                              \
    (void)state;                                                                                                       \
    run_family(RANDOM_FAMILY_##name);                                                                                  \
  }
RANDOM_FAMILY_TABLE(X)
#undef X

int main(void) {
  const struct CMUnitTest tests[] = {
#define X(name, key, text) {key, test_##name, NULL, NULL, NULL},
      RANDOM_FAMILY_TABLE(X)
#undef X
          cmocka_unit_test(test_known)};
  return cmocka_run_group_tests_name("random models", tests, NULL, NULL);
}
