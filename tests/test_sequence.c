/* Sequence: against all strings tried one by one, against the equations of its plans, and where it must
 * not be better than the best.
 *
 * Covers src/bounds/sequence_search.c, src/bounds/strings.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "bounds/task.h"
#include "bounds/unsure.h"
#include "support/environment.h"
#include "support/price.h"
#include "support/random_model.h"

enum { MOST_STATES = 5 };

static glimpse_bound *make(const glimpse_model *model, glimpse_bound_kind kind, glimpse_bound_options options,
                           uint32_t depth) {
  glimpse_bound *bound = NULL;
  gli_bound_given given = {.depth = depth};
  assert_int_equal(gli_bound_make(model, kind, &options, &given, NULL, &bound), GLIMPSE_OK);
  return bound;
}

/* What it starts from. */
typedef struct lowers {
  glimpse_bound *blind, *ask; /* the latter NULL without requests */
  glimpse_bound *unsure;      /* likewise; without values where it is no better than asking always */
} lowers;

static lowers lowers_make(const glimpse_model *model) {
  lowers simple = {.blind = make(model, GLIMPSE_BOUND_BLIND, (glimpse_bound_options){0}, 0)};
  if (!glimpse_model_requests(model)) return simple;
  gli_bound_task task;
  simple.ask = make(model, GLIMPSE_BOUND_ALWAYS_ASK, (glimpse_bound_options){0}, 0);
  simple.unsure = GLI_NEW(glimpse_bound, 1);
  assert_true(simple.unsure && gli_bound_task_start(&task, model, NULL, 0));
  assert_true(gli_unsure_make(&task, simple.ask, simple.unsure));
  return simple;
}

static void lowers_free(lowers *simple) {
  glimpse_bound_free(simple->blind);
  glimpse_bound_free(simple->ask);
  glimpse_bound_free(simple->unsure);
}

/* What is known without strings; before its iterations came to an end it may be less. */
static double unsure_in(const lowers *simple, uint32_t s) {
  return simple->unsure && simple->unsure->value ? simple->unsure->known[s] : -INFINITY;
}

static glimpse_bound *make_from(const glimpse_model *model, const lowers *simple, glimpse_bound_options options,
                                uint32_t depth) {
  glimpse_bound *bound = NULL;
  gli_bound_given given = {.bound = {[GLIMPSE_BOUND_BLIND] = simple->blind, [GLIMPSE_BOUND_ALWAYS_ASK] = simple->ask},
                           .depth = depth};
  assert_int_equal(gli_bound_make(model, GLIMPSE_BOUND_SEQUENCE, &options, &given, NULL, &bound), GLIMPSE_OK);
  assert_true(bound->vectors >= 1 && (depth || bound->vectors <= 128));
  if (!depth && bound->vectors > 32) assert_true((uint64_t)bound->vectors * bound->states <= 1 << 19);
  return bound;
}

/* -------------------------------------------------------------------- all strings */

typedef struct naive {
  const glimpse_model *model;
  const glimpse_bound *blind;
  uint32_t states, actions;
  double known[MOST_STATES];
} naive;

static double naive_end(const naive *n, const double *x) {
  double best = -INFINITY, ask = 0;
  for (uint32_t k = 0; k < n->actions; k++) {
    double sum = 0;
    for (uint32_t s = 0; s < n->states; s++) sum += x[s] * glimpse_bound_entry(n->blind, k, s);
    best = fmax(best, sum);
  }
  for (uint32_t s = 0; s < n->states; s++) ask += x[s] * (n->known[s] - price_in(n->model, s));
  return glimpse_model_requests(n->model) ? fmax(best, ask) : best;
}

/* The best string of at most so many more actions, of at least one at the beginning. */
static double naive_best(const naive *n, const double *x, uint32_t more, bool begin) {
  double best = begin ? -INFINITY : naive_end(n, x);
  for (uint32_t a = 0; a < n->actions && more; a++) {
    double next[MOST_STATES] = {0}, reward = 0;
    for (uint32_t s = 0; s < n->states; s++) {
      glimpse_row row = glimpse_model_transition(n->model, a, s);
      reward += x[s] * glimpse_model_reward(n->model, a, s);
      for (size_t i = 0; i < row.count; i++) next[row.index[i]] += x[s] * row.value[i];
    }
    best = fmax(best, reward + glimpse_model_discount(n->model) * naive_best(n, next, more - 1, false));
  }
  return best;
}

