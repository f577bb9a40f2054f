/* Bounds: against closed forms, against naive fixed points of the equations, and
 * against the value itself, from oracles that know nothing of bounds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bounds/bound.h"
#include "support/exact.h"
#include "support/failing_malloc.h"
#include "support/naive_bound.h"
#include "support/random_model.h"

enum { MOST_STATES = 6 };

static glimpse_model *environment(const char *spec) {
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_environment_make(spec, NULL, &model), GLIMPSE_OK);
  return model;
}

static glimpse_bound *solve(const glimpse_model *model, glimpse_bound_kind kind, glimpse_bound_options options) {
  glimpse_bound *bound = NULL;
  assert_int_equal(glimpse_bound_new(model, kind, &options, NULL, &bound), GLIMPSE_OK);
  assert_non_null(bound);
  return bound;
}

static const glimpse_bound_options precise = {.tolerance = 1e-13};

/* a <= b up to rounding; prints what is compared and the seed when it is not. */
static void check_below(double a, double b, double slack, const char *what, uint64_t seed) {
  double size = fmax(1, fmax(fabs(a), fabs(b)));
  if (a <= b + slack * size) return;
  print_error("seed %llu: %s: %.17g > %.17g\n", (unsigned long long)seed, what, a, b);
  fail();
}

/* -------------------------------------------------------------- closed forms */

static void test_lemma_2(void **state) {
  (void)state;
  glimpse_model *model = environment("lemma2");
  double discount = glimpse_model_discount(model), cost = glimpse_model_cost(model, 0), far = discount / (1 - discount);
  assert_true(glimpse_model_requests(model));
  glimpse_bound *qmdp = solve(model, GLIMPSE_BOUND_QMDP, precise);
  glimpse_bound *ask = solve(model, GLIMPSE_BOUND_ALWAYS_ASK, precise);
  assert_int_equal(glimpse_bound_measure(qmdp).vectors, 3);
  assert_float_equal(glimpse_bound_value(qmdp, glimpse_model_start(model)), far, 1e-9);
  for (uint32_t a = 0; a < 2; a++)
    for (uint32_t s = 0; s < 2; s++) assert_float_equal(glimpse_bound_entry(qmdp, a, s), far + (a == s ? 1 : -1), 1e-9);
  for (uint32_t s = 0; s < 2; s++)
    assert_float_equal(glimpse_bound_entry(ask, 0, s), (1 - cost) / (1 - discount), 1e-9);
  double asking = glimpse_bound_value(ask, glimpse_model_start(model));
  glimpse_bound_free(qmdp);
  glimpse_bound_free(ask);

  /* Why FIB is refused: computed as if there were no requests it is below a plan. */
  glimpse_bound *fib = NULL;
  assert_int_equal(glimpse_model_set_cost(model, 0), GLIMPSE_OK);
  fib = solve(model, GLIMPSE_BOUND_FIB, precise);
  for (uint32_t a = 0; a < 2; a++)
    for (uint32_t s = 0; s < 2; s++) assert_float_equal(glimpse_bound_entry(fib, a, s), a == s ? 1 : -1, 1e-9);
  assert_true(glimpse_bound_value(fib, glimpse_model_start(model)) < asking - 1);
  glimpse_bound_free(fib);
  glimpse_model_free(model);
}

/* What the paper's Lemma 1 overlooks: for a small price asking at once is worth more
 * than the QMDP vectors of the actions say, so asking needs a vector too. */
static void test_lemma_1(void **state) {
  (void)state;
  glimpse_model *model = environment("lemma2");
  assert_int_equal(glimpse_model_set_discount(model, 0.95), GLIMPSE_OK);
  assert_int_equal(glimpse_model_set_cost(model, 0.01), GLIMPSE_OK);
  exact_line *exact = exact_line_new(model);
  glimpse_bound *qmdp = solve(model, GLIMPSE_BOUND_QMDP, precise);
  double value = exact_line_value(exact, 0.5), actions = -INFINITY;
  for (uint32_t a = 0; a < 2; a++)
    actions = fmax(actions, 0.5 * glimpse_bound_entry(qmdp, a, 0) + 0.5 * glimpse_bound_entry(qmdp, a, 1));
  assert_float_equal(actions, 19, 1e-9);
  assert_float_equal(value, 0.99 / 0.05, 1e-9);
  check_below(value, glimpse_bound_value(qmdp, glimpse_model_start(model)), 1e-9, "V <= qmdp", 0);
  glimpse_bound_free(qmdp);
  exact_line_free(exact);
  glimpse_model_free(model);
}

