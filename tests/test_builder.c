/* Builder: wrong arguments, and the gate through which every model passes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "model/builder.h"
#include "model/model.h"
#include "support/failing_malloc.h"

static const uint32_t any = GLIMPSE_ANY;

/* A builder whose model is valid as it stands: stay, see nothing. */
static glimpse_builder *valid_builder(uint32_t states, uint32_t actions, uint32_t observations) {
  glimpse_builder *builder = glimpse_builder_new(states, actions, observations);
  assert_non_null(builder);
  assert_int_equal(gli_builder_row_identity(builder, GLI_TRANSITION, any, any), GLIMPSE_OK);
  assert_int_equal(glimpse_builder_observation(builder, any, any, 0, 1), GLIMPSE_OK);
  return builder;
}

/* Finishes and frees the builder; the model must come out. */
static glimpse_model *finish(glimpse_builder *builder) {
  glimpse_model *model = NULL;
  glimpse_report *report = glimpse_report_new();
  glimpse_status status = glimpse_builder_finish(builder, report, &model);
  if (status) fail_msg("not valid: %s", glimpse_report_get(report, 0)->text);
  assert_int_equal(glimpse_report_count(report, GLIMPSE_ERROR), 0);
  glimpse_report_free(report);
  glimpse_builder_free(builder);
  return model;
}

/* Finishes and frees the builder; it must be refused with these words in the
 * first error. */
static void assert_refused(glimpse_builder *builder, glimpse_status expected, const char *words) {
  glimpse_model *model = (glimpse_model *)(uintptr_t)1;
  glimpse_report *report = glimpse_report_new();
  assert_int_equal(glimpse_builder_finish(builder, report, &model), expected);
  assert_null(model);
  assert_true(glimpse_report_count(report, GLIMPSE_ERROR) >= 1);
  const glimpse_message *message = glimpse_report_get(report, 0);
  assert_int_equal(message->severity, GLIMPSE_ERROR);
  assert_int_equal(message->code, expected);
  if (!strstr(message->text, words)) fail_msg("'%s' does not say '%s'", message->text, words);
  glimpse_report_free(report);
  glimpse_builder_free(builder);
}

/* ---- arguments ---- */

static void test_counts(void **state) {
  (void)state;
  static const uint32_t bad[][3] = {
      {0, 1, 1},
      {1, 0, 1},
      {1, 1, 0},
      {GLIMPSE_MAX_COUNT + 1, 1, 1},
      {1, GLIMPSE_MAX_ACTIONS + 1, 1},
      {1, 1, GLIMPSE_MAX_COUNT + 1},
      {UINT32_MAX, UINT32_MAX, UINT32_MAX},
      {1 << 14, (1 << 13) + 1, 1}, /* too many rows */
      {GLIMPSE_MAX_COUNT, 9, 1},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_null(glimpse_builder_new(bad[i][0], bad[i][1], bad[i][2]));
  static const uint32_t good[][3] = {{1, 1, 1}, {GLIMPSE_MAX_COUNT, 8, GLIMPSE_MAX_COUNT}, {1, GLIMPSE_MAX_ACTIONS, 1}};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    glimpse_builder *builder = glimpse_builder_new(good[i][0], good[i][1], good[i][2]);
    assert_non_null(builder); /* allocates nothing that is as large as it claims */
    glimpse_builder_free(builder);
  }
  glimpse_builder_free(NULL);
}

typedef glimpse_status (*argument_case)(glimpse_builder *builder, double number);

