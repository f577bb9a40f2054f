/* Visit: shows a graph to others, whole or in part.
 *
 * A *place* is a belief in the graph: a node, a fringe child, or the corner of a state, which need not have a node yet.
 * Each belief has one place, however many children lead to it.
 *
 * First the places are found, from the root along the edges that the filters let pass.
 * A place that is found again, nearer or on a likelier path, is followed again.  This
 * ends, because going round a circle makes no path shorter or likelier.  Then come all nodes, in
 * the order in which they were found, then the edges between them.
 *
 * The graph is only read.  Beliefs of the fringe are not stored; they are made anew from
 * their parents.  Cost: a few dozen bytes for each place and four for each node and child, one belief update per fringe
 * belief. */
#include "graph/visit.h"

#include <math.h>
#include <string.h>

#include "graph/backup.h"

/* Key of a place: a node, FRINGE | child, or CORNER | state. */
#define CORNER ((uint64_t)1 << 32)
#define FRINGE ((uint64_t)1 << 33)

typedef struct place {
  uint64_t key;
  double probability;      /* of the likeliest path to it */
  uint32_t depth;          /* of the shortest */
  uint32_t parent, choice; /* of a fringe child */
  bool waiting;            /* to be followed */
} place;

typedef struct tour {
  const gli_graph *graph;
  const glimpse_visit *visit;
  place *places;
  size_t count, capacity;
  uint32_t *number; /* of the place of each node, child and corner; GLI_NONE: none */
  gli_belief_work *work;
  gli_sparse belief;
} tour;

/* Something that a choice leads to. */
typedef struct step {
  uint64_t key;
  uint32_t node, choice, label;
  double probability;
} step;

/* ------------------------------------------------------------------- places */

static uint64_t key_of_node(const gli_graph *graph, uint32_t node) {
  uint32_t state = gli_graph_node(graph, node)->state;
  return state == GLI_NONE ? node : CORNER | state;
}

static uint64_t key_of(const gli_graph *graph, const gli_outcome *to) {
  if (gli_link_fringe(to->link)) return FRINGE | to->child;
  return gli_link_corner(to->link) ? CORNER | (to->link & ~GLI_CORNER) : key_of_node(graph, to->link);
}

/* The node of a place; GLI_NONE: fringe, or nobody has looked at its choices. */
static uint32_t node_of(const gli_graph *graph, uint64_t key) {
  uint32_t node = key & FRINGE ? GLI_NONE : key & CORNER ? graph->corner[(uint32_t)key].node : (uint32_t)key;
  return node == GLI_NONE || gli_graph_node(graph, node)->greedy == GLI_NONE ? GLI_NONE : node;
}

static void bounds_of(const gli_graph *graph, uint64_t key, double *lower, double *upper) {
  if (key & FRINGE) {
    *lower = graph->children[(uint32_t)key].lower;
    *upper = graph->children[(uint32_t)key].upper;
  } else if (key & CORNER) {
    *lower = graph->corner[(uint32_t)key].lower;
    *upper = graph->corner[(uint32_t)key].upper;
  } else {
    *lower = gli_graph_node(graph, (uint32_t)key)->lower;
    *upper = gli_graph_node(graph, (uint32_t)key)->upper;
  }
}

/* Where the number of a place stands. */
static uint32_t *find(const tour *t, uint64_t key) {
  size_t children = t->graph->node_count, corners = children + t->graph->child_count;
  return t->number + (key & FRINGE ? children : key & CORNER ? corners : 0) + (uint32_t)key;
}

/* A place is found at the end of a path.  False: out of memory. */
static bool reach(tour *t, uint64_t key, uint32_t depth, double probability, uint32_t parent, uint32_t choice) {
  uint32_t *number = find(t, key);
  if (*number == GLI_NONE) {
    if (t->count >= GLI_NONE || !GLI_GROW(t->places, t->capacity, t->count + 1)) return false;
    t->places[t->count] = (place){.key = key, .depth = UINT32_MAX, .parent = parent, .choice = choice};
    *number = (uint32_t)t->count++;
  }
  place *p = &t->places[*number];
  if (depth >= p->depth && probability <= p->probability) return true;
  if (depth < p->depth) p->depth = depth;
  if (probability > p->probability) p->probability = probability;
  p->waiting = true;
  return true;
}

