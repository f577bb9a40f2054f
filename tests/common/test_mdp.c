/* Mdp: tables of MDPs against models made by a builder and against built-in environments; wrong texts with their
 * places.
 *
 * Covers common/mdp_csv.c, common/mdp_json.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/mdp.h"
#include "common/text.h"
#include "support/environment.h"
#include "support/failing_malloc.h"

typedef glimpse_status (*reader)(const char *text, size_t length, const char *source, glimpse_report *report,
                                 glimpse_model **model);

static glimpse_model *read_text(reader read, const char *text) {
  glimpse_report *report = glimpse_report_new();
  glimpse_model *model = NULL;
  glimpse_status status = read(text, strlen(text), "x", report, &model);
  if (status) fail_msg("%s: %s", glimpse_report_get(report, 0)->text, text);
  assert_int_equal(glimpse_report_kept(report), 0);
  glimpse_report_free(report);
  return model;
}

/* The environment `loss`, in three ways. */
static const char loss_csv[] =
    "\xef\xbb\xbf# a comment: of no meaning\n# discount: 0.95\n#cost:0.05\n# start: begin\n\n"
    "reward, state,action ,next,note,probability\r\n"
    "0,begin,on,plus,x,0.8\n0,begin,on,minus,,0.2\n0,begin,back,begin,,1\n"
    "1,plus,on,end,,1\n0,plus,back,begin,,1\n  0 , minus , on,\"end\",, 1 \n"
    "0,minus,back,begin,,1";
static const char loss_rows[] =
    "{\"discount\": 0.95, \"cost\": 0.05, \"start\": \"begin\", \"other\": [],\n"
    "\"rows\": [[\"begin\", \"on\", \"plus\", 0.8], [\"begin\", \"on\", \"minus\", 0.2, 0], [\"begin\", \"back\", "
    "\"begin\", 1],\n"
    "[\"plus\", \"on\", \"end\", 1, 1], [\"plus\", \"back\", \"begin\", 1],\n"
    "[\"minus\", \"on\", \"end\", 1], [\"minus\", \"back\", \"begin\", 1], [\"end\", \"on\", \"end\", 1]]}";
static const char loss_tables[] =
    "{\"P\": {\"0\": {\"0\": {\"1\": 0.8, \"2\": 0.2, \"3\": 0}, \"1\": {\"0\": 1}}, \"1\": {\"0\": {\"3\": 1}, \"1\": "
    "{\"0\": 1}},\n"
    "\"2\": {\"0\": {\"3\": 1}, \"1\": {\"0\": 1}}, \"3\": {\"0\": {\"0\": 1}}},\n"
    "\"R\": {\"1\": {\"0\": {\"3\": 1}}, \"3\": {\"0\": {\"0\": 7}}}, \"Q\": {},\n"
    "\"StateSize\": 4, \"ActionSize\": 2, \"MeasureCost\": -0.05, \"s_init\": 0, \"discount\": 0.95}";

static void check_loss(glimpse_model *model, bool named) {
  glimpse_model *wanted = environment_make("loss");
  for (int kind = 0; kind < 3; kind++) {
    uint32_t count = glimpse_model_count(wanted, (glimpse_kind)kind);
    assert_int_equal(glimpse_model_count(model, (glimpse_kind)kind), count);
    for (uint32_t i = 0; i < count && (named || kind == GLIMPSE_OBSERVATION); i++)
      assert_string_equal(glimpse_model_name(model, (glimpse_kind)kind, i),
                          glimpse_model_name(wanted, (glimpse_kind)kind, i));
  }
  assert_true(glimpse_model_discount(model) == 0.95 && glimpse_model_cost(model, 0) == 0.05);
  assert_int_equal(glimpse_model_start(model).index[0], 0);
  for (uint32_t s = 0; s < 4; s++) {
    assert_int_equal(glimpse_model_terminal(model, s), s == 3);
    for (uint32_t a = 0; a < 2; a++) {
      double next[4] = {0}, sight[2] = {0};
      glimpse_row row = glimpse_model_transition(wanted, a, s), seen = glimpse_model_observation(wanted, a, s);
      for (size_t i = 0; i < row.count; i++) next[row.index[i]] = row.value[i];
      for (size_t i = 0; i < seen.count; i++) sight[seen.index[i]] = seen.value[i];
      environment_check_row(model, "T", a, s, glimpse_model_transition(model, a, s), next, 4);
      environment_check_row(model, "O", a, s, glimpse_model_observation(model, a, s), sight, 2);
      assert_true(glimpse_model_reward(model, a, s) == glimpse_model_reward(wanted, a, s));
    }
  }
  glimpse_model_free(wanted);
  glimpse_model_free(model);
}

