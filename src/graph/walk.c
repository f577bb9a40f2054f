/* Walk: the incremental form of the paper's selection (its Algorithms 2 and 4).
 *
 * The next record to expand is the fringe record with the largest
 *   Psi(root, b) * (U(b) - L(b)),
 * where Psi adds up the discounted probabilities of all paths from the root under
 * the policy that is greedy on U.  Below each origin the graph is a tree, so the
 * best fringe record there is known to the origin as score (backup.c keeps it),
 * and the best of all is that of the origin with the largest reach * score.
 *
 * The reach of the origins, which adds up Psi over all ways to each, is kept in reach.c: it needs to know the weights
 * of the direct paths from each origin to others.  They are found by walking the policy's part of the tree below it.
 *
 * Walking x also refreshes the bounds there: a request looks at the corners again.
 * Stale is sound, since upper bounds only fall and lower bounds only rise, so
 * origins are simply walked in turn, a few beliefs per expansion; a long walk stops in
 * the middle and goes on after a later expansion, when its work has been made up for.
 * An expansion so costs the same at any size of the graph.
 *
 * Lower bounds have sweeps of their own.  The policy greedy on L, the plan, asks soon and often, so
 * that the trees it needs are small, but what it promises at a corner hangs on the corners it
 * asks for, and theirs on others, round and round: each sweep raises them a little.  It walks where mass has
 * arrived, which comes from the root, and from where the policy is walked, and goes on along the plan.
 *
 * Where there is no room for a walk its old row stays; where there is none for a row, its
 * largest entries do.  What is next is then less well known, and the graph is full: nothing
 * is taken for solved. */
#include "graph/walk.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"

static const double pushable = 1e-7; /* residuals below this wait in a round that settles and has little time */
static const double plenty = 1e12;   /* work that is never used up, and still counted exactly enough */
static const double piece = 64;      /* work that may be done in one go, though it was not owed yet */
static const double hoard = 48;      /* work that may be owed, at most: there was nothing to do for a while */
static const double enough = 0.05;   /* mass that must have arrived for a walk that raises lower bounds */

/* Work that has changed nothing counts so many times: of looks and of walks for lower bounds, of walks for rows
 * (of long ones piece by piece). */
static const double vain = 3, vain_row = 1.5;

enum {
  FAR = 4096, /* origins passed over in one go */
  BATCH = 8,  /* expansions after which the work for them is done */
  PASSED = 8  /* of so many beliefs that news do not concern one is told */
};

gli_walk *gli_walk_new(gli_graph *graph) {
  gli_walk *walk = GLI_NEW(gli_walk, 1);
  if (!walk) return NULL;
  walk->graph = graph;
  walk->reach = gli_reaches_of(graph);
  walk->path.origin = walk->aside.origin = GLI_NONE;
  walk->deadline = INFINITY;
  return walk;
}

static void release(gli_walk *walk) {
  gli_reaches_free(&walk->reach);
  gli_memory_free(walk->path.frames);
  gli_memory_free(walk->aside.frames);
}

/* Nothing may depend on what was searched before, not even by the room that is left. */
void gli_walk_clear(gli_walk *walk) {
  release(walk);
  *walk = (gli_walk){.graph = walk->graph,
                     .reach = gli_reaches_of(walk->graph),
                     .path.origin = GLI_NONE,
                     .aside.origin = GLI_NONE,
                     .deadline = walk->deadline};
}

void gli_walk_free(gli_walk *walk) {
  if (!walk) return;
  release(walk);
  gli_memory_free(walk);
}

bool gli_walk_sync(gli_walk *walk) {
  if (!gli_reaches_grow(&walk->reach)) return false;
  if (walk->reach.source == walk->graph->root) return true;
  gli_reaches_move(&walk->reach, walk->graph->root);
  walk->rest = 0;
  return true;
}

void gli_walk_forget(gli_walk *walk, uint32_t origin, uint32_t holder) {
  gli_reaches_forget(&walk->reach, origin, holder);
}

