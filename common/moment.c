/* Moment: see moment.h. */
#include "common/moment.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/reasons.h"
#include "common/text.h"

void moment_free(struct moment *moment) {
  if (!moment) return;
  free(moment->weight_list);
  free(moment->layer_list);
  free(moment->choice_list);
  free(moment->answer_list);
  free(moment->state_list);
  free(moment);
}

static void name(char to[MOMENT_NAME], const glimpse_model *model, glimpse_kind kind, uint32_t i) {
  const char *known = glimpse_model_name(model, kind, i);
  snprintf(to, MOMENT_NAME, "%s", known ? known : "");
}

static double finite(double value) {
  return isfinite(value) ? value : (double)NAN;
}

size_t moment_largest(glimpse_row belief, size_t *places, size_t most) {
  size_t count = 0;
  for (size_t i = 0; i < belief.count; i++) {
    size_t at = count;
    while (at && belief.value[i] > belief.value[places[at - 1]]) at--;
    if (at == most) continue;
    if (count < most) count++;
    memmove(places + at + 1, places + at, (count - 1 - at) * sizeof *places);
    places[at] = i;
  }
  return count;
}

static struct moment_decision decision_of(const struct subject *subject, const glimpse_decision *decision) {
  return (struct moment_decision){.lower = finite(decision->lower),
                                  .upper = finite(decision->upper),
                                  .value = finite(decision->value),
                                  .reduction = finite(glimpse_decision_reduction(decision)),
                                  .seconds = subject->timed ? finite(decision->seconds) : (double)NAN,
                                  .expansions = decision->expansions,
                                  .stop = decision->stop};
}

/* ------------------------------------------------------------------- belief */

static bool weigh_belief(struct moment *moment, const glimpse_model *model, const glimpse_step *step) {
  glimpse_belief *belief = glimpse_belief_new(model);
  bool made = belief && !glimpse_belief_set(belief, step->belief);
  if (made) moment->entropy = finite(glimpse_belief_entropy(belief));
  glimpse_belief_free(belief);
  return made;
}

static bool list_states(struct moment *moment, const glimpse_model *model, const glimpse_step *step) {
  size_t places[MOMENT_LIST], count = moment_largest(step->belief, places, MOMENT_LIST);
  moment->state_list = calloc(count + 1, sizeof *moment->state_list);
  if (!moment->state_list) return false;
  bool told = false;
  for (size_t i = 0; i < count; i++) {
    struct moment_state *state = &moment->state_list[moment->states++];
    uint32_t s = step->belief.index[places[i]];
    name(state->name, model, GLIMPSE_STATE, s);
    state->probability = step->belief.value[places[i]];
    state->truth = s == step->state;
    told = told || state->truth;
  }
  if (told) return true;
  /* The true state is so improbable that it is not among the largest. */
  struct moment_state *state = &moment->state_list[moment->states++];
  name(state->name, model, GLIMPSE_STATE, step->state);
  state->truth = true;
  for (size_t i = 0; i < step->belief.count; i++)
    if (step->belief.index[i] == step->state) state->probability = step->belief.value[i];
  return true;
}

static bool weigh_layers(struct moment *moment, const struct subject *subject, const glimpse_model *model,
                         const glimpse_step *step) {
  const glimpse_scene *scene = subject->scene;
  if (!scene) return true;
  uint32_t slots = glimpse_scene_slots(scene);
  size_t most = step->belief.count < slots ? step->belief.count : slots; /* slots of a layer that have some weight */
  double *weight = calloc((size_t)slots + 1, sizeof *weight);
  moment->layer_list = calloc((size_t)scene->layers + 1, sizeof *moment->layer_list);
  moment->weight_list = calloc(scene->layers * most + 1, sizeof *moment->weight_list);
  moment->layers = scene->layers;
  bool made = weight && moment->layer_list && moment->weight_list;
  struct moment_weight *next = moment->weight_list;
  for (uint32_t i = 0; made && i < scene->layers; i++) {
    struct moment_layer *layer = &moment->layer_list[i];
    glimpse_model_weigh(model, i, step->belief, weight);
    layer->truth = glimpse_model_slot(model, i, step->state);
    layer->weights = next;
    for (uint32_t slot = 0; slot < slots; slot++)
      if (weight[slot] > 0) *next++ = (struct moment_weight){slot, weight[slot]};
    layer->count = (uint32_t)(next - layer->weights);
  }
  free(weight);
  return made;
}

/* ------------------------------------------------------------------ choices */

/* What a choice is judged by; NaN counts as worst. */
static double merit(const struct moment_choice *choice) {
  double value = isnan(choice->upper) ? choice->value : choice->upper;
  return isnan(value) ? (double)-INFINITY : value;
}