/* Known state is worth 10 per step, unknown ones listening first. */
static void test_tiger(void **state) {
  (void)state;
  static const double costs[] = {0.25, 0.5, 5, 8, 9, 9.5, 20};
  glimpse_model *model = environment("tiger");
  assert_float_equal(glimpse_model_discount(model), 0.95, 0);
  for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
    assert_int_equal(glimpse_model_set_cost(model, costs[i]), GLIMPSE_OK);
    exact_line *exact = exact_line_new(model);
    double value = exact_line_value(exact, 0.5);
    assert_float_equal(value, fmax(20 * (10 - costs[i]), 19.371368), 1e-5);
    glimpse_bound *ask = solve(model, GLIMPSE_BOUND_ALWAYS_ASK, precise);
    glimpse_bound *fib_sr = solve(model, GLIMPSE_BOUND_FIB_SR, precise);
    assert_float_equal(glimpse_bound_value(ask, glimpse_model_start(model)), 20 * (10 - costs[i]), 1e-8);
    check_below(value, glimpse_bound_value(fib_sr, glimpse_model_start(model)), 1e-9, "V <= fib_sr", i);
    glimpse_bound_free(ask);
    glimpse_bound_free(fib_sr);
    exact_line_free(exact);
  }
  glimpse_model_free(model);
}

/* Blind in Tag: moving is -1 for ever, and the terminal state is worth exactly 0. */
static void test_terminal(void **state) {
  (void)state;
  glimpse_model *model = environment("tag");
  uint32_t states = glimpse_model_count(model, GLIMPSE_STATE), actions = glimpse_model_count(model, GLIMPSE_ACTION);
  glimpse_bound *blind = solve(model, GLIMPSE_BOUND_BLIND, precise);
  glimpse_bound *upper = solve(model, GLIMPSE_BOUND_FIB_SR, precise);
  uint32_t terminals = 0, moving = 0;
  for (uint32_t s = 0; s < states; s++) {
    for (uint32_t a = 0; a < actions; a++) {
      double v = glimpse_bound_entry(blind, a, s);
      if (!glimpse_model_terminal(model, s)) moving += fabs(v + 20) < 1e-9;
      else assert_true(v == 0 && glimpse_bound_entry(upper, a, s) == 0);
    }
    if (!glimpse_model_terminal(model, s)) continue;
    assert_true(glimpse_bound_entry(upper, actions, s) == 0); /* nobody is asked */
    terminals++;
  }
  assert_int_equal(terminals, 1);
  assert_int_equal(moving, 4 * (states - 1));
  glimpse_bound_free(blind);
  glimpse_bound_free(upper);
  glimpse_model_free(model);
}

/* -------------------------------------------------------- naive fixed points */

/* Every entry is on its side of the fixed point and as near as it claims. */
static void check_entries(const glimpse_bound *bound, const naive_bound *v, uint64_t seed) {
  glimpse_bound_result result = glimpse_bound_measure(bound);
  int side = glimpse_bound_get(result.kind)->side;
  assert_int_equal(result.vectors, v->vectors);
  for (uint32_t k = 0; k < v->vectors; k++)
    for (uint32_t s = 0; s < v->states; s++) {
      double made = side * glimpse_bound_entry(bound, k, s), true_one = side * v->value[k * v->states + s];
      check_below(true_one, made, 1e-10, "an entry on the wrong side", seed);
      check_below(made, true_one + result.error, 1e-10, "an entry too far away", seed);
    }
}

/* TIB and SEQUENCE have tests of their own. */
static bool simple(glimpse_bound_kind kind) {
  return kind < GLIMPSE_BOUND_TIB;
}

