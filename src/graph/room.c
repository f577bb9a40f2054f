/* Room: what a search does when memory is short.
 *
 * What the root does not reach is squeezed out first, then what matters least (collect.c).  That changes indices, so
 * the pass under way is given up, and the next begins at the root. */
#include <math.h>

#include "base/clock.h"
#include "graph/collect.h"
#include "graph/search.h"
#include "graph/store.h"
#include "graph/vectors.h"

enum { MOST_FUTILE = 6 };
static const double collect_seconds = 2e-6; /* per node, about */

void gli_search_restart(gli_search *search) {
  search->phase = GLI_PHASE_SELECT;
  search->begun = search->still = false;
  search->growing = search->telling = GLI_NONE;
  search->looked = false;
  search->changed = true;
  search->expanded = search->returned = 0;
  search->rise = search->fall = 0;
  search->began = search->graph->expansions;
  search->seen = (gli_bounds){INFINITY, -INFINITY};
  if (search->graph->vectors) search->graph->vectors->path_count = 0;
}

/* Making room is worth its time only when it frees a good part.  Where nearly all there is belongs to a policy it does
 * not, and is tried again only after some moves. */
static bool make_room(gli_search *search) {
  gli_graph *graph = search->graph;
  uint64_t before = gli_store_used(graph);
  size_t nodes = graph->node_count;
  gli_search_restart(search);
  graph->full = search->crowded = false;
  gli_collect(&search->pass, false);
  if (gli_store_used(graph) > before - before / 8) gli_collect(&search->pass, true);
  search->dropped += nodes - graph->node_count;
  search->live = gli_store_used(graph);
  bool enough = search->live <= before - before / 8;
  search->futile = enough ? 0 : search->futile < MOST_FUTILE ? search->futile + 1 : MOST_FUTILE;
  search->wait = enough ? 0 : 1u << search->futile;
  return enough;
}

/* A run that has too little time left for it saves that time up.  So short runs make room, too: once in a while one of
 * them takes longer than it should. */
bool gli_search_make_room(gli_search *search) {
  const gli_graph *graph = search->graph;
  if (search->form || search->wait || graph->root == GLI_NONE) return false;
  double need = collect_seconds * (double)graph->node_count;
  double left = search->deadline < INFINITY ? search->deadline - gli_clock_now() : INFINITY;
  if (need > left + search->saved) {
    search->saved += left > 0 ? left : 0;
    search->crowded = true;
    return false;
  }
  search->saved = 0;
  return make_room(search);
}
