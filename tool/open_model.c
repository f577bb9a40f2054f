/* Models from the command line: see open_model.h. */
#include "open_model.h"

#include <stdio.h>
#include <string.h>

#include "common/nearest.h"
#include "message.h"
#include "xml/model_file.h"

glimpse_status open_model_load(const char *spec, const struct options *options, glimpse_report *report,
                               glimpse_model **model) {
  message_progress("reading %s", spec);
  glimpse_pomdp_options how = {.strict = options->strict};
  glimpse_status status = glimpse_environment_find(spec) ? glimpse_environment_make(spec, report, model)
                                                         : model_file_read(spec, &how, report, model);
  message_progress_end();
  return status;
}

/* A file that cannot be read may be an environment that was misspelt. */
static void hint_environment(const char *spec) {
  if (strchr(spec, '/') || !strcmp(spec, "-")) return;
  char name[48];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(spec, ":"), spec);
  struct nearest nearest = nearest_begin(name);
  const glimpse_environment *environment;
  for (size_t i = 0; (environment = glimpse_environment_get(i)); i++) nearest_offer(&nearest, environment->name);
  if (nearest.best) message_hint("did you mean the built-in environment '%s'?", nearest.best);
  else message_hint("'%s' is not a built-in environment either; 'glimpse info' lists them", name);
}

int open_model_failure(const char *spec, const glimpse_report *report, glimpse_status status) {
  message_failure(report, spec, status);
  if (status == GLIMPSE_CANNOT_READ) hint_environment(spec);
  return TOOL_FAILED;
}

/* Says which option does not fit a model with inquiries or limits, and what does. */
static void misfit(const struct options *options, const char *spec, const glimpse_model *model) {
  uint32_t inquiries = glimpse_model_inquiries(model);
  bool file = !glimpse_environment_find(spec);
  if (options->given[OPTION_discount] && glimpse_model_discount(model) != options->discount) {
    message_error_in(spec, "'--discount %g' does not fit: where one asks before an action the discount is above 0",
                     options->discount);
  } else if (!inquiries) {
    message_error_in(spec, "'--cost' does not fit: the model has a horizon, and nothing can be asked in it");
    message_hint("'# glimpse: cost PRICE' in the file allows asking");
  } else if (!(options->cost > 0)) {
    message_error_in(spec, "'--cost off' does not fit: it forbids requests for the state, and this model has %u %s",
                     inquiries, inquiries == 1 ? "inquiry of its own" : "inquiries");
    message_hint(file ? "take the '# glimpse: inquiry' and 'cost' lines out of the file, or set prices that are not "
                        "worth paying (FILE:NAME=PRICE)"
                      : "set prices that are not worth paying, by the parameters; 'glimpse info' lists them");
  } else {
    message_error_in(spec, "'--cost' does not fit: a cost is for a model with one inquiry, and this one has %u",
                     inquiries);
    message_hint(file ? "each has its price in its '# glimpse: inquiry' line; FILE:NAME=PRICE sets another"
                      : "each has a parameter for its price; 'glimpse info' lists them");
  }
}

static glimpse_status apply(const struct options *options, glimpse_model *model) {
  glimpse_status status = GLIMPSE_OK;
  if (options->given[OPTION_discount]) status = glimpse_model_set_discount(model, options->discount);
  if (!status && options->given[OPTION_cost]) status = glimpse_model_set_cost(model, options->cost);
  return status;
}

glimpse_model *open_model(const struct options *options) {
  return open_model_named(options, options->operand[0]);
}

glimpse_model *open_model_named(const struct options *options, const char *spec) {
  glimpse_model *model = NULL;
  glimpse_report *report = glimpse_report_new();
  if (!report) {
    message_no_memory();
    return NULL;
  }
  glimpse_status status = open_model_load(spec, options, report, &model);
  if (!status) status = apply(options, model);
  if (status == GLIMPSE_BAD_ARGUMENT && model && glimpse_model_planning(model) != model) {
    misfit(options, spec, model);
    glimpse_model_free(model);
    model = NULL;
  } else if (status) {
    open_model_failure(spec, report, status);
    glimpse_model_free(model);
    model = NULL;
  } else {
    message_report(report, spec);
  }
  glimpse_report_free(report);
  return model;
}

int open_model_plannable(const glimpse_model *model, const char *spec) {
  glimpse_report *report = glimpse_report_new();
  if (!report) return message_no_memory();
  glimpse_status status = glimpse_model_plannable(model, report);
  if (status) {
    message_failure(report, spec, status);
    message_hint("'--discount NUMBER' replaces the discount of the model");
  }
  glimpse_report_free(report);
  return status ? TOOL_FAILED : TOOL_OK;
}

int open_model_state(const glimpse_model *model, const char *spec, const char *name, uint32_t *s) {
  enum { SHOWN = 4 };
  uint32_t count = glimpse_model_count(model, GLIMPSE_STATE);
  *s = glimpse_model_find(model, GLIMPSE_STATE, name);
  if (*s != GLIMPSE_ANY) return TOOL_OK;
  if (!glimpse_model_named(model, GLIMPSE_STATE))
    return message_error_in(spec, "there is no state '%s'; they are numbered 0 to %u", name, count - 1);
  struct nearest nearest = nearest_begin(name);
  for (uint32_t i = 0; i < count; i++) nearest_offer(&nearest, glimpse_model_name(model, GLIMPSE_STATE, i));
  if (nearest.best) return message_error_in(spec, "there is no state '%s'; did you mean '%s'?", name, nearest.best);
  char names[300] = "";
  for (uint32_t i = 0; i < count && i < SHOWN; i++) {
    size_t used = strlen(names);
    snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", glimpse_model_name(model, GLIMPSE_STATE, i));
  }
  return message_error_in(spec, "there is no state '%s'; there are %s%s", name, names, count > SHOWN ? ", ..." : "");
}

static void json_cost(const glimpse_model *model, struct json *json) {
  if (!glimpse_model_requests(model)) {
    json_null(json, "cost");
  } else if (glimpse_model_cost_uniform(model)) {
    json_number(json, "cost", glimpse_model_cost(model, 0));
  } else {
    json_array_flat(json, "cost");
    for (uint32_t s = 0; s < glimpse_model_count(model, GLIMPSE_STATE); s++)
      json_number(json, NULL, glimpse_model_cost(model, s));
    json_close(json);
  }
}

void open_model_json_terms(const glimpse_model *model, struct json *json) {
  json_number(json, "discount", glimpse_model_discount(model));
  json_cost(model, json);
}

void open_model_json(const glimpse_model *model, struct json *json) {
  json_count(json, "states", glimpse_model_count(model, GLIMPSE_STATE));
  json_count(json, "actions", glimpse_model_count(model, GLIMPSE_ACTION));
  json_count(json, "observations", glimpse_model_count(model, GLIMPSE_OBSERVATION));
  open_model_json_terms(model, json);
}

static const char *plural(uint32_t count) {
  return count == 1 ? "" : "s";
}

void open_model_counts(const glimpse_model *model, char text[120]) {
  uint32_t states = glimpse_model_count(model, GLIMPSE_STATE);
  uint32_t actions = glimpse_model_count(model, GLIMPSE_ACTION);
  uint32_t observations = glimpse_model_count(model, GLIMPSE_OBSERVATION);
  snprintf(text, 120, "%u state%s, %u action%s, %u observation%s", states, plural(states), actions, plural(actions),
           observations, plural(observations));
}

const char *open_model_sign(const glimpse_model *model) {
  return glimpse_model_negated(model) ? "values are rewards, the negative of the costs in the file" : NULL;
}
