/* Store: the arrays of a graph and their free blocks.
 *
 * Records and the numbers of beliefs are handed out in blocks of consecutive items; a
 * freed block goes to the list of its class (its exact size up to 256, then the
 * next of eight steps per doubling) and is handed out again to the next request
 * of that class.  When the limit is met, a larger free block is split; neighbours that
 * are free are merged when room has been made (move.c), not before.  Arrays never grow
 * past the limit: the quota counts their capacity, so the limit is hard. */
#include <string.h>

#include "graph/graph.h"

enum { EXACT = 256, CLASSES = EXACT + 8 * 24 };

/* The class of a block and the size that blocks of the class have. */
static uint32_t class_of(uint32_t count, uint32_t *size) {
  if (count < EXACT) {
    *size = count;
    return count;
  }
  uint32_t doubling = 0;
  while (count >> (doubling + 9)) doubling++;
  uint32_t step = (uint32_t)EXACT / 8 << doubling, base = (uint32_t)EXACT << doubling;
  uint32_t k = (count - base + step - 1) / step;
  *size = base + k * step;
  return EXACT + 8 * doubling + k;
}

uint32_t gli_store_size(uint32_t count) {
  uint32_t size;
  class_of(count, &size);
  return size;
}

uint32_t gli_store_class_size(uint32_t class) {
  if (class < EXACT) return class;
  if (class > CLASSES) return 0;
  uint32_t doubling = (class - EXACT) / 8, k = (class - EXACT) % 8;
  return ((uint32_t)EXACT << doubling) + k * ((uint32_t)EXACT / 8 << doubling);
}

bool gli_store_start(gli_graph *graph) {
  size_t choices = (size_t)graph->actions + 1, groups = gli_graph_shares(graph) ? graph->actions : choices;
  graph->groups = (uint32_t)groups;
  graph->expanded_size =
      sizeof(gli_expanded) + (2 * choices + graph->actions) * sizeof(double) + groups * sizeof(gli_group);
  graph->free_records = GLI_NEW(uint32_t, CLASSES + 1);
  graph->free_beliefs = GLI_NEW(uint32_t, CLASSES + 1);
  if (!graph->free_records || !graph->free_beliefs) return false;
  gli_store_clear(graph);
  return true;
}

uint64_t gli_store_fixed(void) {
  return 2 * ((uint64_t)CLASSES + 1) * sizeof(uint32_t);
}

void gli_store_clear(gli_graph *graph) {
  for (int i = 0; i <= CLASSES; i++) graph->free_records[i] = graph->free_beliefs[i] = GLI_NONE;
  graph->free_expanded = graph->free_origin = graph->garbage = GLI_NONE;
  graph->record_count = graph->expanded_count = graph->belief_count = graph->origin_count = 0;
  graph->record_capacity = graph->expanded_capacity = graph->belief_capacity = graph->origin_capacity = 0;
  graph->records_live = graph->expanded_live = graph->corners = 0;
  graph->full = false;
  /* Nothing may depend on what was searched before: nothing counts.  Memory stays, or each search would take it
   * from the system again. */
  for (int i = 0; i < GLI_REGIONS; i++) gli_region_empty(&graph->region[i]);
  graph->quota.bytes = 0;
}

void gli_store_stop(gli_graph *graph) {
  gli_memory_free(graph->free_records);
  gli_memory_free(graph->free_beliefs);
  for (int i = 0; i < GLI_REGIONS; i++) gli_region_free(&graph->region[i]);
}

/* Grows an array to hold `need` items; others will hold `extra` bytes per item. */
static bool grow(gli_graph *graph, size_t *capacity, size_t need, size_t extra, gli_region *region, size_t item) {
  if (need <= *capacity) return true;
  if (need >= GLI_ALIAS) return false;
  size_t size = item + extra, wanted = *capacity + *capacity / 8 + 16, most = 0;
  /* In small pieces where nothing has to be moved.  Whether addresses could be reserved is not asked: what
   * counts in the quota must not depend on the machine. */
  if (graph->quota.limit && region->bytes > GLI_REGION_HEAP) wanted = *capacity + (1 << 18) / item;
  if (wanted < need) wanted = need;
  if (need > SIZE_MAX / size) return false; /* where addresses are narrow */
  if (wanted > SIZE_MAX / size) wanted = SIZE_MAX / size;
  if (graph->quota.limit) {
    uint64_t left = gli_quota_left(&graph->quota, gli_store_reserve(graph));
    if ((need - *capacity) > left / size) return false;
    if ((wanted - *capacity) > left / size) wanted = *capacity + (size_t)(left / size);
    most = graph->quota.limit < SIZE_MAX ? (size_t)graph->quota.limit : SIZE_MAX;
  }
  uint64_t bytes = (wanted - *capacity) * size;
  gli_quota_count(&graph->quota, bytes, gli_region_spare(region, wanted * item));
  if (!gli_region_resize(region, wanted * item, most)) {
    gli_quota_give(&graph->quota, bytes);
    return false;
  }
  *capacity = wanted;
  return true;
}