static void test_loss(void **state) {
  (void)state;
  check_loss(read_text(mdp_csv_read, loss_csv), true);
  check_loss(read_text(mdp_json_read, loss_rows), true);
  check_loss(read_text(mdp_json_read, loss_tables), false);
}

/* The rows of an environment, written and read again: the same model. */
static void test_written(void **state) {
  (void)state;
  static const char *const specs[] = {"snake", "frozen-lake:size=20,seed=0", "inventory"};
  for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
    glimpse_model *wanted = environment_make(specs[i]);
    struct text text = {0};
    text_put(&text, "state,action,next,probability,reward\n");
    uint32_t states = glimpse_model_count(wanted, GLIMPSE_STATE), actions = glimpse_model_count(wanted, GLIMPSE_ACTION);
    for (uint32_t s = 0; s < states; s++) {
      for (uint32_t a = 0; a < actions; a++) {
        glimpse_row row = glimpse_model_transition(wanted, a, s);
        for (size_t k = 0; k < row.count; k++) {
          text_print(&text, "%u,%u,%u,", (unsigned)s, (unsigned)a, (unsigned)row.index[k]);
          text_number(&text, row.value[k]);
          text_put(&text, ",");
          text_number(&text, glimpse_model_reward(wanted, a, s));
          text_put(&text, "\n");
        }
      }
    }
    glimpse_model *model = read_text(mdp_csv_read, text_string(&text));
    assert_int_equal(glimpse_model_count(model, GLIMPSE_STATE), states);
    assert_int_equal(glimpse_model_count(model, GLIMPSE_OBSERVATION), glimpse_model_count(wanted, GLIMPSE_OBSERVATION));
    assert_false(glimpse_model_named(model, GLIMPSE_STATE) || glimpse_model_requests(model));
    for (uint32_t s = 0; s < states; s++) {
      assert_int_equal(glimpse_model_terminal(model, s), glimpse_model_terminal(wanted, s));
      for (uint32_t a = 0; a < actions; a++) {
        glimpse_row x = glimpse_model_transition(model, a, s), y = glimpse_model_transition(wanted, a, s);
        assert_int_equal(x.count, y.count);
        assert_memory_equal(x.index, y.index, x.count * sizeof *x.index);
        assert_memory_equal(x.value, y.value, x.count * sizeof *x.value);
        assert_float_equal(glimpse_model_reward(model, a, s), glimpse_model_reward(wanted, a, s), 1e-15);
      }
    }
    text_free(&text);
    glimpse_model_free(model);
    glimpse_model_free(wanted);
  }
}

/* Many names, so that the table of names grows: a ring. */
static void test_many_names(void **state) {
  (void)state;
  enum { COUNT = 1000 };
  struct text text = {0};
  text_put(&text, "state,action,next,probability\n");
  for (int i = 0; i < COUNT; i++) text_print(&text, "s%d,go,s%d,1\n", i, (i + 1) % COUNT);
  glimpse_model *model = read_text(mdp_csv_read, text_string(&text));
  assert_int_equal(glimpse_model_count(model, GLIMPSE_STATE), COUNT);
  assert_int_equal(glimpse_model_count(model, GLIMPSE_OBSERVATION), 1);
  for (uint32_t s = 0; s < COUNT; s++)
    assert_int_equal(glimpse_model_transition(model, 0, s).index[0], (s + 1) % COUNT);
  text_free(&text);
  glimpse_model_free(model);
}

#define HEAD "state,action,next,probability,reward\n"

