/* Search: the loop of the paper's Algorithm 1.  The clock is read once in a few
 * expansions, as many as fit into a fraction of a millisecond. */
#include "graph/search.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/flag.h"

enum { RECLAIMED = 4, RECLAIMED_AT_ONCE = 2048 }; /* dead beliefs freed per expansion; for lack of room */
enum { MOST_FUTILE = 6, RECLAIMED_IDLE = 64 };
static const double prune_seconds = 1e-6; /* per expanded belief, about */

gli_search *gli_search_new(gli_graph *graph, bool plain, double threshold) {
  gli_search *search = GLI_NEW(gli_search, 1);
  if (!search) return NULL;
  search->graph = graph;
  search->threshold = threshold;
  search->deadline = INFINITY;
  if (plain) search->plain = gli_plain_new(graph);
  else search->walk = gli_walk_new(graph);
  graph->origin_extra = plain ? 0 : GLI_REACH_BYTES;
  if (search->plain || search->walk) return search;
  gli_search_free(search);
  return NULL;
}

void gli_search_free(gli_search *search) {
  if (!search) return;
  gli_walk_free(search->walk);
  gli_plain_free(search->plain);
  gli_memory_free(search);
}

/* ------------------------------------------------------------- where we are */

static bool plant(gli_search *search, glimpse_row belief) {
  if (!gli_graph_plant(search->graph, belief)) return false;
  return !search->walk || gli_walk_sync(search->walk);
}

static bool start_anew(gli_search *search, glimpse_row belief, bool restore) {
  gli_graph_clear(search->graph, restore);
  if (search->walk) gli_walk_clear(search->walk);
  if (search->plain) gli_plain_clear(search->plain);
  search->futile = search->wait = 0;
  return plant(search, belief);
}

/* The same for lack of room.  With the plans go their lower bounds: a promise that nothing stands
 * behind would make every way to the same corner, doing nothing among them, look as good. */
static bool give_up(gli_search *search, glimpse_row belief, bool restore) {
  search->dropped += search->graph->expanded_live;
  if (search->graph->options.live) gli_graph_forget_lowers(search->graph);
  return start_anew(search, belief, restore);
}

/* Near the limit: frees what is dead or, when nothing is, what matters least.  False:
 * there was nothing to free. */
static bool lighten(gli_search *search) {
  gli_graph *graph = search->graph;
  if (!search->walk) return false; /* and stays full: what found no room is not tried again */
  graph->full = false;
  if (gli_graph_reclaim(graph, RECLAIMED_AT_ONCE)) return true;
  gli_walk_abandon(search->walk);
  search->crowded = false;
  size_t before = graph->expanded_live, freed = gli_graph_prune(graph);
  search->dropped += freed;
  bool enough = freed && freed >= before / 8;
  search->futile = enough ? 0 : search->futile < MOST_FUTILE ? search->futile + 1 : MOST_FUTILE;
  search->wait = enough ? 0 : 1u << search->futile;
  gli_walk_rekey(search->walk);
  return freed;
}

/* The record changed by more than an expansion below it. */
static void tell(gli_search *search, uint32_t record) {
  uint32_t origin = gli_backup_path(search->graph, record, false);
  if (origin != GLI_NONE) gli_walk_told(search->walk, origin);
}

/* The root is given up: back home, or freed; corners just stay. */
static void leave(gli_search *search) {
  gli_graph *graph = search->graph;
  uint32_t root = graph->root;
  const gli_origin *x = &graph->origins[root];
  if (x->state != GLI_NONE) return;
  uint32_t home = x->home;
  gli_walk_forget(search->walk, root, home == GLI_NONE ? GLI_NONE : gli_graph_origin(graph, home));
  if (home == GLI_NONE) {
    gli_graph_drop(graph, root);
  } else {
    gli_graph_attach(graph, root);
    tell(search, home);
  }
}

/* A new root in a graph that is kept; without room even so, in one that is not. */
static bool transplant(gli_search *search, glimpse_row belief, bool restore) {
  leave(search);
  search->graph->root = GLI_NONE;
  do {
    if (plant(search, belief)) return true;
  } while (lighten(search));
  return give_up(search, belief, restore);
}

