/* Told: always asking the same and acting by the answer is worth at least what the bound says.  The numbers of the plan
 * against its equation, one by one; the bound against the recursion on random models, and against values of the
 * literature; what the search makes of its vectors. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "bounds/bound.h"
#include "support/failing_malloc.h"
#include "support/inquiries.h"
#include "support/planning.h"

enum { EVERY = 7 };

static glimpse_bound *always_ask(const glimpse_model *model, glimpse_bound_options options) {
  glimpse_bound *bound = NULL;
  assert_true(glimpse_bound_applies(GLIMPSE_BOUND_ALWAYS_ASK, model));
  assert_int_equal(glimpse_bound_new(model, GLIMPSE_BOUND_ALWAYS_ASK, &options, NULL, &bound), GLIMPSE_OK);
  return bound;
}

/* What a vector earns in a state if all that follows it keeps its word; with the public accessors alone. */
static double kept(const glimpse_model *planned, const glimpse_bound *bound, uint32_t k, uint32_t s) {
  uint32_t observations = glimpse_model_count(planned, GLIMPSE_OBSERVATION), choice = bound->plan[k].action;
  glimpse_row next = glimpse_model_transition(planned, choice, s);
  double sum = 0;
  for (size_t i = 0; i < next.count; i++) {
    glimpse_row seen = glimpse_model_observation(planned, choice, next.index[i]);
    for (size_t j = 0; j < seen.count; j++) {
      uint32_t to = bound->follow[(size_t)k * observations + seen.index[j]];
      assert_true(to < bound->vectors);
      sum += next.value[i] * seen.value[j] * glimpse_bound_entry(bound, to, next.index[i]);
    }
  }
  return glimpse_model_reward(planned, choice, s) + glimpse_model_discount(planned) * sum;
}

/* Each number is supported by the others, with no tolerance but the rounding of this sum; where the sweeps came to
 * their end, it is also what they give. */
static void check_kept(const glimpse_model *model, const glimpse_bound *bound, uint64_t seed) {
  const glimpse_model *planned = glimpse_model_planning(model);
  for (uint32_t k = 0; k < bound->vectors; k++)
    for (uint32_t s = 0; s < glimpse_model_count(planned, GLIMPSE_STATE); s++) {
      double number = glimpse_bound_entry(bound, k, s), value = kept(planned, bound, k, s);
      if (glimpse_model_terminal(planned, s)) assert_true(number == 0);
      else if (number > value)
        fail_msg("seed %llu: vector %u promises %.17g in state %u and keeps %.17g", (unsigned long long)seed, k, number,
                 s, value);
      else if (glimpse_bound_measure(bound).converged && number < value - 1e-5)
        fail_msg("seed %llu: vector %u could promise %.9g in state %u, not %.9g", (unsigned long long)seed, k, value, s,
                 number);
    }
}

static const inquiries_wish wishes[] = {
    {.inquiries = 1, .timings = 1 << GLIMPSE_TIMING_BEFORE, .roomy = true, .ends = true},
    {.inquiries = 1, .timings = 1 << GLIMPSE_TIMING_STEP, .ends = true},
    {.inquiries = 1, .timings = 1 << GLIMPSE_TIMING_JOINT, .ends = true},
    {.inquiries = 2, .timings = EVERY, .ends = true},
    {.inquiries = 3, .timings = EVERY, .limit = true},
    {.inquiries = 2, .timings = EVERY, .ends = true, .limit = true, .horizon = true},
    {.inquiries = 2, .timings = EVERY, .ends = true, .horizon = true, .undiscounted = true},
};

