/* Search: passes, phase by phase, until a budget is used up.
 *
 * What a pass does next depends on the graph alone, never on the budget: a run may end after any unit of work, and the
 * next goes on there, so that a search in slices is the same search as one in one go.  The clock is read after each
 * unit. */
#include "graph/search.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/flag.h"
#include "graph/backup.h"
#include "graph/expand.h"
#include "graph/frontier.h"
#include "graph/sawtooth.h"
#include "graph/tuning.h"
#include "graph/vectors.h"

enum { WALK_UNIT = 128, BACKUP_UNIT = 32 };

gli_search *gli_search_new(gli_graph *graph, gli_form *form) {
  gli_search *search = GLI_NEW(gli_search, 1);
  if (!search) {
    if (form) form->free(form);
    return NULL;
  }
  search->graph = graph;
  search->form = form;
  search->deadline = INFINITY;
  search->before = gli_memory_new(1, graph->node_size);
  if (search->before && gli_pass_start(&search->pass, graph)) {
    gli_search_restart(search);
    return search;
  }
  gli_search_free(search);
  return NULL;
}

void gli_search_free(gli_search *search) {
  if (!search) return;
  gli_pass_stop(&search->pass);
  if (search->form) search->form->free(search->form);
  gli_memory_free(search->before);
  gli_memory_free(search);
}

uint64_t gli_search_fixed(const gli_search *search) {
  return sizeof *search + gli_pass_fixed(search->graph) + search->graph->node_size;
}

/* --------------------------------------------------------------- expansions */

/* Opens what a new node needs.  If time runs out, the search goes on here. */
static bool grow(gli_search *search, uint32_t node) {
  gli_graph *graph = search->graph;
  bool grown = gli_expand_grow(graph, node, false, NULL);
  if (!grown && graph->late) search->growing = node;
  return grown || graph->late;
}

/* ------------------------------------------------------------------- phases */

static void enter(gli_search *search, gli_phase phase) {
  search->phase = phase;
  search->begun = false;
}

/* A piece of a walk; true: it is complete.  *room: there was room for it. */
static bool walk(gli_search *search, bool plan, bool *room) {
  *room = true;
  if (!search->begun) *room = gli_pass_begin(&search->pass, plan);
  search->begun = true;
  *room = *room && gli_pass_walk(&search->pass, WALK_UNIT);
  return *room && gli_pass_walked(&search->pass);
}

static glimpse_stop no_room(gli_search *search) {
  search->graph->full = true;
  return gli_search_make_room(search) ? GLIMPSE_STOP_NONE : GLIMPSE_STOP_MEMORY;
}

static glimpse_stop step_select(gli_search *search) {
  gli_graph *graph = search->graph;
  bool room;
  if (!walk(search, false, &room)) return room ? GLIMPSE_STOP_NONE : no_room(search);
  gli_pass *pass = &search->pass;
  const gli_node *root = gli_graph_node(graph, graph->root);
  if (gli_graph_gap(graph, root->upper, root->lower) == 0) {
    search->begun = false;
    return gli_graph_solved(graph);
  }
  bool still = !pass->candidate_count && !pass->cut && !search->changed;
  if (still && search->still) { /* backups have nothing more to give: what is left is rounding, or for lack of room */
    search->begun = false;
    return gli_graph_solved(graph);
  }
  search->still = still;
  search->changed = false;
  if (graph->sawtooth && pass->candidate_count) gli_sawtooth_measure(graph);
  search->expanded = search->returned = 0;
  search->most = (pass->count + pass->candidate_count) / GLI_TUNING_BATCH;
  enter(search, GLI_PHASE_EXPAND);
  return GLIMPSE_STOP_NONE;
}

/* Backs up the path on which a candidate was met, as far as bounds change enough; the rest waits for the backups of the
 * pass.  Where another choice becomes greedy the walk goes there, too.  If time runs out, the search goes on here.
 * False: no room. */
