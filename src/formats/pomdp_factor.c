/* Factors: where a scene says how the states look, an inquiry may tell a part of it in two words.
 *
 *   # glimpse: inquiry compass before 0.1 tells row
 *   # glimpse: inquiry beacon before 0.3 tells cell of parcel
 *
 * The factors are the row, the column and the cell of a layer, the first one where none is named.  Off the grid, the
 * answer is the place, or `nowhere`.  Only what occurs in some state is an answer: row0, column3, cell1-2, carried.
 * What a name of an answer may not have becomes _ in the name of a place; one that still is none is called by the
 * place's number, place0.
 *
 * Each costs an entry for each state.  A planning model has more than that, so what is allowed there limits it here. */
#include "formats/pomdp_factor.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "formats/pomdp_scene.h"
#include "model/inquiry.h"

enum { ROW, COLUMN, CELL };
static const char *const kinds[] = {"row", "column", "cell", NULL};

/* How many values a factor has on the grid; places come behind them, and then nowhere. */
static uint32_t values_of(gli_pomdp_grid grid, int kind) {
  return kind == ROW ? grid.rows : kind == COLUMN ? grid.columns : grid.rows * grid.columns;
}

static uint32_t value_of(gli_pomdp_grid grid, int kind, uint32_t cell) {
  uint32_t size = grid.rows * grid.columns, values = values_of(grid, kind);
  if (cell == GLIMPSE_ANY) return values + grid.places;
  if (cell >= size) return values + (cell - size);
  return kind == ROW ? cell / grid.columns : kind == COLUMN ? cell % grid.columns : cell;
}

/* ---- reading ---- */

static bool read_kind(gli_pomdp *pomdp, int *kind) {
  const gli_token *token = &pomdp->scanner.token;
  for (*kind = 0; kinds[*kind]; ++*kind)
    if (gli_token_is(token, kinds[*kind])) break;
  if (kinds[*kind] && !pomdp->scene)
    return gli_pomdp_error(pomdp, token, GLIMPSE_BAD_MODEL,
                           "'%s' is a part of a scene, and there is none: add '# glimpse: scene' lines, or name the "
                           "states of each answer with 'blocks'",
                           kinds[*kind]);
  if (kinds[*kind]) {
    gli_scanner_next(&pomdp->scanner);
    return true;
  }
  const char *near = token->kind == GLI_TOKEN_WORD ? gli_pomdp_nearest(token->text, token->length, kinds) : NULL;
  char found[GLI_POMDP_TEXT];
  if (!near) return gli_pomdp_expected(pomdp, "'row', 'column' or 'cell' behind 'tells'");
  return gli_pomdp_error(pomdp, token, GLIMPSE_BAD_SYNTAX,
                         "expected 'row', 'column' or 'cell' behind 'tells', found %s; did you mean '%s'?",
                         gli_pomdp_found(token, found), near);
}

/* The name of a layer is the rest of the line, blanks included. */
static gli_token rest_of(const gli_pomdp *pomdp) {
  gli_token token = pomdp->scanner.token;
  const char *end = pomdp->scanner.end;
  while (end > token.text && (end[-1] == ' ' || end[-1] == '\t')) end--;
  if (token.kind != GLI_TOKEN_END) token.kind = GLI_TOKEN_WORD;
  token.length = (size_t)(end - token.text);
  return token;
}

/* "; did you mean 'robot'?", or the first layer that could be meant. */
static bool no_layer(gli_pomdp *pomdp, const gli_token *token) {
  gli_pomdp_grid grid = gli_pomdp_scene_grid(pomdp->scene);
  char found[GLI_POMDP_TEXT];
  uint32_t best = 0;
  size_t least = SIZE_MAX, length;
  for (uint32_t i = 0; i < grid.layers && token->length <= GLIMPSE_WORD_MAX; i++) {
    const char *name = gli_pomdp_scene_layer(pomdp->scene, i, &length);
    size_t distance =
        length > GLIMPSE_WORD_MAX ? SIZE_MAX : glimpse_word_distance(token->text, token->length, name, length);
    if (distance < least) best = i;
    if (distance < least) least = distance;
  }
  const char *name = gli_pomdp_scene_layer(pomdp->scene, best, &length);
  int shown = length < 60 ? (int)length : 60;
  return gli_pomdp_error(pomdp, token, GLIMPSE_BAD_MODEL,
                         "expected the name of a layer of the scene, found %s; %s '%.*s'%s",
                         token->length ? gli_pomdp_found(token, found) : "the end of the line",
                         least <= token->length / 3 + 1 ? "did you mean" : "there is", shown, name,
                         least <= token->length / 3 + 1 ? "?" : "");
}

