/* Prospects: an agent's choices at a decision are all that the model allows, each between its bounds, and its forecast
 * is what the model makes likely.
 *
 * Covers src/agent/prospects.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "glimpse.h"
#include "support/failing_malloc.h"
#include "support/inquiries.h"

enum { EVERY = 7, MOST = 64 };

typedef struct player {
  glimpse_model *model;
  glimpse_offline *offline;
  glimpse_planner *planner;
  glimpse_agent *agent;
} player;

static player play(glimpse_model *model, glimpse_planner_kind kind) {
  player p = {.model = model};
  glimpse_bound_options once = {.threads = 1};
  glimpse_planner_options options = {.kind = kind};
  assert_int_equal(glimpse_offline_new(model, glimpse_offline_upper(model), &once, NULL, &p.offline), GLIMPSE_OK);
  assert_int_equal(glimpse_planner_new(model, p.offline, &options, NULL, &p.planner), GLIMPSE_OK);
  p.agent = glimpse_agent_new(model, p.planner, NULL);
  assert_non_null(p.agent);
  assert_int_equal(glimpse_agent_begin(p.agent, 0), GLIMPSE_OK);
  assert_true(glimpse_agent_prospects_most(model) <= MOST);
  return p;
}

static void leave(player *p) {
  glimpse_agent_free(p->agent);
  glimpse_planner_free(p->planner);
  glimpse_offline_free(p->offline);
  glimpse_model_free(p->model);
}

/* All moves that the recursion allows are there once, each between bounds that contain its value. */
static void check_start(const player *p, const glimpse_decision *d, uint64_t seed) {
  glimpse_prospect list[MOST];
  uint32_t count = glimpse_agent_prospects(p->agent, list), made = 0, allowed = 0;
  uint32_t actions = glimpse_model_count(p->model, GLIMPSE_ACTION), inquiries = glimpse_model_inquiries(p->model);
  double best = -INFINITY;
  for (uint32_t i = 0; i < count; i++) {
    double low, high;
    const glimpse_choice *worth = &list[i].worth;
    inquiries_worth(p->model, glimpse_model_start(p->model), &list[i].move, 3e3, &low, &high);
    if (!(worth->lower <= high + 1e-9 && worth->upper >= low - 1e-9 && worth->lower <= worth->upper + 1e-9))
      fail_msg("seed %llu: move %u, %u in [%.12g, %.12g], expected [%.12g, %.12g]", (unsigned long long)seed,
               list[i].move.action, list[i].move.inquiry, worth->lower, worth->upper, low, high);
    assert_true(list[i].ask == (list[i].move.action == GLIMPSE_ANY));
    made += list[i].move.action == d->action && list[i].move.inquiry == d->inquiry;
    best = fmax(best, worth->upper);
    for (uint32_t k = 0; k < i; k++) assert_true(memcmp(&list[k].move, &list[i].move, sizeof list[i].move) != 0);
  }
  for (uint32_t a = 0; a <= actions; a++)
    for (uint32_t i = 0; i <= inquiries; i++) {
      glimpse_move move = {a < actions ? a : GLIMPSE_ANY, i < inquiries ? i : GLIMPSE_ANY};
      double low = -INFINITY, high;
      if (a < actions || i < inquiries) inquiries_worth(p->model, glimpse_model_start(p->model), &move, 1, &low, &high);
      allowed += isfinite(low);
    }
  assert_int_equal(made, 1);
  if (count != allowed) fail_msg("seed %llu: %u choices, not %u", (unsigned long long)seed, count, allowed);
  if (!(best >= d->lower - 1e-9)) fail_msg("seed %llu: no choice reaches the decision", (unsigned long long)seed);
}

/* The first event is the decision, probabilities fall, and what is seen can be. */
static void check_forecast(const player *p, const glimpse_decision *d, uint64_t seed) {
  glimpse_event events[8];
  size_t count = glimpse_agent_forecast(p->agent, events, 8);
  assert_true(count <= 8);
  for (size_t i = 0; i < count; i++) {
    const glimpse_event *e = &events[i];
    if (!i) assert_true(e->move.action == d->action && e->move.inquiry == d->inquiry && e->ask == d->ask);
    assert_true(e->probability > 0 && e->probability <= (i ? events[i - 1].probability : 1) + 1e-9);
    assert_true(e->lower <= e->upper + 1e-9);
    glimpse_inquiry inquiry = glimpse_model_inquiry(p->model, e->move.inquiry);
    bool last = i + 1 == count; /* may not have been searched further, or be the end of a horizon */
    if (inquiry.name && !last) assert_true(e->answer < inquiry.answers);
    if (!inquiry.name) assert_true(e->answer == GLIMPSE_ANY);
    if (e->move.action == GLIMPSE_ANY) assert_true(e->observation == GLIMPSE_ANY);
    else if (!last && e->observation >= glimpse_model_count(p->model, GLIMPSE_OBSERVATION))
      fail_msg("seed %llu: nothing is seen in event %zu of %zu", (unsigned long long)seed, i, count);
  }
}