static bool grow_records(gli_graph *graph, size_t need) {
  gli_region *region = &graph->region[GLI_REGION_RECORDS];
  bool grown = grow(graph, &graph->record_capacity, need, 0, region, sizeof *graph->records);
  graph->records = (gli_record *)(void *)region->start;
  return grown;
}

static bool grow_expanded(gli_graph *graph, size_t need) {
  gli_region *region = &graph->region[GLI_REGION_EXPANDED];
  bool grown = grow(graph, &graph->expanded_capacity, need, 0, region, graph->expanded_size);
  graph->expanded = region->start;
  return grown;
}

static bool grow_beliefs(gli_graph *graph, size_t need) {
  gli_region *region = &graph->region[GLI_REGION_BELIEFS];
  bool grown = grow(graph, &graph->belief_capacity, need, 0, region, sizeof *graph->beliefs);
  graph->beliefs = (double *)(void *)region->start;
  return grown;
}

static bool grow_origins(gli_graph *graph, size_t need) {
  gli_region *region = &graph->region[GLI_REGION_ORIGINS];
  bool grown = grow(graph, &graph->origin_capacity, need, graph->origin_extra, region, sizeof *graph->origins);
  graph->origins = (gli_origin *)(void *)region->start;
  return grown;
}

static uint32_t *record_next(gli_graph *graph, uint32_t block) {
  return &graph->records[block].parent;
}

static uint32_t *belief_next(gli_graph *graph, uint32_t block) {
  return (uint32_t *)(void *)&graph->beliefs[block];
}

/* Cuts free items into blocks of the classes and enters them. */
static void give_back(gli_graph *graph, uint32_t *heads, uint32_t *(*next)(gli_graph *, uint32_t), uint32_t first,
                      uint32_t count) {
  while (count) {
    uint32_t size, class = class_of(count, &size);
    if (size > count) size = gli_store_class_size(--class);
    *next(graph, first) = heads[class];
    heads[class] = first;
    first += size;
    count -= size;
  }
}

/* Takes a free block of more than the class's size and gives back the rest. */
static uint32_t split(gli_graph *graph, uint32_t *heads, uint32_t *(*next)(gli_graph *, uint32_t), uint32_t class,
                      uint32_t size) {
  for (uint32_t k = class + 1; k <= CLASSES; k++) {
    uint32_t block = heads[k];
    if (block == GLI_NONE) continue;
    heads[k] = *next(graph, block);
    give_back(graph, heads, next, block + size, gli_store_class_size(k) - size);
    return block;
  }
  return GLI_NONE;
}

uint32_t gli_store_records(gli_graph *graph, uint32_t count) {
  if (!count) return 0;
  uint32_t size, class = class_of(count, &size), block = graph->free_records[class];
  if (block != GLI_NONE) {
    graph->free_records[class] = graph->records[block].parent;
  } else if (graph->record_count + size <= graph->record_capacity || grow_records(graph, graph->record_count + size)) {
    block = (uint32_t)graph->record_count;
    graph->record_count += size;
  } else {
    block = split(graph, graph->free_records, record_next, class, size);
  }
  if (block == GLI_NONE) graph->full = true;
  else graph->records_live += count;
  return block;
}

void gli_store_free_records(gli_graph *graph, uint32_t first, uint32_t count) {
  if (!count) return;
  uint32_t size, class = class_of(count, &size);
  graph->records[first].parent = graph->free_records[class];
  graph->free_records[class] = first;
  graph->records_live -= count;
}

void gli_store_free_children(gli_graph *graph, uint32_t node) {
  const gli_group *groups = gli_graph_groups(graph, gli_graph_node(graph, node));
  for (uint32_t c = 0; c < graph->groups; c++) gli_store_free_records(graph, groups[c].first, groups[c].count);
}

uint32_t gli_store_expanded(gli_graph *graph) {
  uint32_t node = graph->free_expanded;
  if (node != GLI_NONE) {
    graph->free_expanded = gli_graph_node(graph, node)->record;
  } else if (grow_expanded(graph, graph->expanded_count + 1)) {
    node = (uint32_t)graph->expanded_count++;
  } else {
    graph->full = true;
    return GLI_NONE;
  }
  graph->expanded_live++;
  return node;
}

void gli_store_free_expanded(gli_graph *graph, uint32_t node) {
  *gli_graph_node(graph, node) = (gli_expanded){.record = graph->free_expanded, .above = GLI_NONE, .dead = true};
  graph->free_expanded = node;
  graph->expanded_live--;
}

