/* Scene: how the states of a grid environment look, and pictures of beliefs as
 * plain text.
 *
 * A belief says, layer by layer, with what probability the mark is in each slot:
 * a cell of the grid, a place off the grid, or nowhere.  When every layer is
 * certain one picture holds all marks.  Otherwise each layer gets a picture of
 * its own, in which a cell shows the mark (certain), a shade (possible) or the
 * background (impossible); layers of one name share a picture, for example the
 * rocks of RockSample.  Pictures stand side by side as long as 80 columns allow.
 *
 * Characters are about twice as high as wide, so a column takes two of them (one
 * where the grid would be too wide); two neighbouring walls are joined.  '#' is
 * no shade, because it is the wall.
 *
 * Cost: entries * layers + layers * cells. */
#include <math.h>
#include <string.h>

#include "model/model.h"

enum { LINE_WIDTH = 80, GAP = 3 };

/* ---- the copy that a model owns ---- */

typedef struct owned {
  glimpse_scene view; /* first, so that the two can be converted */
  char *background, *legend, *marks, *text;
  const char **names, **place_names; /* into text */
  uint32_t *cells;
} owned;

void gli_scene_free(glimpse_scene *scene) {
  if (!scene) return;
  owned *o = (owned *)scene;
  gli_memory_free(o->background);
  gli_memory_free(o->legend);
  gli_memory_free(o->marks);
  gli_memory_free(o->text);
  gli_memory_free(o->names);
  gli_memory_free(o->place_names);
  gli_memory_free(o->cells);
  gli_memory_free(o);
}

static bool printable(const char *text) {
  for (; *text; text++)
    if (*text < ' ' || *text > '~') return false;
  return true;
}

/* A name that a file can hold: not empty, no blanks around it, and for a place, which stands before a colon where a
 * cell may stand, no colon and no digit first. */
static bool nameable(const char *name, bool place) {
  size_t length = strlen(name);
  if (!length || !printable(name) || name[0] == ' ' || name[length - 1] == ' ') return false;
  return !place || (!strchr(name, ':') && (name[0] < '0' || name[0] > '9'));
}

static const char *wrong_names(const glimpse_scene *scene) {
  for (uint32_t i = 0; i < scene->layers; i++)
    if (!nameable(scene->names[i], false)) return "the name of a layer is empty, has blanks around it or is not ASCII";
  for (uint32_t i = 0; i < scene->places; i++) {
    const char *name = scene->place_names[i];
    if (!nameable(name, true))
      return "the name of a place is empty, has blanks around it or a colon in it, begins with a digit or is not ASCII";
    for (uint32_t k = 0; k < i; k++)
      if (!strcmp(scene->place_names[k], name)) return "two places have one name";
  }
  return NULL;
}

const char *gli_scene_fault(const glimpse_scene *scene, uint32_t states) {
  uint64_t size = (uint64_t)scene->rows * scene->columns;
  if (!size) return "it has no rows or no columns";
  if (!scene->layers) return "it has no layers";
  if (scene->layers > GLI_SCENE_MOST || scene->places > GLI_SCENE_MOST)
    return "it has more than " GLI_SCENE_MOST_TEXT " layers or places";
  if (size + scene->places >= GLIMPSE_ANY) return "it has too many cells";
  if (strlen(scene->background) != size) return "its background has not rows times columns characters";
  if (!printable(scene->background)) return "its background is not ASCII";
  if (!printable(scene->legend)) return "its legend is not one line of ASCII";
  if (strlen(scene->marks) != scene->layers || !printable(scene->marks) || strchr(scene->marks, ' '))
    return "not every layer has one mark that is visible";
  const char *wrong = wrong_names(scene);
  if (wrong) return wrong;
  uint64_t count = (uint64_t)scene->layers * states;
  for (uint64_t i = 0; i < count; i++)
    if (scene->cells[i] >= size + scene->places && scene->cells[i] != GLIMPSE_ANY)
      return "a layer stands in a cell that is neither on the grid nor a place";
  return NULL;
}

