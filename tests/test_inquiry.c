/* Inquiry: what is given to a builder is what a model tells, and what cannot be is refused with a sentence.
 *
 * Covers src/model/inquiry.c, src/model/planning.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "glimpse.h"
#include "support/failing_malloc.h"

/* Three rooms in a row, one action that stays. */
static glimpse_builder *rooms(void) {
  glimpse_builder *b = glimpse_builder_new(3, 1, 1);
  if (!b) return NULL;
  const char *names[3] = {"hall", "kitchen", "cellar"};
  for (uint32_t s = 0; s < 3; s++) {
    glimpse_builder_name(b, GLIMPSE_STATE, s, names[s]);
    glimpse_builder_transition(b, 0, s, s, 1);
    glimpse_builder_reward(b, 0, s, GLIMPSE_ANY, GLIMPSE_ANY, s);
  }
  glimpse_builder_name(b, GLIMPSE_ACTION, 0, "stay");
  glimpse_builder_observation(b, GLIMPSE_ANY, GLIMPSE_ANY, 0, 1);
  glimpse_builder_discount(b, 0.5);
  return b;
}

static uint32_t camera(glimpse_builder *b, glimpse_timing timing) {
  uint32_t i;
  glimpse_inquiry inquiry = {.name = "camera", .timing = timing, .answers = 2, .unpaid = true};
  glimpse_builder_inquiry(b, &inquiry, &i);
  glimpse_builder_answer_name(b, i, 0, "up");
  glimpse_builder_answer_name(b, i, 1, "down");
  glimpse_builder_inquiry_answer(b, i, GLIMPSE_ANY, 0, 1);
  glimpse_builder_inquiry_answer(b, i, 2, 0, 0.25);
  glimpse_builder_inquiry_answer(b, i, 2, 1, 0.75);
  glimpse_builder_inquiry_price(b, i, GLIMPSE_ANY, 0.5);
  glimpse_builder_inquiry_price(b, i, 1, 0.75);
  return i;
}

static glimpse_model *finish(glimpse_builder *b) {
  glimpse_model *model;
  assert_int_equal(glimpse_builder_finish(b, NULL, &model), GLIMPSE_OK);
  glimpse_builder_free(b);
  return model;
}