/* clang-format off */
static glimpse_status bad_t_action(glimpse_builder *b, double x) { return glimpse_builder_transition(b, 2, 0, 0, x); }
static glimpse_status bad_t_state(glimpse_builder *b, double x) { return glimpse_builder_transition(b, 0, 3, 0, x); }
static glimpse_status bad_t_next(glimpse_builder *b, double x) { return glimpse_builder_transition(b, 0, 0, 3, x); }
static glimpse_status bad_t_edge(glimpse_builder *b, double x) { return glimpse_builder_transition(b, 0, 0, any - 1, x); }
static glimpse_status bad_o_action(glimpse_builder *b, double x) { return glimpse_builder_observation(b, 2, 0, 0, x); }
static glimpse_status bad_o_state(glimpse_builder *b, double x) { return glimpse_builder_observation(b, 0, 3, 0, x); }
static glimpse_status bad_o_seen(glimpse_builder *b, double x) { return glimpse_builder_observation(b, 0, 0, 4, x); }
static glimpse_status bad_r_action(glimpse_builder *b, double x) { return glimpse_builder_reward(b, 2, 0, 0, 0, x); }
static glimpse_status bad_r_state(glimpse_builder *b, double x) { return glimpse_builder_reward(b, 0, 3, 0, 0, x); }
static glimpse_status bad_r_next(glimpse_builder *b, double x) { return glimpse_builder_reward(b, 0, 0, 3, 0, x); }
static glimpse_status bad_r_seen(glimpse_builder *b, double x) { return glimpse_builder_reward(b, 0, 0, 0, 4, x); }
static glimpse_status bad_c_state(glimpse_builder *b, double x) { return glimpse_builder_cost(b, 3, x); }
static glimpse_status bad_s_state(glimpse_builder *b, double x) { return glimpse_builder_start(b, 3, x); }
static glimpse_status bad_row(glimpse_builder *b, double x) { (void)x; return gli_builder_row_uniform(b, GLI_OBSERVATION, 0, 3); }
static glimpse_status bad_identity(glimpse_builder *b, double x) { (void)x; return gli_builder_row_identity(b, GLI_OBSERVATION, 0, 0); }
static glimpse_status bad_reset(glimpse_builder *b, double x) { (void)x; return gli_builder_row_reset(b, 2, 0); }

static glimpse_status to_t(glimpse_builder *b, double x) { return glimpse_builder_transition(b, any, 0, any, x); }
static glimpse_status to_o(glimpse_builder *b, double x) { return glimpse_builder_observation(b, 0, any, 0, x); }
static glimpse_status to_s(glimpse_builder *b, double x) { return glimpse_builder_start(b, any, x); }
static glimpse_status to_c(glimpse_builder *b, double x) { return glimpse_builder_cost(b, 1, x); }
static glimpse_status to_r(glimpse_builder *b, double x) { return glimpse_builder_reward(b, any, any, any, any, x); }
static glimpse_status to_d(glimpse_builder *b, double x) { return glimpse_builder_discount(b, x); }
/* clang-format on */

/* Refused at once, and again at the end, and a good call after it does not help. */
static void assert_bad_argument(argument_case call, double number, size_t i) {
  glimpse_builder *builder = valid_builder(3, 2, 4);
  if (call(builder, number) != GLIMPSE_BAD_ARGUMENT) fail_msg("case %zu with %g was accepted", i, number);
  assert_int_equal(glimpse_builder_discount(builder, 0.5), GLIMPSE_OK);
  glimpse_model *model = (glimpse_model *)(uintptr_t)1;
  glimpse_report *report = glimpse_report_new();
  for (int times = 1; times <= 2; times++) {
    assert_int_equal(glimpse_builder_finish(builder, report, &model), GLIMPSE_BAD_ARGUMENT);
    assert_null(model);
    assert_int_equal(glimpse_report_count(report, GLIMPSE_ERROR), times);
  }
  assert_true(strlen(glimpse_report_get(report, 0)->text) > 10);
  glimpse_report_free(report);
  glimpse_builder_free(builder);
}

static void test_out_of_range(void **state) {
  (void)state;
  static const argument_case cases[] = {bad_t_action, bad_t_state,  bad_t_next,   bad_t_edge, bad_o_action, bad_o_state,
                                        bad_o_seen,   bad_r_action, bad_r_state,  bad_r_next, bad_r_seen,   bad_c_state,
                                        bad_s_state,  bad_row,      bad_identity, bad_reset};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) assert_bad_argument(cases[i], 0.5, i);
}

static void test_bad_numbers(void **state) {
  (void)state;
  static const argument_case cases[] = {to_t, to_o, to_s, to_c, to_r, to_d};
  static const double never[] = {NAN, INFINITY, -INFINITY};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (size_t k = 0; k < 3; k++) assert_bad_argument(cases[i], never[k], i);
    if (cases[i] != to_r) assert_bad_argument(cases[i], -1e-300, i); /* rewards may be negative */
  }
  assert_bad_argument(to_d, 1.0000000000000002, 0);
}