/* Copies the names one behind the other to `end` and notes where they are. */
static char *copy_names(char *end, const char **copies, const char *const *names, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    size_t size = strlen(names[i]) + 1;
    copies[i] = memcpy(end, names[i], size);
    end += size;
  }
  return end;
}

static bool copy(owned *o, const glimpse_scene *scene, uint32_t states) {
  size_t bytes = 0;
  for (uint32_t i = 0; i < scene->layers; i++) bytes += strlen(scene->names[i]) + 1;
  for (uint32_t i = 0; i < scene->places; i++) bytes += strlen(scene->place_names[i]) + 1;
  o->background = gli_memory_text(scene->background);
  o->legend = gli_memory_text(scene->legend);
  o->marks = gli_memory_text(scene->marks);
  o->text = GLI_NEW(char, bytes);
  o->names = GLI_NEW(const char *, scene->layers);
  o->place_names = GLI_NEW(const char *, scene->places);
  o->cells = gli_memory_copy(scene->cells, (size_t)scene->layers * states, sizeof *o->cells);
  if (!o->background || !o->legend || !o->marks || !o->text || !o->names || !o->place_names || !o->cells) return false;
  char *end = copy_names(o->text, o->names, scene->names, scene->layers);
  copy_names(end, o->place_names, scene->place_names, scene->places);
  o->view = *scene;
  o->view.background = o->background;
  o->view.legend = o->legend;
  o->view.marks = o->marks;
  o->view.names = o->names;
  o->view.place_names = o->place_names;
  o->view.cells = o->cells;
  return true;
}

glimpse_scene *gli_scene_copy(const glimpse_scene *scene, uint32_t states) {
  owned *o = GLI_NEW(owned, 1);
  if (!o) return NULL;
  if (copy(o, scene, states)) return &o->view;
  gli_scene_free(&o->view);
  return NULL;
}

const glimpse_scene *glimpse_model_scene(const glimpse_model *model) {
  return model->scene;
}

uint32_t glimpse_scene_slots(const glimpse_scene *scene) {
  return scene->rows * scene->columns + scene->places + 1;
}

uint32_t glimpse_model_slot(const glimpse_model *model, uint32_t layer, uint32_t s) {
  const glimpse_scene *scene = model->scene;
  if (!scene || layer >= scene->layers || s >= model->states) return GLIMPSE_ANY;
  uint32_t cell = scene->cells[(size_t)layer * model->states + s];
  return cell == GLIMPSE_ANY ? glimpse_scene_slots(scene) - 1 : cell;
}

glimpse_status glimpse_model_weigh(const glimpse_model *model, uint32_t layer, glimpse_row belief, double *weights) {
  const glimpse_scene *scene = model->scene;
  if (!scene) return GLIMPSE_NOT_APPLICABLE;
  if (layer >= scene->layers) return GLIMPSE_BAD_ARGUMENT;
  for (size_t i = 0; i < belief.count; i++)
    if (belief.index[i] >= model->states) return GLIMPSE_BAD_ARGUMENT;
  uint32_t slots = glimpse_scene_slots(scene);
  for (uint32_t slot = 0; slot < slots; slot++) weights[slot] = 0;
  for (size_t i = 0; i < belief.count; i++)
    weights[glimpse_model_slot(model, layer, belief.index[i])] += belief.value[i];
  return GLIMPSE_OK;
}

/* ---- text that grows ---- */

typedef struct text {
  char *at;
  size_t length, capacity, line; /* line: where the last line begins */
  bool failed;                   /* out of memory; everything later is ignored */
} text;

static void put(text *t, const char *piece, size_t length) {
  if (t->failed || !GLI_GROW(t->at, t->capacity, t->length + length)) {
    t->failed = true;
    return;
  }
  memcpy(t->at + t->length, piece, length);
  t->length += length;
}

static void put_word(text *t, const char *word) {
  put(t, word, strlen(word));
}

static void put_mark(text *t, char mark) {
  put(t, &mark, 1);
}