static void test_random(void **state) {
  (void)state;
  unsigned pays = 0;
  for (uint64_t seed = 0; seed < 140; seed++) {
    glimpse_model *model = inquiries_make(&wishes[seed % 7], 7000 + seed);
    const glimpse_model *planned = glimpse_model_planning(model);
    if (planned == model) { /* one inquiry that is a request */
      glimpse_model_free(model);
      continue;
    }
    glimpse_bound *bound = always_ask(model, (glimpse_bound_options){0}), *blind = NULL;
    check_kept(model, bound, seed);
    assert_int_equal(glimpse_bound_new(model, GLIMPSE_BOUND_BLIND, NULL, NULL, &blind), GLIMPSE_OK);
    double low, high, value = glimpse_bound_value(bound, glimpse_model_start(planned));
    inquiries_value(model, glimpse_model_start(model), 3e4, &low, &high);
    if (value > high + 1e-9)
      fail_msg("seed %llu: always asking is worth %.9g, all is worth at most %.9g", (unsigned long long)seed, value,
               high);
    pays += value > glimpse_bound_value(blind, glimpse_model_start(planned)) + 1e-6;
    glimpse_bound_free(blind);
    glimpse_bound_free(bound);
    glimpse_model_free(model);
  }
  assert_true(pays > 20); /* or the bound would be of no use */
}

/* Stopped at once it is valid, too. */
static void test_stopped(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 40; seed++) {
    glimpse_model *model = inquiries_make(&wishes[3 + seed % 4], 7500 + seed);
    if (glimpse_model_planning(model) != model) {
      glimpse_bound *bound = always_ask(model, (glimpse_bound_options){.max_iterations = 1 + seed % 3});
      check_kept(model, bound, seed);
      glimpse_bound_free(bound);
    }
    glimpse_model_free(model);
  }
}

/* Always observing in the sepsis of ACNO-MDP, and in the two worlds of the sensing-cost papers, where the value of
 * knowing the state for free is known, at each price: others have computed these. */
static void test_values(void **state) {
  (void)state;
  static const struct {
    const char *spec;
    double value;
  } cases[] = {{"sepsis:timing=joint,c=0.1", 0.583908},   {"sepsis:timing=joint,c=0.05", 0.702263},
               {"sepsis:timing=joint,c=0.04", 0.725934},  {"sepsis:timing=joint,c=0.03", 0.749604},
               {"sepsis:timing=joint,c=0.02", 0.773275},  {"sepsis:timing=joint,c=0.01", 0.796946},
               {"sepsis:timing=joint,c=0.005", 0.808782}, {"inventory:timing=joint,c=0.04", 5.75 - 0.04 * 5}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    glimpse_model *model = NULL;
    assert_int_equal(glimpse_environment_make(cases[i].spec, NULL, &model), GLIMPSE_OK);
    glimpse_bound *bound = always_ask(model, (glimpse_bound_options){0});
    double value = glimpse_bound_value(bound, glimpse_model_start(glimpse_model_planning(model)));
    if (fabs(value - cases[i].value) > 1e-6) fail_msg("%s: %.9g, not %.9g", cases[i].spec, value, cases[i].value);
    glimpse_bound_free(bound);
    glimpse_model_free(model);
  }
}

/* A search does not promise less than what it starts from, and says so before its first expansions are worth much. */
static void test_search(void **state) {
  (void)state;
  static const char *const specs[] = {"maintenance", "battery-robot", "snake:timing=joint"};
  for (size_t i = 0; i < 3; i++) {
    planning p;
    planning_start(&p, specs[i]);
    glimpse_bound *bound = always_ask(p.model, (glimpse_bound_options){0});
    double value = glimpse_bound_value(bound, glimpse_model_start(glimpse_model_planning(p.model)));
    planning_planner(&p, NULL);
    glimpse_decision d = planning_decide(&p, (glimpse_budget){.expansions = 1});
    assert_true(d.lower >= value - 1e-9 && d.lower <= d.upper);
    glimpse_bound_free(bound);
    planning_stop(&p);
  }
}

static glimpse_status job(void *context) {
  glimpse_bound *bound = NULL;
  glimpse_status status =
      glimpse_bound_new(context, GLIMPSE_BOUND_ALWAYS_ASK, &(glimpse_bound_options){.threads = 1}, NULL, &bound);
  glimpse_bound_free(bound);
  return status;
}

static void test_no_memory(void **state) {
  (void)state;
  glimpse_model *model = inquiries_make(&wishes[3], 7003);
  assert_ptr_not_equal(glimpse_model_planning(model), model);
  assert_true(failing_malloc_sweep(job, model) > 10);
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_stopped),
                                     cmocka_unit_test(test_values), cmocka_unit_test(test_search),
                                     cmocka_unit_test(test_no_memory)};
  return cmocka_run_group_tests_name("told", tests, NULL, NULL);
}