static void test_bad_names(void **state) {
  (void)state;
  static const char *const bad[] = {"", "1", "a b", "-", "caf\xc3\xa9", "*"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    glimpse_builder *builder = valid_builder(2, 1, 1);
    assert_int_equal(glimpse_builder_name(builder, GLIMPSE_STATE, 0, bad[i]), GLIMPSE_BAD_ARGUMENT);
    assert_refused(builder, GLIMPSE_BAD_ARGUMENT, bad[i]);
  }
  glimpse_builder *builder = valid_builder(2, 1, 1);
  assert_int_equal(glimpse_builder_name(builder, GLIMPSE_STATE, 2, "out"), GLIMPSE_BAD_ARGUMENT);
  assert_refused(builder, GLIMPSE_BAD_ARGUMENT, "'out'");
  builder = valid_builder(2, 1, 1);
  assert_int_equal(glimpse_builder_name(builder, GLIMPSE_ACTION, any, "all"), GLIMPSE_BAD_ARGUMENT);
  assert_refused(builder, GLIMPSE_BAD_ARGUMENT, "'all'");

  builder = valid_builder(2, 1, 1);
  assert_int_equal(glimpse_builder_name(builder, GLIMPSE_STATE, 0, "x"), GLIMPSE_OK);
  assert_int_equal(glimpse_builder_name(builder, GLIMPSE_STATE, 1, "x"), GLIMPSE_BAD_ARGUMENT);
  assert_refused(builder, GLIMPSE_BAD_ARGUMENT, "'x' is given twice");

  static const struct {
    glimpse_kind kind;
    const char *words;
  } partial[] = {{GLIMPSE_STATE, "some states have names, but number 1 has none"},
                 {GLIMPSE_ACTION, "some actions have names, but number 1 has none"},
                 {GLIMPSE_OBSERVATION, "some observations have names, but number 1 has none"}};
  for (size_t i = 0; i < 3; i++) {
    builder = valid_builder(3, 3, 3);
    assert_int_equal(glimpse_builder_name(builder, partial[i].kind, 0, "x"), GLIMPSE_OK);
    assert_int_equal(glimpse_builder_name(builder, partial[i].kind, 2, "y"), GLIMPSE_OK);
    assert_refused(builder, GLIMPSE_BAD_MODEL, partial[i].words);
  }
  /* A very long name ends up in a message of bounded length. */
  static char text[5001];
  memset(text, 'n', sizeof text - 1);
  builder = valid_builder(2, 1, 1);
  assert_int_equal(glimpse_builder_name(builder, GLIMPSE_STATE, 0, text), GLIMPSE_OK);
  assert_int_equal(glimpse_builder_name(builder, GLIMPSE_STATE, 1, text), GLIMPSE_BAD_ARGUMENT);
  assert_refused(builder, GLIMPSE_BAD_ARGUMENT, "nnnnnnnn' is given twice");
}

/* ---- sums of rows ---- */

typedef enum verdict { SILENT, WARNS, FAILS } verdict;

/* Two entries that make up the sum, in a table or in the start belief. */
static void check_sum(gli_builder_part part, double first, double second, verdict expected, const char *words) {
  glimpse_builder *builder = valid_builder(2, 2, 2);
  glimpse_builder_name(builder, GLIMPSE_STATE, 0, "here");
  glimpse_builder_name(builder, GLIMPSE_STATE, 1, "there");
  double value[2] = {first, second};
  for (uint32_t i = 0; i < 2; i++) {
    if (part == GLI_PART_TRANSITION) glimpse_builder_transition(builder, 1, 1, i, value[i]);
    if (part == GLI_PART_OBSERVATION) glimpse_builder_observation(builder, 1, 1, i, value[i]);
    if (part == GLI_PART_START) glimpse_builder_start(builder, i, value[i]);
  }
  glimpse_report *report = glimpse_report_new();
  glimpse_model *model = NULL;
  glimpse_status status = glimpse_builder_finish(builder, report, &model);
  double sum = first + second;
  if (status != (expected == FAILS ? GLIMPSE_BAD_MODEL : GLIMPSE_OK))
    fail_msg("%s: a sum of %.17g is misjudged", words, sum);
  if (glimpse_report_count(report, GLIMPSE_ERROR) != (expected == FAILS) ||
      glimpse_report_count(report, GLIMPSE_WARNING) != (expected == WARNS))
    fail_msg("%s: a sum of %.17g is misreported", words, sum);
  if (expected != SILENT) {
    char number[GLIMPSE_NUMBER_SIZE];
    glimpse_number_write(sum < 1000 ? round(sum * 1e12) / 1e12 : sum, number);
    const glimpse_message *message = glimpse_report_get(report, 0);
    assert_int_equal(message->code, GLIMPSE_BAD_MODEL);
    if (!strstr(message->text, words) || !strstr(message->text, number))
      fail_msg("'%s' does not say '%s' and %s", message->text, words, number);
  }
  if (model) {
    glimpse_row row = part == GLI_PART_TRANSITION    ? glimpse_model_transition(model, 1, 1)
                      : part == GLI_PART_OBSERVATION ? glimpse_model_observation(model, 1, 1)
                                                     : glimpse_model_start(model);
    assert_int_equal(row.count, 2);
    for (size_t i = 0; i < 2; i++) assert_true(fabs(row.value[i] - value[i] / sum) < 1e-16);
    assert_true(fabs(row.value[0] + row.value[1] - 1) < 1e-15);
  }
  glimpse_model_free(model);
  glimpse_report_free(report);
  glimpse_builder_free(builder);
}

