/* Outlook: see outlook.h. */
#include "graph/outlook.h"

#include <string.h>

#include "graph/line.h"

typedef struct extent {
  uint64_t entries, ways, pairs; /* pairs: of a reached state and an observation */
} extent;

enum { MOST_PAIRS = 4 }; /* of a row, in the mean */

/* News of a corner make all rows old that lead to it.  Where these are most of them, and each takes long to add up,
 * a search would do nothing else: with 60 states, of which each leads to all and shows all of 60 observations, it was
 * 25 times slower than without an outlook. */
static bool pays(const glimpse_model *model, const extent *size) {
  return size->pairs <= MOST_PAIRS * (uint64_t)model->actions * model->states;
}

/* Counts what there is to make room for, unless it would not pay; false: out of memory. */
static bool count(const glimpse_model *model, extent *found) {
  uint64_t rows = (uint64_t)model->actions * model->states;
  *found = (extent){0};
  for (uint64_t row = 0; row < rows; row++) {
    glimpse_row next = gli_table_row(&model->transition, row);
    uint64_t base = row - row % model->states;
    found->ways += next.count;
    for (size_t i = 0; i < next.count; i++) found->pairs += gli_table_row(&model->observe, base + next.index[i]).count;
  }
  if (!pays(model, found)) return true;
  uint64_t *seen = GLI_NEW(uint64_t, model->observations); /* last row that shows it, and one */
  for (uint64_t row = 0; seen && row < rows; row++) {
    glimpse_row next = gli_table_row(&model->transition, row);
    uint64_t base = row - row % model->states;
    for (size_t i = 0; i < next.count; i++) {
      glimpse_row shown = gli_table_row(&model->observe, base + next.index[i]);
      for (size_t k = 0; k < shown.count; k++) {
        found->entries += seen[shown.index[k]] != row + 1;
        seen[shown.index[k]] = row + 1;
      }
    }
  }
  bool counted = seen;
  gli_memory_free(seen);
  return counted;
}

static uint64_t bytes_of(const gli_graph *graph, const extent *size) {
  uint64_t rows = (uint64_t)graph->actions * graph->states;
  return sizeof(gli_outlook) + rows * (sizeof(uint32_t) + sizeof(bool)) +
         size->entries * (sizeof(gli_entry) + sizeof(uint32_t) + graph->stride * sizeof(double)) +
         size->pairs * (sizeof(uint32_t) + sizeof(double)) + size->ways * sizeof(uint32_t) +
         graph->states * sizeof(bool) + (graph->states + (uint64_t)graph->model->observations + 5) * sizeof(uint32_t);
}

static bool allocate(const gli_graph *graph, gli_outlook *outlook, const extent *size) {
  outlook->row = GLI_NEW(uint32_t, outlook->rows + 1);
  outlook->entry = GLI_NEW(gli_entry, size->entries);
  outlook->lines = GLI_NEW(double, size->entries * graph->stride);
  outlook->path = GLI_NEW(uint32_t, size->entries + 2);
  outlook->to = GLI_NEW(uint32_t, size->pairs);
  outlook->chance = GLI_NEW(double, size->pairs);
  outlook->old = GLI_NEW(bool, outlook->rows);
  outlook->told = GLI_NEW(bool, graph->states);
  outlook->way = GLI_NEW(uint32_t, (size_t)graph->states + 2);
  outlook->source = GLI_NEW(uint32_t, size->ways);
  outlook->place = GLI_NEW(uint32_t, graph->model->observations);
  return outlook->row && outlook->entry && outlook->lines && outlook->path && outlook->to && outlook->chance &&
         outlook->old && outlook->told && outlook->way && outlook->source && outlook->place;
}

static void find_entries(const glimpse_model *model, gli_outlook *outlook) {
  uint32_t end = 0;
  for (size_t row = 0; row < outlook->rows; row++) {
    glimpse_row next = gli_table_row(&model->transition, row);
    size_t base = row - row % model->states;
    uint32_t first = outlook->row[row] = end;
    for (size_t i = 0; i < next.count; i++) {
      glimpse_row shown = gli_table_row(&model->observe, base + next.index[i]);
      for (size_t k = 0; k < shown.count; k++) {
        uint32_t o = shown.index[k], at = outlook->place[o];
        if (at >= first && at < end && outlook->entry[at].observation == o) {
          outlook->entry[at].state = GLI_NONE;
          continue;
        }
        outlook->place[o] = end;
        outlook->entry[end++] = (gli_entry){o, next.index[i]};
      }
    }
  }
  outlook->row[outlook->rows] = end;
}

/* Sorts the ways of each row by what may be seen there: `path` is one ahead while it counts. */
static void find_paths(const glimpse_model *model, gli_outlook *outlook) {
  uint32_t entries = outlook->row[outlook->rows];
  for (int filling = 0; filling < 2; filling++) {
    for (size_t row = 0; row < outlook->rows; row++) {
      glimpse_row next = gli_table_row(&model->transition, row);
      size_t base = row - row % model->states;
      for (uint32_t k = outlook->row[row]; k < outlook->row[row + 1]; k++)
        outlook->place[outlook->entry[k].observation] = k;
      for (size_t i = 0; i < next.count; i++) {
        glimpse_row shown = gli_table_row(&model->observe, base + next.index[i]);
        for (size_t j = 0; j < shown.count; j++) {
          uint32_t k = outlook->place[shown.index[j]];
          if (!filling) {
            outlook->path[k + 2]++;
            continue;
          }
          uint32_t at = outlook->path[k + 1]++;
          outlook->to[at] = next.index[i];
          outlook->chance[at] = next.value[i];
        }
      }
    }
    for (uint32_t k = 0; !filling && k < entries; k++) outlook->path[k + 2] += outlook->path[k + 1];
  }
}

