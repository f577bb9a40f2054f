/* Module, playing: a world, an agent in it, and the choices that are made for it. */
#include <math.h>
#include <stdlib.h>

#include "common/moment.h"
#include "common/reasons.h"
#include "page/module.h"

enum { FORECAST = 6 };

static const glimpse_decision nothing = {.action = GLIMPSE_ANY, .inquiry = GLIMPSE_ANY, .lower = NAN, .upper = NAN};

/* `before` is the belief of the step as an episode of the library keeps it: normalised once more. */
static glimpse_status begin_step(void) {
  glimpse_status status = glimpse_belief_set(page.before, glimpse_belief_row(glimpse_agent_belief(page.agent)));
  if (status) return status;
  uint32_t horizon = glimpse_model_limits(page.model).horizon;
  glimpse_step *step = &page.step;
  step->agent = page.agent;
  step->state = glimpse_world_state(page.world);
  step->asked = false;
  step->answers = 0;
  step->cost = step->reward = 0;
  step->action = step->next_state = step->observation = GLIMPSE_ANY;
  step->decision = step->after = nothing;
  page.expansions = page.earlier = 0;
  page.planned = false;
  page.over = glimpse_model_terminal(page.model, step->state) || (horizon && step->step >= horizon);
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
  page.deed_count = 0;
  page.settled = false;
  glimpse_status status = page.world ? GLIMPSE_OK : GLIMPSE_NO_MEMORY;
  if (!status) status = glimpse_agent_begin(page.agent, (uint64_t)episode);
  if (!status) status = begin_step();
  return page_outcome(status);
}

/* The decision of the step, the first or the one after asking, with the expansions of all its slices. */
static void note_decision(const glimpse_decision *decision) {
  page.expansions += decision->expansions;
  page.decision = *decision;
  page.decision.expansions = page.expansions;
  page.planned = true;
  if (!page.step.asked) page.step.decision = page.decision;
  else page.step.after = page.decision;
  if (page.step.asked) page.step.after.expansions += page.earlier;
}

/* A slice of the search; the number of its stop (GLIMPSE_STOP_TABLE), -1: out of memory. */
int page_plan(double expansions);
EXPORT(page_plan) int page_plan(double expansions) {
  glimpse_decision decision;
  if (page.over || (page.settled && page_return())) return -1;
  if (glimpse_agent_search(page.agent, &(glimpse_budget){.expansions = (uint64_t)expansions}, &decision)) return -1;
  note_decision(&decision);
  return (int)decision.stop;
}

static struct subject subject_of(void) {
  return (struct subject){.model = page.name,
                          .settings = "aems-loop, in a page",
                          .episodes = 1,
                          .states = glimpse_model_count(page.model, GLIMPSE_STATE),
                          .actions = glimpse_model_count(page.model, GLIMPSE_ACTION),
                          .observations = glimpse_model_count(page.model, GLIMPSE_OBSERVATION),
                          .requests = glimpse_model_requests(page.model) || glimpse_model_inquiries(page.model),
                          .inquiries = page_layered(),
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
                            .belief = glimpse_agent_belief(page.agent),
                            .decision = &page.decision,
                            .brief = true};
  if (page_layered()) {
    uint32_t count = glimpse_agent_prospects(page.agent, page.prospects);
    if (count == UINT32_MAX) return;
    grounds.agent = page.agent;
    grounds.prospects = page.prospects;
    grounds.prospect_count = count;
  }
  struct reasons reasons;
  char text[REASONS_TEXT];
  if (!reasons_weigh(&grounds, &reasons)) return;
  reasons_decision(&grounds, &reasons, text);
  json_text(json, "why", text);
  reasons_asking(&grounds, &reasons, text);
  json_text(json, "asking", text);
  reasons_json(&reasons, json);
  if (reasons.steps > FORECAST) reasons.steps = FORECAST;
  reasons_json_forecast(&grounds, &reasons, json);
}

/* What the planner would do, by the name of its choice; "?": it asks for the state. */
static void put_made(struct json *json) {
  const glimpse_decision *d = &page.decision;
  char name[MOMENT_NAME];
  reasons_name(page.model, &(glimpse_prospect){.move = {d->action, d->inquiry}, .ask = d->ask}, name, sizeof name);
  bool state = d->ask && d->inquiry == GLIMPSE_ANY;
  json_text(json, "made", !page.planned ? NULL : state ? "?" : name);
}

