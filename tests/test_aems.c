/* AEMS: decisions and values where the right ones are known, every reason to stop,
 * and what the options do. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/exact.h"
#include "support/failing_malloc.h"
#include "support/planning.h"
#include "support/random_model.h"

static const glimpse_planner_kind kinds[] = {GLIMPSE_PLANNER_AEMS_SR, GLIMPSE_PLANNER_AEMS, GLIMPSE_PLANNER_AEMS_LOOP};
enum { KINDS = 3 };

static void check_between(const glimpse_decision *d, double value, double width, const char *what, double c) {
  if (d->lower <= value + 1e-9 && d->upper >= value - 1e-9 && d->upper - d->lower <= width) return;
  print_error("%s, c = %g: [%.17g, %.17g] after %llu expansions, should be %.17g\n", what, c, d->lower, d->upper,
              (unsigned long long)d->expansions, value);
  fail();
}

/* ------------------------------------------------------------ known values */

/* V = max(20 (10 - c), 19.371368): asking always, or never.  Where listening matters,
 * beliefs must be shared for the bounds to meet: to open a door leads back to the
 * start, which is no corner, and the tree doubles with every step. */
static void test_tiger(void **state) {
  (void)state;
  const double costs[] = {0.5, 1, 2, 5, 8, 9, 9.5, 10, 15, 20}, never = 19.37136836;
  for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
    double c = costs[i], value = fmax(20 * (10 - c), never);
    char spec[64];
    snprintf(spec, sizeof spec, "tiger:c=%g", c);
    planning p;
    planning_start(&p, spec);
    for (int k = 0; k < KINDS; k++) {
      bool meets = kinds[k] == GLIMPSE_PLANNER_AEMS_LOOP || c <= (kinds[k] == GLIMPSE_PLANNER_AEMS ? 5 : 8);
      planning_planner(&p, &(glimpse_planner_options){.kind = kinds[k]});
      glimpse_decision d = planning_decide(&p, (glimpse_budget){.epsilon = 1e-3, .expansions = 5000});
      check_between(&d, value, meets ? 1e-3 : INFINITY, glimpse_planner_key(kinds[k]), c);
      assert_true(d.ask == (20 * (10 - c) > never));
      if (!d.ask) assert_int_equal(d.action, glimpse_model_find(p.model, GLIMPSE_ACTION, "listen"));
      assert_true(d.offline_lower <= value && value <= d.offline_upper);
    }
    planning_stop(&p);
  }
}

/* Q1 = max(5, 10 - 2c), Q2 = max(4.5, 9 - c) at the start, whose state is known. */
static void test_toy(void **state) {
  (void)state;
  const double costs[] = {0, 0.25, 0.5, 0.9, 1.1, 1.5, 2, 2.4, 2.6, 3, 3.9, 4.1, 4.4, 4.6, 5, 6};
  for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
    double c = costs[i], first = c > 0 ? fmax(5, 10 - 2 * c) : 5, second = c > 0 ? fmax(4.5, 9 - c) : 4.5;
    char spec[64];
    snprintf(spec, sizeof spec, "toy:c=%g", c);
    planning p;
    planning_start(&p, spec);
    for (int k = 0; k < 4 * KINDS; k++) {
      planning_planner(&p,
                       &(glimpse_planner_options){.kind = kinds[k % KINDS],
                                                  .paper = k / KINDS == 1,
                                                  .plain = k / KINDS == 2,
                                                  .graph = k / KINDS == 3 ? GLIMPSE_GRAPH_RESET : GLIMPSE_GRAPH_KEEP});
      glimpse_decision d = planning_decide(&p, (glimpse_budget){.epsilon = 1e-3, .expansions = 1000});
      check_between(&d, fmax(first, second), 1e-3, glimpse_planner_key(kinds[k % KINDS]), c);
      d = planning_decide(&p, (glimpse_budget){.decided = true, .expansions = 1000});
      assert_false(d.ask);
      assert_int_equal(d.action, first > second ? 0 : 1);
      d = planning_decide(&p, (glimpse_budget){.expansions = 1000});
      assert_int_equal(d.stop, GLIMPSE_STOP_SOLVED);
      glimpse_choice one = glimpse_planner_choice(p.planner, 0), two = glimpse_planner_choice(p.planner, 1);
      assert_true(one.lower <= first + 1e-9 && one.upper >= first - 1e-9);
      assert_true(two.lower <= second + 1e-9 && two.upper >= second - 1e-9);
      assert_true(isnan(glimpse_planner_choice(p.planner, GLIMPSE_ANY).lower)); /* the start is known */
    }
    planning_stop(&p);
  }
}