static void test_access(void **state) {
  (void)state;
  glimpse_builder *b = rooms();
  uint32_t i = camera(b, GLIMPSE_TIMING_STEP);
  glimpse_builder_inquiry_failure(b, i, 2, 0.5);
  glimpse_builder_inquiry_effect(b, i, GLIMPSE_ANY, 0, 1);
  glimpse_builder_cost(b, GLIMPSE_ANY, 2);
  glimpse_builder_limits(b, &(glimpse_limits){.requests = 3});
  glimpse_model *model = finish(b);
  assert_false(glimpse_model_requests(model));
  assert_int_equal(glimpse_model_inquiries(model), 2);
  glimpse_inquiry inquiry = glimpse_model_inquiry(model, 0);
  assert_string_equal(inquiry.name, "state");
  assert_true(inquiry.state && inquiry.answers == 3 && inquiry.nothing == GLIMPSE_ANY && !inquiry.effect);
  assert_true(glimpse_model_inquiry_price(model, 0, 1) == 2 && glimpse_model_inquiry_price_uniform(model, 0));
  assert_string_equal(glimpse_model_answer_name(model, 0, 2), "cellar");
  assert_int_equal(glimpse_model_answer_find(model, 0, "kitchen"), 1);
  inquiry = glimpse_model_inquiry(model, 1);
  assert_string_equal(inquiry.name, "camera");
  assert_true(inquiry.timing == GLIMPSE_TIMING_STEP && inquiry.answers == 3 && inquiry.nothing == 2);
  assert_true(inquiry.unpaid && inquiry.effect && !inquiry.state);
  assert_string_equal(glimpse_timing_key(inquiry.timing), "step");
  assert_string_equal(glimpse_timing_key(GLIMPSE_TIMINGS), "?");
  assert_true(glimpse_model_inquiry_price(model, 1, 1) == 0.75 && !glimpse_model_inquiry_price_uniform(model, 1));
  glimpse_row row = glimpse_model_inquiry_answers(model, 1, 2);
  assert_true(row.count == 3 && row.value[0] == 0.125 && row.value[1] == 0.375 && row.value[2] == 0.5);
  row = glimpse_model_inquiry_answers(model, 1, 0);
  assert_true(row.count == 1 && row.index[0] == 0 && row.value[0] == 1);
  row = glimpse_model_inquiry_effect(model, 1, 2);
  assert_true(row.count == 1 && row.index[0] == 0);
  assert_int_equal(glimpse_model_inquiry_effect(model, 0, 2).count, 0);
  assert_string_equal(glimpse_model_answer_name(model, 1, 1), "down");
  assert_string_equal(glimpse_model_answer_name(model, 1, 2), "nothing");
  assert_null(glimpse_model_answer_name(model, 1, 3));
  assert_null(glimpse_model_answer_name(model, 2, 0));
  assert_int_equal(glimpse_model_answer_find(model, 1, "nothing"), 2);
  assert_int_equal(glimpse_model_answer_find(model, 1, "1"), 1);
  assert_int_equal(glimpse_model_answer_find(model, 1, "sideways"), GLIMPSE_ANY);
  assert_int_equal(glimpse_model_answer_find(model, 0, "nothing"), GLIMPSE_ANY);
  assert_int_equal(glimpse_model_answer_find(model, 2, "up"), GLIMPSE_ANY);
  assert_int_equal(glimpse_model_inquiry_find(model, "camera"), 1);
  assert_int_equal(glimpse_model_inquiry_find(model, "0"), 0);
  assert_int_equal(glimpse_model_inquiry_find(model, "radio"), GLIMPSE_ANY);
  assert_int_equal(glimpse_model_limits(model).requests, 3);
  assert_null(glimpse_model_inquiry(model, 2).name);
  glimpse_model_free(model);
}

