/* Moment, as JSON: the lines of recordings, which the page reads as well (docs/AGENT.md has the
 * format). */
#include <stdlib.h>

#include "common/moment.h"

static void json_names(struct json *json, const char *key, const char *const *names, uint32_t count) {
  json_array(json, key);
  for (uint32_t i = 0; i < count; i++) json_text(json, NULL, names[i]);
  json_close(json);
}

void moment_scene(const glimpse_scene *scene, struct json *json) {
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
  json_names(json, "layers", scene->names, scene->layers);
  json_names(json, "places", scene->place_names, scene->places);
  json_close(json);
}

static void write_subject(struct json *json, const struct subject *subject) {
  json_text(json, "glimpse", "record");
  json_count(json, "version", MOMENT_VERSION);
  json_text(json, "program", glimpse_version());
  json_text(json, "model", subject->model);
  json_text(json, "settings", subject->settings);
  json_count(json, "episodes", subject->episodes);
  json_count(json, "states", subject->states);
  json_count(json, "actions", subject->actions);
  json_count(json, "observations", subject->observations);
  json_bool(json, "requests", subject->requests);
  if (subject->inquiries) json_bool(json, "inquiries", true);
  json_bool(json, "simulates", subject->simulates);
  json_bool(json, "timed", subject->timed);
  moment_scene(subject->scene, json);
}

static void json_decision(struct json *json, const char *key, const struct moment_decision *decision) {
  json_object(json, key);
  json_number(json, "lower", decision->lower);
  json_number(json, "upper", decision->upper);
  json_number(json, "value", decision->value);
  json_number(json, "reduction", decision->reduction);
  json_count(json, "expansions", decision->expansions);
  json_number(json, "seconds", decision->seconds);
  json_text(json, "stop", glimpse_stop_key(decision->stop));
  json_close(json);
}

static void json_belief(struct json *json, const struct moment *moment) {
  json_object(json, "belief");
  json_count(json, "states", moment->support);
  json_number(json, "entropy", moment->entropy);
  json_array(json, "largest");
  for (uint32_t i = 0; i < moment->states; i++) {
    const struct moment_state *state = &moment->state_list[i];
    json_array(json, NULL);
    json_text(json, NULL, state->name);
    json_number(json, NULL, state->probability);
    json_bool(json, NULL, state->truth);
    json_close(json);
  }
  json_close(json);
  json_array(json, "layers");
  for (uint32_t i = 0; i < moment->layers; i++) {
    const struct moment_layer *layer = &moment->layer_list[i];
    json_object(json, NULL);
    json_count(json, "at", layer->truth);
    json_array(json, "believed");
    for (uint32_t k = 0; k < layer->count; k++) {
      json_array(json, NULL);
      json_count(json, NULL, layer->weights[k].slot);
      json_number(json, NULL, layer->weights[k].weight);
      json_close(json);
    }
    json_close(json);
    json_close(json);
  }
  json_close(json);
  json_close(json);
}

static void json_choices(struct json *json, const struct moment *moment) {
  json_array(json, "choices");
  for (uint32_t i = 0; i < moment->choices; i++) {
    const struct moment_choice *choice = &moment->choice_list[i];
    json_object(json, NULL);
    json_text(json, "name", choice->name);
    json_bool(json, "ask", choice->ask);
    json_bool(json, "taken", choice->taken);
    json_number(json, "lower", choice->lower);
    json_number(json, "upper", choice->upper);
    json_number(json, "value", choice->value);
    json_count(json, "visits", choice->visits);
    json_close(json);
  }
  json_close(json);
}

static void json_answers(struct json *json, const struct moment *moment) {
  json_array(json, "answers");
  for (uint32_t i = 0; i < moment->answers; i++) {
    const struct moment_answer *answer = &moment->answer_list[i];
    json_object(json, NULL);
    json_text(json, "inquiry", answer->inquiry);
    json_text(json, "answer", answer->answer);
    json_number(json, "price", answer->price);
    json_close(json);
  }
  json_close(json);
  json_bool(json, "joint", moment->joint);
}

void moment_json(const struct moment *moment, struct json *json) {
  json_count(json, "episode", moment->episode);
  json_count(json, "step", moment->step);
  json_text(json, "state", moment->state);
  json_belief(json, moment);
  json_bool(json, "asked", moment->asked);
  json_decision(json, "decision", &moment->decision);
  if (moment->asked) json_decision(json, "after", &moment->after);
  else json_null(json, "after");
  if (moment->answers) json_answers(json, moment);
  json_choices(json, moment);
  json_text(json, "action", moment->action);
  json_text(json, "next_state", moment->next);
  json_text(json, "observation", moment->observation);
  json_number(json, "reward", moment->reward);
  json_number(json, "cost", moment->cost);
  json_number(json, "return", moment->total);
  json_count(json, "requests", moment->requests);
  json_bool(json, "last", moment->last);
}

static char *given(struct json *json, struct text *text) {
  json_end(json);
  if (!text->failed) return text->data;
  text_free(text);
  return NULL;
}

char *moment_subject_line(const struct subject *subject) {
  struct text text = {0};
  struct json json = json_begin_line(text_sink, &text);
  write_subject(&json, subject);
  return given(&json, &text);
}

char *moment_line(const struct moment *moment) {
  struct text text = {0};
  struct json json = json_begin_line(text_sink, &text);
  moment_json(moment, &json);
  return given(&json, &text);
}
