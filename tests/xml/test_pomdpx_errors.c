/* Pomdpx errors: every file that is wrong is refused for the right reason and at the right place.
 *
 * Covers xml/pomdpx_message.c. */
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
#include "xml/model_file.h"
#include "xml/pomdpx.h"

/* One file each: tests/data/pomdpx/bad-NAME.pomdpx. */
static const pomdp_wrong wrong[] = {
    {"assignments-of-few-words", GLIMPSE_TOO_LARGE, 18, 7,
     "expected at most 16777216 assignments to one function from so short a text, found more"},
    {"attribute-missing", GLIMPSE_BAD_SYNTAX, 4, 5, "expected vnameCurr=\"...\" in <StateVar>, found none"},
    {"circle", GLIMPSE_BAD_MODEL, 15, 5, "'x_1' depends on itself, or on others that depend on it"},
    {"depth", GLIMPSE_TOO_LARGE, 2, 192, "expected at most 64 levels of elements, found more"},
    {"diagram", GLIMPSE_NOT_APPLICABLE, 26, 50,
     "decision diagrams (type=\"DD\") are not read; write the function as a table (type=\"TBL\")"},
    {"discount-missing", GLIMPSE_BAD_SYNTAX, 1, 1, "expected <Discount> in <pomdpx>, found none"},
    {"discount-range", GLIMPSE_BAD_MODEL, 2, 13, "expected a discount between 0 and 1, found '1.9'"},
    {"discount-word", GLIMPSE_BAD_SYNTAX, 2, 13, "expected the discount, found 'much'"},
    {"empty", GLIMPSE_BAD_SYNTAX, 1, 1, "expected XML, which begins with '<'"},
    {"entities", GLIMPSE_BAD_SYNTAX, 1, 30,
     "expected no declarations of entities, found one; write what it stands for"},
    {"entity-outside", GLIMPSE_BAD_SYNTAX, 3, 13, "expected no reference to an entity, found '&much;'"},
    {"entity-unknown", GLIMPSE_BAD_SYNTAX, 2, 13,
     "expected well-formed XML, found an error: undefined entity; the <Discount> of line 2 is open"},
    {"fully-observed-word", GLIMPSE_BAD_SYNTAX, 4, 5, "expected fullyObs=\"true\" or \"false\", found 'maybe'"},
    {"function-missing", GLIMPSE_BAD_SYNTAX, 6, 5, "expected a <CondProb> of 'seen' in <ObsFunction>, found none"},
    {"function-twice", GLIMPSE_BAD_SYNTAX, 13, 5,
     "expected one function of 'x_0', found a second one (the first is in line 10)"},
    {"identity-not-square", GLIMPSE_BAD_MODEL, 22, 51,
     "'identity' needs '-' for the variable and for one parent with as many values"},
    {"instance-long", GLIMPSE_BAD_SYNTAX, 17, 14,
     "expected 3 words in <Instance>, one for each parent and one for the variable, found 4"},
    {"instance-missing", GLIMPSE_BAD_SYNTAX, 17, 7, "expected <Instance> in <Entry>, found none"},
    {"instance-short", GLIMPSE_BAD_SYNTAX, 27, 14, "expected 2 words in <Instance>, one for each parent, found 1"},
    {"keyword-not-alone", GLIMPSE_BAD_SYNTAX, 11, 55, "expected the keyword alone, found '1'"},
    {"name-twice", GLIMPSE_BAD_SYNTAX, 7, 5, "expected another name, found 'act' once more"},
    {"name-two-words", GLIMPSE_BAD_SYNTAX, 7, 5, "expected a name of one word in vname, found 'my gain'"},
    {"not-closed", GLIMPSE_BAD_SYNTAX, 30, 3,
     "expected well-formed XML, found an error: mismatched tag; the <Variable> of line 3 is open"},
    {"note-cost", GLIMPSE_BAD_SYNTAX, 1, 1, "expected a cost that is not negative, found '-1'"},
    {"note-state", GLIMPSE_BAD_SYNTAX, 1, 1, "expected the name of a state behind 'glimpse: cost', found 'middle'"},
    {"number-huge", GLIMPSE_BAD_SYNTAX, 27, 56, "expected a reward, found '1e999'"},
    {"number-word", GLIMPSE_BAD_SYNTAX, 27, 56, "expected a reward, found 'five'"},
    {"numbers-few", GLIMPSE_BAD_SYNTAX, 22, 62, "expected 4 numbers for this <Instance>, found 3"},
    {"numbers-many", GLIMPSE_BAD_SYNTAX, 17, 64, "expected 2 numbers for this <Instance>, found 3"},
    {"numbers-none", GLIMPSE_BAD_SYNTAX, 17, 54, "expected 2 numbers for this <Instance>, found 0"},
    {"observations-none", GLIMPSE_BAD_SYNTAX, 6, 37, "expected a number of values from 1 to 16777216, found '0'"},
    {"parameter-missing", GLIMPSE_BAD_SYNTAX, 26, 5, "expected <Parameter> in <Func>, found none"},
    {"parameter-type", GLIMPSE_NOT_APPLICABLE, 26, 50, "expected type=\"TBL\", found 'CONT'"},
    {"parent-early", GLIMPSE_NOT_APPLICABLE, 21, 42,
     "'x_0' cannot be a parent here: an observation depends on the action and on states behind it (vnameCurr) only"},
    {"parent-missing", GLIMPSE_BAD_SYNTAX, 10, 5, "expected <Parent> in <CondProb>, found none"},
    {"parent-twice", GLIMPSE_BAD_SYNTAX, 26, 38, "expected another parent, for each comes once, found 'act'"},
    {"parent-unknown", GLIMPSE_BAD_SYNTAX, 21, 42, "expected the name of a variable, found 'x_2'; did you mean 'x_1'?"},
    {"parents-of-few-words", GLIMPSE_TOO_LARGE, 25, 26,
     "expected at most 4194304 combinations of values of the parents in so short a text, found more"},
    {"probability-range", GLIMPSE_BAD_MODEL, 17, 59, "expected a probability between 0 and 1, found '-0.75'"},
    {"product-of-few-words", GLIMPSE_TOO_LARGE, 1, 1,
     "expected at most 16777216 non-zeros in T from so short a text, found more"},
    {"reward-variable-missing", GLIMPSE_BAD_SYNTAX, 3, 3,
     "expected at least one <RewardVar> in <Variable>, found none"},
    {"root", GLIMPSE_BAD_SYNTAX, 2, 1, "expected <pomdpx>, found <policy>"},
    {"row-missing", GLIMPSE_BAD_MODEL, 15, 53, "the probabilities of 'x_1' for move right sum to 0, expected 1"},
    {"row-sum", GLIMPSE_BAD_MODEL, 11, 7, "the probabilities of 'x_0' sum to 0.9, expected 1"},
    {"states-many", GLIMPSE_TOO_LARGE, 4, 86,
     "expected at most 16777216 states as the product of all variables, found more from here on"},
    {"states-of-few-words", GLIMPSE_TOO_LARGE, 3, 3,
     "expected at most 4194304 pairs of state and action from so short a text, found 5000000 (2500000 times 2)"},
    {"table-of-few-words", GLIMPSE_TOO_LARGE, 15, 5,
     "expected at most 16777216 non-zeros of one function from so short a text, found more"},
    {"table-wrong", GLIMPSE_BAD_SYNTAX, 27, 7, "expected <ValueTable> in <Entry>, found none"},
    {"terminal-rewards", GLIMPSE_NOT_APPLICABLE, 30, 3,
     "rewards of terminal states (<TerminalStateRewardFunction>) are not read; give them in <RewardFunction>"},
    {"uniform-of-a-value", GLIMPSE_BAD_MODEL, 11, 50, "'uniform' needs '-' or '*' for the variable"},
    {"value-number", GLIMPSE_BAD_SYNTAX, 22, 28, "expected a value of 'seen', found 'o2' (they are o0 to o1)"},
    {"value-twice", GLIMPSE_BAD_SYNTAX, 4, 63, "expected another value, for each comes once, found 'left'"},
    {"value-unknown", GLIMPSE_BAD_SYNTAX, 27, 24, "expected a value of 'act', found 'mvoe'; did you mean 'move'?"},
    {"values-both", GLIMPSE_BAD_SYNTAX, 6, 50, "expected <NumValues> or <ValueEnum>, found both"},
    {"values-missing", GLIMPSE_BAD_SYNTAX, 6, 5, "expected <ValueEnum> or <NumValues> in <ObsVar>, found neither"},
    {"var-missing", GLIMPSE_BAD_SYNTAX, 26, 5, "expected <Var> in <Func>, found none"},
    {"var-two", GLIMPSE_BAD_SYNTAX, 26, 21, "expected one variable, found 'loss'"},
    {"var-unknown", GLIMPSE_BAD_SYNTAX, 15, 20,
     "expected a state variable (vnameCurr), found 'x_0'; did you mean 'x_1'?"},
    {"variable-missing", GLIMPSE_BAD_SYNTAX, 1, 1, "expected <Variable> in <pomdpx>, found none"},
};

