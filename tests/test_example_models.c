/* Example models: what the comments of examples/models say is what their entries say.
 * The rules are told a second time here, over names; the files list every case. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "glimpse.h"

/* Read as strictly as there is, without a word. */
static glimpse_model *open_model(const char *name) {
  char path[80];
  glimpse_model *model = NULL;
  glimpse_report *report = glimpse_report_new();
  snprintf(path, sizeof path, "examples/models/%s.pomdp", name);
  assert_int_equal(glimpse_pomdp_read_file(path, &(glimpse_pomdp_options){.strict = true}, report, &model), GLIMPSE_OK);
  assert_int_equal(glimpse_report_kept(report), 0);
  assert_int_equal(glimpse_model_plannable(model, NULL), GLIMPSE_OK);
  assert_true(glimpse_model_requests(model) && glimpse_model_cost_uniform(model));
  glimpse_report_free(report);
  return model;
}

static uint32_t find(const glimpse_model *model, glimpse_kind kind, const char *name) {
  uint32_t i = glimpse_model_find(model, kind, name);
  if (i == GLIMPSE_ANY) fail_msg("there is no %s", name);
  return i;
}

static double entry(glimpse_row row, uint32_t i) {
  for (size_t k = 0; k < row.count; k++)
    if (row.index[k] == i) return row.value[k];
  return 0;
}

/* Of T, by names. */
static void expect_step(const glimpse_model *model, const char *action, const char *from, const char *to, double p) {
  double is =
      entry(glimpse_model_transition(model, find(model, GLIMPSE_ACTION, action), find(model, GLIMPSE_STATE, from)),
            find(model, GLIMPSE_STATE, to));
  if (is < p - 1e-12 || is > p + 1e-12) fail_msg("%s: from %s to %s with %g, not %g", action, from, to, is, p);
}

/* ------------------------------------------------------------- maintenance */

static void test_maintenance(void **state) {
  (void)state;
  static const char *const names[] = {"new", "worn", "bad", "failing", "broken"};
  glimpse_model *model = open_model("maintenance");
  uint32_t run = find(model, GLIMPSE_ACTION, "run"), service = find(model, GLIMPSE_ACTION, "service");
  uint32_t scrap = find(model, GLIMPSE_OBSERVATION, "scrap");
  for (uint32_t s = 0; s < 5; s++) {
    assert_string_equal(glimpse_model_name(model, GLIMPSE_STATE, s), names[s]);
    expect_step(model, "replace", names[s], "new", 1);
    for (uint32_t t = 0; t < 5; t++) { /* wear goes one way, service the other */
      assert_true(t >= s || entry(glimpse_model_transition(model, run, s), t) == 0);
      assert_true(t <= s || entry(glimpse_model_transition(model, service, s), t) == 0);
    }
    for (uint32_t a = 0; a < 3; a++) assert_true(glimpse_model_reward(model, a, s) < 0); /* nothing is earned */
    if (s == 0) continue;
    assert_true(glimpse_model_reward(model, run, s) < glimpse_model_reward(model, run, s - 1));
    assert_true(entry(glimpse_model_observation(model, run, s), scrap) >
                entry(glimpse_model_observation(model, run, s - 1), scrap));
  }
  assert_int_equal(glimpse_model_measure(model).terminals, 0);
  glimpse_model_free(model);
}

/* ------------------------------------------------------------------ clinic */

static void name_of(char *name, size_t size, char disease, int stage, int phase) {
  static const char *const phases[] = {"none", "begun", "working"};
  if (stage == 0) snprintf(name, size, "cured");
  else if (stage == 5) snprintf(name, size, "dead");
  else snprintf(name, size, "%c%d-%s", disease, stage, phases[phase]);
}

static void expect_course(const glimpse_model *model, char disease, int stage, int phase) {
  static const char *const others[] = {"wait", "blood", "scan", "drug-a", "drug-b", "drug-c", "drug-d"};
  char from[16], back[16], worse[16], better[16];
  name_of(from, sizeof from, disease, stage, phase);
  name_of(back, sizeof back, disease, stage, 0);
  name_of(worse, sizeof worse, disease, stage + 1, 0);
  name_of(better, sizeof better, disease, phase < 2 ? stage : stage - 1, phase < 2 ? phase + 1 : 2);
  uint32_t s = find(model, GLIMPSE_STATE, from);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    bool right = others[i][0] == 'd' && others[i][5] == disease;
    uint32_t a = find(model, GLIMPSE_ACTION, others[i]);
    expect_step(model, others[i], from, back, right ? 0.05 : 0.95);
    expect_step(model, others[i], from, worse, right ? 0.02 : 0.05);
    expect_step(model, others[i], from, better, right ? 0.93 : 0);
    double price = i == 0 ? 0 : i < 3 ? 0.3 : 0.2, death = stage < 4 ? 0 : right ? 0.02 : 0.05;
    assert_float_equal(glimpse_model_reward(model, a, s), -price * (1 - death) - 10 * death, 1e-12);
  }
  expect_step(model, "discharge", from, "discharged", 1);
  assert_float_equal(glimpse_model_reward(model, find(model, GLIMPSE_ACTION, "discharge"), s), 6, 0);
  /* tests tell halves of the diseases, and only they say positive */
  uint32_t positive = find(model, GLIMPSE_OBSERVATION, "positive"), well = find(model, GLIMPSE_OBSERVATION, "well");
  double accuracy = stage <= 2 ? 0.75 : 0.85;
  bool blood = disease == 'a' || disease == 'b', scan = disease == 'a' || disease == 'c';
  assert_float_equal(entry(glimpse_model_observation(model, find(model, GLIMPSE_ACTION, "blood"), s), positive),
                     blood ? accuracy : 1 - accuracy, 1e-12);
  assert_float_equal(entry(glimpse_model_observation(model, find(model, GLIMPSE_ACTION, "scan"), s), positive),
                     scan ? accuracy : 1 - accuracy, 1e-12);
  glimpse_row symptoms = glimpse_model_observation(model, find(model, GLIMPSE_ACTION, "wait"), s);
  static const double fine[] = {0.4, 0.2, 0.1, 0.05};
  assert_true(entry(symptoms, positive) == 0);
  assert_float_equal(entry(symptoms, well), phase == 2 ? 0.85 : fine[stage - 1], 1e-12);
}

