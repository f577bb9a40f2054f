/* The preamble of .pomdp files: items in any order, names or counts, all forms of
 * start, MDPs.
 *
 * Covers src/formats/pomdp_start.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/pomdp.h"
#include "support/same_model.h"

#define REST "T: * identity O: * uniform\n"
#define FOUR "discount: 0.5\nvalues: reward\nstates: a b c d\nactions: 1\nobservations: 2\n"

static void reads_names_and_counts(void **state) {
  (void)state;
  glimpse_model *model = pomdp_read("discount: 0.95 values: reward\n"
                                    "states:\n\tleft\n\tright # a comment\n # another\n middle\n"
                                    "actions: 2\nobservations: left nothing-1 b_2\n" REST);
  assert_int_equal(glimpse_model_count(model, GLIMPSE_STATE), 3);
  assert_int_equal(glimpse_model_count(model, GLIMPSE_ACTION), 2);
  assert_int_equal(glimpse_model_count(model, GLIMPSE_OBSERVATION), 3);
  assert_true(glimpse_model_named(model, GLIMPSE_STATE));
  assert_false(glimpse_model_named(model, GLIMPSE_ACTION));
  assert_string_equal(glimpse_model_name(model, GLIMPSE_STATE, 2), "middle");
  assert_string_equal(glimpse_model_name(model, GLIMPSE_ACTION, 1), "1");
  assert_string_equal(glimpse_model_name(model, GLIMPSE_OBSERVATION, 0), "left"); /* also a state */
  assert_int_equal(glimpse_model_find(model, GLIMPSE_OBSERVATION, "b_2"), 2);
  assert_true(glimpse_model_discount(model) == 0.95);
  glimpse_model_free(model);
}

/* All 720 orders of the six items give the same model. */
static void takes_any_order(void **state) {
  (void)state;
  static const char *const items[6] = {"discount: .75\n", "values:cost\n",     "states :x y\n",
                                       "actions: go\n",   "observations: 2\n", "start: y\n"};
  glimpse_model *first = NULL;
  for (unsigned order = 0; order < 720; order++) {
    char text[300] = "";
    unsigned left[6] = {0, 1, 2, 3, 4, 5}, rest = order;
    for (unsigned n = 6; n > 0; n--) {
      unsigned pick = rest % n;
      rest /= n;
      strcat(text, items[left[pick]]);
      memmove(&left[pick], &left[pick + 1], (n - pick - 1) * sizeof *left);
    }
    strcat(text, REST "R: go : x : * : * 3\n");
    glimpse_model *model = pomdp_read(text);
    assert_true(glimpse_model_reward(model, 0, 0) == -3);
    assert_true(pomdp_start(model, 1) == 1);
    if (!first) {
      first = model;
      continue;
    }
    same_model_check(first, model);
    glimpse_model_free(model);
  }
  glimpse_model_free(first);
}

static void takes_names_like_keywords(void **state) {
  (void)state;
  glimpse_model *model = pomdp_read("discount: 1\nvalues: reward\nstates: start-left reset-x T1 includes\n"
                                    "actions: uniformly R2D2\nobservations: O_O states2\nstart: reset-x\n" REST
                                    "R: R2D2 : T1 : * : * 1\n");
  assert_int_equal(glimpse_model_find(model, GLIMPSE_STATE, "start-left"), 0);
  assert_true(pomdp_start(model, 1) == 1);
  assert_true(glimpse_model_reward(model, 1, 2) == 1);
  glimpse_model_free(model);
}

static void reads_numbers_of_all_forms(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double value;
  } forms[] = {{"0.5", 0.5},  {".5", 0.5},  {"1.", 1},       {"+0.25", 0.25}, {"1e-3", 0.001},
               {"5E-1", 0.5}, {"0", 0},     {"1", 1},        {"+ 0.5", 0.5},  {"00.50", 0.5},
               {"1.0e0", 1},  {"0.1", 0.1}, {"2.5e-1", 0.25}};
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    char text[200];
    snprintf(text, sizeof text, "discount: %s\nvalues: reward\nstates: 2\nactions: 1\nobservations: 1\n" REST,
             forms[i].text);
    glimpse_model *model = pomdp_read(text);
    assert_true(glimpse_model_discount(model) == forms[i].value);
    glimpse_model_free(model);
  }
}

static void check_start(const char *start, const double expected[4]) {
  char text[400];
  snprintf(text, sizeof text, FOUR "%s\n" REST, start);
  glimpse_model *model = pomdp_read(text);
  for (uint32_t s = 0; s < 4; s++)
    if (pomdp_start(model, s) != expected[s]) fail_msg("%s: state %u", start, (unsigned)s);
  glimpse_model_free(model);
}

