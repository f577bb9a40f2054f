/* Scenes in the structured comments of a .pomdp file: how the states look.
 *
 *   # glimpse: scene row #####          rows of the background, from the top: # wall, blank floor
 *   # glimpse: scene row #  G#          (shorter rows are filled up with floor)
 *   # glimpse: scene legend G goal      what its letters mean
 *   # glimpse: scene place carried      where something is that is not on the grid
 *   # glimpse: scene layer R robot      a mark and its name: what moves
 *   # glimpse: scene at 1 2 : STATE ... row and column, from 0, of the last layer in these states
 *   # glimpse: scene at carried : STATE ...
 *
 * Rows and places come before the first layer.  STATE may be *, and the last assignment wins.  A layer is nowhere in a
 * state that is not named.
 *
 * Texts are what stands behind one blank, up to the end of the line, so that writing and reading is the same again.
 * Assignments are kept as they come and become a table when the whole file is known to be good: so a short text cannot
 * ask for a large one before. */
#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "formats/pomdp.h"
#include "formats/pomdp_scene.h"
#include "model/model.h"

enum { MOST_CELLS = 1 << 20, LINE_WIDTH = 100 };

typedef struct piece {
  const char *text; /* in the file; not terminated */
  size_t length;
} piece;

typedef struct standing {
  uint32_t layer, s, cell; /* s may be GLIMPSE_ANY */
} standing;

struct gli_pomdp_scene {
  gli_token first; /* where it begins */
  piece *rows;
  size_t row_count, row_capacity;
  uint32_t columns; /* of the longest row */
  piece legend;
  uint32_t places, layers;
  piece place[GLI_SCENE_MOST], layer[GLI_SCENE_MOST];
  char marks[GLI_SCENE_MOST + 1];
  standing *standings;
  size_t count, capacity;
};

void gli_pomdp_scene_free(gli_pomdp_scene *scene) {
  if (!scene) return;
  gli_memory_free(scene->rows);
  gli_memory_free(scene->standings);
  gli_memory_free(scene);
}

/* ---- reading ---- */

/* What stands behind the current word and one blank. */
static piece rest(const gli_pomdp *pomdp) {
  const gli_token *token = &pomdp->scanner.token;
  const char *text = token->text + token->length, *end = pomdp->scanner.end;
  if (text < end) text++;
  return (piece){text, (size_t)(end - text)};
}

static piece trimmed(piece p) {
  while (p.length && (*p.text == ' ' || *p.text == '\t')) {
    p.text++;
    p.length--;
  }
  while (p.length && (p.text[p.length - 1] == ' ' || p.text[p.length - 1] == '\t')) p.length--;
  return p;
}

/* The piece as a token, for a message about it. */
static gli_token token_of(const gli_pomdp *pomdp, piece p) {
  const gli_token *from = &pomdp->scanner.token;
  gli_token token = {.kind = p.length ? GLI_TOKEN_WORD : GLI_TOKEN_END,
                     .text = p.text,
                     .length = p.length,
                     .line = from->line,
                     .column = from->column + (uint64_t)(p.text - from->text)};
  return token;
}

static bool wrong(gli_pomdp *pomdp, piece p, const char *what) {
  gli_token token = token_of(pomdp, p);
  return gli_pomdp_error(pomdp, &token, GLIMPSE_BAD_MODEL, "%s", what);
}

static bool ascii(piece p) {
  for (size_t i = 0; i < p.length; i++)
    if (p.text[i] < ' ' || p.text[i] > '~') return false;
  return true;
}

static bool read_row(gli_pomdp *pomdp, gli_pomdp_scene *scene) {
  piece row = rest(pomdp);
  if (scene->layers) return wrong(pomdp, row, "expected the rows of a scene before its first layer");
  if (!ascii(row)) return wrong(pomdp, row, "expected a row of a scene in ASCII, without tabs");
  uint64_t columns = row.length > scene->columns ? row.length : scene->columns;
  if (columns * (scene->row_count + 1) > MOST_CELLS)
    return wrong(pomdp, row, "expected a scene of at most 1048576 cells");
  if (!GLI_GROW(scene->rows, scene->row_capacity, scene->row_count + 1))
    return gli_pomdp_stop(pomdp, GLIMPSE_NO_MEMORY);
  scene->rows[scene->row_count++] = row;
  scene->columns = (uint32_t)columns;
  return true;
}

static bool read_legend(gli_pomdp *pomdp, gli_pomdp_scene *scene) {
  scene->legend = rest(pomdp);
  return ascii(scene->legend) || wrong(pomdp, scene->legend, "expected the legend of a scene in ASCII");
}