static void test_wrong(void **state) {
  (void)state;
  static const struct {
    reader read;
    const char *text;
    unsigned line, column;
    const char *why;
  } cases[] = {
      {mdp_csv_read, "", 0, 0, "there is no row: a table has at least one"},
      {mdp_csv_read, HEAD, 0, 0, "there is no row: a table has at least one"},
      {mdp_csv_read, "a,b\n", 1, 1,
       "there is no column 'state'; the first line names the columns: state,action,next,probability,reward"},
      {mdp_csv_read, "state,action,next,probability,state\n", 1, 31, "the column 'state' comes twice"},
      {mdp_csv_read, HEAD "a,go,b,1\n", 2, 1, "expected 5 columns, found 4"},
      {mdp_csv_read, HEAD "a,go,b,1,0,0\n", 2, 1, "expected 5 columns, found 6"},
      {mdp_csv_read, HEAD "a,go,b,one,0\n", 2, 8, "expected a probability, found 'one'"},
      {mdp_csv_read, HEAD "a,go,b,2,0\n", 2, 8, "a probability is a number from 0 to 1, not '2'"},
      {mdp_csv_read, HEAD "a,go,b,-0.5,0\n", 2, 8, "a probability is a number from 0 to 1, not '-0.5'"},
      {mdp_csv_read, HEAD "a,go,b,1,\n", 2, 10, "expected a reward, found ''"},
      {mdp_csv_read, HEAD "a,go,b,1,1e999\n", 2, 10, "expected a reward, found '1e999'"},
      {mdp_csv_read, HEAD "a,,b,1,0\n", 2, 3, "expected a name or a number, found nothing"},
      {mdp_csv_read, HEAD "a,go,\"b,1,0\n", 2, 6, "a quote is not closed"},
      {mdp_csv_read, HEAD "a,go,\"b\"x,1,0\n", 2, 9, "expected a comma behind the quote"},
      {mdp_csv_read, HEAD "0,0,x,1,0\n", 2, 5, "expected a whole number like the first one, found 'x'"},
      {mdp_csv_read, HEAD "0,0,4000000000,1,0\n", 2, 5,
       "number 4000000000 is too large for a table of this length; numbers begin with 0"},
      {mdp_csv_read, HEAD "a,go,b,0.5,0\n", 0, 0, NULL},             /* a sum */
      {mdp_csv_read, HEAD "a,go,b,1,0\nb,stop,a,1,0\n", 0, 0, NULL}, /* an action that is missing */
      {mdp_csv_read, HEAD "a b,go,b,1,0\n", 2, 1,
       "'a b' is no name: names are letters, digits, '_' and '-', and begin with a letter"},
      {mdp_csv_read, "state,action,next,probability\na,x,b,0.5\nb,x,a,1\na,x,b,0.5\n", 4, 0,
       "state a, action x, next state b was given in line 2; give one row with the whole probability and the mean "
       "reward"},
      {mdp_csv_read, "# discount: 1.5\n", 1, 13, "expected a discount from 0 to 1, found '1.5'"},
      {mdp_csv_read, "# cost: -1\n", 1, 9, "expected a price, 0 or more, found '-1'"},
      {mdp_csv_read, "# start: c\n" HEAD "a,go,b,1,0\n", 1, 10, "there is no state 'c' in the table"},
      {mdp_json_read, "", 1, 0, "expected a value, found the end of the text"},
      {mdp_json_read, "{\"rows\":\n [}", 2, 0, "expected a value, found '}'"},
      {mdp_json_read, "[]", 1, 0, "a table must be an object with \"rows\" or \"P\", not a list"},
      {mdp_json_read, "{}", 1, 0, "there is neither \"rows\" nor \"P\" in the object"},
      {mdp_json_read, "{\"rows\": 1}", 1, 0, "rows must be a list, not a number"},
      {mdp_json_read, "{\"rows\": []}", 0, 0, "there is no row: a table has at least one"},
      {mdp_json_read, "{\"rows\": [\n[1, 2]]}", 2, 0,
       "a row is a list of state, action, next state, probability and, if not 0, reward"},
      {mdp_json_read, "{\"rows\": [[true, \"a\", \"b\", 1]]}", 1, 0,
       "a state or an action must be a name or a number, not true or false"},
      {mdp_json_read, "{\"rows\": [[\"a\", \"a\", \"b\", 2]]}", 1, 0, "a probability is a number from 0 to 1, not 2"},
      {mdp_json_read, "{\"rows\": [[\"a\", \"a\", \"b\", 1, \"x\"]]}", 1, 0,
       "a reward must be a finite number, not a text"},
      {mdp_json_read, "{\"rows\": [[\"a\", \"a\", \"b\", 1]], \"start\": \"c\"}", 1, 0,
       "there is no state 'c' in the table"},
      {mdp_json_read, "{\"rows\": [[0, 0, 99999, 1]]}", 1, 0,
       "number 99999 is too large for a table of this length; numbers begin with 0"},
      {mdp_json_read, "{\"rows\": [[\"a\", \"a\", \"b\", 1]], \"discount\": 2}", 1, 0,
       "discount must be a number from 0 to 1, not 2"},
      {mdp_json_read, "{\"P\": []}", 1, 0, "P must be an object, not a list"},
      {mdp_json_read, "{\"P\": {\"0\": 1}}", 1, 0, "P of a state must be an object, not a number"},
      {mdp_json_read, "{\"P\": {\"0\": {\"0\": 1}}}", 1, 0,
       "P of a state and an action must be an object, not a number"},
      {mdp_json_read, "{\"P\": {\"0\": {\"0\": {\"1\": 1}}}, \"StateSize\": 1}", 1, 0,
       "StateSize is 1, but P has a state 1"},
      {mdp_json_read, "{\"P\": {\"0\": {\"0\": {\"1\": 1}}}, \"StateSize\": 1e9}", 1, 0, NULL},
      {mdp_json_read, "{\"P\": {\"0\": {\"0\": {\"1\": 1}}}, \"s_init\": 5}", 1, 0,
       "s_init must be a number from 0 to 1, not 5"},
      {mdp_json_read, "{\"P\": {\"0\": {\"0\": {\"1\": 1}}}, \"s_init\": 0.5}", 1, 0,
       "s_init must be a whole number, not 0.5"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    glimpse_report *report = glimpse_report_new();
    glimpse_model *model = NULL;
    glimpse_status status = cases[i].read(cases[i].text, strlen(cases[i].text), "x", report, &model);
    const glimpse_message *found = glimpse_report_get(report, 0);
    if (!status || model || !found) fail_msg("accepted: %s", cases[i].text);
    if (cases[i].why && strcmp(found->text, cases[i].why) != 0) fail_msg("'%s' of %s", found->text, cases[i].text);
    if (found->line != cases[i].line || found->column != cases[i].column)
      fail_msg("%s: at %u:%u", cases[i].text, (unsigned)found->line, (unsigned)found->column);
    glimpse_report_free(report);
    assert_int_equal(cases[i].read(cases[i].text, strlen(cases[i].text), "x", NULL, &model), status); /* no report */
  }
}

/* Any prefix, and any byte replaced, is a model or a finding. */
static void test_mutilated(void **state) {
  (void)state;
  static const struct {
    reader read;
    const char *text;
  } texts[] = {{mdp_csv_read, loss_csv}, {mdp_json_read, loss_rows}, {mdp_json_read, loss_tables}};
  static const char bytes[] = "\x01 \",:#9-e\xff[}";
  glimpse_report *report = glimpse_report_new();
  for (size_t k = 0; k < 3; k++) {
    size_t length = strlen(texts[k].text);
    char *text = malloc(length + 1);
    assert_non_null(text);
    for (size_t i = 0; i < length; i++) {
      for (size_t b = 0; b < sizeof bytes; b++) { /* the last one cuts the text */
        memcpy(text, texts[k].text, length);
        text[i] = bytes[b];
        glimpse_model *model = NULL;
        glimpse_report_clear(report);
        glimpse_status status = texts[k].read(text, bytes[b] ? length : i, "x", report, &model);
        assert_true((status == GLIMPSE_OK) == (model != NULL));
        assert_true((glimpse_report_count(report, GLIMPSE_ERROR) > 0) == (status != GLIMPSE_OK));
        glimpse_model_free(model);
      }
    }
    free(text);
  }
  glimpse_report_free(report);
}

static glimpse_status read_and_free(void *context) {
  glimpse_model *model = NULL;
  glimpse_report *report = glimpse_report_new(); /* may be NULL: nothing is reported */
  const char *text = context;
  glimpse_status status = (*text == '{' ? mdp_json_read : mdp_csv_read)(text, strlen(text), "x", report, &model);
  glimpse_model_free(model);
  glimpse_report_free(report);
  return status;
}

static void test_out_of_memory(void **state) {
  (void)state;
  static const char *const texts[] = {loss_csv, loss_rows, loss_tables};
  for (size_t i = 0; i < 3; i++) {
    char text[1000];
    snprintf(text, sizeof text, "%s", texts[i]);
    assert_true(failing_malloc_sweep(read_and_free, text) > 5);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_loss),  cmocka_unit_test(test_written),   cmocka_unit_test(test_many_names),
      cmocka_unit_test(test_wrong), cmocka_unit_test(test_mutilated), cmocka_unit_test(test_out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