/* Puts a choice into the sorted list, which has room for one more than it keeps;
 * then the worst goes, unless it is the one taken. */
static void insert(struct moment *moment, const struct moment_choice *choice) {
  struct moment_choice *list = moment->choice_list;
  uint32_t at = moment->choices;
  while (at && merit(choice) > merit(&list[at - 1])) at--;
  memmove(list + at + 1, list + at, (moment->choices - at) * sizeof *list);
  list[at] = *choice;
  if (++moment->choices <= MOMENT_LIST) return;
  if (list[MOMENT_LIST].taken) list[MOMENT_LIST - 1] = list[MOMENT_LIST];
  moment->choices--;
}

/* The agent's choices where it has inquiries, otherwise those of the planner. */
static uint32_t find_choices(const struct subject *subject, const glimpse_model *model, const glimpse_planner *planner,
                             const glimpse_step *step, glimpse_prospect *list) {
  if (glimpse_model_planning(model) != model) return step->agent ? glimpse_agent_prospects(step->agent, list) : 0;
  bool may_ask = subject->requests && !step->asked;
  for (uint32_t i = 0; i < subject->actions + may_ask; i++) {
    uint32_t a = i == subject->actions ? GLIMPSE_ANY : i;
    list[i] = (glimpse_prospect){{a, GLIMPSE_ANY}, a == GLIMPSE_ANY, glimpse_planner_choice(planner, a)};
  }
  return subject->actions + may_ask;
}

/* Was it this that was done at last? */
static bool was_taken(const glimpse_model *model, const glimpse_step *step, const glimpse_prospect *choice) {
  if (glimpse_model_planning(model) == model) return !choice->ask && choice->move.action == step->action;
  const glimpse_decision *last = step->asked ? &step->after : &step->decision;
  if (step->action != GLIMPSE_ANY) return choice->move.action == step->action && choice->move.inquiry == last->inquiry;
  return step->answers && choice->ask && choice->move.inquiry == step->answer[step->answers - 1].inquiry;
}

static bool list_choices(struct moment *moment, const struct subject *subject, const glimpse_model *model,
                         const glimpse_planner *planner, const glimpse_step *step) {
  glimpse_prospect *list = calloc((size_t)glimpse_agent_prospects_most(model) + 1, sizeof *list);
  moment->choice_list = calloc(MOMENT_LIST + 1, sizeof *moment->choice_list);
  uint32_t count = list && moment->choice_list ? find_choices(subject, model, planner, step, list) : UINT32_MAX;
  for (uint32_t i = 0; count != UINT32_MAX && i < count; i++) {
    struct moment_choice entry = {.ask = list[i].ask,
                                  .taken = was_taken(model, step, &list[i]),
                                  .lower = finite(list[i].worth.lower),
                                  .upper = finite(list[i].worth.upper),
                                  .value = finite(list[i].worth.value),
                                  .visits = list[i].worth.visits};
    reasons_name(model, &list[i], entry.name, sizeof entry.name);
    insert(moment, &entry);
  }
  free(list);
  if (count == UINT32_MAX) return false;
  struct moment_choice *fitted = realloc(moment->choice_list, (moment->choices + 1) * sizeof *fitted);
  if (fitted) moment->choice_list = fitted;
  return true;
}

/* Went the last inquiry together with the action? */
static bool goes_with_action(const glimpse_model *model, const glimpse_step *step) {
  if (!step->answers || step->action == GLIMPSE_ANY) return false;
  return glimpse_model_inquiry(model, step->answer[step->answers - 1].inquiry).timing == GLIMPSE_TIMING_JOINT;
}

static bool list_answers(struct moment *moment, const glimpse_model *model, const glimpse_step *step) {
  bool inquiries = glimpse_model_inquiries(model);
  moment->answer_list = calloc(inquiries ? step->answers + (size_t)1 : 1, sizeof *moment->answer_list);
  if (!moment->answer_list) return false;
  moment->answers = inquiries ? step->answers : 0;
  moment->joint = moment->answers && goes_with_action(model, step);
  for (uint32_t i = 0; i < moment->answers; i++) {
    const glimpse_answer *from = &step->answer[i];
    struct moment_answer *to = &moment->answer_list[i];
    const char *answer = glimpse_model_answer_name(model, from->inquiry, from->answer);
    snprintf(to->inquiry, sizeof to->inquiry, "%s", glimpse_model_inquiry(model, from->inquiry).name);
    snprintf(to->answer, sizeof to->answer, "%s", answer ? answer : "");
    to->price = from->price;
  }
  return true;
}