/* Sorts the ways by where they lead: `way` is one ahead while it counts. */
static void find_sources(const glimpse_model *model, gli_outlook *outlook) {
  const gli_table *next = &model->transition;
  for (uint64_t k = 0; k < next->row[outlook->rows]; k++) outlook->way[next->column[k] + 2]++;
  for (uint32_t s = 0; s < model->states; s++) outlook->way[s + 1] += outlook->way[s];
  for (size_t row = 0; row < outlook->rows; row++)
    for (uint64_t k = next->row[row]; k < next->row[row + 1]; k++)
      outlook->source[outlook->way[next->column[k] + 1]++] = (uint32_t)row;
}

/* A line errs by as many units as an action leads to states, and two for T times O and times the number; a child
 * adds up as many lines as there are states that may show its observation, each times its probability. */
static double find_rounding(const glimpse_model *model, gli_outlook *outlook) {
  uint32_t spread = 0, crowd = 0;
  for (size_t row = 0; row < outlook->rows; row++) {
    size_t ways = gli_table_row(&model->transition, row).count;
    if (ways > spread) spread = (uint32_t)ways;
    if (row % model->states == 0) memset(outlook->place, 0, model->observations * sizeof *outlook->place);
    for (uint32_t k = outlook->row[row]; k < outlook->row[row + 1]; k++) {
      uint32_t now = ++outlook->place[outlook->entry[k].observation];
      if (now > crowd) crowd = now;
    }
  }
  return (double)spread + crowd + 3;
}

bool gli_outlook_new(const gli_graph *graph, uint64_t most, gli_outlook **made) {
  const glimpse_model *model = graph->model;
  extent size;
  *made = NULL;
  if (!count(model, &size)) return false;
  uint64_t bytes = bytes_of(graph, &size);
  if (!pays(model, &size) || bytes > most) return true;
  gli_outlook *outlook = GLI_NEW(gli_outlook, 1);
  if (!outlook) return false;
  outlook->rows = (size_t)model->actions * model->states;
  outlook->states = model->states;
  outlook->bytes = bytes;
  if (!allocate(graph, outlook, &size)) {
    gli_outlook_free(outlook);
    return false;
  }
  find_entries(model, outlook);
  find_paths(model, outlook);
  find_sources(model, outlook);
  outlook->rounding = find_rounding(model, outlook);
  gli_outlook_forget(outlook);
  *made = outlook;
  return true;
}

void gli_outlook_free(gli_outlook *outlook) {
  if (!outlook) return;
  gli_memory_free(outlook->row);
  gli_memory_free(outlook->entry);
  gli_memory_free(outlook->lines);
  gli_memory_free(outlook->path);
  gli_memory_free(outlook->to);
  gli_memory_free(outlook->chance);
  gli_memory_free(outlook->old);
  gli_memory_free(outlook->told);
  gli_memory_free(outlook->way);
  gli_memory_free(outlook->source);
  gli_memory_free(outlook->place);
  gli_memory_free(outlook);
}

void gli_outlook_forget(gli_outlook *outlook) {
  memset(outlook->old, true, outlook->rows * sizeof *outlook->old);
  memset(outlook->told, true, outlook->states * sizeof *outlook->told);
}

GLI_ALWAYS_INLINE void add_up_with(const gli_graph *graph, size_t row, uint32_t stride) {
  const gli_outlook *outlook = graph->outlook;
  const glimpse_model *model = graph->model;
  size_t base = row - row % model->states;
  for (uint32_t k = outlook->row[row]; k < outlook->row[row + 1]; k++) {
    outlook->place[outlook->entry[k].observation] = k;
    for (uint32_t j = 0; j < stride; j++) outlook->lines[(size_t)k * stride + j] = 0;
  }
  glimpse_row next = gli_table_row(&model->transition, row);
  for (size_t i = 0; i < next.count; i++) {
    const double *line = graph->table + (size_t)next.index[i] * stride;
    outlook->told[next.index[i]] = false;
    glimpse_row shown = gli_table_row(&model->observe, base + next.index[i]);
    for (size_t k = 0; k < shown.count; k++) {
      double *sums = outlook->lines + (size_t)outlook->place[shown.index[k]] * stride;
      gli_line_add(sums, line, next.value[i] * shown.value[k], stride);
    }
  }
  outlook->old[row] = false;
}

void gli_outlook_add_up(const gli_graph *graph, size_t row) {
  GLI_BY_LENGTH(graph->stride, add_up_with, graph, row);
}

void gli_outlook_tell(gli_outlook *outlook, uint32_t state) {
  if (outlook->told[state]) return;
  outlook->told[state] = true;
  for (uint32_t k = outlook->way[state]; k < outlook->way[state + 1]; k++) outlook->old[outlook->source[k]] = true;
}
