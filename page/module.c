/* Module: the planner for a web page.
 *
 * One model, one world, one belief and one planner, which the page drives by the functions below:
 *
 *   page_open -> page_prepare -> page_begin -> page_plan ... page_choose -> page_plan ...
 *
 * Texts come in through page_room, answers go out as JSON that ends with a 0 and is valid until the next
 * call.  A search is made of slices, calls of page_plan, which are the same search as one go; so the page
 * can listen between them.  They decide nothing: any choice may be made after each of them, whatever is best.
 * What a step shows is a moment of common/, the same that the terminal shows and a recording keeps.
 *
 * A page has one of these in a worker, and that has one model at a time: so these are globals. */
#include <stdlib.h>
#include <string.h>

#include "common/moment.h"
#include "common/reasons.h"
#include "page/module.h"

enum { MEMORY = 40 << 20 };

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

static void forget_planner(void) {
  glimpse_agent_free(page.agent);
  glimpse_planner_free(page.planner);
  glimpse_offline_free(page.offline);
  free(page.prospects);
  page.agent = NULL;
  page.planner = NULL;
  page.offline = NULL;
  page.prospects = NULL;
}

static void forget(void) {
  glimpse_world_free(page.world);
  glimpse_belief_free(page.before);
  forget_planner();
  page.world = NULL;
  page.before = NULL;
}

bool page_layered(void) {
  return glimpse_model_planning(page.model) != page.model;
}

static void put_names(struct json *json, const char *key, glimpse_kind kind, uint32_t most) {
  uint32_t count = glimpse_model_count(page.model, kind);
  json_array(json, key);
  for (uint32_t i = 0; i < count && i < most; i++) json_text(json, NULL, glimpse_model_name(page.model, kind, i));
  json_close(json);
}

/* All choices that there can be, by the numbers that page_choose takes; but for asking for the state, "ask". */
static void put_moves(struct json *json) {
  const glimpse_model *planning = glimpse_model_planning(page.model);
  json_array(json, "moves");
  for (uint32_t c = 0; c < glimpse_model_count(planning, GLIMPSE_ACTION); c++) {
    glimpse_prospect prospect = {.move = {c, GLIMPSE_ANY}};
    if (page_layered()) prospect.move = glimpse_planning_meaning(planning, c);
    prospect.ask = prospect.move.action == GLIMPSE_ANY;
    char name[MOMENT_NAME];
    reasons_name(page.model, &prospect, name, sizeof name);
    json_text(json, NULL, name);
  }
  json_close(json);
}

static void put_inquiries(struct json *json) {
  json_array(json, "inquiries");
  for (uint32_t i = 0; i < glimpse_model_inquiries(page.model); i++) {
    glimpse_inquiry inquiry = glimpse_model_inquiry(page.model, i);
    json_object(json, NULL);
    json_text(json, "name", inquiry.name);
    json_text(json, "timing", glimpse_timing_key(inquiry.timing));
    json_number(json, "price", glimpse_model_inquiry_price(page.model, i, 0));
    json_bool(json, "uniform", glimpse_model_inquiry_price_uniform(page.model, i));
    json_close(json);
  }
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
  json_bool(&json, "layered", page_layered());
  put_moves(&json);
  put_inquiries(&json);
  json_bool(&json, "negated", glimpse_model_negated(page.model));
  moment_scene(glimpse_model_scene(page.model), &json);
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

glimpse_status page_tell(const struct deed *deed) {
  if (deed->move.action != GLIMPSE_ANY && deed->move.inquiry == GLIMPSE_ANY)
    return glimpse_agent_observe(page.agent, deed->move.action, deed->observation);
  if (deed->move.action != GLIMPSE_ANY)
    return glimpse_agent_observe_answer(page.agent, deed->move.action, deed->observation, deed->move.inquiry,
                                        deed->answer);
  if (deed->move.inquiry == GLIMPSE_ANY) return glimpse_agent_reveal(page.agent, deed->answer, NULL);
  return glimpse_agent_answer(page.agent, deed->move.inquiry, deed->answer, NULL);
}

glimpse_status page_look(glimpse_decision *decision) {
  const volatile int raised = 1;
  return glimpse_agent_search(page.agent, &(glimpse_budget){.expansions = 1, .interrupt = &raised}, decision);
}

glimpse_status page_return(void) {
  page.expansions = 0;
  page.planned = page.settled = false;
  glimpse_status status = glimpse_agent_begin(page.agent, page.step.episode);
  for (size_t i = 0; !status && i < page.deed_count; i++) {
    glimpse_decision decision;
    status = page_look(&decision);
    if (!status) status = page_tell(&page.deeds[i]);
  }
  return status;
}

/* Bounds, planner and agent for the model as it is, where the episode stands. */
static glimpse_status make_planner(void) {
  forget_planner();
  page.options = (glimpse_planner_options){.max_memory = MEMORY};
  glimpse_status status =
      glimpse_offline_new(page.model, glimpse_offline_upper(page.model), NULL, page.report, &page.offline);
  if (!status) status = glimpse_planner_new(page.model, page.offline, &page.options, page.report, &page.planner);
  if (status) return status;
  page.agent = glimpse_agent_new(page.model, page.planner, NULL);
  page.prospects = calloc((size_t)glimpse_agent_prospects_most(page.model) + 1, sizeof *page.prospects);
  if (!page.agent || !page.prospects) return GLIMPSE_NO_MEMORY;
  page.step.agent = page.agent;
  return page_return();
}

/* Another price, of asking for the state (GLIMPSE_ANY; 0: the agent may not ask) or of an inquiry.  World and belief
 * stay, and the search begins anew there. */
const char *page_price(uint32_t inquiry, double cost);
EXPORT(page_price) const char *page_price(uint32_t inquiry, double cost) {
  glimpse_report_clear(page.report);
  forget_planner(); /* it borrows the model */
  glimpse_status status = inquiry == GLIMPSE_ANY ? glimpse_model_set_cost(page.model, cost)
                                                 : glimpse_model_inquiry_set_price(page.model, inquiry, cost);
  glimpse_status made = make_planner();
  return page_outcome(status ? status : made);
}

/* Bounds, planner and belief. */
const char *page_prepare(void);
EXPORT(page_prepare) const char *page_prepare(void) {
  glimpse_report_clear(page.report);
  forget();
  page.step = (glimpse_step){0};
  page.deed_count = 0;
  page.before = glimpse_belief_new(page.model);
  glimpse_status status = page.before ? make_planner() : GLIMPSE_NO_MEMORY;
  if (status) forget();
  return page_outcome(status);
}

/* The built-in environments, and their parameters. */
const char *page_environments(void);
EXPORT(page_environments) const char *page_environments(void) {
  struct json json = page_answer();
  json_array(&json, "environments");
  const glimpse_environment *environment;
  for (size_t i = 0; (environment = glimpse_environment_get(i)); i++) {
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
