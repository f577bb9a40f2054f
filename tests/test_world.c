/* World: what happens is possible and as frequent as the model says; the same seed and number go the same way, in
 * episodes, too. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "glimpse.h"
#include "support/environment.h"
#include "support/failing_malloc.h"
#include "support/inquiries.h"
#include "support/planning.h"

static double entry(glimpse_row row, uint32_t i) {
  for (size_t k = 0; k < row.count; k++)
    if (row.index[k] == i) return row.value[k];
  return 0;
}

static void test_possible(void **state) {
  (void)state;
  static const char *const specs[] = {"tiger", "robot-delivery:n=3", "rock-sample:n=4,k=4", "tag"};
  for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
    glimpse_model *model = environment_make(specs[i]);
    for (uint64_t episode = 0; episode < 20; episode++) {
      glimpse_world *world = glimpse_world_new(model, 7, episode), *again = glimpse_world_new(model, 7, episode);
      assert_true(entry(glimpse_model_start(model), glimpse_world_state(world)) > 0);
      for (uint32_t k = 0; k < 30; k++) {
        uint32_t a = (k * 5 + (uint32_t)episode) % glimpse_model_count(model, GLIMPSE_ACTION);
        uint32_t before = glimpse_world_state(world);
        glimpse_outcome one, two;
        assert_int_equal(glimpse_world_act(world, a, &one), GLIMPSE_OK);
        assert_int_equal(glimpse_world_act(again, a, &two), GLIMPSE_OK);
        assert_memory_equal(&one, &two, sizeof one);
        assert_int_equal(glimpse_world_state(world), one.state);
        assert_true(entry(glimpse_model_transition(model, a, before), one.state) > 0);
        assert_true(entry(glimpse_model_observation(model, a, one.state), one.observation) > 0);
        assert_true(one.reward == glimpse_model_reward_step(model, a, before, one.state, one.observation));
      }
      glimpse_world_free(again);
      glimpse_world_free(world);
    }
    glimpse_model_free(model);
  }
}

/* Tiger: the start is even, and listening is right with 0.85. */
static void test_frequencies(void **state) {
  (void)state;
  enum { WORLDS = 4000 };
  glimpse_model *model = environment_make("tiger");
  double left = 0, right = 0;
  for (uint64_t i = 0; i < WORLDS; i++) {
    glimpse_world *world = glimpse_world_new(model, 1, i);
    glimpse_outcome outcome;
    left += glimpse_world_state(world) == 0;
    assert_int_equal(glimpse_world_act(world, glimpse_model_find(model, GLIMPSE_ACTION, "listen"), &outcome),
                     GLIMPSE_OK);
    right += outcome.observation == outcome.state;
    glimpse_world_free(world);
  }
  assert_true(fabs(left / WORLDS - 0.5) < 0.04);
  assert_true(fabs(right / WORLDS - 0.85) < 0.03);
  glimpse_model_free(model);
}

struct follower {
  const glimpse_model *model;
  glimpse_world *world;
  unsigned steps;
};

/* The world of the same number, in which the same is done. */
static bool follow(void *context, const glimpse_step *step) {
  struct follower *f = context;
  if (!step->step) {
    glimpse_world_free(f->world);
    f->world = glimpse_world_new(f->model, 3, step->episode);
  }
  assert_int_equal(glimpse_world_state(f->world), step->state);
  glimpse_outcome outcome;
  assert_int_equal(glimpse_world_act(f->world, step->action, &outcome), GLIMPSE_OK);
  assert_int_equal(outcome.state, step->next_state);
  assert_int_equal(outcome.observation, step->observation);
  assert_true(outcome.reward == step->reward);
  f->steps++;
  return true;
}

static void test_episodes(void **state) {
  (void)state;
  planning p;
  planning_start(&p, "robot-delivery:n=3");
  struct follower follower = {.model = p.model};
  glimpse_episode results[3];
  glimpse_run how = {
      .episodes = 3, .first = 4, .seed = 3, .max_steps = 40, .budget = {.expansions = 20}, .step = follow};
  how.context = &follower;
  assert_int_equal(glimpse_run_episodes(p.model, p.offline, &how, NULL, results), GLIMPSE_OK);
  assert_true(follower.steps > 20);
  glimpse_world_free(follower.world);
  planning_stop(&p);
}

