/* Layers: models with inquiries and limits are worth, on the model that they are planned on, what the recursion says.
 *
 * Covers src/model/layers.c, src/model/layered.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "glimpse.h"
#include "model/layers.h"
#include "support/failing_malloc.h"
#include "support/inquiries.h"

enum { EVERY = 7 };

typedef struct interval {
  double low, high;
} interval;

/* Searches for a while; the model may be one with inquiries. */
static interval search(const glimpse_model *model, glimpse_row belief, uint64_t expansions, bool acting) {
  glimpse_offline *offline;
  glimpse_planner *planner;
  glimpse_decision decision;
  glimpse_bound_options once = {.threads = 1};
  assert_int_equal(glimpse_offline_new(model, glimpse_offline_upper(model), &once, NULL, &offline), GLIMPSE_OK);
  assert_int_equal(glimpse_planner_new(model, offline, NULL, NULL, &planner), GLIMPSE_OK);
  assert_int_equal(glimpse_planner_begin(planner, belief, 0), GLIMPSE_OK);
  assert_int_equal(glimpse_planner_plan(planner, &(glimpse_budget){.expansions = expansions}, &decision), GLIMPSE_OK);
  interval found = {decision.lower, decision.upper};
  if (acting) found = (interval){-INFINITY, -INFINITY};
  for (uint32_t a = 0; acting && a < glimpse_model_count(model, GLIMPSE_ACTION); a++) {
    glimpse_choice choice = glimpse_planner_choice(planner, a);
    found.low = fmax(found.low, choice.lower);
    found.high = fmax(found.high, choice.upper);
  }
  glimpse_planner_free(planner);
  glimpse_offline_free(offline);
  return found;
}

static void compare_with_oracle(const inquiries_wish *wish, uint64_t first, uint64_t count) {
  double narrow = 0;
  for (uint64_t seed = first; seed < first + count; seed++) {
    glimpse_model *model = inquiries_make(wish, seed);
    double low, high;
    inquiries_value(model, glimpse_model_start(model), 3e4, &low, &high);
    interval found = search(model, glimpse_model_start(model), 300, false);
    if (!(found.low <= high + 1e-9 && found.high >= low - 1e-9))
      fail_msg("seed %llu: the search says [%.12g, %.12g], the recursion [%.12g, %.12g]", (unsigned long long)seed,
               found.low, found.high, low, high);
    narrow += fmin(high - low, 1) + fmin(found.high - found.low, 1);
    glimpse_model_free(model);
  }
  /* A comparison of wide intervals says little. */
  if (narrow > 0.2 * (double)count) fail_msg("intervals are %g wide on average", narrow / (double)count);
}

static void test_each_timing(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < GLIMPSE_TIMINGS; timing++)
    compare_with_oracle(&(inquiries_wish){.inquiries = 1, .timings = 1U << timing, .ends = true}, 100 * timing, 30);
}

static void test_menus(void **state) {
  (void)state;
  compare_with_oracle(&(inquiries_wish){.inquiries = 2, .timings = EVERY, .ends = true}, 1000, 60);
}

static void test_limits(void **state) {
  (void)state;
  compare_with_oracle(&(inquiries_wish){.inquiries = 2, .timings = EVERY, .ends = true, .limit = true}, 2000, 60);
}

static void test_horizon(void **state) {
  (void)state;
  inquiries_wish wish = {.inquiries = 2, .timings = EVERY, .ends = true, .limit = true, .horizon = true};
  compare_with_oracle(&wish, 3000, 60);
  wish.undiscounted = true;
  compare_with_oracle(&wish, 4000, 60);
}

