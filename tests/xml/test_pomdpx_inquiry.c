/* Inquiries in the comments of POMDPX files: what a variable tells, by hand, in the house of tests/data/pomdpx and in a
 * converted file; and each mistake has its message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/text.h"
#include "support/failing_malloc.h"
#include "support/pomdp.h"
#include "xml/pomdpx.h"

/* The house with these comments at its end; its last line is </pomdpx>. */
static struct text house(const char *comments) {
  struct text text = {0};
  static char file[20000];
  FILE *in = fopen("tests/data/pomdpx/house.pomdpx", "r");
  assert_non_null(in);
  size_t n = fread(file, 1, sizeof file - 1, in);
  fclose(in);
  file[n] = 0;
  char *end = strstr(file, "</pomdpx>");
  assert_non_null(end);
  *end = 0;
  text_put(&text, file);
  text_put(&text, comments);
  text_put(&text, "</pomdpx>\n");
  return text;
}

static glimpse_status read(const struct text *text, glimpse_report *report, glimpse_model **model) {
  return pomdpx_read(text->data, text->length, "it", NULL, report, model);
}

/* A state is a door, open or shut, and a lamp, s0 or s1, which counts fastest. */
static void tells_variables(void **state) {
  (void)state;
  struct text text = house("<!-- glimpse: inquiry eye before 0.5 tells door_0 -->"
                           "<!-- glimpse: inquiry meter step 0.25 tells lamp -->"
                           "<!-- glimpse: inquiry hand joint 1 tells lamp_1 -->"
                           "<!-- glimpse: inquiry all joint 3 state -->");
  glimpse_model *model;
  assert_int_equal(read(&text, NULL, &model), GLIMPSE_OK);
  assert_int_equal(glimpse_model_inquiries(model), 5); /* the cost is one of them */
  static const struct {
    const char *name;
    glimpse_timing timing;
    double price;
    uint32_t by;
    const char *answers[2];
  } made[] = {{"eye", GLIMPSE_TIMING_BEFORE, 0.5, 2, {"open", "shut"}},
              {"meter", GLIMPSE_TIMING_STEP, 0.25, 1, {"s0", "s1"}},
              {"hand", GLIMPSE_TIMING_JOINT, 1, 1, {"s0", "s1"}}};
  for (size_t k = 0; k < 3; k++) {
    uint32_t i = glimpse_model_inquiry_find(model, made[k].name);
    glimpse_inquiry inquiry = glimpse_model_inquiry(model, i);
    assert_string_equal(inquiry.name, made[k].name);
    assert_true(inquiry.timing == made[k].timing && inquiry.answers == 2 && !inquiry.state);
    for (uint32_t s = 0; s < 4; s++) {
      glimpse_row row = glimpse_model_inquiry_answers(model, i, s);
      assert_true(row.count == 1 && row.value[0] == 1);
      assert_string_equal(glimpse_model_answer_name(model, i, row.index[0]), made[k].answers[s / made[k].by % 2]);
      assert_true(glimpse_model_inquiry_price(model, i, s) == made[k].price);
    }
  }
  assert_true(glimpse_model_inquiry(model, glimpse_model_inquiry_find(model, "all")).state);
  pomdp_check_round_trip(model);
  glimpse_model_free(model);
  text_free(&text);
}

/* Their combinations in the order in which they are named, the last one counting fastest. */
static void tells_several(void **state) {
  (void)state;
  struct text text = house("<!-- glimpse: inquiry both before 0.5 tells lamp door -->");
  glimpse_model *model;
  assert_int_equal(read(&text, NULL, &model), GLIMPSE_OK);
  uint32_t i = glimpse_model_inquiry_find(model, "both");
  assert_int_equal(glimpse_model_inquiry(model, i).answers, 4);
  static const char *const told[] = {"s0_open", "s1_open", "s0_shut",
                                     "s1_shut"}; /* by state: the lamp counts fastest there */
  for (uint32_t s = 0; s < 4; s++) {
    glimpse_row row = glimpse_model_inquiry_answers(model, i, s);
    assert_true(row.count == 1 && row.value[0] == 1 && row.index[0] == s % 2 * 2 + s / 2);
    assert_string_equal(glimpse_model_answer_name(model, i, row.index[0]), told[s]);
  }
  pomdp_check_round_trip(model);
  glimpse_model_free(model);
  text_free(&text);
}