/* What changes later changes the planning model, too. */
static void test_settings(void **state) {
  (void)state;
  glimpse_builder *b = rooms();
  camera(b, GLIMPSE_TIMING_BEFORE);
  glimpse_model *model = finish(b);
  uint64_t digest = glimpse_model_digest(model);
  assert_int_equal(glimpse_model_set_cost(model, 0.125), GLIMPSE_OK); /* the only inquiry */
  assert_true(glimpse_model_inquiry_price(model, 0, 1) == 0.125 && glimpse_model_inquiry_price_uniform(model, 0));
  assert_true(glimpse_model_digest(model) != digest);
  assert_true(glimpse_model_reward(glimpse_model_planning(model), 1, 1) == -0.125);
  assert_int_equal(glimpse_model_set_cost(model, 0), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(glimpse_model_inquiry_set_price(model, 0, 0), GLIMPSE_OK);
  assert_int_equal(glimpse_model_inquiry_set_price(model, 1, 1), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(glimpse_model_inquiry_set_price(model, 0, -1), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(glimpse_model_inquiry_set_price(model, 0, INFINITY), GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(glimpse_model_set_discount(model, 0.25), GLIMPSE_OK);
  assert_true(glimpse_model_discount(glimpse_model_planning(model)) == 0.5);
  assert_int_equal(glimpse_model_set_discount(model, 0), GLIMPSE_BAD_ARGUMENT);
  assert_true(glimpse_model_discount(model) == 0.25);
  assert_int_equal(glimpse_model_plannable(model, NULL), GLIMPSE_OK);
  assert_int_equal(glimpse_model_set_discount(model, 1), GLIMPSE_OK);
  assert_int_equal(glimpse_model_plannable(model, NULL), GLIMPSE_NOT_APPLICABLE);
  glimpse_model_free(model);
  b = rooms();
  camera(b, GLIMPSE_TIMING_BEFORE);
  glimpse_builder_cost(b, 0, 1);
  glimpse_builder_limits(b, &(glimpse_limits){.horizon = 4});
  model = finish(b);
  assert_int_equal(glimpse_model_set_cost(model, 0.125), GLIMPSE_BAD_ARGUMENT); /* of which? */
  assert_int_equal(glimpse_model_set_discount(model, 1), GLIMPSE_OK);
  assert_int_equal(glimpse_model_plannable(model, NULL), GLIMPSE_OK);
  glimpse_model_free(model);
}

/* ---- wrong inputs ---- */

typedef void (*mistake)(glimpse_builder *b);

static void no_name(glimpse_builder *b) {
  glimpse_builder_inquiry(b, &(glimpse_inquiry){.answers = 2}, NULL);
}
static void bad_name(glimpse_builder *b) {
  glimpse_builder_inquiry(b, &(glimpse_inquiry){.name = "2"}, NULL);
}
static void bad_timing(glimpse_builder *b) {
  glimpse_builder_inquiry(b, &(glimpse_inquiry){.name = "x", .timing = (glimpse_timing)7}, NULL);
}
static void an_action(glimpse_builder *b) {
  glimpse_builder_inquiry(b, &(glimpse_inquiry){.name = "stay", .timing = GLIMPSE_TIMING_STEP}, NULL);
}
static void twice(glimpse_builder *b) {
  camera(b, GLIMPSE_TIMING_STEP);
  camera(b, GLIMPSE_TIMING_STEP);
}
static void state_and_cost(glimpse_builder *b) {
  glimpse_builder_inquiry(b, &(glimpse_inquiry){.name = "state", .timing = GLIMPSE_TIMING_STEP}, NULL);
  glimpse_builder_cost(b, GLIMPSE_ANY, 1);
}
static void no_answers(glimpse_builder *b) {
  glimpse_builder_inquiry(b, &(glimpse_inquiry){.name = "radio", .answers = 2}, NULL);
}
static void half_named(glimpse_builder *b) {
  uint32_t i;
  glimpse_builder_inquiry(b, &(glimpse_inquiry){.name = "radio", .answers = 2}, &i);
  glimpse_builder_inquiry_answer(b, i, GLIMPSE_ANY, 0, 1);
  glimpse_builder_answer_name(b, i, 0, "yes");
}
static void named_nothing(glimpse_builder *b) {
  glimpse_builder_answer_name(b, camera(b, GLIMPSE_TIMING_STEP), 0, "nothing");
}
static void renamed(glimpse_builder *b) {
  glimpse_builder_answer_name(b, camera(b, GLIMPSE_TIMING_STEP), 0, "down");
}
static void name_range(glimpse_builder *b) {
  glimpse_builder_answer_name(b, camera(b, GLIMPSE_TIMING_STEP), 2, "far");
}
static void answer_range(glimpse_builder *b) {
  glimpse_builder_inquiry_answer(b, camera(b, GLIMPSE_TIMING_STEP), 0, 3, 1);
}
static void state_range(glimpse_builder *b) {
  glimpse_builder_inquiry_price(b, camera(b, GLIMPSE_TIMING_STEP), 3, 1);
}
static void inquiry_range(glimpse_builder *b) {
  glimpse_builder_inquiry_price(b, 0, 0, 1);
}
static void negative_price(glimpse_builder *b) {
  glimpse_builder_inquiry_price(b, camera(b, GLIMPSE_TIMING_STEP), 0, -1);
}
static void negative_answer(glimpse_builder *b) {
  glimpse_builder_inquiry_answer(b, camera(b, GLIMPSE_TIMING_STEP), 0, 0, -1);
}
static void bad_failure(glimpse_builder *b) {
  glimpse_builder_inquiry_failure(b, camera(b, GLIMPSE_TIMING_STEP), 0, 1.5);
}
static void joint_effect(glimpse_builder *b) {
  glimpse_builder_inquiry_effect(b, camera(b, GLIMPSE_TIMING_JOINT), 0, 0, 1);
}
static void effect_range(glimpse_builder *b) {
  glimpse_builder_inquiry_effect(b, camera(b, GLIMPSE_TIMING_STEP), 0, 3, 1);
}
static void half_effect(glimpse_builder *b) {
  glimpse_builder_inquiry_effect(b, camera(b, GLIMPSE_TIMING_STEP), 1, 0, 1);
}
static void other_answers(glimpse_builder *b) {
  uint32_t i;
  glimpse_builder_inquiry(b, &(glimpse_inquiry){.name = "radio"}, &i);
  glimpse_builder_inquiry_answer(b, i, 0, 0, 1);
}
static void told_range(glimpse_builder *b) {
  glimpse_builder_inquiry_tells(b, camera(b, GLIMPSE_TIMING_STEP), (const uint32_t[]){0, 3, 1});
}
static void told_any(glimpse_builder *b) {
  glimpse_builder_inquiry_tells(b, camera(b, GLIMPSE_TIMING_STEP), (const uint32_t[]){0, 1, GLIMPSE_ANY});
}
static void told_state(glimpse_builder *b) {
  uint32_t i;
  glimpse_builder_inquiry(b, &(glimpse_inquiry){.name = "radio"}, &i);
  glimpse_builder_inquiry_tells(b, i, (const uint32_t[]){0, 1, 2});
}
static void told_by_nobody(glimpse_builder *b) {
  glimpse_builder_inquiry_tells(b, 0, (const uint32_t[]){0, 1, 1});
}
static void nothing_to_ask(glimpse_builder *b) {
  glimpse_builder_limits(b, &(glimpse_limits){.requests = 2});
}
static void myopic(glimpse_builder *b) {
  camera(b, GLIMPSE_TIMING_BEFORE);
  glimpse_builder_discount(b, 0);
}

static void test_mistakes(void **state) {
  (void)state;
  const struct {
    mistake make;
    const char *text;
  } cases[] = {
      {no_name, "'' is not a name of an inquiry"},
      {bad_name, "'2' is not a name of an inquiry"},
      {bad_timing, "'x' has a timing or a number of answers out of range"},
      {an_action, "inquiry 'stay' has the name of an action"},
      {twice, "inquiry 'camera' has the name of an inquiry before it"},
      {state_and_cost, "inquiry 'state' has the name of asking at the cost of the model"},
      {no_answers, "the answers of inquiry 'radio' in state hall sum to 0, expected 1"},
      {half_named, "some answers of inquiry 'radio' have names, but number 1 has none"},
      {named_nothing, "'nothing' is not a name of an answer"},
      {renamed, "answer 'down' of inquiry 'camera' is named twice"},
      {name_range, "'far' is for an index out of range"},
      {answer_range, "an answer of inquiry 'camera' is out of range"},
      {state_range, "for an inquiry or a state out of range"},
      {inquiry_range, "for an inquiry or a state out of range"},
      {negative_price, "the price of inquiry 'camera' must be finite and not negative"},
      {negative_answer, "a probability of inquiry 'camera' is negative or not finite"},
      {bad_failure, "the failure of inquiry 'camera' must be from 0 to 1"},
      {joint_effect, "inquiry 'camera' goes together with an action and has no effect of its own"},
      {effect_range, "inquiry 'camera' leads to a state out of range"},
      {half_effect, "the effects of inquiry 'camera' in state hall sum to 0, expected 1"},
      {other_answers, "inquiry 'radio' tells the state and has no other answers"},
      {told_range, "an answer of inquiry 'camera' is out of range"},
      {told_any, "an answer of inquiry 'camera' is out of range"},
      {told_state, "inquiry 'radio' tells the state and has no other answers"},
      {told_by_nobody, "for an inquiry or a state out of range"},
      {nothing_to_ask, "requests are limited, but the agent can ask nothing"},
      {myopic, "the discount is 0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    glimpse_builder *b = rooms();
    glimpse_report *report = glimpse_report_new();
    glimpse_model *model;
    cases[i].make(b);
    glimpse_status status = glimpse_builder_finish(b, report, &model);
    const glimpse_message *message = glimpse_report_get(report, 0);
    if (!status || !message || !strstr(message->text, cases[i].text))
      fail_msg("expected '%s', found '%s'", cases[i].text, message ? message->text : "");
    assert_null(model);
    glimpse_report_free(report);
    glimpse_builder_free(b);
  }
}

/* A factor replaces what was said before; the answer behind the last is that it failed. */
static void test_factor(void **state) {
  (void)state;
  glimpse_builder *b = rooms();
  uint32_t i = camera(b, GLIMPSE_TIMING_BEFORE);
  glimpse_builder_inquiry_answer(b, i, 0, 2, 0.5);
  const uint32_t floor[3] = {1, 2, 0};
  assert_int_equal(glimpse_builder_inquiry_tells(b, i, floor), GLIMPSE_OK);
  glimpse_model *model = finish(b);
  assert_int_equal(glimpse_model_inquiry(model, i).answers, 3);
  for (uint32_t s = 0; s < 3; s++) {
    glimpse_row row = glimpse_model_inquiry_answers(model, i, s);
    assert_true(row.count == 1 && row.index[0] == floor[s] && row.value[0] == 1);
  }
  assert_string_equal(glimpse_model_answer_name(model, i, 2), "nothing");
  glimpse_model_free(model);
}

static glimpse_status job(void *context) {
  (void)context;
  glimpse_builder *b = rooms();
  if (!b) return GLIMPSE_NO_MEMORY;
  uint32_t i = camera(b, GLIMPSE_TIMING_STEP);
  glimpse_builder_inquiry_tells(b, i, (const uint32_t[]){0, 1, 1});
  glimpse_builder_inquiry_failure(b, i, 2, 0.5);
  glimpse_builder_inquiry_effect(b, i, GLIMPSE_ANY, 0, 1);
  glimpse_model *model;
  glimpse_status status = glimpse_builder_finish(b, NULL, &model);
  glimpse_builder_free(b);
  if (!status) status = glimpse_model_inquiry_set_price(model, 0, 1);
  if (!status) status = glimpse_model_set_discount(model, 0.25);
  glimpse_model_free(model);
  return status;
}

/* A state that an inquiry leads out of is not the end. */
static void test_effect_and_end(void **state) {
  (void)state;
  for (int wakes = 0; wakes < 2; wakes++) {
    glimpse_builder *b = glimpse_builder_new(2, 1, 1);
    glimpse_model *model;
    uint32_t i;
    glimpse_builder_discount(b, 0.9);
    glimpse_builder_transition(b, 0, GLIMPSE_ANY, 0, 1);
    glimpse_builder_observation(b, 0, GLIMPSE_ANY, 0, 1);
    glimpse_builder_reward(b, 0, 1, GLIMPSE_ANY, GLIMPSE_ANY, 10);
    glimpse_builder_inquiry(b, &(glimpse_inquiry){.name = "wake", .timing = GLIMPSE_TIMING_STEP}, &i);
    glimpse_builder_inquiry_effect(b, i, 0, wakes ? 1 : 0, 1);
    glimpse_builder_inquiry_effect(b, i, 1, 1, 1);
    assert_int_equal(glimpse_builder_finish(b, NULL, &model), GLIMPSE_OK);
    glimpse_builder_free(b);
    assert_true(glimpse_model_terminal(model, 0) == !wakes);
    assert_true(glimpse_model_terminal(glimpse_model_planning(model), 0) == !wakes);
    glimpse_model_free(model);
  }
}

static void test_no_memory(void **state) {
  (void)state;
  assert_true(failing_malloc_sweep(job, NULL) > 50);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_access), cmocka_unit_test(test_settings),       cmocka_unit_test(test_mistakes),
      cmocka_unit_test(test_factor), cmocka_unit_test(test_effect_and_end), cmocka_unit_test(test_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
