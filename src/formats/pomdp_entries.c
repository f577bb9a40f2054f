/* Entries: T, O and R as single numbers, rows and matrices.
 *
 *   T: a : s : s'  p      T: a : s  row of states        T: a  states x states
 *   O: a : s' : o  p      O: a : s' row of observations  O: a  states x observations
 *   R: a : s : s' : o  r  R: a : s : s' row of observations
 *                         R: a : s  states x observations
 * In an MDP, R loses its last index and its matrices are states x states.
 *
 * Numbers go to the builder as they are read, so that a matrix needs no memory
 * here whatever its size.  A row or matrix first clears what it covers and then
 * sets the numbers that are not zero.
 *
 * When pomdp->places is set nothing goes to the builder; the entry only leaves
 * its place there (pomdp_places.c). */
#include <stdio.h>
#include <string.h>

#include "formats/pomdp.h"

typedef struct entry {
  gli_section section;
  gli_token token; /* the keyword */
  uint32_t key[4]; /* a, s, s', o as far as given, GLIMPSE_ANY beyond */
  int given;       /* how many indices were given */
  int full;        /* how many a single number needs */
} entry;

static const glimpse_kind kinds[GLI_SECTIONS][4] = {
    [GLI_SECTION_T] = {GLIMPSE_ACTION, GLIMPSE_STATE, GLIMPSE_STATE, GLIMPSE_STATE},
    [GLI_SECTION_O] = {GLIMPSE_ACTION, GLIMPSE_STATE, GLIMPSE_OBSERVATION, GLIMPSE_STATE},
    [GLI_SECTION_R] = {GLIMPSE_ACTION, GLIMPSE_STATE, GLIMPSE_STATE, GLIMPSE_OBSERVATION},
};

static gli_builder_table table_of(const entry *e) {
  return e->section == GLI_SECTION_T ? GLI_TRANSITION : GLI_OBSERVATION;
}

/* "T: listen : 0": the entry as far as its indices were given. */
static const char *label(const gli_pomdp *pomdp, const entry *e, char text[GLI_POMDP_TEXT]) {
  int used = snprintf(text, GLI_POMDP_TEXT, "%s:", gli_section_text(e->section));
  for (int i = 0; i < e->given; i++) {
    const char *name = e->key[i] == GLIMPSE_ANY
                           ? "*"
                           : gli_names_get(gli_builder_names(pomdp->builder, kinds[e->section][i]), e->key[i]);
    char number[16];
    if (!name) {
      snprintf(number, sizeof number, "%u", (unsigned)e->key[i]);
      name = number;
    }
    used += snprintf(text + used, GLI_POMDP_TEXT - (size_t)used, "%s %.24s", i ? " :" : "", name);
  }
  return text;
}

/* ---- to the builder ---- */

static bool done(gli_pomdp *pomdp, glimpse_status status) {
  return status ? gli_pomdp_stop(pomdp, status) : true;
}

static bool put(gli_pomdp *pomdp, const entry *e, const uint32_t *key, double value) {
  glimpse_builder *builder = pomdp->builder;
  if (pomdp->places) return true;
  switch (e->section) {
    case GLI_SECTION_T: return done(pomdp, glimpse_builder_transition(builder, key[0], key[1], key[2], value));
    case GLI_SECTION_O: return done(pomdp, glimpse_builder_observation(builder, key[0], key[1], key[2], value));
    default: return done(pomdp, glimpse_builder_reward(builder, key[0], key[1], key[2], key[3], pomdp->sign * value));
  }
}

static bool clear(gli_pomdp *pomdp, const entry *e) {
  if (pomdp->places) return true;
  if (e->section == GLI_SECTION_R) return put(pomdp, e, e->key, 0);
  return done(pomdp, gli_builder_row_clear(pomdp->builder, table_of(e), e->key[0], e->key[1]));
}

/* Leaves the place of row s, if places are what is wanted. */
static void mark(gli_pomdp *pomdp, const entry *e, uint32_t s, const gli_token *token) {
  if (pomdp->places && e->section != GLI_SECTION_R)
    gli_pomdp_places_mark(pomdp->places, table_of(e), e->key[0], s, token);
}

