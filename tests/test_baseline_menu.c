/* Baselines in models with inquiries: what they ask and earn, by hand and by the recursion.
 *
 * Covers src/planners/baseline_menu.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "glimpse.h"
#include "support/failing_malloc.h"
#include "support/inquiries.h"

enum { EVERY = 7, EPISODES = 300, INQUIRIES = 4 };

static const glimpse_planner_kind rules[] = {GLIMPSE_PLANNER_NEVER_ASK, GLIMPSE_PLANNER_ALWAYS_ASK,
                                             GLIMPSE_PLANNER_ASK_EVERY, GLIMPSE_PLANNER_ASK_ENTROPY};

static glimpse_offline *offline_of(const glimpse_model *model) {
  glimpse_offline *offline;
  glimpse_bound_options once = {.threads = 1};
  assert_int_equal(glimpse_offline_new(model, glimpse_offline_upper(model), &once, NULL, &offline), GLIMPSE_OK);
  return offline;
}

/* A coin of four sides, thrown anew in each step: 1 for the right one, nothing is seen. */
static glimpse_builder *coin(void) {
  glimpse_builder *b = glimpse_builder_new(4, 4, 1);
  glimpse_builder_discount(b, 0.9);
  for (uint32_t a = 0; a < 4; a++) {
    for (uint32_t s = 0; s < 4; s++) glimpse_builder_transition(b, a, GLIMPSE_ANY, s, 0.25);
    glimpse_builder_observation(b, a, GLIMPSE_ANY, 0, 1);
    glimpse_builder_reward(b, a, a, GLIMPSE_ANY, GLIMPSE_ANY, 1);
  }
  return b;
}

/* Asks which of so many blocks of equal size the side is in. */
static uint32_t blocks(glimpse_builder *b, const char *name, uint32_t count, glimpse_timing timing, double price) {
  uint32_t i;
  glimpse_builder_inquiry(b, &(glimpse_inquiry){.name = name, .answers = count, .timing = timing}, &i);
  glimpse_builder_inquiry_price(b, i, GLIMPSE_ANY, price);
  for (uint32_t s = 0; s < 4; s++) glimpse_builder_inquiry_answer(b, i, s, s * count / 4, 1);
  return i;
}