static void test_fixed_points(void **state) {
  (void)state;
  unsigned solved[GLIMPSE_BOUND_KINDS] = {0};
  for (uint64_t seed = 0; seed < 300; seed++) {
    random_shape shape = random_model_shape(seed, MOST_STATES, 4, 4);
    if (shape.discount > 0.9 && seed % 4) shape.discount = 0.8;
    glimpse_model *model = random_model_make(seed, &shape);
    for (glimpse_bound_kind kind = 0; kind < GLIMPSE_BOUND_KINDS; kind++) {
      if (!simple(kind) || !glimpse_bound_applies(kind, model)) continue;
      naive_bound v = naive_bound_solve(model, kind);
      glimpse_bound *bound = solve(model, kind, (glimpse_bound_options){0});
      glimpse_bound_result result = glimpse_bound_measure(bound);
      assert_int_equal(result.kind, kind);
      assert_true(result.converged);
      assert_true(result.residual >= 0 && result.iterations >= 1 && result.seconds >= 0);
      double steps = 1 / (1 - shape.discount), size = 3 + (kind == GLIMPSE_BOUND_ALWAYS_ASK ? 1.5 * shape.cost : 0);
      check_below(result.error, 1e-9 * steps + 1e-14 * size * steps * steps, 0, "error of a converged bound", seed);
      check_entries(bound, &v, seed);
      glimpse_bound_free(bound);
      /* Stopped after a few sweeps: still on the right side, still no farther than it says. */
      static const uint64_t sweeps[] = {1, 2, 3, 10};
      for (size_t i = 0; i < sizeof sweeps / sizeof *sweeps; i++) {
        bound = solve(model, kind, (glimpse_bound_options){.tolerance = 1e-300, .max_iterations = sweeps[i]});
        assert_true(glimpse_bound_measure(bound).iterations <= sweeps[i]);
        check_entries(bound, &v, seed);
        glimpse_bound_free(bound);
      }
      naive_bound_free(&v);
      solved[kind]++;
    }
    glimpse_model_free(model);
  }
  for (int kind = 0; kind < GLIMPSE_BOUND_TIB; kind++) assert_true(solved[kind] > 30);
}

/* Several blocks, of which each reads the others' old values; with an end and without. */
static void test_blocks(void **state) {
  (void)state;
  for (uint32_t terminals = 0; terminals < 2; terminals++) {
    random_shape shape = {.states = 150, .actions = 2, .observations = 2, .spread = 600, .low = -1, .high = 1};
    shape.terminals = terminals;
    shape.discount = 0.3;
    shape.cost = 0.05;
    glimpse_model *model = random_model_make(60 + terminals, &shape);
    for (glimpse_bound_kind kind = 0; kind < GLIMPSE_BOUND_KINDS; kind++) {
      if (!simple(kind) || !glimpse_bound_applies(kind, model)) continue;
      naive_bound v = naive_bound_solve(model, kind);
      glimpse_bound *bound = solve(model, kind, precise);
      glimpse_bound *stopped = solve(model, kind, (glimpse_bound_options){.max_iterations = 2});
      check_entries(bound, &v, 60 + terminals);
      check_entries(stopped, &v, 60 + terminals);
      glimpse_bound_free(bound);
      glimpse_bound_free(stopped);
      naive_bound_free(&v);
    }
    glimpse_model_free(model);
  }
}

/* ----------------------------------------------------------------- the value */

typedef struct all_bounds {
  glimpse_bound *bound[GLIMPSE_BOUND_KINDS]; /* NULL where it does not apply */
} all_bounds;

static all_bounds solve_all(const glimpse_model *model, glimpse_bound_options options) {
  all_bounds all = {{0}};
  for (glimpse_bound_kind kind = 0; kind < GLIMPSE_BOUND_KINDS; kind++)
    if (glimpse_bound_applies(kind, model)) all.bound[kind] = solve(model, kind, options);
  return all;
}

static void free_all(all_bounds *all) {
  for (int kind = 0; kind < GLIMPSE_BOUND_KINDS; kind++) glimpse_bound_free(all->bound[kind]);
}

