/* Frame: what a terminal shows of a moment.  A pure function: the same moment, the
 * same past, the same mode and the same size give the same cells. */
#ifndef FRAME_H
#define FRAME_H

#include "canvas.h"
#include "common/moment.h"

/* Another step of the same episode, for the lines along the episode. */
struct frame_tick {
  bool asked;
  double reward, entropy;
};

enum frame_state { FRAME_PLAYING, FRAME_PAUSED, FRAME_THINKING, FRAME_ENDED };

struct frame_mode {
  bool utf8, colour;
  bool help;              /* the keys and what the shades mean, over the picture */
  enum frame_state state; /* what the last line says */
  double delay;           /* seconds per step */
  const char *note;       /* shown instead of the keys; NULL: nothing */
};

/* Draws over the whole canvas, which is blank.  moment: NULL before the first.  The
 * ticks are those of the last `count` steps, this one included. */
void frame_draw(struct canvas *canvas, const struct subject *subject, const struct moment *moment,
                const struct frame_tick *ticks, size_t count, const struct frame_mode *mode);

/* A part of the canvas. */
struct frame_box {
  int row, column, rows, columns;
};

/* The grids of a scene: the world, then the belief about each layer.  Returns how much
 * of the box was used, from its upper left corner; 0 rows: they do not fit. */
struct frame_box frame_scene(struct canvas *canvas, struct frame_box box, const struct subject *subject,
                             const struct moment *moment, const struct frame_mode *mode);
/* The shade of a probability, 0 to CANVAS_SHADES - 1. */
int frame_shade(double probability);
/* How it looks without colours. */
uint32_t frame_shade_code(int shade, bool utf8);
/* "<2%", ...: below what probability a shade stands. */
const char *frame_shade_text(int shade);

#endif