static bool tell(gli_search *search, uint32_t place) {
  gli_graph *graph = search->graph;
  gli_pass *pass = &search->pass;
  search->telling = GLI_NONE;
  for (bool news = true; news && place != GLI_NONE; place = pass->order[place].above) {
    const gli_node *n = gli_graph_node(graph, pass->order[place].node);
    double gap = n->upper - n->lower;
    uint32_t greedy = n->greedy;
    if (!gli_expand_grow(graph, pass->order[place].node, false, NULL) && graph->late) {
      search->telling = place;
      return true;
    }
    n = gli_graph_node(graph, pass->order[place].node);
    if (n->greedy != greedy && !gli_pass_turn(pass, place)) return false;
    news = gap - (n->upper - n->lower) > GLI_TUNING_TELL * gap;
  }
  return true;
}

static bool enough(const gli_search *search) {
  return search->expanded + search->returned + search->pass.stale / 4 > search->most;
}

static glimpse_stop step_expand(gli_search *search) {
  gli_graph *graph = search->graph;
  gli_pass *pass = &search->pass;
  gli_candidate candidate;
  if (!gli_pass_walked(pass)) return gli_pass_walk(pass, WALK_UNIT) ? GLIMPSE_STOP_NONE : no_room(search);
  bool all = enough(search);
  if (all || !gli_pass_take(pass, &candidate)) {
    gli_pass_end(pass, all ? search->worst : INFINITY);
    search->next = pass->count;
    enter(search, GLI_PHASE_BACKUP);
    return GLIMPSE_STOP_NONE;
  }
  uint32_t node = GLI_NONE;
  gli_frontier found = gli_frontier_look(pass, &candidate);
  if (found == GLI_FRONTIER_NOTHING)
    found = gli_frontier_expand(graph, pass->order[candidate.place].node, &candidate, &node);
  bool expanded = found == GLI_FRONTIER_EXPANDED;
  if (found == GLI_FRONTIER_FULL || (expanded && !grow(search, node))) return no_room(search);
  graph->expansions += expanded;
  search->expanded += expanded;
  if (expanded && graph->vectors && !(candidate.child & GLI_CORNER)) gli_vectors_expanded(graph, node);
  search->returned += found == GLI_FRONTIER_RETURNED;
  search->worst = candidate.score;
  search->changed = true;
  /* What is behind a node that was there is part of the policy now.  A new node waits for the next pass. */
  bool linked = found == GLI_FRONTIER_RETURNED && node != GLI_NONE;
  if (linked && !gli_pass_on(pass, node, &candidate)) return no_room(search);
  if (search->growing != GLI_NONE) search->telling = candidate.place;
  else if (!tell(search, candidate.place)) return no_room(search);
  return GLIMPSE_STOP_NONE;
}

/* Backs up a node of the order.  False: no time. */
static bool back_up(gli_search *search, size_t i, bool plan) {
  gli_graph *graph = search->graph;
  uint32_t node = search->pass.order[i].node;
  gli_node *n = gli_graph_node(graph, node);
  bool changed, turn = (i + search->pass.stamp) % GLI_TUNING_REFRESH == 0;
  if (turn && graph->vectors) gli_vectors_raise(graph, n, false);
  if (turn && graph->sawtooth && !plan)
    gli_sawtooth_lower(graph, gli_graph_belief(graph, n), gli_node_uppers(n), false);
  if (!gli_expand_grow(graph, node, node == graph->root, &changed) && graph->late) return false;
  search->changed |= changed;
  if (graph->sawtooth && !plan && ((i + search->pass.stamp) % GLI_TUNING_OFFER == 0)) gli_sawtooth_offer(graph, node);
  return true;
}

/* Point backups per expansion.  They raise lower bounds, so they get the share of the lower bound in what the bounds
 * of the root have come nearer lately.  At first they get more, because a lower bound that nothing is learnt of does
 * not move. */
