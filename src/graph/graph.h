/* Graph: the beliefs that a search has met, with a lower and an upper bound on
 * the value of each.
 *
 * Vocabulary
 *   record    a belief as its parent sees it: bounds, probability, observation.
 *             40 bytes; most records are fringe and have nothing else.
 *   expanded  what an expanded belief has besides its record: the belief itself
 *             and, for each choice, its bounds and its child records.
 *   choice    an action, or asking (number `actions`).  An action is *opened* when
 *             its children have been made.  Before that its upper bound is that of
 *             the offline vectors, which is good enough as long as another choice has
 *             a larger one: what the policy greedy on U looks at is always opened,
 *             and at origins everything is.  One that was opened and turned out not to
 *             be greedy is mostly closed again: it has bounds, and no children.
 *   group     the children of a choice: of each action, and of asking where it has
 *             children of its own.
 *   origin    a belief that may have several parents, and the root: its record
 *             stands free, and each parent has an *alias* of it among its
 *             children, a record that copies the origin's bounds when it is
 *             looked at.
 *   corner    the origin of a state: the belief that is certain of it.  It holds
 *             N(s), the value of acting in s without asking.
 *
 * Sharing `corners`: asking leads to the corners of the support; these links are
 * not stored, the belief tells them.  Sharing `none`: asking has children of its
 * own, behind those of the actions.  Sharing `all`: as `corners`, and equal
 * beliefs are one origin.
 *
 * Everything is reached by index; the arrays move when they grow.  Invariants
 * (check.c verifies them): lower <= upper; no upper bound ever rises and no lower
 * bound ever falls; the bounds of an expanded belief are not worse than its
 * Bellman backup was when it was last looked at; parents and children agree. */
#ifndef GLI_GRAPH_GRAPH_H
#define GLI_GRAPH_GRAPH_H

#include <math.h>

#include "base/memory.h"
#include "base/quota.h"
#include "base/region.h"
#include "belief/belief.h"
#include "bounds/bound.h"
#include "glimpse.h"
#include "model/model.h"

/* Constants must arrive, and what only fetches must not be dropped. */
#define GLI_ALWAYS_INLINE static inline __attribute__((always_inline))

#define GLI_UNIT 0x1p-53   /* what one operation rounds, at most, relative to its result */
#define GLI_FAINT 0x1p-900 /* products of such a probability may have lost their digits */
#define GLI_NONE UINT32_MAX
#define GLI_ALIAS ((uint32_t)1 << 31) /* link = GLI_ALIAS | origin */

typedef struct gli_bounds {
  double upper, lower;
} gli_bounds;

typedef struct gli_record {
  double upper, lower;
  double probability; /* P(o|parent,a); of a request child b(s); 1 where free-standing */
  uint32_t parent;    /* expanded index; GLI_NONE where free-standing */
  uint32_t label;     /* observation, or state of a request child; free-standing: origin */
  uint32_t link;      /* GLI_NONE: fringe; expanded index; or alias */
  float score;        /* weighted gap of the best fringe below; 0 in an alias */
} gli_record;

typedef struct gli_group {
  uint32_t first; /* the child records ... */
  uint32_t count; /* ... 0: not opened */
  float score;    /* of the best fringe record below, seen from here ... */
  uint32_t best;  /* ... and the expanded belief whose child it is, GLI_NONE when there is none */
} gli_group;

/* Followed in memory by an upper bound per choice, a lower bound per choice, a reward per
 * action, and the groups: one place in memory for all that a path upward reads.  Where
 * asking is not possible its bounds are -inf. */
typedef struct gli_expanded {
  uint32_t record;
  uint32_t above;       /* the expanded belief its record is a child of; GLI_NONE: an origin */
  uint32_t best;        /* the belief whose child is the best fringe record below, GLI_NONE when there is none */
  uint32_t belief;      /* where its belief begins */
  uint32_t support;     /* entries of its belief; 1: certain of its state, cannot ask */
  uint32_t greedy : 30; /* choice with the largest upper bound, the first of equals */
  uint32_t aliased : 1; /* some child is an alias */
  uint32_t dead : 1;    /* unreachable, waiting to be freed; `record` links to the next */
  double numbers[];
} gli_expanded;

typedef struct gli_flow { /* an entry of a row of the reduced graph */
  uint32_t origin;
  double weight;
} gli_flow;