/* Random models of two states, searched until the bounds meet. */
static void test_two_states(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 150; seed++) {
    random_shape shape = random_model_shape(seed, 2, 3, 3);
    shape.states = 2;
    shape.discount = fmin(shape.discount, 0.7);
    if (shape.terminals) shape.terminals = 1;
    planning p;
    planning_of(&p, random_model_make(seed, &shape));
    exact_line *exact = exact_line_new(p.model);
    double value = exact_line_value(exact, 0.5);
    exact_line_free(exact);
    planning_planner(&p, &(glimpse_planner_options){.kind = kinds[seed % KINDS], .rule = (glimpse_rule)(seed / 3 % 3)});
    glimpse_decision d = planning_decide(&p, (glimpse_budget){.epsilon = 1e-2, .expansions = 3000});
    bool close = shape.cost < 100; /* AEMS does not see far where asking is hopeless, but nothing forbids it */
    if (!(d.lower <= value + 1e-9 && value - 1e-9 <= d.upper) || (close && d.upper - d.lower > 1))
      fail_msg("seed %llu: [%.17g, %.17g], should be %.17g", (unsigned long long)seed, d.lower, d.upper, value);
    planning_stop(&p);
  }
}

/* ------------------------------------------------------- the three sharings */

static void begin_at(planning *p, glimpse_row belief) {
  assert_int_equal(glimpse_planner_begin(p->planner, belief, 0), GLIMPSE_OK);
}

/* The same belief, three searches: the intervals must have a point in common. */
static void test_intersect(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 200; seed++) {
    random_shape shape = random_model_shape(seed, 6, 3, 3);
    gli_random random = gli_random_stream(seed, "belief", 0);
    double dense[6], value[6];
    uint32_t index[6];
    planning p;
    planning_of(&p, random_model_make(seed, &shape));
    random_belief(&random, shape.states, dense);
    double low = -INFINITY, high = INFINITY;
    for (int k = 0; k < KINDS; k++) {
      planning_planner(&p, &(glimpse_planner_options){.kind = kinds[k]});
      begin_at(&p, random_belief_row(dense, shape.states, index, value));
      glimpse_decision d = planning_decide(&p, (glimpse_budget){.expansions = 1 + seed % 40 * 10});
      low = fmax(low, d.lower);
      high = fmin(high, d.upper);
    }
    if (low > high + 1e-9 * fmax(1, fabs(high)))
      fail_msg("seed %llu: no common point: %.17g > %.17g", (unsigned long long)seed, low, high);
    planning_stop(&p);
  }
}

/* AEMS by other means: plain AEMS, which knows nothing of requests, on the
 * equivalent POMDP, where V' = sqrt(discount) V. */
