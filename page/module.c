/* Module: the planner for a web page.
 *
 * One model, one world, one belief and one planner, which the page drives by the functions below:
 *
 *   page_open -> page_prepare -> page_begin -> page_plan ... [page_ask -> page_plan ...] page_act -> page_plan ...
 *
 * Texts come in through page_room, answers go out as JSON that ends with a 0 and is valid until the next
 * call.  A search is made of slices, calls of page_plan, which are the same search as one go; so the page
 * can listen between them.  What a step shows is a moment of common/, the same that the terminal shows
 * and a recording keeps.
 *
 * A page has one of these in a worker, and that has one model at a time: so these are globals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/moment.h"
#include "common/reasons.h"
#include "page/module.h"

enum { MEMORY = 40 << 20, FORECAST = 6 };

struct page page;

/* ------------------------------------------------------------------ answers */

struct json page_answer(void) {
  text_clear(&page.out);
  return json_begin_line(text_sink, &page.out);
}

const char *page_given(struct json *json) {
  json_end(json);
  return page.out.failed ? "{\"status\":\"out of memory\"}" : text_string(&page.out);
}

static void put_findings(struct json *json) {
  json_array(json, "findings");
  for (size_t i = 0; i < glimpse_report_kept(page.report); i++) {
    const glimpse_message *message = glimpse_report_get(page.report, i);
    json_object(json, NULL);
    json_bool(json, "error", message->severity == GLIMPSE_ERROR);
    json_count(json, "line", message->line);
    json_count(json, "column", message->column);
    json_text(json, "text", message->text);
    json_close(json);
  }
  json_close(json);
}

const char *page_outcome(glimpse_status status) {
  struct json json = page_answer();
  json_text(&json, "status", status ? glimpse_status_text(status) : NULL);
  put_findings(&json);
  return page_given(&json);
}

/* Room for a text of so many bytes, and a 0. */
char *page_room(size_t size);
EXPORT(page_room) char *page_room(size_t size) {
  if (size >= page.size) {
    free(page.room);
    page.room = malloc(size + 1);
    page.size = page.room ? size + 1 : 0;
  }
  if (page.room) page.room[size] = 0;
  return page.room;
}

/* -------------------------------------------------------------------- model */

static void forget(void) {
  glimpse_world_free(page.world);
  glimpse_belief_free(page.before);
  glimpse_belief_free(page.belief);
  glimpse_planner_free(page.planner);
  glimpse_offline_free(page.offline);
  page.world = NULL;
  page.before = page.belief = NULL;
  page.planner = NULL;
  page.offline = NULL;
}

static void put_names(struct json *json, const char *key, glimpse_kind kind, uint32_t most) {
  uint32_t count = glimpse_model_count(page.model, kind);
  json_array(json, key);
  for (uint32_t i = 0; i < count && i < most; i++) json_text(json, NULL, glimpse_model_name(page.model, kind, i));
  json_close(json);
}

static void put_texts(struct json *json, const char *key, const char *const *names, uint32_t count) {
  json_array(json, key);
  for (uint32_t i = 0; i < count; i++) json_text(json, NULL, names[i]);
  json_close(json);
}

static void put_scene(struct json *json, const glimpse_scene *scene) {
  if (!scene) {
    json_null(json, "scene");
    return;
  }
  json_object(json, "scene");
  json_count(json, "rows", scene->rows);
  json_count(json, "columns", scene->columns);
  json_text(json, "background", scene->background);
  json_text(json, "legend", scene->legend);
  json_text(json, "marks", scene->marks);
  put_texts(json, "layers", scene->names, scene->layers);
  put_texts(json, "places", scene->place_names, scene->places);
  json_close(json);
}

static const char *tell_model(void) {
  struct json json = page_answer();
  json_null(&json, "status");
  put_findings(&json);
  json_text(&json, "name", page.name);
  json_count(&json, "states", glimpse_model_count(page.model, GLIMPSE_STATE));
  put_names(&json, "state_names", GLIMPSE_STATE, 5000);
  put_names(&json, "actions", GLIMPSE_ACTION, 65536);
  put_names(&json, "observations", GLIMPSE_OBSERVATION, 5000);
  json_number(&json, "discount", glimpse_model_discount(page.model));
  json_bool(&json, "requests", glimpse_model_requests(page.model));
  json_bool(&json, "uniform", glimpse_model_cost_uniform(page.model));
  json_number(&json, "cost", glimpse_model_cost(page.model, 0));
  json_bool(&json, "negated", glimpse_model_negated(page.model));
  put_scene(&json, glimpse_model_scene(page.model));
  return page_given(&json);
}