static bool equal(piece one, piece two) {
  return one.length == two.length && !memcmp(one.text, two.text, one.length);
}

static uint32_t find_place(const gli_pomdp_scene *scene, piece name) {
  uint32_t i = 0;
  while (i < scene->places && !equal(scene->place[i], name)) i++;
  return i;
}

static bool read_place(gli_pomdp *pomdp, gli_pomdp_scene *scene) {
  piece name = trimmed(rest(pomdp));
  if (scene->layers) return wrong(pomdp, name, "expected the places of a scene before its first layer");
  if (!name.length || !ascii(name) || memchr(name.text, ':', name.length) || (*name.text >= '0' && *name.text <= '9'))
    return wrong(pomdp, name, "expected the name of a place in ASCII, without a colon and without a digit first");
  if (find_place(scene, name) < scene->places) return wrong(pomdp, name, "the scene has two places of this name");
  if (scene->places == GLI_SCENE_MOST)
    return wrong(pomdp, name, "expected at most " GLI_SCENE_MOST_TEXT " places in a scene");
  scene->place[scene->places++] = name;
  return true;
}

static bool read_layer(gli_pomdp *pomdp, gli_pomdp_scene *scene) {
  piece all = trimmed(rest(pomdp)), name = all.length > 1 ? trimmed((piece){all.text + 1, all.length - 1}) : (piece){0};
  if (!name.length || name.text == all.text + 1 || !ascii(all))
    return wrong(pomdp, all, "expected the mark of a layer, one character, and its name, as in 'layer R robot'");
  if (!scene->row_count || !scene->columns)
    return wrong(pomdp, all, "expected 'scene row' lines before the first layer");
  if (scene->layers == GLI_SCENE_MOST)
    return wrong(pomdp, all, "expected at most " GLI_SCENE_MOST_TEXT " layers in a scene");
  scene->marks[scene->layers] = *all.text;
  scene->layer[scene->layers++] = name;
  return true;
}

/* ROW COLUMN, from 0. */
static bool read_cell(gli_pomdp *pomdp, const gli_pomdp_scene *scene, piece where, uint32_t *cell) {
  size_t at = 0;
  uint64_t number[2] = {0, 0};
  for (int i = 0; i < 2; i++) {
    while (i && at < where.length && (where.text[at] == ' ' || where.text[at] == '\t')) at++;
    size_t from = at;
    for (; at < where.length && where.text[at] >= '0' && where.text[at] <= '9'; at++)
      if (number[i] <= MOST_CELLS) number[i] = 10 * number[i] + (uint64_t)(where.text[at] - '0');
    if (at == from) at = SIZE_MAX;
    if (at == SIZE_MAX) break;
  }
  if (at != where.length) return wrong(pomdp, where, "expected a row and a column, as in 'at 1 2 : STATE'");
  if (number[0] >= scene->row_count || number[1] >= scene->columns) {
    gli_token token = token_of(pomdp, where);
    return gli_pomdp_error(pomdp, &token, GLIMPSE_BAD_MODEL,
                           "expected a row from 0 to %zu and a column from 0 to %" PRIu32 " of the scene",
                           scene->row_count - 1, scene->columns - 1);
  }
  *cell = (uint32_t)number[0] * scene->columns + (uint32_t)number[1];
  return true;
}

static bool read_where(gli_pomdp *pomdp, const gli_pomdp_scene *scene, piece where, uint32_t *cell) {
  if (where.length && *where.text >= '0' && *where.text <= '9') return read_cell(pomdp, scene, where, cell);
  uint32_t place = find_place(scene, where);
  *cell = (uint32_t)scene->row_count * scene->columns + place;
  if (place < scene->places) return true;
  return wrong(pomdp, where, "expected a row and a column, or a place that a 'scene place' line has named");
}

static bool read_at(gli_pomdp *pomdp, gli_pomdp_scene *scene) {
  piece all = rest(pomdp);
  const char *colon = memchr(all.text, ':', all.length);
  uint32_t cell = 0;
  if (!scene->layers) return wrong(pomdp, all, "expected a 'scene layer' line before the first 'scene at'");
  if (!colon) return wrong(pomdp, all, "expected a colon and states, as in 'at 1 2 : STATE'");
  if (!read_where(pomdp, scene, trimmed((piece){all.text, (size_t)(colon - all.text)}), &cell)) return false;
  gli_token from = token_of(pomdp, (piece){colon + 1, 0});
  gli_scanner_start_at(&pomdp->scanner, colon + 1, pomdp->scanner.end, from.line, from.column);
  do {
    uint32_t s;
    if (!gli_pomdp_index(pomdp, GLIMPSE_STATE, &s)) return false;
    if (!GLI_GROW(scene->standings, scene->capacity, scene->count + 1)) return gli_pomdp_stop(pomdp, GLIMPSE_NO_MEMORY);
    scene->standings[scene->count++] = (standing){scene->layers - 1, s, cell};
  } while (pomdp->scanner.token.kind != GLI_TOKEN_END);
  return true;
}