static void test_choices(void **state) {
  (void)state;
  unsigned asked = 0, acted = 0;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    inquiries_wish wish = {.inquiries = 1 + seed % 3, .timings = EVERY, .limit = true, .horizon = seed % 2};
    wish.undiscounted = seed % 4 == 1;
    wish.patient = seed % 8 == 3 || seed % 8 == 4;
    static const glimpse_planner_kind kinds[] = {GLIMPSE_PLANNER_AEMS_LOOP, GLIMPSE_PLANNER_AEMS_SR,
                                                 GLIMPSE_PLANNER_AEMS};
    player p = play(inquiries_make(&wish, seed), kinds[seed % 3]);
    glimpse_decision d;
    glimpse_prospect list[MOST];
    assert_int_equal(glimpse_agent_prospects(p.agent, list), 0); /* nothing is decided yet */
    glimpse_budget budget = {.expansions = seed % 5 ? 60 : 1};
    assert_int_equal(glimpse_agent_decide(p.agent, &budget, &d), GLIMPSE_OK);
    check_start(&p, &d, seed);
    check_forecast(&p, &d, seed);
    asked += d.ask;
    acted += !d.ask;
    leave(&p);
  }
  if (!(asked > 40 && acted > 40)) fail_msg("%u decisions to ask, %u to act", asked, acted);
}

/* Expansions in slices; the last decision, with the expansions of all. */
static glimpse_decision search(const player *p, uint64_t expansions) {
  glimpse_decision d;
  uint64_t used = 0, slice = 1;
  do {
    glimpse_budget budget = {.expansions = slice < expansions - used ? slice : expansions - used};
    assert_int_equal(glimpse_agent_search(p->agent, &budget, &d), GLIMPSE_OK);
    used += d.expansions;
    slice = 1 + slice * 3 % 17;
  } while (used < expansions && d.stop == GLIMPSE_STOP_EXPANSIONS);
  d.expansions = used;
  return d;
}

/* What a search in slices says is what a decision says: the same choice, and intervals that meet.  A decision that
 * stays in the first phase has the same bits; one that goes on knows more of the phase where it ends. */
static void check_same(const player *p, const glimpse_decision *d, const player *other, const glimpse_decision *made,
                       uint64_t seed) {
  glimpse_prospect one[MOST], two[MOST];
  uint32_t count = glimpse_agent_prospects(p->agent, one);
  bool stays = glimpse_agent_stand(other->agent).layer == glimpse_agent_stand(p->agent).layer;
  assert_int_equal(glimpse_agent_prospects(other->agent, two), count);
  if (d->action != made->action || d->inquiry != made->inquiry || d->ask != made->ask || d->upper != made->upper ||
      !(d->lower <= made->lower) || (stays && d->expansions != made->expansions))
    fail_msg("seed %llu: another decision", (unsigned long long)seed);
  for (uint32_t i = 0; i < count; i++) {
    const glimpse_choice *a = &one[i].worth, *b = &two[i].worth;
    assert_memory_equal(&one[i].move, &two[i].move, sizeof one[i].move);
    if (stays ? a->lower != b->lower || a->upper != b->upper : a->lower > b->upper + 1e-9 || b->lower > a->upper + 1e-9)
      fail_msg("seed %llu: choice %u has other bounds", (unsigned long long)seed, i);
  }
}

static void test_search(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    inquiries_wish wish = {.inquiries = 1 + seed % 3, .timings = EVERY, .limit = true, .horizon = seed % 2};
    player p = play(inquiries_make(&wish, seed), GLIMPSE_PLANNER_AEMS_LOOP);
    player other = play(inquiries_make(&wish, seed), GLIMPSE_PLANNER_AEMS_LOOP);
    glimpse_decision d = search(&p, 60), made;
    assert_int_equal(glimpse_agent_decide(other.agent, &(glimpse_budget){.expansions = 60}, &made), GLIMPSE_OK);
    check_start(&p, &d, seed);
    check_forecast(&p, &d, seed);
    check_same(&p, &d, &other, &made, seed);
    leave(&other);
    leave(&p);
  }
}

