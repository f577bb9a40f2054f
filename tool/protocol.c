/* Protocol: see protocol.h.
 *
 * Each verb checks its message completely before it does anything, and what the library
 * refuses changes nothing: so an error never moves the agent.
 *
 * A reply is built in memory and handed out whole. */
#include "protocol.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/moment.h"
#include "common/nearest.h"
#include "common/reasons.h"
#include "lines.h"
#include "open_model.h"
#include "picture.h"

enum { MOST_SHOWN = 1000, PROTOCOL_VERSION = 1 };

/* -------------------------------------------------------------------- reply */

static const char *state_name(const struct session *session, uint32_t s) {
  return glimpse_model_name(session->decide.search.model, GLIMPSE_STATE, s);
}

static glimpse_stand stand(const struct session *session) {
  return glimpse_agent_stand(session->agent);
}

/* Does it wait for an answer that is not the state? */
static bool waits_for_answer(const struct session *session) {
  const glimpse_model *model = session->decide.search.model;
  return stand(session).phase == GLIMPSE_PHASE_STATE && glimpse_model_inquiries(model) &&
         !glimpse_model_inquiry(model, session->decide.decision.inquiry).state;
}

static void put_next(const struct session *session, struct json *json) {
  json_text(json, "next", waits_for_answer(session) ? "answer" : glimpse_phase_key(stand(session).phase));
}

/* Every state that it may be in is terminal, or the horizon is reached. */
static bool done(const struct session *session) {
  if (stand(session).layer == GLIMPSE_ANY) return true;
  glimpse_row row = glimpse_belief_row(session->decide.belief);
  for (size_t i = 0; i < row.count; i++)
    if (!glimpse_model_terminal(session->decide.search.model, row.index[i])) return false;
  return true;
}

static void put_place(const struct session *session, struct json *json) {
  json_count(json, "states", glimpse_belief_row(session->decide.belief).count);
  json_number(json, "entropy", glimpse_belief_entropy(session->decide.belief));
  json_bool(json, "done", done(session));
}

static void put_decision(const struct session *session, struct json *json) {
  const glimpse_decision *d = &session->decide.decision;
  json_bool(json, "ask", d->ask);
  if (!d->ask) {
    json_text(json, "act", decide_name(&session->decide, d->action));
    json_count(json, "index", d->action);
  }
  const glimpse_model *model = session->decide.search.model;
  if (glimpse_model_inquiries(model)) json_text(json, "inquiry", glimpse_model_inquiry(model, d->inquiry).name);
  if (stand(session).lost) json_bool(json, "lost", true);
  json_number(json, "lower", d->lower);
  json_number(json, "upper", d->upper);
  if (decide_estimates(&session->decide)) json_number(json, "value", d->value);
  json_count(json, "expansions", d->expansions);
  json_number(json, "seconds", decide_seconds(d->seconds));
  json_text(json, "stop", glimpse_stop_key(d->stop));
  put_next(session, json);
}

/* -------------------------------------------------------------------- verbs */

static bool failed(struct session *session, glimpse_status status) {
  protocol_refuse(session, "%s", glimpse_status_text(status));
  if (status == GLIMPSE_NO_MEMORY)
    protocol_advise(session, "{\"do\":\"reset\"} begins anew; '--max-memory' is the limit");
  return false;
}

/* A budget in the message takes the place of the one of the command line. */
static bool read_budget(struct session *session, const document *message, glimpse_budget *budget) {
  const document *time = document_get(message, "time"), *expansions = document_get(message, "expansions");
  const document *epsilon = document_get(message, "epsilon");
  *budget = session->decide.search.budget;
  if (time || expansions) budget->time = 0, budget->expansions = 0;
  if (time && !protocol_positive(session, time, &budget->time)) return false;
  if (expansions && !protocol_count(session, expansions, (uint64_t)1 << 50, &budget->expansions)) return false;
  return !epsilon || protocol_number(session, epsilon, &budget->epsilon);
}