/* The model of the text in the room: a .pomdp file or, without `file`, the name of a built-in one. */
const char *page_open(size_t length, int file);
EXPORT(page_open) const char *page_open(size_t length, int file) {
  if (!page.report) page.report = glimpse_report_new();
  glimpse_report_clear(page.report);
  glimpse_model *model = NULL;
  glimpse_status status = file ? glimpse_pomdp_read(page.room, length, "", NULL, page.report, &model)
                               : glimpse_environment_make(page.room, page.report, &model);
  if (!status) status = glimpse_model_plannable(model, page.report);
  if (!status && glimpse_model_planning(model) != model) {
    glimpse_report_add(page.report,
                       &(glimpse_message){.severity = GLIMPSE_ERROR,
                                          .code = GLIMPSE_NOT_APPLICABLE,
                                          .source = "",
                                          .text = "the page shows models whose state may be asked for; this "
                                                  "one has inquiries of its own, which 'glimpse plan' and "
                                                  "'glimpse run' know"});
    status = GLIMPSE_NOT_APPLICABLE;
  }
  if (status) {
    glimpse_model_free(model);
    return page_outcome(status);
  }
  forget();
  glimpse_model_free(page.model);
  page.model = model;
  size_t most = file ? 0 : length < sizeof page.name - 1 ? length : sizeof page.name - 1;
  memcpy(page.name, page.room, most);
  page.name[most] = 0;
  return tell_model();
}

/* Bounds and planner for the model as it is, at the current belief. */
static glimpse_status make_planner(void) {
  glimpse_planner_free(page.planner);
  glimpse_offline_free(page.offline);
  page.planner = NULL;
  page.offline = NULL;
  page.expansions = 0;
  page.planned = false;
  page.options = (glimpse_planner_options){.max_memory = MEMORY};
  glimpse_status status =
      glimpse_offline_new(page.model, glimpse_offline_upper(page.model), NULL, page.report, &page.offline);
  if (!status) status = glimpse_planner_new(page.model, page.offline, &page.options, page.report, &page.planner);
  if (!status) status = glimpse_planner_begin(page.planner, glimpse_belief_row(page.belief), page.step.episode);
  return status;
}

/* Another price, 0: the agent may not ask.  World and belief stay, and the search begins anew there. */
const char *page_price(double cost);
EXPORT(page_price) const char *page_price(double cost) {
  glimpse_report_clear(page.report);
  glimpse_planner_free(page.planner);
  page.planner = NULL; /* it borrows the model */
  glimpse_status status = glimpse_model_set_cost(page.model, cost);
  if (!status) status = make_planner();
  return page_outcome(status);
}

/* Bounds, planner and belief. */
const char *page_prepare(void);
EXPORT(page_prepare) const char *page_prepare(void) {
  glimpse_report_clear(page.report);
  forget();
  page.step = (glimpse_step){0};
  glimpse_status status = GLIMPSE_OK;
  if (!(page.belief = glimpse_belief_new(page.model)) || !(page.before = glimpse_belief_new(page.model)))
    status = GLIMPSE_NO_MEMORY;
  if (!status) status = make_planner();
  if (status) forget();
  return page_outcome(status);
}

/* The page shows asking for the state before an action, and nothing else. */
static bool shows(const glimpse_environment *environment) {
  glimpse_model *model = NULL;
  glimpse_status status = glimpse_environment_make(environment->name, NULL, &model);
  bool plain = !status && !glimpse_model_plannable(model, NULL) && glimpse_model_planning(model) == model;
  glimpse_model_free(model);
  return plain;
}