static double share_of_lower(gli_search *search) {
  const gli_node *root = gli_graph_node(search->graph, search->graph->root);
  if (search->seen.upper < INFINITY) {
    search->rise += fmax(0, root->lower - search->seen.lower) - GLI_TUNING_FORGET * search->rise;
    search->fall += fmax(0, search->seen.upper - root->upper) - GLI_TUNING_FORGET * search->fall;
  }
  search->seen = (gli_bounds){root->upper, root->lower};
  double both = search->rise + search->fall;
  double since = (double)(search->graph->expansions - search->began);
  double first = GLI_TUNING_BACKUPS_FIRST / (GLI_TUNING_BACKUPS_FIRST + since);
  return GLI_TUNING_BACKUPS * fmax(first, both > 0 ? search->rise / both : 0);
}

static void step_backup(gli_search *search, bool plan) {
  const gli_stop *order = search->pass.order;
  for (unsigned i = 0; i < BACKUP_UNIT && search->next; search->next--) {
    if (!order[search->next - 1].past) continue;
    if (!back_up(search, search->next - 1, plan)) return;
    i++;
  }
  if (search->next) return;
  if (!plan && search->graph->vectors)
    gli_vectors_owe(search->graph,
                    share_of_lower(search) * ((double)search->expanded + 0.25 * (double)search->returned));
  bool turn = !plan && search->passes++ % GLI_TUNING_PLAN == 0;
  enter(search, turn ? GLI_PHASE_PLAN : GLI_PHASE_LEARN);
}

static glimpse_stop step_plan(gli_search *search) {
  bool room;
  if (!walk(search, true, &room)) return room ? GLIMPSE_STOP_NONE : no_room(search);
  search->next = search->pass.count;
  enter(search, GLI_PHASE_PLAN_BACKUP);
  return GLIMPSE_STOP_NONE;
}

glimpse_stop gli_search_step(gli_search *search) {
  gli_graph *graph = search->graph;
  search->units++;
  if (search->form) return search->form->step(search->form);
  if (search->growing != GLI_NONE) {
    if (gli_expand_grow(graph, search->growing, false, NULL) || !graph->late)
      search->growing = GLI_NONE;
    return GLIMPSE_STOP_NONE;
  }
  if (search->telling != GLI_NONE) {
    return tell(search, search->telling) ? GLIMPSE_STOP_NONE : no_room(search);
  }
  switch (search->phase) {
    case GLI_PHASE_SELECT: return step_select(search);
    case GLI_PHASE_EXPAND: return step_expand(search);
    case GLI_PHASE_BACKUP: step_backup(search, false); break;
    case GLI_PHASE_PLAN: return step_plan(search);
    case GLI_PHASE_PLAN_BACKUP: step_backup(search, true); break;
    case GLI_PHASE_LEARN:
      if (!graph->vectors || !gli_vectors_learn(graph)) enter(search, GLI_PHASE_SELECT);
      break;
  }
  return GLIMPSE_STOP_NONE;
}

/* --------------------------------------------------------------------- runs */

/* The belief of the root, for a graph that is given up. */
static bool give_up_all(gli_search *search) {
  const gli_graph *graph = search->graph;
  gli_sparse copy = {0};
  glimpse_row belief = gli_graph_belief(graph, gli_graph_node(graph, graph->root));
  bool anew = gli_sparse_reserve(&copy, belief.count);
  for (size_t i = 0; i < belief.count && anew; i++) {
    copy.index[i] = belief.index[i];
    copy.value[i] = belief.value[i];
  }
  copy.count = belief.count;
  anew = anew && gli_search_give_up(search, gli_sparse_row(&copy), false);
  gli_sparse_free(&copy);
  return anew;
}

static bool all_opened(const gli_graph *graph, gli_node *node) {
  for (uint32_t a = 0; a < graph->actions; a++)
    if (!gli_node_opened(graph, node, a)) return false;
  return true;
}

/* Enough of the root is known to decide: its greedy choice is opened, or nothing can be. */
glimpse_stop gli_search_root(gli_search *search) {
  gli_graph *graph = search->graph;
  gli_node *root = gli_graph_node(graph, graph->root);
  graph->expansions += root->greedy == GLI_NONE;
  if (search->form) return search->form->root(search->form);
  if (root->greedy != GLI_NONE && all_opened(graph, root)) return GLIMPSE_STOP_NONE;
  while (!gli_expand_grow(graph, graph->root, true, NULL)) {
    if (graph->late) return GLIMPSE_STOP_TIME;
    if (gli_search_make_room(search)) continue;
    if (graph->node_count > 1 && give_up_all(search)) continue;
    return GLIMPSE_STOP_MEMORY; /* its choices have the bounds of vectors */
  }
  return GLIMPSE_STOP_NONE;
}