/* Only the fast form keeps a graph, and not one in which anything may be shared. */
static bool keeps(const gli_search *search) {
  return search->walk && search->graph->options.sharing != GLI_SHARE_ALL && search->graph->root != GLI_NONE;
}

bool gli_search_begin(gli_search *search, glimpse_row belief, bool keep_corners, bool restore) {
  if (!keep_corners || !keeps(search)) return start_anew(search, belief, restore);
  gli_walk_abandon(search->walk);
  return transplant(search, belief, restore);
}

/* The child of the root's choice with this label, GLI_NONE when there is none. */
static uint32_t find_child(const gli_graph *graph, uint32_t choice, uint32_t label) {
  uint32_t node = gli_graph_root(graph)->link;
  if (node == GLI_NONE) return GLI_NONE;
  uint32_t end, i = gli_graph_children(graph, node, choice, &end);
  while (i < end && graph->records[i].label != label) i++;
  return i < end ? i : GLI_NONE;
}

/* Makes a child of the root the root. */
static bool move_to(gli_search *search, uint32_t child, glimpse_row belief) {
  gli_graph *graph = search->graph;
  uint32_t link = graph->records[child].link, old = graph->root, target;
  if (link != GLI_NONE && (link & GLI_ALIAS)) {
    target = link & ~GLI_ALIAS;
  } else {
    do target = gli_graph_detach(graph, child, belief);
    while (target == GLI_NONE && lighten(search));
    if (target == GLI_NONE) return give_up(search, belief, false);
    if (graph->origins[old].state != GLI_NONE || graph->origins[old].home != GLI_NONE) {
      graph->origins[target].home = child;
      gli_backup_score(graph, graph->records[child].parent);
      tell(search, gli_graph_node(graph, graph->records[child].parent)->record);
    }
  }
  leave(search);
  graph->root = target;
  return gli_walk_sync(search->walk);
}

bool gli_search_reveal(gli_search *search, uint32_t s) {
  gli_graph *graph = search->graph;
  double one = 1;
  glimpse_row belief = {1, &s, &one};
  if (search->walk) gli_walk_abandon(search->walk);
  if (gli_graph_shares(graph) && graph->root != GLI_NONE) { /* whatever becomes of the rest, the corner is there */
    uint32_t corner;
    do corner = gli_graph_corner(graph, s);
    while (corner == GLI_NONE && lighten(search));
    if (corner == GLI_NONE) return give_up(search, belief, false);
    if (keeps(search)) leave(search);
    graph->root = corner;
    return !search->walk || gli_walk_sync(search->walk);
  }
  uint32_t child = keeps(search) ? find_child(graph, graph->actions, s) : GLI_NONE;
  return child != GLI_NONE ? move_to(search, child, belief) : start_anew(search, belief, false);
}

bool gli_search_move(gli_search *search, uint32_t a, uint32_t o, glimpse_row belief) {
  if (!keeps(search)) return start_anew(search, belief, false);
  gli_walk_abandon(search->walk);
  if (search->wait) search->wait--;
  if (search->crowded && !search->wait) lighten(search);
  uint32_t child = find_child(search->graph, a, o);
  if (child != GLI_NONE) return move_to(search, child, belief);
  return transplant(search, belief, false);
}

/* --------------------------------------------------------------- expansions */

/* Only once. */
static bool is_starved(gli_walk *walk) {
  bool starved = walk->reach.starved;
  walk->reach.starved = false;
  return starved;
}

/* What to expand next; GLI_NONE when nothing is known: then the walk has been once
 * round everything that matters, to see whether there is something after all. */
static bool choose(gli_search *search, uint32_t *record) {
  double score;
  if (!search->walk) return gli_plain_select(search->plain, record, &score);
  *record = gli_walk_select(search->walk);
  if (*record != GLI_NONE && search->graph->records[*record].link == GLI_NONE) return true;
  search->settled = true;
  if (!gli_walk_seek(search->walk) || is_starved(search->walk)) return false;
  *record = gli_walk_select(search->walk);
  if (*record != GLI_NONE && search->graph->records[*record].link != GLI_NONE) { /* there was no time to see to it */
    *record = GLI_NONE;
    search->walk->changed = true;
  }
  return true;
}

