/* T, O and R entries of .pomdp files: every form, wildcards, the last one wins. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/pomdp.h"
#include "support/same_model.h"

#define HEAD "discount: 0.9\nvalues: reward\nstates: x y z\nactions: a b\nobservations: u v\nstart: 0.5 0.25 0.25\n"
#define T_REST "T: * identity\n"
#define O_REST "O: * uniform\n"

static void check_t(const glimpse_model *model, uint32_t a, uint32_t s, double p0, double p1, double p2) {
  const double row[3] = {p0, p1, p2};
  for (uint32_t s2 = 0; s2 < 3; s2++)
    if (pomdp_t(model, a, s, s2) != row[s2])
      fail_msg("T of %u %u %u is %f", (unsigned)a, (unsigned)s, (unsigned)s2, pomdp_t(model, a, s, s2));
}

static void check_o(const glimpse_model *model, uint32_t a, uint32_t s, double p0, double p1) {
  if (pomdp_o(model, a, s, 0) != p0 || pomdp_o(model, a, s, 1) != p1)
    fail_msg("O of %u %u is %f %f", (unsigned)a, (unsigned)s, pomdp_o(model, a, s, 0), pomdp_o(model, a, s, 1));
}

static void reads_transitions(void **state) {
  (void)state;
  glimpse_model *model = pomdp_read(HEAD O_REST "T: a\n0.5 0.25 .25\n0\n1\n0\n0 0 1.0\n"
                                                "T:b:x:y 1\nT :b: 1\n:z 0.5 T: 1 : y : x 0.5\nT: b : z 0.25 0.75 0\n");
  check_t(model, 0, 0, 0.5, 0.25, 0.25);
  check_t(model, 0, 1, 0, 1, 0);
  check_t(model, 0, 2, 0, 0, 1);
  check_t(model, 1, 0, 0, 1, 0);
  check_t(model, 1, 1, 0.5, 0, 0.5);
  check_t(model, 1, 2, 0.25, 0.75, 0);
  glimpse_model_free(model);
}

static void reads_row_words(void **state) {
  (void)state;
  const double third = 1.0 / 3;
  glimpse_model *model = pomdp_read(HEAD O_REST "T: a identity\nT: b : x uniform\nT: b : y reset\nT: b : z : z 1\n"
                                                "T: a : z\nreset\n");
  check_t(model, 0, 0, 1, 0, 0);
  check_t(model, 0, 1, 0, 1, 0);
  check_t(model, 0, 2, 0.5, 0.25, 0.25);
  check_t(model, 1, 0, third, third, third);
  check_t(model, 1, 1, 0.5, 0.25, 0.25);
  check_t(model, 1, 2, 0, 0, 1);
  glimpse_model_free(model);
  model = pomdp_read(HEAD "T: * uniform\nO: a uniform\nO: b : * : v 1\nO: b : y uniform\n");
  for (uint32_t s = 0; s < 3; s++) {
    check_t(model, 0, s, third, third, third);
    check_o(model, 0, s, 0.5, 0.5);
  }
  check_o(model, 1, 0, 0, 1);
  check_o(model, 1, 1, 0.5, 0.5);
  glimpse_model_free(model);
}

static void reads_wildcards(void **state) {
  (void)state;
  glimpse_model *model =
      pomdp_read(HEAD O_REST "T: * : * : * 0.0\nT: * : x : y 1\nT: a : * : x 0.5\nT: a : * : z 0.5\n"
                             "T: a : x 0 0.5 0.5\nT: b : y\nuniform T: b : z : * 0\nT: b : z : y 1\n");
  check_t(model, 0, 0, 0, 0.5, 0.5);
  check_t(model, 0, 1, 0.5, 0, 0.5);
  check_t(model, 0, 2, 0.5, 0, 0.5);
  check_t(model, 1, 0, 0, 1, 0);
  check_t(model, 1, 1, 1.0 / 3, 1.0 / 3, 1.0 / 3);
  check_t(model, 1, 2, 0, 1, 0);
  glimpse_model_free(model);
}

static void reads_observations(void **state) {
  (void)state;
  glimpse_model *model =
      pomdp_read(HEAD T_REST "O: *\n1 0\n0.25 0.75\n0 1\nO: b : x 0.5 0.5\nO: b : 1 : u 1\nO: b : y : v 0\n"
                             "O: b : z : * 0.5\n");
  check_o(model, 0, 0, 1, 0);
  check_o(model, 0, 1, 0.25, 0.75);
  check_o(model, 0, 2, 0, 1);
  check_o(model, 1, 0, 0.5, 0.5);
  check_o(model, 1, 1, 1, 0);
  check_o(model, 1, 2, 0.5, 0.5);
  glimpse_model_free(model);
}

static void last_one_wins(void **state) {
  (void)state;
  glimpse_model *model =
      pomdp_read(HEAD O_REST "T: * identity\nT: a : x : x 0\nT: a : x : y 0.5\nT: a : x : z 0.5\n"
                             "T: a : y : y 0.75\nT: a : y : z 0.25\nT: a : y : y 0.5\nT: a : y : z 0.5\n"
                             "T: b\n0 1 0\n1 0 0\n0 1 0\nT: b : z 1 0 0\n"
                             "R: a : x : * : * 1\nR: a : x : * : * 2\nR: a : y : y : u 5\nR: a : y : * : * 3\n"
                             "R: * : z : * : * 4\nR: b : z : x : * 6\n");
  check_t(model, 0, 0, 0, 0.5, 0.5);
  check_t(model, 0, 1, 0, 0.5, 0.5);
  check_t(model, 1, 0, 0, 1, 0);
  check_t(model, 1, 2, 1, 0, 0);
  assert_true(glimpse_model_reward(model, 0, 0) == 2);
  assert_true(glimpse_model_reward(model, 0, 1) == 3);
  assert_true(glimpse_model_reward(model, 0, 2) == 4);
  assert_true(glimpse_model_reward(model, 1, 2) == 6);
  glimpse_model_free(model);
}

static void reads_rewards(void **state) {
  (void)state;
  glimpse_model *model =
      pomdp_read(HEAD "T: * uniform\n" O_REST "R: a : x : y : u -1.5\nR: a : x : z 3 + 4\n"
                      "R: a : y\n1 2\n0 0\n- 3 4\nR: b : * : x : * 10\nR: b : z : * : v 20\nR: b : z : * : * 0\n"
                      "R: b : y : x : v -1e2\n");
  assert_true(glimpse_model_reward_step(model, 0, 0, 1, 0) == -1.5);
  assert_true(glimpse_model_reward_step(model, 0, 0, 1, 1) == 0);
  assert_true(glimpse_model_reward_step(model, 0, 0, 2, 0) == 3);
  assert_true(glimpse_model_reward_step(model, 0, 0, 2, 1) == 4);
  static const double block[3][2] = {{1, 2}, {0, 0}, {-3, 4}};
  for (uint32_t s2 = 0; s2 < 3; s2++)
    for (uint32_t o = 0; o < 2; o++) assert_true(glimpse_model_reward_step(model, 0, 1, s2, o) == block[s2][o]);
  assert_true(glimpse_model_reward_step(model, 1, 0, 0, 1) == 10);
  assert_true(glimpse_model_reward_step(model, 1, 0, 1, 1) == 0);
  assert_true(glimpse_model_reward_step(model, 1, 1, 0, 0) == 10);
  assert_true(glimpse_model_reward_step(model, 1, 1, 0, 1) == -100);
  assert_true(glimpse_model_reward(model, 1, 2) == 0);
  glimpse_model_free(model);
}

/* A matrix of rewards replaces what was there, also with its zeros. */
static void reward_blocks_replace(void **state) {
  (void)state;
  glimpse_model *model =
      pomdp_read(HEAD "T: * uniform\n" O_REST "R: * : * : * : * 7\nR: a : x\n0 0\n0 1\n0 0\nR: a : y : y 0 0\n");
  for (uint32_t s2 = 0; s2 < 3; s2++)
    for (uint32_t o = 0; o < 2; o++) {
      assert_true(glimpse_model_reward_step(model, 0, 0, s2, o) == (s2 == 1 && o == 1));
      assert_true(glimpse_model_reward_step(model, 0, 1, s2, o) == (s2 == 1 ? 0 : 7));
    }
  assert_true(glimpse_model_reward(model, 1, 0) == 7);
  glimpse_model_free(model);
}