void gli_walk_told(gli_walk *walk, uint32_t origin) {
  if (origin < walk->reach.count) gli_reaches_key(&walk->reach, origin);
}

void gli_walk_rekey(gli_walk *walk) {
  for (uint32_t x = 0; x < walk->reach.count; x++) gli_reaches_key(&walk->reach, x);
}

/* The belief whose child is next; GLI_NONE: it is an origin, or none is known. */
static uint32_t next_parent(const gli_walk *walk) {
  uint32_t record = gli_reaches_best(&walk->reach),
           link = record == GLI_NONE ? GLI_NONE : walk->graph->records[record].link;
  return link == GLI_NONE ? GLI_NONE : gli_graph_node(walk->graph, link)->best;
}

uint32_t gli_walk_select(const gli_walk *walk) {
  uint32_t parent = next_parent(walk);
  if (parent != GLI_NONE) return gli_backup_best(walk->graph, parent);
  uint32_t record = gli_reaches_best(&walk->reach);
  return record != GLI_NONE && walk->graph->records[record].link == GLI_NONE ? record : GLI_NONE;
}

/* -------------------------------------------------------------------- walks */

/* The walk under way is over; only those along the policy have flows. */
static void end_walk(gli_walk *walk) {
  if (!walk->by_lower) gli_reaches_drop(&walk->reach);
  walk->path.depth = 0;
  walk->path.origin = GLI_NONE;
}

void gli_walk_abandon(gli_walk *walk) {
  if (walk->aside.origin < walk->reach.count) walk->reach.of[walk->aside.origin].arrived += walk->mass;
  end_walk(walk);
  walk->aside.depth = 0;
  walk->aside.origin = GLI_NONE;
  walk->left = 0;
}

/* The choice with the largest lower bound, the first of equals. */
static uint32_t safest(const gli_graph *graph, uint32_t node) {
  const double *lowers = gli_graph_lowers(graph, gli_graph_node(graph, node));
  uint32_t best = 0;
  for (uint32_t c = 1; c <= graph->actions; c++) best = lowers[c] > lowers[best] ? c : best;
  return best;
}

/* Part of the walk's mass comes to another origin: as an entry of the row, or at once. */
static void lead_to(gli_walk *walk, uint32_t origin, double weight) {
  if (origin >= walk->reach.count) return;
  if (walk->by_lower) walk->reach.of[origin].arrived += walk->mass * weight;
  else gli_reaches_flow(&walk->reach, origin, weight);
}

/* Asking shared corners takes no time and has no children: its flow is known at once. */
static void flow_to_corners(gli_walk *walk, const gli_frame *frame, double weight) {
  gli_graph *graph = walk->graph;
  glimpse_row belief = gli_graph_belief(graph, gli_graph_node(graph, frame->node));
  for (size_t i = 0; i < belief.count; i++) {
    uint32_t s = belief.index[i], origin = graph->corner[s];
    if (origin == GLI_NONE && gli_graph_corner(graph, s) != GLI_NONE) walk->changed = true; /* had found no room */
    lead_to(walk, origin, frame->weight * weight * belief.value[i]);
  }
}

/* Moves a frame to this choice, if it has children to walk. */
static bool open_choice(gli_walk *walk, gli_frame *frame, uint32_t choice, double weight) {
  const gli_graph *graph = walk->graph;
  frame->left -= weight;
  if (choice == graph->actions && gli_graph_shares(graph)) {
    flow_to_corners(walk, frame, weight);
    return false;
  }
  frame->choice = choice;
  frame->child = gli_graph_children(graph, frame->node, choice, &frame->end);
  for (uint32_t i = frame->child; i < frame->end; i++) /* where the walk will go, mostly in no cache */
    if (!(graph->records[i].link & GLI_ALIAS)) gli_graph_fetch(graph, graph->records[i].link);
  frame->through = frame->weight * weight * (choice < graph->actions ? graph->discount : 1);
  return true;
}