static bool spread(gli_search *search, uint32_t record) {
  if (!search->walk) return gli_plain_propagate(search->plain, record, search->threshold);
  uint32_t origin = gli_backup_path(search->graph, record, true);
  if (!gli_walk_sync(search->walk)) return false;
  if (origin != GLI_NONE) gli_walk_told(search->walk, origin);
  gli_walk_work(search->walk);
  return !is_starved(search->walk);
}

/* Expands the record or, near the limit, one that is chosen again after room was made:
 * the first may be gone.  Making room is worth it only when a good part can be freed,
 * or the search would do nothing else: where all that is there is part of a policy it is
 * tried again after some moves only, for it takes as long as thousands of expansions.
 * It is put off to the next move where it would take longer than there is time. */
static bool expand_record(gli_search *search, uint32_t *record) {
  gli_graph *graph = search->graph;
  while (!gli_graph_expand(graph, *record)) {
    bool dead = graph->garbage != GLI_NONE;
    size_t before = graph->expanded_live;
    if (!dead && search->wait) return false;
    if (!dead && search->deadline < INFINITY && gli_clock_now() + prune_seconds * (double)before > search->deadline) {
      search->crowded = true;
      return false;
    }
    if (!lighten(search)) return false;
    if (dead) continue;
    if (search->futile) return false;
    if (!choose(search, record) || *record == GLI_NONE) return false;
  }
  return true;
}

/* The last resort: nothing is kept but the root, which is fringe. */
static bool give_up_all(gli_search *search) {
  gli_graph *graph = search->graph;
  const gli_origin *root = &graph->origins[graph->root];
  double one = 1;
  glimpse_row belief = {1, &root->state, &one};
  if (root->state == GLI_NONE) belief = gli_graph_row(graph, root->belief, root->support);
  gli_sparse copy = {0};
  bool anew = gli_sparse_reserve(&copy, belief.count);
  if (anew) {
    memcpy(copy.index, belief.index, belief.count * sizeof *copy.index);
    memcpy(copy.value, belief.value, belief.count * sizeof *copy.value);
    copy.count = belief.count;
    anew = give_up(search, gli_sparse_row(&copy), false);
  }
  gli_sparse_free(&copy);
  return anew;
}

/* A graph without fringe may have cycles, round which the bounds still close in. */
bool gli_search_unsettled(const gli_search *search) {
  return search->walk && search->walk->changed;
}

glimpse_stop gli_search_expand(gli_search *search) {
  uint32_t record;
  if (!choose(search, &record)) return GLIMPSE_STOP_MEMORY;
  if (record == GLI_NONE) {
    bool known = gli_graph_gap(search->graph, gli_graph_root(search->graph)) == 0; /* the value, up to rounding */
    if (!known && gli_search_unsettled(search)) return GLIMPSE_STOP_NONE;
    return search->graph->full ? GLIMPSE_STOP_MEMORY : GLIMPSE_STOP_SOLVED;
  }
  if (!expand_record(search, &record)) return GLIMPSE_STOP_MEMORY;
  if (search->walk) gli_graph_reclaim(search->graph, RECLAIMED);
  if (spread(search, record)) return GLIMPSE_STOP_NONE;
  search->graph->full = true; /* not everybody has been told */
  return GLIMPSE_STOP_MEMORY;
}

/* A decision compares all choices; those for which there is no room count for what was known of them. */
static bool open_root(gli_search *search, uint32_t node) {
  for (uint32_t a = 0; a < search->graph->actions; a++) gli_graph_open(search->graph, node, a);
  gli_backup_node(search->graph, node);
  if (!search->walk) return true;
  if (!gli_walk_sync(search->walk)) return false;
  gli_walk_told(search->walk, search->graph->root);
  return true;
}

