/* Equivalent: a POMDP without requests that is worth as much as the POMDP-SR
 * (the paper's section "Equivalent POMDP" and its appendix; docs/ALGORITHM.md has the proof).
 *
 * Every step becomes two.  With S states, A actions and O observations:
 *   states        s  (0 <= s < S)   s in the request phase: ask or not?
 *                 S + s             s in the action phase: which action?
 *   actions       a  (0 <= a < A)   in the action phase the action, in the
 *                                   request phase "do not ask"
 *                 A                 in the request phase "ask", in the action
 *                                   phase the same as action 0
 *   observations  o  (0 <= o < O)   what the action shows
 *                 O + s             the answer: the state is s
 *                 O + S             what one sees who did not ask
 * so all that the model had keeps its number, and the start belief stands.
 *
 *   T'(S+s | s, any)    = 1            T'(s' | S+s, a)    = T(s' | s, a)
 *   O'(O+s | A, S+s)    = 1            O'(o | a, s')      = O(o | a, s')
 *   O'(O+S | a, S+s)    = 1
 *   R'(s, A)            = -c(s) g      R'(S+s, a, s', o)  = R(s, a, s', o)
 *   discount g = sqrt(discount of the model)
 *
 * Two places depart from the letter of the paper.  The request reward is
 * -c g and not -c / g: a price paid now must weigh as much as a reward of this
 * step, which is one half-step away and weighs g.  Then V'(b) = g V(b).  And
 * where the paper declares actions illegal in a phase, each has the effect of a
 * legal one; that adds no choice, needs no penalty, and makes a separate action
 * "do not ask" superfluous, which would only add a row to every state.
 *
 * No state of the result is terminal.  A terminal s goes to and fro between its
 * two phases at no reward, and asking in it is free: when the episode is over nobody
 * is asked.
 *
 * A model with inquiries or limits has a POMDP without requests already, the one that it is planned on.
 *
 * Cost: linear in the model. */
#include <math.h>
#include <string.h>

#include "base/report.h"
#include "model/layers.h"
#include "model/model.h"

typedef struct transform {
  const glimpse_model *model;
  glimpse_builder *builder;  /* remembers what fails; finish tells */
  uint32_t request, unasked; /* the new action, the last new observation */
  char *text;                /* room for the longest name that is made */
} transform;

/* ---- names ---- */

static const char request_stem[] = "request", answer_stem[] = "is", unasked_stem[] = "unasked";
static const char *const phase[2] = {"-ask", "-act"};

static size_t longest_name(const glimpse_model *model, glimpse_kind kind) {
  size_t longest = 0;
  for (uint32_t i = 0, count = glimpse_model_count(model, kind); i < count; i++) {
    size_t length = strlen(glimpse_model_name(model, kind, i));
    if (length > longest) longest = length;
  }
  return longest;
}

/* How many - must follow the stem so that the stem, they and then nothing or a
 * letter cannot be the name of anything of that kind. */
static size_t dashes_after(const glimpse_model *model, glimpse_kind kind, const char *stem) {
  size_t length = strlen(stem), dashes = 0;
  for (uint32_t i = 0, count = glimpse_model_count(model, kind); i < count; i++) {
    const char *name = glimpse_model_name(model, kind, i);
    if (strncmp(name, stem, length) != 0) continue;
    size_t run = strspn(name + length, "-");
    if (run >= dashes) dashes = run + 1;
  }
  return dashes;
}

static char *append(char *end, const char *text) {
  size_t length = strlen(text);
  memcpy(end, text, length + 1);
  return end + length;
}

static char *append_stem(char *end, const char *stem, size_t dashes) {
  end = append(end, stem);
  memset(end, '-', dashes);
  end[dashes] = 0;
  return end + dashes;
}

/* The name, or the number behind a letter, since a bare number is no name. */
static char *append_name(char *end, const glimpse_model *model, glimpse_kind kind, uint32_t i) {
  static const char *const letter[3] = {"s", "a", "o"};
  if (!glimpse_model_named(model, kind)) end = append(end, letter[kind]);
  return append(end, glimpse_model_name(model, kind, i));
}

static bool add_names(transform *t) {
  const glimpse_model *model = t->model;
  size_t asking = dashes_after(model, GLIMPSE_ACTION, request_stem);
  size_t silent = dashes_after(model, GLIMPSE_OBSERVATION, unasked_stem);
  size_t answer = dashes_after(model, GLIMPSE_OBSERVATION, answer_stem);
  if (answer == 0) answer = 1; /* "is-left" reads better than "isleft" */
  size_t room = asking + silent + answer + sizeof request_stem + sizeof unasked_stem + sizeof answer_stem;
  for (int kind = 0; kind < 3; kind++) room += longest_name(model, (glimpse_kind)kind) + sizeof "s-ask";
  t->text = GLI_NEW(char, room);
  if (!t->text) return false;
  for (uint32_t s = 0; s < model->states; s++) {
    for (uint32_t p = 0; p < 2; p++) {
      append(append_name(t->text, model, GLIMPSE_STATE, s), phase[p]);
      glimpse_builder_name(t->builder, GLIMPSE_STATE, p * model->states + s, t->text);
    }
    append_name(append_stem(t->text, answer_stem, answer), model, GLIMPSE_STATE, s);
    glimpse_builder_name(t->builder, GLIMPSE_OBSERVATION, model->observations + s, t->text);
  }
  for (uint32_t a = 0; a < model->actions; a++) {
    append_name(t->text, model, GLIMPSE_ACTION, a);
    glimpse_builder_name(t->builder, GLIMPSE_ACTION, a, t->text);
  }
  for (uint32_t o = 0; o < model->observations; o++) {
    append_name(t->text, model, GLIMPSE_OBSERVATION, o);
    glimpse_builder_name(t->builder, GLIMPSE_OBSERVATION, o, t->text);
  }
  append_stem(t->text, request_stem, asking);
  glimpse_builder_name(t->builder, GLIMPSE_ACTION, t->request, t->text);
  append_stem(t->text, unasked_stem, silent);
  glimpse_builder_name(t->builder, GLIMPSE_OBSERVATION, t->unasked, t->text);
  return true;
}