/* A coin that is thrown anew: guessing is worth 1/2 and asking 0.9, each and 9 afterwards; exact bounds tell all. */
static glimpse_model *coin(uint32_t per_step) {
  glimpse_builder *b = glimpse_builder_new(2, 2, 1);
  glimpse_builder_discount(b, 0.9);
  for (uint32_t a = 0; a < 2; a++) {
    for (uint32_t s = 0; s < 2; s++) glimpse_builder_transition(b, a, GLIMPSE_ANY, s, 0.5);
    glimpse_builder_observation(b, a, GLIMPSE_ANY, 0, 1);
    glimpse_builder_reward(b, a, a, GLIMPSE_ANY, GLIMPSE_ANY, 1);
  }
  uint32_t look;
  glimpse_builder_inquiry(b, &(glimpse_inquiry){.name = "look", .answers = 2}, &look);
  glimpse_builder_inquiry_price(b, look, GLIMPSE_ANY, 0.1);
  for (uint32_t s = 0; s < 2; s++) glimpse_builder_inquiry_answer(b, look, s, s, 1);
  glimpse_builder_limits(b, &(glimpse_limits){.per_step = per_step});
  glimpse_model *model;
  assert_int_equal(glimpse_builder_finish(b, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(b);
  return model;
}

/* Bounds contain the value; those of the choice that the search has solved by it are narrow. */
static void near(const glimpse_prospect *prospect, double value, bool solved) {
  const glimpse_choice *worth = &prospect->worth;
  bool narrow = !solved || worth->upper - worth->lower < 1e-3;
  if (!(worth->lower <= value + 1e-9 && worth->upper >= value - 1e-9 && narrow))
    fail_msg("[%.12g, %.12g], not %g", worth->lower, worth->upper, value);
}

static void test_coin(void **state) {
  (void)state;
  for (uint32_t per_step = 1; per_step <= 3; per_step++) {
    player p = play(coin(per_step), GLIMPSE_PLANNER_AEMS_LOOP);
    glimpse_decision d;
    glimpse_prospect list[MOST];
    const glimpse_budget budget = {.expansions = 2000};
    assert_int_equal(glimpse_agent_decide(p.agent, &budget, &d), GLIMPSE_OK);
    assert_true(d.ask && d.inquiry == 0);
    assert_int_equal(glimpse_agent_prospects(p.agent, list), 3);
    near(&list[0], 0.5 + 0.9 * 9, false);
    near(&list[1], 0.5 + 0.9 * 9, false);
    near(&list[2], 9, true);
    assert_int_equal(glimpse_agent_answer(p.agent, 0, 1, &d), GLIMPSE_OK);
    assert_true(!d.ask && d.action == 1);
    uint32_t count = glimpse_agent_prospects(p.agent, list);
    assert_true(count == 2 || (count == 3 && per_step > 1)); /* it may ask again, which is of no use */
    near(&list[0], 0.9 * 9, false);
    near(&list[1], 1 + 0.9 * 9, true);
    if (count == 3) near(&list[2], 1 + 0.9 * 9 - 0.1, false);
    leave(&p);
  }
}

/* A model with a cost: what the planner says, asking last. */
static void test_plain(void **state) {
  (void)state;
  glimpse_model *model;
  assert_int_equal(glimpse_environment_make("tiger", NULL, &model), GLIMPSE_OK);
  player p = play(model, GLIMPSE_PLANNER_AEMS_LOOP);
  glimpse_decision d;
  glimpse_prospect list[MOST];
  const glimpse_budget budget = {.expansions = 50};
  assert_int_equal(glimpse_agent_prospects(p.agent, list), 0);
  assert_int_equal(glimpse_agent_decide(p.agent, &budget, &d), GLIMPSE_OK);
  assert_int_equal(glimpse_agent_prospects_most(model), 4);
  assert_int_equal(glimpse_agent_prospects(p.agent, list), 4);
  for (uint32_t i = 0; i < 4; i++) {
    glimpse_choice choice = glimpse_planner_choice(p.planner, i < 3 ? i : GLIMPSE_ANY);
    assert_true(list[i].worth.lower == choice.lower && list[i].worth.upper == choice.upper);
    assert_true(list[i].ask == (i == 3) && list[i].move.inquiry == GLIMPSE_ANY);
  }
  glimpse_forecast steps[4];
  glimpse_event events[4];
  size_t count = glimpse_planner_forecast(p.planner, steps, 4);
  assert_int_equal(glimpse_agent_forecast(p.agent, events, 4), count);
  for (size_t i = 0; i < count; i++)
    assert_true(events[i].ask == steps[i].ask && events[i].answer == steps[i].state &&
                events[i].move.action == steps[i].action && events[i].probability == steps[i].probability);
  leave(&p);
}

static void test_memory(void **state) {
  (void)state;
  player p = play(coin(2), GLIMPSE_PLANNER_AEMS_LOOP);
  glimpse_decision d;
  glimpse_prospect list[MOST];
  const glimpse_budget budget = {.expansions = 50};
  assert_int_equal(glimpse_agent_decide(p.agent, &budget, &d), GLIMPSE_OK);
  unsigned long n = 0;
  uint32_t count;
  do {
    failing_malloc_set(++n, false);
    count = glimpse_agent_prospects(p.agent, list);
    failing_malloc_set(0, false);
    assert_true(count == UINT32_MAX || count == 3);
  } while (count == UINT32_MAX);
  assert_true(n > 3);
  leave(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_choices), cmocka_unit_test(test_search),
                                     cmocka_unit_test(test_coin), cmocka_unit_test(test_plain),
                                     cmocka_unit_test(test_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