static void finds_each_error(void **state) {
  (void)state;
  pomdp_check_wrong(model_file_read, "tests/data/pomdpx", "pomdpx", wrong, sizeof wrong / sizeof *wrong);
}

/* A model in pieces, so that a test can put something in between. */
#define VARIABLES                                                                                                      \
  "<pomdpx><Discount>0.9</Discount>\n<Variable><StateVar vnamePrev='x0' vnameCurr='x1'><ValueEnum>l r</ValueEnum>"     \
  "</StateVar>\n<ActionVar vname='a'><NumValues>1</NumValues></ActionVar>\n<RewardVar vname='g'/></Variable>\n"
#define START                                                                                                          \
  "<InitialStateBelief><CondProb><Var>x0</Var><Parent>null</Parent><Parameter>"                                        \
  "<Entry><Instance>-</Instance><ProbTable>uniform</ProbTable></Entry></Parameter></CondProb></InitialStateBelief>\n"
#define STEP                                                                                                           \
  "<StateTransitionFunction><CondProb><Var>x1</Var><Parent>x0</Parent><Parameter>"                                     \
  "<Entry><Instance>- -</Instance><ProbTable>identity</ProbTable></Entry></Parameter></CondProb>"                      \
  "</StateTransitionFunction>\n"
#define GAIN                                                                                                           \
  "<RewardFunction><Func><Var>g</Var><Parent>x0</Parent><Parameter>"                                                   \
  "<Entry><Instance>l</Instance><ValueTable>1</ValueTable></Entry></Parameter></Func></RewardFunction>\n"