static void test_clinic(void **state) {
  (void)state;
  glimpse_model *model = open_model("clinic");
  assert_int_equal(glimpse_model_count(model, GLIMPSE_STATE), 4 * 4 * 3 + 3);
  for (int disease = 'a'; disease <= 'd'; disease++)
    for (int stage = 1; stage <= 4; stage++)
      for (int phase = 0; phase < 3; phase++) expect_course(model, (char)disease, stage, phase);
  uint32_t cured = find(model, GLIMPSE_STATE, "cured");
  expect_step(model, "wait", "cured", "cured", 1);
  expect_step(model, "discharge", "cured", "discharged", 1);
  assert_float_equal(glimpse_model_reward(model, find(model, GLIMPSE_ACTION, "discharge"), cured), 40, 0);
  assert_true(glimpse_model_terminal(model, find(model, GLIMPSE_STATE, "dead")));
  assert_true(glimpse_model_terminal(model, find(model, GLIMPSE_STATE, "discharged")));
  assert_int_equal(glimpse_model_measure(model).terminals, 2);
  glimpse_model_free(model);
}

/* -------------------------------------------------------------------- lake */

enum { SIDE = 7 };

static const char map[SIDE][SIDE + 1] = {"S..H...", "....H..", "H.....H", "..H.H..", ".....H.", "..H....", "H...H.G"};

typedef struct cell {
  int row, column;
} cell;

static char ice(cell c) {
  return map[c.row][c.column];
}

static cell next_to(cell c, int down, int right) {
  cell n = {c.row + down, c.column + right};
  return n.row < 0 || n.row >= SIDE || n.column < 0 || n.column >= SIDE ? c : n;
}

static uint32_t state_of(const glimpse_model *model, cell c) {
  char name[32];
  snprintf(name, sizeof name, "r%dc%d", c.row + 1, c.column + 1);
  return find(model, GLIMPSE_STATE, ice(c) == 'H' ? "hole" : ice(c) == 'G' ? "goal" : name);
}

static void test_lake(void **state) {
  (void)state;
  static const struct {
    const char *name;
    int down, right;
  } moves[] = {{"left", 0, -1}, {"down", 1, 0}, {"right", 0, 1}, {"up", -1, 0}};
  glimpse_model *model = open_model("lake");
  uint32_t goal = find(model, GLIMPSE_STATE, "goal"), dry = 0;
  for (cell c = {0, 0}; c.row < SIDE; c.column == SIDE - 1 ? (c.row++, c.column = 0) : c.column++) {
    if (ice(c) == 'H' || ice(c) == 'G') continue;
    dry++;
    uint32_t s = state_of(model, c);
    for (size_t i = 0; i < 4; i++) {
      uint32_t a = find(model, GLIMPSE_ACTION, moves[i].name);
      double expected[64] = {0};
      cell one = next_to(c, moves[i].down, moves[i].right);
      bool over = ice(one) == 'H' || ice(one) == 'G';
      expected[state_of(model, one)] += 0.5;
      expected[state_of(model, over ? one : next_to(one, moves[i].down, moves[i].right))] += 0.5;
      for (uint32_t t = 0; t < glimpse_model_count(model, GLIMPSE_STATE); t++)
        assert_true(entry(glimpse_model_transition(model, a, s), t) == expected[t]);
      assert_true(glimpse_model_reward(model, a, s) == expected[goal]);
      assert_int_equal(glimpse_model_observation(model, a, s).count, 1); /* blind */
      assert_int_equal(glimpse_model_observation(model, a, s).index[0], find(model, GLIMPSE_OBSERVATION, "ice"));
    }
  }
  assert_int_equal(glimpse_model_count(model, GLIMPSE_STATE), dry + 2);
  assert_true(glimpse_model_terminal(model, goal));
  assert_true(glimpse_model_terminal(model, find(model, GLIMPSE_STATE, "hole")));
  assert_int_equal(glimpse_model_measure(model).terminals, 2);
  assert_int_equal(glimpse_model_start(model).count, 1);
  assert_int_equal(glimpse_model_start(model).index[0], state_of(model, (cell){0, 0}));
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_maintenance), cmocka_unit_test(test_clinic),
                                     cmocka_unit_test(test_lake)};
  return cmocka_run_group_tests_name("example_models", tests, NULL, NULL);
}