/* -------------------------------------------------------------------- steps */

typedef bool (*step_function)(tour *t, const place *from, const step *to);

/* Each thing that a choice of a node leads to. */
static bool each_of(tour *t, const place *from, uint32_t node, uint32_t choice, step_function function) {
  place here = *from; /* the function may move the places */
  gli_outcome to;
  for (uint32_t i = 0; gli_graph_outcome(t->graph, node, choice, i, &to); i++)
    if (!function(t, &here, &(step){key_of(t->graph, &to), node, choice, to.label, to.probability})) return false;
  return true;
}

/* Each thing that an expanded belief leads to, if what follows it is wanted at all. */
static bool each(tour *t, const place *from, step_function function) {
  const gli_graph *graph = t->graph;
  uint32_t node = node_of(graph, from->key);
  if (node == GLI_NONE) return true;
  uint32_t plan = gli_backup_decide(graph, node);
  for (uint32_t c = 0; c <= graph->actions; c++) {
    if (c == graph->actions && !gli_node_can_ask(graph, gli_graph_node(graph, node))) continue;
    if (t->visit->plan && c != plan) continue;
    if (!each_of(t, from, node, c, function)) return false;
  }
  return true;
}

/* Do the filters let a step pass? */
static bool passes(const tour *t, const place *from, const step *to) {
  const glimpse_visit *visit = t->visit;
  double lower, upper;
  bounds_of(t->graph, from->key, &lower, &upper);
  if (visit->min_gap > 0 && upper - lower < visit->min_gap) return false;
  if (visit->depth && to->choice != t->graph->actions && from->depth >= visit->depth) return false;
  if (from->probability * to->probability < visit->probability) return false;
  bounds_of(t->graph, to->key, &lower, &upper);
  return !(visit->max_gap > 0 && upper - lower > visit->max_gap);
}

static bool follow(tour *t, const place *from, const step *to) {
  if (!passes(t, from, to)) return true;
  uint32_t more = to->choice != t->graph->actions;
  /* Rounding must not make a path likelier. */
  return reach(t, to->key, from->depth + more, from->probability * fmin(to->probability, 1), to->node, to->choice);
}

/* Sweeps over the places, nearest first, until none waits any more. */
static bool explore(tour *t) {
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < t->count; i++) {
      if (!t->places[i].waiting) continue;
      t->places[i].waiting = false;
      place from = t->places[i];
      if (!each(t, &from, follow)) return false;
      again = true;
    }
  }
  return true;
}

/* -------------------------------------------------------------------- nodes */

static bool certain(tour *t, uint32_t state, glimpse_row *row) {
  if (!gli_sparse_reserve(&t->belief, 1)) return false;
  t->belief.count = 1;
  t->belief.index[0] = state;
  t->belief.value[0] = 1;
  *row = gli_sparse_row(&t->belief);
  return true;
}

/* The belief of a place; false: out of memory. */
static bool belief_of(tour *t, const place *p, glimpse_row *row) {
  const gli_graph *graph = t->graph;
  uint64_t key = p->key;
  if (key & CORNER) return certain(t, (uint32_t)key, row);
  if (!(key & FRINGE)) return *row = gli_graph_belief(graph, gli_graph_node(graph, (uint32_t)key)), true;
  uint32_t label = graph->children[(uint32_t)key].label;
  if (p->choice == graph->actions) return certain(t, label, row);
  double probability;
  glimpse_row above = gli_graph_belief(graph, gli_graph_node(graph, p->parent));
  if (!gli_belief_child(t->work, above, p->choice, label, &probability, &t->belief)) return false;
  *row = gli_sparse_row(&t->belief);
  return true;
}