/* Moves a frame to the next choice that is followed, from this one on.  Where the policy has changed under
 * way no mass is made: there is nothing left for choices that are followed only now. */
static void next_choice(gli_walk *walk, gli_frame *frame, uint32_t choice) {
  const gli_graph *graph = walk->graph;
  bool one = walk->by_lower || graph->options.rule != GLI_RULE_SATIA_LAVE;
  if (one && frame->left > 0) {
    uint32_t only = walk->by_lower ? safest(graph, frame->node) : gli_graph_node(graph, frame->node)->greedy;
    if (open_choice(walk, frame, only, 1)) return;
  }
  for (; !one && choice <= graph->actions; choice++) {
    double weight = fmin(frame->left, gli_backup_weight(graph, frame->node, choice));
    if (weight > 0 && open_choice(walk, frame, choice, weight)) return;
  }
  frame->choice = graph->actions + 1; /* done */
}

/* For lack of room the greedy action may not have been opened: it is tried again, or the
 * search would go round it for ever and take it for solved. */
static bool is_shut(const gli_graph *graph, uint32_t node) {
  gli_expanded *e = gli_graph_node(graph, node);
  return e->greedy < graph->actions && !gli_graph_opened(graph, e, e->greedy);
}

/* What a walk reads next of a belief that was fetched: where it would ask, and what it leads to. */
GLI_ALWAYS_INLINE void fetch_more(const gli_graph *graph, uint32_t node) {
  const gli_expanded *e = gli_graph_node(graph, node);
  uint32_t end;
  __builtin_prefetch(graph->beliefs + e->belief);
  __builtin_prefetch(graph->records + gli_graph_children(graph, node, e->greedy, &end));
}

static bool enter(gli_walk *walk, uint32_t node, double weight, double *work) {
  gli_graph *graph = walk->graph;
  if (!GLI_QUOTA_GROW(&graph->quota, 0, walk->path.frames, walk->path.capacity, walk->path.depth + 1)) {
    walk->reach.starved |= gli_quota_left(&graph->quota, 0) >= sizeof(gli_frame);
    return false;
  }
  fetch_more(graph, node);
  if (gli_graph_shares(graph) && gli_backup_news(graph, node, false)) walk->changed = true;
  if (is_shut(graph, node) && gli_backup_node(graph, node)) walk->changed = true;
  gli_frame *frame = &walk->path.frames[walk->path.depth++];
  *frame = (gli_frame){.node = node, .weight = weight, .left = 1};
  next_choice(walk, frame, 0);
  *work -= 1 + gli_graph_node(graph, node)->support / 16.0;
  return true;
}

static void leave(gli_walk *walk) {
  gli_graph *graph = walk->graph;
  uint32_t node = walk->path.frames[--walk->path.depth].node;
  if (walk->path.frames[walk->path.depth].changed && gli_backup_node(graph, node)) walk->changed = true;
}

/* Is it worth a walk: the root, or one with mass? */
static bool has_mass(const gli_walk *walk, uint32_t origin) {
  if (walk->graph->origins[origin].record == GLI_NONE) return false;
  return walk->reach.of[origin].reach > 1e-9 || origin == walk->reach.source;
}

/* What walks below two of the next origins will read first, the one's record and the other's belief: while there is
 * time, for it is mostly in no cache. */
GLI_ALWAYS_INLINE void fetch_origins(const gli_walk *walk, uint32_t soon, uint32_t later) {
  const gli_graph *graph = walk->graph;
  uint32_t record = later < walk->reach.count ? graph->origins[later].record : GLI_NONE;
  if (record != GLI_NONE) __builtin_prefetch(graph->records + record);
  record = soon < walk->reach.count ? graph->origins[soon].record : GLI_NONE;
  if (record != GLI_NONE && graph->records[record].link != GLI_NONE)
    gli_graph_fetch(graph, graph->records[record].link);
}