/* ---- single numbers ---- */

static bool read_number(gli_pomdp *pomdp, const entry *e, double *value) {
  return e->section == GLI_SECTION_R ? gli_pomdp_number(pomdp, "a reward", value) : gli_pomdp_probability(pomdp, value);
}

/* More numbers than one: tells how many. */
static bool too_many(gli_pomdp *pomdp, const entry *e) {
  gli_token token = pomdp->scanner.token;
  unsigned long long seen = 1;
  for (; pomdp->scanner.token.kind == GLI_TOKEN_NUMBER; seen++) gli_scanner_next(&pomdp->scanner);
  char text[GLI_POMDP_TEXT];
  return gli_pomdp_error(pomdp, &token, GLIMPSE_BAD_SYNTAX, "expected one number in %s, found %llu",
                         label(pomdp, e, text), seen);
}

static bool read_single(gli_pomdp *pomdp, const entry *e) {
  double value;
  mark(pomdp, e, e->key[1], &e->token);
  if (!read_number(pomdp, e, &value) || !put(pomdp, e, e->key, value)) return false;
  return pomdp->scanner.token.kind != GLI_TOKEN_NUMBER || too_many(pomdp, e);
}

/* ---- rows and matrices ---- */

/* A block of numbers being read.  `odd` is the first line in the file that does
 * not hold whole rows: the likely place of a missing or surplus number. */
typedef struct block {
  uint64_t rows, columns, seen;
  uint64_t line, in_line; /* the current line and its numbers */
  uint64_t odd_line, odd_count;
  gli_token surplus; /* the first number too many */
} block;

static void end_line(block *b) {
  if (b->odd_line || !b->in_line || b->in_line % b->columns == 0) return;
  b->odd_line = b->line;
  b->odd_count = b->in_line;
}

static void count_number(block *b, const gli_token *token) {
  if (token->line != b->line) {
    end_line(b);
    b->line = token->line;
    b->in_line = 0;
  }
  b->in_line++;
  if (b->seen++ == b->rows * b->columns) b->surplus = *token;
}

/* What can stand first in a row or matrix. */
static const char *first_of(const entry *e) {
  if (e->section == GLI_SECTION_R) return e->given < e->full - 1 ? "a reward" : "a reward, or ':' and an observation";
  if (e->section == GLI_SECTION_O) return "a probability or 'uniform'";
  return e->given == 1 ? "a probability, 'uniform' or 'identity'" : "a probability, 'uniform' or 'reset'";
}

static bool check_block(gli_pomdp *pomdp, const entry *e, block *b) {
  uint64_t expected = b->rows * b->columns;
  if (b->seen == expected) return true;
  if (b->seen == 0) return gli_pomdp_expected(pomdp, "%s", first_of(e));
  end_line(b);
  char text[GLI_POMDP_TEXT], shape[64] = "", odd[64] = "";
  if (b->rows > 1)
    snprintf(shape, sizeof shape, " (%llu rows of %llu)", (unsigned long long)b->rows, (unsigned long long)b->columns);
  if (b->rows > 1 && b->odd_line)
    snprintf(odd, sizeof odd, "; line %llu has %llu", (unsigned long long)b->odd_line,
             (unsigned long long)b->odd_count);
  return gli_pomdp_error(pomdp, b->seen > expected ? &b->surplus : &pomdp->scanner.token, GLIMPSE_BAD_SYNTAX,
                         "expected %llu numbers%s in the %s of %s, found %llu%s", (unsigned long long)expected, shape,
                         b->rows > 1 ? "matrix" : "row", label(pomdp, e, text), (unsigned long long)b->seen, odd);
}

