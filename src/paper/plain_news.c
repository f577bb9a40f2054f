/* Plain news: who is told of a change.
 *
 * Propagation: a first-in first-out queue of nodes; each is backed up, and when a bound has moved by more than the
 * threshold since its parents were last told, those parents join the queue for which that may make a difference: for a
 * lower bound all, for an upper bound those whose greedy choice leads there.  Corners wait until nothing else does:
 * many paths lead to them, and to many nodes from there.  The bounds are those of full backups, but of a node's choices
 * only those are computed that count: where a lower bound rose behind a choice, and the largest upper bounds until the
 * largest is one that was computed.  Every change marks the choices that lead there, however small. */
#include "graph/backup.h"
#include "paper/parts.h"

/* Backups of one propagation at most, in a small graph: at a discount next to 1 a change goes round a cycle about
 * 1 / (1 - discount) times, which may take years. */
enum { MOST_BACKUPS = 1000000, LONGEST_LINE = 64 };

bool gli_plain_enter_new(gli_plain *plain) {
  const gli_graph *graph = plain->graph;
  size_t need = graph->node_count;
  if (plain->nodes && plain->nodes == need) return true;
  if (!gli_plain_walk_grow(plain) || !GLI_PLAIN_GROW(plain, plain->news, plain->news_capacity, need) ||
      !GLI_PLAIN_GROW(plain, plain->marks, plain->marks_capacity, need) ||
      !GLI_PLAIN_GROW(plain, plain->inner.node, plain->inner.capacity, need + 1))
    return false;
  for (; plain->nodes < need; plain->nodes++) {
    uint32_t node = (uint32_t)plain->nodes;
    plain->marks[node] = (gli_changes){.fallen = UINT32_MAX, .risen = UINT32_MAX};
    plain->news[node] = (gli_news){.told_upper = INFINITY, .told_lower = -INFINITY, .line = GLI_NONE};
    gli_plain_walk_enter(plain, node);
  }
  return true;
}

/* The last line of edges to a node or corner. */
static uint32_t *line_of(gli_plain *plain, uint32_t node) {
  uint32_t state = gli_graph_node(plain->graph, node)->state;
  return state == GLI_NONE ? &plain->news[node].line : &plain->corner_line[state];
}

/* A line with room for one more. */
static bool extend(gli_plain *plain, uint32_t *line) {
  const gli_edge *last = *line == GLI_NONE ? NULL : &plain->edges[*line];
  if (last && last->count < last->capacity) return true;
  uint16_t capacity = last ? (uint16_t)(last->capacity < LONGEST_LINE ? 2 * last->capacity : LONGEST_LINE) : 1;
  if (!GLI_PLAIN_GROW(plain, plain->edges, plain->edge_capacity, plain->edge_count + 1 + capacity)) return false;
  plain->edges[plain->edge_count] = (gli_edge){.before = *line, .capacity = capacity};
  *line = (uint32_t)plain->edge_count;
  plain->edge_count += 1 + capacity;
  return true;
}

bool gli_plain_add_parent(gli_plain *plain, uint32_t link, uint32_t parent, uint32_t choice) {
  if (gli_link_fringe(link)) return true;
  uint32_t *line = gli_link_corner(link) ? &plain->corner_line[link & ~GLI_CORNER] : line_of(plain, link);
  const gli_edge *last = *line == GLI_NONE ? NULL : &plain->edges[*line + plain->edges[*line].count];
  gli_edge add = {.parent = parent, .choice = gli_backup_mark(choice)};
  if (last && last->parent == parent && last->choice == add.choice) return true;
  if (!extend(plain, line)) return false;
  plain->edges[*line + ++plain->edges[*line].count] = add;
  return true;
}

/* What a choice leads to has changed. */
void gli_plain_mark(gli_plain *plain, uint32_t node, uint32_t choice) {
  plain->marks[node].fallen |= gli_backup_mark(choice);
  plain->marks[node].risen |= gli_backup_mark(choice);
}