typedef struct gli_origin {
  uint32_t record;          /* GLI_NONE: not in use */
  uint32_t state;           /* of a corner; GLI_NONE otherwise */
  uint32_t belief, support; /* while fringe and no corner: its belief */
  uint32_t home;            /* of a root that hangs in a corner's tree: its alias there */
} gli_origin;

typedef enum gli_sharing { GLI_SHARE_NONE, GLI_SHARE_CORNERS, GLI_SHARE_ALL } gli_sharing;
/* Which fringe record is next: see walk.c. */
typedef enum gli_rule { GLI_RULE_AEMS, GLI_RULE_BI_POMDP, GLI_RULE_SATIA_LAVE } gli_rule;

typedef struct gli_graph_options {
  gli_sharing sharing;
  gli_rule rule;
  bool eager;         /* corners are expanded when a request first leads to them */
  bool live;          /* fringe bounds use the graph's own corner values */
  bool requests_only; /* only requests lead to shared corners, certain observations do not (paper) */
  bool vectors_only;  /* lower bounds of fringe beliefs do not consider asking (paper) */
  bool all_lowers;    /* one lower vector per action, even if it is nowhere the best */
  bool all_actions;   /* every action is opened when a belief is expanded (paper) */
  uint64_t max_bytes; /* of what grows, see gli_graph_fixed for the rest, of which an outlook takes a sixteenth of
                         this at most; 0: no limit */
} gli_graph_options;

/* The arrays of the store; where they are is noted in the graph as well, with their types. */
enum { GLI_REGION_RECORDS, GLI_REGION_EXPANDED, GLI_REGION_BELIEFS, GLI_REGION_ORIGINS, GLI_REGIONS };

typedef struct gli_graph gli_graph;

struct gli_graph {
  const glimpse_model *model;
  gli_graph_options options;
  double discount;
  uint32_t actions, states;
  uint32_t groups; /* choices that have children of their own: all, or all but asking where corners are shared */

  /* Offline bounds, one line of `stride` numbers per state: the upper bound of
   * each action, of acting; the lower vectors; the lower bound of acting; the
   * price where it depends on the state; 1, which adds up to the probability.  Padded to an even number. */
  double *table;
  double *offline; /* the table as it was made */
  uint32_t stride, lowers, at_act_upper, at_lowers, at_act_lower, at_price, at_one;
  double scale;    /* no value of a belief is larger than this, up or down */
  double rounding; /* what rounding can do in one backup, relative to the largest value */
  double slack;    /* that times scale: added outward at each backup */
  double floor;    /* a gap below this is rounding */
  double measure;  /* 1; a power of 2 where values are so large or small that scores would not be floats */
  double least;    /* a score below this, seen from an ancestor, is not worth an expansion */

  gli_region region[GLI_REGIONS];
  gli_record *records;
  char *expanded;  /* `expanded_size` bytes each */
  double *beliefs; /* of each its probabilities, then its states, two in the room of a number: see gli_graph_row */
  size_t record_count, record_capacity;
  size_t expanded_count, expanded_capacity, expanded_size;
  size_t belief_count, belief_capacity;
  uint32_t *free_records, *free_beliefs; /* heads of lists of free blocks, by class */
  uint32_t free_expanded, free_origin;
  uint32_t garbage; /* first dead expanded belief */
  size_t records_live, expanded_live, corners;

  gli_origin *origins;
  size_t origin_count, origin_capacity;
  size_t origin_extra; /* bytes that the search holds for each */
  uint32_t *corner;    /* origin of each state, or GLI_NONE */
  gli_bounds *known;   /* of N(s): the corner's bounds, or offline ones */
  uint32_t root;       /* origin */

  uint64_t expansions; /* since the graph was made */
  gli_quota quota;     /* all that grows: the arrays above, what is shared, and what its search holds */
  bool full;           /* the memory limit, or memory itself, has been met */

  struct gli_maker *maker;     /* scratch of maker.c */
  struct gli_outlook *outlook; /* lines of the table added up, outlook.c; NULL: there are too many */
  struct gli_share *share;     /* table of equal beliefs, share.c; NULL unless sharing all */
};

/* The bounds a graph starts from; both borrowed only during the call. */
typedef struct gli_graph_bounds {
  const glimpse_bound *upper;
  const glimpse_bound *blind;
  const glimpse_bound *always_ask; /* may be NULL */
} gli_graph_bounds;

