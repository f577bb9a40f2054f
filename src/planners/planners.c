/* Planners: which constructor makes which kind. */
#include "planners/planners.h"

#include "base/report.h"
#include "model/model.h"
#include "planner/option.h"

glimpse_status glimpse_planner_new(const glimpse_model *model, const glimpse_offline *offline,
                                   const glimpse_planner_options *options, glimpse_report *report,
                                   glimpse_planner **planner) {
  static const glimpse_planner_options defaults = {0};
  *planner = NULL;
  model = glimpse_model_planning(model);
  glimpse_planner base = {.model = model, .offline = offline, .options = options ? *options : defaults};
  glimpse_status status = glimpse_model_plannable(model, report);
  if (status) return status;
  if (offline && offline->model != model)
    return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT, "the offline bounds are those of another model");
  status = gli_option_settle(&base.options, report);
  if (status) return status;
  if (!offline && glimpse_planner_needs_offline(&base.options))
    return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT, "this planner needs the offline bounds");
  switch (base.options.kind) {
    case GLIMPSE_PLANNER_AEMS_SR:
    case GLIMPSE_PLANNER_AEMS:
    case GLIMPSE_PLANNER_AEMS_LOOP: return gli_planner_aems(&base, report, planner);
    case GLIMPSE_PLANNER_POMCP: return gli_planner_pomcp(&base, report, planner);
    case GLIMPSE_PLANNER_NEVER_ASK:
    case GLIMPSE_PLANNER_ALWAYS_ASK:
    case GLIMPSE_PLANNER_ASK_EVERY:
    case GLIMPSE_PLANNER_ASK_ENTROPY:
    case GLIMPSE_PLANNER_ACT_THEN_MEASURE:
    case GLIMPSE_PLANNER_SPI: return gli_planner_baseline(&base, report, planner);
    case GLIMPSE_PLANNER_POLICY: return gli_planner_follow(&base, report, planner);
    case GLIMPSE_PLANNER_KINDS: break;
  }
  return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT, "there is no such planner");
}
