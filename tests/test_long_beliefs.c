/* Long beliefs: a million updates in a row, and another million shared out among models of every family.  After
 * each the belief is normalised, its support is what the model allows, and it is the belief of a naive dense
 * update that goes its own way from the start.
 *
 * GLIMPSE_BELIEF_UPDATES   updates in a row, and in all families together, default 1,000,000 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/random.h"
#include "support/random_family.h"

enum { MOST_STATES = 128, SEEDS = 2 };

static uint32_t sample(gli_random *random, glimpse_row row) {
  double left = gli_random_unit(random);
  for (size_t i = 0; i + 1 < row.count; i++)
    if ((left -= row.value[i]) < 0) return row.index[i];
  return row.index[row.count - 1];
}

static double at(glimpse_row row, uint32_t i) {
  for (size_t k = 0; k < row.count; k++)
    if (row.index[k] == i) return row.value[k];
  return 0;
}

/* As it is written in books; returns P(o|b,a). */
static double naive_update(const glimpse_model *model, double *dense, uint32_t a, uint32_t o) {
  uint32_t states = glimpse_model_count(model, GLIMPSE_STATE);
  double next[MOST_STATES] = {0}, sum = 0;
  for (uint32_t s = 0; s < states; s++) {
    glimpse_row moves = glimpse_model_transition(model, a, s);
    for (size_t i = 0; dense[s] > 0 && i < moves.count; i++) next[moves.index[i]] += dense[s] * moves.value[i];
  }
  for (uint32_t s = 0; s < states; s++) {
    if (next[s] > 0) next[s] *= at(glimpse_model_observation(model, a, s), o);
    sum += next[s];
  }
  for (uint32_t s = 0; s < states; s++) dense[s] = next[s] / sum;
  return sum;
}

/* Distance from the naive belief; fails where it is no belief. */
static double check(glimpse_row row, const double *dense, random_family family, uint64_t seed, uint64_t step) {
  double sum = 0, off = 0;
  bool valid = row.count > 0;
  for (size_t i = 0; i < row.count; i++) {
    valid = valid && row.value[i] > 0 && row.value[i] <= 1 && (!i || row.index[i] > row.index[i - 1]);
    sum += row.value[i];
    off = fmax(off, fabs(row.value[i] - dense[row.index[i]]));
  }
  if (!valid || fabs(sum - 1) > (2 + 0.5 * (double)row.count) * DBL_EPSILON)
    fail_msg("family %s, seed %llu, step %llu: no belief, it sums to %.17g", random_family_key(family),
             (unsigned long long)seed, (unsigned long long)step, sum);
  return off;
}

static void walk(random_family family, uint64_t seed, uint64_t updates) {
  glimpse_model *model = random_family_make(family, seed).model;
  glimpse_belief *belief = glimpse_belief_new(model);
  gli_random random = gli_random_stream(seed, "walk", (uint64_t)family);
  double dense[MOST_STATES] = {0};
  glimpse_row start = glimpse_model_start(model);
  assert_non_null(belief);
  for (size_t i = 0; i < start.count; i++) dense[start.index[i]] = start.value[i];
  uint32_t state = sample(&random, start), actions = glimpse_model_count(model, GLIMPSE_ACTION);
  bool same = true; /* as long as the naive update has not lost its digits */
  double most = 0;
  for (uint64_t step = 0; step < updates; step++) {
    uint32_t a = gli_random_below(&random, actions);
    state = sample(&random, glimpse_model_transition(model, a, state));
    uint32_t o = sample(&random, glimpse_model_observation(model, a, state));
    assert_int_equal(glimpse_belief_update(belief, a, o, NULL), GLIMPSE_OK);
    same = naive_update(model, dense, a, o) > 1e-200 && same && family != RANDOM_FAMILY_RARE;
    double off = check(glimpse_belief_row(belief), dense, family, seed, step);
    if (same) most = fmax(most, off);
  }
  /* Where nothing is ever forgotten, the roundings of both add up, one by one. */
  if (most > 1e-13 + 1e-15 * (double)updates)
    fail_msg("family %s, seed %llu: off by %g", random_family_key(family), (unsigned long long)seed, most);
  glimpse_belief_free(belief);
  glimpse_model_free(model);
}

static uint64_t wanted(void) {
  const char *text = getenv("GLIMPSE_BELIEF_UPDATES");
  return text && *text ? strtoull(text, NULL, 10) : 1000000;
}

static void test_in_a_row(void **state) {
  (void)state;
  walk(RANDOM_FAMILY_DENSE, 1, wanted());
}

static void test_families(void **state) {
  (void)state;
  uint64_t updates = wanted();
  for (random_family family = 0; family < RANDOM_FAMILIES; family++)
    for (uint64_t seed = 1; seed <= SEEDS; seed++) walk(family, seed, updates / (RANDOM_FAMILIES * SEEDS));
  updates -= updates % (RANDOM_FAMILIES * SEEDS); /* as many for each */
  print_message("%llu updates\n", (unsigned long long)updates);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_in_a_row), cmocka_unit_test(test_families)};
  return cmocka_run_group_tests_name("long beliefs", tests, NULL, NULL);
}