static void test_equivalent(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 120; seed++) {
    random_shape shape = random_model_shape(seed, 4, 3, 3);
    if (shape.cost == 0 || shape.cost > 100) shape.cost = 0.3;
    if (shape.discount == 0) shape.discount = 0.5;
    planning p, q;
    planning_of(&p, random_model_make(seed, &shape));
    glimpse_model *equivalent = NULL;
    assert_int_equal(glimpse_model_equivalent(p.model, NULL, &equivalent), GLIMPSE_OK);
    planning_of(&q, equivalent);
    planning_planner(&p, &(glimpse_planner_options){.kind = GLIMPSE_PLANNER_AEMS});
    planning_planner(&q, &(glimpse_planner_options){.kind = GLIMPSE_PLANNER_AEMS, .plain = true});
    double root = sqrt(shape.discount);
    glimpse_decision d = planning_decide(&p, (glimpse_budget){.expansions = 300});
    glimpse_decision e = planning_decide(&q, (glimpse_budget){.expansions = 100});
    double size = 1e-9 * fmax(1, fmax(fabs(d.lower), fabs(d.upper)));
    if (d.lower > e.upper / root + size || e.lower / root > d.upper + size)
      fail_msg("seed %llu: [%.17g, %.17g] and [%.17g, %.17g]", (unsigned long long)seed, d.lower, d.upper,
               e.lower / root, e.upper / root);
    /* where both have decided, they agree; the request is the last action there */
    if (shape.discount <= 0.5) {
      assert_true(d.upper - d.lower < 0.2 * fmax(1, fabs(d.upper)));
      assert_true(e.upper - e.lower < 0.5 * fmax(1, fabs(e.upper)));
    }
    planning_stop(&p);
    planning_stop(&q);
  }
}

/* --------------------------------------------------------------- the budget */

static void test_expansions(void **state) {
  (void)state;
  planning p;
  planning_start(&p, "robot-delivery:n=3");
  for (int k = 0; k < 2 * KINDS; k++) {
    planning_planner(&p, &(glimpse_planner_options){.kind = kinds[k % KINDS], .plain = k >= KINDS});
    for (uint64_t n = 1; n <= 50; n += 7) {
      glimpse_decision d = planning_decide(&p, (glimpse_budget){.expansions = n});
      assert_int_equal(d.expansions, n);
      assert_int_equal(d.stop, GLIMPSE_STOP_EXPANSIONS);
      assert_true(d.nodes > 0 && d.bytes > 0 && d.dropped == 0 && d.seconds >= 0);
    }
  }
  planning_stop(&p);
}

static void test_epsilon(void **state) {
  (void)state;
  planning p;
  planning_start(&p, "tiger:c=1");
  planning_planner(&p, NULL);
  for (double epsilon = 10; epsilon > 1e-3; epsilon /= 10) {
    glimpse_decision d = planning_decide(&p, (glimpse_budget){.epsilon = epsilon});
    assert_int_equal(d.stop, GLIMPSE_STOP_EPSILON);
    assert_true(d.upper - d.lower <= epsilon);
  }
  planning_stop(&p);
}

static void test_decided(void **state) {
  (void)state;
  planning p;
  planning_start(&p, "tiger:c=8"); /* 7: known without a search */
  planning_planner(&p, NULL);
  glimpse_decision d = planning_decide(&p, (glimpse_budget){.decided = true});
  assert_int_equal(d.stop, GLIMPSE_STOP_DECIDED);
  assert_true(d.ask);
  glimpse_choice ask = glimpse_planner_choice(p.planner, GLIMPSE_ANY);
  for (uint32_t a = 0; a < 3; a++) assert_true(glimpse_planner_choice(p.planner, a).upper <= ask.lower);
  assert_true(d.upper - d.lower > 1e-6); /* before the value is known */
  planning_stop(&p);
}

static void test_interrupt(void **state) {
  (void)state;
  volatile int flag = 1;
  planning p;
  planning_start(&p, "robot-delivery:n=3");
  for (int plain = 0; plain < 2; plain++) {
    planning_planner(&p, &(glimpse_planner_options){.plain = plain});
    glimpse_decision d = planning_decide(&p, (glimpse_budget){.interrupt = &flag});
    assert_int_equal(d.stop, GLIMPSE_STOP_INTERRUPTED);
    assert_int_equal(d.expansions, 1); /* a decision needs the choices of the root */
    assert_true(d.ask || d.action < 4);
  }
  planning_stop(&p);
}