static naive naive_solve(const glimpse_model *model, const lowers *simple, uint32_t depth) {
  naive n = {.model = model,
             .blind = simple->blind,
             .states = glimpse_model_count(model, GLIMPSE_STATE),
             .actions = glimpse_model_count(model, GLIMPSE_ACTION)};
  for (uint32_t s = 0; s < n.states; s++) n.known[s] = -1e6;
  for (double error = 1e7; error > 1e-11; error *= fmax(0.1, glimpse_model_discount(model)))
    for (uint32_t s = 0; s < n.states; s++) {
      double certain[MOST_STATES] = {0};
      certain[s] = 1;
      n.known[s] =
          glimpse_model_terminal(model, s) ? 0 : fmax(unsure_in(simple, s), naive_best(&n, certain, depth, true));
    }
  return n;
}

/* Each vector promises no more than its plan gives from the vector or the request that follows as they are
 * stored, and N no more than the best of the vectors and of the plans that need none. */
static void check_plans(const glimpse_model *model, const glimpse_bound *bound, const lowers *simple, double loose) {
  for (uint32_t k = 0; k < bound->vectors; k++) {
    gli_plan plan = gli_bound_plan(bound, k);
    assert_true(plan.action < glimpse_model_count(model, GLIMPSE_ACTION));
    assert_true(plan.next <= k || plan.next == GLI_PLAN_ASK);
    if (plan.next == GLI_PLAN_ASK) assert_true(glimpse_model_requests(model));
    for (uint32_t s = 0; s < bound->states; s++) {
      glimpse_row row = glimpse_model_transition(model, plan.action, s);
      double sum = 0;
      for (size_t i = 0; i < row.count; i++) {
        uint32_t s2 = row.index[i];
        sum += row.value[i] * (plan.next == GLI_PLAN_ASK ? gli_bound_known(bound, s2) - price_in(model, s2)
                                                         : glimpse_bound_entry(bound, plan.next, s2));
      }
      double value = glimpse_model_reward(model, plan.action, s) + glimpse_model_discount(model) * sum;
      double slack = 1e-9 * (1 + fabs(value));
      double made = glimpse_bound_entry(bound, k, s);
      assert_true(made <= value + (plan.next == k ? slack : 0)); /* blind ones may have been stopped early */
      if (plan.next == k) assert_true(made == glimpse_bound_entry(simple->blind, plan.action, s));
      else assert_true(made > value - slack - loose);
    }
  }
  for (uint32_t s = 0; s < bound->states; s++) {
    double most = gli_bound_known(simple->blind, s);
    if (simple->ask) most = fmax(most, gli_bound_known(simple->ask, s));
    for (uint32_t k = 0; k < bound->vectors; k++) most = fmax(most, glimpse_bound_entry(bound, k, s));
    double known = gli_bound_known(bound, s);
    assert_true(known == most || (known > most && known <= unsure_in(simple, s) + 1e-9 * (1 + fabs(known))));
    if (!bound->asking) continue;
    double asking = gli_bound_known(bound, s) - price_in(model, s);
    double rounding = 1e-15 * (fabs(known) + price_in(model, s));
    assert_true(bound->asking[s] <= asking + rounding && bound->asking[s] > asking - 1e-9);
  }
}

