/* Random models: everything that plans, on models of every family (support/random_family.h),
 * against an oracle whose own error is known (support/oracle.h), so that bounds are compared
 * with no tolerance at all.  For each model:
 *   - written and read again it is the same, bit for bit;
 *   - every offline bound, also one that was stopped early, contains the value at the start,
 *     at random beliefs and in every state; FIB is not above QMDP;
 *   - every search contains it at every look, for V and for each choice; its bounds never get
 *     worse; it decides for something legal; "solved" means solved, and plans that end are
 *     solved;
 *   - in graphs of every form, with each ingredient switched off in turn, nodes, choices, children, corners, vectors
 *     and points are on the right side, and the plain form agrees when both are solved;
 *   - the agent's beliefs are those of a naive dense update, and normalised;
 *   - POMCP and the baselines decide for something legal from finite numbers, and the baselines' bounds contain the
 * value of each choice;
 *   - the equivalent POMDP has the same value.
 *
 * GLIMPSE_RANDOM_MODELS   models of each family, default 12
 * GLIMPSE_RANDOM_FIRST    the first seed, default 1
 * GLIMPSE_RANDOM_FAMILY   only this family
 * A failure names the family and the seed. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "graph/maker.h"
#include "graph/sawtooth.h"
#include "graph/tuning.h"
#include "graph/vectors.h"
#include "support/oracle.h"
#include "support/pomdp.h"
#include "support/random_family.h"
#include "support/same_model.h"
#include "support/search_case.h"

enum { MOST_STATES = 128, EXPANSIONS = 24, STEPS = 4 };

typedef struct trial {
  random_family family;
  uint64_t seed;
  random_member member;
  glimpse_model *model;
  uint32_t states, actions, observations;
  oracle *oracle;
  gli_random random;
  double size, price; /* no value is larger; nor is any price */
  double scale;       /* nor is what a graph measures by, which without requests adds what the safest plan may lose */
  char doing[160];
} trial;

/* What was met, so that a family that tests nothing is seen. */
typedef struct tally {
  unsigned models, narrow, looks, solved, asked, steps, vectors, points;
} tally;

static void fail_trial(const trial *t, const char *what, double a, double b) {
  fail_msg("family %s, seed %llu, %s: %s: %.17g, %.17g", random_family_key(t->family), (unsigned long long)t->seed,
           t->doing, what, a, b);
}

static void doing(trial *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void doing(trial *t, const char *format, ...) {
  va_list list;
  va_start(list, format);
  (void)vsnprintf(t->doing, sizeof t->doing, format, list);
  va_end(list);
}

/* ------------------------------------------------------------- the strict test */

static void check_lower(const trial *t, const char *what, double lower, oracle_range value) {
  if (!(fabs(lower) <= DBL_MAX)) fail_trial(t, what, lower, NAN);
  if (precise_below(value.high, lower)) {
    precise off = precise_subtract(precise_of(lower), value.high);
    fail_trial(t, what, lower, precise_value(off));
  }
}

static void check_upper(const trial *t, const char *what, double upper, oracle_range value) {
  if (!(fabs(upper) <= DBL_MAX)) fail_trial(t, what, upper, NAN);
  if (precise_above(value.low, upper)) {
    precise off = precise_subtract(value.low, precise_of(upper));
    fail_trial(t, what, upper, precise_value(off));
  }
}

/* --------------------------------------------------------------------- beliefs */

typedef struct belief {
  uint32_t index[MOST_STATES];
  double value[MOST_STATES];
  size_t count;
} belief;

static glimpse_row row_of(const belief *b) {
  return (glimpse_row){b->count, b->index, b->value};
}

static belief copy_of(glimpse_row row) {
  belief b = {.count = row.count};
  memcpy(b.index, row.index, row.count * sizeof *b.index);
  memcpy(b.value, row.value, row.count * sizeof *b.value);
  return b;
}

static belief certain(uint32_t s) {
  return (belief){.index = {s}, .value = {1}, .count = 1};
}

static belief any_belief(trial *t) {
  belief b = {0};
  double sum = 0;
  for (uint32_t s = 0; s < t->states; s++) {
    if (gli_random_below(&t->random, 4) == 0 && s + 1 < t->states) continue;
    b.index[b.count] = s;
    b.value[b.count++] = gli_random_unit(&t->random) + 0x1p-60;
  }
  for (size_t i = 0; i < b.count; i++) sum += b.value[i];
  for (size_t i = 0; i < b.count; i++) b.value[i] /= sum;
  return b;
}

/* ------------------------------------------------------------------ round trip */

static void check_round_trip(trial *t) {
  doing(t, "round trip");
  size_t length;
  char *text = pomdp_write(t->model, &length);
  glimpse_model *again = NULL;
  if (glimpse_pomdp_read(text, length, "random", NULL, NULL, &again) != GLIMPSE_OK)
    fail_trial(t, "what was written is not read", 0, 0);
  const char *difference = same_model_difference(t->model, again);
  if (difference) fail_trial(t, difference, 0, 0);
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
    if (glimpse_bound_get(kind)->side < 0) check_lower(t, glimpse_bound_get(kind)->key, bound, value);
    else check_upper(t, glimpse_bound_get(kind)->key, bound, value);
    if (glimpse_bound_get(kind)->side < 0) low = fmax(low, bound);
    else high = fmin(high, bound);
  }
  if (!(low <= high)) fail_trial(t, "a lower bound above an upper one", low, high);
  glimpse_bound *fib = glimpse_model_requests(t->model) ? bounds[GLIMPSE_BOUND_FIB_SR] : bounds[GLIMPSE_BOUND_FIB];
  double informed = glimpse_bound_value(fib, at), qmdp = glimpse_bound_value(bounds[GLIMPSE_BOUND_QMDP], at);
  if (informed > qmdp) fail_trial(t, "fib above qmdp", informed, qmdp);
  glimpse_bound *tib = glimpse_model_requests(t->model) ? bounds[GLIMPSE_BOUND_TIB_SR] : bounds[GLIMPSE_BOUND_TIB];
  double tighter = glimpse_bound_value(tib, at);
  if (tighter > informed) fail_trial(t, "tib above fib", tighter, informed);
}