/* Numbers for the last index and, with `matrix`, for the last but one. */
static bool read_block(gli_pomdp *pomdp, const entry *e, bool matrix) {
  const gli_token *token = &pomdp->scanner.token;
  int column_at = e->full - 1, row_at = e->full - 2;
  block b = {.rows = matrix ? pomdp->counts[kinds[e->section][row_at]] : 1,
             .columns = pomdp->counts[kinds[e->section][column_at]]};
  uint32_t key[4];
  memcpy(key, e->key, sizeof key);
  key[column_at] = 0;
  if (matrix) key[row_at] = 0;
  if (token->kind == GLI_TOKEN_NUMBER && !clear(pomdp, e)) return false;
  while (token->kind == GLI_TOKEN_NUMBER) {
    count_number(&b, token);
    if (b.seen > b.rows * b.columns) {
      gli_scanner_next(&pomdp->scanner);
      continue;
    }
    double value;
    if (key[column_at] == 0) mark(pomdp, e, key[1], token);
    if (!read_number(pomdp, e, &value) || (value != 0 && !put(pomdp, e, key, value))) return false;
    if (++key[column_at] == b.columns) {
      key[column_at] = 0;
      if (matrix) key[row_at]++;
    }
  }
  return check_block(pomdp, e, &b);
}

/* ---- uniform, identity, reset ---- */

static bool read_identity(gli_pomdp *pomdp, const entry *e) {
  const gli_token *token = &pomdp->scanner.token;
  char text[GLI_POMDP_TEXT];
  if (pomdp->counts[kinds[e->section][2]] != pomdp->counts[GLIMPSE_STATE])
    return gli_pomdp_error(pomdp, token, GLIMPSE_BAD_SYNTAX,
                           "expected as many observations as states for 'identity' in %s, found %u and %u",
                           label(pomdp, e, text), (unsigned)pomdp->counts[GLIMPSE_OBSERVATION],
                           (unsigned)pomdp->counts[GLIMPSE_STATE]);
  if (e->section == GLI_SECTION_O || e->given > 1)
    gli_pomdp_loose(pomdp, token, "expected 'identity' for a matrix of T alone, found it in %s", label(pomdp, e, text));
  return done(pomdp, gli_builder_row_identity(pomdp->builder, table_of(e), e->key[0], e->key[1]));
}

static bool read_reset(gli_pomdp *pomdp, const entry *e) {
  const gli_token *token = &pomdp->scanner.token;
  if (e->section != GLI_SECTION_T) return gli_pomdp_expected(pomdp, "a probability or 'uniform'");
  char text[GLI_POMDP_TEXT];
  if (e->given == 1)
    gli_pomdp_loose(pomdp, token, "expected 'reset' for a row of T alone, found it in %s", label(pomdp, e, text));
  return done(pomdp, gli_builder_row_reset(pomdp->builder, e->key[0], e->key[1]));
}

static bool is_row_word(const gli_token *token) {
  if (token->kind != GLI_TOKEN_WORD || token->length < 5 || token->length > 8) return false;
  return gli_token_is(token, "uniform") || gli_token_is(token, "identity") || gli_token_is(token, "reset");
}

static bool read_row_word(gli_pomdp *pomdp, const entry *e) {
  const gli_token *token = &pomdp->scanner.token;
  mark(pomdp, e, e->key[1], &e->token);
  bool good = pomdp->places ? true
              : gli_token_is(token, "uniform")
                  ? done(pomdp, gli_builder_row_uniform(pomdp->builder, table_of(e), e->key[0], e->key[1]))
              : gli_token_is(token, "identity") ? read_identity(pomdp, e)
                                                : read_reset(pomdp, e);
  if (good) gli_scanner_next(&pomdp->scanner);
  return good;
}

/* ---- an entry ---- */

/* Behind the last index that a single number needs: files have a colon there,
 * and MDPs the star of an observation they do not have. */
static bool pass_colons(gli_pomdp *pomdp, const entry *e) {
  const gli_token *token = &pomdp->scanner.token;
  while (token->kind == GLI_TOKEN_COLON) {
    gli_token colon = *token;
    gli_scanner_next(&pomdp->scanner);
    bool observation =
        pomdp->mdp && e->section == GLI_SECTION_R && (token->kind == GLI_TOKEN_STAR || token->kind == GLI_TOKEN_WORD);
    if (observation && token->kind == GLI_TOKEN_WORD) return gli_pomdp_expected(pomdp, "no observation in an MDP");
    gli_pomdp_loose(pomdp, observation ? token : &colon,
                    observation ? "expected no observation in an MDP, found '*'"
                                : "expected a number, found ':' before it");
    if (!observation) return true;
    gli_scanner_next(&pomdp->scanner);
  }
  return true;
}