static void costs_are_negative_rewards(void **state) {
  (void)state;
  glimpse_model *model =
      pomdp_read("discount: 0.9\nvalues: cost\nstates: 2\nactions: 1\nobservations: 2\n" T_REST O_REST
                 "R: 0 : 0 : * : * 5\nR: 0 : 1 : 1 1 - 3\n");
  assert_true(glimpse_model_reward(model, 0, 0) == -5);
  assert_true(glimpse_model_reward_step(model, 0, 1, 1, 0) == -1);
  assert_true(glimpse_model_reward_step(model, 0, 1, 1, 1) == 3);
  glimpse_model_free(model);
}

/* Tiger written out in two ways is the same model. */
static void forms_agree(void **state) {
  (void)state;
#define TIGER                                                                                                          \
  "discount: 0.95\nvalues: reward\nstates: tiger-left tiger-right\n"                                                   \
  "actions: listen open-left open-right\nobservations: tiger-left tiger-right\n"
  glimpse_model *one =
      pomdp_read(TIGER "start: uniform\nT:listen\nidentity\nT:open-left uniform\nT:open-right uniform\n"
                       "O:listen\n0.85 0.15\n0.15 0.85\nO:open-left uniform\nO:open-right uniform\n"
                       "R:listen : * : * : * -1\nR:open-left : tiger-left : * : * -100\n"
                       "R:open-left : tiger-right : * : * 10\nR:open-right : tiger-left : * : * 10\n"
                       "R:open-right : tiger-right : * : * -100\n");
  glimpse_model *two =
      pomdp_read(TIGER "T: * : * 0.5 0.5\nT: 0 : 0 : 0 1\nT: 0 : 0 : 1 0\nT: 0 : 1 0 1\n"
                       "O: * : * : * 0.5\nO: 0 : 0 : 0 .85\nO: 0 : 0 : 1 .15\nO: 0 : 1 15e-2 85e-2\n"
                       "R: 0 : *\n-1 -1\n-1 -1\nR: 1 : 0 : * -100 -100\nR: 1 : 1 : 0 10 10\nR: 1 : 1 : 1 10 10\n"
                       "R: 2 : * : * : 0 10\nR: 2 : * : * : 1 10\nR: 2 : 1 : * : 1 -100\nR: 2 : 1 : * : 0 -100\n");
  same_model_check(one, two);
  glimpse_model_free(one);
  glimpse_model_free(two);
}