static void check_bounds(trial *t) {
  for (unsigned variant = 0; variant < 3; variant++) {
    glimpse_bound_options options = bound_options(t, variant);
    glimpse_bound *bounds[GLIMPSE_BOUND_KINDS] = {0};
    doing(t, "bounds, variant %u", variant);
    for (glimpse_bound_kind kind = 0; kind < GLIMPSE_BOUND_KINDS; kind++) {
      if (!glimpse_bound_applies(kind, t->model)) continue;
      if (glimpse_bound_new(t->model, kind, &options, NULL, &bounds[kind])) fail_trial(t, "no bound", kind, 0);
      glimpse_bound_result result = glimpse_bound_measure(bounds[kind]);
      if (!(result.error >= 0 && result.error <= DBL_MAX)) fail_trial(t, "the error of a bound", result.error, kind);
    }
    check_bound_at(t, bounds, glimpse_model_start(t->model));
    for (int i = 0; i < 2; i++) {
      belief b = any_belief(t);
      check_bound_at(t, bounds, row_of(&b));
    }
    for (uint32_t s = 0; s < t->states && variant == 0; s++) {
      belief b = certain(s);
      check_bound_at(t, bounds, row_of(&b));
    }
    for (glimpse_bound_kind kind = 0; kind < GLIMPSE_BOUND_KINDS; kind++) glimpse_bound_free(bounds[kind]);
  }
}

/* --------------------------------------------------------------------- searches */

/* What may be open when all is expanded (docs/ROBUSTNESS.md): a fringe gap that counts as none, 8 roundings of a backup
 * over 1 - discount, and what each backup on the way moves outward, 2. */
static double rounding(const trial *t) {
  double backup = 5 * (4.0 * t->states + t->observations + 20) * 0x1p-53;
  return 10 * backup * t->scale / (1 - glimpse_model_discount(t->model));
}

/* Where equal beliefs are one, near ones are, too: links between them change no value by more than so much of the
 * largest, and a gap of four times that counts as none. */
static double merging(const trial *t, const glimpse_planner_options *o) {
  return o->kind == GLIMPSE_PLANNER_AEMS_LOOP ? 4 * GLI_TUNING_MERGE * t->scale : 0;
}

/* The plain form does not tell of changes below a threshold: the paper's, or what counts as none. */
static double open_gap(const trial *t, const glimpse_planner_options *o) {
  double none = rounding(t) + merging(t, o), threshold = o->paper ? 1e-6 : o->plain ? none : 0;
  return none + 4 * threshold / (1 - glimpse_model_discount(t->model));
}

static void check_legal(trial *t, const glimpse_decision *d) {
  if (d->ask) {
    if (!glimpse_model_requests(t->model)) fail_trial(t, "asks where that is not possible", 0, 0);
  } else if (d->action >= t->actions) {
    fail_trial(t, "no such action", d->action, 0);
  }
}

/* What the oracle knows of a belief: its value, and that of each choice. */
enum { MOST_CHOICES = 4 };
typedef struct truth {
  oracle_range value, choice[MOST_CHOICES];
} truth;

static bool may_ask(const trial *t, glimpse_row at) {
  return glimpse_model_requests(t->model) && at.count > 1;
}

static truth truth_of(const trial *t, glimpse_row at) {
  truth known = {.value = oracle_value(t->oracle, at)};
  assert_true(t->actions < MOST_CHOICES);
  for (uint32_t a = 0; a < t->actions; a++) known.choice[a] = oracle_choice(t->oracle, at, a);
  if (may_ask(t, at)) known.choice[t->actions] = oracle_choice(t->oracle, at, GLIMPSE_ANY);
  return known;
}