static glimpse_model *read_findings(const char *text, bool strict, const pomdp_finding *findings, size_t count) {
  return pomdp_read_findings_by(pomdpx_read, text, strlen(text), strict, findings, count);
}

static void finds_several_errors(void **state) {
  (void)state;
  static const char text[] = VARIABLES
      "<InitialStateBelief><CondProb><Var>x1</Var><Parent>nil</Parent><Parameter/></CondProb></InitialStateBelief>\n"
      "<StateTransitionFunction><CondProb><Var>x1</Var><Parent>x0 g</Parent><Parameter type='DD'/></CondProb>"
      "</StateTransitionFunction>\n"
      "<RewardFunction><Func><Var>g</Var><Parent>x0 x1</Parent><Parameter>\n"
      "<Entry><Instance>l up</Instance><ValueTable>one</ValueTable></Entry>\n"
      "<Entry><Instance>q -</Instance><ValueTable>1 2</ValueTable></Entry>\n"
      "<Entry><Instance>r -</Instance><ValueTable>1 b</ValueTable></Entry>\n"
      "</Parameter></Func></RewardFunction></pomdpx>";
  static const pomdp_finding findings[] = {
      {GLIMPSE_ERROR, GLIMPSE_BAD_SYNTAX, 5, 36, "expected a state variable (vnamePrev), found 'x1'"},
      {GLIMPSE_ERROR, GLIMPSE_BAD_SYNTAX, 5, 52, "expected the name of a variable, found 'nil'"},
      {GLIMPSE_ERROR, GLIMPSE_BAD_SYNTAX, 6, 60, "expected the name of a variable, found 'g'"},
      {GLIMPSE_ERROR, GLIMPSE_NOT_APPLICABLE, 6, 70,
       "decision diagrams (type=\"DD\") are not read; write the function as a table (type=\"TBL\")"},
      {GLIMPSE_ERROR, GLIMPSE_BAD_SYNTAX, 8, 20, "expected a value of 'x1', found 'up' (they are l, r)"},
      {GLIMPSE_ERROR, GLIMPSE_BAD_SYNTAX, 9, 18, "expected a value of 'x0', found 'q' (they are l, r)"},
      {GLIMPSE_ERROR, GLIMPSE_BAD_SYNTAX, 10, 46, "expected a reward, found 'b'"},
  };
  read_findings(text, false, findings, sizeof findings / sizeof *findings);
}

