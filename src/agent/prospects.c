/* Prospects: all choices that an agent has at a decision, and what will happen most probably.
 *
 * A planner of a model with inquiries decides phase by phase (phases.c): in an early phase it knows what each inquiry
 * is worth and what it is worth to go on, in the last phase what each action is worth.  To the user these are one list.
 * Each time the planner has planned in a phase, what it knows is noted here.  No choice is offered in two phases of a
 * step, because whoever goes on asks no more before the action.
 *
 * A decision to ask ends in an early phase, so nothing has been noted of actions.  They are looked up where they stand:
 * going on is certain, so the belief that follows is known, the graph may have it, and the offline bounds say something
 * in any case.  No action is worth more than going on.
 *
 * Planners without phases know all of their choices at once. */
#include <assert.h>
#include <math.h>

#include "agent/phases.h"
#include "base/memory.h"
#include "planner/planner.h"

/* In units of the model, rounded outwards. */
static glimpse_choice scaled(glimpse_choice worth, double scale) {
  if (scale == 1) return worth;
  worth.lower = nextafter(worth.lower * scale, -INFINITY);
  worth.upper = nextafter(worth.upper * scale, INFINITY);
  worth.value *= scale;
  return worth;
}

/* Does a choice do in a layer what its name says?  Those that do not stand for others. */
static bool legal(const gli_phases *phases, uint32_t layer, uint32_t c) {
  glimpse_move move = glimpse_planning_move(phases->planning, layer, c);
  glimpse_move meaning = glimpse_planning_meaning(phases->planning, c);
  bool quiet = move.inquiry == GLIMPSE_ANY;
  if (quiet && move.action == GLIMPSE_ANY) return false; /* to go on is no choice to the user */
  return move.action == meaning.action && move.inquiry == meaning.inquiry && (quiet || !phases->unheard);
}

void gli_prospects_note(gli_phases *phases, bool first) {
  double scale = glimpse_planning_scale(phases->planning, phases->layer);
  phases->decided = true;
  phases->moved = false;
  for (uint32_t c = 0; c < glimpse_model_count(phases->planning, GLIMPSE_ACTION); c++) {
    if (first) phases->offered[c] = false;
    if (!legal(phases, phases->layer, c)) continue;
    assert(!phases->offered[c]);
    phases->worth[c] = scaled(glimpse_planner_choice(phases->planner, c), scale);
    phases->offered[c] = true;
  }
}

/* ---- actions of a decision to ask ---- */

/* The way from an early phase to acting without a question. */
typedef struct way {
  uint32_t layer; /* at its end; GLIMPSE_ANY: there is none */
  size_t steps;
  glimpse_belief **belief; /* after each step */
  glimpse_row *path;
} way;

static void way_free(way *to) {
  for (size_t i = 0; to->belief && i < to->steps; i++) glimpse_belief_free(to->belief[i]);
  gli_memory_free(to->belief);
  gli_memory_free(to->path);
}

/* Without steps where the planner stands in the phase of acting; false: out of memory. */
static bool way_find(const gli_phases *phases, way *to) {
  *to = (way){.layer = phases->layer};
  for (uint32_t layer = phases->layer; gli_phases_goes_on(phases, layer); to->steps++)
    layer = glimpse_planning_next(phases->planning, layer, 0);
  to->belief = GLI_NEW(glimpse_belief *, to->steps);
  to->path = GLI_NEW(glimpse_row, to->steps);
  bool made = to->belief && to->path;
  for (size_t i = 0; made && i < to->steps; i++) {
    glimpse_row row = glimpse_belief_row(i ? to->belief[i - 1] : phases->belief);
    uint32_t nothing = glimpse_planning_seen(phases->planning, to->layer, 0, GLIMPSE_ANY, GLIMPSE_ANY);
    to->belief[i] = glimpse_belief_new(phases->planning);
    made = to->belief[i] && !glimpse_belief_set(to->belief[i], row) &&
           !glimpse_belief_update(to->belief[i], 0, nothing, NULL);
    if (made) to->path[i] = glimpse_belief_row(to->belief[i]);
    to->layer = glimpse_planning_next(phases->planning, to->layer, 0);
  }
  if (!made) way_free(to);
  return made;
}

