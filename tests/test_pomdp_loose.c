/* What files do although the grammar does not allow it: read with a warning,
 * refused when strict, both with the same words at the same place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/pomdp.h"

#define HEAD "discount: 0.9\nvalues: reward\nstates: x y\nactions: a b\nobservations: u v\n"
#define REST "T: * identity\nO: * uniform\n"

static void takes_rewards_and_costs(void **state) {
  (void)state;
  glimpse_model *model = pomdp_read_loose("discount: 1\nvalues: rewards\nstates: 1\nactions: 1\nobservations: 1\n" REST
                                          "R: 0 : 0 : 0 : 0 5\n",
                                          2, 9, "expected 'reward', found 'rewards'");
  assert_true(glimpse_model_reward(model, 0, 0) == 5);
  glimpse_model_free(model);
  model = pomdp_read_loose("discount: 1\nvalues: costs\nstates: 1\nactions: 1\nobservations: 1\n" REST
                           "R: 0 : 0 : 0 : 0 5\n",
                           2, 9, "expected 'cost', found 'costs'");
  assert_true(glimpse_model_reward(model, 0, 0) == -5);
  glimpse_model_free(model);
}

static void takes_colon_before_number(void **state) {
  (void)state;
  glimpse_model *model =
      pomdp_read_loose(HEAD REST "T: a : x : y : 1\nT: a : x : x 0\n", 8, 14, "expected a number, found ':' before it");
  assert_true(pomdp_t(model, 0, 0, 1) == 1);
  glimpse_model_free(model);
  model = pomdp_read_loose(HEAD REST "O: a : x : u: 0.75\nO: a : x : v 0.25\n", 8, 13,
                           "expected a number, found ':' before it");
  assert_true(pomdp_o(model, 0, 0, 0) == 0.75);
  glimpse_model_free(model);
  model = pomdp_read_loose(HEAD REST "R: * : x : * : * : -2.5\n", 8, 18, "expected a number, found ':' before it");
  assert_true(glimpse_model_reward(model, 1, 0) == -2.5);
  glimpse_model_free(model);
  model = pomdp_read_loose(HEAD REST "T: a : x : uniform\n", 8, 10, "expected 'uniform', found ':' before it");
  assert_true(pomdp_t(model, 0, 0, 1) == 0.5);
  glimpse_model_free(model);
}

static void takes_list_as_start(void **state) {
  (void)state;
  glimpse_model *model =
      pomdp_read_loose("discount: 1\nvalues: reward\nstates: x y z\nactions: 1\nobservations: 1\nstart: x z\n" REST, 6,
                       8, "expected one state, found several: read as 'start include:'");
  assert_true(pomdp_start(model, 0) == 0.5 && pomdp_start(model, 1) == 0 && pomdp_start(model, 2) == 0.5);
  glimpse_model_free(model);
}

static void does_without_discount_and_values(void **state) {
  (void)state;
  glimpse_model *model =
      pomdp_read_loose("values: reward\nstates: 1\nactions: 1\nobservations: 1\n" REST, 5, 1,
                       "expected 'discount:', found none; it is taken as 1, and planning needs one below 1");
  assert_true(glimpse_model_discount(model) == 1);
  glimpse_model_free(model);
  model = pomdp_read_loose("discount: 0.5\nstates: 1\nactions: 1\nobservations: 1\n" REST "R: 0 : 0 : 0 : 0 5\n", 5, 1,
                           "expected 'values:', found none; it is taken as 'reward'");
  assert_true(glimpse_model_reward(model, 0, 0) == 5);
  glimpse_model_free(model);
}

static void takes_items_twice_or_late(void **state) {
  (void)state;
  glimpse_model *model = pomdp_read_loose(HEAD "discount: 0.25\n" REST, 6, 1, "'discount:' replaces the one in line 1");
  assert_true(glimpse_model_discount(model) == 0.25);
  glimpse_model_free(model);
  model = pomdp_read_loose(HEAD "start: x\nstart include: y\n" REST, 7, 1, "'start:' replaces the one in line 6");
  assert_true(pomdp_start(model, 1) == 1);
  glimpse_model_free(model);
  model = pomdp_read_loose(HEAD REST "T: a : x reset\nstart: y\n", 9, 1,
                           "expected 'start:' before the first entry (line 6)");
  assert_true(pomdp_start(model, 1) == 1);
  assert_true(pomdp_t(model, 0, 0, 1) == 1);
  glimpse_model_free(model);
  model = pomdp_read_loose("values: reward\nstates: 1\nactions: 1\nobservations: 1\n" REST "discount: 0.5\n", 7, 1,
                           "expected 'discount:' before the first entry (line 5)");
  assert_true(glimpse_model_discount(model) == 0.5);
  glimpse_model_free(model);
  model = pomdp_read_loose("discount: 1\nstates: 1\nactions: 1\nobservations: 1\n" REST
                           "values: cost\nR: 0 : 0 : 0 : 0 5\n",
                           7, 1, "expected 'values:' before the first entry (line 5)");
  assert_true(glimpse_model_reward(model, 0, 0) == -5);
  glimpse_model_free(model);
}

static void takes_row_words_elsewhere(void **state) {
  (void)state;
  glimpse_model *model = pomdp_read_loose(HEAD "T: * identity\nO: * identity\n", 7, 6,
                                          "expected 'identity' for a matrix of T alone, found it in O: *");
  assert_true(pomdp_o(model, 1, 1, 1) == 1 && pomdp_o(model, 1, 1, 0) == 0);
  glimpse_model_free(model);
  model = pomdp_read_loose(HEAD "T: * uniform\nT: b : y identity\nO: * uniform\n", 7, 10,
                           "expected 'identity' for a matrix of T alone, found it in T: b : y");
  assert_true(pomdp_t(model, 1, 1, 1) == 1 && pomdp_t(model, 0, 1, 1) == 0.5);
  glimpse_model_free(model);
  model = pomdp_read_loose(HEAD "start: y\nT: a identity\nT: b reset\nO: * uniform\n", 8, 6,
                           "expected 'reset' for a row of T alone, found it in T: b");
  assert_true(pomdp_t(model, 1, 0, 1) == 1);
  glimpse_model_free(model);
}

static void takes_star_in_mdp_rewards(void **state) {
  (void)state;
  glimpse_model *model =
      pomdp_read_loose("discount: 1\nvalues: reward\nstates: 2\nactions: 1\nT: 0 identity\nR: 0 : 1 : * : * 3\n", 6, 16,
                       "expected no observation in an MDP, found '*'");
  assert_true(glimpse_model_reward(model, 0, 1) == 3);
  glimpse_model_free(model);
}

/* Reserved words as names; the writer knows what to do with them. */
static void takes_reserved_words_as_names(void **state) {
  (void)state;
  static const char text[] = "discount: 0.5\nvalues: reward\nstates: T uniform\nactions: R\nobservations: start\n"
                             "start include: uniform\nT: R : T : uniform 1\nT: R : uniform : T 1\nO: R : * : start 1\n"
                             "R: R : T : * : start 2\n";
  static const char *const words[] = {"'T'", "'uniform'", "'R'", "'start'"};
  static const unsigned places[4][2] = {{3, 9}, {3, 11}, {4, 10}, {5, 15}};
  pomdp_finding findings[4];
  char texts[4][100];
  for (int i = 0; i < 4; i++) {
    strcpy(texts[i], words[i]);
    strcat(texts[i], " is a reserved word, which other programs may not read as a name");
    findings[i] = (pomdp_finding){GLIMPSE_WARNING, GLIMPSE_BAD_SYNTAX, places[i][0], places[i][1], texts[i]};
  }
  glimpse_model *model = pomdp_read_findings(text, strlen(text), false, findings, 4);
  assert_true(pomdp_start(model, 1) == 1);
  assert_true(pomdp_t(model, 0, 1, 0) == 1);
  assert_true(glimpse_model_reward(model, 0, 0) == 2);
  pomdp_check_round_trip(model);
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(takes_rewards_and_costs),   cmocka_unit_test(takes_colon_before_number),
      cmocka_unit_test(takes_list_as_start),       cmocka_unit_test(does_without_discount_and_values),
      cmocka_unit_test(takes_items_twice_or_late), cmocka_unit_test(takes_row_words_elsewhere),
      cmocka_unit_test(takes_star_in_mdp_rewards), cmocka_unit_test(takes_reserved_words_as_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
