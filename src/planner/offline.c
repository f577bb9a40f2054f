/* Offline: the bounds that all planners of a model share. */
#include "base/memory.h"
#include "base/report.h"
#include "planner/planner.h"

glimpse_bound_kind glimpse_offline_upper(const glimpse_model *model) {
  return glimpse_model_requests(model) ? GLIMPSE_BOUND_FIB_SR : GLIMPSE_BOUND_FIB;
}

void glimpse_offline_free(glimpse_offline *offline) {
  if (!offline) return;
  glimpse_bound_free(offline->upper);
  glimpse_bound_free(offline->blind);
  glimpse_bound_free(offline->always_ask);
  gli_memory_free(offline);
}

glimpse_status glimpse_offline_new(const glimpse_model *model, glimpse_bound_kind upper,
                                   const glimpse_bound_options *options, glimpse_report *report,
                                   glimpse_offline **out) {
  *out = NULL;
  const glimpse_bound_info *info = glimpse_bound_get(upper);
  if (!info || info->side < 0)
    return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT, "the upper bound of a planner must be fib-sr, fib or qmdp");
  glimpse_offline *offline = GLI_NEW(glimpse_offline, 1);
  if (!offline) return GLI_FAIL(report, GLIMPSE_NO_MEMORY, "out of memory");
  offline->model = model;
  glimpse_status status = glimpse_bound_new(model, upper, options, report, &offline->upper);
  if (!status) status = glimpse_bound_new(model, GLIMPSE_BOUND_BLIND, options, report, &offline->blind);
  if (!status && glimpse_model_requests(model))
    status = glimpse_bound_new(model, GLIMPSE_BOUND_ALWAYS_ASK, options, report, &offline->always_ask);
  if (status) {
    glimpse_offline_free(offline);
    return status;
  }
  *out = offline;
  return GLIMPSE_OK;
}
