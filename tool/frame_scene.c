/* Frame, the grids: see frame.h.
 *
 * The first picture is the world, the others show what is believed of each layer
 * (layers of one name share a picture).  A cell is two characters wide where that
 * fits, because characters are about twice as high as wide, and several rows high where there
 * is room; with colours its background is the shade, without them its characters are.  The mark of a layer
 * stands where it truly is, in the pictures of the belief, too: so one sees at a
 * glance how far off the belief is. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"

enum { GAP = 3, FEET = 3, TALLEST = 4, SIDE = 33 /* columns that are left for the choices, if possible */ };

/* ------------------------------------------------------------------- shades */

static const struct {
  double from;
  char mark;
  uint32_t block; /* only four blocks can be told apart */
  const char *text;
} shades[CANVAS_SHADES] = {{0, '.', 0x2591, "<2%"},    {0.02, ':', 0x2591, "<5%"}, {0.05, '-', 0x2591, "<10%"},
                           {0.1, '=', 0x2592, "<20%"}, {0.2, '+', 0x2592, "<35%"}, {0.35, '*', 0x2593, "<50%"},
                           {0.5, '%', 0x2593, "<70%"}, {0.7, '&', 0x2588, "<90%"}, {0.9, '@', 0x2588, "more"}};

int frame_shade(double probability) {
  int shade = CANVAS_SHADES - 1;
  while (shade && probability < shades[shade].from) shade--;
  return shade;
}

uint32_t frame_shade_code(int shade, bool utf8) {
  return utf8 ? shades[shade].block : (unsigned char)shades[shade].mark;
}

const char *frame_shade_text(int shade) {
  return shades[shade].text;
}

/* ------------------------------------------------------------------- layers */

static bool first_of_name(const glimpse_scene *scene, uint32_t layer) {
  for (uint32_t i = 0; i < layer; i++)
    if (!strcmp(scene->names[i], scene->names[layer])) return false;
  return true;
}

static bool in_picture(const glimpse_scene *scene, uint32_t layer, uint32_t picture) {
  return picture == GLIMPSE_ANY || !strcmp(scene->names[layer], scene->names[picture]);
}

static double weight_at(const struct moment_layer *layer, uint32_t slot) {
  uint32_t low = 0, high = layer->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (layer->weights[middle].slot < slot) low = middle + 1;
    else high = middle;
  }
  return low < layer->count && layer->weights[low].slot == slot ? layer->weights[low].weight : 0;
}

/* ------------------------------------------------------------------ drawing */

struct drawing {
  struct canvas *canvas;
  const glimpse_scene *scene;
  const struct moment *moment;
  const struct frame_mode *mode;
  int wide, tall; /* characters and rows per cell */
};

static int picture_columns(const glimpse_scene *scene, int wide) {
  return (int)scene->columns * wide - (wide == 2);
}

/* The mark of what truly is in a cell; '*' where two meet, 0 where nothing is. */
static char truth_at(const struct drawing *d, uint32_t picture, uint32_t cell) {
  char seen = 0;
  for (uint32_t i = 0; i < d->moment->layers; i++)
    if (in_picture(d->scene, i, picture) && d->moment->layer_list[i].truth == cell)
      seen = seen ? '*' : d->scene->marks[i];
  return seen;
}

/* picture: a layer that stands for those of its name; GLIMPSE_ANY: the world. */
static double weight_of(const struct drawing *d, uint32_t picture, uint32_t cell) {
  double weight = 0;
  for (uint32_t i = 0; picture != GLIMPSE_ANY && i < d->moment->layers; i++)
    if (in_picture(d->scene, i, picture)) weight += weight_at(&d->moment->layer_list[i], cell);
  return weight;
}