/* The built-in environments that can be shown, and their parameters. */
const char *page_environments(void);
EXPORT(page_environments) const char *page_environments(void) {
  struct json json = page_answer();
  json_array(&json, "environments");
  const glimpse_environment *environment;
  for (size_t i = 0; (environment = glimpse_environment_get(i)); i++) {
    if (!shows(environment)) continue;
    json_object(&json, NULL);
    json_text(&json, "name", environment->name);
    json_text(&json, "text", environment->text);
    json_array(&json, "parameters");
    for (const glimpse_parameter *p = environment->parameters; p->key; p++) {
      json_object(&json, NULL);
      json_text(&json, "key", p->key);
      json_text(&json, "value", p->value);
      json_text(&json, "text", p->text);
      json_close(&json);
    }
    json_close(&json);
    json_close(&json);
  }
  json_close(&json);
  json_text(&json, "version", glimpse_version());
  return page_given(&json);
}

/* The model as a .pomdp file. */
const char *page_write(void);
EXPORT(page_write) const char *page_write(void) {
  text_clear(&page.out);
  if (glimpse_pomdp_write(page.model, text_sink, &page.out) || page.out.failed) return "";
  return text_string(&page.out);
}

/* ------------------------------------------------------------------ playing */

/* `before` is the belief of the step as an episode of the library keeps it: normalised once more. */
static glimpse_status begin_step(void) {
  glimpse_status status = glimpse_belief_set(page.before, glimpse_belief_row(page.belief));
  if (status) return status;
  page.step.state = glimpse_world_state(page.world);
  page.step.asked = false;
  page.step.cost = 0;
  page.step.action = page.step.next_state = page.step.observation = GLIMPSE_ANY;
  page.expansions = 0;
  page.planned = false;
  page.over = glimpse_model_terminal(page.model, page.step.state);
  return GLIMPSE_OK;
}

/* A new episode. */
const char *page_begin(double seed, double episode);
EXPORT(page_begin) const char *page_begin(double seed, double episode) {
  glimpse_report_clear(page.report);
  glimpse_world_free(page.world);
  page.world = glimpse_world_new(page.model, (uint64_t)seed, (uint64_t)episode);
  page.step = (glimpse_step){.episode = (uint64_t)episode};
  page.discount = 1;
  page.requests = 0;
  glimpse_status status = page.world ? GLIMPSE_OK : GLIMPSE_NO_MEMORY;
  if (!status) status = glimpse_belief_set(page.belief, glimpse_model_start(page.model));
  if (!status) status = glimpse_planner_begin(page.planner, glimpse_belief_row(page.belief), (uint64_t)episode);
  if (!status) status = begin_step();
  return page_outcome(status);
}

/* A slice of the search; the number of its stop (GLIMPSE_STOP_TABLE), -1: out of memory. */
int page_plan(double expansions);
EXPORT(page_plan) int page_plan(double expansions) {
  glimpse_budget budget = {.expansions = (uint64_t)expansions};
  if (glimpse_planner_plan(page.planner, &budget, &page.decision)) return -1;
  page.expansions += page.decision.expansions;
  page.decision.expansions = page.expansions;
  if (page.step.asked) page.step.after = page.decision;
  else page.step.decision = page.decision;
  page.planned = true;
  return (int)page.decision.stop;
}

static struct subject subject_of(void) {
  return (struct subject){.model = page.name,
                          .settings = "aems-loop, in a page",
                          .episodes = 1,
                          .states = glimpse_model_count(page.model, GLIMPSE_STATE),
                          .actions = glimpse_model_count(page.model, GLIMPSE_ACTION),
                          .observations = glimpse_model_count(page.model, GLIMPSE_OBSERVATION),
                          .requests = glimpse_model_requests(page.model),
                          .scene = glimpse_model_scene(page.model)};
}

/* First line of a recording. */
const char *page_subject(void);
EXPORT(page_subject) const char *page_subject(void) {
  struct subject subject = subject_of();
  char *line = moment_subject_line(&subject);
  text_clear(&page.out);
  text_put(&page.out, line ? line : "");
  free(line);
  return text_string(&page.out);
}

static void put_reasons(struct json *json) {
  struct grounds grounds = {.model = page.model,
                            .planner = page.planner,
                            .options = &page.options,
                            .belief = page.belief,
                            .decision = &page.decision,
                            .brief = true};
  struct reasons reasons;
  char text[REASONS_TEXT];
  if (!page.planned || !reasons_weigh(&grounds, &reasons)) return;
  reasons_decision(&grounds, &reasons, text);
  json_text(json, "why", text);
  reasons_asking(&grounds, &reasons, text);
  json_text(json, "asking", text);
  reasons_json(&reasons, json);
  if (reasons.steps > FORECAST) reasons.steps = FORECAST;
  reasons_json_forecast(&grounds, &reasons, json);
}