/* Also tells when the system has refused memory since the last decision. */
static void take_decision(struct session *session, glimpse_decision decision) {
  if (decision.refused > session->refused) {
    search_warn_refused();
    session->refused = decision.refused;
  }
  session->decide.decision = decision;
}

static bool waits_for_state(struct session *session) {
  if (waits_for_answer(session)) {
    protocol_refuse(session, "the agent has asked '%.60s' and waits for the answer",
                    glimpse_model_inquiry(session->decide.search.model, session->decide.decision.inquiry).name);
    return protocol_advise(session, "tell it with {\"answer\":\"NAME\"}, say that nobody answers with "
                                    "{\"do\":\"no answer\"}, or begin anew with {\"do\":\"reset\"}");
  }
  protocol_refuse(session, "the agent has asked for the state and waits for it");
  return protocol_advise(session, "tell it with {\"state\":\"NAME\"}, say that nobody answers with "
                                  "{\"do\":\"no answer\"}, or begin anew with {\"do\":\"reset\"}");
}

static bool do_decide(struct session *session, const document *message, struct json *json) {
  glimpse_budget budget;
  if (!read_budget(session, message, &budget)) return false;
  if (stand(session).phase == GLIMPSE_PHASE_STATE) return waits_for_state(session);
  if (stand(session).layer == GLIMPSE_ANY) {
    unsigned steps = glimpse_model_limits(session->decide.search.model).horizon;
    protocol_refuse(session, "the horizon of %u step%s is over", steps, steps == 1 ? "" : "s");
    return protocol_advise(session, "{\"do\":\"reset\"} begins anew");
  }
  glimpse_decision decision;
  glimpse_status status = glimpse_agent_decide(session->agent, &budget, &decision);
  if (status) return failed(session, status);
  take_decision(session, decision);
  put_decision(session, json);
  return true;
}

static bool do_state(struct session *session, const document *message, struct json *json) {
  uint32_t s;
  if (!protocol_index(session, document_get(message, "state"), GLIMPSE_STATE, &s)) return false;
  if (waits_for_answer(session)) return waits_for_state(session);
  if (stand(session).phase != GLIMPSE_PHASE_STATE && !stand(session).surprised) {
    protocol_refuse(session, "the agent did not ask for the state");
    return protocol_advise(
        session,
        stand(session).phase == GLIMPSE_PHASE_DECIDE
            ? "{\"do\":\"decide\"} says whether it does; {\"do\":\"reset\",\"belief\":\"%s\"} puts it there"
            : "it waits for {\"observation\":\"NAME\"}; {\"do\":\"reset\",\"belief\":\"%s\"} puts it there",
        state_name(session, s));
  }
  double believed = glimpse_belief_probability(session->decide.belief, s);
  glimpse_decision decision;
  glimpse_status status = glimpse_agent_reveal(session->agent, s, &decision);
  if (status) return failed(session, status);
  take_decision(session, decision);
  json_number(json, "believed", believed);
  put_decision(session, json);
  return true;
}

/* The inquiry of a message, or that of the decision, and the answer to it. */
static bool read_answer(struct session *session, const document *message, uint32_t *inquiry, uint32_t *answer) {
  const glimpse_model *model = session->decide.search.model;
  const document *named = document_get(message, "inquiry"), *told = document_get(message, "answer");
  *inquiry = session->decide.decision.inquiry;
  if (!glimpse_model_inquiries(model)) {
    protocol_refuse(session, "this model has no inquiries, only the state can be asked for");
    return protocol_advise(session, "tell it with {\"state\":\"NAME\"}");
  }
  if (named &&
      (named->kind != DOCUMENT_TEXT || (*inquiry = glimpse_model_inquiry_find(model, named->text)) == GLIMPSE_ANY)) {
    protocol_refuse(session, "there is no such inquiry");
    return protocol_advise(session, "{\"do\":\"names\"} lists them");
  }
  if (*inquiry == GLIMPSE_ANY) return protocol_refuse(session, "the decision did not ask anything");
  if (told->kind != DOCUMENT_TEXT ||
      (*answer = glimpse_model_answer_find(model, *inquiry, told->text)) == GLIMPSE_ANY) {
    protocol_refuse(session, "this is no answer of '%.60s'", glimpse_model_inquiry(model, *inquiry).name);
    return protocol_advise(session, "{\"do\":\"names\"} lists them");
  }
  return true;
}