/* The next origin that is worth a walk.  False: there is none, or none near. */
static bool next_origin(gli_walk *walk) {
  for (size_t i = 0; i < walk->reach.count && i < FAR; i++) {
    if (++walk->next >= walk->reach.count) walk->next = 0;
    fetch_origins(walk, walk->next + 2, walk->next + 4);
    if (!has_mass(walk, walk->next)) continue;
    uint32_t record = walk->graph->origins[walk->next].record;
    if (walk->graph->records[record].link == GLI_NONE) { /* fringe: nothing below */
      gli_reaches_key(&walk->reach, walk->next);
      continue;
    }
    walk->path.origin = walk->next;
    return true;
  }
  return false;
}

/* No room to go deeper. */
static void turn_back(gli_walk *walk, double *work) {
  walk->graph->full = true;
  end_walk(walk);
  *work -= 1;
}

/* Goes on with the walk below `origin` until it is done or the work is used up. */
static void go_on(gli_walk *walk, double *work, double least) {
  gli_graph *graph = walk->graph;
  if (walk->path.depth == 0 && !enter(walk, graph->records[graph->origins[walk->path.origin].record].link, 1, work)) {
    turn_back(walk, work);
    return;
  }
  while (walk->path.depth && *work > 0) {
    gli_frame *frame = &walk->path.frames[walk->path.depth - 1];
    if (frame->choice > graph->actions) {
      leave(walk);
      continue;
    }
    if (frame->child == frame->end) {
      if (gli_backup_choice(graph, frame->node, frame->choice)) frame->changed = walk->changed = true;
      next_choice(walk, frame, frame->choice + 1);
      continue;
    }
    const gli_record *child = &graph->records[frame->child++];
    if (frame->child < frame->end && child[1].link < GLI_ALIAS) fetch_more(graph, child[1].link);
    if (child->link == GLI_NONE) continue;
    double weight = frame->through * child->probability;
    if (!(child->link & GLI_ALIAS)) {
      if (!enter(walk, child->link, weight, work)) {
        turn_back(walk, work);
        return;
      }
    } else {
      lead_to(walk, child->link & ~GLI_ALIAS, weight);
    }
  }
  if (walk->path.depth) return; /* to be continued */
  gli_reaches_key(&walk->reach, walk->path.origin);
  if (!walk->by_lower) {
    gli_reach *x = &walk->reach.of[walk->path.origin];
    if (x->arrived < 1 && x->reach > 0) x->arrived += x->reach; /* here a better plan may be found, too */
    if (gli_reaches_commit(&walk->reach, walk->path.origin, least)) walk->changed = true;
    *work -= (double)walk->reach.touched_count / 16.0;
  }
  end_walk(walk);
}

/* Written out: fmin and fmax are calls. */
static double between(double least, double x, double most) {
  return x < least ? least : x > most ? most : x;
}

static double owed(double before, double more) {
  return before + more > hoard ? hoard : before + more;
}

/* How many beliefs to look at again after an expansion, if all of them find news.  News of the corners must get around
 * in a graph that is small, or has many of them.  In a large one a visit waits for memory as long as an expansion does,
 * and most of its beliefs are too far from all policies to matter. */
static double patrol_rate(const gli_graph *graph, double most) {
  double rate = (8e3 + 16 * (double)graph->corners) / (double)graph->expanded_live;
  return between(0.03125, rate, most);
}

/* How much work to do then for lower bounds and rows: much while each expansion may change the policy. */
static double walk_rate(const gli_graph *graph) {
  return 72 / sqrt((double)graph->expanded_live);
}

/* Do news of the corners concern it: does a policy ask here, or lead to a corner?  Of all others less than one
 * in ten changes when it looks at them (docs/ALGORITHM.md). */
static bool is_concerned(const gli_graph *graph, gli_expanded *e) {
  const double *lowers = gli_graph_lowers(graph, e);
  double lower = lowers[0];
  for (uint32_t a = 1; a < graph->actions; a++) lower = lowers[a] > lower ? lowers[a] : lower;
  return (e->greedy == graph->actions) | e->aliased | (lowers[graph->actions] >= lower);
}

