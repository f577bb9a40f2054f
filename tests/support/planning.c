/* Planning: see planning.h. */
#include "support/planning.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

void planning_of(planning *p, glimpse_model *model) {
  static const glimpse_bound_options alone = {.threads = 1};
  *p = (planning){.model = model};
  assert_int_equal(glimpse_offline_new(model, glimpse_offline_upper(model), &alone, NULL, &p->offline), GLIMPSE_OK);
}

void planning_start(planning *p, const char *spec) {
  glimpse_model *model = NULL;
  assert_int_equal(glimpse_environment_make(spec, NULL, &model), GLIMPSE_OK);
  planning_of(p, model);
}

void planning_planner(planning *p, const glimpse_planner_options *options) {
  glimpse_planner_options how = options ? *options : (glimpse_planner_options){0};
  glimpse_planner_free(p->planner);
  if (how.kind == GLIMPSE_PLANNER_POLICY && !how.policy) {
    glimpse_solve_options few = {.expansions = 50};
    glimpse_solve_result result;
    if (!p->policy) assert_int_equal(glimpse_policy_solve(p->model, NULL, &few, NULL, &result, &p->policy), GLIMPSE_OK);
    how.policy = p->policy;
  }
  assert_int_equal(glimpse_planner_new(p->model, p->offline, &how, NULL, &p->planner), GLIMPSE_OK);
  assert_int_equal(glimpse_planner_begin(p->planner, glimpse_model_start(p->model), 0), GLIMPSE_OK);
}

void planning_stop(planning *p) {
  glimpse_planner_free(p->planner);
  glimpse_policy_free(p->policy);
  glimpse_offline_free(p->offline);
  glimpse_model_free(p->model);
}

glimpse_decision planning_decide(planning *p, glimpse_budget budget) {
  glimpse_decision decision;
  assert_int_equal(glimpse_planner_plan(p->planner, &budget, &decision), GLIMPSE_OK);
  return decision;
}

glimpse_decision planning_decided(const char *spec, uint64_t expansions) {
  planning p;
  planning_start(&p, spec);
  planning_planner(&p, NULL);
  glimpse_decision d = planning_decide(&p, (glimpse_budget){.expansions = expansions});
  planning_stop(&p);
  return d;
}