static glimpse_model *finish(glimpse_builder *b, glimpse_limits limits) {
  glimpse_model *model;
  glimpse_builder_limits(b, &limits);
  assert_int_equal(glimpse_builder_finish(b, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(b);
  return model;
}

typedef struct earned {
  double mean, se, asked[INQUIRIES];
} earned;

static earned play(const glimpse_model *model, const glimpse_planner_options *options, uint32_t steps) {
  static glimpse_episode results[EPISODES];
  static uint32_t asked[EPISODES * INQUIRIES];
  static double totals[EPISODES];
  glimpse_offline *offline = offline_of(model);
  uint32_t inquiries = glimpse_model_inquiries(model);
  assert_true(inquiries <= INQUIRIES);
  glimpse_run run = {.episodes = EPISODES, .max_steps = steps, .planner = *options, .asked = asked};
  assert_int_equal(glimpse_run_episodes(model, offline, &run, NULL, results), GLIMPSE_OK);
  earned e = {0};
  for (uint32_t i = 0; i < EPISODES; i++) {
    totals[i] = results[i].total;
    for (uint32_t k = 0; k < inquiries; k++) e.asked[k] += asked[i * inquiries + k];
  }
  for (uint32_t k = 0; k < inquiries; k++) e.asked[k] /= EPISODES;
  glimpse_statistic mean = glimpse_statistic_of(totals, EPISODES);
  e.mean = mean.mean;
  e.se = mean.se;
  glimpse_offline_free(offline);
  return e;
}

/* Of two, of four blocks: the second tells more, whatever it costs; 10 steps at 1 - 0.3, and at 1/4 unasked. */
static void test_tells_most(void **state) {
  (void)state;
  double sum = (1 - pow(0.9, 10)) / (1 - 0.9);
  for (int order = 0; order < 2; order++) {
    glimpse_builder *b = coin();
    uint32_t weak = 0, strong = 0;
    if (order) weak = blocks(b, "weak", 2, GLIMPSE_TIMING_BEFORE, 0.1);
    strong = blocks(b, "strong", 4, GLIMPSE_TIMING_BEFORE, 0.3);
    if (!order) weak = blocks(b, "weak", 2, GLIMPSE_TIMING_BEFORE, 0.1);
    glimpse_model *model = finish(b, (glimpse_limits){.per_step = 2});
    for (int k = 1; k < 4; k++) {
      glimpse_planner_options options = {.kind = rules[k], .every = 1};
      earned e = play(model, &options, 10);
      assert_true(e.asked[strong] == 10 && e.asked[weak] == 0);
      assert_true(fabs(e.mean - 0.7 * sum) < 1e-9);
    }
    earned never = play(model, &(glimpse_planner_options){.kind = GLIMPSE_PLANNER_NEVER_ASK}, 10);
    assert_true(never.asked[strong] == 0 && never.asked[weak] == 0);
    assert_true(fabs(never.mean - 0.25 * sum) < 5 * never.se);
    earned fifth = play(model, &(glimpse_planner_options){.kind = GLIMPSE_PLANNER_ASK_EVERY, .every = 5}, 10);
    assert_true(fifth.asked[strong] == 2);
    earned blunt = play(model, &(glimpse_planner_options){.kind = GLIMPSE_PLANNER_ASK_ENTROPY, .entropy = 2}, 10);
    assert_true(blunt.asked[strong] == 0); /* there are 2 bits, no more */
    glimpse_model_free(model);
  }
}

/* A question that is a step comes before each action, one that goes with an action with each but it is of use for the
 * next alone; a limit ends it. */
static void test_timings(void **state) {
  (void)state;
  glimpse_builder *b = coin();
  blocks(b, "step", 4, GLIMPSE_TIMING_STEP, 0.3);
  glimpse_model *model = finish(b, (glimpse_limits){0});
  glimpse_planner_options always = {.kind = GLIMPSE_PLANNER_ALWAYS_ASK};
  earned e = play(model, &always, 10);
  assert_true(e.asked[0] == 5);
  assert_true(fabs(e.mean - (0.9 * 1 - 0.3) * (1 - pow(0.81, 5)) / (1 - 0.81)) < 1e-9);
  glimpse_model_free(model);
  b = coin();
  blocks(b, "joint", 4, GLIMPSE_TIMING_JOINT, 0.3);
  model = finish(b, (glimpse_limits){.requests = 3});
  for (int k = 1; k < 4; k += 2) {
    e = play(model, &(glimpse_planner_options){.kind = rules[k]}, 10);
    assert_true(e.asked[0] == 3);
    /* the first and the last six are guessed; three are known, three are paid for */
    double sure = 0.9 + 0.81 + 0.729 - 0.3 * (1 + 0.9 + 0.81);
    double guessed = 0.25 * (1 + (pow(0.9, 4) - pow(0.9, 10)) / 0.1);
    assert_true(fabs(e.mean - sure - guessed) < 5 * e.se);
  }
  glimpse_model_free(model);
}

/* In random models: no rule earns more than the recursion says, its bounds contain that, and the silent one is silent.
 */
static void test_random(void **state) {
  (void)state;
  double asked = 0;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    inquiries_wish wish = {.inquiries = 2, .timings = EVERY, .ends = true, .limit = true, .horizon = true};
    wish.undiscounted = seed % 2;
    wish.patient = true;
    glimpse_model *model = inquiries_make(&wish, seed);
    glimpse_offline *offline = offline_of(model);
    double low, high;
    inquiries_value(model, glimpse_model_start(model), 0, &low, &high);
    for (int k = 0; k < 4; k++) {
      glimpse_planner_options options = {.kind = rules[k], .act = seed % 3 ? GLIMPSE_ACT_QMDP : GLIMPSE_ACT_LOWER};
      glimpse_planner *planner;
      glimpse_decision d;
      assert_int_equal(glimpse_planner_new(model, offline, &options, NULL, &planner), GLIMPSE_OK);
      glimpse_agent *agent = glimpse_agent_new(model, planner, NULL);
      assert_int_equal(glimpse_agent_begin(agent, 0), GLIMPSE_OK);
      assert_int_equal(glimpse_agent_decide(agent, &(glimpse_budget){0}, &d), GLIMPSE_OK);
      glimpse_event events[4];
      size_t count = glimpse_agent_forecast(agent, events, 4);
      bool same =
          !count || (events[0].move.action == d.action && events[0].move.inquiry == d.inquiry); /* 0: it is over */
      if (!(d.lower <= high + 1e-9 && d.upper >= low - 1e-9 && same))
        fail_msg("seed %llu, rule %d: [%g, %g], expected %g", (unsigned long long)seed, k, d.lower, d.upper, low);
      glimpse_agent_free(agent);
      glimpse_planner_free(planner);
      earned e = play(model, &options, 10);
      if (!(e.mean <= high + 5 * e.se + 1e-9))
        fail_msg("seed %llu, rule %d: earns %g +- %g of %g", (unsigned long long)seed, k, e.mean, e.se, high);
      for (uint32_t i = 0; i < INQUIRIES; i++) {
        assert_true(k || e.asked[i] == 0);
        asked += e.asked[i];
      }
    }
    glimpse_offline_free(offline);
    glimpse_model_free(model);
  }
  if (!(asked > 40)) fail_msg("only %g questions per episode", asked);
}

typedef struct player {
  glimpse_model *model;
  glimpse_offline *offline;
  glimpse_planner *planner;
  glimpse_agent *agent;
} player;

static player measuring(glimpse_model *model) {
  player p = {.model = model, .offline = offline_of(model)};
  glimpse_planner_options options = {.kind = GLIMPSE_PLANNER_ACT_THEN_MEASURE};
  assert_int_equal(glimpse_planner_new(model, p.offline, &options, NULL, &p.planner), GLIMPSE_OK);
  p.agent = glimpse_agent_new(model, p.planner, NULL);
  assert_non_null(p.agent);
  assert_int_equal(glimpse_agent_begin(p.agent, 0), GLIMPSE_OK);
  return p;
}

static void leave(player *p) {
  glimpse_agent_free(p->agent);
  glimpse_planner_free(p->planner);
  glimpse_offline_free(p->offline);
  glimpse_model_free(p->model);
}

static uint32_t draw(gli_random *random, glimpse_row row) {
  double u = gli_random_unit(random);
  for (size_t i = 0; i + 1 < row.count; i++)
    if ((u -= row.value[i]) < 0) return row.index[i];
  return row.index[row.count - 1];
}

/* Both agents are told the same and must do the same; counts the steps and the requests. */
static void walk(player p[2], uint64_t seed, unsigned *steps, unsigned *asked) {
  gli_random random = gli_random_stream(seed, "walk", 0);
  const glimpse_model *model = p[0].model;
  uint32_t s = draw(&random, glimpse_model_start(model));
  for (int step = 0; step < 15 && !glimpse_model_terminal(model, s); step++, ++*steps) {
    glimpse_decision d[2];
    for (int i = 0; i < 2; i++)
      assert_int_equal(glimpse_agent_decide(p[i].agent, &(glimpse_budget){0}, &d[i]), GLIMPSE_OK);
    if (d[0].ask != d[1].ask) fail_msg("seed %llu, step %d: one asks", (unsigned long long)seed, step);
    *asked += d[0].ask;
    for (int i = 0; i < 2 && d[i].ask; i++) assert_int_equal(glimpse_agent_reveal(p[i].agent, s, &d[i]), GLIMPSE_OK);
    if (d[0].action != d[1].action) fail_msg("seed %llu, step %d: another action", (unsigned long long)seed, step);
    s = draw(&random, glimpse_model_transition(model, d[0].action, s));
    uint32_t o = draw(&random, glimpse_model_observation(model, d[0].action, s));
    for (int i = 0; i < 2; i++) assert_int_equal(glimpse_agent_observe(p[i].agent, d[i].action, o), GLIMPSE_OK);
  }
}

/* Where the only inquiry is that for the state before an action, act-then-measure is the rule that it is where the
 * state has a cost: the layers of a limit that is never reached change nothing. */
static void test_measuring_the_state(void **state) {
  (void)state;
  unsigned steps = 0, asked = 0;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    inquiries_wish wish = {.inquiries = 1, .timings = 1 << GLIMPSE_TIMING_BEFORE, .state = true, .ends = true};
    wish.patient = seed % 2;
    glimpse_model *plain = inquiries_make(&wish, seed);
    wish.roomy = true;
    player p[2] = {measuring(plain), measuring(inquiries_make(&wish, seed))};
    assert_true(glimpse_model_requests(plain) && glimpse_model_planning(plain) == plain);
    assert_ptr_not_equal(glimpse_model_planning(p[1].model), p[1].model);
    assert_true(glimpse_model_cost(plain, 0) == glimpse_model_inquiry_price(p[1].model, 0, 0));
    walk(p, seed, &steps, &asked);
    leave(&p[0]);
    leave(&p[1]);
  }
  if (!(asked > 200 && steps > asked + 200)) fail_msg("%u requests in %u steps", asked, steps);
}

