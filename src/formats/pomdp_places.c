/* Places: where in the file a row of T or O was assigned last.
 *
 * That a row does not sum to 1 is seen only when the whole file has been read,
 * and then nobody knows any more where it came from.  Keeping a place per row
 * while reading would cost every reader memory for the sake of the few files
 * that are wrong.  So when the gate finds a row to complain about, the file is
 * read once more (pomdp_read.c), and this time the entries leave their places here.
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

gli_pomdp_places *gli_pomdp_places_new(uint32_t states, uint32_t actions) {
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

bool gli_pomdp_places_find(gli_pomdp_places *places, gli_builder_table table, uint32_t a, uint32_t s, uint64_t *line,
                           uint64_t *column) {
  table_places *t = &places->table[table];
  place all[4] = {*cell(places, t, a, s), t->action[a], t->state[s], t->any}, best = 0;
  for (int i = 0; i < 4; i++)
    if (all[i] > best) best = all[i];
  if (best) unpack(best, line, column);
  return best != 0;
}
