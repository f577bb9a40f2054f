/* Frozen lake: its steps against the maps as published, walked again here; random maps against properties of theirs,
 * and against a second reading of the generator. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/twister.h"
#include "support/environment.h"

enum { MOST = 30 };

typedef struct map {
  int n;
  char cell[MOST][MOST + 1];
} map;

/* Gym's own. */
static const map four = {4, {"SFFF", "FHFH", "FFFH", "HFFG"}};
static const map eight = {
    8, {"SFFFFFFF", "FFFFFFFF", "FFFHFFFF", "FFFFFHFF", "FFFHFFFF", "FHHFFFHF", "FHFFHFHF", "FFFHFFFG"}};

static uint32_t state_at(const glimpse_model *model, const map *m, int row, int column) {
  char name[64];
  if (m->cell[row][column] == 'H') snprintf(name, sizeof name, "hole");
  else if (m->cell[row][column] == 'G') snprintf(name, sizeof name, "goal");
  else snprintf(name, sizeof name, "r%dc%d", row + 1, column + 1);
  return environment_find(model, GLIMPSE_STATE, name);
}

static void go(const map *m, char way, int *row, int *column) {
  int r = *row + (way == 'd') - (way == 'u'), c = *column + (way == 'r') - (way == 'l');
  if (r < 0 || c < 0 || r == m->n || c == m->n) return;
  *row = r;
  *column = c;
}

static bool over(const map *m, int row, int column) {
  return m->cell[row][column] == 'H' || m->cell[row][column] == 'G';
}

/* Adds what the move leads to, `cells` cells far at most, with weight p; returns what it pays. */
static double add(const glimpse_model *model, const map *m, int row, int column, const char *ways, double p,
                  double *next) {
  for (; *ways; ways++) go(m, *ways, &row, &column);
  next[state_at(model, m, row, column)] += p;
  return m->cell[row][column] == 'G' ? p : 0;
}

static void check_map(const char *spec, const map *m, char kind) {
  static const char ways[] = "ldru", *const names[] = {"left", "down", "right", "up"};
  glimpse_model *model = environment_make(spec);
  uint32_t states = glimpse_model_count(model, GLIMPSE_STATE), seen = 2;
  environment_check(model, states - 2);
  for (int row = 0; row < m->n; row++) {
    for (int column = 0; column < m->n; column++) {
      if (over(m, row, column)) continue;
      seen++;
      uint32_t s = state_at(model, m, row, column);
      for (int i = 0; i < 4; i++) {
        uint32_t a = environment_find(model, GLIMPSE_ACTION, names[i]);
        double next[MOST * MOST + 2] = {0}, paid = 0;
        char one[] = {ways[i], 0}, two[] = {ways[i], ways[i], 0}, left[] = {ways[(i + 1) % 4], 0},
             right[] = {ways[(i + 3) % 4], 0};
        int r = row, c = column;
        go(m, ways[i], &r, &c);
        if (kind == 'd' || (kind == 's' && over(m, r, c))) {
          paid = add(model, m, row, column, one, 1, next);
        } else if (kind == 's') {
          paid = add(model, m, row, column, one, 0.5, next);
          paid += add(model, m, row, column, two, 0.5, next);
        } else {
          paid = add(model, m, row, column, left, 1.0 / 3, next);
          paid += add(model, m, row, column, one, 1.0 / 3, next);
          paid += add(model, m, row, column, right, 1.0 / 3, next);
        }
        environment_check_row(model, "T", a, s, glimpse_model_transition(model, a, s), next, states);
        assert_float_equal(glimpse_model_reward(model, a, s), paid, 1e-15);
        for (uint32_t s2 = states - 2; s2 < states && next[s2] > 0; s2++) /* not the mean of both */
          assert_true(glimpse_model_reward_step(model, a, s, s2, 1) == (s2 == states - 1));
      }
    }
  }
  assert_int_equal(seen, states);
  assert_int_equal(glimpse_model_start(model).index[0], state_at(model, m, 0, 0));
  glimpse_model_free(model);
}

static void test_standard(void **state) {
  (void)state;
  check_map("frozen-lake", &four, 's');
  check_map("frozen-lake:kind=det", &four, 'd');
  check_map("frozen-lake:size=4,kind=slippery", &four, '3');
  check_map("frozen-lake:size=8", &eight, 's');
  check_map("frozen-lake:size=8,kind=det", &eight, 'd');
  check_map("frozen-lake:size=8,kind=slippery", &eight, '3');
}

/* Is there a way?  Marks spread until nothing changes. */
static bool crossed(const map *m) {
  bool wet[MOST][MOST] = {{0}}, changed = true;
  wet[0][0] = true;
  while (changed) {
    changed = false;
    for (int row = 0; row < m->n; row++)
      for (int column = 0; column < m->n; column++)
        for (const char *way = "ldru"; *way && wet[row][column]; way++) {
          int r = row, c = column;
          go(m, *way, &r, &c);
          if (m->cell[r][c] == 'H' || wet[r][c]) continue;
          wet[r][c] = changed = true;
        }
  }
  return wet[m->n - 1][m->n - 1];
}

static map drawn(int n, uint32_t seed) {
  map m = {.n = n};
  gli_twister twister;
  gli_twister_seed(&twister, seed);
  do {
    for (int i = 0; i < n * n; i++) m.cell[i / n][i % n] = gli_twister_unit(&twister) < 0.8 ? 'F' : 'H';
    m.cell[0][0] = 'S';
    m.cell[n - 1][n - 1] = 'G';
  } while (!crossed(&m));
  return m;
}

/* The first row of the map of size 4 and seed 0, from the numbers that NumPy draws: .549 .715 .603 .545 / .424 .646
 * .438 .892 / .964 .383 .792 .529 / .568 .926 .071 .087. */
static void test_seed_0(void **state) {
  (void)state;
  map m = {4, {"SFFF", "FFFH", "HFFF", "FHFG"}};
  check_map("frozen-lake:size=4,seed=0,kind=det", &m, 'd');
}

static void test_random(void **state) {
  (void)state;
  static const int sizes[] = {2, 3, 8, 12, 20, 30};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    for (uint32_t seed = 0; seed < 6; seed++) {
      map m = drawn(sizes[i], seed == 5 ? UINT32_MAX : seed);
      char spec[80];
      snprintf(spec, sizeof spec, "frozen-lake:size=%d,seed=%s%u,kind=%s", m.n, seed == 5 ? "429496729" : "",
               (unsigned)seed, seed % 2 ? "semi" : "slippery");
      check_map(spec, &m, seed % 2 ? 's' : '3');
    }
  }
}

static void test_scene(void **state) {
  (void)state;
  glimpse_model *model = environment_make("frozen-lake");
  const glimpse_scene *scene = glimpse_model_scene(model);
  assert_non_null(scene);
  assert_int_equal(scene->rows * scene->columns, 36);
  static const char picture[] = "#######S   ## H H##   H##H  G#######";
  assert_memory_equal(scene->background, picture, 36);
  for (int row = 0; row < 4; row++)
    for (int column = 0; column < 4; column++)
      if (!over(&four, row, column))
        assert_int_equal(scene->cells[state_at(model, &four, row, column)], (row + 1) * 6 + column + 1);
  assert_int_equal(scene->cells[environment_find(model, GLIMPSE_STATE, "hole")], 36);
  assert_int_equal(scene->cells[environment_find(model, GLIMPSE_STATE, "goal")], 37);
  glimpse_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_standard), cmocka_unit_test(test_seed_0),
                                     cmocka_unit_test(test_random), cmocka_unit_test(test_scene)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
