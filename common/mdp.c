/* Mdp: the rows of a table, and the model that they make; see mdp.h.
 *
 * Names are found by a hash table with linear probing, at most half full.  The builder is the gate that checks sums,
 * names and counts, as for every model. */
#include "common/mdp.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 400, SHOWN = 40, FIRST_SLOTS = 64 };

struct mdp mdp_begin(const char *text, size_t length, const char *source, glimpse_report *report) {
  struct mdp mdp = {.source = source, .report = report, .start = GLIMPSE_ANY, .end = GLIMPSE_ANY, .discount = 1};
  size_t lines = 1;
  for (size_t i = 0; i < length; i++) lines += text[i] == '\n' || text[i] == ':' || text[i] == ']';
  mdp.limit = 2 * lines;
  return mdp;
}

void mdp_free(struct mdp *mdp) {
  free(mdp->states.names);
  free(mdp->states.slots);
  free(mdp->actions.names);
  free(mdp->actions.slots);
  free(mdp->rows);
}

bool mdp_fail(struct mdp *mdp, glimpse_status code, size_t line, size_t column, const char *format, ...) {
  char text[TEXT];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  for (char *c = text; *c; c++)
    if ((unsigned char)*c < ' ' || (unsigned char)*c >= 127) *c = '?';
  mdp->status = code;
  glimpse_report_add(mdp->report, &(glimpse_message){.severity = GLIMPSE_ERROR,
                                                     .code = code,
                                                     .source = mdp->source,
                                                     .line = line,
                                                     .column = column,
                                                     .text = text});
  return false;
}

static bool no_memory(struct mdp *mdp) {
  return mdp_fail(mdp, GLIMPSE_NO_MEMORY, 0, 0, "%s", glimpse_status_text(GLIMPSE_NO_MEMORY));
}

/* -------------------------------------------------------------------- names */

/* FNV-1a. */
static uint32_t hash(struct mdp_word word) {
  uint32_t h = UINT32_C(2166136261);
  for (size_t i = 0; i < word.length; i++) h = (h ^ (unsigned char)word.text[i]) * UINT32_C(16777619);
  return h;
}

/* The slot of a word, or the empty one where it belongs. */
static uint32_t *slot_of(const struct mdp_names *names, struct mdp_word word) {
  uint32_t at = hash(word) & (names->slot_count - 1);
  for (;; at = (at + 1) & (names->slot_count - 1)) {
    if (!names->slots[at]) break;
    struct mdp_word other = names->names[names->slots[at] - 1].word;
    if (other.length == word.length && !memcmp(other.text, word.text, word.length)) break;
  }
  return &names->slots[at];
}

