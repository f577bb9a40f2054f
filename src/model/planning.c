/* Planning: the last steps from a builder to a model, in which it gets the model to plan on, and the settings that may
 * change later, with which that is made anew.
 *
 * Besides, the functions with which inquiries are given to a builder. */
#include <math.h>
#include <string.h>

#include "base/report.h"
#include "model/builder.h"
#include "model/inquiry.h"
#include "model/layers.h"
#include "model/model.h"

/* ---- inquiries in a builder ---- */

glimpse_status glimpse_builder_inquiry(glimpse_builder *builder, const glimpse_inquiry *inquiry, uint32_t *index) {
  const char *name = inquiry->name ? inquiry->name : "";
  if (index) *index = GLIMPSE_ANY;
  uint32_t states = gli_builder_count(builder, GLIMPSE_STATE);
  if (!states) return GLIMPSE_BAD_ARGUMENT; /* finished */
  if (!gli_names_valid(name, strlen(name)))
    return gli_builder_fail(builder, GLIMPSE_BAD_ARGUMENT,
                            "'%.80s' is not a name of an inquiry: use a letter, then letters, digits, _ and -", name);
  if ((unsigned)inquiry->timing >= GLIMPSE_TIMINGS || inquiry->answers > GLIMPSE_MAX_COUNT)
    return gli_builder_fail(builder, GLIMPSE_BAD_ARGUMENT,
                            "inquiry '%.60s' has a timing or a number of answers out of range", name);
  gli_drafts *drafts = gli_builder_drafts(builder);
  if (drafts->count >= GLIMPSE_MAX_ACTIONS)
    return gli_builder_fail(builder, GLIMPSE_TOO_LARGE, "there are too many inquiries");
  if (!gli_drafts_add(drafts, inquiry, states)) return gli_builder_fail(builder, GLIMPSE_NO_MEMORY, "out of memory");
  if (index) *index = (uint32_t)drafts->count - 1;
  return GLIMPSE_OK;
}

/* The draft, if it and the state exist. */
static gli_inquiry_draft *draft_at(glimpse_builder *builder, uint32_t i, uint32_t s) {
  gli_drafts *drafts = gli_builder_drafts(builder);
  bool state = s == GLIMPSE_ANY || s < gli_builder_count(builder, GLIMPSE_STATE);
  if (i < drafts->count && state) return &drafts->item[i];
  gli_builder_fail(builder, GLIMPSE_BAD_ARGUMENT, "something is given for an inquiry or a state out of range");
  return NULL;
}

glimpse_status glimpse_builder_inquiry_price(glimpse_builder *builder, uint32_t i, uint32_t s, double price) {
  gli_inquiry_draft *draft = draft_at(builder, i, s);
  if (!draft) return GLIMPSE_BAD_ARGUMENT;
  if (!isfinite(price) || price < 0)
    return gli_builder_fail(builder, GLIMPSE_BAD_ARGUMENT,
                            "the price of inquiry '%.60s' must be finite and not negative", draft->name);
  if (gli_draft_number(&draft->price, &draft->prices, gli_builder_count(builder, GLIMPSE_STATE), s, price))
    return GLIMPSE_OK;
  return gli_builder_fail(builder, GLIMPSE_NO_MEMORY, "out of memory");
}

glimpse_status glimpse_builder_inquiry_failure(glimpse_builder *builder, uint32_t i, uint32_t s, double p) {
  gli_inquiry_draft *draft = draft_at(builder, i, s);
  if (!draft) return GLIMPSE_BAD_ARGUMENT;
  if (!(p >= 0 && p <= 1))
    return gli_builder_fail(builder, GLIMPSE_BAD_ARGUMENT, "the failure of inquiry '%.60s' must be from 0 to 1",
                            draft->name);
  if (gli_draft_number(&draft->failure, &draft->failures, gli_builder_count(builder, GLIMPSE_STATE), s, p))
    return GLIMPSE_OK;
  return gli_builder_fail(builder, GLIMPSE_NO_MEMORY, "out of memory");
}