static void join(gli_plain *plain, uint32_t node) {
  if (plain->marks[node].queued) return;
  plain->marks[node].queued = true;
  gli_ring *queue = gli_graph_node(plain->graph, node)->state == GLI_NONE ? &plain->inner : &plain->corners;
  size_t at = queue->first + queue->count++;
  queue->node[at < queue->capacity ? at : at - queue->capacity] = node;
}

/* The next node; GLI_NONE: no one waits. */
static uint32_t leave(gli_plain *plain) {
  gli_ring *queue = plain->inner.count ? &plain->inner : &plain->corners;
  if (!queue->count) return GLI_NONE;
  uint32_t node = queue->node[queue->first];
  if (++queue->first == queue->capacity) queue->first = 0;
  queue->count--;
  plain->marks[node].queued = false;
  return node;
}

typedef struct bulletin { /* what has changed of a node */
  bool fallen, risen;     /* at all */
  bool upper, lower;      /* so much that its parents are told */
} bulletin;

/* Marks the choices that lead to a node; parents that are told, and for which it may make a difference, join. */
static void announce(gli_plain *plain, uint32_t node, bulletin what) {
  for (uint32_t line = *line_of(plain, node); line != GLI_NONE; line = plain->edges[line].before) {
    const gli_edge *first = &plain->edges[line];
    for (const gli_edge *e = first + first->count; e > first; e--) { /* the latest first */
      gli_changes *m = &plain->marks[e->parent];
      if (what.fallen) m->fallen |= e->choice;
      if (what.risen) m->risen |= e->choice;
      if (what.lower || (what.upper && m->counts & e->choice)) join(plain, e->parent);
    }
  }
}

/* The choices whose upper bounds count.  All are compared at the root by a decision, at corners by improvement, and by
 * the weights of Satia and Lave. */
uint32_t gli_plain_counting(const gli_graph *graph, uint32_t node) {
  const gli_node *n = gli_graph_node(graph, node);
  bool all = node == graph->root || n->state != GLI_NONE || graph->options.rule == GLI_RULE_SATIA_LAVE;
  return all ? UINT32_MAX : gli_backup_mark(n->greedy);
}

/* Backs up a node, as far as that makes a difference, and tells its parents. */
static void back_up(gli_plain *plain, uint32_t node) {
  gli_graph *graph = plain->graph;
  const gli_node *n = gli_graph_node(graph, node);
  gli_news *own = &plain->news[node];
  gli_changes *m = &plain->marks[node];
  double upper = n->upper, lower = n->lower;
  uint32_t greedy = n->greedy;
  m->counts = gli_plain_counting(graph, node);
  if (m->counts == UINT32_MAX) m->risen |= m->fallen;
  m->fallen = gli_backup_some(graph, node, m->risen, m->fallen);
  m->risen = 0;
  m->counts = gli_plain_counting(graph, node);
  if (n->greedy != greedy || graph->options.rule == GLI_RULE_SATIA_LAVE) gli_plain_disturb(plain, node);
  bool first = own->told_upper == INFINITY;
  bulletin what = {.fallen = first || n->upper != upper,
                   .risen = first || n->lower != lower,
                   .upper = own->told_upper - n->upper > plain->threshold,
                   .lower = n->lower - own->told_lower > plain->threshold};
  if (what.upper) own->told_upper = n->upper;
  if (what.lower) own->told_lower = n->lower;
  if (what.fallen || what.risen || what.upper || what.lower) announce(plain, node, what);
}

bool gli_plain_propagate(gli_plain *plain, uint32_t node) {
  uint64_t most = MOST_BACKUPS + 64 * (uint64_t)plain->graph->node_count, done = 0;
  if (!gli_plain_enter_new(plain)) return false;
  join(plain, node);
  for (uint32_t at; (at = leave(plain)) != GLI_NONE; done++) {
    const gli_changes *m = &plain->marks[at];
    if (done < most && m->risen | (m->fallen & m->counts)) back_up(plain, at); /* stale is sound */
  }
  return true;
}
