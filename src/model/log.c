/* Log: the last assignment wins, and `*` stands for every action or state.
 *
 * An entry that names its row is 16 bytes; one with a wildcard is kept as such
 * and never multiplied, so the memory of a log is linear in the number of
 * assignments, whatever the counts that a file claims.  To resolve, the entries
 * are grouped by row, by action and by state (a counting sort, stable), and what
 * a later entry of the same group overwrites is dropped.  Then each row merges
 * its plain entries with the wildcards of its action, of its state and of all
 * rows in the order in which they were made, and applies them to a dense row
 * whose cells carry the number of the row that wrote them last.
 * Cost: linear in the plain entries and in the non-zeros of the result, plus
 * for each row the wildcards that touch it; these are at most one per column
 * and one for the whole row in each of the three kinds, however often a file
 * repeats itself.  A table that would be too large, because of a few words such
 * as "T: * uniform", is refused before it is made. */
#include "model/log.h"

#include <stdlib.h>

#include "base/number.h"

enum { BY_ACTION, BY_STATE, BY_NONE, WILD };

void gli_log_start(gli_log *log, uint32_t states, uint32_t actions, uint32_t columns) {
  *log = (gli_log){.states = states, .actions = actions, .columns = columns, .most = GLIMPSE_MAX_ENTRIES};
}

void gli_log_free(gli_log *log) {
  gli_memory_free(log->plain);
  for (int w = 0; w < WILD; w++) gli_memory_free(log->wild[w]);
  *log = (gli_log){0};
}

glimpse_status gli_log_add(gli_log *log, uint32_t a, uint32_t s, uint32_t column, double value) {
  if (column == GLI_LOG_UNIFORM || column == GLI_LOG_RESET || (column == GLI_LOG_FILL && value != 0)) log->dense = true;
  if (a != GLIMPSE_ANY && s != GLIMPSE_ANY) {
    size_t n = log->plain_count;
    if (n >= GLIMPSE_MAX_ENTRIES) return GLIMPSE_TOO_LARGE;
    if (n == log->plain_capacity && !GLI_GROW(log->plain, log->plain_capacity, n + 1)) return GLIMPSE_NO_MEMORY;
    log->plain[n] = (gli_log_entry){a * log->states + s, column, value};
    log->plain_count = n + 1;
    return GLIMPSE_OK;
  }
  int w = a != GLIMPSE_ANY ? BY_ACTION : s != GLIMPSE_ANY ? BY_STATE : BY_NONE;
  size_t n = log->wild_count[w];
  if (n >= GLIMPSE_MAX_ENTRIES) return GLIMPSE_TOO_LARGE;
  if (!GLI_GROW(log->wild[w], log->wild_capacity[w], n + 1)) return GLIMPSE_NO_MEMORY;
  uint32_t group = w == BY_ACTION ? a : w == BY_STATE ? s : 0;
  log->wild[w][n] = (gli_log_wildcard){{group, column, value}, log->wildcards++, (uint32_t)log->plain_count};
  log->wild_count[w] = n + 1;
  return GLIMPSE_OK;
}

/* Entries grouped: those of group g are item[first[g] .. first[g+1]), in order. */
typedef struct index {
  uint32_t *first;
  uint32_t *item;
} index;

/* The entries of one kind, plain or wildcards: both begin with a gli_log_entry. */
typedef struct entries {
  const void *first;
  size_t stride, count, groups;
} entries;

static const gli_log_entry *entry_at(const entries *list, size_t i) {
  return (const gli_log_entry *)(const void *)((const char *)list->first + i * list->stride);
}

static void index_free(index *grouped) {
  gli_memory_free(grouped->first);
  gli_memory_free(grouped->item);
}

static bool index_make(index *grouped, const entries *list) {
  grouped->first = GLI_NEW(uint32_t, list->groups + 2);
  grouped->item = GLI_NEW(uint32_t, list->count);
  if (!grouped->first || !grouped->item) return false;
  uint32_t *next = grouped->first + 1; /* shifted by one: filling makes it right */
  for (size_t i = 0; i < list->count; i++) next[entry_at(list, i)->group + 1]++;
  for (size_t g = 1; g <= list->groups; g++) next[g] += next[g - 1];
  for (size_t i = 0; i < list->count; i++) grouped->item[next[entry_at(list, i)->group]++] = (uint32_t)i;
  return true;
}

/* A dense row under construction. */
typedef struct scratch {
  double *value;
  uint64_t *stamp; /* the epoch in which the cell was written */
  uint32_t *touched;
  size_t count;
  uint64_t epoch;
  bool sorted;
  bool counting;  /* nothing is written; only ... */
  uint64_t least; /* ... the least number of non-zeros is found */
} scratch;

