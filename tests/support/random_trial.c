#include "support/random_trial.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void trial_fail(const trial *t, const char *what, double a, double b) {
  fail_msg("family %s, seed %llu, %s: %s: %.17g, %.17g", random_family_key(t->family), (unsigned long long)t->seed,
           t->doing, what, a, b);
}

void trial_doing(trial *t, const char *format, ...) {
  va_list list;
  va_start(list, format);
  (void)vsnprintf(t->doing, sizeof t->doing, format, list);
  va_end(list);
}

/* ------------------------------------------------------------- the strict test */

void trial_lower(const trial *t, const char *what, double lower, oracle_range value) {
  if (!(fabs(lower) <= DBL_MAX)) trial_fail(t, what, lower, NAN);
  if (precise_below(value.high, lower)) {
    precise off = precise_subtract(precise_of(lower), value.high);
    trial_fail(t, what, lower, precise_value(off));
  }
}

void trial_upper(const trial *t, const char *what, double upper, oracle_range value) {
  if (!(fabs(upper) <= DBL_MAX)) trial_fail(t, what, upper, NAN);
  if (precise_above(value.low, upper)) {
    precise off = precise_subtract(value.low, precise_of(upper));
    trial_fail(t, what, upper, precise_value(off));
  }
}

/* --------------------------------------------------------------------- beliefs */

glimpse_row trial_row(const trial_belief *b) {
  return (glimpse_row){b->count, b->index, b->value};
}

trial_belief trial_copy(glimpse_row row) {
  trial_belief b = {.count = row.count};
  memcpy(b.index, row.index, row.count * sizeof *b.index);
  memcpy(b.value, row.value, row.count * sizeof *b.value);
  return b;
}

trial_belief trial_certain(uint32_t s) {
  return (trial_belief){.index = {s}, .value = {1}, .count = 1};
}

trial_belief trial_any(trial *t) {
  trial_belief b = {0};
  double sum = 0;
  for (uint32_t s = 0; s < t->states; s++) {
    if (gli_random_below(&t->random, 4) == 0 && s + 1 < t->states) continue;
    b.index[b.count] = s;
    b.value[b.count++] = gli_random_unit(&t->random) + 0x1p-60;
  }
  for (size_t i = 0; i < b.count; i++) sum += b.value[i];
  for (size_t i = 0; i < b.count; i++) b.value[i] /= sum;
  return b;
}

/* ------------------------------------------------------------------------ sizes */

/* What may be open when all is expanded (docs/ROBUSTNESS.md): a fringe gap that counts as none, 8 roundings of a backup
 * over 1 - discount, and what each backup on the way moves outward, 2. */
double trial_rounding(const trial *t) {
  double backup = 5 * (4.0 * t->states + t->observations + 20) * 0x1p-53;
  return 10 * backup * t->scale / (1 - glimpse_model_discount(t->model));
}

bool trial_slow(const trial *t) {
  return glimpse_model_discount(t->model) > 0.998 && t->member.course != RANDOM_ENDS;
}

/* --------------------------------------------------------------------- the runs */

static void measure(trial *t) {
  double reward = 0, price = 0;
  for (uint32_t s = 0; s < t->states; s++) {
    for (uint32_t a = 0; a < t->actions; a++) reward = fmax(reward, fabs(glimpse_model_reward(t->model, a, s)));
    price = fmax(price, glimpse_model_cost(t->model, s));
  }
  double value = reward / (1 - glimpse_model_discount(t->model));
  t->size = value + fmin(price, value);
  t->scale = glimpse_model_requests(t->model) ? t->size : 2 * value;
  t->price = price;
}

static void check_model(random_family family, uint64_t seed, trial_check check, trial_tally *count) {
  trial t = {.family = family, .seed = seed, .member = random_family_make(family, seed)};
  t.model = t.member.model;
  t.states = glimpse_model_count(t.model, GLIMPSE_STATE);
  t.actions = glimpse_model_count(t.model, GLIMPSE_ACTION);
  t.observations = glimpse_model_count(t.model, GLIMPSE_OBSERVATION);
  assert_true(t.states <= TRIAL_MOST_STATES && t.actions < TRIAL_MOST_CHOICES);
  t.random = gli_random_stream(seed, "trial", (uint64_t)family);
  measure(&t);
  t.oracle = oracle_new(t.model, t.member.horizon);
  oracle_range value = oracle_value(t.oracle, glimpse_model_start(t.model));
  double width = precise_value(precise_subtract(value.high, value.low)) + value.high.error + value.low.error;
  count->narrow += width <= 1e-20 * t.size;
  count->models++;
  check(&t, count);
  oracle_free(t.oracle);
  glimpse_model_free(t.model);
}

uint64_t trial_number(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

trial_tally trial_run(random_family family, trial_check check) {
  uint64_t first = trial_number("GLIMPSE_RANDOM_FIRST", 1), count = trial_number("GLIMPSE_RANDOM_MODELS", 12);
  const char *only = getenv("GLIMPSE_RANDOM_FAMILY");
  if (only && *only && strcmp(only, random_family_key(family)) != 0) skip();
  bool slow = family == RANDOM_FAMILY_OBSERVATIONS || family == RANDOM_FAMILY_LARGE;
  if (slow) count = (count + 2) / 6 + (count < 4); /* they take 30 times as long */
  trial_tally met = {0};
  for (uint64_t seed = first; seed < first + count; seed++) check_model(family, seed, check, &met);
  print_message("%s: %u models (seeds %llu to %llu), %u of them known to 1e-20", random_family_key(family), met.models,
                (unsigned long long)first, (unsigned long long)(first + count - 1), met.narrow);
  if (count >= 4) assert_true(met.narrow >= met.models / 4);
  return met;
}

void trial_run_known(trial_check check) {
  static const struct {
    random_family family;
    uint64_t seed;
  } known[] = {{RANDOM_FAMILY_RARE, 51},
               {RANDOM_FAMILY_RARE, 334},
               {RANDOM_FAMILY_NEAR_SINGULAR, 1066},
               {RANDOM_FAMILY_OBSERVATIONS, 107},
               {RANDOM_FAMILY_UNREACHABLE, 2043}};
  trial_tally met = {0};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) check_model(known[i].family, known[i].seed, check, &met);
}