/* Lower bounds <= V <= upper bounds with V in [low, high], TIB(-SR) <= FIB(-SR) <= QMDP to the last bit,
 * and sequence is not below blind and always-ask. */
static void check_order(const all_bounds *all, glimpse_row belief, double low, double high, uint64_t seed) {
  for (int kind = 0; kind < GLIMPSE_BOUND_KINDS; kind++) {
    if (!all->bound[kind]) continue;
    const glimpse_bound_info *info = glimpse_bound_get((glimpse_bound_kind)kind);
    double value = glimpse_bound_value(all->bound[kind], belief);
    if (info->side < 0) check_below(value, high, 1e-9, info->key, seed);
    else check_below(low, value, 1e-9, info->key, seed);
  }
  const glimpse_bound *informed =
      all->bound[GLIMPSE_BOUND_FIB] ? all->bound[GLIMPSE_BOUND_FIB] : all->bound[GLIMPSE_BOUND_FIB_SR];
  double qmdp = glimpse_bound_value(all->bound[GLIMPSE_BOUND_QMDP], belief);
  if (glimpse_bound_value(informed, belief) > qmdp) check_below(1, 0, 0, "fib <= qmdp", seed);
  const glimpse_bound *tighter =
      all->bound[GLIMPSE_BOUND_TIB] ? all->bound[GLIMPSE_BOUND_TIB] : all->bound[GLIMPSE_BOUND_TIB_SR];
  if (glimpse_bound_value(tighter, belief) > glimpse_bound_value(informed, belief))
    check_below(1, 0, 0, "tib <= fib", seed);
  double sequence = glimpse_bound_value(all->bound[GLIMPSE_BOUND_SEQUENCE], belief);
  for (glimpse_bound_kind kind = GLIMPSE_BOUND_BLIND; kind <= GLIMPSE_BOUND_ALWAYS_ASK; kind++)
    if (all->bound[kind] && glimpse_bound_value(all->bound[kind], belief) > sequence)
      check_below(1, 0, 0, "blind and always-ask <= sequence", seed);
}

static void test_random_models(void **state) {
  (void)state;
  for (uint64_t seed = 1000; seed < 1300; seed++) {
    random_shape shape = random_model_shape(seed, MOST_STATES, 3, 3);
    glimpse_model *model = random_model_make(seed, &shape);
    exact_tree *tree = exact_tree_new(model, exact_tree_horizon(model, 300));
    all_bounds full = solve_all(model, (glimpse_bound_options){0});
    all_bounds stopped = solve_all(model, (glimpse_bound_options){.max_iterations = 1 + seed % 3});
    gli_random random = gli_random_stream(seed, "beliefs", 0);
    for (int i = 0; i < 8; i++) {
      double dense[MOST_STATES], value[MOST_STATES], low, high;
      uint32_t index[MOST_STATES];
      random_belief(&random, shape.states, dense);
      glimpse_row row = random_belief_row(dense, shape.states, index, value);
      exact_tree_value(tree, dense, &low, &high);
      check_order(&full, row, low, high, seed);
      check_order(&stopped, row, low, high, seed);
    }
    free_all(&full);
    free_all(&stopped);
    exact_tree_free(tree);
    glimpse_model_free(model);
  }
}