/* Room for one more word. */
static bool grow(struct mdp_names *names) {
  if (names->count < names->capacity) return true;
  uint32_t capacity = names->capacity ? 2 * names->capacity : FIRST_SLOTS / 2;
  struct mdp_name *all = realloc(names->names, capacity * sizeof *all);
  if (!all) return false;
  names->names = all;
  uint32_t *slots = calloc((size_t)2 * capacity, sizeof *slots);
  if (!slots) return false;
  free(names->slots);
  names->slots = slots;
  names->slot_count = 2 * capacity;
  names->capacity = capacity;
  for (uint32_t i = 0; i < names->count; i++) *slot_of(names, all[i].word) = i + 1;
  return true;
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* A whole number in digits alone. */
static uint32_t number_of(struct mdp *mdp, struct mdp_names *names, struct mdp_word word, size_t line, size_t column) {
  size_t value = 0, i = 0;
  for (; i < word.length && is_digit(word.text[i]) && value < mdp->limit; i++)
    value = 10 * value + (size_t)(word.text[i] - '0');
  if (i < word.length && !is_digit(word.text[i])) {
    mdp_fail(mdp, GLIMPSE_BAD_SYNTAX, line, column, "expected a whole number like the first one, found '%.*s'",
             (int)(word.length < SHOWN ? word.length : SHOWN), word.text);
    return GLIMPSE_ANY;
  }
  if (value >= mdp->limit || value >= GLIMPSE_MAX_COUNT) {
    mdp_fail(mdp, GLIMPSE_TOO_LARGE, line, column,
             "number %.*s is too large for a table of this length; numbers begin with 0",
             (int)(word.length < SHOWN ? word.length : SHOWN), word.text);
    return GLIMPSE_ANY;
  }
  if (value >= names->count) names->count = (uint32_t)value + 1;
  return (uint32_t)value;
}

uint32_t mdp_index(struct mdp *mdp, struct mdp_names *names, struct mdp_word word, size_t line, size_t column) {
  if (!word.length) {
    mdp_fail(mdp, GLIMPSE_BAD_SYNTAX, line, column, "expected a name or a number, found nothing");
    return GLIMPSE_ANY;
  }
  if (!names->count) names->numbered = is_digit(*word.text);
  if (names->numbered) return number_of(mdp, names, word, line, column);
  if (names->count >= GLIMPSE_MAX_COUNT || !grow(names)) {
    no_memory(mdp);
    return GLIMPSE_ANY;
  }
  uint32_t *slot = slot_of(names, word);
  if (!*slot) {
    names->names[names->count++] = (struct mdp_name){word, line, column};
    *slot = names->count;
  }
  return *slot - 1;
}

bool mdp_add(struct mdp *mdp, const struct mdp_row *row) {
  if (mdp->count == mdp->capacity) {
    size_t capacity = mdp->capacity ? 2 * mdp->capacity : 256;
    struct mdp_row *rows = realloc(mdp->rows, capacity * sizeof *rows);
    if (!rows) return no_memory(mdp);
    mdp->rows = rows;
    mdp->capacity = capacity;
  }
  mdp->rows[mdp->count++] = *row;
  return true;
}

/* --------------------------------------------------------------- repetitions */

struct place {
  const struct mdp_row *row;
};

static int by_place(const void *a, const void *b) {
  const struct mdp_row *x = ((const struct place *)a)->row, *y = ((const struct place *)b)->row;
  if (x->state != y->state) return x->state < y->state ? -1 : 1;
  if (x->action != y->action) return x->action < y->action ? -1 : 1;
  if (x->next != y->next) return x->next < y->next ? -1 : 1;
  return (x > y) - (x < y);
}

static void show_name(const struct mdp_names *names, uint32_t i, char text[SHOWN + 1]) {
  if (names->numbered) snprintf(text, SHOWN + 1, "%u", (unsigned)i);
  else {
    struct mdp_word word = names->names[i].word;
    snprintf(text, SHOWN + 1, "%.*s", (int)(word.length < SHOWN ? word.length : SHOWN), word.text);
  }
}

/* Names the first row that was given before; false then. */
static bool all_differ(struct mdp *mdp) {
  const struct mdp_row *again = NULL, *before = NULL;
  struct place *sorted = malloc(mdp->count * sizeof *sorted);
  if (!sorted) return no_memory(mdp);
  for (size_t i = 0; i < mdp->count; i++) sorted[i].row = &mdp->rows[i];
  qsort(sorted, mdp->count, sizeof *sorted, by_place);
  for (size_t i = 1; i < mdp->count; i++) {
    const struct mdp_row *x = sorted[i - 1].row, *y = sorted[i].row;
    if (x->state != y->state || x->action != y->action || x->next != y->next || (again && again < y)) continue;
    before = x;
    again = y;
  }
  free(sorted);
  if (!again) return true;
  char state[SHOWN + 1], action[SHOWN + 1], next[SHOWN + 1];
  show_name(&mdp->states, again->state, state);
  show_name(&mdp->actions, again->action, action);
  show_name(&mdp->states, again->next, next);
  return mdp_fail(mdp, GLIMPSE_BAD_SYNTAX, again->line, 0,
                  "state %s, action %s, next state %s was given in line %zu; give one row with the whole probability "
                  "and the mean reward",
                  state, action, next, before->line);
}

/* -------------------------------------------------------------------- model */

static glimpse_status name_all(struct mdp *mdp, glimpse_builder *builder, glimpse_kind kind,
                               const struct mdp_names *names) {
  for (uint32_t i = 0; !names->numbered && i < names->count; i++) {
    char name[256];
    const struct mdp_name *it = &names->names[i];
    snprintf(name, sizeof name, "%.*s", (int)(it->word.length < 255 ? it->word.length : 255), it->word.text);
    glimpse_status status = glimpse_builder_name(builder, kind, i, name);
    if (status) {
      mdp_fail(mdp, status, it->line, it->column,
               "'%.60s' is no name: names are letters, digits, '_' and '-', and begin with a letter", name);
      return status;
    }
  }
  return GLIMPSE_OK;
}

/* Which states end, and what the rest does. */
static void put_rows(const struct mdp *mdp, glimpse_builder *builder, const bool *runs) {
  for (size_t i = 0; i < mdp->count; i++) {
    const struct mdp_row *row = &mdp->rows[i];
    if (!runs[row->state]) continue;
    glimpse_builder_transition(builder, row->action, row->state, row->next, row->probability);
    if (row->reward != 0) glimpse_builder_reward(builder, row->action, row->state, row->next, GLIMPSE_ANY, row->reward);
  }
  for (uint32_t s = 0; s < mdp->states.count; s++) {
    glimpse_builder_observation(builder, GLIMPSE_ANY, s, !runs[s], 1);
    if (!runs[s]) glimpse_builder_transition(builder, GLIMPSE_ANY, s, s, 1);
  }
}

static glimpse_status build(struct mdp *mdp, const bool *runs, bool ends, glimpse_model **model) {
  glimpse_builder *builder = glimpse_builder_new(mdp->states.count, mdp->actions.count, ends ? 2 : 1);
  if (!builder) {
    uint64_t pairs = (uint64_t)mdp->states.count * mdp->actions.count;
    if (mdp->actions.count <= GLIMPSE_MAX_ACTIONS && pairs <= GLIMPSE_MAX_ROWS) no_memory(mdp);
    else
      mdp_fail(mdp, GLIMPSE_TOO_LARGE, 0, 0, "%u states and %u actions are too many", (unsigned)mdp->states.count,
               (unsigned)mdp->actions.count);
    return mdp->status;
  }
  glimpse_status status = name_all(mdp, builder, GLIMPSE_STATE, &mdp->states);
  if (!status) status = name_all(mdp, builder, GLIMPSE_ACTION, &mdp->actions);
  if (!status) {
    glimpse_builder_name(builder, GLIMPSE_OBSERVATION, 0, "running");
    if (ends) glimpse_builder_name(builder, GLIMPSE_OBSERVATION, 1, "done");
    glimpse_builder_discount(builder, mdp->discount);
    glimpse_builder_cost(builder, GLIMPSE_ANY, mdp->cost);
    glimpse_builder_start(builder, mdp->start == GLIMPSE_ANY ? mdp->rows[0].state : mdp->start, 1);
    put_rows(mdp, builder, runs);
    status = glimpse_builder_finish(builder, mdp->report, model);
  }
  glimpse_builder_free(builder);
  return status;
}

glimpse_status mdp_finish(struct mdp *mdp, glimpse_model **model) {
  *model = NULL;
  if (!mdp->count) {
    mdp_fail(mdp, GLIMPSE_BAD_SYNTAX, 0, 0, "there is no row: a table has at least one");
    return GLIMPSE_BAD_SYNTAX;
  }
  if (!all_differ(mdp)) return mdp->status;
  bool *runs = calloc(mdp->states.count, sizeof *runs), ends = false;
  if (!runs) {
    no_memory(mdp);
    return GLIMPSE_NO_MEMORY;
  }
  for (size_t i = 0; i < mdp->count; i++) {
    const struct mdp_row *row = &mdp->rows[i];
    if (row->state != mdp->end && (row->next != row->state || row->reward != 0)) runs[row->state] = true;
  }
  for (uint32_t s = 0; s < mdp->states.count; s++) ends |= !runs[s];
  glimpse_status status = build(mdp, runs, ends, model);
  free(runs);
  return status;
}