static void test_all_strings(void **state) {
  (void)state;
  unsigned longer = 0;
  for (uint64_t seed = 0; seed < 100; seed++) {
    random_shape shape = random_model_shape(seed, MOST_STATES, 3, 2);
    if (shape.discount > 0.9) shape.discount = 0.85;
    glimpse_model *model = random_model_make(seed, &shape);
    lowers simple = lowers_make(model);
    for (uint32_t depth = 1; depth <= 3; depth++) {
      naive n = naive_solve(model, &simple, depth);
      glimpse_bound *bound = make_from(model, &simple, (glimpse_bound_options){.effort = 1e9}, depth);
      assert_true(bound->result.converged);
      for (uint32_t s = 0; s < shape.states; s++) {
        double made = gli_bound_known(bound, s), slack = 1e-10 * (1 + fabs(made));
        if (!(made <= n.known[s] + slack && made >= n.known[s] - 1e-6))
          fail_msg("seed %llu, depth %u: %.12g in state %u, wanted %.12g", (unsigned long long)seed, depth, made, s,
                   n.known[s]);
      }
      check_plans(model, bound, &simple, 1e-8);
      for (uint32_t k = 0; k < bound->vectors; k++)
        longer += gli_bound_plan(bound, k).next < k && gli_bound_plan(bound, gli_bound_plan(bound, k).next).next != k;
      glimpse_bound_free(bound);
    }
    lowers_free(&simple);
    glimpse_model_free(model);
  }
  assert_true(longer > 50);
}

/* However much or little was done, all that is stored is supported by what is stored. */
static void test_supported(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 150; seed++) {
    random_shape shape = random_model_shape(seed, 12, 4, 3);
    glimpse_model *model = random_model_make(seed, &shape);
    lowers simple = lowers_make(model);
    const glimpse_bound_options cases[] = {{.effort = 1e-300},    {.effort = 0.01},   {.effort = 0.1},
                                           {.effort = 1},         {.max_time = 1e-9}, {.max_iterations = 1},
                                           {.max_iterations = 4}, {.threads = 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
      glimpse_bound *bound = make_from(model, &simple, cases[i], 0);
      check_plans(model, bound, &simple, INFINITY);
      glimpse_bound_free(bound);
    }
    lowers_free(&simple);
    glimpse_model_free(model);
  }
}

/* With the strings of likely states behind them, strings are at least as good as those that are tried alone;
 * stopped early or late, the plans are what they say and promise no more than knowing everything. */
static void test_stopped(void **state) {
  (void)state;
  static const char *const specs[] = {
      "tag", "robot-delivery:n=3", "robot-delivery:n=15", "robot-delivery:n=3,c=0", "rock-sample", "tiger", "lemma2",
      "toy"};
  for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
    glimpse_model *model = environment_make(specs[i]);
    glimpse_bound *mdp = make(model, GLIMPSE_BOUND_QMDP, (glimpse_bound_options){0}, 0);
    lowers simple = lowers_make(model);
    const glimpse_bound_options cases[] = {{.max_iterations = 1}, {.max_iterations = 2}, {.max_iterations = 3},
                                           {.max_time = 1e-9},    {.effort = 1e-300},    {.effort = 0.1},
                                           {.effort = 1},         {.threads = 1}};
    double before[8];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
      glimpse_bound *bound = make_from(model, &simple, cases[k], 0);
      check_plans(model, bound, &simple, INFINITY);
      for (uint32_t s = 0; s < bound->states; s++) assert_true(gli_bound_known(bound, s) <= mdp->known[s]);
      before[k] = glimpse_bound_value(bound, glimpse_model_start(model));
      glimpse_bound_free(bound);
    }
    assert_true(before[7] >= before[6] - 1e-9 && before[6] >= before[5] - 1e-9 && before[5] >= before[4] - 1e-9);
    lowers_free(&simple);
    glimpse_bound_free(mdp);
    glimpse_model_free(model);
  }
}