/* Two states, where V is known to many digits also for discounts near 1. */
static void test_two_states(void **state) {
  (void)state;
  unsigned asking_pays = 0;
  for (uint64_t seed = 2000; seed < 2120; seed++) {
    random_shape shape = random_model_shape(seed, 2, 4, 3);
    shape.states = 2;
    shape.terminals = seed % 8 == 0;
    shape.spread = 1 + seed % 3;
    if (seed % 10 == 0) shape.discount = 0.98;
    if (seed % 2) shape.cost = 0.01 * (double)(seed % 40);
    glimpse_model *model = random_model_make(seed, &shape);
    exact_line *exact = exact_line_new(model);
    all_bounds full = solve_all(model, (glimpse_bound_options){0});
    all_bounds stopped = solve_all(model, (glimpse_bound_options){.max_iterations = 1 + seed % 5});
    for (int i = 0; i <= 20; i++) {
      double dense[2] = {1 - i / 20.0, i / 20.0}, value[2];
      uint32_t index[2];
      glimpse_row row = random_belief_row(dense, 2, index, value);
      double v = exact_line_value(exact, dense[1]);
      check_order(&full, row, v, v, seed);
      check_order(&stopped, row, v, v, seed);
      if (full.bound[GLIMPSE_BOUND_ALWAYS_ASK])
        asking_pays += glimpse_bound_value(full.bound[GLIMPSE_BOUND_ALWAYS_ASK], row) >
                       glimpse_bound_value(full.bound[GLIMPSE_BOUND_BLIND], row);
    }
    free_all(&full);
    free_all(&stopped);
    exact_line_free(exact);
    glimpse_model_free(model);
  }
  assert_true(asking_pays > 100); /* the models are not all of one kind */
}

/* The two oracles agree where both can be had. */
static void test_oracles(void **state) {
  (void)state;
  for (uint64_t seed = 3000; seed < 3040; seed++) {
    random_shape shape = random_model_shape(seed, 2, 3, 2);
    shape.states = 2;
    shape.terminals = 0;
    glimpse_model *model = random_model_make(seed, &shape);
    exact_line *line = exact_line_new(model);
    exact_tree *tree = exact_tree_new(model, exact_tree_horizon(model, 2000));
    for (int i = 0; i <= 4; i++) {
      double dense[2] = {1 - i / 4.0, i / 4.0}, low, high, v = exact_line_value(line, dense[1]);
      exact_tree_value(tree, dense, &low, &high);
      check_below(low, v, 1e-9, "tree <= line", seed);
      check_below(v, high, 1e-9, "line <= tree", seed);
    }
    exact_line_free(line);
    exact_tree_free(tree);
    glimpse_model_free(model);
  }
}

/* --------------------------------------------------------------- extremes */

static void test_one_state(void **state) {
  (void)state;
  random_shape shape = {
      .states = 1, .actions = 3, .observations = 2, .spread = 1, .low = -1, .high = 1, .discount = 0.9, .cost = 0.25};
  glimpse_model *model = random_model_make(7, &shape);
  double best = -INFINITY;
  for (uint32_t a = 0; a < 3; a++) best = fmax(best, glimpse_model_reward(model, a, 0));
  all_bounds all = solve_all(model, precise);
  glimpse_row start = glimpse_model_start(model);
  assert_float_equal(glimpse_bound_value(all.bound[GLIMPSE_BOUND_BLIND], start), 10 * best, 1e-10);
  assert_float_equal(glimpse_bound_value(all.bound[GLIMPSE_BOUND_QMDP], start), 10 * best, 1e-10);
  assert_float_equal(glimpse_bound_value(all.bound[GLIMPSE_BOUND_FIB_SR], start), 10 * best, 1e-10);
  assert_float_equal(glimpse_bound_value(all.bound[GLIMPSE_BOUND_ALWAYS_ASK], start), 10 * (best - 0.25), 1e-10);
  free_all(&all);
  glimpse_model_free(model);
}

static void test_discount_0(void **state) {
  (void)state;
  random_shape shape = {.states = 4, .actions = 3, .observations = 2, .spread = 3, .low = -1, .high = 1, .cost = 0.5};
  glimpse_model *model = random_model_make(8, &shape);
  all_bounds all = solve_all(model, (glimpse_bound_options){0});
  for (uint32_t s = 0; s < 4; s++)
    for (uint32_t a = 0; a < 3; a++) {
      double r = glimpse_model_reward(model, a, s);
      assert_float_equal(glimpse_bound_entry(all.bound[GLIMPSE_BOUND_BLIND], a, s), r, 1e-14);
      assert_float_equal(glimpse_bound_entry(all.bound[GLIMPSE_BOUND_QMDP], a, s), r, 1e-14);
      assert_float_equal(glimpse_bound_entry(all.bound[GLIMPSE_BOUND_FIB_SR], a, s), r, 1e-14);
    }
  free_all(&all);
  glimpse_model_free(model);
}

