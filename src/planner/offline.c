/* Offline: the bounds that all planners of a model share, as lists of lower and of upper bounds.
 *
 * Bounds that start from others are given them, and work in proportion to what those took, so that all
 * together take less than twice as long as the simple ones alone: TIB a third of what the upper bound has
 * taken, SEQUENCE half of all three.  A limit on the time is shared out: each bound gets a part of what is
 * left, for each is valid when it is stopped. */
#include <math.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/report.h"
#include "planner/planner.h"

static const double tib_effort = 0.36, sequence_effort = 0.45;

glimpse_bound_kind glimpse_offline_upper(const glimpse_model *model) {
  return glimpse_model_requests(model) ? GLIMPSE_BOUND_FIB_SR : GLIMPSE_BOUND_FIB;
}

void glimpse_offline_free(glimpse_offline *offline) {
  if (!offline) return;
  for (uint32_t i = 0; i < offline->lower_count; i++) glimpse_bound_free(offline->lowers[i]);
  for (uint32_t i = 0; i < offline->upper_count; i++) glimpse_bound_free(offline->uppers[i]);
  gli_memory_free(offline);
}

/* What is being made. */
typedef struct making {
  glimpse_offline *offline;
  glimpse_bound_options options;
  double deadline; /* infinite: none */
  glimpse_report *report;
} making;

/* One more bound, in a part of the time that is left. */
static glimpse_status add(making *m, glimpse_bound_kind kind, double part, double effort, glimpse_bound **made) {
  glimpse_offline *offline = m->offline;
  glimpse_bound_options options = m->options;
  if (!isinf(m->deadline)) options.max_time = fmax(part * (m->deadline - gli_clock_now()), 1e-9);
  if (!(options.effort > 0)) options.effort = effort;
  gli_bound_given given = {.upper = offline->upper, .blind = offline->blind, .always_ask = offline->always_ask};
  if (offline->upper && offline->upper->result.kind == glimpse_offline_upper(offline->model))
    given.informed = offline->upper;
  glimpse_status status = gli_bound_make(offline->model, kind, &options, &given, m->report, made);
  if (status) return status;
  if (glimpse_bound_get(kind)->side < 0) offline->lowers[offline->lower_count++] = *made;
  else offline->uppers[offline->upper_count++] = *made;
  return GLIMPSE_OK;
}

static glimpse_status add_all(making *m, glimpse_bound_kind upper) {
  glimpse_offline *offline = m->offline;
  bool requests = glimpse_model_requests(offline->model);
  glimpse_status status = add(m, GLIMPSE_BOUND_BLIND, 0.1, 0, &offline->blind);
  if (!status && requests) status = add(m, GLIMPSE_BOUND_ALWAYS_ASK, 0.2, 0, &offline->always_ask);
  if (!status) status = add(m, upper, 0.6, 0, &offline->upper);
  if (!status) status = add(m, requests ? GLIMPSE_BOUND_TIB_SR : GLIMPSE_BOUND_TIB, 0.5, tib_effort, &offline->tib);
  if (!status) status = add(m, GLIMPSE_BOUND_SEQUENCE, 0.8, sequence_effort, &offline->sequence);
  return status;
}

glimpse_status glimpse_offline_new(const glimpse_model *model, glimpse_bound_kind upper,
                                   const glimpse_bound_options *options, glimpse_report *report,
                                   glimpse_offline **out) {
  double begun = gli_clock_now();
  *out = NULL;
  if (upper != GLIMPSE_BOUND_FIB_SR && upper != GLIMPSE_BOUND_FIB && upper != GLIMPSE_BOUND_QMDP)
    return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT, "the upper bound of a planner must be fib-sr, fib or qmdp");
  glimpse_offline *offline = GLI_NEW(glimpse_offline, 1);
  if (!offline) return GLI_FAIL(report, GLIMPSE_NO_MEMORY, "out of memory");
  offline->model = model;
  making m = {.offline = offline, .deadline = INFINITY, .report = report};
  if (options) m.options = *options;
  if (m.options.max_time > 0) m.deadline = begun + m.options.max_time;
  glimpse_status status = add_all(&m, upper);
  if (status) {
    glimpse_offline_free(offline);
    return status;
  }
  *out = offline;
  return GLIMPSE_OK;
}

void glimpse_offline_value(const glimpse_offline *offline, glimpse_row belief, double *lower, double *upper) {
  *lower = -INFINITY;
  *upper = INFINITY;
  for (uint32_t i = 0; i < offline->lower_count; i++)
    *lower = fmax(*lower, glimpse_bound_value(offline->lowers[i], belief));
  for (uint32_t i = 0; i < offline->upper_count; i++)
    *upper = fmin(*upper, glimpse_bound_value(offline->uppers[i], belief));
}