bool gli_search_decided(const gli_graph *graph) {
  gli_node *n = gli_graph_node(graph, graph->root);
  const double *uppers = gli_node_uppers(n), *lowers = gli_node_lowers(graph, n);
  uint32_t best = graph->actions;
  for (uint32_t a = 0; a < graph->actions; a++)
    if (lowers[a] > lowers[best]) best = a;
  for (uint32_t c = 0; c <= graph->actions; c++)
    if (c != best && uppers[c] > lowers[best]) return false;
  return true;
}

/* A pass may only close bounds and expand nothing, and at a discount next to 1 there may be billions of such passes. So
 * a budget of expansions also limits the units of work. */
static uint64_t most_units(uint64_t expansions) {
  return expansions && expansions < UINT64_MAX / 2048 ? 100000 + 1024 * expansions : UINT64_MAX;
}

static glimpse_stop run(gli_search *search, const glimpse_budget *budget) {
  gli_graph *graph = search->graph;
  uint64_t last = budget->expansions ? graph->expansions + budget->expansions : UINT64_MAX;
  uint64_t most = most_units(budget->expansions), before = search->units;
  for (;;) {
    const gli_node *root = gli_graph_node(graph, graph->root);
    if (budget->epsilon > 0 && root->upper - root->lower <= budget->epsilon) return GLIMPSE_STOP_EPSILON;
    if (budget->decided && gli_search_decided(graph)) return GLIMPSE_STOP_DECIDED;
    if (gli_flag_raised(budget->interrupt)) return GLIMPSE_STOP_INTERRUPTED;
    if (graph->expansions >= last || search->units - before >= most) return GLIMPSE_STOP_EXPANSIONS;
    if (search->deadline < INFINITY && gli_clock_now() >= search->deadline) return GLIMPSE_STOP_TIME;
    glimpse_stop stop = gli_search_step(search);
    if (stop) return stop;
  }
}

/* A decision compares all choices of the root, as they are now; the search goes on as if nobody had looked. */
static void look(gli_search *search) {
  gli_graph *graph = search->graph;
  bool live = graph->options.live;
  memcpy(search->before, gli_graph_node(graph, graph->root), graph->node_size);
  search->looked = true;
  graph->options.live = false; /* the table is left alone */
  gli_backup_all(graph, graph->root);
  graph->options.live = live;
}

void gli_search_look_away(gli_search *search) {
  gli_graph *graph = search->graph;
  if (!search->looked) return;
  gli_node *root = gli_graph_node(graph, graph->root);
  memcpy(root, search->before, graph->node_size);
  if (root->state != GLI_NONE) {
    graph->corner[root->state].upper = root->upper;
    graph->corner[root->state].lower = root->lower;
  }
  search->looked = false;
}

glimpse_stop gli_search_run(gli_search *search, const glimpse_budget *budget, double started) {
  gli_graph *graph = search->graph;
  search->deadline = graph->deadline = budget->time > 0 ? started + budget->time : INFINITY;
  graph->late = false;
  gli_search_look_away(search);
  if (search->crowded) gli_search_make_room(search);
  uint64_t before = graph->expansions;
  glimpse_stop stop = gli_search_root(search);
  if (!stop) {
    glimpse_budget rest = *budget;
    uint64_t used = graph->expansions - before;
    if (rest.expansions) rest.expansions -= used < rest.expansions ? used : rest.expansions - 1;
    stop = budget->expansions && used >= budget->expansions ? GLIMPSE_STOP_EXPANSIONS : run(search, &rest);
  }
  if (!search->form && graph->root != GLI_NONE) look(search);
  search->deadline = graph->deadline = INFINITY;
  return stop;
}
