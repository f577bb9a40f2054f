/* POMCP as a planner: known decisions and values, and what it does at the edges.
 * Every search is seeded and limited by simulations, so that nothing here depends
 * on luck or on the machine. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "planners/pomcp.h"
#include "support/environment.h"
#include "support/exact.h"
#include "support/failing_malloc.h"
#include "support/random_model.h"

/* A model, its bounds and a planner that begins at its start belief. */
typedef struct fixture {
  glimpse_model *model;
  glimpse_offline *offline;
  glimpse_planner *planner;
} fixture;

static fixture make_on(glimpse_model *model, glimpse_planner_options options) {
  fixture f = {.model = model};
  options.kind = GLIMPSE_PLANNER_POMCP;
  assert_int_equal(glimpse_offline_new(model, glimpse_offline_upper(model), NULL, NULL, &f.offline), GLIMPSE_OK);
  assert_int_equal(glimpse_planner_new(model, f.offline, &options, NULL, &f.planner), GLIMPSE_OK);
  assert_int_equal(glimpse_planner_begin(f.planner, glimpse_model_start(model), 0), GLIMPSE_OK);
  return f;
}

static fixture make(const char *spec, glimpse_planner_options options) {
  return make_on(environment_make(spec), options);
}

static void drop(fixture *f) {
  glimpse_planner_free(f->planner);
  glimpse_offline_free(f->offline);
  glimpse_model_free(f->model);
}

static glimpse_decision plan(glimpse_planner *planner, uint64_t simulations) {
  glimpse_decision decision;
  assert_int_equal(glimpse_planner_plan(planner, &(glimpse_budget){.expansions = simulations}, &decision), GLIMPSE_OK);
  assert_int_equal(decision.stop, GLIMPSE_STOP_EXPANSIONS);
  assert_int_equal(decision.expansions, simulations);
  assert_true(isnan(decision.lower) && isnan(decision.upper));
  return decision;
}