static void test_time(void **state) {
  (void)state;
  planning p;
  planning_start(&p, "robot-delivery:n=3");
  for (int plain = 0; plain < 2; plain++) {
    planning_planner(&p, &(glimpse_planner_options){.plain = plain});
    glimpse_decision d = planning_decide(&p, (glimpse_budget){.time = 0.01});
    assert_int_equal(d.stop, GLIMPSE_STOP_TIME);
    assert_true(d.expansions > 1);
  }
  planning_stop(&p);
}

static void test_memory(void **state) {
  (void)state;
  planning p;
  planning_start(&p, "robot-delivery:n=3");
  const uint64_t limits[] = {60000, 150000, 1000000};
  for (int k = 0; k < 3 * 2 * KINDS; k++) {
    glimpse_planner_options options = {
        .kind = kinds[k % KINDS], .plain = k / KINDS % 2, .max_memory = limits[k / KINDS / 2]};
    if (options.plain && options.max_memory > 150000) continue; /* too slow */
    planning_planner(&p, &options);
    glimpse_decision d = planning_decide(&p, (glimpse_budget){.expansions = 20000});
    assert_true(d.bytes <= options.max_memory);
    assert_true(d.stop == GLIMPSE_STOP_MEMORY || d.dropped > 0);
    assert_true(d.lower <= d.upper && d.lower >= d.offline_lower - 1e-9 && d.upper <= d.offline_upper + 1e-9);
  }
  /* the limit is that of what is really held, not only of what is counted */
  for (int k = 0; k < 2 * KINDS; k++) {
    glimpse_planner_options options = {.kind = kinds[k % KINDS], .plain = k / KINDS, .max_memory = 110000};
    glimpse_planner_free(p.planner);
    p.planner = NULL;
    long before = failing_malloc_bytes();
    failing_malloc_begin_peak();
    planning_planner(&p, &options);
    glimpse_decision d = planning_decide(&p, (glimpse_budget){.expansions = 5000});
    assert_true(d.stop == GLIMPSE_STOP_MEMORY || d.dropped > 0);
    if (failing_malloc_peak() - before > 110000)
      fail_msg("planner %d%s held %ld bytes", (int)options.kind, options.plain ? ", plain" : "",
               failing_malloc_peak() - before);
  }
  /* nothing at all fits: no decision, and no harm */
  glimpse_planner *planner = NULL;
  glimpse_decision d;
  glimpse_budget budget = {.expansions = 10};
  assert_int_equal(
      glimpse_planner_new(p.model, p.offline, &(glimpse_planner_options){.max_memory = 100}, NULL, &planner),
      GLIMPSE_OK);
  assert_int_equal(glimpse_planner_begin(planner, glimpse_model_start(p.model), 0), GLIMPSE_NO_MEMORY);
  assert_int_not_equal(glimpse_planner_plan(planner, &budget, &d), GLIMPSE_OK);
  glimpse_planner_free(planner);
  planning_stop(&p);
}

/* Entries of nothing change nothing, whatever their sign: they must not be taken for states that are reached. */
static void test_nothing(void **state) {
  (void)state;
  planning p;
  planning_start(&p, "robot-delivery:n=3");
  uint32_t count = glimpse_model_count(p.model, GLIMPSE_STATE), some = glimpse_model_start(p.model).index[0];
  uint32_t index[200];
  double value[200];
  assert_true(count <= 200);
  glimpse_planner_options options = {.kind = GLIMPSE_PLANNER_AEMS_SR};
  glimpse_decision d[2];
  for (int i = 0; i < 2; i++) {
    for (uint32_t s = 0; s < count; s++) index[s] = s, value[s] = s == some ? 1 : i ? -0.0 : 0.0;
    glimpse_planner *planner;
    assert_int_equal(glimpse_planner_new(p.model, p.offline, &options, NULL, &planner), GLIMPSE_OK);
    assert_int_equal(glimpse_planner_begin(planner, (glimpse_row){count, index, value}, 0), GLIMPSE_OK);
    assert_int_equal(glimpse_planner_plan(planner, &(glimpse_budget){.expansions = 200}, &d[i]), GLIMPSE_OK);
    glimpse_planner_free(planner);
  }
  assert_true(d[0].lower == d[1].lower && d[0].upper == d[1].upper && d[0].nodes == d[1].nodes);
  planning_stop(&p);
}