/* Warnings, which are errors when strict. */
static void passes_over_what_it_does_not_know(void **state) {
  (void)state;
  static const char text[] = VARIABLES
      "<Descripton/>\n<Horizon>5</Horizon>\n" START STEP
      "<RewardFunction>x<Func><Var>g</Var><Parent>x0</Parent><Parameter><Entri/>"
      "<Entry><Instance>l</Instance><ValueTable>1</ValueTable></Entry></Parameter></Func></RewardFunction></pomdpx>";
  pomdp_finding findings[] = {
      {GLIMPSE_WARNING, GLIMPSE_BAD_SYNTAX, 5, 1,
       "<Descripton> is not known here and passed over; did you mean <Description>?"},
      {GLIMPSE_WARNING, GLIMPSE_BAD_SYNTAX, 6, 1, "<Horizon> is not known here and passed over"},
      {GLIMPSE_WARNING, GLIMPSE_BAD_SYNTAX, 9, 66, "<Entri> is not known here and passed over; did you mean <Entry>?"},
      {GLIMPSE_WARNING, GLIMPSE_BAD_SYNTAX, 9, 17,
       "expected elements only in <RewardFunction>, found text, which is passed over"},
  };
  enum { COUNT = sizeof findings / sizeof *findings };
  glimpse_model *model = read_findings(text, false, findings, COUNT);
  assert_int_equal(glimpse_model_count(model, GLIMPSE_OBSERVATION), 1);
  assert_string_equal(glimpse_model_name(model, GLIMPSE_OBSERVATION, 0), "nothing");
  assert_true(glimpse_model_reward(model, 0, 0) == 1);
  assert_true(glimpse_model_terminal(model, 1) && !glimpse_model_terminal(model, 0));
  glimpse_model_free(model);
  for (size_t i = 0; i < COUNT; i++) findings[i].severity = GLIMPSE_ERROR;
  read_findings(text, true, findings, COUNT);
}

static void mends_sums(void **state) {
  (void)state;
  static const char text[] =
      VARIABLES "<InitialStateBelief><CondProb><Var>x0</Var><Parent>null</Parent><Parameter>\n"
                "<Entry><Instance>-</Instance><ProbTable>0.5 0.4995</ProbTable></Entry></Parameter></CondProb>"
                "</InitialStateBelief>\n" STEP GAIN "<!-- glimpse: price 1 --><!--glimpse:--></pomdpx>";
  static const pomdp_finding findings[] = {
      {GLIMPSE_WARNING, GLIMPSE_BAD_MODEL, 6, 1, "the probabilities of 'x0' sum to 0.9995; they were normalised to 1"},
      {GLIMPSE_WARNING, GLIMPSE_BAD_MODEL, 9, 1, "expected 'cost' or 'inquiry' in a 'glimpse:' comment, found 'price'"},
      {GLIMPSE_WARNING, GLIMPSE_BAD_MODEL, 9, 26,
       "expected 'cost' or 'inquiry' in a 'glimpse:' comment, found nothing"},
  };
  glimpse_model *model = read_findings(text, true, findings, sizeof findings / sizeof *findings);
  assert_true(pomdp_start(model, 0) == 0.5 / 0.9995);
  assert_false(glimpse_model_requests(model));
  glimpse_model_free(model);
}