/* The scale of the rewards does not keep the iteration from ending. */
static void test_scales(void **state) {
  (void)state;
  static const double scales[] = {1e-300, 1e-20, 1e15, 1e100, 1e270};
  for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
    random_shape shape = {.states = 5,
                          .actions = 3,
                          .observations = 3,
                          .spread = 4,
                          .low = -scales[i],
                          .high = scales[i],
                          .discount = 0.95,
                          .cost = scales[i] / 8};
    glimpse_model *model = random_model_make(20 + i, &shape);
    for (glimpse_bound_kind kind = 0; kind < GLIMPSE_BOUND_KINDS; kind++) {
      if (!glimpse_bound_applies(kind, model)) continue;
      glimpse_bound *bound = solve(model, kind, (glimpse_bound_options){0});
      assert_true(glimpse_bound_measure(bound).converged);
      for (uint32_t k = 0; k < glimpse_bound_measure(bound).vectors; k++)
        assert_true(fabs(glimpse_bound_entry(bound, k, 0)) <= fmax(21 * 1.25 * scales[i], 1e-6));
      glimpse_bound_free(bound);
    }
    glimpse_model_free(model);
  }
}

/* A model that never ends and a discount close to 1: the common part of all values
 * is found at once instead of in a hundred thousand sweeps. */
static void test_close_to_1(void **state) {
  (void)state;
  random_shape shape = {.states = 6,
                        .actions = 2,
                        .observations = 2,
                        .spread = 30,
                        .low = -1,
                        .high = 1,
                        .discount = 0.9999,
                        .cost = 0.1};
  glimpse_model *model = random_model_make(30, &shape);
  for (glimpse_bound_kind kind = 0; kind < GLIMPSE_BOUND_KINDS; kind++) {
    if (!glimpse_bound_applies(kind, model)) continue;
    glimpse_bound *bound = solve(model, kind, (glimpse_bound_options){0});
    glimpse_bound_result result = glimpse_bound_measure(bound);
    assert_true(result.converged);
    assert_true(result.iterations < 500);
    assert_true(result.error < 1e-4);
    glimpse_bound_free(bound);
  }
  glimpse_model_free(model);
}

static void test_no_time(void **state) {
  (void)state;
  glimpse_model *model = environment("robot-delivery:n=5");
  glimpse_bound *stopped = solve(model, GLIMPSE_BOUND_FIB_SR, (glimpse_bound_options){.max_time = 1e-9});
  glimpse_bound *full = solve(model, GLIMPSE_BOUND_FIB_SR, (glimpse_bound_options){0});
  assert_false(glimpse_bound_measure(stopped).converged);
  assert_int_equal(glimpse_bound_measure(stopped).iterations, 1);
  for (uint32_t s = 0; s < glimpse_model_count(model, GLIMPSE_STATE); s++)
    for (uint32_t k = 0; k < glimpse_bound_measure(full).vectors; k++)
      assert_true(glimpse_bound_entry(stopped, k, s) >= glimpse_bound_entry(full, k, s) - 1e-6);
  glimpse_bound_free(stopped);
  glimpse_bound_free(full);
  glimpse_model_free(model);
}

/* ---------------------------------------------------------- threads, refusals */

static void test_threads(void **state) {
  (void)state;
  static const unsigned threads[] = {2, 3, 7};
  glimpse_model *model = environment("robot-delivery:n=41");
  size_t states = glimpse_model_count(model, GLIMPSE_STATE);
  for (glimpse_bound_kind kind = 0; kind < GLIMPSE_BOUND_KINDS; kind++) {
    if (!glimpse_bound_applies(kind, model)) continue;
    glimpse_bound_options options = {.max_iterations = 3, .threads = 1};
    glimpse_bound *one = solve(model, kind, options);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
      options.threads = threads[i];
      glimpse_bound *many = solve(model, kind, options);
      assert_int_equal(one->result.iterations, many->result.iterations);
      assert_memory_equal(one->value, many->value, states * one->vectors * sizeof *one->value);
      glimpse_bound_free(many);
    }
    glimpse_bound_free(one);
  }
  glimpse_model_free(model);
}