/* All that is to be seen at this belief: a moment whose step has not been made. */
const char *page_now(void);
EXPORT(page_now) const char *page_now(void) {
  struct subject subject = subject_of();
  struct json json = page_answer();
  glimpse_step step = page.step;
  step.state = glimpse_world_state(page.world); /* an inquiry may have changed it */
  if (!page.planned) step.agent = NULL;         /* its choices are those of the last decision */
  step.belief = glimpse_belief_row(step.asked ? glimpse_agent_belief(page.agent) : page.before);
  struct moment *moment = moment_new(&subject, page.model, page.planner, &step, page.requests);
  if (moment) moment_json(moment, &json);
  moment_free(moment);
  json_bool(&json, "over", page.over);
  json_bool(&json, "planned", page.planned);
  put_made(&json);
  json_count(&json, "nodes", page.decision.nodes);
  json_count(&json, "bytes", page.decision.bytes);
  json_number(&json, "offline_lower", page.decision.offline_lower);
  json_number(&json, "offline_upper", page.decision.offline_upper);
  if (page.planned) put_reasons(&json);
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

/* ----------------------------------------------------------------- choosing */

/* The move of a number, which the agent can make now; GLIMPSE_ANY: it asks for the state. */
static bool find_move(uint32_t choice, glimpse_move *move) {
  *move = (glimpse_move){choice, GLIMPSE_ANY};
  if (!page_layered()) {
    if (choice == GLIMPSE_ANY) return glimpse_model_requests(page.model) && !page.step.asked;
    return choice < glimpse_model_count(page.model, GLIMPSE_ACTION);
  }
  const glimpse_model *planning = glimpse_model_planning(page.model);
  uint32_t count = glimpse_agent_prospects(page.agent, page.prospects);
  if (choice >= glimpse_model_count(planning, GLIMPSE_ACTION) || count == UINT32_MAX) return false;
  *move = glimpse_planning_meaning(planning, choice);
  for (uint32_t i = 0; i < count; i++)
    if (page.prospects[i].move.action == move->action && page.prospects[i].move.inquiry == move->inquiry) return true;
  return false;
}

/* The agent makes its own choice, as it does in episodes: what it knows there is what a recording has.  A search that
 * was done has `left` expansions for the phases of the step that follow. */
static glimpse_status decide(glimpse_move move, double left) {
  const glimpse_decision *known = &page.decision;
  if (!page_layered() || page.settled || move.action != known->action || move.inquiry != known->inquiry)
    return GLIMPSE_OK;
  const volatile int raised = 1;
  glimpse_stop stop = known->stop;
  bool solved = stop == GLIMPSE_STOP_SOLVED || stop == GLIMPSE_STOP_ROUNDING;
  bool more = solved && left >= 1;
  glimpse_budget budget = {.expansions = more ? (uint64_t)left : 1, .interrupt = more ? NULL : &raised};
  glimpse_decision decision;
  glimpse_status status = glimpse_agent_decide(page.agent, &budget, &decision);
  if (status) return status;
  if (!more) decision.stop = stop;
  note_decision(&decision);
  return GLIMPSE_OK;
}

/* The choice as the program makes it, after the last slice: with the phases of the step that follow it, where nothing
 * is asked.  From there an inquiry needs the way back. */
const char *page_settle(double left);
EXPORT(page_settle) const char *page_settle(double left) {
  glimpse_report_clear(page.report);
  glimpse_move move = {page.decision.action, page.decision.inquiry};
  if (page.over || !page.planned || page.settled || !page_layered() || move.action == GLIMPSE_ANY)
    return page_outcome(GLIMPSE_OK);
  glimpse_status status = decide(move, left);
  page.settled = true;
  return page_outcome(status);
}

/* Asks where an action was settled, or the other way round: the agent goes back, and searches as long as before, so
 * that as much is known. */
static glimpse_status unsettle(glimpse_move move) {
  const glimpse_decision *known = &page.decision;
  bool same = move.action == known->action && move.inquiry == known->inquiry;
  bool acts = move.action != GLIMPSE_ANY && known->action != GLIMPSE_ANY;
  if (!page.settled || same || acts) return GLIMPSE_OK;
  glimpse_budget budget = {.expansions = page.expansions ? page.expansions : 1};
  glimpse_decision decision;
  glimpse_status status = page_return();
  if (!status) status = glimpse_agent_search(page.agent, &budget, &decision);
  if (!status) note_decision(&decision);
  return status;
}

static bool has_room(void) {
  if (page.deed_count == page.deed_room) {
    size_t room = 2 * page.deed_room + 16;
    struct deed *deeds = realloc(page.deeds, room * sizeof *deeds);
    if (!deeds) return false;
    page.deeds = deeds;
    page.deed_room = room;
  }
  if (page.step.answers + (size_t)1 >= page.answer_room) {
    size_t room = 2 * page.answer_room + 4;
    glimpse_answer *answers = realloc(page.answers, room * sizeof *answers);
    if (!answers) return false;
    page.answers = answers;
    page.answer_room = room;
  }
  return true;
}

/* The world answers. */
static glimpse_status reply(uint32_t inquiry, struct deed *deed) {
  glimpse_step *step = &page.step;
  glimpse_answer *answer = &page.answers[step->answers];
  glimpse_status status = glimpse_world_ask(page.world, inquiry, answer);
  if (status) return status;
  step->answers++;
  step->answer = page.answers;
  step->cost += answer->price;
  step->asked = true;
  deed->answer = answer->answer;
  return GLIMPSE_OK;
}

/* Asks; *over: with that the step is. */
static glimpse_status ask(struct deed *deed, bool *over) {
  glimpse_step *step = &page.step;
  if (deed->move.inquiry == GLIMPSE_ANY) {
    deed->answer = step->state;
    step->asked = true;
    step->cost = glimpse_model_cost(page.model, step->state);
    return GLIMPSE_OK;
  }
  page.earlier = step->asked ? step->after.expansions : 0;
  glimpse_status status = reply(deed->move.inquiry, deed);
  if (status) return status;
  step->next_state = glimpse_world_state(page.world);
  *over = glimpse_model_inquiry(page.model, deed->move.inquiry).timing == GLIMPSE_TIMING_STEP ||
          glimpse_model_terminal(page.model, step->next_state);
  step->after = nothing;
  step->after.expansions = page.earlier;
  return GLIMPSE_OK;
}

static glimpse_status act(struct deed *deed) {
  glimpse_step *step = &page.step;
  glimpse_outcome happened;
  glimpse_status status = glimpse_world_act(page.world, deed->move.action, &happened);
  if (status) return status;
  step->action = deed->move.action;
  step->next_state = happened.state;
  step->observation = deed->observation = happened.observation;
  step->reward = happened.reward;
  if (!page_layered()) return GLIMPSE_OK;
  *(step->asked ? &step->after.inquiry : &step->decision.inquiry) = deed->move.inquiry;
  if (deed->move.inquiry == GLIMPSE_ANY) return GLIMPSE_OK;
  if (!step->asked) step->after = step->decision;
  if (!step->asked) step->after.expansions = 0; /* they count once */
  return reply(deed->move.inquiry, deed);
}

/* The step is over: the moment of it, as a recording has it, while the agent is still there.  NULL: out of memory. */
static struct moment *end_step(void) {
  glimpse_step *step = &page.step;
  struct subject subject = subject_of();
  uint32_t horizon = glimpse_model_limits(page.model).horizon;
  step->total += page.discount * (step->reward - step->cost);
  page.discount *= glimpse_model_discount(page.model);
  step->last = glimpse_model_terminal(page.model, step->next_state) || step->step + 1 == horizon;
  step->belief = glimpse_belief_row(page.before);
  struct moment *moment = moment_new(&subject, page.model, page.planner, step, page.requests);
  page.requests += step->answers ? step->answers : step->asked;
  return moment;
}

static const char *tell_moment(const struct moment *moment) {
  struct json json = page_answer();
  moment_json(moment, &json);
  struct text text = {0};
  moment_tell(moment, text_sink, &text);
  json_text(&json, "text", text_string(&text));
  text_free(&text);
  return page_given(&json);
}

/* Makes a choice, by its number among the model's moves; GLIMPSE_ANY: asks for the state.  The answer is the moment,
 * and its text, where that ends the step; `left` expansions were not needed. */
const char *page_choose(uint32_t choice, double left);
EXPORT(page_choose) const char *page_choose(uint32_t choice, double left) {
  glimpse_report_clear(page.report);
  struct deed deed = {.observation = GLIMPSE_ANY, .answer = GLIMPSE_ANY};
  glimpse_decision decision;
  glimpse_status status = page.over ? GLIMPSE_NOT_APPLICABLE : GLIMPSE_OK;
  if (!status && !page.planned && !(status = page_look(&decision))) note_decision(&decision);
  if (!status && !find_move(choice, &deed.move)) status = GLIMPSE_BAD_ARGUMENT;
  if (!status && !has_room()) status = GLIMPSE_NO_MEMORY;
  if (!status) status = unsettle(deed.move);
  if (!status) status = decide(deed.move, left);
  bool over = deed.move.action != GLIMPSE_ANY;
  if (!status) status = over ? act(&deed) : ask(&deed, &over);
  if (status) return page_outcome(status);
  struct moment *moment = over ? end_step() : NULL;
  if (over && !moment) return page_outcome(GLIMPSE_NO_MEMORY);
  page.deeds[page.deed_count++] = deed;
  status = page_tell(&deed);
  page.expansions = 0;
  page.planned = page.settled = false;
  if (over) page.step.step++;
  if (over && !status) status = begin_step();
  const char *answer = over && !status ? tell_moment(moment) : page_outcome(status);
  moment_free(moment);
  return answer;
}