/* Two digits: enough to understand, and no more than a glance can take in. */
static void put_probability(text *t, double p) {
  int percent = (int)(p * 100 + 0.5);
  char digits[] = "0.00";
  if (percent <= 0) put_word(t, "<0.01");
  else if (percent >= 100) put_word(t, ">0.99");
  else {
    digits[2] = (char)('0' + percent / 10);
    digits[3] = (char)('0' + percent % 10);
    put_word(t, digits);
  }
}

/* Fills the line with spaces up to a column. */
static void put_pad(text *t, size_t column) {
  while (!t->failed && t->length - t->line < column) put_mark(t, ' ');
}

static void end_line(text *t) {
  if (t->failed) return;
  while (t->length > t->line && t->at[t->length - 1] == ' ') t->length--;
  put_mark(t, '\n');
  t->line = t->length;
}

/* ---- what the belief says of the layers ---- */

typedef struct drawing {
  const glimpse_scene *scene;
  uint32_t size, nowhere, slots; /* slots: cells, places, nowhere */
  double *weight;                /* weight[layer * slots + slot] */
  uint32_t *slot;                /* where the layer certainly is; slots: not certain */
  text out;
} drawing;

static const double certainty = 1 - 1e-9; /* beliefs come from sums */

/* False when the row is no belief. */
static bool weigh(drawing *d, const glimpse_model *model, glimpse_row belief) {
  double total = 0;
  for (size_t i = 0; i < belief.count; i++) {
    if (belief.index[i] >= model->states || !isfinite(belief.value[i]) || belief.value[i] < 0) return false;
    total += belief.value[i];
  }
  if (!(total > 0) || !isfinite(total)) return false;
  for (uint32_t layer = 0; layer < d->scene->layers; layer++) {
    double *weight = d->weight + (size_t)layer * d->slots;
    (void)glimpse_model_weigh(model, layer, belief, weight); /* the row was checked above */
    d->slot[layer] = d->slots;
    for (uint32_t slot = 0; slot < d->slots; slot++) {
      weight[slot] /= total;
      if (weight[slot] >= certainty) d->slot[layer] = slot;
    }
  }
  return true;
}

/* The next layer of the same name, or the number of layers. */
static uint32_t next_of_name(const glimpse_scene *scene, uint32_t layer) {
  uint32_t next = layer + 1;
  while (next < scene->layers && strcmp(scene->names[next], scene->names[layer]) != 0) next++;
  return next;
}

static bool first_of_name(const glimpse_scene *scene, uint32_t layer) {
  for (uint32_t i = 0; i < layer; i++)
    if (!strcmp(scene->names[i], scene->names[layer])) return false;
  return true;
}

/* ---- pictures ---- */

static bool spaced(const glimpse_scene *scene) {
  return 2 * (uint64_t)scene->columns - 1 <= LINE_WIDTH;
}

static size_t picture_width(const glimpse_scene *scene) {
  return spaced(scene) ? 2 * (size_t)scene->columns - 1 : scene->columns;
}

/* One row of a picture; look(context, cell) gives the character of a cell. */
static void put_row(drawing *d, uint32_t row, char (*look)(const drawing *, uint32_t layer, uint32_t cell),
                    uint32_t layer) {
  const char *background = d->scene->background;
  for (uint32_t column = 0; column < d->scene->columns; column++) {
    uint32_t cell = row * d->scene->columns + column;
    bool wall = column && background[cell] == '#' && background[cell - 1] == '#';
    if (column && spaced(d->scene)) put_mark(&d->out, wall ? '#' : ' ');
    put_mark(&d->out, look(d, layer, cell));
  }
}

/* All layers, all certain. */
static char look_all(const drawing *d, uint32_t unused, uint32_t cell) {
  (void)unused;
  char seen = 0;
  for (uint32_t layer = 0; layer < d->scene->layers; layer++)
    if (d->slot[layer] == cell) seen = seen ? '*' : d->scene->marks[layer];
  return seen ? seen : d->scene->background[cell];
}