/* graph.c */
gli_graph *gli_graph_new(const glimpse_model *model, gli_graph_bounds bounds, const gli_graph_options *options);
void gli_graph_free(gli_graph *graph);
/* Bytes that a graph holds whatever it grows to: what there is per state and observation. */
uint64_t gli_graph_fixed(const gli_graph *graph);
/* Forgets all beliefs, and what the table has learnt since it was made if `restore`.  The
 * quota is as that of a new graph, so its search must give back all that counts there, too. */
void gli_graph_clear(gli_graph *graph, bool restore);
/* What the table has learnt of the lower bounds of known states since it was made. */
void gli_graph_forget_lowers(gli_graph *graph);
/* Makes the belief the root of an empty graph.  False: full. */
bool gli_graph_plant(gli_graph *graph, glimpse_row belief);

static inline gli_record *gli_graph_root(const gli_graph *graph) {
  return &graph->records[graph->origins[graph->root].record];
}
static inline gli_expanded *gli_graph_node(const gli_graph *graph, uint32_t node) {
  return (gli_expanded *)(void *)(graph->expanded + node * graph->expanded_size);
}
static inline double *gli_graph_uppers(const gli_graph *graph, gli_expanded *node) {
  (void)graph;
  return node->numbers;
}
/* With the number of actions, for those who know it better than the graph: as a constant. */
static inline double *gli_expanded_lowers(gli_expanded *node, uint32_t actions) {
  return node->numbers + actions + 1;
}
/* Expected rewards of the actions. */
static inline double *gli_expanded_rewards(gli_expanded *node, uint32_t actions) {
  return node->numbers + 2 * ((size_t)actions + 1);
}
static inline gli_group *gli_expanded_groups(gli_expanded *node, uint32_t actions) {
  return (gli_group *)(void *)(node->numbers + 3 * (size_t)actions + 2);
}
static inline double *gli_graph_lowers(const gli_graph *graph, gli_expanded *node) {
  return gli_expanded_lowers(node, graph->actions);
}
static inline double *gli_graph_rewards(const gli_graph *graph, gli_expanded *node) {
  return gli_expanded_rewards(node, graph->actions);
}
static inline gli_group *gli_graph_groups(const gli_graph *graph, gli_expanded *node) {
  return gli_expanded_groups(node, graph->actions);
}
static inline bool gli_graph_can_ask(const gli_graph *graph, const gli_expanded *node) {
  return node->numbers[graph->actions] != -INFINITY;
}
/* Large graphs do not fit into the caches: what a backup of this belief will read.  Always inline: a function that only
 * fetches does nothing, and compilers drop its calls. */
GLI_ALWAYS_INLINE void gli_graph_fetch(const gli_graph *graph, uint32_t node) {
  const char *at = graph->expanded + node * graph->expanded_size;
  __builtin_prefetch(at);
  __builtin_prefetch(at + 64);
  __builtin_prefetch(at + 128);
  __builtin_prefetch(at + 192);
  __builtin_prefetch(at + graph->expanded_size - 1); /* with five actions or fewer that is all of it */
}
/* A belief of so many entries that is stored there: all of it in one place. */
static inline glimpse_row gli_graph_row(const gli_graph *graph, uint32_t first, uint32_t count) {
  const double *mass = graph->beliefs + first;
  return (glimpse_row){count, (const uint32_t *)(const void *)(mass + count), mass};
}
static inline glimpse_row gli_graph_belief(const gli_graph *graph, const gli_expanded *node) {
  return gli_graph_row(graph, node->belief, node->support);
}
/* Has this choice been opened?  Asking shared corners never is. */
static inline bool gli_graph_opened(const gli_graph *graph, gli_expanded *node, uint32_t choice) {
  return choice < graph->groups && gli_graph_groups(graph, node)[choice].count;
}
/* The child records of a choice: from the one returned to the one before `end`. */
static inline uint32_t gli_graph_children(const gli_graph *graph, uint32_t node, uint32_t choice, uint32_t *end) {
  const gli_group *group = gli_graph_groups(graph, gli_graph_node(graph, node)) + choice;
  bool any = choice < graph->groups;
  *end = any ? group->first + group->count : 0;
  return any ? group->first : 0;
}
/* The gap between the bounds, as scores measure it; 0 where it is rounding. */
static inline double gli_graph_gap(const gli_graph *graph, const gli_record *record) {
  double gap = record->upper - record->lower;
  return gap > graph->floor ? gap * graph->measure : 0;
}
/* What asking costs there. */
static inline double gli_graph_price(const gli_graph *graph, const gli_expanded *node) {
  return gli_model_price_at(graph->model, gli_graph_belief(graph, node));
}
/* By how much a backup of a choice is moved outward.  A price beyond all values rounds by more
 * than they do, and nobody pays it: it has slack of its own, so that it does not blur the rest. */