static void put(scratch *row, uint32_t column, double value) {
  if (row->stamp[column] != row->epoch) {
    row->stamp[column] = row->epoch;
    if (row->count && row->touched[row->count - 1] > column) row->sorted = false;
    row->touched[row->count++] = column;
  }
  row->value[column] = value;
}

static void clear(scratch *row) {
  row->epoch++;
  row->count = 0;
  row->sorted = true;
}

/* Drops what cannot matter: entries of a group touch the same rows, so all that
 * precede one for the whole row, and all but the last for a column, are dead. */
static void prune(index *grouped, const entries *list, scratch *row) {
  uint32_t kept = 0, begin = 0;
  for (size_t g = 0; g < list->groups; g++) {
    uint32_t end = grouped->first[g + 1], alive = end;
    clear(row);
    for (uint32_t i = end; i-- > begin;) {
      uint32_t item = grouped->item[i], column = entry_at(list, item)->column;
      if (column < GLI_LOG_RESET) {
        if (row->stamp[column] == row->epoch) continue;
        row->stamp[column] = row->epoch;
      }
      grouped->item[--alive] = item;
      if (column >= GLI_LOG_RESET) break;
    }
    grouped->first[g] = kept;
    while (alive < end) grouped->item[kept++] = grouped->item[alive++];
    begin = end;
  }
  grouped->first[list->groups] = kept;
}

static void count(scratch *row, const gli_log *log, glimpse_row start, const gli_log_entry *entry) {
  switch (entry->column) {
    case GLI_LOG_FILL: row->least = entry->value != 0 ? log->columns : 0; break;
    case GLI_LOG_UNIFORM: row->least = log->columns; break;
    case GLI_LOG_IDENTITY: row->least = 1; break;
    case GLI_LOG_RESET: row->least = start.count; break;
    default: row->least -= entry->value == 0 && row->least; break;
  }
}

static void apply(scratch *row, const gli_log *log, uint32_t s, glimpse_row start, const gli_log_entry *entry) {
  if (row->counting) {
    count(row, log, start, entry);
    return;
  }
  switch (entry->column) {
    case GLI_LOG_FILL:
    case GLI_LOG_UNIFORM: {
      double value = entry->column == GLI_LOG_FILL ? entry->value : 1.0 / log->columns;
      clear(row);
      if (value == 0) break;
      for (uint32_t c = 0; c < log->columns; c++) put(row, c, value);
      break;
    }
    case GLI_LOG_IDENTITY:
      clear(row);
      put(row, s, 1);
      break;
    case GLI_LOG_RESET:
      clear(row);
      for (size_t i = 0; i < start.count; i++) put(row, start.index[i], start.value[i]);
      break;
    default: put(row, entry->column, entry->value);
  }
}

static int compare(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return a < b ? -1 : a > b;
}

void gli_log_normalise(double *value, size_t count, double sum) {
  if (sum - 1 <= 0x1p-51 && 1 - sum <= 0x1p-51) return;
  for (size_t i = 0; i < count; i++) value[i] /= sum;
}

void gli_table_free(gli_table *table) {
  gli_memory_free(table->row);
  gli_memory_free(table->column);
  gli_memory_free(table->value);
  *table = (gli_table){0};
}

typedef struct resolver {
  const gli_log *log;
  glimpse_row start;
  index plain, wild[WILD];
  scratch row;
  size_t column_capacity, value_capacity;
} resolver;

/* Applies everything that touches row (a,s), in the order in which it was made. */
static void replay(resolver *r, uint32_t a, uint32_t s) {
  const gli_log *log = r->log;
  uint32_t g = a * log->states + s;
  uint32_t group[WILD] = {a, s, 0};
  uint32_t at = r->plain.first[g], end = r->plain.first[g + 1], next[WILD], last[WILD];
  for (int w = 0; w < WILD; w++) {
    next[w] = log->wild_count[w] ? r->wild[w].first[group[w]] : 0;
    last[w] = log->wild_count[w] ? r->wild[w].first[group[w] + 1] : 0;
  }
  clear(&r->row);
  for (;;) {
    const gli_log_wildcard *first = NULL;
    int which = 0;
    for (int w = 0; w < WILD; w++) {
      if (next[w] == last[w]) continue;
      const gli_log_wildcard *candidate = &log->wild[w][r->wild[w].item[next[w]]];
      if (!first || candidate->order < first->order) {
        first = candidate;
        which = w;
      }
    }
    uint32_t before = first ? first->place : UINT32_MAX;
    for (; at < end && r->plain.item[at] < before; at++)
      apply(&r->row, log, s, r->start, &log->plain[r->plain.item[at]]);
    if (!first) return;
    apply(&r->row, log, s, r->start, &first->entry);
    next[which]++;
  }
}

