/* Trace: see trace.h.
 *
 * The lines of the first episode that is not complete go to the file as they come;
 * those of later ones wait in memory.  Whole lines are written at once, and what of them
 * does not fit on the disk is taken back, so that the file never ends within a line.  What
 * differs between two runs with an expansion budget (time, memory held) is left
 * out: the bytes are then the same for any number of jobs. */
#include "trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "json.h"
#include "message.h"
#include "output.h"
#include "picture.h"

/* --------------------------------------------------------------------- line */

static void json_decision(struct json *json, const glimpse_decision *decision, bool times) {
  json_number(json, "lower", decision->lower);
  json_number(json, "upper", decision->upper);
  json_number(json, "value", decision->value);
  json_count(json, "expansions", decision->expansions);
  json_text(json, "stop", glimpse_stop_key(decision->stop));
  if (times) json_number(json, "seconds", decision->seconds);
}

/* What was asked in a step, what was answered and what it cost. */
static void json_answers(struct json *json, const glimpse_model *model, const glimpse_step *step) {
  json_array(json, "inquiries");
  for (uint32_t i = 0; i < step->answers; i++) {
    const glimpse_answer *answer = &step->answer[i];
    json_object(json, NULL);
    json_text(json, "inquiry", glimpse_model_inquiry(model, answer->inquiry).name);
    json_text(json, "answer", glimpse_model_answer_name(model, answer->inquiry, answer->answer));
    json_number(json, "price", answer->price);
    json_close(json);
  }
  json_close(json);
}

static void write_line(const struct trace *trace, const glimpse_step *step, struct text *to) {
  const glimpse_model *model = trace->model;
  struct json json = json_begin_line(text_sink, to);
  json_count(&json, "episode", step->episode);
  json_count(&json, "step", step->step);
  json_text(&json, "state", glimpse_model_name(model, GLIMPSE_STATE, step->state));
  picture_belief_json(&json, model, trace->scratch);
  json_bool(&json, "ask", step->asked);
  json_decision(&json, &step->decision, trace->times);
  if (step->asked) {
    json_object(&json, "after");
    json_decision(&json, &step->after, trace->times);
    json_close(&json);
  } else {
    json_null(&json, "after");
  }
  if (glimpse_model_inquiries(model)) json_answers(&json, model, step);
  json_text(&json, "action", glimpse_model_name(model, GLIMPSE_ACTION, step->action));
  json_text(&json, "next_state", glimpse_model_name(model, GLIMPSE_STATE, step->next_state));
  json_text(&json, "observation", glimpse_model_name(model, GLIMPSE_OBSERVATION, step->observation));
  json_number(&json, "reward", step->reward);
  json_number(&json, "cost", step->cost);
  json_number(&json, "return", step->total);
  json_number(&json, "return_undiscounted", step->undiscounted);
  json_bool(&json, "last", step->last);
  json_end(&json);
}

/* --------------------------------------------------------------------- file */

/* Writes the lines of an episode that wait. */
static void flush(struct trace *trace, struct text *lines) {
  if (lines->length && !trace->error) {
    if (output_all(trace->file, lines->data, lines->length)) trace->whole += lines->length;
    else trace->error = errno;
    /* Of no use for a pipe, and no worse than a torn line if it fails. */
    if (trace->error && ftruncate(trace->file, (off_t)trace->whole)) lines->length = 0;
  }
  lines->length = 0;
}

int trace_begin(struct trace *trace, const char *path, const glimpse_model *model, uint64_t episodes, bool times) {
  *trace = (struct trace){.path = path, .model = model, .count = episodes, .times = times};
  if (!path) return TOOL_OK;
  trace->scratch = glimpse_belief_new(model);
  trace->episodes = calloc(episodes, sizeof *trace->episodes);
  if (!trace->scratch || !trace->episodes || pthread_mutex_init(&trace->lock, NULL)) {
    glimpse_belief_free(trace->scratch);
    free(trace->episodes);
    return message_no_memory();
  }
  trace->file = output_open(path);
  trace->open = trace->file >= 0;
  if (trace->open) return TOOL_OK;
  message_error("'%s' cannot be written: %s", path, strerror(errno));
  pthread_mutex_destroy(&trace->lock);
  glimpse_belief_free(trace->scratch);
  free(trace->episodes);
  return TOOL_FAILED;
}

bool trace_step(struct trace *trace, const glimpse_step *step) {
  if (!trace->open) return true;
  pthread_mutex_lock(&trace->lock);
  struct trace_episode *episode = &trace->episodes[step->episode];
  size_t before = episode->lines.length;
  if (glimpse_belief_set(trace->scratch, step->belief)) trace->error = ENOMEM;
  else write_line(trace, step, &episode->lines);
  if (episode->lines.failed) {
    episode->lines.length = before; /* no memory for the whole line */
    trace->error = ENOMEM;
  }
  episode->complete = step->last;
  if (trace->next == step->episode) flush(trace, &episode->lines);
  while (trace->next < trace->count && trace->episodes[trace->next].complete) {
    text_free(&trace->episodes[trace->next++].lines);
    if (trace->next < trace->count) flush(trace, &trace->episodes[trace->next].lines);
  }
  bool written = !trace->error;
  pthread_mutex_unlock(&trace->lock);
  return written;
}

int trace_end(struct trace *trace) {
  if (!trace->open) return TOOL_OK;
  /* Episodes without a step and those that were cut off hold up what comes later. */
  for (; trace->next < trace->count; trace->next++) {
    flush(trace, &trace->episodes[trace->next].lines);
    text_free(&trace->episodes[trace->next].lines);
  }
  if (close(trace->file) && !trace->error) trace->error = errno;
  pthread_mutex_destroy(&trace->lock);
  glimpse_belief_free(trace->scratch);
  free(trace->episodes);
  if (!trace->error) return TOOL_OK;
  message_error("'%s' cannot be written: %s", trace->path, strerror(trace->error));
  return TOOL_FAILED;
}