static glimpse_choice at_the_end(const gli_phases *phases, const way *to, uint32_t c) {
  double scale = glimpse_planning_scale(phases->planning, to->layer);
  glimpse_choice worth = scaled(gli_planner_later(phases->planner, to->path, to->steps, c), scale);
  glimpse_choice most = scaled(glimpse_planner_choice(phases->planner, 0), /* to go on */
                               glimpse_planning_scale(phases->planning, phases->layer));
  if (!isnan(worth.upper)) worth.upper = fmin(worth.upper, most.upper);
  return worth;
}

uint32_t gli_prospects_list(const gli_phases *phases, glimpse_prospect *list) {
  if (!phases->decided) return 0;
  way to = {0};
  if (!phases->moved && !way_find(phases, &to)) return UINT32_MAX;
  uint32_t count = 0;
  for (uint32_t c = 0; c < glimpse_model_count(phases->planning, GLIMPSE_ACTION); c++) {
    bool later = to.steps && !phases->offered[c] && legal(phases, to.layer, c);
    if (!phases->offered[c] && !later) continue;
    glimpse_move move = glimpse_planning_meaning(phases->planning, c);
    list[count++] = (glimpse_prospect){.move = move,
                                       .ask = move.action == GLIMPSE_ANY,
                                       .worth = later ? at_the_end(phases, &to, c) : phases->worth[c]};
  }
  way_free(&to);
  return count;
}

bool gli_prospects_act(const gli_phases *phases, glimpse_move *move) {
  way to;
  if (!way_find(phases, &to)) return false;
  double most = -INFINITY;
  *move = glimpse_planning_move(phases->planning, to.layer, 0);
  for (uint32_t c = 0; c < glimpse_model_count(phases->planning, GLIMPSE_ACTION); c++) {
    if (!legal(phases, to.layer, c)) continue;
    glimpse_choice worth = at_the_end(phases, &to, c);
    double least = isnan(worth.lower) ? worth.value : worth.lower;
    if (!(least > most)) continue;
    most = least;
    *move = glimpse_planning_meaning(phases->planning, c);
  }
  way_free(&to);
  return true;
}

/* ---- what will happen ---- */

size_t gli_prospects_forecast(const gli_phases *phases, glimpse_event *events, size_t count) {
  enum { STEPS = 16 };
  glimpse_forecast steps[STEPS];
  size_t foreseen = glimpse_planner_forecast(phases->planner, steps, STEPS), n = 0;
  if (foreseen == SIZE_MAX || phases->moved) return foreseen == SIZE_MAX ? SIZE_MAX : 0;
  uint32_t layer = phases->layer;
  for (size_t i = 0; i < foreseen && n < count && layer != GLIMPSE_ANY; i++) {
    uint32_t choice = steps[i].action;
    double scale = glimpse_planning_scale(phases->planning, layer);
    glimpse_move move = {GLIMPSE_ANY, GLIMPSE_ANY};
    if (choice != GLIMPSE_ANY) move = glimpse_planning_move(phases->planning, layer, choice);
    events[n] = (glimpse_event){.move = move,
                                .ask = move.action == GLIMPSE_ANY && move.inquiry != GLIMPSE_ANY,
                                .answer = GLIMPSE_ANY,
                                .observation = GLIMPSE_ANY,
                                .probability = steps[i].probability,
                                .lower = steps[i].lower * scale,
                                .upper = steps[i].upper * scale};
    if (choice == GLIMPSE_ANY) return n;
    glimpse_shown shown = glimpse_planning_shown(phases->planning, steps[i].observation);
    events[n].observation = shown.observation;
    events[n].answer = shown.answer;
    n += move.action != GLIMPSE_ANY || move.inquiry != GLIMPSE_ANY;
    if (steps[i].observation == GLIMPSE_ANY) return n;
    layer = glimpse_planning_next(phases->planning, layer, choice);
  }
  return n;
}