static void test_sums(void **state) {
  (void)state;
  static const struct {
    gli_builder_part part;
    const char *words;
  } parts[] = {{GLI_PART_TRANSITION, "the row T : 1 : there sums to "},
               {GLI_PART_OBSERVATION, "the row O : 1 : there sums to "},
               {GLI_PART_START, "the start belief sums to "}};
  /* The sum of 0.25 and this; the limits belong to the milder side. */
  static const struct {
    double rest;
    verdict expected;
  } sums[] = {
      {0.75, SILENT},    {0.750009, SILENT}, {0.749991, SILENT}, {0.75001, SILENT},
      {0.74999, SILENT}, {0.750011, WARNS},  {0.749989, WARNS},  {0.7505, WARNS},
      {0.7495, WARNS},   {0.751, WARNS},     {0.749, WARNS},     {0.75101, FAILS},
      {0.74899, FAILS},  {0.5, FAILS},       {1, FAILS},         {1e300, FAILS},
  };
  for (size_t p = 0; p < 3; p++)
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
      check_sum(parts[p].part, 0.25, sums[i].rest, sums[i].expected, parts[p].words);
}

/* Thirds cut off at three digits, which is what files have. */
static void test_sum_of_thirds(void **state) {
  (void)state;
  glimpse_builder *builder = valid_builder(3, 1, 1);
  for (uint32_t s = 0; s < 3; s++) glimpse_builder_transition(builder, 0, any, s, 0.333);
  glimpse_report *report = glimpse_report_new();
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_builder_finish(builder, report, &model), GLIMPSE_OK);
  assert_int_equal(glimpse_report_count(report, GLIMPSE_WARNING), 3);
  assert_string_equal(glimpse_report_get(report, 1)->text, "the row T : 0 : 1 sums to 0.999; it was normalised to 1");
  assert_true(fabs(glimpse_model_transition(model, 0, 2).value[1] - 1.0 / 3) < 1e-16);
  glimpse_model_free(model);
  glimpse_report_free(report);
  glimpse_builder_free(builder);
}

/* All that is wrong is told in one go: costs, start, T and O. */
static void test_many_findings(void **state) {
  (void)state;
  glimpse_builder *builder = glimpse_builder_new(3, 2, 2);
  glimpse_builder_cost(builder, 1, 5);
  glimpse_builder_start(builder, 0, 0.25);
  gli_builder_row_reset(builder, any, any); /* its rows are no further finding */
  glimpse_builder_transition(builder, 0, 0, 1, 0.5);
  gli_builder_row_clear(builder, GLI_TRANSITION, 1, 2);
  glimpse_builder_observation(builder, 0, any, 0, 1);
  glimpse_report *report = glimpse_report_new();
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_builder_finish(builder, report, &model), GLIMPSE_BAD_MODEL);
  static const char *const texts[] = {
      "no request cost is given for 2 of 3 states: asking there is free",
      "the start belief sums to 0.25, expected 1",
      "the row T : 0 : 0 sums to 1.5, expected 1",
      "the row T : 1 : 2 sums to 0, expected 1",
      "the row O : 1 : 0 sums to 0, expected 1",
      "the row O : 1 : 1 sums to 0, expected 1",
      "the row O : 1 : 2 sums to 0, expected 1",
  };
  assert_int_equal(glimpse_report_count(report, GLIMPSE_WARNING), 1);
  assert_int_equal(glimpse_report_count(report, GLIMPSE_ERROR), 6);
  for (size_t i = 0; i < 7; i++) assert_string_equal(glimpse_report_get(report, i)->text, texts[i]);
  glimpse_report_free(report);
  glimpse_builder_free(builder);

  builder = glimpse_builder_new(1000, 1, 1); /* more than a report keeps */
  glimpse_builder_observation(builder, any, any, 0, 1);
  report = glimpse_report_new();
  assert_int_equal(glimpse_builder_finish(builder, report, &model), GLIMPSE_BAD_MODEL);
  assert_int_equal(glimpse_report_count(report, GLIMPSE_ERROR), 1000);
  assert_int_equal(glimpse_report_kept(report), 20);
  assert_string_equal(glimpse_report_get(report, 19)->text, "the row T : 0 : 19 sums to 0, expected 1");
  glimpse_report_free(report);
  glimpse_builder_free(builder);

  builder = valid_builder(4, 1, 1); /* and without a report */
  glimpse_builder_transition(builder, 0, 0, 1, 0.5);
  assert_int_equal(glimpse_builder_finish(builder, NULL, &model), GLIMPSE_BAD_MODEL);
  assert_null(model);
  glimpse_builder_free(builder);
}