static void test_known_values(void **state) {
  (void)state;
  glimpse_model *tag = environment_make("tag"), *rock = environment_make("rock-sample");
  static const double all[] = {-9.578394, -7.276925, -6.615739};
  double value;
  for (uint32_t depth = 1; depth <= 3; depth++) {
    glimpse_bound *bound = make(tag, GLIMPSE_BOUND_SEQUENCE, (glimpse_bound_options){.effort = 1e9}, depth);
    value = glimpse_bound_value(bound, glimpse_model_start(tag));
    /* strings that end by asking, whatever is known then; not asking where that is certain is better */
    if (!(value > all[depth - 1] + 0.1 && value < -4.2994))
      fail_msg("all strings of %u actions in Tag: %.9g", depth, value);
    glimpse_bound_free(bound);
  }
  glimpse_bound *grown = make(tag, GLIMPSE_BOUND_SEQUENCE, (glimpse_bound_options){0}, 0);
  value = glimpse_bound_value(grown, glimpse_model_start(tag));
  assert_true(value > -5.8 && value < -4.2994);
  /* Look at the rocks by asking, then collect the good ones: one request is all it takes. */
  glimpse_bound *collect = make(rock, GLIMPSE_BOUND_SEQUENCE, (glimpse_bound_options){0}, 0);
  value = glimpse_bound_value(collect, glimpse_model_start(rock));
  assert_true(value > 21.41 && value < 21.557);
  glimpse_bound_free(grown);
  glimpse_bound_free(collect);
  glimpse_model_free(tag);
  glimpse_model_free(rock);
}

/* What the accessors say of the other lower bounds. */
static void test_accessors(void **state) {
  (void)state;
  glimpse_model *model = environment_make("tag");
  glimpse_bound *blind = make(model, GLIMPSE_BOUND_BLIND, (glimpse_bound_options){0}, 0);
  glimpse_bound *ask = make(model, GLIMPSE_BOUND_ALWAYS_ASK, (glimpse_bound_options){0}, 0);
  for (uint32_t k = 0; k < blind->vectors; k++) {
    assert_int_equal(gli_bound_plan(blind, k).action, k);
    assert_int_equal(gli_bound_plan(blind, k).next, k);
  }
  for (uint32_t s = 0; s < blind->states; s++) {
    double most = -INFINITY;
    for (uint32_t k = 0; k < blind->vectors; k++) most = fmax(most, glimpse_bound_entry(blind, k, s));
    assert_true(gli_bound_known(blind, s) == most);
    double known = glimpse_model_terminal(model, s) ? 0 : glimpse_bound_entry(ask, 0, s) + 1;
    assert_true(gli_bound_known(ask, s) <= known && gli_bound_known(ask, s) > known - 1e-12);
  }
  glimpse_bound_free(blind);
  glimpse_bound_free(ask);
  glimpse_model_free(model);
}

/* More actions than vectors are kept: those that states use. */
static void test_many_actions(void **state) {
  (void)state;
  enum { ACTIONS = 60 };
  glimpse_builder *builder = glimpse_builder_new(2, ACTIONS, 1);
  assert_non_null(builder);
  for (uint32_t a = 0; a < ACTIONS; a++)
    for (uint32_t s = 0; s < 2; s++) {
      glimpse_builder_transition(builder, a, s, 1 - s, 1);
      glimpse_builder_reward(builder, a, s, GLIMPSE_ANY, GLIMPSE_ANY, a == 40 + s ? 1 : 0);
    }
  glimpse_builder_observation(builder, GLIMPSE_ANY, GLIMPSE_ANY, 0, 1);
  glimpse_builder_discount(builder, 0.5);
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_builder_finish(builder, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(builder);
  lowers simple = lowers_make(model);
  glimpse_bound *bound = make_from(model, &simple, (glimpse_bound_options){0}, 0);
  check_plans(model, bound, &simple, 1e-8);
  lowers_free(&simple);
  /* 40, 41, 40, 41, ... earns 1 each time: 2, but for what is left after the longest string. */
  for (uint32_t s = 0; s < 2; s++) assert_true(gli_bound_known(bound, s) > 2 - 1e-6 && gli_bound_known(bound, s) <= 2);
  glimpse_bound_free(bound);
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_strings), cmocka_unit_test(test_supported),
                                     cmocka_unit_test(test_stopped),     cmocka_unit_test(test_known_values),
                                     cmocka_unit_test(test_accessors),   cmocka_unit_test(test_many_actions)};
  return cmocka_run_group_tests_name("sequence", tests, NULL, NULL);
}