static glimpse_status add_entry(glimpse_builder *builder, const gli_inquiry_draft *draft, gli_log *log, uint32_t s,
                                uint32_t column, double p) {
  if (!(isfinite(p) && p >= 0))
    return gli_builder_fail(builder, GLIMPSE_BAD_ARGUMENT, "a probability of inquiry '%.60s' is negative or not finite",
                            draft->name);
  glimpse_status status = gli_log_add(log, 0, s, column == GLIMPSE_ANY ? GLI_LOG_FILL : column, p);
  return status ? gli_builder_fail(builder, status, "%s", glimpse_status_text(status)) : GLIMPSE_OK;
}

static glimpse_status refuse_answer(glimpse_builder *builder, const gli_inquiry_draft *draft, uint32_t z) {
  if (draft->state)
    return gli_builder_fail(builder, GLIMPSE_BAD_ARGUMENT, "inquiry '%.60s' tells the state and has no other answers",
                            draft->name);
  if (z <= draft->answers) return GLIMPSE_OK;
  return gli_builder_fail(builder, GLIMPSE_BAD_ARGUMENT, "an answer of inquiry '%.60s' is out of range", draft->name);
}

glimpse_status glimpse_builder_inquiry_answer(glimpse_builder *builder, uint32_t i, uint32_t s, uint32_t z, double p) {
  gli_inquiry_draft *draft = draft_at(builder, i, s);
  if (!draft) return GLIMPSE_BAD_ARGUMENT;
  glimpse_status status = refuse_answer(builder, draft, z == GLIMPSE_ANY ? 0 : z);
  if (status) return status;
  if (z != GLIMPSE_ANY) return add_entry(builder, draft, &draft->answer, s, z, p);
  for (z = 0; z < draft->answers && !status; z++) status = add_entry(builder, draft, &draft->answer, s, z, p);
  return status;
}

glimpse_status glimpse_builder_inquiry_tells(glimpse_builder *builder, uint32_t i, const uint32_t *answer) {
  gli_inquiry_draft *draft = draft_at(builder, i, GLIMPSE_ANY);
  uint32_t states = gli_builder_count(builder, GLIMPSE_STATE), largest = 0;
  if (!draft) return GLIMPSE_BAD_ARGUMENT;
  for (uint32_t s = 0; s < states; s++) largest = answer[s] > largest ? answer[s] : largest;
  glimpse_status status = refuse_answer(builder, draft, largest);
  if (!status) status = add_entry(builder, draft, &draft->answer, GLIMPSE_ANY, GLIMPSE_ANY, 0);
  for (uint32_t s = 0; s < states && !status; s++) status = add_entry(builder, draft, &draft->answer, s, answer[s], 1);
  return status;
}

glimpse_status glimpse_builder_inquiry_effect(glimpse_builder *builder, uint32_t i, uint32_t s, uint32_t s2, double p) {
  gli_inquiry_draft *draft = draft_at(builder, i, s);
  if (!draft) return GLIMPSE_BAD_ARGUMENT;
  if (draft->timing == GLIMPSE_TIMING_JOINT)
    return gli_builder_fail(builder, GLIMPSE_BAD_ARGUMENT,
                            "inquiry '%.60s' goes together with an action and has no effect of its own", draft->name);
  if (s2 >= gli_builder_count(builder, GLIMPSE_STATE) && s2 != GLIMPSE_ANY)
    return gli_builder_fail(builder, GLIMPSE_BAD_ARGUMENT, "inquiry '%.60s' leads to a state out of range",
                            draft->name);
  draft->changes = true;
  return add_entry(builder, draft, &draft->effect, s, s2, p);
}

