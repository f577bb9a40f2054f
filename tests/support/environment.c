/* Environment: see environment.h. */
#include "support/environment.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

glimpse_model *environment_make(const char *spec) {
  glimpse_report *report = glimpse_report_new();
  glimpse_model *model = NULL;
  glimpse_status status = glimpse_environment_make(spec, report, &model);
  const glimpse_message *message = glimpse_report_get(report, 0);
  if (status || message)
    fail_msg("%s: %s: %s", spec, glimpse_status_text(status), message ? message->text : "no message");
  assert_non_null(model);
  glimpse_report_free(report);
  return model;
}

uint32_t environment_find(const glimpse_model *model, glimpse_kind kind, const char *name) {
  uint32_t i = glimpse_model_find(model, kind, name);
  if (i == GLIMPSE_ANY) fail_msg("nothing is named '%s'", name);
  return i;
}

static void check_sum(const char *what, uint32_t a, uint32_t s, glimpse_row row) {
  double sum = 0;
  for (size_t i = 0; i < row.count; i++) sum += row.value[i];
  if (fabs(sum - 1) > 1e-12) fail_msg("%s, action %u, state %u sums to 1 %+g", what, a, s, sum - 1);
}

static void check_names(const glimpse_model *model, glimpse_kind kind) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz", others[] = "0123456789-_";
  assert_true(glimpse_model_named(model, kind));
  for (uint32_t i = 0; i < glimpse_model_count(model, kind); i++) {
    const char *name = glimpse_model_name(model, kind, i);
    assert_non_null(name);
    if (!strchr(letters, name[0])) fail_msg("'%s' does not begin with a letter", name);
    for (const char *c = name; *c; c++)
      if (!strchr(letters, *c) && !strchr(others, *c)) fail_msg("'%s' has a strange letter", name);
    if (glimpse_model_find(model, kind, name) != i) fail_msg("'%s' is not unique", name);
  }
}

void environment_check(const glimpse_model *model, uint32_t terminal) {
  uint32_t states = glimpse_model_count(model, GLIMPSE_STATE), actions = glimpse_model_count(model, GLIMPSE_ACTION);
  check_sum("start", 0, 0, glimpse_model_start(model));
  for (uint32_t s = 0; s < states; s++) {
    for (uint32_t a = 0; a < actions; a++) {
      check_sum("T", a, s, glimpse_model_transition(model, a, s));
      check_sum("O", a, s, glimpse_model_observation(model, a, s));
    }
    if (glimpse_model_terminal(model, s) != (s >= terminal)) fail_msg("state %u: terminal or not?", s);
  }
  check_names(model, GLIMPSE_STATE);
  check_names(model, GLIMPSE_ACTION);
  check_names(model, GLIMPSE_OBSERVATION);
}

void environment_check_row(const glimpse_model *model, const char *what, uint32_t a, uint32_t s, glimpse_row row,
                           const double *dense, uint32_t count) {
  size_t next = 0;
  for (uint32_t i = 0; i < count; i++) {
    double value = 0;
    if (next < row.count && row.index[next] == i) value = row.value[next++];
    if (fabs(value - dense[i]) > 1e-14 || (value > 0) != (dense[i] > 0))
      fail_msg("%s: %s in %s, entry %u is %.17g, should be %.17g", what, glimpse_model_name(model, GLIMPSE_ACTION, a),
               glimpse_model_name(model, GLIMPSE_STATE, s), i, value, dense[i]);
  }
  if (next != row.count) fail_msg("%s: more entries than columns", what);
}

/* Sweeps until nothing moves any more; a GLIMPSE_ANY as action means the best. */
static double iterate(const glimpse_model *model, uint32_t action, glimpse_row start) {
  uint32_t states = glimpse_model_count(model, GLIMPSE_STATE), actions = glimpse_model_count(model, GLIMPSE_ACTION);
  double discount = glimpse_model_discount(model), *value = calloc(states, sizeof *value), change;
  assert_non_null(value);
  do {
    change = 0;
    for (uint32_t s = 0; s < states; s++) {
      double best = -INFINITY;
      for (uint32_t a = 0; a < actions; a++) {
        if (action != GLIMPSE_ANY && a != action) continue;
        glimpse_row row = glimpse_model_transition(model, a, s);
        double q = glimpse_model_reward(model, a, s);
        for (size_t i = 0; i < row.count; i++) q += discount * row.value[i] * value[row.index[i]];
        if (q > best) best = q;
      }
      change = fmax(change, fabs(best - value[s]));
      value[s] = best;
    }
  } while (change > 1e-13);
  double result = 0;
  for (size_t i = 0; i < start.count; i++) result += start.value[i] * value[start.index[i]];
  free(value);
  return result;
}

double environment_blind(const glimpse_model *model, uint32_t a, glimpse_row start) {
  return iterate(model, a, start);
}

double environment_mdp(const glimpse_model *model) {
  return iterate(model, GLIMPSE_ANY, glimpse_model_start(model));
}