/* Claims of a size that nothing fills are refused before they cost gigabytes. */
static void test_claimed_size(void **state) {
  (void)state;
  glimpse_builder *builder = glimpse_builder_new(GLIMPSE_MAX_COUNT, 8, GLIMPSE_MAX_COUNT);
  glimpse_builder_transition(builder, 7, GLIMPSE_MAX_COUNT - 1, 0, 1);
  assert_refused(builder, GLIMPSE_BAD_MODEL,
                 "T has 134217728 rows, one for each action and state, but only 1 assignments");
}

/* ---- settings ---- */

static void test_start(void **state) {
  (void)state;
  glimpse_model *model = finish(valid_builder(7, 1, 1)); /* never given: uniform */
  glimpse_row start = glimpse_model_start(model);
  assert_int_equal(start.count, 7);
  for (uint32_t s = 0; s < 7; s++) assert_true(start.index[s] == s && start.value[s] == 1.0 / 7);
  glimpse_model_free(model);

  glimpse_builder *builder = valid_builder(4, 1, 1); /* the last assignment wins */
  glimpse_builder_start(builder, any, 0.25);
  glimpse_builder_start(builder, 1, 0.5);
  glimpse_builder_start(builder, 2, 0);
  model = finish(builder);
  start = glimpse_model_start(model);
  static const uint32_t index[] = {0, 1, 3};
  static const double value[] = {0.25, 0.5, 0.25};
  assert_int_equal(start.count, 3);
  assert_memory_equal(start.index, index, sizeof index);
  assert_memory_equal(start.value, value, sizeof value);
  glimpse_model_free(model);

  builder = valid_builder(4, 1, 1); /* forgotten: as if never given */
  glimpse_builder_start(builder, 0, 17);
  gli_builder_start_clear(builder);
  model = finish(builder);
  assert_int_equal(glimpse_model_start(model).count, 4);
  glimpse_model_free(model);

  builder = valid_builder(4, 1, 1);
  glimpse_builder_start(builder, any, 0);
  assert_refused(builder, GLIMPSE_BAD_MODEL, "the start belief sums to 0, expected 1");
}

/* `reset` is the start as it is at the end, whenever it was given. */
static void test_reset(void **state) {
  (void)state;
  glimpse_builder *builder = valid_builder(3, 2, 1);
  gli_builder_row_reset(builder, 1, any);
  glimpse_builder_start(builder, 2, 0.75);
  glimpse_builder_start(builder, 0, 0.2499);
  glimpse_builder_transition(builder, 1, 0, 0, 0.25);
  glimpse_builder_transition(builder, 1, 0, 2, 0.5);
  glimpse_builder_transition(builder, 1, 0, 1, 0.25);
  glimpse_model *model = finish(builder);
  glimpse_row start = glimpse_model_start(model), row = glimpse_model_transition(model, 1, 1);
  assert_int_equal(row.count, 2);
  assert_memory_equal(row.value, start.value, 2 * sizeof(double)); /* the normalised start */
  assert_memory_equal(row.index, start.index, 2 * sizeof(uint32_t));
  row = glimpse_model_transition(model, 1, 0);
  assert_true(row.count == 3 && row.value[0] == 0.25 && row.value[1] == 0.25 && row.value[2] == 0.5);
  glimpse_model_free(model);
}