/* What an observation shows is what makes it. */
static void test_shown(void **state) {
  (void)state;
  unsigned both = 0, told = 0;
  for (uint64_t seed = 6000; seed < 6040; seed++) {
    inquiries_wish wish = {.inquiries = 1 + seed % 3, .timings = EVERY, .limit = true, .horizon = seed % 2};
    glimpse_model *model = inquiries_make(&wish, seed);
    const glimpse_model *planning = glimpse_model_planning(model);
    uint32_t observations = glimpse_model_count(model, GLIMPSE_OBSERVATION);
    for (uint32_t l = 0; l < glimpse_planning_layers(planning); l++)
      for (uint32_t c = 0; c < glimpse_model_count(planning, GLIMPSE_ACTION); c++) {
        glimpse_move move = glimpse_planning_move(planning, l, c);
        uint32_t answers = glimpse_model_inquiry(model, move.inquiry).answers;
        if (glimpse_planning_next(planning, l, c) == GLIMPSE_ANY) continue;
        for (uint32_t o = 0; o <= observations; o++)
          for (uint32_t z = 0; z <= answers; z++) {
            uint32_t observation = o < observations ? o : GLIMPSE_ANY, answer = z < answers ? z : GLIMPSE_ANY;
            bool whole = (observation == GLIMPSE_ANY) == (move.action == GLIMPSE_ANY) &&
                         (answer == GLIMPSE_ANY) == (move.inquiry == GLIMPSE_ANY);
            uint32_t seen = whole ? glimpse_planning_seen(planning, l, c, observation, answer) : GLIMPSE_ANY;
            if (seen == GLIMPSE_ANY) continue;
            glimpse_shown shown = glimpse_planning_shown(planning, seen);
            assert_true(shown.observation == observation && shown.answer == answer);
            told += answer != GLIMPSE_ANY;
            both += answer != GLIMPSE_ANY && observation != GLIMPSE_ANY;
          }
      }
    glimpse_shown none = glimpse_planning_shown(planning, glimpse_model_count(planning, GLIMPSE_OBSERVATION));
    assert_true(none.observation == GLIMPSE_ANY && none.answer == GLIMPSE_ANY);
    glimpse_layer first = glimpse_planning_layer(planning, 0), beyond = glimpse_planning_layer(planning, UINT32_MAX);
    glimpse_move move = glimpse_planning_move(planning, 0, 0);
    assert_true(!first.time && !first.used && !first.phase && first.acts == (move.action != GLIMPSE_ANY));
    assert_true(!beyond.acts && !beyond.time);
    glimpse_model_free(model);
  }
  assert_true(both > 100 && told > both);
}

/* The certificate of a policy is one of the planning model. */
static void test_policies(void **state) {
  (void)state;
  for (uint64_t seed = 5000; seed < 5020; seed++) {
    inquiries_wish wish = {.inquiries = 2, .timings = EVERY, .ends = true, .horizon = true, .undiscounted = seed % 2};
    glimpse_model *model = inquiries_make(&wish, seed);
    glimpse_policy *policy;
    glimpse_proof proof;
    double low, high;
    glimpse_solve_options options = {.epsilon = 1e-4, .expansions = 20000};
    assert_int_equal(glimpse_policy_solve(model, NULL, &options, NULL, NULL, &policy), GLIMPSE_OK);
    assert_int_equal(glimpse_policy_verify(policy, model, NULL, &proof), GLIMPSE_OK);
    inquiries_value(model, glimpse_model_start(model), 0, &low, &high);
    assert_true(proof.lower <= high + 1e-9 && proof.upper >= low - 1e-9);
    assert_true(proof.upper - proof.lower < 1e-3);
    glimpse_policy_free(policy);
    glimpse_model_free(model);
  }
}

/* The same model with another way to ask for the state: SR before an action, or as wished; at one price, or at `costs`
 * by state. */