/* What was dropped is told for the episode: the next one begins with nothing. */
static void test_dropped(void **state) {
  (void)state;
  planning p;
  planning_start(&p, "robot-delivery:n=3");
  planning_planner(&p, &(glimpse_planner_options){.max_memory = 100000, .keep_corners = true});
  glimpse_decision d = planning_decide(&p, (glimpse_budget){.expansions = 5000});
  assert_true(d.dropped > 0);
  uint64_t before = d.dropped;
  d = planning_decide(&p, (glimpse_budget){.expansions = 1});
  assert_true(d.dropped >= before); /* the same episode */
  begin_at(&p, glimpse_model_start(p.model));
  d = planning_decide(&p, (glimpse_budget){.expansions = 1});
  assert_true(d.dropped < before);
  planning_stop(&p);
}

/* Near the limit, too, a planner that begins anew is as good as a new one: results would
 * otherwise depend on which thread plays which episode. */
static void test_past(void **state) {
  (void)state;
  planning p;
  planning_start(&p, "robot-delivery:n=3");
  glimpse_budget budget = {.expansions = 40};
  for (int k = 0; k < 2 * KINDS; k++) {
    for (uint64_t limit = 60000; limit < 200000; limit += 20000) {
      glimpse_planner_options options = {.kind = kinds[k % KINDS], .plain = k / KINDS, .max_memory = limit};
      planning_planner(&p, &options);
      glimpse_decision fresh = planning_decide(&p, budget), used;
      uint32_t known = 5;
      double one = 1;
      assert_int_equal(glimpse_planner_begin(p.planner, (glimpse_row){1, &known, &one}, 0), GLIMPSE_OK);
      planning_decide(&p, (glimpse_budget){.expansions = 400});
      assert_int_equal(glimpse_planner_begin(p.planner, glimpse_model_start(p.model), 1), GLIMPSE_OK);
      used = planning_decide(&p, budget);
      assert_true(used.expansions == fresh.expansions && used.nodes == fresh.nodes && used.bytes == fresh.bytes);
      assert_true(used.lower == fresh.lower && used.upper == fresh.upper && used.action == fresh.action);
      assert_int_equal(used.stop, fresh.stop);
    }
  }
  planning_stop(&p);
}