/* Moves the finished dense row to the end of the table. */
static glimpse_status emit(resolver *r, gli_table *table, uint64_t row, double *sum) {
  scratch *dense = &r->row;
  if (!dense->sorted) qsort(dense->touched, dense->count, sizeof *dense->touched, compare);
  uint64_t n = table->row[row];
  if (n + dense->count > r->log->most) return GLIMPSE_TOO_LARGE;
  /* One more, so that there is an array to point to even if all rows are empty. */
  if (!GLI_GROW(table->column, r->column_capacity, n + dense->count + 1) ||
      !GLI_GROW(table->value, r->value_capacity, n + dense->count + 1))
    return GLIMPSE_NO_MEMORY;
  gli_sum total = {0, 0};
  for (size_t i = 0; i < dense->count; i++) {
    double value = dense->value[dense->touched[i]];
    if (value == 0) continue;
    table->column[n] = dense->touched[i];
    table->value[n++] = value;
    gli_sum_add(&total, value);
  }
  table->row[row + 1] = n;
  *sum = gli_sum_value(total);
  return GLIMPSE_OK;
}

/* Will the table certainly pass the limit?  Asked only where few words could have
 * made it so large. */
static bool too_large(resolver *r) {
  const gli_log *log = r->log;
  uint64_t total = 0;
  if (!log->dense || (uint64_t)log->actions * log->states * log->columns <= log->most) return false;
  r->row.counting = true;
  for (uint32_t a = 0; a < log->actions && total <= log->most; a++)
    for (uint32_t s = 0; s < log->states && total <= log->most; s++) {
      r->row.least = 0;
      replay(r, a, s);
      total += r->row.least;
    }
  r->row.counting = false;
  return total > log->most;
}

static glimpse_status resolve_rows(resolver *r, gli_log_judge judge, gli_table *table) {
  bool valid = true;
  for (uint32_t a = 0; a < r->log->actions; a++)
    for (uint32_t s = 0; s < r->log->states; s++) {
      uint64_t row = (uint64_t)a * r->log->states + s;
      double sum;
      replay(r, a, s);
      glimpse_status status = emit(r, table, row, &sum);
      if (status) return status;
      if (judge.sum(judge.context, a, s, sum))
        gli_log_normalise(table->value + table->row[row], (size_t)(table->row[row + 1] - table->row[row]), sum);
      else valid = false;
    }
  return valid ? GLIMPSE_OK : GLIMPSE_BAD_MODEL;
}

static bool resolver_make(resolver *r) {
  const gli_log *log = r->log;
  r->row.value = GLI_NEW(double, log->columns);
  r->row.stamp = GLI_NEW(uint64_t, log->columns);
  r->row.touched = GLI_NEW(uint32_t, log->columns);
  if (!r->row.value || !r->row.stamp || !r->row.touched) return false;
  size_t groups[WILD] = {log->actions, log->states, 1};
  entries plain = {log->plain, sizeof *log->plain, log->plain_count, (size_t)log->actions * log->states};
  if (!index_make(&r->plain, &plain)) return false;
  prune(&r->plain, &plain, &r->row);
  for (int w = 0; w < WILD; w++) {
    entries wild = {log->wild[w], sizeof *log->wild[w], log->wild_count[w], groups[w]};
    if (!wild.count) continue;
    if (!index_make(&r->wild[w], &wild)) return false;
    prune(&r->wild[w], &wild, &r->row);
  }
  return true;
}

glimpse_status gli_log_resolve(const gli_log *log, glimpse_row start, gli_log_judge judge, gli_table *table) {
  resolver r = {.log = log, .start = start};
  *table = (gli_table){0};
  table->row = GLI_NEW(uint64_t, (size_t)log->actions * log->states + 1);
  glimpse_status status = GLIMPSE_NO_MEMORY;
  if (table->row && resolver_make(&r)) status = too_large(&r) ? GLIMPSE_TOO_LARGE : resolve_rows(&r, judge, table);
  index_free(&r.plain);
  for (int w = 0; w < WILD; w++) index_free(&r.wild[w]);
  gli_memory_free(r.row.value);
  gli_memory_free(r.row.stamp);
  gli_memory_free(r.row.touched);
  if (status) {
    gli_table_free(table);
  } else {
    uint64_t n = table->row[(size_t)log->actions * log->states];
    table->column = gli_memory_trim(table->column, (size_t)n, sizeof *table->column);
    table->value = gli_memory_trim(table->value, (size_t)n, sizeof *table->value);
  }
  return status;
}

/* A little more than 1e-5 and 1e-3, because 1 - 0.999 in binary is. */
gli_log_verdict gli_log_judge_sum(double sum) {
  double off = sum < 1 ? 1 - sum : sum - 1;
  if (off <= 1e-5 + 1e-12) return GLI_SUM_FINE;
  return off <= 1e-3 + 1e-12 ? GLI_SUM_MENDED : GLI_SUM_WRONG;
}