static void finds_mistakes(void **state) {
  (void)state;
  static const struct {
    const char *note, *text;
  } cases[] = {
      {"", "expected the name of an inquiry, found the end of the comment"},
      {"eye", "expected 'before', 'step' or 'joint', found the end of the comment"},
      {"eye soon 1 state", "expected 'before', 'step' or 'joint', found 'soon'"},
      {"eye step cheap state", "expected a price that is not negative, found 'cheap'"},
      {"eye step -1 state", "expected a price that is not negative, found '-1'"},
      {"eye step", "expected a price that is not negative, found the end of the comment"},
      {"eye step 1 blocks a: b",
       "expected 'state' or 'tells', found 'blocks'; inquiries of other kinds can be added to "
       "the .pomdp file that 'glimpse convert' writes"},
      {"eye step 1 tells", "expected a state variable behind 'tells', found the end of the comment; the first one is "
                           "'door_0'"},
      {"eye step 1 tells dor_0", "expected a state variable behind 'tells', found 'dor_0'; did you mean 'door_0'?"},
      {"eye step 1 tells push", "expected a state variable behind 'tells', found 'push'; the first one is 'door_0'"},
      {"eye step 1 tells door lmp", "expected a state variable behind 'tells', found 'lmp'; the first one is 'door_0'"},
      {"eye step 1 tells door lamp door_1", "the state variable 'door_0' is told twice"},
      {"eye step 1 state lamp", "expected the end of the comment, found 'lamp'"},
      {"9 step 1 tells door", "'9' is not a name of an inquiry: use a letter, then letters, digits, _ and -"},
      {"no_a1 step 1 tells door", "inquiry 'no_a1' has the name of an action; call it something else"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char note[200];
    snprintf(note, sizeof note, "<!-- glimpse: inquiry %s -->", cases[i].note);
    struct text text = house(note);
    glimpse_report *report = glimpse_report_new();
    glimpse_model *model;
    if (!read(&text, report, &model)) fail_msg("%s: no error", cases[i].note);
    assert_non_null(glimpse_report_get(report, 0));
    assert_string_equal(glimpse_report_get(report, 0)->text, cases[i].text);
    glimpse_report_free(report);
    text_free(&text);
  }
}

/* A stem that fits two variables is not clear, a whole name is. */
static void takes_whole_names_first(void **state) {
  (void)state;
  static const struct {
    const char *variable, *text;
  } cases[] = {{"x", "'x' may be 'x_0' or 'x0': give the whole name"}, {"x_0", NULL}, {"x0", NULL}, {"x_1", NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct text text = {0};
    text_put(&text, "<pomdpx><Discount>0.9</Discount><Variable>"
                    "<StateVar vnamePrev='x_0' vnameCurr='x_1'><NumValues>2</NumValues></StateVar>"
                    "<StateVar vnamePrev='x0' vnameCurr='x1'><NumValues>3</NumValues></StateVar>"
                    "<ActionVar vname='a'><NumValues>1</NumValues></ActionVar><RewardVar vname='g'/></Variable>"
                    "<InitialStateBelief>");
    static const char *const names[2][2] = {{"x_0", "x_1"}, {"x0", "x1"}};
    for (int k = 0; k < 2; k++)
      text_print(&text,
                 "<CondProb><Var>%s</Var><Parent>null</Parent><Parameter><Entry><Instance>-</Instance>"
                 "<ProbTable>uniform</ProbTable></Entry></Parameter></CondProb>",
                 names[k][0]);
    text_put(&text, "</InitialStateBelief><StateTransitionFunction>");
    for (int k = 0; k < 2; k++)
      text_print(&text,
                 "<CondProb><Var>%s</Var><Parent>%s</Parent><Parameter><Entry><Instance>- -</Instance>"
                 "<ProbTable>identity</ProbTable></Entry></Parameter></CondProb>",
                 names[k][1], names[k][0]);
    text_print(&text,
               "</StateTransitionFunction><RewardFunction><Func><Var>g</Var><Parent>null</Parent><Parameter><Entry>"
               "<Instance/><ValueTable>1</ValueTable></Entry></Parameter></Func></RewardFunction>"
               "<!-- glimpse: inquiry it before 1 tells %s --></pomdpx>",
               cases[i].variable);
    glimpse_report *report = glimpse_report_new();
    glimpse_model *model;
    glimpse_status status = read(&text, report, &model);
    assert_int_equal(status != GLIMPSE_OK, cases[i].text != NULL);
    if (cases[i].text) assert_string_equal(glimpse_report_get(report, 0)->text, cases[i].text);
    else assert_int_equal(glimpse_model_inquiry(model, 0).answers, i == 2 ? 3 : 2);
    glimpse_model_free(model);
    glimpse_report_free(report);
    text_free(&text);
  }
}

static glimpse_status job(void *context) {
  glimpse_model *model;
  glimpse_status status = read(context, NULL, &model);
  if (!status) glimpse_model_free(model);
  return status;
}

static void runs_out_of_memory(void **state) {
  (void)state;
  struct text text = house("<!-- glimpse: inquiry eye before 0.5 tells door -->");
  assert_true(failing_malloc_sweep(job, &text) > 50);
  text_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tells_variables),         cmocka_unit_test(tells_several),      cmocka_unit_test(finds_mistakes),
      cmocka_unit_test(takes_whole_names_first), cmocka_unit_test(runs_out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