/* Answers of every timing are those of the episode with the same number. */
static bool follow_answers(void *context, const glimpse_step *step) {
  struct follower *f = context;
  if (!step->step) {
    glimpse_world_free(f->world);
    f->world = glimpse_world_new(f->model, 3, step->episode);
  }
  bool joint = false;
  for (uint32_t i = 0; i < step->answers; i++) {
    const glimpse_answer *expected = &step->answer[i];
    glimpse_answer answer;
    glimpse_outcome outcome;
    joint = glimpse_model_inquiry(f->model, expected->inquiry).timing == GLIMPSE_TIMING_JOINT;
    if (joint) assert_int_equal(glimpse_world_act(f->world, step->action, &outcome), GLIMPSE_OK);
    uint32_t before = glimpse_world_state(f->world);
    assert_int_equal(glimpse_world_ask(f->world, expected->inquiry, &answer), GLIMPSE_OK);
    glimpse_row effect = glimpse_model_inquiry_effect(f->model, expected->inquiry, before);
    assert_true(effect.count ? entry(effect, glimpse_world_state(f->world)) > 0
                             : glimpse_world_state(f->world) == before);
    glimpse_row told = glimpse_model_inquiry_answers(f->model, expected->inquiry, glimpse_world_state(f->world));
    assert_true(entry(told, answer.answer) > 0);
    assert_int_equal(answer.answer, expected->answer);
    assert_true(answer.price == expected->price);
    f->steps++;
  }
  glimpse_outcome outcome;
  if (step->action != GLIMPSE_ANY && !joint)
    assert_int_equal(glimpse_world_act(f->world, step->action, &outcome), GLIMPSE_OK);
  assert_int_equal(glimpse_world_state(f->world), step->next_state);
  return true;
}

static void test_answers(void **state) {
  (void)state;
  unsigned answers = 0;
  for (uint64_t seed = 1; seed <= 30; seed++) {
    inquiries_wish wish = {.inquiries = 1 + seed % 3, .timings = 7, .limit = seed % 2};
    glimpse_model *model = inquiries_make(&wish, seed);
    struct follower follower = {.model = model};
    glimpse_offline *offline;
    glimpse_episode results[2];
    glimpse_run how = {.episodes = 2, .seed = 3, .max_steps = 10, .budget = {.expansions = 20}, .step = follow_answers};
    how.context = &follower;
    assert_int_equal(glimpse_offline_new(follower.model, glimpse_offline_upper(follower.model),
                                         &(glimpse_bound_options){.threads = 1}, NULL, &offline),
                     GLIMPSE_OK);
    assert_int_equal(glimpse_run_episodes(follower.model, offline, &how, NULL, results), GLIMPSE_OK);
    answers += follower.steps;
    glimpse_answer answer;
    assert_int_equal(glimpse_world_ask(follower.world, glimpse_model_inquiries(follower.model), &answer),
                     GLIMPSE_BAD_ARGUMENT);
    glimpse_world_free(follower.world);
    glimpse_offline_free(offline);
    glimpse_model_free(model);
  }
  assert_true(answers > 50);
}

static void test_wrong(void **state) {
  (void)state;
  glimpse_model *model = environment_make("tiger");
  glimpse_world *world = glimpse_world_new(model, 0, 0), *one = glimpse_world_new(model, 1, 0);
  assert_int_equal(glimpse_world_state(world), glimpse_world_state(one)); /* the default seed */
  uint32_t before = glimpse_world_state(world);
  glimpse_outcome outcome;
  assert_int_equal(glimpse_world_act(world, 3, &outcome), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(glimpse_world_act(world, GLIMPSE_ANY, &outcome), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(glimpse_world_state(world), before);
  glimpse_world_free(one);
  glimpse_world_free(world);
  glimpse_world_free(NULL);
  failing_malloc_set(1, false);
  assert_null(glimpse_world_new(model, 1, 0));
  failing_malloc_set(0, false);
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_possible), cmocka_unit_test(test_frequencies), cmocka_unit_test(test_episodes),
      cmocka_unit_test(test_answers),  cmocka_unit_test(test_wrong),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