static void test_costs(void **state) {
  (void)state;
  glimpse_model *model = finish(valid_builder(3, 1, 1)); /* never given: off */
  assert_false(glimpse_model_requests(model));
  assert_true(glimpse_model_cost_uniform(model));
  assert_true(glimpse_model_cost(model, 1) == 0);
  glimpse_model_free(model);

  glimpse_builder *builder = valid_builder(3, 1, 1);
  glimpse_builder_cost(builder, any, 2);
  glimpse_builder_cost(builder, 1, 0.5);
  model = finish(builder);
  assert_true(glimpse_model_requests(model));
  assert_false(glimpse_model_cost_uniform(model));
  assert_true(glimpse_model_cost(model, 0) == 2 && glimpse_model_cost(model, 1) == 0.5 &&
              glimpse_model_cost(model, 2) == 2);
  glimpse_model_free(model);

  builder = valid_builder(3, 1, 1); /* one by one, yet uniform */
  for (uint32_t s = 0; s < 3; s++) glimpse_builder_cost(builder, s, 0.5);
  model = finish(builder);
  assert_true(glimpse_model_requests(model) && glimpse_model_cost_uniform(model));
  assert_true(glimpse_model_cost(model, 2) == 0.5);
  glimpse_model_free(model);

  builder = valid_builder(3, 1, 1); /* a later one for all overwrites, also with 0 */
  glimpse_builder_cost(builder, 1, 4);
  glimpse_builder_cost(builder, any, -0.0);
  model = finish(builder);
  assert_false(glimpse_model_requests(model));
  assert_true(glimpse_model_cost(model, 1) == 0 && !signbit(glimpse_model_cost(model, 1)));
  glimpse_model_free(model);

  builder = valid_builder(3, 1, 1); /* 0 in some states: free there, and no finding */
  glimpse_builder_cost(builder, any, 1);
  glimpse_builder_cost(builder, 2, -0.0);
  glimpse_report *report = glimpse_report_new();
  assert_int_equal(glimpse_builder_finish(builder, report, &model), GLIMPSE_OK);
  assert_int_equal(glimpse_report_kept(report), 0);
  assert_true(glimpse_model_requests(model) && !glimpse_model_cost_uniform(model));
  assert_true(glimpse_model_cost(model, 0) == 1 && glimpse_model_cost(model, 2) == 0);
  assert_false(signbit(glimpse_model_cost(model, 2)));
  glimpse_model_free(model);
  glimpse_builder_free(builder);

  builder = valid_builder(3, 1, 1); /* not given in one state: free as well, with a warning */
  glimpse_builder_cost(builder, 0, 0);
  glimpse_builder_cost(builder, 1, 1);
  assert_int_equal(glimpse_builder_finish(builder, report, &model), GLIMPSE_OK);
  assert_int_equal(glimpse_report_count(report, GLIMPSE_WARNING), 1);
  assert_string_equal(glimpse_report_get(report, 0)->text,
                      "no request cost is given for 1 of 3 states: asking there is free");
  assert_true(glimpse_model_requests(model));
  assert_true(glimpse_model_cost(model, 1) == 1 && glimpse_model_cost(model, 2) == 0);
  glimpse_model_free(model);
  glimpse_builder_free(builder);
  glimpse_report_free(report);

  builder = valid_builder(3, 1, 1); /* 0 in all states, or not given: off */
  glimpse_builder_cost(builder, 0, 0);
  model = finish(builder);
  assert_true(!glimpse_model_requests(model) && glimpse_model_cost_uniform(model));
  assert_true(glimpse_model_cost(model, 2) == 0);
  glimpse_model_free(model);
}

/* ---- many entries at once ---- */