glimpse_status glimpse_builder_answer_name(glimpse_builder *builder, uint32_t i, uint32_t z, const char *name) {
  gli_inquiry_draft *draft = draft_at(builder, i, GLIMPSE_ANY);
  if (!draft) return GLIMPSE_BAD_ARGUMENT;
  if (z >= draft->answers || draft->state)
    return gli_builder_fail(builder, GLIMPSE_BAD_ARGUMENT, "the answer name '%.60s' is for an index out of range",
                            name);
  if (!gli_names_valid(name, strlen(name)) || strcmp(name, "nothing") == 0)
    return gli_builder_fail(builder, GLIMPSE_BAD_ARGUMENT,
                            "'%.60s' is not a name of an answer: use a letter, then letters, digits, _ and -, and not "
                            "'nothing', which is what a failure is called",
                            name);
  switch (gli_names_set(&draft->names, z, name, strlen(name))) {
    case GLI_NAMES_OK: return GLIMPSE_OK;
    case GLI_NAMES_TAKEN:
      return gli_builder_fail(builder, GLIMPSE_BAD_ARGUMENT, "answer '%.60s' of inquiry '%.60s' is named twice", name,
                              draft->name);
    case GLI_NAMES_NO_MEMORY: break;
  }
  return gli_builder_fail(builder, GLIMPSE_NO_MEMORY, "out of memory");
}

glimpse_status glimpse_builder_limits(glimpse_builder *builder, const glimpse_limits *limits) {
  gli_builder_drafts(builder)->limits = *limits;
  return GLIMPSE_OK;
}

/* ---- the model to plan on ---- */

const glimpse_model *glimpse_model_planning(const glimpse_model *model) {
  return model->planning ? model->planning : model;
}

static bool needs_layers(const glimpse_model *model) {
  return model->inquiry_count || model->limits.horizon;
}

/* Makes it anew; the old one stays when that fails. */
static glimpse_status renew(glimpse_model *model, glimpse_report *report) {
  glimpse_model *planning = NULL;
  glimpse_status status = needs_layers(model) ? gli_layered_new(model, report, &planning) : GLIMPSE_OK;
  if (status) return status;
  glimpse_model_free(model->planning);
  model->planning = planning;
  return GLIMPSE_OK;
}

glimpse_status glimpse_builder_finish(glimpse_builder *builder, glimpse_report *report, glimpse_model **model) {
  glimpse_status status = gli_builder_pass(builder, report, model);
  if (!status) status = renew(*model, report);
  if (!status) return status;
  glimpse_model_free(*model);
  *model = NULL;
  return status;
}

glimpse_status glimpse_model_set_discount(glimpse_model *model, double discount) {
  if (!(discount >= 0 && discount <= 1)) return GLIMPSE_BAD_ARGUMENT;
  double before = model->discount;
  model->discount = discount + 0.0; /* -0 becomes 0 */
  glimpse_status status = renew(model, NULL);
  if (status) model->discount = before;
  return status == GLIMPSE_BAD_MODEL ? GLIMPSE_BAD_ARGUMENT : status;
}

glimpse_status glimpse_model_inquiry_set_price(glimpse_model *model, uint32_t i, double price) {
  if (!isfinite(price) || price < 0 || i >= model->inquiry_count) return GLIMPSE_BAD_ARGUMENT;
  gli_inquiry *inquiry = &model->inquiries[i];
  double before = inquiry->price, *each = inquiry->prices;
  inquiry->prices = NULL;
  inquiry->price = price + 0.0;
  glimpse_status status = renew(model, NULL);
  if (status) {
    inquiry->price = before;
    inquiry->prices = each;
    return status;
  }
  gli_memory_free(each);
  return GLIMPSE_OK;
}

glimpse_status glimpse_model_set_cost(glimpse_model *model, double cost) {
  if (!isfinite(cost) || cost < 0) return GLIMPSE_BAD_ARGUMENT;
  if (model->inquiry_count == 1 && cost > 0) return glimpse_model_inquiry_set_price(model, 0, cost);
  if (needs_layers(model)) return GLIMPSE_BAD_ARGUMENT;
  gli_memory_free(model->costs);
  model->costs = NULL;
  model->cost = cost + 0.0; /* -0 becomes 0 */
  model->requests = cost > 0;
  return GLIMPSE_OK;
}
