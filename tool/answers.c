/* Answers: see answers.h.
 *
 * Where many states are possible, the most likely course of events is not likely at all and says little. What matters
 * then is which answers would make the agent do something other than it would do without asking. The graph of the
 * search shows it: the root's requests lead to known states, and each of these says what the plan does there. What the
 * search has not come to is looked at by a planner of its own, with one expansion for each answer. */
#include "answers.h"

#include <stdio.h>
#include <stdlib.h>

#include "output.h"

enum { LOOKS = 5000 }; /* at answers that the search has not come to */

struct look {
  const struct decide *decide;
  uint32_t *action; /* by the number of a node */
  size_t nodes, capacity;
  struct answer *list;    /* by action, and one for the unknown */
  glimpse_planner *other; /* NULL: not needed so far */
  unsigned looks;
  bool failed;
};

static bool take_node(void *context, const glimpse_node *node) {
  struct look *look = context;
  if (look->nodes == look->capacity) {
    size_t capacity = look->capacity ? 2 * look->capacity : 256;
    uint32_t *more = realloc(look->action, capacity * sizeof *more);
    look->failed = !more;
    if (!more) return false;
    look->action = more;
    look->capacity = capacity;
  }
  look->action[look->nodes++] = node->expanded ? node->action : GLIMPSE_ANY;
  return true;
}

static void note(struct answer *answer, uint32_t state, double probability) {
  answer->probability += probability;
  answer->states++;
  for (int i = 0; i < ANSWERS_NAMED; i++) {
    if (!(probability > answer->weight[i])) continue;
    for (int k = ANSWERS_NAMED - 1; k > i; k--) {
      answer->weight[k] = answer->weight[k - 1];
      answer->largest[k] = answer->largest[k - 1];
    }
    answer->weight[i] = probability;
    answer->largest[i] = state;
    return;
  }
}

static uint32_t action_at(struct look *look, uint32_t state) {
  const struct search *search = &look->decide->search;
  static const double one = 1;
  glimpse_budget budget = {.expansions = 1};
  glimpse_decision decision = {.action = GLIMPSE_ANY};
  if (look->looks++ >= LOOKS) return GLIMPSE_ANY;
  glimpse_status status =
      look->other ? GLIMPSE_OK
                  : glimpse_planner_new(search->model, search->offline, &search->planner, NULL, &look->other);
  if (!status) status = glimpse_planner_begin(look->other, (glimpse_row){1, &state, &one}, 0);
  if (!status) status = glimpse_planner_plan(look->other, &budget, &decision);
  if (status == GLIMPSE_NO_MEMORY) look->failed = true;
  return status || decision.ask ? GLIMPSE_ANY : decision.action;
}

static bool take_edge(void *context, const glimpse_edge *edge) {
  struct look *look = context;
  uint32_t actions = glimpse_model_count(look->decide->search.model, GLIMPSE_ACTION);
  if (edge->from || !edge->ask || edge->to >= look->nodes) return true;
  uint32_t action = look->action[edge->to];
  if (action >= actions) action = action_at(look, edge->state);
  note(&look->list[action < actions ? action : actions], edge->state, edge->probability);
  return !look->failed;
}

static int by_probability(const void *a, const void *b) {
  const struct answer *one = a, *two = b;
  if (one->probability > two->probability || one->probability < two->probability)
    return one->probability > two->probability ? -1 : 1;
  return (one->action > two->action) - (one->action < two->action);
}

static uint32_t best_action(const struct decide *decide) {
  uint32_t best = 0;
  for (uint32_t a = 1; a < glimpse_model_count(decide->search.model, GLIMPSE_ACTION); a++)
    if (glimpse_planner_choice(decide->planner, a).lower > glimpse_planner_choice(decide->planner, best).lower)
      best = a;
  return best;
}

bool answers_find(const struct decide *decide, struct answers *answers) {
  uint32_t actions = glimpse_model_count(decide->search.model, GLIMPSE_ACTION);
  if (decide->agent) { /* answers of inquiries lead to no known states */
    *answers = (struct answers){.otherwise = GLIMPSE_ANY};
    return true;
  }
  *answers = (struct answers){.otherwise = best_action(decide)};
  if (!decide->decision.ask || !search_has(&decide->search, GLIMPSE_TRAIT_GRAPH)) return true;
  struct look look = {.decide = decide, .list = calloc(actions + (size_t)1, sizeof *look.list)};
  answers->list = look.list;
  if (!look.list) return false;
  for (uint32_t a = 0; a <= actions; a++) look.list[a].action = a < actions ? a : GLIMPSE_ANY;
  glimpse_visit visit = {.depth = 1, .plan = true, .node = take_node, .edge = take_edge, .context = &look};
  glimpse_status status = glimpse_planner_visit(decide->planner, &visit);
  free(look.action);
  glimpse_planner_free(look.other);
  if (status == GLIMPSE_NO_MEMORY || look.failed) return false;
  if (status) return true;
  qsort(look.list, actions + (size_t)1, sizeof *look.list, by_probability);
  while (answers->count <= actions && look.list[answers->count].states) answers->count++;
  return true;
}

void answers_free(struct answers *answers) {
  free(answers->list);
  *answers = (struct answers){0};
}

/* --------------------------------------------------------------------- text */

static const char *percent(double probability, char text[32]) {
  snprintf(text, 32, probability < 0.0995 ? "%.2g" : "%.0f", 100 * probability);
  return text;
}

static void show_states(const struct decide *decide, const struct answer *answer) {
  size_t named = answer->states < ANSWERS_NAMED ? answer->states : ANSWERS_NAMED;
  for (size_t i = 0; i < named; i++)
    output_print("%s'%s'", i ? ", " : "", glimpse_model_name(decide->search.model, GLIMPSE_STATE, answer->largest[i]));
  if (answer->states > named) output_print(" and %zu more", answer->states - named);
}

void answers_show(const struct decide *decide, const struct answers *answers) {
  double same = 0, unknown = 0;
  char text[32];
  for (size_t i = 0; i < answers->count; i++) {
    if (answers->list[i].action == answers->otherwise) same = answers->list[i].probability;
    if (answers->list[i].action == GLIMPSE_ANY) unknown = answers->list[i].probability;
  }
  output_print("What the answer may change: without asking, the best action is '%s'\n",
               decide_name(decide, answers->otherwise));
  for (size_t i = 0; i < answers->count; i++) {
    const struct answer *answer = &answers->list[i];
    if (answer->action == answers->otherwise || answer->action == GLIMPSE_ANY) continue;
    output_print("  %5s %%  do '%s' when told ", percent(answer->probability, text),
                 decide_name(decide, answer->action));
    show_states(decide, answer);
    output_print("\n");
  }
  if (same > 0) output_print("  %5s %%  no change\n", percent(same, text));
  if (unknown > 0) output_print("  %5s %%  not searched yet\n", percent(unknown, text));
}

void answers_json(const struct decide *decide, const struct answers *answers, struct json *json) {
  json_array(json, "answers");
  for (size_t i = 0; i < answers->count; i++) {
    const struct answer *answer = &answers->list[i];
    bool known = answer->action != GLIMPSE_ANY;
    json_object(json, NULL);
    json_text(json, "action", known ? decide_name(decide, answer->action) : NULL);
    json_number(json, "probability", answer->probability);
    json_bool(json, "changes", known && answer->action != answers->otherwise);
    json_count(json, "states", answer->states);
    json_text(json, "largest", glimpse_model_name(decide->search.model, GLIMPSE_STATE, answer->largest[0]));
    json_close(json);
  }
  json_close(json);
}
