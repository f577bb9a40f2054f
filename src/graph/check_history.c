/* Check history: bounds as they were, by the index of the expanded belief and of the
 * record.  An index stands for the same belief as before when the belief and its place
 * in the store are the same, and a choice is the same when its children lie where they
 * lay; garbage, whose indices may come back, is left out, and so is everything that was
 * garbage when last looked at. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graph/check.h"

typedef struct past {
  uint64_t belief; /* hash */
  uint32_t place;  /* of the belief; GLI_NONE: nothing is remembered */
  double upper, lower;
} past;

typedef struct choice {
  uint32_t first, count;
  gli_bounds bounds;
} choice;

struct gli_check_history {
  past *nodes;
  gli_bounds *records, *corners;
  choice *choices; /* actions + 1 per expanded belief */
  size_t nodes_capacity, records_capacity, choices_capacity, corners_capacity;
  size_t count; /* expanded beliefs remembered */
  bool corner;  /* corners are remembered */
};

gli_check_history *gli_check_history_new(void) {
  return GLI_NEW(gli_check_history, 1);
}

void gli_check_history_free(gli_check_history *history) {
  if (!history) return;
  gli_memory_free(history->nodes);
  gli_memory_free(history->records);
  gli_memory_free(history->choices);
  gli_memory_free(history->corners);
  gli_memory_free(history);
}

void gli_check_history_forget(gli_check_history *history) {
  history->count = 0;
  history->corner = false;
}

static uint64_t hash(glimpse_row belief) {
  uint64_t h = belief.count;
  for (size_t i = 0; i < belief.count; i++) {
    uint64_t bits;
    memcpy(&bits, &belief.value[i], sizeof bits);
    h = (h ^ belief.index[i]) * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ bits ^ (h >> 29)) * UINT64_C(0xbf58476d1ce4e5b9);
  }
  return h;
}

static bool worse(char *text, const char *what, uint32_t item, gli_bounds before, double upper, double lower) {
  char first[GLIMPSE_NUMBER_SIZE], second[GLIMPSE_NUMBER_SIZE];
  bool rose = upper > before.upper, fell = lower < before.lower;
  if (!rose && !fell) return false;
  glimpse_number_write(rose ? before.upper : before.lower, first);
  glimpse_number_write(rose ? upper : lower, second);
  snprintf(text, GLI_CHECK_TEXT, "%s of %s %lu: before %s, now %s", rose ? "U has risen" : "L has fallen", what,
           (unsigned long)item, first, second);
  return true;
}

static bool compare(const gli_check_history *history, const gli_graph *graph, uint32_t node, char *text) {
  gli_expanded *e = gli_graph_node(graph, node);
  const past *then = &history->nodes[node];
  if (e->dead || then->place != e->belief || then->belief != hash(gli_graph_belief(graph, e))) return true;
  const gli_record *record = &graph->records[e->record];
  if (worse(text, "belief", node, (gli_bounds){then->upper, then->lower}, record->upper, record->lower)) return false;
  const double *uppers = gli_graph_uppers(graph, e), *lowers = gli_graph_lowers(graph, e);
  for (uint32_t c = 0; c <= graph->actions; c++) {
    const choice *before = &history->choices[(size_t)node * (graph->actions + 1) + c];
    uint32_t end, i = gli_graph_children(graph, node, c, &end);
    if (worse(text, "a choice at belief", node, before->bounds, uppers[c], lowers[c])) return false;
    if (before->first != i || before->count != end - i) continue; /* opened since */
    for (; i < end; i++)
      if (worse(text, "record", i, history->records[i], graph->records[i].upper, graph->records[i].lower)) return false;
  }
  return true;
}

static void remember(gli_check_history *history, const gli_graph *graph, uint32_t node) {
  gli_expanded *e = gli_graph_node(graph, node);
  past *now = &history->nodes[node];
  now->place = GLI_NONE;
  if (e->dead) return;
  for (uint32_t above = e->above; above != GLI_NONE; above = gli_graph_node(graph, above)->above)
    if (gli_graph_node(graph, above)->dead) return; /* below what is dead */
  const gli_record *record = &graph->records[e->record];
  *now = (past){
      .belief = hash(gli_graph_belief(graph, e)), .place = e->belief, .upper = record->upper, .lower = record->lower};
  const double *uppers = gli_graph_uppers(graph, e), *lowers = gli_graph_lowers(graph, e);
  for (uint32_t c = 0; c <= graph->actions; c++) {
    uint32_t end, i = gli_graph_children(graph, node, c, &end);
    history->choices[(size_t)node * (graph->actions + 1) + c] = (choice){i, end - i, {uppers[c], lowers[c]}};
    for (; i < end; i++) history->records[i] = (gli_bounds){graph->records[i].upper, graph->records[i].lower};
  }
}

bool gli_check_history_look(gli_check_history *history, const gli_graph *graph, char text[GLI_CHECK_TEXT]) {
  text[0] = 0;
  for (uint32_t node = 0; node < history->count && node < graph->expanded_count; node++)
    if (history->nodes[node].place != GLI_NONE && !compare(history, graph, node, text)) return false;
  for (uint32_t s = 0; history->corner && s < graph->states; s++)
    if (worse(text, "the corner of state", s, history->corners[s], graph->known[s].upper, graph->known[s].lower))
      return false;
  if (!GLI_GROW(history->nodes, history->nodes_capacity, graph->expanded_count) ||
      !GLI_GROW(history->records, history->records_capacity, graph->record_count) ||
      !GLI_GROW(history->choices, history->choices_capacity, graph->expanded_count * (graph->actions + 1)) ||
      !GLI_GROW(history->corners, history->corners_capacity, graph->states)) {
    snprintf(text, GLI_CHECK_TEXT, "out of memory");
    return false;
  }
  for (uint32_t node = 0; node < graph->expanded_count; node++) remember(history, graph, node);
  history->count = graph->expanded_count;
  for (uint32_t s = 0; s < graph->states; s++) history->corners[s] = graph->known[s];
  history->corner = true;
  return true;
}
