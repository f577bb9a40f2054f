/* Search: the loop of the paper's Algorithm 1.  The clock is read once in a few
 * expansions, as many as fit into a fraction of a millisecond. */
#include "graph/search.h"

#include <math.h>

#include "base/clock.h"

gli_search *gli_search_new(gli_graph *graph, bool plain, double threshold) {
  gli_search *search = GLI_NEW(gli_search, 1);
  if (!search) return NULL;
  search->graph = graph;
  search->threshold = threshold;
  search->work = 4;
  if (plain) search->plain = gli_plain_new(graph);
  else search->walk = gli_walk_new(graph);
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

void gli_search_cleared(gli_search *search) {
  if (search->walk) gli_walk_clear(search->walk);
  if (search->plain) gli_plain_clear(search->plain);
}

bool gli_search_moved(gli_search *search) {
  if (!search->walk) return true;
  return gli_walk_sync(search->walk) && gli_walk_work(search->walk, 16);
}

/* What to expand next; GLI_NONE when no gap is left. */
static bool choose(gli_search *search, uint32_t *record) {
  double score;
  if (search->plain) return gli_plain_select(search->plain, record, &score);
  *record = gli_walk_select(search->walk);
  if (*record != GLI_NONE && search->graph->records[*record].link == GLI_NONE) return true;
  if (!gli_walk_settle(search->walk, 100)) return false;
  *record = gli_walk_select(search->walk);
  return true;
}

static bool spread(gli_search *search, uint32_t record) {
  if (search->plain) return gli_plain_propagate(search->plain, record, search->threshold);
  uint32_t origin = gli_backup_path(search->graph, record);
  if (!gli_walk_sync(search->walk)) return false;
  if (origin != GLI_NONE) gli_walk_told(search->walk, origin);
  return gli_walk_work(search->walk, search->work);
}

glimpse_stop gli_search_expand(gli_search *search) {
  uint32_t record;
  if (!choose(search, &record)) return GLIMPSE_STOP_MEMORY;
  if (record == GLI_NONE) return GLIMPSE_STOP_SOLVED;
  if (!gli_graph_expand(search->graph, record)) return GLIMPSE_STOP_MEMORY;
  return spread(search, record) ? GLIMPSE_STOP_NONE : GLIMPSE_STOP_MEMORY;
}

bool gli_search_decided(const gli_graph *graph) {
  uint32_t node = gli_graph_root(graph)->link;
  if (node == GLI_NONE) return false;
  const gli_expanded *e = &graph->expanded[node];
  const gli_choice *choices = graph->choices + (size_t)node * graph->actions;
  double best = e->ask_lower;
  uint32_t which = graph->actions;
  for (uint32_t a = 0; a < graph->actions; a++)
    if (choices[a].lower > best) best = choices[a].lower, which = a;
  if (which != graph->actions && e->ask_upper > best) return false;
  for (uint32_t a = 0; a < graph->actions; a++)
    if (a != which && choices[a].upper > best) return false;
  return true;
}

glimpse_stop gli_search_run(gli_search *search, const glimpse_budget *budget, double started) {
  const gli_graph *graph = search->graph;
  uint64_t last = budget->expansions ? graph->expansions + budget->expansions : UINT64_MAX;
  double deadline = budget->seconds > 0 ? started + budget->seconds : INFINITY, looked = started;
  unsigned interval = 1, since = 0;
  for (;;) {
    const gli_record *root = gli_graph_root(graph);
    if (budget->epsilon > 0 && root->upper - root->lower <= budget->epsilon) return GLIMPSE_STOP_EPSILON;
    if (budget->decided && gli_search_decided(graph)) return GLIMPSE_STOP_DECIDED;
    if (budget->interrupt && *budget->interrupt) return GLIMPSE_STOP_INTERRUPTED;
    if (graph->expansions >= last) return GLIMPSE_STOP_EXPANSIONS;
    if (deadline < INFINITY && since++ >= interval) {
      double now = gli_clock_now();
      if (now >= deadline) return GLIMPSE_STOP_TIME;
      double each = (now - looked) / since;
      interval = each > 2e-4 ? 0 : (unsigned)(2e-4 / (each > 1e-7 ? each : 1e-7));
      if (interval > 64) interval = 64;
      looked = now;
      since = 0;
    }
    glimpse_stop stop = gli_search_expand(search);
    if (stop) return stop;
  }
}