static void check_refused(const glimpse_model *model, glimpse_bound_kind kind, const glimpse_bound_options *options,
                          glimpse_status code, const char *word) {
  glimpse_report *report = glimpse_report_new();
  glimpse_bound *bound = (glimpse_bound *)report; /* must be cleared */
  assert_non_null(report);
  assert_int_equal(glimpse_bound_new(model, kind, options, report, &bound), code);
  assert_null(bound);
  assert_int_equal(glimpse_report_count(report, GLIMPSE_ERROR), 1);
  assert_int_equal(glimpse_report_get(report, 0)->code, code);
  assert_non_null(strstr(glimpse_report_get(report, 0)->text, word));
  assert_int_equal(glimpse_bound_new(model, kind, options, NULL, &bound), code);
  glimpse_report_free(report);
}

static void test_refusals(void **state) {
  (void)state;
  glimpse_model *model = environment("tiger");
  glimpse_bound_options negative = {.tolerance = -1}, time = {.max_time = NAN};
  assert_false(glimpse_bound_applies(GLIMPSE_BOUND_FIB, model));
  check_refused(model, GLIMPSE_BOUND_FIB, NULL, GLIMPSE_NOT_APPLICABLE, "fib_sr");
  check_refused(model, GLIMPSE_BOUND_KINDS, NULL, GLIMPSE_BAD_ARGUMENT, "no such bound");
  check_refused(model, GLIMPSE_BOUND_QMDP, &negative, GLIMPSE_BAD_ARGUMENT, "negative");
  check_refused(model, GLIMPSE_BOUND_QMDP, &time, GLIMPSE_BAD_ARGUMENT, "negative");
  assert_int_equal(glimpse_model_set_cost(model, 0), GLIMPSE_OK);
  check_refused(model, GLIMPSE_BOUND_FIB_SR, NULL, GLIMPSE_NOT_APPLICABLE, "use fib");
  check_refused(model, GLIMPSE_BOUND_ALWAYS_ASK, NULL, GLIMPSE_NOT_APPLICABLE, "always_ask");
  assert_int_equal(glimpse_model_set_discount(model, 1), GLIMPSE_OK);
  for (glimpse_bound_kind kind = 0; kind < GLIMPSE_BOUND_KINDS; kind++)
    check_refused(model, kind, NULL, GLIMPSE_NOT_APPLICABLE, "discount");
  glimpse_model_free(model);
  assert_null(glimpse_bound_get(GLIMPSE_BOUND_KINDS));
  glimpse_bound_free(NULL);

  random_shape shape = {
      .states = 2, .actions = 2, .observations = 2, .spread = 2, .low = 0, .high = 1e307, .discount = 0.999};
  model = random_model_make(1, &shape);
  check_refused(model, GLIMPSE_BOUND_QMDP, NULL, GLIMPSE_NOT_APPLICABLE, "overflow");
  glimpse_model_free(model);
}

/* More vectors than the evaluation takes at once. */
static void test_many_actions(void **state) {
  (void)state;
  random_shape shape = {
      .states = 5, .actions = 150, .observations = 3, .spread = 3, .low = -1, .high = 1, .discount = 0.5, .cost = 0.01};
  glimpse_model *model = random_model_make(40, &shape);
  glimpse_bound *bound = solve(model, GLIMPSE_BOUND_FIB_SR, (glimpse_bound_options){0});
  gli_random random = gli_random_stream(40, "beliefs", 0);
  for (int i = 0; i < 50; i++) {
    double dense[5], value[5], best = -INFINITY;
    uint32_t index[5], winner = 0, found;
    random_belief(&random, 5, dense);
    for (uint32_t k = 0; k < 151; k++) {
      double sum = 0;
      for (uint32_t s = 0; s < 5; s++) sum += dense[s] * glimpse_bound_entry(bound, k, s);
      if (sum > best) winner = k;
      best = fmax(best, sum);
    }
    glimpse_row row = random_belief_row(dense, 5, index, value);
    assert_float_equal(glimpse_bound_value(bound, row), best, 1e-12);
    gli_bound_at(bound, row, &found);
    assert_int_equal(found, winner);
  }
  assert_true(isnan(glimpse_bound_entry(bound, 151, 0)));
  assert_true(isnan(glimpse_bound_entry(bound, 0, 5)));
  glimpse_bound_free(bound);
  glimpse_model_free(model);
}