/* Messages hold no control characters, and no half of a character where a long name is cut off. */
static void keeps_messages_clean(void **state) {
  (void)state;
  struct text text = {0};
  text_put(&text, "<pomdpx><Discount>\x7f</Discount><Variable><StateVar vnamePrev='a&#10;b' vnameCurr='");
  for (int i = 0; i < 300; i++) text_put(&text, "\xc3\xa4");
  text_put(&text, "'><NumValues>1</NumValues></StateVar><ActionVar vname='a'><NumValues>1</NumValues></ActionVar>"
                  "<RewardVar vname='");
  for (int i = 0; i < 300; i++) text_put(&text, "\xc3\xa4");
  text_put(&text, "'/></Variable></pomdpx>");
  glimpse_report *report = glimpse_report_new();
  glimpse_model *model;
  assert_int_equal(pomdpx_read(text.data, text.length, "clean", NULL, report, &model), GLIMPSE_BAD_SYNTAX);
  assert_int_equal(glimpse_report_kept(report), 3);
  assert_string_equal(glimpse_report_get(report, 0)->text, "expected the discount, found '?'");
  assert_string_equal(glimpse_report_get(report, 1)->text, "expected a name of one word in vnamePrev, found 'a?b'");
  const char *last = glimpse_report_get(report, 2)->text;
  assert_non_null(strstr(last, "expected another name, found '\xc3\xa4\xc3\xa4"));
  for (const char *c = last; *c; c++)
    if (*c == '\xc3') assert_true(c[1] == '\xa4');
  glimpse_report_free(report);
  text_free(&text);
}

/* What is fully observed is seen after the first action; glimpse has no observation before it. */
static void tells_of_an_uncertain_start(void **state) {
  (void)state;
  static const char text[] =
      "<pomdpx><Discount>0.9</Discount>\n<Variable><StateVar vnamePrev='x0' vnameCurr='x1' fullyObs='true'>"
      "<ValueEnum>l r</ValueEnum></StateVar>\n<ActionVar vname='a'><NumValues>1</NumValues></ActionVar>\n"
      "<RewardVar vname='g'/></Variable>\n" START STEP GAIN "</pomdpx>";
  static const pomdp_finding findings[] = {
      {GLIMPSE_WARNING, GLIMPSE_BAD_MODEL, 1, 1,
       "the start of fully observed variables is not certain: they are seen after the first action, not before"},
  };
  glimpse_model *model = read_findings(text, true, findings, 1);
  assert_int_equal(glimpse_model_count(model, GLIMPSE_OBSERVATION), 2);
  assert_string_equal(glimpse_model_name(model, GLIMPSE_OBSERVATION, 1), "r");
  assert_true(pomdp_o(model, 0, 1, 1) == 1);
  glimpse_model_free(model);
}