glimpse_stop gli_search_root(gli_search *search, bool hurry) {
  gli_graph *graph = search->graph;
  uint32_t node = gli_graph_root(graph)->link;
  if (node != GLI_NONE) return open_root(search, node) ? GLIMPSE_STOP_NONE : GLIMPSE_STOP_MEMORY;
  bool last = false;
  while (!gli_graph_expand(graph, graph->origins[graph->root].record)) {
    if ((!hurry || graph->garbage != GLI_NONE) && lighten(search)) continue;
    if (last || !give_up_all(search)) return GLIMPSE_STOP_MEMORY;
    last = true;
  }
  return spread(search, graph->origins[graph->root].record) ? GLIMPSE_STOP_NONE : GLIMPSE_STOP_MEMORY;
}

void gli_search_refresh(gli_search *search) {
  gli_graph *graph = search->graph;
  uint32_t node = gli_graph_root(graph)->link;
  if (node == GLI_NONE) return;
  for (uint32_t c = 0; c <= graph->actions; c++) gli_backup_choice(graph, node, c);
  gli_backup_node(graph, node);
  if (search->walk) gli_walk_told(search->walk, graph->root);
}

bool gli_search_decided(const gli_graph *graph) {
  uint32_t node = gli_graph_root(graph)->link;
  if (node == GLI_NONE) return false;
  gli_expanded *e = gli_graph_node(graph, node);
  const double *uppers = gli_graph_uppers(graph, e), *lowers = gli_graph_lowers(graph, e);
  uint32_t best = graph->actions;
  for (uint32_t a = 0; a < graph->actions; a++)
    if (lowers[a] > lowers[best]) best = a;
  for (uint32_t c = 0; c <= graph->actions; c++)
    if (c != best && uppers[c] > lowers[best]) return false;
  return true;
}

/* Rounds that only close the bounds expand nothing, and at a discount next to 1 there may be
 * thousands of millions of them: so much work (of gli_walk) is as good as so many expansions. */
static double work_of(uint64_t expansions) {
  return expansions ? 2e5 + 1024 * (double)expansions : INFINITY;
}

static glimpse_stop run(gli_search *search, const glimpse_budget *budget, double started) {
  const gli_graph *graph = search->graph;
  double work = work_of(budget->expansions) + (search->walk ? search->walk->settling : 0);
  uint64_t last = budget->expansions ? graph->expansions + budget->expansions : UINT64_MAX;
  double deadline = search->deadline, looked = started;
  unsigned interval = 1, since = 0;
  for (;;) {
    const gli_record *root = gli_graph_root(graph);
    if (budget->epsilon > 0 && root->upper - root->lower <= budget->epsilon) return GLIMPSE_STOP_EPSILON;
    if (budget->decided && gli_search_decided(graph)) return GLIMPSE_STOP_DECIDED;
    if (gli_flag_raised(budget->interrupt)) return GLIMPSE_STOP_INTERRUPTED;
    if (graph->expansions >= last || (search->walk && search->walk->settling > work)) return GLIMPSE_STOP_EXPANSIONS;
    if (deadline < INFINITY && since++ >= interval) {
      double now = gli_clock_now();
      if (now >= deadline) return GLIMPSE_STOP_TIME;
      double each = (now - looked) / since;
      interval = each > 2e-4 ? 0 : (unsigned)(2e-4 / (each > 1e-7 ? each : 1e-7));
      if (interval > 64) interval = 64;
      looked = now;
      since = 0;
    }
    search->settled = false;
    glimpse_stop stop = gli_search_expand(search);
    if (stop) return stop;
    if (search->settled) since = interval; /* that may have taken a while: look at the clock */
  }
}

glimpse_stop gli_search_run(gli_search *search, const glimpse_budget *budget, double started) {
  search->deadline = budget->seconds > 0 ? started + budget->seconds : INFINITY;
  if (search->walk) search->walk->deadline = search->deadline;
  uint64_t before = search->graph->expansions;
  glimpse_stop stop = run(search, budget, started);
  /* Expansions free what was left behind as they go; where there are none any more it would pile up. */
  if (search->walk && search->graph->expansions == before) gli_graph_reclaim(search->graph, RECLAIMED_IDLE);
  search->deadline = INFINITY;
  if (search->walk) search->walk->deadline = INFINITY;
  return stop;
}