/* Looks at the corners again from beliefs in the order of the store, backward, so
 * that children come before their parents: what no policy visits would otherwise
 * keep what it knew when it was made.  Beliefs that are not concerned are mostly passed by. */
static void patrol(gli_walk *walk) {
  gli_graph *graph = walk->graph;
  if (!gli_graph_shares(graph)) return;
  for (size_t left = graph->expanded_count; left && walk->patrol_work > 0; left--) {
    if (walk->patrol == 0 || walk->patrol > graph->expanded_count) walk->patrol = (uint32_t)graph->expanded_count;
    uint32_t node = --walk->patrol;
    gli_expanded *e = gli_graph_node(graph, node);
    walk->patrol_work -= 1.0 / PASSED;
    if (node >= 8) {
      const gli_expanded *soon = gli_graph_node(graph, node - 4);
      gli_graph_fetch(graph, node - 8);
      if (!soon->dead) {
        __builtin_prefetch(graph->beliefs + soon->belief);
        __builtin_prefetch(graph->records + soon->record);
      }
    }
    if (e->dead || (!is_concerned(graph, e) && ++walk->passed % PASSED)) continue;
    bool news = gli_backup_news(graph, node, true);
    walk->patrol_work -= news ? 1 : vain;
    if (!news) continue;
    uint32_t origin = gli_backup_path(graph, e->record, false);
    if (origin != GLI_NONE) gli_walk_told(walk, origin);
  }
}

/* Goes on with a walk; returns what it costs.  Short walks, which most are, are done in one go. */
static double step(gli_walk *walk) {
  double left = piece;
  bool before = walk->changed;
  walk->changed = false;
  go_on(walk, &left, GLI_REACH_PRESSING);
  double cost = piece - left;
  if (!walk->changed) cost *= walk->by_lower ? vain : vain_row;
  walk->changed |= before;
  return cost;
}

static void refresh(gli_walk *walk) {
  while (walk->sweep_work > 0) {
    if (walk->reach.queue_count)
      walk->sweep_work -= gli_reaches_push(&walk->reach, walk->sweep_work, GLI_REACH_PRESSING);
    if (walk->sweep_work <= 0 || (walk->path.origin == GLI_NONE && !next_origin(walk))) break;
    walk->sweep_work -= step(walk);
  }
}

/* A sweep is over.  One that has raised a bound by a tangible part of the root's gap is followed
 * by the next; else it is worth while only after some expansions.  Each sends out mass from the root. */
static void end_sweep(gli_walk *walk) {
  const gli_record *root = gli_graph_root(walk->graph);
  if (walk->rise <= 1e-3 * (root->upper - root->lower)) walk->rest = fmin(1 + 8 * walk->raise_cost, 1e4);
  walk->raised = (uint32_t)walk->reach.count;
  walk->reach.of[walk->reach.source].arrived += 1;
  walk->raise_cost = walk->rise = 0;
}

/* The origin, or GLI_NONE where too little has arrived for a walk (or x is none). */
static uint32_t if_due(const gli_walk *walk, uint32_t x) {
  return x < walk->reach.count && walk->reach.of[x].arrived >= enough ? x : GLI_NONE;
}

/* The next origin whose lower bound may be raised, from the last to the first; false: there is none near. */
static bool next_to_raise(gli_walk *walk) {
  const gli_graph *graph = walk->graph;
  for (int i = 0; walk->raised && i < FAR; i++) {
    uint32_t x = --walk->raised;
    fetch_origins(walk, if_due(walk, x - 2), if_due(walk, x - 4));
    if (if_due(walk, x) == GLI_NONE) continue;
    uint32_t record = graph->origins[x].record;
    double mass = walk->reach.of[x].arrived;
    walk->reach.of[x].arrived = 0;
    if (record == GLI_NONE || graph->records[record].link == GLI_NONE) continue; /* fringe: mass ends here */
    walk->path.origin = x;
    walk->mass = mass;
    walk->lower = graph->records[record].lower;
    return true;
  }
  return false;
}