/* Children that no edge will show. */
static size_t hidden_of(tour *t, const place *from, uint32_t node) {
  const gli_graph *graph = t->graph;
  size_t hidden = 0;
  uint32_t plan = gli_backup_decide(graph, node);
  gli_outcome out;
  for (uint32_t c = 0; c <= graph->actions; c++)
    for (uint32_t i = 0; gli_graph_outcome(graph, node, c, i, &out); i++) {
      step to = {key_of(graph, &out), node, c, out.label, out.probability};
      hidden += (t->visit->plan && c != plan) || !passes(t, from, &to) || *find(t, to.key) == GLI_NONE;
    }
  return hidden;
}

/* False: out of memory, or enough (*enough). */
static bool show_node(tour *t, uint32_t id, bool *enough) {
  const gli_graph *graph = t->graph;
  const place *p = &t->places[id];
  uint32_t node = node_of(graph, p->key);
  glimpse_node show = {.id = id,
                       .state = GLIMPSE_ANY,
                       .corner = (p->key & CORNER) && gli_graph_shares(graph),
                       .expanded = node != GLI_NONE,
                       .action = GLIMPSE_ANY,
                       .depth = p->depth,
                       .probability = p->probability};
  bounds_of(graph, p->key, &show.lower, &show.upper);
  if (!belief_of(t, p, &show.belief)) return false;
  if (show.belief.count == 1) show.state = show.belief.index[0];
  if (node != GLI_NONE) {
    uint32_t choice = gli_backup_decide(graph, node);
    show.ask = choice == graph->actions;
    if (!show.ask) show.action = choice;
    show.hidden = hidden_of(t, p, node);
  }
  *enough = !t->visit->node(t->visit->context, &show);
  return !*enough;
}

/* -------------------------------------------------------------------- edges */

static bool show_edge(tour *t, const place *from, const step *to) {
  const gli_graph *graph = t->graph;
  uint32_t target = *find(t, to->key);
  if (target == GLI_NONE || !passes(t, from, to)) return true;
  uint32_t node = node_of(graph, from->key);
  gli_node *n = gli_graph_node(graph, node);
  bool ask = to->choice == graph->actions;
  glimpse_edge show = {.from = *find(t, from->key),
                       .to = target,
                       .ask = ask,
                       .action = ask ? GLIMPSE_ANY : to->choice,
                       .observation = ask ? GLIMPSE_ANY : to->label,
                       .state = ask ? to->label : GLIMPSE_ANY,
                       .probability = to->probability,
                       .lower = gli_node_lowers(graph, n)[to->choice],
                       .upper = gli_node_uppers(n)[to->choice],
                       .plan = gli_backup_decide(graph, node) == to->choice};
  return t->visit->edge(t->visit->context, &show);
}

static glimpse_status show_all(tour *t) {
  bool enough = false;
  for (uint32_t i = 0; i < t->count; i++)
    if (!show_node(t, i, &enough)) return enough ? GLIMPSE_OK : GLIMPSE_NO_MEMORY;
  for (uint32_t i = 0; i < t->count; i++)
    if (!each(t, &t->places[i], show_edge)) return GLIMPSE_OK;
  return GLIMPSE_OK;
}

glimpse_status gli_graph_visit(const gli_graph *graph, const glimpse_visit *visit) {
  if (graph->root == GLI_NONE) return GLIMPSE_BAD_ARGUMENT;
  size_t most = graph->node_count + graph->child_count + graph->states;
  tour all = {.graph = graph, .visit = visit};
  all.work = gli_belief_work_new(graph->model);
  all.number = GLI_NEW(uint32_t, most);
  if (all.number) memset(all.number, 0xff, most * sizeof *all.number);
  glimpse_status status = GLIMPSE_NO_MEMORY;
  if (all.work && all.number && reach(&all, key_of_node(graph, graph->root), 0, 1, GLI_NONE, GLI_NONE) && explore(&all))
    status = show_all(&all);
  gli_belief_work_free(all.work);
  gli_sparse_free(&all.belief);
  gli_memory_free(all.number);
  gli_memory_free(all.places);
  return status;
}