static void reads_start(void **state) {
  (void)state;
  static const double uniform[4] = {0.25, 0.25, 0.25, 0.25}, c[4] = {0, 0, 1, 0}, bd[4] = {0, 0.5, 0, 0.5};
  check_start("", uniform);
  check_start("start: uniform", uniform);
  check_start("start: c", c);
  check_start("start: 2", c);
  check_start("start:\n 0 0 1 0", c);
  check_start("start: 0.0 .5\n\n0. 5e-1", bd);
  check_start("start include: b d", bd);
  check_start("start include: 3 1 b", bd);
  check_start("start include: c", c);
  check_start("start include: *", uniform);
  check_start("start exclude: a 2", bd);
  check_start("start\nexclude\n:\na b d", c);
  check_start("start: 0.25 0.25 0.25 0.25", uniform);
}

static void reads_start_of_one_state(void **state) {
  (void)state;
  static const char *const starts[] = {"",
                                       "start: 0",
                                       "start: 1",
                                       "start: 1.0",
                                       "start: only",
                                       "start: uniform",
                                       "start include: 0",
                                       "start include: only"};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
    char text[200];
    snprintf(text, sizeof text, "discount: 0\nvalues: reward\nstates: only\nactions: 1\nobservations: 1\n%s\n" REST,
             starts[i]);
    glimpse_model *model = pomdp_read(text);
    assert_true(pomdp_start(model, 0) == 1);
    glimpse_model_free(model);
  }
}

static void mends_rounded_start(void **state) {
  (void)state;
  glimpse_model *model = pomdp_read("discount: 1\nvalues: reward\nstates: 3\nactions: 1\nobservations: 1\n"
                                    "start: 0.333333 0.333333 0.333333\n" REST);
  for (uint32_t s = 0; s < 3; s++) assert_true(pomdp_start(model, s) == 0.333333 / (3 * 0.333333));
  glimpse_model_free(model);
}

/* The state is observed, and R has three indices. */
static void reads_mdp(void **state) {
  (void)state;
  glimpse_model *model = pomdp_read("discount: 0.9\nvalues: cost\nstates: x y\nactions: stay go\nstart: y\n"
                                    "T: stay identity\nT: go\n0 1\n1 0\n"
                                    "R: stay : x : * 2\nR: stay : y 1 3\nR: go\n1 2\n3 4\nR: go : y : y 7\n");
  assert_int_equal(glimpse_model_count(model, GLIMPSE_OBSERVATION), 2);
  assert_true(glimpse_model_named(model, GLIMPSE_OBSERVATION));
  for (uint32_t a = 0; a < 2; a++)
    for (uint32_t s = 0; s < 2; s++)
      for (uint32_t o = 0; o < 2; o++) assert_true(pomdp_o(model, a, s, o) == (s == o));
  assert_string_equal(glimpse_model_name(model, GLIMPSE_OBSERVATION, 1), "y");
  assert_true(glimpse_model_reward(model, 0, 0) == -2);
  assert_true(glimpse_model_reward(model, 0, 1) == -3);
  assert_true(glimpse_model_reward(model, 1, 0) == -2);
  assert_true(glimpse_model_reward(model, 1, 1) == -3);
  pomdp_check_round_trip(model);
  glimpse_model_free(model);
  model = pomdp_read("discount: 0.9\nvalues: reward\nstates: 3\nactions: 1\nT: 0 uniform\nR: 0 : 1 : 2 5\n");
  assert_false(glimpse_model_named(model, GLIMPSE_OBSERVATION));
  assert_int_equal(glimpse_model_count(model, GLIMPSE_OBSERVATION), 3);
  assert_true(glimpse_model_reward_step(model, 0, 1, 2, 2) == 5);
  pomdp_check_round_trip(model);
  glimpse_model_free(model);
}

static void takes_any_line_ends(void **state) {
  (void)state;
  static const char text[] = FOUR "start: b # here\nT: 0\nidentity\nO: 0\n0.5 0.5\n1 0\n\n0 1 0.25\n0.75\n# end";
  glimpse_model *plain = pomdp_read(text);
  static const char *const ends[3] = {"\r\n", "\r", "\n"};
  for (int style = 0; style < 3; style++) {
    char other[600] = "";
    size_t n = 0;
    if (style != 1) n = strlen(strcpy(other, "\xef\xbb\xbf"));
    for (const char *c = text; *c; c++) {
      if (*c == '\n') n += strlen(strcpy(other + n, ends[style]));
      else other[n++] = *c;
    }
    other[n] = 0;
    glimpse_model *model = pomdp_read(other);
    same_model_check(plain, model);
    glimpse_model_free(model);
  }
  glimpse_model_free(plain);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_names_and_counts),
      cmocka_unit_test(takes_any_order),
      cmocka_unit_test(takes_names_like_keywords),
      cmocka_unit_test(reads_numbers_of_all_forms),
      cmocka_unit_test(reads_start),
      cmocka_unit_test(reads_start_of_one_state),
      cmocka_unit_test(mends_rounded_start),
      cmocka_unit_test(reads_mdp),
      cmocka_unit_test(takes_any_line_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