/* Thousands of observations that confuse all states: no time or memory per
 * observation and row is needed where rows show few. */
static void test_many_observations(void **state) {
  (void)state;
  enum { STATES = 300, OBSERVATIONS = 20000 };
  glimpse_builder *builder = glimpse_builder_new(STATES, 2, OBSERVATIONS);
  assert_non_null(builder);
  glimpse_builder_discount(builder, 0.9);
  glimpse_builder_cost(builder, GLIMPSE_ANY, 0.2);
  for (uint32_t a = 0; a < 2; a++)
    for (uint32_t s = 0; s < STATES; s++) {
      for (uint32_t i = 0; i < 3; i++) {
        glimpse_builder_transition(builder, a, s, (s * 7 + i * (a + 1)) % STATES, i ? 0.25 : 0.5);
        glimpse_builder_observation(builder, a, s, (s * 61 + i * 61) % OBSERVATIONS, i ? 0.25 : 0.5);
      }
      glimpse_builder_reward(builder, a, s, GLIMPSE_ANY, GLIMPSE_ANY, (s + a) % 3);
    }
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_builder_finish(builder, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(builder);
  glimpse_bound *qmdp = solve(model, GLIMPSE_BOUND_QMDP, (glimpse_bound_options){0});
  glimpse_bound *fib_sr = solve(model, GLIMPSE_BOUND_FIB_SR, (glimpse_bound_options){0});
  double strictly = 0;
  for (uint32_t s = 0; s < STATES; s++)
    for (uint32_t a = 0; a < 2; a++) {
      double gap = glimpse_bound_entry(qmdp, a, s) - glimpse_bound_entry(fib_sr, a, s);
      assert_true(gap >= 0);
      strictly += gap > 1e-3;
    }
  assert_true(strictly > STATES);
  glimpse_bound_free(qmdp);
  glimpse_bound_free(fib_sr);
  glimpse_model_free(model);
}

typedef struct memory_job {
  const glimpse_model *model;
  glimpse_bound_kind kind;
} memory_job;

static glimpse_status make_and_free(void *context) {
  const memory_job *job = context;
  glimpse_bound_options options = {.tolerance = 0.1, .threads = 1};
  glimpse_bound *bound = NULL;
  glimpse_status status = glimpse_bound_new(job->model, job->kind, &options, NULL, &bound);
  assert_true((status == GLIMPSE_OK) == (bound != NULL));
  glimpse_bound_free(bound);
  return status;
}

static void test_no_memory(void **state) {
  (void)state;
  glimpse_model *model = environment("tiger");
  for (glimpse_bound_kind kind = 0; kind < GLIMPSE_BOUND_KINDS; kind++) {
    memory_job job = {model, kind};
    if (glimpse_bound_applies(kind, model)) assert_true(failing_malloc_sweep(make_and_free, &job) >= 3);
  }
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lemma_2),       cmocka_unit_test(test_lemma_1),
      cmocka_unit_test(test_tiger),         cmocka_unit_test(test_terminal),
      cmocka_unit_test(test_fixed_points),  cmocka_unit_test(test_blocks),
      cmocka_unit_test(test_random_models), cmocka_unit_test(test_two_states),
      cmocka_unit_test(test_oracles),       cmocka_unit_test(test_one_state),
      cmocka_unit_test(test_discount_0),    cmocka_unit_test(test_scales),
      cmocka_unit_test(test_close_to_1),    cmocka_unit_test(test_no_time),
      cmocka_unit_test(test_threads),       cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_many_actions),  cmocka_unit_test(test_many_observations),
      cmocka_unit_test(test_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