static void test_wrong_arguments(void **state) {
  (void)state;
  planning p, q;
  planning_start(&p, "tiger:c=9");
  planning_start(&q, "tiger:c=9");
  glimpse_planner *planner = NULL;
  const glimpse_planner_options wrong[] = {{.kind = GLIMPSE_PLANNER_KINDS},
                                           {.rule = GLIMPSE_RULES},
                                           {.improve = GLIMPSE_IMPROVES},
                                           {.improve = GLIMPSE_IMPROVE_PAPER}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    assert_int_equal(glimpse_planner_new(p.model, p.offline, &wrong[i], NULL, &planner), GLIMPSE_BAD_ARGUMENT);
    assert_null(planner);
  }
  assert_int_equal(glimpse_planner_new(p.model, NULL, NULL, NULL, &planner), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(glimpse_planner_new(p.model, q.offline, NULL, NULL, &planner), GLIMPSE_BAD_ARGUMENT);
  glimpse_offline *offline = NULL;
  assert_int_equal(glimpse_offline_new(p.model, GLIMPSE_BOUND_BLIND, NULL, NULL, &offline), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(glimpse_offline_new(p.model, GLIMPSE_BOUND_FIB, NULL, NULL, &offline), GLIMPSE_NOT_APPLICABLE);
  assert_null(offline);
  planning_planner(&p, NULL);
  glimpse_decision d;
  assert_int_equal(glimpse_planner_plan(p.planner, &(glimpse_budget){.time = NAN}, &d), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(glimpse_planner_plan(p.planner, &(glimpse_budget){.epsilon = -1}, &d), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(glimpse_planner_reveal(p.planner, 2), GLIMPSE_BAD_ARGUMENT);
  glimpse_row start = glimpse_model_start(p.model);
  assert_int_equal(glimpse_planner_observe(p.planner, 3, 0, start), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(glimpse_planner_observe(p.planner, 0, 2, start), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(glimpse_planner_observe(p.planner, 0, 0, (glimpse_row){0, NULL, NULL}), GLIMPSE_BAD_ARGUMENT);
  d = planning_decide(&p, (glimpse_budget){.expansions = 5}); /* and all is well */
  assert_int_equal(d.expansions, 5);
  planning_stop(&p);
  planning_stop(&q);
}

/* ------------------------------------------------------------- improvement */

/* Erratum 3 of docs/ALGORITHM.md: two states that never change, one observation, +1 or -1 for guessing
 * and a price that nobody pays.  V = 0 at the uniform belief. */
static glimpse_model *guessing(void) {
  glimpse_builder *builder = glimpse_builder_new(2, 2, 1);
  assert_non_null(builder);
  glimpse_builder_discount(builder, 0.9);
  glimpse_builder_cost(builder, GLIMPSE_ANY, 1000);
  glimpse_builder_observation(builder, GLIMPSE_ANY, GLIMPSE_ANY, 0, 1);
  for (uint32_t s = 0; s < 2; s++) {
    glimpse_builder_transition(builder, GLIMPSE_ANY, s, s, 1);
    for (uint32_t a = 0; a < 2; a++) glimpse_builder_reward(builder, a, s, GLIMPSE_ANY, GLIMPSE_ANY, a == s ? 1 : -1);
  }
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_builder_finish(builder, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(builder);
  return model;
}

/* The lower bound at the uniform belief, after some steps there. */
static double guess_for_a_while(planning *p, const glimpse_planner_options *options) {
  planning_planner(p, options);
  glimpse_decision d = {0};
  for (int i = 0; i < 30; i++) {
    d = planning_decide(p, (glimpse_budget){.expansions = 20});
    assert_int_equal(glimpse_planner_observe(p->planner, 0, 0, glimpse_model_start(p->model)), GLIMPSE_OK);
  }
  return d.lower;
}

static void test_improvement(void **state) {
  (void)state;
  planning p;
  planning_of(&p, guessing());
  for (int k = 0; k < KINDS; k++) {
    glimpse_planner_options options = {.kind = kinds[k]};
    assert_true(guess_for_a_while(&p, &options) <= 1e-9);
    options.graph = GLIMPSE_GRAPH_RESET;
    assert_true(guess_for_a_while(&p, &options) <= 1e-9);
    options.improve = GLIMPSE_IMPROVE_NONE;
    assert_true(guess_for_a_while(&p, &options) <= 1e-9);
    options.paper = true;
    assert_true(guess_for_a_while(&p, &options) <= 1e-9);
    options.improve = GLIMPSE_IMPROVE_PAPER;
    if (kinds[k] == GLIMPSE_PLANNER_AEMS) continue; /* it has no corners to learn from */
    double bound = guess_for_a_while(&p, &options); /* as printed: whoever knows the state for free */
    assert_true(bound > 1);
    assert_true(bound <= 0.9 / (1 - 0.9) + 1e-9);
  }
  planning_stop(&p);
}

/* What was learnt of known states is of use in the next episode, if asked for. */
static void test_keep_corners(void **state) {
  (void)state;
  planning p;
  planning_start(&p, "robot-delivery:n=3");
  double width[2][2];
  for (int keep = 0; keep < 2; keep++) {
    planning_planner(&p, &(glimpse_planner_options){.keep_corners = keep});
    for (int i = 0; i < 2; i++) {
      if (i) begin_at(&p, glimpse_model_start(p.model));
      glimpse_decision d = planning_decide(&p, (glimpse_budget){.expansions = 500});
      width[keep][i] = d.upper - d.lower;
    }
  }
  assert_true(width[0][0] == width[0][1]); /* bit for bit: nothing depends on what was before */
  assert_true(width[0][0] == width[1][0]);
  assert_true(width[1][1] < width[1][0]);
  planning_stop(&p);
}

/* -------------------------------------------------------------- the forecast */

static void test_forecast(void **state) {
  (void)state;
  planning p;
  unsigned known = 0;
  planning_start(&p, "toy:c=2");
  for (int k = 0; k < KINDS; k++) {
    planning_planner(&p,
                     &(glimpse_planner_options){.kind = kinds[k], .paper = true}); /* does not know it all at once */
    glimpse_forecast steps[8];
    assert_int_equal(glimpse_planner_forecast(p.planner, steps, 8), 0); /* nothing searched */
    planning_decide(&p, (glimpse_budget){.expansions = 1000});
    assert_int_equal(glimpse_planner_forecast(p.planner, steps, 1), 1);
    size_t n = glimpse_planner_forecast(p.planner, steps, 8);
    assert_true(n >= 2);
    assert_false(steps[0].ask);
    assert_int_equal(steps[0].action, 1); /* to the single coin */
    assert_float_equal(steps[0].probability, 1, 1e-12);
    assert_true(steps[1].ask); /* worth 9 - 2 */
    assert_float_equal(steps[1].probability, 0.5, 1e-12);
    assert_float_equal(steps[0].lower, 7, 1e-6);
    if (steps[1].action == GLIMPSE_ANY) continue; /* what the state is worth is known without looking at its choices */
    assert_float_equal(glimpse_model_reward(p.model, steps[1].action, steps[1].state), 9 / 0.99, 1e-9);
    known++;
  }
  assert_true(known > 0);
  planning_stop(&p);
}

/* What the forecast says is what the planner itself decides when it gets there. */
static void test_forecast_comes_true(void **state) {
  (void)state;
  const char *const specs[] = {"robot-delivery:n=3", "robot-delivery:n=3,c=0.01", "tag:c=0.1", "tiger:c=3"};
  for (int i = 0; i < 4 * KINDS; i++) {
    planning p;
    planning_start(&p, specs[i / KINDS]);
    planning_planner(&p, &(glimpse_planner_options){.kind = kinds[i % KINDS]});
    glimpse_forecast steps[12];
    glimpse_decision d = planning_decide(&p, (glimpse_budget){.expansions = 60});
    size_t n = glimpse_planner_forecast(p.planner, steps, 12);
    assert_true(n >= 1);
    assert_int_equal(steps[0].ask, d.ask);
    if (!d.ask) assert_int_equal(steps[0].action, d.action);
    assert_true(d.lower == fmax(steps[0].lower, d.offline_lower) && d.upper == fmin(steps[0].upper, d.offline_upper));
    glimpse_belief *belief = glimpse_belief_new(p.model);
    double probability = 1;
    for (size_t k = 0; k < n; k++) {
      assert_true(steps[k].lower <= steps[k].upper);
      if (steps[k].ask) { /* the likeliest state */
        double told = glimpse_belief_probability(belief, steps[k].state);
        for (uint32_t s = 0; s < glimpse_model_count(p.model, GLIMPSE_STATE); s++)
          assert_true(glimpse_belief_probability(belief, s) <= told);
        probability *= told;
        assert_int_equal(glimpse_belief_reveal(belief, steps[k].state), GLIMPSE_OK);
      }
      if (steps[k].action == GLIMPSE_ANY || steps[k].observation == GLIMPSE_ANY) {
        assert_int_equal(k, n - 1); /* where the search ends */
        break;
      }
      double seen;
      assert_int_equal(glimpse_belief_update(belief, steps[k].action, steps[k].observation, &seen), GLIMPSE_OK);
      probability *= seen;
      assert_float_equal(steps[k].probability, probability, 1e-9);
    }
    glimpse_belief_free(belief);
    planning_stop(&p);
  }
}

/* Before it has begun a planner has nothing to say, and says so. */
static void test_not_begun(void **state) {
  (void)state;
  planning p;
  planning_start(&p, "tiger");
  for (int k = 0; k < KINDS; k++) {
    glimpse_planner *planner = NULL;
    assert_int_equal(
        glimpse_planner_new(p.model, p.offline, &(glimpse_planner_options){.kind = kinds[k]}, NULL, &planner),
        GLIMPSE_OK);
    glimpse_decision d;
    glimpse_forecast step;
    assert_int_equal(glimpse_planner_plan(planner, &(glimpse_budget){.expansions = 1}, &d), GLIMPSE_BAD_ARGUMENT);
    assert_int_equal(glimpse_planner_forecast(planner, &step, 1), 0);
    glimpse_choice choice = glimpse_planner_choice(planner, 0);
    assert_true(isnan(choice.lower) && isnan(choice.upper));
    assert_int_equal(glimpse_planner_begin(planner, glimpse_model_start(p.model), 0), GLIMPSE_OK);
    choice = glimpse_planner_choice(planner, 0); /* begun, but not planned */
    assert_true(isnan(choice.lower) && isnan(choice.upper));
    glimpse_planner_free(planner);
  }
  planning_stop(&p);
}

/* A graph that is reset at each step may keep what it learnt of the corners from one
 * episode to the next, by either improvement, and not without one. */
static void test_keep_and_reset(void **state) {
  (void)state;
  planning p;
  planning_start(&p, "robot-delivery:n=3");
  for (int improve = 0; improve < GLIMPSE_IMPROVES; improve++) {
    planning_planner(&p, &(glimpse_planner_options){
                             .keep_corners = true, .graph = GLIMPSE_GRAPH_RESET, .improve = (glimpse_improve)improve});
    double width[2];
    for (int i = 0; i < 2; i++) {
      if (i) begin_at(&p, glimpse_model_start(p.model));
      glimpse_decision d = planning_decide(&p, (glimpse_budget){.expansions = 500});
      width[i] = d.upper - d.lower;
    }
    if (improve == GLIMPSE_IMPROVE_NONE) assert_true(width[1] == width[0]);
    else assert_true(width[1] < width[0]);
  }
  planning_stop(&p);
}

static void test_keys(void **state) {
  (void)state;
  assert_string_equal(glimpse_planner_key(GLIMPSE_PLANNER_AEMS_LOOP), "aems-loop");
  assert_string_equal(glimpse_rule_key(GLIMPSE_RULE_BI_POMDP), "bi-pomdp");
  assert_string_equal(glimpse_improve_key(GLIMPSE_IMPROVE_SOUND), "sound");
  assert_string_equal(glimpse_stop_key(GLIMPSE_STOP_SOLVED), "solved");
  assert_string_equal(glimpse_planner_key(GLIMPSE_PLANNER_KINDS), "?");
  assert_string_equal(glimpse_rule_key(GLIMPSE_RULES), "?");
  assert_string_equal(glimpse_improve_key(GLIMPSE_IMPROVES), "?");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_tiger),
                                     cmocka_unit_test(test_toy),
                                     cmocka_unit_test(test_two_states),
                                     cmocka_unit_test(test_intersect),
                                     cmocka_unit_test(test_equivalent),
                                     cmocka_unit_test(test_expansions),
                                     cmocka_unit_test(test_epsilon),
                                     cmocka_unit_test(test_decided),
                                     cmocka_unit_test(test_interrupt),
                                     cmocka_unit_test(test_time),
                                     cmocka_unit_test(test_memory),
                                     cmocka_unit_test(test_past),
                                     cmocka_unit_test(test_wrong_arguments),
                                     cmocka_unit_test(test_improvement),
                                     cmocka_unit_test(test_keep_corners),
                                     cmocka_unit_test(test_forecast),
                                     cmocka_unit_test(test_forecast_comes_true),
                                     cmocka_unit_test(test_not_begun),
                                     cmocka_unit_test(test_keep_and_reset),
                                     cmocka_unit_test(test_dropped),
                                     cmocka_unit_test(test_nothing),
                                     cmocka_unit_test(test_keys)};
  return cmocka_run_group_tests_name("aems", tests, NULL, NULL);
}