/* What follows an answer, or that there is none: the step is over where asking was one, else there is a decision. */
static bool put_answered(struct session *session, glimpse_decision decision, struct json *json) {
  if (stand(session).phase == GLIMPSE_PHASE_DECIDE) {
    session->step++;
    json_bool(json, "ok", true);
    put_place(session, json);
    put_next(session, json);
    return true;
  }
  take_decision(session, decision);
  put_decision(session, json);
  return true;
}

static bool do_answer(struct session *session, const document *message, struct json *json) {
  uint32_t inquiry = GLIMPSE_ANY, answer = GLIMPSE_ANY;
  if (!read_answer(session, message, &inquiry, &answer)) return false;
  if (stand(session).phase != GLIMPSE_PHASE_STATE) {
    protocol_refuse(session, "the agent waits for no answer");
    return protocol_advise(session, stand(session).phase == GLIMPSE_PHASE_DECIDE
                                        ? "{\"do\":\"decide\"} says whether it asks"
                                        : "with an observation, send {\"observation\":\"NAME\",\"answer\":\"NAME\"}");
  }
  glimpse_decision decision;
  glimpse_status status = glimpse_agent_answer(session->agent, inquiry, answer, &decision);
  if (status == GLIMPSE_IMPOSSIBLE) return protocol_refuse(session, "the model excludes this answer at this belief");
  if (status) return failed(session, status);
  return put_answered(session, decision, json);
}

static bool do_no_answer(struct session *session, const document *message, struct json *json) {
  (void)message;
  if (stand(session).phase != GLIMPSE_PHASE_STATE) {
    protocol_refuse(session, "the agent did not ask for the state");
    return protocol_advise(session, stand(session).phase == GLIMPSE_PHASE_DECIDE
                                        ? "{\"do\":\"decide\"} says whether it does"
                                        : "it waits for {\"observation\":\"NAME\"}");
  }
  glimpse_decision decision;
  glimpse_status status = glimpse_agent_no_answer(session->agent, &decision);
  if (status) return failed(session, status);
  return put_answered(session, decision, json);
}

/* The observation is one that the model excludes. */
static bool impossible(struct session *session, uint32_t a, uint32_t o) {
  const glimpse_model *model = session->decide.search.model;
  protocol_refuse(session, "'%.60s' cannot be observed after '%.60s' at this belief",
                  glimpse_model_name(model, GLIMPSE_OBSERVATION, o), glimpse_model_name(model, GLIMPSE_ACTION, a));
  return protocol_advise(session, "was another action done? Send it as \"action\"; or tell where it is with "
                                  "{\"state\":\"NAME\"}; '--ask-when-lost' makes the agent ask");
}

/* The decision asked together with the action, and the answer is not there. */
static bool lacks_answer(struct session *session) {
  const glimpse_model *model = session->decide.search.model;
  const char *name = glimpse_model_inquiry(model, session->decide.decision.inquiry).name;
  protocol_refuse(session, "the agent has asked '%.60s' together with the action, and the answer is missing", name);
  return protocol_advise(session, "send \"answer\" beside \"observation\"; if only the action was done, send it as "
                                  "\"action\"");
}