/* From this probability on, this shade. */
typedef struct shade {
  double from;
  char mark;
  const char *text;
} shade;

static const shade shades[] = {{0.9, '@', "@ more"},  {0.7, '&', "& <90%"}, {0.5, '%', "% <70%"},
                               {0.35, '*', "* <50%"}, {0.2, '+', "+ <35%"}, {0.1, '=', "= <20%"},
                               {0.05, '-', "- <10%"}, {0.02, ':', ": <5%"}, {0, '.', ". <2%"}};
enum { SHADES = sizeof shades / sizeof *shades };

/* The layers that share the name of `layer`. */
static char look_one(const drawing *d, uint32_t layer, uint32_t cell) {
  double weight = 0;
  for (uint32_t i = layer; i < d->scene->layers; i = next_of_name(d->scene, i)) {
    if (d->slot[i] == cell) return d->scene->marks[i];
    weight += d->weight[(size_t)i * d->slots + cell];
  }
  if (!(weight > 0)) return d->scene->background[cell];
  int i = 0;
  while (weight < shades[i].from) i++;
  return shades[i].mark;
}

/* ---- the words below a picture ---- */

static void put_name(drawing *d, uint32_t layer) {
  put_mark(&d->out, d->scene->marks[layer]);
  put_mark(&d->out, ' ');
  put_word(&d->out, d->scene->names[layer]);
}

static const char *place_name(const drawing *d, uint32_t slot) {
  return slot == d->nowhere ? "nowhere" : d->scene->place_names[slot - d->size];
}

/* "R robot, P package: carried", and who meets where there is a '*'. */
static void put_captions(drawing *d) {
  const glimpse_scene *scene = d->scene;
  size_t begin = d->out.length;
  for (uint32_t layer = 0; layer < scene->layers; layer++) {
    if (!first_of_name(scene, layer)) continue;
    bool alone = next_of_name(scene, layer) == scene->layers, off = d->slot[layer] >= d->size;
    if (alone && d->slot[layer] == d->nowhere) continue;
    if (d->out.length > begin) put_word(&d->out, ", ");
    put_name(d, layer);
    if (!alone || !off) continue;
    put_word(&d->out, ": ");
    put_word(&d->out, place_name(d, d->slot[layer]));
  }
  end_line(&d->out);
  for (uint32_t cell = 0; cell < d->size; cell++) {
    if (look_all(d, 0, cell) != '*') continue;
    const char *between = "* ";
    for (uint32_t layer = 0; layer < scene->layers; layer++) {
      if (d->slot[layer] != cell) continue;
      put_word(&d->out, between);
      put_word(&d->out, scene->names[layer]);
      between = " and ";
    }
    end_line(&d->out);
  }
}

/* The largest probability on the grid of the layers of this name that are not
 * certain. */
static double largest_open(const drawing *d, uint32_t layer) {
  double largest = 0;
  for (; layer < d->scene->layers; layer = next_of_name(d->scene, layer)) {
    const double *weight = d->weight + (size_t)layer * d->slots;
    if (d->slot[layer] < d->slots) continue;
    for (uint32_t cell = 0; cell < d->size; cell++)
      if (weight[cell] > largest) largest = weight[cell];
  }
  return largest;
}

/* Line i of the words below the picture of a layer; false when there are less.
 * The largest probability on the grid, then each place that is possible. */
static bool put_foot(drawing *d, uint32_t layer, uint32_t i) {
  bool alone = next_of_name(d->scene, layer) == d->scene->layers;
  double largest = largest_open(d, layer);
  if (largest > 0 && i-- == 0) {
    put_word(&d->out, "largest ");
    put_probability(&d->out, largest);
    return true;
  }
  for (uint32_t slot = d->size; alone && slot < d->slots; slot++) {
    double weight = d->weight[(size_t)layer * d->slots + slot];
    if (!(weight > 0) || i-- > 0) continue;
    put_word(&d->out, place_name(d, slot));
    if (weight >= certainty) return true;
    put_mark(&d->out, ' ');
    put_probability(&d->out, weight);
    return true;
  }
  return false;
}