/* A rule that needs to be told the state says so; so does one that asks where nothing can be asked. */
static void test_refusals(void **state) {
  (void)state;
  glimpse_builder *b = coin();
  blocks(b, "look", 4, GLIMPSE_TIMING_BEFORE, 0.3);
  glimpse_model *asks = finish(b, (glimpse_limits){0}), *mute = finish(coin(), (glimpse_limits){.horizon = 3});
  static const glimpse_planner_kind refused[] = {GLIMPSE_PLANNER_SPI, GLIMPSE_PLANNER_ALWAYS_ASK};
  for (int k = 0; k < 2; k++) {
    glimpse_model *model = k < 1 ? asks : mute;
    glimpse_offline *offline = offline_of(model);
    glimpse_planner *planner;
    glimpse_planner_options options = {.kind = refused[k]};
    assert_int_equal(glimpse_planner_new(model, offline, &options, NULL, &planner), GLIMPSE_NOT_APPLICABLE);
    assert_null(planner);
    glimpse_offline_free(offline);
  }
  glimpse_model_free(asks);
  glimpse_model_free(mute);
}

typedef struct lack {
  const glimpse_model *model;
  const glimpse_offline *offline;
} lack;

static glimpse_status decide_with_less(void *context) {
  const lack *l = context;
  glimpse_planner *planner;
  glimpse_planner_options options = {.kind = GLIMPSE_PLANNER_ALWAYS_ASK};
  glimpse_decision d;
  glimpse_event events[4];
  glimpse_status status = glimpse_planner_new(l->model, l->offline, &options, NULL, &planner);
  if (status) return status;
  glimpse_agent *agent = glimpse_agent_new(l->model, planner, NULL);
  status = agent ? glimpse_agent_begin(agent, 0) : GLIMPSE_NO_MEMORY;
  if (!status) status = glimpse_agent_decide(agent, &(glimpse_budget){0}, &d);
  if (!status && glimpse_agent_forecast(agent, events, 4) == SIZE_MAX) status = GLIMPSE_NO_MEMORY;
  glimpse_agent_free(agent);
  glimpse_planner_free(planner);
  return status;
}

static void test_memory(void **state) {
  (void)state;
  glimpse_builder *b = coin();
  blocks(b, "look", 4, GLIMPSE_TIMING_BEFORE, 0.3);
  glimpse_model *model = finish(b, (glimpse_limits){.per_step = 2});
  lack l = {model, offline_of(model)};
  assert_true(failing_malloc_sweep(decide_with_less, &l) > 10);
  glimpse_offline_free((glimpse_offline *)(uintptr_t)l.offline);
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_tells_most),
                                     cmocka_unit_test(test_timings),
                                     cmocka_unit_test(test_random),
                                     cmocka_unit_test(test_refusals),
                                     cmocka_unit_test(test_measuring_the_state),
                                     cmocka_unit_test(test_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