static bool do_observation(struct session *session, const document *message, struct json *json) {
  const document *action = document_get(message, "action");
  uint32_t o, a = session->decide.decision.action;
  if (!protocol_index(session, document_get(message, "observation"), GLIMPSE_OBSERVATION, &o)) return false;
  if (action && !protocol_index(session, action, GLIMPSE_ACTION, &a)) return false;
  if (stand(session).phase == GLIMPSE_PHASE_STATE) return waits_for_state(session);
  if (stand(session).phase == GLIMPSE_PHASE_DECIDE) {
    protocol_refuse(session, "there is no decision that this could be the outcome of");
    return protocol_advise(session, "{\"do\":\"decide\"} comes first");
  }
  uint32_t inquiry = GLIMPSE_ANY, answer = GLIMPSE_ANY;
  bool told = document_get(message, "answer");
  if (!told && !session->decide.decision.ask && session->decide.decision.inquiry != GLIMPSE_ANY && !action)
    return lacks_answer(session);
  if (told && !read_answer(session, message, &inquiry, &answer)) return false;
  glimpse_status status = told ? glimpse_agent_observe_answer(session->agent, a, o, inquiry, answer)
                               : glimpse_agent_observe(session->agent, a, o);
  if (status == GLIMPSE_IMPOSSIBLE) return impossible(session, a, o);
  if (status) return failed(session, status);
  session->step++;
  json_bool(json, "ok", true);
  json_text(json, "action", decide_name(&session->decide, a));
  json_number(json, "probability", stand(session).probability);
  if (stand(session).lost) json_bool(json, "lost", true);
  put_place(session, json);
  put_next(session, json);
  return true;
}

static bool do_reset(struct session *session, const document *message, struct json *json) {
  const document *belief = document_get(message, "belief");
  if (belief && !protocol_belief(session, belief)) return false;
  glimpse_status status =
      belief ? glimpse_agent_begin_at(session->agent, glimpse_belief_row(session->probe), session->episode + 1)
             : glimpse_agent_begin(session->agent, session->episode + 1);
  if (status) return failed(session, status);
  session->episode++;
  session->step = 0;
  json_bool(json, "ok", true);
  json_count(json, "episode", session->episode);
  put_place(session, json);
  put_next(session, json);
  return true;
}

static void put_entry(const struct session *session, struct json *json, glimpse_row row, size_t place) {
  json_number(json, state_name(session, row.index[place]), row.value[place]);
}

static bool do_belief(struct session *session, const document *message, struct json *json) {
  const document *most = document_get(message, "most");
  glimpse_row row = glimpse_belief_row(session->decide.belief);
  size_t places[MOST_SHOWN], shown = row.count;
  uint64_t limit;
  double rest = 1;
  if (most && !protocol_count(session, most, MOST_SHOWN, &limit)) return false;
  if (most) shown = moment_largest(row, places, (size_t)limit);
  json_object(json, "belief");
  for (size_t i = 0; i < shown; i++) {
    size_t place = most ? places[i] : i;
    put_entry(session, json, row, place);
    rest -= row.value[place];
  }
  json_close(json);
  if (most) json_number(json, "rest", shown == row.count ? 0 : fmax(0, rest));
  put_place(session, json);
  put_next(session, json);
  return true;
}