uint32_t gli_store_belief(gli_graph *graph, glimpse_row belief) {
  uint32_t entries = (uint32_t)belief.count, size, class = class_of(gli_store_room(entries), &size);
  uint32_t block = graph->free_beliefs[class];
  if (block != GLI_NONE) {
    graph->free_beliefs[class] = *belief_next(graph, block);
  } else if (grow_beliefs(graph, graph->belief_count + size)) {
    block = (uint32_t)graph->belief_count;
    graph->belief_count += size;
  } else {
    block = split(graph, graph->free_beliefs, belief_next, class, size);
  }
  if (block == GLI_NONE) {
    graph->full = true;
    return GLI_NONE;
  }
  double *mass = graph->beliefs + block;
  memcpy(mass, belief.value, entries * sizeof *mass);
  memcpy(mass + entries, belief.index, entries * sizeof *belief.index);
  return block;
}

void gli_store_free_belief(gli_graph *graph, uint32_t first, uint32_t count) {
  if (!count) return;
  uint32_t size, class = class_of(gli_store_room(count), &size);
  *belief_next(graph, first) = graph->free_beliefs[class];
  graph->free_beliefs[class] = first;
}

uint32_t gli_store_origin(gli_graph *graph) {
  uint32_t origin = graph->free_origin;
  if (origin != GLI_NONE) {
    graph->free_origin = graph->origins[origin].state;
  } else if (grow_origins(graph, graph->origin_count + 1)) {
    origin = (uint32_t)graph->origin_count++;
  } else {
    graph->full = true;
    return GLI_NONE;
  }
  graph->origins[origin] = (gli_origin){.record = GLI_NONE, .state = GLI_NONE, .belief = GLI_NONE, .home = GLI_NONE};
  return origin;
}

void gli_store_free_origin(gli_graph *graph, uint32_t origin) {
  graph->origins[origin] =
      (gli_origin){.record = GLI_NONE, .state = graph->free_origin, .belief = GLI_NONE, .home = GLI_NONE};
  graph->free_origin = origin;
}

/* ------------------------------------------------------------------- merging */

static void mark(uint8_t *used, uint32_t first, uint32_t count) {
  for (uint32_t i = first, end = first + (count ? gli_store_size(count) : 0); i < end; i++)
    used[i / 8] |= (uint8_t)(1 << i % 8);
}

static void mark_all(gli_graph *graph, uint8_t *records, uint8_t *beliefs) {
  for (uint32_t node = 0; node < graph->expanded_count; node++) {
    gli_expanded *e = gli_graph_node(graph, node);
    if (e->dead) continue;
    const gli_group *groups = gli_graph_groups(graph, e);
    for (uint32_t c = 0; c < graph->groups; c++) mark(records, groups[c].first, groups[c].count);
    mark(beliefs, e->belief, gli_store_room(e->support));
  }
  for (size_t x = 0; x < graph->origin_count; x++) {
    const gli_origin *origin = &graph->origins[x];
    if (origin->record == GLI_NONE) continue;
    mark(records, origin->record, 1);
    if (origin->belief != GLI_NONE) mark(beliefs, origin->belief, gli_store_room(origin->support));
  }
}

/* Enters all runs of unused items; returns where the last used one ends. */
static size_t enter_runs(gli_graph *graph, const uint8_t *used, size_t count, uint32_t *heads,
                         uint32_t *(*next)(gli_graph *, uint32_t)) {
  size_t run = 0;
  for (int class = 0; class <= CLASSES; class ++) heads[class] = GLI_NONE;
  for (size_t i = 0; i < count; i++) {
    if (!(used[i / 8] >> i % 8 & 1)) continue;
    give_back(graph, heads, next, (uint32_t)run, (uint32_t)(i - run));
    run = i + 1;
  }
  return run;
}

void gli_store_merge(gli_graph *graph) {
  uint64_t bytes = graph->record_count / 8 + graph->belief_count / 8 + 2;
  if (!gli_quota_take(&graph->quota, bytes, 0)) return;
  uint8_t *records = GLI_NEW(uint8_t, graph->record_count / 8 + 1);
  uint8_t *beliefs = GLI_NEW(uint8_t, graph->belief_count / 8 + 1);
  if (records && beliefs && graph->garbage == GLI_NONE) {
    mark_all(graph, records, beliefs);
    graph->record_count = enter_runs(graph, records, graph->record_count, graph->free_records, record_next);
    graph->belief_count = enter_runs(graph, beliefs, graph->belief_count, graph->free_beliefs, belief_next);
  }
  gli_memory_free(records);
  gli_memory_free(beliefs);
  gli_quota_give(&graph->quota, bytes);
}