/* ---- numbers ---- */

static void add_request_phase(transform *t, double discount) {
  const glimpse_model *model = t->model;
  for (uint32_t s = 0; s < model->states; s++) {
    uint32_t next = model->states + s;
    glimpse_builder_transition(t->builder, GLIMPSE_ANY, s, next, 1);
    glimpse_builder_observation(t->builder, GLIMPSE_ANY, next, t->unasked, 1);
    glimpse_builder_observation(t->builder, t->request, next, t->unasked, 0);
    glimpse_builder_observation(t->builder, t->request, next, model->observations + s, 1);
    glimpse_builder_reward(t->builder, t->request, s, GLIMPSE_ANY, GLIMPSE_ANY, -gli_model_price(model, s) * discount);
  }
}

/* What action a of the model does, under the number `action`. */
static void add_action(transform *t, uint32_t a, uint32_t action) {
  const glimpse_model *model = t->model;
  const gli_steps *steps = &model->steps;
  for (uint32_t s = 0; s < model->states; s++) {
    uint32_t from = model->states + s;
    glimpse_row reached = glimpse_model_transition(model, a, s);
    for (size_t i = 0; i < reached.count; i++)
      glimpse_builder_transition(t->builder, action, from, reached.index[i], reached.value[i]);
    glimpse_row seen = glimpse_model_observation(model, a, s); /* on reaching s */
    for (size_t i = 0; i < seen.count; i++)
      glimpse_builder_observation(t->builder, action, s, seen.index[i], seen.value[i]);
    uint64_t row = gli_model_row(model, a, s);
    for (uint64_t i = steps->row[row]; i < steps->row[row + 1]; i++)
      glimpse_builder_reward(t->builder, action, from, steps->next[i], steps->observation[i], steps->value[i]);
  }
}

static void add_start(transform *t) {
  glimpse_row start = glimpse_model_start(t->model);
  for (size_t i = 0; i < start.count; i++) glimpse_builder_start(t->builder, start.index[i], start.value[i]);
}

static glimpse_status applicable(const glimpse_model *model, glimpse_report *report) {
  if (!model->requests)
    return GLI_FAIL(report, GLIMPSE_NOT_APPLICABLE,
                    "the model has no request cost, so it already is a POMDP without requests");
  if (model->discount == 0)
    return GLI_FAIL(report, GLIMPSE_NOT_APPLICABLE,
                    "the discount is 0, so the action that follows the request phase would have no weight");
  uint64_t states = 2 * (uint64_t)model->states, actions = (uint64_t)model->actions + 1;
  uint64_t observations = (uint64_t)model->observations + model->states + 1;
  if (states > GLIMPSE_MAX_COUNT || observations > GLIMPSE_MAX_COUNT || actions > GLIMPSE_MAX_ACTIONS ||
      states * actions > GLIMPSE_MAX_ROWS)
    return GLI_FAIL(report, GLIMPSE_TOO_LARGE,
                    "the equivalent POMDP would have %llu states, %llu actions and %llu observations, "
                    "more than the limits allow",
                    (unsigned long long)states, (unsigned long long)actions, (unsigned long long)observations);
  return GLIMPSE_OK;
}

glimpse_status glimpse_model_equivalent(const glimpse_model *model, glimpse_report *report,
                                        glimpse_model **equivalent) {
  *equivalent = NULL;
  if (model->planning) {
    glimpse_status made = gli_layered_new(model, report, equivalent);
    if (made) return made;
    gli_layers_free((*equivalent)->layers); /* it stands for itself */
    (*equivalent)->layers = NULL;
    return GLIMPSE_OK;
  }
  glimpse_status status = applicable(model, report);
  if (status) return status;
  transform t = {.model = model, .request = model->actions, .unasked = model->observations + model->states};
  t.builder = glimpse_builder_new(2 * model->states, t.request + 1, t.unasked + 1);
  if (t.builder && add_names(&t)) {
    double discount = sqrt(model->discount);
    glimpse_builder_discount(t.builder, discount);
    add_start(&t);
    add_request_phase(&t, discount);
    for (uint32_t a = 0; a < model->actions; a++) add_action(&t, a, a);
    add_action(&t, 0, t.request);
    status = glimpse_builder_finish(t.builder, report, equivalent);
  } else {
    status = GLI_FAIL(report, GLIMPSE_NO_MEMORY, "%s", glimpse_status_text(GLIMPSE_NO_MEMORY));
  }
  gli_memory_free(t.text);
  glimpse_builder_free(t.builder);
  return status;
}