static inline double gli_graph_slack(const gli_graph *graph, uint32_t choice, double reward) {
  bool dear = choice == graph->actions && -reward > graph->scale;
  return dear ? graph->slack - graph->rounding * reward : graph->slack;
}
/* The expanded belief behind a record, alias or not; GLI_NONE: fringe. */
static inline uint32_t gli_graph_behind(const gli_graph *graph, uint32_t record) {
  uint32_t link = graph->records[record].link;
  if (link != GLI_NONE && (link & GLI_ALIAS)) link = graph->records[graph->origins[link & ~GLI_ALIAS].record].link;
  return link;
}
/* Do requests lead to shared corners (rather than to children of their own)? */
static inline bool gli_graph_shares(const gli_graph *graph) {
  return graph->options.sharing != GLI_SHARE_NONE;
}
/* The origin at the top of the tree that a record belongs to. */
uint32_t gli_graph_origin(const gli_graph *graph, uint32_t record);
/* Which of the choices a child record belongs to: mostly the greedy one; `actions` for a request child. */
static inline uint32_t gli_graph_choice_of(const gli_group *groups, uint32_t greedy, uint32_t actions,
                                           uint32_t record) {
  uint32_t c = greedy;
  if (c < actions && record - groups[c].first < groups[c].count) return c;
  for (c = 0; c < actions && record - groups[c].first >= groups[c].count; c++) {
  }
  return c;
}
static inline uint32_t gli_graph_action(const gli_graph *graph, uint32_t node, uint32_t record) {
  gli_expanded *e = gli_graph_node(graph, node);
  return gli_graph_choice_of(gli_graph_groups(graph, e), e->greedy, graph->actions, record);
}
/* The choice of an expanded belief by its lower bounds, for they are promises: the largest;
 * among equals (within rounding) the one with the larger upper bound, then an action before
 * asking, then the smaller index.  `actions` is asking. */
uint32_t gli_graph_decide(const gli_graph *graph, uint32_t node);
/* Offline bounds at a belief (or, when live, those that use the corners too). */
void gli_graph_evaluate(const gli_graph *graph, glimpse_row belief, double *upper, double *lower);

/* store.c: room.  Each returns GLI_NONE (and sets full) when there is none. */
uint32_t gli_store_records(gli_graph *graph, uint32_t count);
uint32_t gli_store_expanded(gli_graph *graph);
uint32_t gli_store_belief(gli_graph *graph, glimpse_row belief);
/* The room that a belief of so many entries takes, in numbers. */
static inline uint32_t gli_store_room(uint32_t entries) {
  return entries + (entries + 1) / 2;
}
uint32_t gli_store_origin(gli_graph *graph);
void gli_store_free_records(gli_graph *graph, uint32_t first, uint32_t count);
/* The child records of all choices. */
void gli_store_free_children(gli_graph *graph, uint32_t node);
void gli_store_free_expanded(gli_graph *graph, uint32_t node);
void gli_store_free_belief(gli_graph *graph, uint32_t first, uint32_t count);
void gli_store_free_origin(gli_graph *graph, uint32_t origin);
/* Merges free neighbours, unless there is garbage or no memory for it. */
void gli_store_merge(gli_graph *graph);
/* The beliefs may not take all of the quota: what remains is for the rows of a walk, and
 * the last of it for what is needed for a moment to make room. */
static inline uint64_t gli_store_reserve(const gli_graph *graph) {
  uint64_t limit = graph->quota.limit, rows = (uint64_t)graph->states * graph->states * sizeof(gli_flow);
  return rows > limit / 4 ? limit / 4 : rows > limit / 16 ? rows : limit / 16;
}
static inline uint64_t gli_store_scratch(const gli_graph *graph) {
  return graph->quota.limit / 32;
}
bool gli_store_start(gli_graph *graph);
void gli_store_clear(gli_graph *graph);
void gli_store_stop(gli_graph *graph);
uint64_t gli_store_fixed(void);
/* For check.c: items that a block of `count` occupies; the size of the blocks in a
 * list of free ones, 0 past the last list (and for list 0, which is empty). */