/* [of LAYER]: the only one of its name, or the first of all. */
static bool read_layer(gli_pomdp *pomdp, uint32_t *layer) {
  const gli_token *token = &pomdp->scanner.token;
  gli_pomdp_grid grid = gli_pomdp_scene_grid(pomdp->scene);
  if (!grid.layers)
    return gli_pomdp_error(pomdp, token, GLIMPSE_BAD_MODEL,
                           "expected a 'scene layer' line: the scene has no layers, so no rows and columns to tell");
  *layer = 0;
  if (token->kind == GLI_TOKEN_END) return true;
  if (!gli_token_is(token, "of")) return gli_pomdp_expected(pomdp, "'of' and a layer, or the end of the line");
  gli_scanner_next(&pomdp->scanner);
  gli_token name = rest_of(pomdp);
  uint32_t found = 0;
  for (uint32_t i = grid.layers; i-- > 0;) {
    size_t length;
    const char *text = gli_pomdp_scene_layer(pomdp->scene, i, &length);
    if (length != name.length || memcmp(text, name.text, length) != 0) continue;
    *layer = i;
    found++;
  }
  if (found == 1) return true;
  if (!found) return no_layer(pomdp, &name);
  char shown[GLI_POMDP_TEXT];
  return gli_pomdp_error(pomdp, &name, GLIMPSE_BAD_MODEL,
                         "the scene has %" PRIu32 " layers %s: name the states of each answer with 'blocks'", found,
                         gli_pomdp_found(&name, shown));
}

/* From cells to answers, those that occur in the order of their values. */
static bool number_answers(gli_pomdp_factor *factor, gli_pomdp_grid grid, uint32_t states) {
  uint32_t values = values_of(grid, factor->kind) + grid.places + 1;
  uint32_t *number = GLI_NEW(uint32_t, values);
  factor->value = GLI_NEW(uint32_t, values);
  if (number && factor->value) {
    for (uint32_t s = 0; s < states; s++) {
      factor->answer[s] = value_of(grid, factor->kind, factor->answer[s]);
      number[factor->answer[s]] = 1;
    }
    for (uint32_t v = 0; v < values; v++) {
      if (!number[v]) continue;
      number[v] = factor->answers;
      factor->value[factor->answers++] = v;
    }
    for (uint32_t s = 0; s < states; s++) factor->answer[s] = number[factor->answer[s]];
  }
  gli_memory_free(number);
  return factor->answers;
}

bool gli_pomdp_factor_read(gli_pomdp *pomdp, gli_pomdp_factor *factor) {
  uint32_t layer = 0, states = gli_builder_count(pomdp->builder, GLIMPSE_STATE);
  const gli_drafts *drafts = gli_builder_drafts(pomdp->builder);
  gli_token first = pomdp->scanner.token;
  *factor = (gli_pomdp_factor){0};
  if (!read_kind(pomdp, &factor->kind) || !read_layer(pomdp, &layer)) return false;
  uint64_t most = drafts->most ? drafts->most : GLIMPSE_MAX_ENTRIES;
  if ((drafts->count + 1) * (uint64_t)states > most)
    return gli_pomdp_error(pomdp, &first, GLIMPSE_TOO_LARGE,
                           "the inquiries have more answers in %" PRIu32 " states than so short a text may have",
                           states);
  factor->answer = GLI_NEW(uint32_t, states);
  if (!factor->answer) return gli_pomdp_stop(pomdp, GLIMPSE_NO_MEMORY);
  gli_pomdp_scene_cells(pomdp->scene, layer, states, factor->answer);
  if (number_answers(factor, gli_pomdp_scene_grid(pomdp->scene), states)) return true;
  return gli_pomdp_stop(pomdp, GLIMPSE_NO_MEMORY);
}

/* ---- names ---- */

/* The name of a place, with _ for what a name may not have. */
static void put_place(const gli_pomdp_scene *scene, uint32_t place, char text[GLI_POMDP_TEXT]) {
  size_t length;
  const char *name = gli_pomdp_scene_place(scene, place, &length);
  for (size_t i = 0; i < length && length < GLI_POMDP_TEXT; i++)
    text[i] = i && !gli_names_valid((const char[]){'a', name[i]}, 2) ? '_' : name[i];
  if (length < GLI_POMDP_TEXT && gli_names_valid(text, length)) text[length] = 0;
  else snprintf(text, GLI_POMDP_TEXT, "place%" PRIu32, place);
}

void gli_pomdp_factor_name(const gli_pomdp *pomdp, const gli_pomdp_factor *factor, uint32_t z,
                           char text[GLI_POMDP_TEXT]) {
  gli_pomdp_grid grid = gli_pomdp_scene_grid(pomdp->scene);
  uint32_t value = factor->value[z], values = values_of(grid, factor->kind);
  if (value == values + grid.places) snprintf(text, GLI_POMDP_TEXT, "nowhere");
  else if (value >= values) put_place(pomdp->scene, value - values, text);
  else if (factor->kind == CELL)
    snprintf(text, GLI_POMDP_TEXT, "cell%" PRIu32 "-%" PRIu32, value / grid.columns, value % grid.columns);
  else snprintf(text, GLI_POMDP_TEXT, "%s%" PRIu32, kinds[factor->kind], value);
}

void gli_pomdp_factor_free(gli_pomdp_factor *factor) {
  gli_memory_free(factor->answer);
  gli_memory_free(factor->value);
}