bool gli_pomdp_scene_read(gli_pomdp *pomdp) {
  static const char *const keys[] = {"row", "legend", "place", "layer", "at", NULL};
  static bool (*const read[])(gli_pomdp *, gli_pomdp_scene *) = {read_row, read_legend, read_place, read_layer,
                                                                 read_at};
  const gli_token *token = &pomdp->scanner.token;
  if (!pomdp->scene) {
    if (!(pomdp->scene = GLI_NEW(gli_pomdp_scene, 1))) return gli_pomdp_stop(pomdp, GLIMPSE_NO_MEMORY);
    pomdp->scene->first = *token;
  }
  for (size_t i = 0; keys[i]; i++)
    if (gli_token_is(token, keys[i])) return read[i](pomdp, pomdp->scene);
  return gli_pomdp_expected(pomdp, "row, legend, place, layer or at behind 'scene'");
}

/* ---- from lines to a scene ---- */

typedef struct parts {
  char *text, *end; /* all texts, each with its 0 */
  const char *layer[GLI_SCENE_MOST], *place[GLI_SCENE_MOST];
  uint32_t *cells;
} parts;

static const char *keep(parts *p, piece from) {
  char *text = p->end;
  if (from.length) memcpy(text, from.text, from.length);
  text[from.length] = 0;
  p->end = text + from.length + 1;
  return text;
}

/* The last assignment wins, so they go in backwards, and what stands before a star does not matter.  Of all layers, or
 * of `only` one. */
static void fill(const gli_pomdp_scene *from, uint32_t only, uint32_t states, uint32_t *cells) {
  bool full[GLI_SCENE_MOST] = {false};
  uint32_t layers = only == GLIMPSE_ANY ? from->layers : 1;
  memset(cells, 0xff, (size_t)layers * states * sizeof *cells); /* GLIMPSE_ANY: nowhere */
  for (size_t i = from->count; i-- > 0;) {
    const standing *one = &from->standings[i];
    if (only != GLIMPSE_ANY && one->layer != only) continue;
    uint32_t *cell = cells + (only == GLIMPSE_ANY ? (size_t)one->layer * states : 0);
    bool all = one->s == GLIMPSE_ANY;
    uint32_t end = full[one->layer] ? 0 : all ? states : one->s + 1;
    for (uint32_t s = all ? 0 : one->s; s < end; s++)
      if (cell[s] == GLIMPSE_ANY) cell[s] = one->cell;
    full[one->layer] |= all;
  }
}

static glimpse_status assemble(const gli_pomdp_scene *from, glimpse_builder *builder, parts *p) {
  uint32_t states = gli_builder_count(builder, GLIMPSE_STATE), rows = (uint32_t)from->row_count;
  size_t size = (size_t)rows * from->columns, bytes = size + from->legend.length + 2;
  for (uint32_t i = 0; i < from->layers; i++) bytes += from->layer[i].length + 1;
  for (uint32_t i = 0; i < from->places; i++) bytes += from->place[i].length + 1;
  p->text = p->end = GLI_NEW(char, bytes);
  p->cells = GLI_NEW(uint32_t, (size_t)from->layers * states);
  if (!p->text || !p->cells) return gli_builder_fail(builder, GLIMPSE_NO_MEMORY, "out of memory");
  memset(p->text, ' ', size);
  for (uint32_t r = 0; r < rows; r++)
    if (from->rows[r].length) memcpy(p->text + (size_t)r * from->columns, from->rows[r].text, from->rows[r].length);
  p->end = p->text + size + 1;
  fill(from, GLIMPSE_ANY, states, p->cells);
  for (uint32_t i = 0; i < from->layers; i++) p->layer[i] = keep(p, from->layer[i]);
  for (uint32_t i = 0; i < from->places; i++) p->place[i] = keep(p, from->place[i]);
  return glimpse_builder_scene(builder, &(glimpse_scene){.rows = rows,
                                                         .columns = from->columns,
                                                         .background = p->text,
                                                         .legend = keep(p, from->legend),
                                                         .layers = from->layers,
                                                         .marks = from->marks,
                                                         .names = p->layer,
                                                         .places = from->places,
                                                         .place_names = p->place,
                                                         .cells = p->cells});
}