/* One look at what a planner with bounds knows. */
static void check_look(trial *t, const glimpse_planner *planner, const glimpse_decision *d, glimpse_row at,
                       const truth *known) {
  oracle_range value = known->value;
  check_lower(t, "lower bound", d->lower, value);
  check_upper(t, "upper bound", d->upper, value);
  check_lower(t, "offline lower bound", d->offline_lower, value);
  check_upper(t, "offline upper bound", d->offline_upper, value);
  if (!(d->lower <= d->upper)) fail_trial(t, "lower above upper", d->lower, d->upper);
  check_legal(t, d);
  double most = -INFINITY;
  for (uint32_t a = 0; a <= t->actions; a++) {
    bool asks = a == t->actions;
    glimpse_choice choice = glimpse_planner_choice(planner, asks ? GLIMPSE_ANY : a);
    if (asks && !may_ask(t, at)) {
      if (!isnan(choice.lower)) fail_trial(t, "asking has bounds where it is not possible", choice.lower, at.count);
      continue;
    }
    if (asks && t->family == RANDOM_FAMILY_RARE && isnan(choice.lower)) continue; /* all but one state vanished */
    oracle_range then = known->choice[a];
    check_lower(t, asks ? "lower bound of asking" : "lower bound of an action", choice.lower, then);
    check_upper(t, asks ? "upper bound of asking" : "upper bound of an action", choice.upper, then);
    most = fmax(most, choice.lower);
  }
  glimpse_choice made = glimpse_planner_choice(planner, d->ask ? GLIMPSE_ANY : d->action);
  if (made.lower < most) fail_trial(t, "not the best promise", made.lower, most);
  if (made.lower < d->lower) fail_trial(t, "the decision is worth less than what is reported", made.lower, d->lower);
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

/* Discounts next to 1 and cycles: the plain form then takes a tenth of a second for each expansion. */
static bool is_slow(const trial *t) {
  return glimpse_model_discount(t->model) > 0.998 && t->member.course != RANDOM_ENDS;
}

static void check_solved(trial *t, const glimpse_decision *d, oracle_range value, double gap, bool must) {
  if (d->stop != GLIMPSE_STOP_SOLVED) { /* next to a discount of 1 rounding may keep the bounds apart */
    if (must && !(glimpse_model_discount(t->model) > 0.9999 && d->stop == GLIMPSE_STOP_ROUNDING))
      fail_trial(t, "a plan that ends is not solved", d->lower, d->upper);
    return;
  }
  if (d->upper - d->lower > gap) fail_trial(t, "solved, but the gap is open", d->upper - d->lower, gap);
  if (precise_above(value.low, d->lower + 2 * gap)) fail_trial(t, "solved, but far below", d->lower, d->upper);
  if (precise_below(value.high, d->upper - 2 * gap)) fail_trial(t, "solved, but far above", d->lower, d->upper);
}

static glimpse_planner_options suited_form(const trial *t, unsigned number) {
  glimpse_planner_options options = search_form(number);
  if (is_slow(t)) options.plain = options.paper = false;
  return options;
}

static void check_search(trial *t, const glimpse_offline *offline, unsigned number, tally *count) {
  glimpse_planner_options options = suited_form(t, number);
  glimpse_planner *planner = NULL;
  glimpse_row start = glimpse_model_start(t->model);
  truth known = truth_of(t, start);
  doing(t, "search %u (%s)", number, name_of(&options));
  if (glimpse_planner_new(t->model, offline, &options, NULL, &planner) || glimpse_planner_begin(planner, start, 0))
    fail_trial(t, "no planner", 0, 0);
  double lower = -INFINITY, upper = INFINITY;
  glimpse_decision d = {0};
  for (unsigned i = 0; i < (is_slow(t) ? 8 : EXPANSIONS) && d.stop != GLIMPSE_STOP_SOLVED; i++) {
    glimpse_budget one = {.expansions = i < 8 ? 1 : 8};
    if (glimpse_planner_plan(planner, &one, &d)) fail_trial(t, "no decision", 0, 0);
    check_look(t, planner, &d, start, &known);
    if (d.lower < lower) fail_trial(t, "the lower bound fell", d.lower, lower);
    if (d.upper > upper) fail_trial(t, "the upper bound rose", d.upper, upper);
    lower = d.lower;
    upper = d.upper;
    count->looks++;
  }
  /* Else the tree is too large. */
  bool few = t->observations <= 8 && (options.kind != GLIMPSE_PLANNER_AEMS || t->member.horizon < 3);
  if (t->member.course == RANDOM_ENDS && few && d.stop != GLIMPSE_STOP_SOLVED) {
    glimpse_budget plenty = {.expansions = 5000};
    if (glimpse_planner_plan(planner, &plenty, &d)) fail_trial(t, "no decision", 0, 0);
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
  if (glimpse_offline_new(t->model, upper, &options, NULL, &offline)) fail_trial(t, "no offline bounds", upper, 0);
  return offline;
}

static void check_searches(trial *t, tally *count) {
  for (unsigned k = 0; k < 4; k++) {
    glimpse_offline *offline = offline_of(t, k % 3);
    check_search(t, offline, (unsigned)((t->seed * 4 + k) * 7 % FORMS), count);
    glimpse_offline_free(offline);
  }
}

/* ------------------------------------------------------------------ whole graphs */

/* A bound of a belief other than the root, whose own numbers are rounded: within the slack of some backups. */
static void check_within(const trial *t, const char *what, double bound, double slack, oracle_range value, int side) {
  if (side < 0) check_lower(t, what, bound - slack, value);
  else check_upper(t, what, bound + slack, value);
}

static void check_node(trial *t, const gli_graph *graph, uint32_t node) {
  gli_node *n = gli_graph_node(graph, node);
  glimpse_row at = gli_graph_belief(graph, n);
  double slack = 4 * gli_graph_slack(graph, 0);
  oracle_range value = oracle_value(t->oracle, at);
  check_within(t, "lower bound of a node", n->lower, slack, value, -1);
  check_within(t, "upper bound of a node", n->upper, slack, value, 1);
  for (uint32_t c = 0; c <= t->actions && n->greedy != GLI_NONE && t->observations <= 64; c++) {
    if (c == t->actions && !gli_node_can_ask(graph, n)) continue;
    oracle_range then = oracle_choice(t->oracle, at, c == t->actions ? GLIMPSE_ANY : c);
    double lower = gli_node_lowers(graph, n)[c], upper = gli_node_uppers(n)[c];
    check_within(t, "lower bound of a node's choice", lower, 4 * gli_graph_slack(graph, lower), then, -1);
    check_within(t, "upper bound of a node's choice", upper, 4 * gli_graph_slack(graph, upper), then, 1);
  }
}

/* All children of one choice of a node: each as if it were the root. */
static void check_children(trial *t, gli_graph *graph, uint32_t node, uint32_t choice) {
  gli_outcome to;
  for (uint32_t i = 0; i < 8 && gli_graph_outcome(graph, node, choice, i, &to); i++) {
    gli_bounds bounds = gli_graph_bounds_of(graph, &to);
    belief b = certain(to.label);
    if (choice < t->actions) {
      if (to.probability < 1e-200) continue; /* it has no digits left */
      if (!gli_maker_follow(graph, gli_graph_belief(graph, gli_graph_node(graph, node)), choice, to.label))
        fail_trial(t, "a child that cannot be met", node, to.label);
      b = copy_of(gli_sparse_row(&graph->maker->belief));
    }
    oracle_range value = oracle_value(t->oracle, row_of(&b));
    double slack = 4 * gli_graph_slack(graph, 0);
    check_within(t, "lower bound of a child", bounds.lower, slack, value, -1);
    check_within(t, "upper bound of a child", bounds.upper, slack, value, 1);
  }
}

static void check_corners(trial *t, const gli_graph *graph) {
  for (uint32_t s = 0; s < t->states && s < 8; s++) {
    belief b = certain(s);
    oracle_range value = oracle_value(t->oracle, row_of(&b));
    check_lower(t, "lower bound of a corner", graph->corner[s].lower, value);
    check_upper(t, "upper bound of a corner", graph->corner[s].upper, value);
    if (graph->corner[s].lower > graph->corner[s].upper + gli_graph_slack(graph, 0))
      fail_trial(t, "a corner's bounds cross", graph->corner[s].lower, graph->corner[s].upper);
  }
}

/* Every vector is below the value everywhere; every point bounds the actions from above. */
static void check_learnt(trial *t, gli_graph *graph, tally *count) {
  for (unsigned i = 0; i < 3; i++) {
    belief b = i ? any_belief(t) : copy_of(glimpse_model_start(t->model));
    oracle_range value = oracle_value(t->oracle, row_of(&b));
    for (uint32_t k = 0; graph->vectors && k < graph->vectors->count; k++) {
      if (gli_vectors_at(graph, k)->state == GLI_VECTOR_FREE) continue;
      check_lower(t, "a vector", gli_vectors_value(graph, k, row_of(&b)), value);
      count->vectors++;
    }
    if (!graph->sawtooth || !graph->sawtooth->count || b.count == 1) continue;
    double uppers[MOST_CHOICES];
    for (uint32_t a = 0; a < t->actions; a++) uppers[a] = DBL_MAX;
    gli_sawtooth_lower(graph, row_of(&b), uppers, false);
    for (uint32_t a = 0; a < t->actions; a++)
      check_upper(t, "the sawtooth", uppers[a], oracle_choice(t->oracle, row_of(&b), a));
    count->points++;
  }
}

static void check_graph(trial *t, search_case *c, tally *count) {
  gli_graph *graph = c->graph;
  unsigned looks = t->states > 16 || t->observations > 64 ? 1 : 8;
  for (unsigned i = 0; i < looks; i++) {
    uint32_t node = i ? gli_random_below(&t->random, (uint32_t)graph->node_count) : graph->root;
    check_node(t, graph, node);
    check_children(t, graph, node, gli_random_below(&t->random, t->actions + 1));
  }
  check_corners(t, graph);
  check_learnt(t, graph, count);
  truth known = truth_of(t, glimpse_model_start(t->model));
  const gli_node *root = gli_graph_node(graph, graph->root);
  check_lower(t, "lower bound of the root", root->lower, known.value);
  check_upper(t, "upper bound of the root", root->upper, known.value);
}

/* All that a graph of any form knows, after a few expansions and after more; what the plain form gives is the same
 * when both are solved. */
static void check_graphs(trial *t, tally *count) {
  static const unsigned expansions[] = {1, 4, 15, 60};
  unsigned number = (unsigned)(t->seed * 11 + (unsigned)t->family) % SEARCH_CASE_OPTIONS;
  gli_graph_options options = search_case_options(number);
  search_case c;
  search_case_start(&c, t->seed, random_family_make(t->family, t->seed).model);
  if (t->seed % 2) search_case_loosen(&c);
  search_case_search(&c, &options, false);
  glimpse_stop stop = GLIMPSE_STOP_NONE;
  for (unsigned i = 0; i < 4; i++) {
    doing(t, "graph %u (%s) after %u more expansions", number, search_case_name(&options), expansions[i]);
    stop = search_case_run(&c, expansions[i]);
    check_graph(t, &c, count);
  }
  if (stop == GLIMPSE_STOP_SOLVED && !is_slow(t)) {
    gli_search *plain = search_case_other(&c, &options, true);
    glimpse_stop also = gli_search_run(plain, &(glimpse_budget){.expansions = 200}, 0);
    const gli_node *mine = search_case_root(&c), *its = gli_graph_node(plain->graph, plain->graph->root);
    double gap = 4 * rounding(t) + 2 * c.graph->floor / (1 - c.graph->discount);
    if (also == GLIMPSE_STOP_SOLVED && (fabs(mine->upper - its->upper) > gap || fabs(mine->lower - its->lower) > gap))
      fail_trial(t, "both are solved, but not alike", mine->upper, its->upper);
    gli_graph *graph = plain->graph;
    gli_search_free(plain);
    gli_graph_free(graph);
  }
  search_case_stop(&c);
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
  double next[MOST_STATES] = {0}, sum = 0;
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
    if (!(row.value[i] > 0 && row.value[i] <= 1)) fail_trial(t, "a probability", row.value[i], row.index[i]);
    sum += row.value[i];
    if (dense && fabs(row.value[i] - dense[row.index[i]]) > 1e-13)
      fail_trial(t, "another belief than the naive one", row.value[i], dense[row.index[i]]);
  }
  if (fabs(sum - 1) > (2 + 0.5 * (double)row.count) * DBL_EPSILON) fail_trial(t, "a belief sums to", sum, 1);
}

static void check_agent(trial *t, tally *count) {
  glimpse_planner_options options = suited_form(t, (unsigned)(t->seed * 5 % FORMS));
  glimpse_offline *offline = offline_of(t, 0);
  glimpse_planner *planner = NULL;
  doing(t, "agent (%s)", name_of(&options));
  if (glimpse_planner_new(t->model, offline, &options, NULL, &planner)) fail_trial(t, "no planner", 0, 0);
  glimpse_agent *agent = glimpse_agent_new(t->model, planner, NULL);
  if (!agent || glimpse_agent_begin(agent, 0)) fail_trial(t, "no agent", 0, 0);
  uint32_t state = sample(t, glimpse_model_start(t->model));
  double dense[MOST_STATES] = {0};
  glimpse_row start = glimpse_model_start(t->model);
  for (size_t i = 0; i < start.count; i++) dense[start.index[i]] = start.value[i];
  bool same = true; /* the naive update has not lost its digits */
  for (unsigned step = 0; step < STEPS; step++) {
    glimpse_decision d;
    glimpse_budget budget = {.expansions = 6};
    if (glimpse_agent_decide(agent, &budget, &d)) fail_trial(t, "no decision", step, 0);
    belief now = copy_of(glimpse_belief_row(glimpse_agent_belief(agent)));
    check_belief(t, row_of(&now), same ? dense : NULL);
    truth there = truth_of(t, row_of(&now));
    check_look(t, planner, &d, row_of(&now), &there);
    if (d.ask) {
      if (glimpse_agent_reveal(agent, state, &d)) fail_trial(t, "no decision after asking", step, 0);
      belief corner = certain(state);
      oracle_range known = oracle_choice(t->oracle, row_of(&corner), 0); /* no asking again */
      for (uint32_t a = 1; a < t->actions; a++) {
        oracle_range other = oracle_choice(t->oracle, row_of(&corner), a);
        known.low = precise_larger(known.low, other.low);
        known.high = precise_larger(known.high, other.high);
      }
      check_lower(t, "lower bound after asking", d.lower, known);
      check_upper(t, "upper bound after asking", d.upper, known);
      if (d.ask || d.action >= t->actions) fail_trial(t, "asks twice, or for no action", d.action, 0);
      for (uint32_t s = 0; s < t->states; s++) dense[s] = s == state;
      same = true;
      count->asked++;
    }
    uint32_t a = gli_random_below(&t->random, 3) ? d.action : gli_random_below(&t->random, t->actions);
    if (a == GLIMPSE_ANY) a = 0;
    state = sample(t, glimpse_model_transition(t->model, a, state));
    uint32_t seen = sample(t, glimpse_model_observation(t->model, a, state));
    if (glimpse_agent_observe(agent, a, seen)) fail_trial(t, "an observation is refused", a, seen);
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
  check_lower(t, "lower bound", d->lower, value);
  check_upper(t, "upper bound", d->upper, value);
  for (uint32_t a = 0; a < t->actions + (glimpse_model_requests(t->model) ? 1 : 0); a++) {
    bool asks = a == t->actions; /* also where the state is known */
    glimpse_choice choice = glimpse_planner_choice(planner, asks ? GLIMPSE_ANY : a);
    oracle_range then = oracle_choice(t->oracle, at, asks ? GLIMPSE_ANY : a);
    check_lower(t, asks ? "lower bound of asking" : "lower bound of an action", choice.lower, then);
    check_upper(t, asks ? "upper bound of asking" : "upper bound of an action", choice.upper, then);
  }
}

static void check_rule_planner(trial *t, const glimpse_offline *offline, const glimpse_planner_options *options) {
  glimpse_planner *planner = NULL;
  glimpse_row start = glimpse_model_start(t->model);
  glimpse_status status = glimpse_planner_new(t->model, offline, options, NULL, &planner);
  if (status == GLIMPSE_NOT_APPLICABLE && !glimpse_model_requests(t->model)) return; /* nothing to ask */
  if (status || glimpse_planner_begin(planner, start, t->seed)) fail_trial(t, "no planner", status, 0);
  glimpse_decision d;
  glimpse_budget budget = {.expansions = 60};
  if (glimpse_planner_plan(planner, &budget, &d)) fail_trial(t, "no decision", 0, 0);
  check_legal(t, &d);
  if (!isfinite(d.value) && glimpse_planner_traits(options->kind) & GLIMPSE_TRAIT_RANDOM)
    fail_trial(t, "value", d.value, 0);
  if (isinf(d.value) || isinf(d.lower) || isinf(d.upper)) fail_trial(t, "an infinite number", d.lower, d.upper);
  for (uint32_t a = 0; a < t->actions; a++) {
    glimpse_choice choice = glimpse_planner_choice(planner, a);
    if (isinf(choice.value) || isinf(choice.lower) || isinf(choice.upper))
      fail_trial(t, "an infinite choice", choice.value, a);
    if (choice.visits && isnan(choice.value)) fail_trial(t, "a choice without value", a, (double)choice.visits);
  }
  if (glimpse_planner_traits(options->kind) & GLIMPSE_TRAIT_RULE) check_rule_bounds(t, planner, &d, start);
  glimpse_choice made = glimpse_planner_choice(planner, d.ask ? GLIMPSE_ANY : d.action);
  if (glimpse_planner_traits(options->kind) & GLIMPSE_TRAIT_RANDOM && d.expansions && !isfinite(made.value))
    fail_trial(t, "decided from", made.value, 0);
  glimpse_planner_free(planner);
}

static void check_others(trial *t) {
  glimpse_offline *offline = offline_of(t, 0);
  for (glimpse_rollout rollout = 0; rollout < GLIMPSE_ROLLOUTS; rollout++) {
    glimpse_planner_options options = {
        .kind = GLIMPSE_PLANNER_POMCP, .rollout = rollout, .seed = t->seed, .particles = 50};
    doing(t, "pomcp (%s)", glimpse_rollout_key(rollout));
    check_rule_planner(t, offline, &options);
  }
  for (glimpse_planner_kind kind = 0; kind < GLIMPSE_PLANNER_KINDS; kind++)
    for (glimpse_act act = 0; act < GLIMPSE_ACTS && glimpse_planner_traits(kind) & GLIMPSE_TRAIT_RULE; act++) {
      glimpse_planner_options options = {.kind = kind, .act = act, .entropy = 0.1 * (double)(t->seed % 8)};
      doing(t, "%s (%s)", glimpse_planner_key(kind), glimpse_act_key(act));
      check_rule_planner(t, offline, &options);
    }
  glimpse_planner_options paper = {.improve = GLIMPSE_IMPROVE_PAPER, .paper = true};
  doing(t, "the paper's improvement");
  if (!is_slow(t)) check_rule_planner(t, offline, &paper);
  glimpse_offline_free(offline);
}

/* ------------------------------------------------------------------- equivalent */

static void check_equivalent(trial *t) {
  double discount = glimpse_model_discount(t->model);
  double leaves = pow((t->actions + 1.0) * (t->observations + t->states), 2.0 * t->member.horizon);
  if (!glimpse_model_requests(t->model) || discount <= 0 || t->member.course != RANDOM_ENDS || leaves > 1e6) return;
  doing(t, "equivalent");
  glimpse_model *other = NULL;
  if (glimpse_model_equivalent(t->model, NULL, &other)) fail_trial(t, "no equivalent", 0, 0);
  oracle *o = oracle_new(other, 2 * t->member.horizon);
  precise mine = oracle_value(t->oracle, glimpse_model_start(t->model)).low;
  oracle_range its = oracle_value(o, glimpse_model_start(other));
  double want = sqrt(discount) * precise_value(mine), slack = 1e-13 * (t->size + t->price);
  if (!(precise_value(its.low) <= want + slack && precise_value(its.high) >= want - slack))
    fail_trial(t, "another value", precise_value(its.low), want);
  if (precise_value(its.high) - precise_value(its.low) > slack)
    fail_trial(t, "the oracle does not see its end", precise_value(its.low), precise_value(its.high));
  oracle_free(o);
  glimpse_model_free(other);
}

/* --------------------------------------------------------------------- the runs */

static void measure(trial *t) {
  double reward = 0, price = 0;
  for (uint32_t s = 0; s < t->states; s++) {
    for (uint32_t a = 0; a < t->actions; a++) reward = fmax(reward, fabs(glimpse_model_reward(t->model, a, s)));
    price = fmax(price, glimpse_model_cost(t->model, s));
  }
  double value = reward / (1 - glimpse_model_discount(t->model));
  t->size = value + fmin(price, value);
  t->scale = glimpse_model_requests(t->model) ? t->size : 2 * value;
  t->price = price;
}

static void check_model(random_family family, uint64_t seed, tally *count) {
  trial t = {.family = family, .seed = seed, .member = random_family_make(family, seed)};
  t.model = t.member.model;
  t.states = glimpse_model_count(t.model, GLIMPSE_STATE);
  t.actions = glimpse_model_count(t.model, GLIMPSE_ACTION);
  t.observations = glimpse_model_count(t.model, GLIMPSE_OBSERVATION);
  assert_true(t.states <= MOST_STATES);
  t.random = gli_random_stream(seed, "trial", (uint64_t)family);
  measure(&t);
  t.oracle = oracle_new(t.model, t.member.horizon);
  oracle_range value = oracle_value(t.oracle, glimpse_model_start(t.model));
  double width = precise_value(precise_subtract(value.high, value.low)) + value.high.error + value.low.error;
  count->narrow += width <= 1e-20 * t.size;
  count->models++;
  check_round_trip(&t);
  check_bounds(&t);
  check_searches(&t, count);
  check_graphs(&t, count);
  check_agent(&t, count);
  check_others(&t);
  check_equivalent(&t);
  oracle_free(t.oracle);
  glimpse_model_free(t.model);
}

static uint64_t number_of(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

/* -------------------------------------------------------------------- two states */

static void check_pair_at(const search_case *c, const char *what, gli_bounds bounds, double exact) {
  double error = search_case_error(c) + 4 * gli_graph_slack(c->graph, exact);
  if (!(bounds.lower <= exact + error)) search_case_fail(c, what, bounds.lower, exact);
  if (!(bounds.upper >= exact - error)) search_case_fail(c, what, bounds.upper, exact);
}

/* Everything in the graph, for the value of every belief is known. */
static size_t check_pair(search_case *c) {
  gli_graph *graph = c->graph;
  size_t looks = 0;
  for (uint32_t node = 0; node < graph->node_count; node++) {
    gli_node *n = gli_graph_node(graph, node);
    glimpse_row at = gli_graph_belief(graph, n);
    double exact = n->state == GLI_NONE ? search_case_value(c, at) : search_case_act(c, at);
    check_pair_at(c, "a node", (gli_bounds){n->upper, n->lower}, exact);
    for (uint32_t choice = 0; choice <= graph->actions && n->greedy != GLI_NONE; choice++) {
      if (choice == graph->actions && !gli_node_can_ask(graph, n)) continue;
      gli_bounds known = {gli_node_uppers(n)[choice], gli_node_lowers(graph, n)[choice]};
      check_pair_at(c, "a choice", known, search_case_choice(c, at, choice));
      gli_outcome to;
      for (uint32_t i = 0; gli_graph_outcome(graph, node, choice, i, &to); i++, looks++) {
        belief b = certain(to.label);
        if (choice < graph->actions && gli_maker_follow(graph, at, choice, to.label))
          b = copy_of(gli_sparse_row(&graph->maker->belief));
        double value = b.count == 1 ? search_case_act(c, row_of(&b)) : search_case_value(c, row_of(&b));
        check_pair_at(c, "a child", gli_graph_bounds_of(graph, &to), value);
      }
    }
  }
  for (uint32_t s = 0; s < 2; s++) {
    belief b = certain(s);
    gli_bounds known = {graph->corner[s].upper, graph->corner[s].lower};
    check_pair_at(c, "a corner", known, search_case_act(c, row_of(&b)));
  }
  return looks;
}

/* Models of two states by the thousand, each in one of all forms, with requests and without, with the same price or one
 * for each state; now and then the root moves. */
static void test_pairs(void **state) {
  (void)state;
  uint64_t first = number_of("GLIMPSE_RANDOM_FIRST", 1), count = 100 * number_of("GLIMPSE_RANDOM_MODELS", 12);
  if (getenv("GLIMPSE_RANDOM_FAMILY")) skip();
  size_t looks = 0;
  for (uint64_t seed = first; seed < first + count; seed++) {
    random_shape shape = search_case_pair(seed, seed % 3 > 0);
    gli_graph_options options = search_case_options((unsigned)(seed * 7 % SEARCH_CASE_OPTIONS));
    gli_random random = gli_random_stream(seed, "pairs", 0);
    if (shape.discount > 0.8) shape.discount = 0.8;
    search_case c;
    search_case_start(&c, seed, random_model_make(seed, &shape));
    if (seed % 2) search_case_loosen(&c);
    search_case_exact(&c);
    search_case_search(&c, &options, seed % 8 == 0);
    for (unsigned i = 0; i < 4; i++) {
      static const unsigned expansions[] = {1, 3, 10, 25};
      search_case_run(&c, expansions[i]);
      looks += check_pair(&c);
      gli_outcome to;
      uint32_t a = gli_random_below(&random, shape.actions);
      if (seed % 4 || !gli_graph_outcome(c.graph, c.graph->root, a, 0, &to)) continue;
      if (!gli_maker_follow(c.graph, gli_graph_belief(c.graph, search_case_root(&c)), a, to.label)) continue;
      belief b = copy_of(gli_sparse_row(&c.graph->maker->belief));
      assert_true(gli_search_move(c.search, a, to.label, row_of(&b)));
    }
    search_case_stop(&c);
  }
  print_message("pairs: %llu models, %zu looks at children\n", (unsigned long long)count, looks);
  assert_true(looks > 20 * count);
}

static void run_family(random_family family) {
  uint64_t first = number_of("GLIMPSE_RANDOM_FIRST", 1), count = number_of("GLIMPSE_RANDOM_MODELS", 12);
  const char *only = getenv("GLIMPSE_RANDOM_FAMILY");
  if (only && *only && strcmp(only, random_family_key(family)) != 0) skip();
  bool slow = family == RANDOM_FAMILY_OBSERVATIONS || family == RANDOM_FAMILY_LARGE;
  if (slow) count = (count + 2) / 6 + (count < 4); /* they take 30 times as long */
  tally met = {0};
  for (uint64_t seed = first; seed < first + count; seed++) check_model(family, seed, &met);
  print_message(
      "%s: %u models (seeds %llu to %llu), %u of them known to 1e-20, %u looks, %u searches solved, %u steps, "
      "%u requests, %u looks at vectors, %u at points\n",
      random_family_key(family), met.models, (unsigned long long)first, (unsigned long long)(first + count - 1),
      met.narrow, met.looks, met.solved, met.steps, met.asked, met.vectors, met.points);
  if (count >= 4) assert_true(met.narrow >= met.models / 4 && met.solved >= met.models / 4);
}

/* Models that were wrong once. */
static void test_known(void **state) {
  (void)state;
  static const struct {
    random_family family;
    uint64_t seed;
  } known[] = {{RANDOM_FAMILY_RARE, 51},
               {RANDOM_FAMILY_RARE, 334},
               {RANDOM_FAMILY_NEAR_SINGULAR, 1066},
               {RANDOM_FAMILY_OBSERVATIONS, 107},
               {RANDOM_FAMILY_UNREACHABLE, 2043}};
  tally met = {0};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) check_model(known[i].family, known[i].seed, &met);
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
          cmocka_unit_test(test_pairs),
      cmocka_unit_test(test_known)};
  return cmocka_run_group_tests_name("random models", tests, NULL, NULL);
}