static void test_entries(void **state) {
  (void)state;
  glimpse_builder *builder = glimpse_builder_new(2, 1, 2);
  static const uint32_t row[] = {0, 0, 1}, column[] = {0, 1, 1};
  static const double p[] = {0.25, 0.75, 1}, r[] = {3, -1, 2};
  size_t refused = 7;
  assert_int_equal(glimpse_builder_entries(builder, GLIMPSE_TABLE_TRANSITION, 0, 3, row, column, p, &refused), 0);
  assert_int_equal(glimpse_builder_entries(builder, GLIMPSE_TABLE_OBSERVATION, 0, 3, row, column, p, &refused), 0);
  assert_int_equal(glimpse_builder_entries(builder, GLIMPSE_TABLE_REWARD, 0, 3, row, column, r, NULL), 0);
  assert_int_equal(refused, 7);
  glimpse_model *model = finish(builder);
  glimpse_rows rows = glimpse_model_rows(model, GLIMPSE_TABLE_TRANSITION, 0);
  assert_int_equal(rows.count, 2);
  for (uint32_t s = 0; s < 2; s++) {
    glimpse_row one = glimpse_model_transition(model, 0, s);
    assert_int_equal(rows.first[s + 1] - rows.first[s], one.count);
    assert_ptr_equal(rows.index + rows.first[s], one.index);
    assert_ptr_equal(rows.value + rows.first[s], one.value);
  }
  assert_true(glimpse_model_rows(model, GLIMPSE_TABLE_OBSERVATION, 0).value[1] == 0.75);
  assert_true(glimpse_model_rewards(model, 0)[0] == 0.25 * 3 - 0.75);
  assert_true(glimpse_model_rewards(model, 0)[1] == 2);
  assert_int_equal(glimpse_model_rows(model, GLIMPSE_TABLE_REWARD, 0).count, 0);
  assert_int_equal(glimpse_model_rows(model, GLIMPSE_TABLE_TRANSITION, 1).count, 0);
  assert_null(glimpse_model_rewards(model, 1));
  glimpse_model_free(model);
}

static void test_entries_refused(void **state) {
  (void)state;
  static const uint32_t row[] = {0, 1, 2}, column[] = {0, 1, 0};
  static const double p[] = {1, 1, 1}, bad[] = {1, -1, 1};
  size_t refused = 0;
  glimpse_builder *builder = valid_builder(2, 1, 1);
  assert_int_equal(glimpse_builder_entries(builder, GLIMPSE_TABLE_TRANSITION, 0, 3, row, column, p, &refused),
                   GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(refused, 2);
  assert_refused(builder, GLIMPSE_BAD_ARGUMENT, "out of range");
  builder = valid_builder(2, 1, 1);
  assert_int_equal(glimpse_builder_entries(builder, GLIMPSE_TABLE_TRANSITION, 0, 3, row, column, bad, &refused),
                   GLIMPSE_BAD_ARGUMENT);
  assert_int_equal(refused, 1);
  assert_refused(builder, GLIMPSE_BAD_ARGUMENT, "negative");
  builder = valid_builder(2, 1, 1);
  assert_int_equal(glimpse_builder_entries(builder, GLIMPSE_TABLE_OBSERVATION, 0, 3, row, column, p, NULL),
                   GLIMPSE_BAD_ARGUMENT);
  assert_refused(builder, GLIMPSE_BAD_ARGUMENT, "out of range");
}

static void test_discount(void **state) {
  (void)state;
  glimpse_model *model = finish(valid_builder(1, 1, 1));
  assert_true(glimpse_model_discount(model) == 1);
  glimpse_model_free(model);
  static const double good[] = {0, -0.0, 0.5, 0.9999999999999999, 1};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    glimpse_builder *builder = valid_builder(1, 1, 1);
    assert_int_equal(glimpse_builder_discount(builder, 0.3), GLIMPSE_OK);
    assert_int_equal(glimpse_builder_discount(builder, good[i]), GLIMPSE_OK);
    model = finish(builder);
    assert_true(glimpse_model_discount(model) == good[i] && !signbit(glimpse_model_discount(model)));
    glimpse_model_free(model);
  }
}

/* ---- the end ---- */