uint32_t gli_store_size(uint32_t count);
uint32_t gli_store_class_size(uint32_t class);

/* maker.c */
struct gli_maker *gli_maker_new(gli_graph *graph);
void gli_maker_free(struct gli_maker *maker);
/* Gives back what counts in the quota. */
void gli_maker_clear(struct gli_maker *maker, uint32_t stride);
uint64_t gli_maker_fixed(const gli_graph *graph);

/* expand.c */
/* Expands a fringe record and sets its bounds by backup; ancestors are not told.
 * False when there was no room: nothing has changed but `full`. */
bool gli_graph_expand(gli_graph *graph, uint32_t record);
/* Makes the children of an action and the bounds of the choice, unless it is opened
 * already.  False: no room, nothing has changed but `full`. */
bool gli_graph_open(gli_graph *graph, uint32_t node, uint32_t action);
/* Closes those of these actions (a bit each, for the first 64) that were opened in vain just now. */
void gli_graph_close(gli_graph *graph, uint32_t node, uint64_t opened);
/* The bounds that an action would have if it were opened now; nothing changes but what making children needs anyway. */
void gli_graph_try(const gli_graph *graph, uint32_t node, uint32_t action, double *upper, double *lower);
/* The origin of a state's corner, made if need be; GLI_NONE: full. */
uint32_t gli_graph_corner(gli_graph *graph, uint32_t state);

/* move.c */
/* Turns a child record into an alias of a new origin; the belief is stored if the
 * child is fringe.  GLI_NONE: full, nothing changed. */
uint32_t gli_graph_detach(gli_graph *graph, uint32_t record, glimpse_row belief);
/* The reverse: the origin becomes an ordinary child at its home again. */
void gli_graph_attach(gli_graph *graph, uint32_t origin);
/* The tree below an expanded belief is no longer needed. */
void gli_graph_discard(gli_graph *graph, uint32_t node);
/* Frees an origin that is no corner, and discards its tree. */
void gli_graph_drop(gli_graph *graph, uint32_t origin);
/* Frees up to `count` dead beliefs; returns how many. */
size_t gli_graph_reclaim(gli_graph *graph, size_t count);
/* Forgets all that neither the policy of the upper nor that of the lower bounds
 * uses; returns the number of beliefs freed. */
size_t gli_graph_prune(gli_graph *graph);

/* backup.c */
/* Computes the bounds and the score of a choice again from its children; true when
 * something changed. */
bool gli_backup_choice(gli_graph *graph, uint32_t node, uint32_t choice);
/* Takes the best choices into the record, opening what has become greedy; true when a
 * bound, the greedy choice, the score or the belief with the best fringe record changed. */
bool gli_backup_node(gli_graph *graph, uint32_t node);
/* What a belief may have missed, where corners are shared: it looks at those that it may ask for again and, with
 * `aliases`, at those that its actions lead to; then as gli_backup_node.  Nothing else is computed again. */
bool gli_backup_news(gli_graph *graph, uint32_t node, bool aliases);
/* The scores of all choices and of the record, nothing else; true when the latter changed. */
bool gli_backup_score(gli_graph *graph, uint32_t node);
/* Notes the greedy choice and opens it, until it is one that is opened; `opened`: which, a bit for each of the first
 * 64.  False: no room. */
bool gli_backup_open(gli_graph *graph, uint32_t node, uint64_t *opened);
/* The child that the score of a belief comes from: where `best` leads it is the best fringe record; GLI_NONE: none. */
uint32_t gli_backup_best(const gli_graph *graph, uint32_t node);
/* Is this choice followed by the rule's policy, and with what weight? */
double gli_backup_weight(const gli_graph *graph, uint32_t node, uint32_t choice);
/* After the record changed: tells its ancestors up to their origin, which is returned,
 * or until nothing changes any more: GLI_NONE.  With `all` it goes on to the origin. */
uint32_t gli_backup_path(gli_graph *graph, uint32_t record, bool all);

#endif