static bool do_explain(struct session *session, const document *message, struct json *json) {
  (void)message;
  if (stand(session).phase == GLIMPSE_PHASE_DECIDE) {
    protocol_refuse(session, "there is no decision at this belief to explain");
    return protocol_advise(session, "{\"do\":\"decide\"} comes first");
  }
  if (stand(session).lost && session->decide.decision.ask)
    return protocol_refuse(session, "the agent asks because what it observed was impossible: it is lost");
  const glimpse_model *model = session->decide.search.model;
  const glimpse_decision *d = &session->decide.decision;
  if (glimpse_model_planning(model) != model) session->decide.agent = session->agent; /* its choices are told */
  if (!decide_look(&session->decide)) return failed(session, GLIMPSE_NO_MEMORY);
  struct grounds grounds = decide_grounds(&session->decide);
  struct reasons reasons;
  char text[REASONS_TEXT];
  if (!reasons_weigh(&grounds, &reasons)) return failed(session, GLIMPSE_NO_MEMORY);
  json_bool(json, "ask", d->ask);
  if (!d->ask) json_text(json, "act", decide_name(&session->decide, d->action));
  if (glimpse_model_inquiries(model)) json_text(json, "inquiry", glimpse_model_inquiry(model, d->inquiry).name);
  reasons_decision(&grounds, &reasons, text);
  json_text(json, "why", text);
  reasons_asking(&grounds, &reasons, text);
  json_text(json, "asking", text);
  reasons_json(&reasons, json);
  decide_json_choices(&session->decide, json);
  reasons_json_forecast(&grounds, &reasons, json);
  put_next(session, json);
  return true;
}

static void put_names(const struct session *session, struct json *json, const char *key, glimpse_kind kind) {
  const glimpse_model *model = session->decide.search.model;
  json_array(json, key);
  for (uint32_t i = 0; i < glimpse_model_count(model, kind); i++)
    json_text(json, NULL, glimpse_model_name(model, kind, i));
  json_close(json);
}

static void put_inquiries(const struct session *session, struct json *json) {
  const glimpse_model *model = session->decide.search.model;
  if (!glimpse_model_inquiries(model)) return;
  json_object(json, "inquiries");
  for (uint32_t i = 0; i < glimpse_model_inquiries(model); i++) {
    glimpse_inquiry inquiry = glimpse_model_inquiry(model, i);
    json_array(json, inquiry.name);
    for (uint32_t z = 0; z < inquiry.answers; z++) json_text(json, NULL, glimpse_model_answer_name(model, i, z));
    json_close(json);
  }
  json_close(json);
}

static bool do_names(struct session *session, const document *message, struct json *json) {
  (void)message;
  put_names(session, json, "actions", GLIMPSE_ACTION);
  put_names(session, json, "observations", GLIMPSE_OBSERVATION);
  put_names(session, json, "states", GLIMPSE_STATE);
  put_inquiries(session, json);
  put_next(session, json);
  return true;
}

static bool do_info(struct session *session, const document *message, struct json *json) {
  (void)message;
  char settings[SEARCH_TEXT];
  search_text(&session->decide.search, settings);
  json_text(json, "glimpse", glimpse_version());
  json_count(json, "protocol", PROTOCOL_VERSION);
  json_text(json, "model", session->decide.name);
  open_model_json(session->decide.search.model, json);
  json_text(json, "planner", glimpse_planner_key(session->decide.search.planner.kind));
  json_text(json, "settings", settings);
  json_count(json, "episode", session->episode);
  json_count(json, "step", session->step);
  put_next(session, json);
  return true;
}

static bool do_quit(struct session *session, const document *message, struct json *json) {
  (void)message;
  session->over = true;
  json_bool(json, "bye", true);
  return true;
}

/* ----------------------------------------------------------------- messages */

/* The fields that each takes; all take "id".  Those without "do" are named by their field. */
static const struct verb {
  const char *name;
  bool (*answer)(struct session *session, const document *message, struct json *json);
  const char *fields[5];
} verbs[] = {
    {"decide", do_decide, {"do", "time", "expansions", "epsilon"}},
    {"state", do_state, {"state"}},
    {"no answer", do_no_answer, {"do"}},
    {"observation", do_observation, {"observation", "action", "inquiry", "answer"}},
    {"answer", do_answer, {"answer", "inquiry"}},
    {"reset", do_reset, {"do", "belief"}},
    {"belief", do_belief, {"do", "most"}},
    {"explain", do_explain, {"do"}},
    {"names", do_names, {"do"}},
    {"info", do_info, {"do"}},
    {"quit", do_quit, {"do"}},
};
enum { VERBS = sizeof verbs / sizeof *verbs };