struct moment *moment_new(const struct subject *subject, const glimpse_model *model, const glimpse_planner *planner,
                          const glimpse_step *step, uint32_t requests) {
  struct moment *moment = calloc(1, sizeof *moment);
  if (!moment) return NULL;
  moment->episode = step->episode;
  moment->step = step->step;
  moment->last = step->last;
  name(moment->state, model, GLIMPSE_STATE, step->state);
  name(moment->action, model, GLIMPSE_ACTION, step->action);
  name(moment->observation, model, GLIMPSE_OBSERVATION, step->observation);
  name(moment->next, model, GLIMPSE_STATE, step->next_state);
  moment->asked = step->asked;
  moment->decision = decision_of(subject, &step->decision);
  if (step->asked) moment->after = decision_of(subject, &step->after);
  moment->reward = step->reward;
  moment->cost = step->cost;
  moment->total = step->total;
  moment->requests = requests + (glimpse_model_inquiries(model) ? step->answers : step->asked);
  moment->support = (uint32_t)step->belief.count;
  if (weigh_belief(moment, model, step) && list_states(moment, model, step) &&
      weigh_layers(moment, subject, model, step) && list_answers(moment, model, step) &&
      list_choices(moment, subject, model, planner, step))
    return moment;
  moment_free(moment);
  return NULL;
}

/* --------------------------------------------------------------------- line */

/* Pieces of a line are short, for names are cut, so telling needs no memory. */
struct line {
  glimpse_sink sink;
  void *context;
};

TEXT_PRINTF(2, 3) static void tell(const struct line *line, const char *format, ...) {
  char piece[2 * MOMENT_NAME + 120];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(piece, sizeof piece, format, arguments);
  va_end(arguments);
  if (length > 0) line->sink(line->context, piece, (size_t)length < sizeof piece ? (size_t)length : sizeof piece - 1);
}

/* What is shown as 0 has no sign. */
static double shown(double value) {
  return fabs(value) < 0.0005 ? 0 : value;
}

static void tell_worth(const struct line *line, const struct moment_decision *decision) {
  if (!isnan(decision->lower)) tell(line, " (%.3f to %.3f)", shown(decision->lower), shown(decision->upper));
  else if (!isnan(decision->value)) tell(line, " (about %.3f)", shown(decision->value));
}

static void tell_deeds(const struct line *line, const struct moment *moment) {
  if (moment->asked) {
    tell(line, "asks");
    tell_worth(line, &moment->decision);
    tell(line, " for %.4g, then ", moment->cost);
  }
  tell(line, "does %s", moment->action);
  tell_worth(line, moment->asked ? &moment->after : &moment->decision);
  tell(line, "; sees %s", moment->observation);
}

/* Questions come before the action or are the step; the answer to one that goes with the action comes after it. */
static void tell_answers(const struct line *line, const struct moment *moment) {
  uint32_t before = moment->answers - moment->joint;
  for (uint32_t i = 0; i < before; i++) {
    const struct moment_answer *answer = &moment->answer_list[i];
    tell(line, "%sasks %s", i ? ", " : "", answer->inquiry);
    if (!i) tell_worth(line, &moment->decision);
    tell(line, " for %.4g: %s", answer->price, answer->answer);
  }
  if (!*moment->action) return;
  tell(line, "%sdoes %s", before ? ", then " : "", moment->action);
  const struct moment_answer *last = &moment->answer_list[moment->answers - 1];
  if (moment->joint) tell(line, " with %s for %.4g", last->inquiry, last->price);
  tell_worth(line, before ? &moment->after : &moment->decision);
  tell(line, "; sees %s", moment->observation);
  if (moment->joint) tell(line, ", %s: %s", last->inquiry, last->answer);
}

void moment_tell(const struct moment *moment, glimpse_sink sink, void *context) {
  enum { TOLD = 3 };
  const struct line to = {sink, context}, *line = &to;
  tell(line, "episode %llu step %u: in %s; believes", (unsigned long long)moment->episode + 1, moment->step + 1,
       moment->state);
  for (uint32_t i = 0; i < moment->states && i < TOLD; i++)
    tell(line, "%s %s %.3f", i ? "," : "", moment->state_list[i].name, moment->state_list[i].probability);
  tell(line, "%s; ", moment->support > TOLD ? ", ..." : "");
  if (moment->answers) tell_answers(line, moment);
  else tell_deeds(line, moment);
  tell(line, ", reward %.4g, return %.4f, %u request%s%s", moment->reward, moment->total, moment->requests,
       moment->requests == 1 ? "" : "s", moment->last ? "; the end" : "");
}