/* ---- layout ---- */

static void draw_all(drawing *d) {
  for (uint32_t row = 0; row < d->scene->rows; row++) {
    put_row(d, row, look_all, 0);
    end_line(&d->out);
  }
  put_captions(d);
}

/* Pictures of the layers [first, last) beside each other, each `width` wide. */
static void draw_side_by_side(drawing *d, uint32_t first, uint32_t last, size_t width) {
  const glimpse_scene *scene = d->scene;
  bool more = true;
  for (uint32_t line = 0; more && !d->out.failed; line++) {
    more = line <= scene->rows;
    size_t column = 0;
    for (uint32_t layer = first; layer < last; layer++) {
      if (!first_of_name(scene, layer)) continue;
      put_pad(&d->out, column);
      if (line == 0) put_name(d, layer);
      else if (line <= scene->rows) put_row(d, line - 1, look_one, layer);
      else if (put_foot(d, layer, line - scene->rows - 1)) more = true;
      column += width + GAP;
    }
    if (more) end_line(&d->out);
    else d->out.length = d->out.line; /* nothing but padding */
  }
}

static void draw_layers(drawing *d) {
  const glimpse_scene *scene = d->scene;
  size_t width = picture_width(scene), used = 0, least = strlen("largest <0.01");
  if (width < least) width = least;
  for (uint32_t i = 0; i < scene->layers; i++)
    if (strlen(scene->names[i]) + 2 > width) width = strlen(scene->names[i]) + 2;
  for (uint32_t i = 0; i < scene->places; i++)
    if (strlen(scene->place_names[i]) + strlen(" <0.01") > width)
      width = strlen(scene->place_names[i]) + strlen(" <0.01");
  uint32_t first = 0;
  for (uint32_t layer = 0; layer < scene->layers; layer++) {
    if (!first_of_name(scene, layer)) continue;
    if (used && used + GAP + width > LINE_WIDTH) {
      draw_side_by_side(d, first, layer, width);
      first = layer;
      used = 0;
    }
    used += (used ? GAP : 0) + width;
  }
  draw_side_by_side(d, first, scene->layers, width);
  for (int i = SHADES; i-- > 0;) {
    put_word(&d->out, shades[i].text);
    put_word(&d->out, "  ");
  }
  end_line(&d->out);
}

static glimpse_status draw(drawing *d, const glimpse_model *model, glimpse_row belief) {
  if (!d->weight || !d->slot) return GLIMPSE_NO_MEMORY;
  if (!weigh(d, model, belief)) return GLIMPSE_BAD_ARGUMENT;
  bool certain = true;
  for (uint32_t layer = 0; layer < d->scene->layers; layer++) certain = certain && d->slot[layer] < d->slots;
  if (certain) draw_all(d);
  else draw_layers(d);
  if (*d->scene->legend) {
    put_word(&d->out, d->scene->legend);
    end_line(&d->out);
  }
  return d->out.failed ? GLIMPSE_NO_MEMORY : GLIMPSE_OK;
}

glimpse_status glimpse_model_draw(const glimpse_model *model, glimpse_row belief, glimpse_sink sink, void *context) {
  const glimpse_scene *scene = model->scene;
  if (!scene) return GLIMPSE_NOT_APPLICABLE;
  drawing d = {.scene = scene, .size = scene->rows * scene->columns};
  d.nowhere = d.size + scene->places;
  d.slots = glimpse_scene_slots(scene);
  if (d.slots <= SIZE_MAX / scene->layers) d.weight = GLI_NEW(double, (size_t)scene->layers *d.slots);
  d.slot = GLI_NEW(uint32_t, scene->layers);
  glimpse_status status = draw(&d, model, belief);
  if (!status && !sink(context, d.out.at, d.out.length)) status = GLIMPSE_CANNOT_WRITE;
  gli_memory_free(d.weight);
  gli_memory_free(d.slot);
  gli_memory_free(d.out.at);
  return status;
}