/* One state that stays; its two actions pay these. */
static glimpse_model *one_state(double first, double second, double discount, double cost) {
  glimpse_builder *builder = glimpse_builder_new(1, first == second ? 1 : 2, 1);
  glimpse_builder_transition(builder, GLIMPSE_ANY, 0, 0, 1);
  glimpse_builder_observation(builder, GLIMPSE_ANY, 0, 0, 1);
  glimpse_builder_reward(builder, 0, 0, GLIMPSE_ANY, GLIMPSE_ANY, first);
  if (first != second) glimpse_builder_reward(builder, 1, 0, GLIMPSE_ANY, GLIMPSE_ANY, second);
  glimpse_builder_discount(builder, discount);
  if (cost > 0) glimpse_builder_cost(builder, GLIMPSE_ANY, cost);
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_builder_finish(builder, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(builder);
  return model;
}

/* ---------------------------------------------------------------- decisions */

/* The appendix: the first action and its value for three prices, with each way to
 * judge new beliefs. */
static void test_toy(void **state) {
  (void)state;
  static const struct {
    const char *spec;
    uint32_t action;
    double value;
  } cases[] = {{"toy:c=0.5", 0, 9}, {"toy:c=2", 1, 7}, {"toy:c=5", 0, 5}, {"toy:c=0", 0, 5}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (glimpse_rollout rollout = 0; rollout < GLIMPSE_ROLLOUTS; rollout++) {
      fixture f = make(cases[i].spec, (glimpse_planner_options){.rollout = rollout, .exploration = 10});
      glimpse_decision decision = plan(f.planner, 20000);
      if (decision.ask || decision.action != cases[i].action || fabs(decision.value - cases[i].value) > 0.4)
        fail_msg("%s, %s: ask %d, action %u, value %f", cases[i].spec, glimpse_rollout_key(rollout), decision.ask,
                 decision.action, decision.value);
      drop(&f);
    }
  }
}

/* Two states: the first decision is that of the exact solution, and the value is
 * near, from below (explorations cost). */
static void test_tiger(void **state) {
  (void)state;
  static const struct {
    const char *spec;
    bool ask;
    double exploration, slack;
  } cases[] = {{"tiger:gamma=0.5,c=0.5", true, 0, 5}, {"tiger:gamma=0.5,c=0", false, 0, 5},
               {"tiger:gamma=0.5,c=8", true, 0, 5},   {"tiger:gamma=0.5,c=20", false, 60, 5},
               {"tiger:c=0.5", true, 0, 50},          {"tiger:c=0", false, 0, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fixture f = make(
        cases[i].spec,
        (glimpse_planner_options){.seed = 1, .rollout = GLIMPSE_ROLLOUT_UPPER, .exploration = cases[i].exploration});
    exact_line *line = exact_line_new(f.model);
    double value = exact_line_value(line, 0.5);
    glimpse_decision decision = plan(f.planner, 10000);
    double most = f.model->requests ? value : glimpse_bound_value(f.offline->upper, glimpse_model_start(f.model));
    if (decision.ask != cases[i].ask || (!decision.ask && decision.action != 0) || decision.value > most + 1 ||
        decision.value < value - cases[i].slack)
      fail_msg("%s: ask %d, action %u, value %f instead of %f", cases[i].spec, decision.ask, decision.action,
               decision.value, value);
    exact_line_free(line);
    drop(&f);
  }
}

/* With random rollouts, too, it listens before it opens. */
static void test_tiger_random(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 3; seed++) {
    fixture f = make("tiger:c=0", (glimpse_planner_options){.seed = seed});
    glimpse_decision decision = plan(f.planner, 2000);
    assert_false(decision.ask);
    assert_int_equal(decision.action, 0);
    drop(&f);
  }
}

/* Leaving RobotDelivery at once, as in the paper. */
static void test_exit(void **state) {
  (void)state;
  fixture f = make("robot-delivery:n=3", (glimpse_planner_options){.seed = 1});
  glimpse_decision decision = plan(f.planner, 20000);
  assert_false(decision.ask);
  assert_string_equal(glimpse_model_name(f.model, GLIMPSE_ACTION, decision.action), "right");
  assert_true(decision.value > 0.8 && decision.value < 0.98);
  drop(&f);
}

/* ------------------------------------------------------------------- values */

/* Sum of discount^k for k in first..last-1. */
static double geometric(double discount, unsigned first, unsigned last) {
  double sum = 0;
  for (unsigned k = first; k < last; k++) sum += pow(discount, k);
  return sum;
}

/* One action: every simulation has the same return, as deep as it goes. */
static void test_one_state(void **state) {
  (void)state;
  static const double discounts[] = {0, 0.5, 0.9, 0.99};
  static const unsigned depths[] = {1, 7, 44, 459}; /* smallest with discount^depth < 0.01 */
  for (int i = 0; i < 4; i++) {
    fixture f = make_on(one_state(3, 3, discounts[i], 0), (glimpse_planner_options){0});
    glimpse_decision decision = plan(f.planner, 700);
    assert_false(decision.ask);
    assert_float_equal(decision.value, 3 * geometric(discounts[i], 0, depths[i]), 1e-9);
    drop(&f);
    f = make_on(one_state(1, 2, discounts[i], 0), (glimpse_planner_options){0});
    assert_int_equal(plan(f.planner, 500).action, 1);
    assert_int_equal(glimpse_planner_choice(f.planner, 0).visits + glimpse_planner_choice(f.planner, 1).visits, 500);
    drop(&f);
  }
}

/* What one simulation returns: the price of asking, undiscounted, then a rollout
 * that asks half of the time or never, or the bound. */
static void test_rollouts(void **state) {
  (void)state;
  const double g = 0.9, c = 2, r = 1;
  const unsigned depth = 44;
  double rolled = geometric(g, 0, depth) * r, later = geometric(g, 1, depth);
  double rest[GLIMPSE_ROLLOUTS];
  rest[GLIMPSE_ROLLOUT_RANDOM] = rolled - later * c / 2;
  rest[GLIMPSE_ROLLOUT_SILENT] = rolled;
  rest[GLIMPSE_ROLLOUT_UPPER] = r / (1 - g);
  bool seen[2] = {false, false};
  for (glimpse_rollout rollout = 0; rollout < GLIMPSE_ROLLOUTS; rollout++) {
    for (uint64_t seed = 0; seed < 8; seed++) {
      fixture f = make_on(one_state(r, r, g, c), (glimpse_planner_options){.rollout = rollout, .seed = seed});
      glimpse_decision decision = plan(f.planner, 1);
      assert_float_equal(decision.value, rest[rollout] - (decision.ask ? c : 0), 1e-6);
      assert_int_equal(glimpse_planner_choice(f.planner, GLIMPSE_ANY).visits, decision.ask);
      seen[decision.ask] = true;
      drop(&f);
    }
  }
  assert_true(seen[0] && seen[1]);
}

/* The expected return of the only action there is, from a dense belief. */
static double only_value(const glimpse_model *model, const double *start, unsigned depth) {
  double now[16] = {0}, next[16], value = 0, factor = 1;
  memcpy(now, start, model->states * sizeof *now);
  for (unsigned d = 0; d < depth; d++, factor *= model->discount) {
    memset(next, 0, sizeof next);
    for (uint32_t s = 0; s < model->states; s++) {
      value += factor * now[s] * glimpse_model_reward(model, 0, s);
      glimpse_row row = glimpse_model_transition(model, 0, s);
      for (size_t i = 0; i < row.count; i++) next[row.index[i]] += now[s] * row.value[i];
    }
    memcpy(now, next, sizeof now);
  }
  return value;
}

/* One action and no requests: the value is a mean of independent returns.  Terminal
 * states, also at the start, count with value 0. */
static void test_monte_carlo(void **state) {
  (void)state;
  enum { SIMULATIONS = 4000 };
  for (uint64_t seed = 1; seed <= 20; seed++) {
    random_shape shape = random_model_shape(seed, 8, 1, 4);
    shape.actions = 1;
    shape.cost = 0;
    shape.discount = 0.8;
    shape.terminals = seed % 3 && shape.states > 1 ? 1 : 0;
    glimpse_model *model = random_model_make(seed, &shape);
    fixture f = make_on(model, (glimpse_planner_options){.seed = seed, .particles = SIMULATIONS});
    gli_random random = gli_random_stream(seed, "start", 0);
    uint32_t index[8];
    double dense[8], value[8];
    random_belief(&random, model->states, dense);
    glimpse_row belief = random_belief_row(dense, model->states, index, value);
    assert_int_equal(glimpse_planner_begin(f.planner, belief, 0), GLIMPSE_OK);
    glimpse_decision decision;
    assert_int_equal(glimpse_planner_plan(f.planner, &(glimpse_budget){.expansions = SIMULATIONS}, &decision), 0);
    double exact = only_value(model, dense, 21); /* 0.8^21 < 0.01 <= 0.8^20 */
    const gli_pomcp *pomcp = (const gli_pomcp *)f.planner;
    double range = decision.expansions ? pomcp->most - pomcp->least : 0;
    /* Particles are drawn twice: from the belief, and for each simulation. */
    if (fabs(decision.value - exact) > 5 * range / 2 * sqrt(2.0 / SIMULATIONS) + 1e-9)
      fail_msg("seed %d: %f instead of %f", (int)seed, decision.value, exact);
    drop(&f);
  }
}

/* ------------------------------------------------------------- determinism */

static bool same(glimpse_decision a, glimpse_decision b) {
  /* The same bits are meant, NaN included: NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-*) */
  return a.ask == b.ask && a.action == b.action && !memcmp(&a.value, &b.value, sizeof a.value) && a.nodes == b.nodes &&
         a.corners == b.corners && a.bytes == b.bytes && a.expansions == b.expansions;
}

/* Three decisions in a row, the world drawn from a fixed stream. */
static void play(fixture *f, uint64_t episode, glimpse_decision *decisions) {
  glimpse_belief *belief = glimpse_belief_new(f->model);
  gli_random world = gli_random_stream(5, "world", 0);
  uint32_t s = 7;
  assert_int_equal(glimpse_planner_begin(f->planner, glimpse_belief_row(belief), episode), GLIMPSE_OK);
  for (int i = 0; i < 3; i++) {
    decisions[i] = plan(f->planner, 300);
    uint32_t a = decisions[i].action;
    gli_pomcp_sampler next = {.table = &f->model->transition}, sight = {.table = &f->model->observe};
    s = gli_pomcp_sampler_draw(&next, gli_model_row(f->model, a, s), &world);
    uint32_t o = gli_pomcp_sampler_draw(&sight, gli_model_row(f->model, a, s), &world);
    glimpse_belief_update(belief, a, o, NULL);
    assert_int_equal(glimpse_planner_observe(f->planner, a, o, glimpse_belief_row(belief)), GLIMPSE_OK);
  }
  glimpse_belief_free(belief);
}

static void test_seeds(void **state) {
  (void)state;
  glimpse_decision first[3], again[3], other[3], seeded[3];
  fixture f = make("tag", (glimpse_planner_options){.seed = 11}),
          g = make("tag", (glimpse_planner_options){.seed = 12});
  play(&f, 4, first);
  play(&f, 5, other);
  play(&f, 4, again);
  play(&g, 4, seeded);
  for (int i = 0; i < 3; i++) assert_true(same(first[i], again[i])); /* whatever came between */
  assert_false(same(first[0], other[0]));
  assert_false(same(first[0], seeded[0]));
  drop(&f);
  drop(&g);
}

/* ------------------------------------------------------------------- moving */

static void test_reveal(void **state) {
  (void)state;
  fixture f =
      make("tiger:c=0.5,gamma=0.5", (glimpse_planner_options){.rollout = GLIMPSE_ROLLOUT_UPPER, .exploration = 60});
  glimpse_decision decision = plan(f.planner, 2000);
  assert_true(decision.ask);
  assert_true(decision.corners > 2);
  assert_int_equal(glimpse_planner_reveal(f.planner, 1), GLIMPSE_OK);
  assert_true(glimpse_planner_choice(f.planner, 1).visits > 100); /* what was learnt is kept */
  decision = plan(f.planner, 100);
  assert_false(decision.ask);
  assert_int_equal(decision.action, 1);
  glimpse_choice ask = glimpse_planner_choice(f.planner, GLIMPSE_ANY);
  assert_true(ask.visits == 0 && isnan(ask.value));
  assert_int_equal(glimpse_planner_reveal(f.planner, 0), GLIMPSE_OK); /* told again, and something else */
  decision = plan(f.planner, 500);
  assert_false(decision.ask);
  assert_int_equal(decision.action, 2);
  assert_int_equal(glimpse_planner_observe(f.planner, 2, 0, glimpse_model_start(f.model)), GLIMPSE_OK);
  assert_true(plan(f.planner, 500).ask); /* a new step, a new request phase */
  drop(&f);
}

/* Where requests are off a state may be told all the same. */
static void test_reveal_for_free(void **state) {
  (void)state;
  fixture f =
      make("tiger:c=0,gamma=0.5", (glimpse_planner_options){.rollout = GLIMPSE_ROLLOUT_UPPER, .exploration = 60});
  plan(f.planner, 100);
  assert_int_equal(glimpse_planner_reveal(f.planner, 0), GLIMPSE_OK);
  assert_int_equal(plan(f.planner, 500).action, 2);
  drop(&f);
}

/* Heard once behind the left door, the particles lean to it by Bayes' rule. */
static void test_observe(void **state) {
  (void)state;
  for (int reset = 0; reset < 2; reset++) {
    fixture f = make("tiger:c=0", (glimpse_planner_options){.particles = 200,
                                                            .graph = reset ? GLIMPSE_GRAPH_RESET : GLIMPSE_GRAPH_KEEP});
    plan(f.planner, 1500);
    glimpse_belief *belief = glimpse_belief_new(f.model);
    assert_int_equal(glimpse_belief_update(belief, 0, 0, NULL), GLIMPSE_OK);
    assert_int_equal(glimpse_planner_observe(f.planner, 0, 0, glimpse_belief_row(belief)), GLIMPSE_OK);
    glimpse_choice listen = glimpse_planner_choice(f.planner, 0);
    assert_true(reset ? listen.visits == 0 : listen.visits > 100);
    const gli_pomcp *pomcp = (const gli_pomcp *)f.planner;
    assert_int_equal(pomcp->particle_count, 200);
    int left = 0;
    for (uint32_t i = 0; i < 200; i++) left += pomcp->particles[i] == 0;
    assert_in_range(left, 145, 195); /* 170 expected, deviation 5 */
    plan(f.planner, 100);
    glimpse_belief_free(belief);
    drop(&f);
  }
}

/* An observation that no simulation has met: one in a million tells the state.  The
 * particles come from the exact belief, all of them, and the decision is right. */
static void test_rare_observation(void **state) {
  (void)state;
  enum { LOOK, LEFT, RIGHT };
  glimpse_builder *builder = glimpse_builder_new(2, 3, 3);
  glimpse_builder_discount(builder, 0.5);
  for (uint32_t s = 0; s < 2; s++) {
    glimpse_builder_transition(builder, GLIMPSE_ANY, s, s, 1);
    glimpse_builder_observation(builder, GLIMPSE_ANY, s, 0, 1 - 1e-6);
    glimpse_builder_observation(builder, GLIMPSE_ANY, s, 1 + s, 1e-6);
    for (uint32_t side = 0; side < 2; side++)
      glimpse_builder_reward(builder, LEFT + side, s, GLIMPSE_ANY, GLIMPSE_ANY, side == s ? 1 : -3);
  }
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_builder_finish(builder, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(builder);
  fixture f = make_on(model, (glimpse_planner_options){0});
  assert_int_equal(plan(f.planner, 1000).action, LOOK);
  glimpse_belief *belief = glimpse_belief_new(model);
  assert_int_equal(glimpse_belief_update(belief, LOOK, 2, NULL), GLIMPSE_OK);
  assert_int_equal(glimpse_planner_observe(f.planner, LOOK, 2, glimpse_belief_row(belief)), GLIMPSE_OK);
  const gli_pomcp *pomcp = (const gli_pomcp *)f.planner;
  assert_int_equal(pomcp->particle_count, 1000);
  for (uint32_t i = 0; i < 1000; i++) assert_int_equal(pomcp->particles[i], 1);
  assert_int_equal(plan(f.planner, 1000).action, RIGHT);
  glimpse_belief_free(belief);
  drop(&f);
}

/* Particles that simulations brought are used as they are while they are half of
 * what is wanted, and otherwise the rest is drawn. */
static void test_top_up(void **state) {
  (void)state;
  static const uint32_t simulations[] = {60, 400};
  for (int i = 0; i < 2; i++) {
    fixture f = make_on(one_state(1, 1, 0.5, 0), (glimpse_planner_options){.particles = 600});
    plan(f.planner, simulations[i]);
    assert_int_equal(glimpse_planner_observe(f.planner, 0, 0, glimpse_model_start(f.model)), GLIMPSE_OK);
    const gli_pomcp *pomcp = (const gli_pomcp *)f.planner;
    assert_int_equal(pomcp->particle_count, simulations[i] < 300 ? 600 : simulations[i]);
    drop(&f);
  }
}

static void test_terminal(void **state) {
  (void)state;
  fixture f = make("toy:c=2", (glimpse_planner_options){0});
  uint32_t end = environment_find(f.model, GLIMPSE_STATE, "end");
  glimpse_decision decision;
  for (int told = 0; told < 2; told++) {
    glimpse_status status = told ? glimpse_planner_reveal(f.planner, end)
                                 : glimpse_planner_begin(f.planner, (glimpse_row){1, &end, &(double){1}}, 0);
    assert_int_equal(status, GLIMPSE_OK);
    assert_int_equal(glimpse_planner_plan(f.planner, &(glimpse_budget){.expansions = 10}, &decision), GLIMPSE_OK);
    assert_int_equal(decision.stop, GLIMPSE_STOP_SOLVED);
    assert_int_equal(decision.expansions, 0);
    assert_true(decision.value == 0 && !decision.ask && decision.action < 2);
  }
  /* Half of the belief has ended: half of the value is left. */
  uint32_t both[2] = {0, end};
  assert_int_equal(glimpse_planner_begin(f.planner, (glimpse_row){2, both, (double[]){0.5, 0.5}}, 0), GLIMPSE_OK);
  decision = plan(f.planner, 4000);
  assert_int_equal(decision.action, 1);
  assert_float_equal(decision.value, 3.5, 0.2);
  assert_float_equal(glimpse_planner_choice(f.planner, 1).value, decision.value, 0);
  drop(&f);
}

/* ------------------------------------------------------------------ limits */

static void test_memory(void **state) {
  (void)state;
  enum { MOST_BYTES = 30000 };
  fixture f = make("tag", (glimpse_planner_options){.max_memory = MOST_BYTES}),
          g = make("tag", (glimpse_planner_options){0});
  glimpse_decision small = plan(f.planner, 3000), large = plan(g.planner, 3000);
  assert_true(small.bytes <= MOST_BYTES && small.bytes > MOST_BYTES / 2);
  assert_true(small.nodes < large.nodes); /* it went on simulating without growing */
  assert_int_equal(((gli_pomcp *)f.planner)->tree.quota.bytes, small.bytes);
  drop(&f);
  drop(&g);
}

static void test_interrupt(void **state) {
  (void)state;
  fixture f = make("robot-delivery:n=3", (glimpse_planner_options){0});
  volatile int stop = 1;
  glimpse_decision decision;
  glimpse_budget budget = {.time = 1000, .interrupt = &stop};
  assert_int_equal(glimpse_planner_plan(f.planner, &budget, &decision), GLIMPSE_OK);
  assert_int_equal(decision.stop, GLIMPSE_STOP_INTERRUPTED);
  assert_int_equal(decision.expansions, 0);
  assert_false(decision.ask);
  assert_string_equal(glimpse_model_name(f.model, GLIMPSE_ACTION, decision.action), "right"); /* the blind bound's */
  assert_true(isnan(decision.value));
  stop = 0;
  plan(f.planner, 300);
  stop = 1; /* what the last search has found stays */
  assert_int_equal(glimpse_planner_plan(f.planner, &budget, &decision), GLIMPSE_OK);
  assert_false(isnan(decision.value));
  drop(&f);
}

static void test_time(void **state) {
  (void)state;
  fixture f = make("tiger", (glimpse_planner_options){0});
  glimpse_decision decision;
  assert_int_equal(glimpse_planner_plan(f.planner, &(glimpse_budget){.time = 0.01}, &decision), GLIMPSE_OK);
  assert_int_equal(decision.stop, GLIMPSE_STOP_TIME);
  assert_true(decision.seconds >= 0.01 && decision.expansions > 0);
  assert_int_equal(glimpse_planner_plan(f.planner, &(glimpse_budget){.time = 1e-9}, &decision), GLIMPSE_OK);
  assert_int_equal(decision.expansions, 1); /* one there is always */
  drop(&f);
  f = make_on(one_state(0, 1, 0, 0), (glimpse_planner_options){0});
  assert_int_equal(glimpse_planner_plan(f.planner, &(glimpse_budget){0}, &decision), GLIMPSE_OK);
  assert_int_equal(decision.expansions, 100000);
  drop(&f);
}

/* ---------------------------------------------------------------- forecast */

static void test_forecast(void **state) {
  (void)state;
  fixture f = make("toy:c=2", (glimpse_planner_options){.exploration = 5});
  glimpse_forecast steps[4];
  assert_int_equal(glimpse_planner_forecast(f.planner, steps, 4), 0); /* nothing known yet */
  plan(f.planner, 3000);
  assert_int_equal(glimpse_planner_forecast(f.planner, steps, 0), 0);
  assert_int_equal(glimpse_planner_forecast(f.planner, steps, 1), 1);
  assert_int_equal(glimpse_planner_forecast(f.planner, steps, 4), 2);
  assert_true(!steps[0].ask && steps[0].action == 1 && steps[0].state == GLIMPSE_ANY);
  assert_int_equal(steps[0].observation, environment_find(f.model, GLIMPSE_OBSERVATION, "single"));
  assert_float_equal(steps[0].probability, 1, 0.01);
  uint32_t left = environment_find(f.model, GLIMPSE_STATE, "single-left");
  assert_true(steps[1].ask && (steps[1].state == left || steps[1].state == left + 1));
  assert_int_equal(steps[1].action, steps[1].state - left); /* guesses the side it was told */
  assert_int_equal(steps[1].observation, GLIMPSE_ANY);      /* ... and then all has ended */
  assert_float_equal(steps[1].probability, 0.5, 0.1);
  assert_true(isnan(steps[1].lower) && isnan(steps[1].upper));
  drop(&f);
}

/* ------------------------------------------------------------- wrong inputs */

static void check_refused(const char *spec, bool bounds, glimpse_planner_options options, glimpse_status status,
                          const char *text) {
  glimpse_model *model = environment_make(spec);
  glimpse_offline *offline = NULL;
  if (bounds)
    assert_int_equal(glimpse_offline_new(model, glimpse_offline_upper(model), NULL, NULL, &offline), GLIMPSE_OK);
  glimpse_report *report = glimpse_report_new();
  glimpse_planner *planner = NULL;
  options.kind = GLIMPSE_PLANNER_POMCP;
  assert_int_equal(glimpse_planner_new(model, offline, &options, report, &planner), status);
  assert_null(planner);
  assert_int_equal(glimpse_report_kept(report), 1);
  assert_string_equal(glimpse_report_get(report, 0)->text, text);
  glimpse_report_free(report);
  glimpse_offline_free(offline);
  glimpse_model_free(model);
}

static void test_refused(void **state) {
  (void)state;
  const char *exploration = "exploration: expected a number above 0, or 0 for the default";
  check_refused("tiger", true, (glimpse_planner_options){.rollout = GLIMPSE_ROLLOUTS}, GLIMPSE_BAD_ARGUMENT,
                "rollout: there is no such choice; it is one of random|silent|upper");
  check_refused("tiger", true, (glimpse_planner_options){.exploration = -1}, GLIMPSE_BAD_ARGUMENT, exploration);
  check_refused("tiger", true, (glimpse_planner_options){.exploration = NAN}, GLIMPSE_BAD_ARGUMENT, exploration);
  check_refused("tiger", true, (glimpse_planner_options){.exploration = INFINITY}, GLIMPSE_BAD_ARGUMENT, exploration);
  check_refused("tiger", true, (glimpse_planner_options){.particles = 1 + (1 << 24)}, GLIMPSE_BAD_ARGUMENT,
                "particles: 16777217 is not between 1 and 16777216");
  check_refused("tiger", false, (glimpse_planner_options){.rollout = GLIMPSE_ROLLOUT_UPPER}, GLIMPSE_BAD_ARGUMENT,
                "this planner needs the offline bounds");
  check_refused("tiger", true, (glimpse_planner_options){.max_memory = 50}, GLIMPSE_TOO_LARGE,
                "the memory limit leaves no room for a tree");
  assert_string_equal(glimpse_rollout_key(GLIMPSE_ROLLOUTS), "?");
}

/* What is refused changes nothing. */
static void test_wrong_calls(void **state) {
  (void)state;
  fixture f = make("tiger", (glimpse_planner_options){0});
  plan(f.planner, 200);
  glimpse_choice before = glimpse_planner_choice(f.planner, 0);
  glimpse_row start = glimpse_model_start(f.model);
  uint32_t far = 2, near = 0;
  glimpse_row rows[] = {{0, NULL, NULL},           {1, &far, &(double){1}},    {1, &near, &(double){0}},
                        {1, &near, &(double){-1}}, {1, &near, &(double){NAN}}, {1, &near, &(double){INFINITY}}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    assert_int_equal(glimpse_planner_begin(f.planner, rows[i], 0), GLIMPSE_BAD_ARGUMENT);
    assert_int_equal(glimpse_planner_observe(f.planner, 0, 0, rows[i]), GLIMPSE_BAD_ARGUMENT);
  }
  assert_int_equal(glimpse_planner_observe(f.planner, 3, 0, start), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(glimpse_planner_observe(f.planner, 0, 2, start), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(glimpse_planner_reveal(f.planner, 2), GLIMPSE_BAD_ARGUMENT);
  glimpse_choice after = glimpse_planner_choice(f.planner, 0), none = glimpse_planner_choice(f.planner, 3);
  assert_true(after.visits == before.visits && after.value == before.value);
  assert_true(none.visits == 0 && isnan(none.value));
  plan(f.planner, 10);
  drop(&f);
}

static glimpse_status whole_job(void *context) {
  const fixture *f = context;
  glimpse_planner_options options = {
      .kind = GLIMPSE_PLANNER_POMCP, .max_memory = 40000, .rollout = GLIMPSE_ROLLOUT_UPPER};
  glimpse_planner *planner = NULL;
  glimpse_decision decision;
  glimpse_status status = glimpse_planner_new(f->model, f->offline, &options, NULL, &planner);
  if (!status) status = glimpse_planner_plan(planner, &(glimpse_budget){.expansions = 100}, &decision);
  if (!status) status = glimpse_planner_reveal(planner, 1);
  if (!status) status = glimpse_planner_plan(planner, &(glimpse_budget){.expansions = 100}, &decision);
  if (!status) status = glimpse_planner_observe(planner, 0, 0, glimpse_model_start(f->model));
  if (!status) status = glimpse_planner_plan(planner, &(glimpse_budget){.expansions = 100}, &decision);
  glimpse_planner_free(planner);
  return status;
}

static void test_no_memory(void **state) {
  (void)state;
  fixture f = make("tag", (glimpse_planner_options){0});
  assert_true(failing_malloc_sweep(whole_job, &f) > 10);
  drop(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_toy),          cmocka_unit_test(test_tiger),
      cmocka_unit_test(test_tiger_random), cmocka_unit_test(test_exit),
      cmocka_unit_test(test_one_state),    cmocka_unit_test(test_rollouts),
      cmocka_unit_test(test_monte_carlo),  cmocka_unit_test(test_seeds),
      cmocka_unit_test(test_reveal),       cmocka_unit_test(test_reveal_for_free),
      cmocka_unit_test(test_observe),      cmocka_unit_test(test_rare_observation),
      cmocka_unit_test(test_top_up),       cmocka_unit_test(test_terminal),
      cmocka_unit_test(test_memory),       cmocka_unit_test(test_interrupt),
      cmocka_unit_test(test_time),         cmocka_unit_test(test_forecast),
      cmocka_unit_test(test_refused),      cmocka_unit_test(test_wrong_calls),
      cmocka_unit_test(test_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