/* Changes over to the walk of the other kind. */
static void change(gli_walk *walk) {
  gli_path path = walk->path;
  walk->path = walk->aside;
  walk->aside = path;
  walk->by_lower = !walk->by_lower;
}

static void raise_lowers(gli_walk *walk) {
  const gli_graph *graph = walk->graph;
  if (!gli_graph_shares(graph)) return; /* nothing is late where nothing is shared */
  change(walk);
  while (walk->raise_work > 0 && walk->rest <= 0) {
    if (walk->path.origin == GLI_NONE && !next_to_raise(walk)) {
      if (!walk->raised) end_sweep(walk);
      break;
    }
    uint32_t origin = walk->path.origin;
    double cost = step(walk);
    walk->raise_work -= cost;
    walk->raise_cost += cost;
    if (walk->path.origin == GLI_NONE) /* else to be continued */
      walk->rise = fmax(walk->rise, graph->records[graph->origins[origin].record].lower - walk->lower);
  }
  change(walk);
}

/* What is due after some expansions is done in one go: it has its own code and data, which would have to be fetched
 * each time. */
static void catch_up(gli_walk *walk) {
  const gli_graph *graph = walk->graph;
  double expansions = walk->behind, rate = walk_rate(graph);
  walk->behind = 0;
  walk->patrol_work = owed(walk->patrol_work, expansions * patrol_rate(graph, between(0.5, rate, 4)));
  patrol(walk);
  walk->rest = walk->rest > expansions ? walk->rest - expansions : 0;
  walk->raise_work = owed(walk->raise_work, expansions * between(0.25, rate, 4));
  if (walk->rest <= 0 && walk->raise_work > 0) raise_lowers(walk);
  walk->sweep_work = owed(walk->sweep_work, expansions * between(0.125, rate, 8));
  refresh(walk);
}

/* What an expansion reads first is the belief whose child it expands, and the child.  In a large graph neither is in
 * a cache, so they are fetched while there is other work to do.
 * (All of it inline: compilers drop calls of functions that do nothing but fetch.) */
void gli_walk_work(gli_walk *walk) {
  gli_graph *graph = walk->graph;
  uint32_t parent = next_parent(walk);
  if (parent != GLI_NONE) gli_graph_fetch(graph, parent);
  if (++walk->behind >= BATCH || walk->behind > graph->expanded_live / 64) catch_up(walk);
  if (parent == GLI_NONE) return;
  const gli_expanded *e = gli_graph_node(graph, parent);
  uint32_t end;
  const gli_record *children = graph->records + gli_graph_children(graph, parent, e->greedy, &end);
  __builtin_prefetch(children);
  __builtin_prefetch(children + 1);
  __builtin_prefetch(graph->beliefs + e->belief);
  __builtin_prefetch(graph->beliefs + e->belief + e->support);
  __builtin_prefetch(graph->records + e->record);
  if (e->above != GLI_NONE) gli_graph_fetch(graph, e->above);
}

/* Pushes what there is to push, within reason: in a cycle at a discount next to 1 mass goes
 * round for 1 / (1 - discount) turns, which may be for ever.  What is left counts as change. */
static void push_most(gli_walk *walk, double least) {
  double count = (double)walk->reach.count;
  walk->settling +=
      gli_reaches_push(&walk->reach, walk->deadline < INFINITY ? 2e4 + 8 * count : 1e5 + 4096 * count, least);
  if (walk->reach.queue_count) walk->changed = true;
}

/* Weights of Satia and Lave shrink along every path, whatever depends on its end: there an
 * origin matters when any choice that is followed leads to it, be its reach ever so small. */
static bool matters(const gli_walk *walk, uint32_t x) {
  if (x == walk->reach.source) return true;
  if (walk->graph->options.rule == GLI_RULE_SATIA_LAVE) return walk->reach.of[x].followed;
  return walk->reach.of[x].reach > GLI_REACH_TANGIBLE;
}

