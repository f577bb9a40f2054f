/* Offline: the bounds that all planners of a model share, as lists of lower and of upper bounds.
 *
 * The classes of the bounds say which are in the lists and what they may take (bound.h).  Bounds that start from
 * others are given them, and work in proportion to what those took, so that all together take less than twice as long
 * as the simple ones alone: TIB a third of what the upper bound has taken, SEQUENCE half of all three.  A limit on the
 * time is shared out: each bound gets a part of what is left, since each is valid when it is stopped. */
#include <math.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/report.h"
#include "planner/planner.h"

glimpse_bound_kind glimpse_offline_upper(const glimpse_model *model) {
  model = glimpse_model_planning(model);
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
  gli_bound_given given; /* those made so far */
  double deadline;       /* infinite: none */
  glimpse_report *report;
} making;

/* One more bound, in a part of the time that is left. */
static glimpse_status add(making *m, glimpse_bound_kind kind) {
  glimpse_offline *offline = m->offline;
  const gli_bound_class *class = gli_bound_class_get(kind);
  glimpse_bound_options options = m->options;
  if (!isinf(m->deadline)) options.max_time = fmax(class->part * (m->deadline - gli_clock_now()), 1e-9);
  if (!(options.effort > 0)) options.effort = class->effort;
  glimpse_bound *made;
  glimpse_status status = gli_bound_make(offline->model, kind, &options, &m->given, m->report, &made);
  if (status) return status;
  m->given.bound[kind] = made;
  if (glimpse_bound_get(kind)->side < 0) offline->lowers[offline->lower_count++] = made;
  else offline->uppers[offline->upper_count++] = made;
  return GLIMPSE_OK;
}

static glimpse_status add_all(making *m, glimpse_bound_kind upper) {
  glimpse_offline *offline = m->offline;
  glimpse_status status = GLIMPSE_OK;
  for (int i = 0; i < GLIMPSE_BOUND_KINDS && !status; i++) {
    glimpse_bound_kind kind = (glimpse_bound_kind)i;
    const gli_bound_class *class = gli_bound_class_get(kind);
    bool wanted = class->choice ? kind == upper : class->part > 0 && glimpse_bound_applies(kind, offline->model);
    if (wanted) status = add(m, kind);
  }
  const glimpse_bound *const *made = m->given.bound;
  offline->upper = made[upper];
  offline->blind = made[GLIMPSE_BOUND_BLIND];
  offline->always_ask = glimpse_model_requests(offline->model) ? made[GLIMPSE_BOUND_ALWAYS_ASK] : NULL;
  offline->tib = made[glimpse_model_requests(offline->model) ? GLIMPSE_BOUND_TIB_SR : GLIMPSE_BOUND_TIB];
  offline->sequence = made[GLIMPSE_BOUND_SEQUENCE];
  return status;
}

glimpse_status glimpse_offline_new(const glimpse_model *model, glimpse_bound_kind upper,
                                   const glimpse_bound_options *options, glimpse_report *report,
                                   glimpse_offline **out) {
  double begun = gli_clock_now();
  *out = NULL;
  model = glimpse_model_planning(model);
  const gli_bound_class *class = gli_bound_class_get(upper);
  if (!class) return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT, "there is no such bound");
  if (!class->choice)
    return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT, "planners cannot start from %s alone; use %s as their upper bound",
                    glimpse_bound_get(upper)->key, glimpse_bound_get(glimpse_offline_upper(model))->key);
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