static glimpse_model *with_request(const glimpse_model *from, bool native, glimpse_timing timing, double price,
                                   const double *costs) {
  uint32_t states = glimpse_model_count(from, GLIMPSE_STATE), actions = glimpse_model_count(from, GLIMPSE_ACTION), i;
  glimpse_builder *b = glimpse_builder_new(states, actions, glimpse_model_count(from, GLIMPSE_OBSERVATION));
  glimpse_builder_discount(b, glimpse_model_discount(from));
  glimpse_row start = glimpse_model_start(from);
  for (size_t n = 0; n < start.count; n++) glimpse_builder_start(b, start.index[n], start.value[n]);
  for (uint32_t a = 0; a < actions; a++)
    for (uint32_t s = 0; s < states; s++) {
      glimpse_row t = glimpse_model_transition(from, a, s), o = glimpse_model_observation(from, a, s);
      for (size_t n = 0; n < t.count; n++) glimpse_builder_transition(b, a, s, t.index[n], t.value[n]);
      for (size_t n = 0; n < o.count; n++) glimpse_builder_observation(b, a, s, o.index[n], o.value[n]);
      glimpse_builder_reward(b, a, s, GLIMPSE_ANY, GLIMPSE_ANY, glimpse_model_reward(from, a, s));
    }
  if (native) {
    for (uint32_t s = 0; s < states; s++) glimpse_builder_cost(b, s, costs ? costs[s] : price);
  } else {
    glimpse_builder_inquiry(b, &(glimpse_inquiry){.name = "ask", .timing = timing}, &i);
    for (uint32_t s = 0; s < states; s++) glimpse_builder_inquiry_price(b, i, s, costs ? costs[s] : price);
  }
  glimpse_model *model;
  assert_int_equal(glimpse_builder_finish(b, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(b);
  return model;
}

/* Where nothing is observed, asking with an action at price k is asking before the next one at k / discount; where
 * something is, it is worth at most that. */
static void test_joint_and_before(void **state) {
  (void)state;
  for (uint64_t seed = 6000; seed < 6040; seed++) {
    bool blind = seed % 2;
    inquiries_wish wish = {
        .inquiries = 1, .timings = 1 << GLIMPSE_TIMING_JOINT, .state = true, .observations = blind ? 1 : 2};
    glimpse_model *joint = inquiries_make(&wish, seed);
    double k = glimpse_model_inquiry_price(joint, 0, 0);
    glimpse_model *before = with_request(joint, true, 0, k / glimpse_model_discount(joint), NULL);
    assert_ptr_equal(glimpse_model_planning(before), before);
    interval w = search(joint, glimpse_model_start(joint), 2000, false);
    interval n = search(before, glimpse_model_start(before), 2000, true);
    if (!(w.low <= n.high + 1e-9)) fail_msg("seed %llu: %g above %g", (unsigned long long)seed, w.low, n.high);
    if (blind && !(w.high >= n.low - 1e-9 && w.high - w.low < 1e-3 && n.high - n.low < 1e-3))
      fail_msg("seed %llu: [%g, %g] is not [%g, %g]", (unsigned long long)seed, w.low, w.high, n.low, n.high);
    glimpse_model_free(before);
    glimpse_model_free(joint);
  }
}

enum { RUNNING = 3 };

/* A random model in which only the end is seen, and comes in each state with a probability whatever is done. */
static glimpse_model *ending(gli_random *random, const double *end) {
  glimpse_builder *b = glimpse_builder_new(RUNNING + 1, 2, 2);
  glimpse_builder_discount(b, 0.3 + 0.3 * gli_random_unit(random));
  glimpse_builder_start(b, 0, 1); /* is known, so that nobody asks before the first action */
  for (uint32_t a = 0; a < 2; a++) {
    for (uint32_t s = 0; s < RUNNING; s++) {
      double row[RUNNING], sum = 0;
      for (uint32_t t = 0; t < RUNNING; t++) sum += row[t] = pow(gli_random_unit(random), 3);
      for (uint32_t t = 0; t < RUNNING; t++) glimpse_builder_transition(b, a, s, t, (1 - end[s]) * row[t] / sum);
      glimpse_builder_transition(b, a, s, RUNNING, end[s]);
      glimpse_builder_observation(b, a, s, 0, 1);
      glimpse_builder_reward(b, a, s, GLIMPSE_ANY, GLIMPSE_ANY, 2 * gli_random_unit(random) - 1);
    }
    glimpse_builder_transition(b, a, RUNNING, RUNNING, 1);
    glimpse_builder_observation(b, a, RUNNING, 1, 1);
  }
  glimpse_model *model;
  assert_int_equal(glimpse_builder_finish(b, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(b);
  return model;
}

/* The value, narrow enough to compare: of asking with an action, or before one (native). */
static interval priced(const glimpse_model *from, bool native, double price, const double *costs) {
  glimpse_model *model = with_request(from, native, GLIMPSE_TIMING_JOINT, price, costs);
  interval found = search(model, glimpse_model_start(model), 4000, false);
  if (!(found.high - found.low < 1e-4)) fail_msg("[%.9g, %.9g] is wide", found.low, found.high);
  glimpse_model_free(model);
  return found;
}

static bool meet(interval a, interval b) {
  return a.low <= b.high + 1e-9 && b.low <= a.high + 1e-9;
}

/* Where the end is all that is seen, asking with an action at k pays k P(end) more than asking before the next one at
 * k / discount, since nobody asks after the end.  So at k (1 - P(end)) it is worth the same; and where P(end) is the
 * same everywhere, k is worth what k / (discount (1 - P(end))) is. */
static void test_joint_and_end(void **state) {
  (void)state;
  unsigned less = 0;
  for (uint64_t seed = 6100; seed < 6140; seed++) {
    gli_random random = gli_random_stream(seed, "ending", 0);
    double end[RUNNING], costs[RUNNING + 1] = {0}, k = 0.01 + 0.1 * gli_random_unit(&random);
    for (uint32_t s = 0; s < RUNNING; s++) {
      end[s] = s && seed % 2 ? end[0] : 0.1 + 0.4 * gli_random_unit(&random);
      costs[s] = k * (1 - end[s]);
    }
    glimpse_model *model = ending(&random, end);
    double discount = glimpse_model_discount(model);
    interval whole = priced(model, false, k, NULL), part = priced(model, false, 0, costs);
    interval before = priced(model, true, k / discount, NULL);
    if (!meet(part, before))
      fail_msg("seed %llu: [%.9g, %.9g] is not [%.9g, %.9g]", (unsigned long long)seed, part.low, part.high, before.low,
               before.high);
    assert_true(whole.low <= part.high + 1e-9);
    less += whole.high < part.low - 1e-3;
    if (seed % 2) {
      interval dear = priced(model, true, k / discount / (1 - end[0]), NULL);
      if (!meet(whole, dear))
        fail_msg("seed %llu: [%.9g, %.9g] is not [%.9g, %.9g]", (unsigned long long)seed, whole.low, whole.high,
                 dear.low, dear.high);
    }
    glimpse_model_free(model);
  }
  if (less < 10) fail_msg("only in %u models it matters who pays at the end", less);
}

/* Asking as a step at price k is asking before an action at k + (1 - discount) N(s), where waiting never pays. */
static void test_step_and_before(void **state) {
  (void)state;
  for (uint64_t seed = 7000; seed < 7030; seed++) {
    inquiries_wish wish = {.inquiries = 1, .timings = 1 << GLIMPSE_TIMING_STEP, .state = true, .gains = true};
    glimpse_model *step = inquiries_make(&wish, seed);
    uint32_t states = glimpse_model_count(step, GLIMPSE_STATE);
    double costs[8], one = 1, k = glimpse_model_inquiry_price(step, 0, 0);
    for (uint32_t s = 0; s < states; s++) {
      interval v = search(step, (glimpse_row){1, &s, &one}, 3000, false);
      assert_true(v.high - v.low < 1e-4);
      costs[s] = k + (1 - glimpse_model_discount(step)) * (v.low + v.high) / 2;
    }
    glimpse_model *before = with_request(step, true, 0, 0, costs);
    interval w = search(step, glimpse_model_start(step), 3000, false);
    interval v = search(before, glimpse_model_start(before), 3000, false);
    if (!(w.low <= v.high + 1e-4 && v.low <= w.high + 1e-4))
      fail_msg("seed %llu: [%g, %g] is not [%g, %g]", (unsigned long long)seed, w.low, w.high, v.low, v.high);
    glimpse_model_free(before);
    glimpse_model_free(step);
  }
}

/* Asking for the state, declared as an inquiry, is the request that planners know; and planned in layers, as a limit
 * that is never reached makes it, it is worth the same. */
static void test_request_in_layers(void **state) {
  (void)state;
  for (uint64_t seed = 8000; seed < 8020; seed++) {
    inquiries_wish wish = {.inquiries = 1, .timings = 1 << GLIMPSE_TIMING_JOINT, .state = true};
    glimpse_model *joint = inquiries_make(&wish, seed), *native = with_request(joint, true, 0, 0.1, NULL);
    glimpse_model *declared = with_request(joint, false, GLIMPSE_TIMING_BEFORE, 0.1, NULL), *layered;
    assert_int_equal(glimpse_model_inquiries(declared), 0);
    assert_ptr_equal(glimpse_model_planning(declared), declared);
    assert_true(glimpse_model_digest(declared) == glimpse_model_digest(native));
    glimpse_model_free(declared);
    assert_int_equal(glimpse_model_equivalent(native, NULL, &layered), GLIMPSE_OK);
    interval v = search(native, glimpse_model_start(native), 2000, false);
    interval w = search(layered, glimpse_model_start(layered), 2000, false);
    double g = sqrt(glimpse_model_discount(native));
    assert_true(w.low <= g * v.high + 1e-9 && g * v.low <= w.high + 1e-9);
    glimpse_model_free(layered);
    glimpse_model_free(native);
    glimpse_model_free(joint);
  }
}

/* x^(1/n) to the last bits, and the same ones as ever. */
static void test_root(void **state) {
  (void)state;
  for (uint32_t n = 1; n < 40; n++)
    for (double x = 0.001; x < 1; x += 0.037) {
      double y = gli_layers_root(x, n);
      assert_true(fabs(pow(y, n) - x) <= 4e-16 * n * x);
    }
  assert_true(gli_layers_root(0.95, 3) == 0x1.f7421df3a7f86p-1 || fabs(gli_layers_root(0.95, 3) - cbrt(0.95)) < 3e-16);
  assert_true(gli_layers_root(1, 5) == 1 && gli_layers_root(0, 5) == 0 && gli_layers_root(0.25, 2) == 0.5);
  assert_true(fabs(gli_layers_root(0.5, 1000000) - exp2(-1e-6)) < 1e-15);
}

/* Two states, one good, and a way to move. */
static glimpse_builder *small(void) {
  glimpse_builder *b = glimpse_builder_new(2, 2, 1);
  if (!b) return NULL;
  glimpse_builder_discount(b, 0.9);
  glimpse_builder_transition(b, 0, 0, 0, 1);
  glimpse_builder_transition(b, 0, 1, 1, 1);
  glimpse_builder_transition(b, 1, GLIMPSE_ANY, GLIMPSE_ANY, 0.5);
  glimpse_builder_observation(b, GLIMPSE_ANY, GLIMPSE_ANY, 0, 1);
  glimpse_builder_reward(b, 0, 0, GLIMPSE_ANY, GLIMPSE_ANY, 1);
  return b;
}

static glimpse_model *finish(glimpse_builder *b) {
  glimpse_model *model;
  assert_int_equal(glimpse_builder_finish(b, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(b);
  return model;
}

static void test_numbers(void **state) {
  (void)state;
  glimpse_builder *b = small();
  uint32_t window, with;
  glimpse_builder_inquiry(b, &(glimpse_inquiry){.name = "window", .answers = 2}, &window);
  glimpse_builder_inquiry_answer(b, window, 0, 0, 1);
  glimpse_builder_inquiry_answer(b, window, 1, 1, 1);
  glimpse_builder_inquiry_price(b, window, GLIMPSE_ANY, 0.2);
  glimpse_builder_inquiry(b, &(glimpse_inquiry){.name = "lamp", .timing = GLIMPSE_TIMING_JOINT}, &with);
  glimpse_builder_inquiry_price(b, with, GLIMPSE_ANY, 0.3);
  glimpse_builder_limits(b, &(glimpse_limits){.requests = 1, .horizon = 2});
  glimpse_model *model = finish(b);
  const glimpse_model *planning = glimpse_model_planning(model);
  assert_ptr_not_equal(planning, model);
  assert_ptr_equal(glimpse_model_planning(planning), planning);
  assert_false(glimpse_model_requests(planning));
  /* 0: at the start.  It goes on, asks, acts; then time 1 begins, with or without a request. */
  uint32_t go = glimpse_planning_next(planning, 0, 0), asked = glimpse_planning_next(planning, 0, 2);
  assert_int_not_equal(go, asked);
  glimpse_move move = glimpse_planning_move(planning, 0, 1);
  assert_true(move.action == GLIMPSE_ANY && move.inquiry == GLIMPSE_ANY); /* an action before its time: go on */
  move = glimpse_planning_move(planning, 0, 2);
  assert_true(move.action == GLIMPSE_ANY && move.inquiry == window);
  move = glimpse_planning_move(planning, go, 4);
  assert_true(move.action == 1 && move.inquiry == with);
  move = glimpse_planning_move(planning, asked, 4); /* the only request is made */
  assert_true(move.action == 1 && move.inquiry == GLIMPSE_ANY);
  move = glimpse_planning_move(planning, go, 2); /* too late */
  assert_true(move.action == 0 && move.inquiry == GLIMPSE_ANY);
  uint32_t later = glimpse_planning_next(planning, go, 0);
  assert_int_equal(glimpse_planning_next(planning, glimpse_planning_next(planning, later, 0), 0), GLIMPSE_ANY);
  assert_int_equal(glimpse_planning_choice(planning, (glimpse_move){1, with}), 4);
  assert_int_equal(glimpse_planning_choice(planning, (glimpse_move){GLIMPSE_ANY, window}), 2);
  assert_int_equal(glimpse_planning_choice(planning, (glimpse_move){2, GLIMPSE_ANY}), 2); /* planning has more */
  assert_int_equal(glimpse_planning_choice(planning, (glimpse_move){2, with}), GLIMPSE_ANY);
  assert_int_equal(glimpse_planning_seen(planning, 0, 2, GLIMPSE_ANY, 1), 2);
  assert_int_equal(glimpse_planning_seen(planning, 0, 2, GLIMPSE_ANY, 2), GLIMPSE_ANY);
  assert_string_equal(glimpse_model_name(planning, GLIMPSE_OBSERVATION, 2), "window-1");
  assert_string_equal(glimpse_model_name(planning, GLIMPSE_OBSERVATION, glimpse_planning_seen(planning, go, 4, 0, 1)),
                      "o0-lamp-1");
  assert_string_equal(glimpse_model_name(planning, GLIMPSE_ACTION, 4), "a1-lamp");
  assert_true(glimpse_planning_scale(planning, 0) == 1);
  assert_true(glimpse_planning_scale(planning, go) == glimpse_model_discount(planning));
  glimpse_model_free(model);
}

static void test_sizes(void **state) {
  (void)state;
  glimpse_limits huge[] = {{.horizon = UINT32_MAX},
                           {.requests = UINT32_MAX},
                           {.per_step = UINT32_MAX},
                           {.horizon = 1 << 23},
                           {.horizon = 1 << 20, .requests = 1 << 10}};
  for (size_t i = 0; i < sizeof huge / sizeof *huge; i++) {
    glimpse_builder *b = small();
    glimpse_builder_cost(b, GLIMPSE_ANY, 1);
    glimpse_builder_limits(b, &huge[i]);
    glimpse_report *report = glimpse_report_new();
    glimpse_model *model;
    assert_int_equal(glimpse_builder_finish(b, report, &model), GLIMPSE_TOO_LARGE);
    assert_null(model);
    assert_non_null(strstr(glimpse_report_get(report, 0)->text, "planning with"));
    glimpse_report_free(report);
    glimpse_builder_free(b);
  }
}

static glimpse_status job(void *context) {
  (void)context;
  glimpse_builder *b = small();
  if (!b) return GLIMPSE_NO_MEMORY;
  glimpse_builder_inquiry(b, &(glimpse_inquiry){.name = "lamp", .timing = GLIMPSE_TIMING_JOINT}, NULL);
  glimpse_builder_cost(b, GLIMPSE_ANY, 1);
  glimpse_builder_limits(b, &(glimpse_limits){.requests = 1, .horizon = 2});
  glimpse_model *model;
  glimpse_status status = glimpse_builder_finish(b, NULL, &model);
  glimpse_builder_free(b);
  glimpse_model_free(model);
  return status;
}

static void test_no_memory(void **state) {
  (void)state;
  assert_true(failing_malloc_sweep(job, NULL) > 50);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_each_timing),
      cmocka_unit_test(test_menus),
      cmocka_unit_test(test_limits),
      cmocka_unit_test(test_horizon),
      cmocka_unit_test(test_shown),
      cmocka_unit_test(test_policies),
      cmocka_unit_test(test_joint_and_before),
      cmocka_unit_test(test_joint_and_end),
      cmocka_unit_test(test_step_and_before),
      cmocka_unit_test(test_request_in_layers),
      cmocka_unit_test(test_root),
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