/* All that is to be seen at this belief: a moment whose step has not been made. */
const char *page_now(void);
EXPORT(page_now) const char *page_now(void) {
  struct subject subject = subject_of();
  struct json json = page_answer();
  page.step.belief = glimpse_belief_row(page.step.asked ? page.belief : page.before);
  page.step.total = page.step.step ? page.step.total : 0;
  page.step.reward = 0;
  struct moment *moment = moment_new(&subject, page.model, page.planner, &page.step, page.requests);
  if (moment) moment_json(moment, &json);
  moment_free(moment);
  json_bool(&json, "over", page.over);
  json_bool(&json, "planned", page.planned);
  json_bool(&json, "ask", page.planned && page.decision.ask);
  bool acts = page.planned && !page.decision.ask;
  json_text(&json, "act", acts ? glimpse_model_name(page.model, GLIMPSE_ACTION, page.decision.action) : NULL);
  json_count(&json, "nodes", page.decision.nodes);
  json_count(&json, "bytes", page.decision.bytes);
  json_number(&json, "offline_lower", page.decision.offline_lower);
  json_number(&json, "offline_upper", page.decision.offline_upper);
  put_reasons(&json);
  return page_given(&json);
}

/* The numbers of the search alone, without text: lower, upper, expansions. */
double page_lower(void), page_upper(void), page_expansions(void);
EXPORT(page_lower) double page_lower(void) {
  return page.decision.lower;
}
EXPORT(page_upper) double page_upper(void) {
  return page.decision.upper;
}
EXPORT(page_expansions) double page_expansions(void) {
  return (double)page.expansions;
}

/* Asks for the state. */
const char *page_ask(void);
EXPORT(page_ask) const char *page_ask(void) {
  glimpse_report_clear(page.report);
  if (page.over || page.step.asked || !glimpse_model_requests(page.model)) return page_outcome(GLIMPSE_NOT_APPLICABLE);
  glimpse_status status = glimpse_belief_reveal(page.belief, page.step.state);
  if (!status) status = glimpse_planner_reveal(page.planner, page.step.state);
  if (status) return page_outcome(status);
  page.step.asked = true;
  page.step.cost = glimpse_model_cost(page.model, page.step.state);
  page.expansions = 0;
  page.planned = false;
  return page_outcome(GLIMPSE_OK);
}

/* Acts; the answer is the moment, as a recording has it, and its text. */
const char *page_act(uint32_t action);
EXPORT(page_act) const char *page_act(uint32_t action) {
  glimpse_report_clear(page.report);
  struct subject subject = subject_of();
  glimpse_outcome happened;
  if (page.over) return page_outcome(GLIMPSE_NOT_APPLICABLE);
  glimpse_status status = glimpse_world_act(page.world, action, &happened);
  if (status) return page_outcome(status);
  glimpse_step *step = &page.step;
  step->action = action;
  step->next_state = happened.state;
  step->observation = happened.observation;
  step->reward = happened.reward;
  step->total += page.discount * (step->reward - step->cost);
  page.discount *= glimpse_model_discount(page.model);
  step->last = glimpse_model_terminal(page.model, happened.state);
  step->belief = glimpse_belief_row(page.before);
  struct moment *moment = moment_new(&subject, page.model, page.planner, step, page.requests);
  page.requests += step->asked;
  status = moment ? glimpse_belief_update(page.belief, action, step->observation, NULL) : GLIMPSE_NO_MEMORY;
  if (!status)
    status = glimpse_planner_observe(page.planner, action, step->observation, glimpse_belief_row(page.belief));
  if (status) {
    moment_free(moment);
    return page_outcome(status);
  }
  struct json json = page_answer();
  moment_json(moment, &json);
  struct text text = {0};
  moment_tell(moment, text_sink, &text);
  json_text(&json, "text", text_string(&text));
  text_free(&text);
  moment_free(moment);
  step->step++;
  if ((status = begin_step())) return page_outcome(status);
  return page_given(&json);
}