static void begin_round(gli_walk *walk, double least) {
  bool all = walk->graph->options.rule == GLI_RULE_SATIA_LAVE;
  walk->changed = false;
  walk->forward = !walk->forward; /* news goes round both ways: fewer rounds than always the same way */
  walk->left = walk->circle = (uint32_t)walk->reach.count;
  for (uint32_t x = 0; x < walk->reach.count; x++) {
    walk->reach.of[x].walked = false;
    if (all) walk->reach.of[x].followed = false;
    gli_reaches_call(&walk->reach, x, least);
  }
  push_most(walk, least);
}

static bool found(const gli_walk *walk) {
  uint32_t record = gli_walk_select(walk);
  return record != GLI_NONE && walk->graph->records[record].link == GLI_NONE;
}

/* Walks the origins that are left and matter, or (with `seek`) until there is something to expand; true: some of them
 * were met only then. */
static bool walk_all(gli_walk *walk, double least, bool seek) {
  bool follow = walk->graph->options.rule == GLI_RULE_SATIA_LAVE, again = false, look = seek;
  while (walk->left > 0) {
    if (look && found(walk)) return false;
    look = false; /* until something has changed */
    uint32_t left = --walk->left, x = walk->forward ? walk->circle - 1 - left : left;
    uint32_t record = walk->graph->origins[x].record;
    if (record == GLI_NONE || walk->reach.of[x].walked || !matters(walk, x)) continue;
    walk->reach.of[x].walked = true;
    look = seek;
    if (walk->graph->records[record].link == GLI_NONE) {
      gli_reaches_key(&walk->reach, x);
      continue;
    }
    if (walk->deadline < INFINITY && gli_clock_now() >= walk->deadline) {
      walk->changed = true; /* not done */
      walk->left = 0;
      return false;
    }
    double work = plenty;
    walk->path.origin = x;
    go_on(walk, &work, least);
    walk->settling += plenty - work;
    for (uint32_t i = 0; follow && i < walk->reach.of[x].count; i++) {
      gli_reach *to = &walk->reach.of[walk->reach.of[x].row[i].origin];
      again |= !to->walked;
      to->followed = true;
    }
  }
  if (again) walk->left = walk->circle;
  return again;
}

/* Before rounds: a walk may have made corners, and another be under way. */
static bool ready(gli_walk *walk) {
  if (!gli_walk_sync(walk)) return false;
  if (walk->path.origin == GLI_NONE) return true;
  double work = INFINITY;
  go_on(walk, &work, 0);
  return true;
}

/* What is left over when a round is done: less is rounding, or there is no time for it. */
static double negligible(const gli_walk *walk) {
  return walk->deadline < INFINITY ? pushable : 1e-15 / (1 - walk->graph->discount);
}

static void end_round(gli_walk *walk, double least) {
  push_most(walk, least);
  if (walk->graph->options.rule == GLI_RULE_SATIA_LAVE) gli_walk_rekey(walk); /* some are not followed any more */
}

bool gli_walk_settle(gli_walk *walk, unsigned rounds) {
  double least = negligible(walk);
  if (!ready(walk)) return false;
  walk->changed = true;
  for (unsigned round = 0; round < rounds && walk->changed; round++) {
    begin_round(walk, least);
    while (walk_all(walk, least, false)) {
    }
    end_round(walk, least);
  }
  return true;
}

bool gli_walk_seek(gli_walk *walk) {
  double least = negligible(walk);
  if (walk->graph->options.rule == GLI_RULE_SATIA_LAVE) return gli_walk_settle(walk, 1);
  if (!ready(walk)) return false;
  if (!walk->left || walk->circle != walk->reach.count) begin_round(walk, least);
  (void)walk_all(walk, least, true);
  if (walk->left) walk->changed = true; /* not done: the next time it goes on */
  else end_round(walk, least);
  return true;
}