static void put_cell(const struct drawing *d, int row, int column, uint32_t picture, uint32_t cell, bool last) {
  char floor = d->scene->background[cell], mark = truth_at(d, picture, cell);
  double weight = weight_of(d, picture, cell);
  if (weight > 0) {
    int shade = frame_shade(weight);
    enum canvas_style style = (enum canvas_style)(STYLE_SHADE0 + shade);
    uint32_t code = d->mode->colour ? ' ' : frame_shade_code(shade, d->mode->utf8);
    bool marked = mark && (d->wide == 2 || d->mode->colour);
    canvas_code(d->canvas, row, column, style, marked ? (unsigned char)mark : code);
    if (d->wide == 2 && !last) canvas_code(d->canvas, row, column + 1, style, code);
    return;
  }
  bool wall = floor == '#', joined = wall && !last && d->scene->background[cell + 1] == '#';
  canvas_code(d->canvas, row, column,
              mark   ? STYLE_TRUTH
              : wall ? STYLE_QUIET
                     : STYLE_PLAIN,
              (unsigned char)(mark ? mark : floor));
  if (d->wide == 2 && joined) canvas_code(d->canvas, row, column + 1, STYLE_QUIET, '#');
}

/* A cell of several rows: its ground, and in the middle what stands there. */
static void put_tall_cell(const struct drawing *d, int row, int column, uint32_t picture, uint32_t cell) {
  char floor = d->scene->background[cell], mark = truth_at(d, picture, cell);
  double weight = weight_of(d, picture, cell);
  int shade = frame_shade(weight);
  bool wall = floor == '#';
  enum canvas_style ground = weight > 0 ? (enum canvas_style)(STYLE_SHADE0 + shade) : wall ? STYLE_QUIET : STYLE_PLAIN;
  uint32_t fill = weight > 0 && !d->mode->colour ? frame_shade_code(shade, d->mode->utf8) : wall ? '#' : ' ';
  for (int i = 0; i < d->tall; i++)
    for (int k = 0; k < d->wide; k++) canvas_code(d->canvas, row + i, column + k, ground, fill);
  if (!mark && (wall || floor == ' ')) return;
  canvas_code(d->canvas, row + (d->tall - 1) / 2, column + (d->wide - 1) / 2,
              weight > 0 ? ground
              : mark     ? STYLE_TRUTH
                         : STYLE_PLAIN,
              (unsigned char)(mark ? mark : floor));
}

static const char *place_name(const glimpse_scene *scene, uint32_t slot) {
  uint32_t size = scene->rows * scene->columns;
  return slot == size + scene->places ? "nowhere" : scene->place_names[slot - size];
}

/* Below the world: what is off the grid ("package: carried", or "P: carried" where that is too long). */
static void put_world_feet(const struct drawing *d, struct frame_box box) {
  const glimpse_scene *scene = d->scene;
  uint32_t size = scene->rows * scene->columns;
  int row = box.row, end = box.column + box.columns;
  for (uint32_t i = 0; i < d->moment->layers && row < box.row + box.rows; i++) {
    uint32_t slot = d->moment->layer_list[i].truth;
    bool alone = true;
    for (uint32_t k = 0; k < scene->layers; k++) alone = alone && (k == i || !in_picture(scene, k, i));
    if (slot < size || !alone) continue; /* of many, as rocks, those that are there say enough */
    char text[200];
    int length = snprintf(text, sizeof text, "%s: %s", scene->names[i], place_name(scene, slot));
    if (length > box.columns) snprintf(text, sizeof text, "%c: %s", scene->marks[i], place_name(scene, slot));
    canvas_cut(d->canvas, row++, box.column, end, STYLE_PLAIN, text);
  }
}

/* Below a belief: the places off the grid and how probable they are. */
static void put_feet(const struct drawing *d, struct frame_box box, uint32_t picture) {
  uint32_t size = d->scene->rows * d->scene->columns, slots = glimpse_scene_slots(d->scene);
  int row = box.row, end = box.column + box.columns;
  const struct moment_layer *layer = &d->moment->layer_list[picture];
  for (uint32_t i = picture + 1; i < d->scene->layers; i++)
    if (in_picture(d->scene, i, picture)) return;
  for (uint32_t slot = size; slot < slots && row < box.row + box.rows; slot++) {
    double weight = weight_at(layer, slot);
    if (!(weight > 0)) continue;
    char text[200];
    snprintf(text, sizeof text, "%.2f %s", weight, place_name(d->scene, slot));
    int at = canvas_cut(d->canvas, row, box.column, end, STYLE_PLAIN, text);
    if (layer->truth == slot) canvas_cut(d->canvas, row, at + 1, end, STYLE_TRUTH, "<-");
    row++;
  }
}