/* A word of a row behind a colon, where an index would stand. */
static bool at_row_word(gli_pomdp *pomdp, const entry *e, const gli_token *colon) {
  const gli_token *token = &pomdp->scanner.token;
  if (e->section == GLI_SECTION_R) return false;
  gli_names *names = gli_builder_names(pomdp->builder, kinds[e->section][e->given]);
  if (gli_names_find(names, token->text, token->length) != UINT32_MAX) return false;
  char found[GLI_POMDP_TEXT];
  gli_pomdp_loose(pomdp, colon, "expected %s, found ':' before it", gli_pomdp_found(token, found));
  return true;
}

/* Entries come row by row, so most names are those of the entry before: comparing
 * is cheaper than looking up. */
static bool read_index(gli_pomdp *pomdp, glimpse_kind kind, int place, uint32_t *index) {
  gli_pomdp_recent *recent = &pomdp->recent[place];
  const gli_token *token = &pomdp->scanner.token;
  if (token->kind != GLI_TOKEN_WORD) return gli_pomdp_index(pomdp, kind, index);
  const char *text = token->text;
  size_t length = token->length;
  if (recent->length == length && recent->kind == kind && memcmp(recent->text, text, length) == 0) {
    *index = recent->index;
    gli_scanner_next(&pomdp->scanner);
    return true;
  }
  if (!gli_pomdp_index(pomdp, kind, index)) return false;
  *recent = (gli_pomdp_recent){text, length, kind, *index};
  return true;
}

static bool read_indices(gli_pomdp *pomdp, entry *e) {
  const gli_token *token = &pomdp->scanner.token;
  for (;;) {
    if (!read_index(pomdp, kinds[e->section][e->given], e->given, &e->key[e->given])) return false;
    if (++e->given == e->full) return token->kind != GLI_TOKEN_COLON || pass_colons(pomdp, e);
    if (token->kind != GLI_TOKEN_COLON) return true;
    gli_token colon = {.line = token->line, .column = token->column};
    gli_scanner_next(&pomdp->scanner);
    if (is_row_word(token) && at_row_word(pomdp, e, &colon)) return true;
  }
}

static bool read_entry(gli_pomdp *pomdp, entry *e) {
  if (!read_indices(pomdp, e)) return false;
  if (e->given == e->full) return read_single(pomdp, e);
  if (e->section != GLI_SECTION_R && is_row_word(&pomdp->scanner.token)) return read_row_word(pomdp, e);
  if (e->given + 2 < e->full) return gli_pomdp_expected(pomdp, "':' and a state");
  return read_block(pomdp, e, e->given + 2 == e->full);
}

/* An O in a file without observations: told once. */
static bool observed(gli_pomdp *pomdp) {
  if (!pomdp->mdp) return true;
  if (!pomdp->unobserved)
    gli_pomdp_error(pomdp, &pomdp->scanner.token, GLIMPSE_BAD_SYNTAX,
                    "expected 'observations:' before the first O, found none");
  pomdp->unobserved = true;
  return false;
}

void gli_pomdp_entry_read(gli_pomdp *pomdp) {
  gli_scanner *scanner = &pomdp->scanner;
  entry e = {.section = scanner->token.section,
             .token = scanner->token,
             .key = {GLIMPSE_ANY, GLIMPSE_ANY, GLIMPSE_ANY, GLIMPSE_ANY},
             .full = scanner->token.section == GLI_SECTION_R && !pomdp->mdp ? 4 : 3};
  bool usable = pomdp->builder && (e.section != GLI_SECTION_O || observed(pomdp));
  if (e.section == GLI_SECTION_R) pomdp->rewarded = true;
  gli_scanner_next(scanner);
  if (!usable || !read_entry(pomdp, &e)) gli_pomdp_recover(pomdp);
}