/* Names that would be the same become numbers; names of one kind may need a longer joint. */
static void makes_names(void **state) {
  (void)state;
  static const struct {
    const char *first, *second, *name; /* of the last state */
  } cases[] = {
      {"up down", "a b", "down_b"}, {"x start", "a b", "sstart_b"},  {"1.5 1,5", "a b", "s1_b"},
      {"a_b a", "c b_c", "a__b_c"}, {"x y", "\xc3\xa4g +", "y__s_"}, {"x y", "s0 0", "y_s1"},
      {"x__ y", "-1 _", "y___s_"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct text text = {0};
    text_print(&text,
               "<pomdpx><Discount>0.9</Discount><Variable>"
               "<StateVar vnamePrev='x0' vnameCurr='x1'><ValueEnum>%s</ValueEnum></StateVar>"
               "<StateVar vnamePrev='y0' vnameCurr='y1'><ValueEnum>%s</ValueEnum></StateVar>"
               "<ActionVar vname='a'><NumValues>1</NumValues></ActionVar><RewardVar vname='g'/></Variable>",
               cases[i].first, cases[i].second);
    text_put(&text, "<InitialStateBelief>");
    for (int k = 0; k < 2; k++)
      text_print(&text,
                 "<CondProb><Var>%c0</Var><Parent>null</Parent><Parameter><Entry><Instance>-</Instance>"
                 "<ProbTable>uniform</ProbTable></Entry></Parameter></CondProb>",
                 "xy"[k]);
    text_put(&text, "</InitialStateBelief><StateTransitionFunction>");
    for (int k = 0; k < 2; k++)
      text_print(&text,
                 "<CondProb><Var>%c1</Var><Parent>%c0</Parent><Parameter><Entry><Instance>- -</Instance>"
                 "<ProbTable>identity</ProbTable></Entry></Parameter></CondProb>",
                 "xy"[k], "xy"[k]);
    text_put(&text,
             "</StateTransitionFunction><RewardFunction><Func><Var>g</Var><Parent>null</Parent><Parameter><Entry>"
             "<Instance/><ValueTable>1</ValueTable></Entry></Parameter></Func></RewardFunction>");
    text_print(&text, "<!-- glimpse: cost * 1 --><!-- glimpse: cost %s 3 --></pomdpx>", cases[i].name);
    glimpse_model *model = read_findings(text.data, true, NULL, 0);
    assert_string_equal(glimpse_model_name(model, GLIMPSE_STATE, 3), cases[i].name);
    assert_true(glimpse_model_cost(model, 3) == 3 && glimpse_model_cost(model, 2) == 1);
    assert_true(glimpse_model_reward(model, 0, 2) == 1);
    glimpse_model_free(model);
    text_free(&text);
  }
}

/* A million errors cost little more than twenty. */
static void counts_a_flood(void **state) {
  (void)state;
  struct text text = {0};
  text_put(&text, VARIABLES "<RewardFunction><Func><Var>g</Var><Parent>x0</Parent><Parameter>\n");
  enum { FLOOD = 20000 };
  for (int i = 0; i < FLOOD; i++) text_put(&text, "<Entry><Instance>q</Instance><ValueTable>1</ValueTable></Entry>\n");
  text_put(&text, "</Parameter></Func></RewardFunction></pomdpx>");
  glimpse_report *report = glimpse_report_new();
  glimpse_model *model;
  assert_int_equal(pomdpx_read(text.data, text.length, "flood", NULL, report, &model), GLIMPSE_BAD_SYNTAX);
  assert_int_equal(glimpse_report_count(report, GLIMPSE_ERROR), FLOOD);
  assert_int_equal(glimpse_report_kept(report), 20);
  glimpse_report_free(report);
  text_free(&text);
}

/* ---- without memory, and texts that end anywhere ---- */

static glimpse_status read_job(void *context) {
  glimpse_model *model = NULL;
  glimpse_report *report = glimpse_report_new();
  if (!report) return GLIMPSE_NO_MEMORY;
  glimpse_status status = model_file_read(context, NULL, report, &model);
  glimpse_model_free(model);
  glimpse_report_free(report);
  return status;
}

static glimpse_status read_bad_job(void *context) {
  glimpse_status status = read_job(context);
  return status == GLIMPSE_BAD_MODEL ? GLIMPSE_OK : status;
}

static void survives_lack_of_memory(void **state) {
  (void)state;
  static char house[] = "tests/data/pomdpx/house.pomdpx", sum[] = "tests/data/pomdpx/bad-row-sum.pomdpx";
  assert_true(failing_malloc_sweep(read_job, house) > 50);
  assert_true(failing_malloc_sweep(read_bad_job, sum) > 20);
}

static void survives_every_cut(void **state) {
  (void)state;
  char *text;
  size_t length;
  assert_int_equal(glimpse_text_read("tests/data/pomdpx/house.pomdpx", NULL, &text, &length), GLIMPSE_OK);
  while (length && text[length - 1] != '>') length--;
  for (size_t cut = 0; cut < length; cut++) {
    char *exact = malloc(cut ? cut : 1);
    memcpy(exact, text, cut);
    glimpse_model *model;
    glimpse_report *report = glimpse_report_new();
    assert_int_equal(pomdpx_read(exact, cut, "cut", NULL, report, &model), GLIMPSE_BAD_SYNTAX);
    assert_int_equal(glimpse_report_kept(report), 1);
    glimpse_report_free(report);
    free(exact);
  }
  glimpse_text_free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_each_error),
      cmocka_unit_test(finds_several_errors),
      cmocka_unit_test(passes_over_what_it_does_not_know),
      cmocka_unit_test(mends_sums),
      cmocka_unit_test(tells_of_an_uncertain_start),
      cmocka_unit_test(makes_names),
      cmocka_unit_test(keeps_messages_clean),
      cmocka_unit_test(counts_a_flood),
      cmocka_unit_test(survives_lack_of_memory),
      cmocka_unit_test(survives_every_cut),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