static void put_picture(const struct drawing *d, struct frame_box box, uint32_t picture) {
  const glimpse_scene *scene = d->scene;
  bool world = picture == GLIMPSE_ANY;
  char caption[100];
  if (world) snprintf(caption, sizeof caption, "the world");
  else snprintf(caption, sizeof caption, "%c %s?", scene->marks[picture], scene->names[picture]);
  canvas_cut(d->canvas, box.row, box.column, box.column + box.columns, STYLE_STRONG, caption);
  for (uint32_t row = 0; row < scene->rows; row++)
    for (uint32_t column = 0; column < scene->columns; column++) {
      int y = box.row + 1 + (int)row * d->tall, x = box.column + (int)column * d->wide;
      uint32_t cell = row * scene->columns + column;
      if (d->tall > 1) put_tall_cell(d, y, x, picture, cell);
      else put_cell(d, y, x, picture, cell, column + 1 == scene->columns);
    }
  int used = 1 + (int)scene->rows * d->tall;
  struct frame_box feet = {box.row + used, box.column, box.rows - used, box.columns};
  if (world) put_world_feet(d, feet);
  else put_feet(d, feet, picture);
}

/* ------------------------------------------------------------------- layout */

/* How many rows of words stand below the pictures.  It depends on the scene alone, so
 * that nothing jumps from one moment to the next. */
static int feet_of(const glimpse_scene *scene) {
  return scene->places > FEET ? FEET : scene->places ? (int)scene->places : 1;
}

struct layout {
  int wide, tall, feet, across; /* across: pictures side by side; 0: it does not fit */
};

static struct layout arrange(const glimpse_scene *scene, int pictures, int rows, int columns, int wide, int tall,
                             int feet) {
  struct layout layout = {wide, tall, feet, 0};
  int width = picture_columns(scene, wide), height = 1 + (int)scene->rows * tall + feet;
  if (width > columns) return layout;
  int across = (columns + GAP) / (width + GAP);
  if (across > pictures) across = pictures;
  int down = (pictures + across - 1) / across;
  if (down * height > rows) return layout;
  layout.across = across;
  return layout;
}

/* The best that fits: large cells beside the choices, in one row of pictures; else wide cells first, then room for the
 * choices, then all feet. */
static struct layout choose(const glimpse_scene *scene, int pictures, const struct frame_box *box) {
  for (int tall = TALLEST; tall > 1; tall--) {
    struct layout layout = arrange(scene, pictures, box->rows, box->columns - SIDE, 2 * tall, tall, feet_of(scene));
    if (layout.across == pictures) return layout;
  }
  for (int wide = 2; wide >= 1; wide--)
    for (int feet = feet_of(scene); feet >= 0; feet--)
      for (int side = SIDE; side >= 0; side -= SIDE) {
        struct layout layout = arrange(scene, pictures, box->rows, box->columns - side, wide, 1, feet);
        if (layout.across) return layout;
      }
  return (struct layout){0};
}

struct frame_box frame_scene(struct canvas *canvas, struct frame_box box, const struct subject *subject,
                             const struct moment *moment, const struct frame_mode *mode) {
  const glimpse_scene *scene = subject->scene;
  struct frame_box used = {box.row, box.column, 0, 0};
  if (scene->rows > CANVAS_LIMIT || scene->columns > CANVAS_LIMIT) return used;
  int pictures = 1;
  for (uint32_t i = 0; i < scene->layers; i++) pictures += first_of_name(scene, i);
  struct layout layout = choose(scene, pictures, &box);
  /* Rather the first pictures than none. */
  while (!layout.across && pictures > 1) layout = choose(scene, --pictures, &box);
  if (!layout.across) return used;
  struct drawing drawing = {canvas, scene, moment, mode, layout.wide, layout.tall};
  int width = picture_columns(scene, layout.wide), place = 0;
  int height = 1 + (int)scene->rows * layout.tall + layout.feet;
  for (uint32_t i = GLIMPSE_ANY; place < pictures; i++) {
    if (i != GLIMPSE_ANY && !first_of_name(scene, i)) continue;
    struct frame_box at = {box.row + place / layout.across * height, box.column + place % layout.across * (width + GAP),
                           height, width + GAP - 1};
    put_picture(&drawing, at, i);
    place++;
  }
  used.rows = (pictures + layout.across - 1) / layout.across * height;
  used.columns = layout.across * (width + GAP) - GAP;
  return used;
}