static double chaos(uint32_t *seed) {
  *seed = *seed * 1664525 + 1013904223;
  return (*seed >> 8) % 1000;
}

/* Against dense arrays to which the same assignments are made. */
static void agrees_with_arrays(void **state) {
  (void)state;
  enum { S = 4, A = 3, O = 2 };
  for (uint32_t seed = 1; seed <= 50; seed++) {
    uint32_t draw = seed;
    double r[A][S][S][O] = {{{{0}}}};
    static char text[20000];
    size_t n = (size_t)snprintf(text, sizeof text,
                                "discount: 0.9\nvalues: reward\nstates: 4\nactions: 3\nobservations: 2\n"
                                "T: * uniform\nO: * uniform\n");
    for (int k = 0; k < 60; k++) {
      int key[4];
      static const int size[4] = {A, S, S, O};
      char shown[4][8];
      for (int i = 0; i < 4; i++) {
        key[i] = chaos(&draw) < 400 ? -1 : (int)chaos(&draw) % size[i];
        if (key[i] < 0) strcpy(shown[i], "*");
        else snprintf(shown[i], sizeof shown[i], "%d", key[i]);
      }
      int value = (int)chaos(&draw) - 500;
      n += (size_t)snprintf(text + n, sizeof text - n, "R: %s : %s : %s : %s %d\n", shown[0], shown[1], shown[2],
                            shown[3], value);
      for (int a = 0; a < A; a++)
        for (int s = 0; s < S; s++)
          for (int s2 = 0; s2 < S; s2++)
            for (int o = 0; o < O; o++)
              if ((key[0] < 0 || key[0] == a) && (key[1] < 0 || key[1] == s) && (key[2] < 0 || key[2] == s2) &&
                  (key[3] < 0 || key[3] == o))
                r[a][s][s2][o] = value;
    }
    glimpse_model *model = pomdp_read(text);
    for (uint32_t a = 0; a < A; a++)
      for (uint32_t s = 0; s < S; s++)
        for (uint32_t s2 = 0; s2 < S; s2++)
          for (uint32_t o = 0; o < O; o++)
            if (glimpse_model_reward_step(model, a, s, s2, o) != r[a][s][s2][o]) fail_msg("seed %u", (unsigned)seed);
    pomdp_check_round_trip(model);
    glimpse_model_free(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_transitions),     cmocka_unit_test(reads_row_words),
      cmocka_unit_test(reads_wildcards),       cmocka_unit_test(reads_observations),
      cmocka_unit_test(last_one_wins),         cmocka_unit_test(reads_rewards),
      cmocka_unit_test(reward_blocks_replace), cmocka_unit_test(costs_are_negative_rewards),
      cmocka_unit_test(forms_agree),           cmocka_unit_test(agrees_with_arrays),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
