/* Model: access to the parts. */
#include "model/model.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/report.h"
#include "model/inquiry.h"
#include "model/layers.h"
#include "model/log.h"

void gli_steps_free(gli_steps *steps) {
  gli_memory_free(steps->row);
  gli_memory_free(steps->next);
  gli_memory_free(steps->observation);
  gli_memory_free(steps->value);
  *steps = (gli_steps){0};
}

static void free_one(glimpse_model *model) {
  if (!model) return;
  gli_memory_free(model->costs);
  gli_table_free(&model->start);
  gli_table_free(&model->transition);
  gli_table_free(&model->observe);
  gli_memory_free(model->reward);
  gli_steps_free(&model->steps);
  gli_memory_free(model->terminal);
  for (int kind = 0; kind < 3; kind++) gli_names_free(&model->names[kind]);
  gli_scene_free(model->scene);
  gli_inquiries_free(model->inquiries, model->inquiry_count);
  gli_layers_free(model->layers);
  gli_memory_free(model);
}

/* The model that it is planned on is planned on itself. */
void glimpse_model_free(glimpse_model *model) {
  if (model) free_one(model->planning);
  free_one(model);
}

uint32_t glimpse_model_count(const glimpse_model *model, glimpse_kind kind) {
  switch (kind) {
    case GLIMPSE_STATE: return model->states;
    case GLIMPSE_ACTION: return model->actions;
    case GLIMPSE_OBSERVATION: return model->observations;
  }
  return 0;
}

const char *glimpse_model_name(const glimpse_model *model, glimpse_kind kind, uint32_t i) {
  return gli_names_get(&model->names[kind], i);
}

bool glimpse_model_named(const glimpse_model *model, glimpse_kind kind) {
  return model->names[kind].given;
}

uint32_t glimpse_model_find(const glimpse_model *model, glimpse_kind kind, const char *name) {
  size_t length = strlen(name);
  uint32_t i = gli_names_find(&model->names[kind], name, length);
  if (i != UINT32_MAX || length == 0 || length > 9) return i;
  uint32_t number = 0;
  for (const char *c = name; *c; c++) {
    if (*c < '0' || *c > '9') return GLIMPSE_ANY;
    number = 10 * number + (uint32_t)(*c - '0');
  }
  return number < model->names[kind].count ? number : GLIMPSE_ANY;
}

double glimpse_model_discount(const glimpse_model *model) {
  return model->discount;
}

bool glimpse_model_negated(const glimpse_model *model) {
  return model->negated;
}

bool glimpse_model_requests(const glimpse_model *model) {
  return model->requests;
}

double glimpse_model_cost(const glimpse_model *model, uint32_t s) {
  return model->costs ? model->costs[s] : model->cost;
}

bool glimpse_model_cost_uniform(const glimpse_model *model) {
  return !model->costs;
}

glimpse_row glimpse_model_start(const glimpse_model *model) {
  return gli_table_row(&model->start, 0);
}

glimpse_row glimpse_model_transition(const glimpse_model *model, uint32_t a, uint32_t s) {
  return gli_table_row(&model->transition, gli_model_row(model, a, s));
}

glimpse_row glimpse_model_observation(const glimpse_model *model, uint32_t a, uint32_t s2) {
  return gli_table_row(&model->observe, gli_model_row(model, a, s2));
}

double glimpse_model_reward(const glimpse_model *model, uint32_t a, uint32_t s) {
  return model->reward[gli_model_row(model, a, s)];
}

/* All entries of a row have one shape (model.h), so the first tells what to
 * look for; they are sorted, so it can be searched for. */
double glimpse_model_reward_step(const glimpse_model *model, uint32_t a, uint32_t s, uint32_t s2, uint32_t o) {
  const gli_steps *steps = &model->steps;
  uint64_t row = gli_model_row(model, a, s), low = steps->row[row], high = steps->row[row + 1], end = high;
  if (low == high) return 0;
  if (steps->next[low] == GLIMPSE_ANY) s2 = GLIMPSE_ANY;
  if (steps->observation[low] == GLIMPSE_ANY) o = GLIMPSE_ANY;
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    bool before = steps->next[middle] < s2 || (steps->next[middle] == s2 && steps->observation[middle] < o);
    if (before) low = middle + 1;
    else high = middle;
  }
  return low < end && steps->next[low] == s2 && steps->observation[low] == o ? steps->value[low] : 0;
}

glimpse_rows glimpse_model_rows(const glimpse_model *model, glimpse_table table, uint32_t a) {
  if (a >= model->actions || table == GLIMPSE_TABLE_REWARD) return (glimpse_rows){0};
  const gli_table *rows = table == GLIMPSE_TABLE_TRANSITION ? &model->transition : &model->observe;
  return (glimpse_rows){model->states, rows->row + gli_model_row(model, a, 0), rows->column, rows->value};
}

const double *glimpse_model_rewards(const glimpse_model *model, uint32_t a) {
  return a < model->actions ? model->reward + gli_model_row(model, a, 0) : NULL;
}

bool glimpse_model_terminal(const glimpse_model *model, uint32_t s) {
  return model->terminal[s];
}

glimpse_model_sizes glimpse_model_measure(const glimpse_model *model) {
  uint64_t rows = (uint64_t)model->actions * model->states;
  glimpse_model_sizes sizes = {.transitions = model->transition.row[rows],
                               .observations = model->observe.row[rows],
                               .rewards = model->steps.row[rows]};
  for (uint32_t s = 0; s < model->states; s++) sizes.terminals += model->terminal[s];
  sizes.bytes = sizeof *model + 3 * (rows + 1) * sizeof(uint64_t) + rows * sizeof(double) + model->states +
                (sizes.transitions + sizes.observations + model->start.row[1]) * (sizeof(uint32_t) + sizeof(double)) +
                sizes.rewards * (2 * sizeof(uint32_t) + sizeof(double)) +
                (model->costs ? model->states * sizeof(double) : 0);
  for (int kind = 0; kind < 3; kind++)
    sizes.bytes += model->names[kind].text_capacity + model->names[kind].count * sizeof(size_t) +
                   model->names[kind].slots * sizeof(uint32_t);
  return sizes;
}

glimpse_status glimpse_model_plannable(const glimpse_model *model, glimpse_report *report) {
  if (model->discount < 1 || (model->planning && model->planning->discount < 1)) return GLIMPSE_OK;
  return GLI_FAIL(report, GLIMPSE_NOT_APPLICABLE,
                  "the discount is 1, so the value of a plan without end may be infinite and no bound on it converges; "
                  "planning needs a discount below 1 or a horizon");
}

void gli_model_reward_range(const glimpse_model *model, double *low, double *high) {
  *low = INFINITY;
  *high = -INFINITY;
  for (uint64_t i = 0, rows = (uint64_t)model->actions * model->states; i < rows; i++) {
    if (model->reward[i] < *low) *low = model->reward[i];
    if (model->reward[i] > *high) *high = model->reward[i];
  }
}