/* After the end a builder is good for nothing, but does no harm either. */
static void test_finish_twice(void **state) {
  (void)state;
  for (int good = 0; good < 2; good++) {
    glimpse_builder *builder = valid_builder(100, 2, 3);
    if (!good) glimpse_builder_transition(builder, 0, 0, 1, 0.5);
    glimpse_builder_name(builder, GLIMPSE_ACTION, 0, "left");
    glimpse_builder_name(builder, GLIMPSE_ACTION, 1, "right");
    glimpse_model *model = NULL, *second = (glimpse_model *)(uintptr_t)1;
    assert_int_equal(glimpse_builder_finish(builder, NULL, &model), good ? GLIMPSE_OK : GLIMPSE_BAD_MODEL);
    glimpse_report *report = glimpse_report_new();
    assert_int_equal(glimpse_builder_finish(builder, report, &second), GLIMPSE_BAD_ARGUMENT);
    assert_null(second);
    assert_string_equal(glimpse_report_get(report, 0)->text, "the builder has already been finished");
    assert_int_equal(glimpse_builder_name(builder, GLIMPSE_STATE, 99, "late"), GLIMPSE_BAD_ARGUMENT);
    assert_int_equal(glimpse_builder_name(builder, GLIMPSE_ACTION, 0, "left"), GLIMPSE_BAD_ARGUMENT);
    assert_int_equal(glimpse_builder_start(builder, 99, 1), GLIMPSE_BAD_ARGUMENT);
    assert_int_equal(glimpse_builder_cost(builder, 99, 1), GLIMPSE_BAD_ARGUMENT);
    assert_int_equal(glimpse_builder_transition(builder, 1, 99, 99, 1), GLIMPSE_BAD_ARGUMENT);
    assert_int_equal(glimpse_builder_observation(builder, 1, 99, 2, 1), GLIMPSE_BAD_ARGUMENT);
    assert_int_equal(glimpse_builder_reward(builder, 1, 99, 99, 2, 1), GLIMPSE_BAD_ARGUMENT);
    glimpse_builder_start(builder, any, 1);
    glimpse_builder_cost(builder, any, 1);
    glimpse_builder_transition(builder, any, any, any, 1);
    glimpse_builder_reward(builder, any, any, any, any, 1);
    assert_int_equal(glimpse_builder_finish(builder, report, &second), GLIMPSE_BAD_ARGUMENT);
    if (good) assert_string_equal(glimpse_model_name(model, GLIMPSE_ACTION, 1), "right");
    glimpse_report_free(report);
    glimpse_builder_free(builder);
    glimpse_model_free(model);
  }
}

/* The model of the memory tests: something of everything. */
static glimpse_status job_build(void *context) {
  bool broken = *(const bool *)context;
  glimpse_builder *builder = glimpse_builder_new(12, 3, 4);
  if (!builder) return GLIMPSE_NO_MEMORY;
  glimpse_report *report = glimpse_report_new();
  char text[16];
  for (uint32_t s = 0; s < 12; s++) {
    snprintf(text, sizeof text, "state-%u", (unsigned)s);
    glimpse_builder_name(builder, GLIMPSE_STATE, s, text);
    glimpse_builder_cost(builder, s, 1 + s);
    glimpse_builder_start(builder, s, s < 8 ? 0.125 : 0);
  }
  gli_builder_row_identity(builder, GLI_TRANSITION, any, any);
  gli_builder_row_reset(builder, 1, any);
  gli_builder_row_uniform(builder, GLI_TRANSITION, any, 3);
  for (uint32_t i = 0; i < 24; i++) glimpse_builder_transition(builder, 2, i % 12, (i + i / 12) % 12, 0.5);
  for (uint32_t i = 0; i < 24; i++) glimpse_builder_transition(builder, 2, 3, i % 12, i == 23);
  glimpse_builder_observation(builder, any, any, any, 0.25);
  for (uint32_t i = 0; i < 40; i++)
    glimpse_builder_reward(builder, i % 3, i % 12, i % 5 ? any : i % 7, i % 4 ? any : i % 3, i);
  if (broken) glimpse_builder_transition(builder, 2, 5, 5, 1);
  glimpse_model *model = NULL;
  glimpse_status status = glimpse_builder_finish(builder, report, &model);
  assert_int_equal(status == GLIMPSE_OK, model != NULL);
  if (status && report) assert_true(glimpse_report_count(report, GLIMPSE_ERROR) >= 1);
  glimpse_builder_free(builder);
  glimpse_model_free(model);
  glimpse_report_free(report);
  return broken && status == GLIMPSE_BAD_MODEL ? GLIMPSE_OK : status;
}

static void test_no_memory(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    bool broken = i;
    assert_true(failing_malloc_sweep(job_build, &broken) > 50);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_counts),          cmocka_unit_test(test_out_of_range), cmocka_unit_test(test_bad_numbers),
      cmocka_unit_test(test_bad_names),       cmocka_unit_test(test_sums),         cmocka_unit_test(test_sum_of_thirds),
      cmocka_unit_test(test_many_findings),   cmocka_unit_test(test_claimed_size), cmocka_unit_test(test_start),
      cmocka_unit_test(test_reset),           cmocka_unit_test(test_costs),        cmocka_unit_test(test_discount),
      cmocka_unit_test(test_finish_twice),    cmocka_unit_test(test_no_memory),    cmocka_unit_test(test_entries),
      cmocka_unit_test(test_entries_refused),
  };
  return cmocka_run_group_tests_name("builder", tests, NULL, NULL);
}
