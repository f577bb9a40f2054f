/* Inquiries in .pomdp files: what is written reads as the same model, declarations mean what they say, and each mistake
 * has its message with a place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "glimpse.h"
#include "support/inquiries.h"
#include "support/pomdp.h"

static void test_round_trip(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 60; seed++) {
    inquiries_wish wish = {.inquiries = 1 + seed % 3, .timings = 7, .ends = true, .limit = true, .horizon = seed % 2};
    glimpse_model *model = inquiries_make(&wish, seed), *again;
    char *first = pomdp_write(model, NULL);
    if (glimpse_pomdp_read(first, strlen(first), "it", NULL, NULL, &again))
      fail_msg("seed %llu is not read", (unsigned long long)seed);
    char *second = pomdp_write(again, NULL);
    assert_string_equal(first, second);
    assert_true(glimpse_model_digest(model) == glimpse_model_digest(again));
    assert_int_equal(glimpse_model_inquiries(model), glimpse_model_inquiries(again));
    free(first);
    free(second);
    glimpse_model_free(again);
    glimpse_model_free(model);
  }
}

#define HEAD                                                                                                           \
  "discount: 0.9\nvalues: reward\nstates: a b c\nactions: go\nobservations: 1\n"                                       \
  "T: *\nuniform\nO: *\nuniform\nR: * : a : * : * 1\n"

static glimpse_status read(const char *notes, glimpse_report *report, glimpse_model **model) {
  char text[2000];
  snprintf(text, sizeof text, HEAD "%s", notes);
  return glimpse_pomdp_read(text, strlen(text), "it", NULL, report, model);
}

static void test_meaning(void **state) {
  (void)state;
  glimpse_model *model;
  assert_int_equal(read("# glimpse: inquiry room before 0.25 blocks left: a b right: c\n"
                        "# glimpse: price room c 0.5\n# glimpse: failure room 0.5\n# glimpse: unpaid room\n"
                        "# glimpse: inquiry ear step 0 answers 2\n# glimpse: answer ear * 0 0.75\n"
                        "# glimpse: answer ear * nothing 0.25\n# glimpse: effect ear * a 1\n"
                        "# glimpse: inquiry gps joint 2 state\n# glimpse: cost 3\n"
                        "# glimpse: limit requests 4\n# glimpse: limit per-step 2\n",
                        NULL, &model),
                   GLIMPSE_OK);
  assert_int_equal(glimpse_model_inquiries(model), 4);
  assert_string_equal(glimpse_model_inquiry(model, 0).name, "state");
  uint32_t room = glimpse_model_inquiry_find(model, "room"), ear = glimpse_model_inquiry_find(model, "ear");
  assert_true(glimpse_model_inquiry_price(model, room, 0) == 0.25 &&
              glimpse_model_inquiry_price(model, room, 2) == 0.5);
  glimpse_row row = glimpse_model_inquiry_answers(model, room, 2);
  assert_true(row.count == 2 && row.index[0] == 1 && row.value[0] == 0.5 && row.index[1] == 2);
  assert_true(glimpse_model_inquiry(model, room).unpaid);
  assert_string_equal(glimpse_model_answer_name(model, room, 1), "right");
  row = glimpse_model_inquiry_answers(model, ear, 1);
  assert_true(row.count == 2 && row.index[0] == 0 && row.value[0] == 0.75 && row.index[1] == 2);
  assert_true(glimpse_model_inquiry(model, ear).effect);
  assert_int_equal(glimpse_model_inquiry(model, 3).timing, GLIMPSE_TIMING_JOINT);
  glimpse_limits limits = glimpse_model_limits(model);
  assert_true(limits.requests == 4 && limits.per_step == 2 && limits.horizon == 0);
  glimpse_model_free(model);
}

static void test_mistakes(void **state) {
  (void)state;
  static const struct {
    const char *notes, *text;
    uint64_t line, column;
  } cases[] = {
      {"# glimpse: inquiry", "expected the name of an inquiry", 11, 19},
      {"# glimpse: inquiry 3 before 1 state", "expected the name of an inquiry", 11, 20},
      {"# glimpse: inquiry x soon 1 state", "expected 'before', 'step' or 'joint'", 11, 22},
      {"# glimpse: inquiry x before cheap state", "expected a price", 11, 29},
      {"# glimpse: inquiry x before -1 state", "expected a price that is not negative", 11, 29},
      {"# glimpse: inquiry x before 1 all", "expected 'state', 'blocks', 'tells' or 'answers'", 11, 31},
      {"# glimpse: inquiry x before 1 state a", "expected the end of the line", 11, 37},
      {"# glimpse: inquiry x before 1 blocks", "expected the name of an answer and a colon", 11, 37},
      {"# glimpse: inquiry x before 1 blocks a b", "expected the name of an answer and a colon", 11, 38},
      {"# glimpse: inquiry x before 1 blocks l: a m: d", "'d'", 11, 46},
      {"# glimpse: inquiry x before 1 blocks l: *", "expected a state", 11, 41},
      {"# glimpse: inquiry x before 1 blocks l: a l: b c", "named twice", 11, 43},
      {"# glimpse: inquiry x before 1 blocks l: a m: b", "in state c sum to 0, expected 1", 11, 20},
      {"# glimpse: inquiry x before 1 blocks l: a b c m: c", "in state c sum to 2, expected 1", 11, 20},
      {"# glimpse: inquiry x before 1 answers", "expected the name of an answer", 11, 38},
      {"# glimpse: inquiry x before 1 answers l l", "named twice", 11, 41},
      {"# glimpse: inquiry x before 1 answers nothing", "is not a name of an answer", 11, 39},
      {"# glimpse: inquiry x before 1 answers l m", "the answers of inquiry 'x' in state a sum to 0", 11, 20},
      {"# glimpse: inquiry go step 1 state", "inquiry 'go' has the name of an action", 11, 20},
      {"# glimpse: price y 1", "expected the name of an inquiry that was declared before", 11, 18},
      {"# glimpse: inquiry x step 1 state\n# glimpse: price x d 1", "'d'", 12, 20},
      {"# glimpse: inquiry x step 1 state\n# glimpse: price x a", "expected a price", 12, 20},
      {"# glimpse: inquiry x step 1 state\n# glimpse: failure x 2", "must be from 0 to 1", 12, 20},
      {"# glimpse: inquiry x step 1 state\n# glimpse: answer x a b 1", "expected an answer of inquiry 'x'", 12, 23},
      {"# glimpse: inquiry x step 1 answers l\n# glimpse: answer x a l 1.5", "expected a probability", 12, 25},
      {"# glimpse: inquiry x joint 1 state\n# glimpse: effect x a b 1", "has no effect of its own", 12, 19},
      {"# glimpse: inquiry x step 1 state\n# glimpse: effect x a b 0.5", "the effects of inquiry 'x' in state a", 11,
       20},
      {"# glimpse: limit time 3", "expected 'requests', 'horizon' or 'per-step'", 11, 18},
      {"# glimpse: limit horizon 0", "expected a whole number from 1", 11, 26},
      {"# glimpse: limit horizon x", "expected a whole number from 1", 11, 26},
      {"# glimpse: limit horizon 2 3", "expected the end of the line", 11, 28},
      {"# glimpse: limit requests 2", "the agent can ask nothing", 0, 0},
      {"# glimpse: limit horizon 16777216", "planning with", 0, 0},
  };
  int wrong = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    glimpse_report *report = glimpse_report_new();
    glimpse_model *model;
    glimpse_status status = read(cases[i].notes, report, &model);
    const glimpse_message *message = glimpse_report_get(report, 0);
    if (!status || !message) fail_msg("%s: no error", cases[i].notes);
    bool right = strstr(message->text, cases[i].text) && message->line == cases[i].line;
    if (!right || message->column != cases[i].column) {
      print_error("%s: found %llu:%llu %s\n", cases[i].notes, (unsigned long long)message->line,
                  (unsigned long long)message->column, message->text);
      wrong++;
    }
    glimpse_report_free(report);
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_trip),
      cmocka_unit_test(test_meaning),
      cmocka_unit_test(test_mistakes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