static bool is_done(const struct verb *verb) {
  return !strcmp(verb->fields[0], "do");
}

static const struct verb *find_verb(struct session *session, const document *message) {
  static const char all[] = "decide, no answer, reset, belief, explain, names, info, quit";
  const document *word = document_get(message, "do");
  const char *name = word && word->kind == DOCUMENT_TEXT ? word->text : "";
  struct nearest nearest = nearest_begin(name);
  for (size_t i = 0; i < VERBS; i++) {
    bool meant = is_done(&verbs[i]) ? !strcmp(verbs[i].name, name) : !word && document_get(message, verbs[i].name);
    if (meant) return &verbs[i];
    if (is_done(&verbs[i])) nearest_offer(&nearest, verbs[i].name);
  }
  if (!word) {
    protocol_refuse(session, "the message has none of 'do', 'state' and 'observation'");
    protocol_advise(session, "send {\"do\":\"decide\"}, {\"state\":\"NAME\"} or {\"observation\":\"NAME\"}");
  } else if (word->kind != DOCUMENT_TEXT) {
    protocol_refuse(session, "'do' has to be a text");
    protocol_advise(session, "it is one of %s", all);
  } else {
    protocol_refuse(session, "there is no message '%.60s'", name);
    if (nearest.best) protocol_advise(session, "did you mean '%s'?", nearest.best);
    else protocol_advise(session, "it is one of %s", all);
  }
  return NULL;
}

static bool check_fields(struct session *session, const document *message, const struct verb *verb) {
  for (const document *field = message->first; field; field = field->next) {
    struct nearest nearest = nearest_begin(field->key);
    bool known = !strcmp(field->key, "id");
    for (size_t i = 0; verb->fields[i]; i++) {
      known = known || !strcmp(field->key, verb->fields[i]);
      nearest_offer(&nearest, verb->fields[i]);
    }
    if (known) continue;
    protocol_refuse(session, "the message '%s' has no field '%.60s'", verb->name, field->key);
    if (nearest.best) return protocol_advise(session, "did you mean '%s'?", nearest.best);
    return protocol_advise(session, "send one thing at a time");
  }
  return true;
}

static bool obey(struct session *session, const document *message, struct json *json) {
  const document *id = document_get(message, "id");
  if (id && id->kind != DOCUMENT_TEXT && id->kind != DOCUMENT_NUMBER)
    return protocol_refuse(session, "'id' has to be a text or a number");
  const struct verb *verb = find_verb(session, message);
  return verb && check_fields(session, message, verb) && verb->answer(session, message, json);
}

/* Begins a reply, with what the sender calls the message. */
static struct json begin(struct text *reply, const document *message) {
  const document *id = document_get(message, "id");
  reply->length = 0;
  struct json json = json_begin_line(text_sink, reply);
  if (id && id->kind == DOCUMENT_TEXT) json_text(&json, "id", id->text);
  if (id && id->kind == DOCUMENT_NUMBER) json_literal(&json, "id", id->text); /* as it was written */
  return json;
}

void protocol_answer(struct session *session, const char *text, size_t length, struct text *reply) {
  static const char last_words[] = "{\"error\": \"out of memory\"}\n";
  *session->error = *session->hint = 0;
  document *message = text ? protocol_read(session, text, length) : NULL;
  if (!text) protocol_refuse(session, "the line is longer than %d bytes", LINES_LONGEST);
  struct json json = begin(reply, message);
  if (!message || !obey(session, message, &json)) {
    json = begin(reply, message);
    json_text(&json, "error", session->error);
    if (*session->hint) json_text(&json, "hint", session->hint);
    put_next(session, &json);
  }
  json_end(&json);
  document_free(message);
  if (!reply->failed) return;
  reply->failed = false; /* what was done is done; only the answer is lost */
  reply->length = 0;
  if (!text_sink(reply, last_words, sizeof last_words - 1)) reply->length = 0;
}
