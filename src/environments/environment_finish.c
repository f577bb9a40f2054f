/* Environments, finish: what making a model needs in every environment. */
#include "base/report.h"
#include "environments/environment.h"

glimpse_status gli_environment_finish(glimpse_builder *builder, const glimpse_scene *scene, glimpse_report *report,
                                      glimpse_model **model) {
  *model = NULL;
  if (!builder) return GLI_FAIL(report, GLIMPSE_NO_MEMORY, "%s", glimpse_status_text(GLIMPSE_NO_MEMORY));
  if (scene) glimpse_builder_scene(builder, scene);
  glimpse_status status = glimpse_builder_finish(builder, report, model);
  glimpse_builder_free(builder);
  return status;
}

glimpse_builder *gli_environment_unseen(uint32_t states, uint32_t actions, uint32_t end) {
  static const char *const seen[] = {"running", "done"};
  bool ends = end != GLIMPSE_ANY;
  glimpse_builder *builder = glimpse_builder_new(states, actions, ends ? 2 : 1);
  if (!builder) return NULL;
  gli_environment_names(builder, GLIMPSE_OBSERVATION, seen, ends ? 2 : 1);
  for (uint32_t s = 0; s < states; s++) glimpse_builder_observation(builder, GLIMPSE_ANY, s, s >= end, 1);
  if (ends && end + 1 == states) glimpse_builder_name(builder, GLIMPSE_STATE, end, "end");
  for (uint32_t s = end; s < states; s++) glimpse_builder_transition(builder, GLIMPSE_ANY, s, s, 1);
  return builder;
}

void gli_environment_ask(glimpse_builder *builder, int timing, double c) {
  if (!timing || c <= 0) {
    glimpse_builder_cost(builder, GLIMPSE_ANY, c);
    return;
  }
  uint32_t i;
  if (!glimpse_builder_inquiry(builder, &(glimpse_inquiry){.name = "state", .timing = GLIMPSE_TIMING_JOINT}, &i))
    glimpse_builder_inquiry_price(builder, i, GLIMPSE_ANY, c);
}

void gli_environment_names(glimpse_builder *builder, glimpse_kind kind, const char *const *names, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) glimpse_builder_name(builder, kind, i, names[i]);
}
