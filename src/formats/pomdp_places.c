/* Places: where in the file a row of T or O was assigned last.
 *
 * That a row does not sum to 1 is seen only when the whole file has been read,
 * and then nobody knows any more where it came from.  Keeping a place per row
 * while reading would cost every reader memory for the sake of the few files
 * that are wrong.  So when the gate finds a row to complain about, the file is
 * read once more, and this time the entries leave their places here.
 *
 * A `*` is not multiplied: a place is kept for each row, for each action with
 * any state, each state with any action, and for everything; the latest of the
 * four is the answer.  Memory: 8 bytes per row of the tables, only then. */
#include "base/memory.h"
#include "formats/pomdp.h"

/* A line in the upper 40 bits, a column in the lower 24, so that later places
 * are larger numbers; 0: nowhere. */
typedef uint64_t place;

enum { COLUMN_BITS = 24 };

typedef struct table_places {
  place *row, *action, *state, any;
} table_places;

struct gli_pomdp_places {
  uint32_t states, actions;
  table_places table[2]; /* by gli_builder_table */
};

static place pack(const gli_token *token) {
  uint64_t limit = ((uint64_t)1 << COLUMN_BITS) - 1;
  return token->line << COLUMN_BITS | (token->column < limit ? token->column : limit);
}

static void unpack(place from, uint64_t *line, uint64_t *column) {
  *line = from >> COLUMN_BITS;
  *column = from & (((uint64_t)1 << COLUMN_BITS) - 1);
}

void gli_pomdp_places_free(gli_pomdp_places *places) {
  if (!places) return;
  for (int t = 0; t < 2; t++) {
    gli_memory_free(places->table[t].row);
    gli_memory_free(places->table[t].action);
    gli_memory_free(places->table[t].state);
  }
  gli_memory_free(places);
}

static gli_pomdp_places *places_new(uint32_t states, uint32_t actions) {
  gli_pomdp_places *places = GLI_NEW(gli_pomdp_places, 1);
  if (!places) return NULL;
  places->states = states;
  places->actions = actions;
  bool good = true;
  for (int t = 0; t < 2; t++) {
    table_places *table = &places->table[t];
    table->row = GLI_NEW(place, (size_t)states * actions);
    table->action = GLI_NEW(place, actions);
    table->state = GLI_NEW(place, states);
    good = good && table->row && table->action && table->state;
  }
  if (good) return places;
  gli_pomdp_places_free(places);
  return NULL;
}

static place *cell(gli_pomdp_places *places, table_places *table, uint32_t a, uint32_t s) {
  if (a == GLIMPSE_ANY) return s == GLIMPSE_ANY ? &table->any : &table->state[s];
  return s == GLIMPSE_ANY ? &table->action[a] : &table->row[(size_t)a * places->states + s];
}

void gli_pomdp_places_mark(gli_pomdp_places *places, gli_builder_table table, uint32_t a, uint32_t s,
                           const gli_token *token) {
  *cell(places, &places->table[table], a, s) = pack(token);
}

/* Reads the file again; only good files come here, so nothing is reported. */
static gli_pomdp_places *collect(const gli_pomdp *pomdp) {
  gli_pomdp again = *pomdp;
  again.report = NULL;
  again.places = places_new(pomdp->counts[GLIMPSE_STATE], pomdp->counts[GLIMPSE_ACTION]);
  if (!again.places) return NULL;
  gli_scanner_start(&again.scanner, again.text, again.length, NULL);
  while (again.scanner.token.kind == GLI_TOKEN_SECTION && !again.stopped) {
    if (again.scanner.token.section >= GLI_SECTION_T) {
      gli_pomdp_entry_read(&again);
    } else {
      gli_scanner_next(&again.scanner);
      gli_pomdp_recover(&again);
    }
  }
  return again.places;
}

static place latest(gli_pomdp_places *places, gli_builder_table table, uint32_t a, uint32_t s) {
  table_places *t = &places->table[table];
  place all[4] = {*cell(places, t, a, s), t->action[a], t->state[s], t->any}, best = 0;
  for (int i = 0; i < 4; i++)
    if (all[i] > best) best = all[i];
  return best;
}

static void find(void *context, gli_builder_part part, uint32_t a, uint32_t s, uint64_t *line, uint64_t *column) {
  gli_pomdp *pomdp = context;
  const gli_token *end = &pomdp->scanner.token; /* for what is missing */
  place found = pack(end);
  if (part == GLI_PART_START && pomdp->items[GLI_SECTION_START].given) {
    found = pack(&pomdp->items[GLI_SECTION_START].token);
  } else if (part == GLI_PART_COST && pomdp->notes.count) {
    const gli_note *note = &pomdp->notes.item[pomdp->notes.count - 1];
    *line = note->line;
    *column = note->column;
    return;
  } else if (part == GLI_PART_TRANSITION || part == GLI_PART_OBSERVATION) {
    if (!pomdp->places) pomdp->places = collect(pomdp);
    gli_builder_table table = part == GLI_PART_TRANSITION ? GLI_TRANSITION : GLI_OBSERVATION;
    place row = pomdp->places ? latest(pomdp->places, table, a, s) : 0;
    if (row) found = row;
  }
  unpack(found, line, column);
}

void gli_pomdp_places_offer(gli_pomdp *pomdp) {
  gli_builder_places(pomdp->builder, find, pomdp);
}