void gli_pomdp_scene_finish(gli_pomdp *pomdp) {
  const gli_pomdp_scene *scene = pomdp->scene;
  if (!scene || pomdp->errors || !pomdp->builder) return;
  if (!scene->layers) {
    gli_pomdp_error(pomdp, &scene->first, GLIMPSE_BAD_MODEL, "expected a 'scene layer' line: the scene has no layers");
    return;
  }
  parts p = {0};
  assemble(scene, pomdp->builder, &p); /* the builder remembers what went wrong */
  gli_memory_free(p.text);
  gli_memory_free(p.cells);
}

/* ---- what others ask of it ---- */

gli_pomdp_grid gli_pomdp_scene_grid(const gli_pomdp_scene *scene) {
  return (gli_pomdp_grid){(uint32_t)scene->row_count, scene->columns, scene->places, scene->layers};
}

const char *gli_pomdp_scene_layer(const gli_pomdp_scene *scene, uint32_t layer, size_t *length) {
  *length = scene->layer[layer].length;
  return scene->layer[layer].text;
}

const char *gli_pomdp_scene_place(const gli_pomdp_scene *scene, uint32_t place, size_t *length) {
  *length = scene->place[place].length;
  return scene->place[place].text;
}

void gli_pomdp_scene_cells(const gli_pomdp_scene *scene, uint32_t layer, uint32_t states, uint32_t *cells) {
  fill(scene, layer, states, cells);
}

/* ---- writing ---- */

static void put_line(gli_stream *out, const char *key, const char *text, size_t length) {
  gli_stream_text(out, "# glimpse: scene ");
  gli_stream_text(out, key);
  gli_stream_text(out, " ");
  gli_stream_put(out, text, length);
  gli_stream_text(out, "\n");
}

static void put_where(gli_stream *out, const glimpse_scene *scene, uint32_t cell) {
  gli_stream_text(out, "# glimpse: scene at ");
  if (cell >= scene->rows * scene->columns) {
    gli_stream_text(out, scene->place_names[cell - scene->rows * scene->columns]);
  } else {
    gli_stream_count(out, cell / scene->columns);
    gli_stream_text(out, " ");
    gli_stream_count(out, cell % scene->columns);
  }
  gli_stream_text(out, " :");
}

/* Slot by slot the states in which the layer is there: `first` and `next` are their lists. */
static void put_layer(gli_stream *out, const glimpse_model *model, uint32_t layer, uint32_t *first, uint32_t *next) {
  const glimpse_scene *scene = model->scene;
  uint32_t slots = scene->rows * scene->columns + scene->places;
  for (uint32_t i = 0; i < slots; i++) first[i] = GLIMPSE_ANY;
  for (uint32_t s = model->states; s-- > 0;) {
    uint32_t cell = scene->cells[(size_t)layer * model->states + s];
    if (cell == GLIMPSE_ANY) continue;
    next[s] = first[cell];
    first[cell] = s;
  }
  gli_stream_text(out, "# glimpse: scene layer ");
  gli_stream_put(out, &scene->marks[layer], 1);
  gli_stream_text(out, " ");
  gli_stream_text(out, scene->names[layer]);
  gli_stream_text(out, "\n");
  for (uint32_t i = 0; i < slots; i++) {
    size_t width = LINE_WIDTH;
    for (uint32_t s = first[i]; s != GLIMPSE_ANY; s = next[s]) {
      const char *name = gli_names_get(&model->names[GLIMPSE_STATE], s);
      if (width >= LINE_WIDTH) {
        if (s != first[i]) gli_stream_text(out, "\n");
        put_where(out, scene, i);
        width = 0;
      }
      gli_stream_text(out, " ");
      gli_stream_text(out, name);
      width += strlen(name) + 1;
    }
    if (first[i] != GLIMPSE_ANY) gli_stream_text(out, "\n");
  }
}

bool gli_pomdp_scene_write(gli_stream *out, const glimpse_model *model) {
  const glimpse_scene *scene = model->scene;
  if (!scene) return true;
  uint32_t *first = GLI_NEW(uint32_t, (size_t)scene->rows * scene->columns + scene->places);
  uint32_t *next = GLI_NEW(uint32_t, model->states);
  if (first && next) {
    gli_stream_text(out, "\n");
    for (uint32_t r = 0; r < scene->rows; r++)
      put_line(out, "row", scene->background + (size_t)r * scene->columns, scene->columns);
    if (*scene->legend) put_line(out, "legend", scene->legend, strlen(scene->legend));
    for (uint32_t i = 0; i < scene->places; i++)
      put_line(out, "place", scene->place_names[i], strlen(scene->place_names[i]));
    for (uint32_t i = 0; i < scene->layers; i++) put_layer(out, model, i, first, next);
  }
  bool made = first && next;
  gli_memory_free(first);
  gli_memory_free(next);
  return made;
}
